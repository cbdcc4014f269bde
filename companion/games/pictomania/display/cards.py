"""Pictomania's cards: decks of word cards in their colours, word cards on the racks, and the guess cards of a pile."""

from dataclasses import dataclass

from companion.display.api import (
    BACKGROUND,
    BAD,
    BIG_EM,
    BUTTON_COLOURS,
    GOOD,
    INK,
    RGB,
    TEXT_EM,
    TITLE_EM,
    Canvas,
    Colour,
    Player,
    Rect,
    Typeface,
    format_signed,
    split_bottom,
    split_grid,
    split_top,
)
from companion.display.toolkit import PIECE_RGB, mix_colours, text_colour_for
from companion.games.pictomania.display.materials import render_card
from companion.games.pictomania.display.tokens import draw_scoring_token

CLUES_PER_CARD = 7
"""Lines of a word card (P11)."""
PAPER: RGB = (246, 242, 232)
"""Colour of a card's paper."""
PAPER_LINE: RGB = (196, 190, 178)
"""Colour of the lines on a card, which stand for words that nobody may see."""
CORNER = 2.2
"""Radius of a card's corners, in units."""
MAX_LEVEL_DOT = 4.6
"""Largest diameter of a level's dot, in units."""
CALM_RATIO = 0.22
"""Share of the ground in the colours of a deck that is not chosen."""
WRONG_RATIO = 0.72
"""Share of the ground in the colour of a card that is wrong."""
LOW_CARD_HEIGHT = 22.0
"""Height in units below which a guess card has no token."""


def draw_card(canvas: Canvas, rect: Rect, face: Colour) -> Rect:
    """Draw an empty card.

    Args:
        rect: its place in pixels with the room for its shadow.
        face: its colour: a tone or a fixed colour (0 to 255).

    Returns:
        The room for what stands on it, in pixels.
    """
    card = render_card((max(1, rect.w), max(1, rect.h)), canvas.rgb(face), canvas.px(CORNER))
    canvas.surface.blit(card, rect)
    return rect.inflate(-canvas.px(4), -canvas.px(4))


def draw_deck(
    canvas: Canvas, rect: Rect, colour: str, name: str, level: tuple[int, int], *, is_chosen: bool, size: float
) -> None:
    """Draw a deck of word cards: its colour with the level of difficulty, and its name on paper.

    Args:
        colour: name of its colour, a key of `theme.PIECE_RGB`.
        name: the colour's name, translated.
        level: which level it is, from 1, and how many there are.
        is_chosen: it is played with: it has a tick and a light frame, and the others are a little dimmed.
        size: largest font size of the name: its em in units.

    Raises:
        KeyError: `colour` is not a key of `theme.PIECE_RGB`.
    """
    face, paper = PIECE_RGB[colour], PAPER
    if not is_chosen:
        face, paper = (mix_colours(each, canvas.ground_colour, CALM_RATIO) for each in (face, paper))
    else:
        canvas.draw_panel(rect, INK, radius=CORNER)
    inner = draw_card(canvas, rect, face)
    label, above = split_bottom(inner, min(canvas.px(size + 1.5), inner.h // 2), canvas.px(1))
    canvas.draw_panel(label.inflate(canvas.px(1), 0), paper, radius=1.2)
    ink = text_colour_for(PAPER)
    canvas.draw_text(label, name, size, ink, face=Typeface.DISPLAY, align=0.5)
    dots, above = split_bottom(above, canvas.px(MAX_LEVEL_DOT + 1))
    sign = text_colour_for(PIECE_RGB[colour])
    draw_level(canvas, dots, *level, sign, align=0.5)
    if is_chosen:
        canvas.draw_icon("ok", above.center, max(1, min(above.h, above.w) * 9 // 10), sign)


def draw_word_card(canvas: Canvas, rect: Rect, colour: str) -> None:
    """Draw a word card: a band in its colour, and lines for its seven clues, whose words nobody may see.

    Args:
        colour: name of its colour, a key of `theme.PIECE_RGB`.

    Raises:
        KeyError: `colour` is not a key of `theme.PIECE_RGB`.
    """
    inner = draw_card(canvas, rect, PAPER)
    band, lines = split_top(inner, inner.h * 3 // 10, inner.h // 10)
    canvas.draw_panel(band.inflate(canvas.px(1), canvas.px(1)), PIECE_RGB[colour], radius=1.4)
    step = lines.h / CLUES_PER_CARD
    for i in range(CLUES_PER_CARD):
        length = lines.w * (7 - (i * 3) % 4) // 7
        line = Rect(lines.left, lines.top + round(step * (i + 0.3)), length, max(2, round(step * 0.4)))
        canvas.draw_panel(line, PAPER_LINE, radius=0.4)


def draw_level(canvas: Canvas, rect: Rect, number: int, count: int, colour: Colour, align: float = 0.0) -> None:
    """Draw a level of difficulty: `number` full dots, and rings for the others of `count`.

    Args:
        number: the level, from 1 to `count`; not checked.
        count: number of levels, at least 1.
        colour: of the dots: a tone or a fixed colour (0 to 255).
        align: 0 to 1: 0 left, 0.5 centre, 1 right.

    Raises:
        ZeroDivisionError: `count` is 0.
    """
    step = max(2, min(canvas.px(MAX_LEVEL_DOT + 1), rect.w // count))
    size = max(3, step * 8 // 10)
    left = rect.left + round((rect.w - step * count) * align) + step // 2
    for i in range(count):
        centre = (left + i * step, rect.centery)
        if i < number:
            canvas.draw_disc(centre, size, colour)
        else:
            canvas.draw_ring(centre, size // 2, colour, 0.4)


@dataclass(frozen=True, slots=True)
class PileCard:
    """A guess card on the open pile: all that its picture depends on.

    Attributes:
        guesser: whose card it is.
        stars: stars of the token that it earned; 0: it is wrong.
        token_colour: name of the colour of the owner's tokens; empty: gold.
    """

    guesser: Player
    stars: int
    token_colour: str


def draw_pile_card(canvas: Canvas, rect: Rect, card: PileCard, shown: float = 1.0) -> None:
    """Draw a guess card in its guesser's colour: whose it is, right or wrong, the token it earned and the points.

    It sets an anchor ("card 0", by the guesser's seat).

    Args:
        card: the card.
        shown: how far it has come from below, 0 to 1.

    Raises:
        KeyError: the owner's colour is not a key of `theme.PIECE_RGB`.
    """
    canvas.set_anchor(f"card {card.guesser.seat}", rect.center)
    rect = rect.move(0, round((1 - shown) * rect.h))
    face, is_right = canvas.rgb(BUTTON_COLOURS[card.guesser.button]), card.stars > 0
    ink: Colour = BACKGROUND
    if not is_right:
        face, ink = mix_colours(face, canvas.rgb(BACKGROUND), WRONG_RATIO), INK
    inner = draw_card(canvas, rect, face)
    if rect.w * 2 > rect.h * 3:
        badge, mark, token, number = split_grid(inner, 4, 1, 0)
    else:
        has_token = rect.h >= canvas.px(LOW_CARD_HEIGHT)
        head, below = split_top(inner, inner.h * (27 if has_token else 50) // 100)
        badge, mark = split_grid(head, 2, 1, 0)
        number, token = split_bottom(below, below.h * (48 if has_token else 100) // 100)
    canvas.draw_badge(card.guesser.button, badge.center, max(1, min(badge.size)), ink)
    _draw_mark(canvas, mark, is_right=is_right)
    if is_right and min(token.size) >= canvas.px(TEXT_EM):
        draw_scoring_token(canvas, token.center, min(token.size), card.stars, card.token_colour)
    size = BIG_EM if number.h >= canvas.px(BIG_EM * 0.7) else TITLE_EM
    canvas.draw_text(number, format_signed(card.stars), size, ink, face=Typeface.DISPLAY, align=0.5)


def _draw_mark(canvas: Canvas, rect: Rect, *, is_right: bool) -> None:
    """Draw a tick or a cross in a disc."""
    size = max(3, min(rect.size))
    icon, colour = ("ok", GOOD) if is_right else ("no", BAD)
    canvas.draw_disc(rect.center, size, BACKGROUND)
    canvas.draw_icon(icon, rect.center, max(1, size * 7 // 10), colour)


def draw_empty_place(canvas: Canvas, rect: Rect, *, is_next: bool = False) -> None:
    """Draw the place of a card that is not there yet.

    Args:
        is_next: the table is asked for this card: it has an edge and a question mark.
    """
    place = rect.inflate(-canvas.px(2), -canvas.px(2))
    fill = mix_colours(canvas.ground_colour, canvas.rgb(BACKGROUND), 0.45)
    canvas.draw_panel(place, fill, edge=INK if is_next else None, radius=CORNER)
    if is_next:
        canvas.draw_text(place, "?", BIG_EM, INK, face=Typeface.DISPLAY, align=0.5)
