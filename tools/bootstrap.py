"""Create .venv, keep it up to date and repair it. Standard library only; started by bootstrap.sh.

Usage: bootstrap.py run|dev. `run` installs what the companion needs, `dev` also the development tools. Quiet and fast
when there is nothing to do; needs the network only to install.
"""

import hashlib
import importlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LEVELS = ("run", "dev")
REQUIRED_MODULES = {
    "run": ("companion", "cv2", "gpiozero", "numpy", "platformdirs", "pydantic", "pygame", "serial"),
    "dev": (
        "hypothesis",
        "importlinter",
        "mypy",
        "pytest",
        "pytest_cov",
        "pytest_timeout",
        "ruff",
        "xdist",
        "zxingcpp",
    ),
}
PROBE = """
import sys
from importlib.util import find_spec
sys.exit(not ((3, 11) <= sys.version_info[:2] <= (3, 14) and all(map(find_spec, sys.argv[1:]))))
"""
PYTHON_VERSION = "{}.{}".format(*sys.version_info)


class BootstrapError(Exception):
    """The environment cannot be made; the message says why and what to do."""


def compute_fingerprint(pyproject: Mapping[str, Any], root: Path) -> str:
    """Return a hash of the packaging parts of pyproject.toml and of the folder; when it changes, install again."""
    packaging = [pyproject["project"], pyproject["build-system"], pyproject["tool"]["setuptools"], str(root)]
    return hashlib.sha256(json.dumps(packaging, sort_keys=True).encode()).hexdigest()


def is_at_least(version: str, bound: str) -> bool:
    """Return whether a version such as "4.6.0+dfsg" is at least a bound such as "4.10"."""

    def numbers(text: str) -> list[int]:
        return [int(n) for n in re.findall(r"\d+", text)]

    return numbers(version)[: len(numbers(bound))] >= numbers(bound)


def select_for_python(
    requirements: Iterable[str], version: tuple[int, int] = (sys.version_info[0], sys.version_info[1])
) -> list[str]:
    """Return the requirements that hold for a Python, without their markers.

    Raises:
        ValueError: a marker is neither `python_version < 'N.M'` nor `python_version >= 'N.M'`.
    """
    wanted = []
    for requirement in requirements:
        need, _, marker = requirement.partition(";")
        if marker:
            bound = re.fullmatch(r" *python_version (<|>=) '(\d+)\.(\d+)' *", marker)
            if bound is None:
                raise ValueError(f"the marker of {requirement!r} is not understood")
            if (version < (int(bound[2]), int(bound[3]))) != (bound[1] == "<"):
                continue
        wanted.append(need.strip())
    return wanted


def select_for_debian(dependencies: Iterable[str], have: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """Return the requirements that pip installs on a Raspberry Pi, and its constraints.

    Debian's picamera2 is built for Debian's numpy, so no other numpy may hide it. Debian's OpenCV is used if it is new
    enough, but pip does not know it by its name on PyPI. `have`: versions of Debian's modules by name.
    """
    wanted = []
    for dependency in dependencies:
        bound = re.match(r"opencv-python>=([\d.]+)", dependency)
        if not (bound and "cv2" in have and is_at_least(have["cv2"], bound[1])):
            wanted.append(dependency)
    return wanted, [f"numpy=={have['numpy']}"] if "numpy" in have else []


def parse_os_release(text: str) -> dict[str, str]:
    """Parse the text of /etc/os-release into its fields."""
    pairs = (line.partition("=") for line in text.splitlines())
    return {key: value.strip("\"' ") for key, found, value in pairs if found}


def choose_glib_package(release: Mapping[str, str]) -> str:
    """Return the package of libglib-2.0.so.0: renamed when time_t became 64 bits (Debian 13, Ubuntu 24.04)."""
    first_renamed = "24.04" if release.get("ID") == "ubuntu" else "13"
    return "libglib2.0-0t64" if is_at_least(release.get("VERSION_ID", "99.99"), first_renamed) else "libglib2.0-0"


def explain_import(error: str, release: Mapping[str, str]) -> str:
    """Explain a failed `import cv2, pygame` from its traceback, with the remedy."""
    library = re.search(r"(lib[\w.+-]+?\.so[.\d]*): cannot open shared object file", error)
    if library is None:
        last = error.strip().splitlines()[-1] if error.strip() else "it ended without a message"
        return f"OpenCV or pygame does not start here: {last}\nRemove the folder .venv and try again."
    missing = f"A system library is missing: {library[1]}."
    if library[1].startswith(("libGL.", "libglib-", "libgthread-", "libxcb", "libX11")):
        # The loader names one library at a time; OpenCV needs these.
        packages = f"libgl1 {choose_glib_package(release)} libxcb1"
        return f"{missing} OpenCV needs it. Install it and try again:\n  sudo apt install {packages}"
    return f"{missing} Its Debian package is found with: apt-file search {library[1]}"


class VirtualEnvironment:
    """The folder .venv. It contains `.unfinished` while it is being changed; `.ready` names the installed level."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.python = folder / "bin" / "python"
        self.unfinished = folder / ".unfinished"
        self.ready = folder / ".ready"

    def read_level(self, mark: str) -> str | None:
        """Return the level that was installed for the fingerprint `mark`; None: none."""
        level, _, found = read_or_empty(self.ready).strip().partition(" ")
        return level if level in LEVELS and found == mark else None

    def is_usable(self, *modules: str) -> bool:
        """Return whether its Python runs, has a supported version, and finds the modules."""
        # Isolated: otherwise a companion that is not installed would be found in the working folder.
        command = [str(self.python), "-I", "-c", PROBE, *modules]
        try:
            return not subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode
        except OSError:
            return False

    def create(self, *options: str) -> None:
        """Create it from nothing.

        Raises:
            BootstrapError: the standard library's venv failed.
        """
        if self.folder.is_symlink() or self.folder.is_file():
            self.folder.unlink()
        elif self.folder.exists():
            shutil.rmtree(self.folder)
        self.folder.mkdir()
        self.unfinished.touch()
        if subprocess.run([sys.executable, "-I", "-m", "venv", *options, self.folder], check=False).returncode:
            raise BootstrapError(
                f"Making .venv failed, see above. This may help:\n  sudo apt install python{PYTHON_VERSION}-venv"
            )

    def pip_install(self, *arguments: str) -> None:
        """Run pip install; on a terminal it shows a bar for each download, else only errors.

        Raises:
            BootstrapError: pip failed.
        """
        self.unfinished.touch()
        self.ready.unlink(missing_ok=True)
        command = [str(self.python), "-m", "pip", "install", "--no-input", "--disable-pip-version-check"]
        command += [] if sys.stdout.isatty() else ["--quiet"]
        if subprocess.run([*command, *arguments], cwd=ROOT, stdin=subprocess.DEVNULL, check=False).returncode:
            raise BootstrapError(
                "Installing failed, see above. Is there a network, and room on the disk? Then run it again."
            )


def install(environment: VirtualEnvironment, level: str, project: Mapping[str, Any], raspberry: bool) -> None:
    """Install the companion in editable mode, so that a `git pull` needs no new installation."""
    if not raspberry:
        environment.pip_install("--editable", ".[dev]" if level == "dev" else ".")
        return
    extra = project["optional-dependencies"]["dev"] if level == "dev" else []
    wanted, constraints = select_for_debian([*project["dependencies"], *extra], find_debian_versions())
    file = environment.folder / "constraints.txt"
    file.write_text("\n".join(constraints), encoding="utf-8")
    environment.pip_install("--constraint", str(file), *wanted)
    environment.pip_install("--no-deps", "--editable", ".")


def find_debian_versions() -> dict[str, str]:
    """Return the versions of cv2 and numpy in the system's Python, which runs this script."""
    have = {}
    for name in ("cv2", "numpy"):
        try:
            have[name] = importlib.import_module(name).__version__
        except ImportError:
            continue
    return have


def is_raspberry_pi() -> bool:
    """Return whether to use Debian's packages: this is a Raspberry Pi, or its camera library is installed."""
    model = read_or_empty(Path("/proc/device-tree/model"))
    return "Raspberry Pi" in model or importlib.util.find_spec("picamera2") is not None


def read_or_empty(path: Path) -> str:
    """Return the text of a file; empty if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def bootstrap(level: str) -> None:
    """Bring .venv to `level`.

    Raises:
        BootstrapError: it cannot be done; the message says what to do.
    """
    environment = VirtualEnvironment(ROOT / ".venv")
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    mark = compute_fingerprint(pyproject, ROOT)
    installed = environment.read_level(mark)
    level = max(level, installed or "run", key=LEVELS.index)
    modules = REQUIRED_MODULES["run"] + (REQUIRED_MODULES["dev"] if level == "dev" else ())
    interrupted = environment.unfinished.exists()
    if installed == level and not interrupted and environment.is_usable(*modules):
        return
    raspberry = is_raspberry_pi()
    if interrupted or not environment.is_usable("pip"):
        print(f"Making the environment .venv with Python {PYTHON_VERSION} ...", flush=True)
        environment.create(*["--system-site-packages"] * raspberry)
    print("Installing what is needed into .venv (once; it takes a minute or more) ...", flush=True)
    install(environment, level, pyproject["project"], raspberry)
    if not environment.is_usable(*modules):
        raise BootstrapError("The environment is incomplete. Run it again: it will be rebuilt.")
    environment.unfinished.unlink()
    check = [str(environment.python), "-c", "import cv2, pygame"]
    answer = subprocess.run(check, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if answer.returncode:
        raise BootstrapError(explain_import(answer.stderr, parse_os_release(read_or_empty(Path("/etc/os-release")))))
    environment.ready.write_text(f"{level} {mark}\n", encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Run the command line; return 0 if .venv is ready, 1 if not, 2 for wrong usage, 130 if interrupted."""
    if len(arguments) != 1 or arguments[0] not in LEVELS:
        print(__doc__, file=sys.stderr)
        return 2
    for name in ("PYTHONHOME", "PYTHONPATH"):
        os.environ.pop(name, None)
    try:
        bootstrap(arguments[0])
    except BootstrapError as missing:
        print(missing, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Interrupted; the next run starts again.", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
