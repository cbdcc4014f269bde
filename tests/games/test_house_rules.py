"""House rules are part of settings files and journals: each change of a name, default or bound is deliberate.

After such a change: `python -m tests.games.test_house_rules` writes house_rules.json again.
"""

import json
from pathlib import Path
from typing import Any

from companion.api.registry import find_game, list_installed_names

EXPECTED = Path(__file__).with_name("house_rules.json")
KEPT = (
    "default",
    "minimum",
    "maximum",
    "enum",
    "const",
    "step",
    "low",
    "high",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
)


def describe_house_rules() -> dict[str, dict[str, Any]]:
    """Return default, bounds and choices of each house rule, by game and name; options nested as in the schema."""
    return {
        name: _describe_model(find_game(name).settings_model.model_json_schema()) for name in list_installed_names()
    }


def _describe_model(schema: dict[str, Any]) -> dict[str, Any]:
    models = schema.get("$defs", {})
    rules = {name: _pick(rule) for name, rule in schema["properties"].items()}
    return rules | {
        f"({name})": {k: _pick(v) for k, v in m.get("properties", {}).items()} for name, m in models.items()
    }


def _pick(rule: dict[str, Any]) -> dict[str, Any]:
    picked = {key: rule[key] for key in KEPT if key in rule}
    for key in ("items", "additionalProperties", "prefixItems", "anyOf"):
        nested = rule.get(key)
        if isinstance(nested, dict):
            picked[key] = _pick(nested)
        elif isinstance(nested, list):
            picked[key] = [_pick(each) for each in nested]
    return picked


def test_names_defaults_and_bounds_are_as_recorded() -> None:
    for name in list_installed_names():
        model = find_game(name).settings_model
        assert model.model_validate(model().model_dump(mode="json")) == model(), "the defaults go together"
    assert json.loads(json.dumps(describe_house_rules())) == json.loads(EXPECTED.read_text(encoding="utf-8"))


if __name__ == "__main__":
    EXPECTED.write_text(json.dumps(describe_house_rules(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
