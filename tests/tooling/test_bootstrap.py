"""bootstrap.py: what it decides and what it says, without a network."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bootstrap
import pytest

BOOKWORM = {"ID": "debian", "VERSION_ID": "12"}
TRIXIE = {"ID": "debian", "VERSION_ID": "13"}
NO_LIBRARY = (
    "Traceback (most recent call last):\nImportError: {}: cannot open shared object file: No such file or directory\n"
)


def pyproject(**project: Any) -> dict[str, Any]:
    return {
        "project": {"dependencies": ["numpy"], **project},
        "build-system": {"requires": ["setuptools"]},
        "tool": {"setuptools": {}, "ruff": {"line-length": 120}},
    }


def test_fingerprint_changes_with_what_is_installed_and_where() -> None:
    fingerprint = bootstrap.compute_fingerprint(pyproject(), Path("/a"))
    linted = pyproject()
    linted["tool"]["ruff"] = {"line-length": 88}
    assert bootstrap.compute_fingerprint(linted, Path("/a")) == fingerprint
    assert bootstrap.compute_fingerprint(pyproject(dependencies=["numpy>=2"]), Path("/a")) != fingerprint
    assert bootstrap.compute_fingerprint(pyproject(), Path("/b")) != fingerprint


@pytest.mark.parametrize(
    ("version", "bound", "reaches"),
    [
        ("4.6.0", "4.10", False),
        ("4.10.0+dfsg", "4.10", True),
        ("5.0.0", "4.10", True),
        ("4.10", "4.10", True),
        ("12", "13", False),
        ("13.1", "13", True),
    ],
)
def test_versions_compare_by_number(version: str, bound: str, reaches: bool) -> None:
    assert bootstrap.is_at_least(version, bound) is reaches


DEPENDENCIES = ["numpy>=1.24", "opencv-python>=4.10", "pygame>=2.1"]


@pytest.mark.parametrize(
    ("installed", "wanted", "constraints"),
    [
        ({"cv2": "4.10.0", "numpy": "2.2.4"}, [DEPENDENCIES[0], DEPENDENCIES[2]], ["numpy==2.2.4"]),
        ({"cv2": "4.6.0", "numpy": "1.24.2"}, DEPENDENCIES, ["numpy==1.24.2"]),
        ({}, DEPENDENCIES, []),
    ],
    ids=["new enough", "old", "bare"],
)
def test_debians_opencv_is_taken_where_it_is_new_enough_and_its_numpy_stays(
    installed: dict[str, str], wanted: list[str], constraints: list[str]
) -> None:
    assert bootstrap.select_for_debian(DEPENDENCIES, installed) == (wanted, constraints)


def test_os_release_is_read_with_and_without_quotes() -> None:
    text = 'PRETTY_NAME="Debian GNU/Linux 12"\nVERSION_ID="12"\n\n# said\nID=debian\n'
    assert bootstrap.parse_os_release(text) == {
        "PRETTY_NAME": "Debian GNU/Linux 12",
        "VERSION_ID": "12",
        "ID": "debian",
    }


@pytest.mark.parametrize(
    ("release", "package"),
    [
        (BOOKWORM, "libglib2.0-0"),
        (TRIXIE, "libglib2.0-0t64"),
        ({"ID": "raspbian", "VERSION_ID": "12"}, "libglib2.0-0"),
        ({"ID": "debian"}, "libglib2.0-0t64"),  # sid states no number
        ({"ID": "ubuntu", "VERSION_ID": "22.04"}, "libglib2.0-0"),
        ({"ID": "ubuntu", "VERSION_ID": "24.04"}, "libglib2.0-0t64"),
    ],
)
def test_glib_by_the_name_it_has_there(release: dict[str, str], package: str) -> None:
    assert bootstrap.choose_glib_package(release) == package


APT = "sudo apt install libgl1 libglib2.0-0t64 libxcb1"


@pytest.mark.parametrize(
    ("output", "named", "end"),
    [
        (NO_LIBRARY.format("libGL.so.1"), "libGL.so.1", APT),
        (NO_LIBRARY.format("libgthread-2.0.so.0"), "libgthread-2.0.so.0", APT),
        (NO_LIBRARY.format("libglib-2.0.so.0"), "libglib-2.0.so.0", APT),
        (NO_LIBRARY.format("libxcb.so.1"), "libxcb.so.1", APT),
        (NO_LIBRARY.format("libatomic.so.1"), "libatomic.so.1", "apt-file search libatomic.so.1"),
        ("Traceback\n  File\nRuntimeError: CPU dispatcher\n", "RuntimeError: CPU dispatcher", ""),
        ("", " ", ""),  # killed by a signal: no words at all
    ],
)
def test_a_failed_import_is_explained(output: str, named: str, end: str) -> None:
    message = bootstrap.explain_import(output, TRIXIE)
    assert named in message
    assert message.endswith(end)
    assert "Traceback" not in message


@pytest.fixture
def environment(tmp_path: Path) -> bootstrap.VirtualEnvironment:
    return bootstrap.VirtualEnvironment(tmp_path / ".venv")


def test_an_environment_is_ready_for_its_own_fingerprint_only(environment: bootstrap.VirtualEnvironment) -> None:
    assert environment.read_level("abc") is None
    environment.folder.mkdir()
    environment.ready.write_text("dev abc\n", encoding="utf-8")
    assert environment.read_level("abc") == "dev"
    assert environment.read_level("def") is None
    environment.ready.write_text("torn", encoding="utf-8")
    assert environment.read_level("") is None


def test_a_broken_environment_is_noticed(environment: bootstrap.VirtualEnvironment) -> None:
    assert not environment.is_usable()
    environment.python.parent.mkdir(parents=True)
    environment.python.symlink_to("/nowhere/python3")
    assert not environment.is_usable()
    environment.python.unlink()
    environment.python.write_bytes(b"\x7fELF torn")
    environment.python.chmod(0o755)
    assert not environment.is_usable()
    environment.python.unlink()
    environment.python.symlink_to(sys.executable)
    assert environment.is_usable("json")
    assert not environment.is_usable("json", "no_such_module")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout in which making and installing are only written down, in `calls`."""
    tmp_path.joinpath("pyproject.toml").write_bytes(bootstrap.ROOT.joinpath("pyproject.toml").read_bytes())
    calls = tmp_path / "calls"

    def make(self: bootstrap.VirtualEnvironment, *options: str) -> None:
        with calls.open("a") as file:
            print("make", *options, file=file)
        self.python.parent.mkdir(parents=True, exist_ok=True)
        self.python.unlink(missing_ok=True)
        self.python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
        self.python.chmod(0o755)
        self.unfinished.touch()

    def pip(self: bootstrap.VirtualEnvironment, *arguments: str) -> None:
        with calls.open("a") as file:
            print("pip", *arguments, file=file)
        self.unfinished.touch()

    monkeypatch.setattr(bootstrap, "ROOT", tmp_path)
    monkeypatch.setattr(bootstrap, "REQUIRED_MODULES", {"run": ("json",), "dev": ()})
    monkeypatch.setattr(bootstrap, "is_raspberry_pi", lambda: False)
    monkeypatch.setattr(bootstrap.VirtualEnvironment, "create", make)
    monkeypatch.setattr(bootstrap.VirtualEnvironment, "pip_install", pip)
    return tmp_path


def calls(project: Path) -> list[str]:
    """What was made and installed since the last look."""
    file = project / "calls"
    done = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    file.unlink(missing_ok=True)
    return done


def fake_opencv(project: Path, monkeypatch: pytest.MonkeyPatch, source: str) -> None:
    """`import cv2, pygame` in a child finds these."""
    for name in ("cv2", "pygame"):
        project.joinpath(f"{name}.py").write_text(source, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(project))


def test_made_once_then_nothing_to_do(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_opencv(project, monkeypatch, "")
    bootstrap.bootstrap("run")
    assert calls(project) == ["make", "pip --editable ."]
    bootstrap.bootstrap("run")
    assert calls(project) == []
    bootstrap.bootstrap("dev")
    assert calls(project) == ["pip --editable .[dev]"]
    bootstrap.bootstrap("run")
    assert calls(project) == []


def interrupt(project: Path) -> None:
    project.joinpath(".venv", ".unfinished").touch()


def change_pyproject(project: Path) -> None:
    file = project / "pyproject.toml"
    file.write_text(file.read_text(encoding="utf-8").replace('"numpy>=', '"numpy>=0'), encoding="utf-8")


def remove_system_python(project: Path) -> None:
    python = project / ".venv" / "bin" / "python"
    python.unlink()
    python.symlink_to("/nowhere/python3.10")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (interrupt, ["make", "pip --editable ."]),
        (change_pyproject, ["pip --editable ."]),
        (remove_system_python, ["make", "pip --editable ."]),
    ],
)
def test_what_no_longer_fits_is_made_anew(
    project: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], None], expected: list[str]
) -> None:
    fake_opencv(project, monkeypatch, "")
    bootstrap.bootstrap("run")
    change(project)
    calls(project)
    bootstrap.bootstrap("run")
    assert calls(project) == expected


def test_a_missing_library_is_said_and_tried_again(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_opencv(project, monkeypatch, "raise ImportError('libGL.so.1: cannot open shared object file: No such file')")
    with pytest.raises(bootstrap.BootstrapError, match=r"(?s)libGL\.so\.1.*sudo apt install libgl1 libglib2\.0-0"):
        bootstrap.bootstrap("run")
    fake_opencv(project, monkeypatch, "")
    calls(project)
    bootstrap.bootstrap("run")
    assert calls(project) == ["pip --editable ."]


def test_a_raspberry_gets_debians_packages(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_opencv(project, monkeypatch, "")
    monkeypatch.setattr(bootstrap, "is_raspberry_pi", lambda: True)
    monkeypatch.setattr(bootstrap, "find_debian_versions", lambda: {"cv2": "4.10.0", "numpy": "2.2.4"})
    bootstrap.bootstrap("run")
    made, first, second = calls(project)
    assert made == "make --system-site-packages"
    assert "pygame" in first
    assert "opencv" not in first
    assert second == "pip --no-deps --editable ."
    assert project.joinpath(".venv", "constraints.txt").read_text(encoding="utf-8") == "numpy==2.2.4"


def test_main_says_what_is_missing_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(level: str) -> None:
        raise bootstrap.BootstrapError("no network")

    monkeypatch.setattr(bootstrap, "bootstrap", fail)
    assert bootstrap.main(["run"]) == 1
    assert capsys.readouterr().err == "no network\n"


@pytest.mark.parametrize("arguments", [[], ["fly"], ["run", "dev"]])
def test_main_explains_itself(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert bootstrap.main(arguments) == 2
    assert "Usage: bootstrap.py run|dev" in capsys.readouterr().err
