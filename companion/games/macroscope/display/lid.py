"""The Macroscope's lid: its tokens and open windows, where the camera sees them or else by number."""

from collections.abc import Sequence

from companion.display.api import (
    BACKGROUND,
    INK,
    LINE,
    MUTED,
    RAISED,
    RGB,
    TITLE_EM,
    Canvas,
    Rect,
    Typeface,
    split_grid,
    split_left,
    split_rows,
    split_top,
)
from companion.games.macroscope.state import MacroscopeState, Phase, _
from companion.i18n import N_
from companion.vision.reading import Reading

GRID_COLUMNS = 4
"""Columns in which the twelve tokens are drawn."""
GRID_ROWS = 3
"""Rows in which the twelve tokens are drawn."""
LID_RIM_RATIO = 0.15
"""Share of the lid's picture that its shadow and its rim of brass take on both sides together."""
WINDOW_PERCENT = 84
"""Diameter of an open window, in percent of a token's place."""
TOKEN_ART_MARGIN_PERCENT = 20
"""Room around the token in its picture, for its shadow, in percent of its diameter."""
TOKEN_DARK_RGB: RGB = (34, 26, 24)
"""Number of a token that can be taken, on pale wood."""
TOKEN_LIGHT_RGB: RGB = (255, 248, 232)
"""Number of a token that cannot be taken, and the arrow, on dark wood."""
WINDOW_RGB: RGB = (22, 16, 16)
"""An open window of the drawn lid."""
WINDOW_EDGE_RGB: RGB = (226, 178, 92)
"""Its edge of brass."""
TOKENS_PER_NUMBER = 2
"""Tokens of each number (M1)."""
NUMBER_UNKNOWN = 0
"""Stands for the number of a token that the camera does not see."""
COVER_STEPS = (
    N_("1. Cover all windows at random"),
    N_("2. Pull the top card out"),
    N_("3. Look at its picture, not at its back"),
)
"""What is done when a card is revealed (M40). It is put away when the round is scored (M45, M46)."""
COVER_TABLE = N_("First a hand covers the lid, then you see the picture")
"""What a simulated table does instead, by itself."""
COVER_VOID_TABLE = N_("A hand covers the lid, and a new picture comes")
"""The same after a round without a guess (M50)."""
VOID_ROUND_STEPS = (*COVER_STEPS[:2], N_("3. Card in the box unseen, marker stays"))
"""What is done after a round without a guess (M50)."""
RENEWAL_STEPS = (
    N_("1. Turn the pile over as one, put it in"),
    N_("2. Lid on, all tokens at random"),
    N_("3. Pull the top card, into the box"),
)
"""How the deck is renewed (D1)."""


def list_places(view: MacroscopeState, reading: Reading | None) -> tuple[int | None, ...]:
    """List the lid's twelve places row by row, with the arrow up.

    Args:
        view: which tokens are on the lid.
        reading: where the camera sees them. Without a lid in it they are listed by number, for every table has its own
            places (M1).

    Returns:
        For each place the number of its token, 1 to 6; `NUMBER_UNKNOWN` for a token whose number the camera does not
        see, below a hand for example; None for an open window.
    """
    if reading is not None and reading.lid is not None and reading.lid.windows:
        return tuple(
            None if window.covered is False else window.number or NUMBER_UNKNOWN for window in reading.lid.windows
        )
    return tuple(
        number if copy < count else None
        for number, count in enumerate(view.tokens, 1)
        for copy in range(TOKENS_PER_NUMBER)
    )


def draw_lid(canvas: Canvas, rect: Rect, view: MacroscopeState, places: Sequence[int | None]) -> None:
    """Draw the lid with its tokens and open windows; the tokens that can be taken are bright.

    Args:
        view: which tokens can be taken.
        places: as `list_places` returns them.
    """
    lid = canvas.draw_art("lid", rect)
    inner = lid.inflate(-round(lid.w * LID_RIM_RATIO), -round(lid.h * LID_RIM_RATIO))
    arrow = canvas.px(4)
    canvas.draw_icon("arrow", (inner.centerx, inner.top + arrow // 2), arrow, TOKEN_LIGHT_RGB)
    inner = split_top(inner, arrow)[1]
    step_x, step_y = inner.w // GRID_COLUMNS, inner.h // GRID_ROWS
    step_x, step_y = min(step_x, step_y * 5 // 4), min(step_y, step_x * 5 // 4)
    size = min(step_x, step_y)
    grid = Rect(0, 0, step_x * GRID_COLUMNS, step_y * GRID_ROWS)
    grid.topleft = (inner.centerx - grid.w // 2, inner.centery - grid.h // 2)
    for number, centre in zip(places, _token_centres(grid), strict=False):
        if number is None:
            canvas.draw_disc(centre, size * WINDOW_PERCENT // 100, WINDOW_RGB, WINDOW_EDGE_RGB)
        else:
            can_take = view.phase is Phase.OPEN and number in view.takeable_tokens
            draw_token(canvas, centre, size, number, can_take=can_take)


def _token_centres(rect: Rect) -> list[tuple[int, int]]:
    """Return the centres of the lid's twelve places within `rect`, row by row."""
    return [cell.center for cell in split_grid(rect, GRID_COLUMNS, GRID_ROWS, 0)]


def draw_token(canvas: Canvas, centre: tuple[int, int], size: int, number: int, *, can_take: bool) -> None:
    """Draw a token with its number.

    Args:
        centre: x and y of its centre in pixels.
        size: diameter in pixels, at least 3.
        number: the number on it, 1 to 6 (not checked); `NUMBER_UNKNOWN`: it is drawn without one.
        can_take: it can be taken: it is drawn bright.
    """
    box = Rect(0, 0, size, size)
    box.center = centre
    margin = size * TOKEN_ART_MARGIN_PERCENT // 100
    canvas.draw_art("token", box.inflate(margin, margin), dimmed=not can_take)
    colour = TOKEN_DARK_RGB if can_take else TOKEN_LIGHT_RGB
    if number != NUMBER_UNKNOWN:
        canvas.draw_text(box, str(number), TITLE_EM, colour, face=Typeface.DISPLAY, align=0.5)


def draw_instructions(canvas: Canvas, rect: Rect, steps: Sequence[str]) -> None:
    """Draw what to do with device and card, step by step: cover the windows, pull the top card out.

    Args:
        steps: `COVER_STEPS`, `VOID_ROUND_STEPS` or `RENEWAL_STEPS`; they are translated here. At least one.

    Raises:
        ZeroDivisionError: there are no steps.
    """
    drawing, text = split_left(rect, rect.w // 4, canvas.px(4))
    width = min(drawing.w * 62 // 100, drawing.h * 4 // 3)
    box = Rect(drawing.left, 0, width, min(drawing.h, width * 3 // 4))
    box.centery = drawing.centery
    card = Rect(box.right - canvas.px(4), box.top + box.h // 6, drawing.right - box.right, box.h * 2 // 3)
    canvas.draw_panel(card, INK, radius=1.2)
    canvas.draw_icon("pointer", (card.centerx + canvas.px(1.5), card.centery), canvas.px(8), BACKGROUND)
    canvas.draw_panel(box, RAISED, edge=LINE)
    size = min(box.w // GRID_COLUMNS, box.h // GRID_ROWS) * 3 // 4
    for centre in _token_centres(box):
        canvas.draw_disc(centre, size, MUTED)
    for step, row in zip(steps, split_rows(text, len(steps), 0, text.h // len(steps)), strict=True):
        canvas.draw_text(row, _(step), TITLE_EM, face=Typeface.DISPLAY, max_lines=2)
