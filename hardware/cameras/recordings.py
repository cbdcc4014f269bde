"""Recordings in place of a camera: a video file, or the pictures of a folder."""

import logging
import os
import re
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from companion.file_reader import read_file
from hardware.cameras.live_camera import CameraLost, Clock, Frame

log = logging.getLogger(__name__)

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
        data = np.frombuffer(read_file(path, MAX_PICTURE_FILE_BYTES), np.uint8)
        return np.asarray(image, np.uint8) if (image := cv2.imdecode(data, cv2.IMREAD_COLOR)) is not None else None
    except (OSError, cv2.error):  # it is gone, empty, or of a size that no picture has
        return None
