"""The keys of each dialog: which buttons it has, what they say, which lamps blink, and which may be pressed fast."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from companion.api import Command, ConsolePress, Correctable, Input, Move, NumberPress, Seat, SeatPress, ValueRange
from companion.referee.dialogs.base import Dialog, ListMenu, ask_confirmation, ask_question, open_numbered_menu
from companion.referee.dialogs.correction_menu import open_list, open_value_editor
from companion.referee.dialogs.large_picture import CameraDialog
from companion.referee.dialogs.name_input import NameInput
from companion.referee.dialogs.number_inputs import CountsInput, DigitsInput, NumberInput, RowInput
from companion.referee.dialogs.pause_menu import open_pause
from companion.screen_state import Menu, Question

NAMES = ("Ada", "Bob")
DICE = Correctable("dice", None, (2, 5), ValueRange(2, 1, 6))
TOKEN = Correctable("token", None, (3,), ValueRange(1, 1, 6))
TOTAL = Correctable("crystals", Seat(0), (4,), ValueRange(1, 0, 9))
STOCK = Correctable("stock", None, (0, 3), ValueRange(2, 0, 3))
DONE = Move("done")


def describe_input(taken_up_by: Input) -> str:
    match taken_up_by:
        case SeatPress(seat=seat):
            return f"seat {seat}"
        case NumberPress(number=number):
            return str(number)
        case _:
            return str(taken_up_by)


def list_keys(dialog: Dialog) -> list[str]:
    """List the keys as "input: label", with * if its lamp blinks, and + if it may be pressed again at once."""
    return [
        f"{describe_input(offer.input)}: {offer.label}{' *' * offer.awaited}{' +' * offer.repeats}"
        for offer in dialog.list_offers()
    ]


def number(value: int, **settings: object) -> NumberInput:
    return NumberInput("Seconds", value, 0, 5, lambda _value: DONE, **settings)


def row(selected: int) -> RowInput:
    return RowInput("Tokens", ("first", "second"), (1, 2), 1, 2, lambda _values: DONE, selected=selected)


DIGITS = [f"{n}: {n} * +" for n in range(1, 7)]
KEYS: dict[str, tuple[Callable[[], Dialog], list[str]]] = {
    "a question": (
        lambda: ask_question(Question("Is it?"), (ConsolePress.OK, "It is", DONE), (NumberPress(2), "Two", DONE)),
        ["ok: It is *", "2: Two *"],
    ),
    "a confirmation": (lambda: ask_confirmation("Really?", DONE), ["ok: Yes *", "no: No *"]),
    "the pause": (
        lambda: open_pause(),
        ["ok: Continue *", "plus: Leave game", "minus: Fix error", "3: Players", "4: Help"],
    ),
    "the pause with a page": (
        lambda: open_pause(page_address="http://box.local/"),
        ["ok: Continue *", "plus: Leave game", "minus: Fix error", "3: Players", "4: Help", "1: Watch along"],
    ),
    "a menu": (
        lambda: ListMenu("Menu", (("one", DONE), ("two", DONE))),
        ["ok: Select *", "plus: Up +", "minus: Down +", "no: Back"],
    ),
    "a menu of corrections": (
        lambda: open_list([("Dice", DONE)], [(Seat(1), DONE)]),
        ["seat 1: My total", "ok: Select *", "plus: Up +", "minus: Down +", "no: Back"],
    ),
    "a menu with number keys": (
        lambda: open_numbered_menu("Menu", [("one", DONE), ("two", DONE)]),
        ["1: One", "2: Two", "ok: Select *", "plus: Up +", "minus: Down +", "no: Back"],
    ),
    "a number": (lambda: number(2), ["ok: OK *", "no: Back", "plus: More +", "minus: Less +"]),
    "a number at its lower end": (lambda: number(0), ["ok: OK *", "no: Back", "plus: More +"]),
    "a number at its upper end": (lambda: number(5), ["ok: OK *", "no: Back", "minus: Less +"]),
    "a number whose values are names": (
        lambda: number(2, has_names=True, ok_label="This one"),
        ["ok: This one *", "no: Back", "plus: Next +", "minus: Previous +"],
    ),
    "a correction of one number": (
        lambda: open_value_editor("Crystals", TOTAL, NAMES),
        ["ok: Change *", "no: Back", "plus: More +", "minus: Less +"],
    ),
    "a correction with words": (
        lambda: open_value_editor("Crystals", TOTAL, NAMES, tuple("abcdefghij")),
        ["ok: Change *", "no: Back", "plus: Next +", "minus: Previous +"],
    ),
    "counts": (
        lambda: CountsInput("Stock", STOCK, (0, 3)),
        ["1: 1: 0 +", "2: 2: 3 +", "ok: Change *", "no: Back", "plus: 1: more", "minus: 1: less"],
    ),
    "a roll": (lambda: DigitsInput("Roll", DICE), [*DIGITS, "no: Back"]),
    "a roll of which a number is entered": (lambda: DigitsInput("Roll", DICE, (2,)), [*DIGITS, "no: Back +"]),
    "the first of a row": (lambda: row(0), ["1: 1", "2: 2", "ok: Next *", "no: Back", "plus: More +"]),
    "the last of a row": (lambda: row(1), ["1: 1", "2: 2", "ok: All right *", "no: Previous", "minus: Less +"]),
    "a name": (
        lambda: NameInput("Name", lambda _name: DONE),
        ["no: Back", "1: ABCDE +", "2: FGHIJ +", "3: KLMNO +", "4: PQRST +", "5: UVWXY +", "6: ZÄÖÜÉ +"],
    ),
    "a name of all its letters": (
        lambda: NameInput("Name", lambda _name: DONE, "A" * 16),
        ["no: Back", "ok: This name *", "minus: Erase +"],
    ),
    "the enlarged picture": (lambda: CameraDialog((), ()), ["ok: All right *", "no: Back"]),
    "one value on the picture": (
        lambda: CameraDialog((TOKEN,), ((3,),)),
        ["ok: All right *", "no: Back", "plus: More +", "minus: Less +"],
    ),
    "several values on the picture": (
        lambda: CameraDialog((DICE, TOKEN), ((2, 5), (3,)), selected=(0, 1)),
        ["1: Die: 2", "2: Die: 5 *", "3: Token: 3", "ok: All right *", "no: Back", "plus: More +", "minus: Less +"],
    ),
    "a changed value on the picture": (
        lambda: CameraDialog((DICE, TOKEN), ((2, 5), (4,)), selected=(1, 0)),
        ["3: Token: 4 *", "ok: Change *", "no: Back", "plus: More +", "minus: Less +"],
    ),
}


@pytest.mark.parametrize(("open_dialog", "keys"), KEYS.values(), ids=KEYS)
def test_the_keys_of_a_dialog(open_dialog: Callable[[], Dialog], keys: list[str]) -> None:
    assert list_keys(open_dialog()) == keys


def test_a_confirmation_is_shown_as_a_warning_and_a_question_is_not() -> None:
    assert ask_confirmation("Really?", DONE).question == Question("Really?", warning=True)
    assert ask_question(Question("Is it?")).question == Question("Is it?")


def test_the_number_keys_of_a_menu_end_at_six() -> None:
    menu = open_numbered_menu("Menu", [(f"line {i}", DONE) for i in range(8)])
    numbers = [offer.input.number for offer in menu.list_offers() if isinstance(offer.input, NumberPress)]
    assert numbers == [1, 2, 3, 4, 5, 6]
    assert menu.menu == Menu("Menu", tuple(f"Line {i}" for i in range(8)), 0, numbered=6)


def test_the_key_of_a_numbered_line_chooses_that_line() -> None:
    steps = [Move(f"step {i}") for i in range(14)]
    later = [lambda step=step: step for step in steps]  # as some menus make their steps only when they are asked for
    for made in (steps, later):
        menu = open_numbered_menu("Menu", [(f"line {i}", step) for i, step in enumerate(made)])
        for selected in range(len(steps)):
            shown = replace(menu, selected=selected)
            chosen = {}
            for offer in shown.list_offers():
                if isinstance(offer.input, NumberPress):
                    step = shown.handle(offer.action) if isinstance(offer.action, Command) else offer.action
                    chosen[offer.input.number] = step
            first, count = shown.menu.first_numbered, shown.menu.numbered
            assert chosen == {number: steps[first + number - 1] for number in range(1, count + 1)}
            assert first <= selected < first + count, "the selected line has a key"


def test_the_number_keys_pass_on_to_the_next_lines_with_the_selected_one() -> None:
    menu = open_numbered_menu("Menu", [(f"a line that is too long {i}", DONE) for i in range(8)], 5)
    assert list_keys(menu)[:6] == [f"{n}: Line {n}" for n in range(1, 7)]
    down = next(answer for answer in menu.list_answers() if answer.input is ConsolePress.MINUS)
    assert isinstance(down.step, ListMenu)
    assert list_keys(down.step)[:3] == ["1: Line 1", "2: Line 2", "ok: Select *"]
    assert (down.step.menu.first_numbered, down.step.menu.numbered) == (6, 2)


@pytest.mark.parametrize(
    ("key_labels", "keys"),
    [
        ((), ["1: First line", "2: Second line"]),
        (("a" * 8 + " " + "a" * 8, "b"), ["1: " + "a" * 8 + " " + "a" * 8, "2: b"]),
        (("a" * 9, "b"), ["1: Line 1", "2: Line 2"]),
        (("a a a", "b"), ["1: Line 1", "2: Line 2"]),
    ],
)
def test_number_keys_have_the_given_labels_if_all_of_them_fit(key_labels: tuple[str, ...], keys: list[str]) -> None:
    menu = open_numbered_menu("Menu", [("first line", DONE), ("second line", DONE)], key_labels=key_labels)
    assert list_keys(menu)[:2] == keys


def test_each_line_needs_a_label_for_its_key() -> None:
    with pytest.raises(ValueError, match="a label each"):
        open_numbered_menu("Menu", [("one", DONE), ("two", DONE)], key_labels=("one",))
