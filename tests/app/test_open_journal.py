"""A disk that cannot be written at the start: the screen says why, and the session begins by itself later."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.app.composition import open_with_retry
from companion.events import Event
from companion.journal.database import Journal
from companion.journal.entry import JournalBusy, JournalUnwritable
from companion.screen_state import ScreenKind, ScreenState


class Waiting:
    """A window; a turn of its loop takes half a second."""

    def __init__(self, turns: int = 100) -> None:
        self.now, self.closed, self.alive = 0.0, False, 0
        self.shown: list[ScreenState] = []
        self.events: dict[int, object] = {}
        self.turns = turns

    def __call__(self) -> float:
        return self.now

    def poll_events(self, *, soon: bool = False) -> list[Event]:
        self.now += 0.5
        self.turns -= 1
        self.closed = self.turns < 0
        return []

    def show(self, shown: ScreenState) -> None:
        self.shown.append(shown)

    def fed(self) -> None:
        self.alive += 1


def test_a_good_disk_needs_no_window(tmp_path: Path) -> None:
    opened = open_with_retry(tmp_path / "data" / "j", lambda: pytest.fail("a window was opened"))
    opened.close()
    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700


def test_a_folder_that_cannot_be_is_waited_for(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file stands where the folder should")
    window = Waiting()

    def mend() -> None:
        if len(window.shown) == 3:
            (tmp_path / "data").unlink()

    opened = open_with_retry(tmp_path / "data" / "j", lambda: window, mend, window)
    opened.close()


def test_who_closes_the_window_waits_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_journal: Journal, _path: Path, **_options: object) -> None:
        raise JournalUnwritable("the disk is full: make room there.")

    window = Waiting(turns=2)
    monkeypatch.setattr(Journal, "__init__", refuse)
    assert open_with_retry(tmp_path / "j", lambda: window, window.fed, window) is None


def test_two_at_once_are_reported_so(tmp_path: Path) -> None:
    with Journal(tmp_path / "j"), pytest.raises(JournalBusy, match="in use by another companion: close that one"):
        open_with_retry(tmp_path / "j", lambda: pytest.fail("a window was opened"))


def test_a_disk_is_tried_at_once_and_then_every_two_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    window, tried = Waiting(), list[float]()
    begin = Journal.__init__

    def refuse(self: Journal, path: Path, **options: Any) -> None:
        tried.append(window.now)
        if len(tried) < 5:
            why = "the disk is full" if len(tried) < 4 else "the disk is read-only"
            raise JournalUnwritable(f"The journal {path} cannot be written: {why}", screen_text=why)
        begin(self, path, **options)

    monkeypatch.setattr(Journal, "__init__", refuse)
    opened = open_with_retry(tmp_path / "j", lambda: window, window.fed, window)
    opened.close()
    assert tried == [0.0, 2.0, 4.0, 6.0, 8.0]
    assert [record.getMessage().rpartition(": ")[2] for record in caplog.records] == [
        "the disk is full",
        "the disk is read-only",
    ], "each reason once"
    assert {(shown.kind, shown.uses_camera) for shown in window.shown} == {(ScreenKind.WAITING, False)}
    assert (window.shown[0].details[0], window.shown[-1].details[0]) == ("the disk is full", "the disk is read-only")
    assert window.alive == len(window.shown) == 16, "two turns a second"
