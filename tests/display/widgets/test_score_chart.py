"""The chart of the scores round by round."""

from __future__ import annotations

from itertools import pairwise

import pytest
from pygame import Rect

from companion.display.toolkit.theme import BUTTON_COLOURS, DARK_PALETTE
from companion.display.widgets.score_chart import accumulate_scores, place_shapes, scale_values, spread_apart
from companion.testing.screens import get_screen
from tests.display.ended_games import SAMPLES_ENDED


def test_accumulated_scores_end_with_the_score() -> None:
    assert accumulate_scores(((2, 0, 1), (-1, 4, 1)), (11, 14, 2)) == ((10, 12, 11), (10, 10, 14), (0, 1, 2))


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-38, -2), (0, 1174), (-7, 9), (3, 4), (-1_000_000, 999_999)])
@pytest.mark.parametrize("most", [0, 1, 2, 4, 9])
def test_the_scale_has_few_round_numbers_within_the_values(low: int, high: int, most: int) -> None:
    marks = scale_values(low, high, most)
    assert all(low <= mark <= high for mark in marks)
    assert len(marks) <= max(1, most) + 1
    assert str(marks.step).rstrip("0") in {"1", "2", "5"}


@pytest.mark.parametrize("wanted", [[5] * 6, [0, 100, 50, 49, 51, 50], [100] * 6, [3, 1, 2], [7]])
def test_spread_apart_keeps_order_and_bounds(wanted: list[int]) -> None:
    found = spread_apart(wanted, 10, 0, 100)
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    steps = [found[b] - found[a] for a, b in pairwise(order)]
    assert all(step >= 9 for step in steps), "but for rounding"
    assert min(found) >= 0
    assert max(found) <= 100


@pytest.mark.parametrize(
    ("ends", "near"),
    [
        ([10, 80], [True, True]),
        ([10, 80, 80], [True, False, False]),
        ([10, 78, 92], [True, True, True]),
        ([50, 50, 50], [False, False, False]),
    ],
)
def test_shapes_stand_at_the_ends_of_their_lines_unless_they_would_overlap(ends: list[int], near: list[bool]) -> None:
    places = place_shapes(ends, 16, Rect(0, 0, 200, 100), 230)
    assert [x == 210 for x, _y in places] == near
    assert [y for _x, y in places] == spread_apart(ends, 16, 0, 100)


def test_each_seat_has_a_line_of_its_colour() -> None:
    shown = SAMPLES_ENDED["macroscope_6"]
    screen = get_screen((1920, 1080))
    picture = screen.render(shown)
    main = screen.canvas.regions["main"].rect
    found = {
        tuple(picture.get_at((x, y)))[:3]
        for x in range(main.left, main.right - 120)
        for y in range(main.top, main.bottom)
    }
    assert {DARK_PALETTE[BUTTON_COLOURS[player.button]] for player in shown.players} <= found
