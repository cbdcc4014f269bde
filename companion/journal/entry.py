"""Models of the journal's content, as stored in SQLite and in exported files, and the errors of the journal.

Everything read from a file is validated strictly by these models: with a wrong type or value `from_json` raises
`InvalidSavedGame`, and a constructor raises pydantic's ValidationError (a ValueError).
Field names and enum values are the stored JSON; "sitting" is the stored word for a game.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Annotated, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    FiniteFloat,
    JsonValue,
    StringConstraints,
    ValidationError,
    model_validator,
)

from companion.api import Correction, Move, RuleError, Seat
from companion.events import SEAT_BUTTONS, Button
from companion.names import MAX_NAME_LETTERS, check_name, limit_letters

MAX_TEXT_LETTERS = MAX_NAME_LETTERS
"""Most letters of a stored name. Larger: lists of players get wider."""
MAX_WHOLE_NUMBER = 1_000_000_000
"""Highest number that is stored, and the lowest one without its sign; far beyond any score, seed or time in seconds."""
ShortText = Annotated[
    str, StringConstraints(min_length=1, max_length=MAX_TEXT_LETTERS, pattern=r"^[^\x00-\x1f\x7f-\x9f]+$")
]
PlayerName = Annotated[ShortText, AfterValidator(check_name), AfterValidator(limit_letters(MAX_TEXT_LETTERS))]
"""In normal form, also of files that were written otherwise."""
SeatNumber = Annotated[int, Field(ge=0, lt=len(SEAT_BUTTONS))]
WholeNumber = Annotated[int, Field(ge=-MAX_WHOLE_NUMBER, le=MAX_WHOLE_NUMBER)]
EARLIEST_UNIX_SECONDS = 0.0
"""Earliest wall time of a timestamp: 1970."""
LATEST_UNIX_SECONDS = 250_000_000_000.0
"""Latest wall time of a timestamp: the year 9892, which `datetime` supports in every time zone."""


class JournalError(Exception):
    """Base class: the journal cannot be used; the message says what to do."""


class JournalBusy(JournalError):
    """Another process has the journal open for writing; the message says to close it or to name another folder."""


class JournalTooNew(JournalError):
    """A newer version of the companion wrote the file; the file is unchanged."""


class JournalUnwritable(JournalError, OSError):
    """The disk is full, read-only or failing. Nothing was written, and the state in memory is as before.

    Reading raises it too, if the file was damaged or became unreadable while it was open.

    Args:
        message: with the path and the remedy, in English, for the log and the terminal.
        screen_text: translated, one line of the screen; empty: the message.

    Attributes:
        screen_text: one line for the screen, never empty.
    """

    def __init__(self, message: str, screen_text: str = "") -> None:
        super().__init__(message)
        self.screen_text = screen_text or message


class InvalidSavedGame(ValueError):
    """The data are not a game that this version can read and replay; the message says why."""


class NothingToUndo(ValueError):
    """There is nothing to undo or to redo."""


def describe_for_screen(error: Exception, names: Sequence[str] = ()) -> str:
    """Return the message of an error in one line for the screen.

    Args:
        error: any exception.
        names: the names of all players by seat; empty: a `RuleError` is shown with its rule and seat numbers.

    Returns:
        Of a `RuleError` with `names` its text with the players' names, of a `JournalUnwritable` its `screen_text`, both
        translated; of any other error `str(error)`.
    """
    if names and isinstance(error, RuleError):
        return error.describe(names)
    return error.screen_text if isinstance(error, JournalUnwritable) else str(error)


def describe_validation_error(error: ValidationError) -> str:
    """Return the first of pydantic's errors as one English line, such as "players.0: Input should be a valid string".

    In front stands the place, keys and indexes (from 0) joined by full stops; nothing if the error has no place.
    """
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    return f"{where}: {first['msg']}" if where else first["msg"]


# Without control characters: these texts are printed on terminals and may come from a file of someone else.


class JournalModel(BaseModel):
    """Base class of stored models: strict and frozen, unknown keys are errors.

    Constructors take keywords only and raise pydantic's ValidationError (a ValueError) for a wrong type or value.
    """

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Parse and validate JSON as an instance of this class.

        Args:
            text: JSON that `model_dump_json` has written; bytes are UTF-8.

        Raises:
            InvalidSavedGame: it is not JSON, or not of this model; the message says which part is wrong.
        """
        try:
            return cls.model_validate_json(text)
        except ValidationError as error:
            raise InvalidSavedGame(describe_validation_error(error)) from error


class GameSetup(JournalModel):
    """Setup of a game. `players` and `buttons` are by seat, clockwise, and of the same length, 1 to 6.

    It is not checked here whether the game exists, and whether its rules allow the setup.
    """

    game: ShortText
    """Name of the game in the registry, such as "farkle"."""
    players: Annotated[tuple[PlayerName, ...], Field(min_length=1, max_length=len(SEAT_BUTTONS))]
    """Names of the players, 1 to MAX_TEXT_LETTERS characters each, without control characters."""
    buttons: tuple[Button, ...]
    """Their seat buttons, all different."""
    first: SeatNumber = 0
    """Seat that begins, from 0, below the number of players."""
    settings: dict[str, JsonValue] = {}
    """House rules as JSON, by name; what is missing has its default. The game's `settings_model` validates them."""
    seed: WholeNumber | None = None
    """Seed of the simulated table and players; None at a real table."""

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
    """Kind of a journal entry; the values are stored."""

    MOVE = "move"
    CORRECTION = "correction"
    UNDO = "undo"  # undoes the last move or correction that counts
    REDO = "redo"  # plays again what was undone last
    SET_ASIDE = "away"  # the game was set aside
    RESUMED = "resumed"  # the program was started again and the game continued
    SEATED = "seat"  # somebody joined, or a name or places changed
    TRUNCATED = "cut"  # the entries after number `after` cannot be replayed and do not count
    LOST = "lost"  # the disk has lost this entry
    GAP_ACCEPTED = "gap"  # people want what came after the lost entries, without these


class Timestamp(JournalModel):
    """Time of an entry by two clocks: the wall clock jumps when it is set, the monotonic clock never does."""

    wall: Annotated[FiniteFloat, Field(ge=EARLIEST_UNIX_SECONDS, le=LATEST_UNIX_SECONDS)]
    """Unix seconds, EARLIEST_UNIX_SECONDS to LATEST_UNIX_SECONDS."""
    monotonic: FiniteFloat
    """Seconds on the monotonic clock; comparable only with timestamps of the same boot."""
    boot: Annotated[str, StringConstraints(max_length=64)]
    """Identifies the boot of the machine, at most 64 characters; empty: unknown."""


class StoredMove(JournalModel):
    """A move or a correction as it is stored. The game defines which kinds there are and what their values mean."""

    kind: ShortText
    """Kind of the move, or `Correction.stored_kind`: kind and index; 1 to MAX_TEXT_LETTERS characters."""
    seat: SeatNumber | None = None
    """Seat of the player concerned, 0 to 5; None: no single player."""
    value: Annotated[tuple[WholeNumber, ...], Field(max_length=40)]
    """At most 40 whole numbers from -MAX_WHOLE_NUMBER to MAX_WHOLE_NUMBER; may be empty."""

    @classmethod
    def from_played(cls, played: Move | Correction) -> Self:
        """Return a move or correction in the form in which it is stored.

        Args:
            played: a correction, or a move whose value is filled in (`value_range` is None). Whether the game allows it
                is not checked.

        Raises:
            ValueError: the move is open: its value is not filled in; or (pydantic's ValidationError) kind, seat or
                value is outside the limits of this class.
        """
        if isinstance(played, Move) and played.value_range is not None:
            raise ValueError(f"an open move cannot be journalled: {played}")
        kind = played.stored_kind if isinstance(played, Correction) else str(played.kind)
        return cls(kind=kind, seat=played.seat, value=played.value)

    def to_move(self) -> Move:
        """Return the move. Whether the game knows its kind and allows it is checked when it is played."""
        return Move(self.kind, None if self.seat is None else Seat(self.seat), self.value)

    def to_correction(self) -> Correction:
        """Return the correction. Whether the game knows its kind and allows it is checked when it is made."""
        return Correction.from_stored(self.kind, None if self.seat is None else Seat(self.seat), self.value)


class SeatChange(JournalModel):
    """A player's name and button from now on: of one who joins, is renamed, or changes places.

    >>> SeatChange(seat=2, name="Cleo", button=Button.SEAT4).name
    'Cleo'
    """

    seat: SeatNumber
    """The player; the first number that no player has: somebody joins."""
    name: PlayerName
    button: Button
    """A free one, or that of another player, with whom this one changes places."""


class EntryContent(JournalModel):
    """Content of an entry: its kind, and what kinds MOVE, CORRECTION, SEATED and TRUNCATED need besides.

    A combination that does not fit raises pydantic's ValidationError (a ValueError).
    """

    kind: EntryKind
    played: StoredMove | None = None
    """Of a MOVE or CORRECTION; None for all other kinds."""
    seated: SeatChange | None = None
    """Of a SEATED; None for all other kinds."""
    after: Annotated[int, Field(ge=0)] | None = None
    """Of a TRUNCATED: number of the last entry that still counts (0: none); None for all other kinds."""

    @model_validator(mode="after")
    def _parts_fit(self) -> Self:
        if (self.played is not None) != (self.kind in (EntryKind.MOVE, EntryKind.CORRECTION)):
            raise ValueError("moves and corrections need `played`, other kinds must not have it")
        if (self.seated is not None) != (self.kind is EntryKind.SEATED):
            raise ValueError("a change of seats needs `seated`, other kinds must not have it")
        if (self.after is not None) != (self.kind is EntryKind.TRUNCATED):
            raise ValueError("a cut needs `after`, other kinds must not have it")
        return self


class JournalEntry(JournalModel):
    """Entry number `seq` (from 1, without gaps) of a game: its content `what` and its time `stamp`."""

    seq: Annotated[int, Field(ge=1)]
    what: EntryContent
    stamp: Timestamp


def drop_void_entries(entries: Iterable[JournalEntry]) -> list[JournalEntry]:
    """Return the entries that count: without those before a truncation, and without lost ones that people accepted.

    >>> stamp = Timestamp(wall=0, monotonic=0, boot="")
    >>> kinds = [EntryKind.RESUMED, EntryKind.LOST, EntryKind.UNDO, EntryKind.GAP_ACCEPTED]
    >>> entries = [JournalEntry(seq=n, what=EntryContent(kind=kind), stamp=stamp) for n, kind in enumerate(kinds, 1)]
    >>> [entry.seq for entry in drop_void_entries(entries)]
    [1, 3, 4]

    Args:
        entries: entries of a game, whose numbers rise.
    """
    valid: list[JournalEntry] = []
    for entry in entries:
        if (after := entry.what.after) is not None:
            while valid and valid[-1].seq > after:
                valid.pop()
        valid.append(entry)
    accepted = max((entry.seq for entry in valid if entry.what.kind is EntryKind.GAP_ACCEPTED), default=0)
    return [entry for entry in valid if entry.what.kind is not EntryKind.LOST or entry.seq > accepted]
