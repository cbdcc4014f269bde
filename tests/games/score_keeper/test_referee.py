"""The score keeper with the real referee and journal: presses, held buttons, amounts, turns and their times."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from companion.api import IllegalMove, Move, Seat
from companion.api.registry import find_game
from companion.events import Button, ButtonPressed, ButtonReleased
from companion.games.score_keeper import GAME
from companion.games.score_keeper.samples import new_game
from companion.games.score_keeper.state import Phase
from companion.journal.saved_game import SavedGame
from companion.screen_state import ScreenKind
from companion.testing.table import TableUnderTest

Tables = Callable[..., TableUnderTest]
S1, S2, S3, S4, S5, S6 = (Button(f"seat{n}") for n in range(1, 7))
OK, NO, PLUS, MINUS = Button.OK, Button.NO, Button.PLUS, Button.MINUS


def test_a_press_is_a_point_and_holding_opens_an_amount(table: Tables) -> None:
    t = table(3, definition=GAME)
    t.press(S1, S1, S2)
    assert t.state.scores == (2, 1, 0)
    t.hold(S3)
    assert t.state.scores == (2, 1, 0), "the press itself does not count"
    assert t.state.menu is not None
    t.press(S4, S5, S5, S2)  # 10 + 20 + 20 + 2
    assert t.state.menu.value == "+52"
    t.press(OK)
    assert t.state.scores == (2, 1, 52)
    t.hold(S1)
    t.press(PLUS, MINUS, OK)
    assert t.state.scores == (-98, 1, 52)
    t.hold(NO)
    assert t.state.scores == (2, 1, 52)


@pytest.mark.parametrize(
    ("target", "points", "said"),
    [
        (0, 1500, "at most 999 points at once; a higher target allows more"),
        (5000, -6000, "at most 5000 points at once; a higher target allows more"),
        (999_999, 600_000, "a score stays between -999999 and 999999"),
    ],
)
def test_why_an_amount_is_refused(target: int, points: int, said: str) -> None:
    game = new_game(2, target_points=target, by_rounds=True)
    if target > 5000:
        game = game.play(Move("add", Seat(0), (600_000,)))
    with pytest.raises(IllegalMove, match=said):
        game.play(Move("add", Seat(0), (points,)))


def test_an_amount_is_cleared_and_left_with_no(table: Tables) -> None:
    t = table(2, definition=GAME)
    t.hold(S1)
    t.press(S6, MINUS)
    assert t.state.menu is not None
    assert t.state.menu.value == "−50"
    t.press(NO)
    assert t.state.menu.value == "+0"
    t.press(NO)
    assert t.state.menu is None
    assert t.state.scores == (0, 0)


def test_a_seat_without_a_player_neither_scores_nor_opens_anything(table: Tables) -> None:
    t = table(2, definition=GAME)
    t.press(S6)
    t.hold(S6)
    assert t.state.menu is None
    assert t.state.scores == (0, 0)


@pytest.mark.parametrize("apart", [0.16, 0.1])
def test_each_of_twelve_quick_taps_is_a_hole_on_the_cribbage_board(table: Tables, apart: float) -> None:
    t = table(2, definition=find_game("cribbage_board"))
    for _tap in range(12):
        t.send(ButtonPressed(S1, t.clock.now))
        t.wait(apart / 2)
        t.send(ButtonReleased(S1, t.clock.now))
        t.wait(apart / 2)
    assert t.game.totals == (12, 0)


def test_an_open_game_ends_with_ok_held(table: Tables) -> None:
    t = table(2, definition=GAME)
    t.press(S2, OK)
    assert t.state.kind is ScreenKind.PLAY
    t.hold(OK)
    assert t.state.kind is ScreenKind.RESULT
    assert t.state.prompt == "Bob wins with 1"


def test_turns_are_measured_without_pauses_and_after_a_restart(table: Tables) -> None:
    t = table(2, definition=GAME, turn_order="clockwise")
    t.press(S2)
    t.wait(20.0)
    t.press(MINUS)  # pause
    t.wait(500.0)
    t.press(OK)
    t.wait(8.5)
    t.press(OK)
    assert t.game.turn_counts == (0, 1)
    assert 300 <= t.game.turn_tenths[1] <= 320
    assert t.game.active_seat == 0
    t.wait(38.5)
    t.restart()
    t.press(OK)  # the clocks continue
    t.press(OK)
    assert 380 <= t.game.turn_tenths[0] <= 420
    assert SavedGame(t.journal, t.saved_game.id, t.definition).game == t.game


@pytest.mark.parametrize("is_cut", [False, True], ids=["undone", "cut before the clocks are stored"])
def test_undo_gives_no_time_back_after_a_power_cut(table: Tables, is_cut: bool) -> None:
    t = table(2, definition=GAME, turn_order="clockwise", clock="chess", bank_seconds=600, extra_seconds=0)
    t.press(S1)
    t.wait(20.0)
    t.press(OK)
    t.wait(30.0)
    (bob,) = t.referee.clocks.list_running()
    if is_cut:
        t.saved_game.undo()
    else:
        t.hold(NO)
    t.restart()
    t.press(OK)  # the clocks continue
    assert t.game.active_seat == 0
    t.press(OK)
    assert t.game.active_seat == 1
    (again,) = t.referee.clocks.list_running()
    assert again.seconds_left <= bob.seconds_left


def test_redo_counts_the_time_that_ran_since_the_undo(table: Tables) -> None:
    """Who thought on after an undo had the time back by redo, and what could be redone after it stays so."""
    t = table(2, definition=GAME, turn_order="clockwise", clock="chess", bank_seconds=600)
    t.press(S1)
    t.wait(20.0)
    t.press(OK)
    t.wait(5.0)
    t.press(OK, S1)  # Bob's turn, and Ada's second one
    assert (t.game.turn_counts, t.game.active_seat) == ((2, 1), 1)
    for _turn in range(3):
        t.hold(NO)
    t.wait(60.0)
    t.correct("Redo")  # and OK: the clocks continue
    assert (t.game.turn_counts, t.game.active_seat) == ((1, 0), 1)
    assert 800 <= t.game.bank_tenths[0] <= 850
    for _turn in range(2):
        t.correct("Redo")  # and OK: the clocks continue
    assert (t.game.turn_counts, t.game.active_seat) == ((2, 1), 1)
    assert t.game.bank_tenths[0] >= 800
    assert SavedGame(t.journal, t.saved_game.id, t.definition).game == t.game


@pytest.mark.parametrize("seed", range(3))
def test_no_undo_and_redo_of_turns_gives_time_back(table: Tables, seed: int) -> None:
    """All the time that has run is in some turn once everything is redone."""
    random = Random(seed)
    t = table(3, definition=GAME, turn_order="clockwise", clock="chess", bank_seconds=35999)
    t.press(S1)
    for _turn in range(4):
        t.wait(random.uniform(1.0, 20.0))
        t.press(OK)
    ran = sum(t.game.turn_tenths) / 10
    for _step in range(12):
        if t.saved_game.can_redo and random.random() < 0.4:
            t.correct("Redo")
        elif sum(t.game.turn_counts):
            t.hold(NO)
        seconds = random.uniform(1.0, 20.0)
        t.wait(seconds)
        ran += seconds
    while t.saved_game.can_redo:
        t.correct("Redo")
    (clock,) = t.referee.clocks.list_running()
    assert sum(t.game.turn_tenths) / 10 + clock.seconds_total - clock.seconds_left >= ran - 1.0


def test_who_presses_first_has_the_turn(table: Tables) -> None:
    t = table(3, definition=GAME, turn_order="auction", rounds=1)
    t.press(S3)
    t.wait(1.0)
    t.press(S1, OK)
    assert t.game.phase is Phase.WAIT
    t.press(S3)
    assert t.state.notice == "Cleo has had a turn in this round"
    t.press(S1, OK)
    assert t.game.active_seat == 1, "one is left"
    t.press(OK)
    assert t.state.kind is ScreenKind.RESULT
    assert t.state.scores == (1, 0, 0)


def test_the_clock_passes_the_turn_on(table: Tables) -> None:
    t = table(2, definition=GAME, turn_order="clockwise", clock="turn", turn_seconds=30, time_up="next_player")
    t.press(S1)
    t.wait(30.1)
    assert t.game.active_seat == 1
    assert t.game.turn_tenths == (300, 0)
    assert t.state.last_move == "Ada: time is up after 0:30"
    t.wait(0.5)
    t.press(OK)
    assert t.state.last_move == "Bob's turn took 0:02"


def test_the_bank_pays_after_the_delay(table: Tables) -> None:
    t = table(2, definition=GAME, turn_order="clockwise", clock="chess", bank_seconds=60, extra_seconds=10)
    t.press(S1)
    t.wait(25.0)
    t.press(OK)
    assert 149 <= t.game.bank_tenths[0] <= 165
    t.press(PLUS)
    assert t.state.question is not None
    t.press(OK)
    assert t.state.kind is ScreenKind.RESULT
    assert t.game.turn_counts == (1, 1)


def test_on_a_chess_clock_the_own_button_ends_the_own_turn(table: Tables) -> None:
    t = table(2, definition=GAME, turn_order="clockwise", clock="chess")
    t.press(S1, S1)
    assert (t.game.active_seat, t.game.totals) == (1, (0, 0))
    t.press(S1)
    assert (t.game.active_seat, t.state.notice) == (1, "Ada does not have the turn")
    t.press(S2)
    assert t.game.active_seat == 0
    t.hold(S2)
    t.press(PLUS, OK)
    assert t.game.totals[1] > 0, "points: hold it"


def test_a_player_leaves_in_a_turn_and_comes_back(table: Tables) -> None:
    """K17: the turn passes on, unmeasured; what was earned stays, and the own button does nothing meanwhile."""
    t = table(3, definition=GAME, turn_order="clockwise")
    t.press(S2, S2, S2)  # begins, two points
    t.wait(30.0)
    t.correct("Bob is away", PLUS)
    t.press(OK)  # the clocks continue
    assert t.game.active_seat == 2
    assert t.game.turn_counts == (0, 0, 0)
    t.press(S2)
    assert t.state.notice == "Bob is away"
    assert t.state.scores == (0, 2, 0)
    assert t.state.players[1].away
    t.press(OK, OK)
    assert t.game.round_number == 2, "the round is over without Bob"
    t.correct("Bob is away", MINUS)
    t.press(OK, S2)
    assert t.state.scores == (0, 3, 0)


def test_presses_in_a_pause_and_of_nobody_count_nothing(table: Tables) -> None:
    t = table(2, definition=GAME, by_rounds=True)
    t.press(MINUS, S1, S2, S5)
    assert t.state.question is not None
    t.press(OK)
    assert t.state.scores == (0, 0)
    t.press(S5, NO, S3)
    assert t.state.scores == (0, 0)
    t.press(PLUS, NO)
    assert t.state.kind is ScreenKind.PLAY, "the game does not end here"
    t.hold(S6)
    t.hold(OK)
    assert t.state.scores == (0, 0)
    assert t.state.kind is ScreenKind.PLAY


def test_the_result_has_rounds_for_the_chart_and_a_score_sheet(table: Tables) -> None:
    t = table(2, definition=GAME, by_rounds=True, name="Rummy")
    for points in (S3, S4, S5):  # 5, 10, 20
        t.hold(S1)
        t.press(points, OK, S2, OK)
    t.press(PLUS, OK)
    assert t.state.kind is ScreenKind.RESULT
    assert t.state.round_points == ((5, 1), (10, 1), (20, 1))
    assert t.state.scores == (35, 3)
    assert t.state.title == "Rummy"
    assert t.state.outcome is not None
    assert t.state.outcome.reason == "Rummy. The highest score wins: 35 points."


def test_a_game_that_ends_without_points_has_no_winner_in_words() -> None:
    over = new_game(2).play(Move("end"))
    assert GAME.format_prompt(over, ("Ada", "Bob")) == "Nobody has scored"


@pytest.mark.parametrize("name", ["go", "chess"])
def test_in_clock_games_of_the_shelf_the_own_button_ends_the_own_turn(table: Tables, name: str) -> None:
    t = table(2, definition=find_game(name))
    t.press(S1)  # begins
    assert t.game.active_seat == 0
    t.wait(7.0)
    t.press(S2)
    assert (t.game.active_seat, t.state.notice) == (0, "Bob does not have the turn")
    t.press(S1)
    assert (t.game.active_seat, t.game.totals) == (1, (0, 0)), "a turn, no point"
    assert 70 <= t.game.turn_tenths[0] <= 90
    t.wait(3.0)
    t.press(S1)
    assert t.game.active_seat == 1
    t.press(S2)
    assert (t.game.active_seat, t.game.turn_counts) == (0, (1, 1))
    assert 30 <= t.game.turn_tenths[1] <= 50


def test_in_go_the_own_button_keeps_the_own_period(table: Tables) -> None:
    """Byo-yomi: a period in which a turn was ended is there again in full; the last one that ends loses the game."""
    t = table(2, definition=find_game("go"), bank=300, overtime=30, periods=3)
    t.press(S1)
    t.wait(300.0 + 29.0)  # Ada's bank, and most of her first period
    t.press(S1, S2)
    t.wait(29.0)
    t.press(S1)
    assert (t.game.active_seat, t.state.kind) == (1, ScreenKind.PLAY), "no period is lost"
    t.press(S2)
    t.wait(30.0 + 29.0)  # one period is lost
    t.press(S1, S2)
    t.wait(30.0 + 29.0)
    t.press(S1)
    assert t.state.kind is ScreenKind.PLAY
    t.press(S2)
    t.wait(30.1)
    assert (t.state.kind, t.game.lost_on_time) == (ScreenKind.RESULT, 0)


def test_who_wins_on_time_is_not_said_to_win_with_fewer_points(table: Tables) -> None:
    t = table(2, definition=find_game("go"), bank=300, overtime=30, periods=1)
    t.press(S1, S1)
    t.hold(S1)
    t.press(S4, OK, S2)
    t.wait(330.1)
    assert (t.state.kind, t.state.scores) == (ScreenKind.RESULT, (10, 6))
    assert (t.state.prompt, t.state.outcome.reason) == ("Bob wins", "Time was up: the turn was not ended in time.")


def test_in_go_a_held_button_enters_points_and_white_gets_the_komi(table: Tables) -> None:
    t = table(2, definition=find_game("go"))
    t.press(S1, S1)
    t.hold(S1)
    t.press(S4, OK)  # ten
    assert (t.game.active_seat, t.game.current_points) == (1, (10, 0))
    t.hold(S2)
    t.press(S3, OK)  # five
    t.press(PLUS, OK)
    assert t.state.kind is ScreenKind.RESULT
    assert "Bob wins" in t.state.prompt, "5 and 6½ to 10"
