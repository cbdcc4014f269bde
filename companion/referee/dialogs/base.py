"""What the referee asks or lets people enter between two moves: questions, numbers, menus, totals.

A dialog is a frozen value that lists its own offers; while one is open, they are the table's offers. Each command
leads to the next dialog, to a deed for the referee (a move, a correction, a command of its own), or closes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from companion.games.api.game import Correctable, Correction, Move, Seat, ValueRange
from companion.games.api.offers import Command, ConsolePress, Input, NumberPress, Offer, SeatPress
from companion.i18n import Translator
from companion.screen_state import Menu, Question

_ = Translator("companion")

CLOSE = Command("close dialog")
"""Closes a dialog without doing anything."""


class Dialog(Protocol):
    """Something that stands before the game until it is answered."""

    @property
    def question(self) -> Question | None: ...

    @property
    def menu(self) -> Menu | None: ...

    @property
    def entered_numbers(self) -> tuple[int, ...]: ...

    def list_offers(self) -> Sequence[Offer]: ...

    def handle(self, command: Command) -> Step: ...


class DialogDefaults:
    """A dialog that asks no question, has no menu, and has had no numbers entered, unless it says otherwise."""

    __slots__ = ()

    @property
    def question(self) -> Question | None:
        return None

    @property
    def menu(self) -> Menu | None:
        return None

    @property
    def entered_numbers(self) -> tuple[int, ...]:
        return ()


Step = Dialog | Move | Correction | Command
"""Where a command leads: another dialog, or something for the referee to do (`CLOSE`: nothing)."""


@dataclass(frozen=True, slots=True)
class QuestionDialog(DialogDefaults):
    """A question with its answers, each one press away. Each answer leads to its step."""

    asked: Question
    answers: tuple[tuple[Input, str, Step], ...]
    about_window: int | None = None
    """The window that it is about: when its token is put back, the question has answered itself."""
    about_dice: bool = False
    """It is about the dice in the tray: a new throw answers it."""

    @property
    def question(self) -> Question:
        return self.asked

    def list_offers(self) -> Sequence[Offer]:
        return [
            # What plays something says so; the virtual players look for the true answer among the offers.
            Offer(step if isinstance(step, Move | Correction) else Command("answer", (i,)), means, words, awaited=True)
            for i, (means, words, step) in enumerate(self.answers)
        ]

    def handle(self, command: Command) -> Step:
        return self.answers[command.value[0]][2]


def ask_confirmation(question: str, step: Step) -> QuestionDialog:
    """A deed that is rare or hard to take back is asked for once more."""
    return QuestionDialog(
        Question(question, warning=True), ((ConsolePress.OK, _("Yes"), step), (ConsolePress.NO, _("No"), CLOSE))
    )


@dataclass(frozen=True, slots=True)
class AgreementDialog(DialogDefaults):
    """Something that happens when all of `seats` have pressed their own buttons."""

    title: str
    move: Move
    seats: tuple[Seat, ...]
    names: tuple[str, ...]
    """By seat, of the whole table."""
    asked_at: float
    """When it was asked, by the clock that stamps the presses."""
    agreed: tuple[Seat, ...] = ()

    @property
    def _missing(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.seats if seat not in self.agreed)

    @property
    def question(self) -> Question:
        return Question(
            _("{thing}?", thing=self.title),
            _("Still to press: {names}", names=", ".join(self.names[seat] for seat in self._missing)),
        )

    def list_offers(self) -> Sequence[Offer]:
        return [
            *(Offer(Command("agree", (seat,)), SeatPress(seat), _("I agree"), awaited=True) for seat in self._missing),
            Offer(Command("back"), ConsolePress.NO, _("Not yet")),
        ]

    def handle(self, command: Command) -> Step:
        if command.name != "agree":
            return CLOSE
        after = replace(self, agreed=(*self.agreed, Seat(command.value[0])))
        return after if after._missing else self.move


@dataclass(frozen=True, slots=True)
class PauseDialog(DialogDefaults):
    """The clocks stand still until the table goes on."""

    detail: str = ""
    """Empty: that the clocks stand still."""

    @property
    def question(self) -> Question:
        return Question(_("Paused"), self.detail or _("The clocks stand still"))

    def list_offers(self) -> Sequence[Offer]:
        return [
            Offer(Command("go on"), ConsolePress.OK, _("Go on"), awaited=True),
            Offer(Command("fix"), ConsolePress.MINUS, _("Fix")),
        ]

    def handle(self, command: Command) -> Step:
        return command


@dataclass(frozen=True, slots=True)
class DigitsInput(DialogDefaults):
    """Numbers from 1 to 6 entered one press each, on the seat buttons: a roll, or a token's number."""

    title: str
    target: Move | Correctable
    entered_numbers: tuple[int, ...] = ()
    detail: str = ""
    """Empty: which buttons are the numbers."""

    @property
    def range(self) -> ValueRange:
        """What may be entered."""
        if isinstance(self.target, Correctable):
            return self.target.value_range
        assert self.target.value_range is not None, "an open move"
        return self.target.value_range

    @property
    def question(self) -> Question:
        return Question(self.title, self.detail or _("The seat buttons are the numbers 1 to 6"))

    def list_offers(self) -> Sequence[Offer]:
        digits = [
            Offer(Command("digit", (n,)), NumberPress(n), str(n), awaited=True)
            for n in range(self.range.low, self.range.high + 1)
        ]
        return [*digits, Offer(Command("back"), ConsolePress.NO, _("Back"))]

    def handle(self, command: Command) -> Step:
        if command.name == "back":
            return replace(self, entered_numbers=self.entered_numbers[:-1]) if self.entered_numbers else CLOSE
        entered = (*self.entered_numbers, *command.value)
        if len(entered) < self.range.count:
            return replace(self, entered_numbers=entered)
        return (
            self.target.make_correction(*entered)
            if isinstance(self.target, Correctable)
            else self.target.fill(*entered)
        )


def _correct_if_changed(target: Correctable, values: tuple[int, ...]) -> Correction | Command:
    """The correction, or nothing where the value is as it was."""
    return Command("back") if values == target.current_value else target.make_correction(*values)


@dataclass(frozen=True, slots=True)
class ValueInput(DialogDefaults):
    """One total, changed with plus and minus."""

    title: str
    target: Correctable
    value: int
    value_labels: tuple[str, ...] = ()
    """Words for the values from `range.low` up, where bare numbers would say nothing (players' names)."""

    @property
    def menu(self) -> Menu:
        low = self.target.value_range.low
        return Menu(self.title, (), 0, self.value_labels[self.value - low] if self.value_labels else str(self.value))

    def list_offers(self) -> Sequence[Offer]:
        offers = [
            Offer(_correct_if_changed(self.target, (self.value,)), ConsolePress.OK, _("Right now"), awaited=True),
            Offer(Command("back"), ConsolePress.NO, _("Back")),
        ]
        up, down = (_("Next"), _("Before")) if self.value_labels else (_("More"), _("Less"))
        if self.value < self.target.value_range.high:
            offers.append(Offer(Command("change", (1,)), ConsolePress.PLUS, up))
        if self.value > self.target.value_range.low:
            offers.append(Offer(Command("change", (-1,)), ConsolePress.MINUS, down))
        return offers

    def handle(self, command: Command) -> Step:
        return replace(self, value=self.value + command.value[0]) if command.name == "change" else CLOSE


@dataclass(frozen=True, slots=True)
class CountsInput(DialogDefaults):
    """Several small counts at once (tokens on the device): each number's button steps its count round."""

    title: str
    target: Correctable
    values: tuple[int, ...]

    @property
    def question(self) -> Question:
        return Question(self.title, " · ".join(f"{i}: {n}" for i, n in enumerate(self.values, 1)))

    def list_offers(self) -> Sequence[Offer]:
        return [
            *(Offer(Command("step", (i,)), NumberPress(i), f"{i}: {n}") for i, n in enumerate(self.values, 1)),
            Offer(_correct_if_changed(self.target, self.values), ConsolePress.OK, _("Right now"), awaited=True),
            Offer(Command("back"), ConsolePress.NO, _("Back")),
        ]

    def handle(self, command: Command) -> Step:
        if command.name != "step":
            return CLOSE
        i, (low, high) = command.value[0] - 1, (self.target.value_range.low, self.target.value_range.high)
        stepped = low + (self.values[i] - low + 1) % (high - low + 1)
        return replace(self, values=(*self.values[:i], stepped, *self.values[i + 1 :]))


@dataclass(frozen=True, slots=True)
class CorrectionMenu(DialogDefaults):
    """Everything that can be put right, in one list; a seat's button leads straight to that player's total."""

    items: tuple[tuple[str, Step], ...]
    totals: tuple[tuple[Seat, Step], ...] = ()
    selected: int = 0

    @property
    def menu(self) -> Menu:
        return Menu(_("What is to be fixed?"), tuple(words for words, _step in self.items), self.selected)

    def list_offers(self) -> Sequence[Offer]:
        return [
            *(Offer(Command("total", (seat,)), SeatPress(seat), _("My total")) for seat, _step in self.totals),
            Offer(Command("choose"), ConsolePress.OK, _("This one"), awaited=True),
            Offer(Command("back"), ConsolePress.NO, _("Back")),
            Offer(Command("move", (-1,)), ConsolePress.PLUS, _("Up")),
            Offer(Command("move", (1,)), ConsolePress.MINUS, _("Down")),
        ]

    def handle(self, command: Command) -> Step:
        if command.name == "choose":
            return self.items[self.selected][1]
        if command.name == "total":
            return dict(self.totals)[Seat(command.value[0])]
        if command.name == "move":
            return replace(self, selected=(self.selected + command.value[0]) % len(self.items))
        return CLOSE
