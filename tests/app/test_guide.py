"""The rings and sentences that lead newcomers through their first turns at a virtual table.

Rings as they are drawn: table_panel/test_rings.py; the lesson: tests/lobby/test_lesson_stage.py.
"""

from __future__ import annotations

from pathlib import Path

from companion.api import TableAction, registry
from companion.events import Button, CameraStateChanged, DiceRead, TokenTaken
from companion.guide import Guide
from companion.journal.database import Journal
from companion.lobby import Preferences
from tests.app.session_table import SessionTable
from tests.lobby.test_greeting import ROLL_SENTENCE, STEADY, begin_game, open_table, wait


def get_guide(table: SessionTable) -> Guide | None:
    return table.state.guide


def test_rings_lead_through_the_first_turn_once(journal: Journal, tmp_path: Path) -> None:
    table = open_table(journal, preferences=Preferences(None, tmp_path))
    begin_game(table)
    assert get_guide(table) == Guide(actions=(TableAction("throw"),), sentence=ROLL_SENTENCE)
    wait(table, DiceRead((2, 5), 1.0, table.clock.now))
    guide = get_guide(table)
    assert guide is not None
    assert [(action.kind, action.number) for action in guide.actions] == [("take", 2), ("take", 5)]
    assert guide.sentence == ""
    wait(table, TokenTaken(0, 2, 1.0, table.clock.now))
    first = table.stage.saved_game.buttons[table.stage.saved_game.setup.first]
    assert get_guide(table) == Guide(frozenset({first}))
    table.press(Button.OK, Button.OK)
    assert table.stage.saved_game.game.active_seat != table.stage.saved_game.setup.first
    assert get_guide(table) == Guide(actions=(TableAction("throw"),)), "the other one has not rolled yet"
    assert not Preferences(None, tmp_path).is_guided("macroscope")
    wait(table, DiceRead((2, 5), 1.0, table.clock.now))
    wait(table, TokenTaken(1, 5, 1.0, table.clock.now))
    table.press(Button.OK, Button.OK)
    assert table.stage.saved_game.game.active_seat == table.stage.saved_game.setup.first
    assert get_guide(table) is None
    assert Preferences(None, tmp_path).is_guided("macroscope")


def open_pig(journal: Journal, tmp_path: Path) -> SessionTable:
    """Begin a game of three in which dice are thrown, and points are kept with OK."""
    table = open_table(journal, definition=registry.find_game("pig"), preferences=Preferences(None, tmp_path))
    table.press(Button.OK, Button.SEAT1, Button.SEAT2, Button.SEAT3, Button.OK)
    wait(table)
    wait(table, CameraStateChanged(STEADY, table.clock.now))
    return table


def test_each_player_is_led_through_the_own_first_turn_and_through_no_other(journal: Journal, tmp_path: Path) -> None:
    table = open_pig(journal, tmp_path)
    for _player in range(3):
        assert get_guide(table) is not None
        wait(table, DiceRead((5,), 1.0, table.clock.now))
        assert get_guide(table) == Guide(actions=(TableAction("throw"),))
        wait(table, DiceRead((1,), 1.0, table.clock.now))
    assert get_guide(table) is None


def test_what_nobody_has_done_in_the_first_turns_has_rings_until_it_was_done(journal: Journal, tmp_path: Path) -> None:
    table = open_pig(journal, tmp_path)
    for _player in range(3):
        wait(table, DiceRead((1,), 1.0, table.clock.now))
    assert get_guide(table) is None
    assert Preferences(None, tmp_path).is_guided("pig"), "the next game has no rings"
    for rings in (Guide(frozenset({Button.OK})), None):
        wait(table, DiceRead((5,), 1.0, table.clock.now))
        assert get_guide(table) == rings
        table.press(Button.OK)


def test_the_first_die_of_memo_dice_comes_with_a_sentence(journal: Journal) -> None:
    table = open_table(journal, definition=registry.find_game("memo_dice"))
    begin_game(table)
    guide = get_guide(table)
    assert guide is not None
    assert (guide.sentence, {action.kind for action in guide.actions}) == ("Touch the dice to roll one", {"show"})
    assert "row" in table.state.prompt


def test_who_has_followed_the_rings_has_none(journal: Journal) -> None:
    preferences = Preferences()
    preferences.mark_guided("macroscope")
    table = open_table(journal, preferences=preferences)
    begin_game(table)
    assert get_guide(table) is None
