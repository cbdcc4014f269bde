"""The settings: one frozen model for each section of the settings file; every value has a default."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field

from companion.api import AnyGameDefinition
from companion.config.data_folder import default_data_folder
from companion.config.gpio_pins import ButtonBoxSettings, GpioSettings, Section
from companion.i18n import DEFAULT_LANGUAGE, LANGUAGES
from companion.names import NormalName

MAX_VOLUME = 10
"""Highest volume; each step down makes sounds quieter."""


def _convert_camera_number(value: object) -> object:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _expand_path(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        path = Path(value).expanduser()
    except RuntimeError as error:  # "~name" of an unknown user
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


def _check_language(code: str) -> str:
    if code not in LANGUAGES:
        raise ValueError(f"there is no language {code!r} here, but {', '.join(LANGUAGES)}")
    return code


_WidthPixels = Annotated[int, Field(ge=320, le=7680)]
_HeightPixels = Annotated[int, Field(ge=240, le=4320)]


class TableSettings(Section):
    """Section [table]: the kind of table, its camera and its buttons."""

    kind: Literal["virtual", "real", "keyboard"] = "virtual"
    """A simulated table, real buttons and a camera, or the keyboard only."""
    camera: Annotated[str, BeforeValidator(_convert_camera_number), Field(min_length=1)] = "0"
    """Number of the camera, its path in /dev/v4l/by-id, "csi", a URL, a file or a folder of pictures."""
    mains_hz: Literal[0, 50, 60] = 0
    """Frequency of the mains, at which lamps flicker before the camera; 0: that of the time zone's country."""
    buttons: Literal["any", "gpio", "box", "both", "none"] = "any"
    """Buttons of a real table: all that are connected, those that must be connected, or the keyboard only."""


class _WindowSettings(Section):
    """Part of section [display] that only the settings file sets."""

    size: Annotated[tuple[_WidthPixels, _HeightPixels], BeforeValidator(_convert_pair)] = (1280, 720)
    """Width and height of the window, in pixels."""
    fullscreen: bool = False
    """Fill the whole screen; `size` is then not used."""
    demo_minutes: Annotated[float, BeforeValidator(_convert_minutes), Field(ge=0, le=600)] = 2.0
    """Minutes, 0 to 600, without a press in the lobby after which a game plays itself as a demo; 0: never."""


class PictureSettings(Section):
    """Part of section [display] that may be changed by buttons."""

    palette: Literal["dark", "light", "contrast"] = "dark"
    """Colours: "dark" for a dim room, "light" for a bright one, "contrast" (high contrast) for people who see badly."""
    turned: Literal[0, 90, 180, 270] = 0
    """Degrees clockwise by which the picture is rotated, for a screen that is mounted rotated."""
    mirrored: bool = False
    """Soft keys at the left side, for left-handed people."""
    animations: bool = True
    """Animate what happens."""
    touch_seats: bool = False
    """Use areas along the edges of a touch screen as the seats' buttons."""
    screen_inches: Literal[7, 10, 15, 24, 43] = 24
    """Diagonal of the screen at the table in inches; 43 stands for any television."""
    distance_m: Literal[1, 2, 3, 4] = 1
    """Metres from which the screen is read: where letters would be too small there are larger ones, and fewer texts."""


class DisplaySettings(PictureSettings, _WindowSettings):
    """Section [display]: the screen."""


class LanguageSettings(Section):
    """Section [words]: the language."""

    language: Annotated[str, AfterValidator(_check_language)] = DEFAULT_LANGUAGE
    """Code of a language that is installed, until another one is chosen in the lobby. At a screen the system's language
    comes before the default."""


class SoundSettings(Section):
    """Section [sound]: sounds and speech. Everything that can be heard is also shown."""

    volume: Annotated[int, Field(ge=0, le=MAX_VOLUME)] = 7
    """0 (silent) to `MAX_VOLUME`."""
    speech: Literal["off", "moments", "everything"] = "moments"
    """What is spoken, if espeak-ng is installed: nothing; throws, scores, turns and the winner; or everything that is
    needed to play without seeing."""


class DiceSettings(Section):
    """Section [dice]: what the camera learns about your dice, and what follows from what it sees."""

    corrections_teach: bool = False
    """Keep the picture of a die that players correct, beside the journal, to propose the right value next time."""
    waits_for_ok: bool = False
    """Wait for the button although the next player has thrown: what is done at the table stands for no press."""


ResultCodeKind = Literal["bg_stats", "text"]
"""Forms of a result as a QR code."""


class ResultSettings(Section):
    """Section [results]: what a finished game offers."""

    code: ResultCodeKind = "bg_stats"
    """QR code of the result: a link that opens the app BG Stats with the game filled in, or lines of text."""


class PorchSettings(Section):
    """Section [porch]: others may watch the table (docs/porch.md)."""

    on: bool = False
    """Write what everybody at the table may see to a local Unix socket, for `companion porch`."""
    table: Annotated[str, Field(pattern=r"^[a-z0-9-]{0,40}$")] = ""
    """Id of the table in the network: small letters, digits, hyphens; empty: one that the box makes once."""
    name: Annotated[NormalName, Field(max_length=40)] = ""
    """Name of the table for people."""
    bind: Annotated[str, Field(min_length=1, max_length=64)] = "127.0.0.1"
    """Address on which the spectators' page is served; "0.0.0.0" or "::": on every one, with a secret path."""
    port: Annotated[int, Field(ge=0, le=65535)] = 8788
    """Port of the spectators' page; 0: there is no page."""
    address: Annotated[str, Field(max_length=100, pattern=r"^(https?://[A-Za-z0-9.:\[\]-]+)?$")] = ""
    """Address of the page without its secret path ("http://box.local:8788"), for the QR code; empty: no code."""
    mqtt: Annotated[str, Field(max_length=255, pattern=r"^([A-Za-z0-9.:\[\]-]+)?$")] = ""
    """Host of the MQTT broker, with ":" and a port if it has another; empty: nothing is published there."""
    mqtt_user: Annotated[str, Field(max_length=80)] = ""
    """Name to log in with at the broker."""
    mqtt_password_file: Annotated[str, Field(pattern="^(/.*)?$")] = ""
    """Full path of the file whose first line is the password; empty: there is none."""
    mqtt_tls: bool = True
    """Encrypt, and check the broker's certificate."""
    mqtt_ca: Annotated[str, Field(pattern="^(/.*)?$")] = ""
    """Full path of the certificate of the authority that signed the broker's; empty: those that the machine trusts."""
    home_assistant: bool = True
    """Let Home Assistant find the table at the broker."""


class CafeSettings(Section):
    """Section [cafe]: a table for guests who come and go."""

    on: bool = False
    """Hide names, rules and choices of one group from the next, and lock the settings."""
    quiet_minutes: Annotated[float, BeforeValidator(_convert_minutes), Field(ge=0.1, le=600)] = 15.0
    """Minutes, 0.1 to 600, without a press and without a moved die or token after which the game is set aside and the
    lobby opens; only if `on`."""
    dim_minutes: Annotated[float, BeforeValidator(_convert_minutes), Field(ge=0.1, le=600)] = 3.0
    """Minutes, 0.1 to 600, without a press in the lobby after which the screen is dimmed; only if `on`."""


class DataSettings(Section):
    """Section [data]: where the journal is stored."""

    folder: Annotated[Path, BeforeValidator(_expand_path)] | None = None
    """Full path of the folder ("~" at the beginning is expanded); None: the user's own data folder."""


class Settings(Section):
    """All settings; frozen, with a default for each, so that `Settings()` has all defaults.

    `games` has the house rules that the file sets, by the game's name, each an instance of its `settings_model`.
    """

    table: TableSettings = TableSettings()
    display: DisplaySettings = DisplaySettings()
    words: LanguageSettings = LanguageSettings()
    sound: SoundSettings = SoundSettings()
    dice: DiceSettings = DiceSettings()
    results: ResultSettings = ResultSettings()
    porch: PorchSettings = PorchSettings()
    cafe: CafeSettings = CafeSettings()
    data: DataSettings = DataSettings()
    gpio: GpioSettings = GpioSettings()
    box: ButtonBoxSettings = ButtonBoxSettings()
    games: Mapping[str, BaseModel] = Field(default_factory=dict)

    def get_house_rules(self, definition: AnyGameDefinition) -> Any:
        """Return the house rules of a game, an instance of its `settings_model`: the file's, else the defaults.

        Choices that people made in the lobby are not among them, see `companion.lobby.HouseRules`.
        """
        return self.games.get(definition.name) or definition.settings_model()

    def find_data_folder(self, typed: Path | None = None) -> Path:
        """Return the folder of the journal and the stored preferences. It is not created and need not exist.

        Args:
            typed: the folder named on the command line; None: as in the settings, else the user's own data folder.
        """
        return typed or self.data.folder or default_data_folder()
