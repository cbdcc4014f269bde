"""A game's file with its expressions compiled, and the settings that keep its text in each journal."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from pydantic import Field, field_validator

from companion.api import JOURNAL_ONLY, DeclaredGame, PlayerCountSettings, Seat
from companion.games.game_file.dice.rules import DiceGame
from companion.games.game_file.dice.scoring import DiceRules
from companion.games.game_file.model import GameFile
from companion.games.game_file.points.formulas import PointsRules
from companion.games.game_file.points.rules import PointsGame
from companion.games.game_file.reader import parse_game_file
from companion.games.score_keeper.rules import ScoreKeeper

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

    def create_game(self, player_count: int, first_seat: Seat, settings: GameFileSettings) -> DeclaredGame:
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
