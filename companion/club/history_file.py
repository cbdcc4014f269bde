"""Results of a table without a network: the list that `companion history --json` prints there."""

import json
from pathlib import Path
from typing import Any

from companion.club.messages import BadMessage, TableResult, parse_result
from companion.file_reader import read_text

MAX_FILE_BYTES = 64_000_000
"""Largest file that is read: about a hundred thousand games."""


def read_history_file(path: Path, table: str) -> tuple[TableResult, ...]:
    """Return the finished games of a file.

    Args:
        path: the file: one JSON array of games as `companion.journal.game_summary.summarise_game` returns them.
        table: id of the table that they were played at.

    Raises:
        BadMessage: the file cannot be read, is no such list, or one of its games is damaged.
    """
    try:
        games = json.loads(read_text(path, MAX_FILE_BYTES))
    except OSError as error:
        raise BadMessage(f'"{path}" cannot be read: {error.strerror}') from error
    except (ValueError, RecursionError) as error:
        raise BadMessage(f'"{path}" is no list that `companion history --json` printed') from error
    if not isinstance(games, list) or not all(isinstance(game, dict) for game in games):
        raise BadMessage(f'"{path}" is no list that `companion history --json` printed')
    results = []
    for number, game in enumerate(games, 1):
        if not game.get("over"):
            continue  # not finished, or not readable there either
        try:
            results.append(parse_result(json.dumps(_convert(game, table)).encode()))
        except (KeyError, TypeError, ValueError) as error:
            raise BadMessage(f'"{path}", game {number}: {error}') from error
    return tuple(results)


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
