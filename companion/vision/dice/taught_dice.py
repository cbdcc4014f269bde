"""Recognise faces of the box's own dice, which people showed and named once, where no die is read with certainty.

A taught face is kept as its picture. Its descriptor is the face's disc, turned to `_TURNS` directions and normalised in
brightness and contrast; similarity is the correlation of two descriptors, -1 to 1. The pictures do not depend on the
nets, so what was taught holds after the nets were trained again.

Faces that players corrected in play only ever propose a value, which is asked about: a wrong correction can never lead
to a certain wrong reading.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.confidence_limits import MAX_DOUBTFUL_CONFIDENCE
from companion.vision.dice.assembly import FaceColours, compute_colour_distances, measure_face_colours
from companion.vision.dice.detector import Candidate, is_near
from companion.vision.dice.side_faces import is_in_side_position
from companion.vision.onnx import Float32Array
from companion.vision.reading import Die, Image

FACE_PICTURE_SIDE_PX = 64
"""Side of a taught face's picture, in pixels. Larger: files grow, nothing is recognised better (`_DISC_PX`)."""

FACE_PICTURE_SIDE_EDGES = 1.7
"""Side of a taught face's picture, in edges of the top face: room for turning and for an inexact position."""

_DISC_PX = 24
"""Side of the square that holds a descriptor's disc, in pixels. Larger: finer drawings are told apart, slower."""

_DISC_EDGES = 1.0
"""Diameter of the disc, in edges. Larger: more of the table around the face disturbs, but the corners' pips count."""

_BLUR_PX = 1.0
"""Standard deviation, in pixels of the descriptor, by which it is smoothed. Larger: position matters less."""

_TURNS = 24
"""Directions to which a taught face is turned. More: slower; with 24 a face is at most 7.5 degrees off."""

_SCALES = (0.7, 0.85, 1.0, 1.2, 1.45, 1.75)
"""Sizes in which a doubtful face is compared, because the detector measures the edge of an unknown face
roughly: 27 to 60 pixels of 49 in rendered throws. More: slower."""

_FINER_SCALES = (0.93, 1.0, 1.07)
"""Sizes that are compared around the best of `_SCALES`. More: slower."""

_SHIFTS_EDGES = (-0.06, 0.0, 0.06)
"""Offsets, right and down, at which a doubtful face is compared at last. More: slower."""

_COARSE_SHIFTS_EDGES = (-0.12, 0.0, 0.12)
"""The same at first: the detector places an unknown drawing up to 0.2 edges off, where another one in another size may
look more similar. With 0 alone 27 of 200 throws of six symbols were asked about; with steps of 0.12, 0.15 and 0.2 still
3, 7 and 14 of these 27."""

_MIN_DEVIATION_LEVELS = 6.0
"""Grey levels (0 to 255) added to the standard deviation by which a disc is divided. Larger: flat faces match less."""

_MAX_ROWS = 96
"""Most turned faces that are compared at every finer offset: the most similar ones at first. Larger: slower."""

_MIN_COARSE_SIMILARITY = 0.35
"""Similarity at first below which a face is not compared further. Larger: faster, some are not recognised."""

_KNOWN_LOGIT = (-25.2, 26.8, 30.0)
"""P(the taught face) as a logistic function: constant, weight of the similarity, weight of its lead over the most
similar face of another value. The weight of the similarity was fitted to 1,204 rendered faces of 30 random dice with
emblems; the others were made stricter: a similarity of 0.92 with a lead of 0.1 is played, 0.9 or no lead is asked."""

_MAX_LEAD = 0.1
"""A larger lead counts as this: a drawing that nobody taught leads too, over all but the one it resembles."""

_MIN_LEAD_SIMILARITY = 0.3
"""Similarity that the second value has at least: with one value taught, nothing else can contradict it."""

_MIN_KNOWN = 0.3
"""P(the taught face) below which a face stays as the reader read it."""

_MAX_COLOUR_DISTANCE = 16.0
"""Distance of a face's colours from a taught one's (`compute_colour_distances`) from which it is of another die.

Larger: taught dice are recognised in stranger light, and other dice are taken for them more often."""

_MIN_PLAYED_SCORE = 0.3
"""Detector score, 0 to 1, from which a taught face is played. Larger: more questions."""

_MIN_FAINT_KNOWN = 0.97
"""P(the taught face) from which it is played at any detector score. Over 120 throws of six symbols and 60 of a crown
the largest of a wrong one with so low a score was 0.72. Larger: more questions."""

_MAX_ROUGH_COLOUR_DISTANCE = 40.0
"""As `_MAX_COLOUR_DISTANCE`, where the detector places the face. Larger: slower."""

_MIN_DISTANCE_EDGES = 0.85
"""Distance, in edges, below which two faces are of one die. Larger: more faces of dice that touch are left out."""


class TaughtFaces(Protocol):
    """Holds the faces that people showed and named, and those that they corrected in play.

    >>> from types import SimpleNamespace
    >>> crown = encode_face(np.zeros((480, 640, 3), np.uint8), Candidate(320.0, 240.0, edge=60.0, score=0.9))
    >>> taught: TaughtFaces = SimpleNamespace(faces=((1, crown),), corrected_faces=())
    >>> [value for value, _png in taught.faces]
    [1]
    """

    @property
    def faces(self) -> tuple[tuple[int, bytes], ...]:
        """Value, 1 to 6, and picture (PNG, as `encode_face` makes it) of each shown one.

        Another tuple whenever they change. May be read by any thread.
        """

    @property
    def corrected_faces(self) -> tuple[tuple[int, bytes], ...]:
        """The same of the dice that players corrected in play."""


def encode_face(image: Image, candidate: Candidate) -> bytes:
    """Cut a face out of a frame (`cut_face`) and return it as PNG."""
    return bytes(cv2.imencode(".png", cut_face(image, candidate))[1])


def encode_uncertain_faces(image: Image, dice: Sequence[Die]) -> tuple[bytes, ...]:
    """Cut out the faces of the dice that were not read with certainty; b"" for any other.

    Args:
        image: the frame, (H, W, 3) uint8 BGR.
        dice: the dice as they lie in this frame.

    Returns:
        One PNG or b"" for each die; empty if a die is tilted, whose face cannot be seen straight.
    """
    if any(die.tilted for die in dice):
        return ()
    return tuple(b"" if die.is_certain else encode_face(image, Candidate(*die.center, die.side, 1.0)) for die in dice)


def decode_face(png: bytes) -> Image | None:
    """Return the picture of a taught face, (64, 64, 3) uint8 BGR; None: it is damaged.

    >>> face = encode_face(np.zeros((480, 640, 3), np.uint8), Candidate(320.0, 240.0, edge=60.0, score=0.9))
    >>> decode_face(face).shape, decode_face(b"no picture")
    ((64, 64, 3), None)
    """
    try:
        picture = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    side = FACE_PICTURE_SIDE_PX
    return None if picture is None or picture.shape != (side, side, 3) else np.asarray(picture, np.uint8)


def cut_face(image: Image, candidate: Candidate) -> Image:
    """Cut a face out of a frame as it is kept and compared.

    Args:
        image: the frame, (H, W, 3) uint8 BGR.
        candidate: the face, in pixels of `image`.

    Returns:
        (64, 64, 3) uint8 BGR, `FACE_PICTURE_SIDE_EDGES` edges wide; beyond the frame its border pixels are repeated.
    """
    return _cut(image, candidate, FACE_PICTURE_SIDE_EDGES, FACE_PICTURE_SIDE_PX, 0.0)


def _cut(image: Image, at: Candidate, side_edges: float, side_px: int, turn: float) -> Image:
    """Cut out a square of `side_edges` edges about a face, turned by `turn` radians, `side_px` pixels wide."""
    # Reduced first where it is much larger than wanted: warpAffine samples single pixels.
    scale = at.edge * side_edges / side_px
    if scale > 1.5:
        half = at.edge * side_edges
        x0, y0 = max(0, int(at.x - half)), max(0, int(at.y - half))
        part = image[y0 : int(at.y + half) + 1, x0 : int(at.x + half) + 1]
        if part.size:
            size = max(1, round(part.shape[1] / scale)), max(1, round(part.shape[0] / scale))
            ratio_x, ratio_y = size[0] / part.shape[1], size[1] / part.shape[0]
            image = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)
            at = Candidate((at.x - x0) * ratio_x, (at.y - y0) * ratio_y, at.edge * (ratio_x + ratio_y) / 2, at.score)
            scale = at.edge * side_edges / side_px
    c, s, middle = np.cos(turn) * scale, np.sin(turn) * scale, (side_px - 1) / 2
    matrix = np.array([[c, -s, at.x - (c - s) * middle], [s, c, at.y - (s + c) * middle]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpAffine(image, matrix, (side_px, side_px), flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def _make_disc_mask() -> npt.NDArray[np.bool_]:
    offsets = np.arange(_DISC_PX) - (_DISC_PX - 1) / 2
    return np.asarray(np.hypot(*np.meshgrid(offsets, offsets)) <= _DISC_PX / 2)


_DISC = _make_disc_mask()


def _describe(image: Image, at: Candidate, turn: float = 0.0) -> Float32Array:
    """Compute a face's descriptor, of length 1."""
    disc = _cut(image, at, _DISC_EDGES, _DISC_PX, turn).astype(np.float32)
    disc = np.asarray(cv2.GaussianBlur(disc, (0, 0), _BLUR_PX), np.float32)[_DISC]
    disc = (disc - disc.mean(0)) / (disc.std() + _MIN_DEVIATION_LEVELS)
    norm = float(np.linalg.norm(disc))
    return np.asarray(disc.ravel() / max(norm, 1e-6), np.float32)


class TaughtDiceMatcher:
    """Finds taught faces where no die was read with certainty. Not thread-safe; the faces may change at any time.

    >>> frame, die = np.zeros((480, 640, 3), np.uint8), Die(5, (100, 80, 140, 120), 0.97)
    >>> TaughtDiceMatcher(None).add_known(frame, [], [die]) == [die]
    True

    Args:
        taught: holds the faces; None: none was taught, and nothing is ever changed.
    """

    def __init__(self, taught: TaughtFaces | None) -> None:
        self._taught = taught
        self._shown, self._corrected = _FaceSet(), _FaceSet()

    def add_known(self, image: Image, candidates: Sequence[Candidate], dice: Sequence[Die]) -> list[Die]:
        """Add the taught faces to a reading; dice that were read with certainty stay as they are.

        Args:
            image: the frame, (H, W, 3) uint8 BGR.
            candidates: all places that may be faces, as the detector found them: the reader corrects the place of an
                unknown drawing wrongly.
            dice: the reading without taught faces.

        Returns:
            The certain dice, the taught faces elsewhere, and the doubtful dice where no taught face is. A face that is
            known from a correction alone is doubtful.
        """
        result = list(dice)
        if self._taught is None:
            return result
        if faces := self._taught.faces:
            self._shown.update(faces)
            result = self._add_shown(image, candidates, result)
        if faces := self._taught.corrected_faces:
            self._corrected.update(faces)
            result = self._add_corrected(image, candidates, result)
        return result

    def _add_shown(self, image: Image, candidates: Sequence[Candidate], dice: list[Die]) -> list[Die]:
        """Add the faces that people showed: they may become certain."""
        if self._shown.is_empty:
            return dice
        certain = [die for die in dice if die.is_certain]
        added = _find_elsewhere(candidates, certain, lambda candidate: self._shown.recognise(image, candidate))
        return [*certain, *added, *_drop_near([die for die in dice if not die.is_certain], added)]

    def _add_corrected(self, image: Image, candidates: Sequence[Candidate], dice: list[Die]) -> list[Die]:
        """Propose the faces that were corrected in play, where they are likelier than what was read: all are asked."""
        if self._corrected.is_empty:
            return dice
        certain, doubtful = ([die for die in dice if die.is_certain is wanted] for wanted in (True, False))

        def recognise(candidate: Candidate) -> Die | None:
            return self._corrected.recognise(image, candidate, is_any_asked=False)

        for known in _find_elsewhere(candidates, certain, recognise):
            near = [die for die in doubtful if known.distance_to(die) < _MIN_DISTANCE_EDGES]
            # Where nothing was read, only a face as likely as a played one is added: sides and scenery resemble some.
            if all(known.confidence > die.confidence for die in near) and (near or known.is_certain):
                alternative = next((die.value for die in near if die.value != known.value), known.alternative)
                confidence = min(known.confidence, MAX_DOUBTFUL_CONFIDENCE)
                doubtful = [
                    *_drop_near(doubtful, [known]),
                    replace(known, confidence=confidence, alternative=alternative),
                ]
        return [*certain, *doubtful]


def _find_elsewhere(
    candidates: Sequence[Candidate], certain: Sequence[Die], recognise: Callable[[Candidate], Die | None]
) -> list[Die]:
    """Find the known faces at places where no certain die is, nor a side of one; the likeliest first."""
    owners = [Candidate(*die.center, die.side, 1.0) for die in certain]
    found = [
        known
        for candidate in candidates
        if not any(is_near(candidate, o, _MIN_DISTANCE_EDGES) or is_in_side_position(candidate, o) for o in owners)
        and (known := recognise(candidate)) is not None
        and all(known.distance_to(die) >= _MIN_DISTANCE_EDGES for die in certain)
    ]
    added: list[Die] = []
    for die in sorted(found, key=lambda die: -die.confidence):
        if all(die.distance_to(other) >= _MIN_DISTANCE_EDGES for other in added):
            added.append(die)
    return added


def _drop_near(dice: Sequence[Die], others: Sequence[Die]) -> list[Die]:
    return [die for die in dice if all(die.distance_to(other) >= _MIN_DISTANCE_EDGES for other in others)]


class _FaceSet:
    """Taught faces that are compared together."""

    def __init__(self) -> None:
        self._faces: tuple[tuple[int, bytes], ...] = ()
        self._descriptors: Float32Array = np.zeros((0, 0), np.float32)
        self._values: npt.NDArray[np.intp] = np.zeros(0, np.intp)
        self._colours: FaceColours = np.zeros((0, 2, 3), np.float32)

    @property
    def is_empty(self) -> bool:
        """Whether there is no face, or all pictures are damaged."""
        return not len(self._values)

    def recognise(self, image: Image, candidate: Candidate, *, is_any_asked: bool = True) -> Die | None:
        """Return the taught face at a place; None: there is none, or it is too unlikely.

        Args:
            image: the frame, (H, W, 3) uint8 BGR.
            candidate: the place, in pixels of `image`.
            is_any_asked: a place that looks like the box's dice and shows none of their faces is asked about.
        """
        if not self._has_known_colours(image, candidate, _MAX_ROUGH_COLOUR_DISTANCE):
            return None  # spares the comparison
        best, similarities = self._compare(image, candidate)
        second, first = (int(i) for i in similarities.argsort()[-2:])
        constant, by_similarity, by_lead = _KNOWN_LOGIT
        lead = min(_MAX_LEAD, float(similarities[first] - max(_MIN_LEAD_SIMILARITY, similarities[second])))
        known = 1 / (1 + np.exp(-(constant + by_similarity * float(similarities[first]) + by_lead * lead)))
        if candidate.score < _MIN_PLAYED_SCORE and known < _MIN_FAINT_KNOWN:
            known = min(known, MAX_DOUBTFUL_CONFIDENCE)  # a drawing on a face may look like another face
        if known < _MIN_KNOWN or not self._has_known_colours(image, best, _MAX_COLOUR_DISTANCE):
            is_own = is_any_asked and self._has_known_colours(image, candidate, _MAX_COLOUR_DISTANCE)
            if not is_own or candidate.score < _MIN_PLAYED_SCORE:
                return None
            best, known = candidate, min(known, MAX_DOUBTFUL_CONFIDENCE)
        half = best.edge / 2
        box = (best.x - half, best.y - half, best.x + half, best.y + half)
        return Die(first + 1, box, float(known), second + 1 if similarities[second] > 0 else None)

    def _has_known_colours(self, image: Image, at: Candidate, limit: float) -> bool:
        """Return whether a face has the colours of any taught one: the light differs from place to place.

        The descriptors do not tell colours: the same pips on another die would be taken for the taught ones.
        """
        return bool(compute_colour_distances(measure_face_colours(image, [at]), self._colours)[0] < limit)

    def update(self, faces: tuple[tuple[int, bytes], ...]) -> None:
        """Take over the faces, value (1 to 6) and PNG each; the same tuple as before changes nothing."""
        if faces is self._faces:
            return
        known = [(value, picture) for value, png in faces if (picture := decode_face(png)) is not None]
        middle = (FACE_PICTURE_SIDE_PX - 1) / 2
        at = Candidate(middle, middle, FACE_PICTURE_SIDE_PX / FACE_PICTURE_SIDE_EDGES, 1.0)
        turns = [2 * np.pi * i / _TURNS for i in range(_TURNS)]
        self._descriptors = np.array([_describe(picture, at, turn) for _, picture in known for turn in turns])
        self._values = np.repeat(np.array([value - 1 for value, _ in known], np.intp), _TURNS)
        colours = (measure_face_colours(picture, [at]) for _, picture in known)
        self._colours = np.concatenate([self._colours[:0], *colours])
        self._faces = faces

    def _compare(self, image: Image, at: Candidate) -> tuple[Candidate, Float32Array]:
        """Return the place where a face is most similar, and its best similarities by value, (6,)."""
        best, similarities, by_row = self._compare_views(image, list(_list_views(at, _SCALES, _COARSE_SHIFTS_EDGES)))
        if similarities.max() >= _MIN_COARSE_SIMILARITY:
            rows = by_row.argsort()[-_MAX_ROWS:]
            best, _, _ = self._compare_views(image, list(_list_views(best, (1.0,), _SHIFTS_EDGES)), rows)
            views = list(_list_views(best, _FINER_SCALES, _SHIFTS_EDGES))
            best, similarities, _ = self._compare_views(image, views, rows)
        return best, similarities

    def _compare_views(
        self, image: Image, views: Sequence[Candidate], rows: npt.NDArray[np.intp] | None = None
    ) -> tuple[Candidate, Float32Array, Float32Array]:
        """Return the best view, its similarities by value and by row of the descriptors; only `rows`, if given."""
        descriptors, values = self._descriptors, self._values
        if rows is not None:
            descriptors, values = descriptors[rows], values[rows]
        table = np.array([_describe(image, view) for view in views]) @ descriptors.T
        similarities, by_row = np.zeros(6, np.float32), table.max(0)
        np.maximum.at(similarities, values, by_row)
        return views[int(table.max(1).argmax())], similarities, by_row


def _list_views(at: Candidate, scales: Sequence[float], shifts: Sequence[float]) -> Iterator[Candidate]:
    """Yield a place in each size, at each offset right and down (in edges of `at`)."""
    for scale in scales:
        for right in shifts:
            for down in shifts:
                yield replace(at, x=at.x + right * at.edge, y=at.y + down * at.edge, edge=at.edge * scale)
