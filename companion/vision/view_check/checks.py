"""What is wrong with a camera's view, in words that say what to do about it.

A view in which things are read surely has nothing wrong with it, whatever its figures: so a black table is not "too
dark" as long as the dice on it are read. Only what keeps things from being read is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import dist, sqrt

import cv2
import numpy as np
import numpy.typing as npt

from companion.i18n import N_, Translator
from companion.vision.frames.image_io import normalise_frame
from companion.vision.lid.circles import fit_outline
from companion.vision.lid.geometry import Ellipse
from companion.vision.reading import MIN_PLAY_CONFIDENCE, BoundingBox, Die, Image, Lid
from companion.vision.view_check.partial_lid import estimate_tilt_deg
from companion.vision.view_check.problem import ProblemKind, ViewProblem

_ = Translator("companion")

GreyImage = npt.NDArray[np.uint8]

ANALYSIS_WIDTH_PX = 640
"""Light and sharpness are measured on the frame in grey at this width; blurs are told in its pixels."""

MAX_COVERED_LEVEL = 10.0
"""Mean grey level below which nothing is to be seen: the lens is covered, or there is no light."""

MIN_BRIGHT_LEVEL = 80.0
"""Grey level that 99 % of a frame stay below if it is too dark: white dice and tokens then lie below a third of the
scale, and digits differ from them by no more than a cheap sensor's noise."""

MIN_CLIPPED_LEVEL = 250
MAX_CLIPPED_SHARE, MAX_MEAN_LEVEL = 0.35, 225.0
"""Share of a frame at or above `CLIPPED`, and mean grey level, from which it is over-exposed. In 207 frames and photos
they are 0.07 and 199 at most."""

MAX_BLUR_PX, MAX_READABLE_BLUR_PX = 1.7, 3.2
"""Standard deviation of a blur (pixels of a frame 640 wide) that is told: of `SOFT` if nothing is read surely, of
`SMEARED` in any case. Drawn and rendered lids are read in full up to 1.5 and not at all from 2.5 on; those frames as
they were taken have 0.0 to 0.8, photos 0.0 to 2.5 (large dice, read all the same)."""

_EDGE_PERCENTILE, _MIN_EDGE_STEEPNESS, _SHARPNESS_PERCENTILE = 97.0, 3.0, 80.0
"""Sharpness is that of the sharper edges (80th percentile) among the steepest 3 % of the frame's pixels."""

_MIN_EDGE_PIXELS = 50
_MIN_CONTRAST_LEVELS = 60.0
"""So far do the grey levels of a frame spread (1st to 99th percentile) that shows things and yet has no edges."""

MAX_TILT_DEG = 33.0
"""Degrees. Lids are read up to 20 and mostly to 30; from here on they are told."""

MIN_TOKEN_RADIUS_PX = 14.0
"""Radius in pixels. Numbers are read surely from 14 on; below, more and more of them become questions."""

MIN_DIE_SIDE_PX = 12.0
"""Side in pixels below which dice are not read."""

_MAX_OUTSIDE_SHARE = 0.03
"""So far (as a share of the lid's diagonal) a corner may be out of the frame: the lid's rim tells nothing."""

_BORDER_DISTANCE_RADII = 2.7
"""Tokens of a lid that is not found lie so near the frame's border (in token radii) that there is no room for the
lid's rim, let alone another row."""

_MIN_TOKENS_FOR_CUT_OFF, _MIN_TOKENS_FOR_POSITION = 5, 8
"""So many tokens are a lid cut off; so many one that is too far away or seen from aside."""


LENS_COVERED_MESSAGE = N_("The camera sees nothing: take the cap off the lens, or switch on a lamp")
PROBLEM_MESSAGES = {
    ProblemKind.DARK: N_("It is too dark to read the table: switch on a lamp"),
    ProblemKind.BRIGHT: N_("The picture is too bright: turn the lamp away, or draw the curtain"),
    ProblemKind.BLURRED: N_("The picture is blurred: wipe the lens, or turn it until the picture is sharp"),
    ProblemKind.MIRRORED: N_("The picture is mirrored: switch that off where the camera is set up"),
    ProblemKind.FAR: N_("The camera is too far away: bring it nearer, until the table fills the picture"),
    ProblemKind.TILTED: N_("The lid is seen aslant: hang the camera above it, looking straight down"),
    ProblemKind.GLARE: N_("A lamp shines back from the lid: move the lamp or the camera a little"),
    ProblemKind.NO_DICE: N_("No dice are in view yet: throw them where the camera sees them"),
}
CUT_OFF_MESSAGES = {
    ("left",): N_("The lid is cut off at the left: push it to the right, or move the camera"),
    ("right",): N_("The lid is cut off at the right: push it to the left, or move the camera"),
    ("top",): N_("The lid is cut off at the top: push it down, or move the camera"),
    ("bottom",): N_("The lid is cut off at the bottom: push it up, or move the camera"),
    ("left", "top"): N_("The lid is cut off at the left and top: push it to the right and down"),
    ("left", "bottom"): N_("The lid is cut off at the left and bottom: push it to the right and up"),
    ("right", "top"): N_("The lid is cut off at the right and top: push it to the left and down"),
    ("right", "bottom"): N_("The lid is cut off at the right and bottom: push it to the left and up"),
}
"""By the sides of the picture that the lid is cut off at, two of them at a corner."""
TOO_NEAR_MESSAGE = N_("The lid does not fit into the picture: hang the camera higher")
OPPOSITE_SIDES = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}


def check_view(
    image: Image, lid: Lid | None = None, dice: Sequence[Die] = (), tokens: Sequence[Ellipse] = ()
) -> tuple[ViewProblem, ...]:
    """What is wrong with the view, the most important first; empty: nothing.

    Args:
        image: the frame.
        lid, dice: what was read in it.
        tokens: where no lid was found, the tokens seen all the same (`view_tokens.find_tokens`).

    Raises:
        load.UnreadableImage: `image` is no picture.
    """
    image = normalise_frame(image)
    found = [
        _check_light_and_lens(image, _is_readable(lid, dice)),
        _check_mirrored(image, lid),
        *_check_camera_position(image, lid, dice, tokens),
        _check_glare(image, lid),
    ]
    return tuple(problem for problem in found if problem is not None)


def draw_problems(image: Image, problems: Sequence[ViewProblem]) -> Image:
    """A copy of the frame with a frame drawn around where each problem is."""
    picture = normalise_frame(image).copy()
    thick = max(2, round(0.006 * max(picture.shape[:2])))
    for problem in problems:
        x0, y0, x1, y1 = (round(v) for v in problem.box)
        half = thick // 2  # all of the line within the picture, also along its border
        cv2.rectangle(picture, (x0 + half, y0 + half), (x1 - 1 - half, y1 - 1 - half), (0, 160, 255), thick)
    return picture


def estimate_blur(gray: GreyImage) -> float | None:
    """The standard deviation, in pixels, of the blur of the frame's sharper edges; None if it has no edges.

    An edge's steepness falls as it is smoothed, the less the softer it was: after smoothing by 1 and by 2 pixels the
    steepness has the ratio sqrt((b^2 + 4) / (b^2 + 1)) (Zhuo and Sim 2011, Pattern Recognition 44, 1852). Noise is
    small after such smoothing, and where it is not it makes a frame look sharper, never blurred.
    """
    fine, coarse = _measure_steepness(gray, 1.0), _measure_steepness(gray, 2.0)
    steep = coarse > max(_MIN_EDGE_STEEPNESS, float(np.percentile(coarse, _EDGE_PERCENTILE)))
    if np.count_nonzero(steep) < _MIN_EDGE_PIXELS:
        return None
    ratio = float(np.percentile(fine[steep] / coarse[steep], _SHARPNESS_PERCENTILE)) ** 2
    return sqrt(max(0.0, 4 - ratio) / (ratio - 1)) if ratio > 1.001 else float(ANALYSIS_WIDTH_PX)


def shrink_to_grey(image: Image) -> GreyImage:
    """The frame in grey, at most `WIDTH` wide."""
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    height, width = gray.shape
    if width > ANALYSIS_WIDTH_PX:
        size = (ANALYSIS_WIDTH_PX, max(1, round(height * ANALYSIS_WIDTH_PX / width)))
        gray = cv2.resize(gray, size, interpolation=cv2.INTER_AREA)
    return np.asarray(gray, np.uint8)


def _measure_steepness(gray: GreyImage, smooth: float) -> npt.NDArray[np.float32]:
    soft = cv2.GaussianBlur(gray.astype(np.float32), (0, 0), smooth)
    dx, dy = (cv2.Sobel(soft, cv2.CV_32F, *way, scale=1 / 8) for way in ((1, 0), (0, 1)))
    return np.asarray(cv2.magnitude(dx, dy), np.float32)


def _is_readable(lid: Lid | None, dice: Sequence[Die]) -> bool:
    """Whether something is read surely: any die, or most of the lid's windows."""
    sure = 0 if lid is None else sum(window.confidence >= MIN_PLAY_CONFIDENCE for window in lid.windows)
    return any(die.confidence >= MIN_PLAY_CONFIDENCE for die in dice) or (
        lid is not None and 2 * sure > len(lid.windows)
    )


def _check_light_and_lens(image: Image, reads: bool) -> ViewProblem | None:
    """The first thing that spoils the whole picture: one of them hides the others."""
    gray, everywhere = shrink_to_grey(image), get_frame_box(image)
    low, high = (float(level) for level in np.percentile(gray, (1, 99)))
    if float(gray.mean()) < MAX_COVERED_LEVEL and high < 4 * MAX_COVERED_LEVEL:
        return ViewProblem(ProblemKind.DARK, _(LENS_COVERED_MESSAGE), everywhere)
    if high < MIN_BRIGHT_LEVEL and not reads:
        return make_problem(ProblemKind.DARK, everywhere)
    clipped = np.count_nonzero(gray >= MIN_CLIPPED_LEVEL) / gray.size
    if (clipped > MAX_CLIPPED_SHARE or float(gray.mean()) > MAX_MEAN_LEVEL) and not reads:
        return make_problem(ProblemKind.BRIGHT, everywhere)
    blur = estimate_blur(gray)
    if blur is None:
        smeared, soft = False, high - low > _MIN_CONTRAST_LEVELS
    else:
        smeared, soft = blur > MAX_READABLE_BLUR_PX, blur > MAX_BLUR_PX
    return make_problem(ProblemKind.BLURRED, everywhere) if smeared or (soft and not reads) else None


def _check_camera_position(
    image: Image, lid: Lid | None, dice: Sequence[Die], tokens: Sequence[Ellipse]
) -> tuple[ViewProblem | None, ...]:
    """What is wrong with where the camera is."""
    if lid is not None:
        covered = [w for w in lid.windows if w.covered]
        looked = [fit_outline(image, *w.center, w.radius) for w in covered]
        seen = [token for token in looked if token is not None]
        radii = [w.radius for w in lid.windows]
        around = _enclose_points(lid.corners, 0.0)
        cut = _make_cut_off_problem(image, _find_crossed_sides(image, lid), around)
    else:
        seen = list(tokens)
        radii = [token.radius for token in seen]
        around = _enclose_points([(float(t.center[0]), float(t.center[1])) for t in seen], max(radii, default=0.0))
        # With all 12 in view the lid would be there, if they were large enough: then it is not the border.
        cut = (
            _make_cut_off_problem(image, _find_near_sides(image, seen), around)
            if _MIN_TOKENS_FOR_CUT_OFF <= len(seen) < 12
            else None
        )
    place = _clip_box(around, image)
    sure = [window.confidence >= MIN_PLAY_CONFIDENCE for window in lid.windows] if lid is not None else [False]
    small = len(radii) >= _MIN_TOKENS_FOR_POSITION and float(np.median(radii)) < MIN_TOKEN_RADIUS_PX and not all(sure)
    far = make_problem(ProblemKind.FAR, place) if small else _check_dice_size(image, dice)
    aslant = len(seen) >= _MIN_TOKENS_FOR_POSITION and not small and estimate_tilt_deg(seen) > MAX_TILT_DEG
    return cut, far, make_problem(ProblemKind.TILTED, place) if aslant else None


def _check_dice_size(image: Image, dice: Sequence[Die]) -> ViewProblem | None:
    if not dice or max(max(d.box[2] - d.box[0], d.box[3] - d.box[1]) for d in dice) >= MIN_DIE_SIDE_PX:
        return None
    corners = [(die.box[i], die.box[i + 1]) for die in dice for i in (0, 2)]
    return make_problem(ProblemKind.FAR, _clip_box(_enclose_points(corners, MIN_DIE_SIDE_PX), image))


def _find_crossed_sides(image: Image, lid: Lid) -> list[str]:
    """The sides of the frame that a known lid reaches over."""
    height, width = image.shape[:2]
    slack = _MAX_OUTSIDE_SHARE * dist(lid.corners[0], lid.corners[2])
    x0, y0, x1, y1 = _enclose_points(lid.corners, -slack)
    return _name_sides(x0 < 0, x1 > width, y0 < 0, y1 > height)


def _find_near_sides(image: Image, tokens: Sequence[Ellipse]) -> list[str]:
    """The sides of the frame at which tokens lie so near that the rest of their lid must be out of it."""
    height, width = image.shape[:2]
    room = _BORDER_DISTANCE_RADII * float(np.median([token.radius for token in tokens]))
    x, y = np.array([token.center for token in tokens]).T
    return _name_sides(x.min() < room, x.max() > width - room, y.min() < room, y.max() > height - room)


def _name_sides(left: bool, right: bool, top: bool, bottom: bool) -> list[str]:
    return [side for side, out in zip(OPPOSITE_SIDES, (left, right, top, bottom), strict=True) if out]


def _make_cut_off_problem(image: Image, sides: list[str], around: BoundingBox) -> ViewProblem | None:
    if not sides:
        return None
    box = _clip_box(around, image)
    if any(OPPOSITE_SIDES[side] in sides for side in sides):
        return ViewProblem(ProblemKind.CUT_OFF, _(TOO_NEAR_MESSAGE), box)
    return ViewProblem(ProblemKind.CUT_OFF, _(CUT_OFF_MESSAGES[tuple(sides)]), box)


def _check_mirrored(image: Image, lid: Lid | None) -> ViewProblem | None:
    if lid is None or not lid.mirrored:
        return None
    return make_problem(ProblemKind.MIRRORED, _clip_box(_enclose_points(lid.corners, 0.0), image))


def _check_glare(image: Image, lid: Lid | None) -> ViewProblem | None:
    """A shine on the lid in which a window cannot be read."""
    for window in lid.windows if lid is not None else ():
        if window.covered is None or window.confidence >= MIN_PLAY_CONFIDENCE:
            continue
        (x, y), r = window.center, 1.2 * window.radius
        box = _clip_box((x - r, y - r, x + r, y + r), image)
        part = image[int(box[1]) : int(box[3]), int(box[0]) : int(box[2])]
        if part.size and np.count_nonzero(part.min(axis=2) >= MIN_CLIPPED_LEVEL) > 0.25 * part.shape[0] * part.shape[1]:
            return make_problem(ProblemKind.GLARE, box)
    return None


def make_problem(trouble: ProblemKind, box: BoundingBox) -> ViewProblem:
    """The problem with the words that always go with it."""
    return ViewProblem(trouble, _(PROBLEM_MESSAGES[trouble]), box)


def _enclose_points(points: Sequence[tuple[float, float]], margin: float) -> BoundingBox:
    if not points:
        return 0.0, 0.0, 0.0, 0.0
    xs, ys = zip(*points, strict=True)
    return min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin


def get_frame_box(image: Image) -> BoundingBox:
    """The box of all of the frame."""
    return 0.0, 0.0, float(image.shape[1]), float(image.shape[0])


def _clip_box(box: BoundingBox, image: Image) -> BoundingBox:
    height, width = image.shape[:2]
    x0, y0, x1, y1 = box
    return max(0.0, x0), max(0.0, y0), min(float(width), x1), min(float(height), y1)
