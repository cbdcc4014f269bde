"""A session and a virtual box in simulated time, for the tests of the button box."""

from __future__ import annotations

import random

from companion.events import Button, ButtonPressed, ButtonReleased, Event
from hardware.buttons.usb_box.session import Session
from tests.doubles.simulated_box import BYTE_TIME, Faults, Line, Make, Talk, VirtualBox

SOUND = Faults(delay=0.0003, jitter=0.0002, byte_time=BYTE_TIME)
"""A board with a UART at 115200 baud behind a USB chip."""
BAD = Faults(drop=0.003, corrupt=0.003, double=0.003, delay=0.0003, jitter=0.0005, byte_time=BYTE_TIME)
"""Every seventh frame is lost or damaged."""
BEGAN = 1000.0


def world(
    make: Make | None = None, there: Faults = SOUND, back: Faults = SOUND, seed: int = 1, on: float = BEGAN - 3.0
) -> Talk:
    """A session that was just connected to a box which was switched on at `on`."""
    rng = random.Random(seed)
    session = Session(BEGAN, lambda: rng.randrange(1, 65536))
    session.connect(BEGAN)
    return Talk(session, VirtualBox(make or Make(), on), Line(rng, there), Line(rng, back), BEGAN)


def pressed(signals: list[Event]) -> list[tuple[Button, float]]:
    """Which buttons were pressed when."""
    return [(s.button, s.at) for s in signals if isinstance(s, ButtonPressed)]


def buttons(signals: list[Event]) -> list[str]:
    """What happened to buttons, in a word each: "+ok" and "-ok"."""
    kinds = {ButtonPressed: "+", ButtonReleased: "-"}
    return [kinds[type(s)] + s.button for s in signals if isinstance(s, ButtonPressed | ButtonReleased)]
