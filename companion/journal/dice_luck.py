"""Dice of past games: what each player rolled, and how lucky that was.

Exact chances: `companion.dice_statistics`. Sentences: `luck_sentences`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import add
from typing import Any

from companion import dice_statistics
from companion.api import AnyGameDefinition, DiceRoll, FairDice, registry
from companion.dice_statistics import Share
from companion.journal.entry import SeatChange
from companion.journal.luck_sentences import MIN_DICE_PER_FACE, describe_luck, find_striking
from companion.journal.replay import Replay
from companion.screen_state import DiceLuck, RolledDice

FaceCounts = tuple[int, ...]
"""Number of dice that showed each face, from face 1 up."""


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
