"""Rings on a simulated table: drawn for people and not for the camera; a strict guide lets nothing else be touched."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pygame
import pytest

from companion.api import TableAction
from companion.app.simulator_panel import SimulatorPanel
from companion.events import Event, TableMissed
from companion.games.macroscope.simulator.kit import KIT
from companion.screen_state import Guide, ScreenKind, ScreenState
from companion.simulation.optics import FRAME_SIZE_PX
from companion.testing.table import ManualClock
from tests.simulation.test_mouse import find_middle

GUIDE = Guide(actions=(TableAction("throw"), TableAction("take", 3)), is_strict=True)
GUIDED = ScreenState(ScreenKind.PLAY, guide=GUIDE)
GOLD = (255, 200, 60)


class Table:
    """A panel in the size of a frame, and a mouse on it."""

    def __init__(self) -> None:
        self.clock = ManualClock(100.0)
        self.panel = SimulatorPanel(KIT, self.clock, random.Random(1))
        self.surface = pygame.Surface(FRAME_SIZE_PX)

    def show(self, state: ScreenState, seconds: float = 4.0) -> None:
        self.clock.now += seconds
        self.panel.follow(state)
        self.panel.draw(self.surface)
        self.panel.follow(state)

    def click(self, at: tuple[float, float]) -> Sequence[Event]:
        """Click at a pixel of the frame, which is one of the panel."""
        events: list[Event] = []
        for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            place = round(at[0]), round(at[1])
            events += self.panel.handle_mouse(pygame.event.Event(kind, button=1), place, self.clock.now)
        return events


@pytest.fixture
def table() -> Table:
    made = Table()
    made.panel.follow(GUIDED)
    return made


def test_people_see_rings_and_the_camera_does_not(table: Table) -> None:
    table.show(GUIDED)
    (corner, *_others) = table.panel._hand.find_outlines(TableAction("throw"))[0]
    x, y = round(corner[0]), round(corner[1])
    around = [table.surface.get_at((x + i, y + k))[:3] for i in range(-9, 10) for k in range(-9, 10)]
    assert GOLD in around
    frame = table.panel.relay.read()
    assert frame is not None
    read = frame.image[y - 9 : y + 10, x - 9 : x + 10, ::-1].reshape(-1, 3).tolist()
    assert list(GOLD) not in read
    table.show(replace(GUIDED, guide=None))
    table.show(replace(GUIDED, guide=None))
    assert table.surface.get_at((x, y))[:3] != (255, 255, 255)


def test_a_strict_guide_lets_nothing_else_be_touched(table: Table) -> None:
    mouse, before = table.panel._hand, table.panel.table.board
    other = find_middle(mouse.find_outlines(TableAction("take", 4))[0])
    assert table.click(other) == [TableMissed(table.clock.now)]
    table.panel.handle_key(pygame.K_c, table.clock.now, down=True)
    table.show(GUIDED)
    assert table.panel.table.board == before
    assert table.click(find_middle(mouse.find_outlines(TableAction("take", 3))[0])) == []
    table.panel.follow(GUIDED)
    assert table.click(find_middle(mouse.find_outlines(TableAction("throw"))[0])) == [], "not while a hand moves"
    table.show(GUIDED)
    assert len(table.panel.table.board.removed_tokens) == 1
    assert not table.panel.table.values
    table.show(replace(GUIDED, guide=replace(GUIDE, is_strict=False)))
    table.click(other)
    table.show(GUIDED)
    assert len(table.panel.table.board.removed_tokens) == 2


def test_a_used_table_is_put_back_before_the_next_game(table: Table) -> None:
    fresh = table.panel.table.board
    table.show(ScreenState(ScreenKind.FIRST))
    table.show(ScreenState(ScreenKind.FIRST))
    assert table.panel.table.board == fresh, "nobody has touched it"
    table.show(GUIDED)
    table.click(find_middle(table.panel._hand.find_outlines(TableAction("take", 3))[0]))
    table.show(GUIDED)
    assert table.panel.table.board.removed_tokens
    table.show(ScreenState(ScreenKind.FIRST))
    table.show(ScreenState(ScreenKind.FIRST))
    assert not table.panel.table.board.removed_tokens
