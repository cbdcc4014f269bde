"""The strip of players, or their cards, in the order of play."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from companion.api.registry import find_game
from companion.display.scenes import load_game_scene
from companion.display.toolkit.canvas import Canvas
from companion.events import Button
from companion.journal.entry import SeatChange
from companion.testing.table import TableUnderTest

S1, S2, S3 = Button.SEAT1, Button.SEAT2, Button.SEAT3


@pytest.mark.parametrize("game", ["macroscope", "score_keeper", "rummy"])
@pytest.mark.parametrize(
    ("buttons", "joins", "order"),
    [
        ((S1, S3, S2), None, (0, 1, 2)),
        ((S1, S3), S2, (0, 2, 1)),
    ],
    ids=["as they sat down", "who joined late between two"],
)
def test_players_stand_in_the_order_of_play(
    table: Callable[..., TableUnderTest],
    game: str,
    buttons: Sequence[Button],
    joins: Button | None,
    order: Sequence[int],
) -> None:
    seated = table(len(buttons), definition=find_game(game), buttons=buttons)
    if joins:
        seated.referee.take_step(SeatChange(seat=2, name="Zoe", button=joins))
    canvas = Canvas((1280, 720))
    with canvas.frame():
        load_game_scene(game).draw(canvas, seated.state)
    anchors = {name: x for name, (x, _y) in canvas.collect_anchors().items() if name.startswith("player ")}
    assert sorted(anchors, key=anchors.__getitem__) == [f"player {seat}" for seat in order]
