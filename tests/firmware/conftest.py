"""Boxes with the firmware that `built` (tests/conftest.py) compiled."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.firmware.simulator import Built, Stepped


@pytest.fixture
def box(built: Built) -> Iterator[Stepped]:
    """A 328P with the firmware, just powered on."""
    with Stepped(built.folder) as stepped:
        yield stepped


@pytest.fixture
def boxes(built: Built) -> Iterator[Callable[..., Stepped]]:
    """Return a function that makes boxes with another firmware or chip."""
    made: list[Stepped] = []

    def make(firmware: str = "atmega328p", mcu: str = "atmega328p") -> Stepped:
        made.append(Stepped(built.folder, firmware, mcu))
        return made[-1]

    yield make
    for stepped in made:
        stepped.__exit__(None, None, None)
