"""Turn photographs into training scenes: WORK/photographs/GROUP/NNNNNN.jpegs, .json and .found, as `render` and `mine`.

    PYTHONPATH=.:tools:tools/training python -m train_dice.photo_scenes OUT [--photographs ../shared/photos]
        [--finder FILE] [--reader FILE] [--jobs 2]

A label says which value lies about where; the networks that are trained on say where its top face is to the pixel. A
die that they do not find is neither a hit nor a miss. Only photographs whose licence allows it are used.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from math import hypot
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from companion.system.atomic_file import write_atomic
from companion.vision.dice.assembly import NO_FACE, FaceReading
from companion.vision.dice.detector import Candidate, DiceDetector
from companion.vision.dice.reader import SEARCH_LONG_SIDES_PX, DiceReader, correct_place
from companion.vision.dice.views import average_views
from companion.vision.frames.image_io import load_image
from companion.vision.reading import Image
from train_dice.evaluate import PACKAGED, Nets
from train_dice.labels import CLEAR, IGNORED, SCENE_SIDE_PX, UNREADABLE
from train_dice.mine import MIN_HEAT
from train_dice.photographs import OTHER, LabelledBox, Photograph, list_photographs
from train_dice.render import write_shard
from train_dice.samples import Dice, DieInScene, Spots

_MAX_CANDIDATES = 40
"""Most candidates of a photograph. More: more of its scenery is seen in training."""

_MIN_MATCH = 0.12
"""Least match of a candidate with a label, see `_measure_match`. Larger: fewer dice are placed, more exactly."""

_MAX_NOT_FACE = 0.8
"""P(not a face) above which a face without a box is not a die's. Larger: scenery is taken for a die more often."""

_MIN_EDGE_PX = 9.0
"""Least edge of a die, in pixels of the photograph: pips of smaller ones cannot be counted."""

_WINDOW_EDGES = 12.0
"""Side of a scene in edges of the die in its middle. Larger: coarser dice, more of their surroundings."""

_MIN_WINDOW_PX = 96

_GUESSED_EDGES = (0.6, 0.8)
"""Guesses of a top face's edge, as shares of its box."""

_MIN_PHOTOGRAPH_PX = 200
"""Longer side of a photograph below which it is taken for a cut-out of one die."""

_MIN_MARGIN_EDGES = 0.6
"""Least distance of a die's middle from a scene's border, in its edges; nearer ones are cut and do not count."""

_MAX_WINDOWS = 4
"""Most scenes of one photograph."""


class ScenePart(NamedTuple):
    """A square part of a photograph as a training scene: picture, dice, and the finder's candidates."""

    image: Image
    dice: Dice
    found: Spots


class _FaceReader(DiceReader):
    """A dice reader that returns all faces with their refined places."""

    def read_faces(self, image: Image, candidates: Iterable[Candidate]) -> list[FaceReading]:
        """Read each candidate of a frame, (H, W, 3) uint8 BGR, in one view, after its place was corrected once."""
        moved = [correct_place(candidate, self._run_reader(image, candidate)) for candidate in candidates]
        return [average_views(candidate, [self._run_reader(image, candidate)]) for candidate in moved]


@cache
def _load_nets(nets: Nets) -> tuple[DiceDetector, _FaceReader]:
    cv2.setNumThreads(1)
    return DiceDetector(MIN_HEAT, nets[0], _MAX_CANDIDATES), _FaceReader(nets=nets)


def find_candidates(image: Image, nets: Nets) -> list[Candidate]:
    """Find the candidates of the companion's searches, best first; of those at one place the best."""
    finder = _load_nets(nets)[0]
    long_side = max(image.shape[:2])
    sides = [side for side in SEARCH_LONG_SIDES_PX if side / 2 < long_side]
    kept: list[Candidate] = []
    for candidate in sorted((c for side in sides for c in finder.detect(image, side)), key=lambda c: -c.score):
        is_known = any(
            hypot(candidate.x - other.x, candidate.y - other.y) < 0.2 * other.edge
            and 0.8 < candidate.edge / other.edge < 1.25
            for other in kept
        )
        if not is_known and len(kept) < _MAX_CANDIDATES:
            kept.append(candidate)
    return kept


def guess_candidates(boxes: Iterable[LabelledBox]) -> list[Candidate]:
    """Return where the top faces of labelled dice may lie, for dice that the finder does not see."""
    return [
        Candidate((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2, share * max(box.x1 - box.x0, box.y1 - box.y0), 0.01)
        for box in boxes
        for share in _GUESSED_EDGES
        if box.value > 0
    ]


def _measure_match(face: FaceReading, box: LabelledBox) -> float:
    """Return how well a face fits a label, 0 to about 1.2; 0 if it lies elsewhere or has another size."""
    at, width, height = face.candidate, box.x1 - box.x0, box.y1 - box.y0
    x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
    # Some boxes hold the whole die, some the pips of its top face.
    is_inside = abs(at.x - x) < 0.55 * width and abs(at.y - y) < 0.55 * height
    if not (is_inside or hypot(at.x - x, at.y - y) < 0.35 * at.edge) or not 0.4 < at.edge / max(width, height) < 3.2:
        return 0.0
    # A die without pips has no value to agree on.
    agrees = 1.0 if box.value == OTHER else float(face.value_probabilities[box.value - 1])
    return float((1 - face.state_probabilities[NO_FACE]) * (0.15 + agrees) + 0.1 * at.score)


def place_dice(faces: Sequence[FaceReading], boxes: Iterable[LabelledBox]) -> Dice:
    """Return the dice of the labels, at the faces that fit them best; those without a face are `IGNORED`."""
    dice, left = [], list(faces)
    for box in boxes:
        state = UNREADABLE if box.value == OTHER else CLEAR
        best = max(left, key=lambda face: _measure_match(face, box), default=None) if box.value >= 0 else None
        if best is not None and _measure_match(best, box) > _MIN_MATCH and best.candidate.edge > _MIN_EDGE_PX:
            left.remove(best)
            at = best.candidate
            dice.append((at.x, at.y, at.edge, box.value, state, *best.normal_xy))
        else:
            edge = 0.8 * max(box.x1 - box.x0, box.y1 - box.y0)
            # A die without pips that the finder does not see is one to leave alone.
            x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
            dice.append((x, y, edge, max(0, box.value), IGNORED, 0.0, 0.0))
    return dice


def place_unboxed_dice(faces: Sequence[FaceReading], values: Sequence[int]) -> Dice:
    """Return the likeliest faces if they have the values that the photograph's label names, else none."""
    likely = [face for face in faces if face.state_probabilities[NO_FACE] < _MAX_NOT_FACE]
    dice: Dice = []
    for face in sorted(likely, key=lambda face: float(face.state_probabilities[NO_FACE])):
        at = face.candidate
        if len(dice) < len(values) and all(hypot(at.x - x, at.y - y) > 0.85 * max(at.edge, e) for x, y, e, *_ in dice):
            value = int(face.value_probabilities.argmax()) + 1
            dice.append((at.x, at.y, at.edge, value, CLEAR, *face.normal_xy))
    return dice if sorted(die[3] for die in dice) == sorted(values) else []


def cut_windows(image: Image, dice: Dice, found: Spots) -> list[ScenePart]:
    """Cut square scenes out of a photograph that hold its dice; without dice the whole, and the best candidates."""
    height, width = image.shape[:2]
    whole = max(height, width)
    if left := [die for die in dice if die[4] in (CLEAR, UNREADABLE)]:
        aims = []
    else:
        aims = [(width / 2, height / 2, whole / _WINDOW_EDGES), *found[: _MAX_WINDOWS - 1]]
    parts: list[ScenePart] = []
    while (left or aims) and len(parts) < _MAX_WINDOWS:
        x, y, edge = left[0][:3] if left else aims.pop(0)
        side = round(min(max(_WINDOW_EDGES * edge, _MIN_WINDOW_PX), whole))
        x0, y0 = (
            round(min(max(at - side / 2, min(0, size - side)), max(0, size - side)))
            for at, size in ((x, width), (y, height))
        )
        part = _cut_window(image, x0, y0, side, dice, found)
        parts.append(part)
        left = [die for die in left[1:] if _measure_margin(die, x0, y0, side) < _MIN_MARGIN_EDGES]
    return parts


def _measure_margin(die: DieInScene, x0: float, y0: float, side: float) -> float:
    """Return how far a die lies inside a square, in its edges; less than 0 if its middle lies outside."""
    x, y, edge, *_ = die
    return min(x - x0, y - y0, x0 + side - x, y0 + side - y) / edge


def _cut_window(image: Image, x0: int, y0: int, side: int, dice: Dice, found: Spots) -> ScenePart:
    """Cut a square; beyond the photograph its border is repeated."""
    height, width = image.shape[:2]
    rows = np.clip(np.arange(y0, y0 + side), 0, height - 1)
    columns = np.clip(np.arange(x0, x0 + side), 0, width - 1)
    scale = SCENE_SIDE_PX / side
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    pixels = cv2.resize(image[rows[:, None], columns], (SCENE_SIDE_PX, SCENE_SIDE_PX), interpolation=way)
    seen: Dice = []
    for die in dice:
        x, y, edge, value, state, right, down = die
        margin = _measure_margin(die, x0, y0, side)
        state = state if margin > _MIN_MARGIN_EDGES else IGNORED
        if margin > -1:
            seen.append(((x - x0) * scale, (y - y0) * scale, edge * scale, value, state, right, down))
    spots = [((x - x0) * scale, (y - y0) * scale, edge * scale) for x, y, edge in found]
    inside = [(x, y, e) for x, y, e in spots if min(x, y) > 0 and max(x, y) < SCENE_SIDE_PX and e < SCENE_SIDE_PX]
    return ScenePart(np.asarray(pixels, np.uint8), seen, inside)


def make_scenes(photograph: Photograph, nets: Nets) -> list[ScenePart]:
    """Make the training scenes of a photograph; none where nothing of it can be placed."""
    image, boxes = load_image(photograph.path), photograph.boxes
    if max(image.shape[:2]) < _MIN_PHOTOGRAPH_PX:
        # A cut-out of one die: give it surroundings.
        height, width = image.shape[:2]
        image = np.asarray(cv2.copyMakeBorder(image, height, height, width, width, cv2.BORDER_REPLICATE), np.uint8)
        boxes = tuple(LabelledBox(x0 + width, y0 + height, x1 + width, y1 + height, n) for x0, y0, x1, y1, n in boxes)
    candidates = [*find_candidates(image, nets), *guess_candidates(boxes)]
    faces = _load_nets(nets)[1].read_faces(image, candidates)
    found = [(face.candidate.x, face.candidate.y, face.candidate.edge) for face in faces]
    if boxes or not (photograph.values or photograph.has_other_dice):
        dice = place_dice(faces, boxes)
        unplaced = [box for box, die in zip(boxes, dice, strict=True) if die[4] == IGNORED]
        found = [spot for spot in found if not any(_is_in(spot, box) for box in unplaced)]
    else:
        dice = place_unboxed_dice(faces, photograph.values)
        if not dice:
            return []
    return cut_windows(image, dice, found)


def _is_in(spot: tuple[float, float, float], box: LabelledBox) -> bool:
    """Return whether a candidate may belong to the die in a box."""
    x, y, edge = spot
    return box.x0 - 0.5 * edge < x < box.x1 + 0.5 * edge and box.y0 - 0.5 * edge < y < box.y1 + 0.5 * edge


def write_group(job: tuple[str, int, Sequence[Photograph], Path, Nets]) -> str:
    """Write the scenes of one group unless they are there; return how many there are."""
    group, first, photographs, out, nets = job
    folder = out / group.replace("/", "_")
    folder.mkdir(parents=True, exist_ok=True)
    notes = folder / f"{first:06d}.json"
    if not notes.exists():
        parts = [part for one in photographs for part in make_scenes(one, nets)]
        write_atomic(notes.with_suffix(".found"), json.dumps([part.found for part in parts]).encode())
        write_shard(folder, first, ((part.image, part.dice, ()) for part in parts), photographs=True)
    scenes = json.loads(notes.read_text())
    used = sum(die[4] != IGNORED for scene in scenes for die in scene["dice"])
    known = sum(box.value >= 0 for one in photographs for box in one.boxes)
    return f"{group}: {len(photographs)} photographs, {len(scenes)} scenes, {used} dice of {known} in boxes"


def main() -> None:
    """Write the scenes of all groups that may train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--photographs", type=Path, default=Path("../shared/photos"))
    parser.add_argument("--finder", type=Path, default=PACKAGED[0])
    parser.add_argument("--reader", type=Path, default=PACKAGED[1])
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    groups = defaultdict(list)
    for one in list_photographs(given.photographs):
        if one.may_train:
            groups[one.group].append(one)
    nets = (given.finder, given.reader)
    jobs = [(group, 20_000_000 + i * 10_000, groups[group], given.out, nets) for i, group in enumerate(sorted(groups))]
    with multiprocessing.Pool(given.jobs) as pool:
        for line in pool.imap(write_group, jobs):
            print(line, flush=True)


if __name__ == "__main__":
    main()
