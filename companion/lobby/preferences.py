"""The box itself as people like it: language, colours, which way up, sound. The settings file's, and over them what was
chosen by buttons; kept beside the journal.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from companion import i18n
from companion.config.json_store import JsonStore
from companion.config.settings import Settings
from companion.i18n import LANGUAGES, N_, Translator
from companion.lobby.dialogs import ListMenu, LobbyChange, LobbyDialog, NumberInput, Step

Value = TypeVar("Value")
_ = Translator("companion")
PREFERENCES_FILE = "box.json"
MAX_VOLUME = 10

PALETTES = {"dark": N_("dark"), "light": N_("light"), "contrast": N_("high contrast")}
"""By their names in the settings."""
ROTATIONS_DEG = (0, 90, 180, 270)
LANGUAGE_LABEL = "Language · Lingua · Sprache"
"""Not translated: it is looked for by people who do not read the language that stands there."""


class PreferenceValues(BaseModel):
    """What may be chosen; frozen."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    language: Literal["en", "it", "de"] = "en"
    palette: Literal["dark", "light", "contrast"] = "dark"
    turned: Literal[0, 90, 180, 270] = 0
    """Degrees clockwise by which the picture is turned, for a screen that hangs that way."""
    mirrored: bool = False
    """The console's keys at the left, for the left hand."""
    motion: bool = True
    """Things move on the screen to show what happened."""
    touch_seats: bool = False
    """A touch screen without buttons: places along its edges are the seats' buttons."""
    volume: Annotated[int, Field(ge=0, le=MAX_VOLUME)] = 7
    """0: silent."""
    spoken: bool = False
    """Announcements are spoken as well, where espeak-ng is installed."""


def values_from_settings(settings: Settings) -> PreferenceValues:
    """What the settings file says."""
    display = settings.display
    return PreferenceValues(
        language=settings.words.language,
        palette=display.palette,
        turned=display.turned,
        mirrored=display.mirrored,
        motion=display.motion,
        touch_seats=display.touch_seats,
        volume=settings.sound.volume,
        spoken=settings.sound.spoken,
    )


class _StoredPreferences(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    chosen: dict[str, Any] = Field(default_factory=dict)
    set_up: bool = False
    """The guided set-up was done, or skipped."""


class Preferences:
    """The choices in force. The language is spoken from now on, here and whenever it is changed.

    Args:
        usual: what the settings file says.
        folder: where choices are kept; None: they hold for tonight.
    """

    def __init__(self, usual: PreferenceValues | None = None, folder: Path | None = None) -> None:
        self._file_values = usual or PreferenceValues()
        self._store = JsonStore(
            folder / PREFERENCES_FILE if folder else None,
            _StoredPreferences,
            N_("What was chosen for this box cannot be read and does not count; the file is {where}"),
        )
        self.problem = self._store.problem
        """What is wrong with the kept choices, in one line; None: nothing."""
        self.values = self._file_values
        """In force now."""
        self._apply_choices()

    @property
    def is_set_up(self) -> bool:
        """Whether the guided set-up was done, or skipped."""
        return self._store.value.set_up

    def mark_set_up(self) -> str | None:
        """The guided set-up was done, or skipped. None, or why that cannot be kept."""
        return self._store.save(self._store.value.model_copy(update={"set_up": True}))

    def change(self, name: str, value: Any) -> str | None:
        """Choose something. None, or why it holds for tonight only.

        Raises:
            ValueError: it cannot be chosen.
        """
        PreferenceValues.model_validate(self.values.model_dump() | {name: value})
        kept = self._store.value
        trouble = self._store.save(kept.model_copy(update={"chosen": kept.chosen | {name: value}}))
        self._apply_choices()
        return trouble

    def forget_choices(self) -> None:
        """Forget for now what was chosen since the start: the next guests find the box as the settings have it."""
        self._store.value = self._store.value.model_copy(update={"chosen": {}})
        self._apply_choices()

    def _apply_choices(self) -> None:
        known = {k: v for k, v in self._store.value.chosen.items() if k in PreferenceValues.model_fields}
        try:
            self.values = PreferenceValues.model_validate(self._file_values.model_dump() | known)
        except ValueError:
            self.values = self._file_values
            self.problem = _("Some choices for this box no longer fit and do not count: look at them again")
        i18n.set_language(self.values.language)


def open_preferences_menu(preferences: Preferences, selected: int = 0) -> LobbyDialog:
    """All that may be chosen, each a press away."""
    now = preferences.values
    lines: list[tuple[str, Step]] = [
        (f"{LANGUAGE_LABEL}: {LANGUAGES[now.language]}", open_language_menu(now.language)),
        (
            _("Colours: {palette}", palette=_(PALETTES[now.palette])),
            _set_preference("palette", next_value(now.palette, tuple(PALETTES))),
        ),
        (_("Picture turned by {n}°", n=now.turned), _set_preference("turned", next_value(now.turned, ROTATIONS_DEG))),
        (
            _("Keys for the left hand: {yes}", yes=_format_yes_no(now.mirrored)),
            _set_preference("mirrored", not now.mirrored),
        ),
        (_("Movement on the screen: {yes}", yes=_format_yes_no(now.motion)), _set_preference("motion", not now.motion)),
        (
            _("Seats at the screen's edges: {yes}", yes=_format_yes_no(now.touch_seats)),
            _set_preference("touch_seats", not now.touch_seats),
        ),
        (_("Sound: {volume}", volume=_format_volume(now.volume)), _open_volume_input(now.volume)),
        (_("Spoken announcements: {yes}", yes=_format_yes_no(now.spoken)), _set_preference("spoken", not now.spoken)),
        (_("Set up step by step"), LobbyChange("set up")),
    ]
    return ListMenu(_("This box"), tuple(lines), selected)


MENU_LINES = ("language", "palette", "turned", "mirrored", "motion", "touch_seats", "volume", "spoken")
"""Which choice stands in which line of the menu."""


def next_value(current: Value, values: Sequence[Value]) -> Value:
    """The value after `now`; after the last one the first."""
    return values[(values.index(current) + 1) % len(values)]


def open_language_menu(current: str) -> LobbyDialog:
    """Which language?"""
    items = tuple((name, _set_preference("language", code)) for code, name in LANGUAGES.items())
    return ListMenu(LANGUAGE_LABEL, items, list(LANGUAGES).index(current), LobbyChange("box"))


def _open_volume_input(current: int) -> Step:
    return NumberInput(
        _("Sound"),
        current,
        0,
        MAX_VOLUME,
        1,
        lambda number: _format_volume(int(number)),
        lambda number: _set_preference("volume", int(number)),
        LobbyChange("box", MENU_LINES.index("volume")),
    )


def _format_volume(volume: int) -> str:
    return _("{n} of {most}", n=volume, most=MAX_VOLUME) if volume else _("off")


def _format_yes_no(value: bool) -> str:
    return _("yes") if value else _("no")


def _set_preference(name: str, value: Any) -> LobbyChange:
    return LobbyChange("box choice", (name, value))
