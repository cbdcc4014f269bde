"""One position of a Memo Dice game: what is stored, and what follows from it without a move."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.games.api.game import Seat
from companion.games.memo_dice.settings import Settings
from companion.games.memo_dice.view import SYMBOLS, Colour, Cup, Phase


@dataclass(frozen=True, slots=True)
class Position:
    """What the ledger remembers. No symbol is in it, and no colour of a die under the golden cup."""

    settings: Settings
    active: Seat
    """The roller (D10), the guesser (D20), or who starts the next round (D33)."""
    shifts: tuple[int, ...]
    """By seat: squares that were put right by hand, over what the rounds say."""
    away: tuple[bool, ...]
    stage: Phase = Phase.COVER
    """As the last move left it; `phase` knows whether the game is over."""
    row: tuple[Cup, ...] = ()
    looking: Colour | None = None
    called: bool = False
    seen: bool = False
    """The camera has read the die that lies open."""
    lifted: bool = False
    """The camera has seen the next cup lifted."""
    rounds: tuple[tuple[int, ...], ...] = ()
    """D30: points of the rounds scored so far, by seat."""

    @property
    def players(self) -> int:
        return len(self.shifts)

    @property
    def phase(self) -> Phase:
        return Phase.OVER if self.over else self.stage

    @property
    def under_way(self) -> bool:
        """Whether cups of an unscored round are on the table, or a die of it lies there."""
        return self.stage is not Phase.SCORED and (bool(self.row) or self.looking is not None)

    @property
    def over(self) -> bool:
        """D32: a piece is on the target square or beyond; a round that is under way is scored first."""
        return not self.under_way and max(self.squares) >= self.settings.target_square

    @property
    def squares(self) -> tuple[int, ...]:
        """D31: where the pieces are, by seat."""
        start = self.settings.start_square
        return tuple(start + self.shifts[q] + sum(each[q] for each in self.rounds) for q in range(self.players))

    @property
    def round(self) -> int:
        """The round in play, or just scored."""
        in_play = self.stage is not Phase.SCORED and not self.over
        return max(1, len(self.rounds) + in_play)

    @property
    def free(self) -> dict[Colour, int]:
        """D13: how many cups of each colour are left."""
        used = [cup.colour for cup in self.row]
        return {colour: self.settings.cups_per_colour - used.count(colour) for colour in SYMBOLS}

    @property
    def last_die(self) -> bool:
        """D12: the die to be covered now is the last one."""
        return len(self.row) == self.settings.dice - 1

    @property
    def dice_left(self) -> int:
        return self.settings.dice - len(self.row) - (self.looking is not None)

    @property
    def coverable(self) -> tuple[Colour, ...]:
        """D12, D13: colours of symbols whose die gets a cup of its own colour."""
        return () if self.last_die else tuple(colour for colour, cups in self.free.items() if cups > 0)

    @property
    def may_use_gold(self) -> bool:
        """D12, D14: the last die, or a colour of which no cup is left."""
        return len(self.coverable) < len(SYMBOLS)

    @property
    def next_cup(self) -> int | None:
        """D20: index of the cup to be lifted next."""
        if self.stage is not Phase.UNCOVER:
            return None
        return next(i for i, cup in enumerate(self.row) if cup.taker is None)

    @property
    def gold_holder(self) -> Seat | None:
        """D33: who holds the golden cup; None until it is won."""
        return next((cup.taker for cup in self.row if cup.colour is Colour.GOLD), None)

    @property
    def points(self) -> tuple[int, ...]:
        """D30: what each seat's cups of this round are worth."""
        return tuple(sum(self.worth(cup.colour) for cup in self.row if cup.taker == q) for q in range(self.players))

    def worth(self, colour: Colour) -> int:
        """D30: points of a cup."""
        return self.settings.gold_value if colour is Colour.GOLD else self.settings.cup_value

    def left_of(self, seat: Seat) -> Seat:
        """A2: the next player clockwise who is at the table; `seat` itself, if nobody else is."""
        return next(self._clockwise_from(seat), seat)

    def _clockwise_from(self, seat: Seat) -> Iterator[Seat]:
        for step in range(1, self.players):
            other = Seat((seat + step) % self.players)
            if not self.away[other]:
                yield other
