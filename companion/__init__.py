"""The companion for physical board games: rules, referee, vision, display and journal."""

import os
from importlib.metadata import PackageNotFoundError, metadata, version

# pygame greets on stdout when it is imported; commands that print JSON have that to themselves.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
# Pydantic would search all installed packages for plug-ins of its own, which takes a Pi a while.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
# Here too and not in `hardware` alone: vision may import OpenCV before any camera is thought of.
os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "1")
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(2**26))

try:
    __version__ = version("board-game-companion")
except PackageNotFoundError:  # run from a checkout that was never installed
    __version__ = "0+unknown"


def find_repository() -> str:
    """Return the project's address, "Repository" in [project.urls] of pyproject.toml; empty: none was filled in yet.

    A checkout must be installed again before it has a new one.
    """
    try:
        urls = metadata("board-game-companion").get_all("Project-URL") or ()
    except PackageNotFoundError:
        return ""
    return next((url for name, _comma, url in (each.partition(", ") for each in urls) if name == "Repository"), "")
