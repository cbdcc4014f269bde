"""The pictures of the documentation can be drawn from the program as it is, and none is missing or left over."""

from __future__ import annotations

import re

import draw_docs_pictures
import pytest

from tests.conftest import REPOSITORY


@pytest.mark.full
def test_the_pictures_of_the_page_are_those_that_are_drawn() -> None:
    shown = re.findall(r"\(images/(face-[\w-]+\.png)\)", (REPOSITORY / "docs/face.md").read_text(encoding="utf-8"))
    assert sorted(draw_docs_pictures.draw_face_pictures()) == sorted(shown)


def test_the_moments_of_the_games_page_are_those_that_are_drawn() -> None:
    shown = re.findall(r"\(images/([\w-]+\.png)\)", (REPOSITORY / "docs/playing.md").read_text(encoding="utf-8"))
    assert sorted({*draw_docs_pictures.draw_games(), draw_docs_pictures.SELF_PLAY_PICTURE}) == sorted(shown)


@pytest.mark.full
def test_the_picture_of_the_page_on_dice_is_drawn() -> None:
    shown = re.findall(r"\(images/([\w-]+\.png)\)", (REPOSITORY / "docs/dice-test.md").read_text(encoding="utf-8"))
    assert sorted(draw_docs_pictures.draw_dice_page()) == sorted(shown)
