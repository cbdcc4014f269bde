"""`companion dice-test`: by keys, at the simulated table, in a folder of frames and with a live camera."""

from __future__ import annotations

import csv
import os
import random
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import pytest

from companion.app.self_play import FRAME_SECONDS, SimulatedClock
from companion.cli import main
from companion.commands.dice_test.sources import LANDING_WEIGHTS, CameraThrows, VirtualThrows
from companion.commands.dice_test.throws import ThrowCounter
from companion.events import DeviceLost, DeviceRestored, DiceRead, Event
from companion.games.macroscope.simulator.appearance import MacroscopeAppearance
from companion.games.macroscope.simulator.kit import create_macroscope_table
from companion.simulation.camera import SimulatedCamera
from companion.simulation.dice_throws import LandingPlace
from hardware.cameras.live_camera import CameraLost, Frame
from tests.conftest import REPOSITORY


@contextmanager
def typed(monkeypatch: pytest.MonkeyPatch, text: str) -> Iterator[None]:
    """Give the command this text on a pipe as stdin, which then ends."""
    reading, writing = os.pipe()
    os.write(writing, text.encode())
    os.close(writing)
    with os.fdopen(reading) as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        yield


def read_rows(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text().splitlines()))


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    try:
        status = main(["dice-test", *map(str, words)])
    except SystemExit as ended:
        status = int(ended.code or 0)
    said = capsys.readouterr()
    return status, said.out, said.err


def test_a_die_is_tested_by_keys(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with typed(monkeypatch, "1 2 3 4 5 6 u 6 " * 9 + "7 1 q"):
        status, out, err = run(capsys, "--table", "keyboard", "--csv", tmp_path / "t.csv")
    assert (status, err) == (0, "")
    assert "55 throws: 0 read by the camera, 55 entered." in out
    assert "7 is no face" in out
    assert "Nothing speaks against this die." in out
    rows = read_rows(tmp_path / "t.csv")
    assert [int(row["face"]) for row in rows] == [1, 2, 3, 4, 5, 6] * 9 + [1]


def test_it_ends_by_itself_and_with_the_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with typed(monkeypatch, "6" * 30):
        status, out, _err = run(capsys, "--table", "keyboard", "--throws", 10)
    assert status == 0
    assert "10 throws:" in out
    with typed(monkeypatch, "19\n20\n3\n"):
        status, out, _err = run(capsys, "--faces", 20)
    assert status == 0
    assert "3 throws:" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--throws", "9"], "from 10 to 1000"),
        (["--throws", "1001"], "from 10 to 1000"),
        (["--throws", "many"], "no whole number"),
        (["--faces", "1"], "from 2 to 20"),
        (["--faces", "8", "--table", "real"], "the camera reads only dice with 6 faces"),
        (["--faces", "8", "--table", "virtual"], "use --table keyboard for one with 8"),
        (["--table", "keyboard", "--camera", "1"], "--camera is for a real table"),
        (["--seed", "3"], "--seed is for the simulated die"),
        (["--loaded", "6", "--table", "keyboard"], "--loaded is for the simulated die"),
        (["--loaded", "7", "--table", "virtual"], "from 1 to 6"),
        (["--csv", "."], ": . is a folder: name a file"),
        (["--csv", "/dev/null"], "is a pipe or a device: name a file"),
        (["--csv", "x" * 5000], "File name too long"),
        (["--thorws", "50"], "did you mean --throws?"),
        (["--table", "vitual"], "did you mean virtual?"),
    ],
)
def test_wrong_command_lines_are_refused(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, *words)
    assert (status, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


def test_without_throws_or_camera_or_file_it_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with typed(monkeypatch, ""):
        status, _out, err = run(capsys, "--table", "keyboard")
    assert (status, err) == (1, "No throw was counted, so nothing can be said about the die.\n")
    status, _out, err = run(capsys, "--camera", tmp_path / "none")
    assert status == 1
    assert "no such camera" in err
    assert "--table keyboard" in err
    status, _out, err = run(capsys, "--table", "keyboard", "--csv", tmp_path / "no" / "such.csv")
    assert status == 1
    assert "No such file" in err


@pytest.mark.full
def test_the_simulated_die_tests_itself(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ("--table", "virtual", "--throws", 10, "--seed", 4, "--csv", tmp_path / "t.csv")
    status, out, err = run(capsys, *words)
    assert (status, err) == (0, "")
    assert "10 throws: 10 read by the camera, 0 entered." in out
    assert "of the 10 readings 0 were wrong" in out
    rows = read_rows(tmp_path / "t.csv")
    assert {row["how"] for row in rows} == {"camera"}
    assert all(float(row["confidence"]) >= 0.9 and row["face"] == row["read"] for row in rows)


@pytest.mark.full
@pytest.mark.timeout(900)
def test_the_example_of_the_page_is_what_the_command_prints(capsys: pytest.CaptureFixture[str]) -> None:
    page = (REPOSITORY / "docs/dice-test.md").read_text(encoding="utf-8")
    found = re.search(r"\(`companion dice-test ([^`]*)`[^\n]*\n\n```\n(.*?)```", page, re.DOTALL)
    assert found
    status, out, err = run(capsys, *found[1].split())
    assert (status, err) == (0, "")
    assert " ".join(found[2].split()) in " ".join(out.split()), "as after other networks: write it there again"


@pytest.mark.full
def test_cocked_dice_are_asked_about_and_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LANDING_WEIGHTS, LandingPlace.TRAY, 0.3)
    monkeypatch.setitem(LANDING_WEIGHTS, LandingPlace.COCKED, 0.7)
    counter = ThrowCounter(6, 3)
    source = VirtualThrows(counter, random.Random(2), [1.0] * 6)
    while not counter.is_done:
        for event in source.poll():
            counter.handle_event(event)
        counter.handle_keys(source.answer(counter.question))
    assert [throw.face for throw in counter.throws] == list(source.list_true_faces())
    assert counter.left_out, "seven of ten are cocked"


class BlindWatcher:
    """Reports nothing, like a camera that looks elsewhere."""

    def process_frame(self, _image: object, _at: float) -> list[Event]:
        return []


def test_throws_that_the_camera_does_not_see_are_left_out() -> None:
    counter = ThrowCounter(6, 3)
    source = VirtualThrows(counter, random.Random(2), [1.0] * 6, BlindWatcher())
    while len(counter.left_out) < 2:
        for event in source.poll():
            counter.handle_event(event)
    assert counter.throws == []
    assert {throw.reading for throw in counter.left_out} == {None}


def throw_once(folder: Path | None, faces: tuple[int, ...]) -> list[Frame]:
    """Frames of a simulated table on which one die is thrown again and again."""
    clock, rng, frames = SimulatedClock(), random.Random(6), list[Frame]()
    table, renderer = create_macroscope_table(MacroscopeAppearance(), rng)
    camera = SimulatedCamera(table, renderer, clock)
    for face in (None, *faces):
        if face is not None:
            table.throw_dice((face,), rng, clock.now)
        end = clock.now + 3.0
        while clock.now < end:
            clock.now += FRAME_SECONDS
            frame = camera.read()
            frames.append(frame)
            if folder is not None:
                cv2.imwrite(str(folder / f"{len(frames):04}.jpg"), frame.image)
    return frames


@pytest.mark.full
def test_a_folder_of_frames_is_tested_to_its_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "frames").mkdir()
    throw_once(tmp_path / "frames", (5, 2))
    with typed(monkeypatch, ""):
        status, out, err = run(capsys, "--camera", tmp_path / "frames", "--csv", tmp_path / "t.csv")
    assert (status, err) == (0, "")
    assert [row["face"] for row in read_rows(tmp_path / "t.csv")] == ["5", "2"]
    assert "Too early to tell" in out


class PluggedCamera:
    """A live camera that shows frames, and is unplugged before the frame `lost_before`."""

    name = "camera 0"

    def __init__(self, frames: Iterator[Frame], clock: SimulatedClock, lost_before: int | None = None) -> None:
        self.frames, self.clock, self.left = frames, clock, lost_before

    def read(self) -> Frame | None:
        if self.left == 0:
            raise CameraLost("camera 0 was unplugged")
        self.left = None if self.left is None else self.left - 1
        frame = next(self.frames, None)
        if frame is not None:
            self.clock.now = frame.at
        return frame

    def close(self) -> None:
        pass


@pytest.mark.full
def test_a_lost_camera_is_opened_again() -> None:
    frames, clock = iter(throw_once(None, (3, 6))), SimulatedClock()
    cameras = [PluggedCamera(frames, clock, 92), PluggedCamera(frames, clock)]
    source = CameraThrows("0", clock, lambda: cameras.pop(0))
    counter, events = ThrowCounter(6, 2), list[Event]()
    for _ in range(400):
        found = source.poll()
        clock.now += 0.02  # while the camera is away, no frame moves the clock
        events += found
        for event in found:
            counter.handle_event(event)
        if counter.is_done:
            break
    source.close()
    kinds = [type(event) for event in events if isinstance(event, DeviceLost | DeviceRestored)]
    assert kinds == [DeviceLost, DeviceRestored]
    assert [throw.face for throw in counter.throws] == [3, 6]
    assert all(isinstance(throw.reading, DiceRead) for throw in counter.throws)
    assert not source.is_over


def test_a_camera_that_is_not_there_is_an_error_at_once() -> None:
    def refuse() -> PluggedCamera:
        raise CameraLost("camera 0 does not open")

    with pytest.raises(CameraLost):
        CameraThrows("0", SimulatedClock(), refuse)
