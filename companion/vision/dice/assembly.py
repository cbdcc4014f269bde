"""Which of the faces that the two nets saw are dice, which belong to one die, and how sure each is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from companion.vision.dice.detector import Candidate, overlap, same_face
from companion.vision.dice.same_set import has_kin, is_stranger
from companion.vision.dice.tilt import Direction, agreed, degrees, looks
from companion.vision.reading import Die, Image, Point

Array = npt.NDArray[np.float32]

NONE, FLAT, LEANING, HIDDEN = range(4)
"""The states that the reader net tells apart."""

_GONE, _BARELY, _ILLEGIBLE = 0.55, 0.15, 0.1
"""Candidates likelier than `_GONE` to be no top face are dropped; the others are dice, if perhaps unsure ones. With a
doubt of `_BARELY` those are dropped too of which less than `_ILLEGIBLE` says that they could be read."""

_HOT, _COLD = 0.7, 0.9
"""What the finder is so sure of is told as an unsure die, unless the reader takes it for none with `_COLD` and more:
two faces of one that leans."""

_APART, _LEAST_SIDE, _RIVAL = 0.85, 0.55, 0.5
"""Top faces of touching dice lie an edge apart. What is nearer than `_APART` of one is a side face or a pip. But what
is no smaller than `_LEAST_SIDE` of it and reads with `_RIVAL` may itself be the top face of a die seen askew: then
neither is sure."""

_BELOW = 0.35
"""Edges. A rival that lies so far below in the picture, more below than beside, is the die's own side face: who looks
from so far aside that a side reads like a top holds the camera upright, and the net has learnt with that."""

_DOUBTED, _OWNER, _REACH = 0.15, 0.85, 1.25
"""What is likelier than this to be no top face, and lies below one that is read so surely, no farther than so many
edges, is a side of that die."""

_LEANS, _LIES = 20.0, 14.0
"""Degrees between a face and the table: above the first the die leans whatever the net says, below the second not."""

_AS_ONE = 10.0
"""Dice that face the same way, give or take this, lie on the table, though that seems to face another way."""

_MATES = 20.0
"""Degrees: faces that look the same way, give or take this, agree on how the table lies."""

_LEANS_FROM_MATES = 25.0
"""The first of these where the dice alone tell how the table lies: each may be some degrees off."""

_LEANS_PLAINLY = 36.0
"""From here on it leans though another die does as well: two dice rarely lean the same way."""

_CLEAR = 0.8
"""Faces that are so surely seen have a say in how the table lies."""

SURE = 0.93
"""A face that is read so surely is plain; below this it is read in more views, unless it is plainly none."""

_KIN, _KIN_FACES = 0.3, 20.0
"""Odds that what looks like one of the sure dice, and faces the same way give or take so many degrees, is none, over
those of what does not."""

_QUESTIONABLE = 0.02
"""What is less likely to be none needs no kin."""

_FEW, _READ, _STRANGER = 2, 0.8, 4.0
"""What reads as one of so few pips, surely enough, and looks like none of the sure dice is so much likelier none: a
ball's gleam, a plug's two holes. Of 23 such that this drops from held-back scenes none was a die."""

_LEAN_ODDS = 0.1
"""Odds of a leaning die among those met alone, over those among the dice of training."""

_HIDDEN_ODDS = 0.5
"""Odds of a die hidden in part or moving, likewise."""

_GLEAM = 1.5
"""Odds that what reads as a 1 is none, over those of the other values: a ball's gleam and a token's middle read so."""

_PLAIN, _PIP = 0.5, 0.4
"""A surely read face of so much heat is a die. What holds it and is so much larger (its share of the edge) is none."""

_UNLIKE, _TOO_UNLIKE = 2.2, 4.0
"""Dice thrown together are of like size: what is so many times smaller or larger than the sure ones is none. What is
surely read itself may differ more, as dice near to the camera and far from it do, but not like a die and its pip."""

_SHARE = 0.648
"""The power of what the views agree on that is the confidence: it makes 0.85 the bar of acting (0.9). From there on
466 of 467 dice were right on photographs, and 801 of 806 on pictures of tools/testset_renderer (seeds 21 to 23)."""


@dataclass(frozen=True, slots=True)
class Face:
    """What the reader net says of one candidate."""

    at: Candidate
    states: Array
    values: Array
    lean: Point

    @property
    def doubt(self) -> float:
        """What the reader says for no top face, weighed by the finder's own trust: as it is at a heat of a half."""
        heat = min(max(self.at.heat, 0.05), 0.95)
        return float(self.states[NONE]) * (1 - heat) / heat

    @property
    def gone(self) -> bool:
        """Whether this is no face: likely none, or if one, then one that cannot be read, and that not surely."""
        none, flat, leaning, _ = (float(p) for p in self.states)
        if self.at.heat >= _HOT and none < _COLD:
            return False
        return self.doubt / (self.doubt + 1 - none) > _GONE or (none > _BARELY and flat + leaning < _ILLEGIBLE)


def with_kin(image: Image, faces: Sequence[Face]) -> list[Face]:
    """The faces: what looks like a sure die in the picture is doubted less, and what only a stranger may be is gone."""
    sure = [face for face in faces if face.states[FLAT] * face.values.max() > SURE]
    normals = {id(face): looks(face.lean, (face.at.x, face.at.y), image.shape) for face in faces}
    out = []
    for face in faces:
        mates = [mate for mate in sure if mate is not face] if face.states[NONE] > _QUESTIONABLE else []
        along = [mate.at for mate in mates if degrees(normals[id(mate)], normals[id(face)]) < _KIN_FACES]
        few = face.values.argmax() < _FEW and face.values.max() > _READ
        if along and has_kin(image, face.at, [mate.at for mate in mates], along):
            face = _doubted(face, _KIN)
        elif mates and few and _doubted(face, _STRANGER).gone and is_stranger(image, face.at, [m.at for m in mates]):
            continue
        out.append(face)
    return out


def _doubted(face: Face, odds: float) -> Face:
    """The face, so much likelier to be none."""
    states = face.states * np.array([odds, 1, 1, 1], np.float32)
    return replace(face, states=np.asarray(states / states.sum(), np.float32))


def dice_of(faces: Sequence[Face], table: Direction | None, shape: Sequence[int]) -> list[Die]:
    """The dice, each told once."""
    kept: list[tuple[Candidate, Die]] = []
    leans = _LEANS_FROM_MATES if table is None else _LEANS
    faces = _no_trays(faces)
    told = [(face, _die(face, off, leans)) for face, off in zip(faces, _off(faces, table, shape), strict=True)]
    for face, die in sorted(_alike(told), key=lambda one: -one[1].confidence):
        c = face.at
        if face.states[NONE] > _DOUBTED and any(_side_of(c, k) and d.confidence >= _OWNER for k, d in kept):
            continue
        rivals = [i for i, (k, _) in enumerate(kept) if overlap(c, k, _APART)]
        for i in rivals:
            other, first = kept[i]
            alike = _LEAST_SIDE < c.edge / other.edge < 1 / _LEAST_SIDE and not same_face(c, other)
            if alike and die.value != first.value and die.confidence >= _RIVAL and not _below(c, other):
                least = min(first.confidence, 1 - _RIVAL)
                kept[i] = other, replace(first, confidence=least, alternative=die.value)
        if not rivals:
            kept.append((c, die))
    return [replace(die, confidence=die.confidence**_SHARE) for _, die in kept]


def _side_of(one: Candidate, other: Candidate) -> bool:
    """Whether `one` lies where a side of the die may be seen whose top face is `other`."""
    alike = _LEAST_SIDE < one.edge / other.edge < 1 / _LEAST_SIDE
    down = one.y - other.y
    return alike and overlap(one, other, _REACH) and down > 0.3 * other.edge and abs(one.x - other.x) < 1.3 * down


def _below(one: Candidate, other: Candidate) -> bool:
    """Whether `one` lies where the near side of a die is seen whose top face is `other`."""
    down = one.y - other.y
    return bool(down > _BELOW * other.edge and down > abs(one.x - other.x))


def _off(faces: Sequence[Face], table: Direction | None, shape: Sequence[int]) -> list[float | None]:
    """How many degrees each face is off the table; None where the table is not known."""
    seen = [(face.lean, (face.at.x, face.at.y)) for face in faces]
    clear = [i for i, face in enumerate(faces) if face.states[FLAT] + face.states[LEANING] > _CLEAR]
    told = agreed([seen[i] for i in clear], shape, _MATES)
    off: list[float | None] = [None] * len(faces)
    for i, degree in zip(clear, told, strict=True):
        off[i] = degree
    if table is None:
        return off
    # Dice that agree with each other may all be some degrees off a table that was measured at the lid's corners.
    by_lid = [degrees(looks(lean, point, shape), table) for lean, point in seen]
    return [
        lid if mates is None or mates > _AS_ONE or lid > _LEANS_PLAINLY else min(lid, mates)
        for lid, mates in zip(by_lid, off, strict=True)
    ]


def _die(face: Face, off: float | None, leans: float) -> Die:
    """The die; `off`: degrees between its face and the table, None where that is not known; above `leans` it leans."""
    second, first = np.argsort(face.values)[-2:]
    _, flat, leaning, hidden = (float(p) for p in face.states)
    if off is None:
        clear = (flat + leaning * (1 - _LEAN_ODDS)) if leaning < 0.9 else flat
    elif off < _LIES:
        clear = flat + leaning
    elif off > leans:
        clear = min(0.5, flat)
    else:
        clear = flat
    doubt = face.doubt * (_GLEAM if first == 0 else 1.0)
    clear /= flat + leaning + doubt + _HIDDEN_ODDS * hidden
    half = face.at.edge / 2
    return Die(
        value=int(first) + 1,
        box=(face.at.x - half, face.at.y - half, face.at.x + half, face.at.y + half),
        confidence=min(1.0, float(clear * face.values[first])),
        alternative=int(second) + 1,
        cocked=bool(off > leans if off is not None else leaning > flat),
    )


def is_plain(face: Face) -> bool:
    """Whether nobody would doubt that this is a die."""
    return _die(face, None, _LEANS).confidence >= _OWNER and face.at.heat >= _PLAIN


def is_tray(at: Candidate, inside: Sequence[Candidate]) -> bool:
    """Whether its pips are dice: a square tray with two dice in it looks like a two."""
    return any(c.edge < _PIP * at.edge and overlap(c, at, 0.6) for c in inside)


def _no_trays(faces: Sequence[Face]) -> list[Face]:
    """The faces without those whose pips are dice themselves."""
    inside = [face.at for face in faces if is_plain(face)]
    return [face for face in faces if not is_tray(face.at, inside)]


def _alike(told: list[tuple[Face, Die]]) -> list[tuple[Face, Die]]:
    """The dice without those of quite another size than most of the sure ones."""
    sure = [face.at.edge for face, die in told if die.confidence >= _OWNER]
    if not sure:
        return told
    groups = [[other for other in sure if one / _UNLIKE <= other <= one * _UNLIKE] for one in sure]
    most = max(groups, key=lambda group: sum(edge**2 for edge in group))

    def fits(face: Face, die: Die) -> bool:
        ratio = _TOO_UNLIKE if die.confidence >= _OWNER else _UNLIKE
        return min(most) / ratio < face.at.edge < max(most) * ratio

    return [(face, die) for face, die in told if fits(face, die)]
