"""What the installer does before it touches anything, and which Python packages it would take.

On a real systemd, and run twice: test_appliance.py.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import re
import shutil
import site
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from types import ModuleType

import bootstrap
import lock_requirements
import pytest

from companion.display.sound.speech import SPEECH_PROGRAM
from tests.conftest import REPOSITORY

SCRIPT = REPOSITORY / "systemd/install.sh"
LOCK = REPOSITORY / "systemd/requirements.txt"
DEPENDENCIES = ["gpiozero>=2.0.1.post3", "numpy>=1.24", "opencv-python>=4.10", "pygame>=2.5,<3", "pyserial>=3.5,<4"]
PYPROJECT = {"project": {"dependencies": DEPENDENCIES}, "build-system": {"requires": ["setuptools>=77"]}}


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


def test_games_from_elsewhere_are_part_of_each_version() -> None:
    """A game that was added to one version by hand was lost with the next."""
    text = SCRIPT.read_text(encoding="utf-8")
    assert '--games "$etc/games"' in text
    (hashed,) = re.findall(r"^fingerprint\(\) \{.*?^\}", text, re.MULTILINE | re.DOTALL)
    assert "$etc/games" in hashed, "a new game makes a new version"


def test_programs_that_the_companion_runs_are_installed() -> None:
    """Without espeak-ng spoken announcements would be silent."""
    wanted = re.search(r'^    wanted="(.*)"$', SCRIPT.read_text(encoding="utf-8"), re.MULTILINE)
    assert wanted is not None
    assert SPEECH_PROGRAM in wanted[1].split()


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


@pytest.mark.parametrize(
    ("debian", "pygame", "of_pypi"),
    [
        ({"cv2": "4.10.0", "numpy": "2.2.4"}, "2.6.1", {"pygame>=2.5,<3"}),
        # The wheel of pygame cannot draw on a console.
        ({"cv2": "4.6.0", "numpy": "1.24.2"}, "2.1.2", {"opencv-python>=4.10", "pygame-ce>=2.5,<3"}),
    ],
    ids=["trixie", "bookworm"],
)
def test_opencv_and_pygame_are_debians_where_they_are_new_enough(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch, debian: dict[str, str], pygame: str, of_pypi: set[str]
) -> None:
    monkeypatch.setattr(bootstrap, "find_debian_versions", lambda: debian)
    versions(monkeypatch, pygame=pygame)
    needs = environment.list_requirements(bootstrap, PYPROJECT)
    assert {need for need in needs if need.startswith(("opencv", "pygame"))} == of_pypi
    assert environment.is_satisfied(bootstrap, "pygame>=2.5,<3") == (pygame == "2.6.1")


def test_bounds_of_requirements(environment: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    versions(monkeypatch, gpiozero="2.0.1", pyserial="3.5", pydantic="3.0", setuptools="66.1.1")
    expected = {
        "gpiozero>=2.0.1.post3": False,
        "pyserial>=3.5,<4": True,
        "pydantic>=2.5,<3": False,
        "setuptools>=77": False,
        "platformdirs>=4": False,
    }
    assert {need: environment.is_satisfied(bootstrap, need) for need in expected} == expected


def test_probe_names_every_imported_package(environment: ModuleType) -> None:
    names = {"opencv-python": "cv2", "pyserial": "serial", "pygame-ce": "pygame"}
    for need in DEPENDENCIES:
        name = need.split(">")[0]
        assert names.get(name, name) in environment.PROBE


def test_nothing_is_written_into_the_source() -> None:
    """A build would leave `build` and `*.egg-info`, owned by root, in the user's folder."""
    text = (REPOSITORY / "systemd/environment.py").read_text(encoding="utf-8")
    assert "str(copy)" in text
    assert "str(source)" not in text.replace('str(source / "tools")', "")


def test_every_package_of_pypi_is_locked(environment: ModuleType) -> None:
    """Packages that Debian lacks can be installed, in a version that pyproject.toml accepts."""
    pyproject = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = [need for need in lock_requirements.list_wanted() if need not in lock_requirements.BOUNDS]
    assert len(wanted) == len(bootstrap.select_for_python(pyproject["project"]["dependencies"], (3, 13)))
    locked = {
        line.split("==")[0]: line.split("==")[1].split()[0]
        for lines in environment.read_lock(LOCK.read_text(encoding="utf-8"))[0].values()
        for line in lines[:1]
    }
    for need in wanted:
        name, _, bounds = need.partition(">=")
        lowest, _, limit = bounds.partition(",<")
        assert bootstrap.is_at_least(locked[name], lowest), need
        assert not (limit and bootstrap.is_at_least(locked[name], limit)), need


def test_every_locked_package_has_hashes(environment: ModuleType) -> None:
    lines, _ = environment.read_lock(LOCK.read_text(encoding="utf-8"))
    for name, (pin, *hashes) in lines.items():
        assert re.fullmatch(r"[a-z-]+==[\w.]+ \\", pin), name
        assert hashes
        assert all(re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}( \\)?", line) for line in hashes), name


def test_locked_packages_come_with_what_they_need(environment: ModuleType) -> None:
    text = LOCK.read_text(encoding="utf-8")
    chosen = environment.select_locked(text, ["gpiozero>=2.0.1.post3"], ["setuptools>=77"])
    assert re.findall("^([a-z-]+)==", chosen, re.MULTILINE) == ["gpiozero", "colorzero"]
    chosen = environment.select_locked(text, ["pydantic>=2.5,<3", "setuptools>=77"], [])
    names = {"pydantic", "setuptools", "annotated-types", "pydantic-core", "typing-extensions", "typing-inspection"}
    assert set(re.findall("^([a-z-]+)==", chosen, re.MULTILINE)) == names


def test_package_that_is_not_locked_is_refused(environment: ModuleType) -> None:
    with pytest.raises(environment.Failed, match="numpy"):
        environment.select_locked(LOCK.read_text(encoding="utf-8"), ["numpy>=1.24"], [])


def test_pip_installs_nothing_without_a_hash() -> None:
    text = (REPOSITORY / "systemd/environment.py").read_text(encoding="utf-8")
    assert '"--require-hashes"' in text
    assert text.count("run(*wheels,") == 1
    assert 'run(*pip, "--no-index", "--no-build-isolation"' in text, "the program itself, from its own source"


def test_wheel_with_other_content_is_refused(environment: ModuleType, tmp_path: Path) -> None:
    """The same name and version as a locked package, offered by a folder of wheels."""
    text = environment.select_locked(LOCK.read_text(encoding="utf-8"), ["pyserial>=3.5,<4"], [])
    (tmp_path / "requirements.txt").write_text(text, encoding="utf-8")
    with zipfile.ZipFile(tmp_path / "pyserial-3.5-py2.py3-none-any.whl", "w") as wheel:
        wheel.writestr("serial/__init__.py", "")
        wheel.writestr("pyserial-3.5.dist-info/METADATA", "Metadata-Version: 2.1\nName: pyserial\nVersion: 3.5\n")
        wheel.writestr("pyserial-3.5.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr("pyserial-3.5.dist-info/RECORD", "")
    pip = [sys.executable, "-I", "-m", "pip", "install", "--no-index", "--no-deps", "--find-links", str(tmp_path)]
    pip += ["--disable-pip-version-check"]
    hashes = ["--require-hashes", "-r", "requirements.txt", "--target", str(tmp_path / "target")]
    done = subprocess.run([*pip, *hashes], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "HASHES" in done.stderr
    assert not (tmp_path / "target").exists()


def test_environment_hides_packages_of_users(environment: ModuleType, tmp_path: Path) -> None:
    """Debian's packages are seen, those in a home are not, however the environment's Python is started."""
    folder, home = tmp_path / "version", tmp_path / "home"
    venv = [sys.executable, "-I", "-m", "venv", "--without-pip", "--system-site-packages", str(folder)]
    subprocess.run(venv, check=True)
    program = folder / "bin/companion"
    program.write_text(f"#!{folder}/bin/python\nimport sys; print(sys.flags.isolated)\n", encoding="utf-8")
    program.chmod(0o755)
    ours = home / ".local/lib/python{}.{}/site-packages".format(*sys.version_info)
    ours.mkdir(parents=True)
    (ours / "planted.pth").write_text("import sys; sys.planted = True\n", encoding="utf-8")
    environ = {"PATH": os.environ["PATH"], "HOME": str(home)}
    probe = [folder / "bin/python", "-c", "import sys; print(hasattr(sys, 'planted'), *sys.path, sep='\\n')"]

    def look() -> tuple[str, list[str]]:
        planted, *paths = subprocess.run(
            probe, env=environ, capture_output=True, text=True, check=True
        ).stdout.splitlines()
        return planted, paths

    assert look()[0] == "True", "the way in, as venv leaves it"
    environment.hide_user_packages(folder)
    planted, paths = look()
    assert planted == "False"
    assert str(ours) not in paths
    assert set(site.getsitepackages()) <= set(paths)
    assert subprocess.run([program], env=environ, capture_output=True, text=True, check=True).stdout == "1\n"
