"""Shapes of the digits 1 to 6, from fonts and as written by hand."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

GLYPH_SIDE_PX = 128
"""Side of a glyph mask in pixels; the digit is 64 high, centred."""

HERSHEY = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
)

Glyphs = dict[int, list[np.ndarray]]
Path_ = list[tuple[float, float]]


def centre_glyph(big: np.ndarray) -> np.ndarray | None:
    """Scale the drawn digit to 64 pixels in height, in the middle of a GLYPH square; None if nothing was drawn."""
    if not big.any():
        return None
    x, y, w, h = cv2.boundingRect(big)
    s = 64 / h
    if w * s > 110:
        return None
    turn = np.array([[s, 0, GLYPH_SIDE_PX / 2 - (x + w / 2) * s], [0, s, GLYPH_SIDE_PX / 2 - (y + h / 2) * s]])
    return cv2.warpAffine(big, turn, (GLYPH_SIDE_PX, GLYPH_SIDE_PX), flags=cv2.INTER_AREA)


def draw_font_digits(font: Path) -> dict[int, np.ndarray] | None:
    """Draw the font's digits; None if one is missing or two have the same shape.

    Drawn by Pillow: OpenCV 5.0's own font engine mixes up the glyphs after some dozens of fonts.
    """
    try:
        face = ImageFont.truetype(str(font), 160)
    except OSError:
        return None
    out: dict[int, np.ndarray] = {}
    for digit in range(1, 7):
        picture = Image.new("L", (320, 320))
        ImageDraw.Draw(picture).text((90, 60), str(digit), 255, face)
        mask = centre_glyph(np.array(picture))
        if mask is None or any(np.abs(mask.astype(int) - other).mean() < 2 for other in out.values()):
            return None
        out[digit] = mask
    return out


def draw_glyphs(fonts: list[Path]) -> Glyphs:
    """Draw masks of the digits 1 to 6 in every font and in the Hershey fonts, by digit."""
    out: Glyphs = {d: [] for d in range(1, 7)}
    for found in map(draw_font_digits, fonts):
        for digit, mask in (found or {}).items():
            out[digit].append(mask)
    for face in HERSHEY:
        for thick in (8, 14, 20):
            for digit, masks in out.items():
                big = np.zeros((320, 320), np.uint8)
                cv2.putText(big, str(digit), (90, 220), face, 6, 255, thick, cv2.LINE_AA)
                mask = centre_glyph(big)
                if mask is not None:
                    masks.append(mask)
    return out


# Written digits: strokes in a box 1 high and about 0.6 wide, y downwards. "-" joins by straight lines, "~" by a curve.
_WAYS: dict[int, list[list[tuple[str, Path_]]]] = {
    1: [
        [("-", [(0.3, 0), (0.3, 1)])],
        [("-", [(0.05, 0.3), (0.35, 0.02), (0.33, 1)])],
        [("~", [(0.1, 0.25), (0.25, 0.15), (0.36, 0)]), ("-", [(0.36, 0), (0.36, 1)])],
        [("-", [(0.08, 0.2), (0.33, 0), (0.33, 1)]), ("-", [(0.05, 1), (0.6, 1)])],
    ],
    2: [
        [("~", [(0.05, 0.2), (0.25, 0), (0.5, 0.15), (0.45, 0.45), (0.05, 0.98)]), ("-", [(0.05, 0.98), (0.6, 0.98)])],
        [("~", [(0.02, 0.3), (0.1, 0.05), (0.45, 0.02), (0.55, 0.3), (0.3, 0.7), (0, 1)]), ("~", [(0, 1), (0.2, 0.9),
         (0.4, 0.98), (0.6, 0.95)])],
        [("~", [(0.08, 0.12), (0.35, 0), (0.5, 0.25), (0.3, 0.65), (0.1, 0.95), (0.05, 0.8), (0.25, 0.82), (0.6, 1)])],
    ],
    3: [
        [("~", [(0.05, 0.12), (0.3, 0), (0.5, 0.2), (0.4, 0.42), (0.22, 0.46)]),
         ("~", [(0.22, 0.46), (0.5, 0.55), (0.52, 0.85), (0.25, 1), (0, 0.88)])],
        [("-", [(0.05, 0.02), (0.52, 0.02), (0.25, 0.4)]),
         ("~", [(0.25, 0.4), (0.52, 0.5), (0.55, 0.8), (0.3, 1), (0.02, 0.9)])],
        [("~", [(0.08, 0.05), (0.4, 0.02), (0.5, 0.22), (0.3, 0.45)]),
         ("~", [(0.3, 0.45), (0.58, 0.62), (0.45, 0.95), (0.1, 0.98)])],
    ],
    4: [
        [("-", [(0.62, 0.68), (0, 0.68), (0.4, 0), (0.4, 1)])],
        [("-", [(0.2, 0), (0.02, 0.55), (0.6, 0.55)]), ("-", [(0.45, 0.25), (0.42, 1)])],
        [("-", [(0.1, 0.02), (0.06, 0.5), (0.58, 0.5)]), ("-", [(0.5, 0.02), (0.5, 1)])],
        [("~", [(0.15, 0), (0.08, 0.25), (0.02, 0.5), (0.2, 0.58), (0.6, 0.5)]), ("-", [(0.5, 0.1), (0.4, 1)])],
        [("-", [(0.3, 0), (0, 0.62), (0.62, 0.62)]), ("-", [(0.42, 0.35), (0.42, 1)])],
    ],
    5: [
        [("-", [(0.55, 0), (0.12, 0), (0.08, 0.42)]),
         ("~", [(0.08, 0.42), (0.35, 0.38), (0.58, 0.65), (0.4, 0.97), (0, 0.92)])],
        [("-", [(0.12, 0.02), (0.08, 0.4)]), ("~", [(0.08, 0.4), (0.4, 0.35), (0.55, 0.7), (0.3, 1), (0.02, 0.93)]),
         ("-", [(0.12, 0.02), (0.55, 0)])],
        [("~", [(0.58, 0), (0.35, 0.03), (0.15, 0.02), (0.12, 0.2), (0.1, 0.4), (0.3, 0.4), (0.52, 0.52), (0.52, 0.85),
         (0.3, 1), (0, 0.95)])],
    ],
    6: [
        [("~", [(0.5, 0), (0.2, 0.2), (0.04, 0.6), (0.15, 0.95), (0.45, 0.95), (0.52, 0.65), (0.3, 0.48),
         (0.08, 0.65)])],
        [("~", [(0.38, 0), (0.1, 0.4), (0.03, 0.75), (0.25, 1), (0.55, 0.8), (0.45, 0.55), (0.2, 0.55), (0.05, 0.75)])],
        [("~", [(0.55, 0.1), (0.3, 0), (0.1, 0.25), (0.03, 0.6), (0.2, 0.98), (0.5, 0.9), (0.52, 0.6), (0.3, 0.45),
         (0.07, 0.6)])],
    ],
}  # fmt: skip


def _curve(path: Path_, smooth: bool) -> np.ndarray:
    """Sample points close together along a path: straight, or Catmull-Rom through its points."""
    p = np.array(path)
    t = np.linspace(0, 1, 14, endpoint=False)[:, None]
    if not smooth or len(p) < 3:
        parts = [a + (b - a) * t for a, b in pairwise(p)]
    else:
        q = np.concatenate([2 * p[:1] - p[1:2], p, 2 * p[-1:] - p[-2:-1]])
        parts = [
            0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
            for a, b, c, d in zip(q[:-3], q[1:-2], q[2:-1], q[3:], strict=True)
        ]
    return np.concatenate([*parts, p[-1:]])


def write_digit(digit: int, rng: np.random.Generator) -> np.ndarray:
    """Draw a handwritten digit: every point of it is jittered, so that no two are alike."""
    ways = _WAYS[digit]
    canvas = np.zeros((320, 320), np.uint8)
    pen = rng.uniform(0.07, 0.26) * 100
    flat = 1.0 if rng.random() < 0.6 else rng.uniform(0.35, 0.9)
    axes = (max(1, round(pen / 2)), max(1, round(pen * flat / 2)))
    nib = float(rng.uniform(0, 180))
    wide, slant, shake = rng.uniform(0.75, 1.35), rng.normal(0, 0.14), rng.uniform(0.005, 0.045)
    shift: dict[tuple[float, float], np.ndarray] = {}
    for kind, path in ways[int(rng.integers(len(ways)))]:
        moved = [np.array(p) + shift.setdefault(p, rng.normal(0, shake, 2)) for p in path]
        line = _curve([(float(x), float(y)) for x, y in moved], kind == "~")
        x = 160 + 170 * ((line[:, 0] - 0.3) * wide + (0.5 - line[:, 1]) * slant)
        y = 75 + 170 * line[:, 1]
        if axes[0] == axes[1]:
            cv2.polylines(canvas, [np.column_stack([x, y]).astype(np.int32)], False, 255, 2 * axes[0])
        else:
            for at in np.column_stack([x, y]).astype(int).tolist():
                cv2.ellipse(canvas, at, axes, nib, 0, 360, 255, -1)
    mask = centre_glyph(canvas)
    assert mask is not None
    return mask
