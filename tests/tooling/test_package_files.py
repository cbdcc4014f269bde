"""Each folder is in the source distribution, and each data file where the wheel takes it from.

That both are complete: test_make_release.py.
"""

from __future__ import annotations

import subprocess
import tomllib

import pytest

from tests.conftest import REPOSITORY

PYPROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))


def test_the_source_distribution_has_every_folder() -> None:
    """Documents, systemd units, firmware and tests are for those who build the box or package the program."""
    done = subprocess.run(["git", "ls-files"], cwd=REPOSITORY, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip("this is no checkout")
    folders = {name.split("/")[0] for name in done.stdout.splitlines() if "/" in name and not name.startswith(".")}
    manifest = (REPOSITORY / "MANIFEST.in").read_text(encoding="utf-8").splitlines()
    grafted = {line.removeprefix("graft ") for line in manifest if line.startswith("graft ")}
    assert folders - grafted == {"companion", "hardware"}


def test_data_files_are_there() -> None:
    for files in PYPROJECT["tool"]["setuptools"]["data-files"].values():
        assert all((REPOSITORY / file).is_file() for file in files)
