"""Sizes and languages at which `make check` draws every sample; `make proof` draws all that are supported."""

from __future__ import annotations

CORNERS = (
    ((800, 480), "en"),
    ((800, 480), "it"),
    ((800, 480), "de"),
    ((1920, 1080), "en"),
    ((480, 800), "it"),
    ((480, 800), "de"),
)
"""The smallest screen and an upright one, in which the longest words are tight; and a large one, in one language."""
TELLING_CORNERS = r"800x480-de"
"""The one that finds most, for `make test`: the longest words on the smallest screen."""
