"""Luck with the dice in words, and its silence within what chance often gives."""

from __future__ import annotations

import pytest

from companion.api import FairDice
from companion.dice_statistics import Share
from companion.journal.dice_luck import compute_luck
from companion.journal.luck_sentences import describe_best_faces, describe_luck, find_striking
from companion.screen_state import RolledDice

NAMES = ("Ada", "Bo")
MIDDLING, LUCKY = (4,) * 6, (0, 0, 2, 4, 8, 10)
UNLUCKY = LUCKY[::-1]
PIPS, LUCK = FairDice(), FairDice(face_worth=(1, 2, 3, 4, 5, 6))
SYMBOLS = FairDice(sides=3, face_worth=())


def describe(*counts: tuple[int, ...], dice: FairDice = PIPS, face_names: tuple[str, ...] = ()) -> str:
    players = [RolledDice(own, compute_luck(own, dice)) for own in counts]
    return describe_luck(NAMES, players, dice, find_striking(players, dice), face_names)


@pytest.mark.parametrize(
    ("bo", "dice", "sentence"),
    [
        (LUCKY, PIPS, "Bo rolled 6 more sixes than usual"),
        (UNLUCKY, PIPS, "Bo rolled 4 fewer sixes than usual"),
        (LUCKY, LUCK, "Bo was lucky: 6 more sixes than usual"),
        (UNLUCKY, LUCK, "Bo was unlucky: 4 fewer sixes than usual"),
        ((0, 0, 0, 3, 15, 6), PIPS, "Bo rolled 2 more sixes than usual"),
        ((0, 0, 0, 4, 15, 5), PIPS, "Bo rolled high"),
        ((0, 0, 0, 4, 16, 4), PIPS, "Bo rolled high"),
        ((0, 0, 0, 4, 16, 4), LUCK, "Bo was lucky with the dice"),
        ((4, 16, 0, 0, 0, 4), LUCK, "Bo was unlucky with the dice"),
    ],
)
def test_who_stands_out_is_named(bo: tuple[int, ...], dice: FairDice, sentence: str) -> None:
    assert describe(MIDDLING, bo, dice=dice) == sentence


def test_what_chance_often_gives_says_nothing() -> None:
    assert describe(MIDDLING, MIDDLING) == "The dice were nothing unusual"
    assert describe(MIDDLING, (4, 4, 4, 4, 3, 6)) == "The dice were nothing unusual"
    assert describe((1, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 1)) == "Too few dice to tell"


def test_where_no_face_is_better_the_commonest_is_named() -> None:
    said = describe((4, 4, 4), (1, 1, 16), dice=SYMBOLS, face_names=("Red", "Blue", "Black"))
    assert said == "Bo rolled Black 16 times; 6 is usual"
    assert describe((4, 4, 4), (6, 6, 6), dice=SYMBOLS) == "The dice were nothing unusual", "to be very even is no news"


def test_luck_against_the_sixes_is_told_without_them() -> None:
    """Six sixes of 36 are usual, whatever the other dice were."""
    lucky = RolledDice((0, 0, 3, 12, 15, 6), Share(0.999, 0.99, 1.0))
    assert describe_luck(NAMES, (lucky, lucky), PIPS, striking=0) == "Ada rolled high"


def test_the_rarest_number_of_sixes_is_told_of_a_game() -> None:
    assert describe_best_faces(NAMES, [MIDDLING, LUCKY], LUCK) == "Bo was lucky: 6 more sixes than usual"
    assert describe_best_faces(NAMES, [(12, 12, 12, 12, 12, 0), MIDDLING], LUCK).startswith("Ada was unlucky: 10 fewer")


@pytest.mark.parametrize(
    "counts",
    [
        [MIDDLING, (4, 4, 4, 4, 2, 6)],
        [(0, 0, 0, 0, 0, 8), ()],
        [],
        [(2, 2, 2, 2, 2, 2), (5, 5, 5, 5, 5, 7)],
    ],
    ids=["usual", "too few dice", "no dice known", "two more of thirty-two"],
)
def test_luck_within_the_usual_range_says_nothing(counts: list[tuple[int, ...]]) -> None:
    assert describe_best_faces(NAMES, counts, LUCK) == ""


def test_without_one_best_face_no_face_is_told() -> None:
    assert describe_best_faces(NAMES, [(0, 0, 20)] * 2, SYMBOLS) == ""
    assert describe_best_faces(NAMES, [(0, 0, 0, 0, 20, 20)] * 2, FairDice(face_worth=(1, 2, 3, 4, 6, 6))) == ""


def test_more_players_need_rarer_luck() -> None:
    lucky = (4, 3, 3, 3, 2, 9)
    assert describe_best_faces(["Ada"], [lucky], PIPS) == "Ada rolled 5 more sixes than usual"
    assert describe_best_faces([*NAMES, "C", "D", "E", "F"], [lucky, *[MIDDLING] * 5], PIPS) == ""
