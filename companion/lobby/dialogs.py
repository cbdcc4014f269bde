"""What the lobby lets people choose and enter, by buttons alone: lists, amounts, rows of numbers, names.

Frozen values that list their own offers, like the referee's dialogs. Each command leads to the next dialog, to a
change for the lobby to make, or closes it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from companion.games.api.offers import Command, ConsolePress, NumberPress, Offer
from companion.i18n import Translator
from companion.referee.dialogs.base import DialogDefaults
from companion.screen_state import Menu, Question

_ = Translator("companion")

Number = int | float


@dataclass(frozen=True, slots=True)
class LobbyChange:
    """Something for the lobby to do: `what` says what, `value` with what."""

    kind: str
    value: Any = None


class LobbyDialog(Protocol):
    """Something that stands before the lobby until it is answered."""

    @property
    def question(self) -> Question | None: ...

    @property
    def menu(self) -> Menu | None: ...

    def list_offers(self) -> Sequence[Offer]: ...

    def handle(self, command: Command) -> Step: ...


Step = LobbyDialog | LobbyChange | None
"""Where a command leads; None: back to the lobby."""

MAX_KEY_LABEL_LENGTH = 16
"""Letters of words that fit a key when all six have some."""


def back_offer() -> Offer:
    """NO leads back."""
    return Offer(Command("back"), ConsolePress.NO, _("Back"))


@dataclass(frozen=True, slots=True)
class ListMenu(DialogDefaults):
    """One of several things. The first six are one press away, on the number keys."""

    title: str
    items: tuple[tuple[str, Step], ...]
    selected: int = 0
    back: Step = None
    key_labels: tuple[str, ...] = ()
    """Words on the number keys; empty: the items' own."""

    @property
    def menu(self) -> Menu:
        return Menu(self.title, tuple(words for words, _step in self.items), self.selected)

    def list_offers(self) -> Sequence[Offer]:
        keys = self.key_labels or tuple(words for words, _step in self.items)
        if max(map(len, keys)) > MAX_KEY_LABEL_LENGTH:
            keys = tuple(_("Line {n}", n=i) for i in range(1, len(keys) + 1))
        return [
            *(Offer(Command("item", (i,)), NumberPress(i + 1), words) for i, words in enumerate(keys[:6])),
            Offer(Command("item", (self.selected,)), ConsolePress.OK, _("This one"), awaited=True),
            Offer(Command("move", (-1,)), ConsolePress.PLUS, _("Up")),
            Offer(Command("move", (1,)), ConsolePress.MINUS, _("Down")),
            back_offer(),
        ]

    def handle(self, command: Command) -> Step:
        if command.name == "item":
            return self.items[command.value[0]][1]
        if command.name == "move":
            return replace(self, selected=(self.selected + command.value[0]) % len(self.items))
        return self.back


@dataclass(frozen=True, slots=True)
class NumberInput(DialogDefaults):
    """One number, changed with plus and minus."""

    title: str
    value: Number
    low: Number
    high: Number
    step: Number
    format_value: Callable[[Number], str]
    on_done: Callable[[Number], Step]
    back: Step = None

    @property
    def menu(self) -> Menu:
        return Menu(self.title, (), 0, self.format_value(self.value))

    def list_offers(self) -> Sequence[Offer]:
        offers = [Offer(Command("done"), ConsolePress.OK, _("Right"), awaited=True), back_offer()]
        if self.value < self.high:
            offers.append(Offer(Command("step", (1,)), ConsolePress.PLUS, _("More")))
        if self.value > self.low:
            offers.append(Offer(Command("step", (-1,)), ConsolePress.MINUS, _("Less")))
        return offers

    def handle(self, command: Command) -> Step:
        if command.name == "step":
            value = self.value + command.value[0] * self.step
            return replace(self, value=min(self.high, max(self.low, value)))
        return self.on_done(self.value) if command.name == "done" else self.back


@dataclass(frozen=True, slots=True)
class RowInput(DialogDefaults):
    """Several small numbers, one after the other: a number key enters one, OK goes on to the next."""

    title: str
    labels: tuple[str, ...]
    values: tuple[int, ...]
    low: int
    high: int
    on_done: Callable[[tuple[int, ...]], Step]
    back: Step = None
    selected: int = 0

    @property
    def menu(self) -> Menu:
        lines = tuple(
            label if i == self.selected else f"{label}  {value}"
            for i, (label, value) in enumerate(zip(self.labels, self.values, strict=True))
        )
        return Menu(self.title, lines, self.selected, str(self.values[self.selected]))

    def list_offers(self) -> Sequence[Offer]:
        last = self.selected == len(self.values) - 1
        value = self.values[self.selected]
        offers = [
            *(
                Offer(Command("enter", (n,)), NumberPress(n), str(n))
                for n in range(max(1, self.low), min(6, self.high) + 1)
            ),
            Offer(Command("next"), ConsolePress.OK, _("All right") if last else _("Next"), awaited=True),
            Offer(Command("back"), ConsolePress.NO, _("Before") if self.selected else _("Back")),
        ]
        if value < self.high:
            offers.append(Offer(Command("enter", (value + 1,)), ConsolePress.PLUS, _("More")))
        if value > self.low:
            offers.append(Offer(Command("enter", (value - 1,)), ConsolePress.MINUS, _("Less")))
        return offers

    def handle(self, command: Command) -> Step:
        i = self.selected
        match command:
            case Command(name="enter", value=(number,)):
                return replace(self, values=(*self.values[:i], number, *self.values[i + 1 :]))
            case Command(name="next") if i < len(self.values) - 1:
                return replace(self, selected=i + 1)
            case Command(name="next"):
                return self.on_done(self.values)
            case _:
                return replace(self, selected=i - 1) if i else self.back


KEY_LETTERS = ("ABCDE", "FGHIJ", "KLMNO", "PQRST", "UVWXY", "ZÄÖÜÉÈßÇÑŠŁ-'")
"""On the six number keys; pressed again, a key goes on to its next letter."""
MAX_NAME_LENGTH = 16


@dataclass(frozen=True, slots=True)
class NameInput(DialogDefaults):
    """A name, letter by letter, for somebody who has not played here before."""

    title: str
    on_done: Callable[[str], Step]
    back: Step = None
    written: str = ""
    open_key: int | None = None
    """The number key whose letter stands last and may still change; None: the next press adds a letter."""

    @property
    def question(self) -> Question:
        return Question(self.written + "_" * (self.open_key is None) or "_", self.title)

    def list_offers(self) -> Sequence[Offer]:
        offers = [back_offer()]
        if len(self.written) < MAX_NAME_LENGTH or self.open_key is not None:
            offers += [
                Offer(Command("letter", (n,)), NumberPress(n), letters[:5]) for n, letters in enumerate(KEY_LETTERS, 1)
            ]
        if self.written:
            offers.append(Offer(Command("done"), ConsolePress.OK, _("This name"), awaited=True))
            offers.append(Offer(Command("erase"), ConsolePress.MINUS, _("Erase")))
        if self.open_key is not None:
            offers.append(Offer(Command("keep"), ConsolePress.PLUS, _("Next letter")))
        return offers

    def handle(self, command: Command) -> Step:
        match command:
            case Command(name="letter", value=(key,)):
                return self._type_letter(key)
            case Command(name="keep"):
                return replace(self, open_key=None)
            case Command(name="erase"):
                return replace(self, written=self.written[:-1], open_key=None)
            case Command(name="done"):
                return self.on_done(self.written)
            case _:
                return self.back

    def _type_letter(self, key: int) -> NameInput:
        letters = KEY_LETTERS[key - 1]
        if key == self.open_key:
            at = (letters.index(self.written[-1].upper() if self.written[-1] != "ß" else "ß") + 1) % len(letters)
            before = self.written[:-1]
        elif len(self.written) < MAX_NAME_LENGTH:
            at, before = 0, self.written
        else:
            return self
        letter = letters[at] if not before else letters[at].lower()
        return replace(self, written=before + letter, open_key=key)


@dataclass(frozen=True, slots=True)
class SeatChoice(DialogDefaults):
    """Somebody at the table: by their own button."""

    title: str
    seats: tuple[tuple[int, str, Step], ...]
    """Number of the button, words on its key, and where it leads."""
    back: Step = None

    @property
    def question(self) -> Question:
        return Question(self.title, _("Press your own button"))

    def list_offers(self) -> Sequence[Offer]:
        return [
            *(
                Offer(Command("seat", (i,)), NumberPress(number), words, awaited=True)
                for i, (number, words, _step) in enumerate(self.seats)
            ),
            back_offer(),
        ]

    def handle(self, command: Command) -> Step:
        return self.seats[command.value[0]][2] if command.name == "seat" else self.back
