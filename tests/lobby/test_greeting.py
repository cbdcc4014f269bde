"""The greeting at a virtual table, what its keys lead to, and how many clicks lead to the first roll.

The rings of the first turns: tests/app/test_guide.py.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pygame
import pytest

from companion.api import registry
from companion.app.demo import DemoSchedule
from companion.app.session import Session, SessionConfig
from companion.app.table_panel.panel import SimulatorPanel
from companion.app.table_services import TableServices
from companion.app.window import Window
from companion.display.toolkit.preferences import DisplayPreferences
from companion.events import (
    Button,
    ButtonPressed,
    ButtonReleased,
    CameraState,
    CameraStateChanged,
    DiceRead,
    TokenTaken,
)
from companion.games.macroscope import GAME as MACROSCOPE
from companion.games.macroscope.simulator.kit import KIT
from companion.games.starfall import GAME as STARFALL
from companion.journal.database import Journal
from companion.lobby import FirstPlayerDraw, Greeting, Lesson, Lobby, Preferences, ResumePrompt
from companion.lobby.first_player_draw import BEGIN_SECONDS
from companion.referee.referee import Referee
from companion.screen_state import CameraView
from companion.testing.table import ManualClock
from tests.app.desk import screen
from tests.app.session_table import SessionTable

__all__ = ["screen"]

MAX_CLICKS = 5
SETTLE_SECONDS = 5.0
STEADY = CameraState.STEADY
ROLL_SENTENCE = "Touch the tray"


def open_table(journal: Journal, **options: Any) -> SessionTable:
    return SessionTable(journal, **{"is_table_virtual": True, "preferences": Preferences(), **options})


def wait(table: SessionTable, *events: Any, seconds: float = SETTLE_SECONDS) -> None:
    table.wait(seconds / 60, *events)
    table.session.step(())


def begin_game(table: SessionTable) -> None:
    """Sit down at the greeting, and let the game begin by itself."""
    table.press(Button.OK, Button.SEAT1, Button.SEAT2, Button.OK)
    wait(table)
    wait(table, CameraStateChanged(STEADY, table.clock.now, lid_known=True))
    assert isinstance(table.stage, Referee)


def test_a_virtual_table_greets_and_each_choice_leads_on(journal: Journal) -> None:
    table = open_table(journal)
    assert isinstance(table.stage, Greeting)
    assert [key.label for key in table.state.soft_keys if key.label] == ["Play", "Watch", "Learn"]
    table.press(Button.OK)
    assert isinstance(table.stage, Lobby)
    table.press(Button.NO)
    assert isinstance(table.stage, Greeting)
    table.press(Button.MINUS)
    assert isinstance(table.stage, Lesson)
    table.press(Button.MINUS)
    assert isinstance(table.stage, Lobby)


def test_players_who_are_named_already_are_not_greeted(journal: Journal) -> None:
    assert isinstance(open_table(journal, player_names=("Ada", "Ben")).stage, Lobby)


def test_no_other_table_greets(journal: Journal) -> None:
    table = open_table(journal, is_table_virtual=False)
    assert isinstance(table.stage, Lobby)
    assert all(key.label != "Back" for key in table.state.soft_keys)


def test_an_interrupted_game_comes_before_the_greeting_and_who_played_sits_down_at_once(journal: Journal) -> None:
    table = open_table(journal)
    assert [offer.label for offer in table.stage.list_offers()] == ["Play", "Watch", "Learn"]
    begin_game(table)
    again = open_table(journal)
    assert isinstance(again.stage, ResumePrompt)
    again.press(Button.NO)
    third = open_table(journal)
    third.press(Button.SEAT4)
    assert isinstance(third.stage, Lobby)
    assert third.stage.seating == (Button.SEAT4,)


def test_watching_starts_a_demo_and_any_press_leads_back(journal: Journal) -> None:
    table = open_table(journal)
    made: list[FakeDemo] = []
    demos = DemoSchedule(table.session, table.clock, 0.0, make_demo=lambda *_args: made.append(FakeDemo()) or made[-1])
    demos._has_loaded = lambda: True
    assert demos.step([])[1] is None
    table.press(Button.PLUS)
    assert "demo" in (table.state.notice or "")
    assert demos.step([])[1] == "demo"
    press = ButtonPressed(Button.SEAT1, table.clock.now)
    assert demos.step([press]) == ([], None)
    assert demos.step([])[1] is None
    assert made[0].is_closed
    assert isinstance(table.stage, Greeting)


class FakeDemo:
    is_closed = False
    panel = type("Panel", (), {"was_touched": False})()

    def advance(self) -> str:
        return "demo"

    def close(self) -> None:
        self.is_closed = True


def test_a_press_calls_the_demo_off_while_it_loads(journal: Journal) -> None:
    table = open_table(journal)
    demos = DemoSchedule(table.session, table.clock, 0.0)
    demos._has_loaded = lambda: False
    table.press(Button.PLUS)
    demos.step([])
    events = [ButtonPressed(Button.OK, table.clock.now)]
    table.session.step(demos.step(events)[0])
    demos._has_loaded = lambda: True
    assert isinstance(table.stage, Lobby)
    assert demos.step([])[1] is None


def test_nothing_is_laid_out_at_a_virtual_table_and_the_game_begins_by_itself(journal: Journal) -> None:
    table = open_table(journal)
    table.press(Button.OK, Button.SEAT1, Button.SEAT2, Button.OK)
    assert isinstance(table.stage, FirstPlayerDraw)
    assert table.state.details == ()
    wait(table)
    assert isinstance(table.stage, Referee)


@pytest.mark.parametrize("button", [Button.OK, Button.SEAT1])
def test_who_begins_too_late_changes_nothing_in_the_game(journal: Journal, button: Button) -> None:
    table = open_table(journal, definition=registry.find_game("counting_tray"))
    table.press(Button.OK, Button.SEAT1, Button.SEAT2, Button.OK)
    wait(table)
    assert isinstance(table.stage, Referee)
    begun = table.game.last_seq
    table.session.step([ButtonPressed(button, table.clock.now + 0.1)])
    assert table.game.last_seq == begun, "it means another thing there"
    table.session.step([ButtonReleased(button, table.clock.now + 0.2)])
    table.clock.now += 1.0
    table.press(Button.OK)
    assert table.game.last_seq > begun


def test_a_claim_of_the_first_turn_starts_the_wait_again(journal: Journal) -> None:
    table = open_table(journal)
    table.press(Button.OK, Button.SEAT1, Button.SEAT2, Button.OK)
    table.press(Button.SEAT2, Button.SEAT1)
    wait(table, seconds=BEGIN_SECONDS - 0.5)
    assert isinstance(table.stage, FirstPlayerDraw)
    wait(table, seconds=0.5)
    assert isinstance(table.stage, Referee)
    assert table.stage.saved_game.setup.first == 0


def test_a_game_with_a_box_of_its_own_is_laid_out_at_a_virtual_table_too(journal: Journal) -> None:
    table = open_table(journal, definition=STARFALL)
    table.press(Button.OK, Button.SEAT1, Button.SEAT2, Button.OK)
    assert table.state.details
    wait(table)
    assert isinstance(table.stage, FirstPlayerDraw)


def test_the_lesson_leaves_nothing_on_the_disk(journal: Journal, tmp_path: Path) -> None:
    table = open_table(journal, preferences=Preferences(None, tmp_path))
    files = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    table.press(Button.MINUS, Button.SEAT1)
    wait(table, CameraStateChanged(STEADY, table.clock.now, lid_known=True))
    for event in (DiceRead((2, 5), 1.0, table.clock.now), TokenTaken(0, 5, 1.0, table.clock.now)):
        wait(table, event)
    table.press(Button.SEAT1)
    table.wait(0, ButtonPressed(Button.NO, table.clock.now))
    wait(table, ButtonReleased(Button.NO, table.clock.now + 2.0), seconds=2.0)
    table.press(Button.SEAT1, Button.SEAT1)
    assert isinstance(table.stage, Lesson)
    wait(table)
    assert table.stage.is_done
    table.press(Button.OK)
    assert isinstance(table.stage, Lobby)
    assert journal.list_games() == ()
    assert {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()} == files


class Clicker:
    """A person with a mouse at the whole window: display and table; its clicks are counted."""

    def __init__(self, session: Session, clock: ManualClock) -> None:
        self.session, self.clock = session, clock
        self.panel = SimulatorPanel(KIT, clock, random.Random(1))
        surface = pygame.display.set_mode((1000, 480))
        self.window = Window(
            surface, clock, self.panel, preferences=lambda: DisplayPreferences(animations=False, keyboard_hints=True)
        )
        self.clicks: list[str] = []
        self.turn()

    def turn(self, *events: Any, seconds: float = 0.6) -> None:
        self.clock.now += seconds
        self.session.step([*self.window.poll_events(soon=True), *events])
        self.window.show(self.session.build_screen_state(CameraView()))

    def click(self, name: str, at: tuple[int, int]) -> None:
        self.clicks.append(name)
        for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            pygame.event.post(pygame.event.Event(kind, pos=at, button=1, touch=False))
            self.turn()

    def click_key(self, button: Button) -> None:
        key = next(k for k in self.session.build_screen_state(CameraView()).soft_keys if k.button is button)
        width, height = self.window._display.get_size()
        spots = ((x, y) for y in range(0, height, 8) for x in range(0, width, 8))
        self.click(key.label, next(at for at in spots if self.window._screen.button_at(at) is button))

    def click_ring(self) -> None:
        ((name, rect),) = self.panel._rings._places
        self.click(f"the {name}", rect.center)


def test_five_clicks_lead_two_people_from_the_greeting_to_the_first_roll(journal: Journal) -> None:
    clock = ManualClock(1000.0)
    config = SessionConfig(MACROSCOPE, (), MACROSCOPE.settings_model(), is_table_virtual=True)
    services = TableServices(clock, random.Random(1), preferences=Preferences())
    person = Clicker(Session(config, journal, services), clock)
    for button in (Button.OK, Button.SEAT1, Button.SEAT2, Button.OK):
        person.click_key(button)
    person.turn(CameraStateChanged(STEADY, clock.now, lid_known=True), seconds=SETTLE_SECONDS)
    person.turn()
    texts = person.window._screen.drawn_texts()
    sizes = {text.text: text.em_px for text in texts if " " in text.text}
    assert sizes[max(sizes, key=lambda line: sizes[line])] == sizes[next(x for x in sizes if x in ROLL_SENTENCE)]
    assert not person.panel.table.list_dice()
    person.click_ring()
    person.turn(seconds=1.0)
    person.turn(seconds=2.0)
    assert len(person.panel.table.values) == 2
    print(len(person.clicks), "clicks:", ", ".join(person.clicks))
    assert len(person.clicks) <= MAX_CLICKS
