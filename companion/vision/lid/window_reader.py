"""Read each window under a known pose: a token and its number, an open hole, or a hand before it.

`homography` always maps the lid's plane to the frame. Windows are in the layout's order; `which` selects some of them
by flags, shape (12,)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np

from companion.vision.lid.circles import ImagePyramid, sample_colours
from companion.vision.lid.digit_reader import HIGHEST_NUMBER, PATCH_HALF_SIDE_RADII, PATCH_SIDE_PX, DigitClassifier
from companion.vision.lid.geometry import (
    LID_CENTRE,
    BoolArray,
    Float32Array,
    FloatArray,
    cut_patch,
    find_changed_colours,
)
from companion.vision.lid.layout import MIN_HARD_LIGHT_RATIO, WINDOW_COUNT, LidLayout
from companion.vision.reading import MIN_PLAY_CONFIDENCE, Image

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

_MIN_HIDDEN_SHARE = 0.25
"""Share of the lid close around a window from which it counts as hidden, if no digit shows. If it grows, hands are
taken for open windows more easily."""

_MIN_TOUCHED_SHARE = 0.12
"""Share from which something is so near to a window that its reading is only likely. If it grows, more readings near
hands are played."""

_MAX_BRIGHTENING_SHARE = 0.22
"""Share by which a lamp may brighten the lid where it lies now; more is a hand. If it grows, pale hands are missed."""

_MIN_TOKEN_COLOUR_SHARE = 0.5
"""A window with a smaller share of the tokens' own colour (as a share of what the token with the least of it has) shows
no token. If it grows, dirty tokens count as open windows."""

_FULL_TOKEN_COLOUR_SHARE = 0.85
"""From this share on a window may well show a token. Over 2,452 tokens of 46 rendered lids the least was 1.05; of the
open windows three in four had less than 0.61. If it grows, more digits are doubted."""

_MIN_BRIGHTNESS_SHARE = 0.6
"""Least brightness of a token, as a share of what the light around it makes of its colour; a card below an open window
may be of the same hue, and darker. Over 5,783 tokens of 62 rendered lids the bound removes no token. If it grows,
shaded tokens count as cards."""

_MAX_REFLECTION_LEVELS = 60.0
"""Brightness (length of a colour, levels) that a lamp's reflection may add to a dark grey token. If it grows, pale
things pass for reflections on dark tokens."""

_MAX_DARK_TOKEN_LEVEL = 220.0
"""Brightness (length of a colour) below which a token is dark. If it grows, more tokens are allowed such
reflections."""

_MIN_GREY_COSINE = 0.985
"""Cosine of a colour to white from which it is grey: a reflection on it cannot be distinguished from light by its hue.
If it grows, fewer tokens count as grey."""

_MIN_REFERENCE_COLOUR_SHARE = 0.1
"""Least `LidLayout.min_token_colour_share` that is divided by. If it grows, windows of badly learnt lids count as
open."""

_MAX_OPEN_COLOUR_SHARE = 0.2
"""A window with a smaller share of the tokens' colour is open, and its digit need not be read. Of 3,884 covered ones
the least was 0.63. If it grows, reading is quicker and dirty tokens count as open windows."""

_MIN_COLOURED_WINDOWS = 2
"""Least number of windows that clearly have the tokens' colour in this light, if open windows are to be recognised by
colour. If it grows, more digits are read."""

_MIN_OVEREXPOSED_LEVEL = 250
"""Level (of 255) from which a pixel is as bright as the camera can tell. If it grows, fewer windows count as
overexposed."""

_MIN_OVEREXPOSED_SHARE = 0.3
"""Share of overexposed pixels from which a window in the sun is overexposed. If it grows, fewer windows count as
overexposed."""

_OPEN_PROBABILITIES = np.array([0.994, *[0.001] * HIGHEST_NUMBER], np.float32)
"""Reading of a window that is open by its colour, shape (7,)."""

_FOREIGN_TOKEN_ODDS_FACTOR = 0.02
"""Factor on the odds of a token where its colour is missing. If it grows, print under open windows is read as
numbers."""

_MAX_TOUCHED_CONFIDENCE = 0.85
"""Largest confidence where something is near, or glare may hide a digit. If it grows to MIN_PLAY_CONFIDENCE, the
companion no longer asks."""

_MAX_GUESSED_CONFIDENCE = 0.8
"""Largest confidence of a number that only the other tokens' numbers suggest. If it grows to MIN_PLAY_CONFIDENCE,
guesses are played."""

_MAX_REMEMBERED_OPEN_PROBABILITY = 0.8
"""A window that is open with a higher probability is open, also if its number was known. If it grows, memory weighs
more."""

_CHANCE_PROBABILITY = 1 / HIGHEST_NUMBER
"""Probability that something else under an open window looks like one given number. If it grows, memory weighs less."""

_MIN_TOKENS_FOR_MIRROR_TEST = 9
"""Nine tokens show at least three that look different in a mirror: a set has two each of 2 to 6. If it grows, mirrored
views are noticed later."""

_GAIN_RANGE = (0.3, 3.0)
"""Range of the light, as a share of that at calibration, that is allowed for. If it widens, other surfaces pass."""

_BALANCE_SHARE = 2e-3
"""Probability that every number keeps while the numbers are balanced, so that a set that does differ is still read as
it is. If it grows, the set counts for less."""

_BALANCE_ROUNDS = 12
"""Rounds of balancing rows and columns. If it grows, the sums are closer to exact."""


@dataclass(frozen=True, slots=True)
class WindowReadings:
    """The contents of the 12 windows, in the layout's order.

    Attributes:
        probabilities: of no digit (column 0) and of the numbers 1 to 6, shape (12, 7) float32; each row sums to 1.
        hidden_share: share, 0 to 1, of the lid close around each window that does not look like the lid, shape (12,)
            float64.
    """

    probabilities: Float32Array
    hidden_share: FloatArray


def cut_thumbnails(pyramid: ImagePyramid, layout: LidLayout, homography: FloatArray) -> Image:
    """Cut small softened patches of the windows and their surroundings.

    Args:
        pyramid: the frame.
        layout: the lid.
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
    channels = np.ones(3, np.float32)
    away = (cv2.absdiff(before, now).reshape(-1, 3) @ channels).reshape(WINDOW_COUNT, -1)
    levels = (now.reshape(-1, 3) @ channels).reshape(WINDOW_COUNT, -1).mean(axis=1, keepdims=True) / 3
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
        pyramid: the frame.
        layout: the lid.
        homography: the pose, (3, 3) float64, from the lid's plane to the frame's pixels.
        classifier: reads the numbers.
        again: the last readings, and flags, shape (12,) bool, of the windows to be read again; the others keep their
            probabilities. None: read all.

    Returns:
        The readings, a new object.
    """
    which = np.ones(WINDOW_COUNT, bool) if again is None else again[1]
    odds = np.zeros((WINDOW_COUNT, HIGHEST_NUMBER + 1), np.float32) if again is None else again[0].probabilities.copy()
    light = _measure_ring_light(pyramid, layout, homography)
    share = np.ones(WINDOW_COUNT)
    if which.any():
        share[which] = _measure_token_colour_share(pyramid, layout, homography, which, light)
        if light.is_even and np.count_nonzero(share[which] > _FULL_TOKEN_COLOUR_SHARE) >= _MIN_COLOURED_WINDOWS:
            odds[which & (share < _MAX_OPEN_COLOUR_SHARE)] = _OPEN_PROBABILITIES
            which = which & (share >= _MAX_OPEN_COLOUR_SHARE)
    if which.any():
        patches = _cut_patches(pyramid, homography, layout.centers[which])
        read = _weigh_by_colour(classifier.classify(patches, as_windows=True), share[which])
        glaring = _find_glaring(layout, which, light, patches) & (share[which] > _MIN_TOKEN_COLOUR_SHARE)
        odds[which] = _limit_open_probability(read, glaring)
    return WindowReadings(odds, _measure_hidden_share(layout, light, odds))


def are_tokens_mirrored(
    pyramid: ImagePyramid,
    layout: LidLayout,
    homography: FloatArray,
    classifier: DigitClassifier,
    readings: WindowReadings,
) -> bool | None:
    """Return whether the tokens' numbers are seen as in a mirror.

    Args:
        pyramid: the frame.
        layout: the lid.
        homography: the pose, (3, 3) float64, from the lid's plane to the frame's pixels.
        classifier: reads the numbers.
        readings: the windows as read under this pose.

    Returns:
        The answer; None if fewer than nine tokens are in clear view.
    """
    # Mirrored digits hardly pass for any, so covered is what is not surely open.
    covered = (readings.probabilities[:, 0] < MIN_PLAY_CONFIDENCE) & (readings.hidden_share <= _MIN_TOUCHED_SHARE)
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


class _RingLight(NamedTuple):
    """Colours and light close around each token, at the layout's `ring_points` (n per window)."""

    colours: FloatArray
    """BGR, shape (12, n, 3)."""
    brightness_ratios: FloatArray
    """Each point's brightness, as a share of that at calibration, shape (12, n)."""
    gains: FloatArray
    """Their median at each window, shape (12,)."""
    absolute_gains: FloatArray
    """The same, as a share of the light that most of the lid had at calibration, shape (12,)."""

    @property
    def is_even(self) -> bool:
        """Whether all windows have about the same light; a darker one is then only in shadow."""
        return bool(self.absolute_gains.max() < MIN_HARD_LIGHT_RATIO * self.absolute_gains.min())


def _measure_ring_light(pyramid: ImagePyramid, layout: LidLayout, homography: FloatArray) -> _RingLight:
    colours = sample_colours(pyramid, homography, layout.ring_points)
    ratios = (colours.sum(axis=2) + 1) / (layout.ring_colours.sum(axis=2, dtype=np.float64) + 1)
    gains = np.median(ratios, axis=1)
    return _RingLight(colours, ratios, gains, gains * layout.relative_light)


def _measure_token_colour_share(
    pyramid: ImagePyramid, layout: LidLayout, homography: FloatArray, which: BoolArray, light: _RingLight
) -> FloatArray:
    """Measure the share of each window's inside that has the tokens' own colour, in the light around it.

    Returns:
        Shape (n,) for the windows of `which`; 1 is the share of the token that has least of its colour.
    """
    colours = sample_colours(pyramid, homography, layout.face_points[which])
    gain = np.clip(light.gains[which], *_GAIN_RANGE)
    foreign = _find_foreign_pixels(colours, layout, which, gain)
    for other_gain in _iterate_other_gains(layout, gain, which, light):
        foreign &= _find_foreign_pixels(colours, layout, which, other_gain)
    reference = max(layout.min_token_colour_share, _MIN_REFERENCE_COLOUR_SHARE)
    return np.asarray((1 - foreign.mean(axis=1)) / reference, np.float64)


def _find_foreign_pixels(colours: FloatArray, layout: LidLayout, which: BoolArray, gain: FloatArray) -> BoolArray:
    """Tell which of the colours (n, points, 3) are not the tokens' own in this light, gain (n,)."""
    expected = np.minimum(gain[:, None] * layout.token_colour, 255.0)[:, None]
    darkest = (_MIN_BRIGHTNESS_SHARE * np.minimum(1.0, layout.relative_light[which]))[:, None] * expected.sum(axis=2)
    level = np.linalg.norm(expected, axis=2)
    grey = expected.sum(axis=2) > _MIN_GREY_COSINE * np.sqrt(3.0) * level
    reflection = np.where(grey & (level < _MAX_DARK_TOKEN_LEVEL), _MAX_REFLECTION_LEVELS / np.maximum(level, 1.0), 0.0)
    changed = find_changed_colours(colours, expected, _MAX_BRIGHTENING_SHARE + reflection)
    return np.asarray(changed | (colours.sum(axis=2) < darkest), np.bool_)


def _iterate_other_gains(
    layout: LidLayout, gain: FloatArray, which: BoolArray, light: _RingLight
) -> Iterator[FloatArray]:
    """Yield the gains (n,) besides `gain` that parts of a window may have.

    They differ where an edge of hard light crosses a window, or where one did at calibration.
    """
    if light.is_even:
        return
    if layout.was_in_hard_light:
        yield gain * layout.relative_light[which]
    least, most, crossed = _measure_light_range(layout, which, light)
    if crossed.any():
        yield np.where(crossed, least, gain)
        yield np.where(crossed, most, gain)


def _measure_light_range(
    layout: LidLayout, which: BoolArray, light: _RingLight
) -> tuple[FloatArray, FloatArray, BoolArray]:
    """Return the least and the most light (n,) that a sixth of each ring has, and where an edge of hard light lies."""
    # Of a lid learnt in hard light it is not known which light each point had.
    hard = layout.was_in_hard_light
    there = (light.colours.sum(axis=2) / layout.brightness if hard else light.brightness_ratios)[which]
    sixth = there.shape[1] // 6
    least, most = np.sort(there, axis=1)[:, [sixth, -sixth]].T
    return least, most, most > MIN_HARD_LIGHT_RATIO * least


def _find_glaring(layout: LidLayout, which: BoolArray, light: _RingLight, patches: Image) -> BoolArray:
    """Tell in which windows hard light may cross out a digit, shape (n,).

    An edge of hard light lies across them, or they are in the sun and mostly as bright as the camera can tell.
    `patches` are theirs, (n, side, side, 3).
    """
    if light.is_even:
        return np.zeros(len(patches), np.bool_)
    _, _, glaring = _measure_light_range(layout, which, light)
    sunny = light.absolute_gains[which] > MIN_HARD_LIGHT_RATIO * light.absolute_gains.min()
    overexposed = (patches.max(axis=3) >= _MIN_OVEREXPOSED_LEVEL).mean(axis=(1, 2)) > _MIN_OVEREXPOSED_SHARE
    return np.asarray(glaring | (sunny & overexposed), np.bool_)


def _limit_open_probability(odds: Float32Array, glaring: BoolArray) -> Float32Array:
    """Make probabilities (n, 7) that are certain of an open window less so where it is `glaring`, shape (n,)."""
    doubtful = glaring & (odds[:, 0] > _MAX_TOUCHED_CONFIDENCE)
    out = odds.copy()
    out[doubtful, 0] = _MAX_TOUCHED_CONFIDENCE
    rest = np.maximum(odds[doubtful, 1:].sum(axis=1), 1e-9)
    out[doubtful, 1:] *= ((1 - _MAX_TOUCHED_CONFIDENCE) / rest)[:, None]
    return out


def may_all_be_covered(pyramid: ImagePyramid, layout: LidLayout, homography: FloatArray) -> bool:
    """Return whether every window has the tokens' own colour, as far as tokens have it: each may show a token.

    Args:
        pyramid: the frame.
        layout: the lid.
        homography: the pose, (3, 3) float64, from the lid's plane to the frame's pixels.
    """
    every = np.ones(WINDOW_COUNT, bool)
    light = _measure_ring_light(pyramid, layout, homography)
    share = _measure_token_colour_share(pyramid, layout, homography, every, light)
    return bool((share > _FULL_TOKEN_COLOUR_SHARE).all())


def _weigh_by_colour(odds: Float32Array, share: FloatArray) -> Float32Array:
    """Lower the numbers' probabilities, (n, 7), where too little has the tokens' own colour."""
    out = odds.copy()
    shares = [_MIN_TOKEN_COLOUR_SHARE, _FULL_TOKEN_COLOUR_SHARE]
    out[:, 1:] *= np.interp(share, shares, [_FOREIGN_TOKEN_ODDS_FACTOR, 1.0]).astype(np.float32)[:, None]
    return np.asarray(out / out.sum(axis=1, keepdims=True), np.float32)


def _measure_hidden_share(layout: LidLayout, light: _RingLight, odds: Float32Array) -> FloatArray:
    """Measure the share of the lid close around each window that does not look like the lid, shape (12,).

    Shadow is allowed. A lid that is turned takes the tokens' shadows to their other side, so a point may look as it
    did, or as most points around this window did: there the shadow has gone."""
    clear = odds[:, 0] < 0.5
    base = clear if np.count_nonzero(clear) > 1 else np.ones(WINDOW_COUNT, bool)
    gain = np.clip(float(np.median(light.brightness_ratios[base])), *_GAIN_RANGE)
    then = layout.ring_colours.astype(np.float64) * gain
    references = [then, np.broadcast_to(np.median(then, axis=1, keepdims=True), then.shape)]
    gains = light.gains[base]
    if gains.max() > MIN_HARD_LIGHT_RATIO * gains.min():  # some are in the sun, and so may parts of their rings be
        references += [layout.ring_colours * gain for gain in (gains.min(), gains.max())]
    odd = np.ones(then.shape[:2], bool)
    for reference in references:
        odd[odd] = find_changed_colours(light.colours[odd], reference[odd], _MAX_BRIGHTENING_SHARE)
    return np.asarray(odd.mean(axis=1), np.float64)


def balance_numbers(odds: Float32Array) -> Float32Array:
    """Correct the probabilities of 12 covered windows by the fact that a set has each number twice.

    Rows are scaled to sum 1 and columns to 2 in turns (Sinkhorn 1964). Where the readings are not two of each, one of
    them is wrong, or the set is another, and which one is only a guess: a guessed number, or one that the guess made
    more certain, stays below `MIN_PLAY_CONFIDENCE`.

    Args:
        odds: probabilities of no digit (column 0) and the numbers 1 to 6, shape (12, 7) float32; not changed.

    Returns:
        Corrected probabilities, shape (12, 7) float32; column 0 is as before.
    """
    table = odds[:, 1:].astype(np.float64) + _BALANCE_SHARE
    for _ in range(_BALANCE_ROUNDS):
        table *= 2 / table.sum(axis=0, keepdims=True)
        table /= table.sum(axis=1, keepdims=True)
    seen = odds[:, 1:] / np.maximum(odds[:, 1:].sum(axis=1, keepdims=True), 1e-9)
    read, balanced = seen.argmax(axis=1), table.argmax(axis=1)
    twice = np.bincount(read, minlength=HIGHEST_NUMBER) == 2
    for i in np.flatnonzero((balanced != read) | ~twice[read]):
        number = balanced[i]
        most = max(_MAX_GUESSED_CONFIDENCE, float(seen[i, number])) if number == read[i] else _MAX_GUESSED_CONFIDENCE
        if table[i, number] > most:
            table[i] *= (1 - most) / (1 - table[i, number])
            table[i, number] = most
    out = odds.copy()
    out[:, 1:] = table * (1 - odds[:, :1])
    return out


def apply_memory(odds: Float32Array, known: Float32Array) -> Float32Array:
    """Correct the probabilities of a window that may be open but, if not, shows just its known number.

    The ground below an open window would look like this very number only by chance.

    Args:
        odds: probabilities of no digit (index 0) and the numbers 1 to 6, shape (7,) float32; not changed.
        known: the probabilities with which its number is known, shape (7,) float32.

    Returns:
        Probabilities, shape (7,) float32; `odds` itself if nothing is corrected.
    """
    if odds[0] > _MAX_REMEMBERED_OPEN_PROBABILITY or odds[1:].argmax() != known[1:].argmax():
        return odds
    out = odds.copy()
    out[0] *= _CHANCE_PROBABILITY
    return np.asarray(out / out.sum(), np.float32)


def find_hidden(readings: WindowReadings) -> BoolArray:
    """Find the windows that a hand seems to hide.

    Args:
        readings: the windows as read.

    Returns:
        Flags, shape (12,) bool: True where more than a quarter of the surroundings does not look like the lid and no
        digit is seen.
    """
    return np.asarray(
        (readings.hidden_share > _MIN_HIDDEN_SHARE) & (readings.probabilities[:, 0] > 0.5),
        np.bool_,
    )


def limit_confidence(readings: WindowReadings) -> FloatArray:
    """Return the largest confidence that each window's reading may have, given its surroundings.

    Args:
        readings: the windows as read.

    Returns:
        Confidences, shape (12,) float64: 0.85 where more than 12 % of the surroundings does not look like the lid, else
        1.
    """
    return np.where(readings.hidden_share > _MIN_TOUCHED_SHARE, _MAX_TOUCHED_CONFIDENCE, 1.0)
