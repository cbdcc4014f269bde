"""The Macroscope's lid: as the camera sees it, rectified; else the tokens that are still on it, by number."""

from collections.abc import Hashable, Sequence
from dataclasses import replace

import numpy as np
from pygame import Rect

from companion.display.toolkit import (
    BACKGROUND,
    INK,
    LINE,
    MUTED,
    RAISED,
    RGB,
    TITLE_EM,
    ById,
    Canvas,
    Typeface,
    split_grid,
    split_left,
    split_rows,
    split_top,
)
from companion.display.widgets.camera_panel import DARK_RGB, DOUBT_RGB, LIGHT_RGB
from companion.games.macroscope.state import MacroscopeState, Phase
from companion.i18n import N_, Translator
from companion.screen_state import CameraView
from companion.vision.reading import Lid, LidWindow

_ = Translator("macroscope")

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
COVER_STEPS = (
    N_("1. Cover all windows at random"),
    N_("2. Pull the top card, do not turn it"),
    N_("3. Card in the box, back unseen; marker +1"),
)
"""What is done when a card is revealed (M40, M45, M46)."""
VOID_ROUND_STEPS = (*COVER_STEPS[:2], N_("3. Card in the box, back unseen; marker stays"))
"""What is done after a round without a guess (M50)."""
RENEWAL_STEPS = (
    N_("1. Turn the pile over as one, put it in"),
    N_("2. Lid on, all tokens at random"),
    N_("3. Pull the top card, into the box"),
)
"""How the deck is renewed (D1)."""


def rectify_windows(lid: Lid, size: tuple[int, int]) -> list[LidWindow]:
    """Compute where the windows lie in the picture that `companion.vision.lid.reader.rectify_lid` makes of the lid.

    In that picture the lid is as large as fits, in the middle.

    Args:
        lid: Corners (clockwise from the one at the left of the arrow) and windows, in pixels of the camera's picture.
        size: Width and height of the rectified picture in pixels.

    Returns:
        The windows in their order, with centre and radius in pixels of the rectified picture; none if the lid has no
        windows or is less than 1 pixel wide or high.
    """
    corners = np.array(lid.corners, np.float32)
    width, height = (
        float(np.linalg.norm(corners[list(a)] - corners[list(b)], axis=1).mean())
        for a, b in (((1, 2), (0, 3)), ((3, 2), (0, 1)))
    )
    if not lid.windows or width < 1 or height < 1:
        return []
    scale = min(size[0] / width, size[1] / height)
    half = np.array([width, height]) * scale / 2
    rectified_corners = np.array(size) / 2 + half * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    import cv2  # not before there is a lid: the first picture does without

    transform = cv2.getPerspectiveTransform(corners, rectified_corners.astype(np.float32))
    centers = np.array([[window.center for window in lid.windows]], np.float64)
    rectified = cv2.perspectiveTransform(centers, transform)[0]
    return [
        replace(window, center=(float(x), float(y)), radius=window.radius * scale)
        for window, (x, y) in zip(lid.windows, rectified, strict=True)
    ]


def lid_content(camera_view: CameraView) -> Hashable:
    """Return every value that the lid's picture depends on besides the game's view, for the `content` of its region.

    Args:
        camera_view: The rectified picture of the lid, and its reading.

    Returns:
        A hashable value that is equal as long as the picture object and the lid's reading are the same.
    """
    return ById(camera_view.rectified_lid), camera_view.reading.lid if camera_view.reading is not None else None


def draw_lid(canvas: Canvas, rect: Rect, view: MacroscopeState, camera_view: CameraView) -> None:
    """Draw the rectified lid with rings around its open windows and the tokens that can be taken.

    Without a picture of the lid, draw the tokens that are on it according to the game.

    Args:
        canvas: Where it is drawn, while a region is painted.
        rect: Its place in pixels.
        view: Which tokens are on the lid and which can be taken.
        camera_view: The rectified picture of the lid, and its reading; both may be missing.

    Raises:
        cv2.error: The picture has a type or a number of channels that OpenCV cannot convert from BGR.
        pygame.error: `rect` is too small, so that a part would have a negative size.
    """
    picture, reading = camera_view.rectified_lid, camera_view.reading
    if picture is None:
        _draw_token_grid(canvas, rect, view)
        return
    drawn = canvas.draw_image(picture, rect)
    if reading is not None and reading.lid is not None:
        _draw_window_rings(canvas, drawn, reading.lid, (picture.shape[1], picture.shape[0]), view)


def _draw_window_rings(canvas: Canvas, drawn: Rect, lid: Lid, size: tuple[int, int], view: MacroscopeState) -> None:
    """Draw thick rings around the tokens that can be taken, thin ones around open windows.

    Args:
        canvas: Where they are drawn.
        drawn: Where the rectified picture lies on the canvas, in pixels.
        lid: The lid as read.
        size: Width and height of the rectified picture in its own pixels.
        view: Which tokens can be taken.
    """
    scale = drawn.w / size[0]
    for window in rectify_windows(lid, size):
        centre = (drawn.left + round(window.center[0] * scale), drawn.top + round(window.center[1] * scale))
        radius = round(window.radius * scale) + canvas.px(0.8)
        # Light within dark stands out from any token and any table, in every palette.
        if window.covered is False:
            canvas.draw_ring(centre, radius, DARK_RGB, 0.9)
            canvas.draw_ring(centre, radius - canvas.px(0.2), DOUBT_RGB, 0.4)
        elif window.covered and view.phase is Phase.OPEN and window.number in view.takeable_tokens:
            canvas.draw_ring(centre, radius + canvas.px(0.5), DARK_RGB, 1.8)
            canvas.draw_ring(centre, radius, LIGHT_RGB, 0.9)


def _draw_token_grid(canvas: Canvas, rect: Rect, view: MacroscopeState) -> None:
    """Draw the twelve tokens by number, not by place: every table has its own places (M1)."""
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
    for place, centre in enumerate(_token_centres(grid)):
        number, copy = place // TOKENS_PER_NUMBER + 1, place % TOKENS_PER_NUMBER
        if copy < view.tokens[number - 1]:
            can_take = view.phase is Phase.OPEN and number in view.takeable_tokens
            draw_token(canvas, centre, size, number, can_take=can_take)
        else:
            canvas.draw_disc(centre, size * WINDOW_PERCENT // 100, WINDOW_RGB, WINDOW_EDGE_RGB)


def _token_centres(rect: Rect) -> list[tuple[int, int]]:
    """Return the centres of the lid's twelve places within `rect`, row by row."""
    return [cell.center for cell in split_grid(rect, GRID_COLUMNS, GRID_ROWS, 0)]


def draw_token(canvas: Canvas, centre: tuple[int, int], size: int, number: int, *, can_take: bool) -> None:
    """Draw a token with its number.

    Args:
        canvas: Where it is drawn.
        centre: x and y of its centre in pixels.
        size: Diameter in pixels, at least 3.
        number: The number on it, 1 to 6 (not checked).
        can_take: It can be taken: it is drawn bright.
    """
    box = Rect(0, 0, size, size)
    box.center = centre
    margin = size * TOKEN_ART_MARGIN_PERCENT // 100
    canvas.draw_art("token", box.inflate(margin, margin), dimmed=not can_take)
    colour = TOKEN_DARK_RGB if can_take else TOKEN_LIGHT_RGB
    canvas.draw_text(box, str(number), TITLE_EM, colour, face=Typeface.DISPLAY, align=0.5)


def draw_instructions(canvas: Canvas, rect: Rect, steps: Sequence[str]) -> None:
    """Draw what to do with device and card, step by step: cover the windows, pull the top card out.

    Args:
        canvas: Where it is drawn, while a region is painted.
        rect: Its place in pixels.
        steps: `COVER_STEPS`, `VOID_ROUND_STEPS` or `RENEWAL_STEPS`; they are translated here. At least one.

    Raises:
        ZeroDivisionError: There are no steps.
        pygame.error: `rect` is too small, so that a part would have a negative size.
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
