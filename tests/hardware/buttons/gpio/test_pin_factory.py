"""The chip of the header's pins is asked for its label, and lgpio is loaded in a folder of its own."""

from __future__ import annotations

import errno
import fcntl
import os
from pathlib import Path

import pytest

from hardware.buttons.gpio.pin_factory import WORKING_FOLDER_VARIABLE, describe_error, read_chip_label, use_lgpio_folder


def test_label_is_read_by_the_kernels_chip_info_request(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """`struct gpiochip_info` and _IOR(0xB4, 1, it), as in include/uapi/linux/gpio.h."""
    asked: list[tuple[int, int]] = []

    def answer(_descriptor: int, request: int, info: bytes) -> bytes:
        asked.append((request, len(info)))
        return b"gpiochip0".ljust(32, b"\0") + b"pinctrl-rp1".ljust(32, b"\0") + (54).to_bytes(4, "little")

    chip = tmp_path / "gpiochip0"
    chip.touch()
    monkeypatch.setattr(fcntl, "ioctl", answer)
    assert read_chip_label(chip) == "pinctrl-rp1"
    assert asked == [(2 << 30 | 68 << 16 | 0xB4 << 8 | 1, 68)]


def test_what_is_no_chip_has_no_label(tmp_path: Path) -> None:
    for name in ("gone", "file"):
        (tmp_path / "file").touch()
        with pytest.raises(OSError, match=r"Errno"):
            read_chip_label(tmp_path / name)


def test_error_without_a_message_is_described_by_its_class() -> None:
    assert describe_error(RuntimeError()) == "RuntimeError"
    assert describe_error(RuntimeError("'GPIO busy'")) == "GPIO busy"


def test_removed_working_folder_is_no_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(WORKING_FOLDER_VARIABLE, raising=False)
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with use_lgpio_folder() as folder:
        assert Path.cwd() == folder.resolve()


def test_unreadable_working_folder_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> Path:
        raise PermissionError(errno.EACCES, "no permission")

    monkeypatch.setattr(Path, "cwd", refuse)
    with pytest.raises(PermissionError), use_lgpio_folder():
        pass


def test_temporary_folder_that_cannot_be_deleted_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise OSError(errno.EBUSY, "busy")

    monkeypatch.delenv(WORKING_FOLDER_VARIABLE, raising=False)
    with monkeypatch.context() as patch:
        with use_lgpio_folder() as folder:
            patch.setattr(os, "rmdir", refuse)
        assert WORKING_FOLDER_VARIABLE not in os.environ
    folder.rmdir()
