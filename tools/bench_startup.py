"""How fast the companion starts, as ratios to starting Python and importing pygame and cv2, taken side by side.

From the start of the process to its first picture (the question whether to go on with an interrupted game), and to the
picture of a game that goes on unasked after the watchdog cut it short. Processor time, since other programs may be at
work; the time on the clock beside it. Needs Xvfb.

Usage: python tools/bench_startup.py [--rounds N] [--json]
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from virtual_display import start_virtual_display

from companion.events import Button
from companion.games.macroscope import GAME
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.entry import GameSetup
from companion.journal.replay import SavedGame

ROUNDS = 7
START_TIMEOUT_SECONDS = 120.0
"""Seconds for a start, on a machine that is busy."""
CLOCK_TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
BASE_PROGRAM = "import pygame, cv2, os; os.write(1, b'.')"


@dataclass(frozen=True, slots=True)
class StartTime:
    """Seconds of processor time, of all threads, and on the clock."""

    cpu_seconds: float
    wall_seconds: float


def read_cpu_seconds(process: int) -> float:
    """Seconds of processor time that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / CLOCK_TICKS_PER_SECOND


def time_base(environment: Mapping[str, str]) -> StartTime:
    """Python, pygame and cv2, until they are there."""
    began = time.monotonic()
    with subprocess.Popen([sys.executable, "-c", BASE_PROGRAM], env=environment, stdout=subprocess.PIPE) as program:
        assert program.stdout is not None
        # pygame greets before; the last thing said is the dot.
        while not program.stdout.read1().endswith(b"."):
            continue
        return StartTime(read_cpu_seconds(program.pid), time.monotonic() - began)


def time_companion(folder: Path, environment: Mapping[str, str], place: str) -> StartTime:
    """The companion, until it says that the table is playable and that it shows `place`."""
    door = folder / "notify"
    door.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(door))
        listening.settimeout(START_TIMEOUT_SECONDS)
        command = [sys.executable, "-m", "companion", "run", "--table", "real", "--camera", "77"]
        began = time.monotonic()
        program = subprocess.Popen(
            [*command, "--data", str(folder / "data")],
            env={**environment, "NOTIFY_SOCKET": str(door)},
            stderr=subprocess.DEVNULL,
        )
        try:
            while not (said := listening.recv(4096).decode()).startswith("STATUS=") or not said.endswith(place):
                continue
            return StartTime(read_cpu_seconds(program.pid), time.monotonic() - began)
        finally:
            program.kill()
            program.wait()


def write_interrupted_game(data: Path) -> None:
    """A game that was interrupted: an evening's worth of entries."""
    setup = GameSetup(game="macroscope", players=("Ada", "Bob"), buttons=(Button.SEAT1, Button.SEAT2))
    with Journal(data / JOURNAL_FILE) as journal:
        sitting = SavedGame.begin(journal, setup, GAME)
        for _ in range(60):
            move = next(iter(sitting.game.list_moves()), None)
            if move is None:
                break
            sitting.play_move(
                move if move.value_range is None else move.fill(*([move.value_range.low] * move.value_range.count))
            )


def measure(rounds: int = ROUNDS) -> dict[str, float]:
    """Medians: `base`, `first` and `resumed` in seconds of processor time, and the ratios of the latter two, each also
    as time on the clock.

    Raises:
        FileNotFoundError: there is no Xvfb.
    """
    found: dict[str, list[StartTime]] = {"base": [], "first": [], "resumed": []}
    with tempfile.TemporaryDirectory(prefix="companion-start-") as name, start_virtual_display(1280, 720) as display:
        folder = Path(name)
        environment = {**os.environ, "DISPLAY": display, "SDL_VIDEODRIVER": "x11"}
        write_interrupted_game(folder / "data")
        box = folder / "run"
        box.mkdir()
        for _ in range(rounds):
            found["base"].append(time_base(environment))
            found["first"].append(time_companion(folder, environment, "resume"))
            (box / "playing").write_text("1", encoding="ascii")
            found["resumed"].append(time_companion(folder, {**environment, "RUNTIME_DIRECTORY": str(box)}, "play"))
    told: dict[str, float] = {}
    for kind, times in found.items():
        told[f"{kind} CPU s"] = median(took.cpu_seconds for took in times)
        told[f"{kind} wall s"] = median(took.wall_seconds for took in times)
    for kind in ("first", "resumed"):
        told[f"{kind} / base, CPU"] = median(
            a.cpu_seconds / b.cpu_seconds for a, b in zip(found[kind], found["base"], strict=True)
        )
        told[f"{kind} / base, wall"] = median(
            a.wall_seconds / b.wall_seconds for a, b in zip(found[kind], found["base"], strict=True)
        )
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    try:
        told = measure(args.rounds)
    except FileNotFoundError as why:
        sys.exit(f"not installed: {why.filename}")
    if args.json:
        print(json.dumps(told))
        return
    print("Start, as a ratio to starting Python and importing pygame and cv2 (medians of", args.rounds, "rounds):")
    for kind, words in (("first", "first picture"), ("resumed", "resumed game on the screen")):
        print(
            f"  {words}: {told[f'{kind} / base, CPU']:.2f} of its processor time ({told[f'{kind} CPU s']:.2f} s to "
            f"{told['base CPU s']:.2f} s), {told[f'{kind} / base, wall']:.2f} on the clock"
        )


if __name__ == "__main__":
    main()
