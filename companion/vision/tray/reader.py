"""Read many dice in a tray."""

from dataclasses import replace

from companion.vision.dice.reader import DiceReader
from companion.vision.reading import BoundingBox, Die, Image, Lid

MAX_TRAY_CANDIDATES = 160
"""Most places in a frame that are examined: four for each of 40 dice.

Larger: more dice can be read, and clutter costs more time."""

_MIN_TRAY_SCORE = 0.05
"""Detector score (0 to 1) below which a cell is no candidate in a tray.

A die in the shadow of another one has a score of 0.11 in the coarse search, and is read with certainty all the same.
Smaller: fewer dice are missed, and each tray takes longer."""

_INCOMPLETE_CONFIDENCE = 0.5
"""Greatest confidence of a die in a reading that may be incomplete: the companion then asks."""


class TrayDiceReader(DiceReader):
    """Reads up to 40 dice and more. A frame with too many places to examine is not read with certainty.

    Args:
        max_candidates: most places in a frame that are examined, at least 1.

    Raises:
        DamagedDataFile: a packaged network is missing or damaged (the detector's is loaded by the first `read`).
    """

    def __init__(self, max_candidates: int = MAX_TRAY_CANDIDATES) -> None:
        super().__init__(max_candidates, min_score=_MIN_TRAY_SCORE, crowded=True)

    def read(self, image: Image, region: BoundingBox | None = None, lid: Lid | None = None) -> tuple[Die, ...]:
        """Read the dice in a frame, see `DiceReader.read`.

        Args:
            image: (H, W, 3) uint8 BGR; other formats are converted.
            region: the part to search, left, top, right, bottom in pixels of `image`; None: all of it.
            lid: the lid in this frame, if there is one.

        Returns:
            The dice from left to right; all of them are uncertain if some may be missing.

        Raises:
            UnreadableImage: `image` shows no table.
            DamagedDataFile: the detector's network is missing or damaged (first call).
        """
        dice = super().read(image, region, lid)
        if not self.was_limited:
            return dice
        return tuple(replace(die, confidence=min(die.confidence, _INCOMPLETE_CONFIDENCE)) for die in dice)
