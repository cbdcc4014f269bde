"""Header, round track and status line."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pygame
import pytest

from companion.api import Seat
from companion.display.toolkit.canvas import Canvas
from companion.display.toolkit.layout import lay_out_screen
from companion.display.widgets.header import draw_header, draw_round_track, split_prompt
from companion.display.widgets.status_line import draw_status_line
from companion.events import Button, CameraState
from companion.screen_state import CameraView, Player, ScreenKind, ScreenState, SoftKey

ADA, BOB = Player(Seat(0), "Ada", Button.SEAT1), Player(Seat(1), "Bob", Button.SEAT2)
SHOWN = ScreenState(
    ScreenKind.PLAY,
    title="Starfall",
    prompt="Ada: take a tile",
    addressed=Seat(0),
    players=(ADA, BOB),
    last_move="Bob took the comet",
)
SIZES = [(1280, 720), (720, 1280)]


def pixels(canvas: Canvas, rect: pygame.Rect) -> np.ndarray:
    return pygame.surfarray.array3d(canvas.surface.subsurface(rect)).copy()


def headed(shown: ScreenState, size: tuple[int, int], active: Seat | None = None) -> tuple[bytes, bytes]:
    """Return the pixels of the header's left and right half."""
    canvas = Canvas(size)
    places = lay_out_screen(canvas)
    draw_header(canvas, places, shown, active)
    drawn = pixels(canvas, places.header)
    half = drawn.shape[0] // 8
    return drawn[:half].tobytes(), drawn[half:].tobytes()


def reported(shown: ScreenState, size: tuple[int, int]) -> bytes:
    """Return the pixels of the status line."""
    canvas = Canvas(size)
    places = lay_out_screen(canvas)
    draw_status_line(canvas, places, shown)
    return pixels(canvas, places.status).tobytes()


def test_a_prompt_for_one_player_is_split_into_player_and_text() -> None:
    assert split_prompt(replace(SHOWN, prompt="Bob: roll the dice", addressed=Seat(1))) == (BOB, "Roll the dice")
    assert split_prompt(replace(SHOWN, prompt="Bob: ¿qué ves?", addressed=Seat(1))) == (BOB, "¿Qué ves?")
    assert split_prompt(replace(SHOWN, prompt="Bob\u00a0: lance", addressed=Seat(1))) == (BOB, "Lance")
    assert split_prompt(replace(SHOWN, prompt="Ada wins", addressed=None)) == (None, "Ada wins")
    assert split_prompt(replace(SHOWN, prompt="Ada: ", addressed=Seat(0))) == (ADA, "")


@pytest.mark.parametrize("size", SIZES)
def test_header_names_addressed_then_active_player_then_game(size: tuple[int, int]) -> None:
    spoken_to, sentence = headed(SHOWN, size)
    all_of_them = replace(SHOWN, prompt="Take a tile", addressed=None)
    assert headed(all_of_them, size, active=Seat(0)) == (spoken_to, sentence)
    assert headed(all_of_them, size, active=Seat(1))[0] != spoken_to
    assert headed(all_of_them, size)[0] not in (spoken_to, headed(all_of_them, size, active=Seat(1))[0])


@pytest.mark.parametrize("size", SIZES)
def test_notice_replaces_the_last_move(size: tuple[int, int]) -> None:
    last, noticed = reported(SHOWN, size), reported(replace(SHOWN, notice="The camera is unplugged"), size)
    assert noticed != last
    assert reported(replace(SHOWN, notice="The camera is unplugged", last_move="Ada took the comet"), size) == noticed


@pytest.mark.parametrize("size", SIZES)
def test_hold_hint_stands_at_the_right(size: tuple[int, int]) -> None:
    canvas = Canvas(size)
    places = lay_out_screen(canvas)
    draw_status_line(canvas, places, SHOWN)
    without = pixels(canvas, places.status)
    held = replace(SHOWN, soft_keys=(SoftKey(Button.NO, "Undo", is_hold=True),))
    draw_status_line(canvas, places, held)
    changed = np.nonzero((pixels(canvas, places.status) != without).any(axis=(1, 2)))[0]
    assert changed.min() > without.shape[0] // 2


@pytest.mark.parametrize(("pressed", "areas"), [("", [Button.NO]), ("Stop: +2", [])])
def test_the_hold_hint_can_be_held_where_a_short_press_does_nothing(pressed: str, areas: list[Button]) -> None:
    canvas = Canvas((582, 972))
    keys = (SoftKey(Button.NO, "Hold: undo", is_hold=True), SoftKey(Button.NO, pressed))
    draw_status_line(canvas, lay_out_screen(canvas), replace(SHOWN, soft_keys=keys))
    assert [button for _area, button in canvas.regions["status"].touch_areas] == areas


@pytest.mark.parametrize("notice", [None, "Ada has guessed already", "A symbol is red, blue or black"])
def test_the_hold_hint_is_on_one_line_where_a_notice_leaves_it_the_room(notice: str | None) -> None:
    canvas = Canvas((582, 972))  # the display beside the virtual table
    key = SoftKey(Button.NO, "Hold: undo", is_hold=True)
    shown = replace(SHOWN, notice=notice, soft_keys=(key,), camera_view=CameraView(CameraState.STEADY))
    draw_status_line(canvas, lay_out_screen(canvas), shown)
    assert key.label in [text.text for text in canvas.drawn_texts()]


@pytest.mark.parametrize(
    ("state", "last_move", "words"),
    [
        (CameraState.STEADY, "Ada rolls 2 and 5", []),
        (CameraState.OFF, "Ada rolls 2 and 5", ["Camera off"]),
        (CameraState.HAND, "Ada rolls 2 and 5", ["Hand in view"]),
        (CameraState.HAND, "Ada " + 30 * "is right ", []),
    ],
)
def test_the_eye_says_in_words_why_it_does_not_see_well(state: CameraState, last_move: str, words: list[str]) -> None:
    canvas = Canvas((800, 480))
    shown = replace(SHOWN, camera_view=CameraView(state), last_move=last_move)
    draw_status_line(canvas, lay_out_screen(canvas), shown)
    texts = [text.text for text in canvas.drawn_texts()]
    assert [text for text in texts if text in {"Camera off", "Hand in view", "View clear"}] == words


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("rounds", [1, 5, 12, 36, 99])
def test_the_marker_moves_along_the_track(size: tuple[int, int], rounds: int) -> None:
    drawn = []
    for marker in range(1, rounds + 1):
        canvas = Canvas(size)
        places = lay_out_screen(canvas, has_track=True)
        draw_round_track(canvas, places, marker, rounds)
        drawn.append(pixels(canvas, places.track).tobytes())
        outside = canvas.surface.copy()
        outside.fill((0, 0, 0), places.track)
        assert not pygame.surfarray.array3d(outside).any(), "nothing is drawn beside the track"
    assert len(set(drawn)) == rounds


@pytest.mark.parametrize("size", SIZES)
def test_a_last_move_too_long_for_the_line_is_left_without_its_scores(size: tuple[int, int]) -> None:
    sentence, scores = "Round 1 is scored", ", ".join(f"Maximilianna {n}" for n in range(12))
    assert reported(replace(SHOWN, last_move=f"{sentence}: {scores}"), size) == reported(
        replace(SHOWN, last_move=sentence), size
    )
    short = replace(SHOWN, last_move=f"{sentence}: Ada 3")
    assert reported(short, size) != reported(replace(SHOWN, last_move=sentence), size)
