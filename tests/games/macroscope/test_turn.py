"""The turn, M1 to M33, rule by rule. States that take long to reach are built by hand."""

import pytest

from companion.api import ValueRange
from companion.games.macroscope import GAME, Macroscope, Settings
from companion.games.macroscope.state import AskingReason, Phase


def kinds(game):
    return {m.kind for m in game.list_moves()}


def seats(game, kind):
    return [m.seat for m in game.list_moves() if m.kind == kind]


# Setup ---------------------------------------------------------------------------------------------------------


def test_m1_to_m4_the_start():
    game = Macroscope.create(4, 2, Settings())
    assert game.tokens == (2, 2, 2, 2, 2, 2)
    assert game.covered_windows == 12
    assert game.crystals == (2, 2, 2, 2)
    assert game.round_number == 1
    assert game.active_seat == 2
    assert game.compute_outcome() is None


@pytest.mark.parametrize(("players", "first"), [(1, 0), (7, 0), (3, 3), (3, -1)])
def test_players_and_first_seat_must_exist(players, first):
    with pytest.raises(ValueError, match="players"):
        Macroscope.create(players, first, Settings())


def test_m6_turns_go_clockwise(at, play):
    game = at((2, 2, 2), active_seat=2)
    assert play(game, "roll 2 1 2", "remove 2 1", "stop 2", "close 2").active_seat == 0


# A turn --------------------------------------------------------------------------------------------------------


def test_m10_roll_first(at, play, refused):
    game = at((2, 2))
    assert [m.value_range for m in game.list_moves()] == [ValueRange(2, 1, 6)]
    for text in ("roll 0 0 3", "roll 0 7 3", "roll 0 3", "roll 1 3 3", "remove 0 3"):
        refused(game, text, "M10")
    refused(play(game, "roll 0 3 4"), "roll 0 3 4", "M10")


def test_m11_a_die_is_bound_while_its_number_is_there(at, play, refused):
    game = play(at((2, 2)), "roll 0 2 5")
    assert game.takeable_tokens == (2, 5)
    refused(game, "remove 0 3", "M11")
    game = play(game, "remove 0 5")
    assert game.takeable_tokens == (2,)
    refused(game, "remove 0 5", "M11")


def test_m11_exact_die_first_leaves_the_free_one_free(at, play):
    game = play(at((2, 2), tokens=(2, 0, 2, 2, 2, 2)), "roll 0 2 5", "remove 0 5")
    assert game.used_dice == (False, True)
    assert game.takeable_tokens == (1, 3, 4, 5, 6)


def test_m11_a_free_die_is_used_up_before_one_that_is_bound(at, play):
    game = play(at((2, 2), tokens=(2, 0, 2, 2, 2, 2)), "roll 0 5 2", "remove 0 3")
    assert (game.used_dice, game.takeable_tokens) == ((False, True), (5,))


def test_m11_at_use_a_die_comes_free_when_its_number_goes(at, play):
    game = play(at((2, 2), tokens=(2, 0, 2, 2, 1, 2)), "roll 0 2 2", "remove 0 5")
    assert game.takeable_tokens == (1, 3, 4, 6)


def test_m11_at_roll_freedom_is_settled_by_the_roll(at, play, refused):
    settings = {"match_dice": "at_roll"}
    game = play(at((2, 2), settings, tokens=(2, 2, 2, 1, 2, 2)), "roll 0 4 4", "remove 0 4")
    assert game.takeable_tokens == (), "the other four was bound when rolled, and the last 4 is gone"
    assert {"guess", "stop"} <= kinds(game)
    refused(game, "remove 0 1", "M11")
    game = play(at((2, 2), settings, tokens=(2, 0, 2, 2, 1, 2)), "roll 0 2 5", "remove 0 5")
    assert game.takeable_tokens == (1, 3, 4, 6), "the two was free when rolled and stays so"


def test_m12_without_dice_any_one_or_two(at, play, refused):
    game = at((2, 2), {"dice": "off"}, phase=Phase.OPEN, tokens=(2, 0, 2, 2, 2, 2))
    refused(game, "roll 0 1 2", "M12")
    assert game.takeable_tokens == (1, 3, 4, 5, 6)
    game = play(game, "remove 0 3", "remove 0 3")
    assert game.takeable_tokens == ()
    game = play(game, "stop 0", "close 0")
    assert (game.phase, game.active_seat) == (Phase.OPEN, 1)


def test_m13_one_or_two_tokens(at, play, refused):
    game = play(at((2, 2)), "roll 0 2 5")
    refused(game, "stop 0", "M13")
    game = play(game, "remove 0 2", "remove 0 5")
    refused(game, "remove 0 5", "M13")


def test_m14_choices_after_each_token(at, play):
    game = play(at((2, 2)), "roll 0 2 5", "remove 0 2")
    assert kinds(game) == {"remove", "guess", "stop", "ask"}
    assert kinds(play(game, "remove 0 5")) == {"guess", "stop", "stop for all"}


def test_m15_others_wait_until_the_active_player_has_decided(at, play, refused):
    game = play(at((2, 2)), "roll 0 2 5", "remove 0 2")
    refused(game, "wish 1", "M15")
    refused(game, "guess 1", "M15")


@pytest.mark.parametrize("count", [1, 2])
def test_m16_a2_crystals_for_the_windows_of_this_turn(at, play, count):
    game = at((2, 2), tokens=(2, 2, 0, 0, 2, 2))
    takes = ["remove 0 2", "remove 0 5"][:count]
    assert play(game, "roll 0 2 5", *takes, "stop 0").crystals == (2 + count, 2)


def test_m16_m17_windows_stay_open_if_nobody_guesses(at, play):
    game = play(at((2, 2)), "roll 0 2 5", "remove 0 2", "stop 0", "close 0")
    assert (game.phase, game.active_seat, game.covered_windows, game.opened_windows, game.dice) == (
        Phase.ROLL,
        1,
        11,
        0,
        (),
    )


def test_m16_the_turn_ends_if_nobody_can_pay(at, play):
    game = play(at((2, 1)), "roll 0 2 5", "remove 0 2", "stop 0")
    assert (game.phase, game.active_seat) == (Phase.ROLL, 1)


# The active player guesses ---------------------------------------------------------------------------------------


def test_m20_a_window_must_be_opened_first(at, play, refused):
    game = at((2, 2))
    refused(game, "guess 0", "M20")
    refused(play(game, "roll 0 2 5"), "guess 0", "M20")


def test_m21_v_is_frozen_and_no_token_removed(at, play, refused):
    game = play(at((2, 2)), "roll 0 2 5", "remove 0 2", "guess 0")
    assert (game.frozen_value is not None, game.guess_value) == (True, 11)
    refused(game, "remove 0 5", "M21")
    game = play(game, "close 0", "cover")
    assert (game.covered_windows, game.guess_value) == (12, 11)


def test_m23_challenge_pays_the_active_player(at, play, refused):
    game = play(at((2, 2, 5, 1)), "roll 0 2 5", "remove 0 2", "guess 0")
    assert game.asking_reason is AskingReason.CHALLENGE
    assert seats(game, "wish") == [1, 2]
    refused(game, "wish 0", "A6")
    refused(game, "wish 3", "M23")
    game = play(game, "wish 2", "close 0", "name 2")
    assert game.crystals == (4, 2, 3, 1)
    assert game.guessers == (0, 2)


def test_m24_fewest_crystals_first_recomputed_after_each_payment(at, play, refused):
    game = play(at((2, 7, 4, 5)), "roll 0 2 5", "remove 0 2", "guess 0", "wish 1", "wish 2", "wish 3")
    assert game.wish_queue == (2, 3, 1)
    game = play(game, "close 0")
    assert game.called_seat == 2
    refused(game, "name 3", "M24")
    refused(game, "name 1", "M24")
    game = play(game, "name 2")
    assert game.called_seat == 3
    game = play(game, "name 3")
    assert game.called_seat == 1


def test_m24_a_tie_is_the_active_players_to_break(at, play, refused):
    game = play(at((9, 4, 4, 5)), "roll 0 2 5", "remove 0 2", "guess 0", "wish 3", "wish 2", "wish 1", "close 0")
    assert game.pick_candidates == (1, 2)
    refused(game, "pick 0 3", "M24")
    refused(game, "pick 1 1", "M24")
    refused(game, "name 1", "M24")
    refused(game, "withdraw 1", "M24")
    game = play(game, "pick 0 2")
    assert game.called_seat == 2
    assert play(game, "name 2").called_seat == 1


def test_m24_open_until_nobody_else_wants(at, play):
    game = play(at((2, 4, 4)), "roll 0 2 5", "remove 0 2", "guess 0", "wish 1", "close 0", "name 1")
    assert (game.phase, seats(game, "wish")) == (Phase.ASKING, [2])
    assert play(game, "close 0").phase is Phase.COVER
    game = play(game, "wish 2")
    assert (game.phase, game.called_seat) == (Phase.CALLED, 2), "there is nobody else to wait for (M33)"
    assert play(game, "withdraw 2").phase is Phase.ASKING
    assert play(game, "name 2").phase is Phase.COVER, "nobody is left to ask"


def test_m24_a14_order_uses_totals_after_payments(at, play):
    settings = {"challenge_payee": "last_guesser"}
    game = play(at((9, 3, 6, 6), settings), "roll 0 2 5", "remove 0 2", "guess 0", "wish 1", "wish 2", "wish 3")
    game = play(game, "close 0", "name 1")
    assert game.pick_candidates == (2, 3)
    game = play(game, "pick 0 2", "name 2")
    assert game.crystals == (11, 3, 4, 6), "seat 2 paid seat 1, the last to guess"


def test_m25_no_challenger_leads_to_the_cover(at, play):
    game = play(at((2, 2)), "roll 0 2 5", "remove 0 2", "guess 0", "close 0")
    assert kinds(game) == {"cover"}


# The active player declines ----------------------------------------------------------------------------------------


def test_m30_after_the_last_token(at, play, refused):
    game = play(at((2, 2, 1)), "roll 0 2 5", "remove 0 2", "stop 0")
    assert (game.asking_reason, seats(game, "wish")) == (AskingReason.DECLINED, [1])
    refused(game, "guess 0", "M31")
    refused(game, "remove 0 5", "M30")
    refused(game, "wish 2", "M23")
    game = play(game, "wish 1", "name 1")
    assert game.crystals == (5, 0, 1)


def test_m30_between_the_tokens_nobody_wants(at, play, refused):
    game = play(at((2, 2)), "roll 0 2 5", "remove 0 2", "ask 0")
    assert game.asking_reason is AskingReason.MEANWHILE
    game = play(game, "close 0")
    assert (game.phase, game.crystals) == (Phase.OPEN, (2, 2))
    assert kinds(game) == {"remove", "guess", "stop"}
    refused(game, "ask 0", "M30")
    assert play(game, "remove 0 5").opened_windows == 2


def test_m30_between_the_tokens_somebody_guesses(at, play, refused):
    game = play(at((2, 3, 3)), "roll 0 2 5", "remove 0 2", "ask 0", "wish 1", "close 0")
    assert game.crystals == (2, 3, 3), "a wish costs nothing yet"
    game = play(game, "name 1")
    assert game.crystals == (5, 1, 3), "2 from seat 1, 1 for the window"
    assert (game.asking_reason, game.guess_value) == (AskingReason.DECLINED, 11)
    refused(game, "remove 0 5", "M21")
    refused(game, "guess 0", "M31")
    game = play(game, "wish 2", "name 2")
    assert game.crystals == (7, 1, 1), "the window is paid once"


@pytest.mark.parametrize("called", [(), ("close 0",)])
def test_m30_the_active_player_may_guess_while_others_are_asked_and_wishes_become_challenges(at, play, called):
    game = play(at((2, 4, 4)), "roll 0 2 5", "remove 0 2", "ask 0", "wish 1", *called, "guess 0")
    assert (game.phase, game.asking_reason, game.wishes) == (Phase.ASKING, AskingReason.CHALLENGE, (1,))
    assert play(game, "close 0", "name 1").crystals == (4, 2, 4)


@pytest.mark.parametrize("decision", ["guess 0", "stop 0"])
def test_m33_who_alone_could_guess_stays_called_when_the_active_player_decides_meanwhile(at, play, decision):
    """Whose key says "Said it" would withdraw by the same press, if another asking had to be closed first."""
    game = play(at((2, 4)), "roll 0 2 5", "remove 0 2", "ask 0", "wish 1")
    assert (game.phase, game.called_seat) == (Phase.CALLED, 1)
    game = play(game, decision)
    assert (game.phase, game.called_seat, game.wishes) == (Phase.CALLED, 1, (1,))


@pytest.mark.parametrize("called", [(), ("close 0",), ("wish 2", "close 0")])
def test_m30_the_active_player_may_open_while_others_are_asked_and_wishes_lapse(at, play, called):
    game = play(at((2, 4, 4)), "roll 0 2 5", "remove 0 2", "ask 0", "wish 1", *called, "remove 0 5")
    assert (game.phase, game.asking_reason, game.wishes, game.opened_windows) == (Phase.OPEN, None, (), 2)


@pytest.mark.parametrize("called", [(), ("close 0",), ("wish 2", "close 0")])
def test_m30_the_active_player_may_stop_while_others_are_asked_and_wishes_stay(at, play, called):
    game = play(at((2, 4, 4)), "roll 0 2 5", "remove 0 2", "ask 0", "wish 1", *called, "stop 0")
    assert (game.phase, game.asking_reason, game.crystals) == (Phase.ASKING, AskingReason.DECLINED, (3, 4, 4))
    assert 1 in game.wishes


def test_m30_each_turn_has_its_asking(at, play):
    game = play(at((2, 2)), "roll 0 2 5", "remove 0 2", "ask 0", "close 0", "stop 0", "close 0")
    assert "ask" in kinds(play(game, "roll 1 2 5", "remove 1 2"))


def test_m30_nobody_to_ask(at, play, refused):
    game = play(at((2, 1)), "roll 0 2 5", "remove 0 2")
    refused(game, "ask 0", "M30")
    refused(play(at((2, 2)), "roll 0 2 5"), "ask 0", "M30")


def test_m31_first_guess_freezes_v(at, play, refused):
    game = play(at((2, 4, 4)), "roll 0 2 5", "remove 0 2", "remove 0 5", "stop 0")
    assert game.frozen_value is None
    game = play(game, "wish 1", "close 0", "name 1")
    assert (game.frozen_value is not None, game.guess_value) == (True, 10)
    refused(game, "guess 0", "M31")
    refused(game, "wish 0", "M31")


def test_m33_wishes_are_withdrawn_free_of_charge(at, play, refused):
    game = play(at((2, 4, 4)), "roll 0 2 5", "remove 0 2", "stop 0", "wish 1")
    refused(game, "wish 1", "M33")
    refused(game, "withdraw 2", "M33")
    assert play(game, "withdraw 1").wishes == ()
    game = play(game, "close 0", "withdraw 1")
    assert (game.phase, game.crystals) == (Phase.ASKING, (3, 4, 4))
    assert 1 in seats(game, "wish"), "a player may wish again"
    assert play(game, "close 0").active_seat == 1


def test_m33_the_called_player_withdraws_and_the_next_is_called(at, play):
    game = play(at((2, 4, 5)), "roll 0 2 5", "remove 0 2", "stop 0", "wish 2", "wish 1", "close 0")
    assert game.called_seat == 1
    assert play(game, "withdraw 2").called_seat == 1
    assert play(game, "withdraw 1").called_seat == 2


def test_m33_a_late_wish_queues_by_the_same_order(at, play):
    game = play(at((2, 7, 4, 5)), "roll 0 2 5", "remove 0 2", "stop 0", "wish 1", "wish 3", "close 0")
    assert game.called_seat == 3
    game = play(game, "wish 2")
    assert game.called_seat == 3, "who is called stays called"
    assert play(game, "name 3").called_seat == 2


def test_m33_a_late_wish_with_fewer_crystals_settles_a_tie(at, play):
    game = play(at((2, 4, 4, 3)), "roll 0 2 5", "remove 0 2", "stop 0", "wish 1", "wish 2", "close 0")
    assert game.phase is Phase.PICK
    assert play(game, "wish 3").called_seat == 3


def test_m33_only_the_active_closes(at, play, refused):
    game = play(at((2, 4)), "roll 0 2 5", "remove 0 2", "stop 0")
    refused(game, "close 1", "M33")
    refused(play(game, "close 0"), "close 1", "M33")


# Numbers and words -----------------------------------------------------------------------------------------------


def test_turns_are_numbered_one_after_the_other(at, play):
    game = play(at((2, 2)), "roll 0 2 5", "remove 0 2", "stop 0", "close 0")
    assert (game.active_seat, game.turn_number) == (1, 2)
    assert play(game, "roll 1 1 3", "remove 1 1", "stop 1", "close 1").turn_number == 3


def test_a_shared_victory_names_all_winners(at):
    alone, shared = at((4, 2), phase=Phase.OVER), at((4, 4), phase=Phase.OVER)
    assert GAME.format_prompt(alone, ("Ada", "Bob")) == "Ada wins with 4"
    assert GAME.format_prompt(shared, ("Ada", "Bob")) == "Ada and Bob share the victory with 4"
