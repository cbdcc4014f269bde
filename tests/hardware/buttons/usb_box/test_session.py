"""The host's side of the protocol against a simulated box, in simulated time.

Presses and held buttons: test_box_events.py.
"""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from companion.events import Button, ButtonPressed, ButtonReleased, DeviceLost, DeviceRestored
from hardware.buttons.lamp_effects import LampEffect
from hardware.buttons.usb_box.framing import FrameDecoder, WireFrame, encode_frame
from hardware.buttons.usb_box.messages import BUTTONS, TICK_MODULUS, ColoursMessage, FrameType, LampsMessage
from hardware.buttons.usb_box.session import BoxSession, SessionState
from tests.doubles.simulated_box import BoxConversation, BoxSpec, LineFaults
from tests.hardware.buttons.usb_box.boxworld import (
    NOISY_FAULTS,
    START_SECONDS,
    UART_FAULTS,
    describe_buttons,
    list_presses,
    start_conversation,
)

LAMPS = (LampEffect.ON, LampEffect.SLOW, LampEffect.FAST, LampEffect.BREATHE, *[LampEffect.OFF] * 6)


def talking(talk: BoxConversation, seconds: float = 1.0) -> BoxConversation:
    talk.run(talk.now + seconds)
    assert talk.session.state is SessionState.CONNECTED
    talk.session.take_events()
    return talk


@pytest.fixture
def talk() -> BoxConversation:
    return talking(start_conversation())


def test_handshake_clock_and_lamps() -> None:
    talk = start_conversation()
    talk.session.set_lamps(LAMPS)
    talk.run(START_SECONDS + 5.0)
    assert [type(s) for s in talk.session.take_events()] == [DeviceRestored]
    assert talk.session.welcome is not None
    assert talk.session.welcome.firmware == (1, 0, 0)
    assert talk.box.lamps == LampsMessage(LAMPS)
    status = talk.session.get_status(talk.now)
    assert status.stamp_error_seconds is not None
    assert status.stamp_error_seconds < 0.003
    assert status.problem is None


@pytest.mark.parametrize("seed", range(2))
def test_bad_line_delivers_each_press_once_in_order_and_on_time(seed: int) -> None:
    talk = start_conversation(
        BoxSpec(rate=0.9999, first_tick=TICK_MODULUS - 8_000_000), NOISY_FAULTS, NOISY_FAULTS, seed
    )
    truth, rng, at = [], random.Random(seed), START_SECONDS + 2.0
    for n in range(150):
        at += rng.uniform(0.0005, 0.08)
        button = BUTTONS[n % 10]
        truth.append((button, at))
        talk.box.add_edge(button, True, at)
        talk.box.add_edge(button, False, at + 0.0004)
    talk.run(at + 10.0)
    assert talk.box.is_idle
    signals = talk.session.take_events()
    got = list_presses(signals)
    assert [b for b, _ in got] == [b for b, _ in truth]
    assert describe_buttons(signals) == [f"{sign}{b}" for b, _ in truth for sign in "+-"]
    assert max(abs(a - t) for (_, a), (_, t) in zip(got, truth, strict=True)) < 0.005
    assert min(talk.to_box.fault_count, talk.from_box.fault_count) > 25
    assert not any(isinstance(s, DeviceLost) for s in signals)


@given(
    st.lists(
        st.sampled_from(["cut", "join", "reconnect", "press", "press", "noise", "wait", "reboot ready"]), max_size=25
    ),
    st.integers(0, 2**16),
    st.booleans(),
)
@hypothesis_settings(max_examples=25)
def test_any_line_faults_deliver_every_press_once_in_order(actions: list[str], seed: int, bad: bool) -> None:
    talk = start_conversation(
        to_box=NOISY_FAULTS if bad else UART_FAULTS, from_box=NOISY_FAULTS if bad else UART_FAULTS, seed=seed
    )
    rng = random.Random(seed)
    truth: list[tuple[float, Button]] = []
    talk.run(START_SECONDS + 1.0)
    for action in actions:
        at = talk.now + rng.uniform(0.001, 0.05)
        if action == "press":
            button = rng.choice(BUTTONS)
            truth.append((at, button))
            talk.box.add_edge(button, True, at)
            talk.box.add_edge(button, False, at + 0.0005)
        elif action in ("cut", "join"):
            talk.to_box.is_cut = talk.from_box.is_cut = action == "cut"
        elif action == "reconnect":
            talk.session.disconnect(talk.now)
            talk.to_box.clear()
            talk.from_box.clear()
            talk.session.connect(talk.now, byte_seconds=0.0)
        elif action == "noise":
            talk.from_box.write(rng.randbytes(rng.randrange(80)), talk.now)
            talk.to_box.write(rng.randbytes(rng.randrange(80)), talk.now)
        elif action == "reboot ready" and talk.box.is_idle:
            talk.box.reboot(talk.now)
        talk.run(talk.now + rng.choice([0.051, 0.06, 0.3, 1.2, 3.0]))
    talk.to_box.is_cut = talk.from_box.is_cut = False
    for _ in range(30):
        talk.run(talk.now + 1.0)
        if talk.box.is_idle:
            break
    assert talk.box.is_idle
    talk.run(talk.now + 1.5)  # for which events may wait for the clocks to be compared
    assert [b for b, _ in list_presses(talk.session.take_events())] == [b for _, b in sorted(truth)]


def test_two_seconds_of_silence_report_loss_and_release_held_buttons(talk: BoxConversation) -> None:
    talk.box.add_edge(Button.NO, True, talk.now + 0.1)
    talk.run(talk.now + 0.2)
    talk.session.take_events()
    talk.from_box.is_cut = True
    cut = talk.now
    talk.run(cut + 5.0)
    released, lost = talk.session.take_events()
    assert isinstance(released, ButtonReleased)
    assert isinstance(lost, DeviceLost)
    assert 1.4 < lost.at - cut <= 2.01
    talk.from_box.is_cut = False
    talk.box.add_edge(Button.NO, False, talk.now + 0.1)
    talk.run(talk.now + 2.0)
    assert [type(s) for s in talk.session.take_events()] == [DeviceRestored], "its release was reported already"


def test_presses_during_a_cut_line_have_their_true_time(talk: BoxConversation) -> None:
    talk.to_box.is_cut = talk.from_box.is_cut = True
    at = talk.now + 1.0
    talk.box.add_edge(Button.SEAT1, True, at)
    talk.run(talk.now + 10.0)
    talk.to_box.is_cut = talk.from_box.is_cut = False
    talk.run(talk.now + 2.0)
    assert list_presses(talk.session.take_events()) == [(Button.SEAT1, pytest.approx(at, abs=0.003))]


def test_presses_before_the_driver_started_are_ignored() -> None:
    talk = start_conversation(switched_on_at=START_SECONDS - 100.0)
    for n in range(5):
        talk.box.add_edge(Button.OK, True, START_SECONDS - 50.0 + n)
        talk.box.add_edge(Button.OK, False, START_SECONDS - 49.5 + n)
    talk.box.poll(START_SECONDS)
    talk.run(START_SECONDS + 1.0)
    assert describe_buttons(talk.session.take_events()) == []


def test_reboot_is_detected_within_two_seconds_without_loss(talk: BoxConversation) -> None:
    talk.session.set_lamps(LAMPS)
    talk.box.add_edge(Button.SEAT2, True, talk.now + 0.1)
    talk.run(talk.now + 0.5)
    talk.session.take_events()
    talk.box.reboot(talk.now)
    rebooted = talk.now
    talk.box.add_edge(Button.SEAT4, True, talk.now + 0.5)
    talk.run(rebooted + 2.0)
    signals = talk.session.take_events()
    assert describe_buttons(signals) == ["-seat2", "+seat4"]
    assert signals[1].at == pytest.approx(rebooted + 0.5, abs=0.003)
    assert talk.box.lamps == LampsMessage(LAMPS), "lit again as before"


@pytest.mark.parametrize(("version", "words"), [(0, "make firmware"), (2, "update the companion")])
def test_incompatible_version_is_refused_with_a_remedy(version: int, words: str) -> None:
    talk = start_conversation(BoxSpec(version=version, firmware=(0, 9, 1)))
    talk.box.add_edge(Button.SEAT1, True, START_SECONDS + 0.5)
    talk.run(START_SECONDS + 10.0)
    (lost,) = talk.session.take_events()
    assert isinstance(lost, DeviceLost)
    assert words in lost.message
    assert "0.9.1" in lost.message
    assert talk.session.state is SessionState.INCOMPATIBLE
    assert talk.session.get_status(talk.now).problem == lost.message
    assert 4 <= talk.box.hello_count <= 7, "asked again now and then"
    talk.box.spec = BoxSpec()
    talk.box.reboot(talk.now)
    talk.run(talk.now + 3.0)
    assert [type(s) for s in talk.session.take_events()] == [DeviceRestored], "new firmware was put onto it"
    assert talk.session.get_status(talk.now).problem is None


@pytest.mark.parametrize("slow", [0.2, 0.4, 0.8])
def test_reply_after_the_next_hello(slow: float) -> None:
    talk = start_conversation(to_box=LineFaults(delay=slow / 2), from_box=LineFaults(delay=slow / 2))
    talk.run(START_SECONDS + 6.0)
    assert talk.session.state is SessionState.CONNECTED


def test_repeated_hello_keeps_both_ends_in_step() -> None:
    talk = start_conversation()
    talk.session.set_lamps(LAMPS)
    hello = talk.session.poll(talk.now)
    talk.to_box.write(hello + hello, talk.now)
    talk.box.add_edge(Button.OK, True, talk.now + 0.0001)
    talk.run(START_SECONDS + 2.0)
    assert talk.session.state is SessionState.CONNECTED
    assert describe_buttons(talk.session.take_events()) == ["+ok"]
    assert talk.box.lamps == LampsMessage(LAMPS)


def test_stalled_host_loses_nothing(talk: BoxConversation) -> None:
    at = talk.now
    for n in range(12):
        talk.box.add_edge(BUTTONS[n % 10], True, at + 0.3 * n + 0.1)
        talk.box.add_edge(BUTTONS[n % 10], False, at + 0.3 * n + 0.2)
    deaf = talk.now + 5.0
    while talk.now < deaf:  # the box sends, the host does not read, the kernel buffers
        talk.now = max(talk.now + 0.01, talk.box.deadline())
        talk.from_box.write(talk.box.poll(talk.now), talk.now)
    talk.run(talk.now + 3.0)
    signals = talk.session.take_events()
    assert [b for b, _ in list_presses(signals)] == [BUTTONS[n % 10] for n in range(12)]
    assert not any(isinstance(s, DeviceLost) for s in signals), "it was the host that was away"
    assert [a for _, a in list_presses(signals)] == pytest.approx([at + 0.3 * n + 0.1 for n in range(12)], abs=0.003)


def test_presses_beyond_the_queue_are_logged_as_lost(caplog: pytest.LogCaptureFixture) -> None:
    talk = talking(start_conversation(BoxSpec(queue_size=8)))
    talk.to_box.is_cut = talk.from_box.is_cut = True
    for n in range(20):
        talk.box.add_edge(Button.OK, n % 2 == 0, talk.now + 0.01 * (n + 1))
    talk.run(talk.now + 0.5)
    talk.to_box.is_cut = talk.from_box.is_cut = False
    talk.box.add_edge(Button.NO, True, talk.now + 2.0)
    talk.run(talk.now + 5.0)
    assert "lost 12 events" in caplog.text
    assert describe_buttons(talk.session.take_events()) == ["+ok", "-ok"] * 4 + ["+no"]


def test_lost_release_is_recovered_and_no_press_is_invented(talk: BoxConversation) -> None:
    talk.box.add_edge(Button.OK, True, talk.now + 0.1)
    talk.run(talk.now + 0.3)
    talk.box._levels = 1 << BUTTONS.index(Button.NO)  # as if the queue was full at OK's release and NO's press
    talk.run(talk.now + 3.0)
    assert describe_buttons(talk.session.take_events()) == ["+ok", "-ok"]


def test_late_release_is_reported_once(talk: BoxConversation) -> None:
    talk.box.add_edge(Button.OK, True, talk.now + 0.1)
    talk.run(talk.now + 0.3)
    talk.from_box.faults = LineFaults(drop=0.04)
    at = talk.now + 0.1
    talk.box.add_edge(Button.OK, False, at)
    talk.run(talk.now + 5.0)
    assert describe_buttons(talk.session.take_events()) == ["+ok", "-ok"]


def test_only_the_latest_lamp_state_is_sent(talk: BoxConversation) -> None:
    before = talk.box.lamps_count
    for n in range(100):
        talk.session.set_lamps(tuple(LampEffect(n % 5) for _ in range(10)))
        talk.session.poll(talk.now)
    talk.run(talk.now + 1.0)
    assert talk.box.lamps == LampsMessage((LampEffect(4),) * 10)
    assert talk.box.lamps_count - before <= 2
    assert talk.session.is_settled


@pytest.mark.parametrize(
    ("capabilities", "effect"),
    [(3, LampEffect.BREATHE), (1, LampEffect.SLOW), (0, LampEffect.OFF), (2, LampEffect.OFF)],
)
def test_lamps_without_dimming_blink_slowly_instead(capabilities: int, effect: LampEffect) -> None:
    talk = start_conversation(BoxSpec(capabilities=capabilities))
    talk.session.set_lamps((LampEffect.BREATHE,) * 10)
    talk.run(START_SECONDS + 1.0)
    assert talk.box.lamps == LampsMessage((effect,) * 10)
    assert talk.session.is_settled


@pytest.mark.parametrize(("capabilities", "is_coloured"), [(7, True), (3, False), (4, False)])
def test_colours_go_only_to_boxes_that_have_them_and_once(capabilities: int, is_coloured: bool) -> None:
    talk = start_conversation(BoxSpec(capabilities=capabilities))
    colours = tuple((n, 2 * n, 255 - n) for n in range(10))
    for effect in (LampEffect.ON, LampEffect.SLOW):
        talk.session.set_lamps((effect,) * 10, colours)
        talk.run(talk.now + 1.0)
    assert talk.box.colours == (ColoursMessage(colours) if is_coloured else ColoursMessage())
    assert talk.box.colours_count == is_coloured
    assert talk.session.is_settled
    talk.box.reboot(talk.now)
    talk.run(talk.now + 4.0)
    assert talk.box.colours_count == 2 * is_coloured, "a box that returns gets them again"


def test_box_states_its_resolution_in_every_press() -> None:
    """Two milliseconds: bits 8 to 15 of the capabilities."""
    talk = talking(start_conversation(BoxSpec(capabilities=0x1403)))
    before = talk.session.get_status(talk.now).stamp_error_seconds
    talk.box.add_edge(Button.OK, True, talk.now + 0.1)
    talk.run(talk.now + 1.0)
    (press,) = [event for event in talk.session.take_events() if isinstance(event, ButtonPressed)]
    assert press.order_seconds == 0.002
    assert press.max_error_seconds >= 0.002
    assert before is not None
    assert before >= 0.002


def test_unknown_and_malformed_frames_are_dropped_and_not_acknowledged(talk: BoxConversation) -> None:
    talk.session.feed(encode_frame(WireFrame(0x7F, 0, b"?")), talk.now)
    talk.session.feed(encode_frame(WireFrame(FrameType.EVENT, 0, b"?")), talk.now)
    talk.session.feed(encode_frame(WireFrame(FrameType.LEVELS, 0, b"?")), talk.now)
    answers = FrameDecoder().feed(talk.session.poll(talk.now))
    assert FrameType.ACK not in {frame.type for frame in answers}
    assert talk.session.take_events() == []


def test_days_with_a_box_of_another_version() -> None:
    """H8: after as many greetings as there are nonces, here 40, no new one was left to be found."""
    drawn = itertools.count(1)

    def make_nonce() -> int:
        number = next(drawn)
        assert number < 10_000, "it does not end"
        return number % 40

    session = BoxSession(0.0, make_nonce)
    session.connect(0.0, byte_seconds=0.0)
    (hello,) = (f for f in FrameDecoder().feed(session.poll(0.0)) if f.type == FrameType.HELLO)
    session.feed(encode_frame(WireFrame(FrameType.WELCOME, 0, b"\2" + hello.body[1:3])), 0.01)
    assert session.state is SessionState.INCOMPATIBLE
    assert all(session.poll(3.0 * n) for n in range(1, 200))
