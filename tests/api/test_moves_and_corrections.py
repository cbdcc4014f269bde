"""Moves, corrections and what the rules refuse."""

from __future__ import annotations

import pytest

from companion.api import (
    BadCorrection,
    Correctable,
    Correction,
    Move,
    RuleError,
    Seat,
    ValueRange,
)

NAMES = ("Ada", "Bob", "Cleo")


@pytest.mark.parametrize(
    ("error", "log", "screen"),
    [
        (RuleError("M1", "no token is left"), "M1: no token is left", "No token is left"),
        (RuleError("", "set it aside"), "set it aside", "Set it aside"),
        (RuleError("M1", "{braces} stay"), "M1: {braces} stay", "{braces} stay"),
        (RuleError("M1", "at most {n}", n=3), "M1: at most 3", "At most 3"),
        (RuleError("M6", "{who} is away", {"who": Seat(1)}), "M6: seat 1 is away", "Bob is away"),
        (
            RuleError("M24", "only {who}, not {n}", {"who": (Seat(0), Seat(2))}, n=7),
            "M24: only seat 0 or seat 2, not 7",
            "Only Ada or Cleo, not 7",
        ),
        (RuleError("", ""), "", ""),
    ],
)
def test_a_refusal_is_told_by_rule_in_the_log_and_by_names_on_the_screen(
    error: RuleError, log: str, screen: str
) -> None:
    assert (str(error), error.describe(NAMES)) == (log, screen)


@pytest.mark.parametrize(
    ("value", "is_within"),
    [
        ((1, 6), True),
        ((6, 1), True),
        ((0, 3), False),
        ((3, 7), False),
        ((3,), False),
        ((3, 3, 3), False),
        ([3, 3], False),
        ((3, 3.0), False),
        (("3", 3), False),
        (3, False),
    ],
)
def test_a_value_range_holds_tuples_of_whole_numbers(value: object, is_within: bool) -> None:
    assert (value in ValueRange(2, 1, 6)) is is_within


ROLL = Move("roll", Seat(0), value_range=ValueRange(2, 1, 6))


def test_an_open_move_is_completed_with_values_within_its_range() -> None:
    assert ROLL.fill(2, 5) == Move("roll", Seat(0), (2, 5))
    for value in ((2,), (0, 5), (2, 7)):
        with pytest.raises(ValueError, match="does not fit"):
            ROLL.fill(*value)
    with pytest.raises(ValueError, match="does not fit"):
        Move("stop", Seat(0)).fill()


@pytest.mark.parametrize(
    ("listed", "played", "is_allowed"),
    [
        (ROLL, Move("roll", Seat(0), (1, 6)), True),
        (ROLL, Move("roll", Seat(0), (1, 7)), False),
        (ROLL, Move("roll", Seat(1), (1, 6)), False),
        (ROLL, Move("throw", Seat(0), (1, 6)), False),
        (ROLL, ROLL, False),
        (ROLL, Move("roll", Seat(0), (1, 6), ValueRange(2, 1, 6)), False),
        (Move("take", Seat(0), (3,)), Move("take", Seat(0), (3,)), True),
        (Move("take", Seat(0), (3,)), Move("take", Seat(0), (4,)), False),
    ],
)
def test_a_listed_move_allows_itself_or_what_completes_it(listed: Move, played: Move, is_allowed: bool) -> None:
    assert listed.allows(played) is is_allowed


@pytest.mark.parametrize(
    ("stored", "kind", "index"),
    [
        ("dice", "dice", ()),
        ("round 3", "round", (3,)),
        ("round 12", "round", (12,)),
        ("tiles on 9 to 5", "tiles on", (9, 5)),
        ("two words", "two words", ()),
        ("round three", "round three", ()),
    ],
)
def test_a_correction_is_stored_as_kind_and_index(stored: str, kind: str, index: tuple[int, ...]) -> None:
    correction = Correction.from_stored(stored, Seat(1), (7,))
    assert correction == Correction(kind, Seat(1), (7,), index)
    assert correction.stored_kind == stored
    assert Correctable(kind, Seat(1), (7,), ValueRange(1, 0, 9), index).stored_kind == stored


ENTRY = Correctable("round", Seat(1), (4,), ValueRange(1, -3, 9), (2,))


@pytest.mark.parametrize(
    ("correction", "is_about"),
    [
        (Correction("round", Seat(1), (99,), (2,)), True),
        (Correction("game", Seat(1), (4,), (2,)), False),
        (Correction("round", Seat(0), (4,), (2,)), False),
        (Correction("round", Seat(1), (4,), (1,)), False),
    ],
)
def test_an_entry_knows_the_corrections_about_it(correction: Correction, is_about: bool) -> None:
    assert ENTRY.is_about(correction) is is_about


def test_an_entry_makes_corrections_within_its_range() -> None:
    for value in (-3, 4, 9):
        assert ENTRY.make_correction(value) == Correction("round", Seat(1), (value,), (2,))
    for value in (-4, 10):
        with pytest.raises(BadCorrection, match=rf"^round 2: \({value},\) is not within -3 to 9$"):
            ENTRY.make_correction(value)
