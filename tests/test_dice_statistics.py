"""Statistics of fair dice beside calculations of another kind: all outcomes, simulations, published examples."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from companion.dice_statistics import (
    MAX_EXACT_DICE,
    READER_DICE,
    READER_WRONG_DICE,
    SMALLEST_PROBABILITY,
    Share,
    bound_misread,
    compute_binomial_tail,
    compute_chi_squared_tail,
    compute_evenness,
    compute_face_shares,
    compute_height,
    compute_pearson,
    compute_sum_distribution,
    compute_unevenness,
    compute_wilson,
    shift_counts,
)

PIPS = (1, 2, 3, 4, 5, 6)


def list_outcomes(faces: int, n: int) -> Iterator[tuple[int, ...]]:
    """All throws of n dice, by face from 0."""
    return product(range(faces), repeat=n)


def count_faces(outcome: Sequence[int], faces: int) -> tuple[int, ...]:
    return tuple(outcome.count(face) for face in range(faces))


@pytest.mark.parametrize(("faces", "n"), [(2, 9), (3, 7), (4, 5), (6, 5), (5, 1), (6, 2)])
def test_unevenness_is_that_of_all_outcomes(faces: int, n: int) -> None:
    squares = Counter(sum(count**2 for count in count_faces(outcome, faces)) for outcome in list_outcomes(faces, n))
    for counts in {count_faces(outcome, faces) for outcome in list_outcomes(faces, n)}:
        mine = sum(count**2 for count in counts)
        as_uneven = Fraction(sum(many for square, many in squares.items() if square >= mine), faces**n)
        more_uneven = Fraction(sum(many for square, many in squares.items() if square > mine), faces**n)
        assert compute_evenness(counts) == pytest.approx((float(as_uneven), float(more_uneven)), abs=1e-12)


def test_the_loaded_die_of_a_published_example() -> None:
    """Wikipedia, "Pearson's chi-squared test": 60 throws, statistic 13.4, between the limits of 5 % and 1 %."""
    counts = (5, 8, 9, 8, 10, 20)
    assert compute_pearson(counts) == pytest.approx(13.4)
    assert 0.01 < compute_evenness(counts)[0] < 0.05
    # The chi-squared distribution's own tail there is 0.0199; the exact one is near it.
    assert compute_evenness(counts)[0] == pytest.approx(0.0199, abs=0.001)


def test_wolfs_dice() -> None:
    """Rudolf Wolf's white die, 20,000 throws; Jaynes gives 270.9 ("Where do we stand on maximum entropy?", 1978)."""
    counts = (3246, 3449, 2897, 2841, 3635, 3932)
    assert compute_pearson(counts) == pytest.approx(270.9, abs=0.1)
    assert compute_evenness(counts)[0] < 1e-50


@pytest.mark.parametrize(
    ("degrees", "limits"),
    [(1, (3.841, 6.635)), (2, (5.991, 9.210)), (5, (11.070, 15.086)), (10, (18.307, 23.209)), (19, (30.144, 36.191))],
)
def test_the_chi_squared_tail_has_its_printed_limits(degrees: int, limits: tuple[float, float]) -> None:
    for limit, level in zip(limits, (0.05, 0.01), strict=True):
        assert compute_chi_squared_tail(limit, degrees) == pytest.approx(level, rel=1e-3)


@pytest.mark.parametrize(
    "counts", [(150, 170, 180, 165, 175, 160), (480, 520), (90, 110, 95, 105, 100, 110, 80, 120, 90, 100)]
)
def test_of_many_dice_the_chi_squared_tail_is_as_good(counts: tuple[int, ...]) -> None:
    assert sum(counts) == MAX_EXACT_DICE
    as_uneven, more_uneven = compute_evenness(counts)
    tail = compute_chi_squared_tail(compute_pearson(counts), len(counts) - 1)
    assert (as_uneven + more_uneven) / 2 == pytest.approx(tail, abs=0.002)
    assert compute_evenness(tuple(3 * count for count in counts))[0] < tail


@pytest.mark.parametrize("counts", [(200, 0, 0, 0, 0, 0), (0, 200), (5,) * 9 + (105,), (200, 40, 40, 40, 40, 40)])
def test_a_die_that_is_beyond_doubt_has_a_bound(counts: tuple[int, ...]) -> None:
    as_uneven, more_uneven = compute_evenness(counts)
    assert 0 <= more_uneven <= as_uneven < SMALLEST_PROBABILITY


def test_no_dice_are_as_even_as_can_be() -> None:
    assert compute_evenness((0, 0, 0)) == (1.0, 0.0)
    assert compute_pearson((0, 0)) == 0.0


def test_chance_is_never_called_certain_or_impossible() -> None:
    assert Share(0.9999, 0.99, 1.0).percents == (99, 99, 100)
    assert Share(0.0001, 0.0, 0.01).percents == (1, 0, 1)
    assert (Share(0.0, 0.0, 0.01).percents, Share(1.0, 0.99, 1.0).percents) == ((0, 0, 1), (100, 99, 100))


@pytest.mark.parametrize(("counts", "message"), [((3,), "two faces"), ((1, -1), "two faces"), ((), "two faces")])
def test_counts_that_are_none_are_refused(counts: tuple[int, ...], message: str) -> None:
    for compute in (compute_evenness, compute_pearson, compute_face_shares, compute_unevenness):
        with pytest.raises(ValueError, match=message):
            compute(counts)


@pytest.mark.parametrize("n", [1, 5])
def test_as_many_sixes_are_as_probable_as_among_all_outcomes(n: int) -> None:
    sixes = [outcome.count(5) for outcome in list_outcomes(6, n)]
    for count in range(n + 2):
        share = sum(many >= count for many in sixes) / 6**n
        assert compute_binomial_tail(count, n, 1 / 6) == pytest.approx(share, abs=1e-12)


@pytest.mark.parametrize(("worth", "n"), [(PIPS, 4), ((0, 2, 3, 4, 5, 6), 3), ((100, 0, 0, 0, 50, 0), 3), ((1, 2), 0)])
def test_sums_are_those_of_all_outcomes(worth: tuple[int, ...], n: int) -> None:
    sums = Counter(sum(worth[face] for face in outcome) for outcome in list_outcomes(len(worth), n))
    low, probabilities = compute_sum_distribution(worth, n)
    assert {low + i: p for i, p in enumerate(probabilities) if p > 1e-15} == pytest.approx(
        {total: many / len(worth) ** n for total, many in sums.items()}
    )


@pytest.mark.parametrize(
    ("counts", "total"), [((0, 1, 0, 1, 2, 0), 16), ((4, 0, 0, 0, 0, 0), 4), ((0, 0, 0, 0, 0, 4), 24)]
)
def test_the_height_of_an_evening_is_that_among_all_evenings(counts: tuple[int, ...], total: int) -> None:
    sums = [sum(outcome) + 4 for outcome in list_outcomes(6, 4)]
    less, same = sum(other < total for other in sums) / 6**4, sums.count(total) / 6**4
    height = compute_height(counts, PIPS, misread_share=0.0)
    assert (height.low, height.high) == pytest.approx((less, less + same))
    assert height.value == pytest.approx(less + same / 2)


def test_misread_dice_widen_the_interval() -> None:
    counts = (20, 25, 40, 35, 45, 35)
    certain, measured, bad = (compute_height(counts, PIPS, error) for error in (0.0, None, 0.1))
    assert certain.value == measured.value == bad.value
    assert bad.low < measured.low < certain.low < certain.value < certain.high < measured.high < bad.high


def test_the_interval_holds_the_truth_although_dice_are_misread() -> None:
    """With 5 % of the dice misread, the interval holds the true place in 93 % of the evenings or more."""
    rng, held, evenings, error = np.random.default_rng(3), 0, 300, 0.05
    for _ in range(evenings):
        true = rng.integers(0, 6, 60)
        read = np.where(rng.random(60) < error, (true + rng.integers(1, 6, 60)) % 6, true)
        place = compute_height(np.bincount(true, minlength=6).tolist(), PIPS, 0.0).value
        interval = compute_height(np.bincount(read, minlength=6).tolist(), PIPS, error)
        held += interval.low <= place <= interval.high
    assert held / evenings >= 0.93


@pytest.mark.parametrize(("counts", "worth"), [((0, 0), (1, 2)), ((1, 1), (1, 2, 3))])
def test_dice_that_cannot_be_compared_are_refused(counts: tuple[int, ...], worth: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="cannot be compared"):
        compute_height(counts, worth)


def test_even_evenings_are_in_the_middle() -> None:
    """Averaged over all outcomes every evening is more uneven than half of them."""
    outcomes = [count_faces(outcome, 3) for outcome in list_outcomes(3, 5)]
    shares = [compute_unevenness(counts) for counts in outcomes]
    assert sum(share.value for share in shares) / len(shares) == pytest.approx(0.5)
    assert all(share.low <= share.value <= share.high for share in shares)


@pytest.mark.parametrize(
    ("count", "n", "error"), [(33, 200, 0.05), (0, 10, 0.05), (10, 10, 0.01), (READER_WRONG_DICE, READER_DICE, 0.05)]
)
def test_wilsons_limits_solve_the_equation(count: int, n: int, error: float) -> None:
    """A limit p is as far from the share as chance takes it: (share - p)^2 = z^2 p (1 - p) / n, found by halving."""
    z = {0.05: 1.959963984540054, 0.01: 2.5758293035489}[error]
    found = compute_wilson(count, n, error)

    def is_within(p: float) -> bool:
        return (count / n - p) ** 2 <= z**2 * p * (1 - p) / n

    for limit, inside, outside in ((found.low, count / n, 0.0), (found.high, count / n, 1.0)):
        for _ in range(60):
            middle = (inside + outside) / 2
            inside, outside = (middle, outside) if is_within(middle) else (inside, middle)
        assert limit == pytest.approx(inside, abs=1e-9)


def test_wilsons_published_example() -> None:
    """Newcombe (1998), "Two-sided confidence intervals for the single proportion", table I: 81 of 263."""
    found = compute_wilson(81, 263)
    assert (found.low, found.high) == pytest.approx((0.2553, 0.3662), abs=0.00005)


def test_all_faces_are_within_their_intervals_at_once() -> None:
    rng, tests = np.random.default_rng(8), 1500
    held = sum(
        all(
            share.low <= 1 / 6 <= share.high
            for share in compute_face_shares(rng.multinomial(200, [1 / 6] * 6).tolist())
        )
        for _ in range(tests)
    )
    assert 0.94 <= held / tests <= 0.98


def test_faces_of_no_dice_have_no_share() -> None:
    with pytest.raises(ValueError, match="no dice"):
        compute_face_shares((0, 0))


@pytest.mark.parametrize("n", [0, 1, 24, 200, 1000])
def test_misread_dice_are_bounded_as_a_binomial_number(n: int) -> None:
    error = compute_wilson(READER_WRONG_DICE, READER_DICE).high
    bound = bound_misread(n)
    reached = [
        sum(math.comb(n, k) * error**k * (1 - error) ** (n - k) for k in range(upto + 1)) for upto in (bound - 1, bound)
    ]
    assert reached[0] < 0.975 <= reached[1] + 1e-12


@pytest.mark.parametrize("counts", [(5, 1, 0, 2), (2, 2, 2, 2), (0, 0, 0, 6), (3, 3, 1, 1)])
@pytest.mark.parametrize("misread", [0, 1, 2])
def test_misread_dice_are_moved_where_they_matter_most(counts: tuple[int, ...], misread: int) -> None:
    """Beside all ways to move so many dice."""
    reached = {counts}
    for _ in range(misread):
        reached |= {
            tuple(count + (face == to) - (face == source) for face, count in enumerate(one))
            for one in reached
            for source in range(4)
            for to in range(4)
            if one[source]
        }
    squares = [sum(count**2 for count in one) for one in reached]
    for evenly, best in ((True, min(squares)), (False, max(squares))):
        assert sum(count**2 for count in shift_counts(counts, misread, evenly=evenly)) == best
