"""Build one version of the companion: a virtual environment that sees Debian's packages, with the program installed.

Usage: environment.py SOURCE FOLDER [--offline] [--wheels FOLDER] [--games FOLDER]. Uses the standard library only;
install.sh runs it as root with the system's Python. It does not write to the source. FOLDER of --games has wheels of
further games, which each version gets. Exit status 1 with a message if it fails.
"""

import argparse
import importlib.metadata
import importlib.util
import json
import re
import shutil
import site
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

PARTS = ("companion", "hardware", "docs/share", "pyproject.toml", "README.md", "LICENSE")
"""Files and folders of the source that the build needs."""

LOCK = Path(__file__).resolve().parent / "requirements.txt"
"""Packages of PyPI with versions and hashes; written by tools/lock_requirements.py."""

PATH_FILE = "debian.pth"
"""File in the environment that adds Debian's packages to Python's path."""

PROBE = """
import json
import companion.cli, hardware, cv2, gpiozero, numpy, platformdirs, pydantic, pygame, serial
found = {"numpy": numpy.__file__, "cv2": cv2.__version__, "pygame": pygame.version.ver, "sdl": pygame.get_sdl_version()}
print(json.dumps(found))
"""
"""Program that imports all packages and prints the versions of some."""

LOAD_GAMES = """
import logging
logging.basicConfig(format="NOTE: %(message)s")
from companion.api.registry import load_games
load_games()
"""
"""Program that loads all games: one that this version does not play is left out, and its reason printed as a note."""


class Failed(Exception):
    """The version cannot be built; the message says why."""


def list_requirements(bootstrap, pyproject):
    """Return the requirements of the program and its build on this machine.

    If Debian's pygame is too old, pygame-ce replaces it: its wheel can draw on a console, that of pygame cannot.
    """
    dependencies = bootstrap.select_for_python(pyproject["project"]["dependencies"])
    needs, _ = bootstrap.select_for_debian(dependencies, bootstrap.find_debian_versions())
    bound = next(need for need in needs if need.startswith("pygame>="))
    if not is_satisfied(bootstrap, bound):
        needs = [need for need in needs if need != bound] + ["pygame-ce>=2.5,<3"]
    return needs + pyproject["build-system"]["requires"]


def is_satisfied(bootstrap, need):
    """Return whether Debian's package meets a requirement such as "pygame>=2.5,<3"."""
    name, _, bounds = need.partition(">=")
    lowest, _, limit = bounds.partition(",<")
    version = get_version(name)
    return bootstrap.is_at_least(version, lowest) and not (limit and bootstrap.is_at_least(version, limit))


def get_name(need):
    """Return the package's name in a requirement such as "pygame>=2.5,<3"."""
    return re.split("[<>=]", need)[0]


def read_lock(text):
    """Parse a requirements file in the form of pip-compile.

    Returns:
        Two dictionaries by package name: its lines, and the names of the packages that need it.
    """
    lines, parents = {}, {}
    name = ""
    for line in text.splitlines():
        if pin := re.match(r"([\w.-]+)==", line):
            name = pin[1]
            lines[name], parents[name] = [line], []
        elif parent := re.match(r"\s+# via ([\w.-]+)$", line):
            parents[name].append(parent[1])
        elif line.strip().startswith("--hash="):
            lines[name].append(line)
    return lines, parents


def select_locked(text, needs, satisfied):
    """Return the part of the requirements file for `needs` and everything that they need.

    Args:
        satisfied: further requirements of the program, which Debian's packages meet; they are left out.

    Raises:
        Failed: a requirement is not in the file.
    """
    lines, parents = read_lock(text)
    chosen = [get_name(need) for need in needs]
    skipped = [get_name(need) for need in satisfied]
    missing = [name for name in chosen if name not in lines]
    if missing:
        raise Failed(f"Debian's {', '.join(missing)} is missing or too old, and PyPI's is not in {LOCK.name}.")
    for name in chosen:
        chosen += [child for child in lines if name in parents[child] and child not in chosen + skipped]
    return "".join(f"{line}\n" for name in chosen for line in lines[name])


def run(*command, step):
    """Run a command, with its output on the terminal.

    Args:
        step: what the command does, for the message.

    Raises:
        Failed: the command failed.
    """
    if subprocess.run(command, stdin=subprocess.DEVNULL, check=False).returncode:
        raise Failed(f"{step} failed, see above. Is there a network, and room on the disk?")


def build(source, folder, options):
    """Build the version in `folder`, which exists and may hold the rest of an earlier attempt.

    Raises:
        Failed: a step failed.
    """
    sys.path.insert(0, str(source / "tools"))
    import bootstrap  # it knows which packages pip may install beside Debian's

    pyproject = tomllib.loads((source / "pyproject.toml").read_text(encoding="utf-8"))
    python = str(folder / "bin" / "python")
    venv = [sys.executable, "-I", "-m", "venv", "--clear", "--system-site-packages", str(folder)]
    run(*venv, step="Making the environment")
    pip = [python, "-I", "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check"]
    pip += ["--no-cache-dir", "--root-user-action=ignore", "--no-deps"]
    wanted = list_requirements(bootstrap, pyproject)
    satisfied = [need for need in wanted if is_satisfied(bootstrap, need)]
    needs = [need for need in wanted if need not in satisfied]
    with tempfile.TemporaryDirectory() as work:
        locked = Path(work, "requirements.txt")
        locked.write_text(select_locked(LOCK.read_text(encoding="utf-8"), needs, satisfied), encoding="utf-8")
        # Nothing is compiled on a Pi: it would take hours and too much memory.
        wheels = [*pip, "--require-hashes", "--only-binary=:all:", "--requirement", str(locked)]
        if options.wheels:
            wheels += ["--find-links", options.wheels]
        if options.offline:
            wheels += ["--no-index"]
        if needs:
            run(*wheels, step="Installing Python packages")
        copy = Path(work, "source")
        copy.mkdir()
        for part in PARTS:
            here = source / part
            if here.is_dir():
                shutil.copytree(here, copy / part, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
            else:
                shutil.copy(here, copy / part)
        # The build needs nothing that is not there now.
        run(*pip, "--no-index", "--no-build-isolation", str(copy), step="Installing the companion")
        if options.games:
            install_games(pip, options.games)
    hide_user_packages(folder)
    check(python, bootstrap)
    subprocess.run([python, "-I", "-c", LOAD_GAMES], stdin=subprocess.DEVNULL, check=False)


def install_games(pip, folder):
    """Install the wheels of further games, so that an upgrade keeps them; one that cannot be is left out with a note.

    Args:
        pip: command of pip, up to the name of what it installs.
        folder: folder of the wheels; of two versions of one game the later name wins.
    """
    for wheel in sorted(folder.glob("*.whl")):
        try:
            run(*pip, "--no-index", "--only-binary=:all:", str(wheel), step=f"Installing {wheel.name}")
        except Failed as why:  # the other games are played without it
            print(f"NOTE: {why}", flush=True)


def hide_user_packages(folder):
    """Make the environment see Debian's packages, but never those in a user's home.

    Python knows only both or none; so it is told none, and a file in the environment adds Debian's folders.
    """
    config = folder / "pyvenv.cfg"
    text = config.read_text(encoding="utf-8")
    config.write_text(re.sub("(?m)^(include-system-site-packages) = true$", r"\1 = false", text), encoding="utf-8")
    (packages,) = folder.glob("lib/python3*/site-packages")
    lines = [f"import site; site.addsitedir({path!r})\n" for path in site.getsitepackages()]
    (packages / PATH_FILE).write_text("".join(lines), encoding="utf-8")
    program = folder / "bin" / "companion"
    first, rest = program.read_text(encoding="utf-8").split("\n", 1)
    program.write_text(f"{first} -I\n{rest}", encoding="utf-8")


def get_version(package):
    """Return the version of a package of this Python; "0" if it is not installed."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "0"


def check(python, bootstrap):
    """Check that the new version can be imported, before it is used.

    Raises:
        Failed: a package is missing, or another numpy hides the one that picamera2 needs.
    """
    answer = subprocess.run(
        [python, "-I", "-c", PROBE], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if answer.returncode:
        release = bootstrap.parse_os_release(bootstrap.read_or_empty(Path("/etc/os-release")))
        raise Failed(bootstrap.explain_import(answer.stderr, release))
    found = json.loads(answer.stdout.splitlines()[-1])
    print(f"  OpenCV {found['cv2']}, pygame {found['pygame']} on SDL {'.'.join(map(str, found['sdl']))}", flush=True)
    if importlib.util.find_spec("picamera2") and not found["numpy"].startswith("/usr/lib/"):
        raise Failed(f"numpy came from {found['numpy']}, and picamera2 needs Debian's")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("source", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--offline", action="store_true")
    parser.add_argument("--wheels")
    parser.add_argument("--games", type=Path)
    options = parser.parse_args()
    try:
        build(options.source.resolve(), options.folder.resolve(), options)
    except Failed as why:
        print(why, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
