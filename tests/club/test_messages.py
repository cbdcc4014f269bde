"""Messages of tables: what is read, and what is refused with which reason."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from companion.club.messages import (
    MAX_MESSAGE_BYTES,
    BadMessage,
    PlayerResult,
    TableResult,
    is_table_id,
    parse_index,
    parse_result,
    parse_state,
)
from tests.club.build import build_result_object
from tests.conftest import REPOSITORY

PLAYER = {"name": "Ada", "seat": 0, "score": 1, "won": True, "place": 1}


def encode(message: object) -> bytes:
    return json.dumps(message).encode()


def test_a_result_is_read() -> None:
    result = parse_result(encode(build_result_object(name="Tuesday")), "hall-1")
    assert (result.sitting, result.revision, result.game, result.name) == ("0a1b2c3d", 5, "pig", "Tuesday")
    assert [(p.name, p.seat, p.score, p.won, p.began) for p in result.players] == [
        ("Ada", 0, 12, True, True),
        ("Bob", 1, 7, False, False),
    ]
    assert result.ended.isoformat() == "2026-11-23T21:00:00+00:00"


def test_the_example_of_the_documents_is_a_whole_result() -> None:
    page = (REPOSITORY / "docs/porch.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    message = json.loads(example.replace("…", "0123"))
    assert message.keys() == TableResult.model_fields.keys()
    assert message["players"][0].keys() == PlayerResult.model_fields.keys()
    assert parse_result(encode(message), "hall-3").players[0].score == 42


def test_texts_are_in_normal_form() -> None:
    """Marks of direction would show "\\u202eevil" as "live", on the page as at a terminal."""
    result = parse_result(encode(build_result_object(title="\u202ePig\u200b", scores=(("\u202eZoe\u0308 ", 1),))))
    assert (result.title, result.players[0].name) == ("Pig", "Zoë")
    state = parse_state(
        encode({"version": 1, "table": "hall-1", "table_name": "\u202eA", "headline": "B\u2066"}), "hall-1"
    )
    assert (state.table_name, state.headline) == ("A", "B")


def test_a_name_may_grow_in_normal_form_up_to_80_letters() -> None:
    name = parse_result(encode(build_result_object(scores=(("\u0958" * 40, 1),)))).players[0].name
    assert name == "\u0915\u093c" * 40


def test_fields_of_later_programs_are_ignored() -> None:
    assert parse_result(encode(build_result_object() | {"weather": "rain"})).sitting == "0a1b2c3d"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"version": 2}, "version must be 1, not 2"),
        ({"table": "Hall 1"}, "table"),
        ({"table": "hall-2"}, 'it names the table "hall-2" under the topic of "hall-1"'),
        ({"sitting": "../etc"}, "sitting"),
        ({"revision": -1}, "revision must be 0 or more, not -1"),
        ({"revision": 2**40}, "revision"),
        ({"finished": "yes"}, "finished must be true or false"),
        ({"game": "pig; drop table"}, "game"),
        ({"title": "x" * 81}, "title must be at most 80 characters long"),
        ({"title": "\u0958" * 50}, "title: it is too long: at most 80 letters"),
        ({"title": "a\x00b"}, "title"),
        ({"title": "\x1b[2J"}, "title"),
        ({"ended": "2026-11-23T21:00:00"}, "ended"),
        ({"ended": "yesterday"}, "ended"),
        ({"ended": "0001-01-01T00:00:00+14:00"}, "ended: it is no time from 1970 to 9892"),
        ({"started": "9999-12-31T23:59:59Z"}, "started"),
        ({"revision": 100_001}, "revision"),
        ({"players": [PLAYER, PLAYER | {"seat": 1, "name": "ADA\u200b"}]}, "two players have the same name"),
        ({"players": [PLAYER | {"name": "\u202e\u200b"}]}, "players.0.name"),
        ({"duration_s": -1}, "duration_s must be 0 or more"),
        ({"players": []}, "players"),
        ({"players": [PLAYER] * 13}, "players"),
        ({"players": [PLAYER, PLAYER | {"name": "Bob"}]}, "two players have the same seat"),
        ({"players": [PLAYER, PLAYER | {"seat": 1}]}, "two players have the same name"),
        ({"players": [PLAYER | {"place": 0}]}, "a place cannot be"),
        ({"players": [PLAYER | {"won": False, "place": 2}]}, "a place cannot be"),
        ({"players": [PLAYER | {"place": 2}, PLAYER | {"seat": 1, "name": "Bob", "won": False}]}, "a place cannot be"),
        ({"players": [PLAYER | {"name": "  "}]}, "players.0.name"),
        ({"players": [PLAYER | {"name": "\u0958" * 50}]}, "players.0.name: it is too long: at most 80 letters"),
        ({"players": [PLAYER | {"score": "1"}]}, "players.0.score must be a whole number"),
        ({"players": [PLAYER | {"score": 2**40}]}, "players.0.score"),
        ({"players": "Ada"}, "players must be a list"),
    ],
)
def test_a_wrong_result_is_refused(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadMessage) as caught:
        parse_result(encode(build_result_object(**changes)), "hall-1")
    assert reason in str(caught.value)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"null",
        b"[" * 60_000,
        b"1" * 60_000,
        b'{"version":1,"version":2}',
        b'"\\ud800"',
        b'{"version": NaN}',
        b"{}" * 40_000,
    ],
    ids=["empty", "torn", "no text", "null", "deep", "long number", "twice", "surrogate", "NaN", "too long"],
)
def test_noise_is_refused_in_one_line(payload: bytes) -> None:
    for parse in (parse_result, parse_index, parse_state):
        with pytest.raises(BadMessage) as caught:
            parse(payload, "hall-1")
        assert str(caught.value).isprintable()


def test_a_message_of_the_greatest_length_is_read() -> None:
    text = encode(build_result_object() | {"padding": ""})
    padded = text.replace(b'"padding": ""', b'"padding": "' + b"x" * (MAX_MESSAGE_BYTES - len(text)) + b'"')
    assert len(padded) == MAX_MESSAGE_BYTES
    assert parse_result(padded).sitting == "0a1b2c3d"
    with pytest.raises(BadMessage, match="too many"):
        parse_result(padded + b" ")


def test_an_index_names_revisions() -> None:
    index = parse_index(encode({"version": 1, "table": "hall-1", "results": {"0a1b2c3d": 5}}), "hall-1")
    assert index.results == {"0a1b2c3d": 5}
    with pytest.raises(BadMessage):
        parse_index(encode({"version": 1, "table": "hall-1", "results": {"no id": 5}}), "hall-1")


@pytest.mark.parametrize(
    ("text", "expected"),
    [("hall-1", True), ("a" * 40, True), ("a" * 41, False), ("", False), ("Hall", False), ("é", False), ("a\n", False)],
)
def test_ids_of_tables(text: str, expected: bool) -> None:
    assert is_table_id(text) is expected
