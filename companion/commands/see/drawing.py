"""Pictures of what was read: `companion see --draw` and `companion watch --draw`."""

from pathlib import Path

import cv2
import numpy as np

from companion.system.atomic_file import write_atomic
from companion.vision.confidence_limits import MIN_PLAY_CONFIDENCE
from companion.vision.reading import Image, LidWindow, Reading

SURE_BGR = (90, 220, 60)
"""Colour of what is certain, in OpenCV's order."""
UNSURE_BGR = (40, 150, 255)
"""Colour of what the companion would ask about."""
EDGE_BGR = (20, 20, 20)
"""Colour around lines and letters, so that they stand out on any table."""
LINE_SHARE = 1 / 400
"""Width of lines as a share of the picture's longer side."""
JPEG_QUALITY = 90


def draw_reading(image: Image, reading: Reading) -> Image:
    """Return a copy of a picture on which is drawn what was read: dice with their values, the lid and its windows.

    Orange is what the companion would ask about; a window that is open has a circle without a number.

    Args:
        image: (H, W, 3) uint8 BGR.
        reading: what was read in it.
    """
    drawn = image.copy()
    width = max(2, round(max(image.shape[:2]) * LINE_SHARE))
    if reading.lid is not None:
        _draw_lines(drawn, np.array(reading.lid.corners), SURE_BGR, width)
        for window in reading.lid.windows:
            _draw_window(drawn, window, width)
    for die in reading.dice:
        left, top, right, bottom = die.box
        colour = SURE_BGR if die.confidence >= MIN_PLAY_CONFIDENCE else UNSURE_BGR
        _draw_lines(drawn, np.array([(left, top), (right, top), (right, bottom), (left, bottom)]), colour, width)
        _draw_word(drawn, str(die.value), (right + 2 * width, bottom), 0.8 * (bottom - top), colour, width)
    return drawn


def save_drawing(image: Image, reading: Reading, folder: Path, name: str) -> Path:
    """Write `draw_reading` as NAME.jpg into a folder, as NAME-2.jpg if that is there, and return the path.

    Raises:
        OSError: it cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path, number = folder / f"{name}.jpg", 1
    while path.exists():
        number += 1
        path = folder / f"{name}-{number}.jpg"
    _ok, data = cv2.imencode(".jpg", draw_reading(image, reading), [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    write_atomic(path, data.tobytes())
    return path


def _draw_window(drawn: Image, window: LidWindow, width: int) -> None:
    is_sure = window.covered is not None and (window.covered is False or window.number is not None)
    colour = SURE_BGR if is_sure and window.confidence >= MIN_PLAY_CONFIDENCE else UNSURE_BGR
    centre = (round(window.center[0]), round(window.center[1]))
    for bgr, line_width in ((EDGE_BGR, 2 * width), (colour, width)):
        cv2.circle(drawn, centre, round(window.radius), bgr, line_width, cv2.LINE_AA)
    if window.covered is not False:
        word = "?" if window.number is None else str(window.number)
        corner = window.center[0] + 0.8 * window.radius, window.center[1] + 1.2 * window.radius
        _draw_word(drawn, word, corner, window.radius, colour, width)


def _draw_lines(drawn: Image, corners: np.ndarray, colour: tuple[int, int, int], width: int) -> None:
    for bgr, line_width in ((EDGE_BGR, 2 * width), (colour, width)):
        cv2.polylines(drawn, [np.round(corners).astype(np.int32)], isClosed=True, color=bgr, thickness=line_width)


def _draw_word(
    drawn: Image, word: str, corner: tuple[float, float], height: float, colour: tuple[int, int, int], width: int
) -> None:
    """Draw a word whose lower left corner is at `corner`, about `height` pixels high."""
    place, scale = (round(corner[0]), round(corner[1])), max(0.5, height / 22)
    for bgr, line_width in ((EDGE_BGR, 4 * width), (colour, 2 * width)):
        cv2.putText(drawn, word, place, cv2.FONT_HERSHEY_SIMPLEX, scale, bgr, line_width, cv2.LINE_AA)
