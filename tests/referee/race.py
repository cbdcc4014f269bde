"""A small game in real time: anybody presses, a clock runs, all agree to end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import BaseModel, ConfigDict

from companion.games.api.game import Clock, Correctable, Correction, IllegalMove, Move, Outcome, Range, Seat, legal
from companion.games.api.offers import Console, Kit, Offer, SeatPress


class Settings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    seconds: float = 60


@dataclass(frozen=True)
class Race:
    settings: Settings
    pressed: tuple[int, ...]
    ended: str = ""

    @property
    def players(self) -> int:
        return len(self.pressed)

    def moves(self) -> Sequence[Move]:
        if self.ended:
            return ()
        return (*(Move("press", Seat(q)) for q in range(self.players)), Move("end"), Move("scrap"), Move("time up"))

    def play(self, move: Move) -> Race:
        if not legal(self, move):
            raise IllegalMove(f"X1: {move.kind} is not open")
        if move.kind != "press":
            return replace(self, ended=move.kind)
        return replace(self, pressed=tuple(n + (q == move.seat) for q, n in enumerate(self.pressed)))

    def correctables(self) -> Sequence[Correctable]:
        return [Correctable("presses", Seat(q), (n,), Range(1, 0, 99)) for q, n in enumerate(self.pressed)]

    def correct(self, correction: Correction) -> Race:
        held = tuple(correction.value[0] if q == correction.seat else n for q, n in enumerate(self.pressed))
        return replace(self, pressed=held)

    def clocks(self) -> Sequence[Clock]:
        return () if self.ended else (Clock("race", self.settings.seconds, Move("time up")),)

    def scores(self) -> Mapping[Seat, int]:
        return {Seat(q): n for q, n in enumerate(self.pressed)}

    def outcome(self) -> Outcome | None:
        return Outcome((Seat(0),), self.ended) if self.ended else None

    def view(self) -> tuple[int, ...]:
        return self.pressed


def offers(game: Race, names: Sequence[str], _sight: object) -> Sequence[Offer]:
    seats = tuple(Seat(q) for q in range(game.players))
    if game.ended:
        return ()
    return [
        *(Offer(Move("press", q), SeatPress(q), "Press") for q in seats),
        Offer(Move("end"), Console.OK, "All agree: end", agreed_by=seats),
        Offer(Move("scrap"), Console.PLUS, "Scrap", confirm="Scrap it all?"),
    ]


KIT = Kit(
    name="race",
    title="Race",
    players=range(2, 5),
    settings=Settings,
    new=lambda players, _first, settings: Race(settings, (0,) * players),
    offers=offers,
    sentence=lambda _game, _names: "Press",
    tell=lambda _before, what, _after, _names: what.kind,
    correctable_words=lambda game, names: {("presses", Seat(q)): f"{names[q]}'s presses" for q in range(game.players)},
)
