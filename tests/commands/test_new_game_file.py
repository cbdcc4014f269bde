"""`companion rules --new`: ten questions, and a game's file that passes the check."""

from __future__ import annotations

import io
from pathlib import Path
from random import Random

import pytest

from companion.api import Seat
from companion.cli import main
from companion.commands.new_game_file import KINDS, Interview, make_file_text
from companion.games.game_file.definition import make_definition
from companion.games.game_file.reader import parse_game_file
from tests.full_disk import limit_file_size

ODD_ANSWERS = (
    *(
        "",
        "",
        "",
        "0",
        "7",
        "-3",
        "999999",
        "1e3",
        "²",
        "x",
        "a, b, c",
        "a, A",
        "score, all_x, if, Карты, 猫",
        ",,,",
        '"',
    ),
    *("\\", "\x1b[31m\t.", "most", "fewest", "1 point", "99 rounds", "100 rounds", "a" * 400, "Ones, Sixes", *KINDS),
)


def make_interview(answers: list[str]) -> Interview:
    left = iter(answers)

    def read(_question: str) -> str:
        answer = next(left, None)
        if answer is None:
            raise EOFError
        return answer

    return Interview(read, lambda _reason: None)


@pytest.mark.parametrize("kind", KINDS)
def test_ten_empty_lines_make_a_game_of_each_kind(kind: str) -> None:
    text = make_file_text("mine", make_interview(["", "", "", kind, *[""] * 6]))
    definition = make_definition(text, "mine.toml")
    game = definition.create_game(2, Seat(0), definition.settings_model.model_validate({}))
    assert game.list_moves()
    assert definition.title == "Mine"


def test_what_is_answered_stands_in_the_file() -> None:
    answers = ["Golf", "3", "5", "rounds", "cards, penalty", "-10", "50", "fewest", "9 rounds", 'Say "hi" \\.']
    file = parse_game_file(make_file_text("golf", make_interview(answers)))
    assert (file.title, file.players_min, file.players_max, file.rules) == ("Golf", 3, 5, ('Say "hi" \\.',))
    assert (file.author, file.version) == ("", "1.0")
    assert file.points is not None
    assert [(e.name, e.low, e.high) for e in file.points.entries] == [("cards", -10, 50), ("penalty", -10, 50)]
    assert (file.points.rounds, file.points.lowest_wins, file.points.score) == (9, True, "cards + penalty")


def test_no_answer_makes_a_file_that_is_wrong() -> None:
    made = 0
    for seed in range(300):
        random = Random(seed)
        answers = [random.choice(ODD_ANSWERS) for _ in range(40)]
        try:
            text = make_file_text("mine", make_interview(answers))
        except EOFError:
            continue
        parse_game_file(text)
        made += 1
    assert made > 100


def test_the_command_writes_the_file_and_replaces_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.toml"
    monkeypatch.setattr("sys.stdin", io.StringIO("Mine\n\n9\n4\n"))
    assert main(["rules", "--new", str(path)]) == 1
    assert "nothing was written" in capsys.readouterr().err
    assert not path.exists()
    monkeypatch.setattr("sys.stdin", io.StringIO("\n" * 10))
    assert main(["rules", "--new", str(tmp_path / "mine")]) == 0
    assert main(["rules", "--check", str(path)]) == 0
    assert main(["rules", "--new", str(path)]) == 2
    assert main(["rules", "--new", str(tmp_path / "Mine")]) == 2


def test_a_full_disk_leaves_no_file_that_the_next_try_would_refuse(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.toml"
    monkeypatch.setattr("sys.stdin", io.StringIO("\n" * 10))
    with limit_file_size(100):
        assert main(["rules", "--new", str(path)]) == 1
    assert f"{path}: File too large" in capsys.readouterr().err
    assert [*tmp_path.iterdir()] == []
    monkeypatch.setattr("sys.stdin", io.StringIO("\n" * 10))
    assert main(["rules", "--new", str(path)]) == 0


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "'': a game's name is"),
        ("my.game", "'my.game': a game's name is"),
        ("chess", "There is a game chess already"),
        ("none/mine", "none is no folder"),
    ],
)
def test_a_name_that_is_not_possible_is_refused_before_the_questions(
    name: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", "--new", name]) == 2
    assert why in capsys.readouterr().err


def test_what_is_bid_on_may_be_called_a_bid() -> None:
    text = make_file_text("bids", make_interview(["", "", "", "tricks", "Bid", "", "", "", "", ""]))
    assert parse_game_file(text).points is not None
