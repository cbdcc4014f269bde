"""Measure how fast the companion starts, relative to starting Python and importing pygame and cv2.

Measured from the start of the process to its first screen (the question whether to continue an interrupted game), and
to the screen of a game that is resumed without a question after the watchdog ended it. CPU time, since other programs
may be running; the wall time is given beside it. Needs Xvfb.

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

from results import record
from virtual_display import start_virtual_display

from companion.events import Button
from companion.games.macroscope import GAME
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.entry import GameSetup
from companion.journal.saved_game import SavedGame

ROUNDS = 7
START_TIMEOUT_SECONDS = 120.0
"""Longest start on a busy machine; a slower one fails with a timeout."""
CLOCK_TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
BASE_PROGRAM = "import pygame, cv2, os; os.write(1, b'.')"


@dataclass(frozen=True, slots=True)
class StartTime:
    """Duration of a start: CPU time of all threads, and wall time."""

    cpu_seconds: float
    wall_seconds: float


def read_cpu_seconds(process: int) -> float:
    """Return the CPU time that a process has used, in seconds."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / CLOCK_TICKS_PER_SECOND


def time_base(environment: Mapping[str, str]) -> StartTime:
    """Measure the start of Python with pygame and cv2 imported."""
    began = time.monotonic()
    with subprocess.Popen([sys.executable, "-c", BASE_PROGRAM], env=environment, stdout=subprocess.PIPE) as program:
        assert program.stdout is not None
        # pygame prints its greeting first; the dot comes last.
        while not os.read(program.stdout.fileno(), 4096).endswith(b"."):
            continue
        return StartTime(read_cpu_seconds(program.pid), time.monotonic() - began)


def time_companion(folder: Path, environment: Mapping[str, str], place: str) -> StartTime:
    """Measure the start of the companion until its status (sd_notify) ends with `place`.

    Raises:
        TimeoutError: it did not within `START_TIMEOUT_SECONDS`.
    """
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
    """Write a journal with an interrupted game of about 60 moves into the folder `data`."""
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
    """Return medians of `base`, `first` and `resumed` in seconds, and ratios of the latter two, as CPU and wall time.

    Raises:
        FileNotFoundError: Xvfb is not installed.
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
    record({f"start_{kind}": round(told[f"{kind} / base, CPU"], 1) for kind in ("first", "resumed")}, "make bench")
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
