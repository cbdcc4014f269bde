"""`--draw`: copies of pictures on which is drawn what was read.

What is printed: test_command.py.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from companion.cli import main
from companion.commands.see.drawing import SURE_BGR, UNSURE_BGR, draw_reading, save_drawing
from companion.vision.frames.image_io import load_image
from companion.vision.reading import Die, Lid, LidWindow, Reading

GREY = np.full((300, 400, 3), 128, np.uint8)
WINDOWS = tuple(LidWindow((40.0 + 25 * i, 200.0), 10.0, i != 3, None if i == 3 else 1 + i % 6, 0.99) for i in range(12))
LID = Lid(((20, 180), (340, 180), (340, 220), (20, 220)), None, WINDOWS)


def count(image: np.ndarray, colour: tuple[int, int, int]) -> int:
    return int((np.abs(image.astype(int) - colour).sum(axis=2) < 30).sum())


def test_what_is_certain_is_green_and_what_is_asked_about_orange() -> None:
    sure = draw_reading(GREY, Reading(dice=(Die(5, (100, 80, 140, 120), 0.99),)))
    unsure = draw_reading(GREY, Reading(dice=(Die(5, (100, 80, 140, 120), 0.5),)))
    assert tuple(sure[80, 120]) == SURE_BGR
    assert tuple(unsure[80, 120]) == UNSURE_BGR
    assert count(sure, UNSURE_BGR) == count(unsure, SURE_BGR) == 0
    assert (GREY == 128).all(), "the picture itself is left alone"


def test_an_open_window_has_a_circle_without_a_number() -> None:
    drawn = draw_reading(GREY, Reading(lid=LID))
    assert count(drawn[:, 100:130], SURE_BGR) < count(drawn[:, 75:105], SURE_BGR)


def test_drawings_of_one_name_stand_beside_each_other(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    names = [save_drawing(GREY, Reading(), folder, "photo").name for _ in range(2)]
    assert names == ["photo.jpg", "photo-2.jpg"]
    assert load_image(folder / "photo.jpg").shape == GREY.shape


def test_see_draws_what_it_prints(tmp_path: Path) -> None:
    picture = save_drawing(GREY, Reading(), tmp_path, "empty")
    assert main(["see", str(picture), "--draw", str(tmp_path / "read")]) == 0
    assert [each.name for each in (tmp_path / "read").iterdir()] == ["empty.jpg"]
    picture.with_name("file").touch()
    assert main(["see", str(picture), "--draw", str(picture.with_name("file"))]) == 1
