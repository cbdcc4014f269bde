"""What the watcher of a Memo Dice row tells. Times `at` are those that came with the frame, in seconds."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

from companion.vision.reading import Image


class MemoColour(IntEnum):
    """Colours of cups; of symbols all but gold."""

    GOLD = 0
    RED = 1
    BLUE = 2
    BLACK = 3


@dataclass(frozen=True, slots=True, eq=False)
class DieShownEvent:
    """A die came to lie at the row's end, or shows another symbol now. `place` counts from 0 in the order of laying.

    `alternatives` are the next likeliest colours, best first; `picture` is its face, straightened: a secret.
    """

    place: int
    colour: MemoColour
    confidence: float
    alternatives: tuple[MemoColour, ...]
    face_image: Image = field(repr=False)
    at: float


@dataclass(frozen=True, slots=True)
class CupPutEvent:
    """A cup stands at a place of the row now."""

    place: int
    colour: MemoColour
    confidence: float
    at: float


@dataclass(frozen=True, slots=True)
class CupLiftedEvent:
    """The cup at a place is off, and its die is seen."""

    place: int
    confidence: float
    at: float


MemoEvent = DieShownEvent | CupPutEvent | CupLiftedEvent
