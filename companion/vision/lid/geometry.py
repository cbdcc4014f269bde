"""Plane geometry for the lid: homographies, rigid motions, colour comparison, and the camera's tilt from equal circles.

Two coordinate systems: the lid's plane (unit: one token radius, x to the right, y down with the arrow up, origin at the
windows' common centre) and image pixels (x to the right, y down, pixel centres at whole numbers). A homography is a
(3, 3) float64 array; unless its description says otherwise it maps points of the plane to pixels.
"""

from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.reading import Image

FloatArray = npt.NDArray[np.float64]
"""float64; the shape is said where it is used."""

Float32Array = npt.NDArray[np.float32]
"""float32."""

BoolArray = npt.NDArray[np.bool_]
"""Flags or a mask."""

PixelArrayT = TypeVar("PixelArrayT", npt.NDArray[np.uint8], npt.NDArray[np.float32])

LID_CENTRE: FloatArray = np.zeros(2)
"""Origin of the lid's plane: the windows' common centre."""

_MIN_POINTS_FOR_AFFINE = 6
"""With fewer point pairs only a similarity is fitted. If it grows, fits are stiffer and a single error matters less."""

_MIN_POINTS_FOR_HOMOGRAPHY = 8
"""With fewer point pairs a homography, which has eight parameters, is not fitted. If it grows, fits are stiffer."""

_LID_IMAGE_MARGIN_RATIO = 1.12
"""Half the side of the lid's image, in half sides of the lid. If it grows, more of the table is in the image."""

_MIN_SHADOW_SHARE = 0.3
"""Share of its brightness that a surface keeps in shadow. If it grows, deep shadows count as other surfaces."""

_MAX_REFLECTION_LEVELS = 50.0
"""White (levels of 255) that a lamp's reflection adds or takes away. If it grows, pale objects pass for reflections."""

_WEAKER_LIGHT_SHARE = 0.9
"""Below this share of the reference brightness no reflection can have been added. If it grows, fewer are allowed."""

_STRONGER_LIGHT_SHARE = 1.1
"""Above this share of the reference brightness no reflection can have gone. If it grows, more are allowed."""

_MAX_HUE_DISTANCE_LEVELS = 9.0
"""Distance (levels) across the reference's hue that noise explains. If it grows, similar hues count as the same."""

_MAX_HUE_DISTANCE_SHARE = 0.06
"""Further distance across the hue, as a share of the brightness: a colour cast grows with the light."""

_MAX_BRIGHTER_LEVELS = 25.0
"""Gain in brightness (levels) that noise explains. If it grows, slightly paler objects count as the same surface."""


def project_points(homography: FloatArray, points: FloatArray) -> FloatArray:
    """Map points through a homography.

    >>> twice_as_large = np.diag([2.0, 2.0, 1.0])
    >>> project_points(twice_as_large, np.array([[3.0, 4.0]])).tolist()
    [[6.0, 8.0]]

    Args:
        homography: (3, 3) float64.
        points: (..., 2), x and y in the plane from which the homography maps.

    Returns:
        (..., 2) float64 in the plane to which it maps; infinite or NaN for points on the vanishing line.
    """
    out = points @ homography[:, :2].T + homography[:, 2]
    return np.asarray(out[..., :2] / out[..., 2:], np.float64)


def invert(homography: FloatArray) -> FloatArray:
    """Return the inverse of a homography.

    >>> invert(np.diag([2.0, 4.0, 1.0])).diagonal().tolist()
    [0.5, 0.25, 1.0]

    Args:
        homography: (3, 3) float64.

    Raises:
        numpy.linalg.LinAlgError: the matrix is singular (a subclass of ValueError).
    """
    return np.asarray(np.linalg.inv(homography), np.float64)


def compute_scale(homography: FloatArray, point: FloatArray) -> float:
    """Return how much a homography enlarges lengths around a point: the root of its local enlargement of areas.

    >>> compute_scale(np.diag([2.0, 2.0, 1.0]), np.array([3.0, 4.0]))
    2.0

    Args:
        homography: (3, 3) float64.
        point: shape (2,), in the plane from which the homography maps.

    Returns:
        Units of the target (for example pixels) per unit of the source (for example token radii), 0 or more; infinite
        on the vanishing line.
    """
    return float(compute_scales(homography, point))


def compute_scales(homography: FloatArray, points: FloatArray) -> FloatArray:
    """Return how much a homography enlarges lengths around each point: the root of the determinant of the Jacobian.

    Args:
        homography: (3, 3) float64.
        points: (..., 2), in the plane from which the homography maps.

    Returns:
        Units of the target per unit of the source, shape (...) float64.
    """
    depth = points @ homography[2, :2] + homography[2, 2]
    return np.asarray(np.sqrt(np.abs(np.linalg.det(homography)) / np.abs(depth) ** 3), np.float64)


def make_rigid_motion(angle_rad: float, shift: FloatArray | None = None) -> FloatArray:
    """Make the homography that turns about the origin, then shifts.

    >>> quarter_turn = make_rigid_motion(np.pi / 2, np.array([10.0, 0.0]))
    >>> project_points(quarter_turn, np.array([1.0, 0.0])).round(6).tolist()
    [10.0, 1.0]

    Args:
        angle_rad: angle in radians, positive from the x axis towards the y axis: clockwise where y points down.
        shift: shape (2,), in the plane's unit; None: no shift.

    Returns:
        (3, 3) float64, from the plane to itself.
    """
    c, s = np.cos(angle_rad), np.sin(angle_rad)
    x, y = (0.0, 0.0) if shift is None else shift
    return np.array([[c, -s, x], [s, c, y], [0.0, 0.0, 1.0]])


def fit_homography(
    source: FloatArray, target: FloatArray, weights: FloatArray, *, similarity: bool = False
) -> FloatArray:
    """Fit the map from `source` to `target` by weighted least squares, as free as the number of points allows.

    >>> corners = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    >>> fitted = fit_homography(corners, 2 * corners + 5, weights=np.ones(4))
    >>> project_points(fitted, np.array([0.5, 0.5])).round(6).tolist()
    [6.0, 6.0]

    Two to five points give a similarity, six or seven an affine map, eight or more a homography (linearised, with
    Hartley's normalisation: Hartley 1997, "In defense of the eight-point algorithm").

    Args:
        source: points, shape (n, 2), not all at one place.
        target: their images, shape (n, 2), in any unit.
        weights: positive weights, shape (n,).
        similarity: fit a similarity with any number of points.

    Returns:
        (3, 3) float64 that maps `source` to `target`, scaled so that its last element is 1.

    Raises:
        ValueError: there are fewer than two points, or (as numpy.linalg.LinAlgError) they determine no map.
    """
    n = len(source)
    if n < 2:
        raise ValueError("at least two points are needed")
    share = weights / weights.sum()
    middle_s, middle_t = share @ source, share @ target
    a, b = source - middle_s, target - middle_t
    root = np.sqrt(weights)[:, None]
    h = np.eye(3)
    if similarity or n < _MIN_POINTS_FOR_AFFINE:
        z, w = a[:, 0] + 1j * a[:, 1], b[:, 0] + 1j * b[:, 1]
        turn = (weights * z.conj() * w).sum() / (weights * abs(z) ** 2).sum()
        h[:2, :2] = [[turn.real, -turn.imag], [turn.imag, turn.real]]
    elif n < _MIN_POINTS_FOR_HOMOGRAPHY:
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
        # The scales are normalised, so the normal equations lose no precision; the trace keeps them solvable.
        weighted = (rows * root).reshape(2 * n, 8)
        normal = weighted.T @ weighted
        solved = np.linalg.solve(normal + 1e-12 * np.trace(normal) * np.eye(8), weighted.T @ aim)
        small = np.append(solved, 1.0).reshape(3, 3)
        h = np.diag([size_t, size_t, 1.0]) @ small @ np.diag([1 / size_s, 1 / size_s, 1.0])
    out = make_rigid_motion(0.0, middle_t) @ h @ make_rigid_motion(0.0, -middle_s)
    return np.asarray(out / out[2, 2], np.float64)


@dataclass(frozen=True, slots=True)
class Ellipse:
    """A circle as the camera sees it.

    >>> round(Ellipse(np.array([100.0, 80.0]), np.diag([400.0, 100.0])).radius, 3)
    14.142

    Attributes:
        center: its centre in pixels, shape (2,).
        shape: the matrix S, (2, 2) in square pixels, with (p - center)' S^-1 (p - center) = 1 on the outline.
    """

    center: FloatArray
    shape: FloatArray

    @property
    def radius(self) -> float:
        """The radius, in pixels, of the circle that has the ellipse's area."""
        return float(np.linalg.det(self.shape) ** 0.25)


def rectify_circles(ellipses: list[Ellipse]) -> FloatArray:
    """Find the homography from pixels to a plane in which the ellipses are circles of radius 1.

    The origin is the circles' common centre; the rotation in the plane stays the image's. Equal circles in one plane
    give the plane's vanishing line (their areas in the image go with the cube of the distance factor) and, once that is
    undone, its tilt (their common shape).

    Args:
        ellipses: outlines in pixels of equal circles in one plane, at least three that are not on one line (not
            checked: of others the result means nothing).

    Returns:
        (3, 3) float64, from image pixels to the plane (unit: one circle radius).
    """
    centers = np.array([e.center for e in ellipses])
    middle = centers.mean(axis=0)
    offsets = centers - middle
    spread = np.abs(offsets).max()
    size = np.array([np.sqrt(np.linalg.det(e.shape)) for e in ellipses]) ** (1 / 3)
    k, lx, ly = np.linalg.lstsq(np.column_stack([np.ones(len(offsets)), offsets / spread]), size, rcond=None)[0]
    line = np.array([lx, ly]) / (k * spread)
    mean = np.zeros((2, 2))
    for center, ellipse in zip(offsets, ellipses, strict=True):
        w = 1 + line @ center
        jacobian = (np.eye(2) - np.outer(center, line) / w) / w
        mean += jacobian @ ellipse.shape @ jacobian.T / len(ellipses)
    values, vectors = np.linalg.eigh(mean)
    flat, affine = np.eye(3), np.eye(3)
    flat[2, :2] = line
    affine[:2, :2] = vectors @ np.diag(values**-0.5) @ vectors.T
    out: FloatArray = affine @ flat @ make_rigid_motion(0.0, -middle)
    return make_rigid_motion(0.0, -project_points(out, centers).mean(axis=0)) @ out


def sample_image(image: Image, homography: FloatArray, points: FloatArray) -> Image:
    """Sample an image at points of a plane, bilinear.

    Args:
        image: (H, W, 3) uint8.
        homography: (3, 3) float64, from the plane to the image's pixels.
        points: (rows, columns, 2) in the plane; outside the image the nearest border pixel counts.

    Returns:
        The colours, (rows, columns, 3) uint8.
    """
    at = project_points(homography, points).astype(np.float32)
    out = cv2.remap(image, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(out, np.uint8)


def make_patch_homography(middle: FloatArray, half_side: float, side_px: int) -> FloatArray:
    """Make the homography from the pixels of a square patch to the square of +-`half_side` around a point of a plane.

    Args:
        middle: the square's centre in the plane, shape (2,).
        half_side: half the side of the square, in the plane's unit.
        side_px: side of the patch in pixels, above 0.

    Returns:
        (3, 3) float64, from patch pixels (centres at whole numbers) to the plane.
    """
    step = 2 * half_side / side_px
    corner = middle - half_side + step / 2
    return np.array([[step, 0.0, corner[0]], [0.0, step, corner[1]], [0.0, 0.0, 1.0]])


def cut_patch(
    image: PixelArrayT, homography: FloatArray, middle: FloatArray, half_side: float, side_px: int
) -> PixelArrayT:
    """Resample a square of a plane to a square patch of pixels, bilinear.

    Args:
        image: (H, W) or (H, W, channels), uint8 or float32; beyond it its border pixels are repeated.
        homography: (3, 3) float64, from the plane to the image's pixels.
        middle: the square's centre in the plane, shape (2,).
        half_side: half the side of the square, in the plane's unit.
        side_px: side of the patch in pixels, above 0.

    Returns:
        (side_px, side_px) or (side_px, side_px, channels), of the image's dtype.
    """
    turn = homography @ make_patch_homography(middle, half_side, side_px)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    out = cv2.warpPerspective(image, turn, (side_px, side_px), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(out, image.dtype)


def _dot(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the scalar products of two arrays of vectors, (..., n), along their last axis."""
    return np.asarray(np.einsum("...c,...c->...", a, b))


def find_changed_colours(now: FloatArray, reference: FloatArray, max_brightening: float | FloatArray) -> BoolArray:
    """Find the colours that do not belong to the reference surface, in light, in shadow or in a lamp's reflection.

    Shadow may take 70 %, light may add the share `max_brightening`, and a reflection may add or take 50 levels of
    white; apart from these the hue must stay the same.

    Args:
        now: BGR colours, (..., 3) float64, 0 to 255.
        reference: BGR colours of the surface, (..., 3) float64, 0 to 255; broadcast against `now`.
        max_brightening: share of the reference brightness (0.5: half as bright again), a number or one per colour,
            (...).

    Returns:
        Flags, shape (...) bool: True where the surface is another one.
    """
    ground = reference + 1.0
    level = np.sqrt(_dot(ground, ground))
    unit = ground / level[..., None]
    along = _dot(now, unit) / level
    rest = now - along[..., None] * ground
    white = 1.0 - unit.sum(axis=-1, keepdims=True) * unit  # the part of white that is not the surface's own hue
    gloss = _dot(rest, white) / np.maximum(_dot(white, white), 1e-3)
    # Where the light is weaker no reflection was added, where it is stronger none has gone.
    least = np.where(along < _STRONGER_LIGHT_SHARE, -_MAX_REFLECTION_LEVELS, 0.0)
    most = np.where(along > _WEAKER_LIGHT_SHARE, _MAX_REFLECTION_LEVELS, 0.0)
    rest -= np.minimum(np.maximum(gloss, least), most)[..., None] * white
    changed = np.sqrt(_dot(rest, rest)) > _MAX_HUE_DISTANCE_LEVELS + _MAX_HUE_DISTANCE_SHARE * level
    changed |= along < _MIN_SHADOW_SHARE
    changed |= (along - 1) * level > _MAX_BRIGHTER_LEVELS + max_brightening * level
    return np.asarray(changed, np.bool_)


def compute_half_side(corners: FloatArray) -> float:
    """Return half the side of the square around the origin that holds the lid and a little of its surroundings.

    >>> round(compute_half_side(np.array([[-5.0, -4.0], [5.0, -4.0], [5.0, 4.0], [-5.0, 4.0]])), 6)
    5.6

    Args:
        corners: the lid's, shape (4, 2), in any unit, with the windows' common centre as origin.

    Returns:
        A length in the unit of `corners`.
    """
    return float(np.abs(corners).max() * _LID_IMAGE_MARGIN_RATIO)
