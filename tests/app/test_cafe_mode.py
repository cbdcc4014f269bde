"""Café mode asks before it puts a game away, also where something is open or half entered: nothing of it is lost.

The timer: tests/lobby/test_idle_timer.py; how a session of guests ends: test_session_options.py.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.api.registry import find_game
from companion.config.settings import CafeSettings
from companion.display.sound.effect_choice import choose_sound
from companion.display.sound.sound_effects import SoundEffect
from companion.events import Button, CameraState, CameraStateChanged, DiceRead
from companion.journal.database import Journal
from companion.lobby import Lobby
from companion.referee.referee import Referee
from companion.screen_state import Question, ScreenState
from tests.app.session_table import START, SessionTable

B = Button
ASKED = Question("Are you still playing?", "Otherwise it is put away in 3 minutes, and can be continued later")
CAFE = CafeSettings(on=True, quiet_minutes=10.0)


def open_pause_menu(journal: Journal) -> SessionTable:
    table = SessionTable(journal, cafe=CAFE)
    table.press(*START, B.MINUS)
    assert table.state.question == Question("Paused")
    return table


def stop_chess_clocks(journal: Journal) -> SessionTable:
    rules = {"turn_order": "clockwise", "clock": "chess"}
    table = SessionTable(journal, find_game("score_keeper"), rules, cafe=CAFE)
    table.press(*START, B.SEAT1, B.MINUS)
    assert table.state.question == Question("Paused", "The clocks are stopped")
    return table


def enter_half_a_hand(journal: Journal) -> SessionTable:
    table = SessionTable(journal, find_game("rummy"), cafe=CAFE)
    table.press(*START, B.SEAT1, B.SEAT3)
    assert table.state.menu is not None
    return table


def enter_a_die(journal: Journal) -> SessionTable:
    table = SessionTable(journal, cafe=CAFE)
    table.press(*START, B.SEAT3)
    assert table.state.entered_numbers == (3,)
    return table


def ask_about_dice(journal: Journal) -> SessionTable:
    table = SessionTable(journal, cafe=CAFE)
    table.press(*START)
    table.wait(0.0, CameraStateChanged(CameraState.STEADY, table.clock.now, lid_known=True))
    table.wait(0.0, DiceRead((3, 4), 0.6, table.clock.now))
    assert table.state.question is not None
    assert table.state.question.title == "Is it 3 and 4?"
    return table


MAKERS = (open_pause_menu, stop_chess_clocks, enter_half_a_hand, enter_a_die, ask_about_dice)


def list_shown(state: ScreenState) -> tuple[object, ...]:
    return state.prompt, state.question, state.menu, state.entered_numbers, state.soft_keys


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_the_question_stands_over_what_is_open_and_gives_it_back(
    journal: Journal, make: Callable[[Journal], SessionTable]
) -> None:
    table = make(journal)
    before = table.state
    table.wait(10.1)
    asked = table.state
    assert asked.question == ASKED
    assert choose_sound(before, asked) is SoundEffect.QUESTION, "it is heard"
    table.wait(2.0)
    table.press(B.OK)
    assert list_shown(table.state) == list_shown(before)


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_without_an_answer_the_game_is_put_away(journal: Journal, make: Callable[[Journal], SessionTable]) -> None:
    table = make(journal)
    table.wait(10.1)
    table.wait(2.9)
    assert isinstance(table.stage, Referee)
    table.wait(0.2)
    assert isinstance(table.stage, Lobby)


def test_nobody_is_put_away_who_was_not_asked_for_three_minutes(journal: Journal) -> None:
    """The time for an answer began with the last press, also while a clock ran or the host was suspended."""
    table = open_pause_menu(journal)
    table.wait(30.0)
    assert table.state.question == ASKED
    table.wait(2.9)
    assert isinstance(table.stage, Referee)


def test_the_help_does_not_hide_the_question(journal: Journal) -> None:
    table = open_pause_menu(journal)
    table.press(B.SEAT4)
    assert table.state.help is not None
    table.wait(10.1)
    state = table.state
    assert state.help is None
    assert state.question == ASKED


def test_a_throw_answers_the_question(journal: Journal) -> None:
    table = ask_about_dice(journal)
    table.wait(10.1)
    table.wait(0.0, DiceRead((3, 5), 1.0, table.clock.now))
    assert table.state.question is None
    assert table.state.view.dice == (3, 5)
