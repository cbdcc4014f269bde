"""The camera above a simulated table.

Other cameras: tests/hardware/cameras/.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from companion.simulation.camera import FRAMES_PER_SECOND, SimulatedCamera
from companion.testing.table import ManualClock


def test_table_is_stepped_to_each_of_fifteen_frames_a_second() -> None:
    clock = ManualClock()
    stepped: list[float] = []
    table: Any = SimpleNamespace(step=stepped.append)
    renderer: Any = SimpleNamespace(render=lambda _table: np.zeros((48, 64, 3), np.uint8))
    camera = SimulatedCamera(table, renderer, clock)
    taken = []
    for k in range(101):
        clock.now = 100.0 + k / 100
        frame = camera.read()
        if frame is not None:
            taken.append(frame)
    assert FRAMES_PER_SECOND <= len(taken) <= FRAMES_PER_SECOND + 1
    assert [(frame.index, frame.at) for frame in taken] == list(enumerate(stepped))
    clock.now += 5.0
    assert camera.read() is not None
    assert camera.read() is None, "frames that nobody read are dropped"
