"""Where things stand on the screen: the same places in every game, and how a rectangle is cut into parts.

From the top: who is addressed and what to do, with the round track at the right; the stage, over the whole width; the
players in a strip; the status line; the soft keys. In portrait the same in this order, the track in a row of its own.
The far layout has no status line, and two rows of keys (four in portrait), so that their labels may be larger. Sizes
are in layout units (`Canvas.px`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from pygame import Rect

from companion.display.toolkit.canvas import Canvas

SIDE_MARGIN = 2.0
"""Room at the left and the right of the screen."""
GAP = 1.4
"""Room between two places."""
TOP_MARGIN = 1.0
"""Room at the top of the screen."""
BOTTOM_MARGIN = 1.0
"""Room at the bottom of the screen."""
HEADER_HEIGHT = 13.6
"""Height of the row with the addressed player's name and the sentence that says what to do: two lines of text."""
MAX_NAME_SHARE = 0.42
"""Width of the name at most, as a share of the header's; the sentence has the rest."""
TRACK_WIDTH = 27.0
"""Width of the round track and the camera's mark."""
STRIP_HEIGHT = 10.0
"""Height of the players' strip with up to `ONE_LINE_PLAYERS` players: name and score side by side."""
HIGH_STRIP_HEIGHT = 15.4
"""Height of the strip with more players: the name stands over the score."""
ONE_LINE_PLAYERS = 3
"""Players that stand in the strip with name and score side by side."""
STATUS_HEIGHT = 7.2
"""Height of the status line."""
KEYS_HEIGHT = 19.4
"""Height of the row of soft keys."""
FAR_SENTENCE_HEIGHT = 15.8
"""Height of two lines of text in the far layout: of the header (in portrait of its sentence), and of a high strip,
which has room for a notice."""
FAR_SEAT_KEY_HEIGHT = 16.8
"""Height of a row of the seats' keys in the far layout: a label of two lines."""
FAR_CONSOLE_KEY_HEIGHT = 10.2
"""Height of a row of the console's keys in the far layout: a label of one line."""
KEY_GAP = 0.8
"""Room between two slots of the soft keys."""

# Portrait: the screen is 100 units wide and at least 160 high.
PORTRAIT_NAME_HEIGHT = 11.0
"""Height of the row with the addressed player's name, in portrait."""
PORTRAIT_TRACK_HEIGHT = 8.0
"""Height of the round track, in portrait."""
PORTRAIT_SENTENCE_HEIGHT = 13.6
"""Height of the sentence, in portrait."""
PORTRAIT_STATUS_HEIGHT = 14.0
"""Height of the status line, in portrait: two lines."""
PORTRAIT_KEYS_HEIGHT = 46.0
"""Height of the three rows of soft keys, in portrait; a third of it for the one row beside touched seats."""


@dataclass(frozen=True, slots=True)
class ScreenLayout:
    """The places of the screen, in pixels.

    >>> place = Rect(0, 0, 800, 480)
    >>> ScreenLayout(*[place] * 9).stage
    <rect(0, 0, 800, 480)>

    Attributes:
        header: name and sentence: who is addressed and what to do now.
        track: round track; without height if there is none.
        stage: the game.
        players: players' strip; without height if there are no players.
        body: stage and players' strip: where scores are the point, or there are no players.
        status: status line; without height in the far layout.
        soft_keys: row of soft keys, or its rows.
        view: the camera's picture while it is large: all above the soft keys.
        flood: the area whose ground has the active seat's colour: header and stage, to the edges of the screen.
    """

    header: Rect
    track: Rect
    stage: Rect
    players: Rect
    body: Rect
    status: Rect
    soft_keys: Rect
    view: Rect
    flood: Rect


def lay_out_screen(canvas: Canvas, player_count: int = 0, *, has_track: bool = False) -> ScreenLayout:
    """Compute the places of the screen's parts in pixels. Nothing is drawn.

    Args:
        canvas: gives size, pixels per layout unit and preferences.
        player_count: number of players in the strip; 0: there is no strip, and the stage has its room.
        has_track: there is a round track (or something in its place).

    Returns:
        The places. On a screen of a few pixels places have negative sizes; nothing is raised.
    """
    # A press computes nothing again: the places are those of the frame before.
    places = canvas.compute_once(
        ("layout", player_count, has_track), lambda: _compute_places(canvas, player_count, has_track=has_track)
    )
    return ScreenLayout(*map(Rect, places))


def _compute_places(canvas: Canvas, player_count: int, *, has_track: bool) -> tuple[Rect, ...]:
    """Return the places in the order of the fields of `ScreenLayout`."""
    px, portrait = canvas.px, canvas.is_portrait
    gap, whole, margin = px(GAP), canvas.scene_area, px(SIDE_MARGIN)
    area = Rect(whole.left + margin, whole.top + px(TOP_MARGIN), whole.w - 2 * margin, 0)
    area.h = whole.h - px(TOP_MARGIN) - px(BOTTOM_MARGIN)
    if portrait:
        header, below = split_top(area, px(PORTRAIT_NAME_HEIGHT + sentence_height(canvas)))
        track, below = split_top(below, px(PORTRAIT_TRACK_HEIGHT) if has_track else 0)
    else:
        header, below = split_top(area, px(sentence_height(canvas)))
        track, header = split_right(header, px(TRACK_WIDTH) if has_track else 0, gap if has_track else 0)
    below = split_top(below, 0, gap)[1]
    soft_keys, below = split_bottom(below, px(_keys_height(canvas)), gap // 2)
    view = Rect(area.left, area.top, area.w, below.bottom - area.top)
    if canvas.is_far or not canvas.preferences.has_keys:
        status, body = split_bottom(below, 0)
    else:
        status, body = split_bottom(below, px(PORTRAIT_STATUS_HEIGHT if portrait else STATUS_HEIGHT), gap // 2)
    players, stage = Rect(body.left, body.bottom, body.w, 0), Rect(body)
    if player_count:
        players, stage = split_bottom(body, _measure_strip(canvas, player_count), gap)
    flood = Rect(whole.left, whole.top, whole.w, stage.bottom + gap // 2 - whole.top)
    return header, track, stage, players, body, status, soft_keys, view, flood


def sentence_height(canvas: Canvas) -> float:
    """Return the height of the sentence that says what to do, in units: two lines of text."""
    near = PORTRAIT_SENTENCE_HEIGHT if canvas.is_portrait else HEADER_HEIGHT
    return FAR_SENTENCE_HEIGHT if canvas.is_far else near


def _keys_height(canvas: Canvas) -> float:
    """Return the height of all soft keys in units; with touched seats of the console's alone."""
    if not canvas.preferences.has_keys:
        return 0.0
    portrait, touched = canvas.is_portrait, canvas.preferences.touch_seats
    if canvas.is_far:
        console, seats = (2, 2) if portrait else (1, 1)
        rows = [FAR_CONSOLE_KEY_HEIGHT] * console + [FAR_SEAT_KEY_HEIGHT] * (0 if touched else seats)
        return sum(rows) + KEY_GAP * (len(rows) - 1)
    if portrait:
        return PORTRAIT_KEYS_HEIGHT / 3 if touched else PORTRAIT_KEYS_HEIGHT
    return KEYS_HEIGHT


def _measure_strip(canvas: Canvas, player_count: int) -> int:
    """Return the height of the players' strip in pixels."""
    high = canvas.px(FAR_SENTENCE_HEIGHT if canvas.is_far else HIGH_STRIP_HEIGHT)
    if canvas.is_portrait:
        return high * -(-player_count // 3) + canvas.px(GAP) * (player_count > ONE_LINE_PLAYERS)
    return canvas.px(STRIP_HEIGHT) if player_count <= ONE_LINE_PLAYERS else high


def split_top(rect: Rect, height: int, gap: int = 0) -> tuple[Rect, Rect]:
    """Cut `height` pixels off the top; return that part, and the rest below a gap.

    Args:
        rect: the rectangle, in pixels; it is not changed.
        height: height of the upper part in pixels.
        gap: pixels between the two parts.

    Returns:
        The upper part and the rest; the rest has a negative height if `rect` is lower than `height + gap`.

    >>> split_top(Rect(0, 0, 10, 100), 20, 5)
    (<rect(0, 0, 10, 20)>, <rect(0, 25, 10, 75)>)
    """
    offset = height + gap
    return Rect(rect.left, rect.top, rect.w, height), Rect(rect.left, rect.top + offset, rect.w, rect.h - offset)


def split_bottom(rect: Rect, height: int, gap: int = 0) -> tuple[Rect, Rect]:
    """Cut `height` pixels off the bottom; return that part, and the rest above a gap.

    >>> split_bottom(Rect(0, 0, 10, 100), 20, 5)
    (<rect(0, 80, 10, 20)>, <rect(0, 0, 10, 75)>)

    Args:
        rect: the rectangle, in pixels; it is not changed.
        height: height of the lower part in pixels.
        gap: pixels between the two parts.

    Returns:
        The lower part and the rest; the rest has a negative height if `rect` is lower than `height + gap`.
    """
    return Rect(rect.left, rect.bottom - height, rect.w, height), Rect(rect.topleft, (rect.w, rect.h - height - gap))


def split_left(rect: Rect, width: int, gap: int = 0) -> tuple[Rect, Rect]:
    """Cut `width` pixels off the left; return that part, and the rest right of a gap.

    >>> split_left(Rect(0, 0, 100, 10), 20, 5)
    (<rect(0, 0, 20, 10)>, <rect(25, 0, 75, 10)>)

    Args:
        rect: the rectangle, in pixels; it is not changed.
        width: width of the left part in pixels.
        gap: pixels between the two parts.

    Returns:
        The left part and the rest; the rest has a negative width if `rect` is narrower than `width + gap`.
    """
    offset = width + gap
    return Rect(rect.left, rect.top, width, rect.h), Rect(rect.left + offset, rect.top, rect.w - offset, rect.h)


def split_right(rect: Rect, width: int, gap: int = 0) -> tuple[Rect, Rect]:
    """Cut `width` pixels off the right; return that part, and the rest left of a gap.

    >>> split_right(Rect(0, 0, 100, 10), 20, 5)
    (<rect(80, 0, 20, 10)>, <rect(0, 0, 75, 10)>)

    Args:
        rect: the rectangle, in pixels; it is not changed.
        width: width of the right part in pixels.
        gap: pixels between the two parts.

    Returns:
        The right part and the rest; the rest has a negative width if `rect` is narrower than `width + gap`.
    """
    return Rect(rect.right - width, rect.top, width, rect.h), Rect(rect.topleft, (rect.w - width - gap, rect.h))


def split_columns(rect: Rect, widths: Sequence[int], gap: int) -> list[Rect]:
    """Split columns off the left of a rectangle.

    Args:
        rect: what is split, in pixels.
        widths: widths of the columns in pixels, from left to right; may be empty.
        gap: room between two columns in pixels.

    Returns:
        The columns, from left to right, as high as `rect`; they reach beyond it if it is too narrow.

    >>> [tuple(column) for column in split_columns(Rect(0, 0, 100, 20), (30, 10), 5)]
    [(0, 0, 30, 20), (35, 0, 10, 20)]
    """
    lefts = accumulate((width + gap for width in widths), initial=rect.left)
    return [Rect(left, rect.top, width, rect.h) for left, width in zip(lefts, widths, strict=False)]


def split_rows(rect: Rect, count: int, gap: int, max_height: int) -> list[Rect]:
    """Cut `rect` into equal rows from the top; room below the last row stays free if the rows are limited in height.

    >>> split_rows(Rect(0, 0, 100, 50), 2, gap=10, max_height=15)
    [<rect(0, 0, 100, 15)>, <rect(0, 25, 100, 15)>]

    Args:
        rect: the rectangle, in pixels; it is not changed.
        count: number of rows; 0 gives an empty list.
        gap: pixels between two rows.
        max_height: height of a row at most, in pixels.

    Returns:
        The rows from the top, each as wide as `rect`.
    """
    return split_grid(rect, 1, count, gap, max_height)


def split_grid(rect: Rect, columns: int, rows: int, gap: int, max_height: int | None = None) -> list[Rect]:
    """Cut `rect` into equal cells with `gap` pixels between them.

    Args:
        rect: the rectangle, in pixels; it is not changed.
        columns: number of columns, at least 1.
        rows: number of rows; 0 gives an empty list.
        gap: pixels between two cells, across and down.
        max_height: height of a cell at most, in pixels; room below the last row then stays free. None: no limit.

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
