"""The view models of the lobby's own pages: `ScreenState.view` on the screens HISTORY, SETUP, TEACHING, DICE_TEACHING.

The lobby fills them in; the display and the voice read them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion.events import Button


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """A row of a history page: its label, the cells under the table's headings, and a second line."""

    label: str
    cells: tuple[str, ...] = ()
    detail: str = ""
    is_leader: bool = False
    """Won at least one game, and nobody in the table won more."""


@dataclass(frozen=True, slots=True)
class HistoryTable:
    """The table of a history page: `ScreenState.view` on the screen HISTORY."""

    headings: tuple[str, ...]
    """Headings over the cells, translated."""
    rows: tuple[HistoryRow, ...]
    selected: int = 0
    """Index of the selected row, from 0."""
    label_heading: str = ""
    """Heading over the labels of the rows."""
    note: str = ""
    """What stands in the place of rows if there are none, translated."""
    progress: float | None = None
    """Share of the games that have been read, 0 to 1; None: all have."""


class WizardPage(StrEnum):
    """The pages of the set-up wizard, in their order."""

    LANGUAGE = "language"
    SCREEN = "screen"
    PICTURE = "picture"
    BUTTONS = "buttons"
    CAMERA = "camera"


@dataclass(frozen=True, slots=True)
class WizardView:
    """A page of the set-up wizard: `ScreenState.view` on the screen SETUP."""

    page: WizardPage
    language: int = 0
    """Number of the current language among those that can be chosen, from 1; 0: not asked."""
    screen: int = 0
    """Number of the size of the screen among those that can be chosen, from 1; 0: not asked."""
    tried_buttons: frozenset[Button] = frozenset()
    """Seat buttons that have been pressed on the page BUTTONS."""


@dataclass(frozen=True, slots=True)
class TeachingView:
    """The teaching of a controller's buttons: `ScreenState.view` on the screen TEACHING."""

    wanted: Button
    """The button that is asked for."""
    learned: frozenset[Button] = frozenset()
    """Those that were taught already."""


@dataclass(frozen=True, slots=True)
class DiceTeachingView:
    """The teaching of the box's own dice: `ScreenState.view` on the screen DICE_TEACHING."""

    wanted: int
    """The value, 1 to 6, that the dice shall show."""
    learned: frozenset[int] = frozenset()
    """Those that were learned already."""
