"""Home Assistant finds the table at the broker: every field of its discovery is documented."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import jinja2
import pytest

from companion.porch.broker import BrokerAccess
from companion.porch.home_assistant import EVENT_TYPES, build_discovery
from companion.porch.messages import HelloLine
from companion.porch.mqtt import MqttBridge
from companion.porch.public_state import describe_table
from companion.porch.table_feed import TableFeed
from companion.screen_state import ScreenState
from tests.conftest import REPOSITORY

ROOT = "board-game-companion/hall-1"

# Fields that Home Assistant documents for MQTT discovery; True: required.
# https://www.home-assistant.io/integrations/mqtt/#discovery-payload, .../sensor.mqtt/, .../event.mqtt/
COMMON = {
    "name": False,
    "platform": True,
    "unique_id": True,
    "icon": False,
    "qos": False,
    "json_attributes_topic": False,
    "json_attributes_template": False,
    "value_template": False,
    "state_topic": True,
}
FIELDS: dict[str, dict[str, bool]] = {
    "sensor": COMMON,
    "binary_sensor": COMMON,  # its states are payload_on "ON" and payload_off "OFF" unless said otherwise
    "event": COMMON | {"event_types": True},
}
DEVICE_FIELDS = {"identifiers", "name", "manufacturer", "model", "sw_version", "configuration_url"}
ORIGIN_FIELDS = {"name", "sw_version", "support_url"}


def test_home_assistant_finds_the_table(playing: list[ScreenState]) -> None:
    """Every field is documented, required ones are there, topics are ours, and templates give short texts."""
    ((topic, message),) = build_discovery("hall-1", "By the window", "http://hall-1.local:8788").items()
    assert topic == "homeassistant/device/board-game-companion-hall-1/config"
    assert message.keys() == {"device", "origin", "components", "availability_topic"}
    assert message["device"].keys() <= DEVICE_FIELDS
    assert message["device"]["identifiers"], "it or connections is required"
    assert "name" in message["origin"]
    assert message["origin"].keys() <= ORIGIN_FIELDS
    assert message["availability_topic"] == f"{ROOT}/status"
    found = message["components"]
    assert len({payload["unique_id"] for payload in found.values()}) == len(found) == 6
    for payload in found.values():
        fields = FIELDS[payload["platform"]]
        assert payload.keys() <= fields.keys()
        assert {name for name, required in fields.items() if required} <= payload.keys()
        assert payload["icon"].startswith("mdi:")
        for name in ("state_topic", "json_attributes_topic"):
            assert payload.get(name, ROOT + "/").startswith(f"{ROOT}/")
    assert found["event"]["event_types"] == list(EVENT_TYPES)

    state = replace(playing[0], addressed=playing[0].players[0].seat, prompt="x" * 290)
    line = describe_table(state, "hall-1").model_dump(mode="json") | {"kind": "play"}
    jinja = jinja2.Environment(autoescape=False)
    values = {
        key: jinja.from_string(payload["value_template"]).render(value_json=line)
        for key, payload in found.items()
        if "value_template" in payload
    }
    line["players"] = [{"name": "Ada", "score": 3}, {"name": "Bo", "score": None}]
    attributes = json.loads(jinja.from_string(found["game"]["json_attributes_template"]).render(value_json=line))
    assert attributes == {"round": line["round"], "rounds": line["rounds"], "scores": {"Ada": 3}}
    assert values == {
        "playing": "ON",
        "game": state.title,
        "headline": "x" * 255,  # Home Assistant's limit of a state
        "turn": state.players[0].name,
        "winner": "",
    }


def render(template: str, **values: object) -> Any:
    """Render a template as Home Assistant does: a text that looks like a list or True becomes one."""
    return ast.literal_eval(jinja2.Environment(autoescape=False).from_string(template).render(**values).strip())


def test_the_lamp_of_the_documents_has_the_colour_of_the_turn(playing: list[ScreenState]) -> None:
    page = (REPOSITORY / "docs/porch.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    assert "topic: board-game-companion/hall-3/state\n" in example
    choose, colour = (" ".join(folded.split()) for folded in re.findall(r">-\n((?: {8,}.*\n)+)", example))
    (condition,) = re.findall(r'conditions: "(.*)"', example)
    lines = (describe_table(state, "hall-3").model_dump(mode="json") for state in playing)
    line = next(line for line in lines if len(line["active_seats"]) == 1)
    active = render(choose, trigger={"payload_json": line})
    assert [player["seat"] for player in active] == line["active_seats"]
    assert render(condition, active=active) is True
    assert "#" + bytes(render(colour, active=active)).hex() == active[0]["colour"].lower()


def test_home_assistant_forgets_a_table_that_is_not_for_it_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    feed, published = TableFeed(Path("/nowhere")), dict[str, object]()
    feed.hello = HelloLine(table="hall-1", table_name="Window", path_token="")
    for is_on in (True, False):
        bridge = MqttBridge(feed, BrokerAccess("localhost", 1883), home_assistant=is_on)
        monkeypatch.setattr(bridge, "_publish_at", lambda topic, payload, *, retain: published.update({topic: payload}))
        bridge._publish_all()
        found = [payload for topic, payload in published.items() if topic.startswith("homeassistant/")]
        assert found
        assert all(payload if is_on else payload == "" for payload in found)
    published.clear()
    bridge._publish_all()
    assert [*published] == ["board-game-companion/hall-1/status", "board-game-companion/hall-1/results"]


def test_the_headline_of_a_result_is_no_instruction(samples: dict[str, ScreenState]) -> None:
    result = samples["ended/macroscope_4"]
    assert result.outcome is not None
    covered = replace(result, prompt="Choose below", choices=(1,))
    assert describe_table(result, "hall-1").headline == result.prompt
    assert describe_table(covered, "hall-1").headline == result.outcome.reason
