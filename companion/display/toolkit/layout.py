"""Where things stand: the same places in every game, in units (`Canvas.px`), lying and upright.

Lying, the middle has the players at its left and the side column with the camera's corner at its right. Upright, all is
stacked: name, track, sentence, the game over the whole width, under it the players and what stands beside them.
"""

from __future__ import annotations

from dataclasses import dataclass

from pygame import Rect

from companion.display.toolkit.canvas import Canvas

MARGIN = 2.5
GAP = 2.0
TOP_MARGIN, BOTTOM_MARGIN = 1.5, 2.0
NAME_HEIGHT = 12.2
SENTENCE_HEIGHT = 7.4
STATUS_HEIGHT = 5.0
KEYS_HEIGHT = 15.2
PLAYERS_WIDTH = 53.0
SIDE_WIDTH = 34.0
CAMERA_HEIGHT = 25.5
TRACK_WIDTH = 76.0

# Upright: the width is 100 units, the height 160 or more.
PORTRAIT_NAME_HEIGHT = 11.4
PORTRAIT_TRACK_HEIGHT = 9.4
PORTRAIT_SENTENCE_HEIGHT = 12.6
PORTRAIT_STATUS_HEIGHT = 8.8
PORTRAIT_KEYS_HEIGHT = 29.4
PORTRAIT_SIDE_WIDTH = 33.0
PORTRAIT_CAMERA_HEIGHT = 22.5
PORTRAIT_PLAYERS_BESIDE_CAMERA_HEIGHT = 47.0
"""Height of the players where the camera's corner stands beside them: six, one under the other."""
PORTRAIT_PLAYERS_HEIGHT = 27.6
"""Height of the players where they have the whole width: six in three columns."""


@dataclass(frozen=True, slots=True)
class ScreenLayout:
    """The screen's places. Body: what lies between the sentence and the status line."""

    name: Rect
    track: Rect
    sentence: Rect
    body: Rect
    status: Rect
    soft_keys: Rect
    players: Rect
    centre: Rect
    """The body without the players."""
    main: Rect
    """The centre without the side column."""
    side: Rect
    """The side column above the camera."""
    camera: Rect


def lay_out_screen(canvas: Canvas, *, camera_corner: bool = False, has_track: bool = True) -> ScreenLayout:
    """The places on a canvas.

    Args:
        corner: side column and camera's corner are to be seen at all times. Upright they then stand beside the
            players, and the centre has the whole width; else they lie within the centre, as they do lying.
        track: there is a round track (or what stands in its place). Upright it takes a line of its own.
    """
    return (
        _lay_out_portrait(canvas, corner=camera_corner, track=has_track)
        if canvas.is_portrait
        else _lay_out_landscape(canvas)
    )


def _lay_out_landscape(canvas: Canvas) -> ScreenLayout:
    px = canvas.px
    gap, inner = px(GAP), _usable_area(canvas)
    name = Rect(inner.left, inner.top, inner.w, px(NAME_HEIGHT))
    track_width = min(px(TRACK_WIDTH), inner.w // 2)
    track = Rect(inner.right - track_width, inner.top, track_width, px(NAME_HEIGHT))
    sentence = Rect(inner.left, name.bottom, inner.w, px(SENTENCE_HEIGHT))
    # Without the seats' keys the console's have their words beside their signs.
    high = px(PORTRAIT_KEYS_HEIGHT / 3 if canvas.preferences.touch_seats else KEYS_HEIGHT)
    keys = Rect(inner.left, inner.bottom - high, inner.w, high)
    status = Rect(inner.left, keys.top - px(STATUS_HEIGHT) - gap // 2, inner.w, px(STATUS_HEIGHT))
    top = sentence.bottom + gap // 2
    body = Rect(inner.left, top, inner.w, status.top - gap // 2 - top)
    players = Rect(body.left, body.top, min(px(PLAYERS_WIDTH), body.w * 2 // 5), body.h)
    centre = Rect(players.right + gap, body.top, body.right - players.right - gap, body.h)
    main, side, camera = _split_side_column(canvas, centre, SIDE_WIDTH, CAMERA_HEIGHT)
    return ScreenLayout(name, track, sentence, body, status, keys, players, centre, main, side, camera)


def _lay_out_portrait(canvas: Canvas, *, corner: bool, track: bool) -> ScreenLayout:
    px = canvas.px
    gap, inner = px(GAP), _usable_area(canvas)
    name = Rect(inner.left, inner.top, inner.w, px(PORTRAIT_NAME_HEIGHT))
    line = Rect(inner.left, name.bottom, inner.w, px(PORTRAIT_TRACK_HEIGHT) if track else 0)
    sentence = Rect(inner.left, line.bottom, inner.w, px(PORTRAIT_SENTENCE_HEIGHT))
    high = px(PORTRAIT_KEYS_HEIGHT / 3 if canvas.preferences.touch_seats else PORTRAIT_KEYS_HEIGHT)
    keys = Rect(inner.left, inner.bottom - high, inner.w, high)
    status = Rect(inner.left, keys.top - px(PORTRAIT_STATUS_HEIGHT) - gap // 2, inner.w, px(PORTRAIT_STATUS_HEIGHT))
    top = sentence.bottom + gap // 2
    body = Rect(inner.left, top, inner.w, status.top - gap // 2 - top)
    foot = Rect(
        body.left,
        body.bottom - px(PORTRAIT_PLAYERS_BESIDE_CAMERA_HEIGHT if corner else PORTRAIT_PLAYERS_HEIGHT),
        body.w,
        px(PORTRAIT_PLAYERS_BESIDE_CAMERA_HEIGHT if corner else PORTRAIT_PLAYERS_HEIGHT),
    )
    centre = Rect(body.left, body.top, body.w, foot.top - gap - body.top)
    if not corner:
        main, side, camera = _split_side_column(canvas, centre, SIDE_WIDTH, CAMERA_HEIGHT)
        return ScreenLayout(name, line, sentence, body, status, keys, foot, centre, main, side, camera)
    players, side, camera = _split_side_column(canvas, foot, PORTRAIT_SIDE_WIDTH, PORTRAIT_CAMERA_HEIGHT)
    return ScreenLayout(name, line, sentence, body, status, keys, players, centre, Rect(centre), side, camera)


def _usable_area(canvas: Canvas) -> Rect:
    """What the scene has, without its margin."""
    whole, margin, top = canvas.scene_area, canvas.px(MARGIN), canvas.px(TOP_MARGIN)
    return Rect(whole.left + margin, whole.top + top, whole.w - 2 * margin, whole.h - top - canvas.px(BOTTOM_MARGIN))


def _split_side_column(
    canvas: Canvas, rect: Rect, column_width: float, camera_height: float
) -> tuple[Rect, Rect, Rect]:
    """`rect` without the column at its right, the column above the camera, and the camera's corner."""
    gap = canvas.px(GAP)
    width = min(canvas.px(column_width), rect.w * 2 // 5 if canvas.is_portrait else rect.w // 3)
    main = Rect(rect.left, rect.top, rect.w - width - gap, rect.h)
    camera = Rect(main.right + gap, rect.bottom - canvas.px(camera_height), width, canvas.px(camera_height))
    side = Rect(camera.left, rect.top, width, camera.top - gap - rect.top)
    return main, side, camera


def split_rows(rect: Rect, count: int, gap: int, max_height: int) -> list[Rect]:
    """`rect` cut into `count` equal rows, none taller than `tallest`, from the top."""
    height = min(max_height, (rect.h - gap * (count - 1)) // max(1, count))
    return [Rect(rect.left, rect.top + i * (height + gap), rect.w, height) for i in range(count)]
