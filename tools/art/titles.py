"""Title pictures of the boxed games."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from ray_renderer import Array, Body, Ground, Surface, Vector, Viewpoint, mix, render, rotation, smoothstep, srgb

from art.cards import make_card
from art.cups import CUBE_RGB, CUP_HEIGHT, make_cup
from art.dice import make_die
from art.gem import make_gem
from art.lid import make_lid
from art.shapes import TITLE_SIZE
from art.sheep import make_sheep
from art.sky import make_sky_tile
from art.tokens import make_star, make_token


def make_pencil(centre: Vector, yaw_deg: float, colour: Array) -> Body:
    """Return a coloured pencil that lies on the table, its point to the right."""
    turn = rotation(yaw_deg=yaw_deg)

    def distance(p: Array) -> Array:
        ring = np.maximum(
            np.abs(p[:, 1]),
            np.maximum(np.abs(p[:, 1] * 0.5 + p[:, 2] * 0.866), np.abs(p[:, 1] * 0.5 - p[:, 2] * 0.866)),
        )
        cone = np.sqrt(p[:, 1] ** 2 + p[:, 2] ** 2) - (1.45 - p[:, 0]) * 0.32
        shaft = np.maximum(ring - 0.12, np.abs(p[:, 0] + 0.1) - 1.5)
        return np.asarray(np.maximum(shaft, cone * 0.95) - 0.012, np.float32)

    def paint(p: Array, normal: Array, view: Array) -> Surface:
        wave = 0.02 * np.cos(6 * np.arctan2(p[:, 1], p[:, 2]))
        bare = smoothstep(1.035, 1.05, p[:, 0] + wave)
        tip = smoothstep(1.3, 1.31, p[:, 0])
        painted = mix(np.broadcast_to(colour, p.shape), srgb(240, 205, 150), bare)
        return Surface(mix(painted, colour, tip), normal, 0.5, 60)

    return Body(distance, paint, centre, turn, 1.7)


def draw_title(bodies: list[Body], accent: Array, camera: Viewpoint, samples: int = 2) -> npt.NDArray[np.uint8]:
    """Draw a still life on a dark table in a pool of light of the game's colour."""

    def paint(p: Array) -> Surface:
        away = np.sqrt(p[:, 0] ** 2 + (p[:, 2] * 1.1) ** 2)
        pool = np.exp(-((away / 3.6) ** 2)).astype(np.float32)
        colour = mix(accent * 0.05 + 0.003, accent * 0.62, pool)
        upright = np.broadcast_to(np.array([0, 1, 0], np.float32), p.shape).copy()
        return Surface(colour, upright, 0.22 * pool, 20)

    picture = render(bodies, camera, TITLE_SIZE, Ground(paint), samples)
    x, y = np.meshgrid(np.linspace(-1, 1, TITLE_SIZE[0]), np.linspace(-1, 1, TITLE_SIZE[1]))
    vignette = 1 - 0.55 * np.clip((x**4 + y**4) * 0.8, 0, 1)
    picture[..., :3] = np.round(picture[..., :3] * vignette[..., None])
    return picture


def draw_macroscope_title() -> npt.NDArray[np.uint8]:
    """Draw the lid with tokens on its windows, dice and crystals."""
    turn = rotation(yaw_deg=14)
    lid_centre = np.array([-0.4, 0.14, -0.4])
    scene = [make_lid((-0.4, 0.1, -0.4), turn)]
    for column in range(4):
        for row in range(3):
            if (column, row) in ((3, 2), (2, 2), (3, 1)):
                continue
            own = np.array([(column - 1.5) * 0.58, 0.14, (row - 1) * 0.54])
            scene.append(make_token(tuple(turn @ own + lid_centre), turn, 0.23))
    scene += [
        make_token((-0.75, 0.05, 1.12), None, 0.26),
        make_die(5, (1.5, 0.36, 0.2), rotation(yaw_deg=22), 0.36),
        make_die(6, (0.42, 0.36, 1.12), rotation(yaw_deg=-24), 0.36),
        make_gem((1.82, 0.38, 1.02), 0.42),
        make_gem((2.05, 0.33, -0.55), 0.36, rotation(yaw_deg=40, pitch_deg=-12, roll_deg=14), srgb(255, 90, 170)),
        make_gem((-1.72, 0.36, 0.95), 0.38, rotation(yaw_deg=70, pitch_deg=14, roll_deg=12), srgb(120, 255, 170)),
    ]
    return draw_title(scene, srgb(70, 110, 190), Viewpoint((0.12, 0.2, 0.14), 46, 5.0, 9))


def draw_memo_dice_title() -> npt.NDArray[np.uint8]:
    """Draw the four cups, one of them lifted from its die, and dice before them."""
    half = CUP_HEIGHT / 2
    lean = rotation(yaw_deg=-15, roll_deg=-32)
    scene = [
        make_cup("red", (-2.2, half * 0.86, -0.1), 0.86),
        make_cup("blue", (-0.35, half * 0.86, -0.6), 0.86),
        make_cup("golden", (1.5, half * 0.86, -0.5), 0.86),
        make_cup("black", (3.0, 1.5, 0.1), 0.8, lean),
        make_die(None, (2.55, 0.34, 1.0), rotation(yaw_deg=30), 0.34, CUBE_RGB["black"]),
        make_die(None, (-0.95, 0.34, 1.15), rotation(yaw_deg=-18), 0.34, CUBE_RGB["red"]),
        make_die(None, (0.6, 0.34, 1.25), rotation(yaw_deg=25), 0.34, CUBE_RGB["blue"]),
    ]
    return draw_title(scene, srgb(190, 80, 60), Viewpoint((0.5, 0.9, 0.1), 26, 7.7, 11))


def draw_pictomania_title() -> npt.NDArray[np.uint8]:
    """Draw the black sheep among cards, stars and coloured pencils."""
    scene = [
        *make_sheep((-0.35, 0, -0.3)),
        make_card((1.9, 0.62, -0.75), rotation(yaw_deg=-20, pitch_deg=58), 1.0, back=srgb(150, 42, 120)),
        make_card((-2.35, 0.62, -0.75), rotation(yaw_deg=22, pitch_deg=58), 1.0, back=srgb(20, 120, 110)),
        make_star((2.2, 0.12, 0.85), rotation(yaw_deg=15), 0.48),
        make_star((1.3, 0.12, 1.25), rotation(yaw_deg=-25), 0.42),
        make_pencil((-1.55, 0.13, 1.05), 18, srgb(240, 70, 60)),
        make_pencil((0.15, 0.13, 1.6), -9, srgb(50, 120, 240)),
    ]
    return draw_title(scene, srgb(60, 150, 96), Viewpoint((0.0, 0.85, 0.2), 27, 6.6, 10))


def draw_secret_number_title() -> npt.NDArray[np.uint8]:
    """Draw a card with a question mark among face-down cards, crystals and stars."""
    deck = srgb(60, 44, 150)
    scene = [
        make_card((-1.5, 0.95, -0.75), rotation(yaw_deg=16, pitch_deg=62, roll_deg=0), 1.12, back=deck),
        make_card((1.5, 0.95, -0.75), rotation(yaw_deg=-16, pitch_deg=62), 1.12, back=deck),
        make_card((0, 1.17, 0), rotation(pitch_deg=64), 1.32, asks=True),
        make_card((-2.3, 0.05, 1.0), rotation(yaw_deg=28), 0.72, back=srgb(190, 46, 60)),
        make_card((2.3, 0.05, 0.95), rotation(yaw_deg=-34), 0.72, back=srgb(24, 120, 130)),
        make_star((-1.05, 0.11, 1.45), rotation(yaw_deg=14), 0.4),
        make_gem((1.25, 0.38, 1.35), 0.42),
    ]
    return draw_title(scene, srgb(104, 80, 190), Viewpoint((0, 1.02, 0.15), 32, 7.0, 10))


def draw_starfall_title() -> npt.NDArray[np.uint8]:
    """Draw tiles of the night sky that lean and lie, with stars before them."""
    scene = [
        make_sky_tile("planet", (0, 1.02, -0.5), rotation(pitch_deg=62), 1.15),
        make_sky_tile("nebula", (-2.2, 0.84, -0.35), rotation(yaw_deg=20, pitch_deg=60), 0.93),
        make_sky_tile("hole", (2.2, 0.84, -0.35), rotation(yaw_deg=-20, pitch_deg=60), 0.93),
        make_sky_tile("comet", (-1.35, 0.09, 1.25), rotation(yaw_deg=12), 0.62),
        make_sky_tile("moon", (1.45, 0.09, 1.25), rotation(yaw_deg=-14), 0.62),
        make_star((0.05, 0.12, 1.3), rotation(yaw_deg=8), 0.44),
        make_star((2.75, 0.1, 1.15), rotation(yaw_deg=-20), 0.34),
        make_star((-2.65, 0.1, 1.15), rotation(yaw_deg=24), 0.34),
    ]
    return draw_title(scene, srgb(50, 70, 180), Viewpoint((0, 0.72, 0.25), 32, 6.5, 10))
