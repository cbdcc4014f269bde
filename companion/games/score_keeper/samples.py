"""Any game on the screen: every phase, clock, number of players and teams; and positions for the tests."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from companion.api import Move, Seat, Visibility
from companion.gallery import fixtures
from companion.gallery.fixtures import (
    PLAYER_NAMES,
    describe_move,
    get_refusal_notice,
    list_value_inputs,
    make_confirmation,
    make_correction_menu,
    make_pause_dialog,
    open_dialog,
    play_moves,
    show_player_dialogs,
)
from companion.games.score_keeper import GAME, ScoreKeeper, Settings
from companion.referee.dialogs.amount_input import AmountInput
from companion.screen_state import ScreenState

ROUNDS = ((12, 35, 8, 20, 0, 17), (28, 5, 40, 11, 26, 9), (7, 31, 16, 44, 18, 23))
"""Points of three rounds, by round and seat."""


def new_game(player_count: int, **settings: Any) -> ScoreKeeper:
    """Return a game at its start; `settings` are house rules by name.

    Raises:
        ValueError: `player_count` or a setting is not allowed.
    """
    return ScoreKeeper.create(player_count, Seat(0), Settings(**settings))


def add_points(game: ScoreKeeper, points: Sequence[int]) -> ScoreKeeper:
    """Return the game after points for every player were entered, by seat; more than the game has are ignored.

    Raises:
        IllegalMove: points cannot be entered now, or not as many.
    """
    for seat in range(game.player_count):
        game = play_moves(game, f"add {seat} {points[seat]}")
    return game


def play_rounds(player_count: int, **settings: Any) -> ScoreKeeper:
    """Return a game in its third round, with points of this round; in a game of turns player B has the turn.

    Raises:
        ValueError: `player_count` or a setting is not allowed.
        IllegalMove: the settings end the game before, or player A has no turn.
    """
    game = new_game(player_count, **settings)
    for points in ROUNDS[:2]:
        game = _play_round(game, points)
    if game.settings.has_turns and game.active_seat is None:
        game = play_moves(game, "take 0")
    game = add_points(game, ROUNDS[2])
    if game.active_seat is not None and player_count > 1:
        game = play_moves(game, f"pass {game.active_seat} 415")
        if game.active_seat is None:
            game = play_moves(game, f"take {game.seats_to_act[0]}")
    return game


def _play_round(game: ScoreKeeper, points: Sequence[int]) -> ScoreKeeper:
    if not game.settings.has_turns:
        game = add_points(game, points)
        return play_moves(game, "round") if game.settings.has_rounds else game
    number = game.round_number
    while game.round_number == number:
        if game.active_seat is None:
            game = play_moves(game, f"take {game.seats_to_act[0]}")
        seat = game.active_seat
        assert seat is not None, "it was just taken"
        game = play_moves(game, f"add {seat} {points[seat]}", f"pass {seat} {300 + 130 * seat + 70 * number}")
    return game


def show_game(
    game: ScoreKeeper, seconds_left: float | None = None, names: Sequence[str] = PLAYER_NAMES, **fields: Any
) -> ScreenState:
    """Build the screen of a game after a last move with a long text.

    Args:
        seconds_left: seconds left on its clock; None: the full time.
        names: players' names by seat; at least as many as players.
        fields: further fields of `ScreenState`, or others in place of those built here.

    Raises:
        ValueError: there are fewer names than players.
    """
    before = add_points(new_game(3), (1, 2, 3))
    last_move = describe_move(GAME, before, Move("add", Seat(2), (-125,)), PLAYER_NAMES)
    return fixtures.show_game(GAME, game, names, seconds_left=seconds_left, last_move=last_move, **fields)


def build_samples() -> dict[str, ScreenState]:
    """Return the sample screens of this module by name of the state, with texts in the current language."""
    return {**_build_score_samples(), **_build_turn_samples(), **_build_dialog_samples(), **_build_end_samples()}


def _build_score_samples() -> dict[str, ScreenState]:
    """Points without turns (K2 to K4, K7, K12)."""
    away = play_rounds(5, by_rounds=True)
    return {
        "start": show_game(new_game(4)),
        **{f"open_{count}": show_game(play_rounds(count)) for count in range(1, 7)},
        "rounds_4": show_game(play_rounds(4, rounds=7)),
        "rounds_6": show_game(play_rounds(6, by_rounds=True, lowest_wins=True)),
        "large": show_game(replace(play_rounds(6), adjustments=(9000, -9100, 1200, 0, -57, 812))),
        "teams_4": show_game(play_rounds(4, teams=True)),
        "teams_6": show_game(play_rounds(6, teams=True, rounds=5)),
        "named": show_game(play_rounds(4, by_rounds=True, name="Rummy")),
        "named_rounds": show_game(play_rounds(6, rounds=8, name="Maximilianna Ida")),
        "named_open": show_game(play_rounds(3, name="Skat")),
        "away": show_game(away.set_away(Seat(2), is_away=True)),
    }


def _build_turn_samples() -> dict[str, ScreenState]:
    """Turns and their clocks (K5, K6, K13 to K15)."""
    auction = play_moves(new_game(4, turn_order="auction"), "take 1", "pass 1 420")
    turn = play_rounds(4, turn_order="clockwise", clock="turn", turn_seconds=90)
    chess = play_rounds(2, turn_order="clockwise", clock="chess", extra_seconds=10)
    six = play_rounds(6, turn_order="auction", clock="chess", rounds=4)
    go = new_game(2, turn_order="clockwise", clock="chess", bank_seconds=30, overtime_periods=5, time_up="lose")
    byo_yomi = play_moves(go, "take 0", "pass 0 900", "pass 1 650")
    canadian = new_game(
        2, turn_order="clockwise", clock="chess", bank_seconds=30, overtime_seconds=300, overtime_turns=15
    )
    grace = play_rounds(
        4, turn_order="clockwise", clock="turn", turn_seconds=90, grace_seconds=20, time_up="next_player"
    )
    fischer = play_rounds(2, turn_order="clockwise", clock="chess", extra_seconds=10, extra_time="fischer")
    return {
        "begin": show_game(new_game(3, turn_order="clockwise")),
        "clock_grace": show_game(grace, 14.0),
        "bank_fischer": show_game(fischer, 575.0),
        "bank_turns": show_game(play_moves(canadian, "take 0", "pass 0 900", "pass 1 650"), 240.0),
        "sand_glass": show_game(play_rounds(3, turn_order="clockwise", clock="sand_glass", bank_seconds=180), 97.0),
        "auction": show_game(auction),
        "turn": show_game(play_rounds(5, turn_order="clockwise", target_points=200)),
        "clock": show_game(turn, 64.0),
        "clock_soon": show_game(turn, 7.0),
        "clock_up": show_game(turn, 0.0),
        "bank_delay": show_game(chess),
        "bank": show_game(chess, 431.0),
        "bank_six": show_game(six, 402.0),
        "bank_overtime": show_game(six, 23.0),
        "bank_periods": show_game(byo_yomi, 75.0),
        "lost_on_time": show_game(play_moves(byo_yomi, "pass 0 1200")),
        "bank_teams": show_game(play_rounds(4, turn_order="clockwise", clock="chess", teams=True), 330.0),
    }


def _build_dialog_samples() -> dict[str, ScreenState]:
    """What stands before the game: amounts, questions, menus, notices."""
    game = play_rounds(4, by_rounds=True)
    turn = play_rounds(4, turn_order="clockwise", clock="turn")
    open_amount = next(move for move in game.list_moves() if move.kind == "add" and move.seat == 2)
    amount = AmountInput(PLAYER_NAMES[2], open_amount)
    offers = GAME.list_offers(game, PLAYER_NAMES, Visibility())
    stopped = show_game(turn, 40.0)
    paused = tuple(replace(clock, paused=True) for clock in stopped.clocks)
    return {
        "amount": open_dialog(show_game(game), amount),
        "amount_minus": open_dialog(show_game(game), replace(amount, amount=125, is_negative=True)),
        "end_question": open_dialog(show_game(game), make_confirmation(offers)),
        "paused": replace(open_dialog(stopped, make_pause_dialog()), clocks=paused),
        **show_player_dialogs(show_game(game), GAME, game),
        "joined": show_game(game.add_player()),
        "menu": open_dialog(show_game(game), make_correction_menu(GAME, game, PLAYER_NAMES, 2)),
        "menu_points": open_dialog(show_game(game), list_value_inputs(GAME, game, PLAYER_NAMES)[0]),
        "notice": show_game(turn, 40.0, notice=get_refusal_notice(turn, Move("take", Seat(0)), PLAYER_NAMES)),
    }


def _build_end_samples() -> dict[str, ScreenState]:
    """The end (K8 to K11, K16)."""
    many = play_rounds(6, turn_order="clockwise", clock="turn").play(Move("end", None, (250,)))
    few = play_rounds(2, turn_order="clockwise", lowest_wins=True).play(Move("end", None, (36_500,)))
    teams = play_moves(play_rounds(4, teams=True), "end")
    named = play_moves(play_rounds(5, by_rounds=True, lowest_wins=True, name="Maximilianna Ida"), "end")
    komi = play_moves(new_game(2, turn_order="clockwise", komi_halves=13), "take 1", "add 1 70", "add 0 64")
    darts = play_rounds(3, turn_order="clockwise", clock="turn", name="Darts").play(Move("end", None, (250,)))
    return {
        "over_named": show_game(named),
        "over_named_turns": show_game(darts),
        "over": show_game(many),
        "over_komi": show_game(komi.play(Move("end", None, (250,)))),
        "over_lowest": show_game(few),
        "over_skunk": show_game(play_moves(new_game(2, target_points=61, skunk_points=31), "add 1 30", "add 0 61")),
        "over_teams": show_game(teams),
    }
