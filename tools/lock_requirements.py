"""Write systemd/requirements.txt: the Python packages that the installer may take from PyPI, pinned with hashes.

    .venv/bin/python tools/lock_requirements.py

Asks pip which versions fit pyproject.toml, and takes the SHA-256 of each wheel for Debian's Python versions on aarch64
and x86_64. numpy is missing on purpose: on a Raspberry Pi it is always Debian's, as picamera2 needs it.
"""

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bootstrap import select_for_python

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "systemd" / "requirements.txt"
PYTHON_VERSIONS = {"3.11": 36, "3.12": 39, "3.13": 41}
"""Python versions that the installer accepts, each with the minor version of glibc 2 where it is the system's."""
ARCHITECTURES = ("aarch64", "x86_64")
ALWAYS_FROM_DEBIAN = ("numpy",)
REPLACED = {"pygame": "pygame-ce>=2.5,<3"}
"""Dependencies in whose place the installer takes another package: systemd/environment.py."""
BOUNDS = ("opencv-python<4.12",)
"""Further bounds: OpenCV 4.12 and later need numpy 2, and bookworm has 1.24."""
HEADER = """\
# Python packages that the installer takes from PyPI where Debian's are missing or too old, with the SHA-256 of their
# wheels for aarch64 and x86_64. Written by tools/lock_requirements.py; pip refuses every other file.
"""


def ask_pip(version: str, architecture: str, wanted: Iterable[str]) -> list[dict[str, Any]]:
    """Return pip's report of what it would install there: a list of packages with metadata and download."""
    glibc = PYTHON_VERSIONS[version]
    platforms = [*(f"manylinux_2_{minor}_{architecture}" for minor in range(glibc, 16, -1))]
    platforms.append(f"manylinux2014_{architecture}")
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--quiet", "--report", "-", "--ignore-installed"]
    command += ["--only-binary=:all:", "--target", "/nowhere", "--implementation", "cp", "--python-version", version]
    command += [f"--platform={platform}" for platform in platforms]
    done = subprocess.run([*command, *wanted], check=True, stdout=subprocess.PIPE, text=True)
    packages: list[dict[str, Any]] = json.loads(done.stdout)["install"]
    return packages


def normalize(name: str) -> str:
    """Return a package's name as PyPI compares it."""
    return re.sub("[-_.]+", "-", name).lower()


def list_wanted() -> list[str]:
    """Return the requirements to lock: those of pyproject.toml that PyPI may have to meet."""
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = []
    # The installer's Pythons are all older than the bound of a marker.
    dependencies = select_for_python(pyproject["project"]["dependencies"], (3, 13))
    for requirement in (*dependencies, *pyproject["build-system"]["requires"]):
        name = re.split("[<>=;]", requirement)[0]
        if name not in ALWAYS_FROM_DEBIAN:
            wanted.append(REPLACED.get(name, requirement))
    return [*dict.fromkeys(wanted), *BOUNDS]


def lock() -> str:
    """Return the text of the file."""
    wanted = list_wanted()
    # The oldest Python's versions fit all.
    first = ask_pip(min(PYTHON_VERSIONS), ARCHITECTURES[0], wanted)
    versions = {normalize(item["metadata"]["name"]): item["metadata"]["version"] for item in first}
    parents: dict[str, list[str]] = {}
    for item in first:
        for need in item["metadata"].get("requires_dist", ()):
            if "extra ==" not in need:
                name = normalize(re.split(r"[\s<>=!~;(\[]", need)[0])
                parents.setdefault(name, []).append(normalize(item["metadata"]["name"]))
    for name in ALWAYS_FROM_DEBIAN:
        versions.pop(name, None)
    pins = [f"{name}=={version}" for name, version in sorted(versions.items())]
    hashes: dict[str, set[str]] = {}
    for python in PYTHON_VERSIONS:
        for architecture in ARCHITECTURES:
            for item in ask_pip(python, architecture, ["--no-deps", *pins]):
                digest = item["download_info"]["archive_info"]["hashes"]["sha256"]
                hashes.setdefault(normalize(item["metadata"]["name"]), set()).add(digest)
    lines = [HEADER]
    for pin in pins:
        name = pin.split("==")[0]
        lines.append(" \\\n".join([pin, *(f"    --hash=sha256:{digest}" for digest in sorted(hashes[name]))]))
        lines += [f"    # via {parent}" for parent in sorted(parents.get(name, ()))]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    LOCK.write_text(lock(), encoding="utf-8")
