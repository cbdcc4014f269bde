"""A picture as colour-blind people see it.

Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE TVCG 15
(2009): at severity 1.0 a 3 x 3 matrix in linear RGB for each deficiency.
"""

from __future__ import annotations

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
"""By the deficiency: red, green, blue seen of red, green, blue shown."""


def to_linear_rgb(rgb: NDArray[np.float64]) -> NDArray[np.float64]:
    """Linear RGB of sRGB, both 0 to 1 (IEC 61966-2-1)."""
    found: NDArray[np.float64] = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return found


def simulate_linear(rgb: NDArray[np.float64], deficiency: str) -> NDArray[np.float64]:
    """What is seen of linear RGB, shape (..., 3), 0 to 1.

    Raises:
        KeyError: no such deficiency is known here.
    """
    found: NDArray[np.float64] = np.clip(rgb @ np.asarray(DEFICIENCY_MATRICES[deficiency]).T, 0.0, 1.0)
    return found


def simulate_deficiency(picture: pygame.Surface, deficiency: str) -> pygame.Surface:
    """A copy of the picture as it is seen.

    Raises:
        KeyError: no such deficiency is known here.
    """
    shown = np.asarray(pygame.surfarray.array3d(picture), np.float64) / 255
    found = simulate_linear(to_linear_rgb(shown), deficiency)
    back = np.where(found <= 0.0031308, found * 12.92, 1.055 * found ** (1 / 2.4) - 0.055)
    return pygame.surfarray.make_surface(np.rint(back * 255).astype(np.uint8))
