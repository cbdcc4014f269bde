"""Café mode: after some idle time the next guests find a fresh lobby."""

from __future__ import annotations

import random

from companion import i18n
from companion.api import registry
from companion.app.session import Session, SessionConfig
from companion.app.table_services import TableServices
from companion.config.settings import CafeSettings
from companion.events import Button, ButtonPressed, ButtonReleased, CameraState, CameraStateChanged, DiceRead
from companion.games.macroscope import GAME
from companion.games.macroscope.settings import Settings
from companion.journal.database import Journal
from companion.lobby import HouseRules, Lobby, Preferences
from companion.lobby.unfinished_games import list_unfinished
from companion.referee.referee import Referee
from companion.screen_state import CameraView

OK = Button.OK
CAFE = CafeSettings(on=True, quiet_minutes=10.0, dim_minutes=2.0)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


class Table:
    """A session with a simulated clock."""

    def __init__(self, journal: Journal, cafe: CafeSettings = CAFE, preferences: Preferences | None = None) -> None:
        self.clock = Clock()
        self.game_session = Session(
            SessionConfig(
                GAME, (), Settings(), definitions=tuple(registry.find_game(name) for name in registry.list_game_names())
            ),
            journal,
            TableServices(
                self.clock,
                random.Random(1),
                house_rules=HouseRules(),
                preferences=preferences or Preferences(),
                cafe=cafe,
            ),
        )

    def press(self, *buttons: Button) -> None:
        for button in buttons:
            self.clock.now += 0.5
            self.game_session.step([ButtonPressed(button, self.clock.now)])
            self.game_session.step([ButtonReleased(button, self.clock.now + 0.1)])

    def later(self, minutes: float) -> None:
        self.clock.now += 60 * minutes
        self.game_session.step([])


def test_an_abandoned_game_is_set_aside_and_the_lobby_is_empty(journal: Journal) -> None:
    table = Table(journal)
    table.press(Button.SEAT1, Button.SEAT2, OK, OK)
    assert isinstance(table.game_session.stage, Referee)
    table.later(12.9)
    assert isinstance(table.game_session.stage, Referee)
    table.later(0.2)
    stage = table.game_session.stage
    assert isinstance(stage, Lobby)
    assert stage.seated == ()
    assert len(list_unfinished(journal)) == 1, "it is not lost: the owner finds it with the command line"
    assert journal.find_resumable_game() is None


def test_rolling_dice_count_as_activity(journal: Journal) -> None:
    table = Table(journal)
    table.press(Button.SEAT1, Button.SEAT2, OK, OK)
    for _ in range(5):
        table.later(6)
        table.game_session.step([DiceRead((2, 3), 1.0, table.clock.now)])
        table.game_session.step([CameraStateChanged(CameraState.STEADY, table.clock.now)])
    assert isinstance(table.game_session.stage, Referee)


def test_a_change_of_light_is_no_activity(journal: Journal) -> None:
    table = Table(journal)
    table.press(Button.SEAT1, Button.SEAT2, OK, OK)
    for _ in range(5):
        table.later(3)
        table.game_session.step([CameraStateChanged(CameraState.BLIND, table.clock.now)])
    assert isinstance(table.game_session.stage, Lobby)


def test_new_guests_see_no_names_no_games_and_the_default_language(journal: Journal) -> None:
    table = Table(journal)
    preferences = table.game_session._services.preferences
    assert preferences is not None
    preferences.change("language", "it")
    table.press(Button.SEAT1, Button.SEAT2)
    table.later(11)
    stage = table.game_session.stage
    assert isinstance(stage, Lobby)
    assert stage.seated == ()
    assert i18n.current_language() == "en"
    table.press(Button.SEAT1, Button.MINUS)
    menu = table.game_session.build_screen_state(CameraView()).menu
    assert menu is not None
    assert menu.items[1:] == ("Names", "Save today's results to a USB stick")


def test_the_lobby_is_dimmed_until_a_press(journal: Journal) -> None:
    table = Table(journal)
    assert not table.game_session.build_screen_state(CameraView()).dimmed
    table.later(2)
    assert table.game_session.build_screen_state(CameraView()).dimmed
    table.press(Button.SEAT1)
    assert not table.game_session.build_screen_state(CameraView()).dimmed


def test_outside_cafe_mode_nothing_is_reset(journal: Journal) -> None:
    table = Table(journal, CafeSettings())
    table.press(Button.SEAT1, Button.SEAT2, OK, OK)
    table.later(600)
    assert isinstance(table.game_session.stage, Referee)
    assert not table.game_session.build_screen_state(CameraView()).dimmed
