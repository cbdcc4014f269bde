"""One state of a game with dice: what is stored, and what follows from it without a move."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from companion.api import BaseGame, GameSettings, Seat
from companion.games.game_file.dice.scoring import Dice, DiceRules, list_subsets, remove_dice

MAX_TOTAL = 9_999_999
"""Highest total of a player that may be entered, and with a minus sign the lowest."""


class Phase(StrEnum):
    """Phases of a turn; the values are the names of samples."""

    THROW = "throw"  # G31: the first throw of a turn
    DECIDE = "decide"  # G33, G36: dice lie on the table: set aside, throw again, or end the turn
    AGAIN = "again"  # G33: dice were set aside, the others may be thrown
    CHOOSE = "choose"  # G42: all throws are made: choose a box
    OVER = "over"  # G45 to G48


class MoveKind(StrEnum):
    """Kinds of moves; journals hold the values."""

    THROW = "throw"  # G31: the values of the dice thrown
    KEEP = "keep"  # G33, G38: the values of dice that are set aside, descending
    RETURN = "return"  # G33: all dice set aside come back
    BANK = "bank"  # G36: the turn ends and its points count
    CHOOSE = "choose"  # G42: the number of a box, from 1


class CorrectionKind(StrEnum):
    """Kinds of corrections besides `CommonCorrection`; journals hold the values."""

    DICE = "dice"  # the dice of the last throw
    BOX = "box"  # the points of `seat` in the box `index`; -1: it is open
    TOTAL = "total"  # the points of a seat
    TURN_POINTS = "turn points"  # the points of the turn before the last throw
    ROUND_POINTS = "round points"  # the points of a seat in the round in play
    CURRENT_ROUND = "current round"  # the number of the round


class TurnEnd(StrEnum):
    """How a turn ended."""

    BUST = "bust"  # G34: its points were lost
    LOST_ALL = "lost all"  # G34: all points of the player were lost
    SCORED = "scored"  # G36, G42: its points count


@dataclass(frozen=True, slots=True)
class EndedTurn:
    """The turn that ended last.

    Attributes:
        dice: All dice of its end, as they lay and were set aside.
        points: Points that were scored; of a bust those that were lost.
        box: Index of the box that was filled, from 0; None: none.
    """

    seat: Seat
    end: TurnEnd
    dice: Dice
    points: int
    box: int | None = None


@dataclass(frozen=True, slots=True)
class DiceGameState(BaseGame):
    """Stored state of a game with dice; rule numbers (G30) are those of `docs/rules/game_files.md`."""

    rules: DiceRules
    """The game's file."""
    settings: GameSettings = field(hash=False)
    active_seat: Seat
    """Whose turn it is; after the end, whose was the last."""
    is_over: bool = False
    round_number: int = 1
    """Number of the round in play, from 1."""
    turn_number: int = 1
    """Number of the turn in play, from 1."""
    has_acted: tuple[bool, ...] = ()
    """By seat: whether its turn of this go-round is over (G46)."""
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

    # What follows -----------------------------------------------------------------------------------------------

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
    def has_throws_left(self) -> bool:
        """Whether a turn of as many throws goes on (G31)."""
        return not self.rules.model.throws or self.throw_count < self.rules.model.throws

    @property
    def is_hot(self) -> bool:
        """G37: all dice have scored."""
        return self.rules.model.keep == "scoring" and self.throw_count > 0 and not self.table

    @property
    def dice_to_throw(self) -> int:
        """Number of dice that are thrown next; 0: no throw is allowed now (G31, G33, G37)."""
        model = self.rules.model
        if self.is_over:
            return 0
        if not self.throw_count:
            return model.count
        if not self.has_throws_left or (model.keep == "scoring" and not self.aside):
            return 0
        if self.is_hot:
            return 0 if model.hot_dice == "end" else model.count
        return model.count if model.keep == "none" else len(self.table)

    @property
    def all_dice(self) -> Dice:
        """All dice of the turn: those on the table, and those set aside after them."""
        return (*self.table, *self.aside, *self.locked)

    @property
    def open_boxes(self) -> tuple[int, ...]:
        """Indexes of the active player's open boxes, from 0 (G42)."""
        return self.list_open_boxes(self.active_seat)

    def list_open_boxes(self, seat: Seat) -> tuple[int, ...]:
        """Return the indexes of the open boxes of `seat`, from 0; without a score sheet there are none."""
        return tuple(i for i, points in enumerate(self.boxes[seat]) if points is None) if self.boxes else ()

    @property
    def ranked_boxes(self) -> tuple[int, ...]:
        """Indexes of the active player's open boxes, the best for the dice first (G43); empty before a throw."""
        if not self.throw_count:
            return ()
        return self.rules.rank_categories(self.open_boxes, self.all_dice, self.round_number, self.throw_count)

    def get_box_points(self, index: int) -> int:
        """Return what the dice score in a box (G42)."""
        return self.rules.compute_category_points(index, self.all_dice, self.round_number, self.throw_count)

    def compute_bonuses(self, seat: Seat) -> tuple[int, ...]:
        """Return the points of `seat` by bonus (G44)."""
        return self.rules.compute_bonus_points(self.boxes[seat])

    @property
    def totals(self) -> tuple[int, ...]:
        """Points by seat (G44, G47, G48)."""
        if not self.has_sheet:
            return self.points
        return tuple(
            sum(points or 0 for points in boxes) + sum(self.rules.compute_bonus_points(boxes)) for boxes in self.boxes
        )

    @property
    def leaders(self) -> tuple[Seat, ...]:
        """All seats with the best total, ascending (G49); players who are away included."""
        totals = self.totals
        best = min(totals) if self.rules.model.lowest_wins else max(totals)
        return tuple(Seat(q) for q, total in enumerate(totals) if total == best)

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
        }

    @property
    def current_points(self) -> int:
        """Points of the turn with the dice as they lie and were set aside (G35, G36, G38)."""
        return self.turn_points + self.throw_points

    @property
    def best_keep(self) -> Dice:
        """Dice on the table that bring most points if they are set aside too (G38), descending; empty: none does."""
        return max(self._list_keeps(), key=lambda dice: (self._rate_keep(dice), -len(dice)), default=())

    def _rate_keep(self, dice: Dice) -> int:
        return self.compute_aside_points((*self.aside, *dice)) or 0

    def _list_keeps(self) -> tuple[Dice, ...]:
        """Return the dice that may be set aside together from those on the table (G33, G38), each descending."""
        model = self.rules.model
        if not self.throw_count or self.is_over:
            return ()
        if model.keep == "any":
            all_kept = len(self.table)
            return tuple(dice for dice in list_subsets(self.table) if len(dice) < all_kept and self.has_throws_left)
        if model.keep == "scoring":
            return tuple(
                dice for dice in list_subsets(self.table) if self.compute_aside_points((*self.aside, *dice)) is not None
            )
        return ()

    @property
    def legal_keeps(self) -> tuple[Dice, ...]:
        """Dice that may be set aside together now, each descending (G33, G38)."""
        return self._list_keeps()

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
        choices: list[Dice] = [*self._list_keeps(), *([()] if self.aside else [])]
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

    @property
    def best_points(self) -> int:
        """Most points that the turn has if all dice that score are set aside (G38); in other games `current_points`."""
        if self.rules.model.keep != "scoring":
            return self.current_points
        return self.turn_points + max(self.throw_points, self._rate_keep(self.best_keep))

    @property
    def least_bank(self) -> int:
        """Least points with which the active player may end the turn (G36)."""
        model = self.rules.model
        is_first = model.first_bank > 0 and self.totals[self.active_seat] == 0
        return max(model.first_bank, model.least_bank) if is_first else model.least_bank

    @property
    def may_bank(self) -> bool:
        """Whether the active player may end the turn now (G36)."""
        if self.is_over or not self.throw_count or self.has_sheet:
            return False
        if not self.dice_to_throw and not self._list_keeps():
            return True  # nothing else is left
        if self.bank_dice is None or not self.rules.model.bank:
            return False
        return self.bank_points >= self.least_bank

    def find_rest(self, kept: Dice) -> Dice | None:
        """Return the dice that stay on the table if `kept` are set aside; None: not all of them lie there."""
        return remove_dice(self.table, kept)
