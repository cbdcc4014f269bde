"""The panel with the simulated table: frame rate, sizes, repainted areas, touches, and a resumed game's tokens."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from functools import partial
from itertools import product
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pygame
import pytest

from companion.api import Move, Seat, ValueRange
from companion.app.table_panel.panel import SETTLE_SECONDS, SimulatorPanel
from companion.events import Button, MemoColour
from companion.gallery.fixtures import show_game
from companion.games.macroscope import GAME as MACROSCOPE
from companion.games.macroscope import Macroscope, Settings
from companion.games.macroscope.simulator.kit import KIT as MACROSCOPE_KIT
from companion.games.macroscope.simulator.table import MacroscopeTable
from companion.games.memo_dice.simulator.kit import KIT as MEMO_DICE_KIT
from companion.games.memo_dice.simulator.objects import MemoDiceAppearance
from companion.games.memo_dice.simulator.table import MemoDiceTable
from companion.games.memo_dice.state import Cup
from companion.screen_state import HelpView, Menu, Player, Question, ScreenKind, ScreenState
from companion.simulation.base_mouse import TableControl
from companion.simulation.dice_tray.kit import DICE_TRAY as DICE_TRAY_KIT
from companion.simulation.kit import TableKit
from companion.simulation.optics import FRAME_SIZE_PX
from companion.simulation.views import WHOLE_FRAME_AREA, show_above_bar
from companion.testing.table import ManualClock
from tests.games.memo_dice.positions import new as new_memo_dice

PANEL = pygame.Rect(40, 0, 640, 720)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(100.0)


@pytest.fixture
def panel(clock: ManualClock) -> SimulatorPanel:
    rng = random.Random(1)
    made = SimulatorPanel(MACROSCOPE_KIT, clock, rng)
    made.place(PANEL)
    return made


@pytest.fixture
def surface() -> pygame.Surface:
    return pygame.Surface((720, 720))


def test_the_first_picture_fills_the_panel_and_later_ones_only_what_changed(
    panel: SimulatorPanel, surface: pygame.Surface, clock: ManualClock
) -> None:
    assert panel.draw(surface) == [PANEL]
    clock.now += SETTLE_SECONDS + 1.0
    assert panel.draw(surface) == [], "the table is as it was"
    panel.handle_key(pygame.K_c, clock.now, down=True)  # a hand covers the windows again
    clock.now += 0.6
    changed = panel.draw(surface)
    assert [rect.top > PANEL.height / 2 for rect in changed] == [True], "the view of the lid, over which the hand is"
    assert PANEL.contains(changed[0])


def lay_out_macroscope(game: Any) -> MacroscopeTable:
    table = MacroscopeTable(random.Random(4))
    MACROSCOPE_KIT.lay_out(table, game, random.Random(2))
    return table


def lay_out_memo_dice(game: Any) -> MemoDiceTable:
    table = MemoDiceTable(random.Random(4), MemoDiceAppearance())
    MEMO_DICE_KIT.lay_out(table, game, random.Random(2))
    return table


class StubTable:
    """A table that is as the test says."""

    def __init__(self) -> None:
        self.version = 1
        self.is_moving = False

    def step(self, now: float) -> None:
        pass


class StubRenderer:
    """Renders one orange frame."""

    optics = None
    frame = np.full((FRAME_SIZE_PX[1], FRAME_SIZE_PX[0], 3), (0, 128, 255), np.uint8)

    def render(self, _table: object) -> np.ndarray[Any, Any]:
        return self.frame

    render_noiseless = render

    def crop(self, _area: object, _zoom: float) -> StubRenderer:
        return self


class StubHand:
    """Records what the mouse and the keys do."""

    def __init__(self, *_: object) -> None:
        self.done: list[tuple[object, ...]] = []

    controls = (TableControl("clear", "Empty the tray"),)

    def list_controls(self) -> tuple[TableControl, ...]:
        return self.controls

    def __getattr__(self, name: str) -> Any:
        return lambda *values: self.done.append((name, *values))


class Stubbed:
    """A panel whose table, renderer and hand are stubs."""

    def __init__(self, clock: ManualClock) -> None:
        self.hand, self.table, self.clock = StubHand(), StubTable(), clock
        kit = SimpleNamespace(
            create_table=lambda _rng: (self.table, StubRenderer()),
            create_mouse=lambda *_: self.hand,
            arrange=lambda _table, size: show_above_bar(WHOLE_FRAME_AREA, size),
            follow=lambda *_: None,
            describe_actions=lambda *_: "Touch the tray",
            list_touchable_places=lambda *_: (),
            find_close_up=lambda *_: None,
        )
        self.panel = SimulatorPanel(cast("TableKit[Any]", kit), clock, random.Random(1))

    def is_frame_ready(self, surface: pygame.Surface) -> bool:
        self.panel.draw(surface)
        return self.panel.relay.read() is not None


@pytest.fixture
def stubbed(clock: ManualClock) -> Stubbed:
    return Stubbed(clock)


@pytest.mark.parametrize(
    ("kind", "values", "done"),
    [
        (pygame.MOUSEBUTTONDOWN, {"button": 3}, ("press", 3, 20.0, 60.0, 7.0)),
        (pygame.MOUSEBUTTONUP, {"button": 1}, ("release", 1, 20.0, 60.0, 7.0)),
        (pygame.MOUSEMOTION, {}, ("move", 20.0, 60.0, 7.0)),
        (pygame.MOUSEWHEEL, {"y": -1}, ("wheel", -1, 20.0, 60.0, 7.0)),
        (pygame.USEREVENT, {}, None),
    ],
)
def test_the_mouse_acts_at_the_pixel_of_the_frame(
    stubbed: Stubbed, kind: int, values: dict[str, int], done: tuple[object, ...] | None
) -> None:
    stubbed.panel.place(pygame.Rect(100, 50, 640, 414))  # a picture of 640 x 360, and the bar
    stubbed.panel.handle_mouse(pygame.event.Event(kind, values), (110, 80), 7.0)
    assert stubbed.hand.done == ([] if done is None else [done])


def test_keys_act_by_their_names(stubbed: Stubbed) -> None:
    stubbed.panel.handle_key(pygame.K_c, 7.0, down=True)
    stubbed.panel.handle_key(pygame.K_c, 8.0, down=False)
    assert stubbed.hand.done == [("key", "c", True, 7.0), ("key", "c", False, 8.0)]


def test_the_table_counts_as_moving_until_a_second_after_it_moved(stubbed: Stubbed, clock: ManualClock) -> None:
    clock.now = 200.0
    assert not stubbed.panel.is_moving
    stubbed.table.is_moving = True
    assert stubbed.panel.is_moving
    stubbed.table.is_moving = False
    clock.now = 200.9
    assert stubbed.panel.is_moving
    clock.now = 201.0
    assert not stubbed.panel.is_moving


@pytest.mark.parametrize("hand", ["mouse", "key"])
def test_a_table_at_rest_gives_five_frames_a_second_until_a_hand_comes(
    stubbed: Stubbed, surface: pygame.Surface, clock: ManualClock, hand: str
) -> None:
    clock.now = 200.0
    assert stubbed.is_frame_ready(surface)
    clock.now = 200.0 + 0.19
    assert not stubbed.is_frame_ready(surface)
    clock.now = 200.0 + 0.2
    assert stubbed.is_frame_ready(surface)
    clock.now += 0.1
    if hand == "mouse":
        stubbed.panel.handle_mouse(pygame.event.Event(pygame.MOUSEMOTION), (5, 5), clock.now)
    else:
        stubbed.panel.handle_key(pygame.K_h, clock.now, down=True)
    assert stubbed.is_frame_ready(surface)
    assert stubbed.panel.is_moving
    clock.now += 0.07
    assert stubbed.is_frame_ready(surface), "fifteen a second while something moves"


def test_only_the_newest_frame_is_read(stubbed: Stubbed, surface: pygame.Surface, clock: ManualClock) -> None:
    for clock.now in (200.0, 201.0):
        stubbed.panel.draw(surface)
    frame = stubbed.panel.relay.read()
    assert frame.at == 201.0
    assert stubbed.panel.relay.read() is None


def test_the_picture_has_the_colours_of_the_frame(stubbed: Stubbed, surface: pygame.Surface) -> None:
    stubbed.panel.place(pygame.Rect(0, 0, 720, 720))
    stubbed.panel.draw(surface)
    assert surface.get_at((300, 200))[:3] == (255, 128, 0), "a frame is BGR"


def make_finger(kind: int, number: int = 1) -> pygame.event.Event:
    return pygame.event.Event(kind, finger_id=number)


def test_a_tap_is_a_click_and_a_long_touch_one_of_the_right_button(stubbed: Stubbed) -> None:
    stubbed.panel.place(pygame.Rect(100, 50, 640, 414))
    for down, up, button in ((7.0, 7.2, 1), (8.0, 8.6, 3)):
        stubbed.hand.done.clear()
        stubbed.panel.handle_touch(make_finger(pygame.FINGERDOWN), (110, 80), down)
        stubbed.panel.handle_touch(make_finger(pygame.FINGERMOTION), (111, 81), down + 0.1)
        stubbed.panel.handle_touch(make_finger(pygame.FINGERDOWN, 2), (300, 300), down + 0.1)
        assert stubbed.hand.done == [], "it may still be a drag, and another finger is none of it"
        stubbed.panel.handle_touch(make_finger(pygame.FINGERUP), (110, 80), up)
        assert stubbed.hand.done == [("press", button, 20.0, 60.0, up), ("release", button, 20.0, 60.0, up)]


def test_a_finger_that_moves_drags(stubbed: Stubbed) -> None:
    stubbed.panel.place(pygame.Rect(100, 50, 640, 414))
    for kind, at in ((pygame.FINGERDOWN, (110, 80)), (pygame.FINGERMOTION, (150, 80)), (pygame.FINGERUP, (160, 80))):
        stubbed.panel.handle_touch(make_finger(kind), at, 7.0)
    places = [("press", 1, 20.0), ("move", 100.0), ("release", 1, 120.0)]
    assert stubbed.hand.done == [(*each, 60.0, 7.0) for each in places]


def test_a_control_is_used_by_a_tap(stubbed: Stubbed, surface: pygame.Surface) -> None:
    """It lies in the bar, of which no touch reaches the table."""
    stubbed.panel.place(pygame.Rect(0, 0, 640, 414))
    stubbed.panel.follow(ScreenState(ScreenKind.PLAY))
    stubbed.panel.draw(surface)
    for y in (360, 400):
        for kind in (pygame.FINGERDOWN, pygame.FINGERUP):
            stubbed.panel.handle_touch(make_finger(kind), (320, y), 7.0)
    used = [done for done in stubbed.hand.done if done[0] != "release"]
    assert used == [("use_control", StubHand.controls[0], 7.0)]


def test_before_a_game_the_bar_asks_for_nothing(stubbed: Stubbed, surface: pygame.Surface) -> None:
    for kind, count in ((ScreenKind.LOBBY, 0), (ScreenKind.FIRST, 0), (ScreenKind.PLAY, 1), (ScreenKind.LOBBY, 0)):
        stubbed.clock.now += 1.0
        stubbed.panel.follow(ScreenState(kind))
        stubbed.panel.draw(surface)
        assert len(stubbed.panel._bar.list_controls()) == count, kind


@pytest.mark.parametrize(
    "cover", [{"question": Question("Paused")}, {"menu": Menu("", (), 0)}, {"help": HelpView(0, 1)}], ids=str
)
def test_what_is_asked_or_read_is_not_contradicted_by_the_bar(stubbed: Stubbed, cover: dict[str, Any]) -> None:
    stubbed.panel.follow(ScreenState(ScreenKind.PLAY))
    assert stubbed.panel._sentence == "Touch the tray"
    stubbed.panel.follow(ScreenState(ScreenKind.PLAY, **cover))
    assert stubbed.panel._sentence == ""


SIZES = [(440, 600), (563, 768), (905, 768), (1272, 1080), (1696, 1440), (2544, 2160), (1080, 1272)]
"""Panels in windows of 800x600, 1024x768, 1366x768, 1920x1080, 2560x1440, 3840x2160 and 1080x1920."""


@pytest.fixture(scope="module")
def tables() -> list[tuple[TableKit[Any], Any, Any]]:
    """Each kit with a table and its renderer, which takes long to prepare."""
    return [(kit, *kit.create_table(random.Random(1))) for kit in (DICE_TRAY_KIT, MACROSCOPE_KIT, MEMO_DICE_KIT)]


def test_views_and_bar_lie_in_the_panel_without_overlap(tables: list[tuple[TableKit[Any], Any, Any]]) -> None:
    for (kit, table, _renderer), size in product(tables, SIZES):
        shown = kit.arrange(table, size)
        places = [pygame.Rect(place) for place in (*(view.place for view in shown.views), shown.bar)]
        assert all(pygame.Rect(0, 0, *size).contains(place) for place in places), (kit, size)
        assert all(place.collidelist(places[:k]) == -1 for k, place in enumerate(places)), (kit, size)
        assert all(view.zoom * view.area[3] == pytest.approx(view.place[3], abs=0.01) for view in shown.views)
        assert pygame.Rect(shown.bar).height >= 0.115 * size[1]


def test_dice_have_60_pixels_and_tokens_90_on_a_full_hd_screen(tables: list[tuple[TableKit[Any], Any, Any]]) -> None:
    """Edges of the upper faces: 16, 17 and 28 mm; a token has 40 mm."""

    def measure(kit_index: int, view: int, length_mm: float, height_mm: float) -> float:
        kit, table, renderer = tables[kit_index]
        _x, _y, width, _height = renderer.optics.find_square((0.0, 0.0), length_mm / 2, height_mm)
        return float(kit.arrange(table, (1272, 1080)).views[view].zoom * width)

    assert measure(0, 0, 16.0, 18.0) >= 60
    assert measure(1, 0, 17.0, 19.0) >= 60
    assert measure(2, 0, 28.0, 28.0) >= 60
    assert measure(1, -1, 40.0, 33.0) >= 90


def test_a_touchable_place_is_where_its_touch_acts(panel: SimulatorPanel, clock: ManualClock) -> None:
    """Tokens of the rolled numbers; the table has no others in view that may be touched."""
    rolled = Macroscope.create(2, Seat(0), Settings()).play(Move("roll", Seat(0), (2, 5)))
    panel.follow(show_game(MACROSCOPE, rolled, ("Ada", "Bo")))
    places = panel.list_touchable_places()
    board = panel.table.board
    assert [name for name, _rect in places] == ["token"] * 4
    middle = places[0][1].center
    for kind in (pygame.FINGERDOWN, pygame.FINGERUP):
        panel.handle_touch(make_finger(kind), middle, clock.now)
    for _ in range(20):
        clock.now += 0.1
        panel.table.step(clock.now)
    (taken,) = panel.table.board.removed_tokens
    assert taken.number in (2, 5)
    assert board.find_windows(taken.number) != panel.table.board.find_windows(taken.number)


def test_without_a_game_of_its_kind_a_table_is_as_at_the_start() -> None:
    assert all(lay_out_macroscope(new_memo_dice()).board.numbers)
    assert lay_out_memo_dice(Macroscope.create(2, Seat(0), Settings())).row == ()


def test_a_resumed_row_has_the_cups_that_nobody_has_won_and_the_open_dice_of_the_others() -> None:
    """Memo Dice D22: who names the symbol gets the cup."""
    cups = (Cup(MemoColour.RED), Cup(MemoColour.BLUE, owner=Seat(1)), Cup(MemoColour.GOLD))
    table = lay_out_memo_dice(replace(new_memo_dice(), cup_row=cups))
    assert [slot.cup for slot in table.row] == [MemoColour.RED, None, MemoColour.GOLD]


@pytest.mark.parametrize("tokens", [(2, 0, 1, 2, 2, 2), (0, 0, 0, 0, 0, 0), (2, 2, 2, 2, 2, 2)])
def test_a_resumed_board_lacks_each_token_that_was_taken_and_no_other(tokens: tuple[int, ...]) -> None:
    game = replace(Macroscope.create(2, Seat(0), Settings()), tokens=tokens)
    table = lay_out_macroscope(game)
    left = Counter(number for number in table.board.numbers if number is not None)
    assert tuple(left[number] for number in range(1, 7)) == tokens


def test_the_mouse_throws_as_many_dice_as_the_game_waits_for() -> None:
    """A game of another distribution may be played with one die; where none is thrown, the number stays."""
    rng = random.Random(1)
    panel = SimulatorPanel(MACROSCOPE_KIT, ManualClock(), rng)
    for count, thrown in ((None, 2), (1, 1), (3, 3), (None, 3)):
        moves = [] if count is None else [Move("throw", Seat(0), value_range=ValueRange(count, 1, 6))]
        panel.follow(
            ScreenState(
                ScreenKind.PLAY,
                players=(Player(Seat(0), "Ada", Button.SEAT1),),
                view=SimpleNamespace(list_moves=partial(list, moves)),
            )
        )
        assert len(panel.table.throw_dice(None, rng, 0.0)) == thrown
