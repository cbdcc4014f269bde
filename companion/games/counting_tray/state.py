"""One state of the counting tray: what is stored, and what follows from it without a move."""

from dataclasses import dataclass, field
from enum import StrEnum

from companion.api import BaseGame, Seat
from companion.games.counting_tray.settings import Settings

FACES = 6
"""Sides of the dice."""
MAX_DICE_OF_A_FACE = 40
"""T2: most dice that show the same."""
MAX_HITS = 9999
"""T8: highest number of hits of a player that may be entered."""

FaceCounts = tuple[int, ...]
"""Number of dice that show each face, from 1 to 6."""
NO_DICE: FaceCounts = (0,) * FACES


class Phase(StrEnum):
    """Phases; the values are the names of samples."""

    THROW = "throw"  # T1: a throw is expected
    COUNTED = "counted"  # T3: dice lie in the tray and are counted
    OVER = "over"  # T9


class MoveKind(StrEnum):
    """Kinds of moves; journals hold the values."""

    THRESHOLD = "threshold"  # T3: the value counts, and all above it
    THROW = "throw"  # T2: how many dice show each face
    AGAIN = "again"  # T5: dice thrown again: how many of them show each face
    NEXT = "next"  # T6: the next player throws
    END = "end"  # T9


class CorrectionKind(StrEnum):
    """Kinds of corrections besides `CommonCorrection`; journals hold the values."""

    FACE = "face"  # the number of dice that show the face `index`
    TOTAL = "total"  # hits of a seat in its earlier throws


@dataclass(frozen=True, slots=True)
class CountingTrayState(BaseGame):
    """Stored state of the counting tray; rule numbers (T1) are those of `docs/rules/counting_tray.md`."""

    settings: Settings = field(hash=False)
    active_seat: Seat
    """Who throws."""
    threshold: int
    """T3: lowest value that counts, 1 to 6."""
    is_over: bool = False
    throw_number: int = 0
    """Number of throws so far; those of dice thrown again do not count."""
    faces: FaceCounts = NO_DICE
    """Dice of the throw in play, as they show now."""
    again_counts: tuple[int, ...] = ()
    """T5: how many dice of this throw were thrown again, each time."""
    earlier_hits: tuple[int, ...] = ()
    """By seat: hits of the throws before the one in play."""

    @property
    def phase(self) -> Phase:
        """The phase now."""
        if self.is_over:
            return Phase.OVER
        return Phase.COUNTED if any(self.faces) else Phase.THROW

    @property
    def dice_count(self) -> int:
        """Number of dice of the throw in play."""
        return sum(self.faces)

    @property
    def hits(self) -> int:
        """T4: number of dice of the throw in play that count."""
        return sum(self.faces[self.threshold - 1 :])

    @property
    def failed(self) -> FaceCounts:
        """T5: the dice of the throw in play that do not count, by face."""
        return tuple(n if face < self.threshold else 0 for face, n in enumerate(self.faces, 1))

    @property
    def totals(self) -> tuple[int, ...]:
        """Hits by seat, with those of the throw in play (T8)."""
        return tuple(n + self.hits * (seat == self.active_seat) for seat, n in enumerate(self.earlier_hits))


def list_values(faces: FaceCounts) -> tuple[int, ...]:
    """Return the value of each die, ascending.

    >>> list_values((0, 2, 0, 0, 0, 1))
    (2, 2, 6)
    """
    return tuple(face for face, n in enumerate(faces, 1) for _ in range(n))


def count_faces(values: tuple[int, ...]) -> FaceCounts:
    """Return how many dice show each face, from 1 to 6.

    >>> count_faces((6, 2, 2))
    (0, 2, 0, 0, 0, 1)
    """
    return tuple(values.count(face) for face in range(1, FACES + 1))
