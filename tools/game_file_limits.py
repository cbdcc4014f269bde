"""Write the table of the limits of games' files into docs/game-files.md, from the code.

python tools/game_file_limits.py
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel

from companion.games.game_file.expressions import MAX_DEPTH, MAX_DIGITS, MAX_LENGTH
from companion.games.game_file.model import GameFile
from companion.games.game_file.reader import MAX_FILE_BYTES, REFUSED_KEYS

PAGE = Path(__file__).parents[1] / "docs" / "game-files.md"
TABLE = re.compile(r"(?<=\| where \| limits \|\n\|---\|---\|\n)(?:\|.*\n)+")
"""The rows of the table, in the page."""


def list_sections(part: type[BaseModel], path: str = "") -> Iterator[tuple[str, type[BaseModel]]]:
    """Yield the sections of a file, as they are written, with their models: the head first."""
    yield path or "the head", part
    for key, info in part.model_fields.items():
        for inner in _list_types(info.annotation):
            if isinstance(inner, type) and issubclass(inner, BaseModel):
                name = f"{path.strip('[]')}.{key}".strip(".")
                yield from list_sections(inner, f"[[{name}]]" if "tuple" in str(info.annotation) else f"[{name}]")


def _list_types(annotation: Any) -> Iterator[Any]:
    yield annotation
    for each in get_args(annotation):
        yield from _list_types(each)


def list_limits(part: type[BaseModel], section: str) -> list[str]:
    """Return the limits of a section's keys; the length of expressions is the same for all and stands elsewhere."""
    limits = []
    for key, info in part.model_fields.items():
        if f"{section.strip('[]')}.{key}" in REFUSED_KEYS:
            continue
        found = {name: getattr(each, name) for each in info.metadata for name in _LIMITS if hasattr(each, name)}
        most, letters = found.get("max_length"), _find_line_length(info.annotation)
        if "le" in found:
            low, high = found.get("ge", 0), found["le"]
            limits.append(f"`{key}` {f'±{high}' if low == -high else f'{low} to {high}'}")
        elif most is not None and most != MAX_LENGTH:
            is_text = isinstance(info.annotation, type) and issubclass(info.annotation, str)
            limits.append(f"`{key}` {most}{' letters' if is_text else ''}{f' of {letters} letters' if letters else ''}")
    return limits


_LIMITS = ("max_length", "ge", "le")


def _find_line_length(annotation: Any) -> int | None:
    """Return the most letters of the texts in a list of texts; None: it has no such limit."""
    types = _list_types(annotation)
    return next((each.max_length for each in types if type(each).__name__ == "StringConstraints"), None)


def format_rows() -> str:
    """Return the rows of the table."""
    rows: dict[str, list[str]] = {}
    for section, part in list_sections(GameFile):
        if limits := list_limits(part, section):
            rows.setdefault(", ".join(limits), []).append(section if section == "the head" else f"`{section}`")
    rows[f"{MAX_FILE_BYTES} bytes"] = ["the file"]
    rows[f"{MAX_LENGTH} characters, {MAX_DEPTH} brackets within brackets, numbers of {MAX_DIGITS} digits"] = [
        "an expression"
    ]
    return "".join(f"| {', '.join(sections)} | {limits} |\n" for limits, sections in rows.items())


def main() -> None:
    """Write the table.

    Raises:
        OSError: the page cannot be read or written.
    """
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(TABLE.sub(lambda _found: format_rows(), page), encoding="utf-8")


if __name__ == "__main__":
    main()
