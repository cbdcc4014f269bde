"""A game in a distribution of its own, complete and small: players in turn add 1 to 6, the first to reach 10 wins.

It has no scene of its own (the companion draws its texts), house rules, translations and samples for the gallery.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pydantic import BaseModel, ConfigDict, Field

from companion.games.api.game import (
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
from companion.games.api.offers import GameDefinition, NumberPress, Offer, Visibility
from companion.i18n import Translator

_ = Translator("race_to_ten", package="race_to_ten")

HIGHEST = 6
"""R1: most that a move adds; the number keys end there."""


class Settings(BaseModel):
    """House rules: section [games.race_to_ten] of the settings file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    goal: int = Field(default=10, ge=1, le=99)


@dataclass(frozen=True, slots=True)
class RaceToTen:
    """A state of the game (`companion.games.api.game.Game`)."""

    totals: tuple[int, ...]
    active: Seat
    settings: Settings

    @property
    def player_count(self) -> int:
        """Number of players."""
        return len(self.totals)

    def list_moves(self) -> Sequence[Move]:
        """List the moves: the active player adds 1 to 6 (R1)."""
        if self.compute_outcome():
            return ()
        return [Move("add", self.active, (number,)) for number in range(1, HIGHEST + 1)]

    def play(self, move: Move) -> RaceToTen:
        """Return the game after a move."""
        if move not in self.list_moves():
            raise IllegalMove("R1", _("that cannot be added now"))
        totals = tuple(total + move.value[0] * (seat == move.seat) for seat, total in enumerate(self.totals))
        return replace(self, totals=totals, active=Seat((self.active + 1) % self.player_count))

    def list_correctables(self) -> Sequence[Correctable]:
        """List the totals."""
        return [Correctable("total", Seat(seat), (t,), ValueRange(1, 0, 99)) for seat, t in enumerate(self.totals)]

    def correct(self, correction: Correction) -> RaceToTen:
        """Return the game with a corrected total."""
        for correctable in self.list_correctables():
            if correctable.seat == correction.seat and correction.value in correctable.value_range:
                value = correction.value[0]
                return replace(
                    self, totals=tuple(value if q == correction.seat else t for q, t in enumerate(self.totals))
                )
        raise BadCorrection("", _("that cannot be corrected"))

    def list_clocks(self) -> Sequence[GameClock]:
        """Return nothing: nobody is hurried."""
        return ()

    def compute_outcome(self) -> Outcome | None:
        """Return who won: the first to reach the goal (R2)."""
        winners = tuple(Seat(seat) for seat, total in enumerate(self.totals) if total >= self.settings.goal)
        return Outcome(winners, _("The goal is reached.")) if winners else None


def list_offers(game: RaceToTen, _names: Sequence[str], _visibility: Visibility) -> Sequence[Offer]:
    """List the number keys, each with what it adds."""
    return [Offer(move, NumberPress(move.value[0]), f"+{move.value[0]}", awaited=True) for move in game.list_moves()]


def describe_line(_before: RaceToTen, played: Move | Correction, _after: RaceToTen, names: Sequence[str]) -> str:
    """Return a line of the log."""
    return _("{who} adds {n}", who=names[played.seat or 0], n=played.value[0])


GAME = GameDefinition(
    name="race_to_ten",
    title="Race to Ten",
    player_counts=range(2, 7),
    settings_model=Settings,
    create_game=lambda count, first, settings: RaceToTen((0,) * count, first, settings),
    list_offers=list_offers,
    prompt=lambda game, names: _("{who}: add 1 to 6", who=names[game.active]),
    describe_line=describe_line,
    correctable_label=lambda _game, what, names: names[what.seat or 0],
)
