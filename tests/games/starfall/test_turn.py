"""StarFall's turns: setup, add, move, discover, payment, and both ends of the game. Rules F1 to F22, A2 to A12."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.api import ConsolePress, GameClock, Seat, SeatPress
from companion.gallery.fixtures import play_moves
from companion.games.starfall import GAME, SkyTile, StarFall
from companion.games.starfall.payment_rules import PaymentView
from companion.games.starfall.samples import end_game, make_position, new_game
from companion.games.starfall.state import EndReason, OwnedTile, Phase
from tests.games.starfall.positions import can, check_refused, kinds, offers, view_payment

# Setup -----------------------------------------------------------------------------------------------------------


def test_f1_everybody_has_32_dust() -> None:
    game = new_game(4)
    assert game.dust == (32, 32, 32, 32)
    assert game.white_tokens == (7, 7, 7, 7)
    assert game.changes == (0, 0, 0, 0)


@pytest.mark.parametrize(("players", "pile"), [(2, 17), (3, 22), (4, 27)])
def test_f2_tiles_in_play(players: int, pile: int) -> None:
    assert new_game(players).pile_size == pile


def test_f3_clockwise_from_the_first_player() -> None:
    game = StarFall.create(3, Seat(2), new_game().settings)
    assert game.active_seat == 2
    assert play_moves(game, "add 2 0").active_seat == 0
    check_refused(game, "add 0 0", "F10: it is seat 2's turn, not seat 0's")


@pytest.mark.parametrize("players", [1, 5])
def test_two_to_four_players(players: int) -> None:
    with pytest.raises(ValueError, match="2 to 4"):
        new_game(players)
    with pytest.raises(ValueError, match="cannot begin"):
        StarFall.create(2, Seat(2), new_game().settings)


# Add, move, discover ---------------------------------------------------------------------------------------------


def test_t7_the_board() -> None:
    assert play_moves(new_game(), "add 0 0").occupied_spaces == (9,)
    assert play_moves(make_position((9, 8)), "add 0 0").occupied_spaces == (9, 8, 7)
    check_refused(make_position((9, 8, 7)), "add 0 0", "F15: 3 tiles are on the board already")
    assert play_moves(make_position((9, 8, 7)), "move 0 9").occupied_spaces == (8, 7, 6)
    off = play_moves(make_position((1, 0), pile_size=2), "move 0 1")
    assert (off.occupied_spaces, off.discarded) == ((0,), (0,))
    off = play_moves(make_position((0,), pile_size=2), "move 0 0")
    assert (off.occupied_spaces, off.discarded) == ((), (0,))


def test_f10_the_highest_empty_space_and_only_with_a_pile() -> None:
    assert play_moves(make_position((8, 3)), "add 0 0").occupied_spaces == (9, 8, 3)
    assert play_moves(make_position((9, 7)), "add 0 0").occupied_spaces == (9, 8, 7)
    check_refused(make_position((9, 8), pile_size=0), "add 0 0", "F10: the pile is empty")


def test_f10_f11_the_spaces_go_down_to_0() -> None:
    full = make_position(tuple(range(1, 10)), settings={"board_max_tiles": 9})
    assert len(play_moves(replace(full, board=full.board[:-1]), "add 0 0").occupied_spaces) == 9
    assert full.next_free_space == 0
    assert full.find_landing_space(1) == full.find_landing_space(9) == 0
    assert play_moves(make_position((9, 2)), "move 0 2").occupied_spaces == (9, 1)
    assert play_moves(make_position((9, 1)), "move 0 1").occupied_spaces == (9, 0)


def test_f10_there_may_be_fewer_tiles_than_the_house_rule_allows() -> None:
    full = make_position((9, 8, 7), settings={"board_max_tiles": 4}, pile_size=1)
    after = play_moves(full, "add 0 0")
    assert (after.occupied_spaces, after.pile_size, after.turn_number) == ((9, 8, 7, 6), 0, 2)


def test_f11_a_move_jumps_over_tiles() -> None:
    assert play_moves(make_position((9, 5)), "move 0 9").occupied_spaces == (8, 5)
    assert play_moves(make_position((6, 5, 4)), "move 0 6").occupied_spaces == (5, 4, 3)
    assert play_moves(make_position((6, 5, 2)), "move 0 6").occupied_spaces == (5, 4, 2)


def test_f11_a5_a6_a_tile_with_no_empty_space_below_falls_off() -> None:
    game = play_moves(make_position((2, 1, 0)), "move 0 2")
    assert (game.occupied_spaces, game.discarded) == ((1, 0), (0,))
    check_refused(make_position((2, 1)), "move 0 7", "F11: there is no tile on 7")
    check_refused(make_position((2, 1)), "move 0 12", "F11: the board has no such space")


def test_f12_the_price_is_the_space() -> None:
    game = play_moves(make_position((9, 4)), "discover 0 4")
    assert (game.dust, game.occupied_spaces, game.owned_tiles[0]) == ((28, 32, 32), (9,), (OwnedTile(0, 4),))
    assert game.active_seat == 1
    assert play_moves(make_position((9, 0)), "discover 0 0").dust == (32, 32, 32), "0 is free"
    check_refused(make_position((9, 4)), "discover 0 5", "F12: there is no tile on 5")


def test_f12_tiles_too_dear_are_refused() -> None:
    game = make_position((7, 5), dust=(4, 9, 9))
    assert not can(game, "discover 0 7")
    check_refused(game, "discover 0 7", "F12: the tile on 7 costs 7, seat 0 has 4 dust")


def test_f15_the_first_turn_is_an_add() -> None:
    game = new_game()
    assert kinds(game) == {"add"}
    check_refused(game, "move 0 9", "F15: the board is empty")
    check_refused(game, "discover 0 9", "F15: the board is empty")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_f15_three_tiles_for_all_numbers_of_players(players: int) -> None:
    assert not can(make_position((9, 8, 7), players), "add 0 0")


def test_a12_there_is_always_something_to_do() -> None:
    for board in ((), (0,), (1, 0), (2, 1, 0), (9, 8, 7)):
        assert make_position(board, dust=(0, 0, 1)).list_moves()


# Payment ---------------------------------------------------------------------------------------------------------


def test_t8_payment() -> None:
    game = make_position((9, 7), own=(2,))
    paid = play_moves(game, "discover 0 7", "with 0 0 3")
    assert paid.payment is not None
    assert (view_payment(paid).dust, view_payment(paid).is_enough) == (4, True)
    assert play_moves(paid, "pay 0").dust[0] == 28
    game = make_position((9, 7), settings={"catalogue": [SkyTile(stars=5), SkyTile(stars=4)]})
    game = replace(game, owned_tiles=((OwnedTile(1, 9), OwnedTile(2, 8)), (), ()))
    after = play_moves(game, "discover 0 7", "with 0 0 5", "with 0 1 4", "pay 0")
    assert (after.dust[0], len(after.owned_tiles[0]), after.discarded) == (32, 1, (1, 2)), "paid, 2 lost"
    four = play_moves(make_position((9, 3), own=(1,)), "discover 0 3", "with 0 0 3")
    assert view_payment(four).dust == 0, "dust that is not needed is not even offered"
    check_refused(four, "with 0 0 4", "F13: the tiles given pay the whole price")
    check_refused(make_position((9, 5), dust=(4, 9, 9)), "discover 0 5", "F12: ")


def test_f13_payment_is_chosen_only_with_own_tiles() -> None:
    assert play_moves(make_position((9, 5)), "discover 0 5").phase is Phase.TURN
    game = play_moves(make_position((9, 5), own=(1,)), "discover 0 5")
    assert game.phase is Phase.PAY
    assert play_moves(game, "pay 0").dust[0] == 27
    assert play_moves(make_position((9, 0), own=(1,)), "discover 0 0").active_seat == 1, "A8: nothing is paid at 0"


def test_f13_a_tile_and_dust_in_any_mix() -> None:
    game = play_moves(make_position((9, 7), own=(3,)), "discover 0 7", "with 0 0 2", "with 0 1 1", "pay 0")
    assert (game.dust[0], len(game.owned_tiles[0]), game.discarded) == (28, 2, (0, 0))


def test_f13_a_tile_that_is_not_needed_is_refused_if_its_stars_are_known() -> None:
    """A7: there is no change for tiles, and nobody throws one away."""
    settings = {"catalogue": [SkyTile(stars=2), SkyTile(stars=3)]}
    game = replace(make_position((9, 3), settings=settings), owned_tiles=((OwnedTile(1, 9), OwnedTile(2, 8)), (), ()))
    game = play_moves(game, "discover 0 3", "with 0 0 2", "with 0 1 3")
    check_refused(game, "pay 0", "F13: the tile that pays 2 is not needed; take it back, there is no change for tiles")
    assert view_payment(game).has_unneeded_tile
    assert SeatPress(Seat(0)) in [offer.input for offer in offers(game)], "the own button takes it back"
    assert ConsolePress.OK not in [offer.input for offer in offers(game)]
    assert can(play_moves(game, "without 0"), "pay 0"), "two stars and one dust"


def test_f13_a_tile_that_pays_too_much_alone_is_needed() -> None:
    game = replace(
        make_position((9, 3), settings={"catalogue": [SkyTile(stars=5)]}), owned_tiles=((OwnedTile(1, 9),), (), ())
    )
    assert can(play_moves(game, "discover 0 3", "with 0 0 5"), "pay 0")


def test_f13_too_little_is_refused_if_all_values_are_stated() -> None:
    game = play_moves(make_position((9, 7), own=(1,), dust=(2, 9, 9)), "discover 0 7", "with 0 0 3")
    check_refused(game, "pay 0", "F12: this does not reach the price of 7")
    more = play_moves(game, *(f"change 0 0 {stars}" for stars in range(4, 8)))
    assert can(more, "pay 0")
    assert not can(more, "with 0 0 1")


def test_f13_the_payment_is_changed_and_taken_back() -> None:
    game = play_moves(make_position((9, 7), own=(2,)), "discover 0 7", "with 0 0 3")
    assert view_payment(game).dust == 4
    check_refused(game, "without 0", "F13: another tile is tried before it is taken back")
    game = play_moves(game, *(f"change 0 0 {stars}" for stars in range(4, 8)), "without 0")
    assert view_payment(game).dust == 7
    before = play_moves(make_position((9, 7), own=(2,)))
    assert replace(play_moves(game, "cancel 0"), changes=()) == replace(before, changes=())
    check_refused(game, "change 0 0 1", "F13: no tile is in the payment")
    check_refused(game, "without 0", "F13: no tile is in the payment")
    check_refused(before, "pay 0", "F13: nothing is being paid now")
    check_refused(game, "add 0 0", "F10: pay for the tile on 7 first")


def test_a9_the_tile_that_is_discovered_cannot_pay() -> None:
    game = play_moves(make_position((9, 7), own=(1,)), "discover 0 7", "with 0 0 6")
    check_refused(game, "with 0 0 1", "F13: that tile cannot be given")
    check_refused(game, "with 0 1 6", "F13")


def test_a2_a_tile_pays_the_stars_printed_on_it() -> None:
    catalogue = (SkyTile(stars=3), SkyTile(stars=0, planets=2))
    game = make_position((9, 7), settings={"catalogue": catalogue})
    game = replace(game, owned_tiles=((OwnedTile(1, 2), OwnedTile(2, 2)), (), ()))
    paying = play_moves(game, "discover 0 7")
    assert can(paying, "with 0 0 3")
    assert not can(paying, "with 0 0 5"), "the catalogue knows better"
    assert not can(paying, "with 0 1 2"), "a tile without stars pays nothing"
    assert play_moves(paying, "with 0 0 3", "pay 0").dust[0] == 28
    poor = replace(game, dust=(3, 9, 9))
    check_refused(poor, "discover 0 7", "F12: the tile on 7 costs 7, seat 0 has 3 dust, and the tiles do not reach it")
    assert can(replace(game, dust=(4, 9, 9)), "discover 0 7")


def test_a2_switch_a_tile_pays_the_space_it_came_from() -> None:
    game = play_moves(
        make_position((9, 7), own=(1,), settings={"tile_pays": "space_number"}), "discover 0 7", "with 0 0 5"
    )
    assert view_payment(game).dust == 2
    assert play_moves(game, "pay 0").dust[0] == 30


def test_f13_without_change_a_five_paid_for_less_is_lost() -> None:
    game = make_position((9, 3), dust=(10, 9, 9), white_tokens=(0, 4, 4), settings={"token_change": False})
    after = play_moves(game, "discover 0 3")
    assert (after.dust[0], after.white_tokens[0]) == (5, 0)
    game = make_position((9, 8), dust=(14, 9, 9), white_tokens=(4, 4, 4), settings={"token_change": False})
    after = play_moves(game, "discover 0 8")
    assert (after.dust[0], after.white_tokens[0]) == (6, 1), "a five and three ones, exactly"
    assert play_moves(make_position((9, 3), dust=(10, 9, 9), white_tokens=(0, 4, 4)), "discover 0 3").dust[0] == 7, (
        "with change"
    )


@pytest.mark.parametrize(
    ("held", "whites", "price", "left"),
    [
        (14, 4, 3, (11, 1)),
        (14, 4, 4, (10, 0)),
        (14, 4, 5, (9, 4)),
        (14, 4, 9, (5, 0)),
        (14, 9, 10, (4, 4)),
        (10, 0, 4, (5, 0)),
        (10, 0, 6, (0, 0)),
    ],
)
def test_f13_without_change_whites_are_paid_where_they_reach(
    held: int, whites: int, price: int, left: tuple[int, int]
) -> None:
    game = make_position((10, price), settings={"token_change": False, "top_space": 10})
    game = replace(game, dust=(held, 9, 9), white_tokens=(whites, 4, 4))
    after = play_moves(game, f"discover 0 {price}")
    assert (after.dust[0], after.white_tokens[0]) == left


def test_the_screen_shows_price_dust_and_tiles_of_a_payment() -> None:
    game = play_moves(make_position((9, 7), own=(3,)), "discover 0 7")
    assert view_payment(game) == PaymentView(7, 7, (), True, False)
    assert view_payment(play_moves(game, "with 0 0 3", "with 0 1 2")) == PaymentView(7, 2, (3, 2), True, False)
    poor = play_moves(replace(game, dust=(2, 9, 9)), "with 0 0 3")
    assert view_payment(poor) == PaymentView(7, 2, (3,), False, False)


# The end ---------------------------------------------------------------------------------------------------------


def test_t9_the_end_of_the_pile() -> None:
    game = play_moves(make_position((6, 2), pile_size=0), "discover 0 2")
    assert game.end_reason is EndReason.ONE_TILE_LEFT
    assert game.phase is Phase.CHOOSE
    assert not play_moves(make_position((6, 2, 1), pile_size=0), "discover 0 2").end_reason, (
        "two are left: the game goes on"
    )
    assert make_position((9, 8, 7), pile_size=0).list_moves()
    game = play_moves(make_position((), pile_size=1), "add 0 0")
    assert (game.occupied_spaces, bool(game.end_reason)) == ((9,), True)
    check_refused(game, "discover 1 9", "F20: the pile is empty")


def test_f20_a_tile_that_falls_off_ends_the_game_too() -> None:
    assert play_moves(make_position((1, 0), pile_size=0), "move 0 0").end_reason is EndReason.ONE_TILE_LEFT
    assert not play_moves(make_position((1, 0), pile_size=1), "move 0 0").end_reason


def test_f21_nobody_has_dust_left() -> None:
    game = make_position((9, 5, 4), dust=(4, 0, 0))
    assert not game.end_reason, "A4: all, not any"
    game = play_moves(game, "discover 0 4")
    assert game.end_reason is EndReason.NO_DUST
    assert end_game(dust=(1, 0, 0)).end_reason is EndReason.ONE_TILE_LEFT


def test_a3_f21_own_tiles_do_not_prevent_the_end() -> None:
    game = make_position((9, 5, 4), own=(3, 3, 3), dust=(4, 0, 0))
    assert play_moves(game, "discover 0 4", "pay 0").end_reason is EndReason.NO_DUST


def test_f22_without_dust_one_goes_on() -> None:
    game = make_position((9, 5, 0), own=(1,), dust=(0, 3, 3))
    assert kinds(game) == {"mark", "move", "discover"}
    assert play_moves(game, "discover 0 0").active_seat == 1
    paid = play_moves(game, "discover 0 5", "with 0 0 5", "pay 0")
    assert (paid.dust[0], paid.active_seat) == (0, 1)


# Timer, preparation ----------------------------------------------------------------------------------------------


def test_the_house_timer_restarts_each_turn_and_runs_during_payment() -> None:
    assert new_game().list_clocks() == ()
    game = make_position((9, 7), own=(1,), settings={"turn_seconds": 45})
    assert game.list_clocks() == (GameClock("turn 1", 45, None),)
    game = play_moves(game, "discover 0 7")
    assert game.list_clocks()[0].name == "turn 1"
    assert play_moves(game, "pay 0").list_clocks()[0].name == "turn 2"
    assert end_game(settings={"turn_seconds": 45}).list_clocks() == ()


@pytest.mark.parametrize(("players", "words"), [(2, "put 10 tiles back"), (3, "put 5 tiles back"), (4, "face down")])
def test_preparations(players: int, words: str) -> None:
    lines = GAME.list_setup_steps(new_game().settings, players)
    assert "7 white and 5 orange" in lines[0]
    assert lines[1].partition(" unseen")[0].endswith(words)
    assert str(27 - {2: 10, 3: 5, 4: 0}[players]) in lines[2]
    assert "100 stardust" in GAME.list_setup_steps(new_game(start_dust=100).settings, players)[0]
