"""What the definitions of all games in files have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic

from pydantic import Field, create_model

from companion.api import JOURNAL_ONLY, GameDefinition, GameT, Seat
from companion.games.game_file.compiled_file import GameFileSettings, compile_file
from companion.games.game_file.model import GameFile

LOBBY_PLACE = 2
"""Place of these games in the lobby's menu: after those that are written in Python."""


class GameFileDefinition(GameDefinition[GameT], Generic[GameT]):
    """Base class of the definitions of games in files: name, title, numbers of players and settings are the file's.

    Args:
        file: its content.
        text: its text, which each game keeps in its settings (G5).
    """

    lobby_place = LOBBY_PLACE

    def __init__(self, file: GameFile, text: str) -> None:
        self.file, self.name, self.title = file, file.name, file.title
        self.player_counts = range(file.players_min, file.players_max + 1)
        self.settings_model = create_model(
            "Settings",
            __base__=GameFileSettings,
            players_min=(int, Field(file.players_min, ge=1, le=6)),
            players_max=(int, Field(file.players_max, ge=1, le=6)),
            file=(str, Field(text, json_schema_extra=JOURNAL_ONLY)),
        )

    def create_game(self, player_count: int, first_seat: Seat, settings: GameFileSettings) -> GameT:
        """Return the game at its start, by the rules that its settings keep.

        Raises:
            ValueError: the number of players is not allowed, or it was begun as a game of another kind.
        """
        begun = compile_file(settings.file)
        if begun.content.kind != self.file.kind:
            raise ValueError(f"this game was begun when {self.name} was a game of [{begun.content.kind}]")
        game: Any = begun.create_game(player_count, first_seat, settings)
        return game  # type: ignore[no-any-return]

    def list_setup_steps(self, settings: GameFileSettings, player_count: int) -> Sequence[str]:
        """Return the lines of the file."""
        return tuple(map(self.translate, self.file.setup))
