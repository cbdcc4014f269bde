"""What a family tells of a game beside its earlier ones: records, rivals, streaks, and who had the evening.

All sentences follow from the summaries of finished games, oldest first, as `ResultsCache.summaries` has them. Guests,
who have the name of a seat's shape, are in none: it may have been anybody.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta
from itertools import combinations, takewhile
from typing import Any

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
"""A finished game, with the keys of `companion.journal.summary.summarise_game`."""


def describe_game(
    game: GameSummary,
    earlier: Sequence[GameSummary],
    translate: Callable[[str], str] = str,
    *,
    has_name: bool = True,
) -> tuple[str, ...]:
    """Describe what is remarkable about a game beside earlier ones, in the current language, the rarest first.

    >>> def won(seat, day):
    ...     scores = [9 - 5 * abs(q - seat) for q in (0, 1)]
    ...     begun = f"2026-11-{day}T20:00:00+01:00"
    ...     return {"title": "Pig", "players": ["Ada", "Bo"], "scores": scores, "winners": [seat], "begun": begun,
    ...             "lowest_wins": False, "date_known": True}
    >>> describe_game(won(0, 20), [won(0, 11), won(0, 12)])
    ('Ada beat Bo 3 times in a row',)

    Args:
        game: the game.
        earlier: the finished games before it, oldest first.
        translate: returns the title of a game in the current language.
        has_name: it is known what was played; else its points are compared with nothing.
    """
    names = sorted(_list_known_names(game), key=lambda name: _get_standing(game, name), reverse=True)
    lines = [
        *_describe_first_wins(game, earlier, names),
        *_describe_revenge(game, earlier, names),
        *[line for name in names if has_name for line in _describe_best(game, earlier, name, translate)][:1],
        *_describe_rows(game, earlier, names),
        *_describe_evening(game, earlier),
    ]
    return tuple(lines)


def describe_streak(name: str, games: Sequence[GameSummary]) -> str:
    """Describe in a line, without the name, what a player has now: won the last games, or beaten a rival in a row.

    Args:
        name: the player.
        games: all finished games, oldest first.

    Returns:
        The line in the current language; empty: nothing is remarkable.
    """
    own = [game for game in games if name in _list_known_names(game)]
    wins = _count_last_wins(name, own)
    rivals = {other for game in own for other in _list_known_names(game) if other != name}
    rows = [(_count_row(name, other, own), other) for other in sorted(rivals)]
    most, rival = max(rows, key=lambda row: row[0], default=(0, ""))
    if most >= MIN_ROW and most >= wins:
        return _.plural("Beat {other} once", "Beat {other} {n} times in a row", most, other=rival)
    return _.plural("Won the last game", "Won the last {n} games", wins) if wins >= MIN_ROW else ""


def _list_known_names(game: GameSummary) -> list[str]:
    """List the names of a game's players that stand for one person each: no guests, and none that two share."""
    names: Sequence[str] = game["players"]
    shapes = all_shape_names()
    return [name for name in names if names.count(name) == 1 and name not in shapes]


def _get_standing(game: GameSummary, name: str) -> tuple[bool, int]:
    """Return how well a player did in a game: more is better, equal is a tie."""
    seat = game["players"].index(name)
    score = game["scores"][seat]
    return seat in game["winners"], -score if game["lowest_wins"] else score


def _has_won(game: GameSummary, name: str) -> bool:
    """Return whether a player has won, alone or with some others; where all share the victory, nobody has."""
    return game["players"].index(name) in game["winners"] and len(game["winners"]) < len(game["players"])


def _has_beaten(game: GameSummary, name: str, other: str) -> bool:
    return _get_standing(game, name) > _get_standing(game, other)


def _list_common(games: Sequence[GameSummary], name: str, other: str) -> list[GameSummary]:
    return [game for game in games if {name, other} <= set(_list_known_names(game))]


def _count_row(name: str, other: str, games: Sequence[GameSummary]) -> int:
    """Count the last games that both played, back to the first in which `name` did not beat `other`."""
    common = _list_common(games, name, other)
    return sum(1 for _game in takewhile(lambda game: _has_beaten(game, name, other), reversed(common)))


def _count_last_wins(name: str, games: Sequence[GameSummary]) -> int:
    own = [game for game in games if name in _list_known_names(game)]
    return sum(1 for _game in takewhile(lambda game: _has_won(game, name), reversed(own)))


def _describe_first_wins(game: GameSummary, earlier: Sequence[GameSummary], names: Sequence[str]) -> list[str]:
    lines = []
    for name in names:
        own = [each for each in earlier if name in _list_known_names(each)]
        has_won = any(_has_won(each, name) for each in own)
        if _has_won(game, name) and not has_won and len(own) >= MIN_LOSSES_BEFORE_WIN:
            lines.append(_("{who} wins for the first time, in game {n}", who=name, n=len(own) + 1))
    return lines


def _describe_revenge(game: GameSummary, earlier: Sequence[GameSummary], names: Sequence[str]) -> list[str]:
    """Describe who has beaten somebody to whom the last games were lost: of several the longest row."""
    rows = [
        (_count_row(loser, winner, earlier), winner, loser)
        for pair in combinations(names, 2)
        for winner, loser in (pair, pair[::-1])
        if _has_beaten(game, winner, loser)
    ]
    n, winner, loser = max(rows, key=lambda row: row[0], default=(0, "", ""))
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
    """Describe that a player's result is the best of this game so far, or since a day long ago."""

    def get_score(each: GameSummary) -> int:
        return _get_standing(each, name)[1]

    same = [each for each in earlier if each["title"] == game["title"] and name in _list_known_names(each)]
    same = [each for each in same if each["lowest_wins"] == game["lowest_wins"]]
    if len(same) < MIN_EARLIER_GAMES:
        return []
    score, title = get_score(game), translate(game["title"])
    as_good = [each for each in same if get_score(each) >= score]
    if not as_good:
        points = format_number(game["scores"][game["players"].index(name)])
        return [_("{who}'s best {game} so far: {n}", who=name, game=title, n=points)]
    since, now = _find_day(as_good[-1]), _find_day(game)
    between = len(same) - 1 - same.index(as_good[-1])
    if since is None or now is None or between < MIN_EARLIER_GAMES or now - since < timedelta(MIN_DAYS_SINCE):
        return []
    day = format_day(datetime.fromisoformat(as_good[-1]["begun"]))
    return [_("{who}'s best {game} since {day}", who=name, game=title, day=day)]


def _describe_rows(game: GameSummary, earlier: Sequence[GameSummary], names: Sequence[str]) -> list[str]:
    """Describe the longest row of games in which one beat another, or won."""
    games = [*earlier, game]
    rows = [(_count_row(a, b, games), a, b) for pair in combinations(names, 2) for a, b in (pair, pair[::-1])]
    n, winner, loser = max(rows, key=lambda row: row[0], default=(0, "", ""))
    lines = []
    if n >= MIN_ROW:
        lines.append(
            _.plural("{who} beat {other} once", "{who} beat {other} {n} times in a row", n, who=winner, other=loser)
        )
    wins, who = max(((_count_last_wins(name, games), name) for name in names), key=lambda row: row[0], default=(0, ""))
    # Of two players one sentence says both.
    if wins >= MIN_ROW and (who != winner or wins > n):
        lines.append(_.plural("{who} has won the last game", "{who} has won {n} games in a row", wins, who=who))
    return lines


def _describe_evening(game: GameSummary, earlier: Sequence[GameSummary]) -> list[str]:
    """Describe who has won most of this evening's games, if one player has."""
    evening = _find_day(game)
    games = [*(each for each in earlier if evening is not None and _find_day(each) == evening), game]
    wins = Counter(name for each in games for name in _list_known_names(each) if _has_won(each, name))
    (name, most), *others = [*wins.most_common(2), ("", 0), ("", 0)][:2]
    if len(games) < MIN_EVENING_GAMES or most < 2 or most == others[0][1]:
        return []
    return [_("{who} won {n} of {count} games this evening", who=name, n=most, count=len(games))]


def _find_day(game: GameSummary) -> date | None:
    """Return the day of the evening on which a game began; None: the machine did not know it."""
    return get_evening(datetime.fromisoformat(game["begun"])) if game["date_known"] else None
