"""Read each window under a known pose: a token and its number, an open hole, or a hand before it.

`homography` always maps the lid's plane to the frame. Windows are in the layout's order; `which` selects some of them
by flags, shape (12,)."""

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.confidence_limits import MAX_TOUCHED_CONFIDENCE, MIN_PLAY_CONFIDENCE
from companion.vision.lid.digit_reader import HIGHEST_NUMBER, PATCH_HALF_SIDE_RADII, PATCH_SIDE_PX, DigitClassifier
from companion.vision.lid.digit_reflections import classify_below_reflections, find_reflections
from companion.vision.lid.geometry import (
    LID_CENTRE,
    BoolArray,
    Float32Array,
    FloatArray,
    cut_patch,
    find_changed_colours,
)
from companion.vision.lid.image_pyramid import ImagePyramid
from companion.vision.lid.layout import MIN_HARD_LIGHT_RATIO, WINDOW_COUNT, LidLayout
from companion.vision.lid.token_light import (
    GAIN_RANGE,
    MAX_BRIGHTENING_SHARE,
    RingLight,
    are_rims_distinct,
    find_evenly_lit,
    find_glaring,
    is_light_white,
    measure_foreign_rim_share,
    measure_ring_light,
    measure_token_colour_share,
)
from companion.vision.reading import Image

_THUMBNAIL_SIDE_PX = 24
"""Side of the small patches that show whether a window changed. If it grows, finer changes are seen, at more cost."""

_THUMBNAIL_HALF_SIDE_RADII = 1.25
"""Half such a patch's side, in token radii. If it grows, more of the lid around a window is watched."""

_MIN_PIXEL_CHANGE = 24.0
"""Mean change of its channels (levels of 255) from which a pixel has changed. If it grows, noise matters less."""

_FULL_CHANGE_LEVEL = 90.0
"""Mean level of a window and its surroundings below which smaller changes count, in proportion: in a quarter of the
light a token differs from its hole by a quarter. If it grows, noise in dim light matters more."""

_MIN_DIM_SHARE = 0.25
"""Least share of `_MIN_PIXEL_CHANGE` that counts in the dark. If it grows, changes in the dark are missed."""

_MAX_CHANGED_SHARE = 0.012
"""Largest share of changed pixels in an unchanged patch: a digit's strokes are more. If it grows, small changes are
missed."""

MIN_TOUCHED_SHARE = 0.12
"""Share from which something is so near to a window that its reading is only likely. If it grows, more readings near
hands are played."""

_MIN_TOKEN_COLOUR_SHARE = 0.5
"""A window with a smaller share of the tokens' own colour (as a share of what the token with the least of it has) shows
no token. If it grows, dirty tokens count as open windows."""

_FULL_TOKEN_COLOUR_SHARE = 0.85
"""From this share on a window may well show a token. Over 2,452 tokens of 46 rendered lids the least was 1.05; of the
open windows three in four had less than 0.61. If it grows, more digits are doubted."""

_MAX_OPEN_COLOUR_SHARE = 0.2
"""A window with a smaller share of the tokens' colour is open, and its digit need not be read. Of 3,884 covered ones
the least was 0.63. If it grows, reading is quicker and dirty tokens count as open windows."""

_MIN_COLOURED_WINDOWS = 2
"""Least number of windows that clearly have the tokens' colour in this light, if open windows are to be recognised by
colour. If it grows, more digits are read."""

_OPEN_PROBABILITIES = np.array([0.994, *[0.001] * HIGHEST_NUMBER], np.float32)
"""Reading of a window that is open by its colour, shape (7,)."""

_MAX_FOREIGN_RIM_SHARE = 0.45
"""Share of a window's rim that may look unlike a token's if a token lies there. Over 552 tokens of the shared sittings
the largest was 0.354; of the open windows with half of the tokens' colour the least was 0.85. If it grows, holes
over cards of the tokens' colour count as tokens."""

_MAX_SURE_RIM_SHARE = 0.36
"""From this share on a number is only likely: the token lies off the middle, and part of its digit is not in view. Over
552 tokens of the shared sittings the largest was 0.354. If it grows, such numbers are played."""

_MIN_HOLE_RIM_SHARE = 0.7
"""From this share on a window without a digit is surely open. If it grows, more open windows are asked about."""

_MIN_EVENLY_LIT_HOLE_RIM_SHARE = 0.6
"""The same on a lid that has the same light everywhere, about the middle between tokens and holes: of holes over cards
that have the tokens' colour only in part the least was 0.667."""

_BLANK_PROBABILITIES = np.array([0.03, *[0.97 / HIGHEST_NUMBER] * HIGHEST_NUMBER], np.float32)
"""Reading of a token that lies blank side up, shape (7,)."""

_UNREAD_PROBABILITIES = np.array([0.15, *[0.85 / HIGHEST_NUMBER] * HIGHEST_NUMBER], np.float32)
"""Reading of what has a token's rim and hardly shows its face, shape (7,): the companion asks."""

_MIN_CROSSED_PROBABILITY = 0.95
"""Least probability of a number across which an edge of hard light lies, for it to be certain. If it grows, more of
them are asked about."""

_PRINTED_PROBABILITIES = np.array([0.85, *[0.15 / HIGHEST_NUMBER] * HIGHEST_NUMBER], np.float32)
"""Reading of a number without a token's rim and colour, shape (7,): printed on a card most likely; the companion asks.
"""

_FOREIGN_TOKEN_ODDS_FACTOR = 0.02
"""Factor on the odds of a token where its colour is missing. If it grows, print under open windows is read as
numbers."""

_MIN_TOKENS_FOR_MIRROR_TEST = 9
"""Nine tokens show at least three that look different in a mirror: a set has two each of 2 to 6. If it grows, mirrored
views are noticed later."""


@dataclass(frozen=True, slots=True)
class WindowReadings:
    """The contents of the 12 windows, in the layout's order.

    >>> open_windows = np.eye(7, dtype=np.float32)[[0] * 12]
    >>> readings = WindowReadings(open_windows, hidden_share=np.zeros(12), blank=np.zeros(12, bool))
    >>> readings.probabilities.argmax(axis=1).tolist()
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]

    Attributes:
        probabilities: of no digit (column 0) and of the numbers 1 to 6, shape (12, 7) float32; each row sums to 1.
        hidden_share: share, 0 to 1, of the lid close around each window that does not look like the lid, shape (12,)
            float64.
        blank: flags, shape (12,) bool: a token lies there whose digit is not seen, blank side up most likely.
    """

    probabilities: Float32Array
    hidden_share: FloatArray
    blank: BoolArray


def cut_thumbnails(pyramid: ImagePyramid, layout: LidLayout, homography: FloatArray) -> Image:
    """Cut small softened patches of the windows and their surroundings.

    Args:
        homography: the pose, (3, 3) float64, from the lid's plane to the frame's pixels.

    Returns:
        BGR, shape (12, 24, 24, 3) uint8, in the layout's order.
    """
    pixels = _THUMBNAIL_SIDE_PX / (2 * _THUMBNAIL_HALF_SIDE_RADII)
    small, turn = pyramid.reduce_for(homography, _THUMBNAIL_SIDE_PX / 2 / _THUMBNAIL_HALF_SIDE_RADII)
    side = int(np.ceil(2 * pixels * (float(np.abs(layout.centers).max()) + _THUMBNAIL_HALF_SIDE_RADII))) + 2
    half_side = side / 2 / pixels
    lid = cv2.blur(cut_patch(small, turn, LID_CENTRE, half_side, side), (3, 3))
    left, top = np.rint((layout.centers + (half_side - _THUMBNAIL_HALF_SIDE_RADII)) * pixels).astype(int).T
    step = np.arange(_THUMBNAIL_SIDE_PX)
    places = (top * side + left)[:, None, None] + step[:, None] * side + step
    return np.asarray(lid.reshape(-1, 3).take(places, axis=0), np.uint8)


def find_unchanged(before: Image, now: Image) -> BoolArray:
    """Find the windows that look as before, by their thumbnails.

    Args:
        before: the earlier thumbnails, as `cut_thumbnails` returned them.
        now: the present thumbnails.

    Returns:
        Flags, shape (12,) bool: True where at most 1.2 % of the patch's pixels changed; in dim light smaller changes
        count.
    """
    levels = now.reshape(WINDOW_COUNT, -1, 3).mean(axis=1)
    light = levels.mean(axis=0) + 1
    weights = np.asarray(3 * light / light.sum(), np.float32)  # in coloured light one channel shows the digits alone
    away = (cv2.absdiff(before, now).reshape(-1, 3) @ weights).reshape(WINDOW_COUNT, -1)
    levels = levels.mean(axis=1, keepdims=True)
    changed = away > 3 * _MIN_PIXEL_CHANGE * np.clip(levels / _FULL_CHANGE_LEVEL, _MIN_DIM_SHARE, 1.0)
    return np.asarray(changed.mean(axis=1) <= _MAX_CHANGED_SHARE, np.bool_)


def read_windows(
    pyramid: ImagePyramid,
    layout: LidLayout,
    homography: FloatArray,
    classifier: DigitClassifier,
    again: tuple[WindowReadings, BoolArray] | None = None,
) -> WindowReadings:
    """Read all windows under a known pose.

    Args:
        homography: the pose, (3, 3) float64, from the lid's plane to the frame's pixels.
        classifier: reads the numbers.
        again: the last readings, and flags, shape (12,) bool, of the windows to be read again; the others keep their
            probabilities. None: read all.

    Returns:
        The readings, a new object.
    """
    which = np.ones(WINDOW_COUNT, bool) if again is None else again[1].copy()
    odds = np.zeros((WINDOW_COUNT, HIGHEST_NUMBER + 1), np.float32) if again is None else again[0].probabilities.copy()
    blank = np.zeros(WINDOW_COUNT, np.bool_) if again is None else again[0].blank & ~again[1]
    light = measure_ring_light(pyramid, layout, homography)
    share = np.ones(WINDOW_COUNT)
    if which.any():
        share[which] = measure_token_colour_share(pyramid, layout, homography, which, light)
        if light.is_even and np.count_nonzero(share[which] > _FULL_TOKEN_COLOUR_SHARE) >= _MIN_COLOURED_WINDOWS:
            foreign = which & (share < _MAX_OPEN_COLOUR_SHARE)
            if foreign.any() and are_rims_distinct(layout):
                rims = measure_foreign_rim_share(pyramid, layout, homography, foreign, light)
                foreign[foreign] = rims > _MIN_HOLE_RIM_SHARE
            odds[foreign] = _OPEN_PROBABILITIES
            which &= ~foreign
    if which.any():
        patches = _cut_patches(pyramid, homography, layout.centers[which])
        reflections = find_reflections(patches)
        is_lit = reflections.any(axis=(1, 2))
        read = classifier.classify(patches, as_windows=True)
        if is_lit.any():
            read[is_lit] = classify_below_reflections(classifier, patches[is_lit], reflections[is_lit])
        read = _weigh_by_colour(read, share[which])
        glaring = find_glaring(layout, which, light, patches) & (share[which] > _MIN_TOKEN_COLOUR_SHARE)
        rims = measure_foreign_rim_share(pyramid, layout, homography, which, light)
        read = _limit_open_probability(read, glaring)
        is_even = find_evenly_lit(layout, which, light)
        read = _limit_numbers(read, rims, is_even)
        blank[which] = (read[:, 0] > 0.5) & (rims < _MAX_FOREIGN_RIM_SHARE) & (share[which] > _FULL_TOKEN_COLOUR_SHARE)
        has_hole = rims > (_MIN_EVENLY_LIT_HOLE_RIM_SHARE if light.is_even else _MIN_HOLE_RIM_SHARE)
        odds[which] = _weigh_by_rim(read, share[which], rims, has_hole, is_even)
        is_sure = blank[which] & is_even & ~is_lit
        if is_sure.any() and is_light_white(layout, light) and are_rims_distinct(layout):
            odds[np.flatnonzero(which)[is_sure]] = _BLANK_PROBABILITIES
    return WindowReadings(odds, _measure_hidden_share(layout, light, odds), blank)


def are_tokens_mirrored(
    pyramid: ImagePyramid,
    layout: LidLayout,
    homography: FloatArray,
    classifier: DigitClassifier,
    readings: WindowReadings,
) -> bool | None:
    """Return whether the tokens' numbers are seen as in a mirror.

    Args:
        homography: the pose, (3, 3) float64, from the lid's plane to the frame's pixels.
        classifier: reads the numbers.
        readings: the windows as read under this pose.

    Returns:
        The answer; None if fewer than nine tokens are in clear view.
    """
    # Mirrored digits hardly pass for any, so covered is what is not surely open.
    covered = (readings.probabilities[:, 0] < MIN_PLAY_CONFIDENCE) & (readings.hidden_share <= MIN_TOUCHED_SHARE)
    if np.count_nonzero(covered) < _MIN_TOKENS_FOR_MIRROR_TEST:
        return None
    return classifier.is_mirrored(_cut_patches(pyramid, homography, layout.centers[covered]))


def _cut_patches(pyramid: ImagePyramid, homography: FloatArray, points: FloatArray) -> Image:
    """Cut the windows at these points of the plane for `DigitClassifier`, with the arrow up."""
    image, turn = pyramid.reduce_for(homography, PATCH_SIDE_PX / 2 / PATCH_HALF_SIDE_RADII)
    # Twice as fine and then averaged: a token is larger in the frame than the patch.
    large = np.concatenate([cut_patch(image, turn, p, PATCH_HALF_SIDE_RADII, 2 * PATCH_SIDE_PX) for p in points])
    patches = cv2.resize(large, (PATCH_SIDE_PX, len(large) // 2), interpolation=cv2.INTER_AREA)
    return np.asarray(patches, np.uint8).reshape(-1, PATCH_SIDE_PX, PATCH_SIDE_PX, 3)


def _limit_open_probability(odds: Float32Array, glaring: BoolArray) -> Float32Array:
    """Make probabilities (n, 7) that are certain of an open window less so where it is `glaring`, shape (n,)."""
    doubtful = glaring & (odds[:, 0] > MAX_TOUCHED_CONFIDENCE)
    out = odds.copy()
    out[doubtful, 0] = MAX_TOUCHED_CONFIDENCE
    rest = np.maximum(odds[doubtful, 1:].sum(axis=1), 1e-9)
    out[doubtful, 1:] *= ((1 - MAX_TOUCHED_CONFIDENCE) / rest)[:, None]
    return out


def may_all_be_covered(pyramid: ImagePyramid, layout: LidLayout, homography: FloatArray) -> bool:
    """Return whether every window has the tokens' own colour, as far as tokens have it: each may show a token.

    Args:
        homography: the pose, (3, 3) float64, from the lid's plane to the frame's pixels.
    """
    every = np.ones(WINDOW_COUNT, bool)
    light = measure_ring_light(pyramid, layout, homography)
    share = measure_token_colour_share(pyramid, layout, homography, every, light)
    return bool((share > _FULL_TOKEN_COLOUR_SHARE).all())


def _weigh_by_colour(odds: Float32Array, share: FloatArray) -> Float32Array:
    """Lower the numbers' probabilities, (n, 7), where too little has the tokens' own colour."""
    out = odds.copy()
    shares = [_MIN_TOKEN_COLOUR_SHARE, _FULL_TOKEN_COLOUR_SHARE]
    out[:, 1:] *= np.interp(share, shares, [_FOREIGN_TOKEN_ODDS_FACTOR, 1.0]).astype(np.float32)[:, None]
    return np.asarray(out / out.sum(axis=1, keepdims=True), np.float32)


def _limit_numbers(odds: Float32Array, rim: FloatArray, is_even: BoolArray) -> Float32Array:
    """Make numbers, (n, 7), less certain on what has not a token's rim, and where an edge of hard light lies."""
    best = odds[:, 1:].max(axis=1)
    doubtful = (rim > _MAX_SURE_RIM_SHARE) | (~is_even & (best < _MIN_CROSSED_PROBABILITY))
    doubtful &= best > MAX_TOUCHED_CONFIDENCE
    out = odds.copy()
    out[doubtful, 1:] *= (MAX_TOUCHED_CONFIDENCE / best[doubtful])[:, None]
    out[doubtful, 1:] += ((1 - out[doubtful].sum(axis=1)) / HIGHEST_NUMBER)[:, None]
    return out


def _weigh_by_rim(
    odds: Float32Array, share: FloatArray, rim: FloatArray, has_hole: BoolArray, is_even: BoolArray
) -> Float32Array:
    """Tell tokens without a digit from holes, and digits on tokens from print below a hole, by the rim.

    Args:
        odds: probabilities, (n, 7).
        share: share of each window's inside that has the tokens' own colour, (n,).
        rim: share of each window's rim that does not look like a token's, (n,).
        has_hole: whether that is so much that no token lies there, (n,).
        is_even: whether no edge of hard light lies across the window, (n,).

    Returns:
        Corrected probabilities, (n, 7).
    """
    out = odds.copy()
    has_rim = rim < _MAX_FOREIGN_RIM_SHARE
    out[has_hole & is_even & (odds[:, 0] < 0.5) & (share < _FULL_TOKEN_COLOUR_SHARE)] = _PRINTED_PROBABILITIES
    may_be_token = (odds[:, 0] > 0.5) & ~has_hole & (share > _MIN_TOKEN_COLOUR_SHARE)
    out[may_be_token & has_rim] = _UNREAD_PROBABILITIES
    return _limit_open_probability(out, may_be_token & ~has_rim)


def _measure_hidden_share(layout: LidLayout, light: RingLight, odds: Float32Array) -> FloatArray:
    """Measure the share of the lid close around each window that does not look like the lid, shape (12,).

    Shadow is allowed. A lid that is turned takes the tokens' shadows to their other side, so a point may look as it
    did, or as most points around this window did: there the shadow has gone."""
    clear = odds[:, 0] < 0.5
    base = clear if np.count_nonzero(clear) > 1 else np.ones(WINDOW_COUNT, bool)
    gain = np.clip(float(np.median(light.brightness_ratios[base])), *GAIN_RANGE)
    tinted = layout.ring_colours * light.tint
    then = tinted * gain
    references = [then, np.broadcast_to(np.median(then, axis=1, keepdims=True), then.shape)]
    gains = light.gains[base]
    if gains.max() > MIN_HARD_LIGHT_RATIO * gains.min():  # some are in the sun, and so may parts of their rings be
        references += [tinted * gain for gain in (gains.min(), gains.max())]
    odd = np.ones(then.shape[:2], bool)
    for reference in references:
        odd[odd] = find_changed_colours(light.colours[odd], reference[odd], MAX_BRIGHTENING_SHARE)
    return np.asarray(odd.mean(axis=1), np.float64)
