"""Install a wheel into an empty environment of each Python here, and play a game with it.

    python tools/try_wheel.py WHEEL

The Pythons are those of SUPPORTED that are on the path or that pyenv has. `make release` does this with its wheel.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import time
import tomllib
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
PYENV = Path.home() / ".pyenv" / "versions"
GAME = ("run", "--headless", "--game", "pig", "--players", "Ada", "Ben", "--seed", "1")
"""Its dice are read at the simulated table: the wheel has its networks."""
VERSION_PROGRAM = "import platform; print(platform.python_version())"
SCORES_PATTERN = re.compile(r"^Final scores: .*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Trial:
    """A wheel in an empty environment: times, size on the disk, and the scores of the game."""

    python: str
    install_seconds: float
    play_seconds: float
    megabytes: float
    scores: str

    def __str__(self) -> str:
        return (
            f"Python {self.python}: installed in {self.install_seconds:.0f} s, {self.megabytes:.0f} MB, "
            f"played in {self.play_seconds:.0f} s. {self.scores}"
        )


def list_supported() -> list[str]:
    """Return the versions of Python that pyproject.toml names, such as "3.12"."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = [re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", each) for each in project["classifiers"]]
    return [each[1] for each in found if each]


def find_pythons(versions: Sequence[str], pyenv: Path = PYENV) -> dict[str, Path]:
    """Return a Python of each version that is here, by its full version.

    Args:
        versions: such as "3.12".
        pyenv: folder with a folder for each of pyenv's versions.
    """
    pythons: dict[str, Path] = {}
    for version in versions:
        on_path = shutil.which(f"python{version}")
        for python in (*sorted(pyenv.glob(f"{version}.*/bin/python")), *([Path(on_path)] if on_path else [])):
            # pyenv's own command exists for versions too that it does not run.
            done = subprocess.run([python, "-c", VERSION_PROGRAM], capture_output=True, text=True, check=False)
            if done.returncode == 0:
                pythons[done.stdout.strip()] = python
                break
    return pythons


def try_wheel(wheel: Path, python: Path, version: str) -> Trial:
    """Install a wheel into an empty environment, and let a game play itself there.

    Raises:
        subprocess.CalledProcessError: it cannot be installed, or the game fails; the messages are printed.
        ValueError: the game ends without scores.
    """
    with tempfile.TemporaryDirectory(prefix="companion-wheel-") as name:
        environment = Path(name, "environment")
        began = time.monotonic()
        subprocess.run([python, "-m", "venv", environment], check=True)
        subprocess.run([environment / "bin" / "python", "-m", "pip", "install", "--quiet", wheel], check=True)
        installed = time.monotonic()
        command: list[str | Path] = [environment / "bin" / "companion", *GAME, "--shots", Path(name, "shots")]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=name)
        played = time.monotonic()
        scores = SCORES_PATTERN.search(done.stdout)
        if scores is None:
            raise ValueError(f"the game ends without scores:\n{done.stdout}")
        size = sum(file.stat().st_size for file in environment.rglob("*") if file.is_file() and not file.is_symlink())
        return Trial(version, installed - began, played - installed, size / 1e6, scores[0])


def try_everywhere(wheel: Path) -> Iterator[str]:
    """Try a wheel with each Python that is here; yield a line about each, and about those that are not.

    Raises:
        ValueError: the scores differ between Pythons, or there are none.
        subprocess.CalledProcessError: as `try_wheel`.
    """
    versions = list_supported()
    pythons = find_pythons(versions)
    trials = []
    for version, python in pythons.items():
        trials.append(try_wheel(wheel.resolve(), python, version))
        yield str(trials[-1])
    for version in versions:
        if not any(each.startswith(f"{version}.") for each in pythons):
            yield f"Python {version}: not here, not tried"
    if len({trial.scores for trial in trials}) > 1:
        raise ValueError("the same game has other scores in another Python")


if __name__ == "__main__":
    parser = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("wheel", type=Path)
    for line in try_everywhere(parser.parse_args().wheel):
        print(line, flush=True)
