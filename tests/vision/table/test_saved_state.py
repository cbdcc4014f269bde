"""What the watcher keeps over a restart comes back from a file as it was, and what is no such file is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from companion.vision.reading import Die, Window
from companion.vision.table.saved_state import Recall, parsed

WINDOWS = {0: Window((10.5, 20.0), 30.0, True, 4, 0.97), 7: Window((1.0, 2.0), 30.0, None, None, 0.0)}
FULL = Recall(
    (720, 1280, 3), {"points": [[0.0, 1.0]]}, WINDOWS, (Die(5, (1.0, 2.0, 3.0, 4.0), 0.99),), (0.0, 0.0, 9.0, 9.0)
)
EMPTY = Recall((720, 1280), None, {}, None, None)


@pytest.mark.parametrize("kept", [FULL, EMPTY, Recall((720, 1280), None, {}, (), None)])
def test_it_comes_back_from_json_as_it_was(kept: Recall) -> None:
    assert parsed(json.loads(json.dumps(kept.as_json()))) == kept


def test_no_dice_looked_for_is_not_the_same_as_no_dice_there() -> None:
    never = json.loads(json.dumps(EMPTY.as_json()))
    none = json.loads(json.dumps(Recall((720, 1280), None, {}, (), None).as_json()))
    assert parsed(never).dice is None
    assert parsed(none).dice == ()


@pytest.mark.parametrize(
    "broken",
    [
        {},
        {**FULL.as_json(), "windows": [[0, [1.0], 30.0, True, 4, 0.9]]},
        {**FULL.as_json(), "windows": None},
        {**FULL.as_json(), "tray": [1.0, 2.0, 3.0]},
        {**FULL.as_json(), "dice": [[5, [1.0, 2.0, 3.0, "x"], 0.9]]},
    ],
)
def test_what_is_damaged_is_refused(broken: dict[str, Any]) -> None:
    with pytest.raises((KeyError, TypeError, ValueError, IndexError)):
        parsed(broken)
