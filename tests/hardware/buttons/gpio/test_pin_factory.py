"""The chip of the header's pins is found by its label, why it cannot be opened, and lgpio has a folder of its own."""

from __future__ import annotations

import errno
import fcntl
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import NoReturn

import pytest

from hardware.buttons.gpio import pin_factory
from hardware.buttons.gpio.pin_factory import (
    WORKING_FOLDER_VARIABLE,
    GpioMissing,
    describe_error,
    open_lgpio,
    read_chip_label,
    use_lgpio_folder,
)

MODULE = pin_factory.__name__


def fail_with(error: Exception) -> Callable[..., NoReturn]:
    """Return a function that raises an error."""

    def fail(*_arguments: object, **_options: object) -> NoReturn:
        raise error

    return fail


@pytest.fixture
def chips(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine with a GPIO chip and lgpio."""
    folder = tmp_path / "dev"
    folder.mkdir()
    (folder / "gpiochip0").write_text("pinctrl-bcm2711")
    monkeypatch.setattr(pin_factory, "DEVICE_FOLDER", folder)
    monkeypatch.setattr(pin_factory, "find_spec", lambda _: object())
    monkeypatch.setattr(pin_factory, "read_chip_label", lambda chip: chip.read_text().strip())
    monkeypatch.delitem(sys.modules, pin_factory.LGPIO_FACTORY_MODULE, raising=False)
    monkeypatch.delenv(WORKING_FOLDER_VARIABLE, raising=False)
    return folder


@pytest.mark.parametrize(
    ("patches", "words"),
    [
        ({f"{MODULE}.DEVICE_FOLDER": Path("/nowhere")}, "no GPIO pins on this machine"),
        ({f"{MODULE}.find_spec": lambda _: None}, "need lgpio: sudo apt install python3-lgpio"),
        (
            {f"{MODULE}.import_module": fail_with(ImportError("no lgpio"))},
            r"cannot be loaded \(no lgpio\): sudo apt install --reinstall python3-lgpio",
        ),
        (
            {f"{MODULE}.import_module": lambda _: SimpleNamespace(LGPIOFactory=fail_with(RuntimeError("'busy'")))},
            "cannot be used: busy$",
        ),
        (
            {f"{MODULE}.read_chip_label": fail_with(PermissionError()), "os.access": lambda *_: False},
            "usermod -aG gpio",
        ),
    ],
    ids=["no chip", "no lgpio", "damaged lgpio", "busy", "no permission"],
)
def test_chip_that_cannot_be_opened_is_explained(
    monkeypatch: pytest.MonkeyPatch, chips: Path, patches: dict[str, object], words: str
) -> None:
    for target, value in patches.items():
        monkeypatch.setattr(target, value)
    with pytest.raises(GpioMissing, match=words):
        open_lgpio()


class PinUnknownPi(Exception):
    """Has the name of gpiozero's error."""


class OddBoardFactory:
    """gpiozero's factory on a board that it does not know: it has opened the chip all the same."""

    def __init__(self, chip: int) -> None:
        self.is_open = True

    @property
    def board_info(self) -> object:
        raise PinUnknownPi("no revision")

    def close(self) -> None:
        self.is_open = False


def test_chip_of_an_unknown_board_is_closed(monkeypatch: pytest.MonkeyPatch, chips: Path) -> None:
    """The source is opened again and again, and lgpio has a limited number of handles."""
    opened: list[OddBoardFactory] = []
    module = SimpleNamespace(LGPIOFactory=lambda chip: opened.append(OddBoardFactory(chip)) or opened[-1])
    monkeypatch.setattr(pin_factory, "import_module", lambda _: module)
    with pytest.raises(GpioMissing, match="not a Raspberry Pi"):
        open_lgpio()
    assert [factory.is_open for factory in opened] == [False]


def test_chip_is_chosen_by_its_label(monkeypatch: pytest.MonkeyPatch, chips: Path) -> None:
    """H1: kernels of 2026 number the Pi 5's chips from 11, and a foreign chip may have the number 0 or 4."""
    opened: list[int] = []
    module = SimpleNamespace(LGPIOFactory=lambda chip: opened.append(chip) or SimpleNamespace(board_info=None))
    monkeypatch.setattr(pin_factory, "import_module", lambda _: module)
    (chips / "gpiochip0").write_text("ft232h-gpio")
    (chips / "gpiochip15").write_text("pinctrl-rp1")
    (chips / "gpiochip4").symlink_to(chips / "gpiochip15")
    open_lgpio()
    assert opened == [15]
    (chips / "gpiochip15").write_text("gpio-brcmstb@107d508500")
    with pytest.raises(GpioMissing, match=r"\(gpiochip0 ft232h-gpio, gpiochip15 gpio-brcmstb@107d508500\)"):
        open_lgpio()


def test_label_is_read_by_the_kernels_chip_info_request(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """`struct gpiochip_info` and _IOR(0xB4, 1, it), as in include/uapi/linux/gpio.h."""
    asked: list[tuple[int, int]] = []

    def answer(_descriptor: int, request: int, info: bytes) -> bytes:
        asked.append((request, len(info)))
        return b"gpiochip0".ljust(32, b"\0") + b"pinctrl-rp1".ljust(32, b"\0") + (54).to_bytes(4, "little")

    chip = tmp_path / "gpiochip0"
    chip.touch()
    with pytest.raises(OSError, match=r"Errno"):
        read_chip_label(chip)
    monkeypatch.setattr(fcntl, "ioctl", answer)
    assert read_chip_label(chip) == "pinctrl-rp1"
    assert asked == [(2 << 30 | 68 << 16 | 0xB4 << 8 | 1, 68)]


def test_error_without_a_message_is_described_by_its_class() -> None:
    assert describe_error(RuntimeError()) == "RuntimeError"


def test_lgpio_is_loaded_in_its_own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(WORKING_FOLDER_VARIABLE, raising=False)
    monkeypatch.chdir(tmp_path)
    with use_lgpio_folder() as folder:
        assert Path.cwd() == folder.resolve() != tmp_path
        assert os.environ[WORKING_FOLDER_VARIABLE] == str(folder)
    assert Path.cwd() == tmp_path
    assert WORKING_FOLDER_VARIABLE not in os.environ
    assert not folder.exists()


def test_configured_working_folder_is_used_and_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, chips: Path
) -> None:
    monkeypatch.setenv(WORKING_FOLDER_VARIABLE, str(tmp_path))
    with use_lgpio_folder() as folder:
        assert folder == tmp_path == Path.cwd()
    assert tmp_path.exists()
    monkeypatch.setenv(WORKING_FOLDER_VARIABLE, str(tmp_path / "gone"))
    with pytest.raises(GpioMissing, match="name another, or unset it"):
        open_lgpio()


def test_removed_working_folder_is_no_error_but_an_unreadable_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv(WORKING_FOLDER_VARIABLE, raising=False)
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with use_lgpio_folder() as folder:
        assert Path.cwd() == folder.resolve()
    monkeypatch.setattr(Path, "cwd", fail_with(PermissionError(errno.EACCES, "no permission")))
    with pytest.raises(PermissionError), use_lgpio_folder():
        pass


def test_temporary_folder_that_cannot_be_deleted_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(WORKING_FOLDER_VARIABLE, raising=False)
    with monkeypatch.context() as patch:
        with use_lgpio_folder() as folder:
            patch.setattr(os, "rmdir", fail_with(OSError(errno.EBUSY, "busy")))
        assert WORKING_FOLDER_VARIABLE not in os.environ
    folder.rmdir()
