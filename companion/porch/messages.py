"""The lines that the playing unit writes to its socket: JSON objects of version 1 (docs/porch.schema.json).

Both sides use them: the publisher writes, `companion porch` reads and checks.
"""

import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from platformdirs import user_runtime_path
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter

from companion.catalogues import DEFAULT_LANGUAGE, LANGUAGE_CODE
from companion.names import TABLE_ID_PATTERN, normalize_name

MAX_LINE_BYTES = 65_536
"""Longest line, its end included."""
SOCKET_FILE = "porch.sock"
SOCKET_VARIABLE = "COMPANION_PORCH_SOCKET"
"""Environment variable with the path of the socket, set by the units of both programs."""

TableId = Annotated[str, StringConstraints(pattern=TABLE_ID_PATTERN)]
"""Id of a table: small letters, digits and hyphens."""
TableName = Annotated[str, Field(max_length=40), AfterValidator(normalize_name)]
"""Name of a table for people, in normal form."""


class _LinePart(BaseModel):
    """Base class of lines and what they hold; unknown fields are ignored, so that a later companion may add some."""

    model_config = ConfigDict(frozen=True, strict=True, allow_inf_nan=False)


class _Line(_LinePart):
    """Fields of every line."""

    version: Literal[1] = 1
    """It changes when a reader of the old one would be wrong; new fields do not change it."""
    table: TableId


class HelloLine(_Line):
    """The first line after connecting."""

    kind: Literal["hello"] = "hello"
    table_name: TableName = ""
    """Name of the table for people; empty: its id."""
    path_token: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{0,64}$")] = ""
    """Secret part of the page's address on a network; empty: none was made."""


class PublicPlayer(_LinePart):
    """A player as everybody sees them."""

    name: Annotated[str, Field(max_length=80), AfterValidator(normalize_name)]
    seat: Annotated[int, Field(ge=0, lt=12)]
    """Place in clockwise order, from 0."""
    button: Annotated[int, Field(ge=1, le=6)]
    """Number of the player's button, which stands for shape and colour."""
    colour: Annotated[str, StringConstraints(pattern="^#[0-9a-f]{6}$")]
    shape: Annotated[str, Field(max_length=20)]
    """Shape that stands for the player on the screen: "circle", "triangle"."""
    score: int | None = None
    """None: no points have been counted yet."""
    away: bool = False


class PublicClock(_LinePart):
    """A clock on the screen."""

    label: Annotated[str, Field(max_length=80)] = ""
    seconds_left: float
    """When the line was written."""
    seconds_total: float
    running: bool


class PublicOffer(_LinePart):
    """The present meaning of a button."""

    button: Annotated[str, Field(max_length=20)]
    """"seat1" to "seat6", "ok", "no", "plus", "minus"."""
    label: Annotated[str, Field(max_length=80)]
    awaited: bool = False
    hold: bool = False
    """It is for holding the button."""


class StateLine(_Line):
    """The table as its screen shows it now, in the table's language."""

    kind: Literal["state"] = "state"
    table_name: TableName = ""
    language: Annotated[str, Field(pattern=f"^{LANGUAGE_CODE}$")] = DEFAULT_LANGUAGE
    """Of the texts."""
    screen: Annotated[str, Field(max_length=20)]
    """"lobby", "first", "play", "result", "history", "setup", "resume" or "waiting"."""
    game: Annotated[str, Field(max_length=60)] = ""
    """Name of the game in snake case."""
    title: Annotated[str, Field(max_length=80)] = ""
    phase: Annotated[str, Field(max_length=40)] = ""
    headline: Annotated[str, Field(max_length=300)] = ""
    """Whose turn it is and what is to be done."""
    last_move: Annotated[str, Field(max_length=300)] = ""
    notice: Annotated[str, Field(max_length=300)] = ""
    """A problem and what to do about it; empty: none."""
    round: int | None = None
    rounds: int | None = None
    active_seats: tuple[int, ...] = ()
    """Seats for which the game waits."""
    players: tuple[PublicPlayer, ...] = ()
    clocks: tuple[PublicClock, ...] = ()
    offers: tuple[PublicOffer, ...] = ()
    winners: tuple[int, ...] = ()
    """Seats of the winners once the game is over."""
    has_picture: bool = False
    """The picture of the screen may be seen: no menu, code or large picture of the camera is open."""

    @property
    def is_game(self) -> bool:
        """Whether a game is in play or has just ended."""
        return self.screen in ("play", "result")

    def advance_clocks(self, seconds: float) -> Self:
        """Return the state after some time in which nothing but its running clocks went on.

        Args:
            seconds: since the line was written, 0 or more.
        """
        clocks = tuple(
            clock.model_copy(update={"seconds_left": max(0.0, clock.seconds_left - seconds)})
            if clock.running
            else clock
            for clock in self.clocks
        )
        return self.model_copy(update={"clocks": clocks})

    def is_same_but_clocks(self, other: Self) -> bool:
        """Return whether the other state differs in nothing but the time that running clocks have left."""
        return self._stop_clocks() == other._stop_clocks()

    def _stop_clocks(self) -> Self:
        return self._change_clocks(lambda _left: 0.0)

    def _change_clocks(self, change: Callable[[float], float]) -> Self:
        clocks = tuple(
            clock.model_copy(update={"seconds_left": change(clock.seconds_left)}) if clock.running else clock
            for clock in self.clocks
        )
        return self.model_copy(update={"clocks": clocks})


EventType = Literal["game_began", "turn", "reveal", "result", "device_lost", "device_restored"]


class ScoresLine(_Line):
    """How the scores of the game in play came about."""

    kind: Literal["scores"] = "scores"
    points: tuple[tuple[int, tuple[int, ...]], ...] = ()
    """Number of the round, or of the change in a game without rounds, and the scores by seat after it."""


class WordsLine(_Line):
    """The page's own words in the table's language, which may be one that only the table has."""

    kind: Literal["words"] = "words"
    words: dict[str, Annotated[str, Field(max_length=300)]]
    """By their names in `companion.porch.page_words`."""


class EventLine(_Line):
    """Something happened."""

    kind: Literal["event"] = "event"
    event_type: EventType
    game: Annotated[str, Field(max_length=60)] = ""
    text: Annotated[str, Field(max_length=300)] = ""
    """In the table's language: the headline, the last move, the name of the device."""
    seats: tuple[int, ...] = ()
    """Whose turn it is, or who won."""
    names: tuple[Annotated[str, Field(max_length=80), AfterValidator(normalize_name)], ...] = ()
    """The names of `seats`."""


class ResultLine(_Line):
    """How a game ended, or that its result was taken back: see `companion.porch.table_result`."""

    kind: Literal["result"] = "result"
    result: dict[str, Any]


Line = HelloLine | StateLine | ScoresLine | WordsLine | EventLine | ResultLine
LINE_ADAPTER: TypeAdapter[Line] = TypeAdapter(Annotated[Line, Field(discriminator="kind")])
"""Reads any line."""


def find_socket_path() -> Path:
    """Return the path of the socket: as the environment says, else in the user's runtime folder."""
    named = os.environ.get(SOCKET_VARIABLE)
    if named:
        return Path(named)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # without a session there is none, and it names one below /tmp instead
        return user_runtime_path("companion", appauthor=False) / SOCKET_FILE


def build_schema() -> dict[str, Any]:
    """Return the JSON schema of a line, as docs/porch.schema.json has it."""
    return LINE_ADAPTER.json_schema() | {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line of the companion's socket, version 1",
    }
