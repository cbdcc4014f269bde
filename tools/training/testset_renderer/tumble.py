"""Physics of dice thrown into a tray: rigid cubes that collide with floor, rim and each other.

Penalty contacts with Coulomb friction, small fixed steps. Millimetres and seconds; a die has mass 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from ray_tracer.shapes import normalize, rotate_about

Doubles = npt.NDArray[np.float64]

STEP_SECONDS = 1 / 8000
GRAVITY_MM_PER_S2 = 9810.0
_CONTACT_RAD_PER_S = 2100.0
"""Natural frequency of a contact, radians per second: it lasts about 1.5 ms."""

_CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)


@dataclass(frozen=True, eq=False)
class DiePath:
    """Poses of a die at every step: centres (n, 3) and axes (n, 3, 3)."""

    at: Doubles
    turn: Doubles


def simulate_throw(
    rng: np.random.Generator, edge: float, half: tuple[float, float], rim: float, seconds: float = 1.7
) -> tuple[DiePath, DiePath] | None:
    """Simulate two dice thrown from above the rim into a tray around the origin, with its floor at 0.

    Returns:
        Their paths; None if one left the tray, did not come to rest, or came to rest cocked.
    """
    bounce, rub = float(rng.uniform(0.06, 0.2)), float(rng.uniform(0.25, 0.5))
    side = rng.uniform(0, 2 * np.pi)
    way = np.array([np.cos(side), np.sin(side), 0])
    across = np.array([-way[1], way[0], 0])
    speed = rng.uniform(350, 800)
    at = np.stack([-way * (min(half) + 12) + across * s * edge * 0.9 + [0, 0, rng.uniform(50, 85)] for s in (-1, 1)])
    velocity = way * speed + rng.normal(0, 70, (2, 3)) + [0, 0, rng.uniform(-250, 50)]
    turn = np.stack([rotate_about(tuple(rng.normal(0, 1, 3)), rng.uniform(0, 3)) for _ in range(2)]).astype(float)
    spin = rng.normal(0, 22, (2, 3))
    inertia = edge**2 / 6
    corners = _CORNERS * edge / 2 * 0.97
    steps = int(seconds / STEP_SECONDS)
    ats, turns = np.empty((2, steps, 3)), np.empty((2, steps, 3, 3))
    stiff, damp = _CONTACT_RAD_PER_S**2, 2 * bounce * _CONTACT_RAD_PER_S
    normals = np.array([[0, 0, 1], [1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]], float)
    offsets = np.array([0, half[0], half[0], half[1], half[1]])
    for step in range(steps):
        push, twist = np.zeros((2, 3)), np.zeros((2, 3))
        push[:, 2] = -GRAVITY_MM_PER_S2
        arms = corners @ turn.transpose(0, 2, 1)  # (2, 8, 3)
        points = at[:, None] + arms
        speeds = velocity[:, None] + np.cross(spin[:, None], arms)
        deep = -(points @ normals.T) - offsets  # (2, 8, 5)
        deep[..., 1:][np.broadcast_to(points[..., 2:] > rim, deep[..., 1:].shape)] = 0
        for die, corner, plane in np.argwhere(deep > 0):
            n = normals[plane]
            v = speeds[die, corner]
            along = float(v @ n)
            force = max(0.0, stiff * min(deep[die, corner, plane], 1.5) - damp * along)
            slide = v - along * n
            pace = float(np.sqrt(slide @ slide)) + 1e-9
            f = force * n - slide / pace * min(rub * force, 900 * pace)
            push[die] += f
            twist[die] += np.cross(arms[die, corner], f)
        gap = at[1] - at[0]
        far = float(np.sqrt(gap @ gap))
        if far < edge * 1.15:
            n = gap / far
            force = max(0.0, 0.2 * stiff * (edge * 1.15 - far) - 0.3 * damp * float((velocity[1] - velocity[0]) @ n))
            push[0] -= force * n
            push[1] += force * n
        velocity = velocity + push * STEP_SECONDS
        spin = (spin + twist / inertia * STEP_SECONDS) * (1 - 0.6 * STEP_SECONDS)
        at = at + velocity * STEP_SECONDS
        for die in range(2):
            w = spin[die]
            angle = float(np.sqrt(w @ w)) * STEP_SECONDS
            if angle > 1e-9:
                turn[die] = rotate_about((w[0], w[1], w[2]), angle) @ turn[die]
        if step % 200 == 0:
            turn = np.stack([np.linalg.qr(t)[0] * np.sign(np.diag(np.linalg.qr(t)[1])) for t in turn])
        ats[:, step], turns[:, step] = at, turn
        if step > 2000 and step % 100 == 0 and _is_at_rest(ats[:, step - 600 : step], turns[:, step - 600 : step]):
            ats, turns = ats[:, : step + 1], turns[:, : step + 1]
            break
    else:
        return None
    level = np.abs(turns[:, -1, 2]).max(-1)
    if (np.abs(ats[:, -1, :2]) > np.array(half)).any() or (level < 0.9995).any():
        return None
    return DiePath(ats[0], turns[0]), DiePath(ats[1], turns[1])


def _is_at_rest(at: Doubles, turn: Doubles) -> bool:
    return bool(np.abs(at - at[:, -1:]).max() < 0.05 and np.abs(turn - turn[:, -1:]).max() < 0.004)


def find_settling_seconds(path: DiePath, edge: float) -> float:
    """Return the seconds from the start until no corner is farther than 0.2 mm from its final place."""
    off = np.abs(path.at - path.at[-1]).max(1) + np.abs(path.turn - path.turn[-1]).max((1, 2)) * edge
    moving = np.flatnonzero(off > 0.2)
    return float((moving[-1] + 1) * STEP_SECONDS) if len(moving) else 0.0


def level_axes(turn: Doubles) -> Doubles:
    """Return the axes with the upward one exactly vertical."""
    up = int(np.abs(turn[2]).argmax())
    out = turn.copy()
    out[:, up] = np.array([0, 0, np.sign(turn[2, up])])
    one, two = (up + 1) % 3, (up + 2) % 3
    out[2, one] = 0
    out[:, one] = normalize(out[None, :, one])[0]
    out[:, two] = np.cross(out[:, up], out[:, one])
    return out
