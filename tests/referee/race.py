"""A small real-time game: anybody presses, a clock runs, OK held ends it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel, ConfigDict

from companion.api import (
    ConsolePress,
    Correctable,
    Correction,
    GameClock,
    GameDefinition,
    IllegalMove,
    Move,
    MoveKind,
    Offer,
    Outcome,
    Seat,
    SeatPress,
    ValueRange,
    Visibility,
)
from companion.api.game_state import number_places
from companion.testing.checks import is_legal


class Settings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    seconds: float = 60


class RaceMove(MoveKind[Any]):
    def apply(self, game: Any, move: Move) -> Any:
        return game.play(move)


@dataclass(frozen=True)
class Race:
    settings: Settings
    pressed: tuple[int, ...]
    ended: str = ""

    @property
    def player_count(self) -> int:
        return len(self.pressed)

    def list_moves(self) -> Sequence[Move]:
        if self.ended:
            return ()
        return (
            *(Move("press", Seat(q)) for q in range(self.player_count)),
            Move("end"),
            Move("scrap"),
            Move("time up"),
        )

    def get_move_kind(self, kind: str) -> MoveKind[Any]:
        return RaceMove()

    def play(self, move: Move) -> Race:
        if not is_legal(self, move):
            raise IllegalMove("X1", f"{move.kind} is not open")
        if move.kind != "press":
            return replace(self, ended=move.kind)
        return replace(self, pressed=tuple(n + (q == move.seat) for q, n in enumerate(self.pressed)))

    def list_correctables(self) -> Sequence[Correctable]:
        return [Correctable("presses", Seat(q), (n,), ValueRange(1, 0, 99)) for q, n in enumerate(self.pressed)]

    def correct(self, correction: Correction) -> Race:
        held = tuple(correction.value[0] if q == correction.seat else n for q, n in enumerate(self.pressed))
        return replace(self, pressed=held)

    def list_clocks(self) -> Sequence[GameClock]:
        return () if self.ended else (GameClock("race", self.settings.seconds, Move("time up")),)

    @property
    def totals(self) -> tuple[int, ...]:
        return self.pressed

    @property
    def places(self) -> tuple[int, ...]:
        return number_places([(False, -n) for n in self.pressed])

    def compute_outcome(self) -> Outcome | None:
        return Outcome((Seat(0),), self.ended) if self.ended else None


class RaceDefinition(GameDefinition[Any]):
    name, title = "race", "Race"
    player_counts = range(2, 5)
    settings_model = Settings

    def create_game(self, player_count: int, first_seat: Seat, settings: Settings) -> Race:
        return Race(settings, (0,) * player_count)

    def list_offers(self, game: Race, names: Sequence[str], visibility: Visibility) -> Sequence[Offer]:
        seats = tuple(Seat(q) for q in range(game.player_count))
        if game.ended:
            return ()
        return [
            *(Offer(Move("press", q), SeatPress(q), "Press", repeats=True) for q in seats),
            Offer(Move("end"), ConsolePress.HOLD_OK, "Hold: stop"),
            Offer(Move("scrap"), ConsolePress.PLUS, "Scrap", confirm_question="Scrap it all?"),
        ]

    def format_prompt(self, game: Race, names: Sequence[str]) -> str:
        return "Press"

    def describe_step(self, before: Race, what: Move | Correction, after: Race, names: Sequence[str]) -> str:
        return what.kind

    def label_correctable(self, game: Race, what: Correctable, names: Sequence[str]) -> str:
        return f"{names[what.seat or 0]}'s presses"

    def label_values(self, game: Race, what: Correctable, names: Sequence[str]) -> Sequence[str]:
        return ()

    def get_bot_weight(self, game: Race, offer: Offer) -> float:
        return 1.0


KIT = RaceDefinition()
