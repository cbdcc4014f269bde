"""The input of a player's name, letter by letter.

A name that another player has: `Seating.apply` in `companion/journal/seating.py`, before a game
`companion/lobby/settings_menu.py`.
"""

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from companion.api import ConsolePress, NumberPress
from companion.i18n import _, capitalize_first_letter
from companion.names import normalize_name
from companion.referee.dialogs.base import Answer, Dialog, LazyStep, Step, back_answer
from companion.screen_state import Question
from companion.system.font_files import find_undrawable

KEY_LETTERS = ("ABCDE", "FGHIJ", "KLMNO", "PQRST", "UVWXY", "Z")
"""Letters of the six number keys; the last one has those of the current language, too."""
MAX_NAME_LENGTH = 16
"""Letters of a name."""


def is_name_character(character: str) -> bool:
    """Return whether a typed character may be part of a name: a letter, its mark, a space, an apostrophe, a hyphen."""
    return character.isalpha() or is_mark(character) or character in {" ", "'", "-"}


def is_mark(character: str) -> bool:
    """Return whether a character is a mark of the letter before it: an accent, a vowel sign of Thai."""
    return bool(character) and unicodedata.category(character).startswith("M")


def list_key_letters() -> tuple[str, ...]:
    """Return the letters of the six number keys; a key that is pressed again moves on to its next letter.

    >>> list_key_letters()[-1]
    "ZÄÖÜÉÈßÇÑŠŁ-'"
    """
    accented = filter(str.isalpha, _("ÄÖÜÉÈßÇÑŠŁ"))
    return (*KEY_LETTERS[:-1], "".join(dict.fromkeys([*KEY_LETTERS[-1], *accented, "-", "'"])))


def _to_small_letter(letter: str) -> str:
    small = letter.lower()
    return small if len(small) == 1 else letter  # the Turkish "İ" becomes two characters


@dataclass(frozen=True, slots=True)
class NameInput(Dialog):
    """A name, letter by letter, of a player who has not played here before; at most `MAX_NAME_LENGTH` letters.

    Args:
        title: the request to enter a name, translated.
        written: the letters entered so far.
    """

    title: str
    on_done: Callable[[str], Step]
    """Makes the step of OK from the name."""
    written: str = ""
    open_key: int | None = None
    """Number key whose letter is the last one and may still change; None: the next press adds a letter."""
    back: LazyStep = None
    """Step of NO; None: it closes the input."""
    is_refused: bool = False
    """The last character cannot be drawn, and was not taken."""

    @property
    def question(self) -> Question:
        """The letters entered so far, and the title."""
        detail = _("No font here has this letter: write it otherwise") if self.is_refused else self.title
        return Question(self.written + "_" * (self.open_key is None) or "_", detail)

    def list_answers(self) -> Sequence[Answer]:
        """List the number keys that type letters, OK, MINUS to erase, PLUS for the next letter, and NO to go back.

        OK and MINUS are there once a letter is entered; the number keys until the name has `MAX_NAME_LENGTH` letters.
        """
        answers = [back_answer(self.back)]
        if len(self.written) < MAX_NAME_LENGTH or self.open_key is not None:
            keys = enumerate(list_key_letters(), 1)
            answers += [Answer(NumberPress(n), letters[:5], self._type_letter(n), repeats=True) for n, letters in keys]
        if self.written:
            erased = replace(self, written=self.written[:-1], open_key=None)
            done = partial(self.on_done, normalize_name(self.written))
            answers.append(Answer(ConsolePress.OK, _("This name"), done, awaited=True))
            answers.append(Answer(ConsolePress.MINUS, _("Erase"), erased, repeats=True))
        if self.open_key is not None:
            answers.append(Answer(ConsolePress.PLUS, _("Next letter"), replace(self, open_key=None)))
        return answers

    def type_character(self, character: str) -> "NameInput":
        """Return the dialog after a character was typed on a keyboard; the first letter becomes a capital.

        Args:
            character: one character; "\\b" erases the last one. Others are ignored unless `is_name_character`; so is a
                mark that follows no letter, and all that would make the name longer than `MAX_NAME_LENGTH`.
        """
        if character == "\b":
            return replace(self, written=self.written[:-1], open_key=None, is_refused=False)
        before, last = self.written, self.written[-1:]
        ends_with_letter = last.isalpha() or is_mark(last)
        if is_mark(character):
            if not ends_with_letter:
                return self
            before, character = before[:-1], unicodedata.normalize("NFC", last + character)
        elif not is_name_character(character) or not (character.isalpha() or ends_with_letter):
            return self
        if len(before) + len(character) > MAX_NAME_LENGTH:
            return self
        if find_undrawable(character):
            return replace(self, is_refused=True)
        capital = capitalize_first_letter(character)
        first = capital if len(capital) == len(character) else character  # "ß" has no capital of one letter
        return replace(self, written=before + (character if before else first), open_key=None, is_refused=False)

    def _type_letter(self, key: int) -> "NameInput":
        letters, before, at = list_key_letters()[key - 1], self.written, 0
        if key == self.open_key:
            at = ([*map(_to_small_letter, letters)].index(_to_small_letter(self.written[-1])) + 1) % len(letters)
            before = self.written[:-1]
        elif len(self.written) >= MAX_NAME_LENGTH:
            return self
        return replace(self, written=before + (_to_small_letter(letters[at]) if before else letters[at]), open_key=key)
