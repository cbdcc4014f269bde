"""People around a table who do not know the companion: they play by the rulebook and wait for no screen.

They throw, take and cover when the rules let them, press only what nobody can see, and keep their own account in a
scorer that shares no code with the game. Their hands (`hands.py`) either send readings or act on a simulated table.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from companion.api import Correction, Move
from companion.events import SEAT_BUTTONS, Button, ButtonPressed, ButtonReleased
from companion.referee.base_readings import format_values
from companion.referee.button_mapping import find_button
from companion.referee.dialogs.base import Dialog
from companion.screen_state import Menu
from tests.simulated_groups.hands import Hands

SLIP_SHARE = 0.2
"""Probability of each slip of impatient people: a wrong button, OK once more, a cocked die, a thing put back."""
MASH_SECONDS = 0.5
"""Between two presses of who is impatient."""
MASH_PRESSES = 4, 6
"""How often OK is pressed in a spell of mashing, at least and at most."""
CHECK_SHARE = 0.3
"""Probability that people stop for a while, where a camera watches them, so that the game can be compared."""


class Group(ABC):
    """A group that plays one game on a table with a camera.

    Args:
        hands: act on the table, at the start of a game.
        scorer: the group's own account.
        is_impatient: they press buttons that mean nothing, press OK again and again, and do not throw well. Where they
            are filmed they press it once more only: each frame of a spell of presses would be drawn.

    Attributes:
        presses: how many buttons were pressed in turns of each kind in which nothing was asked, one number a turn.
        questions: how often each question was asked.
        undone: how many moves had to be taken back: what a wrong button did, or a throw that did not count.
    """

    def __init__(self, hands: Hands, scorer: Any, random: Random, *, is_impatient: bool) -> None:
        self.hands, self.table, self.scorer = hands, hands.table, scorer
        self.random, self.is_impatient = random, is_impatient
        self.presses: defaultdict[str, list[int]] = defaultdict(list)
        self.questions: Counter[str] = Counter()
        self.undone = self._count = 0
        self._mashed_at = 0.0
        """When the last spell of presses ended; it may go on if no time has passed since."""

    @property
    def game(self) -> Any:
        """The game now."""
        return self.table.game

    def play(self, turns: int = 10_000) -> None:
        """Play that many turns, or to the end of the game; then the game is as the group's own account has it."""
        while not self.scorer.over and turns:
            turns -= 1
            self._count, questions = 0, self.questions.total()
            kind = self._play_turn()
            if kind and self.questions.total() == questions:
                self.presses[kind].append(self._count)
        self.hands.rest()
        self._answer_questions()
        self._compare()

    @abstractmethod
    def _compare(self) -> None:
        """Check that totals, scores of the rounds and outcome are those of the group's own account."""

    @abstractmethod
    def _play_turn(self) -> str:
        """Play a turn; return its kind, or nothing if its presses are not to be counted."""

    @abstractmethod
    def _answer(self, title: str) -> Button | None:
        """Return the button that answers a question truly; None: the answer that names `_list_true_values`, or OK."""

    def _list_true_values(self) -> Sequence[tuple[int, ...]]:
        """Return what is true of the table now: the value of an answer that says so is right."""
        return ()

    def _happens(self, share: float) -> bool:
        return self.random.random() < share

    def _slips(self) -> bool:
        return self.is_impatient and self._happens(SLIP_SHARE)

    def _is_compared(self) -> bool:
        """Return whether the game can be compared now; people stop for it if it takes a while."""
        if self.hands.are_filmed and not self._happens(CHECK_SHARE):
            return False
        self.hands.rest()
        self._answer_questions()
        return True

    def _wait(self, shortest: float, longest: float) -> None:
        self._let_time_pass(shortest, longest)
        self._answer_questions()

    def _let_time_pass(self, shortest: float, longest: float) -> None:
        """Wait, or press OK meanwhile; a spell of presses that had no effect may go on after what was read last."""
        goes_on = self._mashed_at == self.table.clock.now
        if self._mashes() and (goes_on or self.table.referee.dialog is None):
            self._mash(goes_on=goes_on)
        else:
            self.table.wait(self.random.uniform(shortest, longest))

    def _throw_badly(self, throw: Callable[[], object]) -> None:
        """Throw so that it does not count; nothing is played then, or people take it back."""
        self.hands.rest()
        self._answer_questions()
        before = self.game
        throw()
        self._let_time_pass(0.5, 2.0)
        if self.table.state.question is not None and self._happens(0.7):
            self.table.press(Button.NO)
        self._undo_to(before)

    def _undo_to(self, game: Any) -> None:
        """Take back what was played since."""
        for _step in range(10):
            if self.game == game:
                return
            self.undone += 1
            self.table.hold(Button.NO)
            self.table.wait(0.5)
        raise AssertionError("what people did not mean could not be taken back")

    # Buttons ---------------------------------------------------------------------------------------------------

    def _press(self, button: Button) -> None:
        """Press a button; what somebody who is impatient presses then is none of those presses that are needed."""
        self._count += 1
        self.table.press(button)
        if self._mashes():
            self._mash(goes_on=button is Button.OK)
        elif self.hands.are_filmed and button is Button.OK and self._slips():
            self._press_blindly(button)
        self._answer_questions()

    def _press_own(self, seat: int) -> None:
        self._press(self._find_own(seat))

    def _find_own(self, seat: int) -> Button:
        return self.table.saved_game.setup.buttons[seat]

    def _mashes(self) -> bool:
        return not self.hands.are_filmed and self._slips()

    def _mash(self, *, goes_on: bool) -> None:
        """Press OK twice a second, and take back what that did.

        Args:
            goes_on: OK was pressed half a second ago. No press but the first one after a pause may take what is to be
                read first: a question, or the scores.
        """
        before, referee, asked = self.game, self.table.referee, self.table.referee.dialog
        for _press in range(self.random.randint(*MASH_PRESSES)):
            offer, state = self.table.offer(Button.OK), (self.table.saved_game.last_seq, referee.dialog)
            is_unread = goes_on and offer is not None and (offer.shown_seconds or referee.dialog is not None)
            self._press_blindly(Button.OK)
            assert referee.exit is None, "nobody has seen who won"
            if is_unread and offer is not None:
                assert (self.table.saved_game.last_seq, referee.dialog) == state, f"'{offer.label}' skips what was new"
            goes_on = True
        self._mashed_at = self.table.clock.now
        self._take_back(before, asked)

    def _take_back(self, game: Any, asked: Dialog | None = None) -> None:
        """Leave what a button has opened that nobody meant, but for what was asked before, and undo what it played."""
        if self.table.referee.dialog not in (None, asked):
            self.table.press(Button.NO)
        self._undo_to(game)

    def _press_blindly(self, button: Button) -> None:
        """Press without reading the screen, half a second after the press before."""
        at = self.table.clock.now
        self.table.send(ButtonPressed(button, at))
        self.table.wait(0.1)
        self.table.send(ButtonReleased(button, at + 0.1))
        self.table.wait(MASH_SECONDS - 0.1)

    def _answer_questions(self) -> None:
        """Answer what is asked, truly."""
        # The dialog itself: to build the whole screen takes longer than to play.
        while (dialog := self.table.referee.dialog) is not None and (asked := dialog.question or self._find_menu()):
            title = asked.title
            self.questions[title] += 1
            assert self.questions.total() < 1000, f"asked again and again: {title}"
            if isinstance(asked, Menu):
                self._select_true_line(asked)
            self.table.press(self._answer(title) or self._find_true_answer() or Button.OK)

    def _select_true_line(self, menu: Menu) -> None:
        """Move to the line that is true; in a menu without one the selected line stays."""
        true = [format_values(tuple(sorted(values))) for values in self._list_true_values()]
        if line := next((line for line, label in enumerate(menu.items) if label in true), 0):
            for _step in range(line - menu.selected):
                self.table.press(Button.MINUS)

    def _find_menu(self) -> Menu | None:
        """Return the camera's open menu of readings; None: none is open, or one that people have opened."""
        dialog = self.table.referee.dialog
        return dialog.menu if dialog is not None and getattr(dialog, "subject", None) is not None else None

    def _find_true_answer(self) -> Button | None:
        true = [tuple(sorted(values)) for values in self._list_true_values()]
        for offer in self.table.referee.list_offers():
            if isinstance(offer.action, Move | Correction) and tuple(sorted(offer.action.value)) in true:
                return find_button(offer.input, self.table.saved_game.setup.buttons)
        return None


def find_number_key(number: int) -> Button:
    """Return the key of a number, from 1."""
    return SEAT_BUTTONS[number - 1]
