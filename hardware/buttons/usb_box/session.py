"""The host's side of the box's protocol: a pure state machine, fed with bytes and times, that gives signals and bytes.

It lives as long as the driver: what it knows of a box (its clock, which events it has had, what is held down) outlives
an unplugged cable. Times are seconds of the host's monotonic clock, given from outside.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import Enum, auto

from companion.events import DeviceLost, DeviceRestored, Event
from hardware.buttons.lamp_effects import LampEffect
from hardware.buttons.usb_box.box_state import BoxState
from hardware.buttons.usb_box.clock_sync import MIN_ROUND_TRIPS
from hardware.buttons.usb_box.framing import FRAME_END, DroppedFrames, FrameDecoder, WireFrame, encode_frame
from hardware.buttons.usb_box.messages import (
    RELIABLE_TYPES,
    EdgeMessage,
    FrameType,
    HelloMessage,
    LampsMessage,
    LevelsMessage,
    LostMessage,
    MalformedMessageError,
    PingMessage,
    PongMessage,
    WelcomeMessage,
)
from hardware.buttons.usb_box.reliable_link import LinkCounts, ReliableLink

log = logging.getLogger(__name__)
SOURCE_NAME = "button box"
HELLO_SECONDS = 0.25
LATE_WELCOME_SECONDS = 1.0
"""A box that answers later than `HELLO_EVERY` is given this long."""
INCOMPATIBLE_HELLO_SECONDS = 2.0
"""A box of another version is asked again this often: somebody may be putting new firmware onto it."""
SILENCE_TO_GREET_SECONDS, SILENCE_TO_LOSE_SECONDS = 1.2, 2.0
"""Seconds of silence after which the box is greeted anew, and after which it is lost. Two LEVELS come in the first.

Answers to pings do not break it: a box that has started anew may give them without having been greeted.
"""
CLOCK_JUMP_SECONDS = 0.25
"""Seconds by which an answer to a ping must be off for the box to be greeted anew: it has begun another life."""
PONG_TIMEOUT_SECONDS = 3.0
"""Seconds without an answer to a ping, though frames come in, after which it is greeted anew."""
GREETING_TIMEOUT_SECONDS = 4.0
"""Seconds of greeting without an answer after which the port is not worth it."""
FAST_PING_SECONDS, FAST_PING_ANSWERS, PING_SECONDS = 0.02, 8, 0.5
"""Seconds between pings: quick ones until so many are answered."""
MAX_FAST_PINGS = 40
"""No more quick pings than this after a greeting, answered or not."""
MAX_CLOCK_WAIT_SECONDS = 1.0
"""Seconds that an event waits at most for the clocks to be compared; then it happened when it came in."""
PING_BYTES, PONG_BYTES = 9, 17
"""On the wire, less one: receivers are done before the last stop bit, and adapters are up to 2 % fast."""
LAMPS_CAPABILITY, DIM_CAPABILITY = 1, 2


class SessionState(Enum):
    """Where the conversation is."""

    CLOSED = auto()
    GREETING = auto()
    CONNECTED = auto()
    INCOMPATIBLE = auto()


@dataclass(frozen=True, slots=True)
class BoxStatus:
    """What is known of the box, for people and for measurements."""

    state: SessionState
    welcome: WelcomeMessage | None
    """What the box last said of itself."""
    problem: str | None
    """What is wrong and what helps."""
    stamp_error_seconds: float | None
    """Seconds that a stamp can be off now at most; None: the clocks have not been compared."""
    clock_rate: float
    """Host seconds in a box's second."""
    dropped: DroppedFrames
    link_counts: LinkCounts
    events: int
    duplicates: int
    lost: int
    stale: int
    restarts: int
    inferred_releases: int


@dataclass(slots=True)
class _Pings:
    sent: dict[int, float] = field(default_factory=dict)
    token: int = 0
    ping_count: int = 0
    answer_count: int = 0
    next_at: float = 0.0

    def begin(self, now: float) -> None:
        """After a greeting."""
        self.sent.clear()
        self.ping_count = self.answer_count = 0
        self.next_at = now

    def make_ping(self, now: float) -> WireFrame:
        """The next ping."""
        self.token = (self.token + 1) % (1 << 32)
        self.sent[self.token] = now
        if len(self.sent) > 16:
            del self.sent[next(iter(self.sent))]
        self.ping_count += 1
        quick = self.answer_count < FAST_PING_ANSWERS and self.ping_count < MAX_FAST_PINGS
        self.next_at = now + (FAST_PING_SECONDS if quick else PING_SECONDS)
        return WireFrame(FrameType.PING, 0, PingMessage(self.token).pack())


class BoxSession:
    """One box, over any number of ports, one after the other.

    Args:
        began: when the driver was started; what was pressed before counts for nothing.
        nonces: random numbers below 65536.
    """

    def __init__(self, started_at: float, make_nonce: Callable[[], int]) -> None:
        self.state = SessionState.CLOSED
        self.welcome: WelcomeMessage | None = None
        self._decoder, self._link = FrameDecoder(), ReliableLink()
        self._box_state = BoxState(SOURCE_NAME, started_at)
        self._make_nonce = make_nonce
        self._is_present = False
        self._problem: str | None = None
        self._events: list[Event] = []
        self._nonce, self._old_nonces = 0, set[int]()
        self._next_hello_at = self._greeting_since = self._last_frame_at = self._last_pong_at = self._welcomed_at = (
            started_at
        )
        self._pings = _Pings()
        self._min_delays = (0.0, 0.0)
        self._waiting_edges: list[tuple[EdgeMessage, float]] = []
        self._wanted_lamps = LampsMessage()
        self._sent_lamps: LampsMessage | None = None
        self._prefix = b""

    # What the driver calls.

    def connect(self, now: float, byte_seconds: float = 0.0) -> None:
        """A port was opened. `byte_time`: seconds that a byte takes on the wire at least, 0 if that is not known."""
        self._decoder.reset()
        self._min_delays = (PING_BYTES * byte_seconds, PONG_BYTES * byte_seconds)
        self._box_state.clock_sync.set_min_delays(*self._min_delays)
        self._prefix = FRAME_END
        self._last_frame_at = now
        self._start_greeting(now)

    def disconnect(self, now: float, problem: str = "") -> None:
        """The port is gone, or could not be used; `words` say why if it was not unplugged."""
        self.state = SessionState.CLOSED
        self._report_loss(now, problem)

    def set_lamps(self, effects: tuple[LampEffect, ...]) -> None:
        """What the lamps show from now on; sent until the box has it."""
        self._wanted_lamps = LampsMessage(effects)

    def feed(self, data: bytes, at: float) -> None:
        """Bytes that came in at `at`."""
        for frame in self._decoder.feed(data):
            self._receive(frame, at)

    def poll(self, now: float) -> bytes:
        """What is to be written now, at once; the times of pings are counted from here."""
        self.check_timeouts(now)
        frames: list[WireFrame] = []
        if self.state is SessionState.CONNECTED:
            if now >= self._pings.next_at:
                frames.append(self._pings.make_ping(now))  # first, so that nothing delays it
            self._send_lamps()
            frames += self._link.poll(now)
        if self.state in (SessionState.GREETING, SessionState.INCOMPATIBLE) and now >= self._next_hello_at:
            frames.append(self._make_hello(now))
        first, self._prefix = self._prefix, b""
        return first + b"".join(map(encode_frame, frames))

    def check_timeouts(self, now: float) -> None:
        """What is due by the clock alone; call it after everything that has come in was fed."""
        if self.state is SessionState.CONNECTED and (
            now - self._last_frame_at >= SILENCE_TO_GREET_SECONDS or now - self._last_pong_at >= PONG_TIMEOUT_SECONDS
        ):
            self._start_greeting(now)
        if self.state is SessionState.GREETING and now >= self._loss_deadline:
            self._report_loss(now)
        if self._waiting_edges and now - self._welcomed_at >= MAX_CLOCK_WAIT_SECONDS:
            self._handle_waiting_edges()

    def deadline(self, now: float) -> float:
        """When `poll` must be called at the latest, if nothing comes in before."""
        if self.state is SessionState.CONNECTED:
            resend = self._link.deadline
            return min(
                self._pings.next_at,
                self._last_frame_at + SILENCE_TO_GREET_SECONDS,
                now + SILENCE_TO_GREET_SECONDS if resend is None else resend,
            )
        if self.state is SessionState.GREETING and self._is_present:
            return min(self._next_hello_at, self._loss_deadline)
        return self._next_hello_at if self.state is not SessionState.CLOSED else now + SILENCE_TO_GREET_SECONDS

    @property
    def _loss_deadline(self) -> float:
        return max(self._last_frame_at, self._greeting_since - SILENCE_TO_GREET_SECONDS) + SILENCE_TO_LOSE_SECONDS

    def has_timed_out(self, now: float) -> bool:
        """Nothing answers at this port; another one may be better, or the same opened anew."""
        return self.state is SessionState.GREETING and now - self._greeting_since > GREETING_TIMEOUT_SECONDS

    @property
    def is_settled(self) -> bool:
        """The box is known to have everything that it was sent."""
        return self.state is not SessionState.CONNECTED or (
            self._link.is_idle and (self._sent_lamps == self._wanted_lamps or not self._has_lamps)
        )

    def take_events(self) -> list[Event]:
        """The signals since the last call, in the order in which they happened."""
        signals, self._events = self._events + self._box_state.take_events(), []
        return signals

    def get_status(self, now: float) -> BoxStatus:
        """What is known of the box."""
        memory = self._box_state
        return BoxStatus(
            self.state,
            self.welcome,
            self._problem,
            memory.get_stamp_error(now),
            memory.clock_sync.rate,
            replace(self._decoder.dropped),
            replace(self._link.counts),
            memory.events,
            memory.duplicates,
            memory.lost,
            memory.stale,
            memory.restarts,
            memory.inferred_releases,
        )

    # What is sent.

    def _start_greeting(self, now: float) -> None:
        self.state = SessionState.GREETING
        self._greeting_since = self._next_hello_at = now
        self._old_nonces.clear()
        self._link.reset(keep_unacknowledged=False)

    def _make_hello(self, now: float) -> WireFrame:
        # Each has a nonce of its own and only the answer to the last one counts: an earlier one's would leave open
        # whether the box has begun to count anew once or twice.
        self._old_nonces.add(self._nonce)
        while self._nonce in self._old_nonces:
            self._nonce = self._make_nonce() % 65536
        self._next_hello_at = now + (
            INCOMPATIBLE_HELLO_SECONDS if self.state is SessionState.INCOMPATIBLE else HELLO_SECONDS
        )
        return WireFrame(FrameType.HELLO, 0, HelloMessage(self._nonce).pack())

    @property
    def _has_lamps(self) -> bool:
        return self.welcome is not None and bool(self.welcome.capabilities & LAMPS_CAPABILITY)

    def _send_lamps(self) -> None:
        # One on its way at a time: while it is, the newest wish replaces those in between.
        if (
            self._sent_lamps == self._wanted_lamps
            or not self._link.is_idle
            or not self._has_lamps
            or self.welcome is None
        ):
            return
        self._sent_lamps = self._wanted_lamps
        effects = self._wanted_lamps.effects
        if not self.welcome.capabilities & DIM_CAPABILITY:
            effects = tuple(LampEffect.SLOW if effect is LampEffect.BREATHE else effect for effect in effects)
        self._link.send(FrameType.LAMPS, LampsMessage(effects).pack())

    # What comes in.

    def _receive(self, frame: WireFrame, at: float) -> None:
        try:
            kind = FrameType(frame.type)
        except ValueError:
            self._decoder.dropped.unknown_type += 1
            return
        try:
            self._handle_frame(kind, frame, at)
        except MalformedMessageError:
            self._decoder.dropped.bad_length += 1

    def _handle_frame(self, kind: FrameType, frame: WireFrame, at: float) -> None:
        if kind is FrameType.WELCOME:
            self._handle_welcome(WelcomeMessage.unpack(frame.body), at)
            return
        if self.state is not SessionState.CONNECTED:
            return  # of a conversation that is over: the box sends it anew after the greeting
        if kind is FrameType.PONG:
            self._handle_pong(PongMessage.unpack(frame.body), at)
            return
        self._last_frame_at = at
        if kind is FrameType.LEVELS:
            self._box_state.check_levels(LevelsMessage.unpack(frame.body), at, quiet=not self._waiting_edges)
        elif kind in RELIABLE_TYPES:
            # Looked at before the link counts it: what cannot be read is not acknowledged.
            message = EdgeMessage.unpack(frame.body) if kind is FrameType.EVENT else LostMessage.unpack(frame.body)
            if self._link.receive(frame, at):
                self._handle_event(message, at)
        else:
            self._link.receive(frame, at)

    def _handle_welcome(self, welcome: WelcomeMessage, at: float) -> None:
        if welcome.nonce != self._nonce:
            if self.state is SessionState.GREETING and welcome.nonce in self._old_nonces:
                self._next_hello_at = max(self._next_hello_at, at + LATE_WELCOME_SECONDS)
            return
        self._last_frame_at = at
        if self.state is SessionState.CONNECTED:
            # The line doubled the greeting or the answer. If it was the greeting, the box counts from 0 again.
            self._start_greeting(at)
            return
        self.welcome = welcome
        if welcome.incompatibility is not None:
            self.state = SessionState.INCOMPATIBLE
            self._next_hello_at = at + INCOMPATIBLE_HELLO_SECONDS
            self._report_loss(at, welcome.incompatibility)
            return
        self._handle_waiting_edges()  # with the clock of the life that they belong to
        self.state = SessionState.CONNECTED
        self._last_pong_at = self._welcomed_at = at
        self._link.reset(keep_unacknowledged=False)
        self._sent_lamps = None
        self._pings.begin(at)
        self._box_state.handle_boot(welcome.boot_number, at, self._min_delays)
        if not self._is_present:
            self._is_present, self._problem = True, None
            self._events += [*self._box_state.take_events(), DeviceRestored(SOURCE_NAME, at)]

    def _handle_pong(self, pong: PongMessage, at: float) -> None:
        sent = self._pings.sent.pop(pong.token, None)
        if sent is None:
            return  # doubled by the line, or an answer that nobody waits for any more
        self._last_pong_at = at
        self._pings.answer_count += 1
        # Not again right after a greeting: then it was the host that slept, and its clock learns of it.
        if self._pings.answer_count > FAST_PING_ANSWERS and self._box_state.has_clock_jumped(
            pong.sent_tick, at, CLOCK_JUMP_SECONDS + at - sent
        ):
            self._start_greeting(at)
            return
        self._box_state.clock_sync.add_round_trip(sent, at, pong.received_tick, pong.sent_tick)
        if self._pings.answer_count >= MIN_ROUND_TRIPS:
            self._handle_waiting_edges()

    def _handle_event(self, message: EdgeMessage | LostMessage, at: float) -> None:
        if isinstance(message, LostMessage):
            log.warning("The button box lost %d events: its queue was full.", message.count)
            self._box_state.lost += message.count
        elif self._box_state.accept_event(message):
            if self._pings.answer_count < MIN_ROUND_TRIPS and at - self._welcomed_at < MAX_CLOCK_WAIT_SECONDS:
                self._waiting_edges.append((message, at))
            else:
                self._handle_waiting_edges()
                self._box_state.handle_edge(message, at)

    def _handle_waiting_edges(self) -> None:
        waiting, self._waiting_edges = self._waiting_edges, []
        for event, at in waiting:
            self._box_state.handle_edge(event, at)

    def _report_loss(self, now: float, problem: str = "") -> None:
        self._handle_waiting_edges()
        if not self._is_present and (not problem or problem == self._problem):
            return
        self._is_present, self._problem = False, problem or None
        self._box_state.release_all(now)
        self._events += [*self._box_state.take_events(), DeviceLost(SOURCE_NAME, now, problem)]
