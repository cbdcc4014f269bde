"""The pictures of docs/face.md can be drawn from the gallery as it is, and none is missing or left over."""

from __future__ import annotations

import re

import draw_face

from tests.conftest import REPOSITORY


def test_the_pictures_of_the_page_are_those_that_are_drawn() -> None:
    shown = re.findall(r"\(images/(face-[\w-]+\.png)\)", (REPOSITORY / "docs/face.md").read_text(encoding="utf-8"))
    assert sorted(draw_face.pictures()) == sorted(shown)
