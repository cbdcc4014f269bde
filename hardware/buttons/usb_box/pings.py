"""Pings: when the next one is due, and when each of those without an answer was sent.

How long the box may be silent: `session.py`.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field

from hardware.buttons.usb_box.framing import WireFrame
from hardware.buttons.usb_box.messages import FrameType, PingMessage

FAST_PING_SECONDS = 0.02
"""Time between pings after a greeting, until `FAST_PING_ANSWERS` were answered."""

FAST_PING_ANSWERS = 8
"""Answers after which pings become rare. More give a good clock earlier, at the cost of traffic after a greeting."""

PING_SECONDS = 0.5
"""Time between pings later on. A larger value follows the drift of the box's clock less closely."""

MAX_FAST_PINGS = 40
"""Largest number of fast pings after a greeting, answered or not."""

MAX_UNANSWERED_PINGS = 16
"""Number of pings whose times are remembered; a later answer to an older one is ignored."""


@dataclass(slots=True)
class Pings:
    """Pings since the last greeting, by token.

    >>> pings = Pings(next_at=5.0)
    >>> ping = pings.make_ping(5.0)
    >>> pings.sent_at, pings.next_at
    ({0: 5.0}, 5.02)
    """

    next_at: float
    tokens: Iterator[int] = field(default_factory=itertools.count)
    """Tokens of the pings to come; none is used twice, also after another greeting."""
    sent_at: dict[int, float] = field(default_factory=dict)
    ping_count: int = 0
    answer_count: int = 0

    def make_ping(self, now: float) -> WireFrame:
        """Return the next ping, sent at `now`."""
        token = next(self.tokens)
        self.sent_at[token] = now
        if len(self.sent_at) > MAX_UNANSWERED_PINGS:
            del self.sent_at[next(iter(self.sent_at))]
        self.ping_count += 1
        is_fast = self.answer_count < FAST_PING_ANSWERS and self.ping_count < MAX_FAST_PINGS
        self.next_at = now + (FAST_PING_SECONDS if is_fast else PING_SECONDS)
        return WireFrame(FrameType.PING, body=PingMessage(token).pack())
