"""Which device is the camera of a number, with the links that udev makes for USB cameras."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.cameras.usb_cameras import UsbCameraFinder

EYE, OTHER = "usb-Eye_4000_1234-video-index0", "usb-Built-in_HD-video-index0"


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    (tmp_path / "dev/v4l/by-id").mkdir(parents=True)
    return tmp_path


def plug(machine: Path, name: str, number: int) -> None:
    link = machine / "dev/v4l/by-id" / name
    link.unlink(missing_ok=True)
    link.symlink_to(f"../../video{number}")
    add_device(machine, number, "USB camera")


def unplug(machine: Path, name: str) -> None:
    link = machine / "dev/v4l/by-id" / name
    link.resolve().unlink()
    link.unlink()


def add_device(machine: Path, number: int, name: str) -> None:
    (machine / f"dev/video{number}").touch()
    folder = machine / f"sys/class/video4linux/video{number}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "name").write_text(f"{name}\n")


def test_camera_that_comes_back_under_another_number_is_found(machine: Path) -> None:
    plug(machine, EYE, 0)
    plug(machine, OTHER, 4)
    finder = UsbCameraFinder(0, machine)
    assert finder.find() == machine / "dev/video0"
    unplug(machine, EYE)
    assert finder.find() == machine / "dev/video0", "the other one is not taken for it"
    plug(machine, EYE, 2)
    assert finder.find() == machine / "dev/video2"
    assert finder.link == machine / "dev/v4l/by-id" / EYE


def test_another_camera_may_take_its_place(machine: Path) -> None:
    plug(machine, EYE, 0)
    finder = UsbCameraFinder(0, machine)
    finder.find()
    unplug(machine, EYE)
    plug(machine, OTHER, 0)
    assert (finder.find(), finder.link) == (machine / "dev/video0", machine / "dev/v4l/by-id" / OTHER)


@pytest.mark.parametrize("block", ["rp1-cfe-csi2_ch0", "unicam-image", None])
def test_only_usb_camera_is_found_where_the_number_is_no_camera(machine: Path, block: str | None) -> None:
    """On a Pi 5 the first numbers are parts of the chip, and the webcam has another one at each start."""
    if block:
        add_device(machine, 0, block)
    plug(machine, EYE, 8)
    assert UsbCameraFinder(0, machine).find() == machine / "dev/video8"
    plug(machine, OTHER, 10)
    assert UsbCameraFinder(0, machine).find() == machine / "dev/video0", "nobody said which of two"


def test_device_that_is_no_usb_camera_is_left_as_it_is(machine: Path) -> None:
    add_device(machine, 0, "Dummy video device (0x0000)")
    plug(machine, EYE, 2)
    assert UsbCameraFinder(0, machine).find() == machine / "dev/video0"
    assert UsbCameraFinder(7, machine / "nothing").find() == machine / "nothing/dev/video7"
