"""The camera reader: frames become events, and a camera that goes away is reported, waited for and opened again.

A start in mid-round with a learnt layout: test_resumed_round.py; where late frames are dropped:
tests/hardware/cameras/test_live_camera.py.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import numpy as np
import pytest

from companion.api import CameraUse, registry
from companion.camera.camera_reader import REOPEN_SECONDS, CameraReader, WatchedTable, make_watcher
from companion.camera.camera_use import DEFAULT_CAMERA_USE, find_camera_use
from companion.camera.learnt_layouts import LayoutCache
from companion.camera.reports import STARTING_VIEW
from companion.events import (
    CameraState,
    CameraStateChanged,
    DeviceLost,
    DeviceRestored,
    DiceRead,
    LidCovered,
    TokenPlaced,
    TokenTaken,
)
from companion.vision.cups.watcher import CupRowWatcher
from companion.vision.reading import Image, ProblemKind, Reading, ViewProblem
from companion.vision.table.watcher import DiceAndLidWatcher
from tests.camera.scripted import LID, PICTURE, Clock, PluggableCamera, ScriptedWatcher, make_reader


def test_events_of_the_watcher_are_passed_on() -> None:
    reader, watcher, _, clock = make_reader()
    watcher.events = [
        DiceRead((2, 5), 0.97, 1.0, ((2, 6),)),
        TokenTaken(3, 4, 0.9, 1.1),
        TokenPlaced(3, None, 0.5, 1.2),
        LidCovered(1.3),
    ]
    clock.now = 2.0
    assert reader.poll() == [
        DiceRead((2, 5), 0.97, 1.0, ((2, 6),)),
        TokenTaken(3, 4, 0.9, 1.1),
        TokenPlaced(3, None, 0.5, 1.2),
        LidCovered(1.3),
    ]


def test_the_state_of_the_watcher_is_shown() -> None:
    reader, watcher, _, _ = make_reader()
    for state in CameraState:
        watcher.events, watcher.state = [CameraStateChanged(state, 1.0)], state
        (signal,) = reader.poll()
        assert signal == CameraStateChanged(state, 1.0)
        assert reader.camera_view.state == state


def test_a_lid_that_is_found_is_reported() -> None:
    reader, watcher, _, _ = make_reader()
    reader.poll()
    watcher.reading = Reading(lid=LID)
    assert reader.poll() == [CameraStateChanged(CameraState.SEARCHING, 0.0, lid_known=True)]
    assert reader.poll() == []


def test_a_lost_camera_is_reported_once_and_opened_again() -> None:
    reader, _, plug, clock = make_reader()
    reader.poll()
    plug.there = False
    assert reader.poll() == [DeviceLost("camera", 0.0), CameraStateChanged(CameraState.LOST, 0.0)]
    assert reader.poll() == []
    assert plug.closed == 1
    plug.there = True
    assert reader.poll() == []  # a second attempt only after a pause
    clock.now += REOPEN_SECONDS
    assert reader.poll()[0] == DeviceRestored("camera", clock.now)


def test_a_camera_that_was_never_there_is_reported_too() -> None:
    reader, _, plug, _ = make_reader()
    plug.there = False
    assert DeviceLost("camera", 0.0, "There is no camera: plug one in") in reader.poll()


def test_the_view_is_a_new_object_only_if_something_changed() -> None:
    reader, watcher, _, _ = make_reader()
    watcher.reading = Reading()
    reader.poll()
    first = reader.camera_view
    reader.poll()
    assert reader.camera_view is first
    watcher.reading = Reading()
    reader.poll()
    assert reader.camera_view is not first


class ScriptedViewChecker:
    """A view checker that reports the problem that the test sets."""

    def __init__(self) -> None:
        self.problem: ViewProblem | None = None
        self.seen: list[tuple[Image, float, CameraState, Reading | None]] = []

    def process_frame(self, image: Image, at: float, state: CameraState, reading: Reading | None) -> ViewProblem | None:
        self.seen.append((image, at, state, reading))
        return self.problem


def test_a_problem_of_the_view_is_shown_with_its_picture() -> None:
    checker = ScriptedViewChecker()
    reader, watcher, _, _ = make_reader(view_checker=checker)
    watcher.reading, watcher.state = Reading(), CameraState.STEADY
    reader.poll()
    assert checker.seen[-1][1:] == (0.0, CameraState.STEADY, watcher.reading)
    assert reader.camera_view.problem is None
    checker.problem = ViewProblem(ProblemKind.DARK, "It is dark", (0, 0, 160, 90))
    reader.poll()
    wrong = reader.camera_view
    assert wrong.problem is checker.problem
    assert wrong.picture is checker.seen[-1][0]
    reader.poll()
    assert reader.camera_view is wrong
    checker.problem = None
    reader.poll()
    assert reader.camera_view.problem is None


@pytest.mark.parametrize("image", [PICTURE[:, :, 0], np.dstack([PICTURE, PICTURE[:, :, :1]])])
def test_other_formats_are_converted(image: Image) -> None:
    reader, watcher, plug, _ = make_reader()
    plug.picture = image
    watcher.reading = Reading()
    reader.poll()
    assert reader.camera_view.picture is not None
    assert reader.camera_view.picture.shape == PICTURE.shape


def test_unusable_frames_are_skipped_and_each_kind_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    reader, watcher, plug, _ = make_reader()
    watcher.events = [LidCovered(1.0)]
    plug.picture = PICTURE[:1, :1]
    assert [reader.poll() for _ in range(3)] == [[], [], []]
    assert len(caplog.records) == 1
    plug.picture = PICTURE[:, :, :2]
    assert reader.poll() == []
    assert len(caplog.records) == 2, "another kind"
    plug.picture = PICTURE
    assert reader.poll() == [LidCovered(1.0)]


STORED = {"layout": [1, 2]}


def poll_event(path: Path) -> CameraReader:
    """Return a reader that has processed a frame with an event."""
    reader, watcher, _, _ = make_reader(LayoutCache(path))
    watcher.events, watcher.stored = [LidCovered(1.0)], STORED
    reader.poll()
    return reader


def test_the_layout_is_stored_after_its_event_was_delivered(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    reader = poll_event(path)
    assert LayoutCache(path).load() is None, "a slow disk must not delay the event"
    reader.poll()
    other, watcher, _, _ = make_reader(LayoutCache(path))
    other.poll()
    assert watcher.stored == STORED


def test_the_layout_is_stored_when_the_program_ends(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    poll_event(path).close()
    assert LayoutCache(path).load() == STORED


def test_a_reader_that_failed_stores_no_layout(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    reader = poll_event(path)
    reader.restart(discard_layout=False)
    reader.close()
    assert LayoutCache(path).load() is None


@pytest.mark.parametrize("damaged", [b"", b"{", b"\xff\xfe", b"[1]", b'{"else": 1}', b"[" * 9999])
def test_a_damaged_layout_is_set_aside_and_learnt_again(
    tmp_path: Path, damaged: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "table.json"
    (tmp_path / "journal.sqlite3").write_bytes(b"other")
    path.write_bytes(damaged)
    reader, watcher, _, _ = make_reader(LayoutCache(path))
    reader.poll()
    assert watcher.stored == {}
    assert "damaged" in caplog.text
    assert (tmp_path / "journal.sqlite3").read_bytes() == b"other"
    watcher.events, watcher.stored = [LidCovered(1.0)], {"layout": 1}
    reader.poll()
    reader.poll()
    assert LayoutCache(path).load() == {"layout": 1}
    assert (tmp_path / "table.damaged").read_bytes() == damaged
    assert len(caplog.records) == 1


def test_a_missing_layout_is_not_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    make_reader(LayoutCache(tmp_path / "table.json"))[0].poll()
    assert not caplog.records


def test_a_layout_that_cannot_be_written_is_ignored(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "table.json"
    LayoutCache(path).save({"layout": 1})
    assert LayoutCache(path).load() is None


OTHER_USE = replace(DEFAULT_CAMERA_USE, watcher="other")


def two_tables() -> tuple[CameraReader, dict[str, PluggableCamera], dict[str, ScriptedWatcher], Clock]:
    """Return a reader of two tables, and each one's camera and watcher."""
    clock = Clock()
    uses = (DEFAULT_CAMERA_USE, OTHER_USE)
    cameras = {use.watcher: PluggableCamera(clock) for use in uses}
    watchers = {use.watcher: ScriptedWatcher() for use in uses}

    def make_table(use: CameraUse) -> WatchedTable:
        return WatchedTable(cameras[use.watcher], watchers[use.watcher])

    return CameraReader(make_table, clock), cameras, watchers, clock


def test_no_camera_is_opened_before_the_first_poll() -> None:
    reader, cameras, _, _ = two_tables()
    assert reader.camera_view is STARTING_VIEW
    assert [camera.opened for camera in cameras.values()] == [0, 0]


def test_the_reader_follows_the_game() -> None:
    reader, cameras, watchers, clock = two_tables()
    first, second = cameras.values()
    reader.poll()
    assert first.opened == 1
    reader.camera_use = OTHER_USE
    assert reader.poll() == [CameraStateChanged(CameraState.SEARCHING, clock.now)]
    assert (first.closed, second.opened) == (1, 1)
    assert reader.poll() == []
    watchers[DEFAULT_CAMERA_USE.watcher].state = CameraState.STEADY
    reader.camera_use = DEFAULT_CAMERA_USE
    assert reader.poll() == [
        CameraStateChanged(CameraState.SEARCHING, clock.now),
        CameraStateChanged(CameraState.STEADY, clock.now),
    ]
    assert (second.closed, first.opened) == (1, 2)
    reader.close()
    assert first.closed == 2


def test_a_camera_is_closed_even_if_the_snapshot_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader, watcher, plug, _ = make_reader(LayoutCache(tmp_path / "table.json"))
    watcher.events = [LidCovered(1.0)]
    reader.poll()

    def fail() -> NoReturn:
        raise ZeroDivisionError

    monkeypatch.setattr(watcher, "snapshot", fail)
    with pytest.raises(ZeroDivisionError):
        reader.close()
    assert plug.closed == 1


def test_a_watcher_that_could_not_be_restored_is_not_used(tmp_path: Path) -> None:
    """It may be half restored."""
    (tmp_path / "table.json").write_text('{"else": 1}', encoding="utf-8")
    made: list[ScriptedWatcher] = []

    def make_table(use: CameraUse) -> WatchedTable:
        made.append(ScriptedWatcher())
        return WatchedTable(PluggableCamera(Clock()), made[-1], LayoutCache(tmp_path / "table.json"))

    reader = CameraReader(make_table, Clock())
    reader.poll()
    assert len(made) == 2
    made[0].events, made[1].events = [LidCovered(1.0)], [LidCovered(2.0)]
    assert reader.poll() == [LidCovered(2.0)]


def test_a_camera_lost_with_one_table_is_restored_with_another() -> None:
    reader, cameras, _, clock = two_tables()
    cameras[DEFAULT_CAMERA_USE.watcher].there = False
    assert isinstance(reader.poll()[0], DeviceLost)
    reader.camera_use = OTHER_USE
    clock.now += REOPEN_SECONDS
    assert DeviceRestored("camera", clock.now) in reader.poll()


def test_after_a_restart_the_table_is_made_again() -> None:
    tables: list[ScriptedWatcher] = []
    clock = Clock()
    camera = PluggableCamera(clock)

    def make_table(_use: CameraUse) -> WatchedTable:
        tables.append(ScriptedWatcher())
        return WatchedTable(camera, tables[-1])

    reader = CameraReader(make_table, clock)
    reader.poll()
    reader.restart(discard_layout=False)
    assert camera.closed == 1
    assert reader.poll() == []
    assert (len(tables), camera.opened) == (2, 2)


def test_games_declare_what_the_camera_follows() -> None:
    watchers = {"memo_dice": CupRowWatcher, "macroscope": DiceAndLidWatcher, "pictomania": DiceAndLidWatcher}
    for game, watcher in watchers.items():
        assert isinstance(make_watcher(find_camera_use(game)), watcher)
    files = {find_camera_use(game).layout_file for game in registry.list_game_names()}
    assert files == {"table.json", "row.json", "tray.json"}
    assert find_camera_use("not installed") is DEFAULT_CAMERA_USE
