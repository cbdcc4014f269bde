"""`companion see`: pictures named on the command line, as text and JSON."""

from __future__ import annotations

import json
import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.commands.see.readings import (
    ReadImage,
    add_view_notes,
    format_json,
    format_line,
    print_readings,
    read_each,
    read_sequences,
)
from companion.vision import onnx
from companion.vision.confidence_limits import MIN_PLAY_CONFIDENCE
from companion.vision.reading import Image, Reading
from companion.vision.table.single_images import ImageSequence, read_single_image
from tests.vision.lid.drawn_lid import DrawnLid
from tests.vision.watching import SURE, Table, TrueDice, TrueLid, make_die

THROW = [(3, 440.0, 140.0), (5, 520.0, 220.0)]


def save(path: Path, image: Image, *options: int) -> Path:
    assert cv2.imwrite(str(path), image, options)
    return path


@pytest.fixture
def picture() -> Image:
    return np.random.default_rng(3).integers(0, 256, (40, 60, 3), dtype=np.uint8)


@pytest.mark.parametrize("command", [["see"], ["see", "--sitting"], ["watch"]])
def test_damaged_network_ends_with_a_sentence(
    tmp_path: Path,
    picture: Image,
    command: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "companion" / "models").mkdir(parents=True)
    (tmp_path / "companion" / "models" / "dice_reader.onnx").write_bytes(b"")
    monkeypatch.setattr(onnx, "files", lambda package: tmp_path / "companion")
    (tmp_path / "pictures").mkdir()
    assert cv2.imwrite(str(tmp_path / "pictures" / "a.png"), picture)
    assert main([*command, str(tmp_path / "pictures")]) == 1
    error = capsys.readouterr().err
    assert "dice_reader.onnx is missing or damaged: install the companion again" in error
    assert "Traceback" not in error


def read(table: Table) -> Reading:
    return read_single_image(table.draw(), TrueDice(table), TrueLid(table))


def test_reading_as_json() -> None:
    line = format_json(Path("d/f.jpg"), read(Table(dice=list(THROW))))
    assert "\n" not in line
    seen = json.loads(line)
    assert list(seen) == ["file", "dice", "lid", "ms"]
    assert seen["file"] == "d/f.jpg"
    assert seen["dice"][0] == {"value": 3, "box": [428.0, 128.0, 452.0, 152.0], "confidence": 0.97}
    assert list(seen["lid"]) == ["corners", "arrow", "mirrored", "windows"]
    assert len(seen["lid"]["corners"]) == 4
    assert seen["lid"]["windows"][1] == {"center": [135.0, 95.0], "covered": True, "number": 2, "confidence": 0.97}
    assert len(seen["lid"]["windows"]) == 12
    assert seen["ms"] >= 0


def test_without_a_lid_it_is_null() -> None:
    assert json.loads(format_json(Path("f"), read(Table(lid_there=False))))["lid"] is None


def test_confidence_is_never_rounded_up() -> None:
    reading = Reading((make_die(3, 50, 50, MIN_PLAY_CONFIDENCE - 1e-6),))
    assert json.loads(format_json(Path("f"), reading))["dice"][0]["confidence"] < MIN_PLAY_CONFIDENCE


def test_uncertain_values_have_a_question_mark() -> None:
    table = Table(dice=list(THROW), dice_confidence=0.5)
    assert "dice 3? 5?; 12 of 12 windows covered" in format_line(Path("f"), read(table))


def test_unreadable_file_is_reported_and_others_are_read(
    tmp_path: Path, picture: Image, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [tmp_path / "none.jpg", save(tmp_path / "a.png", picture)]
    status = print_readings(read_each(paths, lambda _: Reading()), format_json)
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert set(first) == {"file", "error"}
    assert second["dice"] == []
    assert status == 1


def test_file_name_that_is_no_text(tmp_path: Path, picture: Image, capsys: pytest.CaptureFixture[str]) -> None:
    path = save(tmp_path / "a.png", picture)
    odd = path.rename(Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.png")))
    assert print_readings(read_each([odd], lambda _: Reading()), format_line) == 0
    assert print_readings(read_each([odd], lambda _: Reading()), format_json) == 0
    assert "\ufffd.png: no dice" in capsys.readouterr().out


def test_each_folder_is_a_sequence(tmp_path: Path, picture: Image) -> None:
    eyes: list[list[Image]] = []

    def new_eye() -> ReadImage:
        frames: list[Image] = []
        eyes.append(frames)

        def eye(image: Image) -> Reading:
            frames.append(image)
            return Reading()

        return eye

    for folder in ("s1", "s2"):
        (tmp_path / folder).mkdir()
        for name in ("f0.png", "f1.png", "f2.png"):
            save(tmp_path / folder / name, picture)
    list(read_sequences([tmp_path / "s1", tmp_path / "s2" / "f1.png"], new_eye))
    assert [len(frames) for frames in eyes] == [3, 1]


def test_view_problems_are_printed(tmp_path: Path) -> None:
    dark = save(tmp_path / "a.png", np.full((40, 60, 3), 30, np.uint8))
    ((_, seen),) = read_each([dark], add_view_notes(lambda _: Reading()))
    assert "no dice; too dark; " in format_line(dark, seen)


def test_cut_off_lid_is_printed(tmp_path: Path) -> None:
    image, _ = DrawnLid("grid").draw(shift=(-420.0, 0.0))
    path = save(tmp_path / "a.png", image)
    ((_, seen),) = read_each([path], add_view_notes(lambda _: Reading()))
    assert "lid cut off" in format_line(path, seen)


# a sitting


def test_a_single_die_is_not_certain_where_two_are_played() -> None:
    table = Table(dice=THROW[:1])
    sitting = ImageSequence(TrueDice(table), TrueLid(table))
    for frame in range(2):
        reading = sitting.read_next(table.draw(frame))
        assert reading.dice[0].confidence < MIN_PLAY_CONFIDENCE
        assert reading.notes


def test_dice_like_objects_are_ignored_beside_two_certain_dice() -> None:
    table = Table(dice=list(THROW))
    reader = TrueDice(table)
    resembling = (*reader.read(table.draw()), make_die(6, 620, 40, 0.4))
    reader.script = [resembling, resembling]
    sitting = ImageSequence(reader, TrueLid(table))
    for frame in range(2):
        assert [d.value for d in sitting.read_next(table.draw(frame)).dice] == [3, 5]


@pytest.mark.parametrize(("confidence", "kept"), [(0.5, []), (SURE, [4])])
def test_a_tag_beside_the_lid_is_no_die_but_a_sure_die_is(confidence: float, kept: list[int]) -> None:
    table = Table()
    reader = TrueDice(table)
    reader.script = [(make_die(4, 290, 100, confidence), make_die(2, 100, 100))]
    assert [d.value for d in read_single_image(table.draw(), reader, TrueLid(table)).dice] == kept
