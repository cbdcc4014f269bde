"""The printed parts are closed bodies of the stated size, and the case fits the panel.

OpenSCAD builds them here, with coarser circles than for the printer.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import build_parts
import draw_panel
import numpy as np
import pytest
import trimesh

PAGE = (build_parts.SOURCES / "panel-and-case.md").read_text(encoding="utf-8")
COARSE_SIDES = "12"
"""Sides of a circle; with a multiple of four its width is the diameter."""


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Each part as a mesh, by name."""
    if shutil.which("openscad") is None:
        pytest.skip("needs openscad")
    folder: Path = tmp_path_factory.mktemp("parts")
    return {
        name: trimesh.load_mesh(build_parts.build_part(name, folder, fn=COARSE_SIDES)) for name in build_parts.PARTS
    }


@pytest.mark.full
@pytest.mark.parametrize("name", build_parts.PARTS)
def test_a_part_is_closed_and_has_the_stated_size(parts: dict[str, Any], name: str) -> None:
    part = parts[name]
    assert part.is_watertight
    assert part.is_winding_consistent
    assert part.volume > 0
    assert part.extents == pytest.approx(build_parts.PARTS[name].size_mm, abs=0.11)


def test_the_page_states_the_sizes() -> None:
    stated = {
        name: tuple(map(float, size.split(" x ")))
        for name, size in re.findall(r"^\| `([\w-]+)\.stl` \| ([\d. x]+) \|", PAGE, re.MULTILINE)
    }
    assert stated == {name: part.size_mm for name, part in build_parts.PARTS.items()}


def is_solid(part: Any, x: float, y: float, z: float) -> bool:
    """Return whether a point is inside the part: a line from it upwards leaves its surface an odd number of times."""
    start, direction = np.array([x, y, z]), np.array([0.0, 0.0, 1.0])
    corners = part.triangles
    first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    # Möller and Trumbore 1997, for all triangles at once.
    normal = np.cross(direction, second)
    volume = np.einsum("ij,ij->i", first, normal)
    crossing = np.abs(volume) > 1e-12
    offset = start - corners[crossing, 0]
    u = np.einsum("ij,ij->i", offset, normal[crossing]) / volume[crossing]
    side = np.cross(offset, first[crossing])
    v = side @ direction / volume[crossing]
    distance = np.einsum("ij,ij->i", second[crossing], side) / volume[crossing]
    return bool(((u >= 0) & (v >= 0) & (u + v <= 1) & (distance > 0)).sum() % 2)


@pytest.mark.full
def test_each_screw_of_the_panel_meets_a_post(parts: dict[str, Any]) -> None:
    for x, y in draw_panel.SCREW_POSITIONS:
        half = parts["case-left" if x < draw_panel.WIDTH_MM / 2 else "case-right"]
        # Off the axes, along which sides of circles lie.
        assert not is_solid(half, x + 0.11, y + 0.07, 70)
        ring = [(x + 3.13 * np.cos(angle), y + 3.13 * np.sin(angle)) for angle in np.arange(8) * np.pi / 4 + 0.1]
        assert all(is_solid(half, *point, 70) for point in ring)


def test_no_post_is_in_a_buttons_way(parts: dict[str, Any]) -> None:
    rim = max(draw_panel.BUTTON_DIAMETERS_MM) / 2 + 2
    for x, y in draw_panel.BUTTON_POSITIONS.values():
        for angle in np.arange(8) * np.pi / 4 + 0.1:
            px, py = x + rim * np.cos(angle), y + rim * np.sin(angle)
            half = parts["case-left" if px < draw_panel.WIDTH_MM / 2 else "case-right"]
            assert not is_solid(half, px, py, 40)
