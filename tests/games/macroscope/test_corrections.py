"""Corrections: which are open when, their consequences, and which are refused because no table could look like that."""

import pytest

from companion.api import BadCorrection, Correction, Move, Seat
from companion.games.macroscope import Macroscope, Settings
from companion.games.macroscope.state import AskingReason, Phase
from companion.testing.checks import check_unchanged_entries, list_menu
from tests.games.macroscope.conftest import At, Play
from tests.games.refusals import check_not_corrected
from tests.games.results import find_winners


def entry(game, kind, seat=None):
    return next((c for c in game.list_correctables() if (c.stored_kind, c.seat) == (kind, seat)), None)


def corrected(game, kind, *value, seat=None):
    return game.correct(Correction.from_stored(kind, seat, value))


def test_dice_while_a_roll_stands(at, play):
    game = at((2, 2))
    assert entry(game, "dice") is None
    game = play(game, "roll 0 2 5")
    assert entry(game, "dice").current_value == (2, 5)
    game = corrected(game, "dice", 3, 5)
    assert game.takeable_tokens == (3, 5)
    game = play(game, "remove 0 3")
    assert corrected(game, "dice", 3, 6).takeable_tokens == (6,)
    game = play(game, "remove 0 5")
    assert entry(game, "dice") is None, "both dice are used"
    check_not_corrected(game, "dice", 1, 1, why="dice cannot be corrected now")


@pytest.mark.parametrize("value", [(0, 3), (7, 3), (3,), (1, 2, 3)])
def test_dice_have_six_sides(at, play, value):
    check_not_corrected(play(at((2, 2)), "roll 0 2 5"), "dice", *value)


def test_dice_corrected_under_at_roll_are_bound_or_free_by_their_new_values(at, play):
    game = at((2, 2), {"match_dice": "at_roll"}, tokens=(2, 0, 2, 2, 2, 2))
    game = play(game, "roll 0 2 5", "remove 0 5")
    assert game.takeable_tokens == (1, 3, 4, 5, 6)
    assert corrected(game, "dice", 1, 5).takeable_tokens == (1,)


def test_the_number_of_the_last_token_can_be_corrected(at, play):
    game = play(at((2, 2)), "roll 0 2 5", "remove 0 2")
    assert entry(game, "token").current_value == (2,)
    game = corrected(game, "token", 5)
    assert (game.tokens, game.taken_tokens, game.takeable_tokens) == ((2, 2, 2, 2, 1, 2), (5,), (2,))
    game = play(at((2, 2), tokens=(2, 2, 2, 1, 0, 2)), "roll 0 2 2", "remove 0 2")
    assert corrected(game, "token", 4).tokens == (2, 2, 2, 0, 0, 2), "it was the last 4"
    check_not_corrected(game, "token", 5, why=r"^M1: no token 5 was left to be taken$")
    full = corrected(game, "tokens", 2, 2, 2, 1, 0, 2)
    check_not_corrected(full, "token", 4, why=r"^M1: all tokens 2 are on the device already$")


def test_no_token_to_correct_before_one_is_taken_or_once_v_is_frozen(at, play):
    game = play(at((2, 2)), "roll 0 2 5")
    assert entry(game, "token") is None
    game = play(game, "remove 0 2", "guess 0")
    assert entry(game, "token") is None
    assert entry(game, "tokens") is None


def test_let_stand_counts_like_a_removal(at, play):
    game = play(at((2, 2)), "roll 0 2 5")
    game = corrected(game, "let_stand", 3)
    assert (game.opened_windows, game.covered_windows, game.phase) == (1, 11, Phase.OPEN)
    assert game.used_dice == (True, False)
    assert game.takeable_tokens == (5,)
    assert play(game, "remove 0 5", "stop 0").crystals == (4, 2)


def test_let_stand_the_last_token_makes_the_round_void(at, play):
    settings = {"match_dice": "at_roll"}
    game = play(at((2, 2), settings, tokens=(1, 1, 0, 0, 0, 0)), "roll 0 2 2", "remove 0 2")
    assert game.takeable_tokens == ()
    game = corrected(game, "let_stand", 1)
    assert (game.phase, game.crystals, game.active_seat, game.changes) == (Phase.COVER, (4, 2), 1, (2, 0))


def test_let_stand_ends_the_asking_like_a_removal(at, play):
    game = play(at((2, 2)), "roll 0 2 5", "remove 0 2", "ask 0", "wish 1")
    game = corrected(game, "let_stand", 3)
    assert (game.phase, game.wishes) == (Phase.OPEN, ())


@pytest.mark.parametrize(
    ("before", "value", "rule"),
    [
        ((), (3,), "M10"),
        (("roll 0 2 5",), (2,), "M11"),
        (("roll 0 2 5",), (4,), "M1"),
        (("roll 0 2 5", "remove 0 2", "remove 0 5"), (3,), "M13"),
        (("roll 0 2 5", "remove 0 2", "guess 0"), (3,), "M10"),
    ],
)
def test_what_cannot_be_let_stand(at, play, before, value, rule):
    game = play(at((2, 2), tokens=(2, 2, 2, 0, 2, 2)), *before)
    check_not_corrected(game, "let_stand", *value, why=f"^{rule}: ")


def test_a_total_can_be_corrected_at_any_time(at, play):
    game = corrected(at((2, 2)), "crystals", 7, seat=Seat(1))
    assert (game.crystals, game.changes) == ((2, 7), (0, 5))
    over = at((3, 5), phase=Phase.OVER, round_scores=((1, 3),))
    assert corrected(over, "crystals", 9, seat=Seat(0)).compute_outcome().winners == (0,)
    check_not_corrected(game, "crystals", -1, seat=0)
    check_not_corrected(game, "crystals", 3, seat=2)


def test_a_corrected_total_can_cancel_a_wish(at, play):
    game = play(at((2, 4, 5)), "roll 0 2 5", "remove 0 2", "stop 0", "wish 1", "wish 2")
    assert corrected(game, "crystals", 1, seat=Seat(1)).wishes == (2,)
    game = play(game, "close 0")
    game = corrected(game, "crystals", 1, seat=Seat(1))
    assert game.called_seat == 2
    game = corrected(game, "crystals", 0, seat=Seat(2))
    assert (game.phase, game.active_seat) == (Phase.ROLL, 1), "nobody can pay any more"


def test_a_corrected_total_can_break_or_make_a_tie(at, play):
    game = play(at((2, 4, 4)), "roll 0 2 5", "remove 0 2", "stop 0", "wish 1", "wish 2", "close 0")
    assert game.phase is Phase.PICK
    assert corrected(game, "crystals", 3, seat=Seat(2)).called_seat == 2


def test_a_total_corrected_while_others_are_asked_between_the_tokens(at, play):
    game = play(at((2, 4)), "roll 0 2 5", "remove 0 2", "ask 0", "wish 1")
    game = corrected(game, "crystals", 0, seat=Seat(1))
    assert (game.phase, game.active_seat, game.opened_windows) == (Phase.OPEN, 0, 1)


def test_tokens_on_the_device(at, play):
    game = corrected(at((2, 2)), "tokens", 2, 2, 0, 2, 2, 1)
    assert game.covered_windows == 9
    game = play(game, "roll 0 3 3", "remove 0 6")
    assert game.covered_windows == 8
    assert corrected(game, "tokens", 2, 2, 1, 2, 2, 2).covered_windows == 11, "all windows but the one just opened"
    check_not_corrected(game, "tokens", 0, 0, 0, 0, 0, 0, why=r"^M50: ")
    check_not_corrected(game, "tokens", 2, 2, 2, 2, 2, 2, why=r"^M17: ")
    check_not_corrected(game, "tokens", 3, 0, 0, 0, 0, 0)


def test_tokens_under_at_roll_never_leave_nothing_to_take(at, play):
    game = play(at((2, 2), {"match_dice": "at_roll"}), "roll 0 2 5")
    assert corrected(game, "tokens", 2, 0, 2, 2, 0, 2).takeable_tokens == (1, 3, 4, 6)


def test_the_value_can_be_corrected_once_frozen(at, play):
    game = play(at((2, 2)), "roll 0 2 5", "remove 0 2")
    assert entry(game, "value") is None
    game = corrected(play(game, "guess 0"), "value", 10)
    assert play(game, "close 0", "cover", "right 0").crystals == (12, 2)
    check_not_corrected(game, "value", 13)
    check_not_corrected(game, "value", 0)


def test_the_round_number_can_be_corrected(at):
    assert corrected(at((2, 2)), "marker", 10).round_number == 10
    check_not_corrected(at((2, 2)), "marker", 11)


def test_whose_turn_before_anything_is_opened(at, play):
    game = corrected(at((2, 2, 2)), "active", 2)
    assert game.active_seat == 2
    game = corrected(play(game, "roll 2 2 5"), "active", 1)
    assert (game.active_seat, game.dice) == (1, (2, 5))
    assert entry(play(game, "remove 1 2"), "active") is None


def test_an_entry_makes_its_own_correction(at):
    item = entry(at((2, 4)), "crystals", Seat(1))
    assert item.current_value == (4,)
    assert item.make_correction(3) == Correction("crystals", Seat(1), (3,))


def test_who_is_here_or_away_already_stays_so(at: At) -> None:
    game = at((2, 2, 2))
    left = corrected(game, "away", 1, seat=Seat(1))
    assert corrected(left, "away", 1, seat=Seat(1)) == left
    assert corrected(game, "away", 0, seat=Seat(1)) == game


def test_unknown_kinds_cannot_be_corrected(at):
    check_not_corrected(at((2, 2)), "weather", 1, why="weather")


def test_asking_survives_a_corrected_value(at, play):
    game = corrected(play(at((2, 4)), "roll 0 2 5", "remove 0 2", "guess 0"), "value", 9)
    assert (game.phase, game.asking_reason, game.guess_value) == (Phase.ASKING, AskingReason.CHALLENGE, 9)


def played_rounds(count: int) -> Macroscope:
    """Round by round: one window, a guess, right."""
    game = Macroscope.create(2, Seat(0), Settings(dice="off", rounds=3))
    for _ in range(count):
        a = game.active_seat
        for move in (Move("remove", a, (1,)), Move("guess", a), Move("close", a), Move("cover"), Move("right", a)):
            game = game.play(move)
    return game


def test_correcting_an_earlier_round_changes_the_total() -> None:
    game = played_rounds(2)
    assert game.round_scores == ((11, 0), (0, 11))
    assert game.totals == (13, 13)
    after = game.correct(Correction.from_stored("round 1", Seat(0), (9,)))
    assert after.totals == (11, 13)
    assert after.round_scores == ((9, 0), (0, 11))
    a = after.active_seat
    for move in (Move("remove", a, (1,)), Move("guess", a), Move("close", a), Move("cover"), Move("nobody")):
        after = after.play(move)
    assert after.round_scores[2] == (-11, 0), "the round in play is not touched"


def test_a_correction_cannot_make_a_total_negative() -> None:
    with pytest.raises(BadCorrection, match="M44"):
        played_rounds(1).correct(Correction.from_stored("round 1", Seat(1), (-3,)))


def test_a_correction_may_leave_a_player_with_nothing() -> None:
    game = played_rounds(2)
    after = game.correct(Correction.from_stored("round 1", Seat(0), (game.round_scores[0][0] - game.totals[0],)))
    assert after.totals[0] == 0


def test_an_earlier_round_may_decide_a_game_that_is_over() -> None:
    game = played_rounds(3)
    assert find_winners(game) == (0,)
    after = corrected(corrected(game, "round 3", 0, seat=Seat(0)), "round 1", 0, seat=Seat(0))
    assert find_winners(after) == (1,)


def test_a_round_number_corrected_upwards_leaves_the_rounds_before_it_with_their_numbers() -> None:
    game = corrected(played_rounds(1), "marker", 3)
    assert game.round_scores == ((11, 0), (0, 0)), "round 2 was played without the companion"
    after = play_round(game)
    assert entry(after, "round 3", Seat(1)).current_value == (11,)
    assert entry(after, "round 3", Seat(0)).current_value == (0,)


def test_a_round_number_corrected_downwards_adds_what_was_scored_since_to_the_round_in_play() -> None:
    game = corrected(played_rounds(2), "marker", 2)
    assert (game.round_scores, game.crystals) == (((11, 0),), (13, 13))
    after = play_round(game)
    assert after.round_scores == ((11, 0), (11, 11))
    assert after.round_number == 3


def test_crystals_corrected_after_the_end_count_for_the_last_round() -> None:
    over = played_rounds(3)
    after = corrected(over, "crystals", 30, seat=Seat(1))
    assert after.crystals[1] == 30
    assert add_up(after) == after.crystals


def test_the_rounds_add_up_to_the_crystals_after_any_corrections() -> None:
    game = corrected(play_round(corrected(played_rounds(1), "crystals", 20, seat=Seat(0))), "crystals", 7, seat=Seat(1))
    assert add_up(play_round(game)) == play_round(game).crystals
    over = play_round(play_round(corrected(game, "marker", 2)))
    assert over.phase is Phase.OVER
    assert add_up(corrected(over, "crystals", 1, seat=Seat(0))) == (1, over.crystals[1])


def play_round(game: Macroscope) -> Macroscope:
    """One window, a guess, right."""
    seat = game.active_seat
    for kind in ("remove", "guess", "close", "cover", "right"):
        move = next((move for move in game.list_moves() if move.kind == kind), None)
        game = game if move is None else game.play(move)
    assert game.crystals[seat] >= 11
    return game


def add_up(game: Macroscope) -> tuple[int, ...]:
    columns = zip(*game.round_scores, strict=True)
    return tuple(game.settings.start_crystals + sum(column) for column in columns)


CRYSTALS = ["crystals of 0: 2, from 0 to 999", "crystals of 1: 4, from 0 to 999"]
MARKER = "marker: 1, from 1 to 10"
AWAY = ["away of 0: 0, from 0 to 1", "away of 1: 0, from 0 to 1"]
ALL_TOKENS = "tokens: 2 2 2 2 2 2, 6 from 0 to 2"
ONE_OFF = ["dice: 2 5, 2 from 1 to 6", "token: 2, from 1 to 6", *CRYSTALS, "tokens: 2 1 2 2 2 2, 6 from 0 to 2"]
TURN = "active: 0, from 0 to 1"


@pytest.mark.parametrize(
    ("moves", "menu"),
    [
        ((), [*CRYSTALS, ALL_TOKENS, MARKER, TURN, *AWAY]),
        (("roll 0 2 5",), ["dice: 2 5, 2 from 1 to 6", *CRYSTALS, ALL_TOKENS, MARKER, TURN, *AWAY]),
        (("roll 0 2 5", "remove 0 2"), [*ONE_OFF, MARKER, *AWAY]),
        (("roll 0 2 5", "remove 0 2", "ask 0"), [*ONE_OFF, MARKER, *AWAY]),
        (("roll 0 2 5", "remove 0 2", "guess 0"), ["value: 11, from 1 to 12", *CRYSTALS, MARKER, *AWAY]),
    ],
)
def test_the_menu_lists_recent_entries_first(at: At, play: Play, moves: tuple[str, ...], menu: list[str]) -> None:
    game = play(at((2, 4)), *moves)
    assert list_menu(game) == menu
    check_unchanged_entries(game)


def test_only_the_token_taken_last_is_in_the_menu(at: At, play: Play) -> None:
    game = play(at((2, 4)), "roll 0 2 5", "remove 0 2", "remove 0 5")
    assert list_menu(game)[0] == "token: 5, from 1 to 6"


def test_the_menu_while_windows_are_covered_and_after_the_end(at: At, play: Play) -> None:
    void = play(at((1, 4), tokens=(1, 0, 0, 0, 0, 0)), "roll 0 1 1", "remove 0 1")
    assert list_menu(void) == [*CRYSTALS, MARKER, *AWAY], "the tokens and the turn are settled"
    over = play(at((2, 4), {"rounds": 1}), "roll 0 2 5", "remove 0 2", "guess 0", "close 0", "cover", "right 0")
    assert list_menu(over) == [
        "crystals of 0: 13, from 0 to 999",
        "crystals of 1: 4, from 0 to 999",
        "round 1 of 0: 11, from -999 to 999",
        "round 1 of 1: 2, from -999 to 999",
    ]


def test_limits_follow_players_windows_and_rounds(at: At, play: Play) -> None:
    game = at((4, 4, 4), {"windows": 18, "rounds": 3}, round_scores=((2, 2, 2),), round_number=2)
    menu = list_menu(game)
    assert menu[3:6] == ["tokens: 3 3 3 3 3 3, 6 from 0 to 3", "marker: 2, from 1 to 3", "active: 0, from 0 to 2"]
    assert menu[6:9] == [f"round 1 of {q}: 2, from -999 to 999" for q in range(3)]
    check_unchanged_entries(game)
    guessed = play(game, "roll 0 2 5", "remove 0 2", "guess 0")
    assert list_menu(guessed)[0] == "value: 17, from 1 to 18"
