"""Games that play themselves, from the lobby to the result."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from companion.app.self_play import ScreenshotRecorder
from companion.vision.table.watcher import make_dice_and_lid_watcher
from tests.app.self_play import Observed, TableReadingWatcher


@pytest.mark.full
@pytest.mark.parametrize(
    ("players", "variant"),
    [(2, "basic"), (6, "easy"), (4, "basic")],
)
def test_a_game_plays_itself_to_the_end(tmp_path: Path, players: int, variant: str) -> None:
    observed = Observed(tmp_path, TableReadingWatcher(Random(1)), players, players, variant=variant)
    scores = observed.play()
    assert len(scores) == players
    observed.check(scores)


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.full)])
def test_readings_that_are_wrong_or_unsure_are_put_right_by_the_people(tmp_path: Path, seed: int) -> None:
    observed = Observed(tmp_path, TableReadingWatcher(Random(seed), wrong=0.5), seed, 3, rounds=3)
    observed.check(observed.play())


@pytest.mark.full
def test_the_same_seed_is_the_same_session(tmp_path: Path) -> None:
    reported = []
    for folder in (tmp_path / "one", tmp_path / "two"):
        observed = Observed(folder, TableReadingWatcher(Random(0)), 7, 4, rounds=2)
        observed.play()
        reported.append(observed.reported)
    assert reported[0] == reported[1]


def test_a_game_without_dice_plays_itself(tmp_path: Path) -> None:
    """Macroscope M12."""
    observed = Observed(tmp_path, TableReadingWatcher(Random(0)), 3, 3, rounds=3, dice="off")
    observed.check(observed.play())
    assert observed.thrown == []


@pytest.mark.full
def test_through_the_cameras_frames_the_journal_tells_what_was_done(tmp_path: Path) -> None:
    """Only frames connect the players and the game; a picture of each phase is saved."""
    shots = ScreenshotRecorder(tmp_path)
    observed = Observed(tmp_path, make_dice_and_lid_watcher(), 3, 2, shots=shots, rounds=1)
    observed.check(observed.play())
    words = {path.stem.split("-", 1)[1] for path in shots.saved}
    assert {"macroscope-lobby", "macroscope-play-roll", "macroscope-play-open", "macroscope-play-cover"} <= words
    assert any("result" in word for word in words)
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in shots.saved)


@pytest.mark.proof
@pytest.mark.parametrize("seed", range(5))
def test_ten_rounds_through_the_cameras_frames(tmp_path: Path, seed: int) -> None:
    observed = Observed(tmp_path, make_dice_and_lid_watcher(), seed, 2 + seed)
    observed.check(observed.play())


@pytest.mark.proof
@pytest.mark.parametrize("players", range(2, 7))
def test_fifty_games_of_every_number_of_players(tmp_path: Path, players: int) -> None:
    for seed in range(1, 51):
        folder = tmp_path / str(seed)
        folder.mkdir()
        observed = Observed(folder, TableReadingWatcher(Random(seed)), seed, players)
        observed.check(observed.play())
        observed.journal.close()
