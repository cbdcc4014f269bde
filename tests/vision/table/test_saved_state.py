"""The watcher's stored state survives a file, and damaged values are refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from companion.vision.reading import Die, LidWindow
from companion.vision.table.saved_state import WatcherState, parse_watcher_state

WINDOWS = {0: LidWindow((10.5, 20.0), 30.0, True, 4, 0.97), 7: LidWindow((1.0, 2.0), 30.0, None, None, 0.0)}
FULL = WatcherState(
    (720, 1280, 3), {"points": [[0.0, 1.0]]}, WINDOWS, (Die(5, (1.0, 2.0, 3.0, 4.0), 0.99),), (0.0, 0.0, 9.0, 9.0)
)
EMPTY = WatcherState((720, 1280), None, {}, None, None)


@pytest.mark.parametrize("kept", [FULL, EMPTY, WatcherState((720, 1280), None, {}, (), None)])
def test_the_state_survives_json(kept: WatcherState) -> None:
    assert parse_watcher_state(json.loads(json.dumps(kept.to_json()))) == kept


def test_unread_dice_differ_from_no_dice() -> None:
    never = json.loads(json.dumps(EMPTY.to_json()))
    none = json.loads(json.dumps(WatcherState((720, 1280), None, {}, (), None).to_json()))
    assert parse_watcher_state(never).dice is None
    assert parse_watcher_state(none).dice == ()


@pytest.mark.parametrize(
    "broken",
    [
        {},
        {**FULL.to_json(), "windows": [[0, [1.0], 30.0, True, 4, 0.9]]},
        {**FULL.to_json(), "windows": None},
        {**FULL.to_json(), "tray": [1.0, 2.0, 3.0]},
        {**FULL.to_json(), "dice": [[5, [1.0, 2.0, 3.0, "x"], 0.9]]},
    ],
)
def test_damaged_values_are_refused(broken: dict[str, Any]) -> None:
    with pytest.raises((KeyError, TypeError, ValueError, IndexError)):
        parse_watcher_state(broken)
