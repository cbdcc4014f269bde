"""Plane geometry for the lid: homographies, rigid motions, and what equal circles tell of the camera's tilt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

LID_CENTRE: FloatArray = np.zeros(2)
"""The origin of the lid's plane."""


def project_points(h: FloatArray, points: FloatArray) -> FloatArray:
    """Points, shape (..., 2), through the homography `h` (3, 3)."""
    out = points @ h[:, :2].T + h[:, 2]
    return np.asarray(out[..., :2] / out[..., 2:], np.float64)


def invert(h: FloatArray) -> FloatArray:
    """The homography back."""
    return np.asarray(np.linalg.inv(h), np.float64)


def compute_scale(h: FloatArray, point: FloatArray) -> float:
    """How much `h` enlarges lengths around `point`, both directions averaged."""
    return float(compute_scales(h, point))


def compute_scales(h: FloatArray, points: FloatArray) -> FloatArray:
    """`scale_at` of many points, shape (..., 2): the root of the homography's determinant there."""
    away = points @ h[2, :2] + h[2, 2]
    return np.asarray(np.sqrt(np.abs(np.linalg.det(h)) / np.abs(away) ** 3), np.float64)


def make_rotation(angle: float, shift: FloatArray | None = None) -> FloatArray:
    """The rigid motion by `angle` (radians) about the origin, then by `shift`, as a homography."""
    c, s = np.cos(angle), np.sin(angle)
    h = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    if shift is not None:
        h[:2, 2] = shift
    return h


def fit_homography(source: FloatArray, target: FloatArray, weights: FloatArray) -> FloatArray:
    """The homography that takes `source` (n, 2) to `target` (n, 2): as free as n points bear.

    Two to five points: a similarity; six or seven: an affine map; from eight on a full homography (all of them by
    weighted least squares, the last linearised with Hartley's normalisation). Raises ValueError for fewer than two.
    """
    n = len(source)
    if n < 2:
        raise ValueError("at least two points are needed")
    share = weights / weights.sum()
    middle_s, middle_t = share @ source, share @ target
    a, b = source - middle_s, target - middle_t
    root = np.sqrt(weights)[:, None]
    h = np.eye(3)
    if n < 6:
        z, w = a[:, 0] + 1j * a[:, 1], b[:, 0] + 1j * b[:, 1]
        turn = (weights * z.conj() * w).sum() / (weights * abs(z) ** 2).sum()
        h[:2, :2] = [[turn.real, -turn.imag], [turn.imag, turn.real]]
    elif n < 8:
        h[:2, :2] = np.linalg.lstsq(a * root, b * root, rcond=None)[0].T
    else:
        size_s, size_t = np.abs(a).mean(), np.abs(b).mean()
        a, b = a / size_s, b / size_t
        x, y = a.T
        rows = np.zeros((2, n, 8))
        rows[0, :, :2] = rows[1, :, 3:5] = a
        rows[0, :, 2] = rows[1, :, 5] = 1.0
        rows[:, :, 6] = -x * b.T
        rows[:, :, 7] = -y * b.T
        aim = (b * root).T.ravel()
        # The scales are evened out, so the normal equations lose nothing; the trace keeps them solvable.
        weighted = (rows * root).reshape(2 * n, 8)
        normal = weighted.T @ weighted
        solved = np.linalg.solve(normal + 1e-12 * np.trace(normal) * np.eye(8), weighted.T @ aim)
        small = np.append(solved, 1.0).reshape(3, 3)
        h = np.diag([size_t, size_t, 1.0]) @ small @ np.diag([1 / size_s, 1 / size_s, 1.0])
    before, after = np.eye(3), np.eye(3)
    before[:2, 2] = -middle_s
    after[:2, 2] = middle_t
    out = after @ h @ before
    return np.asarray(out / out[2, 2], np.float64)


@dataclass(frozen=True, slots=True)
class Ellipse:
    """A circle as seen: its centre, shape (2,), and the matrix S with (p - c)' S^-1 (p - c) = 1 on the outline."""

    center: FloatArray
    shape: FloatArray

    @property
    def radius(self) -> float:
        """The radius of the circle of the same area, in pixels."""
        return float(np.linalg.det(self.shape) ** 0.25)


def rectify_circles(ellipses: list[Ellipse]) -> FloatArray:
    """The homography from the image to a plane in which these are circles of radius 1 around their common centre.

    Equal circles in one plane give the plane's vanishing line (their seen areas go with the cube of the distance
    factor) and, once that is undone, its tilt (their common shape). The rotation in the plane stays the image's.
    """
    centers = np.array([e.center for e in ellipses])
    middle = centers.mean(axis=0)
    away = centers - middle
    spread = np.abs(away).max()
    size = np.array([np.sqrt(np.linalg.det(e.shape)) for e in ellipses]) ** (1 / 3)
    k, lx, ly = np.linalg.lstsq(np.column_stack([np.ones(len(away)), away / spread]), size, rcond=None)[0]
    line = np.array([lx, ly]) / (k * spread)
    mean = np.zeros((2, 2))
    for center, ellipse in zip(away, ellipses, strict=True):
        w = 1 + line @ center
        jacobian = (np.eye(2) - np.outer(center, line) / w) / w
        mean += jacobian @ ellipse.shape @ jacobian.T / len(ellipses)
    values, vectors = np.linalg.eigh(mean)
    undo = vectors @ np.diag(values**-0.5) @ vectors.T
    centred = np.array([[1.0, 0.0, -middle[0]], [0.0, 1.0, -middle[1]], [0.0, 0.0, 1.0]])
    flat = np.eye(3)
    flat[2, :2] = line
    affine = np.eye(3)
    affine[:2, :2] = undo
    out: FloatArray = affine @ flat @ centred
    shift = np.eye(3)
    shift[:2, 2] = -project_points(out, centers).mean(axis=0)
    return shift @ out


def sample_image(image: npt.NDArray[np.uint8], h: FloatArray, points: FloatArray) -> npt.NDArray[np.uint8]:
    """The image's colours at `points` (rows, columns, 2) of a plane that `h` takes to the image, bilinear."""
    at = project_points(h, points).astype(np.float32)
    out = cv2.remap(image, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(out, np.uint8)


def make_patch_homography(middle: FloatArray, reach: float, side: int) -> FloatArray:
    """The homography from the pixels of a side x side picture to the plane's square of +-reach around `middle`."""
    step = 2 * reach / side
    corner = middle - reach + step / 2
    return np.array([[step, 0.0, corner[0]], [0.0, step, corner[1]], [0.0, 0.0, 1.0]])


PixelArrayT = TypeVar("PixelArrayT", npt.NDArray[np.uint8], npt.NDArray[np.float32])


def cut_patch(image: PixelArrayT, h: FloatArray, middle: FloatArray, reach: float, side: int) -> PixelArrayT:
    """The square of +-reach around `middle` in a plane that `h` takes to the image, side x side pixels, bilinear."""
    turn = h @ make_patch_homography(middle, reach, side)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    out = cv2.warpPerspective(image, turn, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(out, image.dtype)


def _dot(a: FloatArray, b: FloatArray) -> FloatArray:
    return np.asarray(np.einsum("...c,...c->...", a, b))


def find_changed_colours(now: FloatArray, then: FloatArray, brighter: float | FloatArray) -> npt.NDArray[np.bool_]:
    """Which colours (..., 3) are not those of the same surface `then`, in light, in shadow or in a lamp's reflection.

    Shadow may take up to 70 %, light add the share `brighter`, a reflection add or take up to 50 levels of white;
    across these the hue must stay.
    """
    ground = then + 1.0
    level = np.sqrt(_dot(ground, ground))
    unit = ground / level[..., None]
    along = _dot(now, unit) / level
    rest = now - along[..., None] * ground
    white = 1.0 - unit.sum(axis=-1, keepdims=True) * unit  # what of white is not the surface's own hue
    gloss = _dot(rest, white) / np.maximum(_dot(white, white), 1e-3)
    # Where the light is weaker there is no new reflection, where it is stronger none has gone.
    allowed = np.minimum(np.maximum(gloss, np.where(along < 1.1, -50.0, 0.0)), np.where(along > 0.9, 50.0, 0.0))
    rest -= allowed[..., None] * white
    across = np.sqrt(_dot(rest, rest))
    odd = (across > 9 + 0.06 * level) | (along < 0.3) | ((along - 1) * level > 25 + brighter * level)
    return np.asarray(odd, np.bool_)
