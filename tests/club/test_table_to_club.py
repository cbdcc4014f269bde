"""Proof: from the table to the club: journal, socket, `companion porch`, mosquitto, `companion club`, through cuts."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from companion.api import registry
from companion.club.database import ClubDatabase
from companion.events import SEAT_BUTTONS
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.entry import GameSetup
from companion.journal.saved_game import SavedGame
from companion.porch.messages import SOCKET_VARIABLE
from companion.porch.publisher import PorchPublisher
from companion.referee.referee import Referee
from companion.referee.services import GameServices
from companion.screen_state import CameraView
from tests.journal.play import random_move
from tests.mosquitto import Mosquitto, needs_mosquitto

pytestmark = [pytest.mark.proof, needs_mosquitto]


def play(journal: Journal, publisher: PorchPublisher, random: Random) -> tuple[int, ...]:
    """Play a game to its end before the publisher; return the scores."""
    definition = registry.find_game("pig")
    setup = GameSetup(game="pig", players=("Ada", "Bob"), buttons=SEAT_BUTTONS[:2])
    saved_game = SavedGame.begin(journal, setup, definition)
    referee = Referee(saved_game, GameServices(lambda: 0.0, random))
    while saved_game.game.compute_outcome() is None:
        saved_game.play_move(random_move(random, saved_game.game))
        publisher.publish(referee.build_screen_state(CameraView()), saved_game)
    return tuple(saved_game.game.totals)


def start(folder: Path, *words: str) -> subprocess.Popen[bytes]:
    paths = {"PYTHONPATH": str(Path(__file__).parents[2]), SOCKET_VARIABLE: str(folder / "table.sock")}
    with (folder / "log").open("ab") as log:
        return subprocess.Popen(
            [sys.executable, "-m", "companion", *words], stdout=log, stderr=log, env=os.environ | paths
        )


def wait_for_scores(
    database: ClubDatabase, scores: Sequence[tuple[int, ...]], *programs: subprocess.Popen[bytes]
) -> None:
    while len(found := database.read_sittings()) < len(scores):
        assert all(program.poll() is None for program in programs)
    assert sorted(tuple(p.score for p in sitting.players) for sitting in found) == sorted(scores)


def test_results_reach_the_club_once_whatever_was_off(tmp_path: Path) -> None:
    broker = Mosquitto(tmp_path / "broker")
    broker.start()
    settings = tmp_path / "settings.toml"
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    settings.write_text(
        f'[porch]\non = true\ntable = "hall-1"\nport = {port}\nmqtt = "127.0.0.1:{broker.port}"\nmqtt_tls = false\n',
        "utf-8",
    )
    club_words = ["club", "--database", str(tmp_path / "club.sqlite3"), "run", "--port", "0"]
    club_words += ["--broker", f"127.0.0.1:{broker.port}"]
    publisher = PorchPublisher(tmp_path / "table.sock", "hall-1", memory_file=tmp_path / "porch.json")
    random, scores = Random(4), []
    with Journal(tmp_path / JOURNAL_FILE) as journal, ClubDatabase(f"sqlite:///{tmp_path}/club.sqlite3") as database:
        scores += [play(journal, publisher, random) for _ in range(2)]  # nobody listens yet
        porch, club = start(tmp_path, "porch", "--settings", str(settings)), start(tmp_path, *club_words)
        wait_for_scores(database, scores, porch, club)
        scores.append(play(journal, publisher, random))
        wait_for_scores(database, scores, porch, club)
        broker.kill()
        club.kill()
        club.wait()
        scores += [play(journal, publisher, random) for _ in range(2)]
        porch.kill()
        porch.wait()
        broker.start()
        porch, club = start(tmp_path, "porch", "--settings", str(settings)), start(tmp_path, *club_words)
        wait_for_scores(database, scores, porch, club)
        for program in (porch, club):
            program.terminate()
            assert program.wait() == 0
    publisher.close()
    broker.close()
