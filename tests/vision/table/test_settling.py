"""From readings at rest to events, reading by reading: no picture is needed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.events import LidCovered, TokenPlaced, TokenTaken
from companion.vision.frames.view_shift import ViewShift
from companion.vision.reading import Die, Lid, LidWindow
from companion.vision.table.settling import DiceSettler, SettledReading, TokenSettler, reading_confidence, sorted_values

CORNERS = ((0.0, 0.0), (400.0, 0.0), (400.0, 400.0), (0.0, 400.0))
Faces = tuple[int | None, ...]
ALL: Faces = (1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6)


def die(value: int, x: float, y: float = 100.0, sure: float = 0.99, *, tilted: bool = False) -> Die:
    """A die of 40 pixels with its middle at x, y."""
    return Die(value, (x - 20, y - 20, x + 20, y + 20), sure, tilted=tilted)


def rest(steady: DiceSettler, *dice: Die, looks: int = 8, **how: bool) -> SettledReading | None:
    """The verdict on dice that lie so; None: none within so many looks."""
    steady.reset()
    for at in range(looks):
        verdict = steady.add_reading(dice, float(at), **how)
        if verdict is not None:
            return verdict
    return None


def begun(*dice: Die) -> DiceSettler:
    """After the first rest, with these dice lying there."""
    steady = DiceSettler()
    first = rest(steady, *dice)
    assert first == SettledReading(None, is_unsure=False)
    return steady


def told(verdict: SettledReading | None) -> tuple[int, ...] | None:
    assert verdict is not None
    return None if verdict.event is None else verdict.event.values


class TestDice:
    def test_two_agreeing_looks_make_one_event(self) -> None:
        steady = begun(die(1, 100), die(2, 300))
        steady.reset()
        assert steady.add_reading((die(6, 150), die(3, 250)), 1.0) is None
        verdict = steady.add_reading((die(6, 150), die(3, 250)), 1.1)
        assert verdict is not None
        assert verdict.event is not None
        assert (verdict.event.values, verdict.event.at, verdict.is_unsure) == ((3, 6), 1.1, False)

    def test_dice_where_they_lay_are_no_throw_though_read_otherwise(self) -> None:
        steady = begun(die(1, 100), die(2, 300))
        assert told(rest(steady, die(1, 101), die(5, 299))) is None

    def test_pushed_dice_are_no_throw_and_thrown_ones_with_the_same_faces_are(self) -> None:
        steady = begun(die(1, 100), die(2, 300))
        assert told(rest(steady, die(1, 100), die(2, 340))) is None
        assert told(rest(steady, die(1, 200), die(2, 100, 200))) == (1, 2)

    def test_unsure_dice_are_told_after_patience_and_as_such(self) -> None:
        steady = begun(die(1, 100), die(2, 300))
        verdict = rest(steady, die(4, 150, sure=0.6), die(3, 220))
        assert told(verdict) == (3, 4)
        assert verdict is not None
        assert verdict.is_unsure

    def test_a_leaning_die_is_never_sure_and_waited_for_where_asked(self) -> None:
        leaning = die(4, 150, tilted=True)
        assert reading_confidence([leaning]) < 0.9
        steady = begun(die(1, 100), die(2, 300))
        assert rest(steady, leaning, die(3, 220), wait_for_tilted=True) is None
        assert steady.waits_for_tilted
        assert told(rest(steady, die(4, 150), die(3, 220), wait_for_tilted=True)) == (3, 4)

    def test_what_was_unsure_at_the_start_is_a_part_of_the_table(self) -> None:
        steady = DiceSettler()
        screw = die(1, 50, sure=0.5)
        rest(steady, screw, die(2, 300))
        assert told(rest(steady, screw, die(5, 200))) == (5,)

    def test_a_view_that_moved_takes_what_is_known_along(self) -> None:
        steady = begun(die(1, 100), die(2, 300))
        steady.apply_shift(ViewShift(np.array([[1.0, 0, 60], [0, 1, 0], [0, 0, 1]]), 640, 360))
        assert told(rest(steady, die(1, 160), die(2, 360))) is None

    def test_emptied_is_told_once(self) -> None:
        steady = begun(die(1, 100), die(2, 300))
        assert told(rest(steady)) == ()
        assert told(rest(steady)) is None

    def test_values_are_sorted_and_no_dice_are_surely_none(self) -> None:
        assert sorted_values([die(5, 0), die(2, 50)]) == (2, 5)
        assert reading_confidence([]) == 1.0


def lid(faces: Faces, hidden: tuple[int, ...] = (), sure: float = 0.99) -> Lid:
    """A lid with these tokens (None: open); `hidden` windows are below a hand."""
    windows = tuple(
        LidWindow(
            (40.0 * i, 50.0), 15.0, None if i in hidden else face is not None, None if i in hidden else face, sure
        )
        for i, face in enumerate(faces)
    )
    return Lid(CORNERS, None, windows)


def without(*taken: int) -> Faces:
    return tuple(None if i in taken else face for i, face in enumerate(ALL))


def see(steady: TokenSettler, seen: Lid, at: float = 5.0) -> list[object]:
    steady.reset()
    for _ in range(6):
        events = steady.add_reading(seen, at)
        if events is not None:
            return list(events)
    pytest.fail("no verdict")


class TestTokens:
    def test_a_token_taken_is_told_with_its_number_and_put_back_makes_the_lid_ready(self) -> None:
        steady = TokenSettler()
        assert see(steady, lid(ALL)) == []
        assert see(steady, lid(without(3))) == [TokenTaken(3, 4, 0.99, 5.0)]
        assert see(steady, lid(ALL), 6.0) == [TokenPlaced(3, 4, 0.99, 6.0), LidCovered(6.0)]

    def test_what_a_hand_hides_stays_as_it_was(self) -> None:
        steady = TokenSettler()
        see(steady, lid(ALL))
        assert see(steady, lid(without(3), hidden=(3, 4))) == []
        assert see(steady, lid(without(3))) == [TokenTaken(3, 4, 0.99, 5.0)]

    def test_one_look_is_not_enough_and_two_that_differ_decide_nothing(self) -> None:
        steady = TokenSettler()
        see(steady, lid(ALL))
        steady.reset()
        assert steady.add_reading(lid(without(3)), 1.0) is None
        assert steady.add_reading(lid(ALL), 1.1) is None
        assert steady.add_reading(lid(ALL), 1.2) == []

    def test_a_lid_turned_and_misjudged_makes_no_events(self) -> None:
        """Windows 0, 1 open; then, named otherwise, 6, 7 are open and the others' numbers have traded places."""
        steady = TokenSettler()
        see(steady, lid(ALL))
        see(steady, lid(without(0, 1)))
        turned: Faces = (2, 1, 4, 3, 6, 5, None, None, 4, 3, 6, 5)
        assert see(steady, lid(turned)) == []

    def test_an_unread_number_does_not_wipe_the_known_one(self) -> None:
        steady = TokenSettler()
        see(steady, lid(ALL))
        seen = lid(ALL)
        unread = replace(seen, windows=(replace(seen.windows[0], number=None), *seen.windows[1:]))
        see(steady, unread)
        assert steady.windows[0].number == 1

    def test_whether_all_is_as_before(self) -> None:
        steady = TokenSettler()
        see(steady, lid(ALL))
        assert steady.is_unchanged(lid(ALL))
        assert not steady.is_unchanged(lid(without(2)))
        assert not steady.is_unchanged(lid(ALL, hidden=(2,)))
        assert not steady.is_unchanged(lid((2, *ALL[1:])))
