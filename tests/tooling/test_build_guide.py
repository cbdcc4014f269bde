"""The build guide's prices are the sums of its parts, and its firmware is ours."""

from __future__ import annotations

import math
import re

from tests.conftest import REPOSITORY

GUIDE = (REPOSITORY / "docs/build/README.md").read_text("utf-8")


def add_prices(section: str) -> float:
    return sum(map(float, re.findall(r"\| ([\d.]+) \|$", section, re.MULTILINE)))


def test_prices_are_the_sums_of_their_parts() -> None:
    """A tier's price, rounded to ten euros, has the parts of the tiers that it uses."""
    head, *sections = GUIDE.split("\n## Tier ")
    first, second, third = map(add_prices, sections)
    (filament,) = re.findall(r"of filament, (\d+) €", GUIDE)
    sums = [10 * math.floor(total / 10 + 0.5) for total in (first, second, second + third + float(filament))]
    stated = [int(price) for price in re.findall(r"\| (?:0 to )?(\d+) € \|", head)]
    assert stated == sums, "the first table of docs/build/README.md, and the sums of its parts"
    readme = (REPOSITORY / "README.md").read_text("utf-8")
    assert [int(price) for price in re.findall(r"(\d+) €", readme)] == [sums[0], sums[2]], "README.md, and the sums"


def test_the_firmware_of_the_guide_is_ours() -> None:
    defines = (REPOSITORY / "firmware_notes/firmware/config.h").read_text("utf-8")
    numbers = re.findall(r"^#define (?:FIRMWARE_\w+|BUTTONS) (\d+)$", defines, re.MULTILINE)
    assert "firmware {}.{}.{}, {} buttons".format(*numbers) in GUIDE
