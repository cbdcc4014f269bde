"""From the reveal to the end, M40 to M61, the easier variant, and the deck: rule by rule."""

from dataclasses import replace

import pytest

from companion.api import IllegalMove, Outcome
from companion.games.macroscope import GAME, Macroscope, Settings
from companion.games.macroscope.state import Phase


def kinds(game):
    return {m.kind for m in game.list_moves()}


def seats(game, kind):
    return [m.seat for m in game.list_moves() if m.kind == kind]


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


def test_m41_the_right_guesser_gains_v(at, play, refused):
    game = revealed(at, play)
    refused(game, "right 2", "M41")
    assert play(game, "right 1").crystals == (0, 13, 5, 6)


def test_m42_m43_m44_wrong_guessers_lose_silent_players_do_not(at, play):
    game = revealed(at, play, crystals=(20, 4, 5, 6))
    assert game.crystals == (22, 2, 5, 6)
    assert play(game, "nobody").crystals == (11, 0, 5, 6)


def test_m45_m46_marker_and_left_neighbour(at, play):
    game = play(revealed(at, play), "right 1")
    assert (game.round_number, game.active_seat, game.cards_used) == (2, 1, 1)
    assert (game.guessers, game.frozen_value is not None, game.wishes) == ((), False, ())


def test_m46_next_is_left_of_the_turn_not_of_the_guesser(at, play):
    game = play(at((2, 2, 2, 2)), "roll 0 2 5", "remove 0 2", "stop 0", "wish 2", "close 0", "name 2")
    assert play(game, "close 0", "cover", "right 2").active_seat == 1


# Void round ----------------------------------------------------------------------------------------------------------


def test_m50_two_last_tokens_pay_two(at, play):
    game = play(at((0, 0), tokens=(1, 1, 0, 0, 0, 0)), "roll 0 1 2", "remove 0 1", "remove 0 2")
    assert (game.crystals, game.cards_used, game.round_number, game.phase) == ((2, 0), 1, 1, Phase.COVER)
    assert kinds(game) == {"cover"}


def test_m50_a8_no_guess_with_nothing_covered(at, play, refused):
    game = play(at((0, 0), tokens=(1, 0, 0, 0, 0, 0)), "roll 0 1 2", "remove 0 1")
    for text in ("guess 0", "guess 1", "wish 1"):
        with pytest.raises(IllegalMove):
            play(game, text)


def test_m50_during_the_asking(at, play):
    game = at((2, 2), tokens=(1, 1, 0, 0, 0, 0))
    game = play(game, "roll 0 1 2", "remove 0 1", "ask 0", "wish 1", "remove 0 2")
    assert (game.phase, game.wishes, game.crystals, game.active_seat) == (Phase.COVER, (), (4, 2), 1)


def test_m50_the_final_round_is_played_again(at, play):
    game = at((4, 2), tokens=(1, 0, 0, 0, 0, 0), round_number=10)
    game = play(game, "roll 0 1 1", "remove 0 1", "cover")
    assert (game.round_number, game.compute_outcome(), game.phase) == (10, None, Phase.ROLL)


def test_m50_the_void_rounds_pay_can_be_switched_off(at, play):
    game = at((4, 2), {"void_round_pays_opener": False}, tokens=(1, 0, 0, 0, 0, 0))
    assert play(game, "roll 0 1 1", "remove 0 1").crystals == (4, 2)


# End -----------------------------------------------------------------------------------------------------------------


def test_m60_over_after_the_marker_was_on_the_last_round(at, play, refused):
    game = play(replace(revealed(at, play), round_number=10), "right 1")
    assert (game.phase, game.list_moves()) == (Phase.OVER, ())
    refused(game, "roll 1 1 1", "M60")


def test_m61_most_crystals_win(at, play):
    over = play(replace(revealed(at, play), round_number=10), "right 1")
    assert over.compute_outcome() == Outcome((1,), "All 10 rounds are scored; 13 crystals are the most.")


def test_m61_a11_shared_victory(at):
    reason = "All 10 rounds are scored; 7 crystals are the most, the victory is shared."
    assert at((7, 3, 7), phase=Phase.OVER).compute_outcome() == Outcome((0, 2), reason)


# The easier variant --------------------------------------------------------------------------------------------------

EASY = {"variant": "easy"}


def test_v1_v2_start_and_opening_as_in_the_basic_game(play):
    game = Macroscope.create(3, 0, Settings(**EASY))
    assert game.crystals == (0, 0, 0)
    assert play(game, "roll 0 2 5").takeable_tokens == (2, 5)


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
    assert game.pick_candidates == (1, 2, 3)
    game = play(game, "pick 0 2", "name 2")
    assert game.pick_candidates == (1, 3)
    assert play(game, "pick 0 3", "name 3").called_seat == 1


def test_v7_gain_and_loss_as_in_the_basic_game_and_a_void_round_pays_two(at, play):
    game = play(at((0, 9, 0), EASY), "roll 0 2 5", "remove 0 2", "stop 0", "wish 1", "close 0", "name 1", "close 0")
    assert play(game, "cover", "nobody").crystals == (2, 0, 0)
    game = play(at((0, 0), EASY, tokens=(1, 0, 0, 0, 0, 0)), "roll 0 1 1", "remove 0 1")
    assert game.crystals == (2, 0), "V4: two crystals, whether one window was opened or two"


# Deck renewal and the reserve ----------------------------------------------------------------------------------------


def test_d1_prompt_when_the_deck_is_used_up(at, play, refused):
    settings = {"deck_cards": 3}
    refused(at((2, 2), settings), "renew", "D1")
    game = at((2, 2), settings, cards_used=2)
    assert not game.is_deck_empty
    game = replace(game, cards_used=3)
    assert game.is_deck_empty
    after = play(game, "renew")
    assert not after.is_deck_empty
    assert replace(game, settings=Settings(deck_cards=1), cards_used=1).is_deck_empty, "a deck of one card"
    assert (after.crystals, after.round_number, after.phase, after.cards_used) == (game.crystals, 1, Phase.ROLL, 3)
    assert replace(after, cards_used=6).is_deck_empty


def test_d1_only_between_rounds(at, play, refused):
    game = at((2, 2), cards_used=4)
    assert "renew" in kinds(game)
    refused(play(game, "roll 0 1 2"), "renew", "D1")
    refused(replace(game, tokens=(1, 2, 2, 2, 2, 2)), "renew", "D1")
    game = at((2, 2), {"dice": "off"}, cards_used=4)
    assert "renew" in kinds(game)
    refused(play(game, "remove 0 1"), "renew", "D1")


def test_a13_the_ledger_goes_on_beyond_the_box(at, play):
    assert not at((100, 54)).is_supply_exceeded
    assert at((100, 55)).is_supply_exceeded
    game = play(at((150, 4)), "roll 0 2 5", "remove 0 2", "guess 0", "close 0", "cover", "right 0")
    assert game.crystals == (161, 4)


def test_changes_are_the_last_moves(at, play):
    game = play(at((2, 4)), "roll 0 2 5", "remove 0 2", "guess 0", "wish 1", "name 1")
    assert game.changes == (2, -2)
    assert play(game, "cover").changes == (0, 0)


def test_the_definition():
    game = GAME.create_game(6, 5, GAME.settings_model())
    assert (GAME.name, list(GAME.player_counts), game.player_count, game.active_seat) == (
        "macroscope",
        [2, 3, 4, 5, 6],
        6,
        5,
    )
    assert game.totals == (2,) * 6
    assert game.changes == (0,) * 6
    assert GAME.get_round_number(replace(game, round_number=4)) == 4


def test_the_camera_shows_no_card_while_windows_are_covered(at, play):
    """M40: the card on top would show through the open windows."""
    game = play(at((2, 2)), "roll 0 2 5", "remove 0 2", "guess 0", "close 0")
    assert GAME.hides_picture(game)
    assert not GAME.hides_picture(play(game, "cover"))
    assert GAME.camera is not None
    assert GAME.camera.is_view_checked, "a lid that is cut off is reported"
