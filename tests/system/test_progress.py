"""Progress is shown on terminals only, counts, and leaves no trace."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable
from contextlib import redirect_stderr
from itertools import count

import pytest

from companion.system.progress import PercentLine, erase_progress, show_progress


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        """Return True."""
        return True


@pytest.fixture(autouse=True)
def slow_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let half a second pass between two looks at the clock."""
    seconds = count()
    monkeypatch.setattr("time.monotonic", lambda: next(seconds) / 2)


def draw(items: Iterable[int], total: int | None = None, stream: io.StringIO | None = None) -> list[str]:
    """Return what is written while all the items pass, as the parts between carriage returns."""
    with redirect_stderr(stream or Terminal()) as written:
        list(show_progress(items, "Reading", total))
    return written.getvalue().split("\r")


def test_long_work_is_counted_and_the_line_is_erased() -> None:
    assert draw([3, 4, 5, 6]) == [*(f"Reading: {done} of 4" for done in (1, 2, 3)), " " * 15, ""]


def test_the_total_of_an_iterator_is_given_or_unknown() -> None:
    assert "Reading: 2" in draw(iter(range(3)))
    assert "Reading: 2 of 3" in draw(iter(range(3)), 3)


def test_short_work_and_logs_show_nothing() -> None:
    assert draw([1]) == [""]
    assert draw(range(20), stream=io.StringIO()) == [""]


def test_the_line_goes_also_when_the_loop_is_left() -> None:
    with redirect_stderr(Terminal()) as written:
        for item in show_progress(range(9), "Reading"):
            if item == 5:
                break
    assert written.getvalue().endswith(f"Reading: 5 of 9\r{' ' * 15}\r")


def test_a_process_without_stderr_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", None)
    assert list(show_progress("ab", "Reading")) == ["a", "b"]


def test_what_a_loop_prints_stands_alone() -> None:
    with redirect_stderr(Terminal()) as written:
        for item in show_progress(range(4), "Reading"):
            erase_progress()
            written.write(f"item {item}\n")
    assert written.getvalue().split("\r")[1:3] == [" " * 15, "item 1\nReading: 2 of 4"]


def test_progress_is_a_line_each_tenth_and_begins_again(capsys: pytest.CaptureFixture[str]) -> None:
    progress = PercentLine("Film")
    for share in (0.0, 0.05, 0.1, 0.19, 0.35, 1.0, 0.04, 0.5):
        progress.report(share)
    assert capsys.readouterr().err.splitlines() == [f"Film: {percent} %" for percent in (10, 30, 100, 50)]


def test_in_a_terminal_progress_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    progress = PercentLine("Film")
    for share in (0.01, 0.011, 0.5, 1.0):
        progress.report(share)
    assert capsys.readouterr().err == "Film: 1 %\rFilm: 50 %\r          \r"
