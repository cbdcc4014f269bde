"""What lies on the Memo Dice table: cups in their row, the cups that are left, the board with the pieces.

A cup is told by its colour and by its bands: one on red, two on blue, three on black; the golden cup bears a crown.
"""

from __future__ import annotations

from collections.abc import Sequence

from pygame import Rect

from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.text import FontWeight
from companion.display.toolkit.theme import (
    BACKGROUND,
    BODY_EM,
    BUTTON_COLOURS,
    HEADING_EM,
    INK,
    LINE,
    MIN_EM,
    MUTED,
    PANEL,
    PIECE_RGB,
    RAISED,
    SEAT_SHAPES,
    SMALL_EM,
    WARN,
    text_colour_for,
)
from companion.events import MemoColour
from companion.games.api.game import Seat
from companion.games.memo_dice import colour_texts
from companion.games.memo_dice.view import SYMBOL_COLOURS, MemoDiceView, Phase
from companion.i18n import Translator
from companion.screen_state import Player

_ = Translator("memo_dice")

GOAL_RGB = PIECE_RGB["gold"]
CUP_PIECE_NAMES = {MemoColour.GOLD: "gold", MemoColour.RED: "red", MemoColour.BLUE: "blue", MemoColour.BLACK: "black"}
CUP_ICONS = {
    MemoColour.GOLD: "crown",
    MemoColour.RED: "one band",
    MemoColour.BLUE: "two bands",
    MemoColour.BLACK: "three bands",
}
POSITION_NUMBER_HEIGHT = 4.4
"""Height of the numbers under the row."""
MIN_SUPPLY_CARD_WIDTH = 16.5
"""Width from which a cup's colour has room under it."""
MAX_CUP_WIDTH = 19.0
"""Width at most of a cup's place in the row."""
SQUARE_HEIGHTS = (5.9, 4.05)
"""Height of a square of the board in two rows, and in three."""
ROUND_LABEL_WIDTH = 12.5
"""Width of the round's number beside the board."""


def draw_cup(
    canvas: Canvas, centre: tuple[int, int], size: int, colour: MemoColour, *, is_unknown: bool = False
) -> None:
    """Draws a cup upside down; `unknown`: the die under it was knocked over (D40)."""
    canvas.draw_icon("cup", centre, size, INK)
    inner = size - 2 * max(1, canvas.px(0.35))
    paint = PIECE_RGB[CUP_PIECE_NAMES[colour]]
    canvas.draw_icon("cup", centre, inner, paint)
    ink = text_colour_for(paint)
    if is_unknown:
        disc = canvas.draw_disc(centre, max(canvas.px(6.2), size * 55 // 100), INK)
        canvas.draw_text(disc, "?", HEADING_EM, BACKGROUND, weight=FontWeight.BOLD, align=0.5)
    elif colour is MemoColour.GOLD:
        canvas.draw_icon("crown", (centre[0], centre[1] + size // 16), size * 44 // 100, ink)
    else:
        canvas.draw_icon(CUP_ICONS[colour], centre, inner, ink)


def count_row_places(view: MemoDiceView) -> int:
    """Places of the row: for all dice while they are being covered, then for the cups that are in it."""
    return view.dice_count if view.phase in (Phase.COVER, Phase.LOOK) else len(view.cup_row)


def measure_row_height(canvas: Canvas, width: int, view: MemoDiceView) -> int:
    """How high the row has to be for cups as large as `width` allows."""
    step = min((width - canvas.px(2)) // count_row_places(view), canvas.px(MAX_CUP_WIDTH))
    return step + canvas.px(POSITION_NUMBER_HEIGHT) + canvas.px(4)


def draw_cup_row(canvas: Canvas, rect: Rect, view: MemoDiceView, players: Sequence[Player]) -> None:
    """Draws the row: cups that are down, dice still to be rolled, and cups that were won, by whom (D22, D23)."""
    canvas.draw_panel(rect, PANEL, radius=2.4)
    covering = view.phase in (Phase.COVER, Phase.LOOK)
    count = count_row_places(view)
    inner = rect.inflate(-canvas.px(2), -canvas.px(2))
    step = min(inner.w // count, canvas.px(MAX_CUP_WIDTH))
    left = inner.centerx - step * count // 2
    size = min(step - canvas.px(1.0), inner.h - canvas.px(POSITION_NUMBER_HEIGHT) - canvas.px(1.6))
    here = len(view.cup_row) if covering else view.next_cup_index
    for i in range(count):
        place = Rect(left + i * step, inner.top, step, inner.h)
        number = Rect(
            place.left, place.bottom - canvas.px(POSITION_NUMBER_HEIGHT), place.w, canvas.px(POSITION_NUMBER_HEIGHT)
        )
        centre = (place.centerx, (place.top + number.top) // 2)
        if i == here:
            around = place.inflate(-canvas.px(0.3), canvas.px(1.0))
            canvas.draw_panel(around, RAISED, edge=BUTTON_COLOURS[players[view.active_seat].button], radius=1.6)
        canvas.set_anchor(f"cup {i}", centre)
        if i < len(view.cup_row):
            _draw_placed_cup(canvas, centre, size, view, i, players)
        elif i == here:
            _draw_open_die(canvas, centre, size, view)
        else:
            canvas.draw_die(None, centre, size * 55 // 100)
        canvas.draw_text(
            number,
            str(i + 1),
            SMALL_EM,
            INK if i == here else MUTED,
            weight=FontWeight.BOLD if i == here else FontWeight.MEDIUM,
            align=0.5,
        )


def _draw_placed_cup(
    canvas: Canvas, centre: tuple[int, int], size: int, view: MemoDiceView, i: int, players: Sequence[Player]
) -> None:
    there = view.cup_row[i]
    if there.owner is None:
        draw_cup(canvas, centre, size, there.colour, is_unknown=there.is_die_unknown)
        return
    button = players[there.owner].button
    canvas.draw_icon(
        SEAT_SHAPES[button], (centre[0] - size // 10, centre[1] - size // 9), size * 60 // 100, BUTTON_COLOURS[button]
    )
    draw_cup(canvas, (centre[0] + size * 30 // 100, centre[1] + size * 29 // 100), size * 40 // 100, there.colour)


def _draw_open_die(canvas: Canvas, centre: tuple[int, int], size: int, view: MemoDiceView) -> None:
    """The die that is rolled now; while all look at it, it bears the cup that is about to cover it, not its symbol."""
    side = size * 84 // 100
    if view.open_colour is None:
        face = canvas.draw_die(None, centre, side)
        canvas.draw_text(face, "?", 7, MUTED, weight=FontWeight.BOLD, align=0.5)
        return
    die = Rect(0, 0, side, side)
    die.center = centre
    canvas.draw_panel(die, PIECE_RGB["white"], edge=LINE)
    draw_cup(canvas, centre, side * 84 // 100, view.open_colour)


def draw_supply(canvas: Canvas, rect: Rect, view: MemoDiceView) -> None:
    """Draws how many cups of each colour are left (D13); the golden one waits (D12, D14)."""
    gap = canvas.px(1.6)
    columns = len(SYMBOL_COLOURS) + 1
    width = (rect.w - gap * (columns - 1)) // columns
    if width < canvas.px(MIN_SUPPLY_CARD_WIDTH):
        columns, width = 2, (rect.w - gap) // 2
    lines = -(-(len(SYMBOL_COLOURS) + 1) // columns)
    height = (rect.h - gap * (lines - 1)) // lines
    for i, colour in enumerate((*SYMBOL_COLOURS, MemoColour.GOLD)):
        gold = colour is MemoColour.GOLD
        free = 1 if gold else view.free_cups[colour - 1]
        left, top = rect.left + i % columns * (width + gap), rect.top + i // columns * (height + gap)
        card = Rect(left, top, width, height)
        canvas.draw_panel(card, PANEL, edge=INK if view.open_colour is colour else None, radius=2.0)
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
            draw_cup(canvas, picture.center, size, colour)
        else:
            canvas.draw_icon("cup", picture.center, size, LINE)
            canvas.draw_icon("cup", picture.center, size - 2 * canvas.px(0.5), PANEL)
            canvas.draw_icon("no", picture.center, size // 2, WARN)
        _draw_dots(canvas, dots, free, 1 if gold else view.cups_per_colour)
        said = colour_texts.translate(colour_texts.LABELS if free else colour_texts.NO_CUP_LABELS, colour)
        canvas.draw_text(words, said, BODY_EM, INK if free else WARN, weight=FontWeight.BOLD, align=0.5)


def _draw_dots(canvas: Canvas, rect: Rect, free: int, count: int) -> None:
    size, step = canvas.px(3.6), canvas.px(4.8)
    left = rect.centerx - step * (count - 1) // 2
    for i in range(count):
        centre = (left + i * step, rect.centery)
        if i < free:
            canvas.draw_disc(centre, size, INK)
        else:
            canvas.draw_disc(centre, size, PANEL, LINE)


def draw_board(canvas: Canvas, rect: Rect, view: MemoDiceView, players: Sequence[Player]) -> None:
    """Draws the board in two rows, the pieces on their squares; beyond the last square they stay on it."""
    label = Rect(rect.left, rect.top, canvas.px(ROUND_LABEL_WIDTH), rect.h)
    half = label.h * 42 // 100
    canvas.draw_text(Rect(label.left, label.top, label.w, half), _("Round"), SMALL_EM, MUTED)
    below = Rect(label.left, label.top + half, label.w, label.h - half)
    canvas.draw_text(below, str(view.round_number), HEADING_EM, INK, weight=FontWeight.BOLD, vertical_align=0.3)
    first, last = view.start_square, view.target_square
    count, room = last - first + 1, rect.right - label.right
    least = canvas.fonts.measure_width(str(last), FontWeight.MEDIUM, canvas.px_at_least(MIN_EM)) + canvas.px(0.6)
    # Numbers on the squares are worth a third row, if they fit then.
    lines = 3 if room * 2 // (count + 1) <= least < room * 3 // (count + 2) else 2
    columns = -(-count // lines)
    height, width = min(canvas.px(SQUARE_HEIGHTS[lines - 2]), rect.h // lines), min(room // columns, canvas.px(8))
    left, top = rect.right - width * columns, rect.centery - height * lines // 2
    numbered = least < width
    for square in range(first, last + 1):
        line, column = divmod(square - first, columns)
        place = Rect(left + column * width, top + line * height, width, height)
        field = place.inflate(-canvas.px(0.5), -canvas.px(0.5))
        goal = square == last
        canvas.draw_panel(field, GOAL_RGB if goal else RAISED, radius=0.8)
        here = [Seat(q) for q, at in enumerate(view.squares) if min(max(at, first), last) == square]
        if here:
            _draw_pieces(canvas, field, [players[seat] for seat in here])
        elif numbered:
            canvas.draw_text(
                field,
                str(square),
                MIN_EM,
                text_colour_for(GOAL_RGB) if goal else MUTED,
                weight=FontWeight.BOLD if goal else FontWeight.MEDIUM,
                align=0.5,
            )


def _draw_pieces(canvas: Canvas, field: Rect, here: Sequence[Player]) -> None:
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
        draw_player_piece(canvas, centre, size, player)


def draw_player_piece(canvas: Canvas, centre: tuple[int, int], size: int, player: Player) -> None:
    """Draws a player's piece in its colour, with the sign of the player's button on it."""
    paint = (
        PIECE_RGB[player.piece_colour]
        if player.piece_colour in PIECE_RGB
        else canvas.rgb(BUTTON_COLOURS[player.button])
    )
    canvas.draw_disc(centre, size, INK)
    canvas.draw_disc(centre, size - canvas.px(0.5), paint)
    canvas.draw_icon(SEAT_SHAPES[player.button], centre, size * 55 // 100, text_colour_for(paint))
