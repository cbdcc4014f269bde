"""Acknowledged and resent (go-back-N): every reliable frame arrives once and in order, whatever the line does.

A pure state machine for either end: frames and times in, frames out. It has no clock and no device of its own.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from hardware.buttons.usb_box.framing import WireFrame
from hardware.buttons.usb_box.messages import RELIABLE_TYPES, FrameType

MAX_UNACKNOWLEDGED_FRAMES = 8
"""Frames that may be on their way without an acknowledgement."""
FIRST_RESEND_SECONDS, MAX_RESEND_SECONDS = 0.060, 0.480
"""Seconds without a useful acknowledgement after which all of them are sent again; doubled each time."""


@dataclass(slots=True)
class LinkCounts:
    """What a link has done since it was made."""

    sent: int = 0
    resent: int = 0
    received: int = 0
    repeated: int = 0
    """Reliable frames that came again, or too early: dropped, acknowledged anew."""


class ReliableLink:
    """One end of a line, in both directions."""

    def __init__(self) -> None:
        self.counts = LinkCounts()
        self._waiting: deque[tuple[int, bytes]] = deque()
        self._outstanding: deque[WireFrame] = deque()
        self._next_seq = 0
        self._expected_seq = 0
        self._owes_acknowledgement = False
        self._resend_seconds = FIRST_RESEND_SECONDS
        self._resend_at = 0.0

    @property
    def is_idle(self) -> bool:
        """Everything that was to be sent has arrived."""
        return not self._waiting and not self._outstanding

    @property
    def pending_count(self) -> int:
        """Frames that are not known to have arrived."""
        return len(self._waiting) + len(self._outstanding)

    @property
    def deadline(self) -> float | None:
        """When `poll` must be called at the latest, if nothing comes in before."""
        return self._resend_at if self._outstanding else None

    def send(self, frame_type: FrameType, body: bytes) -> None:
        """Have a frame delivered; it goes out at the next `poll` that finds room in the window."""
        if frame_type not in RELIABLE_TYPES:
            raise ValueError(f"{frame_type.name} is not acknowledged")
        self._waiting.append((frame_type, body))

    def reset(self, *, keep_unacknowledged: bool) -> None:
        """Both ends begin again at 0. `keep`: what has not been acknowledged is sent anew; else it is forgotten."""
        again = [(frame.type, frame.body) for frame in self._outstanding] if keep_unacknowledged else []
        if not keep_unacknowledged:
            self._waiting.clear()
        self._waiting.extendleft(reversed(again))
        self._outstanding.clear()
        self._next_seq = self._expected_seq = 0
        self._owes_acknowledgement = False
        self._resend_seconds = FIRST_RESEND_SECONDS

    def receive(self, frame: WireFrame, now: float) -> bool:
        """Heed a frame that came in; whether it is a reliable one whose turn it is, to be acted on."""
        if frame.type == FrameType.ACK:
            self._handle_acknowledgement(frame, now)
            return False
        if frame.type not in RELIABLE_TYPES:
            return False
        self._owes_acknowledgement = True
        if frame.seq != self._expected_seq:
            self.counts.repeated += 1
            return False
        self._expected_seq = (self._expected_seq + 1) % 256
        self.counts.received += 1
        return True

    def poll(self, now: float) -> list[WireFrame]:
        """The frames to be sent now."""
        out: list[WireFrame] = []
        if self._owes_acknowledgement:
            self._owes_acknowledgement = False
            out.append(WireFrame(FrameType.ACK, 0, bytes((self._expected_seq,))))
        if self._outstanding and now >= self._resend_at:
            out += self._outstanding
            self.counts.resent += len(self._outstanding)
            self._resend_seconds = min(MAX_RESEND_SECONDS, 2.0 * self._resend_seconds)
            self._resend_at = now + self._resend_seconds
        while self._waiting and len(self._outstanding) < MAX_UNACKNOWLEDGED_FRAMES:
            kind, body = self._waiting.popleft()
            frame = WireFrame(kind, self._next_seq, body)
            self._next_seq = (self._next_seq + 1) % 256
            if not self._outstanding:
                self._resend_seconds = FIRST_RESEND_SECONDS
                self._resend_at = now + self._resend_seconds
            self._outstanding.append(frame)
            self.counts.sent += 1
            out.append(frame)
        return out

    def _handle_acknowledgement(self, frame: WireFrame, now: float) -> None:
        if len(frame.body) != 1 or not self._outstanding:
            return
        arrived = (frame.body[0] - self._outstanding[0].seq) % 256
        if not 0 < arrived <= len(self._outstanding):
            return  # an old one, come late
        for _ in range(arrived):
            self._outstanding.popleft()
        self._resend_seconds = FIRST_RESEND_SECONDS
        self._resend_at = now + self._resend_seconds
