"""A simulated `picamera2.Picamera2`: a ribbon camera whose exposure is `ScriptedWebcam`'s, with or without autofocus.

Autofocus behaves as Raspberry Pi's own algorithm for the Camera Module 3 does (libcamera, src/ipa/rpi/controller/rpi/
af.cpp, and picamera2's tests/autofocus_test.py): the numbers of modes, triggers and states, no position in the metadata
before the lens has moved, a trigger that counts only in the mode Auto, a position that counts only in the mode Manual,
Idle in the mode Manual, a lens that moves a little with each frame, and the default position after a scan that failed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np

from tests.doubles.scripted_camera import AUTO_WB, EXPOSURE_MODE, EXPOSURE_TIME, SCENE, ScriptedWebcam
from tests.hardware.cameras.sensor_mode_lists import MODES

MANUAL, AUTO, CONTINUOUS = range(3)
IDLE, SCANNING, FOCUSED, FAILED = range(4)
START, CANCEL = range(2)

DEFAULT_DIOPTRES = 1.0
"""The hyperfocal distance, at which the lens rests until it is told otherwise."""
MAX_DIOPTRES = 12.0
SLEW_DIOPTRES = 0.5
"""Farthest way of the lens in one frame."""
BLUR_PX_PER_DIOPTRE = 0.5
"""Sigma of the blur, in pixels of a frame 512 wide, if the lens is one dioptre (1/m) off.

The Camera Module 3 (focal length 4.74 mm, f/1.8, sensor 6.45 mm wide) spreads a point over 12.5 um, 1 px of 512.
"""
ENLARGEMENT = 8

BUFFERS = 6
"""As `create_video_configuration` has them; the camera stops while all are in use."""

EXPOSURE_CONTROLS = frozenset({"AeEnable", "AwbEnable", "ExposureTime", "AnalogueGain", "ColourGains"})
OTHER_CONTROLS = frozenset({"ScalerCrop", "FrameDurationLimits", "AeFlickerMode", "AeFlickerPeriod"})
FOCUS_CONTROLS = frozenset({"AfMode", "AfTrigger", "LensPosition", "AfRange", "AfSpeed", "AfMetering", "AfWindows"})


class SimulatedPicamera2:
    """The parts of `picamera2.Picamera2` that are used.

    A request is a job, as in picamera2/job.py: it stays queued until a frame completes it, also if nobody waits any
    more, and `stop` waits behind it. While the camera is `stalled` no frame comes.

    `distance_m` is the distance of what is seen, `scene` is what is seen, (36, 64, 3), None: the webcam's own;
    `has_contrast` is False where a scan finds nothing to focus on; `wait_for_frame` is called before each frame.
    """

    def __init__(self, number: int = 0, *, has_autofocus: bool = False) -> None:
        if number > 0:
            raise IndexError("list index out of range")
        self.world = ScriptedWebcam(delay_frames=2)
        self.closed = self.stopped = False
        self.stalled = False
        self.requests = 0
        self.jobs: deque[Future[SimpleNamespace]] = deque()
        self.sensor_modes = MODES["Module 3 (imx708)"]
        self.configuration: dict[str, Any] = {}
        self.wait_for_frame: Callable[[], object] = lambda: None
        self.set: list[dict[str, Any]] = []
        self.distance_m, self.has_contrast = 0.6, True
        self.scene: np.ndarray | None = None
        self.scans = 0
        known = EXPOSURE_CONTROLS | OTHER_CONTROLS | (FOCUS_CONTROLS if has_autofocus else frozenset())
        self.camera_controls = dict.fromkeys(known, (0, 1, 0))
        self.lens, self.mode, self.state = DEFAULT_DIOPTRES, MANUAL, IDLE
        self._has_moved = False
        self._target = DEFAULT_DIOPTRES
        self._turning_points: list[float] = []  # of the scan under way
        self._under_way: deque[dict[str, Any]] = deque([{}, {}])

    @property
    def blur_px(self) -> float:
        return BLUR_PX_PER_DIOPTRE * abs(self.lens - 1 / self.distance_m) if "AfMode" in self.camera_controls else 0.0

    def create_video_configuration(self, **wanted: dict[str, Any]) -> dict[str, Any]:
        return wanted

    def configure(self, wanted: dict[str, Any]) -> None:
        assert wanted["main"]["format"] == "RGB888"
        assert wanted["controls"].keys() <= self.camera_controls.keys()
        self.configuration = wanted

    def start(self) -> None: ...

    def stop(self) -> None:
        assert not self.jobs, "waits for ever behind a job whose frame does not come"
        self.stopped = True

    def close(self) -> None:
        self.closed = True

    def set_controls(self, wanted: dict[str, Any]) -> None:
        if wanted.keys() - self.camera_controls.keys():
            raise RuntimeError("Control is not advertised by libcamera")
        self.set.append(wanted)
        values = self.world.values
        if "AeEnable" in wanted:
            values[EXPOSURE_MODE] = 3.0 if wanted["AeEnable"] else 1.0
        if "AwbEnable" in wanted:
            values[AUTO_WB] = float(wanted["AwbEnable"])
        if "ExposureTime" in wanted:
            values[EXPOSURE_TIME] = wanted["ExposureTime"] / 100
        self._under_way[-1] = {**self._under_way[-1], **wanted}

    def capture_request(self, wait: bool) -> Future[SimpleNamespace]:
        assert wait is False, "a job that nobody has can be waited for only once"
        self.jobs.append(Future())
        return self.jobs[-1]

    def wait(self, job: Future[SimpleNamespace], timeout: float) -> SimpleNamespace:
        if not job.done():
            self.wait_for_frame()
            self.deliver()
        if not job.done():
            raise TimeoutError
        return job.result()

    def deliver(self) -> None:
        """Take a frame, which completes the first job, unless the camera is stalled."""
        if self.stalled or not self.jobs:
            return
        assert self.requests < BUFFERS, "all buffers are held"
        self.requests += 1
        self._move_lens(self._under_way.popleft())
        self._under_way.append({})
        image, metadata = self._take_picture(), self._make_metadata()
        request = SimpleNamespace(
            make_array=lambda stream: image, get_metadata=lambda: metadata, release=self._release_buffer
        )
        self.jobs.popleft().set_result(request)

    def cancel_all_and_flush(self) -> None:
        for job in self.jobs:
            job.set_exception(CancelledError())
        self.jobs.clear()

    def _take_picture(self) -> np.ndarray:
        small = self.world.frame(SCENE if self.scene is None else self.scene)
        image = cv2.resize(small, None, fx=ENLARGEMENT, fy=ENLARGEMENT, interpolation=cv2.INTER_NEAREST)
        return cv2.GaussianBlur(image, (0, 0), self.blur_px) if self.blur_px > 0.01 else image

    def _make_metadata(self) -> dict[str, Any]:
        metadata = {
            "ExposureTime": self.world.values[EXPOSURE_TIME] * 100,
            "AnalogueGain": 1.5,
            "ColourGains": (1.9, 1.4),
        }
        if "AfMode" in self.camera_controls:
            metadata["AfState"] = self.state
            if self._has_moved:
                metadata["LensPosition"] = self.lens
        return metadata

    def _move_lens(self, controls: dict[str, Any]) -> None:
        """Apply the controls of a frame, the mode first, and move the lens on."""
        if controls.get("AfMode", self.mode) != self.mode:
            self.mode, self._turning_points, self._target = controls["AfMode"], [], self.lens
            self.state = IDLE
        if controls.get("AfTrigger") == START and self.mode == AUTO:
            self.scans += 1
            self._has_moved, self.state = True, SCANNING
            self._turning_points = [0.0, MAX_DIOPTRES / 3]
        if "LensPosition" in controls and self.mode == MANUAL:
            self._has_moved, self._target = True, controls["LensPosition"]
        if self.state == SCANNING:
            self._target = self._turning_points[0]
            if self.lens == self._target:
                self._turning_points.pop(0)
                if not self._turning_points:
                    self.state = FOCUSED if self.has_contrast else FAILED
                    self.lens = self._target = 1 / self.distance_m if self.has_contrast else DEFAULT_DIOPTRES
        way = self._target - self.lens
        self.lens += max(-SLEW_DIOPTRES, min(SLEW_DIOPTRES, way))

    def _release_buffer(self) -> None:
        self.requests -= 1
