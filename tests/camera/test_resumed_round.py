"""A program that starts in mid-round: the lid has open windows and must not be covered first."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from companion.camera.camera_reader import CameraReader, WatchedTable, make_watcher
from companion.camera.camera_use import DEFAULT_CAMERA_USE
from companion.camera.learnt_layouts import LayoutCache
from companion.events import CameraState, CameraStateChanged, Event, TokenPlaced, TokenTaken
from companion.games.macroscope.simulator.appearance import MacroscopeAppearance
from companion.games.macroscope.simulator.kit import create_macroscope_table
from companion.simulation.camera import SimulatedCamera
from companion.vision.reading import ProblemKind
from companion.vision.view_check.monitor import SECONDS_TO_REPORT, ViewMonitor
from tests.camera.scripted import Clock


class Filmed:
    """A simulated table with the real watcher, through a reader that can be started again."""

    def __init__(self, cache: Path | None) -> None:
        self.clock, self.cache = Clock(), cache
        self.table, renderer = create_macroscope_table(MacroscopeAppearance(), random.Random(3))
        self.camera = SimulatedCamera(self.table, renderer, self.clock)
        self.start()

    def start(self) -> None:
        cache = LayoutCache(self.cache) if self.cache else None
        table = WatchedTable(lambda: self.camera, make_watcher(DEFAULT_CAMERA_USE), cache, ViewMonitor())
        self.reader = CameraReader(lambda use: table, self.clock)

    def film(self, seconds: float) -> list[Event]:
        events: list[Event] = []
        for _ in range(round(seconds * 15)):
            self.clock.now += 1 / 15
            events += self.reader.poll()
        return events

    def open_windows(self, count: int) -> None:
        board = self.table.board
        for window in range(count):
            board = board.take_token(window)
        self.table.lay_tokens(board)


@pytest.mark.full
@pytest.mark.sampled(1)
@pytest.mark.parametrize("open_windows", [1, 9])
def test_open_lid_is_known_from_the_saved_layout(tmp_path: Path, open_windows: int) -> None:
    filmed = Filmed(tmp_path / "table.json")
    filmed.film(2)
    filmed.open_windows(open_windows)
    filmed.film(4)
    filmed.reader.close()
    filmed.start()
    events = filmed.film(3)
    assert not [event for event in events if isinstance(event, TokenTaken | TokenPlaced)]
    states = [event for event in events if isinstance(event, CameraStateChanged)]
    assert (states[-1].state, states[-1].lid_known) == (CameraState.STEADY, True)
    assert filmed.reader.camera_view.problem is None


@pytest.mark.full
def test_open_lid_that_was_never_learnt_is_reported_until_it_is_covered() -> None:
    filmed = Filmed(None)
    filmed.open_windows(5)
    filmed.film(2)
    assert filmed.reader.camera_view.problem is None
    filmed.film(SECONDS_TO_REPORT + 5)
    problem = filmed.reader.camera_view.problem
    assert problem is not None
    assert problem.kind is ProblemKind.UNKNOWN_LID
    assert "cover all windows once" in problem.message
    filmed.table.cover_all(random.Random(1), filmed.clock.now)
    filmed.film(15)
    assert filmed.reader.camera_view.problem is None
    view = filmed.reader.camera_view
    assert view.reading is not None
    assert view.reading.lid is not None
