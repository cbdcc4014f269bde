"""One position of a Pictomania game: what is stored, and what follows from it without a move."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.api.game import Seat
from companion.games.pictomania.settings import NUMBERS, Settings
from companion.games.pictomania.view import Line, Phase

UNKNOWN = 0
"""In place of a number from 1 to 7 that nobody told the box."""
AFTER_START = (Phase.DRAWING, Phase.STOP, Phase.SCORING, Phase.ROUND)
"""The phases in which it is settled who takes part in the round."""


@dataclass(frozen=True, slots=True)
class Card:
    """A guess card on a turned pile. Its number may be unknown: that it was right or wrong is enough (P37)."""

    guesser: Seat
    right: bool
    number: int = UNKNOWN


@dataclass(frozen=True, slots=True)
class Position:
    """What the ledger remembers; tuples are by seat. `changes` is the last move's doing."""

    settings: Settings
    first: Seat
    phase: Phase
    away: tuple[bool, ...]
    adjusted: tuple[int, ...]
    """What corrections of totals add to the sums of the rounds."""
    finished: tuple[tuple[int, ...], ...] = ()
    """Scores of the rounds scored so far."""
    difficulty: int = 0
    """Index of the colour; stays from round to round until another is chosen."""
    taking_part: tuple[Seat, ...] = ()
    """Settled with the start signal; a latecomer takes part from the next round on."""
    bonus: tuple[int, ...] = ()
    piles: tuple[tuple[Card, ...], ...] = ()
    misdrawn: tuple[bool, ...] = ()
    numbers: tuple[int, ...] = ()
    """P30: the owners' numbers, as far as they were told when a pile was turned over."""
    at: int = 0
    """Index in `taking_part` of the pile that is being scored."""
    changes: tuple[int, ...] = ()

    @property
    def players(self) -> int:
        return len(self.away)

    @property
    def marker(self) -> int:
        """The round, from 1; on a round's page that round is among the finished ones already."""
        return len(self.finished) + (self.phase not in (Phase.ROUND, Phase.OVER))

    @property
    def present(self) -> tuple[Seat, ...]:
        """Who is not away, clockwise from the first seat."""
        clockwise = (Seat((self.first + i) % self.players) for i in range(self.players))
        return tuple(q for q in clockwise if not self.away[q])

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who takes part in this round."""
        return self.taking_part if self.phase in AFTER_START else self.present

    @property
    def colours(self) -> tuple[str, ...]:
        """P10; V1: only the easiest."""
        colours = self.settings.difficulty_colours
        return colours[:1] if self.settings.variant == "only_green" else colours

    @property
    def colour(self) -> str:
        return self.colours[self.difficulty]

    @property
    def bonus_tokens(self) -> tuple[int, ...]:
        """P2: stars of this round's bonus tokens, highest first."""
        return self.settings.bonus_tokens[len(self.seats)]

    @property
    def left(self) -> tuple[int, ...]:
        """Bonus tokens still in the middle, highest first."""
        left = list(self.bonus_tokens)
        for stars in self.bonus:
            if stars:
                left.remove(stars)
        return tuple(left)

    @property
    def without_token(self) -> tuple[Seat, ...]:
        """Who takes part and has no bonus token, here or away."""
        return tuple(q for q in self.seats if not self.bonus[q]) if self.bonus else self.seats

    @property
    def drawing(self) -> tuple[Seat, ...]:
        """P24, A12: who may still take a bonus token, and is asked whether the round is to end."""
        if self.phase is not Phase.DRAWING:
            return ()
        return tuple(q for q in self.without_token if not self.away[q])

    @property
    def owner(self) -> Seat | None:
        return self.taking_part[self.at] if self.phase is Phase.SCORING else None

    @property
    def scoring_tokens(self) -> tuple[int, ...]:
        """P1: stars of each player's own tokens, highest first."""
        return self.settings.scoring_tokens[len(self.seats)]

    @property
    def totals(self) -> tuple[int, ...]:
        """P41."""
        return tuple(self.adjusted[q] + sum(scores[q] for scores in self.finished) for q in range(self.players))

    @property
    def wrong(self) -> tuple[int, ...]:
        """P34: each player's cards in the middle."""
        cards = [card for pile in self.piles for card in pile if not card.right]
        return tuple(sum(card.guesser == q for card in cards) for q in range(self.players))

    @property
    def black_sheep(self) -> Seat | None:
        """P34, A3: who alone has most wrong cards, at least one."""
        most = max(self.wrong)
        having = [Seat(q) for q, count in enumerate(self.wrong) if count == most]
        return having[0] if most and len(having) == 1 else None

    @property
    def lines(self) -> tuple[Line, ...]:
        """P33 to P36: this round, in the order of the seats."""
        return tuple(self._line(q) for q in sorted(self.seats)) if self.piles else ()

    def earned(self, owner: Seat) -> tuple[int, ...]:
        """P32: for each card on the pile, the stars of the token that it earns: the highest that is left."""
        tokens = iter(self.scoring_tokens)
        return tuple(next(tokens) if card.right else 0 for card in self.piles[owner])

    def used(self, guesser: Seat, number: int) -> Seat | None:
        """P21: on whose pile, other than the one being scored, this player's card of that number is known to lie."""
        for q, pile in enumerate(self.piles):
            known = [card for card in pile if card.guesser == guesser and card.number == number != UNKNOWN]
            if known and q != self.owner:
                return Seat(q)
        return None

    def card_of(self, guesser: Seat) -> Card | None:
        """The guesser's card on the pile that is being scored."""
        if self.owner is None:
            return None
        return next((card for card in self.piles[self.owner] if card.guesser == guesser), None)

    def can_be_right(self, guesser: Seat) -> bool:
        """P21: not if the owner's number is known, and the guesser's card of that number lies elsewhere."""
        return self.owner is not None and self.used(guesser, self.numbers[self.owner]) is None

    def may_hold(self, number: int) -> bool:
        """P12, P21: whether the owner of the pile being scored may have been dealt that number."""
        if self.owner is None or self.numbers[self.owner] or number in self.numbers or not 1 <= number <= NUMBERS:
            return False
        return not any(card.right and self.used(card.guesser, number) is not None for card in self.piles[self.owner])

    def _line(self, seat: Seat) -> Line:
        plus = sum(
            stars
            for owner in self.seats
            for card, stars in zip(self.piles[owner], self.earned(owner), strict=True)
            if card.guesser == seat
        )
        minus = sum(self.scoring_tokens) - sum(self.earned(seat))
        hit = any(card.right for card in self.piles[seat])
        if seat == self.black_sheep:
            return Line(seat, plus, minus, -self.bonus[seat])  # A5: even if the drawing was guessed
        return Line(seat, plus, minus, self.bonus[seat] if hit else 0)
