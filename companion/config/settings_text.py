"""Settings as the text of a settings file."""

import json
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from pydantic import BaseModel

from companion.api import AnyGameDefinition, list_settings, registry


def format_house_rules(definition: AnyGameDefinition, rules: BaseModel) -> list[str]:
    """Return house rules as the lines of their section in a settings file: `[games.NAME]`, then `rule = value`.

    Args:
        rules: an instance of its `settings_model`, in which no value is None.
    """
    values = rules.model_dump(mode="json", include=set(list_settings(type(rules))))
    return [f"[games.{definition.name}]", *(f"{name} = {format_toml(value)}" for name, value in values.items())]


def build_default_text(games: Sequence[AnyGameDefinition] | None = None) -> str:
    """Return the text of a settings file with all settings as comments, each with its default. Nothing is written.

    Args:
        games: games whose house rules are included; None: all installed games.
    """
    if games is None:
        games = registry.load_games()
    parts = [files("companion.config").joinpath("settings.default.toml").read_text(encoding="utf-8")]
    for game in games:
        section, *values = format_house_rules(game, game.settings_model())
        parts.append("\n".join([f"# House rules of {game.title}.", section, *(f"#{value}" for value in values), ""]))
    return "\n".join(parts)


def format_toml(value: Any) -> str:
    """Return a value as TOML 1.0 on one line; a dict becomes an inline table.

    Args:
        value: a JSON value (dict, list, str, int, finite float, bool). None is not refused, but gives `null`, which is
            not TOML.

    Raises:
        TypeError: it is no JSON value.

    >>> format_toml({"3": [2, 1]}), format_toml("basic"), format_toml(True)
    ('{ "3" = [2, 1] }', '"basic"', 'true')
    """
    match value:
        case dict():
            inside = ", ".join(f"{json.dumps(str(name))} = {format_toml(each)}" for name, each in value.items())
            return f"{{ {inside} }}" if inside else "{}"
        case list():
            return f"[{', '.join(format_toml(each) for each in value)}]"
        case _:
            return json.dumps(value, ensure_ascii=False)
