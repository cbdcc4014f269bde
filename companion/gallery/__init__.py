"""States of the screen as they occur in an evening: for the gallery (`companion gallery`), and for the tests.

Each module has `samples()`: what the display is told, by a name that begins with the phase, in the language that is
spoken when it is called.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.gallery import finished_games, lobby, macroscope, memo_dice, pictomania, secret_number, setup, starfall
from companion.screen_state import ScreenState

SAMPLE_BUILDERS: Mapping[str, Callable[[], Mapping[str, ScreenState]]] = {
    "macroscope": macroscope.build_samples,
    "setup": setup.build_samples,
    "ended": finished_games.build_samples,
    "lobby": lobby.build_samples,
    "memo_dice": memo_dice.build_samples,
    "pictomania": pictomania.build_samples,
    "secret_number": secret_number.build_samples,
    "starfall": starfall.build_samples,
}
"""By place or game: what makes its states."""


def build_all_samples() -> dict[str, Mapping[str, ScreenState]]:
    """All states, by place or game, by name."""
    return {name: states() for name, states in SAMPLE_BUILDERS.items()}
