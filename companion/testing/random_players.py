"""Random players at the real referee: they press, correct, leave and come back, undo, wait until the clocks expire, and
pull the plug at any moment. However odd it gets, the game stays playable and comes to its end.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

import numpy as np
import pytest

from companion.api import (
    AnyGameDefinition,
    BadCorrection,
    Command,
    CommandName,
    ConsolePress,
    Correction,
    Move,
    Offer,
)
from companion.events import SEAT_BUTTONS, Button, CameraState
from companion.journal.saved_game import SavedGame
from companion.referee.button_mapping import find_button, is_seat_hold
from companion.referee.dialogs.correction_menu import open_value_editor
from companion.referee.dialogs.number_inputs import NumberInput
from companion.screen_state import CameraView, ScreenKind
from companion.testing.checks import is_legal, label_all
from companion.testing.table import TableUnderTest
from companion.vision.reading import Reading

STEPS = 120
"""What the players do before they play to the end."""
MAX_PRESSES = 6_000
"""Presses within which any game comes to its end."""
WAITS_SECONDS = (0.3, 5.0, 40.0, 2_000.0)
"""Times for which nobody does anything."""
RESTART_SHARE = 0.5
"""Probability, 0 to 1, that the plug is pulled after undo or redo."""
RULE_SHARE = 0.3
"""Probability, 0 to 1, that a house rule is at an extreme."""
COMMAND_WEIGHTS = {
    CommandName.CONTINUE: 3.0,
    CommandName.ANSWER: 1.0,
    CommandName.DIGIT: 1.0,
    CommandName.PLAYERS: 1.0,
    CommandName.PAUSE: 0.02,
}
"""The referee's own commands, by how often they are chosen; those that are not here are left alone."""
PICTURE_VIEW = CameraView(CameraState.STEADY, Reading(), np.full((36, 64, 3), 90, np.uint8))
"""A camera with a picture, which a game may have to keep secret."""


class RandomPlayers:
    """Random players at one table, with random house rules; made for `play`.

    Args:
        make_table: makes the table (`open_tables`).
        seed: makes the whole run repeatable.
        extremes: by house rule, values at its extremes; each rule is at one of them now and then.

    Attributes:
        table: the table at which they play.
    """

    def __init__(
        self,
        make_table: Callable[..., TableUnderTest],
        definition: AnyGameDefinition,
        seed: int,
        extremes: Mapping[str, Sequence[Any]],
    ) -> None:
        self._random = Random(f"{definition.name} {seed}")
        rules = {
            rule: self._random.choice(list(values))
            for rule, values in extremes.items()
            if self._random.random() < RULE_SHARE
        }
        plain = definition.settings_model.model_validate(rules).model_dump(mode="json")
        buttons = self._random.sample(SEAT_BUTTONS, len(SEAT_BUTTONS))
        count = self._random.choice(definition.player_counts)
        self.table = make_table(count, definition=definition, camera=False, buttons=buttons, **plain)
        self._where = f"{definition.name}, seed {seed}"
        self._taken_back: dict[str, float] = {}
        """Seconds that clocks had counted when undo stopped them, by name, of those that have not run since."""

    def play(self) -> None:
        """Do `STEPS` things at random, check the journal, then play to the end by sensible presses.

        Raises:
            AssertionError: something is not as it must be at every moment; the message has the seed and the step.
            Exception: the game or the referee raises it.
        """
        for i in range(STEPS):
            if self.table.referee.exit:
                break
            at = f"{self._where}, step {i}"
            self._check_moment(at)
            self._do_anything(at)
        table = self.table
        assert SavedGame(table.journal, table.saved_game.id, table.definition).game == table.game, "the journal differs"
        self._play_to_the_end()

    def _play_to_the_end(self) -> None:
        """Play to the end by sensible presses alone."""
        for _ in range(MAX_PRESSES):
            table = self.table
            if table.referee.exit or (table.state.kind is ScreenKind.RESULT and table.referee.dialog is None):
                return
            self._check_moment(f"{self._where}, on the way to its end")
            self._press_an_offer()
        pytest.fail(f"{self._where}: no end; {self.table.state.prompt}; {self.table.referee.dialog}")

    # What they do -------------------------------------------------------------------------------------------------

    def _do_anything(self, at: str) -> None:
        table, random = self.table, self._random
        chance = random.random()
        if chance < 0.04:
            self._check_no_time_comes_back(at, lambda: table.hold(Button.NO))
        elif chance < 0.06 and table.saved_game.can_redo and table.referee.dialog is None:
            self._check_no_time_comes_back(at, lambda: table.correct("Redo"))
        elif chance < 0.10:
            table.wait(random.choice(WAITS_SECONDS))
        elif chance < 0.13:
            table.press(random.choice(list(Button)))
        elif chance < 0.14:
            table.restart()
        elif chance < 0.24:
            self._correct(only_presence=chance < 0.18)
        else:
            self._press_an_offer()

    def _correct(self, *, only_presence: bool) -> None:
        """Correct anything that the menu lists, to any value that can be entered; impossible values are refused."""
        game = self.table.game
        listed = [c for c in game.list_correctables() if not only_presence or c.kind == "away"]
        if not listed:
            return
        what = self._random.choice(listed)
        low, high = what.value_range.low, what.value_range.high
        wild = tuple(self._random.choice((low, high, self._random.randint(low, high))) for _ in what.current_value)
        try:
            game.correct(what.make_correction(*wild))
        except BadCorrection:
            return
        self.table.referee.take_step(what.make_correction(*wild))

    def _press_an_offer(self) -> None:
        weighed = [(offer, self._weigh(offer)) for offer in self.table.referee.list_offers()]
        weighed = [(offer, weight) for offer, weight in weighed if weight]
        self.table.wait(0.5)
        if not weighed:
            self.table.press(Button.NO)
            return
        (offer,) = self._random.choices([offer for offer, _ in weighed], [weight for _, weight in weighed])[:1]
        button = find_button(offer.input, self.table.saved_game.buttons)
        assert button is not None
        is_held = offer.input is ConsolePress.HOLD_OK or is_seat_hold(offer.input)
        (self.table.hold if is_held else self.table.press)(button)

    def _weigh(self, offer: Offer) -> float:
        if find_button(offer.input, self.table.saved_game.buttons) is None:
            return 0.0
        match offer.action:
            case Move():
                return self.table.definition.get_bot_weight(self.table.game, offer) + 0.02
            case Correction():
                return 0.3
            case Command(CommandName.ANSWER) if offer.input is ConsolePress.NO:
                return 0.3
            case Command(name):
                return COMMAND_WEIGHTS.get(name, 0.0)

    # What must be so at every moment ------------------------------------------------------------------------------

    def _check_moment(self, at: str) -> None:
        self._check_offers(at)
        self._check_clocks(at)
        self._check_corrections(at)
        self._check_secrets(at)
        shown = self.table.state
        assert shown.prompt, at
        assert "None" not in shown.prompt, at
        assert "seat " not in (shown.notice or ""), (at, shown.notice)

    def _check_offers(self, at: str) -> None:
        table = self.table
        buttons: dict[Button, Offer] = {}
        for offer in table.referee.list_offers():
            assert offer.label, (at, offer)
            if isinstance(offer.action, Move) and offer.action.value_range is None:
                assert is_legal(table.game, offer.action), (at, offer)
            if offer.input is ConsolePress.HOLD_NO or is_seat_hold(offer.input):
                continue
            button = find_button(offer.input, table.saved_game.buttons)
            if button is not None:
                assert buttons.setdefault(button, offer).action == offer.action, (at, "two on one button", offer)
        assert buttons, (at, "nothing can be pressed")

    def _check_clocks(self, at: str) -> None:
        counted = self.table.referee.clocks.counted_seconds()
        for clock in self.table.game.list_clocks():
            assert clock.seconds > 0, at
            assert clock.on_expiry is None or is_legal(self.table.game, clock.on_expiry), (at, clock)
            seconds = self._taken_back.pop(clock.name, 0.0)
            assert counted[clock.name] >= seconds - 1e-6, (at, f"'{clock.name}' has its time back")

    def _check_no_time_comes_back(self, at: str, do: Callable[[], None]) -> None:
        """Undo or redo by `do`, and check that every clock has counted at least as much as before.

        Now and then a power cut follows. What undo has stopped is checked by `_check_clocks` when it runs again.
        """
        ran = {clock.name for clock in self.table.referee.clocks.list_running()}
        before = self.table.referee.clocks.counted_seconds()
        do()
        if self._random.random() < RESTART_SHARE:
            self.table.restart()
        after = self.table.referee.clocks.counted_seconds()
        for name, seconds in before.items():
            assert after.get(name, seconds) >= seconds - 1e-6, (at, f"'{name}' has its time back")
        stopped = ran - {clock.name for clock in self.table.referee.clocks.list_running()}
        self._taken_back |= {name: after[name] for name in stopped}

    def _check_corrections(self, at: str) -> None:
        table, names = self.table, self.table.saved_game.players
        words = label_all(table.definition, table.game, names)
        listed = table.game.list_correctables()
        labels = {words[c.stored_kind, c.seat] for c in listed}
        assert len(labels) == len(listed), (at, "two lines of the menu are the same")
        for what in self._random.sample(listed, min(len(listed), 3)):
            assert what.current_value in what.value_range, (at, what)
            texts = table.definition.label_values(table.game, what, names)
            dialog = open_value_editor("", what, names, texts)
            if isinstance(dialog, NumberInput) and texts:
                assert len(texts) == what.value_range.high - what.value_range.low + 1, (at, what)
            assert dialog.list_offers(), (at, what)

    def _check_secrets(self, at: str) -> None:
        """Check that the camera's picture stays off the screen while the game says that it shows a secret."""
        if self.table.definition.hides_picture(self.table.game):
            shown = self.table.referee.build_screen_state(PICTURE_VIEW)
            assert shown.camera_view.picture is None, (at, "the picture shows a secret")
            assert shown.camera_view.reading is None, (at, "the reading tells a secret")
