"""The protocol between host and box on good and bad lines.

Lamps of a box whose host is silent: test_lamps.
"""

from __future__ import annotations

import itertools
import random
import struct
from collections.abc import Callable

import pytest

from tests.firmware.host import ACK, EVENT, HELLO, LAMPS, LOST, PING, WELCOME, Host, decode, encode
from tests.firmware.presses import Edge, check_stamps, hammer
from tests.firmware.simulator import SimulatedBoard, Stepped


def test_handshake(box: Stepped) -> None:
    welcome = Host(box).connect()
    assert welcome.version == 1
    assert welcome.firmware == (1, 2, 0)
    assert welcome.capabilities == (3 if box.board.counts_boots else 7), "a Pico has colours, too"
    assert (welcome.buttons, welcome.queue, welcome.tick_hz) == (10, 128, 1_000_000)


def test_host_of_another_version_gets_welcome_and_no_events(box: Stepped) -> None:
    host = Host(box)
    box.pin(50_000, 0, 1)
    box.run(100_000)
    host.hello(version=2)
    host.run(600_000)
    assert [welcome.version for welcome in host.welcomes] == [1]
    assert host.received == 1
    host.connect()
    host.run(50_000)
    assert [event.button for event in host.events] == [0], "it waited for a host that we understand"


def test_longer_hello_of_a_later_version_is_answered(box: Stepped) -> None:
    """H8: the first three bytes are the same in all versions."""
    host = Host(box)
    box.run(50_000)
    box.send(encode(HELLO, 0, struct.pack("<BHI", 9, 77, 5)))
    host.run(50_000)
    assert [(welcome.version, welcome.nonce) for welcome in host.welcomes] == [(1, 77)]


def test_old_firmware_reports_its_version(boxes: Callable[..., Stepped], board: SimulatedBoard) -> None:
    box = boxes(board, "old")
    box.pin(50_000, 0, 1)
    host = Host(box)
    assert host.connect().version == 0
    host.run(600_000)
    assert host.received == len(host.welcomes)
    assert not host.events


def test_events_before_hello_are_kept_and_nothing_is_sent(box: Stepped) -> None:
    edges = [Edge(20_000.0 * (number + 1), number, 1) for number in range(10)]
    box.pins((edge.at, edge.button, edge.level) for edge in edges)
    assert box.run(700_000).frames == []
    host = Host(box)
    host.connect()
    host.run(100_000)
    check_stamps(box, edges, host.events)


def test_new_hello_resends_only_unacknowledged_events(box: Stepped, host: Host) -> None:
    box.pins([(box.now + 1_000, 0, 1), (box.now + 2_000, 1, 1)])
    host.run(50_000)
    host.acknowledges = False
    box.pins([(box.now + 1_000, 2, 1), (box.now + 2_000, 3, 1)])
    host.run(200_000)
    again = Host(box, nonce=1000)
    again.connect()
    again.run(50_000)
    assert [(event.id, event.button) for event in again.events] == [(2, 2), (3, 3)]


def test_a_repeated_hello_resets_nothing(box: Stepped, host: Host) -> None:
    """A late repetition of the same nonce, when both ends have advanced their sequence numbers."""
    box.pin(box.now + 1_000, 0, 1)
    host.run(50_000)
    box.send(encode(HELLO, 0, struct.pack("<BH", 1, host.nonce)))
    box.pin(box.now + 10_000, 1, 1)
    host.run(200_000)
    assert [event.button for event in host.events] == [0, 1]
    assert host.welcomes[-1] == host.welcomes[-2]


def test_ping(box: Stepped, host: Host) -> None:
    """Both ticks agree with the true times of the bytes on the wire."""
    for token in range(20):
        host.step = 20_000 + 137.0 * token
        box.send(encode(PING, 0, struct.pack("<I", token)))
        heard = box.run(host.step)
        for frame in heard.frames:
            host._hear(frame)
        pong = host.pongs[-1]
        assert pong.token == token
        assert pong.heard + box.clock_at == pytest.approx(heard.taken[-1], abs=60)
        assert pong.left + box.clock_at == pytest.approx(pong.at, abs=20)


def test_ping_needs_no_handshake(box: Stepped) -> None:
    box.run(50_000)
    host = Host(box)
    host.send(PING, 0, struct.pack("<I", 7))
    host.run(20_000)
    assert [pong.token for pong in host.pongs] == [7]


def test_levels_keep_the_link_alive(box: Stepped, host: Host) -> None:
    box.pin(box.now + 700_000, 4, 1)
    host.run(2_600_000)
    assert len(host.levels) == pytest.approx(5, abs=1)
    gaps = [after[1] - before[1] for before, after in zip(host.levels, host.levels[1:], strict=False)]
    assert gaps == pytest.approx([500_000] * len(gaps), abs=5000)
    assert host.levels[0][0] == 0
    assert host.levels[-1][0] == 1 << 4


@pytest.mark.full
def test_unacknowledged_frames_are_resent_with_growing_delay(box: Stepped, host: Host) -> None:
    box.pin(box.now + 1_000, 0, 1)
    frames = box.run(1_600_000).frames
    times = [frame.at for frame in frames if len(frame.encoded) > 1 and decode(frame.encoded)[0] == EVENT]
    gaps = [after - before for before, after in itertools.pairwise(times)]
    assert gaps[:5] == pytest.approx([60_000, 120_000, 240_000, 480_000, 480_000], abs=2_000)


def test_at_most_eight_events_are_outstanding(box: Stepped, host: Host) -> None:
    box.pins((box.now + 1_000 + 10 * button, button, 1) for button in range(10))
    frames = box.run(55_000).frames
    assert [decode(frame.encoded)[1] for frame in frames] == list(range(8))


@pytest.mark.full
def test_full_queue_reports_the_number_of_lost_events(box: Stepped, host: Host) -> None:
    changes, edges, over = hammer(random.Random(8), box.now + 1_000, 90)
    box.pins(changes)
    box.run(over - box.now + 50_000)
    box.pin(box.now + 1_500_000, 5, 1)  # after the host has returned
    host.run(2_500_000)
    assert len(edges) == 180
    assert host.lost == [(128, 180 - 128)]
    check_stamps(box, edges[:128], host.events[:128])  # the oldest are kept
    assert [(event.id, event.button, event.level) for event in host.events[128:]] == [(128, 5, 1)], "ids have no gap"
    assert host.levels[-1][0] == 1 << 5, "what was lost is mended"


@pytest.mark.full
def test_every_event_is_sent_or_counted_as_lost(box: Stepped, host: Host) -> None:
    """The host connects and disconnects while the queue overflows and empties."""
    changes, edges, over = hammer(random.Random(9), box.now + 1_000, 400)
    box.pins(changes)
    while box.now < over:
        box.run(1_500_000)
        host.run(400_000)
    host.run(3_000_000)
    assert len(host.lost) > 1
    assert len(host.events) + sum(number for _, number in host.lost) == len(edges)
    assert [event.id for event in host.events] == list(range(len(host.events)))


def _bad_line(dice: random.Random, badness: float) -> Callable[[bytes], bytes]:
    def mangle(data: bytes) -> bytes:
        out = bytearray()
        for byte in data:
            fate = dice.random()
            if fate < badness:
                continue  # dropped
            if fate < 2 * badness:
                byte ^= 1 << dice.randrange(8)
            out.append(byte)
            if 2 * badness < fate < 3 * badness:
                out.append(byte)  # doubled
        return bytes(out)

    return mangle


@pytest.mark.full
def test_line_that_drops_corrupts_and_doubles_bytes(box: Stepped) -> None:
    host = Host(box, mangle=_bad_line(random.Random(10), 0.01))
    host.connect()
    changes, edges, over = hammer(random.Random(11), box.now + 1_000, 40)
    box.pins(changes)
    effects = b""
    while box.now < over + 4_000_000:
        if box.now < over:
            effects = bytes(random.Random(int(box.now)).randrange(2) for _ in range(10))
            host.light(effects)
        host.run(200_000)
    assert host.damaged > 0
    assert not host.lost
    check_stamps(box, edges, host.events)
    box.lamps()
    host.run(100_000)
    assert [lamp > 500 for lamp in box.lamps()] == [bool(effect) for effect in effects], "the last order counts"


def test_garbage_at_connect(box: Stepped) -> None:
    dice = random.Random(12)
    box.send(bytes(dice.randrange(256) for _ in range(3000)))
    box.run(150_000)
    host = Host(box)
    host.connect()
    box.pin(box.now + 1_000, 2, 1)
    host.run(50_000)
    assert [event.button for event in host.events] == [2]
    assert box.resets == []


@pytest.mark.parametrize("length", [60, 250, 2000])
def test_endless_frame_does_no_harm(box: Stepped, length: int) -> None:
    """Several endless frames do no harm either, at any position in memory."""
    host = Host(box)
    first = host.connect()
    host.light(bytes([1] * 10))
    box.pin(box.now + 1_000, 2, 1)
    host.run(100_000)
    for token in range(4):
        box.send(b"\x55" * length + b"\0")
        host.run(100 * length + 20_000)
        host.send(PING, 0, struct.pack("<I", token))
        host.run(20_000)
    assert [pong.token for pong in host.pongs] == list(range(4))
    box.pin(box.now + 1_000, 2, 0)
    host.run(100_000)
    assert [(event.id, event.button, event.level) for event in host.events] == [(0, 2, 1), (1, 2, 0)]
    again = Host(box, nonce=5000).connect()
    assert (again.boot, again.firmware) == (first.boot, first.firmware)
    assert box.resets == []


def test_unknown_frames_are_not_answered(box: Stepped, host: Host) -> None:
    """Unknown types, known types with bodies of another length, the box's own types."""
    box.run(20_000)
    for kind, body in ((0x21, b""), (0x7F, bytes(20)), (LAMPS, bytes(9)), (PING, bytes(3)), (EVENT, bytes(10)),
                       (LOST, bytes(2)), (WELCOME, bytes(18)), (HELLO, bytes(2)), (0xF0, b"")):  # fmt: skip
        box.send(encode(kind, 0, body))
    assert box.run(100_000).frames == []


def test_acknowledgements_of_unsent_frames_are_ignored(box: Stepped, host: Host) -> None:
    for wild in (1, 5, 200, 100):
        host.send(ACK, 0, bytes([wild]))
    box.pin(box.now + 1_000, 2, 1)
    host.run(100_000)
    assert [event.level for event in host.events] == [1], "at once"
    levels = len(host.levels)
    host.run(1_100_000)
    assert len(host.levels) == levels + 2, "nothing waits"
    box.pin(box.now + 1_000, 2, 0)
    box.run(30_000)
    host.send(ACK, 0, bytes([3]))  # only 2 is valid
    host.run(200_000)
    assert [event.level for event in host.events] == [1, 0]


def test_commands_are_executed_once_and_in_order(box: Stepped, host: Host) -> None:

    def order(seq: int, effect: int) -> tuple[int, bool]:
        """Return the seq that the box expects next, and whether the lamps are lit."""
        box.send(encode(LAMPS, seq, bytes([effect] * 10)))
        frames = [decode(frame.encoded) for frame in box.run(30_000).frames]
        box.lamps()
        box.run(30_000)
        return next(body[0] for kind, _, body in frames if kind == ACK), box.lamps() == [1000] * 10

    assert order(1, 1) == (0, False), "too early"
    assert order(0, 1) == (1, True)
    assert order(0, 0) == (1, True), "had it already"
    assert order(1, 0) == (2, False)
    host.connect()
    assert order(0, 1) == (1, True), "counted from 0 again"


@pytest.mark.parametrize("power", [False, True])
def test_box_reboot(box: Stepped, power: bool) -> None:
    host = Host(box)
    first = host.connect()
    host.light(bytes([1] * 10))
    box.pin(box.now + 1_000, 2, 1)
    host.run(700_000)
    box.reset(power=power)
    quiet = len(host.levels)
    host.run(1_200_000)
    assert len(host.levels) == quiet, "it waits for HELLO"
    box.lamps()
    host.run(100_000)
    assert box.lamps() == [0] * 10
    host.events.clear()
    second = host.connect()
    assert second.boot != first.boot
    box.pin(box.now + 1_000, 2, 0)
    host.run(100_000)
    assert [(event.id, event.button, event.level) for event in host.events] == [(0, 2, 1), (1, 2, 0)], (
        "buttons held at boot are reported, and ids start again"
    )


@pytest.mark.full
def test_boot_ids_differ(box: Stepped) -> None:
    host = Host(box)
    boots = []
    for _ in range(258):  # beyond the counter's lowest byte
        boots.append(host.connect().boot if len(boots) in (0, 254, 255, 256, 257) else -len(boots) - 1)
        box.reset()
        box.run(20_000)
    known = [boot for boot in boots if boot >= 0]
    assert len(set(known)) == 5
    if box.board.counts_boots:
        assert known == sorted(known)
        assert known[-1] - known[0] == 257


def test_the_watchdog_resets_a_main_loop_that_hangs(boxes: Callable[..., Stepped], board: SimulatedBoard) -> None:
    box = boxes(board, "hang")
    host = Host(box)
    first = host.connect()
    host.run(600_000)
    assert box.resets == [], "it does not bite while all is well"
    hung = box.now
    box.send(encode(0xF0, 0))
    box.run(400_000)
    assert len(box.resets) == 1
    assert box.resets[0] - hung == pytest.approx(256_000, abs=20_000)
    second = host.connect()
    assert second.boot != first.boot
    assert second.boot == first.boot + 1 or not board.counts_boots
    host.run(400_000)
    assert len(box.resets) == 1
