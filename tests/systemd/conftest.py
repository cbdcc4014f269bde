"""Machines for the tests of the appliance; without them the tests are skipped with a reason."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.systemd import machine as machines


def fresh(suite: str, folder: Path) -> Iterator[machines.Machine]:
    """Yield a machine of that suite, switched off, with a screen for later use."""
    why_not = machines.missing()
    if why_not:
        pytest.skip(why_not)
    with machines.machine(suite, folder) as made:
        made.screen()
        yield made


@pytest.fixture
def box(tmp_path: Path) -> Iterator[machines.Machine]:
    """A fresh Debian trixie."""
    yield from fresh("trixie", tmp_path)


@pytest.fixture
def old_box(tmp_path: Path) -> Iterator[machines.Machine]:
    """A fresh Debian bookworm: systemd 252, Python 3.11, and packages that are too old."""
    yield from fresh("bookworm", tmp_path)
