"""Simulation of colour-vision deficiencies.

Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE TVCG 15
(2009): at severity 1.0 a 3 x 3 matrix in linear RGB for each deficiency.
"""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
import pygame
from numpy.typing import NDArray

DEFICIENCY_MATRICES: Mapping[str, tuple[tuple[float, float, float], ...]] = MappingProxyType(
    {
        "protanopia": (
            (0.152286, 1.052583, -0.204868),
            (0.114503, 0.786281, 0.099216),
            (-0.003882, -0.048116, 1.051998),
        ),
        "deuteranopia": (
            (0.367322, 0.860646, -0.227968),
            (0.280085, 0.672501, 0.047413),
            (-0.011820, 0.042940, 0.968881),
        ),
        "tritanopia": (
            (1.255528, -0.076749, -0.178779),
            (-0.078411, 0.930809, 0.147602),
            (0.004733, 0.691367, 0.303900),
        ),
    }
)
"""By deficiency, at severity 1.0: rows are the linear red, green, blue seen; columns those shown."""


def to_linear_rgb(srgb: NDArray[np.float64]) -> NDArray[np.float64]:
    """Convert an array of sRGB values, 0 to 1, any shape, to linear RGB, 0 to 1 (IEC 61966-2-1)."""
    return np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)


def simulate_linear(rgb: NDArray[np.float64], deficiency: str) -> NDArray[np.float64]:
    """Return how linear RGB colours look with a colour-vision deficiency.

    Args:
        rgb: linear RGB of shape (..., 3), 0 to 1.
        deficiency: key of `DEFICIENCY_MATRICES`.

    Returns:
        Linear RGB of the same shape, clipped to 0 to 1.

    Raises:
        KeyError: `deficiency` is no key of `DEFICIENCY_MATRICES`.
        ValueError: `rgb` has another shape.
    """
    simulated: NDArray[np.float64] = np.clip(rgb @ np.asarray(DEFICIENCY_MATRICES[deficiency]).T, 0.0, 1.0)
    return simulated


def simulate_deficiency(picture: pygame.Surface, deficiency: str) -> pygame.Surface:
    """Return a copy of the picture as people with that deficiency see it; `picture` itself is not changed.

    Args:
        picture: any surface; transparency is dropped.
        deficiency: key of `DEFICIENCY_MATRICES`.

    Returns:
        A new surface of the same size.

    Raises:
        KeyError: `deficiency` is no key of `DEFICIENCY_MATRICES`.
    """
    srgb = np.asarray(pygame.surfarray.array3d(picture), np.float64) / 255
    linear = simulate_linear(to_linear_rgb(srgb), deficiency)
    simulated = np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)
    return pygame.surfarray.make_surface(np.rint(simulated * 255).astype(np.uint8))
