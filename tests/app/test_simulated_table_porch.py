"""A game that plays itself can be watched through the porch, at the speed of a table."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.api import Seat
from companion.app.simulated_table_porch import RESULT_SECONDS, TABLE, SimulatedTablePorch, SocketInUse
from companion.gallery.api import show_game
from companion.games.score_keeper import GAME
from companion.screen_state import ScreenKind, ScreenState
from tests.porch.picture_table import PictureReader


class HostClock:
    """A clock that only sleep advances, so that no test waits."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        """Advance the clock."""
        self.now += seconds


@pytest.fixture
def clock() -> HostClock:
    """The host's clock."""
    return HostClock()


@pytest.fixture
def porch(tmp_path: Path, clock: HostClock) -> Iterator[SimulatedTablePorch]:
    """A simulated table that is published."""
    made = SimulatedTablePorch(tmp_path / "porch.sock", clock, clock.sleep)
    yield made
    made.close()


def test_readers_see_the_table_under_an_id_of_its_own(tmp_path: Path, porch: SimulatedTablePorch) -> None:
    porch.show(ScreenState(kind=ScreenKind.PLAY, game_name=GAME.name, prompt="Ada begins"), 0.0)
    with socket.socket(socket.AF_UNIX) as reader:
        reader.connect(str(tmp_path / "porch.sock"))
        lines = reader.makefile("rb")
        hello = json.loads(lines.readline())
        state = json.loads(next(line for line in lines if b'"state"' in line))
    assert (hello["table"], state["headline"]) == (TABLE, "Ada begins")


def test_it_is_as_fast_as_a_table(porch: SimulatedTablePorch, clock: HostClock) -> None:
    state = ScreenState(kind=ScreenKind.PLAY)
    porch.show(state, 1.5)
    assert clock.now == 101.5
    clock.now += 2.0
    porch.show(state, 2.0)
    assert clock.now == 103.5, "what is late is not waited for"
    porch.wait_for_readers()
    assert clock.now == 103.5 + RESULT_SECONDS


def test_a_table_that_is_published_already_stays(tmp_path: Path, porch: SimulatedTablePorch, clock: HostClock) -> None:
    with pytest.raises(SocketInUse, match="end that program"):
        SimulatedTablePorch(tmp_path / "porch.sock", clock, clock.sleep)


@pytest.mark.parametrize("seconds_left", [1.0, -60.0])
def test_the_picture_is_drawn_for_those_who_ask_for_it(
    tmp_path: Path, porch: SimulatedTablePorch, clock: HostClock, seconds_left: float
) -> None:
    state = show_game(GAME, GAME.create_game(2, Seat(0), GAME.settings_model()))
    reader = PictureReader(tmp_path / "porch.sock")
    try:
        while not (numbers := reader.read_numbers()) or max(numbers) == 0:
            porch.show(state, clock.now - 100.0 + seconds_left)
    finally:
        reader.close()
    assert numbers[-1] == 1
