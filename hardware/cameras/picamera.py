"""The camera on a Raspberry Pi's ribbon cable. OpenCV does not drive it; Debian's python3-picamera2 does."""

from __future__ import annotations

import importlib
from concurrent.futures import TimeoutError as LateError
from typing import Any

import numpy as np
import numpy.typing as npt

GRAB_TIMEOUT_SECONDS = 1.0
"""Seconds without a frame after which a grab has failed."""


class PiCapture:
    """Picamera2 with the face of `cv2.VideoCapture` (see `hardware.cameras.sources.Capture`).

    Args:
        number: which camera, 0 or 1.
        size: width and height asked for.

    Raises:
        ImportError: picamera2 is not installed.
        RuntimeError, IndexError: there is no such camera, or another program has it.
    """

    def __init__(self, number: int, size: tuple[int, int]) -> None:
        self._camera: Any = importlib.import_module("picamera2").Picamera2(number)
        try:
            # libcamera counts bits from the lowest: its RGB888 is BGR in memory, as OpenCV wants it.
            main = {"size": size, "format": "RGB888"}
            self._camera.configure(self._camera.create_video_configuration(main=main))
            self._camera.start()
        except RuntimeError:
            self._camera.close()
            raise
        self._request: Any = None
        self.metadata: dict[str, Any] = {}
        """What libcamera says of the frame retrieved last."""

    def set_controls(self, controls: dict[str, Any]) -> None:
        """See `Picamera2.set_controls`."""
        self._camera.set_controls(controls)

    def grab(self) -> bool:
        """Waits for the next frame; False if none comes."""
        self._release_request()
        try:
            self._request = self._camera.capture_request(wait=GRAB_TIMEOUT_SECONDS)
        except (RuntimeError, TimeoutError, LateError):
            return False
        return self._request is not None

    def retrieve(self) -> tuple[bool, npt.NDArray[np.uint8] | None]:
        """The frame grabbed last, BGR."""
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
        """Lets go of the camera."""
        self._release_request()
        try:
            self._camera.stop()
        finally:
            self._camera.close()

    def _release_request(self) -> None:
        """A request keeps one of few buffers: held for long, the camera stands still."""
        if self._request is not None:
            self._request.release()
            self._request = None
