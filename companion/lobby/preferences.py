"""The box itself as people like it: language, colours, which way up, sound. The settings file's, and over them what was
chosen by buttons; kept beside the journal.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from companion import i18n
from companion.config.json_store import Kept
from companion.config.settings import Settings
from companion.i18n import LANGUAGES, N_, Words
from companion.lobby.dialogs import Amount, Change, Dialog, Listing, Step

Value = TypeVar("Value")
_ = Words("companion")
FILE = "box.json"
LOUDEST = 10

PALETTES = {"dark": N_("dark"), "light": N_("light"), "contrast": N_("high contrast")}
"""By their names in the settings."""
TURNS = (0, 90, 180, 270)
LANGUAGE = "Language · Lingua · Sprache"
"""Not translated: it is looked for by people who do not read the language that stands there."""


class Choices(BaseModel):
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
    volume: Annotated[int, Field(ge=0, le=LOUDEST)] = 7
    """0: silent."""
    spoken: bool = False
    """Announcements are spoken as well, where espeak-ng is installed."""


def usual(settings: Settings) -> Choices:
    """What the settings file says."""
    display = settings.display
    return Choices(
        language=settings.words.language,
        palette=display.palette,
        turned=display.turned,
        mirrored=display.mirrored,
        motion=display.motion,
        touch_seats=display.touch_seats,
        volume=settings.sound.volume,
        spoken=settings.sound.spoken,
    )


class _Chosen(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    chosen: dict[str, Any] = Field(default_factory=dict)
    set_up: bool = False
    """The guided set-up was done, or skipped."""


class Box:
    """The choices in force. The language is spoken from now on, here and whenever it is changed.

    Args:
        usual: what the settings file says.
        folder: where choices are kept; None: they hold for tonight.
    """

    def __init__(self, usual: Choices | None = None, folder: Path | None = None) -> None:
        self._usual = usual or Choices()
        self._kept = Kept(
            folder / FILE if folder else None,
            _Chosen,
            N_("What was chosen for this box cannot be read and does not count; the file is {where}"),
        )
        self.trouble = self._kept.trouble
        """What is wrong with the kept choices, in one line; None: nothing."""
        self.choices = self._usual
        """In force now."""
        self._take()

    @property
    def set_up(self) -> bool:
        """Whether the guided set-up was done, or skipped."""
        return self._kept.value.set_up

    def done(self) -> str | None:
        """The guided set-up was done, or skipped. None, or why that cannot be kept."""
        return self._kept.put(self._kept.value.model_copy(update={"set_up": True}))

    def change(self, name: str, value: Any) -> str | None:
        """Choose something. None, or why it holds for tonight only.

        Raises:
            ValueError: it cannot be chosen.
        """
        Choices.model_validate(self.choices.model_dump() | {name: value})
        kept = self._kept.value
        trouble = self._kept.put(kept.model_copy(update={"chosen": kept.chosen | {name: value}}))
        self._take()
        return trouble

    def as_usual(self) -> None:
        """Forget for now what was chosen since the start: the next guests find the box as the settings have it."""
        self._kept.value = self._kept.value.model_copy(update={"chosen": {}})
        self._take()

    def _take(self) -> None:
        known = {k: v for k, v in self._kept.value.chosen.items() if k in Choices.model_fields}
        try:
            self.choices = Choices.model_validate(self._usual.model_dump() | known)
        except ValueError:
            self.choices = self._usual
            self.trouble = _("Some choices for this box no longer fit and do not count: look at them again")
        i18n.speak(self.choices.language)


def menu(box: Box, selected: int = 0) -> Dialog:
    """All that may be chosen, each a press away."""
    now = box.choices
    lines: list[tuple[str, Step]] = [
        (f"{LANGUAGE}: {LANGUAGES[now.language]}", languages(now.language)),
        (
            _("Colours: {palette}", palette=_(PALETTES[now.palette])),
            _chosen("palette", following(now.palette, tuple(PALETTES))),
        ),
        (_("Picture turned by {n}°", n=now.turned), _chosen("turned", following(now.turned, TURNS))),
        (_("Keys for the left hand: {yes}", yes=_yes(now.mirrored)), _chosen("mirrored", not now.mirrored)),
        (_("Movement on the screen: {yes}", yes=_yes(now.motion)), _chosen("motion", not now.motion)),
        (
            _("Seats at the screen's edges: {yes}", yes=_yes(now.touch_seats)),
            _chosen("touch_seats", not now.touch_seats),
        ),
        (_("Sound: {volume}", volume=_loud(now.volume)), _volume(now.volume)),
        (_("Spoken announcements: {yes}", yes=_yes(now.spoken)), _chosen("spoken", not now.spoken)),
        (_("Set up step by step"), Change("set up")),
    ]
    return Listing(_("This box"), tuple(lines), selected)


LINES = ("language", "palette", "turned", "mirrored", "motion", "touch_seats", "volume", "spoken")
"""Which choice stands in which line of the menu."""


def following(now: Value, values: Sequence[Value]) -> Value:
    """The value after `now`; after the last one the first."""
    return values[(values.index(now) + 1) % len(values)]


def languages(now: str) -> Dialog:
    """Which language?"""
    items = tuple((name, _chosen("language", code)) for code, name in LANGUAGES.items())
    return Listing(LANGUAGE, items, list(LANGUAGES).index(now), Change("box"))


def _volume(now: int) -> Step:
    return Amount(
        _("Sound"),
        now,
        0,
        LOUDEST,
        1,
        lambda number: _loud(int(number)),
        lambda number: _chosen("volume", int(number)),
        Change("box", LINES.index("volume")),
    )


def _loud(volume: int) -> str:
    return _("{n} of {most}", n=volume, most=LOUDEST) if volume else _("off")


def _yes(value: bool) -> str:
    return _("yes") if value else _("no")


def _chosen(name: str, value: Any) -> Change:
    return Change("box choice", (name, value))
