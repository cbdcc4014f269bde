"""The held-back sets: the same from the same seed, true to their pictures, in the format that the scorer reads."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from bench_plot import count_confident, judge_readings
from bench_reading import HitCount
from testset_renderer import make, sittings, tumble
from testset_renderer import pictures as module
from testset_renderer.lid import random_lid
from testset_renderer.pictures import LabelledPicture, render_picture
from testset_renderer.sittings import write_image_sequence

from companion.vision.dice.reader import DiceReader
from companion.vision.lid.reader import LidReader

pytestmark = pytest.mark.training

SCORE = Path(__file__).resolve().parents[3] / "shared" / "score" / "score_see.py"
SEEDS = (0, 1, 2, 3, 4, 5)


@pytest.fixture(scope="module", autouse=True)
def small() -> Iterator[None]:
    """Pictures of one small size: a large one takes seconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "SIZES", ((416, 416),))
        yield


@pytest.fixture(scope="module")
def pictures(small: None) -> list[LabelledPicture]:
    return [render_picture(seed) for seed in SEEDS]


@pytest.fixture(scope="module")
def sitting(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sets") / "s005"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sittings, "FRAMES", 2)  # the first covered, the second turned and with tokens off
        patch.setattr(sittings, "is_new_round", lambda number: False)
        write_image_sequence(folder, 5)
    return folder


def test_a_seed_gives_one_picture(pictures: list[LabelledPicture]) -> None:
    again = render_picture(SEEDS[1])
    assert np.array_equal(again.image, pictures[1].image)
    assert again.boxes == pictures[1].boxes
    assert not np.array_equal(
        again.image, render_picture(SEEDS[1] + 1).image[: again.image.shape[0], : again.image.shape[1]]
    )


def test_as_many_pips_as_the_truth_says(pictures: list[LabelledPicture]) -> None:
    """Pips are spots that stand out from the face about them: counted by their own colour within the box."""
    agree = total = 0
    for made in pictures:
        for x0, y0, x1, y1, value in made.boxes:
            if x1 - x0 < 60:
                continue
            face = made.image[int(y0) : int(y1) + 1, int(x0) : int(x1) + 1]
            gray = cv2.resize(cv2.cvtColor(face, cv2.COLOR_BGR2GRAY), (160, 160))
            params = cv2.SimpleBlobDetector.Params()
            params.filterByArea, params.minArea, params.maxArea = True, 90, 1400
            params.filterByConvexity, params.filterByInertia = False, False
            params.filterByCircularity, params.minCircularity = True, 0.6
            counts = []
            for color in (0, 255):
                params.blobColor = color
                counts.append(len(cv2.SimpleBlobDetector.create(params).detect(gray)))
            total += 1
            agree += value in counts
    assert total >= 3
    assert agree >= 0.5 * total  # boxes hold a piece of the side faces, too


def test_windows_lie_where_the_truth_says(sitting: Path) -> None:
    """A taken token's window changes there, and only there; a token's disc is of one colour at its rim."""
    truth = json.loads((sitting / "truth.json").read_text())
    colors: dict[bool, list[float]] = {True: [], False: []}
    for frame in truth["frames"]:
        image = cv2.cvtColor(cv2.imread(str(sitting / frame["file"])), cv2.COLOR_BGR2LAB).astype(float)
        rims = {}
        for window in frame["windows"]:
            if window["visible"] < 1:
                continue
            x, y = window["px"]
            angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
            r = window["r_px"] * 0.72
            ring = np.array([image[round(y + r * np.sin(a)), round(x + r * np.cos(a))] for a in angles])
            rims[x, y] = (window["token"] is not None, np.median(ring, 0))
        tokens = [color for covered, color in rims.values() if covered]
        usual = np.median(tokens, 0)
        for covered, color in rims.values():
            colors[covered].append(float(np.linalg.norm(color - usual)))
    assert max(colors[True]) < 30
    assert not colors[False] or np.median(colors[False]) > np.median(colors[True])


def test_tags_are_where_the_lid_is(sitting: Path) -> None:
    truth = json.loads((sitting / "truth.json").read_text())
    assert truth["tags"]
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    frame = truth["frames"][0]
    image = cv2.imread(str(sitting / frame["file"]), cv2.IMREAD_GRAYSCALE)
    seen: dict[int, np.ndarray] = {}
    for scale in (1, 2, 3):  # at 40 pixels the detector sees one or the other in each
        corners, ids, _ = detector.detectMarkers(cv2.resize(image, None, fx=scale, fy=scale))
        for number, corner in zip([] if ids is None else ids.ravel(), corners, strict=False):
            seen[int(number)] = corner.reshape(4, 2).mean(0) / scale
    assert len(seen) >= 2
    for number, at in seen.items():
        far = [float(np.hypot(*(at - corner))) for corner in frame["lid_corners_px"]]
        assert int(np.argmin(far)) == number


def test_the_scorer_reads_the_truth(sitting: Path, tmp_path: Path) -> None:
    if not SCORE.exists():
        pytest.skip(f"{SCORE} is not here")
    truth = json.loads((sitting / "truth.json").read_text())
    seen = tmp_path / "seen.jsonl"
    with seen.open("w", encoding="utf-8") as file:
        for frame in truth["frames"]:
            windows = [
                {"center": w["px"], "covered": w["token"] is not None, "number": w["token"]} for w in frame["windows"]
            ]
            dice = [{"value": d["value"], "box": d["box_px"], "confidence": 1.0} for d in frame["dice"]]
            file.write(json.dumps({"file": frame["file"], "dice": dice, "lid": {"windows": windows}, "ms": 1}) + "\n")
    done = subprocess.run(
        [sys.executable, str(SCORE), "sitting", str(sitting / "truth.json"), str(seen)], capture_output=True, text=True
    )
    figures = json.loads(done.stdout)
    assert figures["windows"]["right"] == figures["numbers"]["right"] == 1
    assert figures["windows"]["n"] >= 18


def test_the_reader_knows_its_way_in_them(pictures: list[LabelledPicture], sitting: Path) -> None:
    """Generous: what it must at least do here; `make bench` measures."""
    reader = DiceReader()
    right = wanted = 0
    for made in pictures:
        want = sorted(b[4] for b in made.boxes)
        have = [d.value for d in reader.read(made.image)]
        wanted += len(want)
        right += sum(min(have.count(v), want.count(v)) for v in set(want))
    assert right >= 0.7 * wanted
    frame = json.loads((sitting / "truth.json").read_text())["frames"][0]
    lid = LidReader().calibrate(cv2.imread(str(sitting / frame["file"])))
    assert lid is not None
    near = [
        min(lid.windows, key=lambda s, w=w: float(np.hypot(s.center[0] - w["px"][0], s.center[1] - w["px"][1])))
        for w in frame["windows"]
    ]
    assert sum(s.covered is True and s.number == w["token"] for s, w in zip(near, frame["windows"], strict=True)) >= 10


@pytest.mark.parametrize("seed", [2])
def test_thrown_dice_fall_bounce_and_come_to_rest_level(seed: int) -> None:
    rng = np.random.default_rng(seed)
    paths = next(p for p in iter(lambda: tumble.simulate_throw(rng, 16.0, (58.0, 58.0), 12.0), 0) if p is not None)
    for path in paths:
        assert path.at[0, 2] > 40
        assert path.at[-1, 2] == pytest.approx(16 * 0.97 / 2, abs=0.15)
        assert path.at[:, 2].min() > 5
        assert 0.1 < tumble.find_settling_seconds(path, 16.0) < 1.7
    assert np.linalg.norm(paths[0].at[-1] - paths[1].at[-1]) > 15


def test_labels_are_in_the_format_of_shared(tmp_path: Path) -> None:
    make.make_sets(tmp_path, 0, 1, 0, seed=0)
    with (tmp_path / "dice" / "labels.csv").open(newline="") as file:
        (row,) = csv.DictReader(file)
    made = render_picture(0)
    assert row["values"] == " ".join(str(v) for v in sorted(b[4] for b in made.boxes))
    assert (tmp_path / "dice" / row["file"]).exists()
    boxes = [{"value": b[4], "box": list(b[:4]), "confidence": 0.95} for b in made.boxes]
    said = json.dumps({"file": row["file"], "dice": boxes})
    assert count_confident(judge_readings(tmp_path / "dice" / "labels.csv", said)) == HitCount(len(boxes), len(boxes))
    other = [b | {"value": b["value"] % 6 + 1} for b in boxes]
    assert (
        count_confident(
            judge_readings(tmp_path / "dice" / "labels.csv", json.dumps({"file": row["file"], "dice": other}))
        ).hits
        == 0
    )


def test_no_token_lies_on_another() -> None:
    """Of forty lids at random, of every layout."""
    lids = [random_lid(np.random.default_rng(seed), tags=False, scale=0.5) for seed in range(40)]
    assert {lid.layout for lid in lids} == {"3x4", "4x3stag", "ring", "random"}
    for lid in lids:
        apart = np.linalg.norm(lid.windows[:, None] - lid.windows, axis=2)[~np.eye(12, dtype=bool)]
        assert apart.min() > 2 * lid.radius
