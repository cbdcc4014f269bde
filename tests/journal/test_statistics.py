"""Points of each round, and the records of the players."""

from __future__ import annotations

import csv
import io
import sys
from pathlib import Path
from random import Random

import pytest

from companion.api import Correction, Move, Seat
from companion.api.registry import find_game
from companion.events import Button
from companion.games.macroscope import GAME as MACROSCOPE
from companion.journal import summary
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.entry import GameSetup
from companion.journal.saved_game import SavedGame
from companion.journal.statistics import PlayerRecord, compute_player_records, compute_rounds
from tests.journal.play import random_move
from tests.journal.test_commands import data, typed
from tests.journal.toy import GAME, SETUP

__all__ = ["data"]  # fixture of test_commands
A, B = Seat(0), Seat(1)


def finished(ada: int, bob: int, *, players: tuple[str, str] = ("Ada", "Bob")) -> dict[str, object]:
    best = max(ada, bob)
    return {
        "title": "Toy",
        "players": list(players),
        "scores": [ada, bob],
        "rounds": [[ada - 1, bob], [1, 0]],
        "over": True,
        "winners": [seat for seat, score in enumerate((ada, bob)) if score == best],
    }


def test_records_have_wins_averages_and_best_scores() -> None:
    unfinished = finished(99, 0) | {"over": False}
    found = compute_player_records([finished(7, 4), finished(3, 8), finished(5, 5), unfinished, {"trouble": "torn"}])
    assert found == (
        PlayerRecord("Bob", "Toy", 3, 2, 17 / 3, 8, 8),
        PlayerRecord("Ada", "Toy", 3, 2, 5.0, 7, 6),
    )


def test_records_are_by_name_at_any_seat() -> None:
    (ada, bob) = compute_player_records([finished(7, 4), finished(7, 4, players=("Bob", "Ada"))])
    assert (ada.won, bob.won) == (1, 1)


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
        summarised = summary.summarise_game(journal, journal.get_game(saved_game.id), lambda _: MACROSCOPE, None)
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
            found = summary.summarise_game(journal, journal.get_game(saved_game.id), find_game, None)
            assert (found["scores"], found["rounds"]) == (list(saved_game.game.totals), [])


def test_corrections_count_in_the_round_in_play(tmp_path: Path) -> None:
    with Journal(tmp_path / JOURNAL_FILE) as journal:
        saved_game = SavedGame.begin(journal, SETUP, GAME)
        saved_game.play_move(Move("add", A, (6,)))
        saved_game.correct(Correction("total", A, (9,)))
        assert compute_rounds(saved_game.replay) == ((9, 0),)


def test_list_filtered_by_player_and_game(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert typed("history", "--data", data, "--player", "Zoë") == 0
    assert capsys.readouterr().out == "No such game has been played yet.\n"
    assert typed("history", "--data", data, "--game", "macroscope") == 0
    assert capsys.readouterr().out == "No such game has been played yet.\n"


def test_csv_has_a_line_for_each_player_of_each_game(capsys: pytest.CaptureFixture[str]) -> None:
    saved_game = finished(7, 4, players=("=cmd", 'A "b", c')) | {"id": 3, "begun": "2023-11-14T22:13:20", "game": "toy"}
    summary.write_csv([saved_game, {"id": 4, "trouble": "torn"}], sys.stdout)
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["player"] for row in rows] == ["'=cmd", 'A "b", c']
    assert [(row["score"], row["won"], row["rounds"]) for row in rows] == [("7", "1", "6 1"), ("4", "0", "4 0")]
