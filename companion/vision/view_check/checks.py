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

from companion.i18n import N_, Words
from companion.vision.frames.image_io import as_frame
from companion.vision.lid.circles import outline
from companion.vision.lid.geometry import Ellipse
from companion.vision.reading import ACT, Box, Die, Image, Lid
from companion.vision.view_check.partial_lid import tilt_of
from companion.vision.view_check.problem import Problem, Trouble

_ = Words("companion")

Gray = npt.NDArray[np.uint8]

WIDTH = 640
"""Light and sharpness are measured on the frame in grey at this width; blurs are told in its pixels."""

NIGHT = 10.0
"""Mean grey level below which nothing is to be seen: the lens is covered, or there is no light."""

DIM = 80.0
"""Grey level that 99 % of a frame stay below if it is too dark: white dice and tokens then lie below a third of the
scale, and digits differ from them by no more than a cheap sensor's noise."""

CLIPPED = 250
GLARING, DAZZLING = 0.35, 225.0
"""Share of a frame at or above `CLIPPED`, and mean grey level, from which it is over-exposed. In 207 frames and photos
they are 0.07 and 199 at most."""

SOFT, SMEARED = 1.7, 3.2
"""Standard deviation of a blur (pixels of a frame 640 wide) that is told: of `SOFT` if nothing is read surely, of
`SMEARED` in any case. Drawn and rendered lids are read in full up to 1.5 and not at all from 2.5 on; those frames as
they were taken have 0.0 to 0.8, photos 0.0 to 2.5 (large dice, read all the same)."""

_EDGE_SHARE, _LEAST_EDGE, _SHARPEST = 97.0, 3.0, 80.0
"""Sharpness is that of the sharper edges (80th percentile) among the steepest 3 % of the frame's pixels."""

_LEAST_EDGES = 50
_CONTRAST = 60.0
"""So far do the grey levels of a frame spread (1st to 99th percentile) that shows things and yet has no edges."""

TILT = 33.0
"""Degrees. Lids are read up to 20 and mostly to 30; from here on they are told."""

SMALL_TOKEN = 14.0
"""Radius in pixels. Numbers are read surely from 14 on; below, more and more of them become questions."""

SMALL_DIE = 12.0
"""Side in pixels below which dice are not read."""

_OUT = 0.03
"""So far (as a share of the lid's diagonal) a corner may be out of the frame: the lid's rim tells nothing."""

_ROW = 2.7
"""Tokens of a lid that is not found lie so near the frame's border (in token radii) that there is no room for the
lid's rim, let alone another row."""

_SOME, _MANY = 5, 8
"""So many tokens are a lid cut off; so many one that is too far away or seen from aside."""


COVERED = N_("The camera sees nothing: take the cap off the lens, or switch on a lamp")
WORDS = {
    Trouble.DARK: N_("It is too dark to read the table: switch on a lamp"),
    Trouble.BRIGHT: N_("The picture is too bright: turn the lamp away, or draw the curtain"),
    Trouble.BLURRED: N_("The picture is blurred: wipe the lens, or turn it until the picture is sharp"),
    Trouble.MIRRORED: N_("The picture is mirrored: switch that off where the camera is set up"),
    Trouble.FAR: N_("The camera is too far away: bring it nearer, until the table fills the picture"),
    Trouble.TILTED: N_("The lid is seen aslant: hang the camera above it, looking straight down"),
    Trouble.GLARE: N_("A lamp shines back from the lid: move the lamp or the camera a little"),
    Trouble.NO_DICE: N_("No dice are in view yet: throw them where the camera sees them"),
}
CUT_OFF = {
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
NEAR = N_("The lid does not fit into the picture: hang the camera higher")
ACROSS = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}


def judge(
    image: Image, lid: Lid | None = None, dice: Sequence[Die] = (), tokens: Sequence[Ellipse] = ()
) -> tuple[Problem, ...]:
    """What is wrong with the view, the most important first; empty: nothing.

    Args:
        image: the frame.
        lid, dice: what was read in it.
        tokens: where no lid was found, the tokens seen all the same (`view_tokens.find_tokens`).

    Raises:
        load.UnreadableImage: `image` is no picture.
    """
    image = as_frame(image)
    found = [
        _light_and_lens(image, _reads(lid, dice)),
        _mirrored(image, lid),
        *_place(image, lid, dice, tokens),
        _glare(image, lid),
    ]
    return tuple(problem for problem in found if problem is not None)


def marked(image: Image, problems: Sequence[Problem]) -> Image:
    """A copy of the frame with a frame drawn around where each problem is."""
    picture = as_frame(image).copy()
    thick = max(2, round(0.006 * max(picture.shape[:2])))
    for problem in problems:
        x0, y0, x1, y1 = (round(v) for v in problem.box)
        half = thick // 2  # all of the line within the picture, also along its border
        cv2.rectangle(picture, (x0 + half, y0 + half), (x1 - 1 - half, y1 - 1 - half), (0, 160, 255), thick)
    return picture


def blur_of(gray: Gray) -> float | None:
    """The standard deviation, in pixels, of the blur of the frame's sharper edges; None if it has no edges.

    An edge's steepness falls as it is smoothed, the less the softer it was: after smoothing by 1 and by 2 pixels the
    steepness has the ratio sqrt((b^2 + 4) / (b^2 + 1)) (Zhuo and Sim 2011, Pattern Recognition 44, 1852). Noise is
    small after such smoothing, and where it is not it makes a frame look sharper, never blurred.
    """
    fine, coarse = _steepness(gray, 1.0), _steepness(gray, 2.0)
    steep = coarse > max(_LEAST_EDGE, float(np.percentile(coarse, _EDGE_SHARE)))
    if np.count_nonzero(steep) < _LEAST_EDGES:
        return None
    ratio = float(np.percentile(fine[steep] / coarse[steep], _SHARPEST)) ** 2
    return sqrt(max(0.0, 4 - ratio) / (ratio - 1)) if ratio > 1.001 else float(WIDTH)


def shrunk(image: Image) -> Gray:
    """The frame in grey, at most `WIDTH` wide."""
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    height, width = gray.shape
    if width > WIDTH:
        size = (WIDTH, max(1, round(height * WIDTH / width)))
        gray = cv2.resize(gray, size, interpolation=cv2.INTER_AREA)
    return np.asarray(gray, np.uint8)


def _steepness(gray: Gray, smooth: float) -> npt.NDArray[np.float32]:
    soft = cv2.GaussianBlur(gray.astype(np.float32), (0, 0), smooth)
    dx, dy = (cv2.Sobel(soft, cv2.CV_32F, *way, scale=1 / 8) for way in ((1, 0), (0, 1)))
    return np.asarray(cv2.magnitude(dx, dy), np.float32)


def _reads(lid: Lid | None, dice: Sequence[Die]) -> bool:
    """Whether something is read surely: any die, or most of the lid's windows."""
    sure = 0 if lid is None else sum(window.confidence >= ACT for window in lid.windows)
    return any(die.confidence >= ACT for die in dice) or (lid is not None and 2 * sure > len(lid.windows))


def _light_and_lens(image: Image, reads: bool) -> Problem | None:
    """The first thing that spoils the whole picture: one of them hides the others."""
    gray, everywhere = shrunk(image), whole(image)
    low, high = (float(level) for level in np.percentile(gray, (1, 99)))
    if float(gray.mean()) < NIGHT and high < 4 * NIGHT:
        return Problem(Trouble.DARK, _(COVERED), everywhere)
    if high < DIM and not reads:
        return problem_of(Trouble.DARK, everywhere)
    clipped = np.count_nonzero(gray >= CLIPPED) / gray.size
    if (clipped > GLARING or float(gray.mean()) > DAZZLING) and not reads:
        return problem_of(Trouble.BRIGHT, everywhere)
    blur = blur_of(gray)
    if blur is None:
        smeared, soft = False, high - low > _CONTRAST
    else:
        smeared, soft = blur > SMEARED, blur > SOFT
    return problem_of(Trouble.BLURRED, everywhere) if smeared or (soft and not reads) else None


def _place(image: Image, lid: Lid | None, dice: Sequence[Die], tokens: Sequence[Ellipse]) -> tuple[Problem | None, ...]:
    """What is wrong with where the camera is."""
    if lid is not None:
        covered = [w for w in lid.windows if w.covered]
        looked = [outline(image, *w.center, w.radius) for w in covered]
        seen = [token for token in looked if token is not None]
        radii = [w.radius for w in lid.windows]
        around = _around(lid.corners, 0.0)
        cut = _cut(image, _sides_out(image, lid), around)
    else:
        seen = list(tokens)
        radii = [token.radius for token in seen]
        around = _around([(float(t.center[0]), float(t.center[1])) for t in seen], max(radii, default=0.0))
        # With all 12 in view the lid would be there, if they were large enough: then it is not the border.
        cut = _cut(image, _sides_near(image, seen), around) if _SOME <= len(seen) < 12 else None
    place = _within(around, image)
    sure = [window.confidence >= ACT for window in lid.windows] if lid is not None else [False]
    small = len(radii) >= _MANY and float(np.median(radii)) < SMALL_TOKEN and not all(sure)
    far = problem_of(Trouble.FAR, place) if small else _small_dice(image, dice)
    aslant = len(seen) >= _MANY and not small and tilt_of(seen) > TILT
    return cut, far, problem_of(Trouble.TILTED, place) if aslant else None


def _small_dice(image: Image, dice: Sequence[Die]) -> Problem | None:
    if not dice or max(max(d.box[2] - d.box[0], d.box[3] - d.box[1]) for d in dice) >= SMALL_DIE:
        return None
    corners = [(die.box[i], die.box[i + 1]) for die in dice for i in (0, 2)]
    return problem_of(Trouble.FAR, _within(_around(corners, SMALL_DIE), image))


def _sides_out(image: Image, lid: Lid) -> list[str]:
    """The sides of the frame that a known lid reaches over."""
    height, width = image.shape[:2]
    slack = _OUT * dist(lid.corners[0], lid.corners[2])
    x0, y0, x1, y1 = _around(lid.corners, -slack)
    return _sides(x0 < 0, x1 > width, y0 < 0, y1 > height)


def _sides_near(image: Image, tokens: Sequence[Ellipse]) -> list[str]:
    """The sides of the frame at which tokens lie so near that the rest of their lid must be out of it."""
    height, width = image.shape[:2]
    room = _ROW * float(np.median([token.radius for token in tokens]))
    x, y = np.array([token.center for token in tokens]).T
    return _sides(x.min() < room, x.max() > width - room, y.min() < room, y.max() > height - room)


def _sides(left: bool, right: bool, top: bool, bottom: bool) -> list[str]:
    return [side for side, out in zip(ACROSS, (left, right, top, bottom), strict=True) if out]


def _cut(image: Image, sides: list[str], around: Box) -> Problem | None:
    if not sides:
        return None
    box = _within(around, image)
    if any(ACROSS[side] in sides for side in sides):
        return Problem(Trouble.CUT_OFF, _(NEAR), box)
    return Problem(Trouble.CUT_OFF, _(CUT_OFF[tuple(sides)]), box)


def _mirrored(image: Image, lid: Lid | None) -> Problem | None:
    if lid is None or not lid.mirrored:
        return None
    return problem_of(Trouble.MIRRORED, _within(_around(lid.corners, 0.0), image))


def _glare(image: Image, lid: Lid | None) -> Problem | None:
    """A shine on the lid in which a window cannot be read."""
    for window in lid.windows if lid is not None else ():
        if window.covered is None or window.confidence >= ACT:
            continue
        (x, y), r = window.center, 1.2 * window.radius
        box = _within((x - r, y - r, x + r, y + r), image)
        part = image[int(box[1]) : int(box[3]), int(box[0]) : int(box[2])]
        if part.size and np.count_nonzero(part.min(axis=2) >= CLIPPED) > 0.25 * part.shape[0] * part.shape[1]:
            return problem_of(Trouble.GLARE, box)
    return None


def problem_of(trouble: Trouble, box: Box) -> Problem:
    """The problem with the words that always go with it."""
    return Problem(trouble, _(WORDS[trouble]), box)


def _around(points: Sequence[tuple[float, float]], margin: float) -> Box:
    if not points:
        return 0.0, 0.0, 0.0, 0.0
    xs, ys = zip(*points, strict=True)
    return min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin


def whole(image: Image) -> Box:
    """The box of all of the frame."""
    return 0.0, 0.0, float(image.shape[1]), float(image.shape[0])


def _within(box: Box, image: Image) -> Box:
    height, width = image.shape[:2]
    x0, y0, x1, y1 = box
    return max(0.0, x0), max(0.0, y0), min(float(width), x1), min(float(height), y1)
