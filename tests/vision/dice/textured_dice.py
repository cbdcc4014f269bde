"""Render dice with any picture on a face (emblems, symbols, pips), seen from above under one lamp; no packaged renderer
draws an emblem in place of the one. Six pictures make a die; each throw has its own places, turns, light and noise.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Picture = npt.NDArray[np.uint8]

_FACE_PX = 192
"""Side of a face's picture, in pixels."""

_OPPOSITE = {1: 6, 2: 5, 3: 4, 4: 3, 5: 2, 6: 1}

_PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, 1), (-1, 1), (1, -1)],
    5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
    6: [(-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)],
}
"""Centres of the pips of each value, in units of the lattice."""


@dataclass(frozen=True)
class TexturedDie:
    """A die: the picture of each value, (192, 192, 3) uint8 BGR, and the body's colour for worn edges."""

    faces: dict[int, Picture]
    edge: float = 1.0


def paint_pips(
    value: int,
    body: tuple[int, int, int],
    pip: tuple[int, int, int],
    spread: float = 0.25,
    radius: float = 0.09,
) -> Picture:
    """Paint a face with pips; `spread` and `radius` in edges."""
    face = np.full((_FACE_PX, _FACE_PX, 3), body, np.uint8)
    for x, y in _PIPS[value]:
        at = (round((0.5 + x * spread) * _FACE_PX), round((0.5 + y * spread) * _FACE_PX))
        cv2.circle(face, at, round(radius * _FACE_PX), pip, -1, cv2.LINE_AA)
    return face


def paint_emblem(kind: str, body: tuple[int, int, int], paint: tuple[int, int, int]) -> Picture:
    """Paint a face with an emblem: "crown", "anchor", "star", "moon", "leaf" or "sun"."""
    face, n = np.full((_FACE_PX, _FACE_PX, 3), body, np.uint8), _FACE_PX

    def draw_polygon(points: Sequence[tuple[float, float]]) -> None:
        cv2.fillPoly(face, [np.round(np.array(points) * n).astype(np.int32)], paint, cv2.LINE_AA)

    match kind:
        case "crown":
            draw_polygon([(0.2, 0.75), (0.15, 0.3), (0.35, 0.5), (0.5, 0.2), (0.65, 0.5), (0.85, 0.3), (0.8, 0.75)])
        case "anchor":
            cv2.line(face, (n // 2, n // 5), (n // 2, 4 * n // 5), paint, n // 14, cv2.LINE_AA)
            cv2.line(face, (n // 3, n * 2 // 5), (2 * n // 3, n * 2 // 5), paint, n // 16, cv2.LINE_AA)
            cv2.ellipse(face, (n // 2, n // 2), (n * 3 // 10, n * 3 // 10), 0, 15, 165, paint, n // 14, cv2.LINE_AA)
        case "star":
            angles = np.arange(10) * np.pi / 5
            draw_polygon(
                [(0.5 + r * np.sin(a), 0.5 - r * np.cos(a)) for a, r in zip(angles, (0.36, 0.15) * 5, strict=True)]
            )
        case "moon":
            cv2.circle(face, (n // 2, n // 2), n * 3 // 10, paint, -1, cv2.LINE_AA)
            cv2.circle(face, (n * 3 // 5, n * 9 // 20), n // 4, body, -1, cv2.LINE_AA)
        case "leaf":
            draw_polygon([(0.2, 0.8), (0.25, 0.35), (0.55, 0.2), (0.8, 0.2), (0.8, 0.5), (0.6, 0.75)])
            cv2.line(face, (n // 4, 3 * n // 4), (7 * n // 10, 3 * n // 10), body, n // 24, cv2.LINE_AA)
        case _:
            cv2.circle(face, (n // 2, n // 2), n // 5, paint, -1, cv2.LINE_AA)
            for a in np.arange(8) * np.pi / 4:
                tip = (round(n / 2 + 0.38 * n * np.cos(a)), round(n / 2 + 0.38 * n * np.sin(a)))
                cv2.line(face, (n // 2, n // 2), tip, paint, n // 24, cv2.LINE_AA)
    return face


def make_die(
    body: tuple[int, int, int],
    paint: tuple[int, int, int],
    emblems: dict[int, str],
    spread: float = 0.25,
    radius: float = 0.09,
) -> TexturedDie:
    """Make a die of one colour with emblems in place of some values."""
    return TexturedDie(
        {
            v: paint_emblem(emblems[v], body, paint) if v in emblems else paint_pips(v, body, paint, spread, radius)
            for v in range(1, 7)
        }
    )


def _rotate_z(angle: float) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def _list_face_axes(top: int, quarter: int) -> dict[int, tuple[Array, Array, Array]]:
    """Return normal, right and down of each value's face for a die with `top` up, turned by quarter turns."""
    sides = [v for v in range(1, 7) if v not in (top, _OPPOSITE[top])]
    ring = [sides[0], sides[1], _OPPOSITE[sides[0]], _OPPOSITE[sides[1]]]
    axes = {top: (np.array([0, 0, 1.0]), _rotate_z(quarter * np.pi / 2) @ np.array([1.0, 0, 0]))}
    for i, value in enumerate(ring):
        normal = _rotate_z((i + quarter) * np.pi / 2) @ np.array([1.0, 0, 0])
        axes[value] = (normal, np.array([0, 0, 1.0]))
    return {v: (n, r, np.cross(n, r)) for v, (n, r) in axes.items()}


def render_throw(
    dice: Sequence[TexturedDie],
    values: Sequence[int],
    rng: np.random.Generator,
    *,
    size: tuple[int, int] = (480, 640),
    edge_px: float = 46.0,
    table: tuple[int, int, int] | None = None,
) -> tuple[Picture, list[tuple[float, float]]]:
    """Render a throw seen from above; returns the picture, BGR, and the centre of each die's top face in pixels."""
    height, width = size
    base = np.array(table if table is not None else rng.integers(30, 150, 3), np.float64)
    grain = cv2.GaussianBlur(rng.normal(0, 1, (height, width)), (0, 0), sigmaX=14, sigmaY=2)
    image = base + (grain / grain.std() * rng.uniform(2, 7))[..., None]
    far, focal = 14.0, 14.0 * edge_px  # camera's height in edges; pixels per edge on the table times it
    lamp = np.array([*rng.uniform(-0.7, 0.7, 2), 1.0])
    lamp /= np.linalg.norm(lamp)

    def project(p: Array) -> Array:
        scale = focal / (far - p[:, 2])
        return np.stack([width / 2 + p[:, 0] * scale, height / 2 + p[:, 1] * scale], 1)

    places: list[Array] = []
    while len(places) < len(dice):
        reach = np.array([width, height]) / edge_px / 2 - 1.3
        spot = rng.uniform(-reach, reach)
        if all(np.hypot(*(spot - other)) > 1.6 for other in places):
            places.append(spot)
    poses = [(_rotate_z(rng.uniform(0, 2 * np.pi)), int(rng.integers(4))) for _ in dice]
    shadow = np.zeros((height, width), np.float32)
    corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (0, 1)], np.float64)
    for spot, (turn, _) in zip(places, poses, strict=True):
        flat = corners @ turn.T + [*spot, 0]
        flat[:, :2] -= flat[:, 2:] * lamp[:2] / lamp[2]
        flat[:, 2] = 0
        cv2.fillConvexPoly(shadow, cv2.convexHull(project(flat).astype(np.float32)).astype(np.int32), 1.0)
    image *= 1 - rng.uniform(0.3, 0.6) * cv2.GaussianBlur(shadow, (0, 0), rng.uniform(1, 5))[..., None]
    centres = []
    for die, value, spot, (turn, quarter) in zip(dice, values, places, poses, strict=True):
        middle = np.array([*spot, 0.5])
        camera = np.array([0, 0, far])
        # Sides before the top, so that the top covers their upper rim.
        for face, (normal, right, down) in reversed(list(_list_face_axes(value, quarter).items())):
            n, r, d = (turn @ v for v in (normal, right, down))
            centre = middle + n / 2
            if (camera - centre) @ n <= 0:
                continue
            quad = np.array([centre + (sx * r + sy * d) / 2 for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
            source = np.array([[0, 0], [_FACE_PX, 0], [_FACE_PX, _FACE_PX], [0, _FACE_PX]], np.float32)
            matrix = cv2.getPerspectiveTransform(source, project(quad).astype(np.float32))
            mask = np.full((_FACE_PX, _FACE_PX), 255, np.uint8)
            alpha = cv2.warpPerspective(mask, matrix, (width, height), flags=cv2.INTER_AREA)[..., None] / 255
            small = cv2.GaussianBlur(die.faces[face], (0, 0), _FACE_PX / edge_px / 2)
            drawn = cv2.warpPerspective(small, matrix, (width, height)).astype(np.float64)
            image = image * (1 - alpha) + drawn * (0.35 + 0.65 * max(0.0, float(n @ lamp))) * alpha
        centres.append(tuple(float(v) for v in project(np.array([[*spot, 1.0]]))[0]))
    image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.4, 0.9))
    image *= rng.uniform(0.7, 1.15) * (1 + rng.uniform(-0.05, 0.05, 3))
    image += rng.normal(0, rng.uniform(1.5, 5), image.shape)
    return np.clip(image, 0, 255).astype(np.uint8), centres
