"""The directions of sticks as buttons, without a device."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from hardware.buttons.controllers.controls import BOUNCE_SECONDS, PRESS_SHARE, RELEASE_SHARE, ControlTracker
from hardware.buttons.controllers.evdev import EV_ABS, AxisRange, InputDevice, InputEvent


@pytest.mark.parametrize(("low", "high"), [(-100, 100), (0, 200), (100, 300)])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_stick_is_pressed_and_released_at_shares_of_its_range(low: int, high: int, sign: int) -> None:
    middle, end = (low + high) // 2, high if sign > 0 else low
    axis = AxisRange(low, high, middle)
    stick = SimpleNamespace(keys=(), axes={0: axis}, list_held_keys=frozenset, read_axis=lambda _code: middle)
    tracker = ControlTracker(cast(InputDevice, stick))

    def push(distance_from_end: int, at: float) -> list[tuple[str, bool]]:
        changes = tracker.handle([InputEvent(at, EV_ABS, 0, end - sign * distance_from_end)])
        changes += tracker.take_releases(at + BOUNCE_SECONDS)
        return [(change.control, change.is_down) for change in changes]

    pressed_at, released_at = round(PRESS_SHARE * 200), round(RELEASE_SHARE * 200)
    control = "axis 0 +" if sign > 0 else "axis 0 -"
    assert push(pressed_at + 1, 1.0) == []
    assert push(pressed_at, 2.0) == [(control, True)]
    assert push(released_at, 3.0) == []
    assert push(released_at + 1, 4.0) == [(control, False)]
