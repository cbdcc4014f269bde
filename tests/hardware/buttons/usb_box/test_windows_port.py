"""The button box on Windows, where a port is no file and pyserial alone can wait for it."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator

import pytest
import serial
from serial.tools import list_ports

from companion.config.gpio_pins import ButtonBoxSettings
from companion.events import Button, DeviceLost, DeviceRestored, Event
from hardware.buttons.lamp_effects import LampEffect
from hardware.buttons.usb_box import driver as driver_module
from hardware.buttons.usb_box.driver import ButtonBox
from hardware.buttons.usb_box.messages import BUTTONS
from hardware.buttons.usb_box.ports import (
    READ_SECONDS,
    PortError,
    PortNotFound,
    SerialPort,
    keep_control_lines,
    make_path_finder,
    make_usb_finder,
    open_port,
)
from tests.doubles.simulated_box import BoxSpec, SimulatedBox
from tests.doubles.windows_port import DEVICE, WindowsPort, list_windows_ports
from tests.hardware.buttons.usb_box.boxworld import describe_buttons

LIMIT = 200.0
"""Time limit for an expected event, in seconds."""


class Machine:
    """A Windows machine with a box at COM3; its time goes on only while somebody waits for the port."""

    def __init__(self) -> None:
        self.now = 100.0
        self.box = SimulatedBox(BoxSpec(), 99.0)
        self.heard = threading.Event()
        self.events: list[Event] = []

    def wait(self, seconds: float) -> None:
        self.now += seconds

    def start(self) -> ButtonBox:
        return ButtonBox(make_usb_finder(), lambda: self.now, self.heard.set)

    def until(self, driver: ButtonBox, is_met: Callable[[], bool]) -> None:
        """Read events until something is true."""
        end = time.monotonic() + LIMIT
        while not is_met():
            assert time.monotonic() < end, f"{self.events} {driver.status}"
            self.heard.wait(0.005)
            self.heard.clear()
            self.events += driver.read()


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    machine = Machine()
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(serial, "Serial", WindowsPort)
    monkeypatch.setattr(list_ports, "comports", list_windows_ports)
    monkeypatch.setattr(driver_module, "SEARCH_SECONDS", 0.001)
    given = {"box": machine.box, "clock": staticmethod(lambda: machine.now), "wait": staticmethod(machine.wait)}
    for name, value in given.items():
        monkeypatch.setattr(WindowsPort, name, value, raising=False)
    yield machine
    monkeypatch.undo()


def test_a_port_is_found_by_usb_ids_and_by_its_name(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    assert make_usb_finder()() == [SerialPort(DEVICE)]
    assert make_path_finder("com3")() == [SerialPort("com3", is_named=True)]
    assert make_path_finder("COM4")() == []
    monkeypatch.setattr(WindowsPort, "is_plugged", False)
    assert make_usb_finder()() == []


def test_settings_may_name_it(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ButtonBoxSettings(port="COM12").port == "COM12"
    with pytest.raises(ValueError, match="on Windows as COM3"):
        ButtonBoxSettings(port="LPT1")
    monkeypatch.setattr(sys, "platform", "linux")
    with pytest.raises(ValueError, match="full path"):
        ButtonBoxSettings(port="COM3")


def test_what_cannot_be_opened_is_explained(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PortNotFound, match="COM4 is not there"):
        open_port(SerialPort("COM4"))
    monkeypatch.setattr(WindowsPort, "is_busy", True)
    with pytest.raises(PortError, match="used by another program"):
        open_port(SerialPort(DEVICE))
    keep_control_lines(None)  # type: ignore[arg-type]  # it is not asked for anything


def test_presses_lamps_and_a_pulled_cable(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    driver = machine.start()
    try:
        machine.until(driver, lambda: driver.is_connected)
        assert driver.device == DEVICE
        begun = machine.now + 10.0  # the driver's thread lets time go on meanwhile
        for i, button in enumerate(BUTTONS):
            machine.box.add_edge(button, True, begun + i / 100)
            machine.box.add_edge(button, False, begun + 0.5 + i / 100)
        machine.until(driver, lambda: len(describe_buttons(machine.events)) == 2 * len(BUTTONS))
        assert describe_buttons(machine.events) == [f"{sign}{button}" for sign in "+-" for button in BUTTONS]
        driver.set_lamps({Button.OK: LampEffect.SLOW})
        machine.until(driver, lambda: machine.box.lamps.effects[BUTTONS.index(Button.OK)] is LampEffect.SLOW)
        monkeypatch.setattr(WindowsPort, "is_plugged", False)
        machine.until(driver, lambda: any(isinstance(event, DeviceLost) for event in machine.events))
        monkeypatch.setattr(WindowsPort, "is_plugged", True)
        machine.until(driver, lambda: isinstance(machine.events[-1], DeviceRestored))
    finally:
        driver.close()
    assert set(machine.box.lamps.effects) == {LampEffect.OFF}


def test_a_wait_for_the_port_is_short(machine: Machine) -> None:
    """Lamps wait for its end."""
    opened = open_port(SerialPort(DEVICE))
    before = machine.now
    while opened.read(1):
        before = machine.now
    assert machine.now - before <= READ_SECONDS + 0.001
