"""Scenes: one for each place of the evening, one for each game. A game brings its own, a `GameScene` (group
`companion.scenes`)."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from typing import Any, Protocol

from companion.display.scenes.base import GameScene
from companion.display.scenes.first_player_draw import FirstPlayerDrawScene
from companion.display.scenes.history import HistoryScene
from companion.display.scenes.lobby import LobbyScene
from companion.display.scenes.result import ResultScene
from companion.display.scenes.setup_wizard import SetupWizardScene
from companion.display.scenes.text_lines import TextLinesScene
from companion.display.toolkit.canvas import Canvas
from companion.screen_state import ScreenKind, ScreenState

SCENE_ENTRY_POINT_GROUP = "companion.scenes"


class Scene(Protocol):
    """Draws one state of the screen, part by part."""

    def draw(self, canvas: Canvas, state: ScreenState) -> None:
        """Draws `shown`; what is unchanged since the last frame is left alone."""
        ...


@cache
def load_game_scene(game: str) -> GameScene[Any]:
    """The game's own scene; a game without one has its lines written out."""
    found = tuple(entry_points(group=SCENE_ENTRY_POINT_GROUP, name=game))
    own: GameScene[Any] = found[0].load()() if found else TextLinesScene()
    return own


class SceneSelector:
    """The scenes, each made when it is first needed."""

    def __init__(self) -> None:
        self._results: dict[str, Scene] = {}
        self._by_kind: dict[ScreenKind, Scene] = {
            ScreenKind.LOBBY: LobbyScene(),
            ScreenKind.FIRST: FirstPlayerDrawScene(),
            ScreenKind.SETUP: SetupWizardScene(),
            ScreenKind.HISTORY: HistoryScene(),
            ScreenKind.RESUME: TextLinesScene(),
            ScreenKind.WAITING: TextLinesScene(),
        }

    def select(self, state: ScreenState) -> Scene:
        """The scene that draws `shown`."""
        if state.kind in self._by_kind:
            return self._by_kind[state.kind]
        own = load_game_scene(state.game_name)
        if state.kind is ScreenKind.RESULT:
            return self._results.setdefault(state.game_name, ResultScene(own))
        return own
