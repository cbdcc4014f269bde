"""One position of a Memo Dice game: what is stored, and what follows from it without a move."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.games.api.game import Seat
from companion.games.memo_dice.settings import Settings
from companion.games.memo_dice.view import SYMBOL_COLOURS, Cup, CupColour, Phase


@dataclass(frozen=True, slots=True)
class MemoDiceState:
    """What the ledger remembers. No symbol is in it, and no colour of a die under the golden cup."""

    settings: Settings
    active_seat: Seat
    """The roller (D10), the guesser (D20), or who starts the next round (D33)."""
    square_adjustments: tuple[int, ...]
    """By seat: squares that were put right by hand, over what the rounds say."""
    away: tuple[bool, ...]
    stage: Phase = Phase.COVER
    """As the last move left it; `phase` knows whether the game is over."""
    cup_row: tuple[Cup, ...] = ()
    open_colour: CupColour | None = None
    symbol_named: bool = False
    read_by_camera: bool = False
    """The camera has read the die that lies open."""
    cup_lifted: bool = False
    """The camera has seen the next cup lifted."""
    round_scores: tuple[tuple[int, ...], ...] = ()
    """D30: points of the rounds scored so far, by seat."""

    @property
    def player_count(self) -> int:
        return len(self.square_adjustments)

    @property
    def phase(self) -> Phase:
        return Phase.OVER if self.is_over else self.stage

    @property
    def is_round_under_way(self) -> bool:
        """Whether cups of an unscored round are on the table, or a die of it lies there."""
        return self.stage is not Phase.SCORED and (bool(self.cup_row) or self.open_colour is not None)

    @property
    def is_over(self) -> bool:
        """D32: a piece is on the target square or beyond; a round that is under way is scored first."""
        return not self.is_round_under_way and max(self.squares) >= self.settings.target_square

    @property
    def squares(self) -> tuple[int, ...]:
        """D31: where the pieces are, by seat."""
        start = self.settings.start_square
        return tuple(
            start + self.square_adjustments[q] + sum(each[q] for each in self.round_scores)
            for q in range(self.player_count)
        )

    @property
    def round_number(self) -> int:
        """The round in play, or just scored."""
        in_play = self.stage is not Phase.SCORED and not self.is_over
        return max(1, len(self.round_scores) + in_play)

    @property
    def free_cups(self) -> dict[CupColour, int]:
        """D13: how many cups of each colour are left."""
        used = [cup.colour for cup in self.cup_row]
        return {colour: self.settings.cups_per_colour - used.count(colour) for colour in SYMBOL_COLOURS}

    @property
    def is_last_die(self) -> bool:
        """D12: the die to be covered now is the last one."""
        return len(self.cup_row) == self.settings.dice - 1

    @property
    def dice_left(self) -> int:
        return self.settings.dice - len(self.cup_row) - (self.open_colour is not None)

    @property
    def coverable_colours(self) -> tuple[CupColour, ...]:
        """D12, D13: colours of symbols whose die gets a cup of its own colour."""
        return () if self.is_last_die else tuple(colour for colour, cups in self.free_cups.items() if cups > 0)

    @property
    def may_use_gold(self) -> bool:
        """D12, D14: the last die, or a colour of which no cup is left."""
        return len(self.coverable_colours) < len(SYMBOL_COLOURS)

    @property
    def next_cup_index(self) -> int | None:
        """D20: index of the cup to be lifted next."""
        if self.stage is not Phase.UNCOVER:
            return None
        return next(i for i, cup in enumerate(self.cup_row) if cup.owner is None)

    @property
    def gold_holder(self) -> Seat | None:
        """D33: who holds the golden cup; None until it is won."""
        return next((cup.owner for cup in self.cup_row if cup.colour is CupColour.GOLD), None)

    @property
    def points(self) -> tuple[int, ...]:
        """D30: what each seat's cups of this round are worth."""
        return tuple(
            sum(self.get_cup_points(cup.colour) for cup in self.cup_row if cup.owner == q)
            for q in range(self.player_count)
        )

    def get_cup_points(self, colour: CupColour) -> int:
        """D30: points of a cup."""
        return self.settings.gold_value if colour is CupColour.GOLD else self.settings.cup_value

    def left_of(self, seat: Seat) -> Seat:
        """A2: the next player clockwise who is at the table; `seat` itself, if nobody else is."""
        return next(self._clockwise_from(seat), seat)

    def _clockwise_from(self, seat: Seat) -> Iterator[Seat]:
        for step in range(1, self.player_count):
            other = Seat((seat + step) % self.player_count)
            if not self.away[other]:
                yield other
