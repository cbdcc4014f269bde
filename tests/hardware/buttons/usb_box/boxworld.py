"""A session and a simulated box in simulated time, for the tests of the button box."""

from __future__ import annotations

import random

from companion.events import Button, ButtonPressed, ButtonReleased, Event
from hardware.buttons.usb_box.session import BoxSession
from tests.doubles.simulated_box import BYTE_SECONDS, BoxConversation, BoxSpec, LineFaults, SimulatedBox, SimulatedLine

UART_FAULTS = LineFaults(delay=0.0003, jitter=0.0002, byte_seconds=BYTE_SECONDS)
"""A board with a UART at 115200 baud behind a USB chip."""
NOISY_FAULTS = LineFaults(
    drop=0.003, corrupt=0.003, double=0.003, delay=0.0003, jitter=0.0005, byte_seconds=BYTE_SECONDS
)
"""About every seventh frame is lost or damaged."""
START_SECONDS = 1000.0


def start_conversation(
    spec: BoxSpec | None = None,
    to_box: LineFaults = UART_FAULTS,
    from_box: LineFaults = UART_FAULTS,
    seed: int = 1,
    switched_on_at: float = START_SECONDS - 3.0,
) -> BoxConversation:
    """Return a session just connected to a box that was switched on at `switched_on_at`."""
    rng = random.Random(seed)
    session = BoxSession(START_SECONDS, lambda: rng.randrange(1, 65536))
    session.connect(START_SECONDS, byte_seconds=0.0)
    return BoxConversation(
        session,
        SimulatedBox(spec or BoxSpec(), switched_on_at),
        SimulatedLine(rng, to_box),
        SimulatedLine(rng, from_box),
        START_SECONDS,
    )


def list_presses(signals: list[Event]) -> list[tuple[Button, float]]:
    """Return the pressed buttons with their times."""
    return [(s.button, s.at) for s in signals if isinstance(s, ButtonPressed)]


def describe_buttons(signals: list[Event]) -> list[str]:
    """Return each press as "+ok" and each release as "-ok"."""
    kinds = {ButtonPressed: "+", ButtonReleased: "-"}
    return [kinds[type(s)] + s.button for s in signals if isinstance(s, ButtonPressed | ButtonReleased)]
