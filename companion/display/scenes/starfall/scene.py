"""StarFall's scene: the ring of spaces with the pile in its middle, a payment, a page of the count, the final table."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import accumulate, pairwise
from math import cos, dist, pi, sin

from pygame import Rect

from companion.display.scenes.base import GameScene
from companion.display.scenes.starfall.payment import draw_naming, draw_payment, draw_tile_print
from companion.display.scenes.starfall.scoring import draw_choice, draw_page, draw_score_table
from companion.display.sound_effects import SoundEffect
from companion.display.toolkit import (
    BACKGROUND,
    INK,
    LINE,
    MUTED,
    PIECE_RGB,
    RAISED,
    TEXT_EM,
    TITLE_EM,
    Canvas,
    ScreenLayout,
    Typeface,
    format_signed,
    split_grid,
    split_left,
    split_right,
    split_rows,
    split_top,
    text_colour_for,
)
from companion.display.widgets import clock_content, draw_clock, find_clock
from companion.games.api.game import Seat
from companion.games.starfall.payment_rules import make_payment_view
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
)
from companion.games.starfall.state import Phase, ScoreKind, StarFallState
from companion.i18n import Translator
from companion.screen_state import Player, ScreenState

_ = Translator("starfall")

SPACE_WIDTH = 10.4
"""Diameter of an empty space at most, in units."""
TILE_WIDTH = 13.6
"""Side of a tile at most, in units."""
COLUMN_WIDTH = 37.5
"""Width of the column beside the ring, in units."""
MAX_RING_WIDTH = 132.0
"""Width of the ring at most, in units."""
DOT_DIAMETERS = (1.5, 1.25, 1.0, 0.75)
"""Diameters of the dots from one space to the next, in units."""
TILES_PER_STEP = 7
"""Tiles of the pile for each card drawn under its top."""
PILE_COUNT_RATIO = 1.1
"""Width of the number of tiles in the pile, as a multiple of its height."""
MAX_PILE_HEIGHT = 19.0
"""Height of the pile at most, in units."""
ELLIPSE_STEPS = 720
"""Points at which an ellipse is measured; more places its spaces more precisely."""


class StarFallScene(GameScene[StarFallState]):
    """The scene of StarFall: the board, a payment, or the count of symbols in the centre."""

    HAS_OWN_RESULT = True
    ACCENT = (110, 120, 196)

    def draw_result(self, canvas: Canvas, rect: Rect, state: ScreenState) -> None:
        """Draw how each score came about, line by line (F30 to F36).

        Args:
            canvas: Where it is drawn, while a region is painted.
            rect: Its place in pixels.
            state: What is shown; its view is a `StarFallState`.

        Raises:
            IndexError: A seat in the view has no player in the state.
            pygame.error: `rect` is too small, so that a part would have a negative size.
        """
        draw_score_table(canvas, rect, state.view.player_scores, state.players)

    def draw_game(self, canvas: Canvas, layout: ScreenLayout, state: ScreenState, view: StarFallState) -> None:
        """Draw the phase of the game.

        Args:
            canvas: Where it is drawn.
            layout: Places of the screen, in pixels.
            state: What is shown around the game: players, scores, clocks, dialogs.
            view: What is shown of the game: the same as `state.view`.

        Raises:
            IndexError: A seat in the view has no player in the state.
            pygame.error: The screen is too small, so that a part would have a negative size.
        """
        rect = layout.body if self.has_own_scores(state) else layout.stage
        content = (replace(view, changes=()), state.players)
        canvas.draw_region("main", rect, content, lambda: _draw_stage(canvas, rect, state, view))

    def has_own_scores(self, state: ScreenState) -> bool:
        """Return whether symbols are counted, or all are: the page and the table show the scores.

        Args:
            state: What is shown; its view is one of this scene's game.
        """
        return state.view.phase not in {Phase.TURN, Phase.NAMING, Phase.PAY, Phase.CHOOSE}

    def has_track(self, state: ScreenState) -> bool:
        """Return whether there is a clock, which stands in the place of the round track.

        Args:
            state: What is shown.
        """
        # There are no rounds: the clock has the track's place, where a dialog leaves it visible.
        return find_clock(state) is not None

    def draw_track(self, canvas: Canvas, layout: ScreenLayout, state: ScreenState) -> None:
        """Draw the clock of the turn as the region "track".

        Args:
            canvas: Where it is drawn.
            layout: Places of the screen, in pixels; it is drawn at `layout.track`.
            state: What is shown; it must have a clock.

        Raises:
            AssertionError: The state has no clock: `has_track` is False.
            pygame.error: The screen is too small, so that a part would have a negative size.
        """
        clock = find_clock(state)
        assert clock is not None, "the track is there for the clock"
        content = clock_content(clock)
        canvas.draw_region("track", layout.track, content, lambda: draw_clock(canvas, layout.track, clock, _("Turn")))

    def find_active_seat(self, view: StarFallState) -> Seat | None:
        """Return the seat of the player whose turn it is, or whose tiles are being counted; None: there is none.

        Args:
            view: What is shown of the game.
        """
        return view.active_seat if view.phase in (Phase.TURN, Phase.NAMING, Phase.PAY) else view.counting_seat

    def choose_sound(self, before: StarFallState, after: StarFallState) -> SoundEffect | None:
        """Return the sound of a tile that was added to the board, or that left it without going to a player; else None.

        Args:
            before: What was shown of the game before.
            after: What is shown of it now.
        """
        if len(after.board) > len(before.board):
            return SoundEffect.PIECE_ADDED
        counts_before, counts_after = (tuple(map(len, view.owned_tiles)) for view in (before, after))
        is_lost = len(after.board) < len(before.board) and counts_after == counts_before
        return SoundEffect.PIECE_LOST if is_lost else None


def _draw_stage(canvas: Canvas, rect: Rect, state: ScreenState, view: StarFallState) -> None:
    match view.phase:
        case Phase.TURN:
            _draw_board(canvas, rect, state, view)
        case Phase.NAMING:
            draw_naming(canvas, rect, view)
        case Phase.PAY if view.payment is not None:
            draw_payment(canvas, rect, make_payment_view(view, view.payment))
        case Phase.CHOOSE:
            draw_choice(canvas, rect, view, state.players)
        case Phase.PAGE if view.counting_seat is not None:
            draw_page(canvas, rect, view, view.player_scores[view.counting_seat])
        case _:
            draw_score_table(canvas, rect, view.player_scores, state.players)


def _draw_board(canvas: Canvas, rect: Rect, state: ScreenState, view: StarFallState) -> None:
    """Draw the ring; beside it the known symbols of its tiles, or the dust where the players' scores are points."""
    prints = [(space, view.get_symbol_counts(number)) for space, number in view.board]
    known = [(space, counts) for space, counts in prints if counts]
    scores_are_points = view.score_kind is not ScoreKind.DUST
    if not view.board and not scores_are_points:
        _draw_scoring_aid(canvas, rect, view)
        return
    ring = rect
    if known or scores_are_points:
        column, ring = split_right(rect, min(canvas.px(COLUMN_WIDTH), rect.w * 2 // 5), canvas.px(2))
        if scores_are_points:
            _draw_dust(canvas, column, state.players, view)
        else:
            _draw_known_tiles(canvas, column, known)
    _draw_ring(canvas, ring, view)


@cache
def spread_on_ellipse(count: int, rx: float, ry: float) -> tuple[tuple[float, float], ...]:
    """Return points on an ellipse around (0, 0), equally far apart along it, clockwise from right of the top.

    Args:
        count: Number of points, at least 1.
        rx: Half the width, in pixels.
        ry: Half the height, in pixels.

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


def _draw_ring(canvas: Canvas, rect: Rect, view: StarFallState) -> None:
    """Draw the spaces clockwise from the most expensive down to 0, and the pile in the middle."""
    tile_size = canvas.px(TILE_WIDTH)
    width = min(rect.w, canvas.px(MAX_RING_WIDTH))
    radii = ((width - tile_size) / 2, (rect.h - tile_size) / 2)
    points = spread_on_ellipse(view.settings.top_space + 1, *radii)
    _draw_dots(canvas, rect.center, view.settings.top_space + 1, *radii)
    apart = min(max(abs(x - u), abs(y - v)) for (x, y), (u, v) in pairwise(points))
    tile_size = min(tile_size, round(apart) - canvas.px(0.4))
    spaces = range(view.settings.top_space, -1, -1)
    next_space = view.next_free_space if view.can_add else None
    for space, (x, y) in zip(spaces, points, strict=True):
        centre = (rect.centerx + round(x), rect.centery + round(y))
        if space in view.occupied_spaces:
            is_bright = space in view.spaces_on_keys and view.can_pay_for(space)
            _draw_tile(canvas, centre, tile_size, space, is_bright=is_bright)
        else:
            size = min(canvas.px(SPACE_WIDTH), tile_size - canvas.px(1))
            is_next = space == next_space
            disc = canvas.draw_disc(centre, size, BACKGROUND, MUTED if is_next else LINE)
            canvas.draw_text(disc, str(space), TEXT_EM, INK if is_next else MUTED, face=Typeface.DISPLAY, align=0.5)
    inner = Rect(0, 0, width - 2 * canvas.px(TILE_WIDTH + 1.5), rect.h - 2 * canvas.px(TILE_WIDTH + 1.2))
    inner.center = rect.center
    _draw_pile(canvas, inner, view)


def _draw_dots(canvas: Canvas, middle: tuple[int, int], spaces: int, rx: float, ry: float) -> None:
    """Draw dots from space to space, each smaller than the one before: the direction in which tiles move."""
    per_space = len(DOT_DIAMETERS) + 1
    points = spread_on_ellipse(spaces * per_space, rx, ry)
    for space in range(spaces - 1):
        # A space stands in the middle of its stretch of the curve.
        first = space * per_space + (per_space + 1) // 2
        for (x, y), diameter in zip(points[first : first + len(DOT_DIAMETERS)], DOT_DIAMETERS, strict=True):
            canvas.draw_disc((middle[0] + round(x), middle[1] + round(y)), canvas.px(diameter), LINE)


def _draw_tile(canvas: Canvas, centre: tuple[int, int], size: int, price: int, *, is_bright: bool) -> None:
    """Draw a tile with its price; bright if it can be paid for and has a key on this page of the keys."""
    rect = Rect(0, 0, size, size)
    rect.center = centre
    white = PIECE_RGB["white"]
    canvas.draw_panel(rect, white if is_bright else RAISED, edge=INK if is_bright else MUTED, radius=2.2)
    ink = text_colour_for(white) if is_bright else INK
    canvas.draw_text(rect, str(price), TITLE_EM, ink, face=Typeface.DISPLAY, align=0.5)


def _draw_pile(canvas: Canvas, rect: Rect, view: StarFallState) -> None:
    """Draw how many tiles are left; if there is none, what that means."""
    if not view.pile_size:
        empty, last = _("Pile empty: ends with one tile left"), _("Pile empty: one more and it ends")
        text = last if len(view.board) == 2 else empty
        lines = 3 if canvas.is_portrait else 1
        canvas.draw_text(rect, text, TITLE_EM, INK, face=Typeface.DISPLAY, max_lines=lines, align=0.5)
        return
    lower, step = -(-view.pile_size // TILES_PER_STEP) - 1, canvas.px(0.6)
    words = _("in the pile")
    gap, height = canvas.px(2), max(1, min(rect.h - lower * step, canvas.px(MAX_PILE_HEIGHT)))
    top, words_width = Rect(0, 0, height, height), canvas.text_width(words, face=Typeface.DISPLAY)
    pile, count_width = top.w + lower * step, round(rect.h * PILE_COUNT_RATIO)
    left = rect.centerx - (pile + count_width + words_width + 2 * gap) // 2
    top.topleft = (left, rect.centery - (height + lower * step) // 2)
    for i in range(lower, -1, -1):
        canvas.draw_panel(top.move(i * step, i * step), RAISED, edge=INK, radius=1.8)
    canvas.draw_icon("star", top.center, height * 3 // 5, PIECE_RGB["gold"])
    count = Rect(left + pile + gap, rect.top, count_width, rect.h)
    canvas.draw_figure(count, str(view.pile_size), INK)
    left = count.right + gap
    canvas.draw_text(Rect(left, rect.top, words_width + gap, rect.h), words, TEXT_EM, INK, face=Typeface.DISPLAY)


def _draw_known_tiles(canvas: Canvas, rect: Rect, tiles: Sequence[tuple[int, Sequence[int]]]) -> None:
    """Draw the prices and symbols of the board's tiles, one under the other."""
    rows = split_rows(rect, len(tiles), canvas.px(1.4), canvas.px(17))
    for (space, symbol_counts), row in zip(tiles, rows, strict=True):
        canvas.draw_panel(row, RAISED)
        price, symbols = split_left(row, canvas.px(8.4))
        symbols.w -= canvas.px(0.4)
        canvas.draw_text(price, str(space), TEXT_EM, INK, face=Typeface.DISPLAY, align=0.5)
        draw_tile_print(canvas, symbols, symbol_counts)


def _draw_scoring_aid(canvas: Canvas, rect: Rect, view: StarFallState) -> None:
    """Draw what each kind of symbol, and dust, is worth at the end (F30 to F36), one under the other."""
    _none, hole, holes = BLACK_HOLE_POINTS
    fewest = _("fewest {points}", points=format_signed(FEWEST_STARS_POINTS))
    lines = [
        ("star", _("most {points}", points=format_signed(MOST_STARS_POINTS))),
        *([("", fewest)] if view.player_count >= PENALTY_MIN_PLAYERS else []),
        ("planet", _("{points} each", points=PLANET_POINTS)),
        ("moon", _("{points} with a planet", points=MOON_POINTS)),
        ("black hole", _("one {one}, more {more}", one=format_signed(hole), more=format_signed(holes))),
        ("comet", ", ".join(str(n * points) for n, points in enumerate(COMET_POINTS) if n)),
        ("nebula", _("{points} each, colours", points=NEBULA_POINTS)),
        ("", ", ".join(map(format_signed, NEBULA_COLOUR_POINTS[2:]))),
        ("sparkle", _("{n} for 1 point", n=DUST_PER_POINT)),
    ]
    cells = split_grid(rect, 2, -(-len(lines) // 2), 0, canvas.px(9))
    for (icon, line), cell in zip(lines, cells, strict=False):
        size = min(canvas.px(6.4), cell.h)
        place, text = split_left(cell, size, canvas.px(2))
        if icon:
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
