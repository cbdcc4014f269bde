"""The podium: distances, who stands below it, and confetti that keeps off the words."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest

from companion.api import Outcome, Seat
from companion.display.toolkit import Canvas
from companion.display.widgets.podium import Podium, draw_confetti, draw_podium, plan_podium
from companion.events import SEAT_BUTTONS
from companion.screen_state import Player, ScreenKind, ScreenState
from companion.testing.screens import format_corner

NAMES = ("Ada", "Bob", "Gregory", "Maximilianna", "Zoë", "Peggy")
BODIES = ((784, 220), (392, 220), (464, 330), (1880, 500))
"""Width and height of places for a podium, in pixels: wide, beside a chart, upright, and large."""


def plan(*scores: int) -> Podium:
    players = tuple(Player(Seat(i), name, SEAT_BUTTONS[i]) for i, name in enumerate(NAMES[: len(scores)]))
    state = ScreenState(ScreenKind.RESULT, players=players, scores=scores)
    return plan_podium(replace(state, outcome=Outcome((Seat(scores.index(max(scores))),), "")))


def draw(body: tuple[int, int], podium: Podium, confetti: float = 0.0) -> Canvas:
    """Return a canvas with the podium in its middle, and confetti that has fallen so far."""
    canvas = Canvas((1920, 1080) if body[0] > 1000 else (480, 800) if body[1] > 300 else (800, 480))
    rect = pygame.Rect((0, 0), body)
    rect.center = canvas.surface.get_rect().center

    def paint() -> None:
        draw_confetti(canvas, rect, podium, confetti, draw_podium(canvas, rect, podium))

    with canvas.frame():
        canvas.draw_region("podium", rect, confetti, paint)
    return canvas


def pixels(canvas: Canvas, rect: pygame.Rect) -> bytes:
    return pygame.image.tobytes(canvas.surface.subsurface(rect.clip(canvas.surface.get_rect())), "RGB")


@pytest.mark.parametrize("body", BODIES, ids=format_corner)
@pytest.mark.parametrize("scores", [(20, 10), (33, 22, 0), (15, 9, 7, 0), (40, 34, 33, 29, 29, 23)], ids=len)
def test_confetti_lies_on_no_word_and_is_nowhere_cut(body: tuple[int, int], scores: tuple[int, ...]) -> None:
    podium = plan(*scores)
    before = draw(body, podium)
    rect = before.regions["podium"].rect
    edges = [pygame.Rect(x, rect.top, 1, rect.h) for x in (rect.left, rect.right - 1)]
    edges += [pygame.Rect(rect.left, y, rect.w, 1) for y in (rect.top, rect.bottom - 1)]
    for part in (0.15, 0.25, 0.4):
        after = draw(body, podium, part)
        assert pixels(after, rect) != pixels(before, rect), "there is some"
        for place in (*(text.ink_rect for text in before.drawn_texts()), *edges):
            assert pixels(after, place) == pixels(before, place)


@pytest.mark.parametrize("body", BODIES, ids=format_corner)
@pytest.mark.parametrize("scores", [(20, 10), (33, 22, 0), (33, 32, 31), (9, 9, 7, 0), (40, 34, 33, 29, 23)], ids=str)
def test_all_steps_say_how_far_they_are_behind_or_none(body: tuple[int, int], scores: tuple[int, ...]) -> None:
    podium = plan(*scores)
    texts = [text.text for text in draw(body, podium).drawn_texts()]
    behind = [f"{step.distance} behind" for step in podium.steps if step.rank > 1 and step.distance]
    assert [text for text in texts if "behind" in text] in ([], behind)


def test_low_steps_have_the_distance_beside_the_score() -> None:
    texts = {text.text: text.ink_rect for text in draw((784, 220), plan(33, 22, 0)).drawn_texts()}
    assert texts["33 behind"].left > texts["0"].right
    assert abs(texts["33 behind"].bottom - texts["0"].bottom) < texts["0"].h


@pytest.mark.parametrize("body", BODIES, ids=format_corner)
def test_who_stands_below_the_podium_has_the_score_beside_the_name(body: tuple[int, int]) -> None:
    canvas = draw(body, plan(15, 9, 7, 0))
    texts = {text.text: text.ink_rect for text in canvas.drawn_texts()}
    assert 0 < texts["0"].left - texts["Maximilianna"].right < canvas.px(10)
