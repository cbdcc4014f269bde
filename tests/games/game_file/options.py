"""House rules of the shipped files, drawn at random."""

from __future__ import annotations

from random import Random

from companion.api.registry import find_game


def draw_options(name: str, random: Random) -> dict[str, int]:
    """A value for each house rule, as the lobby could choose it."""
    return {option.id: random.choice(option.list_values()) for option in find_game(name).file.options}
