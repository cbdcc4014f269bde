"""The documents of the repository, and what stands in them."""

from __future__ import annotations

import re
from pathlib import Path

from tests.conftest import REPOSITORY

PAGES = sorted(
    page
    for pattern in ("*.md", "docs/**/*.md", "firmware_notes/**/*.md", "tests/**/*.md", "tools/**/*.md")
    for page in REPOSITORY.glob(pattern)
    if "node_modules" not in page.parts  # installed by the firmware's tests
)
CODE = re.compile(r"`([^`\n]+)`")
_BLOCK = re.compile(r"^ *(```|~~~)(\w*)\n(.*?)^ *\1$", re.MULTILINE | re.DOTALL)


def format_path(page: Path) -> str:
    """Return the path of a page in the repository."""
    return str(page.relative_to(REPOSITORY))


def list_blocks(page: Path, *languages: str) -> list[str]:
    """Return the blocks of a page that are marked with one of these languages; "" is none."""
    return [block for _, language, block in _BLOCK.findall(page.read_text("utf-8")) if language in languages]


def remove_blocks(text: str) -> str:
    """Return a text without its blocks."""
    return _BLOCK.sub("", text)


def join_lines(page: Path) -> str:
    """Return the text of a page in one line, as sentences go on in the next line."""
    return " ".join(page.read_text("utf-8").split())
