"""Points of each round of boxed games."""

from __future__ import annotations

from pathlib import Path
from random import Random

from companion.api import Move, Seat
from companion.api.registry import find_game
from companion.events import Button
from companion.games.macroscope import GAME as MACROSCOPE
from companion.journal import game_summary
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.entry import GameSetup
from companion.journal.saved_game import SavedGame
from tests.journal.play import random_move

A, B = Seat(0), Seat(1)


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
