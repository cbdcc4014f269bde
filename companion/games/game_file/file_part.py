"""What the parts of a game's file have in common: ids, expressions, house rules and numbers that a player keeps."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictInt,
    StringConstraints,
    ValidationError,
    WrapValidator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from companion.game_settings import PlayerCountSettings
from companion.games.game_file.expressions import FUNCTIONS, KEYWORDS, LIST_PREFIXES, MAX_LENGTH
from companion.names import NormalName

MAX_OPTIONS = 8
"""House rules of a game: more make a menu that nobody wants to read."""
MAX_CHOICES = 8
"""Values of a house rule, or named numbers of an entry."""
MAX_KEPT = 8
"""Numbers that a player keeps."""
MAX_NUMBER = 999_999
"""Highest number that can be entered, kept or scored, and with a minus sign the lowest."""

ExpressionText = Field("", max_length=MAX_LENGTH)
NameText = Field(min_length=1, max_length=24)
OptionWord = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z_]{0,23}$")]
OptionValue = bool | int | str
IdText = Field(pattern=r"^[a-z][a-z0-9_]{0,23}$")
RESERVED_IDS = frozenset(
    {
        *(*KEYWORDS, *FUNCTIONS, "score", "round", "players", "best"),
        *("dice", "throws", "throw_points", "turn_points", "round_points", "joker", "bust"),
    }
)
"""Words of expressions, which are no ids."""
FIXED_KEYS = frozenset({"order"})
"""Keys of words that no option chooses, since what the lobby offers depends on them (G8)."""


class FilePart(BaseModel):
    """Base class of the parts of a file; instances are frozen, and unknown names are refused.

    Raises:
        pydantic.ValidationError: a name is unknown, or a value is not allowed.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True, defer_build=True)


def allow_option_ids(schema: dict[str, Any]) -> None:
    """Let the JSON schema of a part have an option's id in place of a number, a word, true and false (G8)."""
    for key, value in schema.get("properties", {}).items():
        if "enum" in value and key not in FIXED_KEYS:
            value["anyOf"] = [{"enum": value.pop("enum")}, {"type": value.pop("type")}]
        elif value.get("type") in ("integer", "boolean"):
            value["type"] = [value["type"], "string"]


class PartWithOptions(FilePart):
    """Base class of the parts in which the id of an option may stand for a number, a word, or true and false (G8)."""

    model_config = ConfigDict(json_schema_extra=allow_option_ids)


class NamedPart(FilePart):
    """Something that stands in expressions by its id, and on the screen by its name."""

    id: str = IdText
    name: NormalName = NameText


def _explain_value(value: Any, validate: Callable[[Any], Any]) -> Any:
    """Return a value of an option; in place of an error of each possible type, one says what all may be."""
    try:
        return validate(value)
    except ValidationError as error:
        raise PydanticCustomError(
            "option_value",
            'a value is a whole number, true, false, or a word of lower case letters and _, such as "play_on"',
        ) from error


class OptionModel(NamedPart):
    """G8: a house rule that the lobby offers; its id stands for its value in expressions, or in place of a word.

    >>> OptionModel(id="goal", name="Points to win", default=501, choices=(301, 501, 701)).list_values()
    (301, 501, 701)
    """

    default: Annotated[StrictBool | StrictInt | OptionWord, WrapValidator(_explain_value)]
    """Its value unless people choose another; true or false: a rule that is on (1) or off (0)."""
    choices: tuple[Annotated[StrictInt | OptionWord, WrapValidator(_explain_value)], ...] = Field(
        (), max_length=MAX_CHOICES
    )
    """The values to choose from; empty: each from `low` to `high`."""
    low: int = Field(0, ge=-MAX_NUMBER, le=MAX_NUMBER)
    high: int = Field(0, ge=-MAX_NUMBER, le=MAX_NUMBER)
    step: int = Field(1, ge=1, le=MAX_NUMBER)
    """By what one press changes the value."""

    @model_validator(mode="after")
    def _validate_together(self) -> Self:
        if hasattr(PlayerCountSettings, self.id) or self.id in (
            *PlayerCountSettings.model_fields,
            "file",
            "turn_seconds",
            "time_up",
        ):
            raise make_id_error(self.id, f"id: {self.id!r} cannot be an id")
        if isinstance(self.default, bool):
            if self.choices or self.high:
                raise ValueError("choices: a rule that is true or false has none")
        elif any(type(each) is not type(self.default) for each in self.choices):
            raise ValueError("choices: all are numbers, or all are words, as the default is")
        elif self.choices or isinstance(self.default, str):
            if self.default not in self.choices or len(set(self.choices)) < max(2, len(self.choices)):
                raise ValueError("choices: at least two different values, the default among them")
        elif not self.low <= self.default <= self.high:
            raise ValueError(f"default: {self.default} is not from low {self.low} to high {self.high}")
        return self

    def list_values(self) -> tuple[OptionValue, ...]:
        """Return the values by which a file is tried: all choices, or the ends of its range."""
        if isinstance(self.default, bool):
            return (0, 1)
        return self.choices or (self.low, self.high)


class KeptModel(NamedPart, PartWithOptions):
    """G72: a number that each player keeps from turn to turn, such as the phase reached."""

    start: int = Field(0, ge=-MAX_NUMBER, le=MAX_NUMBER)
    next: str = Field(min_length=1, max_length=MAX_LENGTH)
    """Its value after a round, or turn."""
    shown: Literal["always", "not_0", "never"] = "always"
    """Whether it stands on the screen."""
    lasting: bool = False
    """G78: it stays when everybody begins again."""


def check_ids(parts: Sequence[NamedPart], what: str) -> None:
    """Check that the ids in a file differ, and that expressions do not use them for something else.

    >>> check_ids([NamedPart(id="bid", name="Bid"), NamedPart(id="score", name="Points")], "kept")
    Traceback (most recent call last):
    pydantic_core._pydantic_core.PydanticCustomError: kept: 'score' cannot be an id: expressions use this name already

    Args:
        parts: what has the ids.
        what: what they are called in the message.

    Raises:
        PydanticCustomError: one is wrong; its context has the `id`.
    """
    ids = [part.id for part in parts]
    if twice := next((word for i, word in enumerate(ids) if word in ids[:i]), ""):
        raise make_id_error(twice, f"{what}: two have the same id, {twice!r}")
    for word in ids:
        if word in RESERVED_IDS:
            raise make_id_error(word, f"{what}: {word!r} cannot be an id: expressions use this name already")
        if word.startswith(LIST_PREFIXES):
            raise make_id_error(word, f"{what}: {word!r} cannot be an id: names of several numbers begin so")


def make_id_error(wrong_id: str, reason: str) -> PydanticCustomError:
    """Return an error of a validator that names a wrong id, so that its line in the file is found."""
    return PydanticCustomError("wrong_id", "{reason}", {"id": wrong_id, "reason": reason})
