"""Each picture of the documents is what its script draws from the program as it is, and none is left over."""

from __future__ import annotations

import re

import cv2
import draw_docs_pictures
import draw_readme_turn
import numpy as np
import pygame
import pytest

from tests.conftest import REPOSITORY

IMAGES = REPOSITORY / "docs/images"
OTHER_SCRIPTS = {
    "turn.webp": "tools/draw_readme_turn.py",
    "reliability.svg": "tools/bench.py",
    "dice_styles.jpg": "tools/training/train_dice",  # an illustration of what training draws, chosen by hand
}
MAX_MEAN_DIFFERENCE = 1.0
"""Levels of 255: letters are drawn a little differently by other versions of FreeType."""
MAX_WEBP_DIFFERENCE = 6.0
"""The same of pictures that were compressed with a loss."""


def test_no_picture_is_missing_or_left_over() -> None:
    pages = [REPOSITORY / "README.md", *(REPOSITORY / "docs").glob("**/*.md")]
    shown = {name for page in pages for name in re.findall(r"images/([\w-]+\.\w+)\)", page.read_text("utf-8"))}
    assert shown == {path.name for path in IMAGES.iterdir()}
    names = re.findall(r'"([\w-]+\.png)":', (REPOSITORY / "tools/draw_docs_pictures.py").read_text("utf-8"))
    assert shown == {*names, *OTHER_SCRIPTS}
    assert all((REPOSITORY / script).exists() for script in OTHER_SCRIPTS.values())


@pytest.mark.full
@pytest.mark.parametrize("draw", ["draw_face_pictures", "draw_games", "draw_dice_page"])
def test_the_pictures_are_those_that_are_drawn(draw: str) -> None:
    for name, picture in getattr(draw_docs_pictures, draw)().items():
        kept = pygame.surfarray.array3d(pygame.image.load(IMAGES / name)).astype(int)
        now = pygame.surfarray.array3d(picture).astype(int)
        assert kept.shape == now.shape, f"{name}: make pictures"
        assert np.abs(kept - now).mean() < MAX_MEAN_DIFFERENCE, f"{name}: make pictures"


@pytest.mark.full
def test_the_moving_picture_begins_as_today() -> None:
    (drawn,) = draw_readme_turn.draw_turn(max_pictures=1)
    _is_read, kept = cv2.imreadanimation(str(IMAGES / "turn.webp"), 0, 1)
    check_frame(kept.frames[0], drawn)


@pytest.mark.proof
def test_the_moving_picture_is_that_of_today() -> None:
    drawn = draw_readme_turn.draw_turn()
    _is_read, kept = cv2.imreadanimation(str(IMAGES / "turn.webp"))
    # Pictures that do not change are one frame in the file, which is shown for longer.
    ends = np.cumsum(kept.durations)
    step, last = draw_readme_turn.PICTURE_MS, draw_readme_turn.LAST_PICTURE_MS
    assert ends[-1] == step * (len(drawn) - 1) + last, "make pictures"
    for index in (0, len(drawn) // 2, len(drawn) - 1):
        check_frame(kept.frames[int(np.searchsorted(ends, index * step, "right"))], drawn[index])


def check_frame(frame: cv2.typing.MatLike, drawn: draw_readme_turn.Image) -> None:
    """Compare a frame of the file, (H, W, 3 or 4) uint8 BGR or BGRA, with the picture that is drawn now."""
    difference = np.asarray(frame)[:, :, :3].astype(int) - drawn.astype(int)
    assert np.abs(difference).mean() < MAX_WEBP_DIFFERENCE, "make pictures"
