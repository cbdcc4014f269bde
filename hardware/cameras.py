"""Cameras: where frames come from, each stamped when it was taken.

A camera has no opinion on what is to be seen. It is gone when it raises `CameraLost`; `Reconnecting` tries again.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

# A stalled USB camera blocks each read for ten seconds otherwise; OpenCV looks at this once, when it is imported.
os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "1")

import cv2
import numpy as np
import numpy.typing as npt

Clock = Callable[[], float]
"""Monotonic seconds."""

WIDTH, HEIGHT = 1280, 720
"""Asked of a live camera; it may give something else."""
FAILURES = 4
"""So many failed grabs in a row and a live camera counts as gone."""


class CameraLost(OSError):
    """The camera is gone, or could not be opened. The message says which and what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A picture, BGR, shape (height, width, 3); `at` is when it was taken, `index` counts them from 0.

    `skipped` names the files that could not be read on the way to this one.
    """

    image: npt.NDArray[np.uint8]
    at: float
    index: int
    skipped: tuple[str, ...] = ()


class Camera(Protocol):
    """Anything that frames come from."""

    @property
    def name(self) -> str:
        """What people would call it."""
        ...

    def read(self) -> Frame | None:
        """The latest picture; None if there has been no new one since the last call.

        Raises:
            CameraLost: it is gone, and will not come back by itself.
        """
        ...

    def close(self) -> None:
        """Lets go of the device; may be called twice."""
        ...


class Capture(Protocol):
    """What is used of `cv2.VideoCapture`."""

    def grab(self) -> bool: ...
    def retrieve(self) -> tuple[bool, Any]: ...
    def release(self) -> None: ...


class LiveCamera:
    """A device or a stream: a thread of its own owns it and keeps the latest picture only.

    A picture is stamped as soon as the driver hands it over, before it is decoded.
    """

    def __init__(self, name: str, capture: Capture, clock: Clock) -> None:
        self.name = name
        self._capture, self._clock = capture, clock
        self._latest: Frame | None = None
        self._lost: str | None = None
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name=f"camera {name}", daemon=True)
        self._thread.start()

    def read(self) -> Frame | None:
        """See `Camera`."""
        with self._lock:
            frame, self._latest = self._latest, None
            lost = self._lost
        if frame is None and lost is not None:
            raise CameraLost(lost)
        return frame

    def close(self) -> None:
        """Ends the thread, which lets go of the device; waits for a grab under way (its time-out is a second)."""
        self._closing.set()
        self._thread.join(timeout=5.0)

    def _run(self) -> None:
        failures = index = 0
        while not self._closing.is_set() and failures < FAILURES:
            good = self._capture.grab()
            at = self._clock()
            if good:
                good, image = self._capture.retrieve()
            if not good:
                failures += 1
                # A device that is gone fails at once: do not spin.
                self._closing.wait(0.05)
                continue
            failures = 0
            with self._lock:
                self._latest = Frame(image, at, index)
            index += 1
        self._capture.release()
        with self._lock:
            self._lost = f"{self.name} gives no more pictures: is it plugged in, and does nothing else use it?"


class VideoFile:
    """A recorded video, one picture a call, stamped by the video's own time from when it was opened."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self.name = path.name
        self._capture = cv2.VideoCapture(str(path))
        if not self._capture.isOpened():
            raise CameraLost(f"{path} is not a video that can be read")
        self._start = clock()
        self._seconds = 1.0 / (self._capture.get(cv2.CAP_PROP_FPS) or 15.0)
        self._index = 0

    def read(self) -> Frame | None:
        """The next picture.

        Raises:
            CameraLost: the video is at its end.
        """
        good, image = self._capture.read()
        if not good:
            raise CameraLost(f"{self.name} is at its end")
        frame = Frame(np.asarray(image, np.uint8), self._start + self._index * self._seconds, self._index)
        self._index += 1
        return frame

    def close(self) -> None:
        """See `Camera`."""
        self._capture.release()


class FolderCamera:
    """The pictures of a folder in the order of their names, one a call, stamped when they are read."""

    SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"})

    def __init__(self, folder: Path, clock: Clock) -> None:
        self.name = folder.name
        self._clock = clock
        self._left = sorted(p for p in folder.iterdir() if p.suffix.lower() in self.SUFFIXES)
        if not self._left:
            raise CameraLost(f"{folder} holds no pictures")
        self._index = 0

    def read(self) -> Frame | None:
        """The next picture; files that are none are skipped and named in `Frame.skipped`.

        Raises:
            CameraLost: no pictures are left.
        """
        skipped: list[str] = []
        while self._left:
            path = self._left.pop(0)
            image = cv2.imdecode(_bytes(path), cv2.IMREAD_COLOR) if path.stat().st_size else None
            if image is None:
                skipped.append(path.name)
                continue
            frame = Frame(np.asarray(image, np.uint8), self._clock(), self._index, tuple(skipped))
            self._index += 1
            return frame
        named = f" (unreadable: {', '.join(skipped)})" if skipped else ""
        raise CameraLost(f"{self.name} has no more pictures{named}")

    def close(self) -> None:
        """See `Camera`."""
        self._left.clear()


def _bytes(path: Path) -> npt.NDArray[np.uint8]:
    return np.frombuffer(path.read_bytes(), np.uint8)


def open_camera(spec: str, clock: Clock) -> Camera:
    """The camera that `--camera N|URL|FILE|FOLDER` means.

    Raises:
        CameraLost: there is no such thing, or it does not open.
    """
    # It is looked for twice a second until it is there: that it is not is said on the screen, not in OpenCV's log.
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    path = Path(spec)
    if spec.isdecimal():
        # On Linux another backend might be tried first, with other meanings of the exposure values.
        backend = cv2.CAP_V4L2 if sys.platform == "linux" else cv2.CAP_ANY
        return _live(f"camera {spec}", cv2.VideoCapture(int(spec), backend), clock)
    if "://" in spec:
        return _live(spec, cv2.VideoCapture(spec), clock)
    if path.is_dir():
        return FolderCamera(path, clock)
    if path.is_char_device():
        return _live(spec, cv2.VideoCapture(spec, cv2.CAP_V4L2), clock)
    if path.is_file():
        return VideoFile(path, clock)
    raise CameraLost(f"{spec}: no such camera, address, file or folder")


def _live(name: str, capture: cv2.VideoCapture, clock: Clock) -> LiveCamera:
    if not capture.isOpened():
        capture.release()
        raise CameraLost(f"{name} does not open: is it plugged in, and does nothing else use it?")
    # Uncompressed, USB cameras reach this size at a few pictures a second only.
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, WIDTH)
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, HEIGHT)
    return LiveCamera(name, capture, clock)


class Reconnecting:
    """A camera that is opened anew when it is lost: after 0.5 s, then twice as long each time, up to 8 s.

    `read` still raises `CameraLost` once for each loss, so that people hear of it, and gives None while it is away;
    `connected` says which.
    """

    FIRST_WAIT = 0.5
    LONGEST_WAIT = 8.0

    def __init__(self, reopen: Callable[[], Camera], clock: Clock) -> None:
        self._reopen, self._clock = reopen, clock
        self._camera: Camera | None = None
        self._name = "camera"
        self._wait = self.FIRST_WAIT
        self._again = clock()

    @property
    def name(self) -> str:
        """See `Camera`."""
        return self._name

    @property
    def connected(self) -> bool:
        """Whether the device is open."""
        return self._camera is not None

    def read(self) -> Frame | None:
        """See `Camera`; opening is tried here when its time has come."""
        if self._camera is None:
            if self._clock() < self._again:
                return None
            try:
                self._camera = self._reopen()
            except CameraLost:
                self._again = self._clock() + self._wait
                self._wait = min(self.LONGEST_WAIT, 2.0 * self._wait)
                return None
            self._name = self._camera.name
        try:
            frame = self._camera.read()
        except CameraLost:
            self.close()
            self._again = self._clock() + self._wait
            raise
        if frame is not None:
            self._wait = self.FIRST_WAIT
        return frame

    def close(self) -> None:
        """See `Camera`."""
        if self._camera is not None:
            self._camera.close()
            self._camera = None
