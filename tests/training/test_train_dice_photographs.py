"""Photographs in training: which may train, where their dice are placed, how they are varied and judged."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from train_dice.evaluate import PACKAGED
from train_dice.fit_decision import PhotographFaces, fit_all, judge_dice, label_face, list_scenes, read_scene
from train_dice.labels import CLEAR, IGNORED, SCENE_SIDE_PX, UNREADABLE, DieTruth
from train_dice.make import MODELS, Training, hash_photographs, list_shards, read_early_hashes
from train_dice.photo_scenes import cut_windows, make_scenes, place_dice, place_unboxed_dice, write_group
from train_dice.photo_variations import vary_photograph
from train_dice.photographs import IGNORED as UNKNOWN
from train_dice.photographs import OTHER, LabelledBox, Photograph, format_attribution, list_photographs
from train_dice.render import KINDS, Kind, write_shard
from train_dice.samples import Scene, SceneShards
from train_dice.scenes import render_scene

from companion.vision.dice.assembly import FaceReading
from companion.vision.dice.detector import Candidate
from companion.vision.dice.die_probability import FEATURES, parse_decision
from companion.vision.reading import Die, Image

pytestmark = pytest.mark.training

TRAIN_LABELS = ["file", "group", "x", "y", "w", "h", "value", "kind"]
TRAIN_META = ["file", "group", "view", "repo", "licence", "sibling_of"]
JUDGED_LABELS = ["file", "source", "licence", "view", "values", "boxes"]


def write_table(path: Path, head: Sequence[str], *rows: Sequence[object]) -> None:
    path.parent.mkdir(exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([head, *rows])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder like ../shared/photos with four photographs."""
    write_table(
        tmp_path / "train" / "labels.csv", TRAIN_LABELS,
        ["a.jpg", "sib-epa", 10, 20, 30, 40, 3, "pips"], ["a.jpg", "sib-epa", 90, 20, 30, 40, "ignore", "pips"],
        ["b.jpg", "tower", 10, 20, 30, 40, "other", "d20"], ["c.jpg", "none", "", "", "", "", "", ""],
    )  # fmt: skip
    write_table(
        tmp_path / "train" / "meta.csv", TRAIN_META,
        ["a.jpg", "sib-epa", "angled", "Epanemu/GameDiceRecognition", "CC BY 4.0", "dice (epa)"],
        ["b.jpg", "tower", "overhead", "burks/tower", "MIT", ""], ["c.jpg", "none", "angled", "x/chess", "MIT", ""],
    )  # fmt: skip
    write_table(
        tmp_path / "dice" / "labels.csv", JUDGED_LABELS,
        ["d.jpg", "Epanemu/GameDiceRecognition", "none stated", "angled", "5", "1,2,31,42,5"],
        ["e.jpg", "king/dice", "none stated", "overhead", "6 2", "1,2,31,42,6"],
    )  # fmt: skip
    for name in ("dice2", "dice3"):
        write_table(tmp_path / name / "labels.csv", JUDGED_LABELS)
    return tmp_path


def test_only_licensed_photographs_train_and_siblings_are_of_one_group(folder: Path) -> None:
    a, b, c, d, e = list_photographs(folder)
    assert [one.may_train for one in (a, b, c, d, e)] == [True, True, True, True, False]
    assert a.group == d.group != b.group
    assert a.boxes == ((10, 20, 40, 60, 3), (90, 20, 120, 60, UNKNOWN))
    assert (a.values, b.values, c.values, e.values) == ((3,), (), (), (2, 6))
    assert b.has_other_dice
    assert b.boxes[0].value == OTHER
    assert e.boxes == ()  # one of two dice has no box


def add_training_picture(folder: Path, repo: str, sibling_of: str) -> None:
    with (folder / "train" / "meta.csv").open("a", encoding="utf-8", newline="") as file:
        csv.writer(file).writerow(["f.jpg", "pxl", "angled", repo, "MIT", sibling_of])


def test_no_source_both_trains_and_judges(folder: Path) -> None:
    add_training_picture(folder, "king/dice", "")
    with pytest.raises(ValueError, match="king/dice"):
        list_photographs(folder)


def test_no_sibling_of_a_photograph_that_judges_trains(folder: Path) -> None:
    add_training_picture(folder, "fork/of-king-dice", "dice (e)")
    with pytest.raises(ValueError, match=r"f\.jpg trains"):
        list_photographs(folder)


def test_the_shared_photographs_are_split_by_source(shared: Path) -> None:
    photographs = list_photographs(shared / "photos")
    judging = [one for one in photographs if not one.may_train]
    assert (len(photographs), len(judging), len({one.source for one in judging})) == (1220, 298, 23)
    with (shared / "photos" / "train" / "meta.csv").open(encoding="utf-8", newline="") as file:
        siblings = {row["sibling_of"] for row in csv.DictReader(file)} - {""}
    for sibling in siblings:  # as "dice and dice2 (epa)": folders, and how names of files begin there
        folders, prefix = sibling.rstrip(")").split(" (")
        prefix = prefix.removesuffix("-desk")
        same = [one for one in photographs if one.folder in folders.split(" and ") and one.path.name.startswith(prefix)]
        assert same
        assert not set(same) & set(judging), sibling


def test_the_packaged_files_name_the_shared_photographs(shared: Path) -> None:
    photographs = list_photographs(shared / "photos")
    assert (MODELS / "dice_attribution.txt").read_text(encoding="utf-8") == format_attribution(photographs)
    manifest = json.loads((MODELS / "dice_models.json").read_text(encoding="utf-8"))["photographs"]
    assert manifest
    assert manifest.items() <= hash_photographs(shared / "photos").items()


def test_the_hashes_of_the_data_change_with_pictures_and_labels(folder: Path) -> None:
    for one in list_photographs(folder):
        one.path.write_bytes(one.path.name.encode())
    before = hash_photographs(folder)
    changes = {"train/a.jpg": "training", "dice/e.jpg": "fitting the decision", "dice/labels.csv": "labels"}
    for path, name in changes.items():
        (folder / path).write_bytes((folder / path).read_bytes() + b"\n")
        after = hash_photographs(folder)
        assert {key for key in after if after[key] != before[key]} == {name}
        before = after


def test_groups_of_photographs_weigh_alike_and_rendered_scenes_four_in_ten(tmp_path: Path) -> None:
    blank = np.zeros((SCENE_SIDE_PX, SCENE_SIDE_PX, 3), np.uint8)
    for folder, count in (("photographs/large", 5), ("photographs/small", 1), ("scenes", 3), ("traced", 1)):
        (tmp_path / folder).mkdir(parents=True)
        write_shard(tmp_path / folder, 0, [(blank, [], [])] * count)
    words = Training(tmp_path, seed=0, steps_ratio=1.0, device="cpu", jobs=1)._weigh_folders()
    weights = {Path(folder).name: float(weight) for folder, weight in (word.rsplit(":", 1) for word in words)}
    large, small = 5 * weights["large"], weights["small"]
    rendered = 3 * weights["scenes"] + weights["traced"]
    assert large == pytest.approx(small)
    assert rendered / (rendered + large + small) == pytest.approx(0.4)


def test_each_training_of_500_steps_has_its_hash_in_the_manifest(tmp_path: Path) -> None:
    """With `--steps 0.01` there is none, and the recipe still ends."""
    assert read_early_hashes(tmp_path) == {}
    for name in ("reader", "finder"):
        (tmp_path / f"{name}.500").write_text(f"{name}'s hash")
    assert read_early_hashes(tmp_path) == {"finder": "finder's hash", "reader": "reader's hash"}


def test_the_files_of_rendered_scenes_are_their_pictures_and_contents(tmp_path: Path) -> None:
    write_shard(tmp_path, 50, [(np.zeros((SCENE_SIDE_PX, SCENE_SIDE_PX, 3), np.uint8), [], [])])
    (tmp_path / "000050.found").write_text("[]")
    assert [file.name for file in list_shards(tmp_path)] == ["000050.jpegs", "000050.json"]


def test_each_source_that_trains_is_named_with_its_licence(folder: Path) -> None:
    text = format_attribution(list_photographs(folder))
    assert "github.com/Epanemu/GameDiceRecognition: 2 photographs, CC BY 4.0" in text
    assert "burks/tower" in text
    assert "king/dice" not in text


def make_face(x: float, y: float, edge: float, value: int, not_face: float = 0.05) -> FaceReading:
    states = np.array([not_face, 1 - not_face, 0, 0], np.float32)
    values = np.full(6, 0.01, np.float32)
    values[value - 1] = 0.95
    return FaceReading(Candidate(x, y, edge, 0.5), states, values, (0.1, -0.2))


def test_a_die_is_placed_at_the_face_in_its_box_that_shows_its_value() -> None:
    faces = [make_face(62, 66, 40, 2), make_face(58, 52, 42, 5, 0.6), make_face(200, 50, 40, 5)]
    ((*place, value, state, right, down),) = place_dice(faces, [LabelledBox(30, 30, 90, 95, 5)])
    assert (place, value, state, right, down) == ([58, 52, 42], 5, CLEAR, 0.1, -0.2)


def test_dice_without_a_face_count_neither_way_and_others_cannot_be_read() -> None:
    faces = [make_face(60, 60, 40, 2)]
    boxes = [
        LabelledBox(30, 30, 90, 90, OTHER),
        LabelledBox(300, 30, 360, 90, 4),
        LabelledBox(0, 200, 60, 260, UNKNOWN),
    ]
    assert [die[3:5] for die in place_dice(faces, boxes)] == [(OTHER, UNREADABLE), (4, IGNORED), (0, IGNORED)]


def test_dice_without_boxes_are_placed_only_where_all_values_fit() -> None:
    faces = [
        make_face(60, 60, 40, 2),
        make_face(70, 64, 38, 5, 0.2),
        make_face(200, 60, 40, 6),
        make_face(300, 90, 40, 1),
    ]
    faces[3] = replace(faces[3], state_probabilities=np.array([0.9, 0.1, 0, 0], np.float32))
    assert [die[3] for die in place_unboxed_dice(faces, (2, 6))] == [2, 6]
    assert place_unboxed_dice(faces, (2, 5)) == []


def test_scenes_hold_each_die_once_whole() -> None:
    image = np.zeros((600, 2000, 3), np.uint8)
    dice = [(100.0, 300.0, 40.0, 3, CLEAR, 0.0, 0.0), (1800.0, 300.0, 40.0, 5, CLEAR, 0.0, 0.0)]
    for die in dice:
        cv2.circle(image, (round(die[0]), round(die[1])), 8, (255, 255, 255), -1)
    parts = cut_windows(image, list(dice), [(100.0, 300.0, 40.0), (1000.0, 100.0, 30.0)])
    assert [[die[3] for die in part.dice] for part in parts] == [[3], [5]]
    for part in parts:
        x, y, edge, *_ = part.dice[0]
        assert part.image.shape == (SCENE_SIDE_PX, SCENE_SIDE_PX, 3)
        assert part.image[round(y), round(x)].min() > 200
        assert edge == pytest.approx(40 * SCENE_SIDE_PX / 480, rel=0.01)


def test_a_photograph_becomes_a_shard_that_training_reads(tmp_path: Path) -> None:
    image, truths, _ = render_scene(3)
    boxes = []
    for t in truths:
        half, value = t.edge / 2, t.value if t.state == CLEAR else UNKNOWN
        boxes.append(LabelledBox(t.x - half, t.y - half, t.x + half, t.y + half, value))
    cv2.imwrite(str(tmp_path / "a.png"), image)
    values = tuple(sorted(box.value for box in boxes if box.value > 0))
    one = Photograph(tmp_path / "a.png", "train", "x/y", "x/y", "MIT", values, tuple(boxes), "overhead")
    placed = [die for part in make_scenes(one, PACKAGED) for die in part.dice if die[4] == CLEAR]
    assert {die[3] for die in placed} <= set(values)
    assert placed
    write_group(("x/y", 7, [one], tmp_path / "out", PACKAGED))
    shards = SceneShards({tmp_path / "out" / "x_y": 1.0})
    assert len(shards)
    assert all(shards[i].is_photograph for i in range(len(shards)))
    assert "photograph" in json.loads((tmp_path / "out" / "x_y" / "000007.json").read_text())[0]


def test_a_varied_photograph_keeps_its_dice_where_they_are_seen() -> None:
    image = np.full((SCENE_SIDE_PX, SCENE_SIDE_PX, 3), 60, np.uint8)
    cv2.circle(image, (280, 150), 12, (230, 230, 230), -1)
    scene = Scene([(280.5, 150.5, 60.0, 5, CLEAR, 0.1, 0.0)], [], [(280.5, 150.5, 60.0)], True)
    changed = 0
    for seed in range(60):
        varied, moved = vary_photograph(image.copy(), scene, np.random.default_rng(seed))
        again, _ = vary_photograph(image.copy(), scene, np.random.default_rng(seed))
        assert (varied == again).all()
        x, y, edge, value, *_ = moved.dice[0]
        grey = cv2.GaussianBlur(varied.mean(2), (0, 0), 4)
        around = grey[int(y) - 40 : int(y) + 40, int(x) - 40 : int(x) + 40]
        assert np.hypot(*(np.array(np.unravel_index(around.argmax(), around.shape)) - 40)) < 14, seed
        assert value == 5
        assert 0.6 * 60 < edge < 1.6 * 60
        assert moved.found[0][:2] == pytest.approx((x, y))
        changed += (varied != image).any()
    assert changed > 40


def test_faces_near_a_die_that_could_not_be_placed_have_no_label() -> None:
    dice = [(60.0, 60.0, 40.0, 2, CLEAR, 0.0, 0.0), (200.0, 60.0, 40.0, 4, IGNORED, 0.0, 0.0)]
    places = [(62, 58, 40), (60, 60, 12), (220, 66, 20), (320, 60, 40)]
    assert [label_face(make_face(*place, 1), dice) for place in places] == [1, 0, None, 0]


def test_a_reading_is_right_if_such_a_die_lies_there() -> None:
    boxes = (LabelledBox(0, 0, 40, 40, 3), LabelledBox(100, 0, 140, 40, 3))
    one = Photograph(Path("a"), "dice", "x", "x", "", (3, 3), boxes, "overhead")
    dice = [Die(3, (2, 2, 40, 40), 0.9), Die(3, (4, 4, 44, 44), 0.8), Die(3, (300, 0, 340, 40), 0.7)]
    assert [right for _, right in judge_dice(dice, one)] == [1, 0, 0]
    assert [right for _, right in judge_dice(dice, replace(one, boxes=()))] == [1, 1, 0]


def test_the_decision_of_a_source_is_fitted_without_it() -> None:
    """Dice are clear in two sources; in the third what is clear is scenery: only the others' fits suffer from it."""
    rng = np.random.default_rng(0)
    read = []
    for source, is_odd in (("a", False), ("b", False), ("c", True)):
        for number in range(12):
            faces = [make_face(60, 60, 40, 2, 0.02), make_face(260, 60, 40, 5, 0.9)]
            measures = rng.normal(0, 0.1, (2, len(FEATURES)))
            measures[:, FEATURES.index("face")] += (3, -3) if not is_odd else (-3, 3)
            one = Photograph(Path(f"{source}{number}"), "dice", source, source, "", (2,), (), "overhead")
            read.append(PhotographFaces(one, (120, 400), faces, measures))
    models, left_out = fit_all(read, [])
    assert set(left_out) == {"a", "b", "c"}
    assert left_out["c"]["weights"]["face"] > models["weights"]["face"] > left_out["a"]["weights"]["face"]
    assert parse_decision(models).slope == models["slope"]
    scenery = [(rng.normal(0, 0.1, len(FEATURES)).tolist(), 0) for _ in range(50)]
    assert fit_all(read, scenery)[0]["bias"] < models["bias"], "rendered scenery makes all less probable"


def test_rendered_scenes_of_the_decision_train_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    nets = Path("finder"), Path("reader")
    scenes = [(name, number) for name, number, _nets in list_scenes(nets)]
    assert Counter(name for name, _ in scenes) == {"scenes": 600, "small": 200, "traced": 75, "small_traced": 30}
    assert all(number < KINDS[name].first for name, number in scenes)

    class FakeReader:
        """Sees the top face of the first die, a side below it, and something far away."""

        def read_faces(self, _image: Image) -> list[FaceReading]:
            return [make_face(100, 100, 40, 2, 0.1), make_face(100, 138, 40, 2, 0.1), make_face(300, 300, 40, 2, 0.1)]

    truth = DieTruth(100, 100, 40, 2, CLEAR)
    monkeypatch.setattr(Kind, "render", lambda _kind, _number: (np.zeros((448, 448, 3), np.uint8), [truth], []))
    monkeypatch.setattr("train_dice.fit_decision._get_reader", lambda _nets: FakeReader())
    assert [label for _features, label in read_scene(("scenes", 1, nets))] == [1, 0, 0]
