"""All dependencies exist for a Pi, as a wheel for aarch64 or as a Debian package.

pip is asked for the whole set as it would install it on Raspberry Pi OS; it loads descriptions, not the wheels.
What asks PyPI is run by `make appliance-test`, for it takes two minutes.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import REPOSITORY

PROJECT: dict[str, Any] = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
GLIBC = {"3.11": 36, "3.13": 41}
"""Minor version of glibc 2 where that Python is Debian's: bookworm and trixie."""
DEBIAN = {"lgpio": "python3-lgpio"}
"""Dependencies without a suitable wheel, by name, and their packages of Raspberry Pi OS."""
INSTALLER = (REPOSITORY / "systemd/install.sh").read_text(encoding="utf-8")


def pip(version: str, *wanted: str) -> subprocess.CompletedProcess[str]:
    """Run pip in dry-run mode for that platform; its report lists the chosen packages."""
    old = ("manylinux2014_aarch64",)
    platforms = [*(f"manylinux_2_{minor}_aarch64" for minor in range(GLIBC[version], 16, -1)), *old]
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--quiet", "--report", "-", "--ignore-installed"]
    command += ["--only-binary=:all:", "--target", "/nowhere", "--python-version", version, "--implementation", "cp"]
    command += [f"--platform={platform}" for platform in platforms]
    return subprocess.run([*command, *wanted], capture_output=True, text=True, check=False, timeout=300)


def skip_offline(done: subprocess.CompletedProcess[str]) -> None:
    """Skip the test if a command failed and even a pure Python package cannot be downloaded."""
    if done.returncode and pip("3.13", "pyserial").returncode:
        pytest.skip(f"PyPI cannot be reached: {done.stderr.strip()[-200:]}")


@pytest.mark.appliance
@pytest.mark.parametrize("version", list(GLIBC))
def test_all_dependencies_have_a_wheel(version: str) -> None:
    # The installer takes pygame-ce where Debian's pygame is too old.
    done = pip(version, *PROJECT["dependencies"], "pygame-ce>=2.5,<3")
    skip_offline(done)
    assert done.returncode == 0, done.stderr
    found = [item["download_info"]["url"].rsplit("/", 1)[1] for item in json.loads(done.stdout)["install"]]
    names = {re.split("[-_]", name.lower())[0] for name in found}
    assert {re.split("[->=_]", wanted)[0] for wanted in PROJECT["dependencies"]} <= names
    for name in found:
        assert name.endswith((f"cp{version.replace('.', '')}-manylinux", "none-any.whl")) or "aarch64" in name, name


@pytest.mark.appliance
@pytest.mark.parametrize("version", list(GLIBC))
def test_locked_packages_have_a_wheel_with_a_known_hash(version: str) -> None:
    done = pip(version, "--no-deps", "--require-hashes", "--requirement", str(REPOSITORY / "systemd/requirements.txt"))
    skip_offline(done)
    assert done.returncode == 0, done.stderr


@pytest.mark.appliance
@pytest.mark.parametrize("version", list(GLIBC))
def test_dependencies_without_wheel_are_known_debian_packages(version: str) -> None:
    for wanted in PROJECT["optional-dependencies"]["pi"]:
        name = re.split("[>=<]", wanted)[0]
        done = pip(version, wanted)
        skip_offline(done)
        assert done.returncode == 0 or DEBIAN[name] in INSTALLER, done.stderr


@pytest.mark.appliance
def test_missing_wheel_is_detected() -> None:
    """PyPI has a source package of RPi.GPIO but no wheel."""
    done = pip("3.13", "RPi.GPIO==0.7.1")
    skip_offline(done)
    assert done.returncode != 0


def test_installer_requests_every_debian_package_that_replaces_a_dependency() -> None:
    packages = {"opencv-python": "python3-opencv", "pyserial": "python3-serial"}
    for wanted in PROJECT["dependencies"]:
        if "python_version >= '3.14'" in wanted:
            continue  # newer than any Python of the supported Debian releases
        name, bound = re.split(">=", wanted.split(",")[0].split(".post")[0])
        package = packages.get(name, f"python3-{name}")
        assert f"{package}:{bound}" in INSTALLER, f"{package} at least {bound}: systemd/install.sh, packages()"


def test_no_wheel_is_built_from_source_on_the_pi() -> None:
    """Building OpenCV or numpy takes hours on a Pi and runs out of memory."""
    text = Path(REPOSITORY / "systemd/environment.py").read_text(encoding="utf-8")
    assert "--prefer-binary" in text or "--only-binary" in text
