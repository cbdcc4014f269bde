"""Random rows of dice and cups with exact labels: the content of each place and its position in the picture."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.events import MemoColour
from companion.games.memo_dice.simulator.objects import (
    DieFace,
    MemoDiceAppearance,
    SimulatedCup,
    SymbolDie,
    TableObject,
    draw_random_die,
)
from companion.games.memo_dice.simulator.raytrace import Field, compute_bounding_box, draw_object
from companion.games.memo_dice.simulator.render import (
    WHOLE_FRAME,
    HandPainter,
    Image,
    develop_image,
    draw_objects,
    draw_tabletop,
    light_tabletop,
)
from companion.games.memo_dice.simulator.symbols import SYMBOL_KINDS
from companion.simulation.actions import SimulatedHand
from companion.simulation.dice_throws import rotate_about
from companion.simulation.optics import FRAME_SIZE_PX
from companion.simulation.render_dice import Box
from train_symbol_dice.appearance import draw_random_appearance

TRAINING_KINDS = range(20)
"""Kinds of symbols for training."""
HELD_BACK_KINDS = range(20, len(SYMBOL_KINDS))
"""Kinds of symbols for testing."""
MIN_VISIBLE_SHARE = 0.62
"""A die with a smaller visible share is doubtful."""

UPRIGHT_ROTATIONS = tuple(
    m
    for m in (
        np.eye(3), rotate_about((1, 0, 0), 90), rotate_about((1, 0, 0), -90),
        rotate_about((0, 1, 0), 90), rotate_about((0, 1, 0), -90),
        rotate_about((1, 0, 0), 180),
    )
)  # fmt: skip
"""Rotations that bring each of a die's faces up."""


@dataclass(frozen=True)
class RowTruth:
    """Label of an object. `kind`: "cup", "die", or "doubtful" (a die that leans or is half hidden).

    `centre` and `size` in pixels: of a die the middle and edge of its top face, of a cup those of its outline. `yaw`:
    of the top face's edges, degrees, modulo 90.
    """

    kind: str
    paint: MemoColour
    centre: tuple[float, float]
    size: float
    yaw: float
    thing: TableObject


def make_flat_die(
    faces: Sequence[DieFace], x: float, y: float, yaw: float, up: int, look: MemoDiceAppearance
) -> SymbolDie:
    """Create a die that lies flat, with the face `UPRIGHT_ROTATIONS[up]` up, turned by `yaw` degrees."""
    a, b, c, d, e, f = faces
    return SymbolDie(
        (a, b, c, d, e, f), (x, y, look.die_size_mm / 2), rotate_about((0, 0, 1), yaw) @ UPRIGHT_ROTATIONS[up]
    )


def lean_die(die: SymbolDie, lean: float, towards: float, look: MemoDiceAppearance) -> SymbolDie:
    """Return the die tilted by `lean` degrees."""
    axis = (math.cos(math.radians(towards)), math.sin(math.radians(towards)), 0.0)
    rotation = rotate_about(axis, lean) @ die.rotation
    high = 0.5 * look.die_size_mm * float(np.abs(rotation[2]).sum())
    return replace(die, center=(*die.center[:2], high), rotation=rotation)


def label_object(thing: TableObject, look: MemoDiceAppearance, others: Sequence[TableObject] = ()) -> RowTruth:
    """Label an object among `others`."""
    if isinstance(thing, SimulatedCup):
        x0, y0, x1, y1 = bound_cup(thing, look)
        return RowTruth("cup", thing.colour, ((x0 + x1) / 2, (y0 + y1) / 2), max(x1 - x0, y1 - y0), 0.0, thing)
    up = thing.rotation[2]
    axis = int(np.abs(up).argmax())
    lean = math.degrees(math.acos(min(1.0, float(abs(up[axis])))))
    half = 0.5 * look.die_size_mm
    normal = thing.rotation[:, axis] * np.sign(up[axis])
    a, b = thing.rotation[:, (axis + 1) % 3], thing.rotation[:, (axis + 2) % 3]
    middle = np.array(thing.center) + half * normal
    corners = look.optics.project([middle + half * (i * a + j * b) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    sides = np.roll(corners, -1, axis=0) - corners
    # Opposite sides agree in direction modulo 180, neighbours modulo 90: the fourfold mean is their common turn.
    turn = math.degrees(np.angle(np.sum([complex(s[0], s[1]) ** 4 / abs(complex(s[0], s[1])) ** 3 for s in sides])) / 4)
    size = float(np.mean(np.linalg.norm(sides, axis=1)))
    kind = "die" if lean < 8.0 and measure_visible_share(thing, others, look) >= MIN_VISIBLE_SHARE else "doubtful"
    cx, cy = corners.mean(axis=0)
    return RowTruth(kind, thing.top.colour, (float(cx), float(cy)), size, turn % 90.0, thing)


def bound_cup(cup: SimulatedCup, look: MemoDiceAppearance) -> tuple[float, float, float, float]:
    """Return the bounding box of a cup's outline in pixels."""
    rings = [
        (cup.x + r * math.cos(a), cup.y + r * math.sin(a), cup.z + z)
        for r, z in ((look.mouth_radius_mm, 0.0), (look.top_radius_mm, look.cup_height_mm))
        for a in (math.tau * k / 32 for k in range(32))
    ]
    pixels = look.optics.project(rings)
    (x0, y0), (x1, y1) = pixels.min(axis=0), pixels.max(axis=0)
    return float(x0), float(y0), float(x1), float(y1)


def measure_visible_share(die: SymbolDie, others: Sequence[TableObject], look: MemoDiceAppearance) -> float:
    """Return the share of the die that no nearer object hides."""
    box = compute_bounding_box(die, look)
    eye = look.optics.position
    cover: Field | None = None
    left: Field | None = None
    for other in others:
        if other is die or not isinstance(other, SimulatedCup):
            continue
        x0, y0, x1, y1 = compute_bounding_box(other, look)
        apart = x1 < box[0] or x0 > box[2] or y1 < box[1] or y0 > box[3]
        farther = math.hypot(other.x - eye[0], other.y - eye[1]) > math.dist(die.center[:2], eye[:2])
        if apart or farther:
            continue
        if cover is None or left is None:
            cover = draw_object(die, (), look, box, 1)[1]
            left = cover.copy()
        left *= 1.0 - draw_object(other, (), look, box, 1)[1]
    return 1.0 if cover is None or left is None else float(left.sum() / max(1.0, cover.sum()))


@dataclass(frozen=True)
class RowScene:
    """A picture with its labels. `box`: its place in the frame."""

    image: Image
    truths: tuple[RowTruth, ...]
    box: Box
    look: MemoDiceAppearance


def make_row(rng: random.Random, look: MemoDiceAppearance, count: int, dice: float, kinds: range) -> list[TableObject]:
    """Create a continuous row of dice and cups; sometimes a die leans."""
    pitch = 2 * look.mouth_radius_mm * rng.uniform(1.02, 1.35)
    turn, bend = math.radians(rng.uniform(-25, 25)), rng.uniform(-0.1, 0.1)
    middle = rng.uniform(-90, 90), rng.uniform(-70, 70)
    things: list[TableObject] = []
    for k in range(count):
        along = (k - (count - 1) / 2) * pitch
        across = bend * along * along / 200.0 + rng.uniform(-0.12, 0.12) * look.mouth_radius_mm
        x = middle[0] + along * math.cos(turn) - across * math.sin(turn)
        y = middle[1] + along * math.sin(turn) + across * math.cos(turn)
        if rng.random() < dice:
            die = make_flat_die(draw_random_die(rng, kinds), x, y, rng.uniform(0, 360), rng.randrange(6), look)
            leans = rng.random() < 0.2
            things.append(lean_die(die, rng.uniform(14, 45), rng.uniform(0, 360), look) if leans else die)
        else:
            things.append(SimulatedCup(MemoColour(rng.choice((0, 1, 1, 2, 2, 3, 3))), x, y))
    return things


def add_clutter(scene: Field, rng: random.Random, look: MemoDiceAppearance) -> None:
    """Draw flat objects that are neither dice nor cups: paper with writing, coins, pieces, pens, a telephone."""
    h, w = scene.shape[:2]
    unit = look.die_size_mm * look.optics.focal_px / look.optics.height_mm
    for _ in range(rng.randint(1, 5)):
        x, y = rng.uniform(0, w), rng.uniform(0, h)
        colour = tuple(rng.choice((rng.random() ** 2, rng.random())) for _ in range(3))
        if rng.random() < 0.4:
            colour = (rng.uniform(0.6, 0.9),) * 3
        kind, size, turn = rng.randrange(5), unit * rng.uniform(0.5, 2.2), rng.uniform(0, 180)
        if kind == 0:
            cv2.circle(scene, (int(x), int(y)), int(size / 2), colour, -1, cv2.LINE_AA)
            cv2.circle(scene, (int(x), int(y)), int(size / 3), tuple(0.7 * c for c in colour), 2, cv2.LINE_AA)
        elif kind in (1, 2):
            rect = ((x, y), (size * rng.uniform(1, 3), size * (1.0 if kind == 1 else rng.uniform(0.1, 2.0))), turn)
            cv2.fillConvexPoly(scene, cv2.boxPoints(rect).astype(np.int32), colour, cv2.LINE_AA)
            if rng.random() < 0.6:
                ink = np.array([rng.random() * 0.4 for _ in range(3)], np.float32)
                at = int(x - size / 2), int(y + size / 4)
                mask = np.zeros((h, w), np.uint8)  # OpenCV 5 writes on bytes only
                cv2.putText(mask, rng.choice("ABC123?RX7"), at, 0, size / 26, 255, 2, cv2.LINE_AA)
                scene += (mask[..., None] / np.float32(255)) * (ink - scene)
        elif kind == 3:
            end = int(x + 4 * size * math.cos(turn)), int(y + 4 * size * math.sin(turn))
            cv2.line(scene, (int(x), int(y)), end, colour, max(2, int(size / 6)), cv2.LINE_AA)
        else:
            axes = int(size / 2), int(size / 4)
            cv2.ellipse(scene, (int(x), int(y)), axes, turn, 0, 360, colour, -1, cv2.LINE_AA)


def compress_jpeg(image: Image, quality: int) -> Image:
    """Compress and decompress an image as a camera does; `quality` of the JPEG from 0 to 100."""
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def render_row(
    things: Sequence[TableObject], look: MemoDiceAppearance, seed: int, *,
    box: Box = WHOLE_FRAME, cluttered: random.Random | None = None,
    hand: SimulatedHand | None = None, quality: int | None = 88, finer: int = 2,
) -> Image:  # fmt: skip
    """Render one picture of these objects as a camera delivers it; `box` cuts out a part (without a hand then)."""
    scene = light_tabletop(draw_tabletop(look, seed, box), look, box)
    if cluttered is not None:
        add_clutter(scene, cluttered, look)
    draw_objects(scene, things, look, box, supersampling=finer)
    image = develop_image(scene, look, np.random.default_rng(seed))
    if hand is not None:
        HandPainter(look).draw(image, hand)
    return compress_jpeg(image, quality) if quality else image


def render_scene(seed: int, kinds: range = TRAINING_KINDS) -> RowScene:
    """Render a random row in a random appearance, cut out with some margin; some dice lie beside the row."""
    rng = random.Random(seed)
    look = draw_random_appearance(rng)
    things = make_row(rng, look, rng.randint(2, 6), 0.55, kinds)
    for _ in range(rng.randint(0, 3)):
        x, y = rng.uniform(-170, 170), rng.uniform(-90, 90)
        if all(math.dist((x, y), find_position(other)) > 2.4 * look.mouth_radius_mm for other in things):
            things.append(make_flat_die(draw_random_die(rng, kinds), x, y, rng.uniform(0, 360), rng.randrange(6), look))
    truths = tuple(label_object(thing, look, things) for thing in things)
    xs, ys = [t.centre[0] for t in truths], [t.centre[1] for t in truths]
    room = 1.6 * max(t.size for t in truths)
    w, h = FRAME_SIZE_PX
    box = (
        max(0, int(min(xs) - room)), max(0, int(min(ys) - room)),
        min(w, int(max(xs) + room)), min(h, int(max(ys) + room)),
    )  # fmt: skip
    inside = tuple(t for t in truths if box[0] < t.centre[0] < box[2] and box[1] < t.centre[1] < box[3])
    image = render_row(
        things,
        look,
        seed,
        box=box,
        cluttered=rng if rng.random() < 0.6 else None,
        quality=rng.randint(45, 95),
        finer=1 if seed % 3 else 2,
    )
    return RowScene(image, inside, box, look)


def find_position(thing: TableObject) -> tuple[float, float]:
    """Return the object's position in mm."""
    return (thing.x, thing.y) if isinstance(thing, SimulatedCup) else thing.center[:2]
