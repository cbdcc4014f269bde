"""The window: where the simulated table stands, how long it waits, and what keys, mouse and touch become.

A real window on a real screen: test_real_window.py; keys by their place: tests/hardware/buttons/test_keyboard.py.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pygame
import pytest

from companion import i18n
from companion.app import window as window_module
from companion.app.button_input import TOUCH_SOURCE
from companion.app.window import NoScreen, open_surface
from companion.config.settings import DisplaySettings
from companion.display.sound.player import SoundPlayer
from companion.display.toolkit.preferences import DisplayPreferences
from companion.display.toolkit.theme import BACKGROUND, PALETTES
from companion.events import Button, ButtonPressed, ButtonReleased, HelpPressed
from companion.screen_state import ScreenKind, ScreenState, SoftKey
from tests.app.desk import Desk, FakePanel, screen

__all__ = ["screen"]  # a fixture

LANDSCAPE = (1600, 900)
LOBBY = ScreenState(
    ScreenKind.LOBBY,
    game_name="macroscope",
    prompt="Press your button",
    soft_keys=(SoftKey(Button.SEAT1, "Join"), SoftKey(Button.OK, "Start")),
)
NO_CAMERA = replace(LOBBY, uses_camera=False)
TOUCH = DisplayPreferences(touch_seats=True)


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Milliseconds that the window waits, without waiting."""
    found: list[int] = []
    monkeypatch.setattr(pygame.time, "wait", found.append)
    return found


def drawn_size(surface: pygame.Surface, preferences: DisplayPreferences) -> tuple[int, int]:
    """Return how far right and down the surface differs from its background."""
    ink = (pygame.surfarray.array3d(surface) != PALETTES[preferences.palette][BACKGROUND]).any(axis=2)
    return int(np.flatnonzero(ink.any(axis=1))[-1]) + 1, int(np.flatnonzero(ink.any(axis=0))[-1]) + 1


@pytest.mark.parametrize(
    ("size", "panel_area"),
    [
        ((1920, 1080), (648, 0, 1272, 1080)),
        ((900, 1600), (0, 540, 900, 1060)),
        ((900, 900), (450, 0, 450, 900)),
    ],
    ids=["two thirds", "below it on a tall window", "half of a square one"],
)
def test_the_table_gets_the_rest_of_the_window(size: tuple[int, int], panel_area: tuple[int, int, int, int]) -> None:
    panel = FakePanel()
    Desk(size, panel)
    assert panel.places == [pygame.Rect(panel_area)]


@pytest.mark.parametrize(
    ("size", "panel", "display_size"),
    [(LANDSCAPE, FakePanel(), (540, 900)), ((900, 1600), FakePanel(), (900, 540)), ((900, 1600), None, (900, 1600))],
    ids=["as high as the window beside a table", "as wide as an upright window above a table", "all of it without one"],
)
def test_the_display_fills_its_part_of_the_window(
    size: tuple[int, int], panel: FakePanel | None, display_size: tuple[int, int]
) -> None:
    desk = Desk(size, panel)
    desk.window.show(LOBBY)
    for drawn, whole in zip(drawn_size(desk.surface, desk.preferences), display_size, strict=True):
        assert 0.95 * whole < drawn <= whole
    assert desk.find_button(Button.OK)[1] < display_size[1]


def test_the_table_of_the_game_is_shown_and_none_where_the_camera_is_not_used() -> None:
    usual, own = FakePanel(), FakePanel()
    desk = Desk(LANDSCAPE, usual, panels_by_game={"memo_dice": own})
    desk.window.show(LOBBY)
    assert (usual.drawn, own.drawn) == (1, 0)
    desk.window.show(replace(LOBBY, game_name="memo_dice"))
    assert (usual.drawn, own.drawn) == (1, 1)
    assert own.places == usual.places
    desk.window.show(NO_CAMERA)
    assert (usual.drawn, own.drawn) == (1, 1)
    assert drawn_size(desk.surface, desk.preferences)[0] > 1500, "the display takes the whole window"


def test_another_game_is_seen_before_its_table_is_drawn_and_never_a_black_window(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The first picture of a table takes seconds on a slow machine."""
    own, seen = FakePanel(), list[tuple[int, list[bool]]]()
    desk = Desk(LANDSCAPE, FakePanel(), panels_by_game={"memo_dice": own})
    desk.window.show(LOBBY)
    background = PALETTES[desk.preferences.palette][BACKGROUND]

    def note_flip() -> None:
        pixels = pygame.surfarray.array3d(desk.surface) != background
        seen.append((own.drawn, [bool(part.any()) for part in (pixels[:540], pixels[540:])]))

    monkeypatch.setattr(pygame.display, "flip", note_flip)
    desk.window.show(replace(LOBBY, game_name="memo_dice"))
    desk.window.show(replace(LOBBY, game_name="memo_dice", prompt="Another"))
    assert seen == [(0, [True, True])], "the display, and the title picture in the table's place"


def test_it_is_laid_out_anew_for_another_language_or_size_and_only_then() -> None:
    panel = FakePanel()
    desk = Desk(LANDSCAPE, panel)
    for _ in range(3):
        desk.window.show(LOBBY)
        desk.key(pygame.K_1)
        desk.send(pygame.USEREVENT)
    assert len(panel.places) == 1
    i18n.set_language("de")
    for _ in range(2):
        desk.window.show(LOBBY)
    assert len(panel.places) == 2
    pygame.display.set_mode((1000, 600))
    desk.send(pygame.VIDEORESIZE, size=(1000, 600), w=1000, h=600)
    assert panel.places[2:] == [pygame.Rect(360, 0, 640, 600)]


def test_it_waits_a_tenth_of_a_second_for_an_event_and_one_frame_if_something_moves(waits: list[int]) -> None:
    panel = FakePanel()
    desk = Desk(LANDSCAPE, panel)
    desk.window.show(LOBBY)

    def measure(*, soon: bool = False) -> int:
        waits.clear()
        assert desk.window.poll_events(soon=soon) == []
        return sum(waits)

    idle, busy = pytest.approx(96, abs=3), pytest.approx(16, abs=2)
    assert desk.window.poll_events() == []
    assert measure() == idle
    assert max(waits) <= 8, "a key is not noticed later than this"
    assert measure(soon=True) == busy
    panel.is_moving = True
    assert measure() == busy
    panel.is_moving = False
    assert measure() == idle


@pytest.mark.parametrize("held", ["key", "mouse", "touch"])
def test_while_a_button_is_held_it_waits_one_frame_only(waits: list[int], held: str) -> None:
    """The progress of a hold is drawn."""
    desk = Desk(LANDSCAPE)
    desk.preferences = replace(TOUCH, animations=False)
    desk.window.show(NO_CAMERA)
    x, y = desk.find_button(Button.SEAT1)
    finger = {"touch_id": 1, "finger_id": 4, "x": x / LANDSCAPE[0], "y": y / LANDSCAPE[1], "dx": 0.0, "dy": 0.0}
    for down, expected in ((True, 16), (False, 96)):
        if held == "key":
            events = desk.key(pygame.K_1, down=down)
        elif held == "mouse":
            events = desk.mouse(pygame.MOUSEBUTTONDOWN if down else pygame.MOUSEBUTTONUP, (x, y))
        else:
            events = desk.send(pygame.FINGERDOWN if down else pygame.FINGERUP, **finger)
        assert [type(event) for event in events] == [ButtonPressed if down else ButtonReleased]
        waits.clear()
        desk.window.poll_events()
        assert sum(waits) == pytest.approx(expected, abs=3)


def test_while_icons_fly_it_waits_one_frame_only(waits: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(LANDSCAPE)
    desk.window.show(NO_CAMERA)
    monkeypatch.setattr(type(desk.window._screen), "is_animating", True)
    desk.window.poll_events()
    assert sum(waits) == pytest.approx(16, abs=2)


@pytest.mark.parametrize(
    ("key", "mod", "closes"),
    [
        (pygame.K_ESCAPE, 0, True),
        (pygame.K_q, pygame.KMOD_CTRL, True),
        (pygame.K_q, 0, False),
        (pygame.K_w, pygame.KMOD_CTRL, False),
        (pygame.K_1, 0, False),
    ],
)
def test_escape_and_control_q_close_the_window(key: int, mod: int, closes: bool) -> None:
    desk = Desk(LANDSCAPE)
    assert not desk.window.closed
    desk.key(key, mod=mod)
    assert desk.window.closed is closes
    desk.send(pygame.QUIT)
    assert desk.window.closed, "as by its own button"


@pytest.mark.parametrize("driver", ["x11", "KMSDRM"])
def test_f11_fills_the_screen_and_returns_except_on_the_console(driver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk((800, 480))
    real, opened = pygame.display.set_mode, list[tuple[tuple[int, int], int]]()

    def set_mode(size: tuple[int, int], flags: int = 0) -> pygame.Surface:
        opened.append((size, flags))
        return real(size if size != (0, 0) else (1024, 768), flags)

    monkeypatch.setattr(pygame.display, "set_mode", set_mode)
    monkeypatch.setattr(pygame.display, "get_driver", lambda: driver)
    assert [desk.key(pygame.K_F11) for _ in range(2)] == [[], []]
    both = [((0, 0), pygame.FULLSCREEN), ((800, 480), pygame.RESIZABLE)]
    assert opened == (both if driver == "x11" else [])


def test_keys_are_buttons_and_other_keys_move_the_table() -> None:
    panel = FakePanel()
    desk = Desk(LANDSCAPE, panel)
    assert desk.key(pygame.K_2) == [ButtonPressed(Button.SEAT2, 10.0)]
    assert desk.key(pygame.K_2, down=False) == [ButtonReleased(Button.SEAT2, 10.0)]
    assert desk.key(pygame.K_2, down=False) == [], "it is not held any more"
    panel.calls.clear()
    assert desk.key(pygame.K_h) == []
    assert desk.key(pygame.K_h, down=False) == []
    assert panel.calls == [(pygame.K_h, 10.0, True), (pygame.K_h, 10.0, False)]


def test_only_presses_click(monkeypatch: pytest.MonkeyPatch) -> None:
    clicks: list[object] = []
    monkeypatch.setattr(SoundPlayer, "play_key_click", lambda player: clicks.append(player))
    desk = Desk(LANDSCAPE)
    desk.key(pygame.K_2)
    assert len(clicks) == 1
    desk.key(pygame.K_2, down=False)
    assert len(clicks) == 1


def test_the_left_mouse_button_presses_what_it_hits_and_releases_it_anywhere() -> None:
    panel = FakePanel()
    desk = Desk(LANDSCAPE, panel)
    desk.window.show(LOBBY)
    at = desk.find_button(Button.OK)
    assert desk.mouse(pygame.MOUSEBUTTONDOWN, at, button=3) == []
    panel.calls.clear()
    assert desk.mouse(pygame.MOUSEBUTTONDOWN, at) == [ButtonPressed(Button.OK, 10.0)]
    assert desk.mouse(pygame.MOUSEBUTTONUP, (1200, 400)) == [ButtonReleased(Button.OK, 10.0)]
    assert panel.calls == [], "the display's clicks are none of the table's"
    assert desk.mouse(pygame.MOUSEBUTTONUP, (1200, 400)) == []
    assert panel.calls == [(pygame.MOUSEBUTTONUP, (1200, 400), 10.0)]


def test_the_mouse_moves_the_table_where_it_does_not_hit_the_display(monkeypatch: pytest.MonkeyPatch) -> None:
    panel = FakePanel()
    desk = Desk(LANDSCAPE, panel)
    desk.window.show(LOBBY)
    monkeypatch.setattr(pygame.mouse, "get_pos", lambda: (1111, 222))
    assert desk.mouse(pygame.MOUSEBUTTONDOWN, (1200, 400)) == []
    assert desk.mouse(pygame.MOUSEMOTION, (1201, 401)) == []
    assert desk.send(pygame.MOUSEWHEEL, x=0, y=1) == []
    assert panel.calls == [
        (pygame.MOUSEBUTTONDOWN, (1200, 400), 10.0),
        (pygame.MOUSEMOTION, (1201, 401), 10.0),
        (pygame.MOUSEWHEEL, (1111, 222), 10.0),
    ]
    assert desk.mouse(pygame.MOUSEBUTTONDOWN, (1200, 100)) == [], "no key of the display"


def test_keys_and_mouse_are_ignored_where_there_is_no_table() -> None:
    desk = Desk(LANDSCAPE)
    assert desk.key(pygame.K_h) == desk.key(pygame.K_h, down=False) == []
    assert desk.mouse(pygame.MOUSEMOTION, (700, 400)) == []
    assert desk.mouse(pygame.MOUSEBUTTONUP, (700, 400)) == []


@pytest.mark.parametrize("edge", ["right", "bottom"])
def test_a_finger_at_the_very_edge_of_the_screen_is_on_the_screen(edge: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """SDL reports 0 to 1, with both ends."""
    desk = Desk(LANDSCAPE)
    desk.window.show(NO_CAMERA)
    monkeypatch.setattr(type(desk.window._screen), "button_at", lambda *_: Button.SEAT3)
    x, y = (1.0, 0.5) if edge == "right" else (0.5, 1.0)
    events = desk.send(pygame.FINGERDOWN, touch_id=1, finger_id=1, x=x, y=y, dx=0.0, dy=0.0)
    assert events == [ButtonPressed(Button.SEAT3, 10.0, TOUCH_SOURCE)]


def test_a_finger_on_the_table_moves_it_once() -> None:
    """SDL may report the same finger as a mouse too. A finger that comes on the display is none of the table's."""
    panel = FakePanel()
    desk = Desk(LANDSCAPE, panel)
    desk.window.show(LOBBY)
    finger = {"touch_id": 1, "finger_id": 1, "x": 0.8, "y": 0.5, "dx": 0.0, "dy": 0.0}
    for kind in (pygame.FINGERDOWN, pygame.FINGERMOTION, pygame.FINGERUP):
        assert desk.send(kind, **finger) == []
    for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        assert desk.send(kind, pos=(1280, 450), button=1, touch=True) == []
    kinds = (pygame.FINGERDOWN, pygame.FINGERMOTION, pygame.FINGERUP)
    assert panel.calls == [(kind, (1280, 450), 10.0) for kind in kinds]
    desk.send(pygame.FINGERDOWN, **{**finger, "x": 0.1})
    assert len(panel.calls) == 3


def test_each_picture_is_heard_at_the_volume_of_the_preferences(monkeypatch: pytest.MonkeyPatch) -> None:
    configured: list[tuple[int, str]] = []
    heard: list[ScreenState] = []
    monkeypatch.setattr(SoundPlayer, "play_change", lambda _self, state: heard.append(state))
    monkeypatch.setattr(SoundPlayer, "configure", lambda _self, *values: configured.append(values))
    Desk(LANDSCAPE, volume=lambda: (3, "everything")).window.show(NO_CAMERA)
    assert configured[-1] == (3, "everything")
    Desk(LANDSCAPE).window.show(NO_CAMERA)
    assert configured[-1] == (7, "off"), "if none are given: 7 of 10, and nothing is spoken"
    assert heard == [NO_CAMERA] * 2


class Sdl:
    """SDL with a screen; records how the window is opened."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.opened: list[tuple[tuple[int, int], int]] = []
        self.driver, self.console, self.problem, self.keyboard_problem = "x11", False, "no cable", ""
        patch.setattr(pygame.display, "get_driver", lambda: self.driver)
        patch.setattr(pygame.display, "get_desktop_sizes", lambda: [(1920, 1080), (640, 480)])
        patch.setattr(pygame.display, "set_mode", lambda size, flags: self.opened.append((size, flags)))
        patch.setattr(window_module, "is_on_console", lambda: self.console)
        patch.setattr(window_module, "find_screen_problem", lambda: self.problem)
        patch.setattr(window_module, "find_keyboard_problem", lambda: self.keyboard_problem)


@pytest.fixture
def sdl(monkeypatch: pytest.MonkeyPatch) -> Sdl:
    return Sdl(monkeypatch)


@pytest.mark.parametrize(
    ("size", "with_table", "opened"),
    [
        ((1000, 600), False, (1000, 600)),
        ((800, 480), True, (1200, 720)),
        ((1280, 720), True, (1728, 972)),
        ((3000, 2000), False, (1920, 1080)),
    ],
    ids=["as in the settings", "with room for the table", "with room for a title bar", "not larger than it"],
)
def test_a_window_is_opened_in_the_size_of_the_settings(
    sdl: Sdl, size: tuple[int, int], with_table: bool, opened: tuple[int, int]
) -> None:
    open_surface(DisplaySettings(size=size, fullscreen=False), with_table=with_table)
    assert sdl.opened == [(opened, pygame.RESIZABLE)]


def test_a_full_screen_takes_the_size_of_the_screen(sdl: Sdl) -> None:
    open_surface(DisplaySettings(fullscreen=True), with_table=True)
    assert sdl.opened == [((0, 0), pygame.FULLSCREEN)]


@pytest.mark.parametrize(("driver", "console"), [("offscreen", False), ("dummy", True)])
def test_a_driver_without_a_picture_counts_as_no_screen(sdl: Sdl, driver: str, console: bool) -> None:
    sdl.driver, sdl.console = driver, console
    with pytest.raises(NoScreen, match="no cable" if console else f"no visible output, driver {driver}"):
        open_surface(DisplaySettings())
    assert not sdl.opened
    assert not pygame.display.get_init()


@pytest.mark.parametrize(
    ("console", "problem", "is_logged"), [(True, "no rights", True), (True, "", False), (False, "no rights", False)]
)
def test_a_keyboard_that_cannot_be_used_on_the_console_is_logged(
    sdl: Sdl, console: bool, problem: str, is_logged: bool, caplog: pytest.LogCaptureFixture
) -> None:
    sdl.console, sdl.keyboard_problem = console, problem
    open_surface(DisplaySettings())
    assert ("Keyboard, mouse and touch screen do not work" in caplog.text) is is_logged


def test_f1_and_the_question_mark_open_the_help() -> None:
    desk = Desk((800, 480))
    german_sharp_s = {"key": pygame.K_MINUS, "unicode": "?"}  # where an American keyboard has minus
    assert desk.key(pygame.K_F1) == [HelpPressed(10.0)]
    assert desk.key(**german_sharp_s) == [HelpPressed(10.0)]
    desk.window.show(replace(LOBBY, asks_for_text=True))
    assert HelpPressed(10.0) not in desk.key(**german_sharp_s)
    assert desk.key(pygame.K_F1) == [HelpPressed(10.0)]


def test_a_touch_on_the_sign_of_the_help_opens_it() -> None:
    desk = Desk(LANDSCAPE)
    width, height = LANDSCAPE
    desk.window.show(replace(NO_CAMERA, soft_keys=(SoftKey(Button.MINUS, "Pause", opens_help=True),)))
    screen = desk.window._screen
    spots = [(x, y) for y in range(0, height, 4) for x in range(0, width, 4) if screen.is_help_at((x, y))]
    assert {screen.button_at(at) for at in spots} & {Button.MINUS}, "the sign stands on the key"
    x, y = spots[len(spots) // 2]
    assert desk.mouse(pygame.MOUSEBUTTONDOWN, (x, y)) == [HelpPressed(10.0)]
    finger = {"touch_id": 1, "finger_id": 1, "x": x / width, "y": y / height, "dx": 0.0, "dy": 0.0}
    assert desk.send(pygame.FINGERDOWN, **finger) == [HelpPressed(10.0)]
    assert desk.send(pygame.FINGERUP, **finger) == []
    at = desk.find_button(Button.MINUS)
    assert desk.mouse(pygame.MOUSEBUTTONDOWN, at) == [ButtonPressed(Button.MINUS, 10.0)]
