"""The dialogs in which numbers and names are entered, key by key."""

from collections.abc import Sequence

import pytest

from companion.games.api.game import Move
from companion.games.api.offers import Command, ConsolePress, Input, NumberPress
from companion.referee.dialogs.base import Answer, Dialog, ListMenu, Step, open_numbered_menu
from companion.referee.dialogs.inputs import KEY_LETTERS, MAX_NAME_LENGTH, NameInput, RowInput

DONE = Move("done")


def answers(dialog: Dialog) -> dict[Input, Answer]:
    return {answer.input: answer for answer in dialog.list_answers()}  # type: ignore[attr-defined]


def press(dialog: Step, *inputs: Input) -> Step:
    for each in inputs:
        assert isinstance(dialog, Dialog)
        offer = next(offer for offer in dialog.list_offers() if offer.input == each)
        dialog = dialog.handle(offer.action) if isinstance(offer.action, Command) else offer.action
    return dialog


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


def test_a_name_is_typed_letter_by_letter() -> None:
    name = NameInput("New name", lambda written: Move(written))
    assert ConsolePress.OK not in answers(name), "a name has a letter"
    assert not any(answer.awaited for answer in name.list_answers())
    typed = press(name, NumberPress(1), NumberPress(1), ConsolePress.PLUS, NumberPress(1))
    assert isinstance(typed, NameInput)
    assert typed.written == "Ba"
    assert answers(typed)[ConsolePress.OK].awaited is True
    assert press(typed, ConsolePress.MINUS, ConsolePress.OK) == Move("B")


def test_each_letter_of_a_key_follows_the_one_before_and_the_last_is_followed_by_the_first() -> None:
    for number, letters in enumerate(KEY_LETTERS, 1):
        name: Step = NameInput("New name", lambda written: Move(written))
        typed = []
        for _ in [*letters, "again"]:
            name = press(name, NumberPress(number))
            assert isinstance(name, NameInput)
            typed.append(name.written)
        assert typed == [*letters, letters[0]]


def test_a_full_name_takes_no_further_letter_but_its_last_one_may_change() -> None:
    name = NameInput("New name", lambda written: Move(written), "A" * (MAX_NAME_LENGTH - 1))
    full = press(name, NumberPress(2))
    assert isinstance(full, NameInput)
    assert len(full.written) == MAX_NAME_LENGTH
    changed = press(full, NumberPress(2))
    assert isinstance(changed, NameInput)
    assert (changed.written[-1], len(changed.written)) == ("g", MAX_NAME_LENGTH)
    assert press(full, NumberPress(1)) == full, "another key would add a letter"
    closed = press(full, ConsolePress.PLUS)
    assert isinstance(closed, NameInput)
    assert not any(isinstance(each, NumberPress) for each in answers(closed))


@pytest.mark.parametrize(
    ("labels", "keys"), [(("short", "words"), ("short", "words")), (("short", "w" * 40), ("Line 1", "Line 2"))]
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
