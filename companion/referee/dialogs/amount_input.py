"""The input of a number of points, gathered from keys that add 1, 2, 5 and so on."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.api import ConsolePress, Input, Move, NumberPress
from companion.i18n import _
from companion.referee.dialogs.base import Answer, Dialog, back_answer
from companion.screen_state import Menu

AMOUNT_STEPS = (1, 2, 5, 10, 20, 50, 100)
"""Points that the six number keys and PLUS add to an amount: any number up to 99 takes at most five presses."""
LARGE_AMOUNT_STEPS = (1, 5, 10, 50, 100, 500, 1000)
"""The same where an amount may be over `MAX_SMALL_AMOUNT`."""
HUGE_AMOUNT_STEPS = (1, 10, 100, 1000, 5000, 10_000, 100_000)
"""The same where it may be over `MAX_LARGE_AMOUNT`."""
MAX_SMALL_AMOUNT = 999
MAX_LARGE_AMOUNT = 9999


@dataclass(frozen=True, slots=True)
class AmountInput(Dialog):
    """A number of points, positive or negative, gathered by keys that add 1, 2, 5, 10, 20, 50 and 100.

    The larger the number may be, the more the keys add; where only multiples are allowed, they add multiples.

    Args:
        title: heading, translated.
        target: the open move that the amount completes: one number.
        amount: the number so far, without its sign.
        is_negative: the points are taken away.
    """

    title: str
    target: Move
    amount: int = 0
    is_negative: bool = False

    @property
    def prompt(self) -> str:
        """Main line of the screen: how the number is entered."""
        return _("Add up, then OK")

    @property
    def value(self) -> int:
        """The number with its sign."""
        return -self.amount if self.is_negative else self.amount

    @property
    def menu(self) -> Menu:
        """The title with the number, large; with a sign where both are possible."""
        sign = "" if self._is_never_negative else "−" if self.is_negative else "+"
        return Menu(self.title, (), 0, f"{sign}{self.amount}")

    @property
    def _is_never_negative(self) -> bool:
        return self.target.value_range is not None and self.target.value_range.low >= 0

    def list_answers(self) -> Sequence[Answer]:
        """List the keys that add, MINUS for the other sign, OK, and NO, which clears the number or goes back."""
        *by_number, by_plus = self._steps
        steps: list[tuple[Input, int]] = [(NumberPress(i), by) for i, by in enumerate(by_number, 1)]
        done: list[Answer] = []
        if self.target.value_range is not None and (self.value,) in self.target.value_range:
            done = [Answer(ConsolePress.OK, _("Enter"), self.target.fill(self.value), awaited=True)]
        is_empty = self.amount == 0 and not self.is_negative
        clear = Answer(ConsolePress.NO, _("Clear"), replace(self, amount=0, is_negative=False))
        return [
            *(
                Answer(key, f"+{by}", self._add(by), repeats=True)
                for key, by in (*steps, (ConsolePress.PLUS, by_plus))
                if self._can_be(self.amount + by)
            ),
            *done,
            back_answer() if is_empty else clear,
            *([self._sign_answer()] if not self._is_never_negative and self._can_be(-self.amount) else []),
        ]

    @property
    def _steps(self) -> Sequence[int]:
        """What the number keys and PLUS add."""
        limits = self.target.value_range
        assert limits is not None, "an open move"
        most = max(abs(limits.low), abs(limits.high)) // limits.step
        steps = AMOUNT_STEPS if most <= MAX_SMALL_AMOUNT else LARGE_AMOUNT_STEPS
        return [by * limits.step for by in (HUGE_AMOUNT_STEPS if most > MAX_LARGE_AMOUNT else steps)]

    def _sign_answer(self) -> Answer:
        label = _("Plus") if self.is_negative else _("Minus")
        return Answer(ConsolePress.MINUS, label, replace(self, is_negative=not self.is_negative))

    def _can_be(self, amount: int) -> bool:
        """Return whether an amount with the present sign (a negative one: with the other) is on the way to the limits.

        Numbers below the lowest are, and excluded ones: the keys lead past them.
        """
        value, limits = -amount if self.is_negative else amount, self.target.value_range
        return limits is not None and min(0, limits.low) <= value <= max(0, limits.high)

    def _add(self, by: int) -> "AmountInput":
        return replace(self, amount=self.amount + by)
