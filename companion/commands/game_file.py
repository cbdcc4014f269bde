"""The part of `companion rules` that reads games' files: their schema, their check and their import."""

import json
from pathlib import Path

from companion.commands import CommandError
from companion.commands.common import report_errors
from companion.file_reader import read_file
from companion.games.game_file.exchange import GameNameTaken, store_game
from companion.games.game_file.model import GameFile
from companion.games.game_file.reader import MAX_FILE_BYTES, GameFileError, decode_game_file, parse_game_file


def format_schema() -> str:
    """Return the JSON schema (draft 2020-12) of games' files, with two spaces of indent."""
    return json.dumps(GameFile.model_json_schema(), indent=2)


def read_game(path: Path) -> tuple[str, str]:
    """Return name and text of a game's file.

    Raises:
        CommandError: it cannot be used (status 2).
    """
    data = _read_bytes(path)
    try:
        text = decode_game_file(data, str(path))
        return parse_game_file(text, str(path)).name, text
    except GameFileError as error:
        raise CommandError(f"{error}\nCorrect that line; docs/game-files.md explains the file.", status=2) from error


def import_game(path: Path, folder: Path) -> None:
    """Put a game's file among the people's own games, and say so.

    Args:
        path: the file, or a folder that holds one with its translations and picture; the same game is replaced.
        folder: it is created if need be.

    Raises:
        CommandError: the file cannot be used (status 2) or stored (status 1).
    """
    if path.is_dir():
        files = [each for each in sorted(path.glob("*.toml")) if "." not in each.stem]
        if len(files) != 1:
            raise CommandError(f"{path}: a folder of a game holds one NAME.toml, this one {len(files)}.", status=2)
        path = files[0]
    read_game(path)
    with report_errors():
        try:
            file = store_game(path, folder)
        except GameNameTaken as error:
            raise CommandError(f"{path}: {error}. Give yours another name, or remove that one.", status=2) from error
    print(f"{file.format_origin()} is imported as {file.name}: it stands in the lobby from the next start on.")


def _read_bytes(path: Path) -> bytes:
    try:
        return read_file(path, MAX_FILE_BYTES)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise CommandError(f"{path}: the file cannot be read: {reason}. Is the name right?", status=2) from error
