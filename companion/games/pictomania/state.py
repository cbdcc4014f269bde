"""One state of a Pictomania game: what is stored, and what follows from it without a move."""

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum

from companion.api import BaseGame, Seat
from companion.games.pictomania.settings import CLUE_COUNT, Settings

UNKNOWN_NUMBER = 0
"""In place of a card's number (1 to 7) that nobody entered."""


class Phase(StrEnum):
    """Phases of a round; the values are the names of samples and clocks."""

    DIFFICULTY = "difficulty"  # P10
    READING = "reading"  # P13
    START = "start"  # P14: 3, 2, 1
    DRAWING = "drawing"  # P20 to P27
    STOP = "stop"  # P25: pens down
    SCORING = "scoring"  # P30 to P32, one pile after the other
    ROUND = "round"  # P33 to P36: the round's page
    OVER = "over"  # P41


PHASES_AFTER_START = (Phase.DRAWING, Phase.STOP, Phase.SCORING, Phase.ROUND)
"""The phases in which it is settled who takes part in the round."""


class MoveKind(StrEnum):
    """Kinds of moves; journals hold the values."""

    COLOUR = "colour"  # P10: the next difficulty is chosen
    DEAL = "deal"  # P12
    START = "start"  # P14: the start signal
    GO = "go"  # P14: the drawing begins
    TAKE = "take"  # P24: a bonus token is taken
    STOP = "stop"  # P26: all agree to end the drawing
    SCORE = "score"  # P30: the piles are turned over
    RIGHT = "right"  # P32: the seat's card on the open pile is right
    WRONG = "wrong"  # P32: it is wrong
    OFF = "off"  # P32: it is taken off again
    CARD = "card"  # P32: a card with its number
    NUMBER = "number"  # P30: the number card of the pile's owner
    MISDRAWN = "misdrawn"  # P31: the owner drew another clue
    DRAWN = "drawn"  # P31: the right clue after all
    NEXT = "next"  # P30: the next pile, or the round's page
    BACK = "back"  # P30: the pile before
    NEXT_ROUND = "next_round"  # P40


class CorrectionKind(StrEnum):
    """Kinds of corrections besides `CommonCorrection`; journals hold the values."""

    TOTAL = "total"  # points of a seat
    BONUS = "bonus"  # P24: stars of the bonus token that a seat holds; 0: none
    DIFFICULTY = "difficulty"  # P10: the colour's number, from 1
    MARKER = "marker"  # P40: the round, where rounds were played without the companion


@dataclass(frozen=True, slots=True)
class GuessCard:
    """A guess card on a turned pile. Its number may be unknown: that it was right or wrong is enough (P37)."""

    guesser: Seat
    is_right: bool
    number: int = UNKNOWN_NUMBER


@dataclass(frozen=True, slots=True)
class PictomaniaScoreLine:
    """P36: a player's points in a round."""

    seat: Seat
    plus: int
    """P33: stars of tokens earned by guesses."""
    minus: int
    """P33: stars of own tokens not given away, 0 or more."""
    bonus: int
    """P35: the bonus part, with its sign."""
    adjustment: int
    """What corrections by hand add."""

    @property
    def total(self) -> int:
        """Points of the round: `plus` - `minus` + `bonus` (P36), corrected by hand."""
        return self.plus - self.minus + self.bonus + self.adjustment


@dataclass(frozen=True, slots=True)
class PictomaniaState(BaseGame):
    """Stored state of a game of Pictomania; tuples are by seat.

    In a round all players draw a clue and lay guess cards on the others' piles; who is done takes a bonus token. Then
    pile after pile is scored: right cards earn scoring tokens of the pile's owner. Rule numbers (P1) are those of
    `docs/rules/pictomania.md`.
    """

    settings: Settings = field(hash=False)
    first_seat: Seat
    """Whose pile is scored first."""
    phase: Phase
    total_adjustments: tuple[int, ...]
    """What corrections of totals add to the sums of the rounds."""
    round_adjustments: tuple[int, ...]
    """What corrections by hand add to the round on the page, also when its cards or tokens are corrected afterwards."""
    round_scores: tuple[tuple[int, ...], ...] = ()
    """Points of the rounds scored so far, by round and seat."""
    difficulty_index: int = 0
    """Index in `available_colours`; it stays from round to round until another is chosen."""
    participants: tuple[Seat, ...] = ()
    """Seats that take part in this round, set by the start signal; a latecomer takes part from the next round on."""
    bonus_stars: tuple[int, ...] = ()
    """Stars of the bonus token taken; 0: none."""
    piles: tuple[tuple[GuessCard, ...], ...] = ()
    """By owner: the cards in the order in which they were laid."""
    drew_wrong_clue: tuple[bool, ...] = ()
    """P31: whether the player drew another clue than the one dealt."""
    owner_numbers: tuple[int, ...] = ()
    """P30: number card of each player, 1 to 7; `UNKNOWN_NUMBER` until it is entered, if it ever is."""
    pile_index: int = 0
    """Index in `participants` of the pile that is being scored."""

    @property
    def round_number(self) -> int:
        """Number of the round in play, or of the round just scored, from 1."""
        return len(self.round_scores) + (self.phase not in (Phase.ROUND, Phase.OVER))

    @property
    def round_seats(self) -> tuple[Seat, ...]:
        """Seats that take part in this round, clockwise from the first seat."""
        if self.phase in PHASES_AFTER_START:
            return self.participants
        return tuple(q for q in (self.first_seat, *self.list_others(self.first_seat)) if not self.away[q])

    @property
    def available_colours(self) -> tuple[str, ...]:
        """Colours of the difficulties that may be chosen (P10), easy to hard; in the variant V1 only the easiest."""
        colours = self.settings.difficulty_colours
        return colours[:1] if self.settings.variant == "only_green" else colours

    @property
    def colour(self) -> str:
        """Colour of the difficulty chosen (P10), an entry of `available_colours`."""
        return self.available_colours[self.difficulty_index]

    @property
    def bonus_tokens(self) -> tuple[int, ...]:
        """Stars of this round's bonus tokens (P2), highest first: one token fewer than players.

        Raises:
            KeyError: fewer than three players take part.
        """
        return self.settings.bonus_tokens[len(self.round_seats)]

    @property
    def tokens_left(self) -> tuple[int, ...]:
        """Stars of the bonus tokens still in the middle, highest first."""
        return tuple((Counter(self.bonus_tokens) - Counter(self.bonus_stars)).elements())

    @property
    def seats_without_token(self) -> tuple[Seat, ...]:
        """Seats that take part in this round and hold no bonus token, present or away."""
        return tuple(q for q in self.round_seats if not (self.bonus_stars and self.bonus_stars[q]))

    @property
    def seats_drawing(self) -> tuple[Seat, ...]:
        """Present seats that may still take a bonus token (P24, A12); empty in all phases but DRAWING."""
        if self.phase is not Phase.DRAWING:
            return ()
        return tuple(q for q in self.seats_without_token if not self.away[q])

    @property
    def pile_owner(self) -> Seat | None:
        """Seat whose pile is being scored; None in all phases but SCORING."""
        return self.participants[self.pile_index] if self.phase is Phase.SCORING else None

    @property
    def scoring_tokens(self) -> tuple[int, ...]:
        """Stars of the scoring tokens that each player has (P1), highest first: one token fewer than players.

        Raises:
            KeyError: fewer than three players take part.
        """
        return self.settings.scoring_tokens[len(self.round_seats)]

    @property
    def totals(self) -> tuple[int, ...]:
        """Points by seat: the sum of the rounds scored so far, and corrections (P41)."""
        return tuple(
            adjustment + sum(scores[q] for scores in self.round_scores)
            for q, adjustment in enumerate(self.total_adjustments)
        )

    @property
    def wrong_card_counts(self) -> tuple[int, ...]:
        """By seat: number of the player's wrong guess cards so far in this round (P34), on all piles."""
        wrong = [card.guesser for pile in self.piles for card in pile if not card.is_right]
        return tuple(wrong.count(Seat(q)) for q in range(self.player_count))

    @property
    def black_sheep(self) -> Seat | None:
        """Seat that alone has most wrong cards, at least one (P34, A3); None: nobody, or a tie."""
        counts = self.wrong_card_counts
        most = max(counts)
        return Seat(counts.index(most)) if most and counts.count(most) == 1 else None

    @property
    def score_lines(self) -> tuple[PictomaniaScoreLine, ...]:
        """Points of this round by player who takes part, ordered by seat (P33 to P36).

        Empty before the drawing starts.

        Raises:
            StopIteration: a pile has more right cards than a player has scoring tokens.
        """
        return tuple(self._score_line(q) for q in sorted(self.round_seats)) if self.piles else ()

    def list_stars_earned(self, owner: Seat) -> tuple[int, ...]:
        """Return the stars that each card on the pile of `owner` earned, in the order of the pile (P32).

        Each right card gets the token with most stars that is left; a wrong card gets 0.

        Raises:
            IndexError: the drawing has not started, so that there are no piles, or there is no such seat.
            StopIteration: the pile has more right cards than a player has scoring tokens.
        """
        tokens = iter(self.scoring_tokens)
        return tuple(next(tokens) if card.is_right else 0 for card in self.piles[owner])

    def list_tokens_kept(self, owner: Seat) -> tuple[int, ...]:
        """Return the stars of the scoring tokens that `owner` has not given to guessers, highest first (P32).

        Raises:
            IndexError: the drawing has not started, so that there are no piles, or there is no such seat.
        """
        return self.scoring_tokens[sum(card.is_right for card in self.piles[owner]) :]

    def find_pile_with(self, guesser: Seat, number: int) -> Seat | None:
        """Return the owner of another pile on which the guesser's card `number` (1 to 7) is known to lie (P21).

        The pile that is being scored is not searched. None: the card lies on no other pile, or its number was not
        entered.
        """
        for q, pile in enumerate(self.piles):
            is_known = any(card.guesser == guesser and card.number == number != UNKNOWN_NUMBER for card in pile)
            if is_known and q != self.pile_owner:
                return Seat(q)
        return None

    def find_card(self, guesser: Seat) -> GuessCard | None:
        """Return the guesser's card on the pile that is being scored.

        None: there is no card, or no pile is being scored.
        """
        pile = () if self.pile_owner is None else self.piles[self.pile_owner]
        return next((card for card in pile if card.guesser == guesser), None)

    def can_be_right(self, guesser: Seat) -> bool:
        """Whether the guesser's card on the pile being scored can be right (P21).

        It cannot if the owner's number is known and the guesser's card of that number lies on another pile. False while
        no pile is being scored.
        """
        return self.pile_owner is not None and self.find_pile_with(guesser, self.owner_numbers[self.pile_owner]) is None

    def can_hold(self, number: int) -> bool:
        """Whether the owner of the pile being scored may have been dealt `number` (P12, P21).

        False for a number that is not 1 to 7 or is another player's, if the owner's number is already entered, if no
        pile is being scored, or if a guesser whose card counts as right on this pile is known to have the card `number`
        on another pile.
        """
        owner = self.pile_owner
        if owner is None or self.owner_numbers[owner] or number in self.owner_numbers or not 1 <= number <= CLUE_COUNT:
            return False
        return not any(
            card.is_right and self.find_pile_with(card.guesser, number) is not None for card in self.piles[owner]
        )

    def _score_line(self, seat: Seat) -> PictomaniaScoreLine:
        plus = sum(
            stars
            for owner in self.round_seats
            for card, stars in zip(self.piles[owner], self.list_stars_earned(owner), strict=True)
            if card.guesser == seat
        )
        minus, adjustment = sum(self.list_tokens_kept(seat)), self.round_adjustments[seat]
        if seat == self.black_sheep:
            return PictomaniaScoreLine(seat, plus, minus, -self.bonus_stars[seat], adjustment)  # A5: even if guessed
        was_guessed = any(card.is_right for card in self.piles[seat])
        return PictomaniaScoreLine(seat, plus, minus, self.bonus_stars[seat] if was_guessed else 0, adjustment)
