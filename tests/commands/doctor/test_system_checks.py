"""The checks of the system, passing and failing, independent of this machine."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pygame
import pytest

from companion.commands.doctor import system_checks
from companion.commands.doctor.check import Check, CheckMark

Image = npt.NDArray[np.uint8]


def fails(check: Check) -> str:
    assert check.mark is CheckMark.FAIL
    return _said(check)


def warns(check: Check) -> str:
    assert check.mark is CheckMark.WARN
    return _said(check)


def _said(check: Check) -> str:
    """Return the text of a failed check, which has a remedy and is one line."""
    assert check.fix
    assert "\n" not in check.found + check.fix
    return f"{check.found} -> {check.fix}"


@pytest.mark.parametrize("version", [(3, 11), (3, 12), (3, 13)])
def test_python_that_fits(version: tuple[int, int]) -> None:
    assert system_checks.check_python(version).mark is CheckMark.OK


@pytest.mark.parametrize("version", [(3, 10), (3, 15)])
def test_python_that_does_not(version: tuple[int, int]) -> None:
    assert "3.11 to 3.13" in fails(system_checks.check_python(version))


def test_settings(tmp_path: Path) -> None:
    file = tmp_path / "box.toml"
    file.write_text("[table]\ncamera = 1\n", encoding="utf-8")
    assert system_checks.check_settings(file, {}) == Check("settings", CheckMark.OK, f"from {file}")
    file.write_text("[table]\nkamera = 1\nx = 1\n", encoding="utf-8")
    assert "did you mean camera?" in warns(system_checks.check_settings(file, {}))
    assert "cannot be read" in fails(system_checks.check_settings(tmp_path / "gone.toml", {}))


def test_choices_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    assert system_checks.check_choices(tmp_path).mark is CheckMark.OK
    assert not [*tmp_path.iterdir()], "it makes no id of a table"
    (tmp_path / "preferences.json").write_text('{"chosen": {"volume": 99}}', encoding="utf-8")
    (tmp_path / "dice.json").write_text("{", encoding="utf-8")
    said = warns(system_checks.check_choices(tmp_path))
    assert "The taught dice: the file is damaged" in said
    assert "ignored: volume" in said
    (tmp_path / "player-names.json").write_text("{", encoding="utf-8")
    assert "The players' other names: the file is damaged" in warns(system_checks.check_choices(tmp_path))
    (tmp_path / "table-id.json").write_text("{", encoding="utf-8")
    assert "The table's id: the file is damaged" in warns(system_checks.check_choices(tmp_path))
    names = {"preferences.json", "dice.json", "player-names.json", "table-id.json"}
    assert {path.name for path in tmp_path.iterdir()} == names, "a check changes nothing"


def test_a_real_screen() -> None:
    assert system_checks.check_display(lambda: "x11", {}).mark is CheckMark.OK


@pytest.mark.parametrize("driver", ["offscreen", "dummy"])
def test_driver_that_draws_nowhere(driver: str) -> None:
    assert "draws nowhere -> start it on a desktop" in warns(system_checks.check_display(lambda: driver, {})).replace(
        ")", ""
    )


def test_remedy_for_a_missing_screen() -> None:
    assert "DISPLAY=:7 does not answer" in warns(system_checks.check_display(lambda: "offscreen", {"DISPLAY": ":7"}))
    forced = {"DISPLAY": ":7", "SDL_VIDEODRIVER": "dummy"}
    assert "SDL_VIDEODRIVER=dummy is set: unset it" in warns(system_checks.check_display(lambda: "dummy", forced))


def test_sdl_that_finds_nothing_at_all() -> None:
    def none() -> str:
        raise pygame.error("No available video device")

    assert "No available video device" in warns(system_checks.check_display(none, {}))


def test_the_fonts_that_come_with_it() -> None:
    assert system_checks.check_fonts().mark is CheckMark.OK


def test_fonts_that_are_missing_or_torn(tmp_path: Path) -> None:
    assert "none in" in fails(system_checks.check_fonts(tmp_path))
    tmp_path.joinpath("Torn.ttf").write_bytes(b"\0\1\0\0torn")
    assert "Torn.ttf" in fails(system_checks.check_fonts(tmp_path))


def test_the_networks_that_come_with_it() -> None:
    check = system_checks.check_models()
    assert check.mark is CheckMark.OK
    assert "OpenCV" in check.found


def test_networks_that_are_missing_or_torn(tmp_path: Path) -> None:
    assert "no networks" in fails(system_checks.check_models(tmp_path))
    tmp_path.joinpath("torn.onnx").write_bytes(b"torn")
    assert "torn.onnx does not load" in fails(system_checks.check_models(tmp_path))


GIGABYTE = 1_000_000_000


def ticking(step: float) -> Callable[[], float]:
    """A clock that advances by `step` seconds at each read."""
    ticks = count()
    return lambda: next(ticks) * step


def test_a_good_disk(tmp_path: Path) -> None:
    synced: list[int] = []
    check = system_checks.check_disk(tmp_path / "new", lambda folder: GIGABYTE, synced.append, ticking(0.004))
    assert check.mark is CheckMark.OK
    assert "1000 MB free, a write is safe after 4.0 ms" in check.found
    assert len(synced) == system_checks.TEST_WRITES
    assert list(tmp_path.joinpath("new").iterdir()) == []


def test_slow_or_full_disk(tmp_path: Path) -> None:
    def disk(free: int, seconds: float = 0.004) -> Check:
        return system_checks.check_disk(tmp_path, lambda folder: free, lambda file: None, ticking(seconds))

    assert "make room" in warns(disk(100_000_000))
    assert "the disk is full" in fails(disk(1_000_000))
    assert "SD card" in warns(disk(GIGABYTE, seconds=0.5))


def test_a_disk_that_fails_while_writing(tmp_path: Path) -> None:
    def full(file: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def broken(file: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    assert "No space left on device -> make room there" in fails(system_checks.check_disk(tmp_path, sync=full))
    assert "Input/output error" in fails(system_checks.check_disk(tmp_path, sync=broken))


def test_impossible_data_folder(tmp_path: Path) -> None:
    tmp_path.joinpath("file").touch()
    assert "Not a directory" in fails(system_checks.check_disk(tmp_path / "file" / "data"))


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Path]:
    file = tmp_path / "a journal?.sqlite3"
    connection = sqlite3.connect(file)
    connection.execute("CREATE TABLE sittings (id INTEGER PRIMARY KEY, setup TEXT)")
    connection.executemany("INSERT INTO sittings (setup) VALUES (?)", [("x" * 500,)] * 100)
    connection.commit()
    connection.close()
    return file


def test_valid_journal(journal: Path) -> None:
    before = journal.read_bytes()
    assert system_checks.check_journal(journal) == Check("journal", CheckMark.OK, f"{journal}: 100 games")
    assert journal.read_bytes() == before


def test_no_journal_yet(tmp_path: Path) -> None:
    assert system_checks.check_journal(tmp_path / "none").mark is CheckMark.OK
    assert not tmp_path.joinpath("none").exists()


@pytest.mark.parametrize("keep", [0.0, 0.3, 0.9])
def test_a_torn_journal(journal: Path, keep: float) -> None:
    data = journal.read_bytes()
    journal.write_bytes(
        b"no database at all, but long enough to be one" * 20 if not keep else data[: int(len(data) * keep)]
    )
    assert "sets the file aside" in warns(system_checks.check_journal(journal))


def test_a_journal_that_is_a_folder(tmp_path: Path) -> None:
    assert "it sets it aside" in warns(system_checks.check_journal(tmp_path))


def test_a_journal_that_cannot_be_opened(journal: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise sqlite3.OperationalError("unable to open database file")

    with monkeypatch.context() as patched:  # what measures the tests writes to a database after them
        patched.setattr(sqlite3, "connect", refuse)
        check = system_checks.check_journal(journal)
    assert "make the file and its folder readable" in fails(check)


def test_speech_needs_a_program() -> None:
    missing = system_checks.check_speech(lambda name: None, "linux")
    assert "espeak-ng is missing" in warns(missing)
    assert missing.fix == "sudo apt install espeak-ng"
    assert system_checks.check_speech(lambda name: None, "darwin").fix == "brew install espeak-ng"
    assert system_checks.check_speech(lambda name: f"/usr/bin/{name}").mark is CheckMark.OK


JULY_2027 = 1_815_000_000.0


def test_a_good_clock() -> None:
    assert system_checks.check_clocks(ticking(1), lambda: JULY_2027, lambda: "yes").found == "2027-07-07 22:40 UTC"
    assert system_checks.check_clocks(ticking(1), lambda: JULY_2027, lambda: "").mark is CheckMark.OK


def test_clocks_that_are_wrong() -> None:
    assert "goes backwards" in fails(system_checks.check_clocks(ticking(-1), lambda: JULY_2027, lambda: "yes"))
    assert "1970-01-01" in warns(system_checks.check_clocks(ticking(1), lambda: 0.0, lambda: "yes"))
    assert "not set from the network" in warns(system_checks.check_clocks(ticking(1), lambda: JULY_2027, lambda: "no"))


@pytest.mark.parametrize(
    ("printed", "alarm", "words"),
    [
        ("throttled=0x0", None, ""),
        ("throttled=0x50005", None, "too little voltage now and since it was switched on"),
        ("throttled=0x50000", None, "too little voltage since it was switched on"),
        ("throttled=0x80008", None, "too hot now and since it was switched on"),
        ("VCHI initialization failed", "1", "too little voltage now"),
        ("", "0", ""),
        ("", None, ""),
    ],
)
def test_power_of_a_pi(tmp_path: Path, printed: str, alarm: str | None, words: str) -> None:
    if alarm is not None:
        (tmp_path / "in0_lcrit_alarm").write_text(f"{alarm}\n")
    check = system_checks.check_power(lambda *_: printed, lambda: tmp_path / "in0_lcrit_alarm" if alarm else None)
    if words:
        assert check.found == words
        assert warns(check)
    else:
        assert check.mark is CheckMark.OK
