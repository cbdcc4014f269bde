"""One position of a Secret Number match: what is stored, and what follows from it without a move."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.games.api.game import Seat
from companion.games.secret_number.settings import ROUNDS_PER_GAME, Settings
from companion.games.secret_number.view import GameTally, LaidCard, Phase

MIN_PLAYERS = 2
"""S2: fewer cannot play."""
REVEAL_PHASES = (Phase.REVEAL, Phase.FIX, Phase.BONUS, Phase.RESULT)
"""The phases in which the cards of a finished game lie open or are being turned."""
ROUND_PHASES = (Phase.PREPARE, Phase.SHOW, Phase.ROUND)
"""The phases of the three rounds."""


@dataclass(frozen=True, slots=True)
class Position:
    """What the ledger remembers. It holds no value of any card, so it has no secret to give away."""

    settings: Settings
    player_count: int
    phase: Phase = Phase.DEAL
    game_number: int = 1
    round_number: int = 1
    deal_count: int = 1
    """S4: how often the cards of this game were dealt."""
    participants: tuple[Seat, ...] = ()
    """Who was dealt cards in this game; it decides which numbers are used (S2)."""
    away: tuple[Seat, ...] = ()
    piles: tuple[tuple[Seat, ...], ...] = ((),) * ROUNDS_PER_GAME
    """By round: whose cards lie there, the first one at the bottom."""
    cards_right: tuple[bool, ...] = ()
    """Of the cards turned so far, over all rounds: right or wrong."""
    display_bonuses: tuple[int, ...] = ()
    """S34, by seat; 0: not asked yet."""
    earlier_scores: tuple[tuple[int, ...], ...] = ()
    """Scores of the games before, each by seat."""
    total_adjustments: tuple[int, ...] = ()
    """By seat: by how much people corrected the total."""
    changes: tuple[int, ...] = ()

    @property
    def present_seats(self) -> tuple[Seat, ...]:
        return tuple(Seat(q) for q in range(self.player_count) if q not in self.away)

    @property
    def active_seats(self) -> tuple[Seat, ...]:
        """Who was dealt cards and is there: these lay cards, and these agree (A12)."""
        return tuple(q for q in self.participants if q not in self.away)

    @property
    def card_values(self) -> tuple[int, ...]:
        """S2: 0 to N."""
        return tuple(range(len(self.participants) + 1))

    @property
    def number_card_count(self) -> int:
        """S2: two of each number."""
        return 2 * len(self.card_values)

    @property
    def hand_size(self) -> int:
        """S3: answer cards that each player has for one game."""
        return len(self.card_values)

    @property
    def current_pile(self) -> tuple[Seat, ...]:
        """Whose cards lie in the present round."""
        return self.piles[self.round_number - 1]

    @property
    def cards_in_order(self) -> tuple[tuple[int, Seat], ...]:
        """S30: round and owner of all cards of this game, in the order in which they are turned."""
        return tuple((r, seat) for r, pile in enumerate(self.piles, start=1) for seat in pile)

    def count_cards_laid(self, seat: Seat) -> int:
        """S22: cards that the player has laid in this game."""
        return sum(pile.count(seat) for pile in self.piles)

    @property
    def seats_able_to_lay(self) -> tuple[Seat, ...]:
        """S20, S21, A11: not twice in a row within a round; S22: as long as there are cards in hand."""
        if self.phase is not Phase.ROUND:
            return ()
        last = self.current_pile[-1:]
        return tuple(q for q in self.active_seats if q not in last and self.count_cards_laid(q) < self.hand_size)

    @property
    def seats_able_to_insert(self) -> tuple[Seat, ...]:
        """S25: whose card may have been overlooked, S22: nobody has more than he was given."""
        if self.phase is not Phase.FIX:
            return ()
        return tuple(q for q in self.participants if self.count_cards_laid(q) < self.hand_size)

    @property
    def next_card(self) -> tuple[int, Seat] | None:
        """Round and owner of the card that is turned next; None: all are turned."""
        return self.cards_in_order[len(self.cards_right)] if len(self.cards_right) < len(self.cards_in_order) else None

    @property
    def seats_right(self) -> tuple[Seat, ...]:
        """Who had a right card, in the order in which these lie (S35: everybody at most once)."""
        return tuple(seat for (_, seat), mark in zip(self.cards_in_order, self.cards_right, strict=False) if mark)

    @property
    def fastest_seat(self) -> Seat | None:
        """S32, A6: whose the very first right card of the game is, as far as it is known."""
        return next(iter(self.seats_right), None)

    @property
    def bonus_seat(self) -> Seat | None:
        """S34: who is asked for the bonus on his display card."""
        if self.phase is not Phase.BONUS:
            return None
        return next((q for q in self.seats_right if not self.display_bonuses[q]), None)

    @property
    def laid_cards(self) -> tuple[LaidCard, ...]:
        return tuple(self._laid_cards())

    def _laid_cards(self) -> Iterator[LaidCard]:
        gain, loss = self.settings.card_points
        first = True
        for i, (r, seat) in enumerate(self.cards_in_order):
            if i >= len(self.cards_right):
                yield LaidCard(r, seat, None, 0)
            elif self.cards_right[i]:
                bonus = self.settings.fastest_bonus if first else 0
                first = False
                yield LaidCard(r, seat, True, gain + self.settings.round_bonus[r - 1] + bonus)
            else:
                yield LaidCard(r, seat, False, loss)

    @property
    def tallies(self) -> tuple[GameTally, ...]:
        """S31 to S34 of this game, as far as it is revealed, by seat."""
        return tuple(self._tally(Seat(q)) for q in range(self.player_count))

    def _tally(self, seat: Seat) -> GameTally:
        mine = [(r, mark) for (r, q), mark in zip(self.cards_in_order, self.cards_right, strict=False) if q == seat]
        gain, loss = self.settings.card_points
        return GameTally(
            card_points=sum(gain if mark else loss for _, mark in mine),
            fastest_points=self.settings.fastest_bonus if self.fastest_seat == seat else 0,
            round_points=sum(self.settings.round_bonus[r - 1] for r, mark in mine if mark),
            display_points=self.display_bonuses[seat] if any(mark for _, mark in mine) else 0,
        )

    @property
    def totals(self) -> tuple[int, ...]:
        """S6: the games added up, the present one as far as it is revealed."""
        return tuple(
            self.total_adjustments[q] + sum(game[q] for game in self.earlier_scores) + self.tallies[q].total
            for q in range(self.player_count)
        )
