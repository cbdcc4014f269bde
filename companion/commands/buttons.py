"""`companion buttons`: what is pressed, with stamps and by source, and every lamp: for checking a wiring."""

from __future__ import annotations

import json
import logging
import os
import select
import signal
import sys
import threading
import time
from argparse import ArgumentParser, ArgumentTypeError, Namespace, _SubParsersAction
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from companion.app.button_input import open_sources
from companion.config.settings import Settings, SettingsError, load_settings
from companion.events import Button, ButtonPressed, ButtonReleased, DeviceLost, DeviceRestored, Event
from hardware.buttons.lamp_effects import LampEffect
from hardware.buttons.source import ButtonSource

MonotonicClock = Callable[[], float]
KEYBOARD_SOURCE = "keyboard"
BUTTON_BY_KEY = {str(button.seat_number): button for button in Button if button.seat_number} | {
    "\n": Button.OK,
    "\r": Button.OK,
    " ": Button.OK,
    "\x7f": Button.NO,
    "\b": Button.NO,
    "+": Button.PLUS,
    "=": Button.PLUS,
    "-": Button.MINUS,
}
"""What a terminal sends for a key; it does not tell when the key is let go."""
KEYBOARD_POLL_SECONDS = 0.02
"""Seconds between two looks at the keyboard; buttons wake the loop at once."""
WALK_STEP_SECONDS = 0.7
"""Seconds that each lamp is lit by `--walk`."""
USAGE_HINT = "Press buttons, or 1 to 6, Enter, Backspace, + and -: each press also steps that lamp on. Ctrl-C ends."


def add_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    """Add the command to the program's."""
    parser = subparsers.add_parser(
        "buttons",
        help="tell what is pressed, and try the lamps",
        description="Tell each press and release, from which source and when, to check a wiring. Each press takes that "
        "button's lamp one effect further: on, slow blink, fast blink, breathing, off.",
    )
    parser.add_argument("--walk", action="store_true", help="light one lamp after the other instead")
    parser.add_argument("--seconds", metavar="N", type=_parse_seconds, help="end after so long (else by Ctrl-C)")
    parser.add_argument("--settings", metavar="FILE", type=Path, help="settings instead of the usual file")
    parser.add_argument("--json", action="store_true", help="print one JSON object per line")
    parser.set_defaults(run=run)


def _parse_seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.0 < value < 1e9:
        raise ArgumentTypeError(f"{text} is no number of seconds")
    return value


def run(args: Namespace) -> int:
    """Tell until Ctrl-C or the time is over; 2 if the settings cannot be used."""
    logging.basicConfig(level=logging.WARNING, format="%(message)s", stream=sys.stderr)
    try:
        settings = load_settings(args.settings)
    except SettingsError as error:
        print(error, file=sys.stderr)
        return 2
    woken = threading.Event()
    trial = WiringTest(
        open_sources(_request_all_sources(settings), time.monotonic, woken.set), time.monotonic, walk=args.walk
    )
    end = time.monotonic() + args.seconds if args.seconds else float("inf")
    words = format_json if args.json else format_line
    if not args.json:
        print(USAGE_HINT, flush=True)
    # A stop from outside leaves no lamp lit either.
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with unbuffered_keys(sys.stdin) as keys:
            while time.monotonic() < end:
                for told in [*trial.poll(), *(told for key in keys() for told in trial.handle_key(key))]:
                    print(words(told), flush=True)
                woken.wait(KEYBOARD_POLL_SECONDS)
                woken.clear()
    except KeyboardInterrupt:
        pass  # how people end it
    finally:
        signal.signal(signal.SIGTERM, before)
        trial.close()
    if not args.json:
        print(trial.format_summary())
    return 0


def _request_all_sources(settings: Settings) -> Settings:
    """Whoever checks a wiring wants to hear of everything that is missing."""
    if settings.table.buttons != "any":
        return settings
    return settings.model_copy(update={"table": settings.table.model_copy(update={"buttons": "both"})})


@dataclass(frozen=True, slots=True)
class WiringEvent:
    """A line: what happened at `at` (seconds since the start) at a source; `more` differs from event to event."""

    at: float
    source: str
    event: str
    details: dict[str, Any] = field(default_factory=dict)


class WiringTest:
    """What was pressed where, and what the lamps show.

    Args:
        sources: opened by this; none of them raises.
        clock: the host's monotonic clock, in seconds.
        walk: the lamps go round by themselves.
    """

    def __init__(self, sources: Sequence[ButtonSource], clock: MonotonicClock, *, walk: bool = False) -> None:
        self.lamps = dict.fromkeys(Button, LampEffect.OFF)
        self.presses: Counter[str] = Counter()
        self._sources, self._clock = tuple(sources), clock
        self._start = clock()
        self._pressed_at: dict[tuple[str, Button], float] = {}
        self._next_walk_at = clock() if walk else None
        self._walk_steps = 0

    def poll(self) -> list[WiringEvent]:
        """What happened since the last call, earliest first."""
        told = [
            each for source in self._sources for fact in source.read() for each in self._convert_event(source, fact)
        ]
        if self._next_walk_at is not None and self._clock() >= self._next_walk_at:
            told.append(self._walk_to_next_lamp())
        return sorted(told, key=lambda each: each.at)

    def handle_key(self, typed: str) -> list[WiringEvent]:
        """A key was typed in the terminal."""
        button = BUTTON_BY_KEY.get(typed)
        if button is None:
            return []
        return [self._handle_press(KEYBOARD_SOURCE, button, self._clock())]

    def format_summary(self) -> str:
        """How often was pressed, by source."""
        counts = ", ".join(f"{source} {count}" for source, count in sorted(self.presses.items()))
        return f"Presses: {counts or 'none'}"

    def close(self) -> None:
        """Lamps dark, devices let go."""
        for source in self._sources:
            source.close()

    def _convert_event(self, source: ButtonSource, fact: Event) -> list[WiringEvent]:
        match fact:
            case ButtonPressed(button=button, at=at):
                self._pressed_at[source.name, button] = at
                return [self._handle_press(source.name, button, at)]
            case ButtonReleased(button=button, at=at):
                since = self._pressed_at.pop((source.name, button), at)
                return [WiringEvent(at - self._start, source.name, "up", {"button": str(button), "after": at - since})]
            case DeviceLost(at=at, message=words):
                return [WiringEvent(at - self._start, source.name, "lost", {"words": words or "unplugged"})]
            case DeviceRestored(at=at):
                return [WiringEvent(at - self._start, source.name, "there")]
            case _:
                return []

    def _handle_press(self, source: str, button: Button, at: float) -> WiringEvent:
        self.presses[source] += 1
        more: dict[str, Any] = {"button": str(button), "heard_after": self._clock() - at}
        if self._next_walk_at is None:
            self.lamps[button] = LampEffect((self.lamps[button] + 1) % len(LampEffect))
            more["lamp"] = self.lamps[button].name.lower()
            self._update_lamps()
        return WiringEvent(at - self._start, source, "down", more)

    def _walk_to_next_lamp(self) -> WiringEvent:
        button = list(Button)[self._walk_steps % len(Button)]
        now = self._clock()
        self._walk_steps, self._next_walk_at = self._walk_steps + 1, now + WALK_STEP_SECONDS
        self.lamps = {each: LampEffect.ON if each is button else LampEffect.OFF for each in Button}
        self._update_lamps()
        return WiringEvent(now - self._start, "lamps", "on", {"button": str(button)})

    def _update_lamps(self) -> None:
        for source in self._sources:
            source.set_lamps(self.lamps)


def format_json(event: WiringEvent) -> str:
    """One JSON object on one line; times in seconds.

    >>> format_json(WiringEvent(1.0, "GPIO", "up", {"button": "ok", "after": 0.12}))
    '{"at": 1.0, "source": "GPIO", "event": "up", "button": "ok", "after": 0.12}'
    """
    more = {key: round(value, 6) if isinstance(value, float) else value for key, value in event.details.items()}
    return json.dumps({"at": round(event.at, 6), "source": event.source, "event": event.event, **more})


def format_line(event: WiringEvent) -> str:
    """One line for people.

    >>> format_line(WiringEvent(1.0, "GPIO", "up", {"button": "ok", "after": 0.1234}))
    '    1.000000  GPIO        ok     up, after 123.4 ms'
    """
    more = event.details
    match event.event:
        case "down":
            lamp = f", lamp {more['lamp']}" if "lamp" in more else ""
            words = f"{more['button']:5}  down, heard after {more['heard_after'] * 1000:.1f} ms{lamp}"
        case "up":
            words = f"{more['button']:5}  up, after {more['after'] * 1000:.1f} ms"
        case "lost":
            words = f"missing: {more['words']}"
        case "on":
            words = f"{more['button']:5}  on"
        case other:
            words = other
    return f"{event.at:12.6f}  {event.source:10}  {words}"


@contextmanager
def unbuffered_keys(terminal: TextIO) -> Iterator[Callable[[], str]]:
    """A function that gives the keys typed since the last call; nothing where there is no terminal."""
    try:
        number = terminal.fileno()
        is_terminal = os.isatty(number)
    except (OSError, ValueError):
        is_terminal = False
    if not is_terminal:
        yield lambda: ""
        return
    # Not everywhere: there is none on Windows.
    import termios
    import tty

    before = termios.tcgetattr(number)
    tty.setcbreak(number)
    try:
        yield lambda: os.read(number, 64).decode("utf-8", "replace") if select.select([number], [], [], 0)[0] else ""
    finally:
        termios.tcsetattr(number, termios.TCSADRAIN, before)
