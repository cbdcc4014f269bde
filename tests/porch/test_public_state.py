"""What page and broker receive: lines of the published schema, and no secret of the table.

The same for pictures: `test_picture_privacy.py`.
"""

from __future__ import annotations

import json
from dataclasses import replace

import jsonschema
import pytest

from companion.events import Button
from companion.porch.messages import LINE_ADAPTER, MAX_LINE_BYTES, ScoresLine, build_schema
from companion.porch.public_state import describe_table
from companion.porch.score_history import MAX_POINTS
from companion.screen_state import CameraView, DiePicture, EnlargedPicture, ScreenState
from tests.conftest import REPOSITORY

SCHEMA_FILE = REPOSITORY / "docs/porch.schema.json"


def test_lines_are_those_of_the_published_schema(samples: dict[str, ScreenState]) -> None:
    schema = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
    assert schema == build_schema(), "write it again: see CONTRIBUTING.md"
    check = jsonschema.Draft202012Validator(schema)
    for name, sample in samples.items():
        text = describe_table(sample, "hall-1", "By the window", "de").model_dump_json()
        assert len(text) < MAX_LINE_BYTES, name
        check.validate(json.loads(text))
        LINE_ADAPTER.validate_json(text)
    scores = ScoresLine(table="hall-1", points=((2, (10**15,) * 12),) * MAX_POINTS).model_dump_json()
    assert len(scores) < MAX_LINE_BYTES
    check.validate(json.loads(scores))
    LINE_ADAPTER.validate_json(scores)
    with pytest.raises(jsonschema.ValidationError):
        check.validate({"kind": "state", "version": 2, "table": "hall-1", "screen": "play"})


def test_secrets_make_no_difference(samples: dict[str, ScreenState]) -> None:
    """Whatever pictures, marks, readings and half-entered numbers a state holds, the published line is the same."""
    for name, sample in samples.items():
        other = replace(
            sample,
            camera_view=CameraView(),
            die_picture=None if sample.die_picture else DiePicture(1, b"secret"),
            entered_numbers=(6, 6) if not sample.entered_numbers else (),
            marked_dice=(),
            enlarged=sample.enlarged and EnlargedPicture(),  # that it is open is published, not its marks
            pressed_buttons=frozenset(Button),
        )
        assert describe_table(other, "hall-1") == describe_table(sample, "hall-1"), name
