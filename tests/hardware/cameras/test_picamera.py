"""The camera on a Pi's ribbon cable: its exposure, its buffers, its name."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from companion.testing.table import ManualClock
from hardware.cameras import exposure
from hardware.cameras.camera_address import open_camera
from hardware.cameras.exposure import ExposureController, ExposurePhase
from hardware.cameras.exposure_controls import PiControls
from hardware.cameras.picamera import PiCapture
from hardware.cameras.sources import CameraLost
from tests.doubles.scripted_camera import AUTO_WB, EXPOSURE_MODE, FRAMES_PER_SECOND
from tests.doubles.simulated_picamera import SimulatedPicamera2


@pytest.fixture(autouse=True)
def _fresh_log() -> None:
    exposure._log_automatic.cache_clear()


@pytest.fixture
def pi(monkeypatch: pytest.MonkeyPatch) -> list[SimulatedPicamera2]:
    made: list[SimulatedPicamera2] = []

    def make(number: int = 0) -> SimulatedPicamera2:
        made.append(SimulatedPicamera2(number))
        return made[-1]

    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=make))
    return made


def test_pi_camera_exposure_is_locked_and_released(pi: list[SimulatedPicamera2]) -> None:
    capture = PiCapture(0, (64, 36))
    keeper = ExposureController("camera csi", PiControls(capture.set_controls, lambda: capture.metadata))
    world, now = pi[0].world, 0.0
    seen: dict[float, tuple[ExposurePhase, float]] = {}
    for second in range(24):
        if second == 8:
            world.light = 0.3
        for _ in range(FRAMES_PER_SECOND):
            now += 1 / FRAMES_PER_SECOND
            assert capture.grab()
            good, image = capture.retrieve()
            assert good
            assert image is not None
            keeper.process_frame(image, now)
        seen[second] = keeper.phase, world.values[EXPOSURE_MODE]
    assert seen[7] == (ExposurePhase.HELD, 1.0)
    assert seen[11] == (ExposurePhase.SETTLING, 3.0)
    assert seen[23] == (ExposurePhase.HELD, 1.0)
    keeper.close()
    assert (world.values[EXPOSURE_MODE], world.values[AUTO_WB]) == (3.0, 1.0)
    capture.release()
    assert pi[0].stopped
    assert pi[0].closed


def test_pi_camera_without_exposure_controls_is_not_changed(pi: list[SimulatedPicamera2]) -> None:
    capture = PiCapture(0, (64, 36))

    def refuse(wanted: dict[str, Any]) -> None:
        raise RuntimeError("Control AeEnable is not advertised by libcamera")

    keeper = ExposureController("camera csi", PiControls(refuse, lambda: capture.metadata))
    for k in range(400):
        assert capture.grab()
        _, image = capture.retrieve()
        assert image is not None
        keeper.process_frame(image, k / FRAMES_PER_SECOND)
    assert keeper.phase is ExposurePhase.AUTOMATIC


def test_stalled_pi_camera_fails_to_grab_and_holds_no_buffer(pi: list[SimulatedPicamera2]) -> None:
    capture = PiCapture(0, (64, 36))
    for _ in range(10):
        assert capture.grab()  # and never retrieved
    pi[0].stalled = True
    assert not capture.grab()
    assert capture.retrieve() == (False, None)
    assert pi[0].requests == 0


def test_ribbon_camera_is_opened_by_name(pi: list[SimulatedPicamera2], clock: ManualClock) -> None:
    camera = open_camera("csi", clock)
    assert camera.name == "camera csi"
    camera.close()
    assert pi[0].closed


def test_missing_second_ribbon_camera_is_reported(pi: list[SimulatedPicamera2], clock: ManualClock) -> None:
    with pytest.raises(CameraLost, match="csi1 does not open"):
        open_camera("csi1", clock)


def test_missing_picamera2_names_the_package(monkeypatch: pytest.MonkeyPatch, clock: ManualClock) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraLost, match="apt install python3-picamera2"):
        open_camera("csi", clock)
