"""Scenes that are the same in all games; a game's own is loaded from its folder.

A game's scene is a `GameScene`, which its definition names.
"""

from collections.abc import Callable
from functools import cache
from pkgutil import resolve_name
from typing import Any

from companion.api import registry
from companion.display.scenes.base import GameScene
from companion.display.scenes.first_player_draw import draw_first_player_draw
from companion.display.scenes.help import draw_help
from companion.display.scenes.history import draw_history
from companion.display.scenes.lobby import draw_lobby
from companion.display.scenes.result import draw_result_screen
from companion.display.scenes.setup_wizard import draw_setup_wizard
from companion.display.scenes.teaching import draw_button_teaching, draw_dice_teaching
from companion.display.scenes.text_lines import TextLinesScene, draw_interrupted_game
from companion.display.toolkit import Canvas, Colour
from companion.log import log
from companion.screen_state import ScreenKind, ScreenState

DRAW_BY_KIND: dict[ScreenKind, Callable[[Canvas, ScreenState], None]] = {
    ScreenKind.SETUP: draw_setup_wizard,
    ScreenKind.TEACHING: draw_button_teaching,
    ScreenKind.DICE_TEACHING: draw_dice_teaching,
    ScreenKind.HISTORY: draw_history,
    ScreenKind.WAITING: TextLinesScene().draw,
}
"""How the screens are drawn that are the same for every game."""
DRAW_IN_ACCENT_BY_KIND: dict[ScreenKind, Callable[[Canvas, ScreenState, Colour], None]] = {
    ScreenKind.LOBBY: draw_lobby,
    ScreenKind.FIRST: draw_first_player_draw,
    ScreenKind.RESUME: draw_interrupted_game,
}
"""How the screens before a game are drawn, each in the game's colour."""


@cache
def load_game_scene(game: str) -> GameScene[Any]:
    """Return the scene of a game; it is loaded once and then shared.

    Args:
        game: the game's name, as in `ScreenState.game_name`.

    Returns:
        The game's scene; `TextLinesScene` for a game without one, and for one whose scene cannot be loaded, which is
        logged as a warning.
    """
    try:
        name = registry.find_game(game).scene
        scene: GameScene[Any] = resolve_name(name)() if name else TextLinesScene()
    except Exception as error:  # noqa: BLE001 - a game from elsewhere may fail in any way: it is drawn in words
        log.warning("The scene of %s cannot be loaded: %s", game, error)
        return TextLinesScene()
    return scene


def draw_scene(canvas: Canvas, state: ScreenState) -> None:
    """Draw a state as its kind of screen asks for, in play and for a result also as the game does.

    Only regions that changed since the last frame are painted again. Call it within `Canvas.frame`.

    Args:
        state: what is shown, with a view that belongs to its kind or its game.

    Raises:
        Exception: errors of drawing are passed on, such as `pygame.error` on a screen that is too small, and
            `IndexError` or `AttributeError` for a view that does not belong to the kind or the game.
    """
    if state.help is not None:
        draw_help(canvas, state, load_game_scene(state.game_name).ACCENT)
    elif state.kind in DRAW_BY_KIND:
        DRAW_BY_KIND[state.kind](canvas, state)
    elif state.kind in DRAW_IN_ACCENT_BY_KIND:
        DRAW_IN_ACCENT_BY_KIND[state.kind](canvas, state, load_game_scene(state.game_name).ACCENT)
    elif state.kind is ScreenKind.RESULT:
        draw_result_screen(canvas, state, load_game_scene(state.game_name))
    else:
        load_game_scene(state.game_name).draw(canvas, state)
