"""A button box without hardware: the protocol's other end, and a line that does what lines do.

Both are pure: bytes and host times in, bytes out. `tests.doubles.pty_port` puts them behind a real pty.
"""

from __future__ import annotations

import heapq
import itertools
import math
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from companion.events import Button
from hardware.buttons.usb_box.framing import END, Decoder, Frame, encode
from hardware.buttons.usb_box.messages import (
    BUTTONS,
    TICK_HZ,
    TICK_MODULUS,
    VERSION,
    Event,
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
from hardware.buttons.usb_box.reliable_link import Link
from hardware.buttons.usb_box.session import Session

SAMPLE = 50
"""Ticks between two looks at the inputs."""
LEVELS_EVERY = 0.5
BYTE_TIME = 10.0 / 115200


@dataclass(frozen=True, slots=True)
class Make:
    """What box it is."""

    version: int = VERSION
    firmware: tuple[int, int, int] = (1, 0, 0)
    boot: int = 1
    capabilities: int = 3
    queue: int = 64
    rate: float = 1.0
    """Box seconds in a host second: 1.0001 runs 100 ppm fast."""
    first_tick: int = 0
    """Where its counter stands when it is switched on."""


class VirtualBox:
    """What the firmware does, as far as the wire can tell. `started`: host time at which it was switched on."""

    def __init__(self, make: Make, started: float) -> None:
        self.make = make
        self.boot = make.boot
        self.lamps = Lamps()
        self.hellos = 0
        self._restart(started)

    def _restart(self, now: float) -> None:
        self._started = now
        self._decoder, self._link = Decoder(), Link()
        self._edges: list[tuple[float, int, int, bool]] = []
        self._count = itertools.count()
        self._levels = self._next_event = self._lost = 0
        self._welcomed = False
        self._levels_at = math.inf
        self._ready: deque[bytes] = deque((END,))
        self.lamps = Lamps()

    def reboot(self, now: float) -> None:
        """The power failed, or the watchdog bit: another life, with nothing of this one."""
        self.boot += 1
        self._restart(now)

    def tick(self, at: float) -> int:
        """What its counter shows at a host time, unwrapped."""
        return self.make.first_tick + math.floor((at - self._started) * self.make.rate * TICK_HZ)

    def at(self, tick: int) -> float:
        """The host time at which its counter got to an unwrapped tick."""
        return self._started + (tick - self.make.first_tick) / (self.make.rate * TICK_HZ)

    def edge(self, button: Button, down: bool, at: float) -> None:
        """A button goes down or up at a host time that is still to come."""
        heapq.heappush(self._edges, (at, next(self._count), BUTTONS.index(button), down))

    @property
    def idle(self) -> bool:
        """All that was pressed has arrived."""
        return not self._edges and self._link.idle and not self._lost

    def feed(self, data: bytes, now: float) -> None:
        """Bytes that came in."""
        for frame in self._decoder.feed(data):
            try:
                self._heed(frame, now)
            except Malformed:
                continue

    def poll(self, now: float) -> bytes:
        """What goes out now."""
        self._sample(now)
        out = b"".join(self._ready)
        self._ready.clear()
        if self._welcomed:
            if now >= self._levels_at:
                self._levels_at = now + LEVELS_EVERY
                out += encode(Frame(Type.LEVELS, 0, Levels(self._levels, self.tick(now) % TICK_MODULUS).pack()))
            out += b"".join(map(encode, self._link.poll(now)))
        return out

    def deadline(self) -> float:
        """When `poll` has something to do by itself."""
        next_edge = self._seen(self._edges[0][0])[1] if self._edges else math.inf
        resend = self._link.deadline if self._welcomed else None
        return min(next_edge, self._levels_at, math.inf if resend is None else resend)

    def _seen(self, at: float) -> tuple[int, float]:
        """The tick and the host time of the first look at the inputs that finds an edge at `at`."""
        tick = SAMPLE * math.ceil((at - self._started) * self.make.rate * TICK_HZ / SAMPLE)
        tick += self.make.first_tick
        return tick, self.at(tick)

    def _sample(self, now: float) -> None:
        # All that one look finds has one tick, and the buttons' own order.
        looks: list[tuple[int, int, bool]] = []
        while self._edges:
            tick, when = self._seen(self._edges[0][0])
            if when > now:
                break
            _, _, button, down = heapq.heappop(self._edges)
            looks.append((tick, button, down))
        for tick, button, down in sorted(looks, key=lambda look: look[:2]):
            self._happened(button, down, tick)

    def _happened(self, button: int, down: bool, tick: int) -> None:
        self._levels = self._levels & ~(1 << button) | down << button
        if self._link.pending >= self.make.queue:
            self._lost += 1
            return
        if self._lost:
            self._link.send(Type.LOST, Lost(self._lost).pack())
            self._lost = 0
        event = Event(self._next_event % (1 << 16), button, down, tick % TICK_MODULUS, self._levels)
        self._next_event += 1
        self._link.send(Type.EVENT, event.pack())

    def _heed(self, frame: Frame, now: float) -> None:
        if frame.type == Type.HELLO:
            self._welcome(Hello.unpack(frame.body), now)
        elif frame.type == Type.PING:
            tick = self.tick(now) % TICK_MODULUS
            self._ready.append(encode(Frame(Type.PONG, 0, Pong(Ping.unpack(frame.body).token, tick, tick).pack())))
        elif frame.type == Type.LAMPS:
            lamps = Lamps.unpack(frame.body)
            if self._link.take(frame, now):
                self.lamps = lamps
        else:
            self._link.take(frame, now)

    def _welcome(self, hello: Hello, now: float) -> None:
        self.hellos += 1
        make = self.make
        welcome = Welcome(hello.nonce, make.version, make.firmware, self.boot, make.capabilities, queue=make.queue)
        self._ready.append(encode(Frame(Type.WELCOME, 0, welcome.pack())))
        self._link.reset(keep=True)
        self._welcomed = hello.version == make.version
        self._levels_at = now + LEVELS_EVERY if self._welcomed else math.inf


@dataclass(frozen=True, slots=True)
class Faults:
    """What a line does to bytes, and how long it takes. Rates are per byte, times are seconds."""

    drop: float = 0.0
    corrupt: float = 0.0
    double: float = 0.0
    delay: float = 0.0
    jitter: float = 0.0
    """Mean of an exponential delay on top, drawn for each write."""
    byte_time: float = 0.0


class Line:
    """One direction of a line. Bytes keep their order."""

    def __init__(self, rng: random.Random, faults: Faults) -> None:
        self.faults = faults
        self.cut = False
        """Nothing goes through, and nobody is told."""
        self._rng = rng
        self._free = -math.inf
        self._way: deque[tuple[float, int]] = deque()

    def put(self, data: bytes, now: float) -> None:
        """Bytes are written at `now`."""
        faults, rng = self.faults, self._rng
        late = now + faults.delay + (rng.expovariate(1.0 / faults.jitter) if faults.jitter else 0.0)
        at = max(late, self._free)
        for byte in data:
            at += faults.byte_time
            if self.cut or rng.random() < faults.drop:
                continue
            garbled = byte ^ 1 << rng.randrange(8) if rng.random() < faults.corrupt else byte
            self._way.append((at, garbled))
            if rng.random() < faults.double:
                self._way.append((at, garbled))
        self._free = at

    def get(self, now: float) -> bytes:
        """The bytes that have come out by `now`."""
        out = bytearray()
        while self._way and self._way[0][0] <= now:
            out.append(self._way.popleft()[1])
        return bytes(out)

    def clear(self) -> None:
        """Whatever is on its way is lost."""
        self._way.clear()

    def next(self) -> float:
        """When the next byte comes out."""
        return self._way[0][0] if self._way else math.inf


@dataclass(slots=True)
class Talk:
    """A session and a box over two lines, in simulated time: as fast as Python is, and the same each time."""

    session: Session
    box: VirtualBox
    there: Line
    back: Line
    now: float

    def run(self, until: float, each: Callable[[float], None] = lambda now: None) -> None:
        """Goes on until a time; `each` is called after each step, in which something happened."""
        self._exchange()
        while True:
            due = min(self.there.next(), self.back.next(), self.box.deadline(), self.session.deadline(self.now))
            # Never standing still, whatever is overdue.
            due = max(due, self.now + 1e-6)
            if due > until:
                self.now = until
                return
            self.now = due
            self._exchange()
            each(self.now)

    def _exchange(self) -> None:
        self.box.feed(self.there.get(self.now), self.now)
        self.session.feed(self.back.get(self.now), self.now)
        out = self.session.poll(self.now)
        if out:
            self.there.put(out, self.now)
        out = self.box.poll(self.now)
        if out:
            self.back.put(out, self.now)
