"""Draw lids for the tests: any layout and colours, seen at an angle, turned, with hands before them."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from functools import cache, lru_cache

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from companion.vision.lid.reader import LidReader
from companion.vision.reading import Lid

Array = npt.NDArray[np.float64]
Colour = tuple[int, int, int]

GRID = [(x, y) for y in (-46, 6, 58) for x in (-81, -27, 27, 81)]
STAGGERED = [(x + s, y) for y, s in ((-68, -12), (-20, 12), (28, -12), (76, 12)) for x in (-51, 0, 51)]
RING = [(77 * np.cos(a), 77 * np.sin(a)) for a in np.radians(np.arange(9) * 40 + 5)] + [
    (29 * np.cos(a), 29 * np.sin(a)) for a in np.radians(np.arange(3) * 120 + 20)
]
LOOSE = [(-70, -70), (-15, -80), (50, -62), (-80, -12), (-28, -27), (25, -10), (78, -5), (-55, 40), (0, 38), (52, 45),
         (-20, 85), (80, 84)]  # fmt: skip
EVEN = [(x, y) for y in (-52, 0, 52) for x in (-81, -27, 27, 81)]
"""In the very middle of the lid: turned by 180 degrees it is the same."""
LAYOUTS = {"even": EVEN, "grid": GRID, "staggered": STAGGERED, "ring": RING, "loose": LOOSE}

NUMBERS = (5, 2, 6, 1, 3, 4, 4, 6, 1, 5, 2, 3)

BLANK = 0
"""Number of a token that lies blank side up."""

RADIUS = 36.0
"""Of a drawn token, pixels, about."""

needs_detector = pytest.mark.skipif(
    not hasattr(cv2.aruco, "ArucoDetector"), reason="this OpenCV has no ArucoDetector (4.7 and later have)"
)
"""For tests of printed tags."""

_PER_MM = 4
_HALF = 150
"""Half the side of the drawn square in millimetres, from the lid's centre."""

_SCRAPS = ((40, 180, 90), (200, 80, 190), (60, 70, 220), (30, 34, 30), (210, 190, 90), (120, 160, 60))


@dataclass(frozen=True)
class DrawnLid:
    """A lid with what lies on it. Colours are BGR."""

    layout: str = "grid"
    lid: Colour = (128, 74, 36)
    token: Colour = (50, 46, 190)
    digit: Colour = (235, 240, 240)
    table: Colour = (96, 138, 176)
    arrow: bool = True
    tags: bool = False
    half_size: tuple[int, int] = (114, 116)
    radius: float = 20.0

    def draw(
        self,
        numbers: tuple[int | None, ...] = NUMBERS,
        angle: float = 0.0,
        shift: tuple[float, float] = (0.0, 0.0),
        hand: tuple[float, float] | None = None,
        tilt: float = 12.0,
        noise: float = 3.0,
        seed: int = 0,
    ) -> tuple[npt.NDArray[np.uint8], Array]:
        """A frame, 1280x720, and the windows' centres in it, shape (12, 2).

        `numbers` by window (None: open; `BLANK`: a token with its blank side up), `angle` in degrees clockwise, `shift`
        in pixels, `hand` the place of the middle of a palm in mm of the lid, `tilt` the camera's in degrees, `noise` a
        standard deviation.
        """
        picture, centers = self._draw_once(numbers, angle, shift, hand, tilt, noise, seed)
        return picture.copy(), centers.copy()

    @lru_cache(maxsize=32)  # noqa: B019 - lids are few, and pictures 3 MB each
    def _draw_once(
        self,
        numbers: tuple[int | None, ...],
        angle: float,
        shift: tuple[float, float],
        hand: tuple[float, float] | None,
        tilt: float,
        noise: float,
        seed: int,
    ) -> tuple[npt.NDArray[np.uint8], Array]:
        rng = np.random.default_rng(seed)
        flat = self._flat(numbers, seed)
        to_frame = _camera(angle, shift, tilt)
        picture = np.empty((720, 1280, 3), np.uint8)
        picture[:] = self.table
        to_pixels = np.array([[_PER_MM, 0, _HALF * _PER_MM], [0, _PER_MM, _HALF * _PER_MM], [0, 0, 1.0]])
        turn = to_frame @ np.linalg.inv(to_pixels)
        cover = cv2.warpPerspective(flat[..., 3], turn, (1280, 720), flags=cv2.INTER_AREA)
        soft = cv2.GaussianBlur(flat[..., :3], (0, 0), 1.5)
        seen = cv2.warpPerspective(soft, turn, (1280, 720), flags=cv2.INTER_LINEAR)
        cv2.copyTo(seen, (cover > 127).astype(np.uint8), picture)
        if hand is not None:
            _draw_hand(picture, _project(to_frame, np.array([hand]))[0])
        light = np.linspace(0.85, 1.1, 1280, dtype=np.float32)[None, :, None]
        grain = np.tile(rng.normal(0, noise, (180, 320, 3)).astype(np.float32), (4, 4, 1))
        out = cv2.GaussianBlur(picture, (3, 3), 0) * light
        out += grain
        return np.clip(out, 0, 255, out=out).astype(np.uint8), _project(to_frame, np.array(LAYOUTS[self.layout], float))

    def ringed(self, share: float) -> npt.NDArray[np.uint8]:
        """A frame from straight above; a ring of the digits' colour on each token at this share of its radius."""
        picture, centers = self.draw(tilt=0.0)
        for x, y in centers.tolist():
            at = round(x * 16), round(y * 16)
            cv2.circle(picture, at, round(RADIUS * share * 16), self.digit, 2, cv2.LINE_AA, 4)
        return picture

    def corners(self, angle: float = 0.0, shift: tuple[float, float] = (0.0, 0.0), tilt: float = 12.0) -> Array:
        """The lid's corners in the frame, clockwise from the arrow's left."""
        w, h = self.half_size
        return _project(_camera(angle, shift, tilt), np.array([(-w, -h), (w, -h), (w, h), (-w, h)], float))

    def _flat(self, numbers: tuple[int | None, ...], seed: int) -> npt.NDArray[np.uint8]:
        """The lid straight from above, BGR and cover."""
        rng = np.random.default_rng(seed + 1)
        flat = np.zeros((2 * _HALF * _PER_MM, 2 * _HALF * _PER_MM, 4), np.uint8)
        w, h = self.half_size
        self._box(flat, -w, -h, w, h, self.lid)
        for x in (-w + 8, w - 8):
            for y in (-h + 8, h - 8):
                cv2.circle(flat, _pixel(x, y), 4 * _PER_MM, (205, 215, 220, 255), -1, cv2.LINE_AA)
        if self.arrow:
            tip = [_pixel(0, -h + 3), _pixel(9, -h + 13), _pixel(-9, -h + 13)]
            cv2.fillPoly(flat, [np.array(tip)], (240, 240, 240, 255), cv2.LINE_AA)
        if self.tags:
            self._draw_tags(flat)
        for (x, y), number in zip(LAYOUTS[self.layout], numbers, strict=True):
            middle = _pixel(x, y)
            if number is None:
                scrap = _SCRAPS[int(rng.integers(len(_SCRAPS)))]
                cv2.circle(flat, middle, round(0.85 * self.radius * _PER_MM), (*scrap, 255), -1, cv2.LINE_AA)
                continue
            cv2.circle(flat, middle, round(self.radius * _PER_MM), (*self.token, 255), -1, cv2.LINE_AA)
            rim = tuple(int(c * 0.75) for c in self.token)
            cv2.circle(flat, middle, round(self.radius * _PER_MM), (*rim, 255), 3, cv2.LINE_AA)
            if number != BLANK:
                self._draw_digit(flat, middle, number, float(rng.uniform(0, 360)))
        return flat

    def _draw_digit(self, flat: npt.NDArray[np.uint8], middle: tuple[int, int], number: int, angle: float) -> None:
        side = round(2 * self.radius * _PER_MM)
        loose = np.zeros((side, side), np.uint8)
        cv2.putText(loose, str(number), (side // 4, 3 * side // 4), cv2.FONT_HERSHEY_DUPLEX, 3.2, 255, 9, cv2.LINE_AA)
        x, y, w, h = cv2.boundingRect(loose)
        left, top = (side - w) // 2, (side - h) // 2
        stamp = np.zeros((side, side), np.uint8)
        stamp[top : top + h, left : left + w] = loose[y : y + h, x : x + w]
        if number == 6:
            under = top + h + 10
            cv2.line(stamp, (side // 2 - 22, under), (side // 2 + 22, under), 255, 5, cv2.LINE_AA)
        turn = cv2.getRotationMatrix2D((side / 2, side / 2), angle, 1.0)
        ink = cv2.warpAffine(stamp, turn, (side, side))[..., None] / 255
        x, y = middle[0] - side // 2, middle[1] - side // 2
        part = flat[y : y + side, x : x + side, :3]
        part[:] = (part * (1 - ink) + ink * np.array(self.digit)).astype(np.uint8)

    def _draw_tags(self, flat: npt.NDArray[np.uint8]) -> None:
        dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
        w, h = self.half_size
        for tag, (x, y) in enumerate(((-w - 12, -h - 4), (w + 12, -h - 4), (w + 12, h + 4), (-w - 12, h + 4))):
            self._box(flat, x - 11, y - 11, x + 11, y + 11, (245, 245, 245))
            side = 15 * _PER_MM
            marker = cv2.aruco.generateImageMarker(dictionary, tag, side)
            px, py = _pixel(x - 7.5, y - 7.5)
            flat[py : py + side, px : px + side, :3] = marker[..., None]

    def _box(self, flat: npt.NDArray[np.uint8], x0: float, y0: float, x1: float, y1: float, colour: Colour) -> None:
        cv2.rectangle(flat, _pixel(x0, y0), _pixel(x1, y1), (*colour, 255), -1)


def learn_lid(drawn: DrawnLid, numbers: tuple[int | None, ...] = NUMBERS, tilt: float = 12.0) -> tuple[LidReader, Lid]:
    """Return a reader that has learnt the lid, and what it read. Each lid is learnt once, and the reader is copied."""
    reader, lid = _learn_once(drawn, numbers, tilt)
    net = reader._classifier._net  # of OpenCV: it cannot be copied
    return deepcopy(reader, {id(net): net}), lid


def read_lid(reader: LidReader, picture: npt.NDArray[np.uint8]) -> Lid:
    """Read a lid that must be found."""
    lid = reader.read(picture)
    assert lid is not None
    return lid


@cache
def _learn_once(drawn: DrawnLid, numbers: tuple[int | None, ...], tilt: float) -> tuple[LidReader, Lid]:
    reader = LidReader()
    lid = reader.calibrate(drawn.draw(numbers, tilt=tilt)[0])
    assert lid is not None
    return reader, lid


def _pixel(x: float, y: float) -> tuple[int, int]:
    return round((x + _HALF) * _PER_MM), round((y + _HALF) * _PER_MM)


def _camera(angle: float, shift: tuple[float, float], tilt: float) -> Array:
    """Lid millimetres to pixels: turned, then seen from 900 mm by a camera that is tilted about the image's x axis."""
    a, t = np.radians(angle), np.radians(tilt)
    turn = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1.0]])
    slant = np.array([[1, 0, 0], [0, np.cos(t), 0], [0, np.sin(t) / 900, 1.0]])
    place = np.array([[1.8, 0, 400 + shift[0]], [0, 1.8, 360 + shift[1]], [0, 0, 1.0]])
    return np.asarray(place @ slant @ turn, np.float64)


def _project(h: Array, points: Array) -> Array:
    out = np.column_stack([points, np.ones(len(points))]) @ h.T
    return np.asarray(out[:, :2] / out[:, 2:], np.float64)


def _draw_hand(picture: npt.NDArray[np.uint8], palm: Array) -> None:
    x, y = (round(float(v)) for v in palm)
    skin = (150, 180, 228)
    cv2.line(picture, (x, y + 60), (x + 30, 900), (110, 70, 60), 110, cv2.LINE_AA)
    cv2.ellipse(picture, (x, y), (62, 74), 0, 0, 360, skin, -1, cv2.LINE_AA)
    for k in range(4):
        cv2.line(picture, (x - 45 + 30 * k, y - 40), (x - 55 + 36 * k, y - 150), skin, 24, cv2.LINE_AA)
