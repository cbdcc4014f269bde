"""Past games as CSV, for spreadsheets: at the terminal and on USB sticks."""

import csv
from collections.abc import Sequence
from typing import IO, Any

UID_COLUMN = "uid"
CSV_COLUMNS = (
    *("sitting", "begun", "game", "title", "player", "seat", "score", "won", "over", "place", "rounds", "minutes"),
    UID_COLUMN,
)
ENGLISH_SEPARATOR = ","
"""What a spreadsheet in English expects between two cells."""
OTHER_SEPARATOR = ";"
"""The same in other languages: most write numbers with a comma."""
FORMULA_SIGNS = frozenset("=+-@\uff1d\uff0b\uff0d\uff20")
"""Signs, also of full width, at which a spreadsheet begins to calculate."""


def write_csv(games: Sequence[dict[str, Any]], file: IO[str], separator: str = ",") -> None:
    """Write games as CSV: a line of CSV_COLUMNS, then one line per player of each game. Unreadable games are left out.

    `sitting` is the game's number, `begun` is empty where the machine did not know the date, `title` the name that
    people gave to it, else the game's own; `seat` counts from 1, `won` and `over` are 0 or 1, `place` is empty in a
    game that is not over, and `rounds` are the player's points by round, separated by spaces; `minutes` is the time
    that was played, without long pauses; `uid` is the game's id in the journals of all boxes. A name that a spreadsheet
    would take for a formula gets a leading quote.

    Args:
        games: JSON objects of `game_summary.summarise_game`; one without the key `players` counts as unreadable.
        file: open for writing text; it is not closed.
        separator: stands between two cells.

    Raises:
        OSError: the file cannot be written.
    """
    out = csv.writer(file, delimiter=separator, lineterminator="\n")
    out.writerow(CSV_COLUMNS)
    for game in games:
        for seat, player in enumerate(game.get("players", ())):
            out.writerow(
                [
                    game["id"],
                    game["begun"] if game["date_known"] else "",
                    game["game"],
                    escape_formula(game["title"]),
                    escape_formula(player),
                    seat + 1,
                    game["scores"][seat],
                    int(seat in game["winners"]),
                    int(game["over"]),
                    game["places"][seat] if game["over"] else "",
                    " ".join(str(points[seat]) for points in game["rounds"]),
                    round(game["duration_s"] / 60),
                    game["uid"],
                ]
            )


def escape_formula(text: str) -> str:
    """Quote a name that a spreadsheet would take for a formula (OWASP, "CSV Injection")."""
    return f"'{text}" if text.lstrip()[:1] in FORMULA_SIGNS else text
