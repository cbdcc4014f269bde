"""The doctor's checks of buttons, passing and failing, independent of this machine."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.commands.doctor import button_checks
from companion.commands.doctor.check import Check, CheckMark
from companion.events import Button, ButtonHeld, ButtonPressed, ButtonReleased, ControllerId, Event
from companion.testing.table import ManualClock
from hardware.buttons.controllers.bindings import ButtonBinding
from hardware.buttons.gpio.driver import GpioPins
from hardware.buttons.gpio.pin_factory import GpioMissing, PinFactory
from hardware.buttons.usb_box.messages import PROTOCOL_VERSION, WelcomeMessage
from hardware.buttons.usb_box.ports import PortError, PortFinder, SerialPort, open_port
from tests.commands.doctor.test_system_checks import fails, warns
from tests.hardware.buttons.gpio.bench import PINS, BouncingPin, ClockFactory

DESKTOP = {"DISPLAY": ":0", "USER": "ada"}
CONSOLE = {"USER": "ada"}


# Rights --------------------------------------------------------------------------------------------------------------


@pytest.fixture
def devices(tmp_path: Path) -> Path:
    for name in ("gpiochip0", "ttyACM0", "input/event0"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    return tmp_path


GROUPS = {"gpiochip0": "gpio", "ttyACM0": "dialout", "event0": "input"}


def rights(devices: Path, environ: dict[str, str], *shut: str, members: Sequence[str] = (), group: str = "") -> Check:
    return button_checks.check_permissions(
        devices, environ, lambda path: path.name not in shut, lambda path: group or GROUPS[path.name], lambda _: members
    )


def test_sufficient_permissions(devices: Path) -> None:
    assert rights(devices, DESKTOP) == Check("rights", CheckMark.OK, "buttons at the pins, a button box")
    assert "the keyboard without a desktop" in rights(devices, CONSOLE).found


def test_no_devices_need_permissions(tmp_path: Path) -> None:
    assert rights(tmp_path, CONSOLE) == Check("rights", CheckMark.OK, "no such devices here")


@pytest.mark.parametrize(("device", "group"), GROUPS.items())
def test_missing_group(devices: Path, device: str, group: str) -> None:
    said = warns(rights(devices, CONSOLE, device))
    assert f"not in group {group} (for " in said
    assert said.endswith(f"-> sudo usermod -aG {group} $USER, then log in again")


def test_keyboard_needs_no_permission_on_a_desktop(devices: Path) -> None:
    assert rights(devices, DESKTOP, "event0").mark is CheckMark.OK


def test_a_group_joined_since_the_login(devices: Path) -> None:
    said = warns(rights(devices, DESKTOP, "ttyACM0", members=["ada"]))
    assert said == "not yet in group dialout (for a button box) -> log out and in again"


def test_unusual_group_is_named(devices: Path) -> None:
    assert "usermod -aG uucp $USER" in warns(rights(devices, DESKTOP, "ttyACM0", group="uucp"))
    assert "usermod -aG dialout $USER" in warns(rights(devices, DESKTOP, "ttyACM0", group="root"))


# Pins ----------------------------------------------------------------------------------------------------------------


def check_pins(wired: GpioPins, required: bool, open_factory: Callable[[], PinFactory]) -> Check:
    """Check pins with a simulated clock."""
    clock = ManualClock()

    def sleep(seconds: float) -> None:
        clock.now += seconds

    return button_checks.check_pins(wired, required, open_factory, clock, sleep)


def opened(pin_class: type[BouncingPin] = BouncingPin) -> Callable[[], PinFactory]:
    return lambda: ClockFactory(ManualClock(), pin_class)


def missing(words: str) -> Callable[[], PinFactory]:
    def refuse() -> PinFactory:
        raise GpioMissing(words)

    return refuse


def test_good_pins() -> None:
    check = check_pins(PINS, True, opened())
    assert check == Check("GPIO", CheckMark.OK, "10 buttons, 10 lamps")


def test_a_missing_factory() -> None:
    words = "The pins need lgpio: sudo apt install python3-lgpio"
    said = "The pins need lgpio -> sudo apt install python3-lgpio"
    assert warns(check_pins(PINS, False, missing(words))) == said
    assert fails(check_pins(PINS, True, missing(words))) == said


def test_a_machine_without_pins() -> None:
    check = check_pins(PINS, False, missing("There are no GPIO pins on this machine"))
    assert warns(check).endswith("-> needed only for buttons at a Raspberry Pi's pins")


class Shorted(BouncingPin):
    """Pins of which two are low."""

    def input_with_pull(self, pull: str) -> None:
        super().input_with_pull(pull)
        self._state = self._number not in (PINS.buttons[Button.SEAT1], PINS.buttons[Button.OK])


def test_buttons_that_are_stuck_are_named() -> None:
    """The commonest mistake: the wire is at the switch's normally closed contact."""
    said = warns(check_pins(PINS, False, opened(Shorted)))
    assert said.startswith("down from the beginning: seat1 (GPIO4), ok (GPIO23) -> ")
    assert "N.C. instead of N.O." in said


class Busy(BouncingPin):
    """A factory in which all pins but one are used by another program."""

    def input_with_pull(self, pull: str) -> None:
        if self._number != PINS.buttons[Button.OK]:
            raise RuntimeError("'GPIO busy'")
        super().input_with_pull(pull)


def test_pins_that_are_busy() -> None:
    said = warns(check_pins(GpioPins(PINS.buttons), True, opened(Busy)))
    assert said.startswith("GPIO4 is not available for seat1 (GPIO busy), and 8 more -> something else uses it")
    assert "is a companion running?" in said
    busy = GpioPins({Button.SEAT1: PINS.buttons[Button.SEAT1]})
    assert "(GPIO busy)" in fails(check_pins(busy, True, opened(Busy)))


# The button box ------------------------------------------------------------------------------------------------------


class FakeBox:
    """A driver that has a result at its third check."""

    def __init__(
        self, welcome: WelcomeMessage | None = None, words: str | None = None, events: Sequence[Event] = ()
    ) -> None:
        self._welcome, self._words, self._events = welcome, words, list(events)
        self.looks = 0
        self.closed = False

    @property
    def is_connected(self) -> bool:
        self.looks += 1
        return self.looks >= 3 and self._welcome is not None and self._welcome.incompatibility is None

    @property
    def problem(self) -> str | None:
        return self._words if self.looks >= 3 else None

    device = "/dev/ttyACM0"

    def read(self) -> list[Event]:
        events, self._events = self._events, []
        return events

    @property
    def status(self) -> SimpleNamespace:
        return SimpleNamespace(welcome=self._welcome)

    def close(self) -> None:
        self.closed = True


def places(*devices: str) -> PortFinder:
    return lambda: [SerialPort(device) for device in devices]


def usb_devices(folder: Path, *ids: str) -> Path:
    """A kernel's folder of USB devices with these ids."""
    for number, each in enumerate(ids):
        device = folder / f"1-{number}"
        device.mkdir()
        for name, value in zip(("idVendor", "idProduct"), each.split(":"), strict=True):
            (device / name).write_text(f"{value}\n", encoding="ascii")
    return folder


def look(driver: FakeBox, wanted: bool = False) -> Check:
    ticks = count()
    check = button_checks.check_button_box(
        places("/dev/ttyACM0"), wanted, lambda _: driver, list, lambda: next(ticks) / 10, lambda seconds: None
    )
    assert driver.closed
    return check


def test_a_box_that_answers() -> None:
    check = look(FakeBox(WelcomeMessage(PROTOCOL_VERSION, 1, firmware=(1, 2, 3))))
    assert check == Check("button box", CheckMark.OK, "/dev/ttyACM0: firmware 1.2.3, 10 buttons")


def test_a_box_with_stuck_buttons() -> None:
    held = [ButtonHeld(button, 1.0) for button in (Button.SEAT2, Button.SEAT3, Button.OK)]
    events = [*held, ButtonReleased(Button.SEAT2, 2.0), ButtonPressed(Button.SEAT4, 2.5)]
    said = warns(look(FakeBox(WelcomeMessage(PROTOCOL_VERSION, 1), events=events)))
    assert said.startswith("/dev/ttyACM0: down from the beginning: seat3, ok -> ")
    assert "N.C. instead of N.O." in said


def test_no_box() -> None:
    assert warns(button_checks.check_button_box(places(), False, list_other_ports=list)).endswith(
        "needed only for a button box at USB"
    )
    assert (
        fails(button_checks.check_button_box(places(), True, list_other_ports=list)) == "none plugged in -> plug it in"
    )


def test_a_port_whose_id_is_not_known() -> None:
    said = warns(button_checks.check_button_box(places(), False, list_other_ports=lambda: ["/dev/ttyUSB3"]))
    assert "none known by its name or USB id, but /dev/ttyUSB3 -> " in said
    assert "[box] port" in said


def test_a_chip_that_brltty_has_taken(tmp_path: Path) -> None:
    chips = button_checks.list_chips_without_port(usb_devices(tmp_path, "1d6b:0002", "1a86:7523"))
    check = button_checks.check_button_box(places(), False, list_other_ports=list, list_portless_chips=lambda: chips)
    said = warns(check)
    assert said.startswith("the serial chip 1a86:7523 is plugged in, but has no port -> brltty ")
    assert "sudo apt remove brltty" in said


def test_devices_that_are_no_serial_chips(tmp_path: Path) -> None:
    (tmp_path / "usb1").mkdir()
    (tmp_path / "usb1" / "idVendor").write_text("1a86\n", encoding="ascii")
    assert button_checks.list_chips_without_port(usb_devices(tmp_path, "1d6b:0002", "046d:0825")) == []


def test_a_box_that_does_not_answer() -> None:
    assert "/dev/ttyACM0 does not answer" in warns(look(FakeBox()))
    assert "/dev/ttyACM0 does not answer" in fails(look(FakeBox(), wanted=True))


def test_a_box_behind_another_device() -> None:
    """A 3D printer at the first port, and a Nano at the second."""
    asked: list[str] = []
    boxes = {"/dev/ttyUSB0": FakeBox(words="/dev/ttyUSB0 does not answer like a button box: is its firmware on it?")}
    boxes["/dev/ttyUSB1"] = FakeBox(WelcomeMessage(PROTOCOL_VERSION, 1, firmware=(1, 2, 3)))
    boxes["/dev/ttyUSB2"] = FakeBox(words="/dev/ttyUSB2 is used by another program: close it.")

    def open_driver(find_ports: PortFinder) -> Any:
        asked.extend(port.device for port in find_ports())
        return boxes[asked[-1]]

    def check_ports(*devices: str) -> Check:
        ticks = count()
        return button_checks.check_button_box(
            places(*devices), False, open_driver, list, lambda: next(ticks) / 10, lambda seconds: None
        )

    assert check_ports("/dev/ttyUSB0", "/dev/ttyUSB1", "/dev/ttyUSB2").found.endswith("firmware 1.2.3, 10 buttons")
    assert asked == ["/dev/ttyUSB0", "/dev/ttyUSB1"], "the third is left alone"
    check = check_ports("/dev/ttyUSB0", "/dev/ttyUSB2")
    assert check.found == ("/dev/ttyUSB0 does not answer like a button box; /dev/ttyUSB2 is used by another program")
    assert check.fix == "/dev/ttyUSB0: is its firmware on it?; /dev/ttyUSB2: close it"
    assert all(box.closed for box in boxes.values())
    old = WelcomeMessage(PROTOCOL_VERSION - 1, 1, firmware=(0, 9, 0))
    boxes["/dev/ttyUSB1"] = FakeBox(old, old.incompatibility)
    asked.clear()
    assert "old firmware 0.9.0" in check_ports("/dev/ttyUSB1", "/dev/ttyUSB2").found
    assert asked == ["/dev/ttyUSB1"], "it is the box"


def test_a_port_that_may_not_be_used() -> None:
    words = "No permission to use /dev/ttyACM0: sudo usermod -aG dialout $USER, then log in again."
    assert fails(look(FakeBox(words=words), wanted=True)) == words.rstrip(".").replace(": ", " -> ", 1)


def test_an_old_firmware() -> None:
    old = WelcomeMessage(PROTOCOL_VERSION - 1, 1, firmware=(0, 9, 0))
    assert old.incompatibility is not None
    assert "old firmware 0.9.0" in warns(look(FakeBox(old, old.incompatibility)))


def test_a_busy_port_in_earnest() -> None:
    """An exclusively opened pty, with the real driver."""
    master, slave = os.openpty()
    name = os.ttyname(slave)
    try:
        held = open_port(SerialPort(name))
        with pytest.raises(PortError):
            open_port(SerialPort(name))
        assert "used by another program -> close it" in warns(button_checks.check_button_box(places(name), False))
        held.close()
    finally:
        os.close(slave)
        os.close(master)


PAD = ControllerId(0x79, 6, "USB Gamepad", port="usb-1")
KEYS = ControllerId(0x46D, 1, "Presenter", port="usb-2")


def test_controllers_that_were_taught_and_are_missing() -> None:
    bindings = [ButtonBinding(PAD, "key 288", Button.OK), ButtonBinding(PAD, "key 289", Button.NO)]
    assert button_checks.check_controllers([], dict) == Check("controllers", CheckMark.OK, "none")
    check = button_checks.check_controllers([], lambda: {PAD: True, KEYS: False})
    assert check.found == "USB Gamepad: press a button of it in the lobby to teach it"
    assert button_checks.check_controllers(bindings, lambda: {PAD: True, KEYS: False}).found == "USB Gamepad: 2 buttons"
    check = button_checks.check_controllers(bindings, lambda: {KEYS: False})
    assert (check.mark, check.found) == (CheckMark.WARN, "not plugged in: USB Gamepad")
