"""Proof: many tables with real journals at a real broker, through restarts; nothing lost, nothing doubled."""

from __future__ import annotations

import multiprocessing
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.api import registry
from companion.club.database import ClubDatabase
from companion.events import SEAT_BUTTONS
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.entry import GameSetup
from companion.journal.saved_game import SavedGame
from companion.porch.table_result import build_table_result
from tests.club.publisher import TablePublisher
from tests.journal.play import FAST, random_move
from tests.mosquitto import Mosquitto, needs_mosquitto

pytestmark = [pytest.mark.proof, needs_mosquitto]

TABLES = int(os.environ.get("TABLES", "500"))
RESTARTS = int(os.environ.get("RESTARTS", "50"))
GAMES = ("pig", "hearts", "rummy", "go", "secret_number", "starfall")
NAMES = tuple(f"Player {n}" for n in range(1, 101))
HALL_TABLES = 125
MAX_MOVES = 3000


def play_a_game(journal: Journal, table: str, random: Random) -> list[dict[str, Any]]:
    """Play a game to its end by legal moves, and return its results: one in ten is undone and ended again."""
    definition = registry.find_game(random.choice(GAMES))
    count = random.choice([n for n in definition.player_counts if n > 1])
    setup = GameSetup(game=definition.name, players=tuple(random.sample(NAMES, count)), buttons=SEAT_BUTTONS[:count])
    saved_game = SavedGame.begin(journal, setup, definition)

    def play_to_the_end() -> None:
        for _ in range(MAX_MOVES):
            if saved_game.game.compute_outcome() is not None:
                return
            saved_game.play_move(random_move(random, saved_game.game))
        raise AssertionError(f"{definition.name} did not end")

    def build() -> dict[str, Any]:
        return build_table_result(journal.get_game(saved_game.id), saved_game.replay, journal.clock, table)

    play_to_the_end()
    results = [build()]
    if random.random() < 0.1:
        saved_game.undo()
        results.append(build())
        play_to_the_end()
        results.append(build())
    return results


class ClubProgram:
    """`companion club run` as a program of its own, killed and started again."""

    def __init__(self, folder: Path, broker_port: int) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            self.port = server.getsockname()[1]
        self._command = [sys.executable, "-m", "companion", "club", "--database", str(folder / "club.sqlite3"), "run"]
        self._command += ["--broker", f"127.0.0.1:{broker_port}", "--port", str(self.port)]
        self._log = (folder / "club.log").open("ab")
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
        self.process = subprocess.Popen(self._command, stdout=self._log, stderr=self._log, env=environment)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def read_memory_kib(self) -> int:
        """Return the resident memory of the program."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return int(status.split("VmRSS:")[1].split()[0])

    def close(self) -> None:
        self.kill()
        self._log.close()


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=FAST) as name:
        yield Path(name)


class Hall:
    """Some of the tables, in a process of their own: an MQTT client cannot have file descriptors above 1,023.

    Args:
        folder: for the tables' journals.
        port: of the broker.
        names: ids of the tables.
    """

    def __init__(self, folder: Path, port: int, names: Sequence[str]) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, other = context.Pipe()
        self._process = context.Process(target=run_hall, args=(other, folder, port, names), daemon=True)
        self._process.start()
        assert self._connection.recv() == "connected"

    def play(self, name: str, seed: int) -> list[dict[str, Any]]:
        """Play a game at a table, and return the results that it has published."""
        self._connection.send((name, seed))
        results: list[dict[str, Any]] = self._connection.recv()
        return results

    def close(self) -> None:
        self._process.terminate()
        self._process.join()


def run_hall(connection: Connection, folder: Path, port: int, names: Sequence[str]) -> None:
    tables = {name: TablePublisher(port, name) for name in names}
    for publisher in tables.values():
        publisher.wait_until_connected()
    connection.send("connected")
    while True:
        name, seed = connection.recv()
        with Journal(folder / name / JOURNAL_FILE) as journal:
            results = play_a_game(journal, name, Random(seed))
        for result in results:
            tables[name].add_result(result)
        connection.send(results)


def read_revisions(database: ClubDatabase) -> dict[str, int]:
    return {sitting: revision for (_table, sitting), revision in database.read_revisions().items()}


def wait_for_results(database: ClubDatabase, expected: dict[str, int], seconds: float = 300.0) -> float:
    """Return after how many seconds the database has these revisions."""
    begin = time.monotonic()
    while any(read_revisions(database).get(sitting, -1) < revision for sitting, revision in expected.items()):
        assert time.monotonic() < begin + seconds, "results are lost"
        time.sleep(0.01)  # another process writes: there is nothing to wait on
    return time.monotonic() - begin


def test_many_tables_through_restarts(folder: Path) -> None:
    random = Random(21)
    broker = Mosquitto(folder / "broker", settings="allow_anonymous true\nmax_connections -1")
    broker.start()
    club = ClubProgram(folder, broker.port)
    club.start()
    halls: dict[str, Hall] = {}
    final: dict[str, dict[str, Any]] = {}
    published = 0

    def play(name: str) -> dict[str, int]:
        nonlocal published
        results = halls[name].play(name, random.randrange(2**32))
        published += len(results)
        final[results[-1]["sitting"]] = results[-1]
        return {results[-1]["sitting"]: results[-1]["revision"]}

    with ClubDatabase(f"sqlite:///{folder}/club.sqlite3") as database:
        for size in (10, 100, TABLES):
            while len(halls) < size:
                names = [f"table-{n:03}" for n in range(len(halls), min(len(halls) + HALL_TABLES, size))]
                halls |= dict.fromkeys(names, Hall(folder, broker.port, names))
            delays = sorted(wait_for_results(database, play(random.choice(list(halls)))) for _ in range(40))
            print(
                f"{len(halls)} tables: from publication to the database {delays[20] * 1000:.0f} ms (median), "
                f"{delays[38] * 1000:.0f} ms (95 %); club's memory {club.read_memory_kib() / 1024:.0f} MiB"
            )
        for number in range(RESTARTS):
            for name in random.sample(list(halls), 20):
                play(name)
            part = broker if number % 2 else club  # the broker has no persistence: it forgets all retained messages
            part.kill()
            for name in random.sample(list(halls), 10):
                play(name)
            part.start()
        seconds = wait_for_results(database, {sitting: result["revision"] for sitting, result in final.items()})
        rows = {sitting.id: sitting for sitting in database.read_sittings()}
        print(
            f"{len(halls)} tables, {len(final)} games, {published} results published, {RESTARTS} restarts: "
            f"all there {seconds:.0f} s after the last; club's memory {club.read_memory_kib() / 1024:.0f} MiB"
        )
        assert set(rows) == set(final), "none lost, none invented"
        for sitting, result in final.items():
            row = rows[sitting]
            assert [(p.player, p.score, p.won) for p in row.players] == [
                (p["name"], p["score"], p["won"]) for p in result["players"]
            ]
            assert row.table == result["table"]
    for hall in set(halls.values()):
        hall.close()
    club.close()
    broker.close()
