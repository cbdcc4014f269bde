"""The packages that a Python installs: pygame where it has a wheel, its fork from Python 3.14 on."""

from __future__ import annotations

import tomllib

import bootstrap
import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from tests.conftest import REPOSITORY

PYPROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]


@pytest.mark.parametrize(
    ("version", "name"),
    [((3, 11), "pygame"), ((3, 12), "pygame"), ((3, 13), "pygame"), ((3, 14), "pygame-ce")],
)
def test_one_pygame_for_each_python(version: tuple[int, int], name: str) -> None:
    python = ".".join(map(str, version))
    assert python in SpecifierSet(PROJECT["requires-python"])
    chosen = []
    for text in PROJECT["dependencies"]:
        requirement = Requirement(text)
        if requirement.marker is None or requirement.marker.evaluate({"python_version": python}):
            chosen.append(requirement)
    assert [need.name for need in chosen if need.name.startswith("pygame")] == [name]
    ours = bootstrap.select_for_python(PROJECT["dependencies"], version)
    assert list(map(str, map(Requirement, ours))) == [f"{need.name}{need.specifier}" for need in chosen]


def test_a_marker_that_is_not_understood_is_refused() -> None:
    with pytest.raises(ValueError, match="sys_platform"):
        bootstrap.select_for_python(["lgpio; sys_platform == 'linux'"])
