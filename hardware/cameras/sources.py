"""Cameras: sources of frames, each stamped when it was taken.

A camera does not interpret its pictures. It is gone when it raises `CameraLost`; then it must be opened again.
"""

import logging
import os
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
from hardware.cameras.focus import FocusController, PiFocus
from hardware.cameras.picamera import PiCapture

log = logging.getLogger(__name__)

Clock = Callable[[], float]
"""A monotonic clock: returns seconds."""

LIVE_WIDTH_PX = 1280
"""Width requested of a live camera, which may deliver another one. More pixels are slower to read and to decode."""

LIVE_HEIGHT_PX = 720
"""Height requested of a live camera, which may deliver another one."""

MAX_FAILED_GRABS = 4
"""Failed grabs in a row after which a live camera counts as gone. A larger value reports a loss later."""

GRAB_RETRY_SECONDS = 0.05
"""Pause after a failed grab: a device that is gone fails at once and would keep a core busy."""

IDLE_SECONDS = 5.0
"""Time without a `read` after which a live camera's frames are no longer decoded, as while a game needs no camera.

A larger value decodes frames in vain for longer; one shorter than the reader's slowest frame would lose frames.
"""

OPEN_TIMEOUT_SECONDS = 10.0
"""Longest wait for a network camera to open. Larger: slower cameras open, and one that is away keeps the reader longer;
below `HANG_SECONDS` of `companion.camera.worker`, after which the reader counts as hanging."""

READ_TIMEOUT_SECONDS = 4.0
"""Longest wait for a network camera's next frame, after which the connection is given up. Larger: longer gaps in a weak
wireless network are bridged, and a loss is noticed later; below `CLOSE_TIMEOUT_SECONDS`, so that `close` can wait."""

CLOSE_TIMEOUT_SECONDS = 5.0
"""Longest wait for a camera's thread to end: a grab under way takes up to a second, or `READ_TIMEOUT_SECONDS`."""

MAX_PICTURE_PIXELS = int(os.environ["OPENCV_IO_MAX_IMAGE_PIXELS"])
"""Largest number of pixels of a picture or of a video's frames: a larger value takes more memory for a wrong file."""

MAX_PICTURE_FILE_BYTES = 2**28
"""Size of the largest picture file that is read. A larger value takes more memory for a wrong file."""

_MAX_VIDEO_FPS = 300.0
"""Largest believable frame rate. Browsers write their clock's 1,000 ticks a second in place of the frame rate."""

_DEFAULT_VIDEO_FPS = 15.0
"""Frame rate of a video that states none, or one that is not believable."""

_FRAME_COUNT_TOLERANCE = 0.1
"""Largest error of a video's stated frame count, as a fraction of it: it is often computed from the length."""

OPENCV_SILENT = 0
"""OpenCV's log level at which it writes nothing to stderr."""


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

    def process_frame(self, image: npt.NDArray[Any], at: float) -> None:
        """Check a frame, (H, W, 3) uint8 BGR, taken at `at` (seconds of the camera's clock)."""

    def close(self) -> None:
        """Leave the camera as other programs expect it; called before the device is released."""


class LiveCamera:
    """A device or a network stream. Its own thread owns it and keeps only the latest frame.

    A frame is stamped as soon as the driver delivers it, before it is decoded. If nobody has called `read` for
    `IDLE_SECONDS` (5 s), frames are grabbed, which shows that the camera is there and leaves no old frame in the
    driver, but not decoded.

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
        self._lost: str | None = None
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name=f"camera {name}", daemon=True)
        self._thread.start()

    def read(self) -> Frame | None:
        """Return the latest frame without waiting; None if there is no new one since the last call.

        Raises:
            CameraLost: the camera is gone or closed, and its last frame has been returned; it must be opened again. It
                is gone after `MAX_FAILED_GRABS` (4) failed grabs in a row, or an exception of the driver.
        """
        with self._lock:
            frame, self._latest = self._latest, None
            lost = self._lost
        self._read_at = self._clock()
        if frame is None and lost is not None:
            raise CameraLost(lost)
        return frame

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
            if good and at - self._read_at >= IDLE_SECONDS:
                failures, self._latest = 0, None
                continue
            if good:
                good, image = self._capture.retrieve()
            if not good:
                failures += 1
                self._closing.wait(GRAB_RETRY_SECONDS)
                continue
            failures = 0
            with self._lock:
                self._latest = Frame(image, at, index)
            index += 1
            for controller in self._controllers:
                controller.process_frame(image, at)


class VideoFile:
    """A recorded video: one frame per call, stamped with the video's own time since it was opened.

    Args:
        path: the file.
        clock: monotonic clock, in seconds; read once, for the stamp of the first frame.

    Attributes:
        missing_frames: at the end of the video, the number of its stated frames that could not be read; 0 if few.

    Raises:
        CameraLost: the file is not a readable video, or its frames have more than `MAX_PICTURE_PIXELS`.
    """

    def __init__(self, path: Path, clock: Clock) -> None:
        self.name = path.name
        self._capture = cv2.VideoCapture(str(path))
        if not self._capture.isOpened():
            raise CameraLost(f"{path} is not a video that can be read")
        width, height = (round(self._capture.get(p)) for p in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT))
        if width * height > MAX_PICTURE_PIXELS:
            self._capture.release()
            raise CameraLost(f"{path} is too large: {width}x{height} pixels")
        self._opened_at = clock()
        rate = self._capture.get(cv2.CAP_PROP_FPS)
        self._frame_seconds = 1.0 / (rate if 0 < rate <= _MAX_VIDEO_FPS else _DEFAULT_VIDEO_FPS)
        self._announced_frames = self._capture.get(cv2.CAP_PROP_FRAME_COUNT)
        self._index = 0
        self.missing_frames = 0

    def read(self) -> Frame | None:
        """Return the next frame; never None. Its stamp is the time of opening plus its time in the video, in seconds.

        Raises:
            CameraLost: the video is at its end, damaged from here on, or closed; sets `missing_frames`.
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
        """Close the file; may be called twice."""
        self._capture.release()


class FolderCamera:
    """The pictures of a folder in the order of their names (frame2 before frame10): one per call, stamped when read.

    Args:
        folder: the folder; its subfolders are not searched.
        clock: the clock of the stamps, in seconds.

    Raises:
        CameraLost: the folder cannot be read or holds no pictures.
    """

    SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"})

    def __init__(self, folder: Path, clock: Clock) -> None:
        self.name = folder.name
        self._clock = clock
        try:
            entries = [p for p in folder.iterdir() if p.suffix.lower() in self.SUFFIXES and p.name[0] != "."]
        except OSError as error:
            raise CameraLost(f"{folder} cannot be read: {error.strerror}") from error
        if not entries:
            raise CameraLost(f"{folder} holds no pictures")
        self._remaining = sorted(entries, key=_split_numbers)
        self._index = 0

    def read(self) -> Frame | None:
        """Return the next picture; never None. Files that cannot be read are skipped and logged.

        Raises:
            CameraLost: no pictures are left.
        """
        while self._remaining:
            path = self._remaining.pop(0)
            image = _read_image(path)
            if image is None:
                log.warning("%s: %s is no picture that can be read", self.name, path.name)
                continue
            frame = Frame(image, self._clock(), self._index)
            self._index += 1
            return frame
        raise CameraLost(f"{self.name} has no more pictures")

    def close(self) -> None:
        """Forget the pictures that are left; may be called twice."""
        self._remaining.clear()


def _split_numbers(path: Path) -> list[str | int]:
    return [int(piece) if i % 2 else piece for i, piece in enumerate(re.split(r"(\d+)", path.name))]


def _read_image(path: Path) -> npt.NDArray[np.uint8] | None:
    """Return the picture in a file; None if it is not a readable picture."""
    try:
        if not path.is_file() or path.stat().st_size > MAX_PICTURE_FILE_BYTES:  # a pipe would be waited for
            return None
        data = np.frombuffer(path.read_bytes(), np.uint8)
        return np.asarray(image, np.uint8) if (image := cv2.imdecode(data, cv2.IMREAD_COLOR)) is not None else None
    except (OSError, cv2.error):  # it is gone, empty, or of a size that no picture has
        return None


MAX_CAMERA_DIGITS = 4
"""Most digits of a camera's number; Linux has at most 256, and OpenCV takes no number beyond 32 bits."""


def set_opencv_log_level(level: int) -> int:
    """Set OpenCV's log level for the whole process and return the previous one. OpenCV 5 has moved the function.

    Args:
        level: 0 (silent) to 6 (verbose), see `cv2.utils.logging`; the result has the same scale.
    """
    set_level = getattr(cv2, "setLogLevel", None) or cv2.utils.logging.setLogLevel
    return int(set_level(level))


def shorten_address(spec: str) -> str:
    """Return how messages and the log name a camera: of an address only the protocol and the host, without a password.

    Args:
        spec: as for `open_camera`; what is no address is returned as it is.

    >>> shorten_address("rtsp://admin:s3cret@camera.lan:554/live?key=1"), shorten_address("0")
    ('rtsp://camera.lan:554', '0')
    """
    scheme, found, rest = spec.partition("://")
    # A password may hold any sign, so the host begins after the last "@".
    return f"{scheme}://{re.split('[/?#]', rest.rpartition('@')[2])[0]}" if found else spec


def open_camera(spec: str, clock: Clock) -> Camera:
    """Open the camera of `--camera N|csi|URL|FILE|FOLDER`; the caller closes it.

    Switches OpenCV's log off for the whole process. May wait for the device or the network for some seconds. A device
    or address becomes a `LiveCamera`, with a thread of its own that also controls a device's exposure and focus.

    Args:
        spec: number of a device, "csi" (or "csi1", the second ribbon camera of a Raspberry Pi), an address with "://",
            or the path of a device, a video or a folder of pictures; relative paths start from the current folder.
        clock: monotonic clock that stamps the frames, returns seconds; a live camera calls it from its own thread.

    Raises:
        CameraLost: there is no such camera, file or folder, or it does not open.
        RuntimeError: the system cannot start another thread.
    """
    # A missing camera is tried again and again and reported on the screen: OpenCV's messages would fill the log.
    set_opencv_log_level(OPENCV_SILENT)
    path = Path(spec)
    if spec.isdecimal():
        if len(spec) > MAX_CAMERA_DIGITS:
            raise CameraLost(f"camera {spec[:MAX_CAMERA_DIGITS]}...: there is no camera of so high a number")
        # On Linux OpenCV might try another backend first, with other meanings of the exposure values.
        backend = cv2.CAP_V4L2 if sys.platform == "linux" else cv2.CAP_ANY
        return _open_live(f"camera {spec}", cv2.VideoCapture(int(spec), backend), clock, local=backend == cv2.CAP_V4L2)
    if spec in ("csi", "csi0", "csi1"):
        return _open_ribbon(spec, clock)
    if "://" in spec:
        limits = {
            cv2.CAP_PROP_OPEN_TIMEOUT_MSEC: OPEN_TIMEOUT_SECONDS,
            cv2.CAP_PROP_READ_TIMEOUT_MSEC: READ_TIMEOUT_SECONDS,
        }
        parameters = [number for name, seconds in limits.items() for number in (name, round(seconds * 1000))]
        return _open_live(shorten_address(spec), cv2.VideoCapture(spec, cv2.CAP_ANY, parameters), clock)
    try:
        if path.is_dir():
            return FolderCamera(path, clock)
        if path.is_char_device():
            return _open_live(spec, cv2.VideoCapture(spec, cv2.CAP_V4L2), clock, local=True)
        if path.is_file():
            return VideoFile(path, clock)
    except CameraLost:
        raise
    except OSError as error:  # on the way to it: no permission, or too long a name
        raise CameraLost(f"{spec} cannot be opened: {error.strerror}") from error
    raise CameraLost(f"{spec}: no such camera, address, file or folder")


def _open_live(name: str, capture: cv2.VideoCapture, clock: Clock, *, local: bool = False) -> LiveCamera:
    """Start a live camera; `local`: a device of this machine, whose exposure can be held."""
    if not capture.isOpened():
        capture.release()
        ribbon = "; one on a Pi's ribbon cable is --camera csi" if local and find_spec("picamera2") else ""
        raise CameraLost(f"{name} does not open: is it plugged in, and does nothing else use it?{ribbon}")
    # Without compression USB cameras deliver only a few frames a second at this size.
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, LIVE_WIDTH_PX)
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, LIVE_HEIGHT_PX)
    return LiveCamera(name, capture, clock, *([ExposureController(name, V4l2Controls(capture))] if local else []))


def _open_ribbon(spec: str, clock: Clock) -> LiveCamera:
    try:
        capture = PiCapture(int(spec[3:] or 0), (LIVE_WIDTH_PX, LIVE_HEIGHT_PX))
    except ImportError as error:
        raise CameraLost(f"camera {spec} needs picamera2: sudo apt install python3-picamera2") from error
    except (RuntimeError, IndexError) as error:
        raise CameraLost(f"camera {spec} does not open: is its cable in, and does nothing else use it?") from error
    name, access = f"camera {spec}", (capture.set_controls, lambda: capture.metadata)
    controllers: list[FrameController] = [ExposureController(name, PiControls(*access))]
    if "AfMode" in capture.known_controls:
        controllers.append(FocusController(name, PiFocus(*access)))
    return LiveCamera(name, capture, clock, *controllers)
