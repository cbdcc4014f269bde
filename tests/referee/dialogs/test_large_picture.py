"""The enlarged camera picture, and the corrections on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from companion.api import Correctable, Correction, Move, ValueRange
from companion.events import Button, CameraState, CameraStateChanged
from companion.games.macroscope.state import Phase
from companion.games.memo_dice import GAME as MEMO_DICE
from companion.referee.dialogs.large_picture import CameraDialog
from companion.screen_state import EnlargedPicture, PictureMark
from companion.testing.table import A, TableUnderTest

Tables = Callable[..., TableUnderTest]


OPEN_PICTURE = (Button.MINUS, Button.MINUS, Button.OK)
"""Pause, corrections, and the line that is selected then: where PLUS enters by hand, the menu has the picture."""


def key(t: TableUnderTest, button: Button) -> str:
    return next(k.label for k in t.state.soft_keys if k.button is button and not k.is_hold)


def test_one_press_enlarges_the_picture_and_one_closes_it(table: Tables) -> None:
    t = table(3)
    t.roll(2, 5)
    t.take_token(5)
    t.press(Button.SEAT1)
    assert t.game.phase is Phase.ASKING
    assert t.state.enlarged is None
    assert t.state.enlarge_button is Button.PLUS
    assert key(t, Button.PLUS) == "Large picture"
    t.press(Button.PLUS)
    assert t.state.enlarged is not None
    assert t.state.enlarge_button is Button.NO
    t.press(Button.NO)
    assert t.state.enlarged is None
    assert t.game.phase is Phase.ASKING


def test_where_the_game_needs_the_button_the_menu_lists_the_picture(table: Tables) -> None:
    t = table()
    assert key(t, Button.PLUS) == "Enter roll"
    t.roll(2, 5)
    t.take_token(5)
    assert key(t, Button.PLUS) == "Enter token"
    assert "Large picture" not in {each.label for each in t.state.soft_keys}
    assert t.state.enlarge_button is None
    t.press(*OPEN_PICTURE[:2])
    assert t.state.menu is not None
    assert t.state.menu.items[t.state.menu.selected] == "Large picture"
    t.press(Button.OK)
    assert t.state.enlarged is not None


def test_a_die_is_corrected_on_the_picture(table: Tables) -> None:
    t = table()
    t.roll(2, 5)
    t.press(*OPEN_PICTURE)
    assert t.state.enlarged == EnlargedPicture((PictureMark("die", 2, 2, True), PictureMark("die", 5, 5)))
    assert key(t, Button.OK) == "All right"
    t.press(Button.SEAT2, Button.PLUS)
    assert t.state.enlarged == EnlargedPicture((PictureMark("die", 2, 2), PictureMark("die", 5, 6, True)))
    assert t.game.dice == (2, 5)
    assert key(t, Button.OK) == "Change"
    t.press(Button.OK)
    assert t.played() == Correction("dice", None, (2, 6))
    assert t.state.enlarged is None


def test_values_wrap_from_six_to_one(table: Tables) -> None:
    t = table()
    t.roll(1, 6)
    t.press(*OPEN_PICTURE, Button.MINUS, Button.SEAT2, Button.PLUS, Button.OK)
    assert t.played() == Correction("dice", None, (6, 1))


def test_the_token_just_taken_is_corrected_at_its_window(table: Tables) -> None:
    t = table()
    t.roll(2, 5)
    t.take_token(5, window=7)
    t.press(*OPEN_PICTURE, Button.SEAT3, Button.MINUS)
    large = t.state.enlarged
    assert large is not None
    assert large.marks[2] == PictureMark("token", 5, 4, True, 7)
    t.press(Button.OK)
    assert t.played() == Correction("token", None, (4,))
    assert t.game.tokens == (2, 2, 2, 1, 2, 2)


def test_a_change_is_not_lost_by_selecting_something_else(table: Tables) -> None:
    t = table()
    t.roll(2, 5)
    t.take_token(5)
    t.press(*OPEN_PICTURE, Button.PLUS)
    assert key(t, Button.SEAT2) == "Die: 5"
    assert key(t, Button.SEAT3) == ""  # the token: take the dice first, or go back
    t.press(Button.NO)
    assert t.played() == Move("remove", A, (5,))
    assert t.game.dice == (2, 5)


def test_the_game_continues_while_the_picture_is_open(table: Tables) -> None:
    t = table()
    t.press(*OPEN_PICTURE)
    assert t.state.enlarged == EnlargedPicture()
    t.roll(3, 4)
    assert t.played() == Move("roll", A, (3, 4))
    assert t.state.enlarged is None


def test_a_throw_waits_during_a_correction(table: Tables) -> None:
    t = table()
    t.roll(2, 5)
    t.press(*OPEN_PICTURE, Button.PLUS)
    t.take_token(5)
    assert t.state.enlarged is not None
    assert t.game.phase is Phase.OPEN
    assert not t.game.taken_tokens
    t.press(Button.NO)
    assert t.game.taken_tokens == (5,)


def test_a_missing_or_secret_picture_is_not_offered(table: Tables) -> None:
    blind = table(camera=False)
    assert blind.state.enlarge_button is None
    lost = table()
    lost.send(CameraStateChanged(CameraState.LOST, lost.clock.now))
    assert lost.state.enlarge_button is None
    covering = table(2)
    covering.roll(2, 5)
    covering.take_token(5)
    covering.press(Button.SEAT1, Button.OK)
    assert covering.game.phase is Phase.COVER
    assert covering.state.enlarge_button is None
    assert table(definition=MEMO_DICE).state.enlarge_button is None


def test_each_value_is_changed_without_the_others() -> None:
    dice = Correctable("dice", None, (2, 5), ValueRange(2, 1, 6))
    tokens = tuple(Correctable("token", None, (n,), ValueRange(1, 1, 6), (n,)) for n in (3, 4))
    picture = CameraDialog((dice, *tokens), ((2, 5), (3,), (4,)), window=7)
    assert picture.enlarged == EnlargedPicture(
        (
            PictureMark("die", 2, 2, True),
            PictureMark("die", 5, 5),
            PictureMark("token", 3, 3, False, 7),
            PictureMark("token", 4, 4, False, 7),
        )
    )
    others = [replace(picture, selected=place) for place in ((0, 1), (1, 0), (2, 0))]
    changed = [picture.step_value(1), picture.step_value(-1), *(other.step_value(1) for other in others)]
    assert [each.values for each in changed] == [
        ((3, 5), (3,), (4,)),
        ((1, 5), (3,), (4,)),
        ((2, 6), (3,), (4,)),
        ((2, 5), (4,), (4,)),
        ((2, 5), (3,), (5,)),
    ]
    assert [each.is_changed for each in (picture, *changed)] == [False, *[True] * 5]


def test_a_value_changed_back_is_no_change() -> None:
    token = Correctable("token", None, (3,), ValueRange(1, 1, 6))
    picture = CameraDialog((token,), ((3,),)).step_value(1)
    assert picture.is_changed
    assert not picture.step_value(-1).is_changed


def test_each_target_needs_its_values() -> None:
    token = Correctable("token", None, (3,), ValueRange(1, 1, 6))
    with pytest.raises(ValueError, match="longer"):
        assert CameraDialog((token,), ()).is_changed
