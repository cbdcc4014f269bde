"""From a game's file to the game: its definition, and the settings that keep its rules in each journal."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from pydantic import Field, create_model, field_validator

from companion.api.game import Game, Seat
from companion.api.offers import GameDefinition
from companion.api.settings import JOURNAL_ONLY, PlayerCountSettings
from companion.games.game_file.dice.definition import make_dice_definition
from companion.games.game_file.dice.rules import DiceGame
from companion.games.game_file.dice.scoring import DiceRules
from companion.games.game_file.model import GameFile
from companion.games.game_file.points.definition import POINTS_GAME
from companion.games.game_file.points.formulas import PointsRules
from companion.games.game_file.points.rules import PointsGame
from companion.games.game_file.reader import parse_game_file
from companion.games.score_keeper import GAME as SCORE_KEEPER
from companion.games.score_keeper.rules import ScoreKeeper
from companion.games.score_keeper.texts import list_preparations
from companion.i18n import Translator, add_messages

DICE_SCENE = "game_file_dice"
"""Entry point of the scene that draws all games with dice."""
LOBBY_PLACE = 2
"""Place of these games in the lobby's menu: after those that are written in Python."""
CACHED_FILES = 64
"""Files whose compiled rules are kept: those of all games of a table, and some older versions in its journal."""


class GameFileSettings(PlayerCountSettings):
    """House rules of a game that a file describes; the limits and the default of `file` are those of the file.

    Raises:
        pydantic.ValidationError: the numbers of players are out of range, or `file` is no game's file.
    """

    file: str = Field(json_schema_extra=JOURNAL_ONLY)
    """G5: the text of the file, so that each game in the journal is replayed by the rules it was begun with."""

    @field_validator("file")
    @classmethod
    def _validate_file(cls, text: str) -> str:
        compile_file(text)
        return text


@dataclass(frozen=True)
class CompiledFile:
    """A file with its expressions compiled: `rules` are those of `dice` or `points`, else None."""

    content: GameFile
    rules: DiceRules | PointsRules | None

    def create_game(self, player_count: int, first_seat: Seat, settings: GameFileSettings) -> Game:
        """Return the game at its start.

        Args:
            player_count: number of players, within `settings.player_counts`.
            first_seat: seat that begins, in games with turns.
            settings: house rules.

        Raises:
            ValueError: `player_count` or `first_seat` is not allowed.
        """
        title = self.content.title
        if isinstance(self.rules, DiceRules):
            return DiceGame.create(player_count, first_seat, settings, self.rules, title)
        if isinstance(self.rules, PointsRules):
            return PointsGame.create(player_count, first_seat, settings, self.rules, title)
        assert self.content.score_keeper is not None, "one of the three"
        if player_count not in settings.player_counts:
            raise ValueError(f"{title} cannot be played by {player_count}")
        return ScoreKeeper.create(player_count, first_seat, self.content.score_keeper)


@lru_cache(maxsize=CACHED_FILES)
def compile_file(text: str, source: str = "the game's file") -> CompiledFile:
    """Parse a file and compile its expressions; the results of the last `CACHED_FILES` calls are kept.

    Args:
        text: the content of the file.
        source: its name in messages.

    Raises:
        GameFileError: it cannot be used.
    """
    content = parse_game_file(text, source)
    if content.dice is not None:
        return CompiledFile(content, DiceRules(content.dice, content.translations))
    if content.points is not None:
        return CompiledFile(content, PointsRules(content.points, content.translations))
    return CompiledFile(content, None)


def make_definition(text: str, source: str) -> GameDefinition:
    """Return the definition of the game that a file describes; its translations are added to the process's.

    Args:
        text: the content of the file.
        source: its name in messages.

    Raises:
        GameFileError: it cannot be used.
    """
    compiled = compile_file(text, source)
    file = compiled.content
    low, high = file.players_min, file.players_max
    settings_model: type[GameFileSettings] = create_model(
        "Settings",
        __base__=GameFileSettings,
        players_min=(int, Field(low, ge=1, le=6)),
        players_max=(int, Field(high, ge=1, le=6)),
        file=(str, Field(text, json_schema_extra=JOURNAL_ONLY)),
    )
    add_messages(file.name, file.translations)

    def create_game(player_count: int, first_seat: Seat, settings: GameFileSettings) -> Game:
        begun = compile_file(settings.file)
        if begun.content.kind != file.kind:
            raise ValueError(f"this game was begun when {file.name} was a game of [{begun.content.kind}]")
        return begun.create_game(player_count, first_seat, settings)

    parts: dict[str, Any] = {
        "name": file.name,
        "title": file.title,
        "player_counts": range(low, high + 1),
        "settings_model": settings_model,
        "create_game": create_game,
        "lobby_place": LOBBY_PLACE,
    }
    translate = Translator(file.name)

    def list_setup(_settings: GameFileSettings, _player_count: int) -> tuple[str, ...]:
        return tuple(map(translate, file.setup))

    if file.dice is not None:
        made = make_dice_definition(file.name, file.title, file.dice, settings_model, file.setup, file.translations)
        return replace(made, **parts, scene=DICE_SCENE)
    if file.points is not None:
        return replace(POINTS_GAME, **parts, setup_steps=list_setup, has_first_player=file.points.order == "turns")
    rules = file.score_keeper
    assert rules is not None, "one of the three"

    def list_all_preparations(settings: GameFileSettings, player_count: int) -> tuple[str, ...]:
        return (*list_setup(settings, player_count), *list_preparations(rules, player_count))

    parts |= {"presets": (), "name_setting": ""}  # the file says what is played
    return replace(SCORE_KEEPER, **parts, setup_steps=list_all_preparations, scene=SCORE_KEEPER.name)
