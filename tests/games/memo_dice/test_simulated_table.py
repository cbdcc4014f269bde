"""The simulated table follows what keys did in the game, and a touch leads out of every state."""

import random
from collections.abc import Callable

import numpy as np
import pytest

from companion.api import Correction, Move, Seat
from companion.events import MemoColour
from companion.gallery.fixtures import show_game
from companion.games.memo_dice import GAME, MemoDice
from companion.games.memo_dice.samples import make_game, play_moves
from companion.games.memo_dice.simulator.kit import KIT
from companion.games.memo_dice.simulator.mouse import CLEAR, MemoDiceMouse
from companion.games.memo_dice.simulator.objects import MemoDiceAppearance, SimulatedCup
from companion.games.memo_dice.simulator.raytrace import compute_bounding_box, draw_object
from companion.screen_state import ScreenState
from companion.simulation.base_mouse import MouseButton
from companion.simulation.optics import Point

RED, BLUE, BLACK, GOLD = MemoColour.RED, MemoColour.BLUE, MemoColour.BLACK, MemoColour.GOLD
CORNER: Point = (1200.0, 60.0)
"""Pixel of the frame where nothing lies."""
GAMES: dict[str, Callable[[], MemoDice]] = {
    "a die to roll": lambda: make_game(2, "RB"),
    "a die lies open": lambda: make_game(2, "RB").play(Move("show", Seat(0), (1,))),
    "the last die": lambda: make_game(2, "RRRBBBKK"),
    "the first cup": lambda: make_game(2, "RRRR"),
    "a cup is lifted": lambda: lift(make_game(2, "RRRR", "+")),
    "the golden cup": lambda: make_game(2, "RRRR", "+-+"),
    "the round is over": lambda: make_game(2, "RRRR", "+-++"),
    "the next round": lambda: play_moves(next_round(make_game(2, "RRRR", "+-++")), "K"),
}


class Desk:
    """A simulated table that follows a game, and the mouse over it."""

    def __init__(self) -> None:
        self.table, renderer = KIT.create_table(random.Random(3))
        self.mouse = MemoDiceMouse(self.table, renderer.optics, random.Random(4))

    def follow(self, game: MemoDice) -> ScreenState:
        """Let the table follow until it is at rest; return the screen."""
        state = show_game(GAME, game, ("Ada", "Bo"))
        version = -1
        for _ in range(400):
            self.table.step(self.table.now + 0.1)
            if not self.table.is_moving:
                KIT.follow(self.table, state)
                if version == self.table.version:
                    return state
                version = self.table.version
        raise AssertionError("the table never comes to rest")

    def touch(self, at: Point, game: MemoDice) -> None:
        self.mouse.press(MouseButton.LEFT, *at, self.table.now)
        self.follow(game)

    @property
    def cups(self) -> list[MemoColour | None]:
        return [slot.cup for slot in self.table.row]


@pytest.fixture
def desk() -> Desk:
    return Desk()


def lift(game: MemoDice) -> MemoDice:
    return game.play(Move("lift", game.active_seat))


def next_round(game: MemoDice) -> MemoDice:
    return game.play(Move("next", None))


def test_ok_after_a_round_puts_the_dice_back(desk: Desk) -> None:
    over = make_game(2, "RRRR", "+-++")
    desk.follow(make_game(2, "RRRR"))
    desk.follow(over)
    assert desk.cups == [None] * 4, "all cups are won, also those that nobody lifted"
    state = desk.follow(next_round(over))
    assert desk.table.row == ()
    assert KIT.describe_actions(desk.table, state) == "Touch the table: roll a die into the row"


def test_a_touch_after_a_round_puts_the_dice_back_and_the_next_one_rolls(desk: Desk) -> None:
    over = make_game(2, "RRRR", "+-++")
    desk.follow(make_game(2, "RRRR"))
    desk.follow(over)
    assert list(desk.mouse.list_controls()) == [CLEAR]
    desk.touch(CORNER, over)
    assert desk.table.row == ()
    desk.touch(CORNER, over)
    assert desk.cups == [None]
    desk.follow(next_round(over))
    assert desk.cups == [None], "the die begins the next round, and stays for the camera"


def test_a_die_that_is_covered_by_a_key_gets_its_cup(desk: Desk) -> None:
    game = make_game(2, "R")
    desk.follow(game)
    colour = desk.table.roll(random.Random(1), desk.table.now)
    shown = game.play(Move("show", game.active_seat, (int(colour),)))
    assert KIT.find_close_up(desk.table, desk.follow(shown)) == desk.table.row[1].placed_die.top
    covered = shown.play(Move("cover", game.active_seat))
    assert KIT.find_close_up(desk.table, show_game(GAME, covered, ("Ada", "Bo"))) is None, "nor until its cup comes"
    desk.follow(covered)
    assert desk.cups == [RED, colour]


def test_a_die_that_only_a_key_entered_is_rolled_and_covered(desk: Desk) -> None:
    desk.follow(make_game(2, "R"))
    desk.follow(make_game(2, "RB"))
    assert desk.cups == [RED, BLUE]
    assert desk.table.row[1].placed_die.top.colour is BLUE


def test_a_cup_is_lifted_when_its_answer_comes_first(desk: Desk) -> None:
    asked = make_game(2, "RRRR")
    desk.follow(asked)
    desk.follow(play_moves(asked, "", "+"))
    assert desk.cups == [None, RED, RED, GOLD]


@pytest.mark.parametrize("before", [make_game(2, "RB"), make_game(2, "RRRR")], ids=["covering", "uncovering"])
def test_a_cup_that_is_lifted_too_early_is_put_back(desk: Desk, before: MemoDice) -> None:
    desk.follow(before)
    cups = desk.cups
    desk.table.lift(1, desk.table.now)
    desk.follow(before)
    assert desk.cups == cups


def test_an_undo_takes_the_die_back(desk: Desk) -> None:
    for symbols in ("R", "RB", "RBK", "RB"):
        desk.follow(make_game(2, symbols))
    assert desk.cups == [RED, BLUE]
    dice = [slot.die for slot in desk.table.row]
    desk.follow(make_game(2, "R").play(Move("show", Seat(1), (2,))))
    assert desk.cups == [RED, None], "the cup is taken off again"
    assert [slot.die for slot in desk.table.row] == dice


def test_an_undo_into_the_round_before_lays_its_row(desk: Desk) -> None:
    over = make_game(2, "RRRR", "+-++")
    for game in (make_game(2, "RRRR"), over, next_round(over), over, make_game(2, "RRRR", "+-+")):
        desk.follow(game)
    assert desk.cups == [None, None, None, GOLD]


def test_a_corrected_cup_is_exchanged(desk: Desk) -> None:
    game = make_game(2, "RB")
    desk.follow(game)
    desk.follow(game.correct(Correction("cup", None, (int(BLACK),), (2,))))
    assert desk.cups == [RED, BLACK]


def test_another_game_begins_with_an_empty_row(desk: Desk) -> None:
    desk.follow(make_game(2, "RBK"))
    desk.follow(make_game(2))
    assert desk.table.row == ()


def test_a_touched_die_is_the_one_that_is_rolled(desk: Desk) -> None:
    game = make_game(2)
    desk.follow(game)
    x, y, width, height = desk.table.appearance.optics.find_square(
        desk.table.unused_dice[5].center[:2], 10.0, desk.table.appearance.die_size_mm
    )
    desk.touch((x + width / 2, y + height / 2), game)
    assert [slot.die for slot in desk.table.row] == [5]


@pytest.mark.parametrize("name", GAMES)
def test_touches_beside_everything_lead_on(desk: Desk, name: str) -> None:
    """The hint is true: either a touch changes the table, or nothing is asked of it."""
    game = GAMES[name]()
    state = desk.follow(game)
    before = desk.cups
    sentence = KIT.describe_actions(desk.table, state)
    places = KIT.list_touchable_places(desk.table, state)
    at = CORNER
    if places:
        x, y, width, height = places[0].area
        at = x + width / 2, y + height / 2
    desk.touch(at, game)
    assert (desk.cups != before) is bool(sentence)


def test_keys_that_overtake_a_rolling_die_are_followed(desk: Desk) -> None:
    """The die that rolls lies open when keys have covered it and entered the next one."""
    desk.follow(make_game(2, "R"))
    desk.table.roll(random.Random(1), desk.table.now, colour=BLUE)
    desk.follow(make_game(2, "RB").play(Move("show", Seat(0), (int(BLACK),))))
    assert desk.cups == [RED, BLUE, None]


def test_an_undo_puts_the_cup_back_that_was_lifted(desk: Desk) -> None:
    asked = make_game(2, "RRRR")
    desk.follow(asked)
    desk.table.lift(0, desk.table.now)
    desk.follow(lift(asked))
    assert desk.cups == [None, RED, RED, GOLD]
    desk.follow(asked)
    assert desk.cups == [RED, RED, RED, GOLD]


def test_an_undo_of_the_last_answer_leaves_the_dice_of_the_round(desk: Desk) -> None:
    desk.follow(make_game(2, "RRRR"))
    dice = [slot.placed_die for slot in desk.table.row]
    desk.follow(make_game(2, "RRRR", "+-++"))
    desk.follow(make_game(2, "RRRR", "+-+"))
    assert desk.cups == [None, None, None, GOLD]
    assert [slot.placed_die for slot in desk.table.row] == dice


def test_the_flat_end_of_a_cup_has_a_rim_that_shines() -> None:
    appearance, cup = MemoDiceAppearance(), SimulatedCup(RED, 0.0, 0.0)
    box = compute_bounding_box(cup, appearance)
    colours, _cover = draw_object(cup, (), appearance, box)
    middle, edge = appearance.optics.project(
        [(x, 0.0, appearance.cup_height_mm) for x in (0.0, appearance.top_radius_mm)]
    )
    rows, columns = np.indices(colours.shape[:2])
    distance = np.hypot(columns + box[0] - middle[0], rows + box[1] - middle[1]) / (edge[0] - middle[0])
    flat, rim = (
        colours[(least < distance) & (distance < most)].sum(axis=1) for least, most in ((0, 0.7), (0.75, 0.95))
    )
    assert np.ptp(rim) > 3 * np.ptp(flat)
