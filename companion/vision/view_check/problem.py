"""What can be wrong with a camera's view, as it is handed on to the screen: plain values, without any vision."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion.vision.reading import BoundingBox


class ProblemKind(StrEnum):
    """What can be wrong, the most important first: what comes first is told first."""

    DARK = "too dark"
    BRIGHT = "too bright"
    BLURRED = "blurred"
    MIRRORED = "mirrored"
    CUT_OFF = "lid cut off"
    FAR = "too far away"
    TILTED = "seen aslant"
    GLARE = "glare"
    NO_DICE = "no dice seen"


@dataclass(frozen=True, slots=True)
class ViewProblem:
    """One thing that is wrong. `words` say what to do; `box` is where, in pixels of the frame."""

    kind: ProblemKind
    message: str
    box: BoundingBox
