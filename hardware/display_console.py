"""Why there is no picture, or no keyboard, on a bare console: in one line, with what helps.

SDL says "kmsdrm not available" to all of it: a build without that driver, no graphics card, no rights, no cable. And
where it may not read the keyboards it says nothing: it takes the console away from them all the same (SDL #4812).
"""

from __future__ import annotations

import grp
import os
from collections.abc import Mapping
from pathlib import Path

from hardware.display_connector import DRM, connected

CONSOLE = "kmsdrm"
"""SDL's name of the driver that draws on the bare console."""
MARK = b"KMSDRM"
"""Stands in every SDL 2 that has that driver (it is the driver's name), and in no other."""
DEV, MAPS = Path("/dev"), Path("/proc/self/maps")


def on_console(environ: Mapping[str, str] = os.environ) -> bool:
    """Whether SDL would draw on the bare console: nobody named another driver, and there is no desktop."""
    asked = environ.get("SDL_VIDEODRIVER", "")
    if asked:
        return asked.lower() == CONSOLE
    return not (environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))


def why_no_screen(dev: Path = DEV, drm: Path = DRM, maps: Path = MAPS) -> str | None:
    """What keeps SDL from drawing on the console; None: nothing that can be seen from here."""
    if can_draw_on_console(maps) is False:
        return (
            "this pygame cannot draw on the console, its SDL has no KMSDRM: use Debian's python3-pygame, or pygame-ce"
        )
    cards = sorted(dev.glob("dri/card*"))
    if not cards:
        return (
            f"the kernel has no {dev / 'dri/card*'}: "
            "on a Raspberry Pi dtoverlay=vc4-kms-v3d belongs into /boot/firmware/config.txt"
        )
    for nodes in (cards, sorted(dev.glob("dri/renderD*"))):
        if nodes and not any(_usable(node) for node in nodes):
            return _no_rights(nodes[0])
    if connected(drm) is False:
        return "none is plugged in and switched on"
    return None


def why_no_keyboard(dev: Path = DEV) -> str | None:
    """What keeps SDL from reading keyboards, mice and touch screens on the console; None: nothing that can be seen."""
    devices = sorted(dev.glob("input/event*"))
    if devices and not any(os.access(device, os.R_OK) for device in devices):
        return _no_rights(devices[0])
    return None


def can_draw_on_console(maps: Path = MAPS) -> bool | None:
    """Whether the SDL in this process has the driver for it; None: there is no SDL, or it cannot be read."""
    try:
        lines = maps.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
        names = {line.split(maxsplit=5)[5] for line in lines if "libSDL2-2" in line and len(line.split()) > 5}
        libraries = [Path(name).read_bytes() for name in names]
    except OSError:
        return None
    return any(MARK in library for library in libraries) if libraries else None


def _usable(node: Path) -> bool:
    return os.access(node, os.R_OK | os.W_OK)


def _no_rights(node: Path) -> str:
    try:
        owner = node.stat().st_gid
        group = grp.getgrgid(owner).gr_name
    except (OSError, KeyError):
        return f"{node} may not be used by this user"
    if owner in os.getgroups():
        return f"{node} belongs to the group {group}, which this user is in, and may not be used all the same"
    return f"{node} may not be used: sudo usermod -aG {group} NAME puts this user into its group, then log in anew"
