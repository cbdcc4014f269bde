"""One state of a game with dice: what is stored, and what follows from it without a move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from companion.api import Seat, Translator, format_number
from companion.games.game_file.dice.scoring import Dice, DiceRules, list_subsets
from companion.games.game_file.file_game import FileGame

_ = Translator("game_file")

MAX_TOTAL = 9_999_999
"""Highest total of a player that may be entered, and with a minus sign the lowest."""
PROPOSALS = 3
"""Boxes that are offered at once (G43)."""


class Phase(StrEnum):
    """Phases of a turn; the values are the names of samples."""

    THROW = "throw"  # G31: the first throw of a turn
    DECIDE = "decide"  # G33, G36: dice lie on the table: set aside, throw again, or end the turn
    AGAIN = "again"  # G33: dice were set aside, the others may be thrown
    CHOOSE = "choose"  # G42: all throws are made: choose a box
    OVER = "over"  # G45 to G48


class TurnEnd(StrEnum):
    """How a turn ended."""

    BUST = "bust"  # G34: its points were lost
    LOST_ALL = "lost all"  # G34: all points of the player were lost
    SCORED = "scored"  # G36, G42: its points count


@dataclass(frozen=True, slots=True)
class EndedTurn:
    """The turn that ended last.

    Attributes:
        dice: all dice of its end, as they lay and were set aside.
        points: points that were scored; of a bust those that were lost.
        box: index of the box that was filled, from 0; None: none.
    """

    seat: Seat
    end: TurnEnd
    dice: Dice
    points: int
    box: int | None = None

    def format(self) -> str:
        """Return how the turn ended, in a few translated words: "350 lost", "+350"."""
        match self.end:
            case TurnEnd.BUST if not self.points:
                return _("no points")
            case TurnEnd.BUST:
                return _("{n} lost", n=self.points)
            case TurnEnd.LOST_ALL:
                return _("all points lost")
        return f"+{format_number(self.points)}" if self.points > 0 else format_number(self.points)


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceGameState(FileGame):
    """Stored state of a game with dice."""

    rules: DiceRules
    turn_number: int = 1
    """Number of the turn in play, from 1."""
    is_last_round: bool = False
    """G48: the target is reached, and the others have their last turn."""
    throw_count: int = 0
    """Number of throws of this turn."""
    table: Dice = ()
    """Values of the dice that lie as they were thrown last."""
    aside: Dice = ()
    """Values of dice set aside: since the last throw (keep = "scoring"), or in the turn (keep = "any")."""
    locked: Dice = ()
    """Values of dice set aside and scored before the last throw (keep = "scoring")."""
    has_kept: bool = False
    """Whether dice were set aside since the last throw."""
    turn_points: int = 0
    """Points of this turn before the last throw."""
    points: tuple[int, ...] = ()
    """Points by seat, rounds won with `rounds.score = "win"`; not used with a score sheet."""
    round_points: tuple[int, ...] = ()
    """Points by seat in the round in play (G46)."""
    boxes: tuple[tuple[int | None, ...], ...] = ()
    """Points by seat and box; None: the box is open (G42)."""
    ended_turn: EndedTurn | None = None
    """The turn that ended last; None: there was none."""
    before_throw: DiceGameState | None = field(default=None, repr=False)
    """G51: the state before the last throw, itself without such a state; None: nothing can be claimed."""
    next_throw: Dice = ()
    """G51: what the next player has thrown while the active one has yet to choose a box."""

    # What follows -----------------------------------------------------------------------------------------------

    @property
    def turn_name(self) -> str:
        return f"turn {self.turn_number}"

    @property
    def phase(self) -> Phase:
        """The phase of the turn in play."""
        if self.is_over:
            return Phase.OVER
        if not self.throw_count:
            return Phase.THROW
        if self.has_sheet and not self.has_throws_left:
            return Phase.CHOOSE
        return Phase.AGAIN if self.has_kept else Phase.DECIDE

    @property
    def has_sheet(self) -> bool:
        """Whether boxes of a score sheet are filled (G42)."""
        return bool(self.rules.model.categories)

    @property
    def sets_dice_aside(self) -> bool:
        """Whether dice are set aside in this game (G33, G38)."""
        return self.rules.model.keep != "none"

    @property
    def has_throws_left(self) -> bool:
        """Whether a turn of as many throws goes on (G31), and the next player has not thrown yet (G51)."""
        return not self.next_throw and not 0 < self.rules.model.throws <= self.throw_count

    @property
    def must_set_aside(self) -> bool:
        """G38: dice that score are to be set aside before the next throw."""
        return self.rules.model.keep == "scoring" and self.throw_count > 0 and not self.aside

    @property
    def is_hot(self) -> bool:
        """G37: all dice have scored."""
        return self.rules.model.keep == "scoring" and self.throw_count > 0 and not self.table

    @property
    def dice_to_throw(self) -> int:
        """Number of dice that are thrown next; 0: no throw is allowed now (G31, G33, G37)."""
        model = self.rules.model
        if self.is_over or not self.has_throws_left or self.must_set_aside:
            return 0
        if not self.throw_count or model.keep == "none" or (self.is_hot and model.hot_dice != "end"):
            return model.count
        return len(self.table)

    @property
    def all_dice(self) -> Dice:
        """All dice of the turn: those on the table, and those set aside after them."""
        return (*self.table, *self.aside, *self.locked)

    @property
    def last_throw(self) -> Dice:
        """All dice of the last throw, if it was of all dice and none were set aside since."""
        return self.all_dice if self.throw_count or self.ended_turn is None else self.ended_turn.dice

    @property
    def open_boxes(self) -> tuple[int, ...]:
        """Indexes of the active player's boxes that may be filled, from 0 (G42, G53)."""
        boxes = self.list_open_boxes(self.active_seat)
        return self.rules.list_musts(boxes, self.box_values) or boxes if self.throw_count else boxes

    @property
    def box_values(self) -> dict[str, int | tuple[int, ...]]:
        """Values of the names in the expressions on jokers and boxes (G53), with the boxes of the active player."""
        seat = self.active_seat
        values = self.rules.list_box_values(self.boxes[seat]) if self.has_sheet else {}
        values |= self.rules.list_memory(self.memory[seat])
        values |= {"dice": tuple(sorted(self.all_dice)), "round": self.round_number, "throws": self.throw_count}
        return {**values, "joker": int(self.rules.holds("joker", values))}

    @property
    def is_joker(self) -> bool:
        """Whether the dice are a joker (G53)."""
        return bool(self.rules.model.joker) and bool(self.box_values["joker"])

    def list_open_boxes(self, seat: Seat) -> tuple[int, ...]:
        """Return the indexes of the open boxes of `seat`, from 0; without a score sheet there are none."""
        return tuple(i for i, points in enumerate(self.boxes[seat]) if points is None) if self.boxes else ()

    @property
    def ranked_boxes(self) -> tuple[int, ...]:
        """Indexes of the active player's open boxes, the best for the dice first (G43); empty before a throw."""
        if not self.throw_count:
            return ()
        return self.rules.rank_categories(
            self.open_boxes, self.all_dice, self.round_number, self.throw_count, self.is_joker
        )

    def get_box_points(self, index: int) -> int:
        """Return what the dice score in a box (G42)."""
        return self.rules.compute_category_points(
            index, self.all_dice, self.round_number, self.throw_count, self.is_joker
        )

    @property
    def totals(self) -> tuple[int, ...]:
        """Points by seat (G44, G47, G48)."""
        if not self.has_sheet:
            return self.points
        return tuple(
            sum(points or 0 for points in boxes) + sum(self.rules.compute_bonus_points(boxes, memory))
            for boxes, memory in zip(self.boxes, self.memory, strict=True)
        )

    @property
    def seats_to_act(self) -> tuple[Seat, ...]:
        """Seats at the table that have a turn in this go-round (G46): of a score sheet those with open boxes."""
        return tuple(
            q for q in self.present_seats if not self.has_acted[q] and (not self.has_sheet or self.list_open_boxes(q))
        )

    # Points of the turn -----------------------------------------------------------------------------------------

    def compute_aside_points(self, dice: Dice) -> int | None:
        """Return the points of dice set aside from the last throw (G38); None: not all of them score."""
        return self.rules.compute_best_points(dice, self.round_number, self.throw_count)

    @property
    def throw_points(self) -> int:
        """Points of the last throw: of the dice (G35), or of those set aside from it (G38)."""
        if self.rules.model.keep == "scoring":
            return self.compute_aside_points(self.aside) or 0
        return self.rules.compute_throw_points(self.get_values(0)) if self.throw_count else 0

    def get_values(self, throw_points: int) -> dict[str, int | tuple[int, ...]]:
        """Return the values of the names in the expressions of a throw, with the points of the throw itself."""
        before = self.turn_points if self.rules.model.keep == "none" else 0
        return {
            "dice": tuple(sorted(self.all_dice)),
            "round": self.round_number,
            "throws": self.throw_count,
            "throw_points": throw_points,
            "turn_points": before + throw_points,
            "round_points": self.round_points[self.active_seat] + before + throw_points,
            "score": self.totals[self.active_seat],
            "players": self.player_count,
            "target": self.rules.model.target,
            **self.rules.list_memory(self.memory[self.active_seat]),
        }

    @property
    def current_points(self) -> int:
        """Points of the turn with the dice as they lie and were set aside (G35, G36, G38)."""
        return self.turn_points + self.throw_points

    @property
    def best_keep(self) -> Dice:
        """Dice on the table that bring most points if they are set aside too (G38), descending; empty: none does."""
        return max(self.legal_keeps, key=lambda dice: (self._rate_keep(dice), -len(dice)), default=())

    def _rate_keep(self, dice: Dice) -> int:
        return self.compute_aside_points((*self.aside, *dice)) or 0

    @property
    def legal_keeps(self) -> tuple[Dice, ...]:
        """Dice on the table that may be set aside together (G33, G38), each descending."""
        match self.rules.model.keep:
            case "any":
                return tuple(dice for dice in list_subsets(self.table) if len(dice) < len(self.table))
            case "scoring":
                subsets = list_subsets(self.table)
                return tuple(dice for dice in subsets if self.compute_aside_points((*self.aside, *dice)) is not None)
        return ()

    @property
    def bank_dice(self) -> Dice | None:
        """Dice that are set aside by the way when the turn is ended now, so that it scores most (G36, G37).

        Returns:
            Empty: none besides those set aside, or the game sets none aside. None: first dice are to be set aside, or
            all dice score and must be thrown again.
        """
        model = self.rules.model
        if model.keep != "scoring":
            return ()
        choices: list[Dice] = [*self.legal_keeps, *([()] if self.aside else [])]
        if model.hot_dice == "must" and self.has_throws_left:
            choices = [dice for dice in choices if len(dice) < len(self.table)]
        if not choices:
            return None
        return max(choices, key=lambda dice: (self._rate_keep(dice), -len(dice)))

    @property
    def bank_points(self) -> int:
        """Points that the turn brings if it is ended now; fewer than the least do not count (G36)."""
        points = self.current_points
        if self.rules.model.keep == "scoring" and (dice := self.bank_dice) is not None:
            points = self.turn_points + self._rate_keep(dice)
        return points

    def find_offered_dice(self, marked: Dice = ()) -> Dice:
        """Find dice that bring more points than the turn has, with those set aside since the last throw (G38).

        Args:
            marked: dice on the table that are to be set aside; if they do not all score, or there are none, the dice
                are found that bring most.

        Returns:
            Empty: none do.
        """
        if self.rules.model.keep != "scoring":
            return ()
        dice = (*self.aside, *marked)
        if not marked or self.compute_aside_points(dice) is None:
            dice = (*self.aside, *self.best_keep)
        return dice if (self.compute_aside_points(dice) or 0) > self.throw_points else ()

    @property
    def is_getting_in(self) -> bool:
        """Whether the active player has no points yet, and the first that count must be more than others (G36)."""
        model = self.rules.model
        return model.first_bank > model.least_bank and self.totals[self.active_seat] <= 0

    @property
    def least_bank(self) -> int:
        """Least points with which the active player may end the turn (G36)."""
        return self.rules.model.first_bank if self.is_getting_in else self.rules.model.least_bank


def format_dice(dice: Sequence[int]) -> str:
    """Return the values of dice with spaces between them, highest first; of more than ten the number and the sum.

    >>> format_dice((1, 5, 3)), format_dice((6,) * 11)
    ('5 3 1', '11 dice, sum 66')
    """
    if len(dice) > 10:
        return _("{n} dice, sum {total}", n=len(dice), total=sum(dice))
    return " ".join(map(str, sorted(dice, reverse=True)))
