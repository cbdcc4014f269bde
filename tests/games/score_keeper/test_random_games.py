"""Random games of the score keeper and what holds in all of them."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.api import BadCorrection, Seat, ValueRange
from companion.games.score_keeper import GAME, ScoreKeeper
from companion.games.score_keeper.clock import get_bank_seconds_left, get_periods_left, get_turn_limit
from companion.games.score_keeper.samples import new_game
from companion.games.score_keeper.state import MAX_TOTAL, Phase
from tests.games.random_play import play_and_correct
from tests.games.score_keeper.plain_scoring import PlainKeeper
from tests.games.score_keeper.positions import NAMES, any_move, draw_rules, steps

PLAYERS = range(1, 7)


def check_scores(players: int, seed: int, rules: dict[str, Any]) -> None:
    plain = PlainKeeper(players, rules)
    after = new_game(players, **rules)
    for before, move, after in steps(players, seed, **rules):
        plain.press(move.kind, -1 if move.seat is None else move.seat, *move.value)
        assert list(after.totals) == plain.totals()
        assert list(after.own_totals) == plain.own()
        assert after.active_seat == plain.whose
        assert (after.phase is Phase.OVER) == plain.over
        check_clock(after, plain)
        assert after.changes == tuple(b - a for a, b in zip(before.totals, after.totals, strict=True))
        assert all(abs(total) <= MAX_TOTAL for total in after.totals)
    outcome = after.compute_outcome()
    assert outcome is not None
    assert set(outcome.winners) == plain.winners()
    assert outcome.lowest_wins == plain.lowest
    times = zip(after.turn_counts, after.turn_tenths, after.longest_tenths, strict=True)
    assert list(times) == plain.times()
    if rounds := GAME.list_round_points(after):
        together = [sum(plain.own()[q] for q in after.list_team(Seat(seat))) for seat in range(players)]
        assert [sum(points) for points in zip(*rounds, strict=True)] == together


def check_clock(game: ScoreKeeper, plain: PlainKeeper) -> None:
    """K13 to K15, K21: how long the turn may last, whether the clock ends it, and what is left of the banks."""
    limit = plain.limit()
    assert get_turn_limit(game) == (None if limit is None else pytest.approx(limit))
    if game.settings.has_chess_clock:
        seats = map(Seat, range(game.player_count))
        banks = [(round(10 * get_bank_seconds_left(game, q)), get_periods_left(game, q)) for q in seats]
        in_period = zip(game.period_tenths, game.period_turns, strict=True)
        assert [(*b, *p) for b, p in zip(banks, in_period, strict=True)] == plain.follow_clocks()
    ends = [clock.on_expiry.value[0] for clock in game.list_clocks() if clock.on_expiry]
    assert ends == [tenths for tenths in [plain.time_up()] if tenths is not None]
    has_grace = limit is not None and plain.clock == "turn" and limit > plain.seconds["turn"]
    assert len(game.list_clocks()) == (plain.whose is not None) + has_grace


def check_corrected_game(players: int, seed: int, rules: dict[str, Any]) -> int:
    """Play with corrections now and then (totals, rounds, whose turn, who is away); return how many were made."""
    random = Random(seed)
    game, plain, made = new_game(players, **rules), PlainKeeper(players, rules), 0
    for _ in range(60):
        if game.compute_outcome() is not None:
            break
        if random.random() < 0.3:
            entry = random.choice(game.list_correctables())
            near = ValueRange(1, max(entry.value_range.low, -300), min(entry.value_range.high, 300))
            correction = entry.make_correction(random.randint(near.low, near.high))
            try:
                game = game.correct(correction)
            except BadCorrection:
                continue
            made += 1
            seat = -1 if correction.seat is None else correction.seat
            plain.correct(correction.kind, seat, correction.index[0] if correction.index else 0, correction.value[0])
        else:
            move = any_move(game, random)
            game = game.play(move)
            plain.press(move.kind, -1 if move.seat is None else move.seat, *move.value)
        assert list(game.totals) == plain.totals()
        assert game.active_seat == plain.whose
        assert {seat for seat, away in enumerate(game.away) if away} == plain.gone
        assert (game.phase is Phase.OVER) == plain.over
        assert game.round_number == plain.number
        assert set(game.leaders) == plain.winners()
        check_clock(game, plain)
    times = zip(game.turn_counts, game.turn_tenths, game.longest_tenths, strict=True)
    assert list(times) == plain.times()
    return made


@pytest.mark.parametrize("players", PLAYERS)
def test_corrected_games_stand_as_the_plain_scoring_has_them(players: int) -> None:
    assert sum(check_corrected_game(players, seed, draw_rules(Random(seed))) for seed in range(16)) > 20


@pytest.mark.proof
@pytest.mark.parametrize("players", PLAYERS)
def test_two_thousand_corrected_games(players: int) -> None:
    for seed in range(2000):
        check_corrected_game(players, seed, draw_rules(Random(seed)))


@pytest.mark.parametrize("players", PLAYERS)
def test_scores_as_the_plain_scoring_has_them(players: int) -> None:
    for seed in range(4):
        check_scores(players, seed, draw_rules(Random(seed)))


@pytest.mark.proof
@pytest.mark.parametrize("players", PLAYERS)
def test_two_thousand_games(players: int) -> None:
    for seed in range(2000):
        check_scores(players, seed, draw_rules(Random(seed)))


@pytest.mark.parametrize("players", PLAYERS)
def test_corrections_keep_turns_and_players(players: int) -> None:
    for seed in range(5):
        random = Random(seed)
        start = new_game(players, **draw_rules(random))
        for game in play_and_correct(GAME, NAMES, start, random, any_move, 0.25, 250):
            assert game.present_seats
            assert game.active_seat is None or not game.away[game.active_seat]
            assert (game.phase is Phase.WAIT) <= bool(game.seats_to_act)
            assert game.settings.has_turns or game.active_seat is None
