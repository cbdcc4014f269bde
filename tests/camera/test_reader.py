"""The eyes: frames become stamped signals, and a camera that goes away is said, waited for and taken back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion.camera.layout_cache import LayoutCache
from companion.camera.reader import REOPEN_SECONDS, CameraReader
from companion.camera.worker import CameraWorker
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
from companion.vision.reading import Image, Reading
from companion.vision.view_check.problem import ProblemKind, ViewProblem
from tests.camera.scripted import LID, PICTURE, Clock, PluggableCamera, ScriptedWatcher, make_reader


def test_events_become_signals_with_the_frames_stamp() -> None:
    looking, watcher, _, clock = make_reader()
    watcher.events = [
        DiceRead((2, 5), 0.97, 1.0, ((2, 6),)),
        TokenTaken(3, 4, 0.9, 1.1),
        TokenPlaced(3, None, 0.5, 1.2),
        LidCovered(1.3),
    ]
    clock.now = 2.0
    assert looking.poll() == [
        DiceRead((2, 5), 0.97, 1.0, ((2, 6),)),
        TokenTaken(3, 4, 0.9, 1.1),
        TokenPlaced(3, None, 0.5, 1.2),
        LidCovered(1.3),
    ]


def test_every_state_of_the_watcher_is_one_of_the_screen() -> None:
    looking, watcher, _, _ = make_reader()
    for state in CameraState:
        watcher.events, watcher.state = [CameraStateChanged(state, 1.0)], state
        (signal,) = looking.poll()
        assert signal == CameraStateChanged(CameraState(state), 1.0)
        assert looking.camera_view.state == CameraState(state)


def test_the_table_is_told_when_the_lid_is_found() -> None:
    looking, watcher, _, _ = make_reader()
    looking.poll()
    watcher.reading = Reading(lid=LID)
    assert looking.poll() == [CameraStateChanged(CameraState.SEARCHING, 0.0, lid_known=True)]
    assert looking.poll() == []


def test_a_camera_that_goes_is_said_once_and_taken_back_when_it_returns() -> None:
    looking, _, plug, clock = make_reader()
    looking.poll()
    plug.there = False
    assert looking.poll() == [DeviceLost("camera", 0.0), CameraStateChanged(CameraState.LOST, 0.0)]
    assert looking.poll() == []
    assert plug.closed == 1
    plug.there = True
    assert looking.poll() == []  # not tried again at once
    clock.now += REOPEN_SECONDS
    assert looking.poll()[0] == DeviceRestored("camera", clock.now)


def test_a_camera_that_was_never_there_is_said_too() -> None:
    looking, _, plug, _ = make_reader()
    plug.there = False
    assert DeviceLost("camera", 0.0, "There is no camera: plug one in") in looking.poll()


def test_a_new_picture_only_when_something_is_new() -> None:
    looking, watcher, _, _ = make_reader()
    watcher.reading = Reading()
    looking.poll()
    first = looking.camera_view
    looking.poll()
    assert looking.camera_view is first
    watcher.reading = Reading()
    looking.poll()
    assert looking.camera_view is not first


class ScriptedViewChecker:
    """Judges the view as the test has it judge."""

    def __init__(self) -> None:
        self.problem: ViewProblem | None = None
        self.seen: list[tuple[Image, float, CameraState, Reading | None]] = []

    def process_frame(self, image: Image, at: float, state: CameraState, reading: Reading | None) -> ViewProblem | None:
        self.seen.append((image, at, state, reading))
        return self.problem


def test_what_is_wrong_with_the_view_is_shown_with_the_picture_it_is_in() -> None:
    clock, watcher, judge = Clock(), ScriptedWatcher(), ScriptedViewChecker()
    looking = CameraReader(PluggableCamera(clock), watcher, clock, None, judge)
    watcher.reading, watcher.state = Reading(), CameraState.STEADY
    looking.poll()
    assert judge.seen[-1][1:] == (0.0, CameraState.STEADY, watcher.reading)
    assert looking.camera_view.problem is None
    judge.problem = ViewProblem(ProblemKind.DARK, "It is dark", (0, 0, 160, 90))
    looking.poll()
    wrong = looking.camera_view
    assert wrong.problem is judge.problem
    assert wrong.picture is judge.seen[-1][0]
    looking.poll()
    assert looking.camera_view is wrong
    judge.problem = None
    looking.poll()
    assert looking.camera_view.problem is None


@pytest.mark.parametrize("image", [PICTURE[:, :, 0], np.dstack([PICTURE, PICTURE[:, :, :1]])])
def test_a_camera_of_another_format_is_seen_through(image: Image) -> None:
    clock, watcher = Clock(), ScriptedWatcher()
    plug = PluggableCamera(clock)
    plug.picture = image
    watcher.reading = Reading()
    looking = CameraReader(plug, watcher, clock)
    looking.poll()
    assert looking.camera_view.picture is not None
    assert looking.camera_view.picture.shape == PICTURE.shape


def test_a_frame_that_is_none_is_left_out_and_said_once(caplog: pytest.LogCaptureFixture) -> None:
    looking, watcher, plug, _ = make_reader()
    watcher.events = [LidCovered(1.0)]
    plug.picture = PICTURE[:1, :1]
    assert [looking.poll() for _ in range(3)] == [[], [], []]
    assert len(caplog.records) == 1
    plug.picture = PICTURE
    assert looking.poll() == [LidCovered(1.0)]


def test_what_was_learnt_survives_a_restart(tmp_path: Path) -> None:
    looking, watcher, _, _ = make_reader(LayoutCache(tmp_path))
    watcher.events, watcher.kept = [LidCovered(1.0)], {"layout": [1, 2]}
    looking.poll()
    assert LayoutCache(tmp_path).load() is None  # what was seen is told first: a slow disk must not hold it up
    looking.poll()
    _, again, _, _ = make_reader(LayoutCache(tmp_path))
    assert again.kept == {"layout": [1, 2]}


def test_what_was_seen_last_is_kept_when_the_program_ends(tmp_path: Path) -> None:
    looking, watcher, _, _ = make_reader(LayoutCache(tmp_path))
    watcher.events, watcher.kept = [LidCovered(1.0)], {"layout": [1, 2]}
    looking.poll()
    looking.close()
    assert LayoutCache(tmp_path).load() == {"layout": [1, 2]}


def test_of_eyes_that_fell_nothing_is_kept(tmp_path: Path) -> None:
    looking, watcher, _, _ = make_reader(LayoutCache(tmp_path))
    watcher.events, watcher.kept = [LidCovered(1.0)], {"layout": [1, 2]}
    looking.poll()
    looking.restart(discard_layout=False)
    looking.close()
    assert LayoutCache(tmp_path).load() is None


@pytest.mark.parametrize("damaged", [b"", b"{", b"\xff\xfe", b"[1]", b'{"else": 1}'])
def test_a_damaged_memory_costs_nothing_but_the_learning(tmp_path: Path, damaged: bytes) -> None:
    (tmp_path / "table.json").write_bytes(damaged)
    _, watcher, _, _ = make_reader(LayoutCache(tmp_path))
    assert watcher.kept == {}


@pytest.mark.parametrize("damaged", [b"", b"{", b"\xff\xfe", b"[1]", b'{"else": 1}', b"[" * 9999])
def test_a_damaged_memory_is_set_aside_and_said(
    tmp_path: Path, damaged: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "journal.sqlite3").write_bytes(b"not mine")
    (tmp_path / "table.json").write_bytes(damaged)
    looking, watcher, _, _ = make_reader(LayoutCache(tmp_path))
    assert "set aside as table.damaged" in caplog.text
    assert (tmp_path / "table.damaged").read_bytes() == damaged
    assert (tmp_path / "journal.sqlite3").read_bytes() == b"not mine"
    watcher.events, watcher.kept = [LidCovered(1.0)], {"layout": 1}
    looking.poll()
    looking.poll()
    assert LayoutCache(tmp_path).load() == {"layout": 1}
    assert len(caplog.records) == 1


def test_no_memory_yet_is_nothing_to_tell(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    make_reader(LayoutCache(tmp_path))
    assert not caplog.records


def test_a_disk_that_cannot_be_written_costs_the_memory_only(tmp_path: Path) -> None:
    memory = LayoutCache(tmp_path / "nowhere")
    memory.save({"layout": 1})
    assert LayoutCache(tmp_path / "nowhere").load() is None


def test_in_the_background_nothing_is_lost_and_the_window_is_woken() -> None:
    import threading

    looking, watcher, _, _ = make_reader()
    woken = threading.Event()
    watcher.events = [LidCovered(1.0)]
    background = CameraWorker(looking, woken.set)
    try:
        assert woken.wait(10.0)
        assert background.poll() == [LidCovered(1.0)]
    finally:
        background.close()
