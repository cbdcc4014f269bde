"""Objects on a simulated Memo Dice table (dice with symbols, cups) and their appearance, as plain values.

Lengths are in mm: x to the right, y down in the picture, z up (as in `optics`). Colours are albedos in linear light:
blue, green, red, 0 to 1.
"""

import random
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from companion.events import MemoColour
from companion.games.memo_dice.simulator.symbols import SYMBOL_KINDS
from companion.simulation.optics import Optics

LinearBgr = tuple[float, float, float]
"""Blue, green and red albedo in linear light, 0 to 1."""
Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class DieFace:
    """One face of a die."""

    kind: int
    """Index of the symbol in `SYMBOL_KINDS`."""
    variant: int
    """Variant of the symbol (see `draw_symbol`)."""
    colour: MemoColour
    quarter_turns: int = 0
    """Rotation of the symbol, 0 to 3 quarter turns."""


@dataclass(frozen=True, slots=True, eq=False)
class SymbolDie:
    """A die with six symbols."""

    faces: tuple[DieFace, DieFace, DieFace, DieFace, DieFace, DieFace]
    """The faces with the normals +x, -x, +y, -y, +z, -z before the rotation."""
    center: tuple[float, float, float]
    """Centre in mm."""
    rotation: Matrix
    """(3, 3)."""

    @property
    def top(self) -> DieFace:
        """The upper face."""
        up = self.rotation[2]
        axis = int(np.abs(up).argmax())
        return self.faces[2 * axis + (0 if up[axis] > 0 else 1)]


@dataclass(frozen=True, slots=True)
class SimulatedCup:
    """A cup with its mouth down; x, y and z of its mouth's centre in mm."""

    colour: MemoColour
    x: float
    y: float
    z: float = 0.0


TableObject = SymbolDie | SimulatedCup


def to_linear(r: int, g: int, b: int) -> LinearBgr:
    """Convert an sRGB colour, 0 to 255 each, to an albedo in linear light (IEC 61966-2-1)."""
    linear = [((c / 255 + 0.055) / 1.055) ** 2.4 if c > 10 else c / 255 / 12.92 for c in (b, g, r)]
    return linear[0], linear[1], linear[2]


@dataclass(frozen=True, slots=True)
class MemoDiceAppearance:
    """One table in one light, seen by one camera; the default is a pleasant one."""

    table: LinearBgr = field(default_factory=lambda: to_linear(176, 132, 84))
    wood: bool = True
    """Whether the table has boards with grain; otherwise it is covered with cloth."""
    body: LinearBgr = field(default_factory=lambda: to_linear(240, 238, 228))
    inks: tuple[LinearBgr, LinearBgr, LinearBgr, LinearBgr] = field(
        default_factory=lambda: (
            to_linear(0, 0, 0),
            to_linear(200, 24, 32),
            to_linear(24, 70, 170),
            to_linear(26, 24, 24),
        )
    )
    """Colours of the symbols by `MemoColour`; the first is unused."""
    cups: tuple[LinearBgr, LinearBgr, LinearBgr, LinearBgr] = field(
        default_factory=lambda: (
            to_linear(246, 196, 18),
            to_linear(196, 26, 30),
            to_linear(24, 74, 172),
            to_linear(30, 29, 30),
        )
    )
    """Colours of the cups by `MemoColour`."""
    die_size_mm: float = 28.0
    """Edge length of the dice in mm; the larger, the easier people tell the symbols apart."""
    edge_rounding: float = 0.12
    """Radius of a die's edges divided by its edge length; the larger, the rounder the die."""
    symbol_share: float = 0.86
    """Side of a symbol divided by the side of the face."""
    mouth_radius_mm: float = 27.0
    """Radius of a cup at its open lower end in mm."""
    top_radius_mm: float = 20.5
    """Radius of a cup at its closed upper end in mm."""
    cup_height_mm: float = 52.0
    gloss: float = 0.35
    """Strength of highlights on dice and cups, 0 to 1."""
    light: tuple[float, float, float] = (-0.35, -0.5, 0.8)
    """Direction towards the lamp, of any length."""
    lamp_spread: float = 0.12
    """Size of the lamp relative to its distance; the larger, the softer the shadows."""
    ambient: float = 0.45
    """Share of the light that comes from all sides, 0 to 1; the larger, the fainter the shadows."""
    exposure: float = 1.0
    """Factor of the light on the sensor; above about 1 bright surfaces clip."""
    tint: LinearBgr = (1.0, 1.0, 1.0)
    """Factor of each channel: the lamp's colour that the camera's white balance leaves."""
    light_pool: tuple[float, float, float] = (0.0, 0.0, 0.2)
    """The brightest point of the table, x and y in mm, and the share of the light that is concentrated there."""
    noise: float = 2.0
    """Standard deviation of the sensor's noise in grey levels."""
    blur_px: float = 0.6
    """Sigma of the lens's blur in pixels."""
    skin: tuple[int, int, int] = (160, 186, 230)
    """Colour of the hand: blue, green, red, 0 to 255; the hand is not lit."""
    sleeve: tuple[int, int, int] = (140, 96, 62)
    """Colour of the sleeve: blue, green, red, 0 to 255."""
    optics: Optics = field(default_factory=lambda: Optics(focal_px=1500.0))


def draw_random_die(
    rng: random.Random, kinds: range | None = None
) -> tuple[DieFace, DieFace, DieFace, DieFace, DieFace, DieFace]:
    """Draw six faces at random: two red, two blue and two black, with six different symbols (section 2 of the rules).

    Args:
        rng: random generator.
        kinds: the symbols to choose from, as indices in `SYMBOL_KINDS`; None: all.

    Raises:
        ValueError: There are fewer than six kinds.
    """
    colours = [MemoColour.RED, MemoColour.RED, MemoColour.BLUE, MemoColour.BLUE, MemoColour.BLACK, MemoColour.BLACK]
    rng.shuffle(colours)
    chosen = rng.sample(kinds or range(len(SYMBOL_KINDS)), 6)
    a, b, c, d, e, f = (
        DieFace(kind, rng.randrange(6), colour, rng.randrange(4)) for kind, colour in zip(chosen, colours, strict=True)
    )
    return a, b, c, d, e, f
