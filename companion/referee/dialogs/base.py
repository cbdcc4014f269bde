"""Dialogs of the referee and of the lobby: questions, agreements and menus (numbers and names: see `inputs`).

A dialog is a frozen value that lists its answers. Each answer is one button with its label and the step that it leads
to: another dialog, something for the referee to do (a move, a correction, a command), or None, which closes the dialog.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from companion.games.api.game import Correction, Move, Seat
from companion.games.api.offers import Command, CommandName, ConsolePress, Input, NumberPress, Offer, SeatPress
from companion.i18n import Translator
from companion.screen_state import Menu, Question

_ = Translator("companion")

NUMBER_KEYS = 6
"""Lines of a menu that have a number key of their own: there are six seat buttons."""
MAX_KEY_LABEL_LENGTH = 16
"""Letters of a label that fits its key when all six number keys have one; with a longer one all say "Line 1", ..."""


class Dialog(ABC):
    """Something that is open in front of the game or the lobby until it is answered."""

    __slots__ = ()

    @property
    def question(self) -> Question | None:
        """What is asked; None: the dialog is no question."""
        return None

    @property
    def menu(self) -> Menu | None:
        """The lines to choose from; None: there are none."""
        return None

    @property
    def entered_numbers(self) -> tuple[int, ...]:
        """Numbers entered so far, of several that are asked for."""
        return ()

    @abstractmethod
    def list_answers(self) -> Sequence[Answer]:
        """List what may be pressed now."""

    def list_offers(self) -> Sequence[Offer]:
        """List the answers as offers: a step for the referee is offered itself, any other as the command ANSWER."""
        return [
            Offer(
                answer.step
                if isinstance(answer.step, Move | Correction | Command)
                else Command(CommandName.ANSWER, (i,)),
                answer.input,
                answer.label,
                answer.awaited,
            )
            for i, answer in enumerate(self.list_answers())
        ]

    def handle(self, command: Command) -> Step:
        """Find the step that one of the commands of `list_offers` leads to."""
        if command.name is not CommandName.ANSWER:
            return command
        step = self.list_answers()[command.value[0]].step
        while callable(step):
            step = step()
        return step


Step = Dialog | Move | Correction | Command | None
"""Result of an answer: the next dialog, something for the referee to do, or None: the dialog closes."""
Subject = str | int
"""Subject of a camera reading: "dice", or the index of a window."""
LazyStep = Step | Callable[[], "LazyStep"]
"""A step, or a function that makes it (and changes what is to be changed) when the answer is given."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One button of a dialog; `awaited`: its lamp blinks."""

    input: Input
    label: str
    step: LazyStep = None
    awaited: bool = False


def back_answer(step: LazyStep = None) -> Answer:
    """Make the answer NO, which leads back to `step`."""
    return Answer(ConsolePress.NO, _("Back"), step)


def up_down_answers(up: Step, down: Step) -> list[Answer]:
    """Make the answers that move through the lines of a menu."""
    return [Answer(ConsolePress.PLUS, _("Up"), up), Answer(ConsolePress.MINUS, _("Down"), down)]


@dataclass(frozen=True, slots=True)
class QuestionDialog(Dialog):
    """A question with its answers, each one button press away (input, label and step of each)."""

    asked: Question
    answers: tuple[tuple[Input, str, LazyStep], ...]
    subject: Subject | None = None
    """Subject of a question about a camera reading: a later reading of the same subject answers it. None: no reading
    does."""
    has_back: bool = False
    """NO closes the dialog."""

    @property
    def question(self) -> Question:
        return self.asked

    def list_answers(self) -> Sequence[Answer]:
        answers = [Answer(*answer, awaited=True) for answer in self.answers]
        return [*answers, back_answer()] if self.has_back else answers


def ask_confirmation(question: str, step: LazyStep) -> QuestionDialog:
    """Ask once more before something that is rare or hard to undo."""
    return QuestionDialog(
        Question(question, warning=True), ((ConsolePress.OK, _("Yes"), step), (ConsolePress.NO, _("No"), None))
    )


@dataclass(frozen=True, slots=True)
class AgreementDialog(Dialog):
    """A move that is played when all of `seats` have pressed their own buttons."""

    title: str
    move: Move
    seats: tuple[Seat, ...]
    names: tuple[str, ...]
    """By seat, of the whole table."""
    asked_at: float
    """When it was asked, in seconds of the clock that stamps the presses."""
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

    def list_answers(self) -> Sequence[Answer]:
        return [
            *(Answer(SeatPress(seat), _("I agree"), self._agree(seat), awaited=True) for seat in self._missing),
            Answer(ConsolePress.NO, _("Not yet")),
        ]

    def _agree(self, seat: Seat) -> Step:
        return self.move if len(self._missing) == 1 else replace(self, agreed=(*self.agreed, seat))


@dataclass(frozen=True, slots=True)
class PauseDialog(Dialog):
    """The clocks are stopped until the players continue."""

    detail: str = ""
    """Empty: that the clocks are stopped."""

    @property
    def question(self) -> Question:
        return Question(_("Paused"), self.detail or _("The clocks are stopped"))

    def list_answers(self) -> Sequence[Answer]:
        return [
            Answer(ConsolePress.OK, _("Continue"), Command(CommandName.CONTINUE), awaited=True),
            Answer(ConsolePress.MINUS, _("Fix"), Command(CommandName.CORRECT)),
        ]


@dataclass(frozen=True, slots=True)
class ListMenu(Dialog):
    """One of several lines: PLUS and MINUS move, OK chooses."""

    title: str
    items: tuple[tuple[str, LazyStep], ...]
    selected: int = 0
    back: LazyStep = None
    """Step of NO."""
    shortcuts: tuple[tuple[Input, str, LazyStep], ...] = ()
    """Further buttons with their labels and steps."""

    @property
    def menu(self) -> Menu:
        return Menu(self.title, tuple(label for label, _step in self.items), self.selected)

    def list_answers(self) -> Sequence[Answer]:
        return [
            *(Answer(*shortcut) for shortcut in self.shortcuts),
            Answer(ConsolePress.OK, _("Select"), lambda: self.items[self.selected][1], awaited=True),
            *up_down_answers(self._move(-1), self._move(1)),
            back_answer(self.back),
        ]

    def _move(self, by: int) -> ListMenu:
        return replace(self, selected=(self.selected + by) % len(self.items))


def open_numbered_menu(
    title: str,
    items: Sequence[tuple[str, LazyStep]],
    selected: int = 0,
    back: LazyStep = None,
    key_labels: Sequence[str] = (),
) -> ListMenu:
    """Open a menu whose first six lines are one press away, on the number keys.

    Args:
        key_labels: labels of the number keys; empty: the lines' own. "Line 1", "Line 2" ... where one is too long.
    """
    labels = list(key_labels) or [label for label, _step in items]
    if max(map(len, labels)) > MAX_KEY_LABEL_LENGTH:
        labels = [_("Line {n}", n=i) for i in range(1, len(labels) + 1)]
    keys = [
        (NumberPress(i), label, step) for i, (label, (_line, step)) in enumerate(zip(labels, items, strict=True), 1)
    ]
    return ListMenu(title, tuple(items), selected, back, tuple(keys[:NUMBER_KEYS]))
