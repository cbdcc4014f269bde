"""A finger alone plays every game to its end, at the virtual table and where no camera plays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pygame
import pytest

from companion.api import registry
from tests.app.desk import screen
from tests.app.finger_table import FingerSession

__all__ = ["screen"]  # a fixture

GAMES: dict[str, tuple[int, dict[str, Any]]] = {
    "pig": (2, {"goal": 50}),
    "macroscope": (2, {"rounds": 1}),
    "memo_dice": (2, {"target_square": 4}),
    "yacht": (1, {}),
    "farkle": (2, {"goal": 2500, "entry": 0}),
    "counting_tray": (2, {}),
    "secret_number": (2, {"games": 1}),
    "pictomania": (3, {"rounds": 1}),
    "starfall": (2, {}),
    "score_keeper": (2, {"target_points": 30}),
}
"""Number of players and house rules, by game."""
LONG = {"memo_dice", "yacht", "farkle", "counting_tray"}
"""Games that take a finger over ten seconds of processor time."""


@pytest.mark.full
@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.proof) if n in LONG else n for n in GAMES])
def test_a_finger_alone_plays_to_the_result(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pygame.time, "wait", lambda _ms: 0)
    count, rules = GAMES[name]
    definition = registry.find_game(name)
    session = FingerSession(definition, tmp_path, 5, definition.settings_model.model_validate(rules))
    state = session.play(count)
    assert state.outcome is not None
    session.close()


@pytest.mark.proof
@pytest.mark.parametrize("name", ["pig", "yacht", "farkle", "macroscope", "memo_dice"])
def test_no_touch_leads_where_no_other_leads_out(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pygame.time, "wait", lambda _ms: 0)
    count, rules = GAMES[name]
    definition = registry.find_game(name)
    session = FingerSession(definition, tmp_path, 3, definition.settings_model.model_validate(rules))
    assert session.play_at_random(count, 3000) > 0
    session.close()
