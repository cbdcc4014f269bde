"""Which moments of a game its film shows."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from companion.api import Seat
from companion.film import Moment, MomentKind, StepFacts, choose_moments
from companion.film.moments import FILM_SECONDS

PODIUM = 5.2


def build_steps(scores: Sequence[tuple[int, ...]]) -> list[StepFacts]:
    """Build the steps of a game whose scores went like this."""
    before = (0,) * len(scores[0])
    steps = []
    for after in scores:
        leaders = tuple(Seat(i) for i, score in enumerate(after) if score == max(after))
        changes = tuple(new - old for old, new in zip(before, after, strict=True))
        steps.append(StepFacts(True, False, changes, leaders))
        before = after
    return steps


def list_shown(moments: Sequence[Moment]) -> list[tuple[str, int]]:
    return [(moment.kind.value, moment.step) for moment in moments]


def test_all_of_a_short_game_is_shown() -> None:
    moments = choose_moments(build_steps([(3, 0), (3, 5), (9, 5)]), PODIUM)
    assert list_shown(moments) == [("title", -1), ("gain", 0), ("last lead", 1), ("podium", 2), ("end", 2)]


@pytest.mark.parametrize("podium", [PODIUM, 8.0, None])
@pytest.mark.parametrize("count", [1, 3, 30, 400])
def test_a_film_of_any_game_lasts_twenty_seconds_at_most(count: int, podium: float | None) -> None:
    rng, scores = Random(count), [(0, 0, 0)]
    for _i in range(count):
        scores.append(tuple(score + rng.choice((0, 0, 5)) for score in scores[-1]))
    moments = choose_moments(build_steps(scores[1:]), podium)
    assert sum(moment.seconds for moment in moments) <= FILM_SECONDS + 1e-9
    assert (moments[0].kind, moments[-1].kind) == (MomentKind.TITLE, MomentKind.END)
    assert [moment.step for moment in moments] == sorted(moment.step for moment in moments)
    assert (podium is not None) == any(moment.kind is MomentKind.PODIUM for moment in moments)
    if count == 400:
        assert sum(moment.seconds for moment in moments) > FILM_SECONDS - 2.0, "a long game fills it"


def test_a_game_that_has_not_begun_has_a_title() -> None:
    assert list_shown(choose_moments([], None)) == [("title", -1), ("end", -1)]


def test_corrections_are_no_moments_however_much_they_change() -> None:
    steps = build_steps([(3, 0), (3, 90), (9, 90), (9, 91)])
    steps[1] = replace(steps[1], is_move=False)
    assert [step for _kind, step in list_shown(choose_moments(steps, PODIUM))] == [-1, 0, 2, 3, 3]


def test_who_only_draws_level_does_not_take_the_lead() -> None:
    kinds = [kind for kind, _step in list_shown(choose_moments(build_steps([(3, 0), (3, 3), (6, 3), (6, 4)]), PODIUM))]
    assert "lead" not in kinds
    assert "last lead" not in kinds


def test_with_reveals_only_these_are_shown() -> None:
    steps = build_steps([(50, 0), (50, 60), (70, 60), (70, 61)])
    steps[2] = replace(steps[2], is_reveal=True)
    assert list_shown(choose_moments(steps, PODIUM)) == [("title", -1), ("gain", 2), ("podium", 3), ("end", 3)]


def test_of_a_long_game_the_last_change_of_the_lead_and_the_largest_gain_are_shown() -> None:
    scores = [(2 * i + 1, 2 * i) if i % 2 else (2 * i, 2 * i + 1) for i in range(200)]
    scores[120:] = [(a + 100, b) for a, b in scores[120:]]
    scores[180:] = [(a, b + 300) for a, b in scores[180:]]
    shown = list_shown(choose_moments(build_steps(scores), PODIUM))
    assert ("last lead", 180) in shown
    assert 120 in [step for _kind, step in shown]
