"""Rings and one sentence for somebody who is new to a game, as a value of the screen state.

Built by `companion.referee.guide`, drawn by `companion.display.widgets.guide`. Lesson: `companion.lobby.lesson_stage`.
"""

from dataclasses import dataclass

from companion.api import TableAction
from companion.events import Button


@dataclass(frozen=True, slots=True)
class Guide:
    """Leads somebody who is new to a game: at a virtual table all that the table waits for has a ring."""

    buttons: frozenset[Button] = frozenset()
    """Keys with a ring."""
    actions: tuple[TableAction, ...] = ()
    """What is done on the table; where a click does it, there is a ring."""
    sentence: str = ""
    """What to do now, in place of the game's picture, translated; empty: the game's picture stays."""
    is_strict: bool = False
    """The table ignores what is done beside the rings, and reports a `TableMissed`."""
