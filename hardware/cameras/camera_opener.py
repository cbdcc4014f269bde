"""Opens the camera that an address names: a number, `csi`, a URL, a file or a folder."""

import re
import sys
from importlib.util import find_spec
from pathlib import Path

import cv2

from hardware.cameras.exposure import ExposureController
from hardware.cameras.exposure_controls import PiControls, V4l2Controls
from hardware.cameras.focus import FocusController, PiFocus, V4l2Focus
from hardware.cameras.live_camera import Camera, CameraLost, Clock, FrameController, LiveCamera, set_opencv_log_level
from hardware.cameras.mains import find_mains_hz, set_power_line_frequency
from hardware.cameras.picamera import PiCapture
from hardware.cameras.recordings import FolderCamera, VideoFile
from hardware.cameras.sensor_modes import FRAMES_PER_SECOND
from hardware.cameras.usb_cameras import UsbCameraFinder

LIVE_WIDTH_PX = 1280
"""Width requested of a live camera, which may deliver another one. More pixels are slower to read and to decode."""
LIVE_HEIGHT_PX = 720
"""Height requested of a live camera, which may deliver another one."""
OPEN_TIMEOUT_SECONDS = 10.0
"""Longest wait for a network camera to open. Larger: slower cameras open, and one that is away keeps the reader longer;
below `HANG_SECONDS` of `companion.camera.worker`, after which the reader counts as hanging."""
READ_TIMEOUT_SECONDS = 4.0
"""Longest wait for a network camera's next frame, after which the connection is given up. Larger: longer gaps in a weak
wireless network are bridged, and a loss is noticed later; below `CLOSE_TIMEOUT_SECONDS`, so that `close` can wait."""
OPENCV_SILENT = 0
"""OpenCV's log level at which it writes nothing to stderr."""
KERNEL_FOLDERS = (("/", "proc"), ("/", "sys"))
"""Plain files there may have no end, or something to read only at times."""
MAX_CAMERA_DIGITS = 4
"""Most digits of a camera's number; Linux has at most 256, and OpenCV takes no number beyond 32 bits."""


def shorten_address(spec: str) -> str:
    """Return how messages and the log name a camera: of an address only the protocol and the host, without a password.

    Args:
        spec: as for `CameraOpener`; what is no address is returned as it is.

    >>> shorten_address("rtsp://admin:s3cret@camera.lan:554/live?key=1"), shorten_address("0")
    ('rtsp://camera.lan:554', '0')
    """
    scheme, found, rest = spec.partition("://")
    # A password may hold any sign, so the host begins after the last "@".
    return f"{scheme}://{re.split('[/?#]', rest.rpartition('@')[2])[0]}" if found else spec


def open_camera(spec: str, clock: Clock, mains_hz: int = 0) -> Camera:
    """Open the camera of `--camera N|csi|URL|FILE|FOLDER` once; see `CameraOpener`."""
    return CameraOpener(spec, mains_hz).open(clock)


class CameraOpener:
    """Opens one camera, again after each loss; finds a USB camera again that comes back under another number.

    Args:
        spec: number of a device, "csi" (or "csi1", the second ribbon camera of a Raspberry Pi), an address with "://",
            or the path of a device, a video or a folder of pictures; relative paths start from the current folder.
        mains_hz: frequency of the mains, 50 or 60, so that lamps make no bands in the picture; 0: of the country.

    Attributes:
        link: path of a USB camera that does not change with its number; None: there is none, or it was not opened yet.
    """

    def __init__(self, spec: str, mains_hz: int = 0) -> None:
        self._spec, self._mains_hz = spec, mains_hz or find_mains_hz()
        is_number = spec.isdecimal() and len(spec) <= MAX_CAMERA_DIGITS
        self._finder = UsbCameraFinder(int(spec)) if is_number else None

    @property
    def link(self) -> Path | None:
        """See the class."""
        return self._finder.link if self._finder is not None else None

    def open(self, clock: Clock) -> Camera:
        """Open the camera; the caller closes it.

        Switches OpenCV's log off for the whole process. May wait for the device or the network for some seconds. A
        device or address becomes a `LiveCamera`, with a thread of its own that also controls a device's exposure and
        focus.

        Args:
            clock: monotonic clock that stamps the frames, returns seconds; a live camera calls it from its own thread.

        Raises:
            CameraLost: there is no such camera, file or folder, or it does not open.
            RuntimeError: the system cannot start another thread.
        """
        # A missing camera is tried again and again and reported on the screen: OpenCV's messages would fill the log.
        set_opencv_log_level(OPENCV_SILENT)
        spec, path = self._spec, Path(self._spec)
        if self._finder is not None:
            # On Linux OpenCV might try another backend first, with other meanings of the exposure values.
            if sys.platform == "linux":
                return self._open_device(f"camera {spec}", self._finder.find(), clock)
            # The backend that OpenCV tries first on Windows takes up to a minute to open (opencv issue 17687).
            backend = cv2.CAP_DSHOW if sys.platform == "win32" else cv2.CAP_ANY
            name, capture = f"camera {spec}", cv2.VideoCapture(int(spec), backend)
            return LiveCamera(name, _configure(name, capture), clock)
        if spec.isdecimal():
            raise CameraLost(f"camera {spec[:MAX_CAMERA_DIGITS]}...: there is no camera of so high a number")
        if spec in ("csi", "csi0", "csi1"):
            return _open_ribbon(spec, clock, self._mains_hz)
        if "://" in spec:
            limits = {
                cv2.CAP_PROP_OPEN_TIMEOUT_MSEC: OPEN_TIMEOUT_SECONDS,
                cv2.CAP_PROP_READ_TIMEOUT_MSEC: READ_TIMEOUT_SECONDS,
            }
            parameters = [number for name, seconds in limits.items() for number in (name, round(seconds * 1000))]
            name, capture = shorten_address(spec), cv2.VideoCapture(spec, cv2.CAP_ANY, parameters)
            return LiveCamera(name, _configure(name, capture), clock)
        try:
            if path.is_dir():
                return FolderCamera(path, clock)
            if path.is_char_device():
                return self._open_device(spec, path, clock)
            if path.is_file():
                _refuse_endless_or_empty_file(path)
                return VideoFile(path, clock)
        except CameraLost:
            raise
        except OSError as error:  # on the way to it: no permission, or too long a name
            raise CameraLost(f"{spec} cannot be opened: {error.strerror}") from error
        raise CameraLost(f"{spec}: no such camera, address, file or folder")

    def _open_device(self, name: str, path: Path, clock: Clock) -> LiveCamera:
        """Open a V4L2 device of this machine: its exposure and focus can be held."""
        capture = cv2.VideoCapture(str(path), cv2.CAP_V4L2)
        _configure(name, capture, hint="; one on a Pi's ribbon cable is --camera csi" if find_spec("picamera2") else "")
        set_power_line_frequency(path, self._mains_hz)
        controllers: list[FrameController] = [ExposureController(name, V4l2Controls(capture))]
        if capture.get(cv2.CAP_PROP_AUTOFOCUS) >= 0 and capture.get(cv2.CAP_PROP_FOCUS) >= 0:
            controllers.append(FocusController(name, V4l2Focus(capture, clock)))
        return LiveCamera(name, capture, clock, *controllers)


def _configure(name: str, capture: cv2.VideoCapture, hint: str = "") -> cv2.VideoCapture:
    """Ask an opened device or stream for size and rate of its frames; a `hint` for people if it did not open."""
    if not capture.isOpened():
        capture.release()
        raise CameraLost(f"{name} does not open: is it plugged in, and does nothing else use it?{hint}")
    # Without compression USB cameras deliver only a few frames a second at this size.
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, LIVE_WIDTH_PX)
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, LIVE_HEIGHT_PX)
    capture.set(cv2.CAP_PROP_FPS, FRAMES_PER_SECOND)
    return capture


def _refuse_endless_or_empty_file(path: Path) -> None:
    """Raise CameraLost for an empty file, and for one of the kernel, which FFmpeg might read without end (its log)."""
    if path.resolve().parts[:2] in KERNEL_FOLDERS:
        raise CameraLost(f"{path} is a file of the kernel, not a video")
    if not path.stat().st_size:
        raise CameraLost(f"{path} is empty")


def _open_ribbon(spec: str, clock: Clock, mains_hz: int) -> LiveCamera:
    try:
        capture = PiCapture(int(spec[3:] or 0), (LIVE_WIDTH_PX, LIVE_HEIGHT_PX), mains_hz)
    except ImportError as error:
        raise CameraLost(f"camera {spec} needs picamera2: sudo apt install python3-picamera2") from error
    except (RuntimeError, IndexError) as error:
        raise CameraLost(f"camera {spec} does not open: is its cable in, and does nothing else use it?") from error
    name, access = f"camera {spec}", (capture.set_controls, lambda: capture.metadata)
    controllers: list[FrameController] = [ExposureController(name, PiControls(*access))]
    if "AfMode" in capture.known_controls:
        controllers.append(FocusController(name, PiFocus(*access)))
    return LiveCamera(name, capture, clock, *controllers)
