"""Why a StarFall move is refused: the rule and the whole sentence that the table reads."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.api import IllegalMove
from companion.gallery.fixtures import parse_move, play_moves
from companion.games.starfall import SkyTile, StarFall
from companion.games.starfall.samples import count_tiles, end_game, make_position, new_game
from companion.games.starfall.state import OwnedTile
from tests.games.refusals import find_reason

EIGHT_TILES = {"catalogue": tuple(SkyTile(stars=n) for n in range(8))}


def pay(*moves: str, dust: tuple[int, ...] = (32, 32, 32)) -> StarFall:
    """Return a game in which seat 0 pays 7 and owns one tile of unknown value."""
    return play_moves(make_position((9, 7), own=(1,), dust=dust), "discover 0 7", *moves)


def name_tile() -> StarFall:
    return play_moves(make_position((9,), settings=EIGHT_TILES), "name 0")


def count_all(*moves: str) -> StarFall:
    game = end_game(2)
    for seat in (0, 1):
        game = count_tiles(game, seat, *[0] * 10)
    return play_moves(game, *moves) if moves else game


REASONS: list[tuple[StarFall, str, str]] = [
    (new_game(), "move 1 9", "F11: it is seat 0's turn, not seat 1's"),
    (
        new_game(),
        "discover 0 9",
        "F15: the board is empty, so a tile must be added first, and nothing can be discovered",
    ),
    (new_game(), "move 0 9", "F15: the board is empty, so a tile must be added first, and nothing can be moved"),
    (new_game(), "name 0", "F10: the catalogue knows of no tile that could be in the pile"),
    (new_game(), "mark 0 9", "F15: the board is empty, so a tile must be added first"),
    (make_position((9, 8)), "mark 0 9", "F10: no other tile is on the board"),
    (make_position((9, 8)), "unmark 0", "F10: no tile is marked"),
    (new_game(), "pay 0", "F13: nothing is being paid now"),
    (new_game(), "add 0 5", "F10: that is no tile that could be added now"),
    (new_game(), "count 0", "F20: tiles are counted when the game has ended"),
    (make_position((9, 8, 7)), "add 0 0", "F15: 3 tiles are on the board already, no more than 3 may be"),
    (make_position((9, 8, 7), pile_size=0), "add 0 0", "F10: the pile is empty"),
    (make_position((9, 2)), "move 0 10", "F11: the board has no such space"),
    (make_position((8, 2)), "move 0 9", "F11: there is no tile on 9"),
    (make_position((8, 2), dust=(7, 9, 9)), "discover 0 8", "F12: the tile on 8 costs 8, seat 0 has 7 dust"),
    (
        make_position((8, 2), own=(1,), dust=(1, 9, 9), settings={"tile_pays": "space_number"}),
        "discover 0 8",
        "F12: the tile on 8 costs 8, seat 0 has 1 dust, and the tiles do not reach it",
    ),
    (name_tile(), "move 0 9", "F11: a tile is being added; say which one it is, or that nobody knows"),
    (name_tile(), "add 1 0", "F10: it is seat 0's turn, not seat 1's"),
    (pay(), "move 0 9", "F11: pay for the tile on 7 first, or choose another turn with NO"),
    (pay(), "add 0 0", "F10: pay for the tile on 7 first, or choose another turn with NO"),
    (pay(), "with 0 1 3", "F13: that tile cannot be given; only own tiles that were discovered earlier pay"),
    (pay(), "without 0", "F13: no tile is in the payment"),
    (pay("with 0 0 7"), "with 0 0 1", "F13: the tiles given pay the whole price"),
    (pay("with 0 0 3"), "without 0", "F13: another tile is tried before it is taken back"),
    (pay("with 0 0 3", dust=(3, 9, 9)), "pay 0", "F12: this does not reach the price of 7"),
    (make_position((9,), pile_size=0), "move 1 9", "F20: the pile is empty and one tile is left on the board"),
    (make_position((9, 8), dust=(0, 0, 0)), "move 0 9", "F21: nobody has any stardust left"),
    (end_game(2), "enter 0 1", "F30: say first whose tiles are counted"),
    (end_game(2), "finish", "F37: not everybody is counted yet"),
    (end_game(2), "accept", "F30: the catalogue knows of nobody who is still to be counted every tile"),
    (replace(end_game(), away=(True, False, False)), "count 0", "F30: seat 0 is away and has no tiles to count"),
    (play_moves(end_game(2), "count 0"), "count 0", "F30: seat 0 is being counted already"),
    (play_moves(end_game(2), "count 0"), "count 1", "F30: seat 0 is being counted, not seat 1"),
    (play_moves(end_game(2), "count 0"), "clear 0", "F30: the counting is elsewhere now"),
    (
        play_moves(count_tiles(end_game(2), 0, *[0] * 5), "enter 0 2"),
        "next-line 0",
        "F35: say how many different colours the nebulae have",
    ),
    (count_all("finish"), "count 0", "F37: all are counted and the game is over"),
]
"""A game; the move tried; why it is refused."""


def test_refusals() -> None:
    assert [find_reason(game, parse_move(text)) for game, text, _ in REASONS] == [reason for *_, reason in REASONS]


def test_a_tile_that_is_not_needed_is_named_by_its_stars() -> None:
    game = make_position((9, 3), settings={"catalogue": [SkyTile(stars=2), SkyTile(stars=3)]})
    game = replace(game, owned_tiles=((OwnedTile(1, 9), OwnedTile(2, 8)), (), ()))
    game = play_moves(game, "discover 0 3", "with 0 0 2", "with 0 1 3")
    with pytest.raises(IllegalMove, match=r"^F13: the tile that pays 2 is not needed; take it back"):
        game.play(parse_move("pay 0"))
