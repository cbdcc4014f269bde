"""Pictomania as a frozen value: what the rules allow, and what follows from a move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.api import GameClock, Move, Outcome, Seat, check_start
from companion.games.pictomania import corrections, illegal_moves, transitions
from companion.games.pictomania.settings import CLUE_COUNT, COUNTDOWN_SECONDS, MAX_PLAYERS, MIN_PLAYERS, Settings
from companion.games.pictomania.state import MoveKind, Phase, PictomaniaState
from companion.i18n import Translator

_ = Translator("pictomania")

_TABLE_MOVES = {
    Phase.DIFFICULTY: (MoveKind.DEAL,),
    Phase.READING: (MoveKind.START,),
    Phase.START: (MoveKind.GO,),
    Phase.STOP: (MoveKind.SCORE,),
    Phase.ROUND: (MoveKind.NEXT_ROUND, MoveKind.BACK),
}
"""Moves of the whole table that are always legal in a phase."""


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
    companion.api.game.IllegalMove: P24: seat 1 has taken a bonus token and is finished
    """

    _apply_move = transitions.apply_move
    _explain_refusal = illegal_moves.explain_refusal
    _list_correctables = corrections.list_correctables
    _apply_correction = corrections.apply_correction

    @classmethod
    def create(cls, player_count: int, first_seat: Seat, settings: Settings) -> Pictomania:
        """Return a game at its start (P1, P2).

        Args:
            player_count: number of players, 3 to 6.
            first_seat: seat whose pile is scored first, from 0.
            settings: house rules.

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
                return (GameClock(f"reading, {where}", settings.reading_seconds, Move(MoveKind.START)),)
            case Phase.START:
                return (GameClock(f"start, {where}", COUNTDOWN_SECONDS, Move(MoveKind.GO)),)
            case Phase.DRAWING if settings.drawing_seconds:
                return (GameClock(f"drawing, {where}", settings.drawing_seconds, Move(MoveKind.STOP)),)
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

    def _list_moves(self) -> Iterator[Move]:
        yield from map(Move, _TABLE_MOVES.get(self.phase, ()))
        if self.phase is Phase.DIFFICULTY and len(self.available_colours) > 1:
            yield Move(MoveKind.COLOUR)
        if self.phase is Phase.DRAWING:
            yield from (Move(MoveKind.TAKE, q) for q in self.seats_drawing)
            yield Move(MoveKind.STOP)
        if self.pile_owner is not None:
            yield from self._list_scoring_moves(self.pile_owner)

    def _list_scoring_moves(self, owner: Seat) -> Iterator[Move]:
        yield Move(MoveKind.NEXT)
        if self.pile_index:
            yield Move(MoveKind.BACK)
        if self.drew_wrong_clue[owner]:
            yield Move(MoveKind.DRAWN, owner)
            return
        yield Move(MoveKind.MISDRAWN, owner)
        yield from (Move(MoveKind.NUMBER, owner, (n,)) for n in range(1, CLUE_COUNT + 1) if self.can_hold(n))
        for q in self.participants:
            if q != owner:
                yield from self._list_card_moves(q, can_judge=bool(self.owner_numbers[owner]))

    def _list_card_moves(self, guesser: Seat, *, can_judge: bool) -> Iterator[Move]:
        """P21, P32. Each press changes the card: right, wrong, taken off. Numbers only where they can be judged."""
        if card := self.find_card(guesser):
            yield Move(MoveKind.WRONG if card.is_right else MoveKind.OFF, guesser)
            return
        yield Move(MoveKind.RIGHT if self.can_be_right(guesser) else MoveKind.WRONG, guesser)
        if can_judge:
            numbers = (n for n in range(1, CLUE_COUNT + 1) if self.find_pile_with(guesser, n) is None)
            yield from (Move(MoveKind.CARD, guesser, (n,)) for n in numbers)
