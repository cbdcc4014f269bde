"""A game in a distribution of its own (tests/plugin_game), installed as a package into an environment of its own."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY

SOURCE = REPOSITORY / "tests" / "plugin_game"
GAME = "race_to_ten"


def build_wheel(folder: Path) -> Path:
    """Write the wheel that a build of the game's folder gives; no builder need be installed here."""
    project = tomllib.loads((SOURCE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    sections = [f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in points.items())
                for group, points in project["entry-points"].items()]  # fmt: skip
    info = f"{GAME}-{project['version']}.dist-info"
    wheel = folder / f"{GAME}-{project['version']}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for file in (SOURCE / GAME).rglob("*"):
            if file.suffix in {".py", ".mo"}:
                archive.write(file, str(file.relative_to(SOURCE)))
        about = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
        archive.writestr(f"{info}/METADATA", about)
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/entry_points.txt", "\n".join(sections))
        archive.writestr(f"{info}/RECORD", "")
    return wheel


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with the companion and its packages, and the game."""
    folder = tmp_path_factory.mktemp("plugin")
    venv.create(folder / "env", with_pip=False)
    (packages,) = (folder / "env").glob("lib/python3*/site-packages")
    ours = f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n"
    (packages / "companion.pth").write_text(ours, encoding="utf-8")
    command = [sys.executable, "-m", "pip", "--python", str(folder / "env"), "install", "--quiet", "--no-index"]
    subprocess.run([*command, "--no-deps", str(build_wheel(folder))], check=True)
    return folder / "env" / "bin" / "python"


def run_python(python: Path, home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, "PYTHONPATH": str(REPOSITORY), "XDG_DATA_HOME": str(home), "XDG_CONFIG_HOME": str(home)}
    return subprocess.run([str(python), *words], cwd=home, env=environ, capture_output=True, text=True, check=False)


def companion(python: Path, home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return run_python(python, home, "-m", "companion", *words)


def test_it_is_played_to_its_end_in_another_language(python: Path, tmp_path: Path) -> None:
    settings = tmp_path / "it.toml"
    settings.write_text(f'[words]\nlanguage = "it"\n[games.{GAME}]\ngoal = 20\n', encoding="utf-8")
    words = ("run", "--headless", "--game", GAME, "--seed", "3", "--players", "Ada", "Bob", "--shots", "shots")
    done = companion(python, tmp_path, *words, "--settings", str(settings), "--data", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "Ada aggiunge" in done.stdout, "its own translation"
    assert int(re.findall(r"(?:Ada|Bob) (\d+)", done.stdout.splitlines()[-2])[0]) >= 20, "its house rule"
    listed = companion(python, tmp_path, "history", "--json", "--data", str(tmp_path))
    (game,) = json.loads(listed.stdout)
    assert (game["game"], game["over"], game["trouble"]) == (GAME, True, None)


def test_it_is_in_the_lists_of_rules_and_of_the_gallery(python: Path, tmp_path: Path) -> None:
    assert f"[games.{GAME}]\ngoal = 10" in companion(python, tmp_path, "rules").stdout
    done = companion(python, tmp_path, "gallery", str(tmp_path), "--only", GAME, "--size", "800x480")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / f"{GAME}-turn-800x480.png").is_file()


def test_a_change_of_its_code_makes_stored_results_old(python: Path, tmp_path: Path) -> None:
    program = "from companion.lobby.results_cache import program_state; print(program_state())"
    before = run_python(python, tmp_path, "-c", program).stdout
    (file,) = python.parent.parent.glob(f"lib/python3*/site-packages/{GAME}/__init__.py")
    os.utime(file, ns=(10**18, 10**18))  # an older version, installed again
    assert run_python(python, tmp_path, "-c", program).stdout != before


def test_a_game_that_cannot_be_loaded_costs_only_itself(python: Path, tmp_path: Path) -> None:
    (file,) = python.parent.parent.glob(f"lib/python3*/site-packages/{GAME}/__init__.py")
    text = file.read_text(encoding="utf-8")
    file.write_text("raise RuntimeError('it needs a newer companion')", encoding="utf-8")
    try:
        done = companion(python, tmp_path, "rules")
    finally:
        file.write_text(text, encoding="utf-8")
    assert "[games.macroscope]" in done.stdout
    assert GAME not in done.stdout
    assert "race_to_ten cannot be loaded: it needs a newer companion" in done.stderr
