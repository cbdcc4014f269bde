"""The dialog in which a name is entered, by buttons and on a keyboard."""

from dataclasses import replace

import pytest

from companion.api import ConsolePress, Move, NumberPress
from companion.referee.dialogs import name_input
from companion.referee.dialogs.base import Step
from companion.referee.dialogs.name_input import MAX_NAME_LENGTH, NameInput, list_key_letters
from companion.screen_state import Question
from tests.referee.dialogs.answering import answers, press


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
