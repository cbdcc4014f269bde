"""The club's database, SQLite and PostgreSQL: each sitting once, in its highest revision."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest
import sqlalchemy as sa

from companion.club.database import ClubDatabase, ClubDatabaseError
from companion.club.messages import MAX_REVISION
from companion.club.schema import PLAYERS
from tests.club.build import END, build_result
from tests.club.conftest import get_time


def test_a_result_is_saved_once(database: ClubDatabase) -> None:
    result = build_result()
    assert database.save_results([result, result]) == 1
    assert database.save_results([result]) == 0
    (sitting,) = database.read_sittings()
    assert (sitting.id, sitting.table, sitting.game, sitting.title) == ("0a1b2c3d", "hall-1", "pig", "Pig")
    assert sitting.ended == END
    assert sitting.duration_s == 3000.5
    assert [(p.player, p.score, p.won) for p in sitting.players] == [("Ada", 12, True), ("Bob", 7, False)]


def test_the_highest_revision_stays_in_any_order(database: ClubDatabase) -> None:
    versions = [
        build_result(revision=revision, scores=(("Ada", revision), ("Bob", 2), ("Cleo", 3))[: 2 + revision % 2])
        for revision in range(1, 8)
    ]
    for seed in range(6):
        order = Random(seed).sample(versions, len(versions))
        cut = seed % len(order)
        database.save_results(order[:cut])
        database.save_results(order[cut:])
        (sitting,) = database.read_sittings()
        assert [(p.player, p.score) for p in sitting.players] == [("Ada", 7), ("Bob", 2), ("Cleo", 3)]
    assert database.read_revisions() == {("hall-1", "0a1b2c3d"): 7}


def test_a_result_taken_back_does_not_count_until_it_comes_again(database: ClubDatabase) -> None:
    database.save_results([build_result()])
    assert database.save_results([build_result(revision=6, finished=False)]) == 1
    assert database.read_sittings() == ()
    assert database.read_revisions() == {("hall-1", "0a1b2c3d"): 6}
    database.save_results([build_result(revision=7)])
    assert len(database.read_sittings()) == 1


def test_sittings_are_chosen_by_game_and_time(database: ClubDatabase) -> None:
    database.save_results(
        build_result(f"{day:08x}", game="pig" if day % 2 else "go", ended=(END + timedelta(days=day)).isoformat())
        for day in (3, 1, 2, 0)
    )
    assert [s.id[-1] for s in database.read_sittings()] == ["0", "1", "2", "3"]
    assert [s.id[-1] for s in database.read_sittings(game="pig")] == ["1", "3"]
    first, last = END + timedelta(days=1), END + timedelta(days=3)
    assert [s.id[-1] for s in database.read_sittings(since=first, until=last)] == ["1", "2"]
    assert [s.id[-1] for s in database.read_sittings("go", first, last)] == ["2"]


def test_a_name_given_by_the_players_is_the_title(database: ClubDatabase) -> None:
    database.save_results([build_result(name="Rummy on Tuesday")])
    assert database.read_sittings()[0].title == "Rummy on Tuesday"


def test_names_count_for_another_player(database: ClubDatabase) -> None:
    database.save_results([build_result(), build_result("ffffffff", scores=(("Robert", 3), ("Rob", 9)))])
    database.name_player("Bob", "Robert")
    assert [p.player for s in database.read_sittings() for p in s.players] == ["Ada", "Robert", "Robert", "Rob"]
    database.name_player("Robert", "Roberta")  # who stood for Robert follows
    assert [p.player for s in database.read_sittings() for p in s.players] == ["Ada", "Roberta", "Roberta", "Rob"]
    with pytest.raises(ValueError, match='"Bob" already stands for "Roberta"'):
        database.name_player("Rob", "Bob")
    with pytest.raises(ValueError, match="is empty"):
        database.name_player("Rob", "\u200b")
    database.name_player("Bob", "Bob")
    assert [p.player for s in database.read_sittings() for p in s.players] == ["Ada", "Bob", "Roberta", "Rob"]
    assert database.list_names() == ("Ada", "Bob", "Rob", "Robert")


def test_spellings_of_one_name_are_one_player(database: ClubDatabase) -> None:
    database.save_results([build_result(scores=(("Zoe\u0308", 3), ("bob", 1))), build_result("ffffffff")])
    database.save_results([build_result("eeeeeeee", scores=(("Zo\u00eb\u200b", 3), ("BOB", 1)))])
    assert {p.player for s in database.read_sittings() for p in s.players} == {"Ada", "BOB", "Zo\u00eb"}
    database.name_player("bOb", "\u202eRobert")
    assert {p.player for s in database.read_sittings() for p in s.players} == {"Ada", "Robert", "Zo\u00eb"}
    database.name_player("BOB", "bob")
    assert {p.player for s in database.read_sittings() for p in s.players} == {"Ada", "BOB", "Zo\u00eb"}


def test_a_table_can_change_only_its_own_results(database: ClubDatabase) -> None:
    """Another table knows the id of a sitting, and publishes it under its own name."""
    database.save_results([build_result(revision=5)])
    assert database.save_results([build_result(table="hall-2", revision=MAX_REVISION, finished=False)]) == 1
    assert database.save_results([build_result(table="hall-2", scores=(("Eve", 99),))]) == 0
    assert [sitting.table for sitting in database.read_sittings()] == ["hall-1"]
    database.save_results([build_result(revision=11, scores=(("Ada", 1), ("Bob", 2)))])
    (sitting,) = database.read_sittings()
    assert [place.score for place in sitting.players] == [1, 2]
    database.save_results([build_result(table="hall-2", revision=MAX_REVISION, scores=(("Eve", 99),))])
    assert [sitting.table for sitting in database.read_sittings()] == ["hall-1"], "who came first keeps it"


def test_the_first_finished_result_of_a_sitting_counts(database: ClubDatabase) -> None:
    """The box got a new id while the game was taken back."""
    database.save_results([build_result(finished=False), build_result("ffffffff")])
    database.save_results([build_result(table="table-new", revision=6)])
    assert {(sitting.id, sitting.table) for sitting in database.read_sittings()} == {
        ("0a1b2c3d", "table-new"),
        ("ffffffff", "hall-1"),
    }
    database.save_results([build_result(table="hall-3", revision=9)])
    assert len(database.read_sittings()) == 2
    database.save_results([build_result(revision=7)])
    assert [sitting.table for sitting in database.read_sittings()] == ["hall-1", "hall-1"], "it came first"


def test_a_time_beyond_the_club_s_clock_is_that_of_its_arrival(database: ClubDatabase) -> None:
    early, late = "1970-01-01T00:00:00+14:00", "9892-12-31T23:59:59-12:00"
    database.save_results(
        [build_result(started=early, ended=late), build_result("ffffffff", started=early, ended=early)]
    )
    assert [s.ended.timestamp() for s in database.read_sittings()] == [-14 * 3600, get_time()]


def test_a_corrected_time_of_the_same_revision_is_taken(database: ClubDatabase) -> None:
    database.save_results([build_result(ended="1970-01-01T00:10:00Z")])
    assert database.save_results([build_result()]) == 1
    assert database.read_sittings()[0].ended == END
    assert database.save_results([build_result()]) == 0


@pytest.mark.parametrize(
    "fault",
    ["ended = 99999999999999", "duration_s = 9e999", "players", "score"],
)
def test_a_faulty_row_is_left_out(fault: str, sqlite_database: ClubDatabase, caplog: pytest.LogCaptureFixture) -> None:
    sqlite_database.save_results([build_result(), build_result("ffffffff")])
    changes = {
        "players": "DELETE FROM sitting_players WHERE number = 1",
        "score": "UPDATE sitting_players SET score = 'much' WHERE number = 1",
    }
    with sqlite_database._engine.begin() as connection:
        connection.execute(sa.text(changes.get(fault, f"UPDATE sittings SET {fault} WHERE number = 1")))
    assert [sitting.id for sitting in sqlite_database.read_sittings()] == ["ffffffff"]
    assert "The result 1 cannot be read and does not count" in caplog.text


def test_it_is_there_when_opened_again(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/club.sqlite3"
    with ClubDatabase(url) as database:
        database.save_results([build_result()])
    with ClubDatabase(url) as database:
        assert len(database.read_sittings()) == 1


def test_two_programs_save_the_same_results(
    database: ClubDatabase, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = str(database._engine.url.render_as_string(hide_password=False))
    with ClubDatabase(url) as second:
        for n in range(20):
            first_result, second_result = build_result(f"{n:08x}", revision=1), build_result(f"{n:08x}", revision=2)
            (database if n % 2 else second).save_results([second_result])
            (second if n % 2 else database).save_results([first_result])
        assert set(database.read_revisions().values()) == {2}


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("nonsense", "no address of a database"),
        ("cobol://club", "no address of a database"),
        ("sqlite:////nowhere/at/all/club.sqlite3", "unable to open"),
        ("postgresql+psycopg://club:secret@127.0.0.1:1/club", "the club's database"),
    ],
)
def test_a_database_that_cannot_be_opened_is_named_without_its_password(url: str, words: str) -> None:
    with pytest.raises(ClubDatabaseError) as caught:
        ClubDatabase(url)
    assert words in str(caught.value)
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_no_database_stays_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "club.sqlite3"
    file.write_bytes(b"my letter to the editor " * 200)
    with pytest.raises(ClubDatabaseError, match="not a database"):
        ClubDatabase(f"sqlite:///{file}")
    assert file.read_bytes() == b"my letter to the editor " * 200


@pytest.mark.parametrize("change", ["DROP COLUMN place", "ADD COLUMN points REAL"])
def test_a_database_of_another_version_stays_as_it_is(tmp_path: Path, change: str) -> None:
    file = tmp_path / "club.sqlite3"
    with ClubDatabase(f"sqlite:///{file}") as database:
        database.save_results([build_result("00000001")])
        database.write(sa.text(f"ALTER TABLE sitting_players {change}"))
    before = file.read_bytes()
    for is_known in (False, True):
        with pytest.raises(ClubDatabaseError, match=f"another version.*sitting_players: {change.split()[2]}.*move it"):
            ClubDatabase(f"sqlite:///{file}", is_known=is_known)
    assert file.read_bytes() == before


@pytest.mark.parametrize("is_known", [False, True])
def test_a_database_that_is_opened_again_keeps_its_references(tmp_path: Path, is_known: bool) -> None:
    url = f"sqlite:///{tmp_path}/club.sqlite3"
    with ClubDatabase(url) as database:
        database.save_results([build_result()])
    with ClubDatabase(url, is_known=is_known) as database:
        database.write(sa.text("DELETE FROM sittings"))
        assert database.read(sa.select(PLAYERS)) == []


def test_a_full_disk_is_temporary(tmp_path: Path) -> None:
    with ClubDatabase(f"sqlite:///{tmp_path}/club.sqlite3") as database:
        database._engine.dispose()
        # SQLite answers as on a full disk.
        sa.event.listen(database._engine, "connect", lambda made, _record: made.execute("PRAGMA max_page_count = 1"))
        with pytest.raises(ClubDatabaseError, match="full") as caught:
            database.save_results(build_result(f"{n:08x}") for n in range(2000))
        assert caught.value.is_temporary
        assert database.read_sittings() == ()


def test_moments_are_kept_to_the_second(database: ClubDatabase) -> None:
    database.save_results([build_result(ended="2026-11-23T22:30:59.9+01:30")])
    assert database.read_sittings()[0].ended == datetime(2026, 11, 23, 21, 0, 59, tzinfo=UTC)
