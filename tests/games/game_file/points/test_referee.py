"""Games in files whose points people enter, at a table with a real journal: by keys alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.api.registry import find_game
from companion.events import SEAT_BUTTONS, Button
from companion.games.game_file.definition import make_definition
from companion.screen_state import ScreenKind
from companion.testing.table import TableUnderTest

Tables = Callable[..., TableUnderTest]
STEPS = {100: Button.PLUS, 50: Button.SEAT6, 20: Button.SEAT5, 10: Button.SEAT4, 5: Button.SEAT3, 2: Button.SEAT2}


def sit_down(table: Tables, name: str, players: int) -> TableUnderTest:
    return table(players, definition=find_game(name), camera=False)


def enter(table: TableUnderTest, seat: int, number: int) -> None:
    table.press(SEAT_BUTTONS[seat])
    for step, button in (*STEPS.items(), (1, Button.SEAT1)):
        while number >= step:
            table.press(button)
            number -= step
    table.press(Button.OK)


def list_labels(table: TableUnderTest) -> dict[Button, str]:
    return {key.button: key.label for key in table.state.soft_keys if key.label and not key.is_hold}


def test_a_hand_of_hearts(table: Tables) -> None:
    hearts = sit_down(table, "hearts", 3)
    enter(hearts, 2, 20)
    enter(hearts, 0, 5)
    assert hearts.game.entered == ((5,), (), (20,))
    assert list_labels(hearts)[Button.SEAT2] == "Enter 1", "the rest of the 26 points"
    assert list_labels(hearts)[Button.SEAT1] == "Again"
    hearts.press(Button.SEAT1)
    enter(hearts, 0, 6)
    hearts.press(Button.SEAT2)
    assert hearts.game.totals == (6, 0, 20)
    assert hearts.game.round_number == 2
    hearts.hold(Button.NO)
    assert hearts.game.totals == (0, 0, 0)
    hearts.restart()
    assert hearts.game.entered == ((6,), (), (20,))


def test_a_number_that_happens_to_be_0_or_1_is_no_question(table: Tables) -> None:
    """The first round of Wizard has one trick."""
    wizard = sit_down(table, "wizard", 3)
    wizard.press(Button.SEAT2)
    assert wizard.state.question is None
    assert wizard.state.menu is not None
    assert wizard.state.menu.value == "0"
    wizard.press(Button.SEAT1, Button.OK)
    assert wizard.game.entered == ((), (1,), ())


def test_no_sign_where_no_number_is_negative(table: Tables) -> None:
    hearts = sit_down(table, "hearts", 3)
    hearts.press(Button.SEAT1)
    assert hearts.state.menu is not None
    assert (hearts.state.menu.title, hearts.state.menu.value) == ("Ada: points in your tricks", "0")
    keys = list_labels(hearts)
    assert Button.MINUS not in keys
    assert Button.SEAT6 not in keys, "50 points are too many"
    assert keys[Button.OK] == "Enter", "nobody has to take tricks"


def test_the_last_double_of_darts(table: Tables) -> None:
    darts = sit_down(table, "darts_501", 2)
    for number in (180, 60, 180, 60):
        enter(darts, darts.game.active_seat, number)
    _try_impossible(darts)
    enter(darts, 0, 141)
    assert list_labels(darts)[Button.OK] == "Yes"
    assert list_labels(darts)[Button.NO] == "No"
    darts.press(Button.NO)
    assert (darts.game.totals, darts.game.active_seat) == ((141, 381), 1)
    darts.hold(Button.NO)
    darts.press(Button.OK)
    assert darts.state.kind is ScreenKind.RESULT
    assert darts.game.totals == (0, 381)


def _try_impossible(darts: TableUnderTest) -> None:
    """163 points cannot be thrown with three darts: OK is dark there."""
    enter(darts, 0, 163)
    assert darts.state.menu is not None
    assert darts.state.menu.value == "163"
    assert Button.OK not in list_labels(darts)
    darts.press(Button.NO, Button.NO)
    assert darts.state.menu is None


@pytest.mark.parametrize("entry", ["low = 3\nhigh = 9", "low = -9\nhigh = -3", "low = -20\nhigh = 140"])
def test_every_number_within_the_limits_can_be_entered(table: Tables, entry: str) -> None:
    text = f"""
name = "mine"
title = "Mine"
players_min = 2
players_max = 2
[points]
rounds = 99
[[points.entries]]
id = "points"
name = "Points"
{entry}
"""
    mine = table(2, definition=make_definition(text, "mine.toml"), camera=False)
    limits = mine.game.get_range(0)
    for number in range(limits.low, limits.high + 1, 1 if limits.high < 10 else 10):
        mine.press(Button.SEAT1)
        if number < 0:
            mine.press(Button.MINUS)
        rest = abs(number)
        for step, button in (*STEPS.items(), (1, Button.SEAT1)):
            while rest >= step:
                mine.press(button)
                rest -= step
        mine.press(Button.OK)
        assert mine.game.entered[0] == (number,)
        mine.hold(Button.NO)
