"""The box in CircuitPython in simulated time: its inputs alone, or all of it with a port whose bytes a test writes."""

from __future__ import annotations

from typing import Any

from tests.doubles.circuitpython import PICO_PINS, CircuitPythonBoard
from tests.firmware import host

BUTTON_PINS = PICO_PINS[2:12]


class SlowBoard:
    """A board whose clock goes on while its program reads it: the inputs of the box alone, in simulated time."""

    def __init__(self, now: float = 10.0, **options: Any) -> None:
        self.now = now
        self.board = CircuitPythonBoard(self._read_clock, **options)
        self.names = self.board.load()
        self.program = self.names["Box"].step.__globals__
        self.program["time"] = self.names["time"]

    def _read_clock(self) -> float:
        self.now += 0.00002
        return self.now

    def start_inputs(self) -> Any:
        """Return the running inputs of the box."""
        clock = self.program["Clock"]()
        inputs = self.program["Inputs"]([self.board.pins[name] for name in BUTTON_PINS], clock)
        self.now += 0.01
        inputs.read_held()
        self.zero_us = clock._zero
        return inputs

    def run(self, inputs: Any, until: float) -> list[host.Event]:
        """Run until that second; return what the inputs decided."""
        events: list[host.Event] = []
        while self.now < until:
            self.now += 0.0005
            for at, button, levels in inputs.poll():
                events.append(host.Event(len(events), button, levels >> button & 1, 1000 * at, levels))
        return events

    def plan(self, button: int, *edges: tuple[float, bool]) -> None:
        """Plan edges of a button: seconds and whether it goes down."""
        self.board.pins[BUTTON_PINS[button]].edges += edges


class StubPort:
    """The serial port of a box that is run step by step."""

    def __init__(self) -> None:
        self.timeout = self.write_timeout = None
        self.connected = True
        self.received, self.sent = b"", b""

    @property
    def in_waiting(self) -> int:
        return len(self.received)

    def read(self, size: int) -> bytes:
        data, self.received = self.received[:size], self.received[size:]
        return data

    def write(self, data: bytes) -> int:
        self.sent += data
        return len(data)

    def reset_output_buffer(self) -> None: ...


class SlowBox:
    """The whole box in simulated time, with a host of a few frames."""

    def __init__(self) -> None:
        self.slow, self.port = SlowBoard(), StubPort()
        with self.slow.board.installed():
            self.box = self.slow.program["Box"](self.port)

    def run(self, seconds: float, *frames: bytes) -> list[tuple[int, int, bytes]]:
        """Send frames, run the box, and return what it has sent."""
        self.port.received += b"".join(frames)
        until = self.slow.now + seconds
        while self.slow.now < until:
            self.slow.now += 0.002
            self.box.step()
        sent, self.port.sent = self.port.sent, b""
        return [host.decode(frame) for frame in sent.split(b"\0") if frame]
