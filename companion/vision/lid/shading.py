"""A lid's shading: a quadratic surface over its image, fitted by least squares."""

import numpy as np

from companion.vision.lid.geometry import Float32Array

LID_IMAGE_SIDE_PX = 112
"""Side of the square image of the lid in its plane. If it grows, finer marks count, and comparing turns takes
longer."""
_REGULARISATION = 1e-3 * np.eye(6, dtype=np.float32)
"""Added to the normal equations of the shading, so that they can be solved where little of the lid is bare. If it
grows, the shading is flatter."""


_MIN_SHADING_ERROR = 6.0
"""Pixels within this colour distance of the shading are always kept. If it grows, marks bend the shading."""
_MAX_SHADING_ERROR_RATIO = 2.0
"""Pixels beyond this multiple of the median error of the shading are dropped. If it grows, marks bend the shading."""


def _make_surface_terms() -> Float32Array:
    """Return the terms of a quadratic surface at each pixel of the lid's image, shape (side, side, 6)."""
    axis = (np.arange(LID_IMAGE_SIDE_PX, dtype=np.float32) + 0.5) / LID_IMAGE_SIDE_PX * 2 - 1
    x, y = np.meshgrid(axis, axis)
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=2)


SURFACE_TERMS = _make_surface_terms()
"""Terms of a quadratic surface at each pixel of the lid's image, shape (side, side, 6)."""


def _fit_surface(terms: Float32Array, colours: Float32Array) -> Float32Array:
    """Return the factors (6, 3) with which terms (n, 6) fit colours (n, 3) best."""
    factors = np.linalg.solve(np.dot(terms.T, terms) + _REGULARISATION, np.dot(terms.T, colours))
    return np.asarray(factors, np.float32)


def fit_shading(terms: Float32Array, colours: Float32Array) -> Float32Array:
    """Return the factors (6, 3) with which terms (n, 6) fit colours (n, 3), without the pixels that marks have."""
    keep = np.ones(len(terms), bool)
    factors = _fit_surface(terms, colours)
    for _ in range(2):
        off = colours - np.dot(terms, factors)
        off = np.sqrt(np.einsum("nc,nc->n", off, off))
        keep = off < max(_MIN_SHADING_ERROR, _MAX_SHADING_ERROR_RATIO * float(np.median(off[keep])))
        factors = _fit_surface(terms[keep], colours[keep])
    return factors
