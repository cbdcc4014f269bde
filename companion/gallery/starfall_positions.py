"""StarFall positions, built by hand or by moves written as at the table; for the gallery and for tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.gallery.fixtures import parse_move
from companion.games.api.game import Move, Seat
from companion.games.starfall import Settings, StarFall
from companion.games.starfall.state import OwnedTile


def play_moves(game: StarFall, *moves: str) -> StarFall:
    for text in moves:
        game = game.play(parse_move(text))
    return game


def new_game(players: int = 3, **settings: Any) -> StarFall:
    return StarFall.create(players, Seat(0), Settings(**settings))


def make_position(board: tuple[int, ...] = (), players: int = 3, own: tuple[int, ...] = (), **fields: Any) -> StarFall:
    """Tiles on these spaces, nobody knows which; `own`: how many tiles each player has."""
    settings = fields.pop("settings", {})
    game = replace(new_game(players, **settings), board=tuple((space, 0) for space in sorted(board, reverse=True)))
    tiles = tuple((OwnedTile(0, 5),) * (own[q] if q < len(own) else 0) for q in range(players))
    return replace(game, owned_tiles=tiles, **fields)


def end_game(players: int = 3, dust: tuple[int, ...] = (), **fields: Any) -> StarFall:
    """The pile is empty and one tile is left: whose tiles are counted?"""
    game = make_position((5,), players, pile_size=0, **fields)
    return replace(game, dust=dust or game.dust)


def count_tiles(game: StarFall, seat: int, *counts: int) -> StarFall:
    """Fill a page, line by line."""
    if game.counting_seat is None:
        game = game.play(Move("count", Seat(seat)))
    for wanted in counts:
        while game.symbol_counts[seat][game.line_index] < wanted:
            step = min(6, wanted - game.symbol_counts[seat][game.line_index])
            game = game.play(Move("more", Seat(seat), (step,)))
        while game.symbol_counts[seat][game.line_index] > wanted:
            game = game.play(Move("less", Seat(seat)))
        game = game.play(Move("next line", Seat(seat)))
    return game
