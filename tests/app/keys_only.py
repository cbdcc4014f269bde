"""A complete session in a real window with nothing but keys: all games in turn, wrong presses included.

The window gets real X key events (xdotool) and nothing else. Prints one JSON object: each game's name and scores as
the screen shows them at its end.

Usage: keys_only.py FOLDER SEED [GAME...]
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pygame

from companion.api import Command, ConsolePress, Offer, TableAction, registry
from companion.app.session import Session, SessionConfig
from companion.app.table_services import TableServices
from companion.app.window import Window, open_surface
from companion.config.settings import DisplaySettings
from companion.display.screen import save_png
from companion.events import SEAT_BUTTONS, Button
from companion.journal.database import Journal
from companion.lobby import HouseRules
from companion.referee.button_mapping import find_button
from companion.referee.press_filter import REACTION_SECONDS
from companion.screen_state import CameraView, ScreenKind, ScreenState
from companion.simulation.players.base import is_unused

LIMIT_SECONDS = 3000.0
"""Longest real time of the session."""
KEYS = {Button.OK: "Return", Button.NO: "BackSpace", Button.PLUS: "plus", Button.MINUS: "minus"}
SHORT: dict[str, dict[str, Any]] = {
    "macroscope": {"rounds": 3},
    "memo_dice": {"target_square": 5},
    "pictomania": {"rounds": 2},
    "score_keeper": {"target_points": 30},
    "secret_number": {"games": 1, "round_seconds": 15, "show_seconds": 1},
    "starfall": {"tiles_removed": {2: (25,), 3: (25,), 4: (25,)}},
}
"""House rules that make short games."""
DEFAULT_GAMES = (*SHORT, "pig", "rummy", "darts_501")
"""Games that are played if none are named."""
WRONG_PRESS_SHARE = 0.04
"""Probability of a press of a random button."""
UNDO_SHARE = 0.02


def key(button: Button, how: str = "key") -> None:
    name = KEYS.get(button) or str(button.seat_number)
    subprocess.run(["xdotool", how, name], check=True, stdout=subprocess.DEVNULL)


class Fingers:
    """A player that reads the offers on the screen and presses a key."""

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

    def press(self, button: Button, now: float) -> None:
        """Press a key, unless it was pressed so short a time ago that nobody can have read what it does now."""
        if now - self._pressed_at.get(button, -REACTION_SECONDS) > REACTION_SECONDS:
            self._pressed_at[button] = now
            self.send_key(button)

    def send_key(self, button: Button, how: str = "key") -> None:
        """Press and release a button's key, or only press ("keydown") or release it ("keyup")."""
        key(button, how)

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
                self.press(button, now)

    def _weight(self, offer: Offer, likely: float) -> float:
        back = isinstance(offer.action, Command) and offer.input is ConsolePress.NO
        return likely * (0.05 if back else 3.0 if offer.awaited else 1.0)


def main(folder: Path, seed: int, games: list[str]) -> list[dict[str, Any]]:
    rng = random.Random(seed)
    surface = open_surface(DisplaySettings(size=(1280, 720)))
    all_kits = registry.load_games()
    house = {kit.name: kit.settings_model.model_validate(SHORT.get(kit.name, {})) for kit in all_kits}
    played: list[dict[str, Any]] = []
    fingers, end = Fingers(rng), time.monotonic() + LIMIT_SECONDS
    with Journal(folder / "journal.sqlite3") as journal:
        plan = SessionConfig(all_kits[0], (), house[all_kits[0].name], definitions=all_kits)
        game_session = Session(plan, journal, TableServices(rng=rng, house_rules=HouseRules(house)))
        window = Window(surface, time.monotonic)
        while len(played) < len(games):
            if time.monotonic() > end:
                save_png(surface, folder / "last.png")
                raise SystemExit(
                    f"no end of {games[len(played)]}: {game_session.build_screen_state(CameraView()).prompt}"
                )
            game_session.step(window.poll_events(soon=True))
            shown = game_session.build_screen_state(CameraView())
            window.show(shown)
            if shown.kind is ScreenKind.RESULT and shown.menu is None and shown.question is None:
                save_png(surface, folder / f"{shown.game_name}.png")
                played.append({"game": shown.game_name, "scores": shown.scores})
                while game_session.build_screen_state(CameraView()).kind is not ScreenKind.LOBBY:
                    fingers.press(Button.NO, time.monotonic())  # a new game
                    game_session.step(window.poll_events(soon=True))
            elif shown.kind is ScreenKind.LOBBY:
                wanted = choose_in_lobby(shown, games[len(played)])
                fingers.press(wanted, time.monotonic())
            elif shown.kind is ScreenKind.FIRST:
                fingers.press(Button.OK, time.monotonic())
            else:
                fingers.act(game_session, shown, time.monotonic())
    pygame.quit()
    return played


def choose_in_lobby(shown: ScreenState, wanted: str) -> Button:
    """Return the next key in the lobby: the game, on any page of the games, three seats, start."""
    if shown.menu is not None:
        if shown.menu.games:
            return SEAT_BUTTONS[shown.menu.games.index(wanted)] if wanted in shown.menu.games else Button.PLUS
        return Button.OK if shown.menu.title.startswith("How many stars") else Button.NO
    if shown.game_name != wanted:
        return Button.PLUS
    if len(shown.players) < min(3, registry.find_game(wanted).player_counts[-1]):
        taken = {p.button for p in shown.players}
        return next(b for b in SEAT_BUTTONS if b not in taken)
    return Button.OK


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:] or list(DEFAULT_GAMES))))
