"""Scenes: one for each place of the evening, one for each game. A game brings its own, a `GameScene` (group
`companion.scenes`)."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from typing import Any, Protocol

from companion.display.scenes.base import GameScene
from companion.display.scenes.first_player_draw import FirstScene
from companion.display.scenes.history import HistoryScene
from companion.display.scenes.lobby import LobbyScene
from companion.display.scenes.result import ResultScene
from companion.display.scenes.setup_wizard import SetUpScene
from companion.display.scenes.text_lines import LinesScene
from companion.display.toolkit.canvas import Canvas
from companion.screen_state import Place, Shown

GROUP = "companion.scenes"


class Scene(Protocol):
    """Draws one state of the screen, part by part."""

    def draw(self, canvas: Canvas, shown: Shown) -> None:
        """Draws `shown`; what is unchanged since the last frame is left alone."""
        ...


@cache
def scene_of(game: str) -> GameScene[Any]:
    """The game's own scene; a game without one has its lines written out."""
    found = tuple(entry_points(group=GROUP, name=game))
    own: GameScene[Any] = found[0].load()() if found else LinesScene()
    return own


class Scenes:
    """The scenes, each made when it is first needed."""

    def __init__(self) -> None:
        self._results: dict[str, Scene] = {}
        self._places: dict[Place, Scene] = {
            Place.LOBBY: LobbyScene(),
            Place.FIRST: FirstScene(),
            Place.SETUP: SetUpScene(),
            Place.HISTORY: HistoryScene(),
            Place.RESUME: LinesScene(),
            Place.WAITING: LinesScene(),
        }

    def of(self, shown: Shown) -> Scene:
        """The scene that draws `shown`."""
        if shown.place in self._places:
            return self._places[shown.place]
        own = scene_of(shown.game)
        if shown.place is Place.RESULT:
            return self._results.setdefault(shown.game, ResultScene(own))
        return own
