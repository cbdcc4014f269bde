"""Framing: every encoded frame is decoded, and nothing else is."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.app.button_input import map_lamp_colours
from hardware.buttons.lamp_effects import LampEffect
from hardware.buttons.usb_box import messages as m
from hardware.buttons.usb_box.box_events import BoxEvents
from hardware.buttons.usb_box.framing import (
    FRAME_END,
    MAX_BODY_BYTES,
    FrameDecoder,
    WireFrame,
    compute_crc16,
    decode_cobs,
    encode_cobs,
    encode_frame,
)

frames = st.builds(WireFrame, st.integers(0, 255), st.integers(0, 255), st.binary(max_size=MAX_BODY_BYTES))


def pieces(data: bytes, cuts: list[int]) -> list[bytes]:
    places = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    return [data[a:b] for a, b in itertools.pairwise(places)]


@given(st.binary(max_size=253))
@example(b"")
@example(bytes(253))
@example(b"\1" * 253)
def test_cobs_output_has_no_zero_and_decodes_to_its_input(data: bytes) -> None:
    coded = encode_cobs(data)
    assert 0 not in coded
    assert len(coded) == len(data) + 1
    assert decode_cobs(coded) == data


@given(st.binary(max_size=60))
def test_any_bytes_are_decoded_or_refused(data: bytes) -> None:
    try:
        known = decode_cobs(data)
    except ValueError:
        return
    assert encode_cobs(known) == data or not data


@given(st.lists(frames, max_size=6), st.lists(st.integers(0, 400), max_size=8))
def test_frames_are_decoded_from_any_pieces(sent: list[WireFrame], cuts: list[int]) -> None:
    decoder = FrameDecoder()
    got = [f for piece in pieces(b"".join(map(encode_frame, sent)), cuts) for f in decoder.feed(piece)]
    assert got == sent


@given(st.binary(max_size=300), frames)
def test_decoder_resynchronises_after_garbage_and_a_zero(garbage: bytes, frame: WireFrame) -> None:
    decoder = FrameDecoder()
    decoder.feed(garbage)
    assert decoder.feed(FRAME_END + encode_frame(frame))[-1] == frame


@given(frames, st.data())
def test_one_damaged_byte_never_gives_another_frame(frame: WireFrame, data: st.DataObject) -> None:
    wire = bytearray(encode_frame(frame))
    place = data.draw(st.integers(0, len(wire) - 2))
    wire[place] ^= data.draw(st.integers(1, 255))
    assert [f for f in FrameDecoder().feed(bytes(wire)) if f != frame] == []


def test_noise_without_a_zero_uses_bounded_memory() -> None:
    decoder = FrameDecoder()
    for _ in range(1000):
        assert decoder.feed(b"\xff" * 100) == []
    assert len(decoder._partial) <= MAX_BODY_BYTES + 6
    assert decoder.feed(FRAME_END + encode_frame(WireFrame(1))) == [WireFrame(1)]


@pytest.mark.parametrize(
    "damaged", [encode_cobs(b"\1\0\5\0\0"), encode_cobs(b"\1\0\5"), b"\x09\1"], ids=["CRC", "length", "coding"]
)
def test_damaged_frame_is_dropped_alone(damaged: bytes) -> None:
    frame = WireFrame(1)
    assert FrameDecoder().feed(damaged + FRAME_END + encode_frame(frame)) == [frame]


def test_crc_check_value() -> None:
    assert compute_crc16(b"123456789") == 0x29B1


def test_too_long_body_raises() -> None:
    with pytest.raises(ValueError, match="49 bytes"):
        encode_frame(WireFrame(1, 0, bytes(49)))
    with pytest.raises(ValueError, match="254"):
        encode_cobs(bytes(254))


@pytest.mark.parametrize("size", [0, 48])
def test_smallest_and_largest_frame_arrive_in_pieces_too(size: int) -> None:
    frame, decoder = WireFrame(255, 255, b"\1" * size), FrameDecoder()
    wire = encode_frame(frame)
    assert len(wire) == size + 6
    assert [found for byte in wire for found in decoder.feed(bytes((byte,)))] == [frame]


def test_frame_that_is_one_byte_too_long_is_dropped() -> None:
    payload = b"\x10\0" + bytes(49)
    wire = encode_cobs(payload + compute_crc16(payload).to_bytes(2, "little")) + FRAME_END
    assert FrameDecoder().feed(wire) == []
    decoder = FrameDecoder()
    assert [found for byte in wire for found in decoder.feed(bytes((byte,)))] == []


u8, u16, u32 = st.integers(0, 255), st.integers(0, 65535), st.integers(0, 2**32 - 1)


@given(
    st.one_of(
        st.builds(m.HelloMessage, u8, u16),
        st.builds(m.WelcomeMessage, st.just(1), u16, st.tuples(u8, u8, u8), u32, u16, u8, u8, u32),
        st.builds(m.EdgeMessage, u16, st.integers(0, 9), st.booleans(), u32, u16),
        st.builds(m.LostMessage, u16),
        st.builds(m.LampsMessage, st.tuples(*[st.sampled_from(LampEffect)] * 10)),
        st.builds(m.PingMessage, u32),
        st.builds(m.PongMessage, u32, u32, u32),
        st.builds(m.LevelsMessage, u16, u32),
    )
)
def test_messages_are_decoded_unchanged(message: m.HelloMessage) -> None:
    body = message.pack()
    assert type(message).unpack(body) == message
    for wrong in (body + b"\0", body[:-1]):
        with pytest.raises(m.MalformedMessageError):
            type(message).unpack(wrong)


def test_message_bodies_follow_the_protocol() -> None:
    assert m.HelloMessage(1, 0x1234).pack().hex() == "013412"
    assert m.EdgeMessage(1, 6, True, 0x01020304, 0x0040).pack().hex() == "0100060104030201" + "4000"
    welcome = m.WelcomeMessage(1, 0x1234, (1, 2, 3), 7, 3, 10, 64, 1_000_000)
    assert welcome.pack().hex() == "013412" + "010203" + "07000000" + "0300" + "0a" + "40" + "40420f00"
    assert m.LampsMessage((LampEffect.ON, LampEffect.BREATHE, *[LampEffect.OFF] * 8)).pack().hex() == "0104" + "00" * 8


@pytest.mark.parametrize("body", [b"\0\0\x0a\1\0\0\0\0\0\0", b"\0\0\0\2\0\0\0\0\0\0"])
def test_events_of_unknown_buttons_or_levels_are_refused(body: bytes) -> None:
    with pytest.raises(m.MalformedMessageError):
        m.EdgeMessage.unpack(body)
    with pytest.raises(m.MalformedMessageError):
        m.LampsMessage.unpack(b"\5" * 10)


@pytest.mark.parametrize(
    ("body", "firmware", "words"),
    [
        ("003412", (0, 0, 0), "make firmware"),
        ("003412000907", (0, 9, 7), "old firmware 0.9.7 (protocol 0"),
        ("023412020000" + "ff" * 30, (2, 0, 0), "update the companion"),
    ],
)
def test_welcome_of_other_versions_is_decoded(body: str, firmware: tuple[int, int, int], words: str) -> None:
    welcome = m.WelcomeMessage.unpack(bytes.fromhex(body))
    assert (welcome.nonce, welcome.firmware) == (0x1234, firmware)
    assert (welcome.boot_number, welcome.capabilities, welcome.queue_size) == (0, 3, 0), "nothing is known of them"
    assert welcome.incompatibility is not None
    assert words in welcome.incompatibility


def test_box_with_other_buttons_or_ticks_is_incompatible() -> None:
    assert m.WelcomeMessage(1, 1).incompatibility is None
    assert "firmware 0.0.0" in (m.WelcomeMessage(0, 1).incompatibility or "")
    assert "8 buttons" in (m.WelcomeMessage(1, 1, button_count=8).incompatibility or "")
    assert "make firmware" in (m.WelcomeMessage(1, 1, tick_hz=250_000).incompatibility or "")


def test_frame_types_are_those_of_the_protocol() -> None:
    """firmware_notes/protocol.md lists them."""
    text = (Path(__file__).parents[4] / "firmware_notes" / "protocol.md").read_text(encoding="utf-8")
    table = {name: int(number, 16) for number, name in re.findall(r"^\| (0x\w\w) \| (\w+) \|", text, re.MULTILINE)}
    assert {kind.name: kind.value for kind in m.FrameType} == table
    assert {kind for kind in m.FrameType if kind < 0x80 and kind is not m.FrameType.ACK} == m.RELIABLE_TYPES


def test_coloured_example_of_the_protocol_is_the_dark_palette() -> None:
    """The lamps' colours have one source, the screen's palette; the page shows what is sent of it."""
    text = (Path(__file__).parents[4] / "firmware_notes" / "protocol.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```colours\n(.*?)```", text, re.DOTALL)
    sent = bytes.fromhex(" ".join(re.findall(r"^host   ([0-9a-f ]+)$", example, re.MULTILINE)))
    colours, lamps = FrameDecoder().feed(sent)
    assert (colours.type, colours.seq, lamps.type, lamps.seq) == (m.FrameType.COLOURS, 0, m.FrameType.LAMPS, 1)
    assert m.ColoursMessage.unpack(colours.body).colours == tuple(map_lamp_colours("dark")[b] for b in m.BUTTONS)
    with pytest.raises(m.MalformedMessageError):
        m.ColoursMessage.unpack(colours.body[:-1])


def test_ticks_are_microseconds_of_32_bits() -> None:
    box = BoxEvents("box", 0.0)
    box.clock_sync.add_round_trip(1.0, 1.0, 0, 0)
    assert box.clock_sync.to_host_time(1_000_000, 2.0) == pytest.approx(2.0, abs=1e-9)
    assert box.clock_sync.to_host_time(2**32 - 1_000_000, 2.0) == pytest.approx(0.0, abs=1e-9)
