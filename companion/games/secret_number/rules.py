"""Secret Number as a frozen value: what the rules allow, and what follows from a move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.api import GameClock, Move, Outcome, Seat, check_start
from companion.games.secret_number import corrections, illegal_moves, transitions
from companion.games.secret_number.settings import DISPLAY_BONUSES, Settings
from companion.games.secret_number.state import MoveKind, Phase, SecretNumberState
from companion.i18n import Translator

_ = Translator("secret_number")

_TABLE_MOVES = {
    Phase.DEAL: (MoveKind.DEALT, MoveKind.AGAIN),
    Phase.PREPARE: (MoveKind.READY,),
    Phase.SHOW: (MoveKind.GO, MoveKind.WAIT),
    Phase.ROUND: (MoveKind.END,),
    Phase.FIX: (MoveKind.BACK,),
    Phase.REVEAL: (MoveKind.FIX,),
    Phase.BONUS: (MoveKind.FIX,),
    Phase.RESULT: (MoveKind.NEXT, MoveKind.FIX),
}
"""Moves of the whole table that are always legal in a phase. S25: at any time of the reveal it may turn out that the
pile differs from the presses."""


@dataclass(frozen=True, slots=True)
class SecretNumber(SecretNumberState):
    """A match of Secret Number (`companion.api.game.Game`).

    >>> game = SecretNumber.create(3, Seat(0), Settings())
    >>> for kind in ("dealt", "ready", "go"):
    ...     game = game.play(Move(kind))
    >>> game = game.play(Move("lay", Seat(0)))
    >>> [move.seat for move in game.list_moves() if move.kind == "lay"]
    [1, 2]
    >>> game.play(Move("lay", Seat(0)))
    Traceback (most recent call last):
    ...
    companion.api.game.IllegalMove: S21: seat 0 laid the last card; another player must lay one first
    """

    _apply_move = transitions.apply_move
    _explain_refusal = illegal_moves.explain_refusal
    _list_correctables = corrections.list_correctables
    _apply_correction = corrections.apply_correction

    @classmethod
    def create(cls, player_count: int, first_seat: Seat, settings: Settings) -> SecretNumber:
        """Return a match at its start (S1 to S6).

        Args:
            player_count: number of players, within `settings.player_counts`.
            first_seat: checked only; nobody goes first, as all play a round at the same time (S20).
            settings: house rules.

        Raises:
            ValueError: `player_count` is not allowed, or `first_seat` is not from 0 to `player_count` - 1.
        """
        check_start("Secret Number", settings.player_counts, player_count, first_seat)
        nothing = (0,) * player_count
        return cls(
            settings,
            participants=tuple(Seat(q) for q in range(player_count)),
            display_bonuses=nothing,
            total_adjustments=nothing,
            changes=nothing,
            away=(False,) * player_count,
        )

    def list_clocks(self) -> Sequence[GameClock]:
        """Return the clocks that should run now, lengths in seconds; empty: none.

        There is the time of a round (S23, A14), the countdown before it (S11 to S13), and the house timer that reminds
        players who still choose.
        """
        settings, where = self.settings, f"game {self.game_number}, round {self.round_number}"
        match self.phase:
            case Phase.PREPARE if settings.choose_seconds:
                return (GameClock(f"choose, {where}", settings.choose_seconds),)
            case Phase.SHOW:
                return (GameClock(f"show, {where}", settings.show_seconds, Move(MoveKind.GO)),)
            case Phase.ROUND:
                return (GameClock(where, settings.round_seconds, Move(MoveKind.END)),)
        return ()

    def compute_outcome(self) -> Outcome | None:
        """Return who has most points (S36; several share the victory), and the reason; None before the end."""
        if self.phase is not Phase.OVER:
            return None
        scored = _.plural("The game is scored", "All {n} games are scored", self.settings.games)
        points = _.plural("{n} point is the most", "{n} points are the most", max(self.totals))
        if len(self.leaders) > 1:
            return Outcome(self.leaders, _("{scored}; {points}, the victory is shared.", scored=scored, points=points))
        return Outcome(self.leaders, _("{scored}; {points}.", scored=scored, points=points))

    def _list_moves(self) -> Iterator[Move]:
        yield from (Move(MoveKind.LAY, q) for q in self.seats_able_to_lay)
        yield from (Move(MoveKind.INSERT, q) for q in self.seats_able_to_insert)
        if self.bonus_seat is not None:
            yield from (Move(MoveKind.BONUS, self.bonus_seat, (bonus,)) for bonus in DISPLAY_BONUSES)
        if self.next_card is not None:
            kinds = {Phase.REVEAL: (MoveKind.RIGHT, MoveKind.WRONG), Phase.FIX: (MoveKind.REMOVE,)}
            yield from (Move(kind, self.next_card[1]) for kind in kinds.get(self.phase, ()))
        if self.phase is Phase.FIX and self.cards_right:
            yield Move(MoveKind.EARLIER)
        yield from map(Move, _TABLE_MOVES.get(self.phase, ()))
