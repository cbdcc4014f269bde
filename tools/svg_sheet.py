"""A sheet of an SVG drawing: lines, boxes, dots and texts, written as text that two runs make alike."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

Colour = str
"""A colour of SVG, such as "#1c2026"; "none": not filled or without an edge."""
PAPER, INK, MUTED = "#ffffff", "#1c2026", "#6e747e"
FONT_FAMILY = "Roboto, Arial, Helvetica, sans-serif"


def format_number(value: float) -> str:
    """Return a coordinate with at most three decimals, without trailing zeros.

    >>> format_number(12.50), format_number(3)
    ('12.5', '3')
    """
    return f"{value:.3f}".rstrip("0").rstrip(".")


class SvgSheet:
    """A sheet to draw on.

    Args:
        width: of the sheet, in the drawing's unit.
        height: of the sheet, in the drawing's unit.
        title: what the drawing shows, for those who cannot see it.
        unit: "mm" if the drawing's unit is a millimetre, so that it is printed 1:1; "" for pixels.
    """

    def __init__(self, width: float, height: float, title: str, unit: str = "") -> None:
        self._size = (width, height)
        self._unit = unit
        self._title = title
        self._parts: list[str] = []

    @contextmanager
    def group(self, **data: str) -> Iterator[None]:
        """Put all that is drawn in the block into one group with `data-` attributes, by which tests find it."""
        attributes = "".join(f" data-{name}={quoteattr(value)}" for name, value in data.items())
        self._parts.append(f"<g{attributes}>")
        yield
        self._parts.append("</g>")

    def draw_text(
        self,
        x: float,
        y: float,
        text: str,
        size: float = 22,
        colour: Colour = INK,
        bold: bool = False,
        at: str = "left",
    ) -> None:
        """Draw a text; `at` says which end of it is at x ("left", "right" or "middle"), y is its middle."""
        anchor = {"left": "start", "right": "end", "middle": "middle"}[at]
        weight = ' font-weight="700"' if bold else ""
        self._parts.append(
            f'<text x="{format_number(x)}" y="{format_number(y + size * 0.36)}" font-size="{format_number(size)}"'
            f'{weight} text-anchor="{anchor}" fill="{colour}">{escape(text)}</text>'
        )

    def draw_line(self, *points: tuple[float, float], colour: Colour = INK, width: float = 3) -> None:
        """Draw straight lines from point to point."""
        path = " ".join(f"{format_number(x)},{format_number(y)}" for x, y in points)
        self._parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{format_number(width)}"'
            ' stroke-linejoin="round"/>'
        )

    def draw_polygon(self, *points: tuple[float, float], fill: Colour) -> None:
        """Draw a filled polygon without an edge."""
        path = " ".join(f"{format_number(x)},{format_number(y)}" for x, y in points)
        self._parts.append(f'<polygon points="{path}" fill="{fill}"/>')

    def draw_box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        fill: Colour = "none",
        edge: Colour = INK,
        radius: float = 8,
        line: float = 3,
    ) -> None:
        """Draw a rectangle with round corners; (x, y) is its upper left corner."""
        self._parts.append(
            f'<rect x="{format_number(x)}" y="{format_number(y)}" width="{format_number(width)}"'
            f' height="{format_number(height)}" rx="{format_number(radius)}" fill="{fill}" stroke="{edge}"'
            f' stroke-width="{format_number(line)}"/>'
        )

    def draw_dot(self, x: float, y: float, radius: float, fill: Colour, edge: Colour = "none", line: float = 2) -> None:
        """Draw a circle."""
        self._parts.append(
            f'<circle cx="{format_number(x)}" cy="{format_number(y)}" r="{format_number(radius)}" fill="{fill}"'
            f' stroke="{edge}" stroke-width="{format_number(line)}"/>'
        )

    def format_svg(self) -> str:
        """Return the drawing as an SVG document."""
        width, height = (format_number(each) for each in self._size)
        # Browsers print it on a page of its own size; without this they cut it off at the margins of an upright page.
        page = f"<style>@page {{ size: {width}mm {height}mm; margin: 0 }}</style>" if self._unit == "mm" else ""
        return "\n".join(
            (
                f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}{self._unit}" height="{height}{self._unit}"'
                f' viewBox="0 0 {width} {height}" font-family="{FONT_FAMILY}" font-weight="500">',
                f"<title>{escape(self._title)}</title>{page}",
                f'<rect width="{width}" height="{height}" fill="{PAPER}"/>',
                *self._parts,
                "</svg>",
                "",
            )
        )

    def save(self, file: Path) -> None:
        """Write the drawing into an SVG file."""
        file.write_text(self.format_svg(), encoding="utf-8")
