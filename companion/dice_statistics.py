"""Exact statistics of fair dice: how uneven or how high rolls are among all that chance gives, with intervals.

What players rolled: `companion.journal.dice_luck`; in words: `companion.journal.luck_sentences`; the test of one die:
`companion.commands.dice_test`.

Nothing is simulated. Dice are compared with fair ones of the same number: the sum of their faces has the distribution
of a sum of independent dice, by convolution; the evenness of the faces is judged with Pearson's statistic, whose exact
distribution under the multinomial follows by convolution over the faces, not by a list of all outcomes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Probabilities = npt.NDArray[np.float64]

# numpy is imported where it is used: many commands load this module, and only few of their uses compute anything.

MAX_EXACT_DICE = 1000
"""Most dice whose unevenness is computed exactly, in seconds; of more the chi-squared distribution is as good."""
INTERVAL_SHARE = 0.95
"""Probability with which an interval holds what it is about."""
SMALLEST_PROBABILITY = 1e-7
"""Probabilities of unevenness below this are not computed; `compute_evenness` returns a bound that is below it."""

READER_WRONG_DICE, READER_DICE = 1, 1328
"""Wrong ones of the dice in strangers' photographs that were read with confidence 0.9 or more (`photographs_dice` in
docs/results.json). More wrong ones make the camera's interval wider."""


@dataclass(frozen=True, slots=True)
class Share:
    """A probability or a share, 0 to 1, and the interval that holds it with `INTERVAL_SHARE`."""

    value: float
    low: float
    high: float

    @property
    def percents(self) -> tuple[int, int, int]:
        """Value, low and high in whole percent, for people; a value that is not exactly 0 or 1 is neither 0 nor 100.

        >>> Share(0.832, 0.761, 0.886).percents, Share(0.9999, 0.99, 1.0).percents
        ((83, 76, 89), (99, 99, 100))
        """
        value = round(100 * self.value)
        if 0 < self.value < 1:
            value = min(99, max(1, value))
        return value, min(value, round(100 * self.low)), max(value, round(100 * self.high))


def check_counts(counts: Sequence[int]) -> int:
    """Return the number of dice, the sum of `counts` by face.

    Raises:
        ValueError: there are fewer than two faces, or a count is negative.
    """
    if len(counts) < 2 or min(counts) < 0:
        raise ValueError(f"{tuple(counts)} are not counts of two faces or more")
    return sum(counts)


def compute_pearson(counts: Sequence[int]) -> float:
    """Return Pearson's chi-squared statistic of the counts of each face against a fair die; 0 without dice.

    Raises:
        ValueError: see `check_counts`.
    """
    n, faces = check_counts(counts), len(counts)
    return sum((count - n / faces) ** 2 for count in counts) / (n / faces) if n else 0.0


def compute_evenness(counts: Sequence[int]) -> tuple[float, float]:
    """Return the probabilities that as many fair dice show their faces as unevenly as these, and more unevenly.

    Both are exact up to rounding (1e-12): the counts are independent Poisson numbers that are known to add up to the
    number of dice, so the sum of their squared differences is added up face by face. Far out, where both are below
    `SMALLEST_PROBABILITY`, they are an upper bound. Of more than `MAX_EXACT_DICE` dice both are the tail of the
    chi-squared distribution (within 0.002).

    Args:
        counts: number of dice that show each face.

    Returns:
        P(Pearson's statistic is as large or larger), which is the p-value of the goodness-of-fit test, and P(larger).

    Raises:
        ValueError: see `check_counts`.
    """
    n, faces = check_counts(counts), len(counts)
    if n == 0:
        return 1.0, 0.0
    if n > MAX_EXACT_DICE:
        tail = compute_chi_squared_tail(compute_pearson(counts), faces - 1)
        return tail, tail
    base = round(n / faces)
    rest = n - faces * base  # what the differences from `base` add up to
    squares = sum((count - base) ** 2 for count in counts)
    # Pearson's statistic is faces / n * (squares - rest ** 2 / faces): it grows with the squares.
    # Beyond this limit its tail is below SMALLEST_PROBABILITY for 2 to 20 faces; of few dice it is longer.
    most = min(squares, math.ceil(((2 * (faces - 1) + 36 + 2000 / n) * n + rest**2) / faces))
    below = _add_up_squares(n, faces, base, rest, most)
    as_uneven = max(0.0, 1.0 - float(below[:most].sum()))
    more_uneven = as_uneven if most < squares else max(0.0, as_uneven - float(below[most]))
    return as_uneven, more_uneven


def _add_up_squares(n: int, faces: int, base: int, rest: int, most: int) -> Probabilities:
    """Return P(the counts' squared differences from `base` add up to s) for s from 0 to `most`, for n fair dice."""
    import numpy as np

    reach = math.isqrt(most)
    mean = n / faces
    single = {
        d: math.exp((base + d) * math.log(mean) - mean - math.lgamma(base + d + 1))
        for d in range(max(-reach, -base), reach + 1)
    }
    # Rows: the sum of the differences so far, from -half to half (Cauchy-Schwarz); columns: of their squares.
    half = math.isqrt(faces * most) + 1
    table = np.zeros((2 * half + 1, most + 1))
    table[half, 0] = 1.0
    for _face in range(faces):
        added = np.zeros_like(table)
        for d, probability in single.items():
            low, high = max(0, d), min(len(table), len(table) + d)
            added[low:high, d * d :] += probability * table[low - d : high - d, : most + 1 - d * d]
        table = added
    total = math.exp(n * math.log(n) - n - math.lgamma(n + 1))
    row: Probabilities = table[half + rest] / total
    return row


def compute_chi_squared_tail(value: float, degrees: int) -> float:
    """Return the probability that a chi-squared number with `degrees` of freedom exceeds `value`.

    By the closed forms for whole numbers of degrees (Abramowitz and Stegun, 26.4.4 and 26.4.5).
    """
    half = value / 2
    if degrees % 2 == 0:
        return math.exp(-half) * math.fsum(half**i / math.factorial(i) for i in range(degrees // 2))
    terms = math.fsum(half ** (i - 0.5) / math.gamma(i + 0.5) for i in range(1, (degrees + 1) // 2))
    return math.erfc(math.sqrt(half)) + math.exp(-half) * terms


def compute_binomial_tail(count: int, n: int, share: float) -> float:
    """Return the probability that at least `count` of `n` dice show what each shows with probability `share`.

    >>> round(compute_binomial_tail(1, 2, 0.5), 9)
    0.75
    """
    return math.fsum(
        math.exp(
            math.lgamma(n + 1)
            - math.lgamma(i + 1)
            - math.lgamma(n - i + 1)
            + i * math.log(share)
            + (n - i) * math.log1p(-share)
        )
        for i in range(max(0, count), n + 1)
    )


def compute_sum_distribution(worth: Sequence[int], count: int) -> tuple[int, Probabilities]:
    """Return the exact distribution of what `count` fair dice are worth together.

    Args:
        worth: what each face is worth, at least one.
        count: number of dice, 0 or more.

    Returns:
        The least sum, and the probabilities of it and of each following whole number up to the largest.
    """
    import numpy as np

    low = min(worth)
    single = np.bincount([value - low for value in worth]) / len(worth)
    return low * count, _convolve_power(single, count)


def _convolve_power(single: Probabilities, count: int) -> Probabilities:
    """Return the distribution of a sum of `count` numbers, each distributed as `single` from 0 up."""
    import numpy as np

    result, power = np.ones(1), np.asarray(single, np.float64)
    while count:
        if count & 1:
            result = np.convolve(result, power)
        if count := count >> 1:
            power = np.convolve(power, power)
    return result


def compute_height(counts: Sequence[int], worth: Sequence[int], misread_share: float | None = None) -> Share:
    """Return the share of fair rolls that are worth less than these dice; ties count half.

    The interval goes from the share that is worth less to the share that is worth no more, for all sums that the dice
    may really have had (with `INTERVAL_SHARE`) if each die was misread with `misread_share`, as any other face alike.

    >>> compute_height([0, 0, 0, 0, 0, 2], [1, 2, 3, 4, 5, 6], misread_share=0.0).percents
    (99, 97, 100)

    Args:
        counts: number of dice that show each face; at least one die.
        worth: what each face is worth, as many numbers; more is better.
        misread_share: probability that a die shows another face than was read, 0 to 1; None: `READER_WRONG_DICE` of
            `READER_DICE`.

    Raises:
        ValueError: see `check_counts`; also without dice, and if there are not as many numbers in `worth`.
    """
    import numpy as np

    n, faces = check_counts(counts), len(counts)
    if n == 0 or len(worth) != faces:
        raise ValueError(f"{n} dice with {faces} faces cannot be compared, {len(worth)} faces have a worth")
    error = READER_WRONG_DICE / READER_DICE if misread_share is None else misread_share
    low, fair = compute_sum_distribution(worth, n)
    below = np.concatenate([[0.0], np.cumsum(fair)])  # P(sum < low + i)
    seen = sum(count * value for count, value in zip(counts, worth, strict=True)) - low
    true = np.ones(1)
    for read, count in enumerate(counts):
        single = np.zeros(max(worth) - min(worth) + 1)
        for face, value in enumerate(worth):
            single[value - min(worth)] += 1 - error if face == read else error / (faces - 1)
        true = np.convolve(true, _convolve_power(single, count))
    reached = np.cumsum(true)
    tail = (1 - INTERVAL_SHARE) / 2
    lowest = min(seen, int(np.searchsorted(reached, tail, side="right")))
    highest = max(seen, int(np.searchsorted(reached, 1 - tail)))
    return _clip(float(below[seen] + below[seen + 1]) / 2, float(below[lowest]), float(below[highest + 1]))


def compute_unevenness(counts: Sequence[int]) -> Share:
    """Return the share of fair rolls whose faces are less uneven than these; ties count half, the interval has all.

    Raises:
        ValueError: see `check_counts`.
    """
    as_uneven, more_uneven = compute_evenness(counts)
    return _clip(1 - (as_uneven + more_uneven) / 2, 1 - as_uneven, 1 - more_uneven)


def _clip(value: float, low: float, high: float) -> Share:
    return Share(*(min(1.0, max(0.0, number)) for number in (value, low, high)))


def compute_face_shares(counts: Sequence[int]) -> tuple[Share, ...]:
    """Return each face's share of the dice with intervals that all hold at once with `INTERVAL_SHARE`.

    The intervals are Goodman's ("On simultaneous confidence intervals for multinomial proportions", Technometrics 7,
    1965): Wilson's, with the error divided by the number of faces (Bonferroni).

    Args:
        counts: number of dice that show each face; at least one die.

    Raises:
        ValueError: see `check_counts`; also without dice.
    """
    if check_counts(counts) == 0:
        raise ValueError("there are no dice")
    return tuple(compute_wilson(count, sum(counts), (1 - INTERVAL_SHARE) / len(counts)) for count in counts)


def compute_wilson(count: int, n: int, error: float = 1 - INTERVAL_SHARE) -> Share:
    """Return the share `count` of `n` with Wilson's interval, which misses the true share with probability `error`.

    Args:
        count: 0 to `n`.
        n: at least 1.
        error: above 0, below 1.
    """
    z2 = NormalDist().inv_cdf(1 - error / 2) ** 2
    share = count / n
    centre = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = math.sqrt(z2 * (share * (1 - share) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    return _clip(share, centre - half, centre + half)


def bound_misread(n: int) -> int:
    """Return the number of `n` dice that the camera may have misread: more only once in 40 such tests.

    It is the 97.5 % quantile of a binomial number, with the upper end of the interval of the measured error
    (`READER_WRONG_DICE` of `READER_DICE`).

    Args:
        n: number of dice that the camera read and that nobody was asked about, 0 or more.
    """
    error = compute_wilson(READER_WRONG_DICE, READER_DICE).high
    term = reached = (1 - error) ** n
    misread = 0
    while reached < 1 - (1 - INTERVAL_SHARE) / 2 and misread < n:
        misread += 1
        term *= (n - misread + 1) / misread * error / (1 - error)
        reached += term
    return misread


def shift_counts(counts: Sequence[int], misread: int, *, evenly: bool) -> tuple[int, ...]:
    """Return the counts as they would be if that many dice had been misread in the way that matters most.

    Args:
        counts: number of dice that show each face.
        misread: number of dice that show another face than was read.
        evenly: the true counts are as even as they can be, else as uneven.
    """
    found = list(counts)
    for _die in range(misread):
        order = sorted(range(len(found)), key=found.__getitem__)
        least, most = order[0], order[-1]
        given, taken = (least, most) if evenly else (most, next((i for i in order if found[i]), most))
        if (evenly and found[most] - found[least] <= 1) or given == taken:
            break
        found[given] += 1
        found[taken] -= 1
    return tuple(found)
