"""Dialogs that take small numbers, by buttons alone; amounts of points: `amount_input.py`.

The range of a corrected number: `corrections.py` of its game.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from companion.api import Command, CommandName, ConsolePress, Correctable, Move, NumberPress, ValueRange
from companion.i18n import _, capitalize_first_letter, format_number
from companion.referee.dialogs.base import NUMBER_KEYS, Answer, Dialog, LazyStep, Step, back_answer
from companion.screen_state import Menu, Question

Number = int | float


def more_less_answers(more: Step, less: Step, *, names: bool = False) -> list[Answer]:
    """Make the answers of PLUS and MINUS that step a value; none for a step that is None.

    Args:
        more: step of PLUS; None: no such answer.
        less: step of MINUS; None: no such answer.
        names: the values are names: the labels are "Next" and "Previous" in place of "More" and "Less".
    """
    up, down = (_("Next"), _("Previous")) if names else (_("More"), _("Less"))
    steps = (ConsolePress.PLUS, up, more), (ConsolePress.MINUS, down, less)
    return [Answer(*step, repeats=True) for step in steps if step[-1] is not None]


@dataclass(frozen=True, slots=True)
class NumberInput(Dialog):
    """One number from `low` to `high`, changed with PLUS and MINUS by `step`; it stops at both ends.

    Args:
        title: heading, translated.
        value: the number now, from `low` to `high`.
        format_value: formats a number for the screen.
        back: step of NO; None: it closes the input.
        old_value: the number at first, which is shown once `value` is another one; None: it is not shown.
    """

    title: str
    value: Number
    low: Number
    high: Number
    on_done: Callable[[Number], LazyStep]
    """Makes the step of OK from the value."""
    step: Number = 1
    format_value: Callable[[Number], str] = lambda value: format_number(f"{value:g}")
    back: LazyStep = None
    ok_label: str = ""
    """Empty: "OK"."""
    has_names: bool = False
    """The values are names: PLUS and MINUS say so."""
    jumps: tuple[int, ...] = ()
    """Larger steps, on the number keys from 1; empty: PLUS and MINUS do."""
    old_value: Number | None = None

    @property
    def prompt(self) -> str:
        """Main line of the screen: how the value is changed."""
        return _("Change it with + and −, then OK")

    @property
    def menu(self) -> Menu:
        """The title with the value, formatted for the screen: a word with a capital letter."""
        note = None
        if self.old_value is not None:
            note = "" if self.old_value == self.value else _("was {old}", old=self.format_value(self.old_value))
        return Menu(self.title, (), 0, capitalize_first_letter(self.format_value(self.value)), note=note)

    def list_answers(self) -> Sequence[Answer]:
        """List OK, NO, and PLUS and MINUS while the value can be changed in that direction.

        Raises:
            BadCorrection: the input corrects something, and the value is out of range.
        """
        return [
            Answer(ConsolePress.OK, self.ok_label or _("OK"), self.on_done(self.value), awaited=True),
            back_answer(self.back),
            *more_less_answers(self._change(self.step), self._change(-self.step), names=self.has_names),
            *(
                Answer(NumberPress(key), format_number(f"{jump:+d}"), changed, repeats=True)
                for key, jump in enumerate(self.jumps, 1)
                if (changed := self._change(jump)) is not None
            ),
        ]

    def _change(self, by: Number) -> Step:
        value = min(self.high, max(self.low, self.value + by))
        return None if value == self.value else replace(self, value=value)


def open_number_correction(title: str, target: Correctable, labels: Sequence[str] = ()) -> NumberInput:
    """Open the input that corrects one value; OK without a change closes it.

    Args:
        title: heading of the input, translated.
        target: the value to correct, one number, with its range.
        labels: words for the values, one for each from the lowest up; empty: the numbers themselves.

    Raises:
        IndexError: `target` has no value. Too few `labels` raise it only when such a value is shown.
    """
    low, high, step = target.value_range.low, target.value_range.high, target.value_range.step
    jumps = () if labels or high - low <= MAX_STEPPED_RANGE else JUMPS
    return NumberInput(
        title,
        target.current_value[0],
        low,
        high,
        lambda value: _correct_if_changed(target, (int(value),)),
        step=step,
        format_value=(lambda value: labels[int(value) - low]) if labels else lambda value: format_number(f"{value:g}"),
        ok_label=_("Change"),
        has_names=bool(labels),
        old_value=target.current_value[0],
        jumps=tuple(by for by in jumps if by % step == 0),
    )


MAX_STEPPED_RANGE = 1000
"""Widest range of values that are corrected by steps of 1 alone."""
JUMPS = (-1000, -100, -10, 10, 100, 1000)
"""Steps of the number keys in a wider range."""


def _correct_if_changed(target: Correctable, values: tuple[int, ...]) -> Step:
    return None if values == target.current_value else target.make_correction(*values)


@dataclass(frozen=True, slots=True)
class CountsInput(Dialog):
    """Several small counts at once (tokens on the device); after the highest value of a count comes the lowest.

    Each number's button steps its count up; PLUS and MINUS change the count that was stepped last.

    Args:
        title: heading, translated.
        target: the values to correct, at most six, with their range.
        values: the counts now, as many as the target has.
    """

    title: str
    target: Correctable
    values: tuple[int, ...]
    selected: int = 0
    """Index of the count that PLUS and MINUS change."""

    @property
    def question(self) -> Question:
        """The title, and all counts by their number."""
        return Question(self.title, " · ".join(f"{i}: {n}" for i, n in enumerate(self.values, 1)))

    def list_answers(self) -> Sequence[Answer]:
        """List a number key for each count, PLUS and MINUS for the last one, OK to correct them, and NO to go back.

        Raises:
            BadCorrection: a count is out of range.
        """
        number = self.selected + 1
        return [
            *(
                Answer(NumberPress(i + 1), f"{i + 1}: {n}", self._step(i), repeats=True)
                for i, n in enumerate(self.values)
            ),
            Answer(ConsolePress.OK, _("Change"), _correct_if_changed(self.target, self.values), awaited=True),
            back_answer(),
            Answer(ConsolePress.PLUS, _("{n}: more", n=number), self._step(self.selected)),
            Answer(ConsolePress.MINUS, _("{n}: less", n=number), self._step(self.selected, -1)),
        ]

    def _step(self, i: int, by: int = 1) -> "CountsInput":
        value = step_around(self.target.value_range, self.values[i], by)
        return replace(self, values=replace_value(self.values, i, value), selected=i)


@dataclass(frozen=True, slots=True)
class DigitsInput(Dialog):
    """Numbers from 1 to 6 entered one press each, on the seat buttons: a roll, or a token's number.

    Args:
        title: heading, translated.
        target: the open move that the numbers complete, or the value that they correct.
        entered_numbers: the numbers entered so far, fewer than the target has.
    """

    title: str
    target: Move | Correctable
    entered_numbers: tuple[int, ...] = ()
    ask_about: Callable[[Move], Step] = lambda move: move
    """Makes the step of the completed move."""

    @property
    def value_range(self) -> ValueRange:
        """How many numbers are entered, and their limits.

        Raises:
            AssertionError: `target` is a move that is not open.
        """
        assert self.target.value_range is not None, "an open move"
        return self.target.value_range

    @property
    def question(self) -> Question:
        """The title, and which buttons are the numbers."""
        return Question(self.title, _("The seat buttons are the numbers 1 to 6"))

    def list_answers(self) -> Sequence[Answer]:
        """List the number keys within the range, and NO, which erases the last number or closes the empty input."""
        erased = replace(self, entered_numbers=self.entered_numbers[:-1]) if self.entered_numbers else None
        digits = range(self.value_range.low, self.value_range.high + 1)
        return [
            *(
                Answer(NumberPress(n), str(n), Command(CommandName.DIGIT, (n,)), awaited=True, repeats=True)
                for n in digits
            ),
            replace(back_answer(erased), repeats=erased is not None),
        ]

    def handle(self, command: Command) -> Step:
        """Find the step of a command; a DIGIT that completes the numbers leads to the move or the correction.

        Returns:
            The input with one number more, the completed move or correction, or None: the input closes.

        Raises:
            IndexError: there is no answer of the command's index.
            ValueError: the last number is entered, and one is out of range (`BadCorrection` for a correction).
        """
        if command.name is not CommandName.DIGIT:
            return Dialog.handle(self, command)
        entered = (*self.entered_numbers, *command.value)
        if len(entered) < self.value_range.count:
            return replace(self, entered_numbers=entered)
        target = self.target
        if isinstance(target, Correctable):
            return target.make_correction(*entered)
        return self.ask_about(target.fill(*entered))


@dataclass(frozen=True, slots=True)
class RowInput(Dialog):
    """Several small numbers, one after the other: a number key enters one, OK moves on to the next.

    Args:
        title: heading, translated.
        labels: a label for each number, translated.
        values: the numbers now, at least one, each from `low` to `high`.
        low: lowest number.
        high: highest number; those above 6 have no key, and are reached with PLUS.
        back: step of NO at the first number; None: it closes the input.
        selected: index of the number that is being entered, from 0.
    """

    title: str
    labels: tuple[str, ...]
    values: tuple[int, ...]
    low: int
    high: int
    on_done: Callable[[tuple[int, ...]], Step]
    """Makes the step of the last OK from the values."""
    back: LazyStep = None
    selected: int = 0

    @property
    def menu(self) -> Menu:
        """All numbers with their labels; the selected one is shown large.

        Raises:
            ValueError: there are not as many labels as values.
        """
        lines = tuple(
            label if i == self.selected else f"{label}  {format_number(value)}"
            for i, (label, value) in enumerate(zip(self.labels, self.values, strict=True))
        )
        return Menu(self.title, lines, self.selected, format_number(self.values[self.selected]))

    def list_answers(self) -> Sequence[Answer]:
        """List the number keys within the range, OK (next or done), NO (previous or back), and PLUS and MINUS.

        PLUS and MINUS are left out at the ends of the range.
        """
        i = self.selected
        value, is_last = self.values[i], i == len(self.values) - 1
        return [
            *(
                Answer(NumberPress(n), str(n), self._enter(n))
                for n in range(max(1, self.low), min(NUMBER_KEYS, self.high) + 1)
            ),
            Answer(ConsolePress.OK, _("All right"), lambda: self.on_done(self.values), awaited=True)
            if is_last
            else Answer(ConsolePress.OK, _("Next"), replace(self, selected=i + 1), awaited=True),
            Answer(ConsolePress.NO, _("Previous"), replace(self, selected=i - 1)) if i else back_answer(self.back),
            *more_less_answers(
                self._enter(value + 1) if value < self.high else None,
                self._enter(value - 1) if value > self.low else None,
            ),
        ]

    def _enter(self, number: int) -> "RowInput":
        return replace(self, values=replace_value(self.values, self.selected, number))


def open_values_input(title: str, target: Move) -> Dialog:
    """Open the input of an open move: a press each for numbers up to 6, else one after the other with PLUS and MINUS.

    Args:
        title: heading, translated.
        target: the open move that the numbers complete.

    Raises:
        AssertionError: `target` is not open.
    """
    limits = target.value_range
    assert limits is not None, "an open move"
    if limits.high <= NUMBER_KEYS:
        return DigitsInput(title, target)
    labels = tuple(_("Number {n}", n=i) for i in range(1, limits.count + 1))
    return RowInput(title, labels, (limits.low,) * limits.count, limits.low, limits.high, lambda v: target.fill(*v))


def step_around(limits: ValueRange, value: int, by: int) -> int:
    """Return a value stepped within its range; after the highest comes the lowest, and the other way round.

    Args:
        limits: the lowest and the highest value; its count is not used.
        value: the value now, within the limits.
        by: the step, usually 1 or -1.

    >>> step_around(ValueRange(1, 0, 3), 3, 1), step_around(ValueRange(1, 1, 6), 1, -1)
    (0, 6)
    """
    return limits.low + (value - limits.low + by) % (limits.high - limits.low + 1)


def replace_value(values: tuple[int, ...], i: int, value: int) -> tuple[int, ...]:
    """Return a copy of `values` with `value` at index `i`.

    Args:
        values: the values.
        i: an index from 0; at or after the end the value is appended.
        value: the new value.
    """
    return (*values[:i], value, *values[i + 1 :])
