"""Area lamps, the light of a room, and the reflection by surfaces. Linear light, BGR; about 1 reaches the table.

Gloss: B. Walter and others, "Microfacet models for refraction", EGSR 2007 (GGX), with Schlick's Fresnel term.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from ray_tracer.camera import Array, CameraPose
from ray_tracer.shapes import Solid, dot, list_shadow_points, normalize

Rng = np.random.Generator

LIGHT_GRID_PX = 24
"""Distance in pixels between the points at which light is computed; shadows are computed at every pixel."""


@dataclass(frozen=True, eq=False)
class AreaLamp:
    """A lamp. `spots` (n, 3) are points on its area; their light adds up to `power` (BGR) at the table's middle."""

    spots: Array
    power: Array

    def reduce_spots(self, count: int) -> AreaLamp:
        """Return the same light from about `count` of the spots."""
        return AreaLamp(self.spots[:: max(1, round(len(self.spots) / count))], self.power)

    def compute_strength(self, points: Array, normals: Array, spot: Array) -> Array:
        """Return the light from one spot (of all) on surfaces (n,): 1 at the table's middle if nothing blocks it."""
        way = spot - points
        dist2 = dot(way, way)
        cosine = dot(way, normals) / np.sqrt(dist2)
        middle = float((spot * spot).sum())
        scale = middle**1.5 / max(float(spot[2]), 1.0)
        return np.asarray(np.maximum(cosine, 0) / dist2 * scale / len(self.spots), np.float32)


def make_lamp(rng: Rng, at: Array, size: float, power: float, warm: float, spots: int) -> AreaLamp:
    """Create a square lamp of `size` mm that faces the table's middle; its spots are spread evenly."""
    # The R2 sequence (M. Roberts, 2018): no two spots in a row or column, or tall things' shadows show the steps.
    cell = (rng.random(2) + np.arange(1, spots + 1)[:, None] * np.array([0.7548776662, 0.5698402910])) % 1 - 0.5
    way = normalize(np.asarray(-at, np.float32))
    right = normalize(np.cross(way, np.array([0.2, 1.0, 0.1], np.float32)))
    down = np.cross(way, right)
    places = at + size * (cell[:, :1] * right + cell[:, 1:] * down)
    places[:, 2] = np.maximum(places[:, 2], 60.0)
    color = np.array([np.exp(-warm), 1.0, np.exp(warm)], np.float32)
    return AreaLamp(places.astype(np.float32), (color * power).astype(np.float32))


@dataclass(frozen=True, eq=False)
class Room:
    """Lamps, and the light from walls and ceiling.

    `above` comes from the zenith, `aside` from the horizon (BGR each); `lobes` (n, 3) are directions of windows and
    white walls that glossy objects reflect, `glare` their strengths (n,); `floor` is the light that the table reflects.
    """

    lamps: tuple[AreaLamp, ...]
    above: Array
    aside: Array
    lobes: Array
    glare: Array
    floor: Array

    def reflect(self, ways: Array) -> Array:
        """Return the room's light from the directions (n, 3), as a glossy object reflects it."""
        up = np.clip(ways[:, 2:], -1, 1)
        sky = self.aside + (self.above - self.aside) * np.clip(up, 0, 1) ** 0.7
        seen = np.where(up > 0, sky, self.floor * (1 + 0.3 * up))
        for lobe, strength in zip(self.lobes, self.glare, strict=True):
            near = np.exp(18 * ((ways @ lobe) - 1))[:, None]
            seen = seen + near * strength * (0.5 * self.above + 0.5)
        return np.asarray(seen, np.float32)

    def compute_ambient(self, normals: Array) -> Array:
        """Light from everywhere but the lamps on surfaces with these normals (n, 3)."""
        up = normals[:, 2:] * 0.5 + 0.5
        sky = 0.6 * self.above + 0.4 * self.aside
        return np.asarray(sky * up**1.2 + self.floor * 0.85 * (1 - up), np.float32)


@dataclass(frozen=True, eq=False)
class SurfaceMaterial:
    """What surface points are made of: `albedo` (n, 3), `rough` (n,) or number 0.05 to 1, `shine` (reflectance from
    straight ahead), `soft` (0 to 1: light that goes under the surface and comes out beside, as in skin and resin)."""

    albedo: Array
    rough: Array | float
    shine: Array | float = 0.04
    soft: float = 0.0


def shade_points(
    room: Room,
    points: Array,
    normals: Array,
    seen_from: Array,
    stuff: SurfaceMaterial,
    blockers: Sequence[Solid],
    open_: Array,
) -> Array:
    """The light (n, 3) that leaves surface points for the camera. `open_` (n,) is how far the surroundings reach them;
    `blockers` throw shadows."""
    view = normalize(seen_from - points)
    rough = np.broadcast_to(np.asarray(stuff.rough, np.float32), points.shape[:1])
    shine = np.broadcast_to(np.asarray(stuff.shine, np.float32), points.shape[:1])[:, None]
    facing = np.clip(dot(view, normals), 0.02, 1)
    diffuse = room.compute_ambient(normals) * open_[:, None]
    gloss = np.zeros_like(points)
    alpha2 = np.maximum(rough, 0.04) ** 4
    k = (rough + 1) ** 2 / 8
    start = points + normals * 0.05
    middle = points.mean(0)
    reach = float(np.sqrt(((points - middle) ** 2).max(0).sum()))
    for lamp in (one.reduce_spots(9) for one in room.lamps):
        for spot in lamp.spots:
            lit = lamp.compute_strength(points, normals, spot)
            way = normalize(spot - points)
            cosine = dot(way, normals)
            if stuff.soft:
                wrapped = np.maximum(cosine + stuff.soft, 0) / (1 + stuff.soft) - np.maximum(cosine, 0)
                lit = lit + 0.5 * wrapped / len(lamp.spots)
            for solid in blockers:
                if not _between(solid, middle, reach, spot):
                    continue
                dark = np.flatnonzero(lit > 0)
                lit[dark] *= np.where(solid.is_blocking(start[dark], spot), np.float32(stuff.soft * 0.3), np.float32(1))
            diffuse = diffuse + lit[:, None] * lamp.power
            top = np.clip(dot(normalize(way + view), normals), 0, 1)
            spread = alpha2 / (np.pi * (top * top * (alpha2 - 1) + 1) ** 2)
            c = np.clip(cosine, 0.02, 1)
            mask = 1 / ((c * (1 - k) + k) * (facing * (1 - k) + k)) / 4
            gloss += (np.minimum(spread, 120) * mask * lit)[:, None] * lamp.power
    bent = 2 * dot(view, normals)[:, None] * normals - view
    fresnel = shine + (1 - shine) * (1 - facing[:, None]) ** 5 * (1 - 0.8 * rough[:, None])
    mirror = room.reflect(bent) * (1 - 0.85 * rough[:, None]) * open_[:, None]
    return np.asarray(stuff.albedo * diffuse * (1 - shine) + fresnel * mirror + shine * np.pi * gloss, np.float32)


def _between(solid: Solid, middle: Array, reach: float, spot: Array) -> bool:
    """False where the solid is surely off every way from within `reach` of a point to the spot."""
    way = spot - middle
    share = float(np.clip((solid.center - middle) @ way / (way @ way), 0, 1))
    gap = solid.center - middle - share * way
    size = float(np.sqrt(solid.half @ solid.half)) + (float(solid.half[0]) if solid.half[2] > solid.half[0] else 0.0)
    return float(gap @ gap) < (size + reach) ** 2


def _hull(camera: CameraPose, points: Array, spot: Array, z: float) -> np.ndarray | None:
    """The pixels' outline of a solid's shadow on the plane at `z`; None if it throws none there."""
    points = points[points[:, 2] > z - 0.5]
    if not len(points):
        return None
    points = np.concatenate([points[:, :2], np.maximum(points[:, 2:], z)], 1)
    share = (spot[2] - z) / np.maximum(spot[2] - points[:, 2], 1.0)
    fallen = spot + (points - spot) * share[:, None]
    fallen[:, 2] = z
    return np.asarray(cv2.convexHull(np.round(camera.project(fallen) * 16).astype(np.int32)))


def compute_plane_light(
    room: Room,
    camera: CameraPose,
    z: float,
    blockers: Sequence[Solid],
    box: tuple[int, int, int, int] | None = None,
    holes: Sequence[Array] | None = None,
    rough: float = 0.7,
    shine: float = 0.03,
) -> tuple[Array, Array]:
    """The light (h, w, 3) that falls on the plane at height `z`, and what it mirrors (h, w, 3), at the pixels of `box`.

    With `holes`, outlines (n, 3) in a sheet above, it comes through those alone.
    """
    x0, y0, x1, y1 = box or (0, 0, *camera.size)
    w, h = x1 - x0, y1 - y0
    step = LIGHT_GRID_PX if rough > 0.35 else LIGHT_GRID_PX // 2
    gx, gy = np.meshgrid(np.linspace(x0, x1 - 1, w // step + 2), np.linspace(y0, y1 - 1, h // step + 2))
    back = np.linalg.inv(camera.compute_homography(z))
    p = np.stack([gx, gy, np.ones_like(gx)], -1).reshape(-1, 3) @ back.T
    points = np.concatenate([p[:, :2] / p[:, 2:], np.full((len(p), 1), z)], 1).astype(np.float32)
    normals = np.tile(np.array([0, 0, 1], np.float32), (len(points), 1))
    shift = np.array([x0, y0], np.float32)
    open_ = np.ones((h, w), np.float32)
    thrown = [s for s in blockers if float(s.outline()[:, 2].max()) > z + 0.3]
    shades = [list_shadow_points(s) for s in thrown]
    for solid in thrown:
        _darken_contact(open_, camera, solid, z, shift)
    out = room.compute_ambient(normals[:1])[0] * open_[..., None]
    view = normalize(camera.position - points)
    facing = np.clip(view[:, 2:], 0.05, 1)
    bent = view * np.array([-1, -1, 1], np.float32)
    fresnel = shine + (1 - shine) * (1 - facing) ** 5 * (1 - 0.8 * rough)
    mirror = _interpolate_grid(fresnel * room.reflect(bent) * (1 - 0.85 * rough), gx.shape, (w, h)) * open_[..., None]
    canvas = np.empty((h, w), np.uint8)
    for lamp in room.lamps:
        arrives = np.zeros((h, w), np.float32)
        for spot in lamp.spots:
            canvas[:] = 1 if holes is None else 0
            for hole in holes or ():
                edge = _hull(camera, hole, spot, z)
                if edge is not None:
                    cv2.fillConvexPoly(canvas, edge - np.round(shift * 16).astype(np.int32), 1, cv2.LINE_8, 4)
            for one in shades:
                edge = _hull(camera, one, spot, z)
                if edge is not None:
                    cv2.fillConvexPoly(canvas, edge - np.round(shift * 16).astype(np.int32), 0, cv2.LINE_8, 4)
            arrives += canvas
        arrives = cv2.GaussianBlur(arrives / len(lamp.spots), (0, 0), 0.8)
        lit = [lamp.compute_strength(points, normals, s) for s in lamp.spots]
        out = out + (arrives * _interpolate_grid(sum(lit), gx.shape, (w, h)))[..., None] * lamp.power
        shiny = sum(
            one * _compute_gloss_lobe(normalize(spot - points), view, rough)
            for one, spot in zip(lit, lamp.spots, strict=True)
        )
        mirror = mirror + (arrives * _interpolate_grid(shine * np.pi * shiny, gx.shape, (w, h)))[..., None] * lamp.power
    return np.asarray(out, np.float32), np.asarray(mirror, np.float32)


def _interpolate_grid(values: Array, shape: tuple[int, ...], size: tuple[int, int]) -> Array:
    """Interpolate values of a coarse grid at every pixel."""
    values = np.asarray(values, np.float32).reshape(*shape, *values.shape[1:])
    return np.asarray(cv2.resize(values, size, interpolation=cv2.INTER_CUBIC), np.float32)


def _compute_gloss_lobe(way: Array, view: Array, rough: float) -> Array:
    """Compute the GGX term over the cosine, for normals straight up."""
    alpha2, k = max(rough, 0.04) ** 4, (rough + 1) ** 2 / 8
    top = np.clip(normalize(way + view)[:, 2], 0, 1)
    spread = alpha2 / (np.pi * (top * top * (alpha2 - 1) + 1) ** 2)
    one, other = np.clip(way[:, 2], 0.02, 1), np.clip(view[:, 2], 0.02, 1)
    return np.asarray(np.minimum(spread, 60) / ((one * (1 - k) + k) * (other * (1 - k) + k)) / 4, np.float32)


def _darken_contact(open_: Array, camera: CameraPose, solid: Solid, z: float, shift: Array) -> None:
    """Darken the plane around a solid that stands on it or hovers above it, in place (ambient occlusion)."""
    points = solid.outline()
    low, high = float(points[:, 2].min()), float(points[:, 2].max())
    reach = max(high - z, 0.1)
    foot = points.copy()
    foot[:, 2] = z
    edge = camera.project(foot) - shift
    scale = float(np.linalg.norm(camera.project(np.array([[0, 0, z]])) - camera.project(np.array([[1, 0, z]]))))
    for part, share in ((0.25, 0.3), (0.8, 0.35)):
        sigma = max(0.6, scale * (part * min(reach, 40.0) + 0.5 * max(0.0, low - z)))
        pad = int(3 * sigma) + 2
        x0, y0 = np.maximum(np.floor(edge.min(0)).astype(int) - pad, 0)
        x1, y1 = np.minimum(np.ceil(edge.max(0)).astype(int) + pad, (open_.shape[1], open_.shape[0]))
        if x1 <= x0 or y1 <= y0:
            continue
        # Wide blurs are worked out on a coarser grid.
        step = max(1, int(sigma / 4))
        size = ((x1 - x0) // step + 1, (y1 - y0) // step + 1)
        spot = np.zeros((size[1], size[0]), np.float32)
        hull = cv2.convexHull(np.round((edge - np.array([x0, y0])) / step * 16).astype(np.int32))
        cv2.fillConvexPoly(spot, hull, 1.0, cv2.LINE_AA, 4)
        spot = cv2.GaussianBlur(spot, (0, 0), max(0.5, sigma / step))
        spot = cv2.resize(spot, (size[0] * step, size[1] * step), interpolation=cv2.INTER_LINEAR)
        open_[y0:y1, x0:x1] *= 1 - share * spot[: y1 - y0, : x1 - x0] * (1 if low < z + 2 else 0.6)
