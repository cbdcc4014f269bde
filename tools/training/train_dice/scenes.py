"""Scenes of dice on a table with light, occlusion, blur and a camera's errors, and the labels of their dice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import cv2
import numpy as np

from train_dice.appearance import Array, DieAppearance, random_appearance, recolour
from train_dice.clutter import add_clutter, add_dust, draw_beside_dice, draw_tray
from train_dice.degradation import NATURAL_WEAR, ROUGH_WEAR, add_camera_shake, photograph_scene
from train_dice.labels import (
    CLEAR,
    COCKED,
    DOUBTFUL,
    IGNORED,
    SCENE_SIDE_PX,
    UNREADABLE,
    DieTruth,
    label_die,
    list_side_decoys,
)
from train_dice.solid_objects import add_solids
from train_dice.solids import CORNERS, SOLID_RADIUS, DistantLight, RandomCamera, compute_lean, draw_die, find_top_face
from train_dice.styles import draw_from_family, draw_style
from train_dice.tables import draw_table, make_noise, random_colour
from train_dice.unreadable import HELD_BACK_UNREADABLE, draw_unreadable


def _rotation(axis: Array, angle: float) -> Array:
    return cv2.Rodrigues((axis / np.linalg.norm(axis) * angle).astype(np.float64))[0].astype(np.float32)


def draw_flat_turn(rng: np.random.Generator, yaw: float) -> Array:
    """Return the rotation of a flat die with a random face up, turned by `yaw`."""
    axes = rng.permutation(3)
    turn = np.zeros((3, 3), np.float32)
    turn[np.arange(3), axes] = rng.choice([-1, 1], 3)
    if np.linalg.det(turn) < 0:
        turn[0] *= -1
    return _rotation(np.array([0, 0, 1.0]), yaw) @ turn


def rest_on_side(sides: Array, rng: np.random.Generator) -> Array:
    """Return the rotation of a solid with these outward normals, (n, 3), that lies on a random one of its faces."""
    below = sides[int(rng.integers(len(sides)))].astype(np.float64)
    axis = np.cross(below, (0.0, 0.0, -1.0))
    if np.linalg.norm(axis) < 1e-6:
        axis = np.array([1.0, 0.0, 0.0])
    angle = float(np.arccos(np.clip(-below[2], -1, 1)))
    return _rotation(np.array([0, 0, 1.0]), rng.uniform(0, 2 * np.pi)) @ _rotation(axis, angle)


def draw_places(
    rng: np.random.Generator,
    find_place: Callable[[float, float], Sequence[float] | Array],
    count: int,
    spread: float,
    margin: float = -0.02,
) -> list[tuple[float, float, float]]:
    """Draw up to `count` places (x, y, yaw) for dice of edge 1 that do not overlap; some touch.

    `find_place` gives the place in the view, or on a tray, from two shares of its sides; `margin`: share along the
    sides that stays free of the centres.
    """
    out: list[tuple[float, float, float]] = []
    aligned = rng.random() < 0.1
    yaw0 = rng.uniform(0, np.pi)
    for _ in range(count * 6):
        if len(out) == count:
            break
        if out and rng.random() < spread:
            x, y, yaw = out[int(rng.integers(len(out)))]
            side = yaw + rng.integers(4) * np.pi / 2
            slide = rng.uniform(-0.8, 0.8)
            gap = rng.uniform(1.0, 1.12)
            x, y = x + gap * np.cos(side) - slide * np.sin(side), y + gap * np.sin(side) + slide * np.cos(side)
            if rng.random() < 0.4:
                grow = 0.25
                yaw = yaw + rng.uniform(0, np.pi)
                x, y = x + grow * np.cos(side), y + grow * np.sin(side)
        else:
            g = find_place(*rng.uniform(margin, 1 - margin, 2))
            x, y, yaw = float(g[0]), float(g[1]), rng.uniform(0, 2 * np.pi)
            yaw = yaw0 if aligned else yaw
        mine = ((x, y), (1.0, 1.0), float(np.degrees(yaw)))
        if all(
            np.hypot(x - a, y - b) > 1.42
            or cv2.rotatedRectangleIntersection(mine, ((a, b), (0.995, 0.995), float(np.degrees(c))))[0] == 0
            for a, b, c in out
        ):
            out.append((x, y, yaw))
    return out


def _shadow(
    image: Array, rng: np.random.Generator, camera: RandomCamera, bodies: list[Array], light: DistantLight, unit: float
) -> None:
    """Darken the table under and beside the dice: contact shadow and the lamp's cast shadow."""
    cast, contact = (
        np.zeros((SCENE_SIDE_PX, SCENE_SIDE_PX), np.float32),
        np.zeros((SCENE_SIDE_PX, SCENE_SIDE_PX), np.float32),
    )
    slope = light.towards[:2] / max(0.25, float(light.towards[2]))
    for corners in bodies:
        flat = corners.copy()
        flat[:, :2] -= flat[:, 2:] * slope
        flat[:, 2] = 0
        under = corners.copy()
        under[:, 2] = 0
        for mask, points in ((cast, np.concatenate([flat, under])), (contact, under)):
            hull = cv2.convexHull(camera.project(points))
            cv2.fillConvexPoly(mask, hull.astype(np.int32), (1.0,), cv2.LINE_AA)
    soft = unit * np.exp(rng.uniform(np.log(0.02), np.log(0.35)))
    image *= 1 - rng.uniform(0.0, 0.75) * cv2.GaussianBlur(cast, (0, 0), max(0.5, soft))[..., None]
    image *= 1 - rng.uniform(0.2, 0.7) * cv2.GaussianBlur(contact, (0, 0), max(0.5, unit * 0.08))[..., None]


def _pixel(point: Array) -> tuple[int, int]:
    return int(point[0]), int(point[1])


def _hand(rng: np.random.Generator, x: float, y: float, unit: float) -> tuple[Array, Array]:
    """Draw a hand or another object that hides part of the scene around (x, y): its colours and its mask."""
    mask = np.zeros((SCENE_SIDE_PX, SCENE_SIDE_PX), np.float32)
    paint = np.empty((SCENE_SIDE_PX, SCENE_SIDE_PX, 3), np.float32)
    if rng.random() < 0.75:
        skin = np.array([0.55, 0.68, 0.88], np.float32) * rng.uniform(0.25, 1.1) * (1 + rng.uniform(-0.12, 0.12, 3))
        paint[:] = skin if rng.random() < 0.85 else random_colour(rng)
        a, palm = rng.uniform(0, 2 * np.pi), unit * rng.uniform(1.5, 3.5)
        ahead = np.array([np.cos(a), np.sin(a)])
        aside = np.array([-ahead[1], ahead[0]])
        tip = np.array([x, y]) + rng.normal(0, 0.4, 2) * unit
        c = tip - ahead * palm * rng.uniform(0.5, 2.2)
        shade = np.zeros_like(mask)
        for k in range(4):
            root = c + aside * palm * (k - 1.5) * 0.45
            end = root + ahead * palm * rng.uniform(1.0, 1.7) + aside * palm * (k - 1.5) * rng.uniform(0, 0.25)
            w = max(2, int(palm * rng.uniform(0.3, 0.42)))
            for m, width in ((mask, w), (shade, max(1, w // 2))):
                cv2.line(m, _pixel(root), _pixel(end), (1.0,), width, cv2.LINE_AA)
        for m, r in ((mask, 1.0), (shade, 0.6)):
            axes = (int(palm * r), int(palm * 0.85 * r))
            cv2.ellipse(m, _pixel(c), axes, float(np.degrees(a)), 0, 360, (1.0,), -1, cv2.LINE_AA)
        elbow = c - ahead * palm * 8
        cv2.line(mask, _pixel(c), _pixel(elbow), (1.0,), max(2, int(palm * 1.3)), cv2.LINE_AA)
        paint *= (0.7 + 0.35 * cv2.GaussianBlur(shade, (0, 0), max(1.0, palm * 0.15)))[..., None]
    else:
        paint[:] = random_colour(rng) * (1 + 0.1 * make_noise(rng, SCENE_SIDE_PX, 6, 6)[..., None])
        c = np.array([x, y]) + rng.normal(0, 0.7, 2) * unit
        sides = (unit * rng.uniform(0.15, 1.2), unit * rng.uniform(1, 8))
        box = cv2.boxPoints((tuple(c.tolist()), sides, rng.uniform(0, 360)))
        cv2.fillPoly(mask, [box.astype(np.int32)], (1.0,), cv2.LINE_AA)
    return np.clip(paint, 0, 1), np.clip(mask, 0, 1)


def _list_exposure_poses(rng: np.random.Generator, center: Array, turn: Array, how: str) -> list[tuple[Array, Array]]:
    """List the poses of a die during the exposure: one if it lies still."""
    if how != "moving":
        return [(center, turn)]
    axis, angle = rng.standard_normal(3), rng.uniform(0.0, 1.2)
    path = np.append(rng.normal(0, 1, 2), 0)
    path *= rng.uniform(0.25, 1.0) / (np.linalg.norm(path) + 1e-6)
    return [(center + path * t, _rotation(axis, angle * t) @ turn) for t in np.linspace(-0.5, 0.5, 7)]


def render_scene(
    seed: int, *, small: bool = False, family: str = "", touching: bool = False
) -> tuple[np.ndarray, list[DieTruth], list[tuple[float, float, float]]]:
    """Render one scene: the picture (SIZE, SIZE, 3) uint8 BGR, its dice, and decoys (x, y, edge) that are no top faces.

    `small`: the dice are small, as in the view of a whole table, and often low in resolution or grey. `family`: for
    evaluation alone: all dice are of this family (`styles`), lie flat, whole and still on a held-back ground, and are
    24 to 90 pixels wide; in a third of the scenes of unreadable ones a die with pips lies among them.
    `touching` (with a family only): the dice are 14 to 40 pixels wide, and most of them touch.

    Raises:
        KeyError: there is no such family.
    """
    rng = np.random.default_rng([seed, *family.encode()] if family else seed)
    unit = float(np.exp(rng.uniform(np.log(12), np.log(45 if small else 150))))
    if family:
        sizes = (14, 40) if touching else (24, 90)  # the latter as in a photograph of a throw
        unit = float(np.exp(rng.uniform(*np.log(sizes))))
    often = [0.4, 0.4, 0.2] if family else [0.4, 0.28, 0.32]
    tilt = float(rng.choice([rng.uniform(0, 0.22), rng.uniform(0.2, 0.6), rng.uniform(0.6, 1.12)], p=often))
    focal = SCENE_SIDE_PX / 2 / np.tan(rng.uniform(0.12, 0.62))
    azimuth, roll = rng.uniform(0, 2 * np.pi, 2)
    if tilt > 0.3 and rng.random() < 0.9:  # who looks from aside holds the camera upright
        roll = rng.normal(0, 0.15)
    camera = RandomCamera.look_down(tilt, azimuth, roll, max(4.0, focal / unit), focal, SCENE_SIDE_PX)
    image = draw_table(rng, SCENE_SIDE_PX, held_back=bool(family))
    crowds = [0.6, 0.4, 0.0] if family else [0.4, 0.4, 0.2]  # strangers photograph dice, not rubbish
    object_count = int(rng.choice([0, rng.integers(1, 5), rng.integers(4, 14)], p=crowds))
    decoys = [(x, y, unit) for x, y in add_clutter(image, rng, unit, object_count)]
    object_count = int(rng.choice([0, rng.integers(1, 4), rng.integers(3, 9)], p=crowds))
    decoys += [(x, y, unit) for x, y in add_solids(image, rng, unit, object_count)]
    if rng.random() < 0.25:
        add_dust(image, rng)
    if rng.random() < 0.3:
        x, y = rng.uniform(0.3, 0.7, 2) * SCENE_SIDE_PX
        draw_tray(image, rng, x, y, unit)
    room = (SCENE_SIDE_PX / unit) ** 2
    count = 0 if rng.random() < 0.05 else int(min(rng.integers(2, 13), max(2, room / 4)))
    if family:
        count = int(min(rng.integers(1, 7), max(2, room / 6)))
    towards = np.append(rng.normal(0, 0.6, 2), 1.0)
    towards = (towards / np.linalg.norm(towards)).astype(np.float32)
    hue = (1 + rng.uniform(-0.12, 0.12, 3)) * rng.uniform(0.8, 1.5)
    light = DistantLight(towards, hue.astype(np.float32), float(rng.uniform(0.25, 0.75)))
    one_kind = _draw_look(rng, family) if rng.random() < 0.5 else None
    ground = image.reshape(-1, 3).mean(0)
    hiding = rng.random() < 0.12 and not family  # dice of the table's own colour
    flat_scene = rng.random() < 0.7
    dice_poses = []
    margin = min(0.35, unit / SCENE_SIDE_PX) if family else -0.02
    spread = (0.9 if touching else 0.0) if family else float(rng.choice([0.1, 0.6]))
    places = draw_places(
        rng, lambda u, v: camera.find_table_point(u * SCENE_SIDE_PX, v * SCENE_SIDE_PX), count, spread, margin
    )
    if rng.random() < 0.6:  # what lies beside a die does not hide it
        spots = camera.project(np.array([(x, y, 0.0) for x, y, _ in places], np.float32).reshape(-1, 3))
        decoys += [(x, y, unit) for x, y in draw_beside_dice(image, rng, unit, spots.tolist())]
    for x, y, yaw in places:
        look = one_kind or _draw_look(rng, family)
        if hiding:
            look = recolour(look, np.clip(ground * rng.uniform(0.85, 1.2), 0.02, 1))
        # From aside a flat die looks like a cocked one from above: there, few are cocked, and plainly.
        lean = 0.25 if tilt < 0.25 else 0.06
        odds = (0.94, 0.0, 0.0, 0.06) if flat_scene else (0.79 - lean, lean, 0.13, 0.08)
        how = "flat" if family else str(rng.choice(["flat", "cocked", "moving", "unreadable"], p=odds))
        if how == "unreadable":
            look = draw_unreadable(rng)
        turn = draw_flat_turn(rng, yaw) if look.sides is None else rest_on_side(look.sides, rng)
        z = 0.5 if look.sides is None else SOLID_RADIUS
        if how == "cocked":
            lean = rng.uniform(0.3 if tilt < 0.25 else 0.5, 0.78)
            a = rng.uniform(0, 2 * np.pi)
            turn = _rotation(np.array([np.cos(a), np.sin(a), 0]), lean) @ turn
            z = float(-((CORNERS @ turn.T)[:, 2].min()))
        elif how == "moving":
            turn = _rotation(rng.standard_normal(3), rng.uniform(0, 1.5)) @ turn
            z = rng.uniform(0.6, 1.5)
        elif how == "flat" and rng.random() < 0.05 and not family:
            z = rng.uniform(0.5, 1.0)
        dice_poses.append((np.array([x, y, z], np.float32), turn, look, how))
    still = [(CORNERS @ t.T + c).astype(np.float32) for c, t, _, _ in dice_poses]
    _shadow(image, rng, camera, still, light, unit)
    fine = 2 if unit < 60 else 1
    order = sorted(range(len(dice_poses)), key=lambda i: -float(np.linalg.norm(dice_poses[i][0] - camera.position)))
    tops: dict[int, Array] = {}
    for i in order:
        center, turn, look, how = dice_poses[i]
        poses = _list_exposure_poses(rng, center, turn, how)
        total, weight = (
            np.zeros((SCENE_SIDE_PX, SCENE_SIDE_PX, 4), np.float32) if len(poses) > 1 else None,
            1 / len(poses),
        )
        for c, t in poses:
            drawn = draw_die(camera, c, t, look, light, SCENE_SIDE_PX, fine)
            if drawn is None:
                continue
            (x0, y0, x1, y1), patch, top = drawn
            if total is None:
                alpha = patch[..., 3:]
                for other in tops.values():
                    other[y0:y1, x0:x1] *= 1 - patch[..., 3]
                image[y0:y1, x0:x1] = image[y0:y1, x0:x1] * (1 - alpha) + patch[..., :3] * alpha
                tops[i] = np.zeros((SCENE_SIDE_PX, SCENE_SIDE_PX), np.float32)
                tops[i][y0:y1, x0:x1] = top
            else:
                total[y0:y1, x0:x1, :3] += patch[..., :3] * patch[..., 3:] * weight
                total[y0:y1, x0:x1, 3] += patch[..., 3] * weight
        if total is not None:
            image = image * (1 - total[..., 3:]) + total[..., :3]
            tops[i] = (total[..., 3] > 0.5).astype(np.float32)
    seen = {i: float(t.sum()) for i, t in tops.items()}
    if dice_poses and rng.random() < 0.12 and not family:
        c = camera.project(dice_poses[int(rng.integers(len(dice_poses)))][0][None])[0]
        paint, mask = _hand(rng, float(c[0]), float(c[1]), unit)
        soft = cv2.GaussianBlur(mask, (0, 0), max(0.5, unit * 0.15))[..., None]
        image = image * (1 - 0.4 * soft)
        image = image * (1 - mask[..., None]) + paint * mask[..., None]
        for i in tops:
            tops[i] = tops[i] * (1 - mask)
    truths = []
    for i, (center, turn, look, how) in enumerate(dice_poses):
        quad, value, lean = _look_at_top(camera, center, turn, look)
        left = float(tops[i].sum()) / max(1.0, seen[i]) if i in tops else 0.0
        truth = label_die(quad, value, left, lean, moving=how == "moving", leaning=how == "cocked")
        if not value and truth.state in (CLEAR, COCKED):
            truth = replace(truth, state=UNREADABLE)
        truths.append(truth)
        if truth.state == IGNORED:
            continue
        if how == "flat" and look.sides is None:
            sides = list_side_centers(find_top_face(turn)[0] // 2)
            decoys += list_side_decoys(truth, camera.project(np.array([turn @ v + center for v in sides], np.float32)))
    if rng.random() < 0.08 and unit > 20 and not family:
        image = add_camera_shake(image, rng, unit * rng.uniform(0.3, 0.8))
        truths = [replace(t, state=t.state if t.state == IGNORED else DOUBTFUL) for t in truths]
    wear = NATURAL_WEAR if family or rng.random() < 0.5 else ROUGH_WEAR
    if small:
        wear = replace(wear, coarse=0.35, gray=0.3)
    return photograph_scene(image, rng, unit, wear), truths, decoys


def _draw_look(rng: np.random.Generator, family: str) -> DieAppearance:
    """Draw the appearance of a die, for training or, of this held-back family, for evaluation."""
    if family in HELD_BACK_UNREADABLE:
        return random_appearance(rng) if rng.random() < 0.15 else HELD_BACK_UNREADABLE[family](rng)
    return draw_from_family(rng, family) if family else draw_style(rng)


def _look_at_top(
    camera: RandomCamera, center: Array, turn: Array, look: DieAppearance
) -> tuple[Array, int, tuple[float, float]]:
    """Return a die's top face: corners in pixels, (4, 2), its value, 0 if it cannot be read, and its lean."""
    face, corners = find_top_face(turn)
    if look.sides is None:
        value = 0 if look.blank or len(look.without_pips) == 6 else look.faces[face]
        lean = compute_lean(camera.position, camera.turn, center, turn)
        return camera.project((corners @ turn.T + center).astype(np.float32)), value, lean
    upwards = np.eye(3, dtype=np.float32)
    top = np.array([(x, y, SOLID_RADIUS) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))], np.float32)
    top[:, :2] *= 0.4
    return camera.project(top + center), 0, compute_lean(camera.position, camera.turn, center, upwards)


def list_side_centers(top_axis: int) -> list[Array]:
    """List the centres of a die's four sides, in edges, in its own axes; `top_axis` is that of its upper face."""
    return [sign * np.eye(3, dtype=np.float32)[axis] for axis in {0, 1, 2} - {top_axis} for sign in (-0.5, 0.5)]
