"""Build the STL files of the printed parts from docs/build/*.scad with OpenSCAD.

python tools/build_parts.py [FOLDER]          the folder is build/parts if none is named
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).parent.parent
SOURCES = PROJECT / "docs" / "build"


@dataclass(frozen=True, slots=True)
class PrintedPart:
    """A part that OpenSCAD makes."""

    source: str
    """File in docs/build."""
    part: str
    """Value of the file's variable `part`."""
    size_mm: tuple[float, float, float]
    """Length, width and height as it is printed, which docs/build/panel-and-case.md states."""


PARTS: Mapping[str, PrintedPart] = {
    "case-left": PrintedPart("case.scad", "left", (129.9, 130.0, 80.0)),
    "case-right": PrintedPart("case.scad", "right", (129.9, 130.0, 80.0)),
    "arm-clamp": PrintedPart("arm.scad", "clamp", (61.0, 118.0, 34.0)),
    "arm-elbow": PrintedPart("arm.scad", "elbow", (75.4, 30.4, 75.4)),
    "arm-head": PrintedPart("arm.scad", "head", (89.0, 30.4, 32.0)),
}
"""Each part by the name of its STL file."""


def build_part(name: str, folder: Path, **variables: str) -> Path:
    """Write one part's STL file and return its path.

    Args:
        name: a key of PARTS.
        folder: where the file is written; it is created.
        variables: further variables of the OpenSCAD file, such as `height="90"`; fn: number of sides of a circle.

    Raises:
        FileNotFoundError: there is no openscad.
        subprocess.CalledProcessError: OpenSCAD has refused its file; its messages are printed.
    """
    part = PARTS[name]
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.stl"
    values = {"part": f'"{part.part}"', **variables}
    settings = [f"-D{key if key != 'fn' else '$fn'}={value}" for key, value in values.items()]
    # A warning, such as a layer that the panel's file does not have, would give a part without its holes.
    command = ["openscad", "--hardwarnings", "-q", "-o", str(file), *settings, str(SOURCES / part.source)]
    subprocess.run(command, check=True)
    return file


if __name__ == "__main__":
    if shutil.which("openscad") is None:
        sys.exit("The printed parts need openscad: sudo apt install openscad")
    for each in PARTS:
        print(build_part(each, Path(sys.argv[1]) if len(sys.argv) > 1 else PROJECT / "build" / "parts"))
