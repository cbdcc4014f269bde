"""Acknowledged and resent (go-back-N): every reliable frame arrives once and in order, whatever the line does.

A pure state machine for either end: frames and times in, frames out. It has no clock and no device of its own.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from hardware.buttons.usb_box.framing import Frame
from hardware.buttons.usb_box.messages import RELIABLE, Type

WINDOW = 8
"""Frames that may be on their way without an acknowledgement."""
RESEND, LONGEST_RESEND = 0.060, 0.480
"""Seconds without a useful acknowledgement after which all of them are sent again; doubled each time."""


@dataclass(slots=True)
class Traffic:
    """What a link has done since it was made."""

    sent: int = 0
    resent: int = 0
    taken: int = 0
    repeated: int = 0
    """Reliable frames that came again, or too early: dropped, acknowledged anew."""


class Link:
    """One end of a line, in both directions."""

    def __init__(self) -> None:
        self.traffic = Traffic()
        self._waiting: deque[tuple[int, bytes]] = deque()
        self._outstanding: deque[Frame] = deque()
        self._next = 0
        self._expected = 0
        self._acknowledge = False
        self._wait = RESEND
        self._resend_at = 0.0

    @property
    def idle(self) -> bool:
        """Everything that was to be sent has arrived."""
        return not self._waiting and not self._outstanding

    @property
    def pending(self) -> int:
        """Frames that are not known to have arrived."""
        return len(self._waiting) + len(self._outstanding)

    @property
    def deadline(self) -> float | None:
        """When `poll` must be called at the latest, if nothing comes in before."""
        return self._resend_at if self._outstanding else None

    def send(self, kind: Type, body: bytes) -> None:
        """Have a frame delivered; it goes out at the next `poll` that finds room in the window."""
        if kind not in RELIABLE:
            raise ValueError(f"{kind.name} is not acknowledged")
        self._waiting.append((kind, body))

    def reset(self, *, keep: bool) -> None:
        """Both ends begin again at 0. `keep`: what has not been acknowledged is sent anew; else it is forgotten."""
        again = [(frame.type, frame.body) for frame in self._outstanding] if keep else []
        if not keep:
            self._waiting.clear()
        self._waiting.extendleft(reversed(again))
        self._outstanding.clear()
        self._next = self._expected = 0
        self._acknowledge = False
        self._wait = RESEND

    def take(self, frame: Frame, now: float) -> bool:
        """Heed a frame that came in; whether it is a reliable one whose turn it is, to be acted on."""
        if frame.type == Type.ACK:
            self._heed(frame, now)
            return False
        if frame.type not in RELIABLE:
            return False
        self._acknowledge = True
        if frame.seq != self._expected:
            self.traffic.repeated += 1
            return False
        self._expected = (self._expected + 1) % 256
        self.traffic.taken += 1
        return True

    def poll(self, now: float) -> list[Frame]:
        """The frames to be sent now."""
        out: list[Frame] = []
        if self._acknowledge:
            self._acknowledge = False
            out.append(Frame(Type.ACK, 0, bytes((self._expected,))))
        if self._outstanding and now >= self._resend_at:
            out += self._outstanding
            self.traffic.resent += len(self._outstanding)
            self._wait = min(LONGEST_RESEND, 2.0 * self._wait)
            self._resend_at = now + self._wait
        while self._waiting and len(self._outstanding) < WINDOW:
            kind, body = self._waiting.popleft()
            frame = Frame(kind, self._next, body)
            self._next = (self._next + 1) % 256
            if not self._outstanding:
                self._wait = RESEND
                self._resend_at = now + self._wait
            self._outstanding.append(frame)
            self.traffic.sent += 1
            out.append(frame)
        return out

    def _heed(self, frame: Frame, now: float) -> None:
        if len(frame.body) != 1 or not self._outstanding:
            return
        arrived = (frame.body[0] - self._outstanding[0].seq) % 256
        if not 0 < arrived <= len(self._outstanding):
            return  # an old one, come late
        for _ in range(arrived):
            self._outstanding.popleft()
        self._wait = RESEND
        self._resend_at = now + self._wait
