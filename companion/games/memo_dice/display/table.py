"""The Memo Dice table: the colours to choose from, the die that lies open, the row of cups."""

from collections.abc import Sequence

from companion.display.api import GAP, HUGE_EM, INK, TEXT_EM, TITLE_EM, Canvas, Player, Rect, Typeface, split_bottom
from companion.display.toolkit import PIECE_RGB
from companion.events import MemoColour
from companion.games.memo_dice.display.cups import (
    CUP_PIECE_NAMES,
    draw_blank_die,
    draw_cup,
    find_number_box,
    get_number_colour,
)
from companion.games.memo_dice.state import COLOUR_NUMBERS, SYMBOL_COLOURS, Cup, MemoDiceState, _

MAX_SMALL_CUP = 18.0
"""Size of a cup of the row that is not in question, at most, in units."""
ROW_HEIGHT = 9.0
"""Height of the row of dice and cups below what lies open, in units."""
NUMBER_ROW_HEIGHT = 6.4
"""Height of the numbers under the row, in units."""
LIFT_SHARE = 0.24
"""How far the rim of a lifted cup is above its place, as a share of its size."""
SYMBOL_EYE_RGB = {colour: PIECE_RGB[CUP_PIECE_NAMES[colour]] for colour in SYMBOL_COLOURS} | {
    MemoColour.GOLD: PIECE_RGB["black"]
}
"""Colour of the eye on a die that lies open. That of a die under the golden cup is not known (D14)."""
MAX_LANE_HEIGHT = 26.0
"""Height of a player's lane in the race at most, in units."""


def draw_supply(canvas: Canvas, rect: Rect, view: MemoDiceState) -> None:
    """Draw the cups that the next die may get, as large as fits: with the number of those left of a colour (D13).

    A colour without cups is a ghost that is crossed out, with the golden cup that replaces it beside (D14). For the
    last die of the round there is the golden cup alone (D12).

    Args:
        view: state of the game.
    """
    if not view.coverable_colours:
        draw_cup(canvas, rect.center, min(rect.size), MemoColour.GOLD)
        return
    has_gold = len(view.coverable_colours) < len(SYMBOL_COLOURS)
    # In the order of the keys below.
    colours = (*sorted(SYMBOL_COLOURS, key=COLOUR_NUMBERS.__getitem__), *([MemoColour.GOLD] if has_gold else []))
    width = rect.w // len(colours)
    size = min(width, rect.h)
    step = min(width, size * 3 // 2)
    left = rect.centerx - step * len(colours) // 2
    number_box = find_number_box(Rect(0, 0, size, size)).size
    labels = [_format_cups_left(free) for free in view.free_cups.values()]
    em = canvas.find_common_size(labels, TITLE_EM, number_box, Typeface.DISPLAY)
    for i, colour in enumerate(colours):
        centre = (left + step * i + step // 2, rect.top + size // 2)
        is_gold = colour is MemoColour.GOLD
        free = 1 if is_gold else view.free_cups[colour]
        box = draw_cup(canvas, centre, size, colour, is_dim=not free)
        if not free:
            canvas.draw_icon("no", centre, size * 45 // 100, INK)
        elif not is_gold:
            text = _format_cups_left(free)
            canvas.draw_text(box, text, em, get_number_colour(colour), face=Typeface.DISPLAY, align=0.5)


def _format_cups_left(free: int) -> str:
    return _.plural("{n} left", "{n} left", free)


def draw_open_die(canvas: Canvas, rect: Rect, view: MemoDiceState, covered: float) -> None:
    """Draw the die that all look at, a pointer, and the cup that will cover it (D10).

    Args:
        view: state of the game, with an open die.
        covered: how far the cup has come, 0 to 1: it comes from the right.
    """
    assert view.open_colour is not None
    size = min(rect.h, rect.w * 46 // 100)
    gap = min(canvas.px(12), rect.w - 2 * size)
    left = rect.centerx - size - gap // 2
    draw_blank_die(canvas, (left + size // 2, rect.centery), size, SYMBOL_EYE_RGB[view.open_colour])
    canvas.draw_icon("pointer", (left + size + gap // 2, rect.centery), min(gap, canvas.px(7)), INK)
    x = left + size + gap + size // 2 + round((1 - covered) * size)
    draw_cup(canvas, (x, rect.centery), size, view.open_colour)


def draw_progress_row(canvas: Canvas, rect: Rect, view: MemoDiceState) -> None:
    """Draw the dice of the round in a slim row: cups that are down, the one that is on now, those to be rolled.

    Each place sets an anchor ("cup 0").

    Args:
        view: state of the game; there is at least one die.
    """
    count = view.settings.dice
    step = min(rect.w // count, canvas.px(ROW_HEIGHT * 1.3))
    left = rect.centerx - step * count // 2
    size = min(rect.h, step - canvas.px(0.6))
    for i in range(count):
        centre = (left + step * i + step // 2, rect.centery)
        canvas.set_anchor(f"cup {i}", centre)
        if i < len(view.cup_row):
            cup = view.cup_row[i]
            draw_cup(canvas, centre, size, cup.colour)
        elif i == len(view.cup_row):
            draw_blank_die(canvas, centre, size)
        else:
            draw_blank_die(canvas, centre, size * 70 // 100, is_dim=True)


def measure_row(canvas: Canvas, rect: Rect, view: MemoDiceState) -> tuple[int, int, int]:
    """Return the sizes of the row of cups in pixels: that of the cup in question, of the others, and of their places.

    Args:
        canvas: converts units to pixels; nothing is drawn.
        rect: place of the row, in pixels.
        view: state of the game; there is at least one cup.
    """
    count = max(2, len(view.cup_row))
    large = min(rect.h, rect.w * 45 // 100)
    step = min((rect.w - large) // (count - 1), canvas.px(MAX_SMALL_CUP) + canvas.px(1))
    return large, min(step, rect.h), step


def draw_cup_row(
    canvas: Canvas, rect: Rect, view: MemoDiceState, players: Sequence[Player], current: float, lifted: float
) -> Rect:
    """Draw the row of cups: the one in question huge, with its number, and who has won which (D22, D23).

    Each place sets an anchor ("cup 0").

    Args:
        view: state of the game; there is at least one cup.
        current: index of the cup in question; between two cups while one shrinks and the next one grows.
        lifted: how far the cup in question is lifted, 0 to 1.

    Returns:
        The room above the small cups, on the wider side of the huge one, in pixels.

    Raises:
        IndexError: a seat in the view has no player.
    """
    if canvas.is_portrait:
        return _draw_row_below(canvas, rect, view, players, lifted)
    large, small, step = measure_row(canvas, rect, view)
    count, numbers = len(view.cup_row), canvas.px(NUMBER_ROW_HEIGHT)
    small = min(small, rect.h - numbers)
    left = rect.centerx - (step * (count - 1) + large) // 2
    huge = Rect(rect.left, rect.top, 0, rect.h)
    for i in range(count):
        share = max(0.0, 1.0 - abs(i - current))
        width, size = round(step + (large - step) * share), round(small + (large - small) * share)
        bottom = rect.bottom - round(numbers * (1 - share))
        if share > 0.5:
            huge = Rect(left, rect.top, width, rect.h)
        _draw_row_cup(canvas, (left + width // 2, bottom - size // 2), size, view, i, players, lifted * share)
        if share == 1.0:
            _draw_cup_figure(canvas, huge, size, view.cup_row[i], i, lifted)
        elif share < 0.5:
            _draw_row_number(canvas, Rect(left, rect.bottom - numbers, width, numbers), i)
        left += width
    above = rect.h - small - numbers - canvas.px(GAP)
    before = Rect(rect.left, rect.top, huge.left - rect.left - canvas.px(2), above)
    after = Rect(huge.right + canvas.px(2), rect.top, rect.right - huge.right - canvas.px(2), above)
    return max((after, before), key=lambda room: room.w)


def _draw_row_below(canvas: Canvas, rect: Rect, view: MemoDiceState, players: Sequence[Player], lifted: float) -> Rect:
    """Draw the cup in question over the row; return the room beside it (portrait)."""
    count, numbers = len(view.cup_row), canvas.px(NUMBER_ROW_HEIGHT)
    step = min(rect.w // count, canvas.px(MAX_SMALL_CUP), rect.h // 3)
    row, upper = split_bottom(rect, step + numbers, canvas.px(GAP))
    index = view.next_cup_index or 0
    size = max(1, min(upper.h, upper.w * 45 // 100))
    huge = Rect(upper.left, upper.centery - size // 2, size, size)
    draw_asked_cup(canvas, huge, view, players, lifted)
    left = rect.centerx - step * count // 2
    for i in range(count):
        number = Rect(left + step * i, row.bottom - numbers, step, numbers)
        if i != index:
            _draw_row_cup(canvas, (number.centerx, row.top + step // 2), step, view, i, players, 0.0)
            _draw_row_number(canvas, number, i)
    return Rect(huge.right + canvas.px(4), upper.top, upper.right - huge.right - canvas.px(4), upper.h)


def draw_asked_cup(canvas: Canvas, rect: Rect, view: MemoDiceState, players: Sequence[Player], lifted: float) -> None:
    """Draw the cup in question alone, with its number, as large as fits.

    Args:
        view: state of the game; there is at least one cup.
        lifted: how far it is lifted, 0 to 1.

    Raises:
        IndexError: the cup's owner has no player.
    """
    index, size = view.next_cup_index or 0, min(rect.size)
    _draw_row_cup(canvas, rect.center, size, view, index, players, lifted)
    place = Rect(rect.left, rect.centery - size // 2, rect.w, size)
    _draw_cup_figure(canvas, place, size, view.cup_row[index], index, lifted)


def _draw_row_cup(
    canvas: Canvas,
    centre: tuple[int, int],
    size: int,
    view: MemoDiceState,
    index: int,
    players: Sequence[Player],
    lifted: float,
) -> None:
    """Draw a cup of the row; a cup that was won is small, beside the winner's badge; a lifted one shows its die."""
    cup, (x, y) = view.cup_row[index], centre
    canvas.set_anchor(f"cup {index}", centre)
    if cup.owner is not None:
        canvas.draw_badge(players[cup.owner].button, centre, size * 66 // 100)
        draw_cup(canvas, (x + size // 4, y + size // 4), size * 44 // 100, cup.colour)
        return
    place = Rect(x - size // 2, y - size // 2, size, size)
    if lifted:
        die = (x, place.bottom - size * 16 // 100)
        draw_blank_die(canvas, die, size * 26 // 100, SYMBOL_EYE_RGB[cup.colour])
        place = _lift_cup(place, lifted)
    draw_cup(canvas, place.center, place.w, cup.colour, is_unknown=cup.is_die_unknown)


def _lift_cup(place: Rect, lifted: float) -> Rect:
    """Return the square of a cup that is lifted: it becomes smaller, so that its top stays where it was."""
    size = round(place.w * (1 - LIFT_SHARE * lifted))
    return Rect(place.centerx - size // 2, place.top, size, size)


def _draw_cup_figure(canvas: Canvas, place: Rect, size: int, cup: Cup, index: int, lifted: float) -> None:
    """Draw the number on the cup in question, which stands at the bottom of `place`."""
    box = find_number_box(_lift_cup(Rect(place.centerx - size // 2, place.bottom - size, size, size), lifted))
    canvas.draw_figure(box, str(index + 1), get_number_colour(cup.colour), max_em=HUGE_EM)


def _draw_row_number(canvas: Canvas, rect: Rect, index: int) -> None:
    """Draw the number of a cup under it."""
    canvas.draw_text(rect, str(index + 1), TEXT_EM, INK, face=Typeface.DISPLAY, align=0.5, vertical_align=0.8)
