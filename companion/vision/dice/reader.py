"""Read pip dice in a frame: one net detects top faces of any size, a second one reads each.

Both nets are trained on rendered scenes, the reader on photographs too (tools/training). A die that is seen but not
read with certainty (tilted, half hidden, moving) is reported with low confidence, never left out: the application then
asks (`vision/confidence_limits.py`).
"""

from collections.abc import Sequence
from dataclasses import replace
from math import ceil
from pathlib import Path

import cv2
import numpy as np

from companion.vision.dice.assembly import (
    CERTAIN_FACE_CONFIDENCE,
    FLAT,
    FLAT_DEG,
    MAX_SIZE_RATIO,
    MIN_TOP_FACE_DISTANCE_EDGES,
    NO_FACE,
    FaceReading,
    assemble_dice,
    doubt,
    is_certain_face,
    is_tray,
)
from companion.vision.dice.crops import DETECTOR_LONG_SIDE_PX, crop_face
from companion.vision.dice.detector import Candidate, DiceDetector, is_near
from companion.vision.dice.die_probability import Decision, load_decision
from companion.vision.dice.face_normals import (
    Direction,
    compute_face_normal,
    compute_table_normal,
    measure_angle_deg,
    turn_normal,
)
from companion.vision.dice.frame_orientation import (
    count_turns_to_upright,
    find_upright_turns,
    is_oblique,
    turn_box,
    turn_image,
    turn_lid,
)
from companion.vision.dice.frame_reading import (
    NOT_FACE_REFINED,
    FrameReading,
    cover_all,
    find_disputed,
    have_like_sizes,
    is_at_any,
)
from companion.vision.dice.taught_dice import TaughtDiceMatcher, TaughtFaces
from companion.vision.dice.views import NORMAL, OBLIQUE_VIEWS, STATES, VALUES, VIEWS, average_views, can_stop_early
from companion.vision.frames.image_io import normalise_frame
from companion.vision.onnx import Float32Array, load_net, softmax
from companion.vision.reading import BoundingBox, Die, Image, Lid, clip_box

_MIN_SCORE = 0.13
"""Detector score (0 to 1) below which a cell is no candidate. Larger: fewer candidates, faster, more dice missed."""

_NOT_FACE_AT_FIRST = 0.97
"""P(not a face) in the first view from which a candidate is not examined further. Larger: slower."""

_RECROP_SHIFT_EDGES = 0.08
"""Offset of a candidate, in edges, above which it is cut out again. Larger: faster, less exact."""

_RECROP_LOG_SIZE = 0.12
"""Natural logarithm of the size correction above which a candidate is cut out again. Larger: faster, less exact."""

SEARCH_LONG_SIDES_PX = (448, DETECTOR_LONG_SIDE_PX, 2 * DETECTOR_LONG_SIDE_PX)
"""Longer sides, in pixels, of the successive searches: coarse first, finer where that does not settle it."""

_SMALL_EDGE_PX = 8.0
"""Edge, in pixels of a search, below which others may have been too small for it. Larger: finer searches more often."""

_MAX_TURNED_PLACES = 12
"""Most candidates, by detector score, that are read in other orientations. Larger: slower."""

_DIE_SCORE_SHARE = 0.5
"""What is cut off, because there are too many places, may be dice if its detector score exceeds this share of the least
of the dice that were read. Larger: fewer pictures of many things are asked about."""

_CORRECTION = slice(10, 13)
"""Where the output holds the correction: right and down in edges, natural logarithm of the size."""


class DiceReader:
    """Reads the top faces of six-sided pip dice of any colour and size, from above or at an angle.

    >>> empty_table = np.full((480, 640, 3), 120, np.uint8)
    >>> DiceReader().read(empty_table)
    ()

    Keeps no state between frames. Not thread-safe: use one reader per thread, because the nets share buffers.

    Args:
        max_candidates: most places in a frame that are examined, at least 1; larger: more dice can be read, and clutter
            costs more time. None: `detector.MAX_CANDIDATES`.
        min_score: detector score, above 0 and below 1, below which a place is not examined; smaller: fewer dice are
            missed, and clutter costs more time. None: `_MIN_SCORE`, as it is at that time.
        crowded: many dice lie there, see `assembly.assemble_dice`.
        nets: the detector's and the reader's networks: file names of packaged ones, or paths of others.
        decision: the models that decide which faces are dice, and how confident each is; None: the packaged ones.

    Attributes:
        was_limited: whether the latest `read` found more places than it examines, and one of those left out looks
            more than half as much like a top face as a die that was read: then dice may be missing.

    Raises:
        DamagedDataFile: a packaged network is missing or damaged (the detector's is loaded by the first `read`).
    """

    def __init__(
        self,
        max_candidates: int | None = None,
        *,
        min_score: float | None = None,
        crowded: bool = False,
        nets: tuple[Path | str, Path | str] = ("dice_finder.onnx", "dice_reader.onnx"),
        decision: Decision | None = None,
    ) -> None:
        self._crowded = crowded
        self._detector = DiceDetector(_MIN_SCORE if min_score is None else min_score, nets[0], max_candidates)
        self.was_limited = False
        self._reader = load_net(nets[1])
        self._decision = decision or load_decision()
        self._taught_dice = TaughtDiceMatcher(None)

    def use_taught_faces(self, taught: TaughtFaces) -> None:
        """Recognise taught faces from the next frame on, where no die is read with certainty.

        Args:
            taught: holds the taught faces, which may change at any time.
        """
        self._taught_dice = TaughtDiceMatcher(taught)

    def read(self, image: Image, region: BoundingBox | None = None, lid: Lid | None = None) -> tuple[Die, ...]:
        """Read the dice in a frame.

        Args:
            image: (H, W, 3) uint8 BGR; other formats are converted, see `image_io.normalise_frame`.
            region: the part to search, left, top, right, bottom in pixels of `image`, cut to the frame; None: all of
                it.
            lid: the lid in this frame, if known: no die lies on it or on its tags, and it shows the table's plane.

        Returns:
            The dice from left to right, uncertain ones included. Boxes are square about the top face, in pixels of
            `image`. Dice with confidence `MIN_PLAY_CONFIDENCE` (0.9) or more can be relied on; none has that if
            `was_limited`, or if their sizes differ too much. Empty if there are none, or if no part of the
            region lies within the frame.

        Raises:
            UnreadableImage: `image` is no array of numbers, has another shape, or is too small or narrow to show a
                table.
            DamagedDataFile: the detector's network is missing or damaged (first call).
        """
        self.was_limited = False
        image = normalise_frame(image)
        box = clip_box(region or (0.0, 0.0, np.inf, np.inf), image)
        if box[2] <= box[0] or box[3] <= box[1]:
            return ()
        table = None if lid is None else compute_table_normal(lid, image.shape)
        if table is not None:
            reading = self._read_turned(image, box, lid, count_turns_to_upright(table))
        else:
            reading = self._read_upright(image, box, lid)
        dice = self._taught_dice.add_known(reading.image, reading.found, reading.dice)
        dice = [doubt(die) if is_at_any(reading.impossible, die) else die for die in dice]
        dice = reading.turn_back(dice)
        self.was_limited = reading.was_limited
        if self.was_limited or not have_like_sizes(dice):
            dice = [doubt(die) for die in dice]
        return tuple(sorted(dice, key=lambda die: die.box))

    def _read_upright(self, image: Image, box: BoundingBox, lid: Lid | None) -> FrameReading:
        """Read a frame as it is held, or, where that leaves doubt, in the orientation that the dice show."""
        reading = self._read_turned(image, box, lid, 0)
        # The many places of a tray would take too long; its camera looks from above.
        if self._crowded or reading.was_limited or not reading.is_oblique:
            return reading
        impossible = reading.list_impossible_tops()
        if reading.is_certain and not impossible and (len(reading.dice) == 1 or reading.has_common_plane):
            return reading

        def read_faces(turns: int) -> list[FaceReading]:
            places = sorted((face.candidate for face in reading.faces), key=lambda at: -at.score)[:_MAX_TURNED_PLACES]
            return [self._read_turned_face(image, candidate, turns) for candidate in places]

        turns = find_upright_turns(reading.faces, read_faces, image.shape)
        if turns:
            other = self._read_turned(image, box, lid, turns)
            shows_table = other.has_common_plane or (impossible and len(reading.dice) == len(other.dice) == 1)
            can_replace = other.is_certain and shows_table and not other.list_impossible_tops()
            if can_replace and cover_all(other.turn_back(other.dice), reading.dice):
                return other
        return replace(reading, impossible=impossible)

    def _read_turned(self, image: Image, box: BoundingBox, lid: Lid | None, turns: int) -> FrameReading:
        """Read the part of a frame within a box after quarter turns anticlockwise."""
        turned = turn_image(image, turns)
        turned_lid = None if lid is None else turn_lid(lid, turns, image.shape)
        return replace(self._read_frame(turned, turn_box(box, turns, image.shape), turned_lid), turns=turns)

    def _read_frame(self, image: Image, box: BoundingBox, lid: Lid | None) -> FrameReading:
        """Read the part of a frame within a box, in searches that become finer until the dice are settled."""
        x0, y0, x1, y1 = int(box[0]), int(box[1]), ceil(box[2]), ceil(box[3])
        part = image[y0:y1, x0:x1]
        table = None if lid is None else compute_table_normal(lid, image.shape)
        covers = [] if lid is None else [np.array(corners, np.float32) for corners in (lid.corners, *lid.tags)]
        reading = FrameReading(image)
        for long_side in SEARCH_LONG_SIDES_PX:
            found = [replace(c, x=c.x + x0, y=c.y + y0) for c in self._detector.detect(part, long_side)]
            found = [c for c in found if all(cv2.pointPolygonTest(cover, (c.x, c.y), False) < 0 for cover in covers)]
            faces = self._decide(image, self._read_candidates(image, found, table, reading.faces))
            likely = [face for face in faces if not face.is_rejected]
            if not self._crowded:
                likely += find_disputed(faces)
            dice = assemble_dice(likely, table, image.shape, crowded=self._crowded)
            dice = [replace(die, confidence=self._decision.calibrate(die.confidence)) for die in dice]
            reading = FrameReading(image, 0, dice, faces, found)
            least = min((top.candidate.score for top in reading.tops), default=1.0)
            was_limited = self._detector.cut_off_score > _DIE_SCORE_SHARE * least
            reading = replace(reading, was_limited=was_limited)
            full = max(part.shape[:2])
            if long_side >= full or not (was_limited or _needs_finer_search(dice, long_side, full)):
                break
        return reading

    def _decide(self, image: Image, faces: Sequence[FaceReading]) -> list[FaceReading]:
        """Decide how probably each of all the faces of a search is a die."""
        return self._decision.decide_faces(image, faces)

    def _read_candidates(
        self, image: Image, candidates: Sequence[Candidate], table: Direction | None, before: Sequence[FaceReading]
    ) -> list[FaceReading]:
        """Read the candidates of one search; returned after the certain faces from `before`, a coarser search.

        Sides and pips of these, and trays that contain a certain die, are skipped; the smallest come first, so that
        dice are known before their tray. What the coarser search found at the same place is not read again: the reader
        sees the frame itself, not what was searched. What only that search found stays, too.
        """
        faces = [face for face in before if is_certain_face(face)]
        known = [face.candidate for face in faces]
        certain = list(known)
        for candidate in sorted(candidates, key=lambda candidate: candidate.edge):
            if is_tray(candidate, certain) or any(
                is_near(candidate, die, MIN_TOP_FACE_DISTANCE_EDGES) for die in known
            ):
                continue
            same = next((face for face in before if _is_same_place(candidate, face.candidate)), None)
            if same is not None:
                face = replace(same, candidate=replace(same.candidate, score=candidate.score))
            else:
                face = self._read_candidate(image, candidate, table)
            faces.append(face)
            if is_certain_face(face):
                certain.append(face.candidate)
        read = [face.candidate for face in faces]
        return faces + [
            face
            for face in before
            if not face.is_rejected
            and not is_tray(face.candidate, certain)
            and not any(_is_side_or_same(other, face.candidate) for other in read)
        ]

    def _read_candidate(self, image: Image, candidate: Candidate, table: Direction | None) -> FaceReading:
        """Read a candidate in as many views as needed, and correct its position and size."""
        output = self._run_reader(image, candidate)
        if softmax(output[STATES])[NO_FACE] >= _NOT_FACE_AT_FIRST:
            return average_views(candidate, [output])
        right, down, larger = (float(v) for v in output[_CORRECTION])
        if max(abs(right), abs(down)) > _RECROP_SHIFT_EDGES or abs(larger) > _RECROP_LOG_SIZE:
            candidate = correct_place(candidate, output)
            output = self._run_reader(image, candidate)
        states, values = softmax(output[STATES]), softmax(output[VALUES])
        corrected = correct_place(candidate, output)
        # A face that seems tilted is read in more views, because a single one measures its normal only roughly.
        normal_xy = (float(output[NORMAL][0]), float(output[NORMAL][1]))
        seems_tilted = (
            table is not None
            and measure_angle_deg(compute_face_normal(normal_xy, (candidate.x, candidate.y), image.shape), table)
            > FLAT_DEG
        )
        certain = states[FLAT] * values.max() >= CERTAIN_FACE_CONFIDENCE
        if states[NO_FACE] >= NOT_FACE_REFINED or (certain and not seems_tilted):
            return average_views(corrected, [output])
        outputs = [output]
        views = OBLIQUE_VIEWS if is_oblique(normal_xy) else VIEWS
        views = (*views[:2], views[-1]) if certain else views
        for view in views:
            outputs.append(self._run_reader(image, candidate, *view))
            if not seems_tilted and can_stop_early(outputs):
                break
        return average_views(corrected, outputs, views)

    def _read_turned_face(self, image: Image, candidate: Candidate, turns: int) -> FaceReading:
        """Read a candidate in one view, turned by quarter turns; its normal is in the frame as it is."""
        output = self._run_reader(image, candidate, 1.0, turns)
        face = average_views(candidate, [output])
        return replace(face, normal_xy=turn_normal(face.normal_xy, 4 - turns))

    def _run_reader(
        self, image: Image, candidate: Candidate, size: float = 1.0, turns: int = 0, mirrored: bool = False
    ) -> Float32Array:
        """Run the reader net on one view of a candidate; the output, shape (15,), is relative to that view."""
        pixels = np.rot90(crop_face(image, candidate.x, candidate.y, candidate.edge * size), turns, (1, 2))
        self._reader.setInput(np.ascontiguousarray(pixels[:, :, ::-1] if mirrored else pixels)[None])
        return np.asarray(np.asarray(self._reader.forward(), np.float32)[0], np.float32)


def correct_place(candidate: Candidate, output: Float32Array) -> Candidate:
    """Return the candidate with position and size corrected by the reader net's output, shape (15,)."""
    right, down, larger = (float(v) for v in output[_CORRECTION])
    edge = candidate.edge
    return Candidate(
        candidate.x + right * edge, candidate.y + down * edge, edge * float(np.exp(larger)), candidate.score
    )


def _is_same_place(one: Candidate, other: Candidate) -> bool:
    """Return whether two candidates differ so little that the one would not be cut out again for the other."""
    shift = max(abs(one.x - other.x), abs(one.y - other.y)) / other.edge
    return bool(shift <= _RECROP_SHIFT_EDGES and abs(np.log(one.edge / other.edge)) <= _RECROP_LOG_SIZE)


def _is_side_or_same(candidate: Candidate, die: Candidate) -> bool:
    """Return whether a candidate may be a side of a die, or the die again; a pip is smaller."""
    return die.edge <= MAX_SIZE_RATIO * candidate.edge and is_near(candidate, die, MIN_TOP_FACE_DISTANCE_EDGES)


def _needs_finer_search(dice: Sequence[Die], long_side: int, full: int) -> bool:
    """Return whether a finer search may find more.

    Args:
        dice: result of the search.
        long_side: longer side of the search in pixels.
        full: longer side of the searched part of the frame in pixels.
    """
    if not dice:
        return long_side < DETECTOR_LONG_SIDE_PX or long_side * 2 < full
    certain = [die.side for die in dice if die.is_certain]
    if min(certain or (die.side for die in dice)) * long_side < _SMALL_EDGE_PX * full:
        return True
    return long_side < DETECTOR_LONG_SIDE_PX and len(certain) < len(dice)
