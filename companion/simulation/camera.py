"""The virtual table's camera: nothing of the table but these frames reaches the game."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from companion.simulation.macroscope.appearance import Appearance
from companion.simulation.macroscope.render import MacroscopeRenderer
from companion.simulation.macroscope.table import MacroscopeTable
from hardware.cameras.sources import Frame

FRAMES_PER_SECOND = 15


class SteppedTable(Protocol):
    """A virtual table: its time is passed in."""

    def step(self, now: float) -> None: ...


class TableRenderer(Protocol):
    """Draws such a table as a BGR frame."""

    def render(self, table: Any) -> npt.NDArray[np.uint8]: ...


class SimulatedCamera:
    """Takes 15 pictures a second, by `clock`, of a table that it steps to the moment of each picture."""

    name = "virtual table"

    def __init__(self, table: SteppedTable, renderer: TableRenderer, clock: Callable[[], float]) -> None:
        self._table, self._renderer, self._clock = table, renderer, clock
        self._next = clock()
        self._index = 0

    def read(self) -> Frame | None:
        """The next picture; None before its time has come."""
        now = self._clock()
        if now < self._next:
            return None
        self._next += 1 / FRAMES_PER_SECOND
        if self._next <= now:
            # A camera that was not read for a while drops pictures; it does not deliver them late.
            self._next = now + 1 / FRAMES_PER_SECOND
        self._table.step(now)
        frame = Frame(self._renderer.render(self._table), now, self._index)
        self._index += 1
        return frame

    def close(self) -> None:
        """Nothing is held open."""


def create_macroscope_table(appearance: Appearance, rng: random.Random) -> tuple[MacroscopeTable, MacroscopeRenderer]:
    """A table and what draws it, both of one appearance."""
    return MacroscopeTable(rng, appearance.layout, appearance.die_size), MacroscopeRenderer(
        appearance, rng.getrandbits(32)
    )
