"""Score cards: what players keep stands on them in full."""

from __future__ import annotations

import pytest

from companion.api import Seat
from companion.display.toolkit import Rect
from companion.display.toolkit.canvas import Canvas
from companion.display.widgets import ScoreCard, draw_score_cards, split_score_cards
from companion.events import SEAT_BUTTONS
from companion.screen_state import Player


@pytest.mark.parametrize("rect", [Rect(0, 0, 800, 260), Rect(0, 0, 480, 330)], ids=["wide", "upright"])
def test_what_four_players_keep_is_not_cut(rect: Rect) -> None:
    canvas = Canvas((800, 480) if rect.w == 800 else (480, 800))
    kept = "20: 3 · 19: 1 · 18: 3 · 17: 1 · 16: 3 · 15: 1 · Bull: 3"
    players = [Player(Seat(q), button.name, button) for q, button in enumerate(SEAT_BUTTONS[:4])]
    cards = [ScoreCard((player,), 540, kept=kept) for player in players]
    with canvas.frame():
        draw_score_cards(canvas, rect, split_score_cards(canvas, rect, 4), cards, 20.0)
    words = " ".join(drawn.text for drawn in canvas.drawn_texts()).split()
    assert (words.count("Bull:"), words.count("540")) == (4, 4)
