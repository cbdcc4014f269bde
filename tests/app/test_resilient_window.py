"""The screen may be lost at any moment: the loop goes on, and the picture comes back by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace

import pygame
import pytest

from companion.api import Seat
from companion.app.resilient_window import (
    CHECK_SECONDS,
    FIRST_REOPEN_SECONDS,
    ResilientWindow,
    draw_fallback,
)
from companion.app.window import NoScreen
from companion.display.toolkit.preferences import DisplayPreferences
from companion.events import Button, ButtonPressed, Event
from companion.screen_state import Player, ScreenKind, ScreenState, SoftKey
from companion.testing.table import ManualClock

SIZE = (800, 480)
PLAYED = ScreenState(
    ScreenKind.PLAY,
    game_name="macroscope",
    prompt="Ada: roll the dice",
    players=(Player(Seat(0), "Ada", Button.SEAT1), Player(Seat(1), "Ben", Button.SEAT2)),
    scores=(3, 4),
    soft_keys=(SoftKey(Button.OK, "Continue"),),
)


class FakeWindow:
    """A window that fails on demand."""

    def __init__(self) -> None:
        self.closed = self.hides_keys = False
        self.shown: list[ScreenState] = []
        self.fails: Exception | None = None
        self.deaf: Exception | None = None
        self.soon: list[bool] = []

    def poll_events(self, *, soon: bool = False) -> Sequence[Event]:
        self.soon.append(soon)
        if self.deaf:
            raise self.deaf
        return [ButtonPressed(Button.OK, 1.0)]

    def skip_ending(self, pressed: Set[Button]) -> Set[Button]:
        return frozenset()

    def show(self, shown: ScreenState) -> None:
        if self.fails:
            raise self.fails
        self.shown.append(shown)


class Room:
    """A screen on a wall, with a plug."""

    def __init__(self) -> None:
        self.clock = ManualClock(100.0)
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
    caplog.set_level("INFO")
    for _ in range(3):
        room.clock.now += CHECK_SECONDS
        window.show(PLAYED)
    assert len(room.windows) == 6, "one on a copy, and one that stays"
    assert room.windows[-1].shown == [PLAYED] * 3
    assert caplog.records[-1].message == "The scene of the game is drawn again."
    assert pygame.transform.average_color(surface)[:3] == (0, 0, 0)


def test_lamps_wait_for_the_keys_of_a_picture_and_for_nothing_else(room: Room, surface: pygame.Surface) -> None:
    window = room.lasting(surface)
    assert not window.hides_keys
    room.windows[0].hides_keys = True
    assert window.hides_keys
    room.windows[0].fails = KeyError("a token without a place")
    window.show(PLAYED)
    assert not window.hides_keys, "the texts in its place name the keys"
    room.windows[-1].fails = pygame.error("Could not queue pageflip: -13")
    room.there = False
    room.windows[-1].deaf = pygame.error("video system not initialized")
    window.poll_events()
    assert not window.hides_keys, "without a screen the lamps are all there is"


def test_a_screen_that_is_off_or_lost_is_not_seen(room: Room, surface: pygame.Surface) -> None:
    window = room.lasting(surface)
    seen = []
    for room.plugged in (True, False, None):  # None: nobody knows
        room.clock.now += CHECK_SECONDS
        window.poll_events()
        seen.append(window.is_seen)
    assert seen == [True, False, True]
    room.there = False
    room.windows[-1].deaf = pygame.error("video system not initialized")
    window.poll_events()
    assert not window.is_seen


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


def list_attempts(room: Room, window: ResilientWindow, seconds: float) -> list[float]:
    """Return when it tries to open a screen, in seconds from now, with ten turns of the loop a second."""
    begun, before, attempts = room.clock.now, room.attempts, []
    for step in range(round(seconds * 10)):
        room.clock.now = begun + step / 10
        window.poll_events()
        if room.attempts != before:
            before = room.attempts
            attempts.append(step / 10)
    return attempts


def test_a_missing_screen_is_searched_for_after_1_2_4_and_then_every_8_seconds(
    room: Room, surface: pygame.Surface, caplog: pytest.LogCaptureFixture
) -> None:
    room.there = False
    window = room.lasting(None)
    assert list_attempts(room, window, 0.1) == [0.0]
    said = "There is no screen here. Waiting for one; the game continues with buttons. See `companion doctor`."
    assert [record.message for record in caplog.records] == [said]
    assert list_attempts(room, window, 40.0) == [1.0, 3.0, 7.0, 15.0, 23.0, 31.0, 39.0]
    assert [record.message for record in caplog.records] == [said]
    assert 0.01 <= room.waited[0] <= 0.03, "a press is answered at once, and the CPU may rest"


def test_presses_held_back_elsewhere_shorten_the_wait(room: Room, surface: pygame.Surface) -> None:
    window = room.lasting(surface)
    assert not window.closed
    window.poll_events(soon=True)
    window.poll_events()
    assert room.windows[0].soon == [True, False]


@pytest.mark.parametrize(("seconds", "ends"), [(1.9, True), (2.0, False)])
def test_events_that_cannot_be_read_twice_within_two_seconds_end_the_program(
    room: Room, surface: pygame.Surface, seconds: float, ends: bool, caplog: pytest.LogCaptureFixture
) -> None:
    room.clock.now = 0.0  # the device was switched on a moment ago
    window = room.lasting(surface)
    room.windows[0].deaf = KeyError("a finger without a number")
    assert window.poll_events() == [], "the first failure is never taken for the second"
    assert "rebuilt" in caplog.text
    room.windows[1].deaf = KeyError("a finger without a number")
    room.clock.now = seconds
    if ends:
        with pytest.raises(KeyError):
            window.poll_events()
    else:
        assert window.poll_events() == []
        assert len(room.windows) == 3


@pytest.mark.parametrize(("seconds", "is_lost"), [(1.9, False), (2.0, True)])
def test_pygames_error_soon_after_opening_is_the_scenes_and_later_the_screens(
    room: Room, surface: pygame.Surface, seconds: float, is_lost: bool
) -> None:
    window = room.lasting(None)
    window.poll_events()
    room.clock.now += seconds
    room.windows[0].fails = pygame.error("page flip failed")
    window.show(PLAYED)
    assert pygame.display.get_init() is not is_lost


def test_the_texts_follow_the_game_while_its_scene_fails(room: Room, surface: pygame.Surface) -> None:
    room.failing = KeyError("a token without a place")
    window = room.lasting(surface)
    window.show(PLAYED)
    before = pygame.image.tobytes(surface, "RGB")
    window.show(replace(PLAYED, prompt="Ben: take a token"))
    assert pygame.image.tobytes(surface, "RGB") != before


def test_a_scene_that_fails_on_a_screen_that_came_back_shows_its_texts_again(
    room: Room, surface: pygame.Surface
) -> None:
    room.failing = KeyError("a token without a place")
    window = room.lasting(surface)
    window.show(PLAYED)
    words = pygame.image.tobytes(surface, "RGB")
    room.windows[0].deaf = pygame.error("video system not initialized")
    window.poll_events()
    pygame.display.init()
    window.poll_events()
    assert pygame.image.tobytes(pygame.display.get_surface(), "RGB") != words
    window.show(PLAYED)
    assert pygame.image.tobytes(pygame.display.get_surface(), "RGB") == words


def test_a_window_whose_size_changes_while_a_scene_fails_shows_its_texts_again(
    room: Room, surface: pygame.Surface
) -> None:
    room.failing = KeyError("a token without a place")
    window = room.lasting(surface)
    window.show(PLAYED)
    resized = pygame.display.set_mode((640, 400))
    resized.fill("magenta")
    window.show(PLAYED)
    assert not (pygame.surfarray.array3d(resized) == (255, 0, 255)).all(axis=2).any()


def test_without_a_screen_nothing_is_drawn(room: Room, surface: pygame.Surface) -> None:
    room.there = False
    window = room.lasting(None)
    window.show(PLAYED)
    window.poll_events()
    window.show(PLAYED)
    assert not room.windows


@pytest.mark.parametrize(
    ("driver", "states", "message"),
    [
        ("KMSDRM", (True, False), "The screen is off or unplugged. The game continues with buttons."),
        ("KMSDRM", (True, True), None),
        ("KMSDRM", (False, False), None),
        ("KMSDRM", (True, None), None),
        ("KMSDRM", (None, False), None),
        ("KMSDRM", (None, True), None),
        ("KMSDRM", (False, True), "The screen is lost (it was off); trying to open it again."),
        ("x11", (False, True), None),
    ],
)
def test_what_the_cable_says_on_the_console(
    room: Room,
    surface: pygame.Surface,
    driver: str,
    states: tuple[bool | None, bool | None],
    message: str | None,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(pygame.display, "get_driver", lambda: driver)
    room.plugged = states[0]
    window = room.lasting(surface)
    window.poll_events()
    room.plugged = states[1]
    room.clock.now += 2.0
    window.poll_events()
    assert [record.message for record in caplog.records if record.levelname == "WARNING"] == [message] * bool(message)
    window.poll_events()
    assert room.attempts == ("lost" in (message or ""))


def test_a_cable_that_is_plugged_in_before_any_screen_was_opened_loses_none(
    room: Room, surface: pygame.Surface, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(pygame.display, "get_driver", lambda: "KMSDRM")
    room.plugged, room.there = False, False
    window = room.lasting(None)
    window.poll_events()
    room.plugged = True
    room.clock.now += 2.0
    window.poll_events()
    assert "lost" not in caplog.text
