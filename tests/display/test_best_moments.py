"""The best moments of a finished game, in words."""

from __future__ import annotations

from dataclasses import replace

from companion.api import Outcome, Seat
from companion.display.best_moments import GAME_TEXTS, ROUND_TEXTS, BestMomentTexts, describe_best_moments
from companion.events import SEAT_BUTTONS
from companion.screen_state import Player
from tests.display.ended_games import SAMPLES_ENDED, join_texts

A, B, C = Seat(0), Seat(1), Seat(2)


def best(
    *rounds: tuple[int, ...], winners: tuple[Seat, ...], telling: BestMomentTexts = ROUND_TEXTS
) -> tuple[str, ...]:
    scores = tuple(sum(points) for points in zip(*rounds, strict=True))
    people = tuple(Player(Seat(i), name, SEAT_BUTTONS[i]) for i, name in enumerate(("Ada", "Bob", "Cleo")))
    ended = replace(
        SAMPLES_ENDED["macroscope_6"],
        players=people[: len(scores)],
        scores=scores,
        round_points=rounds,
        outcome=Outcome(winners, ""),
    )
    return describe_best_moments(ended, telling)


def test_the_best_round_and_the_longest_lead() -> None:
    assert best((2, 1), (3, 9), (0, 1), winners=(B,)) == (
        "Most in one round: Bob, 9 in round 2",
        "Longest in the lead: Bob, rounds 2 to 3",
    )


def test_the_same_best_round_of_two() -> None:
    assert best((2, 9), (9, 2), winners=(A, B))[0] == "Most in one round: Bob and Ada, 9"


def test_no_best_moment_without_points() -> None:
    assert best((0, 0), (0, -1), winners=(A,)) == ()
    assert best((0, -2), (0, -1), winners=(A,)) == ("Longest in the lead: Ada, rounds 1 to 2",)
    assert best((5, 0), winners=(A,)) == (), "one round: there is nothing to compare"


def test_comeback_is_described_for_winners_only() -> None:
    lines = best((10, 0), (0, 4), (0, 7), winners=(B,))
    assert "Greatest comeback: Bob, 10 behind after round 1" in lines
    assert not any("comeback" in line for line in best((10, 0), (0, 4), (0, 5), winners=(A,)))


def test_the_last_round_is_no_comeback_and_a_small_gap_none_either() -> None:
    assert not any("comeback" in line for line in best((2, 0), (0, 3), winners=(B,)))
    assert not any("comeback" in line for line in best((0, 0), (0, 3), winners=(A,)))


def test_equal_leads_are_omitted_and_many_changes_described() -> None:
    lines = best((1, 0), (0, 2), (2, 0), (0, 2), winners=(B,))
    assert lines == ("Most in one round: Bob and Ada, 2", "The lead changed 3 times")


def test_game_texts_count_games() -> None:
    assert best((2, 1), (3, 9), (0, 1), winners=(B,), telling=GAME_TEXTS) == (
        "Most in one game: Bob, 9 in game 2",
        "Longest in the lead: Bob, games 2 to 3",
    )
    assert "in game" in join_texts(SAMPLES_ENDED["secret_number_5"])
    assert "in round" in join_texts(SAMPLES_ENDED["memo_dice_4"])
