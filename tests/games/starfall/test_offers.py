"""Offers of StarFall: buttons and labels; explanations of presses without effect."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.api.game import IllegalMove, Seat
from companion.games.api.offers import ConsolePress, NumberPress, SeatPress
from companion.games.starfall import GAME, SkyTile
from companion.games.starfall.state import OwnedTile, Phase
from tests.games.starfall.positions import (
    NAMES,
    count_tiles,
    end_game,
    make_position,
    new_game,
    offers,
    parse_move,
    play_moves,
)


def table(game):
    """Means to words; the words end in a star where the table waits for it."""
    return {o.input: o.label + "*" * o.awaited for o in offers(game)}


def test_an_ordinary_turn_is_one_press() -> None:
    assert table(new_game()) == {ConsolePress.OK: "Add a tile*"}
    assert table(make_position((9, 7))) == {
        ConsolePress.OK: "Add a tile*",
        NumberPress(1): "Take the 9*",
        NumberPress(2): "Take the 7*",
        NumberPress(4): "Move 9 to 8",
        NumberPress(5): "Move 7 to 6",
    }
    assert table(make_position((1, 0), dust=(0, 9, 9), pile_size=2)) == {
        ConsolePress.OK: "Add a tile*",
        NumberPress(2): "Take the 0*",
        NumberPress(4): "Move 1 off",
        NumberPress(5): "Move 0 off",
    }


def test_paying_as_proposed_is_one_press_more() -> None:
    game = play_moves(make_position((9, 7), own=(1,)), "discover 0 7")
    assert table(game) == {
        ConsolePress.OK: "Pay 7 dust*",
        **{NumberPress(n): f"Tile: {n} star{'s' * (n > 1)}" for n in range(1, 7)},
        ConsolePress.PLUS: "Change the dust",
        ConsolePress.NO: "Not this tile",
    }
    game = play_moves(game, "with 0 0 3")
    assert table(game)[ConsolePress.OK] == "Pay 4 and a tile*"
    assert table(game) == {
        ConsolePress.OK: "Pay 4 and a tile*",
        NumberPress(1): "1 dust less",
        NumberPress(2): "1 dust more",
        NumberPress(4): "5 dust more",
        NumberPress(6): "A tile back",
        ConsolePress.NO: "Not this tile",
    }, "the only tile is given: the keys change the dust"


def test_excessive_payments_are_confirmed() -> None:
    game = play_moves(make_position((9, 3), own=(2,)), "discover 0 3", "with 0 0 3")
    assert [o.confirm_question for o in offers(game) if o.input is ConsolePress.OK] == [""]
    game = play_moves(game, "with 0 1 1")
    assert [o.confirm_question for o in offers(game) if o.input is ConsolePress.OK] == [
        "That is more than needed. Pay it all the same?"
    ]


def test_known_tiles_stand_on_keys_of_their_own_and_others_behind_plus() -> None:
    game = make_position((9, 7), settings={"catalogue": (SkyTile(stars=4), SkyTile(stars=2))})
    game = replace(game, owned_tiles=((OwnedTile(1, 3), OwnedTile(0, 4), OwnedTile(2, 5)), (), ()))
    game = play_moves(game, "discover 0 7")
    assert table(game)[NumberPress(1)] == "Tile: 2 stars"
    assert table(game)[NumberPress(2)] == "Tile: 4 stars"
    assert NumberPress(3) not in table(game)
    assert table(game)[ConsolePress.PLUS] == "Other tiles"
    game = play_moves(game, "page 0")
    assert table(game)[NumberPress(1)] == "Tile: 1 star"
    game = play_moves(game, "page 0")
    assert table(game)[NumberPress(5)] == "And a tile"
    assert table(game)[ConsolePress.PLUS] == "Choose tiles"
    assert play_moves(game, "page 0").key_page == 0


def test_choosing_whose_tiles_are_counted() -> None:
    game = end_game(3)
    assert table(game) == {SeatPress(Seat(q)): "Count my tiles*" for q in range(3)}
    game = count_tiles(game, 0, *[0] * 10)
    assert table(game)[SeatPress(Seat(0))] == "Count again"


def test_a_page() -> None:
    game = play_moves(end_game(2), "count 0")
    assert table(game) == {
        **{NumberPress(n): f"{n} more" for n in range(1, 7)},
        ConsolePress.OK: "Next: planets*",
        ConsolePress.PLUS: "1 more",
        ConsolePress.NO: "Another player",
    }
    game = play_moves(game, "more 0 2")
    assert table(game)[ConsolePress.NO] == "1 less"
    assert table(play_moves(game, "next-line 0"))[ConsolePress.NO] == "Back: stars"
    last = replace(game, line_index=9)
    assert table(last)[ConsolePress.OK] == "All counted*"


def test_the_table_of_scores() -> None:
    game = end_game(2)
    for seat in (0, 1):
        game = count_tiles(game, seat, *[0] * 10)
    assert table(game)[ConsolePress.OK] == "That is right*"
    assert table(play_moves(game, "count 0"))[ConsolePress.PLUS] == "Done correcting"
    assert table(play_moves(game, "finish")) == {}


def test_the_log_at_the_end_lists_most_and_fewest_stars() -> None:
    game = end_game(3)
    for seat, stars in ((0, 4), (1, 1), (2, 1)):
        game = count_tiles(game, seat, stars, *[0] * 9)
    finish = parse_move("finish")
    assert (
        GAME.describe(game, finish, game.play(finish), NAMES)
        == "The count is right; for stars: Ada +10, Bob -5, Cleo -5"
    )


def test_why_a_press_did_nothing() -> None:
    def why(game, seat):
        with pytest.raises(IllegalMove) as said:
            game.play(GAME.default_move(game, Seat(seat)))
        return str(said.value)

    poor = make_position((9, 5), dust=(6, 32, 32))
    for seat in range(3):
        assert why(poor, seat) == "F12: the tile on 9 costs 9, seat 0 has 6 dust"
        assert why(make_position((9,)), seat) == "F12: no tile is on that key; it is seat 0's turn"
    assert why(new_game(), 0).startswith("F15: the board is empty")
    paying = play_moves(make_position((9, 7), own=(1,)), "discover 0 7")
    assert why(paying, 1) == "F10: it is seat 0's turn, not seat 1's"
    assert GAME.default_move(paying, Seat(0)) is None
    assert why(replace(end_game(), away=(True, False, False)), 0) == "F30: seat 0 is away and has no tiles to count"


def test_sentences() -> None:
    def said(game):
        return GAME.prompt(game, NAMES)

    assert said(new_game()) == "Ada: add a tile"
    assert said(make_position((9, 8))) == "Ada: add, move or take a tile"
    assert said(make_position((9, 8, 7))) == "Ada: move or take a tile"
    assert said(make_position((9, 8), dust=(0, 1, 1), pile_size=0)) == "Ada: move a tile"
    assert said(play_moves(make_position((9, 7), own=(1,)), "discover 0 7")) == "Ada: pay 7 for the tile"
    assert said(end_game()) == "The game is over: press your button to count your tiles"
    assert said(play_moves(end_game(), "count 1")) == "Bob: how many stars are on your tiles?"
    game = end_game(2, (4, 4))
    for seat in (0, 1):
        game = count_tiles(game, seat, *[0] * 10)
    assert said(game) == "All are counted: is everything right?"
    assert said(play_moves(game, "finish")) == "Ada and Bob share the victory with 2"


def test_the_log() -> None:
    def reported(game, text):
        move = parse_move(text)
        return GAME.describe(game, move, game.play(move), NAMES)

    game = make_position((9, 4), own=(1,))
    assert reported(game, "move 0 9") == "Ada moves the tile on 9 to 8"
    assert reported(make_position((1, 0), pile_size=1), "move 0 0") == "Ada moves the tile on 0 off the board"
    assert reported(make_position((9, 4)), "discover 0 4") == "Ada takes the tile on 4 for 4 dust"
    assert reported(make_position((9, 0)), "discover 0 0") == "Ada takes the tile on 0 for nothing"
    paying = play_moves(game, "discover 0 4", "with 0 0 1")
    assert reported(paying, "pay 0") == "Ada takes the tile on 4 for 3 dust and a tile"
    assert reported(make_position((6, 2), pile_size=0), "discover 0 2") == (
        "Ada takes the tile on 2 for 2 dust, and the game ends"
    )
    page = play_moves(end_game(2), "count 0")
    assert reported(page, "more 0 1") == "Ada: 1 star"
    assert reported(replace(page, line_index=5), "more 0 2") == "Ada: 2 red nebulae"
    assert reported(replace(page, line_index=9), "next-line 0") == "Ada 16: dust 16"
    page = replace(
        end_game(2, (6, 4)),
        counting_seat=Seat(0),
        line_index=9,
        symbol_counts=((3, 2, 3, 1, 4, 0, 1, 0, 0, 0), (0,) * 10),
    )
    assert reported(page, "next-line 0") == "Ada 40: planets 10, moons 6, holes -5, comets 24, nebulae 2, dust 3"


def test_bots_prefer_cheap_tiles() -> None:
    liked = {o.label: GAME.bot_weight(make_position((9, 0)), o) for o in offers(make_position((9, 0)))}
    assert liked["Take the 0"] > liked["Take the 9"]
    assert end_game().phase is Phase.CHOOSE
