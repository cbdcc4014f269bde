"""A release: notes, checksums, metadata; and the source distribution gives the same wheel and brings its tests."""

from __future__ import annotations

import email
import email.message
import os
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from itertools import chain
from pathlib import Path

import make_release
import pytest
from packaging.metadata import Metadata

from tests.conftest import REPOSITORY

CHANGELOG = """# Changelog

## Unreleased

### Added

- New.

## 0.2.0 - 2026-11-23

- Two.

## 0.1.0 - 2026-01-01

- One.
"""


LANGUAGE_NAMES = {"de": "German", "en": "English", "es": "Spanish", "fr": "French", "it": "Italian"}
"""As the classifiers have them."""


def test_notes_are_those_of_the_version() -> None:
    assert make_release.extract_notes(CHANGELOG, "0.2.0") == "### Added\n\n- New.\n\n- Two.\n"
    old = CHANGELOG.replace("### Added\n\n- New.\n", "")
    assert make_release.extract_notes(old, "0.1.0") == "- One.\n"


def test_a_version_without_notes_is_refused() -> None:
    with pytest.raises(ValueError, match=r"no section about version 0\.3\.0"):
        make_release.extract_notes("# Changelog\n\n## 0.1.0\n\n- One.\n", "0.3.0")


def test_a_version_without_a_date_is_named() -> None:
    assert [*make_release.find_missing_date(CHANGELOG, "0.2.0")] == []
    (line,) = make_release.find_missing_date(CHANGELOG.replace(" - 2026-11-23", " (unreleased)"), "0.2.0")
    assert line.startswith('date: CHANGELOG.md has no heading "## 0.2.0 - YYYY-MM-DD"')


def test_a_release_says_that_it_has_no_address(tmp_path: Path) -> None:
    file = tmp_path / "pyproject.toml"
    file.write_text('[project]\nversion = "1.0"\n', encoding="utf-8")
    (line,) = make_release.find_missing_address(tmp_path)
    assert line.startswith("address: no Repository")
    file.write_text('[project]\nversion = "1.0"\n[project.urls]\nRepository = "https://a.example"\n', encoding="utf-8")
    assert not [*make_release.find_missing_address(tmp_path)]


def test_notes_say_what_is_not_in_the_release_and_have_no_dead_links() -> None:
    missing = [
        "address: none",
        *(f"{name}: no gcc" for _, name in make_release.FIRMWARE.values()),
        "images of x: y",
    ]
    notes = "See [limits](docs/limits.md) and [Keep](https://a.example).\n"
    text = make_release.format_notes("# 1.0", notes, missing, ["Python 3.14: not tried"], "", "v1.0")
    assert text == (
        "# 1.0\n\nSee limits and [Keep](https://a.example).\n\n## Not in this release\n\n"
        f"- {make_release.LEFT_OUT['address']}\n"
        f"- {make_release.LEFT_OUT['buttonbox-pico.uf2']}\n"
        f"- {make_release.LEFT_OUT['buttonbox-atmega328p.hex']}\n"
        "\n## Tried\n\n- Python 3.14: not tried\n"
    )
    text = make_release.format_notes("# 1.0", notes, [], [], "https://b.example/x", "v1.0")
    assert "[limits](https://b.example/x/blob/v1.0/docs/limits.md)" in text
    assert "Not in this" not in text
    assert "Tried" not in text


def test_the_notes_have_words_for_all_that_can_be_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pyproject.toml").write_text("[project]\n", encoding="utf-8")
    (code := tmp_path / "firmware_notes" / "circuitpython" / "code.py").parent.mkdir(parents=True)
    code.touch()
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(make_release, "IMAGES", tmp_path / "none")
    order = [
        "address",
        "date",
        "buttonbox-pico.uf2",
        "buttonbox-atmega328p.hex",
        "card image",
        make_release.PARTS_ARCHIVE,
    ]
    assert set(order) == make_release.LEFT_OUT.keys()
    lines = [
        *make_release.find_missing_address(tmp_path),
        *make_release.find_missing_date("", "1.0"),
        *make_release.build_firmware(tmp_path, tmp_path),
        *make_release.copy_images(tmp_path, "1.0"),
        *make_release.build_printed_parts(tmp_path, tmp_path),
    ]
    assert [line.partition(":")[0] for line in lines] == order


def test_a_tagged_commit_without_a_date_is_no_release(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (source := tmp_path / "source").mkdir()
    (source / "pyproject.toml").write_text('[project]\nversion = "1.0"\n', encoding="utf-8")
    (source / "CHANGELOG.md").write_text("## 1.0 (unreleased)\n\n- One.\n", encoding="utf-8")
    monkeypatch.setattr(make_release, "export_head", lambda _folder: source)
    monkeypatch.setattr(make_release, "run_git", lambda *_words: "v1.0")
    with pytest.raises(ValueError, match=r"## 1\.0 - YYYY-MM-DD.*write it, commit, and move the tag v1\.0"):
        make_release.make_release(tmp_path / "release")


@pytest.mark.parametrize("with_all", [True, False])
def test_each_step_of_a_release_is_announced(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, with_all: bool
) -> None:
    monkeypatch.setattr(make_release, "export_head", lambda _folder: REPOSITORY)
    monkeypatch.setattr(make_release, "run_git", lambda *_words: "")
    monkeypatch.setattr(make_release, "build_distributions", lambda _source, made: (made / "x.whl").touch())
    for name in ("build_firmware", "copy_images", "build_printed_parts", "try_everywhere"):
        monkeypatch.setattr(make_release, name, lambda *_arguments: iter(()))
    make_release.make_release(tmp_path / "release", with_parts=with_all, with_trial=with_all)
    steps = [line.partition(":")[0] for line in capsys.readouterr().out.splitlines() if line.startswith("step ")]
    count = 7 if with_all else 5
    assert steps == [f"step {number} of {count}" for number in range(1, count + 1)]


def test_our_change_log_has_notes() -> None:
    version = make_release.read_version(REPOSITORY)
    assert make_release.extract_notes((REPOSITORY / "CHANGELOG.md").read_text("utf-8"), version)


def list_licence_files() -> set[str]:
    """Return what lies beside the code about licences: of the program, its fonts and its networks."""
    names = ("LICENSE*", "OFL*", "*_attribution.txt")
    found = (
        file for folder in ("companion", "hardware") for name in names for file in (REPOSITORY / folder).rglob(name)
    )
    return {"LICENSE", *(file.relative_to(REPOSITORY).as_posix() for file in found)}


def test_the_licences_are_those_of_all_that_is_shipped() -> None:
    metadata = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert metadata["license"] == "MIT AND Apache-2.0 AND OFL-1.1"
    assert set(metadata["license-files"]) == list_licence_files()
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    assert all(f"]({file})" in readme for file in metadata["license-files"])


def test_the_languages_are_those_shipped() -> None:
    metadata = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = [each for each in metadata["classifiers"] if each.startswith("Natural Language :: ")]
    shipped = ["en", *(folder.name for folder in (REPOSITORY / "companion" / "locale").iterdir() if folder.is_dir())]
    assert sorted(named) == sorted(f"Natural Language :: {LANGUAGE_NAMES[code]}" for code in shipped)


def test_checksums_are_those_of_sha256sum(tmp_path: Path) -> None:
    for name in ("b.whl", "a.hex"):
        (tmp_path / name).write_text(name, encoding="utf-8")
    make_release.write_checksums(tmp_path)
    subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=tmp_path, check=True)
    (tmp_path / "a.hex").write_text("changed", encoding="utf-8")
    failed = subprocess.run(["sha256sum", "--check", "SHA256SUMS"], cwd=tmp_path, check=False)
    assert failed.returncode


def test_only_images_of_this_commit_are_released(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built, released = tmp_path / "image", tmp_path / "release"
    built.mkdir()
    released.mkdir()
    ends = (".img.xz", ".raucb", ".spdx.json", ".files.json")
    versions = ("0.1.0+aaaa", "0.1.0+bbbb", "0.1.0", "0.1.1")
    names = {version: [f"board-game-companion-{version}-pi{end}" for end in ends] for version in versions}
    for name in (*chain(*names.values()), "board-game-companion-0.1.0+bbbb-pi.img"):  # not squeezed, gigabytes
        (built / name).write_text(name, encoding="ascii")
    monkeypatch.setattr(make_release, "IMAGES", built)
    left_out = list(make_release.copy_images(released, "0.1.0+bbbb"))
    own = [*names["0.1.0+bbbb"], *names["0.1.0"]]
    assert {file.name: file.read_text("ascii") for file in released.iterdir()} == {name: name for name in own}
    others = sorted(names["0.1.0+aaaa"] + names["0.1.1"])
    assert sorted(line.rpartition(" ")[2] for line in left_out) == others


def read_wheel(wheel: Path) -> dict[str, bytes]:
    """Return the contents of a wheel's files, by name."""
    with zipfile.ZipFile(wheel) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def build_wheel(source: Path, folder: Path) -> Path:
    """Build a wheel straight from a folder of sources."""
    command = [sys.executable, "-m", "build", "--wheel", "--outdir", str(folder), str(source)]
    subprocess.run(command, check=True, env=os.environ | {"SOURCE_DATE_EPOCH": "1700000000"})
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.mark.proof  # pip fetches setuptools: it needs a network, and a minute
def test_the_source_distribution_is_complete(tmp_path: Path) -> None:
    """Unpacked in an empty folder it builds the same wheel as the checkout, and all tests can be collected."""
    if not (REPOSITORY / ".git").exists():
        pytest.skip("this is no checkout")
    release = make_release.make_release(tmp_path / "release", with_parts=False, with_trial=False)
    subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=release, check=True)
    (archive,) = release.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(tmp_path / "empty", filter="data")
    (source,) = (tmp_path / "empty").iterdir()
    again = read_wheel(build_wheel(source, tmp_path / "again"))
    checkout = make_release.export_head(tmp_path)
    head = read_wheel(build_wheel(checkout, tmp_path / "head"))
    (released,) = release.glob("*.whl")
    assert again == head == read_wheel(released)

    for folder in ("docs", "firmware_notes", "systemd", "tests", "tools", "examples"):
        files = {file.relative_to(checkout) for file in (checkout / folder).rglob("*") if file.is_file()}
        built = {Path("firmware_notes/firmware/build"), Path("firmware_notes/simulator/build")}
        packed_files = {file.relative_to(source) for file in (source / folder).rglob("*") if file.is_file()}
        assert packed_files == {file for file in files if not built.intersection(file.parents)}

    metadata = next(content for name, content in again.items() if name.endswith("/METADATA"))
    Metadata.from_email(metadata, validate=True)
    described = email.message_from_bytes(metadata)
    assert described["License-Expression"] == "MIT AND Apache-2.0 AND OFL-1.1"
    licences = {name.partition(".dist-info/licenses/")[2] for name in again} - {""}
    assert licences == set(described.get_all("License-File", [])) == list_licence_files()
    assert described["Requires-Python"]
    assert described["Description-Content-Type"] == "text/markdown"
    assert not [name for name in again if "/tests/" in f"/{name}"]
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    for folder, files in project["tool"]["setuptools"]["data-files"].items():
        assert all(any(name.endswith(f".data/data/{folder}/{Path(file).name}") for name in again) for file in files)

    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    collect = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    collected = subprocess.run(
        collect, cwd=source, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert collected.returncode == 0, collected.stdout[-2000:]
