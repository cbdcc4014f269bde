"""State of a Memo Dice game: stored fields, and properties derived from them."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from companion.api import BaseGame, Seat
from companion.events import MemoColour
from companion.games.memo_dice.settings import Settings


class Phase(StrEnum):
    """Where in a round the game is."""

    COVER = "cover"  # D10 to D14: the player on turn rolls a die and covers it
    LOOK = "look"  # D10, A8: a die lies open, while the house timer for looking runs
    UNCOVER = "uncover"  # D20 to D25: the guesser names what is under the next cup, then lifts it
    SCORED = "scored"  # D30 to D33: the pieces are moved
    OVER = "over"  # D32


COVERING_PHASES = (Phase.COVER, Phase.LOOK)
"""Phases in which dice are being covered (D10 to D14)."""
SYMBOL_COLOURS = (MemoColour.RED, MemoColour.BLUE, MemoColour.BLACK)
"""Colours that a symbol can have (D1); the golden cup belongs to no symbol."""
COLOUR_NUMBERS: Mapping[MemoColour, int] = MappingProxyType(
    {MemoColour.RED: 6, MemoColour.BLUE: 1, MemoColour.BLACK: 3}
)
"""Number key of each colour: the seat button whose own colour is nearest. Black has no near one."""


@dataclass(frozen=True, slots=True)
class Cup:
    """A cup in the row, over its die."""

    colour: MemoColour
    owner: Seat | None = None
    """Who has it (D22, D23); None: it is still down."""
    is_die_unknown: bool = False
    """D40: its die was knocked over, and nobody knows the face."""
    picture_number: int = 0
    """Number within the round of the picture that the camera took of its die, which stays secret until the cup is
    lifted; 0: the die was entered by hand."""


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
    """Stored state of a game of Memo Dice. It holds no symbol, and no colour of a die under the golden cup (D14).

    In a round the players roll dice in turn and cover each with a cup of its symbol's colour, the last one with the
    golden cup. Then the cups are lifted in the same order: who names the symbol below wins the cup, else the next
    player does. The points of the cups won move the pieces along the squares. Rule numbers (D1) are those of
    `docs/rules/memo_dice.md`.
    """

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
        """Phase of the game: OVER once it has ended, else `stage`."""
        return Phase.OVER if self.is_over else self.stage

    @property
    def is_round_under_way(self) -> bool:
        """Whether a round has begun and is not scored: a cup or an open die of it is on the table."""
        return self.stage is not Phase.SCORED and (bool(self.cup_row) or self.open_colour is not None)

    @property
    def is_over(self) -> bool:
        """Whether a piece is on the target square or beyond (D32) and no round is under way."""
        return not self.is_round_under_way and max(self.totals) >= self.settings.target_square

    @property
    def totals(self) -> tuple[int, ...]:
        """By seat: number of the square that the piece is on (D31)."""
        start = self.settings.start_square
        return tuple(
            start + adjustment + sum(scores[q] for scores in self.round_scores)
            for q, adjustment in enumerate(self.square_adjustments)
        )

    @property
    def round_number(self) -> int:
        """Number of the round in play, or of the round just scored, from 1."""
        in_play = self.stage is not Phase.SCORED and not self.is_over
        return max(1, len(self.round_scores) + in_play)

    @property
    def free_cups(self) -> dict[MemoColour, int]:
        """Number of cups left of each colour but gold (D13)."""
        used = [cup.colour for cup in self.cup_row]
        return {colour: self.settings.cups_per_colour - used.count(colour) for colour in SYMBOL_COLOURS}

    @property
    def is_last_die(self) -> bool:
        """Whether all dice of the round but one are under cups: the one left gets the golden cup (D12)."""
        return len(self.cup_row) == self.settings.dice - 1

    @property
    def dice_left(self) -> int:
        """Number of dice of this round that are neither under a cup nor lie open: those that are still to be rolled."""
        return self.settings.dice - len(self.cup_row) - (self.open_colour is not None)

    @property
    def coverable_colours(self) -> tuple[MemoColour, ...]:
        """Colours that still have a cup for a die of that colour (D13); empty for the last die (D12)."""
        return () if self.is_last_die else tuple(colour for colour, cups in self.free_cups.items() if cups > 0)

    @property
    def may_use_gold(self) -> bool:
        """Whether the golden cup may cover the next die (D12, D14): it is the last one, or a colour has no cup left."""
        return len(self.coverable_colours) < len(SYMBOL_COLOURS)

    @property
    def may_name(self) -> bool:
        """Whether the player on turn is still to name the symbol (D21).

        False in games without a timer for the answer.
        """
        return bool(self.settings.answer_seconds) and not (self.symbol_named or self.cup_lifted)

    @property
    def next_cup_index(self) -> int | None:
        """Index in `cup_row`, from 0, of the cup to be lifted next (D20), or that is lifted and not yet decided.

        None in all phases but UNCOVER.
        """
        if self.stage is not Phase.UNCOVER:
            return None
        return next(i for i, cup in enumerate(self.cup_row) if cup.owner is None)

    @property
    def gold_holder(self) -> Seat | None:
        """Seat that has won the golden cup (D33); None: nobody yet."""
        return next((cup.owner for cup in self.cup_row if cup.colour is MemoColour.GOLD), None)

    @property
    def round_points(self) -> tuple[int, ...]:
        """By seat: points of the round in play, from the cups won so far (D30).

        Once the round is scored, they are those of the scoring, with corrections.
        """
        if self.stage is Phase.SCORED:
            return self.round_scores[-1]
        return tuple(
            sum(self.get_cup_points(cup.colour) for cup in self.cup_row if cup.owner == q)
            for q in range(self.player_count)
        )

    def get_cup_points(self, colour: MemoColour) -> int:
        """Return the points that a cup of `colour` is worth (D30), by the house rules."""
        return self.settings.gold_value if colour is MemoColour.GOLD else self.settings.cup_value
