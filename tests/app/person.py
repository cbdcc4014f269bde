"""Play in a real window as a person would: a program of its own, for a screen of its own.

The window gets real X events (xdotool's mouse and keys) and nothing else. Prints one JSON object: the dice thrown and
tokens taken, the journalled moves, the scores.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, cast

import pygame

from companion.api import CameraUse
from companion.app.main_loop import wake_window
from companion.app.session import Session, SessionConfig
from companion.app.table_panel.panel import SimulatorPanel
from companion.app.table_services import TableServices
from companion.app.window import Window, open_surface
from companion.camera.camera_reader import CameraReader, WatchedTable, make_watcher
from companion.camera.worker import CameraWorker
from companion.config.settings import DisplaySettings
from companion.display.screen import save_png
from companion.events import Button, ButtonPressed
from companion.games.macroscope import GAME
from companion.games.macroscope.settings import Settings
from companion.games.macroscope.simulator.appearance import MacroscopeAppearance
from companion.games.macroscope.simulator.kit import KIT
from companion.games.macroscope.simulator.lid import LID_HEIGHT_MM
from companion.games.macroscope.simulator.player import MacroscopePlayers
from companion.games.macroscope.simulator.table import MacroscopeTable
from companion.games.macroscope.simulator.tray import TRAY_CENTER_MM
from companion.journal.database import Journal
from companion.screen_state import ScreenKind

LIMIT_SECONDS = 1500.0
"""Longest real time of the game."""
KEYS = {Button.OK: "Return", Button.NO: "BackSpace", Button.PLUS: "plus", Button.MINUS: "minus"}


def xdotool(*words: object) -> None:
    subprocess.run(["xdotool", *map(str, words)], check=True, stdout=subprocess.DEVNULL)


class MouseTable:
    """A simulated table that players move by real mouse clicks in the window."""

    def __init__(self, side: SimulatorPanel) -> None:
        table: MacroscopeTable = side.table
        self._table, self._optics, self._side = table, MacroscopeAppearance().optics, side
        self._window = pygame.display.get_wm_info()["window"]  # asked once: a second call crashes pygame 2.6.1
        self.thrown: list[tuple[int, ...]] = []
        self.taken: list[int] = []
        throw = table.throw_dice

        def noted(*args: Any, **kwargs: Any) -> tuple[int, ...]:
            self.thrown.append(throw(*args, **kwargs))
            return self.thrown[-1]

        table.throw_dice = noted

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def throw_dice(self, _values: None, _rng: random.Random, _now: float) -> None:
        self._click((*TRAY_CENTER_MM, 0.0))

    def take_token(self, window: int, _now: float) -> None:
        number = self._table.board.numbers[window]
        assert number is not None
        self.taken.append(number)
        self._click((*self._table.lid.to_table(self._table.shape.windows[window]), LID_HEIGHT_MM))

    def turn_lid(self, degrees: float, _now: float) -> None:
        """Turn the lid with the mouse wheel, 15 degrees a step."""
        self._point((self._table.lid.x, self._table.lid.y, LID_HEIGHT_MM))
        xdotool("click", "--repeat", max(1, round(abs(degrees) / 15)), 4 if degrees > 0 else 5)

    def cover_all(self, _rng: random.Random, _now: float) -> None:
        xdotool("key", "c")

    def pull_card(self, _now: float) -> None:
        pass

    def _click(self, place: tuple[float, float, float]) -> None:
        self._point(place)
        xdotool("click", "1")

    def _point(self, place: tuple[float, float, float]) -> None:
        x, y = self._optics.project([place])[0]
        xdotool("mousemove", "--window", self._window, *map(round, self._side.find_pixel((float(x), float(y)))))


def main(folder: Path, rounds: int, seed: int) -> dict[str, Any]:
    rng = random.Random(seed)
    surface = open_surface(DisplaySettings(size=(800, 480)), with_table=True)
    with Journal(folder / "journal.sqlite3") as journal:
        session = Session(SessionConfig(GAME, (), Settings(rounds=rounds), seed), journal, TableServices(rng=rng))
        side = SimulatorPanel(KIT, time.monotonic, rng)
        window = Window(surface, time.monotonic, side)
        hands = MouseTable(side)
        people = MacroscopePlayers(cast(MacroscopeTable, hands), random.Random(seed), 3)

        def make_table(use: CameraUse) -> WatchedTable:
            return WatchedTable(lambda: side.relay, make_watcher(use))

        eyes = CameraWorker(lambda: CameraReader(make_table, time.monotonic), wake_window)
        eyes.start()
        end = time.monotonic() + LIMIT_SECONDS
        try:
            while time.monotonic() < end:
                session.step([*window.poll_events(), *eyes.poll()])
                shown = session.build_screen_state(eyes.camera_view)
                window.show(shown)
                saved_game = session.saved_game
                if saved_game and saved_game.game.compute_outcome():
                    save_png(surface, folder / "result.png")
                    moves = [e.what.played for e in journal.read_entries(saved_game.id) if e.what.played]
                    return {
                        "scores": shown.scores,
                        "thrown": hands.thrown,
                        "taken": hands.taken,
                        "moves": [m.model_dump(mode="json") for m in moves],
                    }
                if shown.kind is ScreenKind.LOBBY and not (eyes.camera_view.reading and eyes.camera_view.reading.lid):
                    continue  # a person waits until the camera has found the table
                for signal in people.act(shown, session.stage.list_offers(), time.monotonic()):
                    if isinstance(signal, ButtonPressed):
                        xdotool("key", KEYS.get(signal.button) or signal.button.seat_number)
        finally:
            eyes.close()
            save_png(surface, folder / "last.png")
            pygame.quit()
    raise SystemExit(f"no end; the screen says: {shown.prompt} {shown.question}")


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))))
