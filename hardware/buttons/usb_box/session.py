"""The host's side of the button box's protocol: a pure state machine that turns bytes and times into events and bytes.

It also sends the lamps, again when a lost box returns. Presses and held buttons are distinguished in `box_events.py`.

The session lives as long as the driver: what is known of the box outlives an unplugged cable. All times are seconds of
the host's monotonic clock, passed in.
"""

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, auto

from companion.events import DeviceLost, DeviceRestored, Event
from hardware.buttons.lamp_effects import LampColour, LampEffect
from hardware.buttons.usb_box.box_events import BoxEvents
from hardware.buttons.usb_box.clock_sync import MIN_ROUND_TRIPS
from hardware.buttons.usb_box.event_limiter import EventLimiter
from hardware.buttons.usb_box.framing import FRAME_END, FrameDecoder, WireFrame, encode_frame
from hardware.buttons.usb_box.greetings import GREETING_TIMEOUT_SECONDS, INCOMPATIBLE_HELLO_SECONDS, Greetings
from hardware.buttons.usb_box.messages import (
    FRAME_TYPES,
    RELIABLE_TYPES,
    ColoursMessage,
    EdgeMessage,
    FrameType,
    LampsMessage,
    LevelsMessage,
    LostMessage,
    MalformedMessageError,
    PongMessage,
    WelcomeMessage,
)
from hardware.buttons.usb_box.pings import FAST_PING_ANSWERS, Pings
from hardware.buttons.usb_box.reliable_link import ReliableLink

log = logging.getLogger(__name__)

SOURCE_NAME = "button box"
"""Name of this source for people and in events."""

SILENCE_TO_GREET_SECONDS = 1.2
"""Silence after which the box is greeted again. The box sends two LEVELS messages in this time.

Answers to pings do not end the silence: a box that was restarted may send them before it was greeted.
"""

SILENCE_TO_LOSE_SECONDS = 2.0
"""Silence after which the box counts as lost. A larger value reports a loss later."""

CLOCK_JUMP_SECONDS = 0.25
"""Least jump of the box's clock after which it is greeted again: it was restarted. Above any delay on the line."""

PONG_TIMEOUT_SECONDS = 3.0
"""Time without an answer to a ping, though other frames arrive, after which the box is greeted again."""

MAX_CLOCK_WAIT_SECONDS = 1.0
"""Longest time that an event waits for the clocks to be compared; then its stamp is the time of its arrival."""

PING_BYTES = 9
"""Bytes of a ping on the wire, less one: the receiver is done before the last stop bit, adapters are up to 2 % fast."""

PONG_BYTES = 17
"""Bytes of the answer to a ping on the wire, less one."""

LOST_LOG_SECONDS = 60.0
"""Least time between two lines in the log about events that the box lost."""


class SessionState(Enum):
    """State of the conversation with the box.

    >>> BoxSession(started_at=0.0, make_nonce=lambda: 1).state
    <SessionState.CLOSED: 1>
    """

    CLOSED = auto()  # no port is open
    GREETING = auto()  # a port is open, and greetings (HELLO) wait for an answer
    CONNECTED = auto()  # a box has answered, and its buttons are used
    INCOMPATIBLE = auto()  # a box has answered that this program cannot use; it is greeted again from time to time


@dataclass(frozen=True, slots=True)
class BoxStatus:
    """State of the box, for people and for measurements.

    >>> BoxSession(started_at=0.0, make_nonce=lambda: 1).get_status(now=1.0)
    BoxStatus(state=<SessionState.CLOSED: 1>, welcome=None, problem=None, stamp_error_seconds=None)
    """

    state: SessionState
    welcome: WelcomeMessage | None
    """The box's last description of itself; None: there was none yet. It stays after the box is gone."""
    problem: str | None
    """Message with the reason and the remedy; None if there is no problem."""
    stamp_error_seconds: float | None
    """Maximum error of a stamp now, in seconds; None while fewer than `MIN_ROUND_TRIPS` round trips are known."""


class BoxSession:
    """The conversation with one box, over any number of ports, one after the other. Called by one thread.

    >>> session = BoxSession(started_at=0.0, make_nonce=lambda: 1)
    >>> session.connect(0.0, byte_seconds=0.0)
    >>> sent = session.poll(0.0)
    >>> [FrameType(frame.type).name for frame in FrameDecoder().feed(sent)]
    ['HELLO']
    >>> session.disconnect(1.0, "unplugged")
    >>> session.take_events()
    [DeviceLost(name='button box', at=1.0, message='unplugged')]

    Args:
        started_at: time at which the driver was started, in seconds of the host's monotonic clock; presses before it
            are dropped.
        make_nonce: returns random integers from 0, of which the lower 16 bits are used. It is called until a value
            differs from the last `MAX_OLD_NONCES`, so a constant would be called forever.

    Attributes:
        state: state of the conversation; CLOSED at first.
        welcome: the box's last description of itself; None: there was none yet.
    """

    def __init__(self, started_at: float, make_nonce: Callable[[], int]) -> None:
        self.state = SessionState.CLOSED
        self.welcome: WelcomeMessage | None = None
        self._decoder, self._link = FrameDecoder(), ReliableLink()
        self._box_events = BoxEvents(SOURCE_NAME, started_at)
        self._greetings = Greetings(make_nonce, started_at)
        self._is_present = False
        self._problem: str | None = None
        self._welcomed_at = self._last_frame_at = self._last_pong_at = started_at
        self._pings = Pings(started_at)
        self._waiting_edges: list[tuple[EdgeMessage, float]] = []
        self._wanted_lamps = LampsMessage()
        self._sent_lamps: LampsMessage | None = None
        self._wanted_colours: ColoursMessage | None = None
        self._sent_colours: ColoursMessage | None = None
        self._prefix = b""
        self._event_limiter = EventLimiter(started_at)
        self._lost_count, self._next_lost_log_at = 0, started_at

    # Called by the driver.

    def connect(self, now: float, byte_seconds: float) -> None:
        """Start to greet the box on a port that was opened: the next `poll` returns the first greeting.

        Resets `is_flooding`. After a `disconnect` that reported a loss, an answer of the box is reported as its return.

        Args:
            now: the present time, in seconds of the host's monotonic clock.
            byte_seconds: least time of a byte on the wire, in seconds; 0.0 if unknown.
        """
        self._decoder = FrameDecoder()
        self._box_events.clock_sync.min_delays = (PING_BYTES * byte_seconds, PONG_BYTES * byte_seconds)
        self._prefix = FRAME_END
        self._event_limiter = EventLimiter(now)
        self._last_frame_at = now
        self._start_greeting(now)

    def disconnect(self, now: float, problem: str = "") -> None:
        """Stop, because the port is gone or could not be used, and add `DeviceLost` to the events if that is new.

        It is new if a box was connected, or if `problem` is not empty and differs from the last one. Then buttons that
        are held down are released too.

        Args:
            now: the present time, in seconds of the host's monotonic clock.
            problem: the reason and the remedy, for people; empty if the box was unplugged.
        """
        self.state = SessionState.CLOSED
        self._report_loss(now, problem)

    def set_lamps(self, effects: tuple[LampEffect, ...], colours: tuple[LampColour, ...] = ()) -> None:
        """Set the wanted effect of each lamp; `poll` sends it until the box has it, and again to a box that returns.

        A box without lamps gets none; one that cannot dim them gets SLOW for BREATHE, one without colours none.

        Args:
            effects: one effect for each of `BUTTONS`, in their order.
            colours: one colour for each of them; empty: those that the box has.
        """
        self._wanted_lamps = LampsMessage(effects)
        if colours:
            self._wanted_colours = ColoursMessage(colours)

    def feed(self, data: bytes, at: float) -> None:
        """Handle received bytes: `take_events` returns the events in them, and `poll` the answers to send.

        Raises nothing: damaged and malformed frames, and those of an unknown type, are dropped.

        Args:
            data: the next bytes from the port; they may end within a frame.
            at: time of their arrival, in seconds of the host's monotonic clock.
        """
        for frame in self._decoder.feed(data):
            if frame.type in FRAME_TYPES:
                with suppress(MalformedMessageError):
                    self._handle_frame(FrameType(frame.type), frame, at)

    def poll(self, now: float) -> bytes:
        """Handle the timeouts as `check_timeouts` does, and return the bytes to write to the port at once.

        Pings in them are stamped with `now`. While earlier bytes are unwritten, call `check_timeouts` instead.

        Args:
            now: the present time, in seconds of the host's monotonic clock.

        Returns:
            Complete frames; empty if there is nothing to send.
        """
        self.check_timeouts(now)
        frames: list[WireFrame] = []
        if self.state is SessionState.CONNECTED:
            if now >= self._pings.next_at:
                frames.append(self._pings.make_ping(now))  # first, so that nothing delays it
            self._send_lamps()
            frames += self._link.poll(now)
        if self.state in (SessionState.GREETING, SessionState.INCOMPATIBLE) and now >= self._greetings.next_at:
            is_incompatible = self.state is SessionState.INCOMPATIBLE
            frames.append(self._greetings.make_hello(now, is_incompatible=is_incompatible))
        prefix, self._prefix = self._prefix, b""
        return prefix + b"".join(map(encode_frame, frames))

    def check_timeouts(self, now: float) -> None:
        """Handle the timeouts at `now`; all bytes received before must have been fed (`feed`).

        Greets the box again if it was silent for 1.2 s or answered no ping for 3 s. Reports its loss after 2 s of
        silence.
        Stamps the events that wait for the clocks to be compared, 1 s after the greeting was answered.

        Args:
            now: the present time, in seconds of the host's monotonic clock.
        """
        is_silent = now - self._last_frame_at >= SILENCE_TO_GREET_SECONDS
        if self.state is SessionState.CONNECTED and (is_silent or now - self._last_pong_at >= PONG_TIMEOUT_SECONDS):
            self._start_greeting(now)
        if self.state is SessionState.GREETING and now >= self._loss_deadline:
            self._report_loss(now)
        if self._waiting_edges and now - self._welcomed_at >= MAX_CLOCK_WAIT_SECONDS:
            self._handle_waiting_edges()

    def deadline(self, now: float) -> float:
        """Return the time at which `poll` must be called again if nothing arrives before.

        Args:
            now: the present time, in seconds of the host's monotonic clock; the result is in seconds of it too, and may
                be in the past: then call it at once.
        """
        if self.state is SessionState.CONNECTED:
            resend = self._link.deadline
            return min(
                self._pings.next_at,
                self._last_frame_at + SILENCE_TO_GREET_SECONDS,
                now + SILENCE_TO_GREET_SECONDS if resend is None else resend,
            )
        if self.state is SessionState.GREETING and self._is_present:
            return min(self._greetings.next_at, self._loss_deadline)
        return self._greetings.next_at if self.state is not SessionState.CLOSED else now + SILENCE_TO_GREET_SECONDS

    def has_timed_out(self, now: float) -> bool:
        """Return whether greetings had no answer for `GREETING_TIMEOUT_SECONDS`: another port should be tried.

        False unless `state` is GREETING.

        Args:
            now: the present time, in seconds of the host's monotonic clock.
        """
        return self.state is SessionState.GREETING and now - self._greetings.since > GREETING_TIMEOUT_SECONDS

    @property
    def is_flooding(self) -> bool:
        """Whether the box sent more events at this port than people can make; further ones are dropped."""
        return self._event_limiter.is_flooding

    @property
    def is_settled(self) -> bool:
        """Whether nothing is left to send: the box has confirmed all frames and the lamps, or none is connected."""
        return self.state is not SessionState.CONNECTED or (
            not self._link.pending_count
            and (self._sent_lamps == self._wanted_lamps or not (self.welcome and self.welcome.has_lamps))
        )

    def take_events(self) -> list[Event]:
        """Return and forget the events since the last call, in the order in which they happened.

        Returns:
            Presses, releases, `DeviceLost` and `DeviceRestored`, stamped in seconds of the host's monotonic clock.
        """
        events, self._box_events.events = self._box_events.events, []
        return events

    def get_status(self, now: float) -> BoxStatus:
        """Return the state of the box.

        Args:
            now: the present time, in seconds of the host's monotonic clock.
        """
        return BoxStatus(self.state, self.welcome, self._problem, self._box_events.get_stamp_error(now))

    # Sending.

    @property
    def _loss_deadline(self) -> float:
        return max(self._last_frame_at, self._greetings.since - SILENCE_TO_GREET_SECONDS) + SILENCE_TO_LOSE_SECONDS

    def _start_greeting(self, now: float) -> None:
        self.state = SessionState.GREETING
        self._greetings.start(now)

    def _send_lamps(self) -> None:
        # Not while messages are on their way: the next ones have the newest effects and skip those between.
        if self._link.pending_count or self.welcome is None or not self.welcome.has_lamps:
            return
        if self.welcome.has_colours and self._wanted_colours is not None and self._sent_colours != self._wanted_colours:
            self._sent_colours = self._wanted_colours
            self._link.send(FrameType.COLOURS, self._wanted_colours.pack())
        if self._sent_lamps == self._wanted_lamps:
            return
        self._sent_lamps = self._wanted_lamps
        effects = self._wanted_lamps.effects
        if not self.welcome.can_dim:
            effects = tuple(LampEffect.SLOW if effect is LampEffect.BREATHE else effect for effect in effects)
        self._link.send(FrameType.LAMPS, LampsMessage(effects).pack())

    # Receiving.

    def _handle_frame(self, frame_type: FrameType, frame: WireFrame, at: float) -> None:
        if frame_type is FrameType.WELCOME:
            self._handle_welcome(WelcomeMessage.unpack(frame.body), at)
            return
        if self.state is not SessionState.CONNECTED:
            return  # of a conversation that is over: the box sends it again after the greeting
        if frame_type is FrameType.PONG:
            self._handle_pong(PongMessage.unpack(frame.body), at)
            return
        self._last_frame_at = at
        if frame_type is FrameType.LEVELS:
            self._box_events.check_levels(LevelsMessage.unpack(frame.body), at, is_quiet=not self._waiting_edges)
        elif frame_type in RELIABLE_TYPES:
            # Unpacked before the link counts it: a malformed message is not acknowledged.
            message_class = EdgeMessage if frame_type is FrameType.EVENT else LostMessage
            message = message_class.unpack(frame.body)
            if self._link.receive(frame, at):
                self._handle_event(message, at)
        else:
            self._link.receive(frame, at)

    def _handle_welcome(self, welcome: WelcomeMessage, at: float) -> None:
        if not self._greetings.is_answer(welcome.nonce):
            if self.state is SessionState.GREETING:
                self._greetings.note_late_answer(welcome.nonce, at)
            return
        self._last_frame_at = at
        if self.state is SessionState.CONNECTED:
            # The line repeated the greeting or the answer. If the greeting, the box restarted its sequence numbers.
            self._start_greeting(at)
            return
        self.welcome = welcome
        if welcome.incompatibility is not None:
            self.state = SessionState.INCOMPATIBLE
            self._greetings.next_at = at + INCOMPATIBLE_HELLO_SECONDS
            self._report_loss(at, welcome.incompatibility)
            return
        self._handle_waiting_edges()  # with the clock of the boot that they belong to
        self.state = SessionState.CONNECTED
        self._last_pong_at = self._welcomed_at = at
        self._link.reset(keep_unacknowledged=False)
        self._sent_lamps = self._sent_colours = None
        self._pings = Pings(at, self._pings.tokens)  # fast ones at first
        self._box_events.handle_boot(welcome.boot_number, at)
        self._box_events.resolution_seconds = welcome.resolution_seconds
        if not self._is_present:
            self._is_present, self._problem = True, None
            self._box_events.events.append(DeviceRestored(SOURCE_NAME, at))

    def _handle_pong(self, pong: PongMessage, at: float) -> None:
        sent_at = self._pings.sent_at.pop(pong.token, None)
        if sent_at is None:
            return  # repeated by the line, or too late
        self._last_pong_at = at
        self._pings.answer_count += 1
        # Not right after a greeting: then the host was suspended, and the clock must learn of it.
        if self._pings.answer_count > FAST_PING_ANSWERS and self._box_events.has_clock_jumped(
            pong.sent_tick, at, CLOCK_JUMP_SECONDS + at - sent_at
        ):
            self._start_greeting(at)
            return
        self._box_events.clock_sync.add_round_trip(sent_at, at, pong.received_tick, pong.sent_tick)
        if self._pings.answer_count >= MIN_ROUND_TRIPS:
            self._handle_waiting_edges()

    def _handle_event(self, message: EdgeMessage | LostMessage, at: float) -> None:
        if not self._event_limiter.count_event(at):
            return
        if isinstance(message, LostMessage):
            self._lost_count += message.count
            if at >= self._next_lost_log_at:
                log.warning("The button box lost %d events: its queue was full.", self._lost_count)
                self._lost_count, self._next_lost_log_at = 0, at + LOST_LOG_SECONDS
        elif self._box_events.accept_event(message):
            self._waiting_edges.append((message, at))
            if self._pings.answer_count >= MIN_ROUND_TRIPS or at - self._welcomed_at >= MAX_CLOCK_WAIT_SECONDS:
                self._handle_waiting_edges()

    def _handle_waiting_edges(self) -> None:
        edges, self._waiting_edges = self._waiting_edges, []
        for edge, at in edges:
            self._box_events.handle_edge(edge, at)

    def _report_loss(self, now: float, problem: str = "") -> None:
        self._handle_waiting_edges()
        if not self._is_present and (not problem or problem == self._problem):
            return
        self._is_present, self._problem = False, problem or None
        self._box_events.release_all(now)
        self._box_events.events.append(DeviceLost(SOURCE_NAME, now, problem))
