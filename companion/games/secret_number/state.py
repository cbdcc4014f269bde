"""One position of a Secret Number match: what is stored, and what follows from it without a move."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.games.api.game import Seat
from companion.games.secret_number.settings import ROUNDS, Settings
from companion.games.secret_number.view import Laid, Phase, Tally

FEWEST = 2
"""S2: fewer cannot play."""
AT_REVEAL = (Phase.REVEAL, Phase.FIX, Phase.BONUS, Phase.RESULT)
"""The phases in which the cards of a finished game lie open or are being turned."""
IN_PLAY = (Phase.PREPARE, Phase.SHOW, Phase.ROUND)
"""The phases of the three rounds."""


@dataclass(frozen=True, slots=True)
class Position:
    """What the ledger remembers. It holds no value of any card, so it has no secret to give away."""

    settings: Settings
    players: int
    phase: Phase = Phase.DEAL
    game: int = 1
    round: int = 1
    deals: int = 1
    """S4: how often the cards of this game were dealt."""
    playing: tuple[Seat, ...] = ()
    """Who was dealt cards in this game; it decides which numbers are used (S2)."""
    away: tuple[Seat, ...] = ()
    piles: tuple[tuple[Seat, ...], ...] = ((),) * ROUNDS
    """By round: whose cards lie there, the first one at the bottom."""
    marks: tuple[bool, ...] = ()
    """Of the cards turned so far, over all rounds: right or wrong."""
    bonuses: tuple[int, ...] = ()
    """S34, by seat; 0: not asked yet."""
    earlier: tuple[tuple[int, ...], ...] = ()
    """Scores of the games before, each by seat."""
    offsets: tuple[int, ...] = ()
    """By seat: by how much people corrected the total."""
    changes: tuple[int, ...] = ()

    @property
    def present(self) -> tuple[Seat, ...]:
        return tuple(Seat(q) for q in range(self.players) if q not in self.away)

    @property
    def active(self) -> tuple[Seat, ...]:
        """Who was dealt cards and is there: these lay cards, and these agree (A12)."""
        return tuple(q for q in self.playing if q not in self.away)

    @property
    def numbers(self) -> tuple[int, ...]:
        """S2: 0 to N."""
        return tuple(range(len(self.playing) + 1))

    @property
    def number_cards(self) -> int:
        """S2: two of each number."""
        return 2 * len(self.numbers)

    @property
    def hand(self) -> int:
        """S3: answer cards that each player has for one game."""
        return len(self.numbers)

    @property
    def pile(self) -> tuple[Seat, ...]:
        """Whose cards lie in the present round."""
        return self.piles[self.round - 1]

    @property
    def cards(self) -> tuple[tuple[int, Seat], ...]:
        """S30: round and owner of all cards of this game, in the order in which they are turned."""
        return tuple((r, seat) for r, pile in enumerate(self.piles, start=1) for seat in pile)

    def used(self, seat: Seat) -> int:
        """S22: cards that the player has laid in this game."""
        return sum(pile.count(seat) for pile in self.piles)

    @property
    def may_lay(self) -> tuple[Seat, ...]:
        """S20, S21, A11: not twice in a row within a round; S22: as long as there are cards in hand."""
        if self.phase is not Phase.ROUND:
            return ()
        last = self.pile[-1:]
        return tuple(q for q in self.active if q not in last and self.used(q) < self.hand)

    @property
    def may_insert(self) -> tuple[Seat, ...]:
        """S25: whose card may have been overlooked, S22: nobody has more than he was given."""
        if self.phase is not Phase.FIX:
            return ()
        return tuple(q for q in self.playing if self.used(q) < self.hand)

    @property
    def next_card(self) -> tuple[int, Seat] | None:
        """Round and owner of the card that is turned next; None: all are turned."""
        return self.cards[len(self.marks)] if len(self.marks) < len(self.cards) else None

    @property
    def right(self) -> tuple[Seat, ...]:
        """Who had a right card, in the order in which these lie (S35: everybody at most once)."""
        return tuple(seat for (_, seat), mark in zip(self.cards, self.marks, strict=False) if mark)

    @property
    def fastest(self) -> Seat | None:
        """S32, A6: whose the very first right card of the game is, as far as it is known."""
        return next(iter(self.right), None)

    @property
    def asked(self) -> Seat | None:
        """S34: who is asked for the bonus on his display card."""
        if self.phase is not Phase.BONUS:
            return None
        return next((q for q in self.right if not self.bonuses[q]), None)

    @property
    def laid(self) -> tuple[Laid, ...]:
        return tuple(self._laid())

    def _laid(self) -> Iterator[Laid]:
        gain, loss = self.settings.card_points
        first = True
        for i, (r, seat) in enumerate(self.cards):
            if i >= len(self.marks):
                yield Laid(r, seat, None, 0)
            elif self.marks[i]:
                bonus = self.settings.fastest_bonus if first else 0
                first = False
                yield Laid(r, seat, True, gain + self.settings.round_bonus[r - 1] + bonus)
            else:
                yield Laid(r, seat, False, loss)

    @property
    def tallies(self) -> tuple[Tally, ...]:
        """S31 to S34 of this game, as far as it is revealed, by seat."""
        return tuple(self._tally(Seat(q)) for q in range(self.players))

    def _tally(self, seat: Seat) -> Tally:
        mine = [(r, mark) for (r, q), mark in zip(self.cards, self.marks, strict=False) if q == seat]
        gain, loss = self.settings.card_points
        return Tally(
            cards=sum(gain if mark else loss for _, mark in mine),
            fastest=self.settings.fastest_bonus if self.fastest == seat else 0,
            round=sum(self.settings.round_bonus[r - 1] for r, mark in mine if mark),
            display=self.bonuses[seat] if any(mark for _, mark in mine) else 0,
        )

    @property
    def totals(self) -> tuple[int, ...]:
        """S6: the games added up, the present one as far as it is revealed."""
        return tuple(
            self.offsets[q] + sum(game[q] for game in self.earlier) + self.tallies[q].total for q in range(self.players)
        )
