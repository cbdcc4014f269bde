"""Notice a lamp that flickers: a camera with a rolling shutter shows it as dark bands that wander."""

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.reading import Image

MIN_FLICKER_SHARE = 0.1
"""Least standard deviation (natural logarithm) of the rows' change of brightness between two frames from which a lamp
flickers. Bands of 12 % (0.08 to 0.12) still let the table be read, bands of 18 % do not. If it grows, flicker is
reported later."""

_ROWS, _COLUMNS = 90, 4
"""Size to which frames are shrunk. If the rows grow, finer bands count; if the columns grow, hands disturb more."""

_MIN_AGREEMENT = 0.8
"""Least correlation of each column's change with that of all: a lamp darkens whole rows, a hand parts of them. If it
grows, flicker behind moving hands is reported later."""

_DARK_LEVELS = 8.0
"""Levels that are added before the logarithm, for noise in the dark. If they grow, dark pictures flicker less."""


class FlickerMeter:
    """Compare frames by the brightness of their rows. Not thread-safe.

    >>> meter, table = FlickerMeter(), np.full((480, 640, 3), 120, np.uint8)
    >>> bands = np.uint8(120 + 40 * np.sin(np.arange(480) / 40))[:, None, None] * np.ones((1, 640, 3), np.uint8)
    >>> meter.measure(table), meter.measure(table), meter.measure(bands) > MIN_FLICKER_SHARE
    (0.0, 0.0, True)
    """

    def __init__(self) -> None:
        self._before: npt.NDArray[np.float64] | None = None

    def measure(self, image: Image) -> float:
        """Measure how much the rows' brightness changed since the frame before, each row as a whole.

        Args:
            image: (H, W, 3) uint8 BGR.

        Returns:
            The standard deviation of the change of brightness over the rows (natural logarithm); 0 for the first frame,
            and where parts of the rows changed otherwise than the rest.
        """
        small = cv2.resize(image, (_COLUMNS, _ROWS), interpolation=cv2.INTER_AREA).mean(axis=2)
        now = np.log(small + _DARK_LEVELS)
        before, self._before = self._before, now
        if before is None:
            return 0.0
        change = now - before
        change -= change.mean(axis=0)
        rows = change.mean(axis=1)
        spread = float(rows.std())
        sizes = change.std(axis=0) * spread
        agree = (change * rows[:, None]).mean(axis=0) >= _MIN_AGREEMENT * sizes
        return spread if spread and agree.all() else 0.0
