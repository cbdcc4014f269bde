"""The people's own game files: how one is put among the games, with what belongs to it, and swapped by a USB stick."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from companion.api import registry
from companion.file_reader import read_file
from companion.games.game_file.model import GameFile
from companion.games.game_file.reader import MAX_FILE_BYTES, GameFileError, check_structure, parse_game_file
from companion.i18n import _, join_and
from companion.log import log
from companion.system.atomic_file import write_atomic

STICK_FOLDER = "companion-games"
"""Folder on a stick in which games are given away; they are looked for there and at the top of the stick."""
MAX_FILES = 200
"""Most files of a stick that are looked into."""
MAX_PICTURE_BYTES = 1 << 20
"""Longest title picture."""
_GAME_KEY = re.compile(rb"^\s*players_max\s*=", re.MULTILINE)


class GameNameTaken(ValueError):
    """There is another game of this name; the message is translated."""


def store_game(path: Path, folder: Path) -> GameFile:
    """Copy a game's file into the folder of the people's own games, with its translations and picture.

    Beside NAME.toml belong NAME.LANGUAGE.toml, whose lines are those of a section `[translations.LANGUAGE]`, and
    NAME.png, its title picture.

    Args:
        path: the file; an earlier version of it by the same author is replaced.
        folder: it is created if need be.

    Raises:
        OSError: it cannot be read or written.
        GameFileError: it is no game's file, or a wrong one.
        GameNameTaken: there is a game of this name that is not by this author.
    """
    data = read_file(path, MAX_FILE_BYTES)
    file = parse_game_file(data, path.name)
    check_name_is_free(file, folder)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for each in list_parts(path):
        content = read_file(each, MAX_PICTURE_BYTES)
        write_atomic(folder / (file.name + each.name.removeprefix(path.stem)), content)
    return file


def check_name_is_free(file: GameFile, folder: Path) -> None:
    """Check that no other game has the name of this one (two are the same game if title and author are).

    Raises:
        GameNameTaken: there is one.
    """
    own = find_own_game(file.name, folder)
    if own is None and file.name in registry.list_game_names() and not (folder / f"{file.name}.toml").exists():
        raise GameNameTaken(_("there is a game {name} already", name=file.name))
    if own is not None and (own.author, own.title) != (file.author, file.title):
        raise GameNameTaken(_("there is another game {name}: {other}", name=file.name, other=own.format_origin()))


def find_own_game(name: str, folder: Path) -> GameFile | None:
    """Return the content of the people's own file of that name; None: there is none, or it cannot be used."""
    with suppress(OSError, ValueError):
        return parse_game_file(read_file(folder / f"{name}.toml", MAX_FILE_BYTES))
    return None


def list_parts(path: Path) -> list[Path]:
    """List a game's file, and the files beside it that belong to it: translations and a title picture."""
    beside = [*sorted(path.parent.glob(f"{path.stem}.??.toml")), path.with_suffix(".png")]
    return [path, *(each for each in beside if each.is_file())]


def read_translations(path: Path, file: GameFile) -> Mapping[str, Mapping[str, str]]:
    """Return the translations beside a game's file, by language; what cannot be used is logged and left out."""
    found = {}
    for each in sorted(path.parent.glob(f"{path.stem}.??.toml")):
        try:
            text = read_file(each, MAX_FILE_BYTES).decode("utf-8-sig")
            check_structure(text, each.name)
            texts = tomllib.loads(text)
        except (OSError, ValueError, RecursionError) as error:
            log.warning("%s is left out: %s", each, error)
            continue
        known = file.list_texts()
        language = each.suffixes[-2][1:]
        found[language] = {text: own for text, own in texts.items() if text in known and isinstance(own, str)}
    return found


def swap_games(folder: Path, sticks: Sequence[Path]) -> str:
    """Take the games of the first stick, give it the people's own ones, and return in one translated line how it went.

    Args:
        folder: that of the people's own games.
        sticks: the top folders of the sticks.
    """
    if not sticks:
        return _("No USB stick found: plug one in, wait a moment, and try again")
    stick = sticks[0]
    taken: list[str] = []
    problems: list[str] = []
    try:
        given = _give_games(folder, stick / STICK_FOLDER)
    except OSError as error:
        problems.append(_("The USB stick cannot be written to ({why}): try another one", why=error.strerror))
        given = 0
    for path in _list_game_files(stick):
        try:
            file = parse_game_file(read_file(path, MAX_FILE_BYTES), path.name)
            own = find_own_game(file.name, folder)
            if own is None or (own != file and own.version_numbers < file.version_numbers):
                store_game(path, folder)
                taken.append(file.title)
        except (OSError, GameFileError, GameNameTaken) as error:
            problems.append(f"{path.name}: {error}" if isinstance(error, GameNameTaken) else str(error))
    return " ".join(
        (
            _("New here: {games}.", games=join_and(taken)) if taken else _("Nothing new for this device."),
            _.plural("{n} game is new on the stick.", "{n} games are new on the stick.", given),
            *problems[:1],
        )
    )


def _list_game_files(stick: Path) -> Iterator[Path]:
    """Yield the files of games at the top of a stick and in its folder of games."""
    files = [path for pattern in ("*.toml", f"{STICK_FOLDER}/*.toml") for path in sorted(stick.glob(pattern))]
    for path in files[:MAX_FILES]:
        with suppress(OSError, ValueError):
            if "." not in path.stem and _GAME_KEY.search(read_file(path, MAX_FILE_BYTES)):
                yield path


def _give_games(folder: Path, target: Path) -> int:
    """Copy the people's own games to a stick where it has no newer ones; return how many were copied."""
    given = 0
    for path in sorted(folder.glob("*.toml")):
        own = find_own_game(path.stem, folder) if "." not in path.stem else None
        if own is None:
            continue
        there = find_own_game(path.stem, target)
        if there == own or (there is not None and there.version_numbers >= own.version_numbers):
            continue
        target.mkdir(exist_ok=True)
        for each in list_parts(path):
            write_atomic(target / each.name, read_file(each, MAX_PICTURE_BYTES))
        given += 1
    return given
