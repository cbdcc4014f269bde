"""Links between the pages of the documentation lead to a file and to a heading that exist; tables are whole."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from urllib.parse import unquote

from tests.tooling.pages import CODE, PAGES, remove_blocks

LINK = re.compile(r"\]\(([^)\s]+)\)")


@cache
def list_anchors(page: Path) -> set[str]:
    """Return the anchors that GitHub gives to the headings of a page, and those that stand in it."""
    anchors: set[str] = set()
    text = remove_blocks(page.read_text(encoding="utf-8"))
    for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE):
        slug = re.sub(r"[^\w\- ]", "", LINK.sub("]", heading).lower()).strip().replace(" ", "-")
        anchors.add(slug if slug not in anchors else f"{slug}-1")
    return anchors | set(re.findall(r'<a id="([\w-]+)">', text))


def test_anchors_are_those_of_github(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text('# The Pi\'s own pins\n## `doctor`: what?\n## A\n## A\n<a id="k1"></a>**K1.**\n', encoding="utf-8")
    assert list_anchors(page) == {"the-pis-own-pins", "doctor-what", "a", "a-1", "k1"}


def list_links() -> list[tuple[Path, str]]:
    """Return the links of all pages, each with its page."""
    texts = {page: CODE.sub("", remove_blocks(page.read_text(encoding="utf-8"))) for page in PAGES}
    return [(page, link) for page, text in texts.items() for link in LINK.findall(text)]


def is_lost(page: Path, link: str) -> bool:
    path, _, anchor = unquote(link).partition("#")
    target = page.parent / path if path else page
    return not target.exists() or (bool(anchor) and target.suffix == ".md" and anchor not in list_anchors(target))


def test_outer_links_are_whole_addresses() -> None:
    """Whether they lead anywhere, a machine without a network cannot say."""
    outer = [(page, link) for page, link in list_links() if re.match(r"\w+:", link)]
    assert outer
    assert not [
        (page, link) for page, link in outer if not re.fullmatch(r"https://[\w-]+(\.[\w-]+)+(/[^\s<>]*)?", link)
    ]


def test_links_lead_somewhere() -> None:
    inner = [(page, link) for page, link in list_links() if not re.match(r"\w+:", link)]
    assert inner
    assert not [(page, link) for page, link in inner if is_lost(page, link)]


def test_each_row_stands_in_a_table() -> None:
    for page in PAGES:
        for block in re.split(r"\n\s*\n", remove_blocks(page.read_text("utf-8"))):
            rows = [line.strip() for line in block.splitlines() if line.lstrip().startswith("|")]
            assert not rows or re.fullmatch(r"[|:-]+", "".join(rows[1:2]).replace(" ", "")), f"{page}: {rows[0]}"
