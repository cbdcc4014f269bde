"""The gallery for plug-ins: builds the sample screens of a game of another distribution.

What `__all__` lists belongs to the contract of `companion.api` and has its version.
"""

from companion.gallery.fixtures import (
    PLAYER_NAMES,
    get_refusal_notice,
    make_confirmation,
    open_dialog,
    play_moves,
    show_game,
)
from companion.screen_state import ScreenState

__all__ = [
    "PLAYER_NAMES",
    "ScreenState",
    "get_refusal_notice",
    "make_confirmation",
    "open_dialog",
    "play_moves",
    "show_game",
]
