"""Public view of a Pictomania game: everything that the companion knows, as nobody enters what was dealt (P12)."""

from dataclasses import dataclass
from enum import StrEnum

from companion.games.api.game import Seat


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


@dataclass(frozen=True, slots=True)
class PileCard:
    """A guess card on the pile that is being scored."""

    guesser: Seat
    is_right: bool
    stars: int
    """P32: stars of the token that it earned; 0: it is wrong."""


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

    @property
    def total(self) -> int:
        """Points of the round: `plus` - `minus` + `bonus` (P36)."""
        return self.plus - self.minus + self.bonus


@dataclass(frozen=True, slots=True)
class PictomaniaView:
    """What the screen shows of a game."""

    phase: Phase
    round_number: int
    round_count: int
    colour: str
    """P10: of the difficulty chosen."""
    available_colours: tuple[str, ...]
    """P10: of all difficulties that may be chosen, easy to hard."""
    word_card_count: int
    round_seats: tuple[Seat, ...]
    """Who takes part in this round, in the order of the piles."""
    away: tuple[Seat, ...]
    bonus_tokens: tuple[int, ...]
    """Stars of all bonus tokens of this round, highest first."""
    bonus_stars: tuple[int, ...]
    """By seat: stars of the bonus token taken; 0: none."""
    seats_drawing: tuple[Seat, ...]
    """P24: who may still take one."""
    pile_owner: Seat | None
    """Whose pile is being scored."""
    pile: tuple[PileCard, ...]
    owner_tokens_left: tuple[int, ...]
    """The owner's scoring tokens that are left, highest first."""
    drew_wrong_clue: tuple[Seat, ...]
    """P31: who drew another clue."""
    black_sheep: Seat | None
    """Known on the round's page."""
    score_lines: tuple[PictomaniaScoreLine, ...]
    """The round's page, in the order of the seats."""
    changes: tuple[int, ...]
    """By seat: points that the last move added or took."""
