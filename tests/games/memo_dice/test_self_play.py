"""Self-play of Memo Dice through the frames of the simulated camera."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from companion.app.self_play import SelfPlay
from companion.app.session import SessionConfig
from companion.events import MemoColour
from companion.games.memo_dice import GAME, Settings
from companion.games.memo_dice.simulator.player import MemoDicePlayers
from companion.games.memo_dice.simulator.table import MemoDiceTable
from companion.journal.database import Journal
from companion.journal.die_pictures import PICTURES_FOLDER
from companion.vision.cups.watcher import CupRowWatcher


@pytest.mark.full
def test_rolls_and_covers_are_journalled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reported: list[str] = []
    rolled: list[MemoColour] = []
    with Journal(tmp_path / "journal.sqlite3") as journal:
        plan = SessionConfig(GAME, ("Ada", "Bob"), Settings(dice=3, target_square=4), 1)
        game = SelfPlay(plan, journal, CupRowWatcher(), reported.append)
        table, people = game.table, game.players
        assert isinstance(table, MemoDiceTable)
        assert isinstance(people, MemoDicePlayers)
        roll = table.roll

        def noted(rng: random.Random, now: float) -> MemoColour:
            rolled.append(roll(rng, now))
            return rolled[-1]

        monkeypatch.setattr(table, "roll", noted)
        game.play()
        saved_game = game.session.saved_game
        assert saved_game is not None
        moves: list[Any] = [step.played for step in saved_game.replay.steps]
        uid = journal.get_game(saved_game.id).uid
    dice = [move for move in moves if move.kind in {"show", "show gold", "die", "gold"}]
    # Two of three dice are entered by their colours; the last is golden, and its colour is unknown.
    assert [move.value for move in dice] == [(int(p),) if i % 3 < 2 else () for i, p in enumerate(rolled)]
    assert people.pressed_by_hand <= 1, "only an uncertain lift is entered by a press"
    assert any(move.kind == "lift" for move in moves)
    assert len(list((tmp_path / PICTURES_FOLDER / uid).iterdir())) == len(rolled)
