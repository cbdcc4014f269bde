"""Text lines: for an interrupted game, for something that is missing, and for games without a scene."""

from collections.abc import Sequence
from typing import Any

from companion.display.scenes.base import GameScene
from companion.display.scenes.scene_frame import draw_frame
from companion.display.toolkit import (
    BIG_EM,
    INK,
    LINE,
    Canvas,
    Colour,
    Rect,
    ScreenLayout,
    Typeface,
    lay_out_screen,
    split_bottom,
    split_right,
    split_rows,
    split_top,
)
from companion.display.widgets import (
    TITLE_COLUMN_WIDTH,
    ScoreCard,
    draw_score_cards,
    draw_sentence,
    draw_title_column,
    split_score_cards,
)
from companion.screen_state import ScreenKind, ScreenState

TITLE_HEIGHT = 17.0
"""Height of the title of an interrupted game, in units."""
FOOT_HEIGHT = 10.0
"""Height of the last move under the scores of an interrupted game, in units."""
SIGN_SIZE = 32.0
"""Size of the sign where something is missing, in units."""
LINE_HEIGHT = 14.0
"""Height of a line at most, in units: a title, or two lines of text."""


class TextLinesScene(GameScene[Any]):
    """A scene that draws the state's details as lines; beside them the players, if there are any.

    >>> TextLinesScene().list_changes(view=None)
    ()

    For games without a scene of their own, and for a device that waits for something.
    """

    def draw_game(self, canvas: Canvas, layout: ScreenLayout, state: ScreenState, view: Any) -> None:
        """Draw the details as lines (or the prompt, if there are none), or the dialog that is open."""
        rect = layout.stage
        canvas.draw_region("main", rect, (state.kind, state.details), lambda: _draw_lines(canvas, rect, state))

    def list_changes(self, view: Any) -> Sequence[int]:
        """Return an empty tuple: nothing is known of the view."""
        return ()

    def current_round(self, view: Any) -> int:
        """Return 0: nothing is known of rounds."""
        return 0


def draw_interrupted_game(canvas: Canvas, state: ScreenState, accent: Colour = LINE) -> None:
    """Draw the question whether an interrupted game goes on.

    Only regions that changed since the last frame are painted again. Call it within `Canvas.frame`.

    Args:
        state: what is shown; its details are the lines about the game. With players their scores are cards.
        accent: the game's colour: floods the ground.
    """
    layout = lay_out_screen(canvas)
    draw_frame(canvas, layout, state, ground=accent)
    if not state.players:
        rect = layout.body
        canvas.draw_region("main", rect, (state.title, state.details), lambda: _draw_lines(canvas, rect, state))
        return
    foot, body = split_bottom(layout.body, canvas.px(FOOT_HEIGHT), canvas.px(1))
    if canvas.is_portrait:
        title, cards = split_top(body, canvas.px(TITLE_HEIGHT), canvas.px(2))
    else:
        title, cards = split_right(body, canvas.px(TITLE_COLUMN_WIDTH), canvas.px(3))
    canvas.draw_region(
        "main",
        title,
        (state.title, state.game_name),
        lambda: draw_title_column(canvas, title, state.game_name, state.title),
    )
    places = split_score_cards(canvas, cards, len(state.players), is_low=canvas.is_portrait)
    scores = zip(state.players, state.scores, strict=True)
    draw_score_cards(canvas, cards, places, [ScoreCard((player,), score) for player, score in scores], BIG_EM)
    text = " ".join(state.details)
    canvas.draw_region("side", foot, text, lambda: draw_sentence(canvas, foot, text))


def _draw_lines(canvas: Canvas, rect: Rect, state: ScreenState) -> None:
    """Draw the lines in the middle: of an interrupted game under its title, else beside a sign."""
    lines = state.details or (state.prompt,)
    if state.kind is ScreenKind.RESUME:
        title, rect = split_top(rect, canvas.px(TITLE_HEIGHT), canvas.px(2))
        canvas.draw_text(title, state.title, BIG_EM, INK, face=Typeface.DISPLAY, align=0.5)
    elif state.kind is ScreenKind.WAITING and not canvas.is_portrait:
        size = min(canvas.px(SIGN_SIZE), rect.w // 4)
        rect = canvas.draw_icon_left(rect, "bang", size, INK, margin=2, gap=4)
    align = 0.5 if state.kind is ScreenKind.RESUME else 0.0
    height = canvas.px(LINE_HEIGHT)
    rows = split_rows(rect, len(lines), canvas.px(1), height)
    shift = (rect.bottom - rows[-1].bottom) // 2
    for line, row in zip(lines, rows, strict=True):
        place = row.move(0, shift)
        if len(lines) == 1 and state.kind is not ScreenKind.RESUME:
            canvas.draw_text(rect, line, BIG_EM, INK, face=Typeface.DISPLAY, max_lines=3, align=align)
        else:
            draw_sentence(canvas, place, line, align=align)
