"""Where things stand: the same places in every game, in units of the screen's height."""

from __future__ import annotations

from dataclasses import dataclass

from pygame import Rect

from companion.display.canvas import Canvas

MARGIN = 2.5
GAP = 2.0
NAME = 12.2
SENTENCE = 7.4
STATUS = 5.0
KEYS = 15.2
PLAYERS = 53.0
SIDE = 34.0
CAMERA = 25.5
TRACK = 76.0


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


def grid(canvas: Canvas) -> Grid:
    """The places on a canvas."""
    px = canvas.px
    width, height = canvas.size
    margin, gap = px(MARGIN), px(GAP)
    inner = Rect(margin, px(1.5), width - 2 * margin, height - px(1.5) - px(2.0))
    name = Rect(inner.left, inner.top, inner.w, px(NAME))
    track_width = min(px(TRACK), inner.w // 2)
    track = Rect(inner.right - track_width, inner.top, track_width, px(NAME))
    sentence = Rect(inner.left, name.bottom, inner.w, px(SENTENCE))
    keys = Rect(inner.left, inner.bottom - px(KEYS), inner.w, px(KEYS))
    status = Rect(inner.left, keys.top - px(STATUS) - gap // 2, inner.w, px(STATUS))
    top = sentence.bottom + gap // 2
    body = Rect(inner.left, top, inner.w, status.top - gap // 2 - top)
    players = Rect(body.left, body.top, min(px(PLAYERS), body.w * 2 // 5), body.h)
    centre = Rect(players.right + gap, body.top, body.right - players.right - gap, body.h)
    side_width = min(px(SIDE), centre.w // 3)
    main = Rect(centre.left, centre.top, centre.w - side_width - gap, centre.h)
    camera = Rect(main.right + gap, centre.bottom - px(CAMERA), side_width, px(CAMERA))
    side = Rect(camera.left, centre.top, side_width, camera.top - gap - centre.top)
    return Grid(name, track, sentence, body, status, keys, players, centre, main, side, camera)


def rows(rect: Rect, count: int, gap: int, tallest: int) -> list[Rect]:
    """`rect` cut into `count` equal rows, none taller than `tallest`, from the top."""
    height = min(tallest, (rect.h - gap * (count - 1)) // max(1, count))
    return [Rect(rect.left, rect.top + i * (height + gap), rect.w, height) for i in range(count)]
