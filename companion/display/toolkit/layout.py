"""Where things stand on the screen: the same places in every game, and how a rectangle is cut into parts.

In landscape the players stand at the left, the side column with the camera's picture at the right. In portrait all is
stacked: name, round track, sentence, the game over the whole width, and under it the players and what is beside them.
Sizes are in layout units (`Canvas.px`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from pygame import Rect

from companion.display.toolkit.canvas import Canvas

SIDE_MARGIN = 2.5
"""Room at the left and the right of the screen."""
GAP = 2.0
"""Room between two places."""
TOP_MARGIN = 1.5
"""Room at the top of the screen."""
BOTTOM_MARGIN = 2.0
"""Room at the bottom of the screen."""
NAME_HEIGHT = 12.2
"""Height of the row with the addressed player's name."""
SENTENCE_HEIGHT = 7.4
"""Height of the sentence that says what to do."""
STATUS_HEIGHT = 5.0
"""Height of the status line."""
KEYS_HEIGHT = 15.2
"""Height of the row of soft keys."""
PLAYERS_WIDTH = 53.0
"""Width of the players' column."""
SIDE_WIDTH = 34.0
"""Width of the side column."""
CAMERA_HEIGHT = 25.5
"""Height of the camera's picture."""
TRACK_WIDTH = 76.0
"""Width of the round track."""

# Portrait: the screen is 100 units wide and at least 160 high.
PORTRAIT_NAME_HEIGHT = 11.4
"""Height of the row with the addressed player's name, in portrait."""
PORTRAIT_TRACK_HEIGHT = 9.4
"""Height of the round track, in portrait."""
PORTRAIT_SENTENCE_HEIGHT = 12.6
"""Height of the sentence, in portrait."""
PORTRAIT_STATUS_HEIGHT = 8.8
"""Height of the status line, in portrait."""
PORTRAIT_KEYS_HEIGHT = 29.4
"""Height of the three rows of soft keys, in portrait; a third of it for the one row beside touched seats."""
PORTRAIT_SIDE_WIDTH = 33.0
"""Width of the side column, in portrait."""
PORTRAIT_CAMERA_HEIGHT = 22.5
"""Height of the camera's picture, in portrait."""
PORTRAIT_PLAYERS_BESIDE_CAMERA_HEIGHT = 47.0
"""Height of the players beside the camera's picture: six, one under the other."""
PORTRAIT_PLAYERS_HEIGHT = 27.6
"""Height of the players where they have the whole width: six in three columns."""


@dataclass(frozen=True, slots=True)
class ScreenLayout:
    """The places of the screen, in pixels.

    Attributes:
        name: Name of the addressed player, or the title.
        track: Round track.
        sentence: What to do now.
        body: All between the sentence and the status line.
        status: Status line.
        soft_keys: Row of soft keys.
        players: Players and scores.
        centre: The body without the players.
        main: The centre without the side column.
        side: The side column above the camera's picture.
        camera: The camera's picture.
    """

    name: Rect
    track: Rect
    sentence: Rect
    body: Rect
    status: Rect
    soft_keys: Rect
    players: Rect
    centre: Rect
    main: Rect
    side: Rect
    camera: Rect


def lay_out_screen(canvas: Canvas, *, camera_corner: bool = False, has_track: bool = True) -> ScreenLayout:
    """Compute the places of the screen's parts in pixels. Nothing is drawn.

    Args:
        canvas: Gives size, pixels per layout unit and preferences.
        camera_corner: The side column and the camera's picture are visible at all times. In portrait they then stand
            beside the players, and the centre has the whole width; else they lie within the centre, as in landscape.
        has_track: There is a round track (or something in its place). In portrait it takes a row of its own; without
            it that row has no height. In landscape the track's place is always the right of the name's row.

    Returns:
        The places. `main`, `side` and `camera` exist even if a scene does not draw them. On a screen of a few pixels
        places have negative sizes; nothing is raised.
    """
    px, portrait = canvas.px, canvas.is_portrait
    gap, whole, margin = px(GAP), canvas.scene_area, px(SIDE_MARGIN)
    area = Rect(whole.left + margin, whole.top + px(TOP_MARGIN), whole.w - 2 * margin, 0)
    area.h = whole.h - px(TOP_MARGIN) - px(BOTTOM_MARGIN)
    name, below = split_top(area, px(PORTRAIT_NAME_HEIGHT if portrait else NAME_HEIGHT))
    if portrait:
        track, below = split_top(below, px(PORTRAIT_TRACK_HEIGHT) if has_track else 0)
    else:
        track = split_right(name, min(px(TRACK_WIDTH), area.w // 2))[0]
    sentence, below = split_top(below, px(PORTRAIT_SENTENCE_HEIGHT if portrait else SENTENCE_HEIGHT), gap // 2)
    keys_height = PORTRAIT_KEYS_HEIGHT if portrait else KEYS_HEIGHT
    # Without the seats' keys there is one row, and its labels stand beside their icons.
    soft_keys, above = split_bottom(
        below, px(PORTRAIT_KEYS_HEIGHT / 3 if canvas.preferences.touch_seats else keys_height), gap // 2
    )
    status, body = split_bottom(above, px(PORTRAIT_STATUS_HEIGHT if portrait else STATUS_HEIGHT), gap // 2)
    if portrait:
        players_height = PORTRAIT_PLAYERS_BESIDE_CAMERA_HEIGHT if camera_corner else PORTRAIT_PLAYERS_HEIGHT
        players, centre = split_bottom(body, px(players_height), gap)
    else:
        players, centre = split_left(body, min(px(PLAYERS_WIDTH), body.w * 2 // 5), gap)
    if portrait and camera_corner:
        players, side, camera = _split_side_column(canvas, players, PORTRAIT_SIDE_WIDTH, PORTRAIT_CAMERA_HEIGHT)
        main = Rect(centre)
    else:
        main, side, camera = _split_side_column(canvas, centre, SIDE_WIDTH, CAMERA_HEIGHT)
    return ScreenLayout(name, track, sentence, body, status, soft_keys, players, centre, main, side, camera)


def _split_side_column(
    canvas: Canvas, rect: Rect, column_width: float, camera_height: float
) -> tuple[Rect, Rect, Rect]:
    """Return `rect` without the column at its right, the column above the camera's picture, and that picture."""
    gap = canvas.px(GAP)
    width = min(canvas.px(column_width), rect.w * 2 // 5 if canvas.is_portrait else rect.w // 3)
    column, main = split_right(rect, width, gap)
    camera, side = split_bottom(column, canvas.px(camera_height), gap)
    return main, side, camera


def split_top(rect: Rect, height: int, gap: int = 0) -> tuple[Rect, Rect]:
    """Cut `height` pixels off the top; return that part, and the rest below a gap.

    Args:
        rect: The rectangle, in pixels; it is not changed.
        height: Height of the upper part in pixels.
        gap: Pixels between the two parts.

    Returns:
        The upper part and the rest; the rest has a negative height if `rect` is lower than `height + gap`.

    >>> split_top(Rect(0, 0, 10, 100), 20, 5)
    (<rect(0, 0, 10, 20)>, <rect(0, 25, 10, 75)>)
    """
    offset = height + gap
    return Rect(rect.left, rect.top, rect.w, height), Rect(rect.left, rect.top + offset, rect.w, rect.h - offset)


def split_bottom(rect: Rect, height: int, gap: int = 0) -> tuple[Rect, Rect]:
    """Cut `height` pixels off the bottom; return that part, and the rest above a gap.

    Args:
        rect: The rectangle, in pixels; it is not changed.
        height: Height of the lower part in pixels.
        gap: Pixels between the two parts.

    Returns:
        The lower part and the rest; the rest has a negative height if `rect` is lower than `height + gap`.
    """
    return Rect(rect.left, rect.bottom - height, rect.w, height), Rect(rect.topleft, (rect.w, rect.h - height - gap))


def split_left(rect: Rect, width: int, gap: int = 0) -> tuple[Rect, Rect]:
    """Cut `width` pixels off the left; return that part, and the rest right of a gap.

    Args:
        rect: The rectangle, in pixels; it is not changed.
        width: Width of the left part in pixels.
        gap: Pixels between the two parts.

    Returns:
        The left part and the rest; the rest has a negative width if `rect` is narrower than `width + gap`.
    """
    offset = width + gap
    return Rect(rect.left, rect.top, width, rect.h), Rect(rect.left + offset, rect.top, rect.w - offset, rect.h)


def split_right(rect: Rect, width: int, gap: int = 0) -> tuple[Rect, Rect]:
    """Cut `width` pixels off the right; return that part, and the rest left of a gap.

    Args:
        rect: The rectangle, in pixels; it is not changed.
        width: Width of the right part in pixels.
        gap: Pixels between the two parts.

    Returns:
        The right part and the rest; the rest has a negative width if `rect` is narrower than `width + gap`.
    """
    return Rect(rect.right - width, rect.top, width, rect.h), Rect(rect.topleft, (rect.w - width - gap, rect.h))


def split_columns(rect: Rect, widths: Sequence[int], gap: int) -> list[Rect]:
    """Split columns off the left of a rectangle.

    Args:
        rect: What is split, in pixels.
        widths: Widths of the columns in pixels, from left to right; may be empty.
        gap: Room between two columns in pixels.

    Returns:
        The columns, from left to right, as high as `rect`; they reach beyond it if it is too narrow.

    >>> [tuple(column) for column in split_columns(Rect(0, 0, 100, 20), (30, 10), 5)]
    [(0, 0, 30, 20), (35, 0, 10, 20)]
    """
    lefts = accumulate((width + gap for width in widths), initial=rect.left)
    return [Rect(left, rect.top, width, rect.h) for left, width in zip(lefts, widths, strict=False)]


def split_rows(rect: Rect, count: int, gap: int, max_height: int) -> list[Rect]:
    """Cut `rect` into equal rows from the top; room below the last row stays free if the rows are limited in height.

    Args:
        rect: The rectangle, in pixels; it is not changed.
        count: Number of rows; 0 gives an empty list.
        gap: Pixels between two rows.
        max_height: Height of a row at most, in pixels.

    Returns:
        The rows from the top, each as wide as `rect`.
    """
    return split_grid(rect, 1, count, gap, max_height)


def split_grid(rect: Rect, columns: int, rows: int, gap: int, max_height: int | None = None) -> list[Rect]:
    """Cut `rect` into equal cells with `gap` pixels between them.

    Args:
        rect: The rectangle, in pixels; it is not changed.
        columns: Number of columns, at least 1.
        rows: Number of rows; 0 gives an empty list.
        gap: Pixels between two cells, across and down.
        max_height: Height of a cell at most, in pixels; room below the last row then stays free. None: no limit.

    Returns:
        The cells row by row, each row from the left. Pixels that cannot be shared equally stay free at the right and
        the bottom.

    Raises:
        ZeroDivisionError: `columns` is 0.

    >>> split_grid(Rect(0, 0, 21, 11), 2, 2, 1)[2:]
    [<rect(0, 6, 10, 5)>, <rect(11, 6, 10, 5)>]
    """
    width = (rect.w - gap * (columns - 1)) // columns
    height = (rect.h - gap * (rows - 1)) // max(1, rows)
    height = height if max_height is None else min(max_height, height)
    return [
        Rect(rect.left + column * (width + gap), rect.top + row * (height + gap), width, height)
        for row in range(rows)
        for column in range(columns)
    ]
