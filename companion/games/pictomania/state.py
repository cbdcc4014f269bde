"""One position of a Pictomania game: what is stored, and what follows from it without a move."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.api.game import Seat
from companion.games.pictomania.settings import CLUE_COUNT, Settings
from companion.games.pictomania.view import Phase, ScoreLine

UNKNOWN_NUMBER = 0
"""In place of a number from 1 to 7 that nobody told the box."""
PHASES_AFTER_START = (Phase.DRAWING, Phase.STOP, Phase.SCORING, Phase.ROUND)
"""The phases in which it is settled who takes part in the round."""


@dataclass(frozen=True, slots=True)
class GuessCard:
    """A guess card on a turned pile. Its number may be unknown: that it was right or wrong is enough (P37)."""

    guesser: Seat
    right: bool
    number: int = UNKNOWN_NUMBER


@dataclass(frozen=True, slots=True)
class Position:
    """What the ledger remembers; tuples are by seat. `changes` is the last move's doing."""

    settings: Settings
    first_seat: Seat
    phase: Phase
    away: tuple[bool, ...]
    total_adjustments: tuple[int, ...]
    """What corrections of totals add to the sums of the rounds."""
    round_scores: tuple[tuple[int, ...], ...] = ()
    """Scores of the rounds scored so far."""
    difficulty_index: int = 0
    """Index of the colour; stays from round to round until another is chosen."""
    participants: tuple[Seat, ...] = ()
    """Settled with the start signal; a latecomer takes part from the next round on."""
    bonus_stars: tuple[int, ...] = ()
    piles: tuple[tuple[GuessCard, ...], ...] = ()
    drew_wrong_clue: tuple[bool, ...] = ()
    owner_numbers: tuple[int, ...] = ()
    """P30: the owners' numbers, as far as they were told when a pile was turned over."""
    pile_index: int = 0
    """Index in `taking_part` of the pile that is being scored."""
    changes: tuple[int, ...] = ()

    @property
    def player_count(self) -> int:
        return len(self.away)

    @property
    def round_number(self) -> int:
        """The round, from 1; on a round's page that round is among the finished ones already."""
        return len(self.round_scores) + (self.phase not in (Phase.ROUND, Phase.OVER))

    @property
    def present_seats(self) -> tuple[Seat, ...]:
        """Who is not away, clockwise from the first seat."""
        clockwise = (Seat((self.first_seat + i) % self.player_count) for i in range(self.player_count))
        return tuple(q for q in clockwise if not self.away[q])

    @property
    def round_seats(self) -> tuple[Seat, ...]:
        """Who takes part in this round."""
        return self.participants if self.phase in PHASES_AFTER_START else self.present_seats

    @property
    def available_colours(self) -> tuple[str, ...]:
        """P10; V1: only the easiest."""
        colours = self.settings.difficulty_colours
        return colours[:1] if self.settings.variant == "only_green" else colours

    @property
    def colour(self) -> str:
        return self.available_colours[self.difficulty_index]

    @property
    def bonus_tokens(self) -> tuple[int, ...]:
        """P2: stars of this round's bonus tokens, highest first."""
        return self.settings.bonus_tokens[len(self.round_seats)]

    @property
    def tokens_left(self) -> tuple[int, ...]:
        """Bonus tokens still in the middle, highest first."""
        left = list(self.bonus_tokens)
        for stars in self.bonus_stars:
            if stars:
                left.remove(stars)
        return tuple(left)

    @property
    def seats_without_token(self) -> tuple[Seat, ...]:
        """Who takes part and has no bonus token, here or away."""
        return tuple(q for q in self.round_seats if not self.bonus_stars[q]) if self.bonus_stars else self.round_seats

    @property
    def seats_drawing(self) -> tuple[Seat, ...]:
        """P24, A12: who may still take a bonus token, and is asked whether the round is to end."""
        if self.phase is not Phase.DRAWING:
            return ()
        return tuple(q for q in self.seats_without_token if not self.away[q])

    @property
    def pile_owner(self) -> Seat | None:
        return self.participants[self.pile_index] if self.phase is Phase.SCORING else None

    @property
    def scoring_tokens(self) -> tuple[int, ...]:
        """P1: stars of each player's own tokens, highest first."""
        return self.settings.scoring_tokens[len(self.round_seats)]

    @property
    def totals(self) -> tuple[int, ...]:
        """P41."""
        return tuple(
            self.total_adjustments[q] + sum(scores[q] for scores in self.round_scores) for q in range(self.player_count)
        )

    @property
    def wrong_card_counts(self) -> tuple[int, ...]:
        """P34: each player's cards in the middle."""
        cards = [card for pile in self.piles for card in pile if not card.right]
        return tuple(sum(card.guesser == q for card in cards) for q in range(self.player_count))

    @property
    def black_sheep(self) -> Seat | None:
        """P34, A3: who alone has most wrong cards, at least one."""
        most = max(self.wrong_card_counts)
        having = [Seat(q) for q, count in enumerate(self.wrong_card_counts) if count == most]
        return having[0] if most and len(having) == 1 else None

    @property
    def score_lines(self) -> tuple[ScoreLine, ...]:
        """P33 to P36: this round, in the order of the seats."""
        return tuple(self._score_line(q) for q in sorted(self.round_seats)) if self.piles else ()

    def list_stars_earned(self, owner: Seat) -> tuple[int, ...]:
        """P32: for each card on the pile, the stars of the token that it earns: the highest that is left."""
        tokens = iter(self.scoring_tokens)
        return tuple(next(tokens) if card.right else 0 for card in self.piles[owner])

    def find_pile_with(self, guesser: Seat, number: int) -> Seat | None:
        """P21: on whose pile, other than the one being scored, this player's card of that number is known to lie."""
        for q, pile in enumerate(self.piles):
            known = [card for card in pile if card.guesser == guesser and card.number == number != UNKNOWN_NUMBER]
            if known and q != self.pile_owner:
                return Seat(q)
        return None

    def find_card(self, guesser: Seat) -> GuessCard | None:
        """The guesser's card on the pile that is being scored."""
        if self.pile_owner is None:
            return None
        return next((card for card in self.piles[self.pile_owner] if card.guesser == guesser), None)

    def can_be_right(self, guesser: Seat) -> bool:
        """P21: not if the owner's number is known, and the guesser's card of that number lies elsewhere."""
        return self.pile_owner is not None and self.find_pile_with(guesser, self.owner_numbers[self.pile_owner]) is None

    def can_hold(self, number: int) -> bool:
        """P12, P21: whether the owner of the pile being scored may have been dealt that number."""
        if (
            self.pile_owner is None
            or self.owner_numbers[self.pile_owner]
            or number in self.owner_numbers
            or not 1 <= number <= CLUE_COUNT
        ):
            return False
        return not any(
            card.right and self.find_pile_with(card.guesser, number) is not None for card in self.piles[self.pile_owner]
        )

    def _score_line(self, seat: Seat) -> ScoreLine:
        plus = sum(
            stars
            for owner in self.round_seats
            for card, stars in zip(self.piles[owner], self.list_stars_earned(owner), strict=True)
            if card.guesser == seat
        )
        minus = sum(self.scoring_tokens) - sum(self.list_stars_earned(seat))
        hit = any(card.right for card in self.piles[seat])
        if seat == self.black_sheep:
            return ScoreLine(seat, plus, minus, -self.bonus_stars[seat])  # A5: even if the drawing was guessed
        return ScoreLine(seat, plus, minus, self.bonus_stars[seat] if hit else 0)
