"""Kills of the process at random times lose no state that was shown."""

from __future__ import annotations

import multiprocessing
import signal
import tempfile
from pathlib import Path
from random import Random

import pytest

from companion.games.macroscope import GAME
from companion.journal.database import Journal
from companion.journal.entry import GameSetup
from companion.journal.replay import Replay
from companion.journal.saved_game import SavedGame
from tests.journal import victim
from tests.journal.play import FAST, digest


def play_and_kill(path: Path, seed: int, patience: int, delay: int) -> list[victim.SavedState]:
    """Return all that a process showed that was killed soon after its state number `patience` (0: at its start)."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([victim.__name__])
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=victim.play, args=(path, seed, theirs))
    process.start()
    theirs.close()
    states: list[victim.SavedState] = [ours.recv() for _ in range(patience)]
    for _ in range(delay):
        pass
    process.kill()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    try:
        while True:
            states.append(ours.recv())
    except EOFError:
        ours.close()
        return states


def check(path: Path, last: victim.SavedState | None) -> victim.SavedState | None:
    """Return the state in the journal, after checking that it is `last` or one later."""
    with Journal(path) as journal:
        assert journal.damage is None
        number = journal.find_resumable_game()
        if number is None:
            assert last is None
            return None
        entries = journal.read_entries(number)
        saved_game = SavedGame(journal, number, GAME)
        assert saved_game.problem is None
        if last is None or number == last[0] + 1:
            assert entries == ()
        else:
            assert number == last[0]
            assert len(entries) in (last[1], last[1] + 1)
        game = saved_game.game
        if last is not None and (number, len(entries)) != last[:2]:
            setup = GameSetup.from_json(journal.get_game(last[0]).setup_json)
            game = Replay.from_entries(GAME, setup, journal.read_entries(last[0])[: last[1]]).game
        assert last is None or digest(game) == last[2]
        return number, len(entries), digest(saved_game.game)


def kill_often(path: Path, kills: int, seed: int) -> int:
    """Kill a playing process many times; return the number of entries in the end."""
    random = Random(seed)
    last: victim.SavedState | None = None
    for _ in range(kills):
        patience = random.choice((0, 1, 1, 2, 2, 3, 5))
        states = play_and_kill(path, random.getrandbits(32), patience, random.randrange(100_000))
        if states and last is not None:
            # The restarted process has loaded the same state.
            assert states[0] == last
        last = check(path, states[-1] if states else last)
    with Journal(path) as journal:
        return sum(len(journal.read_entries(record.id)) for record in journal.list_games())


@pytest.mark.full
def test_60_kills_during_a_game_lose_nothing_shown() -> None:
    # The kernel keeps what a killed process wrote, so memory is enough here; the slow test below uses a real disk.
    with tempfile.TemporaryDirectory(dir=FAST) as folder:
        assert kill_often(Path(folder) / "journal.sqlite3", kills=60, seed=1) > 60


@pytest.mark.proof
def test_3000_kills_lose_nothing_shown(tmp_path: Path) -> None:
    entries = kill_often(tmp_path / "journal.sqlite3", kills=3000, seed=2)
    print(f"3000 kills: {entries} entries")
    assert entries > 3000
