"""The scores of a round of Pictomania: a card for each player, with the round's points large, and the black sheep."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from companion.display.api import (
    BACKGROUND,
    BAD,
    BIG_EM,
    BUTTON_COLOURS,
    GAP,
    GOOD,
    INK,
    MUTED,
    PANEL,
    RGB,
    TEXT_EM,
    TITLE_EM,
    WARN,
    Canvas,
    Colour,
    Player,
    Rect,
    RegionCell,
    ScreenState,
    Typeface,
    format_signed,
    split_grid,
    split_left,
    split_right,
    split_top,
)
from companion.games.pictomania.scoring import PictomaniaScoreLine
from companion.games.pictomania.state import PictomaniaState, _
from companion.i18n import N_, format_number

NAME_HEIGHT = 8.0
"""Height of the band with badge and name, in units."""
MIN_BIG_ROW_HEIGHT = 11.4
"""Height in units from which the round's points are in large figures."""
PART_HEIGHT = 6.2
"""Least height of a part of the sum, in units."""
TOTAL_HEIGHT = 8.4
"""Height of the total, in units."""
BADGE_SIZE = 5.6
"""Size of the badges, in units."""
CROWN_SIZE = 4.2
"""Size of the leaders' crown, in units."""
SHEEP_SIZE = 26.0
"""Diameter of the black sheep's picture at most, in units."""
MEADOW_RATIO = 0.94
"""Diameter of the ground behind the black sheep, as a share of its white edge's."""
MEADOW_RGB: RGB = (168, 214, 150)
"""Colour of the ground behind the black sheep, so that it stands out in any palette."""
SHEEP_SECONDS = 0.5
"""Time in which the black sheep comes in."""
COUNT_SECONDS = 0.8
"""Time in which a total counts to its new value."""
PART_TITLES = (N_("guessed"), N_("tokens left"), N_("bonus"))
"""P33 to P35: tokens of others, own tokens that stayed, and the bonus part."""
PORTRAIT_COLUMNS = 3
"""Cards side by side in portrait."""


@dataclass(frozen=True, slots=True)
class _ScoreCard:
    """All that a player's card shows.

    Attributes:
        points_size: font size of the round's points, the same on all cards.
        titles: those of the parts; empty if they stand beside the cards.
    """

    player: Player
    line: PictomaniaScoreLine | None
    total: int
    is_leader: bool
    is_black_sheep: bool
    points_size: float
    titles: tuple[str, ...]


def draw_score_table(canvas: Canvas, rect: Rect, view: PictomaniaState, state: ScreenState) -> None:
    """Draw for each player the round's points, their parts and the total (P33 to P36), and the black sheep.

    The totals count to their new values, and each sets an anchor ("player 0", by seat).

    Args:
        state: what is shown around it: players and scores.
    """
    lines = {line.seat: line for line in view.score_lines}
    has_adjustment = any(line.adjustment for line in lines.values())
    titles = (*map(_, PART_TITLES), *((_("fixed"),) if has_adjustment else ()))
    gap = canvas.px(GAP)
    if canvas.is_portrait:
        columns = 2 if len(state.players) == 4 else PORTRAIT_COLUMNS
        places = split_grid(rect, columns, -(-len(state.players) // columns), gap)
        inside = titles
    else:
        inside = ()
        width = max(canvas.text_width(title, TEXT_EM, Typeface.DISPLAY) for title in (*titles, _("total"), _("round")))
        if view.black_sheep is not None:
            width = max(width, canvas.px(SHEEP_SIZE))
        side, cards = split_left(rect, width + canvas.px(1), gap)
        places = split_grid(cards, len(state.players), 1, gap)
        shown = canvas.timeline.progress("sheep", view.black_sheep, SHEEP_SECONDS)
        content = (titles, view.black_sheep, round(shown, 2))
        canvas.draw_region("main", side, content, lambda: _draw_side(canvas, side, titles, view.black_sheep, shown))
    row = _split_rows(canvas, places[0], len(titles))[1]
    points = [format_signed(line.total) for line in lines.values()]
    size = canvas.find_common_size(points, BIG_EM, row.size, Typeface.TABULAR)
    cells = []
    for player, place in zip(state.players, places, strict=False):
        total = round(canvas.timeline.follow(f"score {player.seat}", state.scores[player.seat], COUNT_SECONDS))
        is_leader = state.scores[player.seat] == max(state.scores)
        is_sheep = player.seat == view.black_sheep
        card = _ScoreCard(player, lines.get(player.seat), total, is_leader, is_sheep, size, inside)
        cells.append(RegionCell(place, card, partial(_draw_score_card, canvas, place, card, len(titles))))
    if len(places) > len(cells) and view.black_sheep is not None:
        free = places[-1]
        cells.append(RegionCell(free, None, lambda: _draw_sheep(canvas, free.center, min(free.size))))
    canvas.draw_cells("scores", rect if canvas.is_portrait else cards, cells)


def _split_rows(canvas: Canvas, rect: Rect, part_count: int) -> list[Rect]:
    """Return the places of name, round, parts and total, from the top."""
    part = canvas.px(PART_HEIGHT)
    rest = rect.h - canvas.px(NAME_HEIGHT) - part * part_count
    if rest < canvas.px(MIN_BIG_ROW_HEIGHT) + canvas.px(TOTAL_HEIGHT):
        # The round's points and the total stand side by side.
        heights = [canvas.px(NAME_HEIGHT), rest, *[part] * part_count, 0]
    else:
        spare = rest - canvas.px(MIN_BIG_ROW_HEIGHT) - canvas.px(TOTAL_HEIGHT)
        part += spare // (part_count + 3)
        heights = [canvas.px(NAME_HEIGHT), 0, *[part] * part_count, canvas.px(TOTAL_HEIGHT) + spare // 6]
        heights[1] = rect.h - sum(heights)
    rows, below = [], rect
    for height in heights:
        row, below = split_top(below, height)
        rows.append(row)
    return rows


def _draw_side(canvas: Canvas, rect: Rect, titles: Sequence[str], black_sheep: int | None, shown: float) -> None:
    """Draw the titles of the rows, and the black sheep above them."""
    _name, round_row, *parts, total = _split_rows(canvas, rect, len(titles))
    for row, title in zip((*parts, total), (*titles, _("total")), strict=True):
        canvas.draw_text(row, title, TEXT_EM, INK, face=Typeface.DISPLAY, align=1.0)
    if black_sheep is None:
        canvas.draw_text(round_row, _("round"), TEXT_EM, INK, face=Typeface.DISPLAY, align=1.0)
        return
    above = Rect(rect.left, rect.top, rect.w, round_row.bottom - rect.top)
    size = min(canvas.px(SHEEP_SIZE), above.w, above.h)
    _draw_sheep(canvas, (above.centerx - round((1 - shown) * above.w), above.centery), size)


def _draw_sheep(canvas: Canvas, centre: tuple[int, int], size: int) -> None:
    """Draw the black sheep on a light disc."""
    disc = canvas.draw_disc(centre, size, INK)
    disc = canvas.draw_disc(centre, round(size * MEADOW_RATIO), MEADOW_RGB)
    canvas.draw_art("sheep", disc.inflate(-disc.w // 10, -disc.h // 10))


def _draw_score_card(canvas: Canvas, rect: Rect, card: _ScoreCard, part_count: int) -> None:
    colour = BUTTON_COLOURS[card.player.button]
    canvas.draw_panel(rect, PANEL, edge=INK if card.is_black_sheep else None)
    name, round_row, *rows = _split_rows(canvas, rect, part_count)
    *parts, total = (row.inflate(-canvas.px(2), 0) for row in rows)
    band = split_top(rect, name.h)[0]
    canvas.draw_panel(band, colour)
    name = name.inflate(-canvas.px(1.4), 0)
    size = canvas.px(BADGE_SIZE)
    canvas.set_anchor(f"player {card.player.seat}", (name.left + size // 2, band.centery))
    if card.is_black_sheep and card.titles:
        sheep, name = split_right(name, size, canvas.px(0.5))
        _draw_sheep(canvas, sheep.center, size)
    beside = canvas.draw_badge_left(name, card.player.button, size, BACKGROUND, gap=0.8)
    canvas.draw_text(beside, card.player.name, TEXT_EM, BACKGROUND, face=Typeface.DISPLAY)
    if not total.h:
        total, round_row = split_right(round_row, round_row.w // 2)
    if card.line is None:
        note = _("away") if card.player.away else _("not in this round")
        room = Rect(round_row.left, round_row.top, round_row.w, parts[-1].bottom - round_row.top)
        canvas.draw_text(room, note, TEXT_EM, MUTED, face=Typeface.DISPLAY, align=0.5, max_lines=4)
    else:
        _draw_points(canvas, round_row, card.line.total, card.points_size)
        _draw_parts(canvas, parts, card.line, card.titles)
    if card.titles and total.top > round_row.top:
        canvas.draw_text(total, _("total"), TEXT_EM, MUTED, face=Typeface.DISPLAY)
        total = split_right(total, total.w // 2)[0]
    _draw_total(canvas, total, card)


def _draw_points(canvas: Canvas, rect: Rect, points: int, size: float) -> None:
    colour: Colour = GOOD if points > 0 else BAD if points < 0 else INK
    canvas.draw_text(rect, format_signed(points), size, colour, face=Typeface.TABULAR, align=0.5)


def _draw_parts(canvas: Canvas, rows: Sequence[Rect], line: PictomaniaScoreLine, titles: Sequence[str]) -> None:
    for i, (row, points) in enumerate(zip(rows, (line.plus, -line.minus, line.bonus, line.adjustment), strict=False)):
        colour: Colour = GOOD if points > 0 else BAD if points < 0 else MUTED
        align = 1.0 if titles else 0.5
        drawn = canvas.draw_text(row, format_signed(points), TEXT_EM, colour, face=Typeface.TABULAR, align=align)
        if titles:
            title = split_right(row, row.right - drawn.left, canvas.px(0.5))[1]
            canvas.draw_text(title, titles[i], TEXT_EM, MUTED, face=Typeface.DISPLAY)


def _draw_total(canvas: Canvas, rect: Rect, card: _ScoreCard) -> None:
    text = format_number(card.total)
    drawn = canvas.draw_text(rect, text, TITLE_EM, INK, face=Typeface.TABULAR, align=0.5)
    size = canvas.px(CROWN_SIZE)
    if card.is_leader and drawn.left - rect.left >= size:
        canvas.draw_icon("crown", (drawn.left - canvas.px(0.6) - size // 2, drawn.centery), size, WARN)
