"""S31 to S34: what answer cards and display cards bring in one game."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.api import Seat
from companion.games.secret_number.settings import Settings


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


def score_cards(
    cards: Sequence[tuple[int, Seat]], cards_right: Sequence[bool], settings: Settings
) -> Iterator[LaidCard]:
    """Yield the cards of a game with their points (S31 to S33).

    Args:
        cards: pairs (round from 1, owner), in the order in which they are turned.
        cards_right: of each card turned so far, whether it is right.
        settings: house rules with the points.

    >>> cards = [(1, Seat(0)), (1, Seat(1)), (2, Seat(0))]
    >>> [card.points for card in score_cards(cards, (False, True), Settings())]
    [-1, 5, 0]
    """
    gain, loss = settings.card_points
    fastest_bonus = settings.fastest_bonus
    for i, (r, seat) in enumerate(cards):
        if i >= len(cards_right):
            yield LaidCard(r, seat, None, 0)
        elif cards_right[i]:
            yield LaidCard(r, seat, True, gain + settings.round_bonus[r - 1] + fastest_bonus)
            fastest_bonus = 0
        else:
            yield LaidCard(r, seat, False, loss)


def tally_cards(cards: Sequence[LaidCard], seat: Seat, display_bonus: int, settings: Settings) -> GameTally:
    """Return a player's points in a game, from the cards turned so far (S31 to S34).

    Args:
        cards: of all players, in the order in which they lie.
        seat: the player.
        display_bonus: of the player's display card; it counts only with a right card.
        settings: house rules with the points.

    >>> cards = list(score_cards([(1, Seat(0)), (1, Seat(1)), (2, Seat(0))], (False, True), Settings()))
    >>> tally_cards(cards, Seat(1), 3, Settings())
    GameTally(card_points=1, fastest_points=2, round_points=2, display_points=3)
    """
    gain, loss = settings.card_points
    own = [card for card in cards if card.seat == seat and card.is_right is not None]
    right = [card for card in own if card.is_right]
    fastest_seat = next((card.seat for card in cards if card.is_right), None)
    return GameTally(
        card_points=gain * len(right) + loss * (len(own) - len(right)),
        fastest_points=settings.fastest_bonus if seat == fastest_seat else 0,
        round_points=sum(settings.round_bonus[card.round_number - 1] for card in right),
        display_points=display_bonus if right else 0,
    )
