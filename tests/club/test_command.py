"""`companion club` on the command line."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.cli import main
from companion.club.database import ClubDatabase
from companion.commands import format_install_command
from companion.journal.database import Journal
from tests.club.build import build_result, build_result_object
from tests.club.publisher import TablePublisher
from tests.mosquitto import Mosquitto, needs_mosquitto

Club = Callable[..., int]


@pytest.fixture
def club(tmp_path: Path) -> Club:
    """Return a function that runs `companion club` with a database of its own."""
    return lambda *words: main(["club", "--database", str(tmp_path / "club.sqlite3"), *words])


@pytest.fixture
def played(sqlite_database: ClubDatabase) -> None:
    sqlite_database.save_results(
        [
            build_result("00000001"),
            build_result("00000002", (("Bob", 5), ("Cleo", -2)), game="go", title="Go", ended="2026-10-01T20:00:00Z"),
            build_result("00000003", (("=1+1", 5),), ended="2026-11-24T20:00:00Z"),
        ]
    )


@pytest.mark.usefixtures("sqlite_database")
def test_an_empty_club(club: Club, capsys: pytest.CaptureFixture[str]) -> None:
    assert [club("results"), club("league"), club("tournament", "list")] == [0, 0, 0]
    assert capsys.readouterr().out == "No result yet.\nNo result yet.\nThere is no tournament yet.\n"


@pytest.mark.usefixtures("sqlite_database")
@pytest.mark.parametrize("words", ["league {}", "{} league", "tournament list {}", "tournament {} list"])
def test_the_database_is_named_before_or_after_the_action(tmp_path: Path, words: str) -> None:
    assert main(["club", *words.format(f"--database {tmp_path / 'club.sqlite3'}").split()]) == 0


@pytest.mark.parametrize("form", ["{}", "sqlite:///{}"])
@pytest.mark.parametrize(
    "words",
    [
        *("league", "results", "name Bob Robert", "tournament draw Cup", "tournament show Cup", "tournament list"),
        *("tournament leave Cup --player Bob", "tournament drop Cup"),
    ],
)
def test_a_mistyped_database_is_refused_and_not_made(
    tmp_path: Path, words: str, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "folder" / "club.sqlite"
    assert main(["club", *words.split(), "--database", form.format(file)]) == 1
    assert f"There is no database {file}: name the club's in --database, or begin one" in capsys.readouterr().err
    assert not file.parent.exists()


def test_a_database_of_something_else_stays_as_it_is(
    club: Club, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "club.sqlite3"
    with Journal(file):
        pass
    before = file.read_bytes()
    assert club("league") == 1
    assert "is not of a club: name the club's in --database" in capsys.readouterr().err
    assert file.read_bytes() == before


@pytest.mark.parametrize("words", ["add {}", "tournament new Cup --players Ada Bob Cleo"])
def test_a_club_begins_with_its_first_results_or_players(tmp_path: Path, words: str) -> None:
    history = tmp_path / "history.json"
    history.write_text("[]", encoding="utf-8")
    database = tmp_path / "folder" / "club.sqlite3"
    assert main(["club", "--database", str(database), *words.format(history).split()]) == 0
    assert main(["club", "--database", str(database), "league"]) == 0


@pytest.mark.usefixtures("played")
def test_results_are_listed(club: Club, capsys: pytest.CaptureFixture[str]) -> None:
    assert club("results", "--game", "go") == 0
    assert capsys.readouterr().out == "2026-10-01T20:00  hall-1  Go: 1. Bob 5, 2. Cleo -2\n"
    club("results", "--since", "2026-11-01", "--json")
    assert [result["sitting"] for result in json.loads(capsys.readouterr().out)] == ["00000001", "00000003"]
    club("results", "--csv", "--until", "2026-12-01")
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["player"], row["score"], row["won"]) for row in rows] == [
        ("Bob", "5", "1"),
        ("Cleo", "-2", "0"),
        ("Ada", "12", "1"),
        ("Bob", "7", "0"),
        ("'=1+1", "5", "1"),
    ], "a name that a spreadsheet would take for a formula is quoted"


def test_a_day_of_the_club_begins_at_five_in_the_morning(
    sqlite_database: ClubDatabase,
    club: Club,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sqlite_database.save_results([build_result("00000001", ended="2026-11-24T01:19:00Z")])
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        for option, count in (("--until", 1), ("--since", 0)):
            club("results", option, "2026-11-24", "--json")
            assert len(json.loads(capsys.readouterr().out)) == count, option
    time.tzset()


@pytest.mark.usefixtures("played")
def test_the_league_is_shown(club: Club, capsys: pytest.CaptureFixture[str]) -> None:
    club("league")
    assert capsys.readouterr().out == (
        "Rank  Player  Points  Played  Won\n"
        "   1  Bob         16       2    1\n"
        "   2  Ada         10       1    1\n"
        "   3  Cleo         6       1    0\n"
        "   4  =1+1         0       1    1\n"
    )
    club("league", "--kind", "strength", "--json")
    assert json.loads(capsys.readouterr().out)[0]["player"] in {"Ada", "Bob"}
    club("league", "--csv", "--game", "go")
    assert capsys.readouterr().out == "\ufeffrank,player,value,played,won\n1,Bob,10.0,1,1\n2,Cleo,6.0,1,0\n"


@pytest.mark.usefixtures("played")
def test_names_count_for_others(club: Club, capsys: pytest.CaptureFixture[str]) -> None:
    assert club("name", "Bob", "Robert") == 0
    assert club("name", "Bobby", "Robert") == 1
    captured = capsys.readouterr()
    assert captured.out == "Results of Bob count for Robert from now on.\n"
    assert "Nobody has played as Bobby; there are: =1+1, Ada, Bob, Cleo." in captured.err
    assert club("name", "Ada", "Bob") == 1
    assert '"Bob" already stands for "Robert": use that name.' in capsys.readouterr().err
    assert club("name", "Bob", "Bob") == 0
    assert "count for Bob again" in capsys.readouterr().out


def test_a_tournament(club: Club, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        club("tournament", "new", "Cup", "--game", "pig", "--seats", "2", "--players", "Ada", "Bob", "Cleo", "Dora")
        == 0
    )
    assert club("tournament", "draw", "Cup") == 0
    assert re.search(r"round 1\n  Group 1: \w+, \w+ \(playing\)\n  Group 2: ", capsys.readouterr().out)
    assert club("tournament", "draw", "Cup") == 1
    assert "Round 1 is not over: no result yet of group 1, 2." in capsys.readouterr().err
    assert club("tournament", "leave", "Cup", "--player", "Eve") == 1
    assert '"Eve" is not in it; in it are: Ada, Bob, Cleo, Dora.' in capsys.readouterr().err
    assert club("tournament", "show", "Cup", "--json") == 0
    assert json.loads(capsys.readouterr().out)["round"] == 1
    assert club("tournament", "drop", "Cup") == 0
    assert club("tournament", "list") == 0
    assert capsys.readouterr().out == "Round 1 is taken back.\nCup\n"
    assert club("tournament", "new", "Cup", "--game", "ludo", "--players", "Ada", "Bob", "Cleo") == 1
    assert "There is no game ludo" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ("results", "--since", "yesterday"),
        ("league", "--kind", "luck"),
        ("tournament", "new", "Cup", "--seats", "5-3", "--players", "Ada"),
        ("tournament", "new", "Cup", "--seats", "1", "--players", "Ada"),
        ("tournament", "new", "Cup", "--seats", "2", "--players", "Ada", ""),
        ("tournament", "new", "Cup", "--seats", "2", "--players", "Ada", "\udcff"),
        ("tournament", "new", "\u202e", "--seats", "2", "--players", "Ada", "Bob"),
        ("tournament", "new", "\udcff", "--seats", "2", "--players", "Ada", "Bob"),
        ("tournament", "show", "C\x1b[2J"),
        ("tournament", "new", "x" * 81, "--seats", "2", "--players", "Ada", "Bob"),
        ("name", "Bob", "\u200b"),
        ("run", "--port", "99999"),
        (),
    ],
)
def test_wrong_words_are_refused(club: Club, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        club(*words)
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("x" * 81, "at most 80 letters, and no control characters"),
        ("C\x1b[2J", "at most 80 letters, and no control characters"),
        ("\udcff", "it is not UTF-8 text"),
    ],
)
def test_the_refusal_of_a_name_says_why(club: Club, name: str, reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        club("tournament", "show", name)
    assert f"is no name: {reason}" in capsys.readouterr().err


@pytest.mark.parametrize("broker", ["[::1", "\udcff", "a..b"])
def test_a_text_that_is_no_broker_is_refused(club: Club, broker: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert club("run", "--broker", broker) == 2
    assert "is no host of a broker." in capsys.readouterr().err


def test_results_of_a_table_without_a_network(
    club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A game is played headless, listed by `companion history --json`, and added to the club."""
    data = str(tmp_path / "data")
    assert (
        main(
            ["run", "--headless", "--game", "hearts", "--players", "Ada", "Bob", "Cleo", "--seed", "3", "--data", data]
        )
        == 0
    )
    capsys.readouterr()
    assert main(["history", "--json", "--data", data]) == 0
    file = tmp_path / "history.json"
    (game,) = json.loads(capsys.readouterr().out)
    game |= {"ended": "2026-11-23T22:05:00+00:00", "duration_s": 3900.0}
    file.write_text(json.dumps([game]), encoding="utf-8")
    assert club("add", str(file), "--table", "cellar") == 0
    assert capsys.readouterr().out == "1 of 1 results are new.\n"
    assert club("add", str(file), "--table", "cellar") == 0
    assert capsys.readouterr().out == "0 of 1 results are new.\n"
    club("results", "--json")
    (result,) = json.loads(capsys.readouterr().out)
    scores = [player["score"] for player in result["players"]]
    assert (result["table"], result["minutes"]) == ("cellar", 65)
    assert datetime.fromisoformat(result["ended"]) == datetime(2026, 11, 23, 22, 5, tzinfo=UTC)
    assert scores == sorted(scores), "in Hearts the lowest score wins"
    for text in ("", "{}", "[1]", '[{"over": true}]', "[" * 100_000):
        file.write_text(text, encoding="utf-8")
        assert club("add", str(file)) == 1
        assert str(file) in capsys.readouterr().err
    monkeypatch.chdir(tmp_path)
    assert club("add", file.name) == 1
    assert f'"{file.name}" is no list' in capsys.readouterr().err, "its name is not written with a capital"
    file.write_text("\ufeff[]", encoding="utf-8")  # saved by an editor of Windows
    assert club("add", str(file)) == 0
    for other in (tmp_path / "none.json", Path("/dev/zero")):
        assert club("add", str(other)) == 1
        assert "cannot be read" in capsys.readouterr().err
    assert club("run", "--password-file", "/dev/zero") == 1
    assert "no file but a folder, a pipe or a device" in capsys.readouterr().err


def test_a_game_that_cannot_be_read_costs_itself_only(
    club: Club, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = {
        "over": True,
        "uid": "00000001",
        "moves": 5,
        "game": "pig",
        "title": "Pig",
        "begun": "2026-11-23T20:00:00Z",
        "ended": "2026-11-23T21:00:00Z",
        "duration_s": 3000.5,
        "lowest_wins": False,
        "players": ["Ada", "Bob"],
        "scores": [12, 7],
        "places": [1, 2],
        "winners": [0],
    }
    second = {name: value for name, value in game.items() if name != "uid"}
    odd = [game | {"winners": 0}, "torn", 5, game | {"places": [1]}]
    games = [game, second, *odd, game | {"uid": "0000000f", "title": "x" * 81}]
    (file := tmp_path / "history.json").write_text(json.dumps([*games, game | {"uid": "00000006"}]), encoding="utf-8")
    assert club("add", str(file)) == 0
    written = capsys.readouterr()
    assert written.out == "2 of 2 results are new.\n"
    lines = written.err.splitlines()
    assert [line.removeprefix(f'Left out: "{file}", ') for line in lines] == [
        "game 2: uid is missing.",
        *(f"game {number}: it is no game as `companion history --json` prints it." for number in (3, 4, 5, 6)),
        "game 7: title must be at most 80 characters long, not 81.",
    ]
    file.write_text(json.dumps([second]), encoding="utf-8")
    assert club("add", str(file)) == 1, "there is nothing else in it"
    assert f'"{file}", game 1: uid is missing.' in capsys.readouterr().err


@needs_mosquitto
def test_the_club_runs_and_ends_in_order(tmp_path: Path) -> None:
    """The whole program: broker, table, page; SIGTERM ends it with status 0."""
    broker = Mosquitto(tmp_path / "broker")
    broker.start()
    table = TablePublisher(broker.port, "hall-1")
    table.add_result(build_result_object())
    command = [sys.executable, "-m", "companion", "club", "--database", str(tmp_path / "club.sqlite3"), "run"]
    process = subprocess.Popen(
        [*command, "--broker", f"127.0.0.1:{broker.port}", "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
    )
    try:
        assert re.match(r"Running on http://127\.0\.0\.1:\d+", process.stdout.readline())
        with ClubDatabase(f"sqlite:///{tmp_path}/club.sqlite3") as database:
            while not database.read_sittings():
                assert process.poll() is None
        process.terminate()
        assert process.wait() == 0
    finally:
        process.kill()
        process.communicate()
        table.close()
        broker.close()


def test_a_missing_library_is_named() -> None:
    """As on a plain install, where the extra is absent."""
    code = "import sys; sys.modules['sqlalchemy'] = None; import companion.cli as c; sys.exit(c.main(['club', 'run']))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        check=False,
    )
    assert done.returncode == 1
    assert format_install_command("club") in done.stderr
    assert "Traceback" not in done.stderr
