"""`companion buttons`: print presses and light lamps, to test a wiring."""

import json
import logging
import os
import select
import signal
import sys
import threading
import time
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, TextIO

from companion.app.button_input import open_controllers, open_sources
from companion.commands.arguments import shorten_argument
from companion.commands.common import add_data_option, add_settings_option, load_command_settings, print_problems
from companion.config.settings import Settings
from companion.config.taught_buttons import TaughtButtons
from companion.events import Button, ButtonPressed, ButtonReleased, ControlPressed, DeviceLost, DeviceRestored, Event
from hardware.buttons.controllers.bindings import clean_name
from hardware.buttons.lamp_effects import LampEffect
from hardware.buttons.source import ButtonSource

DESCRIPTION = (
    "Print each press and release with its source and time, to test a wiring. Each press switches the button's lamp to "
    "the next effect: on, slow blink, fast blink, breathing, off."
)

KEYBOARD_SOURCE = "keyboard"
"""Name of the terminal's keyboard as a source of presses."""
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
"""Buttons by the character that a terminal sends for a key; it does not send when the key is released."""
KEYBOARD_POLL_SECONDS = 0.02
"""Seconds between two reads of the keyboard; buttons wake the loop at once."""
WALK_STEP_SECONDS = 1.5
"""Seconds for which `--walk` lights each lamp: long enough to press its button."""
USAGE_HINT = "Press buttons, or keys 1 to 6, Enter, Backspace, + and -: each press also changes that lamp. Ctrl-C ends."


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of `companion buttons` (`walk`, `seconds`, `settings`, `json`) to its parser."""
    parser.add_argument(
        "--walk", action="store_true", help="light one lamp after the other instead; press each button while it is lit"
    )
    parser.add_argument("--seconds", metavar="N", type=_parse_seconds, help="end after N seconds (default: by Ctrl-C)")
    add_settings_option(parser)
    add_data_option(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object per line")


def _parse_seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.0 < value < 1e9:
        raise ArgumentTypeError(f"{shorten_argument(text)} is no number of seconds")
    return value


def run(args: Namespace) -> None:
    """Print presses and releases, and light lamps, until Ctrl-C, SIGTERM or the end of `--seconds`.

    Call it in the main thread: it replaces the handler of SIGTERM and switches the terminal to unbuffered input while
    it runs. All lamps are off at the end.

    Ctrl-C and SIGTERM are no failure, and missing buttons are printed as events.

    Args:
        args: `walk` (bool: light one lamp after the other), `seconds` (float above 0; None: no end), `settings` and
            `data` (paths or None), `json` (bool: print JSON).

    Raises:
        CommandError: the settings cannot be used; status 2.
        termios.error: the terminal cannot be switched, for example because it went away.
    """
    logging.basicConfig(level=logging.WARNING, format="%(message)s", stream=sys.stderr)
    settings = load_command_settings(args)
    taught = TaughtButtons(settings.find_data_folder(args.data))
    print_problems(taught.store.problem)
    woken = threading.Event()
    sources = open_sources(_request_all_sources(settings), time.monotonic, woken.set)
    controllers = open_controllers(settings, taught, time.monotonic, woken.set)
    test = WiringTest([*sources, *([controllers] if controllers else [])], time.monotonic, walk=args.walk)
    end = time.monotonic() + args.seconds if args.seconds else float("inf")
    format_event = format_json if args.json else format_line
    if not args.json:
        print(USAGE_HINT, flush=True)
    # SIGTERM must not leave a lamp lit either.
    previous_handler = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        # Ctrl-C is the usual end.
        with suppress(KeyboardInterrupt), unbuffered_keys(sys.stdin) as read_keys:
            while time.monotonic() < end:
                for event in [*test.poll(), *(event for key in read_keys() for event in test.handle_key(key))]:
                    print(format_event(event), flush=True)
                woken.wait(KEYBOARD_POLL_SECONDS)
                woken.clear()
    finally:
        signal.signal(signal.SIGTERM, previous_handler)
        test.close()
    if not args.json:
        print(test.format_summary())


def _request_all_sources(settings: Settings) -> Settings:
    """Return settings that ask for all kinds of buttons, so that all that are missing are reported."""
    if settings.table.buttons != "any":
        return settings
    return settings.model_copy(update={"table": settings.table.model_copy(update={"buttons": "both"})})


@dataclass(frozen=True, slots=True)
class WiringEvent:
    """Something that happened at a source of presses; it is printed as one line."""

    at: float
    """Seconds since the `WiringTest` was made."""
    source: str
    """Name of the source, such as "GPIO" or "keyboard"; "lamps" for a step of `--walk`."""
    event: str
    """"down", "up", "lost" (the source), "there" (it is back), "on" (a lamp, with `--walk`), or "untaught"."""
    details: dict[str, Any] = field(default_factory=dict)
    """By event: "down": `button`, `heard_after` (seconds from the press to its handling), `lamp` (name of the lamp's
    effect; absent with `--walk`), `lit` (only with `--walk`: the button whose lamp is lit). "up": `button`, `after`
    (seconds held). "lost": `words` (the reason). "on": `button`. "untaught": `control` of the controller `name`, which
    stands for no button.
    """


class WiringTest:
    """Counts presses by source and drives the lamps.

    Args:
        sources: open sources whose methods do not raise.
        clock: returns seconds on the host's monotonic clock.
        walk: light one lamp after the other, each for WALK_STEP_SECONDS, independent of presses.

    Attributes:
        lamps: effect of each lamp now.
        presses: number of presses so far, by name of the source.
        pressed: buttons that were pressed so far.
    """

    def __init__(self, sources: Sequence[ButtonSource], clock: Callable[[], float], *, walk: bool = False) -> None:
        self.lamps = dict.fromkeys(Button, LampEffect.OFF)
        self.presses: Counter[str] = Counter()
        self.pressed: set[Button] = set()
        self._sources, self._clock = tuple(sources), clock
        self._start = clock()
        self._pressed_at: dict[tuple[str, Button], float] = {}
        self._next_walk_at = clock() if walk else None
        self._walk_steps = 0

    def poll(self) -> list[WiringEvent]:
        """Return what happened since the last call, earliest first, without waiting; empty: nothing.

        Each press switches its lamp to the next effect; with `walk` the next lamp is lit when it is due.
        """
        events = [
            each for source in self._sources for event in source.read() for each in self._convert_event(source, event)
        ]
        if self._next_walk_at is not None and self._clock() >= self._next_walk_at:
            events.append(self._walk_to_next_lamp())
        return sorted(events, key=lambda each: each.at)

    def handle_key(self, typed: str) -> list[WiringEvent]:
        """Handle a key that was typed in the terminal, like a press of the button that it stands for.

        Args:
            typed: one character as the terminal sent it, a key of `BUTTON_BY_KEY`; any other text is ignored.

        Returns:
            The "down" event, as the only element; empty: the key stands for no button.
        """
        button = BUTTON_BY_KEY.get(typed)
        return [] if button is None else [self._handle_press(KEYBOARD_SOURCE, button, self._clock())]

    def format_summary(self) -> str:
        """Return the number of presses by source: "Presses: GPIO 3, keyboard 1" or "Presses: none".

        With `walk` a second line names the buttons that were not pressed: "Never pressed: seat3, no", or
        "Every button was pressed."
        """
        counts = ", ".join(f"{source} {count}" for source, count in sorted(self.presses.items()))
        summary = f"Presses: {counts or 'none'}"
        if self._next_walk_at is None:
            return summary
        missing = ", ".join(str(button) for button in Button if button not in self.pressed)
        return f"{summary}\n{f'Never pressed: {missing}' if missing else 'Every button was pressed.'}"

    def close(self) -> None:
        """Switch off all lamps and close all sources."""
        for source in self._sources:
            source.close()

    def _convert_event(self, source: ButtonSource, event: Event) -> list[WiringEvent]:
        match event:
            case ButtonPressed(button=button, at=at):
                self._pressed_at[source.name, button] = at
                return [self._handle_press(source.name, button, at)]
            case ButtonReleased(button=button, at=at):
                since = self._pressed_at.pop((source.name, button), at)
                return [WiringEvent(at - self._start, source.name, "up", {"button": str(button), "after": at - since})]
            case DeviceLost(at=at, message=message):
                return [WiringEvent(at - self._start, source.name, "lost", {"words": message or "unplugged"})]
            case DeviceRestored(at=at):
                return [WiringEvent(at - self._start, source.name, "there")]
            case ControlPressed(controller=controller, control=control, at=at):
                names = {"control": control, "name": clean_name(controller)}
                return [WiringEvent(at - self._start, source.name, "untaught", names)]
            case _:
                return []

    def _handle_press(self, source: str, button: Button, at: float) -> WiringEvent:
        self.presses[source] += 1
        self.pressed.add(button)
        details: dict[str, Any] = {"button": str(button), "heard_after": self._clock() - at}
        if self._next_walk_at is None:
            self.lamps[button] = LampEffect((self.lamps[button] + 1) % len(LampEffect))
            details["lamp"] = self.lamps[button].name.lower()
            self._update_lamps()
        elif self._walk_steps:
            details["lit"] = str(self._find_walking_lamp(self._walk_steps - 1))
        return WiringEvent(at - self._start, source, "down", details)

    def _walk_to_next_lamp(self) -> WiringEvent:
        button = self._find_walking_lamp(self._walk_steps)
        now = self._clock()
        self._walk_steps, self._next_walk_at = self._walk_steps + 1, now + WALK_STEP_SECONDS
        self.lamps = {each: LampEffect.ON if each is button else LampEffect.OFF for each in Button}
        self._update_lamps()
        return WiringEvent(now - self._start, "lamps", "on", {"button": str(button)})

    @staticmethod
    def _find_walking_lamp(step: int) -> Button:
        return list(Button)[step % len(Button)]

    def _update_lamps(self) -> None:
        for source in self._sources:
            source.set_lamps(self.lamps)


def format_json(event: WiringEvent) -> str:
    """Return the event as one JSON object on one line; times in seconds.

    >>> format_json(WiringEvent(1.0, "GPIO", "up", {"button": "ok", "after": 0.12}))
    '{"at": 1.0, "source": "GPIO", "event": "up", "button": "ok", "after": 0.12}'
    """
    details = {key: round(value, 6) if isinstance(value, float) else value for key, value in event.details.items()}
    return json.dumps({"at": round(event.at, 6), "source": event.source, "event": event.event, **details})


def format_line(event: WiringEvent) -> str:
    """Return the event as one line for people: seconds, source, button, what happened.

    >>> format_line(WiringEvent(1.0, "GPIO", "up", {"button": "ok", "after": 0.1234}))
    '    1.000000  GPIO        ok     up, after 123.4 ms'
    """
    details = event.details
    match event.event:
        case "down":
            lamp = f", lamp {details['lamp']}" if "lamp" in details else ""
            if "lit" in details:
                lamp = ", as lit" if details["lit"] == details["button"] else f", but {details['lit']} is lit"
            text = f"{details['button']:5}  down, heard after {details['heard_after'] * 1000:.1f} ms{lamp}"
        case "up":
            text = f"{details['button']:5}  up, after {details['after'] * 1000:.1f} ms"
        case "lost":
            text = f"missing: {details['words']}"
        case "untaught":
            text = f"{details['control']} of {details['name']} was not taught"
        case "on":
            text = f"{details['button']:5}  on"
        case other:
            text = other
    return f"{event.at:12.6f}  {event.source:10}  {text}"


@contextmanager
def unbuffered_keys(terminal: TextIO) -> Iterator[Callable[[], str]]:
    """Switch a terminal to unbuffered input without echo in the block, and restore it afterwards.

    Args:
        terminal: stdin; a pipe or a closed file is allowed.

    Yields:
        A function that returns the characters typed since its last call (at most 64 bytes), without waiting; "": none,
        and always "" if `terminal` is no terminal.

    Raises:
        termios.error: the terminal cannot be switched, for example because it went away.
    """
    if terminal.closed or not terminal.isatty():
        yield lambda: ""
        return
    # Windows has no termios.
    import termios
    import tty

    number = terminal.fileno()
    before = termios.tcgetattr(number)
    tty.setcbreak(number)
    try:
        yield lambda: os.read(number, 64).decode("utf-8", "replace") if select.select([number], [], [], 0)[0] else ""
    finally:
        termios.tcsetattr(number, termios.TCSADRAIN, before)
