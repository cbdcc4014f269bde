"""Build a release from the last commit: wheel, source distribution, firmware, printed parts, notes and checksums.

    python tools/make_release.py [FOLDER] [--no-parts] [--no-trial]

Everything is built from a copy of HEAD, so that no uncommitted file gets in. The folder (default: dist/VERSION) gets:

- the wheel, built from the source distribution, and the source distribution itself;
- `buttonbox-pico.uf2` and `buttonbox-atmega328p.hex`, each where its compiler is installed;
- `buttonbox-circuitpython.py`, the button box for boards with CircuitPython;
- the printed parts as STL files in one archive, where openscad is installed;
- card images, if `make image` has put some into build/image;
- `NOTES.md` from CHANGELOG.md with what is left out and which Pythons were tried, and `SHA256SUMS` of all other files.

Before the notes are written, the wheel is installed into an empty environment of each Python here, and a game is played
(`try_wheel.py`).

A release is a draft until HEAD has the tag `vVERSION`; the notes and the last line say so. With the tag, its section of
CHANGELOG.md has a date.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from steps import Steps
from try_wheel import try_everywhere

PROJECT = Path(__file__).resolve().parent.parent
FIRMWARE = {
    "arm-none-eabi-gcc": ("pico", "buttonbox-pico.uf2"),
    "avr-gcc": ("atmega", "buttonbox-atmega328p.hex"),
}
"""By compiler: the Makefile's target and its file."""
CIRCUITPYTHON = "buttonbox-circuitpython.py"
PARTS_ARCHIVE = "printed-parts.zip"
IMAGES = PROJECT / "build" / "image"
"""Where card images lie, if they were built."""
CHECKSUMS, NOTES = "SHA256SUMS", "NOTES.md"
LEFT_OUT = {
    "address": "The project's address on the internet: the notes and the package name none.",
    "date": "The date: it is a draft until its section of CHANGELOG.md has one.",
    "card image": "The card image for a Raspberry Pi: `make image` builds one.",
    "buttonbox-pico.uf2": "The button box's firmware for a Pico: `make firmware` builds it.",
    "buttonbox-atmega328p.hex": "The button box's firmware for an ATmega328P: `make firmware` builds it.",
    PARTS_ARCHIVE: "The printed parts: tools/build_parts.py makes them with openscad.",
}
"""What the notes say about what is left out, by what its line has before the colon."""
LINK_PATTERN = re.compile(r"\[([^\]]+)\]\((?!https?:)([^)]+)\)")


def run_git(*arguments: str) -> str:
    """Return what git prints, without the last line break.

    Raises:
        subprocess.CalledProcessError: git fails, for example because this is no checkout.
    """
    done = subprocess.run(["git", *arguments], cwd=PROJECT, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def read_version(project: Path) -> str:
    """Return the version that pyproject.toml names."""
    found = _read_metadata(project)["version"]
    assert isinstance(found, str)
    return found


def read_address(project: Path) -> str:
    """Return where pyproject.toml says that the project can be found; "": nowhere."""
    address = _read_metadata(project).get("urls", {}).get("Repository", "")
    assert isinstance(address, str)
    return address.rstrip("/")


def find_missing_address(project: Path) -> Iterator[str]:
    """Yield a line if nothing says where the project can be found: an address cannot be made up."""
    if not read_address(project):
        yield 'address: no Repository = "https://..." in pyproject.toml, [project.urls]'


def _read_metadata(project: Path) -> dict[str, Any]:
    metadata: dict[str, Any] = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return metadata


def find_missing_date(changelog: str, version: str) -> Iterator[str]:
    """Yield a line if the version's section of the change log has no date: a tagged release needs it.

    >>> list(find_missing_date("## 0.2.0 - 2026-11-23", "0.2.0"))
    []
    """
    if not re.search(rf"^## {re.escape(version)} - \d{{4}}-\d\d-\d\d$", changelog, re.MULTILINE):
        yield f'date: CHANGELOG.md has no heading "## {version} - YYYY-MM-DD"'


def extract_notes(changelog: str, version: str) -> str:
    """Return the sections of the change log that belong to a version: "Unreleased" and the version's own.

    Args:
        changelog: the text of CHANGELOG.md; a section begins with "## ".
        version: such as "0.2.0"; its heading is "## 0.2.0 - 2026-11-23".

    Raises:
        ValueError: there is no such section, or they are empty.
    """
    chosen = []
    for section in re.split(r"^(?=## )", changelog, flags=re.MULTILINE)[1:]:
        heading, _, body = section.partition("\n")
        name = heading.removeprefix("## ").strip("[] ").split("]")[0].split()[0]
        if name in {"Unreleased", version} and body.strip():
            chosen.append(body.strip())
    if not chosen:
        raise ValueError(f"CHANGELOG.md has no section about version {version}")
    return "\n\n".join(chosen) + "\n"


def format_notes(title: str, notes: str, missing: Sequence[str], trials: Sequence[str], address: str, tag: str) -> str:
    """Return the text of the notes: what is new, what is not in this release, and what was tried.

    Args:
        title: of the notes.
        notes: from the change log; its links into the project lead to the address, or become plain text.
        missing: lines about what is left out, each beginning with a key of LEFT_OUT and a colon, or about other files.
        trials: lines about the wheel in each Python.
        address: of the project; "": there is none.
        tag: the version's.
    """
    link = rf"[\1]({address}/blob/{tag}/\2)" if address else r"\1"
    parts = [title, LINK_PATTERN.sub(link, notes).rstrip("\n")]
    named = {line.partition(":")[0] for line in missing}
    if left_out := [words for name, words in LEFT_OUT.items() if name in named]:
        parts += ["## Not in this release", "\n".join(f"- {each}" for each in left_out)]
    if trials:
        parts += ["## Tried", "\n".join(f"- {each}" for each in trials)]
    return "\n\n".join(parts) + "\n"


def export_head(folder: Path) -> Path:
    """Unpack the committed files into a folder and return the path of the copy."""
    archive = folder / "head.tar"
    run_git("archive", "--format=tar", f"--output={archive}", "HEAD")
    copy = folder / "source"
    with tarfile.open(archive) as packed:
        packed.extractall(copy, filter="data")
    return copy


def build_distributions(source: Path, folder: Path) -> None:
    """Build the source distribution, and the wheel from it, in an environment of their own (pip fetches setuptools)."""
    # Times of the commit in place of now: the same commit gives the same wheel.
    environment = os.environ | {"SOURCE_DATE_EPOCH": run_git("log", "-1", "--format=%ct")}
    command = [sys.executable, "-m", "build", "--outdir", str(folder), str(source)]
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)


def build_firmware(source: Path, folder: Path) -> Iterator[str]:
    """Copy the box in CircuitPython, build each firmware whose compiler is here; yield a line for the others."""
    shutil.copy(source / "firmware_notes" / "circuitpython" / "code.py", folder / CIRCUITPYTHON)
    makefile = source / "firmware_notes" / "firmware"
    for compiler, (target, name) in FIRMWARE.items():
        if shutil.which(compiler) is None:
            yield f"{name}: no {compiler} here (make firmware names the packages)"
            continue
        subprocess.run(["make", "-s", "-C", str(makefile), target], check=True, stdout=subprocess.DEVNULL)
        shutil.copy(makefile / "build" / name, folder)


def build_printed_parts(source: Path, folder: Path) -> Iterator[str]:
    """Pack the printed parts into one archive; yield a line if there is no openscad."""
    if shutil.which("openscad") is None:
        yield f"{PARTS_ARCHIVE}: no openscad here"
        return
    made = source / "build" / "parts"
    command = [sys.executable, "tools/build_parts.py", str(made)]
    subprocess.run(command, check=True, cwd=source, stdout=subprocess.DEVNULL)
    with zipfile.ZipFile(folder / PARTS_ARCHIVE, "w", zipfile.ZIP_DEFLATED) as packed:
        for part in sorted(made.glob("*.stl")):
            packed.write(part, part.name)


def copy_images(folder: Path, version: str) -> Iterator[str]:
    """Copy card images, upgrades and bills of materials of this version and commit; yield a line for what is left out.

    Args:
        folder: where they are copied to.
        version: the version as `tools/make_image.py` names it: with the commit after a "+", unless it was given.
    """
    images = [file for file in sorted(IMAGES.glob("*")) if file.suffix in {".xz", ".raucb", ".json"}]
    own = [file for file in images if f"-{version}-" in file.name or f"-{version.partition('+')[0]}-" in file.name]
    for file in own:
        shutil.copy(file, folder)
    if not own:
        yield "card image: not built from this commit (make image)"
    yield from (f"card image of another commit: {file.name}" for file in images if file not in own)


def write_checksums(folder: Path) -> None:
    """Write the SHA-256 of each file, in the format of `sha256sum --check`."""
    lines = []
    for file in sorted(folder.iterdir()):
        if file.name != CHECKSUMS:
            with file.open("rb") as content:
                lines.append(f"{hashlib.file_digest(content, 'sha256').hexdigest()}  {file.name}\n")
    (folder / CHECKSUMS).write_text("".join(lines), encoding="utf-8")


def make_release(folder: Path | None, *, with_parts: bool = True, with_trial: bool = True) -> Path:
    """Build the release and return its folder; what it lacks is printed.

    Args:
        folder: where it is written, replacing an older one; None: dist/VERSION.
        with_parts: build the printed parts too.
        with_trial: install the wheel with each Python here, and play.

    Raises:
        ValueError: the change log says nothing about this version, or not its date, or the wheel plays another game in
            another Python.
        subprocess.CalledProcessError: a build has failed; its messages are printed.
    """
    steps = Steps(5 + with_parts + with_trial)
    with tempfile.TemporaryDirectory() as temporary:
        steps.begin("copy the last commit")
        source = export_head(Path(temporary))
        version = read_version(source)
        tag = f"v{version}"
        is_draft = tag not in run_git("tag", "--points-at", "HEAD").split()
        changelog = (source / "CHANGELOG.md").read_text(encoding="utf-8")
        notes, undated = extract_notes(changelog, version), [*find_missing_date(changelog, version)]
        if undated and not is_draft:
            raise ValueError(f"{undated[0]}: write it, commit, and move the tag {tag}")
        made = Path(temporary) / "made"
        made.mkdir()
        steps.begin("build the source distribution and the wheel")
        build_distributions(source, made)
        image_version = f"{version}+{run_git('log', '-1', '--format=%h')}"
        steps.begin("build the firmware")
        missing = [*find_missing_address(source), *undated, *build_firmware(source, made)]
        steps.begin("copy card images")
        missing += copy_images(made, image_version)
        if with_parts:
            steps.begin("build the printed parts")
            missing += build_printed_parts(source, made)
        else:
            missing.append(f"{PARTS_ARCHIVE}: --no-parts")
        trials = []
        if with_trial:
            steps.begin("install the wheel with each Python here, and play")
            for line in try_everywhere(next(made.glob("*.whl"))):
                print(line, flush=True)
                trials.append(line)
        steps.begin("write notes and checksums")
        title = f"# {version}{' (draft: the commit has no tag ' + tag + ')' if is_draft else ''}"
        text = format_notes(title, notes, missing, trials, read_address(source), tag)
        (made / NOTES).write_text(text, encoding="utf-8")
        write_checksums(made)
        target = folder or PROJECT / "dist" / version
        shutil.rmtree(target, ignore_errors=True)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(made, target)
    for file in sorted(target.iterdir()):
        print(f"{file.stat().st_size / 1e6:8.2f} MB  {file.name}")
    for line in missing:
        print(f"   left out  {line}")
    date = "the date in CHANGELOG.md, " if undated else ""
    print(f"{target}: {f'a draft; {date}git tag -a {tag} and this again make it the release' if is_draft else tag}")
    return target


if __name__ == "__main__":
    parser = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, help="where the release is written (default: dist/VERSION)")
    parser.add_argument("--no-parts", action="store_true", help="leave the printed parts out")
    parser.add_argument("--no-trial", action="store_true", help="do not install the wheel to play with it")
    options = parser.parse_args()
    make_release(options.folder, with_parts=not options.no_parts, with_trial=not options.no_trial)
