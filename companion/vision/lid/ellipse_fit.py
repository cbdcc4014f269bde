"""The outline of a window or a token: an ellipse through the strongest edges around a point."""

import cv2
import numpy as np

from companion.vision.lid.geometry import Ellipse, FloatArray, make_rigid_motion
from companion.vision.reading import Image

_RAY_COUNT = 64
"""Rays on which an outline is searched for. If it grows, fits are finer and slower."""
_RAY_INDICES = np.arange(_RAY_COUNT)
"""0 to 63."""
_RAY_DIRECTIONS = np.stack([np.cos(_RAY_INDICES * (2 * np.pi / 64)), np.sin(_RAY_INDICES * (2 * np.pi / 64))])
"""Unit vectors of the rays, shape (2, 64)."""
_MIN_RAYS = 20
"""Least number of rays that agree with a fitted ellipse. If it grows, half hidden outlines are given up."""
_MIN_RAY_STRENGTH_SHARE = 0.3
"""Least strength of a ray's edge, as a share of the median ray's. If it grows, unevenly lit outlines lose rays."""
_MIN_RAY_ERROR_SHARE = 0.02
"""A ray this near to the ellipse (share of the radius) is kept in any case. If it grows, fits are less exact."""
_MAX_RAY_ERROR_RATIO = 2.5
"""A ray is dropped beyond this multiple of the median error. If it grows, outliers pull at the fit."""
_MIN_AXIS_RATIO_SQUARED = 0.55
"""Least ratio of an outline's squared axes (0.74 of the axes: 42 degrees of tilt). If it grows, fewer oblique circles
are accepted."""


def fit_ellipse(image: Image, x: float, y: float, radius_px: float, tolerance: float = 0.22) -> Ellipse | None:
    """Fit an ellipse to the strongest edges on 64 rays around a point.

    Rays that disagree with the fit are dropped, in three rounds.

    Args:
        image: (H, W, 3) uint8 BGR.
        x: the circle's approximate centre, pixels from the left.
        y: the circle's approximate centre, pixels from the top.
        radius_px: its approximate radius in pixels, above 0.
        tolerance: how far the outline may be from that radius, as a share of it, 0 to 1.

    Returns:
        The outline in pixels of `image`; None if no ellipse of that size fits, or only a very narrow one.
    """
    steps = np.linspace(1 - tolerance, 1 + tolerance, max(9, int(2 * tolerance * radius_px * 1.5))) * radius_px
    at = (_RAY_DIRECTIONS[:, :, None] * steps + np.array([[[x]], [[y]]])).astype(np.float32)
    sharp = cv2.remap(image, at[0], at[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    rays = cv2.blur(sharp.astype(np.float32), (3, 3))
    jump = rays[:, 2:] - rays[:, :-2]
    jump = np.einsum("rsc,rsc->rs", jump, jump)
    best = jump.argmax(axis=1)
    strength = np.sqrt(jump[_RAY_INDICES, best])
    keep = strength > _MIN_RAY_STRENGTH_SHARE * np.median(strength)
    points = (_RAY_DIRECTIONS * steps[best + 1]).T + np.array([x, y])
    ellipse = None
    for _ in range(3):
        if np.count_nonzero(keep) >= _MIN_RAYS:
            ellipse = _fit_ellipse(points[keep])
        if ellipse is None:
            return None
        away = points - ellipse.center
        error = np.abs(np.sqrt(np.einsum("ni,ni->n", away @ np.linalg.inv(ellipse.shape), away)) - 1)
        keep = error < max(_MIN_RAY_ERROR_SHARE, _MAX_RAY_ERROR_RATIO * float(np.median(error[keep])))
    if ellipse is None:
        return None
    values = np.linalg.eigvalsh(ellipse.shape)
    if values[0] < _MIN_AXIS_RATIO_SQUARED * values[1] or abs(ellipse.radius / radius_px - 1) > tolerance:
        return None
    return ellipse


def _fit_ellipse(points: FloatArray) -> Ellipse | None:
    """Fit an ellipse through at least five points by least squares (cv2.fitEllipseDirect)."""
    (cx, cy), (width, height), angle = cv2.fitEllipseDirect(points.astype(np.float32))
    if not (np.isfinite([cx, cy, width, height]).all() and min(width, height) > 1):
        return None
    turn = make_rigid_motion(np.deg2rad(angle))[:2, :2]
    return Ellipse(np.array([cx, cy]), turn @ np.diag([(width / 2) ** 2, (height / 2) ** 2]) @ turn.T)
