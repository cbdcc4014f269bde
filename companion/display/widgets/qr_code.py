"""A QR code as large as the screen allows: what a phone reads from it is drawn by OpenCV's encoder."""

from functools import lru_cache
from typing import Any

import numpy as np

from companion.display.toolkit import TITLE_EM, Canvas, Rect, Typeface, split_left, split_top
from companion.i18n import _
from companion.screen_state import ResultCode
from companion.vision.reading import Image

ADDED_BORDER_MODULES = 2
"""Modules of white around the encoder's own two: ISO/IEC 18004 asks for a quiet zone of four."""
CAPTION_MARGIN = 3.0
"""Room around the caption beside the code, in units."""
MIN_CAPTION_HEIGHT = 20.0
"""Height of the caption below the code at least, upright, in units."""


def draw_result_code(canvas: Canvas, rect: Rect, code: ResultCode) -> None:
    """Draw a page of the result's codes, and beside it (in portrait below) how to use it, as the region "main".

    The code is black on white in every palette, with a quiet zone of four modules, and fills the shorter side.

    Args:
        code: the page.

    Raises:
        cv2.error: the text is longer than a QR code can hold (2,953 bytes).
    """
    canvas.draw_region("main", rect, code, lambda: _draw_code(canvas, rect, code))


def _draw_code(canvas: Canvas, rect: Rect, code: ResultCode) -> None:
    side = min(rect.w, rect.h - canvas.px(MIN_CAPTION_HEIGHT)) if canvas.is_portrait else min(rect.size)
    if canvas.is_portrait:
        square, beside = split_top(rect, side)
        square.w = side
    else:
        square, beside = split_left(rect, side, 0)
    canvas.draw_image(render_code(code.text, square.w), square)
    margin = canvas.px(CAPTION_MARGIN)
    words = [_("Scan it with your phone"), code.caption]
    if code.page_count > 1:
        words.append(_("Code {n} of {most}", n=code.page + 1, most=code.page_count))
    inside = beside.inflate(-2 * margin, -2 * margin)
    height = inside.h // (len(words) + 1)
    for i, text in enumerate(words):  # the first one needs the height of two
        row = Rect(inside.left, inside.top + (i + (i > 0)) * height, inside.w, height * (2 if i == 0 else 1))
        face = Typeface.DISPLAY if i else Typeface.TEXT
        canvas.draw_text(row, text, TITLE_EM, face=face, max_lines=4)


@lru_cache(maxsize=4)
def render_code(text: str, side: int) -> Image:
    """Return the QR code of a text with its quiet zone, `(side, side, 3)` uint8, black on white.

    It has the lowest level of error correction: large modules help more than redundancy.

    Args:
        text: at most 2,953 bytes in UTF-8.
        side: in pixels. Modules are `side // modules` pixels, all of the same size (uneven ones are read from less
            far away, though a little larger); the rest is added to the quiet zone.

    Raises:
        cv2.error: the text is longer than a QR code can hold.
    """

    import cv2  # not before there is a result: the first screen does without

    modules = _add_border(cv2.QRCodeEncoder.create().encode(text), ADDED_BORDER_MODULES)
    scale = side // len(modules)
    rest = side - scale * len(modules)
    code = modules.repeat(scale, axis=0).repeat(scale, axis=1)
    return _add_border(code, rest // 2, rest % 2)[:, :, None].repeat(3, axis=2)


def _add_border(code: Any, width: int, more: int = 0) -> Image:
    """Return a code with a white border, at the right and below by `more` pixels wider."""
    return np.pad(code, (width, width + more), constant_values=255)
