"""The count at the end: F30 to F37, page by page. T4 and T5 are worked examples."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.api import Correction, Outcome, Seat
from companion.gallery.fixtures import play_moves
from companion.games.starfall import Settings, SkyTile
from companion.games.starfall.samples import count_tiles, end_game, make_position
from companion.games.starfall.scoring import score_majority, score_nebulae, score_symbols
from companion.games.starfall.state import OwnedTile, Phase
from tests.games.differential.starfall import score_sky
from tests.games.results import find_winners
from tests.games.starfall.positions import can, check_refused, kinds

# stars, planets, moons, black holes, comets, then red, blue, green, yellow, purple nebulae
T4 = ((11, 2, 3, 0, 4, 1, 0, 0, 0, 0), (7, 1, 0, 1, 1, 2, 1, 1, 0, 0), (7, 3, 2, 2, 0, 0, 0, 0, 0, 0))
T5 = ((9, 0, 0, 3, 5, 1, 1, 1, 1, 1), (4, 4, 4, 0, 2, 2, 0, 0, 0, 0))


def test_t1_leftover_dust() -> None:
    assert [score_symbols((0,) * 10, dust)[5] for dust in (6, 7, 1, 0)] == [3, 3, 0, 0]


@pytest.mark.parametrize(("planets", "moons", "points"), [(2, 3, (10, 6)), (4, 1, (20, 3)), (0, 2, (0, 0))])
def test_t2_a_moon_needs_a_planet(planets: int, moons: int, points: tuple[int, int]) -> None:
    assert score_symbols((0, planets, moons, *(0,) * 7), 0)[:2] == points


def test_t3_black_holes_and_comets() -> None:
    assert [score_symbols((0, 0, 0, n, *(0,) * 6), 0)[2] for n in (0, 1, 2, 3, 9)] == [0, -5, 15, 15, 15]
    assert [score_symbols((0, 0, 0, 0, n, *(0,) * 5), 0)[3] for n in range(8)] == [0, 3, 8, 15, 24, 35, 42, 49]


def test_t4_three_players() -> None:
    game = end_game(3, (6, 3, 0))
    for seat, counts in enumerate(T4):
        game = count_tiles(game, seat, *counts)
    assert [sum(score_symbols(game.symbol_counts[q], game.dust[q])) for q in range(3)] == [45, 21, 36]
    assert game.phase is Phase.TABLE
    game = play_moves(game, "finish")
    assert game.totals == (55, 16, 31)
    reason = "The pile is empty and one tile is left on the board; 55 points are the most."
    assert game.compute_outcome() == Outcome((Seat(0),), reason)


def test_t5_two_players() -> None:
    game = end_game(2, (1, 7))
    for seat, counts in enumerate(T5):
        game = count_tiles(game, seat, *counts)
    rows = game.player_scores
    assert [(row.total, row.majority_bonus) for row in rows] == [(95, 10), (47, 0)]
    assert rows[0].points == (0, 0, 15, 35, 35, 0)
    assert rows[1].points == (20, 12, 0, 8, 4, 3)


def test_t6_most_and_fewest_stars() -> None:
    assert score_majority((8, 8, 3, 5), Settings()) == (10, 10, -5, 0)
    assert score_majority((6, 6, 6), Settings()) == (0, 0, 0)


def test_a1_switches() -> None:
    alone = Settings(stars_tie="none")
    assert score_majority((8, 8, 3, 5), alone) == (0, 0, -5, 0)
    assert score_majority((8, 3, 3), alone) == (10, 0, 0)
    tied = Settings(stars_all_equal="as_tied")
    assert score_majority((6, 6, 6), tied) == (5, 5, 5)
    assert score_majority((6, 6), tied) == (10, 10)
    assert score_majority((6, 6), Settings()) == (0, 0)


def test_f30_no_penalty_for_two_and_a13_none_is_fewest() -> None:
    assert score_majority((4, 9), Settings()) == (0, 10)
    assert score_majority((4, 0, 9), Settings()) == (0, -5, 10)


@pytest.mark.parametrize(("colours", "bonus"), list(enumerate((0, 0, 4, 9, 16, 25))))
def test_f35_the_bonus_for_colours(colours: int, bonus: int) -> None:
    by_colour = [1] * colours + [0] * (5 - colours)
    assert score_nebulae(by_colour) == 2 * colours + bonus
    assert score_nebulae([3 * n for n in by_colour]) == 6 * colours + bonus


def test_the_independent_scorer_knows_the_vectors_too() -> None:
    rules = {"ties": True, "equal": False}
    assert score_sky(T4, (6, 3, 0), rules) == [55, 16, 31]
    assert score_sky(T5, (1, 7), rules) == [95, 47]


def test_f37_ties_share() -> None:
    game = end_game(3, (4, 4, 0))
    for seat in range(3):
        game = count_tiles(game, seat, *(1 if i == 0 else 0 for i in range(10)))
    assert find_winners(play_moves(game, "finish")) == (0, 1)


# Pages -----------------------------------------------------------------------------------------------------------


def test_pages_are_chosen_until_one_is_left() -> None:
    game = end_game(3)
    assert kinds(game) == {"count"}
    game = count_tiles(game, 1, *[0] * 10)
    assert (game.phase, game.counted) == (Phase.CHOOSE, (False, True, False))
    game = count_tiles(game, 2, *[0] * 10)
    assert (game.phase, game.counting_seat) == (Phase.PAGE, 0), "only Ada is left: her page opens by itself"
    assert count_tiles(game, 0, *[0] * 10).phase is Phase.TABLE


def test_a_line_is_entered_and_corrected() -> None:
    game = play_moves(end_game(2), "count 0", "six-more 0", "enter 0 2")
    assert (game.line_index, game.symbol_counts[0][0]) == (1, 8)
    assert not can(game, "clear 0")
    game = play_moves(game, "back-line 0")
    assert (game.line_index, game.symbol_counts[0][0]) == (0, 8)
    assert play_moves(game, "clear 0").symbol_counts[0][0] == 0
    check_refused(game, "enter 1 1", "F30: seat 0 is being counted, not seat 1")
    check_refused(game, "count 0", "F30: seat 0 is being counted already")


def test_f35_colours_are_asked_only_with_two_nebulae() -> None:
    nebulae = count_tiles(end_game(3), 0, *[0] * 5)
    assert play_moves(nebulae, "next-line 0").counted[0]
    one = play_moves(nebulae, "enter 0 1")
    assert (one.counted[0], score_nebulae(one.symbol_counts[0][5:])) == (True, 2)
    four = play_moves(nebulae, "enter 0 4")
    assert (four.counting_seat, four.line_index) == (0, 6)
    assert [move.value[0] for move in four.list_moves() if move.kind == "enter"] == [1, 2, 3, 4]
    assert score_nebulae(play_moves(four, "enter 0 3").symbol_counts[0][5:]) == 8 + 9
    assert play_moves(four, "back-line 0", "clear 0", "enter 0 1").symbol_counts[0][5:] == (1, 0, 0, 0, 0)


def test_a_page_is_left_and_opened_again_as_it_was() -> None:
    game = play_moves(end_game(2), "count 0", "next-line 0", "enter 0 4", "back-line 0")
    check_refused(game, "leave 0", "F30: the counting is elsewhere now")
    game = replace(game, line_index=0)
    game = play_moves(game, "leave 0")
    assert game.phase is Phase.CHOOSE
    assert play_moves(game, "count 0").symbol_counts[0][1] == 4


def test_each_page_begins_with_its_first_line() -> None:
    assert end_game(2).line_index == 0
    page = play_moves(end_game(2), "count 0")
    for game in (
        page,
        play_moves(page, "leave 0"),
        count_tiles(page, 0, *[0] * 10),
        play_moves(end_game(3), "count 1"),
    ):
        assert game.line_index == 0


def test_a_count_begins_with_the_first_line_when_the_game_ends_again() -> None:
    page = play_moves(end_game(3), "count 0", "next-line 0")
    game = page.correct(Correction("pile", None, (1,)))
    assert (game.counting_seat, game.line_index) == (None, 0)


def test_a_counted_page_is_counted_again_from_what_it_has() -> None:
    game = end_game(2)
    for seat in (0, 1):
        game = count_tiles(game, seat, *[1] * 10)
    game = play_moves(game, "count 1", "enter 1 3", *["next-line 1"] * 6)
    assert (game.phase, game.symbol_counts[1]) == (Phase.TABLE, (4, *[1] * 9))
    assert play_moves(game, "finish").phase is Phase.OVER


def test_the_view_tells_how_each_score_came_about() -> None:
    game = end_game(3, (6, 3, 0))
    for seat, counts in enumerate(T4):
        game = count_tiles(game, seat, *counts)
    row = play_moves(game, "finish").player_scores[1]
    assert (row.symbol_counts, row.dust, row.points, row.majority_bonus, row.total) == (
        T4[1],
        3,
        (5, 0, -5, 3, 17, 1),
        -5,
        16,
    )


# Scores on the way -----------------------------------------------------------------------------------------------


def known_game(**settings: object):
    catalogue = (SkyTile(stars=3, planets=1), SkyTile(stars=1, comets=2))
    game = end_game(2, (6, 5), settings={"catalogue": catalogue, **settings})
    return replace(game, owned_tiles=((OwnedTile(1, 5),), (OwnedTile(2, 4),)))


def test_a10_a14_scores_beside_the_names() -> None:
    game = make_position((9, 8), 2)
    assert game.score_kind == "dust"
    assert game.totals == (32, 32)
    running = replace(known_game(running_score=True), pile_size=3)
    assert running.score_kind == "points"
    assert running.totals == (5 + 3 + 10, 8 + 2)
    unknown = replace(running, owned_tiles=((OwnedTile(0, 5),), (OwnedTile(2, 4),)))
    assert unknown.score_kind == "dust", "one tile is not known: what can be known is the dust"
    assert replace(known_game(), pile_size=3).score_kind == "dust", "off by default"


def test_stars_are_compared_only_when_all_are_counted() -> None:
    game = count_tiles(end_game(2), 0, 3, *[0] * 9)
    assert [row.majority_bonus for row in game.player_scores] == [0, 0]
    game = count_tiles(game, 1, *[0] * 10)
    assert [row.majority_bonus for row in game.player_scores] == [10, 0]


def test_dust_and_points_are_not_subtracted_from_each_other() -> None:
    """The changes beside the names: dust with dust, points with points."""
    game = make_position((9, 5), 2, pile_size=0)
    over = play_moves(game, "discover 0 5")
    assert (over.score_kind, over.changes) == ("points so far", (0, 0))
    assert play_moves(make_position((9, 5), 2), "discover 0 5").changes == (-5, 0)
    counted = count_tiles(end_game(2), 0, *[0] * 10)
    assert play_moves(counted, "enter 1 2").changes == (0, 0), "stars give nothing yet"
    page = play_moves(end_game(2), "count 0", "next-line 0")
    assert play_moves(page, "enter 0 2").changes == (10, 0)


def test_f30_without_players_nobody_is_compared() -> None:
    assert score_majority((), Settings()) == ()


def test_the_catalogue_proposes_the_counts() -> None:
    game = known_game()
    assert kinds(game) == {"count", "accept"}
    assert play_moves(game, "count 0").symbol_counts[0][:2] == (3, 1)
    game = play_moves(game, "accept")
    assert (game.phase, game.score_kind) == (Phase.TABLE, "points")
    assert game.totals == (18, 10)


def test_where_one_tile_is_not_known_the_rest_is_proposed_for_that_player() -> None:
    game = replace(known_game(), owned_tiles=((OwnedTile(1, 5), OwnedTile(0, 1)), (OwnedTile(2, 4),)))
    game = play_moves(game, "accept")
    assert (game.counted, game.counting_seat, game.symbol_counts[0][0]) == ((False, True), 0, 3)
