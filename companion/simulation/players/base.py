"""Base class of virtual players: they read only the screen's offers, press buttons, and act on the simulated table.

After an action on the table they wait for the camera to see it.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from companion.api import MIN_SHOWN_SECONDS, Command, CommandName, ConsolePress, Offer, TableAction
from companion.events import Button, ButtonPressed, ButtonReleased, Event
from companion.referee.button_mapping import find_button, is_seat_hold
from companion.referee.held_buttons import HOLD_SECONDS
from companion.referee.unmeant_presses import REACTION_SECONDS
from companion.screen_state import ScreenKind, ScreenState

PATIENCE_SECONDS = 4.0
"""Seconds that players wait for the camera to see an action, before they repeat it or enter it by a button press.

With a larger value, players are slower to recover from a missed reading; with a smaller one they act before a slow
camera could answer.
"""
PAUSE_SECONDS = 0.2
"""Seconds between two actions of one group of players while the game waits for them; the larger, the slower a game.
Where people watch: `companion/app/demo.py`."""
THINKING_SECONDS = (0.4, 6.0)
"""Shortest and longest time in seconds until the next action while the game waits for nobody."""
UNUSED_COMMANDS = frozenset(
    {
        CommandName.AGAIN,
        CommandName.CORRECT,
        CommandName.DICE_LUCK,
        CommandName.ENTER_SECOND_TOKEN,
        CommandName.ENTER_TOKEN,
        CommandName.ERASE,
        CommandName.LIVE_PICTURE,
        CommandName.LOBBY,
        CommandName.PAUSE,
        CommandName.PICTURE,
        CommandName.SCORE_SHEET,
        CommandName.UNDO,
    }
)
"""Commands that virtual players never choose during a game."""


class PlayedTable(Protocol):
    """A simulated table as far as the players of every game use it."""

    def is_busy(self, now: float) -> bool:
        """Return whether a hand is acting at `now` (seconds on the table's clock): then the players do nothing."""


PlayedTableT = TypeVar("PlayedTableT", bound=PlayedTable)


@dataclass(slots=True)
class VirtualPlayers(ABC, Generic[PlayedTableT]):
    """Base class for the people around a simulated table; a subclass chooses offers and executes them on its table.

    Args:
        table: the simulated table that the players act on.
        rng: random generator for choices and thinking times.
        player_count: number of players that join in the lobby before the game is started.
        thinking_seconds: shortest and longest time until the next action while the game waits for nobody.
        pause_seconds: seconds between two actions while the game waits for them.
    """

    table: PlayedTableT
    rng: random.Random
    player_count: int
    thinking_seconds: tuple[float, float] = THINKING_SECONDS
    pause_seconds: float = PAUSE_SECONDS
    _next_at: float = 0.0
    """Time in seconds before which the players do nothing."""
    _unseen_action: tuple[Sequence[Offer], TableAction, float] | None = None
    """The last action on the table that no change of the offers has confirmed: the offers before it, the action, and
    its time in seconds."""

    _view_before: Any = None
    """The game as it was before the last action."""

    _last_press: tuple[Button | None, float] = (None, -REACTION_SECONDS)
    """The button that was pressed last, and when, in seconds."""

    def act(
        self,
        state: ScreenState,
        offers: Sequence[Offer],
        now: float,
        bot_weight: Callable[[Offer], float] = lambda _offer: 1.0,
    ) -> list[Event]:
        """Take the next action if its time has come: act on the table, or press a button.

        Nothing is done while the table is busy or a thinking time runs, nor for up to `PATIENCE_SECONDS` after an
        action on the table, until the offers change: then the camera has seen it. An unseen action is repeated or
        entered by a press.

        Args:
            state: the screen that the players see.
            offers: the offers on that screen.
            now: time in seconds, on the clock of the table; it never goes back.
            bot_weight: relative probability of an offer, 0 or more (`GameDefinition.bot_weight` of the current game).

        Returns:
            A press and its release, which may lie in the future, to be fed to the stage; empty if nothing was pressed.

        Raises:
            ImpossibleAction: The table does not allow the action chosen: it differs from the game.
            IndexError: The offer chosen is for a seat without a player.
            StopIteration: An unseen action has no button.
            Exception: Anything that `bot_weight` raises.
        """
        if self.table.is_busy(now) or now < self._next_at or self._must_read_first(state, offers, now):
            return []
        if self._unseen_action is not None:
            before, action, since = self._unseen_action
            # After a throw that leaves the turn where it is, the offers are the same, but the game is another.
            is_unseen = before == offers and state.view == self._view_before
            if is_unseen and now - since < PATIENCE_SECONDS:
                return []
            self._unseen_action = None
            if is_unseen:
                return self._handle_unseen(action, state, offers, now)
        self._next_at = now + (
            self.pause_seconds if any(o.awaited for o in offers) else self.rng.uniform(*self.thinking_seconds)
        )
        if state.kind is ScreenKind.LOBBY and state.question is None and state.menu is None:
            wanted = CommandName.START if len(state.players) >= self.player_count else CommandName.JOIN
            offers = [o for o in offers if isinstance(o.action, Command) and o.action.name == wanted]
        elif state.kind in {ScreenKind.LOBBY, ScreenKind.FIRST}:
            offers = [o for o in offers if o.input is ConsolePress.OK]
        chosen = self._choose_offer(state, offers, bot_weight)
        self._view_before = state.view
        return self._execute(chosen, state, offers, now) if chosen else []

    def wait_until(self, at: float) -> None:
        """Do nothing before a time, in seconds on the table's clock; a later one that is set already stays."""
        self._next_at = max(self._next_at, at)

    @abstractmethod
    def _choose_offer(
        self, state: ScreenState, offers: Sequence[Offer], bot_weight: Callable[[Offer], float]
    ) -> Offer | None:
        """Choose one of the offers; None: do nothing now."""

    @abstractmethod
    def _execute(self, offer: Offer, state: ScreenState, offers: Sequence[Offer], now: float) -> list[Event]:
        """Execute the offer and return its button events; an action for the camera is stored in `_unseen_action`."""

    def _handle_unseen(
        self, action: TableAction, state: ScreenState, offers: Sequence[Offer], now: float
    ) -> list[Event]:
        """Repeat an action that the camera did not see, or return the button events that enter it."""
        raise AssertionError("nothing is done on a table")

    def _must_read_first(self, state: ScreenState, offers: Sequence[Offer], now: float) -> bool:
        """Return whether the button pressed last means something new: pressed again now, it would do nothing."""
        button, at = self._last_press
        seating = [p.button for p in state.players]
        return any(
            find_button(offer.input, seating) is button
            and not offer.repeats
            and now - at < max(REACTION_SECONDS, min(offer.shown_seconds, MIN_SHOWN_SECONDS))
            for offer in offers
        )

    def _press(self, offer: Offer, state: ScreenState, now: float) -> list[Event]:
        """Return the events of a press of the offer's button: a short one, 0.05 seconds, unless it is to be held."""
        seating: Sequence[Button] = [p.button for p in state.players]
        button = find_button(offer.input, seating)
        assert button is not None, offer
        self._last_press = button, now
        is_held = offer.input is ConsolePress.HOLD_OK or is_seat_hold(offer.input)
        seconds = HOLD_SECONDS if is_held else 0.05
        return [ButtonPressed(button, now), ButtonReleased(button, now + seconds)]


def is_unused(offer: Offer) -> bool:
    """Return whether virtual players never choose the offer in a game: undo (NO held), or `UNUSED_COMMANDS`."""
    return offer.input is ConsolePress.HOLD_NO or (
        isinstance(offer.action, Command) and offer.action.name in UNUSED_COMMANDS
    )
