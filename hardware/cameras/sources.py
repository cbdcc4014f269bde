"""Cameras: where frames come from, each stamped when it was taken.

A camera has no opinion on what is to be seen. It is gone when it raises `CameraLost`; who reads it opens it anew.
"""

from __future__ import annotations

import logging
import re
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from hardware.cameras.exposure import ExposureController, PiControls, V4l2Controls
from hardware.cameras.picamera import PiCapture

log = logging.getLogger(__name__)
Clock = Callable[[], float]
"""Monotonic seconds."""

LIVE_WIDTH_PX, LIVE_HEIGHT_PX = 1280, 720
"""Asked of a live camera; it may give something else."""
MAX_FAILED_GRABS = 4
"""So many failed grabs in a row and a live camera counts as gone."""


_MAX_VIDEO_FPS, _DEFAULT_VIDEO_FPS = 300.0, 15.0
"""Frames a second. Browsers note the ticks of their clock, a thousand a second, in place of their films' rate."""
_FRAME_COUNT_TOLERANCE = 0.1
"""A video's count of its own frames, often reckoned from its length, is off by this share at most."""


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

    A picture is stamped as soon as the driver hands it over, before it is decoded. `exposure` is worked from the same
    thread, for drivers take no orders from two.
    """

    def __init__(self, name: str, capture: Capture, clock: Clock, exposure: ExposureController | None = None) -> None:
        self.name = name
        self._capture, self._clock, self._exposure = capture, clock, exposure
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
        lost = f"{self.name} gives no more pictures: is it plugged in, and does nothing else use it?"
        try:
            self._grab()
            if self._exposure is not None:
                self._exposure.close()
        except Exception:
            # A driver's fault, or one of ours: the camera counts as gone, and is opened anew.
            log.exception("%s failed", self.name)
            lost = f"{self.name} failed: it is opened anew"
        try:
            self._capture.release()
        except Exception:
            log.exception("%s could not be let go", self.name)
        with self._lock:
            self._lost = lost

    def _grab(self) -> None:
        """One picture after the other, until the camera is closed or gone."""
        failures = index = 0
        while not self._closing.is_set() and failures < MAX_FAILED_GRABS:
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
            if self._exposure is not None:
                self._exposure.process_frame(image, at)


class VideoFile:
    """A recorded video, one picture a call, stamped by the video's own time from when it was opened."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self.name = path.name
        self._capture = cv2.VideoCapture(str(path))
        if not self._capture.isOpened():
            raise CameraLost(f"{path} is not a video that can be read")
        self._opened_at = clock()
        rate = self._capture.get(cv2.CAP_PROP_FPS)
        self._frame_seconds = 1.0 / (rate if 0 < rate <= _MAX_VIDEO_FPS else _DEFAULT_VIDEO_FPS)
        self._announced_frames = self._capture.get(cv2.CAP_PROP_FRAME_COUNT)
        self._index = 0
        self.missing_frames = 0
        """At its end: how many of the frames that it announces could not be read, if they are more than a few."""

    def read(self) -> Frame | None:
        """The next picture.

        Raises:
            CameraLost: the video is at its end.
        """
        good, image = self._capture.read()
        if not good:
            missing = self._announced_frames - self._index
            self.missing_frames = round(missing) if missing > _FRAME_COUNT_TOLERANCE * self._announced_frames else 0
            raise CameraLost(f"{self.name} is at its end")
        frame = Frame(np.asarray(image, np.uint8), self._opened_at + self._index * self._frame_seconds, self._index)
        self._index += 1
        return frame

    def close(self) -> None:
        """See `Camera`."""
        self._capture.release()


class FolderCamera:
    """The pictures of a folder in the order of their names (frame2 before frame10), one a call, stamped when read."""

    SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"})

    def __init__(self, folder: Path, clock: Clock) -> None:
        self.name = folder.name
        self._clock = clock
        try:
            entries = [p for p in folder.iterdir() if p.suffix.lower() in self.SUFFIXES and p.name[0] != "."]
        except OSError as error:
            raise CameraLost(f"{folder} cannot be looked into: {error.strerror}") from error
        if not entries:
            raise CameraLost(f"{folder} holds no pictures")
        self._remaining = sorted(entries, key=_split_numbers)
        self._index = 0

    def read(self) -> Frame | None:
        """The next picture; files that are none are skipped and named in `Frame.skipped`.

        Raises:
            CameraLost: no pictures are left.
        """
        skipped: list[str] = []
        while self._remaining:
            path = self._remaining.pop(0)
            image = _read_image(path)
            if image is None:
                skipped.append(path.name)
                continue
            frame = Frame(image, self._clock(), self._index, tuple(skipped))
            self._index += 1
            return frame
        named = f" (unreadable: {', '.join(skipped)})" if skipped else ""
        raise CameraLost(f"{self.name} has no more pictures{named}")

    def close(self) -> None:
        """See `Camera`."""
        self._remaining.clear()


def _split_numbers(path: Path) -> list[str | int]:
    return [int(piece) if i % 2 else piece for i, piece in enumerate(re.split(r"(\d+)", path.name))]


def _read_image(path: Path) -> npt.NDArray[np.uint8] | None:
    """The picture in the file; None if there is none."""
    try:
        data = np.frombuffer(path.read_bytes(), np.uint8)
        return np.asarray(image, np.uint8) if (image := cv2.imdecode(data, cv2.IMREAD_COLOR)) is not None else None
    except (OSError, cv2.error):  # it is gone, empty, or of a size that no picture has
        return None


OPENCV_SILENT = 0
"""OpenCV's log level at which it says nothing on stderr."""


def set_opencv_log_level(level: int) -> int:
    """Sets OpenCV's log level; what it was before. (OpenCV 5 has moved the function.)"""
    set_level = getattr(cv2, "setLogLevel", None) or cv2.utils.logging.setLogLevel
    return int(set_level(level))


def open_camera(spec: str, clock: Clock) -> Camera:
    """The camera that `--camera N|csi|URL|FILE|FOLDER` means; "csi1" is the second one on a Pi's ribbon cables.

    Raises:
        CameraLost: there is no such thing, or it does not open.
    """
    # It is looked for twice a second until it is there: that it is not is said on the screen, not in OpenCV's log.
    set_opencv_log_level(OPENCV_SILENT)
    path = Path(spec)
    if spec.isdecimal():
        # On Linux another backend might be tried first, with other meanings of the exposure values.
        backend = cv2.CAP_V4L2 if sys.platform == "linux" else cv2.CAP_ANY
        return _open_live(f"camera {spec}", cv2.VideoCapture(int(spec), backend), clock, local=backend == cv2.CAP_V4L2)
    if spec in ("csi", "csi0", "csi1"):
        return _open_ribbon(spec, clock)
    if "://" in spec:
        return _open_live(spec, cv2.VideoCapture(spec), clock)
    try:
        if path.is_dir():
            return FolderCamera(path, clock)
        if path.is_char_device():
            return _open_live(spec, cv2.VideoCapture(spec, cv2.CAP_V4L2), clock, local=True)
        if path.is_file():
            return VideoFile(path, clock)
    except PermissionError as error:  # on the way to it
        raise CameraLost(f"{spec} cannot be opened: {error.strerror}") from error
    raise CameraLost(f"{spec}: no such camera, address, file or folder")


def _open_live(name: str, capture: cv2.VideoCapture, clock: Clock, *, local: bool = False) -> LiveCamera:
    """`local`: a device of this machine, whose exposure can be held."""
    if not capture.isOpened():
        capture.release()
        ribbon = "; one on a Pi's ribbon cable is --camera csi" if local and find_spec("picamera2") else ""
        raise CameraLost(f"{name} does not open: is it plugged in, and does nothing else use it?{ribbon}")
    # Uncompressed, USB cameras reach this size at a few pictures a second only.
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, LIVE_WIDTH_PX)
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, LIVE_HEIGHT_PX)
    return LiveCamera(name, capture, clock, ExposureController(name, V4l2Controls(capture)) if local else None)


def _open_ribbon(spec: str, clock: Clock) -> LiveCamera:
    try:
        capture = PiCapture(int(spec[3:] or 0), (LIVE_WIDTH_PX, LIVE_HEIGHT_PX))
    except ImportError as error:
        raise CameraLost(f"camera {spec} needs picamera2: sudo apt install python3-picamera2") from error
    except (RuntimeError, IndexError) as error:
        raise CameraLost(f"camera {spec} does not open: is its cable in, and does nothing else use it?") from error
    controls = PiControls(capture.set_controls, lambda: capture.metadata)
    return LiveCamera(f"camera {spec}", capture, clock, ExposureController(f"camera {spec}", controls))
