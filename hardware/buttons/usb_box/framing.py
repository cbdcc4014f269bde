"""Frames on the wire: COBS, CRC-16, a zero byte at the end. Pure functions of bytes; no device, no clock.

COBS is Cheshire and Baker's (IEEE/ACM Transactions on Networking, 1999): no byte but the last of a frame is zero, so
that a receiver which lost its place is in step again after the next zero.
"""

from __future__ import annotations

from binascii import crc_hqx
from dataclasses import dataclass

MAX_BODY_BYTES = 48
MIN_PAYLOAD_BYTES, MAX_PAYLOAD_BYTES = 4, 4 + MAX_BODY_BYTES
"""Bytes of type, seq, body and CRC."""
MAX_ENCODED_BYTES = MAX_PAYLOAD_BYTES + 1
"""Bytes between two zeros on the wire: COBS adds one to anything shorter than 254."""
FRAME_END = b"\0"


@dataclass(frozen=True, slots=True)
class WireFrame:
    """What a frame carries. `seq` is 0 in frames that are not acknowledged."""

    type: int
    seq: int = 0
    body: bytes = b""


def compute_crc16(data: bytes) -> int:
    """CRC-16/CCITT-FALSE.

    >>> hex(compute_crc16(b"123456789"))
    '0x29b1'
    """
    return crc_hqx(data, 0xFFFF)


def encode_cobs(data: bytes) -> bytes:
    """The same without a zero. For fewer than 254 bytes, which is all that is needed here.

    >>> encode_cobs(bytes((1, 0, 2))).hex(" ")
    '02 01 02 02'
    """
    if len(data) > 253:
        raise ValueError(f"{len(data)} bytes are too many for one frame")
    return b"".join(bytes((len(run) + 1,)) + run for run in data.split(FRAME_END))


def decode_cobs(encoded: bytes) -> bytes:
    """What `cobs` was given.

    Raises:
        ValueError: that was none of its results.
    """
    data, at = bytearray(), 0
    while at < len(encoded):
        code = encoded[at]
        run = encoded[at + 1 : at + code]
        if code == 0 or 0 in run or at + code > len(encoded):
            raise ValueError("not COBS")
        data += run
        at += code
        # A code of 255 ends a run that no zero follows; no frame is as long as that.
        if at < len(encoded):
            data.append(0)
    return bytes(data)


def encode_frame(frame: WireFrame) -> bytes:
    """A frame as it goes onto the wire, its ending zero included.

    >>> encode_frame(WireFrame(0x01, 0, b"\\x05")).hex(" ")
    '02 01 04 05 09 ab 00'
    """
    if len(frame.body) > MAX_BODY_BYTES:
        raise ValueError(f"a body of {len(frame.body)} bytes; {MAX_BODY_BYTES} is the most")
    payload = bytes((frame.type, frame.seq)) + frame.body
    return encode_cobs(payload + compute_crc16(payload).to_bytes(2, "little")) + FRAME_END


@dataclass(slots=True)
class DroppedFrames:
    """How many frames a receiver could not use, and why. A cut frame and noise count like any other."""

    bad_crc: int = 0
    bad_length: int = 0
    bad_coding: int = 0
    unknown_type: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return self.bad_crc + self.bad_length + self.bad_coding + self.unknown_type


class FrameDecoder:
    """Bytes in, in pieces of any size; whole and sound frames out."""

    def __init__(self) -> None:
        self.dropped = DroppedFrames()
        self._partial = bytearray()
        self._is_too_long = False

    def feed(self, data: bytes) -> list[WireFrame]:
        """The frames that these bytes complete."""
        frames: list[WireFrame] = []
        *ended, rest = data.split(FRAME_END)
        for piece in ended:
            self._add(piece)
            frame = self._finish()
            if frame is not None:
                frames.append(frame)
        self._add(rest)
        return frames

    def reset(self) -> None:
        """Forgets a frame that has begun: another port, another line."""
        self._partial.clear()
        self._is_too_long = False

    def _add(self, piece: bytes) -> None:
        self._partial += piece
        if len(self._partial) > MAX_ENCODED_BYTES:
            # Noise without a zero must not fill the memory.
            self._is_too_long = True
            self._partial.clear()

    def _finish(self) -> WireFrame | None:
        coded, overlong = bytes(self._partial), self._is_too_long
        self.reset()
        if overlong:
            self.dropped.bad_length += 1
            return None
        if not coded:
            return None  # two zeros in a row: a sender's first
        try:
            data = decode_cobs(coded)
        except ValueError:
            self.dropped.bad_coding += 1
            return None
        if not MIN_PAYLOAD_BYTES <= len(data) <= MAX_PAYLOAD_BYTES:
            self.dropped.bad_length += 1
            return None
        if compute_crc16(data[:-2]) != int.from_bytes(data[-2:], "little"):
            self.dropped.bad_crc += 1
            return None
        return WireFrame(data[0], data[1], data[2:-2])
