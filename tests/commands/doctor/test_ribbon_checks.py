"""Which ribbon cameras `doctor` promises: those whose driver the kernel has, on a Raspberry Pi, with picamera2."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.commands.doctor.check import CheckMark
from companion.commands.doctor.ribbon_checks import check_ribbon_cameras


@pytest.mark.parametrize(
    ("modules", "has_picamera2", "found"),
    [
        ((), False, "this kernel has no driver for ov5647, imx219, imx708, imx477"),
        (("imx219", "imx290"), False, "Camera v2: picamera2 is missing"),
        (("imx708", "imx219"), True, "Camera v2, Camera Module 3"),
    ],
)
def test_cameras_whose_driver_the_kernel_has(
    modules: tuple[str, ...], has_picamera2: bool, found: str, tmp_path: Path
) -> None:
    model = tmp_path / "model"
    model.write_text("Raspberry Pi 4 Model B Rev 1.4\0")
    for name in modules:
        (tmp_path / f"{name}.ko.xz").touch()
    check = check_ribbon_cameras(model, tmp_path, has_picamera2=has_picamera2)
    assert (check.mark, check.found) == (CheckMark.OK, found)
    assert bool(check.fix) == (not modules or not has_picamera2)


def test_another_machine_has_no_ribbon(tmp_path: Path) -> None:
    (tmp_path / "imx219.ko").touch()
    assert check_ribbon_cameras(tmp_path / "model", tmp_path).found == "this is no Raspberry Pi"
