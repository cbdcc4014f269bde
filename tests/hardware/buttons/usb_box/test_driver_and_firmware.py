"""The driver against the real firmware in simulated chips. Skipped without their tools, except in CI."""

from __future__ import annotations

import itertools
import math
import os
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import cast

import pytest

from companion.events import Button, DeviceLost, DeviceRestored, Event
from hardware.buttons.lamp_effects import LampEffect
from hardware.buttons.usb_box.driver import ButtonBox
from hardware.buttons.usb_box.messages import BUTTONS
from hardware.buttons.usb_box.ports import make_path_finder
from tests.doubles.pty_port import PtyCable
from tests.doubles.simulated_box import LineFaults
from tests.firmware.simulator import ATMEGA, PICO_UART, PICO_USB, Built, Live, SimulatedBoard
from tests.hardware.buttons.usb_box.boxworld import describe_buttons, list_presses

LIMIT = 200.0
"""Time limit for an expected event, in seconds."""
MAX_PAIRS = 300
"""Pairs after which 90 must have kept their distance; on an idle machine they do after 100."""
LINE = LineFaults(drop=0.002, corrupt=0.002, double=0.002)


class FarPort:
    """The simulator's own pty as the far end of a cable."""

    def __init__(self, name: str) -> None:
        self.file = os.open(name, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)

    def feed(self, data: bytes, _now: float) -> None:
        if data:
            os.write(self.file, data)

    def poll(self, _now: float) -> bytes:
        try:
            return os.read(self.file, 4096)
        except BlockingIOError:
            return b""

    def deadline(self) -> float:
        return math.inf


class Table:
    """The simulated chip, the cable and the driver."""

    def __init__(self, folder: Path, path: Path, board: SimulatedBoard, faults: LineFaults | None) -> None:
        self.chip = Live(folder, board)
        self.far = FarPort(self.chip.port)
        self.cable = PtyCable(path, self.far, faults, faults, seed=3, end_output=self.far.file)
        self._heard = threading.Event()
        self.driver = ButtonBox(make_path_finder(str(path)), wake=self._heard.set)
        self.signals: list[Event] = []

    def until(self, what: Callable[[], bool]) -> None:
        end = time.monotonic() + LIMIT
        while not what():
            assert time.monotonic() < end, self.state()
            self._heard.wait(0.02)
            self._heard.clear()
            self.signals += self.driver.read()

    def state(self) -> str:
        """Return the state for the message of a failed test."""
        kinds = Counter(type(s).__name__ for s in self.signals)
        return f"{self.driver.status} {kinds} of {len(self.truth())} true presses"

    def count(self, kind: type[DeviceRestored | DeviceLost], count: int) -> None:
        self.until(lambda: sum(isinstance(s, kind) for s in self.signals) >= count)

    def hear(self, presses: int) -> None:
        self.until(lambda: len(list_presses(self.signals)) >= presses)

    def had(self, events: int) -> bool:
        """Return whether that number of events has arrived."""
        return len(describe_buttons(self.signals)) >= events

    def has_reported(self, presses: int) -> bool:
        """Return whether the simulator has reported that number of presses, which it does after the driver has them."""
        return len(self.truth()) >= presses

    def press(self, after: float, button: int, held: float = 0.03) -> None:
        """Press a button after `after` seconds of simulated time."""
        self.chip.tell(f"pin +{after * 1e6:.0f} {button} 1")
        self.chip.tell(f"pin +{(after + held) * 1e6:.0f} {button} 0")

    def truth(self) -> list[tuple[Button, float]]:
        """Return the true presses and their times, in seconds of simulated time."""
        return [(BUTTONS[button], at * 1e-6) for at, button, level in sorted(self.chip.pins) if level]

    def close(self) -> None:
        self.driver.close()
        self.cable.close()
        os.close(self.far.file)
        self.chip.__exit__(None, None, None)


@pytest.fixture(
    params=[ATMEGA, *(pytest.param(board, marks=pytest.mark.proof) for board in (PICO_USB, PICO_UART))],
    ids=["atmega328p", "pico-usb", "pico-uart"],
)
def board(request: pytest.FixtureRequest) -> SimulatedBoard:
    return cast(SimulatedBoard, request.param)


@pytest.fixture
def built_board(request: pytest.FixtureRequest, board: SimulatedBoard) -> Built:
    return cast(Built, request.getfixturevalue("built" if board is ATMEGA else "built_pico"))


@pytest.fixture
def faults() -> LineFaults | None:
    """Faults of the line to the box and back."""
    return None


@pytest.fixture
def table(built_board: Built, board: SimulatedBoard, faults: LineFaults | None, tmp_path: Path) -> Iterator[Table]:
    """A table whose box has been found."""
    with closing(Table(built_board.folder, tmp_path / "box", board, faults)) as table:
        table.cable.plug()
        table.count(DeviceRestored, 1)
        yield table


@pytest.mark.full
@pytest.mark.parametrize("faults", [LINE], ids=["noisy"])
def test_three_line_cuts_lose_nothing(table: Table) -> None:
    rng, asked = random.Random(1), 0
    for cut in range(4):
        for n in range(20):
            table.press(0.005 + 0.004 * n, (asked + n) % 10)
        asked += 20
        if cut < 3:
            # Some presses are in transit, some happen while the box is unplugged.
            table.hear(asked - 20 + rng.randrange(3, 12))
            table.cable.unplug()
            table.count(DeviceLost, cut + 1)
            table.cable.plug()
            table.count(DeviceRestored, cut + 2)
        table.hear(asked)
        table.until(partial(table.had, 2 * asked))
    table.until(partial(table.has_reported, asked))
    assert [b for b, _ in list_presses(table.signals)] == [b for b, _ in table.truth()]
    assert len(describe_buttons(table.signals)) == 2 * asked
    assert all(one != other for one, other in itertools.pairwise(table.cable.names))


@pytest.mark.full
def test_pairs_one_millisecond_apart_keep_order_and_distance(table: Table) -> None:
    rng = random.Random(2)
    pairs: list[tuple[float, float]] = []
    for n in range(MAX_PAIRS):
        first, second = rng.sample(range(10), 2)
        table.press(0.05, first, 0.025)
        table.press(0.051, second, 0.025)
        table.hear(2 * n + 2)
        table.until(partial(table.had, 4 * n + 4))
        table.until(partial(table.has_reported, 2 * n + 2))
        got, truth = list_presses(table.signals)[-2:], table.truth()[-2:]
        assert [b for b, _ in got] == [b for b, _ in truth]
        pairs.append((got[1][1] - got[0][1], truth[1][1] - truth[0][1]))
        # On a busy machine simulated time passes between the commands of a pair, and the simulated chip sometimes falls
        # behind real time, and the clock fit with it: then both presses of a pair may get their arrival time, since no
        # timestamp lies in the future.
        kept = sum(-0.0006 < apart - truly_apart < 0.0015 for apart, truly_apart in pairs)
        if n >= 99 and kept >= 90:
            break
    assert kept >= 90, pairs
    assert all(apart >= 0 for apart, _ in pairs), pairs


@pytest.mark.full
def test_two_new_boxes_are_told_apart(table: Table, built_board: Built, board: SimulatedBoard) -> None:
    """H5: both had the boot number 0, and the second one's presses were taken for repetitions of the first one's."""
    for n in range(40):
        table.press(0.005 + 0.004 * n, n % 10, held=0.022)
    table.hear(40)
    first = table.driver.status.welcome
    table.cable.unplug()
    table.count(DeviceLost, 1)
    with Live(built_board.folder, board) as spare:
        far = FarPort(spare.port)
        table.cable.replace_end(far, far.file)
        table.cable.plug()
        table.count(DeviceRestored, 2)
        for n in range(20):
            spare.tell(f"pin +{5000 + 4000 * n} {n % 10} 1")
            spare.tell(f"pin +{27000 + 4000 * n} {n % 10} 0")
        table.hear(60)
        second = table.driver.status.welcome
        table.cable.unplug()
        table.cable.replace_end(table.far, table.far.file)
        os.close(far.file)
    assert first is not None
    assert second is not None
    assert abs(first.boot_number - second.boot_number) > 1000


def test_lamps_reset_and_close(table: Table) -> None:
    table.driver.set_lamps({Button.SEAT1: LampEffect.ON, Button.MINUS: LampEffect.ON})
    lit = [1000, *[0] * 8, 1000]
    table.until(lambda: table.chip.look_at_lamps() == lit)
    table.press(0.01, 6, held=0.2)
    table.hear(1)
    before = table.driver.status.welcome
    table.chip.tell("reset")  # while OK is held: that is no second press
    table.until(lambda: table.driver.status.welcome != before)
    table.until(lambda: table.chip.look_at_lamps() == lit)
    table.press(0.01, 7)
    table.hear(2)
    assert describe_buttons(table.signals)[:3] == ["+ok", "-ok", "+no"]
    table.driver.close()
    table.until(lambda: table.chip.look_at_lamps() == [0] * 10)
