"""Corrections in Pictomania: bonus tokens, piles, rounds, totals, difficulty, absent players."""

import pytest

from companion.api import Correction, Seat
from companion.gallery.fixtures import play_moves
from companion.games.pictomania import GAME
from companion.games.pictomania.samples import new_game, play_round, start_drawing, start_scoring
from companion.games.pictomania.state import Phase
from companion.testing.checks import label_all, list_menu
from tests.games.pictomania.positions import NAMES, check_refused, open_pile, page
from tests.games.refusals import check_not_corrected


def correct(game, kind, value, seat=None):
    return game.correct(Correction.from_stored(kind, None if seat is None else Seat(seat), (value,)))


def kinds(game):
    return {c.stored_kind for c in game.list_correctables()}


def t2():
    return play_round([2, 6, 4], ["B2 C2", "C1 A6", "A4 B4"], "CA")


def test_bonus_token_of_a_player():
    game = play_moves(start_drawing(4), "take 0, take 1")
    check_not_corrected(game, "bonus", 2, seat=1, why="P2: no bonus token with 2 stars is left")
    game = correct(correct(correct(game, "bonus", 0, seat=0), "bonus", 2, seat=1), "bonus", 1, seat=0)
    assert (game.bonus_stars, game.tokens_left, game.phase) == ((1, 2, 0, 0), (1,), Phase.DRAWING)
    assert correct(game, "bonus", 1, seat=3).phase is Phase.STOP, "that was the last one"


def test_bonus_token_corrected_on_the_page_rescores_the_round():
    game = correct(t2(), "bonus", 0, seat=0)
    assert page(game)[0] == (4, 0, 0, 4)
    assert (game.totals, game.phase, game.changes) == ((4, 2, -1), Phase.ROUND, (-1, 0, 0))


def test_the_cards_of_any_pile_of_the_round():
    game = correct(t2(), "active", 1)
    assert (game.phase, game.pile_owner, game.totals) == (Phase.SCORING, 1, (0, 0, 0))
    game = play_moves(game, "wrong 0, next, next")
    assert [line[3] for line in page(game)] == [2 - 0 + 1, 3 - 3 + 0, 1 - 0 + 2], "no black sheep any more"
    check_not_corrected(start_drawing(), "active", 1, why="active")


def test_rounds_scored_before_and_their_sum():
    game = play_moves(t2(), "next_round")
    game = correct(game, "round 1", -4, seat=2)
    assert (game.totals, game.changes) == ((5, 2, -4), (0, 0, -3))
    assert correct(game, "total", 10, seat=1).totals == (5, 10, -4)
    check_not_corrected(game, "round 2", 1, seat=0)
    check_not_corrected(game, "round 1", 1000, seat=0)


def test_a_corrected_total_goes_on_counting():
    game = correct(play_moves(t2(), "next_round"), "total", 50, seat=2)
    game = play_moves(game, "deal, start, go, stop, score, next, right 2, next, next, next_round")
    assert game.totals[2] == 50 + 2 - 3


def test_after_the_end_a_correction_changes_the_winner():
    game = play_moves(play_round([2, 6, 4], ["B2 C2", "C1 A6", "A4 B4"], "CA"), "next_round")
    game = correct(game, "marker", 5)
    game = play_moves(game, "deal, start, go, stop, score, next, next, next, next_round")
    assert game.compute_outcome().winners == (0,)
    assert kinds(game) == {"total", *(f"round {n}" for n in range(1, 6))}
    game = correct(game, "round 3", 9, seat=1)
    assert (game.compute_outcome().winners, game.totals[1]) == ((1,), 2 + 9 - 3)


def test_rounds_played_without_the_companion():
    game = correct(new_game(), "marker", 3)
    assert (game.round_number, game.totals) == (3, (0, 0, 0))
    assert correct(game, "round 2", 7, seat=0).totals == (7, 0, 0)
    check_not_corrected(game, "marker", 2)


def test_the_difficulty():
    game = correct(start_drawing(), "difficulty", 3)
    assert game.colour == "blue"
    check_not_corrected(game, "difficulty", 5)


# Leaving and coming back -----------------------------------------------------------------------------------------


def test_three_must_stay():
    check_not_corrected(new_game(3), "away", 1, seat=0, why="P1: 3 players are needed: set the game aside instead")
    game = correct(new_game(4), "away", 1, seat=0)
    check_not_corrected(game, "away", 1, seat=1, why="set the game aside")


def test_absent_players_take_no_part_and_get_no_token():
    game = play_moves(correct(new_game(5), "away", 1, seat=1), "deal, start, go")
    assert (game.round_seats, game.bonus_tokens) == ((0, 2, 3, 4), (2, 1, 1))
    assert check_refused(game, "take 1", "P24") == "P24: seat 1 takes part from the next round on"
    game = play_moves(game, "take 0, take 2, take 3, score")
    assert check_refused(game, "right 1", "P21") == "P21: seat 1 takes part from the next round on"
    check_not_corrected(game, "active", 1, why="P21")
    game = play_moves(game, "next, next, next, next")
    assert [line.seat for line in game.score_lines] == [0, 2, 3, 4]
    assert game.round_scores == ((-4, 0, -4, -4, -4),)


def test_returning_players_take_part_from_the_next_round_on():
    game = play_moves(correct(new_game(4), "away", 1, seat=1), "deal, start, go")
    game = correct(game, "away", 0, seat=1)
    check_refused(game, "take 1", "P24")
    game = play_moves(game, "stop, score, next, next, next, next_round")
    assert game.round_seats == (0, 1, 2, 3)


def test_cards_of_players_leaving_while_drawing_count():
    game = play_moves(start_drawing(4), "take 0")
    game = correct(game, "away", 1, seat=3)
    assert game.seats_drawing == (1, 2)
    assert check_refused(game, "take 3", "P24") == "P24: seat 3 is away"
    game = play_moves(game, "take 1")
    assert (game.phase, game.tokens_left, game.seats_drawing) == (Phase.DRAWING, (1,), (2,))
    game = play_moves(game, "take 2, score, right 3")
    assert [c.guesser for c in open_pile(game)] == [3]


def test_the_drawing_ends_when_all_who_still_draw_have_left():
    game = correct(play_moves(start_drawing(5), "take 0, take 1, take 2"), "away", 1, seat=3)
    assert game.phase is Phase.DRAWING
    assert correct(game, "away", 1, seat=4).phase is Phase.STOP


def test_players_back_before_the_drawing_ends_continue():
    game = correct(correct(start_drawing(4), "away", 1, seat=0), "away", 0, seat=0)
    assert game.seats_drawing == (0, 1, 2, 3)


def test_labels_of_all_correctables():
    game = play_moves(t2(), "next_round, deal, start, go, stop, score")
    words = label_all(GAME, game, NAMES)
    expected = {
        ("active", None): "whose pile is open",
        ("bonus", Seat(1)): "Bob's bonus token",
        ("round 1", Seat(2)): "Cleo's round 1",
        ("away", Seat(0)): "Ada is away",
        ("total", Seat(0)): "Ada's total",
    }
    assert words.items() >= expected.items()


@pytest.mark.parametrize(
    ("kind", "value", "seat", "words"),
    [
        ("active", 1, None, "Back to Bob's pile"),
        ("away", 1, 2, "Cleo is away"),
        ("difficulty", 2, None, "Corrected: the difficulty, green to orange"),
        ("total", 3, 0, "Corrected: Ada's total, 0 to 3"),
        ("bonus", 2, 0, "Corrected: Ada's bonus token, none to 2 stars"),
    ],
)
def test_descriptions_of_corrections(kind, value, seat, words):
    game = start_scoring(4)
    what = Correction(kind, None if seat is None else Seat(seat), (value,))
    assert GAME.describe(game, what, game.correct(what), NAMES) == words


def test_labels_of_values():
    game = play_moves(start_drawing(5), "take 1")
    entries = {(c.stored_kind, c.seat): c for c in game.list_correctables()}
    words = {key: tuple(GAME.label_values(game, c, NAMES)) for key, c in entries.items()}
    assert words["bonus", Seat(1)] == ("none", "1 star", "2 stars", "3 stars")
    assert words["difficulty", None] == ("green", "orange", "blue", "purple")
    assert words["total", Seat(0)] == ()
    for key, entry in entries.items():
        assert len(words[key]) in (0, entry.value_range.high - entry.value_range.low + 1)


def test_a_players_own_button_leads_to_the_total():
    for game in (new_game(), start_drawing(), start_scoring(), t2()):
        first = next(c for c in game.list_correctables() if c.seat == 1)
        assert first.kind == "total"


def test_description_of_coming_back():
    game = correct(new_game(4), "away", 1, seat=0)
    what = Correction("away", Seat(0), (0,))
    assert GAME.describe(game, what, game.correct(what), NAMES) == "Ada is back"


def test_unknown_things_cannot_be_corrected():
    check_not_corrected(new_game(), "weather", 1, why="weather")


# A round's score corrected by hand -------------------------------------------------------------------------------


def test_a_round_corrected_by_hand_stays_corrected_when_its_bonus_tokens_are():
    game = correct(t2(), "round 1", 9, seat=1)
    before = game.round_scores[0]
    taken = next(q for q in range(3) if game.bonus_stars[q])
    after = correct(game, "bonus", 0, seat=taken)
    changed = game.score_lines[taken].bonus
    expected = tuple(score - changed * (q == taken) for q, score in enumerate(before))
    assert after.round_scores == (expected,)
    assert [line.total for line in after.score_lines] == list(expected)


def test_a_round_corrected_by_hand_stays_corrected_when_its_piles_are():
    game = correct(t2(), "round 1", 9, seat=1)
    assert play_moves(game, "back, next").round_scores == game.round_scores
    assert correct(game, "active", 0).totals == (0, 0, 0), "not while its piles are scored"
    following = play_moves(game, "next_round, deal, start, go, stop, score, next, next, next")
    assert following.round_scores[1] == (-3, -3, -3), "the next round begins without it"


def test_pens_down_is_not_called_to_a_player_who_is_away():
    game = play_moves(correct(start_drawing(4), "away", 1, seat=0), "take 1, take 2, take 3")
    assert game.phase is Phase.STOP
    assert GAME.format_prompt(game, NAMES) == "Pens down! The last token is taken"
    assert GAME.format_prompt(play_moves(start_drawing(4), "take 1, take 2, take 3"), NAMES).startswith(
        "Pens down, Ada!"
    )


# The menu --------------------------------------------------------------------------------------------------------


def by_seat(kind, values, low, high):
    return [f"{kind} of {seat}: {value}, from {low} to {high}" for seat, value in enumerate(values)]


def test_the_menu_in_a_round():
    game = play_moves(start_drawing(4), "take 1")
    assert list_menu(game) == [
        *by_seat("total", (0, 0, 0, 0), -999, 999),
        *by_seat("bonus", (0, 2, 0, 0), 0, 2),
        "difficulty: 1, from 1 to 4",
        *by_seat("away", (0, 0, 0, 0), 0, 1),
    ]


def test_the_menu_on_the_page_of_a_round_and_after_it():
    totals = by_seat("total", (5, 2, -1), -999, 999)
    first = by_seat("round 1", (5, 2, -1), -999, 999)
    away = by_seat("away", (0, 0, 0), 0, 1)
    bonus = by_seat("bonus", (1, 0, 2), 0, 2)
    assert list_menu(t2()) == ["active: 2, from 0 to 2", *totals, *bonus, *first, "difficulty: 1, from 1 to 4", *away]
    game = play_moves(t2(), "next_round")
    assert list_menu(game) == [*totals, *first, "difficulty: 1, from 1 to 4", "marker: 2, from 2 to 5", *away]
    game = play_moves(game, "deal, start, go, stop, score, next, next, next, next_round")
    assert [line.partition(" of ")[0] for line in list_menu(game)][3:9] == ["round 2"] * 3 + ["round 1"] * 3


def test_the_marker_is_not_moved_in_the_last_round():
    assert "marker" in kinds(correct(new_game(rounds=3), "marker", 2))
    assert "marker" not in kinds(correct(new_game(rounds=3), "marker", 3))


def test_one_colour_is_no_choice_and_two_are():
    assert "difficulty" not in kinds(new_game(difficulty_colours=("red",)))
    game = new_game(difficulty_colours=("red", "blue"))
    assert "difficulty: 1, from 1 to 2" in list_menu(game)
    assert [move.kind for move in game.list_moves()] == ["deal", "colour"]


def test_back_from_the_page_only_this_rounds_scores_are_taken_away():
    game = play_moves(t2(), "next_round, deal, start, go, stop, score, next, next, next")
    assert play_moves(game, "back").round_scores == game.round_scores[:1]


def test_a_round_leaves_nothing_of_its_piles_and_tokens():
    after, new = play_moves(t2(), "next_round"), new_game()
    names = ("participants", "bonus_stars", "piles", "drew_wrong_clue", "pile_index")
    assert [getattr(after, name) for name in names] == [getattr(new, name) for name in names]
