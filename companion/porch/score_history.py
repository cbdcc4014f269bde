"""How the scores of the game in play came about, and what was played this evening."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from companion.evening import get_evening
from companion.porch.messages import StateLine

MAX_POINTS = 200
"""Points of the chart at most; of more the oldest are forgotten."""
MAX_GAMES = 6
"""Games of the evening that are shown, the latest ones."""


class ScoreHistory:
    """The scores of the game in play: one point for each round, or for each change in a game without rounds.

    >>> history = ScoreHistory()
    >>> history.note_scores("pig", ["Ada", "Ben"], 1, [3, 0])
    >>> history.note_scores("pig", ["Ada", "Ben"], 1, [3, 4])
    >>> history.points
    ((1, (3, 4)),)
    """

    def __init__(self) -> None:
        self.points: tuple[tuple[int, tuple[int, ...]], ...] = ()
        """Number of the round or of the change, from 1, and the scores by seat after it."""
        self._players: tuple[str, ...] = ()

    def note_state(self, state: StateLine) -> None:
        """Note the scores of a state; between games there are none."""
        scores = [player.score for player in state.players if player.score is not None]
        is_complete = state.is_game and len(scores) == len(state.players)
        names = [player.name for player in state.players]
        self.note_scores(state.game, names, state.round, scores if is_complete else ())

    def note_scores(self, game: str, names: Sequence[str], number: int | None, scores: Sequence[int]) -> None:
        """Note scores; a correction changes the round that it belongs to, other players begin again.

        Args:
            game: name of the game.
            names: players' names by seat.
            number: of the round, from 1; None: the game has no rounds.
            scores: by seat; empty: there are none.
        """
        if (players := (game, *names)) != self._players or not scores:
            self._players, self.points = players, ()
        if not scores:
            return
        if number is None:
            if self.points and self.points[-1][1] == tuple(scores):
                return
            number = self.points[-1][0] + 1 if self.points else 1
        earlier = [point for point in self.points if point[0] < number]
        self.points = (*earlier, (number, tuple(scores)))[-MAX_POINTS:]


def list_evening(results: Iterable[dict[str, Any]], now: datetime) -> list[dict[str, Any]]:
    """Return the finished games of the evening, the latest first: title, and name, score and victory by place.

    >>> list_evening([{"finished": False, "ended": "2026-11-23T19:48:40Z"}], datetime(2026, 11, 23, 20, 0, tzinfo=UTC))
    []

    Args:
        results: as the table publishes them (docs/porch.md).
        now: the present local time, with its time zone.
    """
    games = []
    for result in results:
        try:
            ended = datetime.strptime(result["ended"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
            is_today = ended <= now and get_evening(ended.astimezone(now.tzinfo)) == get_evening(now)
            if result["finished"] and is_today:
                placed = sorted(result["players"], key=lambda player: player["place"])
                players = [{key: each[key] for key in ("name", "score", "won")} for each in placed]
                games.append((ended, {"title": result["name"] or result["title"], "players": players}))
        except (KeyError, TypeError, ValueError):
            continue  # of a table with another version
    return [game for _ended, game in sorted(games, key=lambda each: each[0], reverse=True)[:MAX_GAMES]]
