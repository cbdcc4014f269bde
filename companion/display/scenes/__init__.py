"""Scenes: one for each kind of screen, one for each game.

A game's scene is a `GameScene`, registered in the entry-point group `companion.scenes` under the game's name.
"""

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
from companion.display.toolkit import Canvas
from companion.screen_state import ScreenKind, ScreenState

SCENE_ENTRY_POINT_GROUP = "companion.scenes"
"""Entry points of the games' scenes."""


class Scene(Protocol):
    """Draws one state of the screen, region by region."""

    def draw(self, canvas: Canvas, state: ScreenState) -> None:
        """Draw a state; what is unchanged since the last frame is not painted again. Call it within `Canvas.frame`.

        Args:
            canvas: Where it is drawn.
            state: What is shown; of a kind, and with a view, that the scene can draw.
        """
        ...


@cache
def load_game_scene(game: str) -> GameScene[Any]:
    """Return the scene of a game; it is loaded once and then shared.

    Args:
        game: The game's name, as in `ScreenState.game_name`: the name of its entry point.

    Returns:
        The game's scene; `TextLinesScene` for a game without one.

    Raises:
        ImportError: The module of the entry point, or one that it needs, cannot be imported.
        AttributeError: That module has no such class.
        Exception: Any other error of the module's import or of the scene's constructor is passed on.
    """
    found = tuple(entry_points(group=SCENE_ENTRY_POINT_GROUP, name=game))
    scene: GameScene[Any] = found[0].load()() if found else TextLinesScene()
    return scene


class SceneSelector:
    """Holds the scenes; a game's scene is loaded when it is first needed."""

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
        """Return the scene that draws a state: by the kind of screen, in play and for a result also by the game.

        Args:
            state: What is to be shown.

        Raises:
            Exception: The game's scene cannot be loaded; an error of its import (`ImportError`, `AttributeError`) is
                passed on.
        """
        if state.kind in self._by_kind:
            return self._by_kind[state.kind]
        scene = load_game_scene(state.game_name)
        if state.kind is ScreenKind.RESULT:
            return self._results.setdefault(state.game_name, ResultScene(scene))
        return scene
