"""Videos and folders of pictures in place of a camera."""

from __future__ import annotations

import os
import struct
import sys
from contextlib import nullcontext
from errno import EACCES
from functools import partial
from pathlib import Path
from typing import NoReturn

import cv2
import numpy as np
import pytest

from companion.testing.table import ManualClock
from hardware.cameras import recordings
from hardware.cameras.camera_opener import open_camera
from hardware.cameras.live_camera import Camera, CameraLost, Frame
from hardware.cameras.recordings import MAX_PICTURE_FILE_BYTES, FolderCamera, VideoFile


def grey(level: int, size: tuple[int, int] = (64, 48)) -> np.typing.NDArray[np.uint8]:
    return np.full((size[1], size[0], 3), level, np.uint8)


def save(folder: Path, name: str, level: int) -> None:
    assert cv2.imwrite(str(folder / name), grey(level))


def _read(camera: Camera) -> Frame | None:
    """Return the next frame, or None at the end."""
    try:
        return camera.read()
    except CameraLost:
        return None


class TestFolder:
    def test_pictures_are_read_in_name_order_and_stamped_when_read(self, tmp_path: Path, clock: ManualClock) -> None:
        for name, level in (("f10.png", 30), ("f1.png", 10), ("f02.JPG", 20), ("._f02.JPG", 99)):
            save(tmp_path, name, level)
        (tmp_path / "truth.json").write_text("{}")
        camera = open_camera(str(tmp_path), clock)
        for k, level in enumerate((10, 20, 30)):
            clock.now += 1.0
            frame = camera.read()
            assert frame is not None
            assert abs(int(frame.image[0, 0, 0]) - level) <= 2
            assert (frame.index, frame.at) == (k, clock.now)
        with pytest.raises(CameraLost, match="no more pictures"):
            camera.read()
        camera.close()

    def test_files_that_are_no_pictures_are_skipped_and_logged(
        self, tmp_path: Path, clock: ManualClock, caplog: pytest.LogCaptureFixture
    ) -> None:
        (tmp_path / "a.png").write_bytes(b"no picture at all")
        (tmp_path / "b.jpg").write_bytes(b"")
        save(tmp_path, "c.png", 50)
        save(tmp_path, "d.png", 60)
        (tmp_path / "d.png").write_bytes((tmp_path / "d.png").read_bytes()[:40])
        (tmp_path / "e.jpg").symlink_to(tmp_path / "nowhere")
        (tmp_path / "f.png").mkdir()
        os.mkfifo(tmp_path / "g.png")
        with (tmp_path / "h.png").open("wb") as file:
            file.truncate(MAX_PICTURE_FILE_BYTES + 1)
        camera = FolderCamera(tmp_path, clock)
        frame = camera.read()
        assert frame is not None
        assert frame.index == 0
        with pytest.raises(CameraLost, match="no more pictures"):
            camera.read()
        names = ("a.png", "b.jpg", "d.png", "e.jpg", "f.png", "g.png", "h.png")
        assert caplog.messages == [f"{tmp_path.name}: {name} is no picture that can be read" for name in names]

    def test_folder_without_pictures_is_refused(self, tmp_path: Path, clock: ManualClock) -> None:
        with pytest.raises(CameraLost, match="holds no pictures"):
            open_camera(str(tmp_path), clock)

    @pytest.mark.parametrize("refusing", ["iterdir", "is_dir"])
    def test_unreadable_folder_is_refused(
        self, refusing: str, tmp_path: Path, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def barred(path: Path) -> NoReturn:
            raise PermissionError(EACCES, "Permission denied", str(path))

        monkeypatch.setattr(Path, refusing, barred)
        with pytest.raises(CameraLost, match=f"{tmp_path} cannot be .*Permission denied"):
            open_camera(str(tmp_path), clock)


class TestVideo:
    @pytest.fixture
    def video(self, tmp_path: Path) -> Path:
        path = tmp_path / "throw.avi"
        writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (64, 48))
        assert writer.isOpened()
        for level in (40, 80, 120, 160):
            writer.write(grey(level))
        writer.release()
        return path

    def test_frames_are_stamped_with_video_time(self, video: Path, clock: ManualClock) -> None:
        camera = open_camera(str(video), clock)
        frames = [camera.read() for _ in range(4)]
        for k, frame in enumerate(frames):
            assert frame is not None
            assert frame.index == k
            assert frame.at == pytest.approx(100.0 + 0.1 * k)
            assert abs(float(frame.image.mean()) - 40 * (k + 1)) < 4
        with pytest.raises(CameraLost, match="at its end"):
            camera.read()
        assert isinstance(camera, VideoFile)
        assert camera.missing_frames == 0
        camera.close()

    @pytest.mark.parametrize(("rate", "step"), [(240.0, 1 / 240), (1000.0, 1 / 15)])
    def test_implausible_frame_rate_is_ignored(
        self, rate: float, step: float, tmp_path: Path, clock: ManualClock
    ) -> None:
        writer = cv2.VideoWriter(str(tmp_path / "v.avi"), cv2.VideoWriter.fourcc(*"MJPG"), rate, (64, 48))
        for _ in range(3):
            writer.write(grey(80))
        writer.release()
        film = VideoFile(tmp_path / "v.avi", clock)
        first, second = film.read(), film.read()
        assert first is not None
        assert second is not None
        assert second.at - first.at == pytest.approx(step)

    def test_truncated_video_reports_missing_frames(self, video: Path, clock: ManualClock) -> None:
        data = video.read_bytes()
        video.write_bytes(data[: data.rindex(b"00dc", 0, data.index(b"idx1"))])  # before the last picture
        film = VideoFile(video, clock)
        read = sum(1 for _ in iter(partial(_read, film), None))
        assert 0 < read < 4
        assert film.missing_frames == 4 - read

    def test_video_of_too_many_pixels_is_refused_before_it_is_decoded(self, video: Path, clock: ManualClock) -> None:
        old, new = (64, 48), (12_000, 12_000)
        data = video.read_bytes()
        data = data.replace(struct.pack("<II", *old), struct.pack("<II", *new))  # AVI's header and its stream's
        video.write_bytes(data.replace(struct.pack(">HH", *old[::-1]), struct.pack(">HH", *new)))  # each JPEG's
        with pytest.raises(CameraLost, match="too large: 12000x12000 pixels"):
            VideoFile(video, clock)

    @pytest.mark.parametrize("spare_pixels", [0, -1])
    def test_largest_video_is_read(
        self, video: Path, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, spare_pixels: int
    ) -> None:
        monkeypatch.setattr(recordings, "MAX_PICTURE_PIXELS", 64 * 48 + spare_pixels)
        with nullcontext() if spare_pixels == 0 else pytest.raises(CameraLost, match="too large: 64x48"):
            VideoFile(video, clock).close()

    def test_file_that_is_no_video_is_refused(self, tmp_path: Path, clock: ManualClock) -> None:
        (tmp_path / "x.avi").write_bytes(b"nothing")
        with pytest.raises(CameraLost, match="not a video"):
            VideoFile(tmp_path / "x.avi", clock)


@pytest.mark.skipif(sys.platform != "linux", reason="files of Linux's kernel")
def test_files_of_the_kernel_and_empty_ones_are_refused_before_ffmpeg_waits_for_them(
    tmp_path: Path, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(cv2, "VideoCapture")
    (link := tmp_path / "film.avi").symlink_to("/proc/self/status")
    for path in (link, Path("/proc/self/status"), Path("/sys/kernel/uevent_seqnum")):
        with pytest.raises(CameraLost, match=f"{path} is a file of the kernel, not a video"):
            open_camera(str(path), clock)
    (empty := tmp_path / "empty.avi").touch()
    with pytest.raises(CameraLost, match=r"empty\.avi is empty"):
        open_camera(str(empty), clock)
