"""The driver of controllers on devices of a real kernel, made by uinput; `test_rig.py` runs this in the rig."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from companion.config.taught_buttons import TaughtButtons
from companion.events import Button, ButtonPressed, ButtonReleased, ControlPressed, DeviceLost, DeviceRestored, Event
from hardware.buttons.controllers.bindings import label_controllers
from hardware.buttons.controllers.controls import BOUNCE_SECONDS, ControlTracker
from hardware.buttons.controllers.driver import ControllerSource
from hardware.buttons.controllers.evdev import InputDevice
from hardware.buttons.lamp_effects import LampEffect
from tests.doubles.uinput_device import (
    ABS,
    BUZZ,
    ENCODER,
    GAMEPAD,
    KEY,
    KEYBOARD,
    LIT_ENCODER,
    PRESENTER,
    UINPUT,
    DeviceModel,
    UinputDevice,
)

pytestmark = pytest.mark.skipif(not os.access(UINPUT, os.W_OK), reason="no /dev/uinput here: test_rig.py runs this")
LIMIT_SECONDS = 200.0
S1, S2, S3, OK = Button.SEAT1, Button.SEAT2, Button.SEAT3, Button.OK


class Listener:
    """A source, and all that it said."""

    def __init__(self) -> None:
        self.taught = TaughtButtons()
        self.woken = threading.Event()
        self.events: list[Event] = []
        self.source = ControllerSource(
            lambda: self.taught.bindings, lambda: self.taught.is_teaching, time.monotonic, self.woken.set
        )

    def wait(self, is_done: Callable[[], object]) -> None:
        """Read until it is done."""
        end = time.monotonic() + LIMIT_SECONDS
        while not is_done():
            assert time.monotonic() < end, self.events
            self.woken.wait(0.05)
            self.woken.clear()
            self.events += self.source.read()

    def wait_for(self, *kinds: type) -> list[Event]:
        """Read until events of these kinds are there, in this order; return and forget all."""
        self.wait(lambda: [type(each) for each in self.events if type(each) in kinds] == [*kinds])
        events, self.events = self.events, []
        return events

    def teach(self, device: UinputDevice, *pairs: tuple[str, Button]) -> None:
        """Teach the controls of a device that is plugged in."""
        for control, button in pairs:
            self.taught.teach(device.id, control, button)
        label = label_controllers([*dict.fromkeys(each.controller for each in self.taught.bindings)])[device.id]
        self.wait(lambda: any(isinstance(each, DeviceRestored) and each.name == label for each in self.events))
        self.events.clear()

    def press(self, device: UinputDevice, code: int) -> ButtonPressed | ControlPressed:
        """Press and release a key, and return what came of it."""
        turns = count()

        def is_heard() -> bool:
            return any(isinstance(each, ButtonPressed | ControlPressed) for each in self.events)

        def press_until_heard() -> bool:
            if not is_heard():  # before the search that opens the device it is not; a fast one would be a bounce
                (device.press if next(turns) % 2 == 0 else device.release)(code)
            return is_heard()

        self.wait(press_until_heard)
        device.release(code)
        pressed = next(each for each in self.events if isinstance(each, ButtonPressed | ControlPressed))
        if isinstance(pressed, ButtonPressed):
            self.wait(lambda: any(isinstance(each, ButtonReleased) for each in self.events))
        self.events.clear()
        return pressed


@pytest.fixture
def listener() -> Iterator[Listener]:
    listener = Listener()
    yield listener
    listener.source.close()
    listener.source.close()


@pytest.fixture
def encoder() -> Iterator[UinputDevice]:
    with UinputDevice(ENCODER) as device:
        yield device


def test_identity_keys_and_axes_come_from_the_kernel(encoder: UinputDevice) -> None:
    device = InputDevice(encoder.node)
    assert device.id == encoder.id
    assert device.keys == set(ENCODER.keys)
    assert (device.axes[0].low, device.axes[0].high, device.axes[0].at_rest) == (0, 255, 127)
    assert device.is_joystick
    assert not device.is_keyboard
    device.close()


def test_stamps_are_the_kernels(encoder: UinputDevice) -> None:
    """However late the program reads: the clock goes on for 30 ms between the press and the reading."""
    device = InputDevice(encoder.node)
    before = time.monotonic()
    encoder.press(288)
    after = time.monotonic()
    while time.monotonic() < after + 0.03:
        pass
    (pressed, *_) = device.read()
    assert before - 1e-6 <= pressed.at <= after, "microseconds are cut off"
    device.close()


def test_a_press_that_nobody_taught_can_be_taught(listener: Listener, encoder: UinputDevice) -> None:
    pressed = listener.press(encoder, 290)
    assert isinstance(pressed, ControlPressed)
    assert (pressed.controller, pressed.control, pressed.is_taught) == (encoder.id, "key 290", False)
    listener.teach(encoder, (pressed.control, S2))
    pressed = listener.press(encoder, 290)
    assert isinstance(pressed, ButtonPressed)
    assert (pressed.button, pressed.source) == (S2, "DragonRise Inc. Generic USB Joystick")
    other = listener.press(encoder, 291)
    assert isinstance(other, ControlPressed)
    assert other.is_taught


def test_what_is_held_when_it_is_plugged_in_was_not_pressed(listener: Listener) -> None:
    with UinputDevice(ENCODER) as device:
        device.press(288)
        device.press(289)
        device.release(289)
        listener.teach(device, ("key 288", S1), ("key 289", S2))
        device.press(289)
        assert [each.button for each in listener.wait_for(ButtonPressed) if isinstance(each, ButtonPressed)] == [S2]


def test_bounce_is_one_press(encoder: UinputDevice) -> None:
    """A contact that opens for one poll, at the press and at the release."""
    device = InputDevice(encoder.node)
    tracker = ControlTracker(device)
    for value in (1, 0, 1):
        encoder.send((KEY, 288, value))
    changes = tracker.handle(device.read())
    assert [(each.control, each.is_down) for each in changes] == [("key 288", True)]
    for value in (0, 1, 0):
        encoder.send((KEY, 288, value))
    events = device.read()
    assert tracker.handle(events) == []
    due = tracker.due_at
    assert due is not None
    assert tracker.take_releases(due - 0.001) == []
    (released,) = tracker.take_releases(due)
    assert (released.is_down, released.at) == (False, pytest.approx(due - BOUNCE_SECONDS))
    device.close()


def test_sticks_and_direction_pads_are_buttons(listener: Listener) -> None:
    with UinputDevice(GAMEPAD) as pad:
        listener.press(pad, 304)
        controls = []
        for axis, value in ((16, -1), (17, 1), (0, 32767), (2, 255)):
            pad.move(axis, value)
            (pressed,) = (each for each in listener.wait_for(ControlPressed) if isinstance(each, ControlPressed))
            controls.append(pressed.control)
            pad.move(axis, GAMEPAD.axes[axis][2])
        assert controls == ["axis 16 -", "axis 17 +", "axis 0 +", "axis 2 +"], "no trigger presses when it is let go"
        listener.teach(pad, ("axis 1 +", S1), ("axis 1 -", S2))
        for value in (25_000, 15_000, 25_000, -32768, 0):
            pad.send((ABS, 1, value))
        events = listener.wait_for(ButtonPressed, ButtonPressed, ButtonReleased, ButtonReleased)
        stamped = sorted(
            (e for e in events if isinstance(e, ButtonPressed | ButtonReleased)),
            key=lambda e: (e.at, type(e) is ButtonPressed),
        )
        assert [(type(e), e.button) for e in stamped] == [
            (ButtonPressed, S1),
            (ButtonReleased, S1),
            (ButtonPressed, S2),
            (ButtonReleased, S2),
        ]


def test_an_overrun_of_the_kernels_queue_leaves_the_state_right(encoder: UinputDevice) -> None:
    device = InputDevice(encoder.node)
    tracker = ControlTracker(device)
    encoder.press(288)
    assert [each.is_down for each in tracker.handle(device.read())] == [True]
    for _ in range(300):
        encoder.press(289)
        encoder.release(289)
    encoder.press(290)
    encoder.release(288)
    changes = tracker.handle(device.read())
    last = {each.control: each for each in changes}
    assert last["key 290"].is_down
    assert last["key 290"].max_error_seconds > 0.0, "found after the overrun: nobody knows when it was"
    (released,) = (each for each in tracker.take_releases(tracker.due_at or 0.0) if each.control == "key 288")
    assert not released.is_down
    device.close()


def test_unplugged_and_back(listener: Listener, encoder: UinputDevice) -> None:
    listener.teach(encoder, ("key 288", S1))
    encoder.press(288)
    listener.wait_for(ButtonPressed)
    encoder.unplug()
    released, lost = listener.wait_for(ButtonReleased, DeviceLost)
    assert isinstance(released, ButtonReleased)
    assert isinstance(lost, DeviceLost)
    assert (released.button, lost.name) == (S1, "DragonRise Inc. Generic USB Joystick")
    encoder.port = "usb-rig-7/input0"
    encoder.plug()
    (back,) = listener.wait_for(DeviceRestored)
    assert isinstance(back, DeviceRestored)
    assert back.name == lost.name
    pressed = listener.press(encoder, 288)
    assert isinstance(pressed, ButtonPressed)
    assert pressed.button is S1


def test_several_at_once_one_of_them_unplugged(listener: Listener) -> None:
    devices = [UinputDevice(ENCODER, f"usb-rig-{n}/input0") for n in range(3)] + [UinputDevice(BUZZ)]
    buttons = (S1, S2, S3, OK)
    for device, button in zip(devices, buttons, strict=True):
        listener.teach(device, ("key 288", button))
    devices[1].unplug()
    (lost,) = listener.wait_for(DeviceLost)
    assert isinstance(lost, DeviceLost)
    assert lost.name == "DragonRise Inc. Generic USB Joystick 2"
    for n in (3, 0, 2):
        pressed = listener.press(devices[n], 288)
        assert isinstance(pressed, ButtonPressed)
        assert pressed.button is buttons[n]
    devices[1].plug()
    listener.wait_for(DeviceRestored)
    pressed = listener.press(devices[1], 288)
    assert isinstance(pressed, ButtonPressed)
    assert pressed.button is S2
    for device in devices:
        device.unplug()


def test_an_encoder_for_two_players_is_two_joysticks_at_one_port(listener: Listener) -> None:
    one, two = UinputDevice(ENCODER), UinputDevice(ENCODER)
    first, second = listener.press(one, 288), listener.press(two, 288)
    assert isinstance(first, ControlPressed)
    assert isinstance(second, ControlPressed)
    assert first.controller != second.controller
    listener.taught.teach(first.controller, first.control, S1)
    listener.taught.teach(second.controller, second.control, S2)
    listener.wait_for(DeviceRestored, DeviceRestored)
    assert [getattr(listener.press(each, 288), "button", None) for each in (one, two, one)] == [S1, S2, S1]
    one.unplug()
    two.unplug()


def is_grabbed(device: UinputDevice) -> bool:
    """Whether another program may not take all events of the device."""
    other = InputDevice(device.node)
    try:
        other.set_grabbed(True)
    except OSError:
        return True
    else:
        return False
    finally:
        other.close()


def test_keyboards_are_left_alone_until_a_key_is_taught(listener: Listener) -> None:
    with UinputDevice(KEYBOARD, "usb-rig-1/input0") as keyboard, UinputDevice(PRESENTER, "usb-rig-2/input0") as clicker:
        with UinputDevice(ENCODER, "usb-rig-3/input0") as pad:
            assert isinstance(listener.press(pad, 288), ControlPressed)  # by now the others were found too
        keyboard.press(30)
        keyboard.release(30)
        listener.taught.begin_teaching()
        end = time.monotonic() + LIMIT_SECONDS
        taught: list[ControlPressed] = []
        while not taught:  # keys before the search that opens the presenter are not heard
            assert time.monotonic() < end
            clicker.press(2, 28, 109)  # 1 and Enter stand for buttons anyway
            listener.woken.wait(0.05)
            clicker.release(2, 28, 109)
            listener.woken.wait(0.05)
            taught = [each for each in listener.source.read() if isinstance(each, ControlPressed)]
        assert {each.control for each in taught} == {"key 109"}
        assert taught[0].controller == clicker.id
        assert not is_grabbed(clicker)
        listener.taught.teach(clicker.id, "key 109", S1)
        assert listener.taught.end_teaching() is None
        listener.wait(lambda: is_grabbed(clicker))
        listener.events.clear()
        assert not is_grabbed(keyboard)
        pressed = [listener.press(clicker, code) for code in (109, 3, 28)]
        assert [getattr(each, "button", None) for each in pressed] == [S1, S2, OK], "the window no longer has its keys"
        keyboard.press(109)
        keyboard.release(109)
        assert getattr(listener.press(clicker, 109), "button", None) is S1
        listener.taught.forget_all()
        listener.wait(lambda: not is_grabbed(clicker))


@pytest.mark.parametrize("model", [LIT_ENCODER, KEYBOARD])
def test_lights_are_lamps_but_those_of_keyboards_are_left_alone(listener: Listener, model: DeviceModel) -> None:
    with UinputDevice(model) as device:
        code = model.keys[2]
        listener.teach(device, (f"key {code}", S3))
        listener.source.set_lamps({S3: LampEffect.ON, S1: LampEffect.ON})
        if model is KEYBOARD:
            listener.wait(lambda: is_grabbed(device))
            assert device.read_lit({2}, seconds=0.2) == set()
            return
        assert device.read_lit({2}) == {2}
        listener.source.set_lamps({S3: LampEffect.FAST})
        assert device.read_lit(set()) == set()
        assert device.read_lit({2}) == {2}
        device.unplug()
        listener.wait_for(DeviceLost)
        device.plug()
        listener.wait_for(DeviceRestored)
        listener.source.set_lamps({S3: LampEffect.ON})
        assert device.read_lit({2}) == {2}
        listener.source.close()
        assert device.read_lit(set()) == set()


def test_nodes_that_are_no_devices_and_may_not_be_read(tmp_path: Path) -> None:
    (tmp_path / "event0").write_bytes(b"x")
    os.mkfifo(tmp_path / "event1")
    source = ControllerSource(tuple, lambda: False, time.monotonic, folder=tmp_path)
    source.set_lamps({S1: LampEffect.ON})
    assert source.read() == []
    source.close()
