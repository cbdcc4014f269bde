"""Rounded dice drawn by sphere tracing: one camera, one light, any pose.

Lengths are in die edges; the table is the plane z = 0. Images are float32 BGR in 0..1.
Sphere tracing: J. C. Hart, "Sphere tracing", The Visual Computer 12 (1996).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from train_dice.appearance import Array, DieAppearance

CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)], np.float32)
_SPOTS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}
SOLID_RADIUS = 0.42
"""Distance of the faces of a solid with `sides` from its centre, in edges of a cube."""

_OFF_FACE = 9.0
"""Coordinate of a pip that is on no face; it fills the lists of faces with fewer than six pips."""


@dataclass(frozen=True)
class RandomCamera:
    """A pinhole camera. `turn` rows are the camera's right, down and forward axes in the world."""

    position: Array
    turn: Array
    focal: float
    center: tuple[float, float]

    @staticmethod
    def look_down(tilt: float, azimuth: float, roll: float, distance: float, focal: float, size: int) -> RandomCamera:
        """Create a camera `distance` from the origin, `tilt` radians off the vertical, aimed at it; a square image."""
        away = np.array([np.sin(tilt) * np.cos(azimuth), np.sin(tilt) * np.sin(azimuth), np.cos(tilt)])
        right = np.array([-np.sin(azimuth), np.cos(azimuth), 0.0])
        down = np.cross(-away, right)
        c, s = np.cos(roll), np.sin(roll)
        turn = np.stack([c * right + s * down, -s * right + c * down, -away])
        return RandomCamera((away * distance).astype(np.float32), turn.astype(np.float32), focal, (size / 2, size / 2))

    def project(self, points: Array) -> Array:
        """Project world points, (n, 3), to pixels, (n, 2)."""
        seen = (points - self.position) @ self.turn.T
        return (self.focal * seen[:, :2] / seen[:, 2:] + np.array(self.center)).astype(np.float32)

    def cast_rays(self, x: Array, y: Array) -> Array:
        """Return the unit directions in the world, (n, 3), of the pixels."""
        d = np.stack([(x - self.center[0]) / self.focal, (y - self.center[1]) / self.focal, np.ones_like(x)], -1)
        d = d @ self.turn
        return (d / _length(d)).astype(np.float32)

    def find_table_point(self, x: float, y: float) -> Array:
        """Return the point of the table plane at a pixel."""
        d = self.cast_rays(np.array([x], np.float32), np.array([y], np.float32))[0]
        return (self.position - d * (self.position[2] / d[2])).astype(np.float32)


class DieSurface(NamedTuple):
    """Surface of a die at n points.

    Attributes:
        albedo: colours, (n, 3).
        body: colours without pips and prints, (n, 3).
        normal: unit normals, turned by the dimples of the pips, (n, 3).
        inside: how much of a pip is there, 0 to 1, (n, 1).
        face: index of the face in `DieAppearance.faces`, (n,).
    """

    albedo: Array
    body: Array
    normal: Array
    inside: Array
    face: npt.NDArray[np.intp]


@dataclass(frozen=True)
class DistantLight:
    """A distant lamp in the direction `towards` (unit vector), over an even sky."""

    towards: Array
    color: Array
    ambient: float


def _list_pips(look: DieAppearance) -> Array:
    """Return the pip centres of the six faces, (6, 6, 2)."""
    out = np.full((6, 6, 2), _OFF_FACE, np.float32)
    for i, value in enumerate(look.faces):
        if look.blank or value in look.without_pips:
            continue
        spots = np.array(_SPOTS[value], np.float32) * look.spread
        if value == 6:
            spots[:, 1] *= look.six_spread
            spots = spots[:, ::-1] if look.flips[i] else spots
        elif look.flips[i]:
            spots = spots * np.array([1, -1], np.float32)
        out[i, : len(spots)] = spots
    return out if look.pip_offsets is None else out + look.pip_offsets


def _length(v: Array) -> Array:
    """Return the lengths, (n, 1), of vectors, (n, 3)."""
    return np.sqrt(np.einsum("ij,ij->i", v, v))[:, None]


def _compute_distances(p: Array, look: DieAppearance) -> tuple[Array, Array]:
    """Return the distances of points, (3, n), from the die's rounded box and from the ball that cuts its corners."""
    if look.sides is not None:
        far = (look.sides @ p).max(0) - SOLID_RADIUS
        return far, np.full_like(far, -1.0)
    x, y, z = np.abs(p) - (0.5 - look.rounding)
    outside = np.sqrt(np.maximum(x, 0) ** 2 + np.maximum(y, 0) ** 2 + np.maximum(z, 0) ** 2)
    inside = np.minimum(np.maximum(np.maximum(x, y), z), 0)
    return outside + inside - look.rounding, np.sqrt(p[0] ** 2 + p[1] ** 2 + p[2] ** 2) - look.ball


def draw_die(
    camera: RandomCamera, center: Array, turn: Array, look: DieAppearance, light: DistantLight, size: int, fine: int
) -> tuple[tuple[int, int, int, int], Array, Array] | None:
    """Draw a die: (x0, y0, x1, y1), colours with alpha (h, w, 4), and the share of each pixel on the top face.

    `turn` columns are the die's axes in the world; `fine` rays per pixel edge. None where it is outside the image.
    """
    outline = camera.project((CORNERS @ turn.T + center).astype(np.float32))
    x0, y0 = np.maximum(np.floor(outline.min(0)).astype(int) - 1, 0)
    x1, y1 = np.minimum(np.ceil(outline.max(0)).astype(int) + 2, size)
    if x1 - x0 < 2 or y1 - y0 < 2:
        return None
    xs = x0 + (np.arange((x1 - x0) * fine, dtype=np.float32) + 0.5) / fine
    ys = y0 + (np.arange((y1 - y0) * fine, dtype=np.float32) + 0.5) / fine
    gx, gy = np.meshgrid(xs, ys)
    rays = camera.cast_rays(gx.ravel(), gy.ravel())
    d = rays @ turn
    o = (camera.position - center) @ turn
    along = -(d @ o)
    near2 = float(o @ o) - along**2
    reach2 = min(3 * 0.25, look.ball**2) if look.sides is None else (2.2 * SOLID_RADIUS) ** 2
    todo = np.flatnonzero(near2 < reach2)
    d = np.ascontiguousarray(d[todo].T)
    t = along[todo] - np.sqrt(reach2 - near2[todo])
    for _ in range(12 if look.sides is None else 30):
        p = o[:, None] + t * d
        t += np.maximum(*_compute_distances(p, look))
    p = o[:, None] + t * d
    box, ball = _compute_distances(p, look)
    hit = np.maximum(box, ball) < 0.012
    todo, p, d, box, ball = todo[hit], p[:, hit].T, d[:, hit].T, box[hit], ball[hit]
    if not len(todo):
        return None
    outside = np.maximum(np.abs(p) - (0.5 - look.rounding), 0)
    normal = np.where((ball > box)[:, None], p, np.sign(p) * outside + 1e-6 * p)
    normal /= _length(normal) + 1e-9
    albedo, body, normal, inside, face = compute_surface(look, p, normal)
    lamp = light.towards @ turn
    lit = np.maximum(normal @ lamp, 0)[:, None]
    up = normal @ turn[2]
    height = p @ turn[2] + center[2]
    sky = light.ambient * (0.7 + 0.3 * up) * (1 - 0.45 * np.exp(-np.maximum(height, 0) / 0.18) * (up < 0.7))
    half = lamp - d
    half /= _length(half)
    spark = look.gloss * np.maximum(np.einsum("ij,ij->i", normal, half), 0) ** look.shine
    color = albedo * (sky[:, None] + (1 - light.ambient) * lit * light.color) + spark[:, None] * light.color
    color = color + body * look.glow * np.maximum(0.3 - p @ lamp, 0)[:, None] * (1 - 0.6 * inside)
    if look.metal:
        seen = d - 2 * np.einsum("ij,ij->i", d, normal)[:, None] * normal
        room = np.sin(seen @ np.array([4.0, -3.0, 5.0]) + 2 * np.sin(seen @ np.array([-2.0, 6.0, 3.0])))
        color = color * (1 + look.metal * room[:, None])
    if look.glitter:
        flake = np.floor(p * 45) @ np.array([12.9898, 78.233, 37.719])
        spark = np.modf(np.abs(np.sin(flake)) * 43758.5453)[0] > 0.93
        color = color + (look.glitter * spark * (1 - inside[:, 0]))[:, None]
    on_top = face == find_top_side(look, turn)
    patch = np.zeros((len(ys) * len(xs), 5), np.float32)
    patch[todo, :3] = color
    patch[todo, 3] = 1
    patch[todo, 4] = on_top
    patch = patch.reshape(len(ys), len(xs), 5)
    if fine > 1:
        patch = cv2.resize(patch, (x1 - x0, y1 - y0), interpolation=cv2.INTER_AREA)
    patch[..., :3] /= np.maximum(patch[..., 3:4], 1e-4)
    return (int(x0), int(y0), int(x1), int(y1)), patch[..., :4], patch[..., 4]


def compute_surface(look: DieAppearance, p: Array, normal: Array) -> DieSurface:
    """Compute the surface of a die at points `p` of its rounded body, (n, 3), with these unit normals, (n, 3)."""
    normal = normal.copy()
    axis = np.abs(p).argmax(1)
    rows = np.arange(len(p))
    face = axis * 2 + (p[rows, axis] < 0)
    uv = np.stack([p[rows, (axis + 1) % 3], p[rows, (axis + 2) % 3]], 1)
    pips = _list_pips(look)[face]
    values = np.array(look.faces)[face]
    if look.sides is not None:
        face = (p @ look.sides.T).argmax(1)
        normal = look.sides[face].copy()
        right, down = _make_face_axes(look.sides)
        uv = np.stack([np.einsum("ij,ij->i", p, right[face]), np.einsum("ij,ij->i", p, down[face])], 1)
        pips, values = np.full((len(p), 1, 2), _OFF_FACE, np.float32), np.zeros(len(p), np.int64)
    off = uv[:, None, :] - pips
    dist = _measure_pip_distances(off * np.array([look.pip_ratio**-0.5, look.pip_ratio**0.5], np.float32), look.corners)
    nearest = dist.argmin(1)
    radius = look.pip_radius * np.where(values == 1, look.one_scale, 1.0)
    rim = dist[rows, nearest]
    inside = np.clip((radius - rim) / 0.02 + 0.5, 0, 1)[:, None]
    bowl = look.dimple * (off[rows, nearest] / radius[:, None]) * (inside > 0)
    normal[rows, (axis + 1) % 3] -= bowl[:, 0]
    normal[rows, (axis + 2) % 3] -= bowl[:, 1]
    normal /= _length(normal) + 1e-9
    body = np.broadcast_to(look.body, p.shape) if look.tones is None else look.tones[face]
    if look.marble:
        wave = np.sin(p @ np.array([7.0, 5.0, 9.0]) + 3 * np.sin(p @ np.array([3.0, -8.0, 4.0])))
        body = body * (1 + look.marble * wave[:, None])
    body = _compute_body_colour(body, p, look, uv, face)
    paint = np.where(((values == 1) | ((values == 4) & look.four))[:, None], look.one, look.pip)
    if look.face_pips is not None:
        paint = look.face_pips[face]
    if look.worn:
        rub = np.sin(p @ np.array([23.0, 31.0, -17.0]) + 2 * np.sin(p @ np.array([-19.0, 13.0, 29.0])))
        inside = inside * (1 - look.worn * np.clip(0.5 + rub, 0, 1)[:, None])
    if look.inlay and look.inlaid is not None:
        within = np.clip((look.inlay * radius - rim) / 0.02 + 0.5, 0, 1)[:, None]
        paint = paint * (1 - within) + look.inlaid * within
    albedo = body * (1 - inside) + paint * inside
    if look.prints is not None and look.ink is not None:
        seen = uv if look.sides is not None else uv * np.stack([np.ones(len(p)), np.sign(-p[rows, axis])], 1)
        alpha = _sample_prints(look.prints, face, seen)[:, None]
        albedo = albedo * (1 - alpha) + look.ink * alpha
    if look.ring:
        albedo = albedo * (1 - look.ring * (np.abs(rim / radius - 1.0) < 0.16))[:, None]
    return DieSurface(albedo, body, normal, inside, face)


def _compute_body_colour(body: Array, p: Array, look: DieAppearance, uv: Array, face: npt.NDArray[np.intp]) -> Array:
    """Return the body's colour at points `p`, (n, 3): layers, grains, swirls, pips behind, chafed edges.

    `uv`: the points on their faces.
    """
    if look.layers is not None and look.layer_axis is not None:
        at = p @ look.layer_axis + 0.08 * np.sin(p @ np.array([9.0, -7.0, 11.0]))
        first = np.floor(at).astype(int)
        share = (at - first if look.blended else np.clip((at - first) * 12, 0, 1))[:, None]
        below, above = (look.layers[(first + k) % len(look.layers)] for k in (0, 1))
        body = below * (1 - share) + above * share
    if look.speckle:
        cell = np.abs(np.sin(np.floor(p * 24) @ np.array([41.37, 17.93, 63.71])) * 24634.6345) % 1
        body = body + (float(look.speckle > 0) - body) * abs(look.speckle) * (cell > 0.7)[:, None]
    if look.vein is not None and look.waves is not None:
        a, b, c = (p @ wave for wave in look.waves)
        share = np.clip(0.5 + 0.9 * np.sin(a + 2 * np.sin(b + 1.5 * np.sin(c))), 0, 1)[:, None]
        body = body * (1 - share) + look.vein * share
    if look.ghost:
        behind = uv[:, None, :] * 1.15 - _list_pips(look)[face ^ 1]
        near = np.exp(-(behind**2).sum(2).min(1) / 0.015)[:, None]
        body = body + (look.pip - body) * look.ghost * near
    if look.chafed:
        second = np.sort(np.abs(p), axis=1)[:, 1:2]
        body = body + (1 - body) * look.chafed * np.clip((second - 0.4) * 12, 0, 1)
    return np.asarray(body, np.float32)


def _measure_pip_distances(off: Array, corners: int) -> Array:
    """Return how far points are from pips, (n, pips), by offsets (n, pips, 2): round pips, or such with corners."""
    far = np.sqrt(off[..., 0] ** 2 + off[..., 1] ** 2)
    if corners == 4:
        return np.asarray(np.abs(off).max(-1) * 1.1, np.float32)
    if corners:
        far = far * (1.15 + 0.3 * np.cos(corners * np.arctan2(off[..., 1], off[..., 0])))
    return np.asarray(far, np.float32)


def _sample_prints(prints: Array, face: npt.NDArray[np.intp], uv: Array) -> Array:
    """Return the prints at points `uv`, (n, 2), of faces, -0.5 to 0.5 from side to side."""
    cells = prints.shape[1]
    at = np.clip(((uv + 0.5) * cells).astype(int), 0, cells - 1)
    return np.asarray(prints[face, at[:, 1], at[:, 0]], np.float32)


def _make_face_axes(sides: Array) -> tuple[Array, Array]:
    """Return two axes in each face of a solid, (n, 3) each."""
    helper = np.where(np.abs(sides[:, 2:]) < 0.9, [[0.0, 0.0, 1.0]], [[1.0, 0.0, 0.0]])
    right = np.cross(helper, sides)
    right /= _length(right)
    return np.asarray(right, np.float32), np.asarray(np.cross(right, sides), np.float32)


def find_top_side(look: DieAppearance, turn: Array) -> int:
    """Return the index of the face that looks up most."""
    if look.sides is not None:
        return int((look.sides @ turn[2]).argmax())
    return find_top_face(turn)[0]


def compute_lean(position: Array, axes: Array, center: Array, turn: Array) -> tuple[float, float]:
    """Return the top face's normal across the line of sight, right and down in the picture, each -1 to 1.

    `position` and `axes` are the camera's; rows of the second are its right, down and forward.
    """
    axis = int(np.abs(turn[2]).argmax())
    normal = turn[:, axis] * np.sign(turn[2, axis])
    sight = (center - position) / np.linalg.norm(center - position)
    across = axes @ (normal - (normal @ sight) * sight)
    return float(across[0]), float(across[1])


def find_top_face(turn: Array) -> tuple[int, Array]:
    """Return the index of the upper face in `DieAppearance.faces`, and its corners in die coordinates, (4, 3)."""
    axis = int(np.abs(turn[2]).argmax())
    down = bool(turn[2, axis] < 0)
    corners = np.empty((4, 3), np.float32)
    corners[:, axis] = -0.5 if down else 0.5
    corners[:, (axis + 1) % 3] = [-0.5, 0.5, 0.5, -0.5]
    corners[:, (axis + 2) % 3] = [-0.5, -0.5, 0.5, 0.5]
    return axis * 2 + down, corners
