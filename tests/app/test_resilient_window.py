"""The screen may be lost at any moment: the loop goes on, and the picture comes back by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pygame
import pytest

from companion.app.resilient_window import (
    CHECK_SECONDS,
    FIRST_REOPEN_SECONDS,
    NO_WINDOW_PAUSE_SECONDS,
    ResilientWindow,
    draw_fallback,
)
from companion.app.window import NoScreen
from companion.display.toolkit.preferences import DisplayPreferences
from companion.events import Button, ButtonPressed, Event
from companion.games.api.game import Seat
from companion.screen_state import Player, ScreenKind, ScreenState, SoftKey

SIZE = (800, 480)
PLAYED = ScreenState(
    ScreenKind.PLAY,
    prompt="Ada: roll the dice",
    players=(Player(Seat(0), "Ada", Button.SEAT1), Player(Seat(1), "Ben", Button.SEAT2)),
    scores=(3, 4),
    soft_keys=(SoftKey(Button.OK, "Continue"),),
)


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


class FakeWindow:
    """A window that fails on demand."""

    def __init__(self) -> None:
        self.closed = False
        self.shown: list[ScreenState] = []
        self.fails: Exception | None = None
        self.deaf: Exception | None = None

    def poll_events(self, *, soon: bool = False) -> Sequence[Event]:
        if self.deaf:
            raise self.deaf
        return [ButtonPressed(Button.OK, 1.0)]

    def show(self, shown: ScreenState) -> None:
        if self.fails:
            raise self.fails
        self.shown.append(shown)


class Room:
    """A screen on a wall, with a plug."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.there = True
        self.plugged: bool | None = True
        self.windows: list[FakeWindow] = []
        self.failing: Exception | None = None
        self.attempts = 0
        self.waited: list[float] = []

    def make(self, surface: pygame.Surface) -> FakeWindow:
        surface.fill((0, 0, 0))  # as a real one does
        self.windows.append(FakeWindow())
        self.windows[-1].fails = self.failing
        return self.windows[-1]

    def reopen(self) -> pygame.Surface:
        self.attempts += 1
        if not self.there:
            raise NoScreen("no screen here")
        return pygame.display.set_mode(SIZE)

    def lasting(self, surface: pygame.Surface | None) -> ResilientWindow:
        return ResilientWindow(surface, self.make, self.reopen, self.clock, self.waited.append, lambda: self.plugged)


@pytest.fixture
def surface() -> Iterator[pygame.Surface]:
    pygame.display.init()
    yield pygame.display.set_mode(SIZE)
    pygame.display.quit()


@pytest.fixture
def room() -> Room:
    return Room()


def test_without_a_screen_the_table_is_playable_and_the_screen_is_waited_for(
    room: Room, surface: pygame.Surface
) -> None:
    room.there = False
    window = room.lasting(None)
    for _ in range(100):
        assert window.poll_events() == []
        window.show(PLAYED)
        room.clock.now += 0.1
    assert 3 <= room.attempts <= 6
    assert set(room.waited) == {NO_WINDOW_PAUSE_SECONDS}
    room.there = True
    room.clock.now += 10.0
    assert window.poll_events() == [ButtonPressed(Button.OK, 1.0)]
    window.show(PLAYED)
    assert room.windows[-1].shown == [PLAYED]


@pytest.mark.parametrize("when", ["listening", "drawing"])
def test_a_screen_that_is_lost_is_opened_anew(
    room: Room, surface: pygame.Surface, when: str, caplog: pytest.LogCaptureFixture
) -> None:
    window = room.lasting(surface)
    window.poll_events()
    room.there = False
    if when == "listening":
        room.windows[0].deaf = pygame.error("video system not initialized")
        assert window.poll_events() == []
    else:
        room.windows[0].fails = pygame.error("Could not queue pageflip: -13")
        window.show(PLAYED)
    for _ in range(3):
        assert window.poll_events() == []
    assert room.attempts == 1
    room.there = True
    room.clock.now += FIRST_REOPEN_SECONDS
    assert window.poll_events() == [ButtonPressed(Button.OK, 1.0)]
    window.show(PLAYED)
    assert room.windows[1].shown == [PLAYED]
    assert caplog.records[0].message.startswith("The screen is lost")


def test_a_window_that_fails_at_a_key_is_made_anew_once(
    room: Room, surface: pygame.Surface, caplog: pytest.LogCaptureFixture
) -> None:
    window = room.lasting(surface)
    room.windows[0].deaf = KeyError("a finger without a number")
    assert window.poll_events() == []
    assert "rebuilt" in caplog.text
    assert window.poll_events() == [ButtonPressed(Button.OK, 1.0)]
    room.windows[1].deaf = KeyError("again, at once")
    with pytest.raises(KeyError):
        window.poll_events()  # a new start of the program is what is left
    room.clock.now += CHECK_SECONDS
    assert window.poll_events() == []
    assert window.poll_events() == [ButtonPressed(Button.OK, 1.0)]


def test_a_scene_that_raises_leaves_its_words_and_is_tried_again(
    room: Room, surface: pygame.Surface, caplog: pytest.LogCaptureFixture
) -> None:
    room.failing = KeyError("a token without a place")
    window = room.lasting(surface)
    window.show(PLAYED)
    plain = surface.copy()
    assert pygame.transform.average_color(plain)[:3] != (0, 0, 0)
    for _ in range(5):
        window.show(PLAYED)
    assert len(room.windows) == 1  # not at every turn of the loop
    assert sum("cannot be drawn" in r.message for r in caplog.records) == 1
    assert window.poll_events() == [ButtonPressed(Button.OK, 1.0)]
    for _ in range(3):
        room.clock.now += CHECK_SECONDS
        window.show(PLAYED)
        # The words are still there, and nothing has wiped them for a moment.
        assert pygame.image.tobytes(surface, "RGB") == pygame.image.tobytes(plain, "RGB")
    assert len(room.windows) == 4
    room.failing = None
    room.clock.now += CHECK_SECONDS
    window.show(PLAYED)
    assert room.windows[-1].shown == [PLAYED]
    assert pygame.transform.average_color(surface)[:3] == (0, 0, 0)


def test_a_scene_that_raises_pygames_error_is_no_lost_screen(room: Room, surface: pygame.Surface) -> None:
    room.failing = pygame.error("Text has zero width")
    window = room.lasting(surface)
    window.show(PLAYED)
    assert room.attempts == 0
    for _ in range(3):
        assert window.poll_events() == [ButtonPressed(Button.OK, 1.0)]
        window.show(PLAYED)
    assert room.attempts == 1


def test_the_words_say_whose_turn_it_is_and_what_the_keys_do(surface: pygame.Surface) -> None:
    draw_fallback(surface, PLAYED, DisplayPreferences())
    words = surface.copy()
    other = ScreenState(
        ScreenKind.PLAY, prompt="Ben: roll the dice", players=PLAYED.players, soft_keys=PLAYED.soft_keys
    )
    draw_fallback(surface, other, DisplayPreferences())
    assert pygame.image.tobytes(words, "RGB") != pygame.image.tobytes(surface, "RGB")


def test_the_last_words_where_nothing_else_can_be_drawn(
    surface: pygame.Surface, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("companion.display.scenes.text_lines.TextLinesScene.draw", broken)
    surface.fill((0, 0, 0))
    draw_fallback(surface, PLAYED, DisplayPreferences())
    assert any(pygame.image.tobytes(surface, "RGB"))


@pytest.mark.parametrize(("driver", "reopened"), [("KMSDRM", 1), ("x11", 0)])
def test_on_the_console_a_screen_that_was_off_is_opened_anew(
    room: Room, surface: pygame.Surface, driver: str, reopened: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pygame.display, "get_driver", lambda: driver)
    window = room.lasting(surface)
    for plugged in (False, False, True, True):
        room.plugged = plugged
        room.clock.now += CHECK_SECONDS
        window.poll_events()
    assert room.attempts == reopened


def test_closing_goes_through(room: Room, surface: pygame.Surface) -> None:
    window = room.lasting(surface)
    room.windows[0].closed = True
    window.poll_events()
    assert window.closed


def test_where_the_screen_hangs_another_way_the_words_are_turned_too(room: Room, surface: pygame.Surface) -> None:
    upright = pygame.Surface((480, 800), 0, 32)
    draw_fallback(upright, PLAYED, DisplayPreferences())
    room.failing = ValueError("a scene that fails")
    lasting = ResilientWindow(
        surface, room.make, room.reopen, room.clock, preferences=lambda: DisplayPreferences(rotation_deg=90)
    )
    lasting.show(PLAYED)
    whole = pygame.transform.rotate(upright, -90)
    assert pygame.image.tobytes(surface, "RGB") == pygame.image.tobytes(whole, "RGB")
