"""A slip in the settings file leaves a desk without a game and a message, but never a box with a dark screen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion import cli
from companion.commands import run
from companion.config.settings import Settings, parse_settings
from tests.conftest import REPOSITORY


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Settings, str]]:
    calls: list[tuple[Settings, str]] = []

    def start(_args: Any, settings: Settings, settings_problem: str = "") -> int:
        calls.append((settings, settings_problem))
        return 0

    monkeypatch.setattr(run, "play_on_screen", start)
    return calls


def bad(folder: Path) -> str:
    file = folder / "companion.toml"
    file.write_text("[table]\ncamra = 1\n", encoding="utf-8")
    return str(file)


def test_a_box_goes_on_with_what_the_installer_sets_and_says_why(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    started: list[tuple[Settings, str]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nobody"))
    assert cli.main(["run", "--settings", bad(tmp_path)]) == 0
    ((settings, trouble),) = started
    assert settings.table.kind == "real"
    assert settings.display.fullscreen
    assert "camra" in trouble
    assert "camra" in capsys.readouterr().err


def test_a_desk_is_told_and_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, started: list[tuple[Settings, str]]
) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    assert cli.main(["run", "--settings", bad(tmp_path)]) == 2
    assert started == []


def test_the_installer_sets_the_same() -> None:
    """What it changes in the default text, done here in the same words."""
    from companion.config.settings import build_default_text

    text = build_default_text()
    installer = (REPOSITORY / "systemd/install.sh").read_text(encoding="utf-8")
    for was, now in (('#kind = "virtual"', 'kind = "real"'), ("#fullscreen = false", "fullscreen = true")):
        assert was in text
        assert f".replace('{was}', '{now}')" in installer or f'.replace("{was}", "{now}")' in installer
        text = text.replace(was, now)
    settings, box = parse_settings(text.encode(), "the defaults"), run.make_appliance_settings()
    assert (settings.table, settings.display) == (box.table, box.display)
