"""Opens the camera that an address names: a number, `csi`, a URL, a file or a folder."""

import re
import sys
from importlib.util import find_spec
from pathlib import Path

import cv2

from hardware.cameras.exposure import ExposureController
from hardware.cameras.exposure_controls import PiControls, V4l2Controls
from hardware.cameras.focus import FocusController, PiFocus
from hardware.cameras.picamera import PiCapture
from hardware.cameras.recordings import FolderCamera, VideoFile
from hardware.cameras.sources import Camera, CameraLost, Clock, FrameController, LiveCamera, set_opencv_log_level

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
MAX_CAMERA_DIGITS = 4
"""Most digits of a camera's number; Linux has at most 256, and OpenCV takes no number beyond 32 bits."""


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
