"""StarFall's scene: the ring of spaces with the pile in its middle, a payment, a page of the count, the final table."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise
from math import cos, dist, pi, sin

from pygame import Rect

from companion.display.scenes.base import GameScene
from companion.display.scenes.starfall.payment import draw_naming, draw_payment, draw_tile_print
from companion.display.scenes.starfall.scoring import draw_choice, draw_page, draw_score_table
from companion.display.sound_effects import SoundEffect
from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.layout import ScreenLayout, lay_out_screen
from companion.display.toolkit.text import FontWeight
from companion.display.toolkit.theme import (
    BACKGROUND,
    BODY_EM,
    BUTTON_COLOURS,
    HEADING_EM,
    INK,
    LINE,
    MIN_EM,
    MIN_FAR_EM,
    MUTED,
    PANEL,
    PIECE_RGB,
    RAISED,
    SEAT_SHAPES,
    SMALL_EM,
    TITLE_EM,
    WARN,
    text_colour_for,
)
from companion.display.widgets.clocks import clock_content, draw_clock
from companion.display.widgets.dialog import draw_dialog_if_open
from companion.display.widgets.header import draw_header, draw_status_line
from companion.display.widgets.players import draw_players
from companion.display.widgets.soft_keys import draw_soft_keys
from companion.games.api.game import Seat
from companion.games.starfall.view import BoardTile, Phase, StarFallView
from companion.i18n import Translator
from companion.screen_state import ScreenState

_ = Translator("starfall")

SPACE_WIDTH = 10.4
"""Width of an empty space."""
TILE_WIDTH = 13.6
COLUMN_WIDTH = 37.5
"""Width of what stands beside the ring."""
MAX_RING_WIDTH = 92.0
"""Of the ring."""
DOT_DIAMETERS = (1.5, 1.25, 1.0, 0.75)
"""Diameters of the dots from one space to the next."""
TILES_PER_STEP = 7
MAX_PILE_HEIGHT = 19.0
"""Height of the pile at most."""


class StarFallScene(GameScene[StarFallView]):
    """Players at the left; the rest belongs to the board, the payment, or the count."""

    def draw_result(self, canvas: Canvas, rect: Rect, shown: ScreenState) -> None:
        """How each score came about, line by line (F30 to F36)."""
        assert isinstance(shown.view, StarFallView), "StarFall's scene draws its own game"
        draw_score_table(canvas, rect, shown.view.player_scores, shown.players)

    def draw(self, canvas: Canvas, state: ScreenState) -> None:
        """Draws `shown`, whose view is a `StarFallView`."""
        view = state.view
        assert isinstance(view, StarFallView), "StarFall's scene draws its own game"
        clock = state.clocks[0] if state.clocks else None
        places = lay_out_screen(canvas, has_track=clock is not None)
        active = _addressed_seat(view)
        draw_header(canvas, places, state, active, rounds=1 if clock else 0)
        if clock is not None:
            # There are no rounds: the clock has the track's place, so that a question leaves it in sight.
            rect = places.track
            canvas.draw_region("track", rect, clock_content(clock), lambda: draw_clock(canvas, rect, clock, _("Turn")))
        draw_players(canvas, places, state, active, view.changes)
        if not draw_dialog_if_open(canvas, places.centre, state, "main"):
            self._draw_centre(canvas, places, state, view)
        draw_status_line(canvas, places, state)
        draw_soft_keys(canvas, places, state)

    def choose_sound(self, before: StarFallView, after: StarFallView) -> SoundEffect | None:
        """A tile comes onto the board, or leaves it and nobody has it."""
        if len(after.board) > len(before.board):
            return SoundEffect.PIECE_ADDED
        fell = len(after.board) < len(before.board) and after.tile_counts == before.tile_counts
        return SoundEffect.PIECE_LOST if fell else None

    def _draw_centre(self, canvas: Canvas, places: ScreenLayout, shown: ScreenState, view: StarFallView) -> None:
        rect = places.centre
        shows = (replace(view, changes=()), shown.players)

        def paint() -> None:
            match view.phase:
                case Phase.TURN:
                    _draw_board(canvas, rect, shown, view)
                case Phase.NAMING:
                    draw_naming(canvas, rect, view)
                case Phase.PAY if view.payment is not None:
                    draw_payment(canvas, rect, view.payment)
                case Phase.CHOOSE:
                    draw_choice(canvas, rect, view, shown.players)
                case Phase.PAGE if view.counting_seat is not None:
                    draw_page(canvas, rect, view, view.player_scores[view.counting_seat])
                case _:
                    draw_score_table(canvas, rect, view.player_scores, shown.players)

        canvas.draw_region("main", rect, shows, paint)


def _addressed_seat(view: StarFallView) -> Seat | None:
    if view.phase in (Phase.TURN, Phase.NAMING, Phase.PAY):
        return view.active_seat
    return view.counting_seat


def _draw_board(canvas: Canvas, rect: Rect, shown: ScreenState, view: StarFallView) -> None:
    """The ring; beside it what is known of its tiles, and the dust where the names show points."""
    known = [tile for tile in view.board if tile.symbol_counts]
    points = view.score_kind != "dust"
    canvas.draw_panel(rect, PANEL, radius=2.4)
    ring = rect.inflate(-canvas.px(3), -canvas.px(2))
    if known or points:
        wide = min(canvas.px(COLUMN_WIDTH), ring.w * 2 // 5)
        column = Rect(ring.right - wide, ring.top, wide, ring.h)
        ring = Rect(ring.left, ring.top, column.left - canvas.px(2) - ring.left, ring.h)
        _draw_column(canvas, column, shown, view, known if not points else ())
    else:
        # In the corner beside the names: what their numbers are.
        size = canvas.px(3.4)
        canvas.draw_icon("sparkle", (ring.left + size // 2, ring.top + size // 2), size, MUTED)
        words = Rect(ring.left + size + canvas.px(1), ring.top, canvas.px(16), size)
        canvas.draw_text(words, _("dust"), SMALL_EM, MUTED)
    _draw_ring(canvas, ring, view)


@cache
def spread_on_ellipse(count: int, rx: float, ry: float) -> tuple[tuple[float, float], ...]:
    """Points on an ellipse round 0, equally far apart along it, clockwise from the top right of the middle.

    >>> [(round(x), round(y)) for x, y in spots(4, 10, 10)]
    [(7, -7), (7, 7), (-7, 7), (-7, -7)]
    """
    fine = 720
    curve = [(rx * sin(2 * pi * i / fine), -ry * cos(2 * pi * i / fine)) for i in range(fine + 1)]
    along = [0.0]
    for one, next_one in pairwise(curve):
        along.append(along[-1] + dist(one, next_one))
    step = along[-1] / count
    wanted = [step * (i + 0.5) for i in range(count)]
    return tuple(curve[min(range(fine + 1), key=lambda i: abs(along[i] - at))] for at in wanted)


def _draw_ring(canvas: Canvas, rect: Rect, view: StarFallView) -> None:
    """The spaces from the dearest down to 0, clockwise; the pile in the middle."""
    on = {tile.space: tile for tile in view.board}
    tile_size = canvas.px(TILE_WIDTH)
    wide = min(rect.w, canvas.px(MAX_RING_WIDTH))
    radii = ((wide - tile_size) / 2, (rect.h - tile_size) / 2)
    found = spread_on_ellipse(view.top_space + 1, *radii)
    _draw_dots(canvas, rect.center, view.top_space + 1, *radii)
    apart = min(max(abs(x - u), abs(y - v)) for (x, y), (u, v) in pairwise(found))
    tile_size = min(tile_size, round(apart) - canvas.px(0.4))
    free = next((s for s in range(view.top_space, -1, -1) if s not in on), None)
    for space, (x, y) in zip(range(view.top_space, -1, -1), found, strict=True):
        centre = (rect.centerx + round(x), rect.centery + round(y))
        if space in on:
            _draw_tile(canvas, centre, tile_size, on[space])
        else:
            size = min(canvas.px(SPACE_WIDTH), tile_size - canvas.px(1))
            _draw_space(
                canvas, centre, size, space, comes=space == free and view.pile_size > 0 and not view.is_board_full
            )
    inner = Rect(0, 0, wide - 2 * canvas.px(TILE_WIDTH + 1.5), rect.h - 2 * canvas.px(TILE_WIDTH + 1.2))
    inner.center = rect.center
    _draw_pile(canvas, inner, view)


def _draw_dots(canvas: Canvas, middle: tuple[int, int], spaces: int, rx: float, ry: float) -> None:
    """Dots from space to space, each smaller than the one before: the way that tiles go."""
    between = len(DOT_DIAMETERS) + 1
    fine = spread_on_ellipse(spaces * between, rx, ry)
    for space in range(spaces - 1):
        # A space stands in the middle of its stretch of the curve.
        first = space * between + (between + 1) // 2
        for (x, y), size in zip(fine[first : first + len(DOT_DIAMETERS)], DOT_DIAMETERS, strict=True):
            canvas.draw_disc((middle[0] + round(x), middle[1] + round(y)), canvas.px(size), LINE)


def _draw_tile(canvas: Canvas, centre: tuple[int, int], size: int, tile: BoardTile) -> None:
    """A tile with its price; one that cannot be paid for, or stands on another page of the keys, is not bright."""
    box = Rect(0, 0, size, size)
    box.center = centre
    bright = tile.is_payable and tile.number_key > 0
    face, ink = (PIECE_RGB["white"], text_colour_for(PIECE_RGB["white"])) if bright else (RAISED, INK)
    canvas.draw_panel(box, face, edge=INK if bright else MUTED, radius=2.2)
    canvas.draw_text(box, str(tile.space), TITLE_EM, ink, weight=FontWeight.BOLD, min_size=MIN_FAR_EM, align=0.5)


def _draw_space(canvas: Canvas, centre: tuple[int, int], size: int, space: int, *, comes: bool) -> None:
    disc = canvas.draw_disc(centre, size, BACKGROUND, MUTED if comes else LINE)
    canvas.draw_text(disc, str(space), HEADING_EM, INK if comes else MUTED, align=0.5)


def _draw_pile(canvas: Canvas, rect: Rect, view: StarFallView) -> None:
    """How many tiles are left; when none is, what that means."""
    if view.pile_size:
        below = Rect(rect.left, rect.bottom - rect.h * 28 // 100, rect.w, rect.h * 28 // 100)
        canvas.draw_text(below, _("in the pile"), BODY_EM, MUTED, align=0.5, vertical_align=0.4)
        tall = below.top - rect.top
        # A step for each few tiles that lie one on the other.
        lower, step = -(-view.pile_size // TILES_PER_STEP) - 1, canvas.px(0.9)
        high = min(tall - lower * step, canvas.px(MAX_PILE_HEIGHT))
        top = Rect(0, 0, min(rect.w - lower * step, high * 6 // 5), high)
        top.topleft = (rect.centerx - (top.w + lower * step) // 2, below.top - lower * step - high)
        for i in range(lower, -1, -1):
            canvas.draw_panel(top.move(i * step, i * step), RAISED, edge=MUTED, radius=1.8)
        size = max(MIN_FAR_EM, high / canvas.unit_px * 0.82)
        canvas.draw_text(top, str(view.pile_size), size, INK, weight=FontWeight.BOLD, min_size=MIN_FAR_EM, align=0.5)
        return
    words = _("Pile empty: one more and it ends") if view.is_last_tile else _("Pile empty: ends with one tile left")
    canvas.draw_text(rect, words, HEADING_EM, WARN, weight=FontWeight.BOLD, max_lines=4, align=0.5)


def _draw_column(
    canvas: Canvas, rect: Rect, shown: ScreenState, view: StarFallView, known: list[BoardTile] | tuple[()]
) -> None:
    """What is printed on the board's tiles; or, where the names show points, everybody's dust."""
    if known:
        gap = canvas.px(1.4)
        tall = min(canvas.px(17), (rect.h - gap * (len(known) - 1)) // len(known))
        for i, tile in enumerate(known):
            row = Rect(rect.left, rect.top + i * (tall + gap), rect.w, tall)
            canvas.draw_panel(row, RAISED)
            price = Rect(row.left, row.top, canvas.px(8.4), row.h)
            canvas.draw_text(price, str(tile.space), HEADING_EM, INK, weight=FontWeight.BOLD, align=0.5)
            draw_tile_print(
                canvas, Rect(price.right, row.top, row.right - canvas.px(0.4) - price.right, row.h), tile.symbol_counts
            )
        return
    canvas.draw_text(Rect(rect.left, rect.top, rect.w, canvas.px(5)), _("Dust"), SMALL_EM, MUTED)
    tall = min(canvas.px(11.5), (rect.h - canvas.px(6)) // len(shown.players))
    for i, player in enumerate(shown.players):
        row = Rect(rect.left, rect.top + canvas.px(6) + i * tall, rect.w, tall)
        size = min(canvas.px(6), tall - canvas.px(1))
        canvas.draw_icon(
            SEAT_SHAPES[player.button], (row.left + size // 2, row.centery), size, BUTTON_COLOURS[player.button]
        )
        left = row.left + size + canvas.px(3)
        canvas.draw_icon("sparkle", (left + size // 2, row.centery), size, MUTED)
        digits = Rect(left, row.top, row.right - left, row.h)
        canvas.draw_text(
            digits, str(view.dust[player.seat]), MIN_FAR_EM, INK, weight=FontWeight.BOLD, min_size=MIN_EM, align=1.0
        )
