"""What a game's own scene is: it draws the game, and says what its view means to ears and to what flies."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Generic, NamedTuple, TypeVar

from companion.display.highlights import OF_ROUNDS
from companion.display.sound_effects import Effect
from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.theme import WARN, Colour
from companion.screen_state import Shown

View = TypeVar("View")
"""What the game shows: its `Game.view()`."""


class Way(NamedTuple):
    """Something goes from one place of the picture to another; the places by the names of their anchors."""

    sign: str
    colour: Colour
    start: str
    end: str


class GameScene(ABC, Generic[View]):
    """A game's scene. Only `draw` must be there: a game that says no more is silent about it, and nothing flies."""

    MOMENTS = OF_ROUNDS
    """How the best moments are told when the game is over."""
    POINTS: tuple[str, Colour] = ("sparkle", WARN)
    """What the game's points are on the table, by sign and colour."""

    @abstractmethod
    def draw(self, canvas: Canvas, shown: Shown) -> None:
        """Draws `shown`; what is unchanged since the last frame is left alone."""

    def round(self, view: View) -> int:
        """The round that is played, from 1; 0: the game has none."""
        return 0

    def at_once(self, view: View) -> bool:
        """Whether all play at once now, against the clock."""
        return False

    def effect(self, before: View, after: View) -> Effect | None:
        """The sound of a change that only this game knows; None: it is none of these."""
        return None

    def ways(self, before: View, after: View) -> Iterator[Way]:
        """What changes hands on the table, but for points, when the view goes from one state to the next."""
        yield from ()
