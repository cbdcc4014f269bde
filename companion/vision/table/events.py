"""What the watcher tells of the table. Times `at` are those that came with the frame, in seconds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """The watcher's state in a word; the words are those of the camera's state on the screen."""

    SEARCHING = "looking"  # the table is not found yet, or the whole view is changing
    ROLLING = "rolling"  # something small is in motion
    HAND = "hand"  # a hand over the tray or the lid
    STEADY = "steady"  # at rest, and read
    UNSURE = "unsure"  # at rest, but the dice could not be read with confidence
    BLIND = "blind"  # too dark, covered, or the picture stands still to the last bit


@dataclass(frozen=True, slots=True)
class DiceEvent:
    """Dice came to rest: top faces, sorted; empty: the dice were taken away.

    `alternatives` are the next likeliest readings, best first.
    """

    values: tuple[int, ...]
    confidence: float
    alternatives: tuple[tuple[int, ...], ...]
    at: float


@dataclass(frozen=True, slots=True)
class TokenTakenEvent:
    """A token was taken off the window; its number as it was read before, None if it never was."""

    window: int
    number: int | None
    confidence: float
    at: float


@dataclass(frozen=True, slots=True)
class TokenPutEvent:
    """A token was put onto the window; number None: not read."""

    window: int
    number: int | None
    confidence: float
    at: float


@dataclass(frozen=True, slots=True)
class LidReadyEvent:
    """Every window is covered again after at least one was open, and no hand is over the lid."""

    at: float


@dataclass(frozen=True, slots=True)
class StateEvent:
    """The state changed."""

    state: State
    at: float


Event = DiceEvent | TokenTakenEvent | TokenPutEvent | LidReadyEvent | StateEvent
