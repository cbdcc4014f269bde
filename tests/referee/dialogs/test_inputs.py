"""The dialogs in which numbers and names are entered, key by key."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from companion.api import Command, ConsolePress, Correctable, Correction, Input, Move, NumberPress, ValueRange
from companion.referee.dialogs import name_input
from companion.referee.dialogs.amount_input import AmountInput
from companion.referee.dialogs.base import Answer, Dialog, ListMenu, Step, open_numbered_menu
from companion.referee.dialogs.inputs import (
    CountsInput,
    DigitsInput,
    NumberInput,
    RowInput,
    open_number_correction,
)
from companion.referee.dialogs.name_input import MAX_NAME_LENGTH, NameInput, list_key_letters
from companion.screen_state import Menu, Question

DONE = Move("done")


def answers(dialog: Dialog) -> dict[Input, Answer]:
    return {answer.input: answer for answer in dialog.list_answers()}


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


@pytest.mark.parametrize(
    ("low", "amount", "keys"),
    [(-10, 0, {1: 1, 2: 2, 3: 5, 4: 10}), (-10, -8, {1: -9, 2: -10}), (-3, -2, {1: -3}), (-3, 8, {1: 9, 2: 10})],
)
def test_an_amount_is_added_up_to_either_limit_and_not_beyond(low: int, amount: int, keys: dict[int, int]) -> None:
    points = Move("score", value_range=ValueRange(1, low, 10))
    offered = answers(AmountInput("Points", points, abs(amount), is_negative=amount < 0))
    reached = {key.number: answer.step for key, answer in offered.items() if isinstance(key, NumberPress)}
    assert {key: step.value for key, step in reached.items() if isinstance(step, AmountInput)} == keys


@pytest.mark.parametrize(
    ("high", "labels"),
    [
        (999, ["+1", "+2", "+5", "+10", "+20", "+50", "+100"]),
        (9999, ["+1", "+5", "+10", "+50", "+100", "+500", "+1000"]),
        (999_999, ["+1", "+10", "+100", "+1000", "+5000", "+10000", "+100000"]),
    ],
)
def test_the_larger_an_amount_may_be_the_more_the_keys_add(high: int, labels: list[str]) -> None:
    listed = AmountInput("Points", Move("score", value_range=ValueRange(1, 0, high))).list_answers()
    assert [answer.label for answer in listed if answer.label.startswith("+")] == labels


@pytest.mark.parametrize(("amount", "can_be_taken_away"), [(3, True), (4, False)])
def test_an_amount_gets_a_minus_only_within_the_limits(amount: int, can_be_taken_away: bool) -> None:
    offered = answers(AmountInput("Points", Move("score", value_range=ValueRange(1, -3, 10)), amount))
    assert (ConsolePress.MINUS in offered) is can_be_taken_away


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("zoë", "Zoë"),
        ("ßa", "ßa"),
        ("anna maria", "Anna maria"),
        (" -'a", "A"),
        ("a  b--c", "A b-c"),
        ("a1+b", "Ab"),
        ("abc\b\bd", "Ad"),
        ("abcdefghijklmnopq", "Abcdefghijklmnop"),
    ],
)
def test_a_name_is_typed_on_a_keyboard(typed: str, name: str) -> None:
    """Marks stand between letters, and 16 characters are the most."""
    dialog = replace(NameInput("New name", lambda written: Move(written)), open_key=3)
    for each in typed:
        dialog = dialog.type_character(each)
    assert (dialog.written, dialog.open_key) == (name, None)
    assert press(dialog, ConsolePress.OK) == Move(name)


def test_a_name_is_typed_letter_by_letter() -> None:
    name = NameInput("New name", lambda written: Move(written))
    assert ConsolePress.OK not in answers(name), "a name has a letter"
    assert not any(answer.awaited for answer in name.list_answers())
    typed = press(name, NumberPress(1), NumberPress(1), ConsolePress.PLUS, NumberPress(1))
    assert isinstance(typed, NameInput)
    assert typed.written == "Ba"
    assert answers(typed)[ConsolePress.OK].awaited is True
    assert press(typed, ConsolePress.MINUS, ConsolePress.OK) == Move("B")


def type_all_letters(key: int, count: int, written: str = "") -> list[str]:
    """Press a number key until it has begun again, and return the letter after each press."""
    name: Step = NameInput("New name", lambda written: Move(written), written)
    typed = []
    for _ in range(count + 1):
        name = press(name, NumberPress(key))
        assert isinstance(name, NameInput)
        typed.append(name.written.removeprefix(written))
    return typed


def test_each_letter_of_a_key_follows_the_one_before_and_the_last_is_followed_by_the_first() -> None:
    for number, letters in enumerate(list_key_letters(), 1):
        assert type_all_letters(number, len(letters)) == [*letters, letters[0]]


def test_the_last_key_has_the_letters_of_the_language(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turkish has a letter whose small one is two characters; a translator may put spaces between the letters."""
    monkeypatch.setattr(name_input, "_", lambda _message: "Ç İ ßÇ")
    assert list_key_letters()[-1] == "ZÇİß-'"
    assert type_all_letters(6, 6, "A") == [*"zçİß-'", "z"]


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
    labels = [answer.label for answer in answers_of(press(counts, NumberPress(2)))]
    assert labels[-2:] == ["2: more", "2: less"]


def answers_of(dialog: Step) -> Sequence[Answer]:
    assert isinstance(dialog, Dialog)
    return dialog.list_answers()


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


def test_a_line_marks_where_the_next_letter_goes() -> None:
    name: Step = NameInput("New name", lambda written: Move(written))
    shown = []
    for each in (None, NumberPress(3), ConsolePress.PLUS, NumberPress(1), ConsolePress.MINUS, ConsolePress.MINUS):
        name = press(name, each) if each else name
        assert isinstance(name, NameInput)
        shown.append(name.question)
    assert shown == [Question(text, "New name") for text in ("_", "K", "K_", "Ka", "K_", "_")]


def test_a_name_has_at_most_sixteen_letters() -> None:
    name: Step = NameInput("New name", lambda written: Move(written))
    for number in range(16):
        name = press(name, NumberPress(1 + number % 2))
    assert press(name, ConsolePress.OK) == Move("A" + "fa" * 7 + "f")
    assert press(name, NumberPress(1)) == name


def type_text(text: str) -> NameInput:
    dialog = NameInput("New name", lambda written: Move(written))
    for character in text:
        dialog = dialog.type_character(character)
    return dialog


@pytest.mark.parametrize(
    ("typed", "written"),
    [("zoe\u0308", "Zo\u00eb"), ("\u0308ada", "Ada"), ("ada\u200b\u202e", "Ada"), ("a-\u0308b", "A-b")],
)
def test_marks_go_with_their_letters(typed: str, written: str) -> None:
    assert type_text(typed).written == written


def test_vowel_signs_are_part_of_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are no letters for Python, and names in Thai cannot do without; one letter may have two of them."""
    monkeypatch.setattr(name_input, "find_undrawable", lambda _text: "")
    for name in ("\u0e01\u0e34\u0e48\u0e07", "\u0bae\u0bbe\u0bb2\u0bbe", "\u0e01\u0e34 \u0e07-\u0e01"):
        assert type_text(name).written == name


def test_a_letter_that_no_font_has_is_refused_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(name_input, "find_undrawable", lambda text: text if text == "\u0645" else "")
    dialog = type_text("ad\u0645")
    assert (dialog.written, dialog.question.detail) == ("Ad", "No font here has this letter: write it otherwise")
    assert dialog.type_character("a").question.detail == "New name"
