"""bootstrap.sh picks a Python by running it; here with made-up ones on a PATH of their own."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import bootstrap
import pytest

SCRIPT = bootstrap.ROOT / "tools" / "bootstrap.sh"
pytestmark = pytest.mark.skipif(bootstrap.is_raspberry_pi(), reason="on a Raspberry Pi its own Python comes first")


SHIM = "shim"
"""In place of an answer: what pyenv leaves on the PATH for a version that is not chosen."""


class Machine:
    """A folder as the whole PATH, and a project (with a space in its path) that has only the script."""

    def __init__(self, folder: Path) -> None:
        self.bin = folder / "bin"
        self.bin.mkdir()
        for tool in ("cat", "dirname", "grep"):
            self.bin.joinpath(tool).symlink_to(str(shutil.which(tool)))
        self.project = folder / "a project"
        self.project.joinpath("tools").mkdir(parents=True)
        shutil.copy(SCRIPT, self.project / "tools")

    def python(self, name: str, answer: str) -> None:
        """An interpreter that gives `answer` to the probe, and tells when it is started with the script."""
        script = f'case "$*" in -c*) echo "{answer}" ;; *) echo "started {name}: $*" ;; esac'
        if answer == SHIM:
            script = f"echo 'pyenv: {name}: command not found' >&2; exit 127"
        self.bin.joinpath(name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        self.bin.joinpath(name).chmod(0o755)

    def bootstrap(self, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["/bin/sh", self.project / "tools" / "bootstrap.sh", "run"],
            env={"PATH": str(self.bin), **environment},
            cwd="/",
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.mark.parametrize(
    ("pythons", "started"),
    [
        ({"python3": "3.12 good", "python3.13": "3.13 good"}, "python3"),
        ({"python3": "3.9 old or new", "python3.12": "3.12 good"}, "python3.12"),
        ({"python3": "3.11 bare", "python3.13": "3.13 good"}, "python3.13"),  # it can make environments
        ({"python3": SHIM, "python3.13": SHIM, "python3.11": "3.11 good"}, "python3.11"),
        ({"python3": SHIM, "python3.14": "3.14 good"}, "python3.14"),
    ],
)
def test_the_first_python_that_fits_is_started(machine: Machine, pythons: dict[str, str], started: str) -> None:
    for name, answer in pythons.items():
        machine.python(name, answer)
    done = machine.bootstrap()
    assert done.stdout == f"started {started}: -I tools/bootstrap.py run\n"
    assert done.stderr == ""


def test_people_may_name_one(machine: Machine) -> None:
    machine.python("python3", "3.11 good")
    machine.python("my python", "3.13 good")
    assert machine.bootstrap(PYTHON="my python").stdout.startswith("started my python:")


def test_a_made_environment_needs_no_venv_package(machine: Machine) -> None:
    machine.python("python3", "3.11 bare")
    python = machine.project / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to("/bin/true")
    assert machine.bootstrap().stdout.startswith("started python3:")


@pytest.mark.parametrize(
    ("pythons", "said", "names_packages"),
    [
        ({}, ("Python 3.11 to 3.13, and none was found here.\n", "sudo apt install python3 python3-venv\n"), True),
        ({"python3": "3.11 bare"}, ("python3-venv", "sudo apt install python3.11-venv\n"), True),
        # Packages would install the same Python again.
        ({"python3": "3.15 old or new"}, ("python3 is 3.15", "PYTHON=$(uv python find 3.13) make run\n"), False),
    ],
    ids=["none", "without venv", "too new"],
)
def test_without_a_python_that_fits_it_is_said_how_to_get_one(
    machine: Machine, pythons: dict[str, str], said: tuple[str, ...], names_packages: bool
) -> None:
    for name, answer in pythons.items():
        machine.python(name, answer)
    done = machine.bootstrap()
    assert (done.returncode, done.stdout) == (1, "")
    assert all(words in done.stderr for words in said)
    assert ("apt install" in done.stderr) == names_packages


@pytest.mark.parametrize(("minor", "answer"), [(10, "old or new"), (11, "good"), (14, "good"), (15, "old or new")])
def test_the_probe_knows_the_versions(minor: int, answer: str) -> None:
    found = re.search("^probe='(.*?)'$", SCRIPT.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert found is not None
    program = f"import sys; sys.version_info = (3, {minor}, 0)\n{found[1]}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == f"3.{minor} {answer}\n"


def test_the_probe_accepts_the_python_that_runs_this(machine: Machine) -> None:
    """The true probe, on a true interpreter: the made-up ones above must answer as this one does."""
    real = os.path.realpath(shutil.which("python3", path="/usr/bin") or "")
    if not real or subprocess.run([real, "-c", "import ensurepip"], check=False, capture_output=True).returncode:
        pytest.skip("no /usr/bin/python3 with ensurepip here")
    machine.bin.joinpath("python3").symlink_to(real)
    machine.project.joinpath("tools", "bootstrap.py").write_text("import sys; print(sys.argv[1:])", encoding="utf-8")
    answer = machine.bootstrap()
    fits = (3, 11) <= tuple(int(n) for n in Path(real).name.removeprefix("python").split(".")) <= (3, 14)
    assert answer.stdout == ("['run']\n" if fits else "")
