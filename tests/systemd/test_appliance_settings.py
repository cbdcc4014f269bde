"""A mistake in the settings file ends the program on a desktop, but never leaves an appliance with a black screen."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion import cli
from companion.commands import run
from companion.config.settings import Settings, parse_settings
from tests.conftest import REPOSITORY
from tests.systemd.test_porch import switch_porch_on


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Settings, str]]:
    calls: list[tuple[Settings, str]] = []

    def start(_args: Any, settings: Settings, settings_problem: str = "") -> int:
        calls.append((settings, settings_problem))
        return 0

    monkeypatch.setattr(run, "play_on_screen", start)
    return calls


def write_bad_settings(folder: Path) -> str:
    file = folder / "companion.toml"
    file.write_text("[table]\ncamra = 1\n", encoding="utf-8")
    return str(file)


def test_appliance_continues_with_installer_settings_and_reports_the_mistake(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    started: list[tuple[Settings, str]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nobody"))
    assert cli.main(["run", "--settings", write_bad_settings(tmp_path)]) == 0
    ((settings, trouble),) = started
    assert settings.table.kind == "real"
    assert settings.display.fullscreen
    assert "camra" in trouble
    assert "camra" in capsys.readouterr().err


def test_a_desktop_reports_the_mistake_and_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, started: list[tuple[Settings, str]]
) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    assert cli.main(["run", "--settings", write_bad_settings(tmp_path)]) == 2
    assert started == []


def test_the_installer_writes_the_appliance_settings(tmp_path: Path) -> None:
    """The program that install.sh has for it runs here, and its file gives the settings that replace a bad file."""
    installer = (REPOSITORY / "systemd/install.sh").read_text(encoding="utf-8")
    (program,) = re.findall(r"<<'PYTHON'\n(.*?)^PYTHON$", installer, re.DOTALL | re.MULTILINE)
    file = tmp_path / "companion.toml"
    subprocess.run([sys.executable, "-c", program, file], check=True, cwd=REPOSITORY)
    settings, expected = parse_settings(file.read_bytes(), "the defaults"), run.make_appliance_settings()
    assert (settings.table, settings.display) == (expected.table, expected.display)
    # The proofs of the porch change this file.
    opened = parse_settings(switch_porch_on(file.read_text(encoding="utf-8")).encode(), "the porch").porch
    assert (opened.on, opened.table) == (True, "hall-1")
