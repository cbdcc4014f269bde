"""Builds firmware and simulator once for the room; skips it, visibly, where a part of either is missing."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from .simulator import Stepped, build, missing


@dataclass(frozen=True, slots=True)
class Built:
    """A folder with everything that was compiled, and what the compilers said."""

    folder: Path
    said: str


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Built]:
    lacking = missing()
    if lacking:
        # CI installs them all: there a gap is a failure.
        message = f"not installed: {' '.join(lacking)}"
        assert not os.environ.get("CI"), message
        pytest.skip(message)
    folder = tmp_path_factory.mktemp("buttonbox")
    yield Built(folder, build(folder))
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def box(built: Built) -> Iterator[Stepped]:
    """A 328P with the firmware, just powered."""
    with Stepped(built.folder) as stepped:
        yield stepped


@pytest.fixture
def boxes(built: Built) -> Iterator[Callable[..., Stepped]]:
    """Makes boxes with other firmware, or of another chip."""
    made: list[Stepped] = []

    def make(firmware: str = "atmega328p", mcu: str = "atmega328p") -> Stepped:
        made.append(Stepped(built.folder, firmware, mcu))
        return made[-1]

    yield make
    for stepped in made:
        stepped.__exit__(None, None, None)
