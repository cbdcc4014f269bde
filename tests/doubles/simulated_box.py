"""A simulated button box: the other end of the protocol, and a line that loses, damages, repeats and delays bytes.

Both are pure: bytes and host times in, bytes out. `tests.doubles.pty_port` connects them to a real pty.
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
from hardware.buttons.usb_box.framing import FRAME_END, FrameDecoder, WireFrame, encode_frame
from hardware.buttons.usb_box.messages import (
    BUTTONS,
    PROTOCOL_VERSION,
    TICK_HZ,
    TICK_MODULUS,
    ColoursMessage,
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
from hardware.buttons.usb_box.reliable_link import ReliableLink
from hardware.buttons.usb_box.session import BoxSession

SAMPLE_TICKS = 50
"""Ticks between two samples of the inputs."""
LEVELS_SECONDS = 0.5
BYTE_SECONDS = 10.0 / 115200


@dataclass(frozen=True, slots=True)
class BoxSpec:
    """Properties of a simulated box."""

    version: int = PROTOCOL_VERSION
    firmware: tuple[int, int, int] = (1, 0, 0)
    boot_number: int = 1
    capabilities: int = 3
    queue_size: int = 64
    rate: float = 1.0
    """Box seconds in a host second: 1.0001 runs 100 ppm fast."""
    slew: float = 0.0
    """Share by which the host's clock is slewed, now one way and now the other: 0.0005 is the kernel's most for NTP."""
    slew_seconds: float = 20.0
    """Time from one change of the slew to the next."""
    first_tick: int = 0
    """Tick of its counter when it is switched on."""


class SimulatedBox:
    """Behaves like the firmware on the wire. `started`: host time in seconds at which it was switched on."""

    def __init__(self, spec: BoxSpec, started: float) -> None:
        self.spec = spec
        self.boot_number = spec.boot_number
        self.lamps = LampsMessage()
        self.colours = ColoursMessage()
        self.hello_count = 0
        self.lamps_count = self.colours_count = 0
        self._restart(started)

    def _restart(self, now: float) -> None:
        self._started = now
        self._decoder, self._link = FrameDecoder(), ReliableLink()
        self._future_edges: list[tuple[float, int, int, bool]] = []
        self._count = itertools.count()
        self._levels = self._next_event = self._lost = 0
        self._welcomed = False
        self._levels_at = math.inf
        self._ready: deque[bytes] = deque((FRAME_END,))
        self.lamps = LampsMessage()

    def reboot(self, now: float) -> None:
        """Restart after a power failure or a watchdog reset: all state is lost."""
        self.boot_number += 1
        self._restart(now)

    def tick(self, at: float) -> int:
        """Return the tick at a host time, without wrap-around."""
        return self.spec.first_tick + math.floor(self.to_box_seconds(at) * TICK_HZ)

    def to_host_time(self, tick: int) -> float:
        """Return the host time of an unwrapped tick."""
        seconds = (tick - self.spec.first_tick) / TICK_HZ
        at = self._started + seconds / self.spec.rate
        for _ in range(6 if self.spec.slew else 0):  # each step divides the error by 1 / slew
            at += (seconds - self.to_box_seconds(at)) / self.spec.rate
        return at

    def to_box_seconds(self, at: float) -> float:
        """Return the seconds that the box has counted at a host time since it was switched on."""
        seconds, half = at - self._started, self.spec.slew_seconds
        return (seconds + self.spec.slew * (half - abs(seconds % (2 * half) - half))) * self.spec.rate

    def add_edge(self, button: Button, down: bool, at: float) -> None:
        """Plan an edge: a button goes down or up at a future host time."""
        heapq.heappush(self._future_edges, (at, next(self._count), BUTTONS.index(button), down))

    @property
    def is_idle(self) -> bool:
        """Whether all planned edges have arrived at the host."""
        return not self._future_edges and not self._link.pending_count and not self._lost

    def feed(self, data: bytes, now: float) -> None:
        """Handle received bytes."""
        for frame in self._decoder.feed(data):
            try:
                self._handle_frame(frame, now)
            except MalformedMessageError:
                continue

    def poll(self, now: float) -> bytes:
        """Return the bytes to send now."""
        self._sample(now)
        out = b"".join(self._ready)
        self._ready.clear()
        if self._welcomed:
            if now >= self._levels_at:
                self._levels_at = now + LEVELS_SECONDS
                out += encode_frame(
                    WireFrame(FrameType.LEVELS, 0, LevelsMessage(self._levels, self.tick(now) % TICK_MODULUS).pack())
                )
            out += b"".join(map(encode_frame, self._link.poll(now)))
        return out

    def deadline(self) -> float:
        """Return the host time at which `poll` has something to do."""
        next_edge = self._find_sample(self._future_edges[0][0])[1] if self._future_edges else math.inf
        resend = self._link.deadline if self._welcomed else None
        return min(next_edge, self._levels_at, math.inf if resend is None else resend)

    def _find_sample(self, at: float) -> tuple[int, float]:
        """Return the tick and the host time of the first sample that finds an edge at `at`."""
        tick = SAMPLE_TICKS * math.ceil(self.to_box_seconds(at) * TICK_HZ / SAMPLE_TICKS)
        tick += self.spec.first_tick
        return tick, self.to_host_time(tick)

    def _sample(self, now: float) -> None:
        # All edges in one sample have the same tick, in the order of the buttons.
        looks: list[tuple[int, int, bool]] = []
        while self._future_edges:
            tick, when = self._find_sample(self._future_edges[0][0])
            if when > now:
                break
            _, _, button, down = heapq.heappop(self._future_edges)
            looks.append((tick, button, down))
        for tick, button, down in sorted(looks, key=lambda look: look[:2]):
            self._send_edge(button, down, tick)

    def _send_edge(self, button: int, down: bool, tick: int) -> None:
        self._levels = self._levels & ~(1 << button) | down << button
        if self._link.pending_count >= self.spec.queue_size:
            self._lost += 1
            return
        if self._lost:
            self._link.send(FrameType.LOST, LostMessage(self._lost).pack())
            self._lost = 0
        event = EdgeMessage(self._next_event % (1 << 16), button, down, tick % TICK_MODULUS, self._levels)
        self._next_event += 1
        self._link.send(FrameType.EVENT, event.pack())

    def _handle_frame(self, frame: WireFrame, now: float) -> None:
        if frame.type == FrameType.HELLO:
            self._welcome(HelloMessage.unpack(frame.body), now)
        elif frame.type == FrameType.PING:
            tick = self.tick(now) % TICK_MODULUS
            self._ready.append(
                encode_frame(
                    WireFrame(FrameType.PONG, 0, PongMessage(PingMessage.unpack(frame.body).token, tick, tick).pack())
                )
            )
        elif frame.type == FrameType.LAMPS:
            lamps = LampsMessage.unpack(frame.body)
            if self._link.receive(frame, now):
                self.lamps = lamps
                self.lamps_count += 1
        elif frame.type == FrameType.COLOURS:
            colours = ColoursMessage.unpack(frame.body)
            if self._link.receive(frame, now):
                self.colours = colours
                self.colours_count += 1
        else:
            self._link.receive(frame, now)

    def _welcome(self, hello: HelloMessage, now: float) -> None:
        self.hello_count += 1
        make = self.spec
        welcome = WelcomeMessage(
            make.version, hello.nonce, make.firmware, self.boot_number, make.capabilities, queue_size=make.queue_size
        )
        self._ready.append(encode_frame(WireFrame(FrameType.WELCOME, 0, welcome.pack())))
        self._link.reset(keep_unacknowledged=True)
        self._welcomed = hello.version == make.version
        self._levels_at = now + LEVELS_SECONDS if self._welcomed else math.inf


@dataclass(frozen=True, slots=True)
class LineFaults:
    """Faults and delays of a line. Rates are per byte, times in seconds."""

    drop: float = 0.0
    corrupt: float = 0.0
    double: float = 0.0
    delay: float = 0.0
    jitter: float = 0.0
    """Mean of an additional exponential delay, drawn for each write."""
    byte_seconds: float = 0.0
    latency_timer: float = 0.0
    """Time between two packets of a USB serial chip, which collects bytes meanwhile: 16 ms for FTDI's by default."""


class SimulatedLine:
    """One direction of a line. Bytes stay in order."""

    def __init__(self, rng: random.Random, faults: LineFaults) -> None:
        self.faults = faults
        self.is_cut = False
        """All bytes are lost, without an error."""
        self.fault_count = 0
        """Number of bytes that were lost, damaged or repeated."""
        self._rng = rng
        self._free_at = -math.inf
        self._in_flight: deque[tuple[float, int]] = deque()

    def write(self, data: bytes, now: float) -> None:
        """Write bytes at `now`."""
        faults, rng = self.faults, self._rng
        late = now + faults.delay + (rng.expovariate(1.0 / faults.jitter) if faults.jitter else 0.0)
        at = max(late, self._free_at)
        for byte in data:
            at += faults.byte_seconds
            if self.is_cut or rng.random() < faults.drop:
                self.fault_count += 1
                continue
            timer = faults.latency_timer
            arrives_at = math.ceil(at / timer) * timer if timer else at
            garbled = byte ^ 1 << rng.randrange(8) if rng.random() < faults.corrupt else byte
            self._in_flight.append((arrives_at, garbled))
            is_repeated = rng.random() < faults.double
            if is_repeated:
                self._in_flight.append((arrives_at, garbled))
            self.fault_count += is_repeated or garbled != byte
        self._free_at = at

    def read(self, now: float) -> bytes:
        """Return the bytes that have arrived by `now`."""
        out = bytearray()
        while self._in_flight and self._in_flight[0][0] <= now:
            out.append(self._in_flight.popleft()[1])
        return bytes(out)

    def clear(self) -> None:
        """Drop all bytes in flight."""
        self._in_flight.clear()

    def next_arrival(self) -> float:
        """Return the time at which the next byte arrives."""
        return self._in_flight[0][0] if self._in_flight else math.inf


@dataclass(slots=True)
class BoxConversation:
    """A session and a box connected by two lines, in simulated time: fast and deterministic."""

    session: BoxSession
    box: SimulatedBox
    to_box: SimulatedLine
    from_box: SimulatedLine
    now: float

    def run(self, until: float, after_step: Callable[[float], None] = lambda now: None) -> None:
        """Run until a time; `after_step` is called with the time after each step."""
        self._exchange()
        while True:
            due = min(
                self.to_box.next_arrival(),
                self.from_box.next_arrival(),
                self.box.deadline(),
                self.session.deadline(self.now),
            )
            # Always advance, even if something is overdue.
            due = max(due, self.now + 1e-6)
            if due > until:
                self.now = until
                return
            self.now = due
            self._exchange()
            after_step(self.now)

    def _exchange(self) -> None:
        self.box.feed(self.to_box.read(self.now), self.now)
        self.session.feed(self.from_box.read(self.now), self.now)
        out = self.session.poll(self.now)
        if out:
            self.to_box.write(out, self.now)
        out = self.box.poll(self.now)
        if out:
            self.from_box.write(out, self.now)
