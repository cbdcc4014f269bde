"""The dialogs in which numbers are entered, key by key."""

from collections.abc import Sequence
from typing import Any

import pytest

from companion.api import ConsolePress, Correctable, Correction, Input, Move, NumberPress, ValueRange
from companion.referee.dialogs.base import Dialog, ListMenu, Step, open_numbered_menu
from companion.referee.dialogs.number_inputs import (
    CountsInput,
    DigitsInput,
    NumberInput,
    RowInput,
    open_number_correction,
)
from companion.screen_state import Menu, Question
from tests.referee.dialogs.answering import answers, press

DONE = Move("done")


def _be_done(_values: tuple[int, ...]) -> Step:
    return DONE


def row(low: int, high: int, values: Sequence[int] = (1, 2)) -> RowInput:
    return RowInput("Tokens", ("first", "second"), tuple(values), low, high, _be_done)


@pytest.mark.parametrize(
    ("low", "high", "keys"), [(0, 9, (1, 2, 3, 4, 5, 6)), (1, 3, (1, 2, 3)), (3, 4, (3, 4)), (-2, 1, (1,)), (-3, 0, ())]
)
def test_a_row_has_the_number_keys_of_its_range(low: int, high: int, keys: tuple[int, ...]) -> None:
    assert tuple(each.number for each in answers(row(low, high)) if isinstance(each, NumberPress)) == keys


def test_a_row_steps_within_its_range_and_is_done_after_its_last_number() -> None:
    at_the_top = row(0, 2, (2, 0))
    assert ConsolePress.PLUS not in answers(at_the_top)
    assert press(at_the_top, ConsolePress.MINUS) == row(0, 2, (1, 0))
    second = press(at_the_top, NumberPress(1), ConsolePress.OK)
    assert isinstance(second, RowInput)
    assert (second.values, second.selected) == ((1, 0), 1)
    assert ConsolePress.MINUS not in answers(second)
    assert press(second, ConsolePress.NO) == row(0, 2, (1, 0))
    assert press(second, ConsolePress.OK) == DONE
    assert [answers(each)[ConsolePress.OK].awaited for each in (at_the_top, second)] == [True, True]


@pytest.mark.parametrize(
    ("labels", "keys"), [(("short", "words"), ("Short", "Words")), (("short", "w" * 40), ("Line 1", "Line 2"))]
)
def test_the_number_keys_of_a_menu_say_their_line_where_its_label_is_too_long(
    labels: tuple[str, str], keys: tuple[str, str]
) -> None:
    menu = open_numbered_menu("Menu", [(label, Move(label)) for label in labels])
    assert isinstance(menu, ListMenu)
    found = {each.number: answer.label for each, answer in answers(menu).items() if isinstance(each, NumberPress)}
    assert found == dict(enumerate(keys, 1))
    assert press(menu, NumberPress(2)) == Move(labels[1])
    assert press(menu, ConsolePress.MINUS, ConsolePress.OK) == Move(labels[1]), "from the first line up to the last"


def test_a_menu_moves_line_by_line_and_round_its_ends() -> None:
    menu = ListMenu("Menu", tuple((letter, Move(letter)) for letter in "abc"))
    assert press(menu, ConsolePress.OK) == Move("a")
    assert press(menu, ConsolePress.MINUS, ConsolePress.OK) == Move("b")
    assert press(menu, ConsolePress.PLUS, ConsolePress.OK) == Move("c")
    assert press(menu, *[ConsolePress.MINUS] * 3) == menu
    assert press(menu, ConsolePress.NO) is None


def show_value(dialog: Step) -> str | None:
    assert isinstance(dialog, Dialog)
    assert dialog.menu is not None
    return dialog.menu.value


def _choose(value: float) -> Step:
    return Move(f"chosen {value}")


@pytest.mark.parametrize(
    ("value", "settings", "button", "expected"),
    [
        (2, {}, ConsolePress.PLUS, 3),
        (2, {}, ConsolePress.MINUS, 1),
        (2, {"step": 2}, ConsolePress.PLUS, 4),
        (4, {"step": 2}, ConsolePress.PLUS, 5),
        (1, {"step": 2}, ConsolePress.MINUS, 0),
    ],
)
def test_a_number_is_stepped_and_stops_at_its_ends(
    value: int, settings: dict[str, Any], button: ConsolePress, expected: int
) -> None:
    stepped = press(NumberInput("Seconds", value, 0, 5, _choose, **settings), button)
    assert isinstance(stepped, NumberInput)
    assert stepped.menu == Menu("Seconds", (), 0, str(expected))
    assert press(stepped, ConsolePress.OK) == Move(f"chosen {expected}")


def test_a_correction_shows_the_words_of_its_values_and_enters_only_a_change() -> None:
    target = Correctable("level", None, (2,), ValueRange(1, 1, 3))
    level = open_number_correction("Level", target, ("low", "middle", "high"))
    assert show_value(level) == "Middle"
    assert show_value(press(level, ConsolePress.PLUS)) == "High"
    assert show_value(press(level, ConsolePress.MINUS)) == "Low"
    assert press(level, ConsolePress.MINUS).menu.note == "was middle"
    assert show_value(open_number_correction("Level", target)) == "2"
    assert press(level, ConsolePress.OK) is None
    assert press(level, ConsolePress.PLUS, ConsolePress.OK) == Correction("level", None, (3,))


def test_a_correction_goes_by_the_step_of_its_values() -> None:
    change = open_number_correction("Points", Correctable("change", None, (0,), ValueRange(1, -5000, 5000, (), 100)))
    assert show_value(press(change, ConsolePress.PLUS)) == "100"
    assert change.jumps == (-1000, -100, 100, 1000)


def test_each_count_is_stepped_by_its_own_key_and_the_last_one_by_plus_and_minus() -> None:
    target = Correctable("stock", None, (1, 2, 3), ValueRange(3, 1, 3))
    counts = CountsInput("Stock", target, (1, 2, 3))
    assert counts.question == Question("Stock", "1: 1 · 2: 2 · 3: 3")
    assert press(counts, ConsolePress.OK) is None, "nothing was changed"

    def after(*inputs: Input) -> tuple[int, ...]:
        correction = press(counts, *inputs, ConsolePress.OK)
        assert isinstance(correction, Correction)
        return correction.value

    assert after(NumberPress(2)) == (1, 3, 3)
    assert after(NumberPress(3)) == (1, 2, 1), "after the highest comes the lowest"
    assert after(ConsolePress.PLUS) == (2, 2, 3)
    assert after(ConsolePress.MINUS) == (3, 2, 3), "before the lowest comes the highest"
    assert after(NumberPress(2), ConsolePress.MINUS, ConsolePress.MINUS) == (1, 1, 3)
    assert after(NumberPress(3), ConsolePress.PLUS) == (1, 2, 2)
    labels = [answer.label for answer in answers(press(counts, NumberPress(2))).values()]
    assert labels[-2:] == ["2: more", "2: less"]


@pytest.mark.parametrize(
    ("target", "done"),
    [
        (Move("roll", value_range=ValueRange(2, 1, 6)), Move("roll", None, (3, 6))),
        (Correctable("dice", None, (1, 1), ValueRange(2, 1, 6)), Correction("dice", None, (3, 6))),
    ],
)
def test_numbers_are_entered_one_by_one_and_erased_one_by_one(target: Move | Correctable, done: Step) -> None:
    empty = DigitsInput("Roll", target)
    assert press(empty, ConsolePress.NO) is None
    one = press(empty, NumberPress(3))
    assert one == DigitsInput("Roll", target, (3,))
    assert press(one, ConsolePress.NO) == empty
    assert press(one, NumberPress(6)) == done


def test_of_several_numbers_only_the_last_one_is_erased() -> None:
    roll = DigitsInput("Roll", Move("roll", value_range=ValueRange(3, 1, 6)))
    keys = (NumberPress(1), NumberPress(2), ConsolePress.NO, NumberPress(3), NumberPress(4))
    assert press(roll, *keys) == Move("roll", None, (1, 3, 4))


def test_numbers_outside_the_range_have_no_key() -> None:
    token = DigitsInput("Token", Move("card", value_range=ValueRange(1, 2, 4)))
    assert [each.number for each in answers(token) if isinstance(each, NumberPress)] == [2, 3, 4]


def test_a_row_shows_all_its_numbers_and_the_selected_one_large() -> None:
    assert row(0, 9).menu == Menu("Tokens", ("first", "second  2"), 0, "1")
    second = press(row(0, 9), NumberPress(5), ConsolePress.OK)
    assert isinstance(second, RowInput)
    assert second.menu == Menu("Tokens", ("first  5", "second"), 1, "2")
    assert press(second, ConsolePress.PLUS) == RowInput("Tokens", ("first", "second"), (5, 3), 0, 9, _be_done, None, 1)


def test_each_number_of_a_row_needs_a_label() -> None:
    with pytest.raises(ValueError, match="longer"):
        assert row(0, 9, (1, 2, 3)).menu


def test_in_a_long_row_each_number_follows_the_one_before() -> None:
    first = RowInput("Tokens", ("a", "b", "c"), (0, 0, 0), 0, 9, lambda values: Move("done", None, values))
    keys = [NumberPress(1), ConsolePress.OK, NumberPress(2), ConsolePress.OK, NumberPress(3)]
    assert press(first, *keys, ConsolePress.OK) == Move("done", None, (1, 2, 3))
    assert press(first, *keys, ConsolePress.NO, NumberPress(4), *[ConsolePress.OK] * 2) == Move("done", None, (1, 4, 3))


def test_a_row_goes_back_to_where_it_was_opened_from_its_first_number() -> None:
    menu = ListMenu("Menu", (("a", DONE),))
    first = RowInput("Tokens", ("a", "b"), (0, 0), 0, 9, _be_done, menu)
    assert press(first, ConsolePress.NO) == menu
    assert press(first, ConsolePress.OK, ConsolePress.NO) == first
