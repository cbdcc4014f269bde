"""The reliable link: with any pattern of losses every frame arrives once and in order."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.buttons.usb_box.framing import WireFrame
from hardware.buttons.usb_box.messages import FrameType
from hardware.buttons.usb_box.reliable_link import (
    FIRST_RESEND_SECONDS,
    MAX_UNACKNOWLEDGED_FRAMES,
    ReliableLink,
)


def body(number: int) -> bytes:
    return number.to_bytes(2, "little")


def make_link(count: int) -> ReliableLink:
    """Return a link that has `count` frames to send."""
    link = ReliableLink()
    for n in range(count):
        link.send(FrameType.EVENT, body(n))
    return link


def exchange(count: int, fates: list[bool], delay: float = 0.004) -> tuple[list[int], int]:
    """Send frames over a line that drops those whose entry in `fates` is False.

    Returns the numbers of the frames that were accepted, and how many frames were sent.
    """
    sender, receiver, now, sent = make_link(count), ReliableLink(), 0.0, 0
    fate = itertools.chain(fates, itertools.repeat(True))
    got: list[int] = []
    while sender.pending_count:
        frames = sender.poll(now)
        sent += len(frames)
        arrived = [f for f in frames if next(fate)]
        got += [int.from_bytes(f.body, "little") for f in arrived if receiver.receive(f, now)]
        now += delay
        for frame in receiver.poll(now):
            if next(fate):
                sender.receive(frame, now)
        now += delay
    return got, sent


@given(st.integers(1, 40), st.lists(st.booleans(), max_size=300))
def test_any_pattern_of_losses_delivers_each_frame_once_in_order(count: int, fates: list[bool]) -> None:
    got, _ = exchange(count, fates)
    assert got == list(range(count))


def test_sequence_numbers_wrap_around() -> None:
    rng = random.Random(5)
    got, _ = exchange(2000, [rng.random() > 0.3 for _ in range(6000)])
    assert got == list(range(2000))


def test_good_line_carries_each_frame_once() -> None:
    _, sent = exchange(300, [])
    assert sent == 300


def test_at_most_eight_frames_are_outstanding() -> None:
    link = make_link(20)
    assert [f.seq for f in link.poll(0.0)] == list(range(MAX_UNACKNOWLEDGED_FRAMES))
    assert link.poll(0.01) == []
    link.receive(WireFrame(FrameType.ACK, 0, b"\3"), 0.01)
    assert [f.seq for f in link.poll(0.01)] == [8, 9, 10]
    assert link.pending_count == 17


def test_outstanding_frames_are_resent_with_growing_delay_until_acknowledged() -> None:
    link = make_link(3)
    link.poll(0.0)
    times, now = [], 0.0
    for _ in range(6):
        assert link.deadline is not None
        times.append(round(link.deadline - now, 3))
        assert link.poll(link.deadline - 1e-6) == []
        now = link.deadline
        assert [f.seq for f in link.poll(now)] == [0, 1, 2]
    assert times == [0.06, 0.12, 0.24, 0.48, 0.48, 0.48]
    link.receive(WireFrame(FrameType.ACK, 0, b"\1"), now)
    assert link.deadline == pytest.approx(now + FIRST_RESEND_SECONDS)
    link.receive(WireFrame(FrameType.ACK, 0, b"\1"), now + 0.05)
    assert link.deadline == pytest.approx(now + FIRST_RESEND_SECONDS), "the same again is of no use"


def test_a_frame_sent_later_does_not_delay_the_repetition() -> None:
    link = ReliableLink()
    for now in (0.0, 0.03):
        link.send(FrameType.EVENT, body(1))
        assert [frame.seq for frame in link.poll(now)] == [round(now / 0.03)]
        assert link.deadline == pytest.approx(0.06)
    assert link.poll(0.059) == []
    assert [frame.seq for frame in link.poll(0.06)] == [0, 1]


@pytest.mark.parametrize("ack", [b"", b"\0", b"\x05", b"\xff", b"\1\1"])
def test_invalid_acknowledgements_are_ignored(ack: bytes) -> None:
    link = make_link(3)
    link.poll(0.0)
    link.receive(WireFrame(FrameType.ACK, 0, ack), 0.01)
    assert link.pending_count == 3


def test_only_the_expected_number_is_accepted_and_every_frame_acknowledged() -> None:
    link = ReliableLink()
    assert not link.receive(WireFrame(FrameType.EVENT, 1), 0.0)
    assert link.poll(0.0) == [WireFrame(FrameType.ACK, 0, b"\0")]
    assert link.receive(WireFrame(FrameType.EVENT, 0), 0.0)
    assert not link.receive(WireFrame(FrameType.EVENT, 0), 0.0)
    assert link.poll(0.0) == [WireFrame(FrameType.ACK, 0, b"\1")]
    assert link.poll(0.0) == []


def test_hello_keeps_or_drops_outstanding_frames() -> None:
    link = make_link(10)
    link.poll(0.0)
    link.receive(WireFrame(FrameType.ACK, 0, b"\2"), 0.0)
    link.reset(keep_unacknowledged=True)
    again = link.poll(1.0)
    assert [(f.seq, f.body) for f in again] == [(n, body(n + 2)) for n in range(8)]
    link.reset(keep_unacknowledged=False)
    assert link.pending_count == 0
    assert link.deadline is None


def test_unreliable_type_is_refused_as_reliable() -> None:
    with pytest.raises(ValueError, match="PING"):
        ReliableLink().send(FrameType.PING, b"")
    assert not ReliableLink().receive(WireFrame(FrameType.PONG), 0.0)
