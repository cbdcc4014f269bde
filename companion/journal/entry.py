"""What stands in the journal, as validated data: how a sitting was set up, and what happened in it, entry by entry.

Everything read from a file passes these models, strictly: a wrong type or a value out of bounds is refused in words.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    FiniteFloat,
    JsonValue,
    StringConstraints,
    ValidationError,
    model_validator,
)

from companion.events import SEAT_BUTTONS, Button
from companion.games.api.game import Correction, Move, Seat
from companion.journal.errors import InvalidSavedGame, describe_validation_error

# No control characters: these words end on terminals, and may have come in from a file.
ShortText = Annotated[str, StringConstraints(min_length=1, max_length=40, pattern=r"^[^\x00-\x1f\x7f-\x9f]+$")]
SeatNumber = Annotated[int, Field(ge=0, lt=len(SEAT_BUTTONS))]
WholeNumber = Annotated[int, Field(ge=-1_000_000_000, le=1_000_000_000)]

EARLIEST_UNIX_SECONDS, LATEST_UNIX_SECONDS = 0.0, 250_000_000_000.0
"""Unix seconds that a stamp may tell: 1970 to the year 9892, which `datetime` knows in every time zone."""


class StoredModel(BaseModel):
    """Strict and frozen: what is written is what was meant."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Read back what `model_dump_json` wrote.

        Raises:
            BadSitting: saying which part is wrong.
        """
        try:
            return cls.model_validate_json(text)
        except ValidationError as error:
            raise InvalidSavedGame(describe_validation_error(error)) from error


class GameSetup(StoredModel):
    """How a sitting was set up. By seat, clockwise: `players` (names) and `buttons` (their seat buttons)."""

    game: ShortText
    players: Annotated[tuple[ShortText, ...], Field(min_length=1, max_length=len(SEAT_BUTTONS))]
    buttons: tuple[Button, ...]
    first: SeatNumber = 0
    settings: dict[str, JsonValue] = {}
    """The game's house rules as JSON; the game's own model validates them."""
    seed: WholeNumber | None = None
    """Of the virtual table and players; None at a real table."""

    @model_validator(mode="after")
    def _seats_fit(self) -> Self:
        if len(self.buttons) != len(self.players):
            raise ValueError(f"{len(self.players)} players need as many buttons, not {len(self.buttons)}")
        if len(set(self.buttons)) != len(self.buttons) or not set(self.buttons) <= set(SEAT_BUTTONS):
            raise ValueError("every player needs a seat button of their own")
        if self.first >= len(self.players):
            raise ValueError(f"seat {self.first} cannot begin, there are {len(self.players)} players")
        return self


class EntryKind(StrEnum):
    """What an entry says."""

    MOVE = "move"
    CORRECTION = "correction"
    UNDO = "undo"  # takes back the last move or correction that counts
    REDO = "redo"  # plays again what was taken back last
    SET_ASIDE = "away"  # the sitting was put away
    RESUMED = "resumed"  # the program was started again and the sitting went on
    TRUNCATED = "cut"  # what stands behind entry `after` cannot be replayed and does not count


class Timestamp(StoredModel):
    """When: Unix seconds (jumps when the clock is set), seconds since boot (does not), and of which boot."""

    wall: Annotated[FiniteFloat, Field(ge=EARLIEST_UNIX_SECONDS, le=LATEST_UNIX_SECONDS)]
    monotonic: FiniteFloat
    boot: Annotated[str, StringConstraints(max_length=64)]


class StoredMove(StoredModel):
    """A move or a correction as written down."""

    kind: ShortText
    seat: SeatNumber | None = None
    value: Annotated[tuple[WholeNumber, ...], Field(max_length=40)]

    @classmethod
    def from_played(cls, played: Move | Correction) -> StoredMove:
        """Write down `played`.

        Raises:
            ValueError: an open move, whose value has yet to be supplied.
        """
        if isinstance(played, Move) and played.value_range is not None:
            raise ValueError(f"an open move cannot be journalled: {played}")
        kind = played.stored_kind if isinstance(played, Correction) else str(played.kind)
        return cls(kind=kind, seat=played.seat, value=played.value)

    def to_move(self) -> Move:
        return Move(self.kind, None if self.seat is None else Seat(self.seat), self.value)

    def to_correction(self) -> Correction:
        return Correction.from_stored(self.kind, None if self.seat is None else Seat(self.seat), self.value)


class EntryContent(StoredModel):
    """An entry's content: `played` with a move or correction, `after` (an entry's number) with a cut."""

    kind: EntryKind
    played: StoredMove | None = None
    after: Annotated[int, Field(ge=0)] | None = None

    @model_validator(mode="after")
    def _parts_fit(self) -> Self:
        if (self.played is not None) != (self.kind in (EntryKind.MOVE, EntryKind.CORRECTION)):
            raise ValueError("moves and corrections say what was played, nothing else does")
        if (self.after is not None) != (self.kind is EntryKind.TRUNCATED):
            raise ValueError("a cut says behind which entry, nothing else does")
        return self


class JournalEntry(StoredModel):
    """Entry number `seq` (from 1, without gaps) of a sitting."""

    seq: Annotated[int, Field(ge=1)]
    what: EntryContent
    stamp: Timestamp
