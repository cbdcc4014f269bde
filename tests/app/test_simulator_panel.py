"""The panel with the simulated table: frame rate, repainted areas, help text, and a resumed game's tokens."""

import random
from collections import Counter
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pygame
import pytest

from companion.api import Move, Seat, ValueRange
from companion.app.simulator_panel import PADDING_PX, SETTLE_SECONDS, SimulatorPanel, blit_close_up
from companion.display.toolkit.text import LINE_PITCH_EM, FontCache, Typeface
from companion.display.toolkit.theme import BACKGROUND, DARK_PALETTE
from companion.events import MemoColour
from companion.gallery.fixtures import show_game
from companion.games.macroscope import Macroscope, Settings
from companion.games.macroscope.simulator.kit import KIT as MACROSCOPE_KIT
from companion.games.macroscope.simulator.table import MacroscopeTable
from companion.games.memo_dice import GAME as MEMO_DICE
from companion.games.memo_dice.samples import make_game as make_memo_dice
from companion.games.memo_dice.simulator.kit import KIT as MEMO_DICE_KIT
from companion.games.memo_dice.simulator.objects import DieFace, MemoDiceAppearance
from companion.games.memo_dice.simulator.table import MemoDiceTable
from companion.games.memo_dice.state import Cup
from companion.screen_state import ScreenKind, ScreenState
from companion.simulation.kit import TableKit
from companion.simulation.optics import FRAME_SIZE_PX
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
    clock.now += 0.1
    assert panel.draw(surface) == [panel.picture_area]


def test_the_help_is_drawn_inside_its_padding(panel: SimulatorPanel, surface: pygame.Surface) -> None:
    surface.fill((255, 0, 255))
    panel.draw(surface)
    assert surface.get_at((PANEL.left - 1, 300))[:3] == (255, 0, 255), "nothing beside the panel is painted"
    below = surface.subsurface(
        (PANEL.left, panel.picture_area.bottom, PANEL.width, PANEL.bottom - panel.picture_area.bottom)
    )
    ink = (pygame.surfarray.array3d(below) != DARK_PALETTE[BACKGROUND]).any(axis=2)
    columns, rows = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    assert columns[0] >= PADDING_PX
    assert columns[-1] < PANEL.width - PADDING_PX
    assert rows[0] >= PADDING_PX
    assert rows[-1] < below.get_height() - PADDING_PX
    # The key line is the first one, in full ink; the others are muted.
    brightest = pygame.surfarray.array3d(below).max(axis=(0, 2))
    assert brightest[rows[0] : rows[0] + 25].max() > brightest[rows[-1] - 25 : rows[-1]].max()


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


class StubHand:
    """Records what the mouse and the keys do."""

    def __init__(self, *_: object) -> None:
        self.done: list[tuple[object, ...]] = []

    @staticmethod
    def help_lines() -> tuple[str, ...]:
        return ("Click a token: take it off", "Click the tray: throw the dice")

    def __getattr__(self, name: str) -> Any:
        return lambda *values: self.done.append((name, *values))


class Stubbed:
    """A panel whose table, renderer and hand are stubs."""

    def __init__(self, clock: ManualClock) -> None:
        self.hand, self.table, self.clock = StubHand(), StubTable(), clock
        kit = SimpleNamespace(create_table=lambda _rng: (self.table, StubRenderer()), create_mouse=lambda *_: self.hand)
        self.panel = SimulatorPanel(cast("TableKit[Any]", kit), clock, random.Random(1))

    def is_frame_ready(self, surface: pygame.Surface) -> bool:
        self.panel.draw(surface)
        return self.panel.relay.read() is not None


@pytest.fixture
def stubbed(clock: ManualClock) -> Stubbed:
    return Stubbed(clock)


@pytest.mark.parametrize(
    ("area", "picture"),
    [
        ((100, 50, 640, 720), (100, 50, 640, 360)),
        ((100, 50, 640, 90), (100, 50, 160, 90)),
    ],
    ids=["as wide as the panel", "as high as the panel"],
)
def test_the_picture_is_as_large_as_the_panel_allows(
    stubbed: Stubbed, area: tuple[int, int, int, int], picture: tuple[int, int, int, int]
) -> None:
    assert stubbed.panel.picture_area == pygame.Rect(0, 0, 1280, 720), "the frame's own size before it is placed"
    stubbed.panel.place(pygame.Rect(area))
    assert stubbed.panel.picture_area == pygame.Rect(picture)


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
    stubbed.panel.place(pygame.Rect(100, 50, 640, 720))
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


class HelpText:
    """The help below a picture of 640 x 360, in a panel of this size."""

    def __init__(self, stubbed: Stubbed, width: int, height: int) -> None:
        surface = pygame.Surface((width, height))
        stubbed.panel.place(pygame.Rect(0, 0, width, height))
        stubbed.panel.draw(surface)
        top = stubbed.panel.picture_area.bottom
        ink = (pygame.surfarray.array3d(surface)[:, top:] != DARK_PALETTE[BACKGROUND]).any(axis=2)
        rows = ink.any(axis=0)
        self.tops = np.flatnonzero(rows[1:] & ~rows[:-1]) + 1
        self.size_px = (self.tops[-1] - self.tops[0]) / LINE_PITCH_EM[Typeface.TEXT] / (len(self.tops) - 1)
        """Size of the text, measured from line to line."""


def measure_help_width(size_px: int) -> int:
    """Return the width of the longest line of the help."""
    keys = "Keys: 1 to 6 seats   Enter OK   Backspace NO, held: undo   + and -   F11 full screen   Esc ends"
    return FontCache().measure_width(keys, Typeface.TEXT, size_px)


@pytest.mark.parametrize(
    ("room_width", "size_px"), [(20 * 26, 20), (60 * 26, 60), (100, 12)], ids=["small", "large", "never smaller"]
)
def test_the_help_grows_with_the_panel(stubbed: Stubbed, room_width: int, size_px: int) -> None:
    """With 14 pixels of padding on both sides; each key has a line of its own: six, and two for the mouse."""
    text = HelpText(stubbed, room_width + 2 * 14, 4000)
    assert text.size_px == pytest.approx(size_px, abs=0.7)
    assert len(text.tops) == (8 if size_px > 12 else 3)


def test_the_help_fits_in_a_low_panel_too(stubbed: Stubbed) -> None:
    """Three lines in 51 pixels, so one line has 17."""
    width = measure_help_width(30)
    height = round(width * 9 / 16) + 51 + 2 * 14
    assert HelpText(stubbed, width, height).size_px == pytest.approx(14, abs=0.45), "14 x 1.14 x 3 = 47.9"


def test_without_a_game_of_its_kind_a_table_is_as_at_the_start() -> None:
    assert all(lay_out_macroscope(new_memo_dice()).board.numbers)
    assert lay_out_memo_dice(Macroscope.create(2, Seat(0), Settings())).row == ()


def test_a_resumed_row_has_the_cups_that_nobody_has_won() -> None:
    """Memo Dice D22: who names the symbol gets the cup."""
    cups = (Cup(MemoColour.RED), Cup(MemoColour.BLUE, owner=Seat(1)), Cup(MemoColour.GOLD))
    table = lay_out_memo_dice(replace(new_memo_dice(), cup_row=cups))
    assert [slot.cup for slot in table.row] == [MemoColour.RED, MemoColour.GOLD]


@pytest.mark.parametrize("tokens", [(2, 0, 1, 2, 2, 2), (0, 0, 0, 0, 0, 0), (2, 2, 2, 2, 2, 2)])
def test_a_resumed_board_lacks_each_token_that_was_taken_and_no_other(tokens: tuple[int, ...]) -> None:
    game = replace(Macroscope.create(2, Seat(0), Settings()), tokens=tokens)
    table = lay_out_macroscope(game)
    left = Counter(number for number in table.board.numbers if number is not None)
    assert tuple(left[number] for number in range(1, 7)) == tokens


def roll_and_cover(table: MemoDiceTable, dice: int) -> float:
    """Cover some dice and roll one more; return the time when all hands have left."""
    now, rng = 0.0, random.Random(5)
    for _ in range(dice):
        table.roll(rng, now)
        table.cover(table.fitting_cup or MemoColour.GOLD, now)
    table.roll(rng, now)
    while table.is_moving or not now:
        now += 0.1
        table.step(now)
    return now


def test_the_die_that_lies_open_is_shown_close_up() -> None:
    table = MemoDiceTable(random.Random(3), MemoDiceAppearance())
    covering = show_game(MEMO_DICE, make_memo_dice(2), ("Ada", "Bo"))
    assert MEMO_DICE_KIT.find_close_up(table, covering) is None
    now = roll_and_cover(table, 3)
    assert MEMO_DICE_KIT.find_close_up(table, covering) == table.row[3].placed_die.top
    table.cover(table.fitting_cup or MemoColour.GOLD, now)
    for _ in range(20):
        now += 0.1
        table.step(now)
    assert MEMO_DICE_KIT.find_close_up(table, covering) is None, "a cup is over it"


def test_the_die_whose_cup_was_lifted_is_shown_close_up_until_the_answer() -> None:
    table = MemoDiceTable(random.Random(3), MemoDiceAppearance())
    table.lay_cups((MemoColour.RED, MemoColour.RED, MemoColour.RED, MemoColour.GOLD), random.Random(4))
    asked = make_memo_dice(2, "RRRR", "+")
    lifted = asked.play(Move("lift", asked.active_seat))
    table.lift(0, 0.0)
    table.lift(1, 0.0)
    for step in range(30):
        table.step(step / 10)
    states = [show_game(MEMO_DICE, game, ("Ada", "Bo")) for game in (asked, lifted)]
    assert [MEMO_DICE_KIT.find_close_up(table, state) for state in states] == [None, table.row[1].placed_die.top]


def test_a_symbol_close_up_is_large_enough_to_remember() -> None:
    """Red, and at least a fifth as high as the table's picture, below the row of cups."""
    surface = pygame.Surface((640, 360))
    picture = MEMO_DICE_KIT.draw_close_up(DieFace(0, 0, MemoColour.RED), surface.get_height())
    blit_close_up(surface, picture, surface.get_rect())
    pixels = np.asarray(pygame.surfarray.array3d(surface), int).transpose(1, 0, 2)
    red = (pixels[..., 0] > 150) & (pixels[..., 1:].max(axis=2) < 90)
    rows, columns = np.nonzero(red)
    assert np.ptp(rows) >= 360 / 5
    assert rows.min() > 360 * 0.6
    assert columns.max() < 640 / 2


def test_the_mouse_throws_as_many_dice_as_the_game_waits_for() -> None:
    """A game of another distribution may be played with one die; where none is thrown, the number stays."""
    rng = random.Random(1)
    panel = SimulatorPanel(MACROSCOPE_KIT, ManualClock(), rng)
    for count, thrown in ((None, 2), (1, 1), (3, 3), (None, 3)):
        moves = [] if count is None else [Move("throw", Seat(0), value_range=ValueRange(count, 1, 6))]
        panel.follow(ScreenState(ScreenKind.PLAY, view=SimpleNamespace(list_moves=partial(list, moves))))
        assert len(panel.table.throw_dice(None, rng, 0.0)) == thrown
