"""Draws the screens of docs/face.md, docs/playing.md and the README, but for the Macroscope's: that game plays itself.

Usage: python tools/draw_screens.py [FOLDER]    (docs/images)

Of the Macroscope, pictures 4 and 20 of
`companion run --headless --game macroscope --players Ada Bob Cleo --seed 4 --shots FOLDER`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from companion.display import Screen, save_png
from companion.display.toolkit.preferences import DisplayPreferences
from companion.display.toolkit.theme import PALETTES
from companion.events import Button
from companion.gallery import SAMPLE_BUILDERS
from companion.gallery import memo_dice as dice
from companion.gallery import pictomania as drawings
from companion.gallery import secret_number as cards
from companion.gallery import starfall as tiles
from companion.gallery.colour_blindness import DEFICIENCY_MATRICES, simulate_deficiency
from companion.gallery.fixtures import play_moves, show_game
from companion.games.api.game import Game, Move, Seat
from companion.games.memo_dice import MemoDice, Settings
from companion.games.registry import find_game
from companion.screen_state import RunningClock

GAP = 10
BETWEEN = (128, 128, 128)
LYING, UPRIGHT, SMALL, LARGE = (800, 480), (480, 800), (640, 384), (1280, 720)
NAMES = ("Ada", "Bob", "Cleo", "Dan")
SEATING = (Button.SEAT6, Button.SEAT4, Button.SEAT5, Button.SEAT2)
BOB = Seat(1)
PLAYED_BY_ITSELF = ("macroscope-open.png", "macroscope-result.png")


def drawn(game: str, state: str, size: tuple[int, int], look: DisplayPreferences | None = None) -> pygame.Surface:
    """A state of the gallery."""
    return Screen(size, look or DisplayPreferences()).render(SAMPLE_BUILDERS[game]()[state])


def abreast(pictures: Sequence[pygame.Surface]) -> pygame.Surface:
    """Pictures side by side, as high as the highest."""
    wide = sum(picture.get_width() for picture in pictures) + GAP * (len(pictures) - 1)
    whole = pygame.Surface((wide, max(picture.get_height() for picture in pictures)))
    whole.fill(BETWEEN)
    left = 0
    for picture in pictures:
        whole.blit(picture, (left, 0))
        left += picture.get_width() + GAP
    return whole


def played(name: str, before: Game, move: Move, *clocks: RunningClock) -> pygame.Surface:
    """Draw a game of that name after a move."""
    definition, after = find_game(name), before.play(move)
    last_move = definition.describe(before, move, after, NAMES)
    state = show_game(definition, after, NAMES, buttons=SEATING, last_move=last_move, clocks=clocks)
    return Screen(LARGE).render(state)


def games() -> dict[str, pygame.Surface]:
    """A moment of each game, by the file's name."""
    row = dice.place_pieces(dice.play_moves(MemoDice.create(4, BOB, Settings()), "BKBRRBKRR"), 10, 10, 11, 12)
    pile = play_moves(drawings.start_scoring(4, takes="CDA"), "next, right 0, right 2, wrong 2")
    laid = play_moves(cards.start_round(4, 2), "lay 0", "lay 1", "lay 0")
    ring = tiles.make_position((7, 5), 4, own=(1, 2, 1, 3), dust=(24, 17, 24, 12), pile=16)
    return {
        "memo-dice.png": played("memo_dice", row, Move("right", row.active_seat)),
        "pictomania.png": played("pictomania", pile, Move("right", Seat(3))),
        "secret-number.png": played("secret_number", laid, Move("lay", Seat(2)), RunningClock("round 2", 156, 180)),
        "starfall.png": played("starfall", ring, Move("add", Seat(0), (0,))),
    }


def pictures() -> dict[str, pygame.Surface]:
    """All of them, by the file's name."""
    lobby = drawn("lobby", "macroscope_full", SMALL)
    touch = DisplayPreferences(touch_seats=True)
    states = (("macroscope", "open_picture"), ("starfall", "board"), ("lobby", "macroscope_full"))
    return {
        "face-upright.png": abreast([drawn(*state, UPRIGHT) for state in states]),
        "face-palettes.png": abreast(
            [drawn("macroscope", "open_picture", SMALL, DisplayPreferences(name)) for name in PALETTES]
        ),
        "face-colour-blind.png": abreast(
            [simulate_deficiency(lobby, deficiency) for deficiency in DEFICIENCY_MATRICES]
        ),
        "face-touch.png": abreast([drawn("macroscope", "asking_wishes", size, touch) for size in (LYING, UPRIGHT)]),
    }


if __name__ == "__main__":
    pygame.font.init()
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "docs/images"
    for name, picture in (pictures() | games()).items():
        save_png(picture, folder / name)
