"""Memo Dice as a frozen value: set-up, clocks and outcome. What each move needs and does: `moves.py`."""

from collections.abc import Sequence
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
from companion.games.memo_dice.corrections import CORRECTIONS
from companion.games.memo_dice.moves import MOVES, Call, CoverDie, Miss
from companion.games.memo_dice.settings import Settings
from companion.games.memo_dice.state import MemoDiceState, Phase, _

MIN_PLAYERS = 2
"""D2: with fewer players at the table there is no game."""


@dataclass(frozen=True, slots=True)
class MemoDice(MemoDiceState):
    """A game of Memo Dice (`companion.api.game.Game`).

    A die is entered by the colour of its symbol: 1 red, 2 blue, 3 black. A die that gets the golden cup is entered
    without its colour (D12, D14), so that nothing stored can give it away. The camera's moves (SHOW, SHOW_GOLD, LIFT)
    leave the die open, or the cup lifted, until the cup is put down, or the answer entered.

    >>> game = MemoDice.create(2, Seat(0), Settings(cups_per_colour=1)).play(Move("die", Seat(0), (1,)))
    >>> [(str(move.kind), move.value) for move in game.list_moves()]
    [('show', (2,)), ('show', (3,)), ('show gold', ()), ('die', (2,)), ('die', (3,)), ('gold', ())]
    >>> game.play(Move("die", Seat(1), (1,)))
    Traceback (most recent call last):
    ...
    companion.api.move.IllegalMove: D14: no red cup is left, the golden cup covers this die
    """

    MOVES = MOVES
    CORRECTIONS = CORRECTIONS
    MOVE_RULE = "D10"
    translate = _

    @classmethod
    def create(cls, player_count: int, first_seat: Seat, settings: Settings) -> Self:
        """Return a game at its start (D1 to D3).

        Args:
            player_count: number of players, within `settings.player_counts`.
            first_seat: seat that rolls first, from 0.

        Raises:
            ValueError: `player_count` is not allowed, or `first_seat` is not from 0 to `player_count` - 1.
        """
        check_start("Memo Dice", settings.player_counts, player_count, first_seat)
        return cls(
            settings=settings,
            active_seat=first_seat,
            square_adjustments=(0,) * player_count,
            away=(False,) * player_count,
            changes=(0,) * player_count,
        )

    def list_clocks(self) -> Sequence[GameClock]:
        """Return the house timers (A8) that should run now, lengths in seconds; empty: none is set.

        When the time to look runs out, the die is covered (COVER); when the time to answer does, it is a MISS.
        """
        settings = self.settings
        if self.phase is Phase.LOOK and settings.memorise_seconds:
            name = f"look, die {len(self.cup_row) + 1} of round {self.round_number}"
            return (GameClock(name, settings.memorise_seconds, Move(CoverDie.kind, self.active_seat)),)
        if self.list_seats(Call.kind):
            name = f"answer, cup {self.find_next_cup()[0]} of round {self.round_number}"
            return (GameClock(name, settings.answer_seconds, Move(Miss.kind, self.active_seat)),)
        return ()

    def compute_outcome(self) -> Outcome | None:
        """Return who is on the highest square (D32, A9: a tie is shared), and the reason; None before the end."""
        if self.phase is not Phase.OVER:
            return None
        shared = N_("The target is square {target}. Square {most} is shared.")
        alone = N_("The target is square {target}. Farthest: {most}.")
        return Outcome(
            self.leaders,
            _(shared if len(self.leaders) > 1 else alone, target=self.settings.target_square, most=max(self.totals)),
        )

    def explain_end(self) -> Reason | None:
        if self.phase is not Phase.OVER:
            return None
        text = N_("the game is over, square {n} is reached")
        return Unmet("D32", text, values={"n": self.settings.target_square})

    def get_active_seat(self) -> Seat:
        return self.active_seat

    def change_active_seat(self, seat: Seat) -> Self:
        return replace(self, active_seat=seat, symbol_named=False)

    def change_away(self, seat: Seat, is_away: bool) -> Self:
        """Return the game after a player left, who is skipped, or came back, who is asked again from now on."""
        min_players = max(MIN_PLAYERS, self.settings.players_min)
        if is_away and not self.away[seat] and len(self.present_seats) <= min_players:
            message = _("fewer than {n} players would stay; set the game aside instead")
            raise BadCorrection("D2", message, n=min_players)
        after = self.set_away(seat, is_away)
        if is_away and self.active_seat == seat:
            return after.change_active_seat(after.find_next_seat(seat))
        if not is_away and self.stage is Phase.SCORED and self.gold_holder == seat:
            return replace(after, active_seat=seat)
        return after
