"""The examples in the docstrings are true."""

from __future__ import annotations

import doctest
from importlib import import_module

import pytest

from tests.conftest import REPOSITORY


@pytest.mark.parametrize("package", ["companion", "hardware", "tools"])
def test_the_examples_in_the_docstrings_are_true(package: str) -> None:
    files = [path for path in (REPOSITORY / package).rglob("*.py") if ">>> " in path.read_text(encoding="utf-8")]
    assert files
    for path in files:
        name = ".".join(path.relative_to(REPOSITORY).with_suffix("").parts).removesuffix(".__init__")
        name = name.removeprefix("tools.").removeprefix("training.")  # folders on the path, no packages
        assert doctest.testmod(import_module(name)).failed == 0, name
