"""The host's side of the protocol against a virtual box, in simulated time."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from companion.events import Button, ButtonPressed, ButtonReleased, DeviceLost, DeviceRestored
from hardware.buttons.lamp_effects import Effect
from hardware.buttons.usb_box.framing import Frame, encode
from hardware.buttons.usb_box.messages import BUTTONS, TICK_MODULUS, Event, Lamps, Type
from hardware.buttons.usb_box.session import NAME, Session, State
from tests.doubles.simulated_box import Faults, Make, Talk
from tests.hardware.buttons.usb_box.boxworld import BAD, BEGAN, SOUND, buttons, pressed, world

LAMPS = (Effect.ON, Effect.SLOW, Effect.FAST, Effect.BREATHE, *[Effect.OFF] * 6)


def talking(w: Talk, seconds: float = 1.0) -> Talk:
    w.run(w.now + seconds)
    assert w.session.state is State.TALKING
    w.session.signals()
    return w


def test_a_greeting_a_clock_and_the_lamps() -> None:
    w = world()
    w.session.light(LAMPS)
    w.run(BEGAN + 5.0)
    assert [type(s) for s in w.session.signals()] == [DeviceRestored]
    assert w.session.welcome is not None
    assert w.session.welcome.firmware == (1, 0, 0)
    assert w.box.lamps == Lamps(LAMPS)
    status = w.session.status(w.now)
    assert status.error is not None
    assert status.error < 0.003
    assert (status.dropped.all, status.words) == (0, None)


def test_presses_come_with_their_time_and_their_source() -> None:
    w = talking(world(Make(rate=1.0001)))
    w.box.edge(Button.SEAT3, True, w.now + 0.5)
    w.box.edge(Button.OK, True, w.now + 0.501)
    w.box.edge(Button.SEAT3, False, w.now + 0.6)
    began = w.now
    w.run(w.now + 1.0)
    signals = w.session.signals()
    assert buttons(signals) == ["+seat3", "+ok", "-seat3"]
    assert all(s.source == NAME for s in signals if isinstance(s, ButtonPressed | ButtonReleased))
    assert [s.at - began for s in signals] == pytest.approx([0.5, 0.501, 0.6], abs=0.002)


@pytest.mark.parametrize("seed", range(6))
def test_over_a_bad_line_each_press_once_in_order_and_on_time(seed: int) -> None:
    w = world(Make(rate=0.9999, first_tick=TICK_MODULUS - 8_000_000), BAD, BAD, seed)
    truth, rng, at = [], random.Random(seed), BEGAN + 2.0
    for n in range(300):
        at += rng.uniform(0.0005, 0.08)
        button = BUTTONS[n % 10]
        truth.append((button, at))
        w.box.edge(button, True, at)
        w.box.edge(button, False, at + 0.0004)
    w.run(at + 20.0)
    assert w.box.idle
    signals = w.session.signals()
    got = pressed(signals)
    assert [b for b, _ in got] == [b for b, _ in truth]
    assert buttons(signals) == [f"{sign}{b}" for b, _ in truth for sign in "+-"]
    assert max(abs(a - t) for (_, a), (_, t) in zip(got, truth, strict=True)) < 0.005
    status = w.session.status(w.now)
    assert status.dropped.all > 50
    assert status.traffic.repeated > 0
    assert not any(isinstance(s, DeviceLost) for s in signals)


@given(
    st.lists(
        st.sampled_from(["cut", "join", "reconnect", "press", "press", "noise", "wait", "reboot ready"]), max_size=25
    ),
    st.integers(0, 2**16),
    st.booleans(),
)
@hypothesis_settings(max_examples=60)
def test_whatever_happens_to_the_line_every_press_arrives_once_and_in_order(
    deeds: list[str], seed: int, bad: bool
) -> None:
    w = world(there=BAD if bad else SOUND, back=BAD if bad else SOUND, seed=seed)
    rng = random.Random(seed)
    truth: list[tuple[float, Button]] = []
    w.run(BEGAN + 1.0)
    for deed in deeds:
        at = w.now + rng.uniform(0.001, 0.05)
        if deed == "press":
            button = rng.choice(BUTTONS)
            truth.append((at, button))
            w.box.edge(button, True, at)
            w.box.edge(button, False, at + 0.0005)
        elif deed in ("cut", "join"):
            w.there.cut = w.back.cut = deed == "cut"
        elif deed == "reconnect":
            w.session.disconnect(w.now)
            w.there.clear()
            w.back.clear()
            w.session.connect(w.now)
        elif deed == "noise":
            w.back.put(rng.randbytes(rng.randrange(80)), w.now)
            w.there.put(rng.randbytes(rng.randrange(80)), w.now)
        elif deed == "reboot ready" and w.box.idle:
            w.box.reboot(w.now)
        w.run(w.now + rng.choice([0.051, 0.06, 0.3, 1.2, 3.0]))
    w.there.cut = w.back.cut = False
    w.run(w.now + 30.0)
    assert w.box.idle
    assert [b for b, _ in pressed(w.session.signals())] == [b for _, b in sorted(truth)]


def test_silence_is_told_after_two_seconds_and_what_was_held_is_let_go() -> None:
    w = talking(world())
    w.box.edge(Button.NO, True, w.now + 0.1)
    w.run(w.now + 0.2)
    w.session.signals()
    w.back.cut = True
    cut = w.now
    w.run(cut + 5.0)
    released, lost = w.session.signals()
    assert isinstance(released, ButtonReleased)
    assert isinstance(lost, DeviceLost)
    assert 1.4 < lost.at - cut <= 2.01
    w.back.cut = False
    w.box.edge(Button.NO, False, w.now + 0.1)
    w.run(w.now + 2.0)
    assert [type(s) for s in w.session.signals()] == [DeviceRestored], "its release was told already"


def test_pressed_while_the_line_was_cut_is_told_with_its_true_time() -> None:
    w = talking(world())
    w.there.cut = w.back.cut = True
    at = w.now + 1.0
    w.box.edge(Button.SEAT1, True, at)
    w.run(w.now + 10.0)
    w.there.cut = w.back.cut = False
    w.run(w.now + 2.0)
    assert pressed(w.session.signals()) == [(Button.SEAT1, pytest.approx(at, abs=0.003))]


def test_pressed_before_the_driver_began_counts_for_nothing() -> None:
    w = world(on=BEGAN - 100.0)
    for n in range(5):
        w.box.edge(Button.OK, True, BEGAN - 50.0 + n)
        w.box.edge(Button.OK, False, BEGAN - 49.5 + n)
    w.box.poll(BEGAN)
    w.run(BEGAN + 1.0)
    assert buttons(w.session.signals()) == []
    assert w.session.status(w.now).stale == 5


def test_a_reboot_is_noticed_within_two_seconds_without_a_loss() -> None:
    w = talking(world())
    w.session.light(LAMPS)
    w.box.edge(Button.SEAT2, True, w.now + 0.1)
    w.run(w.now + 0.5)
    w.session.signals()
    w.box.reboot(w.now)
    rebooted = w.now
    w.box.edge(Button.SEAT4, True, w.now + 0.5)
    w.run(rebooted + 2.0)
    signals = w.session.signals()
    assert buttons(signals) == ["-seat2", "+seat4"]
    assert signals[1].at == pytest.approx(rebooted + 0.5, abs=0.003)
    assert w.session.status(w.now).restarts == 1
    assert w.box.lamps == Lamps(LAMPS), "lit again as before"


@pytest.mark.parametrize(("version", "words"), [(0, "make firmware"), (2, "update the companion")])
def test_a_box_of_another_version_is_kept_out_with_words(version: int, words: str) -> None:
    w = world(Make(version=version, firmware=(0, 9, 1)))
    w.box.edge(Button.SEAT1, True, BEGAN + 0.5)
    w.run(BEGAN + 10.0)
    (lost,) = w.session.signals()
    assert isinstance(lost, DeviceLost)
    assert words in lost.message
    assert "0.9.1" in lost.message
    assert w.session.state is State.MISFIT
    assert w.session.status(w.now).words == lost.message
    assert 4 <= w.box.hellos <= 7, "asked again now and then"
    w.box.make = Make()
    w.box.reboot(w.now)
    w.run(w.now + 3.0)
    assert [type(s) for s in w.session.signals()] == [DeviceRestored], "new firmware was put onto it"
    assert w.session.status(w.now).words is None


@pytest.mark.parametrize("slow", [0.2, 0.4, 0.8])
def test_an_answer_later_than_the_next_greeting(slow: float) -> None:
    w = world(there=Faults(delay=slow / 2), back=Faults(delay=slow / 2))
    w.run(BEGAN + 6.0)
    assert w.session.state is State.TALKING


def test_a_doubled_greeting_does_not_put_the_ends_out_of_step() -> None:
    w = world()
    w.session.light(LAMPS)
    hello = w.session.poll(w.now)
    w.there.put(hello + hello, w.now)
    w.box.edge(Button.OK, True, w.now + 0.0001)
    w.run(BEGAN + 2.0)
    assert w.session.state is State.TALKING
    assert buttons(w.session.signals()) == ["+ok"]
    assert w.box.lamps == Lamps(LAMPS)


def test_a_host_that_stalls_for_seconds_loses_nothing() -> None:
    w = talking(world())
    at = w.now
    for n in range(12):
        w.box.edge(BUTTONS[n % 10], True, at + 0.3 * n + 0.1)
        w.box.edge(BUTTONS[n % 10], False, at + 0.3 * n + 0.2)
    deaf = w.now + 5.0
    while w.now < deaf:  # the box talks on, nobody listens, the kernel keeps it
        w.now = max(w.now + 0.01, w.box.deadline())
        w.back.put(w.box.poll(w.now), w.now)
    w.run(w.now + 3.0)
    signals = w.session.signals()
    assert [b for b, _ in pressed(signals)] == [BUTTONS[n % 10] for n in range(12)]
    assert not any(isinstance(s, DeviceLost) for s in signals), "it was the host that was away"
    assert [a for _, a in pressed(signals)] == pytest.approx([at + 0.3 * n + 0.1 for n in range(12)], abs=0.003)


def test_more_presses_than_the_box_can_keep_are_counted_as_lost() -> None:
    w = talking(world(Make(queue=8)))
    w.there.cut = w.back.cut = True
    for n in range(20):
        w.box.edge(Button.OK, n % 2 == 0, w.now + 0.01 * (n + 1))
    w.run(w.now + 0.5)
    w.there.cut = w.back.cut = False
    w.box.edge(Button.NO, True, w.now + 2.0)
    w.run(w.now + 5.0)
    assert w.session.status(w.now).lost == 12
    assert buttons(w.session.signals()) == ["+ok", "-ok"] * 4 + ["+no"]


def test_a_lost_release_is_mended_and_a_press_is_never_made_up() -> None:
    w = talking(world())
    w.box.edge(Button.OK, True, w.now + 0.1)
    w.run(w.now + 0.3)
    w.box._levels = 1 << BUTTONS.index(Button.NO)  # as if OK's release and NO's press had found a full queue
    w.run(w.now + 3.0)
    assert buttons(w.session.signals()) == ["+ok", "-ok"]
    assert w.session.status(w.now).mended == 1


def test_a_release_that_is_only_late_is_not_told_twice() -> None:
    w = talking(world())
    w.box.edge(Button.OK, True, w.now + 0.1)
    w.run(w.now + 0.3)
    w.back.faults = Faults(drop=0.04)
    at = w.now + 0.1
    w.box.edge(Button.OK, False, at)
    w.run(w.now + 5.0)
    assert buttons(w.session.signals()) == ["+ok", "-ok"]


def test_presses_in_the_first_moments_wait_for_the_clock() -> None:
    w = world()
    w.box.edge(Button.SEAT1, True, BEGAN + 0.004)
    w.run(BEGAN + 1.0)
    assert pressed(w.session.signals()) == [(Button.SEAT1, pytest.approx(BEGAN + 0.004, abs=0.003))]


def test_a_box_that_answers_no_ping_is_heard_all_the_same() -> None:
    w = world()
    w.run(BEGAN + 0.004)
    assert w.session.state is State.TALKING
    session = w.session
    event = Event(0, 6, True, 3_500_000, 64)
    session.feed(encode(Frame(Type.EVENT, 0, event.pack())), BEGAN + 0.5)
    session.poll(BEGAN + 0.9)
    assert pressed(session.signals()) == []
    session.poll(BEGAN + 1.1)
    assert pressed(session.signals()) == [(Button.OK, BEGAN + 0.5)], "stamped when it came in"


def test_the_newest_wish_for_the_lamps_wins_over_those_in_between() -> None:
    w = talking(world())
    before = w.session.status(w.now).traffic.sent
    for n in range(100):
        w.session.light(tuple(Effect(n % 5) for _ in range(10)))
        w.session.poll(w.now)
    w.run(w.now + 1.0)
    assert w.box.lamps == Lamps((Effect(4),) * 10)
    assert w.session.status(w.now).traffic.sent - before <= 2
    assert w.session.settled


@pytest.mark.parametrize(
    ("capabilities", "shown"), [(3, Effect.BREATHE), (1, Effect.SLOW), (0, Effect.OFF), (2, Effect.OFF)]
)
def test_lamps_that_cannot_be_dimmed_blink_slowly_instead(capabilities: int, shown: Effect) -> None:
    w = world(Make(capabilities=capabilities))
    w.session.light((Effect.BREATHE,) * 10)
    w.run(BEGAN + 1.0)
    assert w.box.lamps == Lamps((shown,) * 10)
    assert w.session.settled


def test_unknown_and_malformed_frames_are_counted_and_not_acknowledged() -> None:
    w = talking(world())
    taken = w.session.status(w.now).traffic.taken
    w.session.feed(encode(Frame(0x7F, 0, b"?")), w.now)
    w.session.feed(encode(Frame(Type.EVENT, 0, b"?")), w.now)
    w.session.feed(encode(Frame(Type.LEVELS, 0, b"?")), w.now)
    status = w.session.status(w.now)
    assert (status.dropped.unknown, status.dropped.bad_length, status.traffic.taken) == (1, 2, taken)


def test_a_port_where_nobody_answers_is_given_up() -> None:
    w = world()
    w.there.cut = True
    w.run(BEGAN + 3.9)
    assert not w.session.gives_up(w.now)
    w.run(BEGAN + 4.1)
    assert w.session.gives_up(w.now)
    assert w.session.signals() == [], "what was never there is no loss"


def test_a_stamp_is_never_later_than_it_was_heard_of_and_never_before_the_last() -> None:
    session = Session(0.0, lambda: 7)
    memory = session._memory
    memory.booted(1, 0.0, (0.0, 0.0))
    memory.sync.add(1.0, 1.002, 1_000_000, 1_000_000)
    memory.happened(Event(0, 0, True, 2_000_000, 1), 2.0001)
    memory.sync.add(2.1, 2.5, 2_100_000, 2_100_000)
    memory.happened(Event(1, 1, True, 2_000_100, 1), 2.6)
    memory.happened(Event(2, 2, True, 9_000_000, 1), 2.7)
    stamps = [s.at for s in memory.signals()]
    assert stamps == sorted(stamps)
    assert stamps[0] <= 2.0001
    assert stamps[1] - stamps[0] >= 0.5 * 0.0001
    assert stamps[2] == 2.7


def test_a_button_that_is_held_while_the_box_starts_anew_is_not_pressed_twice() -> None:
    w = talking(world())
    w.box.edge(Button.OK, True, w.now + 0.1)
    w.run(w.now + 0.2)
    w.box.reboot(w.now)
    w.box.edge(Button.OK, True, w.now + 0.000_1)
    w.box.edge(Button.NO, True, w.now + 0.002)
    w.box.edge(Button.OK, False, w.now + 1.0)
    w.run(w.now + 3.0)
    assert buttons(w.session.signals()) == ["+ok", "-ok", "+no"], "the other one was truly pressed"
