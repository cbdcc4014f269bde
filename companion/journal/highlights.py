"""What a family tells of a game beside its earlier ones: records, rivals, streaks, and who had the evening.

All sentences follow from the summaries of finished games in the order in which they ended. Guests, who have the name of
a seat's shape, are in none: it may have been anybody.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import date, datetime, timedelta
from itertools import permutations, takewhile
from typing import Any

from companion.api.places import is_by_score
from companion.evening import get_evening
from companion.i18n import _, format_day, format_number
from companion.journal.known_players import all_shape_names

MIN_EARLIER_GAMES = 3
"""Earlier games of a kind at least before a result is called somebody's best: two say nothing."""
MIN_DAYS_SINCE = 28
"""Days since a result that was as good, at least, before it is worth a sentence."""
MIN_ROW = 3
"""Games in a row that are worth a sentence."""
MIN_LOSSES_BEFORE_WIN = 4
"""Games without a win before a first one that is worth a sentence."""
MIN_EVENING_GAMES = 3
"""Finished games of an evening before anybody has had the most of it."""

GameSummary = Mapping[str, Any]
"""A finished game, with the keys of `companion.journal.game_summary.summarise_game`."""


class _Streaks:
    """Who has played, won and beaten whom, game after game.

    One pass over all games: the history is long, and the display waits.

    Args:
        games: finished games, in the order in which they ended.
        only: names that matter; None: all.
    """

    def __init__(self, games: Iterable[GameSummary] = (), only: AbstractSet[str] | None = None) -> None:
        self._only, self._guests = only, all_shape_names()
        self.played: Counter[str] = Counter()
        self.won: Counter[str] = Counter()
        self.wins_in_row: Counter[str] = Counter()
        """The last games, of all that a player was in, that were won."""
        self.row: Counter[tuple[str, str]] = Counter()
        """The last games, of all that two were in, in which the first beat the second."""
        for game in games:
            self.add(game)

    def list_names(self, game: GameSummary) -> list[str]:
        """List the names of a game's players that stand for one person each: no guests, and none that two share."""
        names: Sequence[str] = game["players"]
        return [
            name
            for name in names
            if name not in self._guests and names.count(name) == 1 and (self._only is None or name in self._only)
        ]

    def add(self, game: GameSummary) -> None:
        """Add the next game."""
        levels = [(name, _get_level(game, name)) for name in self.list_names(game)]
        for name, _level in levels:
            has_won = _has_won(game, name)
            self.played[name] += 1
            self.won[name] += has_won
            self.wins_in_row[name] = self.wins_in_row[name] + 1 if has_won else 0
        for (name, level), (other, other_level) in permutations(levels, 2):
            self.row[name, other] = self.row[name, other] + 1 if level < other_level else 0

    def find_longest_row(self, pairs: Iterable[tuple[str, str]]) -> tuple[int, str, str]:
        """Return the longest row of these pairs, and who beat whom; 0 without any."""
        rows = [(self.row[pair], *pair) for pair in pairs]
        return max(rows, key=lambda row: row[0], default=(0, "", ""))


def describe_game(
    game: GameSummary,
    earlier: Sequence[GameSummary],
    translate: Callable[[str], str] = str,
    *,
    has_name: bool = True,
) -> tuple[str, ...]:
    """Describe what is remarkable about a game beside earlier ones, in the current language, the rarest first.

    >>> def won(seat, day):
    ...     scores, places = ([first - step * abs(q - seat) for q in (0, 1)] for first, step in ((9, 5), (1, -1)))
    ...     begun = f"2026-11-{day}T20:00:00+01:00"
    ...     return {"title": "Pig", "players": ["Ada", "Bo"], "scores": scores, "places": places, "winners": [seat],
    ...             "begun": begun, "ended": begun, "lowest_wins": False, "date_known": True, "rules": ""}
    >>> describe_game(won(0, 20), [won(0, 11), won(0, 12)])
    ('Ada beat Bo 3 times in a row',)

    Args:
        game: the game.
        earlier: the finished games before it, in the order in which they ended.
        translate: returns the title of a game in the current language.
        has_name: it is known what was played; else its points are compared with nothing.
    """
    before = _Streaks(earlier, set(game["players"]))
    names = sorted(before.list_names(game), key=lambda name: _get_place(game, name))
    lines = [*_describe_first_wins(game, before, names), *_describe_revenge(game, before, names)]
    if has_name:
        lines += [line for name in names for line in _describe_best(game, earlier, name, translate)][:1]
    before.add(game)
    return (*lines, *_describe_rows(before, names), *_describe_evening(game, earlier))


def describe_streaks(games: Iterable[GameSummary]) -> Mapping[str, str]:
    """Describe what players have now: won the last games, or beaten a rival in a row.

    Args:
        games: all finished games, in the order in which they ended.

    Returns:
        By name a line in the current language, without the name; only of those of whom something is remarkable.
    """
    streaks, lines = _Streaks(games), {}
    for name, wins in streaks.wins_in_row.items():
        pairs = sorted(pair for pair in streaks.row if pair[0] == name)
        most, _name, rival = streaks.find_longest_row(pairs)
        if most >= MIN_ROW and most >= wins:
            lines[name] = _.plural("Beat {other} once", "Beat {other} {n} times in a row", most, other=rival)
        elif wins >= MIN_ROW:
            lines[name] = _.plural("Won the last game", "Won the last {n} games", wins)
    return lines


def _get_place(game: GameSummary, name: str) -> int:
    """Return the place of a player in a game, from 1."""
    place: int = game["places"][game["players"].index(name)]
    return place


def _get_score(game: GameSummary, name: str) -> int:
    """Return the score of a player in a game: more is better."""
    score: int = game["scores"][game["players"].index(name)]
    return -score if game["lowest_wins"] else score


def _is_by_score(game: GameSummary) -> bool:
    return is_by_score(game["places"], game["scores"], lowest_wins=game["lowest_wins"])


def _has_won(game: GameSummary, name: str) -> bool:
    """Return whether a player has won, alone or with some others; where all share the victory, nobody has."""
    return game["players"].index(name) in game["winners"] and len(game["winners"]) < len(game["players"])


def _get_level(game: GameSummary, name: str) -> int:
    """Return the place, but one for all who have lost together: none of them has beaten another."""
    return _get_place(game, name) if game["winners"] else 0


def _has_beaten(game: GameSummary, name: str, other: str) -> bool:
    return _get_level(game, name) < _get_level(game, other)


def _describe_first_wins(game: GameSummary, before: _Streaks, names: Sequence[str]) -> list[str]:
    return [
        _("{who} wins for the first time, in game {n}", who=name, n=before.played[name] + 1)
        for name in names
        if _has_won(game, name) and not before.won[name] and before.played[name] >= MIN_LOSSES_BEFORE_WIN
    ]


def _describe_revenge(game: GameSummary, before: _Streaks, names: Sequence[str]) -> list[str]:
    """Describe who has beaten somebody to whom the last games were lost: of several the longest row."""
    turned = ((loser, winner) for winner, loser in permutations(names, 2) if _has_beaten(game, winner, loser))
    n, loser, winner = before.find_longest_row(turned)
    if n < MIN_ROW:
        return []
    return [
        _.plural(
            "{who} beat {other} after a defeat", "{who} beat {other} after {n} defeats", n, who=winner, other=loser
        )
    ]


def _describe_best(
    game: GameSummary, earlier: Sequence[GameSummary], name: str, translate: Callable[[str], str]
) -> list[str]:
    """Describe that a player's result is the best of this game so far, or since a day long ago.

    It must be better than all others of that title, and be compared with some by the same house rules and with as many
    players: more rounds or a higher goal give more points to anybody. Games in which something else than the score
    decides are compared with none.
    """

    def is_alike(each: GameSummary) -> bool:
        return each["rules"] == game["rules"] and len(each["players"]) == len(game["players"])

    if not _is_by_score(game):
        return []
    kind = game["title"], game["lowest_wins"]
    same = [each for each in earlier if (each["title"], each["lowest_wins"]) == kind]
    same = [each for each in same if each["players"].count(name) == 1 and _is_by_score(each)]
    score, title = _get_score(game, name), translate(game["title"])
    last = max((i for i, each in enumerate(same) if _get_score(each, name) >= score), default=None)
    worse = [each for each in same[0 if last is None else last + 1 :] if is_alike(each)]
    if len(worse) < MIN_EARLIER_GAMES:
        return []
    if last is None:
        points = format_number(game["scores"][game["players"].index(name)])
        return [_("{who}'s best {game} so far: {n}", who=name, game=title, n=points)]
    if not (same[last]["date_known"] and game["date_known"]):
        return []
    since, now = (datetime.fromisoformat(each["begun"]) for each in (same[last], game))
    if get_evening(now) - get_evening(since) < timedelta(MIN_DAYS_SINCE):
        return []
    return [_("{who}'s best {game} since {day}", who=name, game=title, day=format_day(since))]


def _describe_rows(streaks: _Streaks, names: Sequence[str]) -> list[str]:
    """Describe the longest row of games in which one beat another, or won."""
    n, winner, loser = streaks.find_longest_row(permutations(names, 2))
    lines = []
    if n >= MIN_ROW:
        lines.append(
            _.plural("{who} beat {other} once", "{who} beat {other} {n} times in a row", n, who=winner, other=loser)
        )
    who = max(names, key=streaks.wins_in_row.__getitem__, default="")
    wins = streaks.wins_in_row[who]
    # Of two players one sentence says both.
    if wins >= MIN_ROW and (who != winner or wins > n):
        lines.append(_.plural("{who} has won the last game", "{who} has won {n} games in a row", wins, who=who))
    return lines


def _describe_evening(game: GameSummary, earlier: Sequence[GameSummary]) -> list[str]:
    """Describe who has won most of the games of that evening, if one player has."""
    evening = _find_evening(game)
    games = [game, *takewhile(lambda each: evening is not None and _find_evening(each) == evening, reversed(earlier))]
    (name, most), *others = [*_Streaks(games).won.most_common(2), ("", 0), ("", 0)][:2]
    if len(games) < MIN_EVENING_GAMES or most < 2 or most == others[0][1]:
        return []
    return [_("{who} won {n} of the {count} games of the day", who=name, n=most, count=len(games))]


def _find_evening(game: GameSummary) -> date | None:
    """Return the day of the evening on which a game ended; None: the machine did not know it."""
    return get_evening(datetime.fromisoformat(game["ended"])) if game["date_known"] else None
