"""Choose the sensor mode of a ribbon camera: left to itself Picamera2 takes one that sees a part of the view only."""

from collections.abc import Mapping, Sequence
from typing import Any

FRAMES_PER_SECOND = 15
"""Frames a second that are asked for. More are decoded in vain: the table is read at most as often."""

SensorMode = Mapping[str, Any]
"""One of `Picamera2.sensor_modes`: "size", "crop_limits" (x, y, width, height of what it sees, in pixels of the whole
sensor), "fps" and "bit_depth"."""


def choose_sensor_mode(modes: Sequence[SensorMode], size: tuple[int, int]) -> dict[str, Any]:
    """Return the `sensor` of a Picamera2 configuration: the smallest mode that sees all that the sensor can see.

    >>> cropped = {"size": (1536, 864), "crop_limits": (768, 432, 3072, 1728), "fps": 120.13, "bit_depth": 10}
    >>> whole = {"size": (2304, 1296), "crop_limits": (0, 0, 4608, 2592), "fps": 56.03, "bit_depth": 10}
    >>> choose_sensor_mode([cropped, whole], (1280, 720))
    {'output_size': (2304, 1296), 'bit_depth': 10}

    Args:
        modes: the modes that the camera has.
        size: width and height of the pictures, in pixels. A mode with fewer is taken only if no other sees as much.

    Returns:
        The configuration; empty, which leaves the choice to Picamera2, if no mode says what it sees.
    """
    known = [mode for mode in modes if "crop_limits" in mode]
    if not known:
        return {}

    def rank(mode: SensorMode) -> tuple[object, ...]:
        width, height = mode["size"]
        is_enough = width >= size[0] and height >= size[1] and mode["fps"] >= FRAMES_PER_SECOND
        # Of modes that are too small, or too slow, the largest.
        pixels = width * height if is_enough else -width * height
        return -compute_seen_width(mode, size), not is_enough, pixels, -mode["bit_depth"]

    best = min(known, key=rank)
    return {"output_size": tuple(best["size"]), "bit_depth": best["bit_depth"]}


def compute_seen_width(mode: SensorMode, size: tuple[int, int]) -> float:
    """Return the width of the part of the sensor that pictures of a size show, in pixels of the whole sensor.

    A sensor's mode is taller than the picture, or wider: what is too much is cut off.

    Args:
        mode: has "crop_limits".
        size: width and height of the pictures.
    """
    _x, _y, width, height = mode["crop_limits"]
    return float(min(width, height * size[0] / size[1]))
