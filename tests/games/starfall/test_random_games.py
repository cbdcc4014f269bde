"""Random games of StarFall and what holds in all of them; corrections in the last tests only."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.api import Seat
from companion.games.starfall import GAME, Settings, SkyTile, StarFall
from companion.games.starfall.samples import make_position
from companion.games.starfall.scoring import score_majority, score_symbols
from companion.games.starfall.state import Phase
from companion.games.starfall.tile_catalogue import SYMBOLS
from companion.testing.checks import correct_at_random
from tests.games.differential.starfall import score_sky
from tests.games.starfall.positions import NAMES, list_marked, offers, steps

tile = st.builds(
    SkyTile,
    stars=st.integers(0, 5),
    planets=st.integers(0, 2),
    black_holes=st.integers(0, 1),
    comets=st.integers(0, 2),
    green=st.integers(0, 1),
)
house_rules = st.fixed_dictionaries(
    {
        "stars_tie": st.sampled_from(["all_tied", "none"]),
        "stars_all_equal": st.sampled_from(["none", "as_tied"]),
        "tile_pays": st.sampled_from(["star_symbols", "space_number"]),
        "token_change": st.booleans(),
        "running_score": st.booleans(),
        "start_dust": st.sampled_from([4, 12, 32, 33]),
        "board_max_tiles": st.sampled_from([3, 3, 5]),
        "top_space": st.sampled_from([9, 9, 6]),
        "catalogue": st.one_of(st.just(()), st.lists(tile, max_size=27).map(tuple)),
    }
).map(lambda fields: Settings(**fields))
tables = st.tuples(st.integers(2, 4), house_rules, st.integers(0, 2**32 - 1))


def check_invariants(players: int, rules: Settings, seed: int) -> None:
    in_play = 27 - {2: 10, 3: 5, 4: 0}[players]
    over = False
    for before, _, after in steps(players, rules, seed):
        everywhere = after.pile_size + len(after.board) + sum(map(len, after.owned_tiles)) + len(after.discarded)
        assert everywhere == in_play, "tiles are conserved"
        assert all(now <= then for now, then in zip(after.dust, before.dust, strict=True)), "F14: dust never rises"
        assert min(after.dust) >= 0
        assert all(0 <= white <= dust for white, dust in zip(after.white_tokens, after.dust, strict=True)) or (
            rules.token_change
        )
        assert len(set(after.occupied_spaces)) == len(after.occupied_spaces) <= rules.board_max_tiles
        assert list(after.occupied_spaces) == sorted(after.occupied_spaces, reverse=True)
        assert all(0 <= space <= rules.top_space for space in after.occupied_spaces)
        if over:
            assert after.end_reason, "what has ended stays so"
        over = bool(after.end_reason)
        assert over == ((not after.pile_size and len(after.board) <= 1) or not any(after.dust)), "F20, F21, at once"
        if after.active_seat != before.active_seat:
            assert after.active_seat == (before.active_seat + 1) % players
            assert after.turn_number == before.turn_number + 1
        assert bool(after.list_moves()) == (after.compute_outcome() is None)
        hash(after)
        assert (after.payment is not None) == (after.phase is Phase.PAY)


@given(tables)
@settings(max_examples=20, deadline=None)
def test_tiles_are_conserved_dust_never_rises_and_the_end_comes_at_once(table: Any) -> None:
    check_invariants(*table)


@pytest.mark.proof
@given(tables)
@settings(max_examples=2000, deadline=None)
def test_thousands_of_games(table: Any) -> None:
    check_invariants(*table)


@given(st.lists(st.tuples(*[st.integers(0, 8)] * 11), min_size=2, max_size=4), house_rules)
@settings(max_examples=150, deadline=None)
def test_any_counts_give_the_independent_scorers_points(players: list[tuple[int, ...]], rules: Settings) -> None:
    bonus = score_majority([p[0] for p in players], rules)
    found = [sum(score_symbols(p[:10], p[10])) + more for p, more in zip(players, bonus, strict=True)]
    plain = {"ties": rules.stars_tie == "all_tied", "equal": rules.stars_all_equal == "as_tied"}
    assert found == score_sky([p[:10] for p in players], [p[10] for p in players], plain)


# Offers and words ------------------------------------------------------------------------------------------------


def check_offers(game: StarFall) -> None:
    """Check that each legal move is offered, with one tile of the board or another marked, and nothing else.

    What a tile pays may be anything up to the price: the own button offers the least, and `Change` the rest.
    """
    offered = {offer.action for marked in list_marked(game) for offer in offers(marked)}
    legal = {move for marked in list_marked(game) for move in marked.list_moves()}
    assert offered <= legal
    assert legal - offered <= {move for move in legal if move.kind == "with"}
    assert any(move.kind == "with" for move in offered) == any(move.kind == "with" for move in legal)


@given(tables)
@settings(max_examples=5, deadline=None)
def test_the_keys_offer_all_legal_moves(table: Any) -> None:
    for number, (before, _, _) in enumerate(steps(*table)):
        if number % 3 == 0:  # each marked tile is a position of its own, so it takes long
            check_offers(before)


def test_nothing_is_hidden_for_nothing_is_known_that_the_table_does_not_see() -> None:
    """All lies open but the pile, and of the pile the ledger knows only how many tiles it has."""
    for before, _, after in steps(3, Settings(catalogue=tuple(SkyTile(stars=n) for n in range(9))), 1):
        assert set(before.unseen_tiles) >= set(after.unseen_tiles), "what was seen stays seen"


# Corrections -----------------------------------------------------------------------------------------------------


@given(tables)
@settings(max_examples=5, deadline=None)
def test_a_corrected_value_stays_and_the_active_player_is_present(table: Any) -> None:
    players, rules, seed = table
    random = Random(seed)
    game = StarFall.create(players, Seat(0), rules)
    for number in range(150):
        done = correct_at_random(GAME, NAMES, game, random, max_step=40) if random.random() < 0.25 else None
        if done:
            entry, game = done.entry, done.game
            again = game.find_correctable(entry.make_correction(*entry.current_value))
            assert again is None or entry.kind == "counted" or again.current_value == done.value
        elif game.compute_outcome() is None:
            game = game.play(random.choice(game.list_moves()))
        assert not game.away[game.active_seat]
        assert len(game.present_seats) >= 2
        assert min(game.dust) >= 0
        if number % 5 == 0:
            check_offers(game)


# Positions reachable ---------------------------------------------------------------------------------------------


def perft(game: StarFall, depth: int) -> int:
    """Ways to play `depth` moves."""
    moves = (move for move in game.list_moves() if move.kind not in ("mark", "unmark"))
    return 1 if depth == 0 else sum(perft(game.play(move), depth - 1) for move in moves)


PERFT: dict[str, tuple[int, ...]] = {
    "three tiles": (6, 33, 165, 955),
    "with own tiles": (5, 28, 135),
    "near the end": (5, 13, 50),
}


def test_perft() -> None:
    """Regression: found by this program, counted by hand to depth 2."""
    found = {
        "three tiles": tuple(perft(make_position((9, 8, 7), 2), depth) for depth in range(1, 5)),
        "with own tiles": tuple(perft(make_position((6, 2), 2, own=(1, 1)), depth) for depth in range(1, 4)),
        "near the end": tuple(
            perft(make_position((1, 0), 2, pile_size=1, dust=(1, 0)), depth) for depth in range(1, 4)
        ),
    }
    assert found == PERFT


def test_the_lines_of_a_page_are_the_catalogues() -> None:
    assert len(SYMBOLS) == len(SkyTile().symbol_counts) == 10
