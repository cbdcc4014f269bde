"""Draw the screens of docs/face.md, docs/playing.md and docs/dice-test.md.

The turn that leads the README: `draw_readme_turn.py`.

Usage: python tools/draw_docs_pictures.py [FOLDER]    (default: docs/images)
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from companion.api import Game, Move, Seat
from companion.api.registry import find_game
from companion.display import Screen, save_png
from companion.display.toolkit.preferences import DisplayPreferences
from companion.display.toolkit.theme import PALETTES
from companion.events import Button
from companion.gallery import load_sample_builders
from companion.gallery.colour_blindness import DEFICIENCY_MATRICES, simulate_deficiency
from companion.gallery.fixtures import play_moves, show_game
from companion.games.memo_dice import MemoDice, Settings
from companion.games.memo_dice import samples as dice
from companion.games.pictomania import samples as drawings
from companion.games.secret_number import samples as cards
from companion.games.starfall import samples as tiles
from companion.screen_state import RunningClock

GAP_PX = 10
GAP_COLOUR = (128, 128, 128)
LYING, UPRIGHT, SMALL, LARGE = (800, 480), (480, 800), (640, 384), (1280, 720)
NAMES = ("Ada", "Bob", "Cleo", "Dan")
SEATING = (Button.SEAT6, Button.SEAT4, Button.SEAT5, Button.SEAT2)
BOB = Seat(1)


def draw_sample(game: str, state: str, size: tuple[int, int], look: DisplayPreferences | None = None) -> pygame.Surface:
    """Draw a sample state of the gallery."""
    return Screen(size, look or DisplayPreferences()).render(load_sample_builders()[game]()[state])


def join_side_by_side(pictures: Sequence[pygame.Surface]) -> pygame.Surface:
    """Join pictures side by side; the result is as high as the highest."""
    wide = sum(picture.get_width() for picture in pictures) + GAP_PX * (len(pictures) - 1)
    whole = pygame.Surface((wide, max(picture.get_height() for picture in pictures)))
    whole.fill(GAP_COLOUR)
    left = 0
    for picture in pictures:
        whole.blit(picture, (left, 0))
        left += picture.get_width() + GAP_PX
    return whole


def draw_after_move(name: str, before: Game, move: Move, *clocks: RunningClock) -> pygame.Surface:
    """Draw a game after a move; `name` is the name of its definition."""
    definition, after = find_game(name), before.play(move)
    last_move = definition.describe(before, move, after, NAMES)
    state = show_game(definition, after, NAMES, buttons=SEATING, last_move=last_move, clocks=clocks)
    return Screen(LARGE).render(state)


def draw_games() -> dict[str, pygame.Surface]:
    """Draw a moment of each game, by file name."""
    row = dice.place_pieces(
        dice.play_moves(MemoDice.create(4, BOB, Settings.model_validate({})), "BKBRRBKRR"), 10, 10, 11, 12
    )
    pile = play_moves(drawings.start_scoring(4, takes="CDA"), "next, right 0, right 2, wrong 2")
    laid = play_moves(cards.start_round(4, 2), "lay 0", "lay 1", "lay 0")
    ring = tiles.make_position((7, 5), 4, own=(1, 2, 1, 3), dust=(24, 17, 24, 12), pile_size=16)
    return {
        "macroscope-result.png": draw_sample("ended", "macroscope_6", LARGE),
        "memo-dice.png": draw_after_move("memo_dice", row, Move("right", row.active_seat)),
        "pictomania.png": draw_after_move("pictomania", pile, Move("right", Seat(3))),
        "secret-number.png": draw_after_move(
            "secret_number", laid, Move("lay", Seat(2)), RunningClock("round 2", 156, 180)
        ),
        "starfall.png": draw_after_move("starfall", ring, Move("add", Seat(0), (0,))),
    }


def draw_face_pictures() -> dict[str, pygame.Surface]:
    """Draw the pictures of docs/face.md, by file name."""
    lobby = draw_sample("lobby", "macroscope_full", SMALL)
    touch = DisplayPreferences(touch_seats=True)
    states = (("macroscope", "open_picture"), ("starfall", "board"), ("lobby", "macroscope_full"))
    return {
        "face-upright.png": join_side_by_side([draw_sample(*state, UPRIGHT) for state in states]),
        "face-palettes.png": join_side_by_side(
            [draw_sample("macroscope", "open_picture", SMALL, DisplayPreferences(name)) for name in PALETTES]
        ),
        "face-colour-blind.png": join_side_by_side(
            [simulate_deficiency(lobby, deficiency) for deficiency in DEFICIENCY_MATRICES]
        ),
        "face-touch.png": join_side_by_side(
            [draw_sample("macroscope", "asking_wishes", size, touch) for size in (LYING, UPRIGHT)]
        ),
    }


def draw_dice_page() -> dict[str, pygame.Surface]:
    """Draw the picture of docs/dice-test.md, by file name."""
    return {"dice-luck.png": draw_sample("ended", "macroscope_dice_2", LYING)}


if __name__ == "__main__":
    pygame.font.init()
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "docs/images"
    for name, picture in (draw_face_pictures() | draw_games() | draw_dice_page()).items():
        save_png(picture, folder / name)
