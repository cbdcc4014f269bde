"""A small game on the base class: players in turn add 1 to 3 or double; the first to reach 5 ends it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

from companion.api import (
    N_,
    Active,
    Game,
    Move,
    MoveKind,
    Outcome,
    Reason,
    Score,
    Seat,
    Translator,
    Unmet,
    ValueRange,
    replace_at,
)


class Add(MoveKind["Tally"]):
    kind, otherwise = "add", ("T2", N_("1 to 3 are added"))
    log = N_("{who} adds")

    def list_values(self, game: Tally) -> ValueRange:
        return ValueRange(1, 1, 3)

    def apply(self, game: Tally, move: Move) -> Tally:
        return game.add(move.player, move.value[0])


class Double(MoveKind["Tally"]):
    kind, log = "double", N_("{who} doubles")

    def needs(self, game: Tally, move: Move) -> Iterator[Reason]:
        if not game.points[move.player]:
            yield "T4", N_("there is nothing to double")

    def apply(self, game: Tally, move: Move) -> Tally:
        return game.add(move.player, game.points[move.player])


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally(Game):
    points: tuple[int, ...]
    active_seat: Seat

    MOVES = (Add(), Double())
    CORRECTIONS = (
        Score("points", N_("{who}'s points"), 0, 9, lambda game: game.points, lambda game, points: game.put(points)),
        Active("T5", N_("Whose turn it is")),
    )
    MOVE_RULE = "T1"
    translate = Translator("tally")

    @property
    def totals(self) -> tuple[int, ...]:
        return self.points

    def compute_outcome(self) -> Outcome | None:
        return Outcome(self.leaders, "5 points are reached") if max(self.points) >= 5 else None

    def explain_end(self) -> Reason | None:
        return ("T3", N_("5 points are reached")) if self.compute_outcome() else None

    def get_active_seat(self) -> Seat:
        return self.active_seat

    def change_active_seat(self, seat: Seat) -> Self:
        return replace(self, active_seat=seat)

    def explain_turn(self, rule: str) -> Reason:
        return Unmet(rule, N_("it is {who}'s turn"), {"who": self.active_seat})

    def put(self, points: tuple[int, ...]) -> Self:
        return replace(self, points=points)

    def add(self, seat: Seat, points: int) -> Self:
        after = self.put(replace_at(self.points, seat, self.points[seat] + points))
        return replace(after, active_seat=self.find_next_seat(seat))


def new(*points: int, away: tuple[int, ...] = ()) -> Tally:
    """Return a game with these points; the players of the seats `away` have left."""
    return Tally(settings=None, points=points, active_seat=Seat(0), away=tuple(q in away for q in range(len(points))))
