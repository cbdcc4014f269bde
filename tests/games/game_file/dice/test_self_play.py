"""Games with dice in files play themselves through camera frames: every throw is read right, or asked about."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion.api.registry import find_game
from companion.app import self_play
from companion.app.self_play import SelfPlay
from companion.app.session import SessionConfig
from companion.journal.database import JOURNAL_FILE, Journal
from companion.vision.tray.watcher import make_dice_tray_watcher

SEEDS = range(*map(int, os.environ.get("SEEDS", "0:50").split(":")))
MAX_SECONDS = 2400.0
"""Time of the simulated table in which a game ends."""


@pytest.fixture(autouse=True)
def _ten_frames_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(self_play, "FRAME_SECONDS", 0.1)


def play_through_frames(name: str, seed: int, folder: Path) -> dict[str, int]:
    """Play a game to its end; return the numbers of throws, of questions, and of throws that were not as thrown."""
    definition = find_game(name)
    players = ("Ada",) if definition.player_counts[0] == 1 else ("Ada", "Bob")
    counts = {"throws": 0, "asked": 0, "wrong": 0}
    with Journal(folder / JOURNAL_FILE) as journal:
        config = SessionConfig(definition, players, definition.settings_model(), seed)
        play = SelfPlay(config, journal, make_dice_tray_watcher(), lambda _line: None)
        seen, question = 0, None
        while play.clock.now < MAX_SECONDS:
            state = play.step()
            counts["asked"] += state.kind == "play" and state.question is not None and state.question != question
            question = state.question
            saved_game = play.session.saved_game
            if saved_game is None or saved_game.last_seq == seen:
                continue
            seen, played = saved_game.last_seq, saved_game.last_played
            if played is not None and played.kind == "throw":
                counts["throws"] += 1
                # Dice of the same value are the same to the game, whichever of them lay there before.
                counts["wrong"] += tuple(sorted(played.value)) != play.players.thrown
            if saved_game.game.compute_outcome() is not None:
                return counts
    raise AssertionError(f"{name}, seed {seed}: no end")


@pytest.mark.proof
@pytest.mark.parametrize("name", ["yacht", "farkle"])
def test_fifty_games_are_read_right_or_asked_about(name: str, tmp_path: Path) -> None:
    """Issue 19: Yacht and Farkle for 50 seeds, every reading right or asked."""
    sums = {"games": 0, "throws": 0, "asked": 0, "wrong": 0}
    for seed in SEEDS:
        folder = tmp_path / f"{seed}"
        folder.mkdir()
        counts = play_through_frames(name, seed, folder) | {"games": 1}
        sums = {key: value + counts[key] for key, value in sums.items()}
        print(name, seed, counts, flush=True)
    print(name, sums)
    assert sums["wrong"] == 0
