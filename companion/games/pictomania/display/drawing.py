"""Pictomania's drawing phase and its end: the bonus tokens in a row with their takers, and who still draws."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from companion.api import Seat
from companion.display.api import (
    BIG_EM,
    GAP,
    INK,
    PANEL,
    TEXT_EM,
    TITLE_EM,
    Canvas,
    Player,
    Rect,
    RegionCell,
    RunningClock,
    Typeface,
    split_bottom,
    split_grid,
    split_left,
    split_right,
    split_top,
)
from companion.display.toolkit import PIECE_RGB, text_colour_for
from companion.games.pictomania.display.stage import (
    BADGES_HEIGHT,
    LOW_HEIGHT,
    draw_clock,
    draw_clock_beside,
    is_stage_narrow,
)
from companion.games.pictomania.display.tokens import draw_bonus_token, find_token_grid
from companion.games.pictomania.state import PictomaniaState, _

TOKENS_CLOCK_SHARE = 0.46
"""Width of a running clock beside the tokens, as a share of the stage's."""
TOKEN_SECONDS = 0.4
"""Time in which the next bonus token grows to its size."""
MIN_GROWTH = 0.7
"""Size of the next bonus token when it starts to grow, as a share of its full size."""
FOOT_HEIGHT = 10.0
"""Height under a token for its taker's shape, or for the word "Next", in units."""
MAX_TOKEN_WIDTH = 34.0
"""Width of a token's column at most, in units."""
DRAWING_WIDTH = 34.0
"""Width of the column that says who still draws, in units."""
MAX_BADGE_STEP = 13.0
"""Side of the place of a shape of who still draws at most, in units."""
STOP_SECONDS = 0.3
"""Time in which the sign that ends the drawing opens."""
STOP_SHARE = 0.72
"""Height of that sign, as a share of the stage's."""


class _BonusToken(NamedTuple):
    """A bonus token: its stars, who took it (None: nobody), and whether the next finisher takes it."""

    stars: int
    taker: Player | None
    is_next: bool = False


def _list_tokens(view: PictomaniaState, players: Sequence[Player]) -> list[_BonusToken]:
    """Return the bonus tokens, most stars first."""
    waiting = [Seat(q) for q, stars in enumerate(view.bonus_stars) if stars]
    tokens: list[_BonusToken] = []
    for stars in view.bonus_tokens:
        taker = next((q for q in waiting if view.bonus_stars[q] == stars), None)
        if taker is not None:
            waiting.remove(taker)
        is_next = taker is None and not any(token.is_next for token in tokens)
        tokens.append(_BonusToken(stars, None if taker is None else players[taker], is_next))
    return tokens


def draw_drawing_phase(
    canvas: Canvas, rect: Rect, view: PictomaniaState, players: Sequence[Player], clock: RunningClock | None
) -> None:
    """Draw the bonus tokens with their takers, the clock, and who still draws (P24).

    Beside the camera's picture only the token that the next finisher takes has room.

    Args:
        clock: the house timer; None: none runs.
    """
    tokens = _list_tokens(view, players)
    drawing = [players[q] for q in view.seats_drawing]
    gap = canvas.px(GAP)
    if is_stage_narrow(canvas, rect):
        place, below = split_top(rect, rect.h * (46 if clock is not None else 60) // 100, gap)
        if clock is not None:
            badges, digits = split_bottom(below, canvas.px(BADGES_HEIGHT), gap)
            draw_clock(canvas, digits, clock)
        else:
            badges = below
        _draw_next_token(canvas, place, tokens)
    elif rect.h < canvas.px(LOW_HEIGHT):
        place, below = split_left(rect, rect.h, 2 * gap)
        badges = draw_clock_beside(canvas, below, clock)
        _draw_next_token(canvas, place, tokens)
    else:
        rest = draw_clock_beside(canvas, rect, clock, TOKENS_CLOCK_SHARE)
        if clock is None and not canvas.is_portrait:
            badges, row = split_right(rest, canvas.px(DRAWING_WIDTH), 2 * gap)
        else:
            badges, row = split_bottom(rest, canvas.px(BADGES_HEIGHT), gap)
        _draw_tokens(canvas, row, tokens)
    _draw_still_drawing(canvas, badges, drawing)


def _measure_growth(canvas: Canvas, tokens: Sequence[_BonusToken]) -> float:
    """Return the size of the next bonus token as a share of its full size: it grows after another was taken."""
    left = sum(token.taker is None for token in tokens)
    return MIN_GROWTH + (1 - MIN_GROWTH) * canvas.timeline.progress("token", left, TOKEN_SECONDS)


def _draw_tokens(canvas: Canvas, rect: Rect, tokens: Sequence[_BonusToken]) -> None:
    """Draw the bonus tokens in a row, equally large: under each who took it, under the next one a word."""
    gap = canvas.px(GAP)
    width = min(canvas.px(MAX_TOKEN_WIDTH), (rect.w + gap) // len(tokens) - gap)
    row = Rect(0, rect.top, (width + gap) * len(tokens) - gap, min(rect.h, width + canvas.px(FOOT_HEIGHT)))
    row.center = rect.center
    growth = _measure_growth(canvas, tokens)
    cells = []
    for token, place in zip(tokens, split_grid(row, len(tokens), 1, gap), strict=True):
        shown = round(growth, 2) if token.is_next else 1.0
        cells.append(RegionCell(place, (token, shown), partial(_paint_token, canvas, place, token, shown)))
    canvas.draw_cells("tokens", rect, cells)


def _paint_token(canvas: Canvas, rect: Rect, token: _BonusToken, shown: float) -> None:
    """Paint a bonus token, dimmed if it was taken, with its taker's shape or the word "Next" under it."""
    if token.is_next:
        canvas.draw_panel(rect, PANEL, edge=INK)
    foot, medal = split_bottom(rect, canvas.px(FOOT_HEIGHT))
    if token.is_next:
        canvas.set_anchor("token", medal.center)
        place = foot.inflate(-canvas.px(2), 0).move(0, -canvas.px(0.6))
        # Beside an upright screen's clock the frame alone marks it.
        if canvas.text_width(_("Next"), TEXT_EM, Typeface.DISPLAY) <= place.w:
            canvas.draw_text(place, _("Next"), TITLE_EM, INK, face=Typeface.DISPLAY, align=0.5)
    elif token.taker is not None:
        canvas.draw_badge(token.taker.button, foot.center, min(foot.w, foot.h * 9 // 10))
    size = round(min(medal.size) * 0.94 * shown)
    draw_bonus_token(canvas, medal.center, size, token.stars, is_taken=token.taker is not None)


def _draw_next_token(canvas: Canvas, rect: Rect, tokens: Sequence[_BonusToken]) -> None:
    """Draw the bonus token that the next finisher takes as the region "token"; after all were taken the last one."""
    token = next((token for token in tokens if token.is_next), tokens[-1])
    size = round(min(rect.size) * _measure_growth(canvas, tokens))

    def paint() -> None:
        canvas.set_anchor("token", rect.center)
        draw_bonus_token(canvas, rect.center, size, token.stars)

    canvas.draw_region("token", rect, (token.stars, size), paint)


def _draw_still_drawing(canvas: Canvas, rect: Rect, drawing: Sequence[Player]) -> None:
    """Draw who still draws as the region "main"."""

    def paint() -> None:
        label, badges = _("Still drawing"), rect
        width = canvas.text_width(label, TEXT_EM, Typeface.DISPLAY)
        if badges.w - width > min(badges.h, canvas.px(12)) * max(3, len(drawing)):
            line, badges = split_left(badges, width, canvas.px(2))
            canvas.draw_text(line, label, TEXT_EM, INK, face=Typeface.DISPLAY)
        elif badges.h >= canvas.px(16):
            line, badges = split_top(badges, canvas.px(TEXT_EM + 1), canvas.px(1))
            canvas.draw_text(line, label, TEXT_EM, INK, face=Typeface.DISPLAY)
        _draw_badges(canvas, badges, drawing)

    canvas.draw_region("main", rect, tuple(drawing), paint)


def _draw_badges(canvas: Canvas, rect: Rect, players: Sequence[Player]) -> None:
    """Draw badges from the left, in as many rows as make them largest."""
    if not players:
        return
    columns, step = find_token_grid(rect, len(players))
    step = min(step, canvas.px(MAX_BADGE_STEP))
    size = max(1, step - canvas.px(1))
    top = rect.centery - step * -(-len(players) // columns) // 2
    for i, player in enumerate(players):
        x, y = rect.left + i % columns * step + size // 2, top + i // columns * step + step // 2
        canvas.draw_badge(player.button, (x, y), size)


def draw_stop_sign(canvas: Canvas, rect: Rect, view: PictomaniaState, players: Sequence[Player]) -> None:
    """Draw the sign that ends the drawing, and below it who took which bonus token (P25)."""
    is_narrow = is_stage_narrow(canvas, rect)
    has_takers = not is_narrow and rect.h >= canvas.px(LOW_HEIGHT)
    sign, below = split_top(rect, round(rect.h * STOP_SHARE) if has_takers else rect.h, canvas.px(GAP))
    opened = canvas.timeline.progress("stop", view.round_number, STOP_SECONDS)
    content = (round(opened, 2), is_narrow)
    canvas.draw_region("main", sign, content, lambda: _paint_stop_sign(canvas, sign, opened, is_narrow=is_narrow))
    if not has_takers:
        return
    tokens = _list_tokens(view, players)
    canvas.draw_region("others", below, tuple(tokens), lambda: _paint_takers(canvas, below, tokens))


def _paint_stop_sign(canvas: Canvas, rect: Rect, opened: float, *, is_narrow: bool) -> None:
    gold = PIECE_RGB["gold"]
    panel = rect.inflate(-round(rect.w * (1 - opened)), 0)
    if panel.w > canvas.px(4):
        canvas.draw_panel(panel, gold, radius=3.0)
    place, ink, message = rect.inflate(-canvas.px(8), -canvas.px(5)), text_colour_for(gold), _("PENS DOWN!")
    if opened < 1.0:
        return
    if is_narrow:
        canvas.draw_text(place, message, BIG_EM, ink, face=Typeface.DISPLAY, max_lines=2, align=0.5)
    else:
        canvas.draw_figure(place, message, ink)


def _paint_takers(canvas: Canvas, rect: Rect, tokens: Sequence[_BonusToken]) -> None:
    """Paint each bonus token beside who took it, the first to stop at the left; a dash for nobody."""
    columns = min(len(tokens), max(1, rect.w // canvas.px(15)))
    rows = -(-len(tokens) // columns)
    for token, place in zip(tokens, split_grid(rect, columns, rows, canvas.px(1)), strict=False):
        size = min(place.h, place.w // 2)
        draw_bonus_token(canvas, (place.centerx - size // 2, place.centery), size, token.stars)
        centre = (place.centerx + size // 2, place.centery)
        if token.taker is None:
            canvas.draw_icon("minus", centre, max(1, size // 2), INK)
        else:
            canvas.draw_badge(token.taker.button, centre, max(1, size * 86 // 100))
