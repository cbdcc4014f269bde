"""P32 to P36: what right guesses earn, the black sheep, and a player's points in a round.

Stars of a token: `settings.py`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.api import Seat


@dataclass(frozen=True, slots=True)
class GuessCard:
    """A guess card on a turned pile. Its number is not entered: that it was right or wrong is enough (P37)."""

    guesser: Seat
    is_right: bool


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


def list_stars_earned(pile: Sequence[GuessCard], tokens: Sequence[int]) -> tuple[int, ...]:
    """Return the stars that each card on a pile earns, in the order of the pile (P32).

    Each right card gets the token with most stars that is left; a wrong card gets 0.

    Args:
        pile: the cards in the order in which they were laid.
        tokens: stars of the scoring tokens of the pile's owner, highest first.

    Raises:
        StopIteration: the pile has more right cards than there are tokens.

    >>> list_stars_earned([GuessCard(Seat(1), False), GuessCard(Seat(2), True), GuessCard(Seat(3), True)], (2, 1, 1))
    (0, 2, 1)
    """
    left = iter(tokens)
    return tuple(next(left) if card.is_right else 0 for card in pile)


def find_black_sheep(wrong_card_counts: Sequence[int]) -> Seat | None:
    """Return who alone has most wrong cards, at least one (P34, A3); None: nobody, or a tie.

    >>> find_black_sheep((0, 1, 0)), find_black_sheep((1, 1, 0)), find_black_sheep((0, 0, 0))
    (1, None, None)
    """
    most = max(wrong_card_counts)
    return Seat(wrong_card_counts.index(most)) if most and wrong_card_counts.count(most) == 1 else None


def score_player(
    seat: Seat,
    piles: Mapping[Seat, Sequence[GuessCard]],
    tokens: Sequence[int],
    bonus: int,
    adjustment: int,
    *,
    is_black_sheep: bool,
) -> PictomaniaScoreLine:
    """Return a player's points in a round (P33 to P36).

    Args:
        seat: a player who takes part.
        piles: by owner, of all who take part.
        tokens: stars of each player's scoring tokens, highest first.
        bonus: stars of the player's bonus token; 0: none.
        adjustment: what corrections by hand add.
        is_black_sheep: whether the bonus is lost, even if the drawing was guessed (P35, A5).

    >>> piles = {Seat(0): [GuessCard(Seat(1), True)], Seat(1): [GuessCard(Seat(2), False)], Seat(2): []}
    >>> line = score_player(Seat(0), piles, (2, 1), bonus=2, adjustment=0, is_black_sheep=False)
    >>> line.plus, line.minus, line.bonus, line.total
    (0, 1, 2, 1)
    """
    plus = sum(
        stars
        for pile in piles.values()
        for card, stars in zip(pile, list_stars_earned(pile, tokens), strict=True)
        if card.guesser == seat
    )
    hits = sum(card.is_right for card in piles[seat])
    bonus_part = -bonus if is_black_sheep else bonus if hits else 0
    return PictomaniaScoreLine(seat, plus, sum(tokens[hits:]), bonus_part, adjustment)
