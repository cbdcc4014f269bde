"""Text lines: for an interrupted game, for something that is missing, and for games without a scene."""

from collections.abc import Sequence
from typing import Any

from pygame import Rect

from companion.display.scenes.base import GameScene
from companion.display.toolkit import (
    INK,
    LINE,
    MUTED,
    PANEL,
    TEXT_EM,
    Canvas,
    ScreenLayout,
    split_rows,
)
from companion.screen_state import ScreenKind, ScreenState


class TextLinesScene(GameScene[Any]):
    """A scene that draws the state's details as lines; beside them the players, if there are any.

    For games without a scene of their own, an interrupted game, and a device that waits for something.
    """

    def draw_game(self, canvas: Canvas, layout: ScreenLayout, state: ScreenState, view: Any) -> None:
        """Draw the details as lines (or the prompt, if there are none), or the dialog that is open.

        Args:
            canvas: Where it is drawn.
            layout: Places of the screen, in pixels.
            state: What is shown around the game: players, scores, clocks, dialogs.
            view: What is shown of the game: not used.

        Raises:
            pygame.error: The screen is too small, so that a part would have a negative size.
        """
        rect = layout.stage
        canvas.draw_region("main", rect, (state.kind, state.details), lambda: _draw_lines(canvas, rect, state))

    def has_track(self, state: ScreenState) -> bool:
        """Return False: nothing is known of rounds.

        Args:
            state: Not used.
        """
        return False

    def list_changes(self, view: Any) -> Sequence[int]:
        """Return an empty tuple: nothing is known of the view.

        Args:
            view: Not used.
        """
        return ()

    def current_round(self, view: Any) -> int:
        """Return 0: nothing is known of rounds.

        Args:
            view: Not used.
        """
        return 0


def _draw_lines(canvas: Canvas, rect: Rect, state: ScreenState) -> None:
    inner = canvas.draw_panel(rect, PANEL, radius=2.4, padding=(8, 6))
    icon = "bang" if state.kind is ScreenKind.WAITING else "pointer"
    inner = canvas.draw_icon_left(inner, icon, canvas.px(14), LINE, gap=4)
    lines = state.details or (state.prompt,)
    rows = split_rows(inner, len(lines), canvas.px(1), canvas.px(14))
    shift = (inner.bottom - rows[-1].bottom) // 2
    for i, (line, row) in enumerate(zip(lines, rows, strict=True)):
        canvas.draw_text(row.move(0, shift), line, TEXT_EM, INK if i == 0 else MUTED, max_lines=2)
