"""A reliable link by go-back-N: each reliable frame arrives once and in order, even if the line loses or repeats bytes.

A pure state machine, the same for both ends: frames and times in, frames out, without clock or device.
"""

from collections import deque

from hardware.buttons.usb_box.framing import WireFrame
from hardware.buttons.usb_box.messages import RELIABLE_TYPES, FrameType

MAX_UNACKNOWLEDGED_FRAMES = 8
"""Go-back-N window: number of frames that may be sent without an acknowledgement. Part of the box's protocol."""

FIRST_RESEND_SECONDS = 0.060
"""Time without acknowledgement after which all unacknowledged frames are sent again; doubles each time.

A larger value delays events on a bad line, a smaller one sends frames again whose acknowledgement is on its way.
"""

MAX_RESEND_SECONDS = 0.480
"""Longest time between two repetitions. A larger value needs longer to recover from a pause of the box."""


class ReliableLink:
    """One end of a line, sending and receiving. All times are seconds of one monotonic clock, the caller's.

    >>> host, box = ReliableLink(), ReliableLink()
    >>> host.send(FrameType.LAMPS, b"abc")
    >>> [frame] = host.poll(now=0.0)
    >>> box.receive(frame, now=0.001), box.receive(frame, now=0.002)
    (True, False)
    >>> host.pending_count
    1
    """

    def __init__(self) -> None:
        self._waiting: deque[tuple[int, bytes]] = deque()
        self._outstanding: deque[WireFrame] = deque()
        self._next_seq = 0
        self._expected_seq = 0
        self._owes_acknowledgement = False
        self._resend_seconds = FIRST_RESEND_SECONDS
        self._resend_at = 0.0

    @property
    def pending_count(self) -> int:
        """Number of frames to send that are not known to have arrived; 0: the link is idle."""
        return len(self._waiting) + len(self._outstanding)

    @property
    def deadline(self) -> float | None:
        """Time at which `poll` must be called again if nothing arrives before.

        In seconds of the caller's clock; None: nothing waits for an acknowledgement.
        """
        return self._resend_at if self._outstanding else None

    def send(self, frame_type: FrameType, body: bytes) -> None:
        """Queue a frame, any number of them; the next `poll` with room in the window returns it.

        Args:
            frame_type: one of `RELIABLE_TYPES`.
            body: at most `MAX_BODY_BYTES` bytes; not checked here, but `encode_frame` raises ValueError for more.

        Raises:
            ValueError: frames of this type are not acknowledged.
        """
        if frame_type not in RELIABLE_TYPES:
            raise ValueError(f"{frame_type.name} is not acknowledged")
        self._waiting.append((frame_type, body))

    def reset(self, *, keep_unacknowledged: bool) -> None:
        """Restart both sequence numbers at 0, after a greeting; an acknowledgement that is due is dropped.

        Args:
            keep_unacknowledged: keep the queued frames, and send those again that were not acknowledged; otherwise all
                frames are dropped.
        """
        if keep_unacknowledged:
            self._waiting.extendleft((frame.type, frame.body) for frame in reversed(self._outstanding))
        else:
            self._waiting.clear()
        self._outstanding.clear()
        self._next_seq = self._expected_seq = 0
        self._owes_acknowledgement = False
        self._resend_seconds = FIRST_RESEND_SECONDS

    def receive(self, frame: WireFrame, now: float) -> bool:
        """Handle a received frame of any type; the next `poll` acknowledges a reliable one. Raises nothing.

        Repeated frames, and frames after a gap, are not handled; nor are wrong or old acknowledgements.

        Args:
            frame: an undamaged frame, in the order of arrival.
            now: time of its arrival, in seconds of the caller's clock.

        Returns:
            Whether it is the reliable frame that is next in order, so that its body must be handled.
        """
        if frame.type == FrameType.ACK:
            self._handle_acknowledgement(frame, now)
            return False
        if frame.type not in RELIABLE_TYPES:
            return False
        self._owes_acknowledgement = True
        if frame.seq != self._expected_seq:
            return False  # it came twice or too early, and is acknowledged again
        self._expected_seq = (self._expected_seq + 1) % 256
        return True

    def poll(self, now: float) -> list[WireFrame]:
        """Return the frames to send now: an acknowledgement, repetitions, and queued frames with room in the window.

        They count as sent at `now`: send them all, in this order. Raises nothing.

        Args:
            now: the present time, in seconds of the caller's clock.
        """
        frames: list[WireFrame] = []
        if self._owes_acknowledgement:
            self._owes_acknowledgement = False
            frames.append(WireFrame(FrameType.ACK, body=bytes((self._expected_seq,))))
        if self._outstanding and now >= self._resend_at:
            frames += self._outstanding
            self._schedule_resend(now, min(MAX_RESEND_SECONDS, 2.0 * self._resend_seconds))
        while self._waiting and len(self._outstanding) < MAX_UNACKNOWLEDGED_FRAMES:
            frame_type, body = self._waiting.popleft()
            frame = WireFrame(frame_type, self._next_seq, body)
            self._next_seq = (self._next_seq + 1) % 256
            if not self._outstanding:
                self._schedule_resend(now, FIRST_RESEND_SECONDS)
            self._outstanding.append(frame)
            frames.append(frame)
        return frames

    def _handle_acknowledgement(self, frame: WireFrame, now: float) -> None:
        if len(frame.body) != 1 or not self._outstanding:
            return
        arrived = (frame.body[0] - self._outstanding[0].seq) % 256
        if not 0 < arrived <= len(self._outstanding):
            return  # an old acknowledgement that arrives late
        for _ in range(arrived):
            self._outstanding.popleft()
        self._schedule_resend(now, FIRST_RESEND_SECONDS)

    def _schedule_resend(self, now: float, seconds: float) -> None:
        self._resend_seconds, self._resend_at = seconds, now + seconds
