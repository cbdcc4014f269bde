"""Memo Dice as the camera plays it: a die is shown, covered, and its cup lifted."""

from __future__ import annotations

import pytest

from companion.games.api.game import Correction, IllegalMove, Move, Seat
from companion.games.api.offers import Deed, Offer, Sight
from companion.games.memo_dice import KIT, MemoDice, Settings
from companion.games.memo_dice.view import Colour, Cup, Phase
from tests.games.memo_dice.positions import new, refused, roll

A, B = Seat(0), Seat(1)
NAMES = ("Ada", "Bob", "Cleo", "Dan")


def offers(game: MemoDice) -> list[Offer]:
    return list(KIT.offers(game, NAMES, Sight(dice=True)))


def deeds(game: MemoDice) -> dict[Deed, Move]:
    return {o.means: o.does for o in offers(game) if isinstance(o.means, Deed)}


def test_a_die_that_is_seen_lies_open_until_its_cup_is() -> None:
    game = new(2).play(Move("show", A, (2,)))
    assert (game.phase, game.looking, game.active, game.row) == (Phase.LOOK, Colour.BLUE, A, ())
    assert KIT.sentence(game, NAMES) == "Ada: let all look, then cover it with a blue cup"
    assert not game.clocks()
    game = game.play(Move("cover", A))
    assert game.row == (Cup(Colour.BLUE, face=1),)
    assert game.active == B


def test_by_buttons_and_by_camera_the_same_cups_are_there() -> None:
    seen, pressed = new(3), roll(new(3), "RBKR")
    for colour in (1, 2, 3, 1):
        seen = seen.play(Move("show", seen.active, (colour,))).play(Move("cover", seen.active))
    assert [cup.colour for cup in seen.row] == [cup.colour for cup in pressed.row]
    assert [cup.face for cup in seen.row] == [1, 2, 3, 4]
    assert [cup.face for cup in pressed.row] == [0, 0, 0, 0]
    assert (seen.active, seen.free) == (pressed.active, pressed.free)


@pytest.mark.parametrize("colour", [1, 2, 3])
def test_d14_the_colour_under_the_golden_cup_is_told_by_no_move(colour: int) -> None:
    """Whatever the camera reads of a die without a cup, the same move is played."""
    game = roll(new(2), "RRRBBBKK")
    assert deeds(game)[Deed("show", colour)] == Move("show gold", A)
    refused(game, Move("show", A, (colour,)), "D12")
    refused(game, Move("show gold", A, (colour,)), "D14")
    open_ = game.play(Move("show gold", A))
    assert KIT.tell(game, Move("show gold", A), open_, NAMES) == "Ada rolls die 9: the golden cup"
    after = open_.play(Move("cover", A))
    assert after.row[-1] == Cup(Colour.GOLD, face=9)
    assert after.phase is Phase.UNCOVER


def test_a_colour_that_is_left_is_no_golden_cup() -> None:
    refused(new(2), Move("show gold", A), "D13")
    refused(new(2), Move("show", A, (0,)), "D11")


def test_a_misread_colour_is_put_right_by_one_press() -> None:
    game = new(2).play(Move("show", A, (2,)))
    words = {o.words: o.does for o in offers(game)}
    assert words["It is black"] == Correction("open", None, (3,))
    assert "It is blue" not in words
    assert game.correct(words["It is black"]).looking is Colour.BLACK


def test_a_lifted_cup_waits_for_the_answer() -> None:
    game = roll(new(2, answer_seconds=10), "RRRR")
    lifted = game.play(Move("lift", B))
    assert lifted.view().lifted
    assert not lifted.clocks(), "the answer was given before the lift"
    assert Deed("lift") not in deeds(lifted)
    refused(lifted, Move("lift", B), "D21")
    refused(lifted, Move("call", B), "D21")
    assert KIT.sentence(lifted, NAMES) == "Bob: cup 1 is lifted. Right or wrong?"
    for kind in ("right", "miss"):
        after = lifted.play(Move(kind, B))
        assert not after.lifted
        assert after == game.play(Move(kind, B))


def test_without_a_camera_nothing_is_offered_that_only_it_plays() -> None:
    for game in (new(2), new(2).play(Move("show", A, (1,))), roll(new(2), "RRRR")):
        assert not [o for o in KIT.offers(game, NAMES, Sight()) if isinstance(o.means, Deed)]


def test_swapped_cups_take_their_pictures_along() -> None:
    game = new(2)
    for colour in (1, 2):
        game = game.play(Move("show", game.active, (colour,))).play(Move("cover", game.active))
    swapped = game.correct(Correction("swap", None, (1,)))
    assert [cup.face for cup in swapped.row] == [2, 1]


def test_a_swap_after_a_lift_hides_what_was_not_lifted() -> None:
    game = roll(new(2), "RRRR").play(Move("lift", B))
    assert not game.correct(Correction("swap", None, (1,))).lifted


def test_not_while_another_die_lies_open() -> None:
    game = MemoDice.new(2, Seat(0), Settings()).play(Move("show", A, (1,)))
    with pytest.raises(IllegalMove, match=r"^D10"):
        game.play(Move("show", A, (2,)))
