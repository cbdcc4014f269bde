"""Samples of finished games, and all words of a screen as one text."""

from __future__ import annotations

from companion.gallery.finished_games import build_samples
from companion.screen_state import ScreenState
from companion.testing.screens import SampleStates, draw_texts

SAMPLES_ENDED = SampleStates(build_samples)


def join_texts(shown: ScreenState, size: tuple[int, int] = (1920, 1080)) -> str:
    return " ".join(text.text for text in draw_texts(shown, size))
