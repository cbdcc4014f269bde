"""One camera above a lid and a tray, as the whole sitting sees them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from ray_tracer.camera import Array, CameraPose, aim_camera
from ray_tracer.light import Room
from ray_tracer.scene import FlatSheet, PaintedSolid, Pixels, RayScene, bound_pixels, draw_scene
from ray_tracer.sensor import Sensor
from ray_tracer.shapes import rotate_about

from testset_renderer.clutter import make_tray
from testset_renderer.dice import DieMake, LyingDie, list_painted_dice, make_resting_die, random_flat_turn, random_make
from testset_renderer.hands import random_skin
from testset_renderer.lid import LidModel, PlacedLid, random_card, random_lid
from testset_renderer.pictures import measure_clear_share
from testset_renderer.rooms import random_room
from testset_renderer.sensors import random_sensor
from testset_renderer.surfaces import make_ground

Rng = np.random.Generator
FRAME_SIZE_PX = (1280, 720)


@dataclass(frozen=True, eq=False)
class TableModel:
    """Objects and settings that stay the same in an image sequence."""

    camera: CameraPose
    room: Room
    ground: FlatSheet
    lid: LidModel
    lid_at: tuple[float, float]
    walls: tuple[PaintedSolid, ...]
    floor: FlatSheet
    tray_at: tuple[float, float]
    tray_half: tuple[float, float]
    tray_yaw: float
    makes: tuple[DieMake, DieMake]
    skin: tuple[Array, Array]
    sensor: Sensor

    def bound_tray(self, over: float = 70.0) -> Pixels:
        """The pixels that dice up to `over` millimetres above the tray may touch, their shadows too."""
        x, y = self.tray_at
        r = float(np.hypot(*self.tray_half)) + 25
        points = [(x + a * r, y + b * r, z) for a in (-1, 1) for b in (-1, 1) for z in (0.0, over)]
        x0, y0, x1, y1 = bound_pixels(self.camera.project(np.array(points)))
        return max(0, x0), max(0, y0), min(FRAME_SIZE_PX[0], x1), min(FRAME_SIZE_PX[1], y1)

    def tray_to_table(self, u: float, v: float) -> tuple[float, float]:
        """The table's (x, y) of a place in the tray's own axes, millimetres from its middle."""
        c, s = np.cos(self.tray_yaw), np.sin(self.tray_yaw)
        return self.tray_at[0] + c * u - s * v, self.tray_at[1] + s * u + c * v


def random_table(rng: Rng, tags: bool) -> TableModel:
    """A sitting's table at random: camera tilted up to 20 degrees, lid on the left or the right, tray beside it."""
    scale = float(rng.uniform(1.75, 2.15))
    lid = random_lid(rng, tags, scale * 1.4)
    reach = float(np.hypot(*lid.size)) / 2 + (36 if tags else 6)
    scale = min(
        scale, (FRAME_SIZE_PX[1] / 2 - 4) / (reach + 7)
    )  # pushed and turned anyhow, all of it stays in the picture
    focal = float(rng.uniform(1000, 1700))
    left = 1 if rng.random() < 0.6 else -1
    # The camera's right is the world's y, its down the world's x: the table is laid out in these.
    camera = aim_camera(
        (0, 0),
        focal / scale,
        float(np.radians(rng.uniform(0, 20))),
        float(rng.choice([0.0, 0.6, -0.6, 3.14])),
        0,
        focal,
        FRAME_SIZE_PX,
    )
    aim = np.arctan2(camera.axes[0, 1], camera.axes[0, 0])
    camera = replace(camera, axes=(camera.axes @ rotate_about((0, 0, 1), float(aim))).astype(np.float32))
    camera = replace(camera, position=(rotate_about((0, 0, 1), float(-aim)) @ camera.position).astype(np.float32))
    roll = float(rng.normal(0, 0.04))
    c, s = np.cos(roll), np.sin(roll)
    right, down, ahead = camera.axes
    camera = replace(camera, axes=np.stack([c * right + s * down, c * down - s * right, ahead]).astype(np.float32))
    pixels = 1700
    albedo, place = make_ground(rng, pixels / scale * 0.95, pixels)
    w, h = FRAME_SIZE_PX
    lid_px = (w / 2 - left * (w / 2 - reach * scale - 14), h / 2)
    lid_at = camera.find_table_point(*lid_px)
    half = (float(rng.uniform(52, 64)), float(rng.uniform(52, 64)))
    room_left = w - (2 * reach * scale + 28)
    tray_px = (w / 2 + left * (w / 2 - room_left / 2), h / 2 + float(rng.uniform(-90, 90)))
    tray_at = camera.find_table_point(*tray_px)
    yaw = float(rng.normal(0, 0.12))
    walls, floor, _ = make_tray(rng, float(tray_at[0]), float(tray_at[1]), half, yaw, scale * 1.3)
    edge = float(rng.uniform(14.5, 19))
    make = random_make(rng, edge)
    return TableModel(
        camera=camera,
        room=random_room(rng, albedo.mean((0, 1)), 20, soft=True),
        ground=FlatSheet(0.0, albedo, place, rough=float(rng.uniform(0.35, 0.9))),
        lid=lid,
        lid_at=(float(lid_at[0]), float(lid_at[1])),
        walls=tuple(walls),
        floor=floor,
        tray_at=(float(tray_at[0]), float(tray_at[1])),
        tray_half=half,
        tray_yaw=yaw,
        makes=(make, make if rng.random() < 0.75 else random_make(rng, edge)),
        skin=random_skin(rng),
        sensor=random_table_sensor(rng),
    )


def random_table_sensor(rng: Rng) -> Sensor:
    """A camera that looks at a table for hours: in focus, exposed well enough."""
    sensor = random_sensor(rng)
    blur, noise = min(sensor.blur, 0.95), min(sensor.noise, 0.022)
    return replace(
        sensor,
        blur=blur,
        noise=noise,
        fringe=0.0,
        gray=False,
        denoise=min(sensor.denoise, 0.5),
        quality=max(58, sensor.quality),
    )


def make_covered_lid(rng: Rng, table: TableModel) -> PlacedLid:
    """The lid at its place with all twelve tokens, shuffled."""
    numbers = rng.permutation(np.repeat(np.arange(1, 7), 2))
    side = int(2.4 * table.lid.radius * table.lid.scale)
    cards = tuple(random_card(rng, side) for _ in range(12))
    turns = tuple(float(a) for a in rng.uniform(0, 2 * np.pi, 12))
    return PlacedLid(table.lid, table.lid_at, float(rng.uniform(0, 2 * np.pi)), tuple(map(int, numbers)), turns, cards)


def push_lid(rng: Rng, table: TableModel, lid: PlacedLid) -> PlacedLid:
    """Return the lid turned towards another player and moved a little."""
    x, y = (float(c + d) for c, d in zip(table.lid_at, rng.uniform(-7, 7, 2), strict=True))
    return replace(lid, at=(x, y), angle=float(lid.angle + rng.uniform(-np.pi, np.pi)))


def make_two_dice(rng: Rng, table: TableModel) -> list[LyingDie]:
    """Place both dice at rest in the tray, their upper faces fully visible."""
    while True:
        out: list[LyingDie] = []
        for make in table.makes:
            u, v = (float(rng.uniform(-1, 1) * (h - make.edge * 0.75)) for h in table.tray_half)
            out.append(
                make_resting_die(rng, make, *table.tray_to_table(u, v), float(rng.uniform(0, 6.3)), table.floor.z)
            )
        if np.hypot(*(out[0].center - out[1].center)[:2]) < out[0].make.edge * 1.45:
            continue
        if all(measure_clear_share(table.camera, d, list(table.walls)) == 1.0 for d in out):
            return out


def lean_die(rng: Rng, table: TableModel, die: LyingDie) -> LyingDie:
    """Return the die cocked: a lower edge on the floor, its side against the rim's upper edge."""
    make, tilt = die.make, float(rng.uniform(0.26, 0.75))
    side = int(rng.integers(4))
    turn = (
        rotate_about((0, 0, 1), table.tray_yaw + side * np.pi / 2)
        @ rotate_about((0, 1, 0), tilt)
        @ random_flat_turn(rng, 0.0)
    )
    half = make.edge / 2
    reach = half * (np.cos(tilt) + np.sin(tilt))
    along = float(rng.uniform(-0.7, 0.7))
    room_u, room_v = table.tray_half if side % 2 == 0 else table.tray_half[::-1]
    u, v = room_u - reach * 0.96, along * (room_v - make.edge)
    for _ in range(side):
        u, v = -v, u
    x, y = table.tray_to_table(u, v)
    return LyingDie(make, np.asarray(turn, np.float32), np.array([x, y, table.floor.z + reach], np.float32))


def make_flying_dice(rng: Rng, table: TableModel, dice: list[LyingDie], steps: int) -> list[list[LyingDie]]:
    """Return the dice at `steps` moments of one exposure while they tumble over the tray."""
    moved: list[list[LyingDie]] = [[] for _ in range(steps)]
    for die in dice:
        axis = rng.normal(0, 1, 3)
        spin = float(rng.uniform(0.35, 1.1))
        turn = rotate_about((axis[0], axis[1], axis[2]), float(rng.uniform(0.35, 1.2))) @ die.turn
        way = rng.uniform(0, 2 * np.pi)
        far = rng.uniform(0.45, 1.6) * die.make.edge
        step = np.array([np.cos(way) * far, np.sin(way) * far, rng.uniform(-0.4, 0.4) * far])
        lift = np.array([0, 0, die.make.edge * rng.uniform(0.35, 1.2)])
        for i, share in enumerate(np.linspace(-0.5, 0.5, steps)):
            now = rotate_about((axis[2], axis[0], axis[1]), spin * float(share)) @ turn
            at = die.center + lift + step * share
            moved[i].append(LyingDie(die.make, np.asarray(now, np.float32), at.astype(np.float32)))
    return moved


def render_table(
    table: TableModel, lid: PlacedLid, others: list[PaintedSolid], box: Pixels | None = None
) -> tuple[Array, np.ndarray]:
    """Render the frame's light (h, w, 3) and the owner map of its rays (2 h, 2 w)."""
    body, *casters = lid.list_solids()
    sheets = (table.ground, table.floor, *lid.list_sheets(body.solid))
    return draw_scene(RayScene(table.room, sheets, (body, *casters, *table.walls, *others)), table.camera, 2, box)


def render_moving_dice(
    table: TableModel,
    lid: PlacedLid,
    moments: list[list[LyingDie]],
    others: list[PaintedSolid],
    light: Array,
    over: float = 70.0,
) -> None:
    """Draw the tray with moving dice, the mean of the moments, into the frame's light, in place.

    `over` is the greatest height of the dice, see `TableModel.bound_tray`.
    """
    box = table.bound_tray(over)
    body, *casters = lid.list_solids()
    sheets = (table.ground, table.floor, *lid.list_sheets(body.solid))
    still = (body, *casters, *table.walls, *others)
    parts = [
        draw_scene(RayScene(table.room, sheets, (*still, *list_painted_dice(dice))), table.camera, 2, box)[0]
        for dice in moments
    ]
    light[box[1] : box[3], box[0] : box[2]] = np.mean(parts, 0)


def measure_disc_share(owner: np.ndarray, at: list[float], radius: float, name: int) -> float:
    """Return the share of a disc's rays (2 per pixel each way) that did not hit `name`."""
    mask = np.zeros(owner.shape, np.uint8)
    cv2.circle(mask, (round(at[0] * 2), round(at[1] * 2)), round(radius * 2), 1, -1)
    within = owner[mask > 0]
    return float((within != name).mean()) if within.size else 0.0
