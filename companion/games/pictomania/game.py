"""Pictomania as a frozen value: set-up, clocks and outcome. What each move needs and does: `moves.py`."""

from collections.abc import Sequence
from dataclasses import dataclass

from companion.api import N_, Away, GameClock, Move, Outcome, Seat, check_start
from companion.games.pictomania.corrections import ROUND, TOTAL, BonusToken, Difficulty, Marker, OpenPile
from companion.games.pictomania.moves import (
    SCORE,
    START,
    Back,
    Deal,
    Drawn,
    EndDrawing,
    Go,
    Misdrawn,
    NextColour,
    NextPile,
    NextRound,
    Off,
    Right,
    TakeBonus,
    Wrong,
)
from companion.games.pictomania.settings import COUNTDOWN_SECONDS, MAX_PLAYERS, MIN_PLAYERS, Settings
from companion.games.pictomania.state import Phase, PictomaniaState, _


@dataclass(frozen=True, slots=True)
class Pictomania(PictomaniaState):
    """A game of Pictomania (`companion.api.game.Game`).

    >>> game = Pictomania.create(3, Seat(0), Settings())
    >>> for kind in ("deal", "start", "go"):
    ...     game = game.play(Move(kind))
    >>> game = game.play(Move("take", Seat(1)))
    >>> game.bonus_stars, game.tokens_left
    ((0, 2, 0), (1,))
    >>> game.play(Move("take", Seat(1)))
    Traceback (most recent call last):
    ...
    companion.api.move.IllegalMove: P24: seat 1 has taken a bonus token and is finished
    """

    MOVES = (
        *(Deal(), NextColour(), START, Go()),
        *(TakeBonus(), EndDrawing(), SCORE),
        *(NextPile(), NextRound(), Back(), Misdrawn(), Drawn(), Right(), Wrong(), Off()),
    )
    CORRECTIONS = (
        OpenPile("P21", N_("whose pile is open")),
        TOTAL,
        BonusToken(),
        ROUND,
        Difficulty(),
        Marker(),
        Away(),
    )

    @classmethod
    def create(cls, player_count: int, first_seat: Seat, settings: Settings) -> "Pictomania":
        """Return a game at its start (P1, P2).

        Args:
            player_count: number of players, 3 to 6.
            first_seat: seat whose pile is scored first, from 0.

        Raises:
            ValueError: `player_count` is not allowed, or `first_seat` is not from 0 to `player_count` - 1.
        """
        check_start("Pictomania", range(MIN_PLAYERS, MAX_PLAYERS + 1), player_count, first_seat)
        nothing, away = (0,) * player_count, (False,) * player_count
        return cls(
            settings,
            first_seat,
            Phase.DIFFICULTY,
            total_adjustments=nothing,
            round_adjustments=nothing,
            changes=nothing,
            away=away,
        )

    def list_clocks(self) -> Sequence[GameClock]:
        """Return the clocks that should run now, lengths in seconds: the countdown (P14) or a house timer; empty: none.

        When a clock runs out, its `on_expiry` move is played.
        """
        settings, where = self.settings, f"round {self.round_number}"
        match self.phase:
            case Phase.READING if settings.reading_seconds:
                return (GameClock(f"reading, {where}", settings.reading_seconds, Move(START.kind)),)
            case Phase.START:
                return (GameClock(f"start, {where}", COUNTDOWN_SECONDS, Move(Go.kind)),)
            case Phase.DRAWING if settings.drawing_seconds:
                return (GameClock(f"drawing, {where}", settings.drawing_seconds, Move(EndDrawing.kind)),)
            case _:
                return ()

    def compute_outcome(self) -> Outcome | None:
        """Return who has most points (P41; several share the victory), and the reason; None before the end."""
        if self.phase is not Phase.OVER:
            return None
        scored = _.plural("The round is scored", "All rounds are scored", len(self.round_scores))
        points = _.plural("{n} point is the most", "{n} points are the most", max(self.totals))
        if len(self.leaders) > 1:
            return Outcome(self.leaders, _("{scored}; {points}, the victory is shared.", scored=scored, points=points))
        return Outcome(self.leaders, _("{scored}; {points}.", scored=scored, points=points))
