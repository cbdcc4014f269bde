"""The command `companion doctor`: output and exit status."""

from __future__ import annotations

import json
from argparse import Namespace
from dataclasses import replace
from pathlib import Path

import pytest

from companion.cli import build_parser
from companion.commands.doctor import button_checks, camera_checks, command, system_checks
from companion.commands.doctor.check import Check, CheckMark, format_checks

GOOD = Check("disk", CheckMark.OK, "there")
POOR = Check("data folder", CheckMark.WARN, "small", "make room")
BAD = Check("fonts", CheckMark.FAIL, "gone", "bring them")


def parsed(*arguments: str) -> Namespace:
    return build_parser(["doctor"]).parse_args(["doctor", *arguments])


@pytest.mark.parametrize(("found", "status"), [([GOOD], 0), ([GOOD, POOR], 0), ([BAD, POOR], 1)])
def test_exit_status_is_0_if_it_can_run(
    found: list[Check], status: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "run_checks", lambda args: found)
    args = parsed()
    assert args.run(args) == status
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == ("The companion cannot run like this." if status else "The companion can run.")


def test_one_line_per_check() -> None:
    assert format_checks([GOOD, POOR, BAD]) == [
        "ok    disk         there",
        "warn  data folder  small -> make room",
        "fail  fonts        gone -> bring them",
    ]


def test_json_for_machines(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(command, "run_checks", lambda args: [GOOD, BAD])
    assert command.run(parsed("--json")) == 1
    assert json.loads(capsys.readouterr().out) == {
        "can_run": False,
        "checks": [
            {"name": "disk", "mark": "ok", "found": "there", "fix": ""},
            {"name": "fonts", "mark": "fail", "found": "gone", "fix": "bring them"},
        ],
    }


def test_json_holds_nothing_that_a_terminal_executes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hostile = replace(BAD, found="gone\x9b2J\u202e")
    monkeypatch.setattr(command, "run_checks", lambda args: [hostile])
    command.run(parsed("--json"))
    printed = capsys.readouterr().out
    assert printed.isascii()
    assert json.loads(printed)["checks"][0]["found"] == hostile.found


def examined(*arguments: str) -> dict[str, Check]:
    return {check.name: check for check in command.run_checks(parsed(*arguments))}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bool]]:
    """Arguments of the camera check; no device is opened."""
    seen: list[tuple[str, bool]] = []

    def camera(spec: str, wanted: bool, folder: Path, mains_hz: int) -> Check:
        seen.append((spec, wanted))
        return Check("camera", CheckMark.OK, "")

    monkeypatch.setattr(camera_checks, "check_camera", camera)
    monkeypatch.setattr(
        button_checks, "check_pins", lambda wired, wanted: Check("GPIO", CheckMark.OK, f"wanted: {wanted}")
    )
    monkeypatch.setattr(
        button_checks, "check_button_box", lambda find, wanted: Check("button box", CheckMark.OK, f"wanted: {wanted}")
    )
    monkeypatch.setattr(system_checks, "read_ntp_state", lambda: "")
    return seen


def test_all_checks_are_run(tmp_path: Path, asked: list[tuple[str, bool]]) -> None:
    found = examined("--data", str(tmp_path))
    hardware = ["display", "camera", "ribbon camera", "rights", "GPIO", "button box", "controllers", "power"]
    files = ["fonts", "vision", "speech", "games", "data folder", "journal", "choices"]
    assert list(found) == ["Python", "settings", *hardware, *files, "clock"]
    assert str(tmp_path) in found["data folder"].found
    assert asked == [("0", False)]


def test_camera_is_required_only_if_named(tmp_path: Path, asked: list[tuple[str, bool]]) -> None:
    file = tmp_path / "box.toml"
    file.write_text(f'[table]\nkind = "real"\ncamera = 3\n[data]\nfolder = "{tmp_path}/box"\n', encoding="utf-8")
    found = examined("--settings", str(file))
    assert str(tmp_path / "box") in found["data folder"].found
    examined("--data", str(tmp_path), "--camera", "7")
    assert asked == [("3", False), ("7", True)], "a real table without one is played by buttons"


def test_bad_settings_do_not_hide_the_rest(tmp_path: Path, asked: list[tuple[str, bool]]) -> None:
    file = tmp_path / "box.toml"
    file.write_text("[tabel", encoding="utf-8")
    found = examined("--settings", str(file), "--data", str(tmp_path))
    assert found["settings"].mark is CheckMark.FAIL
    assert found["fonts"].mark is CheckMark.OK


@pytest.mark.parametrize(
    ("table", "pins", "box"),
    [
        ("kind = 'real'", False, False),
        ("kind = 'real'\nbuttons = 'both'", True, True),
        ("kind = 'real'\nbuttons = 'gpio'", True, False),
        ("kind = 'real'\nbuttons = 'box'", False, True),
        ("kind = 'virtual'\nbuttons = 'both'", False, False),
    ],
)
def test_buttons_are_required_if_the_settings_name_them(
    tmp_path: Path, asked: list[tuple[str, bool]], table: str, pins: bool, box: bool
) -> None:
    file = tmp_path / "box.toml"
    file.write_text(f"[table]\n{table}\n", encoding="utf-8")
    found = examined("--settings", str(file), "--data", str(tmp_path))
    assert (found["GPIO"].found, found["button box"].found) == (f"wanted: {pins}", f"wanted: {box}")
