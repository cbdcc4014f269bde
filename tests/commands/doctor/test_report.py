"""The report: versions, hardware, settings, the log, and no private data."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.cli import main
from companion.commands import CommandError
from companion.commands.doctor import command, report
from companion.commands.doctor.camera_checks import PICTURE_FILE
from companion.commands.doctor.check import Check, CheckMark
from companion.commands.doctor.redaction import Redactor
from companion.commands.doctor.report import (
    list_devices,
    list_player_names,
    read_service_log,
    write_report,
)
from companion.config.settings import Settings, TableSettings
from companion.events import Button
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.entry import EntryContent, EntryKind, GameSetup, SeatChange
from companion.journal.renamed_players import NAMES_FILE
from tests.full_disk import limit_file_size

NAMES = ("Adalgisa", "Jo", "Circle", "X")
SETUP = GameSetup(game="macroscope", players=NAMES, buttons=(Button.SEAT1, Button.SEAT2, Button.SEAT3, Button.SEAT4))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder with games."""
    made = tmp_path / "data"
    with Journal(made / JOURNAL_FILE) as journal:
        journal.begin_game(SETUP)
    (made / PICTURE_FILE).write_bytes(b"\xff\xd8\xffa picture")
    return made


@pytest.fixture
def private() -> Redactor:
    return Redactor(NAMES, Path("/home/ada.k"), "ada.k", "adas-box")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("settings from /home/ada.k/.config/x.toml", "settings from ~/.config/x.toml"),
        ("from /home/ada.kk/x and /media/bob/stick", "from /home/[user]/x and /media/[user]/stick"),
        ("ADALGISA's turn, not Adalgisas", "[player 1]'s turn, not Adalgisas"),
        ("Jo pressed; Job 1 and jo", "[player 3] pressed; Job 1 and [player 3]"),
        ('camera = "rtsp://bob:pass@cam.lan:554/live?k=1"', 'camera = "rtsp://[address]/..."'),
        ("http://10.0.0.7", "http://[address]"),
        ("from 192.168.1.20 port 5", "from [address] port 5"),
        ("dc:a6:32:01:02:03 and fe80:0:0:0:1:2:3:4", "[address] and [address]"),
        ("adas-box kernel: ada.k logged in", "[host] kernel: [user] logged in"),
        ("at 10:20:30 a die of X", "at 10:20:30 a die of X"),
        (
            "also /dev/v4l/by-id/usb-046d_HD_Webcam_C920_5F7A-31EF-video-index0",
            "also /dev/v4l/by-id/usb-046d_HD_Webcam_C920_[serial]-video-index0",
        ),
        (
            "usb-A_B_77-if00,usb-C_D_78-video-index1: usb-E_F_79-event",
            "usb-A_B_[serial]-if00,usb-C_D_[serial]-video-index1: usb-E_F_[serial]-event",
        ),
        (
            "/dev/cu.usbserial-A50285BI and /dev/tty.usbmodem1101: gone",
            "/dev/cu.usbserial-[serial] and /dev/tty.usbmodem[serial]: gone",
        ),
        ("Camera 0 is usb-Eye_4000_12-video-index0.", "Camera 0 is usb-Eye_4000_[serial]-video-index0."),
        (
            'port = "/dev/serial/by-id/usb-companion_button_box_E6614C311B-if00"',
            'port = "/dev/serial/by-id/usb-companion_button_box_[serial]-if00"',
        ),
    ],
)
def test_private_data_is_redacted(private: Redactor, text: str, wanted: str) -> None:
    assert private(text) == wanted


def test_text_without_private_data_is_unchanged() -> None:
    assert Redactor((), Path("/"), "root", "localhost")("root at localhost, /x") == "root at localhost, /x"


def test_player_names_exclude_names_of_seats(folder: Path) -> None:
    assert list_player_names(folder) == ["Adalgisa", "Jo", "X"]
    assert list_player_names(folder / "nowhere") == []


def test_player_names_include_later_and_other_ones(folder: Path) -> None:
    names = '{"names": {"Jo": "Joanna", "Joe": "Joanna", "Zoltan": 3}}'
    (folder / NAMES_FILE).write_text(names, encoding="utf-8")
    with Journal(folder / JOURNAL_FILE) as journal:
        change = SeatChange(seat=0, name="Hildegard", button=Button.SEAT1)
        journal.append_entry(1, EntryContent(kind=EntryKind.SEATED, seated=change))
    assert list_player_names(folder) == ["Adalgisa", "Hildegard", "Jo", "Joanna", "Joe", "X", "Zoltan"]


FOUND = [Check("camera 0", CheckMark.WARN, "Adalgisa's camera", "ask Jo")]


def test_report_is_complete(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "run_program", lambda *command: "Jo logged" if command[0] == "journalctl" else "")
    settings = Settings(table=TableSettings(camera="rtsp://jo:secret@camera/1"))
    file = tmp_path / "report.txt"
    write_report(file, FOUND, settings, folder, with_picture=False)
    text = file.read_text(encoding="utf-8")
    for part in ("Python 3.", "numpy ", "opencv-python ", "SDL ", "SQLite ", "== Machine", "processors", "== Devices"):
        assert part in text, part
    assert re.search(r"warn  camera 0 +\[player 1\]'s camera -> ask \[player 2\]", text)
    assert 'camera = "rtsp://[address]/..."' in text
    assert "[player 2] logged" in text
    assert "journal.sqlite3" in text
    for word in ("Adalgisa", "secret", "jo:"):
        assert word not in text
    assert file.stat().st_mode & 0o777 == 0o600


def test_with_a_picture_it_is_an_archive(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "report.zip"
    seen = Check("camera 0", CheckMark.OK, f"1280x720; what it sees: {folder / PICTURE_FILE}")
    assert write_report(file, [seen], Settings(), folder, with_picture=True)
    with zipfile.ZipFile(file) as archive:
        assert archive.namelist() == ["report.txt", "camera.jpg"]
        assert archive.read("camera.jpg") == b"\xff\xd8\xffa picture"


def test_a_picture_of_another_day_is_left_out(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "report.zip"
    assert not write_report(file, FOUND, Settings(), folder, with_picture=True)
    with zipfile.ZipFile(file) as archive:
        assert archive.namelist() == ["report.txt"]


def test_people_are_told_when_the_camera_has_left_no_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "run_checks", lambda _args: FOUND)
    file = tmp_path / "report.zip"
    main(["doctor", "--report", str(file), "--picture", "--data", str(tmp_path)])
    assert "report.zip has all that, but no picture of the camera." in capsys.readouterr().err
    with zipfile.ZipFile(file) as archive:
        assert archive.namelist() == ["report.txt"]


def test_existing_file_is_kept(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "report.txt"
    file.write_text("mine", encoding="utf-8")
    with pytest.raises(CommandError, match="is there already"):
        write_report(file, FOUND, Settings(), folder, with_picture=False)
    assert file.read_text(encoding="utf-8") == "mine"
    with pytest.raises(CommandError, match="cannot be written"):
        write_report(tmp_path / "no" / "report.txt", FOUND, Settings(), folder, with_picture=False)


@pytest.mark.parametrize("name", ["report.txt", "report.zip"])
def test_a_full_disk_leaves_no_file_that_the_next_try_would_refuse(folder: Path, tmp_path: Path, name: str) -> None:
    file = tmp_path / "there" / name
    file.parent.mkdir()
    with limit_file_size(100), pytest.raises(CommandError, match=r"report\.\w+ cannot be written: File too large"):
        write_report(file, FOUND, Settings(), folder, with_picture=False)
    assert [*file.parent.iterdir()] == []
    write_report(file, FOUND, Settings(), folder, with_picture=False)


def test_devices_by_kind_and_ids_without_serial_numbers(tmp_path: Path) -> None:
    for path, text in {
        "class/video4linux/video0/name": "USB camera",
        "class/drm/card1-HDMI-A-1/status": "connected",
        "bus/usb/devices/1-1/idVendor": "2341",
        "bus/usb/devices/1-1/idProduct": "8036",
        "bus/usb/devices/1-1/product": "Button Box",
        "bus/usb/devices/1-1/serial": "BTNBOX-0001",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(f"{text}\n", encoding="utf-8")
    (tmp_path / "gpiochip0").touch()
    assert list(list_devices(tmp_path, tmp_path)) == [
        "video0: USB camera",
        "screen card1-HDMI-A-1: connected",
        "USB 2341:8036 Button Box",
        "gpiochip0",
    ]


def test_missing_log_is_reported() -> None:
    assert list(read_service_log(lambda *_: "")) == [
        "none: the companion is no service here, or this user may not read its log"
    ]


def test_the_command(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def examine(_args: object) -> Sequence[Check]:
        return FOUND

    monkeypatch.setattr(command, "run_checks", examine)
    file = tmp_path / "report.txt"
    assert main(["doctor", "--report", str(file), "--data", str(folder)]) == 0
    assert "has all that" in capsys.readouterr().err
    assert file.exists()
    assert main(["doctor", "--report", str(file), "--data", str(folder)]) == 1
    assert "is there already" in capsys.readouterr().err
    assert main(["doctor", "--picture"]) == 2
    assert main(["doctor", "--picture", "--report", str(tmp_path / "x.txt")]) == 2
