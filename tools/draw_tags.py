"""Draw the sheets with the lid's four ArUco tags, exact in millimetres, which `companion print-tags` writes.

python tools/draw_tags.py [FOLDER]
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

FOLDER = Path(__file__).parent.parent / "companion" / "commands"
PAPER_SIZES_MM = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height of the papers."""

TAG_PLACES = ("left of the arrow", "right of the arrow", "far corner, right", "far corner, left")
"""Where tags 0 to 3 go: clockwise from the arrow's left, seen with the arrow away from you."""

CELLS_PER_SIDE = 6
"""Side of a tag of DICT_4X4_50 in cells: 4 and a black border of one."""

_POINTS_PER_MM = 72 / 25.4
"""PDF points in a millimetre."""
TAG_MM = 15.0
"""Side of a tag's black square. Below 8 the camera cannot read it; four above 50 do not fit on the page."""
_RULER_MM = 100
"""Length of the ruler at the foot of the page."""
_QUIET_ZONE_CELLS = 1.5
"""White around a tag up to the cutting line, in cells of the tag: without it a tag is not found on a dark lid."""
_MIN_COLUMN_STEP_MM = 55.0
"""Least distance between the columns of tags, so that the text below a tag fits."""


@dataclass(frozen=True, slots=True)
class SheetRect:
    """A rectangle on the page: its left edge `x`, top edge `y` and size, in mm from the page's top left corner."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class TextLine:
    """Text that starts at `x` on the base line `y` with a font of height `size`, in mm from the top left corner."""

    x: float
    y: float
    size: float
    text: str


@dataclass(frozen=True, slots=True)
class TagSheet:
    """The content of the printed page, which is `width` by `height` millimetres."""

    width: float
    height: float
    rects: tuple[SheetRect, ...]
    """Filled with black."""
    cut_lines: tuple[SheetRect, ...]
    """Outlined in grey."""
    texts: tuple[TextLine, ...]


def lay_out_sheet(paper: str = "a4", size: float = TAG_MM) -> TagSheet:
    """Return the sheet with tags 0 to 3 of OpenCV's ArUco dictionary DICT_4X4_50, a ruler of 100 mm and instructions.

    Args:
        paper: "a4" or "letter", a key of PAPER_SIZES_MM.
        size: side of a tag's black square, 8 to 50 mm.

    Raises:
        KeyError: there is no such paper.
    """
    width, height = PAPER_SIZES_MM[paper]
    rects: list[SheetRect] = []
    cut_lines: list[SheetRect] = []
    quiet = _QUIET_ZONE_CELLS * size / CELLS_PER_SIDE
    texts = [
        TextLine(20, 24, 5.5, "Tags for the Macroscope's lid"),
        TextLine(20, 33, 3.2, 'Print at 100 % ("actual size"), on white matt paper. Check with the ruler at the foot.'),
        TextLine(20, 38.5, 3.2, "Cut along the grey lines: the white around each tag belongs to it."),
        TextLine(
            20, 44, 3.2, "Glue them flat to the lid's four corners, clockwise from the left of the arrow: 0, 1, 2, 3,"
        ),
        TextLine(20, 49.5, 3.2, "beside the windows or on tabs that stick out; they must turn with the lid."),
    ]
    step = max(size + 2 * quiet + 14, _MIN_COLUMN_STEP_MM)
    left, top = (width - step - size) / 2, 62.0
    for tag, place in enumerate(TAG_PLACES):
        x = left + (step if tag in (1, 2) else 0)
        y = top + (0 if tag < 2 else size + 2 * quiet + 14) + quiet
        rects += _lay_out_tag(tag, x, y, size)
        cut_lines.append(SheetRect(x - quiet, y - quiet, size + 2 * quiet, size + 2 * quiet))
        texts.append(TextLine(x - quiet, y + size + quiet + 4.5, 2.8, f"{tag}: {place}"))
    left, foot = (width - _RULER_MM) / 2, height - 24
    rects.append(SheetRect(left, foot, _RULER_MM, 0.3))
    for mm in range(0, _RULER_MM + 1, 5):
        length = 5 if mm % 10 == 0 else 3
        rects.append(SheetRect(left + mm - 0.1, foot - length, 0.2, length))
    texts.append(TextLine(left, foot + 5.5, 3.2, f"This line is {_RULER_MM} mm long. If not, the print was scaled."))
    return TagSheet(width, height, tuple(rects), tuple(cut_lines), tuple(texts))


def _lay_out_tag(tag: int, x: float, y: float, size: float) -> list[SheetRect]:
    """Return the tag's black cells; neighbours in a row are one rectangle, so that no hairline shows between them."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    cells = np.asarray(cv2.aruco.generateImageMarker(dictionary, tag, CELLS_PER_SIDE)) == 0
    cell = size / CELLS_PER_SIDE
    rects = []
    for row in range(CELLS_PER_SIDE):
        edges = np.flatnonzero(np.diff(np.concatenate([[False], cells[row], [False]]).astype(np.int8)))
        for start, end in edges.reshape(-1, 2).tolist():
            rects.append(SheetRect(x + start * cell, y + row * cell, (end - start) * cell, cell))
    return rects


def render_pdf(sheet: TagSheet) -> bytes:
    """Return the sheet as a PDF file: one page of exactly its size (ISO 32000-1: one stream, one standard font).

    Raises:
        UnicodeEncodeError: a text has a character outside Latin-1.
    """

    def to_points(*mm: float) -> str:
        return " ".join(f"{value * _POINTS_PER_MM:.4f}" for value in mm)

    def path(rect: SheetRect) -> str:
        return f"{to_points(rect.x, sheet.height - rect.y - rect.height, rect.width, rect.height)} re"

    operators = ["0 g", *(f"{path(rect)} f" for rect in sheet.rects)]
    operators += ["0.6 G 0.4 w", *(f"{path(rect)} S" for rect in sheet.cut_lines)]
    for line in sheet.texts:
        text = re.sub(r"([\\()])", r"\\\1", line.text)
        operators.append(
            f"BT /F {to_points(line.size)} Tf {to_points(line.x, sheet.height - line.y)} Td ({text}) Tj ET"
        )
    content = "\n".join(operators).encode("latin-1")
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {to_points(sheet.width, sheet.height)}] /Contents 4 0 R "
        "/Resources << /Font << /F 5 0 R >> >> >>".encode(),
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    out = bytearray(b"%PDF-1.6\n")
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    table += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    trailer = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(out))
    return bytes(out) + table + trailer


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    for paper in PAPER_SIZES_MM:
        (folder / f"tags-{paper}.pdf").write_bytes(render_pdf(lay_out_sheet(paper)))
