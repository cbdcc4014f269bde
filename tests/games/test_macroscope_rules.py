"""Each rule by its number. Positions are built by hand where a game would take long to get there."""

from dataclasses import replace

import pytest

from companion.games.game import IllegalMove, Range
from companion.games.macroscope import KIT, Macroscope, Settings
from companion.games.macroscope.view import Asking, Phase


def kinds(game):
    return {m.kind for m in game.moves()}


def seats(game, kind):
    return [m.seat for m in game.moves() if m.kind == kind]


@pytest.fixture
def refused(move):
    """`refused(game, "guess 1", "M15")`: the move is not listed, and refused with that rule's number."""

    def _refused(game, text, rule):
        assert not any(m.covers(move(text)) for m in game.moves())
        with pytest.raises(IllegalMove, match=rf"^{rule}: "):
            game.play(move(text))

    return _refused


# Setup ---------------------------------------------------------------------------------------------------------


def test_m1_to_m4_the_start():
    game = Macroscope.new(4, 2, Settings())
    assert game.tokens == (2, 2, 2, 2, 2, 2)
    assert game.covered == 12
    assert game.crystals == (2, 2, 2, 2)
    assert game.marker == 1
    assert game.active == 2
    assert game.outcome() is None


@pytest.mark.parametrize(("players", "first"), [(1, 0), (7, 0), (3, 3), (3, -1)])
def test_players_and_first_seat_must_exist(players, first):
    with pytest.raises(ValueError, match="players"):
        Macroscope.new(players, first, Settings())


def test_m6_turns_go_clockwise(at, play):
    game = at((2, 2, 2), active=2)
    assert play(game, "roll 2 1 2", "remove 2 1", "stop 2", "close 2").active == 0


# A turn --------------------------------------------------------------------------------------------------------


def test_m10_roll_first(at, play, refused):
    game = at((2, 2))
    assert [m.open for m in game.moves()] == [Range(2, 1, 6)]
    for text in ("roll 0 0 3", "roll 0 7 3", "roll 0 3", "roll 1 3 3", "remove 0 3"):
        refused(game, text, "M10")
    refused(play(game, "roll 0 3 4"), "roll 0 3 4", "M10")


def test_m11_a_die_is_bound_while_its_number_is_there(at, play, refused):
    game = play(at((2, 2)), "roll 0 2 5")
    assert game.takeable == (2, 5)
    refused(game, "remove 0 3", "M11")
    game = play(game, "remove 0 5")
    assert game.takeable == (2,)
    refused(game, "remove 0 5", "M11")


def test_m11_exact_die_first_leaves_the_free_one_free(at, play):
    game = play(at((2, 2), tokens=(2, 0, 2, 2, 2, 2)), "roll 0 2 5", "remove 0 5")
    assert game.dice_used == (False, True)
    assert game.takeable == (1, 3, 4, 5, 6)


def test_m11_at_use_a_die_comes_free_when_its_number_goes(at, play):
    game = play(at((2, 2), tokens=(2, 0, 2, 2, 1, 2)), "roll 0 2 2", "remove 0 5")
    assert game.takeable == (1, 3, 4, 6)


def test_m11_at_roll_freedom_is_settled_by_the_roll(at, play, refused):
    settings = {"match_dice": "at_roll"}
    game = play(at((2, 2), settings, tokens=(2, 2, 2, 1, 2, 2)), "roll 0 4 4", "remove 0 4")
    assert game.takeable == (), "the other four was bound when rolled, and the last 4 is gone"
    assert {"guess", "stop"} <= kinds(game)
    refused(game, "remove 0 1", "M11")
    game = play(at((2, 2), settings, tokens=(2, 0, 2, 2, 1, 2)), "roll 0 2 5", "remove 0 5")
    assert game.takeable == (1, 3, 4, 6), "the two was free when rolled and stays so"


def test_m12_without_dice_any_one_or_two(at, play, refused):
    game = at((2, 2), {"dice": "off"}, phase=Phase.OPEN, tokens=(2, 0, 2, 2, 2, 2))
    refused(game, "roll 0 1 2", "M12")
    assert game.takeable == (1, 3, 4, 5, 6)
    game = play(game, "remove 0 3", "remove 0 3")
    assert game.takeable == ()
    game = play(game, "stop 0", "close 0")
    assert (game.phase, game.active) == (Phase.OPEN, 1)


def test_m13_one_or_two_tokens(at, play, refused):
    game = play(at((2, 2)), "roll 0 2 5")
    refused(game, "stop 0", "M13")
    game = play(game, "remove 0 2", "remove 0 5")
    refused(game, "remove 0 5", "M13")


def test_m14_choices_after_each_token(at, play):
    game = play(at((2, 2)), "roll 0 2 5", "remove 0 2")
    assert kinds(game) == {"remove", "guess", "stop", "ask"}
    assert kinds(play(game, "remove 0 5")) == {"guess", "stop"}


def test_m15_others_wait_until_the_active_has_spoken(at, play, refused):
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
    assert (game.phase, game.active, game.covered, game.opened, game.dice) == (Phase.ROLL, 1, 11, 0, ())


def test_m16_with_nobody_able_to_pay_the_turn_simply_ends(at, play):
    game = play(at((2, 1)), "roll 0 2 5", "remove 0 2", "stop 0")
    assert (game.phase, game.active) == (Phase.ROLL, 1)


# The active player guesses ---------------------------------------------------------------------------------------


def test_m20_a_window_must_be_opened_first(at, play, refused):
    game = at((2, 2))
    refused(game, "guess 0", "M20")
    refused(play(game, "roll 0 2 5"), "guess 0", "M20")


def test_m21_v_is_frozen_and_no_token_removed(at, play, refused):
    game = play(at((2, 2)), "roll 0 2 5", "remove 0 2", "guess 0")
    assert (game.view().frozen, game.view().value) == (True, 11)
    refused(game, "remove 0 5", "M21")
    game = play(game, "close 0", "cover")
    assert (game.covered, game.view().value) == (12, 11)


def test_m23_challenge_pays_the_active_player(at, play, refused):
    game = play(at((2, 2, 5, 1)), "roll 0 2 5", "remove 0 2", "guess 0")
    assert game.asking is Asking.CHALLENGE
    assert seats(game, "wish") == [1, 2]
    refused(game, "wish 0", "A6")
    refused(game, "wish 3", "M23")
    game = play(game, "wish 2", "close 0", "name 2")
    assert game.crystals == (4, 2, 3, 1)
    assert game.guessers == (0, 2)


def test_m24_fewest_crystals_first_and_anew_after_each(at, play, refused):
    game = play(at((2, 7, 4, 5)), "roll 0 2 5", "remove 0 2", "guess 0", "wish 1", "wish 2", "wish 3")
    assert game.view().wishes == (2, 3, 1)
    game = play(game, "close 0")
    assert game.called == 2
    refused(game, "name 3", "M24")
    refused(game, "name 1", "M24")
    game = play(game, "name 2")
    assert game.called == 3
    game = play(game, "name 3")
    assert game.called == 1


def test_m24_a_tie_is_the_active_players_to_break(at, play, refused):
    game = play(at((9, 4, 4, 5)), "roll 0 2 5", "remove 0 2", "guess 0", "wish 3", "wish 2", "wish 1", "close 0")
    assert game.view().pick_from == (1, 2)
    refused(game, "pick 0 3", "M24")
    refused(game, "pick 1 1", "M24")
    refused(game, "name 1", "M24")
    refused(game, "withdraw 1", "M24")
    game = play(game, "pick 0 2")
    assert game.called == 2
    assert play(game, "name 2").called == 1


def test_m24_open_until_nobody_else_wants(at, play):
    game = play(at((2, 4, 4)), "roll 0 2 5", "remove 0 2", "guess 0", "wish 1", "close 0", "name 1")
    assert (game.phase, seats(game, "wish")) == (Phase.ASKING, [2])
    assert play(game, "close 0").phase is Phase.COVER
    assert play(game, "wish 2", "close 0", "name 2").phase is Phase.COVER, "nobody is left to ask"


def test_m24_a14_order_uses_totals_after_payments(at, play):
    settings = {"challenge_payee": "last_guesser"}
    game = play(at((9, 3, 6, 6), settings), "roll 0 2 5", "remove 0 2", "guess 0", "wish 1", "wish 2", "wish 3")
    game = play(game, "close 0", "name 1")
    assert game.view().pick_from == (2, 3)
    game = play(game, "pick 0 2", "name 2")
    assert game.crystals == (11, 3, 4, 6), "seat 2 paid seat 1, the last to guess"


def test_m25_no_challenger_leads_to_the_cover(at, play):
    game = play(at((2, 2)), "roll 0 2 5", "remove 0 2", "guess 0", "close 0")
    assert kinds(game) == {"cover"}


# The active player declines ----------------------------------------------------------------------------------------


def test_m30_after_his_last_token(at, play, refused):
    game = play(at((2, 2, 1)), "roll 0 2 5", "remove 0 2", "stop 0")
    assert (game.asking, seats(game, "wish")) == (Asking.DECLINED, [1])
    refused(game, "guess 0", "M31")
    refused(game, "remove 0 5", "M30")
    refused(game, "wish 2", "M23")
    game = play(game, "wish 1", "close 0", "name 1")
    assert game.crystals == (5, 0, 1)


def test_m30_between_the_tokens_nobody_wants(at, play, refused):
    game = play(at((2, 2)), "roll 0 2 5", "remove 0 2", "ask 0")
    assert game.asking is Asking.MEANWHILE
    game = play(game, "close 0")
    assert (game.phase, game.crystals) == (Phase.OPEN, (2, 2))
    assert kinds(game) == {"remove", "guess", "stop"}
    refused(game, "ask 0", "M30")
    assert play(game, "remove 0 5").opened == 2


def test_m30_between_the_tokens_somebody_guesses(at, play, refused):
    game = play(at((2, 3, 3)), "roll 0 2 5", "remove 0 2", "ask 0", "wish 1", "close 0")
    assert game.crystals == (2, 3, 3), "a wish costs nothing yet"
    game = play(game, "name 1")
    assert game.crystals == (5, 1, 3), "2 from seat 1, 1 for the window"
    assert (game.asking, game.value) == (Asking.DECLINED, 11)
    refused(game, "remove 0 5", "M21")
    refused(game, "guess 0", "M31")
    game = play(game, "wish 2", "close 0", "name 2")
    assert game.crystals == (7, 1, 1), "the window is paid once"


@pytest.mark.parametrize("called", [(), ("close 0",)])
def test_m30_while_asked_he_may_still_guess_and_wishes_become_challenges(at, play, called):
    game = play(at((2, 4, 4)), "roll 0 2 5", "remove 0 2", "ask 0", "wish 1", *called, "guess 0")
    assert (game.phase, game.asking, game.wishes) == (Phase.ASKING, Asking.CHALLENGE, (1,))
    assert play(game, "close 0", "name 1").crystals == (4, 2, 4)


@pytest.mark.parametrize("called", [(), ("close 0",), ("wish 2", "close 0")])
def test_m30_while_asked_he_may_still_open_and_wishes_are_void(at, play, called):
    game = play(at((2, 4, 4)), "roll 0 2 5", "remove 0 2", "ask 0", "wish 1", *called, "remove 0 5")
    assert (game.phase, game.asking, game.wishes, game.opened) == (Phase.OPEN, None, (), 2)


@pytest.mark.parametrize("called", [(), ("close 0",), ("wish 2", "close 0")])
def test_m30_while_asked_he_may_still_stop_and_wishes_stay(at, play, called):
    game = play(at((2, 4, 4)), "roll 0 2 5", "remove 0 2", "ask 0", "wish 1", *called, "stop 0")
    assert (game.phase, game.asking, game.crystals) == (Phase.ASKING, Asking.DECLINED, (3, 4, 4))
    assert 1 in game.wishes


def test_m30_nobody_to_ask(at, play, refused):
    game = play(at((2, 1)), "roll 0 2 5", "remove 0 2")
    refused(game, "ask 0", "M30")
    refused(play(at((2, 2)), "roll 0 2 5"), "ask 0", "M30")


def test_m31_first_guess_freezes_v(at, play, refused):
    game = play(at((2, 4, 4)), "roll 0 2 5", "remove 0 2", "remove 0 5", "stop 0")
    assert not game.view().frozen
    game = play(game, "wish 1", "close 0", "name 1")
    assert (game.view().frozen, game.value) == (True, 10)
    refused(game, "guess 0", "M31")
    refused(game, "wish 0", "M31")


def test_m33_wishes_are_withdrawn_free_of_charge(at, play, refused):
    game = play(at((2, 4, 4)), "roll 0 2 5", "remove 0 2", "stop 0", "wish 1")
    refused(game, "wish 1", "M33")
    refused(game, "withdraw 2", "M33")
    assert play(game, "withdraw 1").wishes == ()
    game = play(game, "close 0", "withdraw 1")
    assert (game.phase, game.crystals) == (Phase.ASKING, (3, 4, 4))
    assert 1 in seats(game, "wish"), "he may change his mind again"
    assert play(game, "close 0").active == 1


def test_m33_the_called_one_withdraws_and_the_next_is_called(at, play):
    game = play(at((2, 4, 5)), "roll 0 2 5", "remove 0 2", "stop 0", "wish 2", "wish 1", "close 0")
    assert game.called == 1
    assert play(game, "withdraw 2").called == 1
    assert play(game, "withdraw 1").called == 2


def test_m33_a_late_wish_queues_by_the_same_order(at, play):
    game = play(at((2, 7, 4, 5)), "roll 0 2 5", "remove 0 2", "stop 0", "wish 1", "wish 3", "close 0")
    assert game.called == 3
    game = play(game, "wish 2")
    assert game.called == 3, "who is called stays called"
    assert play(game, "name 3").called == 2


def test_m33_a_late_wish_with_fewer_crystals_settles_a_tie(at, play):
    game = play(at((2, 4, 4, 3)), "roll 0 2 5", "remove 0 2", "stop 0", "wish 1", "wish 2", "close 0")
    assert game.phase is Phase.PICK
    assert play(game, "wish 3").called == 3


def test_m33_only_the_active_closes(at, play, refused):
    game = play(at((2, 4)), "roll 0 2 5", "remove 0 2", "stop 0")
    refused(game, "close 1", "M33")
    refused(play(game, "close 0"), "close 1", "M33")


# Reveal and scoring --------------------------------------------------------------------------------------------------


def revealed(at, play, crystals=(2, 4, 5, 6), **settings):
    """Seat 0 has guessed at V = 11, seat 1 has challenged; the windows are covered."""
    game = play(at(crystals, settings), "roll 0 2 5", "remove 0 2", "guess 0", "wish 1", "close 0", "name 1")
    return play(game, "close 0", "cover")


def test_m40_cover_then_reveal(at, play, refused):
    game = play(at((2, 2)), "roll 0 2 5", "remove 0 2", "guess 0", "close 0")
    for text in ("right 0", "nobody", "guess 0", "roll 0 1 1"):
        with pytest.raises(IllegalMove):
            play(game, text)
    game = play(game, "cover")
    assert game.tokens == (2, 2, 2, 2, 2, 2)
    assert seats(game, "right") == [0]
    refused(game, "cover", "M40")
    refused(game, "cover 0", "M40")


def test_m41_the_right_one_gains_v(at, play, refused):
    game = revealed(at, play)
    refused(game, "right 2", "M41")
    assert play(game, "right 1").crystals == (0, 13, 5, 6)


def test_m42_m43_m44_wrong_ones_lose_the_silent_do_not(at, play):
    game = revealed(at, play, crystals=(20, 4, 5, 6))
    assert game.crystals == (22, 2, 5, 6)
    assert play(game, "nobody").crystals == (11, 0, 5, 6)


def test_m45_m46_marker_and_left_neighbour(at, play):
    game = play(revealed(at, play), "right 1")
    assert (game.marker, game.active, game.cards_used) == (2, 1, 1)
    assert (game.guessers, game.view().frozen, game.wishes) == ((), False, ())


def test_m46_next_is_left_of_the_turn_not_of_the_guesser(at, play):
    game = play(at((2, 2, 2, 2)), "roll 0 2 5", "remove 0 2", "stop 0", "wish 2", "close 0", "name 2")
    assert play(game, "close 0", "cover", "right 2").active == 1


# Void round ----------------------------------------------------------------------------------------------------------


def test_m50_two_last_tokens_pay_two(at, play):
    game = play(at((0, 0), tokens=(1, 1, 0, 0, 0, 0)), "roll 0 1 2", "remove 0 1", "remove 0 2")
    assert (game.crystals, game.cards_used, game.marker, game.phase) == ((2, 0), 1, 1, Phase.COVER)
    assert kinds(game) == {"cover"}


def test_m50_a8_no_guess_with_nothing_covered(at, play, refused):
    game = play(at((0, 0), tokens=(1, 0, 0, 0, 0, 0)), "roll 0 1 2", "remove 0 1")
    for text in ("guess 0", "guess 1", "wish 1"):
        with pytest.raises(IllegalMove):
            play(game, text)


def test_m50_during_the_asking(at, play):
    game = at((2, 2), tokens=(1, 1, 0, 0, 0, 0))
    game = play(game, "roll 0 1 2", "remove 0 1", "ask 0", "wish 1", "remove 0 2")
    assert (game.phase, game.wishes, game.crystals, game.active) == (Phase.COVER, (), (4, 2), 1)


def test_m50_the_final_round_is_played_again(at, play):
    game = at((4, 2), tokens=(1, 0, 0, 0, 0, 0), marker=10)
    game = play(game, "roll 0 1 1", "remove 0 1", "cover")
    assert (game.marker, game.outcome(), game.phase) == (10, None, Phase.ROLL)


def test_m50_the_void_rounds_pay_can_be_switched_off(at, play):
    game = at((4, 2), {"void_round_pays_opener": False}, tokens=(1, 0, 0, 0, 0, 0))
    assert play(game, "roll 0 1 1", "remove 0 1").crystals == (4, 2)


# End -----------------------------------------------------------------------------------------------------------------


def test_m60_over_after_the_marker_was_on_the_last_round(at, play, refused):
    game = play(replace(revealed(at, play), marker=10), "right 1")
    assert (game.phase, game.moves()) == (Phase.OVER, ())
    refused(game, "roll 1 1 1", "M60")


def test_m61_most_crystals_win(at, play):
    outcome = play(replace(revealed(at, play), marker=10), "right 1").outcome()
    assert outcome.winners == (1,)
    assert "10 rounds" in outcome.reason
    assert "13 crystals" in outcome.reason


def test_m61_a11_shared_victory(at):
    outcome = at((7, 3, 7), phase=Phase.OVER).outcome()
    assert outcome.winners == (0, 2)
    assert "shared" in outcome.reason


# The easier variant --------------------------------------------------------------------------------------------------

EASY = {"variant": "easy"}


def test_v1_v2_start_and_opening_as_in_the_basic_game(play):
    game = Macroscope.new(3, 0, Settings(**EASY))
    assert game.crystals == (0, 0, 0)
    assert play(game, "roll 0 2 5").takeable == (2, 5)


def test_v3_nobody_challenges(at, play, refused):
    game = play(at((9, 9), EASY), "roll 0 2 5", "remove 0 2", "guess 0")
    assert game.phase is Phase.COVER
    refused(game, "wish 1", "V3")


@pytest.mark.parametrize("takes", [["remove 0 2"], ["remove 0 2", "remove 0 5"]])
def test_v4_declining_earns_two(at, play, takes):
    assert play(at((0, 0), EASY), "roll 0 2 5", *takes, "stop 0").crystals == (2, 0)


def test_v4_no_asking_between_the_tokens(at, play, refused):
    refused(play(at((0, 0), EASY), "roll 0 2 5", "remove 0 2"), "ask 0", "V4")


def test_v5_free_of_charge(at, play):
    game = play(at((0, 0, 0), EASY), "roll 0 2 5", "remove 0 2", "stop 0", "wish 1", "close 0", "name 1")
    assert game.crystals == (2, 0, 0)


def test_v6_the_active_decides_the_complete_order(at, play):
    game = play(at((0, 1, 9, 5), EASY), "roll 0 2 5", "remove 0 2", "stop 0", "wish 1", "wish 2", "wish 3", "close 0")
    assert game.view().pick_from == (1, 2, 3)
    game = play(game, "pick 0 2", "name 2")
    assert game.view().pick_from == (1, 3)
    assert play(game, "pick 0 3", "name 3").called == 1


def test_v7_gain_loss_and_void_as_in_the_basic_game(at, play):
    game = play(at((0, 9, 0), EASY), "roll 0 2 5", "remove 0 2", "stop 0", "wish 1", "close 0", "name 1", "close 0")
    assert play(game, "cover", "nobody").crystals == (2, 0, 0)
    game = play(at((0, 0), EASY, tokens=(1, 0, 0, 0, 0, 0)), "roll 0 1 1", "remove 0 1")
    assert game.crystals == (1, 0), "M50 pays by the window, here too"


# Deck renewal and the reserve ----------------------------------------------------------------------------------------


def test_d1_prompt_when_the_deck_is_through(at, play, refused):
    settings = {"deck_cards": 3}
    refused(at((2, 2), settings), "renew", "D1")
    game = at((2, 2), settings, cards_used=2)
    assert not game.view().deck_empty
    game = replace(game, cards_used=3)
    assert game.view().deck_empty
    after = play(game, "renew")
    assert not after.view().deck_empty
    assert (after.crystals, after.marker, after.phase, after.cards_used) == (game.crystals, 1, Phase.ROLL, 3)
    assert replace(after, cards_used=6).view().deck_empty


def test_d1_only_between_rounds(at, play, refused):
    game = at((2, 2), cards_used=4)
    assert "renew" in kinds(game)
    refused(play(game, "roll 0 1 2"), "renew", "D1")
    refused(replace(game, tokens=(1, 2, 2, 2, 2, 2)), "renew", "D1")
    game = at((2, 2), {"dice": "off"}, cards_used=4)
    assert "renew" in kinds(game)
    refused(play(game, "remove 0 1"), "renew", "D1")


def test_a13_the_ledger_goes_on_beyond_the_box(at, play):
    assert not at((100, 54)).view().reserve_hint
    assert at((100, 55)).view().reserve_hint
    game = play(at((150, 4)), "roll 0 2 5", "remove 0 2", "guess 0", "close 0", "cover", "right 0")
    assert game.crystals == (161, 4)


def test_unknown_moves_and_seats_are_refused(at, refused):
    game = at((2, 2))
    refused(game, "dance 0", "M10")
    refused(game, "wish 5", "M6")
    refused(game, "wish", "M6")


def test_changes_are_the_last_moves(at, play):
    game = play(at((2, 4)), "roll 0 2 5", "remove 0 2", "guess 0", "wish 1", "close 0", "name 1")
    assert game.view().changes == (2, -2)
    assert play(game, "cover").view().changes == (0, 0)


def test_the_kit():
    game = KIT.new(6, 5, KIT.settings())
    assert (KIT.name, list(KIT.players), game.players, game.active) == ("macroscope", [2, 3, 4, 5, 6], 6, 5)
    assert game.scores() == dict.fromkeys(range(6), 2)
