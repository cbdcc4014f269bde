"""Which physical button means what now, what its lamp does, and which presses were heard."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence

from companion.events import CONSOLE_BUTTONS, SEAT_BUTTONS, Button, Lamp
from companion.games.api.offers import Console, Deed, Means, NumberPress, Offer, SeatPress
from companion.i18n import Words
from companion.screen_state import Key

_ = Words("companion")

HOLD = 1.0
"""Seconds for which NO is held to undo."""
ACKNOWLEDGED = 0.25
"""Seconds for which a press stays visible."""
CONSOLE = {Console.OK: Button.OK, Console.NO: Button.NO, Console.PLUS: Button.PLUS, Console.MINUS: Button.MINUS}


def button_of(means: Means, seating: Sequence[Button]) -> Button | None:
    """The physical button of a means; None for a deed, for holding NO, and for a number no button stands for."""
    match means:
        case SeatPress(seat=seat):
            return seating[seat]
        case NumberPress(number=number):
            return SEAT_BUTTONS[number - 1] if 1 <= number <= len(SEAT_BUTTONS) else None
        case Console():
            return CONSOLE.get(means)
        case Deed():
            return None


def press_of(offers: Sequence[Offer], button: Button, seating: Sequence[Button]) -> Offer | None:
    """The offer that a press of `button` plays."""
    return next((offer for offer in offers if button_of(offer.means, seating) is button), None)


def lamps_of(offers: Sequence[Offer], seating: Sequence[Button]) -> Mapping[Button, Lamp]:
    """A lamp for each button: on where a press plays something, blinking where the table waits for it."""
    lamps = dict.fromkeys(Button, Lamp.OFF)
    for offer in offers:
        button = button_of(offer.means, seating)
        if button is not None and lamps[button] is not Lamp.BLINK:
            lamps[button] = Lamp.BLINK if offer.awaited else Lamp.ON
    return lamps


def keys_of(offers: Sequence[Offer], seating: Sequence[Button]) -> tuple[Key, ...]:
    """The soft-key row: each button once, and NO once more for what holding it does."""
    keys = []
    for button in (*SEAT_BUTTONS, *CONSOLE_BUTTONS):
        offer = press_of(offers, button, seating)
        if offer is None:
            keys.append(Key(button, ""))
            continue
        number = isinstance(offer.means, NumberPress)
        keys.append(Key(button, offer.words, offer.awaited, swatch=offer.swatch, number=number))
    keys += [Key(Button.NO, o.words, o.awaited, held=True) for o in offers if o.means is Console.HOLD_NO]
    return tuple(keys)


def name_of(button: Button, seating: Sequence[Button], names: Sequence[str]) -> str:
    """What people call a button.

    >>> name_of(Button.SEAT2, (Button.SEAT2,), ("Ada",)), name_of(Button.SEAT5, (), ()), name_of(Button.OK, (), ())
    ("Ada's button", 'Button 5', 'OK')
    """
    if button in seating:
        return _("{who}'s button", who=names[seating.index(button)])
    return _("Button {n}", n=button.number) if button.number else str(button).upper()


QUIET = 2.0
"""Seconds for which a muted button is left alone before it counts again."""
STUCK = 6.0
"""Seconds for which a button is held down before that is told."""
MANY = {"seat": (8, 1.2), "console": (12, 1.5)}
"""Presses within seconds that are too many; the console steps through menus."""


class Mash:
    """Buttons that somebody hammers on, or that are stuck: muted after a moment, and named.

    A press of a muted button counts for nothing until the button has been left alone for `QUIET` seconds.
    """

    def __init__(self) -> None:
        self._recent: dict[Button, deque[float]] = {}
        self._muted: set[Button] = set()
        self._down: dict[Button, float] = {}

    def press(self, button: Button, at: float) -> bool:
        """The button went down; whether that is to be heeded."""
        self._down[button] = at
        most, within = MANY["seat" if button.number else "console"]
        recent = self._recent.setdefault(button, deque(maxlen=most))
        if recent and at - recent[-1] > QUIET:
            self._muted.discard(button)
            recent.clear()
        recent.append(at)
        if len(recent) == most and at - recent[0] <= within:
            self._muted.add(button)
        return button not in self._muted

    def release(self, button: Button) -> None:
        """The button came up."""
        self._down.pop(button, None)

    def loud(self, now: float) -> tuple[Button, ...]:
        """The buttons to be named now: hammered on, or held down for long."""
        self._muted = {b for b in self._muted if b in self._down or now - self._recent[b][-1] <= QUIET}
        stuck = {b for b, since in self._down.items() if now - since > STUCK}
        return tuple(b for b in Button if b in self._muted or b in stuck)


class Heard:
    """Presses as they are acknowledged: at once, and before anybody knows what they will do."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._pressed: dict[Button, float] = {}
        self._down: dict[Button, float] = {}

    def press(self, button: Button, at: float) -> None:
        """The button went down."""
        self._pressed[button] = at
        self._down[button] = at

    def release(self, button: Button, at: float) -> bool:
        """The button came up; True if that was a short press, whose effect is still to come."""
        down = self._down.pop(button, None)
        return down is not None and at - down < HOLD

    def held(self, button: Button) -> bool:
        """True once per press, when the button has been down for `HOLD` seconds."""
        down = self._down.get(button)
        if down is None or self._monotonic() - down < HOLD:
            return False
        del self._down[button]
        return True

    def now(self) -> frozenset[Button]:
        """The presses to be seen on the screen now."""
        now = self._monotonic()
        self._pressed = {b: at for b, at in self._pressed.items() if now - at < ACKNOWLEDGED}
        return frozenset(self._pressed)
