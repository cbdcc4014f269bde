"""The live picture beside the game: shown and hidden by one press, and nothing is read from it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from companion.api import CameraUse, Seat
from companion.events import SEAT_BUTTONS, Button, CameraState
from companion.games.pictomania import GAME
from companion.games.pictomania.state import Phase
from companion.screen_state import CameraView, ScreenState
from companion.testing.table import TableUnderTest
from companion.vision.reading import Reading
from tests.definitions import change

Tables = Callable[..., TableUnderTest]
OK, PLUS = Button.OK, Button.PLUS
SEEN = CameraView(CameraState.STEADY, Reading((), None, 1.0), np.zeros((36, 64, 3), np.uint8))


def shown(t: TableUnderTest, camera_view: CameraView = SEEN) -> ScreenState:
    return t.referee.build_screen_state(camera_view)


def words(t: TableUnderTest, camera_view: CameraView = SEEN) -> str:
    return next(key.label for key in shown(t, camera_view).soft_keys if key.button is PLUS)


def start_drawing(t: TableUnderTest) -> TableUnderTest:
    t.press(OK, OK)
    t.wait(3.1)
    assert t.game.phase is Phase.DRAWING
    return t


@pytest.fixture
def drawing(table: Tables) -> TableUnderTest:
    return start_drawing(table(3, definition=GAME))


def test_a_press_shows_the_picture_without_its_reading_and_another_hides_it(drawing: TableUnderTest) -> None:
    assert words(drawing) == "Show drawing"
    assert (shown(drawing).shows_live_picture, shown(drawing).camera_view.picture) == (False, None)
    drawing.press(PLUS)
    beside = shown(drawing)
    assert (beside.shows_live_picture, beside.enlarge_button, words(drawing)) == (True, PLUS, "Hide it")
    assert beside.camera_view.picture is SEEN.picture
    assert beside.camera_view.reading is None
    drawing.press(PLUS)
    assert (shown(drawing).shows_live_picture, shown(drawing).camera_view.picture) == (False, None)


def test_the_same_frame_gives_the_identical_view(drawing: TableUnderTest) -> None:
    drawing.press(PLUS)
    assert shown(drawing).camera_view is shown(drawing).camera_view, "else the screen would be drawn again each time"
    assert (
        shown(drawing).camera_view is not shown(drawing, CameraView(CameraState.STEADY, None, SEEN.picture)).camera_view
    )


def test_the_game_continues_beside_the_picture(drawing: TableUnderTest) -> None:
    drawing.press(PLUS, SEAT_BUTTONS[2], SEAT_BUTTONS[0])
    assert drawing.game.phase is Phase.STOP
    assert drawing.game.bonus_stars == (1, 0, 2)
    assert shown(drawing).shows_live_picture
    drawing.press(OK)
    assert drawing.game.phase is Phase.SCORING
    assert shown(drawing).shows_live_picture
    assert words(drawing) == "Wrong clue", "the game needs the button now"
    for _empty_pile in range(3):
        drawing.hold(OK)
    assert drawing.game.phase is Phase.ROUND
    assert not shown(drawing).shows_live_picture
    drawing.press(OK, OK, OK)
    drawing.wait(3.1)
    assert shown(drawing).shows_live_picture, "who wanted it in one round has it again in the next"


def test_without_a_camera_nothing_is_offered(table: Tables) -> None:
    t = start_drawing(table(3, definition=GAME, camera=False))
    assert words(t, CameraView()) == ""
    t.press(PLUS)
    assert not shown(t, CameraView()).shows_live_picture


def test_the_live_picture_is_offered_only_while_players_draw(table: Tables) -> None:
    t = table(3, definition=GAME)
    assert words(t) == "Next: orange"
    t.press(OK)
    assert (t.game.phase, words(t)) == (Phase.READING, "")


def test_a_game_with_a_secret_under_the_camera_never_shows_it(table: Tables) -> None:
    t = table(
        3,
        definition=change(
            GAME,
            camera=CameraUse("", "", "companion.referee.base_readings:GameReadings", ()),
            hides_picture=lambda _game: True,
        ),
    )
    shown(t)
    t.press(OK, OK)
    t.wait(3.1)
    assert words(t) == ""
    t.press(PLUS)
    assert (shown(t).shows_live_picture, shown(t).camera_view.picture) == (False, None)


def test_readings_of_a_drawing_are_ignored(drawing: TableUnderTest) -> None:
    drawing.press(PLUS)
    before = drawing.game
    drawing.roll(2, 5)
    drawing.roll(2, 5, confidence=0.3, alternatives=[(3, 5)])
    drawing.take_token(4)
    drawing.take_token(None, confidence=0.2)
    drawing.put_token(4)
    drawing.cover()
    now = shown(drawing)
    assert (drawing.game, now.question, now.menu, now.notice) == (before, None, None, None)
    assert Seat(0) in drawing.game.seats_drawing
