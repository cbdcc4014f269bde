"""The counting tray as a frozen value: what may be done, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.api import GameClock, Move, Outcome, Seat, ValueRange, check_start
from companion.games.counting_tray import corrections, illegal_moves, transitions
from companion.games.counting_tray.settings import Settings
from companion.games.counting_tray.state import (
    FACES,
    MAX_DICE_OF_A_FACE,
    CountingTrayState,
    MoveKind,
    Phase,
)
from companion.i18n import Translator

_ = Translator("counting_tray")

FACES_RANGE = ValueRange(FACES, 0, MAX_DICE_OF_A_FACE)
"""T2: how many dice show each face."""


@dataclass(frozen=True, slots=True)
class CountingTray(CountingTrayState):
    """Throws in the counting tray (`companion.api.game.Game`).

    >>> tray = CountingTray.create(1, Seat(0), Settings()).play(Move("throw", Seat(0), (2, 1, 0, 3, 0, 1)))
    >>> tray.hits, tray.dice_count, tray.play(Move("again", Seat(0), (1, 0, 0, 0, 2, 0))).hits
    (4, 7, 6)
    """

    _apply_move = transitions.apply_move
    _explain_refusal = illegal_moves.explain_refusal
    _list_correctables = corrections.list_correctables
    _apply_correction = corrections.apply_correction

    @classmethod
    def create(cls, player_count: int, first_seat: Seat, settings: Settings) -> CountingTray:
        """Return the empty tray.

        Args:
            player_count: number of players, within `settings.player_counts`.
            first_seat: who throws first.
            settings: what counts at the start.

        Raises:
            ValueError: `player_count` is not allowed, or `first_seat` is not from 0 to `player_count` - 1.
        """
        check_start("The counting tray", settings.player_counts, player_count, first_seat)
        nothing = (0,) * player_count
        return cls(
            settings,
            first_seat,
            settings.threshold,
            earlier_hits=nothing,
            changes=nothing,
            away=(False,) * player_count,
        )

    def list_clocks(self) -> Sequence[GameClock]:
        """Return nothing: no clock runs."""
        return ()

    def compute_outcome(self) -> Outcome | None:
        """Return who has most hits (T9), and the reason; None before the end."""
        if not self.is_over:
            return None
        most = self.totals[self.leaders[0]]
        return Outcome(self.leaders, _("The most hits: {n}.", n=most))

    def _list_moves(self) -> Iterator[Move]:
        if self.phase is Phase.OVER:
            return
        yield Move(MoveKind.THROW, self.active_seat, value_range=FACES_RANGE)
        if any(self.failed):
            yield Move(MoveKind.AGAIN, self.active_seat, value_range=FACES_RANGE)
        yield from (Move(MoveKind.THRESHOLD, None, (n,)) for n in range(1, FACES + 1) if n != self.threshold)
        if self.phase is Phase.COUNTED or len(self.present_seats) > 1:
            yield Move(MoveKind.NEXT, self.active_seat)
        if self.phase is Phase.THROW:
            yield Move(MoveKind.END)
