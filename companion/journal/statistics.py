"""What past sittings come to: points a round, and for each player wins, averages and best round."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from companion.games.api.game import CommonCorrection, Seat
from companion.journal.replay import Replay
from companion.screen_state import ScoreLine


def compute_rounds(replay: Replay) -> tuple[tuple[int, ...], ...]:
    """Points of each round, by seat; the round in play is in it as far as it has come.

    A game that keeps its rounds (they may be corrected, as "round 1", "round 2") says so itself, and what was put
    right counts; else a round's points are what the scores changed by while `Kit.round_of` stayed the same.
    """
    return _read_recorded_rounds(replay) or _compute_rounds_from_scores(replay)


def _read_recorded_rounds(replay: Replay) -> tuple[tuple[int, ...], ...]:
    found: dict[int, dict[Seat, int]] = defaultdict(dict)
    for entry in replay.game.list_correctables():
        is_round = entry.index and entry.kind in (CommonCorrection.ROUND, CommonCorrection.GAME)
        if is_round and entry.seat is not None:
            found[entry.index[0]][entry.seat] = entry.current_value[0]
    seats = range(len(replay.setup.players))
    return tuple(tuple(found[number].get(Seat(seat), 0) for seat in seats) for number in sorted(found))


def _compute_rounds_from_scores(replay: Replay) -> tuple[tuple[int, ...], ...]:
    kit, seats = replay.definition, [Seat(i) for i in range(len(replay.setup.players))]
    before, number = replay.start.compute_scores(), kit.round_number(replay.start)
    rounds = []
    for step in replay.steps:
        if kit.round_number(step.after) != number:
            after = step.after.compute_scores()
            rounds.append(tuple(after[seat] - before[seat] for seat in seats))
            before, number = after, kit.round_number(step.after)
    after = replay.game.compute_scores()
    if any(after[seat] != before[seat] for seat in seats):
        rounds.append(tuple(after[seat] - before[seat] for seat in seats))
    return tuple(rounds)


def list_score_changes(replay: Replay, seat: Seat) -> tuple[ScoreLine, ...]:
    """What the score of `seat` is made of; else all that changed it, in order, what was there from the start first.

    The last line's total is the score.
    """
    kit, lines = replay.definition, list[ScoreLine]()
    parts = kit.score_parts(replay.game, seat)
    if parts:
        totals = accumulate(points for _words, points in parts)
        return tuple(ScoreLine(1, words, n, total) for (words, n), total in zip(parts, totals, strict=True))
    total = replay.start.compute_scores()[seat]
    if total:
        lines.append(ScoreLine(kit.round_number(replay.start), "", total, total))
    for step in replay.steps:
        now = step.after.compute_scores()[seat]
        words = kit.score_reason(step.before, step.after, seat)
        if now == total and not words:
            continue
        words = words or kit.describe_line(step.before, step.played, step.after, replay.setup.players)
        lines.append(ScoreLine(kit.round_number(step.before), words, now - total, now))
        total = now
    return tuple(lines)


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """One player at one game. Averages and bests are of finished games only; None where there are none."""

    player: str
    game_title: str
    played: int
    won: int
    average_score: float | None
    best_score: int | None
    best_round: int | None


def compute_player_records(games: Sequence[Mapping[str, Any]]) -> tuple[PlayerRecord, ...]:
    """Records of all players and games in `sittings` (objects of `companion history --json`), by game, most wins first.

    Sittings that are not over, or cannot be read, do not count.
    """
    scores: dict[tuple[str, str], list[int]] = defaultdict(list)
    wins: dict[tuple[str, str], int] = defaultdict(int)
    bests: dict[tuple[str, str], list[int]] = defaultdict(list)
    for sitting in games:
        if not sitting.get("over"):
            continue
        for seat, player in enumerate(sitting["players"]):
            key = (sitting["title"], player)
            scores[key].append(sitting["scores"][seat])
            wins[key] += seat in sitting["winners"]
            bests[key] += [points[seat] for points in sitting["rounds"]]
    found = [
        PlayerRecord(
            player,
            title,
            len(all_),
            wins[title, player],
            sum(all_) / len(all_),
            max(all_),
            max(bests[title, player], default=None),
        )
        for (title, player), all_ in scores.items()
    ]
    return tuple(
        sorted(found, key=lambda record: (record.game_title, -record.won, -(record.average_score or 0), record.player))
    )
