"""Settings of the box, from one TOML file; every one has a default, so that no file is needed.

The first of these that is there counts: the file named on the command line, the one named by $COMPANION_SETTINGS, the
person's own (~/.config/companion/companion.toml), the machine's (/etc/companion/companion.toml).
"""

from __future__ import annotations

import difflib
import json
import os
import tomllib
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from platformdirs import user_config_path
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from companion.config.gpio_pins import ButtonBoxSettings, GpioSettings
from companion.games import registry
from companion.games.api.offers import GameDefinition

SETTINGS_VARIABLE = "COMPANION_SETTINGS"
SETTINGS_FILE = "companion.toml"
MAX_FILE_BYTES = 1 << 20
"""Bytes. No settings file is longer; a device or a film given by mistake is not read to its end."""
MAX_SHOWN_ERRORS = 5

Model = TypeVar("Model", bound=BaseModel)


class SettingsError(Exception):
    """The settings cannot be used; the message names the file and the key or line, what is wrong and what helps."""


def _convert_camera_number(value: object) -> object:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _expand_path(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        path = Path(value).expanduser()
    except RuntimeError as error:  # ~somebody who is not here
        raise ValueError(f"{error}") from error
    if not path.is_absolute() or "\0" in value:
        raise ValueError("must be a full path, beginning with / or ~/")
    return path


def _convert_pair(value: object) -> object:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise ValueError("must be two whole numbers, such as [1280, 720]")
    return tuple(value)


def _convert_minutes(value: object) -> object:
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


_WidthPixels = Annotated[int, Field(ge=320, le=7680)]
_HeightPixels = Annotated[int, Field(ge=240, le=4320)]


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class TableSettings(_Section):
    """What stands on the table."""

    kind: Literal["virtual", "real", "keyboard"] = "virtual"
    """A drawn table, real buttons and a camera, or keys alone."""
    camera: Annotated[str, BeforeValidator(_convert_camera_number), Field(min_length=1)] = "0"
    """Its number, a URL, a file or a folder of pictures."""
    buttons: Literal["any", "gpio", "box", "both", "none"] = "any"
    """Of a real table: those that are there, those that must be there, or keys alone."""


class DisplaySettings(_Section):
    """The screen."""

    size: Annotated[tuple[_WidthPixels, _HeightPixels], BeforeValidator(_convert_pair)] = (1280, 720)
    """Width and height of the window, in pixels."""
    fullscreen: bool = False
    """The whole screen, whatever the size."""
    palette: Literal["dark", "light", "contrast"] = "dark"
    """Its colours: for an evening, for a bright room, for weak eyes."""
    turned: Literal[0, 90, 180, 270] = 0
    """Degrees clockwise by which the picture is turned, for a screen that hangs that way."""
    mirrored: bool = False
    """The console's keys at the left, for the left hand."""
    motion: bool = True
    """Things move on the screen to show what happened."""
    touch_seats: bool = False
    """A touch screen without buttons: places along its edges are the seats' buttons."""


class LanguageSettings(_Section):
    """What the screen says."""

    language: Literal["en", "it", "de"] = "en"
    """English, Italian, German; another one can be chosen in the lobby."""


class SoundSettings(_Section):
    """What is heard. Everything heard is seen as well."""

    volume: Annotated[int, Field(ge=0, le=10)] = 7
    """0: silent."""
    spoken: bool = False
    """Announcements are spoken, where espeak-ng is installed."""


class CafeSettings(_Section):
    """A table that guests come to and leave."""

    on: bool = False
    """Names, rules and choices of one group are not shown to the next, and settings are locked."""
    quiet_minutes: Annotated[float, BeforeValidator(_convert_minutes), Field(ge=0.1, le=600)] = 15.0
    """After so long without a press, or a die or token moved, the game is put away and the lobby is there again."""
    dim_minutes: Annotated[float, BeforeValidator(_convert_minutes), Field(ge=0.1, le=600)] = 3.0
    """After so long in the lobby the screen is darkened."""


class DataSettings(_Section):
    """Where the journal is kept."""

    folder: Annotated[Path, BeforeValidator(_expand_path)] | None = None
    """None: the person's own data folder."""


class Settings(_Section):
    """All settings; frozen. `games`: what the file says of games, each as that game's own model."""

    table: TableSettings = TableSettings()
    display: DisplaySettings = DisplaySettings()
    words: LanguageSettings = LanguageSettings()
    sound: SoundSettings = SoundSettings()
    cafe: CafeSettings = CafeSettings()
    data: DataSettings = DataSettings()
    gpio: GpioSettings = GpioSettings()
    box: ButtonBoxSettings = ButtonBoxSettings()
    games: Mapping[str, BaseModel] = Field(default_factory=dict)

    def get_house_rules(self, definition: GameDefinition) -> Any:
        """The settings of that game, an instance of `kit.settings`; its defaults where the file says nothing."""
        return self.games.get(definition.name) or definition.settings_model()


def load_settings(path: Path | None = None, environ: Mapping[str, str] = os.environ) -> Settings:
    """The settings from `path`, or from the first file that is there, or the defaults.

    Raises:
        SettingsError: the file cannot be read, or something in it cannot be used.
    """
    file = find_settings_file(path, environ)
    return Settings() if file is None else parse_settings(_read_bytes(file), str(file))


def find_settings_file(path: Path | None = None, environ: Mapping[str, str] = os.environ) -> Path | None:
    """The file that counts; None: there is none, and the defaults hold. A file that was named need not exist."""
    if path is not None:
        return path
    if environ.get(SETTINGS_VARIABLE):
        return Path(environ[SETTINGS_VARIABLE])
    return next((place for place in list_settings_files() if _exists(place)), None)


def _exists(place: Path) -> bool:
    try:
        place.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True  # reading it will say why it cannot be read
    return True


def list_settings_files() -> tuple[Path, ...]:
    """Where a settings file is looked for when none is named, the first that is there counts."""
    return user_config_path("companion") / SETTINGS_FILE, Path("/etc/companion") / SETTINGS_FILE


def parse_settings(
    data: bytes, source: str, find_game: Callable[[str], GameDefinition] = registry.find_game
) -> Settings:
    """Settings from the bytes of a TOML file; `source` names it in messages.

    Raises:
        SettingsError: the bytes are not UTF-8 or not TOML, or a key or value is not known here.
    """
    try:
        raw = tomllib.loads(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SettingsError(f"{source}: line {line} is not UTF-8 text. Save the file as UTF-8.") from error
    except RecursionError as error:
        raise SettingsError(f"{source}: too many brackets within brackets.") from error
    except ValueError as error:
        raise SettingsError(f"{source}: not TOML: {error}. Correct that place, or take the file away.") from error
    games = raw.pop("games", {})
    settings = _validate(Settings, raw, (), source)
    if not isinstance(games, dict) or not all(isinstance(rules, dict) for rules in games.values()):
        raise SettingsError(f"{source}: games: house rules stand in a section a game, such as [games.macroscope].")
    return settings.model_copy(
        update={"games": {name: _parse_house_rules(name, games[name], source, find_game) for name in games}}
    )


def _parse_house_rules(
    name: str, raw: Mapping[str, Any], source: str, find_game: Callable[[str], GameDefinition]
) -> BaseModel:
    try:
        kit = find_game(name)
    except registry.UnknownGame as error:
        raise SettingsError(f"{source}: games.{name}: {error}. Correct the name, or remove the section.") from error
    return _validate(kit.settings_model, raw, ("games", name), source)


def _validate(model: type[Model], raw: Mapping[str, Any], where: tuple[str, ...], source: str) -> Model:
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        faults = [_describe_error(fault, where, model) for fault in error.errors(include_url=False)]
        more = len(faults) - MAX_SHOWN_ERRORS
        tail = [f"{more} more"] * (more > 0)
        words = "\n".join(f"{source}: {fault}" for fault in [*faults[:MAX_SHOWN_ERRORS], *tail])
        raise SettingsError(f"{words}\nCorrect that, or remove it to have the default.") from error


def _describe_error(error: ErrorDetails, where: tuple[str, ...], model: type[BaseModel]) -> str:
    """One of pydantic's complaints in plain words, beginning with the key."""
    location = [str(part) for part in error["loc"]]
    key = ".".join([*where, *location]) or "the file"
    value, context = error["input"], error.get("ctx", {})
    match error["type"]:
        case "extra_forbidden":
            known = _list_setting_names(model, location[:-1])
            close = difflib.get_close_matches(location[-1], known, 1)
            hint = f"did you mean {close[0]}?" if close else f"there are: {', '.join(known) or 'none'}"
            return f"{key}: there is no such setting; {hint}"
        case "model_type" | "model_attributes_type":
            return f"{key} must be a section: [{key}]"
        case "literal_error":
            wanted = context["expected"].replace("'", '"')
        case "int_type" | "int_parsing" | "int_from_float":
            wanted = "a whole number"
        case "float_type" | "float_parsing" | "finite_number":
            wanted = "a number"
        case "bool_type" | "bool_parsing":
            wanted = "true or false"
        case "string_type" | "path_type" | "is_instance_of":
            wanted = 'text in quotes, "like this"'
        case "greater_than_equal":
            wanted = f"{context['ge']:g} or more"
        case "less_than_equal":
            wanted = f"{context['le']:g} or less"
        case _:
            return f"{key}: {error['msg'].removeprefix('Value error, ')}"
    return f"{key} must be {wanted}, not {_format_value(value)}"


def _list_setting_names(model: type[BaseModel], location: Sequence[str]) -> list[str]:
    """Names of the settings in that section of the model; empty where it is no section."""
    for part in location:
        inner = model.model_fields[part].annotation if part in model.model_fields else None
        if not (isinstance(inner, type) and issubclass(inner, BaseModel)):
            return []
        model = inner
    return list(model.model_fields)


def _format_value(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 40 else f"{text[:37]}..."


def _read_bytes(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            data = opened.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise SettingsError(f"{file}: the settings cannot be read: {reason}. Is the name right?") from error
    if len(data) > MAX_FILE_BYTES:
        raise SettingsError(f"{file}: too long for a settings file. Is the name right?")
    return data


def build_default_text(games: Sequence[GameDefinition] | None = None) -> str:
    """A settings file in which every setting stands with its default, as a comment."""
    if games is None:
        games = [registry.find_game(name) for name in registry.list_game_names()]
    parts = [files("companion.config").joinpath("settings.default.toml").read_text(encoding="utf-8")]
    parts += [
        "\n".join([f"# House rules of {kit.title}.", *format_house_rules(kit, kit.settings_model(), "#"), ""])
        for kit in games
    ]
    return "\n".join(parts)


def format_house_rules(definition: GameDefinition, rules: BaseModel, comment: str = "") -> list[str]:
    """House rules as the lines of their section in a settings file."""
    values = rules.model_dump(mode="json")
    return [
        f"[games.{definition.name}]",
        *(f"{comment}{name} = {format_toml(value)}" for name, value in values.items()),
    ]


def format_toml(value: Any) -> str:
    """A JSON value as TOML writes it (TOML 1.0: a table within a line has `=` between name and value).

    >>> toml({"3": [2, 1]}), toml("basic"), toml(True)
    ('{ "3" = [2, 1] }', '"basic"', 'true')
    """
    match value:
        case dict():
            inside = ", ".join(f"{json.dumps(str(name))} = {format_toml(each)}" for name, each in value.items())
            return f"{{ {inside} }}" if inside else "{}"
        case list():
            return f"[{', '.join(format_toml(each) for each in value)}]"
        case _:
            return json.dumps(value, ensure_ascii=False)


def write_default(path: Path) -> None:
    """Writes `default_text` to a new file, with its folder.

    Raises:
        SettingsError: there is a file already (it stays as it is), or it cannot be written.
    """
    if path.exists():
        raise SettingsError(f"{path} is there already and stays as it is.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(build_default_text())
    except OSError as error:
        raise SettingsError(f"{path} cannot be written: {error.strerror}.") from error
