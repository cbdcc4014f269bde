"""A small game for tests: players in turn add 1 to 6 to their total; the first to reach `goal` wins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field

from companion.api import (
    BadCorrection,
    Correctable,
    Correction,
    GameClock,
    GameDefinition,
    IllegalMove,
    Move,
    Offer,
    Outcome,
    Seat,
    ValueRange,
    Visibility,
)
from companion.api.registry import find_game
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

    def list_team(self, seat: Seat) -> tuple[Seat, ...]:
        return (seat,)

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


class ToyDefinition(GameDefinition[Any]):
    name, title = "toy", "Toy"
    player_counts = range(1, 7)
    settings_model = Settings

    def create_game(self, player_count: int, first_seat: Seat, settings: Settings) -> Toy:
        return Toy((0,) * player_count, first_seat, settings)

    def format_prompt(self, game: Toy, names: Sequence[str]) -> str:
        return f"{names[game.active]} adds"

    def list_offers(self, game: Toy, names: Sequence[str], visibility: Visibility) -> Sequence[Offer]:
        return ()

    def describe_step(self, before: Toy, what: Move | Correction, after: Toy, names: Sequence[str]) -> str:
        who = names[what.seat or 0]
        if isinstance(what, Correction):
            return f"{who}'s total is {what.value[0]}"
        return f"{who} adds {what.value[0]}" if what.value else f"{who} passes"

    def label_correctable(self, game: Toy, what: Correctable, names: Sequence[str]) -> str:
        return what.kind

    def label_values(self, game: Toy, what: Correctable, names: Sequence[str]) -> Sequence[str]:
        return ()

    def get_round_number(self, game: Toy) -> int:
        return 1

    def get_bot_weight(self, game: Toy, offer: Offer) -> float:
        return 1.0


GAME = ToyDefinition()


SETUP = GameSetup(
    game="toy", players=("Ada", "Bob"), buttons=(Button.SEAT2, Button.SEAT5), settings={"goal": 20}, seed=7
)


def add(seat: int, value: int) -> Move:
    return Move("add", Seat(seat), (value,))


def find_definition(name: str) -> GameDefinition:
    """Find the toy, or an installed game."""
    return GAME if name == "toy" else find_game(name)
