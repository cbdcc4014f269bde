"""Fit the models of companion/vision/dice/die_probability.py: which faces are dice, and how confident each is.

    PYTHONPATH=.:tools:tools/training python -m train_dice.fit_decision [--photographs ../shared/photos]
        [--finder FILE] [--reader FILE] [--out FILE] [--jobs 2]

They are fitted to the photographs whose sources trained no network: a network is surer of what it has learnt from.
Photographs show little scenery with pips, so the decision is fitted to rendered scenes too, which trained nothing
either. Writes dice_decision.json, and beside it dice_decision_left_out.json: for each source the models that were
fitted without it, with which `make bench` reads the photographs of that source. A face is a die if it lies on a die's
top face; sides, pips and scenery are not. A die's reading is right if such a die lies there. Logistic regression by
Newton's method (T. Hastie, R. Tibshirani, J. Friedman, "The Elements of Statistical Learning", 2009, 4.4.1); sources
with many photographs weigh less per photograph.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from functools import cache
from math import hypot
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.dice.assembly import NO_FACE, FaceReading, assemble_dice
from companion.vision.dice.die_probability import FEATURES, Decision, limit_logit, measure_faces
from companion.vision.dice.reader import DiceReader
from companion.vision.frames.image_io import load_image
from companion.vision.reading import Die, Image
from train_dice.evaluate import PACKAGED, Nets
from train_dice.labels import IGNORED
from train_dice.make import LEFT_OUT, MODELS
from train_dice.photo_scenes import place_dice, place_unboxed_dice
from train_dice.photographs import Photograph, list_photographs
from train_dice.render import KINDS
from train_dice.samples import Dice

Matrix = npt.NDArray[np.float64]

Pairs = Sequence[tuple[Sequence[float], int]]
"""Features, and 0 or 1."""

_RENDERED_SCENES = 600
"""Rendered scenes of the first kind; of the others their share (`render.KINDS`), 905 in all. Their numbers begin as far
below the first that trains."""

_RENDERED_WEIGHT = 0.5
"""What all rendered faces together count, over all of photographs. Larger: more is asked about, and fewer dice without
pips are played (docs/design/camera-asks.md has the figures)."""

_PENALTY = 1.0

_REACH_EDGES = 0.9
"""Faces nearer than this to a die that could not be placed, in its edges, are neither dice nor scenery."""


@dataclass(frozen=True)
class PhotographFaces:
    """What the networks see in a photograph.

    Attributes:
        photograph: the photograph.
        shape: its height and width in pixels.
        faces: all faces of the last search.
        measures: the features of each face.
    """

    photograph: Photograph
    shape: tuple[int, int]
    faces: Sequence[FaceReading]
    measures: Matrix

    def label_faces(self) -> list[tuple[Sequence[float], int]]:
        """Return the features of each face, and whether it is a die; faces that may be either are left out."""
        one = self.photograph
        dice = place_dice(self.faces, one.boxes) if one.boxes else place_unboxed_dice(self.faces, one.values)
        if one.values and not dice:
            return []
        labels = [label_face(face, dice) for face in self.faces]
        return pair_labels(self.measures, labels)

    def judge_dice(self, weights: Matrix) -> list[tuple[Sequence[float], int]]:
        """Return the logarithm of odds of each die that is read with these weights, and whether it is right."""
        odds = self.measures @ weights[:-1] + weights[-1]
        faces = [
            replace(face, die_probability=float(1 / (1 + np.exp(-o)))) for face, o in zip(self.faces, odds, strict=True)
        ]
        dice = assemble_dice([face for face in faces if not face.is_rejected], None, self.shape)
        return [([limit_logit(die.confidence)], right) for die, right in judge_dice(dice, self.photograph)]


def pair_labels(measures: Matrix, labels: Sequence[int | None]) -> list[tuple[Sequence[float], int]]:
    """Return the features of each face with its label; a face without one is left out."""
    return [(row, label) for row, label in zip(measures.tolist(), labels, strict=True) if label is not None]


def judge_dice(dice: Sequence[Die], photograph: Photograph) -> list[tuple[Die, int]]:
    """Return each die with 1 if a die of that value lies there, else 0; without boxes one anywhere is enough."""
    left = list(photograph.boxes) or [(0.0, 0.0, 0.0, 0.0, value) for value in photograph.values]
    judged = []
    for die in sorted(dice, key=lambda die: -die.confidence):
        x, y = die.center

        def is_here(box: Sequence[float], die: Die = die, x: float = x, y: float = y) -> bool:
            x0, y0, x1, y1, value = box
            reach = 0.6 * max(die.side, x1 - x0, y1 - y0) if photograph.boxes else np.inf
            return value == die.value and hypot((x0 + x1) / 2 - x, (y0 + y1) / 2 - y) < reach

        near = next((box for box in left if is_here(box)), None)
        if near is not None:
            left.remove(near)
        judged.append((die, int(near is not None)))
    return judged


def label_face(face: FaceReading, dice: Dice) -> int | None:
    """Return 1 if the face is the top of a die, 0 if not, None where either would be right."""
    at = face.candidate
    for x, y, edge, _, state, *_ in dice:
        off = hypot(x - at.x, y - at.y)
        if state == IGNORED and off < _REACH_EDGES * edge:
            return None
        if state != IGNORED and off < 0.4 * edge and 0.6 < at.edge / edge < 1.7:
            return 1
    return 0


_UNDECIDED = Decision(np.zeros(len(FEATURES), np.float32), 0.0, 1.0, 0.0)
"""Reports the product of the probabilities as it is."""


class _UndecidedReader(DiceReader):
    """A dice reader without the model that is being made: the reader net's own word stands in for it."""

    def read_faces(self, image: Image) -> Sequence[FaceReading]:
        """Return all faces of the last search of a frame, (H, W, 3) uint8 BGR, read as it is held."""
        return self._read_frame(image, (0.0, 0.0, float(image.shape[1]), float(image.shape[0])), None).faces

    def _decide(self, image: Image, faces: Sequence[FaceReading]) -> list[FaceReading]:
        return [replace(face, die_probability=1 - float(face.state_probabilities[NO_FACE])) for face in faces]


@cache
def _get_reader(nets: Nets) -> _UndecidedReader:
    cv2.setNumThreads(1)
    return _UndecidedReader(nets=nets, decision=_UNDECIDED)


def read_photograph(job: tuple[Photograph, Nets]) -> PhotographFaces:
    """Read all faces in a photograph."""
    photograph, nets = job
    image = load_image(photograph.path)
    faces = _get_reader(nets).read_faces(image)
    return PhotographFaces(photograph, image.shape[:2], faces, measure_faces(image, faces).astype(float))


def read_scene(job: tuple[str, int, Nets]) -> Pairs:
    """Render a scene; return the features of each face in it, and whether it is a die.

    Args:
        job: the scene's kind (`render.KINDS`), its number, and the networks.
    """
    kind, number, nets = job
    image, truths, _decoys = KINDS[kind].render(number)
    faces = _get_reader(nets).read_faces(image)
    dice = [astuple(truth) for truth in truths]
    return pair_labels(measure_faces(image, faces).astype(float), [label_face(face, dice) for face in faces])


def list_scenes(nets: Nets) -> list[tuple[str, int, Nets]]:
    """List the rendered scenes as jobs of `read_scene`."""
    return [
        (name, kind.first - _RENDERED_SCENES + i, nets)
        for name, kind in KINDS.items()
        for i in range(_RENDERED_SCENES // kind.share)
    ]


def fit(x: Matrix, y: Matrix, counts: Matrix | None = None) -> Matrix:
    """Return weights, the bias last, that make the labels `y`, (n,), most likely, given rows `x`, (n, k).

    Args:
        x: features.
        y: 0 or 1.
        counts: how often each row counts, (n,); None: once.
    """
    x = np.hstack([x, np.ones((len(x), 1))])
    counts = np.ones(len(x)) if counts is None else counts
    weights = np.zeros(x.shape[1])
    penalty = _PENALTY * np.eye(x.shape[1])
    penalty[-1, -1] = 0  # not on the bias
    for _ in range(40):
        p = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        gradient = x.T @ (counts * (y - p)) - penalty @ weights
        step = np.linalg.solve((x * (counts * p * (1 - p))[:, None]).T @ x + penalty, gradient)
        weights += step
        if np.abs(step).max() < 1e-8:
            break
    return weights


def fit_sources(pairs: Mapping[str, Pairs], left_out: str = "", rendered: Pairs = ()) -> Matrix:
    """Fit to the pairs of all sources but one; a source with n of them counts as the square root of n.

    Args:
        pairs: features and label of each face in photographs, by source.
        left_out: this source does not take part.
        rendered: the same of rendered scenes; together they count `_RENDERED_WEIGHT` times as much as all photographs.

    Raises:
        SystemExit: there is nothing to fit to.
    """
    used = [one for source, one in pairs.items() if source != left_out and one]
    if not used:
        raise SystemExit("The networks find no faces: train them longer, or use more photographs.")
    # The mean of the photographs' counts is about 1, so that the penalty stays small.
    counts = [np.full(len(one), 10 / np.sqrt(len(one))) for one in used]
    if rendered:
        counts.append(np.full(len(rendered), _RENDERED_WEIGHT * np.concatenate(counts).sum() / len(rendered)))
    x, y = (
        np.array(column, float) for column in zip(*(pair for one in (*used, rendered) for pair in one), strict=True)
    )
    return fit(x, y, np.concatenate(counts))


def _describe(weights: Matrix, confidence: Matrix) -> dict[str, Any]:
    """Return the two models as dice_decision.json has them."""
    return {
        "weights": dict(zip(FEATURES, (round(float(w), 4) for w in weights), strict=False)),
        "bias": round(float(weights[-1]), 4),
        "slope": round(float(confidence[0]), 4),
        "offset": round(float(confidence[1]), 4),
    }


def fit_all(read: Sequence[PhotographFaces], rendered: Pairs) -> tuple[dict[str, Any], dict[str, Any]]:
    """Fit both models to all photographs, and for each source to those of the others; the decision to scenes too.

    The confidence is fitted to readings whose decision was fitted to the other sources.

    Args:
        read: the photographs.
        rendered: features and label of each face in rendered scenes.
    """
    by_source: dict[str, list[PhotographFaces]] = defaultdict(list)
    for one in read:
        by_source[one.photograph.source].append(one)
    faces = {source: [pair for one in some for pair in one.label_faces()] for source, some in by_source.items()}
    weights = {source: fit_sources(faces, source, rendered) for source in by_source}
    dice = {
        source: [pair for one in some for pair in one.judge_dice(weights[source])] for source, some in by_source.items()
    }
    left_out = {source: _describe(weights[source], fit_sources(dice, source)) for source in sorted(by_source)}
    return _describe(fit_sources(faces, rendered=rendered), fit_sources(dice)), left_out


def main() -> None:
    """Fit the models and write them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photographs", type=Path, default=Path("../shared/photos"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--finder", type=Path, default=PACKAGED[0])
    parser.add_argument("--reader", type=Path, default=PACKAGED[1])
    parser.add_argument("--out", type=Path, default=MODELS / "dice_decision.json")
    given = parser.parse_args()
    nets = given.finder, given.reader
    work = [(one, nets) for one in list_photographs(given.photographs) if not one.may_train]
    with multiprocessing.Pool(given.jobs) as pool:
        read = pool.map(read_photograph, work, chunksize=4)
        scenes = pool.map(read_scene, list_scenes(nets), chunksize=4)
    models, left_out = fit_all(read, [pair for scene in scenes for pair in scene])
    given.out.write_text(json.dumps(models, indent=1) + "\n", encoding="utf-8")
    given.out.with_name(LEFT_OUT).write_text(json.dumps(left_out, indent=1) + "\n", encoding="utf-8")
    print(given.out.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
