"""Builds the discovery messages by which Home Assistant finds the table at the broker (docs/porch.md)."""

from typing import Any

from companion import __version__, find_repository
from companion.porch.broker import TOPIC_ROOT

DISCOVERY_ROOT = "homeassistant"
"""First level of the topics in which Home Assistant looks for devices."""
SCORES = (
    "{% set scores = namespace(by_name={}) %}{% for player in value_json.players if player.score is not none %}"
    "{% set scores.by_name = dict(scores.by_name, **{player.name: player.score}) %}{% endfor %}"
    "{{ {'round': value_json.round, 'rounds': value_json.rounds, 'scores': scores.by_name} | tojson }}"
)
"""Template of the attributes of the game: they change a few times in a round."""
EVENT_TYPES = ("game_began", "turn", "reveal", "result", "device_lost", "device_restored")
"""The `event_type` of all events in docs/porch.md."""


def _list_names(seats: str) -> str:
    """Return the template of the names of the players at some seats, a field of the state."""
    chosen = f"value_json.players | selectattr('seat', 'in', value_json.{seats}) | map(attribute='name') | join(', ')"
    return f"{{{{ ({chosen})[:255] }}}}"


def build_discovery(table: str, table_name: str = "", page_address: str = "") -> dict[str, dict[str, Any]]:
    """Build the message by which Home Assistant finds a table, by its topic.

    It is one message for the device with all its entities, as Home Assistant reads since 2024.11
    (https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload); an empty one removes them all.

    Args:
        table: id of the table.
        table_name: its name for people; empty: its id.
        page_address: address of the spectators' page; empty: none.
    """
    root, unique = f"{TOPIC_ROOT}/{table}", f"{TOPIC_ROOT}-{table}"
    device = {
        "identifiers": [unique],
        "name": table_name or table,
        "manufacturer": "board-game-companion",
        "model": "Board game companion",
        "sw_version": __version__,
    }
    if page_address:
        device["configuration_url"] = page_address
    entities: dict[tuple[str, str], dict[str, Any]] = {
        ("binary_sensor", "playing"): {
            "name": "Playing",
            "icon": "mdi:dice-multiple",
            "state_topic": f"{root}/state",
            "value_template": "{{ 'ON' if value_json.kind == 'play' else 'OFF' }}",
        },
        ("sensor", "game"): {
            "name": "Game",
            "icon": "mdi:cards",
            "state_topic": f"{root}/state",
            "value_template": "{{ value_json.title }}",
            # Not the whole state: Home Assistant keeps each change of an attribute.
            "json_attributes_topic": f"{root}/state",
            "json_attributes_template": SCORES,
        },
        ("sensor", "headline"): {
            "name": "Headline",
            "icon": "mdi:bullhorn",
            "state_topic": f"{root}/state",
            "value_template": "{{ value_json.headline[:255] }}",  # Home Assistant refuses longer states
        },
        ("sensor", "turn"): {
            "name": "Turn",
            "icon": "mdi:account-arrow-right",
            "state_topic": f"{root}/state",
            "value_template": _list_names("active_seats"),
        },
        ("sensor", "winner"): {
            "name": "Winner",
            "icon": "mdi:trophy",
            "state_topic": f"{root}/state",
            "value_template": _list_names("winners"),
        },
        ("event", "event"): {
            "name": "Event",
            "icon": "mdi:bell",
            "state_topic": f"{root}/event",
            "event_types": list(EVENT_TYPES),
        },
    }
    components = {
        key: {"platform": platform, "unique_id": f"{unique}-{key}", "qos": 1} | entity
        for (platform, key), entity in entities.items()
    }
    origin = {"name": "board-game-companion", "sw_version": __version__}
    if address := find_repository():
        origin["support_url"] = address
    message = {
        "device": device,
        "origin": origin,
        "availability_topic": f"{root}/status",
        "components": components,
    }
    return {f"{DISCOVERY_ROOT}/device/{unique}/config": message}
