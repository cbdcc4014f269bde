"""Which lamp is on, and which blinks: derived from the offers.

How a lamp blinks: `hardware.buttons.lamp_effects`; the lamps of the sources: `lamps.py` beside each driver.
"""

from collections.abc import Mapping, Sequence

from companion.api import Offer
from companion.events import Button, LampState
from companion.referee.button_mapping import find_button


def map_lamps(offers: Sequence[Offer], seating: Sequence[Button]) -> Mapping[Button, LampState]:
    """Map every button to its lamp: on where a press does something, blinking where the table waits for it, else off.

    Args:
        offers: all offers that are open now.
        seating: the players' buttons, by seat.

    Raises:
        IndexError: an offer is for a seat that `seating` does not have.
    """
    lamps = dict.fromkeys(Button, LampState.OFF)
    for offer in offers:
        button = find_button(offer.input, seating)
        if button is not None and lamps[button] is not LampState.BLINK:
            lamps[button] = LampState.BLINK if offer.awaited else LampState.ON
    return lamps
