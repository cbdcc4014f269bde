"""Check a camera's view: its light, sharpness, position, and what keeps the lid and dice from being read.

A view in which things are read with certainty has no problem, even with bad figures: a black table is not "too dark" as
long as the dice on it are read.
"""

from collections.abc import Sequence
from math import dist, sqrt

import cv2
import numpy as np

from companion.i18n import _
from companion.vision.confidence_limits import MIN_PLAY_CONFIDENCE
from companion.vision.frames.image_io import normalise_frame
from companion.vision.lid.ellipse_fit import fit_ellipse
from companion.vision.lid.geometry import Ellipse, Float32Array
from companion.vision.lid.layout import WINDOW_COUNT
from companion.vision.reading import (
    BoundingBox,
    Die,
    GreyImage,
    Image,
    Lid,
    Point,
    ProblemKind,
    ViewProblem,
    clip_box,
)
from companion.vision.view_check.partial_lid import estimate_tilt_deg
from companion.vision.view_check.problem import LENS_COVERED_MESSAGE, make_cut_off_problem, make_problem

ANALYSIS_WIDTH_PX = 640
"""Width of the grey frame on which light and sharpness are measured; blurs are in its pixels. If it grows, measuring
takes longer, and the blur limits below have to grow with it."""

MAX_COVERED_LEVEL = 10.0
"""Mean grey level (of 255) below which nothing is visible: the lens is covered, or there is no light. If it grows, dark
rooms count as a covered lens."""

MIN_BRIGHT_LEVEL = 80.0
"""Grey level that at least 1 % of a frame must reach, else it is too dark: white dice and tokens then lie below a third
of the scale, and digits differ from them by no more than a cheap sensor's noise. If it grows, dim rooms are
reported."""

MIN_CLIPPED_LEVEL = 250
"""Grey level from which a pixel is overexposed. If it grows, glare is reported less often."""

MAX_CLIPPED_SHARE = 0.35
"""Largest share of overexposed pixels; in 207 frames and photos it was at most 0.07. If it grows, bright views are
reported less often."""

MAX_MEAN_LEVEL = 225.0
"""Largest mean grey level; in 207 frames and photos it was at most 199. If it grows, bright views are reported less
often."""

MAX_BLUR_PX = 1.7
"""Largest standard deviation (pixels of the shrunk frame) of a blur where nothing is read. If it grows, blurs are
reported less often. Drawn and rendered lids are read in full up to 1.5 and not at all from 2.5 on; unblurred frames
have 0.0 to 0.8, photos up to 2.5 (large dice, read all the same)."""

MAX_READABLE_BLUR_PX = 3.2
"""Largest standard deviation (pixels of the shrunk frame) of a blur where something is read. If it grows, blurs are
reported less often."""

_EDGE_PERCENTILE = 97.0
"""Percentile of the gradient from which pixels count as edges: the steepest 3 %. If it grows, fewer edges are
measured."""

_SHARPNESS_PERCENTILE = 80.0
"""Percentile of the edges' sharpness that is the frame's. If it grows, one sharp thing makes a frame sharp."""

_MIN_EDGE_STEEPNESS = 3.0
"""Least gradient of an edge after smoothing, grey levels per pixel. If it grows, pale views count as having no
edges."""

_MIN_EDGE_PIXELS = 50
"""Least number of edge pixels for a measurement of blur. If it grows, pale views count as having no edges."""

_MIN_CONTRAST_LEVELS = 60.0
"""Spread of the grey levels (1st to 99th percentile) from which a frame without edges is blurred, and not of an empty
table. If it grows, such blurs are reported less often."""

MAX_TILT_DEG = 33.0
"""Largest angle between the camera's axis and the lid's normal. Lids are read up to 20 and mostly to 30. If it grows,
oblique cameras are reported less often."""

MIN_TOKEN_RADIUS_PX = 14.0
"""Least radius of a token. Numbers are read with certainty from 14 on; below, more and more become questions. If it
grows, far cameras are reported more often."""

MIN_DIE_SIDE_PX = 12.0
"""Least side of a die in pixels; smaller ones are not read. If it grows, far cameras are reported more often."""

_MAX_OUTSIDE_SHARE = 0.03
"""How far a corner of the lid may be outside the frame, as a share of the lid's diagonal: its rim is not needed. If it
grows, lids that are cut off are reported later."""

_BORDER_DISTANCE_RADII = 2.7
"""Distance (token radii) from the frame's border within which tokens of a lid that is not found leave no room for the
lid's rim, let alone another row. If it grows, lids count as cut off earlier."""

_MIN_TOKENS_FOR_CUT_OFF = 5
"""Tokens from which a lid that is not found may be cut off. If it grows, it is reported less often."""

_MIN_TOKENS_FOR_POSITION = 8
"""Tokens from which a lid may be too far away or seen at an angle. If it grows, it is reported less often."""

_GLARE_RADII = 1.2
"""Half the side of the square around a window in which glare is measured, in token radii. If it grows, glare beside a
window counts."""

_MIN_GLARE_SHARE = 0.25
"""Share of overexposed pixels there from which it is glare. If it grows, glare is reported less often."""

_FRAME_COLOUR = (0, 160, 255)
"""BGR colour of the frame that `draw_problems` draws."""

_SIDES = ("left", "right", "top", "bottom")
"""Sides of the frame, in the order of `CUT_OFF_MESSAGES`."""


def check_view(
    image: Image, lid: Lid | None = None, dice: Sequence[Die] = (), tokens: Sequence[Ellipse] = ()
) -> tuple[ViewProblem, ...]:
    """Find what is wrong with the view: light, blur, a mirror image, the lid's place, glare.

    >>> [problem.kind.value for problem in check_view(np.full((480, 640, 3), 20, np.uint8))]
    ['too dark']

    `ProblemKind.UNKNOWN_LID` and `ProblemKind.NO_DICE` take more than one frame: `ViewMonitor` finds them.

    Args:
        image: the frame, (H, W, 3) uint8 BGR; other formats are converted, see `image_io.normalise_frame`.
        lid: the lid read in it, in its pixels; None: not found.
        dice: the dice read in it.
        tokens: where no lid was found, the outlines of the tokens that are visible (`partial_lid.find_tokens`), in
            pixels of `image`.

    Returns:
        The problems, the most important first, with boxes in pixels of `image` and messages in the players' language;
        empty if there is none.

    Raises:
        UnreadableImage: `image` is no array of numbers, has another shape, or is too small or narrow to show a table.
    """
    image = normalise_frame(image)
    found = [
        _check_light_and_lens(image, is_readable(lid, dice)),
        _check_mirrored(image, lid),
        *_check_camera_position(image, lid, dice, tokens),
        _check_glare(image, lid),
    ]
    return tuple(problem for problem in found if problem is not None)


def draw_problems(image: Image, problems: Sequence[ViewProblem]) -> Image:
    """Return a copy of the image with a rectangle drawn around the place of each problem.

    >>> frame = np.zeros((480, 640, 3), np.uint8)
    >>> bool(draw_problems(frame, check_view(frame)).any()), bool(frame.any())
    (True, False)

    Args:
        image: the frame, (H, W, 3) uint8 BGR; other formats are converted, see `image_io.normalise_frame`.
        problems: the problems of this frame; may be empty.

    Returns:
        (H, W, 3) uint8 BGR, a new array; only rectangles are drawn, no text.

    Raises:
        UnreadableImage: `image` is no array of numbers, has another shape, or is too small or narrow to show a table.
    """
    picture = normalise_frame(image).copy()
    thick = max(2, round(0.006 * max(picture.shape[:2])))
    for problem in problems:
        x0, y0, x1, y1 = (round(v) for v in problem.box)
        half = thick // 2  # all of the line within the picture, also along its border
        cv2.rectangle(picture, (x0 + half, y0 + half), (x1 - 1 - half, y1 - 1 - half), _FRAME_COLOUR, thick)
    return picture


def estimate_blur(grey: GreyImage) -> float | None:
    """Estimate the blur of a frame's sharper edges.

    An edge's gradient falls as it is smoothed, the less the softer it was: after smoothing by 1 and by 2 pixels the
    gradients have the ratio sqrt((b^2 + 4) / (b^2 + 1)) for a blur b (Zhuo and Sim 2011, Pattern Recognition 44, 1852).
    Noise is small after such smoothing, and where it is not it makes a frame look sharper, never blurred.

    Args:
        grey: (H, W) uint8, at most `ANALYSIS_WIDTH_PX` wide.

    Returns:
        The blur's standard deviation in pixels, 0 or more, `ANALYSIS_WIDTH_PX` (640) if it is too large to measure;
        None if fewer than 50 pixels show edges.
    """
    fine, coarse = _measure_gradient(grey, 1.0), _measure_gradient(grey, 2.0)
    steep = coarse > max(_MIN_EDGE_STEEPNESS, float(np.percentile(coarse, _EDGE_PERCENTILE)))
    if np.count_nonzero(steep) < _MIN_EDGE_PIXELS:
        return None
    ratio = float(np.percentile(fine[steep] / coarse[steep], _SHARPNESS_PERCENTILE)) ** 2
    return sqrt(max(0.0, 4 - ratio) / (ratio - 1)) if ratio > 1.001 else float(ANALYSIS_WIDTH_PX)


def shrink_to_grey(image: Image) -> GreyImage:
    """Return a frame in grey, shrunk if it is wider than `ANALYSIS_WIDTH_PX` (640).

    >>> shrink_to_grey(np.zeros((720, 1280, 3), np.uint8)).shape
    (360, 640)

    Args:
        image: (H, W, 3) uint8 BGR.

    Returns:
        (h, w) uint8, at most `ANALYSIS_WIDTH_PX` wide; smaller frames keep their size.

    Raises:
        cv2.error: `image` is empty or has another number of channels.
    """
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    height, width = grey.shape
    if width > ANALYSIS_WIDTH_PX:
        size = (ANALYSIS_WIDTH_PX, max(1, round(height * ANALYSIS_WIDTH_PX / width)))
        grey = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
    return np.asarray(grey, np.uint8)


def get_frame_box(image: Image) -> BoundingBox:
    """Return the box of the whole frame: 0, 0, width, height in pixels.

    Args:
        image: the frame, (H, W, 3) uint8; only its shape is used.
    """
    return 0.0, 0.0, float(image.shape[1]), float(image.shape[0])


def _measure_gradient(grey: GreyImage, sigma_px: float) -> Float32Array:
    """Measure the gradient after smoothing, grey levels per pixel, shape (H, W)."""
    soft = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), sigma_px)
    dx, dy = (cv2.Sobel(soft, cv2.CV_32F, *order, scale=1 / 8) for order in ((1, 0), (0, 1)))
    return np.asarray(cv2.magnitude(dx, dy), np.float32)


def is_readable(lid: Lid | None, dice: Sequence[Die]) -> bool:
    """Return whether something is read with certainty: any die, or most of the lid's windows.

    Args:
        lid: the lid read in a frame; None: not found.
        dice: the dice read in it.
    """
    certain = [window.confidence >= MIN_PLAY_CONFIDENCE for window in lid.windows] if lid is not None else []
    return any(die.is_certain for die in dice) or 2 * sum(certain) > len(certain)


def _check_light_and_lens(image: Image, readable: bool) -> ViewProblem | None:
    """Find the first problem of the whole picture: one hides the others."""
    grey, everywhere = shrink_to_grey(image), get_frame_box(image)
    mean = float(grey.mean())
    low, high = (float(level) for level in np.percentile(grey, (1, 99)))
    if mean < MAX_COVERED_LEVEL and high < 4 * MAX_COVERED_LEVEL:
        return ViewProblem(ProblemKind.DARK, _(LENS_COVERED_MESSAGE), everywhere)
    if high < MIN_BRIGHT_LEVEL and not readable:
        return make_problem(ProblemKind.DARK, everywhere)
    clipped = np.count_nonzero(grey >= MIN_CLIPPED_LEVEL) / grey.size
    if (clipped > MAX_CLIPPED_SHARE or mean > MAX_MEAN_LEVEL) and not readable:
        return make_problem(ProblemKind.BRIGHT, everywhere)
    blur = estimate_blur(grey)
    if blur is None:
        blurred = high - low > _MIN_CONTRAST_LEVELS and not readable
    else:
        blurred = blur > (MAX_READABLE_BLUR_PX if readable else MAX_BLUR_PX)
    return make_problem(ProblemKind.BLURRED, everywhere) if blurred else None


def _check_camera_position(
    image: Image, lid: Lid | None, dice: Sequence[Die], tokens: Sequence[Ellipse]
) -> tuple[ViewProblem | None, ...]:
    """Check whether the lid is cut off, too far away, or seen at an angle."""
    certain = False
    if lid is not None:
        outlines = [fit_ellipse(image, *w.center, w.radius) for w in lid.windows if w.covered]
        seen = [token for token in outlines if token is not None]
        radii = [w.radius for w in lid.windows]
        certain = all(window.confidence >= MIN_PLAY_CONFIDENCE for window in lid.windows)
        around = _enclose_points(lid.corners)
        slack = _MAX_OUTSIDE_SHARE * dist(lid.corners[0], lid.corners[2])
        cut_off = _find_crossed_sides(_enclose_points(lid.corners, -slack), image)
    else:
        seen = list(tokens)
        radii = [token.radius for token in seen]
        centers = [(float(x), float(y)) for x, y in (token.center for token in seen)]
        around = _enclose_points(centers, max(radii, default=0.0))
        cut_off = ()
        # With all 12 in view the lid would be found, if they were large enough: then it is not the border.
        if _MIN_TOKENS_FOR_CUT_OFF <= len(seen) < WINDOW_COUNT:
            room = _BORDER_DISTANCE_RADII * float(np.median(radii))
            cut_off = _find_crossed_sides(_enclose_points(centers, room), image)
    place = clip_box(around, image)
    many = len(radii) >= _MIN_TOKENS_FOR_POSITION
    small = many and float(np.median(radii)) < MIN_TOKEN_RADIUS_PX and not certain
    tilted = len(seen) >= _MIN_TOKENS_FOR_POSITION and not small and estimate_tilt_deg(seen) > MAX_TILT_DEG
    return (
        make_cut_off_problem(cut_off, place) if cut_off else None,
        make_problem(ProblemKind.FAR, place) if small else _check_dice_size(image, dice),
        make_problem(ProblemKind.TILTED, place) if tilted else None,
    )


def _check_dice_size(image: Image, dice: Sequence[Die]) -> ViewProblem | None:
    if not dice or max(die.side for die in dice) >= MIN_DIE_SIDE_PX:
        return None
    corners = [(die.box[i], die.box[i + 1]) for die in dice for i in (0, 2)]
    return make_problem(ProblemKind.FAR, clip_box(_enclose_points(corners, MIN_DIE_SIDE_PX), image))


def _check_mirrored(image: Image, lid: Lid | None) -> ViewProblem | None:
    if lid is None or not lid.mirrored:
        return None
    return make_problem(ProblemKind.MIRRORED, clip_box(_enclose_points(lid.corners), image))


def _check_glare(image: Image, lid: Lid | None) -> ViewProblem | None:
    """Find a reflection on the lid in which a window cannot be read."""
    for window in lid.windows if lid is not None else ():
        if window.covered is None or window.confidence >= MIN_PLAY_CONFIDENCE:
            continue
        box = clip_box(_enclose_points([window.center], _GLARE_RADII * window.radius), image)
        x0, y0, x1, y1 = (int(v) for v in box)
        part = image[y0:y1, x0:x1].min(axis=2) >= MIN_CLIPPED_LEVEL
        if np.count_nonzero(part) > _MIN_GLARE_SHARE * part.size:
            return make_problem(ProblemKind.GLARE, box)
    return None


def _find_crossed_sides(box: BoundingBox, image: Image) -> tuple[str, ...]:
    """Return the sides of the frame that a box reaches over."""
    height, width = image.shape[:2]
    x0, y0, x1, y1 = box
    crossed = (x0 < 0, x1 > width, y0 < 0, y1 > height)
    return tuple(side for side, is_crossed in zip(_SIDES, crossed, strict=True) if is_crossed)


def _enclose_points(points: Sequence[Point], margin: float = 0.0) -> BoundingBox:
    """Return the box around points with a margin, pixels; an empty box if there are none."""
    xs, ys = zip(*points, strict=True) if points else ((0.0,), (0.0,))
    return min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin
