"""Build one version of the companion: a virtual environment that sees Debian's packages, with the program installed.

Usage: environment.py SOURCE FOLDER [--offline] [--wheels FOLDER]. Uses the standard library only; install.sh runs it as
root with the system's Python. It does not write to the source. Exit status 1 with a message if it fails.
"""

import argparse
import importlib.metadata
import importlib.util
import json
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

PARTS = ("companion", "hardware", "pyproject.toml", "README.md", "LICENSE")
"""Files and folders of the source that the build needs."""

MIN_SETUPTOOLS = "77"
"""Oldest setuptools that pyproject.toml accepts; if Debian's is older, pip takes one from PyPI for the build."""

PROBE = """
import json
import companion.cli, hardware, cv2, gpiozero, numpy, platformdirs, pydantic, pygame, serial
found = {"numpy": numpy.__file__, "cv2": cv2.__version__, "pygame": pygame.version.ver, "sdl": pygame.get_sdl_version()}
print(json.dumps(found))
"""
"""Program that imports all packages and prints the versions of some."""


class Failed(Exception):
    """The version cannot be built; the message says why."""


def list_requirements(bootstrap, project):
    """Return the requirements for pip on this machine, and its constraints.

    If Debian's pygame is too old, pygame-ce replaces it: its wheel can draw on a console, that of pygame cannot.
    """
    needs, constraints = bootstrap.select_for_debian(project["dependencies"], bootstrap.find_debian_versions())
    bound = next(need for need in needs if need.startswith("pygame>="))
    if not bootstrap.is_at_least(get_version("pygame"), bound.removeprefix("pygame>=").split(",")[0]):
        needs = [need for need in needs if need != bound] + ["pygame-ce>=2.5,<3"]
    return needs, constraints


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

    project = tomllib.loads((source / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    python = str(folder / "bin" / "python")
    venv = [sys.executable, "-I", "-m", "venv", "--clear", "--system-site-packages", str(folder)]
    run(*venv, step="Making the environment")
    pip = [python, "-I", "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check"]
    pip += ["--no-cache-dir", "--root-user-action=ignore"]
    if options.wheels:
        pip += ["--find-links", options.wheels]
    if options.offline:
        pip += ["--no-index"]
    needs, constraints = list_requirements(bootstrap, project)
    with tempfile.TemporaryDirectory() as work:
        limits = Path(work, "constraints.txt")
        limits.write_text("\n".join(constraints), encoding="utf-8")
        # Nothing is compiled on a Pi: it would take hours and too much memory.
        wheels = [*pip, "--only-binary=:all:", "--constraint", str(limits)]
        run(*wheels, *needs, step="Installing Python packages")
        copy = Path(work, "source")
        copy.mkdir()
        for part in PARTS:
            here = source / part
            if here.is_dir():
                shutil.copytree(here, copy / part, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
            else:
                shutil.copy(here, copy / part)
        isolated = not bootstrap.is_at_least(get_version("setuptools"), MIN_SETUPTOOLS)
        run(*pip, "--no-deps", *["--no-build-isolation"] * (not isolated), str(copy), step="Installing the companion")
    check(python, bootstrap)


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
    options = parser.parse_args()
    try:
        build(options.source.resolve(), options.folder.resolve(), options)
    except Failed as why:
        print(why, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
