"""The counting tray on the screen: with and without the camera, re-rolls, every number of players, the result."""

from dataclasses import replace
from random import Random
from typing import Any

import cv2
import numpy as np

from companion.api import Seat, Visibility
from companion.events import CameraState
from companion.gallery import fixtures
from companion.gallery.fixtures import (
    make_correction_menu,
    open_dialog,
    play_moves,
    show_page_code,
)
from companion.games.counting_tray import GAME, CountingTray, Settings
from companion.games.counting_tray.game import list_values
from companion.referee.dialogs.number_inputs import open_values_input
from companion.referee.dialogs.pause_menu import open_pause
from companion.screen_state import CameraView, ScreenState
from companion.simulation.render_pips import PIP_PLACES
from companion.vision.reading import Die, Image, Reading

SIDE_PX = 32
"""Side of a die in the drawn picture."""


def new_game(player_count: int, **settings: Any) -> CountingTray:
    """Return the empty tray; `settings` are house rules by name.

    Raises:
        ValueError: `player_count` or a setting is not allowed.
    """
    return CountingTray.create(player_count, Seat(0), Settings(**settings))


def draw_tray(values: tuple[int, ...]) -> tuple[Image, Reading]:
    """Draw a tray from above with these dice; return the (360, 640, 3) uint8 BGR image and its reading."""
    rng, image = Random(5), np.full((360, 640, 3), (74, 100, 128), np.uint8)
    cv2.rectangle(image, (70, 30), (570, 330), (40, 66, 96), -1)
    cv2.rectangle(image, (82, 42), (558, 318), (48, 76, 38), -1)
    places = [(x, y) for x in range(95, 510, 52) for y in range(52, 280, 46)]
    dice = []
    for value, (x, y) in zip(values, rng.sample(places, len(values)), strict=True):
        x, y = x + rng.randint(0, 12), y + rng.randint(0, 8)
        cv2.rectangle(image, (x, y), (x + SIDE_PX, y + SIDE_PX), (240, 240, 240), -1)
        for dx, dy in PIP_PLACES[value]:
            cv2.circle(image, (x + 16 + 9 * dx, y + 16 + 9 * dy), 3, (30, 30, 30), -1, cv2.LINE_AA)
        dice.append(Die(value, (x, y, x + SIDE_PX, y + SIDE_PX), 0.99))
    return image, Reading(tuple(dice), None, 80.0)


def show_game(game: CountingTray, *, has_camera: bool = True, **fields: Any) -> ScreenState:
    """Build the screen of a tray; `fields`: further fields of `ScreenState`."""
    image, reading = draw_tray(list_values(game.faces))
    view = CameraView(CameraState.STEADY, reading, image) if has_camera else CameraView(CameraState.OFF)
    shown = {"camera_view": view, **fields}
    return fixtures.show_game(GAME, game, visibility=Visibility(dice=has_camera), **shown)


def _show_doubt(game: CountingTray) -> CameraView:
    """Return a view of the dice in which one could not be read for sure."""
    image, reading = draw_tray(list_values(game.faces))
    doubtful = replace(reading.dice[-1], confidence=0.5)
    return CameraView(CameraState.UNSURE, replace(reading, dice=(*reading.dice[:-1], doubtful)), image)


def build_samples() -> dict[str, ScreenState]:
    """Return the sample screens of this module by name of the state, with texts in the current language."""
    thrown = play_moves(new_game(2), "throw 0 5 5 4 6 7 3")
    again = play_moves(thrown, "again 0 3 2 2 3 2 2")
    alone = play_moves(new_game(1, threshold=6), "throw 0 2 2 2 1 2 1")
    six = play_moves(new_game(6, threshold=5), "throw 0 7 6 7 6 7 7", "next 0", "throw 1 1 2 0 1 3 2")
    over = play_moves(again, "next 0", "throw 1 3 3 3 4 4 3", "next 1", "end")
    throw = thrown.list_moves()[0]
    paused, page_code = show_page_code(show_game(thrown))
    return {
        "throw": show_game(new_game(2)),
        "throw_six_players": show_game(new_game(6)),
        "throw_without_camera": show_game(new_game(2), has_camera=False),
        "counted": show_game(thrown, last_move=GAME.describe_step(new_game(2), throw, thrown, fixtures.PLAYER_NAMES)),
        "counted_again": show_game(again),
        "counted_alone": show_game(alone),
        "counted_six_players": show_game(six),
        "counted_without_camera": show_game(again, has_camera=False),
        "counted_unsure": show_game(thrown, camera_view=_show_doubt(thrown)),
        "counted_entering": open_dialog(
            show_game(thrown, has_camera=False), open_values_input(GAME.translate("Enter dice"), throw)
        ),
        "counted_correcting": open_dialog(show_game(thrown), make_correction_menu(GAME, thrown, fixtures.PLAYER_NAMES)),
        "counted_paused": open_dialog(show_game(thrown), open_pause()),
        "counted_paused_watched": paused,
        "counted_page_code": page_code,
        "over": show_game(over, has_camera=False),
    }
