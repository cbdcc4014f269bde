"""Check that a public class name means one thing in the whole project: `python tools/check_class_names.py`.

Lists public class names that are defined more than once in companion, hardware and tools, and exits with 1 if there are
any but those that several games share with one meaning. Part of `make lint`.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDERS = ("companion", "hardware", "tools")
SHARED = {
    "Settings": "house rules, one for each game, and the settings file",
    "ActionKind": "what the camera sees people do at that game's table",
    "CurrentRound": "correction: the number of the round being played",
    "End": "move: people end the game",
    "EndRound": "move: people end the round",
    "NextRound": "move: the next round begins",
    "Phase": "the parts of that game",
    "Presence": "correction: whether a player has left the table",
    "Right": "move: what was said is right",
    "RoundPoints": "correction: what an earlier round brought a player",
    "Throw": "move: dice are thrown",
    "TurnMove": "base of the moves of the player whose turn it is",
    "WhoseTurn": "correction: whose turn it is",
    "Wrong": "move: what was said is wrong",
}
"""Names that games, each for its own class, may share, with the one meaning that they have in all of them."""


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
    """Whether at most one of the places is outside the games, and the others are each in another game's folder."""
    folders = [str(Path(place.partition(":")[0]).parent) for place in places]
    shared = [folder for folder in folders if not folder.startswith("companion/games/")]
    return len(shared) <= 1 and len(set(folders)) == len(folders)


def main() -> int:
    """Print the names that are defined more than once and must not be; return 1 if there are any."""
    found = find_classes()
    wrong = {
        name: places
        for name, places in sorted(found.items())
        if len(places) > 1 and not (name in SHARED and are_of_different_games(places))
    }
    for name, places in wrong.items():
        print(f"{name}: rename all but one")
        print("".join(f"    {place}\n" for place in places), end="")
    unneeded = [name for name in SHARED if len(found.get(name, [])) < 2]
    if unneeded:
        print(f"No longer shared: {', '.join(unneeded)}")
    return int(bool(wrong or unneeded))


if __name__ == "__main__":
    sys.exit(main())
