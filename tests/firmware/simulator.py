"""The firmware in a simulated chip: builds both, starts `boxsim`, presses its buttons.

`Stepped` runs in lockstep: simulated time passes only in `run()`, so that a test's result does not hang on the
machine's speed. `Live` runs by the clock with the serial line on a pty, as a box on USB would. Times are microseconds
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
    """The Debian packages that this machine lacks for building and simulating the firmware."""
    lacking = [package for tool, package in NEEDED_TOOLS.items() if shutil.which(tool) is None]
    return lacking + [package for path, package in NEEDED_FILES.items() if not Path(path).exists()]


@dataclass(frozen=True, slots=True)
class Built:
    """A folder with everything that was compiled, and what the compilers said."""

    folder: Path
    said: str


def build(into: Path) -> str:
    """Compiles firmware, its variants for tests and the simulator into a folder; the compilers' output.

    Raises subprocess.CalledProcessError if one of them does not compile.
    """
    said = ""
    for folder, target in (("firmware", "tests"), ("simulator", "all")):
        done = subprocess.run(
            ["make", "-C", str(ROOT / folder), f"BUILD={into}", target],
            check=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL")},
        )
        said += done.stdout
    return said


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame that the box sent, its 0x00 included, and when its first bit was on the wire."""

    at: float
    encoded: bytes


@dataclass(slots=True)
class Heard:
    """What came out of `run()`."""

    frames: list[Frame] = field(default_factory=list)
    taken: list[float] = field(default_factory=list)  # when the box had each 0x00 of ours complete


class Stepped:
    """A box in lockstep."""

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

    def _until(self, word: str, heard: Heard | None = None) -> list[str]:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.flush()
        while line := stdout.readline():
            said, *rest = line.split()
            if said == word:
                return rest
            if said == "clock":
                self.clock_at = float(rest[0])
            elif said == "reset":
                self.resets.append(float(rest[0]))
            elif said == "heard" and heard is not None:
                heard.taken.append(float(rest[0]))
            elif said == "said" and heard is not None:
                heard.frames.append(Frame(float(rest[0]), bytes.fromhex(rest[1])))
            elif said in ("crashed", "what"):
                raise AssertionError(f"boxsim says: {line}")
        raise AssertionError("boxsim has ended")

    def pin(self, at: float, button: int, level: int) -> None:
        """Sets a button to pressed (1) or released (0) at a time to come."""
        self._write(f"pin {at:.4f} {button} {level}\n")

    def pins(self, changes: Iterable[tuple[float, int, int]]) -> None:
        self._write("".join(f"pin {at:.4f} {button} {level}\n" for at, button, level in changes))

    def send(self, data: bytes) -> None:
        """Towards the box, from now on, at the line's pace."""
        if data:
            self._write(f"send {data.hex()}\n")

    def run(self, microseconds: float) -> Heard:
        """Lets time pass."""
        heard = Heard()
        self._write(f"run {microseconds:.4f}\n")
        self.now = float(self._until("ran", heard)[0])
        return heard

    def lamps(self) -> list[int]:
        """Each lamp's brightness since the last call, in thousandths."""
        self._write("lamps\n")
        return [int(value) for value in self._until("lamps")[1:]]

    def reset(self, *, power: bool = False) -> None:
        """Presses the reset button, or takes the power away and gives it back."""
        self._write("power\n" if power else "reset\n")
        self._write("now\n")
        self._until("now")


class Live:
    """A box by the clock, its serial line on the pty `port`.

    `pins` lists what was pressed, (microseconds, button, level), as it happened.
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
            said, *rest = line.split()
            if said == "pin":
                self.pins.append((float(rest[0]), int(rest[1]), int(rest[2])))
            elif said == "clock":
                self.clock_at = float(rest[0])
            elif said == "reset":
                self.resets.append(float(rest[0]))
            elif said == "lamps":
                self.lamps = [int(value) for value in rest[1:]]
                self._answered.set()

    def tell(self, command: str) -> None:
        """A command as firmware_notes/simulator/README.md lists them."""
        stdin = self._process.stdin
        assert stdin is not None
        stdin.write(command + "\n")
        stdin.flush()

    def look_at_lamps(self) -> list[int]:
        """Each lamp's brightness since the last look, in thousandths."""
        self._answered.clear()
        self.tell("lamps")
        assert self._answered.wait(20), "boxsim does not answer"
        return self.lamps
