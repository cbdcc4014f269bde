"""Measure watchers of the page: the playing program's processor time without and with them, and the picture's delay.

    python tools/bench_watchers.py [--watchers N] [--blocks N] [--seconds S] [--size WxH]

A screen with animations is drawn 30 times a second and handed out, as the main loop does; `companion porch` serves it,
and a third process follows the page N times, as browsers do. Blocks in which nothing is published, nobody watches,
and with watchers alternate in a new order each time. Processor time is that of this process without drawing, over the
time that went by; while nothing is published it is that of this loop. The delay is from handing a picture out
until a watcher has all of it. Other programs on the machine make the delay longer, not the processor time.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import pygame
from bench_porch import TURN_SECONDS, collect_states
from results import record

from companion.display import Screen
from companion.porch.picture_sender import MIN_SECONDS
from companion.porch.publisher import PorchPublisher

STATE_SECONDS = 0.5
"""Time until the screen changes to another state: a press each half second is a busy table."""
MARK_BITS = 16
MARK_PX = 32
"""Side of a square that says one bit of the picture's number; small ones would not survive being made smaller."""
SETTLE_SECONDS = 2.0
"""Time for the porch to note that watchers have come or gone."""
WATCHERS_PROGRAM = f"""
import base64, os, socket, sys, threading, time
import cv2, numpy as np
port, count = int(sys.argv[1]), int(sys.argv[2])
arrivals = []
def follow():
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(f"GET /events HTTP/1.1\\r\\nHost: 127.0.0.1:{{port}}\\r\\n\\r\\n".encode())
        is_picture = False
        for line in connection.makefile("rb"):
            if is_picture and line.startswith(b"data: "):
                arrivals.append((line[6:].strip(), time.monotonic()))
            is_picture = line.startswith(b"event: picture")
def decode(text):
    image = cv2.imdecode(np.frombuffer(base64.b64decode(text), np.uint8), cv2.IMREAD_GRAYSCALE)
    side = image.shape[1] * {MARK_PX} / float(sys.argv[3])
    return sum(int(image[int(side / 2), int((i + 0.5) * side)] > 128) << i for i in range({MARK_BITS}))
for _ in range(count):
    threading.Thread(target=follow, daemon=True).start()
sys.stdin.read()
found = list(arrivals)
numbers = {{text: decode(text) for text in {{text for text, _at in found}}}}
for text, at in found:
    print(numbers[text], at)
sys.stdout.flush()
os._exit(0)
"""


class PorchMode(StrEnum):
    """What the playing program does in a block, and for whom."""

    OFF = "nothing is published"
    UNWATCHED = "nobody watches"
    WATCHED = "watched"


@dataclass
class Block:
    """What was measured while the same things were drawn."""

    shares: list[float] = field(default_factory=list)
    """Processor time of the process without that of drawing, over the time that went by, for each block."""
    handing_out: list[float] = field(default_factory=list)
    """Of it what the main loop spends: publishing and copying."""
    pictures: int = 0
    porch_seconds: float = 0.0
    """Processor time of the porch."""
    delays: list[float] = field(default_factory=list)
    """Seconds, for each picture and watcher."""


def mark(surface: pygame.Surface, number: int) -> None:
    """Draw the number of a picture into its upper left corner."""
    for i in range(MARK_BITS):
        surface.fill("white" if number >> i & 1 else "black", (i * MARK_PX, 0, MARK_PX, MARK_PX))


@contextmanager
def serve(folder: Path) -> Iterator[tuple[int, int]]:
    """Serve the page of the table in a folder by `companion porch`; yield its port and its process id."""
    settings = folder / "settings.toml"
    port = random.SystemRandom().randrange(20_000, 60_000)
    settings.write_text(f"[porch]\non = true\nport = {port}\n", "utf-8")
    command = [sys.executable, "-m", "companion", "porch", "--settings", str(settings)]
    command += ["--socket", str(folder / "porch.sock")]
    porch = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        yield port, porch.pid
    finally:
        porch.terminate()
        porch.wait()
        assert porch.stdout is not None
        porch.stdout.close()


def read_cpu_seconds(process: int) -> float:
    """Return the processor time that another process has used."""
    fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def read_delays(output: str, handed_out: Sequence[float]) -> list[float]:
    """Return the seconds from handing out to arrival, of each picture that each watcher got."""
    lines = (line.split() for line in output.splitlines())
    return [float(arrived) - handed_out[int(number)] for number, arrived in lines if int(number) < len(handed_out)]


def measure(watchers: int, blocks: int, seconds: float, size: tuple[int, int]) -> dict[PorchMode, Block]:
    """Return what the blocks of each mode have cost."""
    states, rng = collect_states(), random.Random(1)
    found = {mode: Block() for mode in PorchMode}
    screen, surface = Screen(size), pygame.Surface(size, 0, 32)
    with tempfile.TemporaryDirectory() as name:
        publisher = PorchPublisher(Path(name, "porch.sock"), "bench")
        with serve(Path(name)) as (port, porch):
            handed_out: list[float] = []

            def play(length: float, block: Block | None = None, *, is_on: bool = True) -> None:
                begun, cpu, spent, drawing, count = time.monotonic(), time.process_time(), 0.0, 0.0, 0
                porch_cpu = read_cpu_seconds(porch)
                while (now := time.monotonic()) < begun + length:
                    state = states[int(now / STATE_SECONDS) % len(states)]
                    # The text changes each time, so that each picture is a new one.
                    state = replace(state, prompt=f"Turn {int(now / MIN_SECONDS)}: roll the dice")
                    before = time.thread_time()
                    drawn = bool(screen.draw(surface, state))
                    if drawn:
                        mark(surface, len(handed_out))
                    drawing, before = drawing + time.thread_time() - before, time.thread_time()
                    number, at = publisher.pictures._number, time.monotonic()
                    if is_on:
                        publisher.publish(state, None)
                        if drawn:
                            publisher.pictures.note_drawn(surface)
                        at = time.monotonic()
                        publisher.pictures.hand_out(state)
                    spent += time.thread_time() - before
                    if drawn:
                        handed_out.append(at)
                    count += publisher.pictures._number - number
                    time.sleep(max(0.0, now + TURN_SECONDS - time.monotonic()))
                if block is not None:
                    went_by = time.monotonic() - begun
                    block.shares.append((time.process_time() - cpu - drawing) / went_by)
                    block.handing_out.append(spent / went_by)
                    block.porch_seconds += read_cpu_seconds(porch) - porch_cpu
                    block.pictures += count

            play(SETTLE_SECONDS)
            for _ in range(blocks):
                for mode in rng.sample(list(PorchMode), len(PorchMode)):
                    handed_out.clear()
                    browsers = None
                    if mode is PorchMode.WATCHED:
                        program = [sys.executable, "-c", WATCHERS_PROGRAM, str(port), str(watchers), str(size[0])]
                        browsers = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
                        play(SETTLE_SECONDS)
                    play(seconds, found[mode], is_on=mode is not PorchMode.OFF)
                    if browsers is not None:
                        output, _none = browsers.communicate()  # the end of its input ends it
                        found[mode].delays += read_delays(output, handed_out)
                        play(SETTLE_SECONDS)
            publisher.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--watchers", type=int, default=10)
    parser.add_argument("--blocks", type=int, default=5, help="blocks of each mode")
    parser.add_argument("--seconds", type=float, default=8.0, help="of a block")
    parser.add_argument("--size", default="1920x1080", help="of the screen")
    options = parser.parse_args()
    width, _by, height = options.size.partition("x")
    found = measure(options.watchers, options.blocks, options.seconds, (int(width), int(height)))
    for mode, block in found.items():
        line = {
            "mode": mode,
            "all but drawing, % of a core": round(100 * statistics.mean(block.shares), 1),
            "of it in the main loop, %": round(100 * statistics.mean(block.handing_out), 2),
        }
        if mode is PorchMode.WATCHED:
            line |= {
                "pictures": block.pictures,
                "arrived": len(block.delays),
                "porch, ms a picture": round(1000 * block.porch_seconds / max(1, block.pictures), 1),
            }
        print(json.dumps(line))
    delays = sorted(found[PorchMode.WATCHED].delays)
    if not delays:
        sys.exit("No picture arrived: is the port taken? Run it again.")
    delay = f"median {statistics.median(delays):.2f} s, 95 % within {delays[int(0.95 * len(delays))]:.2f} s"
    print(f"delay: {delay}")
    command = f"python tools/bench_watchers.py --watchers {options.watchers} --size {options.size}"
    off, unwatched, watched = (statistics.mean(found[mode].shares) for mode in PorchMode)
    record(
        {
            "watchers none": round(100 * (unwatched - off), 1),
            "watchers some": round(100 * (watched - off), 1),
            "watchers delay": delay,
        },
        command,
    )


if __name__ == "__main__":
    main()
