"""Frames of a live camera, each stamped when it was taken; and `Camera`, the interface of all cameras.

A live camera keeps its newest frame alone: late ones are dropped here. Frames are never turned: the edge that is up is
found in `companion/vision/dice/frame_orientation.py`.

A camera does not interpret its pictures. It is gone when it raises `CameraLost`; then it must be opened again.
"""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import cv2
import numpy as np
import numpy.typing as npt

log = logging.getLogger(__name__)

Clock = Callable[[], float]
"""A monotonic clock: returns seconds."""

MAX_FAILED_GRABS = 4
"""Failed grabs in a row after which a live camera counts as gone. A larger value reports a loss later."""

GRAB_RETRY_SECONDS = 0.05
"""Pause after a failed grab: a device that is gone fails at once and would keep a core busy."""

IDLE_SECONDS = 5.0
"""Time without a `read` after which a decoded frame is no longer given, as after a game that needs no camera.

A larger value gives older frames; one shorter than the reader's slowest frame would lose frames.
"""

CLOSE_TIMEOUT_SECONDS = 5.0
"""Longest wait for a camera's thread to end: a grab under way takes up to a second, or `READ_TIMEOUT_SECONDS`."""


class CameraLost(OSError):
    """The camera is gone or cannot be opened. The message names the camera and the remedy."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A picture of a camera. Two frames are equal only if they are the same object.

    Attributes:
        image: shape (height, width, 3), uint8 BGR.
        at: time at which it was taken, in seconds of the camera's clock.
        index: number of the frame, from 0.
    """

    image: npt.NDArray[np.uint8]
    at: float
    index: int


class Camera(Protocol):
    """A source of frames."""

    @property
    def name(self) -> str:
        """Name of the camera for people."""

    def read(self) -> Frame | None:
        """Return the latest frame; None if there is no new one since the last call. Does not wait for one.

        Raises:
            CameraLost: the camera is gone and must be opened again; of a recording: it is at its end.
        """

    def close(self) -> None:
        """Release the device; may be called twice."""


class Capture(Protocol):
    """The part of `cv2.VideoCapture` that is used for frames."""

    def grab(self) -> bool:
        """Wait for the next frame and return whether one arrived.

        It waits for a second at most at a device of this machine, `READ_TIMEOUT_SECONDS` (4 s) at a network stream.
        """

    def retrieve(self) -> tuple[bool, Any]:
        """Return whether the grabbed frame could be decoded, and its image as (H, W, 3) uint8 BGR (None if not)."""

    def release(self) -> None:
        """Release the device."""


class FrameController(Protocol):
    """Controls a camera by what its frames show: exposure, focus."""

    @property
    def is_focusing(self) -> bool:
        """Whether the picture may still become sharper."""

    def process_frame(self, image: npt.NDArray[Any], at: float) -> None:
        """Check a frame, (H, W, 3) uint8 BGR, taken at `at` (seconds of the camera's clock)."""

    def close(self) -> None:
        """Leave the camera as other programs expect it; called before the device is released."""


class LiveCamera:
    """A device or a network stream. Its own thread owns it and decodes only what is read.

    A frame is stamped as soon as the driver delivers it, before it is decoded. All frames are grabbed, which shows that
    the camera is there and leaves no old frame in the driver. After a `read` that found none, the next one is decoded.

    Args:
        name: name of the camera for people.
        capture: the opened device.
        clock: the clock of the stamps, in seconds; called from the camera's thread and from `read`.
        controllers: called with each frame from the camera's thread, because drivers cannot be used from two threads.
            If one raises an exception, the camera counts as gone.

    Raises:
        RuntimeError: the system cannot start another thread.
    """

    def __init__(self, name: str, capture: Capture, clock: Clock, *controllers: FrameController) -> None:
        self.name = name
        self._capture, self._clock, self._controllers = capture, clock, controllers
        self._latest: Frame | None = None
        self._read_at = clock()
        self._is_wanted = True
        self._lost: str | None = None
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name=f"camera {name}", daemon=True)
        self._thread.start()

    def read(self) -> Frame | None:
        """Return the next frame without waiting; None if there is none yet since the last call.

        A frame that nobody has read for `IDLE_SECONDS` (5 s) is dropped.

        Raises:
            CameraLost: the camera is gone or closed, and its last frame has been returned; it must be opened again. It
                is gone after `MAX_FAILED_GRABS` (4) failed grabs in a row, or an exception of the driver.
        """
        with self._lock:
            now, lost = self._clock(), self._lost
            frame, self._latest = self._latest, None
            if lost is None and now - self._read_at >= IDLE_SECONDS:
                frame = None
            self._read_at, self._is_wanted = now, frame is None
        if frame is None and lost is not None:
            raise CameraLost(lost)
        return frame

    @property
    def is_focusing(self) -> bool:
        """Whether the picture may still become sharper, because the lens is motorised and moves."""
        return any(controller.is_focusing for controller in self._controllers)

    def close(self) -> None:
        """End the thread, which releases the device; may be called twice; raises nothing.

        Waits for a grab under way, `CLOSE_TIMEOUT_SECONDS` (5 s) at most; a thread that still hangs is left behind.
        """
        self._closing.set()
        self._thread.join(timeout=CLOSE_TIMEOUT_SECONDS)

    def _run(self) -> None:
        lost = f"{self.name} gives no more pictures: is it plugged in, and does nothing else use it?"
        try:
            self._grab()
            for controller in self._controllers:
                controller.close()
        except (Exception, SystemExit):
            # An error of the driver or a bug of ours: the camera counts as gone and is opened again.
            log.exception("%s failed", self.name)
            lost = f"{self.name} failed: it is opened again"
        try:
            self._capture.release()
        except (Exception, SystemExit):  # of the driver, which is about to be left anyway
            log.exception("%s could not be released", self.name)
        with self._lock:
            self._lost = lost

    def _grab(self) -> None:
        """Grab frame after frame until the camera is closed or gone."""
        failures = index = 0
        while not self._closing.is_set() and failures < MAX_FAILED_GRABS:
            good = self._capture.grab()
            at = self._clock()
            if good and not self._is_wanted:
                failures = 0
                continue
            if good:
                good, image = self._capture.retrieve()
            if not good:
                failures += 1
                self._closing.wait(GRAB_RETRY_SECONDS)
                continue
            failures = 0
            with self._lock:
                self._latest, self._is_wanted = Frame(image, at, index), False
            index += 1
            for controller in self._controllers:
                controller.process_frame(image, at)


def set_opencv_log_level(level: int) -> int:
    """Set OpenCV's log level for the whole process and return the previous one. OpenCV 5 has moved the function.

    Args:
        level: 0 (silent) to 6 (verbose), see `cv2.utils.logging`; the result has the same scale.
    """
    set_level = getattr(cv2, "setLogLevel", None) or cv2.utils.logging.setLogLevel
    return int(set_level(level))
