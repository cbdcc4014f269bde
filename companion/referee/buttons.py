"""Which physical button means what now, what its lamp does, and which presses were heard."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence

from companion.events import CONSOLE_BUTTONS, SEAT_BUTTONS, Button, LampState
from companion.games.api.offers import ConsolePress, Input, NumberPress, Offer, SeatPress, TableAction
from companion.i18n import Translator
from companion.screen_state import SoftKey

_ = Translator("companion")

HOLD_SECONDS = 1.0
"""Seconds for which NO is held to undo."""
FEEDBACK_SECONDS = 0.25
"""Seconds for which a press stays visible."""
CONSOLE_BUTTON_OF = {
    ConsolePress.OK: Button.OK,
    ConsolePress.NO: Button.NO,
    ConsolePress.PLUS: Button.PLUS,
    ConsolePress.MINUS: Button.MINUS,
}


def find_button(input: Input, seating: Sequence[Button]) -> Button | None:
    """The physical button of a means; None for a deed, for holding NO, and for a number no button stands for."""
    match input:
        case SeatPress(seat=seat):
            return seating[seat]
        case NumberPress(number=number):
            return SEAT_BUTTONS[number - 1] if 1 <= number <= len(SEAT_BUTTONS) else None
        case ConsolePress():
            return CONSOLE_BUTTON_OF.get(input)
        case TableAction():
            return None


def find_offer(offers: Sequence[Offer], button: Button, seating: Sequence[Button]) -> Offer | None:
    """The offer that a press of `button` plays."""
    return next((offer for offer in offers if find_button(offer.input, seating) is button), None)


def map_lamps(offers: Sequence[Offer], seating: Sequence[Button]) -> Mapping[Button, LampState]:
    """A lamp for each button: on where a press plays something, blinking where the table waits for it."""
    lamps = dict.fromkeys(Button, LampState.OFF)
    for offer in offers:
        button = find_button(offer.input, seating)
        if button is not None and lamps[button] is not LampState.BLINK:
            lamps[button] = LampState.BLINK if offer.awaited else LampState.ON
    return lamps


def build_soft_keys(offers: Sequence[Offer], seating: Sequence[Button]) -> tuple[SoftKey, ...]:
    """The soft-key row: each button once, and NO once more for what holding it does."""
    keys = []
    for button in (*SEAT_BUTTONS, *CONSOLE_BUTTONS):
        offer = find_offer(offers, button, seating)
        if offer is None:
            keys.append(SoftKey(button, ""))
            continue
        number = isinstance(offer.input, NumberPress)
        keys.append(SoftKey(button, offer.label, offer.awaited, swatch_colour=offer.swatch_colour, is_number=number))
    keys += [SoftKey(Button.NO, o.label, o.awaited, is_hold=True) for o in offers if o.input is ConsolePress.HOLD_NO]
    return tuple(keys)


def format_button_name(button: Button, seating: Sequence[Button], names: Sequence[str]) -> str:
    """What people call a button.

    >>> name_of(Button.SEAT2, (Button.SEAT2,), ("Ada",)), name_of(Button.SEAT5, (), ()), name_of(Button.OK, (), ())
    ("Ada's button", 'Button 5', 'OK')
    """
    if button in seating:
        return _("{who}'s button", who=names[seating.index(button)])
    return _("Button {n}", n=button.seat_number) if button.seat_number else str(button).upper()


UNMUTE_SECONDS = 2.0
"""Seconds for which a muted button is left alone before it counts again."""
STUCK_SECONDS = 6.0
"""Seconds for which a button is held down before that is told."""
MAX_PRESSES_WITHIN = {"seat": (8, 1.2), "console": (12, 1.5)}
"""Presses within seconds that are too many; the console steps through menus."""


class StuckButtonFilter:
    """Buttons that somebody hammers on, or that are stuck: muted after a moment, and named.

    A press of a muted button counts for nothing until the button has been left alone for `QUIET` seconds.
    """

    def __init__(self) -> None:
        self._recent_presses: dict[Button, deque[float]] = {}
        self._muted: set[Button] = set()
        self._pressed_since: dict[Button, float] = {}

    def accept_press(self, button: Button, at: float) -> bool:
        """The button went down; whether that is to be heeded."""
        self._pressed_since[button] = at
        most, within = MAX_PRESSES_WITHIN["seat" if button.seat_number else "console"]
        recent = self._recent_presses.setdefault(button, deque(maxlen=most))
        if recent and at - recent[-1] > UNMUTE_SECONDS:
            self._muted.discard(button)
            recent.clear()
        recent.append(at)
        if len(recent) == most and at - recent[0] <= within:
            self._muted.add(button)
        return button not in self._muted

    def note_release(self, button: Button) -> None:
        """The button came up."""
        self._pressed_since.pop(button, None)

    def list_stuck_buttons(self, now: float) -> tuple[Button, ...]:
        """The buttons to be named now: hammered on, or held down for long."""
        self._muted = {
            b for b in self._muted if b in self._pressed_since or now - self._recent_presses[b][-1] <= UNMUTE_SECONDS
        }
        stuck = {b for b, since in self._pressed_since.items() if now - since > STUCK_SECONDS}
        return tuple(b for b in Button if b in self._muted or b in stuck)


class PressFeedback:
    """Presses as they are acknowledged: at once, and before anybody knows what they will do."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._pressed_at: dict[Button, float] = {}
        self._down_since: dict[Button, float] = {}

    def note_press(self, button: Button, at: float) -> None:
        """The button went down."""
        self._pressed_at[button] = at
        self._down_since[button] = at

    def note_release(self, button: Button, at: float) -> bool:
        """The button came up; True if that was a short press, whose effect is still to come."""
        down = self._down_since.pop(button, None)
        return down is not None and at - down < HOLD_SECONDS

    def take_hold(self, button: Button) -> bool:
        """True once per press, when the button has been down for `HOLD` seconds."""
        down = self._down_since.get(button)
        if down is None or self._monotonic() - down < HOLD_SECONDS:
            return False
        del self._down_since[button]
        return True

    def recent_presses(self) -> frozenset[Button]:
        """The presses to be seen on the screen now."""
        now = self._monotonic()
        self._pressed_at = {b: at for b, at in self._pressed_at.items() if now - at < FEEDBACK_SECONDS}
        return frozenset(self._pressed_at)
