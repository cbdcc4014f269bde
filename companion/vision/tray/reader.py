"""Read many dice in a tray.

The reader of pip dice, which it asks: `companion.vision.dice.reader`.
"""

from companion.vision.dice.reader import DiceReader

MAX_TRAY_CANDIDATES = 160
"""Most places in a frame that are examined: four for each of 40 dice.

Larger: more dice can be read, and clutter costs more time."""

_MIN_TRAY_SCORE = 0.05
"""Detector score (0 to 1) below which a cell is no candidate in a tray.

A die in the shadow of another one has a score of 0.11 in the coarse search, and is read with certainty all the same.
Smaller: fewer dice are missed, and each tray takes longer."""


class TrayDiceReader(DiceReader):
    """Reads up to 40 dice and more. A frame with too many places to examine is not read with certainty.

    >>> import numpy as np
    >>> TrayDiceReader().read(np.full((480, 640, 3), 120, np.uint8))
    ()

    Args:
        max_candidates: most places in a frame that are examined, at least 1.

    Raises:
        DamagedDataFile: a packaged network is missing or damaged (the detector's is loaded by the first `read`).
    """

    def __init__(self, max_candidates: int = MAX_TRAY_CANDIDATES) -> None:
        super().__init__(max_candidates, min_score=_MIN_TRAY_SCORE, crowded=True)
