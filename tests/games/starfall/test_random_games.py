"""Random games of StarFall and what holds in all of them; corrections in the last tests only."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.api import IllegalMove, Move, NumberPress, Seat
from companion.games.starfall import GAME, Settings, SkyTile, StarFall
from companion.games.starfall.settings import SYMBOLS
from companion.games.starfall.state import Phase
from companion.testing.checks import check_inputs, check_refusals, check_texts, correct_at_random, is_legal, label_all
from tests.games.starfall.plain_scoring import PlainStarFall, final_points
from tests.games.starfall.positions import NAMES, make_position, offers, pages, steps

KINDS = (
    *("add", "move", "discover", "name", "narrow", "back", "page", "with", "without", "dust", "pay", "cancel"),
    *("count", "more", "less", "next line", "back line", "leave", "done", "accept", "finish"),
)

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


def check_points(players: int, rules: Settings, seed: int) -> None:
    plain = PlainStarFall(players, rules.model_dump(mode="json"))
    last: StarFall | None = None
    for _, move, after in steps(players, rules, seed):
        plain.play(move.kind, move.seat, move.value)
        assert after.dust == tuple(plain.dust(q) for q in range(players))
        assert dict(after.board) == plain.board
        assert [len(own) for own in after.owned_tiles] == [len(own) for own in plain.tiles]
        last = after
    assert last is not None
    totals = plain.totals()
    assert list(last.totals) == totals
    outcome = last.compute_outcome()
    assert outcome is not None
    assert outcome.winners == tuple(q for q in range(players) if totals[q] == max(totals))
    assert last.list_moves() == ()


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
@settings(max_examples=60, deadline=None)
def test_dust_and_points_are_those_of_the_plain_implementation(table: Any) -> None:
    check_points(*table)


@given(tables)
@settings(max_examples=40, deadline=None)
def test_tiles_are_conserved_dust_never_rises_and_the_end_comes_at_once(table: Any) -> None:
    check_invariants(*table)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_hundred_plain_games_for_each_number_of_players(players: int) -> None:
    for seed in range(100):
        check_points(players, Settings(), seed)


@pytest.mark.proof
def test_ten_thousand_games() -> None:
    random = Random(3)
    for seed in range(10_000):
        fields = {
            "stars_tie": random.choice(["all_tied", "none"]),
            "stars_all_equal": random.choice(["none", "as_tied"]),
            "tile_pays": random.choice(["star_symbols", "space_number"]),
            "token_change": random.random() < 0.7,
            "catalogue": tuple(
                SkyTile(stars=random.randint(0, 4), planets=random.randint(0, 2), moons=random.randint(0, 1))
                for _ in range(random.choice([0, 0, 9, 27]))
            ),
        }
        check_points(2 + seed % 3, Settings(**fields), seed)


@pytest.mark.proof
@given(tables)
@settings(max_examples=2000, deadline=None)
def test_thousands_of_games(table: Any) -> None:
    check_points(*table)
    check_invariants(*table)


@given(st.lists(st.tuples(*[st.integers(0, 8)] * 11), min_size=2, max_size=4), house_rules)
@settings(max_examples=300, deadline=None)
def test_any_counts_give_the_plain_points(players: list[tuple[int, ...]], rules: Settings) -> None:
    from companion.games.starfall.scoring import score_majority, score_symbols

    plain = [
        dict(zip(("stars", "planets", "moons", "holes", "comets"), p[:5], strict=True))
        | {"nebulae": p[5:10], "dust": p[10]}
        for p in players
    ]
    bonus = score_majority([p[0] for p in players], rules)
    found = [sum(score_symbols(p[:10], p[10])) + more for p, more in zip(players, bonus, strict=True)]
    assert found == final_points(plain, tie=rules.stars_tie, all_equal=rules.stars_all_equal)


# Legal and illegal -----------------------------------------------------------------------------------------------


def some_move(random: Random) -> Move:
    value = random.choice([(), (), (random.randint(0, 11),), (random.randint(0, 3), random.randint(0, 7))])
    seat = random.choice([None, *range(5)])
    return Move(random.choice(KINDS), None if seat is None else Seat(seat), value)


@given(tables)
@settings(max_examples=25, deadline=None)
def test_unlisted_moves_are_refused_with_their_rule(table: Any) -> None:
    random = Random(table[2])
    for before, _, _ in steps(*table):
        check_refusals(before, [some_move(random) for _ in range(8)], r"F\d+")


# Offers and words ------------------------------------------------------------------------------------------------


def check_offers(game: StarFall) -> None:
    legal_now = set(game.list_moves())
    offered = set()
    for page in pages(game):
        found = offers(page)
        means = [o.input for o in found]
        check_inputs(means)
        assert all(1 <= m.number <= 6 for m in means if isinstance(m, NumberPress))
        assert all(o.label and max(map(len, o.label.split())) <= 12 and len(o.label) <= 20 for o in found)
        does = {o.action for o in found}
        assert does <= set(page.list_moves())
        offered |= does
    assert offered == legal_now


@given(tables)
@settings(max_examples=25, deadline=None)
def test_offers_are_the_legal_moves(table: Any) -> None:
    for before, _, after in steps(*table):
        check_offers(before)
        check_offers(after)


@given(tables)
@settings(max_examples=15, deadline=None)
def test_texts_for_every_state_and_move(table: Any) -> None:
    for before, move, after in steps(*table):
        check_texts(GAME, NAMES, before, move, after, max_length=100)
        for seat in range(before.player_count):
            meant = GAME.get_default_move(before, Seat(seat))
            if meant is not None and not is_legal(before, meant):
                with pytest.raises(IllegalMove):
                    before.play(meant)


def test_nothing_is_hidden_for_nothing_is_known_that_the_table_does_not_see() -> None:
    """All lies open but the pile, and of the pile the ledger knows only how many tiles it has."""
    for before, _, after in steps(3, Settings(catalogue=tuple(SkyTile(stars=n) for n in range(9))), 1):
        assert set(before.unseen_tiles) >= set(after.unseen_tiles), "what was seen stays seen"


# Corrections -----------------------------------------------------------------------------------------------------


@given(tables)
@settings(max_examples=25, deadline=None)
def test_no_correction_leads_into_an_impossible_state(table: Any) -> None:
    players, rules, seed = table
    random = Random(seed)
    game = StarFall.create(players, Seat(0), rules)
    for _ in range(150):
        if random.random() < 0.25:
            done = correct_at_random(GAME, NAMES, game, random, max_step=40)
            if done is None:
                continue
            entry = done.entry
            again = next(
                (
                    c
                    for c in done.game.list_correctables()
                    if (c.stored_kind, c.seat) == (entry.stored_kind, entry.seat)
                ),
                None,
            )
            assert again is None or entry.kind == "counted" or again.current_value == done.value
            game = done.game
        elif game.compute_outcome() is None:
            game = game.play(random.choice(game.list_moves()))
        assert bool(game.list_moves()) == (game.compute_outcome() is None)
        assert len({(c.stored_kind, c.seat) for c in game.list_correctables()}) == len(game.list_correctables())
        assert set(label_all(GAME, game, NAMES)) == {(c.stored_kind, c.seat) for c in game.list_correctables()}
        assert not game.away[game.active_seat]
        assert len(game.present_seats) >= 2
        assert min(game.dust) >= 0
        assert GAME.format_prompt(game, NAMES)
        check_offers(game)


# Positions reachable ---------------------------------------------------------------------------------------------


def perft(game: StarFall, depth: int) -> int:
    """Ways to play `depth` moves."""
    return 1 if depth == 0 else sum(perft(game.play(move), depth - 1) for move in game.list_moves())


PERFT: dict[str, tuple[int, ...]] = {
    "three tiles": (6, 33, 165, 1071),
    "with own tiles": (5, 43, 360),
    "near the end": (5, 13, 48),
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
