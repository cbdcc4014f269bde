"""Decide which faces found by the two nets are dice, one for each die, and how tilted and how certain each is."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.vision.confidence_limits import MAX_DOUBTFUL_CONFIDENCE
from companion.vision.dice.detector import Candidate, is_near
from companion.vision.dice.face_normals import (
    Direction,
    compute_face_normal,
    measure_angle_deg,
    measure_plane_deviations,
)
from companion.vision.onnx import Float32Array
from companion.vision.reading import Die, Image, Point

NO_FACE = 0
"""Index in `FaceReading.state_probabilities`: no top face of a die."""

FLAT = 1
"""Index in `FaceReading.state_probabilities`: a top face that lies flat."""

TILTED = 2
"""Index in `FaceReading.state_probabilities`: a top face of a tilted (cocked) die."""

HIDDEN = 3
"""Index in `FaceReading.state_probabilities`: a top face that is hidden in part, or moving."""

_MIN_DIE_PROBABILITY = 0.2
"""P(die) below which a face is left out. Larger: fewer questions about scenery, more dice missed without a question."""

MIN_TOP_FACE_DISTANCE_EDGES = 0.7
"""Top faces of touching dice lie one edge apart, less the errors of places and edges; what is nearer to a die than this
is its side face or a pip.

In edges of the larger face. Larger: more faces are merged into one die, also without a question."""

FLAT_DEG = 12.0
"""Angle between face and table, in degrees, below which the die lies flat regardless of the net; above it a face is
read in more views where a lid shows the table. Larger: faster, and dice that lean a little count as flat."""

_LEANING_IN_TRAY_DEG = 17.0
"""Angle between a face and the other dice of a tray, in degrees, above which the die is asked about.

Tuned on 80 rendered trays with a die that leans by 24 to 36 degrees, and 80 without. Larger: fewer are asked about."""

TILTED_DEG = 25.0
"""Angle between face and table, in degrees, above which the die is tilted regardless of the net; faces whose normals
differ by less lie in one plane. Larger: fewer dice count as tilted, and planes are less exact."""

CERTAIN_FACE_CONFIDENCE = 0.93
"""P(flat) times P(value) from which one view of a face is enough. Larger: more faces are read in several views."""

MAX_SIZE_RATIO = 2.5
"""Greatest ratio of the edges of two dice in one frame. Beyond it the larger is a tray, if the other is a die in it;
else the smaller is a pip, or print, and all are asked about. Larger: fewer questions about close-ups and about dice
near and far, and fewer trays are dropped."""

_SAMPLED_EDGES = 0.8
"""Side of the sampled square in the middle of a face, in edges. Larger: more of the rounded rim is sampled."""

_SAMPLE_CELLS = 16
"""Rows and columns to which that square is reduced. Larger: finer, slower."""

_PIP_CELLS = 26
"""Number of the `_SAMPLE_CELLS` ** 2 cells that count as pips: those least like the body, for any value.

Larger: on faces of few pips more of the body is averaged in."""

_LAB_WEIGHTS = np.array([0.4, 1.0, 1.0], np.float32)
"""Weights of CIELAB's L, a, b in a colour distance. L weighs less because shade changes it most."""

FaceColours = Float32Array
"""Colours of the bodies and of the pips of n faces, CIELAB, shape (n, 2, 3)."""


@dataclass(frozen=True, slots=True)
class FaceReading:
    """The reader net's answer for one candidate.

    >>> states = np.array([0.02, 0.9, 0.04, 0.04], np.float32)
    >>> values = np.array([0.0, 0.0, 0.0, 0.0, 0.95, 0.05], np.float32)
    >>> face = FaceReading(Candidate(120.0, 100.0, edge=40.0, score=0.9), states, values, normal_xy=(0.0, 0.0))
    >>> int(face.value_probabilities.argmax()) + 1, face.is_rejected
    (5, False)

    Attributes:
        candidate: position and size of the face, in pixels of the frame.
        state_probabilities: shape (4,) float32, indexed by `NO_FACE`, `FLAT`, `TILTED`, `HIDDEN`; sums to 1.
        value_probabilities: shape (6,) float32, for the values 1 to 6 in this order; sums to 1.
        normal_xy: components of the face's normal across the line of sight, right and down, each -1 to 1.
        die_probability: that this is a die at all, readable or not (`die_probability`); 1 before that is known.
    """

    candidate: Candidate
    state_probabilities: Float32Array
    value_probabilities: Float32Array
    normal_xy: Point
    die_probability: float = 1.0

    @property
    def is_rejected(self) -> bool:
        """Whether this is probably no die; such faces are not reported."""
        return self.die_probability < _MIN_DIE_PROBABILITY

    @property
    def readable_probability(self) -> float:
        """Probability that this is the top face of a die, flat or tilted, and neither hidden nor moving."""
        return float(self.state_probabilities[FLAT] + self.state_probabilities[TILTED])

    @property
    def is_readable(self) -> bool:
        """Whether this is more likely a readable top face than not: only such faces show the table's plane."""
        return self.readable_probability > 0.5


def measure_face_colours(image: Image, candidates: Sequence[Candidate]) -> FaceColours:
    """Measure the colours of each face's body and of its pips.

    Args:
        image: the frame, (H, W, 3) uint8 BGR.
        candidates: at least one face, in pixels of `image`; the part outside the frame is left out. Of a face wholly
            outside, the nearest pixels are measured.

    Returns:
        Shape (n, 2, 3), colours of the body (the median) and of the pips (the mean of the pixels farthest from it),
        each CIELAB: L 0 to 100, a and b about -127 to 127.
    """
    height, width = image.shape[:2]
    parts = []
    for at in candidates:
        half = _SAMPLED_EDGES / 2 * at.edge
        x0, y0 = min(max(0, int(at.x - half)), width - 1), min(max(0, int(at.y - half)), height - 1)
        x1, y1 = min(max(x0 + 1, int(at.x + half)), width), min(max(y0 + 1, int(at.y + half)), height)
        size = _SAMPLE_CELLS, _SAMPLE_CELLS
        parts.append(cv2.resize(image[y0:y1, x0:x1], size, interpolation=cv2.INTER_AREA))
    lab = cv2.cvtColor(np.vstack(parts).astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    cells = lab.reshape(len(parts), _SAMPLE_CELLS**2, 3)
    bodies = np.median(cells, axis=1)
    distances = np.square(cells - bodies[:, None]).sum(-1)
    farthest = np.argpartition(distances, -_PIP_CELLS, axis=1)[:, -_PIP_CELLS:]
    pips = np.take_along_axis(cells, farthest[..., None], axis=1).mean(1)
    return np.stack([bodies, pips], axis=1).astype(np.float32)


def compute_colour_distances(faces: FaceColours, others: FaceColours) -> Float32Array:
    """Compute how far each face is in colour from the nearest of other faces.

    Args:
        faces: colours of n faces, as `measure_face_colours` returned them.
        others: colours of m other faces.

    Returns:
        Shape (n,), 0 or more, in CIELAB units: the distance of the bodies plus half of that of the pips; lightness
        counts 0.4 times as much as a and b. From 20 on they look different. Infinity without others.
    """
    if not len(others):
        return np.full(len(faces), np.inf, np.float32)
    distances = np.sqrt(np.square((faces[:, None] - others) * _LAB_WEIGHTS).sum(-1))
    return np.asarray((distances[..., 0] + distances[..., 1] / 2).min(1), np.float32)


def assemble_dice(
    faces: Sequence[FaceReading], table: Direction | None, shape: Sequence[int], *, crowded: bool = False
) -> list[Die]:
    """Turn faces into dice, each die once.

    Faces nearer to a die than a top of another die can be, and trays with dice in them, are dropped.

    Args:
        faces: faces of one frame whose `is_rejected` is False.
        table: the table's normal towards the camera, a unit vector in camera axes (right, down, forward), shape (3,);
            None: unknown, then faces are compared with each other.
        shape: height and width of the frame in pixels; further items are ignored.
        crowded: a tray, whose dice show its plane: a die that leans from it is uncertain.

    Returns:
        The dice, uncertain ones included, in no particular order; boxes are in pixels of the frame. Empty without
        faces. The confidence of each is the product of its probabilities (`die_probability.Decision.calibrate`).
    """
    certain = [face.candidate for face in faces if is_certain_face(face)]
    faces = [face for face in faces if not is_tray(face.candidate, certain)]
    tilts = _measure_tilts(faces, table, shape)
    dice = [(face.candidate, _make_die(face, tilt)) for face, tilt in zip(faces, tilts, strict=True)]
    kept: list[tuple[Candidate, Die]] = []
    for candidate, die in sorted(dice, key=lambda one: -one[1].confidence):
        if not any(is_near(candidate, other, MIN_TOP_FACE_DISTANCE_EDGES) for other, _ in kept):
            kept.append((candidate, die))
    if crowded:
        # Only now: were it less confident before, a side face of the same die could take its place.
        candidates = [face.candidate for face in faces]
        leaning = {id(at) for at, tilt in zip(candidates, tilts, strict=True) if (tilt or 0.0) > _LEANING_IN_TRAY_DEG}
        kept = [(at, _doubt_leaning(die) if id(at) in leaning else die) for at, die in kept]
    return [die for _, die in kept]


def list_places(faces: Sequence[FaceReading]) -> list[tuple[Point, Point]]:
    """Return each face's normal across the line of sight and its centre in pixels, as `face_normals` takes them."""
    return [(face.normal_xy, (face.candidate.x, face.candidate.y)) for face in faces]


def _measure_tilts(faces: Sequence[FaceReading], table: Direction | None, shape: Sequence[int]) -> list[float | None]:
    """Return each face's angle to the table in degrees; None where the table's plane is unknown."""
    places = list_places(faces)
    clear = [i for i, face in enumerate(faces) if face.is_readable]
    deviations = measure_plane_deviations([places[i] for i in clear], shape, TILTED_DEG)
    deviation_of = dict(zip(clear, deviations, strict=True))
    by_others = [deviation_of.get(i) for i in range(len(faces))]
    if table is None:
        return by_others
    # Dice that agree with each other may all differ by some degrees from a plane measured at the lid's corners.
    by_lid = [measure_angle_deg(compute_face_normal(normal_xy, point, shape), table) for normal_xy, point in places]
    return [
        lid if others is None or others > FLAT_DEG else min(lid, others)
        for lid, others in zip(by_lid, by_others, strict=True)
    ]


def _doubt_leaning(die: Die) -> Die:
    """Return a leaning die, about which the companion asks."""
    return replace(doubt(die), tilted=True)


def doubt(die: Die) -> Die:
    """Return the die with confidences so low that the companion asks about it.

    >>> doubt(Die(5, (100, 80, 140, 120), 0.97, known_confidence=0.99)).known_confidence
    0.5
    """
    limited, known = (min(one, MAX_DOUBTFUL_CONFIDENCE) for one in (die.confidence, die.known_confidence))
    return replace(die, confidence=limited, known_confidence=known)


def _make_die(face: FaceReading, tilt_deg: float | None) -> Die:
    """Turn a face into a die.

    Args:
        face: the face.
        tilt_deg: angle between the face and the table in degrees; None: unknown, then the net's word counts.
    """
    second, first = np.argsort(face.value_probabilities)[-2:]
    _, flat, tilted, hidden = (float(p) for p in face.state_probabilities)
    is_tilted = tilted > flat if tilt_deg is None else tilt_deg > TILTED_DEG
    is_flat = tilted < CERTAIN_FACE_CONFIDENCE if tilt_deg is None else tilt_deg < FLAT_DEG
    readable = flat + tilted if is_flat else min(MAX_DOUBTFUL_CONFIDENCE, flat) if is_tilted else flat
    known = float(readable / max(1e-6, flat + tilted + hidden) * face.value_probabilities[first])
    at, half = face.candidate, face.candidate.edge / 2
    return Die(
        value=int(first) + 1,
        box=(at.x - half, at.y - half, at.x + half, at.y + half),
        confidence=min(1.0, face.die_probability * known),
        alternative=int(second) + 1,
        tilted=is_tilted,
        known_confidence=known,
    )


def is_certain_face(face: FaceReading) -> bool:
    """Return whether a face by itself is certain: P(flat) times P(value) above `CERTAIN_FACE_CONFIDENCE`.

    Args:
        face: the face; its neighbours are not considered.
    """
    return bool(face.state_probabilities[FLAT] * face.value_probabilities.max() > CERTAIN_FACE_CONFIDENCE)


def is_tray(candidate: Candidate, dice: Sequence[Candidate]) -> bool:
    """Return whether a candidate is a tray that looks like a face because the dice in it look like pips.

    >>> tray = Candidate(300.0, 200.0, edge=280.0, score=0.6)
    >>> is_tray(tray, [Candidate(280.0, 180.0, edge=30.0, score=0.9)]), is_tray(tray, [])
    (True, False)

    Args:
        candidate: the possible tray.
        dice: faces of the same frame that are certainly dice, in the same pixels; `candidate` itself may be among them.
            If it is empty the answer is False.
    """
    return any(
        die.edge * MAX_SIZE_RATIO < candidate.edge and is_near(die, candidate, MIN_TOP_FACE_DISTANCE_EDGES)
        for die in dice
    )
