"""Single pictures of dice: any dice on any ground beside any objects, from above or at an angle; some without dice."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from ray_tracer.camera import Array, CameraPose, aim_camera
from ray_tracer.paints import make_paint, place_upright
from ray_tracer.scene import FlatSheet, PaintedSolid, RayScene, draw_scene, measure_visible_share
from ray_tracer.sensor import develop
from ray_tracer.shapes import BoxShape

from testset_renderer import clutter
from testset_renderer.dice import (
    DieMake,
    LyingDie,
    find_touching_place,
    list_painted_dice,
    make_resting_die,
    random_make,
)
from testset_renderer.rooms import random_room
from testset_renderer.sensors import random_sensor
from testset_renderer.surfaces import make_ground

Rng = np.random.Generator

SIZES = ((640, 480), (480, 640), (1280, 720), (1024, 768), (416, 416), (800, 600), (600, 800), (720, 960))
MIN_EDGE_PX, MAX_EDGE_PX = 12.0, 400.0
"""Bounds of a top face's edge in pixels."""


@dataclass(frozen=True, eq=False)
class LabelledPicture:
    """A picture (h, w, 3) uint8 with its dice: (x0, y0, x1, y1, value) around each top face.

    `view` is the column of labels.csv; `quality` that of the JPEG.
    """

    image: np.ndarray
    boxes: tuple[tuple[float, float, float, float, int], ...]
    view: str
    quality: int


def measure_edge_px(camera: CameraPose, die: LyingDie) -> float:
    """Return the edge in pixels of a square with the area of the top face in the picture."""
    return float(cv2.contourArea(camera.project(die.list_top_corners()))) ** 0.5


def is_in_view(camera: CameraPose, die: LyingDie, others: list[PaintedSolid], margin: float = 3.0) -> bool:
    """Return whether the whole top face is in the frame and nothing hides any of it."""
    corners = camera.project(die.list_corners())
    w, h = camera.size
    if (corners < margin).any() or (corners > np.array([w, h]) - 1 - margin).any():
        return False
    return measure_clear_share(camera, die, others) == 1.0


def measure_clear_share(camera: CameraPose, die: LyingDie, others: list[PaintedSolid]) -> float:
    """Return the share of the top face that no other solid hides."""
    return measure_visible_share(camera, die.list_top_corners(1.04), others)


def _camera(rng: Rng, edge: float) -> tuple[CameraPose, str, float]:
    """A camera, the view's name, and about how many pixels the edge of a die takes."""
    w, h = SIZES[int(rng.integers(len(SIZES)))]
    pixels = float(np.exp(rng.uniform(np.log(15), np.log(min(390, 0.45 * min(w, h))))))
    if rng.random() < 0.6:
        pixels = float(np.exp(rng.uniform(np.log(20), np.log(90))))
    focal = max(w, h) * rng.uniform(0.75, 1.4)
    distance = max(focal * edge / pixels, 110.0)
    overhead = rng.random() < 0.5
    tilt = rng.uniform(0, 0.28) if overhead else rng.uniform(0.28, 0.95)
    focal = pixels * distance / edge
    camera = aim_camera((0, 0), distance, tilt, rng.uniform(0, 6.3), rng.normal(0, 0.15), focal, (w, h))
    return camera, "overhead" if overhead else "angled", pixels


def _spot(rng: Rng, camera: CameraPose, z: float = 0.0, margin: float = 0.04) -> Array:
    w, h = camera.size
    return camera.find_table_point(rng.uniform(margin, 1 - margin) * w, rng.uniform(margin, 1 - margin) * h, z)


def is_overlapping(a: LyingDie, others: list[LyingDie]) -> bool:
    """Whether it stands in one of the others, seen from above."""

    def rectangle(d: LyingDie) -> tuple[tuple[float, float], tuple[float, float], float]:
        side = d.turn[:, int(np.abs(d.turn[2]).argsort()[0])]
        e = d.make.edge * 1.005
        return (float(d.center[0]), float(d.center[1])), (e, e), float(np.degrees(np.arctan2(side[1], side[0])))

    mine = rectangle(a)
    return any(cv2.rotatedRectangleIntersection(mine, rectangle(b))[0] != cv2.INTERSECT_NONE for b in others)


def _lay_dice(
    rng: Rng, camera: CameraPose, makes: list[DieMake], z: float, limit: tuple[float, float, float] | None
) -> list[LyingDie]:
    """Dice at rest, none hidden; some touch. `limit` is the tray: half its inner size each way, and its turn."""
    out: list[LyingDie] = []
    often = rng.choice([0.0, 0.15, 0.7], p=[0.5, 0.3, 0.2])
    rows = rng.random() < 0.08
    yaw0 = rng.uniform(0, 6)
    for make in makes:
        for _ in range(25):
            yaw = yaw0 + rng.normal(0, 0.03) if rows else float(rng.uniform(0, 6.3))
            if out and rng.random() < often:
                by = out[int(rng.integers(len(out)))]
                x, y, yaw = find_touching_place(rng, by, make, 0.02, 1.06, 0.7)
            elif limit:
                c, s = np.cos(limit[2]), np.sin(limit[2])
                u, v = rng.uniform(-1, 1, 2) * (np.array(limit[:2]) - make.edge * 0.75)
                x, y = c * u - s * v, s * u + c * v
            else:
                x, y, _ = _spot(rng, camera)
            die = make_resting_die(rng, make, float(x), float(y), yaw, z)
            if limit:
                c, s = np.cos(limit[2]), np.sin(limit[2])
                u, v = c * x + s * y, c * y - s * x
                if abs(u) > limit[0] - make.edge * 0.72 or abs(v) > limit[1] - make.edge * 0.72:
                    continue
            if is_overlapping(die, out) or not MIN_EDGE_PX <= measure_edge_px(camera, die) <= MAX_EDGE_PX:
                continue
            both = [*out, die]
            objects = list_painted_dice(both)
            if all(is_in_view(camera, d, [t for t in objects if t.name != 101 + i]) for i, d in enumerate(both)):
                out.append(die)
                break
    return out


def _is_clear_of(one: PaintedSolid, taken: list[PaintedSolid], gap: float) -> bool:
    """Return whether a solid stands clear of others, by circles around them."""
    c, r = one.solid.center[:2], float(np.hypot(*one.solid.half[:2]))
    if one.solid.half[2] > max(one.solid.half[:2]):
        r = float(one.solid.half[2]) + 8
    return all(np.hypot(*(c - t.solid.center[:2])) > r + float(np.hypot(*t.solid.half[:2])) + gap for t in taken)


def measure_contrast(image: np.ndarray, camera: CameraPose, die: LyingDie) -> float:
    """Return the distance in CIELAB between the medians of the upper face's pips and of its body."""
    lab = cv2.cvtColor(image.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    pips, body = die.sample_top()
    inside = [cv2.remap(lab, camera.project(p)[None], None, cv2.INTER_LINEAR)[0] for p in (pips, body)]
    return float(np.linalg.norm(np.median(inside[0], 0) - np.median(inside[1], 0)))


MIN_PIP_CONTRAST = 14.0
"""Least contrast between pips and body; below it people hardly see the pips."""


def render_picture(seed: int) -> LabelledPicture:
    """Render the picture of a seed; if people could not read a die in it, draw another one of the same seed."""
    for attempt in range(6):
        made, worst = _render_once(np.random.default_rng([77, seed, attempt]))
        if worst >= MIN_PIP_CONTRAST:
            break
    return made


def _render_once(rng: Rng) -> tuple[LabelledPicture, float]:
    """Render a picture and return it with the least contrast of a die's pips in it."""
    edge = float(rng.choice([16.0, rng.uniform(10, 20), 12.0]))
    camera, view, pixels = _camera(rng, edge)
    w, h = camera.size
    across = float(np.linalg.norm(camera.find_table_point(0, 0) - camera.find_table_point(w, h)))
    reach = 2.2 * max(float(np.abs(camera.find_table_point(x, y)[:2]).max()) for x in (0, w) for y in (0, h))
    albedo, place = make_ground(rng, min(reach, 4000), int(np.clip(1.3 * max(w, h) * reach / across, 500, 2600)))
    sheets = [FlatSheet(0.0, albedo, place, rough=float(rng.uniform(0.25, 0.9)), shine=float(rng.uniform(0.02, 0.05)))]
    count = int(rng.choice([0, 1, 2, 3, 4, 5, 6, 9, 14], p=[0.09, 0.2, 0.22, 0.13, 0.1, 0.08, 0.08, 0.06, 0.04]))
    makes: list[DieMake] = []
    for _ in range(count):
        same = makes and rng.random() < 0.6
        body = albedo.mean((0, 1)) * rng.uniform(0.8, 1.3) if rng.random() < 0.06 else None
        makes.append(makes[0] if same else random_make(rng, edge * rng.choice([1.0, rng.uniform(0.8, 1.2)]), body))
    objects: list[PaintedSolid] = []
    floor, limit = 0.0, None
    if rng.random() < 0.18:
        inner = (float(rng.uniform(50, 95)), float(rng.uniform(50, 95)))
        yaw = float(rng.uniform(0, 6))
        walls, sheet, floor = clutter.make_tray(rng, 0.0, 0.0, inner, yaw, pixels / edge)
        objects += walls
        sheets.append(sheet)
        limit = (*inner, yaw)
    dice = _lay_dice(rng, camera, makes, floor, limit)
    mine = list(list_painted_dice(dice))
    if limit is None and rng.random() < 0.5:
        sheets += [
            clutter.make_printed_sheet(rng, *map(float, _spot(rng, camera)[:2])) for _ in range(int(rng.integers(0, 3)))
        ]
    for _ in range(int(rng.choice([0, 1, 2, 4, 8])) if dice or rng.random() < 0.3 else int(rng.integers(3, 9))):
        make = (
            clutter.CLUTTER_MAKERS[int(rng.integers(len(clutter.CLUTTER_MAKERS)))]
            if rng.random() < 0.95
            else clutter.make_cable
        )
        some = make(rng, *map(float, _spot(rng, camera, margin=-0.05)[:2]))
        if all(_is_clear_of(t, mine + objects, 1.5) for t in some) and not limit:
            far = all(measure_clear_share(camera, d, some) == 1.0 for d in dice)
            objects += some if far else []
    if rng.random() < 0.15:  # an arm or a phone between lamp and table
        x, y, _ = _spot(rng, camera)
        half = (float(rng.uniform(30, 150)), float(rng.uniform(20, 60)), 5.0)
        solid = BoxShape(
            **place_upright(float(x), float(y), float(rng.uniform(150, 400)), half, float(rng.uniform(0, 6)))
        )
        objects.append(PaintedSolid(solid, make_paint(np.full(3, 0.1, np.float32)), visible=False))
    room = random_room(rng, albedo.mean((0, 1)), 16 if w * h > 500_000 else 25)
    smallest = min((measure_edge_px(camera, d) for d in dice), default=60.0)
    light, _ = draw_scene(
        RayScene(room, tuple(sheets), (*mine, *objects)), camera, 3 if smallest < 40 and w * h < 10**6 else 2
    )
    sensor = random_sensor(rng)
    sensor = replace(sensor, blur=min(sensor.blur, 0.2 + 0.05 * smallest), noise=min(sensor.noise, 0.002 * smallest))
    boxes = []
    for die in dice:
        x0, y0 = camera.project(die.list_top_corners()).min(0)
        x1, y1 = camera.project(die.list_top_corners()).max(0)
        boxes.append((float(x0), float(y0), float(x1), float(y1), die.value))
    image = develop(light, sensor, rng)
    worst = min((measure_contrast(image, camera, d) for d in dice), default=99.0)
    return LabelledPicture(image, tuple(sorted(boxes)), view, sensor.quality), worst
