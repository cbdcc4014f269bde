"""The help: its pages on the screen."""

from __future__ import annotations

from typing import Any

import pygame
import pytest

from companion.display import Screen
from companion.display.toolkit import Canvas
from companion.screen_state import HelpView, ScreenKind, ScreenState
from companion.testing.screens import format_corner


@pytest.mark.parametrize("size", [(800, 480), (480, 800)], ids=format_corner)
@pytest.mark.parametrize("pages", [1, 2, 4])
def test_there_is_a_dot_for_each_of_several_pages(
    pages: int, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    dots: list[pygame.Rect] = []
    draw_disc = Canvas.draw_disc

    def spy(canvas: Canvas, *args: Any, **options: Any) -> pygame.Rect:
        rect = draw_disc(canvas, *args, **options)
        if heading.contains(rect):
            dots.append(rect)
        return rect

    screen, shown = Screen(size), ScreenState(ScreenKind.PLAY, title="Yacht", help=HelpView(0, pages))
    screen.render(shown)
    heading = screen.canvas.regions["header"].rect
    monkeypatch.setattr(Canvas, "draw_disc", spy)
    Screen(size).render(shown)
    assert len(dots) == (pages if pages > 1 else 0)
    assert len({dot.centery for dot in dots}) <= 1, "they stand side by side"
