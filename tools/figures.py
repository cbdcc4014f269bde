"""Write the tables of figures in README and docs from docs/results.json, between the markers.

    python tools/figures.py            # write what changed
    python tools/figures.py --check    # name the pages that do not agree with the file; status 1

A page holds `<!-- figures: NAME -->` and `<!-- end of figures -->`; the table NAME of docs/figures.toml is written
between them. In its cells `{name}` stands for a figure with its interval, `{name.count}` for "3 of 145",
`{name.percent}` for "2 %" and `{name.value}` for the bare value.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from results import REPOSITORY, Figure, load_results

PAGES = ("README.md", "docs/measurements.md")
TABLES = REPOSITORY / "docs" / "figures.toml"
MARKED = re.compile(r"(<!-- figures: (\w+) -->\n).*?(<!-- end of figures -->)", re.DOTALL)


@dataclass(frozen=True)
class FigureText:
    """A figure as the tables show it.

    >>> text = FigureText({"value": 101, "of": 145, "interval": [61.8, 76.5]})
    >>> str(text), text.count, text.percent
    ('101 of 145 = 70 % (62 to 76)', '101 of 145', '70 %')
    >>> str(FigureText({"value": 0, "of": 147, "interval": [0.0, 2.5]}))
    '0 of 147 (at most 2.5 %)'
    """

    figure: Figure

    @property
    def value(self) -> object:
        """The value alone."""
        return self.figure["value"]

    @property
    def count(self) -> str:
        """Hits and total in words."""
        return f"{self.value} of {self.figure['of']}"

    @property
    def percent(self) -> str:
        """The share, with a decimal below 10 %."""
        return f"{_format_share(100 * self.figure['value'] / self.figure['of'])} %"

    def __str__(self) -> str:
        if "of" not in self.figure:
            return str(self.value) + (
                " ({} to {})".format(*self.figure["interval"]) if "interval" in self.figure else ""
            )
        low, high = map(_format_share, self.figure["interval"])
        if not self.value:
            return f"{self.count} (at most {high} %)"
        if self.value == self.figure["of"]:
            return f"{self.count} (at least {low} %)"
        return f"{self.count} = {self.percent} ({low} to {high})"


def _format_share(share: float) -> str:
    return f"{share:.1f}" if 0 < share < 10 or 98 <= share < 100 else f"{share:.0f}"


def format_table(name: str, figures: Mapping[str, Figure], tables: Path = TABLES) -> str:
    """Return a table of docs/figures.toml as Markdown.

    Raises:
        KeyError: there is no such table, or a cell names a figure that is not in `figures`.
    """
    table = tomllib.loads(tables.read_text(encoding="utf-8"))[name]
    texts = {key: FigureText(figure) for key, figure in figures.items()}
    lines = ["| " + " | ".join(row).format_map(texts) + " |\n" for row in (table["head"], *table["rows"])]
    return "".join([lines[0], "|---" * len(table["head"]) + "|\n", *lines[1:]])


def fill_page(page: str, figures: Mapping[str, Figure]) -> str:
    """Return the text of a page with its tables written again."""
    return MARKED.sub(lambda found: found[1] + format_table(found[2], figures) + found[3], page)


def main() -> int:
    """Write or check the pages; return 1 if `--check` found a page that differs."""
    figures, differ = load_results(), False
    for name in PAGES:
        path = REPOSITORY / name
        page = path.read_text(encoding="utf-8")
        if (filled := fill_page(page, figures)) != page:
            print(f"{name}: its tables differ from docs/results.json")
            differ = True
            if "--check" not in sys.argv:
                path.write_text(filled, encoding="utf-8")
    return int(differ and "--check" in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
