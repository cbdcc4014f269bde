"""All sample states of the screen, of the places and of every game."""

from __future__ import annotations

from companion.shown import Shown
from tests.display import lobby_samples, memo_dice_samples, pictomania_samples, samples, starfall_samples
from tests.display import test_secret_number as secret_number


def everything() -> dict[str, dict[str, Shown]]:
    """By place or game, by name."""
    return {
        "macroscope": samples.samples(),
        "lobby": lobby_samples.samples(),
        "memo_dice": memo_dice_samples.samples(),
        "pictomania": pictomania_samples.samples(),
        "secret_number": secret_number.samples(),
        "starfall": starfall_samples.samples(),
    }
