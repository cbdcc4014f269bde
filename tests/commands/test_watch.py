"""`companion watch`: videos, folders and live cameras, event by event."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.commands.see.drawing import SURE_BGR
from companion.commands.watch import format_json, format_line, read_frames
from companion.events import (
    CameraState,
    CameraStateChanged,
    DiceAndLidEvent,
    DiceRead,
    LidCovered,
    TokenPlaced,
    TokenTaken,
)
from companion.vision.frames.image_io import load_image
from companion.vision.reading import Image
from hardware.cameras.live_camera import CameraLost, Frame
from tests.vision.watching import FPS, REST, WatcherFilm


@pytest.mark.parametrize(
    ("event", "reported"),
    [
        (DiceRead((2, 5), 0.97, 1.0, ()), {"event": "dice", "values": [2, 5], "confidence": 0.97}),
        (
            DiceRead((2, 5), 0.5, 1.0, ((2, 6),)),
            {"event": "dice", "values": [2, 5], "confidence": 0.5, "alternatives": [[2, 6]]},
        ),
        (DiceRead((), 1.0, 1.0, ()), {"event": "dice_gone"}),
        (
            TokenTaken(3, 6, 0.95, 1.0),
            {"event": "token_removed", "window": 3, "number": 6, "confidence": 0.95},
        ),
        (
            TokenPlaced(0, None, 0.95, 1.0),
            {"event": "token_placed", "window": 0, "number": None, "confidence": 0.95},
        ),
        (LidCovered(1.0), {"event": "lid_ready"}),
        (
            CameraStateChanged(CameraState.HAND, 1.0, lid_known=True, lid_hidden=True),
            {"event": "state", "state": "hand", "lid_hidden": True},
        ),
    ],
)
def test_events_as_json(event: DiceAndLidEvent, reported: dict[str, object]) -> None:
    assert json.loads(format_json(7, event)) == {"frame": 7, **reported}
    assert format_line(7, event).lstrip().startswith("7  ")


def test_a_folder_keeps_its_counting_past_an_unreadable_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("f0.png", "f2.png"):
        cv2.imwrite(str(tmp_path / name), np.zeros((48, 64, 3), np.uint8))
    (tmp_path / "f1.png").write_bytes(b"torn")
    assert [(index, at) for index, at, _ in read_frames(str(tmp_path), fps=10)] == [(0, 0.0), (2, 0.2)]
    assert "f1.png" in capsys.readouterr().err


def test_a_video_gives_each_frame_once_at_its_own_rate(tmp_path: Path) -> None:
    path = str(tmp_path / "v.avi")
    writer = cv2.VideoWriter(path, cv2.VideoWriter.fourcc(*"MJPG"), 20, (64, 48))
    for _ in range(4):
        writer.write(np.zeros((48, 64, 3), np.uint8))
    writer.release()
    seen = list(read_frames(path))
    assert [index for index, _, _ in seen] == [0, 1, 2, 3]
    assert np.diff([at for _, at, _ in seen]) == pytest.approx(0.05)
    assert [at for _, at, _ in read_frames(path, fps=4)] == [0.0, 0.25, 0.5, 0.75]


class Live:
    """A live camera of about 30 frames per second, unplugged in the end; every other read finds nothing new."""

    name = "camera 0"

    def __init__(self) -> None:
        self.closed = False
        self._looks = 0

    def read(self) -> Frame | None:
        self._looks += 1
        index, new = divmod(self._looks, 2)
        if index == 30:
            raise CameraLost("camera 0 is gone")
        shaken = 0.002 * (-1) ** index
        return Frame(np.zeros((48, 64, 3), np.uint8), 500 + index / 30 + shaken, index) if new else None

    def close(self) -> None:
        self.closed = True


@pytest.mark.parametrize(("fps", "seen"), [(None, 30), (30.0, 30), (15.0, 15), (1.0, 1), (60.0, 30)])
def test_frame_rate_of_a_live_camera_is_limited(fps: float | None, seen: int, monkeypatch: pytest.MonkeyPatch) -> None:
    live = Live()
    monkeypatch.setattr("companion.commands.watch.open_camera", lambda *_: live)
    reported: list[tuple[int, float]] = []
    with pytest.raises(CameraLost, match="gone"):
        reported.extend((index, at) for index, at, _ in read_frames("0", fps))
    assert len(reported) == seen
    assert all(at == pytest.approx(500 + index / 30, abs=0.003) for index, at in reported)
    assert live.closed


def test_truncated_video_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "v.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 20, (64, 48))
    for _ in range(4):
        writer.write(np.zeros((48, 64, 3), np.uint8))
    writer.release()
    assert len(list(read_frames(str(path)))) == 4
    assert capsys.readouterr().err == ""
    data = path.read_bytes()
    path.write_bytes(data[: data.rindex(b"00dc", 0, data.index(b"idx1"))])  # before the last picture
    assert 0 < len(list(read_frames(str(path)))) < 4
    assert "v.avi is cut off" in capsys.readouterr().err


@pytest.mark.parametrize("make", [Path.mkdir, Path.touch, lambda path: None])
def test_invalid_source_is_refused(tmp_path: Path, make: object) -> None:
    assert callable(make)
    make(tmp_path / "thing")
    with pytest.raises(CameraLost, match="thing"):
        list(read_frames(str(tmp_path / "thing")))


@pytest.mark.parametrize("rate", ["0", "-3", "nan", "many"])
def test_invalid_rate_is_refused(rate: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["watch", "--fps", rate, "v.mp4"])
    assert "is no number of frames per second" in capsys.readouterr().err


def test_the_frame_of_each_event_is_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    film = WatcherFilm()

    def show_throw(*_source: object) -> Iterator[tuple[int, float, Image]]:
        for index in range(2 * REST):
            film.table.dice = [(5, 440.0, 140.0)] if index >= REST else []
            yield index, index / FPS, film.table.draw(index)

    monkeypatch.setattr("companion.commands.watch.read_frames", show_throw)
    monkeypatch.setattr("companion.commands.watch.make_dice_and_lid_watcher", lambda: film.watcher)
    assert main(["watch", "throw.mp4", "--json", "--draw", str(tmp_path)]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [event["values"] for event in events if event["event"] == "dice"] == [[5]]
    drawn = {int(file.stem.removeprefix("frame-")): load_image(file) for file in tmp_path.iterdir()}
    at = next(event["frame"] for event in events if event["event"] == "dice")
    assert at in drawn
    assert drawn.keys() <= {event["frame"] for event in events}
    around = drawn[at][110:180, 400:480].astype(int)
    assert (np.abs(around - SURE_BGR).sum(axis=2) < 60).any(), "a green frame around the die"
