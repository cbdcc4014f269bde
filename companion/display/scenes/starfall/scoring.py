"""StarFall's count: who is still to be counted, one player's page, and the final table."""

from collections.abc import Sequence

from pygame import Rect

from companion.display.scenes.starfall.payment import ALL_NEBULAE_LINE, draw_line_icon
from companion.display.toolkit import (
    BACKGROUND,
    BAD,
    GOOD,
    INK,
    LINE,
    MUTED,
    PANEL,
    RAISED,
    TEXT_EM,
    TITLE_EM,
    Canvas,
    Typeface,
    format_signed,
    split_bottom,
    split_grid,
    split_left,
    split_right,
    split_rows,
    split_top,
)
from companion.games.starfall.rules import format_end_reason
from companion.games.starfall.scoring import score_nebulae, score_symbols
from companion.games.starfall.settings import FIRST_NEBULA_INDEX, SYMBOLS
from companion.games.starfall.state import PlayerScore, StarFallState
from companion.i18n import N_, Translator, format_number
from companion.screen_state import Player

_ = Translator("starfall")

FOOT_HEIGHT = 10.0
"""Height of the sum under a page, in units."""
CURRENT_NUMBER_EM = 9.0
"""Size of the number that is being counted, in units."""
MIN_COUNTED_HEIGHT = 12.6
"""Height of a row of the final table in units from which the counts stand under the points."""
LINE_LABELS = (
    *(N_("Stars"), N_("Planets"), N_("Moons"), N_("Black holes"), N_("Comets")),
    *(N_("Red"), N_("Blue"), N_("Green"), N_("Yellow"), N_("Purple")),
)
"""Labels of a page's lines, in the order of `settings.SYMBOLS`."""
DUST_COLUMN = FIRST_NEBULA_INDEX + 1
"""Column of the dust in the final table, after five kinds of symbols and the nebulae."""


def draw_choice(canvas: Canvas, rect: Rect, view: StarFallState, players: Sequence[Player]) -> None:
    """Draw why the game ended, and whose tiles are counted already.

    Args:
        canvas: Where it is drawn, while a region is painted.
        rect: Its place in pixels.
        view: What is shown of the game.
        players: The players, by seat.

    Raises:
        IndexError: A player has no score in the view.
        pygame.error: `rect` is too small, so that a part would have a negative size.
    """
    head, below = split_top(rect, canvas.px(14 if canvas.is_portrait else 8), canvas.px(0.6))
    reason = f"{format_end_reason(view)}."
    canvas.draw_text(head, reason, TEXT_EM, INK, face=Typeface.DISPLAY, max_lines=2)
    columns = 1 if canvas.is_portrait else 2
    cells = split_grid(below, columns, -(-len(players) // columns), canvas.px(1), canvas.px(17))
    for player, cell in zip(players, cells, strict=False):
        score = view.player_scores[player.seat]
        canvas.draw_panel(cell, PANEL)
        size = min(canvas.px(8), cell.h - canvas.px(1))
        is_left_out = player.seat not in view.seats_to_count
        tone = LINE if is_left_out else None
        rest = canvas.draw_badge_left(cell, player.button, size, tone, margin=2, gap=2.5)
        rest.w -= canvas.px(2)
        count = len(view.owned_tiles[player.seat])
        text = _("away") if is_left_out else _.plural("{n} tile", "{n} tiles", count)
        canvas.draw_text(rest, text, TITLE_EM, MUTED if is_left_out else INK, face=Typeface.DISPLAY)
        if score.is_counted:
            canvas.draw_icon("ok", (rest.right - size // 2, rest.centery), size, GOOD)


def score_line(counts: Sequence[int], line: int) -> int | None:
    """Return the points of a page's line by itself.

    Args:
        counts: Number of each kind of symbol, in the order of `settings.SYMBOLS`: ten numbers.
        line: Index in `settings.SYMBOLS`, 0 to 9.

    Returns:
        Points, which may be negative; None for the stars, which only compare with the other players' (F30).

    Raises:
        IndexError: `line` is beyond the last kind of symbol.

    >>> [score_line((4, 2, 3, 1, 2, 1, 0, 0, 0, 0), line) for line in range(6)]
    [None, 10, 6, -5, 8, 2]
    """
    if line == 0:
        return None
    return score_symbols(counts, 0)[line - 1] if line < FIRST_NEBULA_INDEX else score_nebulae((counts[line],))


def draw_page(canvas: Canvas, rect: Rect, view: StarFallState, score: PlayerScore) -> None:
    """Draw a player's page: ten lines in two columns with their points, and below them the sum.

    Args:
        canvas: Where it is drawn, while a region is painted.
        rect: Its place in pixels.
        view: What is shown of the game; says which line is being counted.
        score: The player's symbols and points.

    Raises:
        pygame.error: `rect` is too small, so that a part would have a negative size.
    """
    gap = canvas.px(1)
    foot, body = split_bottom(rect, canvas.px(FOOT_HEIGHT), gap)
    # The long labels stand at the left.
    columns = split_left(body, (rect.w - 2 * gap) * 55 // 100, 2 * gap)
    lines = [row for column in columns for row in split_rows(column, FIRST_NEBULA_INDEX, canvas.px(0.8), canvas.px(14))]
    for line in range(len(SYMBOLS)):
        is_done = score.is_counted or line < view.line_index
        _draw_line(canvas, lines[line], line, score, is_current=line == view.line_index, is_done=is_done)
    _draw_sum(canvas, foot, score)


def _draw_line(canvas: Canvas, rect: Rect, line: int, score: PlayerScore, *, is_current: bool, is_done: bool) -> None:
    """Draw a line of a page: icon, label, number and points."""
    canvas.draw_panel(rect, INK if is_current else RAISED if is_done else PANEL)
    ink, soft = (BACKGROUND, BACKGROUND) if is_current else (INK if is_done else MUTED, MUTED)
    margin, size = canvas.px(1.4), min(canvas.px(6), rect.h - canvas.px(1.6))
    centre = (rect.left + margin + size // 2, rect.centery)
    if line >= FIRST_NEBULA_INDEX and is_current:
        canvas.draw_disc(centre, rect.h - canvas.px(0.8), BACKGROUND)
    draw_line_icon(canvas, line, centre, size, ink)
    inner = split_left(rect, size + canvas.px(3))[1]
    inner.w -= margin
    points_rect, rest = split_right(inner, canvas.px(8.2), canvas.px(0.6))
    number, label = split_right(rest, canvas.px(10.4), canvas.px(0.4))
    points = score_line(score.symbol_counts, line)
    if points is not None and (is_current or is_done) and score.symbol_counts[line]:
        canvas.draw_text(points_rect, format_signed(points), TEXT_EM, soft, face=Typeface.DISPLAY, align=1.0)
    size_em = CURRENT_NUMBER_EM if is_current else TEXT_EM
    canvas.draw_text(number, str(score.symbol_counts[line]), size_em, ink, face=Typeface.DISPLAY, align=1.0)
    canvas.draw_text(label, _(LINE_LABELS[line]), TEXT_EM, ink, face=Typeface.DISPLAY)


def _draw_sum(canvas: Canvas, rect: Rect, score: PlayerScore) -> None:
    """Draw the points that are in no line (the bonus for colours, the dust), and the sum so far."""
    inner = canvas.draw_panel(rect, PANEL, padding=(3, 0))
    total = split_right(inner, canvas.px(20))[0]
    drawn = canvas.draw_text(total, format_number(score.total), TITLE_EM, INK, face=Typeface.DISPLAY, align=1.0)
    nebulae = score.symbol_counts[FIRST_NEBULA_INDEX:]
    parts = (
        (
            _.plural("{n} colour", "{n} colours", sum(1 for count in nebulae if count)),
            score_nebulae(nebulae) - 2 * sum(nebulae),
        ),
        (_("{dust} dust", dust=score.dust), score.points[5]),
    )
    text = ", ".join(f"{part} {format_signed(points)}" if points else part for part, points in parts)
    inner.w = drawn.left - canvas.px(3) - inner.left
    canvas.draw_text(inner, text, TEXT_EM, MUTED, face=Typeface.DISPLAY)


def draw_score_table(canvas: Canvas, rect: Rect, scores: Sequence[PlayerScore], players: Sequence[Player]) -> None:
    """Draw how each score came about: a row per player, points with the counts under them (F30 to F36).

    Args:
        canvas: Where it is drawn, while a region is painted.
        rect: Its place in pixels.
        scores: Symbols and points of each player, in the order of the rows; may be empty.
        players: The players, by seat.

    Raises:
        IndexError: A seat of a score has no player.
        pygame.error: `rect` is too small, so that a part would have a negative size.
    """
    inner = canvas.draw_panel(rect, PANEL, radius=2.4, padding=(2.4, 2))
    head, body = split_top(inner, canvas.px(7), canvas.px(0.6))
    badge_width, total_width = canvas.px(7.5), canvas.px(15)
    has_adjustment = any(score.adjustment for score in scores)

    def split_row(row: Rect) -> tuple[list[Rect], Rect]:
        total, rest = split_right(row, total_width)
        return split_grid(split_left(rest, badge_width)[1], DUST_COLUMN + 1 + has_adjustment, 1, 0), total

    cells, total = split_row(head)
    for column, cell in enumerate(cells):
        centre, size = (cell.left + cell.w // 2, head.centery), canvas.px(5.4)
        if column < DUST_COLUMN:
            line = column if column < FIRST_NEBULA_INDEX else ALL_NEBULAE_LINE
            draw_line_icon(canvas, line, centre, size)
        elif column == DUST_COLUMN:
            canvas.draw_icon("sparkle", centre, size, INK)
        else:
            canvas.draw_text(cell, "±", TEXT_EM, MUTED, face=Typeface.DISPLAY, align=0.5)
    canvas.draw_text(total, _("Total"), TEXT_EM, MUTED, face=Typeface.DISPLAY, align=1.0)
    for score, row in zip(scores, split_rows(body, len(scores), canvas.px(0.8), canvas.px(14)), strict=True):
        canvas.draw_panel(row, RAISED)
        size = min(canvas.px(5.6), row.h - canvas.px(1))
        tone = None if score.is_scored else LINE
        canvas.draw_badge_left(row, players[score.seat].button, size, tone, margin=0.8)
        cells, total = split_row(row)
        total.w -= canvas.px(1.4)
        if not score.is_scored:
            canvas.draw_text(total, _("away"), TEXT_EM, MUTED, face=Typeface.DISPLAY, align=1.0)
            continue
        canvas.draw_text(
            total,
            format_number(score.total),
            TITLE_EM,
            INK,
            face=Typeface.DISPLAY,
            align=1.0,
        )
        nebula_count = sum(score.symbol_counts[FIRST_NEBULA_INDEX:])
        texts = [*map(str, (*score.symbol_counts[:FIRST_NEBULA_INDEX], nebula_count, score.dust)), ""]
        for value, text, cell in zip(
            (score.majority_bonus, *score.points, score.adjustment), texts, cells, strict=False
        ):
            _draw_cell(canvas, cell, value, text)


def _draw_cell(canvas: Canvas, rect: Rect, points: int, count: str) -> None:
    """Draw points over the count of symbols that they are for."""
    tone = BAD if points < 0 else INK if points else MUTED
    has_count = bool(count) and rect.h >= canvas.px(MIN_COUNTED_HEIGHT)
    upper, lower = split_top(rect, rect.h // 2 if has_count else rect.h)
    canvas.draw_text(upper, format_number(points), TEXT_EM, tone, face=Typeface.DISPLAY, align=0.5)
    if has_count:
        canvas.draw_text(lower, count, TEXT_EM, MUTED, face=Typeface.DISPLAY, align=0.5)
