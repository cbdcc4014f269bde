"""Flat pictures for the ray tracer: noise with a spectrum, linear light, the placement of a sheet on the table."""

from __future__ import annotations

import cv2
import numpy as np

from ray_tracer.camera import Array

Rng = np.random.Generator


def make_spectral_noise(rng: Rng, shape: tuple[int, int], slope: float, stretch: float = 1.0) -> Array:
    """Draw noise of mean 0 and deviation 1 whose amplitude falls with frequency to the power `slope`.

    It is `stretch` times longer along x than along y.
    """
    h, w = (cv2.getOptimalDFTSize(n) for n in shape)
    fy, fx = np.fft.fftfreq(h)[:, None], np.fft.rfftfreq(w)[None, :] * stretch
    gain = 1 / np.maximum(np.hypot(fx, fy), 1 / max(h, w)) ** slope
    gain[0, 0] = 0
    field = np.fft.irfft2(np.fft.rfft2(rng.standard_normal((h, w), dtype=np.float32)) * gain, (h, w))[
        : shape[0], : shape[1]
    ]
    return np.asarray((field - field.mean()) / (field.std() + 1e-9), np.float32)


def srgb_to_linear(srgb: Array) -> Array:
    """Convert sRGB values 0 to 1 to linear light (IEC 61966-2-1)."""
    return np.asarray(np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4), np.float32)


def compute_placement(width: int, height: int, scale: float, at: tuple[float, float], angle: float) -> np.ndarray:
    """Compute the placement of a sheet of this many pixels, `scale` of them per mm, centred at `at`.

    Its y axis points up in the world if `angle`, in radians, is 0.
    """
    c, s = np.cos(angle) / scale, np.sin(angle) / scale
    turn = np.array([[c, s], [s, -c]])
    return np.column_stack([turn, np.array(at) - turn @ np.array([(width - 1) / 2, (height - 1) / 2])])
