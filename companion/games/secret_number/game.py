"""Secret Number as a frozen value: its start, its clocks, its end. What each move needs and does: `moves.py`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from companion.api import BadCorrection, GameClock, Move, Outcome, Reason, Seat, check_start, format_number
from companion.games.secret_number.corrections import CORRECTIONS
from companion.games.secret_number.moves import GO, MOVES, EndRound
from companion.games.secret_number.settings import Settings
from companion.games.secret_number.state import MIN_PLAYERS, Phase, SecretNumberState, _


@dataclass(frozen=True, slots=True)
class SecretNumber(SecretNumberState):
    """A match of Secret Number.

    >>> game = SecretNumber.create(3, Seat(0), Settings())
    >>> for kind in ("dealt", "ready", "go"):
    ...     game = game.play(Move(kind))
    >>> game = game.play(Move("lay", Seat(0)))
    >>> [move.seat for move in game.list_moves() if move.kind == "lay"]
    [1, 2]
    >>> game.play(Move("lay", Seat(0)))
    Traceback (most recent call last):
    ...
    companion.api.move.IllegalMove: S21: seat 0 laid the last card; another player must lay one first
    """

    MOVES = MOVES
    CORRECTIONS = CORRECTIONS
    MOVE_RULE = "S20"
    translate = _

    @classmethod
    def create(cls, player_count: int, first_seat: Seat, settings: Settings) -> Self:
        """Return a match at its start (S1 to S6).

        Args:
            player_count: number of players, within `settings.player_counts`.
            first_seat: checked only; nobody goes first, as all play a round at the same time (S20).

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

    def explain_end(self) -> Reason | None:
        if self.phase is not Phase.OVER:
            return None
        games = self.settings.games
        return "S36", _.plural("the match is over after {n} game", "the match is over after {n} games", games)

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
                return (GameClock(f"show, {where}", settings.show_seconds, Move(GO.kind)),)
            case Phase.ROUND:
                return (GameClock(where, settings.round_seconds, Move(EndRound.kind)),)
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

    def change_away(self, seat: Seat, is_away: bool) -> Self:
        """Who leaves lays no more cards; those that lie there count. Who was not dealt in joins the next game."""
        game = self.set_away(seat, is_away)
        is_dealing = game.phase is Phase.DEAL
        if len(game.present_seats) < MIN_PLAYERS or (not is_dealing and len(game.active_seats) < MIN_PLAYERS):
            message = _("fewer than {n} players would be left; set the game aside instead")
            raise BadCorrection("S2", message, n=MIN_PLAYERS)
        return replace(game, participants=game.present_seats) if is_dealing else game

    def get_log_values(self, move: Move, names: Sequence[str]) -> Mapping[str, object]:
        card = len(self.cards_right) + 1
        return {
            "card": card,
            "earlier": card - 1,
            "game": self.game_number,
            "round": self.round_number,
            "bonus": move.value[0] if move.value else 0,
            "scores": ", ".join(f"{names[q]} {format_number(tally.total)}" for q, tally in enumerate(self.tallies)),
        }
