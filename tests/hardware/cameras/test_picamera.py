"""The camera on a Pi's ribbon cable: its exposure, its buffers, its name.

Also here: which of a sensor's modes is asked for (sensor_modes.py).
"""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from companion.testing.table import ManualClock
from hardware.cameras import exposure
from hardware.cameras.camera_opener import open_camera
from hardware.cameras.exposure import ExposureController, ExposurePhase
from hardware.cameras.exposure_controls import PiControls
from hardware.cameras.live_camera import CameraLost
from hardware.cameras.picamera import PiCapture
from hardware.cameras.sensor_modes import choose_sensor_mode, compute_seen_width
from tests.doubles.scripted_camera import AUTO_WB, EXPOSURE_MODE, FRAMES_PER_SECOND
from tests.doubles.simulated_picamera import BUFFERS, SimulatedPicamera2
from tests.hardware.cameras.sensor_mode_lists import MODES


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


def test_late_frames_lose_no_buffer(pi: list[SimulatedPicamera2]) -> None:
    """The wait goes on where it was given up: Picamera2's own job would take the frame and keep it."""
    capture = PiCapture(0, (64, 36))
    for _ in range(BUFFERS + 2):
        pi[0].stalled = True
        assert not capture.grab()
        assert len(pi[0].jobs) == 1
        pi[0].stalled = False
        pi[0].deliver()
        assert capture.grab()
        assert capture.retrieve()[0]
        assert (pi[0].requests, len(pi[0].jobs)) == (0, 0)


@pytest.mark.parametrize("comes_late", [True, False])
def test_camera_is_closed_while_a_frame_is_late(pi: list[SimulatedPicamera2], *, comes_late: bool) -> None:
    capture = PiCapture(0, (64, 36))
    pi[0].stalled = True
    assert not capture.grab()
    if comes_late:
        pi[0].stalled = False
        pi[0].deliver()
    capture.release()
    assert (pi[0].stopped, pi[0].closed, pi[0].requests) == (True, True, 0)


@pytest.mark.parametrize(("mains_hz", "flicker"), [(50, (1, 10_000)), (60, (1, 8_333)), (0, (None, None))])
def test_camera_is_asked_for_few_frames_without_flicker(
    pi: list[SimulatedPicamera2], mains_hz: int, flicker: tuple[int | None, int | None]
) -> None:
    PiCapture(0, (64, 36), mains_hz)
    controls = pi[0].configuration["controls"]
    assert controls["FrameDurationLimits"] == (66_666, 66_666)
    assert (controls.get("AeFlickerMode"), controls.get("AeFlickerPeriod")) == flicker


def test_camera_without_crop_is_asked_for_no_mode(pi: list[SimulatedPicamera2]) -> None:
    """A USB camera that libcamera lists as well."""
    made = SimulatedPicamera2()
    made.camera_controls = {}
    sys.modules["picamera2"].Picamera2 = lambda number: made
    PiCapture(0, (64, 36), 50)
    assert (made.configuration["sensor"], made.configuration["controls"]) == ({}, {})


SIZE = (1280, 720)


def _choose_as_picamera2(modes: list[dict[str, Any]], sensor: dict[str, Any]) -> dict[str, Any]:
    """Return the mode that Picamera2 and libcamera take: the one with the least score, which grows with the distance.

    Without a wish they look for the picture's size. Compared with the code of Picamera2 0.3.38 for all lists.
    """
    width, height = sensor.get("output_size", SIZE)
    largest = max(modes, key=lambda mode: (mode["size"][0] * mode["size"][1], mode["bit_depth"]))
    bit_depth = sensor.get("bit_depth", largest["bit_depth"])

    def rate(wanted: float, has: float) -> float:
        return (has - wanted) / 4 if has > wanted else (wanted - has) * 2

    def score(mode: dict[str, Any]) -> float:
        has_width, has_height = mode["size"]
        shape = 1500 * rate(width / height, has_width / has_height)
        depth = 500 * abs(int(bit_depth - mode["bit_depth"]))
        return rate(width, has_width) + rate(height, has_height) + shape + depth

    return min(modes, key=score)


@pytest.mark.parametrize(
    ("module", "by_itself", "size"),
    [
        ("Module 3 (imx708)", 0.67, (2304, 1296)),
        ("Module 2 (imx219)", 0.59, (1640, 1232)),
        ("Module 1 (ov5647)", 0.74, (1296, 972)),
        ("HQ (imx477)", 0.95, (2028, 1520)),
        ("AI camera (imx500)", 1.0, (2028, 1520)),
        ("Global shutter (imx296)", 1.0, (1456, 1088)),
    ],
)
def test_each_module_sees_its_whole_field_of_view(
    pi: list[SimulatedPicamera2], module: str, by_itself: float, size: tuple[int, int]
) -> None:
    modes = MODES[module]
    whole = max(compute_seen_width(mode, SIZE) for mode in modes)
    left_alone = _choose_as_picamera2(modes, {})
    assert compute_seen_width(left_alone, SIZE) / whole == pytest.approx(by_itself, abs=0.006)
    mode = _choose_as_picamera2(modes, choose_sensor_mode(modes, SIZE))
    assert mode["size"] == size
    assert compute_seen_width(mode, SIZE) == whole
    assert mode["fps"] >= FRAMES_PER_SECOND


def test_mode_is_part_of_the_configuration(pi: list[SimulatedPicamera2]) -> None:
    PiCapture(0, SIZE)
    assert pi[0].configuration["sensor"] == {"output_size": (2304, 1296), "bit_depth": 10}


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
