"""Which control of which controller stands for which button, and how a controller is recognised.

Where bindings are applied: `driver.py`; stored: `companion/config/taught_buttons.py`; taught on the
screen: `companion/lobby/button_teaching.py`. Lights (Buzz!): `lamps.py`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from companion.events import Button, ControllerId


@dataclass(frozen=True, slots=True)
class ButtonBinding:
    """One control that was taught.

    >>> pad = ControllerId(0x0079, 0x0006, "USB Gamepad")
    >>> ButtonBinding(pad, "key 288", Button.OK).button
    <Button.OK: 'ok'>

    Attributes:
        controller: the device, as it was when it was taught.
        control: the key, button or direction, see `companion.events.ControlPressed`.
        button: the button of the table that it stands for.
    """

    controller: ControllerId
    control: str
    button: Button


def match_controllers(
    present: Sequence[ControllerId], taught: Sequence[ControllerId]
) -> dict[ControllerId, ControllerId]:
    """Recognise the controllers that were taught among those that are plugged in.

    A controller is only taken for one of the same vendor, product and name. Of those, the best match comes first: the
    same serial number and port, then the same serial number, then the same port, then any that is left, in the order of
    their ports: a cable in another socket, or a new device in place of a broken one. Equal devices without serial
    numbers that all changed their sockets may be confused.

    Args:
        present: the devices that are plugged in.
        taught: the devices that were taught; each is matched once.

    Returns:
        The taught id of each present one that was recognised.

    >>> old, new = ControllerId(1, 2, "Pad", port="usb-1"), ControllerId(1, 2, "Pad", port="usb-2")
    >>> match_controllers([new], [old]) == {new: old}
    True
    """
    found: dict[ControllerId, ControllerId] = {}
    tests = (
        lambda one, other: one == other,
        lambda one, other: bool(one.serial) and one.serial == other.serial,
        lambda one, other: bool(one.port) and one.port == other.port,
        # At another socket a serial number that differs is another device; one that has none any more may be the same.
        lambda one, other: not (one.serial and other.serial),
        lambda one, other: True,
    )
    for is_same in tests:
        for device in sorted(present, key=lambda each: each.port):
            for old in sorted(taught, key=lambda each: each.port):
                if (
                    device not in found
                    and old not in found.values()
                    and _get_model(device) == _get_model(old)
                    and is_same(device, old)
                ):
                    found[device] = old
    return found


def label_controllers(taught: Sequence[ControllerId]) -> dict[ControllerId, str]:
    """Return a name for people for each controller: its own, with a number where several have the same.

    Args:
        taught: the controllers in the order in which they were taught, each once.

    >>> pad = ControllerId(1, 2, "USB Gamepad ", port="usb-1")
    >>> list(label_controllers([pad, ControllerId(1, 2, "USB Gamepad", port="usb-2")]).values())
    ['USB Gamepad 1', 'USB Gamepad 2']
    """
    names = [clean_name(device) for device in taught]
    labels = {}
    for index, (device, name) in enumerate(zip(taught, names, strict=True)):
        labels[device] = name if names.count(name) == 1 else f"{name} {names[: index + 1].count(name)}"
    return labels


def clean_name(device: ControllerId) -> str:
    """Return the device's own name without what cannot be shown, in one line of at most 40 letters; never empty.

    >>> clean_name(ControllerId(0x79, 6, "DragonRise Inc.   Generic   USB  Joystick  "))
    'DragonRise Inc. Generic USB Joystick'
    """
    name = " ".join("".join(letter if letter.isprintable() else " " for letter in device.name).split())[:40].strip()
    return name or f"{device.vendor:04x}:{device.product:04x}"


def _get_model(device: ControllerId) -> tuple[int, int, str]:
    return device.vendor, device.product, device.name
