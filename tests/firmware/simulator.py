"""Build the firmware and its simulator, start `boxsim` and press its buttons.

`Stepped` runs in lockstep: simulated time passes only in `run()`, so that a test's result does not depend on the
machine's speed. `Live` runs in real time with the serial line on a pty, like a box on USB. Times are microseconds
of simulated time since power-on; `clock_at` is the one at which the box's tick was 0.
"""

from __future__ import annotations

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


def missing() -> list[str]:
    """Return the Debian packages that are missing for building and simulating the firmware."""
    lacking = [package for tool, package in NEEDED_TOOLS.items() if shutil.which(tool) is None]
    return lacking + [package for path, package in NEEDED_FILES.items() if not Path(path).exists()]


@dataclass(frozen=True, slots=True)
class Built:
    """A folder with all compiled files, and the compilers' output."""

    folder: Path
    output: str


def build(into: Path) -> str:
    """Compile the firmware, its test variants and the simulator into a folder; return the compilers' output.

    Raises subprocess.CalledProcessError if one of them does not compile.
    """
    output = ""
    for folder, target in (("firmware", "tests"), ("simulator", "all")):
        done = subprocess.run(
            ["make", "-C", str(ROOT / folder), f"BUILD={into}", target],
            check=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL")},
        )
        output += done.stdout
    return output


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

    def __init__(self, folder: Path, firmware: str = "atmega328p", mcu: str = "atmega328p") -> None:
        self._process = subprocess.Popen(
            [folder / "boxsim", "--step", "--mcu", mcu, folder / f"buttonbox-{firmware}.elf"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.now = 0.0
        self.clock_at = 0.0
        self.resets: list[float] = []
        self._until("ready")

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
            elif keyword in ("crashed", "what"):
                raise AssertionError(f"boxsim printed: {line}")
        raise AssertionError("boxsim has ended")

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

    def reset(self, *, power: bool = False) -> None:
        """Press the reset button, or switch the power off and on."""
        self._write("power\n" if power else "reset\n")
        self._write("now\n")
        self._until("now")


class Live:
    """A simulated box in real time, with its serial line on the pty `port`.

    `pins` lists the pin changes so far: (microseconds, button, level).
    """

    def __init__(self, folder: Path, firmware: str = "atmega328p", *options: str) -> None:
        self._process = subprocess.Popen(
            [folder / "boxsim", *options, folder / f"buttonbox-{firmware}.elf"],
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
                raise AssertionError("boxsim has ended")
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
        assert self._answered.wait(20), "boxsim does not answer"
        return self.lamps
