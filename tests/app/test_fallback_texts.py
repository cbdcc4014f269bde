"""The texts that stand on the screen while a scene fails."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pygame
import pytest

from companion.app.resilient_window import draw_fallback
from companion.display.toolkit.preferences import DisplayPreferences
from companion.events import Button
from companion.screen_state import ScreenKind, ScreenState, SoftKey
from tests.app.test_resilient_window import PLAYED, SIZE


@pytest.fixture
def surface() -> pygame.Surface:
    return pygame.Surface(SIZE)


class Drawn:
    """Records the states that are drawn as texts."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.states: list[ScreenState] = []
        patch.setattr(
            "companion.display.scenes.text_lines.TextLinesScene.draw",
            lambda _scene, _canvas, state: self.states.append(state),
        )


@pytest.mark.parametrize(
    ("state", "kind", "details"),
    [
        (PLAYED, ScreenKind.WAITING, ("Ada: roll the dice",)),
        (replace(PLAYED, last_move="Ben took 4"), ScreenKind.WAITING, ("Ada: roll the dice", "Ben took 4")),
        (replace(PLAYED, details=("Easy variant",)), ScreenKind.WAITING, ("Easy variant",)),
        (replace(PLAYED, kind=ScreenKind.RESULT), ScreenKind.RESULT, ("Ada: roll the dice",)),
    ],
    ids=["prompt", "last move", "details of its own", "result"],
)
def test_the_texts_are_those_of_the_state(
    surface: pygame.Surface,
    monkeypatch: pytest.MonkeyPatch,
    state: ScreenState,
    kind: ScreenKind,
    details: tuple[str, ...],
) -> None:
    drawn = Drawn(monkeypatch)
    draw_fallback(surface, state, DisplayPreferences())
    (shown,) = drawn.states
    assert (shown.kind, shown.details, shown.view) == (kind, details, None)
    assert "picture failed" in (shown.notice or "")


def find_text_lines(surface: pygame.Surface) -> list[int]:
    """Return the height of each line of text on black, from above; the margins must be black."""
    ink = pygame.surfarray.array3d(surface).any(axis=2)
    assert not ink[:8].any()
    assert not ink[:, :8].any()
    rows = ink.any(axis=0)
    starts = np.flatnonzero(rows[1:] & ~rows[:-1])
    ends = np.flatnonzero(~rows[1:] & rows[:-1])
    return [int(end - start) for start, end in zip(starts, ends, strict=True)]


def test_the_texts_without_a_layout_stand_below_each_other_on_black(
    surface: pygame.Surface, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_scene(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("companion.display.scenes.text_lines.TextLinesScene.draw", break_scene)
    surface.fill("magenta")
    keys = (SoftKey(Button.OK, "HELD"), SoftKey(Button.NO, ""), SoftKey(Button.PLUS, "MORE"))
    draw_fallback(surface, replace(PLAYED, prompt="ADA", soft_keys=keys), DisplayPreferences())
    heights = find_text_lines(surface)
    assert len(heights) == 3, "the prompt and both keys with a label"
    assert all(SIZE[1] / 60 < height < SIZE[1] / 18 for height in heights)
    assert len(set(map(tuple, pygame.surfarray.array3d(surface).reshape(-1, 3)))) > 2, "with smooth edges"
