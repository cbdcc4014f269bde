"""Training and test sets share the physics of the ray tracer, and draw nothing with each other's code.

Which photographs train and which judge: test_train_dice_photographs.py.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "tools" / "training"
TRAINING = {"train_dice", "train_digits", "train_symbol_dice"}


def list_imports(package: str) -> set[str]:
    """List the top-level names that the modules of a package import, also within functions."""
    names = set()
    files = list((FOLDER / package).rglob("*.py"))
    assert files, package
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                names.add((node.module or "").split(".")[0])
    return names


@pytest.mark.parametrize("package", sorted(TRAINING))
def test_training_draws_nothing_with_the_test_sets_code(package: str) -> None:
    assert "testset_renderer" not in list_imports(package)


def test_test_sets_draw_nothing_with_code_for_training() -> None:
    assert not list_imports("testset_renderer") & (TRAINING | {"companion"})


def test_the_ray_tracer_knows_no_contents() -> None:
    assert not list_imports("ray_tracer") & (TRAINING | {"testset_renderer", "companion"})
