"""What never moves: the tabletop and the dice tray, lit. Drawn once for a look, at twice the size."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from companion.simulation.light import Image, Point, brightness, fallen, polygon, scaled, shadow, walls
from companion.simulation.macroscope.appearance import Look
from companion.simulation.macroscope.dice import TRAY, TRAY_FLOOR, TRAY_INNER
from companion.simulation.macroscope.textures import tabletop
from companion.simulation.optics import FRAME_SIZE

Pixels = npt.NDArray[np.float64]

RIM_WIDTH = 7.0
RIM_HEIGHT = 18.0
_ZOOM = 2


def draw_table(look: Look, rng: np.random.Generator) -> Image:
    """The empty table with its tray, BGR, as large as a frame."""
    size = FRAME_SIZE[0] * _ZOOM, FRAME_SIZE[1] * _ZOOM
    # The texture covers more than the camera sees, at two pixels per millimetre.
    reach = 480.0, 320.0
    texture = tabletop(look.table, look.wood, (int(reach[0] * 4), int(reach[1] * 4)), rng)
    y, x = np.mgrid[-reach[1] : reach[1] : 0.5, -reach[0] : reach[0] : 0.5].astype(np.float32)
    lit = np.clip(texture * brightness(look, x, y)[..., None], 0, 255).astype(np.uint8)
    to_mm = np.array([[0.5, 0.0, -reach[0]], [0.0, 0.5, -reach[1]], [0.0, 0.0, 1.0]])
    zoom = np.diag([_ZOOM, _ZOOM, 1.0])
    image = np.asarray(
        cv2.warpPerspective(lit, zoom @ look.optics.plane(0.0) @ to_mm, size, borderMode=cv2.BORDER_REFLECT), np.uint8
    )
    _draw_tray(image, look, rng)
    return np.asarray(cv2.resize(image, FRAME_SIZE, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _square(half: float) -> tuple[Point, Point, Point, Point]:
    x, y = TRAY
    return (x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)


def _draw_tray(image: Image, look: Look, rng: np.random.Generator) -> None:
    inner, outer = _square(TRAY_INNER), _square(TRAY_INNER + RIM_WIDTH)

    def pixels(points: list[tuple[float, float, float]]) -> Pixels:
        return _ZOOM * look.optics.project(points)

    foot = [(*p, 0.0) for p in outer]
    cast = fallen(look, [(*p, RIM_HEIGHT) for p in outer], 0.0)
    shadow(image, pixels(foot + cast), 6.0 * _ZOOM, 0.55)
    walls(image, look, outer, (0.0, RIM_HEIGHT), look.rim, _ZOOM)

    _draw_felt(image, look, rng, pixels([(*p, TRAY_FLOOR) for p in inner]))
    walls(image, look, inner[::-1], (TRAY_FLOOR, RIM_HEIGHT), look.rim, _ZOOM)
    for k in range(4):
        a, b, c, d = outer[k], outer[(k + 1) % 4], inner[(k + 1) % 4], inner[k]
        tone = float(brightness(look, (a[0] + b[0]) / 2, (a[1] + b[1]) / 2)) * (1.0 + 0.06 * rng.uniform(-1.0, 1.0))
        polygon(image, pixels([(*p, RIM_HEIGHT) for p in (a, b, c, d)]), scaled(look.rim, 1.1 * tone))
        seam = pixels([(*a, RIM_HEIGHT), (*d, RIM_HEIGHT)])
        ends = np.round(seam * 16).astype(int)
        cv2.line(image, tuple(ends[0]), tuple(ends[1]), scaled(look.rim, 0.7 * tone), 1, cv2.LINE_AA, 4)


def _draw_felt(image: Image, look: Look, rng: np.random.Generator, outline: Pixels) -> None:
    """The tray's floor, dark where the rim keeps the lamp away."""
    polygon(image, outline, scaled(look.felt, float(brightness(look, *TRAY))))
    x, y, w, h = cv2.boundingRect(outline.astype(np.float32))
    part = image[y : y + h, x : x + w]
    fuzz = cv2.GaussianBlur(rng.standard_normal((h, w), dtype=np.float32), (0, 0), 1.2)
    reached = np.zeros((h, w), np.uint8)
    sunny = fallen(look, [(*p, RIM_HEIGHT) for p in _square(TRAY_INNER)], TRAY_FLOOR)
    polygon(reached, _ZOOM * look.optics.project(sunny) - (x, y), (255, 255, 255))
    light = cv2.GaussianBlur(reached.astype(np.float32) / 255.0, (0, 0), 5.0 * _ZOOM)
    shade = (0.55 + 0.45 * np.asarray(light)) * (1.0 + 0.1 * np.asarray(fuzz))
    on_felt = np.zeros((h, w), np.uint8)
    polygon(on_felt, outline - (x, y), (255, 255, 255))
    factor = np.where(on_felt > 0, shade, 1.0)[..., None]
    part[:] = np.clip(part * factor, 0, 255)
