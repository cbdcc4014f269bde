"""Messages that tables publish and the club reads: topics and JSON objects of version 1 (docs/porch.md).

Whoever can write to the broker can write anything: each message is checked, and a wrong one is refused with the reason.
"""

import re
from datetime import datetime
from typing import Annotated, Literal, Self, TypeVar

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    model_validator,
)

from companion.names import TABLE_ID_PATTERN, check_name, limit_letters, make_name_key, normalize_name
from companion.porch.messages import TableId
from companion.validation_messages import describe_error

MAX_MESSAGE_BYTES = 65_536
"""Largest message that is read, in bytes; a table's own are at most a fifth of it."""
MAX_PLAYERS = 12
"""Most players of one result."""
MAX_CLUB_NAME_LETTERS = 80
"""Longest name or title: what the database has room for."""
MAX_INDEX_RESULTS = 1_000
"""Most results in a table's index."""
MAX_REVISION = 100_000
"""Highest revision: the most entries of one game."""

SittingId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{8,64}$")]
"""Unique id of one played game, in hexadecimal digits: the journal's `uid`."""
NO_CONTROLS = r"^[^\x00-\x1f\x7f-\x9f]*$"
"""Texts without control characters: neither a terminal nor a database gets any."""
ShownText = Annotated[
    str,
    StringConstraints(max_length=MAX_CLUB_NAME_LETTERS, pattern=NO_CONTROLS),
    AfterValidator(normalize_name),
    AfterValidator(limit_letters(MAX_CLUB_NAME_LETTERS)),
]
PlayerName = Annotated[
    str,
    StringConstraints(min_length=1, max_length=MAX_CLUB_NAME_LETTERS, pattern=NO_CONTROLS),
    AfterValidator(check_name),
    AfterValidator(limit_letters(MAX_CLUB_NAME_LETTERS)),
]
Headline = Annotated[str, StringConstraints(max_length=300, pattern=NO_CONTROLS), AfterValidator(normalize_name)]


def _check_year(time: datetime) -> datetime:
    if 1970 <= time.year <= 9892:  # what the journal holds, and every database and time zone can show
        return time
    raise ValueError("it is no time from 1970 to 9892")


WallTime = Annotated[AwareDatetime, AfterValidator(_check_year)]
"""Time of a table's clock, which may be wrong."""
Revision = Annotated[int, Field(ge=0, le=MAX_REVISION)]
"""Number of journal entries of the game: it grows with each correction, so that the later version counts."""
Number = Annotated[int, Field(ge=-(2**31), lt=2**31)]
"""A number that databases hold and pages have room for."""
Version = Literal[1]


class BadMessage(ValueError):
    """A message is refused; the text says why, in one line."""


class MessagePart(BaseModel):
    """Base class of messages and what they hold. Unknown fields are ignored: a later program may add some."""

    model_config = ConfigDict(frozen=True, strict=True, allow_inf_nan=False)


class TableMessage(MessagePart):
    """Fields of every message about results."""

    version: Version
    table: TableId


class PlayerResult(MessagePart):
    """One player of a finished game."""

    name: PlayerName
    seat: Annotated[int, Field(ge=0, lt=MAX_PLAYERS)]
    """Place in clockwise order, from 0."""
    score: Number
    """Points in the game's own counting."""
    won: bool
    place: Annotated[int, Field(ge=0, le=MAX_PLAYERS)]
    """From 1, all winners first; 0 while the game goes on."""
    began: bool = False


class TableResult(TableMessage):
    """A finished game, or one whose result was taken back: then `finished` is false."""

    sitting: SittingId
    revision: Revision
    finished: bool
    game: Annotated[str, StringConstraints(pattern=r"^[a-z0-9_]{1,60}$")]
    title: ShownText
    name: ShownText = ""
    """Name that the players gave to the game; empty: none."""
    started: WallTime
    ended: WallTime
    duration_s: Annotated[float, Field(ge=0, le=1e7)] = 0.0
    """Time played, in seconds, without long pauses."""
    lowest_wins: bool = False
    players: Annotated[tuple[PlayerResult, ...], Field(min_length=1, max_length=MAX_PLAYERS)]

    @model_validator(mode="after")
    def check_players(self) -> Self:
        """Refuse two players of one seat, or of one name, and places that cannot be.

        Raises:
            ValueError: two players share a seat or a name, or a finished game has a place that cannot be.
        """
        if len({player.seat for player in self.players}) < len(self.players):
            raise ValueError("two players have the same seat")
        if len({make_name_key(player.name) for player in self.players}) < len(self.players):
            raise ValueError("two players have the same name")
        count = len(self.players)
        if self.finished and not all(1 <= player.place <= (1 if player.won else count) for player in self.players):
            raise ValueError("a place cannot be")
        return self


class ResultIndex(TableMessage):
    """All results that a table knows: the revision of each sitting."""

    results: Annotated[dict[SittingId, Revision], Field(max_length=MAX_INDEX_RESULTS)]


class PlayerState(MessagePart):
    """One player at a table in play."""

    name: PlayerName
    score: Number | None = None
    colour: ShownText = ""
    shape: ShownText = ""
    away: bool = False


class TableState(TableMessage):
    """A table as everybody there sees it: the part of the published state that the club shows."""

    table_name: ShownText = ""
    kind: ShownText = ""
    game: ShownText = ""
    title: ShownText = ""
    headline: Headline = ""
    """Whose turn it is and what is to be done, in the table's language."""
    players: Annotated[tuple[PlayerState, ...], Field(max_length=MAX_PLAYERS)] = ()
    active_seats: Annotated[tuple[Number, ...], Field(max_length=MAX_PLAYERS)] = ()
    round: Number | None = None
    rounds: Number | None = None
    duplicate: bool = False
    """Another box publishes under the same id."""


def is_table_id(text: str) -> bool:
    """Return whether a text is an id of a table, as topics have it."""
    return re.fullmatch(TABLE_ID_PATTERN, text) is not None


def parse_state(payload: bytes, table: str) -> TableState:
    """Parse a table's state; arguments and errors as in `parse_result`."""
    return _parse(TableState, payload, table)


def parse_result(payload: bytes, table: str = "") -> TableResult:
    """Parse a message on a finished game.

    Args:
        payload: JSON, UTF-8.
        table: id of the table in the topic, which the message must name; empty: any (a file).

    Raises:
        BadMessage: it is too long, no such JSON, of another version, or of another table.
    """
    return _parse(TableResult, payload, table)


def parse_index(payload: bytes, table: str) -> ResultIndex:
    """Parse a table's index of results; arguments and errors as in `parse_result`."""
    return _parse(ResultIndex, payload, table)


Message = TypeVar("Message", bound=TableMessage)


def _parse(model: type[Message], payload: bytes, table: str) -> Message:
    if len(payload) > MAX_MESSAGE_BYTES:
        raise BadMessage(f"{len(payload)} bytes are too many: at most {MAX_MESSAGE_BYTES}")
    try:
        message = model.model_validate_json(payload)
    except ValidationError as error:
        first = error.errors()[0]
        if first["type"] == "json_invalid":
            raise BadMessage("it is no JSON object") from error
        raise BadMessage(describe_error(first, (), model, "field")) from error
    if table and message.table != table:
        raise BadMessage(f'it names the table "{message.table}" under the topic of "{table}"')
    return message
