"""The draw for the first player: a light goes around the candidates and stays on one; beside them, what to lay out."""

from itertools import product

from companion.display.scenes.scene_frame import draw_frame
from companion.display.toolkit import (
    BACKGROUND,
    BIG_EM,
    BUTTON_COLOURS,
    INK,
    LINE,
    MUTED,
    PANEL,
    TEXT_EM,
    TITLE_EM,
    Canvas,
    Colour,
    Rect,
    Typeface,
    lay_out_screen,
    split_grid,
    split_left,
    split_right,
    split_top,
)
from companion.i18n import _
from companion.screen_state import Player, ScreenState

PLAYER_PERCENT = 44
"""Width of the candidates, in percent of the body; what to lay out has the rest."""
PORTRAIT_PLAYER_HEIGHT = 17.0
"""Height of the candidates in portrait, in units."""
PORTRAIT_COLUMNS = 3
"""Candidates side by side in portrait, above what to lay out."""
ROW_GAP = 0.8
"""Room between two candidates, in units."""
MAX_ROW_HEIGHT = 11.0
"""Height of a candidate's row at most, in units."""
DRAWN_ROW_HEIGHT = 17.0
"""Height of the drawn player's row, in units."""
BADGE_SIZE = 6.0
"""Size of the candidates' shapes, in units."""
PORTRAIT_BADGE_SIZE = 5.2
"""The same in portrait."""
SETTLE_SECONDS = 0.4
"""Seconds in which the drawn player's row grows."""
HEADING_HEIGHT = 9.4
"""Height of the heading over what to lay out, in units."""
NUMBER_WIDTH = 5.6
"""Width of a step's or a key's number, in units."""
STEP_GAP = 1.6
"""Room between two steps, in units."""
GOAL_GAP = 4.0
"""Room between the candidates and what the game is about, in units."""
MAX_GOAL_LINES = 4
"""Lines of that at most."""
MAX_STEP_LINES = 4
"""Lines of a step at most."""


def draw_first_player_draw(canvas: Canvas, state: ScreenState, accent: Colour = LINE) -> None:
    """Draw the candidates with the one who is lit, and beside them what to lay out.

    Only regions that changed since the last frame are painted again. Call it within `Canvas.frame`.

    Args:
        state: what is shown; its view is a `FirstPlayerView`.
        accent: the game's colour: floods the ground until the first player is drawn.

    Raises:
        AttributeError: the view is none.
        IndexError: the addressed seat, or the lit one, has no player.
    """
    light = state.view
    layout = lay_out_screen(canvas)
    lit = state.players[light.lit_seat] if light.lit_seat is not None else None
    drawn = lit if light.is_settled else None
    ground = BUTTON_COLOURS[drawn.button] if drawn else accent
    draw_frame(canvas, layout, state, drawn.seat if drawn else None, ground=ground)
    player_rect, steps_rect = _split_area(canvas, layout.body, state)
    if lit is not None:
        grown = canvas.timeline.progress("drawn", drawn and drawn.seat, SETTLE_SECONDS) if drawn else 0.0
        content = (lit, bool(drawn), grown, state.players, light.goal)
        canvas.draw_region(
            "player", player_rect, content, lambda: _draw_candidates(canvas, player_rect, state, lit, grown)
        )
    steps = tuple(enumerate(state.details, 1))[light.first_step : light.end_step]
    if steps:
        pages = (light.page, light.page_count)
        canvas.draw_region("main", steps_rect, (steps, pages), lambda: _draw_steps(canvas, steps_rect, steps, *pages))


def _split_area(canvas: Canvas, area: Rect, state: ScreenState) -> tuple[Rect, Rect]:
    """Return the places of the candidates and of what to lay out: side by side, or in portrait one under the other."""
    gap = canvas.px(3)
    if state.view.lit_seat is None:
        return Rect(area.topleft, (0, 0)), area
    if not state.details:
        return area, Rect(area.bottomleft, (0, 0))
    if canvas.is_portrait:
        return split_top(area, canvas.px(PORTRAIT_PLAYER_HEIGHT), canvas.px(1))
    return split_left(area, area.w * PLAYER_PERCENT // 100, gap)


def _place_rows(canvas: Canvas, rect: Rect, count: int, lit: int, grown: float) -> list[Rect]:
    """Return a row for each candidate; that of the drawn one grows, and the others make room."""
    gap = canvas.px(ROW_GAP)
    room = rect.h - gap * (count - 1)
    equal = min(canvas.px(MAX_ROW_HEIGHT), room // count)
    high = equal + round((min(room, canvas.px(DRAWN_ROW_HEIGHT)) - equal) * grown)
    low = min(equal, (room - high) // max(1, count - 1))
    rows, below = [], rect
    for i in range(count):
        row, below = split_top(below, high if i == lit else low, gap)
        rows.append(row)
    return rows


def _draw_candidates(canvas: Canvas, rect: Rect, state: ScreenState, lit: Player, grown: float) -> None:
    """Draw all candidates by name, the lit one in colour; the drawn one alone where steps stand below in portrait."""
    is_drawn, count = state.view.is_settled, len(state.players)
    if canvas.is_portrait and state.details:
        if is_drawn:
            _draw_candidate(canvas, rect, lit, BIG_EM, is_lit=True, is_drawn=True)
            return
        rows = split_grid(rect, PORTRAIT_COLUMNS, -(-count // PORTRAIT_COLUMNS), canvas.px(ROW_GAP))
        lowest = rows[0]
    else:
        rows = _place_rows(canvas, rect, count, lit.seat, grown)
        # The size that fits once the drawn row has grown: names do not jump.
        grown_rows = _place_rows(canvas, rect, count, lit.seat, 1.0)
        lowest = min(grown_rows, key=lambda row: row.h)
        _draw_goal(canvas, split_top(rect, grown_rows[-1].bottom - rect.top, canvas.px(GOAL_GAP))[1], state.view.goal)
    beside_name = PORTRAIT_BADGE_SIZE + 1.5 if canvas.is_portrait else BADGE_SIZE + NUMBER_WIDTH + 4
    room = (lowest.w - canvas.px(beside_name), lowest.h)
    em = canvas.find_common_size([player.name for player in state.players], TITLE_EM, room, Typeface.DISPLAY)
    for player, row in zip(state.players, rows, strict=False):
        is_lit = player.seat == lit.seat
        name_em = BIG_EM if is_lit and is_drawn else em
        _draw_candidate(canvas, row, player, name_em, is_lit=is_lit, is_drawn=is_lit and is_drawn)


def _draw_goal(canvas: Canvas, rect: Rect, goal: str) -> None:
    """Draw what the game is about below the candidates, in the largest size that fits; nothing if none does."""
    for em in (TITLE_EM, TEXT_EM):
        em_px = canvas.list_sizes_px(em)[0]
        for lines in range(1, MAX_GOAL_LINES + 1):
            is_narrow = canvas.fonts.find_min_width(goal, Typeface.DISPLAY, em_px, lines) <= rect.w
            layout = canvas.fonts.fit_text(goal, Typeface.DISPLAY, (em_px,), (rect.w, canvas.size[1]), lines)
            if goal and is_narrow and layout.height <= rect.h:
                canvas.draw_text(rect, goal, em, INK, face=Typeface.DISPLAY, max_lines=lines, vertical_align=0.0)
                return


def _draw_candidate(canvas: Canvas, rect: Rect, player: Player, em: float, *, is_lit: bool, is_drawn: bool) -> None:
    """Draw a candidate's row: shape, name in `em`, and in landscape the number of the key unless drawn."""
    canvas.draw_panel(rect, BUTTON_COLOURS[player.button] if is_lit else PANEL)
    ink = BACKGROUND if is_lit else INK
    padding = 0.5 if canvas.is_portrait else 1.4
    badge = PORTRAIT_BADGE_SIZE if canvas.is_portrait else BADGE_SIZE
    size = min(rect.h * 3 // 4 if is_drawn else canvas.px(badge), rect.h - canvas.px(1))
    name = canvas.draw_badge_left(rect, player.button, size, ink if is_lit else None, margin=padding, gap=padding)
    if not is_drawn and not canvas.is_portrait:
        number, name = split_right(name, canvas.px(NUMBER_WIDTH))
        canvas.draw_text(
            number, str(player.button.seat_number), TEXT_EM, ink if is_lit else MUTED, face=Typeface.DISPLAY
        )
    name.w -= canvas.px(0.4)
    canvas.draw_text(name, player.name, em, ink, face=Typeface.DISPLAY)


def _draw_steps(canvas: Canvas, rect: Rect, steps: tuple[tuple[int, str], ...], page: int, page_count: int) -> None:
    """Draw the steps of a page, each with its number, in the text face if all fit in it."""
    heading, body = split_top(rect, canvas.px(HEADING_HEIGHT), canvas.px(1))
    title = _("Set up {n}/{most}", n=page, most=page_count) if page_count > 1 else _("Set up")
    canvas.draw_text(heading, title, TITLE_EM, INK, face=Typeface.DISPLAY)
    gap, indent = canvas.px(STEP_GAP), canvas.px(NUMBER_WIDTH)
    for em_px, face in product(canvas.list_sizes_px(TEXT_EM), (Typeface.TEXT, Typeface.DISPLAY)):
        box = (body.w - indent, canvas.size[1])
        heights = [canvas.fonts.fit_text(line, face, (em_px,), box, MAX_STEP_LINES).height for _n, line in steps]
        if sum(heights) + gap * (len(steps) - 1) <= body.h:
            break
    top = body.top
    for (n, line), height in zip(steps, heights, strict=True):
        number, text = split_left(Rect(body.left, top, body.w, height), indent)
        drawn = canvas.draw_text(text, line, TEXT_EM, INK, face=face, max_lines=MAX_STEP_LINES, vertical_align=0.0)
        number.top = drawn.top
        canvas.draw_text(number, f"{n}.", TEXT_EM, INK, face=face, vertical_align=0.0)
        top += height + gap
