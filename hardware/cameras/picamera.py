"""The camera on a Raspberry Pi's ribbon cable: OpenCV has no driver for it, Debian's python3-picamera2 has."""

import importlib
from concurrent.futures import CancelledError
from concurrent.futures import TimeoutError as LateError
from typing import Any

import numpy as np
import numpy.typing as npt

from hardware.cameras.sensor_modes import FRAMES_PER_SECOND, choose_sensor_mode

GRAB_TIMEOUT_SECONDS = 1.0
"""Time without a frame after which a grab has failed. A larger value reports a lost camera later."""

FRAME_MICROSECONDS = 1_000_000 // FRAMES_PER_SECOND
"""Duration of a frame, in libcamera's unit."""

MANUAL_FLICKER_MODE = 1
"""Value of libcamera's AeFlickerMode: exposures are whole multiples of AeFlickerPeriod, so that no lamp makes bands."""


class PiCapture:
    """Picamera2 with the interface of `cv2.VideoCapture` (see `hardware.cameras.live_camera.Capture`).

    Args:
        number: index of the camera, 0 or 1.
        size: requested width and height, in pixels.
        mains_hz: frequency of the mains, 50 or 60, at which lamps flicker; 0: unknown.

    Attributes:
        known_controls: names of libcamera's controls that this module has; "AfMode" is there if its lens is motorised.
        metadata: libcamera's metadata of the frame that was retrieved last; empty before the first.

    Raises:
        ImportError: picamera2 is not installed.
        RuntimeError, IndexError: there is no such camera, or another program uses it.
    """

    def __init__(self, number: int, size: tuple[int, int], mains_hz: int = 0) -> None:
        self._camera: Any = importlib.import_module("picamera2").Picamera2(number)
        try:
            # libcamera names the channels from the lowest byte: its RGB888 is BGR in memory, as OpenCV needs it.
            main = {"size": size, "format": "RGB888"}
            # A USB camera that libcamera lists too has neither a crop nor sensor modes.
            modes = self._camera.sensor_modes if "ScalerCrop" in self._camera.camera_controls else ()
            sensor = choose_sensor_mode(modes, size)
            controls = self._list_controls(mains_hz)
            self._camera.configure(self._camera.create_video_configuration(main=main, sensor=sensor, controls=controls))
            self._camera.start()
        except RuntimeError:
            self._camera.close()
            raise
        self.known_controls = frozenset[str](self._camera.camera_controls)
        self._request: Any = None
        self._job: Any = None
        """The wait for a frame, as long as it has none."""
        self.metadata: dict[str, Any] = {}

    def set_controls(self, controls: dict[str, Any]) -> None:
        """Set libcamera's controls, by name; they show after some frames. See `Picamera2.set_controls`.

        Args:
            controls: values by name, such as {"ExposureTime": 10_000} (microseconds).

        Raises:
            RuntimeError, ValueError, KeyError: libcamera does not have a control, or not this value, for the sensor.
        """
        self._camera.set_controls(controls)

    def grab(self) -> bool:
        """Wait for the next frame, up to `GRAB_TIMEOUT_SECONDS` (1 s), and return whether one arrived; raises nothing.

        A frame that was grabbed before and not retrieved is dropped.
        """
        self._release_request()
        return self._take_request(GRAB_TIMEOUT_SECONDS)

    def retrieve(self) -> tuple[bool, npt.NDArray[np.uint8] | None]:
        """Return whether there is a grabbed frame, and that frame as (H, W, 3) uint8 BGR (None if there is none)."""
        if self._request is None:
            return False, None
        try:
            image = np.array(self._request.make_array("main"), np.uint8)
            self.metadata = dict(self._request.get_metadata())
        except RuntimeError:
            return False, None
        finally:
            self._release_request()
        return True, image

    def release(self) -> None:
        """Stop and close the camera.

        Raises:
            RuntimeError: the camera no longer answers; it is closed all the same.
        """
        self._release_request()
        try:
            if self._job is not None:
                # `stop` is a job too: it would wait for ever behind one whose frame never comes.
                self._camera.cancel_all_and_flush()
                self._take_request(0.0)
                self._release_request()
            self._camera.stop()
        finally:
            self._camera.close()

    def _list_controls(self, mains_hz: int) -> dict[str, Any]:
        """Return libcamera's controls to begin with, of those that the camera has."""
        wanted: dict[str, Any] = {"FrameDurationLimits": (FRAME_MICROSECONDS, FRAME_MICROSECONDS)}
        if mains_hz and "AeFlickerPeriod" in self._camera.camera_controls:
            # A lamp is bright twice in each period of the mains.
            wanted |= {"AeFlickerMode": MANUAL_FLICKER_MODE, "AeFlickerPeriod": round(500_000 / mains_hz)}
        return {name: value for name, value in wanted.items() if name in self._camera.camera_controls}

    def _take_request(self, timeout: float) -> bool:
        """Wait for a frame, and return whether it arrived; a wait that was too short goes on in the next call.

        A job that was given up would stay in Picamera2's queue, take the next frame and never return its buffer.
        """
        try:
            if self._job is None:
                self._job = self._camera.capture_request(wait=False)
            self._request = self._camera.wait(self._job, timeout=timeout)
        except (TimeoutError, LateError):
            return False
        except (RuntimeError, CancelledError):
            self._job = None
            return False
        self._job = None
        return self._request is not None

    def _release_request(self) -> None:
        """Return the frame's buffer: there are few, and the camera stops while they are all in use."""
        if self._request is not None:
            self._request.release()
            self._request = None
