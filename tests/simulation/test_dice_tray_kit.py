"""What the tray knows of the game on the screen: how many dice it waits for, and what can be touched now."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from companion.api import Move, Seat, registry
from companion.app.table_panel.panel import SimulatorPanel
from companion.events import CameraState
from companion.gallery.fixtures import show_game
from companion.screen_state import CameraView, ScreenState
from companion.simulation.base_mouse import MouseButton
from companion.simulation.dice_tray.kit import DICE_TRAY
from companion.simulation.dice_tray.mouse import DiceTrayMouse
from companion.simulation.dice_tray.table import DiceTrayTable
from companion.simulation.optics import Optics
from companion.testing.table import ManualClock

THREE_SIXES = (2, 3, 6, 6, 6)


def start(name: str) -> Any:
    definition = registry.find_game(name)
    return definition.create_game(2, Seat(0), definition.settings_model())


def show(name: str, game: Any) -> ScreenState:
    return show_game(registry.find_game(name), game, ("Ada", "Bo"))


def throw(game: Any, dice: tuple[int, ...]) -> Any:
    return game.play(Move("throw", game.active_seat, dice))


@pytest.mark.parametrize(("name", "count"), [("yacht", 5), ("farkle", 6), ("ten_thousand", 6), ("pig", 1)])
def test_a_turn_begins_with_all_dice_of_the_game(name: str, count: int) -> None:
    table = DiceTrayTable()
    DICE_TRAY.follow(table, show(name, start(name)))
    assert (table.is_new_turn, table.wanted_count) == (True, count)


def test_the_next_player_throws_all_dice_after_two_were_set_aside() -> None:
    """The review's dead end: three dice were thrown again and again, and five were wanted."""
    table, optics = DiceTrayTable(), Optics()
    mouse = DiceTrayMouse(table, optics, random.Random(1))

    def click(x: float, y: float, z: float, now: float) -> None:
        px, py = (float(value) for value in optics.project([(x, y, z)])[0])
        mouse.press(MouseButton.LEFT, px, py, now)

    game = start("yacht")
    DICE_TRAY.follow(table, show("yacht", game))
    click(149.0, 89.0, 0.0, 1.0)
    game = throw(game, THREE_SIXES)
    DICE_TRAY.follow(table, show("yacht", game))
    for now, die in enumerate(table.planned_dice[:2], 5):
        click(*die.footprint.center, table.die_size, float(now))
    game = game.play(Move("keep", Seat(0), (6, 6)))
    DICE_TRAY.follow(table, show("yacht", game))
    click(149.0, 89.0, 0.0, 10.0)
    assert (len(table.values), len(table.aside)) == (3, 2)
    game = throw(game, (1, 2, 3))
    game = game.play(Move("choose", Seat(0), (6,)))
    DICE_TRAY.follow(table, show("yacht", game))
    click(149.0, 89.0, 0.0, 15.0)
    assert (len(table.values), table.aside) == (5, ())


def test_dice_that_may_be_kept_and_the_tray_can_be_touched() -> None:
    table = DiceTrayTable()
    table.throw_dice(5, random.Random(1), 0.0, values=THREE_SIXES)
    game = throw(start("yacht"), THREE_SIXES)
    states = [show("yacht", start("yacht")), show("yacht", game)]
    touchable = []
    for state in states:
        DICE_TRAY.follow(table, state)
        touchable.append([place.name for place in DICE_TRAY.list_touchable_places(table, state)])
    assert touchable == [["tray"], ["tray", *["die"] * 5]]


def test_a_counting_tray_takes_any_number_of_dice() -> None:
    table = DiceTrayTable()
    DICE_TRAY.follow(table, show("counting_tray", start("counting_tray")))
    assert (table.is_new_turn, table.wanted_count) == (True, None)


def test_dice_that_were_set_aside_by_keys_are_laid_beside_the_tray() -> None:
    table = DiceTrayTable()
    table.throw_dice(6, random.Random(1), 0.0, values=(2, 3, 3, 3, 6, 6))
    table.step(9.0)
    game = throw(start("farkle"), (2, 3, 3, 3, 6, 6))
    DICE_TRAY.follow(table, show("farkle", game))
    assert table.aside == ()
    DICE_TRAY.follow(table, show("farkle", game.play(Move("keep", Seat(0), (3, 3, 3)))))
    assert (table.aside, sorted(table.values)) == ((3, 3, 3), [2, 6, 6])


@pytest.mark.parametrize("choosing", [{"marked_dice": (3,)}, {"choices": (5,)}], ids=["marks", "boxes"])
def test_a_touch_does_nothing_while_keys_choose_and_the_bar_says_so(choosing: dict[str, Any]) -> None:
    table, optics = DiceTrayTable(), Optics()
    mouse = DiceTrayMouse(table, optics, random.Random(1))
    table.throw_dice(5, random.Random(1), 0.0, values=THREE_SIXES)
    table.step(9.0)
    state = show("yacht", throw(start("yacht"), THREE_SIXES))
    DICE_TRAY.follow(table, replace(state, **choosing))
    places = [(*table.planned_dice[0].footprint.center, table.die_size), (149.0, 89.0, 0.0)]
    pixels = [tuple(map(float, optics.project([place])[0])) for place in places]
    for px, py in pixels:
        for button in (MouseButton.LEFT, MouseButton.RIGHT):
            mouse.press(button, px, py, 10.0)
    assert (table.values, table.aside) == (THREE_SIXES, ())
    assert DICE_TRAY.describe_actions(table, replace(state, **choosing)) == "Choose by the keys first"
    assert not DICE_TRAY.list_touchable_places(table, replace(state, **choosing))
    assert not mouse.list_controls()
    DICE_TRAY.follow(table, state)
    mouse.press(MouseButton.LEFT, *pixels[0], 11.0)
    assert table.aside == THREE_SIXES[:1], "NO has gone back"


def test_dice_that_a_key_puts_back_are_laid_into_the_tray_and_others_stay() -> None:
    table = DiceTrayTable()
    table.throw_dice(5, random.Random(1), 0.0, values=THREE_SIXES)
    table.step(9.0)
    game = throw(start("yacht"), THREE_SIXES)
    kept = game.play(Move("keep", Seat(0), (6, 6)))
    for state in (game, kept):
        DICE_TRAY.follow(table, show("yacht", state))
    assert table.aside == (6, 6)
    table.step(20.0)
    table.set_aside(table.planned_dice[:1], 20.0)  # by a hand: the game has not read it yet
    table.step(30.0)
    DICE_TRAY.follow(table, show("yacht", kept))
    assert table.aside == (6, 6, 2)
    DICE_TRAY.follow(table, show("yacht", kept.play(Move("return", Seat(0)))))
    assert (table.aside, sorted(table.values)) == ((2,), [3, 6, 6, 6])


def test_dice_that_a_hand_puts_back_stay_until_the_game_has_read_them() -> None:
    table = DiceTrayTable()
    mouse = DiceTrayMouse(table, Optics(), random.Random(1))
    table.throw_dice(5, random.Random(1), 0.0, values=THREE_SIXES)
    table.step(9.0)
    game = throw(start("yacht"), THREE_SIXES)
    kept = game.play(Move("keep", Seat(0), (6, 6)))
    for state in (game, kept):
        DICE_TRAY.follow(table, show("yacht", state))
    table.step(20.0)
    assert not mouse.list_controls()
    table.put_back(table.aside, random.Random(1), 20.0)
    table.step(30.0)
    DICE_TRAY.follow(table, show("yacht", kept))
    assert (table.aside, sorted(table.values)) == ((), sorted(THREE_SIXES))


ONE_SCORES = (1, 2, 3, 3, 4, 6)
MIDDLE_OF_TRAY = (149.0, 89.0, 0.0)


def click(mouse: DiceTrayMouse, place: tuple[float, float, float], now: float) -> None:
    px, py = map(float, Optics().project([place])[0])
    mouse.press(MouseButton.LEFT, px, py, now)


def throw_farkle(table: DiceTrayTable, dice: tuple[int, ...] = ONE_SCORES) -> ScreenState:
    """Throw six dice on the table, and return the state of a game that has read them."""
    table.throw_dice(6, random.Random(1), 0.0, values=dice)
    table.step(9.0)
    state = show("farkle", throw(start("farkle"), dice))
    DICE_TRAY.follow(table, state)
    return state


def take(table: DiceTrayTable, value: int) -> None:
    """Take all dice with that value out of the tray, by a hand."""
    table.set_aside([die for die in table.planned_dice if die.value == value], 10.0)
    table.step(20.0)


def test_what_keys_set_aside_takes_the_place_of_what_a_hand_took_wrongly() -> None:
    table = DiceTrayTable()
    state = throw_farkle(table, (1, 5, 6, 6, 6, 2))
    take(table, 2)
    DICE_TRAY.follow(table, state)
    assert not DiceTrayMouse(table, Optics(), random.Random(1)).list_controls(), "an emptied tray would lead nowhere"
    assert state.view is not None
    for now in (20.0, 30.0):
        DICE_TRAY.follow(table, show("farkle", state.view.play(Move("keep", Seat(0), (6, 6, 6, 5, 1)))))
        table.step(now + 5.0)
    assert (sorted(table.aside), table.values) == ([1, 5, 6, 6, 6], (2,))


def test_only_dice_that_score_are_ringed_in_farkle() -> None:
    table = DiceTrayTable()
    state = throw_farkle(table)
    assert [place.name for place in DICE_TRAY.list_touchable_places(table, state)].count("die") == 1


def test_where_dice_must_be_set_aside_first_a_touch_on_the_tray_ends_no_turn() -> None:
    """Who wanted to throw again threw for the next player, and the points were counted."""
    table = DiceTrayTable()
    mouse, state = DiceTrayMouse(table, Optics(), random.Random(1)), throw_farkle(table)
    click(mouse, MIDDLE_OF_TRAY, 10.0)
    assert (table.is_busy(10.1), table.values) == (False, ONE_SCORES)
    assert DICE_TRAY.describe_actions(table, state) == "Touch dice to keep them, then the tray: throw the others"
    take(table, 1)
    click(mouse, MIDDLE_OF_TRAY, 20.0)
    assert (table.is_busy(20.1), len(table.planned_dice)) == (True, 5)


def test_dice_that_do_not_score_come_back_by_a_touch_on_the_tray() -> None:
    table = DiceTrayTable()
    mouse, state = DiceTrayMouse(table, Optics(), random.Random(1)), throw_farkle(table)
    take(table, 6)
    for camera, wrong in ((CameraState.HAND, ()), (CameraState.STEADY, (6,))):
        DICE_TRAY.follow(table, replace(state, camera_view=CameraView(camera)))
        assert table.wrong_aside == wrong
    assert DICE_TRAY.describe_actions(table, state) == "These do not score yet. Touch the tray: they come back"
    click(mouse, MIDDLE_OF_TRAY, 20.0)
    table.step(30.0)
    assert (table.aside, sorted(table.values)) == ((), sorted(ONE_SCORES))


def test_the_panel_notices_once_the_camera_has_read_that_dice_do_not_score() -> None:
    """The game says nothing new then, so that only the camera's state changes."""
    panel = SimulatorPanel(DICE_TRAY, ManualClock(), random.Random(1))
    state = throw_farkle(panel.table)
    panel.follow(state)
    take(panel.table, 6)
    for camera, wrong in ((CameraState.HAND, ()), (CameraState.STEADY, (6,))):
        panel.follow(replace(state, camera_view=CameraView(camera)))
        assert panel.table.wrong_aside == wrong


def test_the_last_die_that_may_be_kept_is_not_taken_by_hand() -> None:
    """It was taken after all others had scored: the game waited for a throw of it, and the points were lost."""
    table = DiceTrayTable()
    state = throw_farkle(table, (1, 1, 1, 1, 1, 5))
    take(table, 1)
    assert state.view is not None
    state = show("farkle", state.view.play(Move("keep", Seat(0), (1,) * 5)))
    DICE_TRAY.follow(table, state)
    mouse, (die,) = DiceTrayMouse(table, Optics(), random.Random(1)), table.planned_dice
    click(mouse, (*die.footprint.center, table.die_size), 30.0)
    assert table.aside == (1,) * 5
    assert DICE_TRAY.describe_actions(table, state) == "Touch the tray: throw the die. Its key keeps it"


def test_one_die_beside_the_tray_is_put_back_unless_it_is_locked() -> None:
    table = DiceTrayTable()
    mouse = DiceTrayMouse(table, Optics(), random.Random(1))
    table.aside, table.game_aside, table.game_locked = (1, 1, 5), (1, 1, 5), (1, 1)
    for index, left in ((0, (1, 1, 5)), (2, (1, 1))):
        click(mouse, (*table.locate_aside(3)[index], table.die_size), 1.0 + index)
        table.step(10.0 + index)
        assert table.aside == left


def test_a_new_turn_throws_no_dice_beside_the_tray_alone() -> None:
    table = DiceTrayTable()
    mouse = DiceTrayMouse(table, Optics(), random.Random(1))
    table.throw_dice(5, random.Random(1), 0.0, values=THREE_SIXES)
    table.step(9.0)
    table.set_aside(table.planned_dice[:2], 9.0)
    table.step(20.0)
    DICE_TRAY.follow(table, show("yacht", start("yacht")))
    assert not mouse.list_controls()
    mouse.press(MouseButton.RIGHT, 0.0, 0.0, 20.0)
    table.step(30.0)
    assert len(table.aside) == 2


def test_the_last_die_is_kept_by_its_key() -> None:
    table, optics = DiceTrayTable(), Optics()
    mouse = DiceTrayMouse(table, optics, random.Random(1))
    table.takes_any_count = False
    table.throw_dice(1, random.Random(1), 0.0, values=(5,))
    table.step(9.0)
    (die,) = table.planned_dice
    px, py = (float(value) for value in optics.project([(*die.footprint.center, table.die_size)])[0])
    mouse.press(MouseButton.LEFT, px, py, 10.0)
    assert (table.values, table.aside) == ((5,), ())
    table.wanted_count = 1
    mouse.press(MouseButton.LEFT, px, py, 11.0)
    assert (table.values, table.aside) == ((), (5,))


def test_only_a_game_of_any_number_of_dice_offers_more_and_fewer() -> None:
    for name, offers in (("counting_tray", True), ("farkle", False)):
        table = DiceTrayTable()
        DICE_TRAY.follow(table, show(name, throw(start(name), (1, 1, 2, 3, 4, 6)) if name == "farkle" else start(name)))
        labels = [control.name for control in DiceTrayMouse(table, Optics(), random.Random(1)).list_controls()]
        assert ("more" in labels) is offers


def test_where_no_dice_are_set_aside_a_touch_on_the_die_throws_and_the_bar_says_only_that() -> None:
    table, optics = DiceTrayTable(), Optics()
    mouse = DiceTrayMouse(table, optics, random.Random(1))
    DICE_TRAY.follow(table, show("pig", start("pig")))
    assert DICE_TRAY.describe_actions(table, show("pig", start("pig"))) == "Touch the tray: throw the die"
    table.throw_dice(1, random.Random(1), 0.0, values=(4,))
    table.step(9.0)
    state = show("pig", throw(start("pig"), (4,)))
    DICE_TRAY.follow(table, state)
    assert DICE_TRAY.describe_actions(table, state) == "Touch the tray: throw again"
    (lying,) = table.planned_dice
    (x, y) = map(float, optics.project([(*lying.footprint.center, table.die_size)])[0])
    mouse.press(MouseButton.LEFT, x, y, 10.0)
    assert table.aside == ()
    assert table.planned_dice != (lying,)
    yacht = show("yacht", throw(start("yacht"), THREE_SIXES))
    table.throw_dice(5, random.Random(1), 20.0, values=THREE_SIXES)
    DICE_TRAY.follow(table, yacht)
    assert "keep" in DICE_TRAY.describe_actions(table, yacht)


def test_people_see_no_pieces_of_a_hand_on_its_way() -> None:
    table, renderer = DICE_TRAY.create_table(random.Random(1))
    views = [renderer.crop(view.area, view.zoom) for view in DICE_TRAY.arrange(table, (640, 720)).views]
    empty = [view.render_noiseless(table).copy() for view in views]
    table.throw_dice(1, random.Random(1), 0.0)
    seen = set()
    for step in range(1, 20):
        table.step(step / 50)
        assert table.hand is not None
        is_shown = [
            bool((view.render_noiseless(table) != before).any()) for view, before in zip(views, empty, strict=True)
        ]
        assert any(is_shown) is (table.hand.reach >= 0.8), table.hand
        seen |= {any(is_shown)}
    assert seen == {False, True}
