"""A scene of flat sheets and painted solids, cast to a picture in linear light."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from ray_tracer.camera import Array, CameraPose
from ray_tracer.light import Room, SurfaceMaterial, compute_plane_light, shade_points
from ray_tracer.shapes import FAR, Solid

Pixels = tuple[int, int, int, int]
"""x0, y0, x1, y1; the last two are exclusive."""


@dataclass(frozen=True, eq=False)
class SurfacePoints:
    """Surface of a solid at points: material, normals (n, 3) in its own axes, and ambient visibility (n,), 0 to 1."""

    material: SurfaceMaterial
    normals: Array
    openness: Array


Paint = Callable[[Array, Array, Array], SurfacePoints]
"""From points, normals and ray directions (n, 3 each, in the solid's own axes) to the surface there."""


@dataclass(frozen=True, eq=False)
class PaintedSolid:
    """A painted solid. `name` marks its pixels in the owner map of `draw_scene`; 0 is the table."""

    solid: Solid
    paint: Paint
    name: int = 1
    shadows: bool = True
    visible: bool = True


@dataclass(frozen=True, eq=False)
class FlatSheet:
    """A flat picture at height `z`: `albedo` (h, w, 3), `alpha` (h, w) or None.

    `place` (2, 3) maps its pixels to mm. `beneath` are solids that cast no shadow on it; through `holes`, if given, all
    its light comes. It hides objects as if it lay at `depth_at` (None: its own height).
    """

    z: float
    albedo: Array
    place: np.ndarray
    alpha: Array | None = None
    rough: float = 0.7
    shine: float = 0.03
    beneath: tuple[Solid, ...] = ()
    holes: Sequence[Array] | None = None
    depth_at: float | None = None

    def bound_pixels(self, camera: CameraPose) -> Pixels:
        """Return the box of pixels that the sheet covers in the camera's view."""
        h, w = self.albedo.shape[:2]
        corners = np.array([[0, 0, 1], [w, 0, 1], [w, h, 1], [0, h, 1]]) @ self.place.T
        return bound_pixels(camera.project(np.column_stack([corners, np.full(4, self.z)])))


@dataclass(frozen=True, eq=False)
class RayScene:
    """Sheets in order of height, and solids."""

    room: Room
    sheets: tuple[FlatSheet, ...]
    solids: tuple[PaintedSolid, ...] = ()

    def list_shadow_casters(self) -> list[Solid]:
        """List the solids that cast shadows."""
        return [t.solid for t in self.solids if t.shadows]


def bound_pixels(points: Array, pad: int = 2) -> Pixels:
    """Return the box of pixels that contains the points (n, 2), enlarged by `pad` pixels."""
    low, high = np.floor(points.min(0)).astype(int) - pad, np.ceil(points.max(0)).astype(int) + pad + 1
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def _intersect_boxes(a: Pixels, b: Pixels) -> Pixels | None:
    box = max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])
    return box if box[0] < box[2] and box[1] < box[3] else None


@dataclass(eq=False)
class _Buffers:
    origin: tuple[int, int]
    image: Array
    depth: Array
    owner: np.ndarray

    def cut(self, box: Pixels) -> tuple[slice, slice]:
        x, y = self.origin
        return slice(box[1] - y, box[3] - y), slice(box[0] - x, box[2] - x)


def draw_scene(
    scene: RayScene, camera: CameraPose, fine: int = 2, box: Pixels | None = None
) -> tuple[Array, np.ndarray]:
    """Draw the pixels of `box`, from `fine` x `fine` rays per pixel.

    Returns:
        The picture (h, w, 3) in linear light, and for every ray the name of the solid it hits, (h fine, w fine).
    """
    box = box or (0, 0, *camera.size)
    near = camera.refine(fine)
    w, h = (box[2] - box[0]) * fine, (box[3] - box[1]) * fine
    origin = (box[0] * fine, box[1] * fine)
    buffers = _Buffers(
        origin, np.zeros((h, w, 3), np.float32), np.full((h, w), FAR, np.float32), np.zeros((h, w), np.int16)
    )
    solids = scene.list_shadow_casters()
    for sheet in scene.sheets:
        _draw_sheet(scene, sheet, camera, near, fine, box, solids, buffers)
    _draw_solids(scene, near, solids, buffers)
    image = cv2.resize(buffers.image, (box[2] - box[0], box[3] - box[1]), interpolation=cv2.INTER_AREA)
    return image, buffers.owner


def _draw_sheet(
    scene: RayScene,
    sheet: FlatSheet,
    camera: CameraPose,
    near: CameraPose,
    fine: int,
    box: Pixels,
    solids: list[Solid],
    buffers: _Buffers,
) -> None:
    part = _intersect_boxes(sheet.bound_pixels(camera), box)
    if part is None:
        return
    big = part[0] * fine, part[1] * fine, part[2] * fine, part[3] * fine
    size = (big[2] - big[0], big[3] - big[1])
    place = np.vstack([sheet.place, [0, 0, 1]])
    shift = np.array([[1, 0, -big[0]], [0, 1, -big[1]], [0, 0, 1.0]])
    to_pixels = shift @ near.compute_homography(sheet.z) @ place
    albedo = cv2.warpPerspective(sheet.albedo, to_pixels, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    blockers = [s for s in solids if not any(s is b for b in sheet.beneath)]
    light, gloss = compute_plane_light(
        scene.room, camera, sheet.z, blockers, part, sheet.holes, sheet.rough, sheet.shine
    )
    lit = albedo * cv2.resize(light, size, interpolation=cv2.INTER_LINEAR)
    lit += cv2.resize(gloss, size, interpolation=cv2.INTER_LINEAR)
    rows = buffers.cut(big)
    at = sheet.z if sheet.depth_at is None else sheet.depth_at
    depth = (at - near.position[2]) / np.minimum(near.compute_ray_z(big), -1e-4)
    if sheet.alpha is None:
        buffers.image[rows], buffers.depth[rows] = lit, depth
        return
    alpha = cv2.warpPerspective(sheet.alpha, to_pixels, size, flags=cv2.INTER_LINEAR, borderValue=0.0)
    there = alpha > 0.5
    buffers.image[rows] += alpha[..., None] * (lit - buffers.image[rows])
    buffers.depth[rows][there] = depth[there]


def _draw_solids(scene: RayScene, near: CameraPose, solids: list[Solid], buffers: _Buffers) -> None:
    h, w = buffers.depth.shape
    frame = (buffers.origin[0], buffers.origin[1], buffers.origin[0] + w, buffers.origin[1] + h)
    index = np.full((h, w), -1, np.int32)
    met: list[tuple[PaintedSolid, np.ndarray, Array, Array, Array]] = []
    for one in scene.solids:
        part = _intersect_boxes(bound_pixels(near.project(one.solid.outline())), frame) if one.visible else None
        if part is None:
            continue
        # Rays within the outline's hull alone: a tray's wall across the picture fills little of its rectangle.
        hull = np.zeros((part[3] - part[1], part[2] - part[0]), np.uint8)
        edge = near.project(one.solid.outline()) - np.array(part[:2], np.float32)
        edge = cv2.convexHull(np.round(edge).astype(np.int32))
        cv2.fillConvexPoly(hull, edge, 1)
        cv2.polylines(hull, [edge], True, 1, 5)
        y, x = np.nonzero(hull)
        rays = near.cast_rays(x + part[0], y + part[1])
        t, normals = one.solid.hit(near.position, rays)
        rows = buffers.cut(part)
        at = (y + rows[0].start) * w + x + rows[1].start
        mine = np.flatnonzero(t < buffers.depth.ravel()[at])
        at = at[mine]
        buffers.depth.reshape(-1)[at] = t[mine]
        buffers.owner.reshape(-1)[at] = one.name
        index.reshape(-1)[at] = len(met)
        met.append((one, at, t[mine], rays[mine], normals[mine]))
    flat = buffers.image.reshape(-1, 3)
    for number, (one, at, t, rays, normals) in enumerate(met):
        keep = index.ravel()[at] == number
        if not keep.any():
            continue
        at, t, rays, normals = at[keep], t[keep], rays[keep], normals[keep]
        solid = one.solid
        points = near.position + rays * t[:, None]
        own = solid.to_own(points)
        surface = one.paint(own, normals, np.asarray(rays @ solid.turn, np.float32))
        facing = np.asarray(surface.normals @ solid.turn.T, np.float32)
        low = np.clip(points[:, 2] / max(2.0, float(solid.half.max())), 0, 1)
        open_ = surface.openness * np.where(facing[:, 2] > 0.5, 1, 0.55 + 0.45 * low)
        others = [s for s in solids if s is not solid and _can_shade(s, solid)]
        lit = shade_points(
            scene.room, points, facing, near.position, surface.material, others, np.asarray(open_, np.float32)
        )
        flat[at] = lit


def _can_shade(one: Solid, other: Solid) -> bool:
    """Return False if `one` is too far away or too low to cast a shadow on `other`."""
    reach = float(np.linalg.norm(one.half) + np.linalg.norm(other.half))
    top = float(one.outline()[:, 2].max())
    if top < float(other.outline()[:, 2].min()) + 0.2:
        return False
    return float(np.linalg.norm((one.center - other.center)[:2])) < reach + 2.5 * top


def measure_visible_share(camera: CameraPose, corners: Array, others: Sequence[PaintedSolid]) -> float:
    """Return the share, of 11 x 11 points of a square with these corners (4, 3), that no other solid hides."""
    a, b, _, d = corners
    u, v = np.meshgrid(np.linspace(0, 1, 11), np.linspace(0, 1, 11))
    lift = np.cross(b - a, d - a)
    lift = lift / np.linalg.norm(lift) * 0.05 * (1 if lift[2] > 0 else -1)
    points = (a + u.reshape(-1, 1) * (b - a) + v.reshape(-1, 1) * (d - a) + lift).astype(np.float32)
    hidden = np.zeros(len(points), bool)
    for one in others:
        if one.visible:
            hidden |= one.solid.is_blocking(points, camera.position)
    return float(1 - hidden.mean())
