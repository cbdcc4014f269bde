"""A small game for tests: players in turn add 1 to 6 to their total; the first to reach `goal` wins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from pydantic import BaseModel, ConfigDict, Field

from companion.api.game import (
    BadCorrection,
    Correctable,
    Correction,
    GameClock,
    IllegalMove,
    Move,
    Outcome,
    Seat,
    ValueRange,
)
from companion.api.offers import GameDefinition, Offer, Visibility
from companion.events import Button
from companion.journal.entry import GameSetup
from companion.testing.checks import is_legal


class Settings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    goal: int = Field(default=20, ge=1)


@dataclass(frozen=True)
class Toy:
    totals: tuple[int, ...]
    active: Seat
    settings: Settings

    @property
    def player_count(self) -> int:
        return len(self.totals)

    def list_moves(self) -> Sequence[Move]:
        return (
            ()
            if self.compute_outcome()
            else (Move("add", self.active, value_range=ValueRange(1, 1, 6)), Move("pass", self.active))
        )

    def play(self, move: Move) -> Self:
        if not is_legal(self, move):
            raise IllegalMove("X1", f"{move} is not open")
        add = move.value[0] if move.value else 0
        totals = tuple(total + add * (seat == move.seat) for seat, total in enumerate(self.totals))
        return replace(self, totals=totals, active=Seat((self.active + 1) % self.player_count))

    def list_correctables(self) -> Sequence[Correctable]:
        return [Correctable("total", Seat(seat), (t,), ValueRange(1, 0, 99)) for seat, t in enumerate(self.totals)]

    def correct(self, correction: Correction) -> Self:
        for open_to in self.list_correctables():
            if (open_to.kind, open_to.seat) == (
                correction.kind,
                correction.seat,
            ) and correction.value in open_to.value_range:
                totals = list(self.totals)
                totals[open_to.seat or 0] = correction.value[0]
                return replace(self, totals=tuple(totals))
        raise BadCorrection("", f"{correction} cannot be")

    def list_clocks(self) -> Sequence[GameClock]:
        return ()

    def compute_outcome(self) -> Outcome | None:
        best = max(self.totals)
        if best < self.settings.goal:
            return None
        return Outcome(tuple(Seat(seat) for seat, t in enumerate(self.totals) if t == best), "the goal is reached")


def describe_line(before: Toy, played: Move | Correction, after: Toy, names: Sequence[str]) -> str:
    who = names[played.seat or 0]
    if isinstance(played, Correction):
        return f"{who}'s total is {played.value[0]}"
    return f"{who} adds {played.value[0]}" if played.value else f"{who} passes"


def no_offers(game: Toy, names: Sequence[str], sight: Visibility) -> Sequence[Offer]:
    return ()


GAME = GameDefinition(
    name="toy",
    title="Toy",
    player_counts=range(1, 7),
    settings_model=Settings,
    create_game=lambda players, first, settings: Toy((0,) * players, first, settings),
    list_offers=no_offers,
    prompt=lambda game, names: f"{names[game.active]} adds",
    describe_line=describe_line,
    correctable_label=lambda _game, what, _names: what.kind,
    round_number=lambda _game: 1,
)

SETUP = GameSetup(
    game="toy", players=("Ada", "Bob"), buttons=(Button.SEAT2, Button.SEAT5), settings={"goal": 20}, seed=7
)
