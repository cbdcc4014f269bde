"""`companion film`, and the film that is asked for at the result: whole, or with a word why not.

Also here: companion/app/film_export.py.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from companion.api import Move
from companion.app.film_export import NO_ROOM_STATUS, FilmExport
from companion.events import SEAT_BUTTONS, Button
from companion.film import write_film
from companion.games.score_keeper import GAME
from companion.i18n import set_language
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.entry import GameSetup, InvalidSavedGame
from companion.journal.saved_game import SavedGame
from companion.lobby import Preferences
from tests.app.session_table import SessionTable

TIMEOUT_SECONDS = 200
POINTS = 8
"""Moves of the game that is filmed, before its end."""
NAME_PATTERN = "companion-*-score_keeper-1-????????.*"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The folder of a journal with one finished game of POINTS + 1 moves."""
    folder = tmp_path / "data"
    folder.mkdir()
    setup = GameSetup(
        game="score_keeper",
        players=("Ada", "Bob"),
        buttons=SEAT_BUTTONS[:2],
        settings=GAME.settings_model().model_dump(mode="json"),
    )
    with Journal(folder / JOURNAL_FILE) as journal:
        saved_game = SavedGame.begin(journal, setup, GAME)
        for i in range(POINTS):
            saved_game.play_move(find_move(saved_game, "point", i % 2))
        saved_game.play_move(find_move(saved_game, "end", None))
        assert saved_game.game.compute_outcome() is not None
    return folder


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    folder = tmp_path / "stick"
    folder.mkdir()
    return folder


@pytest.fixture
def small_stick(stick: Path) -> Iterator[Path]:
    """A file system of 40 kB: too small for the film."""
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=40k", "tmpfs", str(stick)], capture_output=True, check=False
    )
    if done.returncode != 0:
        pytest.skip(f"mounting is not allowed here: {done.stderr.decode().strip()}")
    yield stick
    subprocess.run(["umount", "--lazy", str(stick)], check=True)


def find_move(saved_game: SavedGame, kind: str, seat: int | None) -> Move:
    return next(move for move in saved_game.game.list_moves() if (move.kind, move.seat) == (kind, seat))


def command(data: Path, *words: object) -> list[str]:
    film = [sys.executable, "-m", "companion", "film", "1", "--data", str(data), "--size", "800x480"]
    return [*film, *map(str, words)]


def run(data: Path, *words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(data, *words), capture_output=True, text=True, check=False, timeout=TIMEOUT_SECONDS)


class ScriptedExport(FilmExport):
    """Runs a Python script in the place of `companion film`."""

    script = ""

    def _build_command(self, number: int, stick: Path) -> list[str]:
        return [sys.executable, "-c", self.script]


class ResultTable(SessionTable):
    """A session that shows the result of the game again, as the lobby opens it."""

    def __init__(self, data: Path, journal: Journal, sticks: Sequence[Path], script: str = "") -> None:
        self.export = ScriptedExport(data, Preferences(), lambda: sticks)
        self.export.script = script
        super().__init__(journal, GAME, film_export=self.export)
        self.session._enter_stage(self.session._make_referee(SavedGame(journal, 1, GAME)))

    def ask(self, *buttons: Button) -> str | None:
        """Press buttons, and return what the screen says then."""
        self.press(*buttons)
        return self.state.notice

    def wait_for_film(self) -> str | None:
        """Wait until the film's process has ended; return what the screen says then."""
        self.export._process.wait(TIMEOUT_SECONDS)
        self.session.step([])
        return self.state.notice


@pytest.mark.proof
def test_the_film_is_written_and_its_progress_is_shown(data: Path, stick: Path) -> None:
    done = run(data, "--out", stick)
    assert done.returncode == 0, done.stderr
    (file,) = stick.iterdir()
    assert file.match(NAME_PATTERN)
    assert f"The film of game 1 is in {file} (" in done.stdout
    lines = done.stderr.splitlines()
    steps = [f"Film: {percent} %" for percent in range(10, 101, 10)]
    assert lines == [step for step in steps if step in lines], "a still end may leave one out"
    assert len(lines) >= len(steps) - 2
    assert lines[-1] == steps[-1]


def test_unknown_games_are_refused(data: Path, stick: Path) -> None:
    with Journal(data / JOURNAL_FILE, allow_read_only=True) as journal, pytest.raises(InvalidSavedGame, match="7"):
        write_film(journal, 7, stick)
    assert list(stick.iterdir()) == []


@pytest.mark.full
def test_a_full_stick_leaves_the_earlier_film_and_nothing_else(data: Path, small_stick: Path) -> None:
    earlier = small_stick / "film.webp"
    earlier.write_bytes(b"an earlier film")
    done = run(data, "--out", earlier)
    assert done.returncode == NO_ROOM_STATUS
    assert "There is no room left for the film" in done.stderr
    assert list(small_stick.iterdir()) == [earlier]
    assert earlier.read_bytes() == b"an earlier film"


@pytest.mark.proof
def test_a_killed_writer_leaves_no_torn_film(data: Path, stick: Path) -> None:
    unfinished = stick / ".film.webp.new"
    with subprocess.Popen(command(data, "--out", stick / "film.webp"), stdout=subprocess.DEVNULL) as process:
        while process.poll() is None and not (unfinished.exists() and unfinished.stat().st_size):
            os.sched_yield()
        process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    assert list(stick.iterdir()) == [unfinished]
    assert run(data, "--out", stick / "film.webp").returncode == 0
    assert [file.name for file in stick.iterdir()] == ["film.webp"]


def test_the_writer_lets_everything_else_go_first() -> None:
    code = (
        "import os; from companion.commands.film import lower_priority; lower_priority();"
        "print(os.getpriority(os.PRIO_PROCESS, 0), os.sched_getscheduler(0) == os.SCHED_IDLE)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["19", "True"]


def test_at_the_result_two_presses_make_the_film(data: Path, stick: Path) -> None:
    with Journal(data / JOURNAL_FILE) as journal:
        table = ResultTable(data, journal, [stick], "import sys; print('Film: 40 %', file=sys.stderr)")
        assert table.ask(Button.PLUS) is None
        assert table.ask(Button.MINUS) == "The film is being made: leave the stick plugged in"
        assert table.wait_for_film() == "The film is on the stick: you can unplug it"
        assert table.ask(Button.SEAT1) is None, "a press takes the notice away"


def test_the_screen_shows_how_much_of_the_film_is_done(
    data: Path, stick: Path, caplog: pytest.LogCaptureFixture
) -> None:
    lines = "Film: 10 %", "a library: 90 % wrong", "Film: 40 %", "Fil"
    with Journal(data / JOURNAL_FILE) as journal:
        script = f"import signal, sys; sys.stderr.write({chr(10).join(lines)!r}); sys.stderr.flush(); signal.pause()"
        table = ResultTable(data, journal, [stick], script)
        table.ask(Button.PLUS, Button.MINUS)
        notices = set()
        while "40 %" not in "".join(notices):
            table.session.step([])
            notices.add(table.state.notice or "")
            os.sched_yield()
        assert "The film is being made: 40 %. Leave the stick plugged in" in notices
        assert "a library: 90 % wrong" in caplog.text
        table.export._process.kill()
        assert table.wait_for_film() == "The film could not be made: the log says why"


def test_without_a_stick_the_screen_says_so(data: Path) -> None:
    with Journal(data / JOURNAL_FILE) as journal:
        table = ResultTable(data, journal, [])
        notice = table.ask(Button.PLUS, Button.MINUS)
        assert notice == "No USB stick found: plug one in, wait a moment, and try again"


@pytest.mark.parametrize(
    ("status", "notice"),
    [
        (NO_ROOM_STATUS, "The USB stick is full: make room on it, or use another one"),
        (1, "The film could not be made: the log says why"),
    ],
)
def test_a_film_that_fails_is_reported_on_the_screen(data: Path, stick: Path, status: int, notice: str) -> None:
    with Journal(data / JOURNAL_FILE) as journal:
        table = ResultTable(data, journal, [stick], f"raise SystemExit({status})")
        table.ask(Button.PLUS, Button.MINUS)
        assert table.wait_for_film() == notice


def test_the_film_is_in_the_language_and_the_colours_of_the_box(data: Path, stick: Path) -> None:
    preferences = Preferences()
    preferences.change("palette", "light")
    set_language("it")
    try:
        words = FilmExport(data, preferences)._build_command(1, stick)
    finally:
        set_language("en")
    assert words[words.index("--language") + 1] == "it"
    assert words[words.index("--palette") + 1] == "light"
