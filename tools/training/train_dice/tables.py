"""Tables under the dice: wood, cloth, paper, boards, and clutter. Float32 BGR images in 0..1."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np
import numpy.typing as npt
from ray_tracer.textures import make_spectral_noise

Array = npt.NDArray[np.float32]
Drawing = npt.NDArray[np.uint8]
ObjectDrawer = Callable[[Drawing, np.random.Generator, float, float, float], None]
"""Draws an object around (x, y); the last argument is the edge of a die in pixels."""
FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_COMPLEX)
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.,;:  "


def random_colour(rng: np.random.Generator, low: float = 0.0, high: float = 1.0) -> Array:
    """Draw a random colour, often muted, of brightness between `low` and `high`."""
    hsv = np.array([[[rng.uniform(0, 360), rng.random() ** 1.5, rng.uniform(low, high)]]], np.float32)
    return cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0]


def make_noise(rng: np.random.Generator, size: int, cells_x: float, cells_y: float) -> Array:
    """Draw smooth noise in about -1..1 with this many cells across and down."""
    small = rng.standard_normal((max(2, round(cells_y)), max(2, round(cells_x)))).astype(np.float32) * 0.5
    return cv2.resize(small, (size, size), interpolation=cv2.INTER_CUBIC)


def turn_randomly(image: Array, rng: np.random.Generator) -> Array:
    """Rotate the image by a random angle about its centre, mirrored at the edges."""
    size = image.shape[0]
    m = cv2.getRotationMatrix2D((size / 2, size / 2), rng.uniform(0, 360), rng.uniform(1.0, 1.3))
    return cv2.warpAffine(image, m, (size, size), borderMode=cv2.BORDER_REFLECT)


GROUNDS = {
    "plain": 0.22,
    "wood": 0.2,
    "cloth": 0.13,
    "speckle": 0.07,
    "clouds": 0.06,
    "tiles": 0.07,
    "polka": 0.03,
    "stone": 0.08,
    "felt": 0.08,
    "board": 0.06,
}
"""Kinds of tables for training, with their shares."""

HELD_BACK_GROUNDS = ("terrazzo", "newspaper", "hexagons", "patchwork")
"""Kinds of tables for evaluation alone."""


def draw_table(rng: np.random.Generator, size: int, *, held_back: bool = False) -> Array:
    """Draw one square surface of `size` pixels, from `GROUNDS` or from the held-back kinds."""
    kind = str(rng.choice(HELD_BACK_GROUNDS) if held_back else rng.choice(list(GROUNDS), p=list(GROUNDS.values())))
    base = random_colour(rng, 0.02, 1.0)
    if kind == "wood":
        base = np.array([rng.uniform(0.1, 0.5), rng.uniform(0.25, 0.65), rng.uniform(0.4, 0.85)], np.float32)
        base = base * rng.uniform(0.35, 1.15)
        rings = rng.uniform(3, 30)
        y = np.linspace(0, 1, size, dtype=np.float32)[:, None] * rings
        wave = np.sin(2 * np.pi * (y + make_noise(rng, size, 3, 5) * rng.uniform(0.2, 2.5)))
        streaks = make_noise(rng, size, rng.uniform(4, 12), size / rng.uniform(1.5, 4))
        shade = 1 + rng.uniform(0.02, 0.18) * wave + rng.uniform(0.02, 0.15) * streaks
        image = turn_randomly((base * shade[..., None]).astype(np.float32), rng)
    elif kind == "cloth":
        x = np.arange(size, dtype=np.float32)
        period = rng.uniform(2.5, 7)
        weave = np.sin(2 * np.pi * x / period)[:, None] * np.sin(2 * np.pi * x / period * rng.uniform(0.8, 1.2))
        weave = weave * rng.uniform(0, 0.15) + rng.standard_normal((size, size)) * rng.uniform(0.01, 0.1)
        folds = make_noise(rng, size, 4, 4) * rng.uniform(0, 0.15)
        image = turn_randomly((base * (1 + weave + folds)[..., None]).astype(np.float32), rng)
    elif kind == "speckle":
        grains = make_noise(rng, size, size / rng.uniform(2, 10), size / rng.uniform(2, 10))
        mask = np.clip((grains - rng.uniform(0, 0.8)) * 6, 0, 1)[..., None]
        image = base * (1 - mask) + random_colour(rng) * mask * rng.uniform(0.2, 1)
    elif kind == "clouds":
        n = sum(make_noise(rng, size, 3 * 2**k, 3 * 2**k) / 1.6**k for k in range(5))
        mask = np.clip(n * 0.6 + 0.5, 0, 1)[..., None]
        image = base * (1 - mask) + random_colour(rng) * mask
    elif kind == "tiles":
        image = turn_randomly(_tiles(rng, size), rng)
    elif kind == "polka":
        board = _filled(size, size, base * 255)
        step, ink = int(rng.integers(12, 70)), random_paint(rng).tolist()
        for i, y in enumerate(range(0, size + step, step)):
            for x in range(0, size + step, step):
                r = max(2, int(step * rng.uniform(0.12, 0.16)))
                cv2.circle(board, (x + (i % 2) * step // 2, y), r, ink, -1, cv2.LINE_AA)
        image = turn_randomly(board.astype(np.float32) / 255, rng)
    elif kind in _PATTERNS:
        image = turn_randomly(_PATTERNS[kind](rng, size), rng)
    else:
        image = np.broadcast_to(base, (size, size, 3)).astype(np.float32).copy()
    image = image * (1 + rng.uniform(0, 0.12) * make_noise(rng, size, 3, 3)[..., None])
    if rng.random() < 0.7:
        image = image + rng.uniform(0, 0.04) * make_noise(rng, size, size / 2, size / 2)[..., None]
    return np.clip(image, 0, 1).astype(np.float32)


def _draw_stone(rng: np.random.Generator, size: int) -> Array:
    """Draw stone: spots of all sizes with the statistics of real surfaces (1/f), and veins."""
    spots = make_spectral_noise(rng, (size, size), float(rng.uniform(1.0, 1.8)))
    vein = np.exp(-np.abs(make_spectral_noise(rng, (size, size), 1.8)) * rng.uniform(6, 20))
    one, two = random_colour(rng, 0.2, 0.9), random_colour(rng, 0.1, 1.0)
    share = np.clip(0.5 + spots * rng.uniform(0.1, 0.3), 0, 1)[..., None]
    image = one * (1 - share) + (one * 0.5 + two * 0.5) * share
    return np.asarray(image * (1 - vein[..., None] * rng.uniform(-0.4, 0.4)), np.float32)


def _draw_felt(rng: np.random.Generator, size: int) -> Array:
    """Draw felt: fine fibres over large soft stains, both with the statistics of real surfaces (1/f)."""
    fine = make_spectral_noise(rng, (size, size), float(rng.uniform(0.3, 0.9)))
    stains = make_spectral_noise(rng, (size, size), float(rng.uniform(1.5, 2.2)))
    shade = 1 + fine * rng.uniform(0.02, 0.12) + stains * rng.uniform(0.0, 0.08)
    return np.asarray(random_colour(rng, 0.05, 0.8) * shade[..., None], np.float32)


def _find_nearest_seeds(rng: np.random.Generator, size: int, count: int) -> tuple[npt.NDArray[np.intp], Array]:
    """Return for each pixel the nearest of `count` random points, and how much farther the second one is, in pixels."""
    points = rng.uniform(0, size, (count, 2)).astype(np.float32)
    y, x = np.mgrid[:size:2, :size:2].astype(np.float32)
    far = np.hypot(x[..., None] - points[:, 0], y[..., None] - points[:, 1])
    two = np.partition(far, 1, axis=-1)[..., :2]
    nearest = cv2.resize(far.argmin(-1).astype(np.float32), (size, size), interpolation=cv2.INTER_NEAREST)
    gap = cv2.resize((two[..., 1] - two[..., 0]).astype(np.float32), (size, size))
    return nearest.astype(np.intp), np.asarray(gap, np.float32)


def _draw_board(rng: np.random.Generator, size: int) -> Array:
    """Draw a printed game board: coloured regions with borders, names and numbers."""
    nearest, gap = _find_nearest_seeds(rng, size, int(rng.integers(6, 40)))
    colours = np.stack([random_colour(rng, 0.3, 1.0) for _ in range(nearest.max() + 1)])
    image = np.asarray(colours[nearest] * np.clip(0.25 + gap / rng.uniform(2, 6), 0.25, 1)[..., None], np.float32)
    board = np.asarray(np.clip(image, 0, 1) * 255, np.uint8)
    for _ in range(int(rng.integers(0, 14))):
        x, y = rng.uniform(0, size, 2)
        text = "".join(rng.choice(list(LETTERS), int(rng.integers(1, 9))))
        write_text(board, rng, text, (int(x), int(y)), float(rng.uniform(0.3, 1.2)), random_paint(rng).tolist(), 1)
    return np.asarray(board, np.float32) / 255


def _draw_terrazzo(rng: np.random.Generator, size: int) -> Array:
    """Draw chips of stone in cement."""
    nearest, gap = _find_nearest_seeds(rng, size, int(rng.integers(60, 260)))
    palette = np.stack([random_colour(rng, 0.1, 1.0) for _ in range(5)])
    chips = palette[rng.integers(0, 5, nearest.max() + 1)][nearest]
    is_chip = (rng.random(nearest.max() + 1) < rng.uniform(0.4, 0.8))[nearest] & (gap > rng.uniform(2, 8))
    cement = random_colour(rng, 0.4, 0.9)
    return np.asarray(np.where(is_chip[..., None], chips, cement), np.float32)


def _draw_newspaper(rng: np.random.Generator, size: int) -> Array:
    """Draw columns of small print with headlines."""
    page = np.full((size, size, 3), float(rng.uniform(170, 245)), np.uint8)
    ink, width, scale = float(rng.uniform(10, 90)), int(rng.integers(70, 200)), float(rng.uniform(0.22, 0.5))
    for left in range(0, size, width):
        y = int(rng.integers(4, 20))
        while y < size:
            large = rng.random() < 0.08
            own = scale * (2.2 if large else 1.0)
            text = "".join(rng.choice(list(LETTERS), int(width / (14 * own))))
            cv2.putText(page, text, (left + 3, y), FONTS[1 if large else 0], own, (ink, ink, ink), 1, cv2.LINE_AA)
            y += int(30 * own) + 2
    return np.asarray(page, np.float32) / 255


def _draw_hexagons(rng: np.random.Generator, size: int) -> Array:
    """Draw a board of hexagons in a few colours with dark borders."""
    board = np.zeros((size, size, 3), np.uint8)
    radius = float(rng.uniform(18, 70))
    palette = [random_paint(rng).tolist() for _ in range(4)]
    border = random_paint(rng, 0, 0.3).tolist()
    for row in range(-1, int(size / (1.5 * radius)) + 2):
        for column in range(-1, int(size / (1.73 * radius)) + 2):
            x, y = (column + 0.5 * (row % 2)) * 1.732 * radius, row * 1.5 * radius
            angles = np.arange(6) * np.pi / 3 + np.pi / 6
            corners = np.stack([x + radius * np.cos(angles), y + radius * np.sin(angles)], 1).astype(np.int32)
            cv2.fillPoly(board, [corners], palette[int(rng.integers(4))], cv2.LINE_AA)
            cv2.polylines(board, [corners], True, border, max(1, int(radius * 0.06)), cv2.LINE_AA)
    return np.asarray(board, np.float32) / 255


def _draw_patchwork(rng: np.random.Generator, size: int) -> Array:
    """Draw cloth of patches, each with stripes or checks of its own."""
    image = np.zeros((size, size, 3), np.float32)
    step = int(rng.integers(50, 180))
    y, x = np.mgrid[:step, :step].astype(np.float32)
    for top in range(0, size, step):
        for left in range(0, size, step):
            period, angle = rng.uniform(5, 40), rng.uniform(0, np.pi)
            wave = np.sin(2 * np.pi * (x * np.cos(angle) + y * np.sin(angle)) / period)
            if rng.random() < 0.4:
                wave = wave * np.sin(2 * np.pi * (y * np.cos(angle) - x * np.sin(angle)) / period)
            one, two = random_colour(rng, 0.1, 1.0), random_colour(rng, 0.1, 1.0)
            patch = np.where((wave > rng.uniform(-0.5, 0.5))[..., None], one, two)
            part = image[top : top + step, left : left + step]
            part[:] = patch[: part.shape[0], : part.shape[1]]
    weave = make_spectral_noise(rng, (size, size), 0.5) * 0.06
    return np.asarray(image * (1 + weave[..., None]), np.float32)


_PATTERNS: dict[str, Callable[[np.random.Generator, int], Array]] = {
    "stone": _draw_stone,
    "felt": _draw_felt,
    "board": _draw_board,
    "terrazzo": _draw_terrazzo,
    "newspaper": _draw_newspaper,
    "hexagons": _draw_hexagons,
    "patchwork": _draw_patchwork,
}


def random_paint(rng: np.random.Generator, low: float = 0.0, high: float = 1.0) -> Array:
    """Draw a random colour for drawing, 0..255."""
    return random_colour(rng, low, high) * 255


def choose_contrasting(rng: np.random.Generator, fill: Array) -> list[float]:
    """Return a colour, 0..255, that contrasts with `fill`."""
    ink = random_paint(rng)
    return list((ink if abs(float(ink.mean() - fill.mean())) > 50 else 255 - fill).tolist())


def _filled(height: float, width: float, paint: Array) -> Drawing:
    out = np.empty((max(2, int(height)), max(2, int(width)), 3), np.uint8)
    out[:] = np.clip(paint, 0, 255)
    return out


def _tiles(rng: np.random.Generator, size: int) -> Array:
    """Draw a board of hexagons or squares, each in its own colour, or in one colour with joints."""
    step = float(rng.uniform(30, 140))
    sides = 6 if rng.random() < 0.5 else 4
    angles = np.arange(sides) * 2 * np.pi / sides + (0 if sides == 6 else np.pi / 4)
    hue, spread = random_paint(rng, 0.05), rng.uniform(0, 150)
    image = _filled(size, size, hue)
    radius = step / np.sqrt(3) if sides == 6 else step / np.sqrt(2)
    joint, line = random_paint(rng).tolist(), int(rng.integers(1, 5))
    rise = step * (np.sqrt(3) / 2 if sides == 6 else 1)
    for j in range(int(size / rise) + 2):
        for i in range(int(size / step) + 2):
            c = np.array([i * step + (j % 2) * step / 2 * (sides == 6), j * rise])
            ring = np.stack([np.sin(angles), np.cos(angles)], 1) * radius + c
            fill = np.clip(hue + rng.uniform(-spread, spread, 3), 0, 255)
            cv2.fillPoly(image, [ring.astype(np.int32)], fill.tolist(), cv2.LINE_AA)
            cv2.polylines(image, [ring.astype(np.int32)], True, joint, line, cv2.LINE_AA)
    return image.astype(np.float32) / 255


def write_text(
    image: Drawing,
    rng: np.random.Generator,
    text: str,
    at: tuple[int, int],
    scale: float,
    ink: Sequence[float],
    width: float,
) -> None:
    """Write text in a random font."""
    cv2.putText(image, text, at, int(rng.choice(FONTS)), scale, ink, max(1, int(width)), cv2.LINE_AA)


def _box(x: float, y: float, w: float, h: float, angle: float) -> npt.NDArray[np.int32]:
    return cv2.boxPoints(((x, y), (w, h), float(np.degrees(angle)))).astype(np.int32)


def _sheet(image: Drawing, rng: np.random.Generator, x: float, y: float, unit: float) -> None:
    """Draw printed paper with lines of text, sometimes with a coloured band."""
    w, h = unit * rng.uniform(3, 14), unit * rng.uniform(3, 14)
    sheet = _filled(h + 8, w + 8, random_paint(rng, 0.9) * rng.uniform(0.8, 1))
    scale = max(0.25, unit / 90 * rng.uniform(0.4, 2.5))
    for ty in range(int(20 * scale), sheet.shape[0], max(6, int(rng.uniform(24, 40) * scale))):
        line = "".join(rng.choice(list(LETTERS), 60))
        write_text(sheet, rng, line, (6, ty), scale, (25, 25, 25), scale * 1.5)
    if rng.random() < 0.3:
        cv2.rectangle(sheet, (0, 0), (sheet.shape[1], sheet.shape[0] // 5), random_paint(rng).tolist(), -1)
    paste(image, sheet, rng, x, y)


def paste(
    image: Drawing, sheet: Drawing, rng: np.random.Generator, x: float, y: float, mask: Drawing | None = None
) -> None:
    """Paste the sheet around (x, y), rotated by a random angle, only where `mask` (h, w), 0 to 255, is set."""
    m = cv2.getRotationMatrix2D((sheet.shape[1] / 2, sheet.shape[0] / 2), rng.uniform(0, 360), 1)
    m[:, 2] += np.array([x - sheet.shape[1] / 2, y - sheet.shape[0] / 2])
    size = image.shape[1], image.shape[0]
    whole = np.full(sheet.shape[:2], 255, np.uint8) if mask is None else mask
    share = cv2.warpAffine(whole, m, size)[..., None].astype(np.float32) / 255
    image[:] = (image * (1 - share) + cv2.warpAffine(sheet, m, size) * share).astype(np.uint8)


def _keyboard(image: Drawing, rng: np.random.Generator, x: float, y: float, unit: float) -> None:
    key = unit * rng.uniform(0.6, 1.3)
    rows, columns = int(rng.integers(3, 6)), int(rng.integers(4, 10))
    board = _filled(key * rows + 4, key * columns + 4, random_paint(rng, 0.02, 0.9))
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
    board = _filled(step * (rows + 0.6), step * (columns + 0.6), random_paint(rng))
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
    slab = _filled(h + 4, w + 4, random_paint(rng))
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
