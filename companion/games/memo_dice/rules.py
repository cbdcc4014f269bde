"""Memo Dice as a frozen value: what the rules allow, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from companion.games.api.game import Clock, Correctable, Correction, IllegalMove, Move, Outcome, Seat, legal
from companion.games.memo_dice import corrections, transitions
from companion.games.memo_dice.illegal_moves import refusal
from companion.games.memo_dice.settings import Settings
from companion.games.memo_dice.state import Position
from companion.games.memo_dice.view import MemoDiceView, Phase
from companion.i18n import N_, Words

_ = Words("memo_dice")


@dataclass(frozen=True, slots=True)
class MemoDice(Position):
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
    def new(cls, players: int, first: Seat, settings: Settings) -> MemoDice:
        """D1 to D3: the game at its start.

        Raises:
            ValueError: too few or too many players, or no such seat.
        """
        if not settings.players_min <= players <= settings.players_max:
            raise ValueError(
                f"Memo Dice is for {settings.players_min} to {settings.players_max} players, not {players}"
            )
        if not 0 <= first < players:
            raise ValueError(f"seat {first} cannot begin among {players} players")
        return cls(settings=settings, active=first, shifts=(0,) * players, away=(False,) * players)

    def moves(self) -> Sequence[Move]:
        return tuple(self._moves())

    def play(self, move: Move) -> MemoDice:
        if not legal(self, move):
            raise IllegalMove(refusal(self, move))
        return transitions.step(self, move)

    def correctables(self) -> Sequence[Correctable]:
        return corrections.correctables(self)

    def correct(self, correction: Correction) -> MemoDice:
        return corrections.corrected(self, correction)

    def clocks(self) -> Sequence[Clock]:
        """House timers (A8): at the end of the one the die is covered, at the end of the other the cup is lost."""
        settings = self.settings
        if self.phase is Phase.LOOK and settings.memorise_seconds:
            name = f"look, die {len(self.row) + 1} of round {self.round}"
            return (Clock(name, settings.memorise_seconds, Move("cover", self.active)),)
        if self.next_cup is not None and settings.answer_seconds and not (self.called or self.lifted):
            name = f"answer, cup {self.next_cup + 1} of round {self.round}"
            return (Clock(name, settings.answer_seconds, Move("miss", self.active)),)
        return ()

    def scores(self) -> Mapping[Seat, int]:
        """Squares of the pieces, so that the screen agrees with the board (A1)."""
        return {Seat(q): square for q, square in enumerate(self.squares)}

    def outcome(self) -> Outcome | None:
        """D32: the highest square; several share the victory (A9)."""
        if self.phase is not Phase.OVER:
            return None
        most = max(self.squares)
        winners = tuple(seat for seat, square in self.scores().items() if square == most)
        shared = N_("Square {target} ends the game; square {most} is the farthest, and the victory is shared.")
        alone = N_("Square {target} ends the game; square {most} is the farthest.")
        why = _(shared if len(winners) > 1 else alone, target=self.settings.target_square, most=most)
        return Outcome(winners, why)

    def view(self) -> MemoDiceView:
        return MemoDiceView(
            phase=self.phase,
            active=self.active,
            left=self.left_of(self.active),
            round=self.round,
            start_square=self.settings.start_square,
            target_square=self.settings.target_square,
            squares=self.squares,
            row=self.row,
            next_cup=self.next_cup,
            looking=self.looking,
            called=self.called,
            seen=self.seen,
            lifted=self.lifted,
            free=tuple(self.free.values()),
            cups_per_colour=self.settings.cups_per_colour,
            dice=self.settings.dice,
            dice_left=self.dice_left,
            points=self.rounds[-1] if self.stage is Phase.SCORED else self.points,
            rounds=self.rounds,
            gold_holder=self.gold_holder,
            away=self.away,
            outcome=self.outcome(),
        )

    def _moves(self) -> Iterator[Move]:
        match self.phase:
            case Phase.COVER:
                yield from (Move("die", self.active, (int(colour),)) for colour in self.coverable)
                if self.may_use_gold:
                    yield Move("gold", self.active)
                # The same die as the camera tells it: it lies open until its cup is seen, or pressed.
                yield from (Move("show", self.active, (int(colour),)) for colour in self.coverable)
                if self.may_use_gold:
                    yield Move("show gold", self.active)
            case Phase.LOOK:
                yield Move("cover", self.active)
            case Phase.UNCOVER:
                if self.settings.answer_seconds and not (self.called or self.lifted):
                    yield Move("call", self.active)
                if not self.lifted:
                    yield Move("lift", self.active)
                yield Move("right", self.active)
                yield Move("miss", self.active)
            case Phase.SCORED:
                yield Move("next")
            case Phase.OVER:
                pass
