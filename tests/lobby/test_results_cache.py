"""The cache of past results: each game is replayed once, and damage costs only time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path

import pytest

from companion.games.api.game import Seat
from companion.games.api.offers import GameDefinition
from companion.games.registry import find_game
from companion.i18n import set_language
from companion.journal.database import Journal
from companion.journal.entry import JournalEntry
from companion.journal.replay import SavedGame
from companion.journal.summary import summarise_game
from companion.lobby import results_cache as module
from companion.lobby.results_cache import RESULTS_FILE, ResultsCache
from tests.journal.test_commands import add, data
from tests.journal.toy import GAME, SETUP

__all__ = ["data"]  # a fixture of the neighbour's


def find_definition(name: str) -> GameDefinition:
    return GAME if name == "toy" else find_game(name)


@pytest.fixture
def journal(data: Path) -> Iterator[Journal]:
    """Make three toy games: finished, set aside, just begun."""
    with Journal(data / "journal.sqlite3") as opened:
        yield opened


class Replays:
    """Record the games whose entries are read."""

    def __init__(self, journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
        self.of: list[int] = []
        entries = journal.read_entries

        def noted(id: int) -> tuple[JournalEntry, ...]:
            self.of.append(id)
            return entries(id)

        monkeypatch.setattr(journal, "read_entries", noted)


@pytest.fixture
def replays(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> Replays:
    return Replays(journal, monkeypatch)


def read(journal: Journal, folder: Path | None, **more: bool) -> ResultsCache:
    past = ResultsCache(journal, folder, find=find_definition, zone=UTC)
    past.restart()
    assert past.read_more(**more)
    return past


def test_the_cache_equals_the_journal(journal: Journal, tmp_path: Path) -> None:
    there = [summarise_game(journal, record, find_definition, UTC) for record in journal.list_games()]
    assert read(journal, tmp_path).summaries == there
    assert read(journal, tmp_path).summaries == there  # from what was kept
    assert list(read(journal, tmp_path).summaries[0]) == list(there[0])


def test_nothing_is_replayed_twice(journal: Journal, tmp_path: Path, replays: Replays) -> None:
    read(journal, tmp_path)
    assert replays.of == [1, 2, 3]
    read(journal, tmp_path)
    assert replays.of == [1, 2, 3]


def test_only_a_continued_game_is_replayed_again(journal: Journal, tmp_path: Path, replays: Replays) -> None:
    read(journal, tmp_path)
    SavedGame(journal, 3, GAME).play_move(add(0, 4))
    replays.of.clear()
    past = read(journal, tmp_path)
    assert replays.of == [3]
    assert past.summaries[2]["scores"] == [4, 0]


def test_an_undo_is_noticed_at_the_next_reading(journal: Journal, tmp_path: Path) -> None:
    assert read(journal, tmp_path).summaries[0]["over"]
    SavedGame(journal, 1, GAME).undo()
    assert not read(journal, tmp_path).summaries[0]["over"]


@pytest.mark.parametrize("torn", [b"", b"{", b'{"by_uid": {"x": {}}}', b"\xff\xfe"])
def test_damage_costs_only_time(journal: Journal, tmp_path: Path, replays: Replays, torn: bytes) -> None:
    reported = read(journal, tmp_path).summaries
    (tmp_path / RESULTS_FILE).write_bytes(torn)
    replays.of.clear()
    assert read(journal, tmp_path).summaries == reported
    assert replays.of == [1, 2, 3]
    read(journal, tmp_path)
    assert replays.of == [1, 2, 3]


def test_flipped_bit_changes_no_score(journal: Journal, tmp_path: Path, replays: Replays) -> None:
    there = read(journal, tmp_path).summaries
    stored = (tmp_path / RESULTS_FILE).read_text()
    (tmp_path / RESULTS_FILE).write_text(re.sub(r'("winners":\s*\[\s*)\d', r"\g<1>9", stored, count=1))
    assert (tmp_path / RESULTS_FILE).read_text() != stored
    replays.of.clear()
    assert read(journal, tmp_path).summaries == there
    assert replays.of == [1, 2, 3]


def test_other_rules_invalidate_the_cache(
    journal: Journal, tmp_path: Path, replays: Replays, monkeypatch: pytest.MonkeyPatch
) -> None:
    read(journal, tmp_path)
    monkeypatch.setattr(module, "program_state", lambda: "another")
    replays.of.clear()
    read(journal, tmp_path)
    assert replays.of == [1, 2, 3]


def test_reasons_are_in_the_current_language(journal: Journal, tmp_path: Path, replays: Replays) -> None:
    read(journal, tmp_path)
    replays.of.clear()
    set_language("de")
    try:
        read(journal, tmp_path)
        assert replays.of == []
        read(journal, tmp_path, reasons=True)
        assert replays.of == [1], "only a game that is over ended for a reason"
    finally:
        set_language("en")


def test_reading_stops_after_its_budget_and_continues(journal: Journal, tmp_path: Path) -> None:
    now = iter(range(100))
    past = ResultsCache(journal, tmp_path, lambda: float(next(now)), find_definition, UTC)
    past.restart()
    left = [past.unread_count]
    while not past.read_more(0.5):
        left.append(past.unread_count)
    assert left == [3, 2, 1]
    assert past.unread_count == 0
    assert (tmp_path / RESULTS_FILE).exists()


def test_an_unwritable_cache_is_no_problem(journal: Journal, tmp_path: Path) -> None:
    assert len(read(journal, tmp_path / "no" / "such").summaries) == 3
    assert len(read(journal, None).summaries) == 3


def test_an_unreadable_game_is_reported_and_never_stored(journal: Journal, tmp_path: Path) -> None:
    other = SETUP.model_copy(update={"game": "nosuchgame"})
    journal.begin_game(other)
    sittings = read(journal, tmp_path).summaries
    assert "nosuchgame" in sittings[3]["trouble"]
    assert journal.get_game(4).uid not in (tmp_path / RESULTS_FILE).read_text()
    assert read(journal, tmp_path).summaries == sittings


def test_seats_are_numbers_in_the_file(journal: Journal, tmp_path: Path) -> None:
    assert read(journal, tmp_path).summaries[0]["winners"] == [Seat(0)]
