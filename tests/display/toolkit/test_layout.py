"""The screen's layout: areas lie on the screen, side by side, in reading order."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from pygame import Rect

from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.layout import lay_out_screen, split_rows

LYING = [(1280, 720), (1920, 1080), (1024, 600), (800, 480), (1280, 1024)]
UPRIGHT = [(720, 1280), (600, 1024), (480, 800)]


@pytest.mark.parametrize(("count", "track"), [(0, False), (1, True), (3, False), (4, True), (6, True)])
@pytest.mark.parametrize("size", [*LYING, *UPRIGHT])
def test_all_places_are_on_the_screen_and_none_lies_over_another(
    size: tuple[int, int], count: int, track: bool
) -> None:
    places = lay_out_screen(Canvas(size), count, has_track=track)
    apart = [places.header, places.stage, places.status, places.soft_keys]
    apart += [places.players] * bool(count) + [places.track] * track
    for place in (*apart, places.body, places.view, places.flood):
        assert place.w > 0
        assert place.h > 0
        assert Rect((0, 0), size).contains(place)
    for one, other in combinations(apart, 2):
        assert not one.colliderect(other)
    assert places.body.contains(places.stage)
    assert places.body.contains(places.players) or not count
    assert places.view.contains(places.body)
    assert places.view.contains(places.status)
    assert places.flood.contains(places.header)
    assert places.flood.contains(places.stage)
    assert not places.flood.colliderect(places.status)


@pytest.mark.parametrize("size", [*LYING, *UPRIGHT])
def test_from_top_to_bottom_come_header_stage_players_status_and_keys(size: tuple[int, int]) -> None:
    places = lay_out_screen(Canvas(size), 6, has_track=True)
    order = (places.header, places.stage, places.players, places.status, places.soft_keys)
    assert all(above.bottom <= below.top for above, below in pairwise(order))


@pytest.mark.parametrize("size", LYING)
def test_lying_the_track_stands_at_the_right_of_the_header(size: tuple[int, int]) -> None:
    places = lay_out_screen(Canvas(size), 2, has_track=True)
    assert places.track.top == places.header.top
    assert places.header.right < places.track.left
    assert places.track.right == places.stage.right


@pytest.mark.parametrize("size", UPRIGHT)
def test_upright_the_track_takes_a_line_of_its_own_if_there_is_one(size: tuple[int, int]) -> None:
    canvas = Canvas(size)
    places = lay_out_screen(canvas, 2, has_track=True)
    assert places.header.bottom <= places.track.top < places.track.bottom <= places.stage.top
    bare = lay_out_screen(canvas, 2)
    assert bare.track.h == 0
    assert bare.stage.h > places.stage.h


@pytest.mark.parametrize("size", [*LYING, *UPRIGHT])
def test_the_stage_is_the_largest_place_and_has_the_whole_width(size: tuple[int, int]) -> None:
    canvas = Canvas(size)
    places = lay_out_screen(canvas, 6, has_track=True)
    assert places.stage.w == places.view.w > 0.95 * size[0]
    assert places.stage.h > max(p.h for p in (places.header, places.players, places.status))
    assert places.stage.h >= canvas.px(30)


@pytest.mark.parametrize("size", LYING)
def test_the_large_picture_has_70_percent_of_the_width(size: tuple[int, int]) -> None:
    view = lay_out_screen(Canvas(size), 6).view
    assert min(view.w, view.h * 16 / 9) >= 0.7 * size[0] or size[0] / size[1] < 1.4


def test_rows_are_equal_and_fit() -> None:
    rect = Rect(10, 20, 300, 100)
    cut = split_rows(rect, 3, 5, 90)
    assert [row.h for row in cut] == [30, 30, 30]
    assert [row.top for row in cut] == [20, 55, 90]
    assert rect.contains(cut[-1])
    assert [row.h for row in split_rows(rect, 2, 5, 12)] == [12, 12], "none is taller than the tallest"
    assert split_rows(rect, 0, 5, 12) == []
