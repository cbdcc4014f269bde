"""What a game's own scene is: it draws the game, and says what its view means to ears and to what flies."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Generic, NamedTuple, TypeVar

from companion.display.highlights import ROUND_TEXTS
from companion.display.sound_effects import SoundEffect
from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.theme import WARN, Colour
from companion.screen_state import ScreenState

View = TypeVar("View")
"""What the game shows: its `Game.view()`."""


class Movement(NamedTuple):
    """Something goes from one place of the picture to another; the places by the names of their anchors."""

    icon: str
    colour: Colour
    start: str
    end: str


class GameScene(ABC, Generic[View]):
    """A game's scene. Only `draw` must be there: a game that says no more is silent about it, and nothing flies."""

    HIGHLIGHT_TEXTS = ROUND_TEXTS
    """How the best moments are told when the game is over."""
    POINTS_ICON: tuple[str, Colour] = ("sparkle", WARN)
    """What the game's points are on the table, by sign and colour."""

    @abstractmethod
    def draw(self, canvas: Canvas, state: ScreenState) -> None:
        """Draws `shown`; what is unchanged since the last frame is left alone."""

    def current_round(self, view: View) -> int:
        """The round that is played, from 1; 0: the game has none."""
        return 0

    def is_simultaneous(self, view: View) -> bool:
        """Whether all play at once now, against the clock."""
        return False

    def choose_sound(self, before: View, after: View) -> SoundEffect | None:
        """The sound of a change that only this game knows; None: it is none of these."""
        return None

    def find_movements(self, before: View, after: View) -> Iterator[Movement]:
        """What changes hands on the table, but for points, when the view goes from one state to the next."""
        yield from ()
