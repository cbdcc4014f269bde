"""A game's rules are asked for its offers when something has changed, not each time that somebody looks at them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.api import Seat, registry
from companion.app.self_play import SelfPlay
from companion.app.session import SessionConfig
from companion.journal.database import Journal

STEPS = 150
MOST_CALLS_PER_STEP = 3.0


@pytest.mark.parametrize("name", ["farkle", "yacht", "macroscope", "starfall"])
def test_the_rules_list_the_moves_a_few_times_a_step_at_most(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    definition = registry.find_game(name)
    kind: Any = type(definition.create_game(2, Seat(0), definition.settings_model()))
    list_kinds, calls = kind._list_kinds, 0

    def count(game: Any) -> Any:
        """Count whatever asks the rules: lists, offers, refusals."""
        nonlocal calls
        calls += 1
        return list_kinds(game)

    monkeypatch.setattr(kind, "_list_kinds", count)
    with Journal(tmp_path / "journal.sqlite3") as journal:
        config = SessionConfig(definition, (), definition.settings_model(), 1)
        game = SelfPlay(config, journal, None, lambda _line: None)
        for _ in range(STEPS):
            game.step()
        saved_game = game.session.saved_game
    assert saved_game.replay.steps, "they play"
    assert 0 < calls / STEPS <= MOST_CALLS_PER_STEP
