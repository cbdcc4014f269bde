"""What every game of the companion must pass, for the tests of games in other distributions too.

`GameSuite` is the whole of it: a class of pytest tests, to be derived from once for each game. The other names are its
parts. It needs pytest, which the companion itself does not: `pip install '.[testing]'` in the project's folder. What
`__all__` lists belongs to the contract of `companion.api` and has its version.
"""

import os

import pytest

# Before anybody imports pygame: tests need no screen and no sound.
os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
# So that a failed assertion in here shows the values, as in a test module.
for _module in ("checks", "motion", "random_players", "screens", "suite", "table", "translations"):
    pytest.register_assert_rewrite(f"{__name__}.{_module}")

from companion.testing.checks import (  # noqa: E402 - rewritten first
    check_addressed_seat,
    check_inputs,
    check_refusals,
    check_texts,
    check_unchanged_entries,
    correct_at_random,
    is_legal,
    list_keys,
    list_menu,
)
from companion.testing.random_players import RandomPlayers  # noqa: E402 - as above
from companion.testing.screens import find_problems  # noqa: E402 - as above
from companion.testing.suite import GameSuite  # noqa: E402 - as above
from companion.testing.table import TableUnderTest, open_tables  # noqa: E402 - as above

__all__ = [
    "GameSuite",
    "RandomPlayers",
    "TableUnderTest",
    "check_addressed_seat",
    "check_inputs",
    "check_refusals",
    "check_texts",
    "check_unchanged_entries",
    "correct_at_random",
    "find_problems",
    "is_legal",
    "list_keys",
    "list_menu",
    "open_tables",
]
