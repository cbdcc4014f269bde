"""Corrections, missing devices, clocks, and the end of a game."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from companion.api import Command, CommandName, Correction, Move
from companion.events import Button, CameraState, CameraStateChanged, DeviceLost, DeviceRestored
from companion.games.macroscope import GAME
from companion.i18n import set_language
from companion.lazy_message import LazyMessage
from companion.screen_state import CameraView, ScreenState
from companion.testing.checks import label_all
from companion.testing.table import NAMES, A, B, TableUnderTest
from tests.referee.questions import read_title

Tables = Callable[..., TableUnderTest]


# Corrections ----------------------------------------------------------------------------------------------------


def test_a_total_is_corrected_by_the_players_own_button(table: Tables) -> None:
    t = table()
    t.press(Button.MINUS, Button.MINUS, Button.SEAT2, Button.PLUS, Button.PLUS, Button.OK)
    assert t.played() == Correction("crystals", B, (4,))
    assert t.state.scores == (2, 4, 2)


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
    assert read_title(t) == "Leave this game?"
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


# The end ----------------------------------------------------------------------------------------------------


def test_same_again_takes_one_press(table: Tables) -> None:
    t = table(2, rounds=1)
    t.roll(2, 5)
    t.take_token(5)
    t.press(Button.SEAT1, Button.OK, Button.OK, Button.SEAT1, Button.OK)
    assert t.referee.exit == Command(CommandName.AGAIN)


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
