"""Statistics of past games: points of each round, changes of a score, and records of the players.

Rolled dice: `dice_luck`. Sentences on records and streaks: `highlights`.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

from companion.api import CommonCorrection, Seat
from companion.journal.entry import SeatChange
from companion.journal.replay import Replay
from companion.screen_state import ScoreLine


def compute_rounds(replay: Replay) -> tuple[tuple[int, ...], ...]:
    """Return the points of each round, by seat, including the round in play so far.

    If the game lists its rounds, or has them as correctable, these are returned, with corrections; otherwise a round's
    points are the change of the scores while `GameDefinition.get_round_number` stays the same.

    Returns:
        For each round, in order, the points of each seat, in the order of seats. Empty: nothing was scored yet, or the
        game has no rounds.
    """
    if (own := replay.definition.list_round_points(replay.game)) is not None:
        return tuple(map(tuple, own))
    return _read_recorded_rounds(replay) or _compute_rounds_from_scores(replay)


def _read_recorded_rounds(replay: Replay) -> tuple[tuple[int, ...], ...]:
    found: dict[int, dict[Seat, int]] = defaultdict(dict)
    for entry in replay.game.list_correctables():
        is_round = entry.index and entry.kind in (CommonCorrection.ROUND, CommonCorrection.GAME)
        if is_round and entry.seat is not None:
            found[entry.index[0]][entry.seat] = entry.current_value[0]
    seats = range(len(replay.players))
    return tuple(tuple(found[number].get(Seat(seat), 0) for seat in seats) for number in sorted(found))


def _compute_rounds_from_scores(replay: Replay) -> tuple[tuple[int, ...], ...]:
    number_of = replay.definition.get_round_number
    if not number_of(replay.start):
        return ()  # its total may change its meaning at the end
    games = [replay.start, *(step.after for step in replay.steps)]
    starts = [games[0], *(after for before, after in pairwise(games) if number_of(after) != number_of(before))]
    # Who joins later has the first score from the start: it was not won in a round.
    first = replay.list_first_scores()
    scores = [(*game.totals, *first[game.player_count :]) for game in (*starts, games[-1])]
    rounds = [tuple(now - then for then, now in zip(*pair, strict=True)) for pair in pairwise(scores)]
    return tuple(rounds if any(rounds[-1]) else rounds[:-1])


def list_score_changes(replay: Replay, seat: Seat) -> tuple[ScoreLine, ...]:
    """Return the lines of a player's score sheet: the parts of the score if the game has them, else all its changes.

    Args:
        replay: the game.
        seat: the player's seat, from 0.

    Returns:
        The lines in order, with translated labels. Of changes the first line has the points at the start, if there are
        any; the total of the last line is the score. Empty: the score never changed from 0.

    Raises:
        IndexError: there is no such seat.
        Exception: an error of the game's own code is passed on.
    """
    definition, lines = replay.definition, list[ScoreLine]()
    parts = definition.list_score_parts(replay.game, seat)
    if parts:
        totals = accumulate(points for _text, points in parts)
        return tuple(ScoreLine(1, text, points, total) for (text, points), total in zip(parts, totals, strict=True))
    total = replay.list_first_scores()[seat]
    if total:
        lines.append(ScoreLine(definition.get_round_number(replay.start), "", total, total))
    for step in replay.steps:
        if isinstance(step.played, SeatChange) or seat >= step.before.player_count:
            continue
        score = step.after.totals[seat]
        reason = definition.explain_score(step.before, step.after, seat)
        if score == total and not reason:
            continue
        reason = reason or definition.describe_step(step.before, step.played, step.after, replay.players)
        lines.append(ScoreLine(definition.get_round_number(step.before), reason, score - total, score))
        total = score
    return tuple(lines)


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """One player's results in all finished games of one kind."""

    player: str
    """Name of the player."""
    game_title: str
    """Title of the game, in the language in which it was summarised."""
    played: int
    """Number of finished games, 1 or more."""
    won: int
    """Number of these that the player won, alone or with others."""
    average_score: float
    """Mean points at the end of a game."""
    best_score: int
    """Most points at the end of a game; fewest where these win."""
    best_round: int | None
    """Most points in one round of any of these games, or fewest; None if none of them has rounds."""


def compute_player_records(games: Sequence[Mapping[str, Any]]) -> tuple[PlayerRecord, ...]:
    """Return the records of all players in each kind of game.

    Args:
        games: JSON objects of `companion.journal.game_summary.summarise_game`, with the keys `title`, `over`,
            `players`, `scores`, `rounds` (all by seat), `winners` (seats) and `lowest_wins`. Games that are not over,
            or could not be read (no key `over`), do not count.

    Returns:
        One record per player and game, sorted by the game's title, then most wins, highest average, name.
    """
    results: dict[tuple[str, str], list[tuple[int, bool, list[int]]]] = defaultdict(list)
    bests: dict[str, Callable[..., Any]] = {}
    for game in games:
        if game.get("over"):
            bests[game["title"]] = min if game["lowest_wins"] else max
            for seat, player in enumerate(game["players"]):
                rounds = [points[seat] for points in game["rounds"]]
                results[game["title"], player].append((game["scores"][seat], seat in game["winners"], rounds))
    records = [
        PlayerRecord(
            player,
            title,
            played=len(scores),
            won=sum(won for _, won, _ in found),
            average_score=sum(scores) / len(scores),
            best_score=bests[title](scores),
            best_round=bests[title]((points for _, _, rounds in found for points in rounds), default=None),
        )
        for (title, player), found in results.items()
        for scores in [[score for score, _, _ in found]]
    ]
    return tuple(
        sorted(records, key=lambda record: (record.game_title, -record.won, -record.average_score, record.player))
    )
