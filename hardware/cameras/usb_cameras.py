"""Find a USB camera by what it is, not by its number, which changes when it is plugged in again.

Where no camera is named it is number 0 (`companion/config/settings.py`), or the only USB camera there is.
"""

import logging
from pathlib import Path

from companion.file_reader import read_kernel_file

log = logging.getLogger(__name__)

PI_BLOCKS = ("unicam", "rp1-cfe", "bcm2835-", "pispbe", "rpi-hevc-dec", "rpivid")
"""Beginnings of the kernel's names of video devices that are parts of a Raspberry Pi and give OpenCV no picture."""


class UsbCameraFinder:
    """Finds the device of a camera's number, and the same camera again under another number.

    Args:
        number: of the camera, as in /dev/video0.
        root: of the file system with /dev and /sys.
    """

    def __init__(self, number: int, root: Path = Path("/")) -> None:
        self._number, self._root = number, root
        self.link: Path | None = None
        """Path of the camera that was found, which does not change with its number; None: it has none."""

    def find(self) -> Path:
        """Return the camera's device, which need not exist.

        It is the camera that was found before, if it is there; else the one with the number. Where nothing was found
        before and no camera has that number, it is the only USB camera, if there is just one.
        """
        links = sorted((self._root / "dev/v4l/by-id").glob("*-video-index0"))
        device = self._root / f"dev/video{self._number}"
        if self.link not in links:
            with_number = [link for link in links if link.resolve() == device.resolve()]
            if not with_number and self.link is None and len(links) == 1 and not self._is_camera(device):
                log.info("Camera %d is %s.", self._number, links[0].name)
                with_number = links
            if not with_number:
                return device
            self.link = with_number[0]
        return self.link.resolve()

    def _is_camera(self, device: Path) -> bool:
        """Return whether a device is there and may be a camera that is not a USB camera."""
        try:
            name = read_kernel_file(self._root / "sys/class/video4linux" / device.name / "name")
        except OSError:
            return device.exists()
        return not name.startswith(PI_BLOCKS)
