"""Decide which of the faces found by the two nets are dice, which belong to one die, and how certain each is."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.vision.dice.detector import Candidate, is_near, is_same_face
from companion.vision.dice.tilt import Direction, compute_face_normal, measure_angle_deg, measure_plane_deviations
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

_MIN_DIE_PROBABILITY = 0.35
"""P(die) below which a face is left out. Larger: fewer questions about scenery, more dice missed without a question."""

MIN_TOP_FACE_DISTANCE_EDGES = 0.85
"""Top faces of touching dice lie one edge apart; what is nearer to a die than this is its side face or a pip.

In edges of the larger face. Larger: more faces are merged into one die."""

_MIN_RIVAL_SIZE_RATIO = 0.55
"""Least ratio of edges of two faces of one die for which either may be the top face. Larger: fewer rivals."""

_MIN_RIVAL_CONFIDENCE = 0.5
"""Confidence from which a second face of a die, with another value, makes the die uncertain: it may be the top face of
a die that is seen obliquely. Larger: fewer dice become uncertain."""

_SIDE_FACE_DROP_EDGES = 0.35
"""A rival this far below a face in the picture, and more below than beside it, is the die's own side face.

In edges. A side reads like a top only in a very oblique view, with an upright camera, as in training.
Larger: fewer rivals are dismissed as side faces."""

_MIN_CERTAIN_CONFIDENCE = 0.85
"""Confidence from which a die is certain: its size counts, and it can show a tray. Larger: fewer certain dice."""

_SIDE_FACE_REACH_EDGES = 1.25
"""Greatest distance from a top face to a side face of the same die, in edges.

It feeds the decision, whose weights were fitted with it; taught faces are not looked for there. Larger: more faces are
left out as sides."""

_TILTED_ABOVE_DEG = 20.0
"""Angle between face and table, in degrees, above which the die is tilted regardless of the net (table from the lid).

Larger: fewer dice count as tilted."""

_FLAT_BELOW_DEG = 14.0
"""Angle between face and table, in degrees, below which the die lies flat regardless of the net."""

_PARALLEL_DEG = 10.0
"""Dice whose faces agree within this angle, in degrees, lie flat although the lid's plane seems to differ.

Larger: tilted dice that happen to agree are more often taken for flat."""

SAME_PLANE_DEG = 20.0
"""Faces whose normals differ by less than this, in degrees, lie in one plane. Larger: planes are found more often and
are less exact."""

_TILTED_FROM_OTHERS_ABOVE_DEG = 25.0
"""As `_TILTED_ABOVE_DEG`, where only the other dice show the table's plane: each may be some degrees off."""

_TILTED_IN_TRAY_ABOVE_DEG = 17.0
"""As `_TILTED_ABOVE_DEG`, in a tray in which `_MIN_PARALLEL_DICE` others are parallel: they show the plane well.

Tuned on 80 rendered trays with a die that leans by 24 to 36 degrees, and 80 without. Larger: fewer are asked about."""

_MIN_PARALLEL_DICE = 4
"""Dice that lie within `_PARALLEL_DEG` of a common plane from which it is known well."""

_CERTAINLY_TILTED_DEG = 36.0
"""Angle to the lid's plane, in degrees, above which a die is tilted although another one agrees with it: two dice
rarely tilt the same way."""

_MIN_PLANE_CONFIDENCE = 0.8
"""Least P(flat) + P(tilted) of a face that takes part in finding the dice's common plane. Larger: fewer take part."""

CERTAIN_FACE_CONFIDENCE = 0.93
"""P(flat) times P(value) from which one view of a face is enough. Larger: more faces are read in several views."""

_TILTED_ODDS = 0.1
"""Odds of a tilted die among single dice in use, relative to the training set. Larger: single dice that seem tilted
are less confident."""

_HIDDEN_ODDS = 0.5
"""Odds of a hidden or moving die in use, relative to the training set. Larger: such dice are less confident."""

_CERTAIN_DIE_SCORE = 0.5
"""Detector score from which a confidently read face certainly is a die. Larger: fewer trays are recognised."""

_MAX_PIP_SIZE_RATIO = 0.4
"""A candidate that contains a certain die smaller than this share of its edge is a tray. Larger: more are dropped."""

_TRAY_REACH_EDGES = 0.6
"""A die lies in a tray if it is nearer than this to the tray's centre, in edges of the tray."""

_SAME_GROUP_SIZE_RATIO = 2.2
"""Largest ratio of edges of two certain dice that count as one group. Larger: fewer faces are dropped."""

_MAX_SIZE_RATIO = 4.0
"""Faces that differ in size from the largest group of certain dice by more than this factor are dropped: dice near the
camera and far from it differ less, a die and its pip more. Larger: fewer are dropped."""

_TILT_FROM_NET = 0.9
"""P(tilted) from which the net's word is final where the table's plane is unknown. Larger: fewer dice are tilted."""

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

    Attributes:
        candidate: position and size of the face, in pixels of the frame.
        state_probabilities: shape (4,) float32, indexed by `NO_FACE`, `FLAT`, `TILTED`, `HIDDEN`; sums to 1.
        value_probabilities: shape (6,) float32, for the values 1 to 6 in this order; sums to 1.
        normal_xy: components of the face's normal across the line of sight, right and down, each -1 to 1.
        die_probability: that this is a die at all, readable or not (`decision`); 1 before that is known.
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

    Faces nearer to a die than a top of another die can be, trays with dice in them, and faces of quite another size
    than the certain dice are dropped. A die with two possible top faces of different values becomes uncertain.

    Args:
        faces: faces of one frame whose `is_rejected` is False.
        table: the table's normal towards the camera, a unit vector in camera axes (right, down, forward), shape (3,);
            None: unknown, then faces are compared with each other.
        shape: height and width of the frame in pixels; further items are ignored.
        crowded: many dice lie there, which show the table's plane well: a die that leans from it is uncertain.

    Returns:
        The dice, uncertain ones included, in no particular order; boxes are in pixels of the frame. Empty without
        faces. The confidence of each is the product of its probabilities (`decision.Decision.calibrate`).
    """
    certain = [face.candidate for face in faces if is_certain_die(face)]
    faces = [face for face in faces if not is_tray(face.candidate, certain)]
    tilts = _measure_tilts(faces, table, shape)
    tilted_above_deg = _TILTED_FROM_OTHERS_ABOVE_DEG if table is None else _TILTED_ABOVE_DEG
    dice = [(face, _make_die(face, tilt, tilted_above_deg)) for face, tilt in zip(faces, tilts, strict=True)]
    kept: list[tuple[Candidate, Die]] = []
    for face, die in sorted(_drop_outlying_sizes(dice), key=lambda one: -one[1].confidence):
        candidate = face.candidate
        rivals = [i for i, (other, _) in enumerate(kept) if is_near(candidate, other, MIN_TOP_FACE_DISTANCE_EDGES)]
        for i in rivals:
            other, first = kept[i]
            if (
                _is_similar_size(candidate, other)
                and not is_same_face(candidate, other)
                and die.value != first.value
                and die.confidence >= _MIN_RIVAL_CONFIDENCE
                and not _is_below(candidate, other)
            ):
                confidence = min(first.confidence, 1 - _MIN_RIVAL_CONFIDENCE)
                kept[i] = other, replace(first, confidence=confidence, alternative=die.value)
        if not rivals:
            kept.append((candidate, die))
    if crowded:
        # Only now: were it less confident before, a side face of the same die could take its place.
        leaning = _find_leaning(faces, tilts)
        kept = [(at, _doubt_leaning(die) if id(at) in leaning else die) for at, die in kept]
    return [die for _, die in kept]


def _is_similar_size(one: Candidate, other: Candidate) -> bool:
    """Return whether both could be faces of one die, by their sizes."""
    return _MIN_RIVAL_SIZE_RATIO < one.edge / other.edge < 1 / _MIN_RIVAL_SIZE_RATIO


def is_in_side_position(one: Candidate, other: Candidate) -> bool:
    """Return whether `one` lies where a side of the die with top face `other` may be seen.

    Args:
        one: the face in question.
        other: a top face in the same frame.
    """
    down = one.y - other.y
    return (
        _is_similar_size(one, other)
        and is_near(one, other, _SIDE_FACE_REACH_EDGES)
        and down > 0.3 * other.edge
        and abs(one.x - other.x) < 1.3 * down
    )


def _is_below(one: Candidate, other: Candidate) -> bool:
    """Return whether `one` lies where the near side of the die with top face `other` is seen."""
    down = one.y - other.y
    return bool(down > _SIDE_FACE_DROP_EDGES * other.edge and down > abs(one.x - other.x))


def list_places(faces: Sequence[FaceReading]) -> list[tuple[Point, Point]]:
    """Return each face's normal across the line of sight and its centre in pixels, as module `tilt` takes them."""
    return [(face.normal_xy, (face.candidate.x, face.candidate.y)) for face in faces]


def _measure_tilts(faces: Sequence[FaceReading], table: Direction | None, shape: Sequence[int]) -> list[float | None]:
    """Return each face's angle to the table in degrees; None where the table's plane is unknown."""
    places = list_places(faces)
    clear = [i for i, face in enumerate(faces) if face.readable_probability > _MIN_PLANE_CONFIDENCE]
    deviations = measure_plane_deviations([places[i] for i in clear], shape, SAME_PLANE_DEG)
    deviation_of = dict(zip(clear, deviations, strict=True))
    by_others = [deviation_of.get(i) for i in range(len(faces))]
    if table is None:
        return by_others
    # Dice that agree with each other may all differ by some degrees from a plane measured at the lid's corners.
    by_lid = [measure_angle_deg(compute_face_normal(normal_xy, point, shape), table) for normal_xy, point in places]
    return [
        lid if others is None or others > _PARALLEL_DEG or lid > _CERTAINLY_TILTED_DEG else min(lid, others)
        for lid, others in zip(by_lid, by_others, strict=True)
    ]


def _find_leaning(faces: Sequence[FaceReading], tilts: Sequence[float | None]) -> set[int]:
    """Return the ids of the candidates that lean in a tray in which enough others are parallel."""
    known = [(id(face.candidate), tilt) for face, tilt in zip(faces, tilts, strict=True) if tilt is not None]
    if sum(tilt < _PARALLEL_DEG for _, tilt in known) < _MIN_PARALLEL_DICE:
        return set()
    return {candidate for candidate, tilt in known if tilt > _TILTED_IN_TRAY_ABOVE_DEG}


def _doubt_leaning(die: Die) -> Die:
    """Return a leaning die, about which the companion asks."""
    return replace(die, confidence=min(die.confidence, 0.5), tilted=True)


def _make_die(face: FaceReading, tilt_deg: float | None, tilted_above_deg: float) -> Die:
    """Turn a face into a die.

    Args:
        face: the face.
        tilt_deg: angle between the face and the table in degrees; None: unknown.
        tilted_above_deg: the die counts as tilted above this angle.
    """
    second, first = np.argsort(face.value_probabilities)[-2:]
    _, flat, tilted, hidden = (float(p) for p in face.state_probabilities)
    if tilt_deg is None:
        readable = (flat + tilted * (1 - _TILTED_ODDS)) if tilted < _TILT_FROM_NET else flat
    elif tilt_deg < _FLAT_BELOW_DEG:
        readable = flat + tilted
    else:
        readable = min(0.5, flat) if tilt_deg > tilted_above_deg else flat
    readable *= face.die_probability / max(1e-6, flat + tilted + _HIDDEN_ODDS * hidden)
    at, half = face.candidate, face.candidate.edge / 2
    return Die(
        value=int(first) + 1,
        box=(at.x - half, at.y - half, at.x + half, at.y + half),
        confidence=min(1.0, float(readable * face.value_probabilities[first])),
        alternative=int(second) + 1,
        tilted=bool(tilt_deg > tilted_above_deg if tilt_deg is not None else tilted > flat),
    )


def is_certain_die(face: FaceReading) -> bool:
    """Return whether a face certainly is a die: confidence of the reading at least 0.85, detector's score at least 0.5.

    Args:
        face: the face; neighbours and the table's normal are not considered.
    """
    confidence = float(face.state_probabilities[FLAT] * face.value_probabilities.max())
    return confidence >= _MIN_CERTAIN_CONFIDENCE and face.candidate.score >= _CERTAIN_DIE_SCORE


def is_certain_face(face: FaceReading) -> bool:
    """Return whether a face by itself is certain: P(flat) times P(value) above `CERTAIN_FACE_CONFIDENCE`.

    Args:
        face: the face; its neighbours are not considered.
    """
    return bool(face.state_probabilities[FLAT] * face.value_probabilities.max() > CERTAIN_FACE_CONFIDENCE)


def is_tray(candidate: Candidate, dice: Sequence[Candidate]) -> bool:
    """Return whether a candidate is a tray that looks like a face because the dice in it look like pips.

    Args:
        candidate: the possible tray.
        dice: faces of the same frame that are certainly dice, in the same pixels; `candidate` itself may be among them.
            If it is empty the answer is False.
    """
    return any(
        die.edge < _MAX_PIP_SIZE_RATIO * candidate.edge and is_near(die, candidate, _TRAY_REACH_EDGES) for die in dice
    )


def _drop_outlying_sizes(dice: list[tuple[FaceReading, Die]]) -> list[tuple[FaceReading, Die]]:
    """Return the dice without those that differ too much in size from the largest group of certain ones."""
    certain = [face.candidate.edge for face, die in dice if die.confidence >= _MIN_CERTAIN_CONFIDENCE]
    if not certain:
        return dice
    groups = [
        [other for other in certain if max(one, other) <= min(one, other) * _SAME_GROUP_SIZE_RATIO] for one in certain
    ]
    largest = max(groups, key=lambda group: sum(edge**2 for edge in group))
    least, most = min(largest) / _MAX_SIZE_RATIO, max(largest) * _MAX_SIZE_RATIO
    return [(face, die) for face, die in dice if least < face.candidate.edge < most]
