"""A game of entered points as a frozen value: what may be entered, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.api import GameClock, Move, Outcome, PlayerCountSettings, Seat, ValueRange, check_start
from companion.games.game_file.points import corrections, illegal_moves, transitions
from companion.games.game_file.points.formulas import PointsRules
from companion.games.game_file.points.state import MoveKind, PointsGameState
from companion.i18n import Translator

_ = Translator("game_file")


@dataclass(frozen=True, slots=True)
class PointsGame(PointsGameState):
    """A game of entered points that a file describes (`companion.api.game.Game`)."""

    _apply_move = transitions.apply_move
    _explain_refusal = illegal_moves.explain_refusal
    _list_correctables = corrections.list_correctables
    _apply_correction = corrections.apply_correction

    @classmethod
    def create(
        cls, player_count: int, first_seat: Seat, settings: PlayerCountSettings, rules: PointsRules, title: str
    ) -> PointsGame:
        """Return a game at its start.

        Args:
            player_count: number of players, within `settings.player_counts`.
            first_seat: seat that begins, in games with turns.
            settings: house rules.
            rules: compiled rules of the game's file.
            title: title of the game, for the message of the error.

        Raises:
            ValueError: `player_count` is not allowed, or `first_seat` is not from 0 to `player_count` - 1.
        """
        check_start(title, settings.player_counts, player_count, first_seat)
        nothing = (0,) * player_count
        nobody = (False,) * player_count
        return cls(
            rules=rules,
            settings=settings,
            active_seat=first_seat,
            first_seat=first_seat,
            entered=((),) * player_count,
            has_acted=nobody,
            current_points=nothing,
            adjustments=nothing,
            changes=nothing,
            away=nobody,
        )

    def list_clocks(self) -> Sequence[GameClock]:
        """Return no clock."""
        return ()

    def compute_outcome(self) -> Outcome | None:
        """Return who has won (G69; several share the victory), and the reason; None before the end."""
        if not self.is_over:
            return None
        points = self.totals[self.leaders[0]]
        is_lowest = self.rules.model.lowest_wins
        if is_lowest:
            reason = _.plural("The lowest score wins: {n} point.", "The lowest score wins: {n} points.", points)
        else:
            reason = _.plural("The highest score wins: {n} point.", "The highest score wins: {n} points.", points)
        return Outcome(self.leaders, reason, lowest_wins=is_lowest)

    def _list_moves(self) -> Iterator[Move]:
        for seat in self.seats_to_enter:
            allowed, entry = self.list_allowed(seat), self.find_next_entry(seat)
            if len(allowed) == 1 or (entry is not None and self.is_question(entry)):
                yield from (Move(MoveKind.ENTER, seat, (number,)) for number in reversed(allowed))
            else:
                low, high = allowed[0], allowed[-1]
                excluded = tuple(sorted({*range(low, high + 1)} - {*allowed}))
                yield Move(MoveKind.ENTER, seat, value_range=ValueRange(1, low, high, excluded))
        yield from (Move(MoveKind.AGAIN, seat) for seat in self.present_seats if self.may_enter_again(seat))
        if not self.is_over:
            yield Move(MoveKind.END)
