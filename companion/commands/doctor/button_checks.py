"""Checks of the buttons: permissions, the Pi's pins, and a button box that answers."""

import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from serial.tools import list_ports  # type: ignore[import-untyped]  # pyserial has no types

from companion.commands.doctor.check import Check, CheckMark
from companion.events import Button, ButtonHeld, ButtonPressed, ButtonReleased, ControllerId, Event
from companion.file_reader import read_kernel_file
from hardware.buttons.controllers.bindings import ButtonBinding, clean_name, label_controllers, match_controllers
from hardware.buttons.controllers.driver import list_controllers
from hardware.buttons.gpio.driver import GpioPins, GpioSource, check_no_hat
from hardware.buttons.gpio.pin_factory import GpioMissing, PinFactory, open_lgpio
from hardware.buttons.usb_box.driver import ButtonBox
from hardware.buttons.usb_box.ports import BRIDGED_USB_IDS, PortFinder, SerialPort

if sys.platform != "win32":
    import grp

PINS_OPTIONAL_HINT = "needed only for buttons at a Raspberry Pi's pins"
BOX_OPTIONAL_HINT = "needed only for a button box at USB"
PIN_WATCH_SECONDS = 0.3
"""Time for which the pins are watched for buttons that are down; their levels are read every 40 ms."""
BOX_WATCH_SECONDS = 2.5
"""The same of a box: it reports its levels every half second, and a button counts as held after one."""
STUCK_FIX = "nobody presses them? Then the wire is at N.C. instead of N.O. (docs/build/troubleshooting.md), or shorted"
ANSWER_TIMEOUT_SECONDS = 5.0
"""Longest time for an answer: opening the port restarts most boards, and their boot loader takes 2 seconds."""


@dataclass(frozen=True, slots=True)
class DeviceNodes:
    """Device files, the group whose members usually may use them, and what they are for."""

    group: str
    """Name of the group."""
    patterns: tuple[str, ...]
    """File name patterns below /dev, such as "ttyUSB*"."""
    use: str
    """What the devices are for, in English."""


PIN_NODES = DeviceNodes("gpio", ("gpiochip*",), "buttons at the pins")
PORT_NODES = DeviceNodes("dialout", ("ttyACM*", "ttyUSB*"), "a button box")
KEYBOARD_NODES = DeviceNodes("input", ("input/event*",), "the keyboard without a desktop")


def can_use(path: Path) -> bool:
    """Return whether this process may read and write the file; False too if there is none."""
    return os.access(path, os.R_OK | os.W_OK)


def find_owning_group(path: Path) -> str:
    """Return the name of the group that a file belongs to.

    Empty if the group has no name, or if the file does not exist or cannot be examined.
    """
    if sys.platform == "win32":
        return ""
    try:
        return grp.getgrgid(path.stat().st_gid).gr_name
    except (OSError, KeyError):
        return ""


def list_group_members(group: str) -> Sequence[str]:
    """Return the names of the users in a group, whether or not they have logged in since they joined it.

    Args:
        group: name of the group, such as "dialout"; if there is none of that name the result is empty.
    """
    if sys.platform == "win32":
        return ()
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
    """Check that this user may use pins, serial ports and, without a desktop, the keyboard.

    Args:
        devices: folder of the device files.
        environ: has DISPLAY or WAYLAND_DISPLAY if there is a desktop.
        is_allowed: returns whether a device file may be read and written.
        group_of: returns the name of the group that a device file belongs to; empty: unknown.
        members_of: returns the names of the users in a group.

    Returns:
        The check "rights": OK, or WARN with the command that gives the rights. It never fails.
    """
    bare = not (environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))
    closed: dict[str, str] = {}
    open_: list[str] = []
    for nodes in (PIN_NODES, PORT_NODES, *([KEYBOARD_NODES] if bare else [])):
        paths = sorted(path for pattern in nodes.patterns for path in devices.glob(pattern))
        shut = [path for path in paths if not is_allowed(path)]
        if shut:
            group = group_of(shut[0])
            # Root's group has no members: the device has no udev rule yet, so name the usual group.
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
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Check:
    """Check that the pins in the settings can be used, and that no button is stuck. They are opened for a moment.

    Args:
        wired: the pins of the buttons and lamps.
        required: buttons at the pins are demanded: fail, not only warn, if no pin can be used. Only then are the lamps'
            pins tried as outputs, and an expansion board (HAT) on the pins is not looked for.
        open_factory: opens the pins, or raises GpioMissing.
        clock: returns seconds on the monotonic clock.
        sleep: waits for that many seconds.

    Returns:
        The check "GPIO": OK; WARN if some of the pins cannot be used, or are down from the beginning; WARN or FAIL
        (`required`) if none can be used.
    """
    missing = CheckMark.FAIL if required else CheckMark.WARN
    try:
        if not required:
            check_no_hat()
        gpio = GpioSource(wired, open_factory(), clock, are_lamps_certain=required)
    except GpioMissing as why:
        text, _, fix = str(why).partition(": ")
        return Check("GPIO", missing, text, fix or PINS_OPTIONAL_HINT)
    problems = gpio.problems
    until, events = clock() + PIN_WATCH_SECONDS, list[Event]()
    try:
        while clock() < until:
            gpio.tick()
            events += gpio.read()
            sleep(0.02)
    except GpioMissing as why:
        return Check("GPIO", missing, str(why), "is a companion running?")
    finally:
        gpio.close()
    held = list_held_buttons(events)
    if problems:
        text, _, fix = problems[0].rpartition(": ")
        more = f", and {len(problems) - 1} more" if len(problems) > 1 else ""
        return Check("GPIO", CheckMark.WARN, f"{text}{more}", f"{fix} (is a companion running?)")
    if held:
        names = ", ".join(f"{button} (GPIO{wired.buttons[button]})" for button in held)
        return Check("GPIO", CheckMark.WARN, f"down from the beginning: {names}", STUCK_FIX)
    return Check("GPIO", CheckMark.OK, f"{len(wired.buttons)} buttons, {len(wired.lamps)} lamps")


def list_held_buttons(events: Sequence[Event]) -> list[Button]:
    """List the buttons that are down and were not seen to be pressed, after these events of one source."""
    held = dict[Button, None]()
    for event in events:
        if isinstance(event, ButtonHeld):
            held[event.button] = None
        elif isinstance(event, ButtonPressed | ButtonReleased):
            held.pop(event.button, None)
    return list(held)


def check_controllers(
    bindings: Sequence[ButtonBinding], list_present: Callable[[], Mapping[ControllerId, bool]] = list_controllers
) -> Check:
    """Check that the controllers that were taught (gamepads, arcade encoders, presenters) are plugged in.

    Args:
        bindings: what was taught.
        list_present: returns the devices that can be taught, and whether each is a joystick, gamepad or encoder.

    Returns:
        The check "controllers": OK with the number of buttons of each, or WARN if a taught one is missing.
    """
    present = list_present()
    taught = list(dict.fromkeys(binding.controller for binding in bindings))
    matched = match_controllers(list(present), taught)
    labels = label_controllers(taught)
    missing = [labels[each] for each in taught if each not in matched.values()]
    if missing:
        return Check("controllers", CheckMark.WARN, f"not plugged in: {', '.join(missing)}", "plug in what was taught")
    lines = [f"{labels[each]}: {sum(one.controller == each for one in bindings)} buttons" for each in taught]
    lines += [
        f"{clean_name(each)}: press a button of it in the lobby to teach it"
        for each, is_joystick in present.items()
        if is_joystick and each not in matched
    ]
    return Check("controllers", CheckMark.OK, "; ".join(lines) or "none")


def list_serial_ports() -> Sequence[str]:
    """Return the paths of the USB serial ports of all connected devices, such as "/dev/ttyACM0" or "COM3"."""
    return [str(port.device) for port in list_ports.comports() if port.vid is not None]


def list_chips_without_port(usb_devices: Path = Path("/sys/bus/usb/devices")) -> Sequence[str]:
    """Return the USB ids of plugged-in serial chips of button boxes, such as "1a86:7523".

    Call it where no port is known: then each of them has lost its port. The usual cause is brltty, which takes chips
    with these ids for braille displays and detaches the kernel's driver.

    Args:
        usb_devices: the kernel's folder of USB devices.
    """
    known = {f"{vendor:04x}:{product:04x}" for vendor, product in BRIDGED_USB_IDS}
    found = set()
    for vendor_file in usb_devices.glob("*/idVendor"):
        with suppress(OSError):
            ids = [read_kernel_file(vendor_file.with_name(name)).strip() for name in ("idVendor", "idProduct")]
            found.add(":".join(ids))
    return sorted(known & found)


def check_button_box(
    find_ports: PortFinder,
    required: bool,
    open_driver: Callable[[PortFinder], ButtonBox] = ButtonBox,
    list_other_ports: Callable[[], Sequence[str]] = list_serial_ports,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
    list_portless_chips: Callable[[], Sequence[str]] = list_chips_without_port,
) -> Check:
    """Check that a button box is plugged in, may be used, is not used by another program, and answers.

    It waits for an answer for at most ANSWER_TIMEOUT_SECONDS at each port: the first may be that of another device.
    Opening a port restarts most boards.

    Args:
        find_ports: returns the ports at which a button box may be.
        required: fail, not only warn, if none answers.
        open_driver: opens the driver.
        list_other_ports: returns the paths of all USB serial ports.
        clock: returns seconds on the monotonic clock.
        sleep: waits for that many seconds.
        list_portless_chips: returns the USB ids of serial chips, all without a port.

    Returns:
        The check "button box": OK with the port and the firmware's version, WARN if buttons are stuck, or WARN or FAIL
        (`required`) if none answers.
    """
    name, missing = "button box", CheckMark.FAIL if required else CheckMark.WARN
    ports: Sequence[SerialPort] = find_ports()
    if not ports:
        other_ports = ", ".join(list_other_ports())
        if other_ports:
            example = "COM3" if sys.platform == "win32" else "/dev/..."
            fix = f'if one of them is the box, name it in the settings: [box] port = "{example}"'
            return Check(name, missing, f"none known by its name or USB id, but {other_ports}", fix)
        if chips := ", ".join(list_portless_chips()):
            fix = "brltty takes such chips for braille displays: sudo apt remove brltty, then plug it in again"
            return Check(name, missing, f"the serial chip {chips} is plugged in, but has no port", fix)
        return Check(name, missing, "none plugged in", "plug it in" if required else BOX_OPTIONAL_HINT)
    failed: list[Check] = []
    for port in ports:
        check, is_box = _ask_port(port, missing, open_driver, clock, sleep)
        if is_box:
            return check
        failed.append(check)
    if len(failed) == 1:
        return failed[0]
    fixes = "; ".join(f"{port.device}: {check.fix}" for port, check in zip(ports, failed, strict=True))
    return Check(name, missing, "; ".join(check.found for check in failed), fixes)


def _ask_port(
    port: SerialPort,
    missing: CheckMark,
    open_driver: Callable[[PortFinder], ButtonBox],
    clock: Callable[[], float],
    sleep: Callable[[float], None],
) -> tuple[Check, bool]:
    """Check whether a button box answers at a port; return the check "button box", and whether it is one.

    One with another version of the firmware is a box, too: no further port need be opened.
    """
    name = "button box"
    driver = open_driver(lambda: [port])
    try:
        until = clock() + ANSWER_TIMEOUT_SECONDS
        while not driver.is_connected and driver.problem is None and clock() < until:
            sleep(0.02)
        until, events = clock() + BOX_WATCH_SECONDS, list[Event]()
        while driver.is_connected and clock() < until:
            events += driver.read()
            sleep(0.02)
        is_connected, device, problem, welcome = (
            driver.is_connected,
            driver.device,
            driver.problem,
            driver.status.welcome,
        )
    finally:
        driver.close()
    if is_connected and welcome is not None:
        version = ".".join(map(str, welcome.firmware))
        if held := ", ".join(list_held_buttons(events)):
            return Check(name, CheckMark.WARN, f"{device}: down from the beginning: {held}", STUCK_FIX), True
        text = f"{device}: firmware {version}, {welcome.button_count} buttons"
        if welcome.resolution_seconds:
            text += f", presses closer than {1000 * welcome.resolution_seconds:.0f} ms are a tie"
        return Check(name, CheckMark.OK, text), True
    if problem is not None:
        text, _, fix = problem.rstrip(".").partition(": ")
        # It may be no button box at all but, for example, a 3D printer with the same USB chip.
        return Check(name, missing, text, fix or BOX_OPTIONAL_HINT), welcome is not None
    return Check(name, missing, f"{port.device} does not answer", "is it the box, and is the firmware on it?"), False
