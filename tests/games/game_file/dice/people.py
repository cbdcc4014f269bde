"""People around a table of Pig or Yacht who do not know the companion: they throw as soon as the player before is done.

They wait for no screen, press only what nobody can see, and keep their own account in the scorers of `plain_games`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from random import Random
from typing import Any

from companion.events import SEAT_BUTTONS, Button, DiceRead
from companion.testing.table import TableUnderTest
from tests.games.game_file.dice.plain_games import PlainPig, PlainYacht

EARLY_SHARE = 0.4
"""Probability that the next player throws before the turn was ended, and that the own button ends it."""
SLIP_SHARE = 0.2
"""Probability of each slip of impatient people: a wrong button, a cocked die."""
STOP_SHARE = 0.3
"""Probability that a player is content with the dice, after each throw."""

Dice = tuple[int, ...]


class DicePeople(ABC):
    """A group that plays one game on a table with a camera.

    Args:
        table: the companion's table, at the start of a game.
        is_impatient: they press buttons that mean nothing, and dice come to lie aslant.

    Attributes:
        presses: number of presses in each turn that nobody ended early.
        questions: number of questions that were asked.
        claims: how many throws were made before the turn before was ended.
    """

    def __init__(self, table: TableUnderTest, random: Random, *, is_impatient: bool) -> None:
        self.table, self.random, self.is_impatient = table, random, is_impatient
        self.presses: list[int] = []
        self.questions = self.claims = self._count = 0

    @property
    def game(self) -> Any:
        return self.table.game

    @abstractmethod
    def play(self) -> None:
        """Play to the end of the game."""

    def _happens(self, share: float) -> bool:
        return self.random.random() < share

    def _throw(self, count: int, *, is_early: bool = False) -> Dice:
        dice = tuple(sorted(self.random.randint(1, 6) for _die in range(count)))
        if self.is_impatient and not is_early and self._happens(SLIP_SHARE):
            self._read(dice, 0.5)  # a die leans against the edge
            self._answer(Button.NO)  # it is thrown again
        self._read(dice)
        return dice

    def _read(self, dice: Dice, confidence: float = 0.99, *, are_lying: bool = False) -> None:
        self.table.send(DiceRead(dice, confidence, self.table.clock.now, lying=(are_lying,) * len(dice)))
        self.table.wait(self.random.uniform(0.2, 2.0))

    def _press(self, button: Button) -> None:
        self._count += 1
        self.table.press(button)

    def _answer(self, button: Button, title: str = "") -> None:
        """Answer the question that has to be open."""
        question = self.table.state.question
        assert question is not None, f"{title}: nothing is asked"
        assert question.title.startswith(title)
        self.questions += 1
        self._press(button)

    def _press_own(self, seat: int, *, is_held: bool) -> None:
        """Say "my throw"."""
        button = self.table.saved_game.setup.buttons[seat]
        self._count += 1
        if is_held:
            self.table.hold(button)
        else:
            self.table.press(button)

    def _slip(self, seat: int, *, is_held: bool) -> None:
        """Press the button of somebody who has nothing to say, and take back what it does."""
        if not self.is_impatient or not self._happens(SLIP_SHARE):
            return
        before, count = self.game, self._count
        other = self.random.choice([q for q in range(self.game.player_count) if q != seat])
        self._press_own(other, is_held=is_held)
        while (state := self.table.state).question is not None or state.choices or state.marked_dice:
            self.table.press(Button.NO)
        while self.game != before:
            self.table.hold(Button.NO)
        self._count = count


class PigPeople(DicePeople):
    """A group that plays Pig."""

    def __init__(self, table: TableUnderTest, random: Random, *, is_impatient: bool) -> None:
        super().__init__(table, random, is_impatient=is_impatient)
        self.scorer = PlainPig(table.game.player_count, 0)

    def play(self) -> None:
        thrown: Dice | None = None
        while not self.scorer.over:
            self._count, questions = 0, self.questions
            thrown, is_early = self._play_turn(thrown)
            if not is_early and self.questions == questions:
                self.presses.append(self._count)
            assert list(self.game.totals) == self.scorer.points

    def _play_turn(self, die: Dice | None) -> tuple[Dice | None, bool]:
        """Play a turn; return what the next player has thrown already, and whether that player acted early."""
        who = self.scorer.turn_of
        while not self.scorer.over:
            if die is None:
                die = self._throw(1)
                self.scorer.throw(die)
            self._check()
            die = None
            if self.scorer.turn_of != who or self.scorer.over:
                return None, False
            self._slip(who, is_held=False)
            if self._happens(STOP_SHARE):
                break
        ends = self.scorer.was_last_of_round and max(*self.scorer.points, self._possible()) >= 100
        if ends or not self._happens(EARLY_SHARE):
            self._press(Button.OK)
            self.scorer.stop()
            return None, False
        following = (who + 1) % self.scorer.players
        if self._happens(0.3):
            self._press_own(following, is_held=False)
            if self.table.state.question is not None:
                self._answer(Button.NO, "Was ")
            self.scorer.stop()
            return None, True
        die = self._throw(1, is_early=True)
        self.claims += 1
        self._press_own(following, is_held=False)
        self._answer(Button.OK, f"Was {die[0]} ")
        self.scorer.stop()
        self.scorer.throw(die)
        return (None if self.scorer.turn_of != following else die), True

    def _possible(self) -> int:
        return self.scorer.points[self.scorer.turn_of] + self.scorer.gathered

    def _check(self) -> None:
        """No throw is lost, and none counts for somebody else."""
        assert (self.game.compute_outcome() is not None) == self.scorer.over
        if not self.scorer.over:
            points = self.game.current_points if self.game.throw_count else 0
            assert (self.game.active_seat, points) == (self.scorer.turn_of, self.scorer.gathered)


class YachtPeople(DicePeople):
    """A group that plays Yacht."""

    def __init__(self, table: TableUnderTest, random: Random, *, is_impatient: bool) -> None:
        super().__init__(table, random, is_impatient=is_impatient)
        self.scorer = PlainYacht(table.game.player_count, 0)

    def play(self) -> None:
        thrown: Dice | None = None
        while not self.scorer.over:
            self._count, questions = 0, self.questions
            throws, thrown = self._play_turn(thrown)
            if thrown is None and throws == 3 and self.questions == questions:
                self.presses.append(self._count)
            assert list(self.game.totals) == self.scorer.totals()

    def _play_turn(self, dice: Dice | None) -> tuple[int, Dice | None]:
        """Play a turn; return the number of throws, and what the next player has thrown already."""
        who, throws = self.scorer.turn_of, 1
        if dice is None:
            self.scorer.throw(self._throw(5))
        self._check(throws)
        while throws < 3 and not self._happens(STOP_SHARE):
            self._slip(who, is_held=True)
            self._throw_again()
            throws += 1
            self._check(throws)
        following = (who + 1) % self.scorer.players
        is_last = self.scorer.players == 1 or all(
            len(sheet) == 13 or seat == who for seat, sheet in enumerate(self.scorer.sheets)
        )
        box = self.random.choice([box for box in range(1, 14) if box not in self.scorer.sheets[who]])
        if is_last or not self._happens(EARLY_SHARE):
            self._choose(box)
            return throws, None
        if throws < 3 and self._happens(0.3) and not self._may_claim(throws):
            self._press_own(following, is_held=True)
            self._choose(box)
            return 0, None
        early = self._throw(5, is_early=True)
        self.claims += 1
        if throws < 3 and self.scorer.kept:
            self._answer(Button.OK, "Whose throw is ")
        elif throws < 3:
            self._press_own(following, is_held=True)
            self._answer(Button.OK, "Was ")
        self._choose(box, early)
        return throws, early

    def _may_claim(self, throws: int) -> bool:
        return throws > 1 and not self.scorer.kept

    def _throw_again(self) -> None:
        """Set some dice aside, or put all back, and throw."""
        if self.scorer.kept and self._happens(0.2):
            self.scorer.put_back()
            self.scorer.throw(self._throw(5, is_early=True))
            self._answer(Button.NO, "Whose throw is ")
            return
        count = self.random.randint(0, len(self.scorer.lying) - 1)
        if count:
            kept = tuple(self.random.sample(self.scorer.lying, count))
            self.scorer.keep(kept)
            self._read(tuple(sorted(self.scorer.lying)), are_lying=True)
        self.scorer.throw(self._throw(5 - len(self.scorer.kept)))

    def _choose(self, box: int, early: Dice | None = None) -> None:
        """Choose a box by the number keys, page by page; the next player may have thrown before."""
        while box - 1 not in (choices := self._list_choices()):
            self._press(Button.PLUS)
        self._press(SEAT_BUTTONS[choices.index(box - 1)])
        self.scorer.fill(box)
        if early is not None:
            self.scorer.throw(early)

    def _list_choices(self) -> tuple[int, ...]:
        if self.table.state.choices:
            return self.table.state.choices
        return self.game.ranked_boxes[:3] if self.game.phase == "choose" else ()

    def _check(self, throws: int) -> None:
        """No throw is lost, and none counts for somebody else."""
        assert (self.game.active_seat, self.game.throw_count) == (self.scorer.turn_of, throws)
        assert sorted(self.game.all_dice) == sorted((*self.scorer.lying, *self.scorer.kept))
        assert sorted(self.game.aside) == sorted(self.scorer.kept)
