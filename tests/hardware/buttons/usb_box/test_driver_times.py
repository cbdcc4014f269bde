"""The driver in simulated time: how often it searches and greets, which port it trusts, how long it takes to close.

On a real pty: test_driver.py.
"""

from __future__ import annotations

import itertools
import random
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.events import Button, DeviceLost, DeviceRestored
from hardware.buttons.lamp_effects import LampEffect
from hardware.buttons.usb_box import driver as driver_module
from hardware.buttons.usb_box.driver import MAX_SKIP_PORT_SECONDS, SKIP_PORT_SECONDS, ButtonBox
from hardware.buttons.usb_box.framing import WireFrame, encode_frame
from hardware.buttons.usb_box.greetings import GREETING_TIMEOUT_SECONDS
from hardware.buttons.usb_box.messages import EdgeMessage, FrameType, HelloMessage, LampsMessage
from hardware.buttons.usb_box.ports import OpenPort, PortNotFound, SerialPort
from tests.conftest import REPOSITORY
from tests.doubles.simulated_box import BoxSpec, SimulatedBox
from tests.hardware.buttons.usb_box.simulated_time import GRID_SECONDS, SimulatedTime

FIRST, SECOND = SerialPort("/dev/ttyACM0"), SerialPort("/dev/ttyACM1")
LIT = {Button.OK: LampEffect.ON}


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[SimulatedTime]:
    world = SimulatedTime(monkeypatch)
    yield world
    world.close()


def make_box() -> SimulatedBox:
    return SimulatedBox(BoxSpec(), -3.0)


def plug(world: SimulatedTime, port: SerialPort) -> SimulatedBox:
    """Plug a box into the only port."""
    world.ports = [port]
    world.boxes[port.device] = make_box()
    return world.boxes[port.device]


def start_connected(world: SimulatedTime) -> tuple[ButtonBox, SimulatedBox]:
    """Return a driver with a box that it has found and lit, after a second."""
    box = plug(world, FIRST)
    driver = world.start()
    driver.set_lamps(LIT)
    world.run(1.0)
    assert driver.is_connected
    assert box.lamps != LampsMessage()
    return driver, box


def find_hellos(world: SimulatedTime) -> list[tuple[float, HelloMessage]]:
    return [(at, HelloMessage.unpack(frame.body)) for at, frame in world.frames if frame.type == FrameType.HELLO]


def test_search_is_repeated_after_0_3_seconds(world: SimulatedTime) -> None:
    driver = world.start()
    world.run(1.0)
    assert world.searched_at == pytest.approx([0.0, 0.3, 0.6, 0.9], abs=1e-3)
    plug(world, FIRST)
    world.run(1.25)
    assert [type(event) for event in driver.read()] == [DeviceRestored]


@pytest.mark.parametrize(("options", "lost_at"), [({"report_missing": True}, [2.0]), ({}, [])])
def test_missing_box_is_reported_once_after_two_seconds_if_it_is_required(
    world: SimulatedTime, monkeypatch: pytest.MonkeyPatch, options: dict[str, bool], lost_at: list[float]
) -> None:
    monkeypatch.setattr(driver_module, "SEARCH_SECONDS", 0.5)
    driver = world.start(**options)
    world.run(10.0)
    losses = driver.read()
    assert [(type(event), event.at) for event in losses] == [(DeviceLost, at) for at in lost_at]
    assert ("plugged in" in (driver.problem or "")) == bool(lost_at)
    plug(world, FIRST)
    world.run(11.0)
    assert driver.problem is None
    assert [type(event) for event in driver.read()] == [DeviceRestored]


def test_silent_port_is_skipped_for_ten_seconds_then_twice_as_long_up_to_five_minutes(world: SimulatedTime) -> None:
    """The settings say that the box is there. It is greeted four times a second, for four seconds."""
    world.ports = [replace(FIRST, is_named=True)]
    driver = world.start()
    world.run(2.9)
    assert [at for at, _ in find_hellos(world)] == pytest.approx([0.25 * n for n in range(12)], abs=1e-3)
    world.run(1000.0)
    pauses = [after - before for (before, _), (after, _) in itertools.pairwise(world.opened)]
    assert pauses == pytest.approx([14.0, 24.0, 44.0, 84.0, 164.0, 304.0, 304.0], abs=0.5)
    assert "does not answer" in (driver.problem or "")
    assert [type(event) for event in driver.read()] == [DeviceLost], "once"


def test_foreign_device_is_opened_twice_and_then_left_alone_until_it_is_plugged_in_again(
    world: SimulatedTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each opening may reset it: a 3D printer with the chip of a Nano."""
    kept: list[OpenPort] = []
    monkeypatch.setattr(driver_module, "keep_control_lines", kept.append)
    world.ports = [FIRST]
    driver = world.start()
    world.run(1000.0)
    assert [at for at, _device in world.opened] == pytest.approx([0.0, 14.0], abs=0.5)
    assert len(kept) == 2
    assert [type(event) for event in driver.read()] == [DeviceLost], "once"
    plug(world, SECOND)
    world.ports = [FIRST, SECOND]
    world.run(1001.0)
    assert driver.is_connected, "others are found all the same"
    world.ports = []
    world.unplug()
    world.run(1010.0)
    world.ports = [FIRST]
    world.run(1011.0)
    assert world.opened[-1][1] == FIRST.device


def test_protocol_says_when_a_port_is_given_up() -> None:
    """Who writes a box of their own must know that it is not asked a third time."""
    text = " ".join((REPOSITORY / "firmware_notes/protocol.md").read_text(encoding="utf-8").split())
    assert f"After {GREETING_TIMEOUT_SECONDS:.0f} s without one it skips the port for {SKIP_PORT_SECONDS:.0f} s" in text
    assert driver_module.MAX_SILENT_OPENINGS == 2
    assert "after the second time it leaves the port alone until the board is plugged in again" in text
    assert f"up to {MAX_SKIP_PORT_SECONDS / 60:.0f} minutes" in text


def test_another_file_of_the_same_name_is_another_device(world: SimulatedTime, tmp_path: Path) -> None:
    """It was plugged out and in between two searches."""
    port = SerialPort(str(tmp_path / "ttyUSB0"))
    Path(port.device).touch()
    world.ports = [port]
    world.start()
    world.run(100.0)
    assert len(world.opened) == 2
    (tmp_path / "other").touch()
    (tmp_path / "other").rename(port.device)
    world.run(101.0)
    assert len(world.opened) == 3


@pytest.mark.parametrize("does_answer", [True, False])
def test_box_that_has_answered_is_tried_again_and_again(world: SimulatedTime, *, does_answer: bool) -> None:
    driver, _box = start_connected(world)
    world.boxes.clear()
    world.run(200.0)
    assert len(world.opened) > 2
    if does_answer:
        plug(world, FIRST)
        world.run(400.0)
        assert driver.is_connected


@pytest.mark.parametrize(("choose", "nonce"), [(min, 1), (max, 65535)])
def test_nonces_of_greetings_are_1_to_65535(world: SimulatedTime, choose: Callable[[range], int], nonce: int) -> None:
    class FixedRandom(random.Random):
        def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
            return choose(range(start, stop or 0, step))

    world.ports = [FIRST]
    world.start(rng=FixedRandom())
    world.run(0.1)
    assert [hello.nonce for _, hello in find_hellos(world)] == [nonce]


def test_new_lamps_are_sent_at_once(world: SimulatedTime) -> None:
    driver, box = start_connected(world)
    driver.set_lamps({})
    world.run(1.0 + GRID_SECONDS)
    assert box.lamps == LampsMessage()


@pytest.mark.parametrize(("has_worked", "next_port"), [(True, SECOND), (False, FIRST)])
def test_port_where_a_box_worked_is_tried_first(world: SimulatedTime, has_worked: bool, next_port: SerialPort) -> None:
    world.ports = [SECOND]
    world.boxes = {SECOND.device: make_box()} if has_worked else {}
    driver = world.start()
    world.run(1.0)
    assert driver.is_connected == has_worked
    world.ports = [FIRST, SECOND]
    world.unplug()
    world.run(3.0)
    assert [device for _, device in world.opened] == [SECOND.device, next_port.device]


def test_ports_that_cannot_be_opened_are_reported_only_if_none_can(world: SimulatedTime) -> None:
    world.ports = [FIRST, SECOND]
    world.refusals = {FIRST.device: "The first is used by another program.", SECOND.device: "The second, too."}
    driver = world.start()
    world.run(1.0)
    assert driver.problem == "The first is used by another program."
    assert [type(event) for event in driver.read()] == [DeviceLost]
    del world.refusals[SECOND.device]
    world.boxes[SECOND.device] = make_box()
    world.run(2.0)
    assert driver.problem is None
    assert [type(event) for event in driver.read()] == [DeviceRestored]


@pytest.mark.parametrize(("working_seconds", "pause"), [(60.0 - GRID_SECONDS, 20.0), (60.0, 10.0)])
def test_port_is_trusted_again_after_its_box_has_worked_for_a_minute(
    world: SimulatedTime, working_seconds: float, pause: float
) -> None:
    """A port that was silent once is skipped for 20 s when its box floods, and for 10 s if that is long ago."""
    world.ports = [FIRST]
    driver = world.start()
    world.run(10.0)
    world.boxes[FIRST.device] = make_box()
    world.run(20.0)
    assert driver.is_connected
    assert len(world.opened) == 2
    flooded_at = world.opened[-1][0] + working_seconds
    flood = [EdgeMessage(n, 0, n % 2 == 0, 5_000_000, 0).pack() for n in range(600)]
    frames = [encode_frame(WireFrame(FrameType.EVENT, n % 256, body)) for n, body in enumerate(flood)]
    world.sendings.append((flooded_at, b"".join(frames)))
    world.run(flooded_at + 1.0)
    assert "too many presses" in (driver.problem or "")
    world.run(flooded_at + 30.0)
    assert world.opened[2][0] - flooded_at == pytest.approx(pause + 0.15, abs=0.15)


def test_closing_waits_only_until_the_lamps_are_confirmed_dark(world: SimulatedTime) -> None:
    driver, box = start_connected(world)
    assert world.measure_close(driver) < 0.01
    assert box.lamps == LampsMessage()
    driver.set_lamps(LIT)  # does nothing any more
    driver.close()


def test_closing_sends_dark_lamps_again_if_they_are_lost(world: SimulatedTime) -> None:
    driver, box = start_connected(world)
    lost: list[WireFrame] = []

    def lose_first_lamps(frame: WireFrame) -> bool:
        is_lost = frame.type == FrameType.LAMPS and not lost
        lost.extend([frame] * is_lost)
        return is_lost

    world.lose = lose_first_lamps
    assert 0.0 < world.measure_close(driver) < 0.25
    assert len(lost) == 1
    assert box.lamps == LampsMessage()


def test_closing_waits_a_quarter_of_a_second_for_a_box_that_is_silent(world: SimulatedTime) -> None:
    driver, _box = start_connected(world)
    world.boxes.clear()
    assert world.measure_close(driver) == 0.25


def test_calls_never_block_while_a_port_is_being_opened() -> None:
    is_opening, may_open = threading.Event(), threading.Event()

    def open_slowly(_port: SerialPort) -> OpenPort:
        is_opening.set()
        may_open.wait()
        raise PortNotFound("It is not there.")

    def call_often() -> None:
        for n in range(10_000):
            driver.set_lamps(LIT if n % 2 else {Button.NO: LampEffect.ON})

    driver = ButtonBox(lambda: [FIRST], opener=open_slowly)
    caller = threading.Thread(target=call_often, daemon=True)
    try:
        is_opening.wait()
        caller.start()
        caller.join()
    finally:
        may_open.set()
        driver.close()
