"""A session on a clock that the test moves: presses, time, and what its screen shows."""

from __future__ import annotations

from dataclasses import fields
from random import Random
from typing import Any

from companion.api import AnyGameDefinition
from companion.app.session import Session, SessionConfig
from companion.app.table_services import TableServices
from companion.events import Button, ButtonPressed, ButtonReleased, Event
from companion.games.macroscope import GAME as MACROSCOPE
from companion.journal.database import Journal
from companion.journal.saved_game import SavedGame
from companion.screen_state import CameraView, Menu, ScreenState
from companion.testing.table import ManualClock

START = (Button.SEAT1, Button.SEAT2, Button.OK, Button.OK)
"""Presses with which two people begin a game in the lobby."""


class SessionTable:
    """A session, by default of Macroscope, whose buttons the test presses.

    Args:
        journal: of the session.
        definition: the game with which the lobby opens.
        rules: its house rules by name.
        options: further fields of the session's configuration, and services.
    """

    def __init__(
        self,
        journal: Journal,
        definition: AnyGameDefinition = MACROSCOPE,
        rules: dict[str, Any] | None = None,
        **options: Any,
    ) -> None:
        self.clock = ManualClock(1000.0)
        own = {field.name: options.pop(field.name) for field in fields(SessionConfig) if field.name in options}
        names = own.pop("player_names", ())
        config = SessionConfig(definition, names, definition.settings_model.model_validate(rules or {}), **own)
        self.session = Session(config, journal, TableServices(self.clock, **{"rng": Random(1), **options}))

    def press(self, *buttons: Button) -> None:
        """Press buttons one after the other; what is to be read first is read."""
        for button in buttons:
            offer = self.stage.find_offer(button)
            self.clock.now += max(0.6, 0.0 if offer is None else offer.shown_seconds)
            self.session.step([ButtonPressed(button, self.clock.now)])
            self.session.step([ButtonReleased(button, self.clock.now + 0.1)])

    def wait(self, minutes: float, *events: Event) -> None:
        self.clock.now += 60 * minutes
        self.session.step(events)

    def choose(self, words: str) -> None:
        """Step down to the line of the open menu that contains these words, and press OK."""
        at = next(i for i, line in enumerate(self.menu.items) if words in line)
        self.press(*[Button.MINUS] * ((at - self.menu.selected) % len(self.menu.items)), Button.OK)

    def open_lines(self, *words: str) -> None:
        """Choose a line of the lobby's settings, and then one of each menu that it opens."""
        self.press(Button.MINUS)
        for each in words:
            self.choose(each)

    @property
    def stage(self) -> Any:
        return self.session.stage

    @property
    def state(self) -> ScreenState:
        return self.session.build_screen_state(CameraView())

    @property
    def menu(self) -> Menu:
        """The open menu."""
        menu = self.state.menu
        assert menu is not None, self.state.prompt
        return menu

    @property
    def game(self) -> SavedGame:
        """The saved game in play."""
        assert self.session.saved_game is not None
        return self.session.saved_game
