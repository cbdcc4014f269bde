"""The draw for the first player: a light goes around the players and stays on one; beside it, what to lay out."""

from pygame import Rect

from companion.display.scenes.base import draw_frame
from companion.display.toolkit import (
    BIG_EM,
    BUTTON_COLOURS,
    INK,
    LINE,
    TEXT_EM,
    TITLE_EM,
    Canvas,
    Colour,
    Typeface,
    lay_out_screen,
    mix_colours,
    split_bottom,
    split_columns,
    split_left,
    split_top,
)
from companion.i18n import Translator
from companion.screen_state import Player, ScreenState

_ = Translator("companion")

PLAYER_PERCENT = 44
"""Width of the lit player, in percent of the body; what to lay out has the rest."""
PORTRAIT_PLAYER_HEIGHT = 17.0
"""Height of the lit player in portrait, in units."""
MAX_SHAPE_SIZE = 40.0
"""Size of the lit player's shape at most, in units."""
NAME_HEIGHT = 15.0
"""Height of the lit player's name, in units."""
ROW_HEIGHT = 7.0
"""Height of the row with all players' shapes, in units."""
UNLIT_RATIO = 0.4
"""Share of a seat's colour in its small shape while it is not lit; the rest is the ground's."""
SETTLE_SECONDS = 0.4
"""Seconds in which the drawn player's shape grows."""
SETTLE_FROM_RATIO = 0.6
"""Size of the shape while the light goes around, as a share of its full size."""
HEADING_HEIGHT = 9.4
"""Height of the heading over what to lay out, in units."""
NUMBER_WIDTH = 5.6
"""Width of a step's number, in units."""
STEP_GAP = 1.6
"""Room between two steps, in units."""
MAX_STEP_LINES = 4
"""Lines of a step at most."""


def draw_first_player_draw(canvas: Canvas, state: ScreenState, accent: Colour = LINE) -> None:
    """Draw the player who is lit, large, and what to lay out beside them.

    Only regions that changed since the last frame are painted again. Call it within `Canvas.frame`.

    Args:
        canvas: Where it is drawn.
        state: What is shown; its view is a `FirstPlayerView`.
        accent: The game's colour: floods the ground until the first player is drawn.

    Raises:
        AttributeError: The view is none.
        IndexError: The addressed seat, or the lit one, has no player.
        pygame.error: The screen is too small, so that a part would have a negative size.
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
        content = (lit, grown, state.players)
        canvas.draw_region("player", player_rect, content, lambda: _draw_player(canvas, player_rect, state, lit, grown))
    steps = tuple(enumerate(state.details, 1))[light.first_step : light.end_step]
    if steps:
        pages = (light.page, light.page_count)
        canvas.draw_region("main", steps_rect, (steps, pages), lambda: _draw_steps(canvas, steps_rect, steps, *pages))


def _split_area(canvas: Canvas, area: Rect, state: ScreenState) -> tuple[Rect, Rect]:
    """Return the places of the lit player and of what to lay out: side by side, or in portrait one under the other."""
    gap = canvas.px(3)
    if state.view.lit_seat is None:
        return Rect(area.topleft, (0, 0)), area
    if not state.details:
        return area, Rect(area.bottomleft, (0, 0))
    if canvas.is_portrait:
        return split_top(area, canvas.px(PORTRAIT_PLAYER_HEIGHT), canvas.px(1))
    return split_left(area, area.w * PLAYER_PERCENT // 100, gap)


def _draw_player(canvas: Canvas, rect: Rect, state: ScreenState, lit: Player, grown: float) -> None:
    """Draw the lit player's shape and name, and below them the shapes of all players."""
    full = SETTLE_FROM_RATIO + (1 - SETTLE_FROM_RATIO) * grown
    if canvas.is_portrait and state.details:
        place, name = split_left(rect, rect.h, canvas.px(4))
        canvas.draw_badge(lit.button, place.center, round(place.h * full))
        canvas.draw_text(name, lit.name, BIG_EM, INK, face=Typeface.DISPLAY)
        return
    row, rest = split_bottom(rect, canvas.px(ROW_HEIGHT), canvas.px(1))
    name, room = split_bottom(rest, canvas.px(NAME_HEIGHT))
    size = min(canvas.px(MAX_SHAPE_SIZE), room.w, room.h)
    canvas.draw_badge(lit.button, room.center, round(size * full))
    canvas.draw_text(name, lit.name, BIG_EM, INK, face=Typeface.DISPLAY, align=0.5)
    small = min(row.h, row.w // len(state.players))
    row = row.inflate(small * 3 // 2 * len(state.players) - row.w, 0)
    for player, place in zip(state.players, split_columns(row, [small] * len(state.players), small // 2), strict=True):
        colour = canvas.rgb(BUTTON_COLOURS[player.button])
        is_lit = player.seat == lit.seat
        tone = colour if is_lit else mix_colours(canvas.ground_colour, colour, UNLIT_RATIO)
        canvas.draw_badge(player.button, place.center, small if is_lit else small * 3 // 4, tone)


def _draw_steps(canvas: Canvas, rect: Rect, steps: tuple[tuple[int, str], ...], page: int, page_count: int) -> None:
    """Draw the steps of a page, each with its number, in the text face if all fit in it."""
    heading, body = split_top(rect, canvas.px(HEADING_HEIGHT), canvas.px(1))
    title = _("Set up {n}/{most}", n=page, most=page_count) if page_count > 1 else _("Set up")
    canvas.draw_text(heading, title, TITLE_EM, INK, face=Typeface.DISPLAY)
    em_px = canvas.px_at_least(TEXT_EM)
    gap, indent = canvas.px(STEP_GAP), canvas.px(NUMBER_WIDTH)
    for face in (Typeface.TEXT, Typeface.DISPLAY):
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
