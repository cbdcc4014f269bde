"""Corrections, missing devices, clocks, and the end of a game."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from companion.api import Command, CommandName, ConsolePress, Correction, Move, TableAction
from companion.events import Button, CameraState, CameraStateChanged, DeviceLost, DeviceRestored, DiceRead
from companion.games.macroscope import GAME
from companion.games.macroscope.state import Phase
from companion.i18n import set_language
from companion.lazy_message import LazyMessage
from companion.screen_state import CameraView, ScreenState
from companion.testing.checks import label_all
from companion.testing.table import NAMES, A, B, TableUnderTest

Tables = Callable[..., TableUnderTest]


# Corrections ----------------------------------------------------------------------------------------------------


def test_a_total_is_corrected_by_the_players_own_button(table: Tables) -> None:
    t = table()
    t.press(Button.MINUS, Button.MINUS, Button.SEAT2, Button.PLUS, Button.PLUS, Button.OK)
    assert t.played() == Correction("crystals", B, (4,))
    assert t.state.scores == (2, 4, 2)


def test_the_roll_is_corrected_by_number_keys(table: Tables) -> None:
    t = table()
    t.roll(2, 5)
    line = _items(t).index("The dice")
    t.press(Button.MINUS, Button.MINUS, *[Button.MINUS] * line, Button.OK, Button.SEAT2, Button.SEAT3)
    assert t.played() == Correction("dice", None, (2, 3))


def test_a_token_is_corrected_by_its_number(table: Tables) -> None:
    t = table()
    t.roll(2, 5)
    t.take_token(5)
    items = _items(t)
    t.press(
        Button.MINUS,
        Button.MINUS,
        *[Button.MINUS] * items.index(next(i for i in items if "token" in i.lower())),
        Button.OK,
    )
    t.press(Button.SEAT2)
    assert t.played() == Correction("token", None, (2,))


def _items(t: TableUnderTest) -> tuple[str, ...]:
    t.press(Button.MINUS, Button.MINUS)
    menu = t.state.menu
    assert menu is not None
    t.press(Button.NO)
    return menu.items


def test_every_correction_is_reached_by_buttons(table: Tables) -> None:
    t = table()
    t.roll(2, 5)
    t.take_token(5)
    for (kind, _), line in label_all(GAME, t.game, NAMES).items():
        opened: list[object] = []
        t.correct(line[:1].upper() + line[1:], check=lambda opened=opened: opened.append(t.state))
        (shown,) = opened
        assert isinstance(shown, ScreenState)
        assert shown.question or (shown.menu and shown.menu.value is not None), kind
        if t.state.question is not None:  # numbers are entered one by one
            t.press(Button.NO)
        assert t.state.menu is None


def test_an_upgrade_that_arrives_in_the_pause_is_offered_there(table: Tables) -> None:
    t = table()
    t.press(Button.MINUS)
    keys = {key.button: key.label for key in t.state.soft_keys}
    t.referee.offer_restart("9.1")
    assert {key.button: key.label for key in t.state.soft_keys} == keys | {Button.SEAT2: "Restart"}
    t.press(Button.SEAT2, Button.OK)
    assert t.referee.exit == Command(CommandName.RESTART)


def test_a_game_is_left_from_the_pause_menu_once_that_is_confirmed(table: Tables) -> None:
    t = table()
    t.press(Button.MINUS, Button.PLUS)
    assert t.state.question is not None
    assert t.state.question.title == "Leave this game?"
    t.press(Button.NO)
    assert (t.referee.exit, t.state.question) == (None, None)
    t.press(Button.MINUS, Button.PLUS, Button.OK)
    assert t.referee.exit == Command(CommandName.LOBBY)
    assert t.journal.find_resumable_game() is None


# What is missing ----------------------------------------------------------------------------------------------------


def test_the_game_continues_by_buttons_until_the_camera_returns(table: Tables) -> None:
    t = table()
    t.send(DeviceLost("camera", t.clock.now), CameraStateChanged(CameraState.LOST, t.clock.now))
    assert "camera" in (t.state.notice or "")
    t.press(Button.SEAT2, Button.SEAT6)
    assert t.played() == Move("roll", A, (2, 6))
    t.send(DeviceRestored("camera", t.clock.now), CameraStateChanged(CameraState.STEADY, t.clock.now, lid_known=True))
    assert t.state.notice is None
    t.take_token(6)
    assert t.played() == Move("remove", A, (6,))


def test_a_device_message_appears_in_the_current_language(table: Tables) -> None:
    """A button box that does not answer reports that before a language was chosen."""
    t = table()
    t.send(
        DeviceLost(
            "button box",
            t.clock.now,
            LazyMessage("{name} does not answer like a button box: is its firmware on it?", name="/dev/ttyACM0"),
        )
    )
    assert t.state.notice == (
        "/dev/ttyACM0 does not answer like a button box: is its firmware on it? The keyboard works meanwhile."
    )
    try:
        set_language("it")
        assert (
            t.state.notice
            == "/dev/ttyACM0 non risponde come una pulsantiera: ha il suo firmware? Intanto funziona la tastiera."
        )
    finally:
        set_language("en")


def test_without_a_lid_tokens_are_entered_and_dice_are_read(table: Tables) -> None:
    t = table(camera=False)
    t.send(CameraStateChanged(CameraState.STEADY, t.clock.now, lid_known=False))
    t.roll(2, 5)
    t.press(Button.SEAT5)
    assert t.played() == Move("remove", A, (5,))


def test_an_unwritable_disk_loses_nothing_and_is_reported(table: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.journal.entry import JournalUnwritable

    t = table()

    def full(*_: object) -> None:
        raise JournalUnwritable("The disk is full: free some space")

    with monkeypatch.context() as broken:
        broken.setattr(t.journal, "append_entry", full)
        t.roll(2, 5)
        assert t.played() is None
        assert t.state.notice == "The disk is full: free some space"
    t.roll(2, 5)
    assert t.played() == Move("roll", A, (2, 5))


# Clocks ----------------------------------------------------------------------------------------------------


def test_asking_closes_when_its_clock_expires(table: Tables) -> None:
    t = table(2, ask_seconds=10)
    t.roll(2, 5)
    t.take_token(5)
    t.press(Button.SEAT1)
    t.wait(9.0)
    assert t.game.phase is Phase.ASKING
    t.wait(2.0)
    assert t.game.phase is Phase.COVER


def test_remaining_time_survives_a_restart(table: Tables) -> None:
    t = table(2, ask_seconds=10)
    t.roll(2, 5)
    t.take_token(5)
    t.press(Button.SEAT1)
    for _ in range(6):
        t.wait(1.0)
    t.restart()
    (clock,) = t.state.clocks
    assert 2.0 <= clock.seconds_left <= 5.0


# The end ----------------------------------------------------------------------------------------------------


def test_same_again_takes_one_press(table: Tables) -> None:
    t = table(2, rounds=1)
    t.roll(2, 5)
    t.take_token(5)
    t.press(Button.SEAT1, Button.OK, Button.OK, Button.SEAT1, Button.OK)
    assert t.referee.exit == Command(CommandName.AGAIN)


def test_no_input_has_two_offers(table: Tables) -> None:
    t = table(dice="on")
    t.roll(2, 5)
    t.take_token(5)
    means = [o.input for o in t.referee.list_offers() if not isinstance(o.input, TableAction)]
    assert len(means) == len(set(means))
    assert ConsolePress.HOLD_NO in means


def test_a_reading_of_the_same_dice_changes_nothing(table: Tables) -> None:
    t = table()
    t.roll(5, 2)
    t.send(DiceRead((2, 5), 0.99, t.clock.now))
    assert t.state.question is None


def test_an_open_menu_does_not_reveal_the_next_card(table: Tables) -> None:
    """Macroscope M40: while windows are covered, no picture of the lid is shown, even with a menu open."""
    t = table(2)
    t.roll(2, 5)
    t.take_token(5)
    t.press(Button.SEAT1, Button.OK)
    eyes = CameraView(CameraState.STEADY, picture=np.zeros((9, 16, 3), np.uint8))
    for _ in range(3):
        shown = t.referee.build_screen_state(eyes)
        assert shown.camera_view.picture is None
        t.press(Button.MINUS)
    assert shown.menu is not None
