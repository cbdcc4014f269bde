"""Pictomania as a frozen value: what the rules allow, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.games.api.game import Clock, Correctable, Correction, IllegalMove, Move, Outcome, Seat
from companion.games.pictomania import corrections, transitions
from companion.games.pictomania.illegal_moves import refusal
from companion.games.pictomania.settings import FEWEST, MOST, NUMBERS, START_SECONDS, Settings
from companion.games.pictomania.state import Position
from companion.games.pictomania.view import CardShown, Phase, PictomaniaView
from companion.i18n import Words

_ = Words("pictomania")


@dataclass(frozen=True, slots=True)
class Pictomania(Position):
    """A game of Pictomania (`companion.games.api.game.Game`).

    >>> game = Pictomania.new(3, Seat(0), Settings())
    >>> for kind in ("deal", "start", "go"):
    ...     game = game.play(Move(kind))
    >>> game = game.play(Move("take", Seat(1)))
    >>> game.bonus, game.left
    ((0, 2, 0), (1,))
    >>> game.play(Move("take", Seat(1)))
    Traceback (most recent call last):
    ...
    companion.games.api.game.IllegalMove: P24: seat 1 has taken a bonus token and is finished
    """

    @classmethod
    def new(cls, players: int, first: Seat, settings: Settings) -> Pictomania:
        """P1, P2: the game at its start.

        Raises:
            ValueError: too few or too many players, or no such seat.
        """
        if not FEWEST <= players <= MOST:
            raise ValueError(f"Pictomania is for {FEWEST} to {MOST} players, not {players}")
        if not 0 <= first < players:
            raise ValueError(f"seat {first} cannot begin among {players} players")
        nothing = (0,) * players
        return cls(settings, first, Phase.DIFFICULTY, away=(False,) * players, adjusted=nothing, changes=nothing)

    def moves(self) -> Sequence[Move]:
        return tuple(self._moves())

    def play(self, move: Move) -> Pictomania:
        if move not in self._moves():
            raise IllegalMove(refusal(self, move))
        return self._changed_to(transitions.step(self, move))

    def correctables(self) -> Sequence[Correctable]:
        return corrections.correctables(self)

    def correct(self, correction: Correction) -> Pictomania:
        return self._changed_to(corrections.corrected(self, correction))

    def clocks(self) -> Sequence[Clock]:
        """P14's 3, 2, 1, and the house timers."""
        match self.phase:
            case Phase.READING if self.settings.reading_seconds:
                return (Clock(f"reading, round {self.marker}", self.settings.reading_seconds, Move("start")),)
            case Phase.START:
                return (Clock(f"start, round {self.marker}", START_SECONDS, Move("go")),)
            case Phase.DRAWING if self.settings.drawing_seconds:
                return (Clock(f"drawing, round {self.marker}", self.settings.drawing_seconds, Move("stop")),)
            case _:
                return ()

    def scores(self) -> Mapping[Seat, int]:
        return {Seat(q): total for q, total in enumerate(self.totals)}

    def outcome(self) -> Outcome | None:
        """P41: most points; ties share the victory."""
        if self.phase is not Phase.OVER:
            return None
        most = max(self.totals)
        winners = tuple(Seat(q) for q, total in enumerate(self.totals) if total == most)
        scored = _.plural("The round is scored", "All rounds are scored", len(self.finished))
        points = _.plural("{n} point is the most", "{n} points are the most", most)
        if len(winners) > 1:
            return Outcome(winners, _("{scored}; {points}, the victory is shared.", scored=scored, points=points))
        return Outcome(winners, _("{scored}; {points}.", scored=scored, points=points))

    def view(self) -> PictomaniaView:
        owner = self.owner
        page = self.phase is Phase.ROUND
        stopped = self.phase is Phase.STOP and not self.left
        return PictomaniaView(
            phase=self.phase,
            variant=self.settings.variant,
            marker=self.marker,
            rounds=self.settings.rounds,
            colour=self.colour,
            colours=self.colours,
            word_cards=self.settings.cards,
            seats=self.seats,
            away=tuple(Seat(q) for q, gone in enumerate(self.away) if gone),
            bonus_tokens=self.bonus_tokens,
            left=self.left,
            bonus=self.bonus or (0,) * self.players,
            drawing=self.drawing,
            last=self.without_token[0] if stopped else None,
            owner=owner,
            pile=() if owner is None else self._pile(owner),
            tokens=() if owner is None else self.scoring_tokens[sum(c.right for c in self.piles[owner]) :],
            misdrawn=tuple(Seat(q) for q, wrong in enumerate(self.misdrawn) if wrong),
            wrong=self.wrong,
            black_sheep=self.black_sheep if page else None,
            lines=self.lines if page else (),
            totals=self.totals,
            changes=self.changes,
            outcome=self.outcome(),
        )

    def _pile(self, owner: Seat) -> tuple[CardShown, ...]:
        cards = zip(self.piles[owner], self.earned(owner), strict=True)
        return tuple(CardShown(card.guesser, card.right, stars) for card, stars in cards)

    def _changed_to(self, after: Pictomania) -> Pictomania:
        changes = tuple(now - then for now, then in zip(after.totals, self.totals, strict=True))
        return replace(after, changes=changes)

    def _moves(self) -> Iterator[Move]:
        match self.phase:
            case Phase.DIFFICULTY:
                yield Move("deal")
                if len(self.colours) > 1:
                    yield Move("colour")
            case Phase.READING:
                yield Move("start")
            case Phase.START:
                yield Move("go")
            case Phase.DRAWING:
                yield from (Move("take", q) for q in self.drawing)
                yield Move("stop")
            case Phase.STOP:
                yield Move("score")
            case Phase.SCORING:
                yield from self._scoring_moves(self.taking_part[self.at])
            case Phase.ROUND:
                yield Move("next_round")
                yield Move("back")
            case Phase.OVER:
                pass

    def _scoring_moves(self, owner: Seat) -> Iterator[Move]:
        yield Move("next")
        if self.at:
            yield Move("back")
        if self.misdrawn[owner]:
            yield Move("drawn", owner)
            return
        yield Move("misdrawn", owner)
        yield from (Move("number", owner, (n,)) for n in range(1, NUMBERS + 1) if self.may_hold(n))
        for q in self.taking_part:
            if q != owner:
                yield from self._card_moves(q, bool(self.numbers[owner]))

    def _card_moves(self, guesser: Seat, judged: bool) -> Iterator[Move]:
        """P21, P32. A press: right; once more: wrong; once more: taken off. Numbers only where they can be judged."""
        card = self.card_of(guesser)
        if card is not None:
            yield Move("wrong" if card.right else "off", guesser)
            return
        yield Move("right" if self.can_be_right(guesser) else "wrong", guesser)
        if judged:
            numbers = (n for n in range(1, NUMBERS + 1) if self.used(guesser, n) is None)
            yield from (Move("card", guesser, (n,)) for n in numbers)
