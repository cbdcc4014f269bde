"""Finds the top faces of dice in a frame: where, and how large; not what they show."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.dice_crops import canvas, levels
from companion.vision.reading import Image

Array = npt.NDArray[np.float32]

STRIDE = 4
"""Canvas pixels per cell of the net's maps."""

EDGE_UNIT = 16.0
"""The edge, in canvas pixels, whose logarithm is 0 in the net's map of edges."""

MOST = 48
"""So many candidates are given at most, best first: a table full of clutter must not stall the sitting."""


_SAME_SIZE = 1.35
"""Overlapping candidates within this ratio of sizes mean the same face; else the reader decides between them."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """What may be a top face: centre and edge in pixels, and the net's own trust in it, 0 to 1."""

    x: float
    y: float
    edge: float
    heat: float


def load_net(name: str) -> cv2.dnn.Net:
    """A packaged net, ready to run."""
    data = files("companion.vision").joinpath("models", name).read_bytes()
    return cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))


def overlap(a: Candidate, b: Candidate, within: float) -> bool:
    """Whether the centres are nearer than `within` of the larger edge."""
    return bool(np.hypot(a.x - b.x, a.y - b.y) < within * max(a.edge, b.edge))


def _apart(found: list[Candidate]) -> list[Candidate]:
    """The candidates, best first, without those that mean the same face as a better one.

    A face within another of quite another size stays: a sheet of paper must not hide the dice on it.
    """
    kept: list[Candidate] = []
    for c in sorted(found, key=lambda c: -c.heat):
        if not any(overlap(c, k, 0.5) and 1 / _SAME_SIZE < c.edge / k.edge < _SAME_SIZE for k in kept):
            kept.append(c)
    return kept[:MOST]


class DiceFinder:
    """The first of the two nets. `least` is the heat below which a cell is no candidate."""

    def __init__(self, least: float) -> None:
        self._net = load_net("dice_finder.onnx")
        self._least = least

    def find(self, image: Image, scale: float) -> list[Candidate]:
        """Candidates in `image`, best first, searched at `scale` canvas pixels per pixel and at its halves."""
        height, width = image.shape[:2]
        places = levels(width, height, scale)
        pixels = canvas(image, places).astype(np.float32) / 255
        self._net.setInput(np.ascontiguousarray(pixels.transpose(2, 0, 1)[None]))
        logit, log_edge, dx, dy = self._net.forward()[0]
        heat: Array = 1 / (1 + np.exp(-logit))
        peaks = (heat >= self._least) & (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8)))
        found = []
        for j, i in zip(*np.nonzero(peaks), strict=True):
            x, y = (i + 0.5 + dx[j, i]) * STRIDE, (j + 0.5 + dy[j, i]) * STRIDE
            for p in places:
                if p.x <= x < p.x + p.width and p.y <= y < p.y + p.height:
                    edge = float(np.exp(log_edge[j, i])) * EDGE_UNIT / p.scale
                    found.append(Candidate((x - p.x) / p.scale, (y - p.y) / p.scale, edge, float(heat[j, i])))
        return _apart(found)
