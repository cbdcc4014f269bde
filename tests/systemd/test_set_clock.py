"""The request to set the clock: a number of seconds, and nothing else, whatever the companion writes there."""

from __future__ import annotations

import os
import runpy
import time
from pathlib import Path

import pytest

from companion.system.appliance import SET_CLOCK_FILE, Appliance
from tests.conftest import REPOSITORY
from tests.systemd.machine import Machine
from tests.systemd.test_appliance import CURRENT, to_the_lobby

SCRIPT = runpy.run_path(str(REPOSITORY / "systemd/set-clock"))
MONDAY = 1_795_464_000
SET_NEXT_WEEK = ("minus", "plus", "plus", "Return", "4", "Return", "Return")
"""Keys from the lobby: the settings' last line but one, a week later, and the time of day as it is."""
WEEK_SECONDS = 7 * 86_400


@pytest.fixture
def set_to(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[int]:
    """Return the list of the times that a clock is set to; there is no battery-backed one."""
    monkeypatch.setitem(SCRIPT["main"].__globals__, "RTC", str(tmp_path / "none"))
    return []


def test_what_the_screen_asks_for_is_what_the_clock_is_set_to(tmp_path: Path, set_to: list[int]) -> None:
    assert Appliance(tmp_path).request_clock(MONDAY + 0.4)
    assert SCRIPT["main"]([str(tmp_path / SET_CLOCK_FILE)], set_to.append) == 0
    assert set_to == [MONDAY]
    assert list(tmp_path.iterdir()) == [], "else systemd would start it again"


@pytest.mark.parametrize(
    "content", ["", "now", "-5", "1795464000; reboot", "9" * 12, "1" * 13, "1", "1795464000.5", "１７９５４６４０００"]
)
def test_anything_else_sets_no_clock(tmp_path: Path, content: str, set_to: list[int]) -> None:
    request = tmp_path / SET_CLOCK_FILE
    request.write_text(content, encoding="utf-8")
    assert SCRIPT["main"]([str(request)], set_to.append) == 1
    assert (set_to, request.exists()) == ([], False)


def test_a_pipe_or_a_link_is_no_request_and_is_not_waited_for(tmp_path: Path, set_to: list[int]) -> None:
    request = tmp_path / SET_CLOCK_FILE
    os.mkfifo(request)
    assert SCRIPT["main"]([str(request)], set_to.append) == 1
    target = tmp_path / "target"
    target.write_text(str(MONDAY), encoding="ascii")
    request.symlink_to(target)
    assert SCRIPT["main"]([str(request)], set_to.append) == 1
    assert (set_to, list(tmp_path.iterdir())) == ([], [target])


def test_a_clock_that_may_not_be_set_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def refuse(_seconds: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    Appliance(tmp_path).request_clock(MONDAY)
    assert SCRIPT["main"]([str(tmp_path / SET_CLOCK_FILE)], refuse) == 1
    assert "The clock was not set" in capsys.readouterr().err


@pytest.mark.appliance
def test_a_date_chosen_on_the_screen_reaches_the_clock(box: Machine) -> None:
    """The unit with all its restrictions. The machine has the clock of this one, which is set to what it shows."""
    box.capabilities += ",CAP_SYS_TIME"
    box.boot()
    box.install("--no-start")
    script = box.root / "opt/companion" / (box.root / CURRENT[1:]).readlink() / "systemd/set-clock"
    text, setting = script.read_text(encoding="utf-8"), "time.clock_settime(time.CLOCK_REALTIME, seconds)"
    assert setting in text
    harmless = 'print("set to", seconds, time.clock_settime(time.CLOCK_REALTIME, time.time()))'
    script.write_text(text.replace(setting, harmless), encoding="utf-8")
    box.run("systemctl", "start", "companion")
    main = box.show("MainPID")
    to_the_lobby(box)
    box.press(*SET_NEXT_WEEK)

    def read_log() -> str:
        return box.run("journalctl", "--boot", "--no-pager", "--output=cat", "--unit=companion-set-clock")

    box.wait(lambda: "Finished" in read_log(), "the clock's unit")
    (line,) = [line for line in read_log().splitlines() if line.startswith("set to ")]
    seconds = int(line.split()[2])
    assert seconds % 60 == 0
    assert WEEK_SECONDS - 600 < seconds - time.time() < WEEK_SECONDS
    assert "Only until the power goes" in read_log(), "a container has no battery-backed clock"
    assert SET_CLOCK_FILE not in box.run("ls", "/run/companion").split(), "else systemd would start it again"
    assert box.show("ActiveState", "companion-set-clock.path") == "active", "it waits for the next one"
    assert (box.show("MainPID"), box.show("ActiveState")) == (main, "active")
