"""A Pico 2, as far as the firmware uses one: Unicorn runs its Cortex-M33, and the chip around it is modelled here.

The addresses and bits are those of rp2350_map.py, not of the firmware. A register that the model does not know, or of a
block that is held in reset, is an error. An instruction takes a cycle; the USB controller is memory and does nothing.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass, field

import unicorn
from unicorn import arm_const as arm

from tests.firmware.rp2350_map import ADDRESSES, CONSTANTS

FLASH_AT, FLASH_BYTES = 0x10000000, 2 << 20
RAM_AT, RAM_BYTES = 0x20000000, 520 << 10
BLOCK_BEGIN, IMAGE_TYPE, BLOCK_END = 0xFFFFDED3, 0x10210142, 0xAB123579
CYCLES_PER_US = 125
EXCEPTION_RETURN = 0xFFFFFFF9  # to thread mode, main stack, secure
HANDLER_RETURN = 0xFFFFFFF1
PENDSV, SYSTICK, FIRST_INTERRUPT = 14, 15, 16
THREAD_PRIORITY = 256
ALIASES = {0x0000: lambda old, new: new, 0x2000: lambda old, new: old | new, 0x3000: lambda old, new: old & ~new}
RESET_BIT_BY_BLOCK = {
    "IO_BANK0": CONSTANTS["RESET_IO_BANK0"],
    "PADS_BANK0": CONSTANTS["RESET_PADS_BANK0"],
    "PLL_SYS": CONSTANTS["RESET_PLL_SYS"],
    "PLL_USB": CONSTANTS["RESET_PLL_USB"],
    "UART0": CONSTANTS["RESET_UART0"],
    "TIMER0": CONSTANTS["RESET_TIMER"],
    "PIO0": CONSTANTS["RESET_PIO0"],
    "USBCTRL_REGS": CONSTANTS["RESET_USBCTRL"],
}
PAD_AFTER_RESET = 0x116  # isolated, 4 mA, pulled down, Schmitt trigger, no input
BUTTON_PINS = range(2, 12)
LAMP_PINS = (*range(16, 23), 26, 27, 28)
PIXEL_PIN = 12
US_PER_BYTE = 10e6 / 115200


class ChipError(AssertionError):
    """The firmware did something that a chip would not survive, or that this model does not know."""


@dataclass
class EmulatedPico2:
    """A Pico 2 with its UART as the line; time passes in `run`.

    Args:
        image: content of the flash from its beginning.
        chip_id: the random number in the chip's one-time programmable memory.
    """

    image: bytes
    chip_id: int = 0x1122334455667788
    now_us: float = 0.0
    sent: bytes = b""
    """What the box has sent and nobody has taken."""
    pressed: set[int] = field(default_factory=set)
    """Buttons that are down."""
    pixels: list[int] = field(default_factory=list)
    """Words for the WS2812, oldest first."""
    watchdog_resets: int = 0

    def __post_init__(self) -> None:
        self._values: dict[tuple[str, int], int] = {}
        self._reset = CONSTANTS["RESET_ALL"]
        self._pending: set[int] = set()
        self._active: list[int] = []
        self._received: list[tuple[float, int]] = []
        self._sending_until = 0.0
        self._next_systick_us = float("inf")
        self._watchdog_at = float("inf")
        self._has_returned = self._sleeps = False
        self._problem: ChipError | None = None
        self._start()

    def run(self, microseconds: float) -> None:
        """Let time pass."""
        end = self.now_us + microseconds
        while self.now_us < end:
            self._handle_events()
            due = min(
                end,
                self._next_systick_us,
                *(at for at, _ in self._received[:1] if at > self.now_us),
                self.now_us + 1000.0,
            )
            cycles = max(1, round((due - self.now_us) * CYCLES_PER_US))
            self._step(cycles)
            if self._sleeps or not self._has_returned:
                self.now_us = max(due, self.now_us + 1 / CYCLES_PER_US)
            self._sleeps = self._has_returned = False

    def send(self, data: bytes) -> None:
        """Let bytes arrive at the UART, one after the other from now on."""
        at = max([self.now_us, *(at for at, _ in self._received)])
        for byte in data:
            at += US_PER_BYTE
            self._received.append((at, byte))

    def lamps(self) -> list[bool]:
        """Return which plain lamps have current."""
        out, enabled = self._values.get(("SIO", 0x10), 0), self._values.get(("SIO", 0x30), 0)
        return [bool(out & enabled & 1 << pin) and self._is_connected(pin, 5) for pin in LAMP_PINS]

    def read_memory(self, address: int, size: int) -> bytes:
        """Return bytes of the RAM."""
        return bytes(self._cpu.mem_read(address, size))

    # The processor.

    def _start(self) -> None:
        """Start as the ROM does: by the vectors before an image block in the first 4 KB."""
        words = struct.unpack("<1024I", self.image[:4096].ljust(4096, b"\xff"))
        at = words.index(BLOCK_BEGIN)
        if (words[at + 1], words[at + 2], words[at + 4]) != (IMAGE_TYPE, 0x1FF, BLOCK_END):
            raise ChipError("the ROM finds no image block, and does not start it")
        self._cpu = cpu = unicorn.Uc(unicorn.UC_ARCH_ARM, unicorn.UC_MODE_THUMB | unicorn.UC_MODE_MCLASS)
        cpu.ctl_set_cpu_model(arm.UC_CPU_ARM_CORTEX_M33)
        cpu.mem_map(FLASH_AT, FLASH_BYTES)
        cpu.mem_write(FLASH_AT, self.image)
        cpu.mem_map(RAM_AT, RAM_BYTES)
        cpu.mem_write(RAM_AT, b"\xa5" * RAM_BYTES)
        cpu.mem_map(ADDRESSES["USBCTRL_DPRAM"], 0x1000)
        for name, address in ADDRESSES.items():
            if name != "USBCTRL_DPRAM":
                size = 0x10000 if name == "PPB" else 0x4000
                cpu.mmio_map(address, size, self._make_reader(name), None, self._make_writer(name), None)
        cpu.hook_add(unicorn.UC_HOOK_INTR, self._handle_exception)
        cpu.reg_write(arm.UC_ARM_REG_SP, words[0])
        self._pc = words[1] | 1

    def _step(self, cycles: int) -> None:
        try:
            self._cpu.emu_start(self._pc, 0xFFFFFFFE, count=cycles)
        except unicorn.UcError as error:
            pc = self._cpu.reg_read(arm.UC_ARM_REG_PC)
            if pc < 0xFFFFFF00:
                raise self._problem or ChipError(f"{error} at {pc:08x}") from error
            self._has_returned = True
        if self._problem:
            raise self._problem
        self._pc = self._cpu.reg_read(arm.UC_ARM_REG_PC) | 1
        if self._has_returned:
            self._leave_handler()
        elif self._cpu.mem_read((self._pc & ~1) - 2, 2) == b"\x30\xbf":  # wfi
            self._sleeps = not self._find_deliverable()

    def _handle_exception(self, cpu: object, number: int, data: object) -> None:
        if number != 8:  # EXCP_EXCEPTION_EXIT
            self._problem = ChipError(f"exception {number} at {self._cpu.reg_read(arm.UC_ARM_REG_PC):08x}")
        self._has_returned = True
        self._cpu.emu_stop()

    def _handle_events(self) -> None:
        if self.now_us >= self._watchdog_at:
            self.watchdog_resets += 1
            self._watchdog_at = float("inf")
        if self.now_us >= self._next_systick_us:
            self._next_systick_us += (self._values[("PPB", 0xE014)] + 1) / CYCLES_PER_US
            self._pending.add(SYSTICK)
        if self._received and self.now_us >= self._received[0][0] and self._values.get(("UART0", 0x38), 0) & 1 << 4:
            self._pending.add(FIRST_INTERRUPT + CONSTANTS["UART0_INTERRUPT"])
        number = self._find_deliverable()
        if number is not None:
            self._enter_handler(number)

    def _find_deliverable(self) -> int | None:
        if self._cpu.reg_read(arm.UC_ARM_REG_PRIMASK) & 1:
            return None
        running = min([self._get_priority(number) for number in self._active], default=THREAD_PRIORITY)
        ready = [
            number for number in self._pending if self._is_enabled(number) and self._get_priority(number) < running
        ]
        return min(ready, key=lambda number: (self._get_priority(number), number), default=None)

    def _is_enabled(self, number: int) -> bool:
        line = number - FIRST_INTERRUPT
        return line < 0 or bool(self._values.get(("PPB", 0xE100 + line // 32 * 4), 0) >> line % 32 & 1)

    def _get_priority(self, number: int) -> int:
        """Return the priority, of which the chip has the upper four bits."""
        if number in (PENDSV, SYSTICK):
            return self._values.get(("PPB", 0xED20), 0) >> (16 if number == PENDSV else 24) & 0xF0
        line = number - FIRST_INTERRUPT
        return self._values.get(("PPB", 0xE400 + line // 4 * 4), 0) >> 8 * (line % 4) & 0xF0

    def _enter_handler(self, number: int) -> None:
        cpu = self._cpu
        stacked = [cpu.reg_read(getattr(arm, f"UC_ARM_REG_R{n}")) for n in (0, 1, 2, 3, 12)]
        status = cpu.reg_read(arm.UC_ARM_REG_XPSR) & ~0x1FF
        stack = cpu.reg_read(arm.UC_ARM_REG_SP)
        frame = (stack - 32) & ~7
        stacked += [cpu.reg_read(arm.UC_ARM_REG_LR), self._pc & ~1, status & ~(1 << 9) | (stack & 4) << 7]
        cpu.mem_write(frame, struct.pack("<8I", *stacked))
        cpu.reg_write(arm.UC_ARM_REG_SP, frame)
        cpu.reg_write(arm.UC_ARM_REG_LR, HANDLER_RETURN if self._active else EXCEPTION_RETURN)
        self._pending.discard(number)
        self._active.append(number)
        vectors = self._values.get(("PPB", 0xED08), FLASH_AT)
        (self._pc,) = struct.unpack("<I", cpu.mem_read(vectors + 4 * number, 4))

    def _leave_handler(self) -> None:
        cpu = self._cpu
        self._active.pop()
        frame = cpu.reg_read(arm.UC_ARM_REG_SP)
        *registers, link, address, status = struct.unpack("<8I", cpu.mem_read(frame, 32))
        for n, value in zip((0, 1, 2, 3, 12), registers, strict=True):
            cpu.reg_write(getattr(arm, f"UC_ARM_REG_R{n}"), value)
        cpu.reg_write(arm.UC_ARM_REG_LR, link)
        cpu.reg_write(arm.UC_ARM_REG_SP, frame + 32 + (status >> 7 & 4))
        cpu.reg_write(arm.UC_ARM_REG_XPSR, status)
        self._pc = address | 1

    # The blocks of the chip.

    def _make_reader(self, block: str) -> Callable[..., int]:
        def read(cpu: object, offset: int, size: int, data: object) -> int:
            try:
                self._check_access(block, offset)
                return self._read(block, offset & 0xFFF if block != "PPB" else offset)
            except ChipError as error:
                return self._stop(error)

        return read

    def _make_writer(self, block: str) -> Callable[..., None]:
        def write(cpu: object, offset: int, size: int, value: int, data: object) -> None:
            try:
                self._check_access(block, offset)
                if block in ("PPB", "SIO"):
                    self._write(block, offset, value)
                else:
                    at, alias = offset & 0xFFF, offset & 0xF000
                    self._write(block, at, ALIASES[alias](self._peek(block, at), value) & 0xFFFFFFFF)
            except ChipError as error:
                self._stop(error)

        return write

    def _stop(self, error: ChipError) -> int:
        self._problem = self._problem or error
        self._cpu.emu_stop()
        return 0

    def _check_access(self, block: str, offset: int) -> None:
        if self._reset & RESET_BIT_BY_BLOCK.get(block, 0):
            raise ChipError(f"{block} is used while it is held in reset")

    def _peek(self, block: str, at: int) -> int:
        if block == "RESETS" and at == 0:
            return self._reset
        default = PAD_AFTER_RESET if block == "PADS_BANK0" and at >= 4 else 0
        return self._values.get((block, at), default)

    def _read(self, block: str, at: int) -> int:
        special: dict[tuple[str, int], Callable[[], int]] = {
            ("RESETS", 0x8): lambda: ~self._reset & CONSTANTS["RESET_ALL"],
            ("CLOCKS", 0x38): lambda: 1 << (self._peek("CLOCKS", 0x30) & 3),
            ("CLOCKS", 0x44): lambda: 1 << (self._peek("CLOCKS", 0x3C) & 1),
            ("XOSC", 0x4): lambda: 1 << 31 if self._peek("XOSC", 0) == 0xFABAA0 else 0,
            ("PLL_SYS", 0x0): lambda: self._read_pll("PLL_SYS"),
            ("PLL_USB", 0x0): lambda: self._read_pll("PLL_USB"),
            ("ROSC", 0x20): lambda: int(self.now_us * 7) & 1,
            ("OTP_DATA", 0x0): lambda: self.chip_id & 0xFFFFFFFF,
            ("OTP_DATA", 0x4): lambda: self.chip_id >> 32,
            ("TIMER0", 0x28): self._read_timer,
            ("UART0", 0x0): self._read_byte,
            ("UART0", 0x18): self._read_uart_flags,
            ("SIO", 0x4): self._read_pins,
            ("PIO0", 0x4): lambda: 0,
        }
        return special.get((block, at), lambda: self._peek(block, at))()

    def _write(self, block: str, at: int, value: int) -> None:
        if (block, at) == ("RESETS", 0x0):
            self._reset = value
        elif (block, at) == ("UART0", 0x0):
            self._sending_until = max(self._sending_until, self.now_us) + US_PER_BYTE
            if self._is_connected(0, 2) and self._peek("UART0", 0x30) & 0x101 == 0x101:
                self.sent += bytes((value & 0xFF,))
        elif (block, at) == ("PIO0", 0x10):
            if self._peek("PIO0", 0) & 1 and self._is_connected(PIXEL_PIN, 6):
                self.pixels.append(value)
        elif (block, at) == ("WATCHDOG", 0x4):
            self._values[(block, at)] = value
            self._watchdog_at = self.now_us + value
        elif (block, at) == ("PPB", 0xED04):
            if value & 1 << 28:
                self._pending.add(PENDSV)
        elif block == "PPB" and 0xE100 <= at < 0xE140:
            self._values[(block, at)] = self._values.get((block, at), 0) | value
        elif (block, at) == ("SIO", 0x38):
            self._values[("SIO", 0x30)] = self._values.get(("SIO", 0x30), 0) | value
        else:
            self._values[(block, at)] = value
            if (block, at) == ("PPB", 0xE010):
                self._next_systick_us = self.now_us + (self._values[("PPB", 0xE014)] + 1) / CYCLES_PER_US

    def _read_pll(self, name: str) -> int:
        is_on = self._peek(name, 0x8) and not self._peek(name, 0x4) & 0x21 if (name, 0x4) in self._values else False
        return 1 << 31 | 1 if is_on else 1

    def _read_timer(self) -> int:
        """Return microseconds, if the tick generator makes them of the crystal's 12 MHz."""
        is_crystal = self._peek("CLOCKS", 0x30) & 3 == 2 and self._peek("XOSC", 0) == 0xFABAA0
        if not is_crystal or self._peek("TICKS", 0x1C) != 12 or not self._peek("TICKS", 0x18) & 1:
            raise ChipError("the timer counts no microseconds")
        self.now_us += 1 / CYCLES_PER_US  # a loop that waits for it must come to an end
        return int(self.now_us) & 0xFFFFFFFF

    def _read_byte(self) -> int:
        return self._received.pop(0)[1] if self._received and self._received[0][0] <= self.now_us else 0

    def _read_uart_flags(self) -> int:
        is_empty = not self._received or self._received[0][0] > self.now_us
        return (1 << 4 if is_empty else 0) | (1 << 3 if self.now_us < self._sending_until else 0)

    def _is_connected(self, pin: int, function: int) -> bool:
        pad = self._peek("PADS_BANK0", 4 + 4 * pin)
        return self._peek("IO_BANK0", 4 + 8 * pin) & 0x1F == function and not pad & CONSTANTS["PAD_ISOLATED"]

    def _read_pins(self) -> int:
        """Return the levels: an open switch leaves its pin to the pull-up; a pad without input reads as 0."""
        levels = 0
        for button, pin in enumerate(BUTTON_PINS):
            pad = self._peek("PADS_BANK0", 4 + 4 * pin)
            is_input = pad & CONSTANTS["PAD_INPUT"] and pad & CONSTANTS["PAD_PULL_UP"] and not pad & 1 << 8
            if is_input and self._is_connected(pin, 5) and button not in self.pressed:
                levels |= 1 << pin
        return levels
