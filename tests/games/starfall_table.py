"""A short language for StarFall tests: positions built by hand, moves written as at the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.games.game import Correction, IllegalMove, Move, Seat, legal
from companion.games.offer import Offer, Sight
from companion.games.starfall import KIT, Settings, StarFall
from companion.games.starfall.position import Owned

NAMES = ("Ada", "Bob", "Cleo", "Dan")
LONGEST = 5_000
"""Moves in a random game; it takes some hundred."""


def as_move(text: str) -> Move:
    """ "discover 0 7": seat 0 takes the tile on 7; "finish": no seat. Words of a kind are joined by a hyphen."""
    kind, *numbers = text.split()
    seat = Seat(int(numbers[0])) if numbers else None
    return Move(kind.replace("-", " "), seat, tuple(int(n) for n in numbers[1:]))


def play(game: StarFall, *moves: str) -> StarFall:
    for text in moves:
        game = game.play(as_move(text))
    return game


def start(players: int = 3, **settings: Any) -> StarFall:
    return StarFall.new(players, Seat(0), Settings(**settings))


def at(board: tuple[int, ...] = (), players: int = 3, own: tuple[int, ...] = (), **fields: Any) -> StarFall:
    """Tiles on these spaces, nobody knows which; `own`: how many tiles each player has."""
    settings = fields.pop("settings", {})
    game = replace(start(players, **settings), board=tuple((space, 0) for space in sorted(board, reverse=True)))
    tiles = tuple((Owned(0, 5),) * (own[q] if q < len(own) else 0) for q in range(players))
    return replace(game, tiles=tiles, **fields)


def refused(game: StarFall, text: str, why: str) -> None:
    """The move is not listed, and refused with that rule and reason."""
    assert not legal(game, as_move(text))
    with pytest.raises(IllegalMove, match=rf"^{why}"):
        game.play(as_move(text))


def kinds(game: StarFall) -> set[str]:
    return {move.kind for move in game.moves()}


def can(game: StarFall, text: str) -> bool:
    return legal(game, as_move(text))


def corrected(game: StarFall, kind: str, *value: int, seat: int | None = None) -> StarFall:
    return game.correct(Correction(kind, None if seat is None else Seat(seat), value))


def offers(game: StarFall) -> list[Offer]:
    return list(KIT.offers(game, NAMES, Sight()))


def pages(game: StarFall) -> list[StarFall]:
    """The game with each page of its keys turned up."""
    found = [game]
    while True:
        turn = next((m for m in found[-1].moves() if m.kind == "page"), None)
        if turn is None:
            return found
        after = found[-1].play(turn)
        if after.page == game.page:
            return found
        found.append(after)


def ended(players: int = 3, dust: tuple[int, ...] = (), **fields: Any) -> StarFall:
    """The pile is empty and one tile is left: whose tiles are counted?"""
    game = at((5,), players, pile=0, **fields)
    return replace(game, dust=dust or game.dust)


def count(game: StarFall, seat: int, *counts: int) -> StarFall:
    """Fill a page, line by line."""
    if game.counting is None:
        game = game.play(Move("count", Seat(seat)))
    for wanted in counts:
        while game.counts[seat][game.line] < wanted:
            step = min(6, wanted - game.counts[seat][game.line])
            game = game.play(Move("more", Seat(seat), (step,)))
        while game.counts[seat][game.line] > wanted:
            game = game.play(Move("less", Seat(seat)))
        game = game.play(Move("next line", Seat(seat)))
    return game


def steps(players: int, rules: Settings, seed: int, wild: float = 0.1) -> Iterator[tuple[StarFall, Move, StarFall]]:
    """A random game by its offers, as (before, move, after). `wild`: how often any legal move is as good as another."""
    random = Random(seed)
    game = StarFall.new(players, Seat(random.randrange(players)), rules)
    for _ in range(LONGEST):
        if game.outcome() is not None:
            return
        if random.random() < wild:
            move = random.choice(game.moves())
        else:
            found = offers(game)
            does = random.choices(found, [KIT.likely(game, o) for o in found])[0].does
            assert isinstance(does, Move)
            move = does
        after = game.play(move)
        yield game, move, after
        game = after
    pytest.fail(f"no end after {LONGEST} moves")
