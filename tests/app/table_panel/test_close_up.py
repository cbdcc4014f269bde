"""What is too small on a simulated table is shown close up: the symbol of a die that lies open."""

from __future__ import annotations

import random

import numpy as np
import pygame

from companion.api import Move
from companion.app.table_panel.picture import blit_close_up
from companion.events import MemoColour
from companion.gallery.fixtures import show_game
from companion.games.memo_dice import GAME as MEMO_DICE
from companion.games.memo_dice.samples import make_game as make_memo_dice
from companion.games.memo_dice.simulator.kit import KIT as MEMO_DICE_KIT
from companion.games.memo_dice.simulator.objects import DieFace, MemoDiceAppearance
from companion.games.memo_dice.simulator.table import MemoDiceTable


def roll_and_cover(table: MemoDiceTable, dice: int) -> float:
    """Cover some dice and roll one more; return the time when all hands have left."""
    now, rng = 0.0, random.Random(5)
    for _ in range(dice):
        table.roll(rng, now)
        table.cover(table.fitting_cup or MemoColour.GOLD, now)
    table.roll(rng, now)
    while table.is_moving or not now:
        now += 0.1
        table.step(now)
    return now


def test_the_die_that_lies_open_is_shown_close_up() -> None:
    table = MemoDiceTable(random.Random(3), MemoDiceAppearance())
    covering = show_game(MEMO_DICE, make_memo_dice(2), ("Ada", "Bo"))
    assert MEMO_DICE_KIT.find_close_up(table, covering) is None
    now = roll_and_cover(table, 3)
    assert MEMO_DICE_KIT.find_close_up(table, covering) == table.row[3].placed_die.top
    table.cover(table.fitting_cup or MemoColour.GOLD, now)
    for _ in range(20):
        now += 0.1
        table.step(now)
    assert MEMO_DICE_KIT.find_close_up(table, covering) is None, "a cup is over it"


def test_the_die_whose_cup_was_lifted_is_shown_close_up_until_the_answer() -> None:
    table = MemoDiceTable(random.Random(3), MemoDiceAppearance())
    table.lay_cups((MemoColour.RED, MemoColour.RED, MemoColour.RED, MemoColour.GOLD))
    asked = make_memo_dice(2, "RRRR", "+")
    lifted = asked.play(Move("lift", asked.active_seat))
    table.lift(0, 0.0)
    table.lift(1, 0.0)
    for step in range(30):
        table.step(step / 10)
    states = [show_game(MEMO_DICE, game, ("Ada", "Bo")) for game in (asked, lifted)]
    assert [MEMO_DICE_KIT.find_close_up(table, state) for state in states] == [None, table.row[1].placed_die.top]


def test_a_symbol_close_up_is_large_enough_to_remember() -> None:
    """Red, and at least a fifth as high as the table's picture, below the row of cups."""
    surface = pygame.Surface((640, 360))
    picture = MEMO_DICE_KIT.draw_close_up(DieFace(0, 0, MemoColour.RED), surface.get_height())
    blit_close_up(surface, picture, surface.get_rect())
    pixels = np.asarray(pygame.surfarray.array3d(surface), int).transpose(1, 0, 2)
    red = (pixels[..., 0] > 150) & (pixels[..., 1:].max(axis=2) < 90)
    rows, columns = np.nonzero(red)
    assert np.ptp(rows) >= 360 / 5
    assert rows.min() > 360 * 0.6
    assert columns.max() < 640 / 2
