"""Statistics of past games: points of each round, changes of a score, and records of the players.

Exact chances of dice: `companion.dice_statistics`. Sentences: `luck` on dice, `highlights` on records and streaks.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from operator import add
from typing import Any

from companion import dice_statistics
from companion.api import AnyGameDefinition, CommonCorrection, DiceRoll, FairDice, Seat, registry
from companion.dice_statistics import Share
from companion.journal.entry import SeatChange
from companion.journal.luck import MIN_DICE_PER_FACE, describe_luck, find_striking
from companion.journal.replay import Replay
from companion.screen_state import DiceLuck, RolledDice, ScoreLine

FaceCounts = tuple[int, ...]
"""Number of dice that showed each face, from face 1 up."""


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


def count_faces(replay: Replay) -> tuple[FaceCounts, ...]:
    """Count the faces that the players rolled: corrected rolls as corrected, undone ones not at all.

    Args:
        replay: the game; any state of it.

    Returns:
        By seat: the number of dice that showed each face. Empty: the game has no dice, or none were rolled.

    Raises:
        Exception: an error of the game's own code is passed on.
    """
    dice, seats = replay.definition.fair_dice, range(len(replay.players))
    if dice is None:
        return ()
    rolls: dict[tuple[int, ...], DiceRoll] = {}
    for roll in _list_reported_rolls(replay):
        if roll.seat is None:
            earlier = rolls.get(roll.roll_id)
            if earlier is None or len(roll.faces) not in {0, len(earlier.faces)}:
                continue  # dice of several throws were corrected at once: which of them is not known
            roll = replace(earlier, faces=roll.faces)
        rolls[roll.roll_id] = roll
    counts = [[0] * dice.sides for _seat in seats]
    for roll in rolls.values():
        if roll.seat in seats and all(1 <= face <= dice.sides for face in roll.faces):
            for face in roll.faces:
                counts[roll.seat or 0][face - 1] += 1
    return tuple(map(tuple, counts)) if any(map(any, counts)) else ()


def has_rolls(replay: Replay) -> bool:
    """Return whether any dice were rolled in the game that count, or are corrected; much faster than `count_faces`.

    Raises:
        Exception: an error of the game's own code is passed on.
    """
    return next(_list_reported_rolls(replay), None) is not None


def _list_reported_rolls(replay: Replay) -> Iterator[DiceRoll]:
    """Yield all rolls that the game reports, in order, also those that later ones replace."""
    if replay.definition.fair_dice is not None:
        for step in replay.steps:
            if isinstance(step.played, SeatChange):
                continue
            yield from replay.definition.list_rolls(step.before, step.played, step.after)


def add_counts(counts: Sequence[FaceCounts]) -> FaceCounts:
    """Return the sum of counts of the same faces, at least one."""
    total, *others = counts
    for other in others:
        total = tuple(map(add, total, other))
    return total


def compute_luck(counts: FaceCounts, dice: FairDice) -> Share | None:
    """Return the share of fair rolls of as many dice that were less lucky, or less uneven.

    Args:
        counts: number of dice that showed each face.
        dice: what the faces are worth; if none is better than another, the unevenness is returned.

    Returns:
        The share with its interval, see `compute_height` and `compute_unevenness`; None: too few dice to tell.
    """
    if sum(counts) < MIN_DICE_PER_FACE * dice.sides:
        return None
    if not dice.worth:
        return dice_statistics.compute_unevenness(counts)
    return dice_statistics.compute_height(counts, dice.worth)


def summarise_dice(replay: Replay) -> DiceLuck | None:
    """Return what the dice of a game were, against fair ones, for the screen; None: no dice are known of it.

    Raises:
        Exception: an error of the game's own code is passed on.
    """
    counts, dice = count_faces(replay), replay.definition.fair_dice
    if not counts or dice is None:
        return None
    players = tuple(RolledDice(seat, compute_luck(seat, dice)) for seat in counts)
    total = add_counts(counts)
    everybody = RolledDice(total, compute_luck(total, dice))
    face_names = tuple(replay.definition.name_faces())
    sentence = describe_luck(replay.players, players, dice, find_striking(players, dice), face_names)
    return DiceLuck(players, everybody, dice.worth, face_names, sentence)


@dataclass(frozen=True, slots=True)
class DiceRecord:
    """One player's dice in all games of one kind, finished or not."""

    player: str
    game_title: str
    counts: FaceCounts
    luck: Share | None
    """As of `compute_luck`, of all these dice together; None: too few to tell."""
    dice: FairDice


def compute_dice_records(
    games: Sequence[Mapping[str, Any]], find_game: Callable[[str], AnyGameDefinition] = registry.find_game
) -> tuple[DiceRecord, ...]:
    """Return all players' dice in each kind of game.

    Args:
        games: JSON objects of `companion.journal.game_summary.summarise_game`, with the keys `game`, `players` and
            `dice`; a game without dice does not count, nor one whose dice have another number of faces now.
        find_game: returns the definition of a game by name.

    Returns:
        One record per player and game, sorted by the game's title, then the player's name.
    """
    found: dict[tuple[str, str], list[FaceCounts]] = {}
    for game in games:
        for player, counts in zip(game.get("players", ()), game.get("dice", ()), strict=False):
            if any(counts):
                found.setdefault((game["game"], player), []).append(tuple(counts))
    records = []
    for (name, player), several in found.items():
        try:
            definition = find_game(name)
        except registry.UnknownGame:
            continue  # a file that is gone: which of its dice count is not known
        dice = definition.fair_dice
        same = [counts for counts in several if dice is not None and len(counts) == dice.sides]
        if dice is not None and same:
            total = add_counts(same)
            records.append(DiceRecord(player, definition.title, total, compute_luck(total, dice), dice))
    return tuple(sorted(records, key=lambda record: (record.game_title, record.player)))
