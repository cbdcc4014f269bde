"""What else lies on a table: papers, keyboards, discs, lids, cables, words, dust, trays. Float32 BGR images in 0..1."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from train_dice.tables import (
    FONTS,
    LETTERS,
    Array,
    Drawing,
    draw_table,
    fill_board,
    paste,
    random_colour,
    random_paint,
    write_text,
)

ObjectDrawer = Callable[[Drawing, np.random.Generator, float, float, float], None]
"""Draws an object around (x, y); the last argument is the edge of a die in pixels."""


def _box(x: float, y: float, w: float, h: float, angle: float) -> npt.NDArray[np.int32]:
    return cv2.boxPoints(((x, y), (w, h), float(np.degrees(angle)))).astype(np.int32)


def _sheet(image: Drawing, rng: np.random.Generator, x: float, y: float, unit: float) -> None:
    """Draw printed paper with lines of text, sometimes with a coloured band."""
    w, h = unit * rng.uniform(3, 14), unit * rng.uniform(3, 14)
    sheet = fill_board(h + 8, w + 8, random_paint(rng, 0.9) * rng.uniform(0.8, 1))
    scale = max(0.25, unit / 90 * rng.uniform(0.4, 2.5))
    for ty in range(int(20 * scale), sheet.shape[0], max(6, int(rng.uniform(24, 40) * scale))):
        line = "".join(rng.choice(list(LETTERS), 60))
        write_text(sheet, rng, line, (6, ty), scale, (25, 25, 25), scale * 1.5)
    if rng.random() < 0.3:
        cv2.rectangle(sheet, (0, 0), (sheet.shape[1], sheet.shape[0] // 5), random_paint(rng).tolist(), -1)
    paste(image, sheet, rng, x, y)


def _keyboard(image: Drawing, rng: np.random.Generator, x: float, y: float, unit: float) -> None:
    key = unit * rng.uniform(0.6, 1.3)
    rows, columns = int(rng.integers(3, 6)), int(rng.integers(4, 10))
    board = fill_board(key * rows + 4, key * columns + 4, random_paint(rng, 0.02, 0.9))
    cap, ink = random_paint(rng, 0.02, 1), random_paint(rng, 0.5, 1)
    ink = ink if abs(float(ink.mean() - cap.mean())) > 50 else 255 - cap
    for j in range(rows):
        for i in range(columns):
            a = (int(i * key + key * 0.08) + 2, int(j * key + key * 0.08) + 2)
            b = (int((i + 0.9) * key) + 2, int((j + 0.9) * key) + 2)
            cv2.rectangle(board, a, b, cap.tolist(), -1)
            cv2.rectangle(board, a, b, np.clip(cap * 1.3, 0, 255).tolist(), 1, cv2.LINE_AA)
            text = str(rng.choice(list(LETTERS[:62])))
            spot = (a[0] + int(key * rng.uniform(0.1, 0.3)), a[1] + int(key * 0.55))
            cv2.putText(board, text, spot, 0, max(0.2, key / 55), ink.tolist(), max(1, int(key / 30)), cv2.LINE_AA)
    paste(image, board, rng, x, y)


def _disc(image: Drawing, rng: np.random.Generator, x: float, y: float, unit: float) -> None:
    """Draw a round object: a numbered token, a screw, a coin, a button with holes, a cup."""
    r = max(3.0, unit * rng.uniform(0.15, 1.2))
    at = (int(x), int(y))
    fill = random_paint(rng)
    beside = image[np.clip(at[1], 0, image.shape[0] - 1), np.clip(at[0], 0, image.shape[1] - 1)]
    cv2.circle(image, (int(x + r * 0.1), int(y + r * 0.12)), int(r * 1.03), (beside * 0.5).tolist(), -1, cv2.LINE_AA)
    cv2.circle(image, at, int(r), fill.tolist(), -1, cv2.LINE_AA)
    if rng.random() < 0.6:
        cv2.circle(
            image, at, int(r * rng.uniform(0.75, 0.98)), random_paint(rng).tolist(), max(1, int(r / 12)), cv2.LINE_AA
        )
    ink = random_paint(rng)
    ink = (ink if abs(float(ink.mean() - fill.mean())) > 64 else (255 - fill)).tolist()
    kind = rng.random()
    if kind < 0.45:
        text = str(rng.integers(0, 10))
        font, scale = int(rng.choice(FONTS)), r / 20
        (w, h), _ = cv2.getTextSize(text, font, scale, 1)
        label = np.zeros_like(image)
        at = (int(x - w / 2), int(y + h / 2))
        cv2.putText(label, text, at, font, scale, (255, 255, 255), max(1, int(r / 8)), cv2.LINE_AA)
        m = cv2.getRotationMatrix2D((x, y), rng.uniform(0, 360), 1)
        shape = cv2.warpAffine(label, m, (image.shape[1], image.shape[0])).astype(np.float32) / 255
        image[:] = (image * (1 - shape) + np.array(ink, np.float32) * shape).astype(np.uint8)
    elif kind < 0.6:
        a = rng.uniform(0, np.pi)
        for turn in (0, np.pi / 2)[: int(rng.integers(1, 3))]:
            v = np.array([np.cos(a + turn), np.sin(a + turn)]) * r * 0.7
            ends = (int(x - v[0]), int(y - v[1])), (int(x + v[0]), int(y + v[1]))
            cv2.line(image, *ends, ink, max(1, int(r / 5)), cv2.LINE_AA)
    elif kind < 0.61:  # seldom: to a reader of rounded dice, a button with four holes is a four
        a, holes = rng.uniform(0, np.pi), int(rng.choice([2, 4]))
        for k in range(holes):
            v = np.array([np.cos(a + 2 * np.pi * k / holes), np.sin(a + 2 * np.pi * k / holes)]) * r * 0.33
            cv2.circle(image, (int(x + v[0]), int(y + v[1])), max(1, int(r * 0.14)), ink, -1, cv2.LINE_AA)


def _lid(image: Drawing, rng: np.random.Generator, x: float, y: float, unit: float) -> None:
    """Draw a board with round windows that show coloured sectors or are filled by tokens."""
    step = unit * rng.uniform(1.2, 2.6)
    rows, columns = int(rng.integers(2, 5)), int(rng.integers(3, 6))
    board = fill_board(step * (rows + 0.6), step * (columns + 0.6), random_paint(rng))
    token, ink = random_paint(rng), random_paint(rng)
    for j in range(rows):
        for i in range(columns):
            c = (int(step * (i + 0.8)), int(step * (j + 0.8)))
            r = int(step * 0.33)
            if rng.random() < 0.5:
                cv2.circle(board, c, r, token.tolist(), -1, cv2.LINE_AA)
                write_text(
                    board, rng, str(rng.integers(1, 7)), (c[0] - r // 2, c[1] + r // 2), r / 18, ink.tolist(), r / 8
                )
            else:
                a = int(rng.uniform(0, 360))
                for k in range(int(rng.integers(1, 4))):
                    end = a + k * 120 + (360 if k == 0 else 130)
                    cv2.ellipse(board, c, (r, r), 0, a + k * 120, end, random_paint(rng).tolist(), -1, cv2.LINE_AA)
    paste(image, board, rng, x, y)


def _cable(image: Drawing, rng: np.random.Generator, x: float, y: float, unit: float) -> None:
    points = np.cumsum(np.concatenate([[[x, y]], rng.normal(0, unit * 2.5, (5, 2))]), 0)
    t = np.linspace(0, 5, 60)
    smooth = np.stack([np.interp(t, range(6), points[:, k]) for k in (0, 1)], 1)
    smooth = cv2.blur(smooth.astype(np.float32), (1, 9)).astype(np.int32)
    fill, w = random_paint(rng), max(2, int(unit * rng.uniform(0.05, 0.35)))
    cv2.polylines(image, [smooth], False, (fill * 0.5).tolist(), w + 2, cv2.LINE_AA)
    cv2.polylines(image, [smooth], False, fill.tolist(), w, cv2.LINE_AA)
    gleam = np.clip(fill * 1.3 + 12, 0, 255).tolist()
    cv2.polylines(image, [smooth - w // 5], False, gleam, max(1, w // 3), cv2.LINE_AA)


def _slab(image: Drawing, rng: np.random.Generator, x: float, y: float, unit: float) -> None:
    """Draw a book, phone, card or laptop: a rectangle with a gradient and perhaps words."""
    w, h = unit * rng.uniform(0.8, 12), unit * rng.uniform(0.8, 12)
    slab = fill_board(h + 4, w + 4, random_paint(rng))
    slab[:] = slab * np.linspace(rng.uniform(0.6, 1), 1, slab.shape[1])[None, :, None]
    if rng.random() < 0.5:
        far = (slab.shape[1] - 2, slab.shape[0] - 2)
        cv2.rectangle(slab, (1, 1), far, random_paint(rng).tolist(), max(1, int(unit * 0.1)))
    if rng.random() < 0.5:
        text = "".join(rng.choice(list(LETTERS), int(rng.integers(1, 8))))
        scale = max(0.3, unit / 40 * rng.uniform(0.5, 2))
        write_text(slab, rng, text, (int(w * 0.1), int(h * 0.7)), scale, random_paint(rng).tolist(), unit / 15)
    paste(image, slab, rng, x, y)


def _dots(image: Drawing, rng: np.random.Generator, x: float, y: float, unit: float) -> None:
    """Draw scattered printed dots or crumbs."""
    ink = random_paint(rng).tolist()
    for _ in range(int(rng.integers(3, 14))):
        c = rng.normal([x, y], unit * 0.7)
        cv2.circle(image, (int(c[0]), int(c[1])), max(1, int(unit * rng.uniform(0.04, 0.12))), ink, -1, cv2.LINE_AA)


def _words(image: Drawing, rng: np.random.Generator, x: float, y: float, unit: float) -> None:
    text = "".join(rng.choice(list(LETTERS), int(rng.integers(1, 9))))
    scale = unit / 22 * rng.uniform(0.3, 2)
    write_text(image, rng, text, (int(x), int(y)), scale, random_paint(rng).tolist(), scale * 2)


_BESIDE = (_cable, _cable, _cable, _slab, _slab, _sheet, _keyboard, _disc)
_CLUTTER = (_sheet, _keyboard, _disc, _disc, _disc, _lid, _cable, _slab, _slab, _dots, _words)


def add_clutter(image: Array, rng: np.random.Generator, unit: float, count: int) -> list[tuple[float, float]]:
    """Draw `count` objects on the table, in the scale of a die of `unit` pixels; return their places."""
    return scatter_objects(image, rng, unit, count, _CLUTTER, 0.05)


def scatter_objects(
    image: Array, rng: np.random.Generator, unit: float, count: int, things: Sequence[ObjectDrawer], beyond: float
) -> list[tuple[float, float]]:
    """Draw `count` of the objects on a table, float32 in 0..1, up to the share `beyond` off it; return their places."""
    x, y = (rng.uniform(-beyond, 1 + beyond, (2, count)) * image.shape[0]).tolist()
    spots = list(zip(x, y, strict=True))
    draw_objects(image, rng, unit, spots, things)
    return spots


def draw_objects(
    image: Array,
    rng: np.random.Generator,
    unit: float,
    spots: Sequence[tuple[float, float]],
    things: Sequence[ObjectDrawer],
) -> None:
    """Draw one of the objects at each of the spots."""
    if not spots:
        return
    drawing = (image * 255).astype(np.uint8)
    for x, y in spots:
        things[int(rng.integers(len(things)))](drawing, rng, x, y, unit)
    image[:] = drawing.astype(np.float32) / 255


def draw_beside_dice(
    image: Array, rng: np.random.Generator, unit: float, dice: Sequence[tuple[float, float]]
) -> list[tuple[float, float]]:
    """Draw a cable, a book, a sheet or the like beside or under half of the dice's places; return where.

    The objects have some height: the table around them is in their shade.
    """
    spots = []
    for x, y in dice:
        if rng.random() < 0.5:
            angle, away = rng.uniform(0, 2 * np.pi), unit * rng.uniform(0.4, 1.6)
            spots.append((float(x + away * np.cos(angle)), float(y + away * np.sin(angle))))
    bare = image.copy()
    draw_objects(image, rng, unit, spots, _BESIDE)
    there = (np.abs(image - bare).max(2) > 0.01).astype(np.float32)
    soft = max(0.5, unit * rng.uniform(0.03, 0.2))
    off = rng.normal(0, 0.08, 2) * unit
    shade = cv2.warpAffine(there, np.array([[1, 0, off[0]], [0, 1, off[1]]]), there.shape[::-1])
    shade = rng.uniform(0, 0.7) * cv2.GaussianBlur(shade, (0, 0), soft)
    image *= np.where(there > 0, 1.0, 1.0 - shade)[..., None]
    return spots


def add_dust(image: Array, rng: np.random.Generator) -> None:
    """Draw specks, crumbs and hairs, a few pixels large."""
    specks = np.zeros(image.shape[:2], np.uint8)
    size = image.shape[0]
    for _ in range(int(np.exp(rng.uniform(1, 5)))):
        x, y = (int(v) for v in rng.uniform(0, size, 2))
        bright = int(rng.integers(60, 255))
        if rng.random() < 0.8:
            cv2.circle(specks, (x, y), int(rng.integers(0, 3)), (bright,), -1, cv2.LINE_AA)
        else:
            dx, dy = (int(v) for v in rng.normal(0, 12, 2))
            cv2.line(specks, (x, y), (x + dx, y + dy), (bright,), 1, cv2.LINE_AA)
    mask = cv2.GaussianBlur(specks, (3, 3), 0).astype(np.float32)[..., None] / 255
    image[:] = image * (1 - mask) + random_colour(rng) * mask


def draw_tray(image: Array, rng: np.random.Generator, x: float, y: float, unit: float) -> None:
    """Draw a dice tray around (x, y): a rim with a lit and a dark side, another floor inside."""
    w, h, angle = unit * rng.uniform(3, 9), unit * rng.uniform(3, 9), rng.uniform(0, np.pi)
    rim = unit * rng.uniform(0.15, 0.6)
    floor = draw_table(rng, image.shape[0]) if rng.random() < 0.5 else np.broadcast_to(random_colour(rng), image.shape)
    wall = random_colour(rng, 0.1, 0.9)
    cv2.fillPoly(image, [_box(x, y, w + 2 * rim, h + 2 * rim, angle)], wall.tolist(), cv2.LINE_AA)
    mask = np.zeros(image.shape[:2], np.float32)
    inner = _box(x, y, w, h, angle)
    cv2.fillPoly(mask, [inner], (1,), cv2.LINE_AA)
    image[:] = image * (1 - mask[..., None]) + floor * mask[..., None]
    for k in range(4):
        shade = np.clip(wall * rng.uniform(0.4, 1.4), 0, 1).tolist()
        ends = tuple(inner[k].tolist()), tuple(inner[(k + 1) % 4].tolist())
        cv2.line(image, *ends, shade, max(1, int(rim * rng.uniform(0.1, 0.6))), cv2.LINE_AA)
