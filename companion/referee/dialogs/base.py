"""Dialogs of the referee and of the lobby: questions and menus (numbers: `number_inputs`, names: `name_input`).

A dialog is a frozen value that lists its answers. Each answer is one button with its label and the step that it leads
to: another dialog, something for the referee to do (a move, a correction, a command, a change of seats), or None, which
closes the dialog.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from companion.api import (
    MIN_SHOWN_SECONDS,
    Command,
    CommandName,
    ConsolePress,
    Correction,
    Input,
    Move,
    NumberPress,
    Offer,
)
from companion.i18n import _, capitalize_first_letter
from companion.journal.entry import SeatChange
from companion.screen_state import Menu, Question

NUMBER_KEYS = 6
"""Lines of a menu that have a number key at a time: there are six seat buttons."""
MAX_KEY_LABEL_WORDS = 2
"""Words of a label that fits its key; with a longer one all number keys say "Line 1", "Line 2" ..."""
MAX_KEY_WORD_LENGTH = 8
"""Letters of a word that fits a key's width."""


class Dialog(ABC):
    """Something that is open in front of the game or the lobby until it is answered."""

    __slots__ = ()

    @property
    def prompt(self) -> str:
        """Main line of the screen while the dialog is open, in the current language.

        The title of a menu: its keys say how one chooses. Empty: the stage's own main line stays.
        """
        if self.menu is not None:
            return self.menu.title
        return _("Choose below")

    @property
    def question(self) -> Question | None:
        """The question that is shown; None: the dialog is no question."""
        return None

    @property
    def menu(self) -> Menu | None:
        """The lines to choose from; None: there are none."""
        return None

    @property
    def entered_numbers(self) -> tuple[int, ...]:
        """Numbers entered so far, in order, of a dialog that asks for several; else empty."""
        return ()

    @property
    def marked_dice(self) -> tuple[int, ...]:
        """Places on the table of the dice that are marked, from 1; else empty."""
        return ()

    @property
    def choices(self) -> tuple[int, ...]:
        """Indexes of the boxes of a score sheet that the number keys choose, in their order; else empty."""
        return ()

    @abstractmethod
    def list_answers(self) -> Sequence[Answer]:
        """List the answers that may be given now, at most one for each button; changes nothing."""

    def list_offers(self) -> Sequence[Offer]:
        """List the answers as offers, in the order of `list_answers`; changes nothing.

        An answer whose step is a move, a correction or a command is offered as that; any other as the command ANSWER
        with the answer's index.
        """
        return [
            Offer(
                answer.step
                if isinstance(answer.step, Move | Correction | Command)
                else Command(CommandName.ANSWER, (i,)),
                answer.input,
                answer.label,
                answer.awaited,
                repeats=answer.repeats,
                shown_seconds=answer.shown_seconds,
            )
            for i, answer in enumerate(self.list_answers())
        ]

    def handle(self, command: Command) -> Step:
        """Find the step that a command leads to; a step that is a function is called, and may change something.

        Args:
            command: the command of one of `list_offers`; one that is not ANSWER is returned as it is.

        Returns:
            The next dialog, something for the referee to do, or None: the dialog closes.

        Raises:
            IndexError: there is no answer of this index.
            JournalUnwritable: the step opens the history, and the journal cannot be read.
            Exception: a step that is a function may raise anything else.
        """
        if command.name is not CommandName.ANSWER:
            return command
        step = self.list_answers()[command.value[0]].step
        while callable(step):
            step = step()
        return step


Action = Move | Correction | Command | SeatChange
"""Something for the referee to do."""
Step = Dialog | Action | tuple[Action, ...] | None
"""Result of an answer: the next dialog, something for the referee to do (or several things, one after the other as long
as each succeeds), or None: the dialog closes."""
Subject = str | int
"""Subject of a camera reading: "dice", or the index of a window."""
LazyStep = Step | Callable[[], "LazyStep"]
"""A step, or a function that makes it (and changes what is to be changed) when the answer is given."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One button of a dialog; `awaited`: its lamp blinks; `repeats` and `shown_seconds`: see `Offer`."""

    input: Input
    label: str
    step: LazyStep = None
    awaited: bool = False
    repeats: bool = False
    shown_seconds: float = 0.0


def back_answer(step: LazyStep = None) -> Answer:
    """Make the answer of NO, labelled "Back" in the current language.

    Args:
        step: the dialog (or function) that it leads to; None: it closes the dialog.
    """
    return Answer(ConsolePress.NO, _("Back"), step)


def up_down_answers(up: Step, down: Step) -> list[Answer]:
    """Make the answers of PLUS ("Up") and MINUS ("Down") that move through the lines of a menu.

    Args:
        up: step of PLUS: the menu with the line above selected.
        down: step of MINUS: the menu with the line below selected.
    """
    return [
        Answer(ConsolePress.PLUS, _("Up"), up, repeats=True),
        Answer(ConsolePress.MINUS, _("Down"), down, repeats=True),
    ]


@dataclass(frozen=True, slots=True)
class QuestionDialog(Dialog):
    """A question with its answers, each one button press away.

    >>> dialog = QuestionDialog(Question("Take it back?"), answers=())
    >>> dialog.question.title
    'Take it back?'
    """

    asked: Question
    answers: tuple[Answer, ...]
    subject: Subject | None = None
    """Subject of a question about a camera reading: a later reading of the same subject answers it. None: no reading
    does."""

    @property
    def prompt(self) -> str:
        """Main line of the screen; empty for a question about a reading: the stage's own main line stays."""
        return Dialog.prompt.__get__(self) if self.subject is None else ""

    @property
    def question(self) -> Question:
        """The question that is shown."""
        return self.asked

    def list_answers(self) -> Sequence[Answer]:
        """List the answers of the question, as they were given to it."""
        return self.answers


def ask_question(
    question: Question,
    *answers: tuple[Input, str, LazyStep],
    subject: Subject | None = None,
    shown_seconds: float = 0.0,
) -> QuestionDialog:
    """Open a question all of whose answers are awaited: their lamps blink.

    >>> from companion.api import ConsolePress
    >>> yes, no = (ConsolePress.OK, "Yes", lambda: None), (ConsolePress.NO, "No", lambda: None)
    >>> dialog = ask_question(Question("Take it back?"), yes, no)
    >>> [offer.label for offer in dialog.list_offers()]
    ['Yes', 'No']

    Args:
        question: the question in the current language.
        answers: input, label and step of each answer, each input once.
        subject: subject of a question about a camera reading, which a later reading of the same subject answers; None:
            it is about none. It opens by itself: it is read before any button answers it.
        shown_seconds: see `Offer`; at least `MIN_SHOWN_SECONDS` with a subject.
    """
    shown_seconds = max(shown_seconds, 0.0 if subject is None else MIN_SHOWN_SECONDS)
    made = tuple(Answer(*answer, awaited=True, shown_seconds=shown_seconds) for answer in answers)
    return QuestionDialog(question, made, subject)


def ask_confirmation(question: str, step: LazyStep) -> QuestionDialog:
    """Open a question with the answers OK (yes) and NO (closes it), before something that is rare or hard to undo.

    Args:
        question: the question in the current language.
        step: step of OK.
    """
    return ask_question(
        Question(question, warning=True), (ConsolePress.OK, _("Yes"), step), (ConsolePress.NO, _("No"), None)
    )


@dataclass(frozen=True, slots=True)
class ListMenu(Dialog):
    """One of several lines: PLUS and MINUS move, OK chooses.

    Args:
        title: heading, translated.
        items: label and step of each line, at least one; the labels get a capital letter.
        selected: index of the selected line, from 0.
    """

    title: str
    items: tuple[tuple[str, LazyStep], ...]
    selected: int = 0
    back: LazyStep = None
    """Step of NO."""
    shortcuts: tuple[Answer, ...] = ()
    """Answers of further buttons."""
    subject: Subject | None = None
    """As of a question."""
    key_labels: tuple[str, ...] = ()
    """Labels of the number keys, one for each line; empty: the lines have no number keys."""

    @property
    def _numbered(self) -> range:
        """Indexes of the lines that have a number key now: the six among which the selected one is."""
        first = self.selected // NUMBER_KEYS * NUMBER_KEYS
        return range(first, min(first + NUMBER_KEYS, len(self.key_labels)))

    @property
    def menu(self) -> Menu:
        """The lines, with the selected one, and which of them have a number key."""
        lines = tuple(label for label, _step in self.items)
        first, count = (self._numbered.start, len(self._numbered)) if self.key_labels else (0, 0)
        return Menu(self.title, lines, self.selected, numbered=count, first_numbered=first)

    def list_answers(self) -> Sequence[Answer]:
        """List the shortcuts, the number keys, OK to choose the selected line, PLUS and MINUS to move, and NO.

        The number keys choose among six lines; with the selected line they pass on to the next six. PLUS on the first
        line leads to the last one, MINUS on the last to the first.

        Raises:
            ZeroDivisionError: the menu has no items.
        """
        return [
            *self.shortcuts,
            *self._list_number_keys(),
            Answer(ConsolePress.OK, _("Select"), lambda: self.items[self.selected][1], awaited=True),
            *up_down_answers(self._move(-1), self._move(1)),
            back_answer(self.back),
        ]

    def _list_number_keys(self) -> Sequence[Answer]:
        labels = label_number_keys([self.key_labels[i] for i in self._numbered])
        return [
            Answer(NumberPress(number), label, self.items[i][1])
            for number, (i, label) in enumerate(zip(self._numbered, labels, strict=True), 1)
        ]

    def _move(self, by: int) -> ListMenu:
        return replace(self, selected=(self.selected + by) % len(self.items))


def fits_key(label: str) -> bool:
    """Return whether a label fits its key: at most two short words.

    >>> fits_key("Ten Thousand"), fits_key("Maximilianna")
    (True, False)
    """
    words = label.split()
    return len(words) <= MAX_KEY_LABEL_WORDS and all(len(word) <= MAX_KEY_WORD_LENGTH for word in words)


def label_number_keys(labels: Sequence[str]) -> Sequence[str]:
    """Return the labels of number keys: those given, or "Line 1", "Line 2" ... if one does not fit its key."""
    return labels if all(map(fits_key, labels)) else [_("Line {n}", n=i) for i in range(1, len(labels) + 1)]


def open_numbered_menu(
    title: str,
    items: Sequence[tuple[str, LazyStep]],
    selected: int = 0,
    back: LazyStep = None,
    key_labels: Sequence[str] = (),
) -> ListMenu:
    """Open a menu whose lines are one press away, on the number keys: six at a time, as the selected line moves on.

    Args:
        title: heading of the menu, translated.
        items: label and step of each line; at least one.
        selected: index of the line that is selected at first, from 0 to the number of items - 1; not checked.
        back: step of NO; None: it closes the menu.
        key_labels: labels of the number keys, one for each line; empty: the lines' own. If one of six does not fit its
            key (`fits_key`), all say "Line 1", "Line 2" ...

    Raises:
        ValueError: there are not as many `key_labels` as items.
    """
    lines = tuple((capitalize_first_letter(label), step) for label, step in items)
    labels = tuple(key_labels) or tuple(label for label, _step in lines)
    if len(labels) != len(items):
        raise ValueError(f"{len(items)} lines need a label each, not {len(labels)}")
    return ListMenu(title, lines, selected, back, key_labels=labels)


def ask_yes_or_no(question: str, move: Move) -> QuestionDialog:
    """Open a question whose answer is the value of an open move: OK is yes (1), NO is no (0), MINUS goes back.

    Args:
        question: the question in the current language.
        move: an open move whose value is 0 or 1.
    """
    yes, no = (
        Answer(key, label, move.fill(value), awaited=True, shown_seconds=MIN_SHOWN_SECONDS)
        for key, label, value in ((ConsolePress.OK, _("Yes"), 1), (ConsolePress.NO, _("No"), 0))
    )
    return QuestionDialog(Question(question), (yes, no, Answer(ConsolePress.MINUS, _("Back"))))
