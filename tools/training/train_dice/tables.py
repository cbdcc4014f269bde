"""Tables under the dice: wood, cloth, paper, boards, and clutter. Float32 BGR images in 0..1."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np
import numpy.typing as npt
from ray_tracer.textures import make_spectral_noise

Array = npt.NDArray[np.float32]
Drawing = npt.NDArray[np.uint8]
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
        board = fill_board(size, size, base * 255)
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


def fill_board(height: float, width: float, paint: Array) -> Drawing:
    out = np.empty((max(2, int(height)), max(2, int(width)), 3), np.uint8)
    out[:] = np.clip(paint, 0, 255)
    return out


def _tiles(rng: np.random.Generator, size: int) -> Array:
    """Draw a board of hexagons or squares, each in its own colour, or in one colour with joints."""
    step = float(rng.uniform(30, 140))
    sides = 6 if rng.random() < 0.5 else 4
    angles = np.arange(sides) * 2 * np.pi / sides + (0 if sides == 6 else np.pi / 4)
    hue, spread = random_paint(rng, 0.05), rng.uniform(0, 150)
    image = fill_board(size, size, hue)
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
