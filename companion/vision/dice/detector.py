"""Detect the top faces of dice in a frame: position and size, not the value.

Near faces of one die become one die in `assemble_dice` (`assembly.py`).
"""

from dataclasses import dataclass
from itertools import product
from math import hypot
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.dice.crops import (
    DETECTOR_LONG_SIDE_PX,
    DETECTOR_STRIDES_PX,
    get_reference_edge,
    resize_for_detector,
)
from companion.vision.onnx import Float32Array, load_net
from companion.vision.reading import Image

MAX_CANDIDATES = 32
"""Most candidates returned for a frame, best first. Larger: more dice can be read, and clutter costs more time."""

MAX_PICTURE_CANDIDATES = 3 * MAX_CANDIDATES
"""As `MAX_CANDIDATES`, for pictures that are read by themselves, where more time does not matter."""

_SAME_FACE_EDGES = 0.5
"""Candidates whose centres are nearer than this, in the larger of their edges, may be the same face.

Larger: more candidates are merged."""

_SAME_FACE_SIZE_RATIO = 1.5
"""Candidates whose edges differ by less than this factor may be the same face. Larger: more candidates are merged."""

_COARSE_REDUCTION = 4
"""The second, coarse search sees the frame this factor smaller. Larger: faster, and finds only larger dice."""

_MIN_COARSE_EDGE_PX = 50.0
"""Least edge, in pixels of the fine search, of a candidate of the coarse one. Larger: fewer large dice are found."""

_NEIGHBOURS = np.array(list(product((0, 1, 2), repeat=2)))
"""Row and column of a cell and of its neighbours, shape (9, 2), in a map with a border of one cell."""

_OUTPUT_NAMES = [f"stride{stride}" for stride in DETECTOR_STRIDES_PX]
"""Names of the net's outputs, one for each stride."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible top face.

    >>> Candidate(x=120.0, y=100.0, edge=40.0, score=0.9).edge
    40.0

    Attributes:
        x: centre, pixels of the frame from the left.
        y: centre, pixels of the frame from the top.
        edge: edge length in pixels of the frame, above 0.
        score: the detector's confidence that this is a top face, 0 to 1.
    """

    x: float
    y: float
    edge: float
    score: float


def is_near(a: Candidate, b: Candidate, edges: float) -> bool:
    """Return whether two centres are nearer to each other than some edges of the larger face.

    >>> is_near(Candidate(100.0, 100.0, 40.0, 0.9), Candidate(130.0, 100.0, 20.0, 0.9), edges=1.0)
    True

    Args:
        a: a candidate.
        b: another one in the same frame.
        edges: distance in edges of the larger of the two (not pixels); exactly this distance is not near.
    """
    return hypot(a.x - b.x, a.y - b.y) < edges * max(a.edge, b.edge)


def is_same_face(a: Candidate, b: Candidate) -> bool:
    """Return whether two candidates mean one face: centres within half the larger edge, edges within a factor of 1.5.

    >>> face = Candidate(100.0, 100.0, 40.0, 0.9)
    >>> is_same_face(face, Candidate(105.0, 100.0, 42.0, 0.5)), is_same_face(face, Candidate(105.0, 100.0, 20.0, 0.5))
    (True, False)

    Args:
        a: a candidate with an edge above 0.
        b: another one in the same frame, with an edge above 0.
    """
    return is_near(a, b, _SAME_FACE_EDGES) and 1 / _SAME_FACE_SIZE_RATIO < a.edge / b.edge < _SAME_FACE_SIZE_RATIO


def _find_peaks(
    logit: Float32Array, cells: tuple[npt.NDArray[np.intp], ...], faces: tuple[npt.NDArray[np.floating[Any]], ...]
) -> npt.NDArray[np.bool_]:
    """Return by cell whether none of its eight neighbours has a higher logit and means the same face.

    The best cells of two dice that touch may be neighbours, and both are peaks. Neighbours with equal logits are peaks,
    too: `_suppress_duplicates` leaves one of those that mean the same face.

    Args:
        logit: what the net says of each cell, shape (rows, columns).
        cells: row and column of each of n cells, above all others; shape (n,) each.
        faces: x, y and edge length of the face that each means, in cells; shape (n,) each.
    """
    (rows, columns), (x, y, edges), logits = cells, faces, logit[cells]
    places = np.full((logit.shape[0] + 2, logit.shape[1] + 2), -1)
    places[rows + 1, columns + 1] = np.arange(len(rows))
    # All neighbours at once, shape (9, n): one call each for every neighbour takes a millisecond a frame.
    other = places[rows + _NEIGHBOURS[:, :1], columns + _NEIGHBOURS[:, 1:]]
    is_same = np.hypot(x[other] - x, y[other] - y) < _SAME_FACE_EDGES * np.maximum(edges[other], edges)
    return np.asarray(~((other >= 0) & (logits[other] > logits) & is_same).any(0), np.bool_)


def _suppress_duplicates(candidates: list[Candidate], limit: int) -> tuple[list[Candidate], float]:
    """Return at most `limit` candidates, best first, without those that mean the same face as a better one.

    The number is the score of the best candidate that was cut off by `limit`; 0 if none was.
    """
    kept: list[Candidate] = []
    for candidate in sorted(candidates, key=lambda candidate: -candidate.score):
        if not any(is_same_face(candidate, other) for other in kept):
            if len(kept) == limit:
                return kept, candidate.score
            kept.append(candidate)
    return kept, 0.0


class DiceDetector:
    """The first of the two dice nets: finds top faces. Not thread-safe; keeps buffers for each size of frame.

    >>> empty_table = np.full((480, 640, 3), 120, np.uint8)
    >>> DiceDetector(min_score=0.3).detect(empty_table, long_side=640)
    []

    Args:
        min_score: score (above 0, below 1) below which a cell of the net's output is no candidate.
        net: file name of a packaged network, if it is a string; the path of another one, if it is a `Path`. Loaded by
            the first `detect`.
        max_candidates: most candidates returned for a frame, at least 1; None: `MAX_CANDIDATES`.

    Attributes:
        cut_off_score: the score of the best candidate that the latest `detect` left out because there were too many; 0
            if there was none.

    Raises:
        ZeroDivisionError: `min_score` is 1. Other values outside the range are not refused.
    """

    def __init__(
        self, min_score: float, net: Path | str = "dice_finder.onnx", max_candidates: int | None = None
    ) -> None:
        self._file = net
        self._nets: dict[int, cv2.dnn.Net] = {}
        self._inputs: dict[int, Float32Array] = {}
        self._max_candidates = max_candidates
        self.cut_off_score = 0.0
        self._min_logit = float(np.log(min_score / (1 - min_score)))

    def detect(self, image: Image, long_side: int = DETECTOR_LONG_SIDE_PX) -> list[Candidate]:
        """Find candidates for top faces.

        The frame is also searched at a quarter of the size: it costs little and finds large dice better.

        Args:
            image: (H, W, 3) uint8 BGR, at least 1x1 pixel.
            long_side: longer side, in pixels, to which the frame is reduced for the search, at least 4 (not checked); a
                smaller frame is not enlarged. The network's buffers are kept for each value, so use few of them.

        Returns:
            At most `max_candidates` candidates in pixels of `image`, highest score first; empty if there are none.

        Raises:
            DamagedDataFile: the network's file is missing or damaged (first call for a size).
            ZeroDivisionError: `image` is empty.
        """
        pixels, scale = resize_for_detector(image, min(1.0, long_side / max(image.shape[:2])))
        found = self._search(long_side, pixels, scale)
        side = long_side // _COARSE_REDUCTION
        if max(pixels.shape[:2]) >= side * 2:
            coarse, share = resize_for_detector(pixels, side / max(pixels.shape[:2]))
            found += [c for c in self._search(side, coarse, scale * share) if c.edge * scale > _MIN_COARSE_EDGE_PX]
        limit = MAX_CANDIDATES if self._max_candidates is None else self._max_candidates
        kept, self.cut_off_score = _suppress_duplicates(found, limit)
        return kept

    def _search(self, size: int, pixels: Image, scale: float) -> list[Candidate]:
        """Run the net on `pixels`, which has `scale` pixels per frame pixel; candidates are in frame pixels."""
        # One net for each size: cv2.dnn allocates its buffers again whenever the input size changes.
        if size not in self._nets:
            self._nets[size] = load_net(self._file)
        net = self._nets[size]
        # cv2.dnn.blobFromImage takes ten times as long, because it allocates each time.
        blob = self._inputs.get(size)
        if blob is None or blob.shape[2:] != pixels.shape[:2]:
            blob = self._inputs[size] = np.empty((1, 3, *pixels.shape[:2]), np.float32)
        np.multiply(pixels.transpose(2, 0, 1), np.float32(1 / 255), out=blob[0])
        blob -= 0.5
        net.setInput(blob)
        found: list[Candidate] = []
        for stride, maps in zip(DETECTOR_STRIDES_PX, net.forward(_OUTPUT_NAMES), strict=True):
            logit, log_edge, dx, dy = maps[0]
            rows, columns = np.nonzero(logit >= self._min_logit)
            x, y = columns + 0.5 + dx[rows, columns], rows + 0.5 + dy[rows, columns]
            edges = np.exp(log_edge[rows, columns]) * (get_reference_edge(stride) / stride)
            peaks = _find_peaks(logit, (rows, columns), (x, y, edges))
            x, y, edges = (values[peaks] * stride / scale for values in (x, y, edges))
            scores = 1 / (1 + np.exp(-logit[rows, columns][peaks]))
            found += map(Candidate, x.tolist(), y.tolist(), edges.tolist(), scores.tolist())
        return found
