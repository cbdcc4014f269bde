"""What each window shows under a known pose: a token and its number, an open hole, or a hand before it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.lid.circles import ImagePyramid, choose_level, reduce_homography, sample_colours
from companion.vision.lid.digit_reader import HIGHEST_NUMBER, PATCH_HALF_SIDE_RADII, PATCH_SIDE_PX, DigitClassifier
from companion.vision.lid.geometry import LID_CENTRE, FloatArray, compute_scale, cut_patch, find_changed_colours
from companion.vision.lid.layout import MIN_HARD_LIGHT_RATIO, WINDOW_COUNT, LidLayout
from companion.vision.reading import MIN_PLAY_CONFIDENCE, Image

_THUMBNAIL_SIDE_PX = 24
"""Side of the small patches that tell whether a window changed."""

_THUMBNAIL_HALF_SIDE_RADII = 1.25

_MIN_PIXEL_CHANGE = 24.0
"""A pixel of a small patch has changed if its channels differ by so much (of 255) on average."""

_MAX_CHANGED_SHARE = 0.012
"""A patch is unchanged if no more than this share of its pixels has: a digit's strokes are more."""

_MIN_HIDDEN_SHARE = 0.25
"""A window is hidden when this share of the lid close around it is and no digit shows."""

_MIN_TOUCHED_SHARE = 0.12
"""From this share on something is so near to the window that a reading is only likely."""

_MAX_BRIGHTENING_SHARE = 0.22
"""The lamp may brighten the lid by this share where it lies now; more is a hand."""

_MIN_TOKEN_COLOUR_SHARE, _FULL_TOKEN_COLOUR_SHARE = 0.5, 0.85
"""With a smaller share of the tokens' own colour (of what the token with the least of it has) a window shows no token,
from the larger one on it may; over 2,452 tokens of 46 rendered lids the least was 1.05, of open windows 3 in 4 had less
than 0.61."""

_MIN_BRIGHTNESS_SHARE = 0.6
"""A token is not darker than this share of what the light around it makes of its colour: over 5,783 tokens of 62
rendered lids the bound takes off no window's tokens; a card below an open one may be of the same hue, and darker."""

_MAX_REFLECTION_LEVELS, _MAX_DARK_TOKEN_LEVEL, _MIN_GREY_COSINE = 60.0, 220.0, 0.985
"""So much brighter (length of a colour) a lamp's reflection makes a token darker than the second; on one so grey (the
cosine to white) it cannot be told from light by its hue."""

_MIN_REFERENCE_COLOUR_SHARE = 0.1

_MAX_OPEN_COLOUR_SHARE = 0.2
"""A window with a smaller share is open, and no digit need be looked for: of 3,884 covered ones the least was 0.63."""

_MIN_COLOURED_WINDOWS = 2
"""But only where in this light so many others surely have the tokens' colour, and no window has `HARD_LIGHT` times
another's: there colours tell less than digits."""

_MIN_OVEREXPOSED_LEVEL, _MIN_OVEREXPOSED_SHARE = 250, 0.3
"""A window of which a larger share is so bright (of 255) is overexposed."""

_OPEN_PROBABILITIES = np.array([0.994, *[0.001] * HIGHEST_NUMBER], np.float32)

_FOREIGN_TOKEN_ODDS_FACTOR = 0.02
"""The odds of a token are times this then."""

_MAX_TOUCHED_CONFIDENCE = 0.85

_MAX_GUESSED_CONFIDENCE = 0.8
"""The most that a number is worth which other tokens' numbers suggest."""

_MAX_REMEMBERED_OPEN_PROBABILITY = 0.8
"""A window that is open with more certainty is taken as open whatever was known of it."""

_CHANCE_PROBABILITY = 1 / HIGHEST_NUMBER

_MIN_TOKENS_FOR_MIRROR_TEST = 9
"""So many tokens show at least three that look otherwise in a mirror: a set has two each of 2 to 6."""


@dataclass(frozen=True, slots=True)
class WindowReadings:
    """Of 12 windows: probabilities of no digit and the numbers 1 to 6, shape (12, 7); share hidden, shape (12,)."""

    probabilities: npt.NDArray[np.float32]
    hidden_share: FloatArray


def cut_thumbnails(scales: ImagePyramid, layout: LidLayout, h: FloatArray) -> Image:
    """Small softened pictures of the windows and what is around them, shape (12, n, n, 3), uint8."""
    halvings = choose_level(compute_scale(h, LID_CENTRE), _THUMBNAIL_SIDE_PX / 2 / _THUMBNAIL_HALF_SIDE_RADII)
    pixels = _THUMBNAIL_SIDE_PX / (2 * _THUMBNAIL_HALF_SIDE_RADII)
    side = int(np.ceil(2 * pixels * (float(np.abs(layout.centers).max()) + _THUMBNAIL_HALF_SIDE_RADII))) + 2
    reach = side / 2 / pixels
    lid = cv2.blur(
        cut_patch(scales.get_level(halvings), reduce_homography(h, halvings), LID_CENTRE, reach, side), (3, 3)
    )
    left, top = np.rint((layout.centers + (reach - _THUMBNAIL_HALF_SIDE_RADII)) * pixels).astype(int).T
    step = np.arange(_THUMBNAIL_SIDE_PX)
    places = (top * side + left)[:, None, None] + step[:, None] * side + step
    return np.asarray(lid.reshape(-1, 3).take(places, axis=0), np.uint8)


def find_unchanged(before: Image, now: Image) -> npt.NDArray[np.bool_]:
    """Which of the 12 windows look as before."""
    away = cv2.absdiff(before, now).reshape(-1, 3) @ np.ones(3, np.float32)
    changed = (away > 3 * _MIN_PIXEL_CHANGE).reshape(WINDOW_COUNT, -1)
    return np.asarray(changed.mean(axis=1) <= _MAX_CHANGED_SHARE, np.bool_)


def read_windows(
    scales: ImagePyramid,
    layout: LidLayout,
    h: FloatArray,
    net: DigitClassifier,
    again: tuple[WindowReadings, npt.NDArray[np.bool_]] | None = None,
) -> WindowReadings:
    """Reads all windows, or of those read before only the ones marked in `again`."""
    which = np.ones(WINDOW_COUNT, bool) if again is None else again[1]
    odds = np.zeros((WINDOW_COUNT, HIGHEST_NUMBER + 1), np.float32) if again is None else again[0].probabilities.copy()
    lit = _measure_ring_light(scales, layout, h)
    if which.any():
        share = np.ones(WINDOW_COUNT)
        share[which] = _measure_token_colour_share(scales, layout, h, which, lit)
        if np.count_nonzero(share[which] > _FULL_TOKEN_COLOUR_SHARE) >= _MIN_COLOURED_WINDOWS and _is_evenly_lit(
            layout, lit
        ):
            odds[which & (share < _MAX_OPEN_COLOUR_SHARE)] = _OPEN_PROBABILITIES
            which = which & (share >= _MAX_OPEN_COLOUR_SHARE)
    if which.any():
        patches = _cut_patches(scales, h, layout.centers[which])
        read = _weigh_by_colour(net.read(patches, closely=True), share[which])
        odds[which] = _limit_open_probability(
            read, _find_glaring(layout, which, lit, patches) & (share[which] > _MIN_TOKEN_COLOUR_SHARE)
        )
    return WindowReadings(odds, _measure_hidden_share(layout, lit, odds))


def are_tokens_mirrored(
    scales: ImagePyramid, layout: LidLayout, h: FloatArray, net: DigitClassifier, shows: WindowReadings
) -> bool | None:
    """Whether the tokens' numbers are seen as in a mirror; None: too few tokens are in view to tell."""
    covered = (shows.probabilities[:, 0] < MIN_PLAY_CONFIDENCE) & (
        shows.hidden_share <= _MIN_TOUCHED_SHARE
    )  # mirrored digits hardly pass for any
    if np.count_nonzero(covered) < _MIN_TOKENS_FOR_MIRROR_TEST:
        return None
    return net.is_mirrored(_cut_patches(scales, h, layout.centers[covered]))


def _cut_patches(scales: ImagePyramid, h: FloatArray, points: FloatArray) -> Image:
    """What the windows at these points of the plane show, for `TokenNet`."""
    halvings = choose_level(compute_scale(h, LID_CENTRE), PATCH_SIDE_PX / 2 / PATCH_HALF_SIDE_RADII)
    image, turn = scales.get_level(halvings), reduce_homography(h, halvings)
    # Twice as fine and then averaged: a token is larger in the frame than the patch.
    large = np.concatenate([cut_patch(image, turn, p, PATCH_HALF_SIDE_RADII, 2 * PATCH_SIDE_PX) for p in points])
    patches = cv2.resize(large, (PATCH_SIDE_PX, len(large) // 2), interpolation=cv2.INTER_AREA)
    return np.asarray(patches, np.uint8).reshape(-1, PATCH_SIDE_PX, PATCH_SIDE_PX, 3)


class _RingLight(NamedTuple):
    """What is close around each token, at the layout's `rings`."""

    colours: FloatArray
    """The colours, shape (12, n, 3)."""
    brightness_ratios: FloatArray
    """Each place's brightness, as a share of what it was when the lid was learnt, shape (12, n)."""
    gains: FloatArray
    """And that of most places at each window, shape (12,)."""


def _measure_ring_light(scales: ImagePyramid, layout: LidLayout, h: FloatArray) -> _RingLight:
    now = sample_colours(scales, h, layout.ring_points)
    brighter = (now.sum(axis=2) + 1) / (layout.ring_colours.sum(axis=2, dtype=np.float64) + 1)
    return _RingLight(now, brighter, np.median(brighter, axis=1))


def _measure_token_colour_share(
    scales: ImagePyramid, layout: LidLayout, h: FloatArray, which: npt.NDArray[np.bool_], lit: _RingLight
) -> FloatArray:
    """For each window of `which` the share of its inside that has the tokens' own colour, in the light around it; 1 is
    what the token has that shows least of it."""
    colours = sample_colours(scales, h, layout.face_points[which])
    gain = np.clip(lit.gains[which], 0.3, 3.0)
    other = _find_foreign_pixels(colours, layout, which, gain)
    for light in _iterate_other_lights(layout, gain, which, lit):
        other &= _find_foreign_pixels(colours, layout, which, light)
    return np.asarray(
        (1 - other.mean(axis=1)) / max(layout.min_token_colour_share, _MIN_REFERENCE_COLOUR_SHARE), np.float64
    )


def _is_evenly_lit(layout: LidLayout, lit: _RingLight) -> bool:
    """Whether all windows have about the same light: what is darker at one is only a shadow."""
    gains = lit.gains * layout.relative_light
    return bool(gains.max() < MIN_HARD_LIGHT_RATIO * gains.min())


def _find_foreign_pixels(
    colours: FloatArray, layout: LidLayout, which: npt.NDArray[np.bool_], light: FloatArray
) -> npt.NDArray[np.bool_]:
    """Which of the colours (n, places, 3) are not the tokens' own in this light (n,)."""
    expected = np.minimum(light[:, None] * layout.token_colour, 255.0)[:, None]
    dark = colours.sum(axis=2) < (_MIN_BRIGHTNESS_SHARE * layout.shade[which])[:, None] * expected.sum(axis=2)
    level = np.linalg.norm(expected, axis=2)
    grey = expected.sum(axis=2) > _MIN_GREY_COSINE * np.sqrt(3.0) * level
    brighter = _MAX_BRIGHTENING_SHARE + np.where(
        grey & (level < _MAX_DARK_TOKEN_LEVEL), _MAX_REFLECTION_LEVELS / np.maximum(level, 1.0), 0.0
    )
    return np.asarray(find_changed_colours(colours, expected, brighter) | dark, np.bool_)


def _iterate_other_lights(
    layout: LidLayout, gain: FloatArray, which: npt.NDArray[np.bool_], lit: _RingLight
) -> Iterator[FloatArray]:
    """Where an edge of hard light crosses a window, or the lid was learnt with one across it, the lights (n,) that its
    parts may be in besides `gain`."""
    if _is_evenly_lit(layout, lit):
        return
    if layout.was_in_hard_light:
        yield gain * layout.relative_light[which]
    least, most, crossed = _measure_light_range(layout, which, lit)
    if crossed.any():
        yield np.where(crossed, least, gain)
        yield np.where(crossed, most, gain)


def _measure_light_range(
    layout: LidLayout, which: npt.NDArray[np.bool_], lit: _RingLight
) -> tuple[FloatArray, FloatArray, npt.NDArray[np.bool_]]:
    """The least and the most light (n,) that much of each window's ring is in, and across which an edge of hard light
    lies."""
    # Of a lid learnt in hard light it is not known what light each place had.
    there = (lit.colours.sum(axis=2) / layout.brightness if layout.was_in_hard_light else lit.brightness_ratios)[which]
    sixth = there.shape[1] // 6
    least, most = np.sort(there, axis=1)[:, [sixth, -sixth]].T
    return least, most, most > MIN_HARD_LIGHT_RATIO * least


def _find_glaring(
    layout: LidLayout, which: npt.NDArray[np.bool_], lit: _RingLight, patches: Image
) -> npt.NDArray[np.bool_]:
    """Of which windows, whose patches these are, hard light may cross out a digit: its edge lies across them, or they
    are in the sun and most is as bright as the camera can tell."""
    if _is_evenly_lit(layout, lit):
        return np.zeros(len(patches), np.bool_)
    _, _, glaring = _measure_light_range(layout, which, lit)
    gains = lit.gains * layout.relative_light
    sunny = gains[which] > MIN_HARD_LIGHT_RATIO * gains.min()
    if sunny.any():
        glaring |= sunny & ((patches.max(axis=3) >= _MIN_OVEREXPOSED_LEVEL).mean(axis=(1, 2)) > _MIN_OVEREXPOSED_SHARE)
    return np.asarray(glaring, np.bool_)


def _limit_open_probability(odds: npt.NDArray[np.float32], glaring: npt.NDArray[np.bool_]) -> npt.NDArray[np.float32]:
    """Odds (n, 7), those that are certain of an open window made less so where it is `glaring`."""
    doubtful = glaring & (odds[:, 0] > _MAX_TOUCHED_CONFIDENCE)
    out = odds.copy()
    out[doubtful, 0] = _MAX_TOUCHED_CONFIDENCE
    out[doubtful, 1:] *= ((1 - _MAX_TOUCHED_CONFIDENCE) / np.maximum(odds[doubtful, 1:].sum(axis=1), 1e-9))[:, None]
    return out


def may_all_be_covered(scales: ImagePyramid, layout: LidLayout, h: FloatArray) -> bool:
    """Whether every window may show a token, by its colour."""
    every = np.ones(WINDOW_COUNT, bool)
    return bool(
        (
            _measure_token_colour_share(scales, layout, h, every, _measure_ring_light(scales, layout, h))
            > _FULL_TOKEN_COLOUR_SHARE
        ).all()
    )


def _weigh_by_colour(odds: npt.NDArray[np.float32], share: FloatArray) -> npt.NDArray[np.float32]:
    """Odds (n, 7), less for the numbers where too little has the tokens' own colour."""
    out = odds.copy()
    may_be = np.interp(share, [_MIN_TOKEN_COLOUR_SHARE, _FULL_TOKEN_COLOUR_SHARE], [_FOREIGN_TOKEN_ODDS_FACTOR, 1.0])
    out[:, 1:] *= may_be.astype(np.float32)[:, None]
    return np.asarray(out / out.sum(axis=1, keepdims=True), np.float32)


def _measure_hidden_share(layout: LidLayout, lit: _RingLight, odds: npt.NDArray[np.float32]) -> FloatArray:
    """For each window the share of the lid close around it that does not look like the lid (shadow is allowed).

    A lid that is turned takes the tokens' shadows to their other side. So a place may look as it did, or as most of
    what is around this window did: there the shadow has gone.
    """
    clear = odds[:, 0] < 0.5
    base = clear if np.count_nonzero(clear) > 1 else np.ones(WINDOW_COUNT, bool)
    gain = np.clip(float(np.median(lit.brightness_ratios[base])), 0.3, 3.0)
    then = layout.ring_colours.astype(np.float64) * gain
    odd = find_changed_colours(lit.colours, then, _MAX_BRIGHTENING_SHARE)
    most = np.broadcast_to(np.median(then, axis=1, keepdims=True), then.shape)
    odd[odd] = find_changed_colours(lit.colours[odd], most[odd], _MAX_BRIGHTENING_SHARE)
    gains = lit.gains[base]
    if (
        gains.max() > MIN_HARD_LIGHT_RATIO * gains.min()
    ):  # some are in the sun, some are not, and so may parts of their rings be
        for gain in (gains.min(), gains.max()):
            odd[odd] = find_changed_colours(lit.colours[odd], layout.ring_colours[odd] * gain, _MAX_BRIGHTENING_SHARE)
    return np.asarray(odd.mean(axis=1), np.float64)


def balance_numbers(odds: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Odds of 12 covered windows, corrected by the knowledge that a set has each number twice.

    Rows are brought to sum 1 and columns to 2 in turns (Sinkhorn). A share of doubt stays in every cell, so that a
    set that does differ is still read as it is. Where the readings are not two of each, one of them is wrong, or the
    set is another, and which one is only guessed: what was guessed, or made surer by the guess, is not acted on.
    """
    table = odds[:, 1:].astype(np.float64) + 2e-3
    for _ in range(12):
        table *= 2 / table.sum(axis=0, keepdims=True)
        table /= table.sum(axis=1, keepdims=True)
    seen = odds[:, 1:] / np.maximum(odds[:, 1:].sum(axis=1, keepdims=True), 1e-9)
    read, told = seen.argmax(axis=1), table.argmax(axis=1)
    twice = np.bincount(read, minlength=HIGHEST_NUMBER) == 2
    for i in np.flatnonzero((told != read) | ~twice[read]):
        most = max(_MAX_GUESSED_CONFIDENCE, float(seen[i, told[i]])) if told[i] == read[i] else _MAX_GUESSED_CONFIDENCE
        if table[i, told[i]] > most:
            table[i] *= (1 - most) / (1 - table[i, told[i]])
            table[i, told[i]] = most
    out = odds.copy()
    out[:, 1:] = table * (1 - odds[:, :1])
    return out


def apply_memory(odds: npt.NDArray[np.float32], known: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Odds (7,) of a window that is perhaps open, but if not, shows just the number that is `known` of it.

    What lies below an open window would look like this very number only by chance.
    """
    if odds[0] > _MAX_REMEMBERED_OPEN_PROBABILITY or odds[1:].argmax() != known[1:].argmax():
        return odds
    out = odds.copy()
    out[0] *= _CHANCE_PROBABILITY
    return np.asarray(out / out.sum(), np.float32)


def find_hidden(shows: WindowReadings) -> npt.NDArray[np.bool_]:
    """Windows before which a hand seems to be."""
    return np.asarray((shows.hidden_share > _MIN_HIDDEN_SHARE) & (shows.probabilities[:, 0] > 0.5), np.bool_)


def limit_confidence(shows: WindowReadings) -> FloatArray:
    """The highest confidence that a window's reading may have, given what is close around it."""
    return np.where(shows.hidden_share > _MIN_TOUCHED_SHARE, _MAX_TOUCHED_CONFIDENCE, 1.0)
