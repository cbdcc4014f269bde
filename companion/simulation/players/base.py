"""What all virtual players have in common: they read the screen's offers and nothing else, press, and wait a while for
the camera to see what they did to the table.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from companion.events import Button, ButtonPressed, ButtonReleased, Event
from companion.games.api.offers import Command, ConsolePress, Offer, TableAction
from companion.referee.button_mapping import find_button
from companion.screen_state import ScreenKind, ScreenState

PATIENCE_SECONDS = 4.0
"""Seconds that players wait for the box to see what they did, before they do something about it."""
PAUSE_SECONDS = 0.2
"""Seconds between two things that one group of people does."""
THINKING_SECONDS = (0.4, 6.0)
"""Seconds, least and most, that players take where nobody waits for them."""
UNUSED_COMMANDS = {
    "fix",
    "again",
    "lobby",
    "pause",
    "erase",
    "second",
    "by hand",
    "picture",
    "live",
    "undo",
    "score sheet",
}
"""Commands that players at play have no use for."""


class PlayedTable(Protocol):
    """What the players' things lie on."""

    def is_busy(self, now: float) -> bool:
        """Whether somebody's hand is doing something at `now`."""
        ...


PlayedTableT = TypeVar("PlayedTableT", bound=PlayedTable)


@dataclass(slots=True)
class VirtualPlayers(ABC, Generic[PlayedTableT]):
    """People around a virtual table; what they choose and what their hands do there is each table's own.

    Args:
        table: the things on it.
        rng: what they feel like.
        count: how many they are, where nobody's name was given.
        thinking: seconds, least and most, that they take where nobody waits for them.
    """

    table: PlayedTableT
    rng: random.Random
    player_count: int
    thinking_seconds: tuple[float, float] = THINKING_SECONDS
    _next_at: float = 0.0
    _unseen_action: tuple[Sequence[Offer], TableAction, float] | None = None

    def act(
        self,
        shown: ScreenState,
        offers: Sequence[Offer],
        now: float,
        bot_weight: Callable[[Offer], float] = lambda _offer: 1.0,
    ) -> list[Event]:
        """What they do now: presses come back as signals, deeds are done to the table.

        Args:
            likely: how much they like an offer (`Kit.likely` of the game in play).
        """
        if self.table.is_busy(now) or now < self._next_at:
            return []
        if self._unseen_action is not None:
            before, deed, since = self._unseen_action
            if before == offers and now - since < PATIENCE_SECONDS:
                return []
            self._unseen_action = None
            if before == offers:
                return self._handle_unseen(deed, shown, offers, now)
        self._next_at = now + (
            PAUSE_SECONDS if any(o.awaited for o in offers) else self.rng.uniform(*self.thinking_seconds)
        )
        if shown.kind is ScreenKind.LOBBY and shown.question is None and shown.menu is None:
            wanted = "start" if len(shown.players) >= self.player_count else "join"
            offers = [o for o in offers if isinstance(o.action, Command) and o.action.name == wanted]
        elif shown.kind in {ScreenKind.LOBBY, ScreenKind.FIRST}:
            offers = [o for o in offers if o.input is ConsolePress.OK]
        chosen = self._choose_offer(shown, offers, bot_weight)
        return self._execute(chosen, shown, offers, now) if chosen else []

    @abstractmethod
    def _choose_offer(
        self, shown: ScreenState, offers: Sequence[Offer], likely: Callable[[Offer], float]
    ) -> Offer | None:
        """One of the offers; None: nothing for now."""

    @abstractmethod
    def _execute(self, offer: Offer, shown: ScreenState, offers: Sequence[Offer], now: float) -> list[Event]:
        """Does it; a deed for the camera to see is remembered in `_done`."""

    @abstractmethod
    def _handle_unseen(self, deed: TableAction, shown: ScreenState, offers: Sequence[Offer], now: float) -> list[Event]:
        """The box did not see what was done: what they do about it."""

    def _press(self, offer: Offer, shown: ScreenState, now: float) -> list[Event]:
        seating: Sequence[Button] = [p.button for p in shown.players]
        button = find_button(offer.input, seating)
        assert button is not None, offer
        return [ButtonPressed(button, now), ButtonReleased(button, now + 0.05)]


def is_unused(offer: Offer) -> bool:
    """Whether players at play never choose it."""
    return offer.input is ConsolePress.HOLD_NO or (
        isinstance(offer.action, Command) and offer.action.name in UNUSED_COMMANDS
    )
