"""Exposure that is held and given back, on a camera made up to behave as badly as real ones do."""

from __future__ import annotations

import logging
import sys
from collections import deque
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from hardware import exposure
from hardware.cameras import CameraLost, LiveCamera, open_camera
from hardware.exposure import Keeper, Phase, PiControls, V4l2Controls
from hardware.picamera import PiCapture
from tests.hardware.conftest import TravelClock

FPS = 15
MODE, TIME = cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_EXPOSURE
AUTO_WB, KELVIN = cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_WB_TEMPERATURE
SCENE = np.random.default_rng(5).uniform(0.2, 1.0, (36, 64, 3)).astype(np.float32)


class MadeUpCamera:
    """A webcam: `light` falls on the scene, `get` and `set` work its controls as V4L2's do.

    Args:
        manual, auto: what "by hand" and "by itself" are called.
        ignores: controls that cannot be set.
        lies: what `set` returns, where that is not what it did.
        jumps: by hand it begins at this exposure time, not at the one found.
        longest: no exposure time is longer.
        late: frames until what is set shows.
        tint_jumps: without its automatic white balance it is this much bluer.
    """

    def __init__(
        self,
        *,
        manual: float = 1.0,
        auto: float = 3.0,
        ignores: frozenset[int] = frozenset(),
        lies: bool | None = None,
        jumps: float | None = None,
        longest: float = 5000.0,
        late: int = 3,
        tint_jumps: float = 1.0,
    ) -> None:
        self.light = 1.0
        self.colour = np.ones(3, np.float32)
        self.there = True
        self.values = {MODE: auto, TIME: 150.0, AUTO_WB: 1.0, KELVIN: 4500.0}
        self._manual, self._auto, self._ignores, self._lies = manual, auto, ignores, lies
        self._jumps, self._longest, self._tint = jumps, longest, tint_jumps
        self._under_way = deque([(150.0, 1.0)] * late)
        self._gains = np.ones(3, np.float32)

    def get(self, propId: int, /) -> float:  # noqa: N803
        return self.values.get(propId, -1.0) if self.there else -1.0

    def set(self, propId: int, value: float, /) -> bool:  # noqa: N803
        done = self.there and propId in self.values and propId not in self._ignores
        if done and propId == MODE:
            done = value in (self._manual, self._auto)
            if done and value == self._manual and self.values[MODE] != value and self._jumps is not None:
                self.values[TIME] = self._jumps
        if done:
            self.values[propId] = min(value, self._longest) if propId == TIME else value
        return done if self._lies is None else self._lies

    def frame(self, over: np.ndarray | None = None) -> np.ndarray:
        if self.values[MODE] == self._auto:  # a third of the way to a middle grey with each frame
            level = float((SCENE.mean() * self.light * self.values[TIME] / 400) ** (1 / 2.2))
            self.values[TIME] = min(self._longest, self.values[TIME] * (0.45 / level) ** 0.7)
        if self.values[AUTO_WB] == 1:
            self._gains = 1 / self.colour
        bluer = 1.0 if self.values[AUTO_WB] == 1 else self._tint
        self._under_way.append((self.values[TIME], bluer))
        time, blue = self._under_way.popleft()
        scene = SCENE if over is None else over
        linear = scene * self.light * self.colour * self._gains * [blue, 1, 1] * time / 400
        return (255 * np.clip(linear, 0, 1) ** (1 / 2.2)).astype(np.uint8)


class Filming:
    """A keeper that is shown the camera's frames."""

    def __init__(self, camera: MadeUpCamera) -> None:
        self.camera, self.now = camera, 100.0
        self.keeper = Keeper("camera 0", V4l2Controls(camera))

    def film(self, seconds: float, over: np.ndarray | None = None) -> Phase:
        for _ in range(round(seconds * FPS)):
            self.now += 1 / FPS
            self.keeper.see(self.camera.frame(over), self.now)
        return self.keeper.phase

    def level(self) -> float:
        return float(self.camera.frame().mean())


@pytest.fixture(autouse=True)
def _fresh_log() -> None:
    exposure._tell_left.cache_clear()


def test_it_is_held_once_the_picture_has_come_to_rest() -> None:
    filming = Filming(MadeUpCamera())
    assert filming.film(1) is Phase.SETTLING
    assert filming.film(5) is Phase.HELD
    assert filming.camera.values[MODE] == 1.0
    assert filming.camera.values[AUTO_WB] == 0.0


def test_the_older_scale_is_known_too() -> None:
    filming = Filming(MadeUpCamera(manual=0.25, auto=0.75))
    assert filming.film(6) is Phase.HELD
    assert filming.camera.values[MODE] == 0.25
    filming.keeper.close()
    assert filming.camera.values[MODE] == 0.75


def test_a_camera_that_finds_the_aperture_too_gets_its_own_mode_back() -> None:
    filming = Filming(MadeUpCamera(auto=0.0))
    assert filming.film(6) is Phase.HELD
    filming.keeper.close()
    assert filming.camera.values[MODE] == 0.0


def test_held_it_stays_though_much_in_view_is_dark() -> None:
    filming = Filming(MadeUpCamera())
    filming.film(6)
    before = filming.camera.values[TIME]
    sleeve = SCENE.copy()
    sleeve[:, :28] *= 0.1
    assert filming.film(20, sleeve) is Phase.HELD
    assert filming.camera.values[TIME] == before


@pytest.mark.parametrize("light", [0.3, 3.0])
def test_another_light_frees_it_and_it_is_held_again(light: float) -> None:
    filming = Filming(MadeUpCamera())
    filming.film(6)
    good = filming.level()
    filming.camera.light = light
    assert filming.film(2) is Phase.HELD, "a lamp that flickers is no other light"
    assert abs(filming.level() - good) > 30
    assert filming.film(2) is Phase.SETTLING
    assert filming.film(6) is Phase.HELD
    assert filming.level() == pytest.approx(good, rel=0.1)


def test_sunset_frees_it_again_and_again() -> None:
    filming = Filming(MadeUpCamera())
    filming.film(6)
    good = filming.level()
    for _ in range(240):
        filming.camera.light *= 0.99
        filming.film(1)
        assert filming.level() > 0.7 * good
    filming.film(10)
    assert filming.keeper.phase is Phase.HELD


def test_a_lamp_of_another_colour_is_another_light() -> None:
    filming = Filming(MadeUpCamera())
    filming.film(6)
    filming.camera.colour = np.array([0.5, 0.9, 1.3], np.float32)
    assert filming.film(4) is Phase.SETTLING
    assert filming.film(6) is Phase.HELD
    assert filming.camera.frame().mean(axis=(0, 1)) == pytest.approx(np.full(3, filming.level()), rel=0.1)


@pytest.mark.parametrize("at", [40.0, 600.0])
def test_a_camera_that_begins_at_another_time_is_brought_back(at: float) -> None:
    """UVC cameras that do not tell the time that they have found by themselves."""
    filming = Filming(MadeUpCamera(jumps=at))
    filming.film(2)
    good = filming.level()
    camera = filming.camera
    told = camera.get

    def untold(propId: int, /) -> float:  # noqa: N803
        return at if propId == TIME and camera.values[MODE] != 1.0 else told(propId)

    camera.get = untold  # type: ignore[method-assign]
    assert filming.film(12) is Phase.HELD
    assert filming.level() == pytest.approx(good, rel=0.1)


def test_a_camera_that_cannot_be_brought_back_is_left_alone() -> None:
    camera = MadeUpCamera(jumps=20.0, ignores=frozenset({TIME}))
    filming = Filming(camera)
    filming.film(1)
    good = filming.level()
    assert filming.film(20) is Phase.LEFT
    assert camera.values[MODE] == 3.0
    assert filming.level() == pytest.approx(good, rel=0.1)


@pytest.mark.parametrize("lies", [None, True, False])
def test_a_camera_without_the_control_is_left_alone_and_that_is_logged_once(
    lies: bool | None, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, exposure.__name__)
    for _ in range(2):  # it was unplugged between
        filming = Filming(MadeUpCamera(ignores=frozenset({MODE}), lies=lies))
        assert filming.film(20) is Phase.LEFT
    assert len(caplog.records) == 1
    assert "camera 0" in caplog.text


@pytest.mark.parametrize("lies", [True, False])
def test_what_reads_back_counts_and_not_what_is_returned(lies: bool) -> None:
    filming = Filming(MadeUpCamera(lies=lies))
    assert filming.film(6) is Phase.HELD


def test_a_camera_that_has_no_such_controls_is_not_touched() -> None:
    camera = MadeUpCamera()
    camera.values = {MODE: -1.0, TIME: -1.0, AUTO_WB: -1.0, KELVIN: -1.0}
    keeper = Keeper("camera 0", V4l2Controls(camera))
    for k in range(400):
        keeper.see(np.full((36, 64, 3), 120, np.uint8), k / FPS)
    assert keeper.phase is Phase.LEFT
    assert set(camera.values.values()) == {-1.0}


def test_a_tint_that_jumps_is_left_to_the_camera() -> None:
    filming = Filming(MadeUpCamera(tint_jumps=1.6))
    assert filming.film(15) is Phase.HELD
    assert (filming.camera.values[MODE], filming.camera.values[AUTO_WB]) == (1.0, 1.0)


def test_the_time_is_never_pushed_beyond_what_the_camera_can() -> None:
    filming = Filming(MadeUpCamera(longest=180.0))
    filming.film(6)
    filming.camera.light = 0.5
    filming.film(20)
    assert filming.camera.values[TIME] <= 180.0
    assert filming.keeper.phase is Phase.HELD


def test_in_the_dark_nothing_is_held() -> None:
    camera = MadeUpCamera()
    camera.light = 1e-6
    filming = Filming(camera)
    assert filming.film(20) is Phase.SETTLING
    camera.light = 1.0
    assert filming.film(10) is Phase.HELD


def test_a_camera_left_held_by_a_program_that_was_killed_is_freed() -> None:
    camera = MadeUpCamera()
    camera.values |= {MODE: 1.0, TIME: 3000.0, AUTO_WB: 0.0}
    assert Filming(camera).film(8) is Phase.HELD
    assert camera.values[TIME] < 300


def test_a_camera_that_vanishes_meanwhile_raises_nothing() -> None:
    filming = Filming(MadeUpCamera())
    filming.film(2.5)
    filming.camera.there = False
    filming.film(20)
    filming.keeper.close()


def test_closing_gives_the_camera_back() -> None:
    filming = Filming(MadeUpCamera())
    filming.film(6)
    filming.keeper.close()
    assert (filming.camera.values[MODE], filming.camera.values[AUTO_WB]) == (3.0, 1.0)


@pytest.mark.parametrize("shape", [(36, 64), (36, 64, 1), (36, 64, 4), (1, 1, 3), (0, 0, 3)])
def test_any_picture_may_come(shape: tuple[int, ...]) -> None:
    filming = Filming(MadeUpCamera())
    filming.film(3)
    for k in range(100):
        filming.keeper.see(np.full(shape, 99, np.uint8), filming.now + k)


# in the camera's thread


class Grabbed(MadeUpCamera):
    """The made-up camera as a capture: it gives its frames without waiting, and then fails."""

    def __init__(self, clock: TravelClock, seconds: float) -> None:
        super().__init__()
        self._clock, self._left = clock, round(seconds * FPS)
        self.modes: list[float] = []

    def grab(self) -> bool:
        self._clock.now += 1 / FPS
        self._left -= 1
        self.modes.append(self.values[MODE])
        return self._left >= 0

    def retrieve(self) -> tuple[bool, Any]:
        return True, self.frame()

    def release(self) -> None:
        self.modes.append(self.values[MODE])


def test_a_live_camera_holds_its_exposure_and_gives_it_back(clock: TravelClock) -> None:
    capture = Grabbed(clock, 8)
    camera = LiveCamera("camera 0", capture, clock, Keeper("camera 0", V4l2Controls(capture)))
    camera._thread.join(30.0)
    assert 1.0 in capture.modes
    assert capture.modes[-1] == 3.0
    camera.close()


# the camera on a Pi's ribbon cable


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
