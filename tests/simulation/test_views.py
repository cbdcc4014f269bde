"""Which part of the camera's frame is shown."""

from __future__ import annotations

import pytest

from companion.simulation.views import WHOLE_FRAME_AREA, fit_view


@pytest.mark.parametrize("left", [0.0, 200.0, 640.0])
def test_a_place_as_large_as_the_frame_shows_all_of_it_and_nothing_beyond(left: float) -> None:
    assert fit_view((left, 0.0, 640.0, 720.0), (0, 0, 1280, 720)).area == WHOLE_FRAME_AREA
