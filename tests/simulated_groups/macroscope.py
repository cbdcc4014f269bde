"""People who play Macroscope, and their hands."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from companion.events import Button, LidRead, TokenPlaced, TokenTaken
from companion.simulation.dice_throws import LandingPlace
from tests.games.differential.driver import check_end
from tests.games.differential.macroscope import CrystalTable, find_winners
from tests.simulated_groups.group import Group, find_number_key
from tests.simulated_groups.hands import FilmedHands, Hands

GUESS_SHARE, WISH_SHARE, RIGHT_SHARE = 0.25, 0.3, 0.6
"""Probabilities that the active player guesses, that another one wishes to, and that a guess is right."""
LATE_SHARE, EARLY_SHARE = 0.3, 0.5
"""Probabilities that others guess only after the next throw, and that dice are thrown before a round is scored."""

Dice = tuple[int, int]


class MacroscopeHands(Hands):
    """Send readings of dice, tokens and the lid."""

    def throw(self, dice: Dice, *, is_cocked: bool = False) -> None:
        """Throw both dice; cocked: one leans against the edge."""
        self.table.roll(*dice, confidence=0.5 if is_cocked else 0.99)

    def take(self, number: int, tokens: tuple[int, ...]) -> None:
        """Take a token off; `tokens` are left by number."""
        self.table.send(TokenTaken(number, number, 0.99, self.table.clock.now))
        self.table.send(LidRead(sum(tokens), tokens, self.table.clock.now))

    def put_back(self, number: int) -> None:
        """Put the token back that was taken last."""
        self.table.send(TokenPlaced(number, number, 0.99, self.table.clock.now))

    def cover(self) -> None:
        """Cover all windows."""
        self.table.wait(2.0)
        windows = self.table.game.settings.windows
        self.table.send(LidRead(windows, (windows // 6,) * 6, self.table.clock.now))
        self.table.cover()


class FilmedMacroscopeHands(FilmedHands, MacroscopeHands):
    """Move the dice and tokens of the simulated table."""

    _window = 0

    def throw(self, dice: Dice, *, is_cocked: bool = False) -> None:
        landing = [LandingPlace.COCKED if is_cocked else LandingPlace.TRAY, LandingPlace.TRAY]
        self.things.throw_dice(dice, self.random, self.table.clock.now, landing)
        self.table.wait_for_dice()

    def take(self, number: int, tokens: tuple[int, ...]) -> None:
        self._window = self.random.choice(self.things.board.find_windows(number))
        self.things.take_token(self._window, self.table.clock.now)
        self.table.wait_for_hands()

    def put_back(self, number: int) -> None:
        self.things.put_token(self._window, number, self.table.clock.now)
        self.table.wait_for_hands()

    def cover(self) -> None:
        self.things.cover_all(self.random, self.table.clock.now)
        self.things.pull_card(self.table.clock.now)
        self.table.wait_for_hands()


class MacroscopeGroup(Group):
    """A group that plays Macroscope."""

    hands: MacroscopeHands
    scorer: CrystalTable

    def __init__(self, hands: MacroscopeHands, scorer: CrystalTable, random: Random, *, is_impatient: bool) -> None:
        super().__init__(hands, scorer, random, is_impatient=is_impatient)
        self._thrown: Dice | None = None
        self._dice: Dice = (1, 1)
        self._taken: list[int] = []
        """Numbers of the tokens taken in this turn, in order."""
        self._is_put_back = False

    def _play_turn(self) -> str:
        dice, self._thrown = self._thrown or self._throw(), None
        self._taken.clear()
        self.scorer.happen("roll", *dice)
        self._check()
        self._slip()
        while tokens := self.scorer.list_tokens():
            if self.scorer.opened and self._happens(0.4):
                break
            marker, turn = self.scorer.marker, self.scorer.active
            self._take(self.random.choice(sorted(tokens)))
            if self.scorer.active != turn:
                assert self.scorer.marker == marker
                self._cover()  # M50: the round was void
                return "pass"
            self._slip()
        if self._happens(GUESS_SHARE):
            self._press_own(self.scorer.active)
            self.scorer.happen("guess", self.scorer.active)
            return self._let_others_guess("guess")
        return self._pass_on()

    def _compare(self) -> None:
        assert list(self.game.totals) == self.scorer.crystals, "crystals"
        assert [list(scores) for scores in self.game.round_scores] == self.scorer.rounds, "rounds"
        check_end(self.game, find_winners(self.scorer.crystals), over=self.scorer.over)

    def _pass_on(self) -> str:
        """Hand the dice on without a word; who still wants to guess says so before or just after the next throw."""
        if not any(map(self.scorer.may_guess, range(self.scorer.seats))):
            self._thrown = self._throw()
            self.scorer.happen("stop")
            return "pass"
        wishers = [q for q in range(self.scorer.seats) if self._happens(WISH_SHARE / 2)]
        wishers = [q for q in wishers if self.scorer.may_guess(q)]
        if not wishers:
            self._thrown = self._throw()
            self.scorer.happen("stop")
            self.scorer.happen("close")
            return "pass"
        if self._happens(LATE_SHARE):
            self._thrown = self._throw()
        else:
            self._press(Button.OK)
        self.scorer.happen("stop")
        return self._let_others_guess("challenge", wishers)

    def _let_others_guess(self, kind: str, wishers: list[int] | None = None) -> str:
        if wishers is None:
            wishers = [q for q in range(self.scorer.seats) if self._happens(WISH_SHARE)]
            if any(map(self.scorer.may_guess, wishers)) and self._slips():
                # Who has guessed closes the asking in haste; the others press all the same.
                for _press in range(2 if self.hands.are_filmed else 5):
                    self._press_blindly(Button.OK)
        for seat in wishers:
            if self.scorer.may_guess(seat):
                self._press_own(seat)
                self.scorer.happen("wish", seat)
                kind = "challenge"
        is_covered = bool(self.scorer.wishes and self.scorer.guesses) and self._happens(0.5)
        if is_covered:
            self._cover()
            self.hands.rest()  # who wants to guess presses again when the screen calls
            if not self.scorer.called:
                self.scorer.happen("close")
        elif self.scorer.wishes and not self.scorer.called:
            self._press(Button.OK)
            self.scorer.happen("close")
        while self.scorer.called:
            if len(self.scorer.called) > 1:
                seat = self.random.choice(sorted(self.scorer.called))
                self._press_own(seat)
                self.scorer.happen("pick", seat)
            (seat,) = self.scorer.called
            self._press_own(seat)
            self.scorer.happen("guess", seat)
        if not is_covered:
            self._cover()
        elif kind == "challenge" and len(self.scorer.guesses) == 2:
            kind = "one challenge"
        is_last = self.scorer.marker >= self.scorer.rules["rounds"]
        if self._thrown is None and not is_last and self._happens(EARLY_SHARE):
            self._thrown = self._throw()
        right = self.random.choice(self.scorer.guesses) if self._happens(RIGHT_SHARE) else None
        if right is None:
            self._press(Button.NO)
        else:
            self._press_own(right)
        self.scorer.happen("reveal", right)
        return kind

    # At the table ----------------------------------------------------------------------------------------------

    def _throw(self) -> Dice:
        low, high = sorted((self.random.randint(1, 6), self.random.randint(1, 6)))
        self._dice = low, high
        if self.scorer.opened == 0 and not self.scorer.guesses and self._slips():  # a turn begins
            self._throw_badly(lambda: self.hands.throw(self._dice, is_cocked=True))
        self.hands.throw(self._dice)
        self._wait(0.8, 2.0)
        return self._dice

    def _take(self, number: int) -> None:
        self._taken.append(number)
        left = dict(self.scorer.tokens)
        left[number] -= 1
        self.hands.take(number, tuple(left.values()))
        self._wait(0.2, 4.0)
        if self._slips():  # it is put back, undone, and taken after all
            self.hands.rest()
            self.hands.put_back(number)
            self._is_put_back = True
            self.hands.rest()
            self._answer_questions()
            self._is_put_back = False
            self.hands.take(number, tuple(left.values()))
            self._wait(0.2, 4.0)
        self.scorer.happen("open", number)

    def _cover(self) -> None:
        self.hands.cover()
        self._wait(0.5, 2.0)

    def _slip(self) -> None:
        """Press the button of somebody who cannot do anything now, or whose guess ends the turn before; undo that."""
        if self._slips():
            others = [q for q in range(self.scorer.seats) if q != self.scorer.active]
            if self.hands.are_filmed or self._happens(0.5) or self.game.taken_tokens:
                # Later than the press that takes the last turn back; after its undo a token would have to be entered.
                self.table.wait(3.1)
                self._answer_questions()  # which that button would answer
            before = self.game
            self.table.press(self._find_own(self.random.choice(others)))
            if not self.hands.are_filmed:  # there the game may have gone on by itself
                if self.table.referee.dialog is not None:  # whether the token taken since was off before the guess
                    self.table.press(Button.MINUS)
                self._take_back(before)
            self._answer_questions()

    def _list_true_values(self) -> list[tuple[int, ...]]:
        return [self._dice]

    def _answer(self, title: str) -> Button | None:
        if title.startswith("Which token was taken"):
            return self._find_missing_token()
        if title.endswith("covered?"):  # the lid and the game differ
            lid = int(title.split()[1])
            return Button.OK if lid == sum(self.scorer.tokens.values()) else Button.MINUS
        if title.startswith("Thrown again"):
            return Button.OK  # nobody knocks dice over
        if "back on the lid" in title:
            return Button.OK if self._is_put_back else Button.NO
        return None

    def _find_missing_token(self) -> Button:
        """Find the key of a token that was taken and that the game has not: the one that is named, if any."""
        missing = list((Counter(self._taken) - Counter(self.game.taken_tokens)).elements())
        dialog = self.table.referee.dialog
        assert dialog is not None
        assert dialog.question is not None
        named = [n for n in missing if dialog.question.detail.endswith(f" {n}")]
        return find_number_key((named or missing)[0]) if missing else Button.NO

    def _check(self) -> None:
        if not self._is_compared():
            return
        game: Any = self.game
        assert game.dice, f"a throw was lost in {game.phase}, {self.table.state.notice}"
        assert game.active_seat == self.scorer.active, "turn"
        assert list(game.totals) == self.scorer.crystals, "crystals"
        assert game.round_number == self.scorer.marker, "marker"
        assert tuple(game.tokens) == tuple(self.scorer.tokens.values()), "tokens"
