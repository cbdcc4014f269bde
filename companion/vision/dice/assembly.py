"""Which of the faces that the two nets saw are dice, which belong to one die, and how sure each is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from companion.vision.dice.detector import Candidate, is_near, is_same_face
from companion.vision.dice.same_set import is_foreign, is_same_set
from companion.vision.dice.tilt import Direction, angle_between_deg, face_normal, measure_plane_deviations
from companion.vision.reading import Die, Image, Point

Array = npt.NDArray[np.float32]

NO_FACE, FLAT, TILTED, HIDDEN = range(4)
"""The states that the reader net tells apart."""

_MAX_NOT_FACE, _SUSPECT_NOT_FACE, _MIN_READABLE = 0.55, 0.15, 0.1
"""Candidates likelier than `_GONE` to be no top face are dropped; the others are dice, if perhaps unsure ones. With a
doubt of `_BARELY` those are dropped too of which less than `_ILLEGIBLE` says that they could be read."""

_CERTAIN_SCORE, _CERTAIN_NOT_FACE = 0.7, 0.9
"""What the finder is so sure of is told as an unsure die, unless the reader takes it for none with `_COLD` and more:
two faces of one that leans."""

_MIN_TOP_FACE_DISTANCE_EDGES, _MIN_RIVAL_SIZE_RATIO, _MIN_RIVAL_CONFIDENCE = 0.85, 0.55, 0.5
"""Top faces of touching dice lie an edge apart. What is nearer than `_APART` of one is a side face or a pip. But what
is no smaller than `_LEAST_SIDE` of it and reads with `_RIVAL` may itself be the top face of a die seen askew: then
neither is sure."""

_SIDE_FACE_DROP_EDGES = 0.35
"""Edges. A rival that lies so far below in the picture, more below than beside, is the die's own side face: who looks
from so far aside that a side reads like a top holds the camera upright, and the net has learnt with that."""

_SIDE_FACE_NOT_FACE, _MIN_OWNER_CONFIDENCE, _SIDE_FACE_REACH_EDGES = 0.15, 0.85, 1.25
"""What is likelier than this to be no top face, and lies below one that is read so surely, no farther than so many
edges, is a side of that die."""

_TILTED_ABOVE_DEG, _FLAT_BELOW_DEG = 20.0, 14.0
"""Degrees between a face and the table: above the first the die leans whatever the net says, below the second not."""

_PARALLEL_DEG = 10.0
"""Dice that face the same way, give or take this, lie on the table, though that seems to face another way."""

_SAME_PLANE_DEG = 20.0
"""Degrees: faces that look the same way, give or take this, agree on how the table lies."""

_TILTED_FROM_OTHERS_ABOVE_DEG = 25.0
"""The first of these where the dice alone tell how the table lies: each may be some degrees off."""

_CERTAINLY_TILTED_DEG = 36.0
"""From here on it leans though another die does as well: two dice rarely lean the same way."""

_MIN_PLANE_CONFIDENCE = 0.8
"""Faces that are so surely seen have a say in how the table lies."""

CERTAIN_FACE_CONFIDENCE = 0.93
"""A face that is read so surely is plain; below this it is read in more views, unless it is plainly none."""

_SAME_SET_ODDS, _SAME_SET_ANGLE_DEG = 0.3, 20.0
"""Odds that what looks like one of the sure dice, and faces the same way give or take so many degrees, is none, over
those of what does not."""

_MIN_NOT_FACE_TO_COMPARE = 0.02
"""What is less likely to be none needs no kin."""

_FEW_PIPS, _FEW_PIPS_CONFIDENCE, _FOREIGN_ODDS = 2, 0.8, 4.0
"""What reads as one of so few pips, surely enough, and looks like none of the sure dice is so much likelier none: a
ball's gleam, a plug's two holes. Of 23 such that this drops from held-back scenes none was a die."""

_TILTED_ODDS = 0.1
"""Odds of a leaning die among those met alone, over those among the dice of training."""

_HIDDEN_ODDS = 0.5
"""Odds of a die hidden in part or moving, likewise."""

_ONE_PIP_ODDS = 1.5
"""Odds that what reads as a 1 is none, over those of the other values: a ball's gleam and a token's middle read so."""

_CERTAIN_DIE_SCORE, _MAX_PIP_SIZE_RATIO = 0.5, 0.4
"""A surely read face of so much heat is a die. What holds it and is so much larger (its share of the edge) is none."""

_MAX_SIZE_RATIO, _MAX_CERTAIN_SIZE_RATIO = 2.2, 4.0
"""Dice thrown together are of like size: what is so many times smaller or larger than the sure ones is none. What is
surely read itself may differ more, as dice near to the camera and far from it do, but not like a die and its pip."""

_CONFIDENCE_EXPONENT = 0.648
"""The power of what the views agree on that is the confidence: it makes 0.85 the bar of acting (0.9). From there on
466 of 467 dice were right on photographs, and 801 of 806 on pictures of tools/testset_renderer (seeds 21 to 23)."""


@dataclass(frozen=True, slots=True)
class FaceReading:
    """What the reader net says of one candidate."""

    candidate: Candidate
    state_probabilities: Array
    value_probabilities: Array
    normal_xy: Point

    @property
    def not_face_weight(self) -> float:
        """What the reader says for no top face, weighed by the finder's own trust: as it is at a heat of a half."""
        heat = min(max(self.candidate.score, 0.05), 0.95)
        return float(self.state_probabilities[NO_FACE]) * (1 - heat) / heat

    @property
    def is_rejected(self) -> bool:
        """Whether this is no face: likely none, or if one, then one that cannot be read, and that not surely."""
        none, flat, leaning, _ = (float(p) for p in self.state_probabilities)
        if self.candidate.score >= _CERTAIN_SCORE and none < _CERTAIN_NOT_FACE:
            return False
        return self.not_face_weight / (self.not_face_weight + 1 - none) > _MAX_NOT_FACE or (
            none > _SUSPECT_NOT_FACE and flat + leaning < _MIN_READABLE
        )


def weigh_by_dice_set(image: Image, faces: Sequence[FaceReading]) -> list[FaceReading]:
    """The faces: what looks like a sure die in the picture is doubted less, and what only a stranger may be is gone."""
    sure = [
        face
        for face in faces
        if face.state_probabilities[FLAT] * face.value_probabilities.max() > CERTAIN_FACE_CONFIDENCE
    ]
    normals = {
        id(face): face_normal(face.normal_xy, (face.candidate.x, face.candidate.y), image.shape) for face in faces
    }
    out = []
    for face in faces:
        mates = (
            [mate for mate in sure if mate is not face]
            if face.state_probabilities[NO_FACE] > _MIN_NOT_FACE_TO_COMPARE
            else []
        )
        along = [
            mate.candidate
            for mate in mates
            if angle_between_deg(normals[id(mate)], normals[id(face)]) < _SAME_SET_ANGLE_DEG
        ]
        few = face.value_probabilities.argmax() < _FEW_PIPS and face.value_probabilities.max() > _FEW_PIPS_CONFIDENCE
        if along and is_same_set(image, face.candidate, [mate.candidate for mate in mates], along):
            face = _scale_not_face(face, _SAME_SET_ODDS)
        elif (
            mates
            and few
            and _scale_not_face(face, _FOREIGN_ODDS).is_rejected
            and is_foreign(image, face.candidate, [m.candidate for m in mates])
        ):
            continue
        out.append(face)
    return out


def _scale_not_face(face: FaceReading, odds: float) -> FaceReading:
    """The face, so much likelier to be none."""
    states = face.state_probabilities * np.array([odds, 1, 1, 1], np.float32)
    return replace(face, state_probabilities=np.asarray(states / states.sum(), np.float32))


def assemble_dice(faces: Sequence[FaceReading], table: Direction | None, shape: Sequence[int]) -> list[Die]:
    """The dice, each told once."""
    kept: list[tuple[Candidate, Die]] = []
    leans = _TILTED_FROM_OTHERS_ABOVE_DEG if table is None else _TILTED_ABOVE_DEG
    faces = _drop_trays(faces)
    told = [
        (face, _make_die(face, off, leans))
        for face, off in zip(faces, _measure_tilts(faces, table, shape), strict=True)
    ]
    for face, die in sorted(_drop_outlying_sizes(told), key=lambda one: -one[1].confidence):
        c = face.candidate
        if face.state_probabilities[NO_FACE] > _SIDE_FACE_NOT_FACE and any(
            _is_in_side_face_position(c, k) and d.confidence >= _MIN_OWNER_CONFIDENCE for k, d in kept
        ):
            continue
        rivals = [i for i, (k, _) in enumerate(kept) if is_near(c, k, _MIN_TOP_FACE_DISTANCE_EDGES)]
        for i in rivals:
            other, first = kept[i]
            alike = _MIN_RIVAL_SIZE_RATIO < c.edge / other.edge < 1 / _MIN_RIVAL_SIZE_RATIO and not is_same_face(
                c, other
            )
            if (
                alike
                and die.value != first.value
                and die.confidence >= _MIN_RIVAL_CONFIDENCE
                and not _is_below(c, other)
            ):
                least = min(first.confidence, 1 - _MIN_RIVAL_CONFIDENCE)
                kept[i] = other, replace(first, confidence=least, alternative=die.value)
        if not rivals:
            kept.append((c, die))
    return [replace(die, confidence=die.confidence**_CONFIDENCE_EXPONENT) for _, die in kept]


def _is_in_side_face_position(one: Candidate, other: Candidate) -> bool:
    """Whether `one` lies where a side of the die may be seen whose top face is `other`."""
    alike = _MIN_RIVAL_SIZE_RATIO < one.edge / other.edge < 1 / _MIN_RIVAL_SIZE_RATIO
    down = one.y - other.y
    return (
        alike
        and is_near(one, other, _SIDE_FACE_REACH_EDGES)
        and down > 0.3 * other.edge
        and abs(one.x - other.x) < 1.3 * down
    )


def _is_below(one: Candidate, other: Candidate) -> bool:
    """Whether `one` lies where the near side of a die is seen whose top face is `other`."""
    down = one.y - other.y
    return bool(down > _SIDE_FACE_DROP_EDGES * other.edge and down > abs(one.x - other.x))


def _measure_tilts(faces: Sequence[FaceReading], table: Direction | None, shape: Sequence[int]) -> list[float | None]:
    """How many degrees each face is off the table; None where the table is not known."""
    seen = [(face.normal_xy, (face.candidate.x, face.candidate.y)) for face in faces]
    clear = [
        i
        for i, face in enumerate(faces)
        if face.state_probabilities[FLAT] + face.state_probabilities[TILTED] > _MIN_PLANE_CONFIDENCE
    ]
    told = measure_plane_deviations([seen[i] for i in clear], shape, _SAME_PLANE_DEG)
    off: list[float | None] = [None] * len(faces)
    for i, degree in zip(clear, told, strict=True):
        off[i] = degree
    if table is None:
        return off
    # Dice that agree with each other may all be some degrees off a table that was measured at the lid's corners.
    by_lid = [angle_between_deg(face_normal(lean, point, shape), table) for lean, point in seen]
    return [
        lid if mates is None or mates > _PARALLEL_DEG or lid > _CERTAINLY_TILTED_DEG else min(lid, mates)
        for lid, mates in zip(by_lid, off, strict=True)
    ]


def _make_die(face: FaceReading, tilt_deg: float | None, tilted_above_deg: float) -> Die:
    """The die; `off`: degrees between its face and the table, None where that is not known; above `leans` it leans."""
    second, first = np.argsort(face.value_probabilities)[-2:]
    _, flat, leaning, hidden = (float(p) for p in face.state_probabilities)
    if tilt_deg is None:
        clear = (flat + leaning * (1 - _TILTED_ODDS)) if leaning < 0.9 else flat
    elif tilt_deg < _FLAT_BELOW_DEG:
        clear = flat + leaning
    elif tilt_deg > tilted_above_deg:
        clear = min(0.5, flat)
    else:
        clear = flat
    doubt = face.not_face_weight * (_ONE_PIP_ODDS if first == 0 else 1.0)
    clear /= flat + leaning + doubt + _HIDDEN_ODDS * hidden
    half = face.candidate.edge / 2
    return Die(
        value=int(first) + 1,
        box=(face.candidate.x - half, face.candidate.y - half, face.candidate.x + half, face.candidate.y + half),
        confidence=min(1.0, float(clear * face.value_probabilities[first])),
        alternative=int(second) + 1,
        tilted=bool(tilt_deg > tilted_above_deg if tilt_deg is not None else leaning > flat),
    )


def is_certain_die(face: FaceReading) -> bool:
    """Whether nobody would doubt that this is a die."""
    return (
        _make_die(face, None, _TILTED_ABOVE_DEG).confidence >= _MIN_OWNER_CONFIDENCE
        and face.candidate.score >= _CERTAIN_DIE_SCORE
    )


def is_tray(at: Candidate, inside: Sequence[Candidate]) -> bool:
    """Whether its pips are dice: a square tray with two dice in it looks like a two."""
    return any(c.edge < _MAX_PIP_SIZE_RATIO * at.edge and is_near(c, at, 0.6) for c in inside)


def _drop_trays(faces: Sequence[FaceReading]) -> list[FaceReading]:
    """The faces without those whose pips are dice themselves."""
    inside = [face.candidate for face in faces if is_certain_die(face)]
    return [face for face in faces if not is_tray(face.candidate, inside)]


def _drop_outlying_sizes(told: list[tuple[FaceReading, Die]]) -> list[tuple[FaceReading, Die]]:
    """The dice without those of quite another size than most of the sure ones."""
    sure = [face.candidate.edge for face, die in told if die.confidence >= _MIN_OWNER_CONFIDENCE]
    if not sure:
        return told
    groups = [[other for other in sure if one / _MAX_SIZE_RATIO <= other <= one * _MAX_SIZE_RATIO] for one in sure]
    most = max(groups, key=lambda group: sum(edge**2 for edge in group))

    def fits(face: FaceReading, die: Die) -> bool:
        ratio = _MAX_CERTAIN_SIZE_RATIO if die.confidence >= _MIN_OWNER_CONFIDENCE else _MAX_SIZE_RATIO
        return min(most) / ratio < face.candidate.edge < max(most) * ratio

    return [(face, die) for face, die in told if fits(face, die)]
