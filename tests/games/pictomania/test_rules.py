"""The rules one by one: the round's course, the bonus tokens, the piles. Whole rounds: test_worked_examples.py."""

from dataclasses import replace

import pytest

from companion.api import GameClock, IllegalMove, Move, Outcome, Seat
from companion.gallery.fixtures import play_moves
from companion.games.pictomania import GAME, Pictomania, Settings
from companion.games.pictomania.samples import new_game, play_round, start_drawing, start_scoring
from companion.games.pictomania.state import Phase
from tests.games.pictomania.positions import as_tuple, check_refused, list_pile, open_pile, page


def kinds(game):
    return {move.kind for move in game.list_moves()}


# Setup -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 7])
def test_P1_three_to_six_players(players):
    with pytest.raises(ValueError, match="3 to 6"):
        Pictomania.create(players, Seat(0), Settings())


def test_P1_the_first_seat_is_one_of_them():
    with pytest.raises(ValueError, match="seat 3"):
        new_game(3, first_seat=3)


@pytest.mark.parametrize(("players", "stars"), [(3, (2, 1)), (4, (2, 1, 1)), (5, (3, 2, 1, 1)), (6, (3, 2, 1, 1, 1))])
def test_P1_P2_one_token_for_each_other_player(players, stars):
    game = start_drawing(players)
    assert game.bonus_tokens == game.tokens_left == stars
    assert start_scoring(players).list_tokens_kept(0) == stars


def test_P10_any_difficulty_every_round():
    game = new_game()
    assert game.colour == "green"
    game = play_moves(game, "colour")
    assert game.colour == "orange"
    game = play_moves(game, "colour, colour, colour, colour")
    assert game.colour == "orange"
    game = play_moves(game, "deal, start, go, stop, score, next, next, next, next_round")
    assert game.colour == "orange", "the last choice is offered first"
    check_refused(play_moves(game, "deal"), "colour", "P10")


def test_P12_to_P14_dealt_read_started():
    game = play_moves(new_game(), "deal")
    assert game.phase is Phase.READING
    check_refused(game, "deal", "P12")
    check_refused(game, "go", "P14")
    game = play_moves(game, "start")
    assert (game.phase, game.list_clocks()) == (Phase.START, (GameClock("start, round 1", 3.0, Move("go")),))
    check_refused(game, "start", "P14")
    check_refused(game, "take 0", "P24")
    assert play_moves(game, "go").phase is Phase.DRAWING


# Drawing ---------------------------------------------------------------------------------------------------------


def test_P24_each_takes_the_best_that_is_left_once():
    game = play_moves(start_drawing(5), "take 3")
    assert (game.bonus_stars, game.tokens_left) == ((0, 0, 0, 3, 0), (2, 1, 1))
    assert check_refused(game, "take 3", "P24") == "P24: seat 3 has taken a bonus token and is finished"
    game = play_moves(game, "take 0, take 4")
    assert (game.bonus_stars, game.tokens_left, game.seats_drawing) == ((2, 0, 0, 3, 1), (1,), (1, 2))


def test_P24_a_token_may_be_taken_at_once_and_no_value_is_named():
    game = start_drawing(3)
    with pytest.raises(IllegalMove, match=r"^P24: "):
        game.play(Move("take", Seat(0), (2,)))


def test_P25_the_last_token_ends_the_drawing():
    game = play_moves(start_drawing(4), "take 0, take 1, take 3")
    assert game.phase is Phase.STOP
    assert (game.tokens_left, game.seats_without_token) == ((), (2,))
    assert check_refused(game, "take 2", "P25") == "P25: the last bonus token is taken, the drawing is over"


def test_P26_two_or_more_may_agree_to_stop():
    game = play_moves(start_drawing(4), "take 0, stop")
    assert (game.phase, game.tokens_left) == (Phase.STOP, (1, 1))
    check_refused(game, "stop", "P26")
    check_refused(game, "take 2", "P24")


def test_P26_even_when_nobody_took_one():
    assert play_moves(start_drawing(3), "stop").tokens_left == (2, 1)


def test_P27_a_single_refuser_cannot_stop_it():
    game = play_moves(start_drawing(3), "take 0, take 1")
    assert kinds(game) == {"score"}


# Scoring ---------------------------------------------------------------------------------------------------------


def test_P30_one_pile_after_the_other_clockwise_from_the_first_seat():
    game = play_moves(start_drawing(4, first_seat=2), "stop, score")
    owners = []
    for _ in range(4):
        owners.append(game.pile_owner)
        game = play_moves(game, "next")
    assert owners == [2, 3, 0, 1]
    assert game.phase is Phase.ROUND
    assert [line.seat for line in game.score_lines] == [0, 1, 2, 3]


def test_P30_back_to_the_pile_before_and_from_the_page():
    game = start_scoring(3)
    check_refused(game, "back", "P30")
    game = play_moves(game, "right 1, next, back")
    assert (game.pile_owner, list_pile(game)) == (0, [(1, True, 2)])
    game = play_moves(game, "next, next, next")
    assert game.totals == (-1, -1, -3)
    game = play_moves(game, "back")
    assert (game.pile_owner, game.totals, game.phase, game.round_number) == (2, (0, 0, 0), Phase.SCORING, 1)
    assert play_moves(game, "right 0, next").totals == (1, -1, -1)


def test_P21_P32_a_press_is_right_once_more_wrong_once_more_no_card():
    game = play_moves(start_scoring(4), "right 1, right 2")
    assert list_pile(game) == [(1, True, 2), (2, True, 1)]
    game = play_moves(game, "wrong 1")
    assert list_pile(game) == [(1, False, 0), (2, True, 2)]
    assert game.list_tokens_kept(0) == (1, 1)
    game = play_moves(game, "off 1, right 1")
    assert [c.guesser for c in open_pile(game)] == [2, 1], "the pile has an order"
    check_refused(game, "off 1", "P21")
    game = play_moves(game, "wrong 1")
    check_refused(game, "wrong 1", "P32")
    check_refused(game, "wrong 3", "P32")
    check_refused(game, "off 3", "P21")
    check_refused(game, "right 0", "P21")


def test_P21_a_pile_needs_no_card_and_takes_one_of_each():
    assert page(play_moves(start_scoring(3), "next, next, next")) == [(0, 3, 0, -3)] * 3
    full = play_moves(start_scoring(4), "right 3, right 1, right 2")
    assert full.list_tokens_kept(0) == ()
    assert kinds(full) == {"wrong", "next", "misdrawn"}


def test_P31_all_cards_go_back_and_the_bonus_earns_nothing():
    game = play_moves(start_scoring(3, "AB"), "right 1, right 2, wrong 2, misdrawn 0")
    assert (
        open_pile(game),
        game.drew_wrong_clue,
        game.wrong_card_counts,
        game.list_tokens_kept(0),
    ) == ((), (True, False, False), (0, 0, 0), (2, 1))
    assert check_refused(game, "right 1", "P31") == "P31: all cards have gone back from seat 0's pile"
    check_refused(game, "misdrawn 0", "P31")
    assert as_tuple(play_moves(game, "next, next, next").score_lines[0]) == (0, 3, 0)


def test_P31_before_the_pile_is_turned():
    game = play_moves(start_scoring(3), "misdrawn 0, drawn 0, right 1")
    assert not any(game.drew_wrong_clue)
    check_refused(game, "drawn 0", "P31")
    check_refused(game, "misdrawn 1", "P30")


def test_P34_the_black_sheep_has_most_wrong_cards_alone():
    one = play_moves(start_scoring(3), "right 1, wrong 1, next, next, next")
    assert one.black_sheep == 1, "A3: one wrong card is enough"
    none = play_moves(start_scoring(3), "right 1, next, next, next")
    assert none.black_sheep is None, "A3: nobody was wrong"
    tie = play_moves(start_scoring(3), "right 1, wrong 1, right 2, wrong 2, next, next, next")
    assert tie.black_sheep is None
    assert start_scoring(3).black_sheep is None, "not before all piles are scored"


def test_P35_A5_the_black_sheep_pays_though_its_drawing_was_guessed():
    game = play_moves(start_scoring(3, "AB"), "right 1, next, right 0, wrong 0, next, next")
    assert as_tuple(game.score_lines[0]) == (0, 1, -2)


def test_P35_A4_a_black_sheep_without_a_token_pays_nothing():
    game = play_moves(start_scoring(3, "BC"), "next, right 0, wrong 0, next, next")
    assert game.black_sheep == 0
    assert as_tuple(game.score_lines[0]) == (0, 3, 0)


# Rounds and the end ----------------------------------------------------------------------------------------------


def whole_round(game, *scoring_moves):
    return play_moves(game, "deal, start, go, stop, score", *scoring_moves, *["next"] * game.player_count)


def test_P40_everything_goes_back_and_five_rounds_are_played():
    game = new_game(3)
    for number in range(1, 6):
        assert (game.round_number, game.phase) == (number, Phase.DIFFICULTY)
        game = whole_round(game, "right 1")
        assert (game.round_number, game.compute_outcome()) == (number, None)
        game = play_moves(game, "next_round")
    assert game.phase is Phase.OVER
    assert game.list_moves() == ()
    assert game.totals == (-5, -5, -15)
    assert check_refused(game, "deal", "P40") == "P40: the game is over after 5 rounds"
    assert game.round_number == 5


def test_P41_a_shared_victory():
    game = play_moves(whole_round(new_game(3, rounds=1), "right 1"), "next_round")
    reason = "The round is scored; −1 point is the most, the victory is shared."
    assert game.compute_outcome() == Outcome((0, 1), reason)


def test_P41_one_winner():
    game = play_moves(new_game(3, rounds=1), "deal, start, go, stop, score, next, right 0, next, next, next_round")
    assert game.totals == (-1, -1, -3)
    game = play_moves(
        new_game(3, rounds=1), "deal, start, go, take 1, stop, score, next, right 0, next, next, next_round"
    )
    assert (game.totals, game.compute_outcome().winners) == ((-1, 1, -3), (1,))
    assert game.compute_outcome().reason == "The round is scored; 1 point is the most."


# Variants and timers ---------------------------------------------------------------------------------------------


def test_V1_only_green_cards():
    game = new_game(variant="only_green")
    assert (game.available_colours, game.colour) == (("green",), "green")
    assert kinds(game) == {"deal"}
    assert check_refused(game, "colour", "V1") == "V1: this game is played with green cards only"


def test_V2_one_card_for_all_and_the_same_scoring():
    game = new_game(variant="one_card")
    assert game.settings.word_cards_per_round == 1
    assert kinds(game) == {"deal", "colour"}
    assert page(play_moves(start_scoring(3, "AB", variant="one_card"), "right 1, next, next, next")) == page(
        play_moves(start_scoring(3, "AB"), "right 1, next, next, next")
    )


def test_house_timers_are_off_and_end_reading_and_drawing():
    game = play_moves(new_game(), "deal")
    assert game.list_clocks() == ()
    assert play_moves(game, "start, go").list_clocks() == ()
    game = play_moves(new_game(reading_seconds=60, drawing_seconds=180), "deal")
    assert game.list_clocks() == (GameClock("reading, round 1", 60, Move("start")),)
    game = play_moves(game, "start, go, take 0")
    assert game.list_clocks() == (GameClock("drawing, round 1", 180, Move("stop")),)
    for clock in game.list_clocks():
        assert game.play(clock.on_expiry).phase is Phase.STOP


# The end of a round --------------------------------------------------------------------------------------------------


def test_P36_the_parts_of_a_round_are_explained_when_it_ends():
    page = play_round([2, 6, 4], ["B2 C2", "C1 A6", "A4 B4"], "CA")
    before = replace(page, phase=Phase.SCORING)
    assert GAME.explain_score(before, page, Seat(0)) == "guessed 4, kept 0, bonus 1"
    assert GAME.explain_score(before, page, Seat(1)) == "guessed 3, kept −1, bonus 0"
    assert GAME.explain_score(page, page, Seat(1)) == "", "the round was scored before"
    assert GAME.explain_score(before, before, Seat(1)) == "", "the next pile, not the end of the round"
