"""The check of the camera: its pictures, problems of the view, and the stored picture."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from companion.commands.doctor import camera_checks
from companion.commands.doctor.camera_checks import NOT_FOCUSED, PICTURE_FILE, TURN_LENS
from companion.commands.doctor.check import Check, CheckMark
from companion.testing.table import ManualClock
from companion.vision.reading import Image
from hardware.cameras.camera_opener import CameraOpener
from hardware.cameras.live_camera import CameraLost, Frame, LiveCamera
from tests.commands.doctor.test_system_checks import fails, warns
from tests.doubles.simulated_picamera import MANUAL, SimulatedPicamera2
from tests.full_disk import limit_file_size
from tests.vision.lid.drawn_lid import DrawnLid


class FakeCamera:
    """A camera that gives `images` from the third read on, repeating the last one, or nothing at all."""

    name = "fake"

    def __init__(self, *images: Image) -> None:
        self.images = list(images)
        self.looks = 0
        self.closed = False

    def read(self) -> Frame | None:
        self.looks += 1
        if not self.images or self.looks < 3:
            return None
        return Frame(self.images.pop(0) if len(self.images) > 1 else self.images[0], 0.0, 0)

    def close(self) -> None:
        self.closed = True


def look(*images: Image, wanted: bool = False, folder: Path | None = None) -> Check:
    """Check a camera that gives these pictures, with a simulated clock."""
    device, ticks = FakeCamera(*images), count()
    check = camera_checks.check_camera(
        "0", wanted, lambda clock: device, lambda: next(ticks) / 10, lambda seconds: None, folder
    )
    assert device.closed
    return check


def noise(low: int, high: int) -> Image:
    return np.random.default_rng(1).integers(low, high, (480, 640, 3), dtype=np.uint8)


def test_a_good_camera() -> None:
    check = look(noise(0, 255))
    assert check.mark is CheckMark.OK
    assert check.found.startswith("640x480, brightness 12")


@pytest.mark.parametrize(
    ("image", "words"),
    [
        (noise(0, 5), "the camera sees nothing: take the cap off"),
        (noise(0, 30), "it is too dark"),
        (noise(240, 255), "too bright"),
        (np.full((480, 640, 3), 128, np.uint8), "nothing can be recognised"),
        # The lens of a Camera Module 3 is turned by its motor only.
        (cv2.GaussianBlur(DrawnLid().draw()[0], (0, 0), 8), "blurred: wipe the lens, or turn its ring if it has one"),
    ],
)
def test_a_camera_whose_pictures_are_bad(image: Image, words: str) -> None:
    assert words in warns(look(image))


def test_the_lid_is_named() -> None:
    image, _ = DrawnLid().draw()
    assert look(image).found.endswith(", the lid")


def test_picture_is_stored_with_marked_problems(tmp_path: Path) -> None:
    image, _ = DrawnLid().draw(shift=(-330, 0))
    check = look(image, folder=tmp_path / "new")
    assert "cut off at the left: push it to the right" in warns(check)
    path = tmp_path / "new" / PICTURE_FILE
    assert check.found.endswith(f"what it sees: {path}")
    kept = cv2.imread(str(path))
    assert kept.shape == image.shape
    away = cv2.absdiff(kept, image).max(axis=2) > 100
    assert away[:, :260].any()
    assert not away[:, 400:].any(), "the lid is on the left"


def test_unwritable_folder_costs_only_the_picture(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    check = look(noise(0, 255), folder=tmp_path / "file" / "new")
    assert check.mark is CheckMark.OK
    assert "what it sees" not in check.found


def test_a_full_disk_costs_only_the_picture_and_keeps_the_last_one(tmp_path: Path) -> None:
    assert "what it sees" in look(noise(0, 255), folder=tmp_path).found
    before = (tmp_path / PICTURE_FILE).read_bytes()
    with limit_file_size(100):
        check = look(noise(0, 200), folder=tmp_path)
    assert check.mark is CheckMark.OK
    assert "what it sees" not in check.found
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == {tmp_path / PICTURE_FILE: before}


def test_exposure_gets_time_to_settle() -> None:
    assert look(noise(0, 5), noise(0, 30), noise(0, 255)).mark is CheckMark.OK


def test_a_grey_camera_is_a_camera() -> None:
    assert look(noise(0, 255)[:, :, 0]).mark is CheckMark.OK


def test_unusable_pictures_fail_the_check() -> None:
    assert "too small" in warns(look(noise(0, 255)[:4, :4]))
    assert "too small" in fails(look(noise(0, 255)[:4, :4], wanted=True))


def test_a_camera_that_gives_no_picture() -> None:
    assert "no picture within 3 s" in warns(look())
    assert "no picture within 3 s" in fails(look(wanted=True))


def test_a_camera_that_is_not_there() -> None:
    def lost(clock: Callable[[], float]) -> FakeCamera:
        raise CameraLost("camera 0 does not open")

    assert "does not open" in warns(camera_checks.check_camera("0", False, lost))
    assert "does not open" in fails(camera_checks.check_camera("0", True, lost))


def test_camera_lost_during_the_check() -> None:
    class Lost(FakeCamera):
        def read(self) -> Frame | None:
            raise CameraLost("it is gone")

    device = Lost()
    assert "it is gone" in warns(camera_checks.check_camera("0", False, lambda clock: device))
    assert device.closed


def test_last_picture_of_a_file_is_checked() -> None:
    class Short(FakeCamera):
        def read(self) -> Frame | None:
            if self.looks:
                raise CameraLost("at its end")
            self.looks += 1
            return Frame(noise(0, 255), 0.0, 0)

    assert camera_checks.check_camera("x", True, lambda clock: Short()).mark is CheckMark.OK


@pytest.mark.parametrize("is_still", [True, False])
def test_camera_that_focuses_itself_is_judged_when_it_has(monkeypatch: pytest.MonkeyPatch, *, is_still: bool) -> None:
    clock = ManualClock()
    pi, waiting, frames = SimulatedPicamera2(has_autofocus=True), threading.Semaphore(0), threading.Semaphore(0)
    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=lambda number: pi))
    hands = np.random.default_rng(3)

    def wait_for_frame() -> None:
        waiting.release()
        frames.acquire()

    def close_camera(camera: LiveCamera) -> None:
        frames.release(1000)  # nobody asks for the last ones
        close(camera)

    close = LiveCamera.close
    monkeypatch.setattr(LiveCamera, "close", close_camera)

    def let_frame_come(_seconds: float) -> None:
        waiting.acquire()
        clock.now += 0.25
        if not is_still:
            pi.scene = np.kron(hands.uniform(0.2, 1.0, (9, 16, 3)), np.ones((4, 4, 1))).astype(np.float32)
        frames.release()

    pi.wait_for_frame = wait_for_frame
    check = camera_checks.check_camera("csi", True, clock=clock, sleep=let_frame_come)
    assert (pi.scans > 0, NOT_FOCUSED in check.fix) == (is_still, not is_still)
    assert TURN_LENS not in check.fix
    if is_still:
        assert pi.blur_px == 0
        assert [controls["AfMode"] for controls in pi.set if "AfMode" in controls][-1] == MANUAL
    else:
        assert check.mark is CheckMark.WARN


def test_path_that_stays_the_same_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    link = Path("/dev/v4l/by-id/usb-Eye_4000-video-index0")
    monkeypatch.setattr(CameraOpener, "link", link)
    assert look(noise(0, 255)).found.endswith(f"; also {link}")
