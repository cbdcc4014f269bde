"""The part of `companion rules` that reads games' files: their schema, their check and their import."""

import json
from pathlib import Path

from companion.api import registry
from companion.commands import CommandError
from companion.commands.common import report_errors
from companion.file_reader import read_file
from companion.games.game_file.model import GameFile
from companion.games.game_file.reader import MAX_FILE_BYTES, GameFileError, decode_game_file, parse_game_file
from companion.system.atomic_file import write_atomic


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
    """Copy a game's file into the folder of the user's own games, and say so.

    Args:
        path: the file; one of the same name that was imported before is replaced.
        folder: it is created if need be.

    Raises:
        CommandError: the file cannot be used (status 2) or stored (status 1).
    """
    name, text = read_game(path)
    own = folder / f"{name}.toml"
    if name in registry.list_game_names() and not own.exists():
        raise CommandError(f"{path}: there is a game {name} already. Give yours another name.", status=2)
    with report_errors():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_atomic(own, text.encode())
    print(f"The game {name} is imported: it stands in the lobby from the next start on.")


def _read_bytes(path: Path) -> bytes:
    try:
        return read_file(path, MAX_FILE_BYTES)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise CommandError(f"{path}: the file cannot be read: {reason}. Is the name right?", status=2) from error
