"""From the text of a game's file to the definition of the game."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from companion.api import AnyGameDefinition, Seat
from companion.file_reader import read_file
from companion.games.game_file.dice.definition import DiceGameDefinition
from companion.games.game_file.file_definition import FileTranslator, GameFileDefinition
from companion.games.game_file.file_rules import SHIPPED_GAMES_DOMAIN
from companion.games.game_file.model import GameFile
from companion.games.game_file.points.definition import PointsGameDefinition
from companion.games.game_file.reader import MAX_FILE_BYTES, decode_game_file, parse_game_file
from companion.games.game_file.settings import GameFileSettings
from companion.games.score_keeper import ScoreKeeper, ScoreKeeperDefinition
from companion.games.score_keeper.state import _
from companion.i18n import Translator, add_messages


class KeptScoreDefinition(GameFileDefinition[ScoreKeeper], ScoreKeeperDefinition):
    """The score keeper with the settings of a file, which says what is played."""

    presets = ()
    name_setting = ""

    @property
    def translate(self) -> Translator:
        return FileTranslator(self.name, _)  # house rules may choose words of the score keeper, such as "fischer"

    def create_from(
        self, file: GameFile, player_count: int, first_seat: Seat, settings: GameFileSettings
    ) -> ScoreKeeper:
        assert file.score_keeper is not None
        if player_count not in settings.player_counts:
            raise ValueError(f"{file.title} cannot be played by {player_count}")
        return ScoreKeeper.create(player_count, first_seat, file.score_keeper)

    def list_setup_steps(self, settings: Any, player_count: int) -> Sequence[str]:
        """Return the lines of the file, then those of the score keeper."""
        keeper = self.parse_chosen(settings).score_keeper
        assert keeper is not None
        own = GameFileDefinition.list_setup_steps(self, settings, player_count)
        return (*own, *ScoreKeeperDefinition.list_setup_steps(self, keeper, player_count))


DEFINITIONS: dict[str, type[GameFileDefinition[Any]]] = {
    "dice": DiceGameDefinition,
    "points": PointsGameDefinition,
    "score_keeper": KeptScoreDefinition,
}
"""By the part of the file that says what is played."""


def make_definition(text: str, source: str) -> AnyGameDefinition:
    """Return the definition of the game that a file describes; its translations are added to the process's.

    Args:
        text: the content of the file.
        source: its name in messages.

    Raises:
        GameFileError: it cannot be used.
    """
    file = parse_game_file(text, source)
    add_messages(file.name, file.translations, SHIPPED_GAMES_DOMAIN)
    return DEFINITIONS[file.kind](file, text)


def load_definition(path: Path) -> AnyGameDefinition:
    """Return the definition of the game that the file at `path` describes.

    Raises:
        OSError: the file cannot be read.
        GameFileError: it cannot be used.
    """
    return make_definition(decode_game_file(read_file(path, MAX_FILE_BYTES), path.name), path.name)
