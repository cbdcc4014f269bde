"""The draw for the first player: a light goes around the players and stays on one; beside it, what to lay out."""

from collections.abc import Sequence
from functools import partial

from pygame import Rect

from companion.display.scenes.base import draw_frame
from companion.display.toolkit import (
    BACKGROUND,
    BUTTON_COLOURS,
    INK,
    LINE,
    MUTED,
    PANEL,
    RAISED,
    TEXT_EM,
    TITLE_EM,
    Canvas,
    Typeface,
    lay_out_screen,
    split_left,
    split_rows,
    split_top,
)
from companion.i18n import Translator
from companion.screen_state import Player, ScreenState

_ = Translator("companion")

TEXT_SIZES = (5.0, 4.5, 4.0, TEXT_EM)
"""Font sizes for the preparation in units, tried in turn until it fits."""
LINE_PITCH_EM = 1.2
"""Distance of two baselines of the preparation, in em."""
PORTRAIT_ROW_HEIGHT = 14.0
"""Height of a player in portrait, in units."""


def draw_first_player_draw(canvas: Canvas, state: ScreenState) -> None:
    """Draw the players, one of them lit, and beside them what to lay out.

    What is unchanged since the last frame is not painted again. Call it within `Canvas.frame`.

    Args:
        canvas: Where it is drawn.
        state: What is shown; its view has `lit_seat` (the seat that is lit) and
            `is_settled` (whether the draw has ended there).

    Raises:
        AttributeError: The view has neither of them.
        IndexError: The addressed seat, or the settled one, has no player.
        pygame.error: The screen is too small, so that a part would have a negative size.
    """
    light = state.view
    layout = lay_out_screen(canvas)
    draw_frame(canvas, layout, state, light.lit_seat if light.is_settled else None)
    players, preparation = _split_area(canvas, layout.body, state)
    rows = split_rows(players, len(state.players), canvas.px(0.8), canvas.px(20))
    for player, row in zip(state.players, rows, strict=True):
        is_lit = player.seat == light.lit_seat
        paint = partial(_draw_player, canvas, row, player, is_lit=is_lit, is_settled=light.is_settled)
        canvas.draw_region(f"player {player.seat}", row, (player, is_lit, light.is_settled), paint)
    if state.details:
        paint = partial(_draw_preparation, canvas, preparation, state.details)
        canvas.draw_region("main", preparation, state.details, paint)


def _split_area(canvas: Canvas, area: Rect, state: ScreenState) -> tuple[Rect, Rect]:
    """Return the places of players and preparation: side by side, or in portrait one under the other."""
    gap = canvas.px(2)
    if not state.details:
        return area, Rect(0, 0, 0, 0)
    if canvas.is_portrait:
        return split_top(area, min(area.h * 55 // 100, canvas.px(PORTRAIT_ROW_HEIGHT) * len(state.players)), gap)
    return split_left(area, area.w * 46 // 100, gap)


def _draw_player(canvas: Canvas, row: Rect, player: Player, *, is_lit: bool, is_settled: bool) -> None:
    colour = BUTTON_COLOURS[player.button]
    is_first = is_lit and is_settled
    canvas.draw_panel(row, colour if is_first else RAISED if is_lit else PANEL, edge=colour if is_lit else None)
    size = min(canvas.px(12), row.h - canvas.px(2.4))
    centre = (row.left + canvas.px(2.6) + size // 2, row.centery)
    canvas.draw_badge(player.button, centre, size, BACKGROUND if is_first else None)
    name = split_left(row, centre[0] + size // 2 - row.left, canvas.px(2.4))[1]
    right = row.right - canvas.px(2)
    if player.piece_colour:
        small = min(canvas.px(6), row.h - canvas.px(2))
        canvas.draw_piece(player.piece_colour, (right - small // 2, row.centery), small)
        right -= small + canvas.px(1.5)
    name.w = right - name.left
    ink = BACKGROUND if is_first else INK if is_lit else MUTED
    name_size = min(TITLE_EM + 1, row.h / canvas.unit_px * 0.8)
    canvas.draw_text(name, player.name, name_size, ink, face=Typeface.DISPLAY)


def _draw_preparation(canvas: Canvas, rect: Rect, lines: Sequence[str]) -> None:
    """Draw what to lay out, in the largest size at which all fits."""
    heading, body = split_top(canvas.draw_panel(rect, PANEL, padding=(4, 3)), canvas.px(8))
    canvas.draw_text(heading, _("Set up"), TEXT_EM, INK, face=Typeface.DISPLAY)
    canvas.fill_rect(LINE, split_top(body, canvas.px(0.3))[0])
    body = split_top(body, 0, canvas.px(1))[1]
    for size in TEXT_SIZES:
        em_px = canvas.px_at_least(size)
        counts = [len(canvas.fonts.fit_text(line, Typeface.TEXT, (em_px,), body.size, 4).lines) for line in lines]
        gap, pitch = canvas.px(size * 0.35), canvas.px(size * LINE_PITCH_EM)
        if sum(counts) * pitch + gap * (len(lines) - 1) <= body.h:
            break
    top = body.top
    for line, count in zip(lines, counts, strict=True):
        place = Rect(body.left, top, body.w, count * pitch)
        canvas.draw_text(place, line, size, INK, max_lines=4, vertical_align=0.0)
        top = place.bottom + gap
