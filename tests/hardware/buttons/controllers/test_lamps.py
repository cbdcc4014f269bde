"""The lights of a Buzz! receiver: the reports that are written to its raw device, here a FIFO."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.events import Button, ControllerId
from hardware.buttons.controllers import lamps as lamps_module
from hardware.buttons.controllers.lamps import ControllerLamps
from hardware.buttons.lamp_effects import LampEffect

CONTROLS = [f"key {code}" for code in range(288, 308)]


@pytest.fixture
def raw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """The end at which the device receives its reports."""
    (tmp_path / "event7" / "device" / "device" / "hidraw" / "hidraw3").mkdir(parents=True)
    os.mkfifo(tmp_path / "hidraw3")
    monkeypatch.setattr(lamps_module, "DEVICE_FOLDER", tmp_path)
    return os.open(tmp_path / "hidraw3", os.O_RDONLY | os.O_NONBLOCK)


def test_a_buzz_controllers_light_is_that_of_its_own_buttons(raw: int, tmp_path: Path) -> None:
    device: Any = SimpleNamespace(id=ControllerId(0x054C, 0x1000, "Buzz"), path=Path("/dev/input/event7"), leds=())
    lamps = ControllerLamps(device, CONTROLS, tmp_path)
    assert lamps.count == 4
    taught = {"key 288": Button.SEAT1, "key 298": Button.SEAT3, "key 302": Button.OK}
    lamps.set_effects(taught, {Button.SEAT1: LampEffect.ON, Button.OK: LampEffect.SLOW})
    due = lamps.update(10.0)
    assert due is not None
    assert os.read(raw, 64) == bytes([0, 0, 255, 0, 255, 0, 0, 0])
    lamps.update(due)
    assert os.read(raw, 64) == bytes([0, 0, 255, 0, 0, 0, 0, 0])
    lamps.close()
    assert os.read(raw, 64) == bytes([0, 0, 0, 0, 0, 0, 0, 0])


def test_lights_that_fail_are_given_up_but_not_the_buttons(raw: int, tmp_path: Path) -> None:
    device: Any = SimpleNamespace(id=ControllerId(0x054C, 0x0002, "Buzz"), path=Path("/dev/input/event7"), leds=())
    lamps = ControllerLamps(device, CONTROLS, tmp_path)
    os.close(raw)  # now writing fails
    lamps.set_effects({"key 288": Button.SEAT1}, {Button.SEAT1: LampEffect.ON})
    assert lamps.update(10.0) is None
    assert lamps.count == 0
    lamps.close()
