"""Any game plays itself as people would: own keys, numbers on the keys, turns and clocks, and an end."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.app.self_play import SelfPlay
from companion.app.session import SessionConfig
from companion.games.score_keeper import GAME, Settings
from companion.games.score_keeper.simulator.player import ScoreKeeperPlayers
from companion.journal.database import Journal
from companion.journal.entry import EntryKind, GameSetup
from tests.games.results import find_winners
from tests.games.score_keeper.plain_scoring import PlainKeeper
from tests.games.score_keeper.positions import draw_rules

PLAYERS = range(1, 7)


def play(folder: Path, players: int, seed: int, settings: Settings) -> tuple[SelfPlay, PlainKeeper]:
    """Play from the lobby to the result; every score and time agrees with the plain scoring of the journal's moves."""
    folder.mkdir(parents=True, exist_ok=True)
    reported: list[str] = []
    with Journal(folder / "journal.sqlite3", wall=lambda: 0.0, monotonic=lambda: 0.0) as journal:
        game = SelfPlay(
            SessionConfig(GAME, (), settings, seed),
            journal,
            None,
            reported.append,
            default_player_count=players,
        )
        scores = game.play()
        entries = [entry.what for entry in journal.read_entries(1)]
        setup = GameSetup.from_json(journal.get_game(1).setup_json)
    assert {what.kind for what in entries} == {EntryKind.MOVE}
    assert len(setup.players) == players
    assert setup.settings == settings.model_dump(mode="json")
    moves = [what.played.to_move() for what in entries if what.played]
    plain = PlainKeeper(players, setup.settings)
    for move in moves:
        plain.press(move.kind, -1 if move.seat is None else move.seat, *move.value)
    assert plain.over
    assert list(scores) == plain.totals()
    assert game.session.saved_game is not None
    assert set(find_winners(game.session.saved_game.game)) == plain.winners()
    assert isinstance(game.players, ScoreKeeperPlayers)
    assert game.players.entered == [move.value[0] for move in moves if move.kind == "add"]
    return game, plain


def check_preset(tmp_path: Path, preset: Any, players: int) -> None:
    _game, plain = play(tmp_path, players, 1, preset.settings)
    if preset.settings.has_turns:
        assert min(turns for turns, _all, _longest in plain.times()) >= 1
        assert max(longest for _turns, _all, longest in plain.times()) > 30, "people think"
    else:
        assert plain.turns == []


@pytest.mark.sampled(2, full=3)
@pytest.mark.parametrize("preset", GAME.presets, ids=lambda preset: preset.title)
def test_every_usual_kind_plays_itself(tmp_path: Path, preset: Any) -> None:
    """Each with another number of players; all of them in the proof."""
    check_preset(tmp_path, preset, 4 if preset.settings.teams else GAME.presets.index(preset) % 4 + 1)


@pytest.mark.proof
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("preset", GAME.presets, ids=lambda preset: preset.title)
def test_every_usual_kind_plays_itself_for_all_players(tmp_path: Path, preset: Any, players: int) -> None:
    check_preset(tmp_path, preset, players)


@pytest.mark.parametrize("players", [5, 6])
@pytest.mark.proof
def test_any_rules_play_themselves(tmp_path: Path, players: int) -> None:
    play(tmp_path, players, 1, Settings.model_validate(draw_rules(Random(players))))


@pytest.mark.proof
@pytest.mark.parametrize("players", PLAYERS)
def test_fifty_games_by_any_rules(tmp_path: Path, players: int) -> None:
    for seed in range(50):
        play(tmp_path / str(seed), players, seed, Settings.model_validate(draw_rules(Random(seed))))
