"""Memo Dice as the camera plays it: a die is shown, covered, and its cup lifted."""

from __future__ import annotations

import pytest

from companion.api import Correction, IllegalMove, Move, Offer, Seat, TableAction, Visibility
from companion.events import MemoColour
from companion.games.memo_dice import GAME, MemoDice, Settings
from companion.games.memo_dice.state import Cup, Phase
from tests.games.memo_dice.positions import new, refused, roll

A, B = Seat(0), Seat(1)
NAMES = ("Ada", "Bob", "Cleo", "Dan")


def offers(game: MemoDice) -> list[Offer]:
    return list(GAME.list_offers(game, NAMES, Visibility(dice=True)))


def list_camera_moves(game: MemoDice) -> dict[TableAction, Move]:
    return {o.input: o.action for o in offers(game) if isinstance(o.input, TableAction)}


def test_the_table_waits_for_what_the_camera_sees() -> None:
    shown = new(2).play(Move("show", A, (2,)))
    for game, kind in ((new(2), "show"), (shown, "cup"), (roll(new(2), "RRRR"), "lift")):
        seen = [offer for offer in offers(game) if isinstance(offer.input, TableAction)]
        assert {offer.input.kind for offer in seen} == {kind}
        assert all(offer.awaited and not offer.input.in_menu for offer in seen)


def test_pictures_stay_off_the_screen_and_become_public_with_the_lift_of_the_cup() -> None:
    """D14: no picture of a die under a cup is shown."""
    game = new(2)
    for _ in range(4):
        colour = Move("show", game.active_seat, (1,))
        game = game.play(colour if colour in game.list_moves() else Move("show gold", game.active_seat))
        game = game.play(Move("cover", game.active_seat))
    assert GAME.hides_picture(game)
    assert not GAME.list_public_pictures(game)
    assert GAME.list_public_pictures(game.play(Move("miss", B))) == {1}


def test_a_die_that_is_seen_lies_open_until_its_cup_is() -> None:
    game = new(2).play(Move("show", A, (2,)))
    assert (game.phase, game.open_colour, game.active_seat, game.cup_row) == (Phase.LOOK, MemoColour.BLUE, A, ())
    assert GAME.format_prompt(game, NAMES) == "Ada: let all see the symbol, then put a blue cup over it"
    assert not game.list_clocks()
    game = game.play(Move("cover", A))
    assert game.cup_row == (Cup(MemoColour.BLUE, picture_number=1),)
    assert game.active_seat == B


def test_by_buttons_and_by_camera_the_same_cups_are_there() -> None:
    seen, pressed = new(3), roll(new(3), "RBKR")
    for colour in (1, 2, 3, 1):
        seen = seen.play(Move("show", seen.active_seat, (colour,))).play(Move("cover", seen.active_seat))
    assert [cup.colour for cup in seen.cup_row] == [cup.colour for cup in pressed.cup_row]
    assert [cup.picture_number for cup in seen.cup_row] == [1, 2, 3, 4]
    assert [cup.picture_number for cup in pressed.cup_row] == [0, 0, 0, 0]
    assert (seen.active_seat, seen.free_cups) == (pressed.active_seat, pressed.free_cups)


@pytest.mark.parametrize("colour", [1, 2, 3])
def test_d14_no_move_reveals_the_colour_under_the_golden_cup(colour: int) -> None:
    """Any colour that the camera reads of a die without a cup plays the same move."""
    game = roll(new(2), "RRRBBBKK")
    assert list_camera_moves(game)[TableAction("show", colour)] == Move("show gold", A)
    refused(game, Move("show", A, (colour,)), "D12")
    refused(game, Move("show gold", A, (colour,)), "D14")
    open_ = game.play(Move("show gold", A))
    assert GAME.describe(game, Move("show gold", A), open_, NAMES) == "Ada rolls die 9: it gets the golden cup"
    after = open_.play(Move("cover", A))
    assert after.cup_row[-1] == Cup(MemoColour.GOLD, picture_number=9)
    assert after.phase is Phase.UNCOVER


def test_a_colour_with_cups_left_gets_no_golden_cup() -> None:
    refused(new(2), Move("show gold", A), "D13")
    refused(new(2), Move("show", A, (0,)), "D11")


def test_a_misread_colour_is_corrected_by_one_press() -> None:
    game = new(2).play(Move("show", A, (2,)))
    words = {o.label: o.action for o in offers(game)}
    assert words["Is black"] == Correction("open", None, (3,))
    assert "Is blue" not in words
    assert game.correct(words["Is black"]).open_colour is MemoColour.BLACK


def test_a_die_misread_as_a_golden_one_is_corrected_by_one_press() -> None:
    game = roll(new(2), "RRR").play(Move("show gold", B))
    words = {o.label: o.action for o in offers(game)}
    assert "Is red" not in words, "no red cup is left"
    assert game.correct(words["Is blue"]).open_colour is MemoColour.BLUE


def test_a_lifted_cup_waits_for_the_answer() -> None:
    game = roll(new(2, answer_seconds=10), "RRRR")
    lifted = game.play(Move("lift", B))
    assert lifted.cup_lifted
    assert not lifted.list_clocks(), "the answer was given before the lift"
    assert TableAction("lift") not in list_camera_moves(lifted)
    refused(lifted, Move("lift", B), "D21")
    refused(lifted, Move("call", B), "D21")
    assert GAME.format_prompt(lifted, NAMES) == "Bob: cup 1 is lifted. Right or wrong?"
    for kind in ("right", "miss"):
        after = lifted.play(Move(kind, B))
        assert not after.cup_lifted
        assert after == game.play(Move(kind, B))


def test_without_a_camera_nothing_is_offered_that_only_it_plays() -> None:
    for game in (new(2), new(2).play(Move("show", A, (1,))), roll(new(2), "RRRR")):
        assert not [o for o in GAME.list_offers(game, NAMES, Visibility()) if isinstance(o.input, TableAction)]


def test_swapped_cups_take_their_pictures_along() -> None:
    game = new(2)
    for colour in (1, 2):
        game = game.play(Move("show", game.active_seat, (colour,))).play(Move("cover", game.active_seat))
    swapped = game.correct(Correction("swap", None, (1,)))
    assert [cup.picture_number for cup in swapped.cup_row] == [2, 1]


def test_a_swap_after_a_lift_marks_both_cups_as_not_lifted() -> None:
    game = roll(new(2), "RRRR").play(Move("lift", B))
    assert not game.correct(Correction("swap", None, (1,))).cup_lifted


def test_not_while_another_die_lies_open() -> None:
    game = MemoDice.create(2, Seat(0), Settings()).play(Move("show", A, (1,)))
    with pytest.raises(IllegalMove, match=r"^D10"):
        game.play(Move("show", A, (2,)))
