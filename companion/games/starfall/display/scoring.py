"""StarFall's count: who is still to be counted, one player's page, and the final table."""

from collections.abc import Sequence

from pygame import Rect

from companion.display.toolkit import (
    BACKGROUND,
    BAD,
    BIG_EM,
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
from companion.games.starfall.count_lines import COLOURS_LINE, NEBULAE_LINE, get_line_count
from companion.games.starfall.display.tiles import ALL_NEBULAE_LINE, SYMBOL_ART, draw_colours_icon, draw_line_icon
from companion.games.starfall.game import format_end_reason
from companion.games.starfall.scoring import (
    NEBULA_COLOUR_POINTS,
    NEBULA_POINTS,
    PlayerScore,
    score_nebulae,
    score_symbols,
)
from companion.games.starfall.state import StarFallState
from companion.games.starfall.tile_catalogue import FIRST_NEBULA_INDEX
from companion.i18n import N_, Translator, format_number
from companion.screen_state import Player

_ = Translator("starfall")

MAX_ROW_HEIGHT = 22.0
"""Height of a player's row in the final table, in units, at most."""
MIN_TALL_HEIGHT = 15.0
"""Height of such a row from which its points have a title's size, in units."""
MIN_COLUMN_WIDTH = 11.0
"""Width of a column of points in units, for "−249": players are named only where each column has it."""
NAME_WIDTH, TOTAL_WIDTH, NARROW_TOTAL_WIDTH = 27.0, 19.0, 15.5
"""Widths of name and sum in the final table, and of the sum where there is no room for names, in units."""
FOOT_HEIGHT = 22.0
"""Height of the sum under a page, in units."""
LIST_WIDTH = 52.0
"""Width of the list of all symbols beside the one that is being counted, in units."""
MIN_COUNTED_HEIGHT = 12.6
"""Height of a row of the final table in units from which the counts stand under the points."""
LINE_LABELS = (
    *(N_("Stars"), N_("Planets"), N_("Moons"), N_("Black holes"), N_("Comets")),
    *(N_("Nebulae"), N_("Colours")),
)
"""Labels of a page's lines, in the order of `COUNT_LINES`."""
DUST_COLUMN = FIRST_NEBULA_INDEX + 1
"""Column of the dust in the final table, after five kinds of symbols and the nebulae."""


def draw_choice(canvas: Canvas, rect: Rect, view: StarFallState, players: Sequence[Player]) -> None:
    """Draw why the game ended, and whose tiles are counted already.

    Raises:
        IndexError: a player has no score in the view.
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
        counts: number of each kind of symbol, in the order of `tile_catalogue.SYMBOLS`: ten numbers.
        line: index in `COUNT_LINES`, 0 to 6.

    Returns:
        Points, which may be negative; None for the stars, which only compare with the other players' (F30).

    Raises:
        IndexError: `line` is beyond the last line.

    >>> [score_line((4, 2, 3, 1, 2, 1, 0, 0, 0, 3), line) for line in range(7)]
    [None, 10, 6, -5, 8, 8, 4]
    """
    if line == 0:
        return None
    if line < NEBULAE_LINE:
        return score_symbols(counts, 0)[line - 1]
    count = get_line_count(counts, line)
    return NEBULA_POINTS * count if line == NEBULAE_LINE else NEBULA_COLOUR_POINTS[count]


def draw_page(canvas: Canvas, rect: Rect, view: StarFallState, score: PlayerScore, total: int) -> None:
    """Draw the symbol that is being counted, large, with its points; beside it the other symbols and the sum.

    Args:
        view: what is shown of the game; says which symbol is being counted.
        score: the player's symbols and points.
        total: the player's points so far, as they are shown.
    """
    gap = canvas.px(2)
    if canvas.is_portrait:
        aside, main = split_bottom(rect, rect.h // 2, gap)
    else:
        aside, main = split_right(rect, min(canvas.px(LIST_WIDTH), rect.w // 2), gap)
    _draw_current_line(canvas, main, view.line_index, score)
    if canvas.is_portrait:
        foot, body = split_right(aside, aside.w * 2 // 5, gap)
    else:
        foot, body = split_bottom(aside, canvas.px(FOOT_HEIGHT), gap // 2)
    columns = split_grid(body, 2, 1, gap // 2)
    per_column = -(-len(LINE_LABELS) // 2)
    cells = [row for column in columns for row in split_rows(column, per_column, canvas.px(0.6), canvas.px(14))]
    for line, cell in enumerate(cells[: len(LINE_LABELS)]):
        is_done = score.is_counted or line < view.line_index
        _draw_line(canvas, cell, line, score, is_current=line == view.line_index, is_done=is_done)
    _draw_sum(canvas, foot, score, total)


def _draw_current_line(canvas: Canvas, rect: Rect, line: int, score: PlayerScore) -> None:
    """Draw the symbol that is being counted as a picture with its name, how many there are, and their points."""
    picture, right = split_left(rect, rect.w * 40 // 100, canvas.px(3))
    label, square = split_bottom(picture, canvas.px(11))
    canvas.draw_art(SYMBOL_ART[min(line, NEBULAE_LINE)], square)
    canvas.draw_text(label, _(LINE_LABELS[line]), TITLE_EM, INK, face=Typeface.DISPLAY, align=0.5)
    is_asked = line == COLOURS_LINE and not score.is_counted
    points = None if is_asked else score_line(score.symbol_counts, line)
    foot, digits = split_bottom(right, canvas.px(11) if points is not None else 0)
    canvas.draw_figure(digits, "?" if is_asked else str(get_line_count(score.symbol_counts, line)), INK)
    if points is not None:
        text = _.plural("{points} point", "{points} points", points, points=format_signed(points))
        canvas.draw_text(foot, text, TITLE_EM, INK, face=Typeface.DISPLAY, align=0.5)


def _draw_line(canvas: Canvas, rect: Rect, line: int, score: PlayerScore, *, is_current: bool, is_done: bool) -> None:
    """Draw a line of the list: icon and number."""
    canvas.draw_panel(rect, INK if is_current else RAISED if is_done else PANEL)
    ink = BACKGROUND if is_current else INK if is_done else MUTED
    count = get_line_count(score.symbol_counts, line)
    size = min(canvas.px(5.6), rect.h - canvas.px(1.6))
    centre = (rect.left + canvas.px(1.4) + size // 2, rect.centery)
    number = split_left(rect, size + canvas.px(3))[1]
    number.w -= canvas.px(1.4)
    if line == COLOURS_LINE:
        draw_colours_icon(canvas, centre, size)
    else:
        draw_line_icon(canvas, line if line < NEBULAE_LINE else ALL_NEBULAE_LINE, centre, size, ink)
    is_asked = line == COLOURS_LINE and is_current and not score.is_counted
    canvas.draw_text(number, "?" if is_asked else str(count), TEXT_EM, ink, face=Typeface.TABULAR, align=1.0)


def _draw_sum(canvas: Canvas, rect: Rect, score: PlayerScore, total: int) -> None:
    """Draw the sum so far, and the points for dust and for colours that are in it."""
    inner = canvas.draw_panel(rect, PANEL, padding=(3, 1))
    nebulae = score.symbol_counts[FIRST_NEBULA_INDEX:]
    parts = (
        (
            _.plural("{n} colour", "{n} colours", sum(1 for count in nebulae if count)),
            score_nebulae(nebulae) - NEBULA_POINTS * sum(nebulae),
        ),
        (_("{dust} dust", dust=score.dust), score.points[5]),
    )
    lines = 2 if canvas.is_portrait else 1
    lower, upper = split_bottom(inner, canvas.px(7 * lines))
    text = ", ".join(f"{part} {format_signed(points)}" for part, points in parts if points)
    canvas.draw_text(lower, text, TEXT_EM, MUTED, face=Typeface.DISPLAY, max_lines=lines)
    if canvas.is_portrait:
        head, upper = split_top(upper, canvas.px(7))
        canvas.draw_text(head, _("Total"), TEXT_EM, MUTED, face=Typeface.DISPLAY)
    drawn = canvas.draw_text(upper, format_number(total), BIG_EM, INK, face=Typeface.DISPLAY, align=1.0)
    if not canvas.is_portrait:
        upper.w = drawn.left - canvas.px(2) - upper.left
        canvas.draw_text(upper, _("Total"), TEXT_EM, MUTED, face=Typeface.DISPLAY)


def draw_score_table(canvas: Canvas, rect: Rect, scores: Sequence[PlayerScore], players: Sequence[Player]) -> None:
    """Draw how each score came about: a row per player, points with the counts under them (F30 to F36).

    Args:
        scores: symbols and points of each player, in the order of the rows; may be empty.

    Raises:
        IndexError: a seat of a score has no player.
    """
    inner = canvas.draw_panel(rect, PANEL, radius=2.4, padding=(2.4, 2))
    head, body = split_top(inner, canvas.px(7), canvas.px(0.6))
    badge_width, total_width = canvas.px(7.5), canvas.px(TOTAL_WIDTH)
    columns = DUST_COLUMN + 1 + any(score.adjustment for score in scores)
    room = inner.w - badge_width - total_width - canvas.px(NAME_WIDTH)
    has_names = room >= columns * canvas.px(MIN_COLUMN_WIDTH)
    if has_names:
        badge_width += canvas.px(NAME_WIDTH)
    else:
        total_width = canvas.px(NARROW_TOTAL_WIDTH)

    def split_row(row: Rect) -> tuple[list[Rect], Rect]:
        total, rest = split_right(row, total_width)
        return split_grid(split_left(rest, badge_width)[1], columns, 1, 0), total

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
    rows = split_rows(body, len(scores), canvas.px(0.8), canvas.px(MAX_ROW_HEIGHT))
    if not rows:
        return
    cells, total = split_row(rows[0])
    total.w -= canvas.px(1.4)
    sums = [format_number(score.total) for score in scores]
    sum_em = BIG_EM if total.h >= canvas.px(BIG_EM) else TITLE_EM
    sum_em = canvas.find_common_size(sums, sum_em, total.size, Typeface.TABULAR)
    cell, _count = _split_cell(canvas, cells[0])
    points = [format_number(value) for score in scores for value in _list_points(score)]
    point_em = TITLE_EM if cells[0].h >= canvas.px(MIN_TALL_HEIGHT) else TEXT_EM
    point_em = canvas.find_common_size(points, point_em, cell.size, Typeface.TABULAR)
    for score, row in zip(scores, rows, strict=True):
        canvas.draw_panel(row, RAISED)
        size = min(canvas.px(5.6), row.h - canvas.px(1))
        beside = canvas.draw_badge_left(row, players[score.seat].button, size, margin=0.8, gap=1)
        if has_names:
            beside.w = canvas.px(NAME_WIDTH - 1)
            canvas.draw_text(beside, players[score.seat].name, TEXT_EM, INK, face=Typeface.DISPLAY)
        cells, total = split_row(row)
        total.w -= canvas.px(1.4)
        canvas.draw_text(total, format_number(score.total), sum_em, INK, face=Typeface.TABULAR, align=1.0)
        nebula_count = sum(score.symbol_counts[FIRST_NEBULA_INDEX:])
        counts = [*map(str, (*score.symbol_counts[:FIRST_NEBULA_INDEX], nebula_count, score.dust)), ""]
        for value, count, cell in zip(_list_points(score), counts, cells, strict=False):
            _draw_cell(canvas, cell, value, count, point_em)


def _list_points(score: PlayerScore) -> tuple[int, ...]:
    """Return the points of a row: the stars', those of the other symbols, nebulae and dust, the adjustment."""
    return (score.majority_bonus, *score.points, score.adjustment)


def _split_cell(canvas: Canvas, rect: Rect) -> tuple[Rect, Rect]:
    """Split a cell into the places of points and count; without room for the count its place is empty."""
    return split_top(rect, rect.h * 55 // 100 if rect.h >= canvas.px(MIN_COUNTED_HEIGHT) else rect.h)


def _draw_cell(canvas: Canvas, rect: Rect, points: int, count: str, em: float) -> None:
    """Draw points over the count of symbols that they are for."""
    tone = BAD if points < 0 else INK if points else MUTED
    upper, lower = _split_cell(canvas, rect)
    canvas.draw_text(upper if count else rect, format_number(points), em, tone, face=Typeface.TABULAR, align=0.5)
    if lower.h and count:
        canvas.draw_text(lower, count, TEXT_EM, MUTED, face=Typeface.TABULAR, align=0.5)
