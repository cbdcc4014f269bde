"""Greetings (HELLO) of the box: when the next one is due, and which answers count.

Why a box cannot be used: `WelcomeMessage.incompatibility` in `messages.py`.
"""

from collections import deque
from collections.abc import Callable

from hardware.buttons.usb_box.framing import WireFrame
from hardware.buttons.usb_box.messages import PROTOCOL_VERSION, FrameType, HelloMessage

HELLO_SECONDS = 0.25
"""Time between two greetings (HELLO) without an answer. A larger value finds a box later."""

LATE_WELCOME_SECONDS = 1.0
"""Time until the next greeting after an answer to an older one: the box answers, but slower than `HELLO_SECONDS`."""

INCOMPATIBLE_HELLO_SECONDS = 2.0
"""Time between greetings of a box with another protocol version, which may be getting new firmware meanwhile."""

GREETING_TIMEOUT_SECONDS = 4.0
"""Time of greeting without an answer after which the port is given up.

Boards with a boot loader need two seconds before they answer.
"""

MAX_OLD_NONCES = 32
"""Number of earlier greetings whose late answers are recognised; at least those of `GREETING_TIMEOUT_SECONDS`."""


class Greetings:
    """The greetings since a port was opened or the box fell silent.

    >>> nonces = iter((10, 11))
    >>> greetings = Greetings(lambda: next(nonces), now=5.0)
    >>> hello = greetings.make_hello(5.0, is_incompatible=False)
    >>> greetings.is_answer(10), greetings.is_answer(9), greetings.next_at
    (True, False, 5.25)

    Each has its own nonce and only the answer to the last one counts: the answer to an earlier one would leave open
    whether the box has restarted its sequence numbers once or twice.

    Args:
        make_nonce: returns random integers from 0, see `BoxSession`.
        now: the present time, in seconds of the host's monotonic clock.

    Attributes:
        since: when they began.
        next_at: when the next one is due.
    """

    def __init__(self, make_nonce: Callable[[], int], now: float) -> None:
        self.since = self.next_at = now
        self._make_nonce = make_nonce
        self._nonce, self._old_nonces = 0, deque[int](maxlen=MAX_OLD_NONCES)

    def start(self, now: float) -> None:
        """Begin to greet: the next one is due at once."""
        self.since = self.next_at = now
        self._old_nonces.clear()

    def make_hello(self, now: float, *, is_incompatible: bool) -> WireFrame:
        """Return the next greeting, sent at `now`; a box that is incompatible is greeted less often."""
        self._old_nonces.append(self._nonce)
        while self._nonce in self._old_nonces:
            self._nonce = self._make_nonce() % 65536
        self.next_at = now + (INCOMPATIBLE_HELLO_SECONDS if is_incompatible else HELLO_SECONDS)
        return WireFrame(FrameType.HELLO, body=HelloMessage(PROTOCOL_VERSION, self._nonce).pack())

    def is_answer(self, nonce: int) -> bool:
        """Return whether an answer with this nonce is one to the last greeting."""
        return nonce == self._nonce

    def note_late_answer(self, nonce: int, at: float) -> None:
        """Wait longer with the next greeting if this answers an older one: the box answers, but slowly."""
        if nonce in self._old_nonces:
            self.next_at = max(self.next_at, at + LATE_WELCOME_SECONDS)
