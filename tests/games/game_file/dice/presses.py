"""Presses of people who play a game with dice from a file."""

from __future__ import annotations

from collections.abc import Callable

from companion.events import SEAT_BUTTONS, Button
from companion.testing.table import TableUnderTest

Tables = Callable[..., TableUnderTest]


def press_own(table: TableUnderTest, seat: int) -> None:
    """Press the own button, to take over or to claim a throw: it is held where number keys have another use."""
    button = table.saved_game.setup.buttons[seat]
    if table.definition.name == "pig":
        table.press(button)
    else:
        table.hold(button)


def choose(table: TableUnderTest, box: int) -> None:
    """Choose a box by its index from 0, of those that are open."""
    while box not in (choices := table.state.choices or table.game.ranked_boxes[:3]):
        table.press(Button.PLUS)
    table.press(SEAT_BUTTONS[choices.index(box)])
