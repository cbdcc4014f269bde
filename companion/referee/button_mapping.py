"""Mapping between offers and physical buttons: what a press does, which lamps are lit, what the soft keys say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.events import CONSOLE_BUTTONS, SEAT_BUTTONS, Button, LampState
from companion.games.api.offers import ConsolePress, Input, NumberPress, Offer, SeatPress
from companion.i18n import Translator
from companion.screen_state import SoftKey

_ = Translator("companion")

CONSOLE_BUTTON_OF: Mapping[Input, Button] = {
    ConsolePress.OK: Button.OK,
    ConsolePress.NO: Button.NO,
    ConsolePress.PLUS: Button.PLUS,
    ConsolePress.MINUS: Button.MINUS,
}


def find_button(input: Input, seating: Sequence[Button]) -> Button | None:
    """Find the physical button of an input.

    Args:
        seating: the players' buttons, by seat.

    Returns:
        None for a table action, for holding NO, and for a number that has no button.
    """
    match input:
        case SeatPress(seat=seat):
            return seating[seat]
        case NumberPress(number=number):
            return SEAT_BUTTONS[number - 1] if 1 <= number <= len(SEAT_BUTTONS) else None
        case _:
            return CONSOLE_BUTTON_OF.get(input)


def find_offer(offers: Sequence[Offer], button: Button, seating: Sequence[Button]) -> Offer | None:
    """Find the offer that a press of `button` takes up; None: the button does nothing."""
    return next((offer for offer in offers if find_button(offer.input, seating) is button), None)


def map_lamps(offers: Sequence[Offer], seating: Sequence[Button]) -> Mapping[Button, LampState]:
    """Map each button to its lamp: on where a press does something, blinking where the table waits for it."""
    lamps = dict.fromkeys(Button, LampState.OFF)
    for offer in offers:
        button = find_button(offer.input, seating)
        if button is not None and lamps[button] is not LampState.BLINK:
            lamps[button] = LampState.BLINK if offer.awaited else LampState.ON
    return lamps


def build_soft_keys(offers: Sequence[Offer], seating: Sequence[Button]) -> tuple[SoftKey, ...]:
    """Build the row of soft keys: each button once, and NO once more for the effect of holding it."""
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
    """Name a button as players do.

    >>> format_button_name(Button.SEAT2, (Button.SEAT2,), ("Ada",)), format_button_name(Button.OK, (), ())
    ("Ada's button", 'OK')
    """
    if button in seating:
        return _("{who}'s button", who=names[seating.index(button)])
    return _("Button {n}", n=button.seat_number) if button.seat_number else str(button).upper()
