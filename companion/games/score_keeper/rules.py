"""The score keeper as a frozen value: what may be entered, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.api import GameClock, Move, Outcome, Seat, ValueRange, check_start
from companion.games.score_keeper import corrections, illegal_moves, transitions
from companion.games.score_keeper.settings import Settings
from companion.games.score_keeper.state import MAX_TURN_TENTHS, TENTHS, MoveKind, Phase, ScoreKeeperState
from companion.i18n import Translator

_ = Translator("score_keeper")

TURN_RANGE = ValueRange(1, 0, MAX_TURN_TENTHS)
"""K16: time of a turn, in tenths of a second."""


@dataclass(frozen=True, slots=True)
class ScoreKeeper(ScoreKeeperState):
    """A game of the score keeper (`companion.api.game.Game`).

    >>> game = ScoreKeeper.create(2, Seat(0), Settings(target_points=10))
    >>> game = game.play(Move("point", Seat(0))).play(Move("add", Seat(1), (10,)))
    >>> game.totals, game.compute_outcome().winners
    ((1, 10), (1,))
    """

    _apply_move = transitions.apply_move
    _explain_refusal = illegal_moves.explain_refusal
    _list_correctables = corrections.list_correctables
    _apply_correction = corrections.apply_correction

    @classmethod
    def create(cls, player_count: int, first_seat: Seat, settings: Settings) -> ScoreKeeper:
        """Return a game at its start.

        Args:
            player_count: number of players, within `settings.player_counts`.
            first_seat: checked only; who begins presses the own button (K5, K6).
            settings: what is played.

        Raises:
            ValueError: `player_count` is not allowed, or `first_seat` is not from 0 to `player_count` - 1.
        """
        check_start("The score keeper", settings.player_counts, player_count, first_seat)
        nothing = (0,) * player_count
        nobody = (False,) * player_count
        game = cls(
            settings,
            phase=Phase.WAIT if settings.has_turns else Phase.PLAY,
            has_acted=nobody,
            current_points=nothing,
            adjustments=nothing,
            turn_counts=nothing,
            turn_tenths=nothing,
            longest_tenths=nothing,
            bank_tenths=nothing,
            periods_used=nothing,
            changes=nothing,
            away=nobody,
        )
        return transitions.begin_turn(game, first_seat) if settings.has_turns and player_count == 1 else game

    def list_clocks(self) -> Sequence[GameClock]:
        """Return the clock of the turn in play, in seconds; empty: nobody has a turn.

        Without a limit (K13) it runs for a day: it only measures the turn (K16).
        """
        seat, limit = self.active_seat, self.turn_limit_seconds
        if seat is None:
            return ()
        if limit is None:
            return (GameClock(self.turn_clock_name, MAX_TURN_TENTHS / TENTHS),)
        on_expiry = Move(MoveKind.PASS, seat, (round(limit * TENTHS),)) if self.ends_turn_in_time else None
        return (GameClock(self.turn_clock_name, limit, on_expiry),)

    def compute_outcome(self) -> Outcome | None:
        """Return who has won (K11; several share the victory), and the reason, after the game's name (K18).

        None before the end.
        """
        if self.phase is not Phase.OVER:
            return None
        points = self.totals[self.leaders[0]]
        is_lowest = self.settings.lowest_wins
        if is_lowest:
            reason = _.plural("The lowest score wins: {n} point.", "The lowest score wins: {n} points.", points)
        else:
            reason = _.plural("The highest score wins: {n} point.", "The highest score wins: {n} points.", points)
        if self.lost_on_time is not None and self.player_count > 1:
            reason = _("Time was up: the turn was not ended in time.")
        name = self.settings.name
        return Outcome(self.leaders, f"{name}. {reason}" if name else reason, lowest_wins=is_lowest)

    def _list_moves(self) -> Iterator[Move]:
        match self.phase:
            case Phase.WAIT:
                yield from (Move(MoveKind.TAKE, q) for q in self.seats_to_act)
                yield Move(MoveKind.END)
            case Phase.PLAY:
                yield from self._list_point_moves()
                if self.active_seat is not None:
                    yield Move(MoveKind.PASS, self.active_seat, value_range=TURN_RANGE)
                elif self.settings.has_rounds:
                    yield Move(MoveKind.ROUND)
                yield Move(MoveKind.END, value_range=None if self.active_seat is None else TURN_RANGE)

    def _list_point_moves(self) -> Iterator[Move]:
        for seat in self.present_seats:
            amounts = self.get_amount_range(seat)
            if amounts.high > 0:
                yield Move(MoveKind.POINT, seat)
            yield Move(MoveKind.ADD, seat, value_range=amounts)
