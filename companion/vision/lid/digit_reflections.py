"""Reflections of lamps on tokens: a number counts if it reads the same with and without ink below them.

Whether a window is open or holds a token, a shining one too: `window_reader.py`, with the limits in `token_light.py`.
"""

import cv2
import numpy as np

from companion.vision.lid.digit_reader import DISC_MASK, DigitClassifier
from companion.vision.lid.geometry import BoolArray, Float32Array, FloatArray
from companion.vision.reading import Image

_MIN_REFLECTION_LEVEL = 215
"""Level (of 255) that every channel of a reflection has. If it grows, weak reflections are taken for ink."""

_MIN_REFLECTION_CONTRAST = 40.0
"""Levels by which a reflection's darkest channel exceeds that of most of the token. If it grows, reflections on pale
tokens are taken for ink."""

_STROKE_WIDTH_PX = 7
"""Bright things that are narrower in a patch are a white digit's strokes. If it grows, small reflections are taken for
ink."""

_SOFT_EDGE_PX = 5
"""Diameter of the disc by which reflections are enlarged: their edges are soft. If it grows, more of the digit is
covered, and asked about."""

_INK_SHARE = 0.04
"""Share of a token, of the pixels that differ most from most of it, whose mean is the ink's colour. If it grows, thin
digits' ink looks paler."""


def _make_disc(diameter: int) -> Image:
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (diameter, diameter)), np.uint8)


def find_reflections(patches: Image) -> BoolArray:
    """Find what is white in patches of tokens and too broad for a digit's stroke.

    Args:
        patches: BGR, (n, PATCH_SIDE_PX, PATCH_SIDE_PX, 3) uint8, of `DigitClassifier`; n may be 0.

    Returns:
        Flags, (n, PATCH_SIDE_PX, PATCH_SIDE_PX) bool; none outside the inscribed disc.
    """
    darkest = patches.min(axis=3)
    out = np.zeros(darkest.shape, np.bool_)
    for number in np.flatnonzero((darkest >= _MIN_REFLECTION_LEVEL).any(axis=(1, 2))):
        least = max(_MIN_REFLECTION_LEVEL, float(np.median(darkest[number][DISC_MASK])) + _MIN_REFLECTION_CONTRAST)
        white = np.asarray((darkest[number] >= least) & DISC_MASK, np.uint8)
        broad = cv2.morphologyEx(white, cv2.MORPH_OPEN, _make_disc(_STROKE_WIDTH_PX))
        out[number] = (cv2.dilate(broad, _make_disc(_SOFT_EDGE_PX)) > 0) & DISC_MASK
    return out


def classify_below_reflections(classifier: DigitClassifier, patches: Image, reflections: BoolArray) -> Float32Array:
    """Read patches of windows as if there were ink below each reflection, and as if there were none.

    Args:
        classifier: reads the numbers.
        patches: BGR, (n, PATCH_SIDE_PX, PATCH_SIDE_PX, 3) uint8; n at least 1.
        reflections: as `find_reflections` returned them.

    Returns:
        (n, 7) float32, the mean of both readings, as `DigitClassifier.classify` returns them.
    """
    bare, inked = patches.copy(), patches.copy()
    for number, reflection in enumerate(reflections):
        seen = patches[number][DISC_MASK & ~reflection].astype(np.float64)
        if len(seen):
            base, ink = _find_base_and_ink(seen)
            bare[number][reflection], inked[number][reflection] = base, ink
    both = classifier.classify(np.concatenate([bare, inked]), as_windows=True)
    return np.asarray(both.reshape(2, len(patches), -1).mean(axis=0), np.float32)


def _find_base_and_ink(colours: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the colour that most of the pixels (n, 3) have, and the one that differs most from it."""
    base = np.median(colours, axis=0)
    farthest = np.argsort(np.linalg.norm(colours - base, axis=1))[-max(1, int(_INK_SHARE * len(colours))) :]
    return base, colours[farthest].mean(axis=0)
