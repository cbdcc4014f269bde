"""Dice that lie on the table or turn in the air."""

from __future__ import annotations

from math import cos, pi, sin

import cv2
import numpy as np
import numpy.typing as npt
from ray_renderer import Array, Body, Ground, Surface, Vector, Viewpoint, mix, normalise, render, rotation, smoothstep

from art.shapes import IVORY, OBJECT_PX, PIP, SHADOW_ONLY, measure_round_cube

PIP_PLACES: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),),
    2: ((-0.48, -0.48), (0.48, 0.48)),
    3: ((-0.5, -0.5), (0, 0), (0.5, 0.5)),
    4: ((-0.46, -0.46), (0.46, -0.46), (-0.46, 0.46), (0.46, 0.46)),
    5: ((-0.5, -0.5), (0.5, -0.5), (0, 0), (-0.5, 0.5), (0.5, 0.5)),
    6: ((-0.46, -0.52), (0.46, -0.52), (-0.46, 0), (0.46, 0), (-0.46, 0.52), (0.46, 0.52)),
}
PIP_RADIUS = 0.205
"""Radius of a pip."""
ONE_PIP_RADIUS = 0.27
"""Radius of the single pip of a one."""


def paint_die(p: Array, normal: Array, view: Array, *, top: int | None, body: Array, pip: Array) -> Surface:
    """Paint a die of half 1 with hollow pips; `top` is the value of its upper face, None: it has no pips."""
    colour = np.broadcast_to(body, p.shape).copy()
    normal = normal.copy()
    gloss = np.full(len(p), 0.55, np.float32)
    if top is None:
        return Surface(colour, normal, gloss, 90)
    right, front = {1: (3, 2), 2: (3, 6), 3: (2, 6), 4: (5, 1), 5: (4, 1), 6: (4, 5)}[top]
    values = {(1, 1): top, (1, -1): 7 - top, (0, 1): right, (0, -1): 7 - right, (2, 1): front, (2, -1): 7 - front}
    axis = np.abs(p).argmax(axis=1)
    for (a, side), value in values.items():
        mine = (axis == a) & (np.sign(p[:, a]) == side)
        across, along = ((0, 2), (2, 1), (0, 1))[(1, 0, 2).index(a)]
        for x, y in PIP_PLACES[value]:
            radius = ONE_PIP_RADIUS if value == 1 else PIP_RADIUS
            dx, dy = p[:, across] - x, p[:, along] - y
            away = np.sqrt(dx * dx + dy * dy)
            inside = mine & (away < radius)
            if not inside.any():
                continue
            share = smoothstep(radius, radius - 0.025, away[inside])
            bowl = np.zeros((int(inside.sum()), 3), np.float32)
            bowl[:, across], bowl[:, along] = -dx[inside], -dy[inside]
            bowl[:, a] = side * radius * 0.85
            normal[inside] = normalise(mix(normal[inside], normalise(bowl), share))
            depth = smoothstep(0, radius, away[inside])
            colour[inside] = mix(colour[inside], mix(pip * 1.5, pip * 0.6, depth), share)
            gloss[inside] = 0.4
    return Surface(colour, normal, gloss, 90)


def make_die(
    top: int | None, centre: Vector, turn: Array, half: float = 1.0, body: Array = IVORY, pip: Array = PIP
) -> Body:
    """Return a die; `half` is half its side."""

    def paint(p: Array, normal: Array, view: Array) -> Surface:
        return paint_die(p / half, normal, view, top=top, body=body, pip=pip)

    return Body(lambda p: measure_round_cube(p / half) * half, paint, centre, turn, 1.53 * half)


def draw_die_art(top: int | None, body: Array = IVORY) -> npt.NDArray[np.uint8]:
    """Draw a die on the table, seen from above, so that its upper face dominates."""
    camera = Viewpoint((0.1, 0.95, 0.0), 66, 2.95)
    return render([make_die(top, (0, 1, 0), rotation(yaw_deg=-7), body=body)], camera, (OBJECT_PX,) * 2, SHADOW_ONLY)


TUMBLE_FRAMES = 8
"""Pictures of a turning die; the last leads to the first again."""


def draw_tumble_art(frame: int) -> npt.NDArray[np.uint8]:
    """Draw a die in the air, turned by a share of a whole turn about an oblique axis, and smeared by its motion."""
    angle = 2 * pi * frame / TUMBLE_FRAMES
    axis = np.array([0.8, 0.35, -0.48])
    axis /= np.linalg.norm(axis)
    k = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    turn = np.eye(3) + sin(angle) * k + (1 - cos(angle)) * k @ k
    lean = rotation(yaw_deg=25, pitch_deg=30, roll_deg=12)
    camera = Viewpoint((0.1, 1.55, 0), 66, 3.6)
    body = make_die(5, (0, 1.75, 0), (turn @ lean).astype(np.float32))
    return smear(render([body], camera, (OBJECT_PX,) * 2, Ground(shadow=0.4)))


SMEAR_TURN_DEG, SMEAR_SHARE = 40.0, 0.26
"""How far a turning die moves in the picture while it is seen: turn, and way as a share of the picture's side. Smaller:
a value could be read, which it has not thrown."""
SMEAR_SAMPLES = 64
"""Moments whose mean that is; fewer: the pips would stand apart."""


def smear(picture: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Return a picture, (H, W, 4) uint8 BGRA, as a camera with a long exposure sees it move."""
    height, width = picture.shape[:2]
    cover = picture[..., 3:].astype(np.float32)
    light = np.concatenate([picture[..., :3] * (cover / 255), cover], axis=2)
    total = np.zeros_like(light)
    for share in np.linspace(-0.5, 0.5, SMEAR_SAMPLES):
        move = cv2.getRotationMatrix2D((width / 2, height / 2), SMEAR_TURN_DEG * share, 1.0)
        move[:, 2] += SMEAR_SHARE * share * np.array([width, height / 2])
        total += cv2.warpAffine(light, move, (width, height), flags=cv2.INTER_LINEAR)
    mean = total / SMEAR_SAMPLES
    mean[..., :3] *= 255 / np.maximum(mean[..., 3:], 1.0)
    return np.clip(mean.round(), 0, 255).astype(np.uint8)
