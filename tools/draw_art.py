"""Draw the objects of the stage: `python tools/draw_art.py` writes the files of companion/display/art, always the same.

Dice, tokens, cups, crystals, cards and sky tiles are bodies of signed distances, rendered by `ray_renderer` under one
light; lengths are in the renderer's units, a die's side is 2. `python tools/draw_art.py die_6 gem` draws only those.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from art.cups import CUPS, draw_cup_art
from art.dice import TUMBLE_FRAMES, draw_die_art, draw_tumble_art
from art.gem import draw_gem_art
from art.genres import GENRES, draw_table_art
from art.lid import draw_lid_art
from art.sheep import draw_sheep_art
from art.sky import SKIES, draw_sky_art
from art.titles import (
    draw_macroscope_title,
    draw_memo_dice_title,
    draw_pictomania_title,
    draw_secret_number_title,
    draw_starfall_title,
)
from art.tokens import draw_star_art, draw_token_art

ART_FOLDER = Path(__file__).parent.parent / "companion" / "display" / "art"
WEBP_PREFIXES = "genre_", "die_tumble_"
"""Begins of the names of the pictures that are stored as WebP: a fifth of their size as PNG, with no visible loss."""
WEBP_QUALITY = 90
"""Quality of these, of 100."""

ART: dict[str, Callable[[], npt.NDArray[np.uint8]]] = {
    **{f"die_{value}": partial(draw_die_art, value) for value in range(1, 7)},
    "die_blank": partial(draw_die_art, None),
    **{f"die_tumble_{frame}": partial(draw_tumble_art, frame) for frame in range(TUMBLE_FRAMES)},
    "gem": draw_gem_art,
    "token": draw_token_art,
    "star": draw_star_art,
    **{f"cup_{name}": partial(draw_cup_art, name) for name in CUPS},
    **{f"sky_{name}": partial(draw_sky_art, name) for name in SKIES},
    "lid": draw_lid_art,
    "sheep": draw_sheep_art,
    "title_macroscope": draw_macroscope_title,
    "title_memo_dice": draw_memo_dice_title,
    "title_pictomania": draw_pictomania_title,
    "title_secret_number": draw_secret_number_title,
    "title_starfall": draw_starfall_title,
    "genre_table": draw_table_art,
    **{f"genre_{name}": draw for name, draw in GENRES.items()},
}
"""What draws each picture, by name."""


def write_art(name: str, picture: npt.NDArray[np.uint8], folder: Path = ART_FOLDER) -> None:
    """Write a picture as PNG or WebP."""
    folder.mkdir(exist_ok=True)
    is_webp = name.startswith(WEBP_PREFIXES)
    suffix = ".webp" if is_webp else ".png"
    option = [cv2.IMWRITE_WEBP_QUALITY, WEBP_QUALITY] if is_webp else [cv2.IMWRITE_PNG_COMPRESSION, 9]
    _, data = cv2.imencode(suffix, picture, option)
    (folder / f"{name}{suffix}").write_bytes(data.tobytes())


def main() -> None:
    """Draw the pictures named on the command line, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="a picture to draw; none: all")
    for name in parser.parse_args().names or ART:
        began = time.monotonic()
        write_art(name, ART[name]())
        print(f"{name}: {time.monotonic() - began:.1f} s", flush=True)


if __name__ == "__main__":
    main()
