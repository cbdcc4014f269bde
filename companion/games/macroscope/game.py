"""Macroscope as a frozen value: set-up, clocks and outcome. What each move needs and does: `moves.py`, `asking.py`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from companion.api import (
    N_,
    BadCorrection,
    GameClock,
    Move,
    Outcome,
    Reason,
    Seat,
    Unmet,
    check_start,
)
from companion.games.macroscope.asking import Close, call_only_wisher, update_queue
from companion.games.macroscope.corrections import CORRECTIONS
from companion.games.macroscope.moves import MOVES
from companion.games.macroscope.settings import MAX_TOKEN_NUMBER, Settings
from companion.games.macroscope.state import MacroscopeState, Phase, _, get_start_phase
from companion.games.macroscope.turns import start_next_turn, stop_turn

MIN_PLAYERS = 2
"""M6: with fewer players at the table there is no game."""


@dataclass(frozen=True, slots=True)
class Macroscope(MacroscopeState):
    """A game of Macroscope (`companion.api.game.Game`).

    >>> game = Macroscope.create(2, Seat(0), Settings()).play(Move("roll", Seat(0), (2, 5)))
    >>> [move.value for move in game.list_moves()]
    [(2,), (5,)]
    >>> game.play(Move("remove", Seat(0), (3,)))
    Traceback (most recent call last):
    ...
    companion.api.move.IllegalMove: M11: the dice allow a 2 or a 5, not a 3
    """

    MOVES = MOVES
    CORRECTIONS = CORRECTIONS
    MOVE_RULE = "M10"
    translate = _

    @classmethod
    def create(cls, player_count: int, first_seat: Seat, settings: Settings) -> Self:
        """Return a game at its start (M1 to M6).

        Args:
            player_count: number of players, within `settings.player_counts`.
            first_seat: seat that begins, from 0.

        Raises:
            ValueError: `player_count` is not allowed, or `first_seat` is not from 0 to `player_count` - 1.
        """
        check_start("Macroscope", settings.player_counts, player_count, first_seat)
        return cls(
            settings=settings,
            crystals=(settings.start_crystals,) * player_count,
            active_seat=first_seat,
            phase=get_start_phase(settings),
            tokens=(settings.tokens_per_number,) * MAX_TOKEN_NUMBER,
            away=(False,) * player_count,
            changes=(0,) * player_count,
            crystals_at_round_start=(settings.start_crystals,) * player_count,
        )

    def list_clocks(self) -> Sequence[GameClock]:
        """Return the house timers that should run now, lengths in seconds; empty: none is set.

        The clock of a turn only reminds; the clock of the asking closes it with CLOSE.
        """
        clocks = []
        if self.settings.turn_seconds and (self.phase is Phase.ROLL or self.is_active_free):
            clocks.append(GameClock(f"turn {self.turn_number}", self.settings.turn_seconds, label=_("Turn")))
        if self.settings.ask_seconds and self.phase is Phase.ASKING:
            name = f"anyone else, turn {self.turn_number}, {self.asking_reason}, {len(self.guessers)} so far"
            close = Move(Close.kind, self.active_seat)
            clocks.append(GameClock(name, self.settings.ask_seconds, close, _("Anyone else?")))
        return tuple(clocks)

    def compute_outcome(self) -> Outcome | None:
        """Return who has most crystals (M61; several share the victory), and the reason; None before the end."""
        if self.phase is not Phase.OVER:
            return None
        shared = N_("All {rounds} rounds are scored; {most} crystals are the most, the victory is shared.")
        alone = N_("All {rounds} rounds are scored; {most} crystals are the most.")
        return Outcome(
            self.leaders,
            _(shared if len(self.leaders) > 1 else alone, rounds=self.settings.rounds, most=max(self.crystals)),
        )

    def explain_end(self) -> Reason | None:
        if self.phase is not Phase.OVER:
            return None
        return Unmet("M60", N_("the game is over after {n} scored rounds"), values={"n": self.settings.rounds})

    def get_active_seat(self) -> Seat:
        return self.active_seat

    def explain_turn(self, rule: str) -> Reason:
        return Unmet(rule, N_("it is {who}'s turn, not {other}'s"), {"who": self.active_seat})

    def get_log_values(self, move: Move, names: Sequence[str]) -> Mapping[str, object]:
        return {"n": self.guess_value}

    def add_player(self) -> Self:
        """Return the game with one more player, who has the crystals of the start (A15)."""
        start = (self.settings.start_crystals,)
        return replace(
            MacroscopeState.add_player(self),
            crystals=self.crystals + start,
            crystals_at_round_start=self.crystals_at_round_start + start,
            round_scores=tuple((*points, 0) for points in self.round_scores),
        )

    def change_active_seat(self, seat: Seat) -> Self:
        return replace(self, active_seat=seat)

    def change_away(self, seat: Seat, is_away: bool) -> Self:
        """Return the game after a player left, whose turn ends as if they had declined (M16, M30), or came back."""
        if not is_away or self.away[seat]:
            return self.set_away(seat, is_away)
        if len(self.present_seats) <= MIN_PLAYERS:
            raise BadCorrection("M6", _("with fewer than two players there is no game: set it aside instead"))
        after = self.set_away(seat, True)
        if seat == self.active_seat:
            if self.is_active_free and self.opened_windows:
                return call_only_wisher(stop_turn(after))
            if self.phase in (Phase.ROLL, Phase.OPEN):
                return start_next_turn(after)
            if self.phase is Phase.COVER and not self.guessers:
                # After a void round (M50) the windows are covered at the start of the next turn.
                return replace(start_next_turn(after), phase=Phase.COVER)
        return update_queue(after)
