"""Reads pip dice in a frame: a small net finds top faces at any size, another reads each one.

Both nets are trained on scenes that the project renders itself (tools/train_dice). A die that is seen but not surely
read (cocked, half hidden, moving) is reported with low confidence, never left out: the reading then becomes a question.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from companion.vision.dice_crops import LONG_SIDE, crop
from companion.vision.dice_finder import Candidate, DiceFinder, load_net, overlap
from companion.vision.load import as_frame
from companion.vision.reading import ACT, Box, Die, Image

Array = npt.NDArray[np.float32]

_HEAT = 0.2
"""Cells below this are no candidates."""

_NO_DIE, _CLEAR, _DOUBTFUL = 0, 1, 2
"""The states that the reader net tells apart."""

_GONE = 0.6
"""Candidates likelier than this to be no top face are dropped; the others are dice, if perhaps unsure ones."""

_APART, _SAME, _LEAST_SIDE, _RIVAL = 0.85, 0.5, 0.55, 0.5
"""Top faces of touching dice lie an edge apart. What is nearer than `_APART` of one is a side face or a pip, within
`_SAME` it is the same face once more. But what is no smaller than `_LEAST_SIDE` of it and reads with `_RIVAL`
may itself be the top face of a die seen askew: then neither is sure."""

_PUZZLING = 0.1
_OTHER_SIZES = (0.72, 1.35)
"""Candidates likelier than this to be no top face are tried at other sizes: the finder may have misjudged theirs."""

_PLAINLY_GONE = 0.97
"""So likely to be none at any size, a candidate is not looked at again."""

_UNLIKE = 2.2
"""Dice thrown together are of like size: unsure ones so many times smaller or larger than the sure ones are none."""

_SMALL = 12.0
"""Canvas pixels. With a die smaller than this in sight, or none, the frame is searched once more at twice the size."""

_UPSCALE = 2.0

_VIEWS = ((1.0, 0, False), (1.12, 1, True), (0.9, 2, False), (1.0, 3, True))
"""Each candidate is read in four views (size, quarter turns, mirrored): what only one view sees is not sure."""


_DOUBT_ODDS = 0.15
"""Odds of a doubtful die (cocked, moving, hidden) among those met at a table, over those among the dice of training."""


_STRICTNESS = 2.0
"""The power of the nets' own trust that is the confidence, for they trust themselves too much. Chosen by a sweep over
the photographs in shared, where readings of 0.9 and above were right in 84 of 86; not yet reset by calibrate.py."""


def _softmax(logits: Array) -> Array:
    e = np.exp(logits - logits.max())
    return np.asarray(e / e.sum(), np.float32)


def _die(c: Candidate, state: Array, values: Array) -> Die:
    second, first = np.argsort(values)[-2:]
    clear = state[_CLEAR] / (state[_CLEAR] + _DOUBT_ODDS * state[_DOUBTFUL] + state[_NO_DIE])
    half = c.edge / 2
    return Die(
        value=int(first) + 1,
        box=(c.x - half, c.y - half, c.x + half, c.y + half),
        confidence=float(clear * values[first]) ** _STRICTNESS,
        alternative=int(second) + 1,
        cocked=bool(state[_DOUBTFUL] > state[_CLEAR]),
    )


def _edge(die: Die) -> float:
    return die.box[2] - die.box[0]


def _alike(dice: list[Die]) -> list[Die]:
    """The dice without those that are neither sure nor near the sure ones in size."""
    sure = [_edge(d) for d in dice if d.confidence >= ACT]
    if not sure:
        return dice
    least, most = min(sure) / _UNLIKE, max(sure) * _UNLIKE
    return [d for d in dice if d.confidence >= ACT or least < _edge(d) < most]


class DiceReader:
    """Reads the top faces of six-sided pip dice of any colour and size, from above or at an angle.

    Keeps no state between frames. One reader per thread: the nets work in buffers of their own.
    """

    def __init__(self) -> None:
        self._finder = DiceFinder(_HEAT)
        self._reader = load_net("dice_reader.onnx")

    def read(self, image: Image, region: Box | None = None) -> tuple[Die, ...]:
        """The dice in `image`, or in `region` of it (the tray), left to right; boxes in pixels of `image`.

        A box is square about the top face. Dice of confidence `reading.ACT` and above are to be relied on.

        Raises:
            load.UnreadableImage: `image` is no picture.
        """
        image = as_frame(image)
        height, width = image.shape[:2]
        x0, y0, x1, y1 = 0, 0, width, height
        if region is not None:
            x0, y0 = max(0, int(region[0])), max(0, int(region[1]))
            x1, y1 = min(width, int(np.ceil(region[2]))), min(height, int(np.ceil(region[3])))
            if x1 - x0 < 8 or y1 - y0 < 8:
                return ()
        part = image[y0:y1, x0:x1]
        scale = min(_UPSCALE, LONG_SIDE / max(part.shape[:2]))
        dice = self._dice(part, scale)
        if scale < 1 and min(map(_edge, dice), default=0.0) * scale < _SMALL:
            dice = self._dice(part, min(1.0, 2 * scale))
        moved = (
            Die(
                d.value,
                (d.box[0] + x0, d.box[1] + y0, d.box[2] + x0, d.box[3] + y0),
                d.confidence,
                d.alternative,
                d.cocked,
            )
            for d in dice
        )
        return tuple(sorted(moved, key=lambda d: d.box))

    def _dice(self, part: Image, scale: float) -> list[Die]:
        looked = [self._look(part, c) for c in self._finder.find(part, scale)]
        kept: list[tuple[Candidate, Die]] = []
        for c, state, values in sorted(looked, key=lambda one: float(one[1][_NO_DIE])):
            if state[_NO_DIE] > _GONE:
                continue
            die = _die(c, state, values)
            rivals = [i for i, (k, _) in enumerate(kept) if overlap(c, k, _APART)]
            for i in rivals:
                other, first = kept[i]
                alike = _LEAST_SIDE < c.edge / other.edge < 1 / _LEAST_SIDE and not overlap(c, other, _SAME)
                if alike and die.value != first.value and die.confidence >= _RIVAL:
                    least = min(first.confidence, 1 - _RIVAL)
                    kept[i] = other, replace(first, confidence=least, alternative=die.value)
            if not rivals:
                kept.append((c, die))
        return _alike([die for _, die in kept])

    def _look(self, part: Image, c: Candidate) -> tuple[Candidate, Array, Array]:
        """The candidate, its size mended; the probabilities of its three states and of its six values."""
        said = [self._say(part, c, _VIEWS[0])]
        if said[0][0][_NO_DIE] > _PUZZLING:
            others = [replace(c, edge=c.edge * k) for k in _OTHER_SIZES]
            tried = [(c, said[0]), *((o, self._say(part, o, _VIEWS[0])) for o in others)]
            c, best = min(tried, key=lambda one: float(one[1][0][_NO_DIE]))
            said = [best]
        if said[0][0][_NO_DIE] < _PLAINLY_GONE:
            said += [self._say(part, c, view) for view in _VIEWS[1:]]
        states, values = zip(*said, strict=True)
        return c, np.mean(states, axis=0), np.mean(values, axis=0)

    def _say(self, part: Image, c: Candidate, view: tuple[float, int, bool]) -> tuple[Array, Array]:
        """What the reader net says of one view of a candidate."""
        size, turns, mirrored = view
        pixels = np.rot90(crop(part, c.x, c.y, c.edge * size), turns, (1, 2))
        self._reader.setInput(np.ascontiguousarray(pixels[:, :, ::-1] if mirrored else pixels)[None])
        said = np.asarray(self._reader.forward(), np.float32)[0]
        return _softmax(said[:3]), _softmax(said[3:])
