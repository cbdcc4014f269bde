"""Numbers of earlier rounds are corrected as they were entered; points and scores follow (G71)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.api import BadCorrection, Correction, Move, Seat
from companion.api.registry import find_game
from companion.games.game_file.definition import make_definition
from tests.games.game_file.points.entering import enter, new_game
from tests.games.game_file.points.test_random_games import enter_rummy

NAMES = ("Ada", "Bob", "Cleo")


def play_hands(name: str, *hands: tuple[int, ...]) -> Any:
    game = new_game(name, len(hands[0]))
    for hand in hands:
        game = enter(game, *enumerate(hand))
    return game


def correct(game: Any, seat: int, round_number: int, number: int, entry: int = 1) -> Any:
    return game.correct(Correction("round", Seat(seat), (number,), (round_number, entry)))


def test_a_missed_moon_of_hearts_is_two_numbers() -> None:
    game = play_hands("hearts", (20, 6, 0), (1, 2, 23))
    assert game.totals == (21, 8, 23)
    game = correct(game, 1, 1, 0)
    assert find_game("hearts").format_prompt(game, NAMES) == "Round 1: The points of a hand are 26 together. Correct it"
    game = correct(game, 0, 1, 26)
    assert (game.totals, game.finished[0].points) == ((1, 28, 49), (0, 26, 26))
    assert find_game("hearts").format_prompt(game, NAMES) == "After the round: points in your tricks"


def test_the_menu_lists_what_was_entered() -> None:
    game = play_hands("hearts", (26, 0, 0))
    lines = [entry for entry in game.list_correctables() if entry.kind == "round"]
    assert [(line.seat, line.current_value, line.index) for line in lines] == [
        (0, (26,), (1, 1)),
        (1, (0,), (1, 1)),
        (2, (0,), (1, 1)),
    ]
    hearts = find_game("hearts")
    assert hearts.label_correctable(game, lines[0], NAMES) == "Ada in round 1"
    correction = lines[0].make_correction(20)
    line = hearts.describe(game, correction, game.correct(correction), NAMES)
    assert line.startswith("Corrected: Ada in round 1, 26 to 20")


def test_an_earlier_hand_of_rummy() -> None:
    game = enter_rummy(10, 0, 35)
    assert game.totals == (0, 45, 0)
    assert correct(game, 0, 1, 20).totals == (0, 55, 0)
    assert correct(game, 1, 1, 1, entry=2).totals == (0, 90, 0)
    late = correct(correct(game, 1, 1, 7), 0, 1, 0)
    assert (late.totals, late.finished[0].numbers) == ((42, 0, 0), ((0, 0), (7, 0), (35, 0)))


def test_a_question_that_is_not_asked_any_more_is_no() -> None:
    game = correct(enter_rummy(10, 0, 35), 1, 1, 1, entry=2)
    game = correct(game, 1, 1, 7)
    assert game.finished[0].numbers[1] == (7, 0)
    with pytest.raises(BadCorrection):
        correct(game, 1, 1, 1, entry=2)


def test_a_turn_of_darts_decides_later_ones() -> None:
    game = play_hands("darts_501", (180, 60), (180, 60), (100, 60))
    assert game.totals == (41, 321)
    game = game.play(Move("enter", Seat(0), (50,)))
    assert game.totals == (41, 321), "more than the 41 that were left"
    assert correct(game, 0, 3, 80, entry=2).totals == (11, 321)
    assert correct(game, 0, 4, 39, entry=2).totals == (2, 321), "a turn of the round in play"
    with pytest.raises(BadCorrection, match="G61"):
        correct(game, 0, 1, 179, entry=2)


def test_who_was_away_has_no_number_to_correct() -> None:
    game = new_game("hearts", 4).correct(Correction("away", Seat(3), (1,)))
    for seat, number in enumerate((20, 6, 0)):
        game = game.play(Move("enter", Seat(seat), (number,)))
    assert [entry.seat for entry in game.list_correctables() if entry.kind == "round"] == [0, 1, 2]
    assert correct(game, 0, 1, 10).totals == (10, 6, 0, 0)


def keep(game: Any, seat: int, value: int) -> Any:
    return game.correct(Correction("kept", Seat(seat), (value,), (1,)))


def test_a_phase_corrected_before_a_hand_counts_on_when_an_earlier_hand_is_corrected() -> None:
    game = enter(new_game("phase_10", 2), (0, 0), (0, 10), (1, 1), (1, 0))
    game = enter(keep(game, 0, 3), (0, 1), (0, 0), (1, 0), (1, 5))
    assert game.memory == ((4,), (2,))
    game = correct(game, 0, 1, 20, entry=2)
    assert (game.memory, game.totals) == (((4,), (2,)), (20, 5))


def test_misses_corrected_between_two_turns_count_on_when_an_earlier_throw_is_corrected() -> None:
    game = enter(new_game("molkky", 3), (0, 0), (1, 0), (2, 5), (0, 0))
    game = enter(keep(keep(game, 1, 0), 0, 1), (1, 0), (2, 0))
    assert game.memory == ((1,), (1,), (1,))
    game = correct(game, 2, 1, 6)
    assert (game.memory, game.totals) == (((1,), (1,), (1,)), (0, 0, 6))


def test_a_dealer_who_was_corrected_passes_on() -> None:
    game = new_game("riichi", 4).correct(Correction("flag", None, (3,), (1,)))
    game = enter(game, *((q, 0) for q in (0, 1, 2, 2, 3)))
    assert [own[1] for own in game.memory] == [0, 0, 0, 1]


def test_the_deal_passed_over_who_was_away_and_is_back_when_the_hand_is_corrected() -> None:
    game = new_game("riichi", 4).correct(Correction("away", Seat(1), (1,)))
    game = enter(game, (0, 0), (0, 300), (2, -300), (3, 0)).correct(Correction("away", Seat(1), (0,)))
    assert [own[1] for own in game.memory] == [0, 0, 1, 0]
    game = correct(correct(game, 0, 1, 200, entry=2), 2, 1, -200, entry=2)
    assert [own[1] for own in game.memory] == [0, 0, 1, 0]


CHASE = """
name = "chase"
title = "Chase"
players_min = 2
players_max = 2
[points]
order = "turns"
score = "if(score >= 5, 10, step)"
total = "score + 5 * crown"
rounds = 9
[[points.flags]]
id = "crown"
name = "Crown"
takes = "step == 3"
[[points.entries]]
id = "step"
name = "step"
high = 3
"""


def test_a_flag_taken_in_a_round_counts_for_later_turns_of_it() -> None:
    definition = make_definition(CHASE, "chase")
    game: Any = definition.create_game(2, Seat(0), definition.settings_model())
    game = enter(game, (0, 0), (1, 3), (0, 3), (1, 1))
    assert game.totals == (8, 4)
    assert correct(game, 0, 1, 1).totals == (9, 4)


def test_who_comes_back_enters_for_the_team_in_place_of_the_partner() -> None:
    game = enter(new_game("canasta", 4).change_away(Seat(0), True), (2, 1), (2, 0), (2, 0), (2, 0), (2, 100))
    game = game.change_away(Seat(0), False)
    game = enter(game, (0, 1), (0, 0), (0, 0), (0, 0), (0, 100), (1, 0), (1, 0), (1, 0), (1, 0), (1, 0))
    assert game.totals == (600, 0, 600, 0)


def test_a_score_corrected_after_a_lost_turn_stays_when_another_turn_is_corrected() -> None:
    game = enter(new_game("darts_501", 2), (0, 180), (1, 60), (0, 180), (1, 60), (0, 141 - 1), (1, 60))
    assert game.totals == (141, 321)
    game = game.correct(Correction("total", Seat(0), (200,)))
    game = correct(game, 1, 1, 61, entry=2)
    assert game.totals == (200, 320)


SOME_ROUNDS = """
name = "some_rounds"
title = "Some rounds"
players_min = 2
players_max = 2
[points]
rounds = 9
[[points.entries]]
id = "tricks"
name = "tricks"
high = 5
when = "round != 2"
[[points.checks]]
when = "sum(all_tricks) == 5"
text = "There are 5 tricks"
"""


def test_a_round_without_numbers_has_no_mistake() -> None:
    definition: Any = make_definition(SOME_ROUNDS, "some_rounds")
    game = enter(definition.create_game(2, Seat(0), definition.settings_model()), (0, 3), (1, 2))
    assert game.round_number == 3
    assert definition.format_prompt(game, NAMES) == "After the round: tricks"
    assert definition.format_prompt(correct(game, 0, 1, 4), NAMES) == "Round 1: There are 5 tricks. Correct it"


NEEDLESS = """
name = "needless"
title = "Needless"
players_min = 2
players_max = 2
[points]
rounds = 5
[[points.kept]]
id = "before"
name = "Before"
next = "steps"
[[points.entries]]
id = "steps"
name = "steps"
high = 9
[[points.entries]]
id = "more"
name = "more"
high = 9
when = "before > 3"
"""


def test_a_number_that_another_correction_has_made_needless_counts_until_it_is_corrected() -> None:
    definition: Any = make_definition(NEEDLESS, "needless.toml")
    game = definition.create_game(2, Seat(0), definition.settings_model())
    game = enter(game, (0, 5), (1, 0), (0, 1), (0, 7), (1, 0))
    game = correct(game, 0, 1, 2)
    assert game.totals == (10, 0)
    lines = {entry.index: entry.current_value for entry in game.list_correctables() if entry.seat == 0}
    assert lines[2, 2] == (7,)
    assert correct(game, 0, 2, 0, entry=2).totals == (3, 0)
