"""Draw the panel of the full box into docs/build: a DXF file for a laser or mill, and an A4 sheet to print 1:1.

    python tools/draw_panel.py [FOLDER]

One panel for buttons of 30 mm, one for buttons of 24 mm. docs/build/case.scad takes the outline and the screws from the
DXF file.
All lengths are millimetres; the origin of the panel is its corner at the front left, seen from above.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from circuit_symbols import format_button
from draw_wiring import FOLDER
from ezdxf import options, units  # type: ignore[attr-defined]  # ezdxf does not export it by name
from ezdxf.document import Drawing
from ezdxf.filemanagement import new
from svg_sheet import INK, MUTED, SvgSheet

from companion.events import Button

WIDTH_MM, DEPTH_MM = 260.0, 130.0
CORNER_MM = 4.0
"""Radius of the panel's corners."""
PITCH_MM = 40.0
"""Distance of two buttons of a row: the rim of a 30 mm button has about 35 mm, and a finger needs the rest."""
SEAT_ROW_MM, CONSOLE_ROW_MM = 88.0, 42.0
"""Distance of the two rows of buttons from the front edge."""
BUTTON_POSITIONS: Mapping[Button, tuple[float, float]] = {
    button: (30.0 + PITCH_MM * index, SEAT_ROW_MM) if index < 6 else (110.0 + PITCH_MM * (index - 6), CONSOLE_ROW_MM)
    for index, button in enumerate(Button)
}
"""Centre of each button: the seats in the rear row, OK, NO, PLUS and MINUS in front of them, in the screen's order."""
BUTTON_DIAMETERS_MM = (30.0, 24.0)
"""Holes of the two usual sizes of arcade buttons."""
SCREW_DIAMETER_MM = 3.2
"""Hole for an M3 screw."""
SCREW_POSITIONS = tuple((x, y) for y in (8.0, 122.0) for x in (8.0, 118.0, 142.0, 252.0))
"""Centres of the screws: in the corners, and on both sides of the middle, where the case's two halves meet."""
PAGE_MM = (297.0, 210.0)
"""A4, lying."""
RULER_MM = 100
"""Length of the rulers by which one checks that the sheet was printed 1:1."""


@dataclass(frozen=True, slots=True)
class PanelHole:
    """A round hole of the panel."""

    x: float
    y: float
    diameter: float


def list_button_holes(diameter: float) -> list[PanelHole]:
    """Return the holes of the buttons, in the order of `Button`."""
    return [PanelHole(x, y, diameter) for x, y in BUTTON_POSITIONS.values()]


def list_screw_holes() -> list[PanelHole]:
    """Return the holes of the screws."""
    return [PanelHole(x, y, SCREW_DIAMETER_MM) for x, y in SCREW_POSITIONS]


def draw_dxf(diameter: float) -> Drawing:
    """Return the panel as a DXF drawing with the layers "outline", "buttons" and "screws"."""
    # Two runs must give the same file: no time and no random identifiers.
    options.write_fixed_meta_data_for_testing = True
    drawing = new("R2000", units=units.MM)
    space = drawing.modelspace()
    for layer, colour in (("outline", 1), ("buttons", 5), ("screws", 3)):
        drawing.layers.add(layer, color=colour)
    right, rear, radius = WIDTH_MM, DEPTH_MM, CORNER_MM
    outline = {"layer": "outline"}
    for start, end in (
        ((radius, 0), (right - radius, 0)),
        ((right, radius), (right, rear - radius)),
        ((right - radius, rear), (radius, rear)),
        ((0, rear - radius), (0, radius)),
    ):
        space.add_line(start, end, dxfattribs=outline)
    for x, y, angle in (
        (radius, radius, 180),
        (right - radius, radius, 270),
        (right - radius, rear - radius, 0),
        (radius, rear - radius, 90),
    ):
        space.add_arc((x, y), radius, angle, angle + 90, dxfattribs=outline)
    for layer, holes in (("buttons", list_button_holes(diameter)), ("screws", list_screw_holes())):
        for hole in holes:
            space.add_circle((hole.x, hole.y), hole.diameter / 2, dxfattribs={"layer": layer})
    return drawing


def draw_print_sheet(diameter: float) -> SvgSheet:
    """Return the A4 sheet that is printed 1:1, glued onto the panel and drilled through."""
    name = f"{diameter:g}"
    sheet = SvgSheet(*PAGE_MM, f"Panel for buttons of {name} mm, 1:1 on A4", "mm")
    left, front = (PAGE_MM[0] - WIDTH_MM) / 2, 150.0
    sheet.draw_text(left, 8, f"Panel for ten buttons of {name} mm. Print at 100 %, not “fit to page”.", 5, bold=True)
    sheet.draw_text(left, 14.5, "Measure both rulers. If they are right, glue the sheet on and drill.", 4, MUTED)
    sheet.draw_box(left, front - DEPTH_MM, WIDTH_MM, DEPTH_MM, radius=CORNER_MM, line=0.3)
    labels = {(x, y): format_button(button) for button, (x, y) in BUTTON_POSITIONS.items()}
    for kind, holes in (("button", list_button_holes(diameter)), ("screw", list_screw_holes())):
        for hole in holes:
            x, y, radius = left + hole.x, front - hole.y, hole.diameter / 2
            with sheet.group(hole=kind):
                sheet.draw_dot(x, y, radius, "none", INK, 0.3)
            sheet.draw_line((x - radius - 2, y), (x + radius + 2, y), colour=MUTED, width=0.15)
            sheet.draw_line((x, y - radius - 2), (x, y + radius + 2), colour=MUTED, width=0.15)
            if kind == "button":
                sheet.draw_text(x, y - radius - 4.5, labels[hole.x, hole.y], 4, bold=True, at="middle")
    sheet.draw_text(left + 52, front - CONSOLE_ROW_MM, "towards the players: down", 4, MUTED, at="middle")
    x, y = left + 10, front + 10
    sheet.draw_line((x, y), (x + RULER_MM, y), width=0.3)
    for mark in range(0, RULER_MM + 1, 10):
        sheet.draw_line((x + mark, y - (4 if mark % 50 == 0 else 2)), (x + mark, y), width=0.3)
    sheet.draw_text(x + RULER_MM + 3, y, "100 mm", 4)
    x, y = left + WIDTH_MM - 20, front + 5
    sheet.draw_line((x, y), (x, y + RULER_MM / 2), width=0.3)
    for mark in range(0, RULER_MM // 2 + 1, 10):
        sheet.draw_line((x, y + mark), (x + (4 if mark % 50 == 0 else 2), y + mark), width=0.3)
    sheet.draw_text(x - 3, y + RULER_MM / 4, "50 mm", 4, at="right")
    notes = (
        f"{len(BUTTON_POSITIONS)} holes of {name} mm, {len(SCREW_POSITIONS)} holes of {SCREW_DIAMETER_MM:g} mm for M3.",
        f"Panel {WIDTH_MM:g} x {DEPTH_MM:g} mm, 3 to 4 mm thick.",
    )
    for index, note in enumerate(notes):
        sheet.draw_text(left + 10, front + 24 + 7 * index, note, 4, MUTED)
    return sheet


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    for size in BUTTON_DIAMETERS_MM:
        draw_dxf(size).saveas(folder / f"panel-{size:g}mm.dxf")
        draw_print_sheet(size).save(folder / f"panel-{size:g}mm.svg")
