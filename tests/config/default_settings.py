"""The commented settings file of the package, with the house rules of games added to it."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

from companion.config.settings import format_house_rules
from companion.games import registry
from companion.games.api.offers import GameDefinition


def build_default_text(games: Sequence[GameDefinition] | None = None) -> str:
    """Return a settings file that has every setting with its default, as a comment; `games`: all by default."""
    if games is None:
        games = [registry.find_game(name) for name in registry.list_game_names()]
    parts = [files("companion.config").joinpath("settings.default.toml").read_text(encoding="utf-8")]
    for game in games:
        section, *values = format_house_rules(game, game.settings_model())
        parts.append("\n".join([f"# House rules of {game.title}.", section, *(f"#{value}" for value in values), ""]))
    return "\n".join(parts)
