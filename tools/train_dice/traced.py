"""Scenes drawn by the ray tracer of tools/testset_renderer: real shadows, gloss, reflected light, a sensor.

The settings differ from those of the held-back sets: sizes, cameras, wear and grounds (some of them black) are drawn
here, and dice may hide each other, lean and lie half out of the picture. It is the same renderer, though: figures on
tools/testset_renderer, since training uses these scenes, are for other seeds and settings of one renderer.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from testset_renderer import clutter
from testset_renderer.camera import Array, CameraPose, aim_camera
from testset_renderer.dice import (
    DieMake,
    LyingDie,
    find_touching_place,
    list_painted_dice,
    make_resting_die,
    random_make,
)
from testset_renderer.pictures import is_overlapping, measure_clear_share
from testset_renderer.rooms import random_room
from testset_renderer.scene import FlatSheet, PaintedSolid, RayScene, draw_scene
from testset_renderer.sensor import develop, random_sensor
from testset_renderer.shapes import rotate_about
from testset_renderer.surfaces import make_ground, random_tint

from train_dice.samples import Spots
from train_dice.scenes import CLEAR, SCENE_SIDE_PX, DieTruth, label_die, list_side_decoys
from train_dice.solids import compute_lean

Rng = np.random.Generator

_DARK_TABLE_SHARE = 0.14
"""Share of tables that are as dark as black felt under a lamp that lights only the dice."""

_TRAY_SHARE = 0.3
"""Share of scenes whose dice lie in a tray."""


def _camera(rng: Rng, edge: float, unit: float) -> CameraPose:
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


def _make(rng: Rng, edge: float, body: Array | None) -> DieMake:
    made = random_make(rng, edge, body)
    wide, far = rng.uniform(0.85, 1.2), rng.uniform(0.92, 1.08)
    soft = float(rng.uniform(0.3, 0.6)) if rng.random() < 0.12 else made.soft
    return replace(made, pip=made.pip * wide, ace=made.ace * wide, spread=made.spread * far, soft=soft)


def _lean_die(rng: Rng, die: LyingDie, least: float) -> LyingDie:
    """Return the die on an edge or a corner, its lowest point on the table."""
    a = rng.uniform(0, 2 * np.pi)
    turn = rotate_about((float(np.cos(a)), float(np.sin(a)), 0.0), float(rng.uniform(least, 0.78))) @ die.turn
    half = die.make.edge / 2
    lowest = half * float(np.abs(turn[2]).sum()) - die.make.radius * 0.7
    return LyingDie(die.make, np.asarray(turn, np.float32), np.array([*die.center[:2], lowest], np.float32))


Tray = tuple[float, float, float, float]
"""Half of its inner size each way, its rotation in radians, and the height of its floor."""


def _draw_place(rng: Rng, camera: CameraPose, edge: float, tray: Tray | None) -> tuple[float, float]:
    """Draw a place for a die: in the tray, or anywhere in view."""
    if tray is None:
        x, y, _ = camera.find_table_point(*(rng.uniform(-0.02, 1.02, 2) * SCENE_SIDE_PX))
        return float(x), float(y)
    u, v = rng.uniform(-1, 1, 2) * (np.array(tray[:2]) - edge * 0.75)
    c, s = np.cos(tray[2]), np.sin(tray[2])
    return float(c * u - s * v), float(s * u + c * v)


def _is_clear_of_walls(die: LyingDie, tray: Tray | None) -> bool:
    """Return whether the die touches none of the tray's walls."""
    if tray is None:
        return True
    (x, y), c, s = die.center[:2], np.cos(tray[2]), np.sin(tray[2])
    reach = np.array(tray[:2]) - die.make.edge * 0.72
    return bool(abs(c * x + s * y) < reach[0] and abs(c * y - s * x) < reach[1])


def _place_dice(
    rng: Rng, camera: CameraPose, edge: float, count: int, flat: bool, body: Array | None, tray: Tray | None
) -> list[LyingDie]:
    """Place dice that do not intersect; some touch, some hide others."""
    out: list[LyingDie] = []
    one = _make(rng, edge, body) if rng.random() < 0.5 else None
    often = float(rng.choice([0.1, 0.6]))
    from_above = camera.axes[2, 2] < -0.95
    for _ in range(count * 6):
        if len(out) == count:
            break
        make = one or _make(rng, edge * float(rng.choice([1.0, rng.uniform(0.8, 1.25)])), body)
        yaw = float(rng.uniform(0, 2 * np.pi))
        if out and rng.random() < often:
            by = out[int(rng.integers(len(out)))]
            x, y, yaw = find_touching_place(rng, by, make, 0.03, 1.1, 0.8)
        else:
            x, y = _draw_place(rng, camera, make.edge, tray)
        die = make_resting_die(rng, make, float(x), float(y), yaw, 0.0 if tray is None else tray[3])
        if not _is_clear_of_walls(die, tray):
            continue
        if is_overlapping(die, out):
            continue
        if tray is None and not flat and rng.random() < (0.25 if from_above else 0.08):
            if any(np.hypot(*(die.center - d.center)[:2]) < 0.8 * (make.edge + d.make.edge) for d in out):
                continue
            die = _lean_die(rng, die, 0.3 if from_above else 0.5)
        out.append(die)
    return out


def _label_die(camera: CameraPose, die: LyingDie, others: list[PaintedSolid]) -> tuple[DieTruth, Spots]:
    """Return the label of a die and the places of its visible sides."""
    left = measure_clear_share(camera, die, others)
    lean = compute_lean(camera.position, camera.axes, die.center, die.turn)
    truth = label_die(camera.project(die.list_top_corners()), die.value, left, lean, leaning=die.tilt > 0.05)
    if truth.state != CLEAR:
        return truth, []
    upright, half = int(np.abs(die.turn[2]).argmax()), die.make.edge / 2
    sides = [die.center + die.turn[:, a] * s * half for a in {0, 1, 2} - {upright} for s in (-1, 1)]
    return truth, list_side_decoys(truth, camera.project(np.array(sides, np.float32)))


def _degrade(image: np.ndarray, rng: Rng, quality: int, unit: float) -> np.ndarray:
    """Degrade a picture as files and programs do."""
    if rng.random() < 0.12:
        k = min(1.0, rng.uniform(10, 24) / unit)
        small = cv2.resize(image, None, fx=k, fy=k, interpolation=cv2.INTER_AREA)
        image = cv2.resize(
            small, (SCENE_SIDE_PX, SCENE_SIDE_PX), interpolation=int(rng.choice([cv2.INTER_LINEAR, cv2.INTER_CUBIC]))
        )
    if rng.random() < 0.3:
        bent = (image.astype(np.float32) / 255) ** np.exp(rng.uniform(-0.35, 0.35)) * rng.uniform(0.6, 1.15)
        image = (np.clip(bent, 0, 1) * 255).astype(np.uint8)
    if rng.random() < 0.75:
        image = cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR)
    return image


def render_scene(seed: int, *, small: bool = False) -> tuple[np.ndarray, list[DieTruth], Spots]:
    """Render one scene, see `scenes.render_scene`."""
    rng = np.random.default_rng([177, seed])
    edge = float(rng.uniform(10, 20))
    unit = float(np.exp(rng.uniform(np.log(13), np.log(40 if small else 120))))
    camera = _camera(rng, edge, unit)
    reach = 2.2 * max(
        float(np.abs(camera.find_table_point(x, y)[:2]).max()) for x in (0, SCENE_SIDE_PX) for y in (0, SCENE_SIDE_PX)
    )
    across = float(
        np.linalg.norm(camera.find_table_point(0, 0) - camera.find_table_point(SCENE_SIDE_PX, SCENE_SIDE_PX))
    )
    albedo, place = make_ground(rng, min(reach, 4000), int(np.clip(1.3 * SCENE_SIDE_PX * reach / across, 400, 1400)))
    if rng.random() < _DARK_TABLE_SHARE:
        albedo = np.asarray(albedo * rng.uniform(0.02, 0.25) / max(0.05, float(albedo.mean())) * 0.3, np.float32)
    elif rng.random() < 0.15:
        albedo = np.asarray(
            np.clip(albedo * random_tint(rng, None, rng.uniform(0, 0.7), 0.9) * 1.2, 0.004, 0.92), np.float32
        )
    sheets = [FlatSheet(0.0, albedo, place, rough=float(rng.uniform(0.25, 0.9)), shine=float(rng.uniform(0.02, 0.05)))]
    room = (SCENE_SIDE_PX / unit) ** 2
    count = 0 if rng.random() < 0.05 else int(min(rng.integers(2, 11), max(2, room / 5)))
    flat = rng.random() < 0.7
    body = albedo.mean((0, 1)) * rng.uniform(0.8, 1.3) if rng.random() < 0.08 else None
    objects: list[PaintedSolid] = []
    tray = None
    if rng.random() < _TRAY_SHARE:
        inner = (float(rng.uniform(35, 95)), float(rng.uniform(35, 95)))
        count = int(min(rng.integers(4, 23), max(2, room / 5)))
        objects, sheet, floor = clutter.make_tray(rng, 0.0, 0.0, inner, yaw := float(rng.uniform(0, 6)), unit / edge)
        sheets.append(sheet)
        tray = (*inner, yaw, floor)
    dice = _place_dice(rng, camera, edge, count, flat, body, tray)
    mine = list(list_painted_dice(dice))

    def spot() -> tuple[float, float]:
        x, y, _ = camera.find_table_point(*(rng.uniform(-0.05, 1.05, 2) * SCENE_SIDE_PX))
        return float(x), float(y)

    if tray is None and rng.random() < 0.35:
        sheets += [clutter.make_printed_sheet(rng, *spot()) for _ in range(int(rng.integers(1, 3)))]
    for _ in range(int(rng.choice([0, 2, 4, 8])) if tray is None else 0):
        kind = (
            clutter.CLUTTER_MAKERS[int(rng.integers(len(clutter.CLUTTER_MAKERS)))]
            if rng.random() < 0.93
            else clutter.make_cable
        )
        for solid_object in kind(rng, *spot()):
            c, r = solid_object.solid.center[:2], float(np.hypot(*solid_object.solid.half[:2]))
            if all(np.hypot(*(c - d.center[:2])) > r + d.make.edge * 0.75 for d in dice):
                objects.append(solid_object)
    light, _ = draw_scene(
        RayScene(random_room(rng, albedo.mean((0, 1)), 16), tuple(sheets), (*mine, *objects)), camera, 2
    )
    sensor = random_sensor(rng)
    sensor = replace(
        sensor,
        exposure=float(rng.uniform(0.22, 0.72)),
        blur=min(sensor.blur * rng.uniform(0.8, 1.6), 0.2 + 0.06 * unit),
        noise=min(sensor.noise, 0.002 * unit),
        gray=bool(rng.random() < (0.25 if small else 0.08)),
    )
    truths, decoys = [], [(*map(float, camera.project(t.solid.center)[0]), unit) for t in objects]
    for die, own in zip(dice, mine, strict=True):
        truth, sides = _label_die(camera, die, [t for t in (*mine, *objects) if t is not own])
        truths.append(truth)
        decoys += sides
    return _degrade(develop(light, sensor, rng), rng, int(rng.integers(45, 97)), unit), truths, decoys
