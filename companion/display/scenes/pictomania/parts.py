"""What lies on Pictomania's table: tokens with their stars, cards of a pile, word cards, and a large clock."""

from __future__ import annotations

from math import ceil

from pygame import Rect

from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.text import FontWeight
from companion.display.toolkit.theme import (
    BACKGROUND,
    BAD,
    BUTTON_COLOURS,
    GOOD,
    HEADING_EM,
    HUGE_EM,
    INK,
    LINE,
    MIN_FAR_EM,
    MUTED,
    PANEL,
    PIECE_RGB,
    RAISED,
    SEAT_SHAPES,
    SMALL_EM,
    WARN,
    Colour,
    text_colour_for,
)
from companion.display.widgets.clocks import WARNING_SECONDS, format_clock
from companion.events import Button
from companion.games.pictomania.view import PileCard
from companion.i18n import Translator
from companion.screen_state import CameraView, Player, RunningClock

_ = Translator("pictomania")

CLUES_PER_CARD = 7
"""P11: lines of a word card."""
MAX_DRAWN_STARS = 3
"""A token with more stars says how many."""
_STAR_POSITIONS: dict[int, tuple[tuple[float, float, float], ...]] = {
    1: ((0.0, 0.0, 0.66),),
    2: ((-0.21, 0.0, 0.4), (0.21, 0.0, 0.4)),
    3: ((0.0, -0.19, 0.37), (-0.21, 0.15, 0.37), (0.21, 0.15, 0.37)),
}
"""Where the stars of a token lie and how large they are, in parts of its diameter."""


def draw_token(canvas: Canvas, centre: tuple[int, int], size: int, stars: int, *, is_taken: bool = False) -> None:
    """Draws a token with its stars; gone: only its outline."""
    size = max(size, 8)
    face, ink = (BACKGROUND, LINE) if is_taken else (PIECE_RGB["gold"], text_colour_for(PIECE_RGB["gold"]))
    disc = canvas.draw_disc(centre, size, face, LINE if is_taken else INK)
    if stars in _STAR_POSITIONS:
        for x, y, large in _STAR_POSITIONS[stars]:
            canvas.draw_icon(
                "star", (centre[0] + round(x * size), centre[1] + round(y * size)), round(large * size), ink
            )
        return
    canvas.draw_icon("star", (centre[0], centre[1] - size // 4), size * 2 // 5, ink)
    digits = Rect(disc.left, centre[1] - size // 12, size, size // 2)
    canvas.draw_text(digits, str(stars), size / canvas.unit_px * 0.5, ink, weight=FontWeight.BOLD, align=0.5)


def draw_badge(canvas: Canvas, centre: tuple[int, int], size: int, player: Player) -> None:
    """Draws a player's sign in the seat's colour."""
    canvas.draw_icon(SEAT_SHAPES[player.button], centre, max(1, size), BUTTON_COLOURS[player.button])


def draw_pile_card(canvas: Canvas, rect: Rect, card: PileCard | None, player: Player | None) -> None:
    """Draws a card of the pile: whose, right or wrong, and the token it earned. None: a place for one."""
    if card is None or player is None:
        canvas.draw_panel(rect, BACKGROUND, edge=RAISED)
        return
    canvas.draw_panel(rect, PANEL, edge=BUTTON_COLOURS[player.button], radius=2.0)
    if rect.w > rect.h:
        _draw_card_in_row(canvas, rect, card, player)
        return
    inner = rect.inflate(-canvas.px(2), -canvas.px(3))
    third = inner.h // 3
    size = max(3, min(third, inner.w) - canvas.px(1))
    middle = inner.centerx
    draw_badge(canvas, (middle, inner.top + third // 2), size, player)
    sign, colour = ("ok", GOOD) if card.is_right else ("no", BAD)
    canvas.draw_icon(sign, (middle, inner.centery), size, colour)
    if card.is_right:
        draw_token(canvas, (middle, inner.bottom - third // 2), size, card.stars)
    else:
        canvas.draw_icon("minus", (middle, inner.bottom - third // 2), size // 3, LINE)


def _draw_card_in_row(canvas: Canvas, rect: Rect, card: PileCard, player: Player) -> None:
    """The same, lying."""
    size = rect.h - canvas.px(1.6)
    at = [(rect.left + rect.w * part // 6, rect.centery) for part in (1, 3, 5)]
    draw_badge(canvas, at[0], size, player)
    sign, colour = ("ok", GOOD) if card.is_right else ("no", BAD)
    canvas.draw_icon(sign, at[1], size, colour)
    if card.is_right:
        draw_token(canvas, at[2], size, card.stars)
    else:
        canvas.draw_icon("minus", at[2], size // 3, LINE)


def draw_live_picture(canvas: Canvas, rect: Rect, eyes: CameraView, hide_button: Button | None) -> None:
    """Draws the camera's picture with nothing of ours in it: what somebody holds under the camera.

    Args:
        hides: the button that a touch on it presses.
    """

    def paint() -> None:
        canvas.draw_panel(rect, PANEL, radius=2.0)
        frame = rect.inflate(-canvas.px(1.6), -canvas.px(1.6))
        if hide_button is not None:
            canvas.add_touch_area(rect, hide_button)
        if eyes.picture is not None:
            canvas.draw_image(eyes.picture, frame)
        else:
            canvas.draw_text(
                frame.inflate(-canvas.px(3), 0), _("No picture yet"), HEADING_EM, MUTED, align=0.5, max_lines=2
            )

    canvas.draw_region("live", rect, (eyes, hide_button), paint)


def draw_word_card(canvas: Canvas, rect: Rect, colour: str) -> None:
    """Draws a word card: a band in its colour, and seven clues that the box cannot read."""
    canvas.draw_panel(rect, RAISED, edge=LINE, radius=1.4)
    inner = rect.inflate(-canvas.px(2.4), -canvas.px(2.4))
    step = inner.h / (CLUES_PER_CARD + 2)
    band = Rect(inner.left, inner.top, inner.w, round(step * 1.5))
    canvas.draw_panel(band, PIECE_RGB[colour], radius=0.8)
    thick = max(2, round(step * 0.34))
    for i in range(CLUES_PER_CARD):
        top = inner.top + round(step * (i + 2.3))
        length = inner.w * (7 - (i * 3) % 4) // 7
        canvas.draw_panel(Rect(inner.left, top, length, thick), LINE, radius=0.3)


def draw_level(canvas: Canvas, rect: Rect, number: int, of: int, colour: Colour, align: float = 0.0) -> None:
    """Draws how hard: as many full dots as the level's number, the rest as empty ones."""
    step = max(2, min(canvas.px(3.2), rect.w // of))
    size = max(3, step * 7 // 10)
    left = rect.left + round((rect.w - step * of) * align) + step // 2
    for i in range(of):
        at = (left + i * step, rect.centery)
        if i < number:
            canvas.draw_disc(at, size, colour)
        else:
            canvas.draw_disc(at, size, BACKGROUND, colour)


def draw_big_clock(canvas: Canvas, rect: Rect, clock: RunningClock) -> None:
    """Draws a house timer as large as there is room, with a bar of what is left."""
    canvas.draw_panel(rect, PANEL)
    inner = rect.inflate(-canvas.px(4), -canvas.px(3))
    colour = MUTED if clock.paused else WARN if ceil(clock.seconds_left) <= WARNING_SECONDS else INK
    bar = Rect(inner.left, inner.bottom - canvas.px(1.4), inner.w, canvas.px(1.4))
    digits = Rect(inner.left, inner.top, inner.w, bar.top - canvas.px(1.4) - inner.top)
    canvas.draw_text(
        digits, format_clock(clock), HUGE_EM, colour, weight=FontWeight.BOLD, min_size=MIN_FAR_EM, align=0.5
    )
    canvas.draw_panel(bar, RAISED, radius=0.6)
    left = min(1.0, max(0.0, ceil(clock.seconds_left) / clock.seconds_total)) if clock.seconds_total > 0 else 0.0
    if left > 0:
        canvas.draw_panel(Rect(bar.left, bar.top, max(canvas.px(1.4), round(bar.w * left)), bar.h), colour, radius=0.6)


def draw_countdown(canvas: Canvas, rect: Rect, clock: RunningClock | None) -> None:
    """Draws the start signal: 3, 2, 1, in a ring."""
    radius = min(rect.h, rect.w) // 2
    canvas.draw_disc(rect.center, 2 * radius, PANEL, WARN)
    number = str(max(1, ceil(clock.seconds_left))) if clock is not None else "3"
    paused = clock is not None and clock.paused
    side = round(radius * 1.3)
    inner = Rect(rect.centerx - side // 2, rect.centery - side // 2, side, side)
    canvas.draw_text(
        inner,
        number,
        side / canvas.unit_px,
        MUTED if paused else WARN,
        weight=FontWeight.BOLD,
        min_size=MIN_FAR_EM,
        align=0.5,
    )


def draw_strip(canvas: Canvas, rect: Rect, words: str, size: float = SMALL_EM) -> Rect:
    """Draws a panel that begins with a word; returns the room behind it. `words` may be empty."""
    canvas.draw_panel(rect, PANEL)
    inner = rect.inflate(-canvas.px(4), -canvas.px(1.6))
    left = inner.left
    if words:
        left = canvas.draw_text(inner, words, size, MUTED).right + canvas.px(2.5)
    return Rect(left, inner.top, max(0, inner.right - left), inner.h)


def draw_tokens(canvas: Canvas, rect: Rect, stars: tuple[int, ...]) -> None:
    """Draws tokens in a row from the left, or a dash where there is none."""
    size = max(1, min(rect.h, canvas.px(10), (rect.w + canvas.px(1)) // max(1, len(stars)) - canvas.px(1)))
    for i, each in enumerate(stars):
        draw_token(canvas, (rect.left + size // 2 + i * (size + canvas.px(1)), rect.centery), size, each)
    if not stars:
        canvas.draw_text(rect, _("none"), HEADING_EM, MUTED)
