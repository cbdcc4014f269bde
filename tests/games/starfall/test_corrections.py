"""Corrections in StarFall: when they are possible, their consequences, and impossible values."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.api import Correction, Seat
from companion.gallery.fixtures import play_moves
from companion.games.starfall import GAME, SkyTile, StarFall
from companion.games.starfall.samples import count_tiles, end_game, make_position
from companion.games.starfall.state import EndReason, OwnedTile, Phase
from companion.games.starfall.tile_questions import get_tile_question
from companion.testing.checks import label_all, list_menu
from tests.games.refusals import check_not_corrected
from tests.games.starfall.positions import NAMES, corrected, kinds, view_payment


def of(game, kind, seat=None):
    return next((c for c in game.list_correctables() if (c.stored_kind, c.seat) == (kind, seat)), None)


def test_dust() -> None:
    game = corrected(make_position((9,)), "dust", 20, seat=1)
    assert game.dust == (32, 20, 32)
    check_not_corrected(game, "dust", -1, seat=1)
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
    check_not_corrected(full, "tiles on 4 to 0", 1, 1, 1, 1, 1, why="one space at least is empty")


def test_the_pile() -> None:
    game = corrected(make_position((9,)), "pile", 0)
    assert game.phase is Phase.CHOOSE
    assert corrected(game, "pile", 2).phase is Phase.TURN


def test_a_count_begun_is_void_when_the_game_goes_on_after_all() -> None:
    game = play_moves(end_game(2), "count 0", "enter 0 5")
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
    game = corrected(game, "nebulae", 5, 2, seat=0)
    assert game.symbol_counts[0][5:] == (4, 1, 0, 0, 0)
    for impossible in ((1, 2), (3, 0), (0, 1), (9, 6)):
        check_not_corrected(game, "nebulae", *impossible, seat=0, why="cannot have that many colours")
    assert corrected(game, "nebulae", 0, 0, seat=0).symbol_counts[0][5:] == (0,) * 5
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
    assert play_moves(game, *["next-line 2"] * 7).phase is Phase.TABLE


def test_dust_counts_in_the_final_score() -> None:
    game = play_moves(counted_game(), "finish")
    assert corrected(game, "dust", 10, seat=0).totals[0] == game.totals[0] + 2


# Away ------------------------------------------------------------------------------------------------------------


def test_absent_players_are_skipped_until_they_return() -> None:
    game = corrected(make_position((9, 8)), "away", 1, seat=1)
    assert play_moves(game, "move 0 9").active_seat == 2
    assert play_moves(corrected(game, "away", 0, seat=1), "move 0 9").active_seat == 1
    check_not_corrected(game, "active", 1, why="seat 1 is away")


def test_the_active_player_leaves_in_the_middle_of_a_payment() -> None:
    game = corrected(play_moves(make_position((9, 7), own=(1,)), "discover 0 7"), "away", 1, seat=0)
    assert (game.active_seat, game.phase, game.occupied_spaces) == (1, Phase.TURN, (9, 7))


def test_two_must_stay() -> None:
    game = corrected(make_position((9, 8)), "away", 1, seat=1)
    check_not_corrected(game, "away", 1, seat=0, why="set the game aside instead")
    check_not_corrected(make_position((9,), 2), "away", 1, seat=0, why="set the game aside instead")


def test_absent_players_do_not_prevent_the_end_and_keep_what_they_earned() -> None:
    """F21, F37: the others count the tiles of who left."""
    game = replace(make_position((9, 8, 7), dust=(0, 5, 0)), owned_tiles=((), (OwnedTile(0, 9),), ()))
    game = corrected(game, "away", 1, seat=1)
    assert game.end_reason is EndReason.NO_DUST, "the others have no dust left"
    assert game.seats_to_count == (0, 1, 2)
    assert "who left" in GAME.format_prompt(game, NAMES)
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


def test_players_back_for_the_count_are_counted() -> None:
    game = corrected(make_position((5,), pile_size=0), "away", 1, seat=1)
    for seat in (0, 2):
        game = count_tiles(game, seat, *[1] * 10)
    assert game.phase is Phase.TABLE
    game = corrected(game, "away", 0, seat=1)
    assert (game.phase, game.counting_seat) == (Phase.PAGE, 1)


def test_labels_of_the_menu() -> None:
    assert label_all(GAME, end_game(), NAMES)["away", Seat(1)] == "Bob is away"


def test_values_that_a_number_would_not_explain() -> None:
    game = make_position((9,), settings={"catalogue": (SkyTile(stars=2), SkyTile(comets=1, red=1))})
    words = {c.stored_kind: GAME.label_values(game, c, NAMES) for c in game.list_correctables()}
    assert words["tile on 9"] == ("Not known", "1: 2s", "2: 1c 1n")
    assert words["dust"] == ()
    for what in counted_game().list_correctables():
        said = GAME.label_values(counted_game(), what, NAMES)
        assert not said or len(said) == what.value_range.high - what.value_range.low + 1


def test_nothing_else_can_be_corrected() -> None:
    check_not_corrected(make_position((9,)), "total", 5, seat=0, why="total cannot be corrected now")
    check_not_corrected(make_position((9,)), "pile", 99)


def test_correcting_a_tile_restarts_the_question_which_tile_it_is() -> None:
    """F10: the answers so far were about other tiles; two tiles more on the board, and the sixth key was nowhere."""
    catalogue = tuple(SkyTile(stars=stars) for stars in range(7))
    game = play_moves(make_position((9, 8), settings={"catalogue": catalogue}), "name 0", "narrow 0 3")
    game = corrected(game, "tile on 9", 1)
    assert game.phase is Phase.TURN
    game = play_moves(corrected(game, "tile on 8", 2), "name 0")
    assert [len(choice.tile_numbers) for choice in get_tile_question(game).choices] == [1, 2, 2]
    kept = replace(game, owned_tiles=((OwnedTile(3, 5),), (), ()))
    assert corrected(kept, "tiles", 0, seat=0).phase is Phase.TURN, "tile 3 may be in the pile again"


def test_a_total_beyond_the_usual_range_can_be_corrected() -> None:
    """F34: a player with 99 of everything has more than 999, and the menu begins with the total as it is."""
    game = end_game(2)
    for seat in (0, 1):
        game = count_tiles(game, seat, *[99] * 5, 95, 1, 1, 1, 1)
    entry = of(game, "total", 0)
    assert entry.current_value[0] > 999
    assert entry.current_value in entry.value_range
    assert corrected(game, "total", entry.current_value[0] - 1, seat=0).totals[0] == entry.current_value[0] - 1


# The menu --------------------------------------------------------------------------------------------------------


def test_the_menu_in_a_turn() -> None:
    game = make_position((9, 2), 2, own=(1,), settings={"catalogue": (SkyTile(stars=4), SkyTile(stars=2))})
    assert list_menu(game) == [
        "dust of 0: 32, from 0 to 200",
        "dust of 1: 32, from 0 to 200",
        "active: 0, from 0 to 1",
        "tiles on 9 to 5: 1 0 0 0 0, 5 from 0 to 1",
        "tiles on 4 to 0: 0 0 1 0 0, 5 from 0 to 1",
        "pile: 17, from 0 to 27",
        "tile on 9: 0, from 0 to 2",
        "tile on 2: 0, from 0 to 2",
        "tiles of 0: 1, from 0 to 27",
        "tiles of 1: 0, from 0 to 27",
        "away of 0: 0, from 0 to 1",
        "away of 1: 0, from 0 to 1",
    ]


def test_the_menu_after_the_end() -> None:
    game = count_tiles(end_game(2, (6, 3)), 0, 1, 2, 3, 0, 0, 1, 0, 0, 0, 0)
    counting = [
        "dust of 0: 6, from 0 to 200",
        "dust of 1: 3, from 0 to 200",
        "counted of 0: 1, from 0 to 1",
        "counts of 0: 1 2 3 0 0, 5 from 0 to 99",
        "nebulae of 0: 1 1, 2 from 0 to 99",
        "counts of 1: 0 0 0 0 0, 5 from 0 to 99",
        "nebulae of 1: 0 0, 2 from 0 to 99",
        "tiles on 9 to 5: 0 0 0 0 1, 5 from 0 to 1",
        "tiles on 4 to 0: 0 0 0 0 0, 5 from 0 to 1",
        "pile: 0, from 0 to 27",
        "away of 0: 0, from 0 to 1",
        "away of 1: 0, from 0 to 1",
    ]
    assert list_menu(game) == counting
    over = play_moves(count_tiles(game, 1, *[0] * 10), "finish")
    assert list_menu(over)[:5] == ["total of 0: 31, from -99 to 999", "total of 1: 1, from -99 to 999", *counting[:3]]
    assert "counted of 1: 1, from 0 to 1" in list_menu(over)


def test_an_odd_number_of_spaces_is_split_with_the_dearer_half_longer() -> None:
    menu = list_menu(make_position((3,), settings={"top_space": 4}))
    assert [line for line in menu if " on " in line] == [
        "tiles on 4 to 2: 0 1 0, 3 from 0 to 1",
        "tiles on 1 to 0: 0 0, 2 from 0 to 1",
    ]


# Consequences ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("dust", "whites"), [(37, 12), (32, 7), (31, 6), (20, 0), (19, 4), (4, 4)])
def test_corrected_dust_keeps_as_many_orange_tokens_as_fit(dust: int, whites: int) -> None:
    """F1: 32 dust is seven white and five orange tokens."""
    assert corrected(make_position((9,)), "dust", dust, seat=1).white_tokens == (7, whites, 7)


def test_tiles_on_the_other_half_of_the_board_stay_what_they_are() -> None:
    game = replace(
        make_position((), settings={"catalogue": (SkyTile(stars=1), SkyTile(stars=2))}), board=((9, 2), (3, 1))
    )
    assert corrected(game, "tiles on 9 to 5", 0, 1, 0, 0, 0).board == ((8, 2), (3, 1))
    assert corrected(game, "tiles on 4 to 0", 1, 0, 0, 0, 0).board == ((9, 2), (4, 1))


def test_all_spaces_but_one_may_hold_a_tile() -> None:
    game = corrected(make_position((9, 8)), "tiles on 9 to 5", 1, 1, 1, 1, 1)
    game = corrected(game, "tiles on 4 to 0", 1, 1, 1, 1, 0)
    assert game.occupied_spaces == (9, 8, 7, 6, 5, 4, 3, 2, 1)
    check_not_corrected(game, "tiles on 4 to 0", 1, 1, 1, 1, 1, why="one space at least is empty")


def test_after_a_correction_no_tile_is_marked() -> None:
    game = play_moves(make_position((9, 4)), "mark 0 4")
    assert corrected(game, "active", 1).marked_space is None
    assert corrected(game, "tiles on 4 to 0", 0, 0, 0, 0, 0).marked_space is None


def test_a_payment_goes_on_only_while_it_can_be_made() -> None:
    game = play_moves(make_position((9, 7), own=(1,), settings={"tile_pays": "space_number"}), "discover 0 7")
    assert corrected(game, "dust", 2, seat=0).phase is Phase.PAY, "2 dust and a tile from 5"
    assert corrected(game, "dust", 1, seat=0).phase is Phase.TURN
    assert corrected(game, "tiles", 2, seat=1).phase is Phase.TURN


def test_more_own_tiles_are_unknown_ones_and_fewer_are_the_first() -> None:
    game = replace(make_position((9,)), owned_tiles=((OwnedTile(1, 5), OwnedTile(2, 6)), (), ()))
    assert corrected(game, "tiles", 1, seat=0).owned_tiles[0] == (OwnedTile(1, 5),)
    assert corrected(game, "tiles", 3, seat=0).owned_tiles[0] == (*game.owned_tiles[0], OwnedTile(0, None))


def test_the_page_of_a_player_who_leaves_without_tiles_is_closed() -> None:
    page = play_moves(end_game(3), "count 0", "next-line 0")
    assert (page.counting_seat, page.line_index) == (0, 1)
    closed = corrected(page, "away", 1, seat=0)
    assert (closed.counting_seat, closed.line_index) == (None, 0)
    other = corrected(page, "away", 1, seat=1)
    assert (other.counting_seat, other.line_index) == (0, 1), "that of another player stays open"
    choosing = corrected(play_moves(page, "back-line 0", "leave 0"), "away", 1, seat=2)
    assert choosing.phase is Phase.CHOOSE


def test_counted_again_or_not() -> None:
    game = play_moves(counted_game(), "finish")
    assert corrected(game, "counted", 1, seat=2).phase is Phase.OVER
    assert corrected(game, "counts", 9, 9, 9, 9, 9, seat=0).phase is Phase.OVER, "a corrected number asks nobody"


@pytest.mark.parametrize(
    ("game", "kind", "seat", "value", "line"),
    [
        (make_position((9,)), "away", 1, (1,), "Bob is away"),
        (replace(make_position((9,)), away=(False, True, False)), "away", 1, (0,), "Bob is back"),
        (counted_game(), "counted", 1, (0,), "Bob is counted again"),
        (make_position((9,)), "active", None, (2,), "Corrected: whose turn, Ada to Cleo"),
        (make_position((9,)), "pile", None, (3,), "Corrected: tiles in the pile, 22 to 3"),
        (
            make_position((9,)),
            "tiles on 4 to 0",
            None,
            (0, 1, 0, 0, 0),
            "Corrected: tiles on 4 3 2 1 0, 0 0 0 0 0 to 0 1 0 0 0",
        ),
        (make_position((9,)), "tiles", 2, (4,), "Corrected: how many tiles Cleo has, 0 to 4"),
    ],
)
def test_descriptions_of_corrections(
    game: StarFall, kind: str, seat: int | None, value: tuple[int, ...], line: str
) -> None:
    what = Correction.from_stored(kind, None if seat is None else Seat(seat), value)
    assert GAME.describe(game, what, game.correct(what), NAMES) == line
