"""Find out, on a bare console, whether a screen is connected and why SDL cannot draw or read a keyboard.

What is drawn: `companion.display`; a screen that is lost in play: `companion.app.resilient_window`.

SDL reports "kmsdrm not available" for every cause: a build without that driver, no graphics card, missing permissions,
no cable. If it may not read the keyboards it reports nothing, but takes them away from the console all the same
(SDL issue 4812). It does not notice when a cable is pulled or plugged in either, so the kernel is asked.
"""

import os
import sys
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from pathlib import Path

from companion.file_reader import read_file, read_kernel_file

if sys.platform != "win32":
    import grp

CONSOLE_DRIVER = "kmsdrm"
"""SDL's name of the video driver that draws on the bare console."""

KMSDRM_MARKER = b"KMSDRM"
"""The driver's name, found in every SDL 2 library built with it and in no other."""

DEVICE_FOLDER = Path("/dev")
"""Folder of the device nodes."""

DRM_FOLDER = Path("/sys/class/drm")
"""Folder where the kernel lists its display connectors."""

RUNTIME_VARIABLE = "XDG_RUNTIME_DIR"
"""Environment variable with the folder of a desktop's sockets."""

MAX_LIBRARY_BYTES = 1 << 28
"""Largest library that is searched; SDL has some 2 MB."""

MEMORY_MAPS_FILE = Path("/proc/self/maps")
"""File that names the libraries loaded by this process."""


@contextmanager
def silence_wayland(environ: MutableMapping[str, str] = os.environ) -> Iterator[None]:
    """Keep libwayland from printing "error: XDG_RUNTIME_DIR is invalid" while the `with` block runs.

    libwayland prints that each time SDL tries its video drivers and the variable is unset or no absolute path, as on a
    machine without a desktop. Only then the variable is set to a folder that does not exist; at the end of the block it
    is as before, because sound servers read it too. Raises nothing of its own.

    Args:
        environ: the process's environment, which is changed; any other mapping only in tests.
    """
    before = environ.get(RUNTIME_VARIABLE)
    if before is not None and before.startswith("/"):
        yield
        return
    environ[RUNTIME_VARIABLE] = "/nonexistent"
    try:
        yield
    finally:
        del environ[RUNTIME_VARIABLE]
        if before is not None:
            environ[RUNTIME_VARIABLE] = before


def is_display_connected(drm_folder: Path = DRM_FOLDER) -> bool | None:
    """Return whether the kernel reports a connected screen at any connector of any graphics card; raises nothing.

    Args:
        drm_folder: folder where the kernel lists its display connectors; it need not exist.

    Returns:
        True: at least one connector is connected; False: none is; None: no connector is listed or readable (no graphics
        card, or its driver is not loaded).
    """
    states = []
    for status in drm_folder.glob("card*-*/status"):
        try:
            states.append(read_kernel_file(status).strip())
        except OSError:
            continue  # the card is being removed
    return "connected" in states if states else None


def is_on_console(environ: Mapping[str, str] = os.environ) -> bool:
    """Return whether SDL would draw on Linux's bare console: no other driver is requested and there is no desktop.

    Args:
        environ: the environment; SDL_VIDEODRIVER (in any case), DISPLAY and WAYLAND_DISPLAY are read, and an empty
            one counts as unset.
    """
    requested = environ.get("SDL_VIDEODRIVER", "")
    if requested:
        return requested.lower() == CONSOLE_DRIVER
    return sys.platform == "linux" and not (environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))


def find_screen_problem(
    device_folder: Path = DEVICE_FOLDER, drm_folder: Path = DRM_FOLDER, memory_maps: Path = MEMORY_MAPS_FILE
) -> str | None:
    """Return in one line of English why SDL cannot draw on the console, and the remedy; raises nothing.

    Args:
        device_folder: folder of the device nodes.
        drm_folder: folder where the kernel lists its display connectors.
        memory_maps: file that names the libraries loaded by this process.

    Returns:
        The first cause found: SDL without console driver, no graphics card, no permission, no screen; lower case,
        without a full stop. None if no cause was found.
    """
    if can_draw_on_console(memory_maps) is False:
        return "no desktop is running, and this version of pygame needs one: start it there, or install pygame-ce"
    cards = sorted(device_folder.glob("dri/card*"))
    if not cards:
        return (
            f"the kernel has no {device_folder / 'dri/card*'}: "
            "on a Raspberry Pi add dtoverlay=vc4-kms-v3d to /boot/firmware/config.txt"
        )
    for nodes in (cards, sorted(device_folder.glob("dri/renderD*"))):
        if nodes and not any(os.access(node, os.R_OK | os.W_OK) for node in nodes):
            return _describe_missing_rights(nodes[0])
    if is_display_connected(drm_folder) is False:
        return "none is plugged in and switched on"
    return None


def find_keyboard_problem(device_folder: Path = DEVICE_FOLDER) -> str | None:
    """Return in one line of English why SDL cannot read keyboards and touch screens, and the remedy; raises nothing.

    Args:
        device_folder: folder of the device nodes.

    Returns:
        None if at least one input device is readable, or if there are none.
    """
    devices = sorted(device_folder.glob("input/event*"))
    if devices and not any(os.access(device, os.R_OK) for device in devices):
        return _describe_missing_rights(devices[0])
    return None


def can_draw_on_console(memory_maps: Path = MEMORY_MAPS_FILE) -> bool | None:
    """Return whether the SDL 2 library loaded in this process was built with the console driver (KMSDRM).

    Call it after pygame was imported, which loads SDL. Reads the whole library file; raises nothing.

    Args:
        memory_maps: file that names the libraries loaded by this process.

    Returns:
        None if no SDL 2 is loaded, or its file or `memory_maps` cannot be read.
    """
    try:
        lines = read_kernel_file(memory_maps).splitlines()
        names = {line.split(maxsplit=5)[5] for line in lines if "libSDL2-2" in line and len(line.split()) > 5}
        libraries = [read_file(Path(name), MAX_LIBRARY_BYTES) for name in names]
    except OSError:
        return None
    return any(KMSDRM_MARKER in library for library in libraries) if libraries else None


def _describe_missing_rights(node: Path) -> str:
    try:
        owner = node.stat().st_gid
        group = grp.getgrgid(owner).gr_name
    except (OSError, KeyError):
        return f"this user has no permission to use {node}"
    if owner in os.getgroups():
        return f"this user has no permission to use {node}, although it is in the group {group}"
    return f"no permission to use {node}: sudo usermod -aG {group} NAME adds this user to its group, then log in again"
