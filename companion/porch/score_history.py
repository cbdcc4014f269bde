"""How the scores of the game in play came about, and what was played this evening: the porch keeps what it is told."""

from collections.abc import Iterable
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
    >>> history.points
    []
    """

    def __init__(self) -> None:
        self.points: list[tuple[int, tuple[int, ...]]] = []
        """Number of the round or of the change, from 1, and the scores by seat after it."""
        self._players: tuple[str, ...] = ()

    def note_state(self, state: StateLine) -> None:
        """Note the scores of a state; a correction changes the round that it belongs to."""
        if not state.is_game:
            self.points.clear()
            return
        names = (state.game, *(player.name for player in state.players))
        scores = tuple(player.score for player in state.players if player.score is not None)
        if names != self._players or len(scores) < len(state.players):
            self._players = names
            self.points.clear()
        if not scores or len(scores) < len(state.players):
            return
        number = state.round
        if number is None:
            if self.points and self.points[-1][1] == scores:
                return
            number = self.points[-1][0] + 1 if self.points else 1
        while self.points and self.points[-1][0] >= number:
            self.points.pop()
        self.points = [*self.points, (number, scores)][-MAX_POINTS:]


def list_evening(results: Iterable[dict[str, Any]], now: datetime) -> list[dict[str, Any]]:
    """Return the finished games of the evening, the latest first: the title, and each player's name, score and victory.

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
                players = [{key: each[key] for key in ("name", "score", "won")} for each in result["players"]]
                games.append((ended, {"title": result["name"] or result["title"], "players": players}))
        except (KeyError, TypeError, ValueError):
            continue  # of a table with another version
    return [game for _ended, game in sorted(games, key=lambda each: each[0], reverse=True)[:MAX_GAMES]]
