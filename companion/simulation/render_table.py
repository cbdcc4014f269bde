"""Drawing of the static parts: the tabletop and the dice tray, lit. Drawn once for each appearance."""

import cv2
import numpy as np
import numpy.typing as npt

from companion.simulation.appearance import TableAppearance
from companion.simulation.dice import TRAY_FLOOR_MM, SimulatedTray
from companion.simulation.light import (
    Image,
    Point,
    cast_shadow_points,
    compute_brightness,
    draw_polygon,
    draw_shadow,
    draw_walls,
    scale_colour,
)
from companion.simulation.optics import FRAME_SIZE_PX
from companion.simulation.textures import draw_tabletop

Pixels = npt.NDArray[np.float64]

RIM_WIDTH_MM = 7.0
"""Width of the tray's rim in mm."""
RIM_HEIGHT_MM = 18.0
"""Height of the tray's rim above the table in mm; the higher, the larger its shadow on the felt."""
_ZOOM = 2
"""The table is drawn at this multiple of the frame's size and reduced; the larger, the smoother and slower."""


def draw_table(appearance: TableAppearance, rng: np.random.Generator, tray: SimulatedTray) -> Image:
    """Draw the empty table with its tray: (720, 1280, 3) uint8 BGR; `rng` decides on the textures."""
    size = FRAME_SIZE_PX[0] * _ZOOM, FRAME_SIZE_PX[1] * _ZOOM
    # The texture covers more than the camera sees, at two pixels per millimetre.
    reach = 480.0, 320.0
    texture = draw_tabletop(appearance.table, appearance.wood, (int(reach[0] * 4), int(reach[1] * 4)), rng)
    y, x = np.mgrid[-reach[1] : reach[1] : 0.5, -reach[0] : reach[0] : 0.5].astype(np.float32)
    lit = np.clip(texture * compute_brightness(appearance, x, y)[..., None], 0, 255).astype(np.uint8)
    to_mm = np.array([[0.5, 0.0, -reach[0]], [0.0, 0.5, -reach[1]], [0.0, 0.0, 1.0]])
    zoom = np.diag([_ZOOM, _ZOOM, 1.0])
    image = np.asarray(
        cv2.warpPerspective(
            lit, zoom @ appearance.optics.plane_homography(0.0) @ to_mm, size, borderMode=cv2.BORDER_REFLECT
        ),
        np.uint8,
    )
    _draw_tray(image, appearance, rng, tray)
    return np.asarray(cv2.resize(image, FRAME_SIZE_PX, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _list_corners(tray: SimulatedTray, margin: float) -> tuple[Point, Point, Point, Point]:
    """List the corners in mm of the tray with a margin in mm, clockwise."""
    (x, y), (a, b) = tray.center, (half + margin for half in tray.half_size)
    return (x - a, y - b), (x + a, y - b), (x + a, y + b), (x - a, y + b)


def _draw_tray(image: Image, appearance: TableAppearance, rng: np.random.Generator, tray: SimulatedTray) -> None:
    """Draw the tray with its rim and shadow into `image`, `_ZOOM` times a frame, in place."""
    inner, outer = _list_corners(tray, 0.0), _list_corners(tray, RIM_WIDTH_MM)

    def pixels(points: list[tuple[float, float, float]]) -> Pixels:
        return _ZOOM * appearance.optics.project(points)

    foot = [(*p, 0.0) for p in outer]
    cast = cast_shadow_points(appearance, [(*p, RIM_HEIGHT_MM) for p in outer], 0.0)
    draw_shadow(image, pixels(foot + cast), 6.0 * _ZOOM, 0.55)
    draw_walls(image, appearance, outer, (0.0, RIM_HEIGHT_MM), appearance.rim, _ZOOM)

    _draw_felt(image, appearance, rng, tray, pixels([(*p, TRAY_FLOOR_MM) for p in inner]))
    draw_walls(image, appearance, inner[::-1], (TRAY_FLOOR_MM, RIM_HEIGHT_MM), appearance.rim, _ZOOM)
    for k in range(4):
        a, b, c, d = outer[k], outer[(k + 1) % 4], inner[(k + 1) % 4], inner[k]
        tone = float(compute_brightness(appearance, (a[0] + b[0]) / 2, (a[1] + b[1]) / 2)) * (
            1.0 + 0.06 * rng.uniform(-1.0, 1.0)
        )
        draw_polygon(
            image, pixels([(*p, RIM_HEIGHT_MM) for p in (a, b, c, d)]), scale_colour(appearance.rim, 1.1 * tone)
        )
        seam = pixels([(*a, RIM_HEIGHT_MM), (*d, RIM_HEIGHT_MM)])
        ends = np.round(seam * 16).astype(int)
        cv2.line(image, tuple(ends[0]), tuple(ends[1]), scale_colour(appearance.rim, 0.7 * tone), 1, cv2.LINE_AA, 4)


def _draw_felt(
    image: Image, appearance: TableAppearance, rng: np.random.Generator, tray: SimulatedTray, outline: Pixels
) -> None:
    """Draw the tray's floor, darker in the rim's shadow."""
    draw_polygon(image, outline, scale_colour(appearance.felt, float(compute_brightness(appearance, *tray.center))))
    x, y, w, h = cv2.boundingRect(outline.astype(np.float32))
    part = image[y : y + h, x : x + w]
    fibres = cv2.GaussianBlur(rng.standard_normal((h, w), dtype=np.float32), (0, 0), 1.2)
    lit_mask = np.zeros((h, w), np.uint8)
    lit_area = cast_shadow_points(appearance, [(*p, RIM_HEIGHT_MM) for p in _list_corners(tray, 0.0)], TRAY_FLOOR_MM)
    draw_polygon(lit_mask, _ZOOM * appearance.optics.project(lit_area) - (x, y), (255, 255, 255))
    light = cv2.GaussianBlur(lit_mask.astype(np.float32) / 255.0, (0, 0), 5.0 * _ZOOM)
    shade = (0.55 + 0.45 * np.asarray(light)) * (1.0 + 0.1 * np.asarray(fibres))
    on_felt = np.zeros((h, w), np.uint8)
    draw_polygon(on_felt, outline - (x, y), (255, 255, 255))
    factor = np.where(on_felt > 0, shade, 1.0)[..., None]
    part[:] = np.clip(part * factor, 0, 255)
