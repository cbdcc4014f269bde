"""Run in the rig: the driver finds a virtual box by its name at a real /dev/ttyACM0, loses it and finds it again.

Prints one JSON object for `test_rig.py`.
"""

from __future__ import annotations

import json
import os
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path

from companion.events import SEAT_BUTTONS, ButtonPressed, DeviceLost, DeviceRestored, Event
from hardware.buttons.usb_box.driver import ButtonBox
from hardware.buttons.usb_box.ports import make_usb_finder
from tests.doubles.pty_port import PtyBox
from tests.kernel_rig.usb_gadget import show_pico

GADGET = "/dev/ttyGS0"
"""The device's side of the cable."""
LIMIT = 120.0
"""Longest wait for a single event, in seconds."""


class UsbBox(PtyBox):
    """The virtual box at the far side of the rig's USB cable."""

    def _plug(self) -> None:
        plug = Path(os.environ["RIG_USB"])
        if not plug.read_text(encoding="ascii").strip():
            plug.write_text("dummy_udc.0\n", encoding="ascii")
        self._master = os.open(GADGET, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(self._master)

    def _unplug(self) -> None:
        if self._master is not None:
            os.close(self._master)
            self._master = None
        Path(os.environ["RIG_USB"]).write_text("\n", encoding="ascii")
        self.to_box.clear()
        self.from_box.clear()


def main() -> dict[str, object]:
    signals: list[Event] = []
    show_pico()
    box = UsbBox(Path("/tmp/none"))
    woken = threading.Event()
    driver = ButtonBox(make_usb_finder(), wake=woken.set)

    def until(true: Callable[[], bool], what: str) -> float:
        started = time.monotonic()
        while not true():
            signals.extend(driver.read())
            if time.monotonic() - started > LIMIT:
                raise SystemExit(f"timeout while waiting for {what}: {signals} {driver.problem}")
            woken.wait(0.02)
            woken.clear()
        return time.monotonic() - started

    def list_presses() -> list[ButtonPressed]:
        return [signal for signal in signals if isinstance(signal, ButtonPressed)]

    def press(count: int) -> list[float]:
        edges = [
            (SEAT_BUTTONS[i % 6], down, 0.1 + 0.03 * i + 0.01 * (not down))
            for i in range(count)
            for down in (True, False)
        ]
        return box.press(*edges)[::2]

    try:
        box.plug()
        until(lambda: driver.is_connected, "the box")
        device = driver.device
        until(lambda: driver.status.stamp_error_seconds is not None, "the clocks to be compared")
        made = press(60)
        until(lambda: len(list_presses()) >= 60, "60 presses")
        box.unplug()
        until(lambda: any(isinstance(s, DeviceLost) for s in signals), "the loss")
        before = press(6)  # while the cable is unplugged
        until(lambda: time.monotonic() > before[-1] + 0.05, "their time")
        box.plug()
        backs = sum(isinstance(s, DeviceRestored) for s in signals)
        back_after = until(lambda: sum(isinstance(s, DeviceRestored) for s in signals) > backs, "the box again")
        until(lambda: len(list_presses()) >= 66, "the presses made meanwhile")
        after = press(12)
        until(lambda: len(list_presses()) >= 78, "12 more")
        received = list_presses()
        wanted = [SEAT_BUTTONS[i % 6] for n in (60, 6, 12) for i in range(n)]
        return {
            "device": device,
            "in_order": [p.button for p in received] == wanted,
            "received": len(received),
            "worst_ms": 1e3 * max(abs(p.at - t) for p, t in zip(received[:60], made, strict=True)),
            "back_after": back_after,
            "made": len(made) + len(before) + len(after),
        }
    finally:
        driver.close()


if __name__ == "__main__":
    print("RESULT " + json.dumps(main()), flush=True)
    os._exit(0)
