"""Height of capitals in minutes of arc: the screens of the parts list serve the distances that it names.

On every screen: tests/display/test_far_layout.py and test_every_screen.py.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from companion.config.settings import PictureSettings
from companion.display.toolkit import KEY_LABEL_EM, Typeface
from companion.display.toolkit.legibility import (
    CAPITAL_EM,
    MIN_ARC_MINUTES,
    SCREEN_HEIGHTS_MM,
    measure_arc_minutes,
    needs_far,
)
from companion.display.toolkit.text import FontCache
from companion.display.toolkit.type_sizes import FAR_TEXT_EM
from companion.lobby.preferences import DISTANCES_M, SCREEN_INCHES

PARTS_LIST = Path(__file__).parents[3] / "docs" / "build" / "README.md"


def test_the_sizes_that_can_be_chosen_are_those_that_are_measured() -> None:
    fields = PictureSettings.model_fields
    assert get_args(fields["screen_inches"].annotation) == tuple(SCREEN_HEIGHTS_MM) == SCREEN_INCHES
    assert get_args(fields["distance_m"].annotation) == DISTANCES_M


def test_the_smallest_screen_serves_three_metres_in_the_far_layout_alone() -> None:
    assert measure_arc_minutes(KEY_LABEL_EM, 7, 3) < MIN_ARC_MINUTES <= measure_arc_minutes(FAR_TEXT_EM, 7, 3)


@pytest.mark.parametrize("face", Typeface)
def test_capitals_are_as_high_as_is_counted(face: Typeface) -> None:
    size, fonts = 200, FontCache()
    ink = fonts.render_line("H", face, size, (255, 255, 255)).ink_rect
    assert ink.h == pytest.approx(CAPITAL_EM[face] * size, abs=1)


def test_the_parts_list_gives_the_minutes_of_arc_of_each_screen() -> None:
    rows = re.findall(r"^\| (\d+) inches.*?\|(.*)\|$", PARTS_LIST.read_text(encoding="utf-8"), re.MULTILINE)
    assert [int(inches) for inches, _cells in rows] == list(SCREEN_HEIGHTS_MM)
    for inches, cells in rows:
        minutes = [
            f"{measure_arc_minutes(em, int(inches), metres):.1f}"
            for metres in (1, 2, 3)
            for em in (KEY_LABEL_EM, FAR_TEXT_EM)
        ]
        assert re.findall(r"\d+\.\d", cells) == minutes, inches
        layouts = ["far" if needs_far(int(inches), metres) else "near" for metres in (1, 2, 3)]
        assert re.findall(r"near|far", cells) == layouts, inches
