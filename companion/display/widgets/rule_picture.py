"""The picture of a rule on the help's page: objects of the game side by side."""

from companion.display.toolkit import (
    BIG_EM,
    BUTTON_COLOURS,
    INK,
    LINE,
    PIECE_RGB,
    TITLE_EM,
    Canvas,
    Rect,
    Typeface,
    split_grid,
    text_colour_for,
)
from companion.display.toolkit.package_file import PackageFile
from companion.events import SEAT_BUTTONS, Button

CARD_RATIO = 0.72
"""Width of a card, as a share of its height."""
CARD_MARGIN = 0.8
"""Room between the edge of a card and what is printed on it, in units."""
OBJECT_GAP = 0.6
"""Room between two objects, in units."""
PLACES = {2: ((0.0, 0.0), (1.0, 1.0)), 3: ((0.5, 0.0), (0.0, 1.0), (1.0, 1.0))}
"""By number of objects, where each stands in a high box, from 0 (left, top) to 1 (right, bottom)."""
OBJECT_SHARES = {2: 0.62, 3: 0.5}
"""Size of the box of each, as a share of all together's: two overlap a little at the corner."""
ICON_RATIO = 0.72
"""Size of a shape or a sign, as a share of its box."""


def draw_rule_picture(canvas: Canvas, rect: Rect, objects: tuple[str, ...]) -> None:
    """Draw objects side by side, as large as fit.

    Args:
        canvas: where it is drawn, while a region is painted.
        rect: its box in pixels.
        objects: as `companion.api.PicturedRule.objects` names them.

    Raises:
        KeyError: there is no such object.
        ValueError: a seat's number is missing.
    """
    for box, name in zip(_place_objects(canvas, rect, len(objects)), objects, strict=True):
        _draw_object(canvas, box, name)


def _place_objects(canvas: Canvas, rect: Rect, count: int) -> list[Rect]:
    """Return the boxes of objects: side by side, or two or three over each other in a high box: they are larger so."""
    if count not in PLACES or rect.w > rect.h:
        return split_grid(rect, count, 1, canvas.px(OBJECT_GAP)) if count else []
    width, height = (round(length * OBJECT_SHARES[count]) for length in rect.size)
    return [
        Rect(rect.left + round(x * (rect.w - width)), rect.top + round(y * (rect.h - height)), width, height)
        for x, y in PLACES[count]
    ]


def _draw_object(canvas: Canvas, box: Rect, name: str) -> None:
    kind, _space, detail = name.partition(" ")
    side = min(box.size)
    square = Rect(0, 0, side, side)
    square.center = box.center
    if kind == "card":
        _draw_card(canvas, box, detail)
    elif kind == "token":
        canvas.draw_art("token", square)
        # It has the colour of the printed number, on wood.
        canvas.draw_text(square, detail, TITLE_EM, (60, 34, 16), face=Typeface.DISPLAY, align=0.5)
    elif kind == "button":
        canvas.draw_badge(SEAT_BUTTONS[int(detail) - 1], square.center, round(side * ICON_RATIO))
    elif kind == "sign":
        colour = BUTTON_COLOURS[Button(detail)] if detail in list(Button) else INK
        canvas.draw_icon(detail, square.center, round(side * ICON_RATIO), colour)
    elif kind == "word":
        canvas.draw_text(box, detail, BIG_EM, INK, face=Typeface.DISPLAY, align=0.5)
    elif kind.startswith("die_") and kind[4:].isdigit():
        canvas.draw_die(int(kind[4:]), box.center, round(side * ICON_RATIO))
    elif ":" in kind:
        package, _colon, path = kind.partition(":")
        canvas.draw_art(PackageFile(package, path), box)
    else:
        canvas.draw_art(kind, box)


def _draw_card(canvas: Canvas, box: Rect, word: str) -> None:
    """Draw a card as high as its box, with a word; without one its back is up."""
    height = min(box.h, round(box.w / CARD_RATIO))
    card = Rect(0, 0, round(height * CARD_RATIO), height)
    card.center = box.center
    face = PIECE_RGB["white"] if word else PIECE_RGB["blue"]
    canvas.draw_panel(card, face, edge=LINE)
    margin = canvas.px(CARD_MARGIN)
    inner = card.inflate(-2 * margin, -2 * margin)
    if not word:
        canvas.draw_icon("sparkle", inner.center, min(inner.size) * 2 // 3, text_colour_for(face))
        return
    canvas.draw_text(inner, word, BIG_EM, text_colour_for(face), face=Typeface.DISPLAY, align=0.5)
