"""The camera on a Pi's ribbon cable: its exposure, its buffers, its name."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from hardware.cameras import exposure
from hardware.cameras.exposure import Keeper, Phase, PiControls
from hardware.cameras.picamera import PiCapture
from hardware.cameras.sources import CameraLost, open_camera
from tests.doubles.scripted_camera import AUTO_WB, FPS, MODE, TIME, MadeUpCamera
from tests.hardware.conftest import TravelClock


class MadeUpPicamera2:
    """As much of `picamera2.Picamera2` as is used, on top of the made-up camera."""

    def __init__(self, number: int = 0) -> None:
        if number > 0:
            raise IndexError("list index out of range")
        self.world = MadeUpCamera(late=2)
        self.closed = self.stopped = False
        self.stalled = False
        self.requests = 0

    def create_video_configuration(self, main: dict[str, Any]) -> dict[str, Any]:
        return {"main": main}

    def configure(self, wanted: dict[str, Any]) -> None:
        assert wanted["main"]["format"] == "RGB888"

    def start(self) -> None: ...

    def stop(self) -> None:
        self.stopped = True

    def close(self) -> None:
        self.closed = True

    def set_controls(self, wanted: dict[str, Any]) -> None:
        known = {"AeEnable", "AwbEnable", "ExposureTime", "AnalogueGain", "ColourGains"}
        if wanted.keys() - known:
            raise RuntimeError("Control is not advertised by libcamera")
        values = self.world.values
        if "AeEnable" in wanted:
            values[MODE] = 3.0 if wanted["AeEnable"] else 1.0
        if "AwbEnable" in wanted:
            values[AUTO_WB] = float(wanted["AwbEnable"])
        if "ExposureTime" in wanted:
            values[TIME] = wanted["ExposureTime"] / 100

    def capture_request(self, wait: float | None = None) -> SimpleNamespace:
        if self.stalled:
            raise TimeoutError
        assert self.requests < 4, "all buffers are held"
        self.requests += 1
        return SimpleNamespace(
            make_array=lambda stream: self.world.frame(), get_metadata=self._metadata, release=self._release
        )

    def _metadata(self) -> dict[str, Any]:
        return {"ExposureTime": self.world.values[TIME] * 100, "AnalogueGain": 1.5, "ColourGains": (1.9, 1.4)}

    def _release(self) -> None:
        self.requests -= 1


@pytest.fixture(autouse=True)
def _fresh_log() -> None:
    exposure._tell_left.cache_clear()


@pytest.fixture
def pi(monkeypatch: pytest.MonkeyPatch) -> list[MadeUpPicamera2]:
    made: list[MadeUpPicamera2] = []

    def make(number: int = 0) -> MadeUpPicamera2:
        made.append(MadeUpPicamera2(number))
        return made[-1]

    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=make))
    return made


def test_the_pis_camera_is_held_and_freed(pi: list[MadeUpPicamera2]) -> None:
    capture = PiCapture(0, (64, 36))
    keeper = Keeper("camera csi", PiControls(capture.set_controls, lambda: capture.metadata))
    world, now = pi[0].world, 0.0
    seen: dict[float, tuple[Phase, float]] = {}
    for second in range(24):
        if second == 8:
            world.light = 0.3
        for _ in range(FPS):
            now += 1 / FPS
            assert capture.grab()
            good, image = capture.retrieve()
            assert good
            assert image is not None
            keeper.see(image, now)
        seen[second] = keeper.phase, world.values[MODE]
    assert seen[7] == (Phase.HELD, 1.0)
    assert seen[11] == (Phase.SETTLING, 3.0)
    assert seen[23] == (Phase.HELD, 1.0)
    keeper.close()
    assert (world.values[MODE], world.values[AUTO_WB]) == (3.0, 1.0)
    capture.release()
    assert pi[0].stopped
    assert pi[0].closed


def test_a_pis_camera_without_these_controls_is_left_alone(pi: list[MadeUpPicamera2]) -> None:
    capture = PiCapture(0, (64, 36))

    def refuse(wanted: dict[str, Any]) -> None:
        raise RuntimeError("Control AeEnable is not advertised by libcamera")

    keeper = Keeper("camera csi", PiControls(refuse, lambda: capture.metadata))
    for k in range(400):
        assert capture.grab()
        _, image = capture.retrieve()
        assert image is not None
        keeper.see(image, k / FPS)
    assert keeper.phase is Phase.LEFT


def test_a_pis_camera_that_stalls_fails_to_grab_and_holds_no_buffer(pi: list[MadeUpPicamera2]) -> None:
    capture = PiCapture(0, (64, 36))
    for _ in range(10):
        assert capture.grab()  # and never retrieved
    pi[0].stalled = True
    assert not capture.grab()
    assert capture.retrieve() == (False, None)
    assert pi[0].requests == 0


def test_the_ribbon_cameras_name_opens_it(pi: list[MadeUpPicamera2], clock: TravelClock) -> None:
    camera = open_camera("csi", clock)
    assert camera.name == "camera csi"
    camera.close()
    assert pi[0].closed


def test_a_second_ribbon_camera_that_is_not_there_says_so(pi: list[MadeUpPicamera2], clock: TravelClock) -> None:
    with pytest.raises(CameraLost, match="csi1 does not open"):
        open_camera("csi1", clock)


def test_without_picamera2_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch, clock: TravelClock) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraLost, match="apt install python3-picamera2"):
        open_camera("csi", clock)
