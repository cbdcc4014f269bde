"""Find and read the settings file (TOML); what it leaves out has its default, so no file is needed.

The first of these that exists is used: the file named on the command line, the one named by $COMPANION_SETTINGS, the
user's (~/.config/companion/companion.toml), the machine's (/etc/companion/companion.toml).
"""

import errno
import os
import sys
import time
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from platformdirs import site_config_path, user_config_path
from pydantic import BaseModel

from companion.api import AnyGameDefinition, registry
from companion.config.gpio_pins import NOT_WIRED, ButtonPins
from companion.config.partial_toml import parse_toml_partly
from companion.config.partial_validation import PartPath, drop_part, get_part, validate_partly
from companion.config.settings import Settings
from companion.file_reader import decode_text, read_file
from companion.validation_messages import describe_error

SETTINGS_VARIABLE = "COMPANION_SETTINGS"
"""Environment variable with the path of the settings file."""
SETTINGS_FILE = "companion.toml"
MAX_FILE_BYTES = 1 << 20
"""Longest settings file in bytes; a device or a film given by mistake is not read to its end."""
MAX_SHOWN_ERRORS = 5
"""Most errors that one message lists; of the others it gives the number."""
READ_ATTEMPTS = 5
"""Attempts to read the settings file from a medium that fails (EIO)."""
READ_PAUSE_SECONDS = 0.2
"""Pause between two attempts; with `READ_ATTEMPTS` it says how much later the program starts."""


class SettingsError(Exception):
    """No part of a settings file can be used; the message names the file, what is wrong and the remedy."""


class LoadedSettings(NamedTuple):
    """Settings from a file, and what in it cannot be used."""

    settings: Settings
    problems: tuple[str, ...] = ()
    """What has its default since it is wrong or unknown, each in one line with the file's name; empty: nothing."""


def load_settings(path: Path | None = None, environ: Mapping[str, str] = os.environ) -> LoadedSettings:
    """Return the settings from the file that `find_settings_file` finds; the defaults if there is none.

    Args:
        path: the file named on the command line; None: none was named.
        environ: the environment, in which $COMPANION_SETTINGS may name a file.

    Raises:
        SettingsError: the file that was named does not exist, the file cannot be read or is longer than MAX_FILE_BYTES,
            or nothing in it can be used.
        Exception: an error while a game with a section in the file is loaded is passed on, such as ImportError.
    """
    file = find_settings_file(path, environ)
    if file is None:
        return LoadedSettings(Settings())
    data = _read_bytes(file)
    if not data:  # what a card leaves of a file that it lost at a power cut
        return LoadedSettings(Settings(), (f"{file} is empty: all settings have their defaults. Write it again.",))
    return parse_settings(data, str(file))


def load_data_folder(path: Path | None = None, environ: Mapping[str, str] = os.environ) -> Path:
    """Return the data folder, as `load_settings` and `Settings.find_data_folder` find it, without loading any game.

    Raises:
        SettingsError: as `load_settings`, which has the same arguments.
    """
    file = find_settings_file(path, environ)
    raw = {} if file is None else _parse_toml(_read_bytes(file), str(file))[0]
    return validate_partly(Settings.model_validate, {"data": raw.get("data", {})}).value.find_data_folder()


def find_settings_file(path: Path | None = None, environ: Mapping[str, str] = os.environ) -> Path | None:
    """Return the path of the settings file that is used.

    Args:
        path: the file named on the command line; None: none was named.
        environ: the environment, in which $COMPANION_SETTINGS may name a file.

    Returns:
        `path`, else the file that the environment names (both without a check that it exists), else the first that
        exists of the user's and the machine's file; None: there is none, and the defaults hold.
    """
    if path is not None:
        return path
    if environ.get(SETTINGS_VARIABLE):
        return Path(environ[SETTINGS_VARIABLE])
    return next((file for file in list_settings_files() if _exists(file)), None)


def _exists(file: Path) -> bool:
    try:
        file.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True  # the error message comes when it is read
    return True


def list_settings_files() -> tuple[Path, ...]:
    """Return the paths of the user's and the machine's settings file, which need not exist.

    Where no file is named, the first that exists is used.
    """
    if sys.platform == "win32":
        machine = site_config_path("companion", appauthor=False)
    else:
        machine = Path("/etc/companion")
    return user_config_path("companion", appauthor=False) / SETTINGS_FILE, machine / SETTINGS_FILE


def parse_settings(
    data: bytes, source: str, find_game: Callable[[str], AnyGameDefinition] = registry.find_game
) -> LoadedSettings:
    """Parse and validate the content of a settings file; what it leaves out, and what is wrong in it, has its default.

    Args:
        data: the content, TOML 1.0 in UTF-8, with or without a byte order mark.
        source: name of the file in error messages.
        find_game: returns the definition of a game by name, or raises `registry.UnknownGame`.

    Raises:
        SettingsError: nothing in it is a setting in TOML.
        Exception: any other error of `find_game` is passed on, such as ImportError.

    >>> parse_settings(b"[table]\\ncamera = 2\\nkind = 3", "box.toml").settings.table.camera
    '2'
    """
    raw, problems = _parse_toml(data, source)
    games = raw.pop("games", {})
    valid = validate_partly(Settings.model_validate, raw, _drop_setting)
    problems += [describe_error(fault, (), Settings) for fault in valid.faults]
    if not isinstance(games, dict):
        games, problems = {}, [*problems, "games: house rules need a section for each game, such as [games.farkle]"]
    rules = dict[str, BaseModel]()
    for name, values in games.items():
        try:
            model = find_game(name).settings_model
        except registry.UnknownGame as error:
            problems.append(f"games.{name}: {error}")
            continue
        if not isinstance(values, dict):
            problems.append(f"games.{name} must be a section: [games.{name}]")
            continue
        found = validate_partly(model.model_validate, values)
        problems += [describe_error(fault, ("games", name), model) for fault in found.faults]
        rules[name] = found.value
    more = len(problems) - MAX_SHOWN_ERRORS
    shown = [*problems[:MAX_SHOWN_ERRORS], *[f"{more} more"] * (more > 0)]
    settings = valid.value.model_copy(update={"games": rules})
    return LoadedSettings(settings, tuple(f"{source}: {problem}" for problem in shown))


def _parse_toml(data: bytes, source: str) -> tuple[dict[str, Any], list[str]]:
    problems, lines = list[str](), data.split(b"\n")
    for at, line in enumerate(lines):
        try:
            line.decode("utf-8")
        except UnicodeDecodeError:
            lines[at] = b""
            problems.append(f"line {at + 1} is not UTF-8 text")
    raw, faults = parse_toml_partly(decode_text(b"\n".join(lines)))
    problems += faults
    if problems and not raw:
        raise SettingsError(f"{source}: {problems[0]}. Correct that, save the file as UTF-8 text, or remove it.")
    return raw, problems


def _drop_setting(raw: dict[str, Any], path: PartPath) -> None:
    drop_part(raw, path)
    if path[:-1] in (("gpio", "buttons"), ("gpio", "lamps")) and path[-1] in ButtonPins.model_fields:
        # Its default may be a pin to which something else is wired.
        get_part(raw, path[:-1])[path[-1]] = NOT_WIRED


def _read_bytes(file: Path) -> bytes:
    for attempt in count(1):
        try:
            return read_file(file, MAX_FILE_BYTES)
        except (OSError, ValueError) as error:
            # A medium that fails is asked again: without the settings nothing can be played as it should.
            if attempt == READ_ATTEMPTS or not _is_failing(error):
                reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
                advice = "They are read again at the next start" if _is_failing(error) else "Is the name right?"
                raise SettingsError(f"{file}: the settings cannot be read: {reason}. {advice}") from error
        time.sleep(READ_PAUSE_SECONDS)
    raise AssertionError("the loop has no end")


def _is_failing(error: Exception) -> bool:
    """Return whether the medium failed, and not the name of the file."""
    return isinstance(error, OSError) and error.errno == errno.EIO
