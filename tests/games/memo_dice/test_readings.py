"""Memo Dice with a camera that reads the row, through the real referee and journal: moves, questions, secrets."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from functools import partial

import pytest

from companion.api import ConsolePress, Correction, Move, NumberPress
from companion.events import Button, CupLifted, CupPlaced, DieShown, MemoColour
from companion.games.memo_dice import GAME
from companion.games.memo_dice.state import Phase
from companion.journal.die_pictures import PICTURES_FOLDER
from companion.screen_state import DiePicture
from companion.testing.table import A, B, TableUnderTest

OK, NO, PLUS = Button.OK, Button.NO, Button.PLUS
RED, BLUE, BLACK = 1, 2, 3
RED_KEY = Button.SEAT6
Sit = Callable[..., TableUnderTest]


@pytest.fixture
def sit(table: Callable[..., TableUnderTest]) -> Sit:
    return partial(table, definition=GAME)


def picture(n: int) -> bytes:
    """Return bytes in place of a JPEG; nothing decodes them here."""
    return b"\xff\xd8\xff" + bytes([n]) * 40


def die(t: TableUnderTest, place: int, colour: int, confidence: float = 0.98, others: tuple[int, ...] = ()) -> None:
    t.send(DieShown(place, colour, confidence, t.clock.now, others, picture(10 * place + colour)))


def cup(t: TableUnderTest, place: int, colour: int, confidence: float = 0.99) -> None:
    t.send(CupPlaced(place, colour, confidence, t.clock.now))


def lift(t: TableUnderTest, place: int, confidence: float = 0.99) -> None:
    t.send(CupLifted(place, confidence, t.clock.now))


def covered(t: TableUnderTest, *colours: int) -> None:
    """Show and cover dice, one after the other."""
    start = len(t.game.cup_row)
    for place, colour in enumerate(colours, start):
        die(t, place, colour)
        cup(t, place, colour if colour in [c.value for c in t.game.coverable_colours] else 0)


def test_a_round_needs_presses_for_the_answers_only(sit: Sit) -> None:
    t = sit(2)
    covered(t, RED, BLUE, RED, RED, RED)
    assert [c.colour for c in t.game.cup_row] == [
        MemoColour.RED,
        MemoColour.BLUE,
        MemoColour.RED,
        MemoColour.RED,
        MemoColour.GOLD,
    ]
    assert (t.game.phase, t.game.active_seat) == (Phase.UNCOVER, A)
    for place in range(5):
        lift(t, place)
        assert t.game.cup_lifted
        t.press(OK)
    assert t.game.round_scores == ((6, 0),)


def test_a_reading_is_announced_and_waits_for_its_cup(sit: Sit) -> None:
    t = sit(2)
    assert t.state.prompt == "Ada: roll a die, put it at the end of the row"
    die(t, 0, BLUE)
    assert t.state.prompt == "Ada: let all see the symbol, then put a blue cup over it"
    assert t.played() == Move("show", A, (BLUE,))
    cup(t, 0, BLUE)
    assert t.game.active_seat == B


def test_a_missing_cup_colour_is_announced_at_once(sit: Sit) -> None:
    t = sit(2)
    covered(t, RED, RED, RED)
    die(t, 3, RED)
    assert t.state.prompt == "Bob: let all see the symbol, then put the golden cup over it"


def test_an_uncertain_colour_offers_the_two_likeliest(sit: Sit) -> None:
    t = sit(2)
    die(t, 0, BLUE, 0.7, (BLACK, RED))
    assert t.played() is None
    question = t.state.question
    assert question is not None
    assert question.title == "Is it blue?"
    answers = [t.offer(button) for button in (OK, PLUS, RED_KEY)]
    assert [answer and answer.label for answer in answers] == ["Blue", "Black", "Red"]
    t.press(PLUS)
    assert t.game.open_colour is MemoColour.BLACK


def test_a_question_is_closed_by_no_and_by_the_cup_that_answers_it(sit: Sit) -> None:
    t = sit(2)
    die(t, 0, BLUE, 0.7, (BLACK, RED))
    t.press(NO)
    assert t.state.question is None
    assert t.game.cup_row == ()
    die(t, 0, BLUE, 0.7, (BLACK, RED))
    cup(t, 0, BLACK)
    assert t.state.question is None
    assert [c.colour for c in t.game.cup_row] == [MemoColour.BLACK]


def test_a_misreading_is_corrected_by_one_press_and_undone_by_holding_no(sit: Sit) -> None:
    t = sit(2)
    die(t, 0, BLUE)
    t.press(Button.SEAT3)
    assert t.game.open_colour is MemoColour.BLACK
    t.hold(NO)
    t.hold(NO)
    assert t.game.phase is Phase.COVER
    t.press(RED_KEY)
    assert t.game.cup_row[0].colour is MemoColour.RED


def test_a_cup_of_another_colour_than_read_is_asked_about(sit: Sit) -> None:
    t = sit(2)
    die(t, 0, BLUE)
    cup(t, 0, BLACK)
    assert t.state.question is not None
    assert t.state.question.title == "That is a black cup"
    t.press(OK)
    assert t.game.open_colour is MemoColour.BLACK
    cup(t, 0, BLACK)
    assert t.game.cup_row[0].colour is MemoColour.BLACK


def test_the_golden_cup_too_early_is_no_move(sit: Sit) -> None:
    t = sit(2)
    die(t, 0, BLUE)
    cup(t, 0, 0)
    assert t.game.phase is Phase.LOOK
    assert t.state.notice == "A blue cup goes over this die"


def test_a_colour_pressed_before_the_reading_counts(sit: Sit) -> None:
    t = sit(2)
    t.press(RED_KEY)
    die(t, 0, RED)
    cup(t, 0, RED)
    assert len(t.game.cup_row) == 1
    assert t.game.active_seat == B
    die(t, 1, BLUE)
    assert t.game.open_colour is MemoColour.BLUE


def test_a_missed_die_is_asked_for_and_the_next_one_waits(sit: Sit) -> None:
    t = sit(2)
    die(t, 1, BLUE)
    assert t.game.cup_row == ()
    assert t.state.notice == "The camera saw a die more than is entered: press what is missing"
    t.press(Button.SEAT3)
    assert [c.colour for c in t.game.cup_row] == [MemoColour.BLACK]
    assert t.game.open_colour is MemoColour.BLUE


def test_a_camera_that_starts_mid_row_continues_from_there(sit: Sit) -> None:
    t = sit(2)
    covered(t, RED, BLUE)
    t.restart()
    die(t, 0, BLACK)
    assert t.game.open_colour is MemoColour.BLACK
    cup(t, 0, BLACK)
    assert len(t.game.cup_row) == 3


def test_a_recoloured_cup_is_asked_about(sit: Sit) -> None:
    t = sit(2)
    covered(t, RED, BLUE)
    cup(t, 0, BLACK)
    assert t.state.question is not None
    t.press(PLUS)
    assert t.game.cup_row[0].colour is MemoColour.BLACK


def test_cups_lifted_out_of_turn_are_reported_and_reveal_nothing(sit: Sit) -> None:
    t = sit(2)
    covered(t, RED, BLUE)
    lift(t, 0)
    assert t.state.notice == "Cup 1 was lifted too early: put it back"
    covered(t, RED, RED, RED)
    lift(t, 2)
    assert t.state.notice == "Cup 3 was lifted, but cup 1 is next: put it back"
    assert t.state.die_picture is None


def test_an_uncertain_lift_reveals_nothing(sit: Sit) -> None:
    t = sit(2)
    covered(t, RED, RED, RED, RED)
    lift(t, 0, 0.8)
    assert not t.game.cup_lifted
    assert t.state.die_picture is None


def title(t: TableUnderTest) -> str | None:
    return t.state.question and t.state.question.title


@pytest.mark.parametrize(("confidence", "is_certain"), [(0.9, True), (0.89, False)])
def test_from_a_confidence_of_0_9_on_a_reading_is_certain(sit: Sit, confidence: float, is_certain: bool) -> None:
    t = sit(2)
    die(t, 0, RED, confidence, (BLUE,))
    assert (t.game.open_colour is not None, title(t)) == ((True, None) if is_certain else (False, "Is it red?"))
    t = sit(2)
    cup(t, 0, RED, confidence)
    assert len(t.game.cup_row) == is_certain
    t = sit(2)
    covered(t, RED, RED, RED, RED)
    cup(t, 0, BLACK, confidence)
    assert title(t) == ("Cup 1 is black?" if is_certain else None)
    t.press(OK)
    lift(t, 0, confidence)
    assert t.game.cup_lifted == is_certain


# Dice again -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("button", "colour"), [(OK, BLUE), (PLUS, BLACK)])
def test_an_open_die_that_shows_another_colour_is_asked_about(sit: Sit, button: Button, colour: int) -> None:
    t = sit(2)
    die(t, 0, BLUE)
    die(t, 0, BLUE)
    assert title(t) is None, "it is the same"
    die(t, 0, BLACK)
    assert title(t) == "Is the die black now?"
    t.press(button)
    assert (t.game.open_colour, title(t)) == (colour, None)


def test_an_open_die_that_can_have_no_other_cup_is_not_asked_about(sit: Sit) -> None:
    """D12, D14."""
    t = sit(2, cups_per_colour=1)
    covered(t, RED)
    die(t, 1, BLUE)
    die(t, 1, RED)
    assert (title(t), t.game.open_colour) == (None, BLUE), "no red cup is left"
    t = sit(2, dice=2)
    covered(t, RED)
    die(t, 1, BLUE)
    die(t, 1, BLACK)
    assert (title(t), t.game.open_colour) == (None, 0), "the last die gets the golden cup"


def test_a_die_entered_by_hand_is_not_asked_about(sit: Sit) -> None:
    """A8: it lies open until the time to look is over."""
    t = sit(2, memorise_seconds=10)
    t.press(RED_KEY)
    die(t, 0, BLUE)
    assert (title(t), t.game.open_colour) == (None, RED)


def test_a_die_elsewhere_does_not_change_the_open_one(sit: Sit) -> None:
    t = sit(2)
    covered(t, RED)
    die(t, 1, BLUE)
    for place in (0, 2):
        die(t, place, BLACK)
        assert (title(t), t.state.notice, t.game.open_colour) == (None, None, BLUE)


def test_it_is_said_how_many_dice_are_missing(sit: Sit) -> None:
    t = sit(2)
    covered(t, RED)
    die(t, 3, BLUE)
    assert t.state.notice == "The camera saw 2 dice more than are entered: press what is missing"


def test_a_camera_that_started_mid_row_counts_on_from_there(sit: Sit) -> None:
    t = sit(2)
    covered(t, RED, BLUE)
    t.restart()
    die(t, 0, BLACK)
    die(t, 0, RED)
    assert title(t) == "Is the die red now?"
    t.press(OK)
    cup(t, 0, BLACK)
    die(t, 2, RED)
    assert t.state.notice == "The camera saw a die more than is entered: press what is missing"


def test_in_each_round_the_camera_counts_from_the_first_die(sit: Sit) -> None:
    t = sit(2, dice=3)
    covered(t, RED)
    t.restart()
    for place, colour in enumerate((BLUE, 0)):
        die(t, place, BLUE)
        cup(t, place, colour)
    for place in range(2):
        t.press(OK)
        lift(t, place)
        assert t.game.cup_lifted, "the row goes on from the cup before the restart"
    t.press(OK, OK)
    assert (t.game.phase, t.game.round_number) == (Phase.COVER, 2)
    die(t, 0, BLACK)
    assert (t.state.notice, t.game.open_colour) == (None, BLACK)


def test_a_question_about_a_colour_has_one_answer_for_each_button(sit: Sit) -> None:
    t = sit(2)
    die(t, 0, BLUE, 0.7, (BLUE, BLACK, RED))
    answers = [(offer.input, offer.label) for offer in t.referee.list_offers()]
    assert answers == [
        (ConsolePress.OK, "Blue"),
        (ConsolePress.PLUS, "Black"),
        (NumberPress(6), "Red"),
        (NumberPress(1), "Blue"),
        (NumberPress(3), "Black"),
        (ConsolePress.NO, "No die"),
    ]


def test_two_colours_without_a_cup_need_no_question(sit: Sit) -> None:
    """D14: the golden cup covers the die in both cases."""
    t = sit(2, cups_per_colour=1)
    covered(t, RED, BLUE)
    die(t, 2, RED, 0.5, (BLACK,))
    assert title(t) == "Is it red?"
    t.press(NO)
    die(t, 2, RED, 0.5, (BLUE,))
    assert (title(t), t.game.open_colour) == (None, 0)


def test_a_reading_without_a_picture_stores_none(sit: Sit) -> None:
    t = sit(2)
    t.send(DieShown(0, RED, 0.98, t.clock.now))
    assert t.game.open_colour is MemoColour.RED
    assert not (t.journal.path.parent / PICTURES_FOLDER).exists()


# Cups again -------------------------------------------------------------------------------------------------------


def test_a_cup_of_uncertain_colour_is_the_one_expected(sit: Sit) -> None:
    t = sit(2)
    die(t, 0, BLUE)
    cup(t, 0, BLACK, 0.5)
    assert (title(t), [c.colour for c in t.game.cup_row]) == (None, [MemoColour.BLUE])


def test_a_cup_elsewhere_does_not_cover_the_open_die(sit: Sit) -> None:
    t = sit(2)
    die(t, 0, BLUE)
    cup(t, 1, BLUE)
    assert (t.game.cup_row, t.state.notice) == ((), None)


@pytest.mark.parametrize("seconds", [0, 10])
def test_a_cup_over_a_die_that_was_not_read_tells_its_colour(sit: Sit, seconds: int) -> None:
    """D13, D14; A8: nobody has to wait for the end of the time to look."""
    t = sit(2, dice=2, memorise_seconds=seconds)
    cup(t, 0, BLUE)
    cup(t, 1, 0)
    assert [c.colour for c in t.game.cup_row] == [MemoColour.BLUE, MemoColour.GOLD]


def test_a_cup_that_cannot_come_next_is_ignored(sit: Sit) -> None:
    """D12, D14, D20: no cup of its colour is left, it is no time for gold, or the row is complete."""
    t = sit(2, cups_per_colour=1, dice=3)
    cup(t, 0, 0)
    assert t.game.cup_row == ()
    covered(t, RED)
    cup(t, 1, RED)
    assert (len(t.game.cup_row), title(t), t.state.notice) == (1, None, None)
    covered(t, BLUE, RED)
    cup(t, 3, BLUE)
    assert (len(t.game.cup_row), title(t), t.state.notice) == (3, None, None)


def test_the_cup_that_is_expected_is_named_if_the_other_one_cannot_be_meant(sit: Sit) -> None:
    """D12, D14."""
    t = sit(2, cups_per_colour=1, dice=3)
    covered(t, RED)
    die(t, 1, BLUE)
    cup(t, 1, RED)
    assert (title(t), t.state.notice) == (None, "A blue cup goes over this die")
    cup(t, 1, BLUE)
    die(t, 2, BLACK)
    cup(t, 2, BLACK)
    assert (title(t), t.state.notice) == (None, "The golden cup goes over this die")


def test_only_a_cup_that_is_down_and_has_another_colour_is_asked_about(sit: Sit) -> None:
    """D40."""
    t = sit(2, dice=3)
    covered(t, RED, BLUE, RED)
    for place, colour in ((1, BLUE), (1, 0), (2, BLACK)):
        cup(t, place, colour)
        assert title(t) is None, "the same cup, or the golden one"
    cup(t, 1, BLACK)
    assert title(t) == "Cup 2 is black?"
    t.press(OK)
    assert t.game.cup_row[1].colour is MemoColour.BLUE
    t.press(OK)
    cup(t, 0, BLACK)
    assert title(t) is None, "somebody has it"


def test_cups_that_were_lifted_before_are_no_news(sit: Sit) -> None:
    t = sit(2, dice=3)
    covered(t, RED, RED, RED)
    t.press(OK)
    lift(t, 0)
    lift(t, 3)
    assert (t.game.cup_lifted, t.state.notice) == (False, None)
    t.press(OK, OK)
    assert t.game.phase is Phase.SCORED
    lift(t, 1)
    lift(t, 3)
    assert t.state.notice is None


# Secrets ----------------------------------------------------------------------------------------------------------


def test_a_face_is_shown_when_its_cup_is_lifted_and_never_before(sit: Sit) -> None:
    t = sit(2)
    for place in range(4):
        die(t, place, RED)
        assert t.state.die_picture is None
        cup(t, place, RED if place < 3 else 0)
        assert t.state.die_picture is None
    lift(t, 0)
    assert t.state.die_picture == DiePicture(1, picture(1))
    t.press(OK)
    assert t.state.die_picture == DiePicture(1, picture(1)), "until the next cup is lifted"
    t.press(OK)
    assert t.state.die_picture == DiePicture(2, picture(11)), "lifted, though the camera did not see it"
    t.hold(NO)
    assert t.state.die_picture == DiePicture(1, picture(1)), "cup 2 is down again"


def test_a_face_survives_a_restart(sit: Sit) -> None:
    t = sit(2)
    covered(t, RED, RED, RED, RED)
    lift(t, 0)
    t.restart()
    assert t.state.die_picture == DiePicture(1, picture(1))


def test_pictures_are_private_and_in_the_games_folder(sit: Sit) -> None:
    t = sit(2)
    covered(t, RED, BLUE)
    folder = t.journal.path.parent / PICTURES_FOLDER / t.journal.get_game(t.saved_game.id).uid
    files = sorted(folder.iterdir())
    assert [f.name for f in files] == ["1-1.jpg", "1-2.jpg"]
    assert {stat.S_IMODE(f.stat().st_mode) for f in files} == {0o600}
    assert {stat.S_IMODE(f.stat().st_mode) for f in (folder, folder.parent)} == {0o700}


@pytest.mark.parametrize("colour", [BLUE, BLACK])
def test_games_that_differ_only_under_the_golden_cup_have_equal_journals_and_screens(
    sit: Sit, colour: int, caplog: pytest.LogCaptureFixture
) -> None:
    """D12: the last die is covered with gold; neither journal nor screen reveal its face."""
    caplog.set_level(0)

    def session(last: int) -> tuple[object, ...]:
        t = sit(2)
        covered(t, RED, BLUE, BLACK, RED, BLUE, BLACK, RED, BLUE)
        die(t, 8, last)
        cup(t, 8, 0)
        lines = tuple(t.saved_game.describe_steps())
        moves = [e.what.model_dump_json() for e in t.journal.read_entries(t.saved_game.id)]
        return t.game, lines, moves, t.state.die_picture, t.state.prompt, t.state.last_move

    assert session(RED) == session(colour)
    assert "JPEG" not in caplog.text
    assert repr(picture(81)) not in caplog.text


def test_the_repr_of_an_event_contains_no_picture() -> None:
    assert "xff" not in repr(DieShown(0, RED, 0.9, 0.0, (), picture(1)))
    assert "xff" not in repr(DiePicture(1, picture(1)))


def test_the_camera_picture_is_never_on_the_screen(sit: Sit) -> None:
    t = sit(2)
    covered(t, RED)
    assert t.state.camera_view.reading is None
    assert getattr(t.state.camera_view, "frame", None) is None


def test_swapped_cups_show_their_own_faces(sit: Sit) -> None:
    t = sit(2)
    covered(t, RED, BLUE, RED, RED, RED)
    t.saved_game.correct(Correction("swap", None, (1,)))
    lift(t, 0)
    assert t.state.die_picture == DiePicture(1, picture(12))


def test_a_die_that_was_knocked_over_reveals_nothing(sit: Sit) -> None:
    t = sit(2)
    covered(t, RED, RED, RED, RED)
    t.saved_game.correct(Correction.from_stored("unknown 1", None, (1,)))
    lift(t, 0)
    assert t.game.cup_lifted
    assert t.state.die_picture is None


def test_a_full_disk_costs_only_the_picture(sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    t = sit(2)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    die(t, 0, RED)
    monkeypatch.undo()
    assert t.game.open_colour is MemoColour.RED
    assert t.state.notice == (
        "The picture of this die could not be kept (No space left on device). The game goes on without it."
    )
    cup(t, 0, RED)
    covered(t, RED, RED, RED)
    lift(t, 0)
    assert t.state.die_picture is None
    t.press(OK)
    lift(t, 1)
    assert t.state.die_picture == DiePicture(2, picture(11))


def test_a_die_rolled_again_has_its_new_face(sit: Sit) -> None:
    t = sit(2)
    die(t, 0, RED)
    t.hold(NO)
    t.send(DieShown(0, BLUE, 0.99, t.clock.now, (), picture(99)))
    cup(t, 0, BLUE)
    covered(t, BLUE, BLUE, BLUE)
    lift(t, 0)
    assert t.state.die_picture == DiePicture(1, picture(99))


def test_a_die_entered_by_hand_has_no_picture(sit: Sit) -> None:
    t = sit(2, dice=3)
    covered(t, RED)
    t.press(RED_KEY)
    die(t, 2, RED)
    cup(t, 2, 0)
    t.press(OK)
    assert t.state.die_picture == DiePicture(1, picture(1))
    t.press(OK)
    assert t.state.die_picture is None


def test_a_picture_stays_on_the_screen_if_its_file_is_lost(sit: Sit) -> None:
    t = sit(2, dice=2)
    covered(t, RED, BLUE)
    lift(t, 0)
    assert t.state.die_picture == DiePicture(1, picture(1))
    folder = t.journal.path.parent / PICTURES_FOLDER / t.journal.get_game(t.saved_game.id).uid
    for file in folder.iterdir():
        file.unlink()
    assert t.state.die_picture == DiePicture(1, picture(1))
