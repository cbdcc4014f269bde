"""People who read the offers on the screen and press buttons, wrong ones now and then; and their way in a lobby."""

from __future__ import annotations

import math
import random
from typing import Any

from companion.api import Command, ConsolePress, Offer, TableAction, registry
from companion.app.session import Session
from companion.events import SEAT_BUTTONS, Button
from companion.referee.button_mapping import find_button
from companion.referee.unmeant_presses import REACTION_SECONDS
from companion.screen_state import ScreenKind, ScreenState
from companion.simulation.players.base import is_unused

SHORT: dict[str, dict[str, Any]] = {
    "macroscope": {"rounds": 3},
    "memo_dice": {"target_square": 5},
    "pictomania": {"rounds": 2},
    "score_keeper": {"target_points": 30},
    "secret_number": {"games": 1, "round_seconds": 15, "show_seconds": 1},
    "starfall": {"tiles_removed": {2: (25,), 3: (25,), 4: (25,)}},
}
"""House rules that make short games."""
WRONG_PRESS_SHARE = 0.04
"""Probability of a press of a random button."""
UNDO_SHARE = 0.02


class Fingers:
    """A player that reads the offers on the screen and presses a button."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._held: tuple[Button, float] | None = None
        """The button that is held, and until when."""
        self._pressed_at: dict[Button, float] = {}

    def act(self, game_session: Session, shown: ScreenState, now: float) -> None:
        if self._held is not None:
            button, until = self._held
            if now >= until:
                self.send_key(button, "keyup")
                self._held = None
            return
        drawn = self._rng.random()
        if shown.kind is ScreenKind.PLAY and drawn < UNDO_SHARE and any(k.is_hold for k in shown.soft_keys):
            self._hold(Button.NO, now)
        elif shown.kind is ScreenKind.PLAY and drawn < UNDO_SHARE + WRONG_PRESS_SHARE:
            self.press(self._rng.choice([*SEAT_BUTTONS, Button.PLUS]), now)
        else:
            self._choose(game_session, shown, now)

    def press(self, button: Button, now: float, shown_seconds: float = 0.0) -> None:
        """Press a button, unless it was pressed so short a time ago that nobody can have read what it does now."""
        if now - self._pressed_at.get(button, -math.inf) > max(REACTION_SECONDS, shown_seconds):
            self._pressed_at[button] = now
            self.send_key(button)

    def send_key(self, button: Button, how: str = "key") -> None:
        """Press and release a button, or only press ("keydown") or release it ("keyup")."""
        raise NotImplementedError

    def _hold(self, button: Button, now: float) -> None:
        self.send_key(button, "keydown")
        self._held = button, now + 1.3

    def _choose(self, game_session: Session, shown: ScreenState, now: float) -> None:
        offers = [
            o for o in game_session.stage.list_offers() if not isinstance(o.input, TableAction) and not is_unused(o)
        ]
        if shown.menu is not None and any(o.input is ConsolePress.NO for o in offers):
            offers = [o for o in offers if o.input is ConsolePress.NO]  # a menu opened by mistake
        saved_game = game_session.saved_game
        weights = [
            self._weight(o, saved_game.definition.get_bot_weight(saved_game.game, o) if saved_game else 1.0)
            for o in offers
        ]
        if any(weights):
            (chosen,) = self._rng.choices(offers, weights)
            button = find_button(chosen.input, [p.button for p in shown.players])
            assert button is not None
            if chosen.input is ConsolePress.HOLD_OK:
                self._hold(button, now)
            else:
                self.press(button, now, chosen.shown_seconds)

    def _weight(self, offer: Offer, likely: float) -> float:
        back = isinstance(offer.action, Command) and offer.input is ConsolePress.NO
        return likely * (0.05 if back else 3.0 if offer.awaited else 1.0)


def choose_in_lobby(shown: ScreenState, wanted: str) -> Button:
    """Return the next button in the lobby: the game, on any page of the games, three seats, start."""
    if shown.menu is not None:
        if shown.menu.details:
            title, titles = registry.find_game(wanted).translated_title, shown.menu.items
            return SEAT_BUTTONS[titles.index(title)] if title in titles else Button.PLUS
        return Button.OK if shown.menu.title.startswith("How many stars") else Button.NO
    if shown.game_name != wanted:
        return Button.PLUS
    if len(shown.players) < min(3, registry.find_game(wanted).player_counts[-1]):
        taken = {p.button for p in shown.players}
        return next(b for b in SEAT_BUTTONS if b not in taken)
    return Button.OK
