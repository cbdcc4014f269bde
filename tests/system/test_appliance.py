"""The note of the current game for the next start, and the request to power off."""

from __future__ import annotations

import fcntl
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.system.appliance import STABLE_SECONDS, Appliance, Upgrade, UpgradeState
from tests.conftest import REPOSITORY
from tests.full_disk import limit_file_size


def test_game_is_noted_after_some_seconds(tmp_path: Path) -> None:
    box = Appliance(tmp_path)
    box.note_current_game(7, 100.0)
    box.note_current_game(7, 100.0 + STABLE_SECONDS - 0.1)
    assert Appliance(tmp_path).take_interrupted_game() is None
    box.note_current_game(7, 100.0 + STABLE_SECONDS)
    assert Appliance(tmp_path).take_interrupted_game() == 7
    assert Appliance(tmp_path).take_interrupted_game() is None, (
        "told once: what ends the program at once shall not do so for ever"
    )


def test_finished_game_is_not_resumed(tmp_path: Path) -> None:
    box = Appliance(tmp_path)
    box.note_current_game(7, 0.0)
    box.note_current_game(7, STABLE_SECONDS)
    box.note_current_game(None, STABLE_SECONDS + 1)
    assert Appliance(tmp_path).take_interrupted_game() is None


@pytest.mark.parametrize("text", ["", "x", "-1", "7\n8", "٣", "9" * 5000])
def test_a_damaged_note_is_no_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "playing").write_text(text, encoding="utf-8")
    number = Appliance(tmp_path).take_interrupted_game()
    assert number is None or number >= 0
    assert not (tmp_path / "playing").exists()


def test_a_folder_that_cannot_be_written_is_logged_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    box = Appliance(tmp_path / "gone")
    for turn in range(5):
        box.note_current_game(7, STABLE_SECONDS * turn)
    assert len(caplog.records) == 1
    assert not box.request_power_off()


def test_a_full_folder_has_no_note_of_half_a_number(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    box = Appliance(tmp_path)
    box.note_current_game(12, 0.0)
    with limit_file_size(1):
        box.note_current_game(12, STABLE_SECONDS)
    assert "File too large" in caplog.text
    assert [*tmp_path.iterdir()] == []


def test_nothing_is_written_on_a_desktop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    box = Appliance.from_environment({})
    box.note_current_game(7, 0.0)
    box.note_current_game(7, STABLE_SECONDS)
    assert (box.is_present, box.take_interrupted_game(), box.request_power_off(), list(tmp_path.iterdir())) == (
        False,
        None,
        False,
        [],
    )


@pytest.mark.parametrize(
    ("request_change", "unit"),
    [
        (Appliance.request_power_off, "companion-power-off.path"),
        (lambda box: box.request_clock(1_795_464_000.4), "companion-set-clock.path"),
        (Appliance.request_restart, "image/companion-restart.path"),
    ],
)
def test_what_only_others_may_do_is_requested_by_a_file(
    tmp_path: Path, request_change: Callable[[Appliance], bool], unit: str
) -> None:
    assert request_change(Appliance.from_environment({"RUNTIME_DIRECTORY": f"{tmp_path}:/elsewhere"}))
    (file,) = tmp_path.iterdir()
    assert f"PathExists=/run/companion/{file.name}\n" in (REPOSITORY / "systemd" / unit).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("note", "upgrade"),
    [
        ("installing 9.1+abc\n", Upgrade(UpgradeState.INSTALLING, "9.1+abc")),
        ("installed 9.1\n", Upgrade(UpgradeState.INSTALLED, "9.1")),
        ("refused\n", Upgrade(UpgradeState.REFUSED)),
        ("", None),
        ("thawing 9.1", None),
        ("\udcff", None),
    ],
)
def test_the_note_of_an_upgrade_is_read(tmp_path: Path, note: str, upgrade: Upgrade | None) -> None:
    place = tmp_path / "upgrade"
    assert Appliance(tmp_path, place).read_upgrade() is None
    place.write_bytes(note.encode("utf-8", "surrogateescape"))
    assert Appliance(tmp_path, place).read_upgrade() == upgrade
    assert Appliance(None, place).read_upgrade() is None


def test_every_word_of_the_note_is_one_that_the_image_writes() -> None:
    script = (REPOSITORY / "systemd/image/apply-upgrade").read_text(encoding="utf-8")
    written = set(re.findall(r'write_note "?([a-z]+)', script))
    assert written == {str(state) for state in UpgradeState}


def test_two_sticks_are_upgraded_from_one_after_the_other(tmp_path: Path) -> None:
    """The second waits, however long the first takes; what it refuses does not hide what the first has installed."""
    script = REPOSITORY / "systemd/image/apply-upgrade"
    stick, programs, run = tmp_path / "stick", tmp_path / "bin", tmp_path / "run"
    for folder in (stick, programs, run):
        folder.mkdir()
    (stick / "board-game-companion-9.1-virt.raucb").touch()
    os.mkfifo(tmp_path / "asked")
    os.mkfifo(tmp_path / "answer")
    rauc = programs / "rauc"
    rauc.write_text(f'#!/bin/sh\necho "$1" >{tmp_path}/asked\nread answer <{tmp_path}/answer\nexit 1\n')
    rauc.chmod(0o755)
    environment = {"PATH": f"{programs}:{os.environ['PATH']}", "RUNTIME_DIRECTORY": str(run)}
    for note, kept in (("", "refused\n"), ("installed 9.0\n", "installed 9.0\n")):
        (run / "upgrade").write_text(note)
        with subprocess.Popen(["sh", script, stick], env=environment, stdout=subprocess.PIPE, text=True) as upgrade:
            assert (tmp_path / "asked").read_text() == "info\n"
            with (run / "lock").open() as lock, pytest.raises(BlockingIOError):
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            (tmp_path / "answer").write_text("\n")
            assert "nothing was changed" in upgrade.communicate()[0]
        assert upgrade.returncode == 1
        assert (run / "upgrade").read_text() == kept
