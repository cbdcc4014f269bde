"""Boxes with the firmware that `built` and `built_pico` (tests/conftest.py) compiled."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.firmware.host import Host
from tests.firmware.simulator import ATMEGA, PICO_UART, PICO_USB, SimulatedBoard, Stepped

BOARDS = {"atmega328p": ATMEGA, "pico-usb": PICO_USB, "pico-uart": PICO_UART}


@pytest.fixture(
    params=["atmega328p", *(pytest.param(name, marks=pytest.mark.proof) for name in ("pico-usb", "pico-uart"))]
)
def board(request: pytest.FixtureRequest) -> SimulatedBoard:
    """Each board with each of its lines: the Pico's in `make proof`, beside the short tests of test_pico.py."""
    return BOARDS[request.param]


@pytest.fixture
def boxes(request: pytest.FixtureRequest) -> Iterator[Callable[..., Stepped]]:
    """Return a function that makes boxes: board, variant of the firmware, options of the simulator."""
    made: list[Stepped] = []

    def make(board: SimulatedBoard, variant: str = "", *options: str) -> Stepped:
        built = request.getfixturevalue("built" if board is ATMEGA else "built_pico")
        made.append(Stepped(built.folder, board, variant, *options))
        return made[-1]

    yield make
    for stepped in made:
        stepped.__exit__(None, None, None)


@pytest.fixture
def box(boxes: Callable[..., Stepped], board: SimulatedBoard) -> Stepped:
    """A board with the firmware, just powered on."""
    return boxes(board)


@pytest.fixture
def host(box: Stepped) -> Host:
    """A host to which the box has answered."""
    host = Host(box)
    host.connect()
    return host


@pytest.fixture
def atmega(boxes: Callable[..., Stepped]) -> Stepped:
    """An ATmega, just powered on."""
    return boxes(ATMEGA)
