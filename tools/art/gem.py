"""The crystal: a cut stone that refracts light."""

from __future__ import annotations

from math import cos, pi, radians, sin

import numpy as np
import numpy.typing as npt
from ray_renderer import Array, Body, Surface, Vector, Viewpoint, normalise, reflect_studio, rotation, smoothstep, srgb

from art.shapes import draw_object

CRYSTAL = srgb(70, 190, 255)
FACET_RINGS = ((8, 56, 0.58, 0.0), (8, 47, 0.715, 0.5), (8, -49, 0.67, 0.0), (8, -45, 0.73, 0.5))
"""Rings of a stone's facets: their number, the slope of their normals in degrees, distance from the centre, turn."""
TABLE_HEIGHT = 0.38
"""Height of the flat facet on top above the centre."""


def _list_facets() -> tuple[Array, Array]:
    """Return the facets of a brilliant: normals `(F, 3)` and distances `(F,)` from its centre."""
    normals, distances = [(0.0, 1.0, 0.0)], [TABLE_HEIGHT]
    for count, slope_deg, distance, turn in FACET_RINGS:
        slope = radians(slope_deg)
        for i in range(count):
            angle = 2 * pi * (i + turn) / count + 0.2
            normals.append((cos(slope) * cos(angle), sin(slope), cos(slope) * sin(angle)))
            distances.append(distance)
    return normalise(np.array(normals, np.float32)), np.array(distances, np.float32)


FACET_NORMALS, FACET_DISTANCES = _list_facets()
GEM_TURN = rotation(yaw_deg=8, pitch_deg=10, roll_deg=-14)


def measure_gem(p: Array) -> Array:
    """Return the distance of a cut stone of radius 1."""
    return np.asarray((p @ FACET_NORMALS.T - FACET_DISTANCES).max(axis=1) - 0.015, np.float32)


def paint_gem(p: Array, normal: Array, view: Array, *, colour: Array, turn: Array) -> Surface:
    """Paint a crystal: light that is refracted, and reflected within, by its facets."""
    index = 1.7
    cosine = -np.einsum("ij,ij->i", normal, view)
    root = np.sqrt(np.maximum(1 - (1 - cosine**2) / index**2, 0))
    ray = normalise(view / index + (cosine / index - root)[:, None] * normal)
    at, light, through = p - normal * 0.02, np.zeros_like(p), np.ones_like(p)
    for _ in range(4):
        slope = ray @ FACET_NORMALS.T
        room = FACET_DISTANCES - at @ FACET_NORMALS.T
        lengths = np.where(slope > 1e-4, room / np.maximum(slope, 1e-4), 1e3)
        facet = lengths.argmin(axis=1)
        length = np.clip(lengths[np.arange(len(p)), facet], 0, 3)
        at = (at + ray * length[:, None]).astype(np.float32)
        out = FACET_NORMALS[facet]
        through = through * np.exp(-length[:, None] * (1.02 - colour) * 0.9)
        leaves = np.einsum("ij,ij->i", ray, out)
        escape = smoothstep(0.55, 0.95, leaves) * 0.75 + 0.1
        light += through * escape[:, None] * reflect_studio((ray @ turn.T).astype(np.float32)) * 1.5
        through = through * (1 - escape[:, None])
        ray = normalise(ray - 2 * leaves[:, None] * out)
    glow = light * colour * 2.0 + colour * colour * 0.05
    return Surface(colour * 0.12, normal, 0.9, 220, 0.0, glow.astype(np.float32))


def make_gem(centre: Vector, size: float = 1.0, turn: Array = GEM_TURN, colour: Array = CRYSTAL) -> Body:
    """Return a crystal; `size` is its radius."""

    def paint(p: Array, normal: Array, view: Array) -> Surface:
        return paint_gem(p / size, normal, view, colour=np.broadcast_to(colour, p.shape), turn=turn)

    return Body(lambda p: measure_gem(p / size) * size, paint, centre, turn, 1.25 * size)


def draw_gem_art() -> npt.NDArray[np.uint8]:
    """Draw a crystal."""
    return draw_object(make_gem((0, 0.83, 0)), camera=Viewpoint((0.06, 0.68, 0), 24, 2.35))
