"""The verdict of Macroscope's rounds: held for a while, whatever comes meanwhile."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pygame

from companion.api import Seat
from companion.display.toolkit import Canvas, Timeline
from companion.games.macroscope import GAME
from companion.games.macroscope.display.scene import _measure_verdict


def test_rounds_that_are_scored_at_once_are_held_from_the_beginning() -> None:
    """A share below 0 made a card of negative size, which cannot be drawn."""
    pygame.font.init()
    now = 0.0
    canvas = Canvas((800, 480))
    canvas.timeline = Timeline(lambda: now)
    canvas.timeline.is_enabled = True
    view: Any = GAME.create_game(2, Seat(0), GAME.settings_model())
    shares = []
    for rounds in (0, 1, 3):
        now += 0.1
        canvas.timeline.begin_frame()
        shares.append(_measure_verdict(canvas, replace(view, round_scores=((1, 0),) * rounds)))
        canvas.timeline.end_frame()
    assert shares == [1.0, 0.0, 0.0]
