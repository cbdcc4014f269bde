"""Dice on the stage: any number of them, as large as fits; marked, set aside, still to be thrown, tumbling."""

from collections.abc import Sequence

from companion.display.api import BACKGROUND, BIG_EM, INK, PANEL, RAISED, TEXT_EM, Canvas, Rect, Typeface, split_left
from companion.i18n import Translator

_ = Translator("game_file")

MAX_DIE_SIZE = 32.0
"""Largest side of a die, in units."""
GAP_SHARE = 0.16
"""Room between two dice, as a share of a die's side."""
MARK_MARGIN = 1.2
"""Width of the frame around a marked die, in units."""
TUMBLE_SECONDS = 0.7
"""Time in which the dice come to rest on the values that were read."""
TUMBLE_SHARE = 0.75
"""Share of that time for which they tumble; in the rest they lie with their values already, and swing out."""
SWING_SHARE = 0.06
"""How far they swing out, as a share of their side."""
TUMBLE_PICTURES = 8
"""Pictures of a die that tumbles."""
TUMBLE_TURNS = 16
"""Pictures that a die shows until it rests."""
TUMBLE_ART_RATIO = 1.3
"""Side of the picture of a die that tumbles, as a multiple of the die's side."""
PIP_SIDES = 6
"""Highest value that is drawn with pips; higher ones are figures."""
PLACE_STEP = 3
"""Pictures that each die is ahead of the one before it, so that they do not turn alike."""


def place_dice(canvas: Canvas, rect: Rect, count: int) -> tuple[list[tuple[int, int]], int]:
    """Place dice in equal rows in the middle of a rectangle, as large as fits.

    Args:
        canvas: gives pixels per unit.
        rect: their place in pixels.
        count: number of dice, at least 1.

    Returns:
        The centres of the dice in pixels, row by row, and their side.
    """
    share = 1 + GAP_SHARE

    def measure(rows: int) -> float:
        return min(rect.w / (-(-count // rows) * share), rect.h / (rows * share), canvas.px(MAX_DIE_SIZE))

    rows = max(range(1, count + 1), key=lambda n: (measure(n), -n))
    size, columns = max(1, int(measure(rows))), -(-count // rows)
    rows = -(-count // columns)
    pitch = round(size * share)
    centres = []
    for i in range(count):
        row, column = divmod(i, columns)
        in_row = min(columns, count - row * columns)
        x = rect.centerx + (2 * column - in_row + 1) * pitch // 2
        centres.append((x, rect.centery + (2 * row - rows + 1) * pitch // 2))
    return centres, size


def draw_dice(
    canvas: Canvas,
    rect: Rect,
    values: Sequence[int],
    *,
    marked: Sequence[int] = (),
    sides: int = PIP_SIDES,
    is_dim: bool = False,
    tumble: float = 1.0,
) -> None:
    """Draw dice with their values.

    Args:
        rect: their place in pixels.
        values: their values, at least 1.
        marked: places of marked dice, from 1: they stand in a frame.
        sides: sides of a die; with more than 6 the values are figures.
        is_dim: they are those of an earlier turn.
        tumble: how far they have come to rest, 0 to 1; before `TUMBLE_SHARE` they tumble, smeared, so that no other
            value can be read than what was thrown.
    """
    if not values:
        return
    if tumble < TUMBLE_SHARE:
        draw_tumbling(canvas, rect, len(values), tumble)
        return
    centres, size = place_dice(canvas, rect, len(values))
    swing = round(size * SWING_SHARE * (1 - tumble) / (1 - TUMBLE_SHARE))
    for place, (value, (x, y)) in enumerate(zip(values, centres, strict=True), 1):
        centre = x, y - swing
        if place in marked:
            side = size + 2 * min(canvas.px(MARK_MARGIN), round(size * GAP_SHARE / 2))
            frame = Rect(0, 0, side, side)
            frame.center = centre
            canvas.draw_panel(frame, INK, radius=2.4)
        draw_value(canvas, centre, size, value, sides, is_dim=is_dim)


def draw_value(
    canvas: Canvas, centre: tuple[int, int], size: int, value: int, sides: int, *, is_dim: bool = False
) -> None:
    """Draw one die: with pips if it has 6 sides at most, else with a figure."""
    if sides <= PIP_SIDES:
        canvas.draw_die(value, centre, size, used=is_dim)
        return
    box = Rect(0, 0, size, size)
    box.center = centre
    canvas.draw_panel(box, PANEL if is_dim else RAISED, edge=INK)
    canvas.draw_text(box, str(value), BIG_EM, INK, face=Typeface.DISPLAY, align=0.5)


def draw_outlines(canvas: Canvas, rect: Rect, entered: Sequence[int], count: int, sides: int) -> None:
    """Draw dice that are to be thrown as outlines, those that were entered already with their values.

    Args:
        rect: their place in pixels.
        entered: values that were entered so far.
        count: number of dice in all.
        sides: sides of a die; with more than 6 the values are figures.
    """
    count = max(count, len(entered))
    centres, size = place_dice(canvas, rect, count)
    for i, centre in enumerate(centres):
        if i < len(entered):
            draw_value(canvas, centre, size, entered[i], sides)
            continue
        face = canvas.draw_die(None, centre, size)
        if i == len(entered):
            canvas.draw_text(face, "?", BIG_EM, INK, face=Typeface.DISPLAY, align=0.5)


def draw_tumbling(canvas: Canvas, rect: Rect, count: int, tumble: float) -> None:
    """Draw dice that tumble.

    Args:
        rect: their place in pixels.
        count: number of dice, at least 1.
        tumble: how far they have come to rest, 0 to 1.
    """
    centres, size = place_dice(canvas, rect, count)
    for i, (x, y) in enumerate(centres):
        side = min(round(size * TUMBLE_ART_RATIO), rect.h)
        box = Rect(0, 0, side, side)
        box.center = (x, y)
        box.clamp_ip(rect)
        canvas.draw_art(f"die_tumble_{(int(tumble * TUMBLE_TURNS) + PLACE_STEP * i) % TUMBLE_PICTURES}", box)


def draw_aside(canvas: Canvas, rect: Rect, values: Sequence[int]) -> None:
    """Draw the dice that were set aside in a row on a panel, with a word before them.

    Args:
        rect: their place in pixels.
        values: their values, at least one.
    """
    inner = canvas.draw_panel(rect, BACKGROUND, padding=(1.6, 0.8))
    word = _("aside")
    width = canvas.text_width(word, TEXT_EM, Typeface.DISPLAY)
    label, dice = split_left(inner, width, canvas.px(2))
    canvas.draw_text(label, word, TEXT_EM, INK, face=Typeface.DISPLAY)
    draw_dice(canvas, dice, values)
