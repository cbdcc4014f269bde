"""Run in the rig: the companion's window on the bare console, its screen switched off and on. Prints one JSON object.

Usage: screen.py, with a pygame on the path whose SDL has KMSDRM.
"""

from __future__ import annotations

import json
import logging
import os
import time
from collections.abc import Callable
from pathlib import Path

from companion.app.resilient_window import ResilientWindow
from companion.app.window import Window, open_surface
from companion.config.settings import DisplaySettings
from companion.screen_state import ScreenKind, ScreenState
from tests.kernel_rig import log_words
from tests.kernel_rig.parts import read_screen_state

LIMIT = 250.0


class LogLines(logging.Handler):
    """Collect log messages."""

    def __init__(self) -> None:
        super().__init__()
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


def main() -> dict[str, object]:
    lines = LogLines()
    logging.getLogger().addHandler(lines)
    logging.getLogger().setLevel(logging.INFO)
    wanted = DisplaySettings(fullscreen=True)
    window = ResilientWindow(
        open_surface(wanted), lambda onto: Window(onto, time.monotonic), lambda: open_surface(wanted), time.monotonic
    )
    connector = min(Path("/sys/class/drm").glob("card*-Virtual-*")) / "status"
    turns = 0

    def until(true: Callable[[], bool]) -> None:
        nonlocal turns
        end = time.monotonic() + LIMIT
        while not true():
            window.poll_events()
            window.show(ScreenState(ScreenKind.RESUME, prompt=f"A game was interrupted, {turns}"))
            turns += 1
            if time.monotonic() > end:
                raise SystemExit(f"timeout: {lines.messages}")

    def is_logged(words: str) -> bool:
        return any(line.startswith(words) for line in lines.messages)

    until(lambda: turns > 5)
    before = read_screen_state()
    connector.write_text("off", encoding="ascii")
    until(lambda: is_logged(log_words.SCREEN_OFF))
    turned_off = turns
    connector.write_text("on", encoding="ascii")
    until(lambda: is_logged(log_words.SCREEN_AVAILABLE))
    since = turns
    until(lambda: turns > since + 5)
    return {
        "before": before,
        "after": read_screen_state(),
        "turns while off": since - turned_off,
        "log": lines.messages,
    }


if __name__ == "__main__":
    print("RESULT " + json.dumps(main()), flush=True)
    os._exit(0)
