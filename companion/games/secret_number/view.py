"""Public view of a Secret Number match: everything that the companion knows, as it knows no card's value (S25)."""

from dataclasses import dataclass
from enum import StrEnum

from companion.games.api.game import Seat


class Phase(StrEnum):
    """Phases of a match; the values are the names of samples and clocks."""

    DEAL = "deal"  # S2 to S5: the cards are dealt
    PREPARE = "prepare"  # S11 to S13: everybody chooses what to show
    SHOW = "show"  # S11 to S13: 3, 2, 1, all show it
    ROUND = "round"  # S20 to S23
    REVEAL = "reveal"  # S30: card by card
    FIX = "fix"  # S25: the pile differs from what was pressed
    BONUS = "bonus"  # S34: players who were right enter the bonus on their display card
    RESULT = "result"  # S31 to S35: the scores of the game
    OVER = "over"  # S36


@dataclass(frozen=True, slots=True)
class LaidCard:
    """An answer card on the pile. `right` is None until it is turned, `points` is what it brought (S31 to S33)."""

    round_number: int
    seat: Seat
    is_right: bool | None
    points: int


@dataclass(frozen=True, slots=True)
class GameTally:
    """Points of a player in one game, as the result page lists them."""

    card_points: int = 0
    """S31: points for right and wrong cards."""
    fastest_points: int = 0
    """S32: points for the first right card of the game."""
    round_points: int = 0
    """S33: points for the round in which a right card was laid."""
    display_points: int = 0
    """S34: bonus on the display card."""

    @property
    def total(self) -> int:
        """Points of the player in this game: the sum of the four parts."""
        return self.card_points + self.fastest_points + self.round_points + self.display_points


@dataclass(frozen=True, slots=True)
class SecretNumberView:
    """What the screen shows of a match."""

    phase: Phase
    game_number: int
    game_count: int
    round_number: int
    card_values: tuple[int, ...]
    """S2: numbers used in this game, those printed on the answer cards of each player."""
    number_card_count: int
    """S2: how many number cards are shuffled."""
    laid_cards: tuple[LaidCard, ...]
    """All answer cards of this game in the order in which they lie."""
    turned_count: int
    """How many of them are turned; the next one is asked about."""
    cards_in_hand: tuple[int, ...]
    """By seat: answer cards in hand."""
    round_bonuses: tuple[int, ...]
    """S33, by round."""
    fastest_bonus: int
    fastest_seat: Seat | None
    """S32: who laid the first right card; None: not known yet."""
    bonus_seat: Seat | None
    """S34: who is asked for the bonus on the display card."""
    bonus_table: tuple[tuple[int, tuple[int, ...]], ...]
    """Bonus and the results that give it, where the settings have a table; empty: it stands on the card."""
    tallies: tuple[GameTally, ...]
    """By seat: this game so far."""
    changes: tuple[int, ...]
    """By seat: points that the last move added or took."""
