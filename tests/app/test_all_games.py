"""Each of these games plays itself, from lobby to result: every number of players, with the display drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from companion.api import Move, registry
from companion.app.self_play import ScreenshotRecorder, SelfPlay
from companion.app.session import SessionConfig
from companion.journal.database import Journal
from companion.journal.entry import EntryKind, GameSetup
from companion.screen_state import ScreenKind
from tests.definitions import change
from tests.games.differential.comparisons import MEMO_DICE, PICTOMANIA, SECRET_NUMBER
from tests.games.differential.driver import Differential, score_moves
from tests.games.differential.starfall_comparison import STARFALL
from tests.games.game_file.dice.test_random_games import PLAIN_GAMES, PlainTable
from tests.games.game_file.points import test_shelf
from tests.games.game_file.points.plain_games import (
    PlainCribbage,
    PlainGo,
    PlainHearts,
    PlainRummy,
    PlainScores,
)
from tests.games.score_keeper.plain_scoring import PlainKeeper


def memo_dice(setup: GameSetup, moves: Sequence[Move]) -> Sequence[int]:
    squares: Sequence[int] = score(MEMO_DICE, setup, moves).squares
    return squares


def score(differential: Differential, setup: GameSetup, moves: Sequence[Move]) -> Any:
    """Return the scorer of the differential tests after these moves."""
    settings = registry.find_game(differential.name).settings_model.model_validate(setup.settings)
    return score_moves(differential, len(setup.players), setup.first, settings, moves)


def pictomania(setup: GameSetup, moves: Sequence[Move]) -> Sequence[int]:
    totals: Sequence[int] = score(PICTOMANIA, setup, moves).totals
    return totals


def secret_number(setup: GameSetup, moves: Sequence[Move]) -> Sequence[int]:
    totals: Sequence[int] = score(SECRET_NUMBER, setup, moves).totals
    return totals


def starfall(setup: GameSetup, moves: Sequence[Move]) -> Sequence[int]:
    points: Sequence[int] = score(STARFALL, setup, moves).points
    return points


KEPT_SCORES = {
    "carcassonne": {"turn_order": "none"},
    "chess": {"turn_order": "clockwise", "clock": "chess", "extra_seconds": 5, "extra_time": "fischer"},
}
"""Settings of the score keeper that files choose."""


def score_keeper(setup: GameSetup, moves: Sequence[Move]) -> Sequence[int]:
    plain = PlainKeeper(len(setup.players), KEPT_SCORES.get(setup.game) or dict(setup.settings))
    for move in moves:
        plain.press(move.kind, -1 if move.seat is None else move.seat, *move.value)
    return plain.totals()


def dice(name: str) -> Callable[[GameSetup, Sequence[Move]], Sequence[int]]:
    """Score a game with dice that a file describes."""

    def score(setup: GameSetup, moves: Sequence[Move]) -> Sequence[int]:
        plain = PLAIN_GAMES[name](len(setup.players), setup.first)
        played = PlainTable(plain)
        for move in moves:
            played.play(move)
        plain = played.plain
        assert plain.over
        return plain.totals()

    return score


def entered_points(plain_game: type[PlainScores], setup: GameSetup, moves: Sequence[Move]) -> Sequence[int]:
    plain = plain_game(len(setup.players), setup.first)
    for move in moves:
        player = -1 if move.seat is None else move.seat
        if move.kind == "confirm":
            plain.end_hand()
        elif move.kind == "again":
            plain.take_back(player)
        elif move.kind == "take" and isinstance(plain, PlainGo):
            plain.begin(player)
        elif move.kind in ("enter", "add", "point"):
            plain.enter(player, *(move.value or (1,)))
    if isinstance(plain, PlainGo):
        plain.end()
    return plain.points


PLAIN_POINTS: dict[str, type[PlainScores]] = {
    "cribbage_board": PlainCribbage,
    "go": PlainGo,
    "hearts": PlainHearts,
    "rummy": PlainRummy,
}


def shelf(name: str) -> Callable[[GameSetup, Sequence[Move]], Sequence[int]]:
    """Score a game of the shelf whose points are entered."""
    return lambda setup, moves: test_shelf.score_moves(name, len(setup.players), setup.first, moves, setup.settings)


PLAIN: dict[str, Callable[[GameSetup, Sequence[Move]], Sequence[int]]] = {
    "memo_dice": memo_dice,
    "pictomania": pictomania,
    "score_keeper": score_keeper,
    "secret_number": secret_number,
    "starfall": starfall,
    **{name: dice(name) for name in PLAIN_GAMES},
    **{name: partial(entered_points, plain_game) for name, plain_game in PLAIN_POINTS.items()},
    **{name: shelf(name) for name in test_shelf.GAMES},
    **dict.fromkeys(KEPT_SCORES, score_keeper),
}
GAMES = [(name, players) for name in PLAIN for players in registry.find_game(name).player_counts]

IN_FILES = {*PLAIN_GAMES, *PLAIN_POINTS, *test_shelf.GAMES, *KEPT_SCORES}
FEW = [
    pytest.param(name, players, marks=[pytest.mark.full] if name in test_shelf.GAMES else [])
    for name, players in GAMES
    if players == registry.find_game(name).player_counts[0]
    or (name not in IN_FILES and players == registry.find_game(name).player_counts[-1])
]
"""The fewest players, and the most: those of games in files, which take hundreds of presses, are left to the proof."""


SHORT_GAMES = {"skat": {"hands": 12}}
"""House rules of games of which the simulated players rarely enter a round that can be."""


def play(folder: Path, name: str, players: int, seed: int, *, draw: bool) -> tuple[SelfPlay, Journal]:
    folder.mkdir(parents=True, exist_ok=True)
    kit = change(registry.find_game(name), camera=None)
    journal = Journal(folder / "journal.sqlite3", wall=lambda: 0.0, monotonic=lambda: 0.0)
    reported: list[str] = []
    shots = ScreenshotRecorder(folder) if draw else None
    settings = kit.settings_model(**SHORT_GAMES.get(name, {}))
    game = SelfPlay(SessionConfig(kit, (), settings, seed), journal, None, reported.append, shots, players)
    game.play()
    return game, journal


def check(folder: Path, name: str, players: int, seed: int, *, draw: bool) -> SelfPlay:
    game, journal = play(folder, name, players, seed, draw=draw)
    with journal:
        setup = GameSetup.from_json(journal.get_game(1).setup_json)
        entries = [entry.what for entry in journal.read_entries(1)]
        assert {what.kind for what in entries} == {EntryKind.MOVE}
        moves = [what.played.to_move() for what in entries if what.played]
        assert len(setup.players) == players
        saved_game = game.session.saved_game
        scores = list(saved_game.game.totals)
        assert scores == list(PLAIN[name](setup, moves))
        outcome = saved_game.game.compute_outcome()
        best = min(scores) if outcome.lowest_wins else max(scores)
        leaders = {seat for seat, score in enumerate(scores) if score == best}
        # At equal points half a point of komi decides (K22); a shelf's scorer has compared the winners.
        is_known = name in test_shelf.GAMES or (name == "go" and len(outcome.winners) == 1)
        assert is_known or set(outcome.winners) == leaders
    return game


def test_every_game_in_a_file_has_a_second_scorer() -> None:
    assert {path.stem for path in registry.SHIPPED_GAME_FOLDER.glob("*.toml")} == IN_FILES


@pytest.mark.sampled(r"secret_number-2|hearts|darts", full=6)
@pytest.mark.parametrize(("name", "players"), FEW)
def test_a_game_plays_itself_to_its_end(tmp_path: Path, name: str, players: int) -> None:
    game = check(tmp_path, name, players, 1, draw=True)
    places = {path.name.split("-")[2].removesuffix(".png") for path in game.screenshots.saved}
    assert places == {ScreenKind.LOBBY, ScreenKind.FIRST, ScreenKind.PLAY, ScreenKind.RESULT}


@pytest.mark.proof
@pytest.mark.parametrize(("name", "players"), GAMES)
def test_many_games_of_every_number_of_players(tmp_path: Path, name: str, players: int) -> None:
    for seed in range(1, 4 if name in IN_FILES else 51):
        check(tmp_path / str(seed), name, players, seed, draw=False)
