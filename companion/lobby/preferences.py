"""Preferences for this device: language, colours, rotation of the picture, sound, learning from corrections.

Those of the settings file hold until something else is chosen by buttons; choices are stored beside the journal. The
rules of the games: `house_rules.py`.
"""

from collections.abc import Callable, Sequence
from functools import partial
from math import log
from pathlib import Path
from typing import Any, TypeVar

from pydantic import Field

from companion.api import Command, CommandName
from companion.config.json_store import JsonStore, StoredModel
from companion.config.partial_validation import validate_partly
from companion.config.settings import (
    MAX_VOLUME,
    DiceSettings,
    LanguageSettings,
    PictureSettings,
    Settings,
    SoundSettings,
)
from companion.i18n import LANGUAGES, N_, _, set_language
from companion.referee.dialogs.base import LazyStep, ListMenu, Step, open_numbered_menu
from companion.referee.dialogs.number_inputs import Number, NumberInput

Value = TypeVar("Value")
PREFERENCES_FILE = "preferences.json"

PALETTES = {"dark": N_("dark"), "light": N_("light"), "contrast": N_("high contrast")}
"""Labels of the palettes, by their names in the settings."""
SCREEN_INCHES = (7, 10, 15, 24, 43)
"""Sizes of screens that can be chosen; the last one stands for any television."""
DISTANCES_M = (1, 2, 3, 4)
"""Distances from which the screen is read, in metres."""
SPEECH_LEVELS = {"off": N_("off"), "moments": N_("moments"), "everything": N_("everything")}
"""Labels of how much is spoken, by their names in the settings."""
ROTATIONS_DEG = (0, 90, 180, 270)
"""Possible rotations of the picture, in degrees clockwise."""


class PreferenceValues(LanguageSettings, PictureSettings, SoundSettings, DiceSettings):
    """Values of all preferences: those of the settings that may be changed by buttons; frozen."""


def values_from_settings(settings: Settings) -> PreferenceValues:
    """Return the preferences that the settings file contains.

    Args:
        settings: the validated settings.
    """
    picture = settings.display.model_dump(include=set(PictureSettings.model_fields))
    return PreferenceValues(**dict(settings.words), **picture, **dict(settings.sound), **dict(settings.dice))


class _StoredPreferences(StoredModel):
    chosen: dict[str, Any] = Field(default_factory=dict)
    set_up: bool = False
    """The set-up wizard was completed, or skipped."""
    favourites: list[str] = Field(default_factory=list)
    """Games in the list of games that people marked, by `format_game_key`."""
    guided: list[str] = Field(default_factory=list)
    """Games, by name, whose first turn was played with rings around all that is waited for."""


class Preferences:
    """The preferences in force.

    The language of a choice is set at once; that of the first values by the caller of the constructor
    (`apply_language`).

    Args:
        usual: the values of the settings file; None: the defaults.
        folder: where choices are stored; None: they hold for this session.
    """

    def __init__(self, usual: PreferenceValues | None = None, folder: Path | None = None) -> None:
        self._file_values = usual or PreferenceValues()
        path = folder / PREFERENCES_FILE if folder else None
        self.store = JsonStore(path, _StoredPreferences, N_("The preferences"))
        """The file of the stored choices."""
        self.problem: str | None = None
        """Which stored choices are not valid any more, in one line; None: all are."""
        self._choices = dict(self.store.value.chosen)
        """In force now, stored or not."""
        self.values = self._merge_values()
        """In force now."""

    @property
    def is_set_up(self) -> bool:
        """Whether the set-up wizard was completed or skipped, now or in an earlier session.

        True also if that cannot be read: nobody shall set up a device again that was set up.
        """
        return self.store.value.set_up or self.store.is_unread

    def mark_set_up(self) -> str | None:
        """Store (in `PREFERENCES_FILE`) that the set-up wizard was completed, or skipped; raises nothing.

        Returns:
            None, or in the current language why that cannot be stored; then it holds for this session only.
        """
        return self.store.update(lambda stored: stored.model_copy(update={"set_up": True}))

    @property
    def favourites(self) -> frozenset[str]:
        """The games that people marked as favourites, each by its `format_game_key`."""
        return frozenset(self.store.value.favourites)

    def toggle_favourite(self, key: str) -> str | None:
        """Mark a game as a favourite, or no longer, and store that (in `PREFERENCES_FILE`); raises nothing.

        Args:
            key: the game's `format_game_key`.

        Returns:
            None, or in the current language why it cannot be stored; then it holds for this session only.
        """
        favourites = sorted(self.favourites ^ {key})
        return self.store.update(lambda stored: stored.model_copy(update={"favourites": favourites}))

    def is_guided(self, game: str) -> bool:
        """Return whether the first turn of a game, by its name, was played with rings; True if that cannot be read."""
        return game in self.store.value.guided or self.store.is_unread

    def mark_guided(self, game: str) -> str | None:
        """Store (in `PREFERENCES_FILE`) that the rings in a game were followed once; raises nothing.

        Returns:
            None, or in the current language why that cannot be stored; then it holds for this session only.
        """
        guided = sorted({*self.store.value.guided, game})
        return self.store.update(lambda stored: stored.model_copy(update={"guided": guided}))

    def choose_nearest_screen(self, inches: float) -> str | None:
        """Choose and store the size of `SCREEN_INCHES` nearest to a screen's; return as `change` does.

        Args:
            inches: its diagonal.
        """
        return self.change("screen_inches", min(SCREEN_INCHES, key=lambda size: abs(log(inches / size))))

    def change(self, name: str, value: Any, *, keeps: bool = True) -> str | None:
        """Choose a value, store it (in `PREFERENCES_FILE`), and set the language of the program to the preferred one.

        Args:
            name: name of the preference, a field of `PreferenceValues`.
            value: its new value.
            keeps: store it; otherwise it holds until the next start, or until `forget_choices`.

        Returns:
            None, or in the current language why it cannot be stored and holds for this session only.

        Raises:
            ValueError: there is no such preference, or not this value of it (pydantic's ValidationError); nothing has
                changed.
        """
        PreferenceValues.model_validate(self.values.model_dump() | {name: value})
        self._choices[name] = value
        self.values = self._merge_values()
        self.apply_language()
        if not keeps:
            return None
        return self.store.update(lambda stored: stored.model_copy(update={"chosen": stored.chosen | {name: value}}))

    def forget_choices(self) -> None:
        """Return to the values of the settings file until the next start, for new guests; stored choices stay stored.

        The language of the program is set to that of the settings file.
        """
        self._choices.clear()
        self.values = self._merge_values()
        self.apply_language()

    def retry(self) -> None:
        """Read the file again if it could not be read, and write it if it could not be written.

        Choices that were made meanwhile have priority.
        """
        if self.store.retry():
            self._choices = self.store.value.chosen | self._choices
            self.values = self._merge_values()
            self.apply_language()

    def apply_language(self) -> None:
        """Set the language of the whole program, in all threads, to the preferred one."""
        set_language(self.values.language)

    def _merge_values(self) -> PreferenceValues:
        known = {name: value for name, value in self._choices.items() if name in PreferenceValues.model_fields}
        valid = validate_partly(PreferenceValues.model_validate, known)
        if valid.faults:
            names = ", ".join(str(fault["loc"][0]) for fault in valid.faults)
            self.problem = _("Some preferences are no longer valid and are ignored: {names}", names=names)
        return self._file_values.model_copy(update=valid.document)


def format_language_label() -> str:
    """Return the word for languages in the current one and in English, for people who cannot read the current one.

    >>> format_language_label()
    'Language'
    """
    word = N_("Language")
    return " · ".join(dict.fromkeys((_(word), word)))


def open_language_menu(now: str, choose: Callable[[str], Step], back: LazyStep) -> ListMenu:
    """Open the menu of the languages, each by its own name.

    Args:
        now: code of the language in force, a key of `LANGUAGES`; its line is selected.
        choose: sets the language of a code, and returns the next dialog.
        back: step of NO; None: it closes the menu.

    Raises:
        ValueError: `now` is not the code of a language.
    """
    items = [(name, partial(choose, code)) for code, name in LANGUAGES.items()]
    return open_numbered_menu(format_language_label(), items, list(LANGUAGES).index(now), back)


def open_preferences_menu(preferences: Preferences, choose: Callable[[str, Any], Step], selected: int) -> ListMenu:
    """Open the menu of all preferences but the language, each one press away, and of the set-up wizard.

    Args:
        preferences: the preferences in force; the menu shows their values and changes nothing itself.
        choose: sets the preference of this name to a value, and returns the next dialog.
        selected: index of the line that is selected at first, from 0, see `MENU_LINES`.
    """
    now = preferences.values
    reopen = partial(open_preferences_menu, preferences, choose)

    def switch(name: str) -> LazyStep:
        return partial(choose, name, not getattr(now, name))

    items: list[tuple[str, LazyStep]] = [
        (
            _("Colours: {palette}", palette=_(PALETTES[now.palette])),
            partial(choose, "palette", next_value(now.palette, tuple(PALETTES))),
        ),
        (
            _("Picture turned by {n}°", n=now.turned),
            partial(choose, "turned", next_value(now.turned, ROTATIONS_DEG)),
        ),
        (_("Soft keys on the left: {yes}", yes=_format_yes_no(now.mirrored)), switch("mirrored")),
        (_("Animations: {yes}", yes=_format_yes_no(now.animations)), switch("animations")),
        (_("Seats at the screen's edges: {yes}", yes=_format_yes_no(now.touch_seats)), switch("touch_seats")),
        (
            _("Screen: {size}", size=format_screen_size(now.screen_inches)),
            partial(choose, "screen_inches", next_value(now.screen_inches, SCREEN_INCHES)),
        ),
        (
            _("Read from {n} m", n=now.distance_m),
            partial(choose, "distance_m", next_value(now.distance_m, DISTANCES_M)),
        ),
        (
            _("Sound: {volume}", volume=_format_volume(now.volume)),
            NumberInput(
                _("Sound"),
                now.volume,
                0,
                MAX_VOLUME,
                lambda volume: partial(choose, "volume", volume),
                format_value=_format_volume,
                back=partial(reopen, MENU_LINES.index("volume")),
            ),
        ),
        (
            _("Voice: {level}", level=_(SPEECH_LEVELS[now.speech])),
            partial(choose, "speech", next_value(now.speech, tuple(SPEECH_LEVELS))),
        ),
        (
            _("Corrections teach the camera: {yes}", yes=_format_yes_no(now.corrections_teach)),
            switch("corrections_teach"),
        ),
        (_("The table waits for OK: {yes}", yes=_format_yes_no(now.waits_for_ok)), switch("waits_for_ok")),
        (_("Teach the buttons of a gamepad"), Command(CommandName.TEACH)),
        (_("Teach the camera your dice"), Command(CommandName.TEACH_DICE)),
        (_("Set up step by step"), Command(CommandName.SET_UP)),
    ]
    return open_numbered_menu(_("This device"), items, selected)


MENU_LINES = (
    *("palette", "turned", "mirrored", "animations", "touch_seats", "screen_inches", "distance_m"),
    *("volume", "speech", "corrections_teach", "waits_for_ok"),
)
"""Names of the preferences in the order of the menu's lines."""


def next_value(current: Value, values: Sequence[Value]) -> Value:
    """Return the value after the first `current` in `values`; after the last one the first.

    Args:
        current: one of `values`.
        values: the values in their order.

    Raises:
        ValueError: `current` is not one of `values`.
    """
    return values[(values.index(current) + 1) % len(values)]


def format_screen_size(inches: int) -> str:
    """Return the size of a screen in words.

    Args:
        inches: one of `SCREEN_INCHES`.
    """
    return "TV" if inches == SCREEN_INCHES[-1] else _("{n} inches", n=inches)


def _format_volume(volume: Number) -> str:
    return _("{n} of {most}", n=volume, most=MAX_VOLUME) if volume else _("off")


def _format_yes_no(value: bool) -> str:
    return _("yes") if value else _("no")
