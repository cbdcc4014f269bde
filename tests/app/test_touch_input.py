"""The window with touch: several fingers at once; a rotated picture; preferences changed while it is open."""

from __future__ import annotations

import pygame
import pytest

from companion.app.button_input import TOUCH_SOURCE, ButtonInput
from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.preferences import DisplayPreferences
from companion.display.toolkit.rotation import rotate_rect, unrotated_size
from companion.display.toolkit.theme import BACKGROUND, LIGHT_PALETTE
from companion.display.widgets.touch_seats import locate_seat_areas
from companion.events import SEAT_BUTTONS, Button, ButtonPressed, ButtonReleased, Event, PressTie
from companion.gallery import load_sample_builders
from companion.screen_state import ScreenState
from companion.testing.screens import build_states
from tests.app.desk import Desk, screen

__all__ = ["screen"]  # a fixture

SIZE = (800, 480)
ASKING = "asking"


def a_game() -> ScreenState:
    return build_states(load_sample_builders()["macroscope"])[ASKING]


class Table(Desk):
    """A window that shows a game and is touched."""

    def __init__(self, look: DisplayPreferences) -> None:
        super().__init__(SIZE)
        self.preferences = look
        self.window.show(a_game())

    def place(self, button: Button) -> tuple[float, float]:
        """Return where a seat's key is as SDL reports fingers: 0 to 1 of the window, at any rotation."""
        upright = unrotated_size(SIZE, self.preferences.rotation_deg)
        place = rotate_rect(
            locate_seat_areas(Canvas(upright, self.preferences))[button], upright, self.preferences.rotation_deg
        )
        return place.centerx / SIZE[0], place.centery / SIZE[1]

    def finger(self, number: int, button: Button, *, down: bool = True) -> None:
        x, y = self.place(button)
        kind = pygame.FINGERDOWN if down else pygame.FINGERUP
        pygame.event.post(pygame.event.Event(kind, touch_id=1, finger_id=number, x=x, y=y, dx=0.0, dy=0.0))

    def heard(self) -> list[Event]:
        return list(self.window.poll_events(soon=True))


@pytest.mark.parametrize("turned", [0, 90, 180, 270])
def test_several_fingers_press_several_seats(turned: int) -> None:
    table = Table(DisplayPreferences(rotation_deg=turned, touch_seats=True))
    for number, button in enumerate(SEAT_BUTTONS):
        table.finger(number, button)
    assert table.heard() == [ButtonPressed(b, 10.0, TOUCH_SOURCE) for b in SEAT_BUTTONS]
    table.clock.now = 10.5
    table.finger(3, SEAT_BUTTONS[3], down=False)
    assert table.heard() == [ButtonReleased(SEAT_BUTTONS[3], 10.5, TOUCH_SOURCE)]


def test_a_second_finger_on_the_same_place_is_no_second_press() -> None:
    table = Table(DisplayPreferences(touch_seats=True))
    table.finger(1, Button.SEAT2)
    table.finger(2, Button.SEAT2)
    table.finger(2, Button.SEAT2, down=False)
    assert table.heard() == [ButtonPressed(Button.SEAT2, 10.0, TOUCH_SOURCE)]


def test_the_mouse_that_sdl_makes_of_a_finger_is_not_heard_twice() -> None:
    table = Table(DisplayPreferences(touch_seats=True))
    x, y = table.place(Button.SEAT1)
    at = (round(x * SIZE[0]), round(y * SIZE[1]))
    table.finger(1, Button.SEAT1)
    for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        pygame.event.post(pygame.event.Event(kind, button=1, pos=at, touch=True))
    assert table.heard() == [ButtonPressed(Button.SEAT1, 10.0, TOUCH_SOURCE)]
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=at, touch=False))
    assert table.heard() == [ButtonPressed(Button.SEAT1, 10.0)]


@pytest.mark.parametrize(("apart", "tie"), [(0.015, True), (0.025, False)])
def test_fingers_that_the_screen_cannot_tell_apart_tie(apart: float, tie: bool) -> None:
    table = Table(DisplayPreferences(touch_seats=True))
    hands = ButtonInput((), table.clock)
    table.finger(1, Button.SEAT1)
    heard = hands.poll(table.heard())
    table.clock.now += apart
    table.finger(2, Button.SEAT4)
    heard += hands.poll(table.heard())
    assert [s.button for s in heard if isinstance(s, ButtonPressed)] == [Button.SEAT1, Button.SEAT4]
    assert any(isinstance(s, PressTie) for s in heard) is tie


def test_another_look_is_taken_with_the_next_frame() -> None:
    table = Table(DisplayPreferences())
    table.preferences = DisplayPreferences("light", rotation_deg=180)
    table.window.show(a_game())
    assert table.surface.get_at((0, 0))[:3] == LIGHT_PALETTE[BACKGROUND]
    turned = pygame.transform.rotate(table.surface, 180)
    table.preferences = DisplayPreferences("light")
    table.window.show(a_game())
    assert pygame.image.tobytes(table.surface, "RGB") == pygame.image.tobytes(turned, "RGB")


def test_what_lay_over_the_window_leaves_no_hole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a compositor covered parts are not kept; nothing has changed, so nothing is drawn by itself."""
    table, brought = Table(DisplayPreferences()), list[bool]()
    monkeypatch.setattr(pygame.display, "flip", lambda: brought.append(True))
    table.heard()
    assert not brought
    pygame.event.post(pygame.event.Event(pygame.VIDEOEXPOSE))
    table.heard()
    assert brought
