"""Random appearances of simulated Macroscope tables."""

from __future__ import annotations

import random

from companion.games.macroscope.simulator.appearance import MacroscopeAppearance
from companion.games.macroscope.simulator.lid import LAYOUTS
from companion.simulation.appearance import Colour
from companion.simulation.optics import Optics

_TABLES = ((72, 112, 158), (58, 86, 122), (160, 168, 172), (120, 116, 112), (96, 138, 176), (70, 92, 70))
_LIDS = ((68, 62, 62), (56, 50, 170), (128, 74, 36), (72, 104, 52), (160, 120, 60), (120, 60, 104))
_TOKENS = ((48, 46, 46), (60, 52, 190), (168, 104, 48), (64, 110, 44), (214, 222, 226), (150, 200, 224))
_FELTS = ((44, 42, 40), (44, 40, 160), (60, 104, 30), (112, 60, 30), (90, 44, 70))
_WHITE = (236, 240, 240)
_BLACK = (36, 30, 28)
_DICE = (
    (_WHITE, _BLACK),
    (_WHITE, (44, 40, 180)),
    ((48, 44, 186), _WHITE),
    ((56, 120, 40), _WHITE),
    ((54, 50, 50), _WHITE),
    ((180, 90, 30), _WHITE),
)
_SKINS = ((172, 196, 236), (140, 172, 220), (96, 132, 190), (60, 84, 130))
_SLEEVES = ((130, 90, 60), (80, 60, 150), (70, 70, 74), (110, 140, 90))


def draw_random_appearance(rng: random.Random) -> MacroscopeAppearance:
    """Draw a random appearance in which lid, tokens, arrow and pips contrast with their background."""
    lid = rng.choice(_LIDS)
    token = rng.choice([c for c in _TOKENS if _colour_distance(c, lid) > 90])
    felt = rng.choice(_FELTS)
    die, pip = rng.choice([d for d in _DICE if _colour_distance(d[0], felt) > 120])
    return MacroscopeAppearance(
        layout=rng.choice(sorted(LAYOUTS)),
        table=_vary_colour(rng.choice([c for c in _TABLES if _colour_distance(c, lid) > 60]), rng),
        wood=rng.random() < 0.6,
        lid=_vary_colour(lid, rng),
        arrow=(238, 240, 240) if sum(lid) < 420 else (30, 28, 28),
        token=_vary_colour(token, rng),
        digit=(30, 28, 28) if sum(token) > 500 else (238, 240, 240),
        felt=_vary_colour(felt, rng),
        die=die,
        pip=pip,
        die_size_mm=rng.uniform(15.0, 18.5),
        skin=rng.choice(_SKINS),
        sleeve=rng.choice(_SLEEVES),
        light=(rng.uniform(-0.7, 0.7), rng.uniform(-0.7, 0.7)),
        glow=(rng.uniform(-200.0, 200.0), rng.uniform(-120.0, 120.0)),
        brightness=rng.uniform(0.75, 1.1),
        noise=rng.uniform(1.5, 5.0),
        blur_px=rng.uniform(0.4, 0.9),
        optics=Optics(tilt_deg=rng.uniform(0.0, 12.0), roll_deg=rng.uniform(-2.0, 2.0)),
    )


def _colour_distance(a: Colour, b: Colour) -> int:
    """Sum the absolute differences of the channels."""
    return sum(abs(x - y) for x, y in zip(a, b, strict=True))


def _vary_colour(colour: Colour, rng: random.Random) -> Colour:
    """Change each channel by up to 8 % at random."""
    b, g, r = (min(255, max(0, round(c * rng.uniform(0.92, 1.08)))) for c in colour)
    return b, g, r
