"""The panel's drawings are true to scale, agree with each other and are drawn from the code as it is."""

from __future__ import annotations

import itertools
import math
import xml.etree.ElementTree as ET

import draw_panel
import pytest
from ezdxf import filemanagement, units

from companion.events import Button

SVG = "{http://www.w3.org/2000/svg}"
SIZES = pytest.mark.parametrize("diameter", draw_panel.BUTTON_DIAMETERS_MM)


def read_dxf_circles(diameter: float, layer: str) -> list[tuple[float, float, float]]:
    """Return x, y and diameter of the circles of a layer, in millimetres."""
    drawing = filemanagement.readfile(draw_panel.FOLDER / f"panel-{diameter:g}mm.dxf")
    assert drawing.units == units.MM
    circles = drawing.modelspace().query(f'CIRCLE[layer=="{layer}"]')
    return [(each.dxf.center.x, each.dxf.center.y, each.dxf.radius * 2) for each in circles]


@SIZES
def test_the_dxf_has_the_holes(diameter: float) -> None:
    buttons = read_dxf_circles(diameter, "buttons")
    assert buttons == [(x, y, diameter) for x, y in draw_panel.BUTTON_POSITIONS.values()]
    assert len(buttons) == len(Button)
    assert [hole[:2] for hole in read_dxf_circles(diameter, "screws")] == list(draw_panel.SCREW_POSITIONS)


@SIZES
def test_the_print_sheet_is_true_to_scale(diameter: float) -> None:
    root = ET.parse(draw_panel.FOLDER / f"panel-{diameter:g}mm.svg").getroot()
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("297mm", "210mm", "0 0 297 210")
    assert (root.findtext(f"{SVG}style") or "") == "@page { size: 297mm 210mm; margin: 0 }"
    (panel,) = (rect for rect in root.iter(f"{SVG}rect") if rect.get("rx"))
    left, rear, width, depth = (float(panel.get(name) or "") for name in ("x", "y", "width", "height"))
    assert (width, depth) == (draw_panel.WIDTH_MM, draw_panel.DEPTH_MM)
    # A printer leaves a margin of 4 to 6 mm.
    assert min(left, rear, 297 - left - width, 210 - rear - depth) >= 6
    circles = [[float(circle.get(name) or "") for name in ("cx", "cy", "r")] for circle in root.iter(f"{SVG}circle")]
    cut = [*read_dxf_circles(diameter, "buttons"), *read_dxf_circles(diameter, "screws")]
    for (x, y, radius), hole in zip(circles, cut, strict=True):
        assert (x - left, rear + depth - y, radius * 2) == pytest.approx(hole)
    lengths = [line.get("points") or "" for line in root.iter(f"{SVG}polyline")]
    spans = {math.dist(*(tuple(map(float, point.split(","))) for point in points.split())) for points in lengths}
    assert draw_panel.RULER_MM in spans


@SIZES
def test_fingers_and_rims_have_room(diameter: float) -> None:
    """The rim of a 30 mm button has about 35 mm; a screw's head 6 mm."""
    rim = diameter + 6
    centres = list(draw_panel.BUTTON_POSITIONS.values())
    assert min(math.dist(a, b) for a, b in itertools.combinations(centres, 2)) >= rim + 4
    for x, y in centres:
        assert rim / 2 + 4 <= x <= draw_panel.WIDTH_MM - rim / 2 - 4
        assert rim / 2 + 4 <= y <= draw_panel.DEPTH_MM - rim / 2 - 4
        assert min(math.dist((x, y), screw) for screw in draw_panel.SCREW_POSITIONS) >= rim / 2 + 3 + 2


@SIZES
def test_the_sheets_are_drawn_from_the_code_as_it_is(diameter: float) -> None:
    drawn = draw_panel.draw_print_sheet(diameter).format_svg()
    assert (draw_panel.FOLDER / f"panel-{diameter:g}mm.svg").read_text(encoding="utf-8") == drawn, "make drawings"
