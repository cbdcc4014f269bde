"""The scene of games with dice: dice within their place, figures, the sheet with what is on the keys."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from pygame import Rect

from companion.display.toolkit import Canvas
from companion.events import Button, CameraState
from companion.games.game_file.dice.samples import build_samples
from companion.games.game_file.display.dice import DiceGameScene
from companion.games.game_file.display.dice_table import draw_dice, place_dice
from companion.screen_state import CameraView, ScreenState


def list_texts(name: str, size: tuple[int, int] = (1920, 1080)) -> list[str]:
    return list_drawn(build_samples()[name], size)


def list_drawn(state: ScreenState, size: tuple[int, int] = (1920, 1080)) -> list[str]:
    canvas = Canvas(size)
    with canvas.frame():
        DiceGameScene().draw(canvas, state)
    return [drawn.text for drawn in canvas.drawn_texts()]


@pytest.mark.parametrize("place", [Rect(10, 20, 500, 200), Rect(0, 0, 200, 500), Rect(5, 5, 90, 40)])
@pytest.mark.parametrize("count", [1, 2, 5, 6, 7, 20, 40])
def test_dice_lie_apart_within_their_place(place: Rect, count: int) -> None:
    centres, size = place_dice(Canvas((800, 480)), place, count)
    boxes = []
    for centre in centres:
        boxes.append(Rect(0, 0, size, size))
        boxes[-1].center = centre
    assert len(boxes) == count
    assert all(place.contains(box) for box in boxes)
    assert all(box.collidelist(boxes[:i]) < 0 for i, box in enumerate(boxes))


def test_rows_are_equally_long() -> None:
    centres, _size = place_dice(Canvas((800, 480)), Rect(0, 0, 300, 200), 6)
    assert sorted([y for _x, y in centres].count(y) for y in {y for _x, y in centres}) == [3, 3]


@pytest.mark.parametrize(
    ("name", "figure", "caption"),
    [
        ("yacht_decide", "2", "throws left"),
        ("yacht_scored", "+24", "Wilhelmina: Sixes"),
        ("farkle_decide", "350", "2700 in all"),
        ("farkle_mark", "150", "2500 in all"),
        ("farkle_lost", "0", "Wilhelmina: 200 lost"),
        ("farkle_first", "350", "500 needed to get on the board"),
        ("ten_thousand_needed", "100", "350 needed to score"),
        ("pig_start", "100", "points to reach"),
        ("bunco_scored", "16", "of 21 points"),
    ],
)
def test_figure_beside_the_dice(name: str, figure: str, caption: str) -> None:
    texts = list_texts(name)
    assert texts.count(figure) >= 1
    assert caption in " ".join(texts)


@pytest.mark.parametrize(("thrown", "caption"), [(1, "throws left"), (2, "throw left")])
def test_one_throw_is_left(thrown: int, caption: str) -> None:
    state = build_samples()["yacht_decide"]
    assert caption in list_drawn(replace(state, view=replace(state.view, throw_count=thrown)))


@pytest.mark.parametrize(
    ("name", "heading"),
    [
        ("farkle_decide", "Possible this turn"),
        ("farkle_mark", "Possible this turn"),
        ("farkle_again", "Possible this turn"),
        ("farkle_hot", "This turn"),
        ("pig_throw", "This turn"),
        ("farkle_lost", None),
        ("yacht_decide", None),
        ("pig_start", None),
    ],
)
def test_points_of_a_turn_are_headed_as_made_or_as_possible(name: str, heading: str | None) -> None:
    assert [text for text in list_texts(name) if "this turn" in text.lower()] == ([heading] if heading else [])


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("farkle_decide", "Three alike: 200 · One: 100 · Five: 50"),
        ("farkle_mark", "One: 100 · Five: 50"),
        ("farkle_second", "One: 100"),
        ("farkle_again", "Three alike: 200 · One: 100 · Five: 50"),
        ("ten_thousand_must", "Run of six: 2000"),
        ("farkle_hot", None),
    ],
)
def test_combinations_of_possible_points_are_named(name: str, words: str | None) -> None:
    assert [text for text in list_texts(name) if re.search(r"(alike|One|Five|Run of six): ", text)] == (
        [words] if words else []
    )


def test_combinations_of_the_same_kind_are_counted() -> None:
    view = replace(build_samples()["farkle_decide"].view, table=(1, 5, 1, 3, 3, 3))
    state = replace(build_samples()["farkle_decide"], view=view)
    assert "Three alike: 300 · One: 2 × 100 · Five: 50" in list_drawn(state)


def test_sheet_shows_what_each_open_box_would_bring() -> None:
    texts = list_texts("yacht_choose")
    assert "Full house" in texts
    assert {"+24", "+28", "25", "106"} <= set(texts)


def test_picture_is_shown_while_a_throw_cannot_be_read() -> None:
    scene, state = DiceGameScene(), build_samples()["yacht_throw_camera"]
    seen = replace(
        state, uses_camera=True, camera_view=CameraView(CameraState.UNSURE, None, np.zeros((9, 16, 3), np.uint8))
    )
    assert scene.needs_picture(seen)
    blind = replace(seen.camera_view, state=CameraState.BLIND)
    assert not scene.needs_picture(replace(seen, camera_view=blind)), "a black picture shows nothing"
    assert not scene.needs_picture(replace(seen, entered_numbers=(1,)))
    assert not scene.needs_picture(replace(seen, camera_view=CameraView(CameraState.STEADY)))
    assert not scene.needs_picture(replace(seen, view=build_samples()["yacht_choose"].view))


@pytest.mark.parametrize(("tumble", "is_readable"), [(0.0, False), (0.7, False), (0.8, True), (1.0, True)])
def test_dice_show_no_value_until_they_show_the_one_that_was_thrown(
    monkeypatch: pytest.MonkeyPatch, tumble: float, is_readable: bool
) -> None:
    drawn: list[int | None] = []
    canvas = Canvas((800, 480))
    monkeypatch.setattr(canvas, "draw_die", lambda value, *_, **__: drawn.append(value))
    draw_dice(canvas, Rect(0, 0, 400, 300), (3, 6), tumble=tumble)
    assert drawn == ([3, 6] if is_readable else [])


def test_a_box_on_a_number_key_can_be_touched() -> None:
    state = build_samples()["yacht_choose"]
    canvas = Canvas((1280, 720))
    with canvas.frame():
        DiceGameScene().draw(canvas, state)
    touched = [button for region in canvas.regions.values() for _area, button in region.touch_areas]
    assert {Button.SEAT1, Button.SEAT2, Button.SEAT3} <= {*touched}
