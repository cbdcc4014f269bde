"""The far layout: what must be read to act can be read from three metres on a screen of 7 inches, and all fits."""

from __future__ import annotations

import pytest

from companion.display.toolkit import Canvas, DisplayPreferences, Rect, lay_out_screen
from companion.display.toolkit.legibility import MIN_ARC_MINUTES, measure_arc_minutes
from companion.display.widgets import locate_key_slots
from companion.events import CONSOLE_BUTTONS, SEAT_BUTTONS
from companion.gallery import load_sample_builders
from companion.games.macroscope.samples import build_samples
from companion.testing.screens import (
    ALL_CORNERS,
    SIZES,
    SampleStates,
    build_states,
    check_screen,
    draw_screen,
    format_corner,
    list_texts_to_act_on,
)
from tests.display.corners import CORNERS

SAMPLES = SampleStates(build_samples)
SOME_STATES = r"800x480-de-(counting_tray|starfall)$"
"""What `make test` draws: the longest words on the smallest screen, in two games whose states are drawn fast."""


def check_far_screens(size: tuple[int, int], code: str, of: str) -> None:
    """Check a game's screens but those with rings: these are at the virtual table, which is always near."""
    for name, shown in build_states(load_sample_builders()[of], code).items():
        if shown.guide is None:
            check_screen(shown, size, code, note=name, is_far=True)


@pytest.mark.sampled(SOME_STATES, full=40)
@pytest.mark.parametrize("of", load_sample_builders())
@pytest.mark.parametrize(("size", "code"), CORNERS, ids=format_corner)
def test_every_state(size: tuple[int, int], code: str, of: str) -> None:
    check_far_screens(size, code, of)


@pytest.mark.proof
@pytest.mark.parametrize("of", load_sample_builders())
@pytest.mark.parametrize(("size", "code"), ALL_CORNERS, ids=format_corner)
def test_every_state_at_every_size(size: tuple[int, int], code: str, of: str) -> None:
    check_far_screens(size, code, of)


@pytest.mark.parametrize(("is_far", "inches", "metres"), [(False, 7, 1), (False, 10, 2), (True, 7, 3)])
@pytest.mark.parametrize("name", ["open_picture", "question", "menu", "notice", "called"])
def test_what_must_be_read_to_act_has_capitals_of_five_minutes_of_arc(
    name: str, is_far: bool, inches: int, metres: int
) -> None:
    height, shown = 480, SAMPLES[name]
    drawn = draw_screen(shown, (800, height), is_far=is_far)
    texts = list_texts_to_act_on(shown, *drawn)
    labels = {key.label for key in shown.soft_keys if not key.is_hold and " " not in key.label} - {""}
    assert labels <= {text.text for text in texts}
    for text in texts:
        assert measure_arc_minutes(100 * text.em_px / height, inches, metres, text.face) >= MIN_ARC_MINUTES, text


@pytest.mark.parametrize("size", SIZES, ids=format_corner)
def test_each_key_has_a_slot_of_its_own(size: tuple[int, int]) -> None:
    canvas = Canvas(size, DisplayPreferences(is_far=True))
    rect = lay_out_screen(canvas, 6, has_track=True).soft_keys
    slots = locate_key_slots(canvas, rect)
    assert [*slots] == [*SEAT_BUTTONS, *CONSOLE_BUTTONS]
    places = list(slots.values())
    assert all(rect.contains(place) for place in places)
    assert all(place.collidelist(places[i + 1 :]) == -1 for i, place in enumerate(places))
    assert {place.h for place in places[:6]} == {places[0].h}


def test_a_notice_has_the_place_of_the_scores_and_the_sentence_stays() -> None:
    shown = SAMPLES["notice"]
    regions = draw_screen(shown, (800, 480), is_far=True).regions
    canvas = Canvas((800, 480), DisplayPreferences(is_far=True))
    assert regions["players"].rect == lay_out_screen(canvas, len(shown.players), has_track=True).players
    assert " ".join(text.text for text in regions["players"].texts) == shown.notice
    assert regions["header"].texts


def test_there_is_no_status_line() -> None:
    canvas = Canvas((800, 480), DisplayPreferences(is_far=True))
    layout = lay_out_screen(canvas, 2)
    assert layout.status.h == 0
    assert layout.players.bottom <= layout.soft_keys.top
    assert Rect(0, 0, 800, 480).contains(layout.soft_keys)
    assert "status" not in draw_screen(SAMPLES["open_picture"], (800, 480), is_far=True).regions
