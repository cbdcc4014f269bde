"""Where a click rolls, covers and lifts on the simulated table of Memo Dice."""

from __future__ import annotations

import random

from companion.api import TableAction
from companion.games.memo_dice.simulator.mouse import MemoDiceMouse
from companion.games.memo_dice.simulator.objects import MemoDiceAppearance
from companion.games.memo_dice.simulator.table import MemoDiceTable
from companion.simulation.base_mouse import MouseButton
from tests.simulation.test_mouse import find_middle


def test_a_click_in_the_outline_of_an_action_does_that_action() -> None:
    appearance = MemoDiceAppearance()
    table = MemoDiceTable(random.Random(1), appearance)
    mouse = MemoDiceMouse(table, appearance.optics, random.Random(2))
    now = 0.0

    def do(kind: str) -> None:
        nonlocal now
        (outline,) = mouse.find_outlines(TableAction(kind, 1))
        mouse.press(MouseButton.LEFT, *find_middle(outline), now)
        now += 5.0
        table.step(now)

    for count in (1, 2):
        do("show")
        assert len(table.row) == count
        assert table.row[-1].cup is None
        assert mouse.find_outlines(TableAction("show", 1)) == []
        do("cup")
        assert table.row[-1].cup is not None
    do("lift")
    assert [slot.cup is None for slot in table.row] == [True, False]
