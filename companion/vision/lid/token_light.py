"""The light on the tokens: measured on the lid around each, it says which colours can be a token's."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from companion.vision.lid.geometry import BoolArray, Float32Array, FloatArray, find_changed_colours
from companion.vision.lid.image_pyramid import ImagePyramid, sample_colours
from companion.vision.lid.layout import MIN_HARD_LIGHT_RATIO, LidLayout
from companion.vision.lid.window_rings import RIM_POINT_COUNT, RIM_RADII, make_rim_points
from companion.vision.reading import Image

MAX_BRIGHTENING_SHARE = 0.22
"""Share by which a lamp may brighten the lid where it lies now; more is a hand. If it grows, pale hands are missed."""
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
_MIN_TINT_RATIO = 1.3
"""Ratio of a channel's light to the others', compared with calibration, from which the light counts as coloured. If it
grows, tokens in coloured light count as open windows."""
_MIN_DISTINCT_RIM_SHARE = 0.75
"""Share of the lid's surface that must not pass for a token's rim, for rims to tell tokens from holes. If it grows,
more tokens with the blank side up are asked about."""
_BRIGHTEST_PERCENTILE = 99
"""Percentile of the lid's levels that is its brightest: digits and marks are often white, and small. If it falls,
coloured lids count as coloured light."""
_MIN_WHITE_SHARE = 0.45
"""Least share of the weakest channel there in the strongest. Lamps in one colour leave 0.1 to 0.3; pale wood in white
light has 0.6. If it grows, more tokens with the blank side up are asked about."""
_MIN_OVEREXPOSED_LEVEL = 250
"""Level (of 255) from which a pixel is as bright as the camera can tell. If it grows, fewer windows count as
overexposed."""
_MIN_OVEREXPOSED_SHARE = 0.3
"""Share of overexposed pixels from which a window in the sun is overexposed. If it grows, fewer windows count as
overexposed."""
GAIN_RANGE = (0.3, 3.0)
"""Range of the light, as a share of that at calibration, that is allowed for. If it widens, other surfaces pass."""


class RingLight(NamedTuple):
    """Colours and light close around each token, at the layout's `ring_points` (n per window).

    >>> light = RingLight(np.full((12, 48, 3), 90.0), np.ones((12, 48)), np.ones(12), np.ones(12), np.ones(3))
    >>> light.is_even
    True
    """

    colours: FloatArray
    """BGR, shape (12, n, 3)."""
    brightness_ratios: FloatArray
    """Each point's brightness, as a share of that at calibration, shape (12, n)."""
    gains: FloatArray
    """Their median at each window, shape (12,)."""
    absolute_gains: FloatArray
    """The same, as a share of the light that most of the lid had at calibration, shape (12,)."""
    tint: FloatArray
    """Each channel's light, as a share of the brightness and of that at calibration, BGR, shape (3,): ones in light of
    about the same colour."""

    @property
    def is_even(self) -> bool:
        """Whether all windows have about the same light; a darker one is then only in shadow."""
        return bool(self.absolute_gains.max() < MIN_HARD_LIGHT_RATIO * self.absolute_gains.min())


def measure_ring_light(pyramid: ImagePyramid, layout: LidLayout, homography: FloatArray) -> RingLight:
    """Measure the light close around each token under a pose, compared with that at calibration."""
    colours = sample_colours(pyramid, homography, layout.ring_points)
    ratios = (colours.sum(axis=2) + 1) / (layout.ring_colours.sum(axis=2, dtype=np.float64) + 1)
    gains = np.median(ratios, axis=1)
    channels = (colours + 1) / (layout.ring_colours + 1.0)
    tint = np.median((channels / ratios[..., None]).reshape(-1, 3), axis=0)
    if max(tint.max(), 1 / tint.min()) < _MIN_TINT_RATIO:
        tint = np.ones(3)
    return RingLight(colours, ratios, gains, gains * layout.relative_light, tint)


def measure_token_colour_share(
    pyramid: ImagePyramid, layout: LidLayout, homography: FloatArray, which: BoolArray, light: RingLight
) -> FloatArray:
    """Measure the share of each window's inside that has the tokens' own colour, in the light around it.

    Returns:
        Shape (n,) for the windows of `which`; 1 is the share of the token that has least of its colour.
    """
    colours = sample_colours(pyramid, homography, layout.face_points[which])
    foreign = _find_foreign_pixels(colours, layout.token_colour, layout, which, light)
    reference = max(layout.min_token_colour_share, _MIN_REFERENCE_COLOUR_SHARE)
    return np.asarray((1 - foreign.mean(axis=1)) / reference, np.float64)


def measure_foreign_rim_share(
    pyramid: ImagePyramid, layout: LidLayout, homography: FloatArray, which: BoolArray, light: RingLight
) -> FloatArray:
    """Measure the share of each token's rim, or of what is there in its place, that does not look like a token's.

    Returns:
        Shape (n,) for the windows of `which`: near 0 for tokens, also for those with the blank side up, and near 1 for
        holes, also if the card below has the tokens' colour.
    """
    colours = sample_colours(pyramid, homography, make_rim_points(layout.centers[which]))
    rims = layout.rim_colours / layout.relative_light[:, None, None]
    circles = np.median(rims.reshape(len(rims), len(RIM_RADII), -1, 3), axis=(0, 2))
    own = np.repeat(circles, RIM_POINT_COUNT // len(RIM_RADII), axis=0)
    return np.asarray(_find_foreign_pixels(colours, own, layout, which, light).mean(axis=1), np.float64)


def _find_foreign_pixels(
    colours: FloatArray, own: Float32Array | FloatArray, layout: LidLayout, which: BoolArray, light: RingLight
) -> BoolArray:
    """Tell which of the colours (n, points, 3) are not the tokens' `own`, (3,) or (points, 3), in this light."""
    own = own * light.tint
    gain = np.clip(light.gains[which], *GAIN_RANGE)
    foreign = _find_changed_pixels(colours, own, layout, which, gain)
    for other_gain in _iterate_other_gains(layout, gain, which, light):
        foreign &= _find_changed_pixels(colours, own, layout, which, other_gain)
    return foreign


def _find_changed_pixels(
    colours: FloatArray, own: FloatArray, layout: LidLayout, which: BoolArray, gain: FloatArray
) -> BoolArray:
    """Tell which of the colours (n, points, 3) are not the tokens' `own`, (3,) or (points, 3), at this gain (n,)."""
    expected = np.minimum(gain[:, None, None] * own, 255.0)
    darkest = (_MIN_BRIGHTNESS_SHARE * np.minimum(1.0, layout.relative_light[which]))[:, None] * expected.sum(axis=2)
    level = np.linalg.norm(expected, axis=2)
    grey = expected.sum(axis=2) > _MIN_GREY_COSINE * np.sqrt(3.0) * level
    reflection = np.where(grey & (level < _MAX_DARK_TOKEN_LEVEL), _MAX_REFLECTION_LEVELS / np.maximum(level, 1.0), 0.0)
    changed = find_changed_colours(colours, expected, MAX_BRIGHTENING_SHARE + reflection)
    return np.asarray(changed | (colours.sum(axis=2) < darkest), np.bool_)


def _iterate_other_gains(
    layout: LidLayout, gain: FloatArray, which: BoolArray, light: RingLight
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
    layout: LidLayout, which: BoolArray, light: RingLight
) -> tuple[FloatArray, FloatArray, BoolArray]:
    """Return the least and the most light (n,) that a sixth of each ring has, and where an edge of hard light lies."""
    # Of a lid learnt in hard light it is not known which light each point had.
    hard = layout.was_in_hard_light
    there = (light.colours.sum(axis=2) / layout.brightness if hard else light.brightness_ratios)[which]
    sixth = there.shape[1] // 6
    least, most = np.sort(there, axis=1)[:, [sixth, -sixth]].T
    return least, most, most > MIN_HARD_LIGHT_RATIO * least


def find_evenly_lit(layout: LidLayout, which: BoolArray, light: RingLight) -> BoolArray:
    """Tell across which windows lies no edge of hard light, shape (n,)."""
    _, _, crossed = _measure_light_range(layout, which, light)
    return ~crossed


def are_rims_distinct(layout: LidLayout) -> bool:
    """Return whether the lid beside a window could not pass for a token's rim, as with dark tokens on a dark lid."""
    every = np.ones(len(layout.centers), np.bool_)
    rim = np.median(layout.rim_colours / layout.relative_light[:, None, None], axis=(0, 1))
    foreign = _find_changed_pixels(layout.ring_colours.astype(np.float64), rim, layout, every, layout.relative_light)
    return bool(foreign.mean() > _MIN_DISTINCT_RIM_SHARE)


def is_light_white(layout: LidLayout, light: RingLight) -> bool:
    """Return whether the lid was learnt in about white light, and is in it now.

    In the light of a coloured lamp different colours look alike.
    """
    brightest = np.percentile(layout.lid_image.reshape(-1, 3), _BRIGHTEST_PERCENTILE, axis=0)
    was_white = brightest.min() > _MIN_WHITE_SHARE * brightest.max()
    return bool(was_white and (light.tint == 1).all())


def find_glaring(layout: LidLayout, which: BoolArray, light: RingLight, patches: Image) -> BoolArray:
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
