"""Bodies of the frames in version 1 of the button box's protocol (firmware_notes/protocol.md).

All numbers are little-endian. Ticks are microseconds of the box's clock.
"""

import struct
from dataclasses import astuple, dataclass
from enum import IntEnum
from typing import ClassVar, Self

from companion.events import Button
from companion.lazy_message import LazyMessage
from hardware.buttons.lamp_effects import LampColour, LampEffect

PROTOCOL_VERSION = 1
"""Version of the protocol that this program speaks; a box with another version is not used."""

TICK_HZ = 1_000_000
"""Ticks per second of the box's clock."""

TICK_MODULUS = 1 << 32
"""The box's tick counter restarts at 0 after this many ticks: 71.6 minutes."""

BUTTONS = tuple(Button)
"""The buttons by their number in the protocol: seats 1 to 6, OK, NO, PLUS, MINUS."""


class FrameType(IntEnum):
    """Frame types. Those below 0x80, except ACK, are acknowledged and sent again if lost.

    >>> FrameType(0x10), FrameType.EVENT in RELIABLE_TYPES
    (<FrameType.EVENT: 16>, True)
    """

    ACK = 0x01
    EVENT = 0x10
    LOST = 0x11
    LAMPS = 0x20
    COLOURS = 0x21
    PING = 0x82
    PONG = 0x83
    HELLO = 0x90
    WELCOME = 0x91
    LEVELS = 0x92


FRAME_TYPES = frozenset(FrameType)
"""All frame types; a frame of another type is dropped."""

RELIABLE_TYPES = frozenset({FrameType.EVENT, FrameType.LOST, FrameType.LAMPS, FrameType.COLOURS})
"""Frame types that are acknowledged and sent again if lost."""


class MalformedMessageError(ValueError):
    """A received body has the wrong length, or a value that its message does not allow.

    >>> LostMessage.unpack(b"")
    Traceback (most recent call last):
    ...
    hardware.buttons.usb_box.messages.MalformedMessageError: unpack requires a buffer of 2 bytes
    """


@dataclass(frozen=True, slots=True)
class _Message:
    """Base of messages whose fields are numbers, in the order of the wire format."""

    FORMAT: ClassVar[struct.Struct]

    def pack(self) -> bytes:
        """Return the message as the body of a frame.

        Raises:
            struct.error: a field does not fit its place in the wire format.
        """
        return self.FORMAT.pack(*astuple(self))

    @classmethod
    def unpack(cls, body: bytes) -> Self:
        """Return the message in the body of a frame.

        Raises:
            MalformedMessageError: the body has the wrong length, or a value that its type does not allow.
        """
        return cls(*cls._unpack_numbers(body))

    @classmethod
    def _unpack_numbers(cls, body: bytes) -> tuple[int, ...]:
        try:
            return cls.FORMAT.unpack(body)
        except struct.error as error:
            raise MalformedMessageError(str(error)) from error


@dataclass(frozen=True, slots=True)
class HelloMessage(_Message):
    """Host to box: start a new conversation.

    >>> HelloMessage(PROTOCOL_VERSION, nonce=0x2A17).pack().hex(" ")
    '01 17 2a'

    Attributes:
        version: `PROTOCOL_VERSION` of this program; 0 to 255.
        nonce: number, 0 to 65535, that the answer repeats, so that answers to several of these are distinguished.
    """

    FORMAT = struct.Struct("<BH")
    version: int
    nonce: int


@dataclass(frozen=True, slots=True)
class WelcomeMessage(_Message):
    """Box to host: describes the box.

    >>> welcome = WelcomeMessage(PROTOCOL_VERSION, nonce=0x2A17, firmware=(1, 2, 0), capabilities=7)
    >>> welcome.has_colours, welcome.incompatibility
    (True, None)

    Attributes:
        version: the protocol's version, 0 to 255.
        nonce: that of the greeting which it answers, 0 to 65535.
        firmware: version of the firmware: major, minor, patch, 0 to 255 each.
        boot_number: differs each time the box starts, 0 to 65535.
        capabilities: bit 0: it has lamps; bit 1: they can be dimmed; bit 2: they have colours; bits 8 to 15: how late
            a stamp may be plus how early, in tenths of a millisecond, 0 for less than one.
        button_count: number of buttons, 0 to 255.
        queue_size: number of events that the box can store, 0 to 255.
        tick_hz: ticks per second of its clock, 0 to 2**32 - 1.
    """

    FORMAT = struct.Struct("<BHBBBIHBBI")
    version: int
    nonce: int
    firmware: tuple[int, int, int] = (0, 0, 0)
    boot_number: int = 0
    capabilities: int = 3
    button_count: int = len(BUTTONS)
    queue_size: int = 0
    tick_hz: int = TICK_HZ

    def pack(self) -> bytes:
        """Return the message as the body of a frame.

        Raises:
            struct.error: a field does not fit its place in the wire format.
        """
        version, nonce, firmware, *rest = astuple(self)
        return self.FORMAT.pack(version, nonce, *firmware, *rest)

    @classmethod
    def unpack(cls, body: bytes) -> Self:
        """Return the message in the body of a frame.

        From another protocol version only the version, the nonce and, if present, the firmware version are read; the
        other attributes have their defaults, and `incompatibility` says that the box cannot be used.

        Args:
            body: the body of a WELCOME frame.

        Raises:
            MalformedMessageError: the body has the wrong length.
        """
        if len(body) >= HelloMessage.FORMAT.size and body[0] != PROTOCOL_VERSION:
            hello = HelloMessage.unpack(body[: HelloMessage.FORMAT.size])
            known = body[3:6]
            return cls(hello.version, hello.nonce, (known[0], known[1], known[2]) if len(known) == 3 else (0, 0, 0))
        version, nonce, major, minor, patch, *rest = cls._unpack_numbers(body)
        return cls(version, nonce, (major, minor, patch), *rest)

    @property
    def has_lamps(self) -> bool:
        """Whether the box has lamps."""
        return bool(self.capabilities & 1)

    @property
    def can_dim(self) -> bool:
        """Whether its lamps can be dimmed."""
        return bool(self.capabilities & 2)

    @property
    def has_colours(self) -> bool:
        """Whether its lamps have colours."""
        return bool(self.capabilities & 4)

    @property
    def resolution_seconds(self) -> float:
        """How late a stamp of the box may be plus how early, in seconds; presses closer together have no order.

        >>> WelcomeMessage(version=1, nonce=0, capabilities=0x1407).resolution_seconds
        0.002
        """
        return (self.capabilities >> 8) / 10_000

    @property
    def incompatibility(self) -> LazyMessage | None:
        """Why this program cannot use that box, and the remedy; None if it can.

        It can if the protocol's version, the number of buttons and the ticks per second are those of this program.
        """
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
class EdgeMessage(_Message):
    """Box to host: a button went down or up.

    >>> edge = EdgeMessage.unpack(bytes.fromhex("00 00 02 01 ec 0a 03 00 04 00"))
    >>> BUTTONS[edge.button], edge.is_down, edge.tick
    (<Button.SEAT3: 'seat3'>, True, 199404)

    Attributes:
        id: counts the box's events, 0 to 65535, then again from 0.
        button: index in `BUTTONS`, from 0.
        is_down: whether it went down.
        tick: when it happened, in microseconds of the box's clock modulo 2**32.
        levels: bit n is set if button n is down after this event.
    """

    FORMAT = struct.Struct("<HBBIH")
    id: int
    button: int
    is_down: bool
    tick: int
    levels: int

    @classmethod
    def unpack(cls, body: bytes) -> Self:
        """Return the message in the body of a frame.

        Raises:
            MalformedMessageError: the body has the wrong length, there is no such button, or its level is neither 0 nor
                1.
        """
        number, button, level, tick, levels = cls._unpack_numbers(body)
        if button >= len(BUTTONS) or level > 1:
            raise MalformedMessageError(f"button {button}, level {level}")
        return cls(number, button, bool(level), tick, levels)


@dataclass(frozen=True, slots=True)
class LostMessage(_Message):
    """Box to host: `count` events (0 to 65535) were dropped because its queue was full.

    >>> LostMessage.unpack(LostMessage(3).pack()).count
    3
    """

    FORMAT = struct.Struct("<H")
    count: int


@dataclass(frozen=True, slots=True)
class LampsMessage(_Message):
    """Host to box: the effect of each lamp from now on.

    >>> LampsMessage((LampEffect.ON,) + (LampEffect.OFF,) * 9).pack().hex(" ")
    '01 00 00 00 00 00 00 00 00 00'

    Attributes:
        effects: ten effects, in the order of `BUTTONS`.
    """

    effects: tuple[LampEffect, ...] = (LampEffect.OFF,) * len(BUTTONS)

    def pack(self) -> bytes:
        """Return the message as the body of a frame: one byte for each lamp; raises nothing."""
        return bytes(self.effects)

    @classmethod
    def unpack(cls, body: bytes) -> Self:
        """Return the message in the body of a frame.

        Raises:
            MalformedMessageError: the body is not ten bytes long, or one is no `LampEffect`.
        """
        try:
            effects = tuple(LampEffect(value) for value in body)
        except ValueError as error:
            raise MalformedMessageError(str(error)) from error
        if len(effects) != len(BUTTONS):
            raise MalformedMessageError(f"{len(effects)} lamps")
        return cls(effects)


@dataclass(frozen=True, slots=True)
class ColoursMessage(_Message):
    """Host to box: the colour of each lamp from now on; effects dim it.

    >>> ColoursMessage(((255, 0, 9),) * 10).pack()[:4].hex(" ")
    'ff 00 09 ff'

    Attributes:
        colours: ten colours, in the order of `BUTTONS`.
    """

    colours: tuple[LampColour, ...] = ((255, 255, 255),) * len(BUTTONS)

    def pack(self) -> bytes:
        """Return the message as the body of a frame: red, green and blue of each lamp, a byte each.

        Raises:
            ValueError: a value is not 0 to 255.
        """
        return bytes(value for colour in self.colours for value in colour)

    @classmethod
    def unpack(cls, body: bytes) -> Self:
        """Return the message in the body of a frame.

        Raises:
            MalformedMessageError: the body is not thirty bytes long.
        """
        if len(body) != 3 * len(BUTTONS):
            raise MalformedMessageError(f"{len(body)} bytes of colours")
        return cls(tuple((body[at], body[at + 1], body[at + 2]) for at in range(0, len(body), 3)))


@dataclass(frozen=True, slots=True)
class PingMessage(_Message):
    """Host to box: asks for the box's clock. `token` (0 to 2**32 - 1) is repeated in the answer.

    >>> PingMessage.unpack(PingMessage(7).pack())
    PingMessage(token=7)
    """

    FORMAT = struct.Struct("<I")
    token: int


@dataclass(frozen=True, slots=True)
class PongMessage(_Message):
    """Box to host: the answer to a ping.

    >>> pong = PongMessage(token=7, received_tick=400_313, sent_tick=400_689)
    >>> pong.sent_tick - pong.received_tick
    376

    Attributes:
        token: that of the ping.
        received_tick: when the ping's last byte arrived, in microseconds of the box's clock modulo 2**32.
        sent_tick: when this message's first byte left, on the same clock.
    """

    FORMAT = struct.Struct("<III")
    token: int
    received_tick: int
    sent_tick: int


@dataclass(frozen=True, slots=True)
class LevelsMessage(_Message):
    """Box to host, twice a second: which buttons are down.

    >>> levels = LevelsMessage.unpack(bytes.fromhex("40 00 30 29 09 00")).levels
    >>> [button.name for number, button in enumerate(BUTTONS) if levels >> number & 1]
    ['OK']

    Attributes:
        levels: bit n is set if button n, an index of `BUTTONS`, is down.
        tick: when that was so, in microseconds of the box's clock modulo 2**32.
    """

    FORMAT = struct.Struct("<HI")
    levels: int
    tick: int
