"""The camera's plain picture beside the game: shown and hidden by one press, and nothing is read of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from companion.events import SEAT_BUTTONS, Button, CameraState
from companion.games.api.game import Seat
from companion.games.pictomania import KIT
from companion.games.pictomania.view import Phase
from companion.screen_state import Eyes, Shown
from companion.vision.reading import Reading
from tests.referee.harness import TableUnderTest

Tables = Callable[..., TableUnderTest]
OK, PLUS = Button.OK, Button.PLUS
SEEN = Eyes(CameraState.STEADY, Reading((), None, 1.0), np.zeros((36, 64, 3), np.uint8))


def shown(t: TableUnderTest, eyes: Eyes = SEEN) -> Shown:
    return t.referee.shown(eyes)


def words(t: TableUnderTest, eyes: Eyes = SEEN) -> str:
    return next(key.words for key in shown(t, eyes).keys if key.button is PLUS)


@pytest.fixture
def drawing(table: Tables) -> TableUnderTest:
    t = table(3, kit=KIT)
    shown(t)
    t.press(OK, OK)
    t.wait(3.1)
    assert t.game.phase is Phase.DRAWING
    return t


def test_a_press_shows_the_picture_without_what_was_read_in_it_and_another_hides_it(drawing: TableUnderTest) -> None:
    assert words(drawing) == "Show a drawing"
    assert (shown(drawing).live, shown(drawing).eyes.picture) == (False, None)
    drawing.press(PLUS)
    beside = shown(drawing)
    assert (beside.live, beside.enlarges, words(drawing)) == (True, PLUS, "Hide it")
    assert beside.eyes.picture is SEEN.picture
    assert beside.eyes.reading is None
    drawing.press(PLUS)
    assert (shown(drawing).live, shown(drawing).eyes.picture) == (False, None)


def test_the_same_frame_is_the_same_value_and_the_next_another(drawing: TableUnderTest) -> None:
    drawing.press(PLUS)
    assert shown(drawing).eyes is shown(drawing).eyes, "else the screen would be drawn anew each time"
    assert shown(drawing).eyes is not shown(drawing, Eyes(CameraState.STEADY, None, SEEN.picture)).eyes


def test_the_game_goes_on_beside_it(drawing: TableUnderTest) -> None:
    drawing.press(PLUS, SEAT_BUTTONS[2], SEAT_BUTTONS[0])
    assert drawing.game.phase is Phase.STOP
    assert drawing.game.bonus == (1, 0, 2)
    assert shown(drawing).live
    drawing.press(OK)
    assert drawing.game.phase is Phase.SCORING
    assert shown(drawing).live
    assert words(drawing) == "Wrong drawing", "the game needs the button now"
    drawing.press(*[OK] * 3)
    assert drawing.game.phase is Phase.ROUND
    assert not shown(drawing).live
    drawing.press(OK, OK, OK)
    drawing.wait(3.1)
    assert shown(drawing).live, "who wanted it in one round has it again in the next"


def test_without_a_camera_nothing_is_offered(drawing: TableUnderTest) -> None:
    assert words(drawing, Eyes()) == ""
    drawing.press(PLUS)
    assert not shown(drawing, Eyes()).live


def test_while_nothing_is_drawn_there_is_no_use_for_it(table: Tables) -> None:
    t = table(3, kit=KIT)
    assert words(t) == "Take orange"
    t.press(OK)
    assert (t.game.phase, words(t)) == (Phase.READING, "")


def test_a_game_with_a_secret_under_the_camera_never_shows_it(table: Tables) -> None:
    t = table(3, kit=replace(KIT, private=True))
    shown(t)
    t.press(OK, OK)
    t.wait(3.1)
    assert words(t) == ""
    t.press(PLUS)
    assert (shown(t).live, shown(t).eyes.picture) == (False, None)


def test_what_the_eyes_think_they_see_in_a_drawing_is_nothing(drawing: TableUnderTest) -> None:
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
    assert Seat(0) in drawing.game.drawing
