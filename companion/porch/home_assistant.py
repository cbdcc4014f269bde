"""Builds the discovery messages by which Home Assistant finds the table at the broker (docs/porch.md)."""

from typing import Any

from companion import __version__
from companion.porch.broker import TOPIC_ROOT

DISCOVERY_ROOT = "homeassistant"
"""First level of the topics in which Home Assistant looks for devices."""
EVENT_TYPES = ("game_began", "turn", "reveal", "result", "device_lost", "device_restored")
"""The `event_type` of all events in docs/porch.md."""


def _list_names(seats: str) -> str:
    """Return the template of the names of the players at some seats, a field of the state."""
    chosen = f"value_json.players | selectattr('seat', 'in', value_json.{seats}) | map(attribute='name') | join(', ')"
    return f"{{{{ ({chosen})[:255] }}}}"


def build_discovery(table: str, table_name: str = "", page_address: str = "") -> dict[str, dict[str, Any]]:
    """Build the messages by which Home Assistant finds a table, by topic.

    They have the fields of https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery (one message for each
    entity, which old and new versions read), and of the pages on the sensor, binary sensor and event of MQTT.

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
            "json_attributes_topic": f"{root}/state",
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
    return {
        f"{DISCOVERY_ROOT}/{component}/{unique}/{key}/config": entity
        | {
            "unique_id": f"{unique}-{key}",
            "availability_topic": f"{root}/status",
            "qos": 1,
            "device": device,
            "origin": {"name": "board-game-companion", "sw_version": __version__},
        }
        for (component, key), entity in entities.items()
    }
