"""Title pictures by genre: still lifes on nothing but their shadow; the screen draws the table in a game's colour."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from ray_renderer import Array, Body, Viewpoint, render, rotation, srgb

from art.boards import (
    make_chess_clock,
    make_dart,
    make_dart_board,
    make_dice_tray,
    make_point_board,
    make_sheet,
)
from art.cards import make_card
from art.cups import make_cup
from art.dice import make_die
from art.pieces import (
    make_disc,
    make_domino,
    make_hexagon,
    make_house,
    make_letter_tile,
    make_log,
    make_pawn,
    make_pin,
    make_stone,
    make_tree,
)
from art.playing_cards import fan_cards, make_playing_card
from art.shapes import IVORY, SHADOW_ONLY, TITLE_SIZE
from art.titles import make_pencil
from art.tokens import make_star, make_token

RED, BLUE, GREEN, GOLD = srgb(216, 48, 44), srgb(40, 104, 224), srgb(30, 140, 80), srgb(250, 184, 40)
PURPLE, BLACK, WHITE = srgb(140, 60, 190), srgb(34, 34, 42), srgb(246, 240, 226)
POOL_SIZE = (320, 180)
"""Width and height in pixels of the table under these pictures."""


def _draw(bodies: list[Body], camera: Viewpoint) -> npt.NDArray[np.uint8]:
    return render(bodies, camera, TITLE_SIZE, SHADOW_ONLY, 2)


def draw_table_art() -> npt.NDArray[np.uint8]:
    """Draw the table below these pictures, in white: the screen colours it."""
    x, y = np.meshgrid(np.linspace(-1, 1, POOL_SIZE[0]), np.linspace(-1, 1, POOL_SIZE[1]))
    pool = np.exp(-(x**2 * 0.9 + (y - 0.15) ** 2 * 1.1))
    vignette = 1 - 0.55 * np.clip((x**4 + y**4) * 0.8, 0, 1)
    grey = np.round(255 * (0.2 + 0.8 * pool) * vignette)
    return np.dstack([grey, grey, grey, np.full_like(grey, 255)]).astype(np.uint8)


def draw_cards_title() -> npt.NDArray[np.uint8]:
    """Draw a hand of cards behind the pack."""
    hand = [("club", "9"), ("diamond", "J"), ("heart", "Q"), ("spade", "K"), ("heart", "A")]
    pack = [make_card((2.15, 0.05 + 0.07 * i, 0.7), rotation(yaw_deg=-24 + i % 2), 0.85, back=RED) for i in range(6)]
    scene = [
        *fan_cards(hand, (-0.35, 0.0, 0.15), 1.12, spread_deg=17, pitch_deg=66),
        *pack,
        make_playing_card((-2.2, 0.05, 0.75), "diamond", "7", rotation(yaw_deg=22), 0.8),
    ]
    return _draw(scene, Viewpoint((0.0, 1.2, 0.2), 34, 7.2, 10))


def draw_tricks_title() -> npt.NDArray[np.uint8]:
    """Draw the four cards of a trick, and the tricks that were won."""
    trick = [("heart", "10", 178, 0.0, -0.85), ("spade", "A", -86, -0.95, 0.0), ("club", "J", 84, 0.95, 0.05)]
    scene = [
        make_playing_card((x, 0.05 + 0.06 * i, z), suit, rank, rotation(yaw_deg=yaw), 1.0)
        for i, (suit, rank, yaw, x, z) in enumerate(trick)
    ]
    scene.append(make_playing_card((0.05, 0.24, 0.85), "diamond", "K", rotation(yaw_deg=-6), 1.0))
    scene += [make_card((2.75, 0.04 + 0.05 * i, -0.75), rotation(yaw_deg=9 * i), 0.75, back=BLUE) for i in range(4)]
    scene += [
        make_card((-2.75, 0.04 + 0.05 * i, -0.75), rotation(yaw_deg=60 - 12 * i), 0.75, back=BLUE) for i in range(2)
    ]
    scene.append(make_star((2.7, 0.12, 1.05), rotation(yaw_deg=-14), 0.5))
    return _draw(scene, Viewpoint((0, 0.0, 0.1), 54, 7.4, 11))


def draw_dice_title() -> npt.NDArray[np.uint8]:
    """Draw dice that roll out of a cup."""
    scene = [
        make_cup("black", (-1.5, 1.0, -0.3), 1.0, rotation(yaw_deg=-22, roll_deg=-102)),
        make_die(6, (0.5, 0.45, 0.1), rotation(yaw_deg=24), 0.45),
        make_die(1, (1.55, 0.45, -0.5), rotation(yaw_deg=-18), 0.45),
        make_die(5, (1.3, 0.45, 0.95), rotation(yaw_deg=40), 0.45),
        make_die(3, (2.6, 0.45, 0.3), rotation(yaw_deg=8), 0.45),
        make_die(4, (0.05, 0.45, 1.2), rotation(yaw_deg=-32), 0.45),
    ]
    return _draw(scene, Viewpoint((0.3, 0.5, 0.2), 34, 6.2, 9))


def draw_dice_sheet_title() -> npt.NDArray[np.uint8]:
    """Draw a score sheet with a pencil, and five dice beside it."""
    scene = [
        make_sheet((-0.9, 0.02, -0.2), rotation(yaw_deg=12), 1.75),
        make_pencil((-0.2, 0.15, 0.7), 28, RED),
        make_die(5, (1.35, 0.42, -1.0), rotation(yaw_deg=18), 0.42),
        make_die(5, (2.4, 0.42, -0.75), rotation(yaw_deg=-22), 0.42),
        make_die(6, (1.75, 0.42, 0.15), rotation(yaw_deg=35), 0.42),
        make_die(5, (2.8, 0.42, 0.45), rotation(yaw_deg=5), 0.42),
        make_die(2, (1.7, 0.42, 1.2), rotation(yaw_deg=-12), 0.42),
    ]
    return _draw(scene, Viewpoint((0.45, 0.1, 0.0), 52, 6.6, 10))


def draw_darts_title() -> npt.NDArray[np.uint8]:
    """Draw a dart board with three darts in it."""
    turn = rotation(yaw_deg=24) @ rotation(pitch_deg=76)
    centre = np.array([-0.15, 1.36, -0.3], np.float32)
    scene = [make_dart_board((-0.15, 1.36, -0.3), turn.astype(np.float32), 1.55)]
    for (x, z), colour, tilt in (((0.03, -0.97), RED, 0.1), ((0.1, -0.82), BLUE, -0.05), ((-0.62, 0.2), GOLD, 0.05)):
        tip = turn @ np.array([x, 0.08, z], np.float32) + centre
        ahead = turn @ np.array([-0.45 + tilt, -1, -0.12], np.float32)
        scene.append(make_dart(tip, ahead, colour, 0.85))
    return _draw(scene, Viewpoint((0.25, 1.35, 0), 12, 6.0, 10))


def draw_skittles_title() -> npt.NDArray[np.uint8]:
    """Draw numbered pins of wood, and the log that is thrown at them."""
    rows = [(-1.05, -0.9, "7"), (-0.35, -1.0, "9"), (0.35, -1.0, "8"), (-1.35, -0.25, "5"), (-0.65, -0.35, "11"),
            (0.05, -0.4, "12"), (0.75, -0.35, "6"), (-0.7, 0.3, "3"), (0.0, 0.25, "10"), (0.65, 0.3, "4")]  # fmt: skip
    scene = [make_pin((x * 1.05, 0, z), number, 0.86) for x, z, number in rows]
    scene.append(make_log((1.95, 0.26, 0.75), rotation(yaw_deg=-38), 0.8, 0.26))
    return _draw(scene, Viewpoint((0.25, 0.62, 0), 30, 5.0, 10))


def draw_clock_title() -> npt.NDArray[np.uint8]:
    """Draw a clock for two between pawns and stones."""
    scene = [
        make_chess_clock((0, 0, -0.5), rotation(yaw_deg=-4)),
        make_pawn((-2.25, 0, 0.1), WHITE, 1.0),
        make_pawn((2.2, 0, 0.05), BLACK, 1.0),
        make_stone((-1.0, 0.2, 0.95), WHITE),
        make_stone((-0.05, 0.2, 1.25), BLACK),
        make_stone((0.85, 0.2, 0.9), WHITE),
        make_stone((1.75, 0.2, 1.2), BLACK),
    ]
    return _draw(scene, Viewpoint((0, 0.72, 0), 22, 6.2, 10))


def draw_race_title() -> npt.NDArray[np.uint8]:
    """Draw a board with points, pieces of two colours and two dice."""
    scene = [make_point_board((0, 0.12, 0), rotation(yaw_deg=0))]
    for x, z, count, colour in (
        (-1.83, -1.12, 4, WHITE), (-0.58, 1.12, 3, WHITE), (0.58, 1.12, 2, WHITE), (1.83, 1.12, 3, RED),
        (-0.27, -1.12, 3, RED), (0.9, -1.12, 4, RED), (-1.52, 1.12, 1, RED),
    ):  # fmt: skip
        inwards = -0.3 if z > 0 else 0.3
        scene += [make_disc((x, 0.24, z + i * inwards), colour, 0.15, 0.06) for i in range(count)]
    scene += [
        make_die(6, (1.25, 0.37, 0.05), rotation(yaw_deg=26), 0.2, IVORY),
        make_die(4, (0.72, 0.37, 0.18), rotation(yaw_deg=-20), 0.2, IVORY),
    ]
    return _draw(scene, Viewpoint((0, 0.1, 0.05), 48, 5.2, 9))


def draw_tiles_title() -> npt.NDArray[np.uint8]:
    """Draw tiles with pips, and tiles with letters."""
    upright = rotation(pitch_deg=74)
    scene = [
        make_domino((-2.05, 0.82, -0.85), (6, 4), (rotation(yaw_deg=14) @ upright).astype(np.float32), 0.85),
        make_domino((-1.0, 0.82, -1.0), (5, 5), (rotation(yaw_deg=6) @ upright).astype(np.float32), 0.85),
        make_domino((0.05, 0.82, -1.0), (3, 1), upright, 0.85),
        make_domino((-1.35, 0.11, 0.75), (1, 6), rotation(yaw_deg=94), 0.8),
        make_domino((0.3, 0.11, 0.72), (6, 2), rotation(yaw_deg=88), 0.8),
    ]
    for i, (letter, yaw) in enumerate((("P", 7), ("L", -5), ("A", 4), ("Y", -9))):
        scene.append(make_letter_tile((1.25 + 0.42 * i, 0.07, -0.55 + 0.58 * i), letter, rotation(yaw_deg=yaw), 0.36))
    return _draw(scene, Viewpoint((0.15, 0.45, -0.1), 40, 6.2, 10))


def draw_land_title() -> npt.NDArray[np.uint8]:
    """Draw a land of six-sided tiles with houses and trees."""
    colours = [srgb(226, 178, 56), srgb(40, 120, 60), srgb(120, 170, 70), srgb(178, 92, 56), srgb(130, 138, 150),
               srgb(52, 120, 190), srgb(120, 170, 70)]  # fmt: skip
    places = [(0, 0), (1.6, 0.92), (-1.6, 0.92), (1.6, -0.92), (-1.6, -0.92), (3.2, 0), (-3.2, 0)]
    scene = [
        make_hexagon((x, 0.1, z), colour, 1.05, i)
        for i, ((x, z), colour) in enumerate(zip(places, colours, strict=True))
    ]
    scene += [
        make_house((0.15, 0.2, 0.15), RED, rotation(yaw_deg=28), 0.95),
        make_house((0.8, 0.2, -0.35), RED, rotation(yaw_deg=-20), 0.7),
        make_house((-1.85, 0.2, 1.0), BLUE, rotation(yaw_deg=-30), 0.85),
        make_tree((1.45, 0.2, 1.05), 0.85),
        make_tree((1.95, 0.2, 0.8), 0.65),
        make_tree((1.75, 0.2, 1.35), 0.55),
        make_house((-1.5, 0.2, -0.85), GOLD, rotation(yaw_deg=40), 0.75),
    ]
    return _draw(scene, Viewpoint((0.0, 0.25, 0.1), 40, 6.0, 10))


def draw_any_game_title() -> npt.NDArray[np.uint8]:
    """Draw pawns in six colours around a star, with a card, a die and a token: any game."""
    pawns = [(-2.15, -0.1, RED), (-1.4, -0.75, GOLD), (-0.5, -1.05, GREEN), (0.5, -1.05, BLUE), (1.4, -0.75, PURPLE)]
    scene = [make_pawn((x, 0, z), colour, 1.0) for x, z, colour in [*pawns, (2.15, -0.1, WHITE)]]
    scene += [
        make_star((0, 0.16, 0.55), rotation(yaw_deg=8), 0.72),
        make_die(6, (1.35, 0.36, 0.85), rotation(yaw_deg=28), 0.36),
        make_token((-1.3, 0.07, 0.85), None, 0.42),
        make_playing_card((2.45, 0.04, 1.0), "heart", "A", rotation(yaw_deg=-20), 0.62),
        make_playing_card((-2.4, 0.04, 1.0), "spade", "8", rotation(yaw_deg=18), 0.62),
    ]
    return _draw(scene, Viewpoint((0, 0.62, 0), 33, 6.6, 10))


def draw_dice_tray_title() -> npt.NDArray[np.uint8]:
    """Draw a tray with many small dice."""
    scene = [make_dice_tray((0, 0.28, 0), rotation())]
    rng = np.random.default_rng(11)
    for i, (x, z) in enumerate((x, z) for z in (-0.85, 0.0, 0.85) for x in (-1.7, -0.85, 0.0, 0.85, 1.7)):
        if i in {4, 10}:
            continue
        dx, dz = rng.uniform(-0.14, 0.14, 2)
        yaw = float(rng.uniform(-45, 45))
        top, body = int(rng.integers(1, 7)), (RED if i % 3 == 1 else IVORY)
        pip: Array = WHITE if i % 3 == 1 else srgb(32, 30, 38)
        scene.append(make_die(top, (x + float(dx), 0.42, z + float(dz)), rotation(yaw_deg=yaw), 0.26, body, pip))
    return _draw(scene, Viewpoint((0, 0.1, 0.05), 46, 5.9, 9))


GENRES = {
    "cards": draw_cards_title,
    "tricks": draw_tricks_title,
    "dice": draw_dice_title,
    "dice_sheet": draw_dice_sheet_title,
    "darts": draw_darts_title,
    "skittles": draw_skittles_title,
    "clock": draw_clock_title,
    "race": draw_race_title,
    "tiles": draw_tiles_title,
    "land": draw_land_title,
    "any_game": draw_any_game_title,
    "dice_tray": draw_dice_tray_title,
}
"""What draws the title picture of a genre, by `GameDefinition.genre`."""
