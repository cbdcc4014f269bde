"""Whether a frame can be compared with those before it, and whether a camera that gives frames sees anything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from companion.events import CameraState, CameraStateChanged, LidCovered
from companion.vision.base_watcher import TableWatcher
from companion.vision.frames.motion import FrameChange
from companion.vision.reading import Image

SIZE = (240, 320)


class RecordingWatcher(TableWatcher[LidCovered]):
    """Notes what the base class asks of it, and is steady whenever a frame can be compared."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[str] = []

    def snapshot(self) -> dict[str, Any]:
        return {"size": list(self._frame_size)}

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        self._frame_size = tuple(snapshot["size"])

    def _forget_positions(self) -> None:
        self.calls.append("forget")

    def _restart_comparison(self, at: float) -> None:
        self.calls.append("restart")

    def _process_change(self, image: Image, change: FrameChange, at: float) -> list[LidCovered | CameraStateChanged]:
        self.calls.append("compare")
        return [*self._set_state(CameraState.STEADY, at)]


def draw_table(seed: int, level: float = 130.0, size: tuple[int, int] = SIZE) -> Image:
    """A plain table with the noise of a camera."""
    rng = np.random.default_rng(seed)
    return np.clip(rng.normal(level, 2.0, (*size, 3)), 0, 255).astype(np.uint8)


def process_frames(watcher: RecordingWatcher, images: list[Image], begin: float = 0.0) -> list[CameraState]:
    """Show one image a second; return the state after each, and keep only the calls that they made."""
    watcher.calls.clear()
    states = []
    for i, image in enumerate(images):
        watcher.process_frame(image, begin + i)
        states.append(watcher.state)
    return states


def make_settled_watcher() -> RecordingWatcher:
    watcher = RecordingWatcher()
    assert process_frames(watcher, [draw_table(i) for i in range(5)])[-1] is CameraState.STEADY
    assert watcher.calls == ["forget", "restart"] + 4 * ["compare"]
    return watcher


def test_a_frame_of_another_size_cannot_be_compared() -> None:
    watcher = make_settled_watcher()
    assert process_frames(watcher, [draw_table(9, size=(480, 640))], begin=5) == [CameraState.SEARCHING]
    assert watcher.calls == ["forget", "restart"]
    assert watcher.snapshot() == {"size": [480, 640]}


def test_the_size_from_before_a_restart_is_the_same_size() -> None:
    watcher = RecordingWatcher()
    watcher.restore({"size": SIZE})
    process_frames(watcher, [draw_table(1)])
    assert watcher.calls == ["restart"]


def test_a_covered_lens_is_blind_until_it_is_free() -> None:
    watcher = make_settled_watcher()
    dark = process_frames(watcher, [draw_table(i, level=2.0) for i in range(20, 24)], begin=5)
    assert dark == 4 * [CameraState.BLIND]
    free = process_frames(watcher, [draw_table(30), draw_table(31)], begin=9)
    assert free == [CameraState.SEARCHING, CameraState.STEADY]
    assert watcher.calls == ["restart", "compare"]


@pytest.mark.parametrize(("seconds", "state"), [(9, CameraState.STEADY), (10, CameraState.BLIND)])
def test_identical_frames_for_ten_seconds_are_a_hanging_camera(seconds: int, state: CameraState) -> None:
    watcher = make_settled_watcher()
    assert process_frames(watcher, [draw_table(7)] * (seconds + 1), begin=5)[-1] is state


def test_nothing_is_compared_after_a_hanging_camera_goes_on() -> None:
    watcher = make_settled_watcher()
    assert process_frames(watcher, [draw_table(7)] * 12, begin=5)[-1] is CameraState.BLIND
    assert process_frames(watcher, [draw_table(8)], begin=17) == [CameraState.SEARCHING]
    assert watcher.calls == ["restart"]
