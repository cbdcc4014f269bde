"""Random games: invariants of all of them. Corrections only in the last test."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.api import Move, Seat
from companion.games.macroscope import GAME, Macroscope, Settings
from companion.games.macroscope.state import Phase
from tests.games.random_play import play_and_correct, play_randomly

NAMES = ("Ada", "Bob", "Cleo", "Dan", "Eve", "Finn")
RARE = {"withdraw": 0.3, "renew": 0.1}
"""Weights of moves that undo others or do nothing: played seldom, so that games end."""
LONGEST = 20_000
"""Most moves in a random game; ten rounds take a few hundred."""

house_rules = st.fixed_dictionaries(
    {
        "variant": st.sampled_from(["basic", "easy"]),
        "dice": st.sampled_from(["on", "off"]),
        "match_dice": st.sampled_from(["at_use", "at_roll"]),
        "challenge_payee": st.sampled_from(["active", "last_guesser"]),
        "others_may_guess_after_first_token": st.booleans(),
        "silent_players_lose": st.booleans(),
        "void_round_pays_opener": st.booleans(),
        "challenge_cost": st.integers(0, 4),
        "rounds": st.sampled_from([1, 3, 10]),
        "windows": st.sampled_from([6, 12]),
        "deck_cards": st.sampled_from([3, 200]),
    },
    optional={"start_crystals": st.integers(0, 20)},
).map(lambda fields: Settings(**fields))
tables = st.tuples(st.integers(2, 6), house_rules, st.integers(0, 2**32 - 1))


def any_move(game: Macroscope, random: Random) -> Move:
    moves = game.list_moves()
    move = random.choices(moves, [RARE.get(m.kind, 1.0) for m in moves])[0]
    if move.value_range is None:
        return move
    return move.fill(
        *(random.randint(move.value_range.low, move.value_range.high) for _ in range(move.value_range.count))
    )


def steps(players: int, rules: Settings, seed: int) -> Iterator[tuple[Macroscope, Move, Macroscope]]:
    """Play a random game and yield (before, move, after)."""
    random = Random(seed)
    game = Macroscope.create(players, Seat(random.randrange(players)), rules)
    yield from play_randomly(game, random, any_move, LONGEST)


def check_rounds(players: int, rules: Settings, seed: int) -> None:
    markers, cards, last = [], 0, None
    for before, move, after in steps(players, rules, seed):
        scored = move.kind in ("right", "nobody")
        void = move.kind == "remove" and after.covered_windows == 0
        cards += scored or void
        assert after.cards_used == cards
        if scored:
            markers.append(before.round_number)
        else:
            assert after.round_number == before.round_number
        if after.active_seat != before.active_seat:
            assert after.active_seat == (before.active_seat + 1) % players
            assert after.opened_windows == 0
        assert after.opened_windows <= 2
        if after.phase not in (Phase.COVER, Phase.OVER):
            assert after.covered_windows >= 1
        last = after
    assert markers == list(range(1, rules.rounds + 1))
    assert last is not None
    assert last.list_moves() == ()
    outcome = last.compute_outcome()
    assert outcome is not None
    assert {last.crystals[q] for q in outcome.winners} == {max(last.crystals)}


@given(tables)
@settings(max_examples=20, deadline=None)
def test_markers_cards_turns_and_the_end(table):
    check_rounds(*table)


@pytest.mark.proof
@given(tables)
@settings(max_examples=3000, deadline=None)
def test_thousands_of_games(table):
    check_rounds(*table)


# Corrections -----------------------------------------------------------------------------------------------------


@given(tables)
@settings(max_examples=20, deadline=None)
def test_corrections_keep_the_books(table):
    players, rules, seed = table
    random = Random(seed)
    start = Macroscope.create(players, Seat(0), rules)
    for game in play_and_correct(GAME, NAMES, start, random, any_move, 0.2, 400):
        assert game.list_moves() or game.compute_outcome()
        assert min(game.crystals) >= 0
        assert len(game.round_scores) == game.round_number - (game.phase is not Phase.OVER), "each has its number"
        columns = [sum(scores[q] for scores in game.round_scores) for q in range(players)]
        assert game.crystals_at_round_start == tuple(rules.start_crystals + points for points in columns)
        if game.phase in (Phase.ROLL, Phase.OPEN):
            assert not game.away[game.active_seat], "M46"
        assert game.covered_windows >= 1 or game.phase in (Phase.COVER, Phase.OVER)
        assert set(game.wishes) <= set(game.eligible_seats) or not game.wishes
        assert (game.called_seat is not None) == (game.phase is Phase.CALLED)
        if game.phase is Phase.OPEN and not game.opened_windows:
            assert game.takeable_tokens


# Positions reachable ---------------------------------------------------------------------------------------------


def successors(game: Macroscope) -> list[Macroscope]:
    moves = [move for move in game.list_moves() if move.kind != "stop for all"]  # that is two moves in one
    faces = range(1, 7)
    rolls = [m.fill(a, b) for m in moves if m.value_range for a in faces for b in faces]
    return [game.play(move) for move in (*(m for m in moves if not m.value_range), *rolls)]


def perft(game: Macroscope, depth: int) -> int:
    """Count the ways to play `depth` moves."""
    return 1 if depth == 0 else sum(perft(after, depth - 1) for after in successors(game))


PERFT = {
    "basic": (2, 8, 28, 156, 570, 2250),
    "easy": (2, 6, 12, 96, 438, 1534),
}


@pytest.mark.parametrize("variant", ["basic", "easy"])
def test_perft(variant, play, at):
    """Regression: found by this program, counted by hand to depth 3."""
    game = play(at((4, 4, 4), {"variant": variant}, tokens=(1, 1, 0, 0, 2, 0)), "roll 0 2 5")
    assert tuple(perft(game, depth) for depth in range(1, 7)) == PERFT[variant]
