"""The cache of past results: each game is replayed once, and damage costs only time."""

from __future__ import annotations

import errno
import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC
from functools import partial
from pathlib import Path

import pytest

import companion
from companion.api import GameDefinition
from companion.api.registry import find_game
from companion.i18n import set_language
from companion.journal.checked_lines import format_checked_line, parse_checked_line
from companion.journal.database import Journal
from companion.journal.entry import EntryContent, EntryKind, JournalEntry
from companion.journal.game_summary import summarise_game
from companion.journal.saved_game import SavedGame
from companion.lobby import results_cache, results_file
from companion.lobby.history import open_page
from companion.lobby.results_cache import RESULTS_FILE, ResultsCache
from companion.lobby.results_file import ResultsFile, StoredResult
from tests.commands.test_history_and_replay import data
from tests.journal.toy import GAME, SETUP, add

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


def test_only_a_continued_game_is_replayed_again(journal: Journal, tmp_path: Path, replays: Replays) -> None:
    read(journal, tmp_path)
    SavedGame(journal, 3, GAME).play_move(add(0, 4))
    replays.of.clear()
    past = read(journal, tmp_path)
    assert replays.of == [3]
    assert past.summaries[2]["scores"] == [4, 0]


@pytest.mark.parametrize("torn", [b"", b"{", b"x {} 00000000\n", b"\xff\xfe", bytes(600)])
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
    assert replays.of == [1], "it costs the one game"


@pytest.mark.parametrize("change", ["other type", "missing", "not a result"])
def test_an_invalid_result_costs_one_game(journal: Journal, tmp_path: Path, replays: Replays, change: str) -> None:
    there = read(journal, tmp_path).summaries
    uid = journal.get_game(2).uid
    lines = (tmp_path / RESULTS_FILE).read_bytes().splitlines()
    (place,) = (place for place, line in enumerate(lines) if line.startswith(uid.encode()))
    stored = json.loads(parse_checked_line(lines[place]).partition(b" ")[2])
    match change:
        case "other type":
            stored["scores"] = "many"
        case "missing":
            del stored["winners"]
        case _:
            stored = 7
    lines[place] = format_checked_line(f"{uid} {json.dumps(stored)}".encode())
    (tmp_path / RESULTS_FILE).write_bytes(b"\n".join(lines))
    replays.of.clear()
    assert read(journal, tmp_path).summaries == there
    assert replays.of == [2]
    replays.of.clear()
    assert read(journal, tmp_path).summaries == there
    assert replays.of == []


def test_a_field_of_a_later_version_costs_nothing(
    journal: Journal, tmp_path: Path, replays: Replays, monkeypatch: pytest.MonkeyPatch
) -> None:
    class LaterResult(StoredResult):
        weather: str = "dry"

    def use_later_version(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(results_cache, "StoredResult", partial(LaterResult, weather="wet"))
        patch.setattr(results_cache, "ResultsFile", partial(ResultsFile, model=LaterResult))

    there = read(journal, tmp_path).summaries
    replays.of.clear()
    with monkeypatch.context() as patch:
        use_later_version(patch)
        assert read(journal, tmp_path).summaries == there
        assert replays.of == []
        (tmp_path / RESULTS_FILE).unlink()
        read(journal, tmp_path)
    assert (tmp_path / RESULTS_FILE).read_text().count("wet") == 3
    replays.of.clear()
    assert read(journal, tmp_path).summaries == there
    assert replays.of == []


def test_a_file_that_cannot_be_read_keeps_its_results(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read(journal, tmp_path)
    uid = journal.get_game(1).uid
    past = ResultsCache(journal, tmp_path, find=find_definition, zone=UTC)
    with monkeypatch.context() as patch:
        patch.setattr(results_file, "read_file", fail_to_read)
        assert past._store.is_unread
    past.note_result(journal.get_game(2))
    assert uid in (tmp_path / RESULTS_FILE).read_text()


def test_the_end_of_a_game_takes_no_longer_with_many_results(journal: Journal, tmp_path: Path) -> None:
    """The file grows by one line, whatever else is in it."""
    read(journal, tmp_path)
    before = (tmp_path / RESULTS_FILE).read_bytes()
    SavedGame(journal, 3, GAME).play_move(add(0, 4))
    ResultsCache(journal, tmp_path, find=find_definition, zone=UTC).note_result(journal.get_game(3))
    after = (tmp_path / RESULTS_FILE).read_bytes()
    assert after.startswith(before)
    assert after[len(before) :].strip().count(b"\n") == 0


def test_a_file_mostly_out_of_date_is_written_again(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, replays: Replays
) -> None:
    monkeypatch.setattr(results_file, "MAX_SPARE_BYTES", 0)
    read(journal, tmp_path)
    size = (tmp_path / RESULTS_FILE).stat().st_size
    for seat in (0, 1) * 6:
        SavedGame(journal, 3, GAME).play_move(add(seat, 1))
        read(journal, tmp_path)
        assert (tmp_path / RESULTS_FILE).stat().st_size < 3 * size
    replays.of.clear()
    assert len(read(journal, tmp_path).summaries) == 3
    assert replays.of == []


def fail_to_read(*_: object) -> bytes:
    raise OSError(errno.EIO, "the disk does not answer")


def lose_end(path: Path, game: int, after: int) -> None:
    """Remove the last entries of a game from both copies, as a disk that lies about its syncs does."""
    with closing(sqlite3.connect(path)) as file:
        guard = "SELECT sql FROM sqlite_master WHERE name = 'entries_remain'"
        (sql,) = file.execute(guard).fetchone()
        file.executescript(
            f"DROP TRIGGER entries_remain; DELETE FROM entries WHERE sitting = {game} AND seq > {after}; {sql}"
        )
    path.with_name(f"{path.name}.mirror").unlink()


@pytest.mark.parametrize("is_file_unread", [False, True])
def test_a_result_stays_when_the_disk_loses_the_end_of_the_game(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_file_unread: bool
) -> None:
    path = data / "journal.sqlite3"
    with Journal(path) as journal:
        there = read(journal, tmp_path).summaries[0]
        last = journal.read_last_entry(1)
    assert there["over"]
    assert last is not None
    lose_end(path, 1, last.seq - 1)
    with Journal(path, lambda: last.stamp.wall + 60.0) as journal:
        assert journal.damage is None
        past = ResultsCache(journal, tmp_path, find=find_definition, zone=UTC)
        if is_file_unread:
            with monkeypatch.context() as patch:
                patch.setattr(results_file, "read_file", fail_to_read)
                past.note_result(journal.get_game(1))
        else:
            past.note_result(journal.get_game(1))
        for _ in range(2):
            found = read(journal, tmp_path).summaries[0]
            assert "lost the last entries" in found["trouble"]
            assert found | {"trouble": None} == there
        saved_game = SavedGame(journal, 1, GAME)
        saved_game.note_resumed()  # as many entries as the stored result has
        found = read(journal, tmp_path).summaries[0]
        assert (found["over"], found["trouble"]) == (False, None), "the game goes on"


def test_results_survive_an_upgrade_and_the_loss_of_entries(
    journal: Journal, tmp_path: Path, replays: Replays, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A result is what people were shown: other code counts the next game, and a gap does not take it away."""
    there = read(journal, tmp_path).summaries
    monkeypatch.setattr(companion, "__version__", "99")
    replays.of.clear()
    assert read(journal, tmp_path).summaries == there
    assert replays.of == []
    journal.append_entry(1, EntryContent(kind=EntryKind.LOST))
    found = read(journal, tmp_path).summaries[0]
    assert "has lost entries" in found["trouble"]
    assert found | {"trouble": None} == there[0]


def test_a_result_is_stored_when_the_game_ends(journal: Journal, tmp_path: Path) -> None:
    past = ResultsCache(journal, tmp_path, find=find_definition, zone=UTC)
    past.note_result(journal.get_game(1))
    stored = (tmp_path / RESULTS_FILE).read_text()
    assert [journal.get_game(number).uid in stored for number in (1, 2, 3)] == [True, False, False]


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


def test_without_permission_nothing_is_written(journal: Journal, tmp_path: Path) -> None:
    past = ResultsCache(journal, tmp_path, find=find_definition, zone=UTC, can_write=False)
    past.restart()
    assert past.read_more()
    assert len(past.summaries) == 3
    assert not (tmp_path / RESULTS_FILE).exists()


def test_results_are_written_only_when_there_are_new_ones(journal: Journal, tmp_path: Path) -> None:
    past = read(journal, tmp_path)
    (tmp_path / RESULTS_FILE).unlink()
    past.restart()
    past.read_more()
    assert not (tmp_path / RESULTS_FILE).exists()
    SavedGame(journal, 3, GAME).play_move(add(0, 4))
    past.restart()
    past.read_more()
    assert (tmp_path / RESULTS_FILE).exists()


def test_an_empty_journal_has_no_results(tmp_path: Path) -> None:
    with Journal(tmp_path / "empty") as journal:
        past = ResultsCache(journal, tmp_path)
        assert past.unread_count == 0
        assert past.read_more()
        past.restart()
        assert past.read_more(0.0)
        assert past.summaries == []
    assert not (tmp_path / RESULTS_FILE).exists()


def test_results_of_games_that_are_gone_are_dropped(journal: Journal, tmp_path: Path) -> None:
    read(journal, tmp_path)
    gone = journal.get_game(1).uid
    with Journal(tmp_path / "other") as other:
        SavedGame.begin(other, SETUP, GAME)
        read(other, tmp_path)
        stored = (tmp_path / RESULTS_FILE).read_text()
        assert gone not in stored
        assert other.get_game(1).uid in stored


@pytest.mark.parametrize(
    ("times", "unread"),
    [
        ([10.0, 10.49, 10.5], 1),
        ([10.0, 10.5], 2),
        ([10.0, 99.0], 2),
        ([10.0, 10.1, 10.2, 10.3], 0),
        ([-10.0, -9.6, -9.4], 1),
    ],
)
def test_games_are_read_until_the_time_is_up(journal: Journal, times: list[float], unread: int) -> None:
    now = iter(times)
    past = ResultsCache(journal, None, lambda: next(now), find_definition, UTC)
    past.restart()
    assert past.read_more(0.5) == (unread == 0)
    assert past.unread_count == unread


def test_the_history_reads_for_a_thirtieth_of_a_second_between_two_frames(journal: Journal) -> None:
    now = iter([0.0, 0.029, 0.031])
    past = ResultsCache(journal, None, lambda: next(now), find_definition, UTC)
    assert open_page(past).prompt == "One moment: 1 game is still to be read"


@pytest.mark.parametrize(
    ("language", "reasons", "again"), [("en", False, []), ("en", True, []), ("de", False, []), ("de", True, [1])]
)
def test_only_reasons_in_another_language_are_made_again(
    journal: Journal, tmp_path: Path, replays: Replays, language: str, reasons: bool, again: list[int]
) -> None:
    read(journal, tmp_path, reasons=True)
    replays.of.clear()
    set_language(language)
    read(journal, tmp_path, reasons=reasons)
    assert replays.of == again
