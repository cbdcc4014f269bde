"""The Macroscope's stage: movements end, and the dominant figure is large."""

from dataclasses import replace

import pygame
import pytest

from companion.display import Screen
from companion.display.scenes.macroscope.lid import NUMBER_UNKNOWN, list_places
from companion.events import CameraState
from companion.gallery.fixtures import TABLE_READING
from companion.gallery.macroscope import build_samples
from companion.screen_state import CameraView, RunningClock, ScreenState

SIZE = (800, 480)
SAMPLES = build_samples()


class Clock:
    """A clock that is set by hand, in seconds."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def draw(screen: Screen, surface: pygame.Surface, state: ScreenState) -> bytes:
    screen.draw(surface, state)
    return bytes(pygame.image.tobytes(surface, "RGB"))


@pytest.mark.parametrize("name", ["open_scheme", "open_picture", "roll_first"])
def test_dice_tumble_for_a_finite_time(name: str) -> None:
    clock = Clock()
    screen, surface = Screen(SIZE, monotonic=clock), pygame.Surface(SIZE)
    first = draw(screen, surface, SAMPLES[name])
    clock.now = 0.3
    assert draw(screen, surface, SAMPLES[name]) != first
    assert screen.is_animating
    clock.now = 3.0
    last = draw(screen, surface, SAMPLES[name])
    assert not screen.is_animating
    assert last == bytes(pygame.image.tobytes(Screen(SIZE).render(SAMPLES[name]), "RGB"))


def test_dice_lie_still_before_the_roll_and_while_it_is_entered() -> None:
    entered = replace(SAMPLES["roll_entered"], camera_view=CameraView(CameraState.ROLLING))
    for state in (SAMPLES["roll"], entered):
        screen = Screen(SIZE, monotonic=Clock())
        draw(screen, pygame.Surface(SIZE), state)
        assert not screen.is_animating


@pytest.mark.parametrize("name", ["open_scheme", "asking", "called", "pick"])
@pytest.mark.parametrize("size", [SIZE, (1920, 1080)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_value_of_a_guess_is_more_than_a_quarter_of_the_height(name: str, size: tuple[int, int]) -> None:
    screen = Screen(size)
    screen.render(SAMPLES[name])
    figures = [text for text in screen.drawn_texts() if text.is_figure]
    assert [figure.text for figure in figures] == [str(SAMPLES[name].view.guess_value)]
    assert figures[0].ink_rect.h >= size[1] * 0.27


@pytest.mark.parametrize("name", ["roll", "open_scheme", "asking"])
def test_a_clock_is_the_dominant_figure_with_the_value_under_it(name: str) -> None:
    screen = Screen(SIZE)
    screen.render(replace(SAMPLES[name], clocks=(RunningClock("turn", 12.4, 30.0),)))
    texts = screen.drawn_texts()
    (figure,) = [text for text in texts if text.is_figure]
    assert figure.text == "0:13"
    assert figure.ink_rect.h >= SIZE[1] * 0.14
    assert str(SAMPLES[name].view.guess_value) in [text.text for text in texts if not text.is_figure]


def test_the_lid_shows_its_tokens_where_the_camera_sees_them() -> None:
    view = SAMPLES["asking"].view
    assert TABLE_READING.lid is not None
    first, second, third, *others = TABLE_READING.lid.windows
    hidden = replace(second, covered=None, number=None)
    windows = (replace(first, covered=True, number=6), hidden, replace(third, covered=False, number=None), *others)
    places = list_places(view, replace(TABLE_READING, lid=replace(TABLE_READING.lid, windows=windows)))
    assert places[:3] == (6, NUMBER_UNKNOWN, None)
    assert len(places) == 12


def test_without_a_camera_the_lid_shows_its_tokens_by_number() -> None:
    view = replace(SAMPLES["asking"].view, tokens=(2, 1, 0, 2, 2, 2))
    assert list_places(view, None) == (1, 1, 2, None, None, None, 4, 4, 5, 5, 6, 6)


def test_no_photograph_stands_on_the_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[object] = []
    screen = Screen(SIZE)
    monkeypatch.setattr(screen._canvas, "draw_image", lambda image, rect: drawn.append(image))
    for name in ("open_picture", "asking", "pick", "called"):
        assert SAMPLES[name].camera_view.picture is not None
        screen.render(SAMPLES[name])
    assert drawn == []
