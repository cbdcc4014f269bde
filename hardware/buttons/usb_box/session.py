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
from hardware.buttons.lamp_effects import Effect
from hardware.buttons.usb_box.box_state import Memory
from hardware.buttons.usb_box.clock_sync import ENOUGH
from hardware.buttons.usb_box.framing import END, Decoder, Dropped, Frame, encode
from hardware.buttons.usb_box.messages import (
    RELIABLE,
    Hello,
    Lamps,
    Levels,
    Lost,
    Malformed,
    Ping,
    Pong,
    Type,
    Welcome,
)
from hardware.buttons.usb_box.messages import (
    Event as EdgeMessage,
)
from hardware.buttons.usb_box.reliable_link import Link, Traffic

log = logging.getLogger(__name__)
NAME = "button box"
HELLO_EVERY = 0.25
LATE_HELLO = 1.0
"""A box that answers later than `HELLO_EVERY` is given this long."""
MISFIT_HELLO = 2.0
"""A box of another version is asked again this often: somebody may be putting new firmware onto it."""
QUIET, GONE = 1.2, 2.0
"""Seconds of silence after which the box is greeted anew, and after which it is lost. Two LEVELS come in the first.

Answers to pings do not break it: a box that has started anew may give them without having been greeted.
"""
STRANGE = 0.25
"""Seconds by which an answer to a ping must be off for the box to be greeted anew: it has begun another life."""
DEAF = 3.0
"""Seconds without an answer to a ping, though frames come in, after which it is greeted anew."""
GIVE_UP = 4.0
"""Seconds of greeting without an answer after which the port is not worth it."""
PING_FIRST, FIRST_PINGS, PING_EVERY = 0.02, 8, 0.5
"""Seconds between pings: quick ones until so many are answered."""
MOST_QUICK = 40
"""No more quick pings than this after a greeting, answered or not."""
UNTIMED = 1.0
"""Seconds that an event waits at most for the clocks to be compared; then it happened when it came in."""
PING_BYTES, PONG_BYTES = 9, 17
"""On the wire, less one: receivers are done before the last stop bit, and adapters are up to 2 % fast."""
LAMPS_BIT, DIM_BIT = 1, 2


class State(Enum):
    """Where the conversation is."""

    CLOSED = auto()
    GREETING = auto()
    TALKING = auto()
    MISFIT = auto()


@dataclass(frozen=True, slots=True)
class Status:
    """What is known of the box, for people and for measurements."""

    state: State
    welcome: Welcome | None
    """What the box last said of itself."""
    words: str | None
    """What is wrong and what helps."""
    error: float | None
    """Seconds that a stamp can be off now at most; None: the clocks have not been compared."""
    rate: float
    """Host seconds in a box's second."""
    dropped: Dropped
    traffic: Traffic
    events: int
    doubled: int
    lost: int
    stale: int
    restarts: int
    mended: int


@dataclass(slots=True)
class _Pings:
    sent: dict[int, float] = field(default_factory=dict)
    token: int = 0
    asked: int = 0
    answered: int = 0
    next_at: float = 0.0

    def begin(self, now: float) -> None:
        """After a greeting."""
        self.sent.clear()
        self.asked = self.answered = 0
        self.next_at = now

    def ask(self, now: float) -> Frame:
        """The next ping."""
        self.token = (self.token + 1) % (1 << 32)
        self.sent[self.token] = now
        if len(self.sent) > 16:
            del self.sent[next(iter(self.sent))]
        self.asked += 1
        quick = self.answered < FIRST_PINGS and self.asked < MOST_QUICK
        self.next_at = now + (PING_FIRST if quick else PING_EVERY)
        return Frame(Type.PING, 0, Ping(self.token).pack())


class Session:
    """One box, over any number of ports, one after the other.

    Args:
        began: when the driver was started; what was pressed before counts for nothing.
        nonces: random numbers below 65536.
    """

    def __init__(self, began: float, nonces: Callable[[], int]) -> None:
        self.state = State.CLOSED
        self.welcome: Welcome | None = None
        self._decoder, self._link = Decoder(), Link()
        self._memory = Memory(NAME, began)
        self._nonces = nonces
        self._present = False
        self._words: str | None = None
        self._signals: list[Event] = []
        self._nonce, self._old_nonces = 0, set[int]()
        self._hello_at = self._since = self._heard = self._answered = self._welcomed = began
        self._pings = _Pings()
        self._delays = (0.0, 0.0)
        self._waiting: list[tuple[EdgeMessage, float]] = []
        self._wanted = Lamps()
        self._lit: Lamps | None = None
        self._first = b""

    # What the driver calls.

    def connect(self, now: float, byte_time: float = 0.0) -> None:
        """A port was opened. `byte_time`: seconds that a byte takes on the wire at least, 0 if that is not known."""
        self._decoder.reset()
        self._delays = (PING_BYTES * byte_time, PONG_BYTES * byte_time)
        self._memory.sync.line_delays(*self._delays)
        self._first = END
        self._heard = now
        self._greet(now)

    def disconnect(self, now: float, words: str = "") -> None:
        """The port is gone, or could not be used; `words` say why if it was not unplugged."""
        self.state = State.CLOSED
        self._lose(now, words)

    def light(self, effects: tuple[Effect, ...]) -> None:
        """What the lamps show from now on; sent until the box has it."""
        self._wanted = Lamps(effects)

    def feed(self, data: bytes, at: float) -> None:
        """Bytes that came in at `at`."""
        for frame in self._decoder.feed(data):
            self._take(frame, at)

    def poll(self, now: float) -> bytes:
        """What is to be written now, at once; the times of pings are counted from here."""
        self.watch(now)
        frames: list[Frame] = []
        if self.state is State.TALKING:
            if now >= self._pings.next_at:
                frames.append(self._pings.ask(now))  # first, so that nothing delays it
            self._send_lamps()
            frames += self._link.poll(now)
        if self.state in (State.GREETING, State.MISFIT) and now >= self._hello_at:
            frames.append(self._hello(now))
        first, self._first = self._first, b""
        return first + b"".join(map(encode, frames))

    def watch(self, now: float) -> None:
        """What is due by the clock alone; call it after everything that has come in was fed."""
        if self.state is State.TALKING and (now - self._heard >= QUIET or now - self._answered >= DEAF):
            self._greet(now)
        if self.state is State.GREETING and now >= self._gone_at:
            self._lose(now)
        if self._waiting and now - self._welcomed >= UNTIMED:
            self._flush()

    def deadline(self, now: float) -> float:
        """When `poll` must be called at the latest, if nothing comes in before."""
        if self.state is State.TALKING:
            resend = self._link.deadline
            return min(self._pings.next_at, self._heard + QUIET, now + QUIET if resend is None else resend)
        if self.state is State.GREETING and self._present:
            return min(self._hello_at, self._gone_at)
        return self._hello_at if self.state is not State.CLOSED else now + QUIET

    @property
    def _gone_at(self) -> float:
        return max(self._heard, self._since - QUIET) + GONE

    def gives_up(self, now: float) -> bool:
        """Nothing answers at this port; another one may be better, or the same opened anew."""
        return self.state is State.GREETING and now - self._since > GIVE_UP

    @property
    def settled(self) -> bool:
        """The box is known to have everything that it was sent."""
        return self.state is not State.TALKING or (self._link.idle and (self._lit == self._wanted or not self._lamps))

    def signals(self) -> list[Event]:
        """The signals since the last call, in the order in which they happened."""
        signals, self._signals = self._signals + self._memory.signals(), []
        return signals

    def status(self, now: float) -> Status:
        """What is known of the box."""
        memory = self._memory
        return Status(
            self.state,
            self.welcome,
            self._words,
            memory.error(now),
            memory.sync.rate,
            replace(self._decoder.dropped),
            replace(self._link.traffic),
            memory.events,
            memory.doubled,
            memory.lost,
            memory.stale,
            memory.restarts,
            memory.mended,
        )

    # What is sent.

    def _greet(self, now: float) -> None:
        self.state = State.GREETING
        self._since = self._hello_at = now
        self._old_nonces.clear()
        self._link.reset(keep=False)

    def _hello(self, now: float) -> Frame:
        # Each has a nonce of its own and only the answer to the last one counts: an earlier one's would leave open
        # whether the box has begun to count anew once or twice.
        self._old_nonces.add(self._nonce)
        while self._nonce in self._old_nonces:
            self._nonce = self._nonces() % 65536
        self._hello_at = now + (MISFIT_HELLO if self.state is State.MISFIT else HELLO_EVERY)
        return Frame(Type.HELLO, 0, Hello(self._nonce).pack())

    @property
    def _lamps(self) -> bool:
        return self.welcome is not None and bool(self.welcome.capabilities & LAMPS_BIT)

    def _send_lamps(self) -> None:
        # One on its way at a time: while it is, the newest wish replaces those in between.
        if self._lit == self._wanted or not self._link.idle or not self._lamps or self.welcome is None:
            return
        self._lit = self._wanted
        effects = self._wanted.effects
        if not self.welcome.capabilities & DIM_BIT:
            effects = tuple(Effect.SLOW if effect is Effect.BREATHE else effect for effect in effects)
        self._link.send(Type.LAMPS, Lamps(effects).pack())

    # What comes in.

    def _take(self, frame: Frame, at: float) -> None:
        try:
            kind = Type(frame.type)
        except ValueError:
            self._decoder.dropped.unknown += 1
            return
        try:
            self._heed(kind, frame, at)
        except Malformed:
            self._decoder.dropped.bad_length += 1

    def _heed(self, kind: Type, frame: Frame, at: float) -> None:
        if kind is Type.WELCOME:
            self._heed_welcome(Welcome.unpack(frame.body), at)
            return
        if self.state is not State.TALKING:
            return  # of a conversation that is over: the box sends it anew after the greeting
        if kind is Type.PONG:
            self._heed_pong(Pong.unpack(frame.body), at)
            return
        self._heard = at
        if kind is Type.LEVELS:
            self._memory.levels(Levels.unpack(frame.body), at, quiet=not self._waiting)
        elif kind in RELIABLE:
            # Looked at before the link counts it: what cannot be read is not acknowledged.
            message = EdgeMessage.unpack(frame.body) if kind is Type.EVENT else Lost.unpack(frame.body)
            if self._link.take(frame, at):
                self._heed_message(message, at)
        else:
            self._link.take(frame, at)

    def _heed_welcome(self, welcome: Welcome, at: float) -> None:
        if welcome.nonce != self._nonce:
            if self.state is State.GREETING and welcome.nonce in self._old_nonces:
                self._hello_at = max(self._hello_at, at + LATE_HELLO)
            return
        self._heard = at
        if self.state is State.TALKING:
            # The line doubled the greeting or the answer. If it was the greeting, the box counts from 0 again.
            self._greet(at)
            return
        self.welcome = welcome
        if welcome.misfit is not None:
            self.state = State.MISFIT
            self._hello_at = at + MISFIT_HELLO
            self._lose(at, welcome.misfit)
            return
        self._flush()  # with the clock of the life that they belong to
        self.state = State.TALKING
        self._answered = self._welcomed = at
        self._link.reset(keep=False)
        self._lit = None
        self._pings.begin(at)
        self._memory.booted(welcome.boot, at, self._delays)
        if not self._present:
            self._present, self._words = True, None
            self._signals += [*self._memory.signals(), DeviceRestored(NAME, at)]

    def _heed_pong(self, pong: Pong, at: float) -> None:
        sent = self._pings.sent.pop(pong.token, None)
        if sent is None:
            return  # doubled by the line, or an answer that nobody waits for any more
        self._answered = at
        self._pings.answered += 1
        # Not again right after a greeting: then it was the host that slept, and its clock learns of it.
        if self._pings.answered > FIRST_PINGS and self._memory.strange(pong.said, at, STRANGE + at - sent):
            self._greet(at)
            return
        self._memory.sync.add(sent, at, pong.heard, pong.said)
        if self._pings.answered >= ENOUGH:
            self._flush()

    def _heed_message(self, message: EdgeMessage | Lost, at: float) -> None:
        if isinstance(message, Lost):
            log.warning("The button box lost %d events: its queue was full.", message.count)
            self._memory.lost += message.count
        elif self._memory.is_new(message):
            if self._pings.answered < ENOUGH and at - self._welcomed < UNTIMED:
                self._waiting.append((message, at))
            else:
                self._flush()
                self._memory.happened(message, at)

    def _flush(self) -> None:
        waiting, self._waiting = self._waiting, []
        for event, at in waiting:
            self._memory.happened(event, at)

    def _lose(self, now: float, words: str = "") -> None:
        self._flush()
        if not self._present and (not words or words == self._words):
            return
        self._present, self._words = False, words or None
        self._memory.let_go(now)
        self._signals += [*self._memory.signals(), DeviceLost(NAME, now, words)]
