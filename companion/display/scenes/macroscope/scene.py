"""The Macroscope's scene: its centre for every phase of a turn."""

from pygame import Rect

from companion.display.scenes.base import GameScene
from companion.display.scenes.macroscope.lid import (
    COVER_STEPS,
    RENEWAL_STEPS,
    VOID_ROUND_STEPS,
    draw_instructions,
    draw_lid,
    lid_content,
)
from companion.display.scenes.macroscope.table import draw_dice, draw_guess_order, draw_guessers, draw_takeable
from companion.display.toolkit import (
    HUGE_EM,
    INK,
    MUTED,
    PANEL,
    PIECE_RGB,
    TEXT_EM,
    WARN,
    Canvas,
    ScreenLayout,
    Typeface,
    split_bottom,
    split_left,
    split_top,
)
from companion.display.widgets import (
    clock_content,
    draw_clock,
    find_clock,
)
from companion.games.api.game import Seat
from companion.games.macroscope.state import MacroscopeState, Phase
from companion.i18n import Translator
from companion.screen_state import ScreenState

_ = Translator("macroscope")

COLUMN_WIDTH = 22.0
"""Least width of the column beside the lid, in units."""
TAKEABLE_HEIGHT = 17.4
"""Height of the tokens that can be taken, in units."""
LID_ASPECT_RATIO = 4 / 3
"""Ratio of width to height of the lid."""


class MacroscopeScene(GameScene[MacroscopeState]):
    """The scene of The Macroscope: the game in the middle; value of a guess, clock and camera's picture at the
    right.
    """

    POINTS_ICON = ("gem", PIECE_RGB["blue"])

    def draw_game(self, canvas: Canvas, layout: ScreenLayout, state: ScreenState, view: MacroscopeState) -> None:
        """Draw the phase of the game, the open dialog, or the enlarged picture; beside it value, clock and camera.

        Args:
            canvas: Where it is drawn.
            layout: Places of the screen, in pixels.
            state: What is shown around the game: players, scores, clocks, dialogs.
            view: What is shown of the game: the same as `state.view`.

        Raises:
            IndexError: A seat in the view has no player in the state.
            pygame.error: The screen is too small, so that a part would have a negative size.
        """
        rect, side = split_left(layout.stage, layout.stage.w * 3 // 4, canvas.px(2))
        content = (view, state.players, state.entered_numbers, lid_content(state.camera_view))
        canvas.draw_region("main", rect, content, lambda: _draw_main(canvas, rect, state, view))
        _draw_side(canvas, side, state, view)

    def find_active_seat(self, view: MacroscopeState) -> Seat:
        """Return the seat of the player whose turn it is.

        Args:
            view: What is shown of the game.
        """
        return view.active_seat

    def count_rounds(self, view: MacroscopeState) -> int:
        """Return the number of rounds of a game, at least 1.

        Args:
            view: What is shown of the game.
        """
        return view.settings.rounds


def _draw_main(canvas: Canvas, rect: Rect, state: ScreenState, view: MacroscopeState) -> None:
    match view.phase:
        case Phase.COVER:
            draw_instructions(canvas, rect, COVER_STEPS if view.guessers else VOID_ROUND_STEPS)
        case Phase.ROLL | Phase.OPEN if view.may_renew and view.is_deck_empty and not state.entered_numbers:
            draw_instructions(canvas, rect, RENEWAL_STEPS)
        case Phase.REVEAL | Phase.OVER:
            draw_guessers(canvas, rect, view, state.players)
        case _:
            # The column has the room that the lid leaves: in portrait that is more.
            gap = canvas.px(2)
            width = max(canvas.px(COLUMN_WIDTH), rect.w - round(rect.h * LID_ASPECT_RATIO) - gap)
            column, lid = split_left(rect, min(width, rect.w // 2), gap)
            _draw_column(canvas, column, state, view)
            draw_lid(canvas, lid, view, state.camera_view)


def _draw_side(canvas: Canvas, rect: Rect, state: ScreenState, view: MacroscopeState) -> None:
    """Draw the value of a guess, and the clock that runs."""
    clock = find_clock(state)
    hint = _("Renew the deck") if view.is_deck_empty else _("Bank runs low") if view.is_supply_exceeded else ""
    content = (view.guess_value, view.frozen_value is not None, view.covered_windows, hint, clock_content(clock))

    def paint() -> None:
        value = rect
        if clock is not None:
            value, below = split_top(rect, rect.h * 54 // 100, canvas.px(1))
            draw_clock(canvas, below, clock)
        _draw_guess_value(canvas, value, view, hint)

    canvas.draw_region("side", rect, content, paint)


def _draw_column(canvas: Canvas, rect: Rect, state: ScreenState, view: MacroscopeState) -> None:
    """Draw the column beside the lid: the dice and what they allow, or the order of the guessers."""
    if view.phase is Phase.ROLL:
        draw_dice(canvas, rect, state.entered_numbers, ())
    elif view.phase is Phase.OPEN:
        dice = rect
        if view.takeable_tokens:
            takeable, dice = split_bottom(rect, canvas.px(TAKEABLE_HEIGHT), canvas.px(2))
            draw_takeable(canvas, takeable, view)
        if view.dice:
            draw_dice(canvas, dice, view.dice, view.used_dice)
    else:
        draw_guess_order(canvas, rect, view, state.players)


def _draw_guess_value(canvas: Canvas, rect: Rect, view: MacroscopeState, hint: str) -> None:
    inner = canvas.draw_panel(rect, PANEL, padding=(3, 2))
    height, gap = canvas.px(5), canvas.px(0.8)
    label, value = split_top(inner, height, gap)
    canvas.draw_text(label, _("You win or lose"), TEXT_EM, MUTED, align=0.5)
    if rect.h >= canvas.px(22):
        foot, value = split_bottom(value, height, gap)
        note = hint or (_("Value locked") if view.frozen_value is not None else _("Windows covered"))
        canvas.draw_text(foot, note, TEXT_EM, WARN if hint else MUTED, align=0.5)
    canvas.draw_text(value, str(view.guess_value), HUGE_EM, INK, face=Typeface.DISPLAY, align=0.5)
