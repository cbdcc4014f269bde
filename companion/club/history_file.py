"""Results of a table without a network: the list that `companion history --json` prints there."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.club.messages import BadMessage, TableResult, parse_result
from companion.file_reader import read_text

MAX_FILE_BYTES = 64_000_000
"""Largest file that is read: about a hundred thousand games."""


@dataclass(frozen=True, slots=True)
class HistoryFile:
    """What a file holds."""

    results: tuple[TableResult, ...]
    """Its finished games."""
    faults: tuple[str, ...]
    """Why each game that cannot be read was left out, with its number in the file."""


def read_history_file(path: Path, table: str) -> HistoryFile:
    """Return the finished games of a file; one that cannot be read costs itself only.

    Args:
        path: the file: one JSON array of games as `companion.journal.game_summary.summarise_game` returns them.
        table: id of the table that they were played at.

    Raises:
        BadMessage: the file cannot be read, is no such list, or none of its finished games can be read.
    """
    try:
        games = json.loads(read_text(path, MAX_FILE_BYTES))
    except OSError as error:
        raise BadMessage(f'"{path}" cannot be read: {error.strerror}') from error
    except (ValueError, RecursionError) as error:
        raise BadMessage(f'"{path}" is no list that `companion history --json` printed') from error
    if not isinstance(games, list):
        raise BadMessage(f'"{path}" is no list that `companion history --json` printed')
    results, faults = [], []
    for number, game in enumerate(games, 1):
        try:
            if not game.get("over"):
                continue  # not finished, or not readable there either
            results.append(parse_result(json.dumps(_convert(game, table)).encode()))
        except KeyError as error:
            faults.append(f'"{path}", game {number}: {error.args[0]} is missing')
        except BadMessage as error:
            faults.append(f'"{path}", game {number}: {error}')
        except (AttributeError, TypeError, ValueError, RecursionError):  # lists of different lengths: ValueError
            faults.append(f'"{path}", game {number}: it is no game as `companion history --json` prints it')
    if faults and not results:
        raise BadMessage(faults[0])
    return HistoryFile(tuple(results), tuple(faults))


def _convert(game: dict[str, Any], table: str) -> dict[str, Any]:
    """Return a game of the list as a result of a table."""
    return {
        "version": 1,
        "table": table,
        "sitting": game["uid"],
        "revision": game["moves"],
        "finished": True,
        "game": game["game"],
        "title": game["title"],
        "started": game["begun"],
        "ended": game["ended"],
        "duration_s": game["duration_s"],
        "lowest_wins": game["lowest_wins"],
        "players": [
            {"name": name, "seat": seat, "score": score, "won": seat in game["winners"], "place": place}
            for seat, (name, score, place) in enumerate(
                zip(game["players"], game["scores"], game["places"], strict=True)
            )
        ],
    }
