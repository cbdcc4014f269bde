"""A small game on the base class: players in turn add 1 to 3; the first to reach 5 ends it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

from companion.api import (
    BaseGame,
    Correctable,
    Correction,
    GameClock,
    IllegalMove,
    Move,
    Outcome,
    Seat,
    ValueRange,
    list_by_seat,
    replace_at,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally(BaseGame):
    points: tuple[int, ...]
    active_seat: Seat

    @property
    def totals(self) -> tuple[int, ...]:
        return self.points

    def list_clocks(self) -> Sequence[GameClock]:
        return ()

    def compute_outcome(self) -> Outcome | None:
        return Outcome(self.leaders, "5 points are reached") if max(self.points) >= 5 else None

    def _list_moves(self) -> Iterator[Move]:
        if not self.compute_outcome():
            yield Move("add", self.active_seat, value_range=ValueRange(1, 1, 3))

    def _apply_move(self, move: Move) -> Self:
        return self._with_points(self.active_seat, self.points[self.active_seat] + move.value[0])

    def _explain_refusal(self, move: Move) -> IllegalMove:
        return IllegalMove("T1", "it is {who}'s turn", {"who": self.active_seat})

    def _list_correctables(self) -> Iterator[Correctable]:
        yield from list_by_seat("points", self.points, 0, 9)

    def _apply_correction(self, correction: Correction) -> Self:
        return self._with_points(correction.seat or Seat(0), correction.value[0])

    def _with_points(self, seat: Seat, points: int) -> Self:
        return replace(self, points=replace_at(self.points, seat, points), active_seat=self.find_next_seat(seat))


def new(*points: int, away: tuple[int, ...] = ()) -> Tally:
    """Return a game with these points; the players of the seats `away` have left."""
    return Tally(settings=None, points=points, active_seat=Seat(0), away=tuple(q in away for q in range(len(points))))
