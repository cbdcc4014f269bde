"""The game of examples/stone_race: built as a wheel, installed into an environment of its own, played headless."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY

pytestmark = pytest.mark.full  # builds and installs a wheel

SOURCE = REPOSITORY / "examples" / "stone_race"
GAME = "stone_race"
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")
PLAY = """
import json, sys
from companion.app.self_play import SelfPlay
from companion.app.session import SessionConfig
from companion.camera.camera_reader import make_watcher
from companion.events import DiceRead
from companion.journal.database import Journal
from pathlib import Path
from stone_race import GAME, Settings

with Journal(Path(sys.argv[1]) / "journal.sqlite3", wall=lambda: 0.0, monotonic=lambda: 0.0) as journal:
    config = SessionConfig(GAME, ("Ada", "Bob"), Settings(stones=14), int(sys.argv[2]))
    game = SelfPlay(config, journal, make_watcher(GAME.camera), lambda line: None)
    thrown, read = [], []
    throw, poll = game.table.throw_dice, game.camera_reader.poll
    game.table.throw_dice = lambda *arguments: thrown.append(throw(*arguments)) or thrown[-1]

    def watch():
        events = poll()
        read.extend(event.values for event in events if isinstance(event, DiceRead) and event.values)
        return events

    game.camera_reader.poll = watch
    scores = game.play()
    moves = [entry.what.played.to_move().value for entry in journal.read_entries(1)]
print(json.dumps([scores, thrown, read, moves]))
"""
"""A game before a simulated camera: what was thrown, what the camera read for certain, and what was played."""


def find_wheel(folder: Path) -> Path:
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel as the document says, with a copy of the folder; nothing is fetched."""
    if importlib.util.find_spec("flit_core") is None:
        assert not os.environ.get("CI"), "flit_core is not installed"
        pytest.skip("flit_core is not installed")
    folder = tmp_path_factory.mktemp("wheel")
    shutil.copytree(SOURCE, folder / "source")
    command = (*PIP, "wheel", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(folder))
    subprocess.run((*command, str(folder / "source")), check=True)
    return find_wheel(folder)


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with the companion and its packages, and the game, as a box installs it."""
    folder = tmp_path_factory.mktemp("plugin")
    (folder / "games").mkdir()
    shutil.copy(wheel, folder / "games")
    return install(folder)


def install(folder: Path) -> Path:
    """Make a version of a box in `folder` with the wheels of `folder`/games, and return its Python."""
    venv.create(folder / "env", with_pip=False)
    (packages,) = (folder / "env").glob("lib/python3*/site-packages")
    ours = f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n"
    (packages / "companion.pth").write_text(ours, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("environment", REPOSITORY / "systemd" / "environment.py")
    assert spec is not None
    assert spec.loader is not None
    environment = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(environment)
    environment.install_games([*PIP, "--python", str(folder / "env"), "install", "--no-deps"], folder / "games")
    return folder / "env" / "bin" / "python"


def find_installed(python: Path, pattern: str) -> Path:
    (found,) = python.parent.parent.glob(f"lib/python3*/site-packages/{pattern}")
    return found


def run_python(python: Path, home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, "PYTHONPATH": str(REPOSITORY), "XDG_DATA_HOME": str(home), "XDG_CONFIG_HOME": str(home)}
    return subprocess.run([str(python), *words], cwd=home, env=environ, capture_output=True, text=True, check=False)


def companion(python: Path, home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return run_python(python, home, "-m", "companion", *words)


@contextmanager
def changed(file: Path, text: str) -> Iterator[None]:
    """Let the file hold this text within the block."""
    before = file.read_bytes()
    file.write_text(text, encoding="utf-8")
    try:
        yield
    finally:
        file.write_bytes(before)


def test_the_wheel_brings_all_its_files(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    own = {
        f"{GAME}/{path}"
        for path in ("game.py", "definition.py", "scene.py", "samples.py", "art/title.png", "sounds/bump.wav")
    }
    assert own | {f"{GAME}/locale/{code}/LC_MESSAGES/{GAME}.mo" for code in ("it", "de")} <= names


def test_it_is_played_before_the_camera_and_every_throw_is_read(python: Path, tmp_path: Path) -> None:
    scores, thrown, read, moves = play(python, tmp_path, seed=5)
    assert max(scores) == 14
    assert len(moves) >= 4
    assert thrown == read == moves


def play(python: Path, folder: Path, seed: int) -> list[list[list[int]]]:
    """Play a game before the simulated camera; return the scores, and what was thrown, read and played."""
    done = run_python(python, folder, "-c", PLAY, str(folder), str(seed))
    assert done.returncode == 0, done.stderr
    played: list[list[list[int]]] = json.loads(done.stdout)
    return played


@pytest.mark.proof
@pytest.mark.parametrize("seed", range(100, 130))
def test_every_throw_is_read_right_or_thrown_again(python: Path, tmp_path: Path, seed: int) -> None:
    _scores, thrown, _read, moves = play(python, tmp_path, seed)
    ahead = iter(thrown)
    assert all(value in ahead for value in moves), (thrown, moves)


@pytest.mark.proof
def test_it_is_played_to_its_end_in_another_language(python: Path, tmp_path: Path) -> None:
    settings = tmp_path / "it.toml"
    settings.write_text(f'[words]\nlanguage = "it"\n[games.{GAME}]\nstones = 10\n', encoding="utf-8")
    words = ("run", "--headless", "--game", GAME, "--seed", "3", "--players", "Ada", "Bob", "--shots", "shots")
    done = companion(python, tmp_path, *words, "--settings", str(settings), "--data", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "Ada tira" in done.stdout, "its own translation"
    assert int(re.findall(r"(?:Ada|Bob) (\d+)", done.stdout.splitlines()[-2])[0]) == 10, "its house rule"
    listed = companion(python, tmp_path, "history", "--json", "--data", str(tmp_path))
    (game,) = json.loads(listed.stdout)
    assert (game["game"], game["title"], game["over"], game["trouble"]) == (GAME, "Stone Race", True, None)


def test_its_own_tests_pass_there(python: Path, tmp_path: Path) -> None:
    """The checks of `companion.testing`, run as its author runs them."""
    shutil.copytree(SOURCE / "tests", tmp_path / "tests")
    words = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "not plays_itself", "tests")
    done = run_python(python, tmp_path, *words)
    assert done.returncode == 0, done.stdout[-2000:]
    assert int(re.findall(r"(\d+) passed", done.stdout)[0]) > 50


def test_it_is_in_the_lists_of_rules_and_of_the_gallery(python: Path, tmp_path: Path) -> None:
    assert f"[games.{GAME}]\nstones = 20" in companion(python, tmp_path, "rules").stdout
    done = companion(python, tmp_path, "gallery", str(tmp_path), "--only", GAME, "--size", "800x480")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / f"{GAME}-throw-800x480.png").is_file()


def test_its_title_picture_stands_in_the_lobby(python: Path, tmp_path: Path) -> None:
    find = "from companion.display.widgets.cover import _find_cover_art as f"
    program = f"{find}; print(f('{GAME}').picture, f('go').picture)"
    assert run_python(python, tmp_path, "-c", program).stdout == (
        f"PackageFile(package='{GAME}', path='art/title.png') genre_clock\n"
    )


def test_a_game_that_cannot_be_loaded_costs_only_itself(python: Path, tmp_path: Path) -> None:
    with changed(find_installed(python, f"{GAME}/__init__.py"), "raise RuntimeError('a file is missing')"):
        done = companion(python, tmp_path, "rules")
    assert "[games.macroscope]" in done.stdout
    assert GAME not in done.stdout
    assert "stone_race cannot be loaded: a file is missing" in done.stderr


@pytest.mark.proof
def test_a_game_for_a_newer_companion_is_refused_before_it_is_imported(python: Path, tmp_path: Path) -> None:
    points = find_installed(python, f"{GAME}-*.dist-info/entry_points.txt")
    newer = points.read_text(encoding="utf-8").replace("1.0=", "9.0=")
    with (
        changed(points, newer),
        changed(find_installed(python, f"{GAME}/__init__.py"), "raise RuntimeError('imported')"),
    ):
        rules = companion(python, tmp_path, "rules")
        gallery = companion(python, tmp_path, "gallery", str(tmp_path), "--only", "lobby", "--size", "800x480")
        run = companion(python, tmp_path, "run", "--headless", "--game", GAME)
        doctor = companion(python, tmp_path, "doctor")
    assert "[games.macroscope]" in rules.stdout
    for done in (rules, gallery, run):
        assert "written for version 9.0 of companion.api, this companion has 1.0" in done.stderr
        assert "Traceback" not in done.stderr
        assert "imported" not in done.stderr
    assert f"warn games {GAME} is left out: {GAME} is written for version 9.0" in " ".join(doctor.stdout.split())
    assert (rules.returncode, gallery.returncode, run.returncode) == (0, 0, 2)


def test_a_scene_that_cannot_be_loaded_leaves_the_game_as_text(python: Path, tmp_path: Path) -> None:
    program = f"from companion.display.scenes import load_game_scene as f; print(type(f('{GAME}')).__name__)"
    assert run_python(python, tmp_path, "-c", program).stdout == "StoneRaceScene\n"
    with changed(find_installed(python, f"{GAME}/scene.py"), "raise RuntimeError('no scene')"):
        done = run_python(python, tmp_path, "-c", program)
    assert done.stdout == "TextLinesScene\n"
    assert f"The scene of {GAME} cannot be loaded: no scene" in done.stderr


@pytest.mark.proof
def test_an_upgrade_keeps_the_game_though_another_wheel_is_damaged(
    wheel: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for version in ("old", "new"):
        games = tmp_path / version / "games"
        games.mkdir(parents=True)
        shutil.copy(wheel, games)
        (games / "broken_game-1.0-py3-none-any.whl").write_bytes(b"no wheel")
        python = install(tmp_path / version)
        assert "NOTE: Installing broken_game-1.0-py3-none-any.whl failed" in capfd.readouterr().out
        assert GAME in companion(python, tmp_path, "rules").stdout


def test_the_document_shows_the_example_as_it_is() -> None:
    """What a new author copies from docs/your-own-game.md is what the other tests here play."""
    document = (REPOSITORY / "docs" / "your-own-game.md").read_text(encoding="utf-8")
    files = [file.read_text(encoding="utf-8") for file in SOURCE.rglob("*") if file.suffix in {".py", ".toml"}]
    blocks = re.findall(r"^```(?:python|toml)\n(.*?)^```$", document, re.MULTILINE | re.DOTALL)
    assert len(blocks) > 10
    for block in blocks:
        assert any(block.strip("\n") in file for file in files), block


@pytest.mark.parametrize("name", ["game.py", "definition.py", "__init__.py", "samples.py"])
def test_the_document_has_every_line_of_a_file_that_it_shows(name: str) -> None:
    document = (REPOSITORY / "docs" / "your-own-game.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", document, re.MULTILINE | re.DOTALL)
    shown = {line for block in blocks for line in block.splitlines()}
    text = (SOURCE / GAME / name).read_text(encoding="utf-8")
    code = text[text.index("\nfrom ") :].splitlines()
    assert [line for line in code if line and line not in shown] == []
