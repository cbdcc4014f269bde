"""What the other windows, and earlier readings, say about the probabilities of a window's contents."""

import numpy as np

from companion.vision.confidence_limits import MAX_GUESSED_NUMBER_CONFIDENCE, MAX_TOUCHED_CONFIDENCE
from companion.vision.lid.digit_reader import HIGHEST_NUMBER
from companion.vision.lid.geometry import BoolArray, Float32Array, FloatArray
from companion.vision.lid.window_reader import MIN_TOUCHED_SHARE, WindowReadings

_MIN_HIDDEN_SHARE = 0.25
"""Share of the lid close around a window from which it counts as hidden, if no digit shows. If it grows, hands are
taken for open windows more easily."""
_MAX_REMEMBERED_OPEN_PROBABILITY = 0.8
"""A window that is open with a higher probability is open, also if its number was known. If it grows, memory weighs
more."""
_TOKENS_PER_NUMBER = 2
"""Tokens of each number in a set."""
_CHANCE_PROBABILITY = 1 / HIGHEST_NUMBER
"""Probability that something else under an open window looks like one given number. If it grows, memory weighs less."""
_BALANCE_SHARE = 2e-3
"""Probability that every number keeps while the numbers are balanced, so that a set that does differ is still read as
it is. If it grows, the set counts for less."""
_BALANCE_ROUNDS = 12
"""Rounds of balancing rows and columns. If it grows, the sums are closer to exact."""


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
        most = MAX_GUESSED_NUMBER_CONFIDENCE
        if number == read[i]:
            most = max(most, float(seen[i, number]))
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


def limit_number(odds: Float32Array, most: float) -> Float32Array:
    """Make the likeliest number not more probable than `most`; the others share the rest.

    Args:
        odds: probabilities of no digit (index 0) and the numbers 1 to 6, shape (7,) float32; not changed.
        most: 0 to 1.

    Returns:
        Probabilities, shape (7,) float32; `odds` itself if nothing is corrected.
    """
    number = int(odds[1:].argmax()) + 1
    rest = 1 - odds[0] - odds[number]
    excess = float(odds[number]) - most
    if excess <= 0:
        return odds
    out = odds.copy()
    out[1:] *= 1 + excess / max(float(rest), 1e-9)
    out[number] = most
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


def find_surplus(readings: WindowReadings) -> BoolArray:
    """Find the windows whose number is seen more often than a set has it: one of them is misread.

    Args:
        readings: the windows as read.

    Returns:
        Flags, shape (12,) bool.
    """
    numbers = readings.probabilities.argmax(axis=1)
    is_read = (numbers > 0) & ~readings.blank
    counts = np.bincount(numbers[is_read], minlength=HIGHEST_NUMBER + 1)
    return np.asarray(is_read & (counts[numbers] > _TOKENS_PER_NUMBER), np.bool_)


def limit_confidence(readings: WindowReadings) -> FloatArray:
    """Return the largest confidence that each window's reading may have, given its surroundings and the other numbers.

    >>> ones = np.eye(7, dtype=np.float32)[[1] * 12]
    >>> float(limit_confidence(WindowReadings(ones, np.zeros(12), np.zeros(12, bool)))[0])
    0.85

    Args:
        readings: the windows as read.

    Returns:
        Confidences, shape (12,) float64: 0.85 where more than 12 % of the surroundings does not look like the lid, or
        the number is seen more than twice, else 1.
    """
    doubtful = (readings.hidden_share > MIN_TOUCHED_SHARE) | find_surplus(readings)
    return np.where(doubtful, MAX_TOUCHED_CONFIDENCE, 1.0)
