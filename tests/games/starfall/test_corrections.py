"""Corrections in StarFall: when they are possible, their consequences, and impossible values."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.api.base_game import FIRST_RULINGS
from companion.games.api.game import BadCorrection
from companion.games.starfall import GAME, SkyTile
from companion.games.starfall.state import EndReason, OwnedTile, Phase
from companion.games.starfall.tile_identification import get_tile_question
from tests.games.game_checks import label_all
from tests.games.starfall.positions import (
    NAMES,
    corrected,
    count_tiles,
    end_game,
    kinds,
    make_position,
    play_moves,
    view_payment,
)


def of(game, kind, seat=None):
    return next((c for c in game.list_correctables() if (c.stored_kind, c.seat) == (kind, seat)), None)


def test_dust() -> None:
    game = corrected(make_position((9,)), "dust", 20, seat=1)
    assert game.dust == (32, 20, 32)
    with pytest.raises(BadCorrection):
        corrected(game, "dust", -1, seat=1)
    assert [c.kind for c in game.list_correctables()][:3] == ["dust"] * 3, "the nearest mistakes stand first"


def test_the_last_dust_corrected_away_ends_the_game_and_back_it_goes_on() -> None:
    game = make_position((9, 8), 2, dust=(3, 0))
    over = corrected(game, "dust", 0, seat=0)
    assert over.phase is Phase.CHOOSE
    assert corrected(over, "dust", 1, seat=0).phase is Phase.TURN


def test_which_spaces_hold_a_tile() -> None:
    game = make_position((9, 8, 2))
    assert of(game, "tiles on 9 to 5").current_value == (1, 1, 0, 0, 0)
    assert of(game, "tiles on 4 to 0").current_value == (0, 0, 1, 0, 0)
    assert corrected(game, "tiles on 9 to 5", 0, 1, 1, 0, 0).occupied_spaces == (8, 7, 2)
    assert corrected(game, "tiles on 4 to 0", 0, 0, 0, 0, 0).occupied_spaces == (9, 8)


def test_a_tile_that_only_stood_elsewhere_is_the_same_tile() -> None:
    game = replace(make_position((9,), settings={"catalogue": (SkyTile(stars=1), SkyTile(stars=2))}), board=((9, 2),))
    assert corrected(game, "tiles on 9 to 5", 0, 0, 1, 0, 0).board == ((7, 2),)
    assert corrected(game, "tiles on 9 to 5", 0, 0, 1, 1, 0).board == ((7, 0), (6, 0)), "which is which is not known"
    assert corrected(game, "tile on 9", 1).board == ((9, 1),)


def test_more_tiles_than_the_rules_allow_are_shown_as_they_stand() -> None:
    game = corrected(make_position((9, 8)), "tiles on 4 to 0", 1, 1, 1, 0, 0)
    assert game.occupied_spaces == (9, 8, 4, 3, 2)
    assert "add" not in kinds(game)
    full = corrected(game, "tiles on 9 to 5", 1, 1, 1, 1, 1)
    with pytest.raises(BadCorrection, match="one space at least is empty"):
        corrected(full, "tiles on 4 to 0", 1, 1, 1, 1, 1)


def test_the_pile() -> None:
    game = corrected(make_position((9,)), "pile", 0)
    assert game.phase is Phase.CHOOSE
    assert corrected(game, "pile", 2).phase is Phase.TURN


def test_a_count_begun_is_void_when_the_game_goes_on_after_all() -> None:
    game = play_moves(end_game(2), "count 0", "more 0 5")
    again = corrected(game, "pile", 1)
    assert (again.phase, again.symbol_counts[0]) == (Phase.TURN, (0,) * 10)


def test_active_player() -> None:
    game = corrected(play_moves(make_position((9, 7), own=(1,)), "discover 0 7"), "active", 2)
    assert (game.active_seat, game.phase) == (2, Phase.TURN)


def test_how_many_tiles_somebody_has() -> None:
    game = corrected(make_position((9, 7)), "tiles", 2, seat=0)
    assert play_moves(game, "discover 0 7").phase is Phase.PAY
    assert len(corrected(game, "tiles", 1, seat=0).owned_tiles[0]) == 1


def test_a_payment_goes_on_if_its_tile_is_still_there() -> None:
    game = play_moves(make_position((9, 7), own=(1,)), "discover 0 7", "with 0 0 2")
    assert view_payment(corrected(game, "dust", 6, seat=0)).dust == 5
    assert corrected(game, "tiles on 9 to 5", 1, 0, 0, 0, 0).phase is Phase.TURN


# The count -------------------------------------------------------------------------------------------------------


def counted_game():
    game = end_game(3, (6, 3, 0))
    for seat in range(3):
        game = count_tiles(game, seat, *[seat] * 10)
    return game


def test_each_count_and_the_totals() -> None:
    game = corrected(counted_game(), "counts", 9, 1, 0, 0, 0, seat=0)
    assert game.symbol_counts[0] == (9, 1, 0, 0, 0, 0, 0, 0, 0, 0)
    game = corrected(game, "nebulae", 1, 1, 0, 0, 0, seat=0)
    assert game.symbol_counts[0][5:] == (1, 1, 0, 0, 0)
    game = play_moves(game, "finish")
    before = game.totals
    game = corrected(game, "total", before[1] + 90, seat=1)
    assert game.totals == (before[0], before[1] + 90, *before[2:])
    assert game.compute_outcome().winners == (1,), "and the winner is worked out again"
    game = corrected(game, "counts", 0, 0, 0, 0, 0, seat=1)
    assert game.player_scores[1].adjustment == 90, "what was put right stays"


def test_a_page_is_opened_again_after_the_end() -> None:
    game = corrected(play_moves(counted_game(), "finish"), "counted", 0, seat=2)
    assert (game.phase, game.counting_seat) == (Phase.PAGE, 2)
    assert play_moves(game, "done 2").phase is Phase.TABLE


def test_dust_counts_in_the_final_score() -> None:
    game = play_moves(counted_game(), "finish")
    assert corrected(game, "dust", 10, seat=0).totals[0] == game.totals[0] + 2


# Away ------------------------------------------------------------------------------------------------------------


def test_absent_players_are_skipped_until_they_return() -> None:
    game = corrected(make_position((9, 8)), "away", 1, seat=1)
    assert play_moves(game, "move 0 9").active_seat == 2
    assert play_moves(corrected(game, "away", 0, seat=1), "move 0 9").active_seat == 1
    with pytest.raises(BadCorrection, match="seat 1 is away"):
        corrected(game, "active", 1)


def test_the_active_player_leaves_in_the_middle_of_a_payment() -> None:
    game = corrected(play_moves(make_position((9, 7), own=(1,)), "discover 0 7"), "away", 1, seat=0)
    assert (game.active_seat, game.phase, game.occupied_spaces) == (1, Phase.TURN, (9, 7))


def test_two_must_stay() -> None:
    game = corrected(make_position((9, 8)), "away", 1, seat=1)
    with pytest.raises(BadCorrection, match="set the game aside instead"):
        corrected(game, "away", 1, seat=0)
    with pytest.raises(BadCorrection, match="set the game aside instead"):
        corrected(make_position((9,), 2), "away", 1, seat=0)


def test_absent_players_do_not_prevent_the_end_and_keep_what_they_earned() -> None:
    """F21, F37: the others count the tiles of who left."""
    game = replace(make_position((9, 8, 7), dust=(0, 5, 0)), owned_tiles=((), (OwnedTile(0, 9),), ()))
    game = corrected(game, "away", 1, seat=1)
    assert game.end_reason is EndReason.NO_DUST, "the others have no dust left"
    assert game.seats_to_count == (0, 1, 2)
    assert "who left" in GAME.prompt(game, NAMES)
    for seat, count in ((0, 1), (1, 3)):
        game = count_tiles(game, seat, *[count] * 10)
    game = play_moves(count_tiles(game, 2, *[0] * 10), "finish")
    assert game.compute_outcome().winners == (1,)
    assert [row.majority_bonus for row in game.player_scores] == [0, 10, -5]


def test_absent_players_without_tiles_are_scored_and_need_no_count() -> None:
    game = corrected(make_position((9, 8, 7), dust=(0, 40, 0)), "away", 1, seat=1)
    assert game.seats_to_count == (0, 2)
    game = count_tiles(game, 0, *[0] * 10)
    game = play_moves(count_tiles(game, 2, *[1] + [0] * 9), "finish")
    assert game.totals == (-5, 15, 10), "F36: a point for two dust; F30: two have fewest stars"
    assert game.compute_outcome().winners == (1,)


def test_in_an_older_game_absent_players_are_not_counted() -> None:
    game = replace(make_position((9, 8, 7), dust=(0, 5, 0)), rulings=FIRST_RULINGS)
    game = corrected(game, "away", 1, seat=1)
    game = count_tiles(game, 0, *[1] * 10)
    assert game.counting_seat == 2
    game = play_moves(count_tiles(game, 2, *[0] * 10), "finish")
    assert game.totals[1] == 0
    assert game.compute_outcome().winners == (0,)
    assert [row.majority_bonus for row in game.player_scores] == [10, 0, 0], "two are compared: no penalty"


def test_players_back_for_the_count_are_counted() -> None:
    game = corrected(make_position((5,), pile_size=0), "away", 1, seat=1)
    for seat in (0, 2):
        game = count_tiles(game, seat, *[1] * 10)
    assert game.phase is Phase.TABLE
    game = corrected(game, "away", 0, seat=1)
    assert (game.phase, game.counting_seat) == (Phase.PAGE, 1)


def test_labels_of_all_correctables() -> None:
    for game in (
        make_position((9, 8), settings={"catalogue": (SkyTile(),)}),
        end_game(),
        play_moves(counted_game(), "finish"),
    ):
        words = label_all(GAME, game, NAMES)
        assert set(words) == {(c.stored_kind, c.seat) for c in game.list_correctables()}
        assert len(set(words.values())) == len(words)
        assert all(c.current_value in c.value_range for c in game.list_correctables())
    assert words["away", 1] == "Bob is away"


def test_values_that_a_number_would_not_explain() -> None:
    game = make_position((9,), settings={"catalogue": (SkyTile(stars=2), SkyTile(comets=1, red=1))})
    words = {c.stored_kind: GAME.value_labels(game, c, NAMES) for c in game.list_correctables()}
    assert words["tile on 9"] == ("Not known", "1: 2s", "2: 1c 1n")
    assert words["dust"] == ()
    for what in counted_game().list_correctables():
        said = GAME.value_labels(counted_game(), what, NAMES)
        assert not said or len(said) == what.value_range.high - what.value_range.low + 1


def test_nothing_else_can_be_corrected() -> None:
    with pytest.raises(BadCorrection, match="total cannot be corrected now"):
        corrected(make_position((9,)), "total", 5, seat=0)
    with pytest.raises(BadCorrection):
        corrected(make_position((9,)), "pile", 99)


def test_correcting_a_tile_restarts_the_question_which_tile_it_is() -> None:
    """F10: the answers so far were about other tiles; two tiles more on the board, and the sixth key was nowhere."""
    catalogue = tuple(SkyTile(stars=stars) for stars in range(7))
    game = play_moves(make_position((9, 8), settings={"catalogue": catalogue}), "name 0", "narrow 0 6")
    game = corrected(game, "tile on 9", 1)
    assert game.phase is Phase.TURN
    game = play_moves(corrected(game, "tile on 8", 2), "name 0")
    assert len(get_tile_question(game).choices) == 5
    kept = replace(game, owned_tiles=((OwnedTile(3, 5),), (), ()))
    assert corrected(kept, "tiles", 0, seat=0).phase is Phase.TURN, "tile 3 may be in the pile again"


def test_a_total_beyond_the_usual_range_can_be_corrected() -> None:
    """F34: whoever enters 99 of everything gets more than 999, and the menu begins with the total as it is."""
    game = end_game(2)
    for seat in (0, 1):
        game = count_tiles(game, seat, *[99] * 10)
    entry = of(game, "total", 0)
    assert entry.current_value[0] > 999
    assert entry.current_value in entry.value_range
    assert corrected(game, "total", entry.current_value[0] - 1, seat=0).totals[0] == entry.current_value[0] - 1
