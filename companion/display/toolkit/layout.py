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
TOP, FOOT = 1.5, 2.0
NAME = 12.2
SENTENCE = 7.4
STATUS = 5.0
KEYS = 15.2
PLAYERS = 53.0
SIDE = 34.0
CAMERA = 25.5
TRACK = 76.0

# Upright: the width is 100 units, the height 160 or more.
TALL_NAME = 11.4
TALL_TRACK = 9.4
TALL_SENTENCE = 12.6
TALL_STATUS = 8.8
TALL_KEYS = 29.4
TALL_SIDE = 33.0
TALL_CAMERA = 22.5
BESIDE = 47.0
"""Height of the players where the camera's corner stands beside them: six, one under the other."""
ALONE = 27.6
"""Height of the players where they have the whole width: six in three columns."""


@dataclass(frozen=True, slots=True)
class Grid:
    """The screen's places. Body: what lies between the sentence and the status line."""

    name: Rect
    track: Rect
    sentence: Rect
    body: Rect
    status: Rect
    keys: Rect
    players: Rect
    centre: Rect
    """The body without the players."""
    main: Rect
    """The centre without the side column."""
    side: Rect
    """The side column above the camera."""
    camera: Rect


def grid(canvas: Canvas, *, corner: bool = False, track: bool = True) -> Grid:
    """The places on a canvas.

    Args:
        corner: side column and camera's corner are to be seen at all times. Upright they then stand beside the
            players, and the centre has the whole width; else they lie within the centre, as they do lying.
        track: there is a round track (or what stands in its place). Upright it takes a line of its own.
    """
    return _upright(canvas, corner=corner, track=track) if canvas.portrait else _lying(canvas)


def _lying(canvas: Canvas) -> Grid:
    px = canvas.px
    gap, inner = px(GAP), _inner(canvas)
    name = Rect(inner.left, inner.top, inner.w, px(NAME))
    track_width = min(px(TRACK), inner.w // 2)
    track = Rect(inner.right - track_width, inner.top, track_width, px(NAME))
    sentence = Rect(inner.left, name.bottom, inner.w, px(SENTENCE))
    # Without the seats' keys the console's have their words beside their signs.
    high = px(TALL_KEYS / 3 if canvas.look.touch_seats else KEYS)
    keys = Rect(inner.left, inner.bottom - high, inner.w, high)
    status = Rect(inner.left, keys.top - px(STATUS) - gap // 2, inner.w, px(STATUS))
    top = sentence.bottom + gap // 2
    body = Rect(inner.left, top, inner.w, status.top - gap // 2 - top)
    players = Rect(body.left, body.top, min(px(PLAYERS), body.w * 2 // 5), body.h)
    centre = Rect(players.right + gap, body.top, body.right - players.right - gap, body.h)
    main, side, camera = _column(canvas, centre, SIDE, CAMERA)
    return Grid(name, track, sentence, body, status, keys, players, centre, main, side, camera)


def _upright(canvas: Canvas, *, corner: bool, track: bool) -> Grid:
    px = canvas.px
    gap, inner = px(GAP), _inner(canvas)
    name = Rect(inner.left, inner.top, inner.w, px(TALL_NAME))
    line = Rect(inner.left, name.bottom, inner.w, px(TALL_TRACK) if track else 0)
    sentence = Rect(inner.left, line.bottom, inner.w, px(TALL_SENTENCE))
    high = px(TALL_KEYS / 3 if canvas.look.touch_seats else TALL_KEYS)
    keys = Rect(inner.left, inner.bottom - high, inner.w, high)
    status = Rect(inner.left, keys.top - px(TALL_STATUS) - gap // 2, inner.w, px(TALL_STATUS))
    top = sentence.bottom + gap // 2
    body = Rect(inner.left, top, inner.w, status.top - gap // 2 - top)
    foot = Rect(body.left, body.bottom - px(BESIDE if corner else ALONE), body.w, px(BESIDE if corner else ALONE))
    centre = Rect(body.left, body.top, body.w, foot.top - gap - body.top)
    if not corner:
        main, side, camera = _column(canvas, centre, SIDE, CAMERA)
        return Grid(name, line, sentence, body, status, keys, foot, centre, main, side, camera)
    players, side, camera = _column(canvas, foot, TALL_SIDE, TALL_CAMERA)
    return Grid(name, line, sentence, body, status, keys, players, centre, Rect(centre), side, camera)


def _inner(canvas: Canvas) -> Rect:
    """What the scene has, without its margin."""
    whole, margin, top = canvas.inner, canvas.px(MARGIN), canvas.px(TOP)
    return Rect(whole.left + margin, whole.top + top, whole.w - 2 * margin, whole.h - top - canvas.px(FOOT))


def _column(canvas: Canvas, rect: Rect, wide: float, camera_height: float) -> tuple[Rect, Rect, Rect]:
    """`rect` without the column at its right, the column above the camera, and the camera's corner."""
    gap = canvas.px(GAP)
    width = min(canvas.px(wide), rect.w * 2 // 5 if canvas.portrait else rect.w // 3)
    main = Rect(rect.left, rect.top, rect.w - width - gap, rect.h)
    camera = Rect(main.right + gap, rect.bottom - canvas.px(camera_height), width, canvas.px(camera_height))
    side = Rect(camera.left, rect.top, width, camera.top - gap - rect.top)
    return main, side, camera


def rows(rect: Rect, count: int, gap: int, tallest: int) -> list[Rect]:
    """`rect` cut into `count` equal rows, none taller than `tallest`, from the top."""
    height = min(tallest, (rect.h - gap * (count - 1)) // max(1, count))
    return [Rect(rect.left, rect.top + i * (height + gap), rect.w, height) for i in range(count)]
