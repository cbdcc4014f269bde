"""State of a Memo Dice game: stored fields, and properties derived from them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion.events import MemoColour
from companion.games.api.base_game import BaseGame
from companion.games.api.game import Seat
from companion.games.memo_dice.settings import Settings
from companion.games.memo_dice.view import SYMBOL_COLOURS, Cup, Phase


class MoveKind(StrEnum):
    """Kinds of moves; journals hold the values."""

    DIE = "die"  # D10: a die is entered; the value is the colour of its symbol
    GOLD = "gold"  # D12, D14: a die is entered that gets the golden cup
    SHOW = "show"  # as DIE, read by the camera: the die lies open until its cup is seen
    SHOW_GOLD = "show gold"  # as GOLD, read by the camera
    COVER = "cover"  # D10: the open die is covered
    CALL = "call"  # D21: the symbol is named
    LIFT = "lift"  # D21: the camera has seen the cup lifted
    RIGHT = "right"  # D22
    MISS = "miss"  # D23
    NEXT = "next"  # D33: the next round begins


class CorrectionKind(StrEnum):
    """Kinds of corrections besides `CommonCorrection`; journals hold the values."""

    OPEN = "open"  # colour of the die that lies open
    CUP = "cup"  # colour of cup `index`
    SWAP = "swap"  # two neighbours change places; the value is the number of the first
    OWNER = "taker"  # the seat that has cup `index`
    SQUARE = "square"  # where the piece of a seat stands
    UNKNOWN = "unknown"  # D40: whether the die under cup `index` was knocked over: 0 or 1


@dataclass(frozen=True, slots=True)
class MemoDiceState(BaseGame):
    """The stored state. It holds no symbol, and no colour of a die under the golden cup (D14)."""

    settings: Settings
    active_seat: Seat
    """Who rolls (D10), guesses (D20), or starts the next round (D33)."""
    square_adjustments: tuple[int, ...]
    """By seat: squares that corrections add to those of the rounds."""
    stage: Phase = Phase.COVER
    """Phase after the last move; `phase` is OVER as well where this ended the game."""
    cup_row: tuple[Cup, ...] = ()
    """In the order in which the dice were covered."""
    open_colour: MemoColour | None = None
    """Colour of the cup that will cover the die that lies open; None: none lies open."""
    symbol_named: bool = False
    """D21: the cup may be lifted."""
    read_by_camera: bool = False
    """The camera has read the die that lies open."""
    cup_lifted: bool = False
    """The camera has seen the next cup lifted."""
    round_scores: tuple[tuple[int, ...], ...] = ()
    """D30: points of the rounds scored so far, by round and seat."""

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
        return not self.is_round_under_way and max(self.totals) >= self.settings.target_square

    @property
    def totals(self) -> tuple[int, ...]:
        """D31: the squares of the pieces."""
        start = self.settings.start_square
        return tuple(
            start + adjustment + sum(scores[q] for scores in self.round_scores)
            for q, adjustment in enumerate(self.square_adjustments)
        )

    @property
    def round_number(self) -> int:
        """The round in play, or just scored, from 1."""
        in_play = self.stage is not Phase.SCORED and not self.is_over
        return max(1, len(self.round_scores) + in_play)

    @property
    def free_cups(self) -> dict[MemoColour, int]:
        """D13: how many cups of each colour are left."""
        used = [cup.colour for cup in self.cup_row]
        return {colour: self.settings.cups_per_colour - used.count(colour) for colour in SYMBOL_COLOURS}

    @property
    def is_last_die(self) -> bool:
        """D12: whether the die to be covered now is the last one."""
        return len(self.cup_row) == self.settings.dice - 1

    @property
    def dice_left(self) -> int:
        """Dice not yet rolled in this round."""
        return self.settings.dice - len(self.cup_row) - (self.open_colour is not None)

    @property
    def coverable_colours(self) -> tuple[MemoColour, ...]:
        """D12, D13: colours of symbols whose die gets a cup of its own colour."""
        return () if self.is_last_die else tuple(colour for colour, cups in self.free_cups.items() if cups > 0)

    @property
    def may_use_gold(self) -> bool:
        """D12, D14: the last die, or a colour that has no cup left."""
        return len(self.coverable_colours) < len(SYMBOL_COLOURS)

    @property
    def may_name(self) -> bool:
        """D21: whether the symbol is still to be named; asked for only where a timer runs for the answer."""
        return bool(self.settings.answer_seconds) and not (self.symbol_named or self.cup_lifted)

    @property
    def next_cup_index(self) -> int | None:
        """D20: index of the cup to be lifted next; None: none is."""
        if self.stage is not Phase.UNCOVER:
            return None
        return next(i for i, cup in enumerate(self.cup_row) if cup.owner is None)

    @property
    def gold_holder(self) -> Seat | None:
        """D33: who holds the golden cup; None until it is won."""
        return next((cup.owner for cup in self.cup_row if cup.colour is MemoColour.GOLD), None)

    @property
    def round_points(self) -> tuple[int, ...]:
        """D30: by seat, what the cups of this round are worth."""
        return tuple(
            sum(self.get_cup_points(cup.colour) for cup in self.cup_row if cup.owner == q)
            for q in range(self.player_count)
        )

    def get_cup_points(self, colour: MemoColour) -> int:
        """D30: return the points of a cup."""
        return self.settings.gold_value if colour is MemoColour.GOLD else self.settings.cup_value
