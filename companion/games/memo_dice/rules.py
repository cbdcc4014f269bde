"""Memo Dice as a frozen value: what the rules allow, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from companion.games.api.game import Correctable, Correction, GameClock, IllegalMove, Move, Outcome, Seat, is_legal
from companion.games.memo_dice import corrections, transitions
from companion.games.memo_dice.illegal_moves import explain_refusal
from companion.games.memo_dice.settings import Settings
from companion.games.memo_dice.state import MemoDiceState
from companion.games.memo_dice.view import MemoDiceView, Phase
from companion.i18n import N_, Translator

_ = Translator("memo_dice")


@dataclass(frozen=True, slots=True)
class MemoDice(MemoDiceState):
    """A game of Memo Dice (`companion.games.api.game.Game`).

    A die is entered by the colour of its symbol: 1 red, 2 blue, 3 black. A die that gets the golden cup is entered
    without its colour (D12, D14), so that the ledger cannot give it away. What the camera plays ("show", "show gold",
    "lift") leaves the die open, or the cup lifted, until the cup is put down, or the answer told.

    >>> game = MemoDice.new(2, Seat(0), Settings(cups_per_colour=1)).play(Move("die", Seat(0), (1,)))
    >>> [(move.kind, move.value) for move in game.moves()]
    [('die', (2,)), ('die', (3,)), ('gold', ()), ('show', (2,)), ('show', (3,)), ('show gold', ())]
    >>> game.play(Move("die", Seat(1), (1,)))
    Traceback (most recent call last):
    ...
    companion.games.api.game.IllegalMove: D14: no red cup is left, the golden cup covers this die
    """

    @classmethod
    def create(cls, player_count: int, first_seat: Seat, settings: Settings) -> MemoDice:
        """D1 to D3: the game at its start.

        Raises:
            ValueError: too few or too many players, or no such seat.
        """
        if not settings.players_min <= player_count <= settings.players_max:
            raise ValueError(
                f"Memo Dice is for {settings.players_min} to {settings.players_max} players, not {player_count}"
            )
        if not 0 <= first_seat < player_count:
            raise ValueError(f"seat {first_seat} cannot begin among {player_count} players")
        return cls(
            settings=settings,
            active_seat=first_seat,
            square_adjustments=(0,) * player_count,
            away=(False,) * player_count,
        )

    def list_moves(self) -> Sequence[Move]:
        return tuple(self._moves())

    def play(self, move: Move) -> MemoDice:
        if not is_legal(self, move):
            raise IllegalMove(explain_refusal(self, move))
        return transitions.apply_move(self, move)

    def list_correctables(self) -> Sequence[Correctable]:
        return corrections.list_correctables(self)

    def correct(self, correction: Correction) -> MemoDice:
        return corrections.apply_correction(self, correction)

    def list_clocks(self) -> Sequence[GameClock]:
        """House timers (A8): at the end of the one the die is covered, at the end of the other the cup is lost."""
        settings = self.settings
        if self.phase is Phase.LOOK and settings.memorise_seconds:
            name = f"look, die {len(self.cup_row) + 1} of round {self.round_number}"
            return (GameClock(name, settings.memorise_seconds, Move("cover", self.active_seat)),)
        if self.next_cup_index is not None and settings.answer_seconds and not (self.symbol_named or self.cup_lifted):
            name = f"answer, cup {self.next_cup_index + 1} of round {self.round_number}"
            return (GameClock(name, settings.answer_seconds, Move("miss", self.active_seat)),)
        return ()

    def compute_scores(self) -> Mapping[Seat, int]:
        """Squares of the pieces, so that the screen agrees with the board (A1)."""
        return {Seat(q): square for q, square in enumerate(self.squares)}

    def compute_outcome(self) -> Outcome | None:
        """D32: the highest square; several share the victory (A9)."""
        if self.phase is not Phase.OVER:
            return None
        most = max(self.squares)
        winners = tuple(seat for seat, square in self.compute_scores().items() if square == most)
        shared = N_("Square {target} ends the game; square {most} is the farthest, and the victory is shared.")
        alone = N_("Square {target} ends the game; square {most} is the farthest.")
        why = _(shared if len(winners) > 1 else alone, target=self.settings.target_square, most=most)
        return Outcome(winners, why)

    def build_view(self) -> MemoDiceView:
        return MemoDiceView(
            phase=self.phase,
            active_seat=self.active_seat,
            left_neighbour=self.left_of(self.active_seat),
            round_number=self.round_number,
            start_square=self.settings.start_square,
            target_square=self.settings.target_square,
            squares=self.squares,
            cup_row=self.cup_row,
            next_cup_index=self.next_cup_index,
            open_colour=self.open_colour,
            symbol_named=self.symbol_named,
            read_by_camera=self.read_by_camera,
            cup_lifted=self.cup_lifted,
            free_cups=tuple(self.free_cups.values()),
            cups_per_colour=self.settings.cups_per_colour,
            dice_count=self.settings.dice,
            dice_left=self.dice_left,
            points=self.round_scores[-1] if self.stage is Phase.SCORED else self.points,
            round_scores=self.round_scores,
            gold_holder=self.gold_holder,
            away=self.away,
            outcome=self.compute_outcome(),
        )

    def _moves(self) -> Iterator[Move]:
        match self.phase:
            case Phase.COVER:
                yield from (Move("die", self.active_seat, (int(colour),)) for colour in self.coverable_colours)
                if self.may_use_gold:
                    yield Move("gold", self.active_seat)
                # The same die as the camera tells it: it lies open until its cup is seen, or pressed.
                yield from (Move("show", self.active_seat, (int(colour),)) for colour in self.coverable_colours)
                if self.may_use_gold:
                    yield Move("show gold", self.active_seat)
            case Phase.LOOK:
                yield Move("cover", self.active_seat)
            case Phase.UNCOVER:
                if self.settings.answer_seconds and not (self.symbol_named or self.cup_lifted):
                    yield Move("call", self.active_seat)
                if not self.cup_lifted:
                    yield Move("lift", self.active_seat)
                yield Move("right", self.active_seat)
                yield Move("miss", self.active_seat)
            case Phase.SCORED:
                yield Move("next")
            case Phase.OVER:
                pass
