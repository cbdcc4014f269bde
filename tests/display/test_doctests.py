"""Doctests of the display; text layout, ranking, key widths, rectified windows."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import display
from companion.display.scenes.macroscope.lid import rectify_windows
from companion.display.scenes.result import rank_players
from companion.display.toolkit.text import FontCache, Typeface
from companion.display.widgets.soft_keys import _share_width
from companion.gallery.macroscope import build_samples
from companion.vision.lid.reader import rectify_lid
from companion.vision.reading import Lid, LidWindow

SAMPLES = build_samples()
TYPE = FontCache()
MODULES = [m.name for m in pkgutil.walk_packages(display.__path__, "companion.display.")]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_the_docstrings_are_true(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@given(st.text(max_size=60), st.integers(20, 600), st.integers(10, 120), st.integers(1, 4))
def test_text_never_leaves_its_box_in_width(text: str, width: int, height: int, lines: int) -> None:
    found = TYPE.fit_text(text, Typeface.TEXT, 40, 12, (width, height), lines)
    assert found.width <= width
    assert len(found.lines) <= lines
    assert 12 <= found.em_px <= 40


def test_text_shrinks_then_wraps_then_is_cut() -> None:
    words = "take a second token"

    def fit(width: int) -> tuple[int, tuple[str, ...]]:
        found = TYPE.fit_text(words, Typeface.TEXT, 40, 20, (width, 100), 2)
        return found.em_px, found.lines

    assert fit(600) == (40, (words,))
    size, lines = fit(330)
    assert size < 40
    assert lines == (words,)
    assert len(fit(200)[1]) == 2
    assert fit(60)[1][-1].endswith("…")


@given(st.lists(st.integers(20, 200), max_size=10))
def test_slots_fill_the_row_and_give_what_is_needed(needs: list[int]) -> None:
    room = 780
    shares = _share_width(needs, room)
    assert sum(shares) <= room
    assert min(shares) > 0
    if sum(needs) <= room:
        assert all(share >= need for share, need in zip(shares, needs, strict=True))


def test_slots_are_equal_where_that_is_enough() -> None:
    assert _share_width([30] * 10, 780) == [78] * 10


def test_equal_scores_share_a_rank() -> None:
    shown = replace(SAMPLES["result"], scores=(5, 9, 9, 1, 5, 0))
    assert [(rank, player.seat, score) for rank, player, score in rank_players(shown)] == [
        (1, 1, 9),
        (1, 2, 9),
        (3, 0, 5),
        (3, 4, 5),
        (5, 3, 1),
        (6, 5, 0),
    ]


@pytest.mark.parametrize(
    "corners",
    [
        ((100.0, 80.0), (420.0, 60.0), (450.0, 300.0), (90.0, 290.0)),
        ((420.0, 60.0), (450.0, 300.0), (90.0, 290.0), (100.0, 80.0)),
    ],
)
def test_windows_are_placed_as_vision_turns_them(corners: tuple[tuple[float, float], ...]) -> None:
    image = np.zeros((360, 640, 3), np.uint8)
    spots = [(200.0, 150.0), (300.0, 200.0), (350.0, 120.0)]
    for x, y in spots:
        cv2.circle(image, (round(x), round(y)), 6, (255, 255, 255), -1)
    one, two, three, four = corners
    lid = Lid((one, two, three, four), None, tuple(LidWindow(s, 6.0, True, 1, 1.0) for s in spots))
    picture = rectify_lid(image, lid)
    found = rectify_windows(lid, (picture.shape[1], picture.shape[0]))
    assert len(found) == 3
    for spot in found:
        x, y = spot.center
        assert picture[round(y), round(x), 0] > 200
