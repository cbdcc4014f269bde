"""Counting throws: sure readings, questions and answers, keys, and what is left out."""

from __future__ import annotations

import pytest

from companion.commands.dice_test.throws import ThrowCounter
from companion.events import CameraState, CameraStateChanged, DeviceLost, DeviceRestored, DiceRead

GONE = DiceRead((), 1.0, 0.0)


def read(*values: int, confidence: float = 0.99, alternatives: tuple[tuple[int, ...], ...] = ()) -> DiceRead:
    return DiceRead(values, confidence, 0.0, alternatives)


UNSURE = read(5, confidence=0.6, alternatives=((6,),))


def faces(counter: ThrowCounter) -> list[int | None]:
    return [throw.face for throw in counter.throws]


def test_sure_readings_count() -> None:
    counter = ThrowCounter(6, 3)
    assert counter.handle_event(read(4)) == ["   1 of 3: 4"]
    assert counter.handle_event(GONE) == []
    counter.handle_event(read(4))
    assert not counter.is_done
    counter.handle_event(read(1, confidence=0.9))
    assert counter.is_done
    assert counter.counts == (1, 0, 0, 2, 0, 0)
    assert not any(throw.is_entered for throw in counter.throws)


def test_an_unsure_reading_is_asked_about_and_not_guessed() -> None:
    counter = ThrowCounter(6, 3)
    (asked,) = counter.handle_event(UNSURE)
    assert "perhaps 5 or 6" in asked
    assert counter.throws == []
    counter.handle_event(GONE)
    assert counter.question == UNSURE, "the die may be taken up for a look"
    assert counter.handle_keys("6") == ["   1 of 3: 6 (entered)"]
    assert (counter.throws[0].is_entered, counter.throws[0].reading, counter.question) == (True, UNSURE, None)


@pytest.mark.parametrize("values", [(2, 3), (6, 6, 6)])
def test_several_dice_are_asked_about(values: tuple[int, ...]) -> None:
    counter = ThrowCounter(6, 3)
    (asked,) = counter.handle_event(read(*values))
    assert f"{len(values)} dice" in asked
    counter.handle_keys("3")
    assert faces(counter) == [3]


def test_a_new_throw_leaves_out_the_one_that_nobody_answered() -> None:
    counter = ThrowCounter(6, 3)
    counter.handle_event(UNSURE)
    left, counted = counter.handle_event(read(2))
    assert "left out" in left
    assert "1 of 3: 2" in counted
    assert [throw.reading for throw in counter.left_out] == [UNSURE]
    counter.handle_event(UNSURE)
    assert len(counter.handle_event(UNSURE)) == 2
    assert len(counter.finish()) == 1
    assert (len(counter.left_out), faces(counter), counter.is_done) == (3, [2], True)
    assert counter.finish() == []


def test_cocked_dice_can_be_left_out() -> None:
    counter = ThrowCounter(6, 3)
    assert counter.handle_keys("x") == ["There is nothing to leave out."]
    counter.handle_event(UNSURE)
    counter.handle_keys("X")
    assert (counter.question, faces(counter), len(counter.left_out)) == (None, [], 1)


def test_throws_are_taken_back_one_by_one() -> None:
    counter = ThrowCounter(6, 5)
    assert counter.handle_keys("u") == ["There is no throw to take back."]
    counter.handle_event(read(3))
    counter.handle_keys("45")
    assert counter.handle_keys("U") == ["Throw 3 is taken back: it was 5."]
    counter.handle_keys("u")
    assert faces(counter) == [3]
    counter.handle_event(UNSURE)
    counter.handle_keys("u")
    assert (faces(counter), counter.question) == ([3], None), "the question first"


def test_faces_that_the_die_does_not_have_are_refused() -> None:
    counter = ThrowCounter(6, 5)
    assert counter.handle_keys("709") == [f"{face} is no face: the die has 1 to 6." for face in (7, 0, 9)]
    assert "means nothing here" in counter.handle_keys("k")[0]
    assert "means nothing here" in counter.handle_keys("²")[0]
    assert counter.throws == []


def test_numbers_of_more_digits_end_with_a_space_or_enter() -> None:
    counter = ThrowCounter(20, 9)
    assert counter.handle_keys("1") == []
    assert counter.handle_keys("2\n7 ") == ["   1 of 9: 12 (entered)", "   2 of 9: 7 (entered)"]
    assert counter.handle_keys("21 \n 20\n") == ["21 is no face: the die has 1 to 20.", "   3 of 9: 20 (entered)"]
    assert "is no face" in counter.handle_keys("9" * 5000 + " ")[0]
    assert faces(counter) == [12, 7, 20]


def test_nothing_counts_after_the_end() -> None:
    counter = ThrowCounter(6, 2)
    counter.handle_keys("1234")
    assert faces(counter) == [1, 2]
    early = ThrowCounter(6, 5)
    early.handle_keys("1q2")
    assert (faces(early), early.is_done) == ([1], True)


def test_a_lost_or_blind_camera_is_reported() -> None:
    counter = ThrowCounter(6, 5)
    assert "plug it in" in counter.handle_event(DeviceLost("camera", 0.0))[0]
    assert "There is no camera" in counter.handle_event(DeviceLost("camera", 0.0, "There is no camera"))[0]
    assert "back" in counter.handle_event(DeviceRestored("camera", 0.0))[0]
    assert "sees nothing" in counter.handle_event(CameraStateChanged(CameraState.BLIND, 0.0))[0]
    assert counter.handle_event(CameraStateChanged(CameraState.STEADY, 0.0)) == []
