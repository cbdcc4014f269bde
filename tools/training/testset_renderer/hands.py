"""A hand and its arm over the table: bent fingers of capsules, a palm, a sleeve."""

from __future__ import annotations

import numpy as np
from ray_tracer.camera import Array
from ray_tracer.light import SurfaceMaterial
from ray_tracer.paints import make_paint
from ray_tracer.scene import PaintedSolid, SurfacePoints
from ray_tracer.shapes import Ellipsoid, make_capsule_between, rotate_about
from ray_tracer.textures import make_spectral_noise, srgb_to_linear

from testset_renderer.surfaces import random_tint

Rng = np.random.Generator
HAND_OWNER = 3
"""Name of a hand's pixels in the owner map."""


def random_skin(rng: Rng) -> tuple[Array, Array]:
    """Draw the colours of skin and sleeve."""
    light = np.array([0.62, 0.72, 0.92]) * rng.uniform(0.75, 1.05)
    dark = np.array([0.16, 0.22, 0.35])
    skin = srgb_to_linear(np.clip(dark + (light - dark) * rng.random() ** 0.6, 0, 0.95).astype(np.float32))
    return skin, random_tint(rng, None, rng.uniform(0, 0.8), rng.uniform(0.05, 0.8))


def make_hand(rng: Rng, looks: tuple[Array, Array], tip: Array, heading: float) -> list[PaintedSolid]:
    """Create a hand whose middle fingertip is at `tip` (3,), with the arm behind it; `heading` in radians."""
    skin, sleeve = looks
    grain = make_spectral_noise(rng, (64, 64), 1.0)

    def flesh(points: Array, normals: Array, rays: Array) -> SurfacePoints:
        cell = (np.abs(points[:, :2]) * 1.7).astype(int) % 64
        color = skin * (1 + 0.035 * grain[cell[:, 0], cell[:, 1]])[:, None]
        return SurfacePoints(
            SurfaceMaterial(color.astype(np.float32), 0.55, 0.03, 0.35), normals, np.ones(len(points), np.float32)
        )

    side = float(rng.choice([-1, 1]))
    size = float(rng.uniform(0.85, 1.12))
    spread, bend = rng.uniform(0.02, 0.2), rng.uniform(0.0, 0.5)
    turn = rotate_about((0, 0, 1), heading - np.pi / 2)
    base = np.array([0.0, -88.0, 16.0]) * size

    def world(p: Array) -> Array:
        return np.asarray(tip + turn @ (p * np.array([side, 1, 1])), np.float32)

    out: list[PaintedSolid] = []
    for x, reach, r in ((-27, 66, 8.2), (-9, 76, 8.6), (9, 72, 8.3), (26, 56, 7.2)):
        at = base + np.array([x * 0.95, 6 - abs(x) * 0.25, 0]) * size
        way, drop = (x / 27) * spread + rng.normal(0, 0.03), 0.08 + bend * rng.uniform(0.5, 1)
        for part, share in enumerate((0.45, 0.31, 0.24)):
            thin = 1 - 0.12 * part
            step = np.array([np.sin(way), np.cos(way) * np.cos(drop), -np.sin(drop)]) * reach * share * size
            out.append(
                PaintedSolid(make_capsule_between(world(at), world(at + step), r * thin * size), flesh, HAND_OWNER)
            )
            at, drop = at + step, drop + bend * 0.5
    thumb = base + np.array([-34, -38, -4]) * size
    knuckle = thumb + np.array([-20, 24, -4]) * size
    end = knuckle + np.array([-4 + 10 * rng.random(), 28, -5]) * size
    out.append(PaintedSolid(make_capsule_between(world(thumb), world(knuckle), 10.5 * size), flesh, HAND_OWNER))
    out.append(PaintedSolid(make_capsule_between(world(knuckle), world(end), 9 * size), flesh, HAND_OWNER))
    palm = base + np.array([0, -34, 2]) * size
    yaw = rotate_about((0, 0, 1), heading - np.pi / 2)
    out.append(
        PaintedSolid(
            Ellipsoid(world(palm), yaw, np.array([41, 50, 15], np.float32) * np.float32(size)), flesh, HAND_OWNER
        )
    )
    for x, r in ((-22, 14.0), (0, 15.0), (22, 13.0)):  # the back of the hand, from wrist to knuckles
        a, b = base + np.array([x * 0.55, -78, 2]) * size, base + np.array([x, -4, 0]) * size
        out.append(PaintedSolid(make_capsule_between(world(a), world(b), r * size), flesh, HAND_OWNER))
    wrist, elbow = palm + np.array([0, -40, 4]) * size, palm + np.array([rng.normal(0, 25), -330, 30])
    cuff = wrist + (elbow - wrist) * rng.uniform(0.08, 0.5)
    out.append(PaintedSolid(make_capsule_between(world(wrist), world(elbow), 25 * size), flesh, HAND_OWNER))
    out.append(
        PaintedSolid(make_capsule_between(world(cuff), world(elbow), 33 * size), make_paint(sleeve, 0.9), HAND_OWNER)
    )
    return out
