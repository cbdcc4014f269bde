"""What `companion history` says about players beside its tables."""

import pytest

from companion.commands.history import _list_streaks
from companion.commands.progress import ProgressLine
from tests.journal.test_highlights import play


def test_streaks_are_listed_in_the_order_of_the_evenings() -> None:
    games = [{**play(day, Ada=9, Bo=3), "over": True} for day in (2, 1, 3)]
    before = {**play(0, Ada=3, Bo=9), "over": True}
    assert _list_streaks([*games, before], ["Bo", "Ada"]) == ["Ada: Beat Bo 3 times in a row"]
    assert _list_streaks([*games[:2], before], ["Bo", "Ada"]) == []
    unfinished = {**play(4, Ada=3, Bo=9), "over": False}
    assert _list_streaks([*games, unfinished, {"trouble": "torn"}], ["Ada"]) == ["Ada: Beat Bo 3 times in a row"]


def test_progress_is_a_line_each_tenth_and_begins_again(capsys: pytest.CaptureFixture[str]) -> None:
    progress = ProgressLine("Film")
    for share in (0.0, 0.05, 0.1, 0.19, 0.35, 1.0, 0.04, 0.5):
        progress.report(share)
    assert capsys.readouterr().err.splitlines() == [f"Film: {percent} %" for percent in (10, 30, 100, 50)]


def test_in_a_terminal_progress_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    progress = ProgressLine("Film")
    for share in (0.01, 0.011, 0.5, 1.0):
        progress.report(share)
    assert capsys.readouterr().err == "\rFilm: 1 %\rFilm: 50 %\rFilm: 100 %\n"
