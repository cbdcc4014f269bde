"""The board of StarFall: the pile and the ring of tiles, and beside it what symbols are worth."""

from collections.abc import Sequence
from functools import cache
from itertools import accumulate, pairwise
from math import cos, dist, pi, sin
from random import Random

from pygame import Rect

from companion.display.toolkit import (
    BACKGROUND,
    INK,
    LINE,
    LINE_PITCH_EM,
    MUTED,
    PANEL,
    RAISED,
    TEXT_EM,
    TITLE_EM,
    Canvas,
    Typeface,
    format_signed,
    mix_colours,
    split_bottom,
    split_grid,
    split_left,
    split_right,
    split_rows,
    split_top,
)
from companion.games.starfall.display.tiles import draw_price, draw_tile_art, draw_tile_print
from companion.games.starfall.scoring import (
    BLACK_HOLE_POINTS,
    COMET_POINTS,
    DUST_PER_POINT,
    FEWEST_STARS_POINTS,
    MOON_POINTS,
    MOST_STARS_POINTS,
    NEBULA_COLOUR_POINTS,
    NEBULA_POINTS,
    PENALTY_MIN_PLAYERS,
    PLANET_POINTS,
    ScoreKind,
)
from companion.games.starfall.state import StarFallState
from companion.i18n import Translator
from companion.screen_state import Player, ScreenState

_ = Translator("starfall")

SPACE_WIDTH = 12.4
"""Diameter of an empty space at most, in units."""
TILE_WIDTH = 16.5
"""Side of a tile at most, in units."""
MARK_WIDTH = 1.5
"""Width of the frame of the marked tile, in units."""
TILE_MARGIN = 1.6
"""Room around a tile for its glow and its price, in units."""
MIDDLE_HEIGHT = 17.0
"""Height of the ring's middle with the margins of its tiles, where the pile lies in it, in units."""
EMPTY_MIDDLE_HEIGHT = 27.0
"""The same when the pile is empty: three lines of text lie in it."""
COLUMN_WIDTH = 37.5
"""Width of the column with symbols or dust beside the ring, in units."""
MAX_VALUES_WIDTH = 66.0
"""Width of the symbols' values beside the ring at most, in units."""
PILE_WIDTH = 21.0
"""Width of the pile's column beside the ring, in units."""
DOT_DIAMETERS = (1.5, 1.25, 1.0, 0.75)
"""Diameters of the dots from one space to the next, in units."""
DOT_SHARE = 0.5
"""Share of ink in the colour of the dots; the rest is the ground."""
TILES_PER_STEP = 7
"""Tiles of the pile for each card drawn under its top."""
PILE_STEP = 0.8
"""Distance of two cards of the pile, in units."""
MIN_PILE_ROOM = 24.0
"""Room for the pile in units that is left by the words beside it; with less they are left out."""
BONUSES_HEIGHT = 7.0
"""Height in units of the line of bonuses for colours of nebulae, upright while tiles are out."""
MAX_PILE_HEIGHT = 28.0
"""Height of the pile at most, in units."""
MAX_INNER_PILE_HEIGHT = 13.0
"""The same where the pile lies in the middle of the ring."""
CARD_EDGE = (120, 140, 210)
"""Colour of the edge of a sky tile's back."""
STAR_COUNT = 70
"""Stars on the ground."""
STAR_DIAMETERS = (0.4, 0.5, 0.7)
"""Diameters of the stars on the ground, in units."""
STAR_SHARE = 0.4
"""Share of ink in the colour of the stars on the ground."""
MAX_ELLIPSE_RATIO = 1.6
"""Ratio of width to height up to which the spaces stand on an ellipse, and beyond it in two rows."""
ELLIPSE_STEPS = 720
"""Points at which an ellipse is measured; more places its spaces more precisely."""


def draw_board(canvas: Canvas, rect: Rect, state: ScreenState, view: StarFallState) -> None:
    """Draw pile and ring; beside it the known symbols of its tiles, else what symbols are worth: upright at the start.

    Where the players' scores are points, their dust stands there.
    """
    _draw_stars(canvas, rect)
    prints = [(space, view.get_symbol_counts(number)) for space, number in view.board]
    known = [(space, counts) for space, counts in prints if counts]
    scores_are_points = view.score_kind is not ScoreKind.DUST
    if not view.board and not scores_are_points and canvas.is_portrait:
        _draw_scoring_aid(canvas, rect, view)
        return
    gap, ring, tile_size = canvas.px(2), rect, canvas.px(TILE_WIDTH)
    if known or scores_are_points:
        column, ring = split_right(ring, min(canvas.px(COLUMN_WIDTH), rect.w * 2 // 5), gap)
        if scores_are_points:
            _draw_dust(canvas, column, state.players, view)
        else:
            _draw_known_tiles(canvas, column, known)
    elif canvas.is_far:
        pass  # what symbols are worth stands on everybody's card
    elif not canvas.is_portrait:
        ring = _draw_symbol_values(canvas, ring, view, gap)
    else:
        bonuses, ring = split_bottom(ring, canvas.px(BONUSES_HEIGHT), gap)
        words = dict(_list_symbol_values(view))
        text = canvas.draw_icon_left(bonuses, "nebula", min(canvas.px(5.4), bonuses.h), INK, gap=1.4)
        line = f"{words['few colours']}, {words['many colours']}"
        canvas.draw_text(text, line, TEXT_EM, INK, face=Typeface.DISPLAY)
    if canvas.is_portrait:
        tile_size = min(tile_size, (ring.h - canvas.px(MIDDLE_HEIGHT if view.pile_size else EMPTY_MIDDLE_HEIGHT)) // 2)
        inner = ring.inflate(*[-2 * (tile_size + canvas.px(TILE_MARGIN))] * 2)
    else:
        inner, ring = split_left(ring, canvas.px(PILE_WIDTH), gap)
    _draw_ring(canvas, ring, tile_size, view)
    _draw_pile(canvas, inner, view)


def _draw_stars(canvas: Canvas, rect: Rect) -> None:
    """Draw small stars on the ground, always at the same places."""
    random = Random(STAR_COUNT)
    colour = mix_colours(canvas.ground_colour, canvas.rgb(INK), STAR_SHARE)
    for i in range(STAR_COUNT):
        centre = (rect.left + int(random.random() * rect.w), rect.top + int(random.random() * rect.h))
        canvas.draw_disc(centre, canvas.px(STAR_DIAMETERS[i % len(STAR_DIAMETERS)]), colour)


@cache
def spread_on_ellipse(count: int, rx: float, ry: float) -> tuple[tuple[float, float], ...]:
    """Return points on an ellipse around (0, 0), equally far apart along it, clockwise from right of the top.

    Args:
        count: number of points, at least 1.
        rx: half the width, in pixels.
        ry: half the height, in pixels.

    Returns:
        x (to the right) and y (downwards) of each point, in pixels.

    Raises:
        ZeroDivisionError: `count` is 0.

    >>> [(round(x), round(y)) for x, y in spread_on_ellipse(4, 10, 10)]
    [(7, -7), (7, 7), (-7, 7), (-7, -7)]
    """
    angles = [2 * pi * i / ELLIPSE_STEPS for i in range(ELLIPSE_STEPS + 1)]
    curve = [(rx * sin(angle), -ry * cos(angle)) for angle in angles]
    lengths = list(accumulate((dist(*points) for points in pairwise(curve)), initial=0.0))
    wanted = [lengths[-1] / count * (i + 0.5) for i in range(count)]
    return tuple(curve[min(range(len(curve)), key=lambda i: abs(lengths[i] - length))] for length in wanted)


def spread_in_two_rows(count: int, rx: float, ry: float) -> tuple[tuple[float, float], ...]:
    """Return points in two rows around (0, 0), clockwise from the upper left: the rows are open at the left.

    Args:
        count: number of points, at least 3; of an odd number the upper row has one more.
        rx: half the width, in pixels.
        ry: half the height, in pixels.

    Returns:
        x (to the right) and y (downwards) of each point, in pixels.

    Raises:
        ZeroDivisionError: `count` is less than 3.

    >>> spread_in_two_rows(5, 10, 4)
    ((-10.0, -4), (0.0, -4), (10.0, -4), (10.0, 4), (-10.0, 4))
    """
    upper, lower = count - count // 2, count // 2
    step = 2 * rx / (upper - 1)
    right = [(-rx + i * step, -ry) for i in range(upper)]
    # An odd last space stands under the first one: the lower row is as wide.
    left = [(rx - i * (2 * rx / max(1, lower - 1)), ry) for i in range(lower)]
    return (*right, *left)


def _draw_ring(canvas: Canvas, rect: Rect, tile_size: int, view: StarFallState) -> None:
    """Draw the spaces clockwise from the most expensive down to 0."""
    margin = 2 * canvas.px(TILE_MARGIN)
    radii = ((rect.w - margin - tile_size) / 2, (rect.h - margin - tile_size) / 2)
    count = view.settings.top_space + 1
    # In a low place an ellipse's ends are narrow: two rows have larger spaces.
    spread = spread_in_two_rows if rect.w > MAX_ELLIPSE_RATIO * rect.h else spread_on_ellipse
    points = spread(count, *radii)
    _draw_dots(canvas, rect.center, points)
    apart = min(max(abs(x - u), abs(y - v)) for (x, y), (u, v) in pairwise(points))
    tile_size = min(tile_size, round(apart) - canvas.px(0.4))
    spaces = range(view.settings.top_space, -1, -1)
    numbers, next_space = dict(view.board), view.next_free_space if view.can_add else None
    if view.marked_space is not None:
        next_space = view.find_landing_space(view.marked_space)
    prices: list[tuple[Rect, int, bool]] = []
    for space, (x, y) in zip(spaces, points, strict=True):
        centre = (rect.centerx + round(x), rect.centery + round(y))
        canvas.set_anchor(f"space {space}", centre)
        if space in numbers:
            square = Rect(0, 0, tile_size, tile_size)
            square.center = centre
            is_marked = space == view.marked_space
            is_bright = view.can_pay_for(space) and (is_marked or view.marked_space is None)
            if is_marked:
                canvas.draw_panel(square.inflate(*[2 * canvas.px(MARK_WIDTH)] * 2), INK, radius=4)
            draw_tile_art(canvas, square, view.get_symbol_counts(numbers[space]), glows=is_bright and not is_marked)
            prices.append((square, space, is_bright))
        else:
            size = min(canvas.px(SPACE_WIDTH), tile_size - canvas.px(1))
            is_next = space == next_space
            disc = canvas.draw_disc(centre, size, BACKGROUND, INK if is_next else LINE)
            canvas.draw_text(disc, str(space), TITLE_EM, INK if is_next else MUTED, face=Typeface.DISPLAY, align=0.5)
    # A price reaches over the edge of its tile: the neighbour would cover it.
    for square, space, is_bright in prices:
        draw_price(canvas, square, space, is_bright=is_bright)


def _draw_dots(canvas: Canvas, middle: tuple[int, int], points: Sequence[tuple[float, float]]) -> None:
    """Draw dots from space to space, each smaller than the one before: the direction in which tiles move."""
    steps = len(DOT_DIAMETERS) + 1
    colour = mix_colours(canvas.ground_colour, canvas.rgb(INK), DOT_SHARE)
    for (x, y), (u, v) in pairwise(points):
        for i, diameter in enumerate(DOT_DIAMETERS, 1):
            dx, dy = (u - x) * i / steps, (v - y) * i / steps
            canvas.draw_disc((middle[0] + round(x + dx), middle[1] + round(y + dy)), canvas.px(diameter), colour)


def _draw_pile(canvas: Canvas, rect: Rect, view: StarFallState) -> None:
    """Draw how many tiles are left, the words below or at the right; if there is none, what that means."""
    canvas.set_anchor("pile", rect.center)
    if not view.pile_size:
        empty, last = _("Pile empty: ends with one tile left"), _("Pile empty: one more and it ends")
        text = last if len(view.board) == 2 else empty
        em = TEXT_EM if canvas.is_portrait else TITLE_EM
        canvas.draw_text(rect, text, em, INK, face=Typeface.DISPLAY, max_lines=4, align=0.5)
        return
    lower, step, gap = -(-view.pile_size // TILES_PER_STEP) - 1, canvas.px(PILE_STEP), canvas.px(1.4)
    is_wide = rect.w > 2 * rect.h
    lower = min(lower, 1) if is_wide else lower
    words, words_height = _("in the pile"), canvas.px(TEXT_EM * LINE_PITCH_EM[Typeface.DISPLAY])
    words_width = canvas.text_width(words, face=Typeface.DISPLAY)
    if is_wide and words_width + canvas.px(MIN_PILE_ROOM) > rect.w:
        # The cards say it as well.
        words, words_width = "", 0
    room = (rect.w - words_width - gap, rect.h) if is_wide else (rect.w, rect.h - words_height - gap)
    side = max(
        1,
        min(
            *(length - lower * step for length in room),
            canvas.px(MAX_INNER_PILE_HEIGHT if canvas.is_portrait else MAX_PILE_HEIGHT),
        ),
    )
    whole = Rect(0, 0, side + lower * step, side + lower * step)
    whole.w, whole.h = (whole.w + gap + words_width, whole.h) if is_wide else (whole.w, whole.h + gap + words_height)
    whole.center = rect.center
    top = Rect(whole.topleft, (side, side))
    for i in range(lower, -1, -1):
        canvas.draw_panel(top.move(i * step, i * step), PANEL, edge=CARD_EDGE, radius=2.6)
    canvas.draw_figure(top.inflate(-canvas.px(1), 0), str(view.pile_size), INK)
    below = Rect(rect.left, whole.bottom - words_height, rect.w, words_height)
    place = split_right(whole, words_width)[0] if is_wide else below
    canvas.draw_text(place, words, TEXT_EM, INK, face=Typeface.DISPLAY, align=0.5)


def _draw_symbol_values(canvas: Canvas, rect: Rect, view: StarFallState, gap: int) -> Rect:
    """Draw at the right what each kind of symbol is worth, in as many words as fit; return the rest left of a gap."""
    words = dict(_list_symbol_values(view))
    if "fewest stars" in words:
        most, fewest = format_signed(MOST_STARS_POINTS), format_signed(FEWEST_STARS_POINTS)
        words["star"] = _("most {most}, fewest {fewest}", most=most, fewest=fewest)
    words["colours"] = f"{words['few colours']}, {words['many colours']}"
    # Short words share a row.
    rows = [("star",), ("planet", "moon"), ("black hole",), ("comet",), ("nebula", "sparkle"), ("colours",)]
    icon_width, between = canvas.px(5.4) + canvas.px(1.4), canvas.px(2)
    widths = {icon: icon_width + canvas.text_width(words[icon], face=Typeface.DISPLAY) for row in rows for icon in row}
    widest = max(sum(widths[icon] for icon in row) + between * (len(row) - 1) for row in rows)
    column, rest = split_right(rect, min(widest + canvas.px(3), canvas.px(MAX_VALUES_WIDTH)), gap)
    inner = canvas.draw_panel(column, PANEL, radius=2.2, padding=(2.4, 0.4))
    for row, place in zip(rows, split_grid(inner, 1, len(rows), 0), strict=True):
        left = place
        for icon in row:
            text = split_left(left, icon_width)[1]
            if icon != "colours":
                text = canvas.draw_icon_left(left, icon, min(canvas.px(5.4), place.h), INK, gap=1.4)
            canvas.draw_text(text, words[icon], TEXT_EM, INK, face=Typeface.DISPLAY)
            left = split_left(left, widths[icon], between)[1]
    return rest


def _draw_known_tiles(canvas: Canvas, rect: Rect, tiles: Sequence[tuple[int, Sequence[int]]]) -> None:
    """Draw the prices and symbols of the board's tiles, one under the other."""
    rows = split_rows(rect, len(tiles), canvas.px(1.4), canvas.px(17))
    for (space, symbol_counts), row in zip(tiles, rows, strict=True):
        canvas.draw_panel(row, RAISED)
        price, symbols = split_left(row, canvas.px(8.4))
        symbols.w -= canvas.px(0.4)
        canvas.draw_text(price, str(space), TEXT_EM, INK, face=Typeface.DISPLAY, align=0.5)
        draw_tile_print(canvas, symbols, symbol_counts)


def _list_symbol_values(view: StarFallState) -> list[tuple[str, str]]:
    """List what each kind of symbol, and dust, is worth at the end (F30 to F36): kind or a second line, and words."""
    _none, hole, holes = BLACK_HOLE_POINTS
    bonuses = [f"{n}: {points}" for n, points in enumerate(NEBULA_COLOUR_POINTS) if points]
    fewest = _("fewest {points}", points=format_signed(FEWEST_STARS_POINTS))
    return [
        ("star", _("most {points}", points=format_signed(MOST_STARS_POINTS))),
        *([("fewest stars", fewest)] if view.player_count >= PENALTY_MIN_PLAYERS else []),
        ("planet", _("{points} each", points=PLANET_POINTS)),
        ("moon", _("{points} with a planet", points=MOON_POINTS)),
        ("black hole", _("one {one}, more {more}", one=format_signed(hole), more=format_signed(holes))),
        ("comet", ", ".join(str(n * points) for n, points in enumerate(COMET_POINTS) if n)),
        ("nebula", _("{points} each, colours", points=NEBULA_POINTS)),
        ("few colours", ", ".join(bonuses[:2])),
        ("many colours", ", ".join(bonuses[2:])),
        ("sparkle", _("{n} for 1", n=DUST_PER_POINT)),
    ]


def _draw_scoring_aid(canvas: Canvas, rect: Rect, view: StarFallState) -> None:
    """Draw what each kind of symbol, and dust, is worth at the end, one under the other in two columns."""
    lines = _list_symbol_values(view)
    columns = split_grid(rect, 2, 1, 0)
    cells = [cell for column in columns for cell in split_grid(column, 1, -(-len(lines) // 2), 0, canvas.px(9))]
    for (icon, line), cell in zip(lines, cells, strict=False):
        size = min(canvas.px(6.4), cell.h)
        place, text = split_left(cell, size, canvas.px(2))
        if icon not in ("fewest stars", "few colours", "many colours"):
            canvas.draw_icon(icon, place.center, size, INK)
        canvas.draw_text(text, line, TEXT_EM, INK, face=Typeface.DISPLAY)


def _draw_dust(canvas: Canvas, rect: Rect, players: Sequence[Player], view: StarFallState) -> None:
    """Draw each player's dust."""
    head, body = split_top(rect, canvas.px(7))
    canvas.draw_text(head, _("Dust"), TEXT_EM, INK, face=Typeface.DISPLAY)
    rows = split_rows(body, len(players), 0, canvas.px(11.5))
    for player, dust, row in zip(players, view.dust, rows, strict=True):
        size = min(canvas.px(6), row.h - canvas.px(1))
        digits = canvas.draw_badge_left(row, player.button, size, gap=3)
        canvas.draw_icon_left(digits, "sparkle", size, INK)
        canvas.draw_text(digits, str(dust), TITLE_EM, INK, face=Typeface.DISPLAY, align=1.0)
