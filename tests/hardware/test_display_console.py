"""Each thing that keeps a picture from the console is told apart, in folders that look like the kernel's."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hardware import display_console


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A Pi 4 on which all is well: two cards, one of them with a cable, and a keyboard."""
    for name in ("dev/dri/card0", "dev/dri/card1", "dev/dri/renderD128", "dev/input/event0"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch(0o600)
    for name, state in (("card1-HDMI-A-1", "connected"), ("card1-HDMI-A-2", "disconnected")):
        (tmp_path / "drm" / name).mkdir(parents=True)
        (tmp_path / "drm" / name / "status").write_text(f"{state}\n", encoding="ascii")
    (tmp_path / "libSDL2-2.0.so.0").write_bytes(b"\x7fELF...x11\0KMSDRM\0offscreen")
    (tmp_path / "maps").write_text(
        f"7f00-7f01 r-xp 00000000 08:02 123    {tmp_path / 'libSDL2-2.0.so.0'}\n7f02-7f03 rw-p 0 00:00 0 \n",
        encoding="utf-8",
    )
    return tmp_path


def why(machine: Path) -> str | None:
    return display_console.find_screen_problem(machine / "dev", machine / "drm", machine / "maps")


def test_all_is_well(machine: Path) -> None:
    assert why(machine) is None
    assert display_console.find_keyboard_problem(machine / "dev") is None


def test_an_sdl_without_the_driver(machine: Path) -> None:
    (machine / "libSDL2-2.0.so.0").write_bytes(b"\x7fELF...x11\0offscreen")
    assert "python3-pygame" in (why(machine) or "")


def test_no_card(machine: Path) -> None:
    for card in (machine / "dev/dri").iterdir():
        card.unlink()
    assert "vc4-kms-v3d" in (why(machine) or "")


def test_no_cable(machine: Path) -> None:
    (machine / "drm/card1-HDMI-A-1/status").write_text("disconnected\n", encoding="ascii")
    assert why(machine) == "none is plugged in and switched on"


@pytest.mark.parametrize(
    ("kept", "group"), [("dri/card*", "video"), ("dri/renderD128", "render"), ("input/event0", "input")]
)
def test_no_rights_names_the_group(machine: Path, monkeypatch: pytest.MonkeyPatch, kept: str, group: str) -> None:
    """As root all may be used, so access is refused by hand; the owner is the device's own."""
    refused = set((machine / "dev").glob(kept))
    assert refused
    monkeypatch.setattr(os, "access", lambda path, _mode: path not in refused)
    monkeypatch.setattr(os, "getgroups", list)
    monkeypatch.setattr(display_console.grp, "getgrgid", lambda _gid: type("Group", (), {"gr_name": group}))
    said = display_console.find_keyboard_problem(machine / "dev") if kept.startswith("input") else why(machine)
    assert f"usermod -aG {group} " in (said or "")
    assert "\n" not in (said or "")


def test_one_usable_card_is_enough(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, _mode: path != machine / "dev/dri/card0")
    assert why(machine) is None


@pytest.mark.parametrize(
    ("environ", "there"),
    [
        ({}, True),
        ({"SDL_VIDEODRIVER": "kmsdrm", "DISPLAY": ":0"}, True),
        ({"SDL_VIDEODRIVER": "x11"}, False),
        ({"SDL_VIDEODRIVER": "dummy"}, False),
        ({"DISPLAY": ":0"}, False),
        ({"WAYLAND_DISPLAY": "wayland-1"}, False),
    ],
)
def test_where_sdl_would_draw(environ: dict[str, str], there: bool) -> None:
    assert display_console.is_on_console(environ) is there


def test_this_process_own_sdl_is_found() -> None:
    """PyPI's pygame has no such driver; pygame-ce and Debian's have. Either way the answer is none of guessing."""
    import pygame  # noqa: F401 - loads SDL

    assert display_console.can_draw_on_console() in {True, False}
