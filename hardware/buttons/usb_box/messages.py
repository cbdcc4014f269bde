"""What frames say: version 1 of the button box's protocol. All numbers are little-endian, ticks are microseconds."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum
from typing import Self

from companion.events import Button
from hardware.buttons.lamp_effects import LampEffect
from hardware.messages import LazyMessage

PROTOCOL_VERSION = 1
TICK_HZ = 1_000_000
TICK_MODULUS = 1 << 32
"""A box's ticks begin again at 0 after this many: 71.6 minutes."""
BUTTONS = tuple(Button)
"""By number: seats 1 to 6, OK, NO, PLUS, MINUS."""


class FrameType(IntEnum):
    """Frame types; below 0x80 they are acknowledged and resent, ACK itself excepted."""

    ACK = 0x01
    EVENT = 0x10
    LOST = 0x11
    LAMPS = 0x20
    PING = 0x82
    PONG = 0x83
    HELLO = 0x90
    WELCOME = 0x91
    LEVELS = 0x92


RELIABLE_TYPES = frozenset({FrameType.EVENT, FrameType.LOST, FrameType.LAMPS})


class MalformedMessageError(ValueError):
    """A body of the wrong length or with a value that its type does not have."""


def _unpack(form: struct.Struct, body: bytes) -> tuple[int, ...]:
    try:
        return form.unpack(body)
    except struct.error as error:
        raise MalformedMessageError(str(error)) from error


_HELLO = struct.Struct("<BH")
_WELCOME = struct.Struct("<BHBBBIHBBI")
_EVENT = struct.Struct("<HBBIH")
_LOST = struct.Struct("<H")
_PING = struct.Struct("<I")
_PONG = struct.Struct("<III")
_LEVELS = struct.Struct("<HI")


@dataclass(frozen=True, slots=True)
class HelloMessage:
    """Host to box: begin anew. `nonce` tells the answers to two of them apart."""

    nonce: int
    version: int = PROTOCOL_VERSION

    def pack(self) -> bytes:
        """The body."""
        return _HELLO.pack(self.version, self.nonce)

    @classmethod
    def unpack(cls, body: bytes) -> Self:
        """From a body; Malformed if it is none."""
        version, nonce = _unpack(_HELLO, body)
        return cls(nonce, version)


@dataclass(frozen=True, slots=True)
class WelcomeMessage:
    """Box to host: what the box is. `boot` differs each time it starts; `queue` is the events that it can keep."""

    nonce: int
    version: int = PROTOCOL_VERSION
    firmware: tuple[int, int, int] = (0, 0, 0)
    boot_number: int = 0
    capabilities: int = 3
    button_count: int = len(BUTTONS)
    queue_size: int = 0
    tick_hz: int = TICK_HZ

    def pack(self) -> bytes:
        """The body."""
        return _WELCOME.pack(
            self.version,
            self.nonce,
            *self.firmware,
            self.boot_number,
            self.capabilities,
            self.button_count,
            self.queue_size,
            self.tick_hz,
        )

    @classmethod
    def unpack(cls, body: bytes) -> Self:
        """From a body; Malformed if it is none.

        Of another version only the version, the nonce and (if they are there) the firmware's numbers are read.
        """
        if len(body) >= _HELLO.size and body[0] != PROTOCOL_VERSION:
            version, nonce = _HELLO.unpack_from(body)
            known = body[3:6]
            return cls(nonce, version, (known[0], known[1], known[2]) if len(known) == 3 else (0, 0, 0))
        version, nonce, major, minor, patch, boot, capabilities, buttons, queue, tick_hz = _unpack(_WELCOME, body)
        return cls(nonce, version, (major, minor, patch), boot, capabilities, buttons, queue, tick_hz)

    @property
    def incompatibility(self) -> LazyMessage | None:
        """Why this companion cannot use that box, and what helps; None: it can."""
        firmware = "{}.{}.{}".format(*self.firmware)
        if self.version < PROTOCOL_VERSION:
            return LazyMessage(
                "The button box has the old firmware {firmware} (protocol {theirs}; this companion speaks {ours}):"
                " put new firmware onto it: make firmware, then firmware_notes/README.md.",
                firmware=firmware,
                theirs=self.version,
                ours=PROTOCOL_VERSION,
            )
        if self.version > PROTOCOL_VERSION:
            return LazyMessage(
                "The button box has the newer firmware {firmware} (protocol {theirs}; this companion speaks {ours}):"
                " update the companion.",
                firmware=firmware,
                theirs=self.version,
                ours=PROTOCOL_VERSION,
            )
        if self.button_count != len(BUTTONS) or self.tick_hz != TICK_HZ:
            return LazyMessage(
                "The button box has firmware {firmware} with {buttons} buttons and {ticks} ticks a second:"
                " put new firmware onto it: make firmware, then firmware_notes/README.md.",
                firmware=firmware,
                buttons=self.button_count,
                ticks=self.tick_hz,
            )
        return None


@dataclass(frozen=True, slots=True)
class EdgeMessage:
    """Box to host: a button went down or up at `tick`; `levels` is a bit for each button, after it."""

    id: int
    button: int
    is_down: bool
    tick: int
    levels: int

    def pack(self) -> bytes:
        """The body."""
        return _EVENT.pack(self.id, self.button, self.is_down, self.tick, self.levels)

    @classmethod
    def unpack(cls, body: bytes) -> Self:
        """From a body; Malformed if it is none."""
        number, button, level, tick, levels = _unpack(_EVENT, body)
        if button >= len(BUTTONS) or level > 1:
            raise MalformedMessageError(f"button {button}, level {level}")
        return cls(number, button, bool(level), tick, levels)


@dataclass(frozen=True, slots=True)
class LostMessage:
    """Box to host: so many events found its queue full."""

    count: int

    def pack(self) -> bytes:
        """The body."""
        return _LOST.pack(self.count)

    @classmethod
    def unpack(cls, body: bytes) -> Self:
        """From a body; Malformed if it is none."""
        return cls(*_unpack(_LOST, body))


@dataclass(frozen=True, slots=True)
class LampsMessage:
    """Host to box: what each lamp does from now on."""

    effects: tuple[LampEffect, ...] = (LampEffect.OFF,) * len(BUTTONS)

    def pack(self) -> bytes:
        """The body."""
        return bytes(self.effects)

    @classmethod
    def unpack(cls, body: bytes) -> Self:
        """From a body; Malformed if it is none."""
        try:
            effects = tuple(LampEffect(value) for value in body)
        except ValueError as error:
            raise MalformedMessageError(str(error)) from error
        if len(effects) != len(BUTTONS):
            raise MalformedMessageError(f"{len(effects)} lamps")
        return cls(effects)


@dataclass(frozen=True, slots=True)
class PingMessage:
    """Host to box: what does your clock say?"""

    token: int

    def pack(self) -> bytes:
        """The body."""
        return _PING.pack(self.token)

    @classmethod
    def unpack(cls, body: bytes) -> Self:
        """From a body; Malformed if it is none."""
        return cls(*_unpack(_PING, body))


@dataclass(frozen=True, slots=True)
class PongMessage:
    """Box to host: ticks when the ping's last byte came in and when this one's first went out."""

    token: int
    received_tick: int
    sent_tick: int

    def pack(self) -> bytes:
        """The body."""
        return _PONG.pack(self.token, self.received_tick, self.sent_tick)

    @classmethod
    def unpack(cls, body: bytes) -> Self:
        """From a body; Malformed if it is none."""
        return cls(*_unpack(_PONG, body))


@dataclass(frozen=True, slots=True)
class LevelsMessage:
    """Box to host, twice a second: which buttons are down."""

    levels: int
    tick: int

    def pack(self) -> bytes:
        """The body."""
        return _LEVELS.pack(self.levels, self.tick)

    @classmethod
    def unpack(cls, body: bytes) -> Self:
        """From a body; Malformed if it is none."""
        return cls(*_unpack(_LEVELS, body))
