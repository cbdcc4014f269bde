"""The camera's picture, small and enlarged, and the marks on it; the Macroscope in every language."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest

from companion.display import Screen
from companion.display.toolkit import Canvas
from companion.display.toolkit.preferences import DisplayPreferences
from companion.display.toolkit.theme import contrast_ratio
from companion.display.widgets.camera_panel import (
    LIGHT_RGB,
    choose_rows,
    locate_spots,
)
from companion.display.widgets.camera_status import PROBLEM_LABELS, STATE_LABELS, can_read_table, has_visible_obstacle
from companion.events import Button, CameraState
from companion.gallery.camera_views import STEADY_VIEW, TABLE_READING, list_view_problems
from companion.games.macroscope.samples import build_samples
from companion.i18n import LANGUAGES
from companion.screen_state import CameraView, EnlargedPicture, PictureMark
from companion.testing.screens import (
    SampleStates,
    build_states,
    check_screen,
    draw_screen,
    draw_texts,
)
from companion.vision.reading import Image, ProblemKind, ViewProblem

SIZE = (800, 480)
SAMPLES = SampleStates(build_samples)
STAGE = (400, 180)
"""A place on the stage at that size."""


VIEWS = ("view_no_dice", "view_dark", "view_bright", "view_mirr")
"""The samples in which a picture would say no more than the status line."""


def test_the_picture_says_whose_turn_it_is() -> None:
    for name in SAMPLES:
        if not name.startswith("view_") or name.startswith(VIEWS):
            continue
        for player in SAMPLES[name].players:
            shown = replace(SAMPLES[name], addressed=player.seat, notice="The lid is cut off")
            texts = [drawn.text for drawn in draw_texts(shown, SIZE)]
            assert [other.name for other in shown.players if other.name in texts] == [player.name], name


def test_the_game_stays_on_the_stage_where_a_picture_says_no_more() -> None:
    for name in SAMPLES:
        if not name.startswith(VIEWS):
            continue
        shown = SAMPLES[name]
        texts = [drawn.text for drawn in draw_texts(shown, SIZE)]
        assert {shown.notice, shown.prompt.partition(": ")[2].capitalize(), str(shown.view.guess_value)} <= set(texts)
        assert {str(score) for score in shown.scores} <= set(texts), name
        assert "Enter roll" in [key.label for key in shown.soft_keys], "they can enter it all the same"
        reads_them = "The camera reads them: no key" in texts
        assert reads_them is name.startswith("view_no_dice"), "else it cannot now"


@pytest.mark.parametrize("problem", list_view_problems(), ids=lambda problem: problem.kind.name)
def test_a_picture_takes_the_stage_only_if_it_shows_an_obstacle(problem: ViewProblem) -> None:
    has_place = problem.kind not in {ProblemKind.DARK, ProblemKind.BRIGHT, ProblemKind.MIRRORED}
    is_obstacle = has_place and problem.kind is not ProblemKind.NO_DICE
    assert has_visible_obstacle(replace(STEADY_VIEW, problem=problem)) is is_obstacle
    assert not has_visible_obstacle(CameraView(CameraState.STEADY, None, None, problem)), "there is no picture"
    assert has_visible_obstacle(replace(STEADY_VIEW, state=CameraState.UNSURE, problem=problem)) is has_place
    assert not has_visible_obstacle(replace(STEADY_VIEW, state=CameraState.BLIND, problem=problem)), "a black picture"
    assert can_read_table(replace(STEADY_VIEW, problem=problem)) is (problem.kind is ProblemKind.NO_DICE)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("size", [SIZE, (480, 800)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_every_word_of_the_camera_has_room(size: tuple[int, int], code: str) -> None:
    roll = build_states(build_samples, code)["roll"]
    for state in CameraState:
        check_screen(replace(roll, camera_view=CameraView(state)), size, code, note=str(state))
    for problem in list_view_problems():
        check_screen(replace(roll, camera_view=replace(STEADY_VIEW, problem=problem)), size, code, note=problem.kind)


def test_every_state_and_problem_has_a_label() -> None:
    assert set(STATE_LABELS) == set(CameraState)
    assert len({word for word, _sign, _colour in STATE_LABELS.values()} | set(PROBLEM_LABELS.values())) == len(
        STATE_LABELS
    ) + len(PROBLEM_LABELS)


def test_a_touch_on_the_stage_presses_what_enlarges_it_and_on_the_large_picture_what_closes_it() -> None:
    screen = Screen(SIZE)
    for name in ("roll", "asking", "cover"):
        screen.render(SAMPLES[name])
        assert screen.button_at(STAGE) is SAMPLES[name].enlarge_button
    assert SAMPLES["asking"].enlarge_button is not None
    assert SAMPLES["cover"].enlarge_button is None
    screen.render(SAMPLES["picture"])
    assert screen.button_at((400, 200)) is Button.NO


def test_the_value_that_is_put_right_is_large_and_what_becomes_is_said() -> None:
    texts = draw_texts(SAMPLES["picture_changed"], SIZE)
    assert "OK: 2 becomes 3" in [text.text for text in texts]
    assert max(text.em_px for text in texts if text.text == "3") >= 43


def test_marks_lie_where_the_camera_sees_them() -> None:
    spots = (
        PictureMark("die", 5, 6, True),
        PictureMark("die", 2, 2),
        PictureMark("token", 3, 4, window=4),
        PictureMark("token", 3, 3),
    )
    found = dict(locate_spots(TABLE_READING, spots))
    assert found[spots[0]] == TABLE_READING.dice[1].box
    assert found[spots[1]] == TABLE_READING.dice[0].box
    lid = TABLE_READING.lid
    x, y = lid.windows[4].center
    assert found[spots[2]] == (x - 28, y - 28, x + 28, y + 28)
    assert spots[3] not in found  # nobody saw where it was taken


def test_what_is_chosen_is_ringed_and_another_choice_moves_the_ring() -> None:
    first = SAMPLES["picture_rolled"]
    marks = tuple(replace(mark, selected=not mark.selected) for mark in first.enlarged.marks)
    second = replace(first, enlarged=EnlargedPicture(marks))
    before, after = Screen(SIZE).render(first), Screen(SIZE).render(second)
    bright = [
        sum(picture.get_at((x, y))[:3] == LIGHT_RGB for x in range(460, 700) for y in range(100, 330))
        for picture in (before, after)
    ]
    assert min(bright) > 100
    assert pixels(before) != pixels(after)


def test_no_large_picture_is_no_error() -> None:
    blind = replace(SAMPLES["picture"], camera_view=CameraView(CameraState.BLIND))
    assert "No picture" in [text.text for text in draw_texts(blind, SIZE)]
    check_screen(blind, SIZE)


def pixels(surface: pygame.Surface) -> bytes:
    return bytes(surface.get_buffer().raw)


def test_marks_on_a_picture_stand_out_in_every_palette() -> None:
    """The marks have the same colours in all palettes, since the picture does not change."""
    assert contrast_ratio(LIGHT_RGB, (0, 0, 0)) > 15
    dark, light = (Screen(SIZE, DisplayPreferences(palette)) for palette in ("dark", "light"))
    found = [screen.render(SAMPLES["picture"]) for screen in (dark, light)]
    lids = [picture.subsurface((60, 60, 200, 200)).copy() for picture in found]
    assert pixels(lids[0]) == pixels(lids[1])


@pytest.mark.parametrize("size", [SIZE, (1920, 1080)], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", ["view_blurred_3", "view_glare_7", "picture", "picture_nothing"])
def test_the_large_picture_takes_seven_tenths_of_the_width(
    name: str, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[pygame.Rect] = []
    draw_image = Canvas.draw_image

    def note(canvas: Canvas, image: Image, rect: pygame.Rect, rows: tuple[int, int] | None = None) -> pygame.Rect:
        drawn.append(draw_image(canvas, image, rect, rows))
        return drawn[-1]

    monkeypatch.setattr(Canvas, "draw_image", note)
    Screen(size).render(SAMPLES[name])
    assert max(rect.w for rect in drawn) >= size[0] * 0.7 - 1


def test_rows_with_readings_are_never_cut_off() -> None:
    picture = STEADY_VIEW.picture
    height, width = picture.shape[:2]
    assert choose_rows(STEADY_VIEW, picture, (width, height), width) == (0, height)
    top, bottom = choose_rows(STEADY_VIEW, picture, (width, height // 4), width)
    lid = TABLE_READING.lid
    rows = [y for _x, y in lid.corners] + [y for die in TABLE_READING.dice for y in die.box[1::2]]
    assert 0 <= top < min(rows)
    assert max(rows) < bottom <= height
    nothing = CameraView(CameraState.UNSURE, None, picture)
    assert choose_rows(nothing, picture, (width, height // 2), width) == (height // 4, height // 4 + height // 2)


@pytest.mark.parametrize("name", ["view_blurred_3", "view_far_5", "view_glare_7"])
def test_what_is_wrong_with_the_view_stands_in_the_header_beside_the_name(name: str) -> None:
    drawn = draw_screen(SAMPLES[name], SIZE)
    words = " ".join(text.text for text in drawn.regions["header"].texts)
    assert words == f"Wilhelmina {SAMPLES[name].notice}"
    assert not [text for text in drawn.regions["camera"].texts if len(text.text) > 1], "only values"


def test_the_sign_of_a_problem_covers_no_value(monkeypatch: pytest.MonkeyPatch) -> None:
    discs: list[pygame.Rect] = []
    draw_disc = Canvas.draw_disc
    monkeypatch.setattr(Canvas, "draw_disc", lambda *args: discs.append(draw_disc(*args)) or discs[-1])
    screen = Screen(SIZE)
    screen.render(SAMPLES["view_far_5"])
    values = [text.ink_rect for text in screen.canvas.regions["camera"].texts]
    assert values
    assert discs[-1].collidelist(values) < 0
