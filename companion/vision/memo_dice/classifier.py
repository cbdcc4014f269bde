"""Tells what stands at a spot of a Memo Dice table, by a small net, and where exactly it stands.

The net is trained on scenes that the project renders itself (tools/train_memo_dice). Each spot is read in several
views: what only one view sees is not sure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan2, degrees, dist, exp
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.memo_dice.events import MemoColour
from companion.vision.memo_dice.symbol_colour import classify_symbol_colour
from companion.vision.onnx import load_net, softmax
from companion.vision.reading import BoundingBox, Image, Point

Array = npt.NDArray[np.float32]

INPUT_SIDE_PX = 48
"""Pixels of the net's input; the thing looked for is nominally half of it."""
MODEL_FILE = "memo.onnx"
_CLASS_COUNT = 9
"""No thing, four cups (by `Paint`), three dice (by their symbols), a doubtful die."""
_DOUBTFUL_DIE_CLASS = 8
_VIEWS = ((1.0, 0, False), (1.13, 1, True), (0.89, 2, False), (1.0, 3, True))
"""Size, quarter turns, mirrored."""
_COLOUR_EXPONENT = 4.0
_FLAT_EXPONENT = 0.75
"""Powers of the net's and the ink's common trust in a colour, and of the net's that the die lies flat and free, which
make the confidence: they trust themselves too much, and fewer dice lean at a table than in training. Chosen on
held-back symbols and looks (train_memo_dice.calibrate), where of 318 dice none of 0.9 and above was wrong."""
_MAX_CONTRADICTED_CONFIDENCE = 0.6
"""The most that a colour is worth about which net and ink do not agree."""
_MIN_DISTANCE_SIZES = 0.62
"""Things whose middles are nearer than this share of the larger size are one thing."""
_MAX_NOTHING = 0.5
"""What is likelier to be no thing at all is none."""


@dataclass(frozen=True, slots=True)
class SearchSpot:
    """Where to look: the middle and the size of what may be there, pixels."""

    center: Point
    size: float


@dataclass(frozen=True, slots=True)
class Detection:
    """A cup, or a die by its top face. Pixels of the frame.

    `size`: of a cup its outline's longer side, of a die its top face's edge. `turn`: of a die's edges, degrees
    clockwise from the picture's, -45 to 45. `presence`: how sure it is that something of this kind is there;
    `confidence`: that the colour is right as well.
    """

    is_die: bool
    colour: MemoColour
    center: Point
    size: float
    rotation_deg: float
    presence: float
    confidence: float
    alternatives: tuple[MemoColour, ...] = ()

    @property
    def box(self) -> BoundingBox:
        half = self.size / 2
        return self.center[0] - half, self.center[1] - half, self.center[0] + half, self.center[1] + half


class Classifier:
    """Reads spots of a frame."""

    def __init__(self) -> None:
        self._net = load_net(MODEL_FILE)

    def classify(self, image: Image, spots: Sequence[SearchSpot]) -> list[Detection]:
        """The things at or near `spots` of a BGR frame, each once, surest first."""
        if not spots:
            return []
        told = self._run([_crop_spot(image, spot.center, spot.size) for spot in spots])
        rough = []
        for spot, one in zip(spots, told, strict=True):
            likely = softmax(one[:_CLASS_COUNT])
            if likely[0] < 0.9:
                rough.append((float(1 - likely[0]), _refine_spot(spot, one)))
        kept = _drop_duplicates(rough)
        return sorted(
            (thing for spot in kept if (thing := self._classify_closely(image, spot)) is not None),
            key=lambda thing: -thing.confidence,
        )

    def _classify_closely(self, image: Image, spot: SearchSpot) -> Detection | None:
        """What is there, after looking at it in all views; None: nothing."""
        one = self._run([_crop_spot(image, spot.center, spot.size)])[0]
        spot = _refine_spot(spot, one)
        crops = []
        for scale, turns, mirrored in _VIEWS:
            crop = np.rot90(_crop_spot(image, spot.center, spot.size * scale), turns)
            crops.append(np.ascontiguousarray(crop[:, ::-1] if mirrored else crop))
        told = self._run(crops)
        likely = softmax(np.asarray([row[:_CLASS_COUNT] for row in told])).astype(np.float64)
        # What all views agree on: their geometric mean.
        shared = np.exp(np.log(likely + 1e-9).mean(axis=0))
        shared /= shared.sum()
        if shared[0] > _MAX_NOTHING:
            return None
        x, y, size, c, s = (float(v) for v in told[0][_CLASS_COUNT:])
        half = spot.size
        center = spot.center[0] + x * half, spot.center[1] + y * half
        turn = degrees(atan2(s, c)) / 4
        cups, dice = shared[1:5], shared[5:_DOUBTFUL_DIE_CLASS]
        die = bool(dice.sum() + shared[_DOUBTFUL_DIE_CLASS] > cups.sum())
        size = spot.size * exp(min(0.5, max(-0.5, size)))
        presence = float(dice.sum() + shared[_DOUBTFUL_DIE_CLASS]) if die else float(cups.sum())
        found, sure, first = cups, float(cups.max()), 0
        if die:
            ink = classify_symbol_colour(image, center, size, turn)
            found, first = dice * ink, 1
            flat = float(dice.sum() / max(float(dice.sum() + shared[_DOUBTFUL_DIE_CLASS]), 1e-9))
            sure = float(found.max() / max(float(found.sum()), 1e-12)) ** _COLOUR_EXPONENT * flat**_FLAT_EXPONENT
            if int(dice.argmax()) != int(ink.argmax()):
                sure = min(sure, _MAX_CONTRADICTED_CONFIDENCE)
        order = np.argsort(-found)
        others = tuple(MemoColour(int(k) + first) for k in order[1:])
        return Detection(die, MemoColour(int(order[0]) + first), center, size, turn, presence, sure, others)

    def _run(self, crops: Sequence[Image]) -> Array:
        blob = np.stack(crops).astype(np.float32).transpose(0, 3, 1, 2) / 255
        rows = []
        for start in range(0, len(blob), 64):
            self._net.setInput(np.ascontiguousarray(blob[start : start + 64]))
            rows.append(np.asarray(self._net.forward(), np.float32).reshape(-1, _CLASS_COUNT + 5))
        return np.concatenate(rows)


def cut_out_face(image: Image, die: Detection, side: int = 224) -> Image:
    """The top face of a die, cut out, straightened and enlarged to `side` pixels square, with a small margin.

    Which way is up nobody knows: of the four ways it is the one nearest to how the camera sees it.
    """
    scale = side / (1.16 * die.size)
    angle = -die.rotation_deg
    m = cv2.getRotationMatrix2D(die.center, -angle, scale)
    m[0, 2] += side / 2 - die.center[0]
    m[1, 2] += side / 2 - die.center[1]
    flags = cv2.INTER_CUBIC if scale > 1 else cv2.INTER_AREA
    picture = cv2.warpAffine(image, m, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(picture, np.uint8)


def _crop_spot(image: Image, center: Point, size: float) -> Image:
    """Twice `size` around `center`, as the net wants it; beyond the frame its border goes on."""
    half = max(4.0, size)
    scale = INPUT_SIDE_PX / (2 * half)
    x0, y0 = int(center[0] - half) - 2, int(center[1] - half) - 2
    x1, y1 = int(center[0] + half) + 3, int(center[1] + half) + 3
    h, w = image.shape[:2]
    part: npt.NDArray[Any] = image[
        max(0, min(y0, h - 1)) : max(1, min(y1, h)), max(0, min(x0, w - 1)) : max(1, min(x1, w))
    ]
    left, top = max(0, min(x0, w - 1)), max(0, min(y0, h - 1))
    if scale < 0.7:  # as area sampling does
        part = cv2.GaussianBlur(part, (0, 0), 0.35 / scale)
    m = np.array(
        [
            [scale, 0, INPUT_SIDE_PX / 2 - scale * (center[0] - left)],
            [0, scale, INPUT_SIDE_PX / 2 - scale * (center[1] - top)],
        ]
    )
    crop = cv2.warpAffine(
        part, m, (INPUT_SIDE_PX, INPUT_SIDE_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(crop, np.uint8)


def _refine_spot(spot: SearchSpot, told: Array) -> SearchSpot:
    x, y, size = (min(0.7, max(-0.7, float(v))) for v in told[_CLASS_COUNT : _CLASS_COUNT + 3])
    return SearchSpot((spot.center[0] + x * spot.size, spot.center[1] + y * spot.size), spot.size * exp(size))


def _drop_duplicates(rough: Sequence[tuple[float, SearchSpot]]) -> list[SearchSpot]:
    """The likeliest spots, each thing once."""
    kept: list[SearchSpot] = []
    for _, spot in sorted(rough, key=lambda one: -one[0]):
        if all(dist(spot.center, other.center) > _MIN_DISTANCE_SIZES * max(spot.size, other.size) for other in kept):
            kept.append(spot)
    return kept


def encode_jpeg(image: Image) -> bytes:
    """The picture as a JPEG.

    Raises:
        ValueError: OpenCV refuses it.
    """
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])
    if not done:
        raise ValueError("this picture cannot be encoded")
    return bytes(data)
