"""People around a table of Macroscope who do not know the companion: they play by the rulebook and wait for no screen.

They throw and take when the rules let them, press only what nobody can see, and keep their own account in the scorer of
`tests/games/differential`.
"""

from __future__ import annotations

from random import Random
from typing import Any

from companion.api import Seat
from companion.events import Button, DiceRead, LidRead, TokenPlaced, TokenTaken
from companion.testing.table import TableUnderTest
from tests.games.differential.macroscope import CrystalTable

GUESS_SHARE, WISH_SHARE, RIGHT_SHARE = 0.25, 0.3, 0.6
"""Probabilities that the active player guesses, that another one wishes to, and that a guess is right."""
LATE_SHARE, EARLY_SHARE = 0.3, 0.5
"""Probabilities that others guess only after the next throw, and that dice are thrown before a round is scored."""
SLIP_SHARE = 0.2
"""Probability of each slip of impatient people: a wrong button, a cocked die, a token put back."""


class People:
    """A group that plays one game on a table with a camera.

    Args:
        table: the companion's table, at the start of a game.
        scorer: the group's own account.
        is_impatient: they press buttons that mean nothing, dice come to lie aslant, tokens are put back.

    Attributes:
        presses: how many buttons were pressed in turns of each kind, one number a turn.
        questions: how many questions were asked.
    """

    def __init__(self, table: TableUnderTest, scorer: CrystalTable, random: Random, *, is_impatient: bool) -> None:
        self.table, self.scorer, self.random, self.is_impatient = table, scorer, random, is_impatient
        self.presses: dict[str, list[int]] = {"pass": [], "guess": [], "challenge": []}
        self.questions = self._count = 0
        self._thrown: tuple[int, int] | None = None

    @property
    def game(self) -> Any:
        return self.table.game

    def play(self) -> None:
        """Play to the end of the game."""
        while not self.scorer.over:
            self._count = 0
            kind = self._play_turn()
            self.presses[kind].append(self._count)

    def _play_turn(self) -> str:
        dice, self._thrown = self._thrown or self._throw(), None
        self.scorer.happen("roll", *dice)
        if not self.game.dice:
            raise AssertionError(f"the throw {dice} was lost in {self.game.phase}, {self.table.state.notice}")
        self._check()
        self._slip()
        while tokens := self.scorer.list_tokens():
            if self.scorer.opened and self.random.random() < 0.4:
                break
            marker, turn = self.scorer.marker, self.scorer.active
            self._take(self.random.choice(sorted(tokens)))
            if self.scorer.active != turn:
                assert self.scorer.marker == marker
                self._cover()  # M50: the round was void
                return "pass"
            self._slip()
        if self.random.random() < GUESS_SHARE:
            self._press(self.scorer.active)
            self.scorer.happen("guess", self.scorer.active)
            return self._let_others_guess("guess")
        return self._pass_on()

    def _pass_on(self) -> str:
        """Hand the dice on without a word; who still wants to guess says so before or just after the next throw."""
        if not any(self._may_guess_after_stop(seat) for seat in range(self.scorer.seats)):
            self.scorer.happen("stop")
            return "pass"
        wishers = [q for q in range(self.scorer.seats) if self.random.random() < WISH_SHARE / 2]
        wishers = [q for q in wishers if self._may_guess_after_stop(q)]
        if not wishers:
            self._thrown = self._throw()
            self.scorer.happen("stop")
            self.scorer.happen("close")
            return "pass"
        if self.random.random() < LATE_SHARE:
            self._thrown = self._throw()
        else:
            self._press_button(Button.OK)
        self.scorer.happen("stop")
        return self._let_others_guess("challenge", wishers)

    def _may_guess_after_stop(self, seat: int) -> bool:
        return self.scorer.may_guess(seat)

    def _let_others_guess(self, kind: str, wishers: list[int] | None = None) -> str:
        if wishers is None:
            wishers = [q for q in range(self.scorer.seats) if self.random.random() < WISH_SHARE]
        for seat in wishers:
            if self.scorer.may_guess(seat):
                self._press(seat)
                self.scorer.happen("wish", seat)
                kind = "challenge"
        if self.scorer.wishes:
            self._press_button(Button.OK)
            self.scorer.happen("close")
        while self.scorer.called:
            if len(self.scorer.called) > 1:
                seat = self.random.choice(sorted(self.scorer.called))
                self._press(seat)
                self.scorer.happen("pick", seat)
            (seat,) = self.scorer.called
            self._press(seat)
            self.scorer.happen("guess", seat)
        self._cover()
        if (
            self._thrown is None
            and self.random.random() < EARLY_SHARE
            and self.scorer.marker < self.scorer.rules["rounds"]
        ):
            self._thrown = self._throw()
        right = self.random.choice(self.scorer.guesses) if self.random.random() < RIGHT_SHARE else None
        if right is None:
            self._press_button(Button.NO)
        else:
            self._press(right)
        self.scorer.happen("reveal", right)
        return kind

    # At the table ----------------------------------------------------------------------------------------------

    def _throw(self) -> tuple[int, int]:
        dice = tuple(sorted((self.random.randint(1, 6), self.random.randint(1, 6))))
        if self.is_impatient and self.random.random() < SLIP_SHARE and self.game.phase == "roll":
            self.table.send(DiceRead(dice, 0.5, self.table.clock.now))  # a die leans against the edge
            self._answer(Button.NO)  # it is thrown again
        self.table.send(DiceRead(dice, 0.99, self.table.clock.now))
        self._answer(Button.OK)
        self.table.wait(self.random.uniform(0.2, 1.5))
        return dice[0], dice[1]

    def _take(self, number: int) -> None:
        for _again in range(2 if self.is_impatient and self.random.random() < SLIP_SHARE else 1):
            if _again:  # it is put back, undone, and taken after all
                self.table.send(TokenPlaced(number, number, 0.99, self.table.clock.now))
                self._answer(Button.OK)
            self.table.send(TokenTaken(number, number, 0.99, self.table.clock.now))
            self._answer(Button.OK)
        self.scorer.happen("open", number)
        self._show_lid()
        self.table.wait(self.random.uniform(0.2, 4.0))

    def _show_lid(self) -> None:
        tokens = tuple(self.scorer.tokens.values())
        self.table.send(LidRead(sum(tokens), tokens, self.table.clock.now))

    def _cover(self) -> None:
        self.table.wait(2.0)
        windows = self.scorer.rules["windows"]
        self.table.send(LidRead(windows, (windows // 6,) * 6, self.table.clock.now))
        self.table.cover()

    def _press(self, seat: int) -> None:
        self._press_button(self.table.saved_game.setup.buttons[seat])

    def _press_button(self, button: Button) -> None:
        self._count += 1
        self.table.press(button)
        self._answer(Button.OK)

    def _answer(self, button: Button) -> None:
        """Answer the question that is open, if there is one."""
        if self.table.state.question is not None:
            self.questions += 1
            self.table.press(button)

    def _slip(self) -> None:
        """Press the button of somebody who cannot do anything now."""
        others = [q for q in range(self.scorer.seats) if q != self.scorer.active]
        if self.is_impatient and self.random.random() < SLIP_SHARE:
            self.table.wait(3.1)  # later than the press that takes the last turn back
            self.table.press(self.table.saved_game.setup.buttons[Seat(self.random.choice(others))])
            self._answer(Button.NO)

    def _check(self) -> None:
        assert self.game.active_seat == self.scorer.active, "turn"
        assert list(self.game.totals) == self.scorer.crystals, "crystals"
        assert self.game.round_number == self.scorer.marker, "marker"
        assert tuple(self.game.tokens) == tuple(self.scorer.tokens.values()), "tokens"
