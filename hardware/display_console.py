"""Why there is no picture, or no keyboard, on a bare console: in one line, with what helps.

SDL says "kmsdrm not available" to all of it: a build without that driver, no graphics card, no rights, no cable. And
where it may not read the keyboards it says nothing: it takes the console away from them all the same (SDL #4812).
"""

from __future__ import annotations

import grp
import os
from collections.abc import Mapping
from pathlib import Path

from hardware.display_connector import DRM_FOLDER, is_display_connected

CONSOLE_DRIVER = "kmsdrm"
"""SDL's name of the driver that draws on the bare console."""
KMSDRM_MARKER = b"KMSDRM"
"""Stands in every SDL 2 that has that driver (it is the driver's name), and in no other."""
DEVICE_FOLDER, MEMORY_MAPS_FILE = Path("/dev"), Path("/proc/self/maps")


def is_on_console(environ: Mapping[str, str] = os.environ) -> bool:
    """Whether SDL would draw on the bare console: nobody named another driver, and there is no desktop."""
    asked = environ.get("SDL_VIDEODRIVER", "")
    if asked:
        return asked.lower() == CONSOLE_DRIVER
    return not (environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))


def find_screen_problem(
    device_folder: Path = DEVICE_FOLDER, drm_folder: Path = DRM_FOLDER, memory_maps: Path = MEMORY_MAPS_FILE
) -> str | None:
    """What keeps SDL from drawing on the console; None: nothing that can be seen from here."""
    if can_draw_on_console(memory_maps) is False:
        return (
            "this pygame cannot draw on the console, its SDL has no KMSDRM: use Debian's python3-pygame, or pygame-ce"
        )
    cards = sorted(device_folder.glob("dri/card*"))
    if not cards:
        return (
            f"the kernel has no {device_folder / 'dri/card*'}: "
            "on a Raspberry Pi dtoverlay=vc4-kms-v3d belongs into /boot/firmware/config.txt"
        )
    for nodes in (cards, sorted(device_folder.glob("dri/renderD*"))):
        if nodes and not any(_is_usable(node) for node in nodes):
            return _describe_missing_rights(nodes[0])
    if is_display_connected(drm_folder) is False:
        return "none is plugged in and switched on"
    return None


def find_keyboard_problem(device_folder: Path = DEVICE_FOLDER) -> str | None:
    """What keeps SDL from reading keyboards, mice and touch screens on the console; None: nothing that can be seen."""
    devices = sorted(device_folder.glob("input/event*"))
    if devices and not any(os.access(device, os.R_OK) for device in devices):
        return _describe_missing_rights(devices[0])
    return None


def can_draw_on_console(memory_maps: Path = MEMORY_MAPS_FILE) -> bool | None:
    """Whether the SDL in this process has the driver for it; None: there is no SDL, or it cannot be read."""
    try:
        lines = memory_maps.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
        names = {line.split(maxsplit=5)[5] for line in lines if "libSDL2-2" in line and len(line.split()) > 5}
        libraries = [Path(name).read_bytes() for name in names]
    except OSError:
        return None
    return any(KMSDRM_MARKER in library for library in libraries) if libraries else None


def _is_usable(node: Path) -> bool:
    return os.access(node, os.R_OK | os.W_OK)


def _describe_missing_rights(node: Path) -> str:
    try:
        owner = node.stat().st_gid
        group = grp.getgrgid(owner).gr_name
    except (OSError, KeyError):
        return f"{node} may not be used by this user"
    if owner in os.getgroups():
        return f"{node} belongs to the group {group}, which this user is in, and may not be used all the same"
    return f"{node} may not be used: sudo usermod -aG {group} NAME puts this user into its group, then log in anew"
