"""Movements in every state of the gallery; games of other distributions are checked in the same way."""

from __future__ import annotations

import pytest

from companion.gallery import load_sample_builders
from companion.testing.motion import check_motion_ends, check_press_ends_motion, check_rest_paints_nothing


@pytest.mark.sampled(2, full=4)
@pytest.mark.parametrize("of", load_sample_builders())
def test_without_motion_the_first_frame_is_the_end_and_with_it_the_last(of: str) -> None:
    check_motion_ends(load_sample_builders()[of])


@pytest.mark.sampled(1, full=4)
@pytest.mark.parametrize("of", load_sample_builders())
def test_a_press_ends_all_that_moves_on_the_stage(of: str) -> None:
    check_press_ends_motion(load_sample_builders()[of])


@pytest.mark.sampled(2, full=4)
@pytest.mark.parametrize("of", load_sample_builders())
def test_once_all_has_come_to_rest_no_region_is_painted_again(of: str) -> None:
    check_rest_paints_nothing(load_sample_builders()[of])
