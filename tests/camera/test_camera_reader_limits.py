"""The camera reader: when silence counts, when it tries again, what it logs and what it stores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.camera.camera_reader import CameraReader, WatchedTable
from companion.camera.learnt_layouts import LayoutCache
from companion.events import CameraState, CameraStateChanged, DeviceLost, LidCovered
from companion.vision.reading import Reading
from hardware.cameras.live_camera import Camera, CameraLost, Frame
from tests.camera.scripted import LID, Clock, PluggableCamera, ScriptedWatcher, make_reader, poll_every
from tests.camera.test_silent_camera import make_silent_reader


def test_a_camera_is_lost_after_three_seconds_without_a_picture_and_opened_again_after_twelve() -> None:
    reader, _, camera, clock = make_silent_reader()
    reader.poll()
    camera.silent = True
    assert poll_every(reader, clock, 0.5, 2.5) == []
    assert [at for at, event in poll_every(reader, clock, 0.5, 11.5) if isinstance(event, DeviceLost)] == [3.0]
    assert camera.closed == 0
    poll_every(reader, clock, 0.5, 12.0)
    assert camera.closed == 1


def test_a_virtual_camera_is_late_on_a_busy_computer_and_never_lost() -> None:
    reader, _, camera, clock = make_reader(is_virtual=True)
    reader.poll()
    camera.silent = True
    assert poll_every(reader, clock, 0.5, 30.0) == []
    assert camera.closed == 0


def test_a_silent_camera_that_is_gone_when_opened_again_is_lost_and_not_unknown() -> None:
    reader, _, camera, clock = make_silent_reader()
    reader.poll()
    camera.silent = True
    poll_every(reader, clock, 0.5, 12.0)
    camera.there = False
    events = [event for _, event in poll_every(reader, clock, 0.5, 14.0)]
    lost, state = events
    assert isinstance(lost, DeviceLost)
    assert lost.message == "", "it is not said that there is no camera"
    assert isinstance(state, CameraStateChanged)
    assert state.state is CameraState.LOST


@pytest.mark.parametrize(("step", "is_lost"), [(1.0, True), (1.25, False)])
def test_a_gap_of_more_than_a_second_between_two_polls_is_no_silence(step: float, is_lost: bool) -> None:
    reader, _, camera, clock = make_silent_reader()
    clock.now = 50.0
    reader.poll()
    camera.silent = True
    events = [event for _, event in poll_every(reader, clock, step, 60.0)]
    assert any(isinstance(event, DeviceLost) for event in events) is is_lost


def test_a_missing_camera_is_searched_for_every_second() -> None:
    tried: list[float] = []
    clock = Clock()

    def open_camera() -> Camera:
        tried.append(clock.now)
        raise CameraLost("not there")

    reader = CameraReader(lambda _: WatchedTable(open_camera, ScriptedWatcher()), clock)
    reader.poll()
    poll_every(reader, clock, 0.25, 3.0)
    assert tried == [0.0, 1.0, 2.0, 3.0]


class GoneCamera(PluggableCamera):
    """A camera that can be opened but not read, while it is not there."""

    def __call__(self) -> Camera:
        self.opened += 1
        return self

    def read(self) -> Frame | None:
        return super().read()


def test_a_camera_that_cannot_be_read_is_logged_once_until_it_gives_pictures(
    caplog: pytest.LogCaptureFixture,
) -> None:
    reader, _, camera, clock = make_reader(camera=GoneCamera(Clock()))
    for _ in range(2):
        reader.poll()
        camera.there = False
        poll_every(reader, clock, 0.5, clock.now + 5.0)
        camera.there = True
        poll_every(reader, clock, 0.5, clock.now + 2.0)
    assert camera.opened > 5
    assert [record.getMessage() for record in caplog.records if record.levelname == "WARNING"] == ["gone", "gone"]


@pytest.mark.parametrize(
    ("reading", "lid_known"), [(None, False), (Reading(), False), (Reading(lid=LID), True)], ids=["none", "dice", "lid"]
)
def test_a_state_is_announced_with_whether_the_lid_is_known(reading: Reading | None, lid_known: bool) -> None:
    reader, watcher, _, _ = make_reader()
    reader.poll()
    watcher.state, watcher.reading = CameraState.STEADY, reading
    assert reader.poll() == [CameraStateChanged(CameraState.STEADY, 0.0, lid_known)]
    assert reader.poll() == []


def test_a_state_that_the_watcher_announces_itself_is_not_announced_twice() -> None:
    reader, watcher, camera, clock = make_reader()
    reader.poll()
    camera.there = False
    reader.poll()
    camera.there = True
    clock.now = 1.0
    watcher.state, watcher.events = CameraState.STEADY, [CameraStateChanged(CameraState.STEADY, 1.0, lid_known=True)]
    assert [event for event in reader.poll() if isinstance(event, CameraStateChanged)] == [
        CameraStateChanged(CameraState.STEADY, 1.0, lid_known=True)
    ]


def test_a_dark_room_is_no_lost_camera() -> None:
    reader, watcher, _, _ = make_reader()
    watcher.state = CameraState.BLIND
    assert reader.poll() == [CameraStateChanged(CameraState.BLIND, 0.0)]
    assert reader.camera_view.picture is not None


class CountingWatcher(ScriptedWatcher):
    """Counts its snapshots."""

    snapshots = 0

    def snapshot(self) -> dict[str, Any]:
        self.snapshots += 1
        return super().snapshot()


def test_a_layout_is_taken_once_after_each_frame_with_events(tmp_path: Path) -> None:
    clock, watcher = Clock(), CountingWatcher()
    cache = LayoutCache(tmp_path / "table.json")
    reader = CameraReader(lambda _: WatchedTable(PluggableCamera(clock), watcher, cache), clock)
    for _ in range(3):
        watcher.events = [LidCovered(1.0)]
        for _ in range(4):
            reader.poll()
    assert watcher.snapshots == 3


@pytest.mark.parametrize("discards", [True, False])
def test_a_stored_layout_that_may_be_the_cause_is_set_aside(tmp_path: Path, discards: bool) -> None:
    path = tmp_path / "table.json"
    LayoutCache(path).save({"layout": 1})
    reader, _, _, _ = make_reader(LayoutCache(path))
    reader.restart(discard_layout=discards)
    assert path.exists(), "no table was made yet"
    reader.poll()
    reader.restart(discard_layout=discards)
    assert path.exists() is not discards


def test_a_table_that_stores_nothing_can_be_restarted() -> None:
    reader, _, camera, _ = make_reader()
    reader.poll()
    reader.restart(discard_layout=True)
    assert camera.closed == 1
    reader.restart(discard_layout=True)
    assert camera.closed == 1


def test_without_a_stored_layout_one_table_is_made(tmp_path: Path) -> None:
    made: list[ScriptedWatcher] = []

    def make_table(_use: object) -> WatchedTable:
        made.append(ScriptedWatcher())
        return WatchedTable(PluggableCamera(Clock()), made[-1], LayoutCache(tmp_path / "table.json"))

    CameraReader(make_table, Clock()).poll()
    assert len(made) == 1


def test_a_layout_is_set_aside_only_if_there_is_one(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    cache = LayoutCache(tmp_path / "table.json")
    cache.set_aside()
    assert not caplog.records
    cache.save({"layout": 1})
    cache.set_aside()
    assert len(caplog.records) == 1
    assert cache.load() is None


def test_a_layout_is_written_only_if_it_changed(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    cache = LayoutCache(path)
    cache.save({"layout": 1})
    path.unlink()
    cache.save({"layout": 1})
    assert not path.exists()
    cache.save({"layout": 2})
    assert LayoutCache(path).load() == {"layout": 2}
