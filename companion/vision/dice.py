"""Reads pip dice in a frame: a small net finds top faces at any size, another reads each one.

Both nets are trained on scenes that the project renders itself (tools/train_dice). A die that is seen but not surely
read (leaning, half hidden, moving) is reported with low confidence, never left out: the reading then becomes a
question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.dice_crops import LONG_SIDE, crop
from companion.vision.dice_finder import Candidate, DiceFinder, overlap, same_face
from companion.vision.dice_kin import has_kin
from companion.vision.dice_plane import Direction, agreed, degrees, looks, table_of
from companion.vision.load import as_frame
from companion.vision.nets import load_net, softmax
from companion.vision.reading import Box, Die, Image, Lid, Point

Array = npt.NDArray[np.float32]

_HEAT = 0.15
"""Cells below this are no candidates."""

_NONE, _FLAT, _LEANING, _HIDDEN = range(4)
"""The states that the reader net tells apart."""

_GONE, _BARELY, _ILLEGIBLE = 0.55, 0.15, 0.1
"""Candidates likelier than `_GONE` to be no top face are dropped; the others are dice, if perhaps unsure ones. With a
doubt of `_BARELY` those are dropped too of which less than `_ILLEGIBLE` says that they could be read."""

_HOT, _COLD = 0.7, 0.9
"""What the finder is so sure of is told as an unsure die, unless the reader takes it for none with `_COLD` and more:
two faces of one that leans."""

_SURELY_GONE, _PLAINLY_GONE = 0.97, 0.8
"""So likely to be none, a candidate is not looked at again: before its place and size were mended, and after."""

_OFF, _RESIZED = 0.08, 0.12
"""A candidate that lies so many edges off, or is so much larger or smaller (in logarithms), is cut out anew."""

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

_SURE = 0.93
"""Below this a face is read in more views, unless it is plainly none."""

_VIEWS = (
    (1.1, 1, False),
    (1.0, 2, True),
    (0.92, 2, False),
    (1.0, 3, True),
    (1.05, 0, True),
    (0.95, 1, True),
    (1.0, 3, False),
)
"""Those views (size, quarter turns, mirrored): what only some of them see is not sure."""

_ASLANT_VIEWS = (
    (1.0, 0, True),
    (1.1, 0, False),
    (0.92, 0, True),
    (0.95, 0, False),
    (1.05, 0, True),
)
"""Views of a face that is seen from far aside: there the picture's up tells the top from the sides."""

_ASLANT = 0.42
"""Sine of the angle from which on a face is seen so, as in training (train_dice.samples)."""

_FIRST, _AGREED, _HOPELESS = 2, 0.8, 0.5
"""Where each of the first `_FIRST` views says the same value with `_AGREED`, or their mean is below `_HOPELESS`, the
others are spared: they would not change what is done. On pictures of tools/sets 1.4 views a candidate instead of 2.5,
and the same dice right."""

_LEANS, _LIES = 18.0, 14.0
"""Degrees between a face and the table: above the first the die leans whatever the net says, below the second not."""

_ASKANCE = 12.0
"""A face that the first view shows so many degrees off the table is seen in all views: their mean is nearer to the
truth. Of dice on pictures of tools/sets (seed 0), 95 in 100 that lie flat are then within 15 degrees, 18 without."""

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

_KIN, _KIN_FACES = 0.3, 20.0
"""Odds that what looks like one of the sure dice, and faces the same way give or take so many degrees, is none, over
those of what does not."""

_QUESTIONABLE = 0.02
"""What is less likely to be none needs no kin."""

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

_SMALL = 12.0
"""The finder's pixels. Where a frame that was much reduced shows dice smaller than this, or none, it is searched once
more at twice the size."""

_SHARE = 0.648
"""The power of what the views agree on that is the confidence: it makes 0.85 the bar of acting (0.9). From there on
603 of 606 dice were right on pictures of another renderer than the training's (tools/sets, seed 0) and 308 of 310 on
more of them (seed 7)."""


@dataclass(frozen=True, slots=True)
class _Face:
    """What the reader net says of one candidate."""

    at: Candidate
    states: Array
    values: Array
    lean: Point

    @property
    def doubt(self) -> float:
        """What the reader says for no top face, weighed by the finder's own trust: as it is at a heat of a half."""
        heat = min(max(self.at.heat, 0.05), 0.95)
        return float(self.states[_NONE]) * (1 - heat) / heat

    @property
    def gone(self) -> bool:
        """Whether this is no face: likely none, or if one, then one that cannot be read, and that not surely."""
        none, flat, leaning, _ = (float(p) for p in self.states)
        if self.at.heat >= _HOT and none < _COLD:
            return False
        return self.doubt / (self.doubt + 1 - none) > _GONE or (none > _BARELY and flat + leaning < _ILLEGIBLE)


class DiceReader:
    """Reads the top faces of six-sided pip dice of any colour and size, from above or at an angle.

    Keeps no state between frames. One reader per thread: the nets work in buffers of their own.
    """

    def __init__(self) -> None:
        self._finder = DiceFinder(_HEAT)
        self._reader = load_net("dice_reader.onnx")

    def read(self, image: Image, region: Box | None = None, lid: Lid | None = None) -> tuple[Die, ...]:
        """The dice in `image`, or in `region` of it (the tray), left to right; boxes in pixels of `image`.

        A box is square about the top face. Dice of confidence `reading.ACT` and above are to be relied on. `lid`
        is the lid in this picture, where one is known: no die lies on it, and it shows how the table lies.

        Raises:
            UnreadableImage: `image` is no frame (load.as_frame).
        """
        image = as_frame(image)
        height, width = image.shape[:2]
        x0, y0, x1, y1 = 0, 0, width, height
        if region is not None:
            x0, y0 = max(0, int(region[0])), max(0, int(region[1]))
            x1, y1 = min(width, int(np.ceil(region[2]))), min(height, int(np.ceil(region[3])))
            if x1 - x0 < 8 or y1 - y0 < 8:
                return ()
        part = image[y0:y1, x0:x1]
        found = self._finder.find(part)
        scale = LONG_SIDE / max(part.shape[:2])
        if scale < 0.5 and min((c.edge for c in found), default=0.0) * scale < _SMALL:
            found = self._finder.find(part, finer=2.0)
        placed = [replace(c, x=c.x + x0, y=c.y + y0) for c in found]
        if lid is not None:
            corners = np.array(lid.corners, np.float32)
            placed = [c for c in placed if cv2.pointPolygonTest(corners, (c.x, c.y), False) < 0]
        table = None if lid is None else table_of(lid, image.shape)
        return tuple(sorted(_dice(self._faces(image, placed, table), table, image.shape), key=lambda d: d.box))

    def _faces(self, image: Image, found: Sequence[Candidate], table: Direction | None) -> list[_Face]:
        """The faces among the candidates; what holds a sure die is a tray, and not looked at."""
        faces: list[_Face] = []
        inside: list[Candidate] = []
        for c in sorted(found, key=lambda c: c.edge):
            if _is_tray(c, inside):
                continue
            face = self._look(image, c, table)
            if not face.gone:
                faces.append(face)
                if _is_plain(face, _die(face, None, _LEANS)):
                    inside.append(face.at)
        return _with_kin(image, faces)

    def _look(self, image: Image, c: Candidate, table: Direction | None) -> _Face:
        """The candidate, its place and size mended, and what it shows."""
        said = self._say(image, c)
        if softmax(said[:4])[_NONE] >= _SURELY_GONE:
            return _face(c, [said])
        right, down, larger = (float(v) for v in said[10:13])
        if max(abs(right), abs(down)) > _OFF or abs(larger) > _RESIZED:
            c = Candidate(c.x + right * c.edge, c.y + down * c.edge, c.edge * float(np.exp(larger)), c.heat)
            said = self._say(image, c)
            right, down, larger = (float(v) for v in said[10:13])
        states, values = softmax(said[:4]), softmax(said[4:10])
        mended = Candidate(c.x + right * c.edge, c.y + down * c.edge, c.edge * float(np.exp(larger)), c.heat)
        # What lies askance is seen in all views, for a single one tells which way a face looks give or take 10 degrees.
        lean = (float(said[13]), float(said[14]))
        askance = table is not None and degrees(looks(lean, (c.x, c.y), image.shape), table) > _ASKANCE
        if states[_NONE] >= _PLAINLY_GONE or (states[_FLAT] * values.max() >= _SURE and not askance):
            return _face(mended, [said])
        views = [said]
        ways = _ASLANT_VIEWS if np.hypot(*lean) > _ASLANT else _VIEWS
        for view in ways:
            views.append(self._say(image, c, *view))
            if len(views) == _FIRST and not askance and _settled(views):
                break
        return _face(mended, views, ways)

    def _say(self, image: Image, c: Candidate, size: float = 1.0, turns: int = 0, mirrored: bool = False) -> Array:
        """What the reader net says of one view of a candidate, shape (15,); measures hold for the view as it is."""
        pixels = np.rot90(crop(image, c.x, c.y, c.edge * size), turns, (1, 2))
        self._reader.setInput(np.ascontiguousarray(pixels[:, :, ::-1] if mirrored else pixels)[None])
        return np.asarray(np.asarray(self._reader.forward(), np.float32)[0], np.float32)


def _with_kin(image: Image, faces: list[_Face]) -> list[_Face]:
    """The faces; what looks like a sure die in the picture and faces the same way is less likely none."""
    sure = [face for face in faces if face.states[_FLAT] * face.values.max() > _SURE]
    normals = {id(face): looks(face.lean, (face.at.x, face.at.y), image.shape) for face in faces}
    out = []
    for face in faces:
        mates = [mate for mate in sure if mate is not face] if face.states[_NONE] > _QUESTIONABLE else []
        along = [mate.at for mate in mates if degrees(normals[id(mate)], normals[id(face)]) < _KIN_FACES]
        if along and has_kin(image, face.at, [mate.at for mate in mates], along):
            states = face.states * np.array([_KIN, 1, 1, 1], np.float32)
            face = replace(face, states=np.asarray(states / states.sum(), np.float32))
        out.append(face)
    return out


def _settled(views: Sequence[Array]) -> bool:
    """Whether all views, shape (15,) each, read the same flat face surely, or hardly any reads one."""
    read = [(float(softmax(said[:4])[_FLAT]), softmax(said[4:10])) for said in views]
    first = int(read[0][1].argmax())
    if all(flat * values[first] >= _AGREED for flat, values in read):
        return True
    return bool(np.mean([flat * values.max() for flat, values in read]) < _HOPELESS)


def _face(at: Candidate, said: Sequence[Array], ways: Sequence[tuple[float, int, bool]] = ()) -> _Face:
    """The mean of what was said, shape (15,) each, of a view as it is and of the first of the `ways`."""
    states = np.mean([softmax(one[:4]) for one in said], axis=0)
    values = np.mean([softmax(one[4:10]) for one in said], axis=0)
    leans = [said[0][13:15]]
    for one, (_, turns, mirrored) in zip(said[1:], ways, strict=False):
        right, down = one[13:15]
        right = -right if mirrored else right
        for _ in range(turns):
            right, down = -down, right
        leans.append(np.array([right, down], np.float32))
    right, down = np.mean(leans, axis=0)
    return _Face(at, states, values, (float(right), float(down)))


def _dice(faces: Sequence[_Face], table: Direction | None, shape: Sequence[int]) -> list[Die]:
    """The dice, each told once."""
    kept: list[tuple[Candidate, Die]] = []
    leans = _LEANS_FROM_MATES if table is None else _LEANS
    faces = _no_trays(faces)
    told = [(face, _die(face, off, leans)) for face, off in zip(faces, _off(faces, table, shape), strict=True)]
    for face, die in sorted(_alike(told), key=lambda one: -one[1].confidence):
        c = face.at
        if face.states[_NONE] > _DOUBTED and any(_side_of(c, k) and d.confidence >= _OWNER for k, d in kept):
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


def _off(faces: Sequence[_Face], table: Direction | None, shape: Sequence[int]) -> list[float | None]:
    """How many degrees each face is off the table; None where the table is not known."""
    seen = [(face.lean, (face.at.x, face.at.y)) for face in faces]
    clear = [i for i, face in enumerate(faces) if face.states[_FLAT] + face.states[_LEANING] > _CLEAR]
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


def _die(face: _Face, off: float | None, leans: float) -> Die:
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


def _is_plain(face: _Face, die: Die) -> bool:
    """Whether nobody would doubt this die."""
    return die.confidence >= _OWNER and face.at.heat >= _PLAIN


def _is_tray(at: Candidate, inside: Sequence[Candidate]) -> bool:
    """Whether its pips are dice: a square tray with two dice in it looks like a two."""
    return any(c.edge < _PIP * at.edge and overlap(c, at, 0.6) for c in inside)


def _no_trays(faces: Sequence[_Face]) -> list[_Face]:
    """The faces without those whose pips are dice themselves."""
    inside = [face.at for face in faces if _is_plain(face, _die(face, None, _LEANS))]
    return [face for face in faces if not _is_tray(face.at, inside)]


def _alike(told: list[tuple[_Face, Die]]) -> list[tuple[_Face, Die]]:
    """The dice without those of quite another size than most of the sure ones."""
    sure = [face.at.edge for face, die in told if die.confidence >= _OWNER]
    if not sure:
        return told
    groups = [[other for other in sure if one / _UNLIKE <= other <= one * _UNLIKE] for one in sure]
    most = max(groups, key=lambda group: sum(edge**2 for edge in group))

    def fits(face: _Face, die: Die) -> bool:
        ratio = _TOO_UNLIKE if die.confidence >= _OWNER else _UNLIKE
        return min(most) / ratio < face.at.edge < max(most) * ratio

    return [(face, die) for face, die in told if fits(face, die)]
