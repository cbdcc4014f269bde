"""A tiny host, written from protocol.md alone and independent of the real driver, to test the firmware."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.firmware.simulator import Frame, Stepped

ACK, EVENT, LOST, LAMPS, COLOURS = 0x01, 0x10, 0x11, 0x20, 0x21
PING, PONG, HELLO, WELCOME, LEVELS = 0x82, 0x83, 0x90, 0x91, 0x92


def crc16(data: bytes) -> int:
    """CRC-16/CCITT-FALSE, bit by bit as the definition says.

    >>> hex(crc16(b"123456789"))
    '0x29b1'
    """
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc


def cobs(data: bytes) -> bytes:
    """Consistent overhead byte stuffing of less than 255 bytes.

    >>> cobs(bytes([0x11, 0, 0, 0x22])).hex(" ")
    '02 11 01 02 22'
    """
    return b"".join(bytes([len(part) + 1]) + part for part in data.split(b"\0"))


def uncobs(data: bytes) -> bytes:
    """Decode COBS. Raises ValueError for invalid data."""
    parts = []
    while data:
        length = data[0]
        if length == 0 or length > len(data) or 0 in data[1:length]:
            raise ValueError("not COBS")
        parts.append(data[1:length])
        data = data[length:]
    return b"\0".join(parts)


def encode(kind: int, seq: int, body: bytes = b"") -> bytes:
    """Encode a frame for the wire, including its 0x00."""
    payload = bytes([kind, seq]) + body
    return cobs(payload + struct.pack("<H", crc16(payload))) + b"\0"


def decode(encoded: bytes) -> tuple[int, int, bytes]:
    """Return type, seq and body of a frame, with or without its 0x00. Raises ValueError for a damaged frame."""
    payload = uncobs(encoded.rstrip(b"\0"))
    if len(payload) < 4 or struct.unpack("<H", payload[-2:])[0] != crc16(payload[:-2]):
        raise ValueError("damaged")
    return payload[0], payload[1], payload[2:-2]


@dataclass(frozen=True, slots=True)
class Event:
    id: int
    button: int
    level: int
    tick: int
    levels: int


@dataclass(frozen=True, slots=True)
class Welcome:
    version: int
    nonce: int
    firmware: tuple[int, int, int]
    boot: int
    capabilities: int
    buttons: int
    queue: int
    tick_hz: int


@dataclass(frozen=True, slots=True)
class Pong:
    token: int
    heard: int
    left: int
    at: float  # simulated time of its first bit


@dataclass(slots=True)
class Host:
    """A host for a stepped box. `mangle` simulates the line in both directions: bytes in, bytes out."""

    box: Stepped
    mangle: Callable[[bytes], bytes] = lambda data: data
    acknowledges: bool = True
    step: float = 5000.0

    welcomes: list[Welcome] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    lost: list[tuple[int, int]] = field(default_factory=list)  # (number of events before, number lost)
    levels: list[tuple[int, int]] = field(default_factory=list)
    pongs: list[Pong] = field(default_factory=list)
    damaged: int = 0
    received: int = 0

    nonce: int = 0
    _expected: int = 0
    _seq: int = 0
    _waiting: list[bytes] = field(default_factory=list)  # unacknowledged frames of the host, oldest first
    _sent_at: float = 0.0

    def send(self, kind: int, seq: int, body: bytes) -> None:
        self.box.send(self.mangle(encode(kind, seq, body)))

    def hello(self, version: int = 1) -> None:
        self.nonce = (self.nonce + 1) & 0xFFFF
        self._expected = self._seq = 0
        self._waiting.clear()
        self.box.send(self.mangle(b"\0"))
        self.send(HELLO, 0, struct.pack("<BH", version, self.nonce))

    def connect(self) -> Welcome:
        """Send HELLO until it is answered."""
        for _ in range(40):
            self.hello()
            for _ in range(int(250_000 / self.step)):
                self.run(self.step)
                if self.welcomes and self.welcomes[-1].nonce == self.nonce:
                    return self.welcomes[-1]
        raise AssertionError("no WELCOME in ten seconds")

    def light(self, effects: bytes) -> None:
        """Set the effects of the ten lamps with a reliable frame."""
        self._send_reliably(LAMPS, effects)

    def colour(self, colours: bytes) -> None:
        """Set red, green and blue of the ten lamps with a reliable frame."""
        self._send_reliably(COLOURS, colours)

    def _send_reliably(self, kind: int, body: bytes) -> None:
        self._waiting.append(encode(kind, self._seq, body))
        self._seq = (self._seq + 1) & 0xFF
        self.box.send(self.mangle(self._waiting[-1]))
        self._sent_at = self.box.now

    def run(self, microseconds: float) -> None:
        """Run for simulated microseconds and answer received frames."""
        end = self.box.now + microseconds
        while self.box.now < end - 0.5:
            heard = self.box.run(min(self.step, end - self.box.now))
            for frame in heard.frames:
                self._hear(frame)
            if self._waiting and self.box.now - self._sent_at > 60_000:
                self._sent_at = self.box.now
                for encoded in self._waiting:
                    self.box.send(self.mangle(encoded))

    def _hear(self, frame: Frame) -> None:
        # A lost 0x00 joins two frames to one, which the CRC detects.
        for encoded in self.mangle(frame.encoded).split(b"\0"):
            if not encoded:
                continue
            try:
                kind, seq, body = decode(encoded)
            except ValueError:
                self.damaged += 1
                continue
            self.received += 1
            self._take(kind, seq, body, frame.at)

    def _take(self, kind: int, seq: int, body: bytes, at: float) -> None:
        if kind == WELCOME:
            version, nonce, major, minor, patch, boot, caps, buttons, queue, hz = struct.unpack("<BHBBBIHBBI", body)
            self.welcomes.append(Welcome(version, nonce, (major, minor, patch), boot, caps, buttons, queue, hz))
        elif kind == PONG:
            self.pongs.append(Pong(*struct.unpack("<III", body), at))
        elif kind == LEVELS:
            self.levels.append(struct.unpack("<HI", body))
        elif kind == ACK:
            number = (body[0] - (self._seq - len(self._waiting))) & 0xFF
            if number <= len(self._waiting):
                del self._waiting[:number]
        elif kind in (EVENT, LOST) and self.acknowledges:
            if not self.welcomes or self.welcomes[-1].nonce != self.nonce:
                return
            if seq == self._expected:
                self._expected = (seq + 1) & 0xFF
                if kind == EVENT:
                    event = Event(*struct.unpack("<HBBIH", body))
                    if not any(event.id == known.id for known in self.events[-300:]):
                        self.events.append(event)
                else:
                    self.lost.append((len(self.events), struct.unpack("<H", body)[0]))
            self.send(ACK, 0, bytes([self._expected]))
