"""Write the tables of docs/game-files.md from the code: names in expressions, and limits with words and defaults.

python tools/game_file_tables.py
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel

from companion.games.game_file.expressions import MAX_DEPTH, MAX_DIGITS, MAX_LENGTH
from companion.games.game_file.model import GameFile
from companion.games.game_file.points.formulas import list_names
from companion.games.game_file.points_model import PointsModel
from companion.games.game_file.reader import MAX_FILE_BYTES, REFUSED_KEYS

PAGE = Path(__file__).parents[1] / "docs" / "game-files.md"
LIMITS_TABLE = re.compile(r"(?<=\| where \| limits \|\n\|---\|---\|\n)(?:\|.*\n)+")
"""The rows of the table of limits, in the page."""
NAMES_TABLE = re.compile(r"(?<=\| in \| names \|\n\|---\|---\|\n)(?:\|.*\n)+")
"""The rows of the table of names."""
_GAME = PointsModel.model_validate(
    {
        "rounds": 1,
        "entries": [{"id": "bid", "name": "Bid"}, {"id": "won", "name": "Won"}],
        "kept": [{"id": "bags", "name": "Bags", "next": "0"}],
        "flags": [{"id": "dealer", "name": "Dealer"}],
    }
)
"""A game that has something of each kind that has names."""
_IDS = ("bid", "won", "bags", "dealer")
_KINDS: dict[str, Set[str]] = {
    "entries": {"bid", "won"},
    "entries before it": {"bid"},
    "kept": {"bags"},
    "flags": {"dealer"},
    "`all_ID`": {f"all_{name}" for name in _IDS},
    "`others_ID`": {f"others_{name}" for name in _IDS},
    "`team_ID`": {"team_bid", "team_won"},
    "`score`": {"score"},
    "`points`": {"points"},
    "`best`": {"best"},
    "": {"round", "players"},  # everywhere
}
"""By what the table calls them, names of that game."""


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


def format_names_rows() -> str:
    """Return the rows of the table of names.

    Raises:
        ValueError: a place has a name that no kind of `_KINDS` has.
    """
    rows: dict[str, list[str]] = {}
    names = list_names(_GAME)
    for key in [key for key in names if not key.endswith(" bid")]:
        place, left, kinds = key.partition(" ")[0], set(names[key]), list[str]()
        has_more = names["score"] < left
        if has_more:
            left -= names["score"]
        for kind, own in _KINDS.items():
            if own <= left:
                left -= own
                kinds.append(kind)
        if has_more:
            kinds.append("and those of `score`")
        if left:
            raise ValueError(f"{key}: {', '.join(sorted(left))} are of no kind")
        rows.setdefault(", ".join(filter(None, kinds)), []).append(f"`{'checks' if place == 'check' else place}`")
    return "".join(f"| {', '.join(places)} | {kinds} |\n" for kinds, places in rows.items())


def list_limits(part: type[BaseModel], section: str) -> list[str]:
    """Return the limits and words of a section's keys, with defaults.

    The length of expressions is the same for all and stands elsewhere.
    """
    limits: dict[str, list[str]] = {}
    for key, info in part.model_fields.items():
        if f"{section.strip('[]')}.{key}" in REFUSED_KEYS:
            continue
        found = {name: getattr(each, name) for each in info.metadata for name in _LIMITS if hasattr(each, name)}
        most, letters = found.get("max_length"), _find_line_length(info.annotation)
        if "le" in found:
            low, high = found.get("ge", 0), found["le"]
            default = f" ({info.default})" if not info.is_required() and info.default else ""
            limit = f"{f'±{high}' if low == -high else f'{low}–{high}'}{default}"
        elif get_origin(info.annotation) is Literal and isinstance(info.default, str):
            words = dict.fromkeys((info.default, *get_args(info.annotation)))  # the default first
            limit = "/".join(f'"{word}"' for word in words)
        elif most is not None and most != MAX_LENGTH:
            is_text = isinstance(info.annotation, type) and issubclass(info.annotation, str)
            limit = f"{most}{' letters' if is_text else ''}{f' of {letters} letters' if letters else ''}"
        else:
            continue
        limits.setdefault(limit, []).append(f"`{key}`")
    return [f"{'/'.join(keys)} {limit}" for limit, keys in limits.items()]


_LIMITS = ("max_length", "ge", "le")


def _find_line_length(annotation: Any) -> int | None:
    """Return the most letters of the texts in a list of texts; None: it has no such limit."""
    types = _list_types(annotation)
    return next((each.max_length for each in types if type(each).__name__ == "StringConstraints"), None)


def format_limits_rows() -> str:
    """Return the rows of the table of limits."""
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
    """Write the tables.

    Raises:
        OSError: the page cannot be read or written.
    """
    page = PAGE.read_text(encoding="utf-8")
    page = LIMITS_TABLE.sub(lambda _found: format_limits_rows(), page)
    PAGE.write_text(NAMES_TABLE.sub(lambda _found: format_names_rows(), page), encoding="utf-8")


if __name__ == "__main__":
    main()
