"""Pictomania's table: tokens with their stars, cards of a pile, word cards, a large clock, the page of a round."""

from collections.abc import Sequence
from math import ceil

from pygame import Rect

from companion.display.toolkit import (
    BACKGROUND,
    BAD,
    BUTTON_COLOURS,
    GOOD,
    HUGE_EM,
    INK,
    LINE,
    MUTED,
    PANEL,
    PIECE_RGB,
    RAISED,
    TEXT_EM,
    WARN,
    Canvas,
    Colour,
    Typeface,
    format_signed,
    split_bottom,
    split_grid,
    split_left,
    split_rows,
    split_top,
    text_colour_for,
)
from companion.display.widgets import clock_colour, draw_time_bar, format_clock
from companion.events import Button
from companion.games.pictomania.state import PictomaniaScoreLine, PictomaniaState
from companion.i18n import N_, Translator, format_number
from companion.screen_state import CameraView, Player, RunningClock

_ = Translator("pictomania")

CLUES_PER_CARD = 7
"""Lines of a word card (P11)."""
STAR_POSITIONS: dict[int, tuple[tuple[float, float, float], ...]] = {
    1: ((0.0, 0.0, 0.66),),
    2: ((-0.21, 0.0, 0.4), (0.21, 0.0, 0.4)),
    3: ((0.0, -0.19, 0.37), (-0.21, 0.15, 0.37), (0.21, 0.15, 0.37)),
}
"""Position (x, y) from the centre and size of a token's stars, in fractions of its diameter, by their number.

A token with more stars has one, and their number as text.
"""
HEADINGS_HEIGHT = 5.6
"""Height of the headings, in units."""
MAX_ROW_HEIGHT = 16.0
"""Height of a player's row at most, in units."""
NUMBER_OVERLAP = 3.0
"""How far a number's box reaches beyond its row, in units: digits have no descenders."""
PART_EM = 7.4
"""Size of the parts of the sum, in units."""
SUM_EM = 8.6
"""Size of the sum, in units."""
BADGE_WIDTH = 10.0
"""Width of the badges, in units."""
SHEEP_WIDTH = 11.0
"""Width of the black sheep's sign, in units."""
PART_TITLES = (N_("guessed"), N_("kept"), N_("bonus"))
"""P33 to P35: tokens of others, own tokens that stayed, and the bonus part."""


def draw_token(canvas: Canvas, centre: tuple[int, int], size: int, stars: int, *, is_taken: bool = False) -> None:
    """Draw a token with its stars.

    Args:
        canvas: Where it is drawn.
        centre: x and y of its centre in pixels.
        size: Diameter in pixels; less than 8 counts as 8.
        stars: Number of stars; more than three are drawn as one star with their number.
        is_taken: It was taken: only its outline is drawn.
    """
    size = max(size, 8)
    x, y = centre
    gold = PIECE_RGB["gold"]
    face, ink, edge = (BACKGROUND, LINE, LINE) if is_taken else (gold, text_colour_for(gold), INK)
    disc = canvas.draw_disc(centre, size, face, edge)
    for dx, dy, scale in STAR_POSITIONS.get(stars, ()):
        canvas.draw_icon("star", (x + round(dx * size), y + round(dy * size)), round(scale * size), ink)
    if stars not in STAR_POSITIONS:
        canvas.draw_icon("star", (x, y - size // 4), size * 2 // 5, ink)
        digits = Rect(disc.left, y - size // 12, size, size // 2)
        canvas.draw_text(digits, str(stars), size / canvas.unit_px * 0.5, ink, face=Typeface.DISPLAY, align=0.5)


def draw_pile_card(canvas: Canvas, rect: Rect, player: Player, stars: int) -> None:
    """Draw a card of the pile: whose it is, right or wrong, and the token it earned.

    Args:
        canvas: Where it is drawn, while a region is painted.
        rect: Its place in pixels.
        player: The guesser whose card it is.
        stars: Stars of the token that it earned; 0: it is wrong.

    Raises:
        pygame.error: `rect` is too small, so that a part would have a negative size.
    """
    canvas.draw_panel(rect, PANEL, edge=BUTTON_COLOURS[player.button], radius=2.0)
    if rect.w > rect.h:
        size = rect.h - canvas.px(1.6)
        owner, answer, token = ((rect.left + rect.w * part // 6, rect.centery) for part in (1, 3, 5))
    else:
        inner = rect.inflate(-canvas.px(2), -canvas.px(3))
        third, middle = inner.h // 3, inner.centerx
        size = max(3, min(third, inner.w) - canvas.px(1))
        owner, answer = (middle, inner.top + third // 2), (middle, inner.centery)
        token = (middle, inner.bottom - third // 2)
    canvas.draw_badge(player.button, owner, max(1, size))
    icon, colour = ("ok", GOOD) if stars else ("no", BAD)
    canvas.draw_icon(icon, answer, size, colour)
    if stars:
        draw_token(canvas, token, size, stars)
    else:
        canvas.draw_icon("minus", token, size // 3, LINE)


def draw_live_picture(canvas: Canvas, rect: Rect, camera_view: CameraView, hide_button: Button | None) -> None:
    """Draw the camera's picture without any reading, as the region "live": what somebody holds under the camera.

    Args:
        canvas: Where it is drawn.
        rect: Its place in pixels.
        camera_view: The picture; without one a message is drawn.
        hide_button: The button that a touch on it presses; None: it cannot be touched.

    Raises:
        pygame.error: `rect` is too small, so that a part would have a negative size.
    """

    def paint() -> None:
        frame = canvas.draw_panel(rect, PANEL, radius=2.0, padding=(1.6, 1.6))
        if hide_button is not None:
            canvas.add_touch_area(rect, hide_button)
        if camera_view.picture is not None:
            canvas.draw_image(camera_view.picture, frame)
        else:
            place = frame.inflate(-canvas.px(3), 0)
            canvas.draw_text(place, _("No picture yet"), TEXT_EM, MUTED, align=0.5, max_lines=2)

    canvas.draw_region("live", rect, (camera_view, hide_button), paint)


def draw_word_card(canvas: Canvas, rect: Rect, colour: str) -> None:
    """Draw a word card: a band in its colour, and lines for its seven clues, whose words nobody may see.

    Args:
        canvas: Where it is drawn, while a region is painted.
        rect: Its place in pixels.
        colour: Name of its colour, a key of `theme.PIECE_RGB`.

    Raises:
        KeyError: `colour` is not a key of `theme.PIECE_RGB`.
        pygame.error: `rect` is too small, so that a part would have a negative size.
    """
    inner = canvas.draw_panel(rect, RAISED, edge=LINE, radius=1.4, padding=(2.4, 2.4))
    step = inner.h / (CLUES_PER_CARD + 2)
    canvas.draw_panel(split_top(inner, round(step * 1.5))[0], PIECE_RGB[colour], radius=0.8)
    thickness = max(2, round(step * 0.34))
    for i in range(CLUES_PER_CARD):
        top = inner.top + round(step * (i + 2.3))
        length = inner.w * (7 - (i * 3) % 4) // 7
        canvas.draw_panel(Rect(inner.left, top, length, thickness), LINE, radius=0.3)


def draw_level(canvas: Canvas, rect: Rect, number: int, count: int, colour: Colour, align: float = 0.0) -> None:
    """Draw a level of difficulty: `number` full dots of `count`.

    Args:
        canvas: Where it is drawn, while a region is painted.
        rect: Its place in pixels.
        number: The level, from 1 to `count`; not checked.
        count: Number of levels, at least 1.
        colour: Of the dots: a tone or a fixed colour (0 to 255).
        align: 0 to 1: 0 left, 0.5 centre, 1 right.

    Raises:
        ZeroDivisionError: `count` is 0.
    """
    step = max(2, min(canvas.px(3.2), rect.w // count))
    size = max(3, step * 7 // 10)
    left = rect.left + round((rect.w - step * count) * align) + step // 2
    for i in range(count):
        fill, edge = (colour, None) if i < number else (BACKGROUND, colour)
        canvas.draw_disc((left + i * step, rect.centery), size, fill, edge)


def draw_big_clock(canvas: Canvas, rect: Rect, clock: RunningClock) -> None:
    """Draw a house timer as large as there is room, with a bar of the time left.

    Args:
        canvas: Where it is drawn, while a region is painted.
        rect: Its place in pixels.
        clock: The clock, running or paused.

    Raises:
        pygame.error: `rect` is too small, so that a part would have a negative size.
    """
    inner = canvas.draw_panel(rect, PANEL, padding=(4, 3))
    bar, digits = split_bottom(inner, canvas.px(1.4), canvas.px(1.4))
    colour = clock_colour(clock)
    canvas.draw_text(digits, format_clock(clock), HUGE_EM, colour, face=Typeface.DISPLAY, align=0.5)
    draw_time_bar(canvas, bar, clock, colour, 0.6)


def draw_countdown(canvas: Canvas, rect: Rect, clock: RunningClock | None) -> None:
    """Draw the start signal in a disc: 3, 2, 1 (P14).

    Args:
        canvas: Where it is drawn, while a region is painted.
        rect: Its place in pixels; at least 6 pixels wide and high.
        clock: The clock that counts down, in seconds; None: 3 is drawn. It never shows less than 1.

    Raises:
        pygame.error: `rect` is too small, so that a part would have a negative size.
    """
    radius = min(rect.size) // 2
    canvas.draw_disc(rect.center, 2 * radius, PANEL, WARN)
    number = str(max(1, ceil(clock.seconds_left))) if clock is not None else "3"
    colour = MUTED if clock is not None and clock.paused else WARN
    side = round(radius * 1.3)
    inner = Rect(rect.centerx - side // 2, rect.centery - side // 2, side, side)
    canvas.draw_text(
        inner,
        number,
        side / canvas.unit_px,
        colour,
        face=Typeface.DISPLAY,
        align=0.5,
    )


def draw_strip(canvas: Canvas, rect: Rect, label: str, size: float = TEXT_EM) -> Rect:
    """Draw a panel with a label at its left; the caller draws beside it.

    Args:
        canvas: Where it is drawn, while a region is painted.
        rect: Its place in pixels.
        label: The text, translated; may be empty.
        size: Largest font size of the label: its em in layout units.

    Returns:
        The room behind the label, in pixels; 0 wide if the label takes it all.

    Raises:
        pygame.error: `rect` is too small, so that a part would have a negative size.
    """
    inner = canvas.draw_panel(rect, PANEL, padding=(4, 1.6))
    left = inner.left
    if label:
        left = canvas.draw_text(inner, label, size, MUTED).right + canvas.px(2.5)
    return Rect(left, inner.top, max(0, inner.right - left), inner.h)


def draw_tokens(canvas: Canvas, rect: Rect, tokens: Sequence[int]) -> None:
    """Draw tokens in a row from the left, or the word "none".

    Args:
        canvas: Where they are drawn, while a region is painted.
        rect: Their place in pixels.
        tokens: Number of stars on each token; may be empty.
    """
    gap = canvas.px(1)
    size = max(1, min(rect.h, canvas.px(10), (rect.w + gap) // max(1, len(tokens)) - gap))
    for i, stars in enumerate(tokens):
        draw_token(canvas, (rect.left + size // 2 + i * (size + gap), rect.centery), size, stars)
    if not tokens:
        canvas.draw_text(rect, _("none"), TEXT_EM, MUTED)


def draw_score_page(canvas: Canvas, rect: Rect, view: PictomaniaState, players: Sequence[Player]) -> None:
    """Draw a row for each player: points for tokens guessed, for tokens kept and for the bonus, and the round's sum
    (P33 to P36).

    Args:
        canvas: Where it is drawn, while a region is painted.
        rect: Its place in pixels.
        view: What is shown of the game.
        players: The players, by seat.

    Raises:
        IndexError: A seat in the view has no player.
        pygame.error: `rect` is too small, so that a part would have a negative size.
    """
    head, body = split_top(rect, canvas.px(HEADINGS_HEIGHT))
    has_adjustment = any(line.adjustment for line in view.score_lines)
    titles = (*map(_, PART_TITLES), *((_("fixed"),) if has_adjustment else ()), _("round"))
    for title, cell in zip(titles, _split_score_row(canvas, head, len(titles))[2:], strict=True):
        canvas.draw_text(cell, title, TEXT_EM, MUTED, align=0.5)
    rows = split_rows(body, len(view.score_lines), canvas.px(0.7), canvas.px(MAX_ROW_HEIGHT))
    for line, row in zip(view.score_lines, rows, strict=True):
        cells = _split_score_row(canvas, row, len(titles))
        _draw_score_line(canvas, row, cells, line, players[line.seat], is_black_sheep=line.seat == view.black_sheep)


def _split_score_row(canvas: Canvas, row: Rect, number_count: int) -> list[Rect]:
    """Return the places of badge, sheep and the numbers; the names stand at the left of the screen."""
    badge, rest = split_left(row, canvas.px(BADGE_WIDTH))
    sheep, rest = split_left(rest, canvas.px(SHEEP_WIDTH))
    rest.w -= canvas.px(1)
    return [badge, sheep, *split_grid(rest, number_count, 1, 0)]


def _draw_score_line(
    canvas: Canvas, row: Rect, cells: list[Rect], line: PictomaniaScoreLine, player: Player, *, is_black_sheep: bool
) -> None:
    canvas.draw_panel(row, RAISED if is_black_sheep else PANEL)
    badge, sheep, *numbers = cells
    canvas.draw_badge(player.button, badge.center, max(1, min(canvas.px(7), row.h - canvas.px(1.6))))
    if is_black_sheep:
        size = min(canvas.px(9.4), row.h - canvas.px(0.4))
        canvas.draw_disc(sheep.center, size, INK)
        canvas.draw_icon("sheep", sheep.center, size * 4 // 5, BACKGROUND)
    parts: tuple[tuple[int, Colour], ...] = (
        (line.plus, GOOD),
        (-line.minus, BAD),
        (line.bonus, GOOD if line.bonus > 0 else BAD),
        (line.adjustment, INK),
    )[: len(numbers) - 1]
    numbers = [cell.inflate(0, 2 * canvas.px(NUMBER_OVERLAP)) for cell in numbers]
    for (number, colour), cell in zip(parts, numbers, strict=False):
        canvas.draw_text(cell, format_signed(number), PART_EM, colour if number else MUTED, align=0.5)
    equals, total = split_left(numbers[-1], canvas.px(4))
    canvas.draw_text(equals, "=", TEXT_EM, MUTED)
    canvas.draw_text(total, format_number(line.total), SUM_EM, INK, face=Typeface.DISPLAY, align=0.5)
