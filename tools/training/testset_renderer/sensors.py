"""Random cameras: exposure, sharpness, noise and the image processing inside."""

from __future__ import annotations

import numpy as np
from ray_tracer.sensor import Sensor

Rng = np.random.Generator


def random_sensor(rng: Rng, worst: float = 1.0) -> Sensor:
    """Draw a random camera; `worst` scales its blur and noise."""
    warm = rng.normal(0, 0.07)
    return Sensor(
        exposure=float(rng.uniform(0.3, 0.62)),
        gains=(float(np.exp(-warm)), float(np.exp(rng.normal(0, 0.025))), float(np.exp(warm))),
        blur=float(rng.gamma(2.0, 0.28) * worst + 0.25),
        noise=float(np.exp(rng.uniform(np.log(0.003), np.log(0.035))) * worst),
        vignette=float(rng.uniform(0, 0.35)),
        curve=float(rng.uniform(0, 0.55)),
        saturation=float(rng.uniform(0.75, 1.25)),
        sharpen=float(max(0, rng.normal(0.35, 0.45))),
        denoise=float(rng.random() ** 2),
        fringe=float(max(0, rng.normal(0, 0.0005))),
        bayer=bool(rng.random() < 0.7),
        quality=int(rng.integers(52, 97)),
        gray=bool(rng.random() < 0.05),
    )
