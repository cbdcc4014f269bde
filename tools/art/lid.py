"""The lid of the Macroscope."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from ray_renderer import Array, Body, Surface, Vector, Viewpoint, mix, normalise, smoothstep, srgb

from art.shapes import BRASS, OBJECT_PX, draw_grain, draw_object, measure_plate

LID_HALF = (1.32, 0.1, 0.96)
"""Half the size of the Macroscope's lid."""


def make_lid(centre: Vector, turn: Array | None = None) -> Body:
    """Return the Macroscope's lid: a wooden plate with a rim of brass and four studs."""

    def measure_rim(p: Array) -> Array:
        flat = p * np.array([1, 0, 1], np.float32)
        return measure_plate(flat, (LID_HALF[0], 1, LID_HALF[2]), 0.14, 0)

    def distance(p: Array) -> Array:
        plate = measure_plate(p, LID_HALF, 0.14, 0.04)
        inner = smoothstep(-0.085, -0.1, measure_rim(p))
        return ((plate + 0.045 * inner * (p[:, 1] > 0)) * 0.8).astype(np.float32)

    def paint(p: Array, normal: Array, view: Array) -> Surface:
        brass = smoothstep(-0.1, -0.088, measure_rim(p))
        stud = np.sqrt((np.abs(p[:, 0]) - LID_HALF[0] + 0.19) ** 2 + (np.abs(p[:, 2]) - LID_HALF[2] + 0.19) ** 2)
        shiny = np.maximum(brass, smoothstep(0.052, 0.046, stud))
        dome = np.stack(
            [
                p[:, 0] - np.sign(p[:, 0]) * (LID_HALF[0] - 0.19),
                0.05 + 0 * stud,
                p[:, 2] - np.sign(p[:, 2]) * (LID_HALF[2] - 0.19),
            ],
            axis=1,
        )
        normal = normalise(mix(normal, normalise(dome.astype(np.float32)), smoothstep(0.052, 0.046, stud)))
        wood = draw_grain(p, srgb(150, 92, 54), srgb(104, 58, 32), 1.6)
        gloss, metal = (np.asarray(share, np.float32) for share in (0.25 + 0.55 * shiny, 0.65 * shiny))
        return Surface(mix(wood, BRASS, shiny), normal, gloss, 60, metal)

    return Body(distance, paint, centre, np.eye(3, dtype=np.float32) if turn is None else turn, 1.68)


def draw_lid_art() -> npt.NDArray[np.uint8]:
    """Draw the empty lid, seen from straight above; the stage draws its windows."""
    camera = Viewpoint((0.02, 0, 0.02), 90, 2.8)
    return draw_object(make_lid((0, 0.1, 0)), camera=camera, size=(440, OBJECT_PX))
