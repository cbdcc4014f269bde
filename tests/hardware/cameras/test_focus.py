"""Autofocus of a Camera Module 3: one scan once the view is still, then locked; other modules are not touched."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from companion.testing.table import ManualClock
from hardware.cameras import exposure
from hardware.cameras.camera_opener import open_camera
from hardware.cameras.focus import MAX_FAILED_SCANS, FocusController, FocusPhase, PiFocus, V4l2Focus
from hardware.cameras.live_camera import Camera, LiveCamera
from hardware.cameras.picamera import PiCapture
from tests.doubles.scripted_camera import FRAMES_PER_SECOND, SCENE
from tests.doubles.simulated_picamera import DEFAULT_DIOPTRES, MANUAL, SimulatedPicamera2

OTHER_SCENE = np.kron(np.random.default_rng(9).uniform(0.2, 1.0, (9, 16, 1)), np.ones((4, 4, 3))).astype(np.float32)


class Ribbon:
    """The focus controller with the frames of a simulated ribbon camera."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(
            sys.modules, "picamera2", SimpleNamespace(Picamera2=lambda number: SimulatedPicamera2(has_autofocus=True))
        )
        self.capture = PiCapture(0, (512, 288))
        self.pi: SimulatedPicamera2 = self.capture._camera
        self.controller = FocusController(
            "camera csi", PiFocus(self.capture.set_controls, lambda: self.capture.metadata)
        )
        self.now = 100.0

    def film(self, seconds: float) -> FocusPhase:
        for _ in range(round(seconds * FRAMES_PER_SECOND)):
            self.now += 1 / FRAMES_PER_SECOND
            assert self.capture.grab()
            _, image = self.capture.retrieve()
            assert image is not None
            self.controller.process_frame(image, self.now)
        return self.controller.phase

    def put_hand(self, left: int) -> None:
        self.pi.scene = SCENE.copy()
        self.pi.scene[16:, left : left + 16] = 0.05


@pytest.fixture
def ribbon(monkeypatch: pytest.MonkeyPatch) -> Ribbon:
    return Ribbon(monkeypatch)


def test_lens_is_focused_once_and_locked(ribbon: Ribbon) -> None:
    assert ribbon.pi.blur_px > 0.3
    assert ribbon.film(1) is FocusPhase.SETTLING
    assert ribbon.pi.scans == 0
    assert ribbon.film(8) is FocusPhase.LOCKED
    assert ribbon.pi.blur_px == 0
    assert ribbon.pi.mode == MANUAL
    assert ribbon.pi.set[-1] == {"AfMode": 0, "LensPosition": pytest.approx(1 / 0.6)}
    ribbon.film(15)
    assert ribbon.pi.scans == 1


def test_scan_waits_until_the_view_is_still(ribbon: Ribbon) -> None:
    for left in range(40):
        ribbon.put_hand(left)
        ribbon.film(0.3)
    assert ribbon.pi.scans == 0
    ribbon.pi.scene = None
    ribbon.film(6)
    assert ribbon.pi.scans == 1


def test_scan_that_a_hand_disturbed_is_repeated(ribbon: Ribbon) -> None:
    while ribbon.controller.phase is not FocusPhase.SCANNING:
        ribbon.film(0.1)
    ribbon.put_hand(20)
    ribbon.pi.distance_m = 0.4
    while ribbon.controller.phase is FocusPhase.SCANNING:
        ribbon.film(0.1)
    assert ribbon.controller.phase is FocusPhase.SETTLING
    ribbon.pi.scene, ribbon.pi.distance_m = None, 0.6
    assert ribbon.film(10) is FocusPhase.LOCKED
    assert ribbon.pi.lens == pytest.approx(1 / 0.6)


def test_moved_camera_is_focused_again(ribbon: Ribbon) -> None:
    ribbon.film(10)
    ribbon.pi.scene, ribbon.pi.distance_m = OTHER_SCENE, 0.3
    ribbon.film(2)
    assert ribbon.pi.scans == 1, "a head over the table is no other view"
    assert ribbon.film(12) is FocusPhase.LOCKED
    assert (ribbon.pi.scans, ribbon.pi.blur_px) == (2, 0)


@pytest.mark.parametrize("light", [0.4, 2.0])
def test_other_light_and_hands_do_not_focus_again(ribbon: Ribbon, light: float) -> None:
    ribbon.film(10)
    ribbon.pi.world.light = light
    ribbon.film(10)
    ribbon.put_hand(30)
    ribbon.film(10)
    assert ribbon.pi.scans == 1


def test_lens_rests_at_its_default_where_nothing_can_be_focused(
    ribbon: Ribbon, caplog: pytest.LogCaptureFixture
) -> None:
    ribbon.pi.has_contrast = False
    assert ribbon.film(20) is FocusPhase.LOCKED
    assert ribbon.pi.scans == MAX_FAILED_SCANS == 3
    assert (ribbon.pi.mode, ribbon.pi.lens) == (MANUAL, DEFAULT_DIOPTRES)
    assert len(caplog.records) == 1
    ribbon.pi.has_contrast, ribbon.pi.scene = True, OTHER_SCENE
    ribbon.film(15)
    assert ribbon.pi.blur_px == 0


def test_scan_that_never_ends_counts_as_failed(ribbon: Ribbon) -> None:
    ribbon.pi._move_lens = lambda controls: setattr(ribbon.pi, "state", 1)
    assert ribbon.film(40) is FocusPhase.LOCKED


def test_a_scan_lasts_ten_seconds_at_most(ribbon: Ribbon) -> None:
    ribbon.pi._move_lens = lambda controls: setattr(ribbon.pi, "state", 1)
    assert ribbon.capture.grab()
    _, image = ribbon.capture.retrieve()
    assert image is not None
    phases = []
    for at in (100.0, 102.0, 111.75, 112.0):
        ribbon.controller.process_frame(image, at)
        phases.append(ribbon.controller.phase)
    assert phases == [FocusPhase.SETTLING, FocusPhase.SCANNING, FocusPhase.SCANNING, FocusPhase.SETTLING]


@pytest.mark.parametrize("has_autofocus", [True, False])
def test_opened_camera_focuses_only_where_it_can(
    monkeypatch: pytest.MonkeyPatch, clock: ManualClock, has_autofocus: bool
) -> None:
    exposure._log_automatic.cache_clear()
    for _ in range(2):  # it comes back
        pi, opened = SimulatedPicamera2(has_autofocus=has_autofocus), list[Camera]()

        def wait_for_frame(
            pi: SimulatedPicamera2 = pi, opened: list[Camera] = opened, end: float = clock.now + 20
        ) -> None:
            clock.now += 1 / FRAMES_PER_SECOND
            for camera in opened:
                for _ in range(2):  # the reader polls more often than frames come
                    camera.read()
                pi.stalled = clock.now > end

        pi.wait_for_frame = wait_for_frame
        monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=lambda number, pi=pi: pi))
        camera = open_camera("csi", clock)
        assert isinstance(camera, LiveCamera)
        opened.append(camera)
        camera._thread.join()
        assert pi.scans == has_autofocus
        assert any("AfMode" in controls for controls in pi.set) is has_autofocus
        assert pi.blur_px == 0
        assert any(controls.get("AeEnable") is False for controls in pi.set), "the exposure is held as before"


class Webcam:
    """A webcam that focuses by itself on what is before it, `jumps` to the position last set by hand when it is held.

    `scene` is what is seen, and `distance` the position at which that is sharp.
    """

    def __init__(self, *, jumps: bool = False, ignores_position: bool = False) -> None:
        self.values = {cv2.CAP_PROP_AUTOFOCUS: 1.0, cv2.CAP_PROP_FOCUS: 0.0}
        self.distance, self.scene = 60.0, SCENE
        self._jumps, self._ignores_position = jumps, ignores_position
        self.now = 100.0
        self.controller = FocusController("camera 0", V4l2Focus(self, lambda: self.now))

    def get(self, control: int, /) -> float:
        return self.values[control]

    def set(self, control: int, value: float, /) -> bool:
        if control == cv2.CAP_PROP_FOCUS and self._ignores_position:
            return True
        self.values[control] = value
        if control == cv2.CAP_PROP_AUTOFOCUS and value == 0 and self._jumps:
            self.values[cv2.CAP_PROP_FOCUS] = 0.0
        return True

    def film(self, seconds: float) -> FocusPhase:
        for _ in range(round(seconds * 4)):
            self.now += 0.25
            if self.values[cv2.CAP_PROP_AUTOFOCUS] == 1:
                self.values[cv2.CAP_PROP_FOCUS] = self.distance
            blur = abs(self.values[cv2.CAP_PROP_FOCUS] - self.distance) / 15
            image = cv2.resize((self.scene * 255).astype(np.uint8), (512, 288), interpolation=cv2.INTER_NEAREST)
            self.controller.process_frame(cv2.GaussianBlur(image, (0, 0), blur) if blur else image, self.now)
        return self.controller.phase


@pytest.mark.parametrize("jumps", [False, True])
def test_webcam_focuses_once_on_the_table_and_is_held(*, jumps: bool) -> None:
    webcam = Webcam(jumps=jumps)
    assert webcam.film(4) is FocusPhase.SCANNING
    assert webcam.controller.is_focusing
    assert webcam.film(4) is FocusPhase.LOCKED
    webcam.distance = 20.0  # a hand, to which it would refocus
    assert webcam.film(4) is FocusPhase.LOCKED
    assert webcam.values == {cv2.CAP_PROP_AUTOFOCUS: 0.0, cv2.CAP_PROP_FOCUS: 60.0}
    webcam.scene, webcam.distance = OTHER_SCENE, 30.0
    assert webcam.film(16) is FocusPhase.LOCKED
    assert webcam.values == {cv2.CAP_PROP_AUTOFOCUS: 0.0, cv2.CAP_PROP_FOCUS: 30.0}
    webcam.controller.close()
    assert webcam.values[cv2.CAP_PROP_AUTOFOCUS] == 1.0


def test_webcam_that_holding_blurs_is_left_on_automatic(caplog: pytest.LogCaptureFixture) -> None:
    webcam = Webcam(jumps=True, ignores_position=True)
    webcam.values[cv2.CAP_PROP_FOCUS] = 60.0
    assert webcam.film(8) is FocusPhase.AUTOMATIC
    assert webcam.values[cv2.CAP_PROP_AUTOFOCUS] == 1.0
    assert not webcam.controller.is_focusing
    assert caplog.messages == ["camera 0: its lens cannot be locked; it stays on automatic"]
