"""Machines for the tests of the appliance; where none can be booted they are skipped, and say why."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.systemd import machine as machines


@pytest.fixture
def box(tmp_path: Path) -> Iterator[machines.Machine]:
    """A fresh Debian trixie, off, with a screen for later."""
    why_not = machines.missing()
    if why_not:
        pytest.skip(why_not)
    with machines.machine("trixie", tmp_path) as made:
        made.screen()
        yield made


@pytest.fixture
def old_box(tmp_path: Path) -> Iterator[machines.Machine]:
    """A fresh Debian bookworm: systemd 252, Python 3.11, and packages that are too old."""
    why_not = machines.missing()
    if why_not:
        pytest.skip(why_not)
    with machines.machine("bookworm", tmp_path) as made:
        made.screen()
        yield made
