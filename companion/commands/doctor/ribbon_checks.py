"""Check on a Raspberry Pi which cameras at the ribbon cable the running kernel has drivers for."""

import platform
from importlib.util import find_spec
from pathlib import Path

from companion.commands.doctor.check import Check, CheckMark
from companion.file_reader import read_kernel_file

RIBBON_SENSORS = {
    "ov5647": "Camera v1",
    "imx219": "Camera v2",
    "imx708": "Camera Module 3",
    "imx477": "HQ Camera",
}
"""Drivers of the sensors on Raspberry Pi's cameras."""
KERNEL_MODULES = Path("/lib/modules") / platform.release()
"""Folder of the running kernel's modules."""
_FIX = "take a USB camera, or Raspberry Pi OS"


def check_ribbon_cameras(
    model_file: Path = Path("/proc/device-tree/model"),
    modules: Path = KERNEL_MODULES,
    *,
    has_picamera2: bool | None = None,
) -> Check:
    """Check which ribbon cameras can work; a lack is no warning, since a USB camera serves as well.

    Args:
        model_file: the machine's name, as its device tree has it.
        modules: as `KERNEL_MODULES`.
        has_picamera2: whether picamera2 is installed; None: look.

    >>> check_ribbon_cameras(Path("/nowhere")).found
    'this is no Raspberry Pi'
    """
    try:
        model = read_kernel_file(model_file)
    except OSError:
        model = ""
    if "Raspberry Pi" not in model:
        return Check("ribbon camera", CheckMark.OK, "this is no Raspberry Pi")
    names = {place.name.partition(".")[0] for place in modules.rglob("*.ko*")}
    usable = [camera for module, camera in RIBBON_SENSORS.items() if module in names]
    if not usable:
        return Check("ribbon camera", CheckMark.OK, f"this kernel has no driver for {', '.join(RIBBON_SENSORS)}", _FIX)
    if not (find_spec("picamera2") is not None if has_picamera2 is None else has_picamera2):
        found = f"{', '.join(usable)}: picamera2 is missing"
        return Check("ribbon camera", CheckMark.OK, found, "sudo apt install python3-picamera2, or take a USB camera")
    return Check("ribbon camera", CheckMark.OK, ", ".join(usable))
