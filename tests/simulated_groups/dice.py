"""People who play Pig and Yacht, and their hands."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from companion.events import Button, DiceRead
from companion.simulation.dice_tray.table import TrayDie
from tests.games.differential.driver import check_end
from tests.games.game_file.dice.plain_games import PlainPig, PlainYacht
from tests.simulated_groups.group import Group, find_number_key
from tests.simulated_groups.hands import FilmedHands, Hands

EARLY_SHARE = 0.4
"""Probability that the next player throws before the turn was ended, or ends it by the own button."""
BEST_SHARE = 0.5
"""Probability that a box is chosen among the three that bring the most."""
STOP_SHARE = 0.3
"""Probability that a player is content with the dice, after each throw."""

Dice = tuple[int, ...]


class DiceHands(Hands):
    """Send readings of the dice in the tray."""

    def throw(self, dice: Dice, *, is_cocked: bool = False) -> None:
        """Throw dice, which are all that lie in the tray then; cocked: one leans against the edge."""
        self.table.roll(*dice, confidence=0.5 if is_cocked else 0.99)

    def set_aside(self, dice: Dice, lying: Dice) -> None:
        """Take dice out of the tray; `lying` stay there."""
        self.table.send(DiceRead(lying, 0.99, self.table.clock.now, lying=(True,) * len(lying)))


class FilmedDiceHands(FilmedHands, DiceHands):
    """Move the dice of the simulated tray."""

    def throw(self, dice: Dice, *, is_cocked: bool = False) -> None:
        self.things.throw_dice(len(dice), self.random, self.table.clock.now, values=dice, cocked=int(is_cocked))
        self.table.wait_for_dice()

    def set_aside(self, dice: Dice, lying: Dice) -> None:
        taken: list[TrayDie] = []
        for value in dice:
            taken.append(next(d for d in self.things.planned_dice if d.value == value and d not in taken))
        self.things.take(taken, self.table.clock.now)
        self.table.wait_for_hands()


class DiceGroup(Group):
    """A group that plays a game with dice in a tray.

    Attributes:
        claims: how many throws were made before the turn before was ended.
    """

    hands: DiceHands
    scorer: PlainPig | PlainYacht

    def __init__(self, hands: DiceHands, scorer: PlainPig | PlainYacht, random: Random, *, is_impatient: bool) -> None:
        super().__init__(hands, scorer, random, is_impatient=is_impatient)
        self.claims = 0
        self._is_early = False
        """Whether the dice in the tray are the next player's."""
        self._dice: Dice = ()
        self._set_aside: Dice = ()
        """Of the throw before, if any were."""
        self._was_cocked = False
        """Whether the dice were thrown once more because one leant."""

    def _compare(self) -> None:
        assert list(self.game.totals) == self.scorer.totals()
        check_end(self.game, self.scorer.winners(), over=self.scorer.over)

    def _throw(self, count: int, *, is_early: bool = False) -> Dice:
        self._dice = tuple(sorted(self.random.randint(1, 6) for _die in range(count)))
        self._was_cocked = not is_early and self._slips()
        if self._was_cocked:
            self._throw_badly(lambda: self.hands.throw(self._dice, is_cocked=True))
        self._is_early = is_early
        self.hands.throw(self._dice)
        self._wait(0.8, 2.0)
        return self._dice

    def _press_early(self, seat: int, *, is_held: bool = False) -> None:
        """Say "my throw" by the own button, as the screen shows it; where number keys have another use it is held."""
        self.hands.rest()
        self._answer_questions()
        self._count += 1
        if is_held:
            self.table.hold(self._find_own(seat))
        else:
            self.table.press(self._find_own(seat))
        self._answer_questions()

    def _slip(self, seat: int, *, is_held: bool = False) -> None:
        """Press the button of somebody who has nothing to say, and take back what it does."""
        if not self._slips():
            return
        self.hands.rest()
        self._answer_questions()
        before, count = self.game, self._count
        other = self.random.choice([q for q in range(self.game.player_count) if q != seat])
        self._is_early = False
        self._press_early(other, is_held=is_held)
        while (dialog := self.table.referee.dialog) and (dialog.question or dialog.choices or dialog.marked_dice):
            self.table.press(Button.NO)
        self._undo_to(before)
        self._count = count

    def _list_true_values(self) -> Sequence[Dice]:
        return [self._dice, self._set_aside]

    def _answer(self, title: str) -> Button | None:
        if title.startswith(("Was ", "Whose throw is ")):
            return Button.OK if self._is_early else Button.NO
        if title.startswith("Did "):  # the dice before these
            return Button.NO if self._was_cocked else Button.OK
        return None


class PigGroup(DiceGroup):
    """A group that plays Pig."""

    scorer: PlainPig

    def __init__(self, hands: DiceHands, scorer: PlainPig, random: Random, *, is_impatient: bool) -> None:
        super().__init__(hands, scorer, random, is_impatient=is_impatient)
        self._thrown = False
        """Whether the player on turn has thrown already, before the turn before was ended."""

    def _play_turn(self) -> str:
        who, is_thrown = self.scorer.turn_of, self._thrown
        self._thrown = False
        while True:
            if not is_thrown:
                self.scorer.throw(self._throw(1))
            is_thrown = False
            self._check()
            if self.scorer.turn_of != who or self.scorer.over:
                return "lost"
            self._slip(who)
            if self._happens(STOP_SHARE):
                break
        scorer = self.scorer
        has_won = scorer.points[who] + scorer.gathered >= 100  # nobody throws after that
        if has_won or not self._happens(EARLY_SHARE):
            self._press(Button.OK)
            scorer.stop()
            return "stop"
        following = (who + 1) % scorer.players
        if self._happens(0.3):
            self._press_early(following)
            scorer.stop()
            return ""
        die = self._throw(1, is_early=True)
        self.claims += 1
        self._press_early(following)
        self._is_early = False
        scorer.stop()
        scorer.throw(die)
        self._thrown = scorer.turn_of == following and not scorer.over
        return ""

    def _check(self) -> None:
        """No throw is lost, and none counts for somebody else."""
        if not self._is_compared():
            return
        assert list(self.game.totals) == self.scorer.points
        assert (self.game.compute_outcome() is not None) == self.scorer.over
        if not self.scorer.over:
            points = self.game.current_points if self.game.throw_count else 0
            assert (self.game.active_seat, points) == (self.scorer.turn_of, self.scorer.gathered)


class YachtGroup(DiceGroup):
    """A group that plays Yacht."""

    scorer: PlainYacht

    def __init__(self, hands: DiceHands, scorer: PlainYacht, random: Random, *, is_impatient: bool) -> None:
        super().__init__(hands, scorer, random, is_impatient=is_impatient)
        self._thrown = False
        """Whether the player on turn has thrown already, before the box of the turn before was chosen."""

    def _play_turn(self) -> str:
        who, throws, is_early = self.scorer.turn_of, 1, self._thrown
        if not self._thrown:
            self.scorer.throw(self._throw(5))
        self._thrown = False
        self._set_aside = ()
        self._check(throws)
        while throws < 3 and not self._happens(STOP_SHARE):
            self._slip(who, is_held=True)
            self._throw_again()
            throws += 1
            self._check(throws)
        following = (who + 1) % self.scorer.players
        is_last = all(len(sheet) == 13 or seat == who for seat, sheet in enumerate(self.scorer.sheets))
        best = [] if throws < 3 else [box + 1 for box in self.game.ranked_boxes[:3]]
        left = [box for box in range(1, 14) if box not in self.scorer.sheets[who]]
        box = self.random.choice(best if best and self._happens(BEST_SHARE) else left)
        if is_last or not self._happens(EARLY_SHARE):
            is_shown = self._choose(box)
            return "three throws" if throws == 3 and is_shown and not is_early else ""
        if throws < 3 and self._happens(0.3) and (throws == 1 or self.scorer.kept):
            self._press_early(following, is_held=True)
            self._choose(box)
            return ""
        asks_by_itself = throws == 3 or self.scorer.kept
        early = self._throw(5, is_early=True)
        self.claims += 1
        if not asks_by_itself:
            self._press_early(following, is_held=True)
        self._choose(box)
        self._is_early = False
        self.scorer.throw(early)
        self._thrown = True
        return ""

    def _throw_again(self) -> None:
        """Set some dice aside, or put all back, and throw."""
        if self.scorer.kept and self._happens(0.2):
            self._set_aside = ()
            self.scorer.put_back()
            self.scorer.throw(self._throw(5))
            return
        count = self.random.randint(0, len(self.scorer.lying) - 1)
        self._set_aside = ()
        if count:
            kept = tuple(self.random.sample(self.scorer.lying, count))
            self.scorer.keep(kept)
            self._set_aside = kept
            self.hands.set_aside(kept, tuple(sorted(self.scorer.lying)))
            self._wait(0.6, 1.5)
        self.scorer.throw(self._throw(5 - len(self.scorer.kept)))

    def _choose(self, box: int) -> bool:
        """Choose a box by the number keys, page by page; return whether it was on the first page.

        The next player may have thrown before.
        """
        self.hands.rest()
        self._answer_questions()
        is_shown = box - 1 in self._list_choices()
        for _page in range(4):
            if box - 1 in (choices := self._list_choices()):
                break
            self._press(Button.PLUS)
        self._press(find_number_key(choices.index(box - 1) + 1))
        self.scorer.fill(box)
        assert list(self.game.totals) == self.scorer.totals()
        return is_shown

    def _list_choices(self) -> tuple[int, ...]:
        if (dialog := self.table.referee.dialog) is not None and dialog.choices:
            return dialog.choices
        return tuple(self.game.ranked_boxes[:3]) if self.game.phase == "choose" else ()

    def _check(self, throws: int) -> None:
        """No throw is lost, and none counts for somebody else."""
        if not self._is_compared():
            return
        assert (self.game.active_seat, self.game.throw_count) == (self.scorer.turn_of, throws)
        assert sorted(self.game.all_dice) == sorted((*self.scorer.lying, *self.scorer.kept))
        assert sorted(self.game.aside) == sorted(self.scorer.kept)
