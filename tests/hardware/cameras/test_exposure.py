"""Exposure lock and release, on a simulated camera with the faults of real ones."""

from __future__ import annotations

import logging
from concurrent.futures import Future
from typing import Any

import numpy as np
import pytest

from companion.testing.table import ManualClock
from hardware.cameras import exposure
from hardware.cameras.exposure import ExposureController, ExposurePhase
from hardware.cameras.exposure_controls import V4l2Controls
from hardware.cameras.live_camera import LiveCamera
from tests.doubles.scripted_camera import (
    AUTO_WB,
    EXPOSURE_MODE,
    EXPOSURE_TIME,
    FRAMES_PER_SECOND,
    KELVIN,
    SCENE,
    ScriptedWebcam,
)


class Filming:
    """An exposure controller that receives the frames of a simulated camera."""

    def __init__(self, camera: ScriptedWebcam) -> None:
        self.camera, self.now = camera, 100.0
        self.keeper = ExposureController("camera 0", V4l2Controls(camera))

    def film(self, seconds: float, over: np.ndarray | None = None) -> ExposurePhase:
        for _ in range(round(seconds * FRAMES_PER_SECOND)):
            self.now += 1 / FRAMES_PER_SECOND
            self.keeper.process_frame(self.camera.frame(over), self.now)
        return self.keeper.phase

    def level(self) -> float:
        return float(self.camera.frame().mean())


@pytest.fixture
def filming() -> Filming:
    """A camera whose exposure is held."""
    filming = Filming(ScriptedWebcam())
    filming.film(6)
    return filming


@pytest.fixture(autouse=True)
def _fresh_log() -> None:
    exposure._log_automatic.cache_clear()


@pytest.mark.parametrize(
    ("manual", "auto"), [(1.0, 3.0), (0.25, 0.75), (1.0, 0.0)], ids=["V4L2", "older OpenCV", "aperture priority"]
)
def test_exposure_is_locked_once_brightness_has_settled_and_released_at_the_end(manual: float, auto: float) -> None:
    filming = Filming(ScriptedWebcam(manual=manual, auto=auto))
    values = filming.camera.values
    assert filming.film(1) is ExposurePhase.SETTLING
    assert filming.film(5) is ExposurePhase.HELD
    assert (values[EXPOSURE_MODE], values[AUTO_WB]) == (manual, 0.0)
    filming.keeper.close()
    assert (values[EXPOSURE_MODE], values[AUTO_WB]) == (auto, 1.0)


def test_lock_is_kept_when_much_of_the_view_is_dark(filming: Filming) -> None:
    before = filming.camera.values[EXPOSURE_TIME]
    sleeve = SCENE.copy()
    sleeve[:, :28] *= 0.1
    assert filming.film(20, sleeve) is ExposurePhase.HELD
    assert filming.camera.values[EXPOSURE_TIME] == before


@pytest.mark.parametrize("light", [0.3, 3.0])
def test_light_change_releases_and_locks_again(filming: Filming, light: float) -> None:
    good = filming.level()
    filming.camera.light = light
    assert filming.film(2) is ExposurePhase.HELD, "a lamp that flickers is no other light"
    assert abs(filming.level() - good) > 30
    assert filming.film(2) is ExposurePhase.SETTLING
    assert filming.film(6) is ExposurePhase.HELD
    assert filming.level() == pytest.approx(good, rel=0.1)


def test_sunset_releases_repeatedly(filming: Filming) -> None:
    good = filming.level()
    for _ in range(120):
        filming.camera.light *= 0.98
        filming.film(1)
        assert filming.level() > 0.7 * good
    filming.film(10)
    assert filming.keeper.phase is ExposurePhase.HELD


def test_change_of_light_colour_releases(filming: Filming) -> None:
    filming.camera.colour = np.array([0.5, 0.9, 1.3], np.float32)
    assert filming.film(4) is ExposurePhase.SETTLING
    assert filming.film(6) is ExposurePhase.HELD
    assert filming.camera.frame().mean(axis=(0, 1)) == pytest.approx(np.full(3, filming.level()), rel=0.1)


@pytest.mark.parametrize("at", [40.0, 600.0])
def test_jump_of_exposure_time_at_lock_is_corrected(at: float) -> None:
    """Some UVC cameras do not report the exposure time that their automatic mode has chosen."""
    filming = Filming(ScriptedWebcam(manual_start=at))
    filming.film(2)
    good = filming.level()
    filming.camera.reported_time = at
    assert filming.film(12) is ExposurePhase.HELD
    assert filming.level() == pytest.approx(good, rel=0.1)


def test_camera_that_cannot_be_corrected_is_not_changed() -> None:
    camera = ScriptedWebcam(manual_start=20.0, ignored=frozenset({EXPOSURE_TIME}))
    filming = Filming(camera)
    filming.film(1)
    good = filming.level()
    assert filming.film(20) is ExposurePhase.AUTOMATIC
    assert camera.values[EXPOSURE_MODE] == 3.0
    assert filming.level() == pytest.approx(good, rel=0.1)


@pytest.mark.parametrize("reported_success", [None, True, False])
def test_camera_without_exposure_control_is_logged_once(
    reported_success: bool | None, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, exposure.__name__)
    for _ in range(2):  # unplugged in between
        filming = Filming(ScriptedWebcam(ignored=frozenset({EXPOSURE_MODE}), reported_success=reported_success))
        assert filming.film(20) is ExposurePhase.AUTOMATIC
    assert len(caplog.records) == 1
    assert "camera 0" in caplog.text


@pytest.mark.parametrize("reported_success", [True, False])
def test_value_read_back_counts_and_not_the_return_value(reported_success: bool) -> None:
    filming = Filming(ScriptedWebcam(reported_success=reported_success))
    assert filming.film(6) is ExposurePhase.HELD


def test_camera_without_controls_is_not_changed() -> None:
    camera = ScriptedWebcam()
    camera.values = {EXPOSURE_MODE: -1.0, EXPOSURE_TIME: -1.0, AUTO_WB: -1.0, KELVIN: -1.0}
    keeper = ExposureController("camera 0", V4l2Controls(camera))
    for k in range(400):
        keeper.process_frame(np.full((36, 64, 3), 120, np.uint8), k / FRAMES_PER_SECOND)
    assert keeper.phase is ExposurePhase.AUTOMATIC
    assert set(camera.values.values()) == {-1.0}


def test_white_balance_that_jumps_stays_automatic() -> None:
    filming = Filming(ScriptedWebcam(manual_blue=1.6))
    assert filming.film(15) is ExposurePhase.HELD
    assert (filming.camera.values[EXPOSURE_MODE], filming.camera.values[AUTO_WB]) == (1.0, 1.0)


def test_exposure_time_stays_within_the_camera_range() -> None:
    filming = Filming(ScriptedWebcam(max_exposure=180.0))
    filming.film(6)
    filming.camera.light = 0.5
    filming.film(20)
    assert filming.camera.values[EXPOSURE_TIME] <= 180.0
    assert filming.keeper.phase is ExposurePhase.HELD


def test_exposure_is_not_locked_in_the_dark() -> None:
    camera = ScriptedWebcam()
    camera.light = 1e-6
    filming = Filming(camera)
    assert filming.film(20) is ExposurePhase.SETTLING
    camera.light = 1.0
    assert filming.film(10) is ExposurePhase.HELD


def test_lock_left_by_a_killed_program_is_released() -> None:
    camera = ScriptedWebcam()
    camera.values |= {EXPOSURE_MODE: 1.0, EXPOSURE_TIME: 3000.0, AUTO_WB: 0.0}
    assert Filming(camera).film(8) is ExposurePhase.HELD
    assert camera.values[EXPOSURE_TIME] < 300


def test_vanished_camera_raises_nothing() -> None:
    filming = Filming(ScriptedWebcam())
    filming.film(2.5)
    filming.camera.is_plugged_in = False
    filming.film(20)
    filming.keeper.close()


@pytest.mark.parametrize("shape", [(36, 64), (36, 64, 1), (36, 64, 4), (1, 1, 3), (0, 0, 3)])
def test_any_frame_is_accepted(shape: tuple[int, ...]) -> None:
    filming = Filming(ScriptedWebcam())
    filming.film(3)
    for k in range(100):
        filming.keeper.process_frame(np.full(shape, 99, np.uint8), filming.now + k)
    filming.keeper.close()
    assert (filming.camera.values[EXPOSURE_MODE], filming.camera.values[AUTO_WB]) == (3.0, 1.0), (
        "given back all the same"
    )


# In the camera's thread


class Grabbed(ScriptedWebcam):
    """The simulated camera as a capture: returns its frames without waiting, then fails."""

    def __init__(self, clock: ManualClock, seconds: float) -> None:
        super().__init__()
        self._clock, self._left = clock, round(seconds * FRAMES_PER_SECOND)
        self.camera = Future[LiveCamera]()
        self.modes: list[float] = []

    def grab(self) -> bool:
        self._clock.now += 1 / FRAMES_PER_SECOND
        self._left -= 1
        for _ in range(2):  # the reader polls more often than frames come
            self.camera.result(10.0).read()
        self.modes.append(self.values[EXPOSURE_MODE])
        return self._left >= 0

    def retrieve(self) -> tuple[bool, Any]:
        return True, self.frame()

    def release(self) -> None:
        self.modes.append(self.values[EXPOSURE_MODE])


def test_live_camera_locks_and_restores_exposure(clock: ManualClock) -> None:
    capture = Grabbed(clock, 8)
    camera = LiveCamera("camera 0", capture, clock, ExposureController("camera 0", V4l2Controls(capture)))
    capture.camera.set_result(camera)
    camera._thread.join()
    assert 1.0 in capture.modes
    assert capture.modes[-1] == 3.0
    camera.close()
