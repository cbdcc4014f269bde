"""The session's limits, on both sides: greetings, silence, pings, jumps of the clock, floods and lost events.

Also here: greetings.py, pings.py and event_limiter.py.
"""

from __future__ import annotations

import itertools
import logging

import pytest

from companion.events import ButtonPressed, DeviceLost, DeviceRestored
from hardware.buttons.lamp_effects import LampEffect
from hardware.buttons.usb_box.framing import FrameDecoder, WireFrame, encode_frame
from hardware.buttons.usb_box.messages import (
    EdgeMessage,
    FrameType,
    HelloMessage,
    LevelsMessage,
    LostMessage,
    PingMessage,
    PongMessage,
    WelcomeMessage,
)
from hardware.buttons.usb_box.session import BoxSession, SessionState

LIT = (LampEffect.ON,) * 10
FIRST_TICK = 5_000_000
"""The box's tick at host time 0."""


class Peer:
    """A box whose answers the test gives one by one, on a line without delays; greets at time 0."""

    def __init__(self, byte_seconds: float = 0.0) -> None:
        nonces = itertools.count(2 * 65536 + 1)
        self.session = BoxSession(0.0, lambda: next(nonces))
        self.session.connect(0.0, byte_seconds)
        self.next_seq = 0
        self.now = 0.0
        """Time of the last poll."""

    @property
    def deadline(self) -> float:
        return self.session.deadline(self.now)

    def poll(self, now: float) -> list[WireFrame]:
        """Return the frames that the session sends."""
        self.now = now
        return FrameDecoder().feed(self.session.poll(now))

    def send(self, frame_type: FrameType, body: bytes, at: float, seq: int = 0) -> None:
        self.session.feed(encode_frame(WireFrame(frame_type, seq, body)), at)

    def welcome(self, at: float, nonce: int, *, capabilities: int = 3, version: int = 1) -> None:
        message = WelcomeMessage(version, nonce, boot_number=1, capabilities=capabilities)
        self.send(FrameType.WELCOME, message.pack(), at)

    def greet(self, now: float, *, capabilities: int = 3, version: int = 1) -> None:
        """Poll for a greeting and answer it at once."""
        (hello,) = self.poll(now)
        assert (hello.type, hello.seq) == (FrameType.HELLO, 0)
        self.welcome(now, HelloMessage.unpack(hello.body).nonce, capabilities=capabilities, version=version)
        self.next_seq = 0

    def ping(self, now: float) -> PingMessage | None:
        """Poll and return the ping that is sent, if there is one."""
        pings = [frame for frame in self.poll(now) if frame.type == FrameType.PING]
        assert all(frame.seq == 0 for frame in pings)
        return PingMessage.unpack(pings[0].body) if pings else None

    def pong(self, ping: PingMessage | None, at: float, ahead: float = 0.0) -> None:
        """Answer a ping; the box's clock is `ahead` seconds ahead of what it was."""
        assert ping is not None
        tick = FIRST_TICK + round((at + ahead) * 1e6)
        self.send(FrameType.PONG, PongMessage(ping.token, tick, tick).pack(), at)

    def answer_pings(self, count: int) -> float:
        """Answer pings without delay, and return the time of the next one."""
        for _ in range(count):
            now = self.deadline
            self.pong(self.ping(now), now)
        return self.deadline

    def send_reliable(self, frame_type: FrameType, body: bytes, at: float) -> None:
        self.send(frame_type, body, at, self.next_seq % 256)
        self.next_seq += 1

    def press(self, at: float) -> None:
        """Press or release a button, `at` by the box's clock, too."""
        number, tick = self.next_seq, FIRST_TICK + round(at * 1e6)
        self.send_reliable(FrameType.EVENT, EdgeMessage(number, number % 10, number // 10 % 2 == 0, tick, 0).pack(), at)

    def send_levels(self, at: float) -> None:
        self.send(FrameType.LEVELS, LevelsMessage(0, FIRST_TICK + round(at * 1e6)).pack(), at)


@pytest.fixture
def peer() -> Peer:
    """A box without lamps that has just answered the greeting."""
    peer = Peer()
    peer.greet(0.0, capabilities=0)
    assert [type(event) for event in peer.session.take_events()] == [DeviceRestored]
    return peer


def list_hello_times(peer: Peer, since: float, until: float) -> list[float]:
    """Poll every hundredth of a second and return when greetings are sent."""
    times = (since + n / 100 for n in range(round(100 * (until - since)) + 1))
    return [round(now, 2) for now in times if FrameType.HELLO in {frame.type for frame in peer.poll(now)}]


# Greetings -----------------------------------------------------------------------------------------------------------


def test_new_session_waits_for_a_port() -> None:
    session = BoxSession(7.0, lambda: 1)
    assert (session.state, session.is_flooding, session.is_settled) == (SessionState.CLOSED, False, True)
    assert session.poll(7.0) == b""
    assert session.deadline(7.0) == pytest.approx(8.2)


def test_box_is_greeted_four_times_a_second() -> None:
    peer = Peer()
    assert peer.session.deadline(0.0) == 0.0
    assert list_hello_times(peer, 0.0, 1.0) == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert peer.session.deadline(1.0) == pytest.approx(1.25)


def test_greetings_have_new_nonces_of_16_bits() -> None:
    peer = Peer()
    nonces = [HelloMessage.unpack(peer.poll(0.25 * n)[0].body).nonce for n in range(3)]
    assert nonces == [1, 2, 3]


def test_box_of_another_version_is_greeted_every_two_seconds() -> None:
    peer = Peer()
    peer.greet(0.0, version=2)
    assert peer.session.state is SessionState.INCOMPATIBLE
    assert peer.session.deadline(0.0) == 2.0
    assert list_hello_times(peer, 0.01, 6.5) == [2.0, 4.0, 6.0]


@pytest.mark.parametrize(("greetings", "is_known"), [(2, True), (33, True), (34, False)])
def test_late_answer_delays_the_next_greeting_by_a_second(greetings: int, is_known: bool) -> None:
    peer = Peer()
    for n in range(greetings):
        assert peer.poll(0.25 * n)
    at = 0.25 * (greetings - 1) + 0.125
    peer.welcome(at, nonce=1)
    assert peer.session.state is SessionState.GREETING
    assert peer.session.deadline(at) == pytest.approx(at + 1.0 if is_known else at + 0.125)


def test_answer_to_somebody_else_changes_nothing() -> None:
    peer = Peer()
    peer.poll(0.0)
    peer.welcome(0.1, nonce=9)
    assert peer.session.deadline(0.1) == 0.25


@pytest.mark.parametrize(("now", "is_over"), [(4.0, False), (4.01, True)])
def test_port_is_given_up_after_four_seconds_of_greetings(now: float, is_over: bool) -> None:
    peer = Peer()
    peer.session.poll(now)
    assert peer.session.has_timed_out(now) == is_over
    assert peer.session.take_events() == [], "what was never there is no loss"


def test_connected_box_has_not_timed_out(peer: Peer) -> None:
    assert not peer.session.has_timed_out(10.0)


# Silence -------------------------------------------------------------------------------------------------------------


def test_silent_box_is_greeted_after_1_2_seconds_and_lost_after_2(peer: Peer) -> None:
    for now, state in ((1.199, SessionState.CONNECTED), (1.2, SessionState.GREETING)):
        peer.session.check_timeouts(now)
        assert peer.session.state is state
    for now, events in ((1.999, []), (2.0, [DeviceLost("button box", 2.0)])):
        peer.session.check_timeouts(now)
        assert peer.session.take_events() == events
    peer.session.check_timeouts(2.5)
    assert peer.session.take_events() == [], "reported once"


def test_after_a_stall_of_the_host_the_box_has_time_to_answer(peer: Peer) -> None:
    peer.session.check_timeouts(5.0)
    peer.session.check_timeouts(5.79)
    assert peer.session.take_events() == []
    assert peer.session.deadline(5.79) == 5.0, "greet it"
    peer.session.poll(5.79)
    assert peer.session.deadline(5.79) == pytest.approx(5.8)
    peer.session.check_timeouts(5.8)
    assert peer.session.take_events() == [DeviceLost("button box", 5.8)]


def test_box_that_answers_no_ping_is_greeted_after_three_seconds(peer: Peer) -> None:
    for now, state in ((1.0, True), (2.0, True), (2.99, True), (3.0, False)):
        peer.send_levels(now)
        peer.session.check_timeouts(now)
        assert (peer.session.state is SessionState.CONNECTED) == state


def test_deadline_is_the_next_ping_the_end_of_silence_or_a_repetition(peer: Peer) -> None:
    assert peer.deadline == 0.0
    next_ping = peer.answer_pings(9)
    assert next_ping == pytest.approx(0.66)
    assert peer.session.deadline(0.2) == next_ping
    peer.poll(next_ping)
    assert peer.deadline == pytest.approx(1.16)
    peer.poll(peer.deadline)
    assert peer.deadline == pytest.approx(1.2), "nothing but answers to pings"
    lit = Peer()
    lit.greet(0.0)
    lit.answer_pings(9)
    lit.send(FrameType.ACK, b"\1", 0.2)
    lit.session.set_lamps(LIT)
    lit.poll(0.3)
    assert lit.session.deadline(0.3) == pytest.approx(0.36), "the lamps again"


def test_lamps_are_sent_once_after_another_greeting() -> None:
    peer = Peer()
    peer.greet(0.0)
    peer.session.set_lamps(LIT)
    assert [frame.type for frame in peer.poll(0.0)].count(FrameType.LAMPS) == 1
    peer.session.check_timeouts(1.2)
    assert peer.session.is_settled, "nobody is there to confirm"
    peer.session.set_lamps((LampEffect.OFF,) * 10)
    peer.greet(1.2)
    lamps = [frame for frame in peer.poll(1.2) if frame.type == FrameType.LAMPS]
    assert lamps == [WireFrame(FrameType.LAMPS, 0, bytes(10))], "the newest"


def test_session_is_settled_when_the_box_has_the_lamps(peer: Peer) -> None:
    assert peer.session.is_settled, "it has none"
    lit = Peer()
    lit.greet(0.0)
    assert not lit.session.is_settled, "the box's lamps are not known"
    lit.poll(0.0)
    assert not lit.session.is_settled
    lit.send(FrameType.ACK, b"\1", 0.01)
    assert lit.session.is_settled
    lit.session.set_lamps(LIT)
    assert not lit.session.is_settled


# Pings ---------------------------------------------------------------------------------------------------------------


def list_pauses(peer: Peer, count: int, *, is_answered: bool) -> list[float]:
    """Return the pauses between pings."""
    times = []
    for _ in range(count + 1):
        now = peer.deadline
        ping = peer.ping(now)
        assert ping is not None
        times.append(now)
        peer.send_levels(now)
        if is_answered:
            peer.pong(ping, now)
    return [round(after - before, 3) for before, after in itertools.pairwise(times)]


def test_eight_answers_come_fast_then_two_a_second(peer: Peer) -> None:
    assert list_pauses(peer, 11, is_answered=True) == [0.02] * 8 + [0.5] * 3


def test_unanswered_pings_become_rare_after_forty(peer: Peer) -> None:
    assert list_pauses(peer, 41, is_answered=False) == [0.02] * 39 + [0.5] * 2


@pytest.mark.parametrize(("oldest", "is_ready"), [(2, True), (1, False)])
def test_times_of_the_last_sixteen_pings_are_remembered(peer: Peer, oldest: int, is_ready: bool) -> None:
    pings = [peer.ping(peer.deadline) for _ in range(18)]
    assert len({ping.token for ping in pings if ping is not None}) == 18
    for ping in pings[oldest : oldest + 3]:
        peer.pong(ping, 0.4)
        peer.pong(ping, 0.4)  # the line repeats it
    assert (peer.session.get_status(0.4).stamp_error_seconds is not None) == is_ready


def test_time_on_the_wire_is_nine_bytes_there_and_seventeen_back() -> None:
    peer = Peer(byte_seconds=0.001)
    peer.greet(0.0)
    for n in range(3):
        ping = peer.ping(0.2 * n)
        assert ping is not None
        # The box's clock stands still on the way back: 0.1 s for both ways, 26 ms of them for the bytes.
        tick = FIRST_TICK + 200_000 * n
        peer.send(FrameType.PONG, PongMessage(ping.token, tick, tick).pack(), 0.2 * n + 0.1)
    peer.send_reliable(FrameType.EVENT, EdgeMessage(50, 0, True, FIRST_TICK + 600_000, 1).pack(), 0.8)
    press = peer.session.take_events()[-1]
    assert press.at == pytest.approx(0.6 + 0.009 + (0.1 - 0.026) / 2, abs=1e-4)


# Stamps --------------------------------------------------------------------------------------------------------------


def test_event_waits_for_the_third_answer(peer: Peer) -> None:
    peer.press(0.0)
    peer.answer_pings(2)
    assert peer.session.take_events() == []
    now = peer.answer_pings(1)
    assert [type(event) for event in peer.session.take_events()] == [ButtonPressed]
    peer.press(now)
    assert [type(event) for event in peer.session.take_events()] == [ButtonPressed], "this one at once"


def test_event_waits_for_a_second_at_most(peer: Peer) -> None:
    peer.press(0.5)
    peer.session.check_timeouts(0.99)
    assert peer.session.take_events() == []
    peer.session.check_timeouts(1.0)
    assert [event.at for event in peer.session.take_events()] == [0.5]
    peer.press(1.0)
    assert [event.at for event in peer.session.take_events()] == [1.0]


@pytest.mark.parametrize(
    ("answers", "ahead", "delay", "state"),
    [
        (8, 0.24, 0.0, SessionState.CONNECTED),
        (8, 0.26, 0.0, SessionState.GREETING),
        (8, -0.26, 0.0, SessionState.GREETING),
        (8, 0.26, 0.1, SessionState.CONNECTED),
        (8, 0.46, 0.1, SessionState.GREETING),
        (7, 0.26, 0.0, SessionState.CONNECTED),
    ],
    ids=["small", "jump", "jump back", "slow line", "jump on a slow line", "just greeted"],
)
def test_box_whose_clock_jumps_by_a_quarter_of_a_second_is_greeted(
    peer: Peer, answers: int, ahead: float, delay: float, state: SessionState
) -> None:
    now = peer.answer_pings(answers)
    peer.pong(peer.ping(now), now + delay, ahead)
    assert peer.session.state is state


# Floods and lost events ----------------------------------------------------------------------------------------------


def test_512_events_at_once_and_250_a_second_are_no_flood(peer: Peer) -> None:
    for _ in range(512):
        peer.press(0.0)
    assert not peer.session.is_flooding
    for _ in range(250):
        peer.press(1.0)
    assert not peer.session.is_flooding
    peer.press(1.0)
    assert peer.session.is_flooding
    peer.press(100.0)
    assert peer.session.is_flooding, "until the port is opened again"
    assert len(peer.session.take_events()) <= 512 + 250 + 1, "what floods is not kept"
    peer.session.connect(100.0, byte_seconds=0.0)
    assert not peer.session.is_flooding


def test_rest_does_not_allow_more_than_512_events_or_reports_of_loss_at_once(peer: Peer) -> None:
    for _ in range(256):
        peer.press(50.0)
        peer.send_reliable(FrameType.LOST, LostMessage(1).pack(), 50.0)
    assert not peer.session.is_flooding
    peer.send_reliable(FrameType.LOST, LostMessage(1).pack(), 50.0)
    assert peer.session.is_flooding


def test_lost_events_are_logged_once_a_minute_with_their_sum(peer: Peer, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        for at, count in ((0.0, 5), (30.0, 2), (59.9, 1), (60.0, 4), (119.9, 3), (120.0, 6)):
            peer.send_reliable(FrameType.LOST, LostMessage(count).pack(), at)
    assert [record.getMessage().split(":")[0] for record in caplog.records] == [
        "The button box lost 5 events",
        "The button box lost 7 events",
        "The button box lost 9 events",
    ]
