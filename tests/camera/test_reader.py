"""The eyes: frames become stamped signals, and a camera that goes away is said, waited for and taken back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion.camera.layout_cache import Memory
from companion.camera.reader import BACK_OFF, Looking
from companion.camera.worker import Background
from companion.events import CameraSays, CameraState, DeviceBack, DeviceLost, DiceRead, LidReady, TokenPut, TokenTaken
from companion.vision.reading import Image, Reading
from companion.vision.table.events import DiceEvent, LidReadyEvent, State, StateEvent, TokenPutEvent, TokenTakenEvent
from companion.vision.view_check.problem import Problem, Trouble
from tests.camera.scripted import LID, PICTURE, Clock, Plug, Scripted, eyes


def test_events_become_signals_with_the_frames_stamp() -> None:
    looking, watcher, _, clock = eyes()
    watcher.events = [
        DiceEvent((2, 5), 0.97, ((2, 6),), 1.0),
        TokenTakenEvent(3, 4, 0.9, 1.1),
        TokenPutEvent(3, None, 0.5, 1.2),
        LidReadyEvent(1.3),
    ]
    clock.now = 2.0
    assert looking.look() == [
        DiceRead((2, 5), 0.97, 1.0, ((2, 6),)),
        TokenTaken(3, 4, 0.9, 1.1),
        TokenPut(3, None, 0.5, 1.2),
        LidReady(1.3),
    ]


def test_every_state_of_the_watcher_is_one_of_the_screen() -> None:
    looking, watcher, _, _ = eyes()
    for state in State:
        watcher.events, watcher.state = [StateEvent(state, 1.0)], state
        (signal,) = looking.look()
        assert signal == CameraSays(CameraState(state), 1.0)
        assert looking.eyes.state == CameraState(state)


def test_the_table_is_told_when_the_lid_is_found() -> None:
    looking, watcher, _, _ = eyes()
    looking.look()
    watcher.reading = Reading(lid=LID)
    assert looking.look() == [CameraSays(CameraState.LOOKING, 0.0, lid=True)]
    assert looking.look() == []


def test_a_camera_that_goes_is_said_once_and_taken_back_when_it_returns() -> None:
    looking, _, plug, clock = eyes()
    looking.look()
    plug.there = False
    assert looking.look() == [DeviceLost("camera", 0.0), CameraSays(CameraState.LOST, 0.0)]
    assert looking.look() == []
    assert plug.closed == 1
    plug.there = True
    assert looking.look() == []  # not tried again at once
    clock.now += BACK_OFF
    assert looking.look()[0] == DeviceBack("camera", clock.now)


def test_a_camera_that_was_never_there_is_said_too() -> None:
    looking, _, plug, _ = eyes()
    plug.there = False
    assert DeviceLost("camera", 0.0, "There is no camera: plug one in") in looking.look()


def test_a_new_picture_only_when_something_is_new() -> None:
    looking, watcher, _, _ = eyes()
    watcher.reading = Reading()
    looking.look()
    first = looking.eyes
    looking.look()
    assert looking.eyes is first
    watcher.reading = Reading()
    looking.look()
    assert looking.eyes is not first


class Judge:
    """Judges the view as the test has it judge."""

    def __init__(self) -> None:
        self.problem: Problem | None = None
        self.seen: list[tuple[Image, float, State, Reading | None]] = []

    def see(self, image: Image, at: float, state: State, reading: Reading | None) -> Problem | None:
        self.seen.append((image, at, state, reading))
        return self.problem


def test_what_is_wrong_with_the_view_is_shown_with_the_picture_it_is_in() -> None:
    clock, watcher, judge = Clock(), Scripted(), Judge()
    looking = Looking(Plug(clock), watcher, clock, None, judge)
    watcher.reading, watcher.state = Reading(), State.STEADY
    looking.look()
    assert judge.seen[-1][1:] == (0.0, State.STEADY, watcher.reading)
    assert looking.eyes.problem is None
    judge.problem = Problem(Trouble.DARK, "It is dark", (0, 0, 160, 90))
    looking.look()
    wrong = looking.eyes
    assert wrong.problem is judge.problem
    assert wrong.picture is judge.seen[-1][0]
    looking.look()
    assert looking.eyes is wrong
    judge.problem = None
    looking.look()
    assert looking.eyes.problem is None


@pytest.mark.parametrize("image", [PICTURE[:, :, 0], np.dstack([PICTURE, PICTURE[:, :, :1]])])
def test_a_camera_of_another_format_is_seen_through(image: Image) -> None:
    clock, watcher = Clock(), Scripted()
    plug = Plug(clock)
    plug.picture = image
    watcher.reading = Reading()
    looking = Looking(plug, watcher, clock)
    looking.look()
    assert looking.eyes.picture is not None
    assert looking.eyes.picture.shape == PICTURE.shape


def test_a_frame_that_is_none_is_left_out_and_said_once(caplog: pytest.LogCaptureFixture) -> None:
    looking, watcher, plug, _ = eyes()
    watcher.events = [LidReadyEvent(1.0)]
    plug.picture = PICTURE[:1, :1]
    assert [looking.look() for _ in range(3)] == [[], [], []]
    assert len(caplog.records) == 1
    plug.picture = PICTURE
    assert looking.look() == [LidReady(1.0)]


def test_what_was_learnt_survives_a_restart(tmp_path: Path) -> None:
    looking, watcher, _, _ = eyes(Memory(tmp_path))
    watcher.events, watcher.kept = [LidReadyEvent(1.0)], {"layout": [1, 2]}
    looking.look()
    assert Memory(tmp_path).recall() is None  # what was seen is told first: a slow disk must not hold it up
    looking.look()
    _, again, _, _ = eyes(Memory(tmp_path))
    assert again.kept == {"layout": [1, 2]}


def test_what_was_seen_last_is_kept_when_the_program_ends(tmp_path: Path) -> None:
    looking, watcher, _, _ = eyes(Memory(tmp_path))
    watcher.events, watcher.kept = [LidReadyEvent(1.0)], {"layout": [1, 2]}
    looking.look()
    looking.close()
    assert Memory(tmp_path).recall() == {"layout": [1, 2]}


def test_of_eyes_that_fell_nothing_is_kept(tmp_path: Path) -> None:
    looking, watcher, _, _ = eyes(Memory(tmp_path))
    watcher.events, watcher.kept = [LidReadyEvent(1.0)], {"layout": [1, 2]}
    looking.look()
    looking.restart(forget=False)
    looking.close()
    assert Memory(tmp_path).recall() is None


@pytest.mark.parametrize("damaged", [b"", b"{", b"\xff\xfe", b"[1]", b'{"else": 1}'])
def test_a_damaged_memory_costs_nothing_but_the_learning(tmp_path: Path, damaged: bytes) -> None:
    (tmp_path / "table.json").write_bytes(damaged)
    _, watcher, _, _ = eyes(Memory(tmp_path))
    assert watcher.kept == {}


@pytest.mark.parametrize("damaged", [b"", b"{", b"\xff\xfe", b"[1]", b'{"else": 1}', b"[" * 9999])
def test_a_damaged_memory_is_set_aside_and_said(
    tmp_path: Path, damaged: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "journal.sqlite3").write_bytes(b"not mine")
    (tmp_path / "table.json").write_bytes(damaged)
    looking, watcher, _, _ = eyes(Memory(tmp_path))
    assert "set aside as table.damaged.json" in caplog.text
    assert (tmp_path / "table.damaged.json").read_bytes() == damaged
    assert (tmp_path / "journal.sqlite3").read_bytes() == b"not mine"
    watcher.events, watcher.kept = [LidReadyEvent(1.0)], {"layout": 1}
    looking.look()
    looking.look()
    assert Memory(tmp_path).recall() == {"layout": 1}
    assert len(caplog.records) == 1


def test_no_memory_yet_is_nothing_to_tell(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    eyes(Memory(tmp_path))
    assert not caplog.records


def test_a_disk_that_cannot_be_written_costs_the_memory_only(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "nowhere")
    memory.keep({"layout": 1})
    assert memory.recall() is None


def test_in_the_background_nothing_is_lost_and_the_window_is_woken() -> None:
    import threading

    looking, watcher, _, _ = eyes()
    woken = threading.Event()
    watcher.events = [LidReadyEvent(1.0)]
    background = Background(looking, woken.set)
    try:
        assert woken.wait(10.0)
        assert background.look() == [LidReady(1.0)]
    finally:
        background.close()
