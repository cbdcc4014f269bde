"""Rings on a simulated table: drawn around what may be touched; a strict guide lets nothing else be touched."""

from __future__ import annotations

import random
from dataclasses import replace

import pygame
import pytest

from companion.api import Move, Seat, TableAction
from companion.app.table_panel.panel import SimulatorPanel
from companion.gallery.fixtures import show_game
from companion.games.macroscope import GAME, Macroscope, Settings
from companion.games.macroscope.simulator.kit import KIT
from companion.guide import Guide
from companion.screen_state import ScreenKind, ScreenState
from companion.testing.table import ManualClock

GOLD = (255, 200, 60)
SIZE = (640, 480)
NEW_GAME = Macroscope.create(2, Seat(0), Settings())
ROLLING = replace(
    show_game(GAME, NEW_GAME), guide=Guide(actions=(TableAction("throw"),), is_strict=True), uses_camera=True
)
TAKING = replace(
    show_game(GAME, NEW_GAME.play(Move("roll", Seat(0), (3, 3)))),
    guide=Guide(actions=(TableAction("take", 3),), is_strict=True),
    uses_camera=True,
)
PLAYING = replace(TAKING, guide=None)


class Table:
    """A panel, and a mouse on it."""

    def __init__(self) -> None:
        self.clock = ManualClock(100.0)
        self.panel = SimulatorPanel(KIT, self.clock, random.Random(1))
        self.surface = pygame.Surface(SIZE)
        self.panel.place(self.surface.get_rect())

    @property
    def board(self) -> object:
        return self.panel.table.board

    def show(self, state: ScreenState, seconds: float = 4.0) -> None:
        """Let what moves come to rest, and show a state."""
        for _frame in range(2):
            self.clock.now += seconds
            self.panel.follow(state)
            self.panel.draw(self.surface)
        self.panel.follow(state)

    def click(self, at: tuple[int, int]) -> bool:
        """Click at a pixel; return whether it was reported as missed."""
        for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            self.panel.handle_mouse(pygame.event.Event(kind, button=1), at, self.clock.now)
        was_missed, self.panel.was_missed = self.panel.was_missed, False
        return was_missed

    def list_middles(self, state: ScreenState) -> list[tuple[int, int]]:
        self.show(state)
        return [rect.center for _name, rect in self.panel.list_touchable_places()]

    def count_gold(self) -> int:
        width, height = SIZE
        return sum(self.surface.get_at((x, y))[:3] == GOLD for x in range(0, width, 2) for y in range(0, height, 2))


@pytest.fixture
def table() -> Table:
    return Table()


def test_what_may_be_touched_has_a_ring_as_long_as_a_guide_leads(table: Table) -> None:
    table.show(PLAYING)
    assert table.count_gold() == 0
    table.show(TAKING)
    with_two_tokens = table.count_gold()
    assert with_two_tokens > 0
    table.show(replace(TAKING, guide=Guide()))
    assert table.count_gold() == 0, "something is waited for, but not at the table"


def test_a_strict_guide_lets_nothing_else_be_touched(table: Table) -> None:
    (tray,) = table.list_middles(ROLLING)
    tokens = table.list_middles(TAKING)
    before = table.board
    assert len(tokens) == 2
    assert table.click(tray)
    table.panel.handle_key(pygame.K_c, table.clock.now, down=True)
    table.panel.handle_mouse(pygame.event.Event(pygame.MOUSEWHEEL, y=1), tokens[0], table.clock.now)
    table.show(TAKING)
    assert (table.board, table.panel.table.values) == (before, ())
    table.panel.was_missed = False
    assert not table.click(tokens[0])
    table.panel.follow(TAKING)
    assert not table.click(tray), "nobody missed anything while a hand moves"
    table.show(TAKING)
    assert len(table.panel.table.board.removed_tokens) == 1
    assert table.panel.table.values == ()
    table.show(PLAYING)
    assert not table.click(tray)
    table.show(PLAYING)
    assert len(table.panel.table.values) == 2


def test_a_used_table_is_put_back_before_the_next_game(table: Table) -> None:
    fresh = table.board
    table.show(ScreenState(ScreenKind.FIRST))
    assert table.board == fresh, "nobody has touched it"
    table.click(table.list_middles(TAKING)[0])
    table.show(TAKING)
    assert table.panel.table.board.removed_tokens
    table.show(ScreenState(ScreenKind.FIRST))
    assert not table.panel.table.board.removed_tokens


def test_a_card_that_is_shown_close_up_leaves_the_other_views(table: Table) -> None:
    (tray,) = table.list_middles(ROLLING)
    table.show(PLAYING)
    felt = table.surface.get_at(tray)
    revealed = NEW_GAME.play(Move("roll", Seat(0), (3, 3))).play(Move("remove", Seat(0), (3,)))
    for move in (Move("guess", Seat(0)), Move("close", Seat(0)), Move("cover")):
        revealed = revealed.play(move)
    table.show(replace(show_game(GAME, revealed), uses_camera=True))
    assert table.surface.get_at(tray) == felt
