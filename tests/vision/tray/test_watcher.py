"""A tray through the camera: what is thrown, taken out and thrown again in rendered frames."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from companion.events import CameraState, CameraStateChanged, DiceRead
from companion.games.macroscope.simulator.appearance import MacroscopeAppearance
from companion.simulation.dice_tray.render import TrayRenderer
from companion.simulation.dice_tray.table import DICE_TRAY, DiceTrayTable
from companion.vision.confidence_limits import MIN_PLAY_CONFIDENCE
from companion.vision.tray.reader import TrayDiceReader
from companion.vision.tray.watcher import DiceTrayWatcher, make_dice_tray_watcher
from tests.doubles.random_appearance import draw_random_appearance

FRAME_SECONDS = 0.1
LEANING_SEEDS = 2, 6
"""Trays whose leaning die is noticed; of how many it is: docs/measurements.md."""


class Tray:
    """A simulated tray under the watcher."""

    def __init__(self, seed: int, appearance: MacroscopeAppearance | None = None) -> None:
        self.rng = random.Random(seed)
        self.table = DiceTrayTable()
        self.renderer: TrayRenderer[DiceTrayTable] = TrayRenderer(
            appearance or MacroscopeAppearance(die_size_mm=16.0), seed, DICE_TRAY
        )
        self.watcher = make_dice_tray_watcher()
        self.now = 0.0
        assert self.watch() == []

    def watch(self, seconds: float = 1.0) -> list[DiceRead]:
        """Watch until nothing moves, and `seconds` more; return what was read."""
        found: list[DiceRead] = []
        until = self.now + seconds
        while self.now < until:
            self.now += FRAME_SECONDS
            self.table.step(self.now)
            if self.table.is_moving or self.watcher.state in (CameraState.ROLLING, CameraState.HAND):
                until = self.now + seconds
            for event in self.watcher.process_frame(self.renderer.render(self.table), self.now):
                if isinstance(event, DiceRead):
                    found.append(event)
                else:
                    assert isinstance(event, CameraStateChanged)
        return found

    def throw(self, count: int, *, leave: int = 0) -> DiceRead:
        """Throw dice; the first `leave` in the tray stay there."""
        self.table.throw_dice(count, self.rng, self.now, leave=self.table.planned_dice[:leave])
        return self.watch()[-1]


@pytest.fixture(scope="module")
def tray() -> Tray:
    return Tray(3)


@pytest.mark.full
@pytest.mark.sampled(1, full=0)
@pytest.mark.parametrize("count", [5, 1, 24])
def test_a_throw_is_read(tray: Tray, count: int) -> None:
    read = tray.throw(count)
    assert read.values == tuple(sorted(tray.table.values))
    assert read.confidence >= MIN_PLAY_CONFIDENCE
    assert read.thrown_values == read.values


def test_dice_set_aside_and_the_others_thrown_again(tray: Tray) -> None:
    first = tray.throw(5)
    tray.table.take(tray.table.planned_dice[:2], tray.now)
    (taken,) = tray.watch()
    assert taken.values == tuple(sorted(tray.table.values))
    assert len(taken.values) == 3
    assert all(taken.lying)
    again = tray.throw(2, leave=2)
    assert again.values == tuple(sorted(tray.table.values))
    assert len(again.thrown_values) == 2
    assert len(first.values) == 5


@pytest.mark.full
@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", LEANING_SEEDS)
def test_a_leaning_die_is_asked_about(seed: int) -> None:
    tray = Tray(seed)
    tray.table.throw_dice(8, tray.rng, tray.now, cocked=1)
    read = tray.watch(4.0)[-1]  # players have three seconds to straighten it
    assert read.confidence < MIN_PLAY_CONFIDENCE
    assert tray.watcher.state is CameraState.UNSURE


def test_a_restarted_watcher_repeats_no_throw(tray: Tray) -> None:
    tray.throw(6)
    stored = tray.watcher.snapshot()
    tray.watcher = make_dice_tray_watcher()
    tray.watcher.restore(stored)
    assert tray.watch() == []
    assert tray.watcher.reading is not None
    assert sorted(die.value for die in tray.watcher.reading.dice) == sorted(tray.table.values)


@pytest.mark.full
def test_a_picture_with_too_many_places_is_not_certain(tray: Tray) -> None:
    tray.throw(12)
    reader = TrayDiceReader()
    image = tray.renderer.render(tray.table)
    assert sum(die.is_certain for die in reader.read(image)) >= 11
    assert not reader.was_limited
    limited = TrayDiceReader(8)
    dice = limited.read(image)
    assert limited.was_limited
    assert dice
    assert not any(die.is_certain for die in dice)


@pytest.mark.full
@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", range(2))
def test_other_trays_and_dice(seed: int) -> None:
    appearance = replace(draw_random_appearance(random.Random(seed)), die_size_mm=16.0)
    tray = Tray(seed, appearance)
    read = tray.throw(15)
    assert read.values == tuple(sorted(tray.table.values)) or read.confidence < MIN_PLAY_CONFIDENCE
    assert isinstance(tray.watcher, DiceTrayWatcher)
