"""The date and time of a box without a network: not known until somebody sets them, by buttons alone."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.events import Button
from companion.games.macroscope import GAME
from companion.journal.boot_notes import FILE_SUFFIX
from companion.journal.database import Journal
from companion.journal.entry import GameSetup
from companion.lobby.date_and_time import WAIT_SECONDS
from companion.system.appliance import SET_CLOCK_FILE, Appliance
from companion.testing.table import ManualClock
from tests.app.session_table import SessionTable

SAVED = datetime(2026, 11, 16, 19, 0, tzinfo=UTC).timestamp()
"""When the box was switched off: its clock goes on from there."""
UNKNOWN = "The date is not known: set it under Settings"


class Box(SessionTable):
    """A session on an appliance whose clock nobody has set."""

    def __init__(
        self, folder: Path, wall: float = SAVED, *, knows_date: bool = False, is_appliance: bool = True
    ) -> None:
        self.folder = folder
        self.ahead = wall - 1000.0
        """Wall clock minus the monotonic clock."""
        self.clock = ManualClock(1000.0)  # as that of the session
        journal = Journal(
            folder / "journal.sqlite3",
            lambda: self.ahead + self.clock.now,
            lambda: self.clock.now,
            "b1",
            knows_date=lambda: knows_date,
        )
        super().__init__(journal, appliance=Appliance(folder if is_appliance else None))

    def set_as_asked(self) -> float:
        """Do what systemd does; return the seconds that were asked for."""
        request = self.folder / SET_CLOCK_FILE
        target = float(request.read_text(encoding="ascii"))
        request.unlink()
        self.ahead = target - self.clock.now
        return target


@pytest.fixture(autouse=True)
def _berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "Europe/Berlin")
        time.tzset()
        yield
    time.tzset()


def test_the_lobby_says_that_the_date_is_not_known_and_buttons_set_it(tmp_path: Path) -> None:
    box = Box(tmp_path)
    assert box.state.notice == UNKNOWN
    box.open_lines("Date and time: not known")
    assert (box.menu.title, box.menu.value) == ("Date", "16 Nov 2026")
    box.press(Button.SEAT4, Button.PLUS, Button.PLUS, Button.MINUS)  # a week and a day
    assert box.menu.value == "24 Nov 2026"
    box.press(Button.OK)
    assert (box.menu.title, box.menu.value) == ("Time", "20:00")
    box.press(Button.SEAT6, Button.SEAT3, Button.MINUS)  # an hour more, five minutes and one less
    assert box.menu.value == "20:54"
    box.press(Button.NO, Button.OK)  # back to the date
    box.press(Button.SEAT6, Button.OK)
    assert box.set_as_asked() == datetime(2026, 11, 16, 20, 0, tzinfo=UTC).timestamp()
    box.wait(0.05)
    assert box.state.notice == "It is 16 Nov 2026, 21:00"
    box.press(Button.SEAT1)
    assert box.state.notice is None, "it is known for this boot"
    box.press(Button.MINUS)
    assert "Date and time: 16 Nov 2026, 21:00" in box.menu.items
    assert (tmp_path / f"journal{FILE_SUFFIX}").read_text(encoding="ascii").count(" known ") == 2


def test_a_date_that_was_right_already_is_known_when_somebody_says_so(tmp_path: Path) -> None:
    box = Box(tmp_path)
    box.open_lines("Date and time: not known")
    box.press(Button.OK, Button.OK)
    box.set_as_asked()
    box.wait(0.05)
    assert box.state.notice == "It is 16 Nov 2026, 20:00"


def test_a_clock_that_nobody_sets_is_told_after_a_while(tmp_path: Path) -> None:
    box = Box(tmp_path, wall=30.0)  # 1970
    box.open_lines("Date and time: not known")
    assert box.menu.value == "1 Jan 2026"
    box.press(Button.OK, Button.OK)
    box.wait(WAIT_SECONDS / 60 + 0.01)
    assert box.state.notice == "The clock could not be set"
    box.press(Button.NO)
    assert box.state.notice == UNKNOWN


def test_a_device_that_cannot_ask_says_so(tmp_path: Path) -> None:
    box = Box(tmp_path)
    box.open_lines("Date and time: not known")
    (tmp_path / SET_CLOCK_FILE).mkdir()
    box.press(Button.OK, Button.OK)
    assert box.state.notice == "This device cannot set its clock"


@pytest.mark.parametrize(("knows_date", "is_appliance"), [(True, True), (False, False)])
def test_nothing_is_said_where_the_date_is_known_or_is_no_business_of_ours(
    tmp_path: Path, knows_date: bool, is_appliance: bool
) -> None:
    box = Box(tmp_path, knows_date=knows_date, is_appliance=is_appliance)
    assert box.state.notice is None
    box.press(Button.MINUS)
    assert any(line.startswith("Date and time: 16 Nov") for line in box.menu.items) is is_appliance


def test_a_clock_that_the_network_sets_is_noted_when_no_game_is_played_any_more(tmp_path: Path) -> None:
    box = Box(tmp_path, wall=30.0)
    setup = GameSetup(game=GAME.name, players=("Ada", "Bob"), buttons=(Button.SEAT1, Button.SEAT2))
    journal = box.session._journal
    record = journal.get_game(journal.begin_game(setup))
    box.wait(1.0)
    box.ahead += SAVED
    box.wait(1.0)
    journal.close()
    with Journal(tmp_path / "journal.sqlite3", lambda: 0.0, lambda: 0.0, "b2") as later:
        assert later.clock.to_wall_time(record.started) == pytest.approx(SAVED + 30.0, abs=1.0)
