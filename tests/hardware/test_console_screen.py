"""Display connectors, and each cause of a missing picture or keyboard, in folders like the kernel's."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hardware import console_screen
from hardware.console_screen import silence_wayland


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A Pi 4 without problems: two cards, one of them with a cable, and a keyboard."""
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


def describe_problem(machine: Path) -> str | None:
    return console_screen.find_screen_problem(machine / "dev", machine / "drm", machine / "maps")


@pytest.mark.parametrize(
    ("states", "is_connected"),
    [
        ({"card0-HDMI": "disconnected", "card1-DSI": "connected"}, True),
        ({"card0-HDMI": "disconnected", "card1-DSI": "unknown"}, False),
        ({}, None),
    ],
)
def test_one_connected_display_of_several_counts(
    tmp_path: Path, states: dict[str, str], is_connected: bool | None
) -> None:
    (tmp_path / "card0").mkdir()  # no connector
    for name, state in states.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "status").write_text(f"{state}\n")
    assert console_screen.is_display_connected(tmp_path) is is_connected


def test_without_connectors_that_can_be_read_the_answer_is_unknown(tmp_path: Path) -> None:
    (tmp_path / "card0-HDMI" / "status").mkdir(parents=True)
    assert console_screen.is_display_connected(tmp_path) is None
    assert console_screen.is_display_connected(tmp_path / "nothing") is None


def test_no_problem_on_a_correct_system(machine: Path) -> None:
    assert describe_problem(machine) is None
    assert console_screen.find_keyboard_problem(machine / "dev") is None


def test_sdl_without_the_console_driver(machine: Path) -> None:
    (machine / "libSDL2-2.0.so.0").write_bytes(b"\x7fELF...x11\0offscreen")
    assert "no desktop is running" in (describe_problem(machine) or "")


def test_missing_graphics_card(machine: Path) -> None:
    for card in (machine / "dev/dri").iterdir():
        card.unlink()
    assert "vc4-kms-v3d" in (describe_problem(machine) or "")


def test_missing_cable(machine: Path) -> None:
    (machine / "drm/card1-HDMI-A-1/status").write_text("disconnected\n", encoding="ascii")
    assert describe_problem(machine) == "none is plugged in and switched on"


@pytest.mark.parametrize(
    ("kept", "group"), [("dri/card*", "video"), ("dri/renderD128", "render"), ("input/event0", "input")]
)
def test_missing_permission_names_the_group(
    machine: Path, monkeypatch: pytest.MonkeyPatch, kept: str, group: str
) -> None:
    """Root may use every device, so the test refuses access itself."""
    refused = set((machine / "dev").glob(kept))
    assert refused
    monkeypatch.setattr(os, "access", lambda path, _mode: path not in refused)
    monkeypatch.setattr(os, "getgroups", list)
    monkeypatch.setattr(console_screen.grp, "getgrgid", lambda _gid: type("Group", (), {"gr_name": group}))
    problem = (
        console_screen.find_keyboard_problem(machine / "dev") if kept.startswith("input") else describe_problem(machine)
    )
    assert f"usermod -aG {group} " in (problem or "")
    assert "\n" not in (problem or "")


def test_one_usable_card_is_enough(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, _mode: path != machine / "dev/dri/card0")
    assert describe_problem(machine) is None


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
def test_console_is_used_without_desktop_or_other_driver(environ: dict[str, str], there: bool) -> None:
    assert console_screen.is_on_console(environ) is there


def test_the_sdl_of_this_process_is_examined() -> None:
    """PyPI's pygame has no such driver, pygame-ce and Debian's have it: the answer is never None."""
    import pygame  # noqa: F401 - loads SDL

    assert console_screen.can_draw_on_console() in {True, False}


OPEN_WINDOW = """
from companion.app.window import open_surface, NoScreen
from companion.config.settings import DisplaySettings
for _ in range(2):
    try: open_surface(DisplaySettings())
    except NoScreen: pass
"""
CHECK_DISPLAY = "from companion.commands.doctor.system_checks import check_display; check_display()"


@pytest.mark.full
@pytest.mark.parametrize(
    ("program", "folder"), [(OPEN_WINDOW, None), (OPEN_WINDOW, "run/user/1000"), (CHECK_DISPLAY, "")]
)
def test_no_library_complains_where_there_is_no_desktop(program: str, folder: str | None) -> None:
    """The true SDL, whose Wayland library prints an error of its own."""
    without = {"DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER", "XDG_RUNTIME_DIR"}
    environ = {name: value for name, value in os.environ.items() if name not in without}
    if folder is not None:
        environ["XDG_RUNTIME_DIR"] = folder
    program += "\nimport os; print(os.environ.get('XDG_RUNTIME_DIR'))"
    done = subprocess.run([sys.executable, "-c", program], env=environ, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert done.stdout == f"{folder}\n", "the variable is as it was"


@pytest.mark.parametrize("environ", [{}, {"XDG_RUNTIME_DIR": "run/user/1000"}])
def test_without_a_runtime_folder_there_is_none_again(environ: dict[str, str]) -> None:
    before = dict(environ)
    with silence_wayland(environ):
        assert environ == {"XDG_RUNTIME_DIR": "/nonexistent"}
    assert environ == before


def test_a_runtime_folder_stays_where_there_is_one() -> None:
    environ = {"XDG_RUNTIME_DIR": "/run/user/1000"}
    with silence_wayland(environ):
        assert environ == {"XDG_RUNTIME_DIR": "/run/user/1000"}
    assert environ == {"XDG_RUNTIME_DIR": "/run/user/1000"}
