"""What lies on a Memo Dice table and how it looks: dice with symbols, cups, the light, the lens. Plain values.

Lengths are millimetres, x to the right, y down in the picture, z up (as in `optics`). Colours are albedos in linear
light, blue, green, red, 0 to 1.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from companion.events import MemoColour
from companion.simulation.memo_dice.symbols import SYMBOL_KINDS
from companion.simulation.optics import Optics

LinearBgr = tuple[float, float, float]
"""Blue, green, red."""
Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class DieFace:
    """One face of a die: which symbol in which colour. `turn`: quarter turns."""

    kind: int
    variant: int
    colour: MemoColour
    quarter_turns: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class SymbolDie:
    """A die; `rotation` (3x3) is applied to one whose faces are +x, -x, +y, -y, +z, -z. `middle` in mm."""

    faces: tuple[DieFace, DieFace, DieFace, DieFace, DieFace, DieFace]
    center: tuple[float, float, float]
    rotation: Matrix

    @property
    def top(self) -> DieFace:
        """The face that looks up."""
        up = self.rotation[2]
        axis = int(np.abs(up).argmax())
        return self.faces[2 * axis + (0 if up[axis] > 0 else 1)]


@dataclass(frozen=True, slots=True)
class SimulatedCup:
    """A cup, mouth down, its middle at (x, y), its mouth at the height `z`."""

    colour: MemoColour
    x: float
    y: float
    z: float = 0.0


TableObject = SymbolDie | SimulatedCup


def _srgb(r: int, g: int, b: int) -> LinearBgr:
    """A colour as a screen shows it, as an albedo."""
    linear = [((c / 255 + 0.055) / 1.055) ** 2.4 if c > 10 else c / 255 / 12.92 for c in (b, g, r)]
    return linear[0], linear[1], linear[2]


@dataclass(frozen=True, slots=True)
class MemoDiceAppearance:
    """One table in one light, seen by one camera. The default is meant to be pleasant; others are drawn."""

    table: LinearBgr = field(default_factory=lambda: _srgb(176, 132, 84))
    wood: bool = True
    body: LinearBgr = field(default_factory=lambda: _srgb(240, 238, 228))
    inks: tuple[LinearBgr, LinearBgr, LinearBgr, LinearBgr] = field(
        default_factory=lambda: (_srgb(0, 0, 0), _srgb(200, 24, 32), _srgb(24, 70, 170), _srgb(26, 24, 24))
    )
    """By `MemoColour`; the first is unused."""
    cups: tuple[LinearBgr, LinearBgr, LinearBgr, LinearBgr] = field(
        default_factory=lambda: (_srgb(246, 196, 18), _srgb(196, 26, 30), _srgb(24, 74, 172), _srgb(30, 29, 30))
    )
    """By `MemoColour`."""
    die_size_mm: float = 22.0
    edge_rounding: float = 0.12
    """Radius of the die's edges by its edge length."""
    symbol_share: float = 0.8
    """Of the face's side."""
    mouth_radius_mm: float = 25.0
    """Radius of a cup at its mouth, mm."""
    top_radius_mm: float = 18.5
    """Radius of a cup at its closed end."""
    cup_height_mm: float = 52.0
    gloss: float = 0.35
    light: tuple[float, float, float] = (-0.35, -0.5, 0.8)
    """Towards the lamp; need not be of length 1."""
    lamp_spread: float = 0.12
    """How large the lamp is: how soft shadows are."""
    ambient: float = 0.45
    exposure: float = 1.0
    tint: LinearBgr = (1.0, 1.0, 1.0)
    """What is left of the lamp's colour after the camera's white balance."""
    light_pool: tuple[float, float, float] = (0.0, 0.0, 0.2)
    """Where the lamp's light is brightest, mm, and by how much."""
    noise: float = 2.0
    """Standard deviation in grey levels."""
    blur_px: float = 0.6
    """Of the lens, sigma in pixels."""
    skin: tuple[int, int, int] = (160, 186, 230)
    """Blue, green, red, 0 to 255; the hand is painted, not lit."""
    sleeve: tuple[int, int, int] = (140, 96, 62)
    optics: Optics = field(default_factory=Optics)


def draw_random_die(
    rng: random.Random, kinds: range | None = None
) -> tuple[DieFace, DieFace, DieFace, DieFace, DieFace, DieFace]:
    """Faces at random: two red, two blue, two black (rules file, section 3), six different symbols."""
    paints = [MemoColour.RED, MemoColour.RED, MemoColour.BLUE, MemoColour.BLUE, MemoColour.BLACK, MemoColour.BLACK]
    rng.shuffle(paints)
    chosen = rng.sample(kinds or range(len(SYMBOL_KINDS)), 6)
    a, b, c, d, e, f = (
        DieFace(kind, rng.randrange(6), paint, rng.randrange(4)) for kind, paint in zip(chosen, paints, strict=True)
    )
    return a, b, c, d, e, f


_TABLES = (
    (176, 132, 84), (120, 84, 56), (196, 170, 136), (232, 228, 220), (206, 206, 208), (96, 98, 104), (60, 52, 48),
    (62, 96, 66), (96, 40, 44), (58, 74, 112), (150, 150, 146), (214, 190, 150),
)  # fmt: skip
_SKINS = ((172, 196, 236), (140, 172, 220), (96, 132, 190), (60, 84, 130))
_SLEEVES = ((130, 90, 60), (80, 60, 150), (70, 70, 74), (110, 140, 90), (40, 40, 170), (30, 28, 28))


def draw_random_appearance(rng: random.Random) -> MemoDiceAppearance:
    """A table in a light at random: what a family might have, with inks that people still tell apart at a glance."""

    def jitter(colour: tuple[int, int, int], by: float) -> LinearBgr:
        r, g, b = (min(255, max(0, round(c + rng.uniform(-by, by)))) for c in colour)
        return _srgb(r, g, b)

    def red() -> LinearBgr:
        strength = rng.uniform(0.65, 1.0)
        r, g, b = 222 * strength, rng.uniform(8, 60) * strength, rng.uniform(10, 66) * strength
        return _srgb(round(r), round(g), round(b))

    def blue() -> LinearBgr:
        strength = rng.uniform(0.5, 1.0)
        r, g, b = rng.uniform(4, 54) * strength, rng.uniform(48, 136) * strength, rng.uniform(170, 225) * strength
        return _srgb(round(r), round(g), round(b))

    def black() -> LinearBgr:
        level = rng.uniform(14, 58)
        return jitter((round(level), round(level), round(level)), 4.0)

    body = rng.uniform(205, 250)
    warm = rng.uniform(0, 26)
    size = rng.uniform(16.0, 26.0)
    mouth = size * rng.uniform(0.95, 1.3)
    warmth = rng.uniform(-0.28, 0.28)  # of the light, left by the white balance
    green = rng.uniform(-0.06, 0.06)
    return MemoDiceAppearance(
        table=jitter(rng.choice(_TABLES), 18.0),
        wood=rng.random() < 0.55,
        body=_srgb(round(body), round(body - 0.3 * warm), round(body - warm)),
        inks=(_srgb(0, 0, 0), red(), blue(), black()),
        cups=(_srgb(rng.randint(225, 255), rng.randint(165, 215), rng.randint(5, 60)), red(), blue(), black()),
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
