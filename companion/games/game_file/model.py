"""A game's file as a whole (G1 to G6 in `docs/rules/game_files.md`)."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, get_args, get_origin

from pydantic import BaseModel, Field, StringConstraints, model_validator

from companion.catalogues import LANGUAGE_CODE
from companion.games.game_file.dice_model import DiceModel
from companion.games.game_file.file_part import (
    FIXED_KEYS,
    MAX_OPTIONS,
    FilePart,
    NamedPart,
    OptionModel,
    OptionValue,
    check_ids,
)
from companion.games.game_file.points_model import PointsModel
from companion.games.score_keeper.settings import Settings as ScoreKeeperSettings
from companion.i18n import Translator
from companion.names import NormalName

# The rules are imported where they are used: the check of a file needs those of its part alone.
if TYPE_CHECKING:
    from companion.games.game_file.dice.scoring import DiceRules
    from companion.games.game_file.points.formulas import PointsRules

_ = Translator("game_file")

MAX_PLAYERS = 6
"""Most players: there are six seat buttons."""
MAX_MINUTES = 600
"""Longest usual time of a game."""
MAX_BGG_ID = 99_999_999
MAX_LINES = 24
"""Most lines of rules, and of what is to be laid out."""
MAX_LINE_LENGTH = 300
"""Characters of such a line."""

Line = Annotated[str, StringConstraints(min_length=1, max_length=MAX_LINE_LENGTH)]
OriginText = Field("", max_length=120)
LanguageCode = Annotated[str, StringConstraints(pattern=f"^{LANGUAGE_CODE}$")]
Genre = Literal[
    "cards", "tricks", "dice", "dice_sheet", "dice_tray", "darts",
    "skittles", "clock", "race", "tiles", "land", "any_game",
]  # fmt: skip
"""G11: kinds of games that have a title picture."""
PARTS: Mapping[str, type[BaseModel]] = {"dice": DiceModel, "points": PointsModel, "score_keeper": ScoreKeeperSettings}
"""The parts that say what is played, by their name: a file has one of them."""


class GameFile(FilePart):
    """The content of a game's file.

    >>> file = GameFile(name="race", title="Race", players_min=1, players_max=2, score_keeper={"target_points": 10})
    >>> file.kind
    'score_keeper'
    """

    format: Literal[1] = 1
    """G1: version of this form of file."""
    name: str = Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")
    """G2: id of the game: lower case letters, digits and underscores."""
    title: NormalName = Field(min_length=1, max_length=24)
    """G2: as it stands on the screen."""
    players_min: int = Field(ge=1, le=MAX_PLAYERS)
    players_max: int = Field(ge=1, le=MAX_PLAYERS)
    author: str = OriginText
    """G10: who wrote the file."""
    version: str = Field("", pattern=r"^(\d{1,4}(\.\d{1,4}){0,3})?$")
    """G10: of the file, such as "1.2": a higher one replaces a lower one."""
    licence: str = OriginText
    """G10: under which it is passed on."""
    source: str = OriginText
    """G10: where the rules of the game are from."""
    genre: Genre | None = None
    """G11: its title picture; without it one that fits the part that says what is played."""
    minutes: int = Field(0, ge=0, le=MAX_MINUTES)
    """G11: how long it usually takes; 0: not known."""
    bgg: int = Field(0, ge=0, le=MAX_BGG_ID)
    """G11: its number at BoardGameGeek, from its address there; 0: not known."""
    rules: tuple[Line, ...] = Field((), max_length=MAX_LINES)
    """G3: the rules in sentences, for people, the last one on the end; `{ID}` stands for the value of an option."""
    setup: tuple[Line, ...] = Field((), max_length=MAX_LINES)
    """G3: lines on what is to be laid out."""
    options: tuple[OptionModel, ...] = Field((), max_length=MAX_OPTIONS)
    """G8: house rules that the lobby offers."""
    dice: DiceModel | None = None
    """A game with dice, which the camera reads."""
    points: PointsModel | None = None
    """A game whose points people enter."""
    score_keeper: ScoreKeeperSettings | None = None
    """The score keeper ("Any game") with these settings; for how many it is stands at the top of the file."""
    translations: Mapping[LanguageCode, Mapping[str, str]] = Field(default_factory=dict, max_length=20)
    """G4: by language, the English texts of the file and their translations."""

    @model_validator(mode="before")
    @classmethod
    def _insert_options(cls, data: Any) -> Any:
        """Replace the ids of options by their values in the parts that say what is played (G8)."""
        if not isinstance(data, Mapping):
            return data
        values = find_option_values(data)
        return {key: _insert(value, values, PARTS[key]) if key in PARTS else value for key, value in data.items()}

    @model_validator(mode="after")
    def _validate_together(self) -> Self:
        if self.players_min > self.players_max:
            raise ValueError(f"players_min {self.players_min} is above players_max {self.players_max}")
        kinds = [name for name in PARTS if getattr(self, name) is not None]
        if len(kinds) != 1:
            found = f"not both [{kinds[0]}] and [{kinds[1]}]" if kinds else "and it has none"
            raise ValueError(f"a file needs one of [dice], [points] and [score_keeper], {found}")
        own = {"players_min", "players_max"} & (self.score_keeper.model_fields_set if self.score_keeper else set())
        if own:
            raise ValueError(f"score_keeper.{min(own)}: the numbers of players stand at the top of the file")
        check_ids([*self.options, *self._list_named_parts()], "options")
        return self

    def _list_named_parts(self) -> Sequence[NamedPart]:
        if self.points is not None:
            return (*self.points.entries, *self.points.kept, *self.points.flags)
        return () if self.dice is None else (*self.dice.categories, *self.dice.kept)

    @property
    def kind(self) -> str:
        """Name of the part that says what is played."""
        return next(name for name in PARTS if getattr(self, name) is not None)

    @property
    def has_turns(self) -> bool:
        """Whether one player after the other acts, so that the lobby offers a clock (G9); "Any game" has its own."""
        return self.dice is not None or (self.points is not None and self.points.order == "turns")

    def choose_genre(self) -> Genre:
        """Return the genre of the file, or one that fits what is played (G11).

        >>> GameFile(name="race", title="Race", players_min=1, players_max=2, score_keeper={}).choose_genre()
        'any_game'
        """
        if self.genre is not None:
            return self.genre
        if self.dice is not None:
            return "dice_sheet" if self.dice.categories else "dice"
        return "cards" if self.points is not None else "any_game"

    @cached_property
    def compiled_rules(self) -> "DiceRules | PointsRules | None":
        """The rules of `dice` or `points` with their expressions compiled, else None.

        Raises:
            ExpressionError: an expression is wrong; not in a file that `parse_game_file` has returned.
        """
        options = {option.id: int(option.default) for option in self.options if not isinstance(option.default, str)}
        if self.dice is not None:
            from companion.games.game_file.dice.scoring import DiceRules

            return DiceRules(self.dice, self.translations, options)
        if self.points is None:
            return None
        from companion.games.game_file.points.formulas import PointsRules

        return PointsRules(self.points, self.translations, options, self.rules[-1] if self.rules else "")

    @property
    def version_numbers(self) -> tuple[int, ...]:
        """The version as numbers, to be compared; without one it is the lowest."""
        return tuple(map(int, self.version.split("."))) if self.version else ()

    def format_origin(self) -> str:
        """Return title, author and version in one translated line, so that files of one name are told apart.

        >>> GameFile(name="a", title="A", players_min=1, players_max=2, score_keeper={}, author="Bo").format_origin()
        'A, by Bo'
        """
        author = _("by {author}", author=self.author) if self.author else ""
        version = _("version {n}", n=self.version) if self.version else ""
        return ", ".join(filter(None, (self.title, author, version)))

    def list_texts(self) -> set[str]:
        """Return all texts of the file that people see and that may be translated."""
        parts = self.model_dump(include={"title", "rules", "setup", "options", "dice", "points"})
        return set(_list_texts(parts))


def find_option_values(data: Mapping[str, Any]) -> dict[str, OptionValue]:
    """Return the defaults of a file's options by id, as far as the file is right."""
    options = data.get("options")
    listed = options if isinstance(options, list | tuple) else ()
    return {
        option["id"]: option["default"]
        for option in listed
        if isinstance(option, Mapping)
        and isinstance(option.get("id"), str)
        and isinstance(option.get("default"), OptionValue)
    }


def _insert(value: Any, options: Mapping[str, OptionValue], part: type[BaseModel]) -> Any:
    """Return a part of a file with the values of options where its keys have a number, a word, true or false (G8)."""
    if isinstance(value, list):
        return [_insert(each, options, part) for each in value]
    if not isinstance(value, Mapping):
        return value
    filled = dict(value)
    for key in value.keys() & part.model_fields.keys():
        annotation, each = part.model_fields[key].annotation, value[key]
        inner = (kind for kind in get_args(annotation) or (annotation,) if isinstance(kind, type))
        is_word = get_origin(annotation) is Literal and each not in get_args(annotation) and key not in FIXED_KEYS
        if isinstance(each, str) and (is_word or annotation in (int, bool)):
            filled[key] = options.get(each, each)
        elif found := next((kind for kind in inner if issubclass(kind, BaseModel)), None):
            filled[key] = _insert(each, options, found)
    return filled


def _list_texts(value: Any, key: str = "") -> list[str]:
    """Return the texts of titles, rules, names, keys and sentences, but no ids and no expressions."""
    if isinstance(value, dict):
        return [text for name, each in value.items() for text in _list_texts(each, name)]
    if isinstance(value, tuple | list):
        return [text for each in value for text in _list_texts(each, key)]
    if key == "choices" and isinstance(value, str):
        return [value.replace("_", " ")]
    return [value] if isinstance(value, str) and value and key in TEXT_KEYS else []


TEXT_KEYS = frozenset({"title", "rules", "setup", "name", "key", "text"})
"""Keys whose values are shown to people."""
