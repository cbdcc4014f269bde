"""Button input: presses from keyboard, touch screen, GPIO pins and USB button box in one order, lamps back to them.

The keyboard and the touch screen arrive through the window and always work; any other source may be missing.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from companion.config.settings import Settings
from companion.config.taught_buttons import TaughtButtons
from companion.display.toolkit.theme import BUTTON_COLOURS, PALETTES, compute_lamp_colour
from companion.events import Button, ButtonPressed, Event, LampState
from companion.log import log
from hardware.buttons import press_merger
from hardware.buttons.controllers.driver import SOURCE_NAME as CONTROLLERS
from hardware.buttons.controllers.driver import ControllerSource
from hardware.buttons.gpio.driver import SOURCE_NAME as GPIO
from hardware.buttons.gpio.driver import GpioPins, open_gpio
from hardware.buttons.lamp_effects import EFFECT_BY_LAMP_STATE, LampColour, LampEffect
from hardware.buttons.press_merger import PressMerger
from hardware.buttons.source import ButtonSource, Clock, ReconnectingSource
from hardware.buttons.usb_box.driver import ButtonBox
from hardware.buttons.usb_box.ports import PortFinder, make_path_finder, make_usb_finder
from hardware.buttons.usb_box.session import SOURCE_NAME as BOX

KEYBOARD_SOURCE = "keyboard"
TOUCH_SOURCE = "touch screen"
TIMING_BY_SOURCE = {
    TOUCH_SOURCE: press_merger.TOUCH_RESOLUTION,
    KEYBOARD_SOURCE: press_merger.KEYBOARD_RESOLUTION,
    GPIO: press_merger.GPIO_RESOLUTION,
    BOX: press_merger.USB_BOX_RESOLUTION,
    CONTROLLERS: press_merger.CONTROLLER_RESOLUTION,
}


class ButtonInput:
    """Merge all button sources into one ordered stream of events. No method raises if the sources do not.

    Making it reads all sources once, so that they open their devices.

    Args:
        sources: sources that do not raise but report the loss and the return of their device as events, as
            `open_sources` makes them; may be empty.
        clock: the host's monotonic clock, in seconds; it stamps the events.
        are_pins_wired: the settings say so, or an earlier press. Otherwise no press waits for one at the pins before a
            first one there: at any Raspberry Pi they open, and a button box alone would answer three times as late.
        note_pin_press: called at the first press at the pins, unless they are wired anyway.
    """

    def __init__(
        self,
        sources: Sequence[ButtonSource],
        clock: Clock,
        *,
        are_pins_wired: bool = False,
        note_pin_press: Callable[[], object] = lambda: None,
    ) -> None:
        self._sources = tuple(sources)
        self._are_pins_wired, self._note_pin_press = are_pins_wired, note_pin_press
        self._merger = PressMerger(TIMING_BY_SOURCE, clock, unproven_sources=() if are_pins_wired else (GPIO,))
        self._lamp_effects: Mapping[Button, LampEffect] = {}
        # Opened here and not at the first poll: see `open_sources`.
        self._read_sources()

    def poll(self, window_events: Sequence[Event] = ()) -> list[Event]:
        """Return the events since the last call, earliest first, without waiting.

        Presses of several sources that cannot be put in order are reported as a tie, an event of its own. While two
        sources are live, a press is held back until an earlier one from the other would have arrived
        (`hardware.buttons.press_merger.HOLD_BACK_SECONDS`).

        Args:
            window_events: events of the window (keyboard, mouse, touch) since the last call.

        Returns:
            Presses, releases, typed characters, ties, and lost and restored devices, stamped in seconds of `clock`;
            empty: there were none.
        """
        for signal in window_events:
            self._merger.add_events(
                TOUCH_SOURCE if getattr(signal, "source", "") == TOUCH_SOURCE else KEYBOARD_SOURCE, [signal]
            )
        self._read_sources()
        return self._merger.take_due()

    @property
    def is_holding_back(self) -> bool:
        """Whether a press is held back, so that `poll` must be called again within some milliseconds."""
        return self._merger.next_due_at is not None

    def set_lamps(self, lamps: Mapping[Button, LampState]) -> None:
        """Set all lamps on every source; nothing is sent if nothing has changed since the last call. Never raises.

        Args:
            lamps: state of the lamp by button; a button that is absent has its lamp off.
        """
        wanted = {button: EFFECT_BY_LAMP_STATE[lamp] for button, lamp in lamps.items() if lamp is not LampState.OFF}
        if wanted == self._lamp_effects:
            return
        self._lamp_effects = wanted
        for source in self._sources:
            source.set_lamps(wanted)

    def close(self) -> None:
        """Switch all lamps off and close all sources; the object cannot be used afterwards."""
        for source in self._sources:
            source.close()

    def _read_sources(self) -> None:
        for source in self._sources:
            events = source.read()
            self._merger.add_events(source.name, events)
            if (
                not self._are_pins_wired
                and source.name == GPIO
                and any(isinstance(event, ButtonPressed) for event in events)
            ):
                self._are_pins_wired = True
                self._note_pin_press()


@cache  # asked for with each frame
def map_lamp_colours(palette: str) -> Mapping[Button, LampColour]:
    """Return the colour of each button's lamp: that of its seat on the screen.

    Args:
        palette: a key of `PALETTES`.
    """
    return {button: compute_lamp_colour(PALETTES[palette][tone]) for button, tone in BUTTON_COLOURS.items()}


def open_sources(
    settings: Settings,
    clock: Clock,
    wake: Callable[[], None],
    get_palette: Callable[[], str] | None = None,
    taught: TaughtButtons | None = None,
    *,
    is_wiring_test: bool = False,
) -> list[ButtonSource]:
    """Create the button sources that the settings name; they open their devices when they are first read.

    A missing device raises nothing, nor does one that this system cannot use. The source searches for it again and
    again, and reports it as DeviceLost if `table.buttons` names it ("gpio", "box" or "both", not "any").

    Call this, and make the `ButtonInput`, before other threads start: while lgpio is loaded, the working folder of the
    process is a temporary one.

    Args:
        settings: `table.buttons` says which sources, `gpio` and `box` where they are connected.
        clock: the host's monotonic clock, in seconds.
        wake: called from another thread when there is something to read.
        get_palette: returns the key of the palette that is shown now; None: that of the settings.
        taught: knows whether a button at the pins was pressed before; None: none was.
        is_wiring_test: somebody checks what is wired: a missing source is reported with "any" too, and the lamps at the
            pins are driven from the start. Pins under a HAT are left alone all the same.

    Returns:
        The GPIO pins, the USB button box, both, or none; to be closed by the caller.
    """
    wanted = settings.table.buttons
    report_missing = wanted != "any" or is_wiring_test
    sources: list[ButtonSource] = []
    if wanted in {"any", "gpio", "both"}:

        def open_pins() -> ButtonSource:
            is_proven = is_wiring_test or (taught is not None and taught.are_pins_wired)
            return _open_pins(settings, clock, wake, is_proven=is_proven)

        sources.append(ReconnectingSource(GPIO, open_pins, clock, report_missing=report_missing))
    if wanted in {"any", "box", "both"}:
        shown = get_palette or (lambda: settings.display.palette)
        sources.append(
            ButtonBox(
                button_box_ports(settings),
                clock,
                wake,
                report_missing=report_missing,
                get_colours=lambda: map_lamp_colours(shown()),
            )
        )
    return sources


def open_controllers(
    settings: Settings, taught: TaughtButtons, clock: Clock, wake: Callable[[], None]
) -> ControllerSource | None:
    """Open the source of controllers (gamepads, arcade encoders, presenters), which starts its thread.

    Args:
        settings: with `table.buttons` "none" there is no such source.
        taught: what their buttons stand for, now and later.
        clock: the host's monotonic clock, in seconds.
        wake: called from another thread when there is something to read.

    Returns:
        None, or the source, to be closed by the caller.
    """
    if settings.table.buttons == "none" or sys.platform != "linux":
        return None
    return ControllerSource(lambda: taught.bindings, lambda: taught.is_teaching, clock, wake)


def _open_pins(settings: Settings, clock: Clock, wake: Callable[[], None], *, is_proven: bool) -> ButtonSource:
    is_required = settings.table.buttons != "any"
    gpio = open_gpio(gpio_pins(settings), clock, wake, is_required=is_required, is_proven=is_proven)
    for trouble in gpio.problems:
        log.warning("%s", trouble)
    return gpio


def gpio_pins(settings: Settings) -> GpioPins:
    """Return the BCM pin numbers (2 to 27) of buttons and lamps from the settings, without those that are not wired."""
    return GpioPins(settings.gpio.buttons.list_wired(), settings.gpio.lamps.list_wired())


def button_box_ports(settings: Settings) -> PortFinder:
    """Return a function that lists the serial ports at which a button box may be; it searches at each call.

    It lists the port that the settings name, else all ports with a box's name or a known USB id.
    """
    return make_path_finder(settings.box.port) if settings.box.port else make_usb_finder()
