"""A mistake in the settings file costs the wrong key, on a desktop and on an appliance, and is reported."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from companion import cli
from companion.commands import run
from companion.config.settings import Settings
from companion.config.settings_file import load_data_folder, parse_settings
from tests.conftest import REPOSITORY
from tests.systemd.test_porch import switch_porch_on

Started = list[tuple[Settings, Sequence[str]]]
"""With what the program was started."""


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Started:
    calls: Started = []

    def start(_args: Any, settings: Settings, settings_problems: Sequence[str]) -> int:
        calls.append((settings, settings_problems))
        return 0

    monkeypatch.setattr(run, "play_on_screen", start)
    return calls


def write_settings(folder: Path, text: str) -> str:
    file = folder / "companion.toml"
    file.write_text(text, encoding="utf-8")
    return str(file)


NEWER = """
[table]
kind = "real"
camera = "csi"
[display]
turned = 180
[words]
voice = "anna"
[data]
folder = "/box"
"""
"""As it is after an upgrade was taken back: this version knows no voice."""


@pytest.mark.parametrize("is_appliance", [True, False])
def test_a_key_of_a_newer_version_costs_that_key(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    started: Started,
    capsys: pytest.CaptureFixture[str],
    is_appliance: bool,
) -> None:
    if is_appliance:
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nobody"))
    file = write_settings(tmp_path, NEWER)
    assert cli.main(["run", "--settings", file]) == 0
    ((settings, problems),) = started
    assert (settings.table.camera, settings.display.turned, settings.data.folder) == ("csi", 180, Path("/box"))
    assert settings.display.fullscreen == is_appliance, "as the installer has it, unless the file says otherwise"
    (problem,) = problems
    assert "words.voice: there is no such setting" in problem
    assert problem in capsys.readouterr().err
    assert load_data_folder(Path(file)) == settings.find_data_folder(), "where the other commands look"


def test_an_appliance_plays_at_a_real_table_whatever_its_settings_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, started: Started
) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nobody"))
    for text in ('[table]\nkind = "rael"', "= = =", "[table"):
        assert cli.main(["run", "--settings", write_settings(tmp_path, text)]) == 0
        settings, problems = started[-1]
        assert (settings.table.kind, settings.display.fullscreen, len(problems)) == ("real", True, 1)


def test_a_desktop_names_a_file_in_which_nothing_can_be_used_and_ends(
    tmp_path: Path, started: Started, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["run", "--settings", write_settings(tmp_path, "= = =")]) == 2
    assert "line 1 is not TOML" in capsys.readouterr().err
    assert started == []


def test_the_installer_writes_the_appliance_settings(tmp_path: Path) -> None:
    """The program that install.sh has for it runs here, and its file gives the settings that replace a bad file."""
    installer = (REPOSITORY / "systemd/install.sh").read_text(encoding="utf-8")
    (program,) = re.findall(r"<<'PYTHON'\n(.*?)^PYTHON$", installer, re.DOTALL | re.MULTILINE)
    file = tmp_path / "companion.toml"
    subprocess.run([sys.executable, "-c", program, file], check=True, cwd=REPOSITORY)
    settings, _problems = parse_settings(file.read_bytes(), "the defaults")
    expected = run.add_appliance_defaults(Settings())
    assert (settings.table, settings.display) == (expected.table, expected.display)
    # The proofs of the porch change this file.
    opened = parse_settings(switch_porch_on(file.read_text(encoding="utf-8")).encode(), "the porch").settings.porch
    assert (opened.on, opened.table) == (True, "hall-1")
