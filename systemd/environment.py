"""Builds one version of the companion: an environment that sees Debian's packages, and the program in it.

Usage: environment.py SOURCE FOLDER [--offline] [--wheels FOLDER]. Standard library only; started by install.sh as root
with the system's Python. The source is not written to. Exit status 1 with a message where it cannot be done.
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
OLD_SETUPTOOLS = "77"
"""pyproject.toml asks for this one or newer; where Debian's is older, pip takes one from PyPI for the build."""
PROBE = """
import json
import companion.cli, hardware, cv2, gpiozero, numpy, platformdirs, pydantic, pygame, serial
found = {"numpy": numpy.__file__, "cv2": cv2.__version__, "pygame": pygame.version.ver, "sdl": pygame.get_sdl_version()}
print(json.dumps(found))
"""


class Failed(Exception):
    """The message says what went wrong."""


def wanted(bootstrap, project):
    """What pip shall look for, and its constraints, on this machine.

    pygame's wheel cannot draw on a console, pygame-ce's can: it stands in where Debian's pygame is too old.
    """
    needs, constraints = bootstrap.beside_debian(project["dependencies"], bootstrap.debian_versions())
    bound = next(need for need in needs if need.startswith("pygame>="))
    if not bootstrap.at_least(version_of("pygame"), bound.removeprefix("pygame>=").split(",")[0]):
        needs = [need for need in needs if need != bound] + ["pygame-ce>=2.5,<3"]
    return needs, constraints


def run(*command, words):
    """Run it, with its own words on the screen.

    Raises:
        Failed: it failed; `words` say what it was to do.
    """
    if subprocess.run(command, stdin=subprocess.DEVNULL, check=False).returncode:
        raise Failed(f"{words} failed, see above. Is there a network, and room on the disk?")


def build(source, folder, options):
    """Everything, into `folder`, which is there and empty but for what an earlier try left.

    Raises:
        Failed: with what went wrong.
    """
    sys.path.insert(0, str(source / "tools"))
    import bootstrap  # it knows already what pip may put over Debian's packages

    project = tomllib.loads((source / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    python = str(folder / "bin" / "python")
    venv = [sys.executable, "-I", "-m", "venv", "--clear", "--system-site-packages", str(folder)]
    run(*venv, words="Making the environment")
    pip = [python, "-I", "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check"]
    pip += ["--no-cache-dir", "--root-user-action=ignore"]
    if options.wheels:
        pip += ["--find-links", options.wheels]
    if options.offline:
        pip += ["--no-index"]
    needs, constraints = wanted(bootstrap, project)
    with tempfile.TemporaryDirectory() as work:
        limits = Path(work, "constraints.txt")
        limits.write_text("\n".join(constraints), encoding="utf-8")
        # Nothing is compiled on a Pi: it would take hours, and more memory than there is.
        wheels = [*pip, "--only-binary=:all:", "--constraint", str(limits)]
        run(*wheels, *needs, words="Installing Python packages")
        copy = Path(work, "source")
        copy.mkdir()
        for part in PARTS:
            here = source / part
            if here.is_dir():
                shutil.copytree(here, copy / part, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
            else:
                shutil.copy(here, copy / part)
        isolated = not bootstrap.at_least(version_of("setuptools"), OLD_SETUPTOOLS)
        run(*pip, "--no-deps", *["--no-build-isolation"] * (not isolated), str(copy), words="Installing the companion")
    check(python, bootstrap)


def version_of(package):
    """Of a package of this Python; "0" where there is none."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "0"


def check(python, bootstrap):
    """See that the version starts, before anything hangs on it.

    Raises:
        Failed: a part is missing, or picamera2's numpy is hidden by another.
    """
    answer = subprocess.run(
        [python, "-I", "-c", PROBE], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if answer.returncode:
        release = bootstrap.os_release(bootstrap.read_or_empty(Path("/etc/os-release")))
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
