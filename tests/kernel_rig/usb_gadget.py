"""The rig's USB device, as seen from inside the rig."""

from __future__ import annotations

import os
from pathlib import Path


def show_pico() -> None:
    """Give the device the ids and the name of a Pico with the button box's firmware; it is plugged in again."""
    plug = Path(os.environ["RIG_USB"])
    plug.write_text("\n", encoding="ascii")
    for name, value in (("idVendor", "0x2e8a"), ("idProduct", "0x000a"), ("strings/0x409/product", "button box")):
        plug.parent.joinpath(name).write_text(value, encoding="ascii")
    plug.write_text("dummy_udc.0\n", encoding="ascii")
