"""The score keeper as a frozen value: what may be entered, and what follows from it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

from companion.api import (
    N_,
    BadCorrection,
    Game,
    GameClock,
    Move,
    Offer,
    Outcome,
    Reason,
    Seat,
    Visibility,
    check_start,
    replace_at,
)
from companion.games.score_keeper.clock import ends_turn_in_time, get_turn_limit
from companion.games.score_keeper.corrections import CORRECTIONS
from companion.games.score_keeper.moves import MOVES, AddPoints, Pass, Point
from companion.games.score_keeper.settings import Settings
from companion.games.score_keeper.state import MAX_TURN_TENTHS, TENTHS, Phase, ScoreKeeperState, _, format_halves
from companion.games.score_keeper.turns import begin_turn, pass_turn


@dataclass(frozen=True, slots=True)
class ScoreKeeper(ScoreKeeperState):
    """A game of the score keeper.

    >>> game = ScoreKeeper.create(2, Seat(0), Settings(target_points=10))
    >>> game = game.play(Move("point", Seat(0))).play(Move("add", Seat(1), (10,)))
    >>> game.totals, game.compute_outcome().winners
    ((1, 10), (1,))
    """

    MOVES = MOVES
    CORRECTIONS = CORRECTIONS
    MOVE_RULE = "K2"
    translate = _

    @classmethod
    def create(cls, player_count: int, first_seat: Seat, settings: Settings) -> Self:
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
            period_tenths=nothing,
            period_turns=nothing,
            changes=nothing,
            away=nobody,
        )
        return begin_turn(game, first_seat) if settings.has_turns and player_count == 1 else game

    def list_clocks(self) -> Sequence[GameClock]:
        """Return the clock of the turn in play, in seconds; empty: nobody has a turn.

        Without a limit (K13) it runs for a day: it only measures the turn (K16).
        """
        seat, limit = self.active_seat, get_turn_limit(self)
        if seat is None:
            return ()
        if limit is None:
            return (GameClock(self.turn_clock_name, MAX_TURN_TENTHS / TENTHS),)
        on_expiry = Move(Pass.kind, seat, (round(limit * TENTHS),)) if ends_turn_in_time(self) else None
        clock = GameClock(self.turn_clock_name, limit, on_expiry)
        if self.settings.clock != "turn" or limit == self.settings.turn_seconds:
            return (clock,)
        # Its last seconds tick before the grace, too.
        return (clock, GameClock(f"{self.turn_clock_name}, grace", self.settings.turn_seconds))

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
        if self.settings.komi_halves and self.komi_seat is not None:
            reason += " " + _("With a komi of {points}.", points=format_halves(self.settings.komi_halves))
        others = [total for seat, total in enumerate(self.totals) if seat not in self.leaders]
        reached = min(points, self.settings.target_points) if self.settings.target_points and not is_lowest else points
        ahead = min((abs(reached - total) for total in others), default=0)
        if 0 < self.settings.skunk_points <= ahead:
            reason += " " + _("By {n} points: a skunk.", n=ahead)
        if self.lost_on_time is not None and self.player_count > 1:
            reason = _("Time was up: the turn was not ended in time.")
        name = self.settings.name
        return Outcome(self.leaders, f"{name}. {reason}" if name else reason, lowest_wins=is_lowest)

    def explain_end(self) -> Reason | None:
        """Return that the game is over (K10)."""
        return ("K10", N_("the game is over")) if self.phase is Phase.OVER else None

    def get_active_seat(self) -> Seat:
        """Return who has the turn; somebody must have it."""
        assert self.active_seat is not None
        return self.active_seat

    def list_offers(self, names: Sequence[str], visibility: Visibility) -> Iterator[Offer]:
        """Yield what can be pressed, each player's two keys side by side."""

        def get_place(offer: Offer) -> int:
            move = offer.action
            if isinstance(move, Move) and move.kind in (Point.kind, AddPoints.kind):
                return move.player
            return self.player_count

        yield from sorted(Game.list_offers(self, names, visibility), key=get_place)

    def change_active_seat(self, seat: Seat) -> Self:
        """Return the game in which `seat` has a new turn."""
        if seat == self.active_seat:
            return self
        return replace(begin_turn(self, seat), has_acted=replace_at(self.has_acted, seat, False))

    def add_player(self) -> Self:
        """Return the game with one more player, who has not had the turn of this round yet (K20)."""
        worst = max(self.totals) if self.settings.lowest_wins else min(self.totals)
        first_score = worst if self.settings.late_joiners == "as_last" else 0
        return replace(
            ScoreKeeperState.add_player(self),
            has_acted=(*self.has_acted, False),
            finished_rounds=tuple((*points, 0) for points in self.finished_rounds),
            current_points=(*self.current_points, 0),
            adjustments=(*self.adjustments, first_score),
            turn_counts=(*self.turn_counts, 0),
            turn_tenths=(*self.turn_tenths, 0),
            longest_tenths=(*self.longest_tenths, 0),
            bank_tenths=(*self.bank_tenths, 0),
            periods_used=(*self.periods_used, 0),
            period_tenths=(*self.period_tenths, 0),
            period_turns=(*self.period_turns, 0),
        )

    def change_away(self, seat: Seat, is_away: bool) -> Self:
        """Return the game after a player left or came back; the turn of one who leaves passes on without a time."""
        if is_away == self.away[seat]:
            return self
        if is_away and len(self.present_seats) == 1:
            raise BadCorrection("K1", _("somebody has to stay; end the game instead"))
        game = self.set_away(seat, is_away)
        if is_away and game.active_seat == seat:
            return pass_turn(game, seat)
        if is_away and game.phase is Phase.WAIT and len(game.seats_to_act) == 1:
            return begin_turn(game, game.seats_to_act[0])
        return game
