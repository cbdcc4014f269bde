"""An exception in a game: the game continues from the journal, with every entry."""

from __future__ import annotations

from typing import Any

import pytest

from companion.api import LATE_PRESS_SECONDS, MIN_SHOWN_SECONDS
from companion.app.crash_guard import CrashGuard
from companion.events import Button, ButtonPressed, ButtonReleased, DeviceLost, DeviceRestored
from companion.journal.database import Journal
from companion.journal.entry import JournalUnwritable
from companion.referee.referee import Referee
from companion.screen_state import CameraView, ScreenKind, ScreenState
from tests.app.session_table import START, SessionTable


class Table(SessionTable):
    """A session in play, whose referee can be made to fail."""

    def __init__(self, journal: Journal, *buttons: Button, rounds: int = 10) -> None:
        super().__init__(journal, rules={"dice": "off", "rounds": rounds})
        self.guarded = CrashGuard(self.session, self.clock)
        self.press(*(buttons or START))

    def press(self, *buttons: Button) -> ScreenState:
        for button in buttons:
            self.clock.now += 0.5
            now = self.clock.now
            shown, _ = self.guarded.step([ButtonPressed(button, now), ButtonReleased(button, now + 0.1)], CameraView())
        return shown

    def turn(self) -> ScreenState:
        return self.guarded.step((), CameraView())[0]


@pytest.fixture
def table(journal: Journal) -> Table:
    made = Table(journal)
    assert isinstance(made.stage, Referee)
    return made


def fail(*_: Any) -> Any:
    raise ZeroDivisionError("a round without players")


def test_a_game_that_fails_once_goes_on_as_it_was_written_down(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    before = table.press(Button.SEAT1)
    saved_game = table.game
    game, seq = saved_game.game, saved_game.last_seq
    with monkeypatch.context() as patch:
        patch.setattr(table.stage, "tick", fail)
        shown = table.turn()
    assert "Something failed and was noted" in (shown.notice or "")
    assert "ZeroDivisionError" in caplog.text
    again = table.game
    assert again is not saved_game
    assert (again.game, again.last_seq) == (game, seq)
    assert (shown.kind, shown.prompt) == (before.kind, before.prompt)


@pytest.mark.parametrize("answer", [Button.OK, Button.NO])
def test_a_disk_that_refuses_the_answer_is_asked_again(
    table: Table, journal: Journal, answer: Button, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.press(Button.SEAT1)
    table.session = SessionTable(journal, rules={"dice": "off"}).session
    table.guarded = CrashGuard(table.session, table.clock)

    def refuse(*_: Any) -> Any:
        raise JournalUnwritable("the disk is full: make room there, then try again.")

    with monkeypatch.context() as patch:
        patch.setattr(journal, "append_entry", refuse)
        shown = table.press(answer)
    assert shown.kind is ScreenKind.RESUME
    assert "the disk is full" in (shown.notice or "")
    shown = table.press(answer)
    assert shown.kind is (ScreenKind.PLAY if answer is Button.OK else ScreenKind.LOBBY)


class Failing:
    """A function that raises as often as the test wants, and then does what it did before."""

    def __init__(self, target: object, name: str, times: int, patch: pytest.MonkeyPatch) -> None:
        self.left = times
        self._real = getattr(target, name)
        patch.setattr(target, name, self._call)

    def _call(self, *values: Any) -> Any:
        if self.left:
            self.left -= 1
            fail()
        return self._real(*values)


@pytest.mark.parametrize(("failures", "kind"), [(2, ScreenKind.PLAY), (3, ScreenKind.RESUME)])
def test_people_are_asked_after_three_failures_in_a_row(
    table: Table, failures: int, kind: ScreenKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    Failing(table.session, "step", failures, monkeypatch)
    assert table.turn().kind is kind


@pytest.mark.parametrize(("seconds", "kind"), [(10.0, ScreenKind.RESUME), (10.1, ScreenKind.PLAY)])
def test_failures_within_ten_seconds_count(
    table: Table, seconds: float, kind: ScreenKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.clock.now = 100.0
    failing = Failing(table.session, "step", 2, monkeypatch)
    assert table.turn().kind is ScreenKind.PLAY
    table.clock.now += seconds
    failing.left = 1
    assert table.turn().kind is kind


@pytest.mark.parametrize("failures", [5, 6])
def test_six_failures_in_a_row_restart_the_program(
    table: Table, failures: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    Failing(table.session, "step", failures, monkeypatch)
    if failures < 6:
        table.turn()
    else:
        with pytest.raises(ZeroDivisionError):
            table.turn()


def test_the_stage_is_left_alone_while_nothing_fails(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table.session, "rebuild", fail)
    stage = table.stage
    for _ in range(3):
        table.turn()
    assert table.stage is stage


def test_the_log_tells_when_games_begin_continue_end_and_are_left(
    journal: Journal, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "companion")
    table = Table(journal, rounds=1)

    def take_log() -> list[str]:
        lines = [record.getMessage() for record in caplog.records]
        caplog.clear()
        return lines

    assert take_log() == ["Macroscope begins (game 1, 2 players)."]
    table.press(Button.SEAT1)
    saved_game = table.game
    assert take_log() == []
    first = saved_game.setup.buttons[saved_game.game.active_seat]
    table.press(first, Button.OK)
    table.clock.now += LATE_PRESS_SECONDS
    table.press(Button.OK, Button.NO)
    assert take_log() == [f"Macroscope is over (game 1, {saved_game.last_seq} entries)."]
    saved_game.undo()
    table.turn()
    assert take_log() == ["Macroscope is no longer over (game 1)."]
    again = Table(journal, Button.OK)
    assert take_log() == ["Macroscope continues (game 1, 2 players)."]
    again.press(Button.NO)
    assert again.turn().kind is ScreenKind.RESULT
    take_log()
    again.clock.now += MIN_SHOWN_SECONDS
    again.press(Button.NO)
    assert take_log() == ["The game was left."]


def test_the_log_tells_of_devices_even_in_a_turn_that_fails(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "companion")
    Failing(table.session, "step", 1, monkeypatch)
    table.guarded.step(
        [DeviceLost("camera", 9.0), DeviceLost("GPIO", 9.0, "no pins"), DeviceRestored("camera", 9.0)], CameraView()
    )
    assert [record.getMessage() for record in caplog.records if record.levelname != "ERROR"] == [
        "camera: lost",
        "GPIO: no pins",
        "camera: available",
    ]
