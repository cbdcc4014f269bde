"""What the referee asks or lets people enter between two moves: questions, numbers, menus, totals.

A dialog is a frozen value that lists its own offers; while one is open, they are the table's offers. Each command
leads to the next dialog, to a deed for the referee (a move, a correction, a command of its own), or closes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from companion.games.api.game import Correctable, Correction, Move, Range, Seat
from companion.games.api.offers import Command, Console, Means, NumberPress, Offer, SeatPress
from companion.i18n import Words
from companion.screen_state import Menu, Question

_ = Words("companion")

CLOSE = Command("close dialog")
"""Closes a dialog without doing anything."""


class Dialog(Protocol):
    """Something that stands before the game until it is answered."""

    @property
    def question(self) -> Question | None: ...

    @property
    def menu(self) -> Menu | None: ...

    @property
    def entered(self) -> tuple[int, ...]: ...

    def offers(self) -> Sequence[Offer]: ...

    def after(self, command: Command) -> Step: ...


class Quiet:
    """A dialog that asks no question, has no menu, and has had no numbers entered, unless it says otherwise."""

    __slots__ = ()

    @property
    def question(self) -> Question | None:
        return None

    @property
    def menu(self) -> Menu | None:
        return None

    @property
    def entered(self) -> tuple[int, ...]:
        return ()


Step = Dialog | Move | Correction | Command
"""Where a command leads: another dialog, or something for the referee to do (`CLOSE`: nothing)."""


@dataclass(frozen=True, slots=True)
class Choice(Quiet):
    """A question with its answers, each one press away. Each answer leads to its step."""

    asked: Question
    answers: tuple[tuple[Means, str, Step], ...]
    about_window: int | None = None
    """The window that it is about: when its token is put back, the question has answered itself."""
    about_dice: bool = False
    """It is about the dice in the tray: a new throw answers it."""

    @property
    def question(self) -> Question:
        return self.asked

    def offers(self) -> Sequence[Offer]:
        return [
            # What plays something says so; the virtual players look for the true answer among the offers.
            Offer(step if isinstance(step, Move | Correction) else Command("answer", (i,)), means, words, awaited=True)
            for i, (means, words, step) in enumerate(self.answers)
        ]

    def after(self, command: Command) -> Step:
        return self.answers[command.value[0]][2]


def confirmed(words: str, step: Step) -> Choice:
    """A deed that is rare or hard to take back is asked for once more."""
    return Choice(Question(words, warning=True), ((Console.OK, _("Yes"), step), (Console.NO, _("No"), CLOSE)))


@dataclass(frozen=True, slots=True)
class Agreement(Quiet):
    """Something that happens when all of `seats` have pressed their own buttons."""

    title: str
    does: Move
    seats: tuple[Seat, ...]
    names: tuple[str, ...]
    """By seat, of the whole table."""
    since: float
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

    def offers(self) -> Sequence[Offer]:
        return [
            *(Offer(Command("agree", (seat,)), SeatPress(seat), _("I agree"), awaited=True) for seat in self._missing),
            Offer(Command("back"), Console.NO, _("Not yet")),
        ]

    def after(self, command: Command) -> Step:
        if command.name != "agree":
            return CLOSE
        after = replace(self, agreed=(*self.agreed, Seat(command.value[0])))
        return after if after._missing else self.does


@dataclass(frozen=True, slots=True)
class Paused(Quiet):
    """The clocks stand still until the table goes on."""

    detail: str = ""
    """Empty: that the clocks stand still."""

    @property
    def question(self) -> Question:
        return Question(_("Paused"), self.detail or _("The clocks stand still"))

    def offers(self) -> Sequence[Offer]:
        return [
            Offer(Command("go on"), Console.OK, _("Go on"), awaited=True),
            Offer(Command("fix"), Console.MINUS, _("Fix")),
        ]

    def after(self, command: Command) -> Step:
        return command


@dataclass(frozen=True, slots=True)
class Digits(Quiet):
    """Numbers from 1 to 6 entered one press each, on the seat buttons: a roll, or a token's number."""

    title: str
    target: Move | Correctable
    entered: tuple[int, ...] = ()
    detail: str = ""
    """Empty: which buttons are the numbers."""

    @property
    def range(self) -> Range:
        """What may be entered."""
        if isinstance(self.target, Correctable):
            return self.target.range
        assert self.target.open is not None, "an open move"
        return self.target.open

    @property
    def question(self) -> Question:
        return Question(self.title, self.detail or _("The seat buttons are the numbers 1 to 6"))

    def offers(self) -> Sequence[Offer]:
        digits = [
            Offer(Command("digit", (n,)), NumberPress(n), str(n), awaited=True)
            for n in range(self.range.low, self.range.high + 1)
        ]
        return [*digits, Offer(Command("back"), Console.NO, _("Back"))]

    def after(self, command: Command) -> Step:
        if command.name == "back":
            return replace(self, entered=self.entered[:-1]) if self.entered else CLOSE
        entered = (*self.entered, *command.value)
        if len(entered) < self.range.count:
            return replace(self, entered=entered)
        return self.target.corrected(*entered) if isinstance(self.target, Correctable) else self.target.filled(*entered)


def _entered(target: Correctable, values: tuple[int, ...]) -> Correction | Command:
    """The correction, or nothing where the value is as it was."""
    return Command("back") if values == target.current else target.corrected(*values)


@dataclass(frozen=True, slots=True)
class Spinner(Quiet):
    """One total, changed with plus and minus."""

    title: str
    target: Correctable
    value: int
    shown_as: tuple[str, ...] = ()
    """Words for the values from `range.low` up, where bare numbers would say nothing (players' names)."""

    @property
    def menu(self) -> Menu:
        low = self.target.range.low
        return Menu(self.title, (), 0, self.shown_as[self.value - low] if self.shown_as else str(self.value))

    def offers(self) -> Sequence[Offer]:
        offers = [
            Offer(_entered(self.target, (self.value,)), Console.OK, _("Right now"), awaited=True),
            Offer(Command("back"), Console.NO, _("Back")),
        ]
        up, down = (_("Next"), _("Before")) if self.shown_as else (_("More"), _("Less"))
        if self.value < self.target.range.high:
            offers.append(Offer(Command("change", (1,)), Console.PLUS, up))
        if self.value > self.target.range.low:
            offers.append(Offer(Command("change", (-1,)), Console.MINUS, down))
        return offers

    def after(self, command: Command) -> Step:
        return replace(self, value=self.value + command.value[0]) if command.name == "change" else CLOSE


@dataclass(frozen=True, slots=True)
class Counts(Quiet):
    """Several small counts at once (tokens on the device): each number's button steps its count round."""

    title: str
    target: Correctable
    values: tuple[int, ...]

    @property
    def question(self) -> Question:
        return Question(self.title, " · ".join(f"{i}: {n}" for i, n in enumerate(self.values, 1)))

    def offers(self) -> Sequence[Offer]:
        return [
            *(Offer(Command("step", (i,)), NumberPress(i), f"{i}: {n}") for i, n in enumerate(self.values, 1)),
            Offer(_entered(self.target, self.values), Console.OK, _("Right now"), awaited=True),
            Offer(Command("back"), Console.NO, _("Back")),
        ]

    def after(self, command: Command) -> Step:
        if command.name != "step":
            return CLOSE
        i, (low, high) = command.value[0] - 1, (self.target.range.low, self.target.range.high)
        stepped = low + (self.values[i] - low + 1) % (high - low + 1)
        return replace(self, values=(*self.values[:i], stepped, *self.values[i + 1 :]))


@dataclass(frozen=True, slots=True)
class FixMenu(Quiet):
    """Everything that can be put right, in one list; a seat's button leads straight to that player's total."""

    items: tuple[tuple[str, Step], ...]
    totals: tuple[tuple[Seat, Step], ...] = ()
    selected: int = 0

    @property
    def menu(self) -> Menu:
        return Menu(_("What is to be fixed?"), tuple(words for words, _step in self.items), self.selected)

    def offers(self) -> Sequence[Offer]:
        return [
            *(Offer(Command("total", (seat,)), SeatPress(seat), _("My total")) for seat, _step in self.totals),
            Offer(Command("choose"), Console.OK, _("This one"), awaited=True),
            Offer(Command("back"), Console.NO, _("Back")),
            Offer(Command("move", (-1,)), Console.PLUS, _("Up")),
            Offer(Command("move", (1,)), Console.MINUS, _("Down")),
        ]

    def after(self, command: Command) -> Step:
        if command.name == "choose":
            return self.items[self.selected][1]
        if command.name == "total":
            return dict(self.totals)[Seat(command.value[0])]
        if command.name == "move":
            return replace(self, selected=(self.selected + command.value[0]) % len(self.items))
        return CLOSE
