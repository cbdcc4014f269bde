"""StarFall's scene: the ring of spaces with the pile in its middle, a payment, a page of the count, the final table."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise
from math import cos, dist, pi, sin

from pygame import Rect

from companion.display.scenes.base import GameScene
from companion.display.scenes.starfall.payment import naming, payment, print_of
from companion.display.scenes.starfall.scoring import choose, page, table
from companion.display.sound_effects import Effect
from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.layout import Grid, grid
from companion.display.toolkit.text import Weight
from companion.display.toolkit.theme import (
    BACKGROUND,
    BODY,
    COLOURS,
    FAR,
    FLOOR,
    HEAD,
    INK,
    LINE,
    MUTED,
    PANEL,
    PIECES,
    RAISED,
    SHAPES,
    SMALL,
    TITLE,
    WARN,
    on,
)
from companion.display.widgets.clocks import clock_shows, draw_clock
from companion.display.widgets.dialog import dialog
from companion.display.widgets.header import header, status
from companion.display.widgets.players import players
from companion.display.widgets.soft_keys import keys
from companion.games.api.game import Seat
from companion.games.starfall.view import BoardTile, Phase, StarFallView
from companion.i18n import Words
from companion.screen_state import Shown

_ = Words("starfall")

SPACE = 10.4
"""Width of an empty space."""
TILE = 13.6
COLUMN = 37.5
"""Width of what stands beside the ring."""
WIDEST = 92.0
"""Of the ring."""
WAY = (1.5, 1.25, 1.0, 0.75)
"""Diameters of the dots from one space to the next."""
TILES_A_STEP = 7
DECK = 19.0
"""Height of the pile at most."""


class StarFallScene(GameScene[StarFallView]):
    """Players at the left; the rest belongs to the board, the payment, or the count."""

    def result(self, canvas: Canvas, rect: Rect, shown: Shown) -> None:
        """How each score came about, line by line (F30 to F36)."""
        assert isinstance(shown.view, StarFallView), "StarFall's scene draws its own game"
        table(canvas, rect, shown.view.rows, shown.players)

    def draw(self, canvas: Canvas, shown: Shown) -> None:
        """Draws `shown`, whose view is a `StarFallView`."""
        view = shown.view
        assert isinstance(view, StarFallView), "StarFall's scene draws its own game"
        clock = shown.clocks[0] if shown.clocks else None
        places = grid(canvas, track=clock is not None)
        active = _spoken_to(view)
        header(canvas, places, shown, active, rounds=1 if clock else 0)
        if clock is not None:
            # There are no rounds: the clock has the track's place, so that a question leaves it in sight.
            rect = places.track
            canvas.part("track", rect, clock_shows(clock), lambda: draw_clock(canvas, rect, clock, _("Turn")))
        players(canvas, places, shown, active, view.changes)
        if not dialog(canvas, places.centre, shown, "main"):
            self._centre(canvas, places, shown, view)
        status(canvas, places, shown)
        keys(canvas, places, shown)

    def effect(self, before: StarFallView, after: StarFallView) -> Effect | None:
        """A tile comes onto the board, or leaves it and nobody has it."""
        if len(after.board) > len(before.board):
            return Effect.NEW
        fell = len(after.board) < len(before.board) and after.tiles == before.tiles
        return Effect.FALL if fell else None

    def _centre(self, canvas: Canvas, places: Grid, shown: Shown, view: StarFallView) -> None:
        rect = places.centre
        shows = (replace(view, changes=()), shown.players)

        def paint() -> None:
            match view.phase:
                case Phase.TURN:
                    _board(canvas, rect, shown, view)
                case Phase.NAMING:
                    naming(canvas, rect, view)
                case Phase.PAY if view.paying is not None:
                    payment(canvas, rect, view.paying)
                case Phase.CHOOSE:
                    choose(canvas, rect, view, shown.players)
                case Phase.PAGE if view.page is not None:
                    page(canvas, rect, view, view.rows[view.page])
                case _:
                    table(canvas, rect, view.rows, shown.players)

        canvas.part("main", rect, shows, paint)


def _spoken_to(view: StarFallView) -> Seat | None:
    if view.phase in (Phase.TURN, Phase.NAMING, Phase.PAY):
        return view.active
    return view.page


def _board(canvas: Canvas, rect: Rect, shown: Shown, view: StarFallView) -> None:
    """The ring; beside it what is known of its tiles, and the dust where the names show points."""
    known = [tile for tile in view.board if tile.counts]
    points = view.scores_are != "dust"
    canvas.panel(rect, PANEL, radius=2.4)
    ring = rect.inflate(-canvas.px(3), -canvas.px(2))
    if known or points:
        wide = min(canvas.px(COLUMN), ring.w * 2 // 5)
        column = Rect(ring.right - wide, ring.top, wide, ring.h)
        ring = Rect(ring.left, ring.top, column.left - canvas.px(2) - ring.left, ring.h)
        _column(canvas, column, shown, view, known if not points else ())
    else:
        # In the corner beside the names: what their numbers are.
        size = canvas.px(3.4)
        canvas.sign("sparkle", (ring.left + size // 2, ring.top + size // 2), size, MUTED)
        words = Rect(ring.left + size + canvas.px(1), ring.top, canvas.px(16), size)
        canvas.text(words, _("dust"), SMALL, MUTED)
    _ring(canvas, ring, view)


@cache
def spots(count: int, rx: float, ry: float) -> tuple[tuple[float, float], ...]:
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


def _ring(canvas: Canvas, rect: Rect, view: StarFallView) -> None:
    """The spaces from the dearest down to 0, clockwise; the pile in the middle."""
    on = {tile.space: tile for tile in view.board}
    tile_size = canvas.px(TILE)
    wide = min(rect.w, canvas.px(WIDEST))
    radii = ((wide - tile_size) / 2, (rect.h - tile_size) / 2)
    found = spots(view.top_space + 1, *radii)
    _way(canvas, rect.center, view.top_space + 1, *radii)
    apart = min(max(abs(x - u), abs(y - v)) for (x, y), (u, v) in pairwise(found))
    tile_size = min(tile_size, round(apart) - canvas.px(0.4))
    free = next((s for s in range(view.top_space, -1, -1) if s not in on), None)
    for space, (x, y) in zip(range(view.top_space, -1, -1), found, strict=True):
        centre = (rect.centerx + round(x), rect.centery + round(y))
        if space in on:
            _tile(canvas, centre, tile_size, on[space])
        else:
            size = min(canvas.px(SPACE), tile_size - canvas.px(1))
            _space(canvas, centre, size, space, comes=space == free and view.pile > 0 and not view.board_full)
    inner = Rect(0, 0, wide - 2 * canvas.px(TILE + 1.5), rect.h - 2 * canvas.px(TILE + 1.2))
    inner.center = rect.center
    _pile(canvas, inner, view)


def _way(canvas: Canvas, middle: tuple[int, int], spaces: int, rx: float, ry: float) -> None:
    """Dots from space to space, each smaller than the one before: the way that tiles go."""
    between = len(WAY) + 1
    fine = spots(spaces * between, rx, ry)
    for space in range(spaces - 1):
        # A space stands in the middle of its stretch of the curve.
        first = space * between + (between + 1) // 2
        for (x, y), size in zip(fine[first : first + len(WAY)], WAY, strict=True):
            canvas.disc((middle[0] + round(x), middle[1] + round(y)), canvas.px(size), LINE)


def _tile(canvas: Canvas, centre: tuple[int, int], size: int, tile: BoardTile) -> None:
    """A tile with its price; one that cannot be paid for, or stands on another page of the keys, is not bright."""
    box = Rect(0, 0, size, size)
    box.center = centre
    bright = tile.payable and tile.key > 0
    face, ink = (PIECES["white"], on(PIECES["white"])) if bright else (RAISED, INK)
    canvas.panel(box, face, edge=INK if bright else MUTED, radius=2.2)
    canvas.text(box, str(tile.space), TITLE, ink, weight=Weight.BOLD, least=FAR, align=0.5)


def _space(canvas: Canvas, centre: tuple[int, int], size: int, space: int, *, comes: bool) -> None:
    disc = canvas.disc(centre, size, BACKGROUND, MUTED if comes else LINE)
    canvas.text(disc, str(space), HEAD, INK if comes else MUTED, align=0.5)


def _pile(canvas: Canvas, rect: Rect, view: StarFallView) -> None:
    """How many tiles are left; when none is, what that means."""
    if view.pile:
        below = Rect(rect.left, rect.bottom - rect.h * 28 // 100, rect.w, rect.h * 28 // 100)
        canvas.text(below, _("in the pile"), BODY, MUTED, align=0.5, upright=0.4)
        tall = below.top - rect.top
        # A step for each few tiles that lie one on the other.
        lower, step = -(-view.pile // TILES_A_STEP) - 1, canvas.px(0.9)
        high = min(tall - lower * step, canvas.px(DECK))
        top = Rect(0, 0, min(rect.w - lower * step, high * 6 // 5), high)
        top.topleft = (rect.centerx - (top.w + lower * step) // 2, below.top - lower * step - high)
        for i in range(lower, -1, -1):
            canvas.panel(top.move(i * step, i * step), RAISED, edge=MUTED, radius=1.8)
        size = max(FAR, high / canvas.unit * 0.82)
        canvas.text(top, str(view.pile), size, INK, weight=Weight.BOLD, least=FAR, align=0.5)
        return
    words = _("Pile empty: one more and it ends") if view.last_tile else _("Pile empty: ends with one tile left")
    canvas.text(rect, words, HEAD, WARN, weight=Weight.BOLD, lines=4, align=0.5)


def _column(canvas: Canvas, rect: Rect, shown: Shown, view: StarFallView, known: list[BoardTile] | tuple[()]) -> None:
    """What is printed on the board's tiles; or, where the names show points, everybody's dust."""
    if known:
        gap = canvas.px(1.4)
        tall = min(canvas.px(17), (rect.h - gap * (len(known) - 1)) // len(known))
        for i, tile in enumerate(known):
            row = Rect(rect.left, rect.top + i * (tall + gap), rect.w, tall)
            canvas.panel(row, RAISED)
            price = Rect(row.left, row.top, canvas.px(8.4), row.h)
            canvas.text(price, str(tile.space), HEAD, INK, weight=Weight.BOLD, align=0.5)
            print_of(canvas, Rect(price.right, row.top, row.right - canvas.px(0.4) - price.right, row.h), tile.counts)
        return
    canvas.text(Rect(rect.left, rect.top, rect.w, canvas.px(5)), _("Dust"), SMALL, MUTED)
    tall = min(canvas.px(11.5), (rect.h - canvas.px(6)) // len(shown.players))
    for i, player in enumerate(shown.players):
        row = Rect(rect.left, rect.top + canvas.px(6) + i * tall, rect.w, tall)
        size = min(canvas.px(6), tall - canvas.px(1))
        canvas.sign(SHAPES[player.button], (row.left + size // 2, row.centery), size, COLOURS[player.button])
        left = row.left + size + canvas.px(3)
        canvas.sign("sparkle", (left + size // 2, row.centery), size, MUTED)
        digits = Rect(left, row.top, row.right - left, row.h)
        canvas.text(digits, str(view.dust[player.seat]), FAR, INK, weight=Weight.BOLD, least=FLOOR, align=1.0)
