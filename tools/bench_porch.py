"""Measure what the porch costs the game: turns of the main loop with it off, read, hung, killed and without a reader.

    python tools/bench_porch.py [--turns N] [--blocks N]

A turn draws a new state of a game at 800x480, publishes it and hands out the picture, 30 times a second, as the main
loop does while something moves; readers read both. The modes alternate in short blocks, in a new order each time, so
that all of them get the same share of what else the machine does. Printed are the median and the 99th percentile of a
turn and of its publishing alone (state and picture), and the ratio of the medians to that of the mode "off".
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import pygame
from results import record

from companion.display import Screen
from companion.display.toolkit.preferences import DisplayPreferences
from companion.gallery import load_sample_builders
from companion.porch.picture_file import find_picture_path
from companion.porch.publisher import PorchPublisher
from companion.screen_state import ScreenKind, ScreenState

MODES = ("off", "no reader", "read", "hung", "killed")
SIZE = (800, 480)
TURN_SECONDS = 1 / 30
"""Time from one turn of the main loop to the next while something moves."""
READER = """
import socket, sys, threading
def read(path):
    reader = socket.socket(socket.AF_UNIX)
    reader.connect(path)
    connected.release()
    while reader.recv(65536):
        pass
connected = threading.Semaphore(0)
for path in sys.argv[1:]:
    threading.Thread(target=read, args=(path,)).start()
    connected.acquire()
print("connected", flush=True)
"""


def collect_states() -> list[ScreenState]:
    """Return states of games in play."""
    names = ("secret_number", "starfall", "pictomania", "memo_dice")
    states = [state for name in names for state in load_sample_builders()[name]().values()]
    return [state for state in states if state.kind is ScreenKind.PLAY]


def start_reader(path: Path) -> subprocess.Popen[str]:
    """Start a process that reads both sockets, and return when it is connected."""
    reader = subprocess.Popen(
        [sys.executable, "-c", READER, path, find_picture_path(path)], stdout=subprocess.PIPE, text=True
    )
    assert reader.stdout is not None
    reader.stdout.readline()
    return reader


def run_block(mode: str, states: list[ScreenState], turns: int, folder: Path) -> tuple[list[float], list[float]]:
    """Run turns in a mode.

    Returns:
        Seconds of each turn, and of its publishing alone.
    """
    screen = Screen(SIZE, DisplayPreferences(animations=False))
    surface = pygame.Surface(SIZE, 0, 32)  # as that of a window
    path = folder / "porch.sock"
    publisher = None if mode == "off" else PorchPublisher(path, "bench")
    reader = start_reader(path) if mode in ("read", "hung", "killed") else None
    if reader and mode == "hung":
        reader.send_signal(signal.SIGSTOP)
    whole, published = [], []
    for i in range(turns):
        if reader and mode == "killed" and i == turns // 4:
            reader.kill()
        state = replace(states[i % len(states)], prompt=f"Turn {i}: roll the dice")
        begin = time.perf_counter()
        screen.draw(surface, state)
        middle = time.perf_counter()
        if publisher:
            publisher.publish(state, None)
            publisher.pictures.note_drawn(surface)
            publisher.pictures.hand_out(state)
        end = time.perf_counter()
        # The main loop waits here too; without that the porch's thread would have no share of its own.
        time.sleep(max(0.0, begin + TURN_SECONDS - end))
        whole.append(end - begin)
        published.append(end - middle)
    if reader:
        reader.kill()
        reader.wait()
    if publisher:
        publisher.close()
    return whole, published


def summarise(seconds: list[float]) -> dict[str, float]:
    """Return median and 99th percentile in milliseconds."""
    ordered = sorted(seconds)
    return {
        "median_ms": round(1000 * statistics.median(ordered), 4),
        "p99_ms": round(1000 * ordered[int(0.99 * len(ordered))], 4),
    }


def measure(turns: int, blocks: int, seed: int = 1) -> dict[str, dict[str, float]]:
    """Return the figures of each mode: of whole turns, of publishing alone (publish_...), and the ratio to "off"."""
    states, rng = collect_states(), random.Random(seed)
    whole: dict[str, list[float]] = {mode: [] for mode in MODES}
    published: dict[str, list[float]] = {mode: [] for mode in MODES}
    with tempfile.TemporaryDirectory() as folder:
        run_block("off", states, turns, Path(folder))  # everything is loaded
        for _ in range(blocks):
            for mode in rng.sample(MODES, len(MODES)):
                a, b = run_block(mode, states, turns, Path(folder))
                whole[mode] += a
                published[mode] += b
    off = statistics.median(whole["off"])
    return {
        mode: summarise(whole[mode])
        | {f"publish_{key}": value for key, value in summarise(published[mode]).items()}
        | {"ratio": round(statistics.median(whole[mode]) / off, 4)}
        for mode in MODES
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--turns", type=int, default=100, help="turns of a block")
    parser.add_argument("--blocks", type=int, default=6, help="blocks of each mode")
    options = parser.parse_args()
    command = f"python tools/bench_porch.py --turns {options.turns} --blocks {options.blocks}"
    for mode, figures in measure(options.turns, options.blocks).items():
        print(json.dumps({"mode": mode, **figures}))
        ratio, milliseconds = round(figures["ratio"], 2), round(figures["publish_median_ms"], 2)
        record({f"porch {mode}": ratio, f"porch {mode} publish ms": milliseconds}, command)


if __name__ == "__main__":
    main()
