"""Classify what stands at a spot of a table with cups, using a small net, and find its exact position.

The net is trained on scenes that the project renders itself (tools/training). Each spot is read in several
views: what only one view shows is uncertain.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import atan2, degrees, dist, exp
from typing import TypeVar

import cv2
import numpy as np

from companion.events import MemoColour
from companion.vision.confidence_limits import MAX_CONTRADICTED_COLOUR_CONFIDENCE
from companion.vision.cups.symbol_colour import classify_symbol_colour, make_crop_matrix
from companion.vision.onnx import Float32Array, load_net, softmax
from companion.vision.reading import Image, Point

INPUT_SIDE_PX = 48
"""Side of the net's square input, in pixels; the object is nominally half as large. Fixed by the trained net."""

MODEL_FILE = "memo.onnx"
"""File name of the packaged network."""

_CLASS_COUNT = 9
"""Classes of the net: nothing, four cups (by `MemoColour`), three dice (by their symbols' colour), a doubtful die."""

_DOUBTFUL_DIE_CLASS = 8
"""Index of the class for a die whose symbol is unreadable."""

_VIEWS = ((1.0, 0, False), (1.13, 1, True), (0.89, 2, False), (1.0, 3, True))
"""Views of each spot: size of the cut (1: as is), quarter turns, whether it is mirrored. More: slower, more careful."""

_COLOUR_EXPONENT = 4.0
"""Exponent on the joint probability of a die's colour in the confidence, for net and ink are both overconfident.

Chosen on held-back symbols and appearances (train_symbol_dice.calibrate), where of 263 dice none with 0.9 or more was
wrong. Larger: dice are less confident."""

_FLAT_EXPONENT = 0.5
"""Exponent on the net's probability that a die lies flat and free; chosen with `_COLOUR_EXPONENT`: fewer dice are
tilted at a table than in training. Larger: dice are less confident."""

_MIN_DISTANCE_SIZES = 0.62
"""Detections whose centres are nearer than this, in sizes of the larger, are one. Larger: more are merged."""

_MAX_NOTHING = 0.5
"""P(nothing) above which a spot is empty. Larger: more uncertain objects are reported."""

_MAX_NOTHING_AT_FIRST = 0.9
"""P(nothing) in the first view from which a spot is not examined further. Larger: slower."""

_MAX_LOG_RESIZE = 0.5
"""Largest natural logarithm by which the net may correct a size."""

_MAX_REFINEMENT = 0.7
"""Largest offset (in sizes) and size correction (natural logarithm) that is taken from the first view."""

_BATCH = 64
"""Number of views that the net reads at once. Larger: more memory."""

_BLUR_BELOW_SCALE = 0.7
"""Cuts that are reduced by more than this are blurred first, as area sampling would."""

_FACE_MARGIN = 1.16
"""Side of a face's picture, in edges of the face."""

_JPEG_QUALITY = 92
"""JPEG quality of a face's picture, 0 to 100."""


@dataclass(frozen=True, slots=True)
class SearchSpot:
    """A place to examine.

    >>> SearchSpot(center=(320.0, 240.0), size=60.0).size
    60.0

    Attributes:
        center: x, y of the centre of the object that may stand there, pixels of the frame.
        size: its expected size in pixels of the frame, above 0: a cup's width or the edge of a die's top face.
    """

    center: Point
    size: float


@dataclass(frozen=True, slots=True)
class Detection:
    """A cup, or a die by its top face, in pixels of the frame.

    >>> cup = Detection(False, MemoColour.RED, (320.0, 240.0), 60.0, 0.0, presence=0.99, confidence=0.97)
    >>> cup.is_die, cup.colour
    (False, <MemoColour.RED: 1>)

    Attributes:
        is_die: whether it is a die; else it is a cup.
        colour: of the cup, or of the die's symbol.
        center: x, y of its centre.
        size: longer side of a cup's outline, or edge of a die's top face.
        rotation_deg: rotation of a die's edges, in degrees clockwise in the picture, -45 to 45; without meaning for
            cups.
        presence: confidence that something of this kind is there, 0 to 1.
        confidence: that the colour is right as well, 0 to 1.
        alternatives: all other colours that such an object can have, the likeliest first.
    """

    is_die: bool
    colour: MemoColour
    center: Point
    size: float
    rotation_deg: float
    presence: float
    confidence: float
    alternatives: tuple[MemoColour, ...] = ()


_Found = TypeVar("_Found", SearchSpot, Detection)


class Classifier:
    """Finds and classifies cups and dice at given spots of a frame.

    >>> empty_table = np.full((480, 640, 3), 120, np.uint8)
    >>> Classifier().classify(empty_table, [SearchSpot((320.0, 240.0), 60.0)])
    []

    Not thread-safe: the net uses buffers of its own.

    Raises:
        DamagedDataFile: the packaged network is missing or damaged.
    """

    def __init__(self) -> None:
        self._net = load_net(MODEL_FILE)

    def classify(self, image: Image, spots: Sequence[SearchSpot]) -> list[Detection]:
        """Find the cups and dice at or near the spots of a frame.

        Args:
            image: the frame, (H, W, 3) uint8 BGR.
            spots: places to examine; they may overlap.

        Returns:
            Each object once, highest confidence first, in pixels of `image`; empty if nothing stands there. Positions
            and sizes are measured, not those of the spots.

        Raises:
            DamagedDataFile: the packaged weights for a die's colour are missing or damaged (first die).
        """
        if not spots:
            return []
        outputs = self._run_net([_crop_spot(image, spot.center, spot.size) for spot in spots])
        rough: list[tuple[float, SearchSpot]] = []
        for spot, output in zip(spots, outputs, strict=True):
            probabilities = softmax(output[:_CLASS_COUNT])
            if probabilities[0] < _MAX_NOTHING_AT_FIRST:
                rough.append((float(1 - probabilities[0]), _refine_spot(spot, output)))
        found = [self._classify_closely(image, spot) for spot in _drop_duplicates(rough)]
        # Looked at closely, two spots may show one object.
        objects = _drop_duplicates((one.presence, one) for one in found if one is not None)
        return sorted(objects, key=lambda one: -one.confidence)

    def _classify_closely(self, image: Image, spot: SearchSpot) -> Detection | None:
        """Classify one spot in all views; None: nothing is there."""
        spot = _refine_spot(spot, self._run_net([_crop_spot(image, spot.center, spot.size)])[0])
        crops = []
        for scale, turns, mirrored in _VIEWS:
            crop = np.rot90(_crop_spot(image, spot.center, spot.size * scale), turns)
            crops.append(np.ascontiguousarray(crop[:, ::-1] if mirrored else crop))
        outputs = self._run_net(crops)
        probabilities = softmax(outputs[:, :_CLASS_COUNT]).astype(np.float64)
        # The geometric mean keeps what all views agree on.
        shared = np.exp(np.log(probabilities + 1e-9).mean(axis=0))
        shared /= shared.sum()
        if shared[0] > _MAX_NOTHING:
            return None
        right, down, log_size, cosine, sine = (float(v) for v in outputs[0][_CLASS_COUNT:])
        center = spot.center[0] + right * spot.size, spot.center[1] + down * spot.size
        size = spot.size * exp(min(_MAX_LOG_RESIZE, max(-_MAX_LOG_RESIZE, log_size)))
        rotation_deg = degrees(atan2(sine, cosine)) / 4
        cups, dice = shared[1:5], shared[5:_DOUBTFUL_DIE_CLASS]
        any_die = float(dice.sum() + shared[_DOUBTFUL_DIE_CLASS])
        is_die = bool(any_die > cups.sum())
        if is_die:
            ink = classify_symbol_colour(image, center, size, rotation_deg)
            weights, first = dice * ink, 1
            flat = float(dice.sum() / max(any_die, 1e-9))
            colour = float(weights.max() / max(float(weights.sum()), 1e-12))
            confidence = colour**_COLOUR_EXPONENT * flat**_FLAT_EXPONENT
            if int(dice.argmax()) != int(ink.argmax()):
                confidence = min(confidence, MAX_CONTRADICTED_COLOUR_CONFIDENCE)
        else:
            weights, first, confidence = cups, 0, float(cups.max())
        presence = any_die if is_die else float(cups.sum())
        best, *others = (MemoColour(int(k) + first) for k in np.argsort(-weights))
        return Detection(is_die, best, center, size, rotation_deg, presence, confidence, tuple(others))

    def _run_net(self, crops: Sequence[Image]) -> Float32Array:
        """Run the net on crops of `INPUT_SIDE_PX`; shape (N, 14): logits of the classes, then position and rotation."""
        blob = np.stack(crops).astype(np.float32).transpose(0, 3, 1, 2) / 255
        rows = []
        for start in range(0, len(blob), _BATCH):
            self._net.setInput(np.ascontiguousarray(blob[start : start + _BATCH]))
            rows.append(np.asarray(self._net.forward(), np.float32).reshape(-1, _CLASS_COUNT + 5))
        return np.concatenate(rows)


def cut_out_face(image: Image, die: Detection, side: int = 224) -> Image:
    """Cut out the top face of a die, straightened and enlarged, with a small margin.

    >>> die = Detection(True, MemoColour.RED, (320.0, 240.0), 40.0, 0.0, presence=0.99, confidence=0.97)
    >>> cut_out_face(np.zeros((480, 640, 3), np.uint8), die).shape
    (224, 224, 3)

    Of the four possible orientations it is the one nearest to how the camera sees the die.

    Args:
        image: the frame, (H, W, 3) uint8 BGR; beyond it its border pixels are repeated.
        die: a die in it, with a size above 0 (else ZeroDivisionError).
        side: side of the result in pixels, above 0.

    Returns:
        (side, side, 3) uint8 BGR.
    """
    scale = side / (_FACE_MARGIN * die.size)
    matrix = make_crop_matrix(die.center, die.rotation_deg, scale, side)
    flags = cv2.INTER_CUBIC if scale > 1 else cv2.INTER_AREA
    face = cv2.warpAffine(image, matrix, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(face, np.uint8)


def encode_jpeg(image: Image) -> bytes:
    """Encode a picture as a JPEG file.

    >>> encode_jpeg(np.zeros((48, 64, 3), np.uint8))[:2].hex()
    'ffd8'

    Args:
        image: (H, W, 3) uint8 BGR, not empty.

    Returns:
        The content of the file.

    Raises:
        ValueError: OpenCV cannot encode it.
        cv2.error: the picture is empty.
    """
    success, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])
    if not success:
        raise ValueError("this picture cannot be encoded")
    return bytes(data)


def _crop_spot(image: Image, center: Point, size: float) -> Image:
    """Cut out a square of side 2 * `size` around `center` as the net's input; beyond the frame its border repeats."""
    half = max(4.0, size)
    scale = INPUT_SIDE_PX / (2 * half)
    x0, y0 = int(center[0] - half) - 2, int(center[1] - half) - 2
    x1, y1 = int(center[0] + half) + 3, int(center[1] + half) + 3
    h, w = image.shape[:2]
    left, top = max(0, min(x0, w - 1)), max(0, min(y0, h - 1))
    part = image[top : max(1, min(y1, h)), left : max(1, min(x1, w))]
    if scale < _BLUR_BELOW_SCALE:
        part = np.asarray(cv2.GaussianBlur(part, (0, 0), 0.35 / scale), np.uint8)
    middle = INPUT_SIDE_PX / 2
    matrix = np.array([[scale, 0, middle - scale * (center[0] - left)], [0, scale, middle - scale * (center[1] - top)]])
    crop = cv2.warpAffine(part, matrix, (INPUT_SIDE_PX, INPUT_SIDE_PX), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(crop, np.uint8)


def _refine_spot(spot: SearchSpot, output: Float32Array) -> SearchSpot:
    """Correct a spot's position and size by the net's output, shape (14,)."""
    right, down, log_size = (
        min(_MAX_REFINEMENT, max(-_MAX_REFINEMENT, float(v))) for v in output[_CLASS_COUNT : _CLASS_COUNT + 3]
    )
    x, y = spot.center
    return SearchSpot((x + right * spot.size, y + down * spot.size), spot.size * exp(log_size))


def _drop_duplicates(found: Iterable[tuple[float, _Found]]) -> list[_Found]:
    """Return what was found by falling probability, without what is too near to something more probable."""
    kept: list[_Found] = []
    for _, one in sorted(found, key=lambda each: -each[0]):
        if all(dist(one.center, other.center) > _MIN_DISTANCE_SIZES * max(one.size, other.size) for other in kept):
            kept.append(one)
    return kept
