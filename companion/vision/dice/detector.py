"""Finds the top faces of dice in a frame: where, and how large; not what they show."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.dice.crops import DETECTOR_LONG_SIDE_PX, DETECTOR_STRIDES_PX, reference_edge, resize_for_detector
from companion.vision.onnx import load_net
from companion.vision.reading import Image

Array = npt.NDArray[np.float32]

MAX_CANDIDATES = 32
"""So many candidates are given at most, best first: a table full of clutter must not stall the sitting."""

_SAME_FACE_EDGES, _SAME_FACE_SIZE_RATIO = 0.5, 1.5
"""Candidates nearer than `_SAME` of the larger edge and within this ratio of sizes mean the same face."""

_COARSE_REDUCTION, _MIN_COARSE_EDGE_PX = 4, 50.0
"""A search of a picture so many times smaller answers for edges, in pixels of the larger one, above this."""

_OUTPUT_NAMES = [f"stride{stride}" for stride in DETECTOR_STRIDES_PX]


@dataclass(frozen=True, slots=True)
class Candidate:
    """What may be a top face: centre and edge in pixels, and the net's own trust in it, 0 to 1."""

    x: float
    y: float
    edge: float
    score: float


def is_near(a: Candidate, b: Candidate, edges: float) -> bool:
    """Whether the centres are nearer than `within` of the larger edge."""
    return bool(np.hypot(a.x - b.x, a.y - b.y) < edges * max(a.edge, b.edge))


def is_same_face(a: Candidate, b: Candidate) -> bool:
    """Whether the two mean one face. A face within another of quite another size is a second one."""
    return is_near(a, b, _SAME_FACE_EDGES) and 1 / _SAME_FACE_SIZE_RATIO < a.edge / b.edge < _SAME_FACE_SIZE_RATIO


def _suppress_duplicates(found: list[Candidate]) -> list[Candidate]:
    """The candidates, best first, without those that mean the same face as a better one."""
    kept: list[Candidate] = []
    for c in sorted(found, key=lambda c: -c.score):
        if not any(is_same_face(c, k) for k in kept):
            kept.append(c)
            if len(kept) == MAX_CANDIDATES:
                break
    return kept


class DiceDetector:
    """The first of the two nets. `least` is the heat below which a cell is no candidate.

    `net` is another net's file.
    """

    def __init__(self, min_score: float, net: Path | str = "dice_finder.onnx") -> None:
        self._file = net
        self._nets: dict[int, cv2.dnn.Net] = {}
        self._blobs: dict[int, Array] = {}
        self._least_logit = float(np.log(min_score / (1 - min_score)))

    def detect(self, image: Image, long_side: int = DETECTOR_LONG_SIDE_PX) -> list[Candidate]:
        """Candidates in `image`, best first; the longer side of what is searched is `longest` pixels, or the image's.

        A quarter of that size is searched as well, which costs next to nothing and shows large dice better.
        """
        pixels, scale = resize_for_detector(image, min(1.0, long_side / max(image.shape[:2])))
        found = self._search(long_side, pixels, scale)
        side = long_side // _COARSE_REDUCTION
        if max(pixels.shape[:2]) >= side * 2:
            quarter, share = resize_for_detector(pixels, side / max(pixels.shape[:2]))
            found += [c for c in self._search(side, quarter, scale * share) if c.edge * scale > _MIN_COARSE_EDGE_PX]
        return _suppress_duplicates(found)

    def _net(self, size: int) -> cv2.dnn.Net:
        """A net of its own for each size: cv2.dnn lays out its buffers anew whenever the size changes."""
        if size not in self._nets:
            self._nets[size] = load_net(self._file)
        return self._nets[size]

    def _search(self, size: int, pixels: Image, scale: float) -> list[Candidate]:
        net = self._net(size)
        # cv2.dnn.blobFromImage takes ten times as long: its memory is new each time.
        blob = self._blobs.get(size)
        if blob is None or blob.shape[2:] != pixels.shape[:2]:
            blob = self._blobs[size] = np.empty((1, 3, *pixels.shape[:2]), np.float32)
        np.multiply(pixels.transpose(2, 0, 1), np.float32(1 / 255), out=blob[0])
        blob -= 0.5
        net.setInput(blob)
        found: list[Candidate] = []
        for stride, maps in zip(DETECTOR_STRIDES_PX, net.forward(_OUTPUT_NAMES), strict=True):
            logit, log_edge, dx, dy = maps[0]
            peaks = (logit >= self._least_logit) & (logit >= cv2.dilate(logit, np.ones((3, 3), np.uint8)))
            for j, i in zip(*np.nonzero(peaks), strict=True):
                x, y = (i + 0.5 + dx[j, i]) * stride / scale, (j + 0.5 + dy[j, i]) * stride / scale
                edge = float(np.exp(log_edge[j, i])) * reference_edge(stride) / scale
                found.append(Candidate(float(x), float(y), edge, float(1 / (1 + np.exp(-logit[j, i])))))
        return found
