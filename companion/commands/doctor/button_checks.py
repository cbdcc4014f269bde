"""What `companion doctor` looks at for buttons: rights, the Pi's pins, and a button box that answers."""

from __future__ import annotations

import grp
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from serial.tools import list_ports  # type: ignore[import-untyped]

from companion.commands.doctor.system_checks import Check, CheckMark
from hardware.buttons.gpio import GpioMissing, GpioPins, GpioSource, open_lgpio
from hardware.buttons.gpio.pin_factory import PinFactory
from hardware.buttons.usb_box.driver import ButtonBox
from hardware.buttons.usb_box.messages import WelcomeMessage
from hardware.buttons.usb_box.ports import PortFinder, SerialPort

MonotonicClock = Callable[[], float]
PINS_OPTIONAL_HINT = "needed only for buttons at a Raspberry Pi's pins"
BOX_OPTIONAL_HINT = "needed only for a button box at USB"
ANSWER_TIMEOUT_SECONDS = 5.0
"""Seconds: opening the port starts most boards anew, and their boot loader takes two."""


@dataclass(frozen=True, slots=True)
class DeviceNodes:
    """Devices that a group's members may use; `group` where the devices do not tell."""

    group: str
    patterns: tuple[str, ...]
    use: str


PIN_NODES = DeviceNodes("gpio", ("gpiochip*",), "buttons at the pins")
PORT_NODES = DeviceNodes("dialout", ("ttyACM*", "ttyUSB*"), "a button box")
KEYBOARD_NODES = DeviceNodes("input", ("input/event*",), "the keyboard without a desktop")


def can_use(path: Path) -> bool:
    """Whether this process may read and write there."""
    return os.access(path, os.R_OK | os.W_OK)


def find_owning_group(path: Path) -> str:
    """The group that a device belongs to; empty where it has no name."""
    try:
        return grp.getgrgid(path.stat().st_gid).gr_name
    except (OSError, KeyError):
        return ""


def list_group_members(group: str) -> Sequence[str]:
    """Who is in that group, logged in or not."""
    try:
        return grp.getgrnam(group).gr_mem
    except KeyError:
        return ()


def check_permissions(
    devices: Path = Path("/dev"),
    environ: Mapping[str, str] = os.environ,
    is_allowed: Callable[[Path], bool] = can_use,
    group_of: Callable[[Path], str] = find_owning_group,
    members_of: Callable[[str], Sequence[str]] = list_group_members,
) -> Check:
    """Whether this user may use pins, serial ports and, where there is no desktop, the keyboard."""
    bare = not (environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))
    closed: dict[str, str] = {}
    open_: list[str] = []
    for nodes in (PIN_NODES, PORT_NODES, *([KEYBOARD_NODES] if bare else [])):
        paths = sorted(path for pattern in nodes.patterns for path in devices.glob(pattern))
        shut = [path for path in paths if not is_allowed(path)]
        if shut:
            group = group_of(shut[0])
            # A device of root's own group is one that no rule has been made for; the usual group will not help.
            closed[group if group not in {"", "root"} else nodes.group] = nodes.use
        elif paths:
            open_.append(nodes.use)
    if not closed:
        return Check("rights", CheckMark.OK, ", ".join(open_) or "no such devices here")
    found = "; ".join(f"not in group {group} (for {use})" for group, use in closed.items())
    user = environ.get("USER") or environ.get("LOGNAME") or ""
    if user and all(user in members_of(group) for group in closed):
        return Check("rights", CheckMark.WARN, found.replace("not in", "not yet in"), "log out and in again")
    return Check("rights", CheckMark.WARN, found, f"sudo usermod -aG {','.join(closed)} $USER, then log in again")


def check_pins(
    wired: GpioPins,
    required: bool,
    open_factory: Callable[[], PinFactory] = open_lgpio,
    clock: MonotonicClock = time.monotonic,
) -> Check:
    """Whether the pins that the settings name can be had. `wanted`: the settings ask for them."""
    missing = CheckMark.FAIL if required else CheckMark.WARN
    try:
        gpio = GpioSource(wired, open_factory(), clock)
    except GpioMissing as why:
        words, _, helps = str(why).partition(": ")
        return Check("GPIO", missing, words, helps or PINS_OPTIONAL_HINT)
    trouble = gpio.problems
    gpio.close()
    if trouble:
        words, _, helps = trouble[0].rpartition(": ")
        more = f", and {len(trouble) - 1} more" if len(trouble) > 1 else ""
        return Check("GPIO", CheckMark.WARN, f"{words}{more}", f"{helps} (is a companion running?)")
    return Check("GPIO", CheckMark.OK, f"{len(wired.buttons)} buttons, {len(wired.lamps)} lamps")


class BoxDriver(Protocol):
    """What is used of `ButtonBox`."""

    @property
    def is_connected(self) -> bool: ...
    @property
    def device(self) -> str | None: ...
    @property
    def problem(self) -> str | None: ...
    @property
    def welcome(self) -> WelcomeMessage | None: ...
    def close(self) -> None: ...


class GreetedButtonBox(ButtonBox):
    """The driver, and what the box said of itself."""

    @property
    def welcome(self) -> WelcomeMessage | None:
        """The box's answer to the greeting."""
        return self.status.welcome


def list_serial_ports() -> Sequence[str]:
    """The USB serial ports that are plugged in, whatever is behind them."""
    return [str(port.device) for port in list_ports.comports() if port.vid is not None]


def check_button_box(
    find_ports: PortFinder,
    required: bool,
    open_driver: Callable[[PortFinder], BoxDriver] = GreetedButtonBox,
    list_other_ports: Callable[[], Sequence[str]] = list_serial_ports,
    clock: MonotonicClock = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Check:
    """Whether a button box is plugged in, may be used, is nobody else's, and answers."""
    name, missing = "button box", CheckMark.FAIL if required else CheckMark.WARN
    places: Sequence[SerialPort] = find_ports()
    if not places:
        strangers = ", ".join(list_other_ports())
        if strangers:
            fix = 'if one of them is the box, name it in the settings: [box] port = "/dev/..."'
            return Check(name, missing, f"none known by its USB id, but {strangers}", fix)
        return Check(name, missing, "none plugged in", "plug it in" if required else BOX_OPTIONAL_HINT)
    found = ", ".join(place.device for place in places)
    driver = open_driver(find_ports)
    try:
        until = clock() + ANSWER_TIMEOUT_SECONDS
        while not driver.is_connected and driver.problem is None and clock() < until:
            sleep(0.02)
        connected, device, trouble, welcome = driver.is_connected, driver.device, driver.problem, driver.welcome
    finally:
        driver.close()
    if connected and welcome is not None:
        version = "{}.{}.{}".format(*welcome.firmware)
        return Check(name, CheckMark.OK, f"{device}: firmware {version}, {welcome.button_count} buttons")
    if trouble is not None:
        words, _, helps = trouble.rstrip(".").partition(": ")
        # What is plugged in and is no box, such as a 3D printer with the same USB chip, keeps nobody from playing.
        return Check(name, missing, words, helps or BOX_OPTIONAL_HINT)
    return Check(name, missing, f"{found} does not answer", "is it the box, and is the firmware on it?")
