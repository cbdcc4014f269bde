"""Whether a screen is connected, as the kernel sees it: SDL on the bare console does not notice a cable."""

from __future__ import annotations

from pathlib import Path

DRM_FOLDER = Path("/sys/class/drm")


def is_display_connected(folder: Path = DRM_FOLDER) -> bool | None:
    """Whether any display connector has a screen that is there and on; None: the kernel tells of no connector."""
    states = []
    for status in folder.glob("card*-*/status"):
        try:
            states.append(status.read_text(encoding="ascii").strip())
        except (OSError, UnicodeDecodeError):
            continue  # a card that is just going away
    return "connected" in states if states else None
