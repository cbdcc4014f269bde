"""Modes of Raspberry Pi's camera modules, as `rpicam-hello --list-cameras` prints them."""

from __future__ import annotations

from typing import Any


def _mode(size: tuple[int, int], fps: float, crop: tuple[int, int, int, int], bit_depth: int = 10) -> dict[str, Any]:
    return {"size": size, "fps": fps, "crop_limits": crop, "bit_depth": bit_depth}


MODES = {
    # rpicam-apps #515 and #570; the wide module has the same sensor.
    "Module 3 (imx708)": [
        _mode((1536, 864), 120.13, (768, 432, 3072, 1728)),
        _mode((2304, 1296), 56.03, (0, 0, 4608, 2592)),
        _mode((4608, 2592), 14.35, (0, 0, 4608, 2592)),
    ],
    # picamera2 #1233; each mode twice, with 10 and 8 bits.
    "Module 2 (imx219)": [
        _mode(size, fps, crop, bit_depth)
        for bit_depth in (10, 8)
        for size, fps, crop in (
            ((640, 480), 206.65, (1000, 752, 1280, 960)),
            ((1640, 1232), 41.85, (0, 0, 3280, 2464)),
            ((1920, 1080), 47.57, (680, 692, 1920, 1080)),
            ((3280, 2464), 21.19, (0, 0, 3280, 2464)),
        )
    ],
    # rpicam-apps #427
    "Module 1 (ov5647)": [
        _mode((640, 480), 58.92, (16, 0, 2560, 1920)),
        _mode((1296, 972), 43.25, (0, 0, 2592, 1944)),
        _mode((1920, 1080), 30.62, (348, 434, 1928, 1080)),
        _mode((2592, 1944), 15.63, (0, 0, 2592, 1944)),
    ],
    # rpicam-apps #312 and #477, raspberrypi/linux #6208
    "HQ (imx477)": [
        _mode((1332, 990), 120.05, (696, 528, 2664, 1980)),
        _mode((2028, 1080), 50.03, (0, 440, 4056, 2160), 12),
        _mode((2028, 1520), 40.01, (0, 0, 4056, 3040), 12),
        _mode((4056, 3040), 10.0, (0, 0, 4056, 3040), 12),
    ],
    "AI camera (imx500)": [
        _mode((2028, 1520), 30.02, (0, 0, 4056, 3040)),
        _mode((4056, 3040), 10.0, (0, 0, 4056, 3040)),
    ],
    # AllskyTeam/allsky #3632
    "Global shutter (imx296)": [_mode((1456, 1088), 60.38, (0, 0, 1456, 1088))],
}
