"""Scenes drawn by the ray tracer: real shadows, gloss, reflected light, a sensor.

Dice, tables and what is printed on them are those of the other scenes (`styles`, `tables`, `solid_objects`); lamps,
cameras, trays and solids beside the dice are drawn here. Some tables are black, and dice may hide each other, lean and
lie half out of the picture. With the test sets (testset_renderer) these scenes share the physics alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from ray_tracer.camera import Array, CameraPose, aim_camera
from ray_tracer.light import Room, SurfaceMaterial, make_lamp
from ray_tracer.paints import make_paint, make_picture_paint, place_upright
from ray_tracer.scene import FlatSheet, PaintedSolid, RayScene, SurfacePoints, draw_scene, measure_visible_share
from ray_tracer.sensor import Sensor, develop
from ray_tracer.shapes import BoxShape, Cylinder, Ellipsoid, make_capsule_between, normalize, rotate_about
from ray_tracer.textures import compute_placement, srgb_to_linear

from train_dice.appearance import DieAppearance, recolour
from train_dice.clutter import add_clutter
from train_dice.degradation import reduce_resolution
from train_dice.labels import CLEAR, SCENE_SIDE_PX, DieTruth, label_die, list_side_decoys
from train_dice.samples import Spots
from train_dice.scenes import draw_flat_turn, draw_places, list_side_centers
from train_dice.solid_objects import draw_card, draw_number_token, draw_scrap, draw_tag
from train_dice.solids import compute_lean, compute_surface, find_top_face
from train_dice.styles import draw_style
from train_dice.tables import draw_table, random_colour, random_paint

Rng = np.random.Generator

_DARK_TABLE_SHARE = 0.14
"""Share of tables that are as dark as black felt under a lamp that lights only the dice."""

_TRAY_SHARE = 0.3
"""Share of scenes whose dice lie in a tray."""

_MAX_WALL_ROUNDING = 0.3
"""Largest radius of the edges of a tray's walls, in thicknesses of a wall."""

_MIN_LEANING_DISTANCE_EDGES = 1.7
"""Least distance of a leaning die from others: it reaches 0.87 edges from its centre, a flat one 0.71."""

_LEANING_COSINE = 0.9988
"""Below this cosine of the angle between top face and table (3 degrees) a die leans."""


class Tray(NamedTuple):
    """A dice tray around the table's origin.

    Attributes:
        half: half its inner size, in mm.
        yaw: its rotation, in radians.
        floor: height of its floor, in mm.
        depth: height above the floor at which the edges of its walls begin to be round, in mm.
    """

    half: Array
    yaw: float
    floor: float
    depth: float

    @property
    def turn(self) -> Array:
        """Its axes in the world: (3, 3), columns."""
        return rotate_about((0, 0, 1), self.yaw)


@dataclass(frozen=True, eq=False)
class TracedDie:
    """A die at a place. `turn` columns are its axes in the world; `center` (3,) and `edge` are in mm."""

    look: DieAppearance
    edge: float
    turn: Array
    center: Array

    def to_painted_solid(self) -> PaintedSolid:
        half = np.full(3, self.edge / 2, np.float32)
        ball = self.look.ball * self.edge if self.look.ball < 1 else None
        return PaintedSolid(
            BoxShape(self.center, self.turn, half, self.look.rounding * self.edge, ball), self._compute_surface
        )

    def to_world(self, points: Array) -> Array:
        """Convert points (n, 3) in edges, in the die's own axes, to mm in the world."""
        return np.asarray(points * self.edge @ self.turn.T + self.center, np.float32)

    def _compute_surface(self, points: Array, normals: Array, rays: Array) -> SurfacePoints:
        look = self.look
        surface = compute_surface(look, points / self.edge, normals)
        albedo = np.clip(srgb_to_linear(np.clip(surface.albedo, 0, 1)), 0.015, 0.95)
        # The roughness of a microfacet surface whose highlight is as wide as that of Phong's exponent.
        rough = (2 / (look.shine + 2)) ** 0.25
        material = SurfaceMaterial(albedo, rough, 0.02 + 0.03 * look.gloss + 0.5 * look.metal, look.glow)
        openness = 1 - 0.45 * min(1.0, look.dimple) * surface.inside[:, 0]
        return SurfacePoints(material, np.asarray(surface.normal, np.float32), np.asarray(openness, np.float32))


def _draw_camera(rng: Rng, edge: float, unit: float) -> CameraPose:
    tilt = float(
        rng.choice([rng.uniform(0, 0.25), rng.uniform(0.2, 0.65), rng.uniform(0.65, 1.1)], p=[0.35, 0.27, 0.38])
    )
    focal = SCENE_SIDE_PX / 2 / np.tan(rng.uniform(0.14, 0.55))
    distance = max(focal * edge / unit, 110.0)
    focal = unit * distance / edge
    roll = rng.normal(0, 0.15) if tilt > 0.3 and rng.random() < 0.9 else rng.uniform(0, 2 * np.pi)
    return aim_camera(
        (0, 0), distance, tilt, rng.uniform(0, 2 * np.pi), float(roll), focal, (SCENE_SIDE_PX, SCENE_SIDE_PX)
    )


def _draw_sensor(rng: Rng, unit: float, small: bool) -> Sensor:
    """Draw a camera that does not blur or cover with noise the pips of dice of `unit` pixels."""
    return Sensor(
        exposure=float(rng.uniform(0.22, 0.72)),
        gains=tuple(np.exp(rng.normal(0, 0.06, 3)).tolist()),
        blur=min(float(np.exp(rng.uniform(np.log(0.25), np.log(2.0)))), 0.2 + 0.06 * unit),
        noise=min(float(np.exp(rng.uniform(np.log(0.002), np.log(0.04)))), 0.002 * unit),
        vignette=float(rng.uniform(0, 0.4)),
        curve=float(rng.uniform(0, 0.6)),
        saturation=float(rng.uniform(0.7, 1.3)),
        sharpen=float(rng.uniform(-0.4, 1.2)),
        denoise=float(rng.uniform(-0.3, 0.8)),
        fringe=float(rng.choice([0.0, rng.uniform(0, 0.001)])),
        bayer=bool(rng.random() < 0.6),
        quality=int(rng.integers(45, 97)),
        gray=bool(rng.random() < (0.25 if small else 0.08)),
    )


def _draw_room(rng: Rng, floor: Array) -> Room:
    """Draw one to three lamps anywhere above a table of the mean albedo `floor`, small or as large as a window."""
    count = int(rng.integers(1, 4))
    shares = rng.dirichlet(np.ones(count)) * rng.uniform(0.4, 0.9)
    warm = float(rng.normal(0.05, 0.12))
    lamps = []
    for share in shares:
        azimuth, elevation = rng.uniform(0, 2 * np.pi), rng.uniform(0.35, 1.5)
        way = np.array([np.cos(azimuth), np.sin(azimuth), np.tan(elevation)]) * np.cos(elevation)
        distance = float(np.exp(rng.uniform(np.log(450), np.log(3000))))
        size = distance * rng.uniform(0.03, 0.6)
        lamps.append(make_lamp(rng, way * distance, size, float(share), warm + float(rng.normal(0, 0.1)), 24 // count))
    sky = np.exp([-warm / 2, 0, warm / 2]) * max(0.12, 1 - shares.sum())
    above, aside = rng.uniform(0.6, 1.5), rng.uniform(0.2, 1.2)
    lobes = np.abs(rng.normal(0, 1, (5, 3))) * [*rng.choice([-1, 1], 2), 1]
    return Room(
        lamps=tuple(lamps),
        above=np.asarray(sky * above, np.float32),
        aside=np.asarray(sky * aside, np.float32),
        lobes=normalize(lobes),
        glare=rng.exponential(1.2, 5).astype(np.float32),
        floor=np.asarray(floor * rng.uniform(0.4, 1.0), np.float32),
    )


def _draw_sheet(rng: Rng, z: float, half: Array, yaw: float, scale: float, edge: float) -> tuple[FlatSheet, Array]:
    """Draw a table top around the origin, `scale` pixels per mm, with flat things on it: the sheet and their places."""
    w, h = (int(v) for v in np.ceil(2 * half * scale))
    image = draw_table(rng, max(w, h))
    if rng.random() < _DARK_TABLE_SHARE:
        image *= rng.uniform(0.07, 0.3) / max(0.2, float(image.mean()))
    count = int(rng.choice([0, rng.integers(1, 5), rng.integers(4, 14)], p=[0.5, 0.35, 0.15]))
    spots = np.array(add_clutter(image, rng, edge * scale, count), np.float32).reshape(-1, 2)
    albedo = np.clip(srgb_to_linear(image[:h, :w]), 0.004, 0.92)
    place = compute_placement(w, h, scale, (0.0, 0.0), yaw)
    rough, shine = float(rng.uniform(0.25, 0.9)), float(rng.uniform(0.02, 0.05))
    sheet = FlatSheet(z, albedo, place, np.ones((h, w), np.float32) if z else None, rough=rough, shine=shine)
    return sheet, np.column_stack([spots, np.ones(len(spots))]) @ place.T


def _make_tray(rng: Rng, scale: float, edge: float) -> tuple[Tray, list[PaintedSolid], FlatSheet]:
    """Make a dice tray: its walls, and the sheet of its floor with `scale` pixels per mm."""
    half, yaw = rng.uniform(35, 95, 2), float(rng.uniform(0, 6))
    wall, high, floor = rng.uniform(2, 12), float(rng.uniform(8, 24)), float(rng.uniform(0.5, 4))
    paint = make_paint(srgb_to_linear(random_colour(rng, 0.1, 0.9)), float(rng.uniform(0.3, 0.9)))
    tray = Tray(half, yaw, floor, high - floor - _MAX_WALL_ROUNDING * wall)
    walls = []
    for axis, sign in ((0, -1), (0, 1), (1, -1), (1, 1)):
        middle, size = np.zeros(3), half + wall
        middle[axis], size[axis] = sign * (half[axis] + wall / 2), wall / 2
        x, y, _ = tray.turn @ middle
        place = place_upright(float(x), float(y), 0.0, (float(size[0]), float(size[1]), high / 2), yaw)
        radius = float(wall * rng.uniform(0.05, _MAX_WALL_ROUNDING))
        walls.append(PaintedSolid(BoxShape(**place, radius=radius), paint))
    sheet, _ = _draw_sheet(rng, floor, half, yaw, scale, edge)
    return tray, walls, sheet


def _make_object(rng: Rng, x: float, y: float) -> PaintedSolid:
    """Make a ball, a rod, or a token or block with a print on top."""
    size, yaw = float(rng.uniform(3, 12)), float(rng.uniform(0, 2 * np.pi))
    rough, shine = float(rng.uniform(0.12, 0.8)), float(rng.choice([0.04, 0.45], p=[0.8, 0.2]))
    colour = srgb_to_linear(random_colour(rng))
    kind = int(rng.choice(4, p=[0.15, 0.15, 0.35, 0.35]))
    if kind == 0:
        place = place_upright(x, y, 0, (size, size, size * float(rng.uniform(0.7, 1))), yaw)
        return PaintedSolid(Ellipsoid(**place), make_paint(colour, rough, shine))
    if kind == 1:
        way = np.array([np.cos(yaw), np.sin(yaw), 0]) * rng.uniform(10, 70)
        middle = np.array([x, y, size / 2])
        return PaintedSolid(
            make_capsule_between(middle - way, middle + way, size / 2), make_paint(colour, rough, shine)
        )
    face = np.empty((96, 96, 3), np.uint8)
    face[:] = random_paint(rng)
    draw = (draw_card, draw_number_token, draw_scrap, draw_tag)[int(rng.integers(4))]
    draw(face, rng, 48.0, 48.0, 50.0)
    half = (size, size if kind == 2 else size * float(rng.uniform(0.6, 1.4)), size * float(rng.uniform(0.08, 0.9)))
    place = place_upright(x, y, 0, half, yaw)
    solid = Cylinder(**place) if kind == 2 else BoxShape(**place, radius=min(half) * float(rng.uniform(0.05, 0.4)))
    picture = srgb_to_linear(face.astype(np.float32) / 255)
    return PaintedSolid(solid, make_picture_paint(picture, half[:2], colour, rough, shine))


def place_dice(
    rng: Rng, camera: CameraPose, edge: float, count: int, tray: Tray | None, ground: Array | None
) -> list[TracedDie]:
    """Place dice that do not intersect; some touch, some hide others, some lean. `ground`: the colour of all."""
    turn = tray.turn[:2, :2] if tray else np.eye(2)

    def find_place(u: float, v: float) -> Array:
        if tray is None:
            return camera.find_table_point(u * SCENE_SIDE_PX, v * SCENE_SIDE_PX) / edge
        return np.asarray(turn @ (np.array([2 * u - 1, 2 * v - 1]) * (tray.half / edge - 0.75)), np.float32)

    places = draw_places(rng, find_place, count, float(rng.choice([0.1, 0.6])), 0.0 if tray else -0.02)
    one = draw_style(rng) if rng.random() < 0.5 else None
    from_above = camera.axes[2, 2] < -0.95
    # From aside a flat die looks like a leaning one from above: there, few lean. A wall tells which one it is.
    leaning_share = 0.25 if from_above else 0.15 if tray else 0.08
    if rng.random() > (0.6 if tray else 0.3):
        leaning_share = 0.0
    out: list[TracedDie] = []
    for x, y, yaw in places:
        if tray and (np.abs((x, y) @ turn) > tray.half / edge - 0.72).any():
            continue
        look = one or draw_style(rng)
        if ground is not None:
            look = recolour(look, np.clip(ground * rng.uniform(0.85, 1.2), 0.02, 1))
        own = edge if one else edge * float(rng.uniform(0.75, 1))
        axes = draw_flat_turn(rng, yaw)
        center = np.array([x * edge, y * edge, 0.0])
        if rng.random() < leaning_share:
            lean = float(rng.uniform(0.3 if from_above else 0.5, 0.78))
            if tray:
                leaning = lean_on_wall(rng, tray, center, look, own, lean)
            else:
                a = rng.uniform(0, 2 * np.pi)
                leaning = rotate_about((float(np.cos(a)), float(np.sin(a)), 0.0), lean) @ axes, center
            others = [(a * edge, b * edge) for a, b, _ in places if (a, b) != (x, y)] + [die.center[:2] for die in out]
            if leaning and all(
                np.hypot(*(leaning[1][:2] - other)) > _MIN_LEANING_DISTANCE_EDGES * edge for other in others
            ):
                axes, center = leaning
        center[2] = (tray.floor if tray else 0.0) + own * compute_reach(look, axes, np.array([0.0, 0.0, -1.0]))
        out.append(TracedDie(look, own, axes, center.astype(np.float32)))
    return out


def compute_reach(look: DieAppearance, turn: Array, way: Array) -> float:
    """Return how far a die reaches from its centre along the unit vector `way` (3,), in edges; `turn`: its axes."""
    reach = (0.5 - look.rounding) * float(np.abs(turn.T @ way).sum()) + look.rounding
    return min(reach, look.ball) if look.ball < 1 else reach


def lean_on_wall(
    rng: Rng, tray: Tray, center: Array, look: DieAppearance, edge: float, lean: float
) -> tuple[Array, Array] | None:
    """Lean a die against the wall that is nearest to it, as dice come to rest in trays.

    It stands on a whole edge and touches the wall with the next one, or with a corner of it, so its top looks into the
    tray.

    Args:
        center: the die's centre (3,) in the world, in mm.
        edge: its edge, in mm.
        lean: angle between its top and the table, 0 to pi / 4 radians.

    Returns:
        Its axes in the world, (3, 3), columns, and its new centre, z as it was; None: the wall is too low.
    """
    if edge * np.sin(lean) > tray.depth:
        return None
    place = tray.turn.T @ center
    axis = int(np.argmin(tray.half - np.abs(place[:2])))
    outwards = np.zeros(3)
    outwards[axis] = np.copysign(1.0, place[axis])
    along = np.cross(outwards, [0.0, 0.0, 1.0])
    askew = rotate_about((0.0, 0.0, 1.0), float(rng.normal(0, 0.05)))
    axes = askew @ rotate_about((float(along[0]), float(along[1]), 0.0), lean) @ draw_flat_turn(rng, 0.0)
    place[axis] = outwards[axis] * (tray.half[axis] - edge * compute_reach(look, axes, outwards))
    return tray.turn @ axes, tray.turn @ place


def _label_die(camera: CameraPose, die: TracedDie, others: list[PaintedSolid]) -> tuple[DieTruth, Spots]:
    """Return the label of a die and the places of its visible sides."""
    face, corners = find_top_face(die.turn)
    top = die.to_world(corners)
    left = measure_visible_share(camera, top, others)
    lean = compute_lean(camera.position, camera.axes, die.center, die.turn)
    leaning = bool(np.abs(die.turn[2]).max() < _LEANING_COSINE)
    truth = label_die(camera.project(top), die.look.faces[face], left, lean, leaning=leaning)
    if truth.state != CLEAR:
        return truth, []
    sides = die.to_world(np.array(list_side_centers(face // 2)))
    return truth, list_side_decoys(truth, camera.project(sides))


def _degrade(image: np.ndarray, rng: Rng, quality: int, unit: float) -> np.ndarray:
    """Degrade a picture as files and programs do."""
    if rng.random() < 0.12:
        coarse = reduce_resolution(image.astype(np.float32), rng, min(1.0, rng.uniform(10, 24) / unit))
        image = np.clip(coarse, 0, 255).astype(np.uint8)
    if rng.random() < 0.75:
        image = cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR)
    return image


def render_scene(seed: int, *, small: bool = False) -> tuple[np.ndarray, list[DieTruth], Spots]:
    """Render one scene, see `scenes.render_scene`."""
    rng = np.random.default_rng([177, seed])
    edge = float(rng.uniform(10, 20))
    unit = float(np.exp(rng.uniform(np.log(13), np.log(40 if small else 120))))
    camera = _draw_camera(rng, edge, unit)
    corners = np.array([camera.find_table_point(x, y) for x in (0, SCENE_SIDE_PX) for y in (0, SCENE_SIDE_PX)])
    half = np.full(2, min(1.1 * float(np.abs(corners).max()), 2000))
    scale = float(np.clip(1.3 * SCENE_SIDE_PX / np.linalg.norm(corners[0] - corners[-1]), 200 / half[0], 700 / half[0]))
    sheet, spots = _draw_sheet(rng, 0.0, half, float(rng.uniform(0, 2 * np.pi)), scale, edge)
    floor = sheet.albedo.mean((0, 1))
    room = (SCENE_SIDE_PX / unit) ** 2
    sheets, objects, tray = [sheet], [], None
    count = 0 if rng.random() < 0.05 else int(min(rng.integers(2, 11), max(2, room / 5)))
    if rng.random() < _TRAY_SHARE:
        tray, objects, inner = _make_tray(rng, float(np.clip(unit / edge, 1.5, 6)), edge)
        sheets.append(inner)
        count = int(min(rng.integers(4, 23), max(2, room / 5)))
    ground = sheets[-1].albedo.mean((0, 1)) ** (1 / 2.2) if rng.random() < 0.08 else None
    dice = place_dice(rng, camera, edge, count, tray, ground)
    mine = [die.to_painted_solid() for die in dice]
    for _ in range(int(rng.choice([0, 3, 6, 12])) if tray is None else 0):
        x, y, _ = camera.find_table_point(*(rng.uniform(-0.05, 1.05, 2) * SCENE_SIDE_PX))
        one = _make_object(rng, float(x), float(y))
        reach = float(np.linalg.norm(one.solid.half))
        if all(np.hypot(*(one.solid.center - d.center)[:2]) > reach + d.edge * 0.75 for d in dice):
            objects.append(one)
    light, _ = draw_scene(RayScene(_draw_room(rng, floor), tuple(sheets), (*mine, *objects)), camera, 2)
    sensor = _draw_sensor(rng, unit, small)
    places = np.array([one.solid.center for one in objects] + [(x, y, 0.0) for x, y in spots])
    truths: list[DieTruth] = []
    decoys: Spots = [(float(x), float(y), unit) for x, y in camera.project(places)]
    for die, own in zip(dice, mine, strict=True):
        truth, sides = _label_die(camera, die, [one for one in (*mine, *objects) if one is not own])
        truths.append(truth)
        decoys += sides
    return _degrade(develop(light, sensor, rng), rng, sensor.quality, unit), truths, decoys
