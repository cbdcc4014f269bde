"""The commands `companion history` and `companion replay`."""

from __future__ import annotations

import json
from datetime import UTC
from pathlib import Path
from random import Random

import pytest

from companion.api import Correction, Seat
from companion.cli import main
from companion.commands import history, replay
from companion.events import SEAT_BUTTONS, Button
from companion.games.macroscope import GAME as MACROSCOPE
from companion.journal import game_summary
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.entry import GameSetup
from companion.journal.exported_game import build_export
from companion.journal.saved_game import SavedGame
from tests.journal.play import random_move
from tests.journal.toy import GAME, SETUP, add, find_definition

NOW = 1_700_000_000.0  # 2023-11-14 22:13:20 UTC


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with the journal of three toy games: finished, set aside, just started."""
    with Journal(tmp_path / JOURNAL_FILE, wall=lambda: NOW, monotonic=lambda: 0.0, boot="") as journal:
        first = SavedGame.begin(journal, SETUP, GAME)
        first.play_move(add(0, 6))
        first.undo()
        first.redo()
        first.note_resumed()
        first.correct(Correction("total", Seat(0), (16,)))
        first.play_move(add(1, 2))
        first.play_move(add(0, 5))
        second = SavedGame.begin(journal, SETUP, GAME)
        second.play_move(add(0, 1))
        second.set_aside()
        SavedGame.begin(journal, SETUP, GAME)
    return tmp_path


def typed(*words: object) -> int:
    return main([str(word) for word in words])


def test_table_of_past_games(data: Path) -> None:
    with Journal(data / JOURNAL_FILE) as journal:
        table = history.format_games(
            [game_summary.summarise_game(journal, record, find_definition, UTC) for record in journal.list_games()]
        )
    assert table.splitlines() == [
        "No  Begun             Game  Players   Result",
        " 1  2023-11-14 22:13  Toy   Ada, Bob  Ada won (Ada 21, Bob 2)",
        " 2  2023-11-14 22:13  Toy   Ada, Bob  set aside after 1 move (Ada 1, Bob 0)",
        " 3  2023-11-14 22:13  Toy   Ada, Bob  not finished after 0 moves (Ada 0, Bob 0)",
    ]


def test_list_as_json_and_csv(data: Path) -> None:
    with Journal(data / JOURNAL_FILE) as journal:
        first = game_summary.summarise_game(journal, journal.get_game(1), find_definition, UTC)
        record = journal.get_game(1)
    assert json.loads(json.dumps(first)) == {
        "id": 1,
        "uid": record.uid,
        "imported": False,
        "begun": "2023-11-14T22:13:20+00:00",
        "ended": "2023-11-14T22:13:20+00:00",
        "date_known": True,
        "duration_s": 0.0,
        "game": "toy",
        "title": "Toy",
        "rules": game_summary.digest_rules(GameSetup.from_json(record.setup_json)),
        "players": ["Ada", "Bob"],
        "moves": 4,
        "scores": [21, 2],
        "rounds": [[21, 2]],
        "over": True,
        "winners": [0],
        "places": [1, 2],
        "lowest_wins": False,
        "reason": "the goal is reached",
        "dice": [],
        "put_away": False,
        "trouble": None,
    }


def test_game_is_printed_move_by_move(data: Path) -> None:
    with Journal(data / JOURNAL_FILE) as journal:
        report = replay.build_replay(build_export(journal, 1), find_definition, UTC)
    assert list(replay.format_lines(report)) == [
        "Toy, 2023-11-14 22:13: Ada, Bob",
        "   1  Ada adds 6",
        "   2  Undone: Ada adds 6",
        "   3  Played again: Ada adds 6",
        "   4  (the companion was started again)",
        "   5  Corrected: Ada's total is 16",
        "   6  Bob adds 2",
        "   7  Ada adds 5",
        "the goal is reached",
        "Ada won (Ada 21, Bob 2).",
    ]
    assert report["entries"][4] == {
        "seq": 5,
        "kind": "correction",
        "at": "2023-11-14T22:13:20+00:00",
        "words": "Corrected: Ada's total is 16",
        "played": {"kind": "total", "seat": 0, "value": [16]},
    }


def test_game_that_is_not_installed_is_listed(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert typed("history", "--data", data) == 0
    assert "there is no game 'toy' here" in capsys.readouterr().out
    assert typed("replay", "1", "--data", data) == 1
    assert "there is no game 'toy' here" in capsys.readouterr().err


@pytest.mark.parametrize("words", [("--player", "Zoë"), ("--game", "macroscope")])
def test_a_list_without_the_wanted_games_says_so(
    data: Path, words: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert typed("history", "--data", data, *words) == 0
    assert capsys.readouterr().out == "No such game has been played yet.\n"


def test_export_from_one_journal_and_import_into_another(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    setup = GameSetup(game="macroscope", players=("Ada", "Bob"), buttons=(Button.SEAT1, Button.SEAT4))
    random = Random(4)
    with Journal(tmp_path / "home" / JOURNAL_FILE) as journal:
        saved_game = SavedGame.begin(journal, setup, MACROSCOPE)
        while saved_game.game.compute_outcome() is None:
            saved_game.play_move(random_move(random, saved_game.game))
        scores = [saved_game.game.totals[Seat(seat)] for seat in (0, 1)]
        lines = saved_game.describe_steps()
    file = tmp_path / "game.json"

    assert typed("history", "--data", tmp_path / "home", "export", 1, file) == 0
    assert typed("history", "--data", tmp_path / "away", "import", file) == 0
    assert capsys.readouterr().out.splitlines() == [f"Game 1 is now in {file}.", "It is now game 1."]
    assert typed("history", "--data", tmp_path / "away", "import", file) == 1
    assert "already in the journal, as number 1" in capsys.readouterr().err

    printed = []
    for sitting_named in (1, file):
        assert typed("replay", "--data", tmp_path / "away", sitting_named) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    for words in lines:
        assert words in printed[0]
    assert f"Ada {scores[0]}, Bob {scores[1]}" in printed[0].splitlines()[-1]

    assert typed("replay", "--data", tmp_path / "away", "--json", file) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["scores"], report["over"], report["moves"]) == (scores, True, len(lines))
    assert typed("history", "--data", tmp_path / "away", "--json") == 0
    assert json.loads(capsys.readouterr().out)[0]["scores"] == scores


@pytest.mark.parametrize("words", [("replay", "4"), ("history",), ("replay", "--json", "4"), ("history", "--json")])
def test_names_cannot_turn_the_text_of_a_terminal(
    data: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    with Journal(data / JOURNAL_FILE) as journal:
        setup = GameSetup(
            game="macroscope", players=("Ada\u202eboB\u2066", "Bob"), buttons=SEAT_BUTTONS[:2], settings={}
        )
        SavedGame.begin(journal, setup, MACROSCOPE)
    assert typed(words[0], "--data", data, *words[1:]) == 0
    printed = capsys.readouterr().out
    assert "boB" in printed
    assert all(line.isprintable() for line in printed.splitlines())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("replay", "7"), "there is no game number 7"),
        (("replay", "nothing.json"), "nothing.json: No such file or directory"),
        (("history", "export", "7", "x.json"), "there is no game number 7"),
        (("history", "import", "nothing.json"), "nothing.json: No such file or directory"),
        (("history", "export", "1", "no-folder/x.json"), "no-folder"),
        (("replay", "a\x1b[2Jb.json"), "a [2Jb.json: No such file"),
    ],
)
def test_errors_are_printed_on_stderr(
    data: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], message: str
) -> None:
    assert typed(words[0], "--data", data, *words[1:]) == 1
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert message in err
    assert "Errno" not in err


@pytest.mark.parametrize(
    "words",
    [("replay", "9" * 5000), ("history", "export", "9" * 5000, "x.json"), ("history", "export", "-1", "x.json")],
)
def test_numbers_that_no_game_has_are_refused(
    data: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    with pytest.raises(SystemExit) as ended:
        typed(words[0], "--data", data, *words[1:])
    assert ended.value.code == 2
    err = capsys.readouterr().err
    assert "is no whole number from 1 to 1000000000" in err
    assert len(err) < 1000


def test_the_folder_may_be_named_before_or_after_the_action(data: Path) -> None:
    for number, words in enumerate(
        [("export", 1, "{}", "--data", data), ("--data", data, "export", 1, "{}"), ("export", "--data", data, 1, "{}")]
    ):
        file = data / f"{number}.json"
        assert typed("history", *(str(word).format(file) for word in words)) == 0
        assert file.is_file()


def test_options_of_the_list_are_refused_beside_an_action(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert typed("history", "--data", data, "--csv", "export", 1, data / "x.json") == 2
    assert "--csv" in capsys.readouterr().err


def test_empty_and_damaged_journal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert typed("history", "--data", tmp_path) == 0
    assert capsys.readouterr() == ("Nothing has been played yet.\n", "")
    (tmp_path / JOURNAL_FILE).write_bytes(b"garbage")
    assert typed("history", "--data", tmp_path) == 0
    out, err = capsys.readouterr()
    assert out == "Nothing has been played yet.\n"
    assert "The journal was damaged" in err
    assert err.count("\n") == 1


def test_history_can_be_read_while_a_game_is_played(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = data / "game.json"
    setup = GameSetup(game="macroscope", players=("Ada", "Bob"), buttons=(Button.SEAT1, Button.SEAT4))
    with Journal(data / JOURNAL_FILE) as journal:
        saved_game = SavedGame.begin(journal, setup, MACROSCOPE)
        saved_game.play_move(random_move(Random(1), saved_game.game))
        assert typed("history", "--data", data) == 0
        assert "Macroscope  Ada, Bob  not finished after 1 move" in capsys.readouterr().out
        assert typed("replay", "--data", data, saved_game.id) == 0
        assert typed("history", "--data", data, "export", saved_game.id, file) == 0
        assert typed("history", "--data", data, "import", file) == 1
        assert "in use by another companion" in capsys.readouterr().err
        saved_game.undo()
        assert len(journal.read_entries(saved_game.id)) == 2
