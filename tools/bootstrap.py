"""Makes .venv, keeps it up to date and mends it. Standard library only; started by bootstrap.sh.

Usage: bootstrap.py run|dev. `run` installs what the companion needs, `dev` the tools of the checks besides. Quiet and
quick when there is nothing to do; needs the network only when there is.
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
    "dev": ("hypothesis", "importlinter", "mypy", "pytest", "pytest_cov", "ruff", "xdist"),
}
PROBE = """
import sys
from importlib.util import find_spec
sys.exit(not ((3, 11) <= sys.version_info[:2] <= (3, 13) and all(map(find_spec, sys.argv[1:]))))
"""
PYTHON_VERSION = "{}.{}".format(*sys.version_info)


class BootstrapError(Exception):
    """Something that this script cannot do by itself; the message says what, and what helps."""


def compute_fingerprint(pyproject: Mapping[str, Any], root: Path) -> str:
    """Changes when something must be installed anew: the parts of pyproject.toml that say what, and the folder."""
    packaging = [pyproject["project"], pyproject["build-system"], pyproject["tool"]["setuptools"], str(root)]
    return hashlib.sha256(json.dumps(packaging, sort_keys=True).encode()).hexdigest()


def is_at_least(version: str, bound: str) -> bool:
    """Whether a version such as "4.6.0+dfsg" reaches a bound such as "4.10"."""

    def numbers(text: str) -> list[int]:
        return [int(n) for n in re.findall(r"\d+", text)]

    return numbers(version)[: len(numbers(bound))] >= numbers(bound)


def select_for_debian(dependencies: Iterable[str], have: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """What pip shall install on a Raspberry Pi, and its constraints.

    Debian's picamera2 was built for Debian's numpy, so another numpy must not come to stand before it; Debian's OpenCV
    is taken where it is new enough, but pip cannot see it by its name on PyPI. `have`: versions by module name.
    """
    wanted = []
    for dependency in dependencies:
        bound = re.match(r"opencv-python>=([\d.]+)", dependency)
        if not (bound and "cv2" in have and is_at_least(have["cv2"], bound[1])):
            wanted.append(dependency)
    return wanted, [f"numpy=={have['numpy']}"] if "numpy" in have else []


def parse_os_release(text: str) -> dict[str, str]:
    """The fields of /etc/os-release."""
    pairs = (line.partition("=") for line in text.splitlines())
    return {key: value.strip("\"' ") for key, found, value in pairs if found}


def choose_glib_package(release: Mapping[str, str]) -> str:
    """The package of libglib-2.0.so.0: renamed when time_t grew to 64 bits (Debian 13, Ubuntu 24.04)."""
    first_renamed = "24.04" if release.get("ID") == "ubuntu" else "13"
    return "libglib2.0-0t64" if is_at_least(release.get("VERSION_ID", "99.99"), first_renamed) else "libglib2.0-0"


def explain_import(error: str, release: Mapping[str, str]) -> str:
    """What to do about a failed `import cv2, pygame`, from the traceback."""
    library = re.search(r"(lib[\w.+-]+?\.so[.\d]*): cannot open shared object file", error)
    if library is None:
        last = error.strip().splitlines()[-1] if error.strip() else "it ended without a word"
        return f"OpenCV or pygame does not start here: {last}\nRemove the folder .venv and try again."
    missing = f"A system library is missing: {library[1]}."
    if library[1].startswith(("libGL.", "libglib-", "libgthread-", "libxcb", "libX11")):
        # The loader names one library at a time; OpenCV needs these.
        packages = f"libgl1 {choose_glib_package(release)} libxcb1"
        return f"{missing} OpenCV needs it. Install it and try again:\n  sudo apt install {packages}"
    return f"{missing} Its Debian package is found with: apt-file search {library[1]}"


class VirtualEnvironment:
    """The folder .venv. `.unfinished` stands in it while it is being changed; `.ready` says what it holds."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.python = folder / "bin" / "python"
        self.unfinished = folder / ".unfinished"
        self.ready = folder / ".ready"

    def read_level(self, mark: str) -> str | None:
        """The level that was installed for the fingerprint `mark`."""
        level, _, found = read_or_empty(self.ready).strip().partition(" ")
        return level if level in LEVELS and found == mark else None

    def is_usable(self, *modules: str) -> bool:
        """Whether its Python runs, fits, and finds the modules (it does not once the system's Python was replaced)."""
        # Isolated, for the working folder would otherwise lend it a companion that is not installed.
        command = [str(self.python), "-I", "-c", PROBE, *modules]
        try:
            return not subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode
        except OSError:
            return False

    def create(self, *options: str) -> None:
        """Makes it from nothing.

        Raises:
            Missing: the standard library's venv failed.
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
        """pip install, with pip's own words on the screen.

        Raises:
            Missing: pip failed.
        """
        self.unfinished.touch()
        self.ready.unlink(missing_ok=True)
        command = [str(self.python), "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check"]
        if subprocess.run([*command, *arguments], cwd=ROOT, stdin=subprocess.DEVNULL, check=False).returncode:
            raise BootstrapError(
                "Installing failed, see above. Is there a network, and room on the disk? Then run it again."
            )


def install(environment: VirtualEnvironment, level: str, project: Mapping[str, Any], raspberry: bool) -> None:
    """Installs the companion, editable, so that a `git pull` needs no second thought."""
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
    """Versions of the modules that stand in the system's Python, which runs this script."""
    have = {}
    for name in ("cv2", "numpy"):
        try:
            have[name] = importlib.import_module(name).__version__
        except ImportError:
            continue
    return have


def is_raspberry_pi() -> bool:
    """Whether Debian's packages for the Pi should be used: it is one, or its camera library is installed."""
    model = read_or_empty(Path("/proc/device-tree/model"))
    return "Raspberry Pi" in model or importlib.util.find_spec("picamera2") is not None


def read_or_empty(path: Path) -> str:
    """The file's text; empty where there is none."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def bootstrap(level: str) -> None:
    """Brings .venv to `level`.

    Raises:
        Missing: it cannot be done; the message says what helps.
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
        raise BootstrapError("The environment came out incomplete. Run it again: it will be made anew.")
    environment.unfinished.unlink()
    check = [str(environment.python), "-c", "import cv2, pygame"]
    answer = subprocess.run(check, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if answer.returncode:
        raise BootstrapError(explain_import(answer.stderr, parse_os_release(read_or_empty(Path("/etc/os-release")))))
    environment.ready.write_text(f"{level} {mark}\n", encoding="utf-8")


def main(arguments: list[str]) -> int:
    """The exit status: 0 when .venv is ready, 1 with a message when it cannot be, 130 when interrupted."""
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
        print("Interrupted; the next run begins anew.", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
