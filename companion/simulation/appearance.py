"""Appearance of a simulated table with a dice tray: colours, light and camera."""

from dataclasses import dataclass, field

from companion.simulation.optics import Optics

Colour = tuple[int, int, int]
"""Blue, green and red, each 0 to 255."""


@dataclass(frozen=True, slots=True)
class TableAppearance:
    """One table in one light, seen by one camera. Colours are BGR, 0 to 255."""

    table: Colour = (74, 114, 160)
    wood: bool = True
    """Whether the table has boards with grain; otherwise it is covered with cloth."""
    felt: Colour = (62, 92, 30)
    rim: Colour = (48, 74, 112)
    die: Colour = (232, 238, 240)
    pip: Colour = (36, 30, 28)
    die_size_mm: float = 17.0
    """Edge length of the dice in mm."""
    skin: Colour = (160, 186, 230)
    sleeve: Colour = (140, 96, 62)
    light: tuple[float, float] = (0.35, 0.5)
    """Horizontal shift of a shadow in mm per mm of height, (x, y); the larger, the longer the shadows."""
    glow: tuple[float, float] = (-40.0, -60.0)
    """The point of the table where the light is brightest, in mm."""
    brightness: float = 1.0
    """Factor of all colours."""
    noise: float = 3.0
    """Standard deviation of the sensor's noise in grey levels."""
    blur_px: float = 0.6
    """Sigma of the lens's blur in pixels."""
    optics: Optics = field(default_factory=Optics)
