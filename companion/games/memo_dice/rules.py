"""Memo Dice as a frozen value: legal moves, clocks, outcome and view."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.api import GameClock, Move, Outcome, Seat, check_start
from companion.games.memo_dice import corrections, illegal_moves, transitions
from companion.games.memo_dice.settings import Settings
from companion.games.memo_dice.state import MemoDiceState, MoveKind, Phase
from companion.i18n import N_, Translator

_ = Translator("memo_dice")


@dataclass(frozen=True, slots=True)
class MemoDice(MemoDiceState):
    """A game of Memo Dice (`companion.api.game.Game`).

    A die is entered by the colour of its symbol: 1 red, 2 blue, 3 black. A die that gets the golden cup is entered
    without its colour (D12, D14), so that nothing stored can give it away. The camera's moves (SHOW, SHOW_GOLD, LIFT)
    leave the die open, or the cup lifted, until the cup is put down, or the answer entered.

    >>> game = MemoDice.create(2, Seat(0), Settings(cups_per_colour=1)).play(Move("die", Seat(0), (1,)))
    >>> [(str(move.kind), move.value) for move in game.list_moves()]
    [('die', (2,)), ('die', (3,)), ('gold', ()), ('show', (2,)), ('show', (3,)), ('show gold', ())]
    >>> game.play(Move("die", Seat(1), (1,)))
    Traceback (most recent call last):
    ...
    companion.api.game.IllegalMove: D14: no red cup is left, the golden cup covers this die
    """

    _apply_move = transitions.apply_move
    _explain_refusal = illegal_moves.explain_refusal
    _list_correctables = corrections.list_correctables
    _apply_correction = corrections.apply_correction

    @classmethod
    def create(cls, player_count: int, first_seat: Seat, settings: Settings) -> MemoDice:
        """Return a game at its start (D1 to D3).

        Args:
            player_count: number of players, within `settings.player_counts`.
            first_seat: seat that rolls first, from 0.
            settings: house rules.

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
            return (GameClock(name, settings.memorise_seconds, Move(MoveKind.COVER, self.active_seat)),)
        if self.next_cup_index is not None and self.may_name:
            name = f"answer, cup {self.next_cup_index + 1} of round {self.round_number}"
            return (GameClock(name, settings.answer_seconds, Move(MoveKind.MISS, self.active_seat)),)
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

    def _list_moves(self) -> Iterator[Move]:
        seat = self.active_seat
        match self.phase:
            case Phase.COVER:
                # SHOW is the same die as the camera reads it: it lies open until its cup is seen, or pressed.
                for die, gold in ((MoveKind.DIE, MoveKind.GOLD), (MoveKind.SHOW, MoveKind.SHOW_GOLD)):
                    yield from (Move(die, seat, (int(colour),)) for colour in self.coverable_colours)
                    if self.may_use_gold:
                        yield Move(gold, seat)
            case Phase.LOOK:
                yield Move(MoveKind.COVER, seat)
            case Phase.UNCOVER:
                if self.may_name:
                    yield Move(MoveKind.CALL, seat)
                if not self.cup_lifted:
                    yield Move(MoveKind.LIFT, seat)
                yield Move(MoveKind.RIGHT, seat)
                yield Move(MoveKind.MISS, seat)
            case Phase.SCORED:
                yield Move(MoveKind.NEXT)
