"""Sizes and languages at which `make check` draws every sample; `make proof` draws all that are supported."""

from __future__ import annotations

from companion.i18n import DEFAULT_LANGUAGE, LANGUAGES

CORNERS = (
    *(((800, 480), code) for code in LANGUAGES),
    ((1920, 1080), DEFAULT_LANGUAGE),
    *(((480, 800), code) for code in LANGUAGES if code != DEFAULT_LANGUAGE),
)
"""The smallest screen and an upright one, in which the longest words are tight; and a large one, in one language."""
TELLING_CORNERS = r"800x480-de"
"""The one that finds most, for `make test`: the longest words on the smallest screen."""
