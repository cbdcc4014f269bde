"""Random appearance of a Memo Dice table, for training."""

from __future__ import annotations

import random

from companion.games.memo_dice.simulator.objects import LinearBgr, MemoDiceAppearance, to_linear
from companion.simulation.optics import Optics

_TABLES = (
    (176, 132, 84), (120, 84, 56), (196, 170, 136), (232, 228, 220), (206, 206, 208), (96, 98, 104), (60, 52, 48),
    (62, 96, 66), (96, 40, 44), (58, 74, 112), (150, 150, 146), (214, 190, 150),
)  # fmt: skip
_SKINS = ((172, 196, 236), (140, 172, 220), (96, 132, 190), (60, 84, 130))
_SLEEVES = ((130, 90, 60), (80, 60, 150), (70, 70, 74), (110, 140, 90), (40, 40, 170), (30, 28, 28))


def draw_random_appearance(rng: random.Random) -> MemoDiceAppearance:
    """Draw a random appearance whose inks people can still tell apart easily."""

    def jitter(colour: tuple[int, int, int], by: float) -> LinearBgr:
        r, g, b = (min(255, max(0, round(c + rng.uniform(-by, by)))) for c in colour)
        return to_linear(r, g, b)

    def red() -> LinearBgr:
        strength = rng.uniform(0.65, 1.0)
        r, g, b = 222 * strength, rng.uniform(8, 60) * strength, rng.uniform(10, 66) * strength
        return to_linear(round(r), round(g), round(b))

    def blue() -> LinearBgr:
        strength = rng.uniform(0.5, 1.0)
        r, g, b = rng.uniform(4, 54) * strength, rng.uniform(48, 136) * strength, rng.uniform(170, 225) * strength
        return to_linear(round(r), round(g), round(b))

    def black() -> LinearBgr:
        level = rng.uniform(14, 58)
        return jitter((round(level), round(level), round(level)), 4.0)

    body = rng.uniform(205, 250)
    yellowing = rng.uniform(0, 26)
    size = rng.uniform(16.0, 26.0)
    mouth = size * rng.uniform(0.95, 1.3)
    warmth = rng.uniform(-0.28, 0.28)  # of the light, after the white balance
    green = rng.uniform(-0.06, 0.06)
    return MemoDiceAppearance(
        table=jitter(rng.choice(_TABLES), 18.0),
        wood=rng.random() < 0.55,
        body=to_linear(round(body), round(body - 0.3 * yellowing), round(body - yellowing)),
        inks=(to_linear(0, 0, 0), red(), blue(), black()),
        cups=(to_linear(rng.randint(225, 255), rng.randint(165, 215), rng.randint(5, 60)), red(), blue(), black()),
        die_size_mm=size,
        edge_rounding=rng.uniform(0.05, 0.2),
        symbol_share=rng.uniform(0.62, 0.88),
        mouth_radius_mm=mouth,
        top_radius_mm=mouth * rng.uniform(0.66, 0.92),
        cup_height_mm=mouth * rng.uniform(1.5, 2.5),
        gloss=rng.uniform(0.05, 0.8),
        light=(rng.uniform(-0.8, 0.8), rng.uniform(-0.8, 0.8), rng.uniform(0.6, 1.0)),
        lamp_spread=rng.uniform(0.03, 0.3),
        ambient=rng.uniform(0.25, 0.7),
        exposure=rng.uniform(0.45, 1.25),
        tint=(1.0 - warmth, 1.0 + green, 1.0 + warmth),
        light_pool=(rng.uniform(-250, 250), rng.uniform(-150, 150), rng.uniform(0.0, 0.5)),
        noise=rng.uniform(0.8, 5.0),
        blur_px=rng.uniform(0.4, 1.1),
        skin=rng.choice(_SKINS),
        sleeve=rng.choice(_SLEEVES),
        optics=Optics(
            tilt_deg=rng.uniform(0.0, 22.0),
            roll_deg=rng.uniform(-4.0, 4.0),
            height_mm=rng.uniform(520.0, 900.0),
            focal_px=rng.uniform(950.0, 1500.0),
        ),
    )
