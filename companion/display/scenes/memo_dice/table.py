"""The Memo Dice table: the cups in their row, the cups that are left, the board with the pieces.

A cup is marked by its colour and by its bands: one on red, two on blue, three on black; the golden cup has a crown.
"""

from collections.abc import Sequence

from pygame import Rect

from companion.display.toolkit import (
    BACKGROUND,
    BUTTON_COLOURS,
    INK,
    LINE,
    MUTED,
    PANEL,
    PIECE_RGB,
    RAISED,
    TEXT_EM,
    WARN,
    Canvas,
    Typeface,
    split_bottom,
    split_grid,
    split_left,
    split_top,
    text_colour_for,
)
from companion.events import MemoColour
from companion.games.api.game import Seat
from companion.games.memo_dice import colour_texts
from companion.games.memo_dice.state import SYMBOL_COLOURS, MemoDiceState, Phase
from companion.i18n import Translator
from companion.screen_state import Player

_ = Translator("memo_dice")

COVERING_PHASES = (Phase.COVER, Phase.LOOK)
"""Phases in which dice are being covered (D10 to D14)."""
GOAL_RGB = PIECE_RGB["gold"]
"""Colour of the target square."""
CUP_PIECE_NAMES = {MemoColour.GOLD: "gold", MemoColour.RED: "red", MemoColour.BLUE: "blue", MemoColour.BLACK: "black"}
"""The colours of the cups, as keys of `theme.PIECE_RGB`."""
CUP_ICONS = {
    MemoColour.GOLD: "crown",
    MemoColour.RED: "one band",
    MemoColour.BLUE: "two bands",
    MemoColour.BLACK: "three bands",
}
"""The icons on the cups."""
POSITION_NUMBER_HEIGHT = 4.4
"""Height of the numbers under the row, in units."""
MIN_SUPPLY_CARD_WIDTH = 16.5
"""Width in units from which a cup's colour has room under it; narrower cards stand in two columns."""
MAX_CUP_WIDTH = 19.0
"""Width at most of a place in the row, in units."""
SQUARE_HEIGHTS = (5.9, 4.05)
"""Height of a square of the board in units, in two rows and in three."""
ROUND_LABEL_WIDTH = 12.5
"""Width of the round's number beside the board, in units."""


def draw_cup(
    canvas: Canvas, centre: tuple[int, int], size: int, colour: MemoColour, *, is_unknown: bool = False
) -> None:
    """Draw a cup upside down in its colour, with its bands or crown.

    Args:
        canvas: Where it is drawn.
        centre: x and y of its centre in pixels.
        size: Side of its square in pixels; at least 0.7 layout units and 3 pixels.
        colour: The cup's colour.
        is_unknown: The die under it was knocked over, and nobody knows its symbol (D40): a question mark is drawn.

    Raises:
        pygame.error: `size` is smaller than that.
    """
    canvas.draw_icon("cup", centre, size, INK)
    inner = size - 2 * max(1, canvas.px(0.35))
    rgb = PIECE_RGB[CUP_PIECE_NAMES[colour]]
    canvas.draw_icon("cup", centre, inner, rgb)
    ink = text_colour_for(rgb)
    if is_unknown:
        disc = canvas.draw_disc(centre, max(canvas.px(6.2), size * 55 // 100), INK)
        canvas.draw_text(disc, "?", TEXT_EM, BACKGROUND, face=Typeface.DISPLAY, align=0.5)
    elif colour is MemoColour.GOLD:
        canvas.draw_icon(CUP_ICONS[colour], (centre[0], centre[1] + size // 16), size * 44 // 100, ink)
    else:
        canvas.draw_icon(CUP_ICONS[colour], centre, inner, ink)


def count_row_places(view: MemoDiceState) -> int:
    """Return the number of places in the row: for all dice while they are being covered, then for the cups in it.

    Args:
        view: What is shown of the game.
    """
    return view.settings.dice if view.phase in COVERING_PHASES else len(view.cup_row)


def measure_row_height(canvas: Canvas, width: int, view: MemoDiceState) -> int:
    """Return how high the row must be, in pixels, for cups as large as `width` allows.

    Args:
        canvas: Converts layout units to pixels; nothing is drawn.
        width: Width of the row in pixels.
        view: What is shown of the game; there is at least one die or cup.

    Raises:
        ZeroDivisionError: The row has no places.
    """
    step = min((width - canvas.px(2)) // count_row_places(view), canvas.px(MAX_CUP_WIDTH))
    return step + canvas.px(POSITION_NUMBER_HEIGHT) + canvas.px(4)


def draw_cup_row(canvas: Canvas, rect: Rect, view: MemoDiceState, players: Sequence[Player]) -> None:
    """Draw the row: cups that are down, dice still to be rolled, and who has won which cup (D22, D23).

    Each place sets an anchor ("cup 0"). There is at least one die or cup.

    Args:
        canvas: Where it is drawn, while a region is painted.
        rect: Its place in pixels.
        view: What is shown of the game.
        players: The players, by seat.

    Raises:
        IndexError: A seat in the view has no player.
        ZeroDivisionError: The row has no places.
        pygame.error: `rect` is too small, so that a part would have a negative size.
    """
    inner = canvas.draw_panel(rect, PANEL, radius=2.4, padding=(2, 2))
    count = count_row_places(view)
    step = min(inner.w // count, canvas.px(MAX_CUP_WIDTH))
    left = inner.centerx - step * count // 2
    size = min(step - canvas.px(1.0), inner.h - canvas.px(POSITION_NUMBER_HEIGHT) - canvas.px(1.6))
    current = len(view.cup_row) if view.phase in COVERING_PHASES else view.next_cup_index
    for i in range(count):
        place = Rect(left + i * step, inner.top, step, inner.h)
        number = split_bottom(place, canvas.px(POSITION_NUMBER_HEIGHT))[0]
        centre = (place.centerx, (place.top + number.top) // 2)
        is_current = i == current
        if is_current:
            around = place.inflate(-canvas.px(0.3), canvas.px(1.0))
            canvas.draw_panel(around, RAISED, edge=BUTTON_COLOURS[players[view.active_seat].button], radius=1.6)
        canvas.set_anchor(f"cup {i}", centre)
        if i < len(view.cup_row):
            _draw_placed_cup(canvas, centre, size, view, i, players)
        elif is_current:
            _draw_open_die(canvas, centre, size, view)
        else:
            canvas.draw_die(None, centre, size * 55 // 100)
        tone, face = (INK, Typeface.DISPLAY) if is_current else (MUTED, Typeface.TEXT)
        canvas.draw_text(number, str(i + 1), TEXT_EM, tone, face=face, align=0.5)


def _draw_placed_cup(
    canvas: Canvas, centre: tuple[int, int], size: int, view: MemoDiceState, index: int, players: Sequence[Player]
) -> None:
    """Draw a cup of the row; a cup that was won is small, beside the winner's badge."""
    cup = view.cup_row[index]
    if cup.owner is None:
        draw_cup(canvas, centre, size, cup.colour, is_unknown=cup.is_die_unknown)
        return
    x, y = centre
    canvas.draw_badge(players[cup.owner].button, (x - size // 10, y - size // 9), size * 60 // 100)
    draw_cup(canvas, (x + size * 30 // 100, y + size * 29 // 100), size * 40 // 100, cup.colour)


def _draw_open_die(canvas: Canvas, centre: tuple[int, int], size: int, view: MemoDiceState) -> None:
    """Draw the die that is rolled now; while all look at it, with the cup that will cover it, not its symbol."""
    side = size * 84 // 100
    if view.open_colour is None:
        face = canvas.draw_die(None, centre, side)
        canvas.draw_text(face, "?", 7, MUTED, face=Typeface.DISPLAY, align=0.5)
        return
    die = Rect(0, 0, side, side)
    die.center = centre
    canvas.draw_panel(die, PIECE_RGB["white"], edge=LINE)
    draw_cup(canvas, centre, side * 84 // 100, view.open_colour)


def draw_supply(canvas: Canvas, rect: Rect, view: MemoDiceState) -> None:
    """Draw one card per colour with the number of cups that are left (D13).

    The golden cup is always drawn as one that is left. A colour without cups is crossed out; the colour of the die that
    lies open is framed.

    Args:
        canvas: Where it is drawn, while a region is painted.
        rect: Its place in pixels.
        view: State of the game.

    Raises:
        pygame.error: The cards are too small for a cup.
    """
    gap = canvas.px(1.6)
    colours = (*SYMBOL_COLOURS, MemoColour.GOLD)
    columns = len(colours)
    if (rect.w - gap * (columns - 1)) // columns < canvas.px(MIN_SUPPLY_CARD_WIDTH):
        columns = 2
    cards = split_grid(rect, columns, -(-len(colours) // columns), gap)
    for colour, card in zip(colours, cards, strict=False):
        free, count = (1, 1) if colour is MemoColour.GOLD else (view.free_cups[colour], view.settings.cups_per_colour)
        inner = canvas.draw_panel(
            card, PANEL, edge=INK if view.open_colour is colour else None, radius=2.0, padding=(2, 2)
        )
        height = canvas.px(5.4)
        if card.w > card.h:
            picture, beside = split_left(inner, min(inner.h, inner.w * 2 // 5), canvas.px(1))
            label = Rect(beside.left, inner.centery - height, beside.w, height)
            dots = label.move(0, height)
        else:
            label, above = split_bottom(inner, height)
            dots, picture = split_bottom(above, height)
        size = min(picture.size)
        if free:
            draw_cup(canvas, picture.center, size, colour)
        else:
            canvas.draw_icon("cup", picture.center, size, LINE)
            canvas.draw_icon("cup", picture.center, size - 2 * canvas.px(0.5), PANEL)
            canvas.draw_icon("no", picture.center, size // 2, WARN)
        _draw_dots(canvas, dots, free, count)
        labels = colour_texts.LABELS if free else colour_texts.NO_CUP_LABELS
        canvas.draw_text(label, _(labels[colour]), TEXT_EM, INK if free else WARN, face=Typeface.DISPLAY, align=0.5)


def _draw_dots(canvas: Canvas, rect: Rect, filled: int, count: int) -> None:
    """Draw `count` dots in the middle of `rect`, the first `filled` of them full."""
    size, step = canvas.px(3.6), canvas.px(4.8)
    left = rect.centerx - step * (count - 1) // 2
    for i in range(count):
        fill, edge = (INK, None) if i < filled else (PANEL, LINE)
        canvas.draw_disc((left + i * step, rect.centery), size, fill, edge)


def draw_board(canvas: Canvas, rect: Rect, view: MemoDiceState, players: Sequence[Player]) -> None:
    """Draw the round's number and the board with the pieces; pieces beyond the last square stay on it.

    Args:
        canvas: Where it is drawn, while a region is painted.
        rect: Its place in pixels.
        view: What is shown of the game.
        players: The players, by seat.

    Raises:
        IndexError: A seat in the view has no player.
        pygame.error: `rect` is too small, so that a part would have a negative size.
    """
    label, area = split_left(rect, canvas.px(ROUND_LABEL_WIDTH))
    upper, lower = split_top(label, label.h * 42 // 100)
    canvas.draw_text(upper, _("Round"), TEXT_EM, MUTED)
    canvas.draw_text(lower, str(view.round_number), TEXT_EM, INK, face=Typeface.DISPLAY, vertical_align=0.3)
    first, last = view.settings.start_square, view.settings.target_square
    count = last - first + 1
    least = canvas.text_width(str(last)) + canvas.px(0.6)
    # Numbers on the squares are worth a third row, if they fit then.
    rows = 3 if area.w * 2 // (count + 1) <= least < area.w * 3 // (count + 2) else 2
    columns = -(-count // rows)
    height = min(canvas.px(SQUARE_HEIGHTS[rows - 2]), rect.h // rows)
    width = min(area.w // columns, canvas.px(8))
    left, top = rect.right - width * columns, rect.centery - height * rows // 2
    for square in range(first, last + 1):
        row, column = divmod(square - first, columns)
        place = Rect(left + column * width, top + row * height, width, height)
        field = place.inflate(-canvas.px(0.5), -canvas.px(0.5))
        is_goal = square == last
        canvas.draw_panel(field, GOAL_RGB if is_goal else RAISED, radius=0.8)
        here = [Seat(q) for q, at in enumerate(view.totals) if min(max(at, first), last) == square]
        if here:
            _draw_pieces(canvas, field, [players[seat] for seat in here])
        elif least < width:
            tone, face = (text_colour_for(GOAL_RGB), Typeface.DISPLAY) if is_goal else (MUTED, Typeface.TEXT)
            canvas.draw_text(field, str(square), TEXT_EM, tone, face=face, align=0.5)


def _draw_pieces(canvas: Canvas, field: Rect, players: Sequence[Player]) -> None:
    """Draw the pieces on a square: one fills it, several share it."""
    columns = 1 if len(players) == 1 else 2
    rows = -(-len(players) // columns)
    size = max(canvas.px(2.6), min(field.w // columns, field.h // rows))
    for i, player in enumerate(players):
        row, column = divmod(i, columns)
        x = field.centerx + (2 * column - columns + 1) * size // 2
        y = field.centery + (2 * row - rows + 1) * size // 2
        draw_player_piece(canvas, (x, y), size, player)


def draw_player_piece(canvas: Canvas, centre: tuple[int, int], size: int, player: Player) -> None:
    """Draw a player's piece with the shape of the player's button on it.

    Args:
        canvas: Where it is drawn.
        centre: x and y of its centre in pixels.
        size: Diameter in pixels, at least 2 and more than 0.5 layout units.
        player: The player; without a piece colour of `theme.PIECE_RGB` the piece has the seat's colour.

    Raises:
        pygame.error: `size` is smaller than that.
    """
    rgb = PIECE_RGB.get(player.piece_colour) or canvas.rgb(BUTTON_COLOURS[player.button])
    canvas.draw_disc(centre, size, INK)
    canvas.draw_disc(centre, size - canvas.px(0.5), rgb)
    canvas.draw_badge(player.button, centre, size * 55 // 100, text_colour_for(rgb))
