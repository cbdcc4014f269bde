"""A camera that fails by script in the ways of real cameras."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from hardware.cameras.sources import Camera, CameraLost, Clock, Frame


class Fault(StrEnum):
    """Kinds of camera failures."""

    VANISHED = "vanished"  # unplugged: CameraLost
    FROZEN = "frozen"  # no new picture
    BLACK = "black"  # lens covered
    TORN = "torn"  # the lower half is from the previous picture


@dataclass(frozen=True, slots=True)
class Trouble:
    """A fault from `start` until `end`, in seconds of the clock."""

    fault: Fault
    start: float
    end: float


class FaultyCamera:
    """Return another camera's pictures, except during a `Trouble` of the script."""

    def __init__(self, camera: Camera, script: Sequence[Trouble], clock: Clock) -> None:
        self._camera, self._script, self._clock = camera, tuple(script), clock
        self._before: Frame | None = None

    @property
    def name(self) -> str:
        """The other camera's name."""
        return self._camera.name

    def read(self) -> Frame | None:
        """See `Camera`.

        Raises:
            CameraLost: it has vanished, for now.
        """
        now = self._clock()
        faults = {trouble.fault for trouble in self._script if trouble.start <= now < trouble.end}
        if Fault.VANISHED in faults:
            raise CameraLost(f"{self.name} is unplugged")
        frame, before = self._camera.read(), self._before
        if frame is None or Fault.FROZEN in faults:
            return None
        self._before = frame
        image = frame.image
        if Fault.TORN in faults and before is not None:
            half = image.shape[0] // 2
            image = np.vstack([image[:half], before.image[half:]])
        if Fault.BLACK in faults:
            image = np.zeros_like(image)
        return Frame(image, frame.at, frame.index)

    def close(self) -> None:
        """See `Camera`."""
        self._camera.close()
