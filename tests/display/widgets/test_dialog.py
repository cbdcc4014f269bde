"""Menus in the place of the game."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.macroscope.samples import build_samples
from companion.screen_state import Menu
from companion.testing.screens import SampleStates, check_screen, format_corner

SAMPLES = SampleStates(build_samples)


@pytest.mark.parametrize("is_far", [False, True])
@pytest.mark.parametrize("size", [(800, 480), (480, 800)], ids=format_corner)
@pytest.mark.parametrize("count", [3, 5, 9])
def test_each_row_has_room_for_an_accent_on_a_capital_and_for_a_descender(
    count: int, size: tuple[int, int], is_far: bool
) -> None:
    menu = Menu("À qui ?", tuple(f"Équipage {n}" for n in range(count)), 0, numbered=min(count, 6))
    check_screen(replace(SAMPLES["menu"], menu=menu), size, is_far=is_far)
