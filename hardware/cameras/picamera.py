"""The camera on a Raspberry Pi's ribbon cable: OpenCV has no driver for it, Debian's python3-picamera2 has."""

import importlib
from concurrent.futures import TimeoutError as LateError
from typing import Any

import numpy as np
import numpy.typing as npt

GRAB_TIMEOUT_SECONDS = 1.0
"""Time without a frame after which a grab has failed. A larger value reports a lost camera later."""


class PiCapture:
    """Picamera2 with the interface of `cv2.VideoCapture` (see `hardware.cameras.sources.Capture`).

    Args:
        number: index of the camera, 0 or 1.
        size: requested width and height, in pixels.

    Attributes:
        known_controls: names of libcamera's controls that this module has; "AfMode" is there if its lens is motorised.
        metadata: libcamera's metadata of the frame that was retrieved last; empty before the first.

    Raises:
        ImportError: picamera2 is not installed.
        RuntimeError, IndexError: there is no such camera, or another program uses it.
    """

    def __init__(self, number: int, size: tuple[int, int]) -> None:
        self._camera: Any = importlib.import_module("picamera2").Picamera2(number)
        try:
            # libcamera names the channels from the lowest byte: its RGB888 is BGR in memory, as OpenCV needs it.
            main = {"size": size, "format": "RGB888"}
            self._camera.configure(self._camera.create_video_configuration(main=main))
            self._camera.start()
        except RuntimeError:
            self._camera.close()
            raise
        self.known_controls = frozenset[str](self._camera.camera_controls)
        self._request: Any = None
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
        try:
            self._request = self._camera.capture_request(wait=GRAB_TIMEOUT_SECONDS)
        except (RuntimeError, TimeoutError, LateError):
            return False
        return self._request is not None

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
            self._camera.stop()
        finally:
            self._camera.close()

    def _release_request(self) -> None:
        """Return the frame's buffer: there are few, and the camera stops while they are all in use."""
        if self._request is not None:
            self._request.release()
            self._request = None
