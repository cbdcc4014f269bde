"""The example conversation of protocol.md, replayed against the simulated box.

Firmware and real driver together: tests/hardware/buttons/usb_box/test_driver_and_firmware.py.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from tests.firmware.host import EVENT, LEVELS, PONG, WELCOME, decode
from tests.firmware.simulator import ROOT, Frame, Stepped

TICKS = {EVENT: (4,), PONG: (4, 8), LEVELS: (2,), WELCOME: (6,)}
"""Offsets of ticks in a body, by frame type; a new box adds a tick to the nonce for its first boot id."""
TICK_TOLERANCE, TIME_TOLERANCE = 150, 3000.0

LINE = re.compile(r" *(\d+)  (host|box|hand) +((?:[0-9a-f]{2}(?: |$))+|button (\d) (down|up))")


@dataclass(frozen=True, slots=True)
class ConversationLine:
    at: float
    who: str
    data: bytes
    button: int
    level: int


def _conversation() -> list[ConversationLine]:
    text = Path(ROOT, "protocol.md").read_text(encoding="utf-8")
    found = re.search(r"```conversation\n(.*?)```", text, re.DOTALL)
    assert found is not None
    lines = []
    for line in found[1].splitlines():
        match = LINE.match(line)
        if match is None:
            assert line.startswith(" " * 30), f"neither a line of the conversation nor a continued remark: {line}"
            continue
        hand = match[2] == "hand"
        data = b"" if hand else bytes.fromhex(match[3])
        lines.append(ConversationLine(float(match[1]), match[2], data, int(match[4] or 0), int(match[5] == "down")))
    return lines


def _same(heard: bytes, written: bytes) -> bool:
    """Return whether two frames are equal, except that ticks may differ by up to TICK_TOLERANCE."""
    if heard == written or not written.strip(b"\0") or not heard.strip(b"\0"):
        return heard == written
    kind, seq, body = decode(written)
    heard_kind, heard_seq, heard_body = decode(heard)
    if (kind, seq, len(body)) != (heard_kind, heard_seq, len(heard_body)):
        return False
    ours, theirs = bytearray(body), bytearray(heard_body)
    for at in TICKS.get(kind, ()):
        tick, heard_tick = (int.from_bytes(some[at : at + 4], "little") for some in (ours, theirs))
        if abs(tick - heard_tick) > TICK_TOLERANCE:
            return False
        ours[at : at + 4] = theirs[at : at + 4] = bytes(4)
    return ours == theirs


def test_box_sends_the_documented_conversation(atmega: Stepped) -> None:
    conversation = _conversation()
    assert len(conversation) > 20
    heard: list[Frame] = []
    for line in conversation:
        if line.who == "host":
            heard += atmega.run(line.at - atmega.now).frames
            atmega.send(line.data)
        elif line.who == "hand":
            atmega.pin(line.at, line.button, line.level)
    heard += atmega.run(conversation[-1].at + 100_000 - atmega.now).frames

    written = [line for line in conversation if line.who == "box"]
    assert [frame.encoded.hex(" ") for frame in heard if len(frame.encoded) == 1] == ["00"]
    for frame, line in zip(heard, written, strict=True):
        assert _same(frame.encoded, line.data), f"at {line.at}: {frame.encoded.hex(' ')}, not {line.data.hex(' ')}"
        assert abs(frame.at - line.at) < TIME_TOLERANCE
