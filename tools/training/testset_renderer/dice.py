"""Dice with engraved or painted pips: their appearance, and their poses.

Faces: +z 1, -z 6 and so on, in either of the two handednesses that are sold; opposite faces add up to 7.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from ray_tracer.camera import Array
from ray_tracer.light import SurfaceMaterial
from ray_tracer.scene import PaintedSolid, SurfacePoints
from ray_tracer.shapes import BoxShape, dot, normalize, rotate_about
from ray_tracer.textures import make_spectral_noise

from testset_renderer.surfaces import random_tint

Rng = np.random.Generator

_PIP_GRID: dict[int, list[tuple[int, int]]] = {
    1: [(0, 0)],
    2: [(-1, 1), (1, -1)],
    3: [(-1, 1), (0, 0), (1, -1)],
    4: [(-1, 1), (1, -1), (-1, -1), (1, 1)],
    5: [(-1, 1), (1, -1), (-1, -1), (1, 1), (0, 0)],
    6: [(-1, 1), (1, -1), (-1, -1), (1, 1), (-1, 0), (1, 0)],
}


@dataclass(frozen=True, eq=False)
class DieMake:
    """A kind of die. Lengths in mm.

    `faces` (6,) are the values on +x, -x, +y, -y, +z, -z; `turned` (6,) whether the face's pips are turned by a
    quarter; `spread` the pip distance over the edge; `bowl` the depth of a pip over its radius.
    """

    edge: float
    radius: float
    ball: float | None
    faces: tuple[int, ...]
    turned: tuple[bool, ...]
    pip: float
    ace: float
    spread: float
    bowl: float
    body: Array
    ink: Array
    ace_ink: Array
    rough: float
    shine: float
    soft: float
    marble: Array
    marbling: float
    noise: Array
    bare: float

    def list_pips(self, face: int) -> Array:
        """Return the centres (n, 2) of a face's pips in its own two axes, in mm."""
        at = np.array(_PIP_GRID[self.faces[face]], np.float32) * self.spread * self.edge
        return at[:, ::-1] * np.array([1, -1]) if self.turned[face] else at


def random_make(rng: Rng, edge: float, body: Array | None = None) -> DieMake:
    """Draw a random kind of die; its pips contrast with its body."""
    values = [1, 2, 3] if rng.random() < 0.5 else [1, 3, 2]
    values = [v if rng.random() < 0.5 else 7 - v for v in values] if rng.random() < 0.1 else values
    faces = (values[1], 7 - values[1], values[2], 7 - values[2], values[0], 7 - values[0])
    dark_ink = random_tint(rng, None, rng.uniform(0, 0.15), rng.uniform(0.03, 0.2))
    light_ink = random_tint(rng, 0.12, rng.uniform(0, 0.1), rng.uniform(0.8, 0.97))
    kind = rng.random()
    if body is not None:
        ink = light_ink if float(body.mean()) < 0.25 else dark_ink
    elif kind < 0.42:  # white, ivory, bone
        body = random_tint(
            rng, rng.uniform(0.08, 0.16), rng.choice([0.02, rng.uniform(0, 0.35)]), rng.uniform(0.78, 0.96)
        )
        ink = (
            dark_ink
            if rng.random() < 0.85
            else random_tint(rng, rng.choice([0, 0.62, 0.36]), 0.85, rng.uniform(0.3, 0.6))
        )
    elif kind < 0.58:  # black, grey
        body = random_tint(rng, None, rng.uniform(0, 0.2), rng.uniform(0.06, 0.3))
        ink = light_ink if rng.random() < 0.85 else random_tint(rng, rng.choice([0.13, 0.0, 0.35]), 0.8, 0.85)
    elif kind < 0.94:
        body = random_tint(rng, rng.random(), rng.uniform(0.5, 0.95), rng.uniform(0.3, 0.9))
        pale = float(body @ np.array([0.11, 0.59, 0.3])) > rng.uniform(0.2, 0.4)
        ink = dark_ink if pale else light_ink
    else:  # wood
        body = random_tint(rng, rng.uniform(0.05, 0.1), rng.uniform(0.35, 0.65), rng.uniform(0.5, 0.85))
        ink = random_tint(rng, 0.07, 0.4, rng.uniform(0.05, 0.2))
    ace = rng.random() < 0.12 and float(body.mean()) > 0.4
    rounding = float(rng.choice([rng.uniform(0.015, 0.06), rng.uniform(0.05, 0.17)]))
    pip = float(rng.uniform(0.075, 0.118))
    return DieMake(
        edge=edge,
        radius=max(0.01, rounding) * edge,
        ball=float(rng.uniform(0.66, 0.8)) * edge if rng.random() < 0.4 else None,
        faces=faces,
        turned=tuple(bool(b) for b in rng.integers(0, 2, 6)),
        pip=pip * edge,
        ace=(pip * (rng.uniform(1.3, 1.9) if ace else rng.choice([1.0, rng.uniform(1.0, 1.4)]))) * edge,
        spread=float(rng.uniform(0.215, 0.27)),
        bowl=float(rng.choice([rng.uniform(0.25, 0.6), rng.uniform(0.5, 0.95), 0.02], p=[0.5, 0.35, 0.15])),
        body=np.asarray(body, np.float32),
        ink=np.asarray(ink, np.float32),
        ace_ink=random_tint(rng, 0.0, 0.85, 0.65) if ace else np.asarray(ink, np.float32),
        rough=float(rng.choice([rng.uniform(0.12, 0.35), rng.uniform(0.3, 0.7)])),
        shine=float(rng.uniform(0.03, 0.055)),
        soft=float(rng.choice([0.0, rng.uniform(0, 0.35)])),
        marble=random_tint(rng, None, rng.uniform(0, 0.6), rng.uniform(0.4, 1.0)),
        marbling=float(rng.uniform(0.1, 0.6)) if rng.random() < 0.1 else 0.0,
        noise=make_spectral_noise(rng, (128, 128), float(rng.uniform(1.2, 2.0))),
        bare=float(rng.uniform(0.1, 0.6)) if rng.random() < 0.08 else 0.0,
    )


def paint_die(make: DieMake, points: Array, normals: Array, rays: Array) -> SurfacePoints:
    """Compute the surface of a die where rays hit its rounded body; within a pip that of the pip's bowl."""
    axis = np.abs(points).argmax(-1)
    rows = np.arange(len(points))
    sign = np.sign(points[rows, axis])
    face = axis * 2 + (sign < 0)
    across = np.array([[1, 2], [2, 0], [0, 1]])[axis]
    flat = np.stack([points[rows, across[:, 0]], points[rows, across[:, 1]] * sign], -1)
    grain = _sample_noise(make.noise, points / make.edge)
    albedo = make.body * (1 + 0.015 * grain)[:, None]
    if make.marbling:
        albedo = albedo + (make.marble - albedo) * (make.marbling * np.clip(0.3 + 0.7 * grain, 0, 1))[:, None]
    normals = normalize(normals + 0.008 * make.noise[(rows * 7) % 128, (rows * 3) % 128][:, None])
    rough = np.full(len(points), make.rough, np.float32)
    open_ = np.ones(len(points), np.float32)
    for number in range(6):
        here = np.flatnonzero(face == number)
        if not len(here):
            continue
        value = make.faces[number]
        size = make.ace if value == 1 else make.pip
        ink = make.ace_ink if value == 1 else make.ink
        for middle in make.list_pips(number):
            away = flat[here] - middle
            far = np.hypot(away[:, 0], away[:, 1])
            within, rim = here[far < size], here[(far >= size) & (far < size * 1.12)]
            open_[rim] *= 0.93
            if not len(within):
                continue
            a, s = number // 2, -1.0 if number % 2 else 1.0
            deep = make.bowl * size
            ball = (size**2 + deep**2) / (2 * deep)
            center = np.zeros(3, np.float32)
            center[a] = s * (make.edge / 2 - deep + ball)
            center[across[within[0], 0]], center[across[within[0], 1]] = middle[0], middle[1] * s
            o = points[within] - center
            d = normalize(rays[within])
            b = dot(o, d)
            t = -b + np.sqrt(np.maximum(b * b - dot(o, o) + ball * ball, 0))
            normals[within] = normalize(-(o + d * t[:, None]))
            below = np.clip((make.edge / 2 - s * (points[within] + d * t[:, None])[:, a]) / deep, 0, 1)
            open_[within] *= 1 - (0.45 * below + 0.1) * min(1.0, make.bowl)
            worn = np.clip(grain[within] * make.bare, 0, 1)[:, None]
            albedo[within] = ink + (make.body - ink) * worn
            rough[within] = 0.45
    stuff = SurfaceMaterial(np.clip(albedo, 0.002, 0.95), rough, make.shine, make.soft)
    return SurfacePoints(stuff, np.asarray(normals, np.float32), open_)


def _sample_noise(noise: Array, points: Array) -> Array:
    """Sample noise (128, 128), wrapped around, at points (n, 3)."""
    i = (np.abs(points[:, [0, 1, 2]] * 60 + points[:, [2, 0, 1]] * 31).astype(np.int32)) % 128
    return np.asarray((noise[i[:, 0], i[:, 1]] + noise[i[:, 1], i[:, 2]]) * 0.7, np.float32)


@dataclass(frozen=True, eq=False)
class LyingDie:
    """A die at a place: `turn` columns are its axes in the world, `center` (3,) in mm."""

    make: DieMake
    turn: Array
    center: Array

    def to_painted_solid(self, name: int) -> PaintedSolid:
        half = np.full(3, self.make.edge / 2, np.float32)
        solid = BoxShape(np.asarray(self.center, np.float32), self.turn, half, self.make.radius, self.make.ball)
        return PaintedSolid(solid, lambda p, n, r: paint_die(self.make, p, n, r), name)

    def _up(self) -> tuple[int, int, float]:
        a = int(np.abs(self.turn[2]).argmax())
        return a, 1 if self.turn[2, a] > 0 else -1, float(abs(self.turn[2, a]))

    @property
    def value(self) -> int:
        """Value of the uppermost face."""
        a, sign, _ = self._up()
        return self.make.faces[a * 2 + (sign < 0)]

    @property
    def tilt(self) -> float:
        """Angle between that face and the horizontal, in radians."""
        return float(np.arccos(min(1.0, self._up()[2])))

    def list_top_corners(self, part: float = 1.0) -> Array:
        """Return the world corners (4, 3) of the upper face, or of its middle `part`."""
        a, sign, _ = self._up()
        half = self.make.edge / 2
        normal, u, v = (self.turn[:, i] for i in (a, (a + 1) % 3, (a + 2) % 3))
        middle = self.center + sign * normal * half
        return np.asarray([middle + half * part * (i * u + j * v) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))])

    def sample_top(self) -> tuple[Array, Array]:
        """Return world points in the upper face's pips (n, 3), and on the face between them."""
        a, sign, _ = self._up()
        make, face = self.make, a * 2 + (sign < 0)
        pips = make.list_pips(face)
        grid = np.stack(np.meshgrid(*[np.linspace(-0.36, 0.36, 9) * make.edge] * 2), -1).reshape(-1, 2)
        size = make.ace if make.faces[face] == 1 else make.pip
        far = np.min([np.hypot(*(grid - p).T) for p in pips], 0) > size * 1.25
        u, v = self.turn[:, (a + 1) % 3], self.turn[:, (a + 2) % 3]
        middle = self.center + sign * self.turn[:, a] * make.edge / 2

        def world(flat: Array) -> Array:
            return np.asarray(middle + flat[:, :1] * u + flat[:, 1:] * v * sign, np.float32)

        return world(pips), world(grid[far] if far.any() else grid)

    def list_corners(self) -> Array:
        """World corners (8, 3) of the die as if its edges were sharp."""
        return self.to_painted_solid(0).solid.outline()


def random_flat_turn(rng: Rng, yaw: float) -> Array:
    """A die's axes, any face up, turned by `yaw` about the vertical."""
    turn = rotate_about((0, 0, 1), yaw)
    for _ in range(3):
        axis = np.eye(3)[int(rng.integers(3))]
        turn = turn @ rotate_about((axis[0], axis[1], axis[2]), float(rng.integers(4)) * np.pi / 2)
    return np.asarray(turn, np.float32)


def make_resting_die(rng: Rng, make: DieMake, x: float, y: float, yaw: float, z: float = 0.0) -> LyingDie:
    """A die flat at (x, y) on the height `z`."""
    return LyingDie(make, random_flat_turn(rng, yaw), np.array([x, y, z + make.edge / 2], np.float32))


def find_touching_place(
    rng: Rng, by: LyingDie, make: DieMake, turn: float, gap: float, slide: float
) -> tuple[float, float, float]:
    """Where (x, y, yaw) a die of `make` lies at a side of another, a little turned against it (deviation, radians), up
    to `gap` of their edges apart, and slid along it by up to `slide` of its edge."""
    side = by.turn[:, int(np.abs(by.turn[2]).argsort()[0])] * rng.choice([-1, 1])
    across = np.array([-side[1], side[0]])
    yaw = float(np.arctan2(side[1], side[0])) + rng.normal(0, turn)
    away = (by.make.edge + make.edge) / 2 * rng.uniform(1.006, gap)
    x, y = by.center[:2] + side[:2] * away + across * rng.uniform(-slide, slide) * make.edge
    return float(x), float(y), float(yaw)


def list_painted_dice(dice: list[LyingDie]) -> tuple[PaintedSolid, ...]:
    """The dice as things, named 101, 102, ..."""
    return tuple(d.to_painted_solid(101 + i) for i, d in enumerate(dice))
