"""Export of the day's results to a USB stick."""

from __future__ import annotations

import csv
import errno
import os
import time
from pathlib import Path

import pytest

from companion.events import Button
from companion.games.macroscope import GAME
from companion.games.macroscope.settings import Settings
from companion.i18n import set_language
from companion.journal.database import Journal
from companion.journal.entry import GameSetup
from companion.journal.saved_game import SavedGame
from companion.journal.usb_export import MAX_SAME_NAMES, export_today, find_usb_sticks

NOON = time.mktime((2026, 11, 21, 12, 0, 0, 0, 0, -1))


def played(path: Path, *days: int) -> Journal:
    """Return a journal with one game for each of `days`, started that many days before noon."""
    wall = [NOON]
    journal = Journal(path, wall=lambda: wall[0], monotonic=lambda: wall[0])
    for ago in days:
        wall[0] = NOON - ago * 86_400
        setup = GameSetup(
            game="macroscope",
            players=("Ada", "=Bob"),
            buttons=(Button.SEAT1, Button.SEAT2),
            first=0,
            settings=Settings().model_dump(mode="json"),
            seed=None,
        )
        SavedGame.begin(journal, setup, GAME)
    return journal


def test_only_todays_games_are_exported(tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    with played(tmp_path / "journal.sqlite3", 1, 0, 0) as journal:
        for _ in range(2):  # the second export replaces the first
            message = export_today(journal, NOON, [stick], "red")
    file = stick / "companion-red-2026-11-21.csv"
    assert message == "2 games of today are on the stick, in companion-red-2026-11-21.csv: you can unplug it"
    assert file.read_bytes().startswith(b"\xef\xbb\xbfsitting,")  # else Excel takes it for Latin-1
    rows = list(csv.DictReader(file.read_text(encoding="utf-8-sig").splitlines()))
    assert [row["player"] for row in rows] == ["Ada", "'=Bob"] * 2
    assert {row["title"] for row in rows} == {"Macroscope"}
    assert list(stick.iterdir()) == [file]


def test_missing_stick_or_games_are_reported(tmp_path: Path) -> None:
    with played(tmp_path / "journal.sqlite3", 3) as journal:
        assert export_today(journal, NOON, [], "red").startswith("No USB stick found")
        assert export_today(journal, NOON, [tmp_path], "red") == "Nothing has been played today"


def test_full_stick_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    stick = tmp_path / "stick"
    stick.mkdir()
    with played(tmp_path / "journal.sqlite3", 0) as journal:
        monkeypatch.setattr(os, "fsync", full)
        assert "cannot be written to (No space left on device)" in export_today(journal, NOON, [stick], "red")
    assert list(stick.iterdir()) == []


def make_disk(block: Path, name: str, bus: str, *, removable: bool = False) -> None:
    """Make a disk and its first partition as the kernel lists them below /sys."""
    disk = block.parent / "devices" / bus / name
    (disk / f"{name}1").mkdir(parents=True)
    (disk / f"{name}1" / "partition").write_text("1\n")
    (disk / "removable").write_text(f"{int(removable)}\n")
    block.mkdir(exist_ok=True)
    (block / name).symlink_to(disk)
    (block / f"{name}1").symlink_to(disk / f"{name}1")


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (r"/dev/sdu1 {0}/MY\040STICK vfat rw 0 0", ["MY STICK"]),
        (r"/dev/sdu1 {0}/tab\011here vfat rw 0 0", ["tab\there"]),
        (r"/dev/sdu1 {0}/back\134slash vfat rw 0 0", ["back\\slash"]),
        ("/dev/sdu1 {0}/Zoë vfat", ["Zoë"]),
        ("/dev/sdu {0}/whole vfat", ["whole"]),
        ("/dev/sdr1 {0}/card vfat rw 0 0", ["card"]),
        ("/dev/dm-0 {0}/secret ext4 rw 0 0", ["secret"]),
        ("/dev/sdu1 {0}/locked vfat ro 0 0\n/dev/sdr1 {0}/me/free vfat rw 0 0", ["me/free", "locked"]),
        ("/dev/sdu1 {0} vfat rw 0 0\n/dev/sdu1 /boot vfat rw 0 0\nproc /proc proc rw 0 0", []),
        ("/dev/sdu1 {0}/no-kind\n{0}/alone\n\nodd", []),
        # A disk that is screwed in, one at USB that the machine starts from, a server, memory, a disk that has gone.
        ("/dev/sda1 {0}/data ext4 rw 0 0", []),
        ("/dev/sdu1 {0}/data ext4 rw 0 0\n/dev/sdu2 / ext4 rw 0 0\n/dev/sdr1 {0}/stick vfat", ["stick"]),
        ("nas:/export {0}/nas nfs4 rw 0 0\n//nas/films {0}/films cifs rw 0 0\ntmpfs {0}/t tmpfs rw 0 0", []),
        ("/dev/sdz1 {0}/gone vfat rw 0 0", []),
    ],
)
def test_sticks_are_removable_disks_below_the_usual_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: str, found: list[str]
) -> None:
    media, mounts, block = tmp_path / "media", tmp_path / "mounts", tmp_path / "block"
    make_disk(block, "sda", "pci0/ata1")
    make_disk(block, "sdu", "pci0/usb1/1-1")
    make_disk(block, "sdr", "platform/mmc1", removable=True)
    (block / "sdu2").symlink_to(block / "sdu1")
    (block / "dm-0" / "slaves").mkdir(parents=True)
    (block / "dm-0" / "slaves" / "sdu1").symlink_to((block / "sdu1").resolve())
    mounts.write_text(lines.format(media) + "\n", encoding="utf-8")
    monkeypatch.setattr(os, "access", lambda path, _mode: path.name != "locked")
    assert find_usb_sticks(mounts, (tmp_path / "mnt", media), block) == [media / name for name in found]
    assert find_usb_sticks(tmp_path / "none", (media,), block) == []


def test_files_of_other_boxes_stay(tmp_path: Path) -> None:
    """Two boxes of one name share a stick: each replaces its own file only."""
    stick = tmp_path / "stick"
    stick.mkdir()
    (stick / "companion-red-2026-11-21.csv").write_text("no export")
    for days in ((0,), (0, 0)):
        with played(tmp_path / f"j{len(days)}", *days) as journal:
            for _ in range(2):
                message = export_today(journal, NOON, [stick], "red")
    assert message.startswith("2 games of today are on the stick, in companion-red-2026-11-21-3.csv")
    lines = {file.name[-6:-4]: len(file.read_text(encoding="utf-8").splitlines()) for file in stick.iterdir()}
    assert lines == {"21": 1, "-2": 3, "-3": 5}


def test_a_stick_full_of_other_boxes_files_is_reported(tmp_path: Path) -> None:
    names = ["companion-red-2026-11-21.csv"]
    names += [f"companion-red-2026-11-21-{number}.csv" for number in range(2, MAX_SAME_NAMES + 1)]
    for name in names[:-1]:
        (tmp_path / name).write_text("no export")
    with played(tmp_path / "j", 0) as journal:
        assert f"is on the stick, in {names[-1]}:" in export_today(journal, NOON, [tmp_path], "red")
        (tmp_path / names[-1]).write_text("no export")
        assert "cannot be written to (File exists)" in export_today(journal, NOON, [tmp_path], "red")


def test_columns_are_parted_as_the_language_expects(tmp_path: Path) -> None:
    set_language("de")
    try:
        with played(tmp_path / "j", 0) as journal:
            for _ in range(2):
                export_today(journal, NOON, [tmp_path], "red")
    finally:
        set_language("en")
    file = tmp_path / "companion-red-2026-11-21.csv"
    assert [row["player"] for row in csv.DictReader(file.read_text("utf-8-sig").splitlines(), delimiter=";")] == [
        "Ada",
        "'=Bob",
    ]


def test_link_on_the_stick_is_not_followed(tmp_path: Path) -> None:
    """A stick must not decide which file of the device is overwritten."""
    stick, ours = tmp_path / "stick", tmp_path / "ours"
    stick.mkdir()
    ours.write_text("a journal")
    for ending in ("csv", "new"):
        (stick / f"companion-red-2026-11-21.{ending}").symlink_to(ours)
    with played(tmp_path / "j", 0) as journal:
        assert "1 game" in export_today(journal, NOON, [stick], "red")
    assert ours.read_text() == "a journal"
    assert not (stick / "companion-red-2026-11-21.csv").is_symlink()


def test_games_before_the_clock_was_set_are_of_today(tmp_path: Path) -> None:
    """Without network a Pi continues at its last time; games of another day and run are not exported."""
    wall, monotonic = [NOON - 30 * 86_400], [100.0]
    setup = GameSetup(game="macroscope", players=("Ada", "Bob"), buttons=(Button.SEAT1, Button.SEAT2))
    for boot in ("a month ago", "today"):
        with Journal(tmp_path / "j", lambda: wall[0], lambda: monotonic[0], boot) as journal:
            SavedGame.begin(journal, setup, GAME)
            if boot == "today":
                monotonic[0] += 3600.0
                wall[0] = NOON
                assert "1 game" in export_today(journal, NOON, [tmp_path], "red")
    with (tmp_path / "companion-red-2026-11-21.csv").open(encoding="utf-8-sig") as file:
        assert {line["begun"][:16] for line in csv.DictReader(file)} == {"2026-11-21T11:00"}


def test_the_file_goes_to_the_first_stick_and_everybody_may_read_it(tmp_path: Path) -> None:
    sticks = [tmp_path / "one", tmp_path / "two"]
    for stick in sticks:
        stick.mkdir()
    os.umask(0o077)  # as in the running program
    with played(tmp_path / "j", 0) as journal:
        export_today(journal, NOON, sticks, "red")
    (file,) = sticks[0].iterdir()
    assert file.stat().st_mode & 0o777 == 0o644
    assert list(sticks[1].iterdir()) == []


def test_without_a_date_no_evening_replaces_another(tmp_path: Path) -> None:
    """A Pi that never learns the date gives each evening the same day; the box need not be another one."""
    setup = GameSetup(game="macroscope", players=("Ada", "Bob"), buttons=(Button.SEAT1, Button.SEAT2))
    stick = tmp_path / "stick"
    stick.mkdir()
    for boot in ("first", "second"):
        with Journal(tmp_path / "j", lambda: NOON, lambda: 100.0, boot, knows_date=lambda: False) as journal:
            for _ in range(2):
                SavedGame.begin(journal, setup, GAME)
                export_today(journal, NOON, [stick], "red")
    lines = {file.name: len(file.read_text(encoding="utf-8").splitlines()) for file in stick.iterdir()}
    assert lines == {"companion-red-undated.csv": 5, "companion-red-undated-2.csv": 5}
