"""Text layout and ranking."""

from __future__ import annotations

import pygame
from hypothesis import given
from hypothesis import strategies as st

from companion.display.toolkit.text import FontCache, Typeface
from companion.games.macroscope.samples import build_samples
from companion.testing.screens import SampleStates

SAMPLES = SampleStates(build_samples)
TYPE = FontCache()
SIZES = (40, 28, 20)


@given(st.text(max_size=60), st.integers(20, 600), st.integers(10, 120), st.integers(1, 4))
def test_text_never_leaves_its_box_in_width(text: str, width: int, height: int, lines: int) -> None:
    found = TYPE.fit_text(text, Typeface.TEXT, SIZES, (width, height), lines)
    assert found.width <= width
    assert len(found.lines) <= lines
    assert found.em_px in SIZES


def test_text_takes_the_largest_size_then_more_lines_then_is_cut() -> None:
    words = "take a second token"

    def fit(width: int, lines: int = 2) -> tuple[int, int]:
        found = TYPE.fit_text(words, Typeface.TEXT, SIZES, (width, 100), lines)
        return found.em_px, len(found.lines)

    assert fit(600) == (40, 1)
    assert fit(330) == (40, 2), "a larger size on two lines comes before a smaller one on one"
    assert fit(330, lines=1) == (28, 1)
    assert fit(120) == (20, 2)
    assert TYPE.fit_text(words, Typeface.TEXT, SIZES, (60, 100), 2).lines[-1].endswith("…")


def test_figures_have_one_width_in_columns_and_clocks() -> None:
    assert len({TYPE.measure_width(str(digit), Typeface.TABULAR, 100) for digit in range(10)}) == 1


def test_figures_of_the_stage_are_kerned() -> None:
    usual, tabular = (TYPE.measure_width("11", face, 200) for face in (Typeface.DISPLAY, Typeface.TABULAR))
    assert usual < 0.9 * tabular
    ink = TYPE.render_line("11", Typeface.DISPLAY, 200, (255, 255, 255)).surface
    columns = pygame.surfarray.array_alpha(ink).max(axis=1) > 100
    assert 0 < (~columns).sum() <= 0.05 * 200, "the gap between the ones"
