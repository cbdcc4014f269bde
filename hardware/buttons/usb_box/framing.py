"""Frames on the wire: COBS encoding, CRC-16 and a zero byte at the end. Pure functions of bytes.

COBS (Cheshire and Baker, "Consistent Overhead Byte Stuffing", IEEE/ACM Transactions on Networking, 1999) leaves no zero
byte in a frame, so that a receiver that lost bytes is in step again after the next zero.
"""

from binascii import crc_hqx
from dataclasses import dataclass

MAX_BODY_BYTES = 48
"""Largest body of a frame; the box has room for no more."""

MIN_PAYLOAD_BYTES = 4
"""Bytes of type, sequence number and CRC: the payload of a frame with an empty body."""

MAX_ENCODED_BYTES = MIN_PAYLOAD_BYTES + MAX_BODY_BYTES + 1
"""Largest number of bytes between two zeros on the wire: COBS adds one byte to payloads shorter than 254."""

FRAME_END = b"\0"
"""Ends each frame."""


@dataclass(frozen=True, slots=True)
class WireFrame:
    """A decoded frame.

    >>> WireFrame(0x82, body=bytes(4)).seq
    0

    Attributes:
        type: a `FrameType`, or another number from 0 to 255 that this program does not know.
        seq: sequence number, 0 to 255; 0 in frames that are not acknowledged.
        body: the message, at most `MAX_BODY_BYTES` bytes; see `messages`.
    """

    type: int
    seq: int = 0
    body: bytes = b""


def compute_crc16(data: bytes) -> int:
    """Return the checksum CRC-16/CCITT-FALSE of `data`, 0 to 65535.

    >>> hex(compute_crc16(b"123456789"))
    '0x29b1'
    """
    return crc_hqx(data, 0xFFFF)


def encode_cobs(data: bytes) -> bytes:
    """Return `data` encoded by COBS without zero bytes, one byte longer.

    Args:
        data: any bytes, at most 253.

    Raises:
        ValueError: more than 253 bytes, which no frame has.

    >>> encode_cobs(bytes((1, 0, 2))).hex(" ")
    '02 01 02 02'
    """
    if len(data) > 253:
        raise ValueError(f"{len(data)} bytes are too many for one frame")
    return b"".join(bytes((len(run) + 1,)) + run for run in data.split(FRAME_END))


def decode_cobs(encoded: bytes) -> bytes:
    """Return the data that `encode_cobs` encoded.

    >>> decode_cobs(bytes.fromhex("02 01 02 02")).hex(" ")
    '01 00 02'

    Args:
        encoded: at most 254 bytes, without the zero that ends a frame; empty bytes give empty data.

    Raises:
        ValueError: `encoded` is not a result of COBS: it has a zero byte, or ends too early.
    """
    data, at = bytearray(), 0
    while at < len(encoded):
        code = encoded[at]
        run = encoded[at + 1 : at + code]
        if code == 0 or 0 in run or at + code > len(encoded):
            raise ValueError("not COBS")
        data += run
        at += code
        # A code of 255 would end a run without a zero after it; no frame is that long.
        if at < len(encoded):
            data.append(0)
    return bytes(data)


def encode_frame(frame: WireFrame) -> bytes:
    """Return a frame as it is sent: COBS of type, sequence number, body and CRC, then a zero byte.

    The CRC has its low byte first. The result is 6 bytes longer than the body.

    Raises:
        ValueError: the body is longer than `MAX_BODY_BYTES`, or the type or the sequence number is not 0 to 255.

    >>> encode_frame(WireFrame(0x01, 0, b"\\x05")).hex(" ")
    '02 01 04 05 09 ab 00'
    """
    if len(frame.body) > MAX_BODY_BYTES:
        raise ValueError(f"a body of {len(frame.body)} bytes; {MAX_BODY_BYTES} is the most")
    payload = bytes((frame.type, frame.seq)) + frame.body
    return encode_cobs(payload + compute_crc16(payload).to_bytes(2, "little")) + FRAME_END


class FrameDecoder:
    """Takes bytes in pieces of any size and returns the complete, undamaged frames.

    >>> decoder, sent = FrameDecoder(), encode_frame(WireFrame(0x01, 0, b"A"))
    >>> decoder.feed(sent[:4]), decoder.feed(sent[4:])
    ([], [WireFrame(type=1, seq=0, body=b'A')])
    """

    def __init__(self) -> None:
        self._partial = b""

    def feed(self, data: bytes) -> list[WireFrame]:
        """Add received bytes and return the frames that they complete, in their order, without the damaged ones.

        Frames of an unknown type are returned too. Raises nothing, also for random bytes.

        Args:
            data: the next bytes from the line, any number; they may end within a frame.
        """
        *ended, partial = (self._partial + data).split(FRAME_END)
        # Noise without a zero must not fill the memory: one byte too many is enough to drop the frame.
        self._partial = partial[: MAX_ENCODED_BYTES + 1]
        frames = map(_decode_frame, ended)
        return [frame for frame in frames if frame is not None]


def _decode_frame(encoded: bytes) -> WireFrame | None:
    """Return the frame in the bytes between two zeros; None if it is damaged."""
    if len(encoded) > MAX_ENCODED_BYTES:
        return None
    try:
        payload = decode_cobs(encoded)
    except ValueError:
        return None
    # No payload at all is normal, two zeros in a row: a sender starts with one.
    if len(payload) < MIN_PAYLOAD_BYTES or compute_crc16(payload[:-2]) != int.from_bytes(payload[-2:], "little"):
        return None
    return WireFrame(payload[0], payload[1], payload[2:-2])
