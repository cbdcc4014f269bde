"""Helpers of the StarFall tests: random games and refusals; positions come from the gallery."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from companion.api import Correction, IllegalMove, Move, Offer, Seat, Visibility
from companion.gallery.fixtures import parse_move
from companion.games.starfall import GAME, Settings, StarFall
from companion.games.starfall.payment_rules import PaymentView, make_payment_view
from companion.testing.checks import is_legal

NAMES = ("Ada", "Bob", "Cleo", "Dan")
MAX_MOVES = 5_000
"""Moves after which a random game is given up; usual are some hundred."""


def view_payment(game: StarFall) -> PaymentView:
    """Return what the screen shows of the payment that is being made."""
    assert game.payment is not None
    return make_payment_view(game, game.payment)


def check_refused(game: StarFall, text: str, why: str) -> None:
    """Check that the move is not listed and refused with that rule and reason."""
    assert not is_legal(game, parse_move(text))
    with pytest.raises(IllegalMove, match=rf"^{why}"):
        game.play(parse_move(text))


def kinds(game: StarFall) -> set[str]:
    return {move.kind for move in game.list_moves()}


def can(game: StarFall, text: str) -> bool:
    return is_legal(game, parse_move(text))


def corrected(game: StarFall, kind: str, *value: int, seat: int | None = None) -> StarFall:
    return game.correct(Correction.from_stored(kind, None if seat is None else Seat(seat), value))


def offers(game: StarFall) -> list[Offer]:
    return list(GAME.list_offers(game, NAMES, Visibility()))


def list_marked(game: StarFall) -> list[StarFall]:
    """Return the game with each tile on the board marked that the own button reaches, and the game itself."""
    found = [replace(game, marked_space=None)]
    for _ in game.board:
        mark = next((move for move in found[-1].list_moves() if move.kind == "mark"), None)
        if mark is not None:
            found.append(found[-1].play(mark))
    return found


def steps(players: int, rules: Settings, seed: int, wild: float = 0.1) -> Iterator[tuple[StarFall, Move, StarFall]]:
    """Play a random game; yield (before, move, after). `wild`: share of moves chosen from all legal ones."""
    random = Random(seed)
    game = StarFall.create(players, Seat(random.randrange(players)), rules)
    for _ in range(MAX_MOVES):
        if game.compute_outcome() is not None:
            return
        if random.random() < wild:
            move = random.choice(game.list_moves())
        else:
            found = offers(game)
            does = random.choices(found, [GAME.get_bot_weight(game, o) for o in found])[0].action
            assert isinstance(does, Move)
            move = does
        after = game.play(move)
        yield game, move, after
        game = after
    pytest.fail(f"no end after {MAX_MOVES} moves")
