"""Run in the rig: people play a game of Macroscope at the whole companion, only through its devices.

They see what lies on the table and which lamps burn, and read along in the journal what has been understood. Once the
camera is unplugged and once the button box; what was done meanwhile is pressed. Prints one JSON object.

Usage: session.py FOLDER_OF_BOXSIM FOLDER_OF_PYGAME SEED ROUNDS
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from companion.api import Command, Offer, TableAction, Visibility
from companion.events import SEAT_BUTTONS, Button
from companion.games.macroscope import GAME
from companion.games.macroscope.simulator.table import MacroscopeTable
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.entry import JournalError
from companion.journal.saved_game import SavedGame
from companion.lobby import Preferences
from companion.referee.button_mapping import find_button
from companion.referee.unmeant_presses import REACTION_SECONDS
from tests.kernel_rig import log_words
from tests.kernel_rig.parts import RigPins, TableCamera, UsbBox, read_screen_state

LIMIT_SECONDS = 3000.0
"""Five minutes on an idle machine; one that does much else at once takes ten times as long."""
PATIENCE = 60.0
"""Seconds for the companion to recognise an action; generous, since one machine simulates everything."""
NOTICED = 300.0
"""Seconds for it to report that a device is lost or back; its own limits add up to about ten."""
PRESS_PAUSE = REACTION_SECONDS + 0.4
"""Seconds between two presses; after fewer, the second counts as made before anybody could have read the screen."""
PLAYERS = (Button.SEAT1, Button.SEAT2)
BEFORE_CAMERA, BEFORE_BOX = 4, 9
"""Entries after which the camera and the box are unplugged."""
RUN = ("run", "--game", "macroscope", "--table", "real", "--camera", "10")
SETTINGS = """
[table]
buttons = "both"
[display]
fullscreen = true
[games.macroscope]
rounds = {rounds}
variant = "easy"
"""


class People:
    """Two simulated players at the table."""

    def __init__(self, data: Path, boxsim: Path, seed: int) -> None:
        self.end = time.monotonic() + LIMIT_SECONDS
        self.random = Random(seed)
        self.data = data
        self.log = data / "log"
        self.pins = RigPins()
        self.box: UsbBox | None = UsbBox(boxsim)
        self.camera = TableCamera(Path(os.environ["RIG_CAMERA"]), seed)
        self.reported = 0
        self.journal: Journal | None = None
        self.thrown: list[list[int]] = []
        self.program: subprocess.Popen[bytes] | None = None
        self.box_there = self.camera_there = True
        self.counts: dict[str, Any] = {
            "by pins": 0,
            "by box": 0,
            "by hand": 0,
            "camera out": 0,
            "box out": 0,
            "lamps": [],
        }

    def load_game(self) -> SavedGame | None:
        """Return the game in the journal; None if there is none yet."""
        if self.program is not None and self.program.poll() is not None:
            raise SystemExit(f"the companion has ended: {self.program.returncode}")
        try:
            if self.journal is None:
                if not self.pins.list_lit():
                    return None  # the first process to open the journal locks it: wait for the companion
                self.journal = Journal(self.data / JOURNAL_FILE, allow_read_only=True)
            number = self.journal.find_resumable_game()
            return SavedGame(self.journal, number, GAME) if number is not None else None
        except JournalError:
            return None

    def press(self, button: Button) -> None:
        """Press a seat button at the pins, another one at the box while it answers."""
        if button not in SEAT_BUTTONS and self.box is not None and self.is_available(log_words.BOX_AVAILABLE):
            self.box.press(button)
            self.counts["by box"] += 1
        else:
            self.pins.press(button)
            self.counts["by pins"] += 1
        time.sleep(PRESS_PAUSE)

    def wait(self, before: tuple[int, int], seconds: float) -> bool:
        """Return whether a new entry is written within that time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            saved_game = self.load_game()
            if saved_game is not None and (saved_game.id, saved_game.last_seq) != before:
                return True
            time.sleep(0.2)
        return False

    def begin(self) -> SavedGame:
        """Confirm the pages of the set-up wizard, take the seats and start a game; return it."""
        self.press_until(Button.OK, lambda: Preferences(folder=self.data).is_set_up)
        for button in PLAYERS:
            self.press_until(button, partial(self.is_seated, button))
        self.press_until(Button.OK, lambda: self.load_game() is not None)
        saved_game = self.load_game()
        assert saved_game is not None
        return saved_game

    def press_until(self, button: Button, is_done: Callable[[], bool]) -> None:
        """Press a button while its lamp is lit, until it has had its effect."""
        while not is_done():
            if time.monotonic() > self.end:
                raise SystemExit(f"the game did not begin: {button}")
            lit = self.pins.list_lit()
            self.counts["lamps"] = sorted({*self.counts["lamps"], *lit})
            if button in lit:
                self.report(f"begin: {button}")
                self.press(button)
            time.sleep(0.2)

    def is_seated(self, button: Button) -> bool:
        """Return whether a seat's lamp is lit steadily; that of a free seat blinks, once a second.

        Waits for that, since a second press would free the seat again.
        """
        steady = 0
        for _ in range(50):
            steady = steady + 1 if button in self.pins.list_lit() else 0
            if steady == 10:
                return True
            time.sleep(0.15)
        return False

    def play(self) -> SavedGame:
        """Play to the end and return the game."""
        saved_game = self.begin()
        while time.monotonic() < self.end:
            saved_game = self.load_game() or saved_game
            if saved_game.game.compute_outcome() is not None:
                return saved_game
            self.unplug(saved_game)
            before = (saved_game.id, saved_game.last_seq)
            chosen = self.choice(saved_game)
            self.report(f"after entry {before[1]}: {chosen.input}")
            self.do(chosen, saved_game)
            if self.wait(before, PATIENCE):
                continue
            # Not recognised, or the companion asks: enter it by buttons.
            if isinstance(chosen.input, TableAction):
                self.by_hand(chosen, before)
        raise SystemExit(
            f"no end: {saved_game.definition.format_prompt(saved_game.game, saved_game.setup.players)} {self.counts}"
        )

    def unplug(self, saved_game: SavedGame) -> None:
        """Unplug each device once; the camera comes back after the next roll, the box after three more entries."""
        if self.counts["camera out"] == 0 and saved_game.last_seq >= BEFORE_CAMERA and self.throws(saved_game):
            self.camera_there = False
            self.counts["camera out"] = saved_game.last_seq
            # The driver stays loaded but gives no pictures; from now on the companion expects none.
            self.camera.unplug()
            self.wait_for_device(log_words.CAMERA_AVAILABLE, available=False)
        elif not self.camera_there and not self.throws(saved_game):
            self.camera_there = True
            self.camera.plug()
            self.wait_for_device(log_words.CAMERA_AVAILABLE, available=True)
        assert self.box is not None
        if self.counts["box out"] == 0 and saved_game.last_seq >= BEFORE_BOX:
            self.box_there = False
            self.counts["box out"] = saved_game.last_seq
            self.box.unplug()
            self.wait_for_device(log_words.BOX_AVAILABLE, available=False)
        elif not self.box_there and saved_game.last_seq >= self.counts["box out"] + 3:
            self.box_there = True
            self.box.plug()
            self.wait_for_device(log_words.BOX_AVAILABLE, available=True)

    def wait_for_device(self, available_line: str, *, available: bool) -> None:
        """Wait until the companion's last line about a device says that it is available, or that it is not.

        On a busy machine the device may be lost before its plug is pulled; then there is no further line.
        """
        end = time.monotonic() + NOTICED
        while time.monotonic() < end:
            if self.is_available(available_line) is available:
                return
            time.sleep(0.3)  # polling interval of the log
        raise SystemExit(f"no line {available_line!r}" if available else f"still {available_line!r}")

    def is_available(self, available_line: str) -> bool | None:
        """Return whether the companion's last line about a device says that it is available; None: there is no line."""
        device = available_line.removesuffix("available")
        lines = self.read_log().splitlines()
        last = next((each for each in reversed(lines) if each.startswith(device)), None)
        return None if last is None else last.startswith(available_line)

    def read_log(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")

    def report(self, step: str) -> None:
        """Print a step and what the companion has logged since the last one: read where a run fails."""
        log = self.read_log()
        print(log[self.reported :] + step, flush=True)
        self.reported = len(log)

    def offers(self, saved_game: SavedGame) -> list[Offer]:
        return list(
            saved_game.definition.list_offers(
                saved_game.game, saved_game.setup.players, Visibility(dice=True, tokens=True)
            )
        )

    def throws(self, saved_game: SavedGame) -> bool:
        return any(isinstance(o.input, TableAction) and o.input.kind == "throw" for o in self.offers(saved_game))

    def choice(self, saved_game: SavedGame) -> Offer:
        """Choose an offer: an action on the table where possible, else a button."""
        offers = self.offers(saved_game)
        by_hand = [o for o in offers if isinstance(o.input, TableAction) and not o.input.in_menu]
        pressed = [
            o for o in offers if find_button(o.input, saved_game.setup.buttons) and not isinstance(o.action, Command)
        ]
        pressed = [o for o in pressed if o.action not in [d.action for d in by_hand]]
        weights = [saved_game.definition.get_bot_weight(saved_game.game, o) for o in pressed]
        if by_hand and (not any(weights) or self.random.random() < 0.6):
            return self.random.choice(by_hand)
        return self.random.choices(pressed, weights)[0] if any(weights) else by_hand[0]

    def do(self, offer: Offer, saved_game: SavedGame) -> None:
        random = self.random
        match offer.input:
            case TableAction(kind="throw"):
                self.thrown.append(
                    sorted(self.camera.run_on_table(lambda table, now: table.throw_dice(None, random, now)))
                )
                if not self.camera_there:
                    self.by_hand(offer, (saved_game.id, saved_game.last_seq))
            case TableAction(kind="take", number=int(number)):
                self.camera.run_on_table(lambda table, now: take(table, number, random, now))
            case TableAction(kind="cover"):
                self.camera.run_on_table(lambda table, now: table.cover_all(random, now))
            case _:
                button = find_button(offer.input, saved_game.setup.buttons)
                assert button is not None
                self.press(button)

    def by_hand(self, offer: Offer, before: tuple[int, int]) -> None:
        """Enter by the lit buttons what the camera did not recognise."""
        self.counts["by hand"] += 1
        action_input = offer.input
        if isinstance(action_input, TableAction) and action_input.kind in {"throw", "take"}:
            if Button.PLUS in self.pins.list_lit():
                self.press(Button.PLUS)
            values = self.thrown[-1] if action_input.kind == "throw" else [action_input.number or 1]
            for value in values:
                self.press(SEAT_BUTTONS[value - 1])
            if self.wait(before, 8.0):
                return
        self.press(Button.OK)

    def close(self) -> None:
        if self.journal is not None:
            self.journal.close()
        self.camera.close()
        if self.box is not None:
            self.box.close()


def take(table: MacroscopeTable, number: int, random: Random, now: float) -> None:
    """Take a token of that number off the lid, if there is one."""
    if windows := table.board.find_windows(number):
        table.take_token(random.choice(windows), now)


def main(boxsim: Path, pygame: Path, seed: int, rounds: int) -> dict[str, Any]:
    data = Path(os.environ["TMPDIR"]) / "data"
    data.mkdir()
    settings = data / "companion.toml"
    settings.write_text(SETTINGS.format(rounds=rounds))
    for pin in Path(os.environ["RIG_GPIO"]).glob("sim_gpio*/pull"):
        if int(pin.parent.name.removeprefix("sim_gpio")) in {9, 12, 13, 18, 19, 20, 21, 25, 26, 27}:
            pin.write_text("pull-down", encoding="ascii")  # as on a Pi
    people = People(data, boxsim, seed)
    command = [sys.executable, "-m", "companion", *RUN]
    environment = {
        **os.environ,
        "SDL_VIDEODRIVER": "kmsdrm",
        "SDL_AUDIODRIVER": "dummy",
        "PYTHONPATH": f"{pygame}:{Path.cwd()}",
        "HOME": str(data),
    }
    environment.pop("DISPLAY", None)
    log = people.log
    with log.open("w", encoding="utf-8") as stream:
        program = subprocess.Popen(
            [*command, "--settings", str(settings), "--data", str(data)], env=environment, stderr=stream, cwd=data
        )
        people.program = program
        try:
            saved_game = people.play()
            screen = read_screen_state()
            people.close()
            began = time.monotonic()
            program.send_signal(signal.SIGTERM)
            status = program.wait(30)
            took = time.monotonic() - began
        except BaseException:
            people.report("The run failed.")
            raise
        finally:
            program.kill()
    moves = [entry.what.played for entry, _ in saved_game.replay.history if entry.what.played]
    return {
        **people.counts,
        "thrown": people.thrown,
        "rolls": [sorted(move.value) for move in moves if move.kind == "roll"],
        "entries": saved_game.last_seq,
        "scores": list(saved_game.game.totals),
        "screen": screen,
        "status": status,
        "stopped after": round(took, 2),
        "log": log.read_text(encoding="utf-8", errors="replace").splitlines(),
    }


if __name__ == "__main__":
    print(
        "RESULT " + json.dumps(main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))),
        flush=True,
    )
    os._exit(0)
