"""Count presses by source, drive the lamps, and print both: what `companion buttons` does with opened sources."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.events import (
    Button,
    ButtonHeld,
    ButtonPressed,
    ButtonReleased,
    ControlPressed,
    DeviceLost,
    DeviceRestored,
    Event,
)
from hardware.buttons.controllers.bindings import clean_name
from hardware.buttons.lamp_effects import LampEffect
from hardware.buttons.source import ButtonSource

KEYBOARD_SOURCE = "keyboard"
"""Name of the terminal's keyboard as a source of presses."""
HELD_FROM_BEGINNING = "down from the beginning: at N.C. instead of N.O., or shorted?"
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


@dataclass(frozen=True, slots=True)
class WiringEvent:
    """Something that happened at a source of presses; it is printed as one line."""

    at: float
    """Seconds since the `WiringTest` was made."""
    source: str
    """Name of the source, such as "GPIO" or "keyboard"; "lamps" for a step of `--walk`."""
    event: str
    """"down", "up", "held" (down and not pressed), "lost" (the source), "there" (it is back) or "untaught"; in a walk
    also "on" (a lamp), "ask" (whether it is lit), "lamp" (the answer) and "over"."""
    details: dict[str, Any] = field(default_factory=dict)
    """By event: "down": `button`, `heard_after` (seconds from the press to its handling), `lamp` (name of the lamp's
    effect; absent with `--walk`), `lit` (only with `--walk`: the button whose lamp is lit). "up": `button`, `after`
    (seconds held). "lost": `words` (the reason). "held", "on", "ask": `button`. "lamp": `button`, `lit` (bool).
    "untaught": `control` of the controller `name`, which stands for no button.
    """


class WiringTest:
    """Counts presses by source and drives the lamps.

    Args:
        sources: open sources whose methods do not raise.
        clock: returns seconds on the host's monotonic clock.

    Attributes:
        lamps: effect of each lamp now.
        presses: number of presses so far, by name of the source.
        pressed: buttons that were pressed so far.
        held: buttons that were down when their device was opened.
    """

    def __init__(self, sources: Sequence[ButtonSource], clock: Callable[[], float]) -> None:
        self.lamps = dict.fromkeys(Button, LampEffect.OFF)
        self.presses: Counter[str] = Counter()
        self.pressed: set[Button] = set()
        self.held: set[Button] = set()
        self._sources, self._clock = tuple(sources), clock
        self._start = clock()
        self._pressed_at: dict[tuple[str, Button], float] = {}

    def poll(self) -> list[WiringEvent]:
        """Return what happened since the last call, earliest first, without waiting; empty: nothing.

        Each press switches its lamp to the next effect.
        """
        events = [
            each for source in self._sources for event in source.read() for each in self._convert_event(source, event)
        ]
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
        """Return the number of presses by source, as in "Presses: GPIO 3, keyboard 1", and below it what was held."""
        counts = ", ".join(f"{source} {count}" for source, count in sorted(self.presses.items()))
        lines = [f"Presses: {counts or 'none'}"]
        if held := ", ".join(str(button) for button in Button if button in self.held):
            # It is pressed when it is let go, and would pass for a good one.
            lines.append(f"{held}: {HELD_FROM_BEGINNING}")
        return "\n".join(lines)

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
            case ButtonHeld(button=button, at=at):
                self.held.add(button)
                return [WiringEvent(at - self._start, source.name, "held", {"button": str(button)})]
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
        """Count a press and switch its lamp."""
        event = self._count_press(source, button, at)
        self.lamps[button] = LampEffect((self.lamps[button] + 1) % len(LampEffect))
        event.details["lamp"] = self.lamps[button].name.lower()
        self._update_lamps()
        return event

    def _count_press(self, source: str, button: Button, at: float) -> WiringEvent:
        self.presses[source] += 1
        self.pressed.add(button)
        return WiringEvent(at - self._start, source, "down", {"button": str(button), "heard_after": self._clock() - at})

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
        case "held":
            text = f"{details['button']:5}  {HELD_FROM_BEGINNING}"
        case "on":
            text = f"{details['button']:5}  is lit: press it"
        case "ask":
            text = f"{details['button']:5}  was its lamp lit? Press again: yes, hold: no"
        case "lamp":
            text = f"{details['button']:5}  lamp {'lit' if details['lit'] else 'dark'}"
        case other:
            text = other
    return f"{event.at:12.6f}  {event.source:10}  {text}"
