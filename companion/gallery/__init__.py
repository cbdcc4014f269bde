"""States of the screen as they occur in an evening: for the gallery (`companion gallery`), and for the tests.

Each module has `samples()`: what the display is told, by a name that begins with the phase, in the language that is
spoken when it is called.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.gallery import finished_games, lobby, macroscope, memo_dice, pictomania, secret_number, setup, starfall
from companion.screen_state import Shown

STATES: Mapping[str, Callable[[], Mapping[str, Shown]]] = {
    "macroscope": macroscope.samples,
    "setup": setup.samples,
    "ended": finished_games.samples,
    "lobby": lobby.samples,
    "memo_dice": memo_dice.samples,
    "pictomania": pictomania.samples,
    "secret_number": secret_number.samples,
    "starfall": starfall.samples,
}
"""By place or game: what makes its states."""


def everything() -> dict[str, Mapping[str, Shown]]:
    """All states, by place or game, by name."""
    return {name: states() for name, states in STATES.items()}
