"""The settings of a game in a file, which keep its text in each journal."""

from pydantic import Field, field_validator

from companion.api import JOURNAL_ONLY, PlayerCountSettings
from companion.games.game_file.reader import parse_game_file


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
        parse_game_file(text)
        return text
