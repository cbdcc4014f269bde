"""State of a Memo Dice game: stored fields, and what follows from them: points and squares of the pieces."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Self

from companion.api import Game, Seat, Translator, replace_at
from companion.events import MemoColour
from companion.games.memo_dice.settings import Settings

_ = Translator("memo_dice")


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


@dataclass(frozen=True, slots=True)
class MemoDiceState(Game):
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
    def coverable_colours(self) -> tuple[MemoColour, ...]:
        """Colours that still have a cup for a die of that colour (D13); empty for the last die (D12)."""
        return () if self.is_last_die else tuple(colour for colour, cups in self.free_cups.items() if cups > 0)

    @property
    def next_cup_index(self) -> int | None:
        """Index in `cup_row`, from 0, of the cup to be lifted next (D20), or that is lifted and not yet decided.

        None in all phases but UNCOVER.
        """
        if self.stage is not Phase.UNCOVER:
            return None
        return next(i for i, cup in enumerate(self.cup_row) if cup.owner is None)

    def find_next_cup(self) -> tuple[int, bool]:
        """Return the number of the cup to be lifted next, from 1, and whether it is the golden one.

        Raises:
            AssertionError: the phase is not UNCOVER.
        """
        i = self.next_cup_index
        assert i is not None, "a cup is down"
        return i + 1, self.cup_row[i].colour is MemoColour.GOLD

    @property
    def coloured_cups(self) -> tuple[int, ...]:
        """Numbers of the cups, from 1, that are still down and not golden."""
        return tuple(
            n for n, cup in enumerate(self.cup_row, start=1) if cup.owner is None and cup.colour is not MemoColour.GOLD
        )

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

    def replace_cup(self, i: int, cup: Cup) -> Self:
        """Return the game with the cup at index `i` (from 0, in range) of `cup_row` replaced by `cup`."""
        return replace(self, cup_row=replace_at(self.cup_row, i, cup))

    def set_round_starter(self) -> Self:
        """Return the game with the player who starts the next round as active player (D33).

        It is the holder of the golden cup or, if that player is away, the next present player clockwise.

        Raises:
            AssertionError: nobody holds the golden cup yet.
        """
        holder = self.gold_holder
        assert holder is not None, "all cups are won"
        return replace(self, active_seat=self.find_next_seat(holder) if self.away[holder] else holder)
