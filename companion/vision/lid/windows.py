"""What each window shows under a known pose: a token and its number, an open hole, or a hand before it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.lid.circles import Scales, colours_at, halved, halvings_for
from companion.vision.lid.digit_reader import NUMBERS, REACH, SIDE, TokenNet
from companion.vision.lid.geometry import CENTRE, Floats, cut, scale_at, unlike
from companion.vision.lid.layout import HARD_LIGHT, WINDOWS, Layout
from companion.vision.reading import ACT, Image

_GLANCE = 24
"""Side of the small patches that tell whether a window changed."""

_GLANCE_REACH = 1.25

_CHANGED = 24.0
"""A pixel of a small patch has changed if its channels differ by so much (of 255) on average."""

_STILL = 0.012
"""A patch is unchanged if no more than this share of its pixels has: a digit's strokes are more."""

_HIDDEN = 0.25
"""A window is hidden when this share of the lid close around it is and no digit shows."""

_TOUCHED = 0.12
"""From this share on something is so near to the window that a reading is only likely."""

_LIT = 0.22
"""The lamp may brighten the lid by this share where it lies now; more is a hand."""

_NO_FACE, _FACE = 0.5, 0.85
"""With a smaller share of the tokens' own colour (of what the token with the least of it has) a window shows no token,
from the larger one on it may; over 2,452 tokens of 46 rendered lids the least was 1.05, of open windows 3 in 4 had less
than 0.61."""

_DARKEST = 0.6
"""A token is not darker than this share of what the light around it makes of its colour: over 5,783 tokens of 62
rendered lids the bound takes off no window's tokens; a card below an open one may be of the same hue, and darker."""

_SHEEN, _DARK, _GREY = 60.0, 220.0, 0.985
"""So much brighter (length of a colour) a lamp's reflection makes a token darker than the second; on one so grey (the
cosine to white) it cannot be told from light by its hue."""

_LEAST_FACE = 0.1

_BARE = 0.2
"""A window with a smaller share is open, and no digit need be looked for: of 3,884 covered ones the least was 0.63."""

_OF_TOKENS = 2
"""But only where in this light so many others surely have the tokens' colour, and no window has `HARD_LIGHT` times
another's: there colours tell less than digits."""

_BRIGHTEST, _GLARE = 250, 0.3
"""A window of which a larger share is so bright (of 255) is overexposed."""

_OPEN = np.array([0.994, *[0.001] * NUMBERS], np.float32)

_NO_TOKEN = 0.02
"""The odds of a token are times this then."""

_LIKELY = 0.85

_GUESSED = 0.8
"""The most that a number is worth which other tokens' numbers suggest."""

_PERHAPS_OPEN = 0.8
"""A window that is open with more certainty is taken as open whatever was known of it."""

_CHANCE = 1 / NUMBERS

_ENOUGH_TOKENS = 9
"""So many tokens show at least three that look otherwise in a mirror: a set has two each of 2 to 6."""


@dataclass(frozen=True, slots=True)
class Shows:
    """Of 12 windows: probabilities of no digit and the numbers 1 to 6, shape (12, 7); share hidden, shape (12,)."""

    odds: npt.NDArray[np.float32]
    hidden: Floats


def glances(scales: Scales, layout: Layout, h: Floats) -> Image:
    """Small softened pictures of the windows and what is around them, shape (12, n, n, 3), uint8."""
    halvings = halvings_for(scale_at(h, CENTRE), _GLANCE / 2 / _GLANCE_REACH)
    pixels = _GLANCE / (2 * _GLANCE_REACH)
    side = int(np.ceil(2 * pixels * (float(np.abs(layout.points).max()) + _GLANCE_REACH))) + 2
    reach = side / 2 / pixels
    lid = cv2.blur(cut(scales.small(halvings), halved(h, halvings), CENTRE, reach, side), (3, 3))
    left, top = np.rint((layout.points + (reach - _GLANCE_REACH)) * pixels).astype(int).T
    step = np.arange(_GLANCE)
    places = (top * side + left)[:, None, None] + step[:, None] * side + step
    return np.asarray(lid.reshape(-1, 3).take(places, axis=0), np.uint8)


def unchanged(before: Image, now: Image) -> npt.NDArray[np.bool_]:
    """Which of the 12 windows look as before."""
    away = cv2.absdiff(before, now).reshape(-1, 3) @ np.ones(3, np.float32)
    changed = (away > 3 * _CHANGED).reshape(WINDOWS, -1)
    return np.asarray(changed.mean(axis=1) <= _STILL, np.bool_)


def look(
    scales: Scales, layout: Layout, h: Floats, net: TokenNet, again: tuple[Shows, npt.NDArray[np.bool_]] | None = None
) -> Shows:
    """Reads all windows, or of those read before only the ones marked in `again`."""
    which = np.ones(WINDOWS, bool) if again is None else again[1]
    odds = np.zeros((WINDOWS, NUMBERS + 1), np.float32) if again is None else again[0].odds.copy()
    lit = _lit(scales, layout, h)
    if which.any():
        share = np.ones(WINDOWS)
        share[which] = _face_share(scales, layout, h, which, lit)
        if np.count_nonzero(share[which] > _FACE) >= _OF_TOKENS and _is_even(layout, lit):
            odds[which & (share < _BARE)] = _OPEN
            which = which & (share >= _BARE)
    if which.any():
        patches = _patches(scales, h, layout.points[which])
        read = _by_colour(net.read(patches, closely=True), share[which])
        odds[which] = _doubted(read, _is_glaring(layout, which, lit, patches) & (share[which] > _NO_FACE))
    return Shows(odds, _hidden(layout, lit, odds))


def are_mirrored(scales: Scales, layout: Layout, h: Floats, net: TokenNet, shows: Shows) -> bool | None:
    """Whether the tokens' numbers are seen as in a mirror; None: too few tokens are in view to tell."""
    covered = (shows.odds[:, 0] < ACT) & (shows.hidden <= _TOUCHED)  # mirrored digits hardly pass for any
    if np.count_nonzero(covered) < _ENOUGH_TOKENS:
        return None
    return net.is_mirrored(_patches(scales, h, layout.points[covered]))


def _patches(scales: Scales, h: Floats, points: Floats) -> Image:
    """What the windows at these points of the plane show, for `TokenNet`."""
    halvings = halvings_for(scale_at(h, CENTRE), SIDE / 2 / REACH)
    image, turn = scales.small(halvings), halved(h, halvings)
    # Twice as fine and then averaged: a token is larger in the frame than the patch.
    large = np.concatenate([cut(image, turn, p, REACH, 2 * SIDE) for p in points])
    patches = cv2.resize(large, (SIDE, len(large) // 2), interpolation=cv2.INTER_AREA)
    return np.asarray(patches, np.uint8).reshape(-1, SIDE, SIDE, 3)


class _Lit(NamedTuple):
    """What is close around each token, at the layout's `rings`."""

    now: Floats
    """The colours, shape (12, n, 3)."""
    brighter: Floats
    """Each place's brightness, as a share of what it was when the lid was learnt, shape (12, n)."""
    gains: Floats
    """And that of most places at each window, shape (12,)."""


def _lit(scales: Scales, layout: Layout, h: Floats) -> _Lit:
    now = colours_at(scales, h, layout.rings)
    brighter = (now.sum(axis=2) + 1) / (layout.around.sum(axis=2, dtype=np.float64) + 1)
    return _Lit(now, brighter, np.median(brighter, axis=1))


def _face_share(scales: Scales, layout: Layout, h: Floats, which: npt.NDArray[np.bool_], lit: _Lit) -> Floats:
    """For each window of `which` the share of its inside that has the tokens' own colour, in the light around it; 1 is
    what the token has that shows least of it."""
    colours = colours_at(scales, h, layout.faces[which])
    gain = np.clip(lit.gains[which], 0.3, 3.0)
    other = _is_other(colours, layout, which, gain)
    for light in _other_lights(layout, gain, which, lit):
        other &= _is_other(colours, layout, which, light)
    return np.asarray((1 - other.mean(axis=1)) / max(layout.face_share, _LEAST_FACE), np.float64)


def _is_even(layout: Layout, lit: _Lit) -> bool:
    """Whether all windows have about the same light: what is darker at one is only a shadow."""
    gains = lit.gains * layout.lights
    return bool(gains.max() < HARD_LIGHT * gains.min())


def _is_other(colours: Floats, layout: Layout, which: npt.NDArray[np.bool_], light: Floats) -> npt.NDArray[np.bool_]:
    """Which of the colours (n, places, 3) are not the tokens' own in this light (n,)."""
    expected = np.minimum(light[:, None] * layout.face, 255.0)[:, None]
    dark = colours.sum(axis=2) < (_DARKEST * layout.half_light[which])[:, None] * expected.sum(axis=2)
    level = np.linalg.norm(expected, axis=2)
    grey = expected.sum(axis=2) > _GREY * np.sqrt(3.0) * level
    brighter = _LIT + np.where(grey & (level < _DARK), _SHEEN / np.maximum(level, 1.0), 0.0)
    return np.asarray(unlike(colours, expected, brighter) | dark, np.bool_)


def _other_lights(layout: Layout, gain: Floats, which: npt.NDArray[np.bool_], lit: _Lit) -> Iterator[Floats]:
    """Where an edge of hard light crosses a window, or the lid was learnt with one across it, the lights (n,) that its
    parts may be in besides `gain`."""
    if _is_even(layout, lit):
        return
    if layout.in_hard_light:
        yield gain * layout.lights[which]
    least, most, crossed = _lights(layout, which, lit)
    if crossed.any():
        yield np.where(crossed, least, gain)
        yield np.where(crossed, most, gain)


def _lights(layout: Layout, which: npt.NDArray[np.bool_], lit: _Lit) -> tuple[Floats, Floats, npt.NDArray[np.bool_]]:
    """The least and the most light (n,) that much of each window's ring is in, and across which an edge of hard light
    lies."""
    # Of a lid learnt in hard light it is not known what light each place had.
    there = (lit.now.sum(axis=2) / layout.level if layout.in_hard_light else lit.brighter)[which]
    sixth = there.shape[1] // 6
    least, most = np.sort(there, axis=1)[:, [sixth, -sixth]].T
    return least, most, most > HARD_LIGHT * least


def _is_glaring(layout: Layout, which: npt.NDArray[np.bool_], lit: _Lit, patches: Image) -> npt.NDArray[np.bool_]:
    """Of which windows, whose patches these are, hard light may cross out a digit: its edge lies across them, or they
    are in the sun and most is as bright as the camera can tell."""
    if _is_even(layout, lit):
        return np.zeros(len(patches), np.bool_)
    _, _, glaring = _lights(layout, which, lit)
    gains = lit.gains * layout.lights
    sunny = gains[which] > HARD_LIGHT * gains.min()
    if sunny.any():
        glaring |= sunny & ((patches.max(axis=3) >= _BRIGHTEST).mean(axis=(1, 2)) > _GLARE)
    return np.asarray(glaring, np.bool_)


def _doubted(odds: npt.NDArray[np.float32], glaring: npt.NDArray[np.bool_]) -> npt.NDArray[np.float32]:
    """Odds (n, 7), those that are certain of an open window made less so where it is `glaring`."""
    doubtful = glaring & (odds[:, 0] > _LIKELY)
    out = odds.copy()
    out[doubtful, 0] = _LIKELY
    out[doubtful, 1:] *= ((1 - _LIKELY) / np.maximum(odds[doubtful, 1:].sum(axis=1), 1e-9))[:, None]
    return out


def none_bare(scales: Scales, layout: Layout, h: Floats) -> bool:
    """Whether every window may show a token, by its colour."""
    every = np.ones(WINDOWS, bool)
    return bool((_face_share(scales, layout, h, every, _lit(scales, layout, h)) > _FACE).all())


def _by_colour(odds: npt.NDArray[np.float32], share: Floats) -> npt.NDArray[np.float32]:
    """Odds (n, 7), less for the numbers where too little has the tokens' own colour."""
    out = odds.copy()
    may_be = np.interp(share, [_NO_FACE, _FACE], [_NO_TOKEN, 1.0])
    out[:, 1:] *= may_be.astype(np.float32)[:, None]
    return np.asarray(out / out.sum(axis=1, keepdims=True), np.float32)


def _hidden(layout: Layout, lit: _Lit, odds: npt.NDArray[np.float32]) -> Floats:
    """For each window the share of the lid close around it that does not look like the lid (shadow is allowed).

    A lid that is turned takes the tokens' shadows to their other side. So a place may look as it did, or as most of
    what is around this window did: there the shadow has gone.
    """
    clear = odds[:, 0] < 0.5
    base = clear if np.count_nonzero(clear) > 1 else np.ones(WINDOWS, bool)
    gain = np.clip(float(np.median(lit.brighter[base])), 0.3, 3.0)
    then = layout.around.astype(np.float64) * gain
    odd = unlike(lit.now, then, _LIT)
    most = np.broadcast_to(np.median(then, axis=1, keepdims=True), then.shape)
    odd[odd] = unlike(lit.now[odd], most[odd], _LIT)
    gains = lit.gains[base]
    if gains.max() > HARD_LIGHT * gains.min():  # some are in the sun, some are not, and so may parts of their rings be
        for gain in (gains.min(), gains.max()):
            odd[odd] = unlike(lit.now[odd], layout.around[odd] * gain, _LIT)
    return np.asarray(odd.mean(axis=1), np.float64)


def settle(odds: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
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
    twice = np.bincount(read, minlength=NUMBERS) == 2
    for i in np.flatnonzero((told != read) | ~twice[read]):
        most = max(_GUESSED, float(seen[i, told[i]])) if told[i] == read[i] else _GUESSED
        if table[i, told[i]] > most:
            table[i] *= (1 - most) / (1 - table[i, told[i]])
            table[i, told[i]] = most
    out = odds.copy()
    out[:, 1:] = table * (1 - odds[:, :1])
    return out


def remembered(odds: npt.NDArray[np.float32], known: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Odds (7,) of a window that is perhaps open, but if not, shows just the number that is `known` of it.

    What lies below an open window would look like this very number only by chance.
    """
    if odds[0] > _PERHAPS_OPEN or odds[1:].argmax() != known[1:].argmax():
        return odds
    out = odds.copy()
    out[0] *= _CHANCE
    return np.asarray(out / out.sum(), np.float32)


def is_hidden(shows: Shows) -> npt.NDArray[np.bool_]:
    """Windows before which a hand seems to be."""
    return np.asarray((shows.hidden > _HIDDEN) & (shows.odds[:, 0] > 0.5), np.bool_)


def most_sure(shows: Shows) -> Floats:
    """The highest confidence that a window's reading may have, given what is close around it."""
    return np.where(shows.hidden > _TOUCHED, _LIKELY, 1.0)
