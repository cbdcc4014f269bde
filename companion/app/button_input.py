"""The hands: presses from the keyboard, the Pi's pins and the button box into the evening, its lamps back to them.

One place joins settings and devices, and puts what they say in order. The keyboard is the window's and always serves;
any of the others may be missing.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence

from companion.config.settings import Settings
from companion.events import Button, Event, LampState
from hardware.buttons import merge
from hardware.buttons.gpio import SOURCE_NAME as GPIO
from hardware.buttons.gpio import GpioPins, open_gpio
from hardware.buttons.lamp_effects import EFFECT_BY_LAMP_STATE, LampEffect
from hardware.buttons.merge import PressMerger
from hardware.buttons.source import ButtonSource, ReconnectingSource
from hardware.buttons.usb_box.driver import ButtonBox
from hardware.buttons.usb_box.ports import PortFinder, make_path_finder, make_usb_id_finder
from hardware.buttons.usb_box.session import SOURCE_NAME as BOX

log = logging.getLogger("companion")
Clock = Callable[[], float]
KEYBOARD_SOURCE = "keyboard"
TOUCH_SOURCE = "touch screen"
TIMING_BY_SOURCE = {
    TOUCH_SOURCE: merge.TOUCH_RESOLUTION,
    KEYBOARD_SOURCE: merge.KEYBOARD_RESOLUTION,
    GPIO: merge.GPIO_RESOLUTION,
    BOX: merge.USB_BOX_RESOLUTION,
}


class ButtonInput:
    """All sources of presses as one.

    Args:
        sources: none of them raises: they say themselves when they are lost and back.
        clock: the host's monotonic clock, in seconds; it stamps the signals.
    """

    def __init__(self, sources: Sequence[ButtonSource], clock: Clock) -> None:
        self._sources = tuple(sources)
        self._merger = PressMerger(TIMING_BY_SOURCE, clock)
        self._lamp_effects: Mapping[Button, LampEffect] = {}
        # Opened here and not at the first look: see `open_hands`.
        self._read_sources()

    def poll(self, window_events: Sequence[Event] = ()) -> list[Event]:
        """The signals since the last call, earliest first, ties announced.

        While two sources are live, each press waits until one that came before it would have been heard of
        (`hardware.buttons.merge.HOLD_BACK`).

        Args:
            keys: what the window gave.
        """
        for signal in window_events:
            self._merger.add_events(
                TOUCH_SOURCE if getattr(signal, "source", "") == TOUCH_SOURCE else KEYBOARD_SOURCE, [signal]
            )
        self._read_sources()
        return self._merger.take_due()

    @property
    def is_holding_back(self) -> bool:
        """Something is held back: look again soon."""
        return self._merger.next_due_at is not None

    def set_lamps(self, lamps: Mapping[Button, LampState]) -> None:
        """Show the stage's lamps on every source; may be called as often as one likes, only changes are passed on."""
        wanted = {button: EFFECT_BY_LAMP_STATE[lamp] for button, lamp in lamps.items() if lamp is not LampState.OFF}
        if wanted == self._lamp_effects:
            return
        self._lamp_effects = wanted
        for source in self._sources:
            source.set_lamps(wanted)

    def close(self) -> None:
        """Lets go of all devices, lamps dark."""
        for source in self._sources:
            source.close()

    def _read_sources(self) -> None:
        for source in self._sources:
            self._merger.add_events(source.name, source.read())


def open_sources(settings: Settings, clock: Clock, wake: Callable[[], None]) -> list[ButtonSource]:
    """What the settings name. `wake`: called from another thread when there is something to read."""
    wanted = settings.table.buttons
    sources: list[ButtonSource] = []
    if wanted in {"any", "gpio", "both"}:
        sources.append(
            ReconnectingSource(GPIO, lambda: _open_pins(settings, clock, wake), clock, report_missing=wanted != "any")
        )
    if wanted in {"any", "box", "both"}:
        sources.append(ButtonBox(button_box_ports(settings), clock, wake, report_missing=wanted != "any"))
    return sources


def _open_pins(settings: Settings, clock: Clock, wake: Callable[[], None]) -> ButtonSource:
    gpio = open_gpio(gpio_pins(settings), clock, wake)
    for trouble in gpio.problems:
        log.warning("%s", trouble)
    return gpio


def gpio_pins(settings: Settings) -> GpioPins:
    """The wiring that the settings tell."""
    return GpioPins(settings.gpio.buttons.list_wired(), settings.gpio.lamps.list_wired())


def button_box_ports(settings: Settings) -> PortFinder:
    """Where the button box may be: at the port that the settings name, or wherever a USB id is known."""
    return make_path_finder(settings.box.port) if settings.box.port else make_usb_id_finder()


def open_button_input(settings: Settings, clock: Clock, wake: Callable[[], None] = lambda: None) -> ButtonInput:
    """The hands of a real table. Best before other threads are started: lgpio is loaded in a folder of its own."""
    return ButtonInput(open_sources(settings, clock, wake), clock)
