"""The part of `companion rules` that reads games' files: their schema, check, text and import."""

import ast
import inspect
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from companion.commands import CommandError
from companion.commands.common import ask_about_name, report_errors
from companion.file_reader import read_file
from companion.games.game_file.file_part import FilePart, allow_option_ids
from companion.games.game_file.model import PARTS, GameFile
from companion.games.game_file.reader import MAX_FILE_BYTES, GameFileError, decode_game_file, parse_game_file


def format_schema() -> str:
    """Return the JSON schema (draft 2020-12) of games' files, with two spaces of indent."""
    import json  # a check does not need it

    schema = GameFile.model_json_schema()
    allow_option_ids(schema["$defs"][PARTS["score_keeper"].__name__])  # it is no part of a file elsewhere
    for part in _list_parts(FilePart):
        properties = (schema if part is GameFile else schema["$defs"].get(part.__name__, {})).get("properties", {})
        for key, docstring in _list_key_docstrings(part):
            properties[key] = dict(sorted({**properties[key], "description": docstring}.items()))
    return json.dumps(schema, indent=2)


def _list_parts(base: type[FilePart]) -> Iterator[type[FilePart]]:
    for part in base.__subclasses__():
        yield part
        yield from _list_parts(part)


def _list_key_docstrings(part: type[FilePart]) -> Iterator[tuple[str, str]]:
    """Yield the keys of a part of a file with the docstrings that follow them in its class.

    Pydantic can read them too (`use_attribute_docstrings`), but does so whenever the module is imported: a tenth of a
    check's time.
    """
    (definition,) = ast.parse(inspect.getsource(part)).body
    assert isinstance(definition, ast.ClassDef)
    for before, after in pairwise(definition.body):
        match before, after:
            case ast.AnnAssign(target=ast.Name(id=key)), ast.Expr(value=ast.Constant(value=str(docstring))):
                yield key, inspect.cleandoc(docstring)


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


def show_game(name: str) -> None:
    """Print the file of a game.

    Raises:
        CommandError: no file describes it, or it cannot be read (status 2).
    """
    from companion.api import registry  # a check does not need it

    path = registry.find_game_file(name)
    if path is None:
        raise CommandError(f"{name} is written in Python, without such a file. Others: hearts, yacht, go.", status=2)
    print(decode_game_file(_read_bytes(path), str(path)), end="")


def import_game(path: Path, folder: Path) -> None:
    """Put a game's file among the people's own games, and say so.

    Args:
        path: the file, or a folder that holds one with its translations and picture; the same game is replaced.
        folder: it is created if need be.

    Raises:
        CommandError: the file cannot be used (status 2) or stored (status 1).
    """
    from companion.games.game_file.exchange import GameNameTaken, store_game  # a check does not need it

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
        raise CommandError(f"{path}: the file cannot be read: {reason}. {ask_about_name(path)}", status=2) from error
