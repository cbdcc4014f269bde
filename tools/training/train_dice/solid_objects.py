"""Solid objects that a finder takes for dice: balls, blocks, pawns, plugs, keys, coins, cards, tokens, tags.

All are drawn into a uint8 BGR picture around (x, y), in the scale of a die of `unit` pixels.
"""

from __future__ import annotations

import cv2
import numpy as np

from train_dice.clutter import scatter_objects
from train_dice.tables import (
    LETTERS,
    Array,
    Drawing,
    choose_contrasting,
    paste,
    random_colour,
    random_paint,
    write_text,
)


def _blend(image: Drawing, x: float, y: float, half: float, picture: Array, alpha: Array) -> None:
    """Blend a square picture (n, n, 3) in 0..1 with its alpha (n, n) into the image.

    It is centred at (x, y) and reaches `half` pixels each way.
    """
    n = max(3, round(2 * half))
    x0, y0 = round(x - n / 2), round(y - n / 2)
    a, b = max(0, x0), max(0, y0)
    c, d = min(image.shape[1], x0 + n), min(image.shape[0], y0 + n)
    if a >= c or b >= d:
        return
    one = cv2.resize(picture, (n, n), interpolation=cv2.INTER_AREA)[b - y0 : d - y0, a - x0 : c - x0]
    w = cv2.resize(alpha, (n, n), interpolation=cv2.INTER_AREA)[b - y0 : d - y0, a - x0 : c - x0, None]
    image[b:d, a:c] = np.clip(image[b:d, a:c] * (1 - w) + one * 255 * w, 0, 255).astype(np.uint8)


def _shade(image: Drawing, rng: np.random.Generator, x: float, y: float, r: float) -> None:
    """Draw the soft shadow of a round object."""
    n = 48
    gy, gx = np.mgrid[-1 : 1 : n * 1j, -1 : 1 : n * 1j].astype(np.float32)
    soft = np.clip(1.3 - 1.4 * np.sqrt(gx**2 + gy**2), 0, 1) * rng.uniform(0.2, 0.8)
    dx, dy = rng.normal(0, 0.25, 2) * r
    _blend(image, x + dx, y + dy, r * rng.uniform(1.1, 1.5), np.zeros((n, n, 3), np.float32), soft.astype(np.float32))


def draw_ball(image: Drawing, rng: np.random.Generator, x: float, y: float, unit: float) -> None:
    """Draw a marble, bead or ball with a highlight that looks like the pip of a one."""
    r = max(3.0, unit * rng.uniform(0.3, 0.9))
    _shade(image, rng, x, y, r)
    n = int(min(160, max(24, 4 * r)))
    gy, gx = np.mgrid[-1 : 1 : n * 1j, -1 : 1 : n * 1j].astype(np.float32)
    squash = rng.uniform(0.7, 1.0)
    gy = gy / squash
    far = gx**2 + gy**2
    z = np.sqrt(np.clip(1 - far, 0, 1))
    lamp = np.append(rng.normal(0, 0.45, 2), 1.0)
    lamp /= np.linalg.norm(lamp)
    lit = np.clip(gx * lamp[0] + gy * lamp[1] + z * lamp[2], 0, 1)
    out = random_colour(rng, 0.1, 1.0) * (rng.uniform(0.15, 0.6) + rng.uniform(0.3, 0.8) * lit)[..., None]
    if rng.random() < 0.3:
        wave = np.sin(gx * rng.uniform(2, 9) + 3 * np.sin(gy * rng.uniform(1, 7)))
        out = out * (1 + rng.uniform(0.1, 0.4) * wave[..., None])
    for _ in range(int(rng.integers(0, 3))):
        at = lamp + np.append(rng.normal(0, 0.15, 2), 0)
        near = (gx - at[0] * 0.6) ** 2 + (gy - at[1] * 0.6) ** 2
        out = out + rng.uniform(0.3, 1.0) * np.exp(-near / rng.uniform(0.002, 0.06))[..., None]
    _blend(image, x, y, r, out.astype(np.float32), np.clip((1 - far) * n / 6, 0, 1).astype(np.float32))


def draw_block(image: Drawing, rng: np.random.Generator, x: float, y: float, unit: float) -> None:
    """Draw a plain cube or brick in an oblique view: a top, and the side below it lighter or darker."""
    w, h = unit * rng.uniform(0.4, 1.4, 2)
    a = rng.uniform(0, np.pi)
    down = np.array([rng.normal(0, 0.15), rng.uniform(0.1, 0.9)]) * unit
    top = cv2.boxPoints(((x, y), (w, h), float(np.degrees(a)))) * np.array([1, rng.uniform(0.5, 1)])
    top += np.array([x, y]) - top.mean(0)
    side = cv2.convexHull(np.concatenate([top, top + down]).astype(np.float32))
    fill = random_paint(rng, 0.1)
    shadow = (side + unit * rng.normal(0, 0.1, 2)).astype(np.int32)
    cv2.fillPoly(image, [shadow], random_paint(rng, 0, 0.15).tolist(), cv2.LINE_AA)
    cv2.fillPoly(image, [side.astype(np.int32)], (fill * rng.uniform(0.4, 0.9)).tolist(), cv2.LINE_AA)
    cv2.fillPoly(image, [top.astype(np.int32)], fill.tolist(), cv2.LINE_AA)
    if rng.random() < 0.25:  # a sign or letter on it
        text = str(rng.choice(list(LETTERS)))
        write_text(
            image, rng, text, (int(x - w / 4), int(y + h / 4)), unit / 40, choose_contrasting(rng, fill), unit / 20
        )


def draw_pawn(image: Drawing, rng: np.random.Generator, x: float, y: float, unit: float) -> None:
    """Draw a disc with a side, a pawn or a cylinder: circles on circles."""
    r, steps = unit * rng.uniform(0.2, 0.8), int(rng.integers(2, 12))
    _shade(image, rng, x, y, r)
    fill, squash, taper = random_paint(rng, 0.1), rng.uniform(0.4, 1.0), rng.uniform(0.8, 1.0)
    rise, dark = unit * rng.uniform(0.02, 0.12), rng.uniform(0.4, 0.9)
    for k in range(steps):
        tone = fill * (dark if k < steps - 1 else 1.0)
        axes = (max(2, int(r)), max(2, int(r * squash)))
        cv2.ellipse(image, (int(x), int(y - k * rise)), axes, 0, 0, 360, tone.tolist(), -1, cv2.LINE_AA)
        r *= taper
    if rng.random() < 0.5:
        axes = (max(1, int(r * 0.6)), max(1, int(r * 0.6 * squash)))
        middle = (int(x), int(y - (steps - 1) * rise))
        way = -1 if rng.random() < 0.5 else max(1, int(unit / 20))
        cv2.ellipse(image, middle, axes, 0, 0, 360, choose_contrasting(rng, fill), way, cv2.LINE_AA)


def draw_plug(image: Drawing, rng: np.random.Generator, x: float, y: float, unit: float) -> None:
    """Draw a USB plug, bright metal with two dark holes, and the stick that it belongs to."""
    w, h = unit * rng.uniform(0.6, 1.1), unit * rng.uniform(0.6, 1.3)
    side = int(4 * max(w, h)) + 8
    sheet = np.zeros((side, side, 3), np.uint8)
    c = side / 2
    mask = np.zeros((side, side), np.uint8)

    def box(x0: float, y0: float, x1: float, y1: float, ink: Array) -> None:
        ends = (int(c + x0), int(c + y0)), (int(c + x1), int(c + y1))
        cv2.rectangle(sheet, *ends, ink.tolist(), -1)
        cv2.rectangle(mask, *ends, (255,), -1)

    stick = random_paint(rng, 0.02, 0.8)
    box(-w * 0.8, h / 2, w * 0.8, h * rng.uniform(1.2, 1.8), stick)
    metal = np.full(3, rng.uniform(110, 235)) + rng.uniform(-12, 12, 3)
    box(-w / 2, -h / 2, w / 2, h / 2, metal)
    hole, across = w * rng.uniform(0.08, 0.14), w * rng.uniform(0.18, 0.28)
    dark = metal * rng.uniform(0.1, 0.5)
    y0 = h * rng.uniform(-0.3, 0.2)
    for sign in (-1, 1):
        box(sign * across - hole, y0 - hole, sign * across + hole, y0 + hole * rng.uniform(1, 1.8), dark)
    if rng.random() < 0.7:
        box(-w * 0.02, -h / 2, w * 0.02, h / 2, metal * 0.8)
    sheet = np.clip(sheet * np.linspace(rng.uniform(0.6, 1.2), 1, side)[:, None, None], 0, 255).astype(np.uint8)
    paste(image, sheet, rng, x, y, mask)


def draw_keys(image: Drawing, rng: np.random.Generator, x: float, y: float, unit: float) -> None:
    """Draw keys of a keyboard with slanted sides, some lit from below."""
    key = unit * rng.uniform(0.7, 1.5)
    rows, columns = int(rng.integers(2, 5)), int(rng.integers(2, 7))
    glow, cap = (
        random_paint(rng, 0.0, 1.0) if rng.random() < 0.5 else random_paint(rng, 0, 0.2),
        random_paint(rng, 0.03, 0.9),
    )
    board = np.empty((int(key * rows) + 6, int(key * columns) + 6, 3), np.uint8)
    board[:] = np.clip(glow, 0, 255)
    inset, tones = rng.uniform(0.1, 0.22), rng.uniform(0.5, 1.3, 4)
    ink = glow.tolist() if rng.random() < 0.5 else choose_contrasting(rng, cap)
    for j in range(rows):
        for i in range(columns):
            x0, y0, x1, y1 = (i + 0.06) * key, (j + 0.06) * key, (i + 0.94) * key, (j + 0.94) * key
            d = inset * key
            outer = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
            inner = np.array([[x0 + d, y0 + d * 0.6], [x1 - d, y0 + d * 0.6], [x1 - d, y1 - d], [x0 + d, y1 - d]])
            for k in range(4):
                side = np.array([outer[k], outer[(k + 1) % 4], inner[(k + 1) % 4], inner[k]]).astype(np.int32)
                cv2.fillPoly(board, [side], np.clip(cap * tones[k], 0, 255).tolist(), cv2.LINE_AA)
            cv2.fillPoly(board, [inner.astype(np.int32)], cap.tolist(), cv2.LINE_AA)
            text = str(rng.choice([*LETTERS[:62], "ALT", "F1", "<", "."]))
            spot = (int(x0 + d * 1.3), int(y0 + key * 0.55))
            write_text(board, rng, text, spot, key / rng.uniform(45, 70), ink, key / 30)
    paste(image, board, rng, x, y)


def draw_coin(image: Drawing, rng: np.random.Generator, x: float, y: float, unit: float) -> None:
    """Draw a coin with a relief, or a pebble."""
    r = max(3.0, unit * rng.uniform(0.35, 0.9))
    _shade(image, rng, x, y, r)
    n = int(min(128, max(24, 3 * r)))
    gy, gx = np.mgrid[-1 : 1 : n * 1j, -1 : 1 : n * 1j].astype(np.float32)
    far = np.sqrt(gx**2 + gy**2) + (0.08 * np.sin(3 * np.arctan2(gy, gx) + 1) if rng.random() < 0.3 else 0)
    fine = rng.standard_normal((9, 9)).astype(np.float32)
    relief = cv2.resize(fine, (n, n), interpolation=cv2.INTER_CUBIC) * rng.uniform(0.05, 0.4)
    relief = relief * (far < 0.75) + 0.3 * np.exp(-(((far - 0.9) / 0.05) ** 2))
    tint = np.array([rng.uniform(0.3, 0.7), rng.uniform(0.5, 0.75), rng.uniform(0.5, 0.9)], np.float32)
    gray = np.full(3, rng.uniform(0.3, 0.85), np.float32)
    out = (tint if rng.random() < 0.5 else gray) * (1 + relief)[..., None]
    _blend(image, x, y, r, np.clip(out, 0, 1).astype(np.float32), np.clip((1 - far) * n / 4, 0, 1).astype(np.float32))


def draw_card(image: Drawing, rng: np.random.Generator, x: float, y: float, unit: float) -> None:
    """Draw a playing or board-game card: signs in rows, a number in the corner, pictures of patches."""
    w = unit * rng.uniform(2, 6)
    h = w * rng.uniform(1.2, 1.6)
    sheet = np.empty((int(h) + 4, int(w) + 4, 3), np.uint8)
    sheet[:] = random_paint(rng, 0.7)
    ink = random_paint(rng, 0, 0.8).tolist()
    if rng.random() < 0.5:
        signs = int(rng.integers(1, 4)), int(rng.integers(2, 5))
        kind = int(rng.integers(3, 7))
        for i in range(signs[0]):
            for j in range(signs[1]):
                c = np.array([w * (i + 1) / (signs[0] + 1), h * (j + 1) / (signs[1] + 1)])
                t = np.arange(kind) * 2 * np.pi / kind
                ring = c + w * 0.07 * np.stack([np.sin(t), np.cos(t)], 1) * rng.uniform(0.7, 1.3, (kind, 1))
                cv2.fillPoly(sheet, [ring.astype(np.int32)], ink, cv2.LINE_AA)
    else:
        for _ in range(int(rng.integers(3, 12))):
            points = (rng.uniform(0.1, 0.9, 2) + rng.normal(0, 0.2, (int(rng.integers(3, 6)), 2))) * (w, h)
            cv2.fillPoly(sheet, [points.astype(np.int32)], random_paint(rng).tolist(), cv2.LINE_AA)
    text = str(rng.choice([*"23456789AKQJ", "10", "2:1", "3:1"]))
    write_text(sheet, rng, text, (int(w * 0.05), int(h * 0.15)), w / 150, ink, w / 60)
    paste(image, sheet, rng, x, y)


def draw_number_token(image: Drawing, rng: np.random.Generator, x: float, y: float, unit: float) -> None:
    """Draw a number token with a row of dots below the number, a small tile, or a harbour's sign."""
    r = max(4.0, unit * rng.uniform(0.3, 0.9))
    side = int(2.4 * r) + 6
    sheet, mask = np.zeros((side, side, 3), np.uint8), np.zeros((side, side), np.uint8)
    fill, c = random_paint(rng, 0.5), side // 2
    ink = random_paint(rng, 0, 0.4).tolist() if rng.random() < 0.6 else choose_contrasting(rng, fill)
    is_round = rng.random() < 2 / 3
    for target, tone in ((sheet, fill.tolist()), (mask, (255,))):
        if is_round:
            cv2.circle(target, (c, c), int(r), tone, -1, cv2.LINE_AA)
        else:
            cv2.rectangle(target, (int(c - r), int(c - r)), (int(c + r), int(c + r)), tone, -1)
    text = str(rng.choice([*"23456890?+x", "10", "11", "12", "2:1", "3:1"]))
    write_text(sheet, rng, text, (int(c - r * 0.35 * len(text)), int(c + r * 0.2)), r / 24, ink, r / 9)
    dots = int(rng.integers(0, 6))
    for k in range(dots):
        cv2.circle(sheet, (int(c + (k - dots / 2 + 0.5) * r * 0.25), int(c + r * 0.55)), max(1, int(r / 11)), ink, -1)
    paste(image, sheet, rng, x, y, mask)


def draw_tag(image: Drawing, rng: np.random.Generator, x: float, y: float, unit: float) -> None:
    """Draw a printed square tag: white around black around a pattern of cells."""
    cells = int(rng.integers(4, 7))
    pattern = (rng.random((cells, cells)) < 0.5).astype(np.uint8) * 255
    code = cv2.copyMakeBorder(pattern, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=(0,))
    code = cv2.copyMakeBorder(code, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=(255,))
    side = max(8, int(unit * rng.uniform(0.6, 1.6)))
    code = cv2.resize(code, (side, side), interpolation=cv2.INTER_NEAREST)
    dark, pale = rng.uniform(0, 60), rng.uniform(170, 255)
    gray = (dark + code.astype(np.float32) / 255 * (pale - dark))[..., None].repeat(3, 2)
    paste(image, gray.astype(np.uint8), rng, x, y)


def draw_scrap(image: Drawing, rng: np.random.Generator, x: float, y: float, unit: float) -> None:
    """Draw a pale or dark patch with strokes and specks, as on maps and boards: a sail, a flag, a sign, a hand."""
    side = max(10, int(unit * rng.uniform(0.5, 1.4)))
    sheet, mask = np.zeros((side, side, 3), np.uint8), np.zeros((side, side), np.uint8)
    corners = np.array([[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]) + rng.normal(0, 0.1, (4, 2))
    corners[:, 1] = 0.5 + (corners[:, 1] - 0.5) * rng.uniform(0.5, 1)
    fill = random_paint(rng, 0.55) if rng.random() < 0.7 else random_paint(rng, 0, 0.4)
    hull = cv2.convexHull((corners * side).astype(np.int32))
    cv2.fillPoly(sheet, [hull], fill.tolist(), cv2.LINE_AA)
    cv2.fillPoly(mask, [hull], (255,), cv2.LINE_AA)
    ink = choose_contrasting(rng, fill)
    for _ in range(int(rng.integers(1, 9))):
        a = rng.uniform(0.2, 0.8, 2) * side
        if rng.random() < 0.5:
            b = a + rng.normal(0, 0.13, 2) * side
            width = max(1, int(side * rng.uniform(0.02, 0.1)))
            cv2.line(sheet, (int(a[0]), int(a[1])), (int(b[0]), int(b[1])), ink, width, cv2.LINE_AA)
        else:
            axes = (max(1, int(side * rng.uniform(0.02, 0.12))), max(1, int(side * rng.uniform(0.02, 0.08))))
            turn = rng.uniform(0, 180)
            cv2.ellipse(sheet, (int(a[0]), int(a[1])), axes, turn, 0, 360, ink, -1, cv2.LINE_AA)
    paste(image, sheet, rng, x, y, mask)


_THINGS = (
    draw_ball,
    draw_ball,
    draw_block,
    draw_block,
    draw_pawn,
    draw_plug,
    draw_keys,
    draw_coin,
    draw_card,
    draw_number_token,
    draw_tag,
    draw_scrap,
    draw_scrap,
)


def add_solids(image: Array, rng: np.random.Generator, unit: float, count: int) -> list[tuple[float, float]]:
    """Draw `count` solid objects on the table, float32 in 0..1; return their places."""
    return scatter_objects(image, rng, unit, count, _THINGS, 0.0)
