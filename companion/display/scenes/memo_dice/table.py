"""What lies on the Memo Dice table: cups in their row, the cups that are left, the board with the pieces.

A cup is told by its colour and by its bands: one on red, two on blue, three on black; the golden cup bears a crown.
"""

from __future__ import annotations

from collections.abc import Sequence

from pygame import Rect

from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.text import Weight
from companion.display.toolkit.theme import (
    BACKGROUND,
    BODY,
    COLOURS,
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
    WARN,
    on,
)
from companion.games.api.game import Seat
from companion.games.memo_dice import colour_texts
from companion.games.memo_dice.view import SYMBOLS, Colour, MemoDiceView, Phase
from companion.i18n import Words
from companion.screen_state import Player

_ = Words("memo_dice")

GOAL = PIECES["gold"]
PAINT = {Colour.GOLD: "gold", Colour.RED: "red", Colour.BLUE: "blue", Colour.BLACK: "black"}
BANDS = {Colour.GOLD: "crown", Colour.RED: "one band", Colour.BLUE: "two bands", Colour.BLACK: "three bands"}
NUMBER = 4.4
"""Height of the numbers under the row."""
SUPPLY = 16.5
"""Width from which a cup's colour has room under it."""
WIDEST = 19.0
"""Width at most of a cup's place in the row."""
SQUARE = (5.9, 4.05)
"""Height of a square of the board in two rows, and in three."""
ROUND = 12.5
"""Width of the round's number beside the board."""


def cup(canvas: Canvas, centre: tuple[int, int], size: int, colour: Colour, *, unknown: bool = False) -> None:
    """Draws a cup upside down; `unknown`: the die under it was knocked over (D40)."""
    canvas.sign("cup", centre, size, INK)
    inner = size - 2 * max(1, canvas.px(0.35))
    paint = PIECES[PAINT[colour]]
    canvas.sign("cup", centre, inner, paint)
    ink = on(paint)
    if unknown:
        disc = canvas.disc(centre, max(canvas.px(6.2), size * 55 // 100), INK)
        canvas.text(disc, "?", HEAD, BACKGROUND, weight=Weight.BOLD, align=0.5)
    elif colour is Colour.GOLD:
        canvas.sign("crown", (centre[0], centre[1] + size // 16), size * 44 // 100, ink)
    else:
        canvas.sign(BANDS[colour], centre, inner, ink)


def places_in(view: MemoDiceView) -> int:
    """Places of the row: for all dice while they are being covered, then for the cups that are in it."""
    return view.dice if view.phase in (Phase.COVER, Phase.LOOK) else len(view.row)


def row_height(canvas: Canvas, width: int, view: MemoDiceView) -> int:
    """How high the row has to be for cups as large as `width` allows."""
    step = min((width - canvas.px(2)) // places_in(view), canvas.px(WIDEST))
    return step + canvas.px(NUMBER) + canvas.px(4)


def row(canvas: Canvas, rect: Rect, view: MemoDiceView, players: Sequence[Player]) -> None:
    """Draws the row: cups that are down, dice still to be rolled, and cups that were won, by whom (D22, D23)."""
    canvas.panel(rect, PANEL, radius=2.4)
    covering = view.phase in (Phase.COVER, Phase.LOOK)
    count = places_in(view)
    inner = rect.inflate(-canvas.px(2), -canvas.px(2))
    step = min(inner.w // count, canvas.px(WIDEST))
    left = inner.centerx - step * count // 2
    size = min(step - canvas.px(1.0), inner.h - canvas.px(NUMBER) - canvas.px(1.6))
    here = len(view.row) if covering else view.next_cup
    for i in range(count):
        place = Rect(left + i * step, inner.top, step, inner.h)
        number = Rect(place.left, place.bottom - canvas.px(NUMBER), place.w, canvas.px(NUMBER))
        centre = (place.centerx, (place.top + number.top) // 2)
        if i == here:
            around = place.inflate(-canvas.px(0.3), canvas.px(1.0))
            canvas.panel(around, RAISED, edge=COLOURS[players[view.active].button], radius=1.6)
        canvas.anchor(f"cup {i}", centre)
        if i < len(view.row):
            _in_row(canvas, centre, size, view, i, players)
        elif i == here:
            _open_die(canvas, centre, size, view)
        else:
            canvas.die(None, centre, size * 55 // 100)
        canvas.text(
            number,
            str(i + 1),
            SMALL,
            INK if i == here else MUTED,
            weight=Weight.BOLD if i == here else Weight.MEDIUM,
            align=0.5,
        )


def _in_row(
    canvas: Canvas, centre: tuple[int, int], size: int, view: MemoDiceView, i: int, players: Sequence[Player]
) -> None:
    there = view.row[i]
    if there.taker is None:
        cup(canvas, centre, size, there.colour, unknown=there.unknown)
        return
    button = players[there.taker].button
    canvas.sign(SHAPES[button], (centre[0] - size // 10, centre[1] - size // 9), size * 60 // 100, COLOURS[button])
    cup(canvas, (centre[0] + size * 30 // 100, centre[1] + size * 29 // 100), size * 40 // 100, there.colour)


def _open_die(canvas: Canvas, centre: tuple[int, int], size: int, view: MemoDiceView) -> None:
    """The die that is rolled now; while all look at it, it bears the cup that is about to cover it, not its symbol."""
    side = size * 84 // 100
    if view.looking is None:
        face = canvas.die(None, centre, side)
        canvas.text(face, "?", 7, MUTED, weight=Weight.BOLD, align=0.5)
        return
    die = Rect(0, 0, side, side)
    die.center = centre
    canvas.panel(die, PIECES["white"], edge=LINE)
    cup(canvas, centre, side * 84 // 100, view.looking)


def supply(canvas: Canvas, rect: Rect, view: MemoDiceView) -> None:
    """Draws how many cups of each colour are left (D13); the golden one waits (D12, D14)."""
    gap = canvas.px(1.6)
    columns = len(SYMBOLS) + 1
    width = (rect.w - gap * (columns - 1)) // columns
    if width < canvas.px(SUPPLY):
        columns, width = 2, (rect.w - gap) // 2
    lines = -(-(len(SYMBOLS) + 1) // columns)
    height = (rect.h - gap * (lines - 1)) // lines
    for i, colour in enumerate((*SYMBOLS, Colour.GOLD)):
        gold = colour is Colour.GOLD
        free = 1 if gold else view.free[colour - 1]
        left, top = rect.left + i % columns * (width + gap), rect.top + i // columns * (height + gap)
        card = Rect(left, top, width, height)
        canvas.panel(card, PANEL, edge=INK if view.looking is colour else None, radius=2.0)
        inner = card.inflate(-canvas.px(2), -canvas.px(2))
        line = canvas.px(5.4)
        if width > height:
            side = min(inner.h, inner.w * 2 // 5)
            picture = Rect(inner.left, inner.top, side, inner.h)
            words = Rect(
                picture.right + canvas.px(1), inner.centery - line, inner.right - picture.right - canvas.px(1), line
            )
            dots = words.move(0, line)
        else:
            words = Rect(inner.left, inner.bottom - line, inner.w, line)
            dots = words.move(0, -line)
            picture = Rect(inner.left, inner.top, inner.w, dots.top - inner.top)
        size = min(picture.w, picture.h)
        if free:
            cup(canvas, picture.center, size, colour)
        else:
            canvas.sign("cup", picture.center, size, LINE)
            canvas.sign("cup", picture.center, size - 2 * canvas.px(0.5), PANEL)
            canvas.sign("no", picture.center, size // 2, WARN)
        _dots(canvas, dots, free, 1 if gold else view.cups_per_colour)
        said = colour_texts.of(colour_texts.LABEL if free else colour_texts.NONE, colour)
        canvas.text(words, said, BODY, INK if free else WARN, weight=Weight.BOLD, align=0.5)


def _dots(canvas: Canvas, rect: Rect, free: int, count: int) -> None:
    size, step = canvas.px(3.6), canvas.px(4.8)
    left = rect.centerx - step * (count - 1) // 2
    for i in range(count):
        centre = (left + i * step, rect.centery)
        if i < free:
            canvas.disc(centre, size, INK)
        else:
            canvas.disc(centre, size, PANEL, LINE)


def board(canvas: Canvas, rect: Rect, view: MemoDiceView, players: Sequence[Player]) -> None:
    """Draws the board in two rows, the pieces on their squares; beyond the last square they stay on it."""
    label = Rect(rect.left, rect.top, canvas.px(ROUND), rect.h)
    half = label.h * 42 // 100
    canvas.text(Rect(label.left, label.top, label.w, half), _("Round"), SMALL, MUTED)
    below = Rect(label.left, label.top + half, label.w, label.h - half)
    canvas.text(below, str(view.round), HEAD, INK, weight=Weight.BOLD, upright=0.3)
    first, last = view.start_square, view.target_square
    count, room = last - first + 1, rect.right - label.right
    least = canvas.type.width(str(last), Weight.MEDIUM, canvas.floor(FLOOR)) + canvas.px(0.6)
    # Numbers on the squares are worth a third row, if they fit then.
    lines = 3 if room * 2 // (count + 1) <= least < room * 3 // (count + 2) else 2
    columns = -(-count // lines)
    height, width = min(canvas.px(SQUARE[lines - 2]), rect.h // lines), min(room // columns, canvas.px(8))
    left, top = rect.right - width * columns, rect.centery - height * lines // 2
    numbered = least < width
    for square in range(first, last + 1):
        line, column = divmod(square - first, columns)
        place = Rect(left + column * width, top + line * height, width, height)
        field = place.inflate(-canvas.px(0.5), -canvas.px(0.5))
        goal = square == last
        canvas.panel(field, GOAL if goal else RAISED, radius=0.8)
        here = [Seat(q) for q, at in enumerate(view.squares) if min(max(at, first), last) == square]
        if here:
            _pieces(canvas, field, [players[seat] for seat in here])
        elif numbered:
            canvas.text(
                field,
                str(square),
                FLOOR,
                on(GOAL) if goal else MUTED,
                weight=Weight.BOLD if goal else Weight.MEDIUM,
                align=0.5,
            )


def _pieces(canvas: Canvas, field: Rect, here: Sequence[Player]) -> None:
    """One piece fills its square; several share it."""
    columns = 1 if len(here) == 1 else 2
    lines = -(-len(here) // columns)
    size = max(canvas.px(2.6), min(field.w // columns, field.h // lines))
    for i, player in enumerate(here):
        line, column = divmod(i, columns)
        centre = (
            field.centerx + (2 * column - columns + 1) * size // 2,
            field.centery + (2 * line - lines + 1) * size // 2,
        )
        piece(canvas, centre, size, player)


def piece(canvas: Canvas, centre: tuple[int, int], size: int, player: Player) -> None:
    """Draws a player's piece in its colour, with the sign of the player's button on it."""
    paint = PIECES[player.piece] if player.piece in PIECES else canvas.rgb(COLOURS[player.button])
    canvas.disc(centre, size, INK)
    canvas.disc(centre, size - canvas.px(0.5), paint)
    canvas.sign(SHAPES[player.button], centre, size * 55 // 100, on(paint))
