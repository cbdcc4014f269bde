"""What opens at an address, and which cameras have their exposure held."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import cv2
import pytest

from companion.testing.table import ManualClock
from hardware.cameras import camera_opener
from hardware.cameras.camera_opener import LIVE_HEIGHT_PX, LIVE_WIDTH_PX, CameraOpener, open_camera
from hardware.cameras.exposure import ExposureController
from hardware.cameras.exposure_controls import V4l2Controls
from hardware.cameras.focus import FocusController
from hardware.cameras.live_camera import CameraLost, LiveCamera
from hardware.cameras.usb_cameras import UsbCameraFinder

DEVICE = "/dev/null"
"""A character device, as cameras are."""


class OpenedCapture:
    """A fake driver that opens, and gives no pictures."""

    is_open = True
    last: OpenedCapture

    def __init__(self, *arguments: Any) -> None:
        self.arguments, self.values, self.is_released = arguments, dict[int, float](), False
        OpenedCapture.last = self

    def isOpened(self) -> bool:  # noqa: N802 - as OpenCV calls it
        return self.is_open

    def set(self, prop: int, value: float) -> bool:
        self.values[prop] = value
        return True

    def get(self, _prop: int) -> float:
        return -1.0

    def grab(self) -> bool:
        return False

    def release(self) -> None:
        self.is_released = True


@pytest.fixture(autouse=True)
def _fake_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(camera_opener.cv2, "VideoCapture", OpenedCapture)


@pytest.mark.parametrize(
    ("spec", "platform", "first_arguments", "is_held"),
    [
        ("0", "linux", ("/dev/video0", cv2.CAP_V4L2), True),
        ("12", "linux", ("/dev/video12", cv2.CAP_V4L2), True),
        (DEVICE, "linux", (DEVICE, cv2.CAP_V4L2), True),
        ("0", "darwin", (0, cv2.CAP_ANY), False),  # there the values of V4L2 mean something else
        ("rtsp://camera.lan/live", "linux", ("rtsp://camera.lan/live", cv2.CAP_ANY), False),
    ],
)
def test_exposure_is_held_of_local_cameras_only(
    clock: ManualClock,
    monkeypatch: pytest.MonkeyPatch,
    spec: str,
    platform: str,
    first_arguments: tuple[object, ...],
    is_held: bool,
) -> None:
    """A camera in the network is others' too, and its driver takes the values for its own."""
    monkeypatch.setattr(sys, "platform", platform)
    camera = open_camera(spec, clock)
    assert isinstance(camera, LiveCamera)
    camera._thread.join()
    capture = OpenedCapture.last
    assert capture.arguments[:2] == first_arguments
    assert [type(each) for each in camera._controllers] == [ExposureController] * is_held
    if is_held:
        (controller,) = camera._controllers
        assert isinstance(controller, ExposureController)
        assert isinstance(controller._controls, V4l2Controls)
        assert controller._controls._capture is capture
    assert (capture.values[cv2.CAP_PROP_FRAME_WIDTH], capture.values[cv2.CAP_PROP_FRAME_HEIGHT]) == (1280, 720)
    assert (LIVE_WIDTH_PX, LIVE_HEIGHT_PX) == (1280, 720)
    assert capture.values[cv2.CAP_PROP_FPS] == 15
    assert capture.values[cv2.CAP_PROP_FOURCC] == cv2.VideoWriter.fourcc(*"MJPG")


def test_lens_of_a_webcam_is_controlled_if_it_has_one(clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OpenedCapture, "get", lambda self, _prop: 0.0)
    camera = open_camera("0", clock)
    assert isinstance(camera, LiveCamera)
    assert [type(each) for each in camera._controllers] == [ExposureController, FocusController]
    camera.close()
    assert OpenedCapture.last.values[cv2.CAP_PROP_AUTOFOCUS] == 1.0


@pytest.mark.parametrize(("setting", "frequency"), [((), 60), ((0,), 60), ((50,), 50)])
def test_mains_frequency_is_that_of_the_settings_or_the_country(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch, setting: tuple[int, ...], frequency: int
) -> None:
    told: list[tuple[Path, int]] = []
    monkeypatch.setattr(camera_opener, "find_mains_hz", lambda: 60)
    monkeypatch.setattr(camera_opener, "set_power_line_frequency", lambda device, hz: told.append((device, hz)))
    open_camera("0", clock, *setting).close()
    assert told == [(Path("/dev/video0"), frequency)]


def test_camera_is_opened_again_under_its_new_number(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    links = tmp_path / "dev/v4l/by-id"
    links.mkdir(parents=True)
    link = links / "usb-Eye_4000-video-index0"
    link.symlink_to("../../video0")
    monkeypatch.setattr(camera_opener, "UsbCameraFinder", lambda number: UsbCameraFinder(number, tmp_path))
    opener = CameraOpener("0")
    opener.open(clock).close()
    assert OpenedCapture.last.arguments[0] == str(tmp_path / "dev/video0")
    link.unlink()
    link.symlink_to("../../video2")
    opener.open(clock).close()
    assert OpenedCapture.last.arguments[0] == str(tmp_path / "dev/video2")
    assert opener.link == link


def test_a_network_camera_is_given_up_in_time(clock: ManualClock) -> None:
    camera = open_camera("http://camera.lan/", clock)
    camera.close()
    _address, _backend, parameters = OpenedCapture.last.arguments
    assert parameters == [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, 10_000, cv2.CAP_PROP_READ_TIMEOUT_MSEC, 4_000]


@pytest.mark.parametrize(
    ("spec", "has_ribbon", "hint"), [("0", True, True), ("0", False, False), ("a://b", True, False)]
)
def test_a_camera_that_does_not_open_is_released(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch, spec: str, has_ribbon: bool, hint: bool
) -> None:
    monkeypatch.setattr(OpenedCapture, "is_open", False)
    monkeypatch.setattr(camera_opener, "find_spec", lambda _name: has_ribbon or None)
    with pytest.raises(CameraLost, match="does not open") as lost:
        open_camera(spec, clock)
    assert ("--camera csi" in str(lost.value)) is hint
    assert OpenedCapture.last.is_released


def test_numbers_of_cameras_are_bounded(clock: ManualClock) -> None:
    open_camera("1234", clock).close()
    with pytest.raises(CameraLost, match=r"camera 1234\.\.\.: there is no camera"):
        open_camera("12345", clock)
