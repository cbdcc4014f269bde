"""Points of the rounds, score sheets, and records of the players.

Rolled dice: test_dice_luck.py, in words: test_luck_sentences.py; what chance gives: tests/test_dice_statistics.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.api import CommonCorrection, Correctable, Correction, GameDefinition, Move, Seat, ValueRange
from companion.api.registry import find_game
from companion.events import Button
from companion.games.macroscope import GAME as MACROSCOPE
from companion.journal import game_summary
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.entry import GameSetup
from companion.journal.replay import Replay
from companion.journal.saved_game import SavedGame
from companion.journal.statistics import PlayerRecord, compute_player_records, compute_rounds, list_score_changes
from companion.screen_state import ScoreLine
from tests.definitions import change
from tests.journal.play import random_move
from tests.journal.toy import GAME, SETUP, Toy, add

A, B = Seat(0), Seat(1)


def correct(seat: Seat, total: int) -> Correction:
    return Correction("total", seat, (total,))


def play(folder: Path, *steps: Move | Correction, definition: GameDefinition = GAME) -> Replay:
    with Journal(folder / "j") as journal:
        saved_game = SavedGame.begin(journal, SETUP, definition)
        for step in steps:
            if isinstance(step, Move):
                saved_game.play_move(step)
            else:
                saved_game.correct(step)
        return saved_game.replay


# Rounds ----------------------------------------------------------------------------------------------------------

BY_TENS = change(GAME, get_round_number=lambda game: 1 + sum(game.totals) // 10)
"""The toy in rounds: each ends as soon as ten points were made in it."""


@pytest.mark.parametrize(
    ("steps", "rounds"),
    [
        ((), ()),
        ((Move("pass", A),), ()),
        ((add(A, 3),), ((3, 0),)),
        ((add(A, 3), add(B, 6)), ((3, 6),)),
        ((add(A, 5), add(B, 5)), ((5, 5),)),
        ((add(A, 5), add(B, 5), Move("pass", A)), ((5, 5),)),
        ((add(A, 5), add(B, 6), add(A, 2)), ((5, 6), (2, 0))),
        ((add(A, 5), add(B, 6), add(A, 5), add(B, 6), add(A, 1)), ((5, 6), (5, 6), (1, 0))),
        ((add(A, 5), add(B, 6), add(A, 2), correct(A, 5)), ((5, 6),)),
        ((add(A, 5), add(B, 6), correct(A, 4)), ((5, 6), (-1, 0))),
    ],
)
def test_points_of_a_round_are_the_change_of_the_scores(
    tmp_path: Path, steps: Sequence[Move | Correction], rounds: tuple[tuple[int, ...], ...]
) -> None:
    assert compute_rounds(play(tmp_path, *steps, definition=BY_TENS)) == rounds


def test_a_game_without_rounds_has_none(tmp_path: Path) -> None:
    assert compute_rounds(play(tmp_path, add(A, 3), definition=change(GAME, get_round_number=lambda _game: 0))) == ()


@dataclass(frozen=True)
class Listed(Toy):
    """A toy that lists points of earlier rounds, as games do that let them be corrected."""

    def list_correctables(self) -> Sequence[Correctable]:
        def points(kind: str, seat: Seat | None, value: int, *index: int) -> Correctable:
            return Correctable(kind, seat, (value, 77), ValueRange(2, 0, 99), index)

        return [
            points(CommonCorrection.ROUND, B, 4, 2),
            points(CommonCorrection.ROUND, A, 7, 1),
            points(CommonCorrection.GAME, B, 9, 1),
            points(CommonCorrection.ROUND, None, 50, 1),
            points(CommonCorrection.ROUND, A, 60),
            points("total", A, 70, 1),
            points("total", A, 80),
        ]


def test_points_that_the_game_lists_by_round_count(tmp_path: Path) -> None:
    definition = change(GAME, create_game=lambda players, first, settings: Listed((0,) * players, first, settings))
    assert compute_rounds(play(tmp_path, add(A, 3), definition=definition)) == ((7, 9), (0, 4))


def test_rounds_of_a_macroscope_game(tmp_path: Path) -> None:
    setup = GameSetup(
        game="macroscope",
        players=("Ada", "Bob"),
        buttons=(Button.SEAT1, Button.SEAT2),
        settings={"dice": "off", "rounds": 2},
    )
    with Journal(tmp_path / JOURNAL_FILE) as journal:
        saved_game = SavedGame.begin(journal, setup, MACROSCOPE)
        for move in (Move("remove", A, (1,)), Move("guess", A), Move("close", A), Move("cover"), Move("right", A)):
            saved_game.play_move(move)
        for move in (Move("remove", B, (1,)), Move("guess", B), Move("close", B), Move("cover"), Move("nobody")):
            saved_game.play_move(move)
        summarised = game_summary.summarise_game(journal, journal.get_game(saved_game.id), lambda _: MACROSCOPE, None)
    assert summarised["scores"] == [13, 0]
    assert summarised["rounds"] == [[11, 0], [0, -2]]


def test_a_game_without_rounds_has_no_points_of_rounds(tmp_path: Path) -> None:
    """StarFall's total is dust until the end and then points: the difference of the two is nothing."""
    starfall, random = find_game("starfall"), Random(2)
    setup = GameSetup(game="starfall", players=("Ada", "Bob"), buttons=(Button.SEAT1, Button.SEAT2))
    with Journal(tmp_path / JOURNAL_FILE) as journal:
        saved_game = SavedGame.begin(journal, setup, starfall)
        for _ in range(12):
            saved_game.play_move(random_move(random, saved_game.game))
            found = game_summary.summarise_game(journal, journal.get_game(saved_game.id), find_game, None)
            assert (found["scores"], found["rounds"]) == (list(saved_game.game.totals), [])


# Score sheets ----------------------------------------------------------------------------------------------------


def test_a_score_sheet_has_a_line_for_each_change(tmp_path: Path) -> None:
    steps = (add(A, 6), add(B, 6), Move("pass", A), add(B, 2), add(A, 1), correct(A, 4))
    replay = play(tmp_path, *steps, definition=BY_TENS)
    assert list_score_changes(replay, A) == (
        ScoreLine(1, "Ada adds 6", 6, 6),
        ScoreLine(2, "Ada adds 1", 1, 7),
        ScoreLine(2, "Ada's total is 4", -3, 4),
    )
    assert list_score_changes(replay, B) == (ScoreLine(1, "Bob adds 6", 6, 6), ScoreLine(2, "Bob adds 2", 2, 8))


def test_a_game_may_give_reasons_also_for_no_points(tmp_path: Path) -> None:
    definition = change(
        GAME, explain_score=lambda before, after, seat: f"turn of {before.active}" if before.active == seat else ""
    )
    replay = play(tmp_path, Move("pass", A), add(B, 2), add(A, 1), definition=definition)
    assert list_score_changes(replay, A) == (ScoreLine(1, "turn of 0", 0, 0), ScoreLine(1, "turn of 0", 1, 1))


def test_points_at_the_start_are_the_first_line(tmp_path: Path) -> None:
    definition = change(GAME, create_game=lambda players, first, settings: Toy((5, 0), first, settings))
    replay = play(tmp_path, add(A, 1), definition=definition)
    assert list_score_changes(replay, A) == (ScoreLine(1, "", 5, 5), ScoreLine(1, "Ada adds 1", 1, 6))
    assert list_score_changes(replay, B) == ()


def test_parts_of_a_score_are_added_up(tmp_path: Path) -> None:
    definition = change(GAME, list_score_parts=lambda _game, seat: [("stars", 9), ("dust", -2)] if seat == A else [])
    replay = play(tmp_path, add(A, 1), add(B, 3), definition=definition)
    assert list_score_changes(replay, A) == (ScoreLine(1, "stars", 9, 9), ScoreLine(1, "dust", -2, 7))
    assert list_score_changes(replay, B) == (ScoreLine(1, "Bob adds 3", 3, 3),)


# Records ---------------------------------------------------------------------------------------------------------


def finished(title: str, scores: dict[str, int], *winners: int, rounds: Sequence[Sequence[int]] = ()) -> dict[str, Any]:
    return {
        "title": title, "players": list(scores), "scores": list(scores.values()), "rounds": rounds, "over": True,
        "lowest_wins": False, "winners": winners, "places": [1 + (q not in winners) for q in range(len(scores))],
    }  # fmt: skip


def test_records_are_sorted_by_game_victories_average_and_name() -> None:
    games = [
        finished("Toy", {"Zoe": 3, "Ada": 3, "Bob": 8, "Cleo": 1}, 3),
        finished("Go", {"Zoe": 1, "Bob": 0}, 0, 1),
    ]
    assert [(record.game_title, record.player) for record in compute_player_records(games)] == [
        ("Go", "Zoe"),
        ("Go", "Bob"),
        ("Toy", "Cleo"),
        ("Toy", "Bob"),
        ("Toy", "Ada"),
        ("Toy", "Zoe"),
    ]


def test_a_record_has_the_best_round_of_all_games() -> None:
    games = [
        finished("Toy", {"Ada": 3, "Bob": 8}, 1, rounds=[[1, 4], [2, 4]]),
        finished("Toy", {"Bob": -2, "Ada": 9}, 1, rounds=[[-2, 9]]),
        finished("Go", {"Bob": -2}),
    ]
    assert compute_player_records(games) == (
        PlayerRecord("Bob", "Go", 1, 0, -2.0, -2, None),
        PlayerRecord("Ada", "Toy", 2, 1, 6.0, 9, 9),
        PlayerRecord("Bob", "Toy", 2, 1, 3.0, 8, 4),
    )


def test_where_the_fewest_points_win_these_are_the_best() -> None:
    games = [
        finished("Hearts", {"Ada": 40, "Bob": 100}, 0, rounds=[[20, 60], [20, 40]]) | {"lowest_wins": True},
        finished("Hearts", {"Ada": 90, "Bob": 70}, 1, rounds=[[15, 20], [75, 50]]) | {"lowest_wins": True},
    ]
    bests = {record.player: (record.best_score, record.best_round) for record in compute_player_records(games)}
    assert bests == {"Ada": (40, 15), "Bob": (70, 20)}
