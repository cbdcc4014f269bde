"""Solids for ray casting: rounded boxes, upright cylinders, ellipsoids, capsules.

All are convex, and all have closed forms except the rounding of a box's edges. Box: the slab method. Capsule: I.
Quilez, "Capsule intersection". Directions need not have unit length; distances are in multiples of theirs, infinity is
a miss.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ray_tracer.camera import Array

FAR = np.float32(np.inf)


def dot(a: Array, b: Array) -> Array:
    """Return the dot products of vectors along the last axis; numpy's own sum over so short an axis is slow."""
    return np.asarray(np.einsum("...i,...i->...", a, b))


def normalize(v: Array) -> Array:
    """Scale vectors along the last axis to length 1."""
    return np.asarray(v / np.maximum(np.sqrt(dot(v, v)), 1e-9)[..., None], np.float32)


@dataclass(frozen=True, eq=False)
class Solid:
    """Base class. `turn` columns are the solid's own axes in the world; `half` are its half extents in mm."""

    center: Array
    turn: Array
    half: Array

    def to_own(self, points: Array) -> Array:
        """Convert world points, (n, 3), to the solid's own axes."""
        return np.asarray((points - self.center) @ self.turn, np.float32)

    def hit(self, origin: Array, rays: Array) -> tuple[Array, Array]:
        """Return the distances (n,) of the first hits and the outward normals there (n, 3), in the solid's own axes."""
        raise NotImplementedError

    def is_blocking(self, points: Array, to: Array) -> np.ndarray:
        """Return which of the segments from `points` (n, 3) to `to` (3,) cross the solid, (n,) bool."""
        raise NotImplementedError

    def outline(self) -> Array:
        """Return world points (n, 3) whose hull contains the solid."""
        raise NotImplementedError


def _intersect_slabs(origin: Array, rays: Array, half: Array) -> tuple[Array, Array, np.ndarray]:
    """Return entry, exit and entry axis of lines through a box around the origin; entry > exit is a miss."""
    safe = np.where(np.abs(rays) < 1e-9, np.float32(1e-9), rays)
    a, b = (-half - origin) / safe, (half - origin) / safe
    near, far = np.minimum(a, b), np.maximum(a, b)
    x, y, z = near[..., 0], near[..., 1], near[..., 2]
    entry = np.maximum(np.maximum(x, y), z)
    axis = np.where(entry == x, 0, np.where(entry == y, 1, 2))
    return entry, np.minimum(np.minimum(far[..., 0], far[..., 1]), far[..., 2]), axis


@dataclass(frozen=True, eq=False)
class BoxShape(Solid):
    """A box with edges rounded by `radius`; if `ball` is given, a ball of that radius cuts its corners."""

    radius: float = 0.0
    ball: float | None = None

    def _distance(self, p: Array) -> tuple[Array, Array]:
        q = np.abs(p) - (self.half - self.radius)
        out = np.maximum(q, 0)
        deepest = np.maximum(np.maximum(q[:, 0], q[:, 1]), q[:, 2])
        return np.sqrt(dot(out, out)) + np.minimum(deepest, 0) - self.radius, out * np.sign(p)

    def hit(self, origin: Array, rays: Array) -> tuple[Array, Array]:
        o = self.to_own(origin)
        d = np.asarray(rays @ self.turn, np.float32)
        near, far, axis = _intersect_slabs(o, d, self.half)
        t = np.where((near < far) & (far > 0), near, FAR)
        normal = np.zeros_like(d)
        rows = np.flatnonzero(np.isfinite(t))
        normal[rows, axis[rows]] = -np.sign(d[rows, axis[rows]])
        if self.radius:
            dr = d[rows]
            length = np.sqrt(dot(dr, dr))
            way, end = t[rows].copy(), far[rows]
            if self.ball is not None:
                way = np.maximum(way, _intersect_ball(o, d[rows], self.ball))
            for _ in range(16):
                gap, out = self._distance(o + d[rows] * way[:, None])
                way = way + np.maximum(gap, 0) / length
            missed = (gap > 2e-3 * self.half.max()) | (way > end)
            p = o + d[rows] * way[:, None]
            flat = dot(out, out) < 1e-12
            n = np.where(flat[:, None], normal[rows], normalize(out))
            if self.ball is not None:
                on_ball = dot(p, p) > (self.ball * 0.9995) ** 2
                n = np.where(on_ball[:, None], normalize(p), n)
                missed |= dot(p, p) > (self.ball * 1.01) ** 2
            t[rows] = np.where(missed, FAR, way)
            normal[rows] = n
        return t.astype(np.float32), normal

    def is_blocking(self, points: Array, to: Array) -> np.ndarray:
        o = self.to_own(points)
        d = self.to_own(to) - o
        near, far, _ = _intersect_slabs(o, d, self.half - 0.4 * self.radius)
        return (near < far) & (far > 1e-4) & (near < 1)

    def outline(self) -> Array:
        signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32)
        return np.asarray((signs * self.half) @ self.turn.T + self.center, np.float32)

    def shade_outline(self) -> Array:
        """Return the outline of the box whose shadow is about that of the rounded one."""
        cut = np.asarray(self.half, np.float32) - 0.35 * self.radius
        return np.asarray((self.outline() - self.center) @ self.turn * (cut / self.half) @ self.turn.T + self.center)


def _intersect_ball(origin: Array, rays: Array, radius: float) -> Array:
    """Return the entry into a ball around the origin; on a miss the distance of the nearest point."""
    a, b = dot(rays, rays), rays @ origin
    c = float(origin @ origin) - radius * radius
    return np.asarray((-b - np.sqrt(np.maximum(b * b - a * c, 0))) / a, np.float32)


@dataclass(frozen=True, eq=False)
class Ellipsoid(Solid):
    """An ellipsoid."""

    def hit(self, origin: Array, rays: Array) -> tuple[Array, Array]:
        o = self.to_own(origin) / self.half
        d = np.asarray(rays @ self.turn, np.float32) / self.half
        a, b, c = dot(d, d), d @ o, float(o @ o) - 1
        root = b * b - a * c
        t = np.where(root > 0, (-b - np.sqrt(np.maximum(root, 0))) / a, FAR)
        t = np.where(t > 0, t, FAR)
        p = o + d * np.where(np.isfinite(t), t, 0)[:, None]
        return t.astype(np.float32), normalize(p / self.half)

    def is_blocking(self, points: Array, to: Array) -> np.ndarray:
        o = self.to_own(points) / self.half
        d = self.to_own(to) / self.half - o
        a, b, c = dot(d, d), dot(d, o), dot(o, o) - 0.98
        root = b * b - a * c
        t = (-b - np.sqrt(np.maximum(root, 0))) / a
        return (root > 0) & (t > -0.0005) & (t < 1)

    def outline(self) -> Array:
        ring = np.linspace(0, 2 * np.pi, 14, endpoint=False)
        c, s, o = np.cos(ring), np.sin(ring), np.zeros(14)
        r = 0.7071
        all_rings = [
            np.stack(rows, -1)
            for rows in ((c, s, o), (c, o, s), (o, c, s), (r * c, r * s, o + r), (r * c, r * s, o - r))
        ]
        return np.asarray((np.concatenate(all_rings) * self.half) @ self.turn.T + self.center, np.float32)


@dataclass(frozen=True, eq=False)
class Cylinder(Solid):
    """A cylinder along its own z axis: half = (radius, radius, half height)."""

    def hit(self, origin: Array, rays: Array) -> tuple[Array, Array]:
        o = self.to_own(origin)
        d = np.asarray(rays @ self.turn, np.float32)
        r, h = self.half[0], self.half[2]
        a = dot(d[:, :2], d[:, :2]) + 1e-12
        b = dot(d[:, :2], o[..., :2])
        c = dot(o[..., :2], o[..., :2]) - r * r
        root = b * b - a * c
        side = np.where(root > 0, (-b - np.sqrt(np.maximum(root, 0))) / a, FAR)
        z = o[..., 2] + d[:, 2] * np.where(np.isfinite(side), side, 0)
        side = np.where(np.abs(z) < h, side, FAR)
        up = np.where(d[:, 2] < 0, np.float32(1), np.float32(-1))
        cap = (up * h - o[..., 2]) / np.where(np.abs(d[:, 2]) < 1e-9, np.float32(1e-9), d[:, 2])
        at = o[..., :2] + d[:, :2] * cap[:, None]
        cap = np.where(dot(at, at) < r * r, cap, FAR)
        t = np.minimum(side, cap)
        p = o + d * np.where(np.isfinite(t), t, 0)[:, None]
        flat = np.zeros_like(d)
        flat[:, 2] = up
        round_ = normalize(np.concatenate([p[:, :2], np.zeros_like(p[:, 2:])], -1))
        return np.where(t > 0, t, FAR).astype(np.float32), np.where((cap <= side)[:, None], flat, round_)

    def is_blocking(self, points: Array, to: Array) -> np.ndarray:
        t, _ = self.hit_from(points, to)
        return t < 1

    def hit_from(self, points: Array, to: Array) -> tuple[Array, Array]:
        """Return the distances at which the segments from `points` to `to` enter the cylinder, and their directions."""
        o = self.to_own(points)
        d = self.to_own(to) - o
        near, far, _ = _intersect_slabs(o, d, np.asarray(self.half * np.array([0.89, 0.89, 0.97]), np.float32))
        return np.where((near < far) & (far > 1e-4), near, FAR), d

    def outline(self) -> Array:
        ring = np.linspace(0, 2 * np.pi, 28, endpoint=False)
        both = [np.stack([np.cos(ring), np.sin(ring), np.full(28, z)], -1) for z in (-1, 1)]
        return np.asarray((np.concatenate(both) * self.half) @ self.turn.T + self.center, np.float32)


@dataclass(frozen=True, eq=False)
class Capsule(Solid):
    """A cylinder with round ends along its own z axis: half = (radius, radius, half length without the ends)."""

    def _line(self, o: Array, d: Array) -> tuple[Array, Array]:
        """Return the distances of the first hits and their positions along the axis."""
        r, h = self.half[0], self.half[2]
        a = dot(d[:, :2], d[:, :2]) + 1e-12
        b = dot(d[:, :2], o[..., :2])
        root = b * b - a * (dot(o[..., :2], o[..., :2]) - r * r)
        t = (-b - np.sqrt(np.maximum(root, 0))) / a
        z = o[..., 2] + d[:, 2] * t
        end = np.stack([np.zeros_like(z), np.zeros_like(z), np.where(z > 0, h, -h)], -1)
        q = o - end
        dd, qd = dot(d, d), dot(q, d)
        cap_root = qd * qd - dd * (dot(q, q) - r * r)
        cap = np.where(cap_root > 0, (-qd - np.sqrt(np.maximum(cap_root, 0))) / dd, FAR)
        t = np.where(np.abs(z) < h, np.where(root > 0, t, FAR), np.where(root > 0, cap, FAR))
        return np.asarray(t, np.float32), z

    def hit(self, origin: Array, rays: Array) -> tuple[Array, Array]:
        o = self.to_own(origin)
        d = np.asarray(rays @ self.turn, np.float32)
        t, _ = self._line(o, d)
        t = np.where(t > 0, t, FAR)
        p = o + d * np.where(np.isfinite(t), t, 0)[:, None]
        p[:, 2] -= np.clip(p[:, 2], -self.half[2], self.half[2])
        return t.astype(np.float32), normalize(p)

    def is_blocking(self, points: Array, to: Array) -> np.ndarray:
        o = self.to_own(points)
        t, _ = self._line(o, self.to_own(to) - o)
        return (t > 1e-3) & (t < 1)

    def outline(self) -> Array:
        ring = np.linspace(0, 2 * np.pi, 14, endpoint=False)
        c, s, o = np.cos(ring), np.sin(ring), np.zeros(14)
        r, h = self.half[0], self.half[2]
        rows = [np.stack([r * c, r * s, o + z], -1) for z in (-h, h)]
        rows += [np.stack([0.707 * r * c, 0.707 * r * s, o + z], -1) for z in (-h - 0.707 * r, h + 0.707 * r)]
        rows.append(np.array([[0, 0, -h - r], [0, 0, h + r]]))
        return np.asarray(np.concatenate(rows) @ self.turn.T + self.center, np.float32)


def list_shadow_points(solid: Solid) -> Array:
    """Return world points whose hull casts the solid's shadow."""
    return solid.shade_outline() if isinstance(solid, BoxShape) else solid.outline()


def rotate_about(axis: tuple[float, float, float], angle: float) -> Array:
    """Return the rotation by `angle` radians about `axis` (Rodrigues)."""
    x, y, z = np.array(axis) / np.linalg.norm(axis)
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * (k @ k), np.float32)


def make_capsule_between(a: Array, b: Array, radius: float) -> Capsule:
    """Create the capsule between two points, the centres of its round ends."""
    way = normalize(np.asarray(b - a, np.float32))
    side = normalize(np.cross(way, np.array([0.3, 1.0, 0.2], np.float32)))
    turn = np.stack([side, np.cross(way, side), way], 1)
    half = np.array([radius, radius, float(np.linalg.norm(b - a)) / 2], np.float32)
    return Capsule(np.asarray((a + b) / 2, np.float32), np.asarray(turn, np.float32), half)
