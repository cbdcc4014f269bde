"""The search for the box in simulated time: when a missing one is reported, and how long a silent port is skipped."""

from __future__ import annotations

import itertools
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import pytest

from companion.events import Button, DeviceLost
from hardware.buttons.lamp_effects import LampEffect
from hardware.buttons.usb_box import driver as driver_module
from hardware.buttons.usb_box.driver import ButtonBox
from hardware.buttons.usb_box.ports import OpenPort, SerialPort

LIMIT = 20.0
"""Time limit for what the thread does at once, in seconds."""


class Search:
    """Finds the given ports; each search takes time on its own clock.

    Attributes:
        now: the time of the clock.
        is_over: set when `end` has come.
    """

    def __init__(self, ports: Sequence[SerialPort], step: float, end: float) -> None:
        self.now = 0.0
        self.is_over = threading.Event()
        self._ports, self._step, self._end = ports, step, end

    def __call__(self) -> Sequence[SerialPort]:
        self.now += self._step
        if self.now >= self._end:
            self.is_over.set()
        return self._ports


@pytest.fixture(autouse=True)
def _search_without_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver_module, "SEARCH_SECONDS", 0.0)


@pytest.mark.parametrize(("report_missing", "lost_at"), [(True, [2.0]), (False, [])])
def test_missing_box_is_reported_after_two_seconds_if_it_is_required(
    report_missing: bool, lost_at: list[float]
) -> None:
    search = Search([], step=0.5, end=10.0)
    driver = ButtonBox(search, lambda: search.now, report_missing=report_missing)
    try:
        assert search.is_over.wait(LIMIT)
    finally:
        driver.close()
    losses = driver.read()
    assert all(isinstance(event, DeviceLost) for event in losses)
    assert [event.at for event in losses] == lost_at


def test_box_is_optional_by_default() -> None:
    search = Search([], step=0.5, end=10.0)
    driver = ButtonBox(search, lambda: search.now)
    try:
        assert search.is_over.wait(LIMIT)
        (thread,) = (each for each in threading.enumerate() if each.name == driver.name)
        assert thread.daemon, "it does not keep the program from ending"
    finally:
        driver.close()
    assert driver.read() == []


def test_silent_port_is_skipped_for_ten_seconds_then_twice_as_long_up_to_five_minutes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is greeted for four seconds each time; the device sends zeros only."""
    monkeypatch.setattr(driver_module, "READ_BYTES", 1)
    search = Search([SerialPort("/dev/ttyUSB0")], step=0.05, end=100_000.0)
    opened_at: list[float] = []
    is_done = threading.Event()

    def clock() -> float:
        search.now += 0.005
        return search.now

    def open_zeros(_port: SerialPort) -> OpenPort:
        opened_at.append(search.now)
        if len(opened_at) == 8:
            is_done.set()
        return cast(OpenPort, Path("/dev/zero").open("r+b", buffering=0))

    driver = ButtonBox(search, clock, opener=open_zeros)
    try:
        assert is_done.wait(LIMIT)
    finally:
        driver.close()
    pauses = [after - before for before, after in itertools.pairwise(opened_at[:8])]
    assert pauses == pytest.approx([14.0, 24.0, 44.0, 84.0, 164.0, 304.0, 304.0], abs=0.5)


def test_closed_driver_leaves_the_program_s_own_files_alone(capfd: pytest.CaptureFixture[str]) -> None:
    search = Search([], step=0.5, end=1.0)
    driver = ButtonBox(search, lambda: search.now)
    driver.close()
    driver.set_lamps({Button.OK: LampEffect.ON})
    driver.close()
    for descriptor in (1, 2):
        os.fstat(descriptor)
    assert capfd.readouterr() == ("", "")
