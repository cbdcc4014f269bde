"""Proof: rendered trays of 10 to 40 dice, each read through the settler in two frames."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from companion.simulation.camera import create_dice_tray
from companion.simulation.macroscope.appearance import Appearance
from companion.vision.reading import MIN_PLAY_CONFIDENCE
from companion.vision.tray.reader import TrayDiceReader
from companion.vision.tray.settling import TraySettler

TRAYS = 200
MAX_WRONG_SHARE = 0.005
MAX_ASKED_SHARE = 0.2


def read_tray(seed: int, reader: TrayDiceReader) -> str:
    """Return "right", "asked" or "wrong" for a tray of random light, dice and camera; one in ten has a leaning die."""
    rng = random.Random(seed)
    appearance = replace(Appearance.draw_random(rng), die_size_mm=rng.uniform(12.0, 18.5))
    table, renderer = create_dice_tray(appearance, rng)
    table.throw_dice(rng.randint(10, 40), rng, 0.0, cocked=int(rng.random() < 0.1))
    for now in (1.0, 5.0, 6.0):
        table.step(now)
    settler = TraySettler(())
    for at in range(8):
        result = settler.add_reading(reader.read(renderer.render(table)), float(at))
        if result is not None:
            break
    assert result is not None
    if result.event is None or result.event.confidence < MIN_PLAY_CONFIDENCE:
        return "asked"
    return "right" if result.event.values == tuple(sorted(table.values)) else "wrong"


@pytest.mark.proof
def test_two_hundred_trays() -> None:
    reader = TrayDiceReader()
    results = [read_tray(seed, reader) for seed in range(TRAYS)]
    counts = {name: results.count(name) for name in ("right", "asked", "wrong")}
    assert counts["wrong"] <= MAX_WRONG_SHARE * TRAYS, counts
    assert counts["asked"] <= MAX_ASKED_SHARE * TRAYS, counts


# In 112 a die lies in the shadow of one that it touches: the detector's score is low, and it looks like a side face.
@pytest.mark.parametrize("seed", [112, 1000])
def test_a_tray_is_right_or_asked_about(seed: int) -> None:
    assert read_tray(seed, TrayDiceReader()) != "wrong"
