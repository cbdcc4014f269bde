"""The games in files whose points people enter: every phase and dialog, and numbers of players."""

from dataclasses import replace
from typing import Any

from companion.api import AnyGameDefinition, Move, Seat
from companion.api.registry import find_game
from companion.gallery import fixtures
from companion.gallery.fixtures import (
    PLAYER_NAMES,
    describe_move,
    get_refusal_notice,
    list_value_inputs,
    make_correction_menu,
    open_dialog,
    play_moves,
)
from companion.games.game_file.definition import make_definition
from companion.games.game_file.points.game import PointsGame
from companion.games.game_file.points.shelf_samples import build_shelf_samples
from companion.referee.dialogs.amount_input import AmountInput
from companion.referee.dialogs.base import ask_yes_or_no
from companion.screen_state import ScreenState

HANDS = ((6, 0, 13, 7, 0, 0), (0, 20, 2, 4, 0, 0), (1, 3, 5, 17, 0, 0))
"""Points of three hands of Hearts, by hand and seat; 26 in each."""

BIDS = """
name = "bids"
title = "Bids"
players_min = 2
players_max = 6
[points]
order = "together"
rounds = 10
score = "if(bid == tricks, 20 + 10 * tricks + 10 * bonus, -10 * max(bid - tricks, tricks - bid))"
[[points.entries]]
id = "bid"
name = "Your bid"
high = 20
before_play = true
[[points.entries]]
id = "tricks"
name = "Your tricks"
high = 20
[[points.entries]]
id = "bonus"
name = "Bonus?"
when = "bid == tricks"
high = 1
[translations.it]
"Your bid" = "La tua dichiarazione"
"Your tricks" = "Le tue prese"
[translations.de]
"Your bid" = "Deine Ansage"
"Your tricks" = "Deine Stiche"
"""
"""The file of a game in which all bid before a round is played (G70)."""


def new_game(name: str, players: int) -> PointsGame:
    """Return a game at its start.

    Raises:
        UnknownGame: there is no game of this name.
        ValueError: the number of players is not allowed.
    """
    return create_game(find_game(name), players)


def create_game(definition: AnyGameDefinition, players: int) -> PointsGame:
    """Return a game of any definition at its start.

    Raises:
        ValueError: the number of players is not allowed.
    """
    game: Any = definition.create_game(players, Seat(0), definition.settings_model.model_validate({}))
    assert isinstance(game, PointsGame)
    return game


def build_samples() -> dict[str, ScreenState]:
    """Return the sample screens of this module by name of the state, with texts in the current language."""
    return {**_build_hearts(), **_build_rummy(), **_build_bids(), **_build_darts(), **build_shelf_samples()}


def _play_hand(game: PointsGame, points: tuple[int, ...]) -> PointsGame:
    for seat in range(game.player_count):
        game = play_moves(game, f"enter {seat} {points[seat]}")
    return game


def _show_last(definition: AnyGameDefinition, game: PointsGame, move: str) -> ScreenState:
    """Build the screen after a move, with the line on it."""
    after, names = play_moves(game, move), PLAYER_NAMES[: game.player_count]
    line = describe_move(definition, game, fixtures.parse_move(move), names)
    return fixtures.show_game(definition, after, last_move=line)


def _open_amount(definition: AnyGameDefinition, game: PointsGame, seat: int, amount: int) -> ScreenState:
    """Build the screen on which a player enters a number."""
    move = next(move for move in game.list_moves() if move.seat == seat)
    title = definition.format_input_title(game, move, PLAYER_NAMES)
    return open_dialog(fixtures.show_game(definition, game), AmountInput(title, move, amount))


def _open_question(definition: AnyGameDefinition, game: PointsGame) -> ScreenState:
    """Build the screen on which the first player that has something to enter answers by yes or no."""
    move = next(move for move in game.list_moves() if move.value_range is not None and move.value_range.high == 1)
    title = definition.format_input_title(game, move, PLAYER_NAMES)
    return open_dialog(fixtures.show_game(definition, game), ask_yes_or_no(title, move))


def _build_hearts() -> dict[str, ScreenState]:
    hearts, darts = find_game("hearts"), find_game("darts_501")
    aim = new_game("darts_501", 4)
    game = _play_hand(_play_hand(new_game("hearts", 4), HANDS[0]), HANDS[1])
    some = play_moves(game, "enter 0 1", "enter 2 5")
    again = play_moves(some, "enter 3 2")
    last = play_moves(some, "enter 3 17")
    six = _play_hand(new_game("hearts", 6), HANDS[0])
    over = new_game("hearts", 3)
    while not over.is_over:
        over = play_moves(over, "enter 0 20", "enter 1 5", "enter 2 1")
    names = PLAYER_NAMES[:4]
    return {
        "enter_start": fixtures.show_game(hearts, new_game("hearts", 3)),
        "enter_some": _show_last(hearts, game, "enter 0 1"),
        "enter_last": _show_last(hearts, some, "enter 3 17"),
        "enter_six": fixtures.show_game(hearts, six),
        "enter_amount": _open_amount(hearts, game, 1, 0),
        "enter_amount_some": _open_amount(hearts, game, 1, 13),
        "enter_again": _show_last(hearts, again, "again 3"),
        "enter_scored": _show_last(hearts, last, "enter 1 3"),
        "enter_moon": _show_last(hearts, play_moves(game, "enter 0 0", "enter 1 26", "enter 2 0"), "enter 3 0"),
        "enter_away": fixtures.show_game(hearts, game.set_away(Seat(3), True)),
        "turn_refused": fixtures.show_game(
            darts, aim, notice=get_refusal_notice(aim, Move("enter", Seat(1), (3,)), names)
        ),
        "enter_corrections": open_dialog(fixtures.show_game(hearts, some), make_correction_menu(hearts, some, names)),
        "enter_correct_number": open_dialog(
            fixtures.show_game(hearts, some), list_value_inputs(hearts, some, names)[0]
        ),
        "over": fixtures.show_game(hearts, over),
    }


def _build_rummy() -> dict[str, ScreenState]:
    rummy = find_game("rummy")
    game = play_moves(new_game("rummy", 3), "enter 0 0", "enter 0 0", "enter 1 35", "enter 2 12")
    return {
        "enter_rummy": fixtures.show_game(rummy, game),
        "enter_mistake": _show_last(rummy, play_moves(game, "enter 0 4", "enter 1 11"), "enter 2 30"),
        "enter_question": _open_question(rummy, play_moves(game, "enter 1 0")),
    }


def _build_bids() -> dict[str, ScreenState]:
    bids = make_definition(BIDS, "bids.toml")
    game = create_game(bids, 4)
    for seat in range(4):
        game = play_moves(game, f"enter {seat} {seat}")
    for move in ("enter 0 1", "enter 1 1", "enter 1 1", "enter 2 1", "enter 3 3", "enter 3 0"):
        game = play_moves(game, move)
    bidding = play_moves(game, "enter 0 3", "enter 2 0")
    played = play_moves(bidding, "enter 1 1", "enter 3 12")
    screens = {
        "bids_before": fixtures.show_game(bids, bidding),
        "bids_played": fixtures.show_game(bids, played),
        "bids_after": fixtures.show_game(bids, play_moves(played, "enter 1 1")),
        "bids_menu": open_dialog(
            fixtures.show_game(bids, played), make_correction_menu(bids, played, PLAYER_NAMES[:4])
        ),
    }
    # No game of this name is installed: the scene is that of one that is.
    return {name: replace(screen, game_name="hearts") for name, screen in screens.items()}


def _build_darts() -> dict[str, ScreenState]:
    darts = find_game("darts_501")
    game = play_moves(new_game("darts_501", 2), "enter 0 100", "enter 1 60", "enter 0 180", "enter 1 45")
    late = play_moves(game, "enter 0 180", "enter 1 140")
    return {
        "turn_start": fixtures.show_game(darts, new_game("darts_501", 1)),
        "turn": _show_last(darts, game, "enter 0 85"),
        "turn_six": fixtures.show_game(darts, play_moves(new_game("darts_501", 6), "enter 0 26", "enter 1 140")),
        "turn_amount": _open_amount(darts, game, 0, 0),
        "turn_amount_impossible": _open_amount(darts, game, 0, 163),
        "turn_double": _show_last(darts, late, "enter 0 41"),
        "turn_bust": _show_last(darts, late, "enter 0 60"),
        "turn_over": _show_last(darts, play_moves(late, "enter 0 41"), "enter 0 1"),
    }
