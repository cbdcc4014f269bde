"""The tool that measures the strength of the tests changes exactly one thing, and nothing that no test can see."""

import ast
from pathlib import Path

import pytest
from code_changes import Place, list_places
from mutants import BUILT_ON, MAX_OTHER_TESTS, PACKAGES, Copy, Reach, draw_places, find_package, list_modules

from tests.conftest import REPOSITORY

SOURCE = '''"""A module: 1 and 2."""

__all__ = ["grow"]
LIMIT: int = 3


def grow(size: int = 1, *, wide: bool = False) -> str:
    """Grow by 1."""
    if not wide and size <= LIMIT:  # — not ASCII
        size = -size + 2
    return f"{size + 1}"
'''


@pytest.fixture
def module(tmp_path: Path) -> Path:
    path = tmp_path / "module.py"
    path.write_text(SOURCE)
    return path


def test_every_kind_of_change_is_listed(module: Path, tmp_path: Path) -> None:
    changes = {(place.before, place.after) for place in list_places(module, tmp_path)}
    assert changes == {
        ("3", "4"),
        ("1", "2"),
        ("False", "True"),
        ("not wide and size <= LIMIT", "not wide or size <= LIMIT"),
        ("not wide", "wide"),
        ("size <= LIMIT", "size < LIMIT"),
        ("-size + 2", "-size - 2"),
        ("-size", "size"),
        ("2", "3"),
    }


def test_a_change_leaves_the_rest_of_the_module_as_it_was(module: Path, tmp_path: Path) -> None:
    source = module.read_bytes()
    for place in list_places(module, tmp_path):
        assert source[place.start : place.stop].decode() == place.before
        changed = source[: place.start] + f"({place.after})".encode() + source[place.stop :]
        tree = ast.unparse(ast.parse(changed))
        assert tree != ast.unparse(ast.parse(source))
        assert len(tree.splitlines()) == len(ast.unparse(ast.parse(source)).splitlines())


def test_tests_that_only_make_full_runs_notice_a_change_too(module: Path, tmp_path: Path) -> None:
    """pytest leaves out a test that its configuration does not choose, even one that is named."""
    (tmp_path / "pyproject.toml").write_text(
        '[tool.pytest.ini_options]\naddopts = ["-m", "not full"]\nmarkers = ["full", "proof", "real", "appliance"]\n'
    )
    (tmp_path / "test_module.py").write_text(
        "import module, pytest\n\n@pytest.mark.full\ndef test_it():\n    assert module.LIMIT == 3\n"
    )
    copy = object.__new__(Copy)  # without a copy of the repository
    copy.folder = tmp_path
    place = next(each for each in list_places(module, tmp_path) if (each.before, each.after) == ("3", "4"))
    noticed = copy.try_change(place, ["test_module.py::test_it"], 1.0)
    assert noticed is not None
    assert noticed.startswith("FAILED test_module.py::test_it")
    assert module.read_text() == SOURCE


def test_tests_of_a_constant_of_several_lines_are_those_of_its_first_line() -> None:
    """Python folds it into one constant; coverage then records its first line only."""
    reach = Reach({"module.py": {1: [""], 5: [""], 8: ["slow", "quick"]}}, {"slow": 2.0, "quick": 0.1})
    assert reach.find_tests(Place("module.py", 3, 0, 1, "1", "2")) == ["quick", "slow"], "run at import: all tests"
    assert reach.find_tests(Place("module.py", 9, 0, 1, "1", "2")) == ["quick", "slow"]
    assert reach.find_tests(Place("other.py", 9, 0, 1, "1", "2")) == ["quick", "slow"], "all: it may run at import only"


def test_a_constant_is_tried_with_some_tests_that_do_not_run_its_module() -> None:
    """Other modules import it; and a dataclass, whose default it may be, has no line that runs."""
    others = {f"other {number:03}": 0.001 * number for number in range(MAX_OTHER_TESTS + 5)}
    reach = Reach({"module.py": {1: [""], 8: ["slow", "quick"]}}, {"slow": 2.0, "quick": 0.1, **others})
    found = reach.find_tests(Place("module.py", 1, 0, 1, "1", "2"))
    assert found == ["quick", "slow", *[*others][:MAX_OTHER_TESTS]]
    assert reach.find_tests(Place("module.py", 8, 0, 1, "1", "2")) == ["quick", "slow"]


def test_places_are_drawn_evenly_over_the_packages() -> None:
    """Drawn from all places at once, a package of 40 among 4,000 would hardly ever come up."""
    sizes = {"companion/games": 4000, "companion/club": 40, "hardware/cameras": 40, "hardware/buttons/gpio": 2}
    places = [Place(f"{name}/a.py", line, 0, 1, "1", "2") for name, size in sizes.items() for line in range(size)]
    drawn = draw_places(places, 62, 1)
    assert [sum(find_package(each.path) == name for each in drawn) for name in sizes] == [20, 20, 20, 2]
    assert len(set(drawn)) == 62
    assert draw_places(places, 62, 1) == drawn != draw_places(places, 62, 2)
    few = {find_package(draw_places(places, 1, seed)[0].path) for seed in range(50)}
    assert few == set(sizes), "one place may be of any package"
    assert len(draw_places(places, 10_000, 1)) == sum(sizes.values())


def test_every_package_with_tests_is_drawn_from() -> None:
    folders = [path.parent for path in (REPOSITORY / "tests").glob("**/test_*.py")]
    tested = {
        folder.relative_to(REPOSITORY / "tests").as_posix()
        for folder in folders
        if any((REPOSITORY / root / folder.relative_to(REPOSITORY / "tests")).is_dir() for root in ("companion", "."))
    }
    # Parts of a package are changed with it; tools and firmware are not part of the program.
    covered = {tests.removeprefix("tests/") for tests in PACKAGES.values()}
    assert {each for each in tested if not any(f"{each}/".startswith(f"{top}/") for top in covered)} == OUTSIDE


@pytest.mark.parametrize("path", ["names.py", "file_reader.py", "evening.py", "gallery/api.py", "web_server/limits.py"])
def test_modules_tested_elsewhere_are_changed_too(path: str) -> None:
    package = find_package(f"companion/{path}")
    assert package is not None
    assert REPOSITORY / "companion" / path in list_modules(REPOSITORY / package)
    assert (REPOSITORY / PACKAGES[package]).exists()


def test_every_package_and_its_tests_are_there() -> None:
    assert [each for pair in PACKAGES.items() for each in pair if not (REPOSITORY / each).exists()] == []


def test_packages_are_built_on_packages_that_are_changed() -> None:
    assert BUILT_ON.keys() | set(BUILT_ON.values()) <= PACKAGES.keys()


OUTSIDE = {".", "hardware", "systemd"}
"""Tests of single modules, and of shell scripts."""
