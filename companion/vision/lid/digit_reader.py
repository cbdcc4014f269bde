"""Read the number on a round token.

A token shows one digit, 1 to 6, in any font, at any angle and in any two colours; the 6 may be marked by a bar or a
dot. There is no 9, so no orientation has to be known. A patch is first reduced to its *ink*: how far each pixel is on
the way from the token's own colour to the digit's. That removes colours, polarity and most of the lighting. A small
convolutional network (tools/training/train_digits, trained on rendered digits only) classifies the result.
"""

from collections.abc import Iterable

import numpy as np

from companion.vision.lid.geometry import BoolArray, Float32Array, FloatArray, cut_patch
from companion.vision.onnx import load_net, softmax
from companion.vision.reading import Image

PATCH_SIDE_PX = 32
"""Side of the square patches that the network takes. If it grows, the network has to be trained again."""

PATCH_HALF_SIDE_RADII = 0.88
"""Half a patch's side, in token radii: it holds the digit without the token's rim. If it grows, the rim shows; the
network has to be trained again."""

HIGHEST_NUMBER = 6
"""The largest number on a token; they show 1 to 6. If it changes, the network has to be trained again."""

_MIN_INK_CONTRAST = 36.0
"""Least colour distance (of 441) that counts as full ink: less is noise or wood grain. If it grows, pale ones fade."""

_OPEN_WINDOW_ODDS_FACTOR = 3.5
"""Factor on the odds that a window is open: two of nine training patches were no digits, and at a table half of the
windows are open. If it grows, more tokens are taken for open windows."""

_MIN_CLEAR_PROBABILITY = 0.95
"""Probability from which a first reading is not checked from other sides. If it grows, reading takes longer. Of 6,752
whole tokens of 62 rendered lids with such a probability none was misread."""

_MIN_MIRRORED_LOG_ODDS = 1.0
"""Gain in the tokens' summed log probability (natural) from which they count as mirrored. If it grows, mirrored tokens
are noticed later. In 18 views of six lids it was 2.0 to 3.6 for mirrored tokens, and as much the other way."""

_MIN_LEGIBLE_PROBABILITY = 1e-6
"""Added to probabilities before their logarithm is taken. If it grows, illegible tokens count less."""

_INK_RANGE = (-0.3, 1.3)
"""Ink is cut to this range (base is 0, ink is 1). If it widens, shine weighs more; the network has to be trained again.
"""


def _make_disc_mask() -> BoolArray:
    axis = (np.arange(PATCH_SIDE_PX) + 0.5) / PATCH_SIDE_PX * 2 - 1
    return np.asarray(axis[:, None] ** 2 + axis[None, :] ** 2 <= 1.0, np.bool_)


DISC_MASK = _make_disc_mask()
"""The disc inscribed in a patch, shape (PATCH_SIDE_PX, PATCH_SIDE_PX)."""

_DISC_INDICES = np.flatnonzero(DISC_MASK.ravel())
"""Indices of the disc's pixels in a flat patch."""

_BASE_AND_INK_RANKS = int(0.03 * (len(_DISC_INDICES) - 1)), int(0.97 * (len(_DISC_INDICES) - 1))
"""Ranks among the disc's colours that are base and ink (3 % and 97 %): the thinnest digit covers more than the rest. If
the first grows, thin digits lose contrast."""

_EDGE_WEIGHTS = DISC_MASK[1:-1:2, 1:-1:2].astype(np.float32)[..., None]
"""1 where colours are compared with those beside them: every second pixel of the disc; else 0."""


def cut_circle_patches(image: Image, circles: Iterable[tuple[FloatArray, float]]) -> Image:
    """Cut a patch for `DigitClassifier` around each circle.

    Args:
        image: (H, W, 3) uint8 BGR; beyond it its border pixels are repeated.
        circles: at least one pair of centre (x, y in pixels, shape (2,)) and radius in pixels.

    Returns:
        BGR, (n, PATCH_SIDE_PX, PATCH_SIDE_PX, 3) uint8.

    Raises:
        ValueError: there are no circles.
    """
    return np.stack(
        [
            cut_patch(image, np.eye(3), center, PATCH_HALF_SIDE_RADII * radius, PATCH_SIDE_PX)
            for center, radius in circles
        ]
    )


def extract_ink(patches: Image) -> Float32Array:
    """Measure how far each pixel is from its patch's base colour (0) to its ink (1).

    The way from base to ink is the direction in which the colours change most at edges (Di Zenzo 1986, "A note on the
    gradient of a multi-image"), so neither slow changes of the light nor a broad digit's share of the disc mislead. The
    ink is the end of that way that covers less.

    Args:
        patches: BGR, (n, PATCH_SIDE_PX, PATCH_SIDE_PX, 3) uint8, as `cut_circle_patches` makes them; n at least 1.

    Returns:
        (n, PATCH_SIDE_PX, PATCH_SIDE_PX) float32, -0.3 to 1.3; 0 outside the inscribed disc.
    """
    colours = patches.astype(np.float32)
    rows, columns = colours[:, 1:-1:2], colours[:, :, 1:-1:2]
    across = (rows[:, :, 2::2] - rows[:, :, :-2:2]) * _EDGE_WEIGHTS
    down = (columns[:, 2::2] - columns[:, :-2:2]) * _EDGE_WEIGHTS
    steps = np.concatenate([across, down], axis=1).reshape(len(patches), -1, 3)
    axis = np.linalg.eigh(steps.transpose(0, 2, 1) @ steps)[1][:, :, 2:]  # the largest eigenvalue's comes last
    along = (colours.reshape(len(patches), -1, 3) @ axis)[:, _DISC_INDICES, 0]
    low, high = np.partition(along, _BASE_AND_INK_RANKS, axis=1)[:, _BASE_AND_INK_RANKS].T
    down_is_ink = along.mean(axis=1) > (low + high) / 2
    base = np.where(down_is_ink, high, low)
    stretch = np.where(down_is_ink, -1, 1) / np.maximum(high - low, _MIN_INK_CONTRAST)
    out = np.zeros((len(patches), PATCH_SIDE_PX * PATCH_SIDE_PX), np.float32)
    out[:, _DISC_INDICES] = np.clip((along - base[:, None]) * stretch[:, None], *_INK_RANGE)
    return out.reshape(-1, PATCH_SIDE_PX, PATCH_SIDE_PX)


class DigitClassifier:
    """The packaged network for the numbers on tokens (digits.onnx). Not thread-safe: the net uses buffers of its own.

    >>> blank_tokens = np.full((2, PATCH_SIDE_PX, PATCH_SIDE_PX, 3), 200, np.uint8)
    >>> DigitClassifier().classify(blank_tokens).shape
    (2, 7)

    Raises:
        DamagedDataFile: the packaged network is missing or damaged.
    """

    def __init__(self) -> None:
        self._net = load_net("digits.onnx")

    def classify(self, patches: Image, *, as_windows: bool = False) -> Float32Array:
        """Return the probabilities that patches show no whole digit or one of the numbers.

        Args:
            patches: BGR, (n, PATCH_SIDE_PX, PATCH_SIDE_PX, 3) uint8, as `cut_circle_patches` makes them; n may be 0.
            as_windows: the patches are windows of a lid, half of which are usually open; unclear ones are turned to all
                four sides and the mean is taken.

        Returns:
            (n, 7) float32, each row sums to 1: column 0 for "no whole digit", columns 1 to 6 for the numbers.
        """
        if not len(patches):
            return np.zeros((0, HIGHEST_NUMBER + 1), np.float32)
        maps = extract_ink(patches)
        odds = self._run_net(maps)
        if as_windows:
            doubtful = np.flatnonzero(odds.max(axis=1) < _MIN_CLEAR_PROBABILITY)
            if len(doubtful):
                turned = np.concatenate([np.rot90(maps[doubtful], turns, (1, 2)) for turns in (1, 2, 3)])
                odds[doubtful] += self._run_net(turned).reshape(3, len(doubtful), -1).sum(axis=0)
                odds[doubtful] /= 4
            odds[:, 0] *= _OPEN_WINDOW_ODDS_FACTOR
            odds /= odds.sum(axis=1, keepdims=True)
        return odds

    def is_mirrored(self, patches: Image) -> bool:
        """Return whether the numbers in patches of tokens, taken together, are clearly easier to read in a mirror.

        Args:
            patches: BGR, (n, PATCH_SIDE_PX, PATCH_SIDE_PX, 3) uint8, each of a token, as `cut_circle_patches` makes
                them; n at least 1 (not checked).
        """
        maps = extract_ink(patches)
        plain = self._compute_legibility(maps)
        if plain > -_MIN_MIRRORED_LOG_ODDS:  # the mirrored legibility is at most 0
            return False
        return self._compute_legibility(maps[:, :, ::-1]) > plain + _MIN_MIRRORED_LOG_ODDS

    def _compute_legibility(self, maps: Float32Array) -> float:
        """Sum the natural logarithms of the likeliest numbers' probabilities, each the mean over all four sides."""
        sides = [self._run_net(np.rot90(maps, turns, (1, 2))) for turns in range(4)]
        best = np.mean(sides, axis=0)[:, 1:].max(axis=1)
        return float(np.log(best + _MIN_LEGIBLE_PROBABILITY).sum())

    def _run_net(self, maps: Float32Array) -> Float32Array:
        """Return the probabilities (n, 7) of ink maps (n, PATCH_SIDE_PX, PATCH_SIDE_PX).

        The network takes even and odd rows and columns as four channels (space to depth): to its first layer that is
        the same sum, in less than half of the time.
        """
        half = PATCH_SIDE_PX // 2
        channels = maps.reshape(-1, half, 2, half, 2).transpose(0, 2, 4, 1, 3)
        self._net.setInput(np.ascontiguousarray(channels).reshape(-1, 4, half, half))
        return softmax(np.asarray(self._net.forward(), np.float32))
