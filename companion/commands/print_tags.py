"""`companion print-tags`: the sheet with the lid's four ArUco tags, exact in millimetres."""

from __future__ import annotations

import struct
import sys
import zlib
from argparse import ArgumentParser, Namespace, _SubParsersAction
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

PAPER_SIZES_MM = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height in millimetres."""

TAG_PLACES = ("left of the arrow", "right of the arrow", "far corner, right", "far corner, left")
"""Where tags 0 to 3 go: clockwise from the arrow's left, seen with the arrow away from you."""

CELLS_PER_SIDE = 6
"""A tag of DICT_4X4_50 has 4 x 4 cells and a black border of one."""

PNG_DOTS_PER_INCH = 600
_POINTS_PER_MM = 72 / 25.4
"""PDF points in a millimetre."""

_MIN_TAG_MM, _MAX_TAG_MM = 8.0, 50.0

_RULER_MM = 100
"""Millimetres."""

_QUIET_ZONE_CELLS = 1.5
"""White around a tag, in its cells, up to the cutting line: without it the tag is not found on a dark lid."""

_MIN_COLUMN_STEP_MM = 55.0
"""Millimetres from the one column of tags to the next, at least: the words below them need that."""


@dataclass(frozen=True, slots=True)
class FilledRect:
    """A filled rectangle, millimetres from the page's top left corner."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class CutLine:
    """A thin grey line, millimetres from the page's top left corner."""

    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class TextLine:
    """Words that start at x on the base line y; `size` is the font's. All in millimetres."""

    x: float
    y: float
    size: float
    text: str


@dataclass(frozen=True, slots=True)
class TagSheet:
    """What is on the page."""

    width: float
    height: float
    rects: tuple[FilledRect, ...]
    lines: tuple[CutLine, ...]
    texts: tuple[TextLine, ...]


def add_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    """Add the command to the program's."""
    parser = subparsers.add_parser(
        "print-tags",
        help="make the sheet with the four tags for the Macroscope's lid",
        description=(
            "Make the sheet with the four ArUco tags that may be put at the corners of the Macroscope's lid: with them "
            "it is found where its own arrow and shape do not tell which way round it lies. The companion uses them "
            "when it sees them, also on a lid that it already knows. Print at 100 %% and check the ruler."
        ),
    )
    parser.add_argument("path", metavar="FILE", type=Path, help="what to write: tags.pdf or tags.png")
    parser.add_argument(
        "--size", metavar="MM", type=float, default=15.0, help="side of a tag's black square in mm (default: 15)"
    )
    parser.add_argument("--paper", choices=sorted(PAPER_SIZES_MM), default="a4", help="the paper's size (default: a4)")
    parser.set_defaults(run=run)


def run(args: Namespace) -> int:
    """Do what the command line says; 1 if the file cannot be written, 2 if it was asked for wrongly."""
    writers = {".pdf": render_pdf, ".png": render_png}
    write = writers.get(args.path.suffix.lower())
    if write is None:
        print(f"{args.path}: the name must end in .pdf or .png", file=sys.stderr)
        return 2
    if not _MIN_TAG_MM <= args.size <= _MAX_TAG_MM:
        print(f"--size: {_MIN_TAG_MM:g} to {_MAX_TAG_MM:g} mm are possible, not {args.size:g}", file=sys.stderr)
        return 2
    try:
        args.path.write_bytes(write(lay_out_sheet(args.size, args.paper)))
    except OSError as error:
        print(f"{args.path}: {error.strerror}", file=sys.stderr)
        return 1
    print(f"{args.path}: four tags of {args.size:g} mm. Print it at 100 % and check the ruler on the sheet.")
    return 0


def lay_out_sheet(size: float, paper: str = "a4") -> TagSheet:
    """The sheet with tags of `size` mm on `paper`. Raises KeyError for a paper that is not known."""
    width, height = PAPER_SIZES_MM[paper]
    boxes: list[FilledRect] = []
    lines: list[CutLine] = []
    quiet = _QUIET_ZONE_CELLS * size / CELLS_PER_SIDE
    words = [
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
        boxes += _lay_out_tag(tag, x, y, size)
        x0, y0, x1, y1 = x - quiet, y - quiet, x + size + quiet, y + size + quiet
        lines += [CutLine(x0, y0, x1, y0), CutLine(x1, y0, x1, y1), CutLine(x1, y1, x0, y1), CutLine(x0, y1, x0, y0)]
        words.append(TextLine(x0, y1 + 4.5, 2.8, f"{tag}: {place}"))
    left, foot = (width - _RULER_MM) / 2, height - 24
    boxes.append(FilledRect(left, foot, _RULER_MM, 0.3))
    for mm in range(0, _RULER_MM + 1, 5):
        boxes.append(FilledRect(left + mm - 0.1, foot - (5 if mm % 10 == 0 else 3), 0.2, 5 if mm % 10 == 0 else 3))
    words.append(TextLine(left, foot + 5.5, 3.2, f"This line is {_RULER_MM} mm long. If not, the print was scaled."))
    return TagSheet(width, height, tuple(boxes), tuple(lines), tuple(words))


def _lay_out_tag(tag: int, x: float, y: float, size: float) -> list[FilledRect]:
    """The tag's black cells: runs of a row as one box, so that no hairline shows between them."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    cells = np.asarray(cv2.aruco.generateImageMarker(dictionary, tag, CELLS_PER_SIDE)) == 0
    cell = size / CELLS_PER_SIDE
    boxes = []
    for row in range(CELLS_PER_SIDE):
        edges = np.flatnonzero(np.diff(np.concatenate([[False], cells[row], [False]]).astype(np.int8)))
        for start, end in edges.reshape(-1, 2).tolist():
            boxes.append(FilledRect(x + start * cell, y + row * cell, (end - start) * cell, cell))
    return boxes


def render_pdf(sheet: TagSheet) -> bytes:
    """The sheet as a PDF page of exactly its size (ISO 32000-1: one page, one content stream, one standard font)."""
    height = sheet.height

    def at(*mm: float) -> str:
        return " ".join(f"{value * _POINTS_PER_MM:.4f}" for value in mm)

    ops = ["0 g"]
    ops += [f"{at(b.x, height - b.y - b.height, b.width, b.height)} re f" for b in sheet.rects]
    ops += ["0.6 G 0.4 w"]
    ops += [f"{at(one.x0, height - one.y0)} m {at(one.x1, height - one.y1)} l S" for one in sheet.lines]
    for one in sheet.texts:
        text = one.text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        ops.append(f"BT /F {at(one.size)} Tf {at(one.x, height - one.y)} Td ({text}) Tj ET")
    content = "\n".join(ops).encode("latin-1")
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {at(sheet.width, height)}] /Contents 4 0 R "
        "/Resources << /Font << /F 5 0 R >> >> >>".encode(),
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    out = bytearray(b"%PDF-1.6\n")
    starts = []
    for number, body in enumerate(objects, 1):
        starts.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % start for start in starts)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, table)
    return bytes(out)


def render_png(sheet: TagSheet) -> bytes:
    """The sheet as a grey PNG of 600 dots an inch, which it says of itself (chunk pHYs)."""

    def dots(mm: float) -> int:
        return round(mm * PNG_DOTS_PER_INCH / 25.4)

    picture = np.full((dots(sheet.height), dots(sheet.width)), 255, np.uint8)
    for one in sheet.lines:
        cv2.line(picture, (dots(one.x0), dots(one.y0)), (dots(one.x1), dots(one.y1)), 150, 3)
    for box in sheet.rects:
        picture[dots(box.y) : dots(box.y + box.height), dots(box.x) : dots(box.x + box.width)] = 0
    for words in sheet.texts:
        scale = cv2.getFontScaleFromHeight(cv2.FONT_HERSHEY_SIMPLEX, dots(0.72 * words.size), 4)
        place = (dots(words.x), dots(words.y))
        cv2.putText(picture, words.text, place, cv2.FONT_HERSHEY_SIMPLEX, scale, 0, 4, cv2.LINE_AA)
    png = bytes(cv2.imencode(".png", picture)[1])
    header = 8 + 25  # the signature and the IHDR chunk
    a_metre = round(PNG_DOTS_PER_INCH / 0.0254)
    body = b"pHYs" + struct.pack(">IIB", a_metre, a_metre, 1)
    return png[:header] + struct.pack(">I", 9) + body + struct.pack(">I", zlib.crc32(body)) + png[header:]
