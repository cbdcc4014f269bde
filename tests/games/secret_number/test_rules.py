"""Secret Number rule by rule: the deal, the rounds, the reveal, the scoring, the match."""

from __future__ import annotations

import pytest

from companion.api import Move, Seat
from companion.games.secret_number import GAME, SecretNumber, Settings
from companion.games.secret_number.samples import lay_cards, new_game, start_round, turn_cards
from companion.games.secret_number.scoring import LaidCard
from companion.games.secret_number.state import Phase
from tests.games.results import find_winners
from tests.games.secret_number.positions import answer_bonuses, check_refused, parse_move, play_moves


@pytest.mark.parametrize(("players", "number_cards"), [(2, 6), (3, 8), (4, 10), (5, 12)])
def test_s2_s3_cards_for_each_number_of_players(players: int, number_cards: int) -> None:
    game = new_game(players)
    assert game.card_values == tuple(range(players + 1))
    assert 2 * len(game.card_values) == number_cards
    assert game.hand_size == players + 1


@pytest.mark.parametrize("players", [1, 6])
def test_s1_two_to_five_players(players: int) -> None:
    with pytest.raises(ValueError, match="2 to 5 players"):
        new_game(players)


def test_the_first_seat_must_be_one_of_the_table() -> None:
    with pytest.raises(ValueError, match="seat 3 cannot begin"):
        SecretNumber.create(3, Seat(3), Settings())


def test_s4_dealt_again_as_often_as_needed() -> None:
    game = play_moves(new_game(2), "again", "again", "dealt")
    assert game.phase is Phase.PREPARE
    check_refused(game, "again", "S4")


def test_s10_three_rounds_each_with_its_signal() -> None:
    game = play_moves(new_game(3), "dealt")
    for number in (1, 2, 3):
        assert (game.phase, game.round_number) == (Phase.PREPARE, number)
        game = play_moves(game, "ready")
        assert game.phase is Phase.SHOW
        game = play_moves(game, "go")
        assert game.phase is Phase.ROUND
        game = play_moves(game, "end")
    assert game.phase is Phase.RESULT


def test_s11_s12_s13_what_to_show_before_each_round() -> None:
    game = play_moves(new_game(3), "dealt")
    said = []
    for _ in range(3):
        said.append(GAME.format_prompt(game, ("A", "B", "C")))
        game = play_moves(game, "ready", "go", "end")
    assert said == [
        "Lay round card 1 out. Choose a calculation",
        "Set the pile aside with its card, lay round card 2 out",
        "Set this pile on the other one, lay round card 3 out",
    ]


def test_s11_the_signal_is_a_clock_that_starts_the_round() -> None:
    game = play_moves(new_game(3), "dealt", "ready")
    (clock,) = game.list_clocks()
    assert (clock.name, clock.seconds, clock.on_expiry) == ("show, game 1, round 1", 3, Move("go"))
    assert play_moves(game, "wait").phase is Phase.PREPARE
    assert play_moves(new_game(3, show_seconds=0), "dealt", "ready").phase is Phase.ROUND


def test_s21_a11_the_next_card_is_another_players() -> None:
    game = play_moves(start_round(3), "lay 1")
    assert game.seats_able_to_lay == (0, 2)
    check_refused(game, "lay 1", "S21")
    assert play_moves(game, "lay 2").seats_able_to_lay == (0, 1)


def test_s21_last_of_a_round_and_first_of_the_next() -> None:
    game = play_moves(start_round(3), "lay 1", "end", "ready", "go")
    assert game.seats_able_to_lay == (0, 1, 2)
    assert play_moves(game, "lay 1").piles[:2] == ((1,), (1,))


def test_s22_as_many_cards_as_in_hand_over_all_rounds() -> None:
    game = play_moves(start_round(2), "lay 0", "lay 1", "lay 0", "lay 1", "end", "ready", "go", "lay 0")
    assert [game.hand_size - game.count_cards_laid(q) for q in (0, 1)] == [0, 1]
    game = play_moves(game, "lay 1")
    check_refused(game, "lay 0", "S22")
    check_refused(game, "lay 1", "S22")
    assert [m.kind for m in game.list_moves()] == ["end"]


def test_s22_none_at_all() -> None:
    game = lay_cards(new_game(2))
    assert game.phase is Phase.RESULT
    assert game.totals == (0, 0)


def test_s23_a14_the_clock_of_three_minutes_ends_the_round() -> None:
    game = start_round(3, round_number=2)
    (clock,) = game.list_clocks()
    assert (clock.name, clock.seconds, clock.on_expiry) == ("game 1, round 2", 180, Move("end"))
    assert game.play(clock.on_expiry).round_number == 3


def test_s23_the_clock_goes_on_while_cards_are_laid() -> None:
    game = start_round(3)
    assert play_moves(game, "lay 0", "lay 1").list_clocks() == game.list_clocks()


def test_every_round_of_a_match_has_a_clock_of_its_own() -> None:
    names = set()
    game = new_game(2)
    while game.compute_outcome() is None:
        names |= {clock.name for clock in game.list_clocks()}
        game = game.play(game.list_moves()[0] if game.phase is not Phase.ROUND else Move("end"))
    assert len(names) == 2 * 9


def test_s24_piles_of_all_rounds_are_revealed_in_order() -> None:
    game = lay_cards(new_game(3), "AB", "", "CA")
    assert [(card.round_number, card.seat) for card in game.laid_cards] == [(1, 0), (1, 1), (3, 2), (3, 0)]
    assert all(card.is_right is None for card in game.laid_cards)


def test_s30_card_by_card_by_its_owner() -> None:
    game = lay_cards(new_game(3), "AB")
    assert set(game.list_moves()) == {Move("right", Seat(0)), Move("wrong", Seat(0)), Move("fix")}
    check_refused(game, "right 1", "S30")
    game = play_moves(game, "wrong 0")
    assert game.next_card == (1, 1)


def test_s31_s32_s33_points_of_each_card() -> None:
    game = turn_cards(new_game(4), 0, "A1 B0", "C0 A2", "D0")
    assert game.laid_cards == (
        LaidCard(1, Seat(0), False, -1),
        LaidCard(1, Seat(1), True, 5),
        LaidCard(2, Seat(2), True, 2),
        LaidCard(2, Seat(0), False, -1),
        LaidCard(3, Seat(3), True, 1),
    )
    assert game.fastest_seat == 1


def test_s30_a_card_that_is_not_turned_has_no_points_yet() -> None:
    game = play_moves(lay_cards(new_game(3), "AB"), "right 0")
    assert game.laid_cards == (LaidCard(1, Seat(0), True, 5), LaidCard(1, Seat(1), None, 0))


def test_s4_the_deals_of_each_game_are_counted() -> None:
    game = play_moves(new_game(2), "again", "again")
    assert game.deal_count == 3
    assert play_moves(lay_cards(game), "next").deal_count == 1


def test_s34_a5_the_display_bonus_once_each_in_the_order_of_the_cards() -> None:
    game = turn_cards(new_game(3), 2, "A1 B2 A2", "C2")
    assert (game.phase, game.bonus_seat) == (Phase.BONUS, 1)
    check_refused(game, "bonus 0 1", "S34")
    check_refused(game, "bonus 1 4", "S34")
    check_refused(game, "next", "S6")
    game = play_moves(game, "bonus 1 3")
    assert game.bonus_seat == 0
    game = play_moves(game, "bonus 0 1", "bonus 2 1")
    assert game.phase is Phase.RESULT


def test_s35_after_the_right_card_no_more_is_asked_of_the_same_player() -> None:
    game = lay_cards(new_game(3), "ABACA", "AB")
    game = play_moves(game, "right 0", "wrong 1")
    assert game.next_card == (1, 2)
    game = play_moves(game, "wrong 2")
    assert game.cards_right == (True, False, False, False, False, False)
    assert game.next_card == (2, 1)
    assert play_moves(game, "wrong 1").phase is Phase.BONUS


def test_s35_the_rest_of_the_pile_may_be_sure() -> None:
    game = play_moves(lay_cards(new_game(2), "ABAB"), "right 0", "right 1")
    assert game.cards_right == (True, True, False, False)
    assert game.phase is Phase.BONUS


def test_s6_a9_three_games_add_up_and_each_starts_again() -> None:
    game = new_game(2)
    for number, (secret, cards) in enumerate([(1, "A1"), (1, "B0"), (2, "A1 B2")], start=1):
        assert (game.game_number, game.phase, game.round_number) == (number, Phase.DEAL, 1)
        game = play_moves(answer_bonuses(turn_cards(game, secret, cards), "A3 B2"), "next")
    assert game.earlier_scores == ((8, 0), (0, -1), (-1, 7))
    assert game.totals == (7, 6)
    assert game.phase is Phase.OVER
    assert game.list_moves() == ()
    assert find_winners(game) == (0,)
    check_refused(game, "lay 0", "S36")
    check_refused(game, "next", "S36")


def test_s36_negative_totals_can_win() -> None:
    game = play_moves(turn_cards(new_game(2, games=1), 0, "A1 B1 A2"), "next")
    assert game.totals == (-2, -1)
    assert find_winners(game) == (1,)
    assert GAME.format_prompt(game, ("Ada", "Bob")) == "Bob wins with −1"


# S25: the pile differs from the presses ------------------------------------------------------------------------


def test_s25_a_card_laid_without_a_press_is_inserted() -> None:
    game = play_moves(lay_cards(new_game(3), "AB"), "wrong 0", "fix", "insert 2")
    assert [card.seat for card in game.laid_cards] == [0, 2, 1]
    game = play_moves(game, "back", "right 2")
    assert game.fastest_seat == 2


def test_s25_a_card_at_the_very_end() -> None:
    game = play_moves(lay_cards(new_game(3), "AB"), "wrong 0", "wrong 1")
    assert game.phase is Phase.RESULT
    game = play_moves(game, "fix", "insert 2", "back")
    assert game.phase is Phase.REVEAL
    assert game.cards_in_order[-1] == (3, 2)


def test_s25_a_pile_though_nobody_pressed() -> None:
    game = play_moves(lay_cards(new_game(3)), "fix", "insert 2", "back", "right 2", "bonus 2 1")
    assert game.phase is Phase.RESULT


def test_s25_a_press_without_a_card_is_taken_out() -> None:
    game = play_moves(lay_cards(new_game(3), "AB", "C"), "fix", "remove 0", "remove 1")
    assert game.cards_in_order == ((2, 2),)
    check_refused(game, "remove 0", "S30")
    game = play_moves(game, "remove 2")
    check_refused(game, "remove 2", "S25")
    assert play_moves(game, "back").phase is Phase.RESULT


def test_s25_back_to_an_earlier_card() -> None:
    game = play_moves(lay_cards(new_game(3), "ABA"), "right 0", "wrong 1", "fix", "earlier", "earlier")
    assert game.cards_right == (True,)
    assert play_moves(game, "back").next_card == (1, 1)
    game = play_moves(game, "earlier")
    check_refused(game, "earlier", "S25")
    check_refused(game, "right 0", "S25")


def test_s25_a_bonus_that_was_given_is_not_asked_again() -> None:
    game = play_moves(
        lay_cards(new_game(3), "AB"), "right 0", "wrong 1", "bonus 0 3", "fix", "earlier", "back", "wrong 1"
    )
    assert game.phase is Phase.RESULT
    assert game.display_bonuses == (3, 0, 0)


def test_s25_a_bonus_goes_with_its_right_card() -> None:
    game = play_moves(lay_cards(new_game(3), "A"), "right 0", "bonus 0 3", "fix", "earlier")
    assert game.totals == (0, 0, 0)
    game = play_moves(game, "back", "wrong 0")
    assert game.display_bonuses == (0, 0, 0)
    assert game.totals == (-1, 0, 0)


def test_s25_nobody_has_more_cards_than_he_was_given() -> None:
    game = play_moves(lay_cards(new_game(2), "ABABAB"), "fix")
    check_refused(game, "insert 0", "S22")
    check_refused(game, "insert 5", "S20")


@pytest.mark.parametrize(
    ("cards", "moves", "line"),
    [
        ("AB", ("right 0",), "Card 1, Ada: right (Ada +5)"),
        ("ABA", ("right 0", "wrong 1"), "Card 2, Bob: wrong, card 3 is wrong (Ada −1, Bob −1)"),
        ("ABAB", ("right 0", "right 1"), "Card 2, Bob: right, cards 3 to 4 are wrong (Ada −1, Bob +2)"),
        ("AB", ("wrong 0", "wrong 1", "next"), "Game 1: Ada −1, Bob −1"),
        ("AB", ("fix", "remove 0"), "There is no card 1 of Ada"),
        ("AB", ("wrong 0", "fix", "insert 0"), "A card of Ada was overlooked: it is card 2"),
        ("AB", ("wrong 0", "fix", "earlier"), "Back to card 1 (Ada +1)"),
        ("AB", ("wrong 0", "right 1", "bonus 1 2"), "Bob has a bonus of 2 (Bob +2)"),
    ],
)
def test_telling_the_reveal(cards: str, moves: tuple[str, ...], line: str) -> None:
    before = play_moves(lay_cards(new_game(2), cards), *moves[:-1])
    last = parse_move(moves[-1])
    assert GAME.describe(before, last, before.play(last), ("Ada", "Bob")) == line
