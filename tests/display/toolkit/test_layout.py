"""The screen's layout: areas lie on the screen, side by side, in reading order."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from pygame import Rect

from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.layout import lay_out_screen, split_rows

LYING = [(1280, 720), (1920, 1080), (1024, 600), (800, 480), (1280, 1024)]
UPRIGHT = [(720, 1280), (600, 1024), (480, 800)]


@pytest.mark.parametrize("corner", [False, True])
@pytest.mark.parametrize("track", [False, True])
@pytest.mark.parametrize("size", [*LYING, *UPRIGHT])
def test_all_places_are_on_the_screen_and_none_lies_over_another(
    size: tuple[int, int], corner: bool, track: bool
) -> None:
    places = lay_out_screen(Canvas(size), camera_corner=corner, has_track=track)
    apart = [places.players, places.main, places.side, places.camera]
    for place in (*apart, places.name, places.sentence, places.body, places.status, places.soft_keys):
        assert place.w > 0
        assert place.h > 0
        assert Rect((0, 0), size).contains(place)
    for one, other in combinations(apart, 2):
        assert not one.colliderect(other)
    for place in (*apart, places.centre):
        assert places.body.contains(place)


@pytest.mark.parametrize("size", [*LYING, *UPRIGHT])
def test_from_top_to_bottom_come_name_sentence_game_status_and_keys(size: tuple[int, int]) -> None:
    places = lay_out_screen(Canvas(size))
    order = (places.name, places.sentence, places.body, places.status, places.soft_keys)
    assert all(above.bottom <= below.top for above, below in pairwise(order))


@pytest.mark.parametrize("size", LYING)
def test_lying_the_track_stands_in_the_names_row_and_the_camera_at_the_right(size: tuple[int, int]) -> None:
    places = lay_out_screen(Canvas(size))
    assert (places.track.top, places.track.right) == (places.name.top, places.name.right)
    assert places.players.right <= places.main.left
    assert places.main.right <= places.side.left
    assert places.side.bottom <= places.camera.top


@pytest.mark.parametrize("size", UPRIGHT)
def test_upright_the_track_takes_a_line_of_its_own_if_there_is_one(size: tuple[int, int]) -> None:
    canvas = Canvas(size)
    places = lay_out_screen(canvas)
    assert places.name.bottom <= places.track.top < places.track.bottom <= places.sentence.top
    bare = lay_out_screen(canvas, has_track=False)
    assert bare.track.h == 0
    assert bare.centre.h > places.centre.h


@pytest.mark.parametrize("size", UPRIGHT)
def test_upright_the_corner_stands_beside_the_players_and_leaves_the_whole_width(size: tuple[int, int]) -> None:
    places = lay_out_screen(Canvas(size), camera_corner=True)
    assert places.main == places.centre
    assert places.main.w == places.body.w
    assert places.main.bottom <= places.players.top
    assert places.players.right <= places.camera.left


def test_rows_are_equal_and_fit() -> None:
    rect = Rect(10, 20, 300, 100)
    cut = split_rows(rect, 3, 5, 90)
    assert [row.h for row in cut] == [30, 30, 30]
    assert [row.top for row in cut] == [20, 55, 90]
    assert rect.contains(cut[-1])
    assert [row.h for row in split_rows(rect, 2, 5, 12)] == [12, 12], "none is taller than the tallest"
    assert split_rows(rect, 0, 5, 12) == []
