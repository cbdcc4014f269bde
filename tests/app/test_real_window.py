"""A real window on a screen of its own (Xvfb), used with a real mouse and real keys (xdotool).

The window's parts, without a screen: test_window.py.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from virtual_display import start_virtual_display

from companion.api import Move
from companion.games.macroscope.settings import Settings
from tests.conftest import REPOSITORY
from tests.games.differential.comparisons import MACROSCOPE
from tests.games.differential.driver import score_moves

GENEROUS = 900.0
"""Time limit in seconds: real parts take their time on a busy machine."""
MISSING = [name for name in ("Xvfb", "xdotool") if shutil.which(name) is None]
pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}")


@pytest.fixture
def screen() -> Iterator[dict[str, str]]:
    """Yield the environment of a program on a screen of its own, 1600x900."""
    with start_virtual_display(1600, 900) as display:
        yield {**os.environ, "DISPLAY": display, "SDL_VIDEODRIVER": "x11", "PYTHONPATH": str(REPOSITORY)}


def play(folder: Path, screen: dict[str, str], rounds: int, seed: int) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("person.py")), str(folder), str(rounds), str(seed)],
        env=screen,
        capture_output=True,
        text=True,
        timeout=GENEROUS * rounds,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    reported: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return reported


def check(reported: dict[str, Any], rounds: int) -> None:
    """Check that the journal matches the mouse's actions, and the scores the reference scoring."""
    moves: list[Move] = []
    for m in reported["moves"]:
        value = tuple(m["value"])
        if m["kind"] == "dice":  # on a slow machine the players throw again before a throw is read: it is corrected
            assert moves[-1].kind == "roll"
            moves[-1] = replace(moves[-1], value=value)
        else:
            moves.append(Move(m["kind"], m["seat"], value))
    thrown = iter(sorted(values) for values in reported["thrown"])
    assert all(sorted(m.value) in thrown for m in moves if m.kind == "roll")
    assert [m.value[0] for m in moves if m.kind == "remove"] == reported["taken"]
    first = next(move.player for move in moves if move.kind == "roll")
    plain = score_moves(MACROSCOPE, len(reported["scores"]), first, Settings(rounds=rounds), moves)
    assert plain.crystals == reported["scores"]


@pytest.mark.full
def test_a_person_plays_a_round_with_mouse_and_keys(tmp_path: Path, screen: dict[str, str]) -> None:
    check(play(tmp_path, screen, 1, 4), 1)


@pytest.mark.proof
def test_a_person_plays_ten_rounds_with_mouse_and_keys(tmp_path: Path, screen: dict[str, str]) -> None:
    check(play(tmp_path, screen, 10, 11), 10)


@pytest.mark.full
def test_the_program_opens_takes_keys_and_ends_in_order(tmp_path: Path, screen: dict[str, str]) -> None:
    """`companion run --table keyboard`: seats by keys, then the signal that systemd sends."""
    command = [sys.executable, "-m", "companion", "run", "--table", "keyboard", "--data", str(tmp_path)]
    program = subprocess.Popen(command, env=screen, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    try:
        deadline = time.monotonic() + GENEROUS
        journal = tmp_path / "journal.sqlite3-wal"
        # Keys pressed before the window listens are lost, as for a person: press until the sitting has begun.
        while not (journal.exists() and journal.stat().st_size):
            assert time.monotonic() < deadline
            assert program.poll() is None, program.stderr.read() if program.stderr else ""
            # NO empties the seats first: a "1" that was heard alone would be a "not me" the next time round.
            keys = ["BackSpace", "BackSpace", "1", "2", "Return", "Return"]
            # Slower than the guard against double presses (REACTION_SECONDS).
            subprocess.run(["xdotool", "key", "--delay", "500", *keys], env=screen, check=True)
        program.send_signal(signal.SIGTERM)
        assert program.wait(GENEROUS) == 0, program.stderr.read() if program.stderr else ""
    finally:
        program.kill()
        program.wait()
        program.stderr.close()
    history = subprocess.run(
        [sys.executable, "-m", "companion", "history", "--json", "--data", str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
    )
    sittings = json.loads(history.stdout)
    assert [s["players"] for s in sittings] == [["Circle", "Triangle"]]


FULL_SCREEN_PROGRAM = """
import sys

import pygame
from companion.app.window import Window, open_surface
from companion.config.settings import DisplaySettings
from companion.screen_state import ScreenKind, ScreenState

window = Window(open_surface(DisplaySettings(size=(800, 480), fullscreen=bool(sys.argv[1:]))), lambda: 0.0)
for _ in range(3):
    window.show(ScreenState(ScreenKind.LOBBY))
    print(*pygame.display.get_surface().get_size())
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_F11, scancode=68, unicode="", mod=0))
    assert not window.poll_events()
"""


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("options", "sizes"),
    [((), ["800 480", "1600 900", "800 480"]), (("full",), ["1600 900", "1200 675", "1600 900"])],
    ids=["begun in a window", "begun full screen"],
)
def test_f11_fills_the_screen_and_returns_to_the_window(
    screen: dict[str, str], options: tuple[str, ...], sizes: list[str]
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FULL_SCREEN_PROGRAM, *options], env=screen, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-3:] == sizes
