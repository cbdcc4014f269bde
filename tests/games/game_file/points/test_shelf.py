"""Random games of the shelf (Skat, Wizard, ...), with their house rules, against plain scorings.

Hearts, Rummy, the cribbage board and Go: test_random_games.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest

from companion.api import IllegalMove, Move, Seat
from companion.api.registry import find_game
from tests.games.game_file.options import draw_options
from tests.games.game_file.points.entering import enter, new_game
from tests.games.game_file.points.plain_more import MORE
from tests.games.game_file.points.plain_shelf import SHELF, Numbers, PlainShelf

GAMES = SHELF | MORE
TABLES = [(name, players) for name in GAMES for players in find_game(name).player_counts]
MAX_TURNS = 5000
FEW_TABLES = [(name, find_game(name).player_counts[-1 if i % 2 else 0]) for i, name in enumerate(GAMES)]


def enter_round(game: Any, entered: Numbers, random: Random) -> Any:
    """Enter what each player has; the game asks for exactly that."""
    left = {p: dict(own) for p, own in entered.items()}
    ids = [entry.id for entry in game.rules.model.entries]
    while any(left.values()):
        due = [q for q in game.present_seats if game.find_next_entry(q) is not None]
        assert due, (left, game)
        seat = random.choice(due)
        game = game.play(Move("enter", seat, (left[seat].pop(ids[game.find_next_entry(seat)]),)))
    return game.play(Move("confirm")) if game.can_be_confirmed else game


def check_game(name: str, players: int, seed: int) -> None:
    random = Random(f"{name} {players} {seed}")
    options = draw_options(name, random)
    plain: PlainShelf = GAMES[name](players, options)
    definition = find_game(name)
    game: Any = definition.create_game(players, Seat(0), definition.settings_model.model_validate(options))
    for _ in range(MAX_TURNS):
        entered = plain.draw(random)
        if plain.has_turns:
            assert game.active_seat == plain.turn
        game = enter_round(game, entered, random)
        plain.score(entered)
        assert list(game.totals) == plain.points, (name, seed, entered)
        assert game.is_over == plain.over, (name, seed, plain.points)
        if plain.over:
            assert set(game.compute_outcome().winners) == plain.winners()
            assert not game.list_moves()
            return
    pytest.fail(f"{name} has not ended")


def score_moves(
    name: str, players: int, first: int, moves: Sequence[Move], settings: Mapping[str, Any]
) -> Sequence[int]:
    """Return the points by the plain scoring after the moves of a game."""
    definition = find_game(name)
    game: Any = definition.create_game(players, Seat(first), definition.settings_model.model_validate(settings))
    plain: Any = GAMES[name](players, settings)
    plain.turn = plain.dealer = first
    ids = [entry.id for entry in game.rules.model.entries]
    for move in moves:
        before, game = game, game.play(move)
        ended = len(game.finished) > len(before.finished)
        played = game.finished[-1] if ended else game.current
        if ended or played.numbers != before.current.numbers:
            seats = [move.player] if plain.has_turns else range(players)
            plain.score({seat: dict(zip(ids, played.numbers[seat], strict=True)) for seat in seats})
    assert plain.over
    assert set(game.compute_outcome().winners) == plain.winners()
    points: Sequence[int] = plain.points
    return points


@pytest.mark.parametrize(("name", "players"), FEW_TABLES)
def test_scores_as_the_plain_game_has_them(name: str, players: int) -> None:
    check_game(name, players, 0)


@pytest.mark.proof
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_hundred_games(name: str, players: int) -> None:
    for seed in range(100):
        check_game(name, players, seed)


def test_who_has_closed_all_numbers_of_cricket_wins_at_equal_points() -> None:
    definition = find_game("cricket")
    game: Any = definition.create_game(2, Seat(0), definition.settings_model())
    while not game.is_over:
        seat = game.active_seat
        hits = 3 if seat == 0 and game.find_next_entry(seat) == game.round_number - 1 else 0
        game = game.play(Move("enter", seat, (hits,)))
    assert (game.totals, game.leaders) == ((0, 0), (0,))


def test_after_a_double_win_of_tichu_nobody_enters_cards() -> None:
    calls = ((0, 100), (1, 0), (2, 0), (3, -200))
    game = enter(new_game("tichu", 4), *calls, (1, 1))
    (move,) = (move for move in game.list_moves() if move.kind == "enter")
    assert (move.seat, move.value_range.excluded) == (0, (1,)), "not their own team, too"
    game = game.play(Move("enter", Seat(0), (2,)))
    assert (game.totals, game.round_number) == ((100, 0, 100, 0), 2)


@pytest.mark.parametrize(
    ("name", "entered", "possible"),
    [
        ("wizard", [(0, 1), (1, 0), (2, 0)], [0, 1]),
        ("cricket", [(0, 3), (0, 4)], [0, 1, 2]),
        ("cricket", [(0, 0)] * 6, [*range(7)]),
    ],
)
def test_numbers_that_cannot_be_are_not_offered(name: str, entered: list[tuple[int, int]], possible: list[int]) -> None:
    game = enter(new_game(name, 3), *entered)
    limits = game.get_allowed(Seat(0))
    assert [*limits.numbers] == possible
    with pytest.raises(IllegalMove, match="from 0 to"):
        game.play(Move("enter", Seat(0), (limits.high + 1,)))
