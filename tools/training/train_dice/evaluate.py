"""Measure the dice reader on families of dice and grounds that training never draws, and under distortions.

    PYTHONPATH=.:tools:tools/training python -m train_dice.evaluate [--scenes 40] [--jobs 2] [--finder FILE]
        [--reader FILE] [--draw FILE.jpg]

A picture is acted on if every die that the reader reports can be played without asking (confidence 0.9 or more). It is
right if these are all readable dice of the picture with their values; it is asked about if it is not acted on. Each
distortion is applied to the pictures that are right without it. Nets, thresholds and mixtures are chosen by these
figures (`styles`); the decision is always the packaged one; `make bench` prints them with few scenes. `--draw` writes
the first twelve pictures that are acted on and wrong (green: read; red: missed, or read as another value).
"""

from __future__ import annotations

import argparse
import multiprocessing
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
from bench_reading import BenchRow, HitCount, print_table

from companion.vision.confidence_limits import MIN_PLAY_CONFIDENCE
from companion.vision.dice.detector import MAX_PICTURE_CANDIDATES
from companion.vision.dice.reader import DiceReader
from companion.vision.reading import Die, Image
from train_dice.labels import CLEAR, IGNORED, UNREADABLE, DieTruth
from train_dice.make import MODELS
from train_dice.scenes import render_scene
from train_dice.styles import HELD_BACK_STYLES
from train_dice.unreadable import HELD_BACK_UNREADABLE

RIGHT, ASKED, WRONG = "right", "asked", "wrong"
_SAME_DIE_EDGES = 0.5
"""A reading nearer than this to a die's top face, in its edges, is of that die."""

Distortion = Callable[[np.random.Generator, Image, float], Image]
"""Changes a picture; the last argument is the edge of its smallest die in pixels."""


def judge(dice: Sequence[Die], truths: Iterable[DieTruth]) -> str:
    """Judge a reading of a picture.

    Args:
        dice: what the reader reports.
        truths: the dice in the picture; a die at the frame's edge, or half hidden, may be read or not.

    Returns:
        "right", "asked" or "wrong".
    """
    if not dice or any(die.confidence < MIN_PLAY_CONFIDENCE for die in dice):
        return ASKED
    left = list(truths)
    for die in dice:
        x, y = die.center
        near = [t for t in left if np.hypot(t.x - x, t.y - y) < _SAME_DIE_EDGES * t.edge and t.state != UNREADABLE]
        match = next((t for t in near if t.value == die.value), None)
        if match is None:
            return WRONG
        left.remove(match)
    # A die without pips that is left out is wrong too: the players threw it.
    return WRONG if any(t.state in (CLEAR, UNREADABLE) for t in left) else RIGHT


def _expose(factor: float) -> Distortion:
    return lambda rng, image, edge: np.asarray(np.clip(image * factor, 0, 255), np.uint8)


def _bend(gamma: float) -> Distortion:
    return lambda rng, image, edge: np.asarray(255 * (image / 255.0) ** gamma, np.uint8)


def _add_noise(rng: np.random.Generator, image: Image, edge: float) -> Image:
    return np.asarray(np.clip(image + rng.normal(0, 20, image.shape), 0, 255), np.uint8)


def _compress(rng: np.random.Generator, image: Image, edge: float) -> Image:
    packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 15])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def _blur(rng: np.random.Generator, image: Image, edge: float) -> Image:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), max(0.3, 0.1 * edge)), np.uint8)


def _shrink(rng: np.random.Generator, image: Image, edge: float) -> Image:
    k = min(1.0, 16 / edge)
    return np.asarray(cv2.resize(image, None, fx=k, fy=k, interpolation=cv2.INTER_AREA), np.uint8)


def _shade(rng: np.random.Generator, image: Image, edge: float) -> Image:
    """Lay a shadow with a sharp edge over about a half of the picture."""
    y, x = np.mgrid[: image.shape[0], : image.shape[1]]
    angle, off = rng.uniform(0, 2 * np.pi), rng.uniform(-0.2, 0.2) * image.shape[1]
    side = (x - image.shape[1] / 2) * np.cos(angle) + (y - image.shape[0] / 2) * np.sin(angle) > off
    return np.asarray(image * np.where(side, 0.4, 1.0)[..., None], np.uint8)


DISTORTIONS: dict[str, Distortion] = {
    "gamma 0.5": _bend(0.5),
    "gamma 2": _bend(2.0),
    "exposure x0.25": _expose(0.25),
    "exposure x2": _expose(2.0),
    "noise of 20 levels": _add_noise,
    "JPEG quality 15": _compress,
    "blur of 0.1 edges": _blur,
    "dice of 16 pixels": _shrink,
    "hard shadow x0.4": _shade,
}


Nets = tuple[Path, Path]
"""The detector's and the reader's networks, as `DiceReader` takes them."""

PACKAGED: Nets = (MODELS / "dice_finder.onnx", MODELS / "dice_reader.onnx")

TOUCHING = "plain dice that touch"
"""Name of the scenes of small dice of the plain style that touch, on held-back grounds."""


def _render(family: str, seed: int) -> tuple[Image, list[DieTruth], list[tuple[float, float, float]]]:
    """Render a scene of a family, or of `TOUCHING` dice."""
    is_touching = family == TOUCHING
    return render_scene(seed, family="plain" if is_touching else family, touching=is_touching)


@cache
def _get_reader(nets: Nets) -> DiceReader:
    cv2.setNumThreads(1)
    return DiceReader(MAX_PICTURE_CANDIDATES, nets=nets)


def evaluate_scene(job: tuple[str, int, Nets]) -> tuple[str, str, dict[str, str]]:
    """Read one scene of a family; return the family, the judgement, and that of each distortion if it was right."""
    family, seed, nets = job
    image, truths, _ = _render(family, seed)
    reader = _get_reader(nets)
    if not any(t.state in (CLEAR, UNREADABLE) for t in truths):
        return family, "", {}
    result, distorted = judge(reader.read(image), truths), {}
    edge = min(t.edge for t in truths if t.state != IGNORED)
    if result == RIGHT and family in HELD_BACK_STYLES:
        for number, (name, distort) in enumerate(DISTORTIONS.items()):
            changed = distort(np.random.default_rng([seed, number]), image, edge)
            k = changed.shape[1] / image.shape[1]
            scaled = [DieTruth(t.x * k, t.y * k, t.edge * k, t.value, t.state, t.lean_x, t.lean_y) for t in truths]
            distorted[name] = judge(reader.read(changed), scaled)
    return family, result, distorted


def _draw_if_wrong(job: tuple[str, int, Nets]) -> Image | None:
    """Return the picture of a scene with what was read in it, if it is acted on and wrong."""
    family, seed, nets = job
    image, truths, _ = _render(family, seed)
    dice = _get_reader(nets).read(image)
    if not any(t.state in (CLEAR, UNREADABLE) for t in truths) or judge(dice, truths) != WRONG:
        return None
    for die in dice:
        x0, y0, x1, y1 = (round(v) for v in die.box)
        cv2.rectangle(image, (x0, y0), (x1, y1), (0, 220, 0), 2)
        cv2.putText(image, str(die.value), (x1 + 2, y0 + 12), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 220, 0), 2)
    for t in truths:
        near = [die for die in dice if np.hypot(die.center[0] - t.x, die.center[1] - t.y) < _SAME_DIE_EDGES * t.edge]
        if t.state in (CLEAR, UNREADABLE) and not any(die.value == t.value for die in near):
            at, half = (round(t.x), round(t.y)), round(t.edge * 0.7)
            cv2.circle(image, at, half, (0, 0, 255), 2)
            cv2.putText(image, str(t.value or "?"), (at[0] - half, at[1] + half + 14), 0, 0.6, (0, 0, 255), 2)
    cv2.putText(image, f"{family} {seed}", (6, image.shape[0] - 8), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (255, 255, 255), 2)
    return image


def draw_wrong_readings(work: Sequence[tuple[str, int, Nets]], jobs: int) -> Image:
    """Draw the scenes that are acted on and wrong, four beside each other, the first twelve: (H, W, 3) uint8 BGR."""
    with multiprocessing.Pool(jobs) as pool:
        drawn = list(islice((image for image in pool.imap(_draw_if_wrong, work) if image is not None), 12))
    small = [np.asarray(cv2.resize(image, (300, 300), interpolation=cv2.INTER_AREA), np.uint8) for image in drawn]
    small += [np.zeros((300, 300, 3), np.uint8)] * (-len(small) % 4 or (0 if small else 4))
    return np.vstack([np.hstack(small[i : i + 4]) for i in range(0, len(small), 4)])


def _list_work(scenes: int, first: int, nets: Nets) -> list[tuple[str, int, Nets]]:
    """List the scenes of all held-back families."""
    families = (*HELD_BACK_STYLES, *HELD_BACK_UNREADABLE, TOUCHING)
    return [(family, seed, nets) for family in families for seed in range(first, first + scenes)]


def _make_row(label: str, counts: Counter[str], key: str, bar: float, least: bool, name: str = "") -> BenchRow:
    """Make a row with the share of `key` among the judged pictures."""
    count = HitCount(counts[key], sum(counts.values()))
    met = count.share >= bar if least else count.share <= bar
    return BenchRow(label, str(count), f"{'>=' if least else '<='} {100 * bar:g} %", met, name=name, figure=count)


def list_rows(scenes: int, first: int = 0, jobs: int = 1, nets: Nets = PACKAGED) -> list[BenchRow]:
    """List the rows of the table, from this many scenes of each held-back family.

    Args:
        scenes: scenes of each family, at least 1.
        first: seed of the first scene of each family.
        jobs: number of processes.
        nets: the networks to measure.
    """
    work = _list_work(scenes, first, nets)
    by_family: dict[str, Counter[str]] = {family: Counter() for family, _, _ in work}
    by_distortion: dict[str, Counter[str]] = {name: Counter() for name in DISTORTIONS}
    with multiprocessing.Pool(jobs) as pool:
        for family, result, distorted in pool.imap_unordered(evaluate_scene, work, chunksize=4):
            if result:
                by_family[family][result] += 1
            for name, changed in distorted.items():
                by_distortion[name][changed] += 1
    styles = sum((by_family[family] for family in HELD_BACK_STYLES), Counter[str]())
    others = sum((by_family[family] for family in HELD_BACK_UNREADABLE), Counter[str]())
    rows = [
        _make_row("held-back styles: right and acted on", styles, RIGHT, 0.93, least=True, name="right"),
        _make_row("held-back styles: acted on and wrong", styles, WRONG, 0.005, least=False, name="wrong"),
        _make_row("dice without pips among others: acted on and wrong", others, WRONG, 0.01, False, "no_pips_wrong"),
    ]
    for family in HELD_BACK_STYLES:
        rows.append(_make_row(f"{family}: right", by_family[family], RIGHT, 0.93, least=True))
        rows.append(_make_row(f"{family}: wrong", by_family[family], WRONG, 0.005, least=False))
    rows += [
        _make_row(f"{family}: wrong", by_family[family], WRONG, 0.01, least=False) for family in HELD_BACK_UNREADABLE
    ]
    rows.append(_make_row(f"{TOUCHING}: right", by_family[TOUCHING], RIGHT, 0.93, True, "touching_right"))
    rows.append(_make_row(f"{TOUCHING}: wrong", by_family[TOUCHING], WRONG, 0.005, False, "touching_wrong"))
    for name, counts in by_distortion.items():
        rows.append(_make_row(f"{name}: right", counts, RIGHT, 0.93, least=True))
        rows.append(_make_row(f"{name}: wrong", counts, WRONG, 0.01, least=False))
    return rows


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=int, default=40)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--finder", type=Path, default=PACKAGED[0])
    parser.add_argument("--reader", type=Path, default=PACKAGED[1])
    parser.add_argument("--draw", type=Path)
    given = parser.parse_args()
    nets = (given.finder, given.reader)
    print_table(
        f"{given.scenes} scenes of each held-back family", list_rows(given.scenes, given.first, given.jobs, nets)
    )
    if given.draw:
        cv2.imwrite(str(given.draw), draw_wrong_readings(_list_work(given.scenes, given.first, nets), given.jobs))


if __name__ == "__main__":
    main()
