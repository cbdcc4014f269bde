"""Corrections in Secret Number and their consequences; players who leave or return."""

from __future__ import annotations

import pytest

from companion.api import BadCorrection, Correction, Seat
from companion.games.secret_number import GAME, SecretNumber
from companion.games.secret_number.samples import lay_cards, new_game, start_round, turn_cards
from companion.games.secret_number.state import Phase
from companion.testing.checks import label_all, list_menu
from tests.games.refusals import check_not_corrected
from tests.games.results import find_winners
from tests.games.secret_number.positions import NAMES, answer_bonuses, check_refused, play_moves


def put(game: SecretNumber, kind: str, seat: int | None, *value: int) -> SecretNumber:
    return game.correct(Correction.from_stored(kind, None if seat is None else Seat(seat), value))


def reported(game: SecretNumber, kind: str, seat: int | None, *value: int) -> str:
    what = Correction.from_stored(kind, None if seat is None else Seat(seat), value)
    return GAME.describe(game, what, game.correct(what), NAMES)


def test_a_present_value_entered_again_changes_nothing() -> None:
    first = play_moves(answer_bonuses(turn_cards(new_game(3), 1, "A1 B0", "C1"), "A2 C1"), "next")
    for game in (first, answer_bonuses(turn_cards(first, 0, "A1 B0 A2", "C1"), "B1"), play_moves(first, "dealt")):
        for c in game.list_correctables():
            same = game.correct(c.make_correction(*c.current_value))
            assert same.totals == game.totals
            assert (same.phase, same.piles, same.cards_right) == (game.phase, game.piles, game.cards_right)


def test_a_total() -> None:
    game = put(start_round(3), "total", 1, -4)
    assert game.totals == (0, -4, 0)
    assert game.changes == (0, -4, 0)
    game = answer_bonuses(turn_cards(put(new_game(3), "total", 1, 10), 1, "B1"), "B3")
    assert game.totals == (0, 18, 0)
    assert reported(new_game(3), "total", 1, -4) == "Corrected: Bob's points, 0 to −4"


def test_an_earlier_games_score_changes_the_total() -> None:
    game = new_game(2)
    for cards in ("A1", "B1", "A0"):
        game = play_moves(answer_bonuses(turn_cards(game, 1, cards), "A1 B1"), "next")
    assert game.totals == (5, 6)
    assert find_winners(game) == (1,)
    game = put(game, "game 2", 0, 1)
    assert game.earlier_scores == ((6, 0), (1, 6), (-1, 0))
    assert find_winners(game) == (0, 1)
    assert label_all(GAME, game, NAMES)["game 2", Seat(0)] == "Ada in game 2"
    assert reported(game, "game 2", 0, 3) == "Corrected: Ada in game 2, 1 to 3"
    check_not_corrected(game, "game 4", 1, seat=0)


def test_right_or_wrong_of_a_turned_card() -> None:
    game = play_moves(lay_cards(new_game(3), "AB", "C"), "right 0", "wrong 1")
    assert game.fastest_seat == 0
    game = put(put(game, "card 1", None, 0), "card 2", None, 1)
    assert game.fastest_seat == 1
    assert reported(game, "card 1", None, 1) == "Corrected: card 1 of Ada is right"
    check_not_corrected(game, "card 3", 1)


def test_s35_a_card_corrected_to_right_makes_the_players_others_wrong() -> None:
    game = play_moves(lay_cards(new_game(2), "ABA"), "right 0", "wrong 1")
    assert game.cards_right == (True, False, False)
    game = put(game, "card 3", None, 1)
    assert game.cards_right == (False, False, True)


def test_a_card_corrected_after_the_bonus_asks_for_the_bonus_that_is_missing() -> None:
    game = answer_bonuses(turn_cards(new_game(3), 1, "A1 B0"), "A2")
    assert game.phase is Phase.RESULT
    game = put(put(game, "card 1", None, 0), "card 2", None, 1)
    assert (game.phase, game.bonus_seat, game.display_bonuses) == (Phase.BONUS, 1, (0, 0, 0))
    assert play_moves(game, "bonus 1 3").totals == (-1, 8, 0)


def test_a_bonus() -> None:
    game = answer_bonuses(turn_cards(new_game(3), 1, "A1 B0"), "A2")
    assert put(game, "bonus", 0, 3).totals == (8, -1, 0)
    assert reported(game, "bonus", 0, 3) == "Corrected: Ada's display bonus, 2 to 3"
    check_not_corrected(game, "bonus", 4, seat=0)
    check_not_corrected(game, "bonus", 1, seat=1)


def test_owner_of_a_card() -> None:
    game = put(play_moves(start_round(3), "lay 0"), "who laid card 1", None, 1)
    assert game.current_pile == (1,)
    check_refused(game, "lay 1", "S21")
    assert (
        reported(play_moves(start_round(3), "lay 0"), "who laid card 1", None, 1)
        == "Corrected: who laid card 1, Bob and not Ada"
    )
    game = put(play_moves(lay_cards(new_game(3), "AB"), "right 0"), "who laid card 1", None, 2)
    assert game.seats_right == (2,)


def test_owner_of_a_card_respects_hands() -> None:
    game = play_moves(lay_cards(new_game(2), "ABAB", "AB"), "right 0", "right 1")
    check_not_corrected(game, "who laid card 1", 1, why="S22: seat 1 has laid all 3 cards")
    game = play_moves(lay_cards(new_game(3), "AB"), "right 0", "right 1")
    check_not_corrected(game, "who laid card 2", 0, why="S35: seat 0 has a right card already")
    check_not_corrected(
        play_moves(put(new_game(3), "away", 2, 1), "dealt", "ready", "go", "lay 0"),
        "who laid card 1",
        2,
        why="S3: seat 2 has no cards in this game",
    )


def test_the_round_a_card_lay_in() -> None:
    game = play_moves(lay_cards(new_game(3), "AB", "C"), "fix", "insert 1", "back", "wrong 1", "wrong 0", "wrong 1")
    assert game.cards_in_order == ((1, 1), (1, 0), (1, 1), (2, 2))
    assert put(game, "round of card 4", None, 1).cards_in_order[3] == (1, 2)
    assert put(game, "round of card 4", None, 3).cards_in_order[3] == (3, 2)
    assert put(game, "round of card 3", None, 2).cards_in_order == ((1, 1), (1, 0), (2, 1), (2, 2))
    with pytest.raises(BadCorrection):
        put(game, "round of card 2", None, 2)  # the next one lies in round 1
    assert reported(game, "round of card 3", None, 2) == "Corrected: round of card 3 of Bob, 1 to 2"


def test_the_round() -> None:
    game = play_moves(start_round(3, round_number=2), "lay 0", "lay 1")
    assert put(game, "round", None, 3).piles == ((), (0, 1), ())
    back = put(play_moves(game, "end"), "round", None, 1)
    assert (back.phase, back.round_number, back.piles) == (Phase.PREPARE, 1, ((0, 1), (), ()))
    assert reported(game, "round", None, 3) == "Corrected: the round, 2 to 3"
    check_not_corrected(game, "round", 4)


# Coming and going ------------------------------------------------------------------------------------------------


def test_absent_players_lay_no_cards() -> None:
    game = put(play_moves(start_round(4), "lay 0"), "away", 3, 1)
    assert game.seats_able_to_lay == (1, 2)
    check_refused(game, "lay 3", "S20")
    assert game.card_values == (0, 1, 2, 3, 4), "the cards of this game are dealt"
    assert reported(start_round(4), "away", 3, 1) == "Dan is away"
    assert reported(game, "away", 3, 0) == "Dan is back"


def test_players_back_within_the_game_continue_with_their_cards() -> None:
    game = put(put(play_moves(start_round(3), "lay 0", "lay 2"), "away", 2, 1), "away", 2, 0)
    assert game.seats_able_to_lay == (0, 1)
    assert [game.hand_size - game.count_cards_laid(q) for q in range(3)] == [3, 4, 3]


def test_cards_that_were_laid_count_though_their_player_left() -> None:
    game = put(play_moves(start_round(3), "lay 0", "lay 2"), "away", 2, 1)
    game = play_moves(game, "end", "ready", "go", "end", "ready", "go", "end", "wrong 0", "right 2", "bonus 2 1")
    assert game.totals == (-1, 0, 6)


def test_the_next_game_is_dealt_to_present_players() -> None:
    game = put(new_game(4), "away", 1, 1)
    assert (game.participants, game.card_values) == ((0, 2, 3), (0, 1, 2, 3))
    game = play_moves(put(play_moves(game, "dealt", "ready", "go"), "away", 1, 0), "end")
    assert game.participants == (0, 2, 3), "a latecomer joins the next game"
    check_refused(play_moves(game, "ready", "go"), "lay 1", "S3")
    game = play_moves(game, "ready", "go", "end", "ready", "go", "end", "next")
    assert (game.participants, game.card_values) == ((0, 1, 2, 3), (0, 1, 2, 3, 4))


def test_two_must_stay() -> None:
    check_not_corrected(new_game(2), "away", 1, seat=0, why="set the game aside instead")
    game = put(new_game(3), "away", 2, 1)
    check_not_corrected(game, "away", 1, seat=0, why="set the game aside instead")
    # Those who were dealt no cards in this game cannot play it alone.
    game = put(play_moves(game, "dealt"), "away", 2, 0)
    check_not_corrected(game, "away", 1, seat=0, why="set the game aside instead")


def test_nobody_leaves_a_match_that_is_over() -> None:
    over = play_moves(answer_bonuses(turn_cards(new_game(3, games=1), 1, "A1"), "A2"), "next")
    check_not_corrected(over, "away", 1, seat=0)


# The menu --------------------------------------------------------------------------------------------------------

NOBODY_AWAY = [f"away of {seat}: 0, from 0 to 1" for seat in range(3)]


def totals(*points: int) -> list[str]:
    return [f"total of {seat}: {each}, from -999 to 999" for seat, each in enumerate(points)]


def test_the_menu_in_a_round() -> None:
    game = play_moves(start_round(3, 2), "lay 0", "lay 1")
    assert list_menu(game) == [
        "who laid card 2: 1, from 0 to 2",
        *totals(0, 0, 0),
        "round: 2, from 1 to 3",
        *NOBODY_AWAY,
    ]


def test_the_menu_at_the_reveal() -> None:
    game = play_moves(lay_cards(new_game(3), "AB", "C"), "wrong 0")
    assert list_menu(game) == [
        "card 1: 0, from 0 to 1",
        "who laid card 2: 1, from 0 to 2",
        "who laid card 1: 0, from 0 to 2",
        "round of card 2: 1, from 1 to 2",
        *totals(-1, 0, 0),
        *NOBODY_AWAY,
    ]
    game = play_moves(lay_cards(new_game(3), "AB", "C"), "right 0", "wrong 1", "wrong 2", "bonus 0 3")
    assert list_menu(game) == [
        "card 3: 0, from 0 to 1",
        "card 2: 0, from 0 to 1",
        "card 1: 1, from 0 to 1",
        "who laid card 3: 2, from 0 to 2",
        "who laid card 2: 1, from 0 to 2",
        "who laid card 1: 0, from 0 to 2",
        "round of card 3: 2, from 1 to 3",
        "round of card 2: 1, from 1 to 2",
        *totals(8, -1, -1),
        "bonus of 0: 3, from 1 to 3",
        *NOBODY_AWAY,
    ]


def test_the_menu_before_the_third_game_lists_the_latest_game_first() -> None:
    game = play_moves(lay_cards(new_game(3), "AB", "C"), "right 0", "wrong 1", "wrong 2", "bonus 0 3", "next")
    game = play_moves(lay_cards(game, "A"), "wrong 0", "next")
    second = [f"game 2 of {seat}: {points}, from -999 to 999" for seat, points in enumerate((-1, 0, 0))]
    first = [f"game 1 of {seat}: {points}, from -999 to 999" for seat, points in enumerate((8, -1, -1))]
    assert list_menu(game) == [*totals(7, -1, -1), *second, *first, *NOBODY_AWAY]


def test_a_card_alone_may_lie_in_any_round() -> None:
    assert "round of card 1: 2, from 1 to 3" in list_menu(lay_cards(new_game(3), "", "A"))


def test_a_card_stays_between_the_cards_around_it() -> None:
    game = play_moves(lay_cards(new_game(3), "CA", "B", "C"), "wrong 2", "wrong 0", "wrong 1", "wrong 2")
    assert [line for line in list_menu(game) if line.startswith("round")] == [
        "round of card 4: 3, from 2 to 3",
        "round of card 3: 2, from 1 to 3",
        "round of card 2: 1, from 1 to 2",
    ]


def test_a_bonus_is_corrected_only_once_it_is_given() -> None:
    game = play_moves(lay_cards(new_game(3), "AB"), "right 0", "right 1", "bonus 0 2")
    assert [line for line in list_menu(game) if line.startswith("bonus")] == ["bonus of 0: 2, from 1 to 3"]


# Consequences ----------------------------------------------------------------------------------------------------


def test_a_card_corrected_to_right_leaves_the_cards_of_others() -> None:
    game = play_moves(lay_cards(new_game(3), "ABC"), "right 0", "right 1", "wrong 2")
    assert put(game, "card 3", None, 1).cards_right == (True, True, True)
    assert put(game, "card 1", None, 0).cards_right == (False, True, False)


def test_a_right_card_cannot_go_to_a_player_who_has_one() -> None:
    game = play_moves(lay_cards(new_game(3), "ABC"), "right 0", "wrong 1", "right 2")
    check_not_corrected(game, "who laid card 1", 2, why="S35: seat 2 has a right card already")
    assert put(game, "who laid card 2", None, 2).cards_in_order[1] == (1, 2), "a wrong one can"
    assert put(game, "who laid card 1", None, 0) == put(game, "who laid card 3", None, 2), "nothing changes"


def test_going_back_a_round_takes_the_cards_along() -> None:
    game = play_moves(start_round(3), "lay 0", "end", "ready", "go", "lay 1", "end", "ready", "go", "lay 2")
    assert put(game, "round", None, 2).piles == ((0,), (1, 2), ())
    assert put(game, "round", None, 1).piles == ((0, 1, 2), (), ())
    assert put(game, "round", None, 3).piles == game.piles
