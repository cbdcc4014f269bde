"""People who play Memo Dice, and their hands.

Before a camera no die is cocked or rolled before the one before it is covered, and no cup is put back.
"""

from __future__ import annotations

from random import Random
from typing import Any

from companion.events import Button, CupLifted, CupPlaced, DieShown, MemoColour
from tests.games.differential.driver import check_end
from tests.games.differential.memo_dice import GOLD, CupTable, find_winners
from tests.simulated_groups.group import Group
from tests.simulated_groups.hands import FilmedHands, Hands

RIGHT_SHARE = 0.6
"""Probability that a symbol is named rightly."""
EARLY_SHARE = 0.5
"""Probability that the next round is begun by a die that is rolled, without a press."""
COLOURS = (MemoColour.RED, MemoColour.BLUE, MemoColour.BLACK)


class MemoDiceHands(Hands):
    """Send readings of the row."""

    _length = 0
    """Number of dice in the row that are covered."""

    def roll(self, *, is_cocked: bool = False, is_early: bool = False) -> MemoColour:
        """Roll a die to the end of the row, or beyond a die that is still open; return its colour."""
        colour = self.random.choice(COLOURS)
        others = tuple(c for c in COLOURS if c is not colour) if is_cocked else ()
        place, confidence = self._length + is_early, 0.5 if is_cocked else 0.99
        self.table.send(DieShown(place, colour, confidence, self.table.clock.now, others))
        return colour

    def roll_again(self) -> MemoColour:
        """Roll the open die once more; return its colour."""
        return self.roll()

    def cover(self, cup: MemoColour) -> None:
        """Put a cup over the open die."""
        self.table.send(CupPlaced(self._length, cup, 0.99, self.table.clock.now))
        self._length += 1

    def lift(self, place: int) -> None:
        """Lift the cup at a place, from 0."""
        self.table.send(CupLifted(place, 0.99, self.table.clock.now))

    def put_down(self, place: int, cup: MemoColour) -> None:
        """Put a cup that was lifted back over its die."""
        self.table.send(CupPlaced(place, cup, 0.99, self.table.clock.now))

    def clear(self) -> None:
        """Take all dice and cups off the table."""
        self._length = 0


class FilmedMemoDiceHands(FilmedHands, MemoDiceHands):
    """Move the dice and cups of the simulated table."""

    def roll(self, *, is_cocked: bool = False, is_early: bool = False) -> MemoColour:
        colour: MemoColour = self.things.roll(self.random, self.table.clock.now)
        self.table.wait_for_hands()
        return colour

    def roll_again(self) -> MemoColour:
        colour: MemoColour = self.things.roll_again(self.random, self.table.clock.now)
        self.table.wait_for_hands()
        return colour

    def cover(self, cup: MemoColour) -> None:
        self.things.cover(cup, self.table.clock.now)
        self.table.wait_for_hands()

    def lift(self, place: int) -> None:
        self.things.lift(place, self.table.clock.now)
        self.table.wait_for_hands()

    def clear(self) -> None:
        self.things.clear(self.table.clock.now)
        self.table.wait_for_hands(1.0)


class MemoDiceGroup(Group):
    """A group that plays Memo Dice. A turn is a die that is covered, or a cup that is lifted."""

    hands: MemoDiceHands
    scorer: CupTable

    def __init__(self, hands: MemoDiceHands, scorer: CupTable, random: Random, *, is_impatient: bool) -> None:
        super().__init__(hands, scorer, random, is_impatient=is_impatient)
        self._colour = MemoColour.RED
        self._rounds = 0
        self._next_colour: MemoColour | None = None
        """Of a die that was rolled before the one before it was covered."""

    def _play_turn(self) -> str:
        if len(self.scorer.rounds) > self._rounds:
            self._rounds = len(self.scorer.rounds)
            return self._begin_round()
        if GOLD not in self.scorer.row:
            self._cover_die()
            return "die"
        self._lift_cup()
        return "cup"

    def _compare(self) -> None:
        assert list(self.game.totals) == self.scorer.squares, "squares"
        assert [list(scores) for scores in self.game.round_scores] == self.scorer.rounds, "rounds"
        check_end(self.game, find_winners(self.scorer.squares), over=self.scorer.over)

    def _begin_round(self) -> str:
        """Clear the table; the first die begins the round, or OK does."""
        self.hands.clear()
        self._wait(1.0, 2.0)
        is_pressed = not self._happens(EARLY_SHARE)
        if is_pressed:
            self.table.wait(1.5)
            self._press(Button.OK)
        self.scorer.happen("next")
        return "round" if is_pressed else ""

    def _cover_die(self) -> None:
        if self._slips() and not self.hands.are_filmed and self.scorer.row and self._next_colour is None:
            self._throw_badly(lambda: self.hands.roll(is_cocked=True))
        if self._next_colour is None:
            self._colour = self.hands.roll()
            self._wait(0.8, 2.0)
        else:
            self._colour, self._next_colour = self._next_colour, None
        if self._slips():
            self.hands.rest()
            self._colour = self.hands.roll_again()  # it had rolled against a cup
            self._wait(0.8, 2.0)
        self._slip()
        self.scorer.happen("roll", int(self._colour))
        cup = MemoColour.GOLD if self.scorer.open_cup == GOLD else self._colour
        if cup is not MemoColour.GOLD and not self.hands.are_filmed and self._slips():
            self._next_colour = self.hands.roll(is_early=True)
            self._wait(0.5, 1.0)
        self.hands.cover(cup)
        self._wait(0.8, 2.0)
        self.scorer.happen("cover")
        self._check()

    def _lift_cup(self) -> None:
        place = len(self.scorer.owners)
        self.hands.lift(place)
        self._wait(0.8, 2.0)
        if self._slips() and not self.hands.are_filmed:
            self._slip()
            cup = self.scorer.row[place]
            self.hands.put_down(place, MemoColour.GOLD if cup == GOLD else MemoColour(cup))
            self._wait(0.8, 2.0)
            self.hands.lift(place)
            self._wait(0.8, 2.0)
        is_right = self._happens(RIGHT_SHARE)
        self._press(Button.OK if is_right else Button.NO)
        self.scorer.happen("call", is_right)
        self._check()

    def _slip(self) -> None:
        """Press the button of somebody who cannot do anything now."""
        if self._slips():
            others = [q for q in range(self.scorer.seats) if q != self.scorer.turn]
            self.table.press(self._find_own(self.random.choice(others)))
            self._answer_questions()

    def _mashes(self) -> bool:
        """Return whether somebody presses OK again and again; to undo that would take back a die rolled early, too."""
        return self._next_colour is None and super()._mashes()

    def _list_true_values(self) -> list[tuple[int, ...]]:
        return [(int(self._colour),)]

    def _answer(self, title: str) -> Button | None:
        if title.startswith("Is the die "):
            return Button.PLUS if f" {self._colour.name.lower()} " in title else Button.OK
        if title.startswith("Cup "):  # the cup is right, what was entered is not
            return Button.PLUS
        return None

    def _check(self) -> None:
        """No die and no cup is lost, and everybody is on the right square."""
        if not self._is_compared():
            return
        self._compare()
        game: Any = self.game
        if self.scorer.over:
            return
        assert game.active_seat == self.scorer.turn, "turn"
        if self.scorer.row:
            cups = [GOLD if cup.colour is MemoColour.GOLD else int(cup.colour) for cup in game.cup_row]
            assert cups == self.scorer.row, "cups"
            assert sum(cup.owner is not None for cup in game.cup_row) == len(self.scorer.owners), "lifted"
