"""Rows that somebody changed by hand, or that are damaged: each costs itself only. PostgreSQL refuses such values."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

from companion.cli import main
from companion.club.database import ClubDatabase
from companion.club.leagues import LeagueKind
from companion.club.overview import build_overview
from companion.club.receiver import LiveTables
from companion.club.schema import METADATA
from companion.club.tournaments import create_tournament, draw_round, list_tournaments
from tests.club.build import END, build_result
from tests.club.conftest import get_time

ODD_VALUES = (
    *("100000000000000000", "-100000000000000000", "-62135596800", "253402300799"),
    *("'much'", "2.5", "9e999", "X'ff00'", "CAST(X'ff' AS TEXT)", "NULL"),
)
"""In SQL: numbers, moments at both ends of the calendar, text, bytes, text that is no UTF-8, and nothing."""
COLUMNS = [(table.name, column.name) for table in METADATA.sorted_tables for column in table.columns]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A club of two results, a name that stands for another, and two tournaments."""
    file = tmp_path_factory.mktemp("club") / "club.sqlite3"
    with ClubDatabase(f"sqlite:///{file}", get_time) as database:
        for number, name in enumerate(("Winter", "Autumn")):
            create_tournament(database, name, "", range(2, 3), ("Ada", "Bob"), END + timedelta(days=number))
            draw_round(database, name, Random(1))
        database.save_results([build_result("0a1b2c3d", title="Faulty"), build_result("ffffffff", title="Sound")])
        database.name_player("Bob", "Robert")
    return file


@pytest.mark.sampled(r"(sittings-(ended|title)|players-player|names-player|tournaments-min_seats|seatings-round)\]?$")
@pytest.mark.parametrize(("table", "column"), COLUMNS)
def test_an_odd_value_costs_its_own_row_only(
    filled: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    table: str,
    column: str,
) -> None:
    for number, value in enumerate(ODD_VALUES):
        file = tmp_path / f"{number}.sqlite3"
        shutil.copyfile(filled, file)
        with closing(sqlite3.connect(file)) as connection, connection:
            first = f"SELECT min(rowid) FROM {table}"
            try:
                connection.execute(f"UPDATE {table} SET {column} = {value} WHERE rowid = ({first})")
            except sqlite3.IntegrityError:
                continue  # the database itself refuses it
        with ClubDatabase(f"sqlite:///{file}", get_time) as database:
            overview = build_overview(database, LiveTables(), LeagueKind.STRENGTH, get_time=lambda: END)
            json.dumps(overview, allow_nan=False)
            assert "Sound" in [result["title"] for result in overview["recent"]], value
            assert overview["league"]["rows"]
            assert overview["evening"]["rows"]
            assert "Autumn" in [tournament["name"] for tournament in overview["tournaments"]], value
            assert "Autumn" in list_tournaments(database)
            database.list_names()
            database.name_player("Ada", "Adele")
            database.save_results([build_result("0a1b2c3d", title="Sent again", revision=6)])
            assert "Sound" in [sitting.title for sitting in database.read_sittings()]
            assert all(type(revision) is int for revision in database.read_revisions().values())
        assert main(["club", "--database", str(file), "results"]) == 0, value
        assert main(["club", "--database", str(file), "tournament", "show", "Winter"]) in {0, 1}, value
        written = capsys.readouterr()
        assert "Sound" in written.out
        assert "Traceback" not in written.err


def test_a_faulty_row_is_logged_once(filled: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The page reads it again each second."""
    shutil.copyfile(filled, file := tmp_path / "club.sqlite3")
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE sittings SET title = X'ff' WHERE number = 1")
        connection.execute("UPDATE other_names SET player = X'ff'")
        connection.execute("UPDATE tournaments SET min_seats = 'two' WHERE tournament = 'Winter'")
    with ClubDatabase(f"sqlite:///{file}", get_time) as database:
        for _ in range(3):
            build_overview(database, LiveTables(), LeagueKind.PLACES, get_time=lambda: END)
    assert [record.getMessage() for record in caplog.records] == [
        "A name that stands for another cannot be read: other_names.player is b'\\xff'.",
        "The result 1 cannot be read and does not count: sittings.title is b'\\xff'.",
        "The page goes without a tournament: the tournament \"Winter\" is damaged: tournaments.min_seats is 'two'.",
    ]


@pytest.mark.parametrize(
    "damage", ["revision = 'five', arrived = X'00'", "arrived = 'much'", "arrived = -100000000000000000"]
)
def test_a_damaged_row_is_replaced_by_what_its_table_sends(filled: Path, tmp_path: Path, damage: str) -> None:
    shutil.copyfile(filled, file := tmp_path / "club.sqlite3")
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(f"UPDATE sittings SET title = X'ff', {damage} WHERE number = 1")
    with ClubDatabase(f"sqlite:///{file}", get_time) as database:
        assert [sitting.title for sitting in database.read_sittings()] == ["Sound"]
        assert database.save_results([build_result("0a1b2c3d")]) == 1
        assert database.read_revisions()["hall-1", "0a1b2c3d"] == 5
        assert [sitting.title for sitting in database.read_sittings()] == ["Pig", "Sound"]
        assert database.save_results([build_result("0a1b2c3d")]) == 0
