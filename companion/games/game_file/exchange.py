"""The people's own game files: how one is put among the games, with what belongs to it, and swapped by a USB stick."""

import errno
import json
import os
import re
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from companion.api import registry
from companion.catalogues import LANGUAGE_CODE
from companion.file_reader import read_file
from companion.games.game_file.model import GameFile
from companion.games.game_file.reader import (
    MAX_FILE_BYTES,
    GameFileError,
    check_structure,
    decode_game_file,
    parse_game_file,
)
from companion.i18n import _
from companion.log import log
from companion.system.atomic_file import write_atomic
from companion.title_picture import read_title_picture

STICK_FOLDER = "companion-games"
"""Folder on a stick in which games are given away; they are looked for there and at the top of the stick."""
MAX_FILES = 200
"""Most files of a stick that are looked into."""
_GAME_KEY = re.compile(rb"^\s*players_max\s*=", re.MULTILINE)


class GameNameTaken(ValueError):
    """There is another game of this name; the message is translated."""


def store_game(path: Path, folder: Path) -> GameFile:
    """Copy a game's file into the folder of the people's own games, with its translations and picture.

    Beside NAME.toml belong NAME.LANGUAGE.toml, which become its sections `[translations.LANGUAGE]`, and NAME.png, its
    title picture. Nothing is written if one of them is wrong.

    Args:
        path: the file; the same game of any version is replaced.
        folder: it is created if need be.

    Raises:
        OSError: it cannot be read or written.
        GameFileError: it is no game's file, or a wrong one, or what lies beside it is wrong.
        GameNameTaken: there is a game of this name that is not by this author.
    """
    text = decode_game_file(read_file(path, MAX_FILE_BYTES), path.name)
    file = parse_game_file(text, path.name)
    check_name_is_free(file, folder)
    for each in _list_translations(path):
        text = _add_translations(text, each)
    picture = _read_picture(path)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _write_game(folder, file.name, text.encode(), picture)
    return file


def check_name_is_free(file: GameFile, folder: Path) -> None:
    """Check that no other game has the name of this one (two are the same game if title and author are).

    Raises:
        GameNameTaken: there is one.
    """
    own = find_own_game(file.name, folder)
    if own is None and file.name in registry.list_game_names() and not (folder / f"{file.name}.toml").exists():
        raise GameNameTaken(_("there is a game {name} already", name=file.name))
    if own is not None and not _is_same_game(own, file):
        raise GameNameTaken(_("there is another game {name}: {other}", name=file.name, other=own.format_origin()))


def find_own_game(name: str, folder: Path) -> GameFile | None:
    """Return the content of the people's own file of that name; None: there is none, or it cannot be used."""
    with suppress(OSError, ValueError):
        return parse_game_file(read_file(folder / f"{name}.toml", MAX_FILE_BYTES))
    return None


def _list_translations(path: Path) -> list[Path]:
    """List the translations beside a game's file; no links, which may lead from a stick to files of this device."""
    pattern = re.compile(rf"{re.escape(path.stem)}\.{LANGUAGE_CODE}\.toml")
    return [each for each in sorted(path.parent.iterdir()) if pattern.fullmatch(each.name) and not each.is_symlink()]


def _add_translations(text: str, path: Path) -> str:
    """Return a game's text with the translations of a file beside it; of a language that it has it stays as it is.

    Raises:
        OSError: the file beside it cannot be read.
        GameFileError: it is wrong, or translates what is not in the game's file.
    """
    language = path.suffixes[-2][1:]
    if language in parse_game_file(text).translations:
        return text
    added = decode_game_file(read_file(path, MAX_FILE_BYTES), path.name)
    check_structure(added, path.name)
    try:
        texts = tomllib.loads(added)
    except (ValueError, RecursionError) as error:
        raise GameFileError(path.name, 0, f"not TOML: {error}") from error
    if not all(isinstance(own, str) for own in texts.values()):
        raise GameFileError(path.name, 0, 'it has other lines than such as "My game" = "Mon jeu"')
    lines = [" = ".join(json.dumps(each, ensure_ascii=False) for each in pair) for pair in texts.items()]
    text = "\n".join([text.rstrip(), "", f"[translations.{language}]", *lines, ""])
    try:
        parse_game_file(text)
    except GameFileError as error:
        raise GameFileError(path.name, 0, error.reason) from error
    return text


def _read_picture(path: Path) -> bytes | None:
    """Return the title picture beside a game's file; None: there is none, or a link.

    Raises:
        OSError: it cannot be read.
        GameFileError: it is no picture, or too large.
    """
    picture = path.with_suffix(".png")
    if picture.is_symlink():
        return None
    try:
        return read_title_picture(picture)
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise GameFileError(picture.name, 0, str(error)) from error


def _write_game(folder: Path, name: str, content: bytes, picture: bytes | None) -> None:
    """Write a game's file, after its picture if it has one.

    Raises:
        OSError: one of them cannot be written.
    """
    if picture is not None:
        write_atomic(folder / f"{name}.png", picture)
    write_atomic(folder / f"{name}.toml", content)


@dataclass(frozen=True, slots=True)
class GameSwap:
    """What a swap of games has brought.

    Attributes:
        taken: titles of the games that are new here, or in a higher version.
        given: names of the games that are so on the stick.
        problems: a line on each file, or stick, that cannot be used.
    """

    taken: Sequence[str]
    given: Sequence[str]
    problems: Sequence[str]


def swap_games(folder: Path, sticks: Sequence[Path]) -> GameSwap:
    """Take the games of the sticks, and give the first one the own ones.

    Args:
        folder: that of the people's own games.
        sticks: the top folders of the sticks, at least one, one that can be written to first.
    """
    taken: list[str] = []
    given: list[str] = []
    problems: list[str] = []
    try:
        given.extend(_give_games(folder, sticks[0]))
    except OSError as error:
        problems.append(_("The USB stick cannot be written to ({why}): try another one", why=error.strerror))
    for path in (path for stick in sticks for path in _list_game_files(stick)):
        try:
            file = parse_game_file(read_file(path, MAX_FILE_BYTES), path.name)
            own = find_own_game(file.name, folder)
            if not _has_version(own, file):
                store_game(path, folder)
                taken.append(file.title)
        except (OSError, GameFileError, GameNameTaken) as error:
            problems.append(f"{path.name}: {error}" if isinstance(error, GameNameTaken) else str(error))
    return GameSwap(taken, given, problems)


def _is_same_game(one: GameFile, other: GameFile) -> bool:
    return (one.author, one.title) == (other.author, other.title)


def _has_version(one: GameFile | None, other: GameFile) -> bool:
    """Return whether one file is the same game as another one, in its version or a higher one."""
    return one is not None and _is_same_game(one, other) and one.version_numbers >= other.version_numbers


def _list_game_files(stick: Path) -> Iterator[Path]:
    """Yield the files of games at the top of a stick and in its folder of games; no links."""
    for folder in (stick, stick / STICK_FOLDER):
        with suppress(OSError):
            files = [] if folder.is_symlink() else sorted(folder.glob("*.toml"))
            for path in files[:MAX_FILES]:
                if "." not in path.stem and not path.is_symlink() and _is_game_file(path):
                    yield path


def _is_game_file(path: Path) -> bool:
    with suppress(OSError):
        return _GAME_KEY.search(read_file(path, MAX_FILE_BYTES)) is not None
    return False


def _give_games(folder: Path, stick: Path) -> Iterator[str]:
    """Copy the people's own games into a stick's folder of games, and yield their names.

    A file there is replaced only by a higher version of the same game: not one that is wrong, or by somebody else. A
    game that lies at the top of the stick, in this version or a higher one, is not copied beside it.

    Raises:
        OSError: the stick cannot be written to.
    """
    target = stick / STICK_FOLDER
    if target.is_symlink():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(target))
    for path in sorted(folder.glob("*.toml")):
        own = find_own_game(path.stem, folder) if "." not in path.stem else None
        if own is None or _has_version(find_own_game(path.stem, stick), own):
            continue
        there = find_own_game(path.stem, target)
        is_newer = there is not None and _has_version(own, there) and not _has_version(there, own)
        if os.path.lexists(target / path.name) and not is_newer:
            continue
        content = read_file(path, MAX_FILE_BYTES)
        picture = None
        try:
            picture = _read_picture(path)
        except (OSError, GameFileError) as error:
            log.warning("The picture of %s is not given away: %s", path.stem, error)
        target.mkdir(exist_ok=True)
        _write_game(target, path.stem, content, picture)
        yield path.stem
