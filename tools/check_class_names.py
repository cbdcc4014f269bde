"""Check that a public class name means one thing in the whole project: `python tools/check_class_names.py`.

Lists public class names that are defined more than once in companion, hardware and tools, and exits with 1 if one of
them is not allowed below. Part of `make lint`.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDERS = ("companion", "hardware", "tools")
ALLOWED = {
    "Settings": "house rules, one for each game, and the settings file",
}
"""Names that may be defined more than once, with the reason."""


def find_classes() -> dict[str, list[str]]:
    """Return the places (path:line) of every public class, by name."""
    places: dict[str, list[str]] = defaultdict(list)
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    places[node.name].append(f"{path.relative_to(ROOT)}:{node.lineno}")
    return places


def are_of_different_games(places: list[str]) -> bool:
    """Whether each place is in another game's folder: phases, moves and corrections may be called alike."""
    folders = [str(Path(place.partition(":")[0]).parent) for place in places]
    return all(folder.startswith("companion/games/") for folder in folders) and len(set(folders)) == len(folders)


def main() -> int:
    """Print the names that are defined more than once; return 1 if one of them is not allowed."""
    repeated = {
        name: places
        for name, places in sorted(find_classes().items())
        if len(places) > 1 and not are_of_different_games(places)
    }
    for name, places in repeated.items():
        print(f"{name}: {ALLOWED.get(name, 'NOT ALLOWED, rename all but one')}")
        if name not in ALLOWED:
            print("".join(f"    {place}\n" for place in places), end="")
    return int(any(name not in ALLOWED for name in repeated))


if __name__ == "__main__":
    sys.exit(main())
