"""Paths, modules and functions that documents name in backticks exist."""

from __future__ import annotations

import ast
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest
from babel import Locale

from companion.i18n import LANGUAGES
from tests.conftest import REPOSITORY
from tests.tooling.pages import CODE, PAGES, format_path, join_lines, list_blocks, remove_blocks

FOLDERS = ("companion", "examples", "docs", "firmware_notes", "hardware", "systemd", "tests", "tools")
PATH = re.compile(rf"(?<![\w./-])(?:{'|'.join(FOLDERS)})/[\w./-]*")
DOTTED = re.compile(r"(?<![\w./@-])(?:companion|hardware|tests|tools)(?:\.[A-Za-z_]\w*)+")
PLACEHOLDER = re.compile(r"\bmy_|[A-Z]{4}")
"""In a name that stands for others: `companion/games/my_game`, `tests/compatibility/data/VERSION`."""
ELSEWHERE = {
    *("companion.service", "companion.hardware", "companion/hardware", "companion/porch.sock", "companion.po"),
    "tests/test_stone_race.py",
}
"""A unit of systemd, a socket, a translation, a name that a decision rejects, and a plug-in's own file."""
README = REPOSITORY / "README.md"
ARCHITECTURE = REPOSITORY / "docs/architecture.md"
BUTTON = REPOSITORY / "docs/adding-a-button.md"
"""Rows of both name files and, behind each, what stands in it."""


@cache
def list_definitions(file: Path) -> frozenset[str]:
    """Return what a module defines or imports at its top, and `Class.name` of its classes."""
    names: set[str] = set()
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        match node:
            case ast.ClassDef(name=name, body=body):
                names |= {name, *(f"{name}.{part.name}" for part in body if isinstance(part, ast.FunctionDef))}
            case ast.FunctionDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
                names.add(name)
            case ast.Assign(targets=targets):
                names |= {target.id for target in targets if isinstance(target, ast.Name)}
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                names |= {alias.asname or alias.name for alias in aliases}
    return frozenset(names)


def is_name(dotted: str) -> bool:
    """Return whether a dotted name is that of a package, a module, or something that a module defines."""
    place, parts = REPOSITORY, dotted.split(".")
    while parts and (place / parts[0]).is_dir():
        place /= parts.pop(0)
    if not parts:
        return True
    module = place / f"{parts[0]}.py"
    if module.is_file():
        return len(parts) == 1 or ".".join(parts[1:3]) in list_definitions(module)
    package = place / "__init__.py"
    return package.is_file() and ".".join(parts[:2]) in list_definitions(package)


def find_lost_names(text: str) -> list[str]:
    """Return paths and dotted names in backticks that exist neither in the repository nor `ELSEWHERE`."""
    codes = CODE.findall(remove_blocks(text))
    paths = [path.rstrip("./") for code in codes for path in PATH.findall(code)]
    names = [name for code in codes for name in DOTTED.findall(code)]
    lost = [path for path in paths if not (REPOSITORY / path).exists()]
    lost += [name for name in names if not is_name(name) and not (REPOSITORY / name).exists()]
    return [name for name in lost if not PLACEHOLDER.search(name) and name not in ELSEWHERE]


def find_lost_stations(text: str) -> list[str]:
    """Return "file: name" of what a table's rows name behind a file, and what that file does not define."""
    lost = []
    for row in re.findall(r"^\|.*$", text, re.MULTILINE):
        file: Path | None = None
        for code in CODE.findall(row):
            if code.endswith(".py"):
                beside = file.parent / code if file else REPOSITORY / code
                file = next((path for path in (REPOSITORY / code, beside) if path.is_file()), None)
                lost += [] if file else [code]
            elif file and re.fullmatch(r"[A-Za-z_][\w.]*", code):
                names = list_definitions(file)
                if code not in names and code not in {name.partition(".")[2] for name in names}:
                    lost.append(f"{file.name}: {code}")
    return lost


def test_names_are_told_apart() -> None:
    assert not find_lost_names("`companion/api/move.py`, `companion.api.Move`, `companion.api.move.Move.player`")
    assert not find_lost_names("`companion.app`, `companion run`, `/opt/companion/x`, `x@companion.service`")
    text = "`tools/no.py` `companion.api.Nothing` `companion.nothing` `companion.api.move.Move.nothing`\n"
    assert find_lost_names(text) == [name.strip("`") for name in text.split()]
    row = "| 1 | `hardware/buttons/gpio/driver.py` `GpioSource.read`, `debounce.py` `Debouncer.read`, `handle_edge` | |"
    assert find_lost_stations(row) == ["debounce.py: Debouncer.read"]


@pytest.mark.parametrize("page", PAGES, ids=format_path)
def test_documents_name_what_exists(page: Path) -> None:
    assert not find_lost_names(page.read_text(encoding="utf-8"))


def find_lost_words(block: str) -> list[str]:
    """Return the targets of make, the paths, the versions of this project and the pins in shell lines that are none."""
    lost = []
    for folder, target in re.findall(r"^ *make(?: -C (\S+))? ([a-z][\w-]*)", block, re.MULTILINE):
        makefile = (REPOSITORY / folder / "Makefile").read_text("utf-8")
        lost += [] if re.search(rf"^[\w -]*\b{target}\b[\w -]*:", makefile, re.MULTILINE) else [f"make {target}"]
    paths = {path.rstrip("./") for path in PATH.findall(block) if "/build/" not in path}
    lost += [path for path in sorted(paths) if not (REPOSITORY / path).exists()]
    version = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    lost += [each for each in re.findall(r"board_game_companion-([\d.]+\d)", block) if each != version]
    lock = (REPOSITORY / "systemd/requirements.txt").read_text("utf-8")
    return lost + [pin for pin in re.findall(r"\b[\w-]+==[\w.]+", block) if f"{pin} " not in lock]


def test_lost_words_of_a_block_are_found() -> None:
    right = "make run\nmake -C firmware_notes/firmware flash PORT=/dev/ttyUSB0\npython tools/figures.py"
    assert not find_lost_words(right)
    wrong = "make ruin\nmake -C firmware_notes/firmware run\ntools/none.py board_game_companion-9.9.9 colorzero==9.9"
    assert find_lost_words(wrong) == ["make ruin", "make run", "tools/none.py", "9.9.9", "colorzero==9.9"]


@pytest.mark.parametrize("page", PAGES, ids=format_path)
def test_blocks_of_documents_name_what_exists(page: Path) -> None:
    lost = [word for block in list_blocks(page, "", "sh") for word in find_lost_words(block)]
    assert not [word for word in lost if word not in ELSEWHERE and not PLACEHOLDER.search(word)]


def test_only_programs_are_named_in_the_environment_of_make() -> None:
    """An editable installation puts no other file there, such as the man page and the completions of a wheel."""
    named = {path for page in PAGES for path in re.findall(r"(?<!/)\.venv/[\w./-]+", page.read_text("utf-8"))}
    assert named
    assert [path for path in named if not re.match(r"\.venv/bin\b", path)] == []


@pytest.mark.parametrize("page", [ARCHITECTURE, BUTTON], ids=lambda page: page.name)
def test_files_define_what_stands_behind_them(page: Path) -> None:
    assert not find_lost_stations(page.read_text(encoding="utf-8"))


def test_the_rooms_of_the_architecture_are_the_layers_of_the_imports() -> None:
    _, _, section = ARCHITECTURE.read_text(encoding="utf-8").partition("\n## Rooms\n")
    rows = [CODE.findall(row) for row in re.findall(r"^\| (`[^|]+) \|", section.partition("\n## ")[0], re.MULTILINE)]
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    (layers,) = [each["layers"] for each in project["tool"]["importlinter"]["contracts"] if each["type"] == "layers"]
    assert [sorted(row) for row in rows] == [
        sorted(name.removeprefix("companion.") for name in re.findall(r"[\w.]+", layer)) for layer in layers
    ]


def test_the_readme_names_all_languages() -> None:
    names = sorted(Locale.parse(code).get_display_name("en") for code in LANGUAGES)
    assert f"speaks {', '.join(names[:-1])} and {names[-1]}." in join_lines(README)
