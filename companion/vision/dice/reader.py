"""Reads pip dice in a frame: a small net finds top faces at any size, another reads each one.

Both nets are trained on scenes that the project renders itself (tools/train_dice). A die that is seen but not surely
read (leaning, half hidden, moving) is reported with low confidence, never left out: the reading then becomes a
question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.dice.assembly import (
    CERTAIN_FACE_CONFIDENCE,
    FLAT,
    NO_FACE,
    FaceReading,
    assemble_dice,
    is_certain_die,
    is_tray,
    weigh_by_dice_set,
)
from companion.vision.dice.crops import DETECTOR_LONG_SIDE_PX, crop_face
from companion.vision.dice.detector import Candidate, DiceDetector, is_near
from companion.vision.dice.tilt import Direction, angle_between_deg, face_normal, table_normal
from companion.vision.frames.image_io import normalise_frame
from companion.vision.onnx import load_net, softmax
from companion.vision.reading import MIN_PLAY_CONFIDENCE, BoundingBox, Die, Image, Lid

Array = npt.NDArray[np.float32]

_MIN_SCORE = 0.15
"""Cells below this are no candidates."""

_NOT_FACE_AT_FIRST, _NOT_FACE_REFINED = 0.97, 0.8
"""So likely to be none, a candidate is not looked at again: before its place and size were mended, and after."""

_RECROP_SHIFT_EDGES, _RECROP_LOG_SIZE = 0.08, 0.12
"""A candidate that lies so many edges off, or is so much larger or smaller (in logarithms), is cut out anew."""

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

_OBLIQUE_VIEWS = (
    (1.0, 0, True),
    (1.1, 0, False),
    (0.92, 0, True),
    (0.95, 0, False),
    (1.05, 0, True),
)
"""Views of a face that is seen from far aside: there the picture's up tells the top from the sides."""

_OBLIQUE_SINE = 0.42
"""Sine of the angle from which on a face is seen so, as in training (train_dice.samples)."""

_MIN_VIEWS, _AGREED_CONFIDENCE, _UNREADABLE_CONFIDENCE = 2, 0.8, 0.5
"""Where each of the first `_FIRST` views says the same value with `_AGREED`, or their mean is below `_HOPELESS`, the
others are skipped. On pictures of tools/testset_renderer 1.4 views a candidate instead of 2.5, and the same dice
right."""

_RECHECK_TILT_DEG = 12.0
"""A face that the first view shows so many degrees off the table is seen in more: their mean is nearer to the truth. Of
410 dice of testset_renderer and of shared sittings, 11 that lie flat and 15 of 21 that lean are then 20 deg off; by one
view 16 and 12."""

_SEARCH_LONG_SIDES_PX = (448, DETECTOR_LONG_SIDE_PX, 2 * DETECTOR_LONG_SIDE_PX)
"""Longer sides, in pixels, of the picture as it is searched: coarsely, and finer where that does not settle it."""

_SMALL_EDGE_PX = 8.0
"""Pixels of a search. Where it shows dice smaller than this, others may have been too small for it."""

_CROWDED_EDGE_PX, _TOUCHING_EDGES = 12.0, 1.3
"""Likewise of dice that lie so near to each other (edges): of some that touch, a coarse search may see but one."""

_KNOWN_FACE_EDGES = 0.5
"""What a finer search finds so many edges from the middle of a plain face is that face, or its pips."""

_SAME_THROW_SIZE_RATIO = 1.5
"""What is so many times smaller or larger than a die may be one of the same throw."""


class DiceReader:
    """Reads the top faces of six-sided pip dice of any colour and size, from above or at an angle.

    Keeps no state between frames. One reader per thread: the nets work in buffers of their own.
    """

    def __init__(self) -> None:
        self._finder = DiceDetector(_MIN_SCORE)
        self._reader = load_net("dice_reader.onnx")

    def read(self, image: Image, region: BoundingBox | None = None, lid: Lid | None = None) -> tuple[Die, ...]:
        """The dice in `image`, or in `region` of it (the tray), left to right; boxes in pixels of `image`.

        A box is square about the top face. Dice of confidence `reading.ACT` and above are to be relied on. `lid`
        is the lid in this picture, where one is known: no die lies on it or on its tags, and it shows how the table
        lies.

        Raises:
            UnreadableImage: `image` is no frame (load.as_frame).
        """
        image = normalise_frame(image)
        height, width = image.shape[:2]
        x0, y0, x1, y1 = 0, 0, width, height
        if region is not None:
            x0, y0 = max(0, int(region[0])), max(0, int(region[1]))
            x1, y1 = min(width, int(np.ceil(region[2]))), min(height, int(np.ceil(region[3])))
            if x1 - x0 < 8 or y1 - y0 < 8:
                return ()
        part = image[y0:y1, x0:x1]
        table = None if lid is None else table_normal(lid, image.shape)
        whole = max(part.shape[:2])
        covers = [] if lid is None else [np.array(corners, np.float32) for corners in (lid.corners, *lid.tags)]
        dice: list[Die] = []
        plain: list[FaceReading] = []
        for longest in _SEARCH_LONG_SIDES_PX:
            placed = [replace(c, x=c.x + x0, y=c.y + y0) for c in self._finder.detect(part, longest)]
            placed = [c for c in placed if all(cv2.pointPolygonTest(cover, (c.x, c.y), False) < 0 for cover in covers)]
            faces, plain = self._read_candidates(image, placed, table, plain)
            dice = assemble_dice(
                weigh_by_dice_set(image, [face for face in faces if not face.is_rejected]), table, image.shape
            )
            if longest >= whole or not _needs_finer_search(dice, faces, longest, whole):
                break
        return tuple(sorted(dice, key=lambda d: d.box))

    def _read_candidates(
        self, image: Image, found: Sequence[Candidate], table: Direction | None, known: Sequence[FaceReading]
    ) -> tuple[list[FaceReading], list[FaceReading]]:
        """What the candidates show, after what is `known`, and the plain ones of these.

        Known are the plain faces of a coarser search: about them nothing is looked at again. What holds a plain face is
        a tray, and not looked at.
        """
        faces, plain = list(known), list(known)
        for c in sorted(found, key=lambda c: c.edge):
            if is_tray(c, [face.candidate for face in plain]) or any(
                is_near(c, face.candidate, _KNOWN_FACE_EDGES) for face in known
            ):
                continue
            face = self._read_candidate(image, c, table)
            faces.append(face)
            if is_certain_die(face):
                plain.append(face)
        return faces, plain

    def _read_candidate(self, image: Image, c: Candidate, table: Direction | None) -> FaceReading:
        """The candidate, its place and size mended, and what it shows."""
        said = self._run_reader(image, c)
        if softmax(said[:4])[NO_FACE] >= _NOT_FACE_AT_FIRST:
            return _average_views(c, [said])
        right, down, larger = (float(v) for v in said[10:13])
        if max(abs(right), abs(down)) > _RECROP_SHIFT_EDGES or abs(larger) > _RECROP_LOG_SIZE:
            c = Candidate(c.x + right * c.edge, c.y + down * c.edge, c.edge * float(np.exp(larger)), c.score)
            said = self._run_reader(image, c)
            right, down, larger = (float(v) for v in said[10:13])
        states, values = softmax(said[:4]), softmax(said[4:10])
        mended = Candidate(c.x + right * c.edge, c.y + down * c.edge, c.edge * float(np.exp(larger)), c.score)
        # What lies askance is seen in more views, for a single one tells which way a face looks but roughly.
        lean = (float(said[13]), float(said[14]))
        askance = (
            table is not None
            and angle_between_deg(face_normal(lean, (c.x, c.y), image.shape), table) > _RECHECK_TILT_DEG
        )
        plain = states[FLAT] * values.max() >= CERTAIN_FACE_CONFIDENCE
        if states[NO_FACE] >= _NOT_FACE_REFINED or (plain and not askance):
            return _average_views(mended, [said])
        views = [said]
        ways: Sequence[tuple[float, int, bool]] = _OBLIQUE_VIEWS if np.hypot(*lean) > _OBLIQUE_SINE else _VIEWS
        ways = (*ways[:2], ways[-1]) if plain else ways
        for view in ways:
            views.append(self._run_reader(image, c, *view))
            if len(views) == _MIN_VIEWS and not askance and _can_stop_early(views):
                break
        return _average_views(mended, views, ways)

    def _run_reader(
        self, image: Image, c: Candidate, size: float = 1.0, turns: int = 0, mirrored: bool = False
    ) -> Array:
        """What the reader net says of one view of a candidate, shape (15,); measures hold for the view as it is."""
        pixels = np.rot90(crop_face(image, c.x, c.y, c.edge * size), turns, (1, 2))
        self._reader.setInput(np.ascontiguousarray(pixels[:, :, ::-1] if mirrored else pixels)[None])
        return np.asarray(np.asarray(self._reader.forward(), np.float32)[0], np.float32)


def _needs_finer_search(dice: Sequence[Die], faces: Sequence[FaceReading], longest: int, whole: int) -> bool:
    """Whether a finer search may show more than one of `longest` pixels of a picture of `whole`: the longer sides.

    `faces`: all that was looked at for these dice, what is gone too.
    """
    if not dice:
        return longest < DETECTOR_LONG_SIDE_PX or longest * 2 < whole
    edges = [(die.box[2] - die.box[0], die.confidence >= MIN_PLAY_CONFIDENCE) for die in dice]
    sure = [edge for edge, acted in edges if acted]
    least = min(sure or (edge for edge, _ in edges)) * longest
    if least < _SMALL_EDGE_PX * whole or (least < _CROWDED_EDGE_PX * whole and _has_touching_dice(dice)):
        return True
    asked = len(sure) < len(dice) or any(_may_be_die(face, sure) for face in faces if face.is_rejected)
    return longest < DETECTOR_LONG_SIDE_PX and asked


def _has_touching_dice(dice: Sequence[Die]) -> bool:
    """Whether two of them lie side by side."""
    at = [
        Candidate((x0 + x1) / 2, (y0 + y1) / 2, x1 - x0, die.confidence) for die in dice for x0, y0, x1, y1 in [die.box]
    ]
    return any(is_near(one, other, _TOUCHING_EDGES) for one, other in combinations(at, 2))


def _may_be_die(face: FaceReading, edges: Sequence[float]) -> bool:
    """Whether it is as large as one of the dice, and may be a face or none."""
    doubtful = 1 - _NOT_FACE_REFINED < face.state_probabilities[NO_FACE] < _NOT_FACE_REFINED
    return bool(
        doubtful
        and any(1 / _SAME_THROW_SIZE_RATIO < face.candidate.edge / edge < _SAME_THROW_SIZE_RATIO for edge in edges)
    )


def _can_stop_early(views: Sequence[Array]) -> bool:
    """Whether all views, shape (15,) each, read the same flat face surely, or hardly any reads one."""
    read = [(float(softmax(said[:4])[FLAT]), softmax(said[4:10])) for said in views]
    first = int(read[0][1].argmax())
    if all(flat * values[first] >= _AGREED_CONFIDENCE for flat, values in read):
        return True
    return bool(np.mean([flat * values.max() for flat, values in read]) < _UNREADABLE_CONFIDENCE)


def _average_views(at: Candidate, said: Sequence[Array], ways: Sequence[tuple[float, int, bool]] = ()) -> FaceReading:
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
    return FaceReading(at, states, values, (float(right), float(down)))
