"""The panel with the simulated table: frame rate, repainted areas, help text, and a resumed game's tokens."""

import random
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pygame
import pytest

from companion.app.simulator_panel import (
    IDLE_FRAME_SECONDS,
    PADDING_PX,
    SETTLE_SECONDS,
    SimulatorPanel,
    make_macroscope_table,
)
from companion.display.toolkit.theme import BACKGROUND, DARK_PALETTE
from companion.events import Button
from companion.games.macroscope import GAME
from companion.games.macroscope.state import MacroscopeState, MoveKind
from companion.journal.database import Journal
from companion.journal.entry import GameSetup
from companion.journal.replay import SavedGame
from companion.simulation.camera import create_macroscope_table
from companion.simulation.macroscope.appearance import Appearance
from tests.hardware.conftest import ManualClock

PANEL = pygame.Rect(40, 0, 640, 720)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(100.0)


@pytest.fixture
def panel(clock: ManualClock) -> Iterator[SimulatorPanel]:
    pygame.font.init()
    rng = random.Random(1)
    made = SimulatorPanel(*create_macroscope_table(Appearance(), rng), clock, rng)
    made.place(PANEL)
    yield made
    pygame.font.quit()


@pytest.fixture
def surface() -> pygame.Surface:
    return pygame.Surface((720, 720))


def test_the_first_picture_fills_the_panel_and_later_ones_only_what_changed(
    panel: SimulatorPanel, surface: pygame.Surface, clock: ManualClock
) -> None:
    assert panel.draw(surface) == [PANEL]
    clock.now += SETTLE_SECONDS + 1.0
    assert panel.draw(surface) == [], "the table is as it was"
    panel.handle_key(pygame.K_c, clock.now, down=True)  # a hand covers the windows again
    clock.now += 0.1
    assert panel.draw(surface) == [panel.picture_area]


def test_frames_come_at_once_while_something_moves_and_seldom_at_rest(
    panel: SimulatorPanel, surface: pygame.Surface, clock: ManualClock
) -> None:
    def is_frame_ready() -> bool:
        panel.draw(surface)
        return panel.relay.read() is not None

    assert is_frame_ready()
    clock.now += SETTLE_SECONDS + 0.01
    assert is_frame_ready()
    clock.now += IDLE_FRAME_SECONDS - 0.01
    assert not is_frame_ready()
    clock.now += 0.02
    assert is_frame_ready()
    panel.handle_key(pygame.K_c, clock.now, down=True)
    clock.now += 0.07
    assert is_frame_ready(), "one frame of 15 a second later"


def test_the_help_is_drawn_inside_its_padding(panel: SimulatorPanel, surface: pygame.Surface) -> None:
    surface.fill((255, 0, 255))
    panel.draw(surface)
    assert surface.get_at((PANEL.left - 1, 300))[:3] == (255, 0, 255), "nothing beside the panel is painted"
    below = surface.subsurface(
        (PANEL.left, panel.picture_area.bottom, PANEL.width, PANEL.bottom - panel.picture_area.bottom)
    )
    ink = (pygame.surfarray.array3d(below) != DARK_PALETTE[BACKGROUND]).any(axis=2)
    columns, rows = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    assert columns[0] >= PADDING_PX
    assert columns[-1] < PANEL.width - PADDING_PX
    assert rows[0] >= PADDING_PX
    assert rows[-1] < below.get_height() - PADDING_PX
    # The key line is the first one, in full ink; the others are muted.
    brightest = pygame.surfarray.array3d(below).max(axis=(0, 2))
    assert brightest[rows[0] : rows[0] + 25].max() > brightest[rows[-1] - 25 : rows[-1]].max()


def test_a_resumed_game_finds_its_tokens_taken(journal: Journal) -> None:
    setup = GameSetup(game="macroscope", players=("Ada", "Ben"), buttons=(Button.SEAT1, Button.SEAT2))
    saved_game = SavedGame.begin(journal, setup, GAME)
    saved_game.play_move(next(m for m in saved_game.game.list_moves() if m.kind == MoveKind.ROLL).fill(4, 4))
    saved_game.play_move(next(m for m in saved_game.game.list_moves() if m.kind == MoveKind.REMOVE))
    assert isinstance(saved_game.game, MacroscopeState)
    table, _ = make_macroscope_table(saved_game, random.Random(2))
    left = Counter(number for number in table.board.numbers if number is not None)
    assert left == Counter(dict(enumerate(saved_game.game.tokens, 1)))
    assert left.total() == 11
    untouched, _ = make_macroscope_table(None, random.Random(2))
    assert sum(number is not None for number in untouched.board.numbers) == 12
