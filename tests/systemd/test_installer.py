"""What the installer does before it touches anything, and which Python packages it would take."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import shutil
import subprocess
from types import ModuleType

import bootstrap
import pytest

from tests.conftest import REPOSITORY

SCRIPT = REPOSITORY / "systemd/install.sh"
DEPENDENCIES = ["gpiozero>=2.0.1.post3", "numpy>=1.24", "opencv-python>=4.10", "pygame>=2.5,<3", "pyserial>=3.5,<4"]


def run(*arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", str(SCRIPT), *arguments],
        env={"PATH": os.environ["PATH"], **environ},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def test_help_lists_every_option() -> None:
    output = run("--help").stdout
    text = SCRIPT.read_text(encoding="utf-8")
    options = {
        word for line in text.splitlines() if line.startswith("        --") for word in [line.split(")")[0].strip()]
    }
    assert options >= {"--dry-run", "--upgrade", "--uninstall", "--purge"}
    assert [option for option in options if option not in output] == []


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--instal",), "unknown option --instal"),
        (("--purge",), "--uninstall"),
        (("--wheels",), "folder"),
        (("--wheels", "/no"), ""),
    ],
)
def test_invalid_options_are_refused_before_any_change(arguments: tuple[str, ...], why: str) -> None:
    done = run(*arguments)
    assert done.returncode != 0
    assert why in done.stderr
    assert "Installing" not in done.stdout


@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("setpriv") is None, reason="drops root's rights with setpriv")
def test_missing_root_rights_are_reported() -> None:
    nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "sh", str(SCRIPT)]
    done = subprocess.run(nobody, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "sudo" in done.stderr


def test_dry_run_skips_every_change() -> None:
    """Commands that change a machine are run by `do_it`, or in a function that returns first in a dry run."""
    changing = ("rm ", "mv ", "ln ", "install ", "cp ", "apt-get ", "userdel ", "systemd-sysusers", "chmod ")
    free = ("write_settings", "create_user", "keep_journal", "reserve_console", "activate")
    """Functions that check $dry themselves; test_appliance.py compares a machine before and after a dry run."""
    function, found = "", []
    for line in SCRIPT.read_text(encoding="utf-8").splitlines():
        if line.endswith("() {"):
            function = line.split("(")[0]
        if line.strip().startswith(changing) and function not in free:
            found.append(line.strip())
    assert found == []


@pytest.fixture
def environment() -> ModuleType:
    spec = importlib.util.spec_from_file_location("environment", REPOSITORY / "systemd/environment.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def versions(monkeypatch: pytest.MonkeyPatch, **known: str) -> None:
    def version(name: str) -> str:
        if name not in known:
            raise importlib.metadata.PackageNotFoundError(name)
        return known[name]

    monkeypatch.setattr(importlib.metadata, "version", version)


def test_trixie_uses_numpy_opencv_and_pygame_of_debian(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bootstrap, "find_debian_versions", lambda: {"cv2": "4.10.0", "numpy": "2.2.4"})
    versions(monkeypatch, pygame="2.6.1")
    needs, constraints = environment.list_requirements(bootstrap, {"dependencies": DEPENDENCIES})
    assert not any("opencv" in need for need in needs)
    assert "pygame>=2.5,<3" in needs, "which pip finds there already"
    assert constraints == ["numpy==2.2.4"]


def test_bookworm_uses_pygame_ce_and_opencv_of_pypi(environment: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "find_debian_versions", lambda: {"cv2": "4.6.0", "numpy": "1.24.2"})
    versions(monkeypatch, pygame="2.1.2")
    needs, constraints = environment.list_requirements(bootstrap, {"dependencies": DEPENDENCIES})
    assert "opencv-python>=4.10" in needs
    assert "pygame-ce>=2.5,<3" in needs
    assert not any(need.startswith("pygame>") for need in needs), "its wheel cannot draw on a console"
    assert constraints == ["numpy==1.24.2"]


def test_probe_names_every_imported_package(environment: ModuleType) -> None:
    names = {"opencv-python": "cv2", "pyserial": "serial"}
    for need in DEPENDENCIES:
        name = need.split(">")[0]
        assert names.get(name, name) in environment.PROBE


def test_nothing_is_written_into_the_source() -> None:
    """A build would leave `build` and `*.egg-info`, owned by root, in the user's folder."""
    text = (REPOSITORY / "systemd/environment.py").read_text(encoding="utf-8")
    assert "str(copy)" in text
    assert "str(source)" not in text.replace('str(source / "tools")', "")
