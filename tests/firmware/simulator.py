"""Build the firmware and its simulators, start `boxsim` (ATmega) or `picosim` (Pico) and press the buttons.

`Stepped` runs in lockstep: simulated time passes only in `run()`, so that a test's result does not depend on the
machine's speed. `Live` runs in real time with the serial line on a pty, like a box on USB. Times are microseconds
of simulated time since power-on; `clock_at` is the one at which the box's tick was 0.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import IO

ROOT = Path(__file__).resolve().parents[2] / "firmware_notes"
NEEDED_TOOLS = {"avr-gcc": "gcc-avr", "make": "make", "gcc": "gcc"}
NEEDED_FILES = {
    "/usr/include/simavr/sim_avr.h": "libsimavr-dev",
    "/usr/include/libelf.h": "libelf-dev",
    "/usr/lib/avr/include/avr/io.h": "avr-libc",
}
NEEDED_PICO_TOOLS = {"arm-none-eabi-gcc": "gcc-arm-none-eabi", "make": "make", "node": "nodejs", "npm": "npm"}
NEEDED_PICO_FILES = {"/usr/lib/arm-none-eabi/newlib/nano.specs": "libnewlib-arm-none-eabi"}
PICO_SIMULATOR = ROOT / "simulator" / "pico"


def missing() -> list[str]:
    """Return the Debian packages that are missing for building and simulating the ATmega's firmware."""
    return _list_missing(NEEDED_TOOLS, NEEDED_FILES)


def missing_for_pico() -> list[str]:
    """Return the Debian packages that are missing for building and simulating the Pico's firmware."""
    return _list_missing(NEEDED_PICO_TOOLS, NEEDED_PICO_FILES)


def _list_missing(tools: dict[str, str], files: dict[str, str]) -> list[str]:
    lacking = [package for tool, package in tools.items() if shutil.which(tool) is None]
    return lacking + [package for path, package in files.items() if not Path(path).exists()]


@dataclass(frozen=True, slots=True)
class SimulatedBoard:
    """A board that a simulator runs, and what its firmware promises."""

    firmware: str
    """First part of the name of the compiled files."""
    command: tuple[str, ...]
    """The simulator and its options; a path relative to the folder with the compiled files, or absolute."""
    suffix: str
    most_late: float
    """Microseconds from an edge to its stamp at most."""
    counts_boots: bool
    """Each boot's id is the last one plus one; otherwise it is drawn."""


ATMEGA = SimulatedBoard("buttonbox-atmega328p", ("boxsim",), ".elf", 70.0, counts_boots=True)
"""By counting: 50 between two samples; 10.8 of the receive interrupt (172 cycles) and 3.8 of the clock's overflow, both
of which may be served before a sample; 2 from the pins to the clock.
"""
PICO_USB = SimulatedBoard(
    "buttonbox-pico", (str(PICO_SIMULATOR / "picosim"), "--line", "usb"), ".uf2", 27.0, counts_boots=False
)
"""25 between two samples, which nothing delays but a few instructions without interrupts."""
PICO_UART = SimulatedBoard(
    "buttonbox-pico", (str(PICO_SIMULATOR / "picosim"), "--line", "uart"), ".uf2", 27.0, counts_boots=False
)


@dataclass(frozen=True, slots=True)
class Built:
    """A folder with all compiled files, and the compilers' output."""

    folder: Path
    output: str


def build(into: Path) -> str:
    """Compile the ATmega's firmware, its test variants and the simulator into a folder; return the compilers' output.

    Raises subprocess.CalledProcessError if one of them does not compile.
    """
    return _make("firmware", "atmega-tests", into) + _make("simulator", "atmega", into)


def build_pico(into: Path) -> str:
    """Compile the Pico's firmware and its test variants into a folder; return the compilers' output.

    Raises subprocess.CalledProcessError if it does not compile.
    """
    return _make("firmware", "pico-tests", into)


def install_rp2040js() -> None:
    """Install the simulated chip beside the simulator, once, unless it is there.

    Raises subprocess.CalledProcessError if npm cannot get it.
    """
    with Path(PICO_SIMULATOR, "package.json").open("rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # the tests run in several processes
        _make("simulator", "pico", None)


def _make(folder: str, target: str, into: Path | None) -> str:
    done = subprocess.run(
        ["make", "-C", str(ROOT / folder), *([f"BUILD={into}"] if into else []), target],
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL")},
    )
    return done.stdout


def _compose_command(folder: Path, board: SimulatedBoard, variant: str, options: tuple[str, ...]) -> list[str]:
    """Return the command that runs a board's firmware; `variant` is that of the tests ("old", "hang") or empty."""
    name = board.firmware + (f"-{variant}" if variant else "") + board.suffix
    return [str(folder / board.command[0]), *board.command[1:], *options, str(folder / name)]


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame sent by the box, including its 0x00, and the time of its first bit on the wire."""

    at: float
    encoded: bytes


@dataclass(slots=True)
class RunOutput:
    """The result of `Stepped.run`."""

    frames: list[Frame] = field(default_factory=list)
    taken: list[float] = field(default_factory=list)  # times at which the box had received each 0x00 of the host


class Stepped:
    """A simulated box in lockstep."""

    def __init__(self, folder: Path, board: SimulatedBoard = ATMEGA, variant: str = "", *options: str) -> None:
        self._process = subprocess.Popen(
            _compose_command(folder, board, variant, ("--step", *options)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.board = board
        self.is_drive = False  # a Pico that waits for new firmware
        self.usb: dict[str, str] = {}  # as the host enumerated it, by descriptor, in hexadecimal
        self.now = 0.0
        self.clock_at = 0.0
        self.resets: list[float] = []
        try:
            self._until("ready")
        except AssertionError:
            self.__exit__(None, None, None)
            raise

    def __enter__(self) -> Stepped:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.kill()
        self._process.communicate()

    def _write(self, text: str) -> None:
        stdin = self._process.stdin
        assert stdin is not None
        stdin.write(text)

    def _until(self, word: str, result: RunOutput | None = None) -> list[str]:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.flush()
        while line := stdout.readline():
            keyword, *rest = line.split()
            if keyword == word:
                return rest
            if keyword == "clock":
                self.clock_at = float(rest[0])
            elif keyword == "reset":
                self.resets.append(float(rest[0]))
            elif keyword == "heard" and result is not None:
                result.taken.append(float(rest[0]))
            elif keyword == "said" and result is not None:
                result.frames.append(Frame(float(rest[0]), bytes.fromhex(rest[1])))
            elif keyword == "drive":
                self.is_drive = True
            elif keyword == "usb":
                self.usb[rest[0]] = " ".join(rest[1:])
            elif keyword in ("crashed", "what"):
                raise AssertionError(f"the simulator printed: {line}")
        raise AssertionError("the simulator has ended")

    def tell(self, command: str) -> None:
        """Send a command of firmware_notes/simulator/README.md that is not answered."""
        self._write(command + "\n")

    def pin(self, at: float, button: int, level: int) -> None:
        """Set a button to pressed (1) or released (0) at a future time."""
        self._write(f"pin {at:.4f} {button} {level}\n")

    def pins(self, changes: Iterable[tuple[float, int, int]]) -> None:
        self._write("".join(f"pin {at:.4f} {button} {level}\n" for at, button, level in changes))

    def send(self, data: bytes) -> None:
        """Send bytes to the box, starting now, at the line's speed."""
        if data:
            self._write(f"send {data.hex()}\n")

    def run(self, microseconds: float) -> RunOutput:
        """Run for simulated microseconds; return the box's output."""
        result = RunOutput()
        self._write(f"run {microseconds:.4f}\n")
        self.now = float(self._until("ran", result)[0])
        return result

    def lamps(self) -> list[int]:
        """Return each lamp's mean brightness since the last call, in thousandths."""
        self._write("lamps\n")
        return [int(value) for value in self._until("lamps")[1:]]

    def pixels(self) -> list[str]:
        """Return what the lamps with colours show, `rrggbb` each."""
        self._write("pixels\n")
        return self._until("pixels")[1:]

    def reset(self, *, power: bool = False) -> None:
        """Press the reset button, or switch the power off and on."""
        self._write("power\n" if power else "reset\n")
        self._write("now\n")
        self._until("now")


class Live:
    """A simulated box in real time, with its serial line on the pty `port`.

    `pins` lists the pin changes so far: (microseconds, button, level).
    """

    def __init__(self, folder: Path, board: SimulatedBoard = ATMEGA, variant: str = "", *options: str) -> None:
        self.board = board
        self._process = subprocess.Popen(
            _compose_command(folder, board, variant, options),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.pins: list[tuple[float, int, int]] = []
        self.resets: list[float] = []
        self.clock_at = 0.0
        self.lamps: list[int] = []
        self._answered = threading.Event()
        stdout = self._process.stdout
        assert stdout is not None
        self.port = ""
        while (line := stdout.readline().split()) != ["ready"]:
            if not line:
                raise AssertionError("the simulator has ended")
            if line[0] == "pty":
                self.port = line[1]
        self._reader = threading.Thread(target=self._read, args=(stdout,), daemon=True)
        self._reader.start()

    def __enter__(self) -> Live:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.kill()
        self._process.wait()
        self._reader.join()
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            stream.close()

    def _read(self, stdout: IO[str]) -> None:
        for line in stdout:
            keyword, *rest = line.split()
            if keyword == "pin":
                self.pins.append((float(rest[0]), int(rest[1]), int(rest[2])))
            elif keyword == "clock":
                self.clock_at = float(rest[0])
            elif keyword == "reset":
                self.resets.append(float(rest[0]))
            elif keyword == "lamps":
                self.lamps = [int(value) for value in rest[1:]]
                self._answered.set()

    def tell(self, command: str) -> None:
        """Send a command of firmware_notes/simulator/README.md."""
        stdin = self._process.stdin
        assert stdin is not None
        stdin.write(command + "\n")
        stdin.flush()

    def look_at_lamps(self) -> list[int]:
        """Return each lamp's mean brightness since the last call, in thousandths."""
        self._answered.clear()
        self.tell("lamps")
        self._answered.wait()
        return self.lamps
