"""The stage's objects: the files in the package are those of the script, and each can be drawn.

Title pictures of games: tests/display/widgets/test_shelf.py.
"""

from __future__ import annotations

import cv2
import draw_art
import numpy as np
import pygame
import pytest

from companion.display.toolkit import Canvas, list_art_names
from companion.display.toolkit.art import load_art

MAX_TOTAL_BYTES = 3_000_000
"""The package stays small."""


def test_every_picture_is_drawn_by_the_script() -> None:
    assert list_art_names() == sorted(draw_art.ART)
    assert sum(file.stat().st_size for file in draw_art.ART_FOLDER.iterdir()) < MAX_TOTAL_BYTES


@pytest.mark.proof
def test_the_script_draws_the_file_again() -> None:
    """Of all pictures, as each takes seconds: the one that is drawn fastest."""
    stored = cv2.imread(str(draw_art.ART_FOLDER / "star.png"), cv2.IMREAD_UNCHANGED)
    drawn = draw_art.ART["star"]()
    assert drawn.shape == stored.shape
    difference = np.abs(drawn.astype(int) - stored)
    assert difference.mean() < 0.1, "run python tools/draw_art.py"


def test_every_picture_can_be_loaded_and_drawn() -> None:
    canvas, box = Canvas((800, 480)), pygame.Rect(10, 20, 200, 120)
    for name in draw_art.ART:
        canvas.clear()
        drawn = canvas.draw_art(name, box)
        assert box.contains(drawn), name
        assert drawn.w == box.w or drawn.h == box.h, name
        assert load_art(name) is load_art(name), name
        assert pygame.transform.average_color(canvas.surface, drawn)[:3] != (0, 0, 0), name


def test_a_dimmed_object_is_darker() -> None:
    bright, dim = Canvas((800, 480)), Canvas((800, 480))
    for canvas, dimmed in ((bright, False), (dim, True)):
        canvas.draw_art("die_1", pygame.Rect(0, 0, 100, 100), dimmed=dimmed)
    assert sum(dim.surface.get_at((45, 60))[:3]) < sum(bright.surface.get_at((45, 60))[:3]) * 2 / 3


def test_a_missing_object_is_refused() -> None:
    with pytest.raises(KeyError, match="unicorn"):
        Canvas((800, 480)).draw_art("unicorn", pygame.Rect(0, 0, 10, 10))


def test_no_value_can_be_read_of_a_die_that_turns() -> None:
    """The text beside it tells another one already: its pips are smeared, none as dark as those of a die that lies."""
    pictures = [name for name in draw_art.ART if name.startswith("die_tumble_")]
    assert len(pictures) == 8
    for name in ["die_5", *pictures]:
        light = pygame.surfarray.array3d(load_art(name)).max(axis=2)[pygame.surfarray.array_alpha(load_art(name)) > 249]
        assert bool(np.percentile(light, 1) > 100) is (name != "die_5"), name
