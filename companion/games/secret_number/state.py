"""One state of a Secret Number match: what is stored, and what follows from it without a move."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from companion.api import Game, Seat, Translator
from companion.games.secret_number.scoring import GameTally, LaidCard, score_cards, tally_cards
from companion.games.secret_number.settings import ROUNDS_PER_GAME, Settings

_ = Translator("secret_number")

MIN_PLAYERS = 2
"""S2: with fewer players at the table there is no game."""


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


REVEAL_PHASES = (Phase.REVEAL, Phase.FIX, Phase.BONUS, Phase.RESULT)
"""The phases in which the cards of a finished game lie open or are being turned."""
ROUND_PHASES = (Phase.PREPARE, Phase.SHOW, Phase.ROUND)
"""The phases of the three rounds."""


@dataclass(frozen=True, slots=True)
class SecretNumberState(Game):
    """Stored state of a match of Secret Number. It holds no value of any card, so it has no secret to reveal.

    A match has several games of three rounds. In a round the players lay answer cards onto one pile as fast as they
    can. After the third round all cards are turned in order; right ones bring points, and a bonus that the player's
    display card shows. Rule numbers (S1) are those of `docs/rules/secret_number.md`.
    """

    settings: Settings = field(hash=False)
    phase: Phase = Phase.DEAL
    game_number: int = 1
    round_number: int = 1
    deal_count: int = 1
    """S4: how often the cards of this game were dealt."""
    participants: tuple[Seat, ...] = ()
    """Who was dealt cards in this game; it decides which numbers are used (S2)."""
    piles: tuple[tuple[Seat, ...], ...] = ((),) * ROUNDS_PER_GAME
    """By round: whose cards lie there, the first one at the bottom."""
    cards_right: tuple[bool, ...] = ()
    """Of the cards turned so far, over all rounds: right or wrong."""
    display_bonuses: tuple[int, ...] = ()
    """S34, by seat; 0: not asked yet."""
    earlier_scores: tuple[tuple[int, ...], ...] = ()
    """Points of the games before, by game and seat."""
    total_adjustments: tuple[int, ...] = ()
    """By seat: what corrections add to the sums of the games."""

    @property
    def active_seats(self) -> tuple[Seat, ...]:
        """Seats that were dealt cards in this game and are not away: they lay cards, and they must agree (A12)."""
        return tuple(q for q in self.participants if not self.away[q])

    @property
    def card_values(self) -> tuple[int, ...]:
        """Values of the cards in this game (S2): 0 to the number of players who were dealt cards."""
        return tuple(range(len(self.participants) + 1))

    @property
    def hand_size(self) -> int:
        """Number of answer cards that each player is dealt for one game (S3)."""
        return len(self.card_values)

    @property
    def current_pile(self) -> tuple[Seat, ...]:
        """Owners of the cards laid in the present round, the first card first."""
        return self.piles[self.round_number - 1]

    @property
    def cards_in_order(self) -> tuple[tuple[int, Seat], ...]:
        """All cards of this game as pairs (round from 1, owner), in the order in which they are turned (S30)."""
        return tuple((r, seat) for r, pile in enumerate(self.piles, start=1) for seat in pile)

    def count_cards_laid(self, seat: Seat) -> int:
        """Return the number of cards that `seat` has laid in this game, in all its rounds so far (S22)."""
        return sum(pile.count(seat) for pile in self.piles)

    @property
    def seats_able_to_lay(self) -> tuple[Seat, ...]:
        """Seats that may lay a card now (S20 to S22, A11); empty in all phases but ROUND.

        A player needs a card in hand and must not have laid the last card of this round.
        """
        return self.list_seats("lay")

    @property
    def seats_able_to_insert(self) -> tuple[Seat, ...]:
        """Seats whose card may have been overlooked (S25): those with cards in hand (S22).

        Empty in all phases but FIX.
        """
        return self.list_seats("insert")

    @property
    def next_card(self) -> tuple[int, Seat] | None:
        """Round (from 1) and owner of the card that is turned next; None: all are turned."""
        return next(iter(self.cards_in_order[len(self.cards_right) :]), None)

    @property
    def seats_right(self) -> tuple[Seat, ...]:
        """Owners of the right cards turned so far, in the order of the cards; each player at most once (S35)."""
        cards = zip(self.cards_in_order, self.cards_right, strict=False)
        return tuple(seat for (_, seat), is_right in cards if is_right)

    @property
    def fastest_seat(self) -> Seat | None:
        """Seat that laid the first right card of the game (S32, A6); None: no right card is turned yet."""
        return next(iter(self.seats_right), None)

    @property
    def bonus_seat(self) -> Seat | None:
        """Seat that is asked for the bonus on its display card (S34); None: nobody is."""
        if self.phase is not Phase.BONUS:
            return None
        return next((q for q in self.seats_right if not self.display_bonuses[q]), None)

    @property
    def laid_cards(self) -> tuple[LaidCard, ...]:
        """All cards of this game with their points (S31 to S33), in the order in which they lie."""
        return tuple(score_cards(self.cards_in_order, self.cards_right, self.settings))

    @property
    def tallies(self) -> tuple[GameTally, ...]:
        """Points of each seat in this game (S31 to S34), from the cards turned so far."""
        cards = self.laid_cards
        return tuple(
            tally_cards(cards, Seat(q), self.display_bonuses[q], self.settings) for q in range(self.player_count)
        )

    @property
    def totals(self) -> tuple[int, ...]:
        """Points by seat: the games added up (S6), the present one as far as it is revealed, and corrections."""
        return tuple(
            adjustment + sum(scores[q] for scores in self.earlier_scores) + tally.total
            for q, (adjustment, tally) in enumerate(zip(self.total_adjustments, self.tallies, strict=True))
        )


def advance_reveal(state: SecretNumberState) -> SecretNumberState:
    """Return the state in the phase that the reveal has reached (S30 to S35): REVEAL, BONUS or RESULT.

    Further cards of a player who was right count as wrong, without a question (S35). Outside the reveal, and in the
    phase FIX, the state is returned unchanged.
    """
    if state.phase not in REVEAL_PHASES or state.phase is Phase.FIX:
        return state
    # S35: who was right has no second right card, so nobody needs to be asked.
    while state.next_card is not None and state.next_card[1] in state.seats_right:
        state = replace(state, cards_right=(*state.cards_right, False))
    if state.next_card is not None:
        return replace(state, phase=Phase.REVEAL)
    bonuses = tuple(bonus if q in state.seats_right else 0 for q, bonus in enumerate(state.display_bonuses))
    state = replace(state, display_bonuses=bonuses, phase=Phase.BONUS)
    return state if state.bonus_seat is not None else replace(state, phase=Phase.RESULT)


def group_cards(cards: Sequence[tuple[int, Seat]]) -> tuple[tuple[Seat, ...], ...]:
    """Return the owners of cards by round, in the order in which the cards lie; one tuple for each of the three rounds.

    Args:
        cards: pairs (round from 1, owner).
    """
    return tuple(tuple(seat for r, seat in cards if r == number) for number in range(1, ROUNDS_PER_GAME + 1))
