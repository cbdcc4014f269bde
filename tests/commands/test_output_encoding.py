"""Output that cannot encode a letter, and output that nobody reads."""

from __future__ import annotations

import csv
import io
import json
import os
import sys
from pathlib import Path

import pytest

from companion.cli import main, print_error
from companion.events import Button
from companion.games.score_keeper import GAME
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.entry import GameSetup
from companion.journal.saved_game import SavedGame


@pytest.fixture
def data(tmp_path: Path) -> Path:
    with Journal(tmp_path / JOURNAL_FILE) as journal:
        names, buttons = ("Zoë", "Жанна"), (Button.SEAT1, Button.SEAT2)
        for title in ("Rummy", "Canasta"):
            setup = GameSetup(game="score_keeper", players=names, buttons=buttons, settings={"name": title})
            SavedGame.begin(journal, setup, GAME)
    return tmp_path


def print_to_ascii(monkeypatch: pytest.MonkeyPatch, *words: str) -> bytes:
    """Return what a command prints where LANG=C, or PYTHONIOENCODING=ascii."""
    file = io.BytesIO()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", io.TextIOWrapper(file, encoding="ascii"))
        assert main(words) == 0
        return file.getvalue()


def test_letters_that_cannot_be_printed_are_replaced(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert b"Zo?, ?????" in print_to_ascii(monkeypatch, "history", "--data", str(data))
    shown = json.loads(print_to_ascii(monkeypatch, "history", "--data", str(data), "--json"))
    assert [game["players"] for game in shown] == [["Zoë", "Жанна"]] * 2, "JSON loses nothing"


def test_a_spreadsheet_reads_csv_whatever_the_language_of_the_terminal(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = print_to_ascii(monkeypatch, "history", "--data", str(data), "--csv")
    assert text.startswith(b"\xef\xbb\xbf")
    rows = [*csv.DictReader(text.decode("utf-8-sig").splitlines())]
    assert [(row["game"], row["title"], row["player"]) for row in rows[1:3]] == [
        ("score_keeper", "Rummy", "Жанна"),
        ("score_keeper", "Canasta", "Zoë"),
    ]


def test_an_error_that_nobody_reads_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w", buffering=1) as closed:
        monkeypatch.setattr(sys, "stderr", closed)
        print_error("no such file")
        monkeypatch.undo()
        os.dup2(os.open(os.devnull, os.O_WRONLY), writing)  # its buffer is flushed at the end
