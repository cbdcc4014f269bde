"""Rounded dice drawn by sphere tracing: one camera, one light, any pose.

Lengths are in die edges; the table is the plane z = 0. Images are float32 BGR in 0..1.
Sphere tracing: J. C. Hart, "Sphere tracing", The Visual Computer 12 (1996).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float32]

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


@dataclass(frozen=True)
class DieAppearance:
    """Appearance of a die. Colours are BGR in 0..1; `faces` are the values of +x, -x, +y, -y, +z, -z.

    `four`: its pips have the colour of the one's, as in East Asia. `vein`: a second colour mixed into the body along
    `waves`, (3, 3). `ghost`: visibility of the pips behind. `ring`: darkness of a ring around a pip. `metal`: share of
    the room that it mirrors. `worn`: paint lost from pips. `chafed`: paleness of the edges. `inlay`: share of a pip's
    radius that has the colour `inlaid`: a disc in another colour, or a ring if that is the body's. `corners`: shape of
    the pips: 0 round, 4 square, others stars. `tones`: colours of the six faces, (6, 3). `glitter`: strength of sparks
    in the body. `prints`: what is printed on each face in the colour `ink`, (faces, cells, cells), 0 to 1;
    `without_pips`: values whose face has prints instead of pips. `sides`: outward unit normals of another solid than a
    cube, (n, 3); its faces have prints alone. `layers`: colours of the body, (n, 3), one after the other along
    `layer_axis`, (3,), whose length is their number in an edge; `blended`: each passes into the next. `speckle`:
    strength of dull grains in the body, below 0 dark ones. `face_pips`: colours of the pips of the six faces, (6, 3).
    `pip_offsets`: how far each pip is off its place, in edges, (6, 6, 2). `pip_ratio`: a pip's length over its breadth.
    """

    faces: tuple[int, int, int, int, int, int]
    body: Array
    pip: Array
    one: Array
    rounding: float
    ball: float
    pip_radius: float
    spread: float
    six_spread: float
    one_scale: float
    dimple: float
    gloss: float
    shine: float
    glow: float
    marble: float
    flips: tuple[bool, ...]
    blank: bool = False
    four: bool = False
    vein: Array | None = None
    waves: Array | None = None
    ghost: float = 0.0
    ring: float = 0.0
    metal: float = 0.0
    worn: float = 0.0
    chafed: float = 0.0
    inlay: float = 0.0
    inlaid: Array | None = None
    corners: int = 0
    tones: Array | None = None
    glitter: float = 0.0
    prints: Array | None = None
    ink: Array | None = None
    without_pips: tuple[int, ...] = ()
    sides: Array | None = None
    layers: Array | None = None
    layer_axis: Array | None = None
    blended: bool = False
    speckle: float = 0.0
    face_pips: Array | None = None
    pip_offsets: Array | None = None
    pip_ratio: float = 1.0


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


def random_appearance(rng: np.random.Generator) -> DieAppearance:
    """Draw a random appearance; the pips contrast with the body."""
    a, b, c = rng.permutation(3) + 1
    pairs = [v if rng.random() < 0.5 else 7 - v for v in (int(a), int(b), int(c))]
    faces = (pairs[0], 7 - pairs[0], pairs[1], 7 - pairs[1], pairs[2], 7 - pairs[2])
    kind = rng.random()
    while True:
        if kind < 0.4:
            body = rng.uniform(0.72, 1.0) * (1 - rng.uniform(0, 0.3) * np.array([1, 0.45, 0.1]) * rng.random())
            pip = np.full(3, rng.uniform(0, 0.2)) if rng.random() < 0.8 else rng.random(3)
        elif kind < 0.55:
            body = np.full(3, rng.uniform(0.01, 0.3)) + rng.uniform(0, 0.06, 3)
            pip = np.full(3, rng.uniform(0.45, 1.0)) if rng.random() < 0.8 else rng.random(3)
        elif kind < 0.62:
            body = np.full(3, rng.uniform(0.25, 0.7)) + rng.uniform(-0.04, 0.04, 3)
            pip = np.full(3, rng.choice([rng.uniform(0, 0.2), rng.uniform(0.75, 1.0)]))
        else:
            body = draw_bright_colour(rng, 0.25)
            pick = rng.random()
            gray = rng.uniform(0.8, 1.0) if pick < 0.5 else rng.uniform(0, 0.2)
            pip = np.full(3, gray) if pick < 0.7 else draw_bright_colour(rng, 0.3)
        if compare_colours(body, pip) > rng.choice([22.0, 34.0, 50.0]):
            break
    one = rng.random(3) if rng.random() < 0.06 else pip
    if compare_colours(body, one) < 30:
        one = pip
    sphere = rng.random() < 0.45
    spread, six_spread = rng.uniform(0.165, 0.285), rng.uniform(0.88, 1.1)
    return DieAppearance(
        faces=faces,
        body=body.astype(np.float32),
        pip=pip.astype(np.float32),
        one=one.astype(np.float32),
        rounding=float(rng.uniform(0.008, 0.12) if sphere else rng.uniform(0.008, 0.22)),
        ball=float(rng.uniform(0.64, 0.76) if sphere else 2.0),
        pip_radius=float(rng.uniform(0.055, min(0.138, 0.49 * spread * min(1, six_spread)))),
        spread=float(spread),
        six_spread=float(six_spread),
        one_scale=float(rng.uniform(0.95, 1.25) if rng.random() < 0.8 else rng.uniform(1.25, 2.0)),
        dimple=float(rng.uniform(0, 0.9) if rng.random() < 0.7 else 0.0),
        gloss=float(rng.uniform(0, 1.0) ** 2),
        shine=float(np.exp(rng.uniform(2.0, 5.5))),
        glow=float(rng.uniform(0.1, 0.6) if rng.random() < 0.2 else 0.0),
        marble=float(rng.uniform(0.05, 0.3) if rng.random() < 0.15 else 0.0),
        flips=tuple(bool(v) for v in rng.random(6) < 0.5),
        blank=False,
        **_draw_rare_properties(rng, body),
    )


def _draw_rare_properties(rng: np.random.Generator, body: Array) -> dict[str, Any]:
    """Draw rare properties: swirls, transparent bodies, metal, wear."""
    swirl = rng.random() < 0.25
    other = draw_bright_colour(rng, 0.15) if rng.random() < 0.3 else np.clip(body * rng.uniform(0.35, 1.8), 0, 1)
    return {
        "four": bool(rng.random() < 0.4),
        "vein": np.asarray(body + (other - body) * rng.uniform(0.2, 0.9), np.float32) if swirl else None,
        "waves": rng.normal(0, rng.uniform(3, 14), (3, 3)).astype(np.float32) if swirl else None,
        "ghost": float(rng.uniform(0.05, 0.35) if rng.random() < 0.12 else 0.0),
        "ring": float(rng.uniform(0.2, 0.8) if rng.random() < 0.08 else 0.0),
        "metal": float(rng.uniform(0.3, 1.0) if rng.random() < 0.06 else 0.0),
        "worn": float(rng.uniform(0.1, 0.8) if rng.random() < 0.12 else 0.0),
        "chafed": float(rng.uniform(0.1, 0.5) if rng.random() < 0.12 else 0.0),
    }


def draw_bright_colour(rng: np.random.Generator, least: float) -> Array:
    """Draw a colour of any hue with at least this brightness."""
    hsv = np.array([[[rng.uniform(0, 360), rng.uniform(0.3, 1.0), rng.uniform(least, 1.0)]]], np.float32)
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0], np.float32)


def compare_colours(one: Array, other: Array) -> float:
    """Return the perceived difference of two colours (CIE 1976 L*a*b*, lightness counts most)."""
    pair = np.clip(np.array([[one, other]], np.float32), 0, 1)
    lab = cv2.cvtColor(pair, cv2.COLOR_BGR2LAB)[0]
    return float(np.linalg.norm((lab[0] - lab[1]) * np.array([1.0, 0.6, 0.6])))


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


def recolour(look: DieAppearance, body: Array) -> DieAppearance:
    """Return the die in another colour; pips that would not contrast become dark or light."""
    pip, one = look.pip, look.one
    gray = 0.05 if float(body.mean()) > 0.45 else 0.95
    pip = pip if compare_colours(body, pip) > 40 else np.full(3, gray, np.float32)
    one = one if compare_colours(body, one) > 40 else pip
    return replace(look, body=np.asarray(body, np.float32), pip=pip, one=one, layers=None, face_pips=None)


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
