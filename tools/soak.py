"""Run a long simulated session with random faults, much faster than real time, and check that no move is lost.

Virtual players play the five games in turn, through the real journal, referee, camera reader (on frames of a rendered
table), button input and window (SDL without a picture), while camera, cables, screen, disk, clock and the program
itself fail at random from a seed. Prints figures as JSON; exit status 1 if a move was lost or memory or files grow.

Usage: python tools/soak.py [--seed N] [--hours H] [--speed X] [--every SECONDS] [--eyes quick|real]
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import random
import shutil
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # for the tests' watcher that needs no frames

import cv2
import pygame
from soak_faults import MEAN_FAULT_INTERVAL_SECONDS, Fault, FaultSchedule
from soak_growth import GrowthMonitor
from soak_moves import ShownMoves
from soak_table import (
    CUP_ROW_GAME,
    DEFAULT_GAME,
    FailingWatcher,
    SoakButtonBox,
    SoakScreen,
    SoakTables,
    list_seat_buttons,
    make_method_fail,
)

from companion.api import CameraUse, registry
from companion.app.button_input import ButtonInput
from companion.app.crash_guard import CrashGuard
from companion.app.resilient_window import ResilientWindow
from companion.app.session import Session, SessionConfig
from companion.app.table_services import TableServices
from companion.app.window import Window
from companion.camera.camera_reader import CameraReader, WatchedTable, make_watcher
from companion.camera.learnt_layouts import LayoutCache
from companion.camera.worker import CameraWorker
from companion.display.screen import Screen
from companion.events import SEAT_BUTTONS, Button, ButtonPressed, ButtonReleased, DieShown, Event
from companion.games.macroscope.simulator.player import MacroscopePlayers
from companion.games.memo_dice.simulator.player import MemoDicePlayers
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.entry import JournalUnwritable
from companion.lobby import HouseRules, Lobby
from companion.referee.button_mapping import find_button
from companion.screen_state import ScreenKind, ScreenState
from companion.simulation.actions import ImpossibleAction
from companion.simulation.players.base import is_unused
from hardware.buttons.source import ReconnectingSource
from tests.app.self_play import TableReadingWatcher

STEP_SECONDS = 0.2
"""Simulated seconds per turn of the main loop; the camera delivers a frame in each."""
GROWTH_SAMPLE_SECONDS = 30.0
"""Simulated seconds between two samples of memory and open files."""
SAMPLES_PER_REPORT = 20
"""Number of growth samples between two progress lines on stderr."""
BUTTONS_ONLY_AFTER_SECONDS = 60.0
"""Simulated seconds without a move after which the players ignore the camera and press what is offered."""
SET_ASIDE_AFTER_SECONDS = 900.0
"""Simulated seconds without a move after which the players set a game aside."""
LAYOUTS = ("table.json", "row.json")
"""Layout files of the tables that there are."""


class SoakRun:
    """A simulated session. The data on disk outlive the program, which is restarted many times.

    Args:
        folder: the data folder.
        seed: seed of all random decisions.
        every: mean simulated seconds between two faults.
        drawn: render Macroscope's table and read the frames; otherwise its watcher knows the table, which is faster.
    """

    def __init__(
        self, folder: Path, seed: int, every: float = MEAN_FAULT_INTERVAL_SECONDS, *, drawn: bool = False
    ) -> None:
        self._drawn = drawn
        self.random = random.Random(seed)
        self.now = 1000.0
        self.wall_offset = 1_800_000_000.0
        self.faults = FaultSchedule(random.Random(self.random.random()), self.now, every)
        self.tables = SoakTables(random.Random(self.random.random()), self.clock, lambda: self.faults, drawn=drawn)
        self.screen = SoakScreen(lambda: self.faults)
        self.box = SoakButtonBox(lambda: self.faults)
        self.folder, self.start_count = folder, 0
        self.count = Counter[str]()
        self.shown_moves = ShownMoves()
        # There is a table with a lid and one with cups, but none with a tray.
        self.games = [game for game in registry.load_games() if not game.camera or game.camera.layout_file in LAYOUTS]
        people = random.Random(self.random.random())
        self.players: dict[str, Any] = {
            DEFAULT_GAME: MacroscopePlayers(self.tables.simulated[DEFAULT_GAME], people, 3),
            CUP_ROW_GAME: MemoDicePlayers(self.tables.simulated[CUP_ROW_GAME], people, 3),
        }
        self.moved_at = self.now
        self.notices: set[str] = set()
        self.boot()

    def clock(self) -> float:
        """Return the simulated monotonic clock in seconds."""
        return self.now

    # The program -------------------------------------------------------------------------------------------------

    def boot(self) -> None:
        """Start the program."""
        self.start_count += 1
        self.journal = Journal(
            self.folder / JOURNAL_FILE, lambda: self.wall_offset + self.now, self.clock, f"boot {self.start_count}"
        )
        assert self.journal.damage is None, self.journal.damage
        self.count["lost"] += self.shown_moves.count_lost(self.journal)
        kit = self.games[0]
        plan = SessionConfig(kit, (), kit.settings_model(), 1, tuple(self.games))
        rng = random.Random(self.random.random())
        self.session = Session(
            plan, self.journal, TableServices(self.clock, rng, house_rules=HouseRules({}, self.folder))
        )
        self.crash_guard = CrashGuard(self.session, self.clock)
        surface = None
        with suppress(RuntimeError):
            surface = self.screen.open()
        self.window = ResilientWindow(
            surface,
            lambda onto: Window(onto, self.clock),
            self.screen.open,
            self.clock,
            lambda _seconds: None,
            lambda: not self.faults.is_active(Fault.SCREEN_OUT),
        )
        self.button_input = ButtonInput(
            [ReconnectingSource(self.box.name, self.box.open, self.clock, report_missing=True)], self.clock
        )
        self.camera = CameraWorker(
            lambda: CameraReader(self.make_watched_table, self.clock), lambda: None, monotonic=self.clock
        )

    def make_watched_table(self, use: CameraUse) -> WatchedTable:
        """Return the watched table that a game's use of the camera needs."""
        game = CUP_ROW_GAME if DieShown in use.events else DEFAULT_GAME
        watcher: Any = make_watcher(use)
        cache: LayoutCache | None = LayoutCache(self.folder / use.layout_file)
        if game == DEFAULT_GAME and not self._drawn:
            watcher, cache = TableReadingWatcher(random.Random(self.random.random()), wrong=0.05), None
            watcher.table = self.tables.simulated[DEFAULT_GAME]
        failing: Any = FailingWatcher(watcher, lambda: self.faults)
        return WatchedTable(lambda: self.tables.open_camera(game), failing, cache)

    def shut_down(self) -> None:
        """Shut the program down in order."""
        self.button_input.close()
        self.camera.close()
        self.journal.close()

    def cut_power(self) -> None:
        """Simulate a power cut: the next start finds what is on the disk now."""
        left = self.folder.with_name(f"{self.folder.name}-left")
        shutil.rmtree(left, ignore_errors=True)
        shutil.copytree(self.folder, left)
        self.shut_down()
        shutil.rmtree(self.folder)
        left.rename(self.folder)

    # The session -------------------------------------------------------------------------------------------------

    def step(self) -> ScreenState:
        """Run one turn of the main loop; return the screen that it shows."""
        self.now += STEP_SECONDS
        for fault in self.faults.start_due(self.now):
            self.start_fault(fault)
        self.tables.step(self.now)
        self.screen.apply_faults()
        self.limit_disk()
        before = self.session.build_screen_state(self.camera.camera_view)
        pressed = self.act(before)
        if pygame.display.get_init():
            pygame.event.post(pygame.event.Event(pygame.USEREVENT))  # so that the window does not wait for an event
        keys = self.window.poll_events(soon=True)
        signals = [
            *self.button_input.poll([*keys, *pressed]),
            *(self.camera.poll_reader() if before.uses_camera else ()),
        ]
        with make_method_fail(Screen, "draw", on=self.faults.is_active(Fault.SCENE)):
            shown, lamps = self.crash_guard.step(signals, self.camera.camera_view)
            saved_game = self.session.saved_game
            if saved_game is not None and self.shown_moves.note(saved_game, self.journal):
                self.count["moves"] += 1
                self.moved_at = self.now
            self.button_input.set_lamps(lamps)
            self.window.show(shown)
        self.camera.follow_game(shown.game_name)
        if shown.notice:
            self.notices.add(shown.notice)
        return shown

    def start_fault(self, fault: Fault) -> None:
        """Apply the immediate effect of a fault."""
        self.count["faults"] += 1
        if fault is Fault.CLOCK:
            self.wall_offset += self.random.choice((-1, 1)) * self.random.uniform(0, 20) * 365 * 86400
        elif fault is Fault.GAME:
            stage, tick = self.session.stage, self.session.stage.tick

            def fall() -> None:  # replaces the method for one turn
                stage.tick = tick  # type: ignore[method-assign]  # of this object only
                raise ArithmeticError("a fault on purpose, in a game")

            stage.tick = fall  # type: ignore[method-assign]  # of this object only
        elif fault in (Fault.RESTART, Fault.POWER_CUT):
            if fault is Fault.POWER_CUT:
                self.cut_power()
            else:
                self.shut_down()
            self.boot()

    def limit_disk(self) -> None:
        """Let SQLite run out of pages while the disk is full."""
        if self.faults.is_active(Fault.DISK_FULL):
            (pages,) = self.journal._connection.execute("PRAGMA page_count").fetchone()
            self.journal._connection.execute(f"PRAGMA max_page_count = {pages}")
        else:
            self.journal._connection.execute("PRAGMA max_page_count = 1000000")

    def act(self, shown: ScreenState) -> Sequence[Event]:
        """Let the players act: on the button box if it is connected, otherwise return key presses for the window."""
        pressed = self.decide(shown)
        if self.faults.is_active(Fault.BOX_OUT):
            return pressed
        self.box.press(pressed)
        return ()

    def decide(self, shown: ScreenState) -> Sequence[Event]:
        """Return the presses of the players for the screen shown."""
        session = self.session
        saved_game = session.saved_game
        group = self.players[CUP_ROW_GAME if shown.game_name == CUP_ROW_GAME else DEFAULT_GAME]
        if shown.kind is ScreenKind.RESULT and session.stage.list_offers() and shown.question is None:
            if self.random.random() < STEP_SECONDS / 5.0:
                self.count[f"finished {shown.game_name}"] += 1
                return self.make_press(Button.NO)
            return ()
        if isinstance(session.stage, Lobby) and shown.question is None:
            wanted = self.games[len(self.journal.list_games()) % len(self.games)]
            games = [i for i, title in enumerate(shown.menu.items) if title == wanted.title] if shown.menu else []
            if games:
                return self.make_press(SEAT_BUTTONS[games[0]])
            if shown.menu is not None and shown.menu.details:
                return self.make_press(Button.PLUS)  # the next page of games
            if shown.menu is None and session.stage.definition.name != wanted.name:
                return self.make_press(Button.PLUS)
        if self.now - self.moved_at > SET_ASIDE_AFTER_SECONDS and saved_game is not None:
            self.count["given up"] += 1
            self.moved_at = self.now
            logging.getLogger("soak").error("stuck: %s | %s | %s", shown.game_name, shown.prompt, shown.question)
            with suppress(JournalUnwritable):
                saved_game.set_aside()
            session.stage = session._make_lobby()
            return ()
        if self.now - self.moved_at > BUTTONS_ONLY_AFTER_SECONDS and saved_game is not None:
            # The simulated table no longer matches the game: continue with the buttons alone, as people would.
            offers = [
                o
                for o in session.stage.list_offers()
                if not is_unused(o) and find_button(o.input, list_seat_buttons(shown))
            ]
            if not offers or self.random.random() > STEP_SECONDS:
                return ()
            self.count["by buttons alone"] += 1
            button = find_button(self.random.choice(offers).input, list_seat_buttons(shown))
            return self.make_press(button) if button else ()
        # The simulated table differs from the game, and the offer that these players look for is missing.
        with suppress(ImpossibleAction, StopIteration):
            acted: Sequence[Event] = group.act(shown, session.stage.list_offers(), self.now, self.weigh_offer)
            return acted
        return ()

    def weigh_offer(self, offer: Any) -> float:
        """Return how likely a player takes the offer, as a relative weight."""
        saved_game = self.session.saved_game
        return saved_game.definition.get_bot_weight(saved_game.game, offer) if saved_game else 1.0

    def make_press(self, button: Button) -> list[Event]:
        """Return the events of a short press of a button."""
        return [ButtonPressed(button, self.now), ButtonReleased(button, self.now + 0.05)]


def run_soak(
    folder: Path,
    seed: int,
    hours: float,
    speed: float = 0.0,
    every: float = MEAN_FAULT_INTERVAL_SECONDS,
    *,
    drawn: bool = False,
) -> dict[str, Any]:
    """Run a session of `hours` simulated hours and return its figures.

    `speed` limits the simulation to that many times real time; 0: no limit. See `SoakRun` for the rest.
    """
    cv2.setNumThreads(1)
    box = SoakRun(folder, seed, every, drawn=drawn)
    began, start, cpu = box.now, time.monotonic(), time.process_time()
    growth = GrowthMonitor()
    probe = began
    crash = ""
    while (passed := box.now - began) < hours * 3600:
        try:
            box.step()
        except Exception:  # noqa: BLE001 - reported with the figures so far
            crash = traceback.format_exc()
            break
        if box.now >= probe:
            probe += GROWTH_SAMPLE_SECONDS
            seen = growth.take_sample(passed / 3600)
            if growth.sample_count % SAMPLES_PER_REPORT == 0:
                print(f"{seen}, {dict(box.count)}", file=sys.stderr, flush=True)
        if speed and (ahead := passed / speed - (time.monotonic() - start)) > 0:
            time.sleep(ahead)
    with suppress(Exception):
        box.shut_down()
    if not crash:
        box.boot()  # checks the moves shown last
        box.shut_down()
    took = time.monotonic() - start
    return {
        "seed": seed,
        "hours": round(passed / 3600, 2),
        "crash": crash,
        "times faster than life": round(passed / took, 1),
        "CPU seconds": round(time.process_time() - cpu, 1),
        "starts": box.start_count,
        "moves": box.count["moves"],
        "lost": box.count["lost"],
        "by buttons alone": box.count["by buttons alone"],
        "given up": box.count["given up"],
        "finished": {k.removeprefix("finished "): v for k, v in sorted(box.count.items()) if k.startswith("finished ")},
        "faults": {fault.value: n for fault, n in sorted(box.faults.count.items())},
        "notices": len(box.notices),
        **growth.summarize(hours),
        "told": sorted(box.notices),
    }


def main() -> int:
    """Run the command line; return 1 if a move was lost, the program crashed, or memory or open files grow."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1, help="seed of all random decisions (default 1)")
    parser.add_argument("--hours", type=float, default=4.0, help="simulated hours (default 4)")
    parser.add_argument(
        "--speed", type=float, default=0.0, help="at most this many times real time (default 0: no limit)"
    )
    parser.add_argument(
        "--every", type=float, default=MEAN_FAULT_INTERVAL_SECONDS, help="mean seconds between two faults"
    )
    parser.add_argument("--eyes", choices=("quick", "real"), default="quick", help="real: read rendered frames (slow)")
    parser.add_argument("--log", action="store_true", help="show the log of the program on stderr")
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO if args.log else logging.CRITICAL, stream=sys.stderr)
    logging.getLogger("soak").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory(prefix="companion-soak-") as name:
        told = run_soak(Path(name) / "data", args.seed, args.hours, args.speed, args.every, drawn=args.eyes == "real")
    print(json.dumps(told, indent=1))
    return int(bool(told["lost"] or told["crash"]) or told["grows"])


if __name__ == "__main__":
    sys.exit(main())
